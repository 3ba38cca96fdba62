/* SPDX-License-Identifier: MIT */
/* What the host tells the wind's kernels at each step. */
#ifndef FOEHN_KERNEL_WIND_H
#define FOEHN_KERNEL_WIND_H

#include "shared.h"

#define WIND_OCTAVES 2
#define WIND_GUSTS 16
#define WIND_LINES 256 /* of noise a work-group, at most: kernels/wind/potential.cl */

/* A gust band.  An array of these, not these as arrays, and dx not beside dz: where neighbours in
 * memory go through the same arithmetic, PoCL's compiler vectorises over them and not over cells.
 */
typedef struct wind_gust {
    f32 position; /* of its middle along (dx, dz) from the box's corner, m */
    f32 dx;       /* unit vector of travel */
    f32 strength; /* peak speed, m/s */
    f32 dz;
    f32 inverse; /* 2 / width, 1/m */
} wind_gust;

/* The forcing: u_target = d u(z) + u_curl + u_gust. */
typedef struct wind_forcing {
    f32 u10;            /* m/s */
    f32 dx, dz;         /* unit vector it blows towards */
    f32 z0;             /* m */
    f32 profile_scale;  /* 1 / ln(10 / z0) */
    f32 gain;           /* 1 - exp(-r dt) */
    f32 floor_y;        /* world y of the box's floor, m */
    f32 curl_amplitude; /* rms of |u_curl|, m/s */
    f32 ramp;           /* height over which the potential rises from 0 to 1, m */
    /* Per octave: wavelength, the box's corner in lattice units (cell and fraction), and for each
     * of the three potentials a lattice offset. */
    f32 wavelength[WIND_OCTAVES];
    i32 cell[WIND_OCTAVES][3];
    f32 fraction[WIND_OCTAVES][3];
    i32 offset_x[WIND_OCTAVES][3], offset_y[WIND_OCTAVES][3], offset_z[WIND_OCTAVES][3];
    wind_gust gust[WIND_GUSTS]; /* strength 0 where there is no band */
} wind_forcing;

/* Weights of the 7-point Laplacian: 1 / h^2 along each axis, and 1 / (2 (wx + wy + wz)). */
typedef struct wind_stencil {
    f32 wx, wy, wz, inverse;
} wind_stencil;

/* Box-relative places in cells, height above ground in metres. */
typedef struct wind_point {
    f32 x, z, height;
} wind_point;

#endif
