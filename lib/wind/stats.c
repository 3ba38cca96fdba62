/* SPDX-License-Identifier: MIT */
/* Figures of a whole field, and what its pressure solve left. */
#include "domain/whole.h"
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

/* One's own cells of a field as foehn_wind_read() has it: [nz][ny][nx]. */
typedef struct own_cells {
    size_t nx, ny, nz, count;
    int x, z; /* the first one's place in the whole box */
} own_cells;

static own_cells own_of(const foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    own_cells c = {.nx = (size_t)(g->own_x1 - g->own_x0),
                   .ny = (size_t)g->ny,
                   .nz = (size_t)(g->own_z1 - g->own_z0),
                   .x = g->first_x + g->own_x0,
                   .z = g->first_z + g->own_z0};
    c.count = c.nx * c.ny * c.nz;
    return c;
}

static foehn_status read_own(foehn_wind *w, cl_mem buffer, float *out)
{
    const own_cells c = own_of(w);
    foehn_box box = foehn_grid_box(&w->g, sizeof(float));
    box.offset = foehn_grid_at(&w->g, w->g.own_x0, 0, w->g.own_z0);
    box.nx = c.nx;
    box.nz = c.nz;
    return foehn_box_read(w->ctx, buffer, box, out);
}

/* The first value that is not finite, as an error that names step, cell and field. */
static foehn_status check_finite(const foehn_wind *w, const char *name, const float *values)
{
    const own_cells c = own_of(w);
    for (size_t i = 0; i < c.count; i++)
        if (!isfinite(values[i]))
            return foehn_fail(FOEHN_ERROR_UNSTABLE,
                              "step %llu: %s = %g in cell (%zu, %zu, %zu): use a smaller step",
                              (unsigned long long)w->clock.step, name, (double)values[i],
                              (size_t)c.x + i % c.nx, i / c.nx % c.ny,
                              (size_t)c.z + i / (c.nx * c.ny));
    return FOEHN_OK;
}

/* A wind that has run away keeps finite numbers where its model holds speeds: more than a hundredth
 * of the cells beyond what its state can make. */
static foehn_status check_sound(const foehn_wind *w, const float *squares)
{
    const own_cells c = own_of(w);
    const double limit = w->model->soundest ? w->model->soundest(w) : 0;
    size_t beyond = 0, fastest = 0;
    if (!(limit > 0))
        return FOEHN_OK;
    for (size_t i = 0; i < c.count; i++) {
        beyond += (double)squares[i] > limit * limit;
        fastest = squares[i] > squares[fastest] ? i : fastest;
    }
    if (beyond * 100 <= c.count)
        return FOEHN_OK;
    return foehn_fail(
        FOEHN_ERROR_UNSTABLE,
        "step %llu: the wind has run away: %.3g m/s in cell (%zu, %zu, %zu), and more than %.3g in "
        "%.2g %% of all: raise the lid, or give cells whose sides differ less or smoother ground",
        (unsigned long long)w->clock.step, sqrt((double)squares[fastest]),
        (size_t)c.x + fastest % c.nx, fastest / c.nx % c.ny, (size_t)c.z + fastest / (c.nx * c.ny),
        limit, 100.0 * (double)beyond / (double)c.count);
}

/* Speed and its scatter over all columns at 10 m above the ground. */
static foehn_status stats_at_10m(foehn_wind *w, foehn_wind_stats *stats)
{
    size_t nx = (size_t)w->g.whole_x, count = foehn_wind_column_count(w);
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

/* Of a column. */
typedef struct column_figures {
    double divergence, most_divergence;
} column_figures;

/* The largest speed in one's own cells; fails where one is not finite or they have run away. */
static foehn_status largest_speed(foehn_wind *w, float *squares, float *values, double *most)
{
    static const char *const names[3] = {"u", "v", "w"};
    const size_t count = own_of(w).count;
    cl_mem velocity[3];
    TRY(foehn_wind_centers(w, velocity));
    for (int a = 0; a < 3; a++) {
        TRY(read_own(w, velocity[a], values));
        TRY(check_finite(w, names[a], values));
        for (size_t i = 0; i < count; i++)
            squares[i] += values[i] * values[i];
    }
    for (size_t i = 0; i < count; i++)
        *most = fmax(*most, (double)squares[i]);
    *most = sqrt(*most);
    return check_sound(w, squares);
}

static foehn_status figures_of_columns(foehn_wind *w, float *values, column_figures *columns)
{
    const own_cells c = own_of(w);
    cl_mem divergence;
    TRY(foehn_wind_refresh_ground(w));
    TRY(w->model->divergence(w, &divergence));
    TRY(read_own(w, divergence, values));
    for (size_t i = 0; i < c.count; i++) {
        column_figures *f = &columns[i / (c.nx * c.ny) * c.nx + i % c.nx];
        const double d = fabs((double)values[i]);
        f->divergence += d;
        f->most_divergence = fmax(f->most_divergence, d);
    }
    return FOEHN_OK;
}

/* By columns, then over columns: in an order that no cut changes. */
static foehn_status sum_columns(foehn_wind *w, column_figures *own, column_figures *all,
                                float *ground, foehn_wind_stats *stats)
{
    size_t fluid = 0;
    TRY(foehn_wind_read_ground(w, ground));
    if (w->part)
        TRY(foehn_whole_columns(w->part, sizeof *own, own, all));
    for (size_t i = 0; i < foehn_wind_column_count(w); i++) {
        const column_figures *f = w->part ? &all[i] : &own[i];
        for (int j = 0; j < w->g.ny; j++)
            fluid += !foehn_wind_is_solid(w, j, ground[i]);
        stats->mean_abs_divergence += f->divergence;
        stats->max_abs_divergence = fmax(stats->max_abs_divergence, f->most_divergence);
    }
    stats->mean_abs_divergence /= fluid ? (double)fluid : 1;
    return FOEHN_OK;
}

foehn_status foehn_wind_read_stats(foehn_wind *w, foehn_wind_stats *stats)
{
    const own_cells c = own_of(w);
    foehn_status status = FOEHN_OK;
    memset(stats, 0, sizeof *stats);
    float *squares = calloc(c.count, sizeof *squares);
    float *values = malloc(c.count * sizeof *values);
    column_figures *own = calloc(c.nx * c.nz, sizeof *own);
    column_figures *all = w->part ? calloc(foehn_wind_column_count(w), sizeof *all) : NULL;
    float *ground = malloc(foehn_wind_column_count(w) * sizeof *ground);
    if (!squares || !values || !own || !ground || (w->part && !all)) {
        status = foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", c.count);
        goto fail;
    }
    status = largest_speed(w, squares, values, &stats->max_speed);
    if (w->part) {
        TRY_OR_FAIL(foehn_domain_agree(w->part->domain, status));
        TRY_OR_FAIL(foehn_domain_max(w->part->domain, &stats->max_speed));
    }
    TRY_OR_FAIL(status);
    TRY_OR_FAIL(figures_of_columns(w, values, own));
    TRY_OR_FAIL(sum_columns(w, own, all, ground, stats));
    TRY_OR_FAIL(stats_at_10m(w, stats));
    stats->pressure_residual = NAN;
    if (w->measured && w->model->residual)
        status = w->model->residual(w, &stats->pressure_residual);
fail:
    free(squares);
    free(values);
    free(own);
    free(all);
    free(ground);
    return status;
}

foehn_status foehn_wind_get_progress(foehn_wind *w, foehn_wind_progress *progress)
{
    memset(progress, 0, sizeof *progress);
    progress->steps = w->clock.step;
    return w->model->progress
               ? w->model->progress(w, progress)
               : foehn_fail(FOEHN_ERROR_ARGUMENT,
                            "foehn_wind_get_progress needs the momentum model or the LES");
}
