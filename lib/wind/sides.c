/* SPDX-License-Identifier: MIT */
/* What lies beyond the sides of the box: nothing that a kernel asks for, but where it is periodic.
 */
#include "wind/state.h"

void foehn_wind_find_sides(const foehn_wind_params *p, foehn_side sides[FOEHN_SIDES])
{
    for (int i = 0; i < FOEHN_SIDES; i++)
        sides[i] = i / 2 == 1                              ? FOEHN_SIDE_WALL
                   : p->sides == FOEHN_WIND_SIDES_PERIODIC ? FOEHN_SIDE_PERIODIC
                                                           : FOEHN_SIDE_OPEN;
}

foehn_status foehn_wind_wrap(foehn_wind *w, cl_mem field)
{
    if (!foehn_wind_is_periodic(w))
        return FOEHN_OK;
    foehn_size padded = foehn_grid_padded(&w->g);
    padded.y--; /* not the floor's ghosts */
    return LAUNCH(w->ctx, w->kernel.wrap, padded, ARG(w->g), ARG(field));
}
