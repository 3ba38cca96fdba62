/* SPDX-License-Identifier: MIT */
/* Heights of the ground from a raster: any that GDAL reads, brought to metres and north up. */
#ifndef TERRAIN_H
#define TERRAIN_H

#include "terrain/place.h"

typedef struct terrain_request {
    const char *path;
    bool has_window;
    double window[4]; /* west, south, east, north in the system used, m */
    bool assume_metres;
} terrain_request;

typedef struct terrain {
    place place;
    double window[4];    /* what is to be used, m */
    int nx, ny;          /* samples, rows from north to south, that cover the window */
    double west, north;  /* outer corner of the first sample's cell, m */
    double pixel[2];     /* size of a sample's cell towards east and south, m */
    float *heights;      /* [ny][nx], m */
    size_t filled;       /* gaps that were filled */
    size_t zeros;        /* suspicious zeros that were kept */
    double lowest;       /* m */
    double lowest_sound; /* without the suspicious zeros, m */
    double summit;       /* m */
} terrain;

/* Read a window, or all.  Fails with the reason and the way out.  Warns of what was mended. */
int terrain_read(const terrain_request *request, terrain *out);
void terrain_destroy(terrain *t);

/* Mean height over a rectangle that is at least as large as a sample's cell, and bilinear at its
 * centre when it is smaller; beyond the edge the nearest sample. */
double terrain_mean(const terrain *t, double west, double south, double east, double north);

/* Fill samples that are NaN from their neighbours; refuse more than 5 %.  Warns. */
int terrain_fill_gaps(const char *path, terrain *t);
/* Warn of zeros amid much higher ground; find lowest and summit. */
void terrain_check_zeros(const char *path, terrain *t);

#endif
