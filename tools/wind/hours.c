/* SPDX-License-Identifier: MIT */
/* The wind of a weather model: brought in, and where there are many moments solved from each to the
 * next, which is nearer than the undisturbed wind. */
#include "config.h"

#include "wind/run.h"
#include "wind/moment.h"

#include <math.h>
#include <stdlib.h>

/* The mean over the sides, and for the mass-consistent field all of it. */
int hours_read(run *r)
{
    scene *s = &r->site.scene;
    const double box[4] = {s->origin[0], s->origin[1], s->origin[0] + s->nx * s->spacing[0],
                           s->origin[1] + s->ny * s->spacing[1]};
    const weather_span span = {r->o->time, r->o->time_to};
    int status = weather_read(r->o->input, span, &s->place, box, &r->weather);
    if (status != STATUS_OK)
        return status;
    double spread = 0;
    for (size_t i = 0; i < r->weather->count; i++)
        spread = fmax(spread, r->weather->of[i].spread);
    s->moment = r->weather->of[0].time;
    s->hours = !isnan(r->o->time_to);
    report("Weather   %s: %s; over the box the wind differs by %s%.2g m/s (rms) from the mean of "
           "its sides",
           r->o->input, r->weather->what, s->hours ? "up to " : "", spread);
    const weather *first = &r->weather->of[0];
    const input_row row = {s->hours ? -1 : 0, first->u10, first->from, 0};
    site_start_with(r->o, &row, &r->site);
    r->hours = calloc(r->weather->count, sizeof *r->hours);
    return r->hours ? STATUS_OK : fail_memory();
}

int hours_set_map(run *r, size_t hour)
{
    const scene *s = &r->site.scene;
    const weather *w = &r->weather->of[hour];
    const int last = WEATHER_LATTICE - 1;
    const wind_map map = {.nx = WEATHER_LATTICE,
                          .ny = WEATHER_LATTICE,
                          .west = s->origin[0],
                          .north = s->origin[1] + s->ny * s->spacing[1],
                          .spacing = {s->nx * s->spacing[0] / last, s->ny * s->spacing[1] / last},
                          .east_wind = w->east[0],
                          .north_wind = w->north[0]};
    return r->o->model == MODEL_MOMENTUM ? STATUS_OK : wind_map_set(&r->site, r->wind, &map);
}

/* The wind and the ground of an hour. */
static int set_hour(run *r, size_t hour)
{
    const weather *w = &r->weather->of[hour];
    const input_row row = {0, w->u10, w->from, 0};
    foehn_wind_state state = site_set_wind(&r->site, &row);
    r->site.scene.moment = w->time;
    int status = fail_library(foehn_wind_set_state(r->wind, &state));
    if (status == STATUS_OK && site_turn_ground(&r->site))
        status = fail_library(foehn_wind_set_terrain(r->wind, &r->site.ground));
    return status == STATUS_OK ? hours_set_map(r, hour) : status;
}

/* Its numbers, and into the files. */
static int end_hour(run *r, size_t hour, hours_write *write)
{
    const float *east, *north;
    hour_found *h = &r->hours[hour];
    *h = (hour_found){.moment = r->weather->of[hour].time,
                      .steps = h->steps,
                      .u10 = r->site.scene.u10,
                      .from = r->site.scene.from_true,
                      .settled = r->o->model != MODEL_MOMENTUM || r->settling.settled,
                      .drift = r->site.scene.drift};
    int status = wind_reader_read_columns(r->reader, false, &east, &north, &h->speed);
    return status == STATUS_OK ? write(r) : status;
}

int hours_find(run *r, inlet_solver *solve, hours_write *write)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < r->weather->count && status == STATUS_OK; i++) {
        char moment[32];
        moment_write(r->weather->of[i].time, moment, sizeof moment);
        report("Moment    %zu of %zu, %s: %.2f m/s at 10 m from %.1f degrees", i + 1,
               r->weather->count, moment, r->weather->of[i].u10, r->weather->of[i].from);
        status = set_hour(r, i);
        const uint64_t of_others = r->settling.progress.steps;
        if (status == STATUS_OK)
            status = solve(r);
        r->hours[i].steps =
            r->o->model == MODEL_MOMENTUM ? r->settling.progress.steps - of_others : r->mean.steps;
        stop_between_steps();
        if (status == STATUS_OK && stop_requested()) {
            if (i == 0) {
                warn("stopped before the first moment was found: nothing is written");
                return STATUS_STOPPED;
            }
            warn("stopped at %s: the files hold the %zu moments before", moment, i);
            return STATUS_OK;
        }
        if (status == STATUS_OK)
            status = end_hour(r, i, write);
        r->hour_count = i + 1;
    }
    return status;
}

void hours_add_stats(const run *r, json *j)
{
    json_array(j, "moments");
    for (size_t i = 0; i < r->hour_count; i++) {
        const hour_found *h = &r->hours[i];
        char moment[32];
        moment_write(h->moment, moment, sizeof moment);
        json_object(j, NULL);
        json_text(j, "time", moment);
        json_number(j, "u10", h->u10);
        json_number(j, "from_true", h->from);
        json_number(j, "mean_speed_at_height", h->speed);
        if (r->o->model == MODEL_MOMENTUM || r->o->has_relaxation) /* others are solved at once */
            json_count(j, "steps", h->steps);
        json_truth(j, "settled", h->settled);
        json_number(j, "drift", h->drift);
        json_close(j, '}');
    }
    json_close(j, ']');
}
