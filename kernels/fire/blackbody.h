/* SPDX-License-Identifier: MIT */
/* The light of blackbodies, from a table that lib/fire/light.c makes. */
#ifndef FOEHN_KERNEL_FIRE_BLACKBODY_H
#define FOEHN_KERNEL_FIRE_BLACKBODY_H

#include "profile.h"

#define COLDEST 700.0f /* K: of the table of blackbodies */
#define HOTTEST 3000.0f
#define TABLE 256

/* Radiance of a blackbody: the table has log2 of red, green and blue over red. */
FOEHN_INLINE float4 blackbody(global const float4 *table, float temperature)
{
    float t = (temperature - COLDEST) * ((TABLE - 1) / (HOTTEST - COLDEST));
    if (!(t > 0.0f))
        return 0.0f;
    t = fmin(t, TABLE - 1.001f);
    int n = (int)t;
    float4 e = mix(table[n], table[n + 1], t - (float)n);
    return exp2(e.x) * (float4)(1.0f, e.y, e.z, 0.0f);
}

#endif
