/* SPDX-License-Identifier: MIT */
/* foehn bench momentum: steps of the steady equation of motion over a hill, by size and stage, and
 * how long it takes to come to rest. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct momentum_case {
    int nx, ny, nz;
    foehn_wind_closure closure;
} momentum_case;

static const momentum_case cases[] = {
    {64, 32, 64, FOEHN_WIND_K_EPS},
    {128, 64, 128, FOEHN_WIND_K_EPS},
    {128, 64, 128, FOEHN_WIND_K_LENGTH},
    {256, 80, 256, FOEHN_WIND_K_EPS},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct momentum_figures {
    char box[32];
    const char *closure;
    double cells, launches, step_ms, device_ms, bytes_a_cell, copy, rest_s;
    foehn_wind_settling rest;
} momentum_figures;

static const bench_column stage_columns[] = BENCH_STAGE_COLUMNS("closure", -9);
static const bench_column step_columns[] = {
    {"box", "box", -12},
    {"closure", "closure", -9},
    {"launches", "launches", 9},
    {"step_ms", "ms a step", 10},
    {"device_ms", "on device", 10},
    {"steps_per_s", "steps/s", 9},
    {"memory_bytes_a_cell", "bytes/cell", 11},
    {"copy_gb_per_s", "copy GB/s", 10},
    {"rest_steps", "steps to rest", 14},
    {"rest_s", "s to rest", 10},
    {"drift", "drift", 9},
};

static foehn_status steps(void *data, int count)
{
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++)
        status = foehn_wind_step(data, 1e6f); /* the model chooses */
    return status;
}

/* To rest first.  What is compiled on first use is compiled by another wind, too far from this one
 * for it to start from there. */
static int settle(foehn_wind *wind, momentum_figures *f)
{
    foehn_wind_state state;
    foehn_wind_get_state(wind, &state);
    state.from = 225;
    int status = fail_library(foehn_wind_set_state(wind, &state));
    if (status == STATUS_OK)
        status = fail_library(steps(wind, 3));
    state.from = 270;
    if (status == STATUS_OK)
        status = fail_library(foehn_wind_set_state(wind, &state));
    double started = seconds_now();
    if (status == STATUS_OK)
        status = fail_library(foehn_wind_settle(wind, NULL, &f->rest));
    f->rest_s = seconds_now() - started;
    f->rest.progress.steps -= 3;
    return status;
}

static int measure(bench *b, foehn_wind *wind, momentum_figures *f)
{
    bench_steps m;
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    f->bytes_a_cell = (double)info.memory_bytes / f->cells;
    int status = settle(wind, f);
    if (status == STATUS_OK)
        status = bench_measure_steps(b, steps, wind, f->cells, &m);
    if (status != STATUS_OK)
        return status;
    f->launches = m.launches;
    f->step_ms = m.step_ms;
    f->device_ms = m.device_ms;
    f->copy = m.copy;
    bench_stage_rows(b, f->box, f->closure, &m, f->cells);
    return STATUS_OK;
}

/* *done: the case fitted. */
static int run_case(bench *b, const momentum_case *c, momentum_figures *f, bool *done)
{
    foehn_wind_params params = foehn_wind_params_default();
    foehn_wind *wind = NULL;
    *done = false;
    params.model = FOEHN_WIND_MOMENTUM;
    params.closure = c->closure;
    f->closure = c->closure == FOEHN_WIND_K_EPS ? "k-eps" : "k-length";
    f->cells = (double)c->nx * c->ny * c->nz;
    int status = bench_create_over_hill(b, &params, c->nx, c->ny, c->nz, f->box, &wind);
    if (status == STATUS_OK && !wind)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = measure(b, wind, f);
    foehn_wind_destroy(wind);
    *done = status == STATUS_OK;
    return status;
}

/* What the model must reach: rest in 2 s on the largest GPUs, in 90 s on two cores; 100 bytes a
 * cell. */
static int compare(bench *b, const momentum_figures *f)
{
    foehn_device_info info = {.struct_size = sizeof info};
    foehn_status got = foehn_context_get_device(b->ctx, &info);
    if (got != FOEHN_OK)
        return fail_library(got);
    char what[96];
    snprintf(what, sizeof what, "momentum, %.30s: bytes a cell", f->box);
    bench_compare(b, what, f->bytes_a_cell, false, 100);
    snprintf(what, sizeof what, "momentum, %.30s: seconds to rest", f->box);
    bench_compare(b, what, f->rest.settled ? f->rest_s : NAN, false,
                  info.type == FOEHN_DEVICE_GPU ? 2 : 90);
    return STATUS_OK;
}

int bench_momentum(bench *b)
{
    momentum_figures figures[CASES];
    bool done[CASES] = {false};
    int status = STATUS_OK;
    bench_table_begin(
        b, "momentum_stages",
        "Momentum: stages of a step (device time of all launches of a kernel in a step)", 8,
        stage_columns);
    for (int i = 0; i < CASES && status == STATUS_OK && !stop_requested(); i++)
        status = run_case(b, &cases[i], &figures[i], &done[i]);
    bench_table_end(b);
    bench_table_begin(b, "momentum_steps",
                      "Momentum: whole steps, untimed, and to rest from the undisturbed wind", 11,
                      step_columns);
    for (int i = 0; i < CASES; i++)
        if (done[i]) {
            const momentum_figures *f = &figures[i];
            bench_table_row(
                b, (bench_cell[]){TEXT_CELL(f->box), TEXT_CELL(f->closure),
                                  NUMBER_CELL(f->launches, 1), NUMBER_CELL(f->step_ms, 4),
                                  NUMBER_CELL(f->device_ms, 4), NUMBER_CELL(1e3 / f->step_ms, 1),
                                  NUMBER_CELL(f->bytes_a_cell, 1), NUMBER_CELL(f->copy * 1e-9, 2),
                                  NUMBER_CELL((double)f->rest.progress.steps, 0),
                                  NUMBER_CELL(f->rest_s, 2), NUMBER_CELL(f->rest.drift, 4)});
        }
    bench_table_end(b);
    for (int i = 0; i < CASES && status == STATUS_OK; i++)
        if (done[i] && cases[i].nx == 128 && cases[i].closure == FOEHN_WIND_K_EPS)
            status = compare(b, &figures[i]);
    return status;
}
