/* SPDX-License-Identifier: MIT */
/* Tracing and sampling for sixteen faces or cells of a row at once, for CPUs; the numbers are those
 * of kernels/flow/trace.h but for the rounding of weights, and mirrored in y to the bit as they
 * are.
 *
 * Interpolation at a place of its own for each lane would be gathered.  But neighbours travel about
 * equally far: where all sixteen places are within a node of the same shift from their own nodes,
 * which is so in all smooth flow, whole rows are loaded, shifted.  The rest is gathered. */
#ifndef FOEHN_KERNEL_FLOW_SIXTEEN_H
#define FOEHN_KERNEL_FLOW_SIXTEEN_H

#include "flow/structs.h"
#include "grid.h"
#include "profile.h"

#pragma OPENCL FP_CONTRACT OFF

#define LANES (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* Sixteen values at once, wherever they begin.  (Some drivers make eight loads of a vload16.) */
typedef float16 any_float16 __attribute__((aligned(4)));
typedef ushort16 any_ushort16 __attribute__((aligned(2)));
typedef uchar16 any_uchar16 __attribute__((aligned(1)));

FOEHN_INLINE float16 get16(global const float *p)
{
    return *(global const any_float16 *)p;
}

/* Places of sixteen values, in nodes from the low node of each (see locate_x in
 * kernels/flow/trace.h): d displacements, `own` where they begin on the axis, confined to the box.
 */
FOEHN_INLINE float16 places_x(foehn_grid g, float16 d, float16 own, float offset)
{
    return min(max(d, -own), (float)g.nx - own) + offset;
}
/* Counted away from where they begin: up and down are mirror images to the bit. */
FOEHN_INLINE float16 places_y(foehn_grid g, float16 d, float own, float offset)
{
    int16 back = d < 0.0f;
    float16 most = back ? (float16)own : (float16)((float)g.ny - own);
    float16 q = min(fabs(d), most) + offset;
    return back ? 2.0f * offset - q : q;
}

/* The nearest whole number.  (rint() is a slow function of some drivers.) */
FOEHN_INLINE float nearest(float q)
{
    float whole = (float)(int)(fabs(q) + 0.5f);
    return q < 0.0f ? -whole : whole;
}

/* Are all places within a node of one shift?  (A NaN is not.) */
FOEHN_INLINE int are_near(float16 x, float16 y, float *shift_x, float *shift_y)
{
    float sx = nearest(x.s7), sy = nearest(y.s7);
    int16 near = (fabs(x - sx) <= 1.0f) & (fabs(y - sy) <= 1.0f);
    int8 n8 = near.lo & near.hi;
    int4 n4 = n8.lo & n8.hi;
    int2 n2 = n4.lo & n4.hi;
    *shift_x = sx;
    *shift_y = sy;
    return n2.x & n2.y;
}

/* From each node towards the one before or after it. */
FOEHN_INLINE float16 towards_x(global const float *p, int16 west, float16 t)
{
    float16 other = west ? get16(p - 1) : get16(p + 1);
    return (1.0f - t) * get16(p) + t * other;
}

/* f[c + n], lane by lane. */
FOEHN_INLINE float16 gather(global const float *f, idx c, int16 n)
{
    int at_lane[16];
    float value[16];
    vstore16(n, 0, at_lane);
    ROLLED for (int lane = 0; lane < 16; lane++) value[lane] = f[c + at_lane[lane]];
    return vload16(0, value);
}

/* The four nodes round each place, a before b on each axis, and the weights of b.  What is not a
 * number is looked up in the box, too. */
FOEHN_INLINE void gather_four(foehn_grid g, global const float *f, int i, int j, float16 x,
                              float16 y, float16 *aa, float16 *ab, float16 *ba, float16 *bb,
                              float16 *tx, float16 *ty)
{
    float16 wx = floor(x), wy = floor(y);
    int16 column = clamp(convert_int16(LANES + wx) + i, (int16)-1, (int16)g.nx);
    int16 row = clamp(convert_int16(wy) + j, (int16)-1, (int16)g.ny);
    int16 n = column + row * g.sy;
    idx c = at(g, 0, 0, 0);
    *aa = gather(f, c, n);
    *ab = gather(f, c, n + 1);
    *ba = gather(f, c, n + g.sy);
    *bb = gather(f, c, n + g.sy + 1);
    *tx = x - wx;
    *ty = y - wy;
}

/* Bilinear values of f at places from low nodes (i, j), (i + 1, j) ... */
FOEHN_INLINE float16 sample16(foehn_grid g, global const float *f, int i, int j, float16 x,
                              float16 y)
{
    float sx, sy;
    if (are_near(x, y, &sx, &sy)) {
        global const float *p = f + at(g, i + (int)sx, j + (int)sy, 0);
        float16 ex = x - sx, ey = y - sy, tx = fabs(ex), ty = fabs(ey);
        int16 west = ex < 0.0f;
        float16 below = towards_x(p - g.sy, west, tx), above = towards_x(p + g.sy, west, tx);
        return (1.0f - ty) * towards_x(p, west, tx) + ty * (ey < 0.0f ? below : above);
    }
    float16 aa, ab, ba, bb, tx, ty;
    gather_four(g, f, i, j, x, y, &aa, &ab, &ba, &bb, &tx, &ty);
    return (1.0f - ty) * ((1.0f - tx) * aa + tx * ab) + ty * ((1.0f - tx) * ba + tx * bb);
}

/* The same from the nodes themselves, with the range of the values it was made from; a node of
 * weight 0 may lie outside the box: it counts for nothing. */
FOEHN_INLINE float16 range_x(global const float *p, int16 west, int16 on, float16 t, float16 *low,
                             float16 *high)
{
    float16 own = get16(p);
    float16 other = west ? get16(p - 1) : get16(p + 1);
    float16 least = min(own, other), most = max(own, other);
    *low = on ? own : least;
    *high = on ? own : most;
    return (1.0f - t) * own + t * other;
}

FOEHN_INLINE float16 sample_range16(foehn_grid g, global const float *f, int i, int j, float16 x,
                                    float16 y, float16 *low, float16 *high)
{
    float sx, sy;
    if (are_near(x, y, &sx, &sy)) {
        global const float *p = f + at(g, i + (int)sx, j + (int)sy, 0);
        float16 ex = x - sx, ey = y - sy, tx = fabs(ex), ty = fabs(ey), l0, h0, l1, h1, l2, h2;
        int16 west = ex < 0.0f, south = ey < 0.0f, on_x = ex == 0.0f, on_y = ey == 0.0f;
        float16 near = range_x(p, west, on_x, tx, &l0, &h0);
        float16 below = range_x(p - g.sy, west, on_x, tx, &l1, &h1);
        float16 above = range_x(p + g.sy, west, on_x, tx, &l2, &h2);
        float16 least = min(l0, south ? l1 : l2), most = max(h0, south ? h1 : h2);
        *low = on_y ? l0 : least;
        *high = on_y ? h0 : most;
        return (1.0f - ty) * near + ty * (south ? below : above);
    }
    float16 aa, ab, ba, bb, tx, ty;
    gather_four(g, f, i, j, x, y, &aa, &ab, &ba, &bb, &tx, &ty);
    ab = tx > 0.0f ? ab : aa;
    ba = ty > 0.0f ? ba : aa;
    bb = ty > 0.0f ? (tx > 0.0f ? bb : ba) : ab;
    *low = min(min(aa, ab), min(ba, bb));
    *high = max(max(aa, ab), max(ba, bb));
    return (1.0f - ty) * ((1.0f - tx) * aa + tx * ab) + ty * ((1.0f - tx) * ba + tx * bb);
}

/* Displacements over `cells` = +-dt / h from faces or centres (i, j), (i + 1, j) ... through the
 * velocity half-way there (midpoint rule). */
FOEHN_INLINE void trace16_u(foehn_grid g, float cells, int i, int j, global const float *u,
                            global const float *v, float16 *dx, float16 *dy)
{
    idx c = at(g, i, j, 0);
    float16 own_x = (float)i + LANES;
    float own_y = (float)j + 0.5f, half_way = 0.5f * cells;
    float16 x = get16(u + c);
    float16 y = 0.25f * ((get16(v + c - 1) + get16(v + c + g.sy - 1)) +
                         (get16(v + c) + get16(v + c + g.sy)));
    x = half_way * x;
    y = half_way * y;
    *dx = cells * sample16(g, u, i, j, places_x(g, x, own_x, 0.0f), places_y(g, y, own_y, 0.0f));
    *dy =
        cells * sample16(g, v, i - 1, j, places_x(g, x, own_x, 0.5f), places_y(g, y, own_y, 0.5f));
}
FOEHN_INLINE void trace16_v(foehn_grid g, float cells, int i, int j, global const float *u,
                            global const float *v, float16 *dx, float16 *dy)
{
    idx c = at(g, i, j, 0);
    float16 own_x = (float)i + 0.5f + LANES;
    float own_y = (float)j, half_way = 0.5f * cells;
    float16 x = 0.25f * ((get16(u + c - g.sy) + get16(u + c - g.sy + 1)) +
                         (get16(u + c) + get16(u + c + 1)));
    float16 y = get16(v + c);
    x = half_way * x;
    y = half_way * y;
    *dx =
        cells * sample16(g, u, i, j - 1, places_x(g, x, own_x, 0.5f), places_y(g, y, own_y, 0.5f));
    *dy = cells * sample16(g, v, i, j, places_x(g, x, own_x, 0.0f), places_y(g, y, own_y, 0.0f));
}
FOEHN_INLINE void trace16_c(foehn_grid g, float cells, int i, int j, global const float *u,
                            global const float *v, float16 *dx, float16 *dy)
{
    idx c = at(g, i, j, 0);
    float16 own_x = (float)i + 0.5f + LANES;
    float own_y = (float)j + 0.5f, half_way = 0.5f * cells;
    float16 x = 0.5f * (get16(u + c) + get16(u + c + 1));
    float16 y = 0.5f * (get16(v + c) + get16(v + c + g.sy));
    x = half_way * x;
    y = half_way * y;
    *dx = cells * sample16(g, u, i, j, places_x(g, x, own_x, 0.5f), places_y(g, y, own_y, 0.0f));
    *dy = cells * sample16(g, v, i, j, places_x(g, x, own_x, 0.0f), places_y(g, y, own_y, 0.5f));
}

/* Write the first `count` values. */
FOEHN_INLINE void put16(global float *out, float16 value, int count)
{
    if (count >= 16) {
        *(global any_float16 *)out = value;
        return;
    }
    float lane[16];
    vstore16(value, 0, lane);
    for (int n = 0; n < count; n++)
        out[n] = lane[n];
}

/* The first `count` values of a field that is being written: what follows is another item's. */
FOEHN_INLINE float16 get_first(global const float *p, int count)
{
    if (count >= 16)
        return get16(p);
    float lane[16];
    for (int n = 0; n < 16; n++)
        lane[n] = n < count ? p[n] : 0.0f;
    return vload16(0, lane);
}

/* A bit of sixteen bytes, as what a choice between floats asks. */
FOEHN_INLINE int16 has_bit(global const uchar *bits, int bit)
{
    return (convert_int16(*(global const any_uchar16 *)bits) & bit) != 0;
}

#endif
