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
    ground[column(g, i, k)] = height_below(t, heights, (float)i + 0.5f, (float)k + 0.5f);
}

/* corner(i, k) = terrain at the lower corner of column (i, k), over (nx + 1) x (nz + 1) corners. */
kernel void corners(foehn_grid g, terrain_map t, global const float *heights,
                    global float *corner)
{
    int i = (int)get_global_id(0), k = (int)get_global_id(1);
    if (i > g.nx || k > g.nz)
        return;
    corner[column(g, i, k)] = height_below(t, heights, (float)i, (float)k);
}

/* A face is open when both its cells are fluid; it is a wall when the cell beyond it is solid, or
 * beyond the floor or the lid; it is neither at an open side of the box. */
kernel void faces(foehn_grid g, float floor_y, int periodic, global const float *ground,
                  global uchar *open, global uchar *wall)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    float y = floor_y + ((float)j + 0.5f) * g.hy; /* of the cell's centre */
    int o = 0, b = 0;
    /* Ghost columns hold the ground beyond the box, but across a periodic side lies the other end. */
    int im = i == 0 && periodic ? g.nx - 1 : i - 1, ip = i == g.nx - 1 && periodic ? 0 : i + 1;
    int km = k == 0 && periodic ? g.nz - 1 : k - 1, kp = k == g.nz - 1 && periodic ? 0 : k + 1;
    bool solid = y < ground[column(g, i, k)];
    bool side_xm = i == 0 && !periodic, side_xp = i == g.nx - 1 && !periodic;
    bool side_zm = k == 0 && !periodic, side_zp = k == g.nz - 1 && !periodic;
    if (!side_xm)
        y < ground[column(g, im, k)] ? (b |= FACE_XM) : (o |= FACE_XM);
    if (!side_xp)
        y < ground[column(g, ip, k)] ? (b |= FACE_XP) : (o |= FACE_XP);
    if (!side_zm)
        y < ground[column(g, i, km)] ? (b |= FACE_ZM) : (o |= FACE_ZM);
    if (!side_zp)
        y < ground[column(g, i, kp)] ? (b |= FACE_ZP) : (o |= FACE_ZP);
    float below = floor_y + ((float)j - 0.5f) * g.hy; /* the cell below has the same bits */
    j == 0 || below < ground[column(g, i, k)] ? (b |= FACE_YM) : (o |= FACE_YM);
    j == g.ny - 1 ? (b |= FACE_YP) : (o |= FACE_YP);
    idx c = at(g, i, j, k);
    open[c] = (uchar)(solid ? CELL_SOLID : o);
    wall[c] = (uchar)(solid ? CELL_SOLID : b);
}
