/* SPDX-License-Identifier: MIT */
/* The implicit part of the momentum model: one tridiagonal solve a column (Thomas), for LANES
 * columns side by side an item: 1 on GPUs, 8 on CPUs, which vectorise them.  Launched by
 * lib/wind/momentum.c.
 *
 *   (1 + extra + up + down) x(j) - down x(j - 1) - up x(j + 1) = given(j)
 *
 * up and down: upwind advection and diffusion through the faces above and below.  extra < 0: x =
 * given. The solution takes the place of what was given, and extra is scratch. */
#include "wind/columns.h"

/* From the lower and the upper coefficient of a row to its share of the upper neighbour and its
 * value. */
FOEHN_INLINE void eliminate(real up, real down, real extra, real given, real *share, real *value)
{
    real per = 1.0f / (1.0f + extra + up + down - down * *share);
    whole held = extra < 0.0f;
    *value = select((given + down * *value) * per, given, held);
    *share = select(up * per, (real)(0.0f), held);
}

/* Back up: x(j) = value(j) + share(j) x(j + 1), stored where `stored`. */
FOEHN_INLINE void substitute(foehn_grid g, idx c, int rows, whole stored, real low, real high,
                             global float *x, global const float *shares)
{
    real above = 0.0f;
    for (int j = rows - 1; j >= 0; j--) {
        idx n = c + j * g.sy;
        real value = LOAD(x + n);
        above = clamp(value + LOAD(shares + n) * above, low, high);
        STORE(select(value, above, stored), x + n);
    }
}

FOEHN_INLINE void solve_component(momentum m, const int axis, int i, int k,
                                  global const float *clock, global const float *columns,
                                  global const uchar *open, global const uchar *ay,
                                  global const float *nu, global const float *slip, global float *x,
                                  global float *extra)
{
    foehn_grid g = m.g;
    idx c = at(g, i, 0, k), q = column(g, i, k);
    const idx step = axis == 0 ? 1 : axis == 1 ? 0 : g.sz;
    whole lane = i + LANE, first = axis == 0 ? lane == 0 : EVERY(axis == 2 && k == 0);
    whole last = axis == 0 ? lane == g.nx : EVERY(axis == 2 && k == g.nz);
    const whole stored = lane < g.nx + (axis == 0);
    ground_column a = column_at(m, axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS, columns, q);
    real lowest = axis == 1 ? a.lowest + 1.0f : a.lowest;
    real share = 0.0f, value = 0.0f, below = 0.0f, d = distance_of(g, a, (real)(0.0f));
    float dt = clock[0] * g.per_y;
    const idx q_step = axis == 0 ? 1 : axis == 1 ? 0 : g.sy;
    global const float *slopes = columns + q + SLOPE_X * m.plane;
    real slope_x = 0.5f * (LOAD(slopes - q_step) + LOAD(slopes));
    slopes += (SLOPE_Z - SLOPE_X) * m.plane;
    real slope_z = 0.5f * (LOAD(slopes - q_step) + LOAD(slopes));
    /* Below: what the face under the row lets through, downwards and by diffusion. */
    real rising = 0.0f;
    for (int j = 0; j < g.ny; j++) {
        idx n = c + j * g.sy, top = n + g.sy;
        real volume = max(LOAD_OPEN(open + n), 0.25f), up, next,
             next_d = distance_of(g, a, (real)((float)j + 1.0f));
        real conducts;
        if (axis == 1) {
            /* v's upper neighbour is one row on, its cell in between. */
            next = 0.5f * (LOAD(slip + n) + LOAD(slip + top));
            conducts = 0.5f * (LOAD(nu + n) + LOAD(nu + top)) * g.per_y * 0.5f *
                       (LOAD_OPEN(ay + n) + LOAD_OPEN(ay + top));
        } else {
            real s0 = LOAD(slip + top - step), s1 = LOAD(slip + top);
            real n0 = LOAD(nu + top - step), n1 = LOAD(nu + top);
            real o0 = LOAD_OPEN(ay + top - step), o1 = LOAD_OPEN(ay + top);
            s0 = select(s0, s1, first);
            s1 = select(s1, s0, last);
            n0 = select(n0, n1, first);
            n1 = select(n1, n0, last);
            o0 = select(o0, o1, first);
            o1 = select(o1, o0, last);
            next = 0.5f * (s0 + s1);
            conducts = 0.25f * (n0 + n1) * (o0 + o1) / (next_d - d);
        }
        conducts *= steepened(a, (real)((float)(j + 1) * g.hy), slope_x, slope_z);
        if (j == g.ny - 1 && axis != 1)
            conducts = 0.0f;
        real scale = dt / volume, given = LOAD(x + n), held = LOAD(extra + n);
        up = (max(-next, 0.0f) + conducts) * scale;
        real down =
            select((max(rising, 0.0f) + below) * scale, (real)(0.0f), (whole)((float)j <= lowest));
        if (j == g.ny - 1 && axis != 1)
            up = 0.0f;
        eliminate(up, down, held, given, &share, &value);
        STORE(select(given, value, stored), x + n); /* lanes beyond the box keep what they have */
        STORE(select(held, share, stored), extra + n);
        rising = next;
        below = conducts;
        d = next_d;
    }
    /* Nothing comes back in through an outflow side. */
    bool west = axis == 0 && !(m.inflow & INFLOW_WEST),
         east = axis == 0 && !(m.inflow & INFLOW_EAST);
    bool north = axis == 2 && !(m.inflow & INFLOW_NORTH),
         south = axis == 2 && !(m.inflow & INFLOW_SOUTH);
    real high = select((real)(INFINITY), (real)(0.0f), first & EVERY(west || north));
    real low = select((real)(-INFINITY), (real)(0.0f), last & EVERY(east || south));
    substitute(g, c, g.ny, stored, low, high, x, extra);
}

kernel void solve_velocity(momentum m, global const float *restrict clock,
                           global const float *restrict columns, global const uchar *restrict ax,
                           global const uchar *restrict ay, global const uchar *restrict az,
                           global const float *restrict nu, global const float *restrict slip,
                           global float *restrict u, global float *restrict v,
                           global float *restrict w, global float *restrict extra_u,
                           global float *restrict extra_v, global float *restrict extra_w)
{
    int i = (int)get_global_id(0) * LANES, k = (int)get_global_id(1), axis = (int)get_global_id(2);
    if (i >= m.g.nx + (axis == 0) || k >= m.g.nz + (axis == 2))
        return;
    if (axis == 0)
        solve_component(m, 0, i, k, clock, columns, ax, ay, nu, slip, u, extra_u);
    else if (axis == 1)
        solve_component(m, 1, i, k, clock, columns, ay, ay, nu, slip, v, extra_v);
    else
        solve_component(m, 2, i, k, clock, columns, az, ay, nu, slip, w, extra_w);
}

/* k (which = 0) and eps (which = 1). */
kernel void solve_scalars(momentum m, global const float *restrict clock,
                          global const float *restrict columns, global const uchar *restrict ax,
                          global const uchar *restrict ay, global const uchar *restrict az,
                          global const float *restrict nu, global const float *restrict slip,
                          global float *restrict k_field, global float *restrict eps,
                          global float *restrict extra_k, global float *restrict extra_eps)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, k = (int)get_global_id(1), which = (int)get_global_id(2);
    if (i >= g.nx || k >= g.nz || which > 1)
        return;
    global float *x = which == 0 ? k_field : eps, *extra = which == 0 ? extra_k : extra_eps;
    float per_sigma = which == 0 ? m.per_sigma_k : m.per_sigma_eps;
    idx c = at(g, i, 0, k), q = column(g, i, k);
    whole lane = i + LANE;
    const whole stored = lane < g.nx;
    ground_column a = column_at(m, AT_CELLS, columns, q);
    real share = 0.0f, value = 0.0f, below = 0.0f, rising = 0.0f,
         d = distance_of(g, a, (real)(0.0f));
    float dt = clock[0] * g.per_y;
    real slope_x = LOAD(columns + q + SLOPE_X * m.plane),
         slope_z = LOAD(columns + q + SLOPE_Z * m.plane);
    for (int j = 0; j < g.ny; j++) {
        idx n = c + j * g.sy, top = n + g.sy;
        real sides = LOAD_OPEN(ax + n) + LOAD_OPEN(ax + n + 1) + LOAD_OPEN(az + n) +
                     LOAD_OPEN(az + n + g.sz);
        real next_d = distance_of(g, a, (real)((float)j + 1.0f)), next = LOAD(slip + top);
        real conducts = LOAD(nu + top) * LOAD_OPEN(ay + top) * per_sigma / (next_d - d);
        conducts *= steepened(a, (real)((float)(j + 1) * g.hy), slope_x, slope_z);
        real scale = dt / max(0.25f * sides, 0.25f), given = LOAD(x + n), held = LOAD(extra + n);
        real up = (max(-next, 0.0f) + conducts) * scale;
        real down = select((max(rising, 0.0f) + below) * scale, (real)(0.0f),
                           (whole)((float)j <= a.lowest));
        if (j == g.ny - 1)
            up = 0.0f;
        eliminate(up, down, held, given, &share, &value);
        STORE(select(given, value, stored), x + n); /* lanes beyond the box keep what they have */
        STORE(select(held, share, stored), extra + n);
        rising = next;
        below = conducts;
        d = next_d;
    }
    substitute(g, c, g.ny, stored, (real)(which == 0 ? 1e-6f : 1e-9f), (real)(INFINITY), x, extra);
}
