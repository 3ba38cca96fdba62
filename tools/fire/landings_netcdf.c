/* SPDX-License-Identifier: MIT */
/* Where firebrands landed, as NetCDF-4 with CF-1.8 metadata. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_NETCDF

#include "fire/landings.h"
#include "terrain/netcdf_plane.h"

#include <math.h>

static void put_number(netcdf_file *n, int variable, const char *name, double value)
{
    netcdf_check(n, nc_put_att_double(n->id, variable, name, NC_DOUBLE, 1, &value));
}

static void put_field(netcdf_file *n, const landing_map *m, const int dims[2], const char *name,
                      const char *standard_name, const char *long_name, const char *units,
                      const char *method, const float *values)
{
    int variable = netcdf_define(n, name, NC_FLOAT, 2, dims, standard_name, long_name, units);
    netcdf_check(n, nc_def_var_deflate(n->id, variable, 1, 1, 2));
    if (m->place)
        netcdf_put_mapping(n, m->place, variable);
    if (m->place && m->place->projected)
        netcdf_put_text(n, variable, "coordinates", "lat lon");
    if (method)
        netcdf_put_text(n, variable, "cell_methods", method);
    netcdf_check(n, nc_put_var_float(n->id, variable, values));
}

static void put_facts(netcdf_file *n, const landing_map *m)
{
    const fire_brands *b = m->brands;
    char command[LONGEST_PATH + 32];
    snprintf(command, sizeof command, "foehn fire %s", m->scene->name);
    netcdf_put_text(n, NC_GLOBAL, "Conventions", "CF-1.8");
    netcdf_put_text(n, NC_GLOBAL, "title", "Where firebrands of a fire landed");
    netcdf_put_history(n, command);
    put_number(n, NC_GLOBAL, "firebrands", (double)(b->count - b->states[FOEHN_FIRE_BRAND_NONE]));
    put_number(n, NC_GLOBAL, "firebrands_landed", (double)b->states[FOEHN_FIRE_BRAND_LANDED]);
    put_number(n, NC_GLOBAL, "firebrands_flying", (double)b->states[FOEHN_FIRE_BRAND_FLIES]);
    put_number(n, NC_GLOBAL, "firebrands_burnt_out", (double)b->states[FOEHN_FIRE_BRAND_BURNT]);
    put_number(n, NC_GLOBAL, "firebrands_left", (double)b->states[FOEHN_FIRE_BRAND_LEFT]);
    put_number(n, NC_GLOBAL, "landed_mean_m", b->mean);
    put_number(n, NC_GLOBAL, "landed_farthest_m", b->farthest);
    put_number(n, NC_GLOBAL, "wind_speed_m_s", hypot(m->wind[0], m->wind[1]));
    put_number(n, NC_GLOBAL, "wind_from_grid_degrees", direction_from(m->wind[0], m->wind[1]));
    put_number(n, NC_GLOBAL, "wind_height_m", m->wind_height);
}

int landings_write_netcdf(const landing_map *m, const char *path, const char *temporary)
{
    static const place nowhere;
    netcdf_file n = {.path = path, .id = -1};
    int dims[2] = {-1, -1};
    netcdf_check(&n, nc_create(temporary, NC_NETCDF4 | NC_CLOBBER, &n.id));
    netcdf_check(&n, nc_def_dim(n.id, "y", (size_t)m->ny, &dims[0]));
    netcdf_check(&n, nc_def_dim(n.id, "x", (size_t)m->nx, &dims[1]));
    const place_plane plane = {.place = m->place ? m->place : &nowhere,
                               .nx = m->nx,
                               .ny = m->ny,
                               .corner = {m->corner[0], m->corner[1]},
                               .spacing = {m->width, m->width}};
    int status = netcdf_status(&n);
    if (status == STATUS_OK) {
        put_facts(&n, m);
        status = netcdf_define_plane(&n, &plane, dims[1], dims[0]);
    }
    if (status == STATUS_OK) {
        put_field(&n, m, dims, "landed", NULL, "firebrands that landed in the cell", "1",
                  "area: sum", m->landed);
        put_field(&n, m, dims, "landed_mass", NULL, "mass of firebrands that landed, per area",
                  "kg m-2", "area: mean", m->mass);
        if (m->scene->ground)
            put_field(&n, m, dims, "surface_altitude", "surface_altitude", "altitude of the ground",
                      "m", NULL, m->ground);
        status = netcdf_status(&n);
    }
    int closed = netcdf_close(&n, status == STATUS_OK);
    return status == STATUS_OK ? closed : status;
}

#endif
