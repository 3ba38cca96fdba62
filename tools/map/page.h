/* SPDX-License-Identifier: MIT */
/* What surrounds a map on its page: axes, colour bar, compass, scale. */
#ifndef PAGE_H
#define PAGE_H

#include "map/map.h"

enum { PAGE_RIGHT = 168 }; /* pixels on the right of a map: colour bar and compass */

/* Find the size of a map of this extent and where it lies on a white page. */
int page_open(map *m, const char *path);
/* Write the page when all went well so far, and let go of it and the relief. */
int page_close(map *m, int status, const char *path, const char *temporary);
double page_height(const map *m);
/* Of a colour bar beside the map, with room for what is below it. */
double page_bar_height(const map *m);

/* Frame and ticks of the map, with what its axes are called. */
void page_axes(const map *m, const char *east, const char *north);
/* The map's colours from low to high. */
void page_bar(const map *m, double x, double y, double height, const char *title, const char *unit);
/* True north and where a wind blows, in one circle, with lines below.  convergence: of grid north,
 * towards: of the wind, NaN where none blows, degrees clockwise from the top of the page. */
void page_compass(const map *m, double x, double y, double radius, double convergence,
                  double towards, const char *const lines[3]);
/* In the map's lower left corner, or at x and y when the map is small. */
void page_scale(const map *m, double x, double y);

#endif
