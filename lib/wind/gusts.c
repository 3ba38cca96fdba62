/* SPDX-License-Identifier: MIT */
/* Gust bands: when they start, how they travel. */
#include "wind/gusts.h"

#include <math.h>
#include <string.h>

/* Exponential variate of mean 1. */
static double exponential(uint64_t *random)
{
    double uniform = ((double)(foehn_random(random) >> 11) + 0.5) * 0x1p-53; /* in (0, 1) */
    return -log(uniform);
}

void foehn_gusts_init(foehn_gusts *gusts, uint64_t seed)
{
    memset(gusts, 0, sizeof *gusts);
    gusts->random = seed;
    gusts->wait = exponential(&gusts->random);
}

void foehn_gusts_step(foehn_gusts *gusts, double dt, double u10, double gustiness, double dx,
                      double dz, double x, double z, double distance)
{
    int kept = 0;
    for (int i = 0; i < gusts->count; i++) {
        struct foehn_band band = gusts->bands[i];
        band.position += band.speed * dt;
        double ahead = band.position - (x * band.dx + z * band.dz); /* of the centre */
        bool passed = ahead > distance + band.width;
        bool lost = ahead < -4 * distance; /* the box has been moved away downwind */
        if (!passed && !lost)
            gusts->bands[kept++] = band;
    }
    gusts->count = kept;

    /* The rate may change from step to step; the exponential variate is used up by rate * dt. */
    gusts->wait -= FOEHN_GUST_RATE * gustiness * dt;
    while (gusts->wait <= 0) {
        gusts->wait += exponential(&gusts->random);
        gusts->total++;
        if (gusts->count == WIND_GUSTS)
            continue; /* sixteen bands are alive: this one is not noticed */
        gusts->bands[gusts->count++] = (struct foehn_band){
            .position = x * dx + z * dz - distance,
            .strength = FOEHN_GUST_STRENGTH * gustiness * u10,
            .speed = FOEHN_GUST_SPEED * u10,
            .width = FOEHN_GUST_WIDTH,
            .dx = dx,
            .dz = dz,
        };
    }
}
