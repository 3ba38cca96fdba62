/* SPDX-License-Identifier: MIT */
/* When a run writes. */
#include "config.h"

#include "output_clock.h"

#include <math.h>

output_clock output_clock_start(double dt, double every)
{
    output_clock c = {dt, every, 0};
    if (!(every > 0))
        return c;
    c.steps_every = (uint64_t)fmax(1, ceil(every / dt * (1 - 1e-9)));
    double fitted = every / (double)c.steps_every;
    if (fabs(fitted - dt) > 1e-9 * dt)
        c.dt = fitted;
    return c;
}

double output_clock_time(const output_clock *c, uint64_t step)
{
    double time = (double)step * c->dt;
    if (c->steps_every > 0)
        time = (double)(step / c->steps_every) * c->every + (double)(step % c->steps_every) * c->dt;
    return rint(1e9 * time) / 1e9;
}

bool output_clock_strikes(const output_clock *c, uint64_t step)
{
    return c->steps_every > 0 && step % c->steps_every == 0;
}
