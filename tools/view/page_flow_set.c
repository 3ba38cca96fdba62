/* SPDX-License-Identifier: MIT */
/* The flow lab's page: what keys, chips and sliders set. */
#include "config.h"

#include "view/page_flow.h"

#include <math.h>
#include <string.h>

int view_flow_switch(flow_page *p, int terms)
{
    foehn_status got = foehn_flow_set_terms(p->flow, foehn_flow_get_terms(p->flow) ^ terms);
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

int view_flow_restart(flow_page *p, viewer *v)
{
    foehn_status got = foehn_flow_restart(p->flow);
    if (got != FOEHN_OK)
        return fail_library(got);
    for (int i = 0; i < p->scene->event_count; i++)
        p->scene->events[i].next = p->scene->events[i].at;
    p->done = 0;
    p->blown_up = false;
    p->solids_stale = true;
    p->cl = p->cd = NAN;
    view_say(v, "back to the start");
    return flow_start_write(p->scene, p->flow);
}

int view_flow_set_viscosity(flow_page *p, double nu)
{
    foehn_status got = foehn_flow_set_viscosity(p->flow, (float)nu);
    foehn_flow_get_info(p->flow, &p->info); /* several keys may come before the next step */
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

/* An obstacle that does not fit stays as it was, and the note says why. */
static void put_obstacle(flow_page *p, viewer *v, const foehn_flow_obstacle *o)
{
    if (foehn_flow_set_obstacle(p->flow, 0, o) != FOEHN_OK)
        view_say_error(v);
    p->solids_stale = true;
    p->cl = p->cd = NAN;
}

void view_flow_set_shape(flow_page *p, viewer *v, foehn_flow_shape shape)
{
    static const foehn_flow_obstacle usual[] = {[FOEHN_FLOW_CYLINDER] = {.size = 0.16f},
                                                [FOEHN_FLOW_PLATE] = {.size = 0.25f, .angle = 90},
                                                [FOEHN_FLOW_BEAN] = {.size = 0.3f},
                                                [FOEHN_FLOW_WING] = {.size = 0.4f, .angle = 8}};
    float height = p->scene->params.height;
    foehn_flow_obstacle o = usual[shape], now;
    p->obstacle = (int)shape;
    if (shape == FOEHN_FLOW_NOTHING) {
        put_obstacle(p, v, NULL);
        return;
    }
    o.shape = shape;
    o.size *= height;
    o.center[0] = 0.35f * (float)p->info.extent[0];
    o.center[1] = 0.5f * height;
    if (foehn_flow_get_obstacle(p->flow, 0, &now) == FOEHN_OK && now.shape != FOEHN_FLOW_NOTHING)
        memcpy(o.center, now.center, sizeof o.center);
    put_obstacle(p, v, &o);
}

bool view_flow_angle(const flow_page *p, double *angle)
{
    foehn_flow_obstacle o;
    if (foehn_flow_get_obstacle(p->flow, 0, &o) != FOEHN_OK || o.shape == FOEHN_FLOW_NOTHING ||
        o.shape == FOEHN_FLOW_CYLINDER)
        return false;
    *angle = (double)o.angle;
    return true;
}

void view_flow_set_angle(flow_page *p, viewer *v, double angle)
{
    foehn_flow_obstacle o;
    if (foehn_flow_get_obstacle(p->flow, 0, &o) != FOEHN_OK || o.shape == FOEHN_FLOW_NOTHING)
        return;
    o.angle = (float)fmax(-180, fmin(angle, 180));
    put_obstacle(p, v, &o);
}
