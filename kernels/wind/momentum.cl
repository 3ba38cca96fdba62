/* SPDX-License-Identifier: MIT */
/* The steady wind by its equation of motion: a pseudo-time step of the velocity on faces.
 * Launched by lib/wind/momentum.c.
 *
 *   du/dt + u . grad u = -grad p + div(nu grad u) + (the ground's stress) ,   div u = 0
 *
 * What comes from neighbour columns is read there at the same share of the air's depth
 * (terrain-following upwinding, limited third order), so that nothing reads below the ground and no
 * staircase is felt.  Up and down a column, advection by the upwind value, diffusion and the wall
 * are implicit: `predict_*` leave the explicit part and what the wall and the horizontal diffusion
 * add to the diagonal, kernels/wind/tridiagonal.cl does the rest.  Diffusion from neighbour columns
 * is explicit in their values and implicit in one's own.
 *
 * Faces as in kernels/wind/faces.cl.  Those that are less than 1/20 open are closed, and so are
 * cells without an open side; what ground area they had belongs to the next open face above. */
#include "wind/columns.h"

/* ---- the wall and the step ---- */

/* Per column: the stress that the ground exerts, and how fast a step may be.  The wind is taken one
 * and a half cells above the ground, never in a sliver. */
kernel void wall(momentum m, global const float *restrict columns, global const float *restrict u,
                 global const float *restrict w, global float *restrict walls)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, k = (int)get_global_id(1);
    if (i > g.nx || k > g.nz)
        return;
    idx q = column(g, i, k), bottom = at(g, i, 0, k);
    const idx next_z = k < g.nz ? g.sy : 0, plane_z = k < g.nz ? g.sz : 0;
    real height = m.sample;
    global const float *row_u = u + at(g, 0, 0, k), *row_w = w + at(g, 0, 0, k);
    ground_column x0 = column_at(m, AT_X, columns, q), x1 = column_at(m, AT_X, columns, q + 1);
    ground_column y0 = column_at(m, AT_Z, columns, q), y1 = column_at(m, AT_Z, columns, q + next_z);
    whole n = i + LANE, next = min(n + 1, g.nx);
    real u0 = log_value(g, place_in(g, x0, height), n, row_u);
    real u1 = log_value(g, place_in(g, x1, height), next, row_u);
    real w0 = log_value(g, place_in(g, y0, height), n, row_w);
    real w1 = log_value(g, place_in(g, y1, height), n, row_w + plane_z);
    real a = 0.5f * (u0 + u1), b = 0.5f * (w0 + w1);
    real c = a * LOAD(columns + q + SLOPE_X * m.plane) + b * LOAD(columns + q + SLOPE_Z * m.plane);
    real z0 = LOAD(columns + q + (AT_CELLS + ROUGHNESS) * m.plane);
    real above = height * LOAD(columns + q + COSINE * m.plane) + z0, profile = log_of(above / z0);
    if (m.per_l != 0.0f)
        profile += stability(m, above) - stability(m, z0);
    real law = VON_KARMAN / profile;
    real square = a * a + b * b + c * c;
    STORE(law * law * sqrt(square), walls + q + DRAG * m.plane);
    STORE(law * law * square, walls + q + FRICTION2 * m.plane);
    STORE(u0, walls + q + SAMPLE_X * m.plane);
    STORE(w0, walls + q + SAMPLE_Z * m.plane);
    real fastest = 0.0f;
    for (int j = 0; j < g.ny; j++)
        fastest = max(fastest, fabs(LOAD(u + bottom + j * g.sy)) * g.per_x +
                                   fabs(LOAD(w + bottom + j * g.sy)) * g.per_z);
    STORE(fastest, walls + q + FASTEST * m.plane);
}

/* clock: the step in s, and the time so far.  One work-group. */
kernel void choose_step(momentum m, float most, global const float *walls, global float *clock,
                        local float *partial)
{
    int n = (int)get_local_id(0), items = (int)get_local_size(0);
    float fastest = 0.0f;
    const int x = m.g.own_x1 - m.g.own_x0, z = m.g.own_z1 - m.g.own_z0;
    for (int c = n; c < x * z; c += items)
        fastest =
            max(fastest,
                walls[column(m.g, m.g.own_x0 + c % x, m.g.own_z0 + c / x) + FASTEST * m.plane]);
    partial[n] = fastest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = items / 2; half_of > 0; half_of /= 2) {
        if (n < half_of)
            partial[n] = max(partial[n], partial[n + half_of]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (n == 0) {
        float dt = min(most, m.courant / max(partial[0], 1e-20f));
        clock[0] = dt;
        clock[1] += dt;
    }
}

/* ---- predictor ---- */

/* Acceleration by what the wind brings along x or z and by diffusion from there; the latter's part
 * of the diagonal goes to *diagonal. */
FOEHN_INLINE real from_beside(momentum m, const int axis, const int along,
                              global const float *columns, global const float *f, int i, int k,
                              ground_column a, real share, real own, real speed, real nu,
                              real *diagonal)
{
    foehn_grid g = m.g;
    const int kind = axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS;
    int low = along == axis ? 0 : along == 0 ? m.low_x : m.low_z;
    int high = along == axis ? (along == 0 ? g.nx : g.nz) : along == 0 ? m.high_x : m.high_z;
    columns_beside b = find_beside(m, kind, along, columns, i, k, low, high, a, speed);
    global const float *plane = f + at(g, 0, 0, k);
    real d_before = share / b.before.per_depth, d_after = share / b.after.per_depth;
    real d_far = share / b.far.per_depth, before, after, far;
    if (axis == 1) {
        before = floor_value(g, b.before, d_before, b.at_before, plane);
        after = floor_value(g, b.after, d_after, b.at_after, plane);
        far = floor_value(g, b.far, d_far, b.at_far, plane);
    } else {
        before = log_value(g, place_in(g, b.before, d_before), b.at_before, plane);
        after = log_value(g, place_in(g, b.after, d_after), b.at_after, plane);
        far = log_value(g, place_in(g, b.far, d_far), b.at_far, plane);
    }
    whole forward = speed >= 0.0f;
    real up = CHOOSE(forward, before, after), down = CHOOSE(forward, after, before);
    float per_h = along == 0 ? g.per_x : g.per_z;
    real spread = nu * per_h * per_h;
    *diagonal += 2.0f * spread;
    return CARRIED(speed, per_h, koren, far, up, own, down) + spread * (up - 2.0f * own + down);
}

/* Faces that nothing changes: those of inflow sides, and the floor's. */
FOEHN_INLINE whole is_held(momentum m, const int axis, int i, int j, int k)
{
    whole n = i + LANE;
    if (axis == 0)
        return ((n == 0) & EVERY(m.inflow & INFLOW_WEST)) |
               ((n == m.g.nx) & EVERY(m.inflow & INFLOW_EAST));
    return EVERY(axis == 1 ? j == 0
                           : (k == 0 && m.inflow & INFLOW_NORTH) ||
                                 (k == m.g.nz && m.inflow & INFLOW_SOUTH));
}

/* A field of cells on the two sides of a face; at a side of the box both are the one that exists.
 */
typedef struct both_sides {
    real low, high;
} both_sides;

FOEHN_INLINE both_sides sides_of(idx c, idx step, whole first, whole last, global const float *f)
{
    real low = LOAD(f + c - step), high = LOAD(f + c);
    both_sides b = {CHOOSE(first, high, low), CHOOSE(last, low, high)};
    return b;
}

FOEHN_INLINE void predict(momentum m, const int axis, global const float *clock,
                          global const float *columns, global const float *walls,
                          global const uchar *ax, global const uchar *ay, global const uchar *az,
                          global const float *u, global const float *v, global const float *w,
                          global const float *p, global const float *nu, global const float *slip,
                          global const float *trees, global float *out, global float *extra)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx + (axis == 0) || j >= g.ny || k >= g.nz + (axis == 2))
        return;
    const int kind = axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS;
    const idx step = axis == 0   ? 1
                     : axis == 1 ? g.sy
                                 : g.sz,
              q_step = axis == 0   ? 1
                       : axis == 2 ? g.sy
                                   : 0;
    const float per_step = axis == 0 ? g.per_x : axis == 1 ? g.per_y : g.per_z;
    const bool is_top = j == g.ny - 1;
    idx c = at(g, i, j, k), q = column(g, i, k), top = c + g.sy;
    global const float *f = axis == 0 ? u : axis == 1 ? v : w;
    global const uchar *open = axis == 0 ? ax : axis == 1 ? ay : az;
    const float dt = clock[0], row = (float)j;
    real own = LOAD(f + c), share_open = LOAD_OPEN(open + c);
    whole held = (share_open == 0.0f) | is_held(m, axis, i, j, k);
    whole first = axis == 0 ? i + LANE == 0 : EVERY(axis == 2 && k == 0);
    whole last = axis == 0 ? i + LANE == g.nx : EVERY(axis == 2 && k == g.nz);

    ground_column a = column_at(m, kind, columns, q);
    real d = axis == 1 ? max(row * g.hy - a.ground, 0.0f) : distance_of(g, a, (real)(row));
    real share = min(d * a.per_depth, 1.0f);
    real along_x = axis == 0 ? own : around(c, 1, -step, ax, u);
    real along_z = axis == 2 ? own : around(c, g.sz, -step, az, w);
    both_sides nu_floor = sides_of(c, step, first, last, nu),
               nu_top = sides_of(top, step, first, last, nu);
    real nu_here = 0.25f * (nu_floor.low + nu_floor.high + nu_top.low + nu_top.high),
         diagonal = 0.0f;
    real sum =
        from_beside(m, axis, 0, columns, f, i, k, a, share, own, along_x, nu_here, &diagonal) +
        from_beside(m, axis, 2, columns, f, i, k, a, share, own, along_z, nu_here, &diagonal);

    /* Up and down the column: what the limited scheme adds to the upwind value. */
    both_sides slip_floor = sides_of(c, axis == 1 ? -g.sy : step, first, last, slip);
    both_sides slip_other = sides_of(axis == 1 ? c : top, step, first, last, slip);
    real upper_slip =
        axis == 1 ? slip_floor.low + slip_floor.high : slip_other.low + slip_other.high;
    real lower_slip =
        axis == 1 ? slip_other.low + slip_other.high : slip_floor.low + slip_floor.high;
    real volume = max(share_open, 0.25f), lowest = axis == 1 ? a.lowest + 1.0f : a.lowest;
    whole is_bottom = row <= lowest, is_second = row - 1.0f <= lowest;
    real m1 = CHOOSE(is_bottom, own, LOAD(f + c - g.sy));
    real m2 = CHOOSE(is_second, m1, LOAD(f + c - (j > 0 ? 2 * g.sy : 0)));
    real p1 = is_top && axis != 1 ? own : LOAD(f + top);
    real p2 = j + 2 > g.ny - (axis != 1) ? p1 : LOAD(f + top + g.sy);
    real upper = CHOOSE(upper_slip >= 0.0f, koren(m1, own, p1), koren(p2, p1, own));
    real lower = CHOOSE(lower_slip >= 0.0f, koren(m2, m1, own), koren(p1, own, m1));
    upper = is_top ? (real)(0.0f) : upper;
    lower = CHOOSE(is_bottom, 0.0f, lower);
    sum -= 0.5f * (upper_slip * upper - lower_slip * lower) * g.per_y / volume;

    /* d nu/dy dv/dx_axis: what is left of the transposed gradients where nu varies most. */
    if (axis != 1) {
        real o0 = LOAD_OPEN(ay + c), o1 = LOAD_OPEN(ay + c - step), o2 = LOAD_OPEN(ay + top);
        real o3 = LOAD_OPEN(ay + top - step);
        whole apart = (o0 > 0.0f) & (o1 > 0.0f) & (o2 > 0.0f) & (o3 > 0.0f);
        real change = 0.5f * (nu_top.low + nu_top.high - nu_floor.low - nu_floor.high) * g.per_y;
        real tilt =
            0.5f * (LOAD(v + c) + LOAD(v + top) - LOAD(v + c - step) - LOAD(v + top - step));
        sum += CHOOSE(apart, change * tilt * per_step, 0.0f);
        sum += is_top ? m.friction * m.friction * (axis == 0 ? m.dx : m.dz) * g.per_y : 0.0f;
    }
    sum -= (LOAD(p + c) - LOAD(p + c - step)) * per_step;

    /* The ground: stress drag * sampled velocity on its area, as far as one's own velocity carries
     * it implicit. */
    both_sides drag = sides_of(q, q_step, first, last, walls + DRAG * m.plane);
    real own_area = ground_area(g, c, ax, ay, az, is_top);
    real other_area = ground_area(g, c - step, ax, ay, az, is_top && axis != 1);
    real area = 0.5f * (CHOOSE(last, other_area, own_area) + CHOOSE(first, own_area, other_area));
    real sampled = own, ratio = 1.0f;
    if (axis != 1) {
        area += CHOOSE(a.lowest == row,
                       LOAD(columns + q + (axis == 0 ? CARRIED_X : CARRIED_Z) * m.plane), 0.0f);
        sampled = LOAD(walls + q + (axis == 0 ? SAMPLE_X : SAMPLE_Z) * m.plane);
        whole alike = sampled * own > 0.0f;
        ratio = CHOOSE(alike, clamp(sampled / CHOOSE(alike, own, 1.0f), 0.5f, 4.0f), 0.0f);
    }
    real rate = 0.5f * area * (drag.low + drag.high) * g.per_y / volume;
    sum -= rate * (sampled - ratio * own);

    real implicit = diagonal + rate * ratio;
    if (m.canopy) { /* -Cd a |u| u */
        both_sides leaves = sides_of(c, step, first, last, trees);
        real upward = axis == 1 ? own : (real)(0.0f);
        implicit += 0.5f * (leaves.low + leaves.high) *
                    sqrt(along_x * along_x + along_z * along_z + upward * upward);
    }

    const whole inside_row = i + LANE < g.nx + (axis == 0);
    STORE_WHERE(inside_row, CHOOSE(held, own, own + dt * (sum + diagonal * own)), out + c);
    STORE_WHERE(inside_row, CHOOSE(held, -1.0f, dt * implicit), extra + c);
}

#define PREDICT(name, axis)                                                                        \
    kernel void name(momentum m, global const float *restrict clock,                               \
                     global const float *restrict columns, global const float *restrict walls,     \
                     global const uchar *restrict ax, global const uchar *restrict ay,             \
                     global const uchar *restrict az, global const float *restrict u,              \
                     global const float *restrict v, global const float *restrict w,               \
                     global const float *restrict p, global const float *restrict nu,              \
                     global const float *restrict slip, global const float *restrict trees,        \
                     global float *restrict out, global float *restrict extra)                     \
    {                                                                                              \
        predict(m, axis, clock, columns, walls, ax, ay, az, u, v, w, p, nu, slip, trees, out,      \
                extra);                                                                            \
    }
PREDICT(predict_x, 0)
PREDICT(predict_y, 1)
PREDICT(predict_z, 2)

/* ---- projection ---- */

/* u <- u - grad psi where the solver's faces are open, p <- p + psi / dt; psi = p dt, div grad psi
 * = div u. */
kernel void correct(momentum m, int keep, global const float *restrict clock,
                    global const uchar *restrict ax, global const uchar *restrict ay,
                    global const uchar *restrict az, global const float *restrict psi,
                    global float *restrict u, global float *restrict v, global float *restrict w,
                    global float *restrict p)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    float own = psi[c];
    float new_u = u[c] - (ax[c] > 0 ? (own - psi[c - 1]) * g.per_x : 0.0f);
    float new_v = v[c] - (ay[c] > 0 ? (own - psi[c - g.sy]) * g.per_y : 0.0f);
    float new_w = w[c] - (az[c] > 0 ? (own - psi[c - g.sz]) * g.per_z : 0.0f);
    if (j < g.ny && k < g.nz)
        u[c] = new_u;
    if (i < g.nx && k < g.nz)
        v[c] = new_v;
    if (i < g.nx && j < g.ny)
        w[c] = new_w;
    if (keep && i < g.nx && j < g.ny && k < g.nz)
        p[c] += own / clock[0];
}
