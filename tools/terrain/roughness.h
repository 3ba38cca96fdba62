/* SPDX-License-Identifier: MIT */
/* What the wind feels of the ground's cover: roughness lengths and displacements from rasters. */
#ifndef ROUGHNESS_H
#define ROUGHNESS_H

#include "terrain/place.h"

typedef struct roughness_request {
    const char *path;        /* raster of roughness lengths in m, or of classes; NULL: none */
    const char *table;       /* of classes; NULL: the raster holds metres */
    const char *tree_height; /* raster of heights of trees, m; NULL: none */
    bool assume_metres;      /* of rasters without a coordinate system */
} roughness_request;

/* Where it is wanted: square samples in rows from north to south, and the box that must be covered.
 */
typedef struct roughness_grid {
    const place *place;
    int nx, ny;
    double west, north; /* outer corner of the first sample's cell, m */
    double cell;        /* m */
    double box[4];      /* west, south, east, north, m */
} roughness_grid;

/* z0: the mean of ln z0 over a sample's cell; displacement, height of trees: means; all [ny][nx],
 * m.  Classes are mapped cell by cell before anything is averaged, and brought from the raster's
 * system to the place's. Refuses gaps, classes without a row and values out of range inside the
 * box, with their count and place. Reports which table was used and what it found. */
int roughness_read(const roughness_request *request, const roughness_grid *grid, float *z0,
                   float *displacement, float *trees);

#endif
