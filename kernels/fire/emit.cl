/* SPDX-License-Identifier: MIT */
/* What emitters give to the fire, and the budget of smoke.  Launched by lib/fire/emit.c and
 * lib/fire/step.c.  Fields as in air.cl. */
#include "fire/books.h"
#include "fire/sample.h"

/* ---- emitters ---- */

/* How many points of each proxy reach each cell: whole numbers, so that no order of adding matters.
 * A point reaches the cells whose centre lies in its cube [p - half, p + half) or within its brush
 * radius; one on a face of the box, such as its floor, lies just inside.  Over (points, proxies).
 */
kernel void count(foehn_grid g, int first_proxy, global const fire_proxy *proxies,
                  global const float *points, global int *counts)
{
    fire_proxy q = proxies[first_proxy + (int)get_global_id(1)];
    int n = (int)get_global_id(0);
    if (n >= q.count)
        return;
    global const float *at_point = points + 3 * (q.first + n);
    float local_point[3] = {at_point[0], at_point[1], at_point[2]}, p[3];
    const float most[3] = {(float)g.nx, (float)g.ny, (float)g.nz};
    apply_pose(q.pose, local_point, p);
    for (int a = 0; a < 3; a++) {
        if (!(p[a] >= -FIRE_FACE && p[a] <= most[a] + FIRE_FACE))
            return;
        p[a] = clamp(p[a], FIRE_FACE, most[a] - FIRE_FACE);
    }
    float rx = fmax(q.half_x, q.radius * g.per_x), ry = fmax(q.half_y, q.radius * g.per_y);
    float rz = fmax(q.half_z, q.radius * g.per_z);
    int i1 = min((int)floor(p[0] + rx), q.low_x + q.nx - 1);
    int j1 = min((int)floor(p[1] + ry), q.low_y + q.ny - 1);
    int k1 = min((int)floor(p[2] + rz), q.low_z + q.nz - 1);
    for (int k = max((int)floor(p[2] - rz), q.low_z); k <= k1; k++)
        for (int j = max((int)floor(p[1] - ry), q.low_y); j <= j1; j++)
            for (int i = max((int)floor(p[0] - rx), q.low_x); i <= i1; i++) {
                float x = (float)i + 0.5f - p[0], y = (float)j + 0.5f - p[1];
                float z = (float)k + 0.5f - p[2];
                bool cube = x >= -q.half_x && x < q.half_x && y >= -q.half_y && y < q.half_y &&
                            z >= -q.half_z && z < q.half_z;
                float far = x * x * g.hx * g.hx + y * y * g.hy * g.hy + z * z * g.hz * g.hz;
                if (cube || (q.radius > 0.0f && far <= q.radius * q.radius))
                    atomic_inc(&counts[q.offset + i - q.low_x +
                                       q.nx * (j - q.low_y + q.ny * (k - q.low_z))]);
            }
}

/* Where the points of a proxy that reach cell (i, j, k) are counted; -1: out of its reach. */
FOEHN_INLINE int slot_of(const fire_proxy *q, int i, int j, int k)
{
    int x = i - q->low_x, y = j - q->low_y, z = k - q->low_z;
    if (x < 0 || y < 0 || z < 0 || x >= q->nx || y >= q->ny || z >= q->nz)
        return -1;
    return q->offset + x + q->nx * (y + q->ny * z);
}

FOEHN_INLINE int counted(const fire_proxy *q, int i, int j, int k, global const int *counts)
{
    int slot = slot_of(q, i, j, k);
    return slot < 0 ? 0 : counts[slot];
}

/* Add to the dye what the points of all proxies give to each cell, proxies in order, and set the
 * counts back to 0.  Cells from (x, y, z) on, extent (nx, ny, nz) of g. */
kernel void emit(foehn_grid g, int x, int y, int z, int nx, int ny, int nz, int first_proxy,
                 int proxy_count, global const fire_proxy *proxies, global int *counts,
                 global float *dye)
{
    CELL_WITHIN(x, y, z, nx, ny, nz);
    float density = 0.0f, heat = 0.0f, tint = 0.0f;
    for (int n = first_proxy; n < first_proxy + proxy_count; n++) {
        fire_proxy q = proxies[n];
        int slot = slot_of(&q, i, j, k);
        if (slot < 0)
            continue;
        float points = (float)counts[slot];
        counts[slot] = 0;
        density += points * q.density;
        heat += points * q.heat;
        tint += points * q.density * q.tint;
    }
    if (density <= 0.0f)
        return;
    const idx plane = plane_of(g);
    global float *s = dye + at(g, i, j, k);
    float sum = fmin(fmax(s[0] + density, 0.0f), 1.0f);
    float fresh = fmin(fmax(density / fmax(sum, 0.001f), 0.0f), 1.0f);
    s[0] = sum;
    s[plane] += heat;
    s[2 * plane] *= 1.0f - fresh;
    s[3 * plane] += tint;
}

/* Draw the air towards the velocity of moving proxies, by the share of density that they give.
 * Faces take the larger share of their two cells. */
kernel void inject(foehn_grid g, int x, int y, int z, int nx, int ny, int nz, int first_proxy,
                   int proxy_count, global const fire_proxy *proxies, global const int *counts,
                   global float *u, global float *v, global float *w)
{
    CELL_WITHIN(x, y, z, nx, ny, nz);
    idx c = at(g, i, j, k);
    float speed[3] = {u[c], v[c], w[c]};
    for (int n = first_proxy; n < first_proxy + proxy_count; n++) {
        fire_proxy q = proxies[n];
        float to[3] = {q.u, q.v, q.w};
        int own = counted(&q, i, j, k, counts);
        for (int a = 0; a < 3; a++) {
#ifdef FOEHN_STAGGERED
            int points = max(own, counted(&q, i - (a == 0), j - (a == 1), k - (a == 2), counts));
#else
            int points = own;
#endif
            float share = fmin((float)points * q.density, 1.0f);
            speed[a] += share * (to[a] - speed[a]);
        }
    }
    u[c] = speed[0];
    v[c] = speed[1];
    w[c] = speed[2];
}

/* ---- budget ---- */

/* Book the change of a row's density.  After the transport (emitted = 0) what came by it and what
 * was dissipated by the factor keep; after the emitters what they gave. */
kernel void budget(foehn_grid r, int emitted, float keep, global const float *dye,
                   global float *rows)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= r.ny || k >= r.nz)
        return;
    idx c = at(r, 0, j, k);
    float sum = 0.0f;
    for (int i = 0; i < r.nx; i++)
        sum += dye[c + i];
    global float *row = rows + FIRE_BUDGET * (k * r.ny + j);
    if (emitted)
        add_kept(row + FIRE_EMITTED, sum - row[FIRE_SUM]);
    else {
        float carried = keep > 0.0f ? sum / keep : row[FIRE_SUM];
        add_kept(row + FIRE_DISSIPATED, carried - sum);
        add_kept(row + FIRE_CARRIED, row[FIRE_SUM] - carried);
    }
    row[FIRE_SUM] = sum;
}
