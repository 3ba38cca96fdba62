/* SPDX-License-Identifier: MIT */
/* Boxes of wind for tests of the models: their sizes, and ground under them. */
#ifndef FOEHN_TESTS_OVER_H
#define FOEHN_TESTS_OVER_H

#include "testing.h"

/* Defaults, in a box whose lower corner is at the world's origin; h and hy: a cell's sides, m. */
foehn_wind_params over_box(foehn_wind_model model, int nx, int ny, int nz, float h, float hy);

/* A wind over ground of height(x, z) cells at the corners of its columns, x and z from 0 to 1;
 * NULL: flat at 0. */
foehn_wind *over_ground(foehn_wind_params params, float (*height)(double x, double z));

/* A round hill that its columns cut at all heights; steps of several cells, columns that stand
 * alone, a slope at a side. */
float over_hill(double x, double z);
float over_steps(double x, double z);

/* Ground that breaks programs, level at the sides but for the ridge. */
float over_cliff(double x, double z);
float over_spike(double x, double z);
float over_rubble(double x, double z);
float over_ridge_at_the_side(double x, double z);

/* Octaves of noise from a wavelength in m, each half the one before, somewhere in the lattice. */
void over_lattice(uint64_t *random, float wavelength, wind_forcing *f);

/* Arrays that are freed together: new ones, and what buffers hold that a wind lends. */
typedef struct over_arrays {
    int count;
    void *of[64];
} over_arrays;
void *over_array(over_arrays *arrays, size_t bytes);
void *over_buffer(over_arrays *arrays, cl_mem buffer, size_t bytes);
void over_free(over_arrays *arrays);

/* Wind towards east in the middle of the box, x m from its western side. */
double over_speed_at(foehn_wind *wind, double x, double height);

#endif
