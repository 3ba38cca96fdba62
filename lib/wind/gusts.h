/* SPDX-License-Identifier: MIT */
/* Gusts: bands that travel through the box, a Poisson process in time. */
#ifndef FOEHN_LIB_WIND_GUSTS_H
#define FOEHN_LIB_WIND_GUSTS_H

#include "device/internal.h"

#include "kernels/wind/structs.h"

/* splitmix64 (Steele et al. 2014): any seed, also 0, is good. */

static inline uint64_t foehn_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#define FOEHN_GUST_RATE 0.1       /* bands a second at gustiness 1 */
#define FOEHN_GUST_STRENGTH 0.5   /* over gustiness * u10 */
#define FOEHN_GUST_SPEED 1.2      /* over u10 */
#define FOEHN_GUST_WIDTH 30.0     /* m */
#define FOEHN_GUST_DISTANCE 200.0 /* m upwind of the centre, at least */

/* Plain data: a checkpoint copies it. */
typedef struct foehn_gusts {
    uint64_t random, total;
    double wait; /* exponential variate left until the next band, in units of 1 / rate */
    int count;
    struct foehn_band {
        double position; /* of the middle, along its own direction from the world's origin, m */
        double strength, speed, width, dx, dz;
    } bands[WIND_GUSTS];
} foehn_gusts;

void foehn_gusts_init(foehn_gusts *gusts, uint64_t seed);

/* Move the bands, drop those that have passed the box, and add new ones.  (dx, dz): where the wind
 * blows to; (x, z): the box's centre; distance: from there to where bands start, m. */
void foehn_gusts_step(foehn_gusts *gusts, double dt, double u10, double gustiness, double dx,
                      double dz, double x, double z, double distance);

#endif
