/* SPDX-License-Identifier: MIT */
/* Figures of the fire, fields for reading, and publication.  Launched by lib/fire/read.c.
 *
 * A row of figures is a row of cells along x; the host adds rows up in order. */
#include "fire/sample.h"
#include "publish/voxel.h"

/* Of the dye: sum of density and of tint, largest temperature, how many values are no numbers. */
kernel void dye_rows(foehn_grid r, global const float *dye, global float *rows)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= r.ny || k >= r.nz)
        return;
    idx c = at(r, 0, j, k);
    float density = 0.0f, tint = 0.0f, hottest = 0.0f, broken = 0.0f;
    for (int i = 0; i < r.nx; i++) {
        float s[4];
        for (int a = 0; a < 4; a++)
            s[a] = dye[c + i + a * plane_of(r)];
#ifdef FOEHN_BURN
        s[0] *= FIRE_EXTINCTION * FIRE_RHO_T / (FIRE_AMBIENT + s[1]);
#endif
        density += s[0];
        hottest = fmax(hottest, s[1]);
        tint += s[3];
        broken += isfinite(s[0] + s[1] + s[2] + s[3]) ? 0.0f : 1.0f;
    }
    global float *row = rows + FIRE_ROW * (k * r.ny + j);
    row[0] = density;
#ifdef FOEHN_BURN
    tint = 0.0f; /* that plane holds products */
#endif
    row[1] = tint;
    row[2] = hottest;
    row[3] = broken;
}

/* Of the air: largest speed, sum and maximum of |divergence|, open cells, values that are no
 * numbers. */
kernel void air_rows(foehn_grid g, global const float *sdf, global const float *u,
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
        if (!is_solid(g, sdf, c)) {
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

/* `count` planes of a field from plane n on, packed for reading. */
kernel void pack(foehn_grid g, int n, int count, global const float *from, global float *to)
{
    CELL_OF(g);
    int cell = i + g.nx * (j + g.ny * k);
    for (int a = 0; a < count; a++)
        to[count * cell + a] = from[c + (n + a) * plane_of(g)];
}

/* One plane written back. */
kernel void unpack(foehn_grid g, int n, global const float *from, global float *to)
{
    CELL_OF(g);
    to[c + n * plane_of(g)] = from[i + g.nx * (j + g.ny * k)];
}

/* Velocity at centres. */
kernel void velocity(foehn_grid g, global const float *u, global const float *v,
                     global const float *w, global float *to)
{
    CELL_OF(g);
    vstore3((float3)(centered(u, c, 1), centered(v, c, g.sy), centered(w, c, g.sz)),
            (size_t)(i + g.nx * (j + g.ny * k)), to);
}

/* And written back; a face takes the mean of its cells, on a side that of the one cell.  Over (n +
 * 1). */
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
            down[b] = (face & (a == b)) ? max(cell[b] - 1, 0) : up[b];
        }
        if (beyond)
            continue;
        float value = 0.5f * (from[3 * (up[0] + g.nx * (up[1] + g.ny * up[2])) + a] +
                              from[3 * (down[0] + g.nx * (down[1] + g.ny * down[2])) + a]);
        (a == 0 ? u : a == 1 ? v : w)[c] = value;
    }
}

/* ---- publication: half floats are core ---- */

#ifdef FOEHN_BURN
kernel void publish_burnt(foehn_grid r, float most, global const float *dye,
                          global const float *burnt, global ushort4 *out)
{
    CELL_OF(r);
    const idx plane = plane_of(r);
    float kelvin = FIRE_AMBIENT + dye[c + plane];
    out[i + r.nx * (j + r.ny * k)] =
        halves_of((float4)(dye[c] * FIRE_EXTINCTION * FIRE_RHO_T / kelvin, kelvin,
                           dye[c + 2 * plane], fmin(burnt[c + BURNT_HEAT * plane] / most, 1.0f)));
}
#endif

kernel void publish_dye(foehn_grid r, global const float *dye, global ushort4 *out)
{
    CELL_OF(r);
    const idx plane = plane_of(r);
    out[i + r.nx * (j + r.ny * k)] =
        halves_of((float4)(dye[c], dye[c + plane], dye[c + 2 * plane], dye[c + 3 * plane]));
}

kernel void publish_velocity(foehn_grid g, global const float *sdf, global const float *u,
                             global const float *v, global const float *w, global ushort4 *out)
{
    CELL_OF(g);
    float d = sdf[c + DISTANCE * plane_of(g)];
    out[i + g.nx * (j + g.ny * k)] =
        halves_of((float4)(centered(u, c, 1), centered(v, c, g.sy), centered(w, c, g.sz), d));
}
