/* SPDX-License-Identifier: MIT */
/* Sun and sky of a clear day by the sun's elevation, for pictures out of doors.
 *
 * The sun, E = 128 klx exp(-c m) with m = the air mass of Kasten and Young (1989), and what the sky
 * gives the ground, 0.8 klx + 15.5 klx sqrt(sin h), are the IES's for clear skies (c = 0.21, here
 * of red, green and blue apart, as Rayleigh's scattering, haze and ozone have it); in twilight 3.4
 * lx at -6 degrees, 8 mlx at -12, starlight below.  Colours and the share of the glow are
 * estimates. */
#include "fire/state.h"

#include <math.h>

#define PI 3.14159265358979323846
enum { ROWS = 6 };

/* Linear sRGB of luminance 1 by elevation; how bright the horizon is over overhead, and what the
 * sun adds there. */
static const struct row {
    double elevation, above[3], horizon[3], glow[3], ratio, strength;
} rows[ROWS] = {
    {-18, {0.60, 1.00, 2.00}, {0.80, 1.00, 1.50}, {1.90, 0.80, 0.30}, 2.0, 0},
    {-6, {0.43, 1.01, 2.54}, {0.75, 1.00, 1.70}, {2.10, 0.75, 0.12}, 2.0, 6},
    {0, {0.60, 1.01, 2.10}, {1.10, 0.95, 1.10}, {1.95, 0.79, 0.18}, 2.5, 4},
    {6, {0.60, 1.02, 2.05}, {0.95, 0.99, 1.15}, {1.50, 0.90, 0.45}, 3.0, 2},
    {20, {0.57, 1.03, 2.15}, {0.80, 1.01, 1.50}, {1.05, 1.00, 0.90}, 3.65, 1},
    {90, {0.57, 1.03, 2.15}, {0.80, 1.01, 1.50}, {1.00, 1.00, 1.00}, 3.65, 1},
};

static double mix(double a, double b, double part)
{
    return a + (b - a) * part;
}

static void row_at(double elevation, struct row *out)
{
    int n = 0;
    while (n + 2 < ROWS && rows[n + 1].elevation <= elevation)
        n++;
    const struct row *a = &rows[n], *b = &rows[n + 1];
    double part = fmin(fmax((elevation - a->elevation) / (b->elevation - a->elevation), 0), 1);
    for (int k = 0; k < 3; k++) {
        out->above[k] = mix(a->above[k], b->above[k], part);
        out->horizon[k] = mix(a->horizon[k], b->horizon[k], part);
        out->glow[k] = mix(a->glow[k], b->glow[k], part);
    }
    out->ratio = mix(a->ratio, b->ratio, part);
    out->strength = mix(a->strength, b->strength, part);
}

/* What the sky gives the ground, klx. */
static double illuminance(double elevation)
{
    static const double twilight[4] = {0.8, 3.4e-3, 8e-6, 6.5e-7}; /* every 6 degrees down */
    if (elevation >= 0)
        return twilight[0] + 15.5 * sqrt(sin(elevation * PI / 180));
    double down = fmin(-elevation / 6, 3);
    int n = (int)fmin(down, 2);
    return twilight[n] * pow(twilight[n + 1] / twilight[n], down - n);
}

static void shine(double elevation, double sun[3])
{
    static const double extinction[3] = {0.16, 0.21, 0.32};
    double mass =
        1 / (sin(elevation * PI / 180) + 0.50572 * pow(fmax(elevation, 0) + 6.07995, -1.6364));
    for (int k = 0; k < 3; k++)
        sun[k] = elevation > 0 ? 128 * exp(-extinction[k] * mass) : 0;
}

/* The mean of the upper half of the sky, and what it gives the ground over pi, as sky_at() of
 * kernels/fire/light.cl has it. */
static void integrate(const fire_daylight *d, double dome[3], double floor[3])
{
    enum { UP = 32, ROUND = 64 };
    for (int k = 0; k < 3; k++)
        dome[k] = floor[k] = 0;
    for (int i = 0; i < UP; i++)
        for (int j = 0; j < ROUND; j++) {
            double rise = (i + 0.5) / UP, across = sqrt(1 - rise * rise);
            double turn = (j + 0.5) * 2 * PI / ROUND;
            double near = 0.5 + 0.5 * (across * cos(turn) * d->from[0] + rise * d->from[1] +
                                       across * sin(turn) * d->from[2]);
            double low = (0.726149 - exp(-0.32 / rise)) / 0.726149;
            for (int k = 0; k < 3; k++) {
                double sky = d->sky[k] + low * (d->horizon[k] + low * pow(near, 8) * d->glow[k]);
                dome[k] += sky / (UP * ROUND);
                floor[k] += 2 * rise * sky / (UP * ROUND);
            }
        }
}

void foehn_fire_daylight(double elevation, const float sun_from[3], const float ground[3],
                         fire_daylight *d)
{
    struct row row;
    double aside = hypot((double)sun_from[0], (double)sun_from[2]), floor[3], flat;
    double h = elevation * PI / 180;
    d->from[0] = cos(h) * (aside > 0 ? (double)sun_from[0] / aside : 1);
    d->from[1] = sin(h);
    d->from[2] = cos(h) * (aside > 0 ? (double)sun_from[2] / aside : 0);
    row_at(elevation, &row);
    for (int k = 0; k < 3; k++) { /* of luminance 1 overhead */
        d->sky[k] = row.above[k];
        d->horizon[k] = row.ratio * row.horizon[k] - row.above[k];
        d->glow[k] = row.ratio * row.strength * row.glow[k];
    }
    integrate(d, d->dome, floor);
    flat = PI * (0.2126 * floor[0] + 0.7152 * floor[1] + 0.0722 * floor[2]);
    shine(elevation, d->sun);
    for (int k = 0; k < 3; k++) {
        double scale = illuminance(elevation) / flat;
        d->sky[k] *= scale;
        d->horizon[k] *= scale;
        d->glow[k] *= scale;
        d->dome[k] *= scale;
        d->below[k] = (double)ground[k] * (floor[k] * scale + d->sun[k] * fmax(d->from[1], 0) / PI);
    }
}
