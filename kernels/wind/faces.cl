/* SPDX-License-Identifier: MIT */
/* One step of the staggered (MAC) wind.  Launched by lib/wind/faces.c.
 *
 * u lives on the lower x face of a cell, v on the lower y face, w on the lower z face; the upper
 * edge faces are in the ghosts nx, ny, nz.  Pressure is at centres.  Terrain is the openness of
 * faces (see kernels/pressure/levels.cl): what crosses a face is openness * velocity, so the value
 * on a closed face is free, and `extend` puts there what lies above it, which is what free slip
 * asks of interpolation.
 *
 * Kernels over faces run over (nx + 1) x (ny + 1) x (nz + 1) items. */
#include "wind/force.h"
#include "grid.h"
#include "pressure/operators.h"
#include "transport/correct.h"
#include "transport/trace.h"
#include "publish/voxel.h"

#define FACES(g)                                                                                   \
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);           \
    if (i > g.nx || j > g.ny || k > g.nz)                                                          \
        return;                                                                                    \
    idx c = at(g, i, j, k);                                                                        \
    bool on_x = j < g.ny && k < g.nz, on_y = i < g.nx && k < g.nz, on_z = i < g.nx && j < g.ny

/* ---- openness of faces over terrain ---- */

/* Share of [low, low + h] above a ground that rises linearly from a to b. */
static inline float share_above(float low, float h, float a, float b)
{
    if (low >= max(a, b))
        return 1.0f;
    if (low + h <= min(a, b))
        return 0.0f;
    float sum = 0.0f;
    for (int n = 0; n < 8; n++) {
        float ground = a + (b - a) * ((float)n + 0.5f) * 0.125f;
        sum += clamp((low + h - ground) / h, 0.0f, 1.0f);
    }
    return sum * 0.125f;
}

/* Share of a cell's floor at height y that lies above the bilinear ground of its four corners: the
 * mean of eight lines along the direction in which the ground rises more, on each of which it is
 * straight. */
static inline float share_of_floor(float y, float a, float b, float c, float d)
{
    bool along_x = fabs(b - a) + fabs(d - c) >= fabs(c - a) + fabs(d - b);
    float other = along_x ? b : c, beside = along_x ? c : b, sum = 0.0f;
    for (int n = 0; n < 8; n++) {
        float t = ((float)n + 0.5f) * 0.125f, from = mix(a, beside, t), to = mix(other, d, t);
        float low = min(from, to), rise = fabs(to - from);
        sum += rise > 0.0f ? clamp((y - low) / rise, 0.0f, 1.0f) : (y > low ? 1.0f : 0.0f);
    }
    return sum * 0.125f;
}

/* Openness from the corner heights: 0 to 255.  binary: all or nothing, by the ground at the middles
 * of the two cells that share the face. */
kernel void openness(foehn_grid g, float floor_y, int binary, global const float *corner,
                     global const float *ground, global uchar *ax, global uchar *ay,
                     global uchar *az)
{
    FACES(g);
    float y = floor_y + (float)j * g.hy, middle = y + 0.5f * g.hy;
    idx q = column(g, i, k);
    if (binary) {
        bool own = middle >= ground[q];
        if (on_x)
            ax[c] = own && middle >= ground[q - 1] ? 255 : 0;
        if (on_y)
            ay[c] = own && middle - g.hy >= ground[q] ? 255 : 0;
        if (on_z)
            az[c] = own && middle >= ground[q - g.sy] ? 255 : 0;
        return;
    }
    float h00 = corner[q], h10 = corner[q + 1], h01 = corner[q + g.sy], h11 = corner[q + g.sy + 1];
    if (on_x)
        ax[c] = convert_uchar_sat_rte(255.0f * share_above(y, g.hy, h00, h01));
    if (on_y)
        ay[c] = convert_uchar_sat_rte(255.0f * share_of_floor(y, h00, h10, h01, h11));
    if (on_z)
        az[c] = convert_uchar_sat_rte(255.0f * share_above(y, g.hy, h00, h10));
}

/* ---- advection ---- */

/* Values on closed faces: what lies above, so that interpolation next to the ground sees free slip.
 * In place: a closed face reads only open ones. */
kernel void extend(foehn_grid g, global const uchar *ax, global const uchar *az, global float *u,
                   global float *w)
{
    FACES(g);
    (void)on_y;
    if (on_x && j + 1 < g.ny && ax[c] == 0)
        u[c] = ax[c + g.sy] > 0 ? u[c + g.sy] : 0.0f;
    if (on_z && j + 1 < g.ny && az[c] == 0)
        w[c] = az[c + g.sy] > 0 ? w[c + g.sy] : 0.0f;
}

/* All three components, traced back through the old field; closed faces keep 0 for v, whose ground
 * and lid value that is. */
kernel void advect_faces(foehn_grid g, float dt, global const uchar *ax, global const uchar *ay,
                         global const uchar *az, global const float *u0, global const float *v0,
                         global const float *w0, global float *u, global float *v, global float *w)
{
    FACES(g);
    const uchar open_x = ax[c], open_y = ay[c], open_z = az[c];
    float new_u = traced(g, 0, dt, i, j, k, c, u0, v0, w0, u0);
    float new_v = traced(g, 1, dt, i, j, k, c, u0, v0, w0, v0);
    float new_w = traced(g, 2, dt, i, j, k, c, u0, v0, w0, w0);
    if (on_x)
        u[c] = open_x > 0 ? new_u : 0.0f;
    if (on_y)
        v[c] = open_y > 0 ? new_v : 0.0f;
    if (on_z)
        w[c] = open_z > 0 ? new_w : 0.0f;
}

/* Range of the eight values around the place that a component came from. */
FOEHN_INLINE void range_at(foehn_grid g, const int axis, global const float *f, float x, float y,
                           float z, float *least, float *most)
{
    float gx = x - (axis == 0 ? 0.0f : 0.5f), gy = y - (axis == 1 ? 0.0f : 0.5f);
    float gz = z - (axis == 2 ? 0.0f : 0.5f);
    float fx = floor(gx), fy = floor(gy), fz = floor(gz);
    /* On a face itself there is no next one, which at the upper edge would be a ghost that nobody
     * fills. */
    idx a = gx > fx ? 1 : 0, b = gy > fy ? g.sy : 0, d = gz > fz ? g.sz : 0;
    range_of_eight(f + at_whole(g, (int)fx, (int)fy, (int)fz), a, b, d, least, most);
}

/* MacCormack; hat where that leaves the range of the values hat came from. */
FOEHN_INLINE float corrected(foehn_grid g, const int axis, float dt, int i, int j, int k, idx c,
                             global const float *u, global const float *v, global const float *w,
                             global const float *f, global const float *hat)
{
    float a, b, d;
    velocity_at_face(g, axis, i, j, k, c, u, v, w, &a, &b, &d);
    float x = place_x(g, i) + (axis == 0 ? 0.0f : 0.5f), y = (float)j + (axis == 1 ? 0.0f : 0.5f);
    float z = place_z(g, k) + (axis == 2 ? 0.0f : 0.5f);
    float sx = dt * a * g.per_x, sy = dt * b * g.per_y, sz = dt * d * g.per_z;
    float back = sample_face(g, axis, hat, x + sx, y + sy, z + sz);
    float value = maccormack(hat[c], f[c], back);
    float from_x = x - sx, from_y = y - sy, from_z = z - sz, least, most;
    hold_place(g, axis, &from_x, &from_y, &from_z);
    range_at(g, axis, f, from_x, from_y, from_z, &least, &most);
    return value >= least && value <= most ? value : hat[c];
}

kernel void correct_faces(foehn_grid g, float dt, global const uchar *ax, global const uchar *ay,
                          global const uchar *az, global const float *u0, global const float *v0,
                          global const float *w0, global const float *hat_u,
                          global const float *hat_v, global const float *hat_w, global float *u,
                          global float *v, global float *w)
{
    FACES(g);
    if (on_x)
        u[c] = ax[c] > 0 ? corrected(g, 0, dt, i, j, k, c, u0, v0, w0, u0, hat_u) : 0.0f;
    if (on_y)
        v[c] = ay[c] > 0 ? corrected(g, 1, dt, i, j, k, c, u0, v0, w0, v0, hat_v) : 0.0f;
    if (on_z)
        w[c] = az[c] > 0 ? corrected(g, 2, dt, i, j, k, c, u0, v0, w0, w0, hat_w) : 0.0f;
}

/* ---- projection ---- */

/* div = sum over axes of (a u|upper - a u|lower) / h, a the openness in [0, 1]: what leaves a cell.
 */
FOEHN_INLINE float divergence_at(foehn_grid g, idx c, global const uchar *ax,
                                 global const uchar *ay, global const uchar *az,
                                 global const float *u, global const float *v,
                                 global const float *w)
{
    float dx = (float)ax[c + 1] * u[c + 1] - (float)ax[c] * u[c];
    float dy = (float)ay[c + g.sy] * v[c + g.sy] - (float)ay[c] * v[c];
    float dz = (float)az[c + g.sz] * w[c + g.sz] - (float)az[c] * w[c];
    return (dx * g.per_x + dy * g.per_y + dz * g.per_z) * (1.0f / 255.0f);
}

kernel void divergence_faces(foehn_grid g, global const uchar *ax, global const uchar *ay,
                             global const uchar *az, global const float *u, global const float *v,
                             global const float *w, global float *div)
{
    CELL(g);
    div[c] = divergence_at(g, c, ax, ay, az, u, v, w);
}

/* The divergence, and the residual that the pressure of the last step leaves of it. */
kernel void divergence_residual(pressure_level l, global const uchar *ax, global const uchar *ay,
                                global const uchar *az, global const float *u,
                                global const float *v, global const float *w, global const float *p,
                                global float *div, global float *r)
{
    CELL(l.g);
    float d = divergence_at(l.g, c, ax, ay, az, u, v, w), flux, diagonal;
    stencil(l, i, j, k, c, ax, ay, az, p, &flux, &diagonal);
    div[c] = d;
    r[c] = diagonal > 0.0f ? d - flux : 0.0f;
}

/* u <- u - grad p on open faces; beyond an open side p = 0. */
kernel void project_faces(foehn_grid g, float max_speed, global const uchar *ax,
                          global const uchar *ay, global const uchar *az, global const float *p,
                          global float *u, global float *v, global float *w)
{
    FACES(g);
    const float limit = max_speed > 0.0f ? max_speed : INFINITY, own = p[c];
    /* Everything is read before anything is asked, so that GPUs wait once. */
    const float old_u = u[c], old_v = v[c], old_w = w[c], below = p[c - g.sy];
    const uchar open_x = ax[c], open_y = ay[c], open_z = az[c];
    /* In a periodic box the upper edge face is the lower one, and beyond it lies the far end. */
    float own_x = SIDES_WRAP && i == g.nx ? p[at(g, 0, j, k)] : own;
    float own_z = SIDES_WRAP && k == g.nz ? p[at(g, i, j, 0)] : own;
    float low_x = SIDES_WRAP && i == 0 ? p[at(g, g.nx - 1, j, k)] : p[c - 1];
    float low_z = SIDES_WRAP && k == 0 ? p[at(g, i, j, g.nz - 1)] : p[c - g.sz];
    float new_u = open_x > 0 ? clamp(old_u - (own_x - low_x) * g.per_x, -limit, limit) : 0.0f;
    float new_v = open_y > 0 ? clamp(old_v - (own - below) * g.per_y, -limit, limit) : 0.0f;
    float new_w = open_z > 0 ? clamp(old_w - (own_z - low_z) * g.per_z, -limit, limit) : 0.0f;
    if (on_x)
        u[c] = new_u;
    if (on_y)
        v[c] = new_v;
    if (on_z)
        w[c] = new_w;
}

/* ---- to and from cell centres ---- */

kernel void center(foehn_grid g, global const uchar *ax, global const uchar *az,
                   global const float *u, global const float *v, global const float *w,
                   global float *cu, global float *cv, global float *cw)
{
    CELL(g);
    cu[c] = between_faces(ax[c], ax[c + 1], u[c], u[c + 1]);
    cv[c] = 0.5f * (v[c] + v[c + g.sy]);
    cw[c] = between_faces(az[c], az[c + g.sz], w[c], w[c + g.sz]);
}

/* The own cells' (ux, uy, uz, I) as halves in wrapped order: the i-th goes to (i + wi) mod their
 * number, ... restrict: so many pointers are too many for a CPU driver to compare before it
 * vectorises. */
kernel void publish_faces(foehn_grid g, int wi, int wj, int wk, global const uchar *restrict ax,
                          global const uchar *restrict az, global const float *restrict u,
                          global const float *restrict v, global const float *restrict w,
                          global const float *restrict curl, global ushort4 *restrict out)
{
    CELL(g);
    if (i >= g.own_x1 || k >= g.own_z1)
        return;
    float x = between_faces(ax[c], ax[c + 1], u[c], u[c + 1]);
    float z = between_faces(az[c], az[c + g.sz], w[c], w[c + g.sz]);
    out[wrapped(g, i, j, k, wi, wj, wk)] =
        halves_of(voxel_of(x, 0.5f * (v[c] + v[c + g.sy]), z, curl[c]));
}

/* The field moved by (si, sj, sk) cells; faces that come into the box with all of (ti, tj, tk)
 * start from the profile, pressure 0. */
kernel void scroll_faces(foehn_grid g, wind_forcing f, int si, int sj, int sk, int ti, int tj,
                         int tk, global const float *corner, global const uchar *ax,
                         global const uchar *az, global const float *u0, global const float *v0,
                         global const float *w0, global const float *p0, global float *u,
                         global float *v, global float *w, global float *p)
{
    FACES(g);
    int a = i + g.first_x + ti, b = j + tj, d = k + g.first_z + tk; /* in the whole box */
    bool in = a >= 0 && b >= 0 && d >= 0;
    bool had_x = in && a <= g.whole_x && b < g.ny && d < g.whole_z;
    bool had_y = in && a < g.whole_x && b <= g.ny && d < g.whole_z;
    bool had_z = in && a < g.whole_x && b < g.ny && d <= g.whole_z;
    idx from = at(g, clamp(i + si, 0, g.nx), clamp(j + sj, 0, g.ny), clamp(k + sk, 0, g.nz));
    idx q = column(g, i, k);
    float y = f.floor_y + (float)j * g.hy;
    float h00 = corner[q], h10 = corner[q + 1], h01 = corner[q + g.sy];
    if (on_x) {
        float speed = f.u10 * profile_on(f, y, g.hy, 0.5f * (h00 + h01));
        u[c] = had_x ? u0[from] : ax[c] > 0 ? f.dx * speed : 0.0f;
    }
    if (on_y)
        v[c] = had_y && j > 0 && j < g.ny ? v0[from] : 0.0f;
    if (on_z) {
        float speed = f.u10 * profile_on(f, y, g.hy, 0.5f * (h00 + h10));
        w[c] = had_z ? w0[from] : az[c] > 0 ? f.dz * speed : 0.0f;
    }
    if (inside(g, i, j, k))
        p[c] = had_x && had_y && had_z ? p0[from] : 0.0f;
}
