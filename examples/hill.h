/* SPDX-License-Identifier: MIT */
/* What the examples of publishing show: a south-westerly over a hill, far from the world's origin,
 * so that the texture's seam lies in the middle of the picture. */
#ifndef FOEHN_EXAMPLES_HILL_H
#define FOEHN_EXAMPLES_HILL_H

#include <foehn/foehn.h>

typedef struct hill_wind {
    foehn_context *ctx;
    foehn_wind *wind;
    foehn_volume *volume;
} hill_wind;

/* Where the hill's foot is, m.  It is 30 m high: 30 exp(-r^2 / 2000). */
extern const double hill_center[3];

/* Print what failed.  0: nothing did. */
int check(foehn_status status);

/* Stories of failures are printed. */
foehn_status hill_open(hill_wind *hill, const foehn_context_params *params);
int hill_step(hill_wind *hill); /* 0.1 s, and into the volume.  0: all went well */
void hill_close(hill_wind *hill);

#endif
