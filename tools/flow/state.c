/* SPDX-License-Identifier: MIT */
/* Checkpoints of foehn flow: the library's bytes, what the script has done, and what was measured.
 */
#include "config.h"

#include "flow/flow.h"
#include "formats/state.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUN, FLOW, EVENTS, MEASURES, SERIES, ROWS, ARRAYS };
enum { RUN_NUMBERS = 5, EVENT_NUMBERS = 3, MEASURE_NUMBERS = 7 + 2 * MOST_TRACERS };

/* What a file holds, ready to be written or read into. */
typedef struct flow_state {
    double run[RUN_NUMBERS]; /* steps, pictures, events, measures, pairs in the series */
    double events[1 + EVENT_NUMBERS * MOST_EVENTS];
    double measures[1 + MEASURE_NUMBERS * MOST_MEASURES];
    setting settings[MOST_SETTINGS];
    state_array arrays[ARRAYS];
    int setting_count;
} flow_state;

static int lay_out_settings(setting *settings, const flow_scene *s, double dt)
{
    static const char *const surfaces[] = {"staircase", "fractions"};
    static const char *const solvers[] = {"multigrid", "sor"};
    int n = 0;
    state_setting(settings, &n, "scene", "%.63s (%016llx)", s->name, (unsigned long long)s->hash);
    state_setting(settings, &n, "cells", "%dx%d", s->params.nx, s->params.ny);
    state_setting(settings, &n, "dt", "%.17g", dt);
    state_setting(settings, &n, "viscosity", "%.9g", (double)s->params.viscosity);
    state_setting(settings, &n, "angle", "%.9g", (double)s->obstacle[0].angle);
    state_setting(settings, &n, "surface", "%s", surfaces[s->params.surface]);
    state_setting(settings, &n, "solver", "%s", solvers[s->params.solver]);
    state_setting(settings, &n, "off", "%s%s%s%s(terms)",
                  s->params.terms & FOEHN_FLOW_FORCE ? "" : "force ",
                  s->params.terms & FOEHN_FLOW_ADVECTION ? "" : "advection ",
                  s->params.terms & FOEHN_FLOW_VISCOSITY ? "" : "viscosity ",
                  s->params.terms & FOEHN_FLOW_PRESSURE ? "" : "pressure ");
    state_setting(settings, &n, "layer", "of %d particles", s->params.particles);
    state_setting(settings, &n, "seed", "%llu", (unsigned long long)s->params.seed);
    return n;
}

/* The arrays of a run's beginning; `series` and `rows` NULL: as long as the file has them. */
static int lay_out(flow_state *w, const flow_scene *s, double dt, foehn_flow *flow, double *series,
                   size_t pairs, const flow_progress *progress)
{
    size_t size = foehn_flow_get_checkpoint_size(flow);
    void *blob = malloc(size);
    if (!blob)
        return fail_memory();
    w->setting_count = lay_out_settings(w->settings, s, dt);
    w->arrays[RUN] = (state_array){"run", STATE_DOUBLES, RUN_NUMBERS, w->run};
    w->arrays[FLOW] = (state_array){"flow", STATE_BYTES, size, blob};
    w->arrays[EVENTS] = (state_array){"events", STATE_DOUBLES,
                                      1 + EVENT_NUMBERS * (size_t)s->event_count, w->events};
    w->arrays[MEASURES] = (state_array){
        "measures", STATE_DOUBLES, 1 + MEASURE_NUMBERS * (size_t)s->measure_count, w->measures};
    w->arrays[SERIES] = (state_array){"series", STATE_DOUBLES, 1 + 2 * pairs, series};
    w->arrays[ROWS] = (state_array){"rows", STATE_BYTES, progress->row_bytes + 1, progress->rows};
    return STATUS_OK;
}

/* Copy numbers between a file and what runs; to: into the file. */
static void move_number(bool to, double *file, double *own)
{
    if (to)
        *file = *own;
    else
        *own = *file;
}

static void move_numbers(bool to, flow_state *w, flow_scene *s)
{
    double *p = w->events + 1;
    for (int n = 0; n < s->event_count; n++) {
        flow_event *e = &s->events[n];
        double from[2] = {(double)e->from[0], (double)e->from[1]};
        move_number(to, p++, &e->next);
        for (int k = 0; k < 2; k++, p++) {
            move_number(to, p, &from[k]);
            e->from[k] = (float)from[k];
        }
    }
    p = w->measures + 1;
    for (int n = 0; n < s->measure_count; n++) {
        flow_measure *m = &s->measures[n];
        double samples = m->samples;
        double *own[] = {&m->value, &m->sum, &m->low, &m->high, &m->first, &m->last, &samples};
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
            move_number(to, p++, own[k]);
        m->samples = (int)samples;
        for (int t = 0; t < 2 * MOST_TRACERS; t++)
            move_number(to, p++, &m->tracer[t / 2][t % 2]);
    }
}

/* What bounds a loop or an array, and becomes a float, of a file that anybody may have made. */
static bool numbers_make_sense(const flow_state *w, const flow_scene *s)
{
    const double *p = w->events + 1;
    for (int n = 0; n < s->event_count; n++, p += EVENT_NUMBERS)
        if (!(p[0] >= 0) || !(fabs(p[1]) <= FLT_MAX) || !(fabs(p[2]) <= FLT_MAX))
            return false;
    uint64_t samples, all = 0;
    p = w->measures + 1;
    for (int n = 0; n < s->measure_count; n++, p += MEASURE_NUMBERS, all += samples) {
        if (!state_count(p[6], INT_MAX / 2, &samples))
            return false;
        for (int t = 7; t < MEASURE_NUMBERS; t++)
            if (!isfinite(p[t]))
                return false;
    }
    return w->arrays[SERIES].count == 1 + 2 * all;
}

static size_t pairs_of(const flow_scene *s)
{
    size_t sum = 0;
    for (int n = 0; n < s->measure_count; n++)
        sum += (size_t)s->measures[n].samples;
    return sum;
}

/* Times and values of all measures, one after the other, after a 0 so that there is something. */
static double *pack_series(const flow_scene *s)
{
    double *series = calloc(1 + 2 * pairs_of(s), sizeof *series), *p = series + 1;
    for (int n = 0; n < s->measure_count && series; n++)
        for (int i = 0; i < s->measures[n].samples; i++) {
            *p++ = s->measures[n].times[i];
            *p++ = s->measures[n].series[i];
        }
    return series;
}

static int unpack_series(flow_scene *s, const double *series)
{
    const double *p = series + 1;
    for (int n = 0; n < s->measure_count; n++) {
        int samples = s->measures[n].samples, status = STATUS_OK;
        s->measures[n].samples = 0;
        for (int i = 0; i < samples && status == STATUS_OK; i++, p += 2)
            status = flow_measure_keep(&s->measures[n], p[0], p[1]);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int flow_state_write(const char *path, flow_scene *s, double dt, const char *device,
                     foehn_flow *flow, const flow_progress *progress)
{
    flow_state *w = calloc(1, sizeof *w);
    double *series = pack_series(s);
    int status =
        w && series ? lay_out(w, s, dt, flow, series, pairs_of(s), progress) : fail_memory();
    if (status == STATUS_OK) {
        const double run[RUN_NUMBERS] = {(double)progress->done, progress->pictures, s->event_count,
                                         s->measure_count, (double)pairs_of(s)};
        memcpy(w->run, run, sizeof run);
        if (!progress->rows)
            w->arrays[ROWS].data = "";
        move_numbers(true, w, s);
        status = fail_library(
            foehn_flow_read_checkpoint(flow, w->arrays[FLOW].count, w->arrays[FLOW].data));
    }
    if (status == STATUS_OK)
        status = state_write(path, device, w->setting_count, w->settings, ARRAYS, w->arrays);
    if (w)
        free(w->arrays[FLOW].data);
    free(series);
    free(w);
    return status;
}

int flow_state_check(const char *path, const flow_scene *s, double dt, uint64_t *done)
{
    setting settings[MOST_SETTINGS];
    double run[RUN_NUMBERS];
    state_array array = {"run", STATE_DOUBLES, RUN_NUMBERS, run};
    int count = lay_out_settings(settings, s, dt);
    int status = state_read(path, "flow", NULL, count, settings, 1, &array);
    if (status == STATUS_OK && !state_count(run[0], 1e15, done))
        status = state_damaged(path);
    return status;
}

int flow_state_read(const char *path, flow_scene *s, double dt, const char *device,
                    foehn_flow *flow, flow_progress *progress)
{
    flow_state *w = calloc(1, sizeof *w);
    const flow_progress none = {0};
    int status = w ? lay_out(w, s, dt, flow, NULL, 0, &none) : fail_memory();
    if (status == STATUS_OK)
        status = state_read(path, "flow", device, w->setting_count, w->settings, ARRAYS, w->arrays);
    uint64_t pictures = 0;
    const char *rows = w ? w->arrays[ROWS].data : NULL;
    if (status == STATUS_OK && (!numbers_make_sense(w, s) || rows[w->arrays[ROWS].count - 1] ||
                                !state_count(w->run[0], 1e15, &progress->done) ||
                                !state_count(w->run[1], INT_MAX / 2, &pictures)))
        status = state_damaged(path);
    if (status == STATUS_OK)
        status = state_fail_library(
            path, foehn_flow_write_checkpoint(flow, w->arrays[FLOW].count, w->arrays[FLOW].data));
    if (status == STATUS_OK) {
        move_numbers(false, w, s);
        status = unpack_series(s, w->arrays[SERIES].data);
    }
    if (status == STATUS_OK) {
        progress->pictures = (int)pictures;
        progress->row_room = w->arrays[ROWS].count;
        progress->row_bytes = progress->row_room - 1;
        progress->rows = w->arrays[ROWS].data;
        w->arrays[ROWS].data = NULL;
    }
    for (int n = 0; n < ARRAYS && w; n++)
        if (n == FLOW || n == SERIES || n == ROWS)
            free(w->arrays[n].data);
    free(w);
    return status;
}
