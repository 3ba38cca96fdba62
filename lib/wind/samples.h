/* SPDX-License-Identifier: MIT */
/* Maps that the host holds: samples of two values over the ground, and values between them. */
#ifndef FOEHN_LIB_WIND_SAMPLES_H
#define FOEHN_LIB_WIND_SAMPLES_H

#include "device/internal.h"

#include <math.h>

/* A map as a caller gives it; title: what it is of, for messages. */
typedef struct foehn_samples {
    const char *title;
    int nx, nz;
    const double *origin, *spacing; /* of x and z, m */
    const float *values[2];
} foehn_samples;

/* Whether counts, places and arrays are good; what the values are, is the caller's to say. */
foehn_status foehn_samples_check(const foehn_samples *s);

/* Both arrays, one after the other, to be freed. */
foehn_status foehn_samples_copy(const foehn_samples *s, float **out);

/* Where a place lies among nx x nz samples: bilinear between them, beyond the edge the nearest. */
typedef struct foehn_between {
    size_t first, right, below; /* a sample, and how far it is to the next one of x and of z */
    double s, r;                /* shares of the next ones */
} foehn_between;

static inline foehn_between foehn_between_samples(int nx, int nz, const double origin[2],
                                                  const double spacing[2], double x, double z)
{
    double a = fmin(fmax((x - origin[0]) / spacing[0], 0), nx - 1);
    double b = fmin(fmax((z - origin[1]) / spacing[1], 0), nz - 1);
    size_t i = (size_t)a, k = (size_t)b, row = (size_t)nx;
    return (foehn_between){.first = k * row + i,
                           .right = i + 1 < row,
                           .below = k + 1 < (size_t)nz ? row : 0,
                           .s = a - (double)i,
                           .r = b - (double)k};
}

static inline double foehn_between_value(const foehn_between *t, const float *samples)
{
    const float *f = samples + t->first;
    return (1 - t->r) * ((1 - t->s) * (double)f[0] + t->s * (double)f[t->right]) +
           t->r * ((1 - t->s) * (double)f[t->below] + t->s * (double)f[t->below + t->right]);
}

#endif
