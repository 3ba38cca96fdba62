/* SPDX-License-Identifier: MIT */
/* Boxes of turbulence: what one holds, how it is made, what is known of it.
 *
 * A box is u, v, w (m/s, less the mean wind) at points x, y, z, each an array [nx][ny][nz] of
 * floats, z fastest. x is along the mean wind, y to the left of who looks along it, z up.  The wind
 * carries it past a mast: what lies at large x comes first, point (i, j, k) at the time (nx - 1 -
 * i) dx / speed. */
#ifndef BOX_H
#define BOX_H

#include "tool.h"

#include <stdint.h>

typedef struct box {
    int n[3];            /* points along x, y, z */
    double d[3];         /* spacing, m */
    bool periodic[3];    /* the last point is followed by the first */
    float *component[3]; /* u, v, w */
} box;

/* The values are not set. */
int box_create(const int n[3], const double d[3], const bool periodic[3], box *out);
void box_destroy(box *b);
size_t box_points(const box *b);

/* Which spectra. */
typedef enum box_model { BOX_MANN, BOX_KAIMAL } box_model;

typedef struct mann_params {
    double energy; /* alpha eps^(2/3), m^(4/3)/s^2 */
    double length; /* L, m */
    double gamma;  /* of the eddies' lifetime, 0 to 5 */
    bool points; /* what lies beyond the grid's wave numbers across the wind is folded into them, as
                   in wind sampled at points; else it is left out, as in wind averaged over cells */
    bool sinc; /* large eddies: averaged with sinc^2 (Mann 1998), not over cells of wave numbers */
} mann_params;

typedef struct kaimal_params {
    double sigma[3];         /* of u, v, w, m/s */
    double length[3];        /* L1, L2, L3, m */
    double speed;            /* at the hub, m/s */
    double decay;            /* of coherence, 12 */
    double coherence_length; /* Lc, m */
    bool all;                /* v and w are coherent, too */
} kaimal_params;

/* A value that the box is to have: at the point nearest to `at`, in m from the box's first point.
 */
typedef struct box_constraint {
    double at[3];
    double value[3]; /* u, v, w less the mean, m/s; NaN: free */
} box_constraint;

/* The same seed gives the same box, however many threads make it. */
int mann_make(box *b, const mann_params *p, uint64_t seed, size_t count,
              const box_constraint *constraints);
int kaimal_make(box *b, const kaimal_params *p, uint64_t seed);

/* Two-sided spectra over the wave number along the wind, m^3/s^2 (times dk, twice: m^2/s^2): the
 * mean over all lines of points.  out[p] has b->n[0] / 2 + 1 values, for k = 2 pi i / (nx dx). */
enum { BOX_UU, BOX_VV, BOX_WW, BOX_UW, BOX_SPECTRA };
int box_spectra(const box *b, double *out[BOX_SPECTRA]);
/* The same across lines j points apart along y and k along z; co: the real part, of each component
 * with itself; NULL: not wanted. */
int box_cross_spectra(const box *b, int j, int k, double *co[3]);
double box_mean(const box *b, int component);
double box_variance(const box *b, int component);

#endif
