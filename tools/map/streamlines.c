/* SPDX-License-Identifier: MIT */
/* Evenly spaced streamlines of a 2-D field: a line starts where no other is near, and ends where it
 * would come too near to one (after Jobard and Lefer, 1997). */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "map/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATION 30.0 /* pixels between a new line's start and other lines */
#define NEAREST 13.0    /* pixels that a line keeps from others */
#define STEP 1.5        /* pixels along a line */
#define SHORTEST 70.0   /* pixels; shorter lines are left out */
#define ARROWS 150.0    /* pixels along a line between arrow heads */

enum { MOST_POINTS = 4096, PIXEL = 2 };

/* Pixels of the map, coarsened, that are near a line. */
typedef struct mask {
    int width, height;
    unsigned char *set;
} mask;

typedef struct line {
    int count;
    double x[MOST_POINTS], y[MOST_POINTS];
} line;

static bool mask_get(const mask *k, double x, double y)
{
    int i = (int)(x / PIXEL), j = (int)(y / PIXEL);
    return i < 0 || j < 0 || i >= k->width || j >= k->height ||
           k->set[(size_t)j * (size_t)k->width + (size_t)i];
}

static void mask_disc(mask *k, double x, double y, double radius)
{
    int r = (int)(radius / PIXEL), ci = (int)(x / PIXEL), cj = (int)(y / PIXEL);
    for (int j = cj - r; j <= cj + r; j++)
        for (int i = ci - r; i <= ci + r; i++)
            if (i >= 0 && j >= 0 && i < k->width && j < k->height &&
                (i - ci) * (i - ci) + (j - cj) * (j - cj) <= r * r)
                k->set[(size_t)j * (size_t)k->width + (size_t)i] = 1;
}

/* Unit direction of the wind on the page; false in a calm. */
static bool direction(const map *m, double x, double y, double *dx, double *dy)
{
    double u = map_linear(m, m->east, x, y);
    double v = map_linear(m, m->north, x, y);
    double speed = hypot(u, v);
    if (speed < 0.02)
        return false;
    *dx = u / speed;
    *dy = -v / speed;
    return true;
}

static bool outside(const map *m, double x, double y)
{
    return x < 1 || y < 1 || x > m->width - 1 || y > m->height - 1;
}

/* Follow the wind (sign 1) or go against it (-1), by midpoint steps. */
static int follow(const map *m, const mask *taken, double sign, double x, double y, double *px,
                  double *py)
{
    int count = 0;
    while (count < MOST_POINTS / 2) {
        double dx, dy;
        if (!direction(m, x, y, &dx, &dy) ||
            !direction(m, x + 0.5 * sign * STEP * dx, y + 0.5 * sign * STEP * dy, &dx, &dy))
            break;
        x += sign * STEP * dx;
        y += sign * STEP * dy;
        if (outside(m, x, y) || mask_get(taken, x, y))
            break;
        /* A closed orbit would be followed for ever. */
        if (count > 60 && hypot(x - px[0], y - py[0]) < STEP)
            break;
        px[count] = x;
        py[count++] = y;
    }
    return count;
}

static void trace(const map *m, const mask *taken, double x, double y, line *l)
{
    double bx[MOST_POINTS / 2], by[MOST_POINTS / 2];
    int back = follow(m, taken, -1, x, y, bx, by);
    l->count = 0;
    for (int i = back - 1; i >= 0; i--) {
        l->x[l->count] = bx[i];
        l->y[l->count++] = by[i];
    }
    l->count += follow(m, taken, 1, x, y, l->x + l->count, l->y + l->count);
}

static void draw_line(const map *m, const line *l)
{
    cairo_new_path(m->cr);
    for (int i = 0; i < l->count; i += 2)
        cairo_line_to(m->cr, m->x + l->x[i], m->y + l->y[i]);
    cairo_set_source_rgba(m->cr, 0, 0, 0, 0.28);
    cairo_set_line_width(m->cr, 2.6);
    cairo_stroke_preserve(m->cr);
    cairo_set_source_rgba(m->cr, 1, 1, 1, 0.92);
    cairo_set_line_width(m->cr, 1.25);
    cairo_stroke(m->cr);
}

static void draw_head(const map *m, const line *l, int at)
{
    double dx = l->x[at] - l->x[at - 3], dy = l->y[at] - l->y[at - 3], n = hypot(dx, dy);
    if (n == 0)
        return;
    dx /= n;
    dy /= n;
    double x = m->x + l->x[at], y = m->y + l->y[at];
    cairo_move_to(m->cr, x + 6 * dx, y + 6 * dy);
    cairo_line_to(m->cr, x - 5 * dx - 4.2 * dy, y - 5 * dy + 4.2 * dx);
    cairo_line_to(m->cr, x - 2.5 * dx, y - 2.5 * dy);
    cairo_line_to(m->cr, x - 5 * dx + 4.2 * dy, y - 5 * dy - 4.2 * dx);
    cairo_close_path(m->cr);
    cairo_set_source_rgba(m->cr, 0, 0, 0, 0.4);
    cairo_set_line_width(m->cr, 1.2);
    cairo_stroke_preserve(m->cr);
    cairo_set_source_rgb(m->cr, 1, 1, 1);
    cairo_fill(m->cr);
}

/* Start points in an order that fills the map evenly: the golden ratio in both directions. */
static void seed(const map *m, int n, double *x, double *y)
{
    *x = m->width * fmod(0.5 + n * 0.7548776662466927, 1);
    *y = m->height * fmod(0.5 + n * 0.5698402909980532, 1);
}

static void draw_all(const map *m, mask *starts, mask *taken, line *l)
{
    int seeds = m->width * m->height / 40;
    for (int n = 0; n < seeds; n++) {
        double x, y;
        seed(m, n, &x, &y);
        if (outside(m, x, y) || mask_get(starts, x, y))
            continue;
        trace(m, taken, x, y, l);
        if (l->count * STEP < SHORTEST) {
            mask_disc(starts, x, y, 4); /* do not try just beside it again */
            continue;
        }
        for (int i = 0; i < l->count; i++) {
            mask_disc(starts, l->x[i], l->y[i], SEPARATION);
            mask_disc(taken, l->x[i], l->y[i], NEAREST);
        }
        draw_line(m, l);
        /* Heads side by side on neighbouring lines would look like a front. */
        int every = (int)(ARROWS / STEP), first = l->count / 2;
        if (l->count > 2 * every)
            first = every / 4 + (int)(every * fmod(n * 0.6180339887498949, 1));
        for (int i = first; i < l->count - 3; i += every)
            draw_head(m, l, i);
    }
}

int map_draw_streamlines(const map *m)
{
    mask starts = {m->width / PIXEL + 1, m->height / PIXEL + 1, NULL}, taken = starts;
    size_t n = (size_t)starts.width * (size_t)starts.height;
    line *l = malloc(sizeof *l);
    starts.set = calloc(n, 1);
    taken.set = calloc(n, 1);
    int status = l && starts.set && taken.set ? STATUS_OK : fail_memory();
    if (status == STATUS_OK) {
        cairo_save(m->cr);
        cairo_rectangle(m->cr, m->x, m->y, m->width, m->height);
        cairo_clip(m->cr);
        cairo_set_line_join(m->cr, CAIRO_LINE_JOIN_ROUND);
        draw_all(m, &starts, &taken, l);
        cairo_restore(m->cr);
    }
    free(l);
    free(starts.set);
    free(taken.set);
    return status;
}

#endif
