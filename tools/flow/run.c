/* SPDX-License-Identifier: MIT */
/* foehn flow: run a scene and write what was asked for. */
#include "config.h"

#include "file.h"
#include "flow/flow.h"
#include "output_clock.h"
#include "progress.h"
#include "formats/state.h"
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_STEPS = 10 }; /* between looks at whether the flow has blown up */

typedef struct run {
    flow_scene *s;
    const common_options *o;
    int layer;
    foehn_context *ctx;
    foehn_flow *flow;
    step_timer timer;
    char device[256];
    output_clock clock;
    double dt, started, wall, next_checkpoint;
    uint64_t steps;
    flow_progress at;
    const char *csv[MOST_OUTPUTS]; /* temporary names */
    /* The last state that was good, for a run that blows up. */
    float *good[4];
    uint64_t good_step;
    bool has_good, blown_up;
} run;

static bool has_extension(const char *path, const char *extension)
{
    size_t n = strlen(path), m = strlen(extension);
    return n > m && strcmp(path + n - m, extension) == 0;
}

/* ---- set-up ---- */

static int check_files(run *r)
{
    for (int i = 0; i < r->o->output_count; i++) {
        const char *path = r->o->outputs[i];
        if (!has_extension(path, ".png") && !has_extension(path, ".csv"))
            return fail(STATUS_USAGE, "--out %s: flow writes .png (a layer) and .csv (measures)",
                        path);
        if (has_extension(path, ".csv") && r->s->measure_count == 0)
            return fail(STATUS_USAGE, "--out %s: the scene %s measures nothing", path, r->s->name);
    }
    int status = common_outputs_check(r->o);
    if (status == STATUS_OK && r->o->checkpoint)
        status = state_check(r->o->checkpoint);
    if (status != STATUS_OK || !r->o->resume)
        return status;
    status = flow_state_check(r->o->resume, r->s, r->dt, &r->at.done);
    if (status == STATUS_OK && r->at.done > r->steps)
        return fail(STATUS_USAGE,
                    "--resume %s: it is at step %llu already: give that or more in --steps or "
                    "--duration, which count from the start",
                    r->o->resume, (unsigned long long)r->at.done);
    return status;
}

static int create(run *r)
{
    const flow_scene *s = r->s;
    foehn_context_params cp = foehn_context_params_default();
    cp.device = r->o->device;
    foehn_status got = foehn_context_create(&cp, &r->ctx);
    if (got != FOEHN_OK)
        return fail_library(got);
    foehn_device_info device = {.struct_size = sizeof device};
    if (foehn_context_get_device(r->ctx, &device) == FOEHN_OK)
        snprintf(r->device, sizeof r->device, "%s", device.name);
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
    line_clear();
    if (got == FOEHN_ERROR_ARGUMENT)
        return fail(STATUS_INPUT, "%s:%d: %s", s->name, s->line, foehn_last_error());
    return got == FOEHN_OK ? flow_start_write(s, r->flow) : fail_library(got);
}

/* Where CSV files will be, so that what cannot be written is found out before the work. */
static int open_csv(run *r)
{
    int status = STATUS_OK;
    for (int i = 0; i < r->o->output_count && status == STATUS_OK; i++)
        if (has_extension(r->o->outputs[i], ".csv"))
            status = file_begin(r->o->outputs[i], &r->csv[i]);
    return status;
}

/* Go on from a checkpoint. */
static int resume(run *r)
{
    int status = flow_state_read(r->o->resume, r->s, r->dt, r->device, r->flow, &r->at);
    if (status == STATUS_OK)
        report("resumed after step %llu, time %.6g", (unsigned long long)r->at.done,
               output_clock_time(&r->clock, r->at.done));
    return status;
}

/* ---- outputs ---- */

/* Put text at the end of the rows, which a checkpoint keeps. */
static int add_text(flow_progress *at, const char *text)
{
    size_t more = strlen(text), needed = at->row_bytes + more + 1;
    if (needed > at->row_room) {
        char *rows = realloc(at->rows, 2 * needed);
        if (!rows)
            return fail_memory();
        at->rows = rows;
        at->row_room = 2 * needed;
    }
    memcpy(at->rows + at->row_bytes, text, more + 1);
    at->row_bytes += more;
    return STATUS_OK;
}

/* A row: the value of each measure now, over its scale; empty outside its stretch of time. */
static int add_row(run *r, double time)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", time);
    int status = add_text(&r->at, text);
    for (int n = 0; n < r->s->measure_count && status == STATUS_OK; n++) {
        const flow_measure *m = &r->s->measures[n];
        bool now = m->samples > 0 && fabs(m->times[m->samples - 1] - time) < 1e-9;
        double value = now ? m->series[m->samples - 1] / m->scale : NAN;
        snprintf(text, sizeof text, isnan(value) ? "," : ",%.9g", value);
        status = add_text(&r->at, text);
    }
    return status == STATUS_OK ? add_text(&r->at, "\n") : status;
}

static bool write_csv(const run *r, const char *path)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    fprintf(stream, "time");
    for (int n = 0; n < r->s->measure_count; n++)
        fprintf(stream, ",%s", r->s->measures[n].name);
    fprintf(stream, "\n%s", r->at.rows ? r->at.rows : "");
    bool good = !ferror(stream);
    return fclose(stream) == 0 && good;
}

static int write_pictures(run *r, bool sequence)
{
    if (sequence)
        r->at.pictures++;
    for (int i = 0; i < r->o->output_count; i++) {
        const char *path = r->o->outputs[i];
        char name[1200];
        if (!has_extension(path, ".png"))
            continue;
        if (sequence)
            snprintf(name, sizeof name, "%.*s-%05d.png", (int)(strlen(path) - 4), path,
                     r->at.pictures);
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
    int status = STATUS_OK;
    for (int i = 0; i < r->o->output_count && status == STATUS_OK; i++) {
        if (!r->csv[i])
            continue;
        if (!write_csv(r, r->csv[i]))
            return fail(STATUS_FAILED, "%s: cannot be written: %s", r->o->outputs[i],
                        strerror(errno));
        status = file_commit(r->csv[i]);
        r->csv[i] = NULL;
    }
    return status;
}

/* ---- blow-up ---- */

static const foehn_flow_field state_fields[4] = {FOEHN_FLOW_U, FOEHN_FLOW_V, FOEHN_FLOW_P,
                                                 FOEHN_FLOW_INK};

/* Look whether the flow is still sound; if so remember it, if not go back to what was remembered.
 */
static int look(run *r)
{
    foehn_status got = foehn_flow_check(r->flow);
    if (got != FOEHN_OK && got != FOEHN_ERROR_UNSTABLE)
        return fail_library(got);
    if (got == FOEHN_ERROR_UNSTABLE) {
        fail(STATUS_FAILED, "%s; the state of step %llu is written", foehn_last_error(),
             (unsigned long long)r->good_step);
        r->blown_up = true;
    } else
        r->good_step = r->at.done;
    for (int k = 0; k < 4; k++) {
        size_t n = foehn_flow_get_field_size(r->flow, state_fields[k]);
        if (!r->good[k] && !(r->good[k] = malloc(n * sizeof(float))))
            return fail_memory();
        got = !r->blown_up  ? foehn_flow_read(r->flow, state_fields[k], r->good[k])
              : r->has_good ? foehn_flow_write(r->flow, state_fields[k], r->good[k])
                            : FOEHN_OK;
        if (got != FOEHN_OK)
            return fail_library(got);
    }
    r->has_good = true;
    return STATUS_OK;
}

/* ---- the run ---- */

static int save(run *r)
{
    return flow_state_write(r->o->checkpoint, r->s, r->dt, r->device, r->flow, &r->at);
}

static int sample(run *r)
{
    double time = output_clock_time(&r->clock, r->at.done);
    int status = flow_measures_sample(r->s, r->flow, time, r->dt);
    return status == STATUS_OK ? add_row(r, time) : status;
}

/* Steps between samples. */
static uint64_t stride(const run *r)
{
    return (uint64_t)fmax(1, rint(r->s->sample / r->dt));
}

static int after_step(run *r)
{
    const common_options *o = r->o;
    double time = output_clock_time(&r->clock, r->at.done);
    int status = STATUS_OK;
    if (r->at.done % CHECK_STEPS == 0 || r->at.done == r->steps)
        status = look(r);
    if (status != STATUS_OK || r->blown_up)
        return status;
    status = flow_measures_step(r->s, r->flow, time, r->dt);
    if (status == STATUS_OK && r->at.done % stride(r) == 0)
        status = sample(r);
    if (status == STATUS_OK && output_clock_strikes(&r->clock, r->at.done))
        status = write_pictures(r, true);
    if (status == STATUS_OK && o->checkpoint_every > 0 && time >= r->next_checkpoint - 1e-9) {
        r->next_checkpoint += o->checkpoint_every;
        status = save(r);
    }
    return status;
}

static int step(run *r)
{
    int status = flow_events_apply(r->s, r->flow, output_clock_time(&r->clock, r->at.done), r->dt);
    if (status != STATUS_OK)
        return status;
    step_timer_start(&r->timer);
    foehn_status got = foehn_flow_step(r->flow, (float)r->dt);
    if (got != FOEHN_OK)
        return fail_library(got);
    status = step_timer_stop(&r->timer);
    r->at.done++;
    return status == STATUS_OK ? after_step(r) : status;
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
    status = stats_begin(&f, r->o->stats, &r->timer, r->at.done, r->dt, r->wall, cells);
    if (status == STATUS_OK)
        status = stats_own(r, &f);
    return status == STATUS_OK ? stats_end(&f) : status;
}

static void say(const run *r)
{
    report("%s: %d x %d cells, %llu steps of %g on %s: %.2f s, %.2f ms a step", r->s->title,
           r->s->params.nx, r->s->params.ny, (unsigned long long)r->at.done, r->dt, r->device,
           r->wall, step_timer_median_ms(&r->timer));
    for (int n = 0; n < r->s->measure_count; n++)
        report("  %-32s %.6g", r->s->measures[n].name, r->s->measures[n].value);
}

static int set_up(run *r)
{
    const flow_scene *s = r->s;
    r->clock = output_clock_start(r->o->dt > 0 ? r->o->dt : s->dt, r->o->every);
    r->dt = r->clock.dt;
    double duration = r->o->duration > 0 ? r->o->duration : s->duration;
    r->steps = r->o->steps ? r->o->steps : (uint64_t)fmax(1, rint(duration / r->dt));
    int status = check_files(r);
    if (status == STATUS_OK)
        status = open_csv(r);
    if (status == STATUS_OK)
        status = create(r);
    if (status == STATUS_OK)
        status = flow_measures_begin(r->s);
    if (status == STATUS_OK && r->o->resume)
        status = resume(r);
    else if (status == STATUS_OK)
        status = flow_measures_step(r->s, r->flow, 0, r->dt);
    if (status == STATUS_OK && !r->o->resume)
        status = flow_measures_sample(r->s, r->flow, 0, r->dt);
    if (status == STATUS_OK)
        status = look(r); /* what to go back to */
    r->next_checkpoint = output_clock_time(&r->clock, r->at.done) + r->o->checkpoint_every;
    return status;
}

static int go(run *r)
{
    int status = set_up(r);
    r->started = seconds_now();
    while (status == STATUS_OK && r->at.done < r->steps && !r->blown_up && !stop_requested()) {
        status = step(r);
        progress_show("flowing", r->at.done, r->steps, output_clock_time(&r->clock, r->at.done));
    }
    line_clear();
    r->wall = seconds_now() - r->started;
    /* Before the last sample: a longer run would not have it. */
    if (status == STATUS_OK && r->o->checkpoint && !r->blown_up)
        status = save(r);
    if (status == STATUS_OK && r->at.done == r->steps && r->at.done % stride(r) != 0 &&
        !r->blown_up)
        status = sample(r);
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
    report_to(options->quiet                                       ? NULL
              : options->stats && strcmp(options->stats, "-") == 0 ? stderr
                                                                   : stdout);
    int status = go(r);
    foehn_flow_destroy(r->flow);
    foehn_context_destroy(r->ctx);
    for (int k = 0; k < 4; k++)
        free(r->good[k]);
    for (int i = 0; i < options->output_count; i++)
        file_discard(r->csv[i]);
    free(r->at.rows);
    free(r);
    return status;
}
