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

/* Viscosity of the eddies where a voxel of the dye is. */
FOEHN_INLINE float eddies_at(foehn_grid g, foehn_grid r, global const float *nu, int i, int j,
                             int k)
{
    int x = (int)(((float)i + 0.5f) * (float)g.nx / (float)r.nx);
    int y = (int)(((float)j + 0.5f) * (float)g.ny / (float)r.ny);
    int z = (int)(((float)k + 0.5f) * (float)g.nz / (float)r.nz);
    return nu[at(g, min(max(x, 0), g.nx - 1), min(max(y, 0), g.ny - 1), min(max(z, 0), g.nz - 1))];
}

/* Diffusivity of gases, m2/s. */
FOEHN_INLINE float molecular(float temperature)
{
    float t = temperature / FIRE_AMBIENT;
    return 2e-5f * t * sqrt(t * sqrt(t)); /* to the power of 1.75 */
}

/* Is the centre of a voxel of the dye outside colliders? */
FOEHN_INLINE bool is_open(foehn_grid g, foehn_grid r, global const float *sdf, int i, int j, int k)
{
    int x = (int)(((float)i + 0.5f) * (float)g.nx / (float)r.nx);
    int y = (int)(((float)j + 0.5f) * (float)g.ny / (float)r.ny);
    int z = (int)(((float)k + 0.5f) * (float)g.nz / (float)r.nz);
    return !is_solid(g, sdf, at(g, x, y, z));
}

/* Blocks of the dye's grid whose count is not 0 are awake: blocks.cl.  Others hold clean air, which
 * stays so. */
FOEHN_INLINE size_t block_of(foehn_grid r, int i, int j, int k)
{
    int nx = (r.nx + FIRE_BLOCK - 1) / FIRE_BLOCK, ny = (r.ny + FIRE_BLOCK - 1) / FIRE_BLOCK;
    return ((size_t)(k / FIRE_BLOCK) * (size_t)ny + (size_t)(j / FIRE_BLOCK)) * (size_t)nx +
           (size_t)(i / FIRE_BLOCK);
}

#endif
