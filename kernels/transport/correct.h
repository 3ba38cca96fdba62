/* SPDX-License-Identifier: MIT */
/* MacCormack's correction of what semi-Lagrangian transport has brought (Selle et al. 2008), for
 * the wind's and the fire's kernels.  They differ in what they do beyond the range: the wind takes
 * what came first, the fire the range's end.  In two dimensions kernels/flow/trace.h has sums whose
 * bits are a mirrored problem's, too. */
#ifndef FOEHN_KERNEL_CORRECT_H
#define FOEHN_KERNEL_CORRECT_H

#include "grid.h"
#include "profile.h" /* FOEHN_INLINE */

/* The fire heals what is not a number, and has fmin and fmax here, which cost the wind a sixth. */
#ifndef LESSER
#define LESSER min
#define GREATER max
#endif

/* hat: what came; f: what was here; back: hat, traced forward. */
FOEHN_INLINE float maccormack(float hat, float f, float back)
{
    return hat + 0.5f * (f - back);
}

/* Range of the eight values around a place: a, b, d to the next ones along x, y, z. */
FOEHN_INLINE void range_of_eight(global const float *p, idx a, idx b, idx d, float *least,
                                 float *most)
{
    float low = LESSER(LESSER(p[0], p[a]), LESSER(p[b], p[b + a]));
    float high = GREATER(GREATER(p[0], p[a]), GREATER(p[b], p[b + a]));
    p += d;
    *least = LESSER(low, LESSER(LESSER(p[0], p[a]), LESSER(p[b], p[b + a])));
    *most = GREATER(high, GREATER(GREATER(p[0], p[a]), GREATER(p[b], p[b + a])));
}

#endif
