/* SPDX-License-Identifier: MIT */
/* What lies beyond the sides of the box: nothing that a kernel asks for, but where it is periodic. */
#include "wind/state.h"

foehn_status foehn_wind_wrap(foehn_wind *w, cl_mem field)
{
    if (!foehn_wind_is_periodic(w))
        return FOEHN_OK;
    foehn_size padded = {(size_t)w->g.nx + 2, (size_t)w->g.ny + 1, (size_t)w->g.nz + 2};
    return LAUNCH(w->ctx, w->kernel.wrap, padded, ARG(w->g), ARG(field));
}
