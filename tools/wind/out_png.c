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
#include "map/page.h"
#include "wind/moment.h"
#include "wind/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct png_file {
    const char *path;
    const char *temporary;
} png_file;

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

static void draw_compass(const map *m, const scene *s, double x, double y)
{
    char speed[64], from[64];
    snprintf(speed, sizeof speed, "%.3g m/s at 10 m", s->u10);
    snprintf(from, sizeof from, "from %.4g\xc2\xb0%s", s->from_true,
             s->place.projected ? " true" : "");
    page_compass(m, x, y, 38, s->place.convergence, s->from_grid + 180,
                 (const char *const[3]){"Input wind", speed, from});
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

static void draw_footer(const map *m, const scene *s)
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
    put_text(cr, m->x, page_height(m) - 32, 0, text);
    if (!s->has_terrain)
        return;
    snprintf(text, sizeof text, "%s%s%s%s%s", s->place.name, s->place.authority[0] ? " (" : "",
             s->place.authority, s->place.authority[0] ? ")" : "",
             m->has_relief ? "; contours: height of the ground in m; outside the dashed line the "
                             "terrain is eased to one height"
                           : "");
    put_text(cr, m->x, page_height(m) - 15, 0, text);
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

static int draw(map *m, const scene *s, const field *f)
{
    bool separated = false;
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
    page_axes(m, s->has_terrain ? "Easting (m)" : "East (m)",
              s->has_terrain ? "Northing (m)" : "North (m)");
    double right = m->x + m->width;
    double bar = page_bar_height(m);
    page_bar(m, right + 30, m->y + 50, bar, "Wind speed", "m/s");
    draw_compass(m, s, right + PAGE_RIGHT / 2.0, m->y + 50 + bar + 78);
    const bool legend = (s->momentum || (s->les && f->near_east)) && m->has_relief;
    if (legend)
        draw_legend(m, separated, right + PAGE_RIGHT / 2.0, m->y + bar + 250);
    page_scale(m, right + 12, m->y + bar + (legend ? 350 : 270));
    draw_title(m, s, f);
    draw_footer(m, s);
    return status;
}

static int png_write(void *file, const scene *s, const field *f)
{
    const png_file *p = file;
    map m = {.nx = s->nx,
             .ny = s->ny,
             .corner = {s->origin[0], s->origin[1]},
             .extent = {s->nx * s->spacing[0], s->ny * s->spacing[1]},
             .ground = s->ground,
             .east = f->east_2d,
             .north = f->north_2d};
    int status = page_open(&m, p->path);
    if (status != STATUS_OK)
        return status;
    choose_range(&m, s);
    return page_close(&m, draw(&m, s, f), p->path, p->temporary);
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
