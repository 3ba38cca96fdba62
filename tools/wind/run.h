/* SPDX-License-Identifier: MIT */
/* A run of foehn wind on its way, and what is told of it at the end. */
#ifndef WIND_RUN_H
#define WIND_RUN_H

#include "stats.h"
#include "wind/inlet.h"
#include "wind/weather.h"

/* A moment of a weather model. */
typedef struct hour_found {
    double moment;    /* seconds since 1970 */
    double u10, from; /* of the undisturbed wind */
    double speed;     /* mean at the height, m/s */
    bool settled;
    double drift; /* of the momentum model; NaN: of another */
} hour_found;

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
    weather_series *weather;      /* --input of a weather model; or NULL */
    hour_found *hours;            /* [weather->count] */
    size_t hour_count;            /* that were found */
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

/* A weather model's wind (hours.c): read it; bring in that of a moment; find all moments, each
 * written when it is there; what is told of them. */
typedef int hours_write(run *r);
int hours_read(run *r);
int hours_set_map(run *r, size_t hour);
int hours_find(run *r, inlet_solver *solve, hours_write *write);
void hours_add_stats(const run *r, json *j);

/* Was a moment of many given up, half found? */
bool run_was_cut(const run *r);
/* How long it took, wall s, as a line of the report. */
void run_report_time(const run *r, double wall);
/* The file of --stats. */
int run_write_stats(run *r, double wall, const foehn_wind_stats *stats, double mean_speed);

#endif
