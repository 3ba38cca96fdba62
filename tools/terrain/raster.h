/* SPDX-License-Identifier: MIT */
/* A raster of heights as its file has it, and where it lies in the system used. */
#ifndef RASTER_H
#define RASTER_H

#include "terrain/terrain.h"

#include <gdal.h>
#include <ogr_srs_api.h>

typedef struct raster {
    const char *path;
    GDALDatasetH source;
    double from[6];           /* coordinates of the source's cells, in its own system and units */
    OGRSpatialReferenceH srs; /* the system used, in metres; NULL: metres without a place */
    bool resampled;      /* the source lies otherwise than the system used: turned, or degrees */
    int nx, ny;          /* cells in the system used */
    double transform[6]; /* of these: unrotated, m */
    double extent[4];    /* west, south, east, north that hold ground, m */
    double vertical;     /* metres per unit of height */
} raster;

int raster_open(raster *r, const terrain_request *request);
void raster_close(raster *r);
const char *raster_error(void);
/* That its first band can be heights, and its unit: content.c. */
int raster_check_content(const raster *r);
int raster_find_vertical(raster *r, const terrain_request *request);
/* That its blocks can be read into memory, one at a time. */
int raster_check_blocks(const char *path, GDALDatasetH source);

/* A rectangle of the system used as points along its sides, in columns and rows of the source. */
enum { RASTER_SIDE = 32, RASTER_OUTLINE = 4 * RASTER_SIDE };
bool raster_outline(const raster *r, const double box[4], double *columns, double *rows);
/* West, south, east and north, in the system used, of columns and rows of the source, which are
 * given as first column, first row, and those past the last. */
void raster_find_box(const raster *r, const int cells[4], double box[4]);
/* Whether a point lies in a polygon of RASTER_OUTLINE points. */
bool raster_inside(const double *x, const double *y, double px, double py);

/* Cells of a raster as they lie in its file; factor x factor of them are a sample. */
typedef struct samples {
    int column, row;   /* of the first cell */
    int columns, rows; /* cells */
    int factor;
    int nx, ny;          /* samples */
    float *heights;      /* [ny][nx], m; NaN where there is no height */
    size_t cells, voids; /* of the window */
    int void_box[4];     /* first column, first row, those past the last */
} samples;

/* Read the cells that a window covers and find the voids among them, before any of them is blended
 * with ground.  Warns of voids that the raster does not declare. */
int samples_read(const raster *r, const double window[4], samples *out);
void samples_destroy(samples *s);

/* Fill heights that are NaN from their neighbours; false without memory. */
bool gaps_fill(float *heights, int nx, int ny);
/* The largest rectangle without NaN: first column, first row, those past the last.  False without
 * memory. */
bool gaps_largest_sound(const float *heights, int nx, int ny, int box[4]);
/* Warn of zeros and of a lowest height amid much higher ground.  Returns how many were found and
 * the lowest height without them. */
size_t gaps_check(const raster *r, const samples *s, double *lowest_sound);

#endif
