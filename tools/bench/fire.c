/* SPDX-License-Identifier: MIT */
/* foehn bench fire: updates and pictures of the preset, at several resolutions and with the methods
 * beyond it, and of a fire that burns: 1.5 MW. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UPDATE (1 / 30.0) /* s: one fixed step */

typedef struct fire_case {
    const char *name;
    double resolution;
    bool maccormack, multigrid, staggered, colliders, burn;
} fire_case;

static const fire_case cases[] = {
    {"preset", 1, false, false, false, false, false},
    {"preset, colliders", 1, false, false, false, true, false},
    {"maccormack", 1, true, false, false, false, false},
    {"multigrid", 1, false, true, false, false, false},
    {"staggered, multigrid", 1, false, true, true, false, false},
    {"preset", 2, false, false, false, false, false},
    {"preset", 4, false, false, false, false, false},
    {"burn", 1, true, true, true, false, true},
    {"burn", 2, true, true, true, false, true},
    {"burn", 4, true, true, true, false, true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct fire_figures {
    char cells[48], method[32];
    double count, launches, update_ms, device_ms, picture_ms, bytes, copy;
} fire_figures;

static const bench_column stage_columns[] = {
    {"cells", "cells of smoke", -14}, {"method", "method", -21},       {"kernel", "kernel", -22},
    {"launches", "launches", 9},      {"device_ms", "ms", 9},          {"megabytes", "MB", 9},
    {"gb_per_s", "GB/s", 9},          {"share_of_copy", "of copy", 8},
};
static const bench_column update_columns[] = {
    {"cells", "cells of smoke", -14}, {"method", "method", -21},
    {"launches", "launches", 9},      {"update_ms", "ms an update", 13},
    {"device_ms", "on device", 10},   {"picture_ms", "ms a picture", 13},
    {"memory_mb", "MB", 9},           {"copy_gb_per_s", "copy GB/s", 10},
};

/* ---- jobs ---- */

typedef struct fire_job {
    foehn_fire *fire;
    foehn_fire_picture picture;
} fire_job;

static foehn_status updates(void *data, int count)
{
    fire_job *job = data;
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++)
        status = foehn_fire_update(job->fire, UPDATE);
    return status;
}

static foehn_status pictures(void *data, int count)
{
    fire_job *job = data;
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++) {
        job->picture.frame++;
        status = foehn_fire_draw(job->fire, &job->picture);
    }
    return status;
}

static foehn_status both(void *data, int count)
{
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < count && status == FOEHN_OK; i++) {
        status = updates(data, 1);
        if (status == FOEHN_OK)
            status = pictures(data, 1);
    }
    return status;
}

/* A disk of points over the floor, burning, in a fire that burns fuel with a power in kW; a box and
 * a ball above it. */
static foehn_status kindle(foehn_fire *fire, bool colliders, double power)
{
    enum { POINTS = 512 };
    float points[POINTS][3];
    const double turn = 2.39996322972865332; /* the golden angle: Vogel's spiral */
    for (int i = 0; i < POINTS; i++) {
        double radius = 0.6 * sqrt((i + 0.5) / POINTS);
        points[i][0] = (float)(radius * cos(i * turn));
        points[i][1] = 0.3f;
        points[i][2] = (float)(radius * sin(i * turn));
    }
    const foehn_fire_emitter emitter = {POINTS, (const float(*)[3])points, 1};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    int index;
    proxy.power = (float)power;
    foehn_status status = foehn_fire_add_emitter(fire, &emitter, &index);
    if (status == FOEHN_OK)
        status = foehn_fire_set_proxy(fire, index, 0, &proxy);
    foehn_fire_collider c = foehn_fire_collider_default();
    c.half[0] = c.half[1] = c.half[2] = 0.4;
    for (int shape = FOEHN_FIRE_BOX; shape <= FOEHN_FIRE_ELLIPSOID && colliders; shape++) {
        c.pose.position[0] = shape == FOEHN_FIRE_BOX ? -0.8 : 0.8;
        c.pose.position[1] = 2;
        if (status == FOEHN_OK)
            status = foehn_fire_set_collider(fire, (foehn_fire_shape)shape, 0, &c);
    }
    return status;
}

/* ---- rows ---- */

static void stage_rows(bench *b, const fire_figures *f, int count, size_t found,
                       const foehn_timing *timings)
{
    for (size_t i = 0; i < found; i++) {
        const foehn_timing *t = &timings[i];
        double rate = t->seconds > 0 ? t->bytes / t->seconds : NAN;
        bool known = t->bytes > 0;
        bench_table_row(b, (bench_cell[]){TEXT_CELL(f->cells), TEXT_CELL(f->method),
                                          TEXT_CELL(t->kernel),
                                          NUMBER_CELL((double)t->launches / count, 2),
                                          NUMBER_CELL(1e3 * t->seconds / count, 4),
                                          NUMBER_CELL(known ? 1e-6 * t->bytes / count : NAN, 3),
                                          NUMBER_CELL(known ? rate * 1e-9 : NAN, 2),
                                          NUMBER_CELL(known ? rate / f->copy : NAN, 2)});
    }
}

/* What the preset must reach: 2 ms with its picture on the largest GPUs, 120 ms on two cores. */
static int compare(bench *b, const fire_figures *f)
{
    foehn_device_info info = {.struct_size = sizeof info};
    foehn_status got = foehn_context_get_device(b->ctx, &info);
    if (got != FOEHN_OK)
        return fail_library(got);
    if (info.type == FOEHN_DEVICE_GPU)
        bench_compare(b, "fire, preset: an update and a picture of 1280x720, ms",
                      f->update_ms + f->picture_ms, false, 2);
    else
        bench_compare(b, "fire, preset: an update, ms", f->update_ms, false, 120);
    return STATUS_OK;
}

static int measure(bench *b, fire_job *job, fire_figures *f)
{
    double seconds, drawing, ignored;
    foehn_timing timings[MOST_STAGES];
    size_t found;
    int status = fail_library(updates(job, 30)); /* until there is a fire */
    if (status == STATUS_OK)
        status = fail_library(pictures(job, 1));
    if (status == STATUS_OK)
        status = bench_time(b, updates, job, &seconds, &f->launches);
    if (status == STATUS_OK)
        status = bench_time(b, pictures, job, &drawing, &ignored);
    if (status != STATUS_OK)
        return status;
    int count = (int)fmin(fmax(0.3 / (seconds + drawing), 4), 200);
    status = bench_time_kernels(b, both, job, count, &found, timings);
    if (status == STATUS_OK)
        status = bench_copy(b, (uint64_t)(f->count * 4 * sizeof(float)), &f->copy);
    if (status != STATUS_OK)
        return status;
    f->update_ms = 1e3 * seconds;
    f->picture_ms = 1e3 * drawing;
    f->device_ms = 0;
    for (size_t i = 0; i < found; i++)
        f->device_ms += 1e3 * timings[i].seconds / count;
    stage_rows(b, f, count, found, timings);
    return STATUS_OK;
}

/* *done: the case fitted. */
static int run_case(bench *b, const fire_case *c, fire_figures *f, bool *done)
{
    foehn_fire_params params = foehn_fire_params_default();
    fire_job job = {NULL, foehn_fire_picture_default()};
    foehn_fire_info info;
    *done = false;
    if (c->burn)
        foehn_fire_params_burn(&params);
    params.render_voxel /= c->resolution;
    params.physics_voxel /= c->resolution;
    params.pressure = c->multigrid ? FOEHN_FIRE_MULTIGRID : FOEHN_FIRE_JACOBI;
    params.layout = c->staggered ? FOEHN_FIRE_STAGGERED : FOEHN_FIRE_COLLOCATED;
    if (c->maccormack && !c->burn)
        params.velocity_transport = params.dye_transport = FOEHN_FIRE_MACCORMACK;
    f->count = 1;
    for (int k = 0; k < 3; k++)
        f->count *= rint(params.size[k] / params.render_voxel);
    if (f->count > (double)b->most)
        return STATUS_OK;
    progress_say(c->name);
    foehn_status made = foehn_fire_create(b->ctx, &params, &job.fire);
    if (made == FOEHN_ERROR_MEMORY)
        return STATUS_OK; /* does not fit */
    int status = fail_library(made);
    if (status == STATUS_OK)
        status = fail_library(kindle(job.fire, c->colliders, c->burn ? 1513 : 0));
    if (status == STATUS_OK) {
        foehn_fire_get_info(job.fire, &info);
        const int *n = info.render_cells;
        snprintf(f->cells, sizeof f->cells, "%dx%dx%d", n[0], n[1], n[2]);
        snprintf(f->method, sizeof f->method, "%s", c->name);
        status = measure(b, &job, f);
        foehn_fire_get_info(job.fire, &info);
        f->bytes = (double)info.memory_bytes;
    }
    foehn_fire_destroy(job.fire);
    *done = status == STATUS_OK;
    return status;
}

static void update_row(bench *b, const fire_figures *f)
{
    bench_table_row(b, (bench_cell[]){TEXT_CELL(f->cells), TEXT_CELL(f->method),
                                      NUMBER_CELL(f->launches, 1), NUMBER_CELL(f->update_ms, 4),
                                      NUMBER_CELL(f->device_ms, 4), NUMBER_CELL(f->picture_ms, 4),
                                      NUMBER_CELL(1e-6 * f->bytes, 1),
                                      NUMBER_CELL(f->copy * 1e-9, 2)});
}

int bench_fire(bench *b)
{
    fire_figures figures[CASES];
    bool done[CASES] = {false};
    int status = STATUS_OK;
    bench_table_begin(b, "fire_stages",
                      "Fire: stages of an update and a picture of 1280x720 (device time of all "
                      "launches of a kernel)",
                      8, stage_columns);
    for (int i = 0; i < CASES && status == STATUS_OK && !stop_requested(); i++)
        status = run_case(b, &cases[i], &figures[i], &done[i]);
    bench_table_end(b);
    bench_table_begin(b, "fire_updates",
                      "Fire: whole updates and pictures, untimed (on device: both together)", 8,
                      update_columns);
    for (int i = 0; i < CASES; i++)
        if (done[i])
            update_row(b, &figures[i]);
    bench_table_end(b);
    return status == STATUS_OK && done[0] ? compare(b, &figures[0]) : status;
}
