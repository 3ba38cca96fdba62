/* SPDX-License-Identifier: MIT */
/* Sampling of the fire's fields, and the wall of a collider.
 *
 * Places are in cells of the field's grid from the box's lower corner, cell centres at i + 0.5.
 * They are confined to the ghosts: beyond the box lies what the ghosts hold (clean air, the wind).
 * Fields of several channels have a plane for each, one after the other.  Variant FOEHN_STAGGERED:
 * velocity lives on the lower faces of cells, else at their centres. */
#ifndef FOEHN_KERNEL_FIRE_SAMPLE_H
#define FOEHN_KERNEL_FIRE_SAMPLE_H

#include "fire/structs.h"
#include "profile.h"
#define LESSER fmin
#define GREATER fmax
#include "transport/correct.h"

#ifdef FOEHN_STAGGERED
#define FACE_OFFSET 0.0f
#else
#define FACE_OFFSET 0.5f
#endif

/* Variant FOEHN_FLOOR: the lower side of the box is ground (staggered only). */
#ifdef FOEHN_FLOOR
#define HAS_FLOOR 1
#else
#define HAS_FLOOR 0
#endif

FOEHN_INLINE bool on_floor(int j)
{
    return HAS_FLOOR && j == 0;
}

/* m: surfaces act on the air up to this distance, and the step of differences that give a normal.
 */
#ifdef FOEHN_BURN
#define WALL(g) fmax(fmax((g).hx, (g).hy), (g).hz)
#define NORMAL_STEP(g) WALL(g)
#else
#define WALL(g) FIRE_WALL
#define NORMAL_STEP(g) FIRE_NORMAL_STEP
#endif

/* Channels of a field of the signed distance, and of the vorticity, where the last is |omega|. */
#define DISTANCE 3
#define MAGNITUDE 3

/* Elements of one plane of a field: foehn_grid_elements(). */
FOEHN_INLINE idx plane_of(foehn_grid g)
{
    return (idx)g.sz * (g.nz + 3) + 16;
}

/* A cube of eight values, its lowest element and the weights of the upper ones. */
typedef struct corner {
    idx c;
    float a, b, d;
} corner;

/* Where it burns, traces of faces reach past the sides: what flows in there brings the wind's
 * momentum, and not what the face had, which can grow without bounds. */
#if defined(FOEHN_BURN) && defined(FOEHN_STAGGERED)
#define BEYOND 1
#else
#define BEYOND 0
#endif

/* NaN ends up at the lower end: an index is valid whatever a trace is.  Faces (offset 0) end at
 * n. */
FOEHN_INLINE float confined(float x, int n, float offset)
{
#if BEYOND
    if (!(offset > 0.0f))
        return fmin(fmax(x, -0.999f), (float)n + 0.999f);
#endif
    return fmin(fmax(x, -0.499f), (float)n + (offset > 0.0f ? 0.499f : 0.0f));
}

/* Values sit at i + offset. */
FOEHN_INLINE void locate(foehn_grid g, float x, float y, float z, float ox, float oy, float oz,
                         corner *t)
{
    float gx = confined(x, g.nx, ox) - ox, gy = confined(y, g.ny, oy) - oy;
    float gz = confined(z, g.nz, oz) - oz;
    float fx = floor(gx), fy = floor(gy), fz = floor(gz);
    t->c = at(g, (int)fx, (int)fy, (int)fz);
    t->a = gx - fx;
    t->b = gy - fy;
    t->d = gz - fz;
}

FOEHN_INLINE float sample_at(foehn_grid g, global const float *f, const corner *t)
{
    return trilinear(g, f + t->c, t->a, t->b, t->d);
}

/* A value held within the eight around a place. */
FOEHN_INLINE float limited(foehn_grid g, global const float *f, const corner *t, float value)
{
    float low, high;
    range_of_eight(f + t->c, 1, g.sy, g.sz, &low, &high);
    return fmin(fmax(value, low), high);
}

/* The first `count` planes of a field of cell centres. */
FOEHN_INLINE void sample_planes(foehn_grid g, global const float *f, int count, float x, float y,
                                float z, float *out)
{
    corner t;
    const idx plane = plane_of(g);
    locate(g, x, y, z, 0.5f, 0.5f, 0.5f, &t);
    FOEHN_UNROLL
    for (int a = 0; a < count; a++)
        out[a] = sample_at(g, f + a * plane, &t);
}

/* Where each component of velocity is read for a place. */
FOEHN_INLINE void locate_velocity(foehn_grid g, float x, float y, float z, corner t[3])
{
    locate(g, x, y, z, FACE_OFFSET, 0.5f, 0.5f, &t[0]);
#ifdef FOEHN_STAGGERED
    locate(g, x, y, z, 0.5f, FACE_OFFSET, 0.5f, &t[1]);
    locate(g, x, y, z, 0.5f, 0.5f, FACE_OFFSET, &t[2]);
#else
    t[1] = t[0];
    t[2] = t[0];
#endif
}

FOEHN_INLINE void sample_velocity(foehn_grid g, global const float *u, global const float *v,
                                  global const float *w, float x, float y, float z, float out[3])
{
    corner t[3];
    locate_velocity(g, x, y, z, t);
    out[0] = sample_at(g, u, &t[0]);
    out[1] = sample_at(g, v, &t[1]);
    out[2] = sample_at(g, w, &t[2]);
}

/* A component at the centre of cell c; step: to the cell's upper face. */
FOEHN_INLINE float centered(global const float *f, idx c, idx step)
{
#ifdef FOEHN_STAGGERED
    return 0.5f * (f[c] + f[c + step]);
#else
    (void)step;
    return f[c];
#endif
}

FOEHN_INLINE bool is_solid(foehn_grid g, global const float *sdf, idx c)
{
    return sdf[DISTANCE * plane_of(g) + c] < 0.0f;
}

/* The first three planes at an element. */
FOEHN_INLINE void vector_at(foehn_grid g, global const float *f, idx c, float out[3])
{
    const idx plane = plane_of(g);
    out[0] = f[c];
    out[1] = f[c + plane];
    out[2] = f[c + 2 * plane];
}

/* What a surface makes of velocity: within FIRE_WALL outside it is drawn towards the surface's own
 * and loses its inward part; inside, air is pushed out. */
FOEHN_INLINE void meet_wall(foehn_grid g, global const float *sdf, global const float *surface,
                            idx c, float friction, float v[3])
{
    float d = sdf[DISTANCE * plane_of(g) + c], n[3], s[3], inward = 0.0f;
    if (d >= FIRE_WALL)
        return;
    vector_at(g, sdf, c, n);
    vector_at(g, surface, c, s);
    float pull = d < 0.0f ? 1.0f : (1.0f - d / FIRE_WALL) * friction;
    for (int a = 0; a < 3; a++) {
        v[a] += pull * (s[a] - v[a]);
        inward += (v[a] - s[a]) * n[a];
    }
    float push = d < 0.0f ? -d * FIRE_EJECTION : -fmin(inward, 0.0f);
    for (int a = 0; a < 3; a++)
        v[a] += push * n[a];
}

/* The point of the emitter's or collider's frame that a matrix makes of p. */
FOEHN_INLINE void apply_pose(const float m[12], const float p[3], float out[3])
{
    for (int a = 0; a < 3; a++)
        out[a] = m[4 * a] * p[0] + m[4 * a + 1] * p[1] + m[4 * a + 2] * p[2] + m[4 * a + 3];
}

#define CELL_OF(g)                                                                                 \
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);           \
    if (!inside(g, i, j, k))                                                                       \
        return;                                                                                    \
    idx c = at(g, i, j, k)

/* The same in a box of nx x ny x nz items whose first cell is (x, y, z). */
#define CELL_WITHIN(x, y, z, nx, ny, nz)                                                           \
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);           \
    if (i >= (nx) || j >= (ny) || k >= (nz))                                                       \
        return;                                                                                    \
    i += (x);                                                                                      \
    j += (y);                                                                                      \
    k += (z)

#endif
