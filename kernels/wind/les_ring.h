/* SPDX-License-Identifier: MIT */
/* The ring of columns around the LES's box: item n of a launch over (2 (nx + 2) + 2 nz) x (ny + 1);
 * which of them the wind comes in at, and how high their faces lie. */
#ifndef FOEHN_KERNEL_LES_RING_H
#define FOEHN_KERNEL_LES_RING_H

#include "grid.h"
#include "wind/momentum.h"

/* Column n of the ring; false: past its end. */
FOEHN_INLINE bool find_ring(foehn_grid g, int n, int *i, int *k)
{
    const int row = g.nx + 2;
    if (n < 2 * row) {
        *i = n % row - 1;
        *k = n < row ? -1 : g.nz;
        return true;
    }
    n -= 2 * row;
    *i = n & 1 ? g.nx : -1;
    *k = n >> 1;
    return n < 2 * g.nz;
}

/* The ring column is at a side that holds what comes in. */
FOEHN_INLINE bool comes_in(momentum m, int i, int k)
{
    return (i < 0 && m.inflow & INFLOW_WEST) || (i == m.g.nx && m.inflow & INFLOW_EAST) ||
           (k < 0 && m.inflow & INFLOW_NORTH) || (k == m.g.nz && m.inflow & INFLOW_SOUTH);
}

/* Height of a face across an axis above the ground, m; 0 where it is closed. */
FOEHN_INLINE float height_above(momentum m, const int axis, int i, int j, int k,
                                global const float *columns)
{
    const int kind = axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS;
    const idx q = column(m.g, i, k);
    const float ground = columns[q + (kind + GROUND) * m.plane],
                lowest = columns[q + (kind + LOWEST) * m.plane];
    const float row = (float)j;
    if (axis == 1)
        return row <= lowest || j >= m.g.ny ? 0.0f : max(row * m.g.hy - ground, 0.0f);
    if (row < lowest)
        return 0.0f;
    const float first = columns[q + (kind + DISTANCE) * m.plane];
    return max((row + 0.5f) * m.g.hy - ground, first + 0.5f * m.g.hy * (row - lowest));
}

#endif
