/* SPDX-License-Identifier: MIT */
/* NetCDF-4 with CF-1.8 metadata. */
#include "config.h"

#include "wind/quantity.h"

#ifndef HAVE_NETCDF

const output_format output_netcdf = {
    .extension = "nc", .what = "NetCDF output", .package = "libnetcdf-dev", .series = true};

#else

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct netcdf_file {
    const char *path; /* for messages */
    int id;
    int error; /* the first one; later calls do nothing */
    bool defined, mean;
    int dim_time, dim_z, dim_y, dim_x, dim_bounds;
    int time, time_bounds;
    int cells[QUANTITIES], columns[QUANTITIES]; /* variables; -1: it has none */
    size_t count; /* times written */
} netcdf_file;

/* Remember the first failure, so that a long list of definitions reads as a list. */
static void check(netcdf_file *n, int error)
{
    if (n->error == NC_NOERR)
        n->error = error;
}

static int status_of(const netcdf_file *n)
{
    if (n->error == NC_NOERR)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s: is the disk full?", n->path,
                nc_strerror(n->error));
}

static void put_text(netcdf_file *n, int variable, const char *name, const char *text)
{
    check(n, nc_put_att_text(n->id, variable, name, strlen(text), text));
}

static int define(netcdf_file *n, const char *name, nc_type type, int count, const int *dims,
                  const char *standard_name, const char *long_name, const char *units)
{
    int variable = -1;
    check(n, nc_def_var(n->id, name, type, count, dims, &variable));
    if (standard_name)
        put_text(n, variable, "standard_name", standard_name);
    if (long_name)
        put_text(n, variable, "long_name", long_name);
    if (units)
        put_text(n, variable, "units", units);
    return variable;
}

/* A field of floats on the grid; cells under the ground have the fill value. */
static int define_field(netcdf_file *n, const scene *s, const char *name, int count,
                        const int *dims, const char *standard_name, const char *long_name,
                        const char *units, const char *coordinates)
{
    int variable = define(n, name, NC_FLOAT, count, dims, standard_name, long_name, units);
    const float fill = NC_FILL_FLOAT;
    check(n, nc_put_att_float(n->id, variable, "_FillValue", NC_FLOAT, 1, &fill));
    check(n, nc_def_var_deflate(n->id, variable, 1, 1, 2));
    /* A level of one time is what readers ask for. */
    size_t chunks[4] = {1, 1, 1, 1};
    chunks[count - 1] = (size_t)s->nx;
    chunks[count - 2] = (size_t)s->ny;
    check(n, nc_def_var_chunking(n->id, variable, NC_CHUNKED, chunks));
    /* The long form says that latitudes are on another datum than the grid; not all readers know it. */
    if (s->place.projected && coordinates)
        put_text(n, variable, "grid_mapping",
                 s->place.on_wgs84 ? "crs" : "crs: x y wgs84: lat lon");
    if (coordinates && *coordinates)
        put_text(n, variable, "coordinates", coordinates);
    if (dims[0] == n->dim_time && !s->steady)
        put_text(n, variable, "cell_methods", n->mean ? "time: mean" : "time: point");
    return variable;
}

static void define_mapping(netcdf_file *n, const place *p)
{
    int crs = define(n, "crs", NC_INT, 0, NULL, NULL, p->name, NULL);
    for (int i = 0; i < p->attribute_count; i++) {
        const place_attribute *a = &p->attributes[i];
        if (a->count == 0)
            put_text(n, crs, a->name, a->text);
        else
            check(n,
                  nc_put_att_double(n->id, crs, a->name, NC_DOUBLE, (size_t)a->count, a->values));
    }
    put_text(n, crs, "crs_wkt", p->wkt);
    if (p->on_wgs84)
        return;
    /* Of latitudes and longitudes. */
    const double numbers[] = {6378137, 298.257223563, 0};
    const char *const names[] = {"semi_major_axis", "inverse_flattening", "longitude_of_prime_meridian"};
    int wgs84 = define(n, "wgs84", NC_INT, 0, NULL, NULL, "WGS 84", NULL);
    put_text(n, wgs84, "grid_mapping_name", "latitude_longitude");
    for (int i = 0; i < 3; i++)
        check(n, nc_put_att_double(n->id, wgs84, names[i], NC_DOUBLE, 1, &numbers[i]));
}

static void define_axes(netcdf_file *n, const scene *s)
{
    const struct {
        const char *name, *standard, *text, *axis;
        int dim, count, index;
    } axes[3] = {
        {"x", s->place.projected ? "projection_x_coordinate" : NULL, "easting of cell centres", "X",
         n->dim_x, s->nx, 0},
        {"y", s->place.projected ? "projection_y_coordinate" : NULL, "northing of cell centres",
         "Y", n->dim_y, s->ny, 1},
        {"z", s->has_terrain ? "altitude" : "height",
         s->has_terrain ? "altitude of cell centres" : "height of cell centres above the ground",
         "Z", n->dim_z, s->nz, 2},
    };
    for (int a = 0; a < 3; a++) {
        int variable = define(n, axes[a].name, NC_DOUBLE, 1, &axes[a].dim, axes[a].standard,
                              axes[a].text, "m");
        put_text(n, variable, "axis", axes[a].axis);
        if (a == 2)
            put_text(n, variable, "positive", "up");
        for (size_t i = 0; i < (size_t)axes[a].count; i++) {
            double at = s->origin[axes[a].index] + ((double)i + 0.5) * s->spacing[axes[a].index];
            check(n, nc_put_var1_double(n->id, variable, &i, &at));
        }
    }
    n->time = define(n, "time", NC_DOUBLE, 1, &n->dim_time, "time", "simulated time",
                     "seconds since 1970-01-01 00:00:00");
    put_text(n, n->time, "calendar", "standard");
    put_text(n, n->time, "axis", "T");
    put_text(n, n->time, "comment",
             "counted from the start of the simulation; the date means "
             "nothing");
    if (n->mean) {
        int dims[2] = {n->dim_time, n->dim_bounds};
        put_text(n, n->time, "bounds", "time_bounds");
        check(n, nc_def_var(n->id, "time_bounds", NC_DOUBLE, 2, dims, &n->time_bounds));
    }
}

/* What does not change over time: ground, height above it, longitude and latitude. */
static int define_fixed(netcdf_file *n, const scene *s)
{
    int dims[3] = {n->dim_z, n->dim_y, n->dim_x};
    size_t columns = (size_t)s->nx * (size_t)s->ny;
    int ground = define_field(n, s, "surface_altitude", 2, dims + 1, "surface_altitude",
                              "altitude of the ground that the simulation sees", "m",
                              s->place.projected ? "lat lon" : "");
    check(n, nc_put_var_float(n->id, ground, s->ground));

    int above = define_field(n, s, "height_above_ground", 3, dims, "height",
                             "height of cell centres above the ground", "m", NULL);
    put_text(n, above, "positive", "up");
    float *level = malloc(columns * sizeof *level);
    double *longitude = malloc(columns * sizeof *longitude);
    double *latitude = malloc(columns * sizeof *latitude);
    int status = level && longitude && latitude ? STATUS_OK : fail_memory();
    for (int k = 0; k < s->nz && status == STATUS_OK; k++) {
        double z = s->origin[2] + (k + 0.5) * s->spacing[2];
        for (size_t c = 0; c < columns; c++)
            level[c] = z > (double)s->ground[c] ? (float)(z - (double)s->ground[c]) : NC_FILL_FLOAT;
        size_t start[3] = {(size_t)k, 0, 0}, count[3] = {1, (size_t)s->ny, (size_t)s->nx};
        check(n, nc_put_vara_float(n->id, above, start, count, level));
    }
    if (status == STATUS_OK && s->place.projected) {
        for (size_t c = 0; c < columns; c++) {
            longitude[c] = s->origin[0] + ((double)(c % (size_t)s->nx) + 0.5) * s->spacing[0];
            latitude[c] = s->origin[1] + ((double)(c / (size_t)s->nx) + 0.5) * s->spacing[1];
        }
        int lon = define(n, "lon", NC_DOUBLE, 2, dims + 1, "longitude", NULL, "degrees_east");
        int lat = define(n, "lat", NC_DOUBLE, 2, dims + 1, "latitude", NULL, "degrees_north");
        if (place_to_geographic(&s->place, columns, longitude, latitude) == STATUS_OK) {
            check(n, nc_put_var_double(n->id, lon, longitude));
            check(n, nc_put_var_double(n->id, lat, latitude));
        }
    }
    free(level);
    free(longitude);
    free(latitude);
    return status;
}

static void define_fields(netcdf_file *n, const scene *s)
{
    bool projected = s->place.projected;
    int dims[4] = {n->dim_time, n->dim_z, n->dim_y, n->dim_x};
    int flat[3] = {n->dim_time, n->dim_y, n->dim_x};
    const char *at_cells = projected ? "height_above_ground lat lon" : "height_above_ground";
    const char *at_height = projected ? "lat lon" : "";
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *q = &quantities[i];
        n->cells[i] = -1;
        if (q->cells && quantity_is_there(q, s))
            n->cells[i] = define_field(n, s, q->cells, 4, dims, q->standard_name,
                                       quantity_long_name(q, s, n->mean), q->units, at_cells);
    }
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *q = &quantities[i];
        n->columns[i] = -1;
        if (!q->columns || !quantity_is_there(q, s))
            continue;
        n->columns[i] = define_field(n, s, q->columns, 3, flat, q->standard_name,
                                     quantity_long_name(q, s, n->mean), q->units, at_height);
        if (q->on_ground)
            continue;
        /* No scalar coordinate: readers hang that on the fields along z, too. */
        check(n, nc_put_att_double(n->id, n->columns[i], "height_above_ground", NC_DOUBLE, 1, &s->height));
        put_text(n, n->columns[i], "height_above_ground_units", "m");
    }
}

/* What made the file.  A date only where the environment gives one: equal runs, equal bytes. */
static void put_history(netcdf_file *n, const scene *s)
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
    put_text(n, NC_GLOBAL, "history", history);
}

static int define_all(netcdf_file *n, const scene *s, const field *f)
{
    n->mean = f->start < f->time;
    n->defined = true;
    check(n, nc_def_dim(n->id, "time", NC_UNLIMITED, &n->dim_time));
    check(n, nc_def_dim(n->id, "z", (size_t)s->nz, &n->dim_z));
    check(n, nc_def_dim(n->id, "y", (size_t)s->ny, &n->dim_y));
    check(n, nc_def_dim(n->id, "x", (size_t)s->nx, &n->dim_x));
    if (n->mean)
        check(n, nc_def_dim(n->id, "bounds", 2, &n->dim_bounds));
    put_text(n, NC_GLOBAL, "Conventions", "CF-1.8");
    put_text(n, NC_GLOBAL, "title", s->has_terrain ? "Wind over terrain" : "Wind over flat ground");
    put_history(n, s);
    scene_fact facts[MOST_FACTS];
    int count = scene_facts(s, n->mean ? f : NULL, facts);
    for (int i = 0; i < count; i++) {
        char *end;
        double value = strtod(facts[i].value, &end);
        if (*end == 0 && end != facts[i].value)
            check(n, nc_put_att_double(n->id, NC_GLOBAL, facts[i].name, NC_DOUBLE, 1, &value));
        else
            put_text(n, NC_GLOBAL, facts[i].name, facts[i].value);
    }
    if (s->place.projected) {
        /* Where readers look that do not follow grid_mapping. */
        put_text(n, NC_GLOBAL, "crs", s->place.authority[0] ? s->place.authority : s->place.wkt);
        define_mapping(n, &s->place);
    }
    define_axes(n, s);
    int status = define_fixed(n, s);
    define_fields(n, s);
    return status == STATUS_OK ? status_of(n) : status;
}

static int netcdf_open(const char *path, const char *temporary, const scene *s, bool series,
                       void **file)
{
    (void)s;
    (void)series;
    netcdf_file *n = calloc(1, sizeof *n);
    *file = n;
    if (!n)
        return fail_memory();
    n->path = path;
    n->id = -1;
    check(n, nc_create(temporary, NC_NETCDF4 | NC_CLOBBER, &n->id));
    return status_of(n);
}

/* A level of every variable that has one. */
static void write_level(netcdf_file *n, const scene *s, const field *f, size_t k, float *out)
{
    const size_t columns = (size_t)s->nx * (size_t)s->ny;
    const size_t start[4] = {n->count, k, 0, 0}, count[4] = {1, 1, (size_t)s->ny, (size_t)s->nx};
    for (int i = 0; i < QUANTITIES; i++) {
        if (n->cells[i] < 0)
            continue;
        for (size_t c = 0; c < columns; c++) {
            double value = quantity_of_cell(&quantities[i], s, f, k * columns + c);
            out[c] = isnan(value) ? NC_FILL_FLOAT : (float)value;
        }
        check(n, nc_put_vara_float(n->id, n->cells[i], start, count, out));
    }
}

static void write_columns(netcdf_file *n, const scene *s, const field *f, float *out)
{
    const size_t columns = (size_t)s->nx * (size_t)s->ny;
    const size_t start[3] = {n->count, 0, 0}, count[3] = {1, (size_t)s->ny, (size_t)s->nx};
    for (int i = 0; i < QUANTITIES; i++) {
        if (n->columns[i] < 0)
            continue;
        for (size_t c = 0; c < columns; c++)
            out[c] = (float)quantity_of_column(&quantities[i], s, f, c);
        check(n, nc_put_vara_float(n->id, n->columns[i], start, count, out));
    }
}

static int netcdf_write(void *file, const scene *s, const field *f)
{
    netcdf_file *n = file;
    if (!n->defined) {
        int status = define_all(n, s, f);
        if (status != STATUS_OK)
            return status;
    }
    size_t columns = (size_t)s->nx * (size_t)s->ny;
    float *buffer = malloc(columns * sizeof *buffer);
    if (!buffer)
        return fail_memory();
    for (size_t k = 0; k < (size_t)s->nz && n->error == NC_NOERR; k++)
        write_level(n, s, f, k, buffer);
    write_columns(n, s, f, buffer);
    free(buffer);
    check(n, nc_put_var1_double(n->id, n->time, &n->count, &f->time));
    if (n->mean) {
        size_t start[2] = {n->count, 0}, count[2] = {1, 2};
        double bounds[2] = {f->start, f->time};
        check(n, nc_put_vara_double(n->id, n->time_bounds, start, count, bounds));
    }
    n->count++;
    return status_of(n);
}

static int netcdf_close(void *file, bool keep)
{
    netcdf_file *n = file;
    if (!n)
        return STATUS_OK;
    int status = STATUS_OK;
    if (n->id >= 0 && n->error == NC_NOERR && keep) {
        check(n, nc_close(n->id));
        status = status_of(n);
    } else if (n->id >= 0 && n->error == NC_NOERR)
        nc_abort(n->id);
    if (n->error != NC_NOERR) /* nc_abort() would look at what HDF5 has half let go, and fall over it */
        leave_unclosed();
    free(n);
    return status;
}

const output_format output_netcdf = {.extension = "nc",
                                     .what = "NetCDF output",
                                     .series = true,
                                     .open = netcdf_open,
                                     .write = netcdf_write,
                                     .close = netcdf_close};

#endif
