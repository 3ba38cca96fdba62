/* SPDX-License-Identifier: MIT */
/* foehn bench wind: steps of both schemes at all qualities and on a box that fills the memory bus.
 */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1 / 60.0f) /* s */

typedef struct wind_case {
    const char *name; /* a quality, or NULL */
    int nx, ny, nz;
    foehn_wind_scheme scheme;
    bool hill;
} wind_case;

static const wind_case cases[] = {
    {"low", 0, 0, 0, FOEHN_WIND_COLLOCATED, false},
    {"low", 0, 0, 0, FOEHN_WIND_STAGGERED, false},
    {"medium", 0, 0, 0, FOEHN_WIND_COLLOCATED, false},
    {"medium", 0, 0, 0, FOEHN_WIND_STAGGERED, false},
    {"high", 0, 0, 0, FOEHN_WIND_COLLOCATED, false},
    {"high", 0, 0, 0, FOEHN_WIND_STAGGERED, false},
    {"high", 0, 0, 0, FOEHN_WIND_COLLOCATED, true},
    {"high", 0, 0, 0, FOEHN_WIND_STAGGERED, true},
    {"ultra", 0, 0, 0, FOEHN_WIND_COLLOCATED, false},
    {"ultra", 0, 0, 0, FOEHN_WIND_STAGGERED, false},
    {NULL, 256, 64, 256, FOEHN_WIND_COLLOCATED, false},
    {NULL, 256, 64, 256, FOEHN_WIND_STAGGERED, false},
    {NULL, 512, 512, 512, FOEHN_WIND_COLLOCATED, false},
    {NULL, 512, 512, 512, FOEHN_WIND_STAGGERED, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct wind_figures {
    char box[32], scheme[32];
    double cells, launches, step_ms, device_ms, bytes_a_cell, copy, divergence;
} wind_figures;

static const bench_column stage_columns[] = BENCH_STAGE_COLUMNS("scheme", -18);
static const bench_column step_columns[] = {
    {"box", "box", -12},
    {"scheme", "scheme", -18},
    {"launches", "launches", 9},
    {"step_ms", "ms a step", 10},
    {"device_ms", "on device", 10},
    {"mcells_per_s", "Mcells/s", 9},
    {"memory_bytes_a_cell", "bytes/cell", 11},
    {"copy_gb_per_s", "copy GB/s", 10},
    {"mean_abs_divergence", "div u, 1/s", 13},
};

static foehn_status steps(void *data, int count)
{
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++)
        status = foehn_wind_step(data, STEP);
    return status;
}

static void stage_rows(bench *b, const wind_figures *f, const bench_steps *m)
{
    for (size_t i = 0; i < m->found; i++) {
        const foehn_timing *t = &m->timings[i];
        const bench_stage stage = bench_stage_of(t, m->count, f->cells, f->copy);
        bench_stage_row(b, f->box, f->scheme, t, &stage);
        if (strcmp(t->kernel, "sweep") == 0 && f->cells > 4e6) {
            char what[96];
            snprintf(what, sizeof what, "%.30s: a Jacobi sweep's share of the copy bandwidth",
                     f->box);
            bench_compare(b, what, stage.share, true, 0.75);
        }
    }
}

/* Half as high as the box. */
static int hill_under(foehn_wind *wind)
{
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    return bench_put_hill(wind, 33, 0.5 * info.extent[1]);
}

static int measure(bench *b, foehn_wind *wind, wind_figures *f)
{
    bench_steps m;
    foehn_wind_info info;
    foehn_wind_stats stats;
    foehn_wind_get_info(wind, &info);
    f->bytes_a_cell = (double)info.memory_bytes / f->cells;
    int status = fail_library(steps(wind, 3)); /* what is compiled on first use */
    if (status == STATUS_OK)
        status = bench_measure_steps(b, steps, wind, f->cells, &m);
    if (status == STATUS_OK)
        status = fail_library(foehn_wind_read_stats(wind, &stats));
    if (status != STATUS_OK)
        return status;
    f->launches = m.launches;
    f->step_ms = m.step_ms;
    f->device_ms = m.device_ms;
    f->copy = m.copy;
    f->divergence = stats.mean_abs_divergence;
    stage_rows(b, f, &m);
    return STATUS_OK;
}

/* *done: the case fitted. */
static int run_case(bench *b, const wind_case *c, wind_figures *f, bool *done)
{
    foehn_wind_params params = foehn_wind_params_default();
    foehn_wind *wind = NULL;
    *done = false;
    if (c->name) {
        int status = fail_library(foehn_wind_params_set_quality(&params, c->name));
        if (status != STATUS_OK)
            return status;
    } else {
        params.nx = c->nx;
        params.ny = c->ny;
        params.nz = c->nz;
    }
    params.scheme = c->scheme;
    snprintf(f->box, sizeof f->box, "%dx%dx%d", params.nx, params.ny, params.nz);
    snprintf(f->scheme, sizeof f->scheme, "%s%s",
             c->scheme == FOEHN_WIND_STAGGERED ? "staggered" : "collocated",
             c->hill ? ", hill" : "");
    f->cells = (double)params.nx * params.ny * params.nz;
    if (f->cells > (double)b->most)
        return STATUS_OK;
    progress_say(f->box);
    foehn_status made = foehn_wind_create(b->ctx, &params, &wind);
    if (made == FOEHN_ERROR_MEMORY)
        return STATUS_OK; /* does not fit */
    int status = fail_library(made);
    if (status == STATUS_OK && c->hill)
        status = hill_under(wind);
    if (status == STATUS_OK)
        status = measure(b, wind, f);
    foehn_wind_destroy(wind);
    *done = status == STATUS_OK;
    return status;
}

static void step_row(bench *b, const wind_figures *f)
{
    bench_table_row(
        b, (bench_cell[]){TEXT_CELL(f->box), TEXT_CELL(f->scheme), NUMBER_CELL(f->launches, 1),
                          NUMBER_CELL(f->step_ms, 4), NUMBER_CELL(f->device_ms, 4),
                          NUMBER_CELL(1e-3 * f->cells / f->step_ms, 1),
                          NUMBER_CELL(f->bytes_a_cell, 1), NUMBER_CELL(f->copy * 1e-9, 2),
                          NUMBER_CELL(f->divergence, -1)});
}

int bench_wind(bench *b)
{
    wind_figures figures[CASES];
    bool done[CASES] = {false};
    int status = STATUS_OK;
    bench_table_begin(b, "wind_stages",
                      "Wind: stages of a step (device time of all launches of a kernel in a step)",
                      8, stage_columns);
    for (int i = 0; i < CASES && status == STATUS_OK && !stop_requested(); i++)
        status = run_case(b, &cases[i], &figures[i], &done[i]);
    bench_table_end(b);
    bench_table_begin(b, "wind_steps", "Wind: whole steps, untimed", 9, step_columns);
    for (int i = 0; i < CASES; i++)
        if (done[i]) {
            step_row(b, &figures[i]);
            char what[96];
            snprintf(what, sizeof what, "%.30s %.30s: bytes a cell", figures[i].box,
                     figures[i].scheme);
            if (figures[i].cells > 4e6)
                bench_compare(b, what, figures[i].bytes_a_cell, false, 80);
        }
    bench_table_end(b);
    return status;
}
