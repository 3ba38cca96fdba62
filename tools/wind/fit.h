/* SPDX-License-Identifier: MIT */
/* What inlet explains measured winds best, and what is left over between stations. */
#ifndef FIT_H
#define FIT_H

#include <stdbool.h>
#include <stddef.h>

/* A measured wind. */
typedef struct fit_wind {
    bool has_direction;
    double speed;       /* m/s */
    double east, north; /* towards true east and north, m/s; where it has a direction */
    double weight;
} fit_wind;

enum { FIT_NODES = 12 };

/* Winds at the stations for inlets of 1 m/s from some directions: neutral fields scale with the
 * speed. */
typedef struct fit {
    size_t count;
    const fit_wind *winds; /* [count] */
    int nodes;
    double from[FIT_NODES];                     /* degrees, ascending */
    double *east[FIT_NODES], *north[FIT_NODES]; /* [count] each, for u10 = 1 m/s */
} fit;

typedef struct fit_inlet {
    double u10, from; /* m/s, degrees */
    double rms;       /* of what is missed, weighted, m/s */
    int beyond; /* -1, 1: the best direction is the first or last node, or lies beyond; else 0 */
} fit_inlet;

/* The inlet of least squares, between the nodes: quadratic in direction.  One node: its direction.
 * without: a station that does not count; count or more: all do. */
fit_inlet fit_find(const fit *f, size_t without);

/* What blows at a station. */
void fit_predict(const fit *f, double u10, double from, size_t station, double *east,
                 double *north);

/* What a measured wind is more than one that was found; without a direction along the latter. */
void fit_excess(const fit_wind *w, double east, double north, double excess[2]);

/* Barnes' interpolation of vectors in two passes, gamma 0.2 (Koch, desJardins and Kocin 1983), on a
 * background of 0 that counts as much as a station where its weight is 0.05: far from all of them
 * nothing is left. */
typedef struct barnes {
    size_t count;
    double (*at)[2]; /* m */
    double (*value)[2];
    double (*second)[2];   /* what the first pass leaves */
    const fit_wind *winds; /* weights */
    double spacing;        /* mean distance to the next station, m; 0: there is but one place */
    double scale;          /* of the first pass, m2; 0: one value everywhere */
} barnes;

/* spacing: of places nearer than that count as one.  smoothing: lengths over Barnes' own; 1 */
bool barnes_create(barnes *b, size_t count, double (*at)[2], double (*value)[2],
                   const fit_wind *winds, double spacing, double smoothing, size_t without);
void barnes_find(const barnes *b, double x, double y, size_t without, double out[2]);
void barnes_destroy(barnes *b);

/* How far a fit is believed: chosen so that each station, left out, is found best by the others. */
typedef struct fit_choice {
    double trust;     /* 0: the inlet that was given, 1: that of least squares */
    double smoothing; /* of Barnes' interpolation */
    double strength;  /* of what it spreads; 0: nothing is spread */
} fit_choice;

/* Where stations stand, and how much of an inlet of 1 m/s arrives there. */
typedef struct fit_places {
    double (*at)[2];      /* m */
    const double *shares; /* [count] */
    double spacing;       /* of places nearer than that count as one, m */
} fit_places;

/* Between the inlet that was given, u10 and direction, and one that was found. */
fit_inlet fit_between(const double given[2], fit_inlet found, double trust);

/* The winds that a choice finds at the stations, each from the others alone: without[i] is the
 * inlet of least squares without station i.  Returns the weighted rms that they miss, m/s; NaN: no
 * memory.
 */
double fit_left_out(const fit *f, const double given[2], const fit_inlet *without,
                    const fit_places *places, fit_choice choice, double *east, double *north);

/* The choice that misses least; of those within 5 % of it, and never more than the inlet that was
 * given alone, the one that comes nearest to the stations.  shrinks: an inlet was given that the
 * stations do not know; spreads: there is something to be chosen for Barnes, else strength is 0.
 * false: no memory. */
bool fit_choose(const fit *f, const double given[2], const fit_inlet *without,
                const fit_places *places, bool shrinks, bool spreads, fit_choice *out);

#endif
