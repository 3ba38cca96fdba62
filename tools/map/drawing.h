/* SPDX-License-Identifier: MIT */
/* What pictures are lettered with. */
#ifndef DRAWING_H
#define DRAWING_H

#include <cairo.h>

#include <stdbool.h>

void set_font(cairo_t *cr, double size, bool bold);

/* anchor: 0 the text begins at x, 0.5 is centred on it, 1 ends at it. */
void put_text(cairo_t *cr, double x, double y, double anchor, const char *text);

/* Draw in a grey from 0, black, to 1, white. */
void ink(cairo_t *cr, double grey);

#endif
