/* SPDX-License-Identifier: MIT */
/* Eddies that the grid of the LES does not resolve: their viscosity at cell centres.  Launched by
 * lib/wind/les.c.
 *
 *   Smagorinsky (1963) with the matching of Mason and Thomson (1992):
 *     nu = l^2 |S| ,  |S|^2 = 2 Sij Sij ,  1/l^2 = 1/(Cs f (hx hy hz)^(1/3))^2 + 1/(0.4 (d + z0))^2
 *   or anisotropic minimum dissipation (Rozema et al. 2015):
 *     nu = max(0, -sum_k Ck hk^2 (dui/dxk) (duj/dxk) Sij) / ((dum/dxl) (dum/dxl)) ,
 *     beside steps of the ground and over them at least the first: there it alone lets the wind run
 *     away.
 *
 * Differences along y are those that are exact for the log law. */
#include "wind/columns.h"
#include "wind/les.h"

/* Half the difference along a line; a closed neighbour counts as one's own, and beside cut rows one
 * beyond a side, whose openness nobody knows. */
FOEHN_INLINE real across(real before, real own, real after, whole no_before, whole no_after)
{
    return 0.5f * (CHOOSE(no_after, own, after) - CHOOSE(no_before, own, before));
}

FOEHN_INLINE real middle(bool cut, idx c, idx step, global const uchar *open, global const float *f)
{
    return cut ? between(c, step, open, f) : 0.5f * (LOAD(f + c) + LOAD(f + c + step));
}

kernel void eddies(les l, global const float *restrict columns, global const uchar *restrict ax,
                   global const uchar *restrict az, global const float *restrict u,
                   global const float *restrict v, global const float *restrict w,
                   global float *restrict nu)
{
    momentum m = l.m;
    foehn_grid g = m.g;
    int i = (int)get_global_id(0) * LANES, j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= g.nx || j >= g.ny || k >= g.nz)
        return;
    const bool cut = !l.wraps && j < l.open_from + 3, is_top = j == g.ny - 1;
    const idx c = at(g, i, j, k), q = column(g, i, k), sy = g.sy, sz = g.sz, up = is_top ? 0 : sy;
    const float row = (float)j;
    ground_column a = column_at(m, AT_CELLS, columns, q);
    whole has_below = row > a.lowest, none = EVERY(false);
    whole no_w = none, no_e = none, no_n = none, no_s = none, edge = none;
    if (cut) {
        global const float *lowest = columns + q + (AT_CELLS + LOWEST) * m.plane;
        const whole first_x = i + LANE == 0, last_x = i + LANE == g.nx - 1;
        const whole first_z = EVERY(k == 0), last_z = EVERY(k == g.nz - 1);
        real west = CHOOSE(first_x, a.lowest, LOAD(lowest - 1));
        real east = CHOOSE(last_x, a.lowest, LOAD(lowest + 1));
        real north = CHOOSE(first_z, a.lowest, LOAD(lowest - sy));
        real south = CHOOSE(last_z, a.lowest, LOAD(lowest + sy));
        no_w = (row < west) | first_x;
        no_e = (row < east) | last_x;
        no_n = (row < north) | first_z;
        no_s = (row < south) | last_z;
        real highest = max(a.lowest, max(max(west, east), max(north, south)));
        real least = min(a.lowest, min(min(west, east), min(north, south)));
        edge = (highest > least) & (row <= highest + 1.0f);
    }
    real uh = middle(cut, c, 1, ax, u), wh = middle(cut, c, sz, az, w);
    real vh = 0.5f * (LOAD(v + c) + LOAD(v + c + sy));
    real u_low = CHOOSE(has_below, middle(cut, c - sy, 1, ax, u), uh),
         u_high = middle(cut, c + up, 1, ax, u);
    real w_low = CHOOSE(has_below, middle(cut, c - sy, sz, az, w), wh),
         w_high = middle(cut, c + up, sz, az, w);
    real d = distance_of(g, a, (real)(row)),
         d_high = is_top ? d : distance_of(g, a, (real)(row + 1.0f));
    real d_low = CHOOSE(has_below, max(distance_of(g, a, (real)(row - 1.0f)), 0.0f), d);
    real thick = (d + a.z0) * log_of((d_high + a.z0) / (d_low + a.z0));
    real per_thick = CHOOSE(thick > 0.0f, 1.0f / max(thick, 1e-6f * g.hy), 0.0f);

    real ux = (LOAD(u + c + 1) - LOAD(u + c)) * g.per_x,
         vy = (LOAD(v + c + sy) - LOAD(v + c)) * g.per_y;
    real wz = (LOAD(w + c + sz) - LOAD(w + c)) * g.per_z;
    real uy = (u_high - u_low) * per_thick, wy = (w_high - w_low) * per_thick;
    real uz = across(middle(cut, c - sz, 1, ax, u), uh, middle(cut, c + sz, 1, ax, u), no_n, no_s) *
              g.per_z;
    real wx = across(middle(cut, c - 1, sz, az, w), wh, middle(cut, c + 1, sz, az, w), no_w, no_e) *
              g.per_x;
    real vx = across(0.5f * (LOAD(v + c - 1) + LOAD(v + c - 1 + sy)), vh,
                     0.5f * (LOAD(v + c + 1) + LOAD(v + c + 1 + sy)), no_w, no_e) *
              g.per_x;
    real vz = across(0.5f * (LOAD(v + c - sz) + LOAD(v + c - sz + sy)), vh,
                     0.5f * (LOAD(v + c + sz) + LOAD(v + c + sz + sy)), no_n, no_s) *
              g.per_z;

    real xy = 0.5f * (uy + vx), xz = 0.5f * (uz + wx), yz = 0.5f * (vz + wy), found = 0.0f;
    if (l.amd) {
        real tx = ux * ux * ux + vx * vx * vy + wx * wx * wz +
                  2.0f * (ux * vx * xy + ux * wx * xz + vx * wx * yz);
        real ty = uy * uy * ux + vy * vy * vy + wy * wy * wz +
                  2.0f * (uy * vy * xy + uy * wy * xz + vy * wy * yz);
        real tz = uz * uz * ux + vz * vz * vy + wz * wz * wz +
                  2.0f * (uz * vz * xy + uz * wz * xz + vz * wz * yz);
        real square =
            ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz + wx * wx + wy * wy + wz * wz;
        found = max(-(l.cx * tx + l.cy * ty + l.cz * tz), 0.0f) / max(square, 1e-20f);
    }
    if (!l.amd || ANY(edge)) {
        real wall = VON_KARMAN * (d * LOAD(columns + q + COSINE * m.plane) + a.z0);
        real square = 2.0f * (ux * ux + vy * vy + wz * wz) + 4.0f * (xy * xy + xz * xz + yz * yz);
        real most = l.length * l.length, near = wall * wall;
        real least = most * near / (most + near) * sqrt(square);
        found = CHOOSE(edge | EVERY(!l.amd), max(found, least), found);
    }
    found = min(found, (real)(l.stiffest));
    STORE_WHERE(i + LANE < g.nx, CHOOSE(row >= a.lowest, found, 0.0f), nu + c);
}
