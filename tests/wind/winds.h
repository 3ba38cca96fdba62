/* SPDX-License-Identifier: MIT */
/* Winds for tests of what the wind computes, through its public functions.  Where a test reaches
 * inside (wind/state.h) it says why. */
#ifndef FOEHN_WINDS_H
#define FOEHN_WINDS_H

#include "testing.h"

/* Of the default scheme. */
foehn_wind_params winds_quality(const char *name);

foehn_wind_params winds_sized(int nx, int ny, int nz);

/* The schemes, and what they offer. */
enum { WINDS_VARIANTS = 4 };

const char *winds_set_variant(foehn_wind_params *params, int variant);

foehn_wind *winds_create(foehn_wind_params params);

size_t winds_cells(const foehn_wind *w);

/* A field, to be freed. */
float *winds_read(foehn_wind *w, foehn_wind_field field);

void winds_step(foehn_wind *w, int count, float dt);

/* The whole state as bytes, to be freed. */
char *winds_state(foehn_wind *w, size_t *size);

double winds_profile(double u10, double z, double z0);

/* A hill of this height in the middle of the box, on 20 x 20 samples. */
void winds_put_hill(foehn_wind *w, double height);

double winds_rms(const float *f, size_t count);

/* A wind in the middle of its life: over a hill, gusty, moved, averaging. */
foehn_wind *winds_lived(foehn_wind_params params);

void add_wind_checks_tests(TCase *tests);
void add_wind_collocated_tests(TCase *tests);
void add_wind_steps_tests(TCase *tests);
void add_wind_read_tests(TCase *tests);
void add_wind_checkpoint_tests(TCase *tests);
void add_wind_params_tests(TCase *tests);

#endif
