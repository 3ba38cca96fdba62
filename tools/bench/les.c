/* SPDX-License-Identifier: MIT */
/* foehn bench les: seconds of the large eddies over a hill, by size and stage, the periodic box
 * that feeds them included. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

typedef struct les_case {
    int nx, ny, nz;
    foehn_wind_inflow inflow;
} les_case;

static const les_case cases[] = {
    {64, 32, 64, FOEHN_WIND_INFLOW_PRECURSOR},
    {128, 64, 128, FOEHN_WIND_INFLOW_PRECURSOR},
    {128, 64, 128, FOEHN_WIND_INFLOW_NOISE},
    {256, 80, 256, FOEHN_WIND_INFLOW_PRECURSOR},
};
enum { CASES = sizeof cases / sizeof cases[0] };
#define SECOND 1.0f

typedef struct les_figures {
    char box[32];
    const char *inflow;
    double cells, bytes_a_cell;
    bench_steps steps;
} les_figures;

static const bench_column stage_columns[] = BENCH_STAGE_COLUMNS("inflow", -10);
static const bench_column second_columns[] = {
    {"box", "box", -12},
    {"inflow", "inflow", -10},
    {"launches", "launches", 9},
    {"second_ms", "ms", 10},
    {"device_ms", "on device", 10},
    {"million_cells_ms", "a million cells", 16},
    {"memory_bytes_a_cell", "bytes/cell", 11},
    {"copy_gb_per_s", "copy GB/s", 10},
};
enum {
    STAGE_COLUMNS = sizeof stage_columns / sizeof stage_columns[0],
    SECOND_COLUMNS = sizeof second_columns / sizeof second_columns[0]
};

static foehn_status seconds(void *data, int count)
{
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++)
        status = foehn_wind_step(data, SECOND);
    return status;
}

static int measure(bench *b, foehn_wind *wind, les_figures *f)
{
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    f->bytes_a_cell = (double)info.memory_bytes / f->cells;
    int status = fail_library(seconds(wind, 1)); /* the first one fills the box */
    if (status == STATUS_OK)
        status = bench_measure_steps(b, seconds, wind, f->cells, &f->steps);
    if (status == STATUS_OK)
        bench_stage_rows(b, f->box, f->inflow, &f->steps, f->cells);
    return status;
}

/* *done: the case fitted. */
static int run_case(bench *b, const les_case *c, les_figures *f, bool *done)
{
    foehn_wind_params params = foehn_wind_params_default();
    foehn_wind *wind = NULL;
    params.model = FOEHN_WIND_LES;
    params.inflow = c->inflow;
    params.spin_up = 0; /* eddies take as long as waves */
    f->inflow = c->inflow == FOEHN_WIND_INFLOW_NOISE ? "noise" : "precursor";
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

int bench_les(bench *b)
{
    les_figures figures[CASES];
    bool done[CASES] = {false};
    int status = STATUS_OK;
    bench_table_begin(b, "les_stages",
                      "LES: stages of a second of wind (device time of all launches of a kernel, "
                      "those of the periodic box beside it included)",
                      STAGE_COLUMNS, stage_columns);
    for (int i = 0; i < CASES && status == STATUS_OK && !stop_requested(); i++)
        status = run_case(b, &cases[i], &figures[i], &done[i]);
    bench_table_end(b);
    bench_table_begin(b, "les_seconds", "LES: a second of wind, untimed", SECOND_COLUMNS,
                      second_columns);
    for (int i = 0; i < CASES; i++)
        if (done[i]) {
            const les_figures *f = &figures[i];
            const bench_steps *m = &f->steps;
            bench_table_row(
                b,
                (bench_cell[]){TEXT_CELL(f->box), TEXT_CELL(f->inflow), NUMBER_CELL(m->launches, 1),
                               NUMBER_CELL(m->step_ms, 4), NUMBER_CELL(m->device_ms, 4),
                               NUMBER_CELL(m->step_ms / (f->cells * 1e-6), 3),
                               NUMBER_CELL(f->bytes_a_cell, 1), NUMBER_CELL(m->copy * 1e-9, 2)});
        }
    bench_table_end(b);
    for (int i = 0; i < CASES && status == STATUS_OK; i++)
        if (done[i] && cases[i].nx == 128 && cases[i].inflow == FOEHN_WIND_INFLOW_PRECURSOR)
            bench_compare(b, "les, 128x64x128: bytes a cell", figures[i].bytes_a_cell, false, 100);
    return status;
}
