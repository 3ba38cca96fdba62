/* SPDX-License-Identifier: MIT */
/* The operators of operators.h on four cells of a row at once, for GPUs: a work-item that moves 16
 * bytes where it moved 4 reaches 4.2 instead of 2.7 TB/s on an H200.  They are another text, and
 * not transport/lanes.h's: four cells are each other's neighbours, which are loaded once, and
 * programs have both.  Rows are aligned and end in ghosts, so a last group that
 * reaches beyond the cells reads what is there and writes 0, which is what ghosts hold. */
#ifndef FOEHN_KERNEL_FOUR_H
#define FOEHN_KERNEL_FOUR_H

/* Which product of a sum is fused is the compiler's choice, another one for each of the four; a
 * window of a box begins at any of them, and has to come to the box's bits. */
#pragma OPENCL FP_CONTRACT OFF

#include "pressure/operators.h"

#define CELLS_FROM(i) ((i) + (int4)(0, 1, 2, 3))

FOEHN_INLINE float4 four(global const float *f, idx c)
{
    return *(global const float4 *)(f + c);
}

FOEHN_INLINE float4 four_bytes(global const uchar *f, idx c)
{
    return convert_float4(*(global const uchar4 *)(f + c));
}

typedef struct face_weights4 {
    float4 xm, xp, ym, yp, zm, zp;
} face_weights4;

FOEHN_INLINE void find_weights4(pressure_level l, int i, int j, int k, idx c,
                                global const uchar *ax, global const uchar *ay,
                                global const uchar *az, face_weights4 *f)
{
    const int4 last = CELLS_FROM(i) == l.g.nx - 1;
    float4 xm, xp, ym, yp, zm = 0.0f, zp = 0.0f;
    (void)az; /* in 2-D */
    if (j >= l.open_from) {
        const float4 all = 255.0f;
        xm = (float4)(i == 0 && l.closed & 1 ? 0.0f : 255.0f, all.yzw);
        xp = l.closed & 2 ? select(all, (float4)0.0f, last) : all;
        ym = j == 0 && l.closed & 4 ? 0.0f : 255.0f;
        yp = j == l.g.ny - 1 && l.closed & 8 ? 0.0f : 255.0f;
#ifndef FOEHN_2D
        zm = k == 0 && l.closed & 16 ? 0.0f : 255.0f;
        zp = k == l.g.nz - 1 && l.closed & 32 ? 0.0f : 255.0f;
#endif
    } else {
        xm = four_bytes(ax, c);
        xp = (float4)(xm.yzw, (float)ax[c + 4]);
        ym = four_bytes(ay, c);
        yp = four_bytes(ay, c + l.g.sy);
#ifndef FOEHN_2D
        zm = four_bytes(az, c);
        zp = four_bytes(az, c + l.g.sz);
#endif
    }
    /* In the order of find_weights(), so that passes of either kind come to the same bits. */
    f->xm = l.wx * xm;
    f->xm.x *= i == 0 ? l.edge_x : 1.0f;
    f->xp = l.wx * xp;
    f->xp = select(f->xp, f->xp * l.far_x, last);
    f->ym = l.wy * ym * (j == 0 ? l.edge_y : 1.0f);
    f->yp = l.wy * yp * (j == l.g.ny - 1 ? l.far_y : 1.0f);
    f->zm = l.wz * zm * (k == 0 ? l.edge_z : 1.0f);
    f->zp = l.wz * zp * (k == l.g.nz - 1 ? l.far_z : 1.0f);
}

FOEHN_INLINE float4 sum_of_weights(face_weights4 f)
{
    return (f.xm + f.xp) + (f.ym + f.yp) + (f.zm + f.zp);
}

/* flux = sum over faces of w a (p_neighbour - p), diagonal = sum of w a. */
FOEHN_INLINE void stencil4(pressure_level l, int i, int j, int k, idx c, global const uchar *ax,
                           global const uchar *ay, global const uchar *az, global const float *p,
                           float4 *flux, float4 *diagonal)
{
    neighbours n;
    face_weights4 f;
    find_neighbours(l, i, j, k, &n);
    find_weights4(l, i, j, k, c, ax, ay, az, &f);
    float4 own = four(p, c);
    float4 before = (float4)(p[c + n.xm], own.xyz), after = (float4)(own.yzw, p[c + 4]);
#ifdef FOEHN_PERIODIC
    if (l.axes & PERIODIC_X)
        after = select(after, (float4)p[c - i], CELLS_FROM(i) == l.g.nx - 1);
#endif
    float4 sum = (f.xm * (before - own) + f.xp * (after - own)) +
                 (f.ym * (four(p, c + n.ym) - own) + f.yp * (four(p, c + n.yp) - own));
#ifndef FOEHN_2D
    sum += f.zm * (four(p, c + n.zm) - own) + f.zp * (four(p, c + n.zp) - own);
#endif
    *flux = sum;
    *diagonal = sum_of_weights(f);
}

/* The cells of a group that exist and have an open face. */
FOEHN_INLINE int4 counts4(pressure_level l, int i, float4 diagonal)
{
    return (diagonal > 0.0f) & (CELLS_FROM(i) < l.g.nx);
}

#endif
