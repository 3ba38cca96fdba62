/* SPDX-License-Identifier: MIT */
/* The wind's page: the box that follows the camera, the keys, the steps. */
#include "config.h"

#include "view/page_wind.h"

#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CROSSING 40.0   /* s on the clock that the wind takes across the box at first */
#define LID_HILLS 2.0   /* hill heights between the summit and the lid, at least */
#define LEAST_LID 120.0 /* m */
#define AHEAD 0.25      /* of the box's width, from the camera to its middle */

static const view_help help[] = {{"w a s d", "fly forwards, left, backwards, right"},
                                 {"e, q", "fly up, down"},
                                 {"left button", "hold and move: look around"},
                                 {"wheel", "faster, slower flight"},
                                 {"Left, Right", "turn the wind by 5 degrees"},
                                 {"Down, Up", "less, more wind"},
                                 {"x", "next slice: none, above ground, level, along, across"},
                                 {"PgDn, PgUp", "move the slice"},
                                 {"v", "colours: speed, upward wind, turbulence"},
                                 {"t", "streaks"},
                                 {"Space, n, r", "pause, one step, back to the first view"},
                                 {NULL, NULL}};

/* ---- options ---- */

VIEW_OPTIONS(wind)

/* ---- making ---- */

/* A third of the ground's width, so that the box can follow; or what the command line says. */
static int choose_box(wind_page *p, const wind_options *o)
{
    foehn_wind_params *w = &p->params;
    const view_ground *g = &p->ground;
    *w = foehn_wind_params_default();
    if (o->quality_name) {
        foehn_status set = foehn_wind_params_set_quality(w, o->quality_name);
        if (set != FOEHN_OK)
            return fail_library(set);
    } else
        w->ny = 24;
    if (o->has_cells) {
        w->nx = o->cells[0];
        w->ny = o->cells[1];
        w->nz = o->cells[2];
    }
    double hill = g->summit - g->lowest, top = g->summit + fmax(LID_HILLS * hill, LEAST_LID);
    w->spacing_horizontal =
        (float)(o->has_spacing ? o->spacing[0]
                               : fmin(g->extent[0] / w->nx, g->extent[1] / w->nz) / 3);
    w->spacing_vertical =
        (float)(o->has_spacing ? o->spacing[1] : ((o->has_top ? o->top : top) - g->lowest) / w->ny);
    double h = (double)w->spacing_vertical;
    w->center[0] = g->top[0];
    w->center[1] = h * floor(g->lowest / h) + 0.5 * h * w->ny;
    w->center[2] = g->top[1];
    site_set_method(o, w);
    return STATUS_OK;
}

static int create_wind(wind_page *p, viewer *v)
{
    const view_ground *g = &p->ground;
    foehn_terrain land = {.nx = g->nx,
                          .nz = g->nz,
                          .origin = {0.5 * g->spacing[0], 0.5 * g->spacing[1]},
                          .spacing = {g->spacing[0], g->spacing[1]},
                          .heights = g->heights};
    const foehn_wind_params *w = &p->params;
    foehn_status made = foehn_wind_create(v->ctx, w, &p->wind);
    if (made == FOEHN_OK)
        made = foehn_wind_set_terrain(p->wind, &land);
    if (made == FOEHN_OK)
        made = foehn_volume_create(v->ctx, w->nx, w->ny, w->nz, &p->volume);
    /* Kernels are compiled at their first launch. */
    if (made == FOEHN_OK)
        made = foehn_wind_step(p->wind, (float)p->dt);
    return made == FOEHN_OK ? view_publish(v, p->volume, &p->gl) : fail_library(made);
}

static void destroy(void *page)
{
    wind_page *p = page;
    view_wind_draw_destroy(p);
    view_streaks_destroy(p->streaks);
    foehn_gl_destroy(p->gl);
    foehn_volume_destroy(p->volume);
    foehn_wind_destroy(p->wind);
    view_ground_destroy(&p->ground);
    free(p->air.voxels);
    free(p);
}

static int publish(wind_page *p, const viewer *v);

static int create(viewer *v, const char *word, void *options, void **out)
{
    wind_options *o = options;
    if (word)
        return fail(STATUS_USAGE,
                    "view wind: what is %s? options begin with --, a raster goes with "
                    "--terrain",
                    word);
    wind_page *p = calloc(1, sizeof *p);
    if (!p)
        return fail_memory();
    o->common.seed = v->o->common.seed;
    p->u10 = o->u10;
    p->from = o->from;
    p->gustiness = o->gustiness;
    p->streaks_on = true;
    p->slice = SLICE_GROUND;
    int status = o->pressure < 0 ? wind_options_check(o) : STATUS_OK;
    if (status == STATUS_OK)
        status = view_ground_create(&o->terrain, &p->ground);
    if (status == STATUS_OK)
        status = choose_box(p, o);
    if (status == STATUS_OK) {
        const foehn_wind_params *w = &p->params;
        double wide = w->nx * (double)w->spacing_horizontal;
        p->air.ground = &p->ground;
        p->air.z0 = o->z0;
        p->params.state = view_wind_note_state(p);
        p->dt = v->o->common.dt > 0 ? v->o->common.dt
                                    : foehn_site_get_step((double)w->spacing_horizontal, p->u10);
        p->rate = fmax(1, rint(wide / fmax(p->u10, 1) / CROSSING));
        p->slice_height = rint(fmax(10, 0.5 * (double)w->spacing_vertical));
        p->slice_altitude = ceil(p->ground.summit + p->slice_height);
        p->air.voxels = malloc(4 * sizeof(float) * (size_t)w->nx * (size_t)w->ny * (size_t)w->nz);
        view_wind_look_from_start(p);
        status =
            p->air.voxels ? view_streaks_create(v->o->common.seed, &p->streaks) : fail_memory();
    }
    if (status == STATUS_OK)
        status = create_wind(p, v);
    if (status == STATUS_OK)
        status = view_wind_draw_create(p);
    if (status == STATUS_OK)
        status = publish(p, v);
    if (status == STATUS_OK)
        *out = p;
    else
        destroy(p);
    return status;
}

/* ---- events ---- */

static void move_slice(wind_page *p, int way)
{
    double wide = p->params.nx * (double)p->params.spacing_horizontal;
    double high = p->params.ny * (double)p->params.spacing_vertical;
    if (view_slice_is_upright(p->slice))
        p->slice_offset = fmax(-wide / 2, fmin(p->slice_offset + way * wide / 40, wide / 2));
    else if (p->slice == SLICE_LEVEL)
        p->slice_altitude = fmax(
            p->ground.lowest, fmin(p->slice_altitude + way * high / 80, p->ground.lowest + high));
    else
        p->slice_height = fmax(1, fmin(p->slice_height + way * high / 80, high));
}

static int key(wind_page *p, viewer *v, SDL_Keycode key)
{
    switch (key) {
    case SDLK_LEFT: p->from = fmod(p->from + 355, 360); return view_wind_set_state(p);
    case SDLK_RIGHT: p->from = fmod(p->from + 5, 360); return view_wind_set_state(p);
    case SDLK_UP: p->u10 = fmin(p->u10 + 1, 40); return view_wind_set_state(p);
    case SDLK_DOWN: p->u10 = fmax(p->u10 - 1, 0); return view_wind_set_state(p);
    case SDLK_x: p->slice = (view_slice)((p->slice + 1) % SLICES); break;
    case SDLK_PAGEUP: move_slice(p, 1); break;
    case SDLK_PAGEDOWN: move_slice(p, -1); break;
    case SDLK_v: p->quantity = (view_quantity)((p->quantity + 1) % QUANTITIES); break;
    case SDLK_t: p->streaks_on = !p->streaks_on; break;
    case SDLK_SPACE: p->paused = !p->paused; break;
    case SDLK_n: p->paused = p->once = true; break;
    case SDLK_r:
        view_wind_look_from_start(p);
        view_say(v, "back to the first view");
        break;
    default: break;
    }
    return STATUS_OK;
}

static int event(void *page, viewer *v, const view_event *e)
{
    wind_page *p = page;
    if (view_camera_event(&p->camera, e))
        return STATUS_OK;
    if (e->kind == VIEW_WHEEL) {
        p->flight *= pow(1.2, e->wheel);
        view_say(v, "flight %.0f m/s", p->flight);
    }
    return e->kind == VIEW_KEY_DOWN ? key(p, v, e->key) : STATUS_OK;
}

static void let_go(void *page, viewer *v)
{
    wind_page *p = page;
    (void)v;
    view_camera_let_go(&p->camera);
}

/* ---- steps ---- */

/* The box lies a little ahead of the camera; the ground's edge is also the box's. */
static foehn_status follow(wind_page *p)
{
    double wide = p->params.nx * (double)p->params.spacing_horizontal, ahead[3], aside[3], up[3];
    double center[3] = {0, p->params.center[1], 0};
    view_camera_axes(&p->camera, ahead, aside, up);
    double level = hypot(ahead[0], ahead[2]);
    for (int k = 0; k < 3; k += 2) {
        double half = fmin(wide, p->ground.extent[k / 2]) / 2;
        center[k] = p->camera.position[k] + (AHEAD + 0.35) * wide * ahead[k] / fmax(level, 0.1);
        center[k] = fmax(half, fmin(center[k], p->ground.extent[k / 2] - half));
    }
    return foehn_wind_set_center(p->wind, center);
}

static int step(wind_page *p, viewer *v)
{
    uint64_t cells = (uint64_t)p->params.nx * (uint64_t)p->params.ny * (uint64_t)p->params.nz;
    foehn_status got = follow(p);
    step_timer_start(&v->timer);
    if (got == FOEHN_OK)
        got = foehn_wind_step(p->wind, (float)p->dt);
    if (got != FOEHN_OK)
        return fail_library(got);
    view_count_step(v, p->dt, cells);
    return step_timer_stop(&v->timer);
}

static int publish(wind_page *p, const viewer *v)
{
    foehn_status got = foehn_wind_write_volume(p->wind, p->volume);
    if (got == FOEHN_OK)
        got = v->script ? foehn_gl_write_and_wait(p->gl) : foehn_gl_write(p->gl);
    if (got == FOEHN_OK)
        got = foehn_volume_read_floats(p->volume, p->air.voxels);
    if (got != FOEHN_OK)
        return fail_library(got);
    foehn_volume_get_info(p->volume, &p->air.info);
    return STATUS_OK;
}

static void fly(wind_page *p, double seconds)
{
    view_camera_move(&p->camera, p->flight, seconds);
    double *at = p->camera.position;
    at[1] = fmax(at[1], view_ground_height(&p->ground, at[0], at[2]) + VIEW_LEAST_CLEARANCE);
}

static int advance(void *page, viewer *v, double seconds)
{
    wind_page *p = page;
    bool running = !p->paused && !v->help;
    int steps = running ? view_pace_steps(&p->pace, v, seconds * p->rate, p->dt) : p->once ? 1 : 0;
    int status = STATUS_OK;
    double began = seconds_now();
    fly(p, seconds);
    for (int i = 0; i < steps && status == STATUS_OK; i++)
        status = step(p, v);
    if (steps > 0)
        view_pace_spent(&p->pace, steps, p->dt, seconds_now() - began);
    p->once = false;
    if (status == STATUS_OK && steps > 0)
        status = publish(p, v);
    else if (status == STATUS_OK)
        status = fail_library(foehn_gl_write(p->gl)); /* shows what has arrived */
    foehn_gl_get_info(p->gl, &p->shown);
    if (running && p->streaks_on)
        view_streaks_move(p->streaks, &p->air,
                          seconds * p->rate * fmin(1, view_pace_speed(&p->pace)));
    return status;
}

const view_page view_wind = VIEW_PAGE(wind, "The wind over a hill");
