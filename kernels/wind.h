/* SPDX-License-Identifier: MIT */
/* What the host tells the wind's kernels at each step. */
#ifndef FOEHN_KERNEL_WIND_H
#define FOEHN_KERNEL_WIND_H

#include "shared.h"

#define WIND_OCTAVES 2
#define WIND_GUSTS 16

/* The forcing: u_target = d u(z) + u_curl + u_gust. */
typedef struct wind_forcing {
    f32 u10;             /* m/s */
    f32 dx, dz;          /* unit vector it blows towards */
    f32 z0;              /* m */
    f32 gain;            /* 1 - exp(-r dt) */
    f32 floor_y;         /* world y of the box's floor, m */
    f32 curl_amplitude;  /* rms of |u_curl|, m/s */
    f32 ramp;            /* height over which the potential rises from 0 to 1, m */
    /* Per octave: wavelength, the box's corner in lattice units (cell and fraction), and for each of
     * the three potentials a lattice offset. */
    f32 wavelength[WIND_OCTAVES];
    i32 cell[WIND_OCTAVES][3];
    f32 fraction[WIND_OCTAVES][3];
    i32 offset_x[WIND_OCTAVES][3], offset_y[WIND_OCTAVES][3], offset_z[WIND_OCTAVES][3];
    /* Gust bands: place of the band's middle along its own direction, from the box's corner. */
    i32 gusts;
    f32 gust_position[WIND_GUSTS], gust_strength[WIND_GUSTS], gust_width[WIND_GUSTS];
    f32 gust_dx[WIND_GUSTS], gust_dz[WIND_GUSTS];
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
