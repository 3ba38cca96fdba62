/* SPDX-License-Identifier: MIT */
/* Where the box lies on the terrain's samples. */
#ifndef FOEHN_KERNEL_TERRAIN_H
#define FOEHN_KERNEL_TERRAIN_H

#include "shared.h"

typedef struct terrain_map {
    i32 nx, nz; /* samples */
    f32 x0, z0; /* of the box's corner, in samples */
    f32 dx, dz; /* samples a cell */
} terrain_map;

#endif
