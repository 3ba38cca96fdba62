/* SPDX-License-Identifier: MIT */
/* A picture of many directions: a rose of the speed-up at one place, and a map of each direction.
 */
#include "config.h"

#include "wind/sectors.h"

#ifndef HAVE_CAIRO

const sectors_format sectors_png = {
    .extension = "png", .what = "pictures (PNG)", .package = "libcairo2-dev"};

#else

#include "map/drawing.h"
#include "map/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The page, in pixels. */
enum {
    MARGIN = 32,
    TOP = 96,
    SIDE = 400, /* width of the rose's column */
    ROSE = 150, /* radius */
    MOST_MAPS = 12,
    ACROSS = 4,
    TILE = 214, /* longer side of a small map */
    CAPTION = 30,
    GAP = 18,
    BAR = 86, /* right of the maps */
    FOOT = 60
};

/* The place of the rose, and its speed-up for each direction. */
typedef struct rose {
    char title[128];
    double easting, northing;
    double speedup[MOST_SECTORS];
} rose;

/* Without a reference: where it is windiest over all directions, away from the eased sides. */
static size_t windiest(const sectors *s)
{
    const scene *sc = s->scene;
    size_t best = s->columns / 2;
    double most = -1;
    for (size_t c = 0; c < s->columns; c++) {
        double x = ((double)(c % (size_t)sc->nx) + 0.5) * sc->spacing[0],
               y = ((double)(c / (size_t)sc->nx) + 0.5) * sc->spacing[1];
        double border =
            fmin(fmin(x, sc->nx * sc->spacing[0] - x), fmin(y, sc->ny * sc->spacing[1] - y));
        double sum = 0;
        for (int d = 0; d < s->count; d++)
            sum += sectors_speedup(s, d, 0, c);
        if (border >= sc->eased && sum > most) {
            most = sum;
            best = c;
        }
    }
    return best;
}

static void find_rose(const sectors *s, rose *r)
{
    if (s->has_reference) {
        snprintf(r->title, sizeof r->title, "at the reference, %g m above ground", s->reference[2]);
        r->easting = s->reference[0];
        r->northing = s->reference[1];
        for (int d = 0; d < s->count; d++)
            r->speedup[d] = sectors_speedup_at_reference(s, d);
        return;
    }
    size_t c = windiest(s);
    place_value at = sectors_at(s, 0, 0, c);
    snprintf(r->title, sizeof r->title, "at the windiest place, %g m above ground", s->height[0]);
    r->easting = at.easting;
    r->northing = at.northing;
    for (int d = 0; d < s->count; d++)
        r->speedup[d] = sectors_speedup(s, d, 0, c);
}

static void draw_cross(cairo_t *cr, double x, double y)
{
    cairo_new_path(cr);
    for (int pass = 0; pass < 2; pass++) {
        cairo_set_source_rgb(cr, pass ? 0.80 : 1, pass ? 0.12 : 1, pass ? 0.10 : 1);
        cairo_set_line_width(cr, pass ? 2 : 4);
        cairo_move_to(cr, x - 5, y - 5);
        cairo_line_to(cr, x + 5, y + 5);
        cairo_move_to(cr, x - 5, y + 5);
        cairo_line_to(cr, x + 5, y - 5);
        cairo_stroke(cr);
    }
}

/* A point of the rose: the compass clockwise from the top. */
static void polar(double degrees, double radius, double *x, double *y)
{
    *x = radius * sin(degrees * M_PI / 180);
    *y = -radius * cos(degrees * M_PI / 180);
}

static void draw_rings(cairo_t *cr, double x, double y, double step, double most)
{
    char text[32];
    double px, py;
    for (double v = step; v <= most * 1.001; v += step) {
        bool one = fabs(v - 1) < 1e-6;
        cairo_new_path(cr);
        cairo_arc(cr, x, y, ROSE * v / most, 0, 2 * M_PI);
        ink(cr, one ? 0.2 : 0.75);
        cairo_set_line_width(cr, one ? 1.6 : 1);
        cairo_stroke(cr);
        ink(cr, one ? 0.1 : 0.4);
        snprintf(text, sizeof text, "%g", v);
        set_font(cr, 11, one);
        polar(15, ROSE * v / most, &px, &py);
        put_text(cr, x + px, y + py - 3, 0, text);
    }
}

static void draw_rose(cairo_t *cr, const sectors *s, const rose *r, double x, double y)
{
    double high = 1, px, py;
    for (int d = 0; d < s->count; d++)
        high = fmax(high, r->speedup[d]);
    double step = high > 2.5 ? 1 : high > 1.25 ? 0.5 : 0.25, most = step * ceil(high / step - 1e-9);
    draw_rings(cr, x, y, step, most);
    static const char *const names[] = {"N", "E", "S", "W"};
    for (int i = 0; i < 12; i++) {
        polar(30 * i, ROSE, &px, &py);
        ink(cr, 0.85);
        cairo_set_line_width(cr, 1);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + px, y + py);
        cairo_stroke(cr);
        polar(30 * i, ROSE + 17, &px, &py);
        char text[16];
        if (i % 3 == 0)
            snprintf(text, sizeof text, "%s", names[i / 3]);
        else
            snprintf(text, sizeof text, "%d\xc2\xb0", 30 * i);
        set_font(cr, i % 3 ? 11 : 14, i % 3 == 0);
        ink(cr, i % 3 ? 0.4 : 0.1);
        put_text(cr, x + px, y + py + 5, 0.5, text);
    }
    cairo_new_path(cr);
    for (int d = 0; d < s->count; d++) {
        polar(s->of[d].from, ROSE * r->speedup[d] / most, &px, &py);
        cairo_line_to(cr, x + px, y + py);
    }
    cairo_close_path(cr);
    cairo_set_source_rgba(cr, 0.13, 0.46, 0.60, 0.25);
    cairo_fill_preserve(cr);
    cairo_set_source_rgb(cr, 0.10, 0.36, 0.50);
    cairo_set_line_width(cr, 2);
    cairo_stroke(cr);
    for (int d = 0; d < s->count; d++) {
        polar(s->of[d].from, ROSE * r->speedup[d] / most, &px, &py);
        cairo_arc(cr, x + px, y + py, 3, 0, 2 * M_PI);
        cairo_fill(cr);
    }
}

static void draw_rose_text(cairo_t *cr, const sectors *s, const rose *r, double x, double y)
{
    char text[160];
    int most = 0, least = 0;
    for (int d = 1; d < s->count; d++) {
        most = r->speedup[d] > r->speedup[most] ? d : most;
        least = r->speedup[d] < r->speedup[least] ? d : least;
    }
    ink(cr, 0.1);
    set_font(cr, 14, true);
    put_text(cr, x, y, 0.5, "Speed-up by wind direction");
    set_font(cr, 12, false);
    put_text(cr, x, y + 20, 0.5, r->title);
    snprintf(text, sizeof text, "(cross on the maps: %.0f E, %.0f N)", r->easting, r->northing);
    put_text(cr, x, y + 37, 0.5, text);
    snprintf(text, sizeof text, "most %.2f from %.4g\xc2\xb0, least %.2f from %.4g\xc2\xb0",
             r->speedup[most], s->of[most].from, r->speedup[least], s->of[least].from);
    put_text(cr, x, y + 61, 0.5, text);
    ink(cr, 0.35);
    put_text(cr, x, y + 84, 0.5, "Distance from the middle: speed over that of the");
    put_text(cr, x, y + 100, 0.5, "undisturbed wind at the same height, which is 1");
    put_text(cr, x, y + 116, 0.5, "(heavy ring), for wind that comes from there.");
}

/* The arrow of where the wind goes, in a disc of a map's corner; from: of the grid. */
static void draw_wind(cairo_t *cr, double x, double y, double from)
{
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_new_path(cr);
    cairo_arc(cr, 0, 0, 15, 0, 2 * M_PI);
    cairo_set_source_rgba(cr, 1, 1, 1, 0.85);
    cairo_fill(cr);
    cairo_rotate(cr, (from + 180) * M_PI / 180);
    cairo_set_source_rgb(cr, 0.80, 0.20, 0.12);
    cairo_move_to(cr, 0, -13);
    cairo_line_to(cr, 6, 0);
    cairo_line_to(cr, 1.6, -2);
    cairo_line_to(cr, 1.6, 12);
    cairo_line_to(cr, -1.6, 12);
    cairo_line_to(cr, -1.6, -2);
    cairo_line_to(cr, -6, 0);
    cairo_close_path(cr);
    cairo_fill(cr);
    cairo_restore(cr);
}

static int draw_map(map *m, const sectors *s, int d, const rose *r, double low, double high)
{
    const scene *sc = s->scene;
    char text[32];
    float *planes = malloc(2 * s->columns * sizeof *planes);
    if (!planes)
        return fail_memory();
    for (size_t c = 0; c < s->columns; c++) {
        place_value v = sectors_at(s, d, 0, c);
        planes[c] = (float)(v.east / s->inlet[0]);
        planes[s->columns + c] = (float)(v.north / s->inlet[0]);
    }
    m->ground = s->ground ? s->ground + (size_t)d * s->columns : sc->ground;
    m->east = planes;
    m->north = planes + s->columns;
    m->low = low;
    m->high = high;
    int status = map_find_relief(m);
    if (status == STATUS_OK)
        status = map_draw_speed(m);
    free(planes);
    free(m->relief);
    m->relief = NULL;
    ink(m->cr, 0.15);
    cairo_set_line_width(m->cr, 1);
    cairo_rectangle(m->cr, m->x - 0.5, m->y - 0.5, m->width + 1, m->height + 1);
    cairo_stroke(m->cr);
    draw_cross(m->cr, m->x + (r->easting - sc->origin[0]) / m->metres,
               m->y + m->height - (r->northing - sc->origin[1]) / m->metres);
    draw_wind(m->cr, m->x + 20, m->y + 20, s->of[d].from_grid);
    snprintf(text, sizeof text, "from %.4g\xc2\xb0", s->of[d].from);
    ink(m->cr, 0.1);
    set_font(m->cr, 13, true);
    put_text(m->cr, m->x + m->width / 2.0, m->y + m->height + 19, 0.5, text);
    return status;
}

static void draw_bar(cairo_t *cr, double x, double y, double height, double low, double high)
{
    for (int i = 0; i < (int)height; i++) {
        rgb c = colour_of(1 - (i + 0.5) / height);
        cairo_set_source_rgb(cr, c.r, c.g, c.b);
        cairo_rectangle(cr, x, y + i, 20, 1.5);
        cairo_fill(cr);
    }
    ink(cr, 0.15);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, x - 0.5, y - 0.5, 21, height + 1);
    cairo_stroke(cr);
    double step = round_step(high - low, 6);
    for (double v = step * ceil(low / step - 1e-6); v <= high + 1e-6; v += step) {
        double at = y + height * (1 - (v - low) / (high - low));
        char text[32];
        cairo_move_to(cr, x + 20, at);
        cairo_line_to(cr, x + 25, at);
        cairo_stroke(cr);
        snprintf(text, sizeof text, "%.*f", step < 1 ? (int)ceil(-log10(step)) : 0, fabs(v));
        set_font(cr, 12, fabs(v - 1) < 1e-6);
        put_text(cr, x + 30, at + 4, 0, text);
    }
    set_font(cr, 13, true);
    put_text(cr, x, y - 14, 0, "Speed-up");
}

/* Ends of the colours: round, and around what the maps show. */
static void choose_range(const sectors *s, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    if (s->scene->has_range) {
        *low = s->scene->range[0] / s->inlet[0];
        *high = s->scene->range[1] / s->inlet[0];
        return;
    }
    for (int d = 0; d < s->count; d++)
        for (size_t c = 0; c < s->columns; c++) {
            double value = sectors_speedup(s, d, 0, c);
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    double step = round_step(fmax(*high - *low, 0.05), 6);
    *low = step * floor(*low / step);
    *high = fmax(step * ceil(*high / step), *low + step);
}

/* A grid of maps; of many directions every second, third or so. */
static int draw_maps(cairo_t *cr, const sectors *s, const rose *r, double x, double y, map *m,
                     int every)
{
    double low, high;
    int status = STATUS_OK, shown = 0;
    choose_range(s, &low, &high);
    for (int d = 0; d < s->count && status == STATUS_OK; d += every, shown++) {
        m->x = x + (shown % ACROSS) * (m->width + GAP);
        m->y = y + (shown / ACROSS) * (m->height + CAPTION + GAP);
        status = draw_map(m, s, d, r, low, high);
    }
    int across = shown < ACROSS ? shown : ACROSS;
    draw_bar(cr, x + across * (m->width + GAP) + 8, y + 30, fmin(m->height + 120.0, 260), low,
             high);
    return status;
}

static void draw_texts(cairo_t *cr, const sectors *s, int every, double height)
{
    const scene *sc = s->scene;
    char text[400];
    ink(cr, 0.05);
    set_font(cr, 24, true);
    snprintf(text, sizeof text, "Wind of %d directions %g m above ground", s->count, s->height[0]);
    put_text(cr, MARGIN, 44, 0, text);
    set_font(cr, 14, false);
    ink(cr, 0.25);
    char part[64] = "all directions";
    if (every > 1)
        snprintf(part, sizeof part, "one direction in %d", every);
    snprintf(text, sizeof text,
             "%s; %s model; maps of %s: speed over that of the undisturbed wind (%.3g m/s), over "
             "shaded relief; north up",
             sc->has_terrain ? sc->terrain : "Flat ground",
             s->closure ? "momentum" : "mass-consistent", part, s->inlet[0]);
    put_text(cr, MARGIN, 70, 0, text);
    set_font(cr, 11, false);
    ink(cr, 0.4);
    snprintf(
        text, sizeof text,
        "foehn %s, %d x %d x %d cells of %.4g x %.4g m, roughness length of the wind that comes "
        "in %.3g m%s%s%s",
        foehn_version(), sc->nx, sc->ny, sc->nz, sc->spacing[0], sc->spacing[2], sc->z0,
        sc->place.name[0] ? "; " : "", sc->place.name,
        sc->has_terrain ? "; near its sides the ground is eased to one height" : "");
    put_text(cr, MARGIN, height - 20, 0, text);
}

static int write(const char *path, const char *temporary, const sectors *s)
{
    const scene *sc = s->scene;
    double wide = sc->nx * sc->spacing[0], high = sc->ny * sc->spacing[1];
    map m = {.nx = sc->nx, .ny = sc->ny, .metres = fmax(wide, high) / TILE};
    m.width = (int)(wide / m.metres + 0.5);
    m.height = (int)(high / m.metres + 0.5);
    if (m.width < 2 || m.height < 2)
        return fail(STATUS_INPUT,
                    "%s: the box is %g times longer than wide: no picture can show it", path,
                    fmax(wide, high) / fmin(wide, high));
    int every = (s->count + MOST_MAPS - 1) / MOST_MAPS, maps = (s->count + every - 1) / every;
    int rows = (maps + ACROSS - 1) / ACROSS, across = maps < ACROSS ? maps : ACROSS;
    int page_wide = MARGIN + SIDE + across * (m.width + GAP) + BAR + MARGIN;
    int body = rows * (m.height + CAPTION + GAP), least = 2 * ROSE + 210;
    int page_high = TOP + (body > least ? body : least) + FOOT;
    page_wide = page_wide < 1000 ? 1000 : page_wide;
    rose r;
    find_rose(s, &r);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, page_wide, page_high);
    cairo_t *cr = m.cr = cairo_create(surface);
    ink(cr, 1);
    cairo_paint(cr);
    draw_texts(cr, s, every, page_high);
    draw_rose(cr, s, &r, MARGIN + SIDE / 2.0 - 10, TOP + 24 + ROSE);
    draw_rose_text(cr, s, &r, MARGIN + SIDE / 2.0 - 10, TOP + 2 * ROSE + 80);
    int status = draw_maps(cr, s, &r, MARGIN + SIDE, TOP, &m, every);
    cairo_status_t drawn = cairo_status(cr);
    if (status == STATUS_OK && drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_write_to_png(surface, temporary);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    if (status == STATUS_OK && drawn != CAIRO_STATUS_SUCCESS)
        status =
            fail(STATUS_FAILED, "%s: cannot be written: %s", path, cairo_status_to_string(drawn));
    return status;
}

const sectors_format sectors_png = {.extension = "png", .what = "pictures (PNG)", .write = write};

#endif
