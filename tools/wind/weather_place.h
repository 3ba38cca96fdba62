/* SPDX-License-Identifier: MIT */
/* Where points of the box lie on the grid of a weather model's file. */
#ifndef WEATHER_PLACE_H
#define WEATHER_PLACE_H

#include "wind/weather.h"
#include "wind/weather_archive.h"

enum { WEATHER_SPOTS = WEATHER_LATTICE * WEATHER_LATTICE };

/* Columns and rows as GDAL counts them, from the middle of the first cell; of a grid that goes
 * round the globe columns may lie beyond either end.  cosine, sine: of the angle that grid north
 * points east of true north, by which components along the grid are turned. */
typedef struct weather_spots {
    double column[WEATHER_SPOTS], row[WEATHER_SPOTS], cosine[WEATHER_SPOTS], sine[WEATHER_SPOTS];
    bool goes_round; /* behind the last column comes the first */
    char how[120];   /* for reports: "" where the file has a system of its own */
} weather_spots;

/* By the file's coordinate system, or by longitudes and latitudes of all its points.  box: west,
 * south, east, north, m; points from north to south.  Fails with --input, the file and why: it does
 * not say where it lies, or does not cover the box. */
int weather_find_spots(weather_archive *a, const place *at, const double box[4],
                       weather_spots *out);

#endif
