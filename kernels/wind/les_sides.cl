/* SPDX-License-Identifier: MIT */
/* The LES beside a stage: what lies beyond the sides, what comes in, how it begins, and the
 * projection. Launched by lib/wind/les.c.
 */
#include "grid.h"
#include "noise.h"
#include "profile.h"
#include "wind/les.h"
#include "wind/les_ring.h"

/* Where the value at (i, k) comes from: the far end, or the last one inside; faces along x or z
 * have one more. */
FOEHN_INLINE idx stands_for(les l, int i, int j, int k, int more_x, int more_z)
{
    foehn_grid g = l.m.g;
    if (l.wraps)
        return at(g, i < 0 ? g.nx - 1 : i >= g.nx ? 0 : i, j, k < 0 ? g.nz - 1 : k >= g.nz ? 0 : k);
    return at(g, clamp(i, 0, g.nx - 1 + more_x), j, clamp(k, 0, g.nz - 1 + more_z));
}

/* Ghosts of a stage's velocity; on inflow sides as in the field that the step began with. */
kernel void ghosts(les l, global const float *u0, global const float *v0, global const float *w0,
                   global float *u, global float *v, global float *w)
{
    foehn_grid g = l.m.g;
    int i, k, j = (int)get_global_id(1);
    if (j > g.ny || !find_ring(g, (int)get_global_id(0), &i, &k))
        return;
    const idx c = at(g, i, j, k);
    if (!l.wraps && comes_in(l.m, i, k)) {
        u[c] = u0[c];
        v[c] = v0[c];
        w[c] = w0[c];
        return;
    }
    const idx cu = stands_for(l, i, j, k, 1, 0), cv = stands_for(l, i, j, k, 0, 0),
              cw = stands_for(l, i, j, k, 0, 1);
    if (cu != c)
        u[c] = u[cu];
    if (cv != c)
        v[c] = v[cv];
    if (cw != c)
        w[c] = w[cw];
}

/* The same of a field of cells. */
kernel void ghosts_of_cells(les l, global float *f)
{
    foehn_grid g = l.m.g;
    int i, k, j = (int)get_global_id(1);
    if (j < g.ny && find_ring(g, (int)get_global_id(0), &i, &k))
        f[at(g, i, j, k)] = f[stands_for(l, i, j, k, 0, 0)];
}

/* ---- what comes in ---- */

FOEHN_INLINE int round_by(int n, int size)
{
    return n - size * (int)floor((float)n / (float)size);
}

/* A component of the periodic wind at the height above the ground that a face of this one has. */
FOEHN_INLINE float from_source(les l, les_source s, const int axis, int i, int j, int k,
                               global const float *columns, global const float *f)
{
    momentum m = l.m;
    const float d = height_above(m, axis, i, j, k, columns);
    if (d <= 0.0f)
        return 0.0f;
    const float y =
        clamp(d * s.g.per_y - (axis == 1 ? 0.0f : 0.5f), 0.0f, (float)(s.g.ny - (axis != 1)));
    const int below = min((int)y, s.g.ny - 1 - (axis != 1));
    global const float *p =
        f + at(s.g, round_by(i + s.i, s.g.nx), below, round_by(k + s.k, s.g.nz));
    const float value = p[0] + (y - (float)below) * (p[s.g.sy] - p[0]);
    const float half_row = 0.5f * s.g.hy;
    if (axis == 1 || d >= half_row)
        return value;
    return value * foehn_log((d + m.z0) / m.z0) / foehn_log((half_row + m.z0) / m.z0);
}

/* On inflow sides the faces and the ghosts, or (everywhere: over the padded box) all of the field;
 * nothing above the lid. */
FOEHN_INLINE void put_source(les l, les_source s, bool everywhere, int i, int j, int k,
                             global const float *columns, global const float *u0,
                             global const float *v0, global const float *w0, global float *u,
                             global float *v, global float *w)
{
    foehn_grid g = l.m.g;
    const idx c = at(g, i, j, k);
    v[c] = from_source(l, s, 1, i, j, k, columns, v0);
    if (j == g.ny)
        return;
    u[c] = from_source(l, s, 0, i, j, k, columns, u0);
    w[c] = from_source(l, s, 2, i, j, k, columns, w0);
    if (everywhere)
        return;
    if (i < 0 && l.m.inflow & INFLOW_WEST)
        u[c + 1] = from_source(l, s, 0, 0, j, k, columns, u0);
    if (k < 0 && l.m.inflow & INFLOW_NORTH)
        w[c + g.sz] = from_source(l, s, 2, i, j, 0, columns, w0);
}

kernel void inflow(les l, les_source s, global const float *columns, global const float *u0,
                   global const float *v0, global const float *w0, global float *u, global float *v,
                   global float *w)
{
    int i, k, j = (int)get_global_id(1);
    if (j <= l.m.g.ny && find_ring(l.m.g, (int)get_global_id(0), &i, &k) && comes_in(l.m, i, k))
        put_source(l, s, false, i, j, k, columns, u0, v0, w0, u, v, w);
}

kernel void fill_all(les l, les_source s, global const float *columns, global const float *u0,
                     global const float *v0, global const float *w0, global float *u,
                     global float *v, global float *w)
{
    foehn_grid g = l.m.g;
    int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1), k = (int)get_global_id(2) - 1;
    if (i <= g.nx && j <= g.ny && k <= g.nz)
        put_source(l, s, true, i, j, k, columns, u0, v0, w0, u, v, w);
}

/* ---- how a periodic wind begins ---- */

FOEHN_INLINE float uniform(int i, int j, int k, int seed)
{
    return (float)(foehn_noise_hash(i + seed, j + 3 * seed, k + 7 * seed) >> 8) *
               (2.0f / 16777216.0f) -
           1.0f;
}

/* The log law with rolls along and across that reach from the ground to the lid and lift slow air,
 * and with noise: noise alone is damped before it makes eddies. */
kernel void begin(les l, int seed, global float *u, global float *v, global float *w)
{
    momentum m = l.m;
    foehn_grid g = m.g;
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k);
    const float height = ((float)j + 0.5f) * g.hy, half_turn = 3.1415927f * height / m.lid;
    const float speed = m.friction / VON_KARMAN * foehn_log((height + m.z0) / m.z0);
    const float turn = 6.2831853f, x = turn * (float)i / (float)g.nx,
                z = turn * (float)k / (float)g.nz;
    const float waves_x = rint((float)g.nx * g.hx / m.lid),
                waves_z = rint((float)g.nz * g.hz / m.lid);
    const float nx = max(waves_x, 1.0f), nz = max(waves_z, 1.0f);
    const float most = 4.0f * m.friction, noise = 2.0f * m.friction * (1.0f - height / m.lid);
    const float along = most * (1.0f + 0.5f * sin(2.0f * x + 1.0f)),
                across = most * (1.0f + 0.5f * sin(2.0f * z + 2.0f));
    const float rise = sin(half_turn), spread = cos(half_turn);
    const int row = min(j, g.ny - 1), ir = i % g.nx, kr = k % g.nz;
    const bool inner = j < g.ny;
    const float rolls_u = m.dz * m.dz * across * spread * sin(nx * x),
                rolls_w = m.dx * m.dx * along * spread * sin(nz * z);
    const float rolls_v =
        rise * (m.dz * m.dz * across * cos(nx * x) + m.dx * m.dx * along * cos(nz * z));
    u[c] = inner ? m.dx * speed + rolls_u + noise * uniform(ir, row, kr, seed) : 0.0f;
    v[c] = inner && j > 0 ? noise * uniform(ir, row, kr, seed + 1) - rolls_v : 0.0f;
    w[c] = inner ? m.dz * speed + rolls_w + noise * uniform(ir, row, kr, seed + 2) : 0.0f;
}

/* ---- what drives it ---- */

/* The pressure gradient over density along x and z, m/s2: in a periodic box what the ground takes
 * now, so that the air that passes through it stays what the log law has; else what the undisturbed
 * stress is kept up by.  One work-group; sums in a fixed order. */
kernel void find_drive(les l, global const float *walls, global float *drive, local float *partial)
{
    const momentum m = l.m;
    const int n = (int)get_local_id(0), items = (int)get_local_size(0);
    const int nx = m.g.nx, nz = m.g.nz, columns = l.wraps ? nx * nz : 0;
    global const float *drag = walls + DRAG * m.plane;
    global const float *x = walls + SAMPLE_X * m.plane, *z = walls + SAMPLE_Z * m.plane;
    float taken_x = 0.0f, taken_z = 0.0f;
    for (int c = n; c < columns; c += items) {
        const int i = c % nx, k = c / nx;
        const idx q = column(m.g, i, k);
        const idx west = column(m.g, i > 0 ? i - 1 : nx - 1, k);
        const idx north = column(m.g, i, k > 0 ? k - 1 : nz - 1);
        taken_x += 0.5f * (drag[west] + drag[q]) * x[q];
        taken_z += 0.5f * (drag[north] + drag[q]) * z[q];
    }
    partial[2 * n] = taken_x;
    partial[2 * n + 1] = taken_z;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = items / 2; half_of > 0; half_of /= 2) {
        if (n < half_of) {
            partial[2 * n] += partial[2 * (n + half_of)];
            partial[2 * n + 1] += partial[2 * (n + half_of) + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (n == 0) {
        const float per = 1.0f / ((float)(nx * nz) * m.lid);
        drive[0] = l.wraps ? per * partial[0] : m.dx * l.drive;
        drive[1] = l.wraps ? per * partial[1] : m.dz * l.drive;
    }
}

/* ---- projection ---- */

/* u <- u - grad psi where the solver's faces are open, p <- p + psi / dt; psi = p dt, div grad psi
 * = div u. */
kernel void take_out(les l, float per_dt, global const uchar *ax, global const uchar *ay,
                     global const uchar *az, global const float *psi, global float *u,
                     global float *v, global float *w, global float *p)
{
    foehn_grid g = l.m.g;
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx - l.wraps || j >= g.ny || k > g.nz - l.wraps)
        return;
    const idx c = at(g, i, j, k);
    const float own = psi[c];
    const float low_x = l.wraps && i == 0 ? psi[at(g, g.nx - 1, j, k)] : psi[c - 1];
    const float low_z = l.wraps && k == 0 ? psi[at(g, i, j, g.nz - 1)] : psi[c - g.sz];
    if (k < g.nz && ax[c] > 0)
        u[c] -= (own - low_x) * g.per_x;
    if (i < g.nx && k < g.nz && ay[c] > 0)
        v[c] -= (own - psi[c - g.sy]) * g.per_y;
    if (i < g.nx && az[c] > 0)
        w[c] -= (own - low_z) * g.per_z;
    if (i < g.nx && k < g.nz)
        p[c] += own * per_dt;
}
