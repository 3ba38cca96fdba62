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

enum { MOST_PLACE_ATTRIBUTES = 24, PLACE_LATTICE = 17 };

typedef struct place {
    bool projected;     /* false: metres without a place on the Earth */
    bool on_wgs84;      /* its own latitudes and longitudes are those of WGS 84 */
    char *wkt;          /* WKT 2 of the projected system; NULL without one */
    char *wkt_gdal;     /* the same as GDAL's drivers like it best */
    char name[128];     /* "OSGB36 / British National Grid" */
    char authority[32]; /* "EPSG:27700" or "" */
    /* Grid convergence: direction of grid north, degrees clockwise from true north, so that
     * true azimuth = grid azimuth + convergence.  Kept as cosine and sine, for angles jump. */
    double area[4];                                /* west, south, east, north, m */
    double north[PLACE_LATTICE][PLACE_LATTICE][2]; /* over area, from south to north */
    double convergence;                            /* at the centre, degrees, -180 to 180 */
    int attribute_count;
    place_attribute attributes[MOST_PLACE_ATTRIBUTES];
} place;

/* Turn a velocity from the grid's east and north to true east and north. */
void place_turn(const place *p, double easting, double northing, double *east, double *north);
/* Where a wind that blows towards (east, north) of the grid comes from, degrees clockwise from true
 * north, 0 to 360. */
double place_direction(const place *p, double easting, double northing, double east, double north);

#define MOST_DISTORTION 0.02 /* of lengths: a system that draws the ground worse is not used */

/* How a projected system draws the surroundings of a point. */
typedef struct place_scale {
    double least, most; /* metres of the grid per true metre, over all directions */
    bool mirrored;      /* east is on the left of north */
    double longitude,
        latitude; /* of the point, degrees from Greenwich, on the system's own datum */
} place_scale;
/* unit: metres per unit of the system given as WKT.  False where the system has no such point. */
bool place_find_scale(const char *wkt, double unit, double easting, double northing,
                      place_scale *out);

/* Longitudes and latitudes of points in WGS 84, degrees.  Fails without a coordinate system. */
int place_to_geographic(const place *p, size_t count, double *x_to_longitude,
                        double *y_to_latitude);
/* And back. */
int place_from_geographic(const place *p, size_t count, double *longitude_to_x,
                          double *latitude_to_y);

/* Fill in everything for a window of a projected system given as WKT; area is set first. */
int place_create(place *p, const char *wkt);
/* The same for metres around a place, degrees of WGS 84: a transverse Mercator of its own. */
int place_create_local(place *p, double latitude, double longitude);
void place_destroy(place *p);

/* Degrees from grid north clockwise for a wind that blows towards (east, north); 0 to 360. */
double direction_from(double east, double north);

#endif
