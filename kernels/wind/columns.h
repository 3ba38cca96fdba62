/* SPDX-License-Identifier: MIT */
/* Heights above the ground in cut cells, and values of neighbour columns at one's own height.
 *
 * A column is closed below its lowest open row.  That row's value belongs to the middle of what is
 * open of it; rows above to their middles, at least half a cell apart.  All is made of a few
 * numbers a column. */
#ifndef FOEHN_KERNEL_COLUMNS_H
#define FOEHN_KERNEL_COLUMNS_H

#include "grid.h"
#include "transport/lanes.h"
#include "wind/momentum.h"

/* What a profile has more than the logarithm at y = d + z0: foehn_minus_psi() for lanes, 0 where
 * the air is neutral. */
FOEHN_INLINE real stability(momentum m, real y)
{
    if (m.per_l == 0.0f)
        return (real)(0.0f);
    real zeta = y * m.per_l;
    if (m.per_l > 0.0f)
        return CHOOSE(zeta < 1.0f, 5.0f * zeta, 5.0f + 5.0f * log_of(max(zeta, 1.0f)));
    real square = sqrt(1.0f - 16.0f * zeta), x = sqrt(square);
    return 2.0f * atan(x) - 1.57079633f - 2.0f * log_of(0.5f * (1.0f + x)) -
           log_of(0.5f * (1.0f + square));
}

/* What is known of a column of one kind. */
typedef struct ground_column {
    real ground, lowest, distance, z0, logarithm, per_depth;
} ground_column;

FOEHN_INLINE ground_column column_at(momentum m, const int kind, global const float *columns, idx q)
{
    ground_column a;
    a.ground = LOAD(columns + q + (kind + GROUND) * m.plane);
    a.lowest = LOAD(columns + q + (kind + LOWEST) * m.plane);
    a.distance = LOAD(columns + q + (kind + DISTANCE) * m.plane);
    a.z0 = LOAD(columns + q + (kind + ROUGHNESS) * m.plane);
    a.logarithm = LOAD(columns + q + (kind + LOGARITHM) * m.plane);
    a.per_depth = LOAD(columns + q + (kind + PER_DEPTH) * m.plane);
    return a;
}

FOEHN_INLINE ground_column choose_column(whole condition, ground_column yes, ground_column no)
{
    ground_column a;
    a.ground = CHOOSE(condition, yes.ground, no.ground);
    a.lowest = CHOOSE(condition, yes.lowest, no.lowest);
    a.distance = CHOOSE(condition, yes.distance, no.distance);
    a.z0 = CHOOSE(condition, yes.z0, no.z0);
    a.logarithm = CHOOSE(condition, yes.logarithm, no.logarithm);
    a.per_depth = CHOOSE(condition, yes.per_depth, no.per_depth);
    return a;
}

/* Height above the ground of row j, m. */
FOEHN_INLINE real distance_of(foehn_grid g, ground_column a, real j)
{
    return max((j + 0.5f) * g.hy - a.ground, a.distance + 0.5f * g.hy * (j - a.lowest));
}

/* ln(1 + x) by its second Pade approximant, without the division: numerator and denominator. */
#define LOG_ABOVE(x) ((x) * (6.0f + 3.0f * (x)))
#define LOG_BELOW(x) (6.0f + (x) * (6.0f + (x)))

/* Where a height above the ground lies in a column: between a row and the next. */
typedef struct height_place {
    whole row;
    real share;  /* of the upper row, by height */
    real log;    /* and by ln(d + z0) */
    real shrunk; /* below the lowest row: the log law over that row's value; else 1 */
} height_place;

FOEHN_INLINE height_place place_in(foehn_grid g, ground_column a, real d)
{
    height_place p;
    /* By each of the two that distance_of() is the larger of.  Clamped again as an integer: lanes
     * beyond the box may hold anything, and must not lead out of the field. */
    real by_middle = (d + a.ground) * g.per_y - 0.5f;
    real by_least = a.lowest + 2.0f * g.per_y * (d - a.distance);
    p.row = clamp(TO_WHOLE(max(min(by_middle, by_least), a.lowest)), 0, g.ny - 2);
    real row = TO_REAL(p.row), low = distance_of(g, a, row), high = distance_of(g, a, row + 1.0f);
    real apart = high - low, t = clamp((d - low) / apart, 0.0f, 1.0f);
    real r = apart / (low + a.z0), x = t * r;
    p.share = t;
    p.log = LOG_ABOVE(x) * LOG_BELOW(r) / (LOG_BELOW(x) * LOG_ABOVE(r));
    p.shrunk = 1.0f;
    whole below = d < a.distance;
    if (ANY(below)) {
        real law = max(1.0f + log_of((d + a.z0) / (a.distance + a.z0)) / a.logarithm, 0.0f);
        p.shrunk = CHOOSE(below, law, 1.0f);
    }
    return p;
}

/* A velocity along the ground there: linear in ln(d + z0), so that the log law is exact and what is
 * read of it on slopes does not drag.  n: offsets of the columns' row 0. */
FOEHN_INLINE real log_value(foehn_grid g, height_place p, whole n, global const float *f)
{
    whole c = n + p.row * g.sy;
    real low = GATHER(f, c), high = GATHER(f + g.sy, c);
    return (low + p.log * (high - low)) * p.shrunk;
}

/* k or eps there: linear in height. */
FOEHN_INLINE real linear_value(foehn_grid g, height_place p, whole n, global const float *f)
{
    whole c = n + p.row * g.sy;
    real low = GATHER(f, c), high = GATHER(f + g.sy, c);
    return low + p.share * (high - low);
}

/* v, which lives at the rows' floors; between the ground and the lowest open one it stays as it is.
 */
FOEHN_INLINE real floor_value(foehn_grid g, ground_column a, real d, whole n, global const float *f)
{
    real y = (d + a.ground) * g.per_y;
    whole row = clamp(TO_WHOLE(max(y, a.lowest + 1.0f)), 0, g.ny - 1), c = n + row * g.sy;
    real t = clamp(y - TO_REAL(row), 0.0f, 1.0f), low = GATHER(f, c), high = GATHER(f + g.sy, c);
    return low + t * (high - low);
}

/* How much more diffusion goes up and down a column over ground with these slopes than over level
 * ground, at a height: levels follow the ground, and fade towards the lid.  At most as on 45
 * degrees: steeper ground is no layer's floor. */
FOEHN_INLINE real steepened(ground_column a, real height, real slope_x, real slope_z)
{
    real faded = 1.0f - clamp((height - a.ground) * a.per_depth, 0.0f, 1.0f);
    return 1.0f + faded * faded * min(slope_x * slope_x + slope_z * slope_z, 1.0f);
}

/* ---- neighbours along x or z ---- */

/* Columns of one kind beside one's own, before and after and two away on the upwind side, and the
 * offsets of their rows 0 from one's own plane's; past `low` and `high` the last one counts. */
typedef struct columns_beside {
    ground_column before, after, far;
    whole at_before, at_after, at_far;
} columns_beside;

FOEHN_INLINE columns_beside find_beside(momentum m, const int kind, const int along,
                                        global const float *columns, int i, int k, int low,
                                        int high, ground_column own, real speed)
{
    foehn_grid g = m.g;
    columns_beside b;
    idx q = column(g, i, k);
    whole forward = speed >= 0.0f;
    if (along == 0) {
        whole n = i + LANE;
        ground_column m2 = column_at(m, kind, columns, q - 2),
                      p2 = column_at(m, kind, columns, q + 2);
        b.before = choose_column(n > low, column_at(m, kind, columns, q - 1), own);
        b.after = choose_column(n < high, column_at(m, kind, columns, q + 1), own);
        ground_column back = choose_column(n > low + 1, m2, b.before);
        ground_column on = choose_column(n < high - 1, p2, b.after);
        b.far = choose_column(forward, back, on);
        b.at_before = max(n - 1, low);
        b.at_after = min(n + 1, high);
        whole far_back = max(n - 2, low), far_on = min(n + 2, high);
        b.at_far = select(far_on, far_back, forward);
    } else {
        int before = max(k - 1, low), after = min(k + 1, high);
        int back = max(k - 2, low), on = min(k + 2, high);
        b.before = column_at(m, kind, columns, column(g, i, before));
        b.after = column_at(m, kind, columns, column(g, i, after));
        b.far = choose_column(forward, column_at(m, kind, columns, column(g, i, back)),
                              column_at(m, kind, columns, column(g, i, on)));
        b.at_before = i + LANE + (before - k) * g.sz;
        b.at_after = i + LANE + (after - k) * g.sz;
        whole far_back = i + LANE + (back - k) * g.sz, far_on = i + LANE + (on - k) * g.sz;
        b.at_far = select(far_on, far_back, forward);
    }
    return b;
}

/* ---- limited reconstruction ---- */

/* Beyond the value `own`, towards `down`, half a cell on: Koren 1993, the limited third-order
 * scheme. */
FOEHN_INLINE real koren(real up, real own, real down)
{
    real a = own - up, b = down - own, x = fabs(a), y = fabs(b);
    real most = min(min(x, y), (x + 2.0f * y) * (1.0f / 6.0f));
    return CHOOSE(a * b > 0.0f, CHOOSE(a > 0.0f, most, -most), 0.0f);
}

/* The same by van Leer 1974, second order. */
FOEHN_INLINE real van_leer(real up, real own, real down)
{
    real a = own - up, b = down - own, both = a * b;
    whole same = both > 0.0f;
    return CHOOSE(same, both / CHOOSE(same, a + b, 1.0f), 0.0f);
}

/* -U df/dx from the upwind side: far, up and down are the values two and one cell upwind and one
 * downwind. */
#define CARRIED(speed, per_h, limited, far, up, own, down)                                         \
    (-fabs(speed) * (per_h) * ((own) + limited(up, own, down) - (up)-limited(far, up, own)))

/* ---- faces ---- */

/* Mean of two faces' values over those that are open. */
FOEHN_INLINE real between(idx c, idx step, global const uchar *open, global const float *f)
{
    real a = CHOOSE(LOAD_BYTES(open + c) > 0.0f, 1.0f, 0.0f);
    real b = CHOOSE(LOAD_BYTES(open + c + step) > 0.0f, 1.0f, 0.0f);
    return (a * LOAD(f + c) + b * LOAD(f + c + step)) / max(a + b, 1.0f);
}

/* The same of four faces around another one. */
FOEHN_INLINE real around(idx c, idx a, idx b, global const uchar *open, global const float *f)
{
    real w0 = CHOOSE(LOAD_BYTES(open + c) > 0.0f, 1.0f, 0.0f);
    real w1 = CHOOSE(LOAD_BYTES(open + c + a) > 0.0f, 1.0f, 0.0f);
    real w2 = CHOOSE(LOAD_BYTES(open + c + b) > 0.0f, 1.0f, 0.0f);
    real w3 = CHOOSE(LOAD_BYTES(open + c + a + b) > 0.0f, 1.0f, 0.0f);
    return (w0 * LOAD(f + c) + w1 * LOAD(f + c + a) + w2 * LOAD(f + c + b) +
            w3 * LOAD(f + c + a + b)) /
           max(w0 + w1 + w2 + w3, 1.0f);
}

/* Openness of a cell's four sides together, 0 to 4. */
FOEHN_INLINE real open_sides(foehn_grid g, idx c, global const uchar *ax, global const uchar *az)
{
    return LOAD_OPEN(ax + c) + LOAD_OPEN(ax + c + 1) + LOAD_OPEN(az + c) + LOAD_OPEN(az + c + g.sz);
}

/* Area of the ground in a cell over that of its floor: what its open faces leave of the sum of
 * their areas. */
FOEHN_INLINE real ground_area(foehn_grid g, idx c, global const uchar *ax, global const uchar *ay,
                              global const uchar *az, bool top)
{
    real x0 = LOAD_OPEN(ax + c), x1 = LOAD_OPEN(ax + c + 1), z0 = LOAD_OPEN(az + c);
    real z1 = LOAD_OPEN(az + c + g.sz), upper = top ? (real)(1.0f) : LOAD_OPEN(ay + c + g.sy);
    real y = upper - LOAD_OPEN(ay + c);
    real x = (x1 - x0) * g.hy * g.per_x, z = (z1 - z0) * g.hy * g.per_z;
    real area = sqrt(x * x + y * y + z * z);
    return CHOOSE((x0 + x1 + z0 + z1 > 0.0f) & (area > 0.004f), area, 0.0f);
}

#endif
