/* SPDX-License-Identifier: MIT */
/* How long something takes, by the wall clock and by the device's; and the hill that cases share.
 */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

int bench_copy(bench *b, uint64_t bytes, double *rate)
{
    return fail_library(foehn_context_measure_copy(b->ctx, bytes, rate));
}

int bench_time(bench *b, bench_job *run, void *data, double *seconds, double *launches)
{
    const double enough = 0.3; /* s */
    *seconds = *launches = 0;  /* so that optimisers of whole programs see them set */
    for (int count = 1;;) {
        uint64_t before = foehn_context_get_launches(b->ctx);
        foehn_status status = foehn_context_wait(b->ctx);
        double start = seconds_now();
        if (status == FOEHN_OK)
            status = run(data, count);
        if (status == FOEHN_OK)
            status = foehn_context_wait(b->ctx);
        if (status != FOEHN_OK)
            return fail_library(status);
        double taken = seconds_now() - start;
        *seconds = taken / count;
        *launches = (double)(foehn_context_get_launches(b->ctx) - before) / count;
        if ((taken >= enough && count > 1) || taken > 4 * enough || count >= 100000)
            return STATUS_OK;
        double wanted = 1.2 * enough / fmax(*seconds, 1e-9);
        count = wanted > 8 * count ? 8 * count : wanted > count + 1 ? (int)wanted : count + 1;
    }
}

int bench_time_kernels(bench *b, bench_job *run, void *data, int count, size_t *found,
                       foehn_timing timings[MOST_STAGES])
{
    *found = 0;
    foehn_status status = foehn_context_set_timing(b->ctx, 1);
    if (status == FOEHN_OK)
        status = run(data, 1);
    if (status == FOEHN_OK)
        status = foehn_context_set_timing(b->ctx, 1); /* the first on a new queue does not count */
    if (status == FOEHN_OK)
        status = run(data, count);
    if (status == FOEHN_OK)
        status = foehn_context_get_timings(b->ctx, MOST_STAGES, timings, found);
    *found = *found < MOST_STAGES ? *found : MOST_STAGES;
    foehn_status off = foehn_context_set_timing(b->ctx, 0);
    return fail_library(status != FOEHN_OK ? status : off);
}

bench_stage bench_stage_of(const foehn_timing *t, int count, double cells, double copy)
{
    double rate = t->bytes > 0 && t->seconds > 0 ? t->bytes / t->seconds : NAN;
    return (bench_stage){
        .launches = (double)t->launches / count,
        .ms = 1e3 * t->seconds / count,
        .bytes_a_cell = t->bytes / ((double)t->launches * cells),
        .rate = rate,
        .share = rate / copy,
    };
}

void bench_stage_row(bench *b, const char *box, const char *what, const foehn_timing *t,
                     const bench_stage *s)
{
    bench_table_row(b, (bench_cell[]){TEXT_CELL(box), TEXT_CELL(what), TEXT_CELL(t->kernel),
                                      NUMBER_CELL(s->launches, 2), NUMBER_CELL(s->ms, 4),
                                      NUMBER_CELL(s->bytes_a_cell, 1),
                                      NUMBER_CELL(s->rate * 1e-9, 2), NUMBER_CELL(s->share, 2)});
}

int bench_measure_steps(bench *b, bench_job *run, void *data, double cells, bench_steps *out)
{
    double seconds;
    int status = bench_time(b, run, data, &seconds, &out->launches);
    if (status != STATUS_OK)
        return status;
    out->count = (int)fmin(fmax(0.3 / seconds, 4), 200);
    status = bench_time_kernels(b, run, data, out->count, &out->found, out->timings);
    if (status == STATUS_OK)
        status = bench_copy(b, (uint64_t)cells * sizeof(float), &out->copy);
    if (status != STATUS_OK)
        return status;
    out->step_ms = 1e3 * seconds;
    out->device_ms = 0;
    for (size_t i = 0; i < out->found; i++)
        out->device_ms += 1e3 * out->timings[i].seconds / out->count;
    return STATUS_OK;
}

void bench_stage_rows(bench *b, const char *box, const char *what, const bench_steps *m,
                      double cells)
{
    for (size_t i = 0; i < m->found; i++) {
        const bench_stage stage = bench_stage_of(&m->timings[i], m->count, cells, m->copy);
        bench_stage_row(b, box, what, &m->timings[i], &stage);
    }
}

int bench_put_hill(foehn_wind *wind, int samples, double height)
{
    const double last = samples - 1;
    float *heights = malloc((size_t)samples * (size_t)samples * sizeof *heights);
    if (!heights)
        return fail_memory();
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    for (int k = 0; k < samples; k++)
        for (int i = 0; i < samples; i++)
            heights[k * samples + i] = (float)(height * bench_hill(i / last, k / last));
    const foehn_terrain terrain = {.nx = samples,
                                   .nz = samples,
                                   .origin = {info.origin[0], info.origin[2]},
                                   .spacing = {info.extent[0] / last, info.extent[2] / last},
                                   .heights = heights};
    int status = fail_library(foehn_wind_set_terrain(wind, &terrain));
    free(heights);
    return status;
}

double bench_hill(double x, double z)
{
    return exp(-12 * ((x - 0.45) * (x - 0.45) + (z - 0.55) * (z - 0.55)));
}

int bench_create_over_hill(bench *b, foehn_wind_params *params, int nx, int ny, int nz,
                           char box[32], foehn_wind **out)
{
    *out = NULL;
    snprintf(box, 32, "%dx%dx%d", nx, ny, nz);
    if ((double)nx * ny * nz > (double)b->most)
        return STATUS_OK;
    params->nx = nx;
    params->ny = ny;
    params->nz = nz;
    params->spacing_horizontal = 40;
    params->spacing_vertical = 8;
    progress_say(box);
    foehn_status made = foehn_wind_create(b->ctx, params, out);
    if (made == FOEHN_ERROR_MEMORY)
        return STATUS_OK;
    int status = fail_library(made);
    return status == STATUS_OK ? bench_put_hill(*out, 65, 120) : status;
}
