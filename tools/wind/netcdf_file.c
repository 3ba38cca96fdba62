/* SPDX-License-Identifier: MIT */
/* What NetCDF files of the wind have in common. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_NETCDF

#include "wind/netcdf_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void netcdf_check(netcdf_file *n, int error)
{
    if (n->error == NC_NOERR)
        n->error = error;
}

int netcdf_status(const netcdf_file *n)
{
    if (n->error == NC_NOERR)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s: is the disk full?", n->path,
                nc_strerror(n->error));
}

int netcdf_close(netcdf_file *n, bool keep)
{
    int status = STATUS_OK;
    if (n->id >= 0 && n->error == NC_NOERR && keep) {
        netcdf_check(n, nc_close(n->id));
        status = netcdf_status(n);
    } else if (n->id >= 0 && n->error == NC_NOERR)
        nc_abort(n->id);
    if (n->error !=
        NC_NOERR) /* nc_abort() would look at what HDF5 has half let go, and fall over it */
        leave_unclosed();
    return status;
}

void netcdf_put_text(netcdf_file *n, int variable, const char *name, const char *text)
{
    netcdf_check(n, nc_put_att_text(n->id, variable, name, strlen(text), text));
}

int netcdf_define(netcdf_file *n, const char *name, nc_type type, int count, const int *dims,
                  const char *standard_name, const char *long_name, const char *units)
{
    int variable = -1;
    netcdf_check(n, nc_def_var(n->id, name, type, count, dims, &variable));
    if (standard_name)
        netcdf_put_text(n, variable, "standard_name", standard_name);
    if (long_name)
        netcdf_put_text(n, variable, "long_name", long_name);
    if (units)
        netcdf_put_text(n, variable, "units", units);
    return variable;
}

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
    /* The long form says that latitudes are on another datum than the grid; not all readers know
     * it. */
    if (s->place.projected && coordinates)
        netcdf_put_text(n, variable, "grid_mapping",
                        s->place.on_wgs84 ? "crs" : "crs: x y wgs84: lat lon");
    if (coordinates && *coordinates)
        netcdf_put_text(n, variable, "coordinates", coordinates);
}

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

static void define_axis(netcdf_file *n, const scene *s, int a, int dim)
{
    static const char *const names[] = {"x", "y"}, *const axes[] = {"X", "Y"};
    static const char *const standard[] = {"projection_x_coordinate", "projection_y_coordinate"};
    static const char *const what[] = {"easting of cell centres", "northing of cell centres"};
    int variable = netcdf_define(n, names[a], NC_DOUBLE, 1, &dim,
                                 s->place.projected ? standard[a] : NULL, what[a], "m");
    netcdf_put_text(n, variable, "axis", axes[a]);
    for (size_t i = 0; i < (size_t)(a ? s->ny : s->nx); i++) {
        double at = s->origin[a] + ((double)i + 0.5) * s->spacing[a];
        netcdf_check(n, nc_put_var1_double(n->id, variable, &i, &at));
    }
}

static int define_geographic(netcdf_file *n, const scene *s, const int dims[2])
{
    size_t columns = (size_t)s->nx * (size_t)s->ny;
    double *longitude = malloc(columns * sizeof *longitude);
    double *latitude = malloc(columns * sizeof *latitude);
    int status = longitude && latitude ? STATUS_OK : fail_memory();
    if (status == STATUS_OK) {
        for (size_t c = 0; c < columns; c++) {
            longitude[c] = s->origin[0] + ((double)(c % (size_t)s->nx) + 0.5) * s->spacing[0];
            latitude[c] = s->origin[1] + ((double)(c / (size_t)s->nx) + 0.5) * s->spacing[1];
        }
        int lon = netcdf_define(n, "lon", NC_DOUBLE, 2, dims, "longitude", NULL, "degrees_east");
        int lat = netcdf_define(n, "lat", NC_DOUBLE, 2, dims, "latitude", NULL, "degrees_north");
        if (place_to_geographic(&s->place, columns, longitude, latitude) == STATUS_OK) {
            netcdf_check(n, nc_put_var_double(n->id, lon, longitude));
            netcdf_check(n, nc_put_var_double(n->id, lat, latitude));
        }
    }
    free(longitude);
    free(latitude);
    return status;
}

int netcdf_define_plane(netcdf_file *n, const scene *s, int dim_x, int dim_y)
{
    const int dims[2] = {dim_y, dim_x};
    define_axis(n, s, 0, dim_x);
    define_axis(n, s, 1, dim_y);
    if (!s->place.projected)
        return STATUS_OK;
    /* Where readers look that do not follow grid_mapping. */
    netcdf_put_text(n, NC_GLOBAL, "crs", s->place.authority[0] ? s->place.authority : s->place.wkt);
    define_mapping(n, &s->place);
    return define_geographic(n, s, dims);
}

void netcdf_put_history(netcdf_file *n, const scene *s)
{
    char date[32] = "", history[1200];
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = epoch ? strtoll(epoch, &end, 10) : 0;
    time_t when = (time_t)seconds;
    struct tm utc;
    if (epoch && *epoch && !*end && gmtime_r(&when, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ ", &utc);
    snprintf(history, sizeof history, "%s%s (foehn %s)", date, s->command, foehn_version());
    netcdf_put_text(n, NC_GLOBAL, "history", history);
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
