/* SPDX-License-Identifier: MIT */
/* Lines of equal height on a map, by marching squares. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "map/map.h"

#include <math.h>

enum { STRIDE = 3, LINES = 10, EMPHASIS = 5, MOST_LABELS = 48 };
enum { SCALE_WIDTH = 420, SCALE_HEIGHT = 80 }; /* lower left corner, where the scale bar lies */
#define LABEL_DISTANCE 190.0                   /* pixels between labels */
#define LABEL_MARGIN 45.0                      /* pixels from a label to the frame */

typedef struct label {
    double x, y;
} label;

typedef struct labels {
    int count;
    label at[MOST_LABELS];
} labels;

static double height_at(const map *m, int x, int y)
{
    x = x < m->width ? x : m->width - 1;
    y = y < m->height ? y : m->height - 1;
    return (double)m->relief[(size_t)y * (size_t)m->width + (size_t)x];
}

/* Where the level crosses the sides of a square: 0, 2 or 4 points, in pairs that belong together.
 */
static int cross(const map *m, int x, int y, double level, double px[4], double py[4])
{
    static const int dx[5] = {0, STRIDE, STRIDE, 0, 0}, dy[5] = {0, 0, STRIDE, STRIDE, 0};
    int count = 0;
    for (int side = 0; side < 4; side++) {
        double a = height_at(m, x + dx[side], y + dy[side]) - level;
        double b = height_at(m, x + dx[side + 1], y + dy[side + 1]) - level;
        if ((a < 0) == (b < 0))
            continue;
        double t = a / (a - b);
        px[count] = x + 0.5 + dx[side] + t * (dx[side + 1] - dx[side]);
        py[count++] = y + 0.5 + dy[side] + t * (dy[side + 1] - dy[side]);
    }
    return count;
}

static void trace(const map *m, double level)
{
    double px[4], py[4];
    for (int y = 0; y + STRIDE < m->height; y += STRIDE)
        for (int x = 0; x + STRIDE < m->width; x += STRIDE) {
            int count = cross(m, x, y, level, px, py);
            for (int i = 0; i + 1 < count; i += 2) {
                cairo_move_to(m->cr, m->x + px[i], m->y + py[i]);
                cairo_line_to(m->cr, m->x + px[i + 1], m->y + py[i + 1]);
            }
        }
}

static bool is_free(const labels *l, double x, double y)
{
    for (int i = 0; i < l->count; i++)
        if (hypot(l->at[i].x - x, l->at[i].y - y) < LABEL_DISTANCE)
            return false;
    return l->count < MOST_LABELS;
}

static void draw_label(const map *m, const char *text, double x, double y, double angle)
{
    cairo_text_extents_t e;
    cairo_text_extents(m->cr, text, &e);
    /* Upright, whichever way the line runs. */
    if (cos(angle) < 0)
        angle += 3.14159265358979323846;
    cairo_save(m->cr);
    cairo_translate(m->cr, m->x + x, m->y + y);
    cairo_rotate(m->cr, angle);
    cairo_move_to(m->cr, -e.width / 2 - e.x_bearing, -e.height / 2 - e.y_bearing);
    cairo_text_path(m->cr, text);
    cairo_set_source_rgba(m->cr, 1, 1, 1, 0.75);
    cairo_set_line_width(m->cr, 3);
    cairo_stroke_preserve(m->cr);
    cairo_set_source_rgb(m->cr, 0.1, 0.1, 0.1);
    cairo_fill(m->cr);
    cairo_restore(m->cr);
}

/* Labels where a line runs near level, far from other labels and from the frame. */
static void put_labels(const map *m, double level, labels *l)
{
    char text[32];
    snprintf(text, sizeof text, "%g", level);
    double px[4], py[4];
    for (int y = (int)LABEL_MARGIN; y < m->height - LABEL_MARGIN; y += STRIDE)
        for (int x = (int)LABEL_MARGIN; x < m->width - LABEL_MARGIN; x += STRIDE) {
            bool under_scale = x < SCALE_WIDTH && y > m->height - SCALE_HEIGHT;
            if (under_scale || cross(m, x, y, level, px, py) != 2 || !is_free(l, px[0], py[0]))
                continue;
            double angle = atan2(py[1] - py[0], px[1] - px[0]);
            if (fabs(sin(angle)) > 0.75)
                continue;
            l->at[l->count++] = (label){px[0], py[0]};
            draw_label(m, text, px[0], py[0], angle);
        }
}

void map_draw_contours(const map *m)
{
    if (!m->has_relief)
        return;
    double step = round_step(m->relief_high - m->relief_low, LINES);
    double first = step * ceil(m->relief_low / step + 1e-6);
    cairo_save(m->cr);
    cairo_rectangle(m->cr, m->x, m->y, m->width, m->height);
    cairo_clip(m->cr);
    cairo_set_line_cap(m->cr, CAIRO_LINE_CAP_ROUND);
    for (double level = first; level < m->relief_high; level += step) {
        bool strong = fabs(remainder(level / step, EMPHASIS)) < 1e-6;
        trace(m, level);
        cairo_set_source_rgba(m->cr, 0.05, 0.05, 0.05, strong ? 0.6 : 0.35);
        cairo_set_line_width(m->cr, strong ? 1.3 : 0.8);
        cairo_stroke(m->cr);
    }
    cairo_restore(m->cr);

    labels l = {.count = 0};
    cairo_set_font_size(m->cr, 11);
    for (double level = first; level < m->relief_high; level += step)
        put_labels(m, level, &l);
}

#endif
