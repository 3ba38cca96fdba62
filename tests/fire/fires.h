/* SPDX-License-Identifier: MIT */
/* Small fires for tests of the fire: the twelve defects of the reference as requirements,
 * colliders, budget, picture. */
#ifndef FOEHN_FIRES_H
#define FOEHN_FIRES_H

#include "testing.h"

#include "fire/state.h"

/* A cube of 16^3 voxels on both grids, nothing moves by itself: no turbulence, losses or lift. */
foehn_fire_params fires_quiet(void);

/* A fire of the preset's terms in a box of n voxels an axis. */
foehn_fire_params fires_lively(int n);

foehn_fire *fires_create(const foehn_fire_params *p);

int fires_add_points(foehn_fire *fire, size_t count, const float (*points)[3], int max_count);

size_t fires_cell(int i, int j, int k);

float *fires_read(foehn_fire *fire, foehn_fire_field field);

/* Bits of all that a fire shows of itself. */
uint64_t fires_bits(foehn_fire *fire);

/* A burning ball on the box's axis at a height. */
void fires_light(foehn_fire *fire, double radius, double height, float multiplier);

/* Wind that carries the dye one voxel along x a step. */
void fires_blow(foehn_fire *fire);

void add_fire_emitters_tests(TCase *tests);
void add_fire_steps_tests(TCase *tests);
void add_fire_air_tests(TCase *tests);
void add_fire_pressure_tests(TCase *tests);
void add_fire_budget_tests(TCase *tests);
void add_fire_colliders_tests(TCase *tests);
void add_fire_pictures_tests(TCase *tests);
void add_fire_read_tests(TCase *tests);
void add_fire_checkpoint_tests(TCase *tests);
void add_fire_transport_tests(TCase *tests);

#endif
