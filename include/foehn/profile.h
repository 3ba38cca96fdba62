/* SPDX-License-Identifier: MIT */
/** The neutral logarithmic wind profile and the roughness classes, for C and for kernels. */
#ifndef FOEHN_PROFILE_H
#define FOEHN_PROFILE_H

/** WMO reference height of a wind speed, m. */
#define FOEHN_REFERENCE_HEIGHT 10.0f

/** Over this height, m, the wind does not know of single patches of roughness (Wieringa 1986). */
#define FOEHN_BLENDING_HEIGHT 60.0f

/** Roughness length z0 in metres, by class: WMO CIMO guide, Annex 1.B (Davenport-Wieringa). */
#define FOEHN_ROUGHNESS_SEA 0.0002f
#define FOEHN_ROUGHNESS_FLAT 0.005f /* mud flat, snow */
#define FOEHN_ROUGHNESS_OPEN 0.03f  /* grass, few isolated obstacles: the WMO exposure */
#define FOEHN_ROUGHNESS_LOW_CROPS 0.10f
#define FOEHN_ROUGHNESS_HIGH_CROPS 0.25f
#define FOEHN_ROUGHNESS_PARKLAND 0.5f
#define FOEHN_ROUGHNESS_FOREST 1.0f /* forest, suburb */

/* CPU drivers run work-items as a loop and vectorise it only when all in it is inlined and all
 * loops within are unrolled. */
#ifdef __OPENCL_C_VERSION__
#define FOEHN_INLINE static inline __attribute__((always_inline))
#define FOEHN_UNROLL _Pragma("unroll")
#define FOEHN_SQRT(x) sqrt(x)
#define FOEHN_ATAN(x) atan(x)
#else
#define FOEHN_INLINE static inline
#define FOEHN_UNROLL
#define FOEHN_SQRT(x) sqrtf(x)
#define FOEHN_ATAN(x) atanf(x)
#include <math.h>
#include <string.h>
#endif

/** ln x for normal x > 0, within 2e-7 of |ln x| + 1 on host and device.  Drivers' own log is a
 *  call, which keeps the loop around it from being vectorised.
 *  x = m 2^e with m in [sqrt(1/2), sqrt(2)); ln m = 2 atanh(s), s = (m - 1) / (m + 1). */
FOEHN_INLINE float foehn_log(float x)
{
    int bits, exponent;
    float m;
#ifdef __OPENCL_C_VERSION__
    bits = as_int(x);
#else
    memcpy(&bits, &x, sizeof bits);
#endif
    exponent = (bits - 0x3f3504f3) >> 23; /* 0x3f3504f3: sqrt(1/2) */
    bits -= exponent * (1 << 23);
#ifdef __OPENCL_C_VERSION__
    m = as_float(bits);
#else
    memcpy(&m, &bits, sizeof m);
#endif
    float s = (m - 1.0f) / (m + 1.0f), t = s * s;
    float series = 1.0f + t * (1.0f / 3.0f + t * (1.0f / 5.0f + t * (1.0f / 7.0f + t / 9.0f)));
    return (float)exponent * 0.69314718f + 2.0f * s * series;
}

/** Speed at height z over speed at 10 m: ln(max(z, z0) / z0) / ln(10 / z0).
 *  z and z0 in metres, 0 < z0 < 10.  0 at and under z0; exactly 1 at 10 m. */
FOEHN_INLINE float foehn_log_profile(float z, float z0)
{
    float above = z > z0 ? z : z0;
    return foehn_log(above / z0) / foehn_log(FOEHN_REFERENCE_HEIGHT / z0);
}

/** Minus psi_m at z/L: what a profile has more than the logarithm (Paulson 1970), with phi_m = 1 +
 *  5 z/L up to z = L and 6 above, or (1 - 16 z/L)^(-1/4).  0 at 0. */
FOEHN_INLINE float foehn_minus_psi(float zeta)
{
    if (zeta >= 0.0f)
        return zeta < 1.0f ? 5.0f * zeta : 5.0f + 5.0f * foehn_log(zeta);
    float square = FOEHN_SQRT(1.0f - 16.0f * zeta), x = FOEHN_SQRT(square);
    return 2.0f * FOEHN_ATAN(x) - 1.57079633f - 2.0f * foehn_log(0.5f * (1.0f + x)) -
           foehn_log(0.5f * (1.0f + square));
}

/** foehn_log_profile() where 1/L is not 0. */
FOEHN_INLINE float foehn_stable_profile(float z, float z0, float per_l)
{
    float above = z > z0 ? z : z0;
    return (foehn_log(above / z0) + foehn_minus_psi(above * per_l) - foehn_minus_psi(z0 * per_l)) /
           (foehn_log(FOEHN_REFERENCE_HEIGHT / z0) +
            foehn_minus_psi(FOEHN_REFERENCE_HEIGHT * per_l) - foehn_minus_psi(z0 * per_l));
}

/** Speed at height z over ground of z0 over the speed at 10 m over the ground upwind, of z0 `from`:
 *  the profile upwind from the blending height on, and below it that of z0 which meets it there. */
FOEHN_INLINE float foehn_local_profile(float z, float z0, float from)
{
    float above = z > z0 ? z : z0;
    float met = foehn_log_profile(FOEHN_BLENDING_HEIGHT, from);
    return z < FOEHN_BLENDING_HEIGHT
               ? met * foehn_log(above / z0) / foehn_log(FOEHN_BLENDING_HEIGHT / z0)
               : foehn_log_profile(z, from);
}

#ifndef __OPENCL_C_VERSION__
typedef struct foehn_roughness_class {
    const char *name;
    float z0; /**< m */
} foehn_roughness_class;

static const foehn_roughness_class foehn_roughness_classes[] = {
    {"sea", FOEHN_ROUGHNESS_SEA},
    {"flat", FOEHN_ROUGHNESS_FLAT},
    {"open", FOEHN_ROUGHNESS_OPEN},
    {"low-crops", FOEHN_ROUGHNESS_LOW_CROPS},
    {"high-crops", FOEHN_ROUGHNESS_HIGH_CROPS},
    {"parkland", FOEHN_ROUGHNESS_PARKLAND},
    {"forest", FOEHN_ROUGHNESS_FOREST},
};
#define FOEHN_ROUGHNESS_CLASSES (sizeof foehn_roughness_classes / sizeof foehn_roughness_classes[0])

/** z0 of a class by its name, m; 0 when there is no such class. */
static inline float foehn_roughness_by_name(const char *name)
{
    for (size_t i = 0; i < FOEHN_ROUGHNESS_CLASSES; i++)
        if (strcmp(foehn_roughness_classes[i].name, name) == 0)
            return foehn_roughness_classes[i].z0;
    return 0;
}
#endif
#endif
