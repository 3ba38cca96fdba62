/* SPDX-License-Identifier: MIT */
/* Figures of a run as JSON: the keys that every simulation has, and how steps are timed. */
#ifndef STATS_H
#define STATS_H

#include "json.h"
#include "tool.h"

enum { STEP_TIMES = 1024 };

/* Times of the last steps: from the first launch until all is done, and of these the seconds in
 * which kernels of the step ran.  Pictures and files between steps are in neither. */
typedef struct step_timer {
    foehn_context *ctx;
    bool device; /* measure device time, too */
    uint64_t count;
    double started;
    foehn_status begun;
    double wall[STEP_TIMES];      /* s */
    double on_device[STEP_TIMES]; /* s */
} step_timer;

int step_timer_create(step_timer *t, foehn_context *ctx, bool device);
void step_timer_start(step_timer *t);
/* Waits for the step to end. */
int step_timer_stop(step_timer *t);
/* Median wall-clock time of the last steps, ms; NaN without steps. */
double step_timer_median_ms(const step_timer *t);

/* A stats file being written. */
typedef struct stats_file {
    const char *path;
    const char *temporary; /* NULL: stdout */
    FILE *stream;
    json j;
} stats_file;

/* Open, and write what all simulations have.  The caller adds its own keys. */
int stats_begin(stats_file *f, const char *path, const step_timer *t, uint64_t steps, double dt,
                double wall, uint64_t cells);
int stats_end(stats_file *f);

#endif
