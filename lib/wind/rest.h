/* SPDX-License-Identifier: MIT */
/* Whether a wind stands still: means of the flow at a height over two windows of time, one after
 * the other.  A checkpoint keeps them, so that a resumed wind comes to rest at the same step. */
#ifndef FOEHN_LIB_WIND_REST_H
#define FOEHN_LIB_WIND_REST_H

#include "wind/state.h"

/* A window: how many samples, since when, and how the flow at the height scatters in it. */
typedef struct rest_window {
    int32_t samples;
    int32_t unused; /* 0: no hole in a checkpoint's bytes */
    double from;    /* s */
    double squares; /* sum of |u|^2 over samples and columns, m2/s2 */
} rest_window;

typedef struct rest_head {
    uint64_t step;         /* after which it was looked at last */
    double height;         /* m */
    double drift, unrest;  /* of the last whole window; NaN: none yet */
    rest_window window[2]; /* this one and the last one */
} rest_head;

struct foehn_rest {
    rest_head head;
    double *sums; /* [2][columns][2]: of the flow along x and z in this window and in the last one,
                     m/s */
};

#define REST_WINDOW 0.25 /* of a flush of the box */

foehn_status foehn_rest_create(foehn_wind *w);
void foehn_rest_destroy(foehn_wind *w);

/* Nothing seen yet, from a time on. */
void foehn_rest_forget(foehn_wind *w, double height, double time);
/* The flow at the height, as foehn_wind_read_points() gives it for all columns, into this window.
 * Returns its mean speed. */
double foehn_rest_add(foehn_wind *w, const float *at);
/* The end of a window: what drifts and what moves; an empty one begins. */
void foehn_rest_turn_over(foehn_wind *w, double speed, double time);

/* Between the wind and a checkpoint's bytes. */
size_t foehn_rest_size(const foehn_wind *w);
void foehn_rest_save(const foehn_wind *w, void *bytes);
foehn_status foehn_rest_check(const void *bytes);
void foehn_rest_load(foehn_wind *w, const void *bytes);

#endif
