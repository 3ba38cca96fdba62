/* SPDX-License-Identifier: MIT */
/* Transport of what burns.  Launched by lib/fire/step.c.  Dye as in combustion.cl: soot, temperature above the
 * ambient, fuel, products, each for a kilogram of gas.
 *
 * Between two voxels gas mixes by mass: halfway between flame and air is not the mean of their temperatures, but
 * that of a mixture to which the flame gives a fifth.  So what is interpolated is what a cubic metre holds,
 * density times each plane.  Density needs no plane: rho (T0 + excess) = 353, so that where warmth is rho excess,
 * rho = (353 - warmth) / T0. */
#include "fire/trace.h"

/* What a cubic metre holds: kg of soot, kg K of warmth, kg of fuel, of products. */
FOEHN_INLINE void contents_of(foehn_grid r, global const float *dye, idx c, float out[4])
{
    const idx plane = plane_of(r);
    float rho = FIRE_RHO_T / (FIRE_AMBIENT + dye[c + plane]);
    for (int a = 0; a < 4; a++)
        out[a] = rho * dye[c + a * plane];
}

/* The same between the eight voxels around a place, and the least and the most of each. */
FOEHN_INLINE void contents_at(foehn_grid r, global const float *dye, const corner *t, float mean[4],
                              float low[4], float high[4])
{
    for (int n = 0; n < 8; n++) {
        float one[4], weight = (n & 1 ? t->a : 1.0f - t->a) * (n & 2 ? t->b : 1.0f - t->b) *
                               (n & 4 ? t->d : 1.0f - t->d);
        contents_of(r, dye, t->c + (n & 1) + (n & 2 ? r.sy : 0) + (n & 4 ? r.sz : 0), one);
        for (int a = 0; a < 4; a++) {
            mean[a] = n ? mean[a] + weight * one[a] : weight * one[a];
            low[a] = n ? fmin(low[a], one[a]) : one[a];
            high[a] = n ? fmax(high[a], one[a]) : one[a];
        }
    }
}

FOEHN_INLINE void store_contents(foehn_grid r, const float contents[4], idx c, global float *to)
{
    float rho = (FIRE_RHO_T - contents[1]) / FIRE_AMBIENT;
    for (int a = 0; a < 4; a++)
        to[c + a * plane_of(r)] = contents[a] / rho;
}

/* to = from(x - v dt) as contents of a cubic metre for carry_correct, or (only) as dye. */
kernel void carry(foehn_grid g, foehn_grid r, float dt, int only, global const float *sdf,
                  global const float *u, global const float *v, global const float *w,
                  global const float *from, global float *to)
{
    CELL_OF(r);
    float p[3], speed[3], mean[4], low[4], high[4];
    corner t;
    start_of(g, r, i, j, k, sdf, u, v, w, p, speed);
    locate(r, p[0] - speed[0] * dt, above_floor(p[1] - speed[1] * dt), p[2] - speed[2] * dt, 0.5f, 0.5f,
           0.5f, &t);
    contents_at(r, from, &t, mean, low, high);
    if (only)
        store_contents(r, mean, c, to);
    for (int a = 0; a < 4 && !only; a++)
        to[c + a * plane_of(r)] = mean[a];
}

/* MacCormack (Selle et al. 2008): to = hat + (from - hat(x + v dt)) / 2, within the values around the trace
 * back; where the start was moved out of a collider, hat. */
kernel void carry_correct(foehn_grid g, foehn_grid r, float dt, global const float *sdf,
                          global const float *u, global const float *v, global const float *w,
                          global const float *from, global const float *hat, global float *to)
{
    CELL_OF(r);
    float p[3], speed[3], own[4], mean[4], low[4], high[4];
    corner back, forth;
    start_of(g, r, i, j, k, sdf, u, v, w, p, speed);
    bool moved = p[0] != (float)i + 0.5f || p[1] != (float)j + 0.5f || p[2] != (float)k + 0.5f;
    locate(r, p[0] - speed[0] * dt, above_floor(p[1] - speed[1] * dt), p[2] - speed[2] * dt, 0.5f, 0.5f,
           0.5f, &back);
    locate(r, p[0] + speed[0] * dt, above_floor(p[1] + speed[1] * dt), p[2] + speed[2] * dt, 0.5f, 0.5f,
           0.5f, &forth);
    contents_of(r, from, c, own);
    contents_at(r, from, &back, mean, low, high);
    for (int a = 0; a < 4; a++) {
        global const float *h = hat + a * plane_of(r);
        float one = h[c], better = one + 0.5f * (own[a] - sample_at(r, h, &forth));
        own[a] = moved ? one : fmin(fmax(better, low[a]), high[a]);
    }
    store_contents(r, own, c, to);
}
