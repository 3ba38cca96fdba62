/* SPDX-License-Identifier: MIT */
/* What is published: voxels of four halves; and what one of wind holds. */
#ifndef FOEHN_KERNEL_VOXEL_H
#define FOEHN_KERNEL_VOXEL_H

#include "grid.h"
#include "profile.h" /* FOEHN_INLINE */

/* Packed here and stored at once: vstore_half4 to global memory is four stores with NVIDIA's
 * driver. */
FOEHN_INLINE ushort4 halves_of(float4 voxel)
{
    ushort4 halves;
    vstore_half4_rte(voxel, 0, (private half *)&halves);
    return halves;
}

/* Velocity at a cell's centre along a horizontal axis: the mean of its two faces, or the open one
 * where the other is closed; 0 between closed ones. */
FOEHN_INLINE float between_faces(uchar open_lower, uchar open_upper, float lower, float upper)
{
    float m = min((float)open_lower, 1.0f), p = min((float)open_upper, 1.0f);
    return (m * lower + p * upper) * (1.0f - 0.5f * m * p);
}

/* (ux, uy, uz, I), I = |u_curl| / |u|. */
FOEHN_INLINE float4 voxel_of(float u, float v, float w, float curl)
{
    return (float4)(u, v, w, curl / max(sqrt(u * u + v * v + w * w), 0.1f));
}

#endif
