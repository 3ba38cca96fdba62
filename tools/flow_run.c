/* SPDX-License-Identifier: MIT */
/* foehn flow: run a scene and write what was asked for. */
#include "config.h"

#include "file.h"
#include "flow.h"
#include "progress.h"
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_STEPS = 10 }; /* between looks at whether the flow has blown up */

typedef struct csv_out {
    const char *path, *temporary;
    FILE *stream;
} csv_out;

typedef struct run {
    flow_scene *s;
    const common_options *o;
    int layer;
    foehn_context *ctx;
    foehn_flow *flow;
    step_timer timer;
    double dt, started, wall;
    uint64_t steps, done;
    int pictures; /* of a sequence so far */
    csv_out csv[MOST_OUTPUTS];
    /* The last state that was good, for a run that blows up. */
    float *good[4];
    bool has_good, blown_up;
} run;

static bool has_extension(const char *path, const char *extension)
{
    size_t n = strlen(path), m = strlen(extension);
    return n > m && strcmp(path + n - m, extension) == 0;
}

/* ---- set-up ---- */

static int check_outputs(const run *r)
{
    for (int i = 0; i < r->o->output_count; i++) {
        const char *path = r->o->outputs[i];
        if (!has_extension(path, ".png") && !has_extension(path, ".csv"))
            return fail(STATUS_USAGE, "--out %s: flow writes .png (a layer) and .csv (measures)",
                        path);
        if (has_extension(path, ".csv") && r->s->measure_count == 0)
            return fail(STATUS_USAGE, "--out %s: the scene %s measures nothing", path, r->s->name);
    }
    if (r->o->checkpoint || r->o->resume)
        return fail(STATUS_USAGE, "flow has no checkpoints: leave out --checkpoint and --resume");
    return STATUS_OK;
}

static int create(run *r)
{
    const flow_scene *s = r->s;
    foehn_context_params cp = foehn_context_params_default();
    cp.device = r->o->device;
    foehn_status got = foehn_context_create(&cp, &r->ctx);
    if (got != FOEHN_OK)
        return fail_library(got);
    int status = step_timer_create(&r->timer, r->ctx, r->o->stats != NULL);
    if (status != STATUS_OK)
        return status;
    progress_say("building kernels; the first time on a device this can take half a minute");
    got = foehn_flow_create(r->ctx, &s->params, &r->flow);
    for (int i = 0; got == FOEHN_OK && i < FOEHN_FLOW_MOST_OBSTACLES; i++)
        if (s->obstacle[i].shape != FOEHN_FLOW_NOTHING)
            got = foehn_flow_set_obstacle(r->flow, i, &s->obstacle[i]);
    if (got == FOEHN_OK)
        got = foehn_flow_restart(r->flow);
    progress_clear();
    if (got == FOEHN_ERROR_ARGUMENT)
        return fail(STATUS_INPUT, "%s:%d: %s", s->name, s->line, foehn_last_error());
    return got == FOEHN_OK ? flow_start_write(s, r->flow) : fail_library(got);
}

static int open_csv(run *r)
{
    for (int i = 0; i < r->o->output_count; i++) {
        csv_out *c = &r->csv[i];
        if (!has_extension(r->o->outputs[i], ".csv"))
            continue;
        c->path = r->o->outputs[i];
        int status = file_begin(c->path, &c->temporary);
        if (status != STATUS_OK)
            return status;
        c->stream = fopen(c->temporary, "w");
        if (!c->stream)
            return fail(STATUS_FAILED, "%s: cannot be written: %s", c->path, strerror(errno));
        fprintf(c->stream, "time");
        for (int n = 0; n < r->s->measure_count; n++)
            fprintf(c->stream, ",%s", r->s->measures[n].name);
        fputc('\n', c->stream);
    }
    return STATUS_OK;
}

/* ---- outputs ---- */

/* A row: the value of each measure now, over its scale; empty outside its stretch of time. */
static int write_rows(run *r, double time)
{
    double value[MOST_MEASURES];
    bool any = false;
    for (int i = 0; i < r->o->output_count; i++)
        any = any || r->csv[i].stream;
    if (!any)
        return STATUS_OK;
    for (int n = 0; n < r->s->measure_count; n++) {
        const flow_measure *m = &r->s->measures[n];
        bool now = m->samples > 0 && fabs(m->times[m->samples - 1] - time) < 1e-9;
        value[n] = now ? m->series[m->samples - 1] / m->scale : NAN;
    }
    for (int i = 0; i < r->o->output_count; i++) {
        FILE *stream = r->csv[i].stream;
        if (!stream)
            continue;
        fprintf(stream, "%.9g", time);
        for (int n = 0; n < r->s->measure_count; n++)
            if (isnan(value[n]))
                fputc(',', stream);
            else
                fprintf(stream, ",%.9g", value[n]);
        fputc('\n', stream);
    }
    return STATUS_OK;
}

static int write_pictures(run *r, bool sequence)
{
    if (sequence)
        r->pictures++;
    for (int i = 0; i < r->o->output_count; i++) {
        const char *path = r->o->outputs[i];
        char name[1200];
        if (!has_extension(path, ".png"))
            continue;
        if (sequence)
            snprintf(name, sizeof name, "%.*s-%05d.png", (int)(strlen(path) - 4), path,
                     r->pictures);
        else
            snprintf(name, sizeof name, "%s", path);
        int status = flow_picture_write(name, r->s, r->flow, r->layer);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static int commit_csv(run *r)
{
    for (int i = 0; i < r->o->output_count; i++) {
        csv_out *c = &r->csv[i];
        if (!c->stream)
            continue;
        bool good = !ferror(c->stream);
        good = fclose(c->stream) == 0 && good;
        c->stream = NULL;
        if (!good)
            return fail(STATUS_FAILED, "%s: cannot be written: %s", c->path, strerror(errno));
        int status = file_commit(c->temporary);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- blow-up ---- */

static const foehn_flow_field state_fields[4] = {FOEHN_FLOW_U, FOEHN_FLOW_V, FOEHN_FLOW_P,
                                                 FOEHN_FLOW_INK};

/* Look whether the flow is still sound; if so remember it, if not go back to what was remembered. */
static int look(run *r)
{
    foehn_status got = foehn_flow_check(r->flow);
    if (got != FOEHN_OK && got != FOEHN_ERROR_UNSTABLE)
        return fail_library(got);
    if (got == FOEHN_ERROR_UNSTABLE) {
        fail(STATUS_FAILED, "%s; the state of step %llu is written", foehn_last_error(),
             (unsigned long long)(r->done > CHECK_STEPS ? (r->done - 1) / CHECK_STEPS * CHECK_STEPS
                                                        : 0));
        r->blown_up = true;
    }
    for (int k = 0; k < 4; k++) {
        size_t n = foehn_flow_get_field_size(r->flow, state_fields[k]);
        if (!r->good[k] && !(r->good[k] = malloc(n * sizeof(float))))
            return fail_memory();
        got = !r->blown_up   ? foehn_flow_read(r->flow, state_fields[k], r->good[k])
              : r->has_good ? foehn_flow_write(r->flow, state_fields[k], r->good[k])
                            : FOEHN_OK;
        if (got != FOEHN_OK)
            return fail_library(got);
    }
    r->has_good = true;
    return STATUS_OK;
}

/* ---- the run ---- */

static int step(run *r)
{
    double time = (double)r->done * r->dt;
    int status = flow_events_apply(r->s, r->flow, time, r->dt);
    if (status != STATUS_OK)
        return status;
    step_timer_start(&r->timer);
    foehn_status got = foehn_flow_step(r->flow, (float)r->dt);
    if (got != FOEHN_OK)
        return fail_library(got);
    status = step_timer_stop(&r->timer);
    if (status != STATUS_OK)
        return status;
    r->done++;
    time = (double)r->done * r->dt;
    if (r->done % CHECK_STEPS == 0 || r->done == r->steps)
        status = look(r);
    if (status != STATUS_OK || r->blown_up)
        return status;
    uint64_t stride = (uint64_t)fmax(1, rint(r->s->sample / r->dt));
    bool sample = r->done % stride == 0 || r->done == r->steps;
    status = flow_measures_step(r->s, r->flow, time, r->dt, sample);
    if (status == STATUS_OK && sample)
        status = write_rows(r, time);
    uint64_t every = r->o->every > 0 ? (uint64_t)fmax(1, rint(r->o->every / r->dt)) : 0;
    if (status == STATUS_OK && every && r->done % every == 0)
        status = write_pictures(r, true);
    return status;
}

static int stats_own(run *r, stats_file *f)
{
    const flow_scene *s = r->s;
    foehn_flow_info info;
    foehn_flow_stats now;
    foehn_flow_get_info(r->flow, &info);
    foehn_status got = foehn_flow_read_stats(r->flow, &now);
    if (got != FOEHN_OK && got != FOEHN_ERROR_UNSTABLE)
        return fail_library(got);
    foehn_flow_push push = {.cd = NAN, .cl = NAN};
    const foehn_flow_obstacle *o = &s->obstacle[0];
    double box[4] = {info.spacing, info.spacing, info.extent[0] - info.spacing,
                     info.extent[1] - info.spacing};
    if (foehn_flow_read_push(r->flow, 0, &push) != FOEHN_OK)
        push.cd = push.cl = NAN;
    else
        for (int k = 0; k < 4; k++)
            box[k] = (double)o->center[k % 2] + (k < 2 ? -1 : 1) * (double)o->size;
    double circulation = NAN;
    if (foehn_flow_read_circulation(r->flow, box, &circulation) != FOEHN_OK)
        circulation = NAN;
    json_text(&f->j, "scene", s->name);
    json_number(&f->j, "max_speed", now.max_speed);
    json_number(&f->j, "max_div_h_over_u", now.max_div_h_over_u);
    json_number(&f->j, "max_vorticity", now.max_vorticity);
    json_number(&f->j, "cl", push.cl);
    json_number(&f->j, "cd", push.cd);
    json_number(&f->j, "circulation", circulation);
    json_truth(&f->j, "blown_up", r->blown_up);
    json_object(&f->j, "measures");
    for (int n = 0; n < s->measure_count; n++)
        json_number(&f->j, s->measures[n].name, s->measures[n].value);
    json_close(&f->j, '}');
    return STATUS_OK;
}

static int finish(run *r)
{
    int status = write_pictures(r, false);
    if (status == STATUS_OK)
        status = commit_csv(r);
    if (status != STATUS_OK || !r->o->stats)
        return status;
    stats_file f;
    uint64_t cells = (uint64_t)r->s->params.nx * (uint64_t)r->s->params.ny;
    status = stats_begin(&f, r->o->stats, &r->timer, r->done, r->dt, r->wall, cells);
    if (status == STATUS_OK)
        status = stats_own(r, &f);
    return status == STATUS_OK ? stats_end(&f) : status;
}

static void say(const run *r)
{
    foehn_device_info device = {.struct_size = sizeof device};
    if (foehn_context_get_device(r->ctx, &device) != FOEHN_OK)
        return;
    report("%s: %d x %d cells, %llu steps of %g on %s: %.2f s, %.2f ms a step", r->s->title,
           r->s->params.nx, r->s->params.ny, (unsigned long long)r->done, r->dt, device.name,
           r->wall, step_timer_median_ms(&r->timer));
    for (int n = 0; n < r->s->measure_count; n++)
        report("  %-32s %.6g", r->s->measures[n].name, r->s->measures[n].value);
}

static int go(run *r)
{
    const flow_scene *s = r->s;
    r->dt = r->o->dt > 0 ? r->o->dt : s->dt;
    double duration = r->o->duration > 0 ? r->o->duration : s->duration;
    r->steps = r->o->steps ? r->o->steps : (uint64_t)fmax(1, rint(duration / r->dt));
    int status = check_outputs(r);
    if (status == STATUS_OK)
        status = create(r);
    if (status == STATUS_OK)
        status = open_csv(r);
    if (status == STATUS_OK)
        status = flow_measures_begin(r->s);
    if (status == STATUS_OK)
        status = flow_measures_step(r->s, r->flow, 0, r->dt, true);
    r->started = seconds_now();
    while (status == STATUS_OK && r->done < r->steps && !r->blown_up && !stop_requested()) {
        status = step(r);
        progress_show("flowing", r->done, r->steps, (double)r->done * r->dt);
    }
    progress_clear();
    r->wall = seconds_now() - r->started;
    if (status == STATUS_OK)
        status = finish(r);
    if (status == STATUS_OK)
        say(r);
    return status == STATUS_OK && r->blown_up ? STATUS_FAILED : status;
}

int flow_run(flow_scene *scene, const common_options *options, int layer, bool layer_given)
{
    run *r = calloc(1, sizeof *r);
    if (!r)
        return fail_memory();
    r->s = scene;
    r->o = options;
    r->layer = layer_given ? layer : scene->layer;
    scene->params.seed = options->seed;
    if (r->layer == LAYER_PARTICLES && scene->params.particles == 0)
        scene->params.particles = 4000;
    stop_on_signals();
    progress_begin(options->quiet);
    report_to(options->quiet ? NULL
              : options->stats && strcmp(options->stats, "-") == 0 ? stderr : stdout);
    int status = go(r);
    foehn_flow_destroy(r->flow);
    foehn_context_destroy(r->ctx);
    for (int k = 0; k < 4; k++)
        free(r->good[k]);
    for (int i = 0; i < options->output_count; i++)
        if (r->csv[i].stream) {
            fclose(r->csv[i].stream);
            file_discard(r->csv[i].temporary);
        }
    free(r);
    return status;
}
