/* SPDX-License-Identifier: MIT */
/* Colliders on the fire's physics grid.  Launched by lib/fire/collide.c. */
#include "fire/sample.h"

/* max(q, 0) length + the largest negative part, q = |p| - half extents. */
FOEHN_INLINE float box_distance(const float p[3], const float half_extent[3])
{
    float outside = 0.0f, inside = -FIRE_NOWHERE;
    for (int a = 0; a < 3; a++) {
        float q = fabs(p[a]) - half_extent[a];
        outside += fmax(q, 0.0f) * fmax(q, 0.0f);
        inside = fmax(inside, q);
    }
    return sqrt(outside) + fmin(inside, 0.0f);
}

/* k0 (k0 - 1) / k1, k0 = |p / r|, k1 = |p / r^2| (Quilez). */
FOEHN_INLINE float ellipsoid_distance(const float p[3], const float r[3])
{
    float k0 = 0.0f, k1 = 0.0f;
    for (int a = 0; a < 3; a++) {
        float q = p[a] / r[a];
        k0 += q * q;
        k1 += q * q / (r[a] * r[a]);
    }
    k0 = sqrt(k0);
    return k1 > 0.0f ? k0 * (k0 - 1.0f) / sqrt(k1) : -fmin(fmin(r[0], r[1]), r[2]);
}

/* Trilinear in the baked grid; beyond it the way to the grid is added. */
FOEHN_INLINE float mesh_distance(global const fire_collider *q, global const float *baked,
                                 const float p[3])
{
    float inverse = 1.0f / q->extent[0], t[3], away = 0.0f;
    int cell[3];
    for (int a = 0; a < 3; a++) {
        float x = (p[a] - q->origin[a]) * inverse;
        float held = fmin(fmax(x, 0.0f), (float)(q->grid[a] - 1));
        away += (x - held) * (x - held);
        cell[a] = min((int)held, q->grid[a] - 2);
        t[a] = held - (float)cell[a];
    }
    const int sy = q->grid[0], sz = q->grid[0] * q->grid[1];
    global const float *f = baked + q->offset + cell[0] + sy * cell[1] + sz * cell[2];
    float near = blend(blend(f[0], f[1], t[0]), blend(f[sy], f[sy + 1], t[0]), t[1]);
    f += sz;
    float far = blend(blend(f[0], f[1], t[0]), blend(f[sy], f[sy + 1], t[0]), t[1]);
    return blend(near, far, t[2]) + sqrt(away) * q->extent[0];
}

/* Distance to the nearest of all colliders, and which it is. */
FOEHN_INLINE float nearest(int count, global const fire_collider *colliders,
                           global const float *baked, const float p[3], int *which)
{
    float least = FIRE_NOWHERE;
    *which = -1;
    for (int n = 0; n < count; n++) {
        global const fire_collider *q = &colliders[n];
        float m[12], extent[3], own[3];
        for (int a = 0; a < 12; a++)
            m[a] = q->inverse[a];
        for (int a = 0; a < 3; a++)
            extent[a] = q->extent[a];
        apply_pose(m, p, own);
        float d = q->shape == FIRE_SHAPE_BOX         ? box_distance(own, extent)
                  : q->shape == FIRE_SHAPE_ELLIPSOID ? ellipsoid_distance(own, extent)
                                                     : mesh_distance(q, baked, own);
        if (d < least) {
            least = d;
            *which = n;
        }
    }
    return least;
}

/* sdf = (normal, (1 - margin) distance) of the union, surface = v + spin x (point - centre) of the
 * nearest; cells and ghosts. */
kernel void bake(foehn_grid g, float margin, int count, global const fire_collider *colliders,
                 global const float *baked, global float *sdf, global float *surface)
{
    int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1) - 1, k = (int)get_global_id(2) - 1;
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    const float p[3] = {((float)i + 0.5f) * g.hx, ((float)j + 0.5f) * g.hy,
                        ((float)k + 0.5f) * g.hz};
    const idx plane = plane_of(g);
    int which, unused;
    float d = nearest(count, colliders, baked, p, &which), n[3], length2 = 0.0f;
    sdf[c + DISTANCE * plane] = which < 0 ? FIRE_NOWHERE : (1.0f - margin) * d;
    if (which < 0) {
        for (int a = 0; a < 3; a++)
            sdf[c + a * plane] = surface[c + a * plane] = 0.0f;
        return;
    }
    for (int a = 0; a < 3; a++) {
        float up[3] = {p[0], p[1], p[2]}, down[3] = {p[0], p[1], p[2]};
        up[a] += NORMAL_STEP(g);
        down[a] -= NORMAL_STEP(g);
        n[a] = nearest(count, colliders, baked, up, &unused) -
               nearest(count, colliders, baked, down, &unused);
        length2 += n[a] * n[a];
    }
    global const fire_collider *q = &colliders[which];
    float scale = length2 > 0.0f ? 1.0f / sqrt(length2) : 0.0f, arm[3];
    for (int a = 0; a < 3; a++)
        arm[a] = p[a] - q->center[a];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, e = (a + 2) % 3;
        sdf[c + a * plane] = n[a] * scale;
        surface[c + a * plane] = q->velocity[a] + q->spin[b] * arm[e] - q->spin[e] * arm[b];
    }
}

/* Faces between two open cells are open (255), all others closed.  Over (n + 1) faces. */
kernel void openness(foehn_grid g, global const float *sdf, global uchar *ax, global uchar *ay,
                     global uchar *az)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    bool solid = is_solid(g, sdf, c);
    ax[c] = solid || is_solid(g, sdf, c - 1) ? 0 : 255;
    ay[c] = solid || is_solid(g, sdf, c - g.sy) ? 0 : 255;
    az[c] = solid || is_solid(g, sdf, c - g.sz) ? 0 : 255;
}
