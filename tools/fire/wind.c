/* SPDX-License-Identifier: MIT */
/* The wind that drives the sides of the fire's box: constant, a logarithmic profile, or a NetCDF
 * file of foehn wind. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

enum { EAST, NORTH, UP, COMPONENTS, MOST_SAMPLES = 33 };

enum { TIME = 3, AXES = 4, MOST_ON_AXIS = 1000000 };

/* What a file says of itself, as the process that reads it puts it into shared memory. */
typedef struct wind_header {
    int variables[COMPONENTS];
    float fill[COMPONENTS];
    double scale[COMPONENTS], offset[COMPONENTS]; /* m/s of a number of the file, and of 0 */
    size_t count[AXES];                           /* of east, north, up, and of times */
    double values[AXES][MOST_ON_AXIS];            /* centres of cells, m; s */
} wind_header;

struct fire_wind {
    const fire_wind_spec *spec;
    const fire_ground *ground;
    double reference_height, reference[3]; /* fire_wind_reference() */
    double at[3]; /* easting, northing, altitude in the file of the world's origin, m */
    double start; /* time in the file when it is 0 here, s */
    bool done;    /* it does not change any more */
    double speed;
    size_t bytes;        /* of the file */
    wind_header *header; /* shared; NULL: no file */
    size_t cells;
    float *slices[2]; /* shared; of two neighbouring times, [component][up][north][east] */
    size_t loaded[2]; /* number of the time + 1; 0: none */
};

void fire_wind_close(fire_wind *w)
{
    if (!w)
        return;
    guard_unshare(w->header, sizeof *w->header);
    for (int n = 0; n < 2; n++)
        guard_unshare(w->slices[n], COMPONENTS * w->cells * sizeof(float));
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

/* A process of its own does a piece of work on the file. */
typedef struct wind_job {
    fire_wind *w;
    int file; /* of NetCDF */
    int slot;
    size_t time;
} wind_job;

static int unreadable(const wind_job *j, const char *what, int error)
{
    return fail(STATUS_INPUT, "%s: %s cannot be read: %s: give a .nc file of foehn wind",
                j->w->spec->file, what, nc_strerror(error));
}

static int open_netcdf(wind_job *j)
{
    int error = nc_open(j->w->spec->file, NC_NOWRITE, &j->file);
    if (error == NC_NOERR)
        return STATUS_OK;
    return fail(STATUS_INPUT, "%s: cannot be read: %s", j->w->spec->file, nc_strerror(error));
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
        return fail(STATUS_INPUT, "%s: %s is not over %s, as numbers", j->w->spec->file, name,
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
               : fail(STATUS_INPUT, "%s: %s is in %s: must be in %s", j->w->spec->file, name, units,
                      time     ? "s"
                      : length ? "m"
                               : "m s-1");
}

/* A coordinate, over the dimension of its own name. */
static int read_axis(const wind_job *j, int axis)
{
    static const char *const names[AXES] = {"x", "y", "z", "time"};
    const char *name = names[axis];
    size_t *count = &j->w->header->count[axis];
    int dimension, variable, status = find_variable(j, name, 1, &name, &variable);
    if (status != STATUS_OK)
        return status;
    int error = nc_inq_dimid(j->file, name, &dimension);
    if (error == NC_NOERR)
        error = nc_inq_dimlen(j->file, dimension, count);
    if (error == NC_NOERR && (*count < 1 || *count > MOST_ON_AXIS))
        return fail(STATUS_INPUT, "%s: %s has %zu values", j->w->spec->file, name, *count);
    const size_t start = 0;
    double *values = j->w->header->values[axis], factor;
    if (error == NC_NOERR)
        error = nc_get_vara_double(j->file, variable, &start, count, values);
    if (error != NC_NOERR)
        return unreadable(j, name, error);
    status = check_units(j, name, variable, axis == TIME, &factor);
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
    return fail(STATUS_INPUT, "%s: %s of %s is not one number", j->w->spec->file, attribute, name);
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
    static const char *const names[2][COMPONENTS] = {
        {"x_wind", "y_wind", "upward_air_velocity"},
        {"eastward_wind", "northward_wind", "upward_air_velocity"}};
    static const char *const dimension_names[4] = {"time", "z", "y", "x"};
    wind_header *h = j->w->header;
    int ignored, true_north = nc_inq_varid(j->file, "x_wind", &ignored) != NC_NOERR;
    int status = STATUS_OK;
    for (int k = 0; k < COMPONENTS && status == STATUS_OK; k++) {
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
    for (int axis = TIME; axis >= 0 && status == STATUS_OK; axis--)
        status = read_axis(j, axis);
    if (status == STATUS_OK)
        status = find_variables(j);
    nc_close(j->file);
    return status;
}

/* Numbers that came from the file are looked at on this side. */
static int check_header(const fire_wind *w)
{
    static const char *const names[AXES] = {"x", "y", "z", "time"};
    const wind_header *h = w->header;
    for (int axis = 0; axis < AXES; axis++) {
        const double *v = h->values[axis];
        if (h->count[axis] < 1 || h->count[axis] > MOST_ON_AXIS)
            return fail(STATUS_INPUT, "%s: %s has %zu values", w->spec->file, names[axis],
                        h->count[axis]);
        for (size_t i = 0; i < h->count[axis]; i++)
            if (!isfinite(v[i]) || (i > 0 && !(v[i] > v[i - 1])))
                return fail(STATUS_INPUT,
                            "%s: %s does not grow at its value %zu: turn it round (ncpdq -a -%s)",
                            w->spec->file, names[axis], i + 1, names[axis]);
    }
    /* No file packs a number into less than a thousandth of its bytes: what says more is empty. */
    const size_t *n = h->count;
    if ((double)n[0] * (double)n[1] * (double)n[2] * sizeof(float) > 1100.0 * (double)w->bytes)
        return fail(STATUS_INPUT, "%s: %zu x %zu x %zu cells, more than there can be in %zu bytes",
                    w->spec->file, n[0], n[1], n[2], w->bytes);
    return STATUS_OK;
}

static size_t memory_for(const fire_wind *w)
{
    const size_t library = (size_t)1 << 29;
    return library + 16 * w->bytes;
}

static int open_file(fire_wind *w)
{
    int status =
        file_check_readable(w->spec->file, &w->bytes); /* nc_open() would go to the net for a URL */
    if (status != STATUS_OK)
        return status;
    w->header = guard_share(sizeof *w->header);
    if (!w->header)
        return fail_memory();
    status = guard_run(w->spec->file, memory_for(w), read_header, &(wind_job){.w = w});
    if (status == STATUS_OK)
        status = check_header(w);
    if (status != STATUS_OK)
        return status;
    w->cells = w->header->count[0] * w->header->count[1] * w->header->count[2];
    for (int n = 0; n < 2; n++)
        if (!(w->slices[n] = guard_share(COMPONENTS * w->cells * sizeof(float))))
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
    for (int k = 0; k < COMPONENTS && status == STATUS_OK; k++) {
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

static int load(fire_wind *w, int slot, size_t time)
{
    if (w->loaded[slot] == time + 1)
        return STATUS_OK;
    int status = guard_run(w->spec->file, memory_for(w), read_slice,
                           &(wind_job){.w = w, .slot = slot, .time = time});
    if (status == STATUS_OK)
        w->loaded[slot] = time + 1;
    return status;
}

#endif

int fire_wind_read(yaml_at at, const fire_scene *s, fire_wind_spec *w)
{
    static const char *const keys[] = {"velocity", "height", "z0", "file", "at", "start", NULL};
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "wind", keys));
    yaml_at velocity = yaml_get(at, "velocity"), file = yaml_get(at, "file");
    yaml_at height = yaml_get(at, "height"), z0 = yaml_get(at, "z0");
    if ((velocity.node != 0) == (file.node != 0))
        return yaml_fail(at, "wind: give a velocity or a file");
    if (velocity.node && (yaml_get(at, "at").node || yaml_get(at, "start").node))
        return yaml_fail(at, "wind: at and start are for files");
    if ((height.node != 0) != (z0.node != 0) || (file.node && z0.node))
        return yaml_fail(at, "wind: a velocity at a height has a z0, the roughness length, too");
    CHECK(yaml_numbers(velocity, "velocity", 3, w->velocity));
    for (int k = 0; k < 3; k++)
        if (fabs(w->velocity[k]) > 100)
            return yaml_fail(velocity, "velocity: %g is out of range: up to 100 m/s",
                             w->velocity[k]);
    CHECK(yaml_number(z0, "z0", 1e-5, 10, &w->z0));
    CHECK(yaml_number(height, "height", 2 * w->z0, 1000, &w->height));
    CHECK(fire_scene_path(file, "file", s, w->file));
    if (velocity.node)
        w->file[0] = 0;
    w->at_given = yaml_get(at, "at").node != 0;
    CHECK(yaml_numbers(yaml_get(at, "at"), "at", 3, w->at));
    w->start_given = yaml_get(at, "start").node != 0;
    return yaml_number(yaml_get(at, "start"), "start", 0, 1e11, &w->start);
}

/* Times that are dates are counted from the first one. */
static int choose_start(fire_wind *w)
{
    const double longest = 1e7; /* s: of a simulation that begins at 0 */
    const double *times = w->header->values[TIME], last = times[w->header->count[TIME] - 1];
    w->start = w->spec->start_given || times[0] < longest ? w->spec->start : times[0];
    if (w->header->count[TIME] > 1 && w->start > last)
        return fail(STATUS_INPUT, "%s: ends at %.10g s, before the start at %.10g s: lower start",
                    w->spec->file, last, w->start);
    return STATUS_OK;
}

int fire_wind_open(const fire_wind_spec *spec, const fire_scene *s, fire_wind **out)
{
    fire_wind *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return fail_memory();
    w->spec = spec;
    w->ground = s->ground;
    w->speed = (double)s->params.speed;
    memcpy(w->at, spec->at, sizeof w->at);
    if (s->ground && !spec->at_given)
        fire_ground_place(s->ground, w->at);
    if (spec->file[0]) {
        int status = open_file(w);
        return status == STATUS_OK ? choose_start(w) : status;
    }
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
        first[k] = locate(w->header->values[k], w->header->count[k], at[k], &part[k]);
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
        size_t c = (cell[2] * w->header->count[1] + cell[1]) * w->header->count[0] + cell[0];
        for (int k = 0; k < COMPONENTS; k++)
            out[k] += weight * (double)w->slices[corner >> 3][(size_t)k * w->cells + c];
    }
}

/* Where sample (i, j, k) of n is in the world. */
static void place_of(const foehn_fire_info *info, const int n[3], const int index[3], double p[3])
{
    for (int a = 0; a < 3; a++)
        p[a] = info->size[a] * ((double)index[a] / (n[a] - 1) - 0.5);
    fire_rotate(info->pose.rotation, p, p);
    for (int a = 0; a < 3; a++)
        p[a] += info->pose.position[a];
}

/* Where the wind that a fire is told by is: 10 m above the ground in the middle of the box, or less
 * where the box is lower. */
static void reference_place(fire_wind *w, const foehn_fire_info *info, double p[3])
{
    double x = info->pose.position[0], z = info->pose.position[2];
    double ground = w->ground ? fire_ground_height(w->ground, x, z, 0) : 0;
    w->reference_height = fmin(10, info->pose.position[1] + 0.5 * info->size[1] - ground);
    p[0] = x;
    p[1] = ground + w->reference_height;
    p[2] = z;
}

void fire_wind_reference(const fire_wind *w, double *height, double velocity[3])
{
    *height = w->reference_height;
    memcpy(velocity, w->reference, sizeof w->reference);
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
                place_of(info, n, index, p);
                const double at[3] = {w->at[0] + p[0], w->at[1] - p[2], w->at[2] + p[1]};
                for (int a = 0; a < 2; a++) { /* above and below, the nearest level holds */
                    const double *axis = w->header->values[a];
                    const size_t count = w->header->count[a];
                    double slack = 0.5 * (count > 1 ? axis[1] - axis[0] : 1);
                    double low = axis[0] - slack, high = axis[count - 1] + slack;
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
    const double *times = w->header->values[TIME];
    const size_t time_count = w->header->count[TIME];
    size_t first = locate(times, time_count, w->start + time, &later);
    int status = load(w, 0, first);
    if (status == STATUS_OK)
        status = load(w, 1, first + (time_count > 1));
    int n[3];
    for (int k = 0; k < 3; k++) { /* as fine as the file, within reason; z is north, y is up */
        const double *axis = w->header->values[k ? 3 - k : 0];
        double spacing = w->header->count[k ? 3 - k : 0] > 1 ? axis[1] - axis[0] : INFINITY;
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
    if (status == STATUS_OK) {
        double p[3], value[COMPONENTS];
        reference_place(w, &info, p);
        sample(w, (const double[3]){w->at[0] + p[0], w->at[1] - p[2], w->at[2] + p[1]}, later,
               value);
        memcpy(w->reference, (const double[3]){value[EAST], value[UP], -value[NORTH]},
               sizeof w->reference);
    }
    w->done = time_count == 1 || w->start + time >= times[time_count - 1];
    return status;
}

/* u ln(z / z0) / ln(height / z0) of the height z above the ground, 0 below z0. */
static int set_profile(fire_wind *w, int count, foehn_fire *const *fires)
{
    enum { N = MOST_SAMPLES };
    const int n[3] = {N, 2 * N - 1, N};
    const fire_wind_spec *s = w->spec;
    foehn_fire_info info;
    foehn_fire_get_info(fires[0], &info);
    float(*velocity)[3] = calloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2], sizeof *velocity);
    if (!velocity)
        return fail_memory();
    size_t c = 0;
    double p[3];
    reference_place(w, &info, p);
    for (int a = 0; a < 3; a++)
        w->reference[a] =
            s->velocity[a] * log(fmax(w->reference_height / s->z0, 1)) / log(s->height / s->z0);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, c++) {
                place_of(&info, n, (const int[3]){i, j, k}, p);
                double ground = w->ground ? fire_ground_height(w->ground, p[0], p[2], 0) : 0;
                double share = log(fmax((p[1] - ground) / s->z0, 1)) / log(s->height / s->z0);
                for (int a = 0; a < 3; a++)
                    velocity[c][a] = (float)(share * s->velocity[a] / w->speed);
            }
    const foehn_fire_wind wind = {n[0], n[1], n[2], (const float(*)[3])velocity};
    int status = STATUS_OK;
    for (int f = 0; f < count && status == STATUS_OK; f++)
        status = fail_library(foehn_fire_set_wind(fires[f], &wind));
    free(velocity);
    w->done = true;
    return status;
}

void fire_wind_moved(fire_wind *w)
{
    if (w->header)
        w->done = false;
}

int fire_wind_set(fire_wind *w, int count, foehn_fire *const *fires, double time)
{
    if (w->done)
        return STATUS_OK;
    if (w->header)
        return set_from_file(w, count, fires, time);
    if (w->spec->z0 > 0)
        return set_profile(w, count, fires);
    float velocity[1][3];
    double p[3];
    foehn_fire_info info;
    foehn_fire_get_info(fires[0], &info);
    reference_place(w, &info, p);
    memcpy(w->reference, w->spec->velocity, sizeof w->reference);
    for (int k = 0; k < 3; k++)
        velocity[0][k] = (float)(w->spec->velocity[k] / w->speed);
    const foehn_fire_wind wind = {1, 1, 1, (const float(*)[3])velocity};
    int status = STATUS_OK;
    for (int f = 0; f < count && status == STATUS_OK; f++)
        status = fail_library(foehn_fire_set_wind(fires[f], &wind));
    w->done = true;
    return status;
}
