/* SPDX-License-Identifier: MIT */
/* The undisturbed wind where it varies over the box, for the mass-consistent solve: each column has
 * a wind at 10 m over the ground upwind, and a roughness of its own.  Launched by lib/wind/vary.c.
 *
 *   u(d) = u10 ln(b / z0in) / ln(10 / z0in) * ln(d / z0) / ln(b / z0)   below the blending height
 * b, u(d) = u10 ln(d / z0in) / ln(10 / z0in)                             above it (Wieringa 1986)
 *
 * where u10 = u10in + (u10 of the column - u10in) exp(-d / depth). */
#include "grid.h"
#include "profile.h"
#include "wind/structs.h"

/* A component on a face whose open part of [y, y + h] has its middle at d above the ground. */
FOEHN_INLINE float wind_on(wind_forcing f, float per_depth, float per_l, float y, float h,
                           float ground, float z0, float upwind, float own)
{
    float d = 0.5f * (max(ground, y) + y + h) - ground;
    float u10 = upwind + (own - upwind) * exp(-d * per_depth);
    if (per_l == 0.0f)
        return u10 * foehn_local_profile(d, z0, f.z0);
    /* The same with stability: below the blending height the profile of z0 that meets that upwind.
     */
    float met = foehn_stable_profile(FOEHN_BLENDING_HEIGHT, f.z0, per_l);
    float own_share =
        foehn_stable_profile(d, z0, per_l) / foehn_stable_profile(FOEHN_BLENDING_HEIGHT, z0, per_l);
    return u10 *
           (d < FOEHN_BLENDING_HEIGHT ? met * own_share : foehn_stable_profile(d, f.z0, per_l));
}

kernel void vary(foehn_grid g, wind_forcing f, float per_depth, float per_l,
                 global const float *corner, global const float *rough, global const float *east,
                 global const float *south, global const uchar *ax, global const uchar *az,
                 global float *u, global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j >= g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k), q = column(g, i, k);
    const float y = f.floor_y + (float)j * g.hy, z0 = rough[q];
    if (k < g.nz) {
        float ground = 0.5f * (corner[q] + corner[q + g.sy]), between = sqrt(z0 * rough[q - 1]);
        float wind = wind_on(f, per_depth, per_l, y, g.hy, ground, between, f.dx * f.u10,
                             0.5f * (east[q] + east[q - 1]));
        u[c] = ax[c] > 0 ? wind : 0.0f;
    }
    if (i < g.nx) {
        float ground = 0.5f * (corner[q] + corner[q + 1]), between = sqrt(z0 * rough[q - g.sy]);
        float wind = wind_on(f, per_depth, per_l, y, g.hy, ground, between, f.dz * f.u10,
                             0.5f * (south[q] + south[q - g.sy]));
        w[c] = az[c] > 0 ? wind : 0.0f;
    }
}
