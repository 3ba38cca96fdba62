/* SPDX-License-Identifier: MIT */
/* The kernels in plain C: packed arrays [nz][ny][nx], double arithmetic, a test for every edge.
 * Written from the equations, not from the kernels: no padding, no face bits, no fused passes. */
#ifndef FOEHN_REFERENCE_H
#define FOEHN_REFERENCE_H

#include "kernels/wind/ground.h"
#include "kernels/wind/structs.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct reference_box {
    int nx, ny, nz;
    double hx, hy, hz; /* m */
    double floor_y;    /* world y of the floor, m */
    bool periodic;     /* along x and z */
    const unsigned char *solid;
} reference_box;

/* Where cell (i, j, k) lies in an array. */
size_t reference_cell(const reference_box *b, int i, int j, int k);

/* Terrain under the middle of column (i, k), which may lie outside the box. */
double reference_ground(const terrain_map *t, const float *heights, int i, int k);

/* FACE_* bits, or CELL_SOLID. */
void reference_faces(const reference_box *b, int i, int j, int k, int *open, int *wall);

void reference_force(const reference_box *b, const wind_forcing *f, const double *ground,
                     const double *slope_x, const double *slope_z, const float *in[3],
                     double *out[3], double *curl);
void reference_advect(const reference_box *b, double dt, const float *in[3], double *out[3]);
void reference_divergence(const reference_box *b, const float *in[3], double *div);
void reference_sweep(const reference_box *b, const float *div, const float *p, double *next);
void reference_project(const reference_box *b, double max_speed, const float *p, const float *in[3],
                       double *out[3]);

/* lap p - div. */
double reference_residual(const reference_box *b, const float *div, const float *p, int i, int j,
                          int k);

/* Wind and turbulence intensity at (x, z) in cells and a height above ground in m. */
void reference_point(const reference_box *b, double z0, bool mean, double x, double z,
                     double height, const float *ground, const float *in[3], const float *a,
                     const float *square, double out[4]);

/* The nearest half, ties to even. */
unsigned short reference_half(float x);

#endif
