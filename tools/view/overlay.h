/* SPDX-License-Identifier: MIT */
/* What every page has over it: tabs, help, notes. */
#ifndef VIEW_OVERLAY_H
#define VIEW_OVERLAY_H

#include "view/view.h"

#define VIEW_BACK 0x161b23ffu   /* colour of bars */
#define VIEW_BUTTON 0xd5dae2ffu /* of chips that are on */

/* A page's bars.  Their heights, points, are those of the last frame when they begin, and what they
 * then needed when they end. */
void view_top_begin(viewer *v, double height);
double view_top_end(const viewer *v);
void view_bottom_begin(viewer *v, double height);
double view_bottom_end(viewer *v, double height, const char *left, const char *right);

/* Over the page's own; returns the page that is wanted. */
int view_overlay_draw(viewer *v);
/* A whole frame that says what is waited for. */
void view_overlay_wait(viewer *v, const char *text);

#endif
