/* SPDX-License-Identifier: MIT */
/* Turbulence at a place of a solved field: a NetCDF file that foehn wind --model momentum has
 * written. */
#include "config.h"

#include "box/command.h"

#ifndef HAVE_NETCDF

int site_read(const char *path, const double at[3], site_point *out)
{
    (void)at, (void)out;
    return fail(STATUS_USAGE,
                "--site %s: NetCDF is not built in: install libnetcdf-dev, build again", path);
}

#else

#include "file.h"
#include "guard.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

/* The momentum model's viscosity is C_MU k^2 / eps, so that k is 5.8 u*^2 near the ground
 * (lib/wind/momentum.c). */
#define C_MU 0.03

enum { EAST, NORTH, ENERGY, VISCOSITY, HEIGHT, FIELDS };
enum { MOST_HEIGHTS = 4096 };

typedef struct reader {
    const char *path;
    int id;
    size_t n[3];            /* along x, y, z */
    double *axis[2];        /* x, y */
    int cell[2];            /* nearest column */
    double *column[FIELDS]; /* [nz] */
} reader;

static int fail_nc(const reader *r, const char *what, int error)
{
    return fail(STATUS_INPUT, "--site %s: %s: %s", r->path, what, nc_strerror(error));
}

static int read_axis(reader *r, int axis)
{
    static const char *const names[] = {"x", "y", "z"};
    int dim, variable, error = nc_inq_dimid(r->id, names[axis], &dim);
    if (error == NC_NOERR)
        error = nc_inq_dimlen(r->id, dim, &r->n[axis]);
    if (error != NC_NOERR)
        return fail_nc(r, "no axis that foehn wind writes", error);
    size_t most = axis == 2 ? MOST_HEIGHTS : 100000;
    if (r->n[axis] < 2 || r->n[axis] > most)
        return fail(STATUS_INPUT, "--site %s: has %zu cells along %s: 2 to %zu can be read",
                    r->path, r->n[axis], names[axis], most);
    if (axis == 2)
        return STATUS_OK;
    if (!(r->axis[axis] = malloc(r->n[axis] * sizeof(double))))
        return fail_memory();
    error = nc_inq_varid(r->id, names[axis], &variable);
    if (error == NC_NOERR)
        error = nc_get_var_double(r->id, variable, r->axis[axis]);
    return error == NC_NOERR ? STATUS_OK : fail_nc(r, names[axis], error);
}

static int find_column(reader *r, const double at[3])
{
    for (int a = 0; a < 2; a++) {
        const double *x = r->axis[a];
        size_t last = r->n[a] - 1;
        double step = (x[last] - x[0]) / (double)last, index = (at[a] - x[0]) / step;
        if (!(step > 0 && index >= -0.5 && index <= (double)last + 0.5))
            return fail(STATUS_INPUT, "--at %g,%g,%g: %s lies outside of %s: give %g to %g", at[0],
                        at[1], at[2], a ? "N" : "E", r->path, x[0], x[last]);
        r->cell[a] = (int)fmin(fmax(floor(index + 0.5), 0), (double)last);
    }
    return STATUS_OK;
}

/* A variable [time][z][y][x] or [z][y][x], above one place, at the last time. */
static int read_column(reader *r, const char *name, double *out)
{
    int variable, dims = 0, ids[NC_MAX_VAR_DIMS];
    if (nc_inq_varid(r->id, name, &variable) != NC_NOERR)
        return fail(STATUS_INPUT,
                    "--site %s: has no %s: write it by foehn wind --model momentum --out FILE.nc",
                    r->path, name);
    int error = nc_inq_varndims(r->id, variable, &dims);
    if (error == NC_NOERR && (dims < 3 || dims > 4))
        return fail(STATUS_INPUT, "--site %s: %s has %d dimensions, not 3 or 4", r->path, name,
                    dims);
    size_t start[4] = {0, 0, 0, 0}, count[4] = {1, 1, 1, 1}, times = 1;
    int first = dims - 3;
    if (error == NC_NOERR)
        error = nc_inq_vardimid(r->id, variable, ids);
    if (error == NC_NOERR && first == 1)
        error = nc_inq_dimlen(r->id, ids[0], &times);
    if (error != NC_NOERR || times == 0)
        return fail_nc(r, name, error != NC_NOERR ? error : NC_EINVALCOORDS);
    start[0] = first ? times - 1 : 0;
    count[first] = r->n[2];
    start[first + 1] = (size_t)r->cell[1];
    start[first + 2] = (size_t)r->cell[0];
    error = nc_get_vara_double(r->id, variable, start, count, out);
    return error == NC_NOERR ? STATUS_OK : fail_nc(r, name, error);
}

static int read_columns(reader *r)
{
    static const char *const names[FIELDS] = {"eastward_wind", "northward_wind",
                                              "turbulent_kinetic_energy", "eddy_viscosity",
                                              "height_above_ground"};
    int status = STATUS_OK;
    for (int f = 0; f < FIELDS && status == STATUS_OK; f++) {
        r->column[f] = malloc(r->n[2] * sizeof(double));
        status = r->column[f] ? read_column(r, names[f], r->column[f]) : fail_memory();
    }
    return status;
}

/* Heights and speeds of the cells in the air, and the values at the height between them. */
static int take(const reader *r, const double at[3], site_point *out)
{
    size_t first = 0, last = r->n[2];
    const double *height = r->column[HEIGHT];
    while (first < last &&
           !(height[first] > 0 && height[first] < 1e5)) /* fill values: under the ground */
        first++;
    box_profile *p = &out->profile;
    p->exponent = NAN;
    p->count = last - first;
    if (p->count < 2)
        return fail(STATUS_INPUT, "--at %g,%g: no air above the ground in %s", at[0], at[1],
                    r->path);
    for (size_t i = 0; i < p->count; i++) {
        p->height[i] = height[first + i];
        p->speed[i] = hypot(r->column[EAST][first + i], r->column[NORTH][first + i]);
        if (!(p->speed[i] < 200) || (i > 0 && !(p->height[i] > p->height[i - 1])))
            return fail(STATUS_INPUT,
                        "--site %s: the wind above %g,%g is damaged: write the file anew", r->path,
                        at[0], at[1]);
    }
    if (!(at[2] >= p->height[0] && at[2] <= p->height[p->count - 1]))
        return fail(STATUS_INPUT,
                    "--at %g,%g,%g: the height is outside of the cells' there: give %g to %g m",
                    at[0], at[1], at[2], p->height[0], p->height[p->count - 1]);
    size_t i = 1;
    while (i + 1 < p->count && p->height[i] < at[2])
        i++;
    double rise = p->height[i] - p->height[i - 1], t = (at[2] - p->height[i - 1]) / rise;
    const double *k = r->column[ENERGY] + first, *nu = r->column[VISCOSITY] + first;
    const double *east = r->column[EAST] + first, *north = r->column[NORTH] + first;
    double viscosity = nu[i - 1] + t * (nu[i] - nu[i - 1]);
    out->speed = p->speed[i - 1] + t * (p->speed[i] - p->speed[i - 1]);
    out->k = k[i - 1] + t * (k[i] - k[i - 1]);
    out->epsilon = C_MU * out->k * out->k / viscosity;
    out->balance = 1 / sqrt(C_MU);
    out->shear = hypot(east[i] - east[i - 1], north[i] - north[i - 1]) / rise;
    if (!(out->k > 1e-8 && out->k < 1e4 && viscosity > 1e-8 && viscosity < 1e6 && out->speed > 0.1))
        return fail(STATUS_INPUT,
                    "--at %g,%g,%g: speed %g m/s, k %g m2/s2, eddy viscosity %g m2/s: no "
                    "turbulence to make a box of",
                    at[0], at[1], at[2], out->speed, out->k, viscosity);
    return STATUS_OK;
}

/* What the process that reads leaves to this one. */
typedef struct share {
    const char *path;
    const double *at;
    site_point point;
    double height[MOST_HEIGHTS], speed[MOST_HEIGHTS];
} share;

static int read_all(void *data)
{
    share *s = data;
    reader r = {.path = s->path};
    int error = nc_open(r.path, NC_NOWRITE, &r.id), status = STATUS_OK;
    if (error != NC_NOERR)
        return fail_nc(&r, "cannot be read", error);
    for (int a = 0; a < 3 && status == STATUS_OK; a++)
        status = read_axis(&r, a);
    if (status == STATUS_OK)
        status = find_column(&r, s->at);
    if (status == STATUS_OK)
        status = read_columns(&r);
    s->point.profile.height = s->height;
    s->point.profile.speed = s->speed;
    if (status == STATUS_OK)
        status = take(&r, s->at, &s->point);
    nc_close(r.id);
    free(r.axis[0]);
    free(r.axis[1]);
    for (int f = 0; f < FIELDS; f++)
        free(r.column[f]);
    return status;
}

int site_read(const char *path, const double at[3], site_point *out)
{
    size_t size;
    int status = file_check_readable(path, &size);
    if (status != STATUS_OK)
        return status;
    share *s = guard_share(sizeof *s);
    if (!s)
        return fail_memory();
    s->path = path;
    s->at = at;
    status = guard_run(path, (size_t)1 << 30, read_all, s);
    *out = s->point;
    size_t count = out->profile.count;
    out->profile.height = malloc(MOST_HEIGHTS * sizeof(double));
    out->profile.speed = malloc(MOST_HEIGHTS * sizeof(double));
    if (status == STATUS_OK && (!out->profile.height || !out->profile.speed))
        status = fail_memory();
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        out->profile.height[i] = s->height[i];
        out->profile.speed[i] = s->speed[i];
    }
    guard_unshare(s, sizeof *s);
    if (status != STATUS_OK) {
        free(out->profile.height);
        free(out->profile.speed);
        out->profile = (box_profile){0};
    }
    return status;
}

#endif
