/* SPDX-License-Identifier: MIT */
/** The neutral logarithmic wind profile and the roughness classes, for C and for kernels. */
#ifndef FOEHN_PROFILE_H
#define FOEHN_PROFILE_H

/** WMO reference height of a wind speed, m. */
#define FOEHN_REFERENCE_HEIGHT 10.0f

/** Roughness length z0 in metres, by class: WMO CIMO guide, Annex 1.B (Davenport-Wieringa). */
#define FOEHN_ROUGHNESS_SEA 0.0002f
#define FOEHN_ROUGHNESS_FLAT 0.005f /* mud flat, snow */
#define FOEHN_ROUGHNESS_OPEN 0.03f  /* grass, few isolated obstacles: the WMO exposure */
#define FOEHN_ROUGHNESS_LOW_CROPS 0.10f
#define FOEHN_ROUGHNESS_HIGH_CROPS 0.25f
#define FOEHN_ROUGHNESS_PARKLAND 0.5f
#define FOEHN_ROUGHNESS_FOREST 1.0f /* forest, suburb */

#ifndef __OPENCL_C_VERSION__
#include <math.h>
#include <string.h>
#define FOEHN_LOG logf
#else
#define FOEHN_LOG log
#endif

/** Speed at height z over speed at 10 m: ln(max(z, z0) / z0) / ln(10 / z0).
 *  z and z0 in metres, 0 < z0 < 10.  0 at and under z0; exactly 1 at 10 m. */
static inline float foehn_log_profile(float z, float z0)
{
    float above = z > z0 ? z : z0;
    return FOEHN_LOG(above / z0) / FOEHN_LOG(FOEHN_REFERENCE_HEIGHT / z0);
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
#define FOEHN_ROUGHNESS_CLASSES                                                                    \
    (sizeof foehn_roughness_classes / sizeof foehn_roughness_classes[0])

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
