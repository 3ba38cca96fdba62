/* SPDX-License-Identifier: MIT */
/* foehn wind --steady: the mean field, mass consistent, and where asked carried along by advection.
 */
#include "config.h"

#include "progress.h"
#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STANDS_STILL                                                                               \
    1e-3 /* rms change of the field at the height over a window, of the mean speed */
enum { MOST_CYCLES = 100, WINDOW = 20, MOST_STEPS = 4000 };

/* rms of the change from (east, north) to what the reader has now, over the mean speed. */
static int change_since(wind_reader *reader, size_t columns, float *east, float *north,
                        double *change)
{
    const float *new_east, *new_north;
    double speed, sum = 0;
    int status = wind_reader_read_columns(reader, false, &new_east, &new_north, &speed);
    if (status != STATUS_OK)
        return status;
    for (size_t c = 0; c < columns; c++) {
        double du = (double)new_east[c] - (double)east[c];
        double dv = (double)new_north[c] - (double)north[c];
        sum += du * du + dv * dv;
    }
    *change = speed > 0 ? sqrt(sum / (double)columns) / speed : 0;
    memcpy(east, new_east, columns * sizeof *east);
    memcpy(north, new_north, columns * sizeof *north);
    return STATUS_OK;
}

static int advect(const wind_options *o, double dt, size_t columns, foehn_wind *wind,
                  wind_reader *reader, mean_wind *m)
{
    float *east = calloc(columns, sizeof *east), *north = calloc(columns, sizeof *north);
    int status = east && north ? STATUS_OK : fail_memory();
    if (status == STATUS_OK)
        status = change_since(reader, columns, east, north, &m->change);
    while (status == STATUS_OK && !m->converged && m->steps < MOST_STEPS && !stop_requested()) {
        for (int i = 0; i < WINDOW && status == STATUS_OK; i++)
            status = fail_library(foehn_wind_step(wind, (float)dt));
        stop_between_steps();
        m->steps += WINDOW;
        if (status == STATUS_OK)
            status = change_since(reader, columns, east, north, &m->change);
        m->converged = status == STATUS_OK && m->change < STANDS_STILL;
        progress_show("advecting", m->steps, MOST_STEPS, (double)m->steps * dt);
    }
    line_clear();
    free(east);
    free(north);
    if (status != STATUS_OK)
        return status;
    if (m->converged)
        report(
            "Advected  %llu steps of %g s, relaxed at %g 1/s: changed by %.2g (rms, relative) in "
            "the last %d, below %g",
            (unsigned long long)m->steps, dt, o->relaxation, m->change, WINDOW, STANDS_STILL);
    else
        warn("advection stopped after %llu steps: the field at the height still changes by %.2g "
             "(rms, relative) in %d steps, more than %g: use a higher --relaxation",
             (unsigned long long)m->steps, m->change, WINDOW, STANDS_STILL);
    return STATUS_OK;
}

int mean_wind_find(const wind_options *o, double dt, size_t columns, foehn_wind *wind,
                   wind_reader *reader, mean_wind *m)
{
    memset(m, 0, sizeof *m);
    m->change = NAN;
    double started = seconds_now();
    foehn_status solved = foehn_wind_solve(wind, o->tolerance, MOST_CYCLES, &m->solution);
    if (solved != FOEHN_OK)
        return fail_library(solved);
    m->solve_s = seconds_now() - started;
    report("Solved    in %d cycles to a relative residual of %.2g; %.3g m3/s flow in, %.2g of that "
           "is not balanced",
           m->solution.cycles, m->solution.residual, m->solution.mass_in,
           m->solution.mass_imbalance);
    if (m->solution.residual > o->tolerance)
        return fail(STATUS_FAILED,
                    "--steady: the residual is %.2g after %d cycles, not %g: give a larger "
                    "--tolerance or other --cells",
                    m->solution.residual, m->solution.cycles, o->tolerance);
    if (!o->has_relaxation)
        return STATUS_OK;
    started = seconds_now();
    int status = advect(o, dt, columns, wind, reader, m);
    m->advect_s = seconds_now() - started;
    return status;
}
