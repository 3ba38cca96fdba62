/* SPDX-License-Identifier: MIT */
/* A steady wind run to rest: steps until the running mean at a height drifts no more. */
#include "wind/model.h"
#include "wind/rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 10 };                    /* steps between samples */
static const float longest_step = 1e6f; /* s: the model chooses */

void foehn_wind_settle_params_init(foehn_wind_settle_params *params, size_t size)
{
    const foehn_wind_settle_params defaults = {
        .height = 10,
        .drift = 0.005,
        .least_flushes = 1,
        .most_flushes = 12,
        .most_steps = 20000,
    };
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

static foehn_status take_params(const foehn_wind_settle_params *given, foehn_wind_settle_params *p)
{
    *p = foehn_wind_settle_params_default();
    TRY(foehn_params_take(p, given, "foehn_wind_settle_params"));
    if (!(p->height > 0 && p->height <= 1e5))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "height = %g m: more than 0 and at most 1e5",
                          p->height);
    if (!(p->drift > 0 && p->drift < 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "drift = %g: more than 0 and less than 1",
                          p->drift);
    if (!(p->least_flushes >= 0 && p->most_flushes >= p->least_flushes && p->most_flushes <= 1e6))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%g to %g flushes: 0 to 1e6, the least first",
                          p->least_flushes, p->most_flushes);
    if (p->most_steps < 1)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "most_steps = 0: at least 1");
    return FOEHN_OK;
}

static foehn_status step_on(foehn_wind *w, uint64_t most, foehn_wind_settling *s)
{
    for (int i = 0; i < CHUNK && (uint64_t)i < most; i++)
        TRY(foehn_wind_step(w, longest_step));
    TRY(foehn_wind_get_progress(w, &s->progress));
    s->flushes = s->progress.flush_time > 0 ? s->progress.time / s->progress.flush_time : 0;
    return FOEHN_OK;
}

static bool is_at_rest(const foehn_wind_settling *s, const foehn_wind_settle_params *p)
{
    return s->flushes >= p->least_flushes && s->drift < p->drift;
}

/* Is what was seen before still of this wind: the same height, no step since, and nothing else
 * blows? */
static bool goes_on(const foehn_wind *w, double height, const wind_march *march)
{
    const rest_head *h = &w->rest->head;
    return h->step == w->clock.step && !(h->height < height) && !(h->height > height) &&
           h->window[0].from <= (double)march->time && march->time > 0 &&
           foehn_wind_same_mean(&march->state, &w->clock.state);
}

static foehn_status settle(foehn_wind *w, const foehn_wind_settle_params *p, const double *points,
                           float *at, foehn_wind_settling *s)
{
    TRY(foehn_wind_get_progress(w, &s->progress));
    wind_march march;
    TRY(w->model->get_march(w, &march));
    if (!goes_on(w, p->height, &march))
        foehn_rest_forget(w, p->height, s->progress.time);
    rest_head *h = &w->rest->head;
    const size_t columns = foehn_wind_column_count(w);
    const double flush_time = s->progress.flush_time;
    s->flushes = flush_time > 0 ? s->progress.time / flush_time : 0;
    s->drift = h->drift;
    s->unrest = h->unrest;
    s->settled = h->window[0].samples == 0 && is_at_rest(s, p);
    bool stopped = false;
    for (uint64_t made = 0;
         !s->settled && !stopped && made < p->most_steps && s->flushes < p->most_flushes;
         made += CHUNK) {
        const double before = s->progress.time;
        TRY(step_on(w, p->most_steps - made, s));
        const double time = s->progress.time, flush = s->progress.flush_time;
        if (time < before) { /* another wind blows since */
            foehn_rest_forget(w, p->height, 0);
            s->drift = s->unrest = NAN;
        }
        TRY(foehn_wind_read_points(w, 0, columns, points, at));
        const double speed = foehn_rest_add(w, at);
        if (!isfinite(speed))
            return foehn_fail(FOEHN_ERROR_UNSTABLE, "step %llu: the wind at %g m is not finite",
                              (unsigned long long)w->clock.step, p->height);
        if (time - h->window[0].from >= REST_WINDOW * flush) {
            foehn_rest_turn_over(w, speed, time);
            s->drift = h->drift;
            s->unrest = h->unrest;
            s->settled = !(flush > 0) || is_at_rest(s, p);
        }
        h->step = w->clock.step;
        stopped = p->report && p->report(s, p->data) != 0;
    }
    return FOEHN_OK;
}

foehn_status foehn_wind_settle(foehn_wind *w, const foehn_wind_settle_params *params,
                               foehn_wind_settling *out)
{
    foehn_wind_settle_params p;
    foehn_wind_settling s;
    if (!out)
        out = &s;
    memset(out, 0, sizeof *out);
    out->drift = out->unrest = NAN;
    TRY(take_params(params, &p));
    if (!w->model->get_march)
        return foehn_fail(
            FOEHN_ERROR_ARGUMENT,
            "foehn_wind_settle: the %s model has no steady state: take the momentum model",
            w->model->name);
    TRY(foehn_wind_follow_center(w));
    const size_t columns = foehn_wind_column_count(w), nx = (size_t)w->g.whole_x;
    double origin[3], *points = malloc(3 * columns * sizeof *points);
    float *at = malloc(4 * columns * sizeof *at);
    foehn_status status = FOEHN_OK;
    if (!points || !at)
        status = foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu points", columns);
    foehn_wind_origin(w, origin);
    for (size_t c = 0; c < columns && points; c++) {
        points[3 * c] = origin[0] + ((double)(c % nx) + 0.5) * (double)w->g.hx;
        points[3 * c + 1] = p.height;
        points[3 * c + 2] = origin[2] + ((double)(c / nx) + 0.5) * (double)w->g.hz;
    }
    if (status == FOEHN_OK)
        status = settle(w, &p, points, at, out);
    free(points);
    free(at);
    return status;
}
