/* SPDX-License-Identifier: MIT */
/* What files share that make boxes of Mann's tensor.  Lengths are in L, as in tensor.h. */
#ifndef BOX_MANN_H
#define BOX_MANN_H

#include "box/box.h"
#include "box/tensor.h"

#include <fftw3.h>

/* Of a thread: the wave vectors of one k1 >= 0, [n2][width] of them. */
typedef struct mann_plane {
    float *covariance[PAIRS];
    float *alias;
    fftwf_complex *mode[3];
} mann_plane;

/* Of a thread: what lies at one y. */
typedef struct mann_slab {
    fftwf_complex *modes; /* [LANES][stride] */
    float *wind;          /* [LANES][2 stride] */
} mann_slab;

typedef struct mann_modes {
    box *b;
    const mann_params *p;
    uint64_t seed;
    int n[3];           /* points along an axis, of the box and what makes it not periodic */
    double d[3], dk[3]; /* their spacing, that of wave numbers */
    int half, width;    /* wave numbers k1 >= 0; n3, and up to a multiple of LANES */
    size_t stride;      /* of lines along x, wave numbers; a multiple of 8 */
    float gamma, scale; /* scale: covariance over tensor, m^2/s^2 */
    float *aliases;     /* NULL: none are added */
    int threads;
    mann_plane *planes;
    mann_slab *slabs;
    float *lines[3];         /* [n1][ny][nz]: after the transforms along y and z */
    fftwf_complex *added[3]; /* [half][n2][n3]: of constraints, or NULL */
    fftwf_plan along_x, along_y, along_z;
} mann_modes;

/* Fails with a message; destroy takes what there is. */
int mann_modes_create(mann_modes *m, box *b, const mann_params *p, uint64_t seed);
void mann_modes_destroy(mann_modes *m);
/* Make the wind of the box. */
void mann_modes_run(mann_modes *m);
/* The covariance of the plane of the i-th wave number along x. */
void mann_covary(const mann_modes *m, int i, mann_plane *plane);

#endif
