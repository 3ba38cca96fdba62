/* SPDX-License-Identifier: MIT */
/* What the two grids of a fire that burns have in common, and its gas. */
#ifndef FOEHN_KERNEL_FIRE_OVERLAP_H
#define FOEHN_KERNEL_FIRE_OVERLAP_H

#include "fire/sample.h"

/* Share of voxel n of the dye in [from, to). */
FOEHN_INLINE float overlap(int n, float from, float to)
{
    return fmax(fmin((float)n + 1.0f, to) - fmax((float)n, from), 0.0f);
}

/* Diffusivity of gases, m2/s. */
FOEHN_INLINE float molecular(float temperature)
{
    return 2e-5f * powr(temperature / FIRE_AMBIENT, 1.75f);
}

#endif
