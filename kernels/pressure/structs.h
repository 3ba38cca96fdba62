/* SPDX-License-Identifier: MIT */
/* What the host tells the pressure kernels of a level and of the small levels' schedule. */
#ifndef FOEHN_KERNEL_PRESSURE_H
#define FOEHN_KERNEL_PRESSURE_H

#include "shared.h"

/* Bits of pressure_level.axes: halved towards the next level, and periodic. */
#define HALVED_X 1
#define HALVED_Y 2
#define HALVED_Z 4
#define PERIODIC_X 8
#define PERIODIC_Y 16
#define PERIODIC_Z 32

typedef struct pressure_level {
    foehn_grid g;
    f32 wx, wy, wz; /* 1 / (255 h^2): weight of a face of openness 1 byte */
    f32 edge_x, edge_y,
        edge_z;              /* a lower edge face weighs this much more, see lib/pressure/cycle.c */
    f32 far_x, far_y, far_z; /* and an upper one */
    i32 axes;
    i32 open_from; /* rows j from here up have all faces fully open, but for those of Neumann sides
                    */
    i32 closed;    /* bits of the Neumann sides: -x +x -y +y -z +z */
} pressure_level;

/* A level in the arena of small levels: offsets of its fields, in elements. */
typedef struct pressure_small {
    pressure_level level;
    i32 p[2], rhs;             /* into the floats */
    i32 local_p[2], local_rhs; /* into the work-group's floats, compact layout */
    i32 weight[3], inverse;    /* of lower faces; 1 / diagonal, 0 in cells without an open face */
    i32 mask, split[3];        /* into the bytes */
    f32 per_row, per_plane;    /* 1 / nx, 1 / (nx ny): places of cells without integer division */
} pressure_small;

/* One pass over one small level. */
#define PASS_SMOOTH 0      /* p[to] <- p[from] improved */
#define PASS_SMOOTH_ZERO 1 /* p[to] <- 0 improved */
#define PASS_RESIDUAL 2    /* p[to] <- residual of p[from] */
#define PASS_RESTRICT 3    /* right side of level + 1 <- mean of p[from] */
#define PASS_PROLONG 4     /* p[from] += correction p[to] of level + 1 */
typedef struct pressure_pass {
    i32 kind, level, from, to;
    f32 omega;
} pressure_pass;

#endif
