/* SPDX-License-Identifier: MIT */
/* The window of foehn view: opening it, frames. */
#include "config.h"

#include "progress.h"
#include "view/view.h"
#include "view/textures.h"
#include "view/overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_LONGEST 0.1         /* s that a frame may count for */
#define FRAME_SCRIPTED (1.0 / 30) /* s a frame counts for while a script plays */
#define FRAME_SHORTEST (1.0 / 60) /* s, where the display does not set the pace */

/* ---- opening ---- */

static int no_window(const char *what)
{
    const char *why = SDL_GetError();
    return fail(STATUS_FAILED,
                "view: %s%s%s: start it in a graphical session, through ssh -X, or "
                "with xvfb-run -s '-screen 0 1600x1000x24'",
                what, *why ? ": " : "", why);
}

/* Of a display with small pixels, in quarters; SDL's own units count where they are not pixels. */
static double display_scale(void)
{
    float dpi = 96;
    if (SDL_GetDisplayDPI(0, NULL, &dpi, NULL) != 0 || !(dpi >= 120 && dpi <= 600))
        return 1;
    return rint(4 * (double)dpi / 96) / 4;
}

static int open_window(viewer *v)
{
    SDL_SetMainReady();
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return no_window("no display");
    /* Without any display SDL draws where nobody can look, which only a variable should choose. */
    const char *driver = SDL_GetCurrentVideoDriver();
    SDL_ClearError();
    if (driver && strcmp(driver, "offscreen") == 0 && !getenv("SDL_VIDEODRIVER"))
        return no_window("no display");
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    double scale = v->o->scale > 0 ? v->o->scale : display_scale();
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    v->unit = scale;
    SDL_Rect room;
    int width = (int)(v->o->width * scale), height = (int)(v->o->height * scale);
    if (!v->o->sized && SDL_GetDisplayUsableBounds(0, &room) == 0) { /* a size of ours fits */
        width = width < room.w ? width : room.w;
        height = height < room.h ? height : room.h;
    }
    v->window = SDL_CreateWindow("foehn", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                 height, flags);
    if (!v->window)
        return no_window("no window with OpenGL");
    v->gl = SDL_GL_CreateContext(v->window);
    if (!v->gl)
        return no_window("no OpenGL 3.3");
    SDL_GL_SetSwapInterval(v->o->fast ? 0 : 1);
    int w, h, pixels, high;
    SDL_GetWindowSize(v->window, &w, &h);
    SDL_GL_GetDrawableSize(v->window, &pixels, &high);
    if (pixels > w && v->o->scale <= 0) /* SDL's units are points already */
        v->unit = 1;
    view_measure_window(v);
    int status = view_gl_load();
    if (status == STATUS_OK)
        status = view_canvas_create(v->scale, &v->canvas);
    return status;
}

static int open_device(viewer *v)
{
    foehn_context_params params = foehn_context_params_default();
    params.device = v->o->common.device;
    foehn_context_params_set_gl(&params, SDL_GL_GetProcAddress);
    foehn_status made = foehn_context_create(&params, &v->ctx);
    if (made != FOEHN_OK)
        return fail_library(made);
    foehn_device_info info = {.struct_size = sizeof info};
    if (foehn_context_get_device(v->ctx, &info) == FOEHN_OK)
        report("Device    %s, %s: %s", info.name, info.platform, foehn_context_get_reason(v->ctx));
    report("Display   %s, OpenGL %s", (const char *)gl.GetString(GL_RENDERER),
           (const char *)gl.GetString(GL_VERSION));
    return step_timer_create(&v->timer, v->ctx, v->o->common.stats != NULL);
}

/* ---- frames ---- */

int view_options_create(const view_page *page, void **options)
{
    *options = malloc(page->options_size);
    if (!*options)
        return fail_memory();
    page->options_init(*options);
    return STATUS_OK;
}

/* The first time a page is shown, after a frame that says so: kernels are built. */
static int make_page(viewer *v)
{
    const view_page *p = v->table[v->page];
    bool first = v->frames == 0;
    view_overlay_wait(v,
                      "building kernels; the first time on a device this can take half a minute");
    SDL_GL_SwapWindow(v->window);
    progress_say("building kernels; the first time on a device this can take half a minute");
    void *options = first ? v->o->page_options : NULL, *own = NULL;
    int status = options ? STATUS_OK : view_options_create(p, &own);
    if (status == STATUS_OK)
        status =
            p->create(v, first ? v->o->scene : NULL, options ? options : own, &v->pages[v->page]);
    p->options_destroy(own);
    line_clear();
    return status;
}

static int draw_frame(viewer *v)
{
    const view_page *p = v->table[v->page];
    view_viewport(v, 0, 0, v->width, v->height);
    gl.ClearColor(0.063f, 0.078f, 0.102f, 1);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    int status = STATUS_OK;
    p->draw(v->pages[v->page], v);
    view_viewport(v, 0, 0, v->width, v->height);
    view_canvas_begin(v->canvas, v->width, v->height);
    view_ui_begin(&v->ui, v->canvas);
    if (status == STATUS_OK)
        status = p->draw_over(v->pages[v->page], v);
    int chosen = view_overlay_draw(v);
    view_canvas_end(v->canvas);
    v->ui.pressed = false;
    if (chosen != v->page)
        view_switch_page(v, chosen);
    return status;
}

void view_free_name(const viewer *v, const char *extension, int *number, char out[300])
{
    FILE *there;
    do {
        snprintf(out, 300, "foehn-%s-%03d.%s", v->table[v->page]->name, ++*number, extension);
        there = fopen(out, "r");
        if (there)
            fclose(there);
    } while (there);
}

static int save_screenshot(viewer *v)
{
    char path[300];
    bool named = strcmp(v->screenshot, "?") != 0;
    if (named)
        snprintf(path, sizeof path, "%s", v->screenshot);
    else
        view_free_name(v, "png", &v->screenshots, path);
    v->screenshot[0] = 0;
    int status = view_screenshot(v, path);
    if (status == STATUS_OK && !named)
        view_say(v, "saved %s", path);
    if (status != STATUS_OK && !named) {
        view_say(v, "%s cannot be written", path);
        return STATUS_OK;
    }
    return status;
}

static void name_frame(const viewer *v, int take, int picture, char out[300])
{
    snprintf(out, 300, "foehn-%s-take%03d_%05d.png", v->table[v->page]->name, take, picture);
}

/* Begin or end to write each frame: foehn-PAGE-take001_00001.png and on. */
static void begin_or_end_recording(viewer *v)
{
    char path[300];
    v->record = false;
    if (v->take > 0) {
        view_say(v, "recorded %d frames", v->pictures);
        v->take = 0;
        return;
    }
    FILE *there;
    do {
        name_frame(v, ++v->take, 1, path);
        there = fopen(path, "r");
        if (there)
            fclose(there);
    } while (there);
    v->pictures = 0;
    view_say(v, "recording %s and on; F9 ends it", path);
}

static int save_frame(viewer *v)
{
    char path[300];
    name_frame(v, v->take, ++v->pictures, path);
    int status = view_screenshot(v, path);
    if (status != STATUS_OK) {
        view_say(v, "%s cannot be written: the recording ends", path);
        v->take = 0;
    }
    return STATUS_OK;
}

static int frame(viewer *v, double seconds)
{
    if (v->script)
        view_script_play(v->script, v, v->time);
    int status = view_handle_events(v);
    if (v->quit || status != STATUS_OK)
        return status;
    if (!v->pages[v->page])
        status = make_page(v);
    if (status == STATUS_OK)
        status = v->table[v->page]->advance(v->pages[v->page], v, seconds);
    double began = seconds_now();
    if (status == STATUS_OK)
        status = draw_frame(v);
    if (status == STATUS_OK && v->screenshot[0])
        status = save_screenshot(v);
    if (v->record)
        begin_or_end_recording(v);
    if (status == STATUS_OK && v->take > 0)
        status = save_frame(v);
    SDL_GL_SwapWindow(v->window);
    if (v->frames++ > 0)
        v->drawing += 0.1 * (seconds_now() - began - v->drawing);
    return status;
}

/* Wait until a frame has taken its least time; how long it took, s. */
static double end_frame(viewer *v, double began)
{
    double least = v->script ? v->o->fast ? 0 : FRAME_SCRIPTED : FRAME_SHORTEST;
    double spent = seconds_now() - began;
    v->frame_timer.wall[v->frame_timer.count++ % STEP_TIMES] = spent;
    while (spent < least - 0.0005) {
        SDL_Delay((Uint32)fmax(1, floor(1000 * (least - spent))));
        spent = seconds_now() - began;
    }
    v->frame_rate += 0.1 * (1 / fmax(spent, 1e-4) - v->frame_rate);
    return spent;
}

static int write_stats(viewer *v, double wall)
{
    stats_file f;
    double slowest = 0;
    uint64_t n = v->frame_timer.count < STEP_TIMES ? v->frame_timer.count : STEP_TIMES;
    for (uint64_t i = 0; i < n; i++)
        slowest = fmax(slowest, v->frame_timer.wall[i]);
    int status = stats_begin(&f, v->o->common.stats, &v->timer, v->steps, v->dt, wall, v->cells);
    if (status != STATUS_OK)
        return status;
    json_count(&f.j, "frames", v->frames);
    json_number(&f.j, "frames_per_s", wall > 0 ? (double)v->frames / wall : NAN);
    json_number(&f.j, "frame_ms_median", step_timer_median_ms(&v->frame_timer));
    json_number(&f.j, "frame_ms_slowest", 1000 * slowest);
    return stats_end(&f);
}

static int run(viewer *v)
{
    int status = v->o->script ? view_script_read(v->o->script, &v->script) : STATUS_OK;
    if (status == STATUS_OK)
        status = open_window(v);
    if (status == STATUS_OK)
        status = open_device(v);
    double seconds = FRAME_SCRIPTED, started = 0;
    while (status == STATUS_OK && !v->quit && !stop_requested()) {
        double began = seconds_now();
        status = frame(v, seconds);
        if (v->frames == 1) { /* which built kernels, and counts for nothing */
            started = seconds_now();
            began = started;
        }
        double spent = end_frame(v, began);
        seconds = v->script ? FRAME_SCRIPTED : fmin(spent, FRAME_LONGEST);
        v->time += seconds;
    }
    if (status == STATUS_OK && v->o->common.stats)
        status = write_stats(v, seconds_now() - started);
    return status;
}

int view_run(const view_options *options, const view_page *const *table, int first_page)
{
    viewer *v = calloc(1, sizeof *v);
    if (!v)
        return fail_memory();
    v->o = options;
    v->table = table;
    v->page = first_page;
    v->frame_rate = 30;
    stop_on_signals();
    progress_begin(options->common.quiet);
    const char *stats = options->common.stats;
    report_to(options->common.quiet ? NULL : stats && strcmp(stats, "-") == 0 ? stderr : stdout);
    int status = run(v);
    for (int i = 0; v->table[i]; i++)
        if (v->pages[i])
            v->table[i]->destroy(v->pages[i]);
    view_script_destroy(v->script);
    if (v->gl)
        view_canvas_destroy(v->canvas);
    foehn_context_destroy(v->ctx);
    if (v->gl)
        SDL_GL_DeleteContext(v->gl);
    if (v->window)
        SDL_DestroyWindow(v->window);
    SDL_Quit();
    free(v);
    return status;
}
