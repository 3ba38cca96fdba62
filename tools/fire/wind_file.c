/* SPDX-License-Identifier: MIT */
/* NetCDF files of a wind, of foehn or of other tools, read by a process of its own. */
#include "config.h"

#include "file.h"
#include "fire/wind_file.h"
#include "guard.h"

#include <math.h>
#include <string.h>

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

#ifndef HAVE_NETCDF

int wind_file_open(const char *path, wind_file *w)
{
    w->path = path;
    return fail(STATUS_USAGE,
                "%s: this foehn was built without wind from NetCDF: install libnetcdf-dev, then "
                "configure and make again",
                path);
}

int wind_file_load(wind_file *w, int slot, size_t time)
{
    (void)slot, (void)time;
    return wind_file_open(w->path, w);
}

#else

/* A process of its own does a piece of work on the file. */
typedef struct wind_job {
    wind_file *w;
    int file; /* of NetCDF */
    int slot;
    size_t time;
} wind_job;

static int unreadable(const wind_job *j, const char *what, int error)
{
    return fail(
        STATUS_INPUT,
        "%s: %s cannot be read: %s: give a .nc file of foehn wind, or one with the like variables",
        j->w->path, what, nc_strerror(error));
}

static int open_netcdf(wind_job *j)
{
    int error = nc_open(j->w->path, NC_NOWRITE, &j->file);
    if (error == NC_NOERR)
        return STATUS_OK;
    return fail(STATUS_INPUT, "%s: cannot be read: %s", j->w->path, nc_strerror(error));
}

/* A variable's number; its dimensions are those of these names, and no others. */
static int find_variable(const wind_job *j, const char *name, int rank,
                         const char *const *dimension_names, int *variable)
{
    int found, dimensions[NC_MAX_VAR_DIMS], wanted;
    nc_type type;
    int error = nc_inq_varid(j->file, name, variable);
    if (error == NC_NOERR)
        error = nc_inq_varndims(j->file, *variable, &found);
    if (error == NC_NOERR && found == rank)
        error = nc_inq_var(j->file, *variable, NULL, &type, NULL, dimensions, NULL);
    if (error != NC_NOERR)
        return unreadable(j, name, error);
    bool fits = found == rank && type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR;
    for (int d = 0; d < rank && fits; d++)
        fits = nc_inq_dimid(j->file, dimension_names[d], &wanted) == NC_NOERR &&
               wanted == dimensions[d];
    if (!fits)
        return fail(STATUS_INPUT, "%s: %s is not over %s, as numbers", j->w->path, name,
                    rank == 1 ? name : "time, z, y, x");
    return STATUS_OK;
}

/* The units of a variable; "" without any. */
static void find_units(const wind_job *j, int variable, size_t size, char *units)
{
    nc_type type;
    size_t length = 0;
    memset(units, 0, size);
    if (nc_inq_att(j->file, variable, "units", &type, &length) != NC_NOERR || type != NC_CHAR ||
        length >= size || nc_get_att_text(j->file, variable, "units", units) != NC_NOERR)
        units[0] = 0;
}

/* How many of ours the units of a variable are; without any they are ours. */
static int check_units(const wind_job *j, const char *name, int variable, bool time, double *factor)
{
    static const struct {
        const char *name;
        double metres, seconds, speed;
    } known[] = {
        {"m", 1, 0, 0},        {"metre", 1, 0, 0},   {"metres", 1, 0, 0},      {"meter", 1, 0, 0},
        {"meters", 1, 0, 0},   {"km", 1000, 0, 0},   {"s", 0, 1, 0},           {"second", 0, 1, 0},
        {"seconds", 0, 1, 0},  {"minute", 0, 60, 0}, {"minutes", 0, 60, 0},    {"hour", 0, 3600, 0},
        {"hours", 0, 3600, 0}, {"day", 0, 86400, 0}, {"days", 0, 86400, 0},    {"m s-1", 0, 0, 1},
        {"m/s", 0, 0, 1},      {"m s**-1", 0, 0, 1}, {"meter/second", 0, 0, 1}};
    const bool length = strlen(name) == 1;
    char units[64];
    find_units(j, variable, sizeof units, units);
    char *since = time ? strstr(units, " since ") : NULL;
    if (since)
        *since = 0;
    *factor = 1;
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++)
        if (strcmp(units, known[n].name) == 0) {
            *factor = time ? known[n].seconds : length ? known[n].metres : known[n].speed;
            break;
        } else if (units[0])
            *factor = 0;
    return *factor > 0
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s: %s is in %s: must be in %s", j->w->path, name, units,
                      time     ? "s"
                      : length ? "m"
                               : "m s-1");
}

/* A coordinate, over the dimension of its own name. */
static int read_axis(const wind_job *j, int axis)
{
    static const char *const names[WIND_AXES] = {"x", "y", "z", "time"};
    const char *name = names[axis];
    size_t *count = &j->w->header->count[axis];
    int dimension, variable, status = find_variable(j, name, 1, &name, &variable);
    if (status != STATUS_OK)
        return status;
    int error = nc_inq_dimid(j->file, name, &dimension);
    if (error == NC_NOERR)
        error = nc_inq_dimlen(j->file, dimension, count);
    if (error == NC_NOERR && (*count < 1 || *count > WIND_MOST_ON_AXIS))
        return fail(STATUS_INPUT, "%s: %s has %zu values", j->w->path, name, *count);
    const size_t start = 0;
    double *values = j->w->header->values[axis], factor;
    if (error == NC_NOERR)
        error = nc_get_vara_double(j->file, variable, &start, count, values);
    if (error != NC_NOERR)
        return unreadable(j, name, error);
    status = check_units(j, name, variable, axis == WIND_TIME, &factor);
    for (size_t i = 0; i < *count && status == STATUS_OK; i++)
        values[i] *= factor;
    return status;
}

/* Attributes of one number: the library's functions write as many as the file says. */
static int read_number(const wind_job *j, const char *name, int variable, const char *attribute,
                       double *out)
{
    size_t values;
    if (nc_inq_attlen(j->file, variable, attribute, &values) != NC_NOERR)
        return STATUS_OK;
    if (values == 1 && nc_get_att_double(j->file, variable, attribute, out) == NC_NOERR)
        return STATUS_OK;
    return fail(STATUS_INPUT, "%s: %s of %s is not one number", j->w->path, attribute, name);
}

static int find_packing(const wind_job *j, int k, const char *name)
{
    wind_header *h = j->w->header;
    double fill = (double)NC_FILL_FLOAT, factor = 1;
    h->scale[k] = 1;
    h->offset[k] = 0;
    int status = read_number(j, name, h->variables[k], "missing_value", &fill);
    if (status == STATUS_OK)
        status = read_number(j, name, h->variables[k], "_FillValue", &fill);
    if (status == STATUS_OK)
        status = read_number(j, name, h->variables[k], "scale_factor", &h->scale[k]);
    if (status == STATUS_OK)
        status = read_number(j, name, h->variables[k], "add_offset", &h->offset[k]);
    if (status == STATUS_OK)
        status = check_units(j, name, h->variables[k], false, &factor);
    h->fill[k] = (float)fill;
    return status;
}

/* Winds along the grid's axes where the file has them, else towards true east and north. */
static int find_variables(const wind_job *j)
{
    static const char *const names[2][WIND_COMPONENTS] = {
        {"x_wind", "y_wind", "upward_air_velocity"},
        {"eastward_wind", "northward_wind", "upward_air_velocity"}};
    static const char *const dimension_names[4] = {"time", "z", "y", "x"};
    wind_header *h = j->w->header;
    int ignored, true_north = nc_inq_varid(j->file, "x_wind", &ignored) != NC_NOERR;
    int status = STATUS_OK;
    for (int k = 0; k < WIND_COMPONENTS && status == STATUS_OK; k++) {
        status = find_variable(j, names[true_north][k], 4, dimension_names, &h->variables[k]);
        if (status == STATUS_OK)
            status = find_packing(j, k, names[true_north][k]);
    }
    return status;
}

static int read_header(void *data)
{
    wind_job *j = data;
    int status = open_netcdf(j);
    if (status != STATUS_OK)
        return status;
    for (int axis = WIND_TIME; axis >= 0 && status == STATUS_OK; axis--)
        status = read_axis(j, axis);
    if (status == STATUS_OK)
        status = find_variables(j);
    nc_close(j->file);
    return status;
}

/* Numbers that came from the file are looked at on this side. */
static int check_header(const wind_file *w)
{
    static const char *const names[WIND_AXES] = {"x", "y", "z", "time"};
    const wind_header *h = w->header;
    for (int axis = 0; axis < WIND_AXES; axis++) {
        const double *v = h->values[axis];
        if (h->count[axis] < 1 || h->count[axis] > WIND_MOST_ON_AXIS)
            return fail(STATUS_INPUT, "%s: %s has %zu values", w->path, names[axis],
                        h->count[axis]);
        for (size_t i = 0; i < h->count[axis]; i++)
            if (!isfinite(v[i]) || (i > 0 && !(v[i] > v[i - 1])))
                return fail(STATUS_INPUT,
                            "%s: %s does not grow at its value %zu: turn it round (ncpdq -a -%s)",
                            w->path, names[axis], i + 1, names[axis]);
    }
    /* No file packs a number into less than a thousandth of its bytes: what says more is empty. */
    const size_t *n = h->count;
    if ((double)n[0] * (double)n[1] * (double)n[2] * sizeof(float) > 1100.0 * (double)w->bytes)
        return fail(STATUS_INPUT, "%s: %zu x %zu x %zu cells, more than there can be in %zu bytes",
                    w->path, n[0], n[1], n[2], w->bytes);
    return STATUS_OK;
}

static size_t memory_for(const wind_file *w)
{
    const size_t library = (size_t)1 << 29;
    return library + 16 * w->bytes;
}

int wind_file_open(const char *path, wind_file *w)
{
    w->path = path;
    int status =
        file_check_readable(w->path, &w->bytes); /* nc_open() would go to the net for a URL */
    if (status != STATUS_OK)
        return status;
    w->header = guard_share(sizeof *w->header);
    if (!w->header)
        return fail_memory();
    status = guard_run(w->path, memory_for(w), read_header, &(wind_job){.w = w});
    if (status == STATUS_OK)
        status = check_header(w);
    if (status != STATUS_OK)
        return status;
    w->cells = w->header->count[0] * w->header->count[1] * w->header->count[2];
    for (int n = 0; n < 2; n++)
        if (!(w->slices[n] = guard_share(WIND_COMPONENTS * w->cells * sizeof(float))))
            return fail_memory();
    return STATUS_OK;
}

/* Under the ground the air stands still. */
static int read_slice(void *data)
{
    wind_job *j = data;
    const wind_header *h = j->w->header;
    const size_t start[4] = {j->time, 0, 0, 0},
                 count[4] = {1, h->count[2], h->count[1], h->count[0]};
    int status = open_netcdf(j);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < WIND_COMPONENTS && status == STATUS_OK; k++) {
        float *slice = j->w->slices[j->slot] + (size_t)k * j->w->cells;
        int error = nc_get_vara_float(j->file, h->variables[k], start, count, slice);
        if (error != NC_NOERR)
            status = unreadable(j, "the wind", error);
        for (size_t c = 0; c < j->w->cells && status == STATUS_OK; c++)
            slice[c] = slice[c] == h->fill[k] || !isfinite(slice[c])
                           ? 0
                           : (float)((double)slice[c] * h->scale[k] + h->offset[k]);
    }
    nc_close(j->file);
    return status;
}

int wind_file_load(wind_file *w, int slot, size_t time)
{
    if (w->loaded[slot] == time + 1)
        return STATUS_OK;
    int status = guard_run(w->path, memory_for(w), read_slice,
                           &(wind_job){.w = w, .slot = slot, .time = time});
    if (status == STATUS_OK)
        w->loaded[slot] = time + 1;
    return status;
}

#endif

void wind_file_close(wind_file *w)
{
    guard_unshare(w->header, sizeof *w->header);
    for (int n = 0; n < 2; n++)
        guard_unshare(w->slices[n], WIND_COMPONENTS * w->cells * sizeof(float));
}
