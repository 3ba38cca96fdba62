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
    double height_unit; /* m; 0: as the raster says */
    bool has_void_height;
    double void_height; /* of ground that the raster has no height for, m */
} terrain_request;

typedef struct terrain {
    place place;
    double window[4];    /* what is to be used, m */
    int nx, ny;          /* samples, rows from north to south, that cover the window */
    double west, north;  /* outer corner of the first sample's cell, m */
    double pixel[2];     /* size of a sample's cell towards east and south, m */
    float *heights;      /* [ny][nx], m */
    double lowest;       /* m */
    double lowest_sound; /* without heights that may stand for gaps, m */
    double summit;       /* m */
} terrain;

/* Read a window, or all.  Fails with the reason and the way out.  Warns of what was mended. */
int terrain_read(const terrain_request *request, terrain *out);
void terrain_destroy(terrain *t);

/* The same by rank 0 alone, for all ranks. */
int terrain_read_once(const terrain_request *request, terrain *out);

/* Mean height over a rectangle that is at least as large as a sample's cell, and bilinear at its
 * centre when it is smaller; beyond the edge the nearest sample. */
double terrain_mean(const terrain *t, double west, double south, double east, double north);

/* Metres per unit of height that a text names, "m" or "US survey feet"; 0: unknown. */
double terrain_unit(const char *text);

#endif
