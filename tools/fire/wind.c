/* SPDX-License-Identifier: MIT */
/* The wind that drives the sides of the fire's box: constant, a logarithmic profile, or a file. */
#include "config.h"

#include "fire/fire.h"
#include "fire/wind_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EAST, NORTH, UP, MOST_SAMPLES = 33 };

struct fire_wind {
    fire_wind_spec spec;
    const fire_ground *ground;
    double reference_height, reference[3]; /* fire_wind_reference() */
    double at[3]; /* easting, northing, altitude in the file of the world's origin, m */
    double start; /* time in the file when it is 0 here, s */
    bool done;    /* it does not change any more */
    double speed;
    wind_file file; /* its header is NULL without one */
};

void fire_wind_close(fire_wind *w)
{
    if (!w)
        return;
    wind_file_close(&w->file);
    free(w);
}

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

/* Without a start the first time is when the fire begins. */
static int choose_start(fire_wind *w)
{
    const double *times = w->file.header->values[WIND_TIME],
                 last = times[w->file.header->count[WIND_TIME] - 1];
    w->start = w->spec.start_given ? w->spec.start : times[0];
    if (w->file.header->count[WIND_TIME] > 1 && w->start > last)
        return fail(STATUS_INPUT, "%s: ends at %.10g s, before the start at %.10g s: lower start",
                    w->spec.file, last, w->start);
    return STATUS_OK;
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

/* From the world to the file: easting = x, northing = -z, altitude = y, from `at` on.  Above and
 * below the file the nearest level holds. */
static int find_in_file(const fire_wind *w, const double p[3], double at[3])
{
    at[0] = w->at[0] + p[0];
    at[1] = w->at[1] - p[2];
    at[2] = w->at[2] + p[1];
    for (int a = 0; a < 2; a++) {
        const double *axis = w->file.header->values[a];
        const size_t count = w->file.header->count[a];
        double slack = 0.5 * (count > 1 ? axis[1] - axis[0] : 1);
        double low = axis[0] - slack, high = axis[count - 1] + slack;
        if (at[a] < low || at[a] > high)
            return fail(STATUS_INPUT,
                        "%s: reaches from %.10g to %.10g m towards %s, the fire's box to %.10g: "
                        "move it with at",
                        w->spec.file, low, high, a ? "north" : "east", at[a]);
    }
    return STATUS_OK;
}

/* All corners of the box lie in the file, before a device is asked. */
static int check_box(const fire_wind *w, const fire_scene *s)
{
    const foehn_fire_params params = fire_params_of(s, 0, 0);
    foehn_fire_info box = {.pose = params.pose};
    int status = STATUS_OK;
    memcpy(box.size, params.size, sizeof box.size);
    for (int corner = 0; corner < 8 && status == STATUS_OK; corner++) {
        const int n[3] = {2, 2, 2}, index[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        double p[3], at[3];
        place_of(&box, n, index, p);
        status = find_in_file(w, p, at);
    }
    return status;
}

int fire_wind_open(const fire_wind_spec *spec, const fire_scene *s, fire_wind **out)
{
    fire_wind *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return fail_memory();
    w->spec = *spec;
    w->ground = s->ground;
    w->speed = (double)s->params.speed;
    memcpy(w->at, spec->at, sizeof w->at);
    if (s->ground && !spec->at_given)
        fire_ground_place(s->ground, w->at);
    if (spec->file[0]) {
        int status = wind_file_open(w->spec.file, &w->file);
        if (status == STATUS_OK)
            status = choose_start(w);
        return status == STATUS_OK ? check_box(w, s) : status;
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
static void sample(const fire_wind *w, const double at[3], double later,
                   double out[WIND_COMPONENTS])
{
    double part[3];
    size_t first[3];
    for (int k = 0; k < 3; k++)
        first[k] = locate(w->file.header->values[k], w->file.header->count[k], at[k], &part[k]);
    memset(out, 0, WIND_COMPONENTS * sizeof *out);
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
        size_t c =
            (cell[2] * w->file.header->count[1] + cell[1]) * w->file.header->count[0] + cell[0];
        for (int k = 0; k < WIND_COMPONENTS; k++)
            out[k] += weight * (double)w->file.slices[corner >> 3][(size_t)k * w->file.cells + c];
    }
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

/* Samples over the box of the fire. */
static int resample(const fire_wind *w, const foehn_fire_info *info, double later, const int n[3],
                    float (*out)[3])
{
    size_t c = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, c++) {
                const int index[3] = {i, j, k};
                double p[3], at[3], value[WIND_COMPONENTS];
                place_of(info, n, index, p);
                CHECK(find_in_file(w, p, at));
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
    const double *times = w->file.header->values[WIND_TIME];
    const size_t time_count = w->file.header->count[WIND_TIME];
    size_t first = locate(times, time_count, w->start + time, &later);
    int status = wind_file_load(&w->file, 0, first);
    if (status == STATUS_OK)
        status = wind_file_load(&w->file, 1, first + (time_count > 1));
    int n[3];
    for (int k = 0; k < 3; k++) { /* as fine as the file, within reason; z is north, y is up */
        const double *axis = w->file.header->values[k ? 3 - k : 0];
        double spacing = w->file.header->count[k ? 3 - k : 0] > 1 ? axis[1] - axis[0] : INFINITY;
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
        double p[3], value[WIND_COMPONENTS];
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
    const fire_wind_spec *s = &w->spec;
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
    if (w->file.header)
        w->done = false;
}

int fire_wind_set(fire_wind *w, int count, foehn_fire *const *fires, double time)
{
    if (w->done)
        return STATUS_OK;
    if (w->file.header)
        return set_from_file(w, count, fires, time);
    if (w->spec.z0 > 0)
        return set_profile(w, count, fires);
    float velocity[1][3];
    double p[3];
    foehn_fire_info info;
    foehn_fire_get_info(fires[0], &info);
    reference_place(w, &info, p);
    memcpy(w->reference, w->spec.velocity, sizeof w->reference);
    for (int k = 0; k < 3; k++)
        velocity[0][k] = (float)(w->spec.velocity[k] / w->speed);
    const foehn_fire_wind wind = {1, 1, 1, (const float(*)[3])velocity};
    int status = STATUS_OK;
    for (int f = 0; f < count && status == STATUS_OK; f++)
        status = fail_library(foehn_fire_set_wind(fires[f], &wind));
    w->done = true;
    return status;
}
