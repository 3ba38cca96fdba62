/* SPDX-License-Identifier: MIT */
/* A picture of one layer of the flow, with title, scales, a legend and the run's figures. */
#include "config.h"

#include "file.h"
#include "flow/flow.h"

#ifndef HAVE_CAIRO

int flow_picture_write(const char *path, const flow_scene *scene, foehn_flow *flow, int layer)
{
    (void)scene, (void)flow, (void)layer;
    return fail(STATUS_USAGE, "%s: pictures are not built in: install libcairo2-dev, build again",
                path);
}

#else

#include "map/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 66,
    RIGHT = 150,
    TOP = 84,
    BOTTOM = 92,
    LONGEST = 960,
    LEAST_WIDE = 560,
    LEAST_HIGH = 260
};

typedef struct picture {
    const flow_scene *s;
    foehn_flow *flow;
    foehn_flow_info info;
    int layer;
    cairo_t *cr;
    double x, y, width, height; /* of the map, pixels */
    double scale;               /* pixels a unit of length */
    float *field, *solid;
    double low, high;
    bool clipped;
} picture;

/* ---- colours ---- */

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

static void color_of(const picture *p, double value, double rgb[3])
{
    flow_layer_color(flow_layers[p->layer].diverging, (value - p->low) / (p->high - p->low), rgb);
}

/* ---- the field ---- */

/* Ends of the colours; the field may go beyond them in a few cells. */
static int choose_range(picture *p)
{
    double end, most;
    size_t n = (size_t)p->info.nx * (size_t)p->info.ny;
    int status = flow_layer_range(n, p->field, p->solid, &end, &most);
    if (p->s->range > 0)
        end = p->s->range;
    p->clipped = most > end * 1.001;
    p->high = end;
    p->low = flow_layers[p->layer].diverging ? -end : 0;
    return status;
}

static int read_layer(picture *p)
{
    foehn_flow_field field = flow_layers[p->layer].field;
    size_t n = foehn_flow_get_field_size(p->flow, field);
    p->field = malloc(n * sizeof *p->field);
    p->solid = malloc((size_t)p->info.nx * (size_t)p->info.ny * sizeof *p->solid);
    if (!p->field || !p->solid)
        return fail_memory();
    foehn_status got = foehn_flow_read(p->flow, field, p->field);
    if (got == FOEHN_OK)
        got = foehn_flow_read(p->flow, FOEHN_FLOW_SOLIDS, p->solid);
    if (got != FOEHN_OK)
        return fail_library(got);
    return p->layer == LAYER_INK || p->layer == LAYER_SOLIDS ? STATUS_OK : choose_range(p);
}

static void cell_color(const picture *p, size_t c, double rgb[3])
{
    size_t cells = (size_t)p->info.nx * (size_t)p->info.ny;
    if (p->solid[c] > 0) {
        memcpy(rgb, flow_rock, sizeof flow_rock);
        return;
    }
    if (p->layer == LAYER_SOLIDS) {
        rgb[0] = rgb[1] = rgb[2] = 0.93;
        return;
    }
    if (p->layer == LAYER_INK) {
        double alpha = fmin(1, (double)p->field[c + 3 * cells]);
        for (size_t k = 0; k < 3; k++)
            rgb[k] = fmin(1, flow_deep[k] * (1 - alpha) + (double)p->field[c + k * cells]);
        return;
    }
    color_of(p, (double)p->field[c], rgb);
    if (p->layer == LAYER_PARTICLES)
        for (int k = 0; k < 3; k++)
            rgb[k] *= 0.55;
}

/* ---- drawing ---- */

static int draw_map(picture *p)
{
    int nx = p->info.nx, ny = p->info.ny;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, nx, ny);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        return fail_memory();
    }
    unsigned char *data = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double rgb[3];
            cell_color(p, (size_t)j * (size_t)nx + (size_t)i, rgb);
            uint32_t value = 0;
            for (int k = 0; k < 3; k++)
                value = value << 8 | (uint32_t)lrint(255 * fmin(fmax(rgb[k], 0), 1));
            memcpy(data + (size_t)(ny - 1 - j) * (size_t)stride + 4 * (size_t)i, &value, 4);
        }
    cairo_surface_mark_dirty(image);
    cairo_save(p->cr);
    cairo_translate(p->cr, p->x, p->y);
    cairo_scale(p->cr, p->width / nx, p->height / ny);
    cairo_set_source_surface(p->cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(p->cr),
                             p->width >= 3 * nx ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_pattern_set_extend(cairo_get_source(p->cr), CAIRO_EXTEND_PAD);
    cairo_rectangle(p->cr, 0, 0, nx, ny);
    cairo_fill(p->cr);
    cairo_restore(p->cr);
    cairo_surface_destroy(image);
    return STATUS_OK;
}

static int draw_particles(picture *p)
{
    size_t n = (size_t)p->s->params.particles;
    float *xy = malloc(2 * n * sizeof *xy + 1);
    if (!xy)
        return fail_memory();
    foehn_status got = foehn_flow_read_particles(p->flow, xy);
    cairo_set_source_rgb(p->cr, 1, 1, 0.96);
    for (size_t i = 0; got == FOEHN_OK && i < n; i++) {
        double x = p->x + (double)xy[2 * i] * p->scale;
        double y = p->y + p->height - (double)xy[2 * i + 1] * p->scale;
        cairo_arc(p->cr, x, y, 1.1, 0, 6.2832);
        cairo_fill(p->cr);
    }
    free(xy);
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

static double tick_step(double length)
{
    double step = pow(10, floor(log10(length / 4)));
    double ratio = length / 4 / step;
    return step * (ratio >= 5 ? 5 : ratio >= 2 ? 2 : 1);
}

static void draw_axes(picture *p)
{
    cairo_t *cr = p->cr;
    char text[32];
    ink(p->cr, 0.15);
    cairo_set_line_width(cr, 1.2);
    cairo_rectangle(cr, p->x - 0.5, p->y - 0.5, p->width + 1, p->height + 1);
    cairo_stroke(cr);
    set_font(p->cr, 12, false);
    double step = tick_step(fmax(p->info.extent[0], p->info.extent[1]));
    for (int k = 0; k * step <= p->info.extent[0] * 1.0001; k++) {
        double x = p->x + k * step * p->scale;
        cairo_move_to(cr, x, p->y + p->height);
        cairo_line_to(cr, x, p->y + p->height + 6);
        cairo_stroke(cr);
        snprintf(text, sizeof text, "%g", k * step);
        put_text(p->cr, x, p->y + p->height + 20, 0.5, text);
    }
    for (int k = 0; k * step <= p->info.extent[1] * 1.0001; k++) {
        double y = p->y + p->height - k * step * p->scale;
        cairo_move_to(cr, p->x - 6, y);
        cairo_line_to(cr, p->x, y);
        cairo_stroke(cr);
        snprintf(text, sizeof text, "%g", k * step);
        put_text(p->cr, p->x - 10, y + 4, 1, text);
    }
    ink(p->cr, 0.35);
    put_text(p->cr, p->x + p->width / 2, p->y + p->height + 38, 0.5, "x (dimensionless)");
    cairo_save(cr);
    cairo_translate(cr, 18, p->y + p->height / 2);
    cairo_rotate(cr, -1.5707963);
    put_text(p->cr, 0, 0, 0.5, "y (dimensionless)");
    cairo_restore(cr);
}

static void draw_bar(picture *p)
{
    cairo_t *cr = p->cr;
    double x = p->x + p->width + 24, y = p->y + 26, wide = 20, high = fmin(p->height - 60, 420);
    char text[48];
    for (int i = 0; i < (int)high; i++) {
        double rgb[3];
        color_of(p, mix(p->high, p->low, i / (high - 1)), rgb);
        cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
        cairo_rectangle(cr, x, y + i, wide, 1.5);
        cairo_fill(cr);
    }
    ink(p->cr, 0.15);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, x - 0.5, y - 0.5, wide + 1, high + 1);
    cairo_stroke(cr);
    set_font(p->cr, 12, false);
    for (int k = 0; k <= 4; k++) {
        double at = y + high * k / 4, value = mix(p->high, p->low, k / 4.0);
        cairo_move_to(cr, x + wide, at);
        cairo_line_to(cr, x + wide + 4, at);
        cairo_stroke(cr);
        snprintf(text, sizeof text, "%s%.3g", p->clipped && k == 0 ? "\xe2\x89\xa5 " : "",
                 fabs(value) < 1e-12 ? 0 : value);
        if (p->clipped && k == 4 && p->low < 0)
            snprintf(text, sizeof text, "\xe2\x89\xa4 %.3g", value);
        put_text(p->cr, x + wide + 8, at + 4, 0, text);
    }
    set_font(p->cr, 12, true);
    put_text(p->cr, x - 4, p->y + 10, 0, flow_layers[p->layer].unit);
    ink(p->cr, 0.35);
    set_font(p->cr, 11, false);
    if (flow_layers[p->layer].diverging) {
        snprintf(text, sizeof text, "orange: %s", flow_layers[p->layer].more);
        put_text(p->cr, x - 4, y + high + 18, 0, text);
        snprintf(text, sizeof text, "blue: %s", flow_layers[p->layer].less);
        put_text(p->cr, x - 4, y + high + 32, 0, text);
    } else
        put_text(p->cr, x - 4, y + high + 18, 0, "(dimensionless)");
}

/* What there is to know where no colour bar says it. */
static void draw_key(picture *p)
{
    static const double ink_rgb[2][3] = {{0.07, 0.10, 0.17}, {0.95, 0.95, 0.95}};
    static const double solid_rgb[2][3] = {{0.93, 0.93, 0.93}, {0.27, 0.27, 0.29}};
    const double(*rgb)[3] = p->layer == LAYER_INK ? ink_rgb : solid_rgb;
    const char *words[2] = {p->layer == LAYER_INK ? "clear water" : "water",
                            p->layer == LAYER_INK ? "ink, in its colour" : "solid"};
    double x = p->x + p->width + 20, y = p->y + 10;
    set_font(p->cr, 12, false);
    for (int k = 0; k < 2; k++, y += 26) {
        cairo_set_source_rgb(p->cr, rgb[k][0], rgb[k][1], rgb[k][2]);
        cairo_rectangle(p->cr, x, y, 18, 18);
        cairo_fill_preserve(p->cr);
        ink(p->cr, 0.3);
        cairo_set_line_width(p->cr, 1);
        cairo_stroke(p->cr);
        put_text(p->cr, x + 25, y + 13, 0, words[k]);
    }
}

static void draw_words(picture *p, double page_height)
{
    char text[256], terms[96] = "";
    static const char *const names[] = {"force", "advection", "viscosity", "pressure"};
    set_font(p->cr, 19, true);
    ink(p->cr, 0.1);
    put_text(p->cr, p->x, 32, 0, p->s->title);
    set_font(p->cr, 13, false);
    ink(p->cr, 0.3);
    snprintf(text, sizeof text, "%s at time %.4g", flow_layers[p->layer].name, p->info.time);
    put_text(p->cr, p->x, 56, 0, text);
    for (int k = 0; k < 4; k++)
        if (!(p->info.terms & 1 << k))
            snprintf(terms + strlen(terms), sizeof terms - strlen(terms), "%s%s",
                     terms[0] ? ", " : "  |  off: ", names[k]);
    set_font(p->cr, 11, false);
    ink(p->cr, 0.45);
    snprintf(text, sizeof text,
             "%d \xc3\x97 %d cells  |  viscosity %.3g  |  speed U = %.3g  |  grey: solid%s",
             p->info.nx, p->info.ny, p->info.viscosity, p->info.reference_speed, terms);
    put_text(p->cr, p->x, page_height - 34, 0, text);
    put_text(p->cr, p->x, page_height - 17, 0, p->s->about);
}

static int draw(picture *p, const char *path)
{
    double wide = p->info.extent[0], high = p->info.extent[1];
    p->scale = LONGEST / fmax(wide, 1.4 * high);
    p->width = rint(wide * p->scale);
    p->height = rint(high * p->scale);
    p->x = LEFT;
    p->y = TOP;
    int page_wide = (int)fmax(p->width, LEAST_WIDE) + LEFT + RIGHT;
    int page_high = (int)fmax(p->height, LEAST_HIGH) + TOP + BOTTOM;
    cairo_surface_t *page = cairo_image_surface_create(CAIRO_FORMAT_RGB24, page_wide, page_high);
    p->cr = cairo_create(page);
    cairo_set_source_rgb(p->cr, 1, 1, 1);
    cairo_paint(p->cr);
    int status = draw_map(p);
    if (status == STATUS_OK && p->layer == LAYER_PARTICLES)
        status = draw_particles(p);
    draw_axes(p);
    if (p->layer == LAYER_INK || p->layer == LAYER_SOLIDS)
        draw_key(p);
    else
        draw_bar(p);
    draw_words(p, page_high);
    cairo_status_t wrote = cairo_surface_write_to_png(page, path);
    cairo_destroy(p->cr);
    cairo_surface_destroy(page);
    if (status == STATUS_OK && wrote != CAIRO_STATUS_SUCCESS)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path,
                    cairo_status_to_string(wrote));
    return status;
}

int flow_picture_write(const char *path, const flow_scene *scene, foehn_flow *flow, int layer)
{
    picture p = {.s = scene, .flow = flow, .layer = layer};
    const char *temporary;
    foehn_flow_get_info(flow, &p.info);
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    status = read_layer(&p);
    if (status == STATUS_OK)
        status = draw(&p, temporary);
    free(p.field);
    free(p.solid);
    if (status == STATUS_OK)
        return file_commit(temporary);
    file_discard(temporary);
    return status;
}

#endif
