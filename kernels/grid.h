/* SPDX-License-Identifier: MIT */
/* Index, neighbours and operators of the padded grid, for kernels and (with emulate.h) for C.
 *
 *   ghost -1 | cell 0 | cell 1 | ... | cell nx-1 | ghost nx
 *
 * Layers of ghosts (one) on every side, so that no stencil asks whether a neighbour exists.  A row
 * of nx cells is followed by its own upper ghost and by the lower ghost of the next row; the row
 * stride sy is a multiple of 8 floats and cell 0 of every row is aligned.  Suffix _c: the result
 * lives at a cell centre. */
#ifndef FOEHN_KERNEL_GRID_H
#define FOEHN_KERNEL_GRID_H

#include "shared.h"

/* Before a loop that shall stay one: what is laid out takes CPUs' drivers longer to compile. */
#define ROLLED __attribute__((opencl_unroll_hint(1)))

#ifdef FOEHN_INDEX64
typedef long idx; /* the padded field has 2^31 elements or more */
#else
typedef int idx;
#endif

/* First element of cell (0, 0, 0): one plane, one row and one alignment unit of lead. */
static inline idx at(foehn_grid g, int i, int j, int k)
{
    return (idx)(k + g.ghosts) * g.sz + (idx)(j + g.ghosts) * g.sy + (idx)(i + FOEHN_LEAD);
}

/* Element of column (i, k) in a 2-D field over the box's floor: rows along x, one a k. */
static inline idx column(foehn_grid g, int i, int k)
{
    return (idx)(k + g.ghosts) * g.sy + (idx)(i + FOEHN_LEAD);
}

/* Place of a cell's lower corner in the whole box, cells: what decides over bits must not depend on
 * the window. */
static inline float place_x(foehn_grid g, int i)
{
    return (float)(i + g.first_x);
}

static inline float place_z(foehn_grid g, int k)
{
    return (float)(k + g.first_z);
}

/* First element of cell (i, j, k) of the whole box, or of the nearest that the window has. */
static inline idx at_whole(foehn_grid g, int i, int j, int k)
{
    return at(g, clamp(i - g.first_x, -g.ghosts, g.nx), j, clamp(k - g.first_z, -g.ghosts, g.nz));
}

static inline bool inside(foehn_grid g, int i, int j, int k)
{
    return i < g.nx && j < g.ny && k < g.nz;
}

/* Voxel of a repeating volume of this part's own cells where cell (i, j, k) goes, if the first of
 * them goes to (wi, wj, wk), all within the volume. */
static inline size_t wrapped(foehn_grid g, int i, int j, int k, int wi, int wj, int wk)
{
    int nx = g.own_x1 - g.own_x0, nz = g.own_z1 - g.own_z0;
    int a = i - g.own_x0 + wi, b = j + wj, c = k - g.own_z0 + wk;
    a -= a >= nx ? nx : 0;
    b -= b >= g.ny ? g.ny : 0;
    c -= c >= nz ? nz : 0;
    return ((size_t)c * (size_t)g.ny + (size_t)b) * (size_t)nx + (size_t)a;
}

static inline float blend(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Between p's cell and the next ones along x, y and z, at the shares a, b, c of the way. */
static inline float trilinear(foehn_grid g, global const float *p, float a, float b, float c)
{
    float near = blend(blend(p[0], p[1], a), blend(p[g.sy], p[g.sy + 1], a), b);
    p += g.sz;
    float far = blend(blend(p[0], p[1], a), blend(p[g.sy], p[g.sy + 1], a), b);
    return blend(near, far, c);
}

/* Trilinear value of a field at (x, y, z) in cells from the whole box's lower corner; cell centres
 * at i + 0.5.  The point must lie within [0.5, n - 0.5] on each axis, or within [0, n] where the
 * ghosts of the field are valid. */
static inline float sample_c(foehn_grid g, global const float *f, float x, float y, float z)
{
    float gx = x - 0.5f, gy = y - 0.5f, gz = z - 0.5f;
    int i = (int)floor(gx), j = (int)floor(gy), k = (int)floor(gz);
    return trilinear(g, f + at_whole(g, i, j, k), gx - (float)i, gy - (float)j, gz - (float)k);
}

#endif
