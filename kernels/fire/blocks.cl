/* SPDX-License-Identifier: MIT */
/* Which blocks of the dye's grid are computed: those that hold anything but clean air and those
 * beside them.  Launched by lib/fire/blocks.c. */
#include "fire/overlap.h"

/* Blocks that voxels low to low + n - 1 lie in have something. */
kernel void rouse(foehn_grid r, int x, int y, int z, int nx, int ny, int nz, global uchar *touched)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    int a = min(x + i * FIRE_BLOCK, x + nx - 1), b = min(y + j * FIRE_BLOCK, y + ny - 1);
    int c = min(z + k * FIRE_BLOCK, z + nz - 1);
    if (inside(r, a, b, c) && a >= 0 && b >= 0 && c >= 0)
        touched[block_of(r, a, b, c)] = 1;
}

/* A block is awake for FIRE_AWAKE parts from the last one on that left something in it or in one of
 * the 26 beside it. */
kernel void wake(int nx, int ny, int nz, global const uchar *touched, global uchar *awake)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    uchar any = 0;
    for (int c = max(k - 1, 0); c <= min(k + 1, nz - 1); c++)
        for (int b = max(j - 1, 0); b <= min(j + 1, ny - 1); b++)
            for (int a = max(i - 1, 0); a <= min(i + 1, nx - 1); a++)
                any |= touched[(c * ny + b) * nx + a];
    int n = (k * ny + j) * nx + i;
    awake[n] = any ? FIRE_AWAKE : awake[n] > 0 ? awake[n] - 1 : 0;
}
