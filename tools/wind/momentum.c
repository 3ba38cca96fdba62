/* SPDX-License-Identifier: MIT */
/* foehn wind --model momentum: steps until the running mean stands still. */
#include "config.h"

#include "progress.h"
#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT 0.005       /* of the running mean in a flush, that is small enough */
#define WINDOW 0.25       /* of a flush, over which the mean runs */
#define LEAST_FLUSHES 1.0 /* before the drift is believed */
#define MOST_FLUSHES 12.0
enum { CHUNK = 10, MOST_STEPS = 20000 }; /* steps between samples */

/* A mean over a window of the flow at the height. */
typedef struct window {
    size_t columns;
    double *east, *north; /* sums */
    int samples;
    double from; /* s */
} window;

static int add_sample(window *w, wind_reader *reader, double *speed)
{
    const float *east, *north;
    int status = wind_reader_read_columns(reader, false, &east, &north, speed);
    for (size_t c = 0; status == STATUS_OK && c < w->columns; c++) {
        w->east[c] += (double)east[c];
        w->north[c] += (double)north[c];
    }
    w->samples++;
    return status;
}

/* rms difference of two windows' means, m/s. */
static double difference(const window *a, const window *b)
{
    double sum = 0;
    for (size_t c = 0; c < a->columns; c++) {
        double east = a->east[c] / a->samples - b->east[c] / b->samples;
        double north = a->north[c] / a->samples - b->north[c] / b->samples;
        sum += east * east + north * north;
    }
    return sqrt(sum / (double)a->columns);
}

/* The window that follows: the sums change places, and the new one is empty. */
static void turn_over(window *now, window *last, double time)
{
    window old = *last;
    *last = *now;
    *now = old;
    memset(now->east, 0, now->columns * sizeof *now->east);
    memset(now->north, 0, now->columns * sizeof *now->north);
    now->samples = 0;
    now->from = time;
}

static int settle(double dt, foehn_wind *wind, wind_reader *reader, window w[2], settling *s)
{
    foehn_wind_progress p = {0};
    double speed = 0;
    s->drift = NAN;
    while (!s->converged && s->flushes < MOST_FLUSHES && p.steps < MOST_STEPS &&
           !stop_requested()) {
        foehn_status made = FOEHN_OK;
        for (int i = 0; i < CHUNK && made == FOEHN_OK; i++)
            made = foehn_wind_step(wind, (float)(dt > 0 ? dt : 1e6));
        if (made == FOEHN_OK)
            made = foehn_wind_get_progress(wind, &p);
        if (made != FOEHN_OK)
            return fail_library(made);
        int status = add_sample(&w[0], reader, &speed);
        if (status != STATUS_OK)
            return status;
        if (!isfinite(speed))
            return fail(STATUS_FAILED,
                        "--model momentum: not finite after %llu steps: please report this",
                        (unsigned long long)p.steps);
        s->steps = p.steps;
        s->mass_in = p.mass_in;
        s->mass_imbalance = p.mass_imbalance;
        s->flushes = p.flush_time > 0 ? p.time / p.flush_time : MOST_FLUSHES;
        if (p.time - w[0].from >= WINDOW * p.flush_time) {
            if (w[1].samples > 0)
                s->drift = speed > 0 ? difference(&w[0], &w[1]) / speed / WINDOW : 0;
            s->converged = s->flushes >= LEAST_FLUSHES && s->drift < DRIFT;
            turn_over(&w[0], &w[1], p.time);
        }
        progress_show("settling", s->steps,
                      (uint64_t)((double)s->steps * fmax(LEAST_FLUSHES / s->flushes, 1)), p.time);
    }
    return STATUS_OK;
}

int momentum_settle(double dt, size_t columns, foehn_wind *wind, wind_reader *reader, settling *s)
{
    window w[2] = {{.columns = columns}, {.columns = columns}};
    int status = STATUS_OK;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 2; i++) {
        w[i].east = calloc(columns, sizeof(double));
        w[i].north = calloc(columns, sizeof(double));
        if (!w[i].east || !w[i].north)
            status = fail_memory();
    }
    if (status == STATUS_OK)
        status = settle(dt, wind, reader, w, s);
    progress_clear();
    for (int i = 0; i < 2; i++) {
        free(w[i].east);
        free(w[i].north);
    }
    if (status != STATUS_OK)
        return status;
    if (s->converged)
        report("Settled   after %llu steps, %.2f flushes of the box: the mean at the height drifts "
               "by %.2f %% "
               "a flush, below %g %%",
               (unsigned long long)s->steps, s->flushes, 100 * s->drift, 100 * DRIFT);
    else
        warn("the wind does not stand still: after %llu steps, %.2f flushes of the box, the mean "
             "at the height "
             "drifts by %.2f %% a flush, more than %g %%",
             (unsigned long long)s->steps, s->flushes, 100 * s->drift, 100 * DRIFT);
    return STATUS_OK;
}
