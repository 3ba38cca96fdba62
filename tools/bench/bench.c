/* SPDX-License-Identifier: MIT */
/* foehn bench: how long each stage takes, against what the device can do. */
#include "config.h"

#include "bench/bench.h"
#include "options.h"
#include "progress.h"
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(bench *b);
    const char *help;
} subjects[] = {
    {"wind", bench_wind, "steps of the wind, by scheme, size and stage"},
    {"momentum", bench_momentum,
     "the steady equation of motion over a hill: stages, steps, to rest"},
    {"fire", bench_fire, "updates of the fire and its pictures, by method, size and stage"},
    {"flow", bench_flow, "steps of the flow lab, by size and stage"},
    {"pressure", bench_pressure, "the Poisson solver: convergence and time a cycle"},
    {"domain", bench_domain, "a wind in parts: what they send, weak and strong scaling"},
    {"start", bench_start, "first runs of commands: kernels compiled, and how long they take"},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

typedef struct bench_options {
    const char *device, *devices;
    bool json, markdown;
    uint64_t most;
} bench_options;

static int parse_most(const char *option, const char *value, void *options)
{
    return parse_count(option, value, 1, UINT64_C(1) << 40, &((bench_options *)options)->most);
}

#define OPTIONS bench_options

static const option_row rows[] = {
    {"device", "SPEC", "index of foehn devices, cpu, gpu, or part of a name", TEXT(device)},
    {"devices", "A,B,...",
     "of the parts of bench domain (the best; each its own where there are several)",
     TEXT(devices)},
    {"most", "N", "leave out boxes of more cells (20 million on CPUs, else no limit)",
     OWN(parse_most)},
    {"markdown", NULL, "tables as Markdown", FLAG(markdown)},
    {"json", NULL, "as a JSON object", FLAG(json)},
    END_OF_OPTIONS};

/* ---- tables ---- */

void bench_table_begin(bench *b, const char *key, const char *title, int count,
                       const bench_column *columns)
{
    b->columns = columns;
    b->column_count = count;
    progress_clear();
    if (b->style == BENCH_JSON) {
        json_array(&b->j, key);
        return;
    }
    printf(b->style == BENCH_MARKDOWN ? "\n%s:\n\n" : "\n%s\n", title);
    for (int i = 0; i < count; i++)
        if (b->style == BENCH_MARKDOWN)
            printf("| %s %s", columns[i].heading, i + 1 < count ? "" : "|\n");
        else
            printf("%*s%s", columns[i].width, columns[i].heading, i + 1 < count ? " " : "\n");
    for (int i = 0; i < count && b->style == BENCH_MARKDOWN; i++)
        printf(columns[i].width < 0 ? "|---%s" : "|---:%s", i + 1 < count ? "" : "|\n");
}

void bench_table_row(bench *b, const bench_cell *cells)
{
    progress_clear();
    if (b->style == BENCH_JSON)
        json_object(&b->j, NULL);
    for (int i = 0; i < b->column_count; i++) {
        const bench_column *column = &b->columns[i];
        bool last = i + 1 == b->column_count;
        char text[128];
        if (cells[i].text)
            snprintf(text, sizeof text, "%s", cells[i].text);
        else if (isfinite(cells[i].number) && cells[i].digits < 0)
            snprintf(text, sizeof text, "%.1e", cells[i].number);
        else if (isfinite(cells[i].number))
            snprintf(text, sizeof text, "%.*f", cells[i].digits, cells[i].number);
        else
            snprintf(text, sizeof text, "-");
        if (b->style == BENCH_MARKDOWN)
            printf("| %s %s", text, last ? "|\n" : "");
        else if (b->style == BENCH_TEXT)
            printf("%*s%s", column->width, text, last ? "\n" : " ");
        else if (cells[i].text)
            json_text(&b->j, column->key, cells[i].text);
        else
            json_number(&b->j, column->key, cells[i].number);
    }
    if (b->style == BENCH_JSON)
        json_close(&b->j, '}');
    fflush(stdout);
}

void bench_table_end(bench *b)
{
    if (b->style == BENCH_JSON)
        json_close(&b->j, ']');
}

void bench_compare(bench *b, const char *what, double measured, bool at_least, double bound)
{
    if (b->bound_count == MOST_BOUNDS)
        return;
    bench_bound *next = &b->bounds[b->bound_count++];
    snprintf(next->what, sizeof next->what, "%s", what);
    next->measured = measured;
    next->bound = bound;
    next->at_least = at_least;
}

static void print_bounds(bench *b)
{
    static const bench_column columns[] = {{"figure", "figure", -64},
                                           {"measured", "measured", 9},
                                           {"bound", "bound", 16},
                                           {"reached", "", -8}};
    if (b->bound_count == 0)
        return;
    bench_table_begin(b, "bounds", "Against the bounds", 4, columns);
    for (int i = 0; i < b->bound_count; i++) {
        const bench_bound *n = &b->bounds[i];
        bool reached = n->at_least ? n->measured >= n->bound : n->measured <= n->bound;
        char bound[48];
        snprintf(bound, sizeof bound, "%s %g", n->at_least ? "at least" : "at most", n->bound);
        bench_table_row(b, (bench_cell[]){TEXT_CELL(n->what), NUMBER_CELL(n->measured, 2),
                                          TEXT_CELL(bound), TEXT_CELL(reached ? "yes" : "no")});
    }
    bench_table_end(b);
}

/* ---- timing ---- */

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

/* ---- the command ---- */

static int describe(bench *b, uint64_t most)
{
    enum { LARGE = 256 << 20 };
    foehn_device_info info = {.struct_size = sizeof info};
    foehn_status got = foehn_context_get_device(b->ctx, &info);
    if (got != FOEHN_OK)
        return fail_library(got);
    b->most = most ? most : info.type == FOEHN_DEVICE_GPU ? UINT64_MAX : 20000000;
    uint64_t bytes =
        info.largest_allocation_bytes < LARGE ? info.largest_allocation_bytes / 4 : (uint64_t)LARGE;
    double rate;
    int status = bench_copy(b, bytes, &rate);
    if (status != STATUS_OK)
        return status;
    if (b->style == BENCH_JSON) {
        json_text(&b->j, "device", info.name);
        json_text(&b->j, "driver", info.driver);
        json_number(&b->j, "copy_bytes_per_second", rate);
        return STATUS_OK;
    }
    printf("%s (%s, %u compute units): copies %.1f MiB at %.2f GB/s, read and written together\n",
           info.name, info.driver, info.compute_units, (double)bytes / 1048576, rate * 1e-9);
    return STATUS_OK;
}

static int run_subjects(bench *b, const char *only, uint64_t most)
{
    int status = STATUS_OK;
    if (b->style == BENCH_JSON) {
        json_begin(&b->j, stdout);
        json_object(&b->j, NULL);
    }
    status = describe(b, most);
    for (int i = 0; i < SUBJECTS && status == STATUS_OK; i++)
        if (!only || strcmp(only, subjects[i].name) == 0)
            status = subjects[i].run(b);
    if (status == STATUS_OK)
        print_bounds(b);
    if (b->style == BENCH_JSON) {
        json_close(&b->j, '}');
        json_end(&b->j);
    }
    return status;
}

static void print_help(void)
{
    puts("Usage: foehn bench [SUBJECT] [options]\n\nMeasure what each stage takes on the device: "
         "time, launches, and its share of the\nbandwidth of a plain copy of the same size.  "
         "Without a subject: all of them.\n\nSubjects:");
    for (int i = 0; i < SUBJECTS; i++)
        printf("  %-10s%s\n", subjects[i].name, subjects[i].help);
    puts("");
    options_print(rows);
}

int bench_main(int argc, char **argv)
{
    static bench b;
    bench_options o = {0};
    const option_table tables[] = {{rows, &o}, {NULL, NULL}};
    int first = argc;
    int status = options_parse("bench", argc, argv, tables, NULL, &first);
    if (status == OPTIONS_HELP) {
        print_help();
        return STATUS_OK;
    }
    if (status == STATUS_OK && o.devices)
        status = ranks_list_check(o.devices);
    if (status != STATUS_OK)
        return status;
    const char *only = first < argc ? argv[first] : NULL;
    bool known = !only;
    for (int i = 0; i < SUBJECTS && only; i++)
        known = known || strcmp(only, subjects[i].name) == 0;
    if (!known || argc - first > 1)
        return fail(STATUS_USAGE,
                    "bench: %s: give one of wind, momentum, fire, flow, pressure, domain, start, "
                    "or none for all",
                    known ? argv[first + 1] : only);
    foehn_context_params params = foehn_context_params_default();
    params.device = o.device;
    foehn_status made = foehn_context_create(&params, &b.ctx);
    if (made != FOEHN_OK)
        return fail_library(made);
    b.style = o.json ? BENCH_JSON : o.markdown ? BENCH_MARKDOWN : BENCH_TEXT;
    b.device = o.device;
    b.devices = o.devices;
    stop_on_signals();
    stop_between_steps(); /* cases are its steps */
    progress_begin(false);
    status = run_subjects(&b, only, o.most);
    progress_clear();
    foehn_context_destroy(b.ctx);
    return status;
}
