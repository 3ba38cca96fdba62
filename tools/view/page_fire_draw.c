/* SPDX-License-Identifier: MIT */
/* The fire's picture, made by the library, over a floor; and the bars of its page. */
#include "config.h"

#include "view/page_fire.h"
#include "view/lines.h"
#include "view/overlay.h"

#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_GOAL 0.045 /* s that a picture may take */

static const char paint_vertex[] = "layout(location = 0) in vec2 at;\n"
                                   "out vec2 place;\n"
                                   "void main()\n"
                                   "{\n"
                                   "    place = vec2(at.x, 1.0 - at.y);\n"
                                   "    gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);\n"
                                   "}\n";
static const char paint_fragment[] = "in vec2 place;\n"
                                     "uniform sampler2D picture;\n"
                                     "out vec4 result;\n"
                                     "void main()\n"
                                     "{\n"
                                     "    result = texture(picture, place);\n"
                                     "}\n";

/* ---- making ---- */

/* Lines a metre apart, fainter towards the rim. */
static int make_floor(fire_page *p)
{
    enum { REACH = 8, LINES = 2 * (2 * REACH + 1), PARTS = 2 * REACH };
    static const int layout[] = {3, 2, 0};
    float *vertices = malloc(sizeof(float) * 5 * 2 * LINES * PARTS), *out = vertices;
    view_mesh_create(&p->floor, layout);
    if (!vertices)
        return fail_memory();
    for (int n = 0; n < LINES; n++)
        for (int i = 0; i < PARTS; i++)
            for (int end = 0; end < 2; end++) {
                double across = n / 2 - REACH, along = i + end - REACH;
                *out++ = (float)(n % 2 ? along : across);
                *out++ = 0;
                *out++ = (float)(n % 2 ? across : along);
                *out++ = 1;
                *out++ = (float)fmax(0, 0.35 * (1 - hypot(across, along) / REACH));
            }
    view_mesh_set(&p->floor, 2 * LINES * PARTS, vertices);
    free(vertices);
    return STATUS_OK;
}

int view_fire_draw_create(fire_page *p)
{
    static const int pair[] = {2, 0};
    static const float corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
    p->texture = view_texture_create(true);
    view_mesh_create(&p->square, pair);
    view_mesh_set(&p->square, 4, corners);
    int status = make_floor(p);
    if (status == STATUS_OK)
        status = view_lines_create(&p->lines);
    return status == STATUS_OK ? view_program("the fire", paint_vertex, paint_fragment, &p->paint)
                               : status;
}

void view_fire_draw_destroy(fire_page *p)
{
    if (p->texture)
        gl.DeleteTextures(1, &p->texture);
    if (p->paint)
        gl.DeleteProgram(p->paint);
    if (p->lines)
        gl.DeleteProgram(p->lines);
    view_mesh_destroy(&p->square);
    view_mesh_destroy(&p->floor);
    free(p->pixels);
}

/* ---- the picture ---- */

/* Fewer pixels where a picture takes long, so that the window keeps answering. */
static void choose_detail(fire_page *p, const viewer *v)
{
    if (v->script || !(p->spent > 0) ||
        (p->spent > 0.6 * PICTURE_GOAL && p->spent < 1.3 * PICTURE_GOAL))
        return;
    double change = fmin(fmax(sqrt(PICTURE_GOAL / p->spent), 0.7), 1.2);
    p->detail = fmin(fmax(p->detail * change, 0.1), 1);
}

static int make_room(fire_page *p, int width, int height)
{
    size_t room = 4 * (size_t)width * (size_t)height;
    if (room > p->room) {
        free(p->pixels);
        p->pixels = malloc(room);
        p->room = p->pixels ? room : 0;
    }
    p->width = width;
    p->height = height;
    return p->pixels ? STATUS_OK : fail_memory();
}

int view_fire_paint(fire_page *p, const viewer *v)
{
    double points = v->height - p->top - p->bottom;
    view_camera c;
    choose_detail(p, v);
    int width = (int)fmax(16, p->detail * v->scale * v->width);
    int height = (int)fmax(16, p->detail * v->scale * fmax(points, 40));
    if (!p->stale && width == p->width && height == p->height)
        return STATUS_OK;
    int status = make_room(p, width, height);
    if (status != STATUS_OK)
        return status;
    foehn_fire_picture picture = p->scene->picture;
    view_fire_camera(p, &c);
    memcpy(picture.position, c.position, sizeof picture.position);
    memcpy(picture.target, p->target, sizeof picture.target);
    picture.field_of_view = p->field * 180 / 3.14159265358979323846;
    picture.width = width;
    picture.height = height;
    picture.view = (foehn_fire_view)p->view;
    picture.frame = p->frame++;
    picture.draw_colliders = 1;
    picture.background = NULL;
    picture.depth = NULL;
    double began = seconds_now();
    foehn_status got = foehn_fire_read_picture(p->fire, &picture, FOEHN_FIRE_BYTES, p->pixels);
    if (got != FOEHN_OK)
        return fail_library(got);
    p->spent = seconds_now() - began;
    p->stale = false;
    view_texture_set(p->texture, TEXELS_RGBA, width, height, p->pixels);
    return STATUS_OK;
}

void view_fire_draw(void *page, const viewer *v)
{
    fire_page *p = page;
    static const float grey[3] = {0.35f, 0.35f, 0.38f};
    float matrix[16];
    view_camera c;
    p->map = (view_area){0, p->top, v->width, fmax(v->height - p->top - p->bottom, 40)};
    view_viewport(v, p->map.x, p->map.y, p->map.width, p->map.height);
    view_fire_camera(p, &c);
    view_camera_matrix(&c, p->map.width / p->map.height, matrix);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    view_lines_use(p->lines, matrix, grey, grey);
    view_mesh_draw(&p->floor, GL_LINES);
    gl.UseProgram(p->paint);
    view_set_int(p->paint, "picture", 0);
    view_texture_bind(0, GL_TEXTURE_2D, p->texture);
    view_mesh_draw(&p->square, GL_TRIANGLE_STRIP);
    gl.Disable(GL_BLEND);
}

/* ---- bars ---- */

static int draw_sliders(fire_page *p, viewer *v)
{
    char text[32];
    int status = STATUS_OK;
    double t = p->strength / 2;
    snprintf(text, sizeof text, "%.0f %%", 100 * p->strength);
    if (view_slider(&v->ui, &p->strength, "fire", text, &t))
        view_fire_set_strength(p, 0.05 * rint(40 * t));
    if (view_fire_burns(p)) {
        foehn_fire_picture *picture = &p->scene->picture;
        t = ((double)picture->stops + 6) / 12;
        snprintf(text, sizeof text, "%+.1f stops", (double)picture->stops);
        if (view_slider(&v->ui, &picture->stops, "exposure", text, &t)) {
            picture->stops = (float)(0.25 * rint(48 * t) - 6);
            p->stale = true;
        }
    }
    double across = view_fire_wind_across(p);
    t = (across + 4) / 8;
    snprintf(text, sizeof text, p->spec.file[0] ? "of a file" : "%.1f m/s", across);
    if (view_slider(&v->ui, &p->spec, "wind to the right", text, &t))
        status = view_fire_set_wind(p, 0.1 * rint(10 * (8 * t - 4)));
    if (view_chip(&v->ui, p->paused ? "go on" : "pause", VIEW_BUTTON, p->paused))
        p->paused = !p->paused;
    if (view_chip(&v->ui, "one step", VIEW_BUTTON, false))
        p->paused = p->once = true;
    if (view_chip(&v->ui, "first view", VIEW_BUTTON, false))
        view_fire_look_from_start(p);
    if (status == STATUS_OK && view_chip(&v->ui, "restart", VIEW_BUTTON, false))
        status = view_fire_restart(p, v);
    if (view_chip(&v->ui, "save VDB", VIEW_BUTTON, false))
        view_fire_export(p, v);
    if (view_chip(&v->ui, "save PNG", VIEW_BUTTON, false))
        snprintf(v->screenshot, sizeof v->screenshot, "?");
    return status;
}

static void end_bar(fire_page *p, viewer *v)
{
    char left[256], right[64];
    const int *n = p->info.render_cells;
    snprintf(left, sizeof left,
             "%s   time %.1f s   smoke %d \xc3\x97 %d \xc3\x97 %d, motion %d \xc3\x97 %d \xc3\x97 "
             "%d cells   picture "
             "%d \xc3\x97 %d, %.0f ms",
             p->scene->title, (double)p->done * p->scene->dt, n[0], n[1], n[2],
             p->info.physics_cells[0], p->info.physics_cells[1], p->info.physics_cells[2], p->width,
             p->height, 1000 * p->spent);
    snprintf(right, sizeof right, "%.0f frames/s   %.2g \xc3\x97 real time", v->frame_rate,
             p->paused ? 0 : view_pace_speed(&p->pace));
    p->bottom = view_bottom_end(v, p->bottom, left, right);
}

/* What the colours of a view mean that shows a quantity. */
static void draw_legend(const fire_page *p, const viewer *v)
{
    view_color colors[VIEW_LEGEND];
    char high[32];
    const double range = (double)p->scene->params.palette_temperature;
    bool burns = view_fire_burns(p);
    for (int i = 0; i < VIEW_LEGEND; i++) {
        double grey = (i + 0.5) / VIEW_LEGEND;
        colors[i] = view_rgb((double[]){grey, grey, grey});
    }
    switch ((foehn_fire_view)p->view) {
    case FOEHN_FIRE_VIEW_DENSITY:
        if (burns) /* 1 - exp(-extinction / 5), as kernels/fire/optics.cl makes the preset's dye */
            view_legend(v->canvas, &p->map, "largest extinction along the ray, 3.5 in the middle",
                        colors, "0", "20 1/m");
        else
            view_legend(v->canvas, &p->map, "largest density along the ray", colors, "0", "1");
        return;
    case FOEHN_FIRE_VIEW_TEMPERATURE:
        snprintf(high, sizeof high, burns ? "%.0f K" : "%g", burns ? 293 + 150 * range : range);
        view_legend(v->canvas, &p->map, "largest temperature along the ray", colors,
                    burns ? "293 K" : "0", high);
        return;
    case FOEHN_FIRE_VIEW_VELOCITY:
        view_legend(v->canvas, &p->map, "red |u|, green |v| (up), blue |w|", colors, "0", "5 m/s");
        return;
    default: return;
    }
}

int view_fire_bars(void *page, viewer *v)
{
    fire_page *p = page;
    static const char *const hands[] = {"turn", "move the emitter", NULL};
    int hand = p->moving, view = p->view;
    draw_legend(p, v);
    if (p->listed)
        view_fire_list_draw(p, v);
    view_top_begin(v, p->top);
    if (view_choose(&v->ui, "hand", hands, &hand))
        p->moving = hand == 1;
    if (view_chip(&v->ui, "scenes", VIEW_BUTTON, p->listed))
        view_fire_list_begin(p);
    p->top = view_top_end(v);
    view_bottom_begin(v, p->bottom);
    if (view_choose(&v->ui, "view", fire_view_names, &view)) {
        p->view = view;
        p->stale = true;
    }
    view_row_break(&v->ui, 0);
    int status = draw_sliders(p, v);
    end_bar(p, v);
    return status;
}
