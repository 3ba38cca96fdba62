/* SPDX-License-Identifier: MIT */
/* Small fires that burn, for tests. */
#ifndef FOEHN_TESTS_BURNS_H
#define FOEHN_TESTS_BURNS_H

#include "testing.h"

#include "fire/state.h"

/* A burns_cube of n voxels of 0.1 m on both grids. */
foehn_fire_params burns_cube(int n);
foehn_fire *burns_create(const foehn_fire_params *p);
float *burns_read(foehn_fire *fire, foehn_fire_field field, size_t *count);
float burns_value_at(foehn_fire *fire, foehn_fire_field field, size_t voxel);
void burns_fill(foehn_fire *fire, foehn_fire_field field, float value);

/* A level disk of points that gives off a power at a height above the box's middle. */
int burns_add_disk(foehn_fire *fire, double radius, double height, float power, float pilot);

/* A burns_pool of 0.4 m in a box of 1.2 x 1.8 x 1.2 m, voxels of 6 and 7.5 cm. */
foehn_fire_params burns_pool(void);

/* ---- the files of tests, one subject each ---- */

void add_burn_gas_tests(TCase *tests);
void add_burn_budgets_tests(TCase *tests);

#endif
