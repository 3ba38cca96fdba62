/* SPDX-License-Identifier: MIT */
/* Figures of the fire, fields for reading, and publication.  Launched by lib/fire_read.c.
 *
 * A row of figures is a row of cells along x; the host adds rows up in order. */
#include "fire_sample.h"

/* Of the dye: sum of density and of tint, largest temperature, how many values are no numbers. */
kernel void dye_rows(foehn_grid r, global const float4 *dye, global float *rows)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= r.ny || k >= r.nz)
        return;
    idx c = at(r, 0, j, k);
    float density = 0.0f, tint = 0.0f, hottest = 0.0f, broken = 0.0f;
    for (int i = 0; i < r.nx; i++) {
        float4 s = dye[c + i];
        density += s.x;
        tint += s.w;
        hottest = fmax(hottest, s.y);
        broken += isfinite(s.x + s.y + s.z + s.w) ? 0.0f : 1.0f;
    }
    global float *row = rows + FIRE_ROW * (k * r.ny + j);
    row[0] = density;
    row[1] = tint;
    row[2] = hottest;
    row[3] = broken;
}

/* Of the air: largest speed, sum and maximum of |divergence|, open cells, values that are no numbers. */
kernel void air_rows(foehn_grid g, global const float4 *sdf, global const float *u,
                     global const float *v, global const float *w, global const float *divergence,
                     global float *rows)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= g.ny || k >= g.nz)
        return;
    float fastest = 0.0f, sum = 0.0f, most = 0.0f, open = 0.0f, broken = 0.0f;
    for (int i = 0; i < g.nx; i++) {
        idx c = at(g, i, j, k);
        float x = centered(u, c, 1), y = centered(v, c, g.sy), z = centered(w, c, g.sz);
        float speed2 = x * x + y * y + z * z, d = fabs(divergence[c]);
        fastest = fmax(fastest, speed2);
        broken += isfinite(speed2) ? 0.0f : 1.0f;
        if (!is_solid(sdf, c)) {
            sum += d;
            most = fmax(most, d);
            open += 1.0f;
        }
    }
    global float *row = rows + FIRE_ROW * (k * g.ny + j);
    row[0] = sqrt(fastest);
    row[1] = sum;
    row[2] = most;
    row[3] = open;
    row[4] = broken;
}

/* One channel (0 to 3) of a field of four, packed for reading. */
kernel void channel(foehn_grid g, int n, global const float4 *from, global float *to)
{
    CELL_OF(g);
    float4 s = from[c];
    to[i + g.nx * (j + g.ny * k)] = n == 0 ? s.x : n == 1 ? s.y : n == 2 ? s.z : s.w;
}

/* And written back. */
kernel void set_channel(foehn_grid g, int n, global const float *from, global float4 *to)
{
    CELL_OF(g);
    float value = from[i + g.nx * (j + g.ny * k)];
    float4 s = to[c];
    to[c] = (float4)(n == 0 ? value : s.x, n == 1 ? value : s.y, n == 2 ? value : s.z,
                     n == 3 ? value : s.w);
}

/* The first three channels. */
kernel void vectors(foehn_grid g, global const float4 *from, global float *to)
{
    CELL_OF(g);
    float4 s = from[c];
    vstore3((float3)(s.x, s.y, s.z), (size_t)(i + g.nx * (j + g.ny * k)), to);
}

/* Velocity at centres. */
kernel void velocity(foehn_grid g, global const float *u, global const float *v,
                     global const float *w, global float *to)
{
    CELL_OF(g);
    vstore3((float3)(centered(u, c, 1), centered(v, c, g.sy), centered(w, c, g.sz)),
            (size_t)(i + g.nx * (j + g.ny * k)), to);
}

/* And written back; a face takes the mean of its cells, on a side that of the one cell.  Over (n + 1). */
kernel void set_velocity(foehn_grid g, global const float *from, global float *u, global float *v,
                         global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const int face = FACE_OFFSET == 0.0f, n[3] = {g.nx, g.ny, g.nz}, cell[3] = {i, j, k};
    idx c = at(g, i, j, k);
    for (int a = 0; a < 3; a++) {
        int up[3], down[3];
        bool beyond = false;
        for (int b = 0; b < 3; b++) {
            beyond = beyond || (cell[b] == n[b] && !(face & (a == b)));
            up[b] = min(cell[b], n[b] - 1);
            down[b] = face & (a == b) ? max(cell[b] - 1, 0) : up[b];
        }
        if (beyond)
            continue;
        float value = 0.5f * (from[3 * (up[0] + g.nx * (up[1] + g.ny * up[2])) + a] +
                              from[3 * (down[0] + g.nx * (down[1] + g.ny * down[2])) + a]);
        (a == 0 ? u : a == 1 ? v : w)[c] = value;
    }
}

/* ---- publication: half floats are core ---- */

kernel void publish_dye(foehn_grid r, global const float4 *dye, global half *out)
{
    CELL_OF(r);
    vstore_half4(dye[c], (size_t)(i + r.nx * (j + r.ny * k)), out);
}

kernel void publish_velocity(foehn_grid g, global const float4 *sdf, global const float *u,
                             global const float *v, global const float *w, global half *out)
{
    CELL_OF(g);
    vstore_half4((float4)(centered(u, c, 1), centered(v, c, g.sy), centered(w, c, g.sz), sdf[c].w),
                 (size_t)(i + g.nx * (j + g.ny * k)), out);
}
