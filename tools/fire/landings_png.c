/* SPDX-License-Identifier: MIT */
/* Where firebrands landed, as a picture for people: how many a square metre over the shaded ground,
 * with the fire, the wind and a scale. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "fire/landings.h"
#include "map/drawing.h"
#include "map/page.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
enum { MOST_SQUARES = 80 }; /* along the map: smaller ones would hold one brand or none */

static size_t cell(const landing_map *m, int i, int j)
{
    return (size_t)j * (size_t)m->nx + (size_t)i;
}

/* Brands a square metre, in squares of `across` cells; of cells of empty squares 0. */
static float *find_density(const landing_map *m, int across)
{
    float *density = calloc((size_t)m->nx * (size_t)m->ny, sizeof *density);
    for (int j = 0; density && j < m->ny; j += across)
        for (int i = 0; i < m->nx; i += across) {
            int east = i + across < m->nx ? i + across : m->nx;
            int north = j + across < m->ny ? j + across : m->ny;
            double sum = 0, area = m->width * m->width * (east - i) * (north - j);
            for (int y = j; y < north; y++)
                for (int x = i; x < east; x++)
                    sum += (double)m->landed[cell(m, x, y)];
            for (int y = j; y < north; y++)
                for (int x = i; x < east; x++)
                    density[cell(m, x, y)] = (float)(sum / area);
        }
    return density;
}

static rgb paint_density(const map *m, double px, double py)
{
    int i = (int)(px * m->nx / m->width), j = (int)((m->height - py) * m->ny / m->height);
    double density = (double)m->values[(size_t)j * (size_t)m->nx + (size_t)i];
    if (!(density > 0))
        return (rgb){0.90, 0.89, 0.85};
    return colour_of((log10(density) - m->low) / (m->high - m->low));
}

/* Whole decades around what there is. */
static void choose_range(const landing_map *l, map *m)
{
    double least = INFINITY, most = 0;
    for (size_t c = 0; c < (size_t)l->nx * (size_t)l->ny; c++) {
        double density = (double)m->values[c];
        least = density > 0 ? fmin(least, density) : least;
        most = fmax(most, density);
    }
    m->decades = true;
    m->low = most > 0 ? floor(log10(least) + 1e-6) : -1;
    m->high = most > 0 ? fmax(ceil(log10(most) - 1e-6), m->low + 1) : 0;
}

/* Where brands broke off, on average. */
static void draw_fire(const landing_map *l, const map *m)
{
    double sum[2] = {0, 0}, count = 0;
    for (size_t n = 0; n < l->brands->count; n++) {
        const foehn_fire_firebrand *b = &l->brands->list[n];
        if (b->state == FOEHN_FIRE_BRAND_NONE)
            continue;
        sum[0] += b->from[0];
        sum[1] -= b->from[2];
        count++;
    }
    if (!(count > 0))
        return;
    double x = m->x + (l->at[0] + sum[0] / count - m->corner[0]) / m->metres;
    double y = m->y + m->height - (l->at[1] + sum[1] / count - m->corner[1]) / m->metres;
    cairo_new_path(m->cr);
    cairo_arc(m->cr, x, y, 8, 0, 2 * PI);
    cairo_set_source_rgb(m->cr, 0.86, 0.15, 0.08);
    cairo_fill_preserve(m->cr);
    cairo_set_line_width(m->cr, 2.5);
    ink(m->cr, 1);
    cairo_stroke(m->cr);
    set_font(m->cr, 14, true);
    cairo_move_to(m->cr, x + 14, y + 5);
    cairo_text_path(m->cr, "fire");
    cairo_set_line_width(m->cr, 4);
    cairo_stroke_preserve(m->cr);
    cairo_set_source_rgb(m->cr, 0.75, 0.10, 0.05);
    cairo_fill(m->cr);
}

static void draw_compass(const landing_map *l, const map *m, double x, double y)
{
    const double speed = hypot(l->wind[0], l->wind[1]);
    double from = direction_from(l->wind[0], l->wind[1]),
           turn = l->place ? l->place->convergence : 0;
    char wind[64] = "none", direction[64] = "";
    if (speed > 0) {
        snprintf(wind, sizeof wind, "%.3g m/s at %.3g m", speed, l->wind_height);
        snprintf(direction, sizeof direction, "from %.4g\xc2\xb0%s", fmod(from + turn + 360, 360),
                 l->place ? " true" : "");
    }
    page_compass(m, x, y, 38, turn, speed > 0 ? from + 180 : NAN,
                 (const char *const[3]){"Wind", wind, direction});
}

static void draw_texts(const landing_map *l, const map *m, int across)
{
    const fire_brands *b = l->brands;
    const size_t *states = b->states;
    char text[300];
    ink(m->cr, 0.05);
    set_font(m->cr, 24, true);
    put_text(m->cr, m->x, 44, 0, "Where firebrands landed");
    set_font(m->cr, 14, false);
    ink(m->cr, 0.25);
    snprintf(
        text, sizeof text,
        "%.80s: %zu of %zu landed, %.3g m from where they broke off on average, %.3g m at most",
        l->scene->title, states[FOEHN_FIRE_BRAND_LANDED], b->count - states[FOEHN_FIRE_BRAND_NONE],
        b->mean, b->farthest);
    put_text(m->cr, m->x, 70, 0, text);
    snprintf(text, sizeof text, "%zu still flew, %zu burnt out in the air, %zu left the box",
             states[FOEHN_FIRE_BRAND_FLIES], states[FOEHN_FIRE_BRAND_BURNT],
             states[FOEHN_FIRE_BRAND_LEFT]);
    put_text(m->cr, m->x, 90, 0, text);
    set_font(m->cr, 11, false);
    ink(m->cr, 0.4);
    snprintf(text, sizeof text,
             "foehn %s; squares of %.3g m; brands of %.3g to %.3g mm, %.3g kg/m3; %.4g g landed",
             foehn_version(), across * l->width, 1e3 * (double)l->scene->brands.diameter[0],
             1e3 * (double)l->scene->brands.diameter[1], (double)l->scene->brands.density,
             1e3 * b->mass);
    put_text(m->cr, m->x, page_height(m) - 32, 0, text);
    if (!l->place)
        return;
    snprintf(text, sizeof text, "%s%s%s%s%s", l->place->name, l->place->authority[0] ? " (" : "",
             l->place->authority, l->place->authority[0] ? ")" : "",
             m->has_relief ? "; contours: height of the ground in m" : "");
    put_text(m->cr, m->x, page_height(m) - 15, 0, text);
}

static int draw(const landing_map *l, map *m, int across)
{
    int status = map_find_relief(m);
    if (status == STATUS_OK)
        status = map_draw_ground(m, paint_density);
    if (status != STATUS_OK)
        return status;
    set_font(m->cr, 11, false);
    map_draw_contours(m);
    draw_fire(l, m);
    page_axes(m, l->place ? "Easting (m)" : "East (m)", l->place ? "Northing (m)" : "North (m)");
    const double right = m->x + m->width, bar = page_bar_height(m);
    page_bar(m, right + 30, m->y + 50, bar, "Firebrands", "a square metre");
    draw_compass(l, m, right + PAGE_RIGHT / 2.0, m->y + 50 + bar + 78);
    page_scale(m, right + 12, m->y + bar + 270);
    draw_texts(l, m, across);
    return STATUS_OK;
}

int landings_write_png(const landing_map *l, const char *path, const char *temporary)
{
    const int longest = l->nx > l->ny ? l->nx : l->ny;
    const int across = (longest + MOST_SQUARES - 1) / MOST_SQUARES;
    float *density = find_density(l, across);
    map m = {.nx = l->nx,
             .ny = l->ny,
             .corner = {l->corner[0], l->corner[1]},
             .extent = {l->nx * l->width, l->ny * l->width},
             .ground = l->ground,
             .values = density};
    if (!density)
        return fail_memory();
    int status = page_open(&m, path);
    if (status == STATUS_OK) {
        choose_range(l, &m);
        status = page_close(&m, draw(l, &m, across), path, temporary);
    }
    free(density);
    return status;
}

#endif
