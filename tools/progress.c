/* SPDX-License-Identifier: MIT */
/* A line on a terminal that says how far the run is. */
#include "config.h"

#include "progress.h"

#include "tool.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool active;
static double started = -1, last_shown;
static uint64_t first_step;

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(bool quiet)
{
    active = !quiet && isatty(STDERR_FILENO);
    started = -1;
}

void progress_say(const char *text)
{
    if (!active || is_silent())
        return;
    line_show("%s ...", text);
}

/* Steps a second; negative: nothing is to be shown now.  end: a line that is shown whenever it
 * comes. */
static double rate_at(uint64_t step, bool end)
{
    double now = seconds_now();
    if (started < 0) {
        /* The first step compiles kernels; a rate that counted it would mislead for long. */
        started = now;
        first_step = step;
        return -1;
    }
    if (now - last_shown < 0.1 && !end)
        return -1;
    last_shown = now;
    return now > started ? (double)(step - first_step) / (now - started) : 0;
}

void progress_tell(const char *text, uint64_t step)
{
    double rate = active && !is_silent() ? rate_at(step, false) : -1;
    if (rate < 0)
        return;
    line_show("%s, step %llu, %.3g steps/s", text, (unsigned long long)step, rate);
}

void progress_show(const char *phase, uint64_t step, uint64_t total, double simulated)
{
    double rate = active && !is_silent() ? rate_at(step, step >= total) : -1;
    if (rate < 0)
        return;
    double left = rate > 0 && total > step ? (double)(total - step) / rate : 0;
    char bar[21];
    int full = total > 0 ? (int)(20.0 * (double)step / (double)total) : 0;
    full = full > 20 ? 20 : full;
    memset(bar, '#', (size_t)full);
    memset(bar + full, '-', (size_t)(20 - full));
    bar[20] = 0;
    line_show("[%s] %s, step %llu, %.1f s simulated, %.3g steps/s, %d:%02d left", bar, phase,
              (unsigned long long)step, simulated, rate, (int)left / 60, (int)left % 60);
}
