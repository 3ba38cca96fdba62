/* SPDX-License-Identifier: MIT */
/* The ground under the box: its height and roughness. */
#ifndef FOEHN_LIB_WIND_GROUND_H
#define FOEHN_LIB_WIND_GROUND_H

#include "device/internal.h"

#include <foehn/wind.h>

typedef struct foehn_ground {
    foehn_context *ctx;
    foehn_terrain terrain; /* placement; heights are on the device */
    bool flat;             /* at y = 0 everywhere */
    cl_mem heights;
    foehn_terrain rough; /* placement of */
    float *log_z0;       /* ln of the samples of roughness, on the host; NULL: one everywhere */
    float one_z0;        /* that one */
    bool z0_is_stale;    /* samples were set or taken away, or the box has moved under them */
    cl_mem ground;       /* world y of the ground under each column, ghost columns included */
    cl_mem corner;       /* the same at the lower corners of columns */
    cl_mem z0;           /* roughness length of each column, ghost columns included, m */
    foehn_kernel ground_kernel, corners_kernel;
} foehn_ground;

/* z0: where there are no samples of it. */
foehn_status foehn_ground_create(foehn_ground *ground, foehn_context *ctx, const foehn_grid *g,
                                 float z0);
void foehn_ground_destroy(foehn_ground *ground);

/* Take over new heights; NULL: flat at 0. */
foehn_status foehn_ground_set(foehn_ground *ground, const foehn_terrain *terrain);

/* Roughness: whether a map of it can be one; take it over, NULL: one everywhere. */
foehn_status foehn_ground_check_roughness(const foehn_terrain *map);
foehn_status foehn_ground_set_roughness(foehn_ground *ground, const foehn_terrain *map);

/* Recompute for a box whose lower corner is at origin. */
foehn_status foehn_ground_update(foehn_ground *ground, const foehn_grid *g, const double origin[3]);

#endif
