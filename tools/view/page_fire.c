/* SPDX-License-Identifier: MIT */
/* The fire's page: the orbiting camera, the emitter in the hand, the updates. */
#include "config.h"

#include "view/page_fire.h"

#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ORBIT_RATE 0.007   /* radians a point of the mouse */
#define CPU_RESOLUTION 0.6 /* of the scene's, where a processor also draws */
enum { CPU_MARCH = 24 };   /* samples along a ray there, at most */

static const view_help help[] = {
    {"left button", "hold and move: turn round the fire"},
    {"right button", "move the first emitter (with m: the left button, too)"},
    {"wheel", "nearer, farther"},
    {"v", "next view: final, no bloom, density, temperature, velocity, colliders"},
    {"Left, Right", "more wind to the left, to the right, as you look now"},
    {"Down, Up", "less, more fire"},
    {"m", "the left button moves the emitter"},
    {"Space", "pause"},
    {"n", "one step"},
    {"r", "restart"},
    {NULL, NULL}};

/* ---- options ---- */

VIEW_OPTIONS(fire)

/* ---- making ---- */

/* What a processor can do several times a second, unless told otherwise. */
static void choose_detail(fire_scene *s, const fire_options *o, foehn_context *ctx)
{
    foehn_device_info device = {.struct_size = sizeof device};
    if (foehn_context_get_device(ctx, &device) != FOEHN_OK || device.type != FOEHN_DEVICE_CPU)
        return;
    if (!(o->changes.resolution > 0)) {
        s->params.render_voxel /= CPU_RESOLUTION;
        s->params.physics_voxel /= CPU_RESOLUTION;
    }
    if (s->params.march_steps > CPU_MARCH)
        s->params.march_steps = CPU_MARCH;
    s->params.pass_scale = 1;
}

static int note_strengths(fire_page *p)
{
    size_t count = 0, n = 0;
    const fire_scene *s = p->scene;
    for (int i = 0; i < s->source_count; i++)
        count += (size_t)s->sources[i].proxy_count;
    p->strengths = malloc((count + 1) * sizeof *p->strengths);
    if (!p->strengths)
        return fail_memory();
    for (int i = 0; i < s->source_count; i++)
        for (int k = 0; k < s->sources[i].proxy_count; k++)
            p->strengths[n++] = *view_fire_strength_of(p, i, k);
    p->strength = 1;
    return STATUS_OK;
}

static int update(fire_page *p)
{
    double time = (double)p->done * p->scene->dt;
    bool moved = false;
    int status = fire_move(p->scene, 1, &p->fire, time);
    if (status == STATUS_OK)
        status = fire_follow(p->scene, p->scene->panel_count - 1, p->fire, time, &moved);
    if (moved)
        fire_wind_moved(p->wind);
    if (status == STATUS_OK)
        status = fire_wind_set(p->wind, 1, &p->fire, time);
    if (status == STATUS_OK)
        status = fail_library(foehn_fire_update(p->fire, p->scene->dt));
    p->done++;
    p->stale = true;
    return status;
}

static void destroy(void *page)
{
    fire_page *p = page;
    view_fire_draw_destroy(p);
    fire_wind_close(p->wind);
    foehn_fire_destroy(p->fire);
    fire_scene_destroy(p->scene);
    free(p->strengths);
    free(p);
}

static int create(viewer *v, const char *scene, void *options, void **out)
{
    const fire_options *o = options;
    fire_page *p = calloc(1, sizeof *p);
    if (!p)
        return fail_memory();
    int status = fire_scene_read(scene ? scene : "campfire", &o->changes, &p->scene);
    if (status == STATUS_OK) {
        choose_detail(p->scene, o, v->ctx);
        if (v->o->common.dt > 0)
            p->scene->dt = v->o->common.dt;
        p->view = (int)p->scene->picture.view;
        p->spec = p->scene->wind;
        p->detail = 0.5;
        view_fire_look_from_start(p);
        status = note_strengths(p);
    }
    if (status == STATUS_OK)
        status = fire_wind_open(&p->spec, p->scene, &p->wind);
    if (status == STATUS_OK)
        status = fire_check(p->scene, v->o->common.seed);
    if (status == STATUS_OK)
        status =
            fire_create(p->scene, p->scene->panel_count - 1, v->o->common.seed, v->ctx, &p->fire);
    if (status == STATUS_OK)
        status = view_fire_draw_create(p);
    /* Kernels are compiled at their first launch, also those of the picture. */
    if (status == STATUS_OK)
        status = update(p);
    if (status == STATUS_OK)
        status = view_fire_paint(p, v);
    p->spent = 0;
    if (status == STATUS_OK)
        status = view_fire_begin(p);
    if (status == STATUS_OK)
        *out = p;
    else
        destroy(p);
    return status;
}

/* ---- what keys and chips do ---- */

static int key(fire_page *p, viewer *v, SDL_Keycode key)
{
    switch (key) {
    case SDLK_v:
        p->view = (p->view + 1) % (FOEHN_FIRE_VIEW_COLLIDERS + 1);
        p->stale = true;
        break;
    case SDLK_m: p->moving = !p->moving; break;
    case SDLK_UP: view_fire_set_strength(p, p->strength + 0.1); break;
    case SDLK_DOWN: view_fire_set_strength(p, p->strength - 0.1); break;
    case SDLK_LEFT: return view_fire_set_wind(p, view_fire_wind_across(p) - 0.25);
    case SDLK_RIGHT: return view_fire_set_wind(p, view_fire_wind_across(p) + 0.25);
    case SDLK_SPACE: p->paused = !p->paused; break;
    case SDLK_n: p->paused = p->once = true; break;
    case SDLK_r: return view_fire_restart(p, v);
    default: break;
    }
    return STATUS_OK;
}

/* ---- the hand ---- */

/* All proxies of the first emitter, with their paths, in the plane that the camera faces; the first
 * one stays within the box. */
static void move_emitter(fire_page *p, double dx, double dy)
{
    view_camera c;
    double ahead[3], right[3], up[3], way[3];
    if (p->scene->source_count == 0 || p->map.height <= 0)
        return;
    fire_source *s = &p->scene->sources[0];
    view_fire_camera(p, &c);
    view_camera_axes(&c, ahead, right, up);
    double point = 2 * p->distance * tan(p->field / 2) / p->map.height; /* m */
    const double *first = s->proxies[0].motion.keys[0].position;
    for (int k = 0; k < 3; k++) {
        double middle = p->info.pose.position[k], half = 0.48 * p->info.size[k];
        double to = first[k] + point * (dx * right[k] - dy * up[k]);
        way[k] = fmin(fmax(to, middle - half), middle + half) - first[k];
    }
    for (int n = 0; n < s->proxy_count; n++)
        for (int i = 0; i < s->proxies[n].motion.key_count; i++)
            for (int k = 0; k < 3; k++)
                s->proxies[n].motion.keys[i].position[k] += way[k];
}

static void orbit(fire_page *p, double dx, double dy)
{
    p->yaw = remainder(p->yaw + ORBIT_RATE * dx, 6.283185307179586);
    p->pitch = fmin(fmax(p->pitch - ORBIT_RATE * dy, -1.4), 0.3);
    p->stale = true;
}

static int event(void *page, viewer *v, const view_event *e)
{
    fire_page *p = page;
    switch (e->kind) {
    case VIEW_KEY_DOWN: return key(p, v, e->key);
    case VIEW_PRESS: p->grip = e->button == 3 || p->moving ? GRIP_MOVE : GRIP_ORBIT; break;
    case VIEW_RELEASE: p->grip = GRIP_NOTHING; break;
    case VIEW_MOVE:
        if (p->grip == GRIP_ORBIT)
            orbit(p, e->dx, e->dy);
        if (p->grip == GRIP_MOVE)
            move_emitter(p, e->dx, e->dy);
        break;
    case VIEW_WHEEL:
        p->distance = fmin(fmax(p->distance * pow(0.9, e->wheel), 1), 40);
        p->stale = true;
        break;
    default: break;
    }
    return STATUS_OK;
}

static void let_go(void *page, viewer *v)
{
    fire_page *p = page;
    (void)v;
    p->grip = GRIP_NOTHING;
}

/* ---- updates ---- */

static int advance(void *page, viewer *v, double seconds)
{
    fire_page *p = page;
    const int *n = p->info.render_cells;
    bool running = !p->paused && !v->help;
    double began = seconds_now(), dt = p->scene->dt;
    int steps = running ? view_pace_steps(&p->pace, v, seconds, dt) : p->once ? 1 : 0;
    int status = STATUS_OK;
    for (int i = 0; i < steps && status == STATUS_OK; i++) {
        step_timer_start(&v->timer);
        status = update(p);
        view_count_step(v, dt, (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2]);
        if (status == STATUS_OK)
            status = step_timer_stop(&v->timer);
    }
    if (steps > 0)
        view_pace_spent(&p->pace, steps, dt, seconds_now() - began);
    p->once = false;
    foehn_fire_get_info(p->fire, &p->info);
    return status == STATUS_OK ? view_fire_paint(p, v) : status;
}

const view_page view_fire = VIEW_PAGE(fire, "Fire and smoke");
