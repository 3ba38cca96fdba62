/* SPDX-License-Identifier: MIT */
/* foehn wind: the simulation from set-up to files. */
#include "config.h"

#include "progress.h"
#include "ranks.h"
#include "formats/state.h"
#include "wind/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLAT_DURATION 10.0 /* s */
#define LES_DURATION 600.0 /* s */
enum { CHECK_STEPS = 50 }; /* between looks for numbers that blew up */

static int open_device(run *r)
{
    int status = wind_open_device(&r->o->common, &r->site.scene, &r->ctx);
    return status == STATUS_OK ? step_timer_create(&r->timer, r->ctx, r->o->common.stats != NULL)
                               : status;
}

static int create_wind(run *r)
{
    const foehn_wind_params *p = &r->site.params;
    int status = wind_start(&r->site, r->ctx, &r->wind);
    r->publishes = outputs_want_volume(r->o->common.output_count, r->o->common.outputs);
    if (status == STATUS_OK && r->publishes && ranks_is_first())
        status = fail_library(foehn_volume_create(r->ctx, p->nx, p->ny, p->nz, &r->volume));
    return status;
}

static int plan(run *r)
{
    const common_options *c = &r->o->common;
    double dt = r->site.scene.dt;
    bool mean = r->site.scene.averages;
    if (r->o->model == MODEL_MOMENTUM) {
        report(
            "Run       the momentum model, until the mean at the height drifts by less than 0.5 %% "
            "a flush of the box");
        r->steps = c->steps ? c->steps : UINT64_MAX;
        return STATUS_OK;
    }
    if (r->o->steady) {
        report("Run       the mean wind at once, to a relative residual of %g", r->o->tolerance);
        return STATUS_OK;
    }
    r->to_steady = mean && !r->site.scene.les && !c->steps && !(c->duration > 0);
    char rule[96];
    snprintf(rule, sizeof rule, "%s", c->dt > 0 ? "" : ", half a cell at 1.5 times the wind");
    if (c->every > 0)
        snprintf(rule + strlen(rule), sizeof rule - strlen(rule), ", %llu of them every %g s",
                 (unsigned long long)r->site.scene.steps_every, c->every);
    if (r->to_steady) {
        size_t columns = (size_t)r->site.scene.nx * (size_t)r->site.scene.ny;
        int status = steady_create(&r->steady, columns, dt);
        if (status != STATUS_OK)
            return status;
        r->state.steady = &r->steady;
        r->steps = steady_longest(&r->steady);
        report("Run       to a steady mean, steps of %g s%s", dt, rule);
        return STATUS_OK;
    }
    double duration = c->duration > 0     ? c->duration
                      : r->site.scene.les ? LES_DURATION
                                          : FLAT_DURATION;
    r->steps = c->steps ? c->steps : (uint64_t)ceil(duration / dt - 1e-6);
    r->average_from = mean ? r->steps / 2 : 0;
    report("Run       %llu steps of %g s%s%s", (unsigned long long)r->steps, dt, rule,
           mean && !c->resume ? ", the mean over the second half" : "");
    return r->site.scene.les && r->average_from > 0
               ? eddies_create(&r->eddies, &r->site.scene, r->average_from, r->steps)
               : STATUS_OK;
}

/* Simulated so far; the momentum model chooses its steps. */
static int find_time(run *r)
{
    foehn_wind_progress progress;
    r->time = scene_time(&r->site.scene, r->step);
    if (r->o->model != MODEL_MOMENTUM)
        return STATUS_OK;
    foehn_status read = foehn_wind_get_progress(r->wind, &progress);
    r->time = progress.time;
    return fail_library(read);
}

static int start_mean(run *r)
{
    r->state.average_start = r->time;
    return fail_library(foehn_wind_set_averaging(r->wind, 1));
}

/* From a checkpoint: beyond half of the run its mean goes on, or begins now if it had not. */
static int go_on(run *r, int samples)
{
    int status = STATUS_OK;
    char mean[64] = "";
    const bool begun = r->average_from > 0 && r->step >= r->average_from;
    if (begun && samples == 0)
        status = start_mean(r);
    if (r->average_from > 0)
        snprintf(mean, sizeof mean, ", the mean from %.6g s on",
                 begun ? r->state.average_start : scene_time(&r->site.scene, r->average_from));
    report("Resumed   after step %llu, %.6g s%s", (unsigned long long)r->step, r->time, mean);
    return status;
}

static int set_up(run *r)
{
    const wind_options *o = r->o;
    input_row start = {0, site_speed_at_10m(o, o->u10), o->from, o->gustiness};
    int status = ranks_is_first() ? common_outputs_check(&o->common) : STATUS_OK;
    if (status == STATUS_OK && o->common.checkpoint && ranks_is_first())
        status = state_check(o->common.checkpoint);
    const bool has_weather = o->input && weather_is(o->input);
    if (has_weather)
        start = (input_row){-1, 1, NAN, 0}; /* not known before the box is */
    if (status == STATUS_OK && o->input && !has_weather)
        status = input_read(o->input, &r->input);
    for (size_t i = 0; i < r->input.count; i++)
        r->input.rows[i].u10 = site_speed_at_10m(o, r->input.rows[i].u10);
    if (r->input.count > 0)
        start = input_at(&r->input, 0);
    if (status == STATUS_OK && o->stations)
        status = inlet_read(o, o->time, &r->inlet, &start.u10, &start.from);
    double largest_u10 = start.u10;
    for (size_t i = 0; i < r->input.count; i++)
        largest_u10 = fmax(largest_u10, r->input.rows[i].u10);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = site_create(o, &start, largest_u10, &r->site);
    if (status == STATUS_OK && has_weather)
        status = hours_read(r);
    if (status == STATUS_OK && o->common.resume && ranks_is_first())
        status = checkpoint_check(o->common.resume, o, &r->site);
    if (status == STATUS_OK)
        status = open_device(r);
    if (status == STATUS_OK)
        status = plan(r);
    if (status == STATUS_OK && ranks_is_first())
        status = outputs_open(o->common.output_count, o->common.outputs, &r->site.scene,
                              o->common.every > 0 || r->site.scene.hours,
                              (r->site.scene.has_terrain || r->site.scene.averages) &&
                                  !r->site.scene.hours,
                              &r->outputs);
    status = ranks_agree(status);
    if (status != STATUS_OK)
        return status;
    progress_say("building kernels; the first time on a device this can take half a minute");
    status = create_wind(r);
    if (status == STATUS_OK && r->weather)
        status = hours_set_map(r, 0);
    if (status == STATUS_OK)
        status = wind_reader_create(&r->site, r->wind, r->publishes, r->volume, &r->reader);
    if (status == STATUS_OK &&
        !(r->rows = calloc(scene_points(&r->site.scene) + 1, sizeof *r->rows)))
        status = fail_memory();
    if (status == STATUS_OK && o->common.resume)
        status = checkpoint_read(o->common.resume, o, &r->site, r->wind, &r->state);
    if (status != STATUS_OK)
        return status;
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    r->step = r->first_step = info.step;
    status = find_time(r);
    if (o->common.checkpoint_every > 0)
        r->next_checkpoint = r->time + o->common.checkpoint_every;
    if (status == STATUS_OK && o->common.resume)
        status = go_on(r, info.samples);
    if (r->to_steady)
        r->steps = steady_longest(&r->steady);
    if (status == STATUS_OK && o->common.resume && !r->to_steady && r->step > r->steps)
        return fail(STATUS_USAGE,
                    "--resume %s: it is at step %llu already: give that or more in "
                    "--steps or --duration, which count from the start",
                    o->common.resume, (unsigned long long)r->step);
    return status;
}

static int read_stats(run *r, foehn_wind_stats *stats)
{
    int status = fail_library(foehn_wind_read_stats(r->wind, stats));
    if (status == STATUS_OK && !isnan(stats->pressure_residual))
        r->residual = stats->pressure_residual;
    return status;
}

static int check_numbers(run *r)
{
    foehn_wind_stats stats;
    return read_stats(r, &stats);
}

/* Measuring costs launches, which would count in the time of a step: only those steps are measured
 * whose numbers are looked at anyway, and the last. */
static int choose_measuring(run *r)
{
    uint64_t next = r->step + 1;
    bool measure = next % CHECK_STEPS == 0 || next == r->steps;
    if (!r->o->common.stats || (!measure && r->step % CHECK_STEPS != 0))
        return STATUS_OK;
    return fail_library(foehn_wind_set_measuring(r->wind, measure));
}

static int advance(run *r)
{
    if (r->input.count > 0) {
        input_row row = input_at(&r->input, r->time);
        foehn_wind_state state = site_set_wind(&r->site, &row);
        foehn_status set = foehn_wind_set_state(r->wind, &state);
        if (set != FOEHN_OK)
            return fail_library(set);
    }
    int status = choose_measuring(r);
    if (status != STATUS_OK)
        return status;
    step_timer_start(&r->timer);
    foehn_status made = foehn_wind_step(r->wind, (float)r->site.scene.dt);
    if (made != FOEHN_OK)
        return fail_library(made);
    status = step_timer_stop(&r->timer);
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    r->step = info.step;
    r->time = scene_time(&r->site.scene, r->step);
    return status;
}

/* A field for files: cells go into those that hold them some levels at a time, so that no rank has
 * all of them at once. */
static int read_field(run *r, bool mean, double mean_start, bool result, field *f)
{
    const common_options *c = &r->o->common;
    int status = wind_reader_read(r->reader, mean, mean_start, f);
    const int levels = outputs_want_cells(c->output_count, c->outputs) ? r->site.scene.nz : 0;
    for (int first = 0; first < levels && status == STATUS_OK; first += f->levels) {
        status = wind_reader_read_levels(r->reader, first, f);
        if (status == STATUS_OK && ranks_is_first())
            status = outputs_write_levels(r->outputs, &r->site.scene, f, result);
    }
    return status;
}

static int write_instant(run *r)
{
    field f;
    int status = check_numbers(r);
    if (status == STATUS_OK)
        status = read_field(r, false, 0, false, &f);
    r->state.outputs += status == STATUS_OK ? 1 : 0;
    if (status == STATUS_OK && ranks_is_first())
        status = outputs_write_instant(r->outputs, &r->site.scene, &f, (int)r->state.outputs);
    return status;
}

static int write_probes(run *r)
{
    int status = wind_reader_read_probes(r->reader, false, r->rows);
    if (status == STATUS_OK && ranks_is_first())
        status = outputs_write_probes(r->outputs, &r->site.scene, r->rows);
    return status;
}

static int save(run *r)
{
    return checkpoint_write(r->o->common.checkpoint, r->o, &r->site, r->wind, &r->state);
}

static int after_step(run *r)
{
    const common_options *c = &r->o->common;
    bool output = c->every > 0 && r->step % r->site.scene.steps_every == 0;
    int status = STATUS_OK;
    if (r->average_from > 0 && r->step == r->average_from)
        status = start_mean(r);
    if (status == STATUS_OK && r->step % CHECK_STEPS == 0)
        status = check_numbers(r);
    if (status == STATUS_OK && r->eddies.mean)
        status = eddies_step(&r->eddies, r->wind, r->reader, r->step, r->site.scene.dt);
    if (status == STATUS_OK && r->to_steady)
        status = steady_step(&r->steady, r->wind, r->reader, r->step, r->time);
    if (status == STATUS_OK && scene_points(&r->site.scene) > 0 && (output || !(c->every > 0)))
        status = write_probes(r);
    if (status == STATUS_OK && output)
        status = write_instant(r);
    if (status == STATUS_OK && c->checkpoint_every > 0 && r->time >= r->next_checkpoint - 1e-9) {
        r->next_checkpoint += c->checkpoint_every;
        status = save(r);
    }
    return status;
}

/* Between steps of the momentum model. */
static int while_settling(const foehn_wind_settling *s, void *data)
{
    run *r = data;
    r->time = s->progress.time;
    if (!(r->o->common.checkpoint_every > 0) || r->time < r->next_checkpoint)
        return STATUS_OK;
    r->next_checkpoint = r->time + r->o->common.checkpoint_every;
    return save(r);
}

/* The mean field of the state that the wind has. */
static int solve_mean(void *data)
{
    run *r = data;
    size_t columns = (size_t)r->site.scene.nx * (size_t)r->site.scene.ny;
    if (r->o->model != MODEL_MOMENTUM)
        return mean_wind_find(r->o, r->site.scene.dt, columns, r->wind, r->reader, &r->mean);
    int status = momentum_settle(r->o, r->wind, while_settling, r, &r->settling);
    momentum_describe(&r->settling, &r->site.scene);
    return status;
}

/* A moment of a weather model. */
static int write_hour(run *r)
{
    int status = r->o->common.output_count > 0 ? write_instant(r) : STATUS_OK;
    return status == STATUS_OK && scene_points(&r->site.scene) > 0 ? write_probes(r) : status;
}

/* --steady: no turbulence, no time. */
static int find_mean(run *r)
{
    foehn_wind_state state;
    foehn_wind_get_state(r->wind, &state);
    state.gustiness = 0;
    int status = fail_library(foehn_wind_set_state(r->wind, &state));
    if (status == STATUS_OK && r->o->stations)
        status = inlet_fit(&r->inlet, &r->site, r->wind, solve_mean, r);
    if (status == STATUS_OK)
        status = r->site.scene.hours ? hours_find(r, solve_mean, write_hour) : solve_mean(r);
    if (status == STATUS_OK && r->o->stations)
        status = inlet_finish(&r->inlet, &r->site, r->wind, solve_mean, r);
    if (status == STATUS_OK && r->o->stations)
        inlet_report(&r->inlet);
    r->residual = r->mean.solution.residual;
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    r->step = info.step;
    if (status == STATUS_OK && r->o->model == MODEL_MOMENTUM)
        status = find_time(r);
    if (status == STATUS_OK && scene_points(&r->site.scene) > 0 && !r->site.scene.hours)
        status = write_probes(r);
    return status;
}

static void tell(const run *r)
{
    const bool averaging =
        r->to_steady ? r->steady.averaging : r->average_from > 0 && r->step >= r->average_from;
    if (r->eddies.mean)
        eddies_tell(&r->eddies, r->step, r->steps, r->site.scene.dt);
    else
        progress_show(averaging      ? "averaging"
                      : r->to_steady ? "spin-up"
                                     : "wind",
                      r->step, r->steps, r->time);
}

static int simulate(run *r)
{
    if (r->o->steady)
        return find_mean(r);
    char text[128];
    int length = snprintf(text, sizeof text,
                          "first step; building kernels for a new device can take half a minute");
    if (r->site.scene.les && r->o->spin_up > 0 && r->step == 0)
        snprintf(text + length, sizeof text - (size_t)length,
                 ", then %g s of wind make the turbulence", r->o->spin_up);
    progress_say(text);
    bool first = true;
    while (r->step < r->steps && !r->steady.done && (first || !stop_requested())) {
        first = false;
        int status = advance(r);
        if (status == STATUS_OK)
            status = after_step(r);
        if (status != STATUS_OK)
            return status;
        if (r->to_steady)
            r->steps = steady_longest(&r->steady);
        tell(r);
    }
    line_clear();
    if (stop_requested())
        warn("stopped after step %llu (%.6g s): the files hold what there is",
             (unsigned long long)r->step, r->time);
    return STATUS_OK;
}

static int finish(run *r, double started)
{
    const common_options *c = &r->o->common;
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    bool mean = r->site.scene.averages && info.samples > 0;
    double mean_start = r->to_steady ? r->steady.average_start : r->state.average_start;
    if (r->site.scene.averages && !mean)
        warn("the run was too short for a mean: the files hold the last instant");

    foehn_wind_stats stats;
    int status = read_stats(r, &stats);
    field f;
    const float *east, *north;
    double speed = 0;
    const bool has_result = c->output_count > 0 && !r->site.scene.hours;
    if (status == STATUS_OK && has_result)
        status = read_field(r, mean, mean_start, true, &f);
    if (status == STATUS_OK && has_result && ranks_is_first())
        status = outputs_write_result(r->outputs, &r->site.scene, &f);
    if (status == STATUS_OK)
        status = wind_reader_read_columns(r->reader, mean, &east, &north, &speed);
    if (status == STATUS_OK && c->checkpoint)
        status = save(r);
    if (status == STATUS_OK && ranks_is_first())
        status = outputs_commit(r->outputs);
    if (status != STATUS_OK || !ranks_is_first())
        return status;
    double wall = seconds_now() - started;
    if (run_was_cut(r)) { /* the device holds the moment that was given up */
        speed = r->hours[r->hour_count - 1].speed;
        stats = (foehn_wind_stats){NAN, NAN, NAN, NAN, NAN, NAN};
        report("Result    of the last moment found: mean speed %.2f m/s at %g m above ground",
               speed, r->site.scene.height);
    } else
        report("Result    %smean speed %.2f m/s at %g m above ground, fastest %.2f m/s, |div u| "
               "%.2g 1/s",
               r->site.scene.hours ? "of the last moment: " : "", speed, r->site.scene.height,
               stats.max_speed, stats.mean_abs_divergence);
    if (r->eddies.mean)
        eddies_report(&r->eddies, r->site.scene.dt);
    outputs_report(r->outputs);
    run_report_time(r, wall);
    return c->stats ? run_write_stats(r, wall, &stats, speed) : STATUS_OK;
}

static int run_rank(void *data)
{
    const wind_options *o = data;
    run *r = calloc(1, sizeof *r);
    if (!r)
        return fail_memory();
    r->o = o;
    r->residual = NAN;
    double started = seconds_now();
    int status = set_up(r);
    if (status == STATUS_OK)
        status = simulate(r);
    if (status == STATUS_OK)
        status = finish(r, started);
    line_clear();

    free(r->rows);
    wind_reader_destroy(r->reader);
    outputs_destroy(r->outputs);
    foehn_volume_destroy(r->volume);
    foehn_wind_destroy(r->wind);
    foehn_context_destroy(r->ctx);
    steady_destroy(&r->steady);
    eddies_destroy(&r->eddies);
    site_destroy(&r->site);
    input_destroy(&r->input);
    inlet_destroy(&r->inlet);
    weather_destroy(r->weather);
    free(r->hours);
    free(r);
    return status;
}

/* What several ranks have not learnt. */
static int check_ranks(const wind_options *o)
{
    if (ranks_count() > 1 && o->common.devices &&
        ranks_list_count(o->common.devices) > ranks_count())
        return fail(STATUS_USAGE, "--devices %s: names more devices than the %d ranks take",
                    o->common.devices, ranks_count());
    return STATUS_OK;
}

int wind_run(wind_options *o)
{
    const bool to_stdout = o->common.stats && strcmp(o->common.stats, "-") == 0;
    int status = check_ranks(o);
    if (status != STATUS_OK)
        return status;
    report_to(o->common.quiet ? NULL : to_stdout ? stderr : stdout);
    progress_begin(o->common.quiet || !ranks_is_first());
    stop_on_signals();
    return o->common.devices && ranks_count() == 1 ? ranks_run_local(o->common.devices, run_rank, o)
                                                   : run_rank(o);
}
