/* SPDX-License-Identifier: MIT */
/* Turbulence of the momentum model: k with eps (Launder and Spalding 1974) or with a length.
 * Launched by lib/wind/momentum.c.
 *
 *   dk/dt + u . grad k = P - eps + div(nu / sigma_k grad k) ,                nu = c0^4 k^2 / eps
 *   deps/dt + u . grad eps = (c1 P - c2 eps) eps / k + div(nu / sigma_eps grad eps)
 *                            + 12 c0^2 (c2 - c1) Cd a |u| eps among trees
 *
 * Where the air is not neutral buoyancy takes Rf P of what shear makes (wind/surface_layer.h); or,
 * with the length l = 0.4 (d + z0), by phi_m((d + z0) / L) where the air is not neutral:  nu =
 * c0 sqrt(k) l ,  eps = c0^3 k^1.5 / l.
 *
 * Lengths on y faces are logarithmic means of the two cells', so that nu du/dy of the log law is
 * u*^2 to rounding; production and decay of a cell are means of its two faces'; and the decay of
 * eps is corrected by what the difference of eps on the grid departs from its derivative in a log
 * column.  In air that is not neutral both equations have what diffuses in the undisturbed column's
 * k and eps instead.  So the undisturbed column is the solution of the discrete equations, on any
 * grid. */
#include "wind/columns.h"
#include "wind/surface_layer.h"

#define LEAST_K 1e-6f   /* m2/s2 */
#define LEAST_EPS 1e-9f /* m2/s3 */
#define LEAST_NU 1e-9f  /* m2/s */
/* 0.6 / sqrt(3), Durbin 1996; beyond 1 / sqrt(3) the variance of a component may fall below 0. */
#define MOST_PRODUCING 0.34641016f
#define MOST_RATIO 8.0f /* of the length to that of the log law */

/* Mean of 0.4 (d + z0) between two heights, by which the log law's difference quotient is exact. */
FOEHN_INLINE real mean_length(momentum m, real low, real high, real z0)
{
    real apart = log_of((high + z0) / (low + z0));
    if (m.per_l != 0.0f)
        apart += stability(m, high + z0) - stability(m, low + z0);
    return VON_KARMAN * (high - low) / apart;
}

/* nu of the log column's length times this is nu of k and eps. */
FOEHN_INLINE real length_ratio(momentum m, real k, real eps, real length)
{
    real limited = max(k, LEAST_K);
    return m.c0 * m.c0 * m.c0 * limited * sqrt(limited) / (max(eps, LEAST_EPS) * length);
}

/* On y faces: eddy viscosity, and the velocity relative to the terrain-following level, both for
 * what lies between cells j - 1 and j. */
kernel void viscosity(momentum m, global const float *restrict columns,
                      global const uchar *restrict ax, global const uchar *restrict ay,
                      global const uchar *restrict az, global const float *restrict u,
                      global const float *restrict v, global const float *restrict w,
                      global const float *restrict k_field, global const float *restrict eps,
                      global float *restrict nu, global float *restrict slip)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j > g.ny || k >= g.nz)
        return;
    const float row = (float)j;
    const bool is_top = j == g.ny;
    idx c = at(g, i, j, k), q = column(g, i, k), low = j > 0 ? c - g.sy : c,
        high = is_top ? low : c;
    ground_column a = column_at(m, AT_CELLS, columns, q);
    real cosine = LOAD(columns + q + COSINE * m.plane);
    whole has_below = row > a.lowest;
    real d_low = distance_of(g, a, (real)(row - 1.0f));
    real d_high = is_top ? d_low + g.hy : distance_of(g, a, (real)(row));
    real k_high = LOAD(k_field + high), eps_high = LOAD(eps + high);
    real k_low = CHOOSE(has_below, LOAD(k_field + low), k_high), eps_low = LOAD(eps + low);
    real face = max(row * g.hy - a.ground, 0.02f * g.hy);
    real length = cosine * CHOOSE(has_below, mean_length(m, max(d_low, 0.0f), d_high, a.z0),
                                  VON_KARMAN * (face + a.z0));
    real upper = length_ratio(m, k_high, eps_high, VON_KARMAN * (d_high * cosine + a.z0));
    real lower = length_ratio(m, k_low, eps_low, VON_KARMAN * (d_low * cosine + a.z0));
    if (is_stratified(m)) {
        surface_layer l = surface_layer_at(m, max(d_low, 0.0f) * cosine + a.z0);
        surface_layer h = surface_layer_at(m, d_high * cosine + a.z0);
        upper *= h.stretch;
        lower *= l.stretch;
        real high_root = is_top ? l.root : h.root;
        length /= sqrt(0.5f * (high_root + CHOOSE(has_below, l.root, high_root)));
    }
    real ratio = is_top ? lower : CHOOSE(has_below, 0.5f * (lower + upper), upper);
    ratio = m.closes ? min(ratio, MOST_RATIO) : (real)(1.0f);
    real found = m.c0 * sqrt(max(0.5f * (k_low + k_high), 0.0f)) * length * ratio;
    const whole inside_row = i + LANE < g.nx;
    STORE_WHERE(inside_row, CHOOSE(row >= a.lowest, found, 0.0f), nu + c);

    real u_here = between(c, 1, ax, u), w_here = between(c, g.sz, az, w);
    real u_low = CHOOSE(has_below, between(low, 1, ax, u), u_here);
    real w_low = CHOOSE(has_below, between(low, g.sz, az, w), w_here);
    real along = 0.5f * (u_here + u_low) * LOAD(columns + q + SLOPE_X * m.plane) +
                 0.5f * (w_here + w_low) * LOAD(columns + q + SLOPE_Z * m.plane);
    real faded = 1.0f - clamp((row * g.hy - a.ground) * a.per_depth, 0.0f, 1.0f);
    STORE_WHERE(inside_row, LOAD_OPEN(ay + c) * (LOAD(v + c) - faded * along), slip + c);
}

/* Half the difference of v's neighbours along x or z, own values where one is ground or beyond a
 * side. */
FOEHN_INLINE real v_across(idx c, idx step, whole n, int last, real own, global const uchar *ay,
                           global const float *v)
{
    whole after = (n < last) & (LOAD_BYTES(ay + c + step) > 0.0f);
    whole before = (n > 0) & (LOAD_BYTES(ay + c - step) > 0.0f);
    return 0.5f *
           (CHOOSE(after, LOAD(v + c + step), own) - CHOOSE(before, LOAD(v + c - step), own));
}

/* Square of the shear of a y face: that of the horizontal velocity and of v along x and z. */
FOEHN_INLINE real face_shear(foehn_grid g, idx c, int i, int k, real apart, real u_low, real w_low,
                             real u_high, real w_high, global const uchar *ay,
                             global const float *v)
{
    real own = LOAD(v + c);
    real x = (u_high - u_low) / apart + v_across(c, 1, i + LANE, g.nx - 1, own, ay, v) * g.per_x;
    real z =
        (w_high - w_low) / apart + v_across(c, g.sz, (whole)(k), g.nz - 1, own, ay, v) * g.per_z;
    return x * x + z * z;
}

/* Half the difference of a cell velocity's neighbours, own values where one is ground or beyond a
 * side. */
FOEHN_INLINE real across(foehn_grid g, idx c, whole n, int last, idx step, idx faces, real own,
                         global const uchar *ax, global const uchar *az, global const uchar *open,
                         global const float *f)
{
    whole after = (n < last) & (open_sides(g, c + step, ax, az) > 0.0f);
    whole before = (n > 0) & (open_sides(g, c - step, ax, az) > 0.0f);
    return 0.5f * (CHOOSE(after, between(c + step, faces, open, f), own) -
                   CHOOSE(before, between(c - step, faces, open, f), own));
}

/* Both scalars' changes by what the wind brings along x or z and by diffusion from there. */
FOEHN_INLINE void scalars_beside(momentum m, const int along, global const float *columns,
                                 global const float *k_field, global const float *eps, int i, int k,
                                 ground_column a, real share, real own_k, real own_eps, real speed,
                                 real nu, real *sum_k, real *sum_eps)
{
    foehn_grid g = m.g;
    const float per_h = along == 0 ? g.per_x : g.per_z;
    columns_beside b =
        find_beside(m, AT_CELLS, along, columns, i, k, along == 0 ? m.low_x : m.low_z,
                    along == 0 ? m.high_x : m.high_z, a, speed);
    global const float *plane_k = k_field + at(g, 0, 0, k), *plane_eps = eps + at(g, 0, 0, k);
    height_place p = place_in(g, b.before, share / b.before.per_depth);
    real before_k = linear_value(g, p, b.at_before, plane_k);
    real before_eps = linear_value(g, p, b.at_before, plane_eps);
    p = place_in(g, b.after, share / b.after.per_depth);
    real after_k = linear_value(g, p, b.at_after, plane_k);
    real after_eps = linear_value(g, p, b.at_after, plane_eps);
    p = place_in(g, b.far, share / b.far.per_depth);
    real far_k = linear_value(g, p, b.at_far, plane_k);
    real far_eps = linear_value(g, p, b.at_far, plane_eps);
    whole forward = speed >= 0.0f;
    real spread = nu * per_h * per_h;
    real up = CHOOSE(forward, before_k, after_k), down = CHOOSE(forward, after_k, before_k);
    *sum_k += CARRIED(speed, per_h, van_leer, far_k, up, own_k, down) +
              m.per_sigma_k * spread * (up - 2.0f * own_k + down);
    up = CHOOSE(forward, before_eps, after_eps);
    down = CHOOSE(forward, after_eps, before_eps);
    *sum_eps += CARRIED(speed, per_h, van_leer, far_eps, up, own_eps, down) +
                m.per_sigma_eps * spread * (up - 2.0f * own_eps + down);
}

/* Up and down the column: what the limited scheme adds to the upwind value. */
FOEHN_INLINE real along_column(foehn_grid g, idx c, int j, real own, ground_column a, real rising,
                               real below, global const float *f)
{
    const float row = (float)j;
    whole is_bottom = row <= a.lowest, is_second = row - 1.0f <= a.lowest;
    real m1 = CHOOSE(is_bottom, own, LOAD(f + c - g.sy));
    real m2 = CHOOSE(is_second, m1, LOAD(f + c - (j > 0 ? 2 * g.sy : 0)));
    real p1 = j == g.ny - 1 ? own : LOAD(f + c + g.sy);
    real p2 = j >= g.ny - 2 ? p1 : LOAD(f + c + 2 * g.sy);
    real upper = CHOOSE(rising >= 0.0f, van_leer(m1, own, p1), van_leer(p2, p1, own));
    real lower = CHOOSE(below >= 0.0f, van_leer(m2, m1, own), van_leer(p1, own, m1));
    real through = j == g.ny - 1 ? (real)(0.0f) : rising * upper;
    return (CHOOSE(is_bottom, 0.0f, below * lower) - through) * g.per_y;
}

kernel void turbulence(momentum m, global const float *restrict clock,
                       global const float *restrict columns, global const float *restrict walls,
                       global const uchar *restrict ax, global const uchar *restrict ay,
                       global const uchar *restrict az, global const float *restrict u,
                       global const float *restrict v, global const float *restrict w,
                       global const float *restrict nu, global const float *restrict slip,
                       global const float *restrict trees, global const float *restrict k_field,
                       global const float *restrict eps, global float *restrict out_k,
                       global float *restrict out_eps, global float *restrict extra_k,
                       global float *restrict extra_eps)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j >= g.ny || k >= g.nz)
        return;
    const float dt = clock[0], row = (float)j;
    const bool is_top = j == g.ny - 1;
    idx c = at(g, i, j, k), q = column(g, i, k), top = c + g.sy, low = j > 0 ? c - g.sy : c;
    idx high = is_top ? c : top;
    ground_column a = column_at(m, AT_CELLS, columns, q);
    real cosine = LOAD(columns + q + COSINE * m.plane), own_k = LOAD(k_field + c),
         own_eps = LOAD(eps + c);
    whole is_bottom = row <= a.lowest;
    real d = max(distance_of(g, a, (real)(row)), a.distance); /* under the lowest row as in it */
    real d_low = CHOOSE(is_bottom, 0.0f, distance_of(g, a, (real)(row - 1.0f)));
    real d_high = is_top ? d + g.hy : max(distance_of(g, a, (real)(row + 1.0f)), d + 0.5f * g.hy);

    /* Next to the ground the length is that of the log law, k is made by the ground's stress in the
     * log law's shear, and both are means over the cell: 1/y by its integral.  A sliver under such
     * a cell has the same k. */
    const float c3 = m.c0 * m.c0 * m.c0;
    whole is_wall = is_bottom | (d < 0.75f * g.hy), is_sliver = is_wall & (d_high < 0.75f * g.hy);
    real wall_k = max(CHOOSE(is_sliver, LOAD(k_field + high), own_k), LEAST_K);
    real wall_eps = c3 * wall_k * sqrt(wall_k) / (VON_KARMAN * (d * cosine + a.z0));
    real deep = 2.0f * d * cosine, inverse_mean = log_of(1.0f + deep / a.z0) / (VON_KARMAN * deep);
    real friction2 = LOAD(walls + q + FRICTION2 * m.plane);

    real length_low = mean_length(m, d_low, d, a.z0), length_high = mean_length(m, d, d_high, a.z0);
    real nu_low = LOAD(nu + c), nu_high = LOAD(nu + top), nu_here = 0.5f * (nu_low + nu_high);

    /* Production: the shear of y faces there, the rest at the centre. */
    real u_here = between(c, 1, ax, u), w_here = between(c, g.sz, az, w);
    real u_below = CHOOSE(is_bottom, u_here, between(low, 1, ax, u));
    real w_below = CHOOSE(is_bottom, w_here, between(low, g.sz, az, w));
    real u_above = between(high, 1, ax, u), w_above = between(high, g.sz, az, w);
    real below = nu_low * face_shear(g, c, i, k, max(d - d_low, 0.1f * g.hy), u_below, w_below,
                                     u_here, w_here, ay, v);
    real above =
        nu_high * face_shear(g, top, i, k, d_high - d, u_here, w_here, u_above, w_above, ay, v);
    if (is_top) {
        real lid = m.friction / (cosine * length_high);
        above = m.c0 * sqrt(max(own_k, 0.0f)) * cosine * length_high * lid * lid;
    }
    whole both_x = (LOAD_BYTES(ax + c) > 0.0f) & (LOAD_BYTES(ax + c + 1) > 0.0f);
    whole both_z = (LOAD_BYTES(az + c) > 0.0f) & (LOAD_BYTES(az + c + g.sz) > 0.0f);
    real xx = CHOOSE(both_x, (LOAD(u + c + 1) - LOAD(u + c)) * g.per_x, 0.0f);
    real zz = CHOOSE(both_z, (LOAD(w + c + g.sz) - LOAD(w + c)) * g.per_z, 0.0f);
    real yy = CHOOSE(is_bottom, 0.0f, (LOAD(v + top) - LOAD(v + c)) * g.per_y);
    real xz = across(g, c, (whole)(k), g.nz - 1, g.sz, 1, u_here, ax, az, ax, u) * g.per_z +
              across(g, c, i + LANE, g.nx - 1, 1, g.sz, w_here, ax, az, az, w) * g.per_x;
    real production =
        0.5f * (below + above) + nu_here * (2.0f * (xx * xx + yy * yy + zz * zz) + xz * xz);
    /* Where the wind stagnates it is strained without shear, of which nu S^2 makes far too much k:
     * no more than a viscosity of MOST_PRODUCING k / S does, S^2 = production / nu. */
    real strained = sqrt(max(production * nu_here, LEAST_EPS * LEAST_NU));
    real limit = min(MOST_PRODUCING * own_k / strained, 1.0f);
    below *= limit;
    above *= limit;
    production *= limit;
    production = CHOOSE(is_wall, friction2 * sqrt(friction2) * inverse_mean, production);
    if (is_stratified(m)) {
        surface_layer here = surface_layer_at(m, d + a.z0);
        real others = production - 0.5f * (below + above);
        below *= surface_layer_at(m, 0.5f * (d_low + d) + a.z0).left;
        above *= surface_layer_at(m, 0.5f * (d + d_high) + a.z0).left;
        if (is_top)
            above /= sqrt(here.root);
        production =
            CHOOSE(is_wall, production * here.left, 0.5f * (below + above) + others * here.left);
    }

    /* Decay.  uneven: the mean of 1 / l on the two faces over 1 / l here; spread: the discrete
     * second difference of eps in a log column over its derivative. */
    real y = d + a.z0, inverse = 1.0f / length_low + 1.0f / length_high;
    real uneven = clamp(0.5f * VON_KARMAN * y * inverse, 0.5f, 3.0f);
    real spread =
        y * (length_low / (d_low + a.z0) - length_high / (d_high + a.z0)) * (g.per_y / VON_KARMAN);
    spread = clamp(spread, 0.3f, 3.0f);
    real safe_k = max(own_k, LEAST_K), rate = max(own_eps, LEAST_EPS) / safe_k;
    real decay_k = m.closes ? rate * uneven : c3 * sqrt(safe_k) * 0.5f * inverse / cosine;
    decay_k = CHOOSE(is_wall, c3 * sqrt(safe_k) * inverse_mean, decay_k);
    real decay_eps = rate * (m.c1 * uneven + (m.c2 - m.c1) * spread);
    real lid_k = 0.0f,
         lid_eps = 0.0f; /* of the undisturbed column, what diffuses through its upper end */
    if (is_stratified(m)) {
        surface_layer here = surface_layer_at(m, y), lower = surface_layer_at(m, d_low + a.z0),
                      higher = surface_layer_at(m, d_high + a.z0);
        real made = surface_layer_at(m, 0.5f * (d_low + d) + a.z0).left / length_low +
                    surface_layer_at(m, 0.5f * (d + d_high) + a.z0).left / length_high;
        real per_decay = g.per_y * g.per_y / (m.c0 * m.c0 * here.decay);
        real k_in = length_high * (higher.root - here.root) - length_low * (here.root - lower.root);
        real eps_in =
            length_high * (higher.decay - here.decay) - length_low * (here.decay - lower.decay);
        uneven = clamp(0.5f * made / here.decay, 0.5f, 3.0f);
        k_in = clamp(m.per_sigma_k * k_in * per_decay, -0.5f, 3.0f);
        eps_in = clamp(m.per_sigma_eps * eps_in * per_decay * here.root / here.decay, -0.5f, 3.0f);
        decay_k = CHOOSE(is_wall, decay_k * sqrt(here.root), rate * (uneven + k_in));
        decay_eps = rate * (m.c1 * uneven + eps_in);
        wall_eps *= surface_layer_at(m, d * cosine + a.z0).stretch;
        lid_k = length_high * (higher.root - here.root);
        lid_eps = higher.decay - here.decay;
    }

    real sum_k = production, sum_eps = m.c1 * production * rate;
    real share = min(d * a.per_depth, 1.0f);
    scalars_beside(m, 0, columns, k_field, eps, i, k, a, share, own_k, own_eps, u_here, nu_here,
                   &sum_k, &sum_eps);
    scalars_beside(m, 2, columns, k_field, eps, i, k, a, share, own_k, own_eps, w_here, nu_here,
                   &sum_k, &sum_eps);
    real slip_top = LOAD(slip + top), slip_floor = LOAD(slip + c);
    sum_k += along_column(g, c, j, own_k, a, slip_top, slip_floor, k_field);
    sum_eps += along_column(g, c, j, own_eps, a, slip_top, slip_floor, eps);
    if (m.canopy) { /* what trees stir is small and decays at once (Sogachev and Panferov 2006) */
        real stirred = 12.0f * m.c0 * m.c0 * (m.c2 - m.c1) * LOAD(trees + c) *
                       sqrt(u_here * u_here + w_here * w_here);
        sum_eps += min(stirred, 0.5f / dt) * own_eps;
    }
    if (is_top) { /* what eps of the undisturbed column loses through the lid */
        float u3 = m.friction * m.friction * m.friction / VON_KARMAN;
        real apart = 1.0f / (d_high + m.z0) - 1.0f / (d + m.z0);
        if (is_stratified(m)) {
            apart = VON_KARMAN * lid_eps;
            sum_k += m.per_sigma_k * VON_KARMAN * u3 / (m.c0 * m.c0) * lid_k * g.per_y * g.per_y;
        }
        sum_eps += m.per_sigma_eps * m.friction * length_high * u3 * apart * g.per_y * g.per_y;
    }

    const whole inside_row = i + LANE < g.nx;
    real diffused = 2.0f * nu_here * (g.per_x * g.per_x + g.per_z * g.per_z);
    real diffused_k = m.per_sigma_k * diffused, diffused_eps = m.per_sigma_eps * diffused;
    STORE_WHERE(inside_row, CHOOSE(is_sliver, wall_k, own_k + dt * (sum_k + diffused_k * own_k)),
                out_k + c);
    STORE_WHERE(inside_row,
                CHOOSE(is_wall, wall_eps, own_eps + dt * (sum_eps + diffused_eps * own_eps)),
                out_eps + c);
    STORE_WHERE(inside_row, CHOOSE(is_sliver, -1.0f, dt * (decay_k + diffused_k)), extra_k + c);
    STORE_WHERE(inside_row, CHOOSE(is_wall, -1.0f, dt * (decay_eps + diffused_eps)), extra_eps + c);
}

/* sqrt(2/3 k): the root mean square of one component, where other models keep their noise. */
kernel void fluctuation(foehn_grid g, global const float *k_field, global float *rms)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j >= g.ny || k >= g.nz)
        return;
    idx c = at(g, i, j, k);
    rms[c] = sqrt(max(k_field[c], 0.0f) * (2.0f / 3.0f));
}
