/* SPDX-License-Identifier: MIT */
/* Reading the wind: fields, points, statistics, checkpoints, publication. */
#include "wind/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void foehn_wind_get_info(const foehn_wind *w, foehn_wind_info *info)
{
    memset(info, 0, sizeof *info);
    info->nx = w->g.nx;
    info->ny = w->g.ny;
    info->nz = w->g.nz;
    info->spacing[0] = (double)w->g.hx;
    info->spacing[1] = (double)w->g.hy;
    info->spacing[2] = (double)w->g.hz;
    foehn_wind_origin(w, info->origin);
    info->extent[0] = w->g.nx * info->spacing[0];
    info->extent[1] = w->g.ny * info->spacing[1];
    info->extent[2] = w->g.nz * info->spacing[2];
    info->step = w->clock.step;
    info->time = w->clock.time;
    info->gusts = w->clock.gusts.count;
    info->gusts_so_far = w->clock.gusts.total;
    info->samples = w->clock.samples;
    info->memory_bytes = w->memory;
}

int foehn_wind_get_gusts(const foehn_wind *w, int capacity, foehn_gust *gusts)
{
    for (int i = 0; i < w->clock.gusts.count && i < capacity; i++) {
        const struct foehn_band *b = &w->clock.gusts.bands[i];
        gusts[i] = (foehn_gust){(float)b->position, (float)b->strength, (float)b->speed,
                                (float)b->width, {(float)b->dx, (float)b->dz}};
    }
    return w->clock.gusts.count;
}

static size_t cell_count(const foehn_wind *w)
{
    return (size_t)w->g.nx * (size_t)w->g.ny * (size_t)w->g.nz;
}

static foehn_status read_cells(foehn_wind *w, cl_mem field, float *out)
{
    return foehn_box_read(w->ctx, field, foehn_grid_box(&w->g, sizeof(float)), out);
}

static foehn_status write_cells(foehn_wind *w, cl_mem field, const float *in)
{
    return foehn_box_write(w->ctx, field, foehn_grid_box(&w->g, sizeof(float)), in);
}

static foehn_status read_solid(foehn_wind *w, float *out)
{
    /* The bytes go into the tail of the floats and are expanded front to back. */
    size_t count = cell_count(w);
    unsigned char *bytes = (unsigned char *)out + count * (sizeof *out - 1);
    TRY(foehn_box_read(w->ctx, w->ground.open, foehn_grid_box(&w->g, 1), bytes));
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = bytes[i];
        out[i] = byte & CELL_SOLID ? 1.0f : 0.0f;
    }
    return FOEHN_OK;
}

static foehn_status read_std_speed(foehn_wind *w, float *out)
{
    size_t count = cell_count(w);
    float *mean = malloc(count * sizeof *mean);
    if (!mean)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
    foehn_status status = read_cells(w, w->means[3], mean);
    if (status == FOEHN_OK)
        status = read_cells(w, w->means[4], out);
    for (size_t i = 0; status == FOEHN_OK && i < count; i++)
        out[i] = sqrtf(fmaxf(out[i] - mean[i] * mean[i], 0));
    free(mean);
    return status;
}

/* The buffer behind a field that is stored as it is read; NULL for the others. */
static cl_mem stored(const foehn_wind *w, foehn_wind_field field)
{
    switch (field) {
    case FOEHN_WIND_U:
    case FOEHN_WIND_V:
    case FOEHN_WIND_W: return w->velocity[w->now][field - FOEHN_WIND_U];
    case FOEHN_WIND_PRESSURE:
        return foehn_wind_is_staggered(w) ? foehn_pressure_field(w->solver)
                                          : w->pressure[w->now_p];
    case FOEHN_WIND_CURL: return w->curl;
    case FOEHN_WIND_MEAN_U:
    case FOEHN_WIND_MEAN_V:
    case FOEHN_WIND_MEAN_W:
    case FOEHN_WIND_MEAN_SPEED: return w->means[field - FOEHN_WIND_MEAN_U];
    case FOEHN_WIND_DIVERGENCE:
    case FOEHN_WIND_STD_SPEED:
    case FOEHN_WIND_SOLID: return NULL;
    }
    return NULL;
}

foehn_status foehn_wind_read(foehn_wind *w, foehn_wind_field field, float *out)
{
    if (field > FOEHN_WIND_STD_SPEED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d is unknown", (int)field);
    if (field >= FOEHN_WIND_MEAN_U && !w->means[0])
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "there is no running mean: call foehn_wind_set_averaging() first");
    if (field == FOEHN_WIND_DIVERGENCE || field == FOEHN_WIND_SOLID)
        TRY(foehn_wind_refresh_ground(w));
    if (field == FOEHN_WIND_DIVERGENCE) {
        cl_mem divergence;
        TRY(foehn_wind_divergence(w, &divergence));
        return read_cells(w, divergence, out);
    }
    if (field <= FOEHN_WIND_W) {
        cl_mem velocity[3];
        TRY(foehn_wind_centers(w, velocity));
        return read_cells(w, velocity[field - FOEHN_WIND_U], out);
    }
    if (field == FOEHN_WIND_SOLID)
        return read_solid(w, out);
    if (field == FOEHN_WIND_STD_SPEED)
        return read_std_speed(w, out);
    return read_cells(w, stored(w, field), out);
}

/* Faces take the mean of the two cells that share them, an edge face that of its cell (of both ends
 * where the box is periodic), and floor and lid 0. */
static foehn_status write_faces(foehn_wind *w, int axis, const float *in)
{
    const size_t n[3] = {(size_t)w->g.nx, (size_t)w->g.ny, (size_t)w->g.nz};
    const size_t strides[3] = {1, n[0], n[0] * n[1]};
    size_t m[3] = {n[0], n[1], n[2]};
    m[axis]++;
    float *faces = malloc(m[0] * m[1] * m[2] * sizeof *faces);
    if (!faces)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of faces");
    bool wraps = foehn_wind_is_periodic(w) && axis != 1;
    for (size_t k = 0; k < m[2]; k++)
        for (size_t j = 0; j < m[1]; j++)
            for (size_t i = 0; i < m[0]; i++) {
                size_t at[3] = {i, j, k};
                size_t upper = at[axis], lower = at[axis];
                bool edge = upper == 0 || upper == n[axis];
                upper = upper == n[axis] ? (wraps ? 0 : n[axis] - 1) : upper;
                lower = lower == 0 ? (wraps ? n[axis] - 1 : 0) : lower - 1;
                at[axis] = 0;
                const float *base = in + i * (axis != 0) + strides[1] * at[1] + strides[2] * at[2];
                float mean = 0.5f * (base[upper * strides[axis]] + base[lower * strides[axis]]);
                faces[(k * m[1] + j) * m[0] + i] = axis == 1 && edge ? 0 : mean;
            }
    foehn_box box = foehn_grid_box(&w->g, sizeof(float));
    box.nx = m[0];
    box.ny = m[1];
    box.nz = m[2];
    foehn_status status = foehn_box_write(w->ctx, w->velocity[w->now][axis], box, faces);
    free(faces);
    return status == FOEHN_OK ? foehn_wind_wrap(w, w->velocity[w->now][axis]) : status;
}

foehn_status foehn_wind_write(foehn_wind *w, foehn_wind_field field, const float *in)
{
    if (field > FOEHN_WIND_CURL)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d cannot be written", (int)field);
    if (foehn_wind_is_staggered(w) && field <= FOEHN_WIND_W)
        return write_faces(w, (int)(field - FOEHN_WIND_U), in);
    TRY(write_cells(w, stored(w, field), in));
    return foehn_wind_wrap(w, stored(w, field));
}

foehn_status foehn_wind_read_ground(foehn_wind *w, float *out)
{
    TRY(foehn_wind_refresh_ground(w));
    foehn_box box = {
        .nx = (size_t)w->g.nx,
        .ny = (size_t)w->g.nz,
        .nz = 1,
        .element = sizeof(float),
        .offset = (size_t)w->g.sy + 8,
        .row_pitch = (size_t)w->g.sy,
        .plane_pitch = (size_t)w->g.sy * (size_t)(w->g.nz + 2),
    };
    return foehn_box_read(w->ctx, w->ground.ground, box, out);
}

static void destroy_means(foehn_wind *w)
{
    for (int i = 0; i < WIND_MEANS; i++)
        foehn_buffer_destroy(w->ctx, &w->means[i]);
}

foehn_status foehn_wind_set_averaging(foehn_wind *w, int on)
{
    TRY(foehn_context_wait(w->ctx));
    destroy_means(w);
    w->clock.samples = 0;
    if (!on)
        return FOEHN_OK;
    uint64_t bytes = foehn_grid_elements(&w->g) * sizeof(float);
    TRY(foehn_memory_check(w->ctx, "a running mean", WIND_MEANS * bytes, bytes));
    for (int i = 0; i < WIND_MEANS; i++) {
        foehn_status status = foehn_field_create(w->ctx, &w->g, sizeof(float), &w->means[i]);
        if (status != FOEHN_OK) {
            destroy_means(w);
            return status;
        }
    }
    return FOEHN_OK;
}

foehn_status foehn_wind_set_measuring(foehn_wind *w, int on)
{
    TRY(foehn_context_wait(w->ctx));
    w->measured = false;
    w->measuring = on != 0;
    if (foehn_wind_is_staggered(w))
        return FOEHN_OK;
    for (int i = 0; i < 2; i++) {
        foehn_buffer_destroy(w->ctx, &w->rows[i]);
        if (on)
            TRY(foehn_buffer_create(w->ctx, (size_t)w->g.ny * (size_t)w->g.nz * sizeof(float),
                                    &w->rows[i]));
    }
    return FOEHN_OK;
}

static foehn_status launch_points(foehn_wind *w, cl_int mean, cl_int count, cl_mem places,
                                  cl_mem out)
{
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
    return LAUNCH_LOCAL(w->ctx, w->kernel.points, size, local, ARG(w->g), ARG(floor_y),
                        ARG(w->params.z0), ARG(mean), ARG(count), ARG(places),
                        ARG(w->ground.ground), ARG(u[0]), ARG(u[1]), ARG(u[2]), ARG(a), ARG(b),
                        ARG(out));
}

foehn_status foehn_wind_read_points(foehn_wind *w, int mean, size_t count, const double *points,
                                    float *out)
{
    if (mean && !w->means[0])
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "there is no running mean: call foehn_wind_set_averaging() first");
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
    TRY_OR_FAIL(foehn_buffer_create(w->ctx, count * 4 * sizeof(float), &device_out));
    TRY_OR_FAIL(foehn_buffer_write(w->ctx, device_places, 0, count * sizeof *places, places));
    TRY_OR_FAIL(launch_points(w, mean != 0, (cl_int)count, device_places, device_out));
    TRY_OR_FAIL(foehn_buffer_read(w->ctx, device_out, 0, count * 4 * sizeof(float), out));
fail:
    foehn_buffer_destroy(w->ctx, &device_places);
    foehn_buffer_destroy(w->ctx, &device_out);
    free(places);
    return status;
}

/* ---- statistics ---- */

/* The first value that is not finite, as an error that names step, cell and field. */
static foehn_status check_finite(const foehn_wind *w, const char *name, const float *values)
{
    size_t nx = (size_t)w->g.nx, ny = (size_t)w->g.ny, count = cell_count(w);
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

/* Ratio of the rms residuals that the last step left by row. */
static foehn_status residual_ratio(foehn_wind *w, double *ratio)
{
    *ratio = NAN;
    if (!w->measured)
        return FOEHN_OK;
    if (foehn_wind_is_staggered(w)) {
        *ratio = w->solved.residual_first > 0
                     ? w->solved.residual_last / w->solved.residual_first
                     : 0;
        return FOEHN_OK;
    }
    size_t count = (size_t)w->g.ny * (size_t)w->g.nz;
    double sums[2] = {0, 0};
    float *rows = malloc(count * sizeof *rows);
    if (!rows)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu rows", count);
    foehn_status status = FOEHN_OK;
    for (int n = 0; n < 2 && status == FOEHN_OK; n++) {
        status = foehn_buffer_read(w->ctx, w->rows[n], 0, count * sizeof *rows, rows);
        for (size_t i = 0; status == FOEHN_OK && i < count; i++)
            sums[n] += (double)rows[i];
    }
    free(rows);
    *ratio = sums[0] > 0 ? sqrt(sums[1] / sums[0]) : 0;
    return status;
}

foehn_status foehn_wind_read_stats(foehn_wind *w, foehn_wind_stats *stats)
{
    static const char *const names[3] = {"u", "v", "w"};
    size_t count = cell_count(w);
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
    status = residual_ratio(w, &stats->pressure_residual);
fail:
    free(squares);
    free(values);
    return status;
}
