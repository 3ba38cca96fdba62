/* SPDX-License-Identifier: MIT */
/* NetCDF-4 with a dimension of directions, CF-1.8. */
#include "config.h"

#include "wind/sectors.h"

#ifndef HAVE_NETCDF

const sectors_format sectors_netcdf = {
    .extension = "nc", .what = "NetCDF output", .package = "libnetcdf-dev"};

#else

#include "wind/netcdf_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTION, HEIGHT, Y, X, DIMENSIONS };

typedef struct layout {
    int dims[DIMENSIONS];
    int maps[SECTOR_QUANTITIES], reference[SECTOR_QUANTITIES];
    int ground;
} layout;

/* A variable on the grid; dims ends with y and x. */
static int define_map(netcdf_file *n, const sectors *s, const sector_quantity *q, int count,
                      const int *dims)
{
    int variable =
        netcdf_define(n, q->name, NC_FLOAT, count, dims, q->standard_name, q->long_name, q->units);
    netcdf_lay_out(n, s->scene, variable, count, s->scene->place.projected ? "lat lon" : "");
    return variable;
}

static void define_axes(netcdf_file *n, const sectors *s, const layout *l)
{
    int direction =
        netcdf_define(n, "direction", NC_DOUBLE, 1, &l->dims[DIRECTION], "wind_from_direction",
                      "that the undisturbed wind blows from, clockwise from true north", "degree");
    for (size_t d = 0; d < (size_t)s->count; d++)
        netcdf_check(n, nc_put_var1_double(n->id, direction, &d, &s->of[d].from));
    int height = netcdf_define(n, "height", NC_DOUBLE, 1, &l->dims[HEIGHT], "height",
                               "above the ground", "m");
    netcdf_put_text(n, height, "axis", "Z");
    netcdf_put_text(n, height, "positive", "up");
    netcdf_check(n, nc_put_var_double(n->id, height, s->height));
    int inlet = netcdf_define(n, "inlet_wind_speed", NC_DOUBLE, 1, &l->dims[HEIGHT], "wind_speed",
                              "speed of the undisturbed wind", "m s-1");
    netcdf_check(n, nc_put_var_double(n->id, inlet, s->inlet));
}

/* What the reference has of each direction: one value each. */
static void define_reference(netcdf_file *n, const sectors *s, const layout *l)
{
    const struct {
        const char *name, *standard, *units, *what;
    } rows[] = {
        {"reference_wind_speed", "wind_speed", "m s-1", "horizontal wind speed at the reference"},
        {"reference_wind_from_direction", "wind_from_direction", "degree",
         "at the reference, clockwise from true north"},
        {"reference_speedup_inlet", NULL, "1",
         "speed over that of the undisturbed wind, at the reference"},
        {"reference_turbulence_intensity", NULL, "1",
         "sqrt(2 k / 3) over the speed, at the reference"},
    };
    for (size_t i = 0; i < (s->closure ? 4 : 3); i++) {
        int variable = netcdf_define(n, rows[i].name, NC_DOUBLE, 1, &l->dims[DIRECTION],
                                     rows[i].standard, rows[i].what, rows[i].units);
        for (size_t d = 0; d < (size_t)s->count; d++) {
            place_value at = sectors_at_reference(s, (int)d);
            const double values[] = {
                hypot(at.east, at.north),
                place_direction(&s->scene->place, at.easting, at.northing, at.east, at.north),
                sectors_speedup_at_reference(s, (int)d), at.intensity};
            netcdf_check(n, nc_put_var1_double(n->id, variable, &d, &values[i]));
        }
    }
    netcdf_check(n, nc_put_att_double(n->id, NC_GLOBAL, "reference_easting_northing_height_m",
                                      NC_DOUBLE, 3, s->reference));
}

static void define_convergence(netcdf_file *n, const sectors *s, const layout *l)
{
    int settled = netcdf_define(n, "settled", NC_BYTE, 1, &l->dims[DIRECTION], NULL,
                                "1 where the wind of the direction stands still", "1");
    int drift = netcdf_define(
        n, "drift", NC_DOUBLE, 1, &l->dims[DIRECTION], NULL,
        "change of the mean at the first height in a flush of the box, relative", "1");
    for (size_t d = 0; d < (size_t)s->count; d++) {
        const signed char yes = s->of[d].settled;
        netcdf_check(n, nc_put_var1_schar(n->id, settled, &d, &yes));
        netcdf_check(n, nc_put_var1_double(n->id, drift, &d, &s->of[d].drift));
    }
}

static int define_all(netcdf_file *n, const sectors *s, layout *l)
{
    const size_t sizes[DIMENSIONS] = {(size_t)s->count, (size_t)s->heights, (size_t)s->scene->ny,
                                      (size_t)s->scene->nx};
    static const char *const names[DIMENSIONS] = {"direction", "height", "y", "x"};
    for (int i = 0; i < DIMENSIONS; i++)
        netcdf_check(n, nc_def_dim(n->id, names[i], sizes[i], &l->dims[i]));
    netcdf_put_text(n, NC_GLOBAL, "Conventions", "CF-1.8");
    netcdf_put_text(n, NC_GLOBAL, "title", "Wind of many directions");
    netcdf_put_history(n, s->scene->command);
    netcdf_put_facts(n, s->scene, NULL);
    static const char *const of_one[] = {"input_wind_from_true_north_degrees",
                                         "input_wind_from_grid_north_degrees",
                                         "height_above_ground_m"};
    for (int i = 0; i < 3; i++)
        netcdf_check(n, nc_del_att(n->id, NC_GLOBAL, of_one[i]));
    (void)nc_del_att(n->id, NC_GLOBAL, "convergence"); /* which the mass-consistent model has not */
    define_axes(n, s, l);
    int status = netcdf_define_ground(n, s->scene, l->dims[X], l->dims[Y]);
    const int flat[3] = {l->dims[DIRECTION], l->dims[Y], l->dims[X]};
    if (s->ground || s->scene->has_terrain) {
        const sector_quantity row = {
            "surface_altitude",
            "surface_altitude",
            "m",
            s->ground ? "altitude of the ground that the wind of the direction sees"
                      : "altitude of the ground that the wind sees",
            false,
            NULL,
            NULL};
        l->ground = define_map(n, s, &row, s->ground ? 3 : 2, s->ground ? flat : flat + 1);
    }
    for (int q = 0; q < SECTOR_QUANTITIES; q++)
        if (sector_quantities[q].is_there(s))
            l->maps[q] =
                define_map(n, s, &sector_quantities[q], sector_quantities[q].at_heights ? 4 : 3,
                           sector_quantities[q].at_heights ? l->dims : flat);
    if (s->has_reference)
        define_reference(n, s, l);
    if (s->closure)
        define_convergence(n, s, l);
    return status == STATUS_OK ? netcdf_status(n) : status;
}

static void write_map(netcdf_file *n, const sectors *s, const layout *l, int q, int d, int h,
                      float *plane)
{
    for (size_t c = 0; c < s->columns; c++)
        plane[c] = (float)sector_quantities[q].value(s, d, h, c);
    const size_t start[4] = {(size_t)d, (size_t)h, 0, 0};
    const size_t count[4] = {1, 1, (size_t)s->scene->ny, (size_t)s->scene->nx};
    const size_t flat[3] = {(size_t)d, 0, 0}, flat_count[3] = {1, count[2], count[3]};
    if (sector_quantities[q].at_heights)
        netcdf_check(n, nc_put_vara_float(n->id, l->maps[q], start, count, plane));
    else
        netcdf_check(n, nc_put_vara_float(n->id, l->maps[q], flat, flat_count, plane));
}

static int write(const char *path, const char *temporary, const sectors *s)
{
    netcdf_file n = {.path = path, .id = -1};
    layout l;
    float *plane = malloc(s->columns * sizeof *plane);
    if (!plane)
        return fail_memory();
    netcdf_check(&n, nc_create(temporary, NC_NETCDF4 | NC_CLOBBER, &n.id));
    int status = define_all(&n, s, &l);
    if (status == STATUS_OK && (s->ground || s->scene->has_terrain))
        netcdf_check(&n,
                     nc_put_var_float(n.id, l.ground, s->ground ? s->ground : s->scene->ground));
    for (int q = 0; q < SECTOR_QUANTITIES && status == STATUS_OK; q++)
        for (int d = 0; d < s->count && sector_quantities[q].is_there(s); d++)
            for (int h = 0;
                 h < (sector_quantities[q].at_heights ? s->heights : 1) && n.error == NC_NOERR; h++)
                write_map(&n, s, &l, q, d, h, plane);
    free(plane);
    int closed = netcdf_close(&n, status == STATUS_OK);
    return status == STATUS_OK ? closed : status;
}

const sectors_format sectors_netcdf = {.extension = "nc", .what = "NetCDF output", .write = write};

#endif
