/* SPDX-License-Identifier: MIT */
/* Events of the window: keys that mean the same everywhere, widgets, and what is left to the page.
 */
#include "config.h"

#include "view/view.h"

#include <string.h>

static void let_go(viewer *v)
{
    v->ui.held = false;
    if (v->pages[v->page])
        v->table[v->page]->let_go(v->pages[v->page], v);
}

void view_switch_page(viewer *v, int page)
{
    let_go(v);
    v->page = page;
    v->help = false;
    v->note[0] = 0;
}

/* Keys that mean the same on every page. */
static bool handle_key(viewer *v, SDL_Keycode key, bool shift)
{
    int count = 0;
    while (v->table[count])
        count++;
    switch (key) {
    case SDLK_ESCAPE:
        if (v->help)
            v->help = false;
        else
            v->quit = true;
        return true;
    case SDLK_h:
    case SDLK_F1: v->help = !v->help; return true;
    case SDLK_TAB: view_switch_page(v, (v->page + (shift ? count - 1 : 1)) % count); return true;
    case SDLK_F11: {
        bool full = SDL_GetWindowFlags(v->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
        SDL_SetWindowFullscreen(v->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
        return true;
    }
    case SDLK_c:
    case SDLK_F12: snprintf(v->screenshot, sizeof v->screenshot, "?"); return true;
    case SDLK_F9: v->record = true; return true;
    default: return false;
    }
}

static bool translate(const viewer *v, const SDL_Event *e, view_event *out)
{
    memset(out, 0, sizeof *out);
    out->x = v->ui.mouse[0];
    out->y = v->ui.mouse[1];
    switch (e->type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        out->kind = e->type == SDL_KEYDOWN ? VIEW_KEY_DOWN : VIEW_KEY_UP;
        out->key = e->key.keysym.sym;
        out->shift = e->key.keysym.mod & KMOD_SHIFT;
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        out->kind = e->type == SDL_MOUSEBUTTONDOWN ? VIEW_PRESS : VIEW_RELEASE;
        out->button = e->button.button;
        out->x = e->button.x / v->unit;
        out->y = e->button.y / v->unit;
        return true;
    case SDL_MOUSEMOTION:
        out->kind = VIEW_MOVE;
        out->x = e->motion.x / v->unit;
        out->y = e->motion.y / v->unit;
        out->dx = e->motion.xrel / v->unit;
        out->dy = e->motion.yrel / v->unit;
        return true;
    case SDL_MOUSEWHEEL:
        out->kind = VIEW_WHEEL;
        out->wheel = e->wheel.y;
        return true;
    default: return false;
    }
}

static int handle_event(viewer *v, const SDL_Event *sdl)
{
    view_event e;
    if (sdl->type == SDL_QUIT)
        v->quit = true;
    if (sdl->type == SDL_WINDOWEVENT)
        view_measure_window(v);
    if (sdl->type == SDL_WINDOWEVENT && sdl->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        let_go(v);
    if (!translate(v, sdl, &e))
        return STATUS_OK;
    if (e.kind == VIEW_MOVE || e.kind == VIEW_PRESS || e.kind == VIEW_RELEASE) {
        v->ui.mouse[0] = e.x;
        v->ui.mouse[1] = e.y;
    }
    if (e.kind == VIEW_KEY_DOWN && handle_key(v, e.key, e.shift))
        return STATUS_OK;
    if (e.kind == VIEW_PRESS && v->help)
        v->help = false;
    else if (e.kind == VIEW_PRESS && view_ui_takes(&v->ui, e.x, e.y))
        v->ui.pressed = v->ui.held = e.button == 1;
    else if (e.kind == VIEW_RELEASE && v->ui.held)
        v->ui.held = false;
    else if (!(e.kind == VIEW_MOVE && v->ui.held) && v->pages[v->page])
        return v->table[v->page]->event(v->pages[v->page], v, &e);
    return STATUS_OK;
}

/* Presses one a frame, so that widgets see each of them. */
int view_handle_events(viewer *v)
{
    SDL_Event e;
    int status = STATUS_OK;
    while (status == STATUS_OK && SDL_PollEvent(&e)) {
        status = handle_event(v, &e);
        if (e.type == SDL_MOUSEBUTTONDOWN)
            break;
    }
    return status;
}
