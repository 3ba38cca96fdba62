/* SPDX-License-Identifier: MIT */
/* What the host tells the kernels of the LES. */
#ifndef FOEHN_KERNEL_LES_H
#define FOEHN_KERNEL_LES_H

#include "wind/momentum.h"

typedef struct les {
    momentum m;     /* ground, sides, and the undisturbed wind */
    i32 wraps;      /* periodic sides */
    i32 open_from;  /* rows from here up are open everywhere */
    i32 amd;        /* 1: minimum dissipation; 0: Smagorinsky */
    f32 length;     /* of Smagorinsky's eddies away from the ground, m */
    f32 cx, cy, cz; /* squares of the filter's widths along the axes, m2 */
    f32 drive;      /* pressure gradient over density along (dx, dz) that keeps u* up, m/s2 */
    f32 upwind;     /* share of the upwind value beside closed faces */
    f32 stiffest;   /* viscosity that the longest substep mixes without overshooting, m2/s */
    f32 most[3];    /* speed along each axis that a substep carries, m/s */
} les;

/* Where the planes of a periodic wind lie, from which a wind with sides takes what comes in. */
typedef struct les_source {
    foehn_grid g;
    i32 i, k; /* its column at one's own (0, 0) */
} les_source;

#endif
