/* SPDX-License-Identifier: MIT */
/* Large eddies: a Runge-Kutta stage of the velocity on faces.  Launched by lib/wind/les.c.
 *
 *   du/dt = -div(u u) - grad p + div(nu (grad u + grad u^T)) + drive + (the ground's stress)
 *
 * A face's volume reaches from one cell's middle to the other's.  What is carried through its faces
 * is the mean of the openness times the velocity on both sides, so that it balances where the
 * cells' own fluxes do, times a central value: of fourth order along x and z, of second order up
 * and down.  Beside closed faces, and next to the ground where it is steep, it is a share of the
 * upwind value; a closed face has one's own, but what comes up from under one has that of the cells
 * below.  What leaves a volume comes into the next: momentum is kept, and but for that share no
 * scheme takes energy from the eddies.  A volume counts as a quarter of a cell at least, so that
 * slivers do not limit the step. */
#include "wind/columns.h"
#include "wind/les.h"

#define STEEP 2.0f /* rows that the ground rises in a column, beyond which it is a step */

/* ---- values along a line ---- */

/* A field, or a plane of columns, along x from one's own place, two before to two after; beyond the
 * sides the far end's or the last one. */
FOEHN_INLINE real two_along(les l, global const float *f, idx c, int i, const int by, int low,
                            int high)
{
    whole n = i + LANE + by, out = (n < low) | (n > high);
    if (ANY(out)) {
        whole before = n + l.m.g.nx, after = n - l.m.g.nx, last = clamp(n, low, high);
        whole round_ = select(select(n, after, n > high), before, n < low);
        n = l.wraps ? round_ : last;
        return GATHER(f + (c - i), n);
    }
    return LOAD(f + c + by);
}

/* Plane k or the one that stands for it, from plane `from`. */
FOEHN_INLINE int plane_by(les l, int k, int low, int high)
{
    return l.wraps ? (k < low ? k + l.m.g.nz : k > high ? k - l.m.g.nz : k) : clamp(k, low, high);
}

/* Values two and one before and after one's own; those on closed faces repeat the next one towards
 * it. */
typedef struct line_of_values {
    real m2, m1, p1, p2;
    whole before, after;       /* the neighbours are open */
    whole wide_low, wide_high; /* all four around the lower and the upper face are */
} line_of_values;

FOEHN_INLINE line_of_values mend(line_of_values b, real own, whole no_m2, whole no_m1, whole no_p1,
                                 whole no_p2)
{
    b.m1 = CHOOSE(no_m1, own, b.m1);
    b.m2 = CHOOSE(no_m1 | no_m2, b.m1, b.m2);
    b.p1 = CHOOSE(no_p1, own, b.p1);
    b.p2 = CHOOSE(no_p1 | no_p2, b.p1, b.p2);
    b.before = no_m1 == 0;
    b.after = no_p1 == 0;
    b.wide_low = (no_m2 | no_m1 | no_p1) == 0;
    b.wide_high = (no_m1 | no_p1 | no_p2) == 0;
    return b;
}

/* The value that a flux carries between m1 and p1, up and down or along the ground. */
FOEHN_INLINE real carried(const int d, real flux, float upwind, whole wide, real m2, real m1,
                          real p1, real p2)
{
    real mean = 0.5f * (m1 + p1);
    real better = (m1 + p1 - m2 - p2) * (1.0f / 12.0f);
    real rougher = -0.5f * copysign((real)(upwind), flux) * (p1 - m1);
    return mean + CHOOSE(wide, d == 1 ? (real)(0.0f) : better, rougher);
}

/* ---- one direction of a face's balance ---- */

/* Openness times velocity on a face. */
FOEHN_INLINE real flux_at(bool cut, idx c, global const uchar *open, global const float *f)
{
    return cut ? LOAD_OPEN(open + c) * LOAD(f + c) : LOAD(f + c);
}

FOEHN_INLINE real mean_open(bool cut, idx a, idx b, global const uchar *open)
{
    return cut ? 0.5f * (LOAD_OPEN(open + a) + LOAD_OPEN(open + b)) : (real)(1.0f);
}

/* What momentum of `own` comes in through the lower and upper face along d, less what goes out, per
 * volume. */
FOEHN_INLINE real balance(les l, const int axis, const int d, bool cut, idx c, idx step, idx beside,
                          real own, line_of_values b, real per_low, real per_high,
                          global const uchar *open, global const float *f, global const float *nu)
{
    foehn_grid g = l.m.g;
    const float per_d = d == 0 ? g.per_x : d == 1 ? g.per_y : g.per_z;
    const float per_step = axis == 0 ? g.per_x : axis == 1 ? g.per_y : g.per_z;
    real low, high, area_low, area_high, nu_low, nu_high, shear_low, shear_high;
    if (d == axis) {
        low = 0.5f * (flux_at(cut, c - step, open, f) + flux_at(cut, c, open, f));
        high = 0.5f * (flux_at(cut, c, open, f) + flux_at(cut, c + step, open, f));
        area_low = mean_open(cut, c - step, c, open);
        area_high = mean_open(cut, c, c + step, open);
        nu_low = 2.0f * LOAD(nu + c - step);
        nu_high = 2.0f * LOAD(nu + c);
        shear_low = (own - b.m1) * per_low;
        shear_high = (b.p1 - own) * per_high;
    } else {
        idx up = c + beside, down = c - beside;
        low = 0.5f * (flux_at(cut, c - step, open, f) + flux_at(cut, c, open, f));
        high = 0.5f * (flux_at(cut, up - step, open, f) + flux_at(cut, up, open, f));
        area_low = mean_open(cut, c - step, c, open);
        area_high = mean_open(cut, up - step, up, open);
        real here = LOAD(nu + c) + LOAD(nu + c - step);
        nu_low = 0.25f * (here + LOAD(nu + down) + LOAD(nu + down - step));
        nu_high = 0.25f * (here + LOAD(nu + up) + LOAD(nu + up - step));
        shear_low = (own - b.m1) * per_low + (LOAD(f + c) - LOAD(f + c - step)) * per_step;
        shear_high = (b.p1 - own) * per_high + (LOAD(f + up) - LOAD(f + up - step)) * per_step;
    }
    real in_low = low * carried(d, low, l.upwind, b.wide_low, b.m2, b.m1, own, b.p1);
    real in_high = high * carried(d, high, l.upwind, b.wide_high, b.m1, own, b.p1, b.p2);
    in_low -= CHOOSE(b.before, area_low * nu_low * shear_low, 0.0f);
    in_high -= CHOOSE(b.after, area_high * nu_high * shear_high, 0.0f);
    return (in_low - in_high) * per_d;
}

/* Does the ground step within a column? */
FOEHN_INLINE whole is_steep(momentum m, global const float *columns, idx q)
{
    real x = fabs(LOAD(columns + q + SLOPE_X * m.plane)) * m.g.hx;
    real z = fabs(LOAD(columns + q + SLOPE_Z * m.plane)) * m.g.hz;
    return x + z > STEEP * m.g.hy;
}

/* Air that comes up under the lowest open face of a column, where a slope closes the one below,
 * brings the wind of the cells that it comes from. */
FOEHN_INLINE real from_under(foehn_grid g, idx c, idx step, real own, global const uchar *open,
                             global const float *f, global const uchar *ay, global const float *v)
{
    real before = max(flux_at(true, c - step, ay, v), 0.0f),
         here = max(flux_at(true, c, ay, v), 0.0f);
    real brought =
        before * between(c - g.sy - step, step, open, f) + here * between(c - g.sy, step, open, f);
    return CHOOSE(before + here > 0.0f, brought / max(before + here, 1e-20f), own);
}

/* ---- a stage ---- */

/* Faces that nothing changes: closed ones, those of inflow sides, floor and lid. */
FOEHN_INLINE whole is_held(les l, const int axis, int i, int j, int k)
{
    whole n = i + LANE;
    if (axis == 1)
        return EVERY(j == 0);
    if (axis == 0)
        return ((n == 0) & EVERY(l.m.inflow & INFLOW_WEST)) |
               ((n == l.m.g.nx) & EVERY(l.m.inflow & INFLOW_EAST));
    return EVERY((k == 0 && l.m.inflow & INFLOW_NORTH) ||
                 (k == l.m.g.nz && l.m.inflow & INFLOW_SOUTH));
}

/* A side that the wind leaves through: what is upwind of it moves on, and nothing comes back. */
FOEHN_INLINE real leaves(real own, real inner, real out, float per_step)
{
    real speed = max(out * own, 0.0f);
    return -speed * (own - inner) * per_step;
}

FOEHN_INLINE void stage(les l, const int axis, float dt, global const float *columns,
                        global const float *walls, global const float *drive,
                        global const uchar *ax, global const uchar *ay, global const uchar *az,
                        global const float *u, global const float *v, global const float *w,
                        global const float *base, global const float *p, global const float *nu,
                        global float *to)
{
    momentum m = l.m;
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, j = (int)get_global_id(1), k = (int)get_global_id(2);
    const int last_x = g.nx - (axis != 0 || l.wraps), last_z = g.nz - (axis != 2 || l.wraps);
    if (i > last_x || j >= g.ny || k > last_z)
        return;
    const int kind = axis == 0   ? AT_X
                     : axis == 2 ? AT_Z
                                 : AT_CELLS,
              low = (kind + LOWEST) * m.plane;
    const bool cut = !l.wraps && j < l.open_from + 3, is_top = j == g.ny - 1;
    const idx step = axis == 0 ? 1 : axis == 1 ? (idx)g.sy : (idx)g.sz;
    const float per_step = axis == 0 ? g.per_x : axis == 1 ? g.per_y : g.per_z;
    global const float *f = axis == 0 ? u : axis == 1 ? v : w;
    global const uchar *open = axis == 0 ? ax : axis == 1 ? ay : az;
    idx c = at(g, i, j, k), q = column(g, i, k);
    const float row = (float)j, above = (float)(axis == 1);
    real own = LOAD(f + c), share_open = cut ? LOAD_OPEN(open + c) : (real)(1.0f);
    whole held = is_held(l, axis, i, j, k) | (share_open == 0.0f);
    ground_column a = column_at(m, kind, columns, q);
    const whole none = EVERY(false);
    real sum = 0.0f;

    /* Along x. */
    const int first_x = axis == 0 || l.wraps ? 0 : -1, end_x = axis == 0 ? last_x
                                                               : l.wraps ? g.nx - 1
                                                                         : g.nx;
    line_of_values b;
    b.m2 = two_along(l, f, c, i, -2, first_x, end_x);
    b.m1 = LOAD(f + c - 1);
    b.p1 = LOAD(f + c + 1);
    b.p2 = two_along(l, f, c, i, 2, first_x, end_x);
    if (cut)
        b = mend(b, own, row < two_along(l, columns + low, q, i, -2, first_x, end_x) + above,
                 row < LOAD(columns + q - 1 + low) + above,
                 row < LOAD(columns + q + 1 + low) + above,
                 row < two_along(l, columns + low, q, i, 2, first_x, end_x) + above);
    else
        b = mend(b, own, none, none, none, none);
    sum += balance(l, axis, 0, cut, c, step, 1, own, b, g.per_x, g.per_x, ax, u, nu);

    /* Along z. */
    const int first_z = axis == 2 || l.wraps ? 0 : -1, end_z = axis == 2 ? last_z
                                                               : l.wraps ? g.nz - 1
                                                                         : g.nz;
    const int far_m = plane_by(l, k - 2, first_z, end_z) - k,
              far_p = plane_by(l, k + 2, first_z, end_z) - k;
    b.m2 = LOAD(f + c + far_m * g.sz);
    b.m1 = LOAD(f + c - g.sz);
    b.p1 = LOAD(f + c + g.sz);
    b.p2 = LOAD(f + c + far_p * g.sz);
    if (cut) {
        global const float *lowest = columns + q + low;
        b = mend(b, own, row < LOAD(lowest + far_m * g.sy) + above,
                 row < LOAD(lowest - g.sy) + above, row < LOAD(lowest + g.sy) + above,
                 row < LOAD(lowest + far_p * g.sy) + above);
    } else
        b = mend(b, own, none, none, none, none);
    sum += balance(l, axis, 2, cut, c, step, g.sz, own, b, g.per_z, g.per_z, az, w, nu);

    /* Up: the values of cut rows belong to the middles of what is open of them. */
    real apart = axis == 1 ? (real)(g.hy)
                           : distance_of(g, a, (real)(row)) - distance_of(g, a, (real)(row - 1.0f));
    b.m2 = b.p2 = own; /* not looked at */
    b.m1 = LOAD(f + c - g.sy);
    b.p1 = LOAD(f + c + g.sy);
    const whole on_ground = row - 1.0f < a.lowest;
    b = mend(b, own, none, on_ground, EVERY(is_top && axis != 1), none);
    b.wide_low = b.wide_high = EVERY(true);
    if (cut) {
        const idx qs = axis == 0 ? 1 : axis == 2 ? (idx)g.sy : 0;
        whole steep = is_steep(m, columns, q) | is_steep(m, columns, q - qs);
        b.wide_low = (steep & (row - 1.0f <= a.lowest)) == 0;
        b.wide_high = (steep & (row <= a.lowest)) == 0;
        if (axis != 1) {
            b.wide_low = b.wide_low & (on_ground == 0);
            b.m1 = CHOOSE(on_ground, from_under(g, c, step, own, open, f, ay, v), b.m1);
        }
    }
    sum += balance(l, axis, 1, cut, c, step, g.sy, own, b, 1.0f / max(apart, 0.5f * g.hy), g.per_y,
                   ay, v, nu);

    /* The ground: stress drag * sampled velocity on its area. */
    if (j <= l.open_from) {
        const idx qs = axis == 0 ? 1 : axis == 2 ? (idx)g.sy : 0;
        whole n = i + LANE, first = axis == 0 ? n == 0 : EVERY(axis == 2 && k == 0);
        whole last = axis == 0 ? n == g.nx : EVERY(axis == 2 && k == g.nz);
        global const float *drags = walls + q + DRAG * m.plane;
        const idx round_ = axis == 0 ? g.nx - 1 : (idx)(g.nz - 1) * g.sy;
        real here = LOAD(drags), before = LOAD(drags - qs);
        before = CHOOSE(first, l.wraps ? LOAD(drags + round_) : here, before);
        here = CHOOSE(last, before, here);
        real area = j == 0 ? (real)(1.0f) : (real)(0.0f);
        if (!l.wraps) {
            real own_area = ground_area(g, c, ax, ay, az, is_top);
            real other = ground_area(g, c - step, ax, ay, az, is_top && axis != 1);
            area = 0.5f * (CHOOSE(last, other, own_area) + CHOOSE(first, own_area, other));
            if (axis != 1)
                area +=
                    CHOOSE(a.lowest == row,
                           LOAD(columns + q + (axis == 0 ? CARRIED_X : CARRIED_Z) * m.plane), 0.0f);
        }
        real sampled =
            axis == 1 ? own : LOAD(walls + q + (axis == 0 ? SAMPLE_X : SAMPLE_Z) * m.plane);
        sum -= 0.5f * area * (before + here) * g.per_y * sampled;
    }
    sum /= max(share_open, 0.25f);
    sum += axis == 1 ? 0.0f : drive[axis / 2];
    if (axis != 1 && !l.wraps) {
        whole at_low = axis == 0 ? i + LANE == 0 : EVERY(k == 0);
        whole at_high = axis == 0 ? i + LANE == g.nx : EVERY(k == g.nz);
        sum = CHOOSE(at_low, leaves(own, LOAD(f + c + step), (real)(-1.0f), per_step), sum);
        sum = CHOOSE(at_high, leaves(own, LOAD(f + c - step), (real)(1.0f), per_step), sum);
    }
    sum -= (LOAD(p + c) - LOAD(p + c - step)) * per_step;
    real new = clamp(LOAD(base + c) + dt * sum, -l.most[axis], l.most[axis]);
    if (axis != 1 && !l.wraps) {
        whole at_low = axis == 0 ? i + LANE == 0 : EVERY(k == 0);
        whole at_high = axis == 0 ? i + LANE == g.nx : EVERY(k == g.nz);
        new = CHOOSE(at_low, min(new, 0.0f), CHOOSE(at_high, max(new, 0.0f), new));
    }
    new = CHOOSE(held, CHOOSE(share_open == 0.0f, 0.0f, LOAD(base + c)), new);
    STORE_WHERE(i + LANE <= last_x, new, to + c);
}

#define STAGE(name, axis)                                                                          \
    kernel void name(les l, float dt, global const float *restrict columns,                        \
                     global const float *restrict walls, global const float *restrict drive,       \
                     global const uchar *restrict ax, global const uchar *restrict ay,             \
                     global const uchar *restrict az, global const float *restrict u,              \
                     global const float *restrict v, global const float *restrict w,               \
                     global const float *base, global const float *restrict p,                     \
                     global const float *restrict nu, global float *restrict to)                   \
    {                                                                                              \
        stage(l, axis, dt, columns, walls, drive, ax, ay, az, u, v, w, base, p, nu, to);           \
    }
STAGE(stage_x, 0)
STAGE(stage_y, 1)
STAGE(stage_z, 2)
