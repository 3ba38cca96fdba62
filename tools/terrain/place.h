/* SPDX-License-Identifier: MIT */
/* Where on the Earth a box lies: coordinate system, grid convergence, projection. */
#ifndef PLACE_H
#define PLACE_H

#include "tool.h"

/* One attribute of a CF grid mapping; text is NULL when it is a number (or two). */
typedef struct place_attribute {
    char name[48];
    char text[96];
    int count; /* 0: text */
    double values[2];
} place_attribute;

enum { MOST_PLACE_ATTRIBUTES = 24 };

typedef struct place {
    bool projected;     /* false: metres without a place on the Earth */
    char *wkt;          /* WKT 2 of the projected system; NULL without one */
    char *wkt_gdal;     /* the same as GDAL's drivers like it best */
    char name[128];     /* "OSGB36 / British National Grid" */
    char authority[32]; /* "EPSG:27700" or "" */
    /* Grid convergence: direction of grid north, degrees clockwise from true north, so that
     * true azimuth = grid azimuth + convergence.  At the corners of area, then at its centre. */
    double area[4];               /* west, south, east, north, m */
    double corner_convergence[4]; /* south-west, south-east, north-west, north-east */
    double convergence;
    int attribute_count;
    place_attribute attributes[MOST_PLACE_ATTRIBUTES];
} place;

/* Bilinear between the corners; the convergence is all but linear over a site. */
double place_convergence(const place *p, double easting, double northing);

/* Longitudes and latitudes of points, degrees.  Fails without a coordinate system. */
int place_to_geographic(const place *p, size_t count, double *x_to_longitude,
                        double *y_to_latitude);

/* Fill in everything for a window of a projected system given as WKT; area is set first. */
int place_create(place *p, const char *wkt);
void place_destroy(place *p);

/* Degrees from grid north clockwise for a wind that blows towards (east, north); 0 to 360. */
double direction_from(double east, double north);

#endif
