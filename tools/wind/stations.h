/* SPDX-License-Identifier: MIT */
/* Winds that were measured at stations, from a CSV file. */
#ifndef STATIONS_H
#define STATIONS_H

#include "terrain/place.h"
#include "wind/fit.h"

enum { MOST_STATIONS = 1000 };

typedef struct station {
    char name[48];
    double x, y;   /* as the file has them: m, or degrees of WGS 84; after stations_place() m */
    double height; /* above the ground, m */
    double from;   /* degrees from true north; NaN: not measured */
    int line;      /* of the file */
} station;

typedef struct station_list {
    const char *path;
    size_t count;
    bool geographic;    /* longitude and latitude */
    bool has_direction; /* some station has one */
    station *rows;
    fit_wind *winds; /* beside the rows */
} station_list;

/* Columns name, easting and northing (or lon and lat), height, speed; where wanted direction,
 * weight, time.  A unit behind the name: speed_kn, height_ft.  time: the moment to take, seconds
 * since 1970 (UTC); NaN: the file has but one. */
int stations_read(const char *path, double time, station_list *out);
/* Bring them to the box's coordinates, and refuse those outside of it: west, south, east, north. */
int stations_place(station_list *list, const place *at, const double box[4]);
void stations_destroy(station_list *list);

/* The wind at 10 m over open ground that fits roughly: speed by the log law of z0, direction by the
 * mean. */
void stations_guess(const station_list *list, double z0, double *u10, double *from);

#endif
