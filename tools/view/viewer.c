/* SPDX-License-Identifier: MIT */
/* What the window is to its pages: how many steps a frame makes, notes, places, textures. */
#include "config.h"

#include "view/view.h"
#include "view/textures.h"

#include <math.h>
#include <stdarg.h>

#define FRAME_GOAL (1.0 / 30) /* s, of steps and drawing */

/* ---- pace ---- */

int view_pace_steps(view_pace *p, const viewer *v, double seconds, double dt)
{
    p->owed += seconds;
    int due = (int)floor(p->owed / dt + 1e-6);
    int most = p->cost > 0 ? (int)fmax(1, floor((FRAME_GOAL - v->drawing) / p->cost)) : 1;
    p->asked = 0.97 * p->asked + seconds;
    p->made *= 0.97;
    if (due <= most || v->script) {
        p->owed -= due * dt;
        return due;
    }
    p->owed = 0;
    return most;
}

void view_pace_spent(view_pace *p, int steps, double dt, double seconds)
{
    p->made += steps * dt;
    if (steps > 0)
        p->cost += (p->cost > 0 ? 0.1 : 1) * (seconds / steps - p->cost);
}

double view_pace_speed(const view_pace *p)
{
    return p->asked > 0 ? p->made / p->asked : 1;
}

void view_count_step(viewer *v, double dt, uint64_t cells)
{
    v->steps++;
    v->dt = dt;
    v->cells = cells;
}

/* ---- notes ---- */

void view_say(viewer *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(v->note, sizeof v->note, format, args);
    va_end(args);
    v->note_until = v->time + 4;
}

void view_say_error(viewer *v)
{
    view_say(v, "%s", foehn_last_error());
}

/* ---- places and textures ---- */

void view_measure_window(viewer *v)
{
    int w, h, pixels, high;
    SDL_GetWindowSize(v->window, &w, &h);
    SDL_GL_GetDrawableSize(v->window, &pixels, &high);
    v->width = (int)fmax(1, w / v->unit);
    v->height = (int)fmax(1, h / v->unit);
    v->scale = (double)pixels / w * v->unit;
}

void view_viewport(const viewer *v, double x, double y, double width, double height)
{
    int left = (int)rint(x * v->scale), right = (int)rint((x + width) * v->scale);
    int top = (int)rint((v->height - y) * v->scale);
    int bottom = (int)rint((v->height - y - height) * v->scale);
    gl.Viewport(left, bottom, right - left, top - bottom);
}

int view_publish(viewer *v, foehn_volume *volume, foehn_gl **out)
{
    foehn_gl_params params = foehn_gl_params_default();
    params.get_proc_address = SDL_GL_GetProcAddress;
    foehn_status made = foehn_gl_create(volume, &params, out);
    if (made != FOEHN_OK)
        return fail_library(made);
    foehn_gl_info info;
    foehn_gl_get_info(*out, &info);
    if (!v->path_reported)
        report("Textures  %s: %s", foehn_gl_path_name(info.path), info.reason);
    v->path_reported = true;
    return STATUS_OK;
}
