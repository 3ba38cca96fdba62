/* SPDX-License-Identifier: MIT */
/* NetCDF-4 as hipersim reads and writes it: one variable [uvw][x][y][z].  hipersim takes each
 * attribute of a Mann box's variable for a parameter, so that there are no others; what else is to
 * be told lies on the axes and on the file. */
#include "config.h"

#include "box/command.h"

#ifndef HAVE_NETCDF

const box_format box_netcdf = {.extension = "nc", .what = "NetCDF", .package = "libnetcdf-dev"};

#else

#include "file.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

/* The first error stays, so that definitions read as a list. */
typedef struct writer {
    int id, error;
} writer;

static void check(writer *w, int error)
{
    w->error = w->error == NC_NOERR ? error : w->error;
}

static void put_text(writer *w, int variable, const char *name, const char *text)
{
    check(w, nc_put_att_text(w->id, variable, name, strlen(text), text));
}

static void put_number(writer *w, int variable, const char *name, double value)
{
    check(w, nc_put_att_double(w->id, variable, name, NC_DOUBLE, 1, &value));
}

static void put_whole(writer *w, int variable, const char *name, size_t count,
                      const long long *values)
{
    check(w, nc_put_att_longlong(w->id, variable, name, NC_INT64, count, values));
}

static void put_axis(writer *w, const box_result *r, int axis, int dim)
{
    static const char *const names[] = {"x", "y", "z"};
    static const char *const told[] = {"along the mean wind: what lies at large x passes first",
                                       "to the left of who looks along the wind",
                                       "up, from the lowest points"};
    int variable = -1;
    check(w, nc_def_var(w->id, names[axis], NC_DOUBLE, 1, &dim, &variable));
    put_text(w, variable, "units", "m");
    put_text(w, variable, "long_name", told[axis]);
    for (size_t i = 0; i < (size_t)r->b.n[axis]; i++) {
        double at = (double)i * r->b.d[axis];
        check(w, nc_put_var1_double(w->id, variable, &i, &at));
    }
}

/* Along z, coordinates that are no axes. */
static void put_heights(writer *w, const box_result *r, int dim)
{
    int height = -1, mean = -1;
    check(w, nc_def_var(w->id, "height", NC_DOUBLE, 1, &dim, &height));
    put_text(w, height, "units", "m");
    put_text(w, height, "standard_name", "height");
    check(w, nc_def_var(w->id, "mean_speed", NC_DOUBLE, 1, &dim, &mean));
    put_text(w, mean, "units", "m s-1");
    put_text(w, mean, "long_name", "mean wind, which is to be added to u");
    for (int k = 0; k < r->b.n[2]; k++) {
        size_t at = (size_t)k;
        double value = box_height(r, k), speed = r->mean[k];
        check(w, nc_put_var1_double(w->id, height, &at, &value));
        check(w, nc_put_var1_double(w->id, mean, &at, &speed));
    }
}

static void describe(writer *w, const box_result *r, int wind)
{
    const long long seed = (long long)r->o->seed, compensated = r->mann.points;
    const long long doubled[3] = {!r->b.periodic[0], !r->b.periodic[1], !r->b.periodic[2]};
    put_text(w, wind, "name", "wind");
    put_text(w, wind, "Generator", "foehn");
    if (r->model == BOX_MANN) {
        put_number(w, wind, "alphaepsilon", r->mann.energy);
        put_number(w, wind, "L", r->mann.length);
        put_number(w, wind, "Gamma", r->mann.gamma);
        put_whole(w, wind, "HighFreqComp", 1, &compensated);
        put_whole(w, wind, "seed", 1, &seed);
        put_whole(w, wind, "double_xyz", 3, doubled);
    } else {
        put_text(w, wind, "units", "m s-1");
        put_whole(w, NC_GLOBAL, "seed", 1, &seed);
        for (int c = 0; c < 3; c++) {
            char name[32];
            snprintf(name, sizeof name, "sigma_%c", "uvw"[c]);
            put_number(w, NC_GLOBAL, name, r->kaimal.sigma[c]);
        }
    }
    put_text(w, NC_GLOBAL, "Conventions", "CF-1.8");
    put_text(w, NC_GLOBAL, "title",
             r->model == BOX_MANN ? "Turbulence of Mann's tensor"
                                  : "Turbulence of Kaimal's spectra");
    put_text(w, NC_GLOBAL, "comment",
             "wind: u, v, w less the mean wind, m/s; the mean wind along u is mean_speed");
    put_text(w, NC_GLOBAL, "history", r->command);
    put_number(w, NC_GLOBAL, "speed_at_hub", r->o->speed);
    put_number(w, NC_GLOBAL, "hub_height", r->o->hub);
}

static int write_netcdf(const box_result *r, const char *path)
{
    const char *temporary;
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    writer w = {-1, NC_NOERR};
    check(&w, nc_create(temporary, NC_NETCDF4 | NC_CLOBBER, &w.id));
    int dims[4], wind = -1, names = -1;
    check(&w, nc_def_dim(w.id, "uvw", 3, &dims[0]));
    for (int a = 0; a < 3; a++) {
        static const char *const axes[] = {"x", "y", "z"};
        check(&w, nc_def_dim(w.id, axes[a], (size_t)r->b.n[a], &dims[a + 1]));
    }
    check(&w, nc_def_var(w.id, "uvw", NC_STRING, 1, dims, &names));
    check(&w, nc_def_var(w.id, "wind", NC_FLOAT, 4, dims, &wind));
    put_text(&w, wind, "coordinates", "height mean_speed");
    describe(&w, r, wind);
    const char *components[3] = {"u", "v", "w"};
    check(&w, nc_put_var_string(w.id, names, components));
    for (int a = 0; a < 3; a++)
        put_axis(&w, r, a, dims[a + 1]);
    put_heights(&w, r, dims[3]);
    for (size_t c = 0; c < 3; c++) {
        size_t start[4] = {c, 0, 0, 0},
               count[4] = {1, (size_t)r->b.n[0], (size_t)r->b.n[1], (size_t)r->b.n[2]};
        check(&w, nc_put_vara_float(w.id, wind, start, count, r->b.component[c]));
    }
    if (w.id >= 0 && w.error == NC_NOERR)
        check(&w, nc_close(w.id));
    if (w.error == NC_NOERR)
        return file_commit(temporary);
    leave_unclosed();
    status = fail(STATUS_FAILED, "%s: cannot be written: %s: is the disk full?", path,
                  nc_strerror(w.error));
    file_discard(temporary);
    return status;
}

const box_format box_netcdf = {.extension = "nc", .what = "NetCDF", .write = write_netcdf};

#endif
