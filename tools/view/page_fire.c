/* SPDX-License-Identifier: MIT */
/* The fire's page: the orbiting camera, the emitter in the hand, the updates. */
#include "config.h"

#include "view/overlay.h"
#include "view/page_fire.h"

#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ORBIT_RATE 0.007 /* radians a point of the mouse */

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
    {"l", "list of scenes: Up, Down and Return open one, or a click"},
    {"e", "save the fire as it is for other programs (OpenVDB)"},
    {NULL, NULL}};

/* ---- options ---- */

VIEW_OPTIONS(fire)

/* ---- making ---- */

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

/* A first update and picture, and back to the start. */
static int kindle(fire_page *p, viewer *v)
{
    /* Kernels are compiled at their first launch, also those of the picture. */
    int status = update(p);
    if (status == STATUS_OK)
        status = view_fire_paint(p, v);
    p->spent = 0;
    return status == STATUS_OK ? view_fire_begin(p) : status;
}

/* The fire that burns goes on where the new one cannot be made. */
static int choose(fire_page *p, viewer *v)
{
    const char *name = fire_scenes[p->chosen].name;
    fire_page next = *p;
    const fire_changes changes = {
        .resolution = p->resolution, .mesh_scale = 1, .points = -2, .view = -1};
    p->asked = false;
    view_overlay_wait(v, name);
    SDL_GL_SwapWindow(v->window);
    next.scene = NULL;
    next.fire = NULL;
    next.wind = NULL;
    next.strengths = NULL;
    if (view_fire_open(&next, v, name, &changes) != STATUS_OK) {
        view_fire_close(&next);
        view_say(v, "%s cannot be opened: the terminal says why", name);
        return STATUS_OK;
    }
    view_fire_close(p);
    *p = next;
    p->listed = p->asked = p->paused = false;
    view_say(v, "%s", p->scene->title);
    return kindle(p, v);
}

static void destroy(void *page)
{
    fire_page *p = page;
    view_fire_draw_destroy(p);
    view_fire_close(p);
    free(p);
}

static int create(viewer *v, const char *scene, void *options, void **out)
{
    const fire_options *o = options;
    fire_page *p = calloc(1, sizeof *p);
    if (!p)
        return fail_memory();
    p->files = (fire_files){.velocity_name = o->velocity_name,
                            .z_up = o->up == 1,
                            .kelvin = o->temperature == 1,
                            .houdini = o->names == 1};
    p->resolution = o->changes.resolution;
    p->detail = 0.5;
    int status = view_fire_open(p, v, scene ? scene : "campfire", &o->changes);
    if (status == STATUS_OK)
        status = view_fire_draw_create(p);
    if (status == STATUS_OK)
        status = kindle(p, v);
    if (status == STATUS_OK)
        *out = p;
    else
        destroy(p);
    return status;
}

/* ---- what keys and chips do ---- */

static int key(fire_page *p, viewer *v, SDL_Keycode key)
{
    if (p->listed && view_fire_list_key(p, key))
        return STATUS_OK;
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
    case SDLK_l: view_fire_list_begin(p); break;
    case SDLK_e: view_fire_export(p, v); break;
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
    if (p->asked) {
        int opened = choose(p, v);
        if (opened != STATUS_OK)
            return opened;
    }
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
