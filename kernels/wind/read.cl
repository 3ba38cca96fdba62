/* SPDX-License-Identifier: MIT */
/* What is done with any wind whose velocity is at cell centres: ghosts, means, points.  Launched by
 * lib/wind/wind.c, averages.c and points.c. */
#include "grid.h"
#include "profile.h"
#include "publish/voxel.h"
#include "wind/law.h"
#include "wind/structs.h"

/* Ghosts of a periodic box: side ghosts take the value from the other end.  Over (nx + 2) x (ny +
 * 1) x (nz + 2) items (the upper row is that of faces); only those on the sides write. */
kernel void wrap(foehn_grid g, global float *f)
{
    int i = (int)get_global_id(0) - g.ghosts, j = (int)get_global_id(1),
        k = (int)get_global_id(2) - g.ghosts;
    if (i >= g.nx + g.ghosts || j > g.ny || k >= g.nz + g.ghosts)
        return;
    int a = i < 0 ? i + g.nx : i >= g.nx ? i - g.nx : i;
    int d = k < 0 ? k + g.nz : k >= g.nz ? k - g.nz : k;
    if (a != i || d != k)
        f[at(g, i, j, k)] = f[at(g, a, j, d)];
}

/* Running means after n samples: mean <- mean + (value - mean) / n, of u, v, w, |u| and |u|^2. */
kernel void average(foehn_grid g, float n, global const float *u, global const float *v,
                    global const float *w, global float *mean_u, global float *mean_v,
                    global float *mean_w, global float *mean_speed, global float *mean_square)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    float square = u[c] * u[c] + v[c] * v[c] + w[c] * w[c];
    mean_u[c] += (u[c] - mean_u[c]) / n;
    mean_v[c] += (v[c] - mean_v[c]) / n;
    mean_w[c] += (w[c] - mean_w[c]) / n;
    mean_speed[c] += (sqrt(square) - mean_speed[c]) / n;
    mean_square[c] += (square - mean_square[c]) / n;
}

/* The same of uu, vv, ww, uv, uw, vw. */
kernel void average_products(foehn_grid g, float n, global const float *u, global const float *v,
                             global const float *w, global float *uu, global float *vv,
                             global float *ww, global float *uv, global float *uw, global float *vw)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    uu[c] += (u[c] * u[c] - uu[c]) / n;
    vv[c] += (v[c] * v[c] - vv[c]) / n;
    ww[c] += (w[c] * w[c] - ww[c]) / n;
    uv[c] += (u[c] * v[c] - uv[c]) / n;
    uw[c] += (u[c] * w[c] - uw[c]) / n;
    vw[c] += (v[c] * w[c] - vw[c]) / n;
}

/* Velocity and turbulence intensity of one cell.  Now: a = |u_curl|.  Mean: a, b = mean of |u| and
 * of |u|^2. */
static inline float4 cell_wind(int mean, idx c, global const float *u, global const float *v,
                               global const float *w, global const float *a, global const float *b)
{
    float4 now = voxel_of(u[c], v[c], w[c], a[c]);
    float intensity = sqrt(max(b[c] - a[c] * a[c], 0.0f)) / max(a[c], 0.1f);
    return mean ? (float4)(now.xyz, intensity) : now;
}

/* One column at a height above its ground: velocity over the log profile is linear between centres,
 * so it follows the log law under the lowest; centres closer to the ground than a quarter cell are
 * passed over, where that ratio means nothing. */
static inline float4 column_wind(foehn_grid g, float floor_y, float height, int mean, int i, int k,
                                 global const float *rough, global const float *ground,
                                 global const float *u, global const float *v,
                                 global const float *w, global const float *a,
                                 global const float *b)
{
    float z0 = rough[column(g, i, k)];
    float base = ground[column(g, i, k)] - floor_y; /* of the ground above the floor */
    float least = max(0.25f * g.hy, 2.0f * z0);
    int first = clamp((int)ceil((base + least) * g.per_y - 0.5f), 0, g.ny - 1);
    float t = (base + height) * g.per_y - 0.5f;
    int low = clamp((int)floor(t), first, g.ny - 1), high = min(low + 1, g.ny - 1);
    float s = clamp(t - (float)low, 0.0f, 1.0f);
    float z_low = max(((float)low + 0.5f) * g.hy - base, least);
    float z_high = max(((float)high + 0.5f) * g.hy - base, least);
    float scale = foehn_log_profile(min(height, z_high), z0);
    float4 below = cell_wind(mean, at(g, i, low, k), u, v, w, a, b);
    float4 above = cell_wind(mean, at(g, i, high, k), u, v, w, a, b);
    float lower = scale / foehn_log_profile(z_low, z0);
    float upper = scale / foehn_log_profile(z_high, z0);
    below *= (float4)(lower, lower, lower, 1.0f);
    above *= (float4)(upper, upper, upper, 1.0f);
    return mix(below, above, s);
}

kernel void points(foehn_grid g, float floor_y, float law_to, int mean, int count,
                   global const wind_point *place, global const float *rough,
                   global const float *ground, global const float *u, global const float *v,
                   global const float *w, global const float *a, global const float *b,
                   global float4 *out)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    float x = clamp(place[n].x - 0.5f, 0.0f, (float)(g.whole_x - 1));
    float z = clamp(place[n].z - 0.5f, 0.0f, (float)(g.whole_z - 1));
    int i = min((int)x, max(g.whole_x - 2, 0)), k = min((int)z, max(g.whole_z - 2, 0));
    float s = x - (float)i, t = z - (float)k;
    i = clamp(i - g.first_x, 0, g.nx - 1), k = clamp(k - g.first_z, 0, g.nz - 1);
    int ip = min(i + 1, g.nx - 1), kp = min(k + 1, g.nz - 1);
    float h = max(place[n].height, law_to);
    float left = below_law(place[n].height, law_to, rough[column(g, i, k)]);
    float4 near = mix(column_wind(g, floor_y, h, mean, i, k, rough, ground, u, v, w, a, b),
                      column_wind(g, floor_y, h, mean, ip, k, rough, ground, u, v, w, a, b), s);
    float4 far = mix(column_wind(g, floor_y, h, mean, i, kp, rough, ground, u, v, w, a, b),
                     column_wind(g, floor_y, h, mean, ip, kp, rough, ground, u, v, w, a, b), s);
    out[n] = mix(near, far, t) * (float4)(left, left, left, 1.0f);
}

/* Built with it: a program of its own costs a processor's driver 0.07 s. */
#include "wind/ground.cl"
