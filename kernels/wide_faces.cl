/* SPDX-License-Identifier: MIT */
/* Passes of the staggered wind on GPUs, four faces or cells of a row a work-item: those of staggered.cl
 * that only stream, in boxes that are not periodic.  Launched by lib/staggered.c. */
#include "four.h"

FOEHN_INLINE float4 beyond(float4 own, float next)
{
    return (float4)(own.yzw, next);
}

/* The divergence, and the residual that the pressure of the last step leaves of it. */
kernel void divergence_residual_wide(pressure_level l, global const uchar *ax,
                                     global const uchar *ay, global const uchar *az,
                                     global const float *u, global const float *v,
                                     global const float *w, global const float *p,
                                     global float *div, global float *r)
{
    int i = 4 * (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(l.g, i, j, k))
        return;
    const idx c = at(l.g, i, j, k), y = c + l.g.sy, z = c + l.g.sz;
    float4 flux, diagonal;
    stencil4(l, i, j, k, c, ax, ay, az, p, &flux, &diagonal);
    const float4 x_flow = four_bytes(ax, c) * four(u, c);
    const float4 dx = beyond(x_flow, (float)ax[c + 4] * u[c + 4]) - x_flow;
    const float4 dy = four_bytes(ay, y) * four(v, y) - four_bytes(ay, c) * four(v, c);
    const float4 dz = four_bytes(az, z) * four(w, z) - four_bytes(az, c) * four(w, c);
    const float4 d = (dx / l.g.hx + dy / l.g.hy + dz / l.g.hz) * (1.0f / 255.0f);
    const int4 exists = CELLS_FROM(i) < l.g.nx;
    *(global float4 *)(div + c) = select((float4)0.0f, d, exists);
    *(global float4 *)(r + c) = select((float4)0.0f, d - flux, counts4(l, i, diagonal));
}

/* What a face has after the pressure's gradient is taken out; 0 where it is closed, unchanged where there is
 * none. */
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
    const uchar4 open_x = *(global const uchar4 *)(ax + c), open_y = *(global const uchar4 *)(ay + c);
    const uchar4 open_z = *(global const uchar4 *)(az + c);
    const int4 face = CELLS_FROM(i) <= g.nx, cell = CELLS_FROM(i) < g.nx;
    if (j < g.ny && k < g.nz)
        *(global float4 *)(u + c) =
            projected(old_u, (own - before) / g.hx, limit, open_x, face);
    if (k < g.nz)
        *(global float4 *)(v + c) = projected(old_v, (own - below) / g.hy, limit, open_y, cell);
    if (j < g.ny)
        *(global float4 *)(w + c) =
            projected(old_w, (own - behind) / g.hz, limit, open_z, cell);
}
