/* SPDX-License-Identifier: MIT */
/* When a run writes: a whole number of steps apart, and stamped with the decimal that was asked
 * for. */
#ifndef OUTPUT_CLOCK_H
#define OUTPUT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct output_clock {
    double dt;            /* s */
    double every;         /* s between outputs; 0: none */
    uint64_t steps_every; /* the steps that this is; 0: none */
} output_clock;

/* The step is shortened so that the time between outputs is a whole number of steps; a step that
 * fits already is left alone. */
output_clock output_clock_start(double dt, double every);

/* The time of a step, s: whole multiples of every are exact, and there is no noise of floats: 2.1,
 * not three times 0.7. */
double output_clock_time(const output_clock *c, uint64_t step);

/* Is there an output after this step? */
bool output_clock_strikes(const output_clock *c, uint64_t step);

#endif
