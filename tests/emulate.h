/* SPDX-License-Identifier: MIT */
/* OpenCL C's words for plain C, so that headers of kernels/ compile here.  Include it last but for
 * those headers. */
#ifndef FOEHN_EMULATE_H
#define FOEHN_EMULATE_H

#include <math.h>
#include <stdbool.h>

#define global

/* Of whole numbers: what headers ask for. */
static inline int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

#endif
