/* SPDX-License-Identifier: MIT */
/* The flow lab's page: the keys, the steps. */
#include "config.h"

#include "view/page_flow.h"

#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY 0.5 /* s between looks at figures */

static const view_help help[] = {
    {"left button", "stir, or drag the obstacle under it; with d on: draw"},
    {"right button", "draw an obstacle (the seventh drops the first)"},
    {"1 2 3 4", "force, advection, viscosity, pressure: off and on"},
    {"l", "next layer (with Shift: the one before)"},
    {"p", "particles"},
    {"d", "the left button draws"},
    {"o", "next obstacle"},
    {"Left, Right", "turn the obstacle by a degree"},
    {"Down, Up", "less, more viscosity"},
    {"Space", "pause"},
    {"n", "one step"},
    {"r", "restart"},
    {NULL, NULL}};

/* ---- options ---- */

VIEW_OPTIONS(flow)

/* ---- making ---- */

/* A processor that also draws gets half the cells each way, unless told otherwise. */
static void choose_cells(flow_scene *s, const flow_options *o, foehn_context *ctx)
{
    foehn_device_info device = {.struct_size = sizeof device};
    foehn_flow_params *p = &s->params;
    if (!o->changes.nx && foehn_context_get_device(ctx, &device) == FOEHN_OK &&
        device.type == FOEHN_DEVICE_CPU && (int64_t)p->nx * p->ny >= 100000 && p->nx % 2 == 0 &&
        p->ny % 2 == 0) {
        p->nx /= 2;
        p->ny /= 2;
    }
}

static int create_flow(flow_page *p, foehn_context *ctx)
{
    const flow_scene *s = p->scene;
    foehn_status got = foehn_flow_create(ctx, &s->params, &p->flow);
    for (int i = 0; got == FOEHN_OK && i < FOEHN_FLOW_MOST_OBSTACLES; i++)
        if (s->obstacle[i].shape != FOEHN_FLOW_NOTHING)
            got = foehn_flow_set_obstacle(p->flow, i, &s->obstacle[i]);
    if (got == FOEHN_OK)
        got = foehn_flow_restart(p->flow);
    /* Kernels are compiled at their first launch, which shall not be the user's first stir. */
    if (got == FOEHN_OK)
        got = foehn_flow_step(p->flow, (float)p->dt);
    if (got == FOEHN_OK)
        got = foehn_flow_restart(p->flow);
    if (got != FOEHN_OK)
        return fail_library(got);
    foehn_flow_get_info(p->flow, &p->info);
    return flow_start_write(s, p->flow);
}

static void destroy(void *page)
{
    flow_page *p = page;
    view_flow_draw_destroy(p);
    foehn_flow_destroy(p->flow);
    flow_scene_destroy(p->scene);
    free(p);
}

static int create(viewer *v, const char *scene, void *options, void **out)
{
    const flow_options *o = options;
    flow_page *p = calloc(1, sizeof *p);
    if (!p)
        return fail_memory();
    int status = flow_scene_read(scene ? scene : "stir", &o->changes, &p->scene);
    if (status == STATUS_OK) {
        flow_scene *s = p->scene;
        choose_cells(s, o, v->ctx);
        s->params.seed = v->o->common.seed;
        p->layer = o->layer_given ? o->layer : s->layer;
        p->particles = p->layer == LAYER_PARTICLES || s->params.particles > 0;
        if (p->layer == LAYER_PARTICLES)
            p->layer = LAYER_SPEED;
        if (s->params.particles == 0)
            s->params.particles = 3000;
        p->dt = v->o->common.dt > 0 ? v->o->common.dt : s->dt;
        p->obstacle = (int)s->obstacle[0].shape;
        p->solids_stale = true;
        p->color = VIEW_INKS - 1; /* the first stroke takes the first */
        p->cl = p->cd = NAN;
        status = create_flow(p, v->ctx);
    }
    if (status == STATUS_OK)
        status = view_flow_draw_create(p, v);
    if (status == STATUS_OK)
        *out = p;
    else
        destroy(p);
    return status;
}

/* ---- what keys and chips do ---- */

static int key(flow_page *p, viewer *v, SDL_Keycode key, bool shift)
{
    int at = 0;
    double angle;
    switch (key) {
    case SDLK_1:
    case SDLK_2:
    case SDLK_3:
    case SDLK_4: return view_flow_switch(p, 1 << (key - SDLK_1));
    case SDLK_l:
        while (at < VIEW_FLOW_LAYERS - 1 && view_flow_layers[at] != p->layer)
            at++;
        at = (at + (shift ? VIEW_FLOW_LAYERS - 1 : 1)) % VIEW_FLOW_LAYERS;
        p->layer = view_flow_layers[at];
        p->looked = -1;
        break;
    case SDLK_p: p->particles = !p->particles; break;
    case SDLK_d: p->drawing = !p->drawing; break;
    case SDLK_o:
        view_flow_set_shape(p, v, (foehn_flow_shape)((p->obstacle + 1) % (FOEHN_FLOW_WING + 1)));
        break;
    case SDLK_LEFT:
    case SDLK_RIGHT:
        if (view_flow_angle(p, &angle))
            view_flow_set_angle(p, v, angle + (key == SDLK_LEFT ? -1 : 1));
        break;
    case SDLK_UP:
    case SDLK_DOWN:
        return view_flow_set_viscosity(
            p, fmin(fmax(p->info.viscosity * (key == SDLK_UP ? 1.25 : 0.8), VIEW_LEAST_VISCOSITY),
                    VIEW_MOST_VISCOSITY));
    case SDLK_SPACE: p->paused = !p->paused; break;
    case SDLK_n:
        p->paused = true;
        p->once = true;
        break;
    case SDLK_r: return view_flow_restart(p, v);
    default: break;
    }
    return STATUS_OK;
}

static int event(void *page, viewer *v, const view_event *e)
{
    flow_page *p = page;
    switch (e->kind) {
    case VIEW_KEY_DOWN: return key(p, v, e->key, e->shift);
    case VIEW_PRESS: view_hand_press(p, v, e); break;
    case VIEW_MOVE: view_hand_move(p, e); break;
    case VIEW_RELEASE: view_hand_release(p, v); break;
    default: break;
    }
    return STATUS_OK;
}

static void let_go(void *page, viewer *v)
{
    view_hand_release(page, v);
}

/* ---- steps ---- */

static int step(flow_page *p, viewer *v, int left)
{
    int status = flow_events_apply(p->scene, p->flow, (double)p->done * p->dt, p->dt);
    if (status != STATUS_OK)
        return status;
    p->solids_stale = p->solids_stale || p->scene->event_count > 0;
    foehn_status got = view_hand_work(p, left);
    if (got == FOEHN_ERROR_ARGUMENT) { /* nowhere to go */
        view_say_error(v);
        p->hand = HAND_NOTHING;
        got = FOEHN_OK;
    }
    step_timer_start(&v->timer);
    if (got == FOEHN_OK)
        got = foehn_flow_step(p->flow, (float)p->dt);
    if (got != FOEHN_OK)
        return fail_library(got);
    p->done++;
    view_count_step(v, p->dt, (uint64_t)p->info.nx * (uint64_t)p->info.ny);
    return step_timer_stop(&v->timer);
}

/* Figures, and whether the flow is sound. */
static int look(flow_page *p, viewer *v)
{
    foehn_flow_stats stats;
    foehn_flow_push push;
    if (p->looked >= 0 && v->time - p->looked < LOOK_EVERY)
        return STATUS_OK;
    foehn_status got = foehn_flow_read_stats(p->flow, &stats);
    if (got != FOEHN_OK && got != FOEHN_ERROR_UNSTABLE)
        return fail_library(got);
    if (got == FOEHN_ERROR_UNSTABLE) {
        p->blown_up = true;
        view_say(v, "the flow has blown up: r starts it again");
    }
    p->fastest = stats.max_speed;
    if (foehn_flow_read_push(p->flow, 0, &push) == FOEHN_OK) {
        p->cl = isfinite(p->cl) ? p->cl + 0.3 * (push.cl - p->cl) : push.cl;
        p->cd = isfinite(p->cd) ? p->cd + 0.3 * (push.cd - p->cd) : push.cd;
    } else
        p->cl = p->cd = NAN;
    return STATUS_OK;
}

static int advance(void *page, viewer *v, double seconds)
{
    flow_page *p = page;
    bool running = !p->paused && !p->blown_up && !v->help;
    int steps = running ? view_pace_steps(&p->pace, v, seconds, p->dt) : p->once ? 1 : 0;
    double began = seconds_now();
    int status = STATUS_OK;
    if (!running && steps == 0) /* still water is not stirred later */
        memcpy(p->stirred, p->at, sizeof p->at);
    for (int i = 0; i < steps && status == STATUS_OK; i++)
        status = step(p, v, steps - i);
    if (steps > 0)
        view_pace_spent(&p->pace, steps, p->dt, seconds_now() - began);
    p->once = false;
    foehn_flow_get_info(p->flow, &p->info);
    if (status == STATUS_OK)
        status = look(p, v);
    return status == STATUS_OK ? view_flow_publish(p, v) : status;
}

const view_page view_flow = VIEW_PAGE(flow, "The flow lab");
