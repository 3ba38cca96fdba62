/* SPDX-License-Identifier: MIT */
/* The wind at points: heights above the ground, between columns. */
#include "domain/whole.h"
#include "wind/model.h"

#include <stdlib.h>

/* Enqueue what writes `count` places' values. */
typedef foehn_status launcher(foehn_wind *w, bool mean, cl_int count, cl_mem places, cl_mem out);

static foehn_status launch_wind(foehn_wind *w, bool mean, cl_int count, cl_mem places, cl_mem out)
{
    if (!mean && w->model->points)
        return w->model->points(w, count, places, out);
    double origin[3];
    foehn_wind_origin(w, origin);
    float floor_y = (float)origin[1];
    cl_mem velocity[3];
    if (!mean)
        TRY(foehn_wind_centers(w, velocity));
    const cl_mem *u = mean ? &w->means[0] : velocity;
    const cl_mem a = mean ? w->means[3] : w->curl, b = mean ? w->means[4] : w->curl;
    /* One local size for any count: every size is compiled anew on PoCL. */
    foehn_size size = {(size_t)count, 1, 1}, local = {TUNED_POINTS, 1, 1};
    const cl_int of_mean = mean;
    const cl_float law_to = w->model->law_to ? w->model->law_to(w) : 0;
    return LAUNCH_LOCAL(w->ctx, w->kernel.points, size, local, ARG(w->g), ARG(floor_y), ARG(law_to),
                        ARG(of_mean), ARG(count), ARG(places), ARG(w->ground.z0),
                        ARG(w->ground.ground), ARG(u[0]), ARG(u[1]), ARG(u[2]), ARG(a), ARG(b),
                        ARG(out));
}

static foehn_status launch_turbulence(foehn_wind *w, bool mean, cl_int count, cl_mem places,
                                      cl_mem out)
{
    (void)mean;
    return w->model->turbulence_points(w, count, places, out);
}

/* `width` floats a point, by a launch on the device: those of the points that the window has. */
static foehn_status read_here(foehn_wind *w, launcher *launch, bool mean, size_t width,
                              size_t count, const double *points, float *out)
{
    if (count == 0)
        return FOEHN_OK;
    if (count > INT32_MAX / 4)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%zu points at once: at most %d", count,
                          INT32_MAX / 4);
    TRY(foehn_wind_refresh_ground(w));
    double origin[3];
    foehn_wind_origin(w, origin);
    wind_point *places = malloc(count * sizeof *places);
    if (!places)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu points", count);
    for (size_t i = 0; i < count; i++) {
        places[i].x = (float)((points[3 * i] - origin[0]) / (double)w->g.hx);
        places[i].height = (float)points[3 * i + 1];
        places[i].z = (float)((points[3 * i + 2] - origin[2]) / (double)w->g.hz);
    }
    cl_mem device_places = NULL, device_out = NULL;
    foehn_status status;
    TRY_OR_FAIL(foehn_buffer_create(w->ctx, count * sizeof *places, &device_places));
    TRY_OR_FAIL(foehn_buffer_create(w->ctx, count * width * sizeof(float), &device_out));
    TRY_OR_FAIL(foehn_buffer_write(w->ctx, device_places, 0, count * sizeof *places, places));
    TRY_OR_FAIL(launch(w, mean, (cl_int)count, device_places, device_out));
    TRY_OR_FAIL(foehn_buffer_read(w->ctx, device_out, 0, count * width * sizeof(float), out));
fail:
    foehn_buffer_destroy(w->ctx, &device_places);
    foehn_buffer_destroy(w->ctx, &device_out);
    free(places);
    return status;
}

/* The part whose column a place belongs to. */
static int part_of(const foehn_wind *w, const double origin[3], const double *point)
{
    const domain_cut *cut = &w->part->cut;
    const double at[2] = {(double)(float)((point[0] - origin[0]) / (double)w->g.hx) - 0.5,
                          (double)(float)((point[2] - origin[2]) / (double)w->g.hz) - 0.5};
    int block[2] = {0, 0};
    for (int a = 0; a < 2; a++)
        while (block[a] + 1 < cut->across[a] && !(at[a] < cut->at[a][block[a] + 1]))
            block[a]++;
    return block[1] * cut->across[0] + block[0];
}

/* Make all that points are read from on all parts, also on those that have none of them. */
static foehn_status prepare_parts(foehn_wind *w, bool mean)
{
    cl_mem velocity[3];
    TRY(foehn_wind_centers(w, velocity));
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    for (int n = 0, count = foehn_wind_means(w); mean && n < count; n += DOMAIN_FIELDS)
        TRY(foehn_part_share(w->part, &w->g, LAYERS_TO_READ,
                             count - n < DOMAIN_FIELDS ? count - n : DOMAIN_FIELDS, w->means + n));
    return FOEHN_OK;
}

/* Each part finds those in its columns, and all get all. */
static foehn_status read_in_parts(foehn_wind *w, launcher *launch, bool mean, size_t width,
                                  size_t count, const double *points, float *out)
{
    const int parts = w->part->parts;
    size_t own[DOMAIN_MOST_PARTS] = {0}, bytes[DOMAIN_MOST_PARTS], at[DOMAIN_MOST_PARTS], n = 0;
    double origin[3], *here = malloc(count * 3 * sizeof *here);
    int *part = malloc(count * sizeof *part);
    float *values = malloc(2 * count * width * sizeof *values), *all = values + count * width;
    foehn_status status =
        here && part && values
            ? FOEHN_OK
            : foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu points", count);
    foehn_wind_origin(w, origin);
    for (size_t i = 0; i < count && status == FOEHN_OK; i++) {
        part[i] = part_of(w, origin, points + 3 * i);
        own[part[i]]++;
        if (part[i] == w->part->part)
            memcpy(here + 3 * n++, points + 3 * i, 3 * sizeof *here);
    }
    if (status == FOEHN_OK)
        status = prepare_parts(w, mean);
    if (status == FOEHN_OK)
        status = read_here(w, launch, mean, width, n, here, values);
    for (int p = 0; p < parts; p++) {
        bytes[p] = own[p] * width * sizeof *values;
        at[p] = p == 0 ? 0 : at[p - 1] + own[p - 1];
    }
    if (status == FOEHN_OK)
        status = foehn_domain_gather_uneven(w->part->domain, bytes, values, all);
    for (size_t i = 0; i < count && status == FOEHN_OK; i++)
        memcpy(out + i * width, all + at[part[i]]++ * width, width * sizeof *out);
    free(here);
    free(part);
    free(values);
    return status;
}

static foehn_status read_at(foehn_wind *w, launcher *launch, bool mean, size_t width, size_t count,
                            const double *points, float *out)
{
    return w->part && count > 0 ? read_in_parts(w, launch, mean, width, count, points, out)
                                : read_here(w, launch, mean, width, count, points, out);
}

foehn_status foehn_wind_read_points(foehn_wind *w, int mean, size_t count, const double *points,
                                    float *out)
{
    if (mean && !w->means[0])
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "there is no running mean: call foehn_wind_set_averaging() first");
    return read_at(w, launch_wind, mean != 0, 4, count, points, out);
}

foehn_status foehn_wind_read_turbulence(foehn_wind *w, size_t count, const double *points,
                                        float *out)
{
    if (!w->model->turbulence_points)
        return foehn_fail(
            FOEHN_ERROR_ARGUMENT,
            "turbulence at points is not there: the %s model has no turbulence closure",
            w->model->name);
    const bool of_means = w->means[0] && w->model->has_products;
    return read_at(w, launch_turbulence, of_means, 2, count, points, out);
}
