/* SPDX-License-Identifier: MIT */
/* The ground of a map: colours, such as those of speed, over shaded relief. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "map/map.h"

#include <math.h>
#include <stdlib.h>

/* Every 16th entry of viridis, by van der Walt and Smith (CC0): even steps look even, also in grey
 * and to the colour-blind. */
static const rgb viridis[17] = {{0.267, 0.005, 0.329}, {0.282, 0.095, 0.417}, {0.279, 0.175, 0.483},
                                {0.259, 0.252, 0.525}, {0.230, 0.322, 0.546}, {0.199, 0.388, 0.555},
                                {0.173, 0.449, 0.558}, {0.149, 0.508, 0.557}, {0.128, 0.567, 0.551},
                                {0.121, 0.626, 0.533}, {0.158, 0.684, 0.502}, {0.246, 0.739, 0.452},
                                {0.369, 0.789, 0.383}, {0.516, 0.831, 0.294}, {0.678, 0.864, 0.190},
                                {0.846, 0.887, 0.100}, {0.993, 0.906, 0.144}};

rgb colour_of(double t)
{
    t = 16 * (t < 0 ? 0 : t > 1 ? 1 : t);
    int i = t < 15 ? (int)t : 15;
    double s = t - i;
    const rgb *a = &viridis[i], *b = &viridis[i + 1];
    return (rgb){a->r + s * (b->r - a->r), a->g + s * (b->g - a->g), a->b + s * (b->b - a->b)};
}

double round_step(double range, int about)
{
    double rough = range / about, decade = pow(10, floor(log10(rough)));
    double digit = rough / decade;
    return decade * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static int within(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static double column(const map *m, const float *columns, int i, int j)
{
    i = within(i, m->nx);
    j = within(j, m->ny);
    return (double)columns[(size_t)j * (size_t)m->nx + (size_t)i];
}

/* Pixels to columns: column centres lie at whole numbers, rows run from south. */
static void to_columns(const map *m, double px, double py, int *i, int *j, double *s, double *t)
{
    double x = px * m->nx / m->width - 0.5;
    double y = (m->height - py) * m->ny / m->height - 0.5;
    *i = (int)floor(x);
    *j = (int)floor(y);
    *s = x - *i;
    *t = y - *j;
}

double map_linear(const map *m, const float *columns, double px, double py)
{
    int i, j;
    double s, t;
    to_columns(m, px, py, &i, &j, &s, &t);
    return (column(m, columns, i, j) * (1 - s) + column(m, columns, i + 1, j) * s) * (1 - t) +
           (column(m, columns, i, j + 1) * (1 - s) + column(m, columns, i + 1, j + 1) * s) * t;
}

/* The same, and beyond the edge on along the slope there: contours go straight on to the frame. */
static double beyond(const map *m, const float *columns, int i, int j)
{
    int x = within(i, m->nx), y = within(j, m->ny);
    return 2 * column(m, columns, x, y) - column(m, columns, 2 * x - i, 2 * y - j);
}

/* Weights of a cubic B-spline: smooth slopes, which shading shows at once. */
static void spline(double s, double w[4])
{
    double r = 1 - s;
    w[0] = r * r * r / 6;
    w[1] = (4 - 6 * s * s + 3 * s * s * s) / 6;
    w[2] = (4 - 6 * r * r + 3 * r * r * r) / 6;
    w[3] = s * s * s / 6;
}

/* The same, smooth. */
static double map_cubic(const map *m, const float *columns, double px, double py)
{
    int i, j;
    double s, t, wx[4], wy[4], sum = 0;
    to_columns(m, px, py, &i, &j, &s, &t);
    spline(s, wx);
    spline(t, wy);
    for (int b = 0; b < 4; b++)
        for (int a = 0; a < 4; a++)
            sum += wx[a] * wy[b] * beyond(m, columns, i + a - 1, j + b - 1);
    return sum;
}

int map_find_relief(map *m)
{
    m->relief = malloc((size_t)m->width * (size_t)m->height * sizeof *m->relief);
    if (!m->relief)
        return fail_memory();
    m->relief_low = INFINITY;
    m->relief_high = -INFINITY;
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            double h = map_cubic(m, m->ground, x + 0.5, y + 0.5);
            m->relief[(size_t)y * (size_t)m->width + (size_t)x] = (float)h;
            m->relief_low = fmin(m->relief_low, h);
            m->relief_high = fmax(m->relief_high, h);
        }
    m->has_relief = m->relief_high - m->relief_low > 0.5;
    return STATUS_OK;
}

/* Slopes towards east and north at a pixel. */
static void slopes(const map *m, int x, int y, double *east, double *north)
{
    int w = m->width, x0 = x > 0 ? x - 1 : 0, x1 = x < w - 1 ? x + 1 : w - 1;
    int y0 = y > 0 ? y - 1 : 0, y1 = y < m->height - 1 ? y + 1 : m->height - 1;
    const float *r = m->relief;
    size_t row = (size_t)y * (size_t)w;
    *east = (double)(r[row + (size_t)x1] - r[row + (size_t)x0]) / (m->metres * (x1 - x0));
    *north =
        (double)(r[(size_t)y0 * (size_t)w + (size_t)x] - r[(size_t)y1 * (size_t)w + (size_t)x]) /
        (m->metres * (y1 - y0));
}

/* Flat country is exaggerated and mountains are not, so that both show their shape. */
static double find_exaggeration(const map *m)
{
    double sum = 0;
    int count = 0;
    for (int y = 0; y < m->height; y += 4)
        for (int x = 0; x < m->width; x += 4) {
            double east, north;
            slopes(m, x, y, &east, &north);
            sum += east * east + north * north;
            count++;
        }
    double rms = sqrt(sum / count);
    double factor = rms > 0 ? 0.35 / rms : 1;
    return factor < 0.5 ? 0.5 : factor > 12 ? 12 : factor;
}

static rgb paint_speed(const map *m, double px, double py)
{
    double u = map_linear(m, m->east, px, py), v = map_linear(m, m->north, px, py);
    return colour_of((hypot(u, v) - m->low) / (m->high - m->low));
}

int map_draw_speed(const map *m)
{
    return map_draw_ground(m, paint_speed);
}

int map_draw_ground(const map *m, map_paint *paint)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, m->width, m->height);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS)
        return fail_memory();
    cairo_surface_flush(image);
    unsigned char *data = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    double exaggeration = m->has_relief ? find_exaggeration(m) : 0;
    /* Light from the upper left, the way maps are read; flat ground gets light 1. */
    const double lx = -0.5, ly = 0.5, lz = 0.7071;
    for (int y = 0; y < m->height; y++) {
        uint32_t *row = (uint32_t *)(void *)(data + (size_t)y * (size_t)stride);
        for (int x = 0; x < m->width; x++) {
            rgb c = paint(m, x + 0.5, y + 0.5);
            double east, north;
            slopes(m, x, y, &east, &north);
            east *= exaggeration;
            north *= exaggeration;
            double lit =
                (lz - lx * east - ly * north) / (lz * sqrt(1 + east * east + north * north));
            lit = lit < 0.25 ? 0.25 : lit > 1.5 ? 1.5 : lit;
            double dark = lit < 1 ? 0.45 + 0.55 * lit : 1;
            double light = lit > 1 ? 0.45 * (lit - 1) : 0;
            unsigned r = (unsigned)(255 * (c.r * dark + (1 - c.r * dark) * light) + 0.5);
            unsigned g = (unsigned)(255 * (c.g * dark + (1 - c.g * dark) * light) + 0.5);
            unsigned b = (unsigned)(255 * (c.b * dark + (1 - c.b * dark) * light) + 0.5);
            row[x] = r << 16 | g << 8 | b;
        }
    }
    cairo_surface_mark_dirty(image);
    cairo_set_source_surface(m->cr, image, m->x, m->y);
    cairo_paint(m->cr);
    cairo_surface_destroy(image);
    return STATUS_OK;
}

#endif
