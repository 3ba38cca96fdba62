/* SPDX-License-Identifier: MIT */
/* A run of foehn wind on its way, and what is told of it at the end. */
#ifndef WIND_RUN_H
#define WIND_RUN_H

#include "stats.h"
#include "wind/inlet.h"
#include "wind/weather.h"

typedef struct run {
    const wind_options *o;
    site site;
    input_series input;
    foehn_context *ctx;
    foehn_wind *wind;
    foehn_volume *volume;
    wind_reader *reader;
    outputs *outputs;
    steady steady;
    mean_wind mean;               /* --steady */
    foehn_wind_settling settling; /* --model momentum */
    inlet inlet;                  /* --stations */
    weather *weather;             /* --input of a weather model; or NULL */
    run_state state;
    step_timer timer;
    bool to_steady;
    uint64_t steps;        /* to make, or at most */
    uint64_t average_from; /* step after which a run of given length averages; 0: never */
    uint64_t step;         /* made */
    uint64_t first_step;   /* made before a checkpoint that was taken up */
    double time;           /* simulated, s */
    double next_checkpoint;
    double residual; /* of the last pressure solve that was measured; NaN: none */
    probe_row *rows;
} run;

/* How long it took, wall s, as a line of the report. */
void run_report_time(const run *r, double wall);
/* The file of --stats. */
int run_write_stats(run *r, double wall, const foehn_wind_stats *stats, double mean_speed);

#endif
