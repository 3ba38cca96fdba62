/* SPDX-License-Identifier: MIT */
/* Firebrands of a fire that burns: bits of burning char that its plume lifts and the wind carries.
 * They take nothing from the air (one way).  Launched by lib/fire/firebrands.c.
 *
 * A brand is FIREBRAND floats: place (m from the box's lower corner), velocity, diameter, state,
 * age, and where it broke off. */
#include "fire/overlap.h"
#include "fire/simplex.h"

#define TRIALS 16

/* Uniform in [0, 1): draw number `draw` of a brand's trial. */
FOEHN_INLINE float chance(int brand, int trial, int draw, int seed)
{
    /* the lattice of the noise repeats after 4096 */
    unsigned h = foehn_noise_hash(brand & 4095, brand >> 12, 8 * seed + draw);
    h = foehn_noise_hash((int)(h >> 8 & 4095), (int)(h >> 20), trial);
    return (float)(h >> 8) * 5.9604644775390625e-8f;
}

/* Heat release of each plane of the dye's grid. */
kernel void firebrand_planes(foehn_grid r, global const float *books, global float *planes)
{
    int k = (int)get_global_id(0);
    float sum = 0.0f;
    if (k >= r.nz)
        return;
    for (int j = 0; j < r.ny; j++)
        sum += books[BOOKS * (k * r.ny + j) + BOOKS_HEAT];
    planes[k] = sum;
}

/* Density of the gas at a place over that of air. */
FOEHN_INLINE float thinness(foehn_grid r, global const float *dye, const float x[3])
{
    corner t;
    locate(r, x[0] * r.per_x, x[1] * r.per_y, x[2] * r.per_z, 0.5f, 0.5f, 0.5f, &t);
    return FIRE_AMBIENT / (FIRE_AMBIENT + fmax(sample_at(r, dye + plane_of(r), &t), 0.0f));
}

/* A place where heat is released, each voxel as likely as its share of the heat is large: a plane,
 * a row of it, a voxel of that.  False: what sums round to. */
FOEHN_INLINE bool place_in_fire(foehn_grid r, int n, int trial, int seed, float total,
                                global const float *planes, global const float *books,
                                global const float *heat, float x[3])
{
    int i = 0, j = 0, k = 0;
    float left = chance(n, trial, 0, seed) * total;
    for (k = 0; k < r.nz - 1 && left >= planes[k]; k++)
        left -= planes[k];
    global const float *rows = books + BOOKS * k * r.ny + BOOKS_HEAT;
    for (j = 0; j < r.ny - 1 && left >= rows[BOOKS * j]; j++)
        left -= rows[BOOKS * j];
    for (i = 0; i < r.nx - 1 && left >= heat[at(r, i, j, k)]; i++)
        left -= heat[at(r, i, j, k)];
    x[0] = ((float)i + chance(n, trial, 1, seed)) * r.hx;
    x[1] = ((float)j + chance(n, trial, 2, seed)) * r.hy;
    x[2] = ((float)k + chance(n, trial, 3, seed)) * r.hz;
    return heat[at(r, i, j, k)] > 0.0f;
}

/* Brands first to first + count break off where heat is released and air lifts them: evenly from
 * the least diameter to the largest whose weight is less than the drag that lifts it, k u_up > g.
 * One that finds no lift at sixteen places falls from the last.  Where nothing burns none does. */
kernel void firebrand_launch(foehn_grid g, foehn_grid r, fire_firebrands q, int first, int count,
                             global const float *planes, global const float *books,
                             global const float *burnt, global const float *u,
                             global const float *v, global const float *w, global const float *dye,
                             global float *brands)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    n += first;
    global float *brand = brands + (size_t)n * FIREBRAND;
    global const float *heat = burnt + BURNT_HEAT * plane_of(r);
    float total = 0.0f;
    for (int plane = 0; plane < r.nz; plane++)
        total += planes[plane];
    for (int a = 0; a < FIREBRAND; a++)
        brand[a] = 0.0f;
    bool lifted = false;
    for (int trial = 0; trial < TRIALS && total > 0.0f && !lifted; trial++) {
        float x[3], air[3];
        if (!place_in_fire(r, n, trial, q.seed, total, planes, books, heat, x))
            continue;
        sample_velocity(g, u, v, w, x[0] * g.per_x, x[1] * g.per_y, x[2] * g.per_z, air);
        float stream = sqrt(air[0] * air[0] + air[1] * air[1] + air[2] * air[2]);
        float rising = air[0] * q.up_x + air[1] * q.up_y + air[2] * q.up_z;
        float most = thinness(r, dye, x) * stream * rising / (q.fall * q.gravity);
        lifted = most > q.least;
        most = lifted ? fmin(most, q.largest) : q.largest;
        for (int a = 0; a < 3; a++)
            brand[a] = brand[FIREBRAND_FROM + a] = x[a];
        brand[FIREBRAND_DIAMETER] = blend(q.least, most, chance(n, trial, 4, q.seed));
        brand[FIREBRAND_STATE] = FIREBRAND_FLIES;
    }
}

/* Distance to the ground or a collider: the floor is at y = 0. */
FOEHN_INLINE float height_over(foehn_grid g, global const float *sdf, const float x[3])
{
    corner t;
    locate(g, x[0] * g.per_x, x[1] * g.per_y, x[2] * g.per_z, 0.5f, 0.5f, 0.5f, &t);
    float d = sample_at(g, sdf + DISTANCE * plane_of(g), &t);
    return HAS_FLOOR ? fmin(d, x[1]) : d;
}

/* Drag and weight over dt, in parts in which it crosses no more than half a cell:
 *   dv/dt = k (u - v) - g up,  k = g |u - v| / w^2 rho / rho0,  w^2 = 4 rho_p g d / (3 rho0 Cd),
 * implicit in v, so that it falls with w in the end; d shrinks at a steady rate.  It lands where it
 * meets the ground or a collider. */
kernel void firebrand_fly(foehn_grid g, foehn_grid r, fire_firebrands q, float dt, int count,
                          global const float *sdf, global const float *u, global const float *v,
                          global const float *w, global const float *dye, global float *brands)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    global float *brand = brands + (size_t)n * FIREBRAND;
    if (brand[FIREBRAND_STATE] != FIREBRAND_FLIES)
        return;
    const float up[3] = {q.up_x, q.up_y, q.up_z};
    const float size[3] = {g.hx * (float)g.nx, g.hy * (float)g.ny, g.hz * (float)g.nz};
    const float cell = fmin(fmin(g.hx, g.hy), g.hz);
    float x[3] = {brand[0], brand[1], brand[2]}, speed[3] = {brand[3], brand[4], brand[5]};
    float d = brand[FIREBRAND_DIAMETER], state = FIREBRAND_FLIES, flown = 0.0f;
    float age = brand[FIREBRAND_AGE];
    float above = height_over(g, sdf, x);
    for (int part = 0; part < 1000 && flown < dt && state == FIREBRAND_FLIES; part++) {
        float air[3];
        sample_velocity(g, u, v, w, x[0] * g.per_x, x[1] * g.per_y, x[2] * g.per_z, air);
        float fastest = sqrt(speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2]);
        fastest = fmax(fastest, sqrt(air[0] * air[0] + air[1] * air[1] + air[2] * air[2]));
        float s = fmin(dt - flown, 0.5f * cell / fmax(fastest, 1e-3f));
        float rx = air[0] - speed[0], ry = air[1] - speed[1], rz = air[2] - speed[2];
        float k =
            thinness(r, dye, x) * sqrt(rx * rx + ry * ry + rz * rz) / (q.fall * fmax(d, 1e-6f));
        float next[3];
        for (int a = 0; a < 3; a++) {
            speed[a] = (speed[a] + s * (k * air[a] - q.gravity * up[a])) / (1.0f + s * k);
            next[a] = x[a] + s * speed[a];
        }
        float below = height_over(g, sdf, next);
        float share =
            below < 0.0f ? fmax(above, 0.0f) / fmax(fmax(above, 0.0f) - below, 1e-9f) : 1.0f;
        for (int a = 0; a < 3; a++)
            x[a] += share * (next[a] - x[a]);
        flown += s;
        age += s * share;
        d -= q.shrinking * s * share;
        above = below;
        for (int a = 0; a < 3; a++)
            if (x[a] < 0.0f || x[a] > size[a])
                state = FIREBRAND_LEFT;
        if (below < 0.0f)
            state = FIREBRAND_LANDED;
        if (!(d > 0.0f))
            state = FIREBRAND_BURNT;
    }
    for (int a = 0; a < 3; a++) {
        brand[a] = x[a];
        brand[3 + a] = speed[a];
    }
    brand[FIREBRAND_DIAMETER] = fmax(d, 0.0f);
    brand[FIREBRAND_STATE] = state;
    brand[FIREBRAND_AGE] = age;
}

/* The box has gone (x, y, z) m along its axes. */
kernel void firebrand_shift(int count, float x, float y, float z, global float *brands)
{
    int n = (int)get_global_id(0);
    if (n >= count)
        return;
    global float *brand = brands + (size_t)n * FIREBRAND;
    const float way[3] = {x, y, z};
    for (int a = 0; a < 3; a++) {
        brand[a] -= way[a];
        brand[FIREBRAND_FROM + a] -= way[a];
    }
}
