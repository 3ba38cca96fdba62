/* SPDX-License-Identifier: MIT */
/* A mast's wind climate: how often and how strongly it blows from each sector. */
#ifndef CLIMATE_H
#define CLIMATE_H

#include "tool.h"

enum { MOST_SECTORS = 360 };

/* A Weibull distribution of the speed, and how often it holds. */
typedef struct weibull {
    double f; /* share of all time, 0 to 1 */
    double a; /* scale, m/s; 0 where f is 0 */
    double k; /* shape */
} weibull;

typedef struct climate {
    int count;                    /* sectors, the first around north */
    weibull sector[MOST_SECTORS]; /* their f add up to 1 */
    double height;                /* above the ground, m; NaN: the file does not say */
    double latitude, longitude;   /* degrees; NaN: the file does not say */
} climate;

/* Read a table of observed winds (.tab of WAsP, whose speeds are fitted), or .csv with
 * sector,f,A,k.  Fails with file, line and way out. */
int climate_read(const char *path, climate *out);

/* The shape k of mean cube over cubed mean, from 1.005 (k 20) to 20 (k 0.7); beyond, the nearest.
 */
double weibull_shape(double ratio);

#endif
