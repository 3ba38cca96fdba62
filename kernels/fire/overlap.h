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

/* Sum over the voxels of r within a cell of g, over the cell's volume: of TERM(share, c), c the
 * voxel's element and share what of it lies within the cell.  TERM may read f. */
#define DEFINE_MEAN_WITHIN(name, TERM)                                                             \
    FOEHN_INLINE float name(foehn_grid g, foehn_grid r, int i, int j, int k,                       \
                            global const float *f)                                                 \
    {                                                                                              \
        const float wx = (float)r.nx / (float)g.nx, wy = (float)r.ny / (float)g.ny;                \
        const float wz = (float)r.nz / (float)g.nz;                                                \
        float x0 = (float)i * wx, y0 = (float)j * wy, z0 = (float)k * wz, sum = 0.0f;              \
        int i1 = min((int)ceil(x0 + wx), r.nx), j1 = min((int)ceil(y0 + wy), r.ny);                \
        int k1 = min((int)ceil(z0 + wz), r.nz);                                                    \
        for (int z = (int)z0; z < k1; z++)                                                         \
            for (int y = (int)y0; y < j1; y++) {                                                   \
                float part = overlap(z, z0, z0 + wz) * overlap(y, y0, y0 + wy);                    \
                for (int x = (int)x0; x < i1; x++)                                                 \
                    sum += TERM(part * overlap(x, x0, x0 + wx), at(r, x, y, z));                   \
            }                                                                                      \
        return sum / (wx * wy * wz);                                                               \
    }

#endif
