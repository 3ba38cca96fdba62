/* SPDX-License-Identifier: MIT */
/* Where firebrands landed: what its files are made of. */
#ifndef LANDINGS_H
#define LANDINGS_H

#include "fire/fire.h"
#include "terrain/place.h"

typedef struct landing_map {
    const fire_scene *scene;
    const fire_brands *brands;
    const place *place; /* NULL: nowhere on the Earth */
    double at[3];       /* easting, northing, altitude of the world's origin, m */
    int nx, ny;         /* cells towards east and north */
    double corner[2];   /* easting and northing of the lower left one, m */
    double width;       /* of a cell, m */
    float *landed;      /* [ny][nx], from south to north */
    float *mass;        /* likewise, kg/m2 */
    float *ground;      /* likewise, altitude, m; 0 without terrain */
    double wind[2];     /* towards east and north, m/s */
    double wind_height; /* of it above the ground, m */
} landing_map;

/* What is wrong is told under the name of path. */
typedef int landing_writer(const landing_map *m, const char *path, const char *temporary);
landing_writer landings_write_tif, landings_write_netcdf, landings_write_png;

#endif
