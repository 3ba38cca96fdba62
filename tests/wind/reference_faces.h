/* SPDX-License-Identifier: MIT */
/* The staggered wind in plain C: packed arrays, double arithmetic, a test for every edge.  Written
 * from doc/numerics.md, not from the kernels: any axis is like any other, no padding, no lanes, no
 * march.
 *
 * u[a] is the velocity's component along axis a, at the lower face across a of cell (i, j, k).
 * Every array, whatever lives in it, has (nx + 1) (ny + 1) (nz + 1) elements, x fastest; what a
 * field lacks is not looked at.  Corners of columns, i = 0 to nx and k = 0 to nz, are arrays of (nx
 * + 1) (nz + 1). */
#ifndef FOEHN_REFERENCE_FACES_H
#define FOEHN_REFERENCE_FACES_H

#include "kernels/wind/ground.h"
#include "kernels/wind/structs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct faces_box {
    int n[3];
    double h[3];    /* m */
    double floor_y; /* world y of the floor, m */
    bool periodic;  /* along x and z */
} faces_box;

/* Where a field lives: bits of the axes along which it has one element more than cells. */
typedef int faces_kind;
enum { FACES_CELLS = 0, FACES_ALL = 7 };
static inline faces_kind faces_across(int axis)
{
    return 1 << axis;
}
static inline faces_kind faces_edges_along(int axis)
{
    return 7 - (1 << axis);
}

size_t faces_count(const faces_box *b);
size_t faces_index(const faces_box *b, const int at[3]);
bool faces_exist(const faces_box *b, faces_kind kind, const int at[3]);

#define EACH_OF(b, kind, at)                                                                       \
    for (int at[3] = {0, 0, 0}; at[2] <= (b)->n[2]; at[2]++)                                       \
        for (at[1] = 0; at[1] <= (b)->n[1]; at[1]++)                                               \
            for (at[0] = 0; at[0] <= (b)->n[0]; at[0]++)                                           \
                if (faces_exist(b, kind, at))

/* ---- ground ---- */

/* Height of terrain at (x, z) in cells from the box's corner; beyond its samples that of the
 * nearest. */
double faces_terrain(const terrain_map *t, const float *heights, double x, double z);

/* Share of a face above the ground, by 8 points of a side, 8 lines of a floor.  doubt: how much
 * of it a rounding of the ground's height decides. */
double faces_share(const faces_box *b, const float *corner, int axis, const int at[3],
                   double *doubt);

/* ---- forcing ---- */

/* psi along `axis` at the middle of the edge. */
double faces_potential(const faces_box *b, const wind_forcing *f, const float *corner, int axis,
                       const int at[3]);

/* What gust bands add at (x, z), m from the box's corner, along x and z, at 10 m and above. */
void faces_gusts(const wind_forcing *f, double x, double z, double out[2]);

/* The log profile in the middle of the open part of a face across x or z. */
double faces_profile(const faces_box *b, const wind_forcing *f, const float *corner, int axis,
                     const int at[3]);

/* Velocity along `axis` after the forcing.  gust: of columns, at faces; open: bytes. */
double faces_forced(const faces_box *b, const wind_forcing *f, const float *corner,
                    const float *gust[2], const float *psi[3], const uint8_t *open[3],
                    const float *u[3], int axis, const int at[3]);

/* |curl psi| at a cell's centre, the curl being the mean of its faces'. */
double faces_strength(const faces_box *b, const float *psi[3], const int at[3]);

/* ---- transport ---- */

/* Where the fluid at a face is `time` later, in cells, be it outside of the box. */
void faces_trace(const faces_box *b, double time, const float *u[3], int axis, const int at[3],
                 double place[3]);

/* Trilinear value there of a component, from within the faces that exist. */
double faces_value(const faces_box *b, int axis, const float *f, const double place[3]);

/* Range of the values that it is made of.  True: within `doubt` of a plane of faces, so that
 * rounding decides which these are. */
bool faces_range(const faces_box *b, int axis, const float *f, const double place[3], double doubt,
                 double range[2]);

/* ---- projection ---- */

double faces_divergence(const faces_box *b, const uint8_t *open[3], const float *u[3],
                        const int at[3]);

/* div (a grad p) of a cell; p is 0 beyond an open side.  open_faces: how many. */
double faces_laplacian(const faces_box *b, const uint8_t *open[3], const double *p, const int at[3],
                       int *open_faces);

/* p with div (a grad p) = div to 1e-10 of it, by conjugate gradients; in a box without an open side
 * that of mean 0, for a right side of sum 0. */
void faces_solve(const faces_box *b, const uint8_t *open[3], const double *div, double *p);

double faces_projected(const faces_box *b, double max_speed, const uint8_t *open[3],
                       const double *p, const float *u, int axis, const int at[3]);

/* Velocity at a cell's centre. */
void faces_center(const faces_box *b, const uint8_t *open[3], const float *u[3], const int at[3],
                  double out[3]);

#endif
