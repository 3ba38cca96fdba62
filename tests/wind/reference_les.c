/* SPDX-License-Identifier: MIT */
/* See reference_les.h. */
#include "wind/reference_les.h"

#include <math.h>
#include <stdbool.h>

#define KAPPA 0.4

static double value(const rl_step *t, const float *f, const int at[3])
{
    return (double)f[rm_at(&t->s, at[0], at[1], at[2])];
}

static double share_open(const rl_step *t, int axis, const int at[3])
{
    return t->s.open[axis][rm_at(&t->s, at[0], at[1], at[2])] / 255.0;
}

static double plane(const rl_step *t, const float *planes, int which, int i, int k)
{
    return (double)planes[rm_column(&t->s, i, k) + (size_t)which * (size_t)t->s.m.plane];
}

static int kind_of(int axis)
{
    return axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS;
}

static double lowest_of(const rl_step *t, int kind, int i, int k)
{
    return plane(t, t->s.columns, kind + LOWEST, i, k);
}

static double spacing(const rl_step *t, int axis)
{
    return (double)(axis == 0 ? t->s.m.g.hx : axis == 1 ? t->s.m.g.hy : t->s.m.g.hz);
}

static int cells(const rl_step *t, int axis)
{
    return axis == 0 ? t->s.m.g.nx : axis == 1 ? t->s.m.g.ny : t->s.m.g.nz;
}

static void move(const int from[3], int axis, int by, int to[3])
{
    for (int a = 0; a < 3; a++)
        to[a] = from[a] + (a == axis ? by : 0);
}

/* ---- viscosity ---- */

static bool is_air(const rl_step *t, const int at[3])
{
    return at[1] >= lowest_of(t, AT_CELLS, at[0], at[2]);
}

/* Whether a neighbour's value is looked at: in rows that the ground cuts, of cells of this box that
 * are air. */
static bool counts(const rl_step *t, const int at[3])
{
    if (t->l.wraps || at[1] >= t->l.open_from + 3)
        return true;
    return is_air(t, at) && at[0] >= 0 && at[0] < cells(t, 0) && at[2] >= 0 && at[2] < cells(t, 2);
}

/* A component at a cell's middle: the mean of its open faces. */
static double centre(const rl_step *t, int axis, const int at[3])
{
    int next[3];
    move(at, axis, 1, next);
    double low = value(t, t->s.u[axis], at), high = value(t, t->s.u[axis], next);
    if (axis == 1)
        return 0.5 * (low + high);
    const bool a = share_open(t, axis, at) > 0, b = share_open(t, axis, next) > 0;
    if (t->l.wraps || at[1] >= t->l.open_from + 3 || (a && b))
        return 0.5 * (low + high);
    return a ? low : b ? high : 0;
}

/* d u_axis / d x_along at a cell's middle. */
static double slope(const rl_step *t, int axis, int along, const int at[3])
{
    int low[3], high[3];
    move(at, along, -1, low);
    move(at, along, 1, high);
    if (axis == along)
        return (value(t, t->s.u[axis], high) - value(t, t->s.u[axis], at)) / spacing(t, axis);
    if (along != 1) { /* a neighbour that does not count is as one's own */
        const double own = centre(t, axis, at);
        const double before = counts(t, low) ? centre(t, axis, low) : own;
        const double after = counts(t, high) ? centre(t, axis, high) : own;
        return 0.5 * (after - before) / spacing(t, along);
    }
    /* Up: over the thickness for which the log law's difference is exact. */
    const bool has_below = at[1] > lowest_of(t, AT_CELLS, at[0], at[2]),
               has_above = at[1] < cells(t, 1) - 1;
    const double d = rm_distance(&t->s, AT_CELLS, at[0], at[1], at[2]);
    const double d_low =
        has_below ? fmax(rm_distance(&t->s, AT_CELLS, at[0], at[1] - 1, at[2]), 0) : d;
    const double d_high = has_above ? rm_distance(&t->s, AT_CELLS, at[0], at[1] + 1, at[2]) : d;
    const double z0 = plane(t, t->s.columns, AT_CELLS + ROUGHNESS, at[0], at[2]);
    const double thick = (d + z0) * log((d_high + z0) / (d_low + z0));
    if (!(thick > 0))
        return 0;
    return (centre(t, axis, has_above ? high : at) - centre(t, axis, has_below ? low : at)) / thick;
}

/* Does the ground's lowest row change to one of the four columns around, and lies the cell at most
 * one above the highest of them? */
static bool is_beside_step(const rl_step *t, int i, int j, int k)
{
    double lowest = lowest_of(t, AT_CELLS, i, k), highest = lowest;
    const int around[4][2] = {{i - 1, k}, {i + 1, k}, {i, k - 1}, {i, k + 1}};
    for (int n = 0; n < 4; n++) {
        const int x = around[n][0], z = around[n][1];
        if (x < 0 || z < 0 || x >= cells(t, 0) || z >= cells(t, 2))
            continue;
        lowest = fmin(lowest, lowest_of(t, AT_CELLS, x, z));
        highest = fmax(highest, lowest_of(t, AT_CELLS, x, z));
    }
    return highest > lowest && j <= highest + 1;
}

double rl_viscosity(const rl_step *t, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    if (!is_air(t, at))
        return 0;
    double g[3][3], strain[3][3], squares = 0, strains = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            g[a][b] = slope(t, a, b, at);
            squares += g[a][b] * g[a][b];
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            strain[a][b] = 0.5 * (g[a][b] + g[b][a]);
            strains += 2 * strain[a][b] * strain[a][b];
        }
    double least = 0;
    if (t->l.amd) {
        const double filter[3] = {(double)t->l.cx, (double)t->l.cy, (double)t->l.cz};
        double made = 0;
        for (int m = 0; m < 3; m++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    made -= filter[m] * g[a][m] * g[b][m] * strain[a][b];
        least = fmax(made, 0) / fmax(squares, 1e-20);
        if (t->l.wraps || j >= t->l.open_from + 3 || !is_beside_step(t, i, j, k))
            return fmin(least, (double)t->l.stiffest);
    }
    const double d = rm_distance(&t->s, AT_CELLS, i, j, k);
    const double wall = KAPPA * (d * plane(t, t->s.columns, COSINE, i, k) +
                                 plane(t, t->s.columns, AT_CELLS + ROUGHNESS, i, k));
    const double length = (double)t->l.length;
    const double found = fmax(least, sqrt(strains) / (1 / (length * length) + 1 / (wall * wall)));
    return fmin(found, (double)t->l.stiffest);
}

/* ---- a stage ---- */

/* Where a value beyond the box's sides stands: at the far end, or at the last that there is. */
static int within(const rl_step *t, int axis, int along, int n)
{
    const int count = cells(t, along);
    if (t->l.wraps)
        return (n + count) % count;
    const int low = axis == along ? 0 : -1;
    return n < low ? low : n > count ? count : n;
}

/* Values on a line through a face, two before to two after it, those in the ground or above the lid
 * replaced by the next one towards it; which of them are air. */
static void line(const rl_step *t, int axis, int along, const int at[3], double v[5], bool air[5])
{
    const bool cut = !t->l.wraps && at[1] < t->l.open_from + 3;
    const int top = cells(t, 1) - (axis == 1 ? 0 : 1);
    for (int n = -2; n <= 2; n++) {
        int there[3];
        move(at, along, n, there);
        if (along != 1 && (n == 2 || n == -2))
            there[along] = within(t, axis, along, there[along]);
        const double floor_row =
            lowest_of(t, kind_of(axis), there[0], there[2]) + (axis == 1 && along != 1 ? 1 : 0);
        /* An open face is air, also under a row with too little of it to be a column's lowest, and
         * so is what lies above it. */
        air[n + 2] = along == 1 ? (n >= 0 || there[1] >= floor_row) && there[1] <= top
                                : n == 0 || !cut || there[1] >= floor_row;
        const bool exists = along != 1 || (there[1] >= -1 && there[1] <= cells(t, 1));
        v[n + 2] = exists ? value(t, t->s.u[axis], there) : 0;
    }
    for (int side = -1; side <= 1; side += 2) {
        if (!air[2 + side])
            v[2 + side] = v[2];
        if (!air[2 + side] || !air[2 + 2 * side])
            v[2 + 2 * side] = v[2 + side];
    }
}

/* What a flux carries between the second and the third of four values; not wide: beside closed
 * faces. */
static double carried(const rl_step *t, double flux, bool wide, bool level, const double v[4])
{
    const double mean = 0.5 * (v[1] + v[2]), up = (double)t->l.upwind;
    if (!wide)
        return (1 - up) * mean + up * (flux < 0 ? v[2] : v[1]);
    return level ? (7 * (v[1] + v[2]) - v[0] - v[3]) / 12 : mean;
}

/* Does the ground rise by more than two rows within one of the columns beside a face? */
static bool is_steep(const rl_step *t, int axis, const int at[3])
{
    double most = 0;
    for (int side = 0; side < 2; side++) {
        int there[3];
        move(at, axis, axis == 1 ? 0 : side - 1, there);
        const double x = plane(t, t->s.columns, SLOPE_X, there[0], there[2]) * spacing(t, 0),
                     z = plane(t, t->s.columns, SLOPE_Z, there[0], there[2]) * spacing(t, 2);
        most = fmax(most, fabs(x) + fabs(z));
    }
    return most > 2 * spacing(t, 1);
}

/* The wind along an axis of the cells that air comes up from through a closed face's row. */
static double from_under(const rl_step *t, int axis, const int at[3])
{
    double sum = 0, weight = 0;
    for (int side = 0; side < 2; side++) {
        int cell[3], under[3];
        move(at, axis, side - 1, cell);
        move(cell, 1, -1, under);
        const double rises = fmax(share_open(t, 1, cell) * value(t, t->s.u[1], cell), 0);
        weight += rises;
        sum += rises * centre(t, axis, under);
    }
    return weight > 0 ? sum / weight : value(t, t->s.u[axis], at);
}

/* Openness times velocity along d, on the mean of the two faces before and behind a place. */
static double flux(const rl_step *t, int axis, int d, bool cut, const int at[3])
{
    int before[3];
    move(at, axis, -1, before);
    double a = value(t, t->s.u[d], before), b = value(t, t->s.u[d], at);
    return cut ? 0.5 * (share_open(t, d, before) * a + share_open(t, d, at) * b) : 0.5 * (a + b);
}

static double area(const rl_step *t, int axis, int d, bool cut, const int at[3])
{
    int before[3];
    move(at, axis, -1, before);
    return cut ? 0.5 * (share_open(t, d, before) + share_open(t, d, at)) : 1;
}

/* Up and down, all but what comes from under the ground's lowest face, and what passes it where it
 * is steep. */
static bool is_central(const rl_step *t, int axis, bool upper, bool cut, const int at[3],
                       const bool air[5])
{
    if (!cut)
        return true;
    if (!upper && axis != 1 && !air[1])
        return false;
    const double row = at[1] - (upper ? 0 : 1);
    return row > lowest_of(t, kind_of(axis), at[0], at[2]) || !is_steep(t, axis, at);
}

/* What flows through one side of a face's volume towards +d: momentum, and what friction takes. */
static double through(const rl_step *t, int axis, int d, bool upper, bool cut, const int at[3],
                      const double v[5], const bool air[5], double apart)
{
    const int n = upper ? 1 : 0;
    int side[3], before[3], beyond[3];
    move(at, d, n, side); /* the faces along d that bound it, one before and one behind */
    move(at, axis, -1, before);
    move(at, d, upper ? 1 : -1, beyond);
    const bool wide = d == 1 ? is_central(t, axis, upper, cut, at, air)
                             : air[n] && air[1 + n] && air[2 + n] && air[3 + n];
    const double f = flux(t, axis, d, cut, side);
    double sum = f * carried(t, f, wide, d != 1, v + n);
    if (!(upper ? air[3] : air[1]))
        return sum;
    double shear = (v[2 + n] - v[1 + n]) / apart, nu;
    if (d == axis) {
        shear *= 2;
        nu = value(t, t->s.nu, upper ? at : before);
    } else {
        int beyond_before[3], side_before[3];
        move(beyond, axis, -1, beyond_before);
        move(side, axis, -1, side_before);
        nu = 0.25 * (value(t, t->s.nu, at) + value(t, t->s.nu, before) + value(t, t->s.nu, beyond) +
                     value(t, t->s.nu, beyond_before));
        shear += (value(t, t->s.u[d], side) - value(t, t->s.u[d], side_before)) / spacing(t, axis);
    }
    return sum - area(t, axis, d, cut, side) * nu * shear;
}

/* What the ground takes: the drag of the columns on both sides of a face, times the wind there. */
static double taken(const rl_step *t, int axis, const int at[3])
{
    const int count = axis == 1 ? 0 : cells(t, axis), n = at[axis == 2 ? 2 : 0];
    const bool is_top = at[1] == cells(t, 1) - 1;
    double drag = 0, ground = 0;
    for (int side = 0; side < 2; side++) {
        int there[3];
        move(at, axis == 1 ? 0 : axis, axis == 1 ? 0 : side - 1, there);
        if (axis == 1 && side == 0)
            move(at, 1, -1, there);
        if (axis != 1 && n == 0 && side == 0)
            there[axis] = t->l.wraps ? count - 1 : 0;
        if (axis != 1 && n == count && side == 1)
            there[axis] = count - 1;
        drag += 0.5 * plane(t, t->s.walls, DRAG, there[0], there[2]);
        ground += 0.5 * rm_ground_area(&t->s, there[0], there[1], there[2],
                                       is_top && (axis != 1 || side == 1));
    }
    if (t->l.wraps)
        ground = at[1] == 0 ? 1 : 0;
    else if (axis != 1 && at[1] == lowest_of(t, kind_of(axis), at[0], at[2]))
        ground += plane(t, t->s.columns, axis == 0 ? CARRIED_X : CARRIED_Z, at[0], at[2]);
    const double wind = axis == 1
                            ? value(t, t->s.u[1], at)
                            : plane(t, t->s.walls, axis == 0 ? SAMPLE_X : SAMPLE_Z, at[0], at[2]);
    return ground * drag * wind / spacing(t, 1);
}

static bool is_inflow(const rl_step *t, int axis, bool upper)
{
    return t->l.m.inflow & (axis == 0 ? (upper ? INFLOW_EAST : INFLOW_WEST)
                                      : (upper ? INFLOW_SOUTH : INFLOW_NORTH));
}

double rl_stage(const rl_step *t, int axis, int i, int j, int k)
{
    const int at[3] = {i, j, k}, n = at[axis];
    const float *u = t->s.u[axis];
    const double h = spacing(t, axis), own = value(t, u, at), base = value(t, t->base[axis], at);
    const bool cut = !t->l.wraps && j < t->l.open_from + 3;
    const bool at_low = axis != 1 && !t->l.wraps && n == 0,
               at_high = axis != 1 && !t->l.wraps && n == cells(t, axis);
    const double open = cut ? share_open(t, axis, at) : 1;
    if (!(open > 0))
        return 0;
    if ((axis == 1 && j == 0) ||
        (axis != 1 && ((at[axis] == 0 && is_inflow(t, axis, false)) ||
                       (at[axis] == cells(t, axis) && is_inflow(t, axis, true)))))
        return base;
    int before[3];
    move(at, axis, -1, before);
    double sum = 0;
    if (at_low || at_high) { /* what is upwind moves out */
        int inner[3];
        move(at, axis, at_low ? 1 : -1, inner);
        sum = -fmax(at_low ? -own : own, 0) * (own - value(t, u, inner)) / h;
    } else {
        for (int d = 0; d < 3; d++) {
            double v[5], low = spacing(t, d), high = low;
            bool air[5];
            line(t, axis, d, at, v, air);
            if (cut && d == 1 && axis != 1 && !air[1])
                v[1] = from_under(t, axis, at);
            if (d == 1 && axis != 1) /* between the middles of what is open */
                low = fmax(rm_distance(&t->s, kind_of(axis), i, j, k) -
                               rm_distance(&t->s, kind_of(axis), i, j - 1, k),
                           0.5 * low);
            sum += (through(t, axis, d, false, cut, at, v, air, low) -
                    through(t, axis, d, true, cut, at, v, air, high)) /
                   spacing(t, d);
        }
        if (j <= t->l.open_from)
            sum -= taken(t, axis, at);
        sum /= fmax(open, 0.25);
        if (axis != 1)
            sum += t->drive[axis / 2];
    }
    sum -= (value(t, t->s.p, at) - value(t, t->s.p, before)) / h;
    const double most = (double)t->l.most[axis], now = fmin(fmax(base + t->dt * sum, -most), most);
    return at_low ? fmin(now, 0) : at_high ? fmax(now, 0) : now;
}

/* ---- what comes in ---- */

static int around(int n, int count)
{
    return (n % count + count) % count;
}

double rl_coming_in(const rl_step *t, const les_source *source, const float *from, int axis, int i,
                    int j, int k)
{
    const foehn_grid *g = &source->g;
    const double hy = spacing(t, 1), z0 = (double)t->l.m.z0, source_hy = (double)g->hy;
    const double ground = plane(t, t->s.columns, kind_of(axis) + GROUND, i, k),
                 lowest = lowest_of(t, kind_of(axis), i, k);
    if (axis == 1 ? j <= lowest || j >= cells(t, 1) : j < lowest)
        return 0;
    const double d = axis == 1 ? j * hy - ground : rm_distance(&t->s, kind_of(axis), i, j, k);
    /* v lies on the rows' floors, and on the last one's top. */
    const int rows = axis == 1 ? g->ny : g->ny - 1;
    const double y = fmin(fmax(d / source_hy - (axis == 1 ? 0 : 0.5), 0), rows);
    const int row = (int)y < rows - 1 ? (int)y : rows - 1;
    const ptrdiff_t c = (ptrdiff_t)(around(k + source->k, g->nz) + g->ghosts) * g->sz +
                        (ptrdiff_t)(row + g->ghosts) * g->sy + around(i + source->i, g->nx) +
                        FOEHN_LEAD;
    const double v = (double)from[c] + (y - row) * ((double)from[c + g->sy] - (double)from[c]);
    if (axis == 1 || d >= 0.5 * source_hy)
        return v;
    return v * log((d + z0) / z0) / log((0.5 * source_hy + z0) / z0);
}
