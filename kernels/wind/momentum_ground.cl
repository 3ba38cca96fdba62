/* SPDX-License-Identifier: MIT */
/* The ground under the momentum model: which faces it closes, what columns look like, the
 * undisturbed wind over them; and reading the wind at places.  Launched by lib/wind/momentum.c. */
#include "wind/law.h"
#include "wind/columns.h"
#include "wind/structs.h"
#include "wind/surface_layer.h"

#define LEAST_OPEN 13 /* of 255 */

/* ---- geometry ---- */

kernel void close_sides(foehn_grid g, global uchar *ax, global uchar *az)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j >= g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    ax[c] = ax[c] < LEAST_OPEN ? 0 : ax[c];
    az[c] = az[c] < LEAST_OPEN ? 0 : az[c];
}

FOEHN_INLINE bool has_sides(foehn_grid g, idx c, global const uchar *ax, global const uchar *az)
{
    return ax[c] > 0 || ax[c + 1] > 0 || az[c] > 0 || az[c + g.sz] > 0;
}

kernel void close_ends(foehn_grid g, global const uchar *ax, global const uchar *az,
                       global uchar *ay)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j > g.ny || k >= g.nz)
        return;
    idx c = at(g, i, j, k);
    if (j == 0 || j == g.ny || !has_sides(g, c, ax, az) || !has_sides(g, c - g.sy, ax, az))
        ay[c] = 0;
}

/* A cell that only the wind from outside can enter is none: its inflow faces are closed. */
kernel void close_dead_ends(momentum m, global const uchar *ay, global uchar *ax, global uchar *az)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j >= g.ny || k >= g.nz)
        return;
    bool west = i == 0 && (m.inflow & INFLOW_WEST),
         east = i == g.nx - 1 && (m.inflow & INFLOW_EAST);
    bool north = k == 0 && (m.inflow & INFLOW_NORTH),
         south = k == g.nz - 1 && (m.inflow & INFLOW_SOUTH);
    if (!(west || east || north || south))
        return;
    idx c = at(g, i, j, k);
    bool leads_on = (!west && ax[c] > 0) || (!east && ax[c + 1] > 0) || (!north && az[c] > 0) ||
                    (!south && az[c + g.sz] > 0) || ay[c] > 0 || ay[c + g.sy] > 0;
    if (leads_on)
        return;
    if (west)
        ax[c] = 0;
    if (east)
        ax[c + 1] = 0;
    if (north)
        az[c] = 0;
    if (south)
        az[c + g.sz] = 0;
}

/* The lowest open row of a column and the height of its middle, from the openness of that row. */
FOEHN_INLINE void put_column(momentum m, const int kind, idx q, float ground, float z0, int lowest,
                             float open, global float *columns)
{
    foehn_grid g = m.g;
    float top = (float)(lowest + 1) * g.hy, half_open = 0.5f * open * g.hy;
    float d = open > 0.999f ? top - 0.5f * g.hy - ground : max(top - half_open - ground, half_open);
    d = max(d, 0.02f * g.hy);
    columns[q + (kind + GROUND) * m.plane] = ground;
    columns[q + (kind + LOWEST) * m.plane] = (float)lowest;
    columns[q + (kind + DISTANCE) * m.plane] = d;
    columns[q + (kind + ROUGHNESS) * m.plane] = z0;
    columns[q + (kind + LOGARITHM) * m.plane] = foehn_log((d + z0) / z0);
    columns[q + (kind + PER_DEPTH) * m.plane] = 1.0f / max(m.lid - ground, g.hy);
}

/* Openness of a cell's sides, of those along the slope: there it is the cell's share above a plane,
 * and its column is that of the faces beside it.  share_x: of those across x. */
FOEHN_INLINE float open_along(foehn_grid g, idx c, float share_x, global const uchar *ax,
                              global const uchar *az)
{
    float x = (float)(ax[c] + ax[c + 1]), z = (float)(az[c] + az[c + g.sz]);
    return (z + share_x * (x - z)) * (1.0f / 510.0f);
}

/* All planes but the carried areas, with what lies beyond the box in each row: that repeats the
 * nearest inside. */
kernel void ground_columns(momentum m, global const float *corner, global const float *rough,
                           global const uchar *ax, global const uchar *az, global float *columns)
{
    foehn_grid g = m.g;
    /* From a row's lower ghost on: what is before it belongs to the row before. */
    int i = (int)get_global_id(0) - g.ghosts, k = (int)get_global_id(1) - g.ghosts;
    if (i >= g.sy - g.ghosts || k >= g.nz + g.ghosts)
        return;
    idx q = column(g, i, k);
    int ci = clamp(i, 0, g.nx - 1), ck = clamp(k, 0, g.nz - 1), fi = clamp(i, 0, g.nx),
        fk = max(k, 0);
    float h00 = corner[column(g, ci, ck)] - m.floor_y,
          h10 = corner[column(g, ci + 1, ck)] - m.floor_y;
    float h01 = corner[column(g, ci, ck + 1)] - m.floor_y;
    float h11 = corner[column(g, ci + 1, ck + 1)] - m.floor_y;
    float z0 = rough[column(g, ci, ck)];

    float slope_x = 0.5f * (h10 + h11 - h00 - h01) * g.per_x;
    float slope_z = 0.5f * (h01 + h11 - h00 - h10) * g.per_z;
    float steep = slope_x * slope_x + slope_z * slope_z;
    float share_x = steep > 1e-6f ? slope_z * slope_z / steep : 0.5f;
    const float least =
        (LEAST_OPEN - 0.001f) / 255.0f; /* a face as open as that is, however rounded */
    int j = 0;
    while (j < g.ny - 1 && open_along(g, at(g, ci, j, ck), share_x, ax, az) < least)
        j++;
    put_column(m, AT_CELLS, q, 0.25f * (h00 + h10 + h01 + h11), z0, j,
               open_along(g, at(g, ci, j, ck), share_x, ax, az), columns);
    columns[q + SLOPE_X * m.plane] = slope_x;
    columns[q + SLOPE_Z * m.plane] = slope_z;
    columns[q + COSINE * m.plane] = 1.0f / sqrt(1.0f + slope_x * slope_x + slope_z * slope_z);

    float low = 0.5f * (corner[column(g, fi, ck)] + corner[column(g, fi, ck + 1)]) - m.floor_y;
    float other = rough[column(g, max(fi - 1, 0), ck)];
    for (j = 0; j < g.ny - 1 && ax[at(g, fi, j, ck)] == 0;)
        j++;
    put_column(m, AT_X, q, low, sqrt(z0 * other), j, (float)ax[at(g, fi, j, ck)] * (1.0f / 255.0f),
               columns);

    low = 0.5f * (corner[column(g, ci, fk)] + corner[column(g, ci + 1, fk)]) - m.floor_y;
    other = rough[column(g, ci, max(fk - 1, 0))];
    for (j = 0; j < g.ny - 1 && az[at(g, ci, j, fk)] == 0;)
        j++;
    put_column(m, AT_Z, q, low, sqrt(z0 * other), j, (float)az[at(g, ci, j, fk)] * (1.0f / 255.0f),
               columns);
}

/* Half the ground area of the two cells that share a face; at the box's sides there is but one. */
FOEHN_INLINE float area_at_face(foehn_grid g, idx c, idx step, bool first, bool last, bool top,
                                global const uchar *ax, global const uchar *ay,
                                global const uchar *az)
{
    idx low = first ? c : c - step, high = last ? c - step : c;
    return 0.5f * (ground_area(g, low, ax, ay, az, top) + ground_area(g, high, ax, ay, az, top));
}

/* What the ground area of closed faces hands up to the lowest open one of their column. */
kernel void carry_areas(momentum m, global const uchar *ax, global const uchar *ay,
                        global const uchar *az, global float *columns)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0), k = (int)get_global_id(1);
    if (i > g.nx || k > g.nz)
        return;
    idx q = column(g, i, k);
    int low_x = (int)columns[q + (AT_X + LOWEST) * m.plane];
    int low_z = (int)columns[q + (AT_Z + LOWEST) * m.plane];
    float x = 0.0f, z = 0.0f;
    for (int j = 0; k < g.nz && j < low_x; j++)
        x += area_at_face(g, at(g, i, j, k), 1, i == 0, i == g.nx, false, ax, ay, az);
    for (int j = 0; i < g.nx && j < low_z; j++)
        z += area_at_face(g, at(g, i, j, k), g.sz, k == 0, k == g.nz, false, ax, ay, az);
    columns[q + CARRIED_X * m.plane] = x;
    columns[q + CARRIED_Z * m.plane] = z;
}

/* The undisturbed wind at y = d + z0, of u* / 0.4. */
FOEHN_INLINE float undisturbed_profile(momentum m, float y)
{
    float profile = foehn_log(y / m.z0);
    if (m.per_l != 0.0f)
        profile += foehn_minus_psi(y * m.per_l) - foehn_minus_psi(m.z0 * m.per_l);
    return profile;
}

/* The undisturbed column everywhere, ghosts included: the log law, its k and its eps. */
kernel void undisturbed(momentum m, global const float *columns, global float *u, global float *v,
                        global float *w, global float *k_field, global float *eps)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) - g.ghosts, j = (int)get_global_id(1),
        k = (int)get_global_id(2) - g.ghosts;
    if (i >= g.nx + g.ghosts || j > g.ny || k >= g.nz + g.ghosts)
        return;
    idx c = at(g, i, j, k), q = column(g, i, k);
    float row = (float)min(j, g.ny - 1), speed = m.friction / VON_KARMAN;
    ground_column x = column_at(m, AT_X, columns, q), z = column_at(m, AT_Z, columns, q);
    ground_column a = column_at(m, AT_CELLS, columns, q);
    float cosine = columns[q + COSINE * m.plane]; /* distance from a slope is along its normal */
    if (i >= 0)
        u[c] = row >= x.lowest
                   ? m.dx * speed * undisturbed_profile(m, distance_of(g, x, row) * cosine + m.z0)
                   : 0.0f;
    if (k >= 0)
        w[c] = row >= z.lowest
                   ? m.dz * speed * undisturbed_profile(m, distance_of(g, z, row) * cosine + m.z0)
                   : 0.0f;
    v[c] = 0.0f;
    k_field[c] = m.friction * m.friction / (m.c0 * m.c0);
    float d = distance_of(g, a, max(row, a.lowest)) * columns[q + COSINE * m.plane];
    eps[c] = m.friction * m.friction * m.friction / (VON_KARMAN * (d + m.z0));
    if (is_stratified(m)) {
        surface_layer s = surface_layer_at(m, d + m.z0);
        k_field[c] *= s.root;
        eps[c] = m.friction * m.friction * m.friction * s.decay;
    }
}

/* A settled field under a wind that has turned and grown: u' = grow (cosine u - sine w), w' = grow
 * (sine u + cosine w), with k by grow^2, eps by grow^3 and p by grow^2, over the undisturbed column
 * in `to`.  What was closed holds 0 and keeps that column; of the other component around one, those
 * count that hold more. */
FOEHN_INLINE float mean_of_open(global const float *f, idx a, idx b, idx c, idx d)
{
    float sum = f[a] + f[b] + f[c] + f[d];
    int open = (f[a] != 0.0f) + (f[b] != 0.0f) + (f[c] != 0.0f) + (f[d] != 0.0f);
    return open > 0 ? sum / (float)open : 0.0f;
}

kernel void turn(momentum m, float cosine, float sine, float grow, global const uchar *ax,
                 global const uchar *ay, global const uchar *az, global const float *u,
                 global const float *v, global const float *w, global const float *k_field,
                 global const float *eps, global float *to_u, global float *to_v,
                 global float *to_w, global float *to_k, global float *to_eps, global float *p)
{
    foehn_grid g = m.g;
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j >= g.ny || k >= g.nz)
        return;
    idx c = at(g, i, j, k);
    if (i > 0 && u[c] != 0.0f && ax[c] > 0)
        to_u[c] = grow * (cosine * u[c] - sine * mean_of_open(w, c, c - 1, c + g.sz, c + g.sz - 1));
    if (k > 0 && w[c] != 0.0f && az[c] > 0)
        to_w[c] = grow * (cosine * w[c] + sine * mean_of_open(u, c, c + 1, c - g.sz, c - g.sz + 1));
    to_v[c] = ay[c] > 0 ? grow * v[c] : 0.0f;
    if (u[c] == 0.0f && u[c + 1] == 0.0f && w[c] == 0.0f && w[c + g.sz] == 0.0f)
        return;
    to_k[c] = grow * grow * k_field[c];
    to_eps[c] = grow * grow * grow * eps[c];
    p[c] *= grow * grow;
}

/* ---- reading ---- */

/* A column of the whole box's `last` + 1, in a window from `first` of n cells and a face. */
FOEHN_INLINE int in_window(int i, int last, int first, int n)
{
    return clamp(min(i, last) - first, 0, n);
}

/* Bilinear over the columns around a place (x, z, in columns of the kind) at a height above their
 * grounds. */
FOEHN_INLINE float value_above(momentum m, const int axis, float x, float z, float height,
                               global const float *columns, global const float *f)
{
    int last_x = m.g.whole_x - (axis != 0), last_z = m.g.whole_z - (axis != 2);
    x = clamp(x, 0.0f, (float)last_x);
    z = clamp(z, 0.0f, (float)last_z);
    int i = min((int)x, max(last_x - 1, 0)), k = min((int)z, max(last_z - 1, 0));
    float s = x - (float)i, t = z - (float)k, sum = 0.0f;
    for (int n = 0; n < 4; n++) {
        int a = in_window(i + (n & 1), last_x, m.g.first_x, m.g.nx);
        int b = in_window(k + (n >> 1), last_z, m.g.first_z, m.g.nz);
        const int kind = axis == 0 ? AT_X : axis == 2 ? AT_Z : AT_CELLS;
        ground_column g = column_at(m, kind, columns, column(m.g, a, b));
        int bottom = (int)(at(m.g, a, 0, b) - at(m.g, 0, 0, b));
        global const float *plane = f + at(m.g, 0, 0, b);
        float value = axis == 1 ? floor_value(m.g, g, height, bottom, plane)
                                : log_value(m.g, place_in(m.g, g, height), bottom, plane);
        sum += (n & 1 ? s : 1.0f - s) * (n >> 1 ? t : 1.0f - t) * value;
    }
    return sum;
}

/* The cell column n of four around a place (in cells from the first column's middle), and its
 * weight. */
FOEHN_INLINE float around_place(momentum m, float x, float z, int n, int *i, int *k)
{
    int last_x = m.g.whole_x - 1, last_z = m.g.whole_z - 1;
    x = clamp(x, 0.0f, (float)last_x);
    z = clamp(z, 0.0f, (float)last_z);
    int low_i = min((int)x, max(last_x - 1, 0)), low_k = min((int)z, max(last_z - 1, 0));
    float s = x - (float)low_i, t = z - (float)low_k;
    *i = in_window(low_i + (n & 1), last_x, m.g.first_x, m.g.nx - 1);
    *k = in_window(low_k + (n >> 1), last_z, m.g.first_z, m.g.nz - 1);
    return (n & 1 ? s : 1.0f - s) * (n >> 1 ? t : 1.0f - t);
}

/* k there: linear in height. */
FOEHN_INLINE float energy_above(momentum m, float x, float z, float height,
                                global const float *columns, global const float *k_field)
{
    float sum = 0.0f;
    int i, k;
    for (int n = 0; n < 4; n++) {
        float weight = around_place(m, x, z, n, &i, &k);
        height_place p = place_in(m.g, column_at(m, AT_CELLS, columns, column(m.g, i, k)), height);
        sum += weight * linear_value(m.g, p, i, k_field + at(m.g, 0, 0, k));
    }
    return max(sum, 0.0f);
}

/* Eddy viscosity of a column: linear between the faces, the lowest of which lies on the ground. */
FOEHN_INLINE float viscosity_above(foehn_grid g, ground_column a, float height, int n,
                                   global const float *nu)
{
    int lowest = (int)a.lowest, row = clamp((int)((height + a.ground) * g.per_y), lowest, g.ny - 1);
    float high = (float)(row + 1) * g.hy - a.ground, low = row == lowest ? 0.0f : high - g.hy;
    float t = clamp((height - low) / max(high - low, 0.01f * g.hy), 0.0f, 1.0f);
    global const float *face = nu + n + row * g.sy;
    return face[0] + t * (face[g.sy] - face[0]);
}

/* k and eddy viscosity at places. */
kernel void turbulence_points(momentum m, int count, global const wind_point *place,
                              global const float *columns, global const float *k_field,
                              global const float *nu, global float2 *out)
{
    int item = (int)get_global_id(0);
    if (item >= count)
        return;
    float x = place[item].x - 0.5f, z = place[item].z - 0.5f, height = place[item].height,
          sum = 0.0f;
    int i, k;
    for (int n = 0; n < 4; n++) {
        float weight = around_place(m, x, z, n, &i, &k);
        ground_column a = column_at(m, AT_CELLS, columns, column(m.g, i, k));
        sum += weight * viscosity_above(m.g, a, height, i, nu + at(m.g, 0, 0, k));
    }
    out[item] = (float2)(energy_above(m, x, z, height, columns, k_field), sum);
}

/* The same of a model whose eddy viscosity is of cells, too. */
kernel void cell_points(momentum m, int count, global const wind_point *place,
                        global const float *columns, global const float *k_field,
                        global const float *nu, global float2 *out)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    const float x = place[n].x - 0.5f, z = place[n].z - 0.5f, height = place[n].height;
    out[n] = (float2)(energy_above(m, x, z, height, columns, k_field),
                      energy_above(m, x, z, height, columns, nu));
}

/* Velocity and turbulence intensity sqrt(2/3 k) / |u| at places: log law between faces and under
 * the lowest, and from law_to down by that alone. */
kernel void momentum_points(momentum m, float law_to, int count, global const wind_point *place,
                            global const float *columns, global const float *u,
                            global const float *v, global const float *w,
                            global const float *k_field, global float4 *out)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    float x = place[n].x, z = place[n].z, height = max(place[n].height, law_to);
    float a = value_above(m, 0, x, z - 0.5f, height, columns, u);
    float b = value_above(m, 1, x - 0.5f, z - 0.5f, height, columns, v);
    float c = value_above(m, 2, x - 0.5f, z, height, columns, w);
    float energy = energy_above(m, x - 0.5f, z - 0.5f, place[n].height, columns, k_field);
    int i, k;
    around_place(m, x - 0.5f, z - 0.5f, 0, &i, &k);
    float z0 = columns[column(m.g, i, k) + (AT_CELLS + ROUGHNESS) * m.plane];
    float left = below_law(place[n].height, law_to, z0);
    a *= left;
    b *= left;
    c *= left;
    float speed = sqrt(a * a + b * b + c * c);
    out[n] = (float4)(a, b, c, sqrt(energy * (2.0f / 3.0f)) / max(speed, 0.1f));
}
