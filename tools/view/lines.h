/* SPDX-License-Identifier: MIT */
/* Lines in the world: vertices of place and (shade, opacity), a mesh of {3, 2, 0}. */
#ifndef VIEW_LINES_H
#define VIEW_LINES_H

#include "view/textures.h"

int view_lines_create(GLuint *program);
/* Draw with it from now on: world to clip space, colours at shade 0 and 1. */
void view_lines_use(GLuint program, const float camera[16], const float low[3],
                    const float high[3]);

enum { VIEW_BOX_FLOATS = 24 * 5 };
/* The edges of a box, as pairs of points at shade 1. */
void view_lines_box(const double origin[3], const double extent[3], double opacity,
                    float vertices[VIEW_BOX_FLOATS]);

#endif
