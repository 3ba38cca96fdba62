/* SPDX-License-Identifier: MIT */
/* The forcing of the staggered wind, one text for two kernels: `force_faces` for CPUs takes one
 * cell's lower faces a work-item (kernels/wind/faces.cl), `force_wide` for GPUs those of four cells
 * of a row (kernels/wind/wide_faces.cl, which defines FORCE_WIDE). */
#ifndef FOEHN_KERNEL_FORCE_H
#define FOEHN_KERNEL_FORCE_H

#include "grid.h"
#include "profile.h"
#include "wind/structs.h"

#ifdef FORCE_WIDE
typedef float4 lanes;
#define FORCE force_wide
#define WIDTH 4
#define CELLS(i) CELLS_FROM(i)
#define VALUES(f, c) four(f, c)
#define BYTES(f, c) four_bytes(f, c)
#define NEXT(f, c, own) ((float4)((own).yzw, (f)[(c) + 4]))
#define LOGARITHM(v) ((float4)(foehn_log(v.x), foehn_log(v.y), foehn_log(v.z), foehn_log(v.w)))
#define STORE(f, c, exists, value, otherwise)                                                      \
    *(global float4 *)((f) + (c)) = select((float4)(otherwise), value, exists)
#else
typedef float lanes;
#define FORCE force_faces
#define WIDTH 1
#define CELLS(i) (i)
#define VALUES(f, c) ((f)[c])
#define BYTES(f, c) ((float)(f)[c])
#define NEXT(f, c, own) ((f)[(c) + 1])
#define LOGARITHM(v) foehn_log(v)
#define STORE(f, c, exists, value, otherwise)                                                      \
    if (exists)                                                                                    \
    (f)[c] = value
#endif

/* The log profile where a face's open part, of [y, y + h] over ground, has its middle.  ln(10 / z0)
 * is the host's: two logarithms side by side would be vectorised together instead of over cells. */
FOEHN_INLINE lanes profile_on(wind_forcing f, float y, float h, lanes ground)
{
    lanes height = 0.5f * (max(ground, y) + y + h) - ground;
    lanes over = max(height, f.z0) / f.z0;
    return LOGARITHM(over) * f.profile_scale;
}

/* u + (1 - exp(-r dt)) (u_target - u), 0 on a closed face.  mean: of the target, without the noise,
 * whose flux goes through the open part of the face. */
FOEHN_INLINE lanes forced(wind_forcing f, lanes old, lanes mean, lanes curl, lanes open)
{
    lanes target = mean + curl * native_divide((lanes)255.0f, max(open, 1.0f));
    lanes now = old + f.gain * (target - old);
    return open > 0.0f ? now : (lanes)0.0f;
}

/* u_target = d u(z) + u_curl + u_gust; u_curl is the discrete curl of the potentials.
 * strength <- |u_curl| at centres. */
kernel void FORCE(foehn_grid g, wind_forcing f, global const float *corner,
                  global const float *gust_u, global const float *gust_w, global const uchar *ax,
                  global const uchar *ay, global const uchar *az, global const float *psi_x,
                  global const float *psi_y, global const float *psi_z, global float *u,
                  global float *v, global float *w, global float *strength)
{
    int i = WIDTH * (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k), q = column(g, i, k);
    /* Steps to the upper neighbours, of which the last row and plane have none; in x there is a
     * ghost. */
    const idx up = j < g.ny ? g.sy : 0, far = k < g.nz ? g.sz : 0;
    /* Everything is read before anything is asked, so that GPUs wait once. */
    const lanes x = VALUES(psi_x, c), x_up = VALUES(psi_x, c + up);
    const lanes x_far = VALUES(psi_x, c + far), x_up_far = VALUES(psi_x, c + up + far);
    const lanes y = VALUES(psi_y, c), y_next = NEXT(psi_y, c, y);
    const lanes y_far = VALUES(psi_y, c + far), y_next_far = NEXT(psi_y, c + far, y_far);
    const lanes z = VALUES(psi_z, c), z_next = NEXT(psi_z, c, z);
    const lanes z_up = VALUES(psi_z, c + up), z_next_up = NEXT(psi_z, c + up, z_up);
    const lanes old_u = VALUES(u, c), old_v = VALUES(v, c), old_w = VALUES(w, c);
    const lanes open_x = BYTES(ax, c), open_y = BYTES(ay, c), open_z = BYTES(az, c);
    const lanes ground = VALUES(corner, q), ground_next = NEXT(corner, q, ground);
    const lanes ground_far = VALUES(corner, q + g.sy), gusts_u = VALUES(gust_u, q),
                gusts_w = VALUES(gust_w, q);

    const float floor_y = f.floor_y + (float)j * g.hy;
    lanes profile_x = profile_on(f, floor_y, g.hy, 0.5f * (ground + ground_far));
    lanes profile_z = profile_on(f, floor_y, g.hy, 0.5f * (ground + ground_next));
    lanes curl_x = (z_up - z) * g.per_y - (y_far - y) * g.per_z;
    lanes curl_y = (x_far - x) * g.per_z - (z_next - z) * g.per_x;
    lanes curl_z = (y_next - y) * g.per_x - (x_up - x) * g.per_y;
    lanes mean_x = f.dx * f.u10 * profile_x + gusts_u * min(profile_x, 1.0f);
    lanes mean_z = f.dz * f.u10 * profile_z + gusts_w * min(profile_z, 1.0f);
    lanes new_u = forced(f, old_u, mean_x, curl_x, open_x);
    lanes new_v = forced(f, old_v, 0.0f, curl_y, open_y);
    lanes new_w = forced(f, old_w, mean_z, curl_z, open_z);
    /* At the centre: the mean with the curl through the upper faces. */
    curl_x += (z_next_up - z_next) * g.per_y - (y_next_far - y_next) * g.per_z;
    curl_y += (x_up_far - x_up) * g.per_z - (z_next_up - z_up) * g.per_x;
    curl_z += (y_next_far - y_far) * g.per_x - (x_up_far - x_far) * g.per_y;
    lanes curl = 0.5f * sqrt(curl_x * curl_x + curl_y * curl_y + curl_z * curl_z);

    if (j < g.ny && k < g.nz) {
        STORE(u, c, CELLS(i) <= g.nx, new_u, old_u);
        STORE(strength, c, CELLS(i) < g.nx, curl, 0.0f);
    }
    if (k < g.nz)
        STORE(v, c, CELLS(i) < g.nx, new_v, old_v);
    if (j < g.ny)
        STORE(w, c, CELLS(i) < g.nx, new_w, old_w);
}

#endif
