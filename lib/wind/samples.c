/* SPDX-License-Identifier: MIT */
/* Maps that callers give are looked at and copied. */
#include "wind/samples.h"

#include <stdlib.h>
#include <string.h>

foehn_status foehn_samples_check(const foehn_samples *s)
{
    enum { MOST = 32768 };
    if (s->nx < 1 || s->nz < 1 || s->nx > MOST || s->nz > MOST || !s->values[0] || !s->values[1])
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s of %d x %d samples: 1 to %d each", s->title,
                          s->nx, s->nz, MOST);
    if (!(s->spacing[0] > 0 && s->spacing[1] > 0 && isfinite(s->spacing[0] + s->spacing[1]) &&
          isfinite(s->origin[0] + s->origin[1])))
        return foehn_fail(
            FOEHN_ERROR_ARGUMENT,
            "%s with %g x %g m a sample at (%g, %g): spacing must be > 0 and all of it finite",
            s->title, s->spacing[0], s->spacing[1], s->origin[0], s->origin[1]);
    return FOEHN_OK;
}

foehn_status foehn_samples_copy(const foehn_samples *s, float **out)
{
    const size_t count = (size_t)s->nx * (size_t)s->nz;
    float *copy = *out = malloc(2 * count * sizeof *copy);
    if (!copy)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %s of %zu samples", s->title,
                          count);
    for (int n = 0; n < 2; n++)
        memcpy(copy + (size_t)n * count, s->values[n], count * sizeof *copy);
    return FOEHN_OK;
}
