/* SPDX-License-Identifier: MIT */
/* The wind climate of a mast carried to other places by the wind of many directions.
 *
 * Each sector of the mast is cut into parts of equal frequency.  A part's direction at the mast
 * says which undisturbed direction blows (the mast's own turning is taken out), and that says the
 * direction and the ratio of speeds at the place.  There the part adds its time to the sector it
 * falls into, with A times the ratio and the same k.  A sector's distribution is the one with the
 * mean and the mean cube of what came in. */
#ifndef ATLAS_H
#define ATLAS_H

#include "wind/sectors.h"

typedef struct atlas atlas;

/* Needs a climate and a reference. */
int atlas_create(const sectors *s, atlas **out);
void atlas_destroy(atlas *a);

/* The distributions at a place: [count] sectors, whose f add up to 1, and that of all; and the
 * power of the wind in air of 1.225 kg/m3, W/m2. */
void atlas_find(const atlas *a, int height, size_t column, weibull *sector, weibull *all,
                double *power);

#endif
