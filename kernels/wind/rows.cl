/* SPDX-License-Identifier: MIT */
/* Semi-Lagrangian advection of the staggered wind for CPUs.  Launched by lib/wind/faces.c.
 *
 * An item has part of a row and loops over it; drivers vectorise such loops.  Interpolation at a
 * place of its own for each lane would be gathered.  But what comes from no farther than one cell,
 * as all does in a step of ordinary length, is made of the cell and its neighbours, which lie in
 * rows. */
#include "transport/trace.h"

/* From a cell's value towards the neighbour on the side of the displacement. */
FOEHN_INLINE float towards(float shift, float before, float own, float after)
{
    return own + fabs(shift) * ((shift > 0.0f ? after : before) - own);
}

FOEHN_INLINE float row_at(float x, global const float *f)
{
    return towards(x, f[-1], f[0], f[1]);
}

FOEHN_INLINE float plane_at(idx sy, float x, float y, global const float *f)
{
    return towards(y, row_at(x, f - sy), row_at(x, f), row_at(x, f + sy));
}

/* f at a place at most one cell from where f points. */
FOEHN_INLINE float near_value(foehn_grid g, float x, float y, float z, global const float *f)
{
    return towards(z, plane_at(g.sy, x, y, f - g.sz), plane_at(g.sy, x, y, f),
                   plane_at(g.sy, x, y, f + g.sz));
}

/* Whether a displacement leaves the neighbours; around periodic sides all are taken to. */
FOEHN_INLINE int is_far(float x, float y, float z)
{
    return SIDES_WRAP | !(fabs(x) <= 1.0f) | !(fabs(y) <= 1.0f) | !(fabs(z) <= 1.0f);
}

/* One component in the cells [from, to) of a row; x, y, z: their displacements, in cells.  Whether
 * one of them is far. */
FOEHN_INLINE int advect_row(foehn_grid g, const int axis, float dt, int from, int to, int j, int k,
                            global const uchar *open, global const float *u0,
                            global const float *v0, global const float *w0, global const float *f,
                            global float *out, local float *x, local float *y, local float *z)
{
    const float nx = (float)g.whole_x, ny = (float)g.ny, nz = (float)g.whole_z;
    const float half_x = axis == 0 ? 0.0f : 0.5f, half_y = axis == 1 ? 0.0f : 0.5f;
    const float half_z = axis == 2 ? 0.0f : 0.5f;
    const float own_y = (float)j + half_y, own_z = place_z(g, k) + half_z;
    const idx row = at(g, 0, j, k);
    int far = SIDES_WRAP;
    for (int i = from; i < to; i++) {
        float a, b, d, own_x = place_x(g, i) + half_x;
        velocity_at_face(g, axis, i, j, k, row + i, u0, v0, w0, &a, &b, &d);
        float dx = kept(own_x - a * (dt * g.per_x), half_x, nx - half_x) - own_x;
        float dy = kept(own_y - b * (dt * g.per_y), half_y, ny - half_y) - own_y;
        float dz = kept(own_z - d * (dt * g.per_z), half_z, nz - half_z) - own_z;
        far |= is_far(dx, dy, dz);
        x[i - from] = dx;
        y[i - from] = dy;
        z[i - from] = dz;
    }
    for (int i = from; i < to; i++) {
        float v = near_value(g, x[i - from], y[i - from], z[i - from], f + row + i);
        out[row + i] = open[row + i] > 0 ? v : 0.0f;
    }
    return far;
}

/* What advect_faces does.  Items over parts of `span` faces of a row, (ny + 1) x (nz + 1) rows; a
 * group each. places: 9 span floats.  (No `restrict` on what is inlined: Oclgrind does not know
 * what clang makes of it.)  What comes from far is traced cell by cell, so that the bits do not
 * depend on what else is in the part of the row, by one text for the three axes. */
kernel void advect_rows(foehn_grid g, float dt, int span, global const uchar *restrict ax,
                        global const uchar *restrict ay, global const uchar *restrict az,
                        global const float *restrict u0, global const float *restrict v0,
                        global const float *restrict w0, global float *restrict u,
                        global float *restrict v, global float *restrict w,
                        local float *restrict places)
{
    const int from = span * (int)get_global_id(0), to = min(from + span, g.nx + 1);
    const int j = (int)get_global_id(1), k = (int)get_global_id(2);
    local float *x = places, *y = places + 3 * span, *z = places + 6 * span;
    int far[3] = {0, 0, 0};
    if (j < g.ny && k < g.nz)
        far[0] = advect_row(g, 0, dt, from, to, j, k, ax, u0, v0, w0, u0, u, x, y, z);
    if (k < g.nz)
        far[1] = advect_row(g, 1, dt, from, min(to, g.nx), j, k, ay, u0, v0, w0, v0, v, x + span,
                            y + span, z + span);
    if (j < g.ny)
        far[2] = advect_row(g, 2, dt, from, min(to, g.nx), j, k, az, u0, v0, w0, w0, w,
                            x + 2 * span, y + 2 * span, z + 2 * span);
    if (!(far[0] | far[1] | far[2]))
        return;
    const idx row = at(g, 0, j, k);
    ROLLED for (int axis = 0; axis < 3; axis++)
    {
        const int count = far[axis] ? min(to, axis == 0 ? g.nx + 1 : g.nx) - from : 0;
        global const uchar *open = (axis == 0 ? ax : axis == 1 ? ay : az) + row + from;
        global const float *f = axis == 0 ? u0 : axis == 1 ? v0 : w0;
        global float *out = (axis == 0 ? u : axis == 1 ? v : w) + row + from;
        ROLLED for (int n = 0; n < count; n++)
        {
            const int m = axis * span + n;
            if (open[n] > 0 && is_far(x[m], y[m], z[m]))
                out[n] = traced(g, axis, dt, from + n, j, k, row + from + n, u0, v0, w0, f);
        }
    }
}
