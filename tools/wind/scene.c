/* SPDX-License-Identifier: MIT */
/* The time of a step, and the lines of text that every format carries. */
#include "config.h"

#include "output_clock.h"
#include "wind/scene.h"
#include "wind/moment.h"

#include <math.h>
#include <stdarg.h>

double scene_time(const scene *s, uint64_t step)
{
    const output_clock c = {s->dt, s->every, s->steps_every};
    return output_clock_time(&c, step);
}

double scene_stamp(const scene *s, uint64_t step)
{
    return isfinite(s->moment) ? s->moment : scene_time(s, step);
}

static void add_fact(scene_fact *facts, int *count, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add_fact(scene_fact *facts, int *count, const char *name, const char *format, ...)
{
    if (*count == MOST_FACTS)
        return;
    snprintf(facts[*count].name, sizeof facts[*count].name, "%s", name);
    va_list args;
    va_start(args, format);
    vsnprintf(facts[*count].value, sizeof facts[*count].value, format, args);
    va_end(args);
    ++*count;
}

int scene_facts(const scene *s, const field *f, scene_fact facts[MOST_FACTS])
{
    int n = 0;
    add_fact(facts, &n, "source", "foehn %s", foehn_version());
    add_fact(facts, &n, "device", "%s", s->device);
    add_fact(facts, &n, "coordinate_system", "%s%s%s%s",
             s->place.name[0] ? s->place.name : "none (flat ground)",
             s->place.authority[0] ? " (" : "", s->place.authority,
             s->place.authority[0] ? ")" : "");
    if (s->has_terrain) {
        add_fact(facts, &n, "terrain", "%s", s->terrain);
        add_fact(facts, &n, "terrain_eased_band_m", "%.10g", s->eased);
    }
    const bool of_one = f || !s->hours;
    if (of_one) {
        add_fact(facts, &n, "input_wind_speed_10m_m_s", "%.17g", s->u10);
        add_fact(facts, &n, "input_wind_from_true_north_degrees", "%.17g", s->from_true);
        add_fact(facts, &n, "input_wind_from_grid_north_degrees", "%.17g", s->from_grid);
    }
    add_fact(facts, &n, "grid_convergence_degrees", "%.17g", s->place.convergence);
    if (!s->steady)
        add_fact(facts, &n, "gustiness", "%.9g", s->gustiness);
    add_fact(facts, &n, "roughness_length_m", "%.9g", s->z0);
    if (s->cover[0])
        add_fact(facts, &n, "roughness_map", "%s", s->cover);
    add_fact(facts, &n, "height_above_ground_m", "%.9g", s->height);
    add_fact(facts, &n, "cells", "%d x %d x %d (east x north x up)", s->nx, s->ny, s->nz);
    add_fact(facts, &n, "spacing_m", "%.9g horizontal, %.9g vertical", s->spacing[0],
             s->spacing[2]);
    add_fact(facts, &n, "model", "%s", s->model);
    if (s->rest[0] && of_one)
        add_fact(facts, &n, "convergence", "%s", s->rest);
    char until[64] = "";
    if (s->divergence > 0)
        snprintf(until, sizeof until, " and more until |div u| h/u10 <= %.3g", s->divergence);
    add_fact(facts, &n, "scheme", "%s, %s, %d %s a step%s", s->scheme, s->pressure, s->sweeps,
             s->pressure_unit, until);
    if (!s->steady) {
        add_fact(facts, &n, "time_step_s", "%.9g", s->dt);
        add_fact(facts, &n, "seed", "%llu", (unsigned long long)s->seed);
    }
    if (f && isfinite(s->moment)) {
        char moment[32];
        moment_write(s->moment, moment, sizeof moment);
        add_fact(facts, &n, "time_utc", "%s", moment);
    }
    if (f && s->momentum)
        add_fact(facts, &n, "field", "%s", "steady mean");
    else if (f) {
        add_fact(facts, &n, "field", "%s", f->start < f->time ? "mean over time" : "instant");
        if (f->start < f->time) {
            add_fact(facts, &n, "mean_from_s", "%.9g", f->start);
            add_fact(facts, &n, "mean_samples", "%d", f->samples);
        }
        add_fact(facts, &n, "time_s", "%.9g", f->time);
    }
    return n;
}
