/* SPDX-License-Identifier: MIT */
/* Transport of what burns.  Launched by lib/fire/step.c.  Dye as in combustion.cl: soot,
 * temperature above the ambient, fuel, products, each for a kilogram of gas.
 *
 * Between two voxels gas mixes by mass: halfway between flame and air is not the mean of their
 * temperatures, but that of a mixture to which the flame gives a fifth.  So what is interpolated is
 * what a cubic metre holds, density times each plane.  Density needs no plane: rho (T0 + excess) =
 * 353, so that where warmth is rho excess, rho = (353 - warmth) / T0. */
#include "fire/overlap.h"
#include "fire/trace.h"

/* What a cubic metre holds: kg of soot, kg K of warmth, kg of fuel, of products. */
kernel void fill_up(foehn_grid r, global const float *dye, global float *contents,
                    global const uchar *awake)
{
    CELL_OF(r);
    if (awake[block_of(r, i, j, k)] == 0)
        return;
    const idx plane = plane_of(r);
    float rho = FIRE_RHO_T / (FIRE_AMBIENT + dye[c + plane]);
    for (int a = 0; a < 4; a++)
        contents[c + a * plane] = rho * dye[c + a * plane];
}

/* The dye of a voxel from what a cubic metre of it holds, and how it mixes with its neighbours. */
FOEHN_INLINE void store_dye(foehn_grid g, foehn_grid r, const float contents[4],
                            global const float *nu, global const float *sdf, int i, int j, int k,
                            global float *to, global float *burnt)
{
    const idx c = at(r, i, j, k), plane = plane_of(r);
    float per_rho = FIRE_AMBIENT / (FIRE_RHO_T - contents[1]), excess = contents[1] * per_rho;
    for (int a = 0; a < 4; a++)
        to[c + a * plane] = contents[a] * per_rho;
    float mixing = molecular(FIRE_AMBIENT + excess) + 2.0f * eddies_at(g, r, nu, i, j, k);
#ifdef FOEHN_SOLIDS
    mixing = is_open(g, r, sdf, i, j, k) ? mixing : -1.0f;
#else
    (void)sdf;
#endif
    burnt[c + BURNT_MIXING * plane] = mixing;
    burnt[c + BURNT_CAME * plane] = excess;
}

/* Contents at x - v dt: for carry_correct (last = 0), or as dye. */
kernel void carry(foehn_grid g, foehn_grid r, float dt, int last, global const float *sdf,
                  global const float *nu, global const float *u, global const float *v,
                  global const float *w, global const float *contents, global float *to,
                  global float *burnt, global const uchar *awake)
{
    CELL_OF(r);
    if (awake[block_of(r, i, j, k)] == 0)
        return;
    float p[3], speed[3], value[4];
    corner t;
    const idx plane = plane_of(r);
    start_of(g, r, i, j, k, sdf, u, v, w, p, speed);
    locate(r, p[0] - speed[0] * dt, above_floor(p[1] - speed[1] * dt), p[2] - speed[2] * dt, 0.5f,
           0.5f, 0.5f, &t);
    for (int a = 0; a < 4; a++)
        value[a] = sample_at(r, contents + a * plane, &t);
    if (last)
        store_dye(g, r, value, nu, sdf, i, j, k, to, burnt);
    for (int a = 0; a < 4 && !last; a++)
        to[c + a * plane] = value[a];
}

/* MacCormack (Selle et al. 2008): hat + (contents - hat(x + v dt)) / 2, within the values around
 * the trace back, as dye; where the start was moved out of a collider, hat. */
kernel void carry_correct(foehn_grid g, foehn_grid r, float dt, global const float *sdf,
                          global const float *nu, global const float *u, global const float *v,
                          global const float *w, global const float *contents,
                          global const float *hat, global float *to, global float *burnt,
                          global const uchar *awake)
{
    CELL_OF(r);
    if (awake[block_of(r, i, j, k)] == 0)
        return;
    float p[3], speed[3], value[4];
    corner back, forth;
    const idx plane = plane_of(r);
    start_of(g, r, i, j, k, sdf, u, v, w, p, speed);
    bool moved = p[0] != (float)i + 0.5f || p[1] != (float)j + 0.5f || p[2] != (float)k + 0.5f;
    locate(r, p[0] - speed[0] * dt, above_floor(p[1] - speed[1] * dt), p[2] - speed[2] * dt, 0.5f,
           0.5f, 0.5f, &back);
    locate(r, p[0] + speed[0] * dt, above_floor(p[1] + speed[1] * dt), p[2] + speed[2] * dt, 0.5f,
           0.5f, 0.5f, &forth);
    for (int a = 0; a < 4; a++) {
        global const float *f = contents + a * plane, *h = hat + a * plane;
        float one = h[c], better = maccormack(one, f[c], sample_at(r, h, &forth));
        value[a] = moved ? one : limited(r, f, &back, better);
    }
    store_dye(g, r, value, nu, sdf, i, j, k, to, burnt);
}
