/* SPDX-License-Identifier: MIT */
/* A weather model's file: the bands in it that hold the wind at 10 m. */
#ifndef WEATHER_ARCHIVE_H
#define WEATHER_ARCHIVE_H

#include <gdal.h>
#include <stdbool.h>

enum { MOST_SETS = 4096 };

/* What a component points along: true east or north, the grid's, or the file does not say. */
typedef enum weather_along {
    WEATHER_ALONG_UNKNOWN,
    WEATHER_ALONG_TRUE,
    WEATHER_ALONG_GRID
} weather_along;

/* A band that holds a component of the wind at 10 m. */
typedef struct weather_layer {
    GDALDatasetH set;
    int band;
    double time; /* NaN: the file does not say */
    weather_along along;
    double unit; /* m/s */
    bool says_unit;
} weather_layer;

typedef struct weather_archive {
    const char *path;
    int netcdf; /* as cf_open() gives it */
    GDALDatasetH container, sets[MOST_SETS];
    int set_count;
    weather_layer *layers[2]; /* east, north */
    int counts[2];
    int grid_flag;    /* of GRIB: 1 along the grid, 0 true, -1 it is no GRIB file */
    char others[200]; /* winds that are not at 10 m */
    double transform[6];
    int nx, ny;
} weather_archive;

/* Open path and find its layers; fails with --input, the file and why.  To be closed also after a
 * failure. */
int weather_archive_open(weather_archive *archive);
void weather_archive_close(weather_archive *archive);

/* What GDAL said last. */
const char *weather_last_error(void);

#endif
