/* SPDX-License-Identifier: MIT */
/* Where a plane of cells lies, as NetCDF files say it by CF's conventions. */
#ifndef NETCDF_PLANE_H
#define NETCDF_PLANE_H

#include "formats/netcdf_file.h"
#include "terrain/place.h"

typedef struct place_plane {
    const place *place;
    int nx, ny;                   /* cells towards east and north */
    double corner[2], spacing[2]; /* lower left one; of cells, m */
} place_plane;

/* Define and write x and y, longitude and latitude, the system. */
int netcdf_define_plane(netcdf_file *n, const place_plane *p, int dim_x, int dim_y);
/* That a variable lies on such a plane. */
void netcdf_put_mapping(netcdf_file *n, const place *p, int variable);

#endif
