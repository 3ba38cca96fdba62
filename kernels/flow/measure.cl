/* SPDX-License-Identifier: MIT */
/* Particles, sums over rows and publication of the flow lab.  Launched by lib/flow/read.c and
 * lib/flow/step.c. */
#include "flow/trace.h"
#include "publish/voxel.h"

/* Random number in [0, 1) from two whole numbers (hash: Wellons' lowbias32). */
FOEHN_INLINE float random_unit(uint a, uint b)
{
    uint h = a * 0x9e3779b9u ^ b * 0x85ebca6bu;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    h ^= h >> 16;
    return (float)(h >> 8) * (1.0f / 16777216.0f);
}

/* x <- x + dt u(x + dt u / 2), in cells; one that has left or sits in a solid starts anew somewhere
 * in the box.  restart: all do. */
kernel void particles(foehn_grid g, flow_motion m, int count, int restart, uint seed,
                      global const uchar *mask, global const float *u, global const float *v,
                      global float *x, global float *y)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    float nx = (float)g.nx, ny = (float)g.ny;
    float px = x[n], py = y[n], du, dv;
    int i = clamp((int)px, 0, g.nx - 1), j = clamp((int)py, 0, g.ny - 1);
    float dx = px - ((float)i + 0.5f), dy = py - ((float)j + 0.5f);
    velocity_at_c(g, m, i, j, dx, dy, u, v, &du, &dv);
    velocity_at_c(g, m, i, j, dx + 0.5f * m.cells * du, dy + 0.5f * m.cells * dv, u, v, &du, &dv);
    px += m.cells * du;
    py += m.cells * dv;
    px -= m.wrap_x ? nx * floor(px / nx) : 0.0f;
    py -= m.wrap_y ? ny * floor(py / ny) : 0.0f;
    int lost = restart || !(px >= 0.0f && px < nx && py >= 0.0f && py < ny) ||
               (mask[at(g, clamp((int)px, 0, g.nx - 1), clamp((int)py, 0, g.ny - 1), 0)] &
                FLOW_SOLID);
    x[n] = lost ? nx * random_unit(2u * (uint)n, seed) : px;
    y[n] = lost ? ny * random_unit(2u * (uint)n + 1u, seed) : py;
}

/* Largest square of a face velocity by row, a NaN told as infinity. */
kernel void row_speed(foehn_grid g, global const float *u, global const float *v,
                      global float *rows)
{
    int j = (int)get_global_id(0);
    if (j > g.ny)
        return;
    float most = 0.0f;
    for (int i = 0; i <= g.nx; i++) {
        idx c = at(g, i, j, 0);
        float a = j < g.ny ? u[c] * u[c] : 0.0f, b = i < g.nx ? v[c] * v[c] : 0.0f;
        float square = max(a, b);
        most = a == a && b == b ? max(most, square) : INFINITY;
    }
    rows[j] = most;
}

/* (u, v, p, vorticity) at centres as halves; vorticity is the mean over the cell's corners. */
kernel void publish(foehn_grid g, global const float *u, global const float *v,
                    global const float *p, global ushort4 *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    float across = (v[c + 1] + v[c + g.sy + 1]) - (v[c - 1] + v[c + g.sy - 1]);
    float upward = (u[c + g.sy] + u[c + g.sy + 1]) - (u[c - g.sy] + u[c - g.sy + 1]);
    float4 value = (float4)(0.5f * (u[c] + u[c + 1]), 0.5f * (v[c] + v[c + g.sy]), p[c],
                            0.25f * (across - upward) * g.per_x);
    out[(size_t)j * (size_t)g.nx + (size_t)i] = halves_of(value);
}

kernel void publish_ink(foehn_grid g, int plane, global const float *ink, global ushort4 *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    float4 value = (float4)(ink[c], ink[c + plane], ink[c + 2 * plane], ink[c + 3 * plane]);
    out[(size_t)j * (size_t)g.nx + (size_t)i] = halves_of(value);
}
