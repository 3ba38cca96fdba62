/* SPDX-License-Identifier: MIT */
/* Parts of a picture of a piece of land: where the map lies on the page, what is drawn on it. */
#ifndef MAP_H
#define MAP_H

#include <cairo.h>

#include <stdbool.h>

typedef struct rgb {
    double r, g, b;
} rgb;

/* viridis, for t from 0 to 1. */
rgb colour_of(double t);

/* The map's frame on the page, in pixels, and what it shows. */
typedef struct map {
    cairo_t *cr;
    int nx, ny;                /* columns towards east and north */
    double corner[2];          /* easting and northing of the lower left one, m */
    double extent[2];          /* of the map, m */
    const float *ground;       /* [ny][nx], from south to north, its height, m */
    const float *east, *north; /* likewise, the wind, m/s */
    double x, y;               /* upper left corner */
    int width, height;         /* pixels */
    double metres;             /* a pixel is this wide */
    double low, high;          /* what the ends of the colours stand for: speed, m/s */
    bool decades;              /* those are logarithms to the base of 10 */
    const float *values;       /* [ny][nx]: what else a paint shows; may be NULL */
    float *relief;             /* height of the ground at pixels, m: [height][width], north first */
    bool has_relief;           /* it is not flat */
    double relief_low, relief_high;
} map;

/* Value of a column array at a pixel of the map (may lie between pixels). */
double map_linear(const map *m, const float *columns, double px, double py);

/* A round number near a fraction of a range: 1, 2 or 5 times a power of ten. */
double round_step(double range, int about);

/* Fill relief.  Needs scene, width and height. */
int map_find_relief(map *m);
/* The ground in the colour that a place has, shaded. */
typedef rgb map_paint(const map *m, double px, double py);
int map_draw_ground(const map *m, map_paint *paint);
int map_draw_speed(const map *m);
void map_draw_contours(const map *m);
int map_draw_streamlines(const map *m);
/* Hatch where `along` (a value a column) is below 0; *any: there is such a place. */
int map_draw_separated(const map *m, const float *along, bool *any);
/* A rectangle of that hatching, for a legend. */
void map_draw_separated_sample(const map *m, double x, double y, int width, int height);

#endif
