/* SPDX-License-Identifier: MIT */
/* A system with the volume that it publishes, for tests/publish/gls.c and
 * tests/publish/vulkans.c. */
#ifndef FOEHN_TESTS_PUBLISHED_H
#define FOEHN_TESTS_PUBLISHED_H

#include "testing.h"

typedef enum published_kind {
    PUBLISHED_WIND, /* 20 x 6 x 12 cells */
    PUBLISHED_FLOW, /* 30 x 18 */
    PUBLISHED_FIRE, /* about 12 x 10 x 8 voxels of dye */
    PUBLISHED_KINDS
} published_kind;

typedef struct published {
    foehn_wind *wind;
    foehn_flow *flow;
    foehn_fire *fire;
    foehn_volume *volume;
    int n[3];
    size_t halves;
} published;

published open_published(foehn_context *ctx, published_kind kind);
void close_published(published *p);

/* A step whose content differs from that of other numbers: the wind's box moves, the flow is
 * stirred and shows ink after odd numbers, the fire grows; written to the volume. */
void step_published(published *p, int number);

/* The volume's content by the host's path; to be freed. */
uint16_t *host_halves(const published *p);
int count_nonzero(const uint16_t *halves, size_t count);
/* The texels are the host's of this step, and the content told is the newest. */
void expect_published(const published *p, int step, const uint16_t *texels,
                      const foehn_volume_info *content);

#endif
