/* SPDX-License-Identifier: MIT */
/* The hand in the flow lab: it stirs, draws obstacles, and drags them. */
#include "config.h"

#include "view/page_flow.h"

#include <math.h>
#include <string.h>

/* Velocity added per length of the path: the scene "stir" adds 2.6 over 0.15. */
#define STIR_STRENGTH 17.3
#define STIR_RADIUS 0.05  /* of the height */
#define DRAG_FASTEST 10.0 /* times the flow's speed */

const float view_inks[VIEW_INKS][4] = {{1, 0.55f, 0.1f, 1},
                                       {0.35f, 0.75f, 1, 1},
                                       {0.3f, 0.95f, 0.6f, 1},
                                       {1, 0.5f, 0.8f, 1},
                                       {1, 0.92f, 0.3f, 1}};

/* A point of the window in the box; outside the map the nearest. */
static void to_box(const flow_page *p, double x, double y, float out[2])
{
    const view_area *m = &p->map;
    double u = fmin(fmax((x - m->x) / m->width, 0), 1);
    double w = fmin(fmax(1 - (y - m->y) / m->height, 0), 1);
    out[0] = (float)(u * p->info.extent[0]);
    out[1] = (float)(w * p->info.extent[1]);
}

/* Another point of the line; a long line keeps every second. */
static void lengthen(flow_page *p)
{
    double least = 0.012 * p->info.extent[1];
    const float *last = p->line[p->points > 0 ? p->points - 1 : 0];
    if (p->points > 0 && hypot((double)(p->at[0] - last[0]), (double)(p->at[1] - last[1])) < least)
        return;
    if (p->points == FOEHN_FLOW_MOST_POINTS) {
        for (int i = 0; 2 * i < p->points; i++)
            memcpy(p->line[i], p->line[2 * i], sizeof p->line[i]);
        p->points = (p->points + 1) / 2;
    }
    memcpy(p->line[p->points++], p->at, sizeof p->at);
}

void view_hand_press(flow_page *p, viewer *v, const view_event *e)
{
    const view_area *m = &p->map;
    if (e->x < m->x || e->y < m->y || e->x >= m->x + m->width || e->y >= m->y + m->height)
        return;
    to_box(p, e->x, e->y, p->at);
    memcpy(p->stirred, p->at, sizeof p->at);
    p->slot = foehn_flow_pick(p->flow, p->at);
    foehn_flow_obstacle o;
    if (e->button == 3 || (p->drawing && p->slot < 0)) {
        p->hand = HAND_DRAW;
        p->points = 0;
        lengthen(p);
    } else if (p->slot >= 0 && foehn_flow_get_obstacle(p->flow, p->slot, &o) == FOEHN_OK) {
        p->hand = HAND_DRAG;
        for (int k = 0; k < 2; k++)
            p->grip[k] = o.center[k] - p->at[k];
    } else {
        p->hand = HAND_STIR;
        p->color = (p->color + 1) % VIEW_INKS;
        if (!(foehn_flow_get_terms(p->flow) & FOEHN_FLOW_FORCE))
            view_say(v, "the force is off, so that nothing stirs: key 1");
        else if (p->paused)
            view_say(v, "paused: Space goes on");
    }
}

void view_hand_release(flow_page *p, viewer *v)
{
    if (p->hand == HAND_DRAW) {
        if (foehn_flow_draw(p->flow, p->points, (const float(*)[2])p->line) != FOEHN_OK)
            view_say_error(v);
        p->solids_stale = true;
    }
    p->hand = HAND_NOTHING;
}

void view_hand_move(flow_page *p, const view_event *e)
{
    if (p->hand == HAND_NOTHING)
        return;
    to_box(p, e->x, e->y, p->at);
    if (p->hand == HAND_DRAW)
        lengthen(p);
}

/* The part of the hand's path that belongs to one of the steps of this frame. */
static foehn_status stir(flow_page *p, int left)
{
    foehn_flow_stir s = {.radius = (float)(STIR_RADIUS * p->info.extent[1])};
    double moved = 0;
    for (int k = 0; k < 2; k++) {
        float way = (p->at[k] - p->stirred[k]) / (float)left;
        s.from[k] = p->stirred[k];
        s.to[k] = p->stirred[k] + way;
        s.velocity[k] = (float)(STIR_STRENGTH / p->info.extent[1]) * way;
        moved += (double)way * (double)way;
        p->stirred[k] = s.to[k];
    }
    double share = fmin(1, 0.04 + 0.6 * sqrt(moved) / (double)s.radius);
    for (int k = 0; k < 4; k++)
        s.ink[k] = (float)share * view_inks[p->color][k];
    return foehn_flow_add_stir(p->flow, &s);
}

/* Towards the hand, no faster than the flow can bear. */
static foehn_status drag(flow_page *p)
{
    foehn_flow_obstacle o;
    foehn_status got = foehn_flow_get_obstacle(p->flow, p->slot, &o);
    if (got != FOEHN_OK)
        return got;
    double way[2], most = DRAG_FASTEST * p->info.reference_speed * p->dt;
    for (int k = 0; k < 2; k++) {
        double target = (double)(p->at[k] + p->grip[k]);
        way[k] = fmin(fmax(target, 0), p->info.extent[k]) - (double)o.center[k];
    }
    double length = hypot(way[0], way[1]), part = length > most ? most / length : 1;
    if (length < 1e-6)
        return FOEHN_OK;
    const float to[2] = {o.center[0] + (float)(part * way[0]),
                         o.center[1] + (float)(part * way[1])};
    p->solids_stale = true;
    return foehn_flow_drag(p->flow, p->slot, to, (float)p->dt);
}

foehn_status view_hand_work(flow_page *p, int left)
{
    return p->hand == HAND_STIR ? stir(p, left) : p->hand == HAND_DRAG ? drag(p) : FOEHN_OK;
}
