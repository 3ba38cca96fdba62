/* SPDX-License-Identifier: MIT */
/* foehn bench: how long each stage takes, against what the device can do. */
#include "config.h"

#include "bench/bench.h"
#include "options.h"
#include "progress.h"
#include "ranks.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(bench *b);
    const char *help;
} subjects[] = {
    {"wind", bench_wind, "steps of the wind, by scheme, size and stage"},
    {"momentum", bench_momentum,
     "the steady equation of motion over a hill: stages, steps, to rest"},
    {"les", bench_les, "large eddies over a hill: stages, a second of wind"},
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

#define OPTIONS bench_options

static const option_row rows[] = {
    {"device", "SPEC", "index of foehn devices, cpu, gpu, or part of a name", TEXT(device)},
    {"devices", "A,B,...",
     "of the parts of bench domain (the best; each its own where there are several)",
     TEXT(devices)},
    {"most", "N", "leave out boxes of more cells (20 million on CPUs, else no limit)",
     WHOLE(most, 1, 1e12)},
    {"markdown", NULL, "tables as Markdown", FLAG(markdown)},
    {"json", NULL, "as a JSON object", FLAG(json)},
    END_OF_OPTIONS};

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
        bench_print_bounds(b);
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
    line_clear();
    foehn_context_destroy(b.ctx);
    return status;
}
