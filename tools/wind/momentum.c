/* SPDX-License-Identifier: MIT */
/* foehn wind --model momentum: steps until the wind stands still, told as it goes. */
#include "config.h"

#include "progress.h"
#include "wind/wind.h"

#include <math.h>
#include <string.h>

/* After so many flushes, so much about the mean (rms, over the mean speed) is what has no rest to
 * come to. */
#define FLUSHES_TO_REST 4
#define SWAYS 0.01

typedef struct watch {
    settling_report *then;
    void *data;
    double needed; /* drift */
    int status;
} watch;

static void tell(const foehn_wind_settling *s, double needed)
{
    char text[128];
    int n =
        snprintf(text, sizeof text, "settling: %.0f %% of a flush of the box", 100 * s->flushes);
    if (!isnan(s->drift))
        snprintf(text + n, sizeof text - (size_t)n, ", drift %.2g %% a flush (to %g %%)",
                 100 * s->drift, 100 * needed);
    progress_tell(text, s->progress.steps);
}

static int look(const foehn_wind_settling *s, void *data)
{
    watch *w = data;
    stop_between_steps(); /* its kernels are built */
    tell(s, w->needed);
    w->status = w->then ? w->then(s, w->data) : STATUS_OK;
    return w->status != STATUS_OK || stop_requested();
}

static bool sways(const foehn_wind_settling *s)
{
    return !s->settled && s->flushes >= FLUSHES_TO_REST && s->unrest >= SWAYS;
}

/* steps: that were made for this wind. */
static void report_end(const foehn_wind_settling *s, unsigned long long steps, double needed,
                       uint64_t most_steps)
{
    if (s->settled)
        report("Settled   after %llu steps, %.2f flushes of the box: the mean at the height drifts "
               "by %.2f %% a "
               "flush, below %g %%",
               steps, s->flushes, isnan(s->drift) ? 0 : 100 * s->drift, 100 * needed);
    else if (sways(s))
        warn(
            "this wind has no rest: after %llu steps, %.2f flushes of the box, the mean at the "
            "height drifts by %.2f %% a flush, and the wind about it moves by %.1f %% of the speed "
            "(rms): something in the lee sways; the files hold the wind as it is now. Higher cells "
            "(--spacing) or --closure k-length damp it, --model les has its mean",
            steps, s->flushes, 100 * s->drift, 100 * s->unrest);
    else if (stop_requested() || steps >= most_steps)
        warn("stopped after step %llu, %.2f flushes of the box: the wind is on its way to rest",
             steps, s->flushes);
    else
        warn("the wind does not stand still yet: after %llu steps, %.2f flushes of the box, the "
             "mean at the height "
             "drifts by %.2f %% a flush, more than %g %%",
             steps, s->flushes, 100 * s->drift, 100 * needed);
}

void momentum_describe(const foehn_wind_settling *s, scene *out)
{
    out->settled = s->settled;
    out->drift = s->drift;
    snprintf(out->rest, sizeof out->rest, "%s, drift %.2f %% a flush",
             s->settled ? "settled"
             : sways(s) ? "swaying"
                        : "not settled",
             isnan(s->drift) ? 0 : 100 * s->drift);
}

int momentum_settle(const wind_options *o, foehn_wind *wind, settling_report *then, void *data,
                    foehn_wind_settling *s)
{
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    watch w = {then, data, p.drift, STATUS_OK};
    foehn_wind_info info;
    const uint64_t of_others = s->progress.steps;
    memset(s, 0, sizeof *s);
    s->drift = s->unrest = NAN;
    foehn_wind_get_info(wind, &info);
    p.height = o->height;
    if (o->common.steps &&
        info.step >= o->common.steps) /* so many were made before the checkpoint */
        return STATUS_OK;
    if (o->common.steps)
        p.most_steps = o->common.steps - info.step;
    p.report = look;
    p.data = &w;
    foehn_status status = foehn_wind_settle(wind, &p, s);
    line_clear();
    if (status != FOEHN_OK)
        return fail_library(status);
    if (w.status != STATUS_OK)
        return w.status;
    report_end(s, s->progress.steps - of_others, p.drift,
               o->common.steps ? o->common.steps : p.most_steps);
    return STATUS_OK;
}
