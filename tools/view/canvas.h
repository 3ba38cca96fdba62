/* SPDX-License-Identifier: MIT */
/* Shapes and text over the picture, in points from the upper left corner of the window. */
#ifndef VIEW_CANVAS_H
#define VIEW_CANVAS_H

#include "tool.h"

/* 0xRRGGBBAA */
typedef uint32_t view_color;

view_color view_rgb(const double rgb[3]);
/* The colour at another opacity, 0 to 1. */
view_color view_fade(view_color color, double opacity);

typedef enum view_font { FONT_SMALL, FONT_TEXT, FONT_BOLD, FONT_TITLE, FONTS } view_font;

typedef struct view_canvas view_canvas;

/* scale: pixels a point; letters are drawn for that size. */
int view_canvas_create(double scale, view_canvas **out);
void view_canvas_destroy(view_canvas *canvas);

/* Between begin and end shapes are collected; end draws them, first below, last on top. */
void view_canvas_begin(view_canvas *canvas, int width, int height);
void view_canvas_end(view_canvas *canvas);

void view_rectangle(view_canvas *canvas, double x, double y, double width, double height,
                    view_color color);
/* With rounded corners. */
void view_box(view_canvas *canvas, double x, double y, double width, double height, double radius,
              view_color color);
void view_disc(view_canvas *canvas, double x, double y, double radius, view_color color);
void view_line(view_canvas *canvas, double x0, double y0, double x1, double y1, double width,
               view_color color);
/* y is the baseline.  anchor: 0 the text begins at x, 0.5 is centred on it, 1 ends at it. */
void view_text(view_canvas *canvas, view_font font, double x, double y, double anchor,
               view_color color, const char *text);
double view_text_width(const view_canvas *canvas, view_font font, const char *text);

#endif
