/* SPDX-License-Identifier: MIT */
/* A system with the volume that it publishes, for tests/test_gl.c and tests/test_vulkan.c. */
#ifndef FOEHN_TESTS_PUBLISHED_H
#define FOEHN_TESTS_PUBLISHED_H

#include "testing.h"

typedef struct published {
    foehn_wind *wind;
    foehn_flow *flow;
    foehn_volume *volume;
    int n[3];
    size_t halves;
} published;

/* A flow of 30 x 18 cells (flat), or a wind of 20 x 6 x 12. */
published open_published(foehn_context *ctx, bool flat);
void close_published(published *p);

/* A step whose content differs from that of other numbers: the wind's box moves, the flow is stirred and shows
 * ink after odd numbers; written to the volume. */
void step_published(published *p, int number);

/* The volume's content by the host's path; to be freed. */
uint16_t *host_halves(const published *p);
int count_nonzero(const uint16_t *halves, size_t count);

#endif
