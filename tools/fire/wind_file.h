/* SPDX-License-Identifier: MIT */
/* NetCDF files of a wind: places, times, and what blows at two neighbouring times. */
#ifndef WIND_FILE_H
#define WIND_FILE_H

#include "tool.h"

enum { WIND_COMPONENTS = 3, WIND_TIME = 3, WIND_AXES = 4, WIND_MOST_ON_AXIS = 1000000 };

/* What a file says of itself, as the process that reads it puts it into shared memory. */
typedef struct wind_header {
    int variables[WIND_COMPONENTS];
    float fill[WIND_COMPONENTS];
    double scale[WIND_COMPONENTS];               /* m/s of a number of the file */
    double offset[WIND_COMPONENTS];              /* m/s of its 0 */
    size_t count[WIND_AXES];                     /* of east, north, up, and of times */
    double values[WIND_AXES][WIND_MOST_ON_AXIS]; /* centres of cells, m; s */
} wind_header;

typedef struct wind_file {
    const char *path;    /* lives as long as the file */
    size_t bytes;        /* of it */
    wind_header *header; /* shared; NULL: not open */
    size_t cells;
    float *slices[2]; /* shared; of two neighbouring times, m/s: [component][up][north][east] */
    size_t loaded[2]; /* number of the time + 1; 0: none */
} wind_file;

/* Into a file of zeroes; what was made is to be closed whatever is returned. */
int wind_file_open(const char *path, wind_file *file);
int wind_file_load(wind_file *file, int slot, size_t time);
void wind_file_close(wind_file *file);

#endif
