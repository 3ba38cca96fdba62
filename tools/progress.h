/* SPDX-License-Identifier: MIT */
/* A line on a terminal that says how far the run is; nothing of it in a pipe. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Show progress from now on, if stderr is a terminal and quiet is false. */
void progress_begin(bool quiet);

/* Say what is being waited for, before something long that has no steps. */
void progress_say(const char *text);

/* step of total; total may be an upper bound.  phase is a word or two, such as "averaging". */
void progress_show(const char *phase, uint64_t step, uint64_t total, double simulated);

/* The same of a run whose end is not known: a text, and how many steps a second. */
void progress_tell(const char *text, uint64_t step);

/* Seconds on a clock that only goes forward. */
double seconds_now(void);

#endif
