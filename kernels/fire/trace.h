/* SPDX-License-Identifier: MIT */
/* Where the dye's transport starts.  Variant FOEHN_SOLIDS: there are colliders. */
#ifndef FOEHN_KERNEL_FIRE_TRACE_H
#define FOEHN_KERNEL_FIRE_TRACE_H

#include "fire/sample.h"

/* Where a voxel of the dye starts, in voxels: its centre, moved out of a collider along the normal;
 * and the velocity there, in voxels a second. */
FOEHN_INLINE void start_of(foehn_grid g, foehn_grid r, int i, int j, int k, global const float *sdf,
                           global const float *u, global const float *v, global const float *w,
                           float start[3], float velocity[3])
{
    const float sx = (float)g.nx / (float)r.nx, sy = (float)g.ny / (float)r.ny;
    const float sz = (float)g.nz / (float)r.nz;
    start[0] = (float)i + 0.5f;
    start[1] = (float)j + 0.5f;
    start[2] = (float)k + 0.5f;
#ifdef FOEHN_SOLIDS
    {
        float d[4];
        sample_planes(g, sdf, 4, start[0] * sx, start[1] * sy, start[2] * sz, d);
        float out = fmax(-d[DISTANCE], 0.0f);
        start[0] += out * d[0] / r.hx;
        start[1] += out * d[1] / r.hy;
        start[2] += out * d[2] / r.hz;
    }
#else
    (void)sdf;
#endif
    sample_velocity(g, u, v, w, start[0] * sx, start[1] * sy, start[2] * sz, velocity);
    velocity[0] /= r.hx;
    velocity[1] /= r.hy;
    velocity[2] /= r.hz;
}

/* No clean air comes out of the ground. */
FOEHN_INLINE float above_floor(float y)
{
    return HAS_FLOOR ? fmax(y, 0.5f) : y;
}

#endif
