/* SPDX-License-Identifier: MIT */
/* Figures of a whole field, and what its pressure solve left. */
#include "wind/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

foehn_status foehn_wind_set_measuring(foehn_wind *w, int on)
{
    TRY(foehn_context_wait(w->ctx));
    w->measured = false;
    w->measuring = on != 0;
    return w->model->measure ? w->model->measure(w, w->measuring) : FOEHN_OK;
}

/* The first value that is not finite, as an error that names step, cell and field. */
static foehn_status check_finite(const foehn_wind *w, const char *name, const float *values)
{
    size_t nx = (size_t)w->g.nx, ny = (size_t)w->g.ny, count = foehn_wind_cell_count(w);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return foehn_fail(FOEHN_ERROR_UNSTABLE,
                              "step %llu: %s = %g in cell (%zu, %zu, %zu): use a smaller step",
                              (unsigned long long)w->clock.step, name, (double)values[i], i % nx,
                              i / nx % ny, i / (nx * ny));
    return FOEHN_OK;
}

/* Speed and its scatter over all columns at 10 m above the ground. */
static foehn_status stats_at_10m(foehn_wind *w, foehn_wind_stats *stats)
{
    size_t nx = (size_t)w->g.nx, nz = (size_t)w->g.nz, count = nx * nz;
    double origin[3], sum = 0, squares = 0;
    double *points = malloc(count * 3 * sizeof *points);
    float *wind = malloc(count * 4 * sizeof *wind);
    foehn_status status = FOEHN_OK;
    if (!points || !wind) {
        status = foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu points", count);
        goto fail;
    }
    foehn_wind_origin(w, origin);
    for (size_t i = 0; i < count; i++) {
        points[3 * i] = origin[0] + ((double)(i % nx) + 0.5) * (double)w->g.hx;
        points[3 * i + 1] = 10;
        points[3 * i + 2] = origin[2] + ((double)(i / nx) + 0.5) * (double)w->g.hz;
    }
    TRY_OR_FAIL(foehn_wind_read_points(w, 0, count, points, wind));
    for (size_t i = 0; i < count; i++) {
        double u = (double)wind[4 * i], v = (double)wind[4 * i + 1], x = (double)wind[4 * i + 2];
        double square = u * u + v * v + x * x;
        sum += sqrt(square);
        squares += square;
    }
    stats->mean_speed_10m = sum / (double)count;
    double variance = squares / (double)count - stats->mean_speed_10m * stats->mean_speed_10m;
    stats->turbulence_intensity =
        stats->mean_speed_10m > 0 ? sqrt(fmax(variance, 0)) / stats->mean_speed_10m : 0;
    if (!w->means[0] || w->clock.samples < 2)
        goto fail;

    /* With a running mean the scatter is that in time. */
    TRY_OR_FAIL(foehn_wind_read_points(w, 1, count, points, wind));
    double intensity = 0;
    for (size_t i = 0; i < count; i++)
        intensity += (double)wind[4 * i + 3];
    stats->turbulence_intensity = intensity / (double)count;
fail:
    free(points);
    free(wind);
    return status;
}

foehn_status foehn_wind_read_stats(foehn_wind *w, foehn_wind_stats *stats)
{
    static const char *const names[3] = {"u", "v", "w"};
    size_t count = foehn_wind_cell_count(w);
    foehn_status status = FOEHN_OK;
    memset(stats, 0, sizeof *stats);
    float *squares = calloc(count, sizeof *squares);
    float *values = malloc(count * sizeof *values);
    if (!squares || !values) {
        status = foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
        goto fail;
    }
    for (int a = 0; a < 3; a++) {
        TRY_OR_FAIL(foehn_wind_read(w, (foehn_wind_field)a, values));
        TRY_OR_FAIL(check_finite(w, names[a], values));
        for (size_t i = 0; i < count; i++)
            squares[i] += values[i] * values[i];
    }
    for (size_t i = 0; i < count; i++)
        stats->max_speed = fmax(stats->max_speed, (double)squares[i]);
    stats->max_speed = sqrt(stats->max_speed);

    TRY_OR_FAIL(foehn_wind_read(w, FOEHN_WIND_SOLID, squares));
    TRY_OR_FAIL(foehn_wind_read(w, FOEHN_WIND_DIVERGENCE, values));
    size_t fluid = 0;
    for (size_t i = 0; i < count; i++) {
        double divergence = fabs((double)values[i]);
        fluid += squares[i] == 0;
        stats->mean_abs_divergence += divergence;
        stats->max_abs_divergence = fmax(stats->max_abs_divergence, divergence);
    }
    stats->mean_abs_divergence /= fluid ? (double)fluid : 1;
    TRY_OR_FAIL(stats_at_10m(w, stats));
    stats->pressure_residual = NAN;
    if (w->measured)
        status = w->model->residual(w, &stats->pressure_residual);
fail:
    free(squares);
    free(values);
    return status;
}
