/* SPDX-License-Identifier: MIT */
/* One text for kernels that take LANES neighbours of a row an item: 1 on GPUs, 8 on CPUs,
 * whose drivers vectorise rows by themselves only where a kernel is small.  (Rows are padded to 8.)
 *
 * Conditions are `whole`: compare with <, combine with & and |, and choose with CHOOSE. */
#ifndef FOEHN_KERNEL_LANES_H
#define FOEHN_KERNEL_LANES_H

#include "profile.h"

#ifndef LANES
#define LANES 1
#endif

#if LANES == 1
typedef float real;
typedef int whole;
#define LANE 0
#define LOAD(p) (*(p))
#define STORE(x, p) (*(p) = (x))
#define GATHER(p, n) ((p)[n])
#define LOAD_BYTES(p) ((float)*(p))
#define TO_WHOLE(x) ((int)(x))
#define TO_REAL(n) ((float)(n))
#define BITS(x) as_int(x)
#define FROM_BITS(n) as_float(n)
#define ANY(condition) (condition)
#define EVERY(condition) ((condition) ? 1 : 0)
#else
typedef float8 real;
typedef int8 whole;
#define LANE ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#define LOAD(p) vload8(0, p)
#define STORE(x, p) vstore8(x, 0, p)
#define GATHER(p, n)                                                                               \
    ((float8)((p)[(n).s0], (p)[(n).s1], (p)[(n).s2], (p)[(n).s3], (p)[(n).s4], (p)[(n).s5],        \
              (p)[(n).s6], (p)[(n).s7]))
#define LOAD_BYTES(p) convert_float8(vload8(0, p))
#define TO_WHOLE(x) convert_int8(x)
#define TO_REAL(n) convert_float8(n)
#define BITS(x) as_int8(x)
#define FROM_BITS(n) as_float8(n)
#define ANY(condition) any(condition)
#define EVERY(condition) ((whole)((condition) ? -1 : 0))
#endif

#define CHOOSE(condition, yes, no) select((real)(no), (real)(yes), (whole)(condition))

/* Openness of faces, 0 to 1. */
#define LOAD_OPEN(p) (LOAD_BYTES(p) * (1.0f / 255.0f))

/* Store where a condition holds for all lanes, else keep what is there. */
#define STORE_WHERE(condition, x, p) STORE(CHOOSE(condition, x, LOAD(p)), p)

/* foehn_log for lanes: see profile.h. */
FOEHN_INLINE real log_of(real x)
{
    whole bits = BITS(x), exponent = (bits - 0x3f3504f3) >> 23;
    real m = FROM_BITS(bits - exponent * (1 << 23));
    real s = (m - 1.0f) / (m + 1.0f), t = s * s;
    real series =
        1.0f + t * (1.0f / 3.0f + t * (1.0f / 5.0f + t * (1.0f / 7.0f + t * (1.0f / 9.0f))));
    return TO_REAL(exponent) * 0.69314718f + 2.0f * s * series;
}

#endif
