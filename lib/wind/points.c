/* SPDX-License-Identifier: MIT */
/* The wind at points: heights above the ground, between columns. */
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
    foehn_size size = {(size_t)count, 1, 1}, local = {64, 1, 1};
    const cl_int of_mean = mean;
    return LAUNCH_LOCAL(w->ctx, w->kernel.points, size, local, ARG(w->g), ARG(floor_y),
                        ARG(of_mean), ARG(count), ARG(places), ARG(w->ground.z0),
                        ARG(w->ground.ground), ARG(u[0]), ARG(u[1]), ARG(u[2]), ARG(a), ARG(b),
                        ARG(out));
}

static foehn_status launch_turbulence(foehn_wind *w, bool mean, cl_int count, cl_mem places, cl_mem out)
{
    (void)mean;
    return w->model->turbulence_points(w, count, places, out);
}

/* `width` floats a point, by a launch on the device. */
static foehn_status read_at(foehn_wind *w, launcher *launch, bool mean, size_t width, size_t count,
                            const double *points, float *out)
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

foehn_status foehn_wind_read_points(foehn_wind *w, int mean, size_t count, const double *points,
                                    float *out)
{
    if (mean && !w->means[0])
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "there is no running mean: call foehn_wind_set_averaging() first");
    return read_at(w, launch_wind, mean != 0, 4, count, points, out);
}

foehn_status foehn_wind_read_turbulence(foehn_wind *w, size_t count, const double *points, float *out)
{
    if (!w->model->turbulence_points)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "turbulence at points is not there: the %s model has no turbulence closure",
                          w->model->name);
    return read_at(w, launch_turbulence, false, 2, count, points, out);
}
