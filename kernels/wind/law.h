/* SPDX-License-Identifier: MIT */
/* The wind below the height that the ground's stress takes it from: between the two it is the log
 * law that the stress is made of, whatever the cells there hold (Kawai and Larsson 2012). */
#ifndef FOEHN_KERNEL_LAW_H
#define FOEHN_KERNEL_LAW_H

#include "profile.h"

/* Of the wind at law_to, m above the ground, what is left at a lower height; 1 above. */
FOEHN_INLINE float below_law(float height, float law_to, float z0)
{
    return law_to > 0.0f && height < law_to
               ? foehn_log(max(height, 0.0f) / z0 + 1.0f) / foehn_log(law_to / z0 + 1.0f)
               : 1.0f;
}

#endif
