/* SPDX-License-Identifier: MIT */
/* The wind at 10 m from a weather model's file, on a lattice over the box. */
#ifndef WEATHER_H
#define WEATHER_H

#include "terrain/place.h"

enum { WEATHER_LATTICE = 33 };

typedef struct weather {
    /* Towards true east and north, m/s: rows from north to south, the outer ones on the box's
     * sides. */
    float east[WEATHER_LATTICE][WEATHER_LATTICE], north[WEATHER_LATTICE][WEATHER_LATTICE];
    double u10, from; /* of the mean over the four sides, m/s and degrees from true north */
    double spread;    /* rms of the wind on the lattice about that mean, m/s */
    char what[200];   /* which fields of which times, for reports */
} weather;

/* Is it such a file, by its name or its first bytes, or a table of the wind over time? */
bool weather_is(const char *path);

/* Read through GDAL, in a process of its own: NetCDF of CF and WRF, GRIB 1 and 2, or bands named
 * u10 and v10.  time: seconds since 1970 (UTC), between those of the file; NaN: the file has but
 * one.  Winds along a grid are turned to true north.  box: west, south, east, north, m.  Refused by
 * name: a missing component, other levels, a time or a box beyond what the file has. */
int weather_read(const char *path, double time, const place *at, const double box[4], weather *out);

#endif
