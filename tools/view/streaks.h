/* SPDX-License-Identifier: MIT */
/* Streaks that drift with the wind: tracers with tails, advected through what was published. */
#ifndef VIEW_STREAKS_H
#define VIEW_STREAKS_H

#include "view/textures.h"
#include "view/ground.h"

/* The published wind on the host, and what blows outside its box. */
typedef struct view_air {
    foehn_volume_info info;
    float *voxels;    /* [nz][ny][nx][4], wrapped */
    double toward[2]; /* unit vector that the wind blows towards, x and z */
    double u10, z0;
    const view_ground *ground;
} view_air;

typedef struct view_streaks view_streaks;
int view_streaks_create(uint64_t seed, view_streaks **out);
void view_streaks_destroy(view_streaks *streaks);
/* Let simulated time pass, s. */
void view_streaks_move(view_streaks *streaks, const view_air *air, double seconds);
/* Lines of place and (speed over fastest, opacity) into a mesh made with {3, 2, 0}. */
void view_streaks_mesh(const view_streaks *streaks, double fastest, view_mesh *mesh);

#endif
