/* SPDX-License-Identifier: MIT */
/* What pictures are lettered with. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_CAIRO

#include "map/drawing.h"

void set_font(cairo_t *cr, double size, bool bold)
{
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

void put_text(cairo_t *cr, double x, double y, double anchor, const char *text)
{
    cairo_text_extents_t e;
    cairo_text_extents(cr, text, &e);
    cairo_move_to(cr, x - anchor * e.x_advance, y);
    cairo_show_text(cr, text);
}

void ink(cairo_t *cr, double grey)
{
    cairo_set_source_rgb(cr, grey, grey, grey);
}

#endif
