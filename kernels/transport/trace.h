/* SPDX-License-Identifier: MIT */
/* Back-tracing through the staggered velocity, for kernels/wind/faces.cl and kernels/wind/rows.cl.
 */
#ifndef FOEHN_KERNEL_TRACE_H
#define FOEHN_KERNEL_TRACE_H

#include "grid.h"
#include "profile.h" /* FOEHN_INLINE */

/* Programs for boxes with periodic sides define FOEHN_PERIODIC. */
#ifdef FOEHN_PERIODIC
#define SIDES_WRAP true
#else
#define SIDES_WRAP false
#endif

/* x between low and high; low for a NaN, which must not lead out of the field. */
FOEHN_INLINE float kept(float x, float low, float high)
{
    return x > low ? min(x, high) : low;
}

/* Where component `axis` has a value: brought around at periodic sides, else held within the faces
 * that exist. */
FOEHN_INLINE void hold_place(foehn_grid g, const int axis, float *x, float *y, float *z)
{
    const float nx = (float)g.whole_x, ny = (float)g.ny, nz = (float)g.whole_z;
    if (SIDES_WRAP) {
        *x = kept(*x - nx * floor(*x / nx), 0.0f, nx);
        *z = kept(*z - nz * floor(*z / nz), 0.0f, nz);
    } else {
        *x = axis == 0 ? kept(*x, 0.0f, nx) : kept(*x, 0.5f, nx - 0.5f);
        *z = axis == 2 ? kept(*z, 0.0f, nz) : kept(*z, 0.5f, nz - 0.5f);
    }
    *y = axis == 1 ? kept(*y, 0.0f, ny) : kept(*y, 0.5f, ny - 0.5f);
}

/* Interpolate component `axis` of the field f at a place. */
FOEHN_INLINE float sample_face(foehn_grid g, const int axis, global const float *f, float x,
                               float y, float z)
{
    hold_place(g, axis, &x, &y, &z);
    return sample_c(g, f, axis == 0 ? x + 0.5f : x, axis == 1 ? y + 0.5f : y,
                    axis == 2 ? z + 0.5f : z);
}

/* Velocity at a face: its own component, and the mean of the four neighbours of each other one.
 * Cells beyond an open side repeat those inside. */
FOEHN_INLINE void velocity_at_face(foehn_grid g, const int axis, int i, int j, int k, idx c,
                                   global const float *u, global const float *v,
                                   global const float *w, float *a, float *b, float *d)
{
    const idx low = axis == 0 ? -1 : axis == 1 ? -(idx)g.sy : -(idx)g.sz;
    const int at_axis = axis == 0 ? i : axis == 1 ? j : k;
    const int n = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
    const bool wraps = SIDES_WRAP && axis != 1;
    const bool first = wraps ? false : at_axis == 0, last = wraps ? false : at_axis == n;
    global const float *others[2] = {axis == 0 ? v : u, axis == 2 ? v : w};
    const idx steps[2] = {axis == 0 ? g.sy : 1, axis == 2 ? g.sy : g.sz};
    float means[2];
    FOEHN_UNROLL
    for (int o = 0; o < 2; o++) {
        global const float *f = others[o] + c;
        float below = f[low] + f[low + steps[o]], above = f[0] + f[steps[o]];
        means[o] = 0.25f * ((first ? above : below) + (last ? below : above));
    }
    *a = axis == 0 ? u[c] : means[0];
    *b = axis == 0 ? means[0] : axis == 1 ? v[c] : means[1];
    *d = axis == 2 ? w[c] : means[1];
}

/* One component, semi-Lagrangian: f(x) = f_old(x - dt u_old(x)). */
FOEHN_INLINE float traced(foehn_grid g, const int axis, float dt, int i, int j, int k, idx c,
                          global const float *u, global const float *v, global const float *w,
                          global const float *f)
{
    float a, b, d;
    velocity_at_face(g, axis, i, j, k, c, u, v, w, &a, &b, &d);
    float x = place_x(g, i) + (axis == 0 ? 0.0f : 0.5f) - a * (dt * g.per_x);
    float y = (float)j + (axis == 1 ? 0.0f : 0.5f) - b * (dt * g.per_y);
    float z = place_z(g, k) + (axis == 2 ? 0.0f : 0.5f) - d * (dt * g.per_z);
    return sample_face(g, axis, f, x, y, z);
}

#endif
