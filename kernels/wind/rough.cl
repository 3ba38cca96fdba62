/* SPDX-License-Identifier: MIT */
/* The undisturbed wind over ground of several roughnesses, for the mass-consistent solve.  Launched by
 * lib/wind/mean.c.
 *
 * From the blending height up it is the log profile of the wind that comes in; below, the log profile of the
 * column's own z0 that meets it there (Wieringa 1986):
 *   u(d) = u10 ln(b / z0in) / ln(10 / z0in) * ln(d / z0) / ln(b / z0)   for d < b */
#include "grid.h"
#include "profile.h"
#include "wind/structs.h"

/* Over u10, where the open part of a face of [y, y + h] has its middle. */
FOEHN_INLINE float speed_over(wind_forcing f, float blending, float y, float h, float ground, float z0)
{
    float d = 0.5f * (max(ground, y) + y + h) - ground;
    float met = foehn_log(blending / f.z0) * f.profile_scale;
    float own = met * foehn_log(max(d, z0) / z0) / foehn_log(blending / z0);
    return d < blending ? own : foehn_log(max(d, f.z0) / f.z0) * f.profile_scale;
}

kernel void roughen(foehn_grid g, wind_forcing f, float blending, global const float *corner,
                    global const float *rough, global const uchar *ax, global const uchar *az, global float *u,
                    global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j >= g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k), q = column(g, i, k);
    const float y = f.floor_y + (float)j * g.hy, z0 = rough[q];
    if (k < g.nz) {
        float ground = 0.5f * (corner[q] + corner[q + g.sy]), between = sqrt(z0 * rough[q - 1]);
        u[c] = ax[c] > 0 ? f.dx * f.u10 * speed_over(f, blending, y, g.hy, ground, between) : 0.0f;
    }
    if (i < g.nx) {
        float ground = 0.5f * (corner[q] + corner[q + 1]), between = sqrt(z0 * rough[q - g.sy]);
        w[c] = az[c] > 0 ? f.dz * f.u10 * speed_over(f, blending, y, g.hy, ground, between) : 0.0f;
    }
}
