/* SPDX-License-Identifier: MIT */
/* PNG pictures as arrays: read for backgrounds, written with 8 or 16 bits a channel. */
#ifndef PNG_FILE_H
#define PNG_FILE_H

#include "tool.h"

/* Rows from top to bottom, 4 values a pixel: red, green, blue, alpha (not premultiplied), coded as
 * sRGB, 0 to 65535.  A grey picture has its grey in all three colours. */
typedef struct png_picture {
    int width, height;
    int bits;  /* of the file that it was read from */
    bool grey; /* so was the file */
    uint16_t *values;
} png_picture;

/* Read any PNG.  Fails with the file's name. */
int png_picture_read(const char *path, png_picture *out);
void png_picture_destroy(png_picture *picture);

/* Write to `path`; messages call the file `name`.  bits: 8 or 16.  Texts are pairs of keyword and
 * text, NULL ends them. */
int png_picture_write(const char *path, const char *name, const png_picture *picture, int bits,
                      const char *const (*texts)[2]);

/* The reason why pictures cannot be written; STATUS_OK when they can. */
int png_picture_check(const char *name);

#endif
