/* SPDX-License-Identifier: MIT */
/* A script of events: a line each, "seconds what ...".  They take the way of real ones. */
#include "config.h"

#include "view/view.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4096 };

typedef enum deed {
    KEY,
    DOWN,
    UP,
    PRESS,
    RELEASE,
    MOVE,
    DRAG,
    WHEEL,
    RESIZE,
    SHOT,
    QUIT,
    DEEDS
} deed;

/* Numbers and words that follow each. */
static const struct {
    const char *name;
    int numbers, words;
} deeds[DEEDS] = {
    [KEY] = {"key", 0, 1},         [DOWN] = {"down", 0, 1},       [UP] = {"up", 0, 1},
    [PRESS] = {"press", 2, 1},     [RELEASE] = {"release", 0, 1}, [MOVE] = {"move", 2, 0},
    [DRAG] = {"drag", 3, 0},       [WHEEL] = {"wheel", 1, 0},     [RESIZE] = {"resize", 2, 0},
    [SHOT] = {"screenshot", 0, 1}, [QUIT] = {"quit", 0, 0}};
static const char *const buttons[] = {"left", "middle", "right", NULL};

typedef struct line {
    double time;
    deed what;
    double numbers[3];
    char word[200];
    int button;
    SDL_Keycode key;
} line;

struct view_script {
    line *lines;
    size_t count, next;
    double mouse[2];            /* points */
    int button;                 /* that is held, or 0 */
    double drag_from[2], began; /* of the drag under way */
    const line *drag;           /* or NULL */
};

/* ---- reading ---- */

static int read_line(const char *path, int number, char *text, line *out)
{
    char name[32] = "", more[8] = "";
    int used = 0;
    memset(out, 0, sizeof *out);
    if (sscanf(text, "%lf %31s%n", &out->time, name, &used) != 2 || !(out->time >= 0))
        return fail(STATUS_INPUT, "%s:%d: not of the form 'seconds what': %s", path, number, text);
    const char *names[DEEDS + 1] = {NULL};
    for (int i = 0; i < DEEDS; i++)
        names[i] = deeds[i].name;
    char option[300];
    int which = 0;
    snprintf(option, sizeof option, "%s:%d:", path, number);
    int status = parse_choice(option, name, names, &which);
    if (status != STATUS_OK)
        return status;
    out->what = (deed)which;
    const char *p = text + used;
    if (deeds[which].words) {
        if (sscanf(p, "%199s%n", out->word, &used) != 1)
            return fail(STATUS_INPUT, "%s:%d: %s: what? a name is missing", path, number, name);
        p += used;
    }
    for (int i = 0; i < deeds[which].numbers; i++, p += used)
        if (sscanf(p, "%lf%n", &out->numbers[i], &used) != 1 || !isfinite(out->numbers[i]))
            return fail(STATUS_INPUT, "%s:%d: %s: %d numbers are needed", path, number, name,
                        deeds[which].numbers);
    if (sscanf(p, "%7s", more) == 1 && more[0] != '#')
        return fail(STATUS_INPUT, "%s:%d: %s: what is %s?", path, number, name, more);
    if (out->what == PRESS || out->what == RELEASE) {
        status = parse_choice(option, out->word, buttons, &out->button);
        out->button++;
    }
    if (out->what == KEY || out->what == DOWN || out->what == UP) {
        out->key = SDL_GetKeyFromName(out->word);
        if (out->key == SDLK_UNKNOWN)
            return fail(STATUS_INPUT,
                        "%s:%d: no key is called %s: give names such as a, 1, Space, "
                        "Left, F12",
                        path, number, out->word);
    }
    return status;
}

int view_script_read(const char *path, view_script **out)
{
    char text[512];
    FILE *file;
    int number = 0, status = file_open("--script", path, &file);
    *out = NULL;
    if (status != STATUS_OK)
        return status;
    view_script *s = calloc(1, sizeof *s);
    if (s)
        s->lines = calloc(MOST_LINES, sizeof *s->lines);
    if (!s || !s->lines)
        status = fail_memory();
    while (status == STATUS_OK && fgets(text, sizeof text, file)) {
        number++;
        text[strcspn(text, "\r\n")] = 0;
        const char *first = text + strspn(text, " \t");
        if (!*first || *first == '#')
            continue;
        if (s->count == MOST_LINES)
            status = fail(STATUS_INPUT, "%s:%d: more than %d lines", path, number, (int)MOST_LINES);
        else
            status = read_line(path, number, text, &s->lines[s->count]);
        if (status == STATUS_OK && s->count > 0 &&
            s->lines[s->count].time < s->lines[s->count - 1].time)
            status = fail(STATUS_INPUT, "%s:%d: %g s comes before the line above", path, number,
                          s->lines[s->count].time);
        s->count++;
    }
    fclose(file);
    if (status == STATUS_OK)
        *out = s;
    else
        view_script_destroy(s);
    return status;
}

void view_script_destroy(view_script *s)
{
    if (s)
        free(s->lines);
    free(s);
}

/* ---- playing ---- */

static void push_key(SDL_Keycode key, bool down)
{
    SDL_Event e = {.type = down ? SDL_KEYDOWN : SDL_KEYUP};
    e.key.state = down ? SDL_PRESSED : SDL_RELEASED;
    e.key.keysym.sym = key;
    SDL_PushEvent(&e);
}

static void push_button(const view_script *s, const viewer *v, int button, bool down)
{
    SDL_Event e = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
    e.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    e.button.button = (Uint8)button;
    e.button.x = (Sint32)lrint(s->mouse[0] * v->unit);
    e.button.y = (Sint32)lrint(s->mouse[1] * v->unit);
    SDL_PushEvent(&e);
}

static void push_move(view_script *s, const viewer *v, double x, double y)
{
    SDL_Event e = {.type = SDL_MOUSEMOTION};
    e.motion.x = (Sint32)lrint(x * v->unit);
    e.motion.y = (Sint32)lrint(y * v->unit);
    e.motion.xrel = e.motion.x - (Sint32)lrint(s->mouse[0] * v->unit);
    e.motion.yrel = e.motion.y - (Sint32)lrint(s->mouse[1] * v->unit);
    s->mouse[0] = x;
    s->mouse[1] = y;
    SDL_PushEvent(&e);
}

static void play(view_script *s, viewer *v, const line *l)
{
    SDL_Event e = {.type = SDL_QUIT};
    switch (l->what) {
    case KEY:
        push_key(l->key, true);
        push_key(l->key, false);
        break;
    case DOWN: push_key(l->key, true); break;
    case UP: push_key(l->key, false); break;
    case PRESS:
        push_move(s, v, l->numbers[0], l->numbers[1]);
        push_button(s, v, l->button, true);
        break;
    case RELEASE: push_button(s, v, l->button, false); break;
    case MOVE: push_move(s, v, l->numbers[0], l->numbers[1]); break;
    case DRAG:
        s->drag = l;
        s->began = l->time;
        memcpy(s->drag_from, s->mouse, sizeof s->drag_from);
        break;
    case WHEEL:
        e.type = SDL_MOUSEWHEEL;
        e.wheel.y = (Sint32)lrint(l->numbers[0]);
        SDL_PushEvent(&e);
        break;
    case RESIZE:
        SDL_SetWindowSize(v->window, (int)lrint(l->numbers[0] * v->unit),
                          (int)lrint(l->numbers[1] * v->unit));
        break;
    case SHOT: snprintf(v->screenshot, sizeof v->screenshot, "%s", l->word); break;
    default: SDL_PushEvent(&e); break;
    }
}

void view_script_play(view_script *s, viewer *v, double time)
{
    if (s->drag) {
        const line *d = s->drag;
        double part = d->numbers[2] > 0 ? fmin((time - s->began) / d->numbers[2], 1) : 1;
        push_move(s, v, s->drag_from[0] + part * (d->numbers[0] - s->drag_from[0]),
                  s->drag_from[1] + part * (d->numbers[1] - s->drag_from[1]));
        if (part >= 1)
            s->drag = NULL;
    }
    /* One picture a frame: what comes after it waits. */
    while (s->next < s->count && s->lines[s->next].time <= time + 1e-9 && !v->screenshot[0])
        play(s, v, &s->lines[s->next++]);
}
