/* SPDX-License-Identifier: MIT */
/* What NetCDF files of the wind have in common. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_NETCDF

#include "wind/netcdf_scene.h"

#include <stdlib.h>

void netcdf_lay_out(netcdf_file *n, const scene *s, int variable, int count,
                    const char *coordinates)
{
    const float fill = NC_FILL_FLOAT;
    netcdf_check(n, nc_put_att_float(n->id, variable, "_FillValue", NC_FLOAT, 1, &fill));
    netcdf_check(n, nc_def_var_deflate(n->id, variable, 1, 1, 2));
    /* A level of one time is what readers ask for. */
    size_t chunks[4] = {1, 1, 1, 1};
    chunks[count - 1] = (size_t)s->nx;
    chunks[count - 2] = (size_t)s->ny;
    netcdf_check(n, nc_def_var_chunking(n->id, variable, NC_CHUNKED, chunks));
    /* Each is written once: a cache of the library's choice were many levels of every variable. */
    netcdf_check(n, nc_set_var_chunk_cache(n->id, variable,
                                           (size_t)s->nx * (size_t)s->ny * sizeof fill, 1, 1));
    if (coordinates)
        netcdf_put_mapping(n, &s->place, variable);
    if (coordinates && *coordinates)
        netcdf_put_text(n, variable, "coordinates", coordinates);
}

int netcdf_define_ground(netcdf_file *n, const scene *s, int dim_x, int dim_y)
{
    const place_plane plane = {.place = &s->place,
                               .nx = s->nx,
                               .ny = s->ny,
                               .corner = {s->origin[0], s->origin[1]},
                               .spacing = {s->spacing[0], s->spacing[1]}};
    return netcdf_define_plane(n, &plane, dim_x, dim_y);
}

void netcdf_put_facts(netcdf_file *n, const scene *s, const field *f)
{
    scene_fact facts[MOST_FACTS];
    int count = scene_facts(s, f, facts);
    for (int i = 0; i < count; i++) {
        char *end;
        double value = strtod(facts[i].value, &end);
        if (*end == 0 && end != facts[i].value)
            netcdf_check(n,
                         nc_put_att_double(n->id, NC_GLOBAL, facts[i].name, NC_DOUBLE, 1, &value));
        else
            netcdf_put_text(n, NC_GLOBAL, facts[i].name, facts[i].value);
    }
}

#endif
