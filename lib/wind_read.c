/* SPDX-License-Identifier: MIT */
/* Reading the wind: fields, points, statistics, checkpoints, publication. */
#include "wind.h"

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
    case FOEHN_WIND_PRESSURE: return w->pressure[w->now_p];
    case FOEHN_WIND_CURL: return w->curl;
    case FOEHN_WIND_DIVERGENCE: return w->divergence;
    case FOEHN_WIND_MEAN_U:
    case FOEHN_WIND_MEAN_V:
    case FOEHN_WIND_MEAN_W:
    case FOEHN_WIND_MEAN_SPEED: return w->means[field - FOEHN_WIND_MEAN_U];
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
    if (field == FOEHN_WIND_DIVERGENCE)
        TRY(foehn_wind_divergence(w));
    if (field == FOEHN_WIND_SOLID)
        return read_solid(w, out);
    if (field == FOEHN_WIND_STD_SPEED)
        return read_std_speed(w, out);
    return read_cells(w, stored(w, field), out);
}

foehn_status foehn_wind_write(foehn_wind *w, foehn_wind_field field, const float *in)
{
    if (field > FOEHN_WIND_CURL)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind field %d cannot be written", (int)field);
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
    const cl_mem *u = mean ? &w->means[0] : &w->velocity[w->now][0];
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

foehn_status foehn_wind_write_volume(foehn_wind *w, foehn_volume *volume)
{
    cl_mem slot;
    TRY(foehn_volume_begin(volume, w->ctx, w->g.nx, w->g.ny, w->g.nz, &slot));
    const int n[3] = {w->g.nx, w->g.ny, w->g.nz};
    cl_int first[3]; /* where cell (0, 0, 0) goes */
    for (int a = 0; a < 3; a++)
        first[a] = (cl_int)(((w->clock.origin[a] % n[a]) + n[a]) % n[a]);
    TRY(LAUNCH(w->ctx, w->kernel.publish, foehn_wind_cells(w), ARG(w->g), ARG(first[0]), ARG(first[1]),
               ARG(first[2]), VELOCITY(w, w->now), ARG(w->curl), ARG(slot)));
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    foehn_volume_info v = {.nx = info.nx, .ny = info.ny, .nz = info.nz, .step = info.step,
                           .time = info.time};
    memcpy(v.origin, info.origin, sizeof v.origin);
    memcpy(v.extent, info.extent, sizeof v.extent);
    memcpy(v.spacing, info.spacing, sizeof v.spacing);
    return foehn_volume_end(volume, &v);
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

/* ---- checkpoints ---- */

/* What must agree before the rest of the bytes means anything, and what is not on the device. */
typedef struct checkpoint_head {
    char magic[8];
    uint64_t sum; /* over all bytes, itself as 0 */
    uint64_t parameters;
    int32_t nx, ny, nz, scheme;
    int32_t averaging;
    double center[3]; /* asked for; the box may still be on its way */
    wind_clock clock;
} checkpoint_head;

static const char checkpoint_magic[8] = "foehnW2";

#define HASH_BASIS UINT64_C(0xcbf29ce484222325)

/* FNV-1a over words of 8 bytes, the last padded with zeros: finds damage, not intent. */
static uint64_t hash(uint64_t value, size_t count, const void *bytes)
{
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + i, count - i < 8 ? count - i : 8);
        value = (value ^ word) * UINT64_C(0x100000001b3);
        value ^= value >> 32;
    }
    return value;
}

/* Of all parameters that bear on the steps to come. */
static uint64_t hash_parameters(const foehn_wind *w)
{
    const foehn_wind_params *p = &w->params;
    const float reals[] = {p->spacing_horizontal, p->spacing_vertical, p->z0,
                           p->relaxation,         p->noise_amplitude,  p->noise_wavelength,
                           p->max_speed};
    const int32_t wholes[] = {(int32_t)p->scheme, (int32_t)p->sides, p->sweeps};
    uint64_t value = hash(HASH_BASIS, sizeof reals, reals);
    value = hash(value, sizeof wholes, wholes);
    return hash(value, sizeof p->seed, &p->seed);
}

static uint64_t hash_checkpoint(checkpoint_head head, size_t size, const void *bytes)
{
    head.sum = 0;
    uint64_t value = hash(HASH_BASIS, sizeof head, &head);
    return hash(value, size - sizeof head, (const char *)bytes + sizeof head);
}

/* The fields of a checkpoint, means last. */
static int checkpoint_fields(const foehn_wind *w, cl_mem fields[5 + WIND_MEANS])
{
    int count = 0;
    for (int a = 0; a < 3; a++)
        fields[count++] = w->velocity[w->now][a];
    fields[count++] = w->pressure[w->now_p];
    fields[count++] = w->curl;
    for (int i = 0; w->means[0] && i < WIND_MEANS; i++)
        fields[count++] = w->means[i];
    return count;
}

static size_t checkpoint_size(const foehn_wind *w, bool averaging)
{
    size_t fields = averaging ? 5 + WIND_MEANS : 5;
    return sizeof(checkpoint_head) + fields * cell_count(w) * sizeof(float);
}

size_t foehn_wind_get_checkpoint_size(const foehn_wind *w)
{
    return checkpoint_size(w, w->means[0] != NULL);
}

foehn_status foehn_wind_read_checkpoint(foehn_wind *w, size_t size, void *bytes)
{
    if (size != foehn_wind_get_checkpoint_size(w))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint takes %zu bytes, not %zu",
                          foehn_wind_get_checkpoint_size(w), size);
    checkpoint_head head;
    memset(&head, 0, sizeof head); /* padding, too: same state, same bytes */
    memcpy(head.magic, checkpoint_magic, sizeof head.magic);
    head.parameters = hash_parameters(w);
    head.nx = w->g.nx;
    head.ny = w->g.ny;
    head.nz = w->g.nz;
    head.scheme = (int32_t)w->params.scheme;
    head.averaging = w->means[0] != NULL;
    memcpy(head.center, w->center, sizeof head.center);
    memcpy(&head.clock, &w->clock, sizeof head.clock);
    cl_mem fields[5 + WIND_MEANS];
    int count = checkpoint_fields(w, fields);
    char *to = (char *)bytes + sizeof head;
    size_t field_bytes = cell_count(w) * sizeof(float);
    for (int i = 0; i < count; i++)
        TRY(foehn_box_read(w->ctx, fields[i], foehn_grid_box(&w->g, sizeof(float)),
                           to + (size_t)i * field_bytes));
    head.sum = hash_checkpoint(head, size, bytes);
    memcpy(bytes, &head, sizeof head);
    return FOEHN_OK;
}

foehn_status foehn_wind_write_checkpoint(foehn_wind *w, size_t size, const void *bytes)
{
    checkpoint_head head;
    if (size < sizeof head)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint of %zu bytes is cut short", size);
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, checkpoint_magic, sizeof head.magic) != 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "these bytes are no wind checkpoint of this version");
    if (head.sum != hash_checkpoint(head, size, bytes))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is damaged: its %zu bytes do not give its checksum", size);
    if (head.nx != w->g.nx || head.ny != w->g.ny || head.nz != w->g.nz ||
        head.scheme != (int32_t)w->params.scheme)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of %d x %d x %d cells (scheme %d), this wind has %d x "
                          "%d x %d (scheme %d)",
                          head.nx, head.ny, head.nz, head.scheme, w->g.nx, w->g.ny, w->g.nz,
                          (int)w->params.scheme);
    if (head.parameters != hash_parameters(w))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of a wind with other parameters (spacing, sides, "
                          "sweeps, z0, rates, noise, seed)");
    if (size != checkpoint_size(w, head.averaging != 0))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the checkpoint is damaged: %zu bytes, not %zu",
                          size, checkpoint_size(w, head.averaging != 0));
    TRY(foehn_wind_set_averaging(w, head.averaging));
    w->clock = head.clock;
    memcpy(w->center, head.center, sizeof w->center);
    w->ground_is_stale = true;
    cl_mem fields[5 + WIND_MEANS];
    int count = checkpoint_fields(w, fields);
    const char *from = (const char *)bytes + sizeof head;
    size_t field_bytes = cell_count(w) * sizeof(float);
    for (int i = 0; i < count; i++)
        TRY(foehn_box_write(w->ctx, fields[i], foehn_grid_box(&w->g, sizeof(float)),
                            from + (size_t)i * field_bytes));
    for (int i = 0; i < 4; i++)
        TRY(foehn_wind_wrap(w, fields[i]));
    return FOEHN_OK;
}
