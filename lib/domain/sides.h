/* SPDX-License-Identifier: MIT */
/* What lies beyond a side of a box: one meaning for velocity, pressure and whatever else has sides.
 */
#ifndef FOEHN_LIB_DOMAIN_SIDES_H
#define FOEHN_LIB_DOMAIN_SIDES_H

#include <stdbool.h>

typedef enum foehn_side {
    FOEHN_SIDE_WALL = 0,  /* nothing passes: ground, lid; dp/dn = 0 */
    FOEHN_SIDE_OPEN,      /* air goes out and comes in as it likes; p = 0 one cell beyond */
    FOEHN_SIDE_PERIODIC,  /* the far end; both sides of an axis or none */
    FOEHN_SIDE_INFLOW,    /* what comes in is held; dp/dn = 0 */
    FOEHN_SIDE_NEIGHBOUR, /* more of the same box, kept by another part: see lib/domain/domain.h */
} foehn_side;

/* Sides in the order of everything that lists them. */
enum { SIDE_WEST, SIDE_EAST, SIDE_FLOOR, SIDE_LID, SIDE_NORTH, SIDE_SOUTH, FOEHN_SIDES };

/* Whether the velocity through it is given, so that no pressure changes it. */
static inline bool foehn_side_is_held(foehn_side side)
{
    return side == FOEHN_SIDE_WALL || side == FOEHN_SIDE_INFLOW;
}

/* Whether the pressure is told there, so that it is not free by a constant. */
static inline bool foehn_side_is_open(foehn_side side)
{
    return side == FOEHN_SIDE_OPEN;
}

#endif
