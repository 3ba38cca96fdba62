/* SPDX-License-Identifier: MIT */
/* foehn view: a window, its pages, and what they share. */
#ifndef VIEW_H
#define VIEW_H

#include "options.h"
#include "stats.h"
#include "view/canvas.h"

#include <foehn/gl.h>

#include <SDL.h>

/* ---- the command line ---- */

typedef struct view_options {
    common_options common; /* device, dt, seed, stats, quiet */
    int width, height;     /* of the window, points */
    bool sized;            /* as the command line asks */
    double scale;          /* of letters and widgets; 0: the display's */
    const char *script;    /* file of events or NULL */
    bool fast;             /* a script does not wait for the clock */
    const char *scene;     /* of the page that is shown first; NULL: its default */
    void *page_options;    /* of that page */
} view_options;

/* ---- the window ---- */

typedef enum view_event_kind {
    VIEW_KEY_DOWN,
    VIEW_KEY_UP,
    VIEW_PRESS,
    VIEW_RELEASE,
    VIEW_MOVE,
    VIEW_WHEEL
} view_event_kind;

typedef struct view_event {
    view_event_kind kind;
    SDL_Keycode key;
    bool shift;
    int button;    /* 1 left, 2 middle, 3 right */
    double x, y;   /* of the mouse, points from the upper left corner */
    double dx, dy; /* of a move */
    double wheel;  /* notches, away from the hand > 0 */
} view_event;

typedef struct viewer viewer;

/* A key and what it does; a list ends with a row without a key. */
typedef struct view_help {
    const char *key, *what;
} view_help;

/* A page of the window.  Functions fail with a message. */
typedef struct view_page {
    const char *name, *title;
    const view_help *help;
    const option_row *rows; /* of its own options */
    size_t options_size;
    void (*options_init)(void *options);
    int (*options_check)(void *options);
    void (*options_destroy)(void *options);
    int (*create)(viewer *v, const char *scene, void *options, void **page);
    void (*destroy)(void *page);
    int (*event)(void *page, viewer *v, const view_event *event);
    /* Keys and buttons that are held are held no more: their release goes elsewhere. */
    void (*let_go)(void *page, viewer *v);
    int (*advance)(void *page, viewer *v, double seconds);
    /* The picture; then, between the canvas's begin and end, what lies over it. */
    void (*draw)(void *page, const viewer *v);
    int (*draw_over)(void *page, viewer *v);
} view_page;

/* The page NAME of a scene's command of that name: NAME_options and view_NAME_draw() go by it, the
 * others are the file's own, as they are called above; VIEW_OPTIONS(NAME) stands before it. */
#define VIEW_OPTIONS(NAME)                                                                         \
    static void options_init(void *options)                                                        \
    {                                                                                              \
        NAME##_options_init(options);                                                              \
    }                                                                                              \
    static int options_check(void *options)                                                        \
    {                                                                                              \
        return NAME##_options_check(options);                                                      \
    }
#define VIEW_PAGE(NAME, TITLE)                                                                     \
    {                                                                                              \
        .name = #NAME, .title = (TITLE), .help = help, .rows = NAME##_option_rows,                 \
        .options_size = sizeof(NAME##_options), .options_init = options_init,                      \
        .options_check = options_check, .options_destroy = free, .create = create,                 \
        .destroy = destroy, .event = event, .let_go = let_go, .advance = advance,                  \
        .draw = view_##NAME##_draw, .draw_over = view_##NAME##_bars                                \
    }

/* The page's options with their defaults; to be ended by its options_destroy. */
int view_options_create(const view_page *page, void **options);

extern const view_page view_fire, view_flow, view_wind;

/* ---- how many steps a frame makes ---- */

/* As many as real time asks for, but no more than fit beside the drawing into a thirtieth of a
 * second, and one where any is due; what is left is dropped, so that the window answers. */
typedef struct view_pace {
    double owed;        /* s of simulated time */
    double cost;        /* s a step takes, smoothed; 0: not known */
    double asked, made; /* s of simulated time, fading sums: their ratio is the speed */
} view_pace;
int view_pace_steps(view_pace *pace, const viewer *v, double seconds, double dt);
void view_pace_spent(view_pace *pace, int steps, double dt, double seconds);
/* Simulated over wanted time; 1: as fast as wanted. */
double view_pace_speed(const view_pace *pace);

/* ---- widgets ---- */

typedef struct view_area {
    double x, y, width, height;
} view_area;

enum { VIEW_MOST_AREAS = 16 };

/* Widgets are asked for in every frame, and answer whether they were used in it. */
typedef struct view_ui {
    view_canvas *canvas;
    double mouse[2];
    bool pressed;        /* in this frame, on an area of the widgets, and not yet used */
    bool held;           /* since such a press */
    const void *sliding; /* slider that is held */
    int area_count;
    view_area areas[VIEW_MOST_AREAS]; /* where the mouse is the widgets' */
    double left, right, x, y;         /* of the row */
} view_ui;

void view_ui_begin(view_ui *ui, view_canvas *canvas);
/* Whether a press at this place is the widgets', as they lay in the last frame. */
bool view_ui_takes(const view_ui *ui, double x, double y);
/* A background on which the mouse is the widgets'. */
void view_panel(view_ui *ui, double x, double y, double width, double height, view_color color);
/* Widgets stand side by side from x, and go on in a new row before they pass x + width. */
void view_row(view_ui *ui, double x, double y, double width);
void view_row_break(view_ui *ui, double above);
double view_row_end(const view_ui *ui); /* y under the last row */
enum { VIEW_ROW = 32 };                 /* height of a row, points */
void view_label(view_ui *ui, const char *text, view_color color);
/* Coloured while on.  True when it was pressed. */
bool view_chip(view_ui *ui, const char *text, view_color color, bool on);
/* t from 0 to 1; identity tells sliders apart.  True when it was moved. */
bool view_slider(view_ui *ui, const void *identity, const char *name, const char *value, double *t);
/* What colours mean, in the lower right corner of a picture. */
enum { VIEW_LEGEND = 48 };
void view_legend(view_canvas *canvas, const view_area *picture, const char *name,
                 const view_color colors[VIEW_LEGEND], const char *low, const char *high);
/* A line of figures at the lower edge, the left one cut where the right one begins. */
void view_figures(view_canvas *canvas, double y, double width, const char *left, const char *right);
/* Which of several names; true when another one was chosen. */
bool view_choose(view_ui *ui, const char *name, const char *const *names, int *chosen);

/* ---- a script ---- */

typedef struct view_script view_script;
int view_script_read(const char *path, view_script **out);
void view_script_destroy(view_script *script);
/* Make events of what is due. */
void view_script_play(view_script *script, viewer *v, double time);

/* ---- all together ---- */

struct viewer {
    const view_options *o;
    SDL_Window *window;
    SDL_GLContext gl;
    foehn_context *ctx;
    int width, height; /* points */
    double scale;      /* pixels a point */
    double unit;       /* SDL's window units a point */
    view_canvas *canvas;
    view_ui ui;
    view_script *script;
    step_timer timer, frame_timer;
    double time;       /* s since the start, by script or clock */
    double frame_rate; /* smoothed, 1/s */
    double drawing;    /* s that a frame takes beside its steps, smoothed */
    uint64_t frames, steps;
    double dt;                     /* of the last step, s */
    uint64_t cells;                /* of the page that was stepped last */
    int page;                      /* number of the page shown */
    void *pages[4];                /* NULL: not yet made */
    const view_page *const *table; /* what they are; NULL ends it */
    bool help, quit;
    char note[200];
    double note_until;
    char screenshot[256]; /* to be written after this frame, or "" */
    int screenshots;
    bool record;        /* shall begin or end with this frame */
    int take, pictures; /* of a recording: its number, 0 none; frames of it so far */
    bool path_reported;
};

/* Open the window and run until it is closed. */
int view_run(const view_options *options, const view_page *const *table, int first_page);

/* Hand out the events that wait. */
int view_handle_events(viewer *v);
void view_switch_page(viewer *v, int page);
/* After its size changed. */
void view_measure_window(viewer *v);
/* A line that stays for some seconds. */
void view_say(viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, of the library's last error. */
void view_say_error(viewer *v);
/* Step: call once per step, between step_timer_start and _stop. */
void view_count_step(viewer *v, double dt, uint64_t cells);
/* The viewport over a rectangle of the window, points. */
void view_viewport(const viewer *v, double x, double y, double width, double height);
/* The texture of a volume; the first time it reports the path that is taken, and why. */
int view_publish(viewer *v, foehn_volume *volume, foehn_gl **out);
/* foehn-PAGE-001.EXTENSION and on: the next that is not there. */
void view_free_name(const viewer *v, const char *extension, int *number, char out[300]);
/* PNG of the frame just drawn. */
int view_screenshot(viewer *v, const char *path);

#endif
