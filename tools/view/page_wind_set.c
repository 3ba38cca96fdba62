/* SPDX-License-Identifier: MIT */
/* The wind's page: what keys and sliders set. */
#include "config.h"

#include "view/page_wind.h"

#include <math.h>

foehn_wind_state view_wind_note_state(wind_page *p)
{
    double from = fmod(p->from - p->ground.convergence + 720, 360);
    double angle = from * 3.14159265358979323846 / 180;
    p->air.toward[0] = -sin(angle);
    p->air.toward[1] = cos(angle);
    p->air.u10 = p->u10;
    return (foehn_wind_state){(float)p->u10, (float)from, (float)p->gustiness};
}

int view_wind_set_state(wind_page *p)
{
    foehn_wind_state state = view_wind_note_state(p);
    return fail_library(foehn_wind_set_state(p->wind, &state));
}

/* From behind and above, so that the hill stands in the middle with the wind across. */
void view_wind_look_from_start(wind_page *p)
{
    double wide = p->params.nx * (double)p->params.spacing_horizontal;
    double aside = 0.12 * wide, back = 0.62 * wide;
    view_camera *c = &p->camera;
    const double *to = p->air.toward;
    c->position[0] = p->ground.top[0] - back * to[1] - aside * to[0];
    c->position[2] = p->ground.top[1] + back * to[0] - aside * to[1];
    c->position[1] = p->ground.summit + 0.12 * wide;
    double dx = p->ground.top[0] - c->position[0], dz = p->ground.top[1] - c->position[2];
    c->yaw = atan2(dx, -dz);
    c->pitch = -0.22;
    c->field = 0.85;
    c->near = fmin(0.002 * wide, 0.3 * VIEW_LEAST_CLEARANCE);
    c->far = 8 * wide;
    p->flight = 0.15 * wide;
}

bool view_slice_is_upright(view_slice slice)
{
    return slice == SLICE_ALONG || slice == SLICE_ACROSS;
}
