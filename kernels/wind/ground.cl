/* SPDX-License-Identifier: MIT */
/* The ground under the box and which faces of a cell are open.  Launched by lib/wind/ground.c. */
#include "grid.h"
#include "wind/ground.h"

static inline float height_at(terrain_map t, global const float *heights, int i, int k)
{
    return heights[(size_t)clamp(k, 0, t.nz - 1) * (size_t)t.nx + (size_t)clamp(i, 0, t.nx - 1)];
}

/* Bilinear height at a place in cells from the box's corner. */
static inline float height_below(terrain_map t, global const float *heights, float x, float z)
{
    x = clamp(t.x0 + x * t.dx, -1.0f, (float)t.nx);
    z = clamp(t.z0 + z * t.dz, -1.0f, (float)t.nz);
    int a = (int)floor(x), c = (int)floor(z);
    float s = x - (float)a, r = z - (float)c;
    float low = mix(height_at(t, heights, a, c), height_at(t, heights, a + 1, c), s);
    float high = mix(height_at(t, heights, a, c + 1), height_at(t, heights, a + 1, c + 1), s);
    return mix(low, high, r);
}

/* ground(i, k) = terrain at the middle of column (i, k), ghost columns included. */
kernel void ground(foehn_grid g, terrain_map t, global const float *heights, global float *ground)
{
    int i = (int)get_global_id(0) - g.ghosts, k = (int)get_global_id(1) - g.ghosts;
    if (i >= g.nx + g.ghosts || k >= g.nz + g.ghosts)
        return;
    ground[column(g, i, k)] = height_below(t, heights, place_x(g, i) + 0.5f, place_z(g, k) + 0.5f);
}

/* corner(i, k) = terrain at the lower corner of column (i, k), over (nx + 1) x (nz + 1) corners. */
kernel void corners(foehn_grid g, terrain_map t, global const float *heights, global float *corner)
{
    int i = (int)get_global_id(0), k = (int)get_global_id(1);
    if (i > g.nx || k > g.nz)
        return;
    corner[column(g, i, k)] = height_below(t, heights, place_x(g, i), place_z(g, k));
}
