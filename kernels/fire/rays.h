/* SPDX-License-Identifier: MIT */
/* Rays of a picture of a fire, and pixels: what both ways of drawing share.
 *
 * A ray is eye + t dir, where dir has the length 1 along the view axis: t is the depth of a
 * picture. Colours are linear; pictures are float4, rows from the top. */
#ifndef FOEHN_KERNEL_FIRE_RAYS_H
#define FOEHN_KERNEL_FIRE_RAYS_H

#include "fire/structs.h"
#include "profile.h"

/* The ray through a place of a picture of width x height, in pixels. */
FOEHN_INLINE void ray_through(fire_camera q, float x, float y, int width, int height, float dir[3])
{
    float a = 2.0f * x / (float)width - 1.0f;
    float b = 1.0f - 2.0f * y / (float)height;
    for (int n = 0; n < 3; n++)
        dir[n] = q.forward[n] + a * q.right[n] + b * q.up[n];
}

/* The ray of a pixel. */
FOEHN_INLINE void ray_of(fire_camera q, int x, int y, int width, int height, float dir[3])
{
    ray_through(q, (float)x + 0.5f, (float)y + 0.5f, width, height, dir);
}

/* Where a ray is in the box; false: nowhere. */
FOEHN_INLINE bool cross_box(foehn_grid g, fire_camera q, const float dir[3], float *enter,
                            float *leave)
{
    const float size[3] = {(float)g.nx * g.hx, (float)g.ny * g.hy, (float)g.nz * g.hz};
    float t0 = 0.0f, t1 = INFINITY;
    for (int a = 0; a < 3; a++) {
        float inverse = 1.0f / dir[a]; /* of 0: infinite, with a sign */
        float one = -q.eye[a] * inverse, other = (size[a] - q.eye[a]) * inverse;
        if (dir[a] == 0.0f) {
            one = q.eye[a] >= 0.0f && q.eye[a] <= size[a] ? -INFINITY : INFINITY;
            other = INFINITY;
        }
        t0 = fmax(t0, fmin(one, other));
        t1 = fmin(t1, fmax(one, other));
    }
    *enter = t0;
    *leave = t1;
    return t1 > t0;
}

/* Interleaved gradient noise (Jimenez 2014), 0 to 1. */
FOEHN_INLINE float gradient_noise(float x, float y)
{
    float inner = 0.06711056f * x + 0.00583715f * y;
    inner = 52.9829189f * (inner - floor(inner));
    return inner - floor(inner);
}

/* Bilinear value of a picture at (x, y), 0 to 1. */
FOEHN_INLINE float4 read_picture(global const float4 *f, int width, int height, float x, float y)
{
    float px = fmin(fmax(x * (float)width - 0.5f, 0.0f), (float)(width - 1));
    float py = fmin(fmax(y * (float)height - 0.5f, 0.0f), (float)(height - 1));
    int i = (int)px, j = (int)py, i1 = min(i + 1, width - 1), j1 = min(j + 1, height - 1);
    float a = px - (float)i, b = py - (float)j;
    return mix(mix(f[i + j * width], f[i1 + j * width], a),
               mix(f[i + j1 * width], f[i1 + j1 * width], a), b);
}

/* Linear to sRGB (IEC 61966-2-1). */
FOEHN_INLINE float encoded(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powr(linear, 1.0f / 2.4f) - 0.055f;
}

/* A premultiplied colour as a pixel with straight alpha. format 0: floats as they are, 1: bytes, 2:
 * words. */
FOEHN_INLINE void put_pixel(float4 c, int format, int pixel, global uint *words,
                            global float4 *floats)
{
    if (format == 0) {
        floats[pixel] = c;
        return;
    }
    float scale = c.w > 0.0f ? 1.0f / c.w : 0.0f, top = format == 1 ? 255.0f : 65535.0f;
    uint red = (uint)(fmin(fmax(c.x * scale, 0.0f), 1.0f) * top + 0.5f);
    uint green = (uint)(fmin(fmax(c.y * scale, 0.0f), 1.0f) * top + 0.5f);
    uint blue = (uint)(fmin(fmax(c.z * scale, 0.0f), 1.0f) * top + 0.5f);
    uint alpha = (uint)(fmin(c.w, 1.0f) * top + 0.5f);
    if (format == 1) {
        vstore4((uchar4)((uchar)red, (uchar)green, (uchar)blue, (uchar)alpha), (size_t)pixel,
                (global uchar *)words);
        return;
    }
    vstore4((ushort4)((ushort)red, (ushort)green, (ushort)blue, (ushort)alpha), (size_t)pixel,
            (global ushort *)words);
}

#endif
