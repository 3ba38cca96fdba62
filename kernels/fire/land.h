/* SPDX-License-Identifier: MIT */
/* Land around the box in a picture out of doors: heights of the world's y on a grid, whose x and z
 * are from the eye, so that eastings and northings keep their metres. */
#ifndef FOEHN_KERNEL_FIRE_LAND_H
#define FOEHN_KERNEL_FIRE_LAND_H

#include "fire/structs.h"

/* Beyond the samples the nearest holds. */
FOEHN_INLINE float land_at(fire_light l, global const float *land, float x, float z)
{
    float gx = fmin(fmax((x - l.land_from[0]) * l.land_per[0], 0.0f), (float)(l.land_x - 1));
    float gz = fmin(fmax((z - l.land_from[1]) * l.land_per[1], 0.0f), (float)(l.land_z - 1));
    int i = min((int)gx, l.land_x - 2), k = min((int)gz, l.land_z - 2);
    global const float *p = land + i + l.land_x * k;
    float a = gx - (float)i;
    return mix(mix(p[0], p[1], a), mix(p[l.land_x], p[l.land_x + 1], a), gz - (float)k);
}

/* How high a place on a ray is above the land; in the box a collider stands for it, and it lies a
 * voxel lower.  way: the ray's direction along the world's axes. */
FOEHN_INLINE float above_land(foehn_grid g, fire_camera q, fire_light l, global const float *land,
                              const float dir[3], const float way[3], float t)
{
    const float x = q.eye[0] + t * dir[0], z = q.eye[2] + t * dir[2];
    const bool inside = x > 0.0f && z > 0.0f && x < (float)g.nx * g.hx && z < (float)g.nz * g.hz;
    return l.altitude + t * way[1] - land_at(l, land, t * way[0], t * way[2]) +
           (inside ? fmax(g.hx, g.hy) : 0.0f);
}

/* The land on a ray before `far`: marched with steps that grow with height and distance, then
 * halved. */
FOEHN_INLINE bool meet_land(foehn_grid g, fire_camera q, fire_light l, global const float *land,
                            const float dir[3], float *far, float n[3])
{
    const float way[3] = {dir[0] * l.east[0] + dir[1] * l.east[1] + dir[2] * l.east[2],
                          dir[0] * l.up[0] + dir[1] * l.up[1] + dir[2] * l.up[2],
                          dir[0] * l.south[0] + dir[1] * l.south[1] + dir[2] * l.south[2]};
    const float spacing = 1.0f / l.land_per[0], end = fmin(*far, FIRE_SIGHT);
    float t = 0.0f, before = 0.0f, high = 1.0f;
    for (int i = 0; i < 256 && t < end && high >= 0.0f; i++) {
        high = above_land(g, q, l, land, dir, way, t);
        if (high >= 0.0f) {
            before = t;
            t += fmax(0.5f * high, 0.015f * t + fmin(0.2f * spacing, 0.05f * t) + 0.01f * spacing);
        }
    }
    if (high >= 0.0f)
        return false;
    for (int i = 0; i < 12; i++) {
        float middle = 0.5f * (before + t);
        if (above_land(g, q, l, land, dir, way, middle) < 0.0f)
            t = middle;
        else
            before = middle;
    }
    const float x = t * way[0], z = t * way[2], h = 0.5f * spacing;
    const float a = (land_at(l, land, x - h, z) - land_at(l, land, x + h, z)) / (2.0f * h);
    const float b = (land_at(l, land, x, z - h) - land_at(l, land, x, z + h)) / (2.0f * h);
    const float scale = rsqrt(1.0f + a * a + b * b);
    for (int k = 0; k < 3; k++)
        n[k] = scale * (l.up[k] + a * l.east[k] + b * l.south[k]);
    *far = t;
    return t < end;
}

#endif
