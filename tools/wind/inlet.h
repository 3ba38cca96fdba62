/* SPDX-License-Identifier: MIT */
/* The inlet that stations tell of: directions solved, an inlet fitted, the rest spread between
 * stations. */
#ifndef INLET_H
#define INLET_H

#include "json.h"
#include "wind/stations.h"
#include "wind/wind.h"

/* What a station misses, measured less found, m/s and degrees (NaN without a direction). */
typedef struct inlet_miss {
    double speed, turn;
} inlet_miss;

/* rms over the stations: of the vector, or of the speed where there is no direction, m/s; of the
 * speed over that measured. */
typedef struct inlet_score {
    double rms, relative;
} inlet_score;

enum {
    INLET_BEFORE,
    INLET_FITTED,
    INLET_LEFT_OUT,
    INLET_ADJUSTED,
    INLET_ADJUSTED_LEFT_OUT,
    INLET_STAGES
};

typedef struct inlet {
    station_list list;
    fit fit;
    bool turns;   /* the direction is fitted, too */
    bool given;   /* the wind to begin with is none that the stations told */
    bool spreads; /* what is left may be spread between stations */
    fit_choice choice;
    double first[2], best[2]; /* u10, from: before, and fitted */
    bool adjusted;
    inlet_miss *misses[INLET_STAGES]; /* [stations] each */
    inlet_score scores[INLET_STAGES];
} inlet;

int inlet_options_check(const wind_options *options);

/* Read the stations, and choose the wind to begin with: the command line's, or what they roughly
 * say. */
int inlet_read(const wind_options *options, double time, inlet *out, double *u10, double *from);

/* What solves for the state that the wind has. */
typedef int inlet_solver(void *data);

/* Fit, with the wind as it is made and placed; ends with the fitted state set and not yet solved.
 */
int inlet_fit(inlet *in, site *s, foehn_wind *wind, inlet_solver *solve, void *data);
/* With that solved: note what is missed; adjust a mass-consistent field, which is solved again. */
int inlet_finish(inlet *in, const site *s, foehn_wind *wind, inlet_solver *solve, void *data);
void inlet_report(const inlet *in);
void inlet_add_stats(const inlet *in, json *j);
void inlet_destroy(inlet *in);

#endif
