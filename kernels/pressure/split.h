/* SPDX-License-Identifier: MIT */
/* Thin walls between coarse levels, for kernels/pressure/levels.cl, transfer.cl and small.cl.
 *
 * A wall that is thinner than a coarse cell may run between its children.  Such a cell is split: it
 * stands for its lower child, its upper face takes the wall over, its upper child's residual goes
 * to the next cell, and the upper child is corrected by that one alone.  Without this a coarse
 * level knows only the walls that happen to lie on its faces, and conjugate gradients need more
 * iterations the finer the grid is; with it 5 to 8 (doc/numerics.md).  How far a cell is whole
 * along an axis is a byte, 255 where it is not split. */
#ifndef FOEHN_KERNEL_SPLIT_H
#define FOEHN_KERNEL_SPLIT_H

#include "pressure/operators.h"

FOEHN_INLINE float whole_part(global const uchar *split, idx c)
{
    return (float)split[c] * (1.0f / 255.0f);
}

/* Mean of the children's residuals, a split cell's upper ones counting in the next cell.  Defined
 * for residuals in global memory, padded, and in local memory, compact; `loops`: FOEHN_UNROLL, or
 * nothing where speed matters less than how long it compiles. */
#define DEFINE_SPLIT_MEAN(name, space, place, loops)                                               \
    FOEHN_INLINE float name(const int axes, foehn_grid fine, pressure_level coarse, int i, int j,  \
                            int k, global const uchar *split_x, global const uchar *split_y,       \
                            global const uchar *split_z, space const float *r)                     \
    {                                                                                              \
        const int cx = axes & HALVED_X ? 2 : 1, cy = axes & HALVED_Y ? 2 : 1;                      \
        const int cz = axes & HALVED_Z ? 2 : 1;                                                    \
        neighbours n;                                                                              \
        float sum = 0.0f;                                                                          \
        find_neighbours(coarse, i, j, k, &n);                                                      \
        /* The cell itself, and those before it along each axis. */                                \
        loops for (int from = 0; from < 4; from++)                                                 \
        {                                                                                          \
            const bool x = from == 1, y = from == 2, z = from == 3;                                \
            if ((x && (cx == 1 || (i == 0 && !(coarse.axes & PERIODIC_X)))) ||                     \
                (y && (cy == 1 || (j == 0 && !(coarse.axes & PERIODIC_Y)))) ||                     \
                (z && (cz == 1 || (k == 0 && !(coarse.axes & PERIODIC_Z)))))                       \
                continue;                                                                          \
            const int ci = !x ? i : i > 0 ? i - 1 : coarse.g.nx - 1;                               \
            const int cj = !y ? j : j > 0 ? j - 1 : coarse.g.ny - 1;                               \
            const int ck = !z ? k : k > 0 ? k - 1 : coarse.g.nz - 1;                               \
            const idx c = at(coarse.g, ci, cj, ck);                                                \
            const float sx = whole_part(split_x, c), sy = whole_part(split_y, c);                  \
            const float sz = whole_part(split_z, c);                                               \
            loops for (int m = 0; m < 8; m++)                                                      \
            {                                                                                      \
                const int a = m & 1, b = m >> 1 & 1, d = m >> 2;                                   \
                if (a >= cx || b >= cy || d >= cz || (x && a == 0) || (y && b == 0) ||             \
                    (z && d == 0))                                                                 \
                    continue;                                                                      \
                const int fi = cx * ci + a, fj = cy * cj + b, fk = cz * ck + d;                    \
                float weight = fi < fine.nx && fj < fine.ny && fk < fine.nz ? 1.0f : 0.0f;         \
                weight *= a == 0 ? 1.0f : x ? 1.0f - sx : sx;                                      \
                weight *= b == 0 ? 1.0f : y ? 1.0f - sy : sy;                                      \
                weight *= d == 0 ? 1.0f : z ? 1.0f - sz : sz;                                      \
                sum += weight * r[place(fine, min(fi, fine.nx - 1), min(fj, fine.ny - 1),          \
                                        min(fk, fine.nz - 1))];                                    \
            }                                                                                      \
        }                                                                                          \
        return sum / (float)(cx * cy * cz);                                                        \
    }

#endif
