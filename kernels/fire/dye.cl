/* SPDX-License-Identifier: MIT */
/* Transport of the fire's dye.  Launched by lib/fire/step.c.  Fields as in air.cl.  Variant
 * FOEHN_SOLIDS: there are colliders. */
#include "fire/trace.h"

/* The planes of a voxel after dt: carried values with their losses, aged by the nearest voxel's
 * age. */
FOEHN_INLINE void store_aged(foehn_grid r, fire_motion m, float density, float heat, float age,
                             float tint, idx c, global float *to)
{
    const idx plane = plane_of(r);
    density *= m.keep_density;
    to[c] = density;
    to[c + plane] = heat * m.keep_heat;
    to[c + 2 * plane] = density <= 0.01f ? 0.0f : age + m.dt;
    to[c + 3 * plane] = tint * m.keep_density;
}

FOEHN_INLINE float age_at(foehn_grid r, global const float *dye, const float p[3])
{
    idx c = at(r, (int)floor(confined(p[0], r.nx, 0.5f)), (int)floor(confined(p[1], r.ny, 0.5f)),
               (int)floor(confined(p[2], r.nz, 0.5f)));
    return dye[c + 2 * plane_of(r)];
}

kernel void dye(foehn_grid g, foehn_grid r, fire_motion m, global const float *sdf,
                global const float *u, global const float *v, global const float *w,
                global const float *from, global float *to)
{
    CELL_OF(r);
    float p[3], speed[3];
    corner t;
    const idx plane = plane_of(r);
    start_of(g, r, i, j, k, sdf, u, v, w, p, speed);
    p[0] -= speed[0] * m.dt;
    p[1] -= speed[1] * m.dt;
    p[2] -= speed[2] * m.dt;
    p[1] = above_floor(p[1]);
    locate(r, p[0], p[1], p[2], 0.5f, 0.5f, 0.5f, &t);
    store_aged(r, m, sample_at(r, from, &t), sample_at(r, from + plane, &t), age_at(r, from, p),
               sample_at(r, from + 3 * plane, &t), c, to);
}

/* MacCormack (Selle et al. 2008): to = hat + (from - hat(x + v dt)) / 2, within the values around
 * the trace back; hat is what `dye` made of from without losses.  Where the start was moved out of
 * a collider the correction is left out. */
kernel void dye_correct(foehn_grid g, foehn_grid r, fire_motion m, global const float *sdf,
                        global const float *u, global const float *v, global const float *w,
                        global const float *from, global const float *hat, global float *to)
{
    CELL_OF(r);
    float p[3], speed[3], back[3], forth[3], value[4];
    corner tb, tf;
    const idx plane = plane_of(r);
    start_of(g, r, i, j, k, sdf, u, v, w, p, speed);
    for (int a = 0; a < 3; a++) {
        back[a] = p[a] - speed[a] * m.dt;
        forth[a] = p[a] + speed[a] * m.dt;
    }
    bool moved = p[0] != (float)i + 0.5f || p[1] != (float)j + 0.5f || p[2] != (float)k + 0.5f;
    back[1] = above_floor(back[1]);
    forth[1] = above_floor(forth[1]);
    locate(r, back[0], back[1], back[2], 0.5f, 0.5f, 0.5f, &tb);
    locate(r, forth[0], forth[1], forth[2], 0.5f, 0.5f, 0.5f, &tf);
    for (int a = 0; a < 4; a++) {
        global const float *f = from + a * plane, *h = hat + a * plane;
        float one = h[c], better = maccormack(one, f[c], sample_at(r, h, &tf));
        value[a] = moved ? one : limited(r, f, &tb, better);
    }
    value[2] = age_at(r, from, back);
    store_aged(r, m, value[0], value[1], value[2], value[3], c, to);
}
