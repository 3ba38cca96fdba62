/* SPDX-License-Identifier: MIT */
/* Tracing and sampling on the staggered grid, mirror-symmetric in y to the bit.
 *
 *   u at (i, j + 1/2), v at (i + 1/2, j), everything else at (i + 1/2, j + 1/2), in cells.
 *
 * A place is a lattice point plus a displacement, never an absolute coordinate, so that a flow and
 * its image mirrored in y read the same numbers with the same weights in the same order.  Variant
 * FOEHN_FLOW_RINGS: an axis is periodic. */
#ifndef FOEHN_KERNEL_FLOW_TRACE_H
#define FOEHN_KERNEL_FLOW_TRACE_H

#include "flow/structs.h"
#include "grid.h"
#include "profile.h"

/* a b + c d fused one way or the other would tell up from down. */
#pragma OPENCL FP_CONTRACT OFF

#ifdef FOEHN_FLOW_RINGS
/* Node i of n; on a ring at most one turn away. */
FOEHN_INLINE int ring(int i, int wrap, int n)
{
    int up = wrap && i < 0, down = wrap && i >= n;
    return i + (up - down) * n;
}
#else
#define ring(i, wrap, n) ((void)(wrap), (i))
#endif

/* Nodes a, b and the weight t of b at displacement d from a place (0 to n) on an axis.  offset 0:
 * the place is node `low` itself; 0.5: it lies halfway between nodes low and low + 1.  Confined to
 * the box; on a ring to half a turn.  (x and y are worked out by different means so that PoCL's
 * compiler does not pair them up, which would keep it from vectorising over cells.) */
FOEHN_INLINE void locate_x(foehn_grid g, flow_motion m, float d, float place, float offset, int low,
                           int *a, int *b, float *t)
{
    float n = (float)g.nx;
#ifdef FOEHN_FLOW_RINGS
    d = clamp(d, m.wrap_x ? -0.5f * n : -place, m.wrap_x ? 0.5f * n : n - place);
#else
    d = clamp(d, -place, n - place);
#endif
    float q = d + offset, whole = floor(q);
    int first = low + (int)whole;
    *a = ring(first, m.wrap_x, g.nx);
    *b = ring(first + 1, m.wrap_x, g.nx);
    *t = q - whole;
}
/* |d| is counted away from the place: up and down are mirror images to the bit. */
FOEHN_INLINE void locate_y(foehn_grid g, flow_motion m, float d, float place, float offset, int low,
                           int *a, int *b, float *t)
{
    float n = (float)g.ny;
    int back = d < 0.0f;
#ifdef FOEHN_FLOW_RINGS
    float most = m.wrap_y ? 0.5f * n : back ? place : n - place;
#else
    float most = back ? place : n - place;
#endif
    float q = min(fabs(d), most) + offset;
    int steps = (int)q, s = 1 - 2 * back;
    int first = low + (offset > 0.0f ? back : 0) + s * steps;
    *a = ring(first, m.wrap_y, g.ny);
    *b = ring(first + s, m.wrap_y, g.ny);
    *t = q - (float)steps;
}

/* Bilinear value of f at displacement (dx, dy) from the place (px, py). */
FOEHN_INLINE float sample(foehn_grid g, flow_motion m, global const float *f, float dx, float dy,
                          float px, float py, float offset_x, float offset_y, int low_x, int low_y)
{
    int xa, xb, ya, yb;
    float tx, ty;
    locate_x(g, m, dx, px, offset_x, low_x, &xa, &xb, &tx);
    locate_y(g, m, dy, py, offset_y, low_y, &ya, &yb, &ty);
    idx row_a = at(g, 0, ya, 0), row_b = at(g, 0, yb, 0);
    float near = (1.0f - tx) * f[row_a + xa] + tx * f[row_a + xb];
    float far = (1.0f - tx) * f[row_b + xa] + tx * f[row_b + xb];
    return (1.0f - ty) * near + ty * far;
}

/* The same from node (i, j) at (px, py), with the range of the values it was made from. */
FOEHN_INLINE float sample_range(foehn_grid g, flow_motion m, global const float *f, float dx,
                                float dy, float px, float py, int i, int j, float *low, float *high)
{
    int xa, xb, ya, yb;
    float tx, ty;
    locate_x(g, m, dx, px, 0.0f, i, &xa, &xb, &tx);
    locate_y(g, m, dy, py, 0.0f, j, &ya, &yb, &ty);
    idx row_a = at(g, 0, ya, 0), row_b = at(g, 0, yb, 0);
    /* A node of weight 0 may lie outside the box: it counts for nothing. */
    xb = tx > 0.0f ? xb : xa;
    row_b = ty > 0.0f ? row_b : row_a;
    float aa = f[row_a + xa], ab = f[row_a + xb], ba = f[row_b + xa], bb = f[row_b + xb];
    *low = min(min(aa, ab), min(ba, bb));
    *high = max(max(aa, ab), max(ba, bb));
    float near = (1.0f - tx) * aa + tx * ab, far = (1.0f - tx) * ba + tx * bb;
    return (1.0f - ty) * near + ty * far;
}

/* Velocity at displacement (dx, dy) from the u face, the v face or the centre of cell (i, j). */
FOEHN_INLINE void velocity_at_u(foehn_grid g, flow_motion m, int i, int j, float dx, float dy,
                                global const float *u, global const float *v, float *x, float *y)
{
    float px = (float)i, py = (float)j + 0.5f;
    *x = sample(g, m, u, dx, dy, px, py, 0.0f, 0.0f, i, j);
    *y = sample(g, m, v, dx, dy, px, py, 0.5f, 0.5f, i - 1, j);
}
FOEHN_INLINE void velocity_at_v(foehn_grid g, flow_motion m, int i, int j, float dx, float dy,
                                global const float *u, global const float *v, float *x, float *y)
{
    float px = (float)i + 0.5f, py = (float)j;
    *x = sample(g, m, u, dx, dy, px, py, 0.5f, 0.5f, i, j - 1);
    *y = sample(g, m, v, dx, dy, px, py, 0.0f, 0.0f, i, j);
}
FOEHN_INLINE void velocity_at_c(foehn_grid g, flow_motion m, int i, int j, float dx, float dy,
                                global const float *u, global const float *v, float *x, float *y)
{
    float px = (float)i + 0.5f, py = (float)j + 0.5f;
    *x = sample(g, m, u, dx, dy, px, py, 0.5f, 0.0f, i, j);
    *y = sample(g, m, v, dx, dy, px, py, 0.0f, 0.5f, i, j);
}

/* Displacement over `cells` = +-dt / h through the velocity half-way there (midpoint rule). */
FOEHN_INLINE void trace_u(foehn_grid g, flow_motion m, float cells, int i, int j,
                          global const float *u, global const float *v, float *dx, float *dy)
{
    idx c = at(g, i, j, 0);
    float x = u[c], y = 0.25f * ((v[c - 1] + v[c + g.sy - 1]) + (v[c] + v[c + g.sy]));
    velocity_at_u(g, m, i, j, 0.5f * cells * x, 0.5f * cells * y, u, v, &x, &y);
    *dx = cells * x;
    *dy = cells * y;
}
FOEHN_INLINE void trace_v(foehn_grid g, flow_motion m, float cells, int i, int j,
                          global const float *u, global const float *v, float *dx, float *dy)
{
    idx c = at(g, i, j, 0);
    float x = 0.25f * ((u[c - g.sy] + u[c - g.sy + 1]) + (u[c] + u[c + 1])), y = v[c];
    velocity_at_v(g, m, i, j, 0.5f * cells * x, 0.5f * cells * y, u, v, &x, &y);
    *dx = cells * x;
    *dy = cells * y;
}
FOEHN_INLINE void trace_c(foehn_grid g, flow_motion m, float cells, int i, int j,
                          global const float *u, global const float *v, float *dx, float *dy)
{
    idx c = at(g, i, j, 0);
    float x = 0.5f * (u[c] + u[c + 1]), y = 0.5f * (v[c] + v[c + g.sy]);
    velocity_at_c(g, m, i, j, 0.5f * cells * x, 0.5f * cells * y, u, v, &x, &y);
    *dx = cells * x;
    *dy = cells * y;
}

#endif
