/* SPDX-License-Identifier: MIT */
/* The ground of the wind's page: from a raster, or made up. */
#ifndef VIEW_GROUND_H
#define VIEW_GROUND_H

#include "terrain/terrain.h"
#include "view/textures.h"

/* World x east, y up, z south, from the north-western corner. */
typedef struct view_ground {
    int nx, nz;            /* samples */
    double spacing[2];     /* m; sample (i, k) lies at ((i + 1/2), (k + 1/2)) spacing */
    double extent[2];      /* m */
    float *heights;        /* [nz][nx], altitude, m */
    double lowest, summit; /* m */
    double top[2];         /* x and z of the highest point of the middle, m */
    double convergence;    /* true north to grid north, degrees */
    char name[96];
} view_ground;

/* request->path NULL: hills that are made up. */
int view_ground_create(const terrain_request *request, view_ground *out);
void view_ground_destroy(view_ground *ground);
/* Bilinear; beyond the edge the nearest. */
double view_ground_height(const view_ground *ground, double x, double z);

/* A mesh of place and normal over all of it. */
int view_ground_mesh(const view_ground *ground, view_mesh *mesh);

#endif
