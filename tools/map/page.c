/* SPDX-License-Identifier: MIT */
/* What surrounds a map on its page. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "map/drawing.h"
#include "map/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum {
    LEFT = 108,   /* of the map, pixels: room for northings */
    TOP = 104,    /* title */
    BOTTOM = 112, /* eastings and footer */
    LONGEST = 924,
    LEAST_WIDE = 700, /* room for the title and the footer beside a narrow map */
    LEAST_HIGH = 420, /* room for colour bar and compass beside a low one */
    SMALL = 200       /* no room for a scale bar in a map of less */
};

int page_open(map *m, const char *path)
{
    const double wide = m->extent[0], high = m->extent[1];
    m->metres = fmax(wide, high) / LONGEST;
    m->x = LEFT;
    m->y = TOP;
    m->width = (int)(wide / m->metres + 0.5);
    m->height = (int)(high / m->metres + 0.5);
    if (m->width < 2 || m->height < 2)
        return fail(STATUS_INPUT,
                    "%s: the box is %g times longer than wide: no picture can show it", path,
                    fmax(wide, high) / fmin(wide, high));
    int page_wide = LEFT + (m->width > LEAST_WIDE ? m->width : LEAST_WIDE) + PAGE_RIGHT;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, page_wide, (int)page_height(m));
    m->cr = cairo_create(surface);
    cairo_surface_destroy(surface);
    ink(m->cr, 1);
    cairo_paint(m->cr);
    return STATUS_OK;
}

int page_close(map *m, int status, const char *path, const char *temporary)
{
    cairo_status_t drawn = cairo_status(m->cr);
    if (status == STATUS_OK && drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_write_to_png(cairo_get_target(m->cr), temporary);
    cairo_destroy(m->cr);
    free(m->relief);
    if (status == STATUS_OK && drawn != CAIRO_STATUS_SUCCESS)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path,
                    cairo_status_to_string(drawn));
    return status;
}

double page_height(const map *m)
{
    return TOP + (m->height > LEAST_HIGH ? m->height : LEAST_HIGH) + BOTTOM;
}

double page_bar_height(const map *m)
{
    double height = fmin(m->height - 250.0, 420);
    return height < 120 ? 120 : height;
}

/* Thousands in groups: 823 000. */
static void format_grouped(double value, size_t size, char *text)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t n = strlen(digits), at = 0;
    if (value < -0.5 && at + 1 < size)
        text[at++] = '-';
    for (size_t i = 0; i < n && at + 4 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0 && n > 4) {
            memcpy(text + at, "\xe2\x80\x89", 3); /* thin space */
            at += 3;
        }
        text[at++] = digits[i];
    }
    text[at] = 0;
}

void page_axes(const map *m, const char *east, const char *north)
{
    cairo_t *cr = m->cr;
    ink(cr, 0.15);
    cairo_set_line_width(cr, 1.2);
    cairo_rectangle(cr, m->x - 0.5, m->y - 0.5, m->width + 1, m->height + 1);
    cairo_stroke(cr);
    set_font(cr, 12, false);
    char text[64];
    const double wide = m->extent[0], high = m->extent[1];
    double step = fmin(round_step(fmax(wide, high), 6), round_step(wide, 2));
    for (double e = step * ceil(m->corner[0] / step); e <= m->corner[0] + wide; e += step) {
        double x = m->x + (e - m->corner[0]) / m->metres;
        cairo_move_to(cr, x, m->y + m->height);
        cairo_line_to(cr, x, m->y + m->height + 6);
        cairo_stroke(cr);
        format_grouped(e, sizeof text, text);
        put_text(cr, x, m->y + m->height + 21, 0.5, text);
    }
    step = fmin(round_step(fmax(wide, high), 6), round_step(high, 2));
    for (double n = step * ceil(m->corner[1] / step); n <= m->corner[1] + high; n += step) {
        double y = m->y + m->height - (n - m->corner[1]) / m->metres;
        cairo_move_to(cr, m->x - 6, y);
        cairo_line_to(cr, m->x, y);
        cairo_stroke(cr);
        format_grouped(n, sizeof text, text);
        put_text(cr, m->x - 10, y + 4, 1, text);
    }
    ink(cr, 0.35);
    put_text(cr, m->x + m->width / 2.0, m->y + m->height + 42, 0.5, east);
    if (m->height < SMALL)
        return;
    cairo_save(cr);
    cairo_translate(cr, 20, m->y + m->height / 2.0);
    cairo_rotate(cr, -PI / 2);
    put_text(cr, 0, 0, 0.5, north);
    cairo_restore(cr);
}

static void draw_tick(const map *m, double x, double y, double height, double value,
                      const char *text)
{
    double at = y + height * (1 - (value - m->low) / (m->high - m->low));
    cairo_move_to(m->cr, x, at);
    cairo_line_to(m->cr, x + 5, at);
    cairo_stroke(m->cr);
    put_text(m->cr, x + 10, at + 4, 0, text);
}

void page_bar(const map *m, double x, double y, double height, const char *title, const char *unit)
{
    cairo_t *cr = m->cr;
    const double width = 22;
    char text[32];
    for (int i = 0; i < (int)height; i++) {
        rgb c = colour_of(1 - (i + 0.5) / height);
        cairo_set_source_rgb(cr, c.r, c.g, c.b);
        cairo_rectangle(cr, x, y + i, width, 1.5);
        cairo_fill(cr);
    }
    ink(cr, 0.15);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, x - 0.5, y - 0.5, width + 1, height + 1);
    cairo_stroke(cr);
    set_font(cr, 12, false);
    if (m->decades) {
        static const double digits[3] = {1, 2, 5};
        for (int n = 3 * (int)floor(m->low); n < 3 * (int)ceil(m->high) + 1; n++) {
            int decade = (int)floor(n / 3.0);
            double value = digits[n - 3 * decade] * pow(10, decade);
            if (log10(value) < m->low - 1e-6 || log10(value) > m->high + 1e-6)
                continue;
            snprintf(text, sizeof text, "%g", value);
            draw_tick(m, x + width, y, height, log10(value), text);
        }
    } else {
        double step = round_step(m->high - m->low, 6);
        for (double v = step * ceil(m->low / step - 1e-6); v <= m->high + 1e-6; v += step) {
            snprintf(text, sizeof text, "%.*f", step < 1 ? (int)ceil(-log10(step)) : 0, fabs(v));
            draw_tick(m, x + width, y, height, v, text);
        }
    }
    set_font(cr, 13, true);
    put_text(cr, x, y - 30, 0, title);
    set_font(cr, 12, false);
    put_text(cr, x, y - 13, 0, unit);
}

/* An arrow from the middle of its length; angle clockwise from the top of the page. */
static void draw_arrow(cairo_t *cr, double x, double y, double degrees, double length, double width)
{
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, degrees * PI / 180);
    cairo_move_to(cr, 0, -length / 2);
    cairo_line_to(cr, width, -length / 2 + 2.2 * width);
    cairo_line_to(cr, 0.3 * width, -length / 2 + 1.8 * width);
    cairo_line_to(cr, 0.3 * width, length / 2);
    cairo_line_to(cr, -0.3 * width, length / 2);
    cairo_line_to(cr, -0.3 * width, -length / 2 + 1.8 * width);
    cairo_line_to(cr, -width, -length / 2 + 2.2 * width);
    cairo_close_path(cr);
    cairo_fill(cr);
    cairo_restore(cr);
}

void page_compass(const map *m, double x, double y, double radius, double convergence,
                  double towards, const char *const lines[3])
{
    cairo_t *cr = m->cr;
    cairo_set_line_width(cr, 1);
    ink(cr, 0.6);
    cairo_new_path(cr); /* text leaves a point behind that the arc would be joined to */
    cairo_arc(cr, x, y, radius, 0, 2 * PI);
    cairo_stroke(cr);
    /* True north lies this far clockwise from the top of the page, which is grid north. */
    double north = -convergence;
    for (int i = 0; i < 12; i++) {
        double a = (north + 30 * i) * PI / 180, inner = radius - (i % 3 ? 4 : 8);
        cairo_move_to(cr, x + radius * sin(a), y - radius * cos(a));
        cairo_line_to(cr, x + inner * sin(a), y - inner * cos(a));
    }
    cairo_stroke(cr);
    ink(cr, 0.1);
    set_font(cr, 14, true);
    double a = north * PI / 180;
    put_text(cr, x + (radius + 13) * sin(a), y - (radius + 13) * cos(a) + 5, 0.5, "N");
    cairo_set_source_rgb(cr, 0.80, 0.20, 0.12);
    if (!isnan(towards))
        draw_arrow(cr, x, y, towards, 1.5 * radius, 9);
    ink(cr, 0.1);
    for (int i = 0; i < 3; i++) {
        set_font(cr, i ? 12 : 13, !i);
        put_text(cr, x, y + radius + (i ? 27 + 17 * i : 26), 0.5, lines[i]);
    }
}

void page_scale(const map *m, double x, double y)
{
    cairo_t *cr = m->cr;
    bool small = m->width < SMALL || m->height < SMALL;
    double length = round_step(small ? 90 * m->metres : m->width * m->metres, small ? 1 : 5);
    double pixels = length / m->metres;
    if (!small) {
        x = m->x + 16;
        y = m->y + m->height - 52;
    }
    char text[32];
    if (length >= 1000)
        snprintf(text, sizeof text, "%g km", length / 1000);
    else
        snprintf(text, sizeof text, "%g m", length);
    cairo_set_source_rgba(cr, 1, 1, 1, 0.82);
    cairo_rectangle(cr, x, y, pixels + 32, 38);
    cairo_fill(cr);
    ink(cr, 0.1);
    cairo_rectangle(cr, x + 16, y + 24, pixels, 6);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
    cairo_rectangle(cr, x + 16, y + 24, pixels / 2, 6);
    cairo_fill(cr);
    set_font(cr, 12, false);
    put_text(cr, x + 16 + pixels / 2, y + 17, 0.5, text);
}

#endif
