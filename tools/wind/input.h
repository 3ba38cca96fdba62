/* SPDX-License-Identifier: MIT */
/* The wind's state over time, from a CSV file. */
#ifndef INPUT_H
#define INPUT_H

#include "tool.h"

typedef struct input_row {
    double time;                 /* s */
    double u10, from, gustiness; /* m/s; degrees from true north; 0 to 1 */
} input_row;

typedef struct input_series {
    size_t count;
    input_row *rows; /* in the order of time */
} input_series;

/* Read columns time_s,u10,from,gustiness.  A bad row is refused with its file and line. */
int input_read(const char *path, input_series *out);
void input_destroy(input_series *series);

/* The state at a time: linear between rows, direction the short way round, constant outside. */
input_row input_at(const input_series *series, double time);

#endif
