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
    uint64_t steps;   /* to rest, of the momentum model or with --relaxation */
    bool settled;
    double drift; /* of the momentum model; NaN: of another */
} hour_found;

/* The mean of large eddies while it grows (eddies.c). */
enum { EDDIES_BATCHES = 8 };
typedef struct eddies_mean {
    size_t columns, points; /* at the height; probes */
    uint64_t from, to;      /* steps after which the mean begins and ends */
    uint64_t begin, last;   /* where the batches begin; the last one's end */
    double flush_time;      /* of the box, s; NaN before the first step */
    int count;              /* of batches */
    double speed;           /* mean over the columns, m/s */
    double drift, error;    /* rms over the columns, over the speed: of the mean in a flush; its
                               standard error; NaN before two batches */
    float *mean;            /* [columns + points][2], m/s */
    float *batches;         /* [EDDIES_BATCHES][columns + points][2], m/s */
    probe_row *rows;
} eddies_mean;
int eddies_create(eddies_mean *e, const scene *s, uint64_t from, uint64_t to);
void eddies_destroy(eddies_mean *e);
/* After each step of dt; steps count from 1. */
int eddies_step(eddies_mean *e, foehn_wind *wind, wind_reader *reader, uint64_t step, double dt);
/* On a line while it runs; at the end; for --stats. */
void eddies_tell(const eddies_mean *e, uint64_t step, uint64_t steps, double dt);
void eddies_report(const eddies_mean *e, double dt);
void eddies_add_stats(const eddies_mean *e, const scene *s, double dt, json *j);

typedef struct run {
    const wind_options *o;
    site site;
    input_series input;
    foehn_context *ctx;
    foehn_wind *wind;
    bool publishes; /* into the volume, which rank 0 has */
    foehn_volume *volume;
    wind_reader *reader;
    outputs *outputs;
    steady steady;
    eddies_mean eddies;           /* --model les */
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
