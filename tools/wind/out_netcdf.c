/* SPDX-License-Identifier: MIT */
/* NetCDF-4 with CF-1.8 metadata. */
#include "config.h"

#include "wind/quantity.h"

#ifndef HAVE_NETCDF

const output_format output_netcdf = {
    .extension = "nc", .what = "NetCDF output", .package = "libnetcdf-dev", .series = true};

#else

#include "wind/netcdf_scene.h"

#include <math.h>
#include <stdlib.h>

typedef struct fields_file {
    netcdf_file nc;
    bool defined, mean;
    int dim_time, dim_z, dim_y, dim_x, dim_bounds;
    int time, time_bounds;
    bool ground_turns;                          /* each time has its own */
    int ground, above;                          /* the ground, heights above it */
    int inlet[2], settled, drift;               /* of each moment; -1: there is but one */
    int cells[QUANTITIES], columns[QUANTITIES]; /* variables; -1: it has none */
    size_t count;                               /* times written */
} fields_file;

/* A field of floats on the grid; cells under the ground have the fill value. */
static int define_field(fields_file *n, const scene *s, const char *name, int count,
                        const int *dims, const char *standard_name, const char *long_name,
                        const char *units, const char *coordinates)
{
    int variable =
        netcdf_define(&n->nc, name, NC_FLOAT, count, dims, standard_name, long_name, units);
    netcdf_lay_out(&n->nc, s, variable, count, coordinates);
    if (dims[0] == n->dim_time && !s->steady)
        netcdf_put_text(&n->nc, variable, "cell_methods", n->mean ? "time: mean" : "time: point");
    return variable;
}

static void define_axes(fields_file *n, const scene *s)
{
    int z = netcdf_define(
        &n->nc, "z", NC_DOUBLE, 1, &n->dim_z, s->has_terrain ? "altitude" : "height",
        s->has_terrain ? "altitude of cell centres" : "height of cell centres above the ground",
        "m");
    netcdf_put_text(&n->nc, z, "axis", "Z");
    netcdf_put_text(&n->nc, z, "positive", "up");
    for (size_t i = 0; i < (size_t)s->nz; i++) {
        double at = s->origin[2] + ((double)i + 0.5) * s->spacing[2];
        netcdf_check(&n->nc, nc_put_var1_double(n->nc.id, z, &i, &at));
    }
    const bool dated = isfinite(s->moment);
    n->time = netcdf_define(&n->nc, "time", NC_DOUBLE, 1, &n->dim_time, "time",
                            dated ? "time of the weather model" : "simulated time",
                            "seconds since 1970-01-01 00:00:00");
    netcdf_put_text(&n->nc, n->time, "calendar", "standard");
    netcdf_put_text(&n->nc, n->time, "axis", "T");
    if (!dated)
        netcdf_put_text(&n->nc, n->time, "comment",
                        "counted from the start of the simulation; the date means "
                        "nothing");
    if (n->mean) {
        int dims[2] = {n->dim_time, n->dim_bounds};
        netcdf_put_text(&n->nc, n->time, "bounds", "time_bounds");
        netcdf_check(&n->nc,
                     nc_def_var(n->nc.id, "time_bounds", NC_DOUBLE, 2, dims, &n->time_bounds));
    }
}

/* The ground, and height above it, of the next time to be written. */
static int write_ground(fields_file *n, const scene *s)
{
    const size_t columns = (size_t)s->nx * (size_t)s->ny, fixed = n->ground_turns ? 0 : 1;
    const size_t count[4] = {1, 1, (size_t)s->ny, (size_t)s->nx};
    const size_t flat[3] = {n->count, 0, 0}, flat_count[3] = {1, count[2], count[3]};
    netcdf_check(&n->nc, nc_put_vara_float(n->nc.id, n->ground, flat + fixed, flat_count + fixed,
                                           s->ground));
    float *level = malloc(columns * sizeof *level);
    int status = level ? STATUS_OK : fail_memory();
    for (int k = 0; k < s->nz && status == STATUS_OK; k++) {
        const double z = s->origin[2] + (k + 0.5) * s->spacing[2];
        const size_t at[4] = {n->count, (size_t)k, 0, 0};
        for (size_t c = 0; c < columns; c++)
            level[c] = z > (double)s->ground[c] ? (float)(z - (double)s->ground[c]) : NC_FILL_FLOAT;
        netcdf_check(&n->nc,
                     nc_put_vara_float(n->nc.id, n->above, at + fixed, count + fixed, level));
    }
    free(level);
    return status;
}

/* Of the momentum model's many moments each has the ground that its wind comes in over. */
static void define_ground(fields_file *n, const scene *s)
{
    const int dims[4] = {n->dim_time, n->dim_z, n->dim_y, n->dim_x};
    const int flat[3] = {n->dim_time, n->dim_y, n->dim_x};
    n->ground_turns = s->hours && s->momentum;
    const int fixed = !n->ground_turns;
    n->ground = define_field(n, s, "surface_altitude", 3 - fixed, flat + fixed, "surface_altitude",
                             "altitude of the ground that the simulation sees", "m",
                             s->place.projected ? "lat lon" : "");
    n->above = define_field(n, s, "height_above_ground", 4 - fixed, dims + fixed, "height",
                            "height of cell centres above the ground", "m", NULL);
    netcdf_put_text(&n->nc, n->above, "positive", "up");
}

/* What blows at each of many moments. */
static void define_moments(fields_file *n, const scene *s)
{
    n->inlet[0] = n->inlet[1] = n->settled = n->drift = -1;
    if (!s->hours)
        return;
    n->inlet[0] = netcdf_define(&n->nc, "inlet_wind_speed", NC_DOUBLE, 1, &n->dim_time,
                                "wind_speed", "speed of the undisturbed wind at 10 m", "m s-1");
    n->inlet[1] = netcdf_define(
        &n->nc, "inlet_wind_from_direction", NC_DOUBLE, 1, &n->dim_time, "wind_from_direction",
        "that the undisturbed wind blows from, clockwise from true north", "degree");
    if (!s->momentum)
        return;
    n->settled = netcdf_define(&n->nc, "settled", NC_BYTE, 1, &n->dim_time, NULL,
                               "1 where the wind of the moment stands still", "1");
    n->drift =
        netcdf_define(&n->nc, "drift", NC_DOUBLE, 1, &n->dim_time, NULL,
                      "change of the mean at the height in a flush of the box, relative", "1");
}

static void write_moment(fields_file *n, const scene *s)
{
    const signed char settled = s->settled;
    const struct {
        int variable;
        const double *value;
    } rows[] = {{n->inlet[0], &s->u10}, {n->inlet[1], &s->from_true}, {n->drift, &s->drift}};
    for (int i = 0; i < 3; i++)
        if (rows[i].variable >= 0)
            netcdf_check(&n->nc,
                         nc_put_var1_double(n->nc.id, rows[i].variable, &n->count, rows[i].value));
    if (n->settled >= 0)
        netcdf_check(&n->nc, nc_put_var1_schar(n->nc.id, n->settled, &n->count, &settled));
}

static void define_fields(fields_file *n, const scene *s)
{
    bool projected = s->place.projected;
    int dims[4] = {n->dim_time, n->dim_z, n->dim_y, n->dim_x};
    int flat[3] = {n->dim_time, n->dim_y, n->dim_x};
    const char *at_cells = projected ? "height_above_ground lat lon" : "height_above_ground";
    const char *at_height = projected ? "lat lon" : "";
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *q = &quantities[i];
        n->cells[i] = -1;
        if (q->cells && quantity_is_there(q, s) && (n->mean || !quantity_is_of_means(q, s)))
            n->cells[i] = define_field(n, s, q->cells, 4, dims, q->standard_name,
                                       quantity_long_name(q, s, n->mean), q->units, at_cells);
    }
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *q = &quantities[i];
        n->columns[i] = -1;
        if (!q->columns || !quantity_is_there(q, s) || (!n->mean && quantity_is_of_means(q, s)))
            continue;
        n->columns[i] = define_field(n, s, q->columns, 3, flat, q->standard_name,
                                     quantity_long_name(q, s, n->mean), q->units, at_height);
        if (q->on_ground)
            continue;
        /* No scalar coordinate: readers hang that on the fields along z, too. */
        netcdf_check(&n->nc, nc_put_att_double(n->nc.id, n->columns[i], "height_above_ground",
                                               NC_DOUBLE, 1, &s->height));
        netcdf_put_text(&n->nc, n->columns[i], "height_above_ground_units", "m");
    }
}

static int define_all(fields_file *n, const scene *s, const field *f)
{
    n->mean = f->start < f->time;
    n->defined = true;
    netcdf_check(&n->nc, nc_def_dim(n->nc.id, "time", NC_UNLIMITED, &n->dim_time));
    netcdf_check(&n->nc, nc_def_dim(n->nc.id, "z", (size_t)s->nz, &n->dim_z));
    netcdf_check(&n->nc, nc_def_dim(n->nc.id, "y", (size_t)s->ny, &n->dim_y));
    netcdf_check(&n->nc, nc_def_dim(n->nc.id, "x", (size_t)s->nx, &n->dim_x));
    if (n->mean)
        netcdf_check(&n->nc, nc_def_dim(n->nc.id, "bounds", 2, &n->dim_bounds));
    netcdf_put_text(&n->nc, NC_GLOBAL, "Conventions", "CF-1.8");
    netcdf_put_text(&n->nc, NC_GLOBAL, "title",
                    s->has_terrain ? "Wind over terrain" : "Wind over flat ground");
    netcdf_put_history(&n->nc, s->command);
    netcdf_put_facts(&n->nc, s, n->mean ? f : NULL);
    int status = netcdf_define_ground(&n->nc, s, n->dim_x, n->dim_y);
    define_axes(n, s);
    define_ground(n, s);
    define_fields(n, s);
    define_moments(n, s);
    if (status == STATUS_OK && !n->ground_turns)
        status = write_ground(n, s);
    return status == STATUS_OK ? netcdf_status(&n->nc) : status;
}

static int fields_open(const char *path, const char *temporary, const scene *s, bool series,
                       void **file)
{
    (void)s;
    (void)series;
    fields_file *n = calloc(1, sizeof *n);
    *file = n;
    if (!n)
        return fail_memory();
    n->nc.path = path;
    n->nc.id = -1;
    netcdf_check(&n->nc, nc_create(temporary, NC_NETCDF4 | NC_CLOBBER, &n->nc.id));
    return netcdf_status(&n->nc);
}

/* A level of every variable that has one, level k of the field's. */
static void write_level(fields_file *n, const scene *s, const field *f, size_t k, float *out)
{
    const size_t columns = (size_t)s->nx * (size_t)s->ny;
    const size_t start[4] = {n->count, (size_t)f->first_level + k, 0, 0},
                 count[4] = {1, 1, (size_t)s->ny, (size_t)s->nx};
    for (int i = 0; i < QUANTITIES; i++) {
        if (n->cells[i] < 0)
            continue;
        for (size_t c = 0; c < columns; c++) {
            double value = quantity_of_cell(&quantities[i], s, f, k * columns + c);
            out[c] = isnan(value) ? NC_FILL_FLOAT : (float)value;
        }
        netcdf_check(&n->nc, nc_put_vara_float(n->nc.id, n->cells[i], start, count, out));
    }
}

static void write_columns(fields_file *n, const scene *s, const field *f, float *out)
{
    const size_t columns = (size_t)s->nx * (size_t)s->ny;
    const size_t start[3] = {n->count, 0, 0}, count[3] = {1, (size_t)s->ny, (size_t)s->nx};
    for (int i = 0; i < QUANTITIES; i++) {
        if (n->columns[i] < 0)
            continue;
        for (size_t c = 0; c < columns; c++)
            out[c] = (float)quantity_of_column(&quantities[i], s, f, c);
        netcdf_check(&n->nc, nc_put_vara_float(n->nc.id, n->columns[i], start, count, out));
    }
}

static int define_once(fields_file *n, const scene *s, const field *f)
{
    return n->defined ? STATUS_OK : define_all(n, s, f);
}

static int fields_write_levels(void *file, const scene *s, const field *f)
{
    fields_file *n = file;
    int status = define_once(n, s, f);
    if (status != STATUS_OK)
        return status;
    float *buffer = malloc((size_t)s->nx * (size_t)s->ny * sizeof *buffer);
    if (!buffer)
        return fail_memory();
    for (size_t k = 0; k < (size_t)f->levels && n->nc.error == NC_NOERR; k++)
        write_level(n, s, f, k, buffer);
    free(buffer);
    return netcdf_status(&n->nc);
}

static int fields_write(void *file, const scene *s, const field *f)
{
    fields_file *n = file;
    int status = define_once(n, s, f);
    if (status != STATUS_OK)
        return status;
    float *buffer = malloc((size_t)s->nx * (size_t)s->ny * sizeof *buffer);
    if (!buffer)
        return fail_memory();
    write_columns(n, s, f, buffer);
    free(buffer);
    write_moment(n, s);
    status = n->ground_turns ? write_ground(n, s) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    netcdf_check(&n->nc, nc_put_var1_double(n->nc.id, n->time, &n->count, &f->time));
    if (n->mean) {
        size_t start[2] = {n->count, 0}, count[2] = {1, 2};
        double bounds[2] = {f->start, f->time};
        netcdf_check(&n->nc, nc_put_vara_double(n->nc.id, n->time_bounds, start, count, bounds));
    }
    n->count++;
    return netcdf_status(&n->nc);
}

static int fields_close(void *file, bool keep)
{
    fields_file *n = file;
    int status = n ? netcdf_close(&n->nc, keep) : STATUS_OK;
    free(n);
    return status;
}

const output_format output_netcdf = {.extension = "nc",
                                     .what = "NetCDF output",
                                     .series = true,
                                     .open = fields_open,
                                     .write_levels = fields_write_levels,
                                     .write = fields_write,
                                     .close = fields_close};

#endif
