/* SPDX-License-Identifier: MIT */
/* Multigrid passes of GPUs, four cells of a row a work-item; built once for each set of halved axes
 * (-DHALVED=bits).  CPUs take the same passes of pressure.cl and transfer.cl, whose work-items
 * their drivers vectorise.  Launched by lib/pressure/cycle.c. */
#include "pressure/four.h"

#define CHILDREN_X (HALVED & HALVED_X ? 2 : 1)
#define CHILDREN_Y (HALVED & HALVED_Y ? 2 : 1)
#define CHILDREN_Z (HALVED & HALVED_Z ? 2 : 1)

#define GROUP(g)                                                                                   \
    int i = 4 * (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);       \
    if (!inside(g, i, j, k))                                                                       \
        return;                                                                                    \
    idx c = at(g, i, j, k)

/* next = p + omega (A p - rhs) / diagonal. */
kernel void smooth_wide(pressure_level l, float omega, global const uchar *ax,
                        global const uchar *ay, global const uchar *az, global const float *rhs,
                        global const float *p, global float *next)
{
    GROUP(l.g);
    float4 flux, d;
    stencil4(l, i, j, k, c, ax, ay, az, p, &flux, &d);
    float4 v = four(p, c) + omega * (flux - four(rhs, c)) / d;
    *(global float4 *)(next + c) = select((float4)0.0f, v, counts4(l, i, d));
}

/* ---- residual and restriction, prolongation ---- */

/* Residual of four fine cells, 0 in those that an odd row lacks. */
FOEHN_INLINE float4 residual4(pressure_level l, int i, int j, int k, global const uchar *ax,
                              global const uchar *ay, global const uchar *az,
                              global const float *rhs, global const float *p)
{
    idx c = at(l.g, i, j, k);
    float4 flux, d;
    stencil4(l, i, j, k, c, ax, ay, az, p, &flux, &d);
    return select((float4)0.0f, four(rhs, c) - flux, counts4(l, i, d));
}

/* Right side of the coarse level, the mean of its children's residuals, and the first smoothing
 * pass there, which starts from p = 0: see transfer.cl.  Items over groups of four fine cells along
 * x. */
kernel void restrict_wide(pressure_level fine, pressure_level coarse, float omega,
                          global const uchar *fine_ax, global const uchar *fine_ay,
                          global const uchar *fine_az, global const float *fine_rhs,
                          global const float *fine_p, global const uchar *ax,
                          global const uchar *ay, global const uchar *az, global float *rhs,
                          global float *p)
{
    int x = 4 * (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (x >= fine.g.nx || j >= coarse.g.ny || k >= coarse.g.nz)
        return;
    float4 sum = 0.0f;
    FOEHN_UNROLL
    for (int d = 0; d < CHILDREN_Z; d++)
        FOEHN_UNROLL
    for (int b = 0; b < CHILDREN_Y; b++) {
        int y = CHILDREN_Y * j + b, z = CHILDREN_Z * k + d;
        if (y < fine.g.ny && z < fine.g.nz)
            sum += residual4(fine, x, y, z, fine_ax, fine_ay, fine_az, fine_rhs, fine_p);
    }
    sum /= (float)(CHILDREN_X * CHILDREN_Y * CHILDREN_Z);
    const float means[4] = {CHILDREN_X == 2 ? sum.x + sum.y : sum.x,
                            CHILDREN_X == 2 ? sum.z + sum.w : sum.y, sum.z, sum.w};
    FOEHN_UNROLL
    for (int n = 0; n < 4 / CHILDREN_X; n++) {
        int i = x / CHILDREN_X + n;
        if (i < coarse.g.nx) {
            idx c = at(coarse.g, i, j, k);
            rhs[c] = means[n];
            p[c] = smoothed_zero(coarse, i, j, k, c, omega, ax, ay, az, means[n]);
        }
    }
}

/* sum over the coarse rows around a fine row, in one coarse column: the correction, and the weights
 * of those cells that are fluid. */
typedef struct coarse_rows {
    idx y, z; /* steps to the second rows; 0 along an axis that is not halved */
    float wy, wz;
} coarse_rows;

FOEHN_INLINE float column_of(coarse_rows r, idx c, global const float *e)
{
    float near = (1.0f - r.wy) * e[c] + r.wy * e[c + r.y];
    float far = (1.0f - r.wy) * e[c + r.z] + r.wy * e[c + r.z + r.y];
    return (1.0f - r.wz) * near + r.wz * far;
}

FOEHN_INLINE float fluid_of(coarse_rows r, idx c, global const uchar *mask)
{
    float near = (1.0f - r.wy) * (float)mask[c] + r.wy * (float)mask[c + r.y];
    float far = (1.0f - r.wy) * (float)mask[c + r.z] + r.wy * (float)mask[c + r.z + r.y];
    return (1.0f - r.wz) * near + r.wz * far;
}

/* p += interpolated correction: see transfer.cl.  Items over groups of four fine cells. */
kernel void prolong_wide(pressure_level fine, pressure_level coarse, global const uchar *mask,
                         global const float *e, global float *p)
{
    int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!inside(fine.g, x, y, z))
        return;
    int i = x / CHILDREN_X, j = y / CHILDREN_Y, k = z / CHILDREN_Z;
    idx c = at(coarse.g, i, j, k);
    neighbours n;
    find_neighbours(coarse, i, j, k, &n);
    const coarse_rows r = {CHILDREN_Y == 1 ? 0
                           : y & 1         ? n.yp
                                           : n.ym,
                           CHILDREN_Z == 1 ? 0
                           : z & 1         ? n.zp
                                           : n.zm,
                           CHILDREN_Y == 1 ? 0.0f : 0.25f, CHILDREN_Z == 1 ? 0.0f : 0.25f};
    float4 v, w;
#if CHILDREN_X == 2
    idx next = c + 1, beyond = c + 2; /* of the second coarse cell, and the one after it */
#ifdef FOEHN_PERIODIC
    if (coarse.axes & PERIODIC_X) {
        next = i + 1 < coarse.g.nx ? c + 1 : c - i;
        beyond = i + 2 < coarse.g.nx ? c + 2 : c - i + (i + 2 - coarse.g.nx);
    }
#endif
    const float e0 = column_of(r, c + n.xm, e), e1 = column_of(r, c, e);
    const float e2 = column_of(r, next, e), e3 = column_of(r, beyond, e);
    const float m0 = fluid_of(r, c + n.xm, mask), m1 = fluid_of(r, c, mask);
    const float m2 = fluid_of(r, next, mask), m3 = fluid_of(r, beyond, mask);
    v = 0.75f * (float4)(e1, e1, e2, e2) + 0.25f * (float4)(e0, e2, e1, e3);
    w = 0.75f * (float4)(m1, m1, m2, m2) + 0.25f * (float4)(m0, m2, m1, m3);
#else
    v = (float4)(column_of(r, c, e), column_of(r, c + 1, e), column_of(r, c + 2, e),
                 column_of(r, c + 3, e));
    w = (float4)(fluid_of(r, c, mask), fluid_of(r, c + 1, mask), fluid_of(r, c + 2, mask),
                 fluid_of(r, c + 3, mask));
#endif
    global float4 *to = (global float4 *)(p + at(fine.g, x, y, z));
    int4 exists = CELLS_FROM(x) < fine.g.nx;
    *to = select((float4)0.0f, *to + select((float4)0.0f, v / w, w > 0.0f), exists);
}

/* ---- two passes in one launch, for boxes so small that launches are what they cost: one cell an
 * item ---- */

#ifdef FOEHN_2D
#define RING_Z 0
#else
#define RING_Z 1
#endif

/* A work-group's cells and `ring` cells around them, in local memory. */
typedef struct tile {
    int row, plane, all; /* strides and size, floats */
} tile;

FOEHN_INLINE tile tile_of(int ring)
{
    const int row = (int)get_local_size(0) + 2 * ring,
              plane = row * ((int)get_local_size(1) + 2 * ring);
    const tile t = {row, plane, plane * ((int)get_local_size(2) + 2 * ring * RING_Z)};
    return t;
}

/* Place in a tile of the item's own cell. */
FOEHN_INLINE int own_place(tile t, int ring)
{
    return ((int)get_local_id(2) + ring * RING_Z) * t.plane +
           ((int)get_local_id(1) + ring) * t.row + (int)get_local_id(0) + ring;
}

/* Cell (i, j, k) at place n of a tile; false: it is a ghost, whose pressure is 0. */
FOEHN_INLINE bool cell_in_tile(pressure_level l, tile t, int ring, int n, int *i, int *j, int *k)
{
    const int z = n / t.plane, y = (n - z * t.plane) / t.row, x = n - z * t.plane - y * t.row;
    *i = (int)(get_global_id(0) - get_local_id(0)) + x - ring;
    *j = (int)(get_global_id(1) - get_local_id(1)) + y - ring;
    *k = (int)(get_global_id(2) - get_local_id(2)) + z - ring * RING_Z;
#ifdef FOEHN_PERIODIC
    if (l.axes & PERIODIC_X)
        *i = (*i + 2 * l.g.nx) % l.g.nx; /* an axis may be shorter than two rings are wide */
    if (l.axes & PERIODIC_Y)
        *j = (*j + 2 * l.g.ny) % l.g.ny;
    if (l.axes & PERIODIC_Z)
        *k = (*k + 2 * l.g.nz) % l.g.nz;
#endif
    return *i >= 0 && *j >= 0 && *k >= 0 && inside(l.g, *i, *j, *k);
}

/* A pass at cell (i, j, k), whose pressure and that around it are in a tile. */
FOEHN_INLINE float smoothed_in_tile(pressure_level l, tile t, int i, int j, int k, float omega,
                                    global const uchar *ax, global const uchar *ay,
                                    global const uchar *az, global const float *rhs,
                                    local const float *own)
{
    const idx c = at(l.g, i, j, k);
    face_weights f;
    find_weights(l, i, j, k, c, ax, ay, az, &f);
    const int z = t.plane * RING_Z;
    float flux = flux_of(f, *own, own[-1], own[1], own[-t.row], own[t.row], own[-z], own[z]);
    float diagonal = sum_of(f);
    return diagonal > 0.0f ? *own + omega * (flux - rhs[c]) / diagonal : 0.0f;
}

#define EACH_PLACE(n, t)                                                                           \
    for (int n =                                                                                   \
             (int)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +   \
                   get_local_id(0));                                                               \
         n < (t).all; n += (int)(get_local_size(0) * get_local_size(1) * get_local_size(2)))

/* between: a float for each cell of a group and one ring around them. */
kernel void smooth_twice(pressure_level l, float first, float second, global const uchar *ax,
                         global const uchar *ay, global const uchar *az, global const float *rhs,
                         global const float *p, global float *next, local float *between)
{
    const tile t = tile_of(1);
    int i, j, k;
    EACH_PLACE(n, t)
    between[n] = cell_in_tile(l, t, 1, n, &i, &j, &k)
                     ? smoothed(l, i, j, k, at(l.g, i, j, k), first, ax, ay, az, rhs, p)
                     : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (inside(l.g, i, j, k))
        next[at(l.g, i, j, k)] =
            smoothed_in_tile(l, t, i, j, k, second, ax, ay, az, rhs, between + own_place(t, 1));
}

/* p + interpolated correction (transfer.cl), and two passes.  before, between: a float for each
 * cell of a group and two rings, one ring around them. */
kernel void prolong_smooth(pressure_level fine, pressure_level coarse, float first, float second,
                           global const uchar *ax, global const uchar *ay, global const uchar *az,
                           global const uchar *mask, global const float *e, global const float *rhs,
                           global const float *p, global float *next, local float *before,
                           local float *between)
{
    const tile two = tile_of(2), one = tile_of(1);
    int i, j, k;
    EACH_PLACE(n, two)
    {
        float v = 0.0f;
        if (cell_in_tile(fine, two, 2, n, &i, &j, &k))
            v = p[at(fine.g, i, j, k)] + prolonged(HALVED, coarse, i / CHILDREN_X, j / CHILDREN_Y,
                                                   k / CHILDREN_Z, i % CHILDREN_X, j % CHILDREN_Y,
                                                   k % CHILDREN_Z, 1.0f, 1.0f, 1.0f, mask, e);
        before[n] = v;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH_PLACE(n, one)
    {
        const int z = n / one.plane, y = (n - z * one.plane) / one.row,
                  x = n - z * one.plane - y * one.row;
        local const float *own = before + (z + RING_Z) * two.plane + (y + 1) * two.row + x + 1;
        between[n] = cell_in_tile(fine, one, 1, n, &i, &j, &k)
                         ? smoothed_in_tile(fine, two, i, j, k, first, ax, ay, az, rhs, own)
                         : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (inside(fine.g, i, j, k))
        next[at(fine.g, i, j, k)] = smoothed_in_tile(fine, one, i, j, k, second, ax, ay, az, rhs,
                                                     between + own_place(one, 1));
}
