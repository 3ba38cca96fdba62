/* SPDX-License-Identifier: MIT */
/* The wish to stop. */
#ifndef STOP_H
#define STOP_H

#include <stdbool.h>

#define STOPPED_EARLY "stopped while kernels were built: nothing is written"

/* Let SIGINT, SIGTERM and SIGHUP end the run: at once, with STATUS_STOPPED, until
 * stop_between_steps() is called, as it is after the first step; from then on after the current
 * step, and at once by the second one. */
void stop_on_signals(void);
void stop_between_steps(void);
bool stop_requested(void);

/* Ends a run of several ranks: they cannot agree on a step after which all stop.  silent: another
 * process tells of it. */
void stop_at_once(bool silent);

/* What to do before a signal ends the command; only what a handler may call. */
void stop_cleans(void (*clean)(void));

#endif
