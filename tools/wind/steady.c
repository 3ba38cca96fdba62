/* SPDX-License-Identifier: MIT */
/* When a run over terrain may end: spin-up, then averaging until the mean stands still. */
#include "config.h"

#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPIN_UP_CHANGE 0.005 /* of the mean speed, from window to window */
#define MEAN_DIFFERENCE 0.01 /* rms over the mean speed, from n to 2n samples */
#define SHORTEST_WINDOW 10.0 /* s */
enum { SHORTEST_STEPS = 20, MOST_WINDOWS = 20, MOST_AVERAGED = 32, SAMPLES_A_WINDOW = 10 };

int steady_create(steady *st, size_t columns, double dt)
{
    memset(st, 0, sizeof *st);
    double steps = fmax(ceil(SHORTEST_WINDOW / dt - 1e-9), SHORTEST_STEPS);
    st->sampled = (uint64_t)(steps / SAMPLES_A_WINDOW);
    st->window = st->sampled * SAMPLES_A_WINDOW;
    st->previous = NAN;
    st->change = st->difference = NAN;
    st->columns = columns;
    st->east = calloc(columns, sizeof *st->east);
    st->north = calloc(columns, sizeof *st->north);
    return st->east && st->north ? STATUS_OK : fail_memory();
}

void steady_take_up(steady *st, uint64_t step)
{
    st->converged = st->averaging && st->difference < MEAN_DIFFERENCE;
    st->done =
        st->converged || (st->averaging && step - st->phase_start >= st->window * MOST_AVERAGED);
}

void steady_destroy(steady *st)
{
    free(st->east);
    free(st->north);
}

uint64_t steady_longest(const steady *st)
{
    return st->averaging ? st->phase_start + st->window * MOST_AVERAGED
                         : st->window * (MOST_WINDOWS + MOST_AVERAGED);
}

/* a over b, where 0 over 0 is no change at all. */
static double relative(double a, double b)
{
    return a == 0 ? 0 : a / b;
}

static int spin_up(steady *st, foehn_wind *wind, wind_reader *reader, uint64_t step, double time)
{
    if ((step - st->phase_start) % st->sampled != 0)
        return STATUS_OK;
    const float *east, *north;
    double speed;
    int status = wind_reader_read_columns(reader, false, &east, &north, &speed);
    if (status != STATUS_OK)
        return status;
    st->sum += speed;
    if (++st->samples < SAMPLES_A_WINDOW)
        return STATUS_OK;

    double mean = st->sum / (double)st->samples;
    st->change = relative(fabs(mean - st->previous), st->previous); /* NaN after the first */
    st->previous = mean;
    st->sum = 0;
    st->samples = 0;
    st->windows++;
    st->spun_up = st->change < SPIN_UP_CHANGE;
    if (!st->spun_up && st->windows < MOST_WINDOWS)
        return STATUS_OK;

    foehn_status started = foehn_wind_set_averaging(wind, 1);
    if (started != FOEHN_OK)
        return fail_library(started);
    st->averaging = true;
    st->phase_start = step;
    st->average_start = time;
    st->next_check = st->window;
    if (st->spun_up)
        report("Spin-up   %llu steps (%.0f s): mean speed changed by %.2f %% from one window of "
               "%llu steps to the next, below %g %%",
               (unsigned long long)step, time, 100 * st->change, (unsigned long long)st->window,
               100 * SPIN_UP_CHANGE);
    else
        warn("spin-up ended at its cap of %d windows: the mean speed still changes by %.2f %% a "
             "window, more than %g %%",
             (int)MOST_WINDOWS, 100 * st->change, 100 * SPIN_UP_CHANGE);
    return STATUS_OK;
}

static int average(steady *st, wind_reader *reader, uint64_t step)
{
    uint64_t samples = step - st->phase_start;
    if (samples < st->next_check)
        return STATUS_OK;
    const float *east, *north;
    double speed;
    int status = wind_reader_read_columns(reader, true, &east, &north, &speed);
    if (status != STATUS_OK)
        return status;
    if (samples > st->window) {
        double sum = 0;
        for (size_t c = 0; c < st->columns; c++) {
            double du = (double)east[c] - (double)st->east[c];
            double dv = (double)north[c] - (double)st->north[c];
            sum += du * du + dv * dv;
        }
        st->difference = relative(sqrt(sum / (double)st->columns), speed);
        st->converged = st->difference < MEAN_DIFFERENCE;
        st->done = st->converged || samples >= st->window * MOST_AVERAGED;
    }
    if (st->converged)
        report("Mean      over %llu steps: differs by %.2f %% (rms) from that over half as many, "
               "below %g %%",
               (unsigned long long)samples, 100 * st->difference, 100 * MEAN_DIFFERENCE);
    else if (st->done)
        warn("averaging ended at its cap of %llu steps: the mean differs by %.2f %% (rms) from "
             "that over half as many, more than %g %%: run longer with --duration",
             (unsigned long long)samples, 100 * st->difference, 100 * MEAN_DIFFERENCE);
    memcpy(st->east, east, st->columns * sizeof *east);
    memcpy(st->north, north, st->columns * sizeof *north);
    st->next_check *= 2;
    return STATUS_OK;
}

int steady_step(steady *st, foehn_wind *wind, wind_reader *reader, uint64_t step, double time)
{
    return st->averaging ? average(st, reader, step) : spin_up(st, wind, reader, step, time);
}
