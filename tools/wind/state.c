/* SPDX-License-Identifier: MIT */
/* Checkpoints of the wind: its state as the library gives it, with the options that made it. */
#include "config.h"

#include "formats/state.h"
#include "ranks.h"
#include "wind/weather.h"
#include "wind/wind.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int settings_of(const wind_options *o, const site *s, setting out[MOST_SETTINGS])
{
    const scene *sc = &s->scene;
    int n = 0;
    if (sc->has_terrain) {
        uint64_t ground = state_hash(STATE_HASH_START, sc->ground,
                                     (size_t)sc->nx * (size_t)sc->ny * sizeof *sc->ground);
        state_setting(out, &n, "terrain", "%s (ground %016llx)", sc->terrain,
                      (unsigned long long)ground);
    } else {
        state_setting(out, &n, "terrain", "none");
    }
    state_setting(out, &n, "cells", "%dx%dx%d", sc->nx, sc->nz, sc->ny);
    state_setting(out, &n, "spacing", "%.9gx%.9g", sc->spacing[0], sc->spacing[2]);
    state_setting(out, &n, "window", "%.10g,%.10g (south-west corner)", sc->origin[0],
                  sc->origin[1]);
    state_setting(out, &n, "dt", "%.9g", sc->dt);
    state_setting(out, &n, "z0", "%.9g", sc->z0);
    state_setting(out, &n, "seed", "%llu", (unsigned long long)sc->seed);
    state_setting(out, &n, "scheme", "%s", sc->scheme);
    state_setting(out, &n, "pressure", "%s", sc->pressure);
    state_setting(out, &n, "sweeps", "%d", sc->sweeps);
    state_setting(out, &n, "advection", "%d", o->advection);
    state_setting(out, &n, "solids", "%d", o->solids);
    state_setting(out, &n, "relaxation", "%.9g", (double)s->params.relaxation);
    state_setting(out, &n, "divergence", "%.9g", sc->divergence);
    if (sc->les) {
        state_setting(out, &n, "spin-up", "%.9g", o->spin_up);
        state_setting(out, &n, "inflow", "%d", o->inflow);
    }
    if (o->model == MODEL_MOMENTUM || sc->les) {
        state_setting(out, &n, "model", "%s", sc->model);
        if (s->roughness) {
            const size_t size = (size_t)s->ground.nx * (size_t)s->ground.nz * sizeof *s->roughness;
            uint64_t cover = state_hash(STATE_HASH_START, s->roughness, size);
            if (s->displacement)
                cover = state_hash(cover, s->displacement, size);
            if (s->leaf_area)
                cover = state_hash(state_hash(cover, s->trees, size), s->leaf_area, size);
            state_setting(out, &n, "roughness", "%016llx", (unsigned long long)cover);
        }
    }
    if (o->input && !weather_is(o->input)) {
        input_series series;
        if (input_read(o->input, &series) != STATUS_OK)
            return -1;
        state_setting(out, &n, "input", "%zu rows (%016llx)", series.count,
                      (unsigned long long)state_hash(STATE_HASH_START, series.rows,
                                                     series.count * sizeof *series.rows));
        if (o->input_height != 10)
            state_setting(out, &n, "input-height", "%.9g", o->input_height);
        input_destroy(&series);
    } else {
        state_setting(out, &n, "input", "none");
        state_setting(out, &n, "u10", "%.9g", sc->u10);
        state_setting(out, &n, "from", "%.17g", sc->from_true);
        state_setting(out, &n, "gustiness", "%.9g", sc->gustiness);
    }
    state_setting(out, &n, "height", "%.9g", sc->height);
    /* A run to a steady mean and one of a given length over terrain average differently. */
    if (sc->has_terrain && o->model != MODEL_MOMENTUM && !sc->les)
        state_setting(out, &n, "duration", "%s",
                      o->common.steps || o->common.duration > 0 ? "given" : "until steady");
    return n;
}

/* The numbers of the steadiness test, in a fixed order. */
enum { STEADY_NUMBERS = 11 };

/* Of steps, samples and files: far more than there can be. */
#define MOST_COUNT 1e15

static void pack_steady(const steady *st, double numbers[STEADY_NUMBERS])
{
    const double all[STEADY_NUMBERS] = {
        st->averaging, st->spun_up,    (double)st->phase_start, (double)st->windows,
        st->sum,       st->previous,   (double)st->samples,     (double)st->next_check,
        st->change,    st->difference, st->average_start};
    memcpy(numbers, all, sizeof all);
}

/* false: they cannot be of such a run. */
static bool unpack_steady(const double n[STEADY_NUMBERS], uint64_t step, steady *st)
{
    if (!state_count(n[2], (double)step, &st->phase_start) ||
        !state_count(n[3], MOST_COUNT, &st->windows) || !isfinite(n[4]) ||
        !state_count(n[6], MOST_COUNT, &st->samples) ||
        !state_count(n[7], MOST_COUNT, &st->next_check) || !(n[10] >= 0 && isfinite(n[10])))
        return false;
    st->averaging = n[0] != 0;
    st->spun_up = n[1] != 0;
    st->sum = n[4];
    st->previous = n[5];
    st->change = n[8];
    st->difference = n[9];
    st->average_start = n[10];
    return true;
}

/* What a file holds beside the library's bytes, ready to be written or read into. */
typedef struct wind_state {
    double run[2]; /* outputs so far, start of the mean */
    double numbers[STEADY_NUMBERS];
    state_array arrays[5];
    int count;
} wind_state;

static void lay_out(wind_state *w, size_t size, void *blob, const run_state *state)
{
    steady *st = state->steady;
    w->arrays[0] = (state_array){"wind", STATE_BYTES, size, blob};
    w->arrays[1] = (state_array){"run", STATE_DOUBLES, 2, w->run};
    w->count = 2;
    if (!st)
        return;
    w->arrays[2] = (state_array){"steady", STATE_DOUBLES, STEADY_NUMBERS, w->numbers};
    w->arrays[3] = (state_array){"steady_east", STATE_FLOATS, st->columns, st->east};
    w->arrays[4] = (state_array){"steady_north", STATE_FLOATS, st->columns, st->north};
    w->count = 5;
}

static size_t bytes_of(const state_array *a)
{
    return a->count * (a->type == STATE_FLOATS ? sizeof(float) : sizeof(double));
}

int checkpoint_write(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                     const run_state *state)
{
    setting settings[MOST_SETTINGS];
    int count = settings_of(o, s, settings);
    if (count < 0)
        return STATUS_INPUT;
    size_t size = foehn_wind_get_checkpoint_size(wind);
    void *blob = ranks_is_first() ? malloc(size) : NULL;
    if (ranks_is_first() && !blob)
        return fail_memory();
    wind_state w = {.run = {(double)state->outputs, state->average_start}};
    lay_out(&w, size, blob, state);
    if (state->steady)
        pack_steady(state->steady, w.numbers);
    int status = fail_library(foehn_wind_read_checkpoint(wind, size, blob));
    if (status == STATUS_OK && ranks_is_first())
        status = state_write(path, s->scene.device, count, settings, w.count, w.arrays);
    free(blob);
    return status;
}

int checkpoint_check(const char *path, const wind_options *o, const site *s)
{
    setting settings[MOST_SETTINGS];
    int count = settings_of(o, s, settings);
    return count < 0 ? STATUS_INPUT : state_read(path, "wind", NULL, count, settings, 0, NULL);
}

int checkpoint_read(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                    run_state *state)
{
    setting settings[MOST_SETTINGS];
    int count = settings_of(o, s, settings);
    if (count < 0)
        return STATUS_INPUT;
    wind_state w;
    lay_out(&w, 0, NULL,
            state); /* of a run that averages it is larger than of one that does not yet */
    int status = STATUS_OK;
    if (ranks_is_first())
        status = state_read(path, "wind", s->scene.device, count, settings, w.count, w.arrays);
    status = ranks_agree(status);
    for (int i = 1; i < w.count && status == STATUS_OK;
         i++) /* the library sends the wind's bytes */
        status = ranks_broadcast(bytes_of(&w.arrays[i]), w.arrays[i].data);
    if (status == STATUS_OK)
        status = state_fail_library(
            path, foehn_wind_write_checkpoint(wind, w.arrays[0].count, w.arrays[0].data));
    free(w.arrays[0].data);
    if (status != STATUS_OK)
        return status;
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    if (!state_count(w.run[0], INT_MAX / 2, &state->outputs) ||
        !(w.run[1] >= 0 && isfinite(w.run[1])) ||
        (state->steady && !unpack_steady(w.numbers, info.step, state->steady)))
        return state_damaged(path);
    if (state->steady)
        steady_take_up(state->steady, info.step);
    state->average_start = w.run[1];
    return STATUS_OK;
}
