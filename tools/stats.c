/* SPDX-License-Identifier: MIT */
/* Figures of a run as JSON. */
#include "config.h"

#include "stats.h"

#include "file.h"
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int step_timer_create(step_timer *t, foehn_context *ctx, bool device)
{
    memset(t, 0, sizeof *t);
    t->ctx = ctx;
    t->device = device;
    return device ? fail_library(foehn_context_set_timing(ctx, 1)) : STATUS_OK;
}

void step_timer_start(step_timer *t)
{
    double others; /* of pictures and files since the last step: not this step's */
    t->begun = t->device ? foehn_context_get_device_time(t->ctx, &others) : FOEHN_OK;
    t->started = seconds_now();
}

int step_timer_stop(step_timer *t)
{
    foehn_status waited = t->begun == FOEHN_OK ? foehn_context_wait(t->ctx) : t->begun;
    if (waited != FOEHN_OK)
        return fail_library(waited);
    size_t slot = t->count++ % STEP_TIMES;
    t->wall[slot] = seconds_now() - t->started;
    stop_between_steps(); /* its kernels are built */
    if (!t->device)
        return STATUS_OK;
    return fail_library(foehn_context_get_device_time(t->ctx, &t->on_device[slot]));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ms(const double *times, uint64_t count)
{
    double sorted[STEP_TIMES];
    size_t n = count < STEP_TIMES ? (size_t)count : STEP_TIMES;
    if (n == 0)
        return NAN;
    memcpy(sorted, times, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    return 500 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

double step_timer_median_ms(const step_timer *t)
{
    return median_ms(t->wall, t->count);
}

int stats_begin(stats_file *f, const char *path, const step_timer *t, uint64_t steps, double dt,
                double wall, uint64_t cells)
{
    f->path = path;
    f->temporary = NULL;
    f->stream = stdout;
    if (strcmp(path, "-") != 0) {
        int status = file_begin(path, &f->temporary);
        if (status != STATUS_OK)
            return status;
        f->stream = fopen(f->temporary, "w");
        if (!f->stream)
            return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    }
    foehn_device_info device = {.struct_size = sizeof device};
    foehn_status got = foehn_context_get_device(t->ctx, &device);
    if (got != FOEHN_OK)
        return fail_library(got);
    double step_ms = median_ms(t->wall, t->count);
    json_begin(&f->j, f->stream);
    json_object(&f->j, NULL);
    json_text(&f->j, "device", device.name);
    json_text(&f->j, "platform", device.platform);
    json_count(&f->j, "steps", steps);
    json_number(&f->j, "dt", dt);
    json_number(&f->j, "wall_s", wall);
    json_number(&f->j, "step_ms_median", step_ms);
    json_number(&f->j, "device_ms_median", median_ms(t->on_device, t->count));
    json_count(&f->j, "cells", cells);
    json_number(&f->j, "cells_per_s", 1e3 * (double)cells / step_ms);
    json_count(&f->j, "memory_bytes", foehn_context_get_memory(t->ctx));
    return STATUS_OK;
}

int stats_end(stats_file *f)
{
    json_close(&f->j, '}');
    json_end(&f->j);
    bool good = !ferror(f->stream);
    if (f->temporary)
        good = fclose(f->stream) == 0 && good;
    if (!good) {
        file_discard(f->temporary);
        return fail(STATUS_FAILED, "%s: cannot be written: %s", f->path, strerror(errno));
    }
    return f->temporary ? file_commit(f->temporary) : STATUS_OK;
}
