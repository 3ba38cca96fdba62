/* SPDX-License-Identifier: MIT */
/* The wind that drives the sides of the fire's box: constant, or a NetCDF file of foehn wind. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

enum { EAST, NORTH, UP, COMPONENTS, MOST_SAMPLES = 33 };

struct fire_wind {
    const fire_wind_spec *spec;
    bool done; /* it does not change any more */
    double speed;
    int file;  /* of NetCDF; -1: none */
    int variables[COMPONENTS];
    float fill[COMPONENTS];
    size_t size[3];  /* cells towards east, north, up */
    double *axes[3]; /* their centres, m */
    size_t time_count;
    double *times;                  /* s */
    float *slices[2][COMPONENTS];   /* of two neighbouring times, [up][north][east] */
    size_t loaded[2];               /* number of the time + 1; 0: none */
};

void fire_wind_close(fire_wind *w)
{
    if (!w)
        return;
#ifdef HAVE_NETCDF
    if (w->file >= 0)
        nc_close(w->file);
#endif
    for (int k = 0; k < 3; k++)
        free(w->axes[k]);
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < COMPONENTS; k++)
            free(w->slices[n][k]);
    free(w->times);
    free(w);
}

#ifndef HAVE_NETCDF

static int open_file(fire_wind *w)
{
    return fail(STATUS_USAGE,
                "%s: this foehn was built without wind from NetCDF: install libnetcdf-dev, then "
                "configure and make again",
                w->spec->file);
}

static int load(fire_wind *w, int slot, size_t time)
{
    (void)slot, (void)time;
    return open_file(w);
}

#else

static int unreadable(const fire_wind *w, const char *what, int error)
{
    return fail(STATUS_INPUT, "%s: %s cannot be read: %s: give a .nc file of foehn wind",
                w->spec->file, what, nc_strerror(error));
}

/* A variable's number; its dimensions are those of these names, and no others. */
static int find_variable(const fire_wind *w, const char *name, int rank,
                         const char *const *dimension_names, int *variable)
{
    int found, dimensions[NC_MAX_VAR_DIMS], wanted;
    nc_type type;
    int error = nc_inq_varid(w->file, name, variable);
    if (error == NC_NOERR)
        error = nc_inq_varndims(w->file, *variable, &found);
    if (error == NC_NOERR && found == rank)
        error = nc_inq_var(w->file, *variable, NULL, &type, NULL, dimensions, NULL);
    if (error != NC_NOERR)
        return unreadable(w, name, error);
    bool fits = found == rank && type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR;
    for (int d = 0; d < rank && fits; d++)
        fits = nc_inq_dimid(w->file, dimension_names[d], &wanted) == NC_NOERR &&
               wanted == dimensions[d];
    if (!fits)
        return fail(STATUS_INPUT, "%s: %s is not over %s, as numbers", w->spec->file, name,
                    rank == 1 ? name : "time, z, y, x");
    return STATUS_OK;
}

/* A coordinate: over the dimension of its own name, finite and growing. */
static int read_axis(fire_wind *w, const char *name, size_t *count, double **values)
{
    int dimension, variable, status = find_variable(w, name, 1, &name, &variable);
    if (status != STATUS_OK)
        return status;
    int error = nc_inq_dimid(w->file, name, &dimension);
    if (error == NC_NOERR)
        error = nc_inq_dimlen(w->file, dimension, count);
    if (error != NC_NOERR)
        return unreadable(w, name, error);
    if (*count < 1 || *count > 1000000)
        return fail(STATUS_INPUT, "%s: %s has %zu values", w->spec->file, name, *count);
    *values = malloc(*count * sizeof **values);
    if (!*values)
        return fail_memory();
    const size_t start = 0;
    error = nc_get_vara_double(w->file, variable, &start, count, *values);
    if (error != NC_NOERR)
        return unreadable(w, name, error);
    for (size_t i = 0; i < *count; i++)
        if (!isfinite((*values)[i]) || (i > 0 && !((*values)[i] > (*values)[i - 1])))
            return fail(STATUS_INPUT, "%s: %s does not grow at its value %zu", w->spec->file, name,
                        i + 1);
    return STATUS_OK;
}

/* Winds along the grid's axes where the file has them, else towards true east and north. */
static int find_variables(fire_wind *w)
{
    static const char *const names[2][COMPONENTS] = {
        {"x_wind", "y_wind", "upward_air_velocity"},
        {"eastward_wind", "northward_wind", "upward_air_velocity"}};
    int ignored, true_north = nc_inq_varid(w->file, "x_wind", &ignored) != NC_NOERR;
    static const char *const dimension_names[4] = {"time", "z", "y", "x"};
    int status = STATUS_OK;
    for (int k = 0; k < COMPONENTS && status == STATUS_OK; k++) {
        size_t values;
        status = find_variable(w, names[true_north][k], 4, dimension_names, &w->variables[k]);
        w->fill[k] = NC_FILL_FLOAT;
        /* nc_get_att_float() writes as many numbers as the file says. */
        if (status == STATUS_OK &&
            nc_inq_attlen(w->file, w->variables[k], "_FillValue", &values) == NC_NOERR &&
            (values != 1 || nc_get_att_float(w->file, w->variables[k], "_FillValue",
                                             &w->fill[k]) != NC_NOERR))
            status = fail(STATUS_INPUT, "%s: _FillValue of %s is not one number", w->spec->file,
                          names[true_north][k]);
    }
    return status;
}

static int open_file(fire_wind *w)
{
    size_t bytes;
    int status = file_check_readable(w->spec->file, &bytes); /* nc_open() would go to the net for a URL */
    if (status != STATUS_OK)
        return status;
    int error = nc_open(w->spec->file, NC_NOWRITE, &w->file);
    if (error != NC_NOERR) {
        w->file = -1;
        return fail(STATUS_INPUT, "%s: cannot be read: %s", w->spec->file, nc_strerror(error));
    }
    static const char *const names[3] = {"x", "y", "z"};
    status = read_axis(w, "time", &w->time_count, &w->times);
    for (int k = 0; k < 3 && status == STATUS_OK; k++)
        status = read_axis(w, names[k], &w->size[k], &w->axes[k]);
    if (status == STATUS_OK)
        status = find_variables(w);
    /* No file packs a number into less than a thousandth of its bytes: what says more is empty. */
    if (status == STATUS_OK && (double)w->size[0] * (double)w->size[1] * (double)w->size[2] *
                                       sizeof(float) > 1100.0 * (double)bytes)
        status = fail(STATUS_INPUT, "%s: %zu x %zu x %zu cells, more than there can be in %zu bytes",
                      w->spec->file, w->size[0], w->size[1], w->size[2], bytes);
    size_t cells = w->size[0] * w->size[1] * w->size[2];
    for (int n = 0; n < 2 && status == STATUS_OK; n++)
        for (int k = 0; k < COMPONENTS; k++)
            if (!(w->slices[n][k] = malloc(cells * sizeof(float))))
                status = fail_memory();
    return status;
}

/* Under the ground the air stands still. */
static int load(fire_wind *w, int slot, size_t time)
{
    if (w->loaded[slot] == time + 1)
        return STATUS_OK;
    size_t start[4] = {time, 0, 0, 0}, count[4] = {1, w->size[2], w->size[1], w->size[0]};
    size_t cells = w->size[0] * w->size[1] * w->size[2];
    for (int k = 0; k < COMPONENTS; k++) {
        float *slice = w->slices[slot][k];
        int error = nc_get_vara_float(w->file, w->variables[k], start, count, slice);
        if (error != NC_NOERR)
            return unreadable(w, "the wind", error);
        for (size_t c = 0; c < cells; c++)
            if (slice[c] == w->fill[k] || !isfinite(slice[c]))
                slice[c] = 0;
    }
    w->loaded[slot] = time + 1;
    return STATUS_OK;
}

#endif

int fire_wind_open(const fire_wind_spec *spec, double speed, fire_wind **out)
{
    fire_wind *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return fail_memory();
    w->spec = spec;
    w->speed = speed;
    w->file = -1;
    if (spec->file[0])
        return open_file(w);
    w->done = spec->velocity[0] == 0 && spec->velocity[1] == 0 && spec->velocity[2] == 0;
    return STATUS_OK;
}

/* The cell before a place on an axis, and the part of the way to the next one. */
static size_t locate(const double *axis, size_t count, double at, double *part)
{
    size_t i = 0;
    while (i + 2 < count && axis[i + 1] <= at)
        i++;
    *part = count > 1 ? fmin(fmax((at - axis[i]) / (axis[i + 1] - axis[i]), 0), 1) : 0;
    return i;
}

/* Trilinear between cells, linear between the two times. */
static void sample(const fire_wind *w, const double at[3], double later, double out[COMPONENTS])
{
    double part[3];
    size_t first[3];
    for (int k = 0; k < 3; k++)
        first[k] = locate(w->axes[k], w->size[k], at[k], &part[k]);
    memset(out, 0, COMPONENTS * sizeof *out);
    for (int corner = 0; corner < 16; corner++) {
        double weight = corner & 8 ? later : 1 - later;
        size_t cell[3];
        for (int k = 0; k < 3; k++) {
            int far = corner >> k & 1;
            weight *= far ? part[k] : 1 - part[k];
            cell[k] = first[k] + (far && part[k] > 0);
        }
        if (!(weight > 0))
            continue;
        size_t c = (cell[2] * w->size[1] + cell[1]) * w->size[0] + cell[0];
        for (int k = 0; k < COMPONENTS; k++)
            out[k] += weight * (double)w->slices[corner >> 3][k][c];
    }
}

/* Samples over the box of the fire.  Easting = x, northing = -z, altitude = y, from `at` on. */
static int resample(const fire_wind *w, const foehn_fire_info *info, double later, const int n[3],
                    float (*out)[3])
{
    size_t c = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, c++) {
                const int index[3] = {i, j, k};
                double p[3], value[COMPONENTS];
                for (int a = 0; a < 3; a++)
                    p[a] = info->size[a] * ((double)index[a] / (n[a] - 1) - 0.5);
                fire_rotate(info->pose.rotation, p, p);
                for (int a = 0; a < 3; a++)
                    p[a] += info->pose.position[a];
                const double at[3] = {w->spec->at[0] + p[0], w->spec->at[1] - p[2],
                                      w->spec->at[2] + p[1]};
                for (int a = 0; a < 2; a++) { /* above and below, the nearest level holds */
                    double slack = 0.5 * (w->size[a] > 1 ? w->axes[a][1] - w->axes[a][0] : 1);
                    double low = w->axes[a][0] - slack, high = w->axes[a][w->size[a] - 1] + slack;
                    if (at[a] < low || at[a] > high)
                        return fail(STATUS_INPUT,
                                    "%s: reaches from %g to %g m towards %s, the fire's box to %g: "
                                    "move it with at",
                                    w->spec->file, low, high, a ? "north" : "east", at[a]);
                }
                sample(w, at, later, value);
                out[c][0] = (float)(value[EAST] / w->speed);
                out[c][1] = (float)(value[UP] / w->speed);
                out[c][2] = (float)(-value[NORTH] / w->speed);
            }
    return STATUS_OK;
}

static int set_from_file(fire_wind *w, int count, foehn_fire *const *fires, double time)
{
    foehn_fire_info info;
    foehn_fire_get_info(fires[0], &info);
    double later;
    size_t first = locate(w->times, w->time_count, w->spec->start + time, &later);
    int status = load(w, 0, first);
    if (status == STATUS_OK)
        status = load(w, 1, first + (w->time_count > 1));
    int n[3];
    for (int k = 0; k < 3; k++) { /* as fine as the file, within reason; z is north, y is up */
        const double *axis = w->axes[k ? 3 - k : 0];
        double spacing = w->size[k ? 3 - k : 0] > 1 ? axis[1] - axis[0] : INFINITY;
        n[k] = (int)fmin(fmax(ceil(info.size[k] / spacing) + 1, 2), MOST_SAMPLES);
    }
    float(*velocity)[3] = calloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2], sizeof *velocity);
    if (!velocity)
        return fail_memory();
    if (status == STATUS_OK)
        status = resample(w, &info, later, n, velocity);
    const foehn_fire_wind wind = {n[0], n[1], n[2], (const float(*)[3])velocity};
    for (int f = 0; f < count && status == STATUS_OK; f++)
        status = fail_library(foehn_fire_set_wind(fires[f], &wind));
    free(velocity);
    w->done = w->time_count == 1 || w->spec->start + time >= w->times[w->time_count - 1];
    return status;
}

int fire_wind_set(fire_wind *w, int count, foehn_fire *const *fires, double time)
{
    if (w->done)
        return STATUS_OK;
    if (w->file >= 0)
        return set_from_file(w, count, fires, time);
    float velocity[1][3];
    for (int k = 0; k < 3; k++)
        velocity[0][k] = (float)(w->spec->velocity[k] / w->speed);
    const foehn_fire_wind wind = {1, 1, 1, (const float(*)[3])velocity};
    int status = STATUS_OK;
    for (int f = 0; f < count && status == STATUS_OK; f++)
        status = fail_library(foehn_fire_set_wind(fires[f], &wind));
    w->done = true;
    return status;
}
