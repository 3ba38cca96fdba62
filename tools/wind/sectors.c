/* SPDX-License-Identifier: MIT */
/* Many directions: what is told of each. */
#include "config.h"

#include "wind/sectors.h"

#include <math.h>

static place_value value_of(const float *at, double easting, double northing)
{
    return (place_value){.easting = easting,
                         .northing = northing,
                         .east = (double)at[0],
                         .north = (double)at[1],
                         .up = (double)at[2],
                         .intensity = (double)at[3]};
}

place_value sectors_at(const sectors *s, int d, int h, size_t c)
{
    const scene *sc = s->scene;
    const size_t nx = (size_t)sc->nx;
    return value_of(s->at + 4 * (((size_t)d * (size_t)s->heights + (size_t)h) * s->columns + c),
                    sc->origin[0] + ((double)(c % nx) + 0.5) * sc->spacing[0],
                    sc->origin[1] + ((double)(c / nx) + 0.5) * sc->spacing[1]);
}

place_value sectors_at_reference(const sectors *s, int d)
{
    return value_of(s->of[d].mast, s->reference[0], s->reference[1]);
}

/* The height of the shear exponent: between the lowest and the highest.  -1, -1: there is but one
 * height. */
static void sectors_shear_heights(const sectors *s, int *low, int *high)
{
    *low = *high = s->heights > 1 ? 0 : -1;
    for (int h = 1; h < s->heights; h++) {
        *low = s->height[h] < s->height[*low] ? h : *low;
        *high = s->height[h] > s->height[*high] ? h : *high;
    }
}

static double speed_of(place_value v)
{
    return hypot(v.east, v.north);
}

static double speed(const sectors *s, int d, int h, size_t c)
{
    return speed_of(sectors_at(s, d, h, c));
}

static double direction(const sectors *s, int d, int h, size_t c)
{
    place_value v = sectors_at(s, d, h, c);
    return place_direction(&s->scene->place, v.easting, v.northing, v.east, v.north);
}

double sectors_speedup(const sectors *s, int d, int h, size_t c)
{
    return speed(s, d, h, c) / s->inlet[h];
}

static double speedup_reference(const sectors *s, int d, int h, size_t c)
{
    return speed(s, d, h, c) / speed_of(sectors_at_reference(s, d));
}

double sectors_speedup_at_reference(const sectors *s, int d)
{
    return speed_of(sectors_at_reference(s, d)) / s->inlet[s->heights];
}

static double turning(const sectors *s, int d, int h, size_t c)
{
    place_value v = sectors_at(s, d, h, c);
    return remainder(direction_from(v.east, v.north) - s->of[d].from_grid, 360);
}

static double inflow_angle(const sectors *s, int d, int h, size_t c)
{
    place_value v = sectors_at(s, d, h, c);
    return 180 / M_PI * atan2(v.up, speed_of(v));
}

static double intensity(const sectors *s, int d, int h, size_t c)
{
    return sectors_at(s, d, h, c).intensity;
}

static double shear(const sectors *s, int d, int h, size_t c)
{
    int low, high;
    (void)h;
    sectors_shear_heights(s, &low, &high);
    return log(speed(s, d, high, c) / speed(s, d, low, c)) / log(s->height[high] / s->height[low]);
}

static bool always(const sectors *s)
{
    (void)s;
    return true;
}

static bool with_reference(const sectors *s)
{
    return s->has_reference;
}

static bool with_closure(const sectors *s)
{
    return s->closure;
}

static bool with_heights(const sectors *s)
{
    return s->heights > 1;
}

const sector_quantity sector_quantities[SECTOR_QUANTITIES] = {
    {"wind_speed", "wind_speed", "m s-1", "horizontal wind speed", true, always, speed},
    {"wind_from_direction", "wind_from_direction", "degree", "clockwise from true north", true,
     always, direction},
    {"speedup_inlet", NULL, "1", "speed over that of the undisturbed wind at the same height", true,
     always, sectors_speedup},
    {"speedup_reference", NULL, "1", "speed over that at the reference", true, with_reference,
     speedup_reference},
    {"turning", NULL, "degree", "direction less that of the undisturbed wind, clockwise", true,
     always, turning},
    {"inflow_angle", NULL, "degree", "angle of the wind above the horizontal", true, always,
     inflow_angle},
    {"turbulence_intensity", NULL, "1", "sqrt(2 k / 3) over the speed", true, with_closure,
     intensity},
    {"shear_exponent", NULL, "1",
     "exponent of the height that the speed goes with, between the lowest and the "
     "highest",
     false, with_heights, shear},
};
