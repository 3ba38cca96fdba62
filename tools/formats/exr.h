/* SPDX-License-Identifier: MIT */
/* OpenEXR pictures of half floats, ZIP, by OpenEXR's C core. */
#ifndef FOEHN_TOOLS_FORMATS_EXR_H
#define FOEHN_TOOLS_FORMATS_EXR_H

/* A channel: where its first value lies, and floats from one pixel to the next. */
typedef struct exr_channel {
    const char *name;
    const float *values;
    int stride;
} exr_channel;

/* Write width x height pixels, rows from the top; values beyond halves become infinite.  0, or -1
 * with what went wrong in text. */
int exr_write(const char *path, int width, int height, int count, const exr_channel *channels,
              int size, char *text);

#endif
