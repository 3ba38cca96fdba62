/* SPDX-License-Identifier: MIT */
/* foehn bench domain: steps of a wind that several parts keep, threads of this process with a
 * device each (or one for all): what they send, how long they wait for each other, whether the bits
 * are those of one part. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 3, MOST_BENCH_PARTS = 8 };
#define MIB 1048576.0

typedef struct domain_case {
    int nx, ny, nz; /* of one part (weak) or of the box */
    foehn_wind_model model;
} domain_case;

static const domain_case cases[] = {
    {96, 32, 96, FOEHN_WIND_FORCING},    {96, 32, 96, FOEHN_WIND_MOMENTUM},
    {96, 32, 96, FOEHN_WIND_LES},        {128, 64, 128, FOEHN_WIND_FORCING},
    {192, 64, 192, FOEHN_WIND_FORCING},  {512, 128, 512, FOEHN_WIND_FORCING},
    {512, 256, 512, FOEHN_WIND_FORCING}, {512, 256, 512, FOEHN_WIND_LES},
};
static const char *const names[] = {
    [FOEHN_WIND_FORCING] = "forcing", [FOEHN_WIND_MOMENTUM] = "momentum", [FOEHN_WIND_LES] = "les"};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct domain_figures {
    double step_ms, sent, meanwhile, exchanges, waiting_ms, staging_ms;
    uint64_t sum; /* of the velocities */
} domain_figures;

typedef struct domain_run {
    const bench *bench;
    foehn_wind_params params;
    int steps;
    bool sums;
    domain_figures figures; /* of part 0 */
} domain_run;

static const bench_column columns[] = {
    {"scaling", "scaling", -8},
    {"model", "model", -9},
    {"box", "box", -13},
    {"parts", "parts", 6},
    {"step_ms", "ms a step", 10},
    {"ratio", "of one", 7},
    {"mib_a_step", "MiB sent", 9},
    {"meanwhile", "overlapped", 10},
    {"exchanges", "exchanges", 10},
    {"transport_ms", "transport", 10},
    {"staging_ms", "staging", 9},
    {"same_bits", "same bits", -9},
};

static uint64_t hash(uint64_t value, size_t count, const float *values)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        value = (value ^ bits) * UINT64_C(0x100000001b3);
    }
    return value;
}

static foehn_status put_hill(foehn_wind *w, const foehn_wind_params *p)
{
    enum { SAMPLES = 65 };
    float heights[SAMPLES * SAMPLES];
    for (int k = 0; k < SAMPLES; k++)
        for (int i = 0; i < SAMPLES; i++)
            heights[k * SAMPLES + i] =
                (float)(0.2 * p->ny * (double)p->spacing_vertical *
                        bench_hill(i / (SAMPLES - 1.0), k / (SAMPLES - 1.0)));
    const double h = (double)p->spacing_horizontal, width = p->nx * h, length = p->nz * h;
    const foehn_terrain t = {.nx = SAMPLES,
                             .nz = SAMPLES,
                             .origin = {-0.5 * width, -0.5 * length},
                             .spacing = {width / (SAMPLES - 1), length / (SAMPLES - 1)},
                             .heights = heights};
    return foehn_wind_set_terrain(w, &t);
}

static foehn_status steps(foehn_wind *w, foehn_context *ctx, int count, float dt)
{
    foehn_status status = FOEHN_OK;
    for (int n = 0; n < count && status == FOEHN_OK; n++)
        status = foehn_wind_step(w, dt);
    return status == FOEHN_OK ? foehn_context_wait(ctx) : status;
}

static foehn_status sum_up(const domain_run *r, foehn_wind *w, uint64_t *sum)
{
    const size_t cells = (size_t)r->params.nx * (size_t)r->params.ny * (size_t)r->params.nz;
    float *values = ranks_is_first() ? malloc(cells * sizeof *values) : NULL;
    foehn_status status = FOEHN_OK;
    *sum = 1469598103934665603u;
    for (int a = 0; a < 3 && status == FOEHN_OK; a++) {
        status = foehn_wind_read(w, (foehn_wind_field)a, values);
        if (ranks_is_first() && status == FOEHN_OK)
            *sum = hash(*sum, cells, values);
    }
    free(values);
    return status;
}

static foehn_status measure(domain_run *r, foehn_wind *w, foehn_context *ctx)
{
    const float dt = r->params.model == FOEHN_WIND_MOMENTUM ? 1e6f : 0.2f;
    foehn_domain_traffic before = {0}, after = {0};
    uint64_t sum = 0;
    foehn_status status = put_hill(w, &r->params);
    if (status == FOEHN_OK)
        status = steps(w, ctx, WARM, dt);
    if (ranks_domain())
        foehn_domain_get_traffic(ranks_domain(), &before);
    const double started = seconds_now();
    if (status == FOEHN_OK)
        status = steps(w, ctx, r->steps, dt);
    const double taken = seconds_now() - started;
    if (ranks_domain())
        foehn_domain_get_traffic(ranks_domain(), &after);
    if (status == FOEHN_OK && r->sums)
        status = sum_up(r, w, &sum);
    if (ranks_is_first())
        r->figures = (domain_figures){
            .step_ms = 1e3 * taken / r->steps,
            .sent = (double)(after.bytes - before.bytes) / r->steps,
            .meanwhile = after.bytes > before.bytes ? (double)(after.meanwhile - before.meanwhile) /
                                                          (double)(after.bytes - before.bytes)
                                                    : 0,
            .exchanges = (double)(after.exchanges - before.exchanges) / r->steps,
            .waiting_ms = 1e3 * (after.seconds - before.seconds) / r->steps,
            .staging_ms = 1e3 * (after.staging - before.staging) / r->steps,
            .sum = sum,
        };
    return status;
}

static int work(void *data)
{
    domain_run *r = data;
    foehn_wind_params p = r->params;
    foehn_context_params params = foehn_context_params_default();
    foehn_context *ctx = NULL;
    foehn_wind *w = NULL;
    p.domain = ranks_domain();
    int status = ranks_device(r->bench->device, r->bench->devices, &params.device);
    if (ranks_are_threads())
        params.devices = r->bench->devices ? r->bench->devices : params.device;
    if (status == STATUS_OK)
        status = fail_library(foehn_context_create(&params, &ctx));
    if (status == STATUS_OK)
        status = fail_library(foehn_wind_create(ctx, &p, &w));
    if (status == STATUS_OK)
        status = fail_library(measure(r, w, ctx));
    foehn_wind_destroy(w);
    foehn_context_destroy(ctx);
    return status;
}

/* Parts on the devices asked for, in turn, or all on one. */
static int run_parts(domain_run *r, int parts)
{
    static const char *const same[] = {
        "", "0", "0,0", "", "0,0,0,0", "", "", "", "0,0,0,0,0,0,0,0"};
    return parts == 1 ? work(r) : ranks_run_local(same[parts], work, r);
}

static void add_row(bench *b, const char *scaling, const domain_run *r, int parts, double one,
                    const char *same)
{
    char box[40];
    snprintf(box, sizeof box, "%dx%dx%d", r->params.nx, r->params.ny, r->params.nz);
    const domain_figures *f = &r->figures;
    const bench_cell cells[] = {
        TEXT_CELL(scaling),
        TEXT_CELL(names[r->params.model]),
        TEXT_CELL(box),
        NUMBER_CELL(parts, 0),
        NUMBER_CELL(f->step_ms, 3),
        NUMBER_CELL(f->step_ms / one, 2),
        NUMBER_CELL(f->sent / MIB, 3),
        NUMBER_CELL(f->meanwhile, 2),
        NUMBER_CELL(f->exchanges, 1),
        NUMBER_CELL(f->waiting_ms, 3),
        NUMBER_CELL(f->staging_ms, 3),
        TEXT_CELL(same),
    };
    bench_table_row(b, cells);
}

static int run_case(bench *b, const domain_case *c)
{
    const uint64_t cells = (uint64_t)c->nx * (uint64_t)c->ny * (uint64_t)c->nz;
    const int given = b->devices ? ranks_list_count(b->devices) : 0;
    domain_run r = {.bench = b, .params = foehn_wind_params_default(), .sums = true};
    r.params.nx = c->nx;
    r.params.ny = c->ny;
    r.params.nz = c->nz;
    r.params.model = c->model;
    r.params.spin_up = 0;
    r.steps = cells > 2000000 ? 20 : 40;
    progress_say("one part");
    int status = run_parts(&r, 1);
    if (status != STATUS_OK)
        return status;
    const domain_figures one = r.figures;
    add_row(b, "one", &r, 1, one.step_ms, "");
    for (int parts = 2; parts <= MOST_BENCH_PARTS && status == STATUS_OK; parts *= 2) {
        if (given > 0 ? parts > given : parts > 4)
            break;
        progress_say("several parts of the same box");
        status = run_parts(&r, parts);
        if (status == STATUS_OK)
            add_row(b, "strong", &r, parts, one.step_ms, r.figures.sum == one.sum ? "yes" : "NO");
        domain_run weak = r;
        weak.params.nx *= parts > 2 ? 2 : 1;
        weak.params.nz *= parts > 2 ? parts / 2 : 2;
        weak.sums = false;
        if (status != STATUS_OK || cells * (uint64_t)parts > b->most)
            continue;
        progress_say("a box for each part");
        status = run_parts(&weak, parts);
        if (status == STATUS_OK)
            add_row(b, "weak", &weak, parts, one.step_ms, "");
    }
    return status;
}

int bench_domain(bench *b)
{
    int status = STATUS_OK;
    bench_table_begin(b, "domain",
                      "One wind in parts, a thread each; weak: each part has a box of its own "
                      "size; times of part 0",
                      sizeof columns / sizeof columns[0], columns);
    for (int i = 0; i < CASES && status == STATUS_OK; i++)
        if ((uint64_t)cases[i].nx * (uint64_t)cases[i].ny * (uint64_t)cases[i].nz <= b->most / 4)
            status = run_case(b, &cases[i]);
    bench_table_end(b);
    return status;
}
