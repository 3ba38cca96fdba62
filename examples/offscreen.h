/* SPDX-License-Identifier: MIT */
/* What the examples and tests of publishing share: a GL context without a window, and PNG files.
 * A renderer has both already; nothing here is of interest to it. */
#ifndef FOEHN_EXAMPLES_OFFSCREEN_H
#define FOEHN_EXAMPLES_OFFSCREEN_H

/* make check counts it as skipped. */
enum { OFFSCREEN_SKIPPED = 77 };

/* Print a message and return OFFSCREEN_SKIPPED, or EXIT_FAILURE where FOEHN_REQUIRE_DEVICE=1. */
int offscreen_skip(const char *what);

/* The next ones are there where configure found EGL.  Make a context current through EGL, on a
 * machine with or without a display: OpenGL 3.3 core, or (legacy) 2.1 with fixed functions.  0:
 * there is no driver. */
int offscreen_open(int legacy);
void offscreen_close(void);
void *offscreen_get_proc_address(const char *name);

/* A frame buffer of this size, bound, with the view port on all of it. */
void offscreen_target(int width, int height);

/* What was drawn into it, upright.  0: no file was written. */
int offscreen_write_png(const char *path, int width, int height);

/* Rows of bytes red, green, blue, unused from the top.  0: no file was written. */
int offscreen_write_pixels(const char *path, int width, int height, const unsigned char *rgbx);

#endif
