/* SPDX-License-Identifier: MIT */
/* What the host tells the kernels of the momentum model. */
#ifndef FOEHN_KERNEL_MOMENTUM_H
#define FOEHN_KERNEL_MOMENTUM_H

#include "shared.h"

#define VON_KARMAN 0.4f

/* Bits of the inflow sides, as in pressure_level.closed. */
#define INFLOW_WEST 1
#define INFLOW_EAST 2
#define INFLOW_NORTH 16
#define INFLOW_SOUTH 32

typedef struct momentum {
    foehn_grid g;
    i32 inflow; /* sides that hold the undisturbed column */
    i32 low_x, high_x, low_z,
        high_z;   /* cells that stencils may read: ghosts only where they hold something */
    i32 closes;   /* 1: k and eps; 0: k and a length */
    i32 canopy;   /* 1: trees drag on the air */
    f32 per_l;    /* of the Monin-Obukhov length, 1/m; 0: neutral */
    i32 plane;    /* elements of a 2-D field over columns */
    f32 floor_y;  /* world y of the box's floor, m */
    f32 lid;      /* height of the lid above the floor, m */
    f32 dx, dz;   /* unit vector that the wind blows towards */
    f32 friction; /* u* of the undisturbed wind, m/s */
    f32 z0;       /* of the ground upwind, m */
    f32 sample;   /* height above the ground of the wall's wind, m */
    f32 c0;       /* Cmu^(1/4) */
    f32 c1, c2;   /* production and decay of eps */
    f32 per_sigma_k, per_sigma_eps;
    f32 courant, longest; /* limits of a step: cells, s */
} momentum;

/* Columns are cells, or the faces that share an x or a z side.  Planes of each kind: */
#define AT_CELLS 0
#define AT_X 6
#define AT_Z 12
#define GROUND 0    /* height above the box's floor, m */
#define LOWEST 1    /* first row that is open */
#define DISTANCE 2  /* of what is open in that row from the ground, m */
#define ROUGHNESS 3 /* m */
#define LOGARITHM 4 /* ln((distance + z0) / z0) */
#define PER_DEPTH 5 /* 1 / (lid - ground), 1/m */
/* Planes of cells alone: */
#define SLOPE_X 18
#define SLOPE_Z 19
#define COSINE 20    /* of the slope */
#define CARRIED_X 21 /* ground area of closed faces below the lowest open one, of the floor's */
#define CARRIED_Z 22
#define COLUMN_PLANES 23

/* Planes of what the wall does, anew in each step: */
#define DRAG 0      /* stress over the sampled velocity, m/s */
#define FRICTION2 1 /* u*^2, m2/s2 */
#define SAMPLE_X 2  /* u of x faces and w of z faces at the sample's height, m/s */
#define SAMPLE_Z 3
#define FASTEST 4 /* largest Courant number of a second in the column, 1/s */
#define WALL_PLANES 5

#endif
