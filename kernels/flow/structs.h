/* SPDX-License-Identifier: MIT */
/* What the host tells the flow lab's kernels. */
#ifndef FOEHN_KERNEL_FLOW_H
#define FOEHN_KERNEL_FLOW_H

#include "shared.h"

/* What a side of the box is; the same numbers as foehn_flow_side_kind. */
#define FLOW_WALL 0
#define FLOW_SLIP 1
#define FLOW_INFLOW 2
#define FLOW_OUTFLOW 3
#define FLOW_PERIODIC 4

/* Bits of a cell: its lower x face and lower y face move freely, the cell is solid. */
#define FLOW_U_FREE 1
#define FLOW_V_FREE 2
#define FLOW_SOLID 4

/* Weight of a viscous link, a ushort: FLOW_LINK is a link between two points one cell apart. */
#define FLOW_LINK 4096

#define FLOW_OBSTACLES 15 /* ids 1 to 14; 0 is nobody */
#define FLOW_CHANNELS 4   /* of ink */
#define FLOW_RIM 32       /* faces of the box's sides that are summed together */

typedef struct flow_side {
    i32 kind;
    f32 normal;   /* inflow: velocity along the axis, signed */
    f32 along;    /* velocity of a wall or inflow along the side */
    i32 parabola; /* inflow is 4 s (1 - s) times normal, s along the side */
} flow_side;

/* The sides -x, +x, -y, +y. */
typedef struct flow_sides {
    flow_side x0, x1, y0, y1;
} flow_sides;

/* How far a step goes and which axes are closed to a ring. */
typedef struct flow_motion {
    f32 cells; /* dt / h */
    i32 wrap_x, wrap_y;
} flow_motion;

/* A stroke of the hand, in cells from the box's corner. */
typedef struct flow_stroke {
    f32 x, y, dx, dy;       /* start, and end minus start */
    f32 inverse_length2;    /* 1 / |end - start|^2; 0 for a dot */
    f32 inverse_radius2;    /* 1 / r^2 */
    f32 u, v;               /* velocity added */
    f32 ink[FLOW_CHANNELS]; /* ink added */
} flow_stroke;

typedef struct flow_speeds {
    f32 u[FLOW_OBSTACLES], v[FLOW_OBSTACLES]; /* of each obstacle */
} flow_speeds;

#endif
