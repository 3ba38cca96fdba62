/* SPDX-License-Identifier: MIT */
/* The wind at 10 m from a weather model's file, on a lattice over the box, hour by hour. */
#ifndef WEATHER_H
#define WEATHER_H

#include "terrain/place.h"

enum { WEATHER_LATTICE = 33, WEATHER_TIMES = 9000 }; /* a year of hours */

typedef struct weather {
    /* Towards true east and north, m/s: rows from north to south, the outer ones on the box's
     * sides. */
    float east[WEATHER_LATTICE][WEATHER_LATTICE], north[WEATHER_LATTICE][WEATHER_LATTICE];
    double u10, from; /* of the mean over the four sides, m/s and degrees from true north */
    double spread;    /* rms of the wind on the lattice about that mean, m/s */
    double time;      /* seconds since 1970 (UTC); NaN: the file does not say */
} weather;

/* What was read of a file, by time. */
typedef struct weather_series {
    size_t count;
    char what[200]; /* which fields of which times, for reports */
    weather of[WEATHER_TIMES];
} weather_series;

/* Is it such a file, by its name or its first bytes, or a table of the wind over time? */
bool weather_is(const char *path);

/* Which times of a file: seconds since 1970 (UTC).  to NaN: one, between those of the file; both
 * NaN: that which the file has, and but one; else all that the file has from one to the other,
 * which may be infinite. */
typedef struct weather_span {
    double from, to;
} weather_span;

/* Read through GDAL, in a process of its own: NetCDF of CF and WRF, GRIB 1 and 2, or bands named
 * u10 and v10.  Winds along a grid are turned to true north.  box: west, south, east, north, m.
 * Refused by name: a missing component, other levels, a time or a box beyond what the file has. */
int weather_read(const char *path, weather_span span, const place *at, const double box[4],
                 weather_series **out);
void weather_destroy(weather_series *series);

#endif
