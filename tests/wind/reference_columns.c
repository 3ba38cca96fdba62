/* SPDX-License-Identifier: MIT */
#include "wind/reference_columns.h"

size_t rm_at(const rm_step *s, int i, int j, int k)
{
    return (size_t)((ptrdiff_t)s->first + i + (ptrdiff_t)j * s->m.g.sy + (ptrdiff_t)k * s->m.g.sz);
}

size_t rm_column(const rm_step *s, int i, int k)
{
    return (size_t)((ptrdiff_t)s->first_column + i + (ptrdiff_t)k * s->m.g.sy);
}

double rm_value(const rm_step *s, const float *f, int i, int j, int k)
{
    return (double)f[rm_at(s, i, j, k)];
}

double rm_share_open(const rm_step *s, int axis, int i, int j, int k)
{
    return s->open[axis][rm_at(s, i, j, k)] / 255.0;
}

double rm_plane(const rm_step *s, const float *planes, int which, int i, int k)
{
    return (double)planes[rm_column(s, i, k) + (size_t)which * (size_t)s->m.plane];
}

int rm_last(const rm_step *s, int axis)
{
    return axis == 0 ? s->m.g.nx : axis == 1 ? s->m.g.ny : s->m.g.nz;
}

int rm_kind_of(int axis)
{
    return axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS;
}

double rm_spacing(const rm_step *s, int axis)
{
    return (double)(axis == 0 ? s->m.g.hx : axis == 1 ? s->m.g.hy : s->m.g.hz);
}

col rm_col_at(const rm_step *s, int kind, int i, int k)
{
    double v[6];
    for (int n = 0; n < 6; n++)
        v[n] = rm_plane(s, s->columns, kind + n, i, k);
    return (col){v[0], v[1], v[2], v[3], v[4], v[5]};
}

/* ---- the ground ---- */

bool rm_has_sides(const rm_step *s, int i, int j, int k)
{
    return rm_share_open(s, 0, i, j, k) + rm_share_open(s, 0, i + 1, j, k) +
               rm_share_open(s, 2, i, j, k) + rm_share_open(s, 2, i, j, k + 1) >
           0;
}

/* Of a cell's sides: the mean of the two pairs, by the slopes across them. */
static double open_along_slope(const rm_step *s, int i, int j, int k)
{
    double h[4], square[2];
    for (int n = 0; n < 4; n++)
        h[n] = (double)s->corner[rm_column(s, i + (n & 1), k + (n >> 1))];
    square[0] = pow((h[1] + h[3] - h[0] - h[2]) / (2 * rm_spacing(s, 0)), 2);
    square[1] = pow((h[2] + h[3] - h[0] - h[1]) / (2 * rm_spacing(s, 2)), 2);
    const double both = square[0] + square[1], across_x = both > 1e-6 ? square[1] / both : 0.5;
    return across_x * 0.5 * (rm_share_open(s, 0, i, j, k) + rm_share_open(s, 0, i + 1, j, k)) +
           (1 - across_x) * 0.5 * (rm_share_open(s, 2, i, j, k) + rm_share_open(s, 2, i, j, k + 1));
}

void rm_ground(const rm_step *s, int kind, int i, int k, double out[6])
{
    const momentum *m = &s->m;
    const double hy = (double)m->g.hy;
    double heights = 0,
           z0 = (double)s->rough[rm_column(s, clip(i, 0, m->g.nx - 1), clip(k, 0, m->g.nz - 1))],
           open;
    /* The corners of the cell, or of the face on its lower side. */
    int corners = 0, lowest = 0;
    for (int b = 0; b < (kind == AT_Z ? 1 : 2); b++)
        for (int a = 0; a < (kind == AT_X ? 1 : 2); a++, corners++)
            heights += (double)s->corner[rm_column(s, i + a, k + b)] - (double)m->floor_y;
    if (kind == AT_CELLS) {
        while (open = open_along_slope(s, i, lowest, k),
               lowest < m->g.ny - 1 && open < LEAST_OPEN - 4e-6)
            lowest++;
    } else {
        const int axis = kind == AT_X ? 0 : 2;
        const int before_i = clip(i - (axis == 0), 0, m->g.nx - 1),
                  before_k = clip(k - (axis == 2), 0, m->g.nz - 1);
        z0 = sqrt(z0 * (double)s->rough[rm_column(s, before_i, before_k)]);
        while (lowest < m->g.ny - 1 && s->open[axis][rm_at(s, i, lowest, k)] == 0)
            lowest++;
        open = rm_share_open(s, axis, i, lowest, k);
    }
    /* The middle of what is open of the lowest row, at least half of it above the ground. */
    const double ground = heights / corners, top = (lowest + 1) * hy;
    double d = open > 0.999 ? top - 0.5 * hy - ground
                            : fmax(top - 0.5 * open * hy - ground, 0.5 * open * hy);
    d = fmax(d, 0.02 * hy);
    out[GROUND] = ground;
    out[LOWEST] = lowest;
    out[DISTANCE] = d;
    out[ROUGHNESS] = z0;
    out[LOGARITHM] = log((d + z0) / z0);
    out[PER_DEPTH] = 1 / fmax((double)m->lid - ground, hy);
}

/* What the open faces of a cell leave of the sum of their areas, over the floor's. */
double rm_ground_area(const rm_step *s, int i, int j, int k, bool top)
{
    const double hy = rm_spacing(s, 1);
    double x0 = rm_share_open(s, 0, i, j, k), x1 = rm_share_open(s, 0, i + 1, j, k);
    double z0 = rm_share_open(s, 2, i, j, k), z1 = rm_share_open(s, 2, i, j, k + 1);
    double y = (top ? 1 : rm_share_open(s, 1, i, j + 1, k)) - rm_share_open(s, 1, i, j, k);
    double area =
        hypot(hypot((x1 - x0) * hy / rm_spacing(s, 0), (z1 - z0) * hy / rm_spacing(s, 2)), y);
    return x0 + x1 + z0 + z1 > 0 && area > 0.004 ? area : 0;
}

/* The mean of the two cells of a face of x or z; at a side that of the one there is. */
double rm_area_at_face(const rm_step *s, int axis, int i, int j, int k)
{
    const int n = axis == 0 ? i : k, end = rm_last(s, axis);
    const int low = n == 0 ? 0 : n - 1, high = n == end ? end - 1 : n;
    const bool top = j == s->m.g.ny - 1;
    double a = axis == 0 ? rm_ground_area(s, low, j, k, top) : rm_ground_area(s, i, j, low, top);
    double b = axis == 0 ? rm_ground_area(s, high, j, k, top) : rm_ground_area(s, i, j, high, top);
    return 0.5 * (a + b);
}

double rm_carried(const rm_step *s, int axis, int i, int k)
{
    const int lowest = (int)rm_plane(s, s->columns, rm_kind_of(axis) + LOWEST, i, k);
    double sum = 0;
    for (int j = 0; j < lowest; j++)
        sum += rm_area_at_face(s, axis, i, j, k);
    return sum;
}

/* ---- heights in a column ---- */

double rm_height_at(const rm_step *s, col a, double j)
{
    const double hy = rm_spacing(s, 1);
    return fmax((j + 0.5) * hy - a.ground, a.distance + 0.5 * hy * (j - a.lowest));
}

double rm_distance(const rm_step *s, int kind, int i, double j, int k)
{
    return rm_height_at(s, rm_col_at(s, kind, i, k), j);
}

/* The row whose distance is the last that is not more than d, of those with one above. */
static int row_under(const rm_step *s, col a, double d)
{
    const double middle = (d + a.ground) / rm_spacing(s, 1) - 0.5;
    const double least = a.lowest + (d - a.distance) / (0.5 * rm_spacing(s, 1));
    return clip((int)fmax(fmin(middle, least), a.lowest), 0, s->m.g.ny - 2);
}

/* 1 / cos^2 of the level that follows the ground, which fades towards the lid; to 45 degrees. */
double rm_steepened(col a, double y, double slope_x, double slope_z)
{
    const double faded = 1 - between(0, (y - a.ground) * a.per_depth, 1);
    return 1 + fmin(slope_x * slope_x + slope_z * slope_z, 1) * faded * faded;
}

/* ln(1 + x), second Pade approximant. */
static double log_1p(double x)
{
    return x * (6 + 3 * x) / (6 + x * (6 + x));
}

/* A velocity along the ground at a height: linear in ln(d + z0) between rows, the log law below the
 * lowest. */
double rm_log_value(const rm_step *s, const float *f, col a, int i, int k, double d)
{
    const int row = row_under(s, a, d);
    double low = rm_height_at(s, a, row), apart = rm_height_at(s, a, row + 1) - low,
           t = between(0, (d - low) / apart, 1);
    double r = apart / (low + a.z0), share = log_1p(t * r) / log_1p(r);
    double v = rm_value(s, f, i, row, k), w = rm_value(s, f, i, row + 1, k);
    double shrunk =
        d < a.distance ? fmax(1 + log((d + a.z0) / (a.distance + a.z0)) / a.logarithm, 0) : 1;
    return (v + share * (w - v)) * shrunk;
}

double rm_linear_value(const rm_step *s, const float *f, col a, int i, int k, double d)
{
    const int row = row_under(s, a, d);
    double low = rm_height_at(s, a, row),
           t = between(0, (d - low) / (rm_height_at(s, a, row + 1) - low), 1);
    return (1 - t) * rm_value(s, f, i, row, k) + t * rm_value(s, f, i, row + 1, k);
}

double rm_floor_value(const rm_step *s, const float *f, col a, int i, int k, double d)
{
    const double y = (d + a.ground) / rm_spacing(s, 1);
    const int row = clip((int)fmax(y, a.lowest + 1), 0, s->m.g.ny - 1);
    const double t = between(0, y - row, 1);
    return (1 - t) * rm_value(s, f, i, row, k) + t * rm_value(s, f, i, row + 1, k);
}
