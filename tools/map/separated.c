/* SPDX-License-Identifier: MIT */
/* Hatching over areas where the air near the ground goes against the input wind. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "map/map.h"

#include <stdlib.h>
#include <string.h>

enum { APART = 9, THICK = 2 }; /* pixels between strokes, and of one */
static const rgb ink_of_strokes = {1.0, 0.55,
                                   0.25}; /* on the dark end of viridis, where the wind is slow */

static void stroke_pixel(unsigned char *pixel, double opacity)
{
    /* Premultiplied, as the host has its words. */
    uint32_t a = (uint32_t)(255 * opacity + 0.5),
             r = (uint32_t)(255 * opacity * ink_of_strokes.r + 0.5);
    uint32_t g = (uint32_t)(255 * opacity * ink_of_strokes.g + 0.5);
    uint32_t b = (uint32_t)(255 * opacity * ink_of_strokes.b + 0.5),
             word = a << 24 | r << 16 | g << 8 | b;
    memcpy(pixel, &word, sizeof word);
}

/* Strokes where `inside`, and a line around it.  Returns how many pixels are inside. */
static size_t hatch(cairo_surface_t *image, int width, int height, const unsigned char *inside)
{
    size_t count = 0;
    cairo_surface_flush(image);
    unsigned char *data = cairo_image_surface_get_data(image);
    const size_t stride = (size_t)cairo_image_surface_get_stride(image), row = (size_t)width;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const unsigned char *at = inside + (size_t)y * row + (size_t)x;
            if (!*at)
                continue;
            count++;
            const bool edge = (x > 0 && !at[-1]) || (x < width - 1 && !at[1]) ||
                              (y > 0 && !at[-(ptrdiff_t)row]) || (y < height - 1 && !at[row]);
            if (edge || (x + y) % APART < THICK)
                stroke_pixel(data + (size_t)y * stride + 4 * (size_t)x, edge ? 1 : 0.9);
        }
    cairo_surface_mark_dirty(image);
    return count;
}

static void paint(const map *m, cairo_surface_t *image, double x, double y)
{
    cairo_set_source_surface(m->cr, image, x, y);
    cairo_paint(m->cr);
}

int map_draw_separated(const map *m, const float *along, bool *any)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, m->width, m->height);
    unsigned char *inside = calloc((size_t)m->width, (size_t)m->height);
    int status =
        inside && cairo_surface_status(image) == CAIRO_STATUS_SUCCESS ? STATUS_OK : fail_memory();
    for (int y = 0; y < m->height && status == STATUS_OK; y++)
        for (int x = 0; x < m->width; x++)
            inside[(size_t)y * (size_t)m->width + (size_t)x] =
                map_linear(m, along, x + 0.5, y + 0.5) < 0;
    *any = status == STATUS_OK && hatch(image, m->width, m->height, inside) > 0;
    if (*any)
        paint(m, image, m->x, m->y);
    free(inside);
    cairo_surface_destroy(image);
    return status;
}

void map_draw_separated_sample(const map *m, double x, double y, int width, int height)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    unsigned char *inside = malloc((size_t)width * (size_t)height);
    if (inside && cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
        rgb under = colour_of(0.08);
        cairo_set_source_rgb(m->cr, under.r, under.g, under.b);
        cairo_rectangle(m->cr, x, y, width, height);
        cairo_fill(m->cr);
        memset(inside, 1, (size_t)width * (size_t)height);
        hatch(image, width, height, inside);
        paint(m, image, x, y);
    }
    free(inside);
    cairo_surface_destroy(image);
}

#endif
