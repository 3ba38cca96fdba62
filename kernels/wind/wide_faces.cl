/* SPDX-License-Identifier: MIT */
/* Forcing and projection of the staggered wind on GPUs, four faces of a row a work-item; projection
 * in boxes that are not periodic.  (The divergence with its residual gains nothing by it.) Launched
 * by lib/wind/faces.c. */
#include "pressure/four.h"
#define FORCE_WIDE
#include "wind/force.h"
#include "publish/voxel.h"

/* What a face has after the pressure's gradient is taken out; 0 where it is closed, unchanged where
 * there is none. */
FOEHN_INLINE float4 projected(float4 old, float4 gradient, float limit, uchar4 open, int4 exists)
{
    float4 now = clamp(old - gradient, -limit, limit);
    now = select((float4)0.0f, now, convert_int4(open) > 0);
    return select(old, now, exists);
}

/* u <- u - grad p on open faces; beyond an open side p = 0. */
kernel void project_wide(foehn_grid g, float max_speed, global const uchar *ax,
                         global const uchar *ay, global const uchar *az, global const float *p,
                         global float *u, global float *v, global float *w)
{
    int i = 4 * (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k);
    const float limit = max_speed > 0.0f ? max_speed : INFINITY;
    const float4 own = four(p, c), before = (float4)(p[c - 1], own.xyz);
    const float4 below = four(p, c - g.sy), behind = four(p, c - g.sz);
    const float4 old_u = four(u, c), old_v = four(v, c), old_w = four(w, c);
    const uchar4 open_x = *(global const uchar4 *)(ax + c),
                 open_y = *(global const uchar4 *)(ay + c);
    const uchar4 open_z = *(global const uchar4 *)(az + c);
    const int4 face = CELLS_FROM(i) <= g.nx, cell = CELLS_FROM(i) < g.nx;
    if (j < g.ny && k < g.nz)
        *(global float4 *)(u + c) = projected(old_u, (own - before) * g.per_x, limit, open_x, face);
    if (k < g.nz)
        *(global float4 *)(v + c) = projected(old_v, (own - below) * g.per_y, limit, open_y, cell);
    if (j < g.ny)
        *(global float4 *)(w + c) = projected(old_w, (own - behind) * g.per_z, limit, open_z, cell);
}

/* The voxels of cells i and i + 1, as far as they exist; 16 bytes at once where they lie so. */
FOEHN_INLINE void put_two(foehn_grid g, int i, int j, int k, int wi, int wj, int wk, ushort4 first,
                          ushort4 second, global ushort4 *out)
{
    const size_t a = wrapped(g, i, j, k, wi, wj, wk), b = wrapped(g, i + 1, j, k, wi, wj, wk);
    if (i + 1 < g.nx && b == a + 1 && a % 2 == 0) {
        *(global ushort8 *)(out + a) = (ushort8)(first, second);
        return;
    }
    if (i < g.nx)
        out[a] = first;
    if (i + 1 < g.nx)
        out[b] = second;
}

/* The same into other buffers, and with it what `publish_faces` of staggered.cl makes of the
 * result: the upper faces of a cell are projected once more by whoever needs them.  The lower faces
 * are written out here once more: in a function for both kernels `project_wide` took 13 % longer on
 * an H200. */
kernel void project_publish(foehn_grid g, float max_speed, int wi, int wj, int wk,
                            global const uchar *ax, global const uchar *ay, global const uchar *az,
                            global const float *p, global const float *u0, global const float *v0,
                            global const float *w0, global const float *curl, global float *u,
                            global float *v, global float *w, global ushort4 *out)
{
    int i = 4 * (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k);
    const float limit = max_speed > 0.0f ? max_speed : INFINITY;
    const float4 own = four(p, c), before = (float4)(p[c - 1], own.xyz);
    const float4 below = four(p, c - g.sy), behind = four(p, c - g.sz);
    const uchar4 open_x = *(global const uchar4 *)(ax + c),
                 open_z = *(global const uchar4 *)(az + c);
    const uchar4 open_y = *(global const uchar4 *)(ay + c);
    const int4 face = CELLS_FROM(i) <= g.nx, cell = CELLS_FROM(i) < g.nx;
    const float4 west = projected(four(u0, c), (own - before) * g.per_x, limit, open_x, face);
    const float4 low = projected(four(v0, c), (own - below) * g.per_y, limit, open_y, cell);
    const float4 north = projected(four(w0, c), (own - behind) * g.per_z, limit, open_z, cell);
    if (j < g.ny && k < g.nz)
        *(global float4 *)(u + c) = west;
    if (k < g.nz)
        *(global float4 *)(v + c) = low;
    if (j < g.ny)
        *(global float4 *)(w + c) = north;
    if (!inside(g, i, j, k))
        return;
    const uchar4 open_east = (uchar4)(open_x.yzw, ax[c + 4]);
    const uchar4 open_high = *(global const uchar4 *)(ay + c + g.sy);
    const uchar4 open_south = *(global const uchar4 *)(az + c + g.sz);
    const float4 next = (float4)(own.yzw, p[c + 4]),
                 old_east = (float4)(four(u0, c).yzw, u0[c + 4]);
    const float4 east = projected(old_east, (next - own) * g.per_x, limit, open_east, cell);
    const float4 high =
        projected(four(v0, c + g.sy), (four(p, c + g.sy) - own) * g.per_y, limit, open_high, cell);
    const float4 south =
        projected(four(w0, c + g.sz), (four(p, c + g.sz) - own) * g.per_z, limit, open_south, cell);
    const float4 strength = four(curl, c);
#define VOXEL(s)                                                                                   \
    halves_of(voxel_of(between_faces(open_x.s, open_east.s, west.s, east.s),                       \
                       0.5f * (low.s + high.s),                                                    \
                       between_faces(open_z.s, open_south.s, north.s, south.s), strength.s))
    put_two(g, i, j, k, wi, wj, wk, VOXEL(x), VOXEL(y), out);
    put_two(g, i + 2, j, k, wi, wj, wk, VOXEL(z), VOXEL(w), out);
}
