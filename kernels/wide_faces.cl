/* SPDX-License-Identifier: MIT */
/* Forcing and projection of the staggered wind on GPUs, four faces of a row a work-item; projection in boxes that
 * are not periodic.  (The divergence with its residual gains nothing by it.)  Launched by lib/staggered.c. */
#include "four.h"
#define FORCE_WIDE
#include "force.h"

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
            projected(old_u, (own - before) * g.per_x, limit, open_x, face);
    if (k < g.nz)
        *(global float4 *)(v + c) = projected(old_v, (own - below) * g.per_y, limit, open_y, cell);
    if (j < g.ny)
        *(global float4 *)(w + c) =
            projected(old_w, (own - behind) * g.per_z, limit, open_z, cell);
}
