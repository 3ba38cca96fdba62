/* SPDX-License-Identifier: MIT */
/* foehn bench flow: what each stage of a step of the flow lab takes: a stream past a cylinder. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_STEPS = 60 };

typedef struct flow_case {
    int nx, ny;
    bool ink, fractions;
} flow_case;

static const flow_case cases[] = {
    {240, 135, false, false}, {240, 135, true, false}, {480, 270, false, false},
    {480, 270, true, false},  {480, 270, true, true},  {960, 540, true, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct flow_figures {
    char box[32];
    const char *what;
    double cells, dt, launches, step_ms, device_ms, bytes_a_cell, copy, divergence;
} flow_figures;

typedef struct flow_job {
    foehn_flow *flow;
    float dt;
} flow_job;

static const bench_column kernel_columns[] = {
    {"box", "box", -9},
    {"case", "case", -15},
    {"stage", "stage", -10},
    {"kernel", "kernel", -18},
    {"launches", "launches", 9},
    {"device_ms", "ms", 9},
    {"bytes_a_cell", "bytes/cell", 11},
    {"gb_per_s", "GB/s", 9},
    {"share_of_copy", "of copy", 8},
};
static const bench_column stage_columns[] = {
    {"box", "box", -9},
    {"case", "case", -15},
    {"stage", "stage", -10},
    {"launches", "launches", 9},
    {"device_ms", "ms", 9},
    {"bytes_a_cell", "bytes/cell", 11},
    {"share_of_copy", "of copy", 8},
    {"share_of_step", "of step", 8},
};
static const bench_column step_columns[] = {
    {"box", "box", -9},
    {"case", "case", -15},
    {"dt", "dt", 9},
    {"launches", "launches", 9},
    {"step_ms", "ms a step", 10},
    {"device_ms", "on device", 10},
    {"mcells_per_s", "Mcells/s", 9},
    {"memory_bytes_a_cell", "bytes/cell", 11},
    {"copy_gb_per_s", "copy GB/s", 10},
    {"max_div_h_over_u", "div h/U", 10},
};

/* ---- stages ---- */

enum { ADVECTION, VISCOSITY, PROJECTION, INK, BOUNDARY, STAGES };
static const char *const stage_names[STAGES] = {"advection", "viscosity", "projection", "ink",
                                                "boundary"};

/* What is not in the list is the multigrid's. */
static int stage_of(const char *kernel)
{
    static const struct {
        const char *begins;
        int stage;
    } table[] = {{"advect", ADVECTION},
                 {"viscosity", VISCOSITY},
                 {"ink", INK},
                 {"edges", BOUNDARY},
                 {"solids", BOUNDARY}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strncmp(kernel, table[i].begins, strlen(table[i].begins)) == 0)
            return table[i].stage;
    return PROJECTION;
}

static void kernel_rows(bench *b, const flow_figures *f, int count, size_t found,
                        const foehn_timing *timings)
{
    for (size_t i = 0; i < found; i++) {
        bench_stage s = bench_stage_of(&timings[i], count, f->cells, f->copy);
        bench_table_row(b, (bench_cell[]){TEXT_CELL(f->box), TEXT_CELL(f->what),
                                          TEXT_CELL(stage_names[stage_of(timings[i].kernel)]),
                                          TEXT_CELL(timings[i].kernel), NUMBER_CELL(s.launches, 2),
                                          NUMBER_CELL(s.ms, 4), NUMBER_CELL(s.bytes_a_cell, 1),
                                          NUMBER_CELL(s.rate * 1e-9, 2), NUMBER_CELL(s.share, 2)});
    }
}

/* Sums of the kernels of each stage; bytes a cell: of all its launches together. */
static void sum_stages(size_t found, const foehn_timing *timings, foehn_timing stages[STAGES])
{
    memset(stages, 0, STAGES * sizeof *stages);
    for (size_t i = 0; i < found; i++) {
        foehn_timing *s = &stages[stage_of(timings[i].kernel)];
        s->launches += timings[i].launches;
        s->seconds += timings[i].seconds;
        s->bytes += timings[i].bytes;
    }
}

static void stage_rows(bench *b, const flow_figures *f, int count,
                       const foehn_timing stages[STAGES])
{
    for (int n = 0; n < STAGES; n++) {
        if (stages[n].launches == 0)
            continue;
        bench_stage s = bench_stage_of(&stages[n], count, f->cells, f->copy);
        bench_table_row(
            b, (bench_cell[]){TEXT_CELL(f->box), TEXT_CELL(f->what), TEXT_CELL(stage_names[n]),
                              NUMBER_CELL(s.launches, 2), NUMBER_CELL(s.ms, 4),
                              NUMBER_CELL(s.bytes_a_cell * s.launches, 1), NUMBER_CELL(s.share, 2),
                              NUMBER_CELL(s.ms / f->device_ms, 2)});
    }
}

/* ---- a case ---- */

static foehn_status steps(void *data, int count)
{
    const flow_job *job = data;
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++)
        status = foehn_flow_step(job->flow, job->dt);
    return status;
}

/* The scene `cylinder`: Reynolds number 100, and for the ink a cloud of it before the cylinder. */
static int create(bench *b, const flow_case *c, foehn_flow **out)
{
    foehn_flow_params p = foehn_flow_params_default();
    const foehn_flow_obstacle cylinder = {
        .shape = FOEHN_FLOW_CYLINDER, .center = {0.5f, 0.5f}, .size = 0.16f};
    const foehn_flow_stir cloud = {.from = {0.3f, 0.2f},
                                   .to = {0.3f, 0.8f},
                                   .velocity = {0, 0.1f},
                                   .radius = 0.05f,
                                   .ink = {1, 0.5f, 0, 1}};
    p.nx = c->nx;
    p.ny = c->ny;
    p.viscosity = 4.8e-4f;
    p.surface = c->fractions ? FOEHN_FLOW_FRACTIONS : FOEHN_FLOW_STAIRCASE;
    p.sides[FOEHN_FLOW_LEFT] = (foehn_flow_side){FOEHN_FLOW_INFLOW, 0.3f, 0};
    p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_OUTFLOW;
    p.sides[FOEHN_FLOW_BOTTOM].kind = p.sides[FOEHN_FLOW_TOP].kind = FOEHN_FLOW_SLIP;
    foehn_status status = foehn_flow_create(b->ctx, &p, out);
    if (status == FOEHN_OK)
        status = foehn_flow_set_obstacle(*out, 0, &cylinder);
    if (status == FOEHN_OK)
        status = foehn_flow_restart(*out);
    if (status == FOEHN_OK && c->ink)
        status = foehn_flow_add_stir(*out, &cloud);
    return fail_library(status);
}

/* Of the developed flow: times as often as a third of a second allows. */
static int measure(bench *b, flow_job *job, flow_figures *f, bench_steps *m)
{
    foehn_flow_info info;
    foehn_flow_stats stats;
    foehn_flow_get_info(job->flow, &info);
    f->bytes_a_cell = (double)info.memory_bytes / f->cells;
    int status = fail_library(steps(job, WARM_STEPS));
    if (status == STATUS_OK)
        status = bench_measure_steps(b, steps, job, f->cells, m);
    if (status == STATUS_OK)
        status = fail_library(foehn_flow_read_stats(job->flow, &stats));
    if (status != STATUS_OK)
        return status;
    f->launches = m->launches;
    f->step_ms = m->step_ms;
    f->device_ms = m->device_ms;
    f->copy = m->copy;
    f->divergence = stats.max_div_h_over_u;
    return STATUS_OK;
}

/* *count: steps that were timed; 0: the case did not fit. */
static int run_case(bench *b, const flow_case *c, flow_figures *f, int *count,
                    foehn_timing stages[STAGES])
{
    flow_job job = {NULL, c->ny > 270 ? 1 / 120.0f : 1 / 60.0f}; /* CFL numbers to 3 */
    bench_steps m;
    *count = 0;
    snprintf(f->box, sizeof f->box, "%dx%d", c->nx, c->ny);
    f->what = c->fractions ? "ink, fractions" : c->ink ? "ink" : "plain";
    f->cells = (double)c->nx * c->ny;
    f->dt = (double)job.dt;
    if (f->cells > (double)b->most)
        return STATUS_OK;
    progress_say(f->box);
    int status = create(b, c, &job.flow);
    if (status == STATUS_OK)
        status = measure(b, &job, f, &m);
    if (status == STATUS_OK) {
        *count = m.count;
        kernel_rows(b, f, m.count, m.found, m.timings);
        sum_stages(m.found, m.timings, stages);
    }
    foehn_flow_destroy(job.flow);
    return status;
}

/* ---- all of them ---- */

static void step_row(bench *b, const flow_figures *f)
{
    bench_table_row(b,
                    (bench_cell[]){TEXT_CELL(f->box), TEXT_CELL(f->what), NUMBER_CELL(f->dt, 5),
                                   NUMBER_CELL(f->launches, 1), NUMBER_CELL(f->step_ms, 4),
                                   NUMBER_CELL(f->device_ms, 4),
                                   NUMBER_CELL(1e-3 * f->cells / f->step_ms, 1),
                                   NUMBER_CELL(f->bytes_a_cell, 1), NUMBER_CELL(f->copy * 1e-9, 2),
                                   NUMBER_CELL(f->divergence, -1)});
}

/* 480 x 270: real time on a CPU, half a millisecond a step on a GPU, free of divergence on both. */
static void compare(bench *b, const flow_figures *f, bool gpu)
{
    char what[96];
    if (f->cells != 480.0 * 270)
        return;
    snprintf(what, sizeof what, "flow %.20s, %.20s: div h/U over 1e-5", f->box, f->what);
    bench_compare(b, what, f->divergence / 1e-5, false, 1);
    snprintf(what, sizeof what, "flow %.20s, %.20s: %s", f->box, f->what,
             gpu ? "ms a step" : "seconds for 60 steps of 1/60");
    bench_compare(b, what, gpu ? f->step_ms : 0.06 * f->step_ms, false, gpu ? 0.5 : 1);
}

int bench_flow(bench *b)
{
    flow_figures figures[CASES];
    foehn_timing stages[CASES][STAGES];
    int counts[CASES] = {0}, status = STATUS_OK;
    foehn_device_info device = {.struct_size = sizeof device};
    bench_table_begin(b, "flow_kernels",
                      "Flow: kernels of a step (device time of all launches of a kernel in a step)",
                      9, kernel_columns);
    for (int i = 0; i < CASES && status == STATUS_OK && !stop_requested(); i++)
        status = run_case(b, &cases[i], &figures[i], &counts[i], stages[i]);
    bench_table_end(b);
    bench_table_begin(b, "flow_stages", "Flow: stages of a step", 8, stage_columns);
    for (int i = 0; i < CASES; i++)
        if (counts[i])
            stage_rows(b, &figures[i], counts[i], stages[i]);
    bench_table_end(b);
    bench_table_begin(b, "flow_steps", "Flow: whole steps, untimed", 10, step_columns);
    if (status == STATUS_OK)
        status = fail_library(foehn_context_get_device(b->ctx, &device));
    for (int i = 0; i < CASES; i++)
        if (counts[i]) {
            step_row(b, &figures[i]);
            compare(b, &figures[i], device.type == FOEHN_DEVICE_GPU);
        }
    bench_table_end(b);
    return status;
}
