/* SPDX-License-Identifier: MIT */
/* A picture for people: a map of the wind at a height, with all that is needed to read it. */
#include "config.h"

#include "wind/output.h"

#ifndef HAVE_CAIRO

const output_format output_png = {
    .extension = "png", .what = "pictures (PNG)", .package = "libcairo2-dev"};

#else

#include "map/drawing.h"
#include "map/map.h"
#include "wind/moment.h"
#include "wind/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The page, in pixels. */
enum {
    LEFT = 108,   /* of the map: room for northings */
    RIGHT = 168,  /* colour bar and compass */
    TOP = 104,    /* title */
    BOTTOM = 112, /* eastings and footer */
    LONGEST = 924,
    LEAST_WIDE = 700, /* room for the title and the footer beside a narrow map */
    LEAST_HIGH = 420, /* room for colour bar and compass beside a low one */
    SMALL = 200       /* no room for a scale bar in a map of less */
};

typedef struct png_file {
    const char *path;
    const char *temporary;
} png_file;

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

/* Speeds at the ends of the colours: round, and around what the map shows. */
static void choose_range(map *m, const scene *s)
{
    if (s->has_range) {
        m->low = s->range[0];
        m->high = s->range[1];
        return;
    }
    double low = INFINITY, high = 0;
    size_t n = (size_t)m->nx * (size_t)m->ny;
    for (size_t c = 0; c < n; c++) {
        double speed = hypot((double)m->east[c], (double)m->north[c]);
        low = fmin(low, speed);
        high = fmax(high, speed);
    }
    double step = round_step(fmax(high - low, 0.2), 6);
    m->low = step * floor(low / step);
    m->high = step * ceil(high / step);
    if (m->high <= m->low)
        m->high = m->low + step;
}

static void draw_axes(const map *m, const scene *s)
{
    cairo_t *cr = m->cr;
    ink(cr, 0.15);
    cairo_set_line_width(cr, 1.2);
    cairo_rectangle(cr, m->x - 0.5, m->y - 0.5, m->width + 1, m->height + 1);
    cairo_stroke(cr);
    set_font(cr, 12, false);
    char text[64];
    double wide = s->nx * s->spacing[0], high = s->ny * s->spacing[1];
    double step = fmin(round_step(fmax(wide, high), 6), round_step(wide, 2));
    for (double e = step * ceil(s->origin[0] / step); e <= s->origin[0] + wide; e += step) {
        double x = m->x + (e - s->origin[0]) / m->metres;
        cairo_move_to(cr, x, m->y + m->height);
        cairo_line_to(cr, x, m->y + m->height + 6);
        cairo_stroke(cr);
        format_grouped(e, sizeof text, text);
        put_text(cr, x, m->y + m->height + 21, 0.5, text);
    }
    step = fmin(round_step(fmax(wide, high), 6), round_step(high, 2));
    for (double n = step * ceil(s->origin[1] / step); n <= s->origin[1] + high; n += step) {
        double y = m->y + m->height - (n - s->origin[1]) / m->metres;
        cairo_move_to(cr, m->x - 6, y);
        cairo_line_to(cr, m->x, y);
        cairo_stroke(cr);
        format_grouped(n, sizeof text, text);
        put_text(cr, m->x - 10, y + 4, 1, text);
    }
    ink(cr, 0.35);
    put_text(cr, m->x + m->width / 2.0, m->y + m->height + 42, 0.5,
             s->has_terrain ? "Easting (m)" : "East (m)");
    if (m->height < SMALL)
        return;
    cairo_save(cr);
    cairo_translate(cr, 20, m->y + m->height / 2.0);
    cairo_rotate(cr, -PI / 2);
    put_text(cr, 0, 0, 0.5, s->has_terrain ? "Northing (m)" : "North (m)");
    cairo_restore(cr);
}

static void draw_bar(const map *m, double x, double y, double height)
{
    cairo_t *cr = m->cr;
    const double width = 22;
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
    double step = round_step(m->high - m->low, 6);
    for (double v = step * ceil(m->low / step - 1e-6); v <= m->high + 1e-6; v += step) {
        double at = y + height * (1 - (v - m->low) / (m->high - m->low));
        cairo_move_to(cr, x + width, at);
        cairo_line_to(cr, x + width + 5, at);
        cairo_stroke(cr);
        char text[32];
        snprintf(text, sizeof text, "%.*f", step < 1 ? (int)ceil(-log10(step)) : 0, fabs(v));
        put_text(cr, x + width + 10, at + 4, 0, text);
    }
    set_font(cr, 13, true);
    put_text(cr, x, y - 30, 0, "Wind speed");
    set_font(cr, 12, false);
    put_text(cr, x, y - 13, 0, "m/s");
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

/* True north and the input wind, in one circle. */
static void draw_compass(const map *m, const scene *s, double x, double y, double radius)
{
    cairo_t *cr = m->cr;
    cairo_set_line_width(cr, 1);
    ink(cr, 0.6);
    cairo_new_path(cr); /* text leaves a point behind that the arc would be joined to */
    cairo_arc(cr, x, y, radius, 0, 2 * PI);
    cairo_stroke(cr);
    /* True north lies this far clockwise from the top of the page, which is grid north. */
    double north = -s->place.convergence;
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
    draw_arrow(cr, x, y, s->from_grid + 180, 1.5 * radius, 9);
    char text[64];
    ink(cr, 0.1);
    set_font(cr, 13, true);
    put_text(cr, x, y + radius + 26, 0.5, "Input wind");
    set_font(cr, 12, false);
    snprintf(text, sizeof text, "%.3g m/s at 10 m", s->u10);
    put_text(cr, x, y + radius + 44, 0.5, text);
    snprintf(text, sizeof text, "from %.4g\xc2\xb0%s", s->from_true,
             s->place.projected ? " true" : "");
    put_text(cr, x, y + radius + 61, 0.5, text);
}

/* In the map's lower left corner, or at x and y when the map is small. */
static void draw_scale(const map *m, double x, double y)
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

/* Where the terrain begins to be eased to one height. */
static void draw_eased(const map *m, const scene *s)
{
    double band = s->eased / m->metres;
    if (!m->has_relief || band < 8)
        return;
    const double dashes[2] = {7, 5};
    cairo_save(m->cr);
    cairo_set_dash(m->cr, dashes, 2, 0);
    cairo_set_line_width(m->cr, 1);
    cairo_set_source_rgba(m->cr, 0, 0, 0, 0.55);
    cairo_rectangle(m->cr, m->x + band, m->y + band, m->width - 2 * band, m->height - 2 * band);
    cairo_stroke(m->cr);
    cairo_restore(m->cr);
}

static void draw_title(const map *m, const scene *s, const field *f)
{
    cairo_t *cr = m->cr;
    bool mean = f->start < f->time;
    char text[256];
    ink(cr, 0.05);
    set_font(cr, 24, true);
    snprintf(text, sizeof text, "%s wind %g m above ground",
             mean || s->steady ? "Mean" : "Instantaneous", s->height);
    put_text(cr, m->x, 44, 0, text);
    set_font(cr, 14, false);
    ink(cr, 0.25);
    int n = snprintf(text, sizeof text, "%s", s->has_terrain ? s->terrain : "Flat ground");
    if (s->momentum)
        snprintf(text + n, sizeof text - (size_t)n, "; model: %s; %s", s->model, s->rest);
    else if (s->steady)
        snprintf(text + n, sizeof text - (size_t)n, ", mass consistent%s",
                 f->step > 0 ? ", carried along by advection" : "");
    else if (mean && s->les)
        snprintf(text + n, sizeof text - (size_t)n, "; model: %s; averaged over %.3g min", s->model,
                 (f->time - f->start) / 60);
    else if (mean)
        snprintf(text + n, sizeof text - (size_t)n, ", averaged over %.3g min (%d steps)",
                 (f->time - f->start) / 60, f->samples);
    else
        snprintf(text + n, sizeof text - (size_t)n, ", after %.4g s", f->time);
    if (isfinite(s->moment)) {
        char moment[32];
        moment_write(s->moment, moment, sizeof moment);
        n = (int)strlen(text);
        snprintf(text + n, sizeof text - (size_t)n, "; %s", moment);
    }
    put_text(cr, m->x, 70, 0, text);
}

static void draw_footer(const map *m, const scene *s, double height)
{
    cairo_t *cr = m->cr;
    char text[400];
    set_font(cr, 11, false);
    ink(cr, 0.4);
    int n = snprintf(text, sizeof text,
                     "foehn %s, %d x %d x %d cells of %.4g x %.4g m, roughness length %g m",
                     foehn_version(), s->nx, s->ny, s->nz, s->spacing[0], s->spacing[2], s->z0);
    if (!s->steady)
        snprintf(text + n, sizeof text - (size_t)n, ", gustiness %g, seed %llu", s->gustiness,
                 (unsigned long long)s->seed);
    put_text(cr, m->x, height - 32, 0, text);
    if (!s->has_terrain)
        return;
    snprintf(text, sizeof text, "%s%s%s%s%s", s->place.name, s->place.authority[0] ? " (" : "",
             s->place.authority, s->place.authority[0] ? ")" : "",
             m->has_relief ? "; contours: height of the ground in m; outside the dashed line the "
                             "terrain is eased to one height"
                           : "");
    put_text(cr, m->x, height - 15, 0, text);
}

/* Where the air near the ground goes against the input wind. */
static int draw_separated(const map *m, const scene *s, const field *f, bool *any)
{
    const quantity *along = quantity_find("near-ground");
    *any = false;
    if (!quantity_is_there(along, s) || !f->near_east)
        return STATUS_OK;
    const size_t count = (size_t)s->nx * (size_t)s->ny;
    float *values = malloc(count * sizeof *values);
    if (!values)
        return fail_memory();
    for (size_t c = 0; c < count; c++)
        values[c] = (float)quantity_of_column(along, s, f, c);
    int status = map_draw_separated(m, values, any);
    free(values);
    return status;
}

/* What the hatching means, or that there is none, around x. */
static void draw_legend(const map *m, bool separated, double x, double y)
{
    static const char *const lines[2][3] = {
        {"nowhere does air near", "the ground go against", "the input wind"},
        {"air near the ground", "goes against the", "input wind (separated)"}};
    if (separated)
        map_draw_separated_sample(m, x - 24, y, 48, 22);
    ink(m->cr, separated ? 0.1 : 0.4);
    set_font(m->cr, 12, false);
    for (int i = 0; i < 3; i++)
        put_text(m->cr, x, y + 40 + 16 * i, 0.5, lines[separated][i]);
}

static int draw(map *m, const scene *s, const field *f, double height)
{
    bool separated = false;
    ink(m->cr, 1);
    cairo_paint(m->cr);
    int status = map_find_relief(m);
    if (status == STATUS_OK)
        status = map_draw_speed(m);
    if (status == STATUS_OK)
        status = draw_separated(m, s, f, &separated);
    if (status != STATUS_OK)
        return status;
    set_font(m->cr, 11, false);
    map_draw_contours(m);
    status = map_draw_streamlines(m);
    draw_eased(m, s);
    draw_axes(m, s);
    double right = m->x + m->width;
    double bar = fmin(m->height - 250.0, 420);
    bar = bar < 120 ? 120 : bar;
    draw_bar(m, right + 30, m->y + 50, bar);
    draw_compass(m, s, right + RIGHT / 2.0, m->y + 50 + bar + 78, 38);
    const bool legend = (s->momentum || (s->les && f->near_east)) && m->has_relief;
    if (legend)
        draw_legend(m, separated, right + RIGHT / 2.0, m->y + bar + 250);
    draw_scale(m, right + 12, m->y + bar + (legend ? 350 : 270));
    draw_title(m, s, f);
    draw_footer(m, s, height);
    return status;
}

static int png_write(void *file, const scene *s, const field *f)
{
    const png_file *p = file;
    double wide = s->nx * s->spacing[0], high = s->ny * s->spacing[1];
    double metres = fmax(wide, high) / LONGEST;
    map m = {.nx = s->nx,
             .ny = s->ny,
             .ground = s->ground,
             .east = f->east_2d,
             .north = f->north_2d,
             .x = LEFT,
             .y = TOP,
             .width = (int)(wide / metres + 0.5),
             .height = (int)(high / metres + 0.5),
             .metres = metres};
    if (m.width < 2 || m.height < 2)
        return fail(STATUS_INPUT,
                    "%s: the box is %g times longer than wide: no picture can show "
                    "it",
                    p->path, fmax(wide, high) / fmin(wide, high));
    int page_wide = LEFT + (m.width > LEAST_WIDE ? m.width : LEAST_WIDE) + RIGHT;
    int page_high = TOP + (m.height > LEAST_HIGH ? m.height : LEAST_HIGH) + BOTTOM;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, page_wide, page_high);
    m.cr = cairo_create(surface);
    choose_range(&m, s);
    int status = draw(&m, s, f, page_high);
    free(m.relief);
    cairo_status_t drawn = cairo_status(m.cr);
    if (status == STATUS_OK && drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_write_to_png(surface, p->temporary);
    cairo_destroy(m.cr);
    cairo_surface_destroy(surface);
    if (status == STATUS_OK && drawn != CAIRO_STATUS_SUCCESS)
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", p->path,
                      cairo_status_to_string(drawn));
    return status;
}

static int png_open(const char *path, const char *temporary, const scene *s, bool series,
                    void **file)
{
    (void)s;
    (void)series;
    png_file *p = malloc(sizeof *p);
    *file = p;
    if (!p)
        return fail_memory();
    *p = (png_file){path, temporary};
    return STATUS_OK;
}

static int png_close(void *file, bool keep)
{
    (void)keep;
    free(file);
    return STATUS_OK;
}

const output_format output_png = {.extension = "png",
                                  .what = "pictures (PNG)",
                                  .flat = true,
                                  .open = png_open,
                                  .write = png_write,
                                  .close = png_close};

#endif
