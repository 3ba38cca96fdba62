/* SPDX-License-Identifier: MIT */
/* Where a plane of cells lies, as NetCDF files say it by CF's conventions. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_NETCDF

#include "terrain/netcdf_plane.h"

#include <stdlib.h>

static void define_mapping(netcdf_file *n, const place *p)
{
    int crs = netcdf_define(n, "crs", NC_INT, 0, NULL, NULL, p->name, NULL);
    for (int i = 0; i < p->attribute_count; i++) {
        const place_attribute *a = &p->attributes[i];
        if (a->count == 0)
            netcdf_put_text(n, crs, a->name, a->text);
        else
            netcdf_check(
                n, nc_put_att_double(n->id, crs, a->name, NC_DOUBLE, (size_t)a->count, a->values));
    }
    netcdf_put_text(n, crs, "crs_wkt", p->wkt);
    if (p->on_wgs84)
        return;
    /* Of latitudes and longitudes. */
    const double numbers[] = {6378137, 298.257223563, 0};
    const char *const names[] = {"semi_major_axis", "inverse_flattening",
                                 "longitude_of_prime_meridian"};
    int wgs84 = netcdf_define(n, "wgs84", NC_INT, 0, NULL, NULL, "WGS 84", NULL);
    netcdf_put_text(n, wgs84, "grid_mapping_name", "latitude_longitude");
    for (int i = 0; i < 3; i++)
        netcdf_check(n, nc_put_att_double(n->id, wgs84, names[i], NC_DOUBLE, 1, &numbers[i]));
}

static void define_axis(netcdf_file *n, const place_plane *p, int a, int dim)
{
    static const char *const names[] = {"x", "y"}, *const axes[] = {"X", "Y"};
    static const char *const standard[] = {"projection_x_coordinate", "projection_y_coordinate"};
    static const char *const what[] = {"easting of cell centres", "northing of cell centres"};
    int variable = netcdf_define(n, names[a], NC_DOUBLE, 1, &dim,
                                 p->place->projected ? standard[a] : NULL, what[a], "m");
    netcdf_put_text(n, variable, "axis", axes[a]);
    for (size_t i = 0; i < (size_t)(a ? p->ny : p->nx); i++) {
        double at = p->corner[a] + ((double)i + 0.5) * p->spacing[a];
        netcdf_check(n, nc_put_var1_double(n->id, variable, &i, &at));
    }
}

static int define_geographic(netcdf_file *n, const place_plane *p, const int dims[2])
{
    size_t columns = (size_t)p->nx * (size_t)p->ny;
    double *longitude = malloc(columns * sizeof *longitude);
    double *latitude = malloc(columns * sizeof *latitude);
    int status = longitude && latitude ? STATUS_OK : fail_memory();
    if (status == STATUS_OK) {
        for (size_t c = 0; c < columns; c++) {
            longitude[c] = p->corner[0] + ((double)(c % (size_t)p->nx) + 0.5) * p->spacing[0];
            latitude[c] = p->corner[1] + ((double)(c / (size_t)p->nx) + 0.5) * p->spacing[1];
        }
        int lon = netcdf_define(n, "lon", NC_DOUBLE, 2, dims, "longitude", NULL, "degrees_east");
        int lat = netcdf_define(n, "lat", NC_DOUBLE, 2, dims, "latitude", NULL, "degrees_north");
        if (place_to_geographic(p->place, columns, longitude, latitude) == STATUS_OK) {
            netcdf_check(n, nc_put_var_double(n->id, lon, longitude));
            netcdf_check(n, nc_put_var_double(n->id, lat, latitude));
        }
    }
    free(longitude);
    free(latitude);
    return status;
}

int netcdf_define_plane(netcdf_file *n, const place_plane *p, int dim_x, int dim_y)
{
    const int dims[2] = {dim_y, dim_x};
    define_axis(n, p, 0, dim_x);
    define_axis(n, p, 1, dim_y);
    if (!p->place->projected)
        return STATUS_OK;
    /* Where readers look that do not follow grid_mapping. */
    netcdf_put_text(n, NC_GLOBAL, "crs",
                    p->place->authority[0] ? p->place->authority : p->place->wkt);
    define_mapping(n, p->place);
    return define_geographic(n, p, dims);
}

void netcdf_put_mapping(netcdf_file *n, const place *p, int variable)
{
    /* The long form says that latitudes are on another datum than the grid; not all readers know
     * it. */
    if (p->projected)
        netcdf_put_text(n, variable, "grid_mapping",
                        p->on_wgs84 ? "crs" : "crs: x y wgs84: lat lon");
}

#endif
