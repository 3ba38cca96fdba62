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

/* Face n of the box's sides, left, right, bottom and top in turn: where it begins, and how far what
 * flows in through it comes in a step, in cells; 0 where it flows out, or where the axis is a ring.
 */
FOEHN_INLINE float entering(foehn_grid g, flow_motion m, int n, global const float *u,
                            global const float *v, int *i, int *j)
{
    int upright = n < 2 * g.ny, k = upright ? n : n - 2 * g.ny, length = upright ? g.ny : g.nx;
    int far = k >= length, along = k - (far ? length : 0);
    *i = upright ? (far ? g.nx : 0) : along;
    *j = upright ? along : (far ? g.ny : 0);
    float speed = (upright ? u : v)[at(g, *i, *j, 0)];
    return (upright ? m.wrap_x : m.wrap_y) ? 0.0f : max(m.cells * (far ? -speed : speed), 0.0f);
}

/* Sums of what enters, over FLOW_RIM faces each. */
kernel void rim(foehn_grid g, flow_motion m, global const float *u, global const float *v,
                global float *sums)
{
    int part = (int)get_global_id(0), faces = 2 * (g.nx + g.ny), i, j;
    if (part * FLOW_RIM >= faces)
        return;
    float sum = 0.0f;
    for (int n = part * FLOW_RIM; n < (part + 1) * FLOW_RIM && n < faces; n++)
        sum += entering(g, m, n, u, v, &i, &j);
    sums[part] = sum;
}

/* Where a tracer comes in: through a face with a chance that is its share of the inflow, as far
 * behind it as it may have come since the step began.  False where nothing flows in. */
FOEHN_INLINE int come_in(foehn_grid g, flow_motion m, int n, uint seed, global const float *u,
                         global const float *v, global const float *sums, float *x, float *y)
{
    int faces = 2 * (g.nx + g.ny), parts = (faces + FLOW_RIM - 1) / FLOW_RIM, part = 0, i = 0,
        j = 0;
    float total = 0.0f, depth = 0.0f;
    for (int k = 0; k < parts; k++)
        total += sums[k];
    if (!(total > 0.0f))
        return 0;
    float left = total * random_unit(2u * (uint)n, seed);
    for (; part < parts - 1 && left >= sums[part]; part++)
        left -= sums[part];
    int face = part * FLOW_RIM, last = min((part + 1) * FLOW_RIM, faces) - 1;
    for (;; face++) {
        depth = entering(g, m, face, u, v, &i, &j);
        if (left < depth || face == last)
            break;
        left -= depth;
    }
    float along = random_unit(2u * (uint)n + 1u, seed);
    float inward = depth * random_unit(2u * (uint)n + 1u, seed ^ 0x5bd1e995u);
    int upright = face < 2 * g.ny;
    *x = upright ? (i == 0 ? inward : (float)g.nx - inward) : (float)i + along;
    *y = upright ? (float)j + along : (j == 0 ? inward : (float)g.ny - inward);
    return 1;
}

/* x <- x + dt u(x + dt u / 2), in cells.  One that has left or sits in a solid comes in anew with
 * the inflow, so that they stay as dense as they were sown; without an inflow, somewhere in the
 * box. restart: all are sown. */
kernel void particles(foehn_grid g, flow_motion m, int count, int restart, uint seed,
                      global const uchar *mask, global const float *u, global const float *v,
                      global const float *sums, global float *x, global float *y)
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
    int lost =
        restart || !(px >= 0.0f && px < nx && py >= 0.0f && py < ny) ||
        (mask[at(g, clamp((int)px, 0, g.nx - 1), clamp((int)py, 0, g.ny - 1), 0)] & FLOW_SOLID);
    if (lost && (restart || !come_in(g, m, n, seed, u, v, sums, &px, &py))) {
        px = nx * random_unit(2u * (uint)n, seed);
        py = ny * random_unit(2u * (uint)n + 1u, seed);
    }
    x[n] = px;
    y[n] = py;
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
