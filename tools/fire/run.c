/* SPDX-License-Identifier: MIT */
/* foehn fire: run a scene and write what was asked for. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "output_clock.h"
#include "progress.h"
#include "formats/state.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_UPDATES = 30 }; /* between looks at whether the fire has blown up */

typedef struct run {
    fire_scene *s;
    const common_options *o;
    int landing_count;
    const char *const *landings;
    foehn_context *ctx;
    foehn_fire *fires[MOST_PANELS];
    fire_wind *wind;
    fire_painter painter;
    fire_files files;
    const int *flipbook; /* columns, rows */
    int loop;
    step_timer timer;
    fire_brands brands;
    char device[128];
    double started, wall;
    uint64_t updates, done, first; /* first: those of the checkpoint that it goes on from */
    output_clock clock;
    uint64_t checkpoint_every; /* updates; 0: only at the end */
    bool told_unfed;
} run;

/* ---- set-up ---- */

static uint64_t updates_in(double seconds, double dt)
{
    return seconds > 0 ? (uint64_t)fmax(1, rint(seconds / dt)) : 0;
}

static bool has_output(const common_options *o, const char *extension)
{
    for (int i = 0; i < o->output_count; i++) {
        size_t n = strlen(o->outputs[i]);
        if (n > 4 && strcmp(o->outputs[i] + n - 4, extension) == 0)
            return true;
    }
    return false;
}

static int create(run *r)
{
    foehn_context_params params = foehn_context_params_default();
    params.device = r->o->device;
    int status = fail_library(foehn_context_create(&params, &r->ctx));
    if (status == STATUS_OK)
        status = step_timer_create(&r->timer, r->ctx, r->o->stats != NULL);
    if (status != STATUS_OK)
        return status;
    foehn_device_info device = {.struct_size = sizeof device};
    if (foehn_context_get_device(r->ctx, &device) == FOEHN_OK)
        snprintf(r->device, sizeof r->device, "%.127s", device.name);
    progress_say("building kernels; the first time on a device this can take half a minute");
    for (int n = 0; n < r->s->panel_count && status == STATUS_OK; n++)
        status = fire_create(r->s, n, r->o->seed, r->ctx, &r->fires[n]);
    line_clear();
    return status;
}

/* What needs no device: seconds of its start are not spent on what cannot be run or written. */
static int check(run *r)
{
    int status = fire_files_check(r->o);
    if (status == STATUS_OK)
        status = fire_files_check_scene(r->o, r->s);
    if (status == STATUS_OK)
        status = common_outputs_check(r->o);
    for (int n = 0; n < r->landing_count && status == STATUS_OK; n++)
        status = fire_landings_check(r->s, r->landings[n]);
    if (status == STATUS_OK && r->o->checkpoint)
        status = state_check(r->o->checkpoint);
    if (status == STATUS_OK)
        status = fire_check(r->s, r->o->seed);
    if (status != STATUS_OK || !r->o->resume)
        return status;
    uint64_t done = 0;
    status = fire_state_check(r->o->resume, r->s, r->o, &done);
    if (status == STATUS_OK && done > r->updates)
        return fail(STATUS_USAGE, "--resume %s: it is at step %llu already: give more --steps",
                    r->o->resume, (unsigned long long)done);
    return status;
}

static int resume(run *r)
{
    fire_progress progress;
    int status = fire_state_read(r->o->resume, r->s, r->o, r->device, r->fires, &progress);
    if (status != STATUS_OK)
        return status;
    r->done = r->first = progress.updates;
    r->files.written = progress.written;
    return STATUS_OK;
}

static int set_up(run *r)
{
    int status = check(r);
    if (status == STATUS_OK)
        status = fire_picture_size(r->s);
    if (status == STATUS_OK && has_output(r->o, ".png"))
        status = fire_painter_create(r->s, r->painter.bits, &r->painter);
    if (status == STATUS_OK && r->flipbook[0])
        status = fire_flipbook_create(
            r->s, r->flipbook, r->loop, (int)(r->updates / r->clock.steps_every),
            has_output(r->o, ".png"), has_output(r->o, ".exr"), &r->files.book);
    if (status == STATUS_OK)
        status = fire_wind_open(&r->s->wind, r->s, &r->wind);
    if (status == STATUS_OK)
        status = create(r);
    r->files.ctx = r->ctx;
    if (status == STATUS_OK)
        status = fire_files_open(&r->files);
    /* The wind first: a fire that has not begun starts in it. */
    if (status == STATUS_OK)
        status = fire_wind_set(r->wind, r->s->panel_count, r->fires, 0);
    if (status == STATUS_OK && r->o->resume)
        status = resume(r);
    return status;
}

/* ---- the run ---- */

static int blown_up(foehn_status got)
{
    if (got == FOEHN_ERROR_UNSTABLE)
        return fail(STATUS_FAILED, "%s: weaken buoyancy, confinement or turbulence",
                    foehn_last_error());
    return fail_library(got);
}

/* Emitters that a collider swallows, as coarse voxels let it, give nothing: those of the last
 * update, which began at the time of the one before. */
static void tell_if_unfed(run *r, const foehn_fire_measures *m)
{
    fire_front front;
    if (r->told_unfed || r->s->body_count == 0 || m->fuel_emitted > 0)
        return;
    fire_front_of(r->s, r->wind, output_clock_time(&r->clock, r->done - 1), &front);
    if (!(front.power > 0))
        return;
    warn("%s: emitters of %.4g kW have given no fuel in %d updates: colliders hold all of them: "
         "move these out by a voxel, %.3g m, or raise --resolution",
         r->s->name, front.power, (int)r->done, fire_params_of(r->s, 0, 0).physics_voxel);
    r->told_unfed = true;
}

static int look(run *r)
{
    foehn_fire_measures measures;
    foehn_status got = FOEHN_OK;
    for (int n = 0; n < r->s->panel_count && got == FOEHN_OK; n++) {
        got = foehn_fire_read_measures(r->fires[n], &measures);
        if (got == FOEHN_OK && r->s->params.mode == FOEHN_FIRE_BURN)
            tell_if_unfed(r, &measures);
    }
    return blown_up(got);
}

static int save(run *r)
{
    const fire_progress progress = {r->done, r->files.written};
    return fire_state_write(r->o->checkpoint, r->s, r->o, r->device, r->fires, &progress);
}

static int update(run *r)
{
    double time = output_clock_time(&r->clock, r->done);
    int count = r->s->panel_count;
    int status = fire_move(r->s, count, r->fires, time);
    for (int n = 0; n < count && status == STATUS_OK; n++) {
        bool moved;
        status = fire_follow(r->s, n, r->fires[n], time, &moved);
        if (moved)
            fire_wind_moved(r->wind);
    }
    if (status == STATUS_OK)
        status = fire_wind_set(r->wind, count, r->fires, time);
    if (status != STATUS_OK)
        return status;
    step_timer_start(&r->timer);
    foehn_status got = FOEHN_OK;
    for (int n = 0; n < count && got == FOEHN_OK; n++)
        got = foehn_fire_update(r->fires[n], r->s->dt);
    if (got != FOEHN_OK)
        return fail_library(got);
    status = step_timer_stop(&r->timer);
    r->done++;
    bool write = output_clock_strikes(&r->clock, r->done);
    if (status == STATUS_OK && (write || r->done % CHECK_UPDATES == 0 || r->done == r->updates))
        status = look(r);
    if (status == STATUS_OK && write)
        status = fire_files_write(&r->files, true, output_clock_time(&r->clock, r->done),
                                  (uint32_t)r->done);
    if (status == STATUS_OK && r->checkpoint_every && r->done % r->checkpoint_every == 0)
        status = save(r);
    return status;
}

/* ---- results ---- */

static void cells_of(json *j, const char *key, const int cells[3])
{
    json_array(j, key);
    for (int k = 0; k < 3; k++)
        json_count(j, NULL, (uint64_t)cells[k]);
    json_close(j, ']');
}

static uint64_t count_cells(const int cells[3])
{
    return (uint64_t)cells[0] * (uint64_t)cells[1] * (uint64_t)cells[2];
}

/* Budgets: emitted - burnt - carried = there; formed - oxidised - carried = there. */
static void write_burning(json *j, const foehn_fire_info *info, const foehn_fire_measures *m)
{
    json_number(j, "heat_release_kw", m->heat_release);
    json_number(j, "expansion_m3_s", m->expansion_rate);
    json_number(j, "mean_abs_expansion", m->mean_abs_expansion);
    json_number(j, "volume_made_m3", m->volume_made);
    json_number(j, "fuel_emitted_kg", m->fuel_emitted);
    json_number(j, "fuel_burnt_kg", m->fuel_burnt);
    json_number(j, "fuel_carried_kg", m->fuel_carried);
    json_number(j, "fuel_there_kg", m->fuel_there);
    json_number(j, "soot_formed_kg", m->soot_formed);
    json_number(j, "soot_oxidised_kg", m->soot_oxidised);
    json_number(j, "soot_carried_kg", m->soot_carried);
    json_number(j, "soot_there_kg", m->soot_there);
    json_count(j, "parts_of_last_step", (uint64_t)info->parts);
}

static void write_front(json *j, const run *r)
{
    fire_front front;
    fire_front_of(r->s, r->wind, output_clock_time(&r->clock, r->done), &front);
    if (!(front.width > 0))
        return;
    json_number(j, "fireline_intensity_kw_m", front.intensity);
    json_number(j, "fireline_width_m", front.width);
    json_number(j, "fireline_wind_m_s", front.wind);
    json_number(j, "byram_number", front.number);
}

static void write_brands(json *j, const fire_brands *b)
{
    static const char *const keys[] = {"firebrands_unlit", "firebrands_flying", "firebrands_landed",
                                       "firebrands_burnt_out", "firebrands_left"};
    json_count(j, "firebrands", (uint64_t)b->count);
    for (int n = 0; n < 5; n++)
        json_count(j, keys[n], (uint64_t)b->states[n]);
    json_number(j, "landed_mass_kg", b->mass);
    json_number(j, "landed_mean_m", b->mean);
    json_number(j, "landed_farthest_m", b->farthest);
}

static int write_stats(run *r)
{
    foehn_fire *fire = r->fires[r->s->panel_count - 1];
    foehn_fire_info info;
    foehn_fire_measures m;
    stats_file f;
    foehn_fire_get_info(fire, &info);
    int status = blown_up(foehn_fire_read_measures(fire, &m));
    if (status == STATUS_OK)
        status = stats_begin(&f, r->o->stats, &r->timer, r->done, r->s->dt, r->wall,
                             count_cells(info.render_cells));
    if (status != STATUS_OK)
        return status;
    json_text(&f.j, "scene", r->s->name);
    cells_of(&f.j, "render_cells", info.render_cells);
    cells_of(&f.j, "physics_cells", info.physics_cells);
    json_count(&f.j, "march_steps", (uint64_t)info.march_steps);
    json_count(&f.j, "sweeps", (uint64_t)info.sweeps);
    json_count(&f.j, "fixed_steps", info.step);
    json_number(&f.j, "simulated_s", info.time);
    json_number(&f.j, "dropped_time_s", info.dropped_time);
    json_number(&f.j, "max_temperature", m.max_temperature);
    json_number(&f.j, "total_density", m.total_density);
    json_number(&f.j, "total_tint", m.total_tint);
    json_number(&f.j, "plume_height", m.plume_height);
    json_number(&f.j, "max_speed", m.max_speed);
    json_number(&f.j, "mean_abs_divergence_before", m.mean_abs_divergence_before);
    json_number(&f.j, "mean_abs_divergence_after", m.mean_abs_divergence_after);
    json_number(&f.j, "max_abs_divergence_before", m.max_abs_divergence_before);
    json_number(&f.j, "max_abs_divergence_after", m.max_abs_divergence_after);
    if (r->s->params.mode == FOEHN_FIRE_BURN) {
        write_burning(&f.j, &info, &m);
        write_front(&f.j, r);
    }
    if (r->s->has_brands)
        write_brands(&f.j, &r->brands);
    return stats_end(&f);
}

static int finish(run *r)
{
    int status = STATUS_OK;
    if (!r->clock.steps_every ||
        r->first == r->updates) /* nothing to do but to write what was saved */
        status = fire_files_write(&r->files, false, output_clock_time(&r->clock, r->done),
                                  (uint32_t)r->done);
    if (status == STATUS_OK)
        status = fire_files_commit(&r->files);
    if (status == STATUS_OK && r->o->checkpoint)
        status = save(r);
    foehn_fire *fire = r->fires[r->s->panel_count - 1];
    if (status == STATUS_OK && r->s->has_brands)
        status = fire_brands_get(fire, (double)r->s->brands.density, &r->brands);
    for (int n = 0; n < r->landing_count && status == STATUS_OK; n++)
        status = fire_landings_write(r->s, fire, r->wind, &r->brands, r->landings[n]);
    return status == STATUS_OK && r->o->stats ? write_stats(r) : status;
}

static void say_more(const run *r)
{
    const fire_brands *b = &r->brands;
    fire_front front;
    fire_front_of(r->s, r->wind, output_clock_time(&r->clock, r->done), &front);
    if (front.width > 0)
        report("fireline intensity Q / L = %.4g kW / %.3g m across the wind = %.4g kW/m; Byram's "
               "number 2 g I / (rho cp T0 U^3) = %.3g with U = %.3g m/s at %.3g m: %s",
               front.power, front.width, front.intensity, front.number, front.wind, front.height,
               front.number < 1 ? "the wind rules the plume" : "the plume rules over the wind");
    if (r->s->has_brands)
        report("%zu firebrands: %zu landed, %.3g m off on average and %.3g at most, %.3g kg; %zu "
               "fly, %zu burnt out, %zu left the box",
               b->count - b->states[FOEHN_FIRE_BRAND_NONE], b->states[FOEHN_FIRE_BRAND_LANDED],
               b->mean, b->farthest, b->mass, b->states[FOEHN_FIRE_BRAND_FLIES],
               b->states[FOEHN_FIRE_BRAND_BURNT], b->states[FOEHN_FIRE_BRAND_LEFT]);
}

static int say(const run *r)
{
    foehn_fire *fire = r->fires[r->s->panel_count - 1];
    foehn_fire_info info;
    foehn_fire_measures m;
    foehn_fire_get_info(fire, &info);
    const int *a = info.render_cells, *b = info.physics_cells;
    report("%s: %d x %d x %d cells of smoke, %d x %d x %d of air, %d pressure %s a step, %d "
           "samples a ray",
           r->s->title, a[0], a[1], a[2], b[0], b[1], b[2], info.sweeps,
           r->s->params.pressure == FOEHN_FIRE_MULTIGRID ? "cycles" : "sweeps", info.march_steps);
    report("%llu updates of %.4g s on %s: %.2f s, %.2f ms an update", (unsigned long long)r->done,
           r->s->dt, r->device, r->wall, step_timer_median_ms(&r->timer));
    foehn_status got = foehn_fire_read_measures(fire, &m);
    if (got != FOEHN_OK)
        return blown_up(got);
    if (r->s->params.mode == FOEHN_FIRE_BURN) {
        report("%.4g kW now, %.4g kg of %.4g burnt, %.4g kg of soot; up to %.0f K and %.2f m/s, "
               "smoke up to "
               "%.2f m; mean |div u - S| %.2g of the mean expansion",
               m.heat_release, m.fuel_burnt, m.fuel_emitted, m.soot_there, m.max_temperature,
               m.max_speed, m.plume_height,
               m.mean_abs_divergence_after / fmax(m.mean_abs_expansion, 1e-30));
        say_more(r);
        return STATUS_OK;
    }
    report("smoke up to %.2f m, %.3f m3 of it; temperature up to %.2f, speed up to %.2f m/s; mean "
           "|div u| %.3g before and %.3g 1/s after the projection",
           m.plume_height, m.total_density, m.max_temperature, m.max_speed,
           m.mean_abs_divergence_before, m.mean_abs_divergence_after);
    return STATUS_OK;
}

static void warn_of(const run *r)
{
    foehn_fire_info info;
    foehn_fire_get_info(r->fires[0], &info);
    if (info.dropped_time > 0)
        warn("%.3g s of %.3g were dropped: an update of %.3g s needs more than max_steps, %d: "
             "give a smaller --dt, or the scene's fire a larger max_steps",
             info.dropped_time, output_clock_time(&r->clock, r->done), r->s->dt,
             r->s->params.max_steps);
    if (r->done < r->updates)
        warn("stopped after step %llu of %llu", (unsigned long long)r->done,
             (unsigned long long)r->updates);
}

static int go(run *r)
{
    fire_scene *s = r->s;
    r->clock = output_clock_start(r->o->dt > 0 ? r->o->dt : s->dt, r->o->every);
    s->dt = r->clock.dt;
    r->updates = r->o->steps ? r->o->steps
                             : updates_in(r->o->duration > 0 ? r->o->duration : s->duration, s->dt);
    r->checkpoint_every = updates_in(r->o->checkpoint_every, s->dt);
    int status = set_up(r);
    r->started = seconds_now();
    while (status == STATUS_OK && r->done < r->updates && !stop_requested()) {
        status = update(r);
        progress_show("burning", r->done, r->updates, output_clock_time(&r->clock, r->done));
    }
    line_clear();
    r->wall = seconds_now() - r->started;
    if (status == STATUS_OK)
        status = finish(r);
    if (status == STATUS_OK)
        warn_of(r);
    return status == STATUS_OK ? say(r) : status;
}

int fire_run(fire_scene *scene, const fire_options *o)
{
    const common_options *options = &o->common;
    run *r = calloc(1, sizeof *r);
    if (!r)
        return fail_memory();
    r->s = scene;
    r->o = options;
    r->landing_count = o->landing_count;
    r->landings = o->landings;
    r->painter.bits = o->bits;
    r->files.scene = scene;
    r->files.options = options;
    r->files.velocity_name = o->velocity_name;
    r->files.z_up = o->up == 1;
    r->files.kelvin = o->temperature == 1;
    r->files.houdini = o->names == 1;
    r->files.start = o->start;
    r->files.padding = o->padding;
    r->flipbook = o->flipbook;
    r->loop = o->loop;
    r->files.painter = &r->painter;
    r->files.fires = r->fires;
    stop_on_signals();
    progress_begin(options->quiet);
    report_to(options->quiet                                       ? NULL
              : options->stats && strcmp(options->stats, "-") == 0 ? stderr
                                                                   : stdout);
    int status = go(r);
    fire_files_close(&r->files);
    fire_painter_destroy(&r->painter);
    fire_wind_close(r->wind);
    fire_brands_free(&r->brands);
    for (int n = 0; n < scene->panel_count; n++)
        foehn_fire_destroy(r->fires[n]);
    foehn_context_destroy(r->ctx);
    free(r);
    return status;
}
