/* SPDX-License-Identifier: MIT */
/* What NetCDF files of the wind have in common: fields of the grid, where it lies, facts. */
#ifndef NETCDF_SCENE_H
#define NETCDF_SCENE_H

#include "terrain/netcdf_plane.h"
#include "wind/output.h"

/* Fill value, compression, chunks of a plane, grid mapping and coordinates ("": none; NULL: not on
 * the grid) of a field of floats whose last two dimensions are y and x. */
void netcdf_lay_out(netcdf_file *n, const scene *s, int variable, int count,
                    const char *coordinates);

void netcdf_put_facts(netcdf_file *n, const scene *s, const field *f);

/* netcdf_define_plane() of the scene's columns. */
int netcdf_define_ground(netcdf_file *n, const scene *s, int dim_x, int dim_y);

#endif
