/* SPDX-License-Identifier: MIT */
/* Sums over many steps, for kernels/fire/emit.cl and kernels/fire/combustion.cl. */
#ifndef FOEHN_KERNEL_FIRE_BOOKS_H
#define FOEHN_KERNEL_FIRE_BOOKS_H

#include "profile.h" /* FOEHN_INLINE */

/* sum[0] + sum[1] with what was lost in rounding (Kahan 1965). */
FOEHN_INLINE void add_kept(global float *sum, float value)
{
    float y = value - sum[1], t = sum[0] + y;
    sum[1] = (t - sum[0]) - y;
    sum[0] = t;
}

#endif
