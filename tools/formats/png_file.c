/* SPDX-License-Identifier: MIT */
/* PNG pictures as arrays, through libpng. */
#include "config.h"

#include "formats/png_file.h"

#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void png_picture_destroy(png_picture *picture)
{
    free(picture->values);
    *picture = (png_picture){0};
}

#ifndef HAVE_PNG

int png_picture_check(const char *name)
{
    return fail(STATUS_USAGE,
                "%s: this foehn was built without pictures of fire: install libpng-dev, then "
                "configure and make again",
                name);
}

int png_picture_read(const char *path, png_picture *out)
{
    *out = (png_picture){0};
    return png_picture_check(path);
}

int png_picture_write(const char *path, const char *name, const png_picture *picture, int bits,
                      const char *const (*texts)[2])
{
    (void)path, (void)picture, (void)bits, (void)texts;
    return png_picture_check(name);
}

#else

#include <png.h>

enum { LARGEST = 16384 }; /* pixels along a side */

int png_picture_check(const char *name)
{
    (void)name;
    return STATUS_OK;
}

/* libpng's way out of an error: remember the text, then jump. */
static void on_error(png_structp png, png_const_charp text)
{
    snprintf(png_get_error_ptr(png), 128, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static bool little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

/* What both readers and writers hold; volatile where a jump comes back to. */
typedef struct png_job {
    png_structp png;
    png_infop info;
    char text[128];
} png_job;

/* All kinds of PNG become 16 bits of red, green, blue, alpha. */
static void ask_for_rgba16(png_job *j)
{
    png_set_expand_16(j->png);
    png_set_gray_to_rgb(j->png);
    png_set_add_alpha(j->png, 0xffff, PNG_FILLER_AFTER);
    if (little_endian())
        png_set_swap(j->png);
}

static bool read_all(png_job *j, FILE *stream, png_picture *out)
{
    if (setjmp(png_jmpbuf(j->png)))
        return false;
    png_set_user_limits(j->png, LARGEST, LARGEST);
    png_init_io(j->png, stream);
    png_read_info(j->png, j->info);
    out->bits = png_get_bit_depth(j->png, j->info);
    out->grey = !(png_get_color_type(j->png, j->info) & PNG_COLOR_MASK_COLOR);
    ask_for_rgba16(j);
    int passes = png_set_interlace_handling(j->png);
    png_read_update_info(j->png, j->info);
    out->width = (int)png_get_image_width(j->png, j->info);
    out->height = (int)png_get_image_height(j->png, j->info);
    size_t row = 4 * (size_t)out->width;
    out->values = malloc(row * (size_t)out->height * sizeof *out->values);
    if (!out->values)
        png_error(j->png, "out of host memory");
    for (int p = 0; p < passes; p++)
        for (int y = 0; y < out->height; y++)
            png_read_row(j->png, (png_bytep)(out->values + row * (size_t)y), NULL);
    png_read_end(j->png, NULL);
    return true;
}

int png_picture_read(const char *path, png_picture *out)
{
    *out = (png_picture){0};
    FILE *stream;
    int status = file_open("", path, &stream);
    if (status != STATUS_OK)
        return status;
    png_job j = {.text = "out of host memory"};
    j.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, j.text, on_error, on_warning);
    j.info = j.png ? png_create_info_struct(j.png) : NULL;
    bool done = j.info && read_all(&j, stream, out);
    png_destroy_read_struct(&j.png, &j.info, NULL);
    fclose(stream);
    if (done)
        return STATUS_OK;
    png_picture_destroy(out);
    return fail(STATUS_INPUT, "%s: cannot be read as a PNG picture: %s", path, j.text);
}

static void write_texts(png_job *j, const char *const (*texts)[2])
{
    for (; texts && (*texts)[0]; texts++) {
        png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE};
        text.key = (png_charp)(*texts)[0];
        text.text = (png_charp)(*texts)[1];
        png_set_text(j->png, j->info, &text, 1);
    }
}

static bool write_all(png_job *j, FILE *stream, const png_picture *p, int bits, png_bytep row,
                      const char *const (*texts)[2])
{
    if (setjmp(png_jmpbuf(j->png)))
        return false;
    png_init_io(j->png, stream);
    png_set_IHDR(j->png, j->info, (png_uint_32)p->width, (png_uint_32)p->height, bits,
                 PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(j->png, j->info, PNG_sRGB_INTENT_PERCEPTUAL);
    write_texts(j, texts);
    png_write_info(j->png, j->info);
    if (bits == 16 && little_endian())
        png_set_swap(j->png);
    size_t count = 4 * (size_t)p->width;
    for (int y = 0; y < p->height; y++) {
        const uint16_t *from = p->values + count * (size_t)y;
        for (size_t i = 0; i < count && bits == 8; i++)
            row[i] = (png_byte)((from[i] * 255u + 32767u) / 65535u);
        if (bits == 16)
            memcpy(row, from, count * sizeof *from);
        png_write_row(j->png, row);
    }
    png_write_end(j->png, NULL);
    return true;
}

int png_picture_write(const char *path, const char *name, const png_picture *picture, int bits,
                      const char *const (*texts)[2])
{
    FILE *stream = fopen(path, "wb");
    if (!stream)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", name, strerror(errno));
    png_job j = {.text = "out of host memory"};
    png_bytep row = malloc(8 * (size_t)picture->width);
    j.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, j.text, on_error, on_warning);
    j.info = j.png && row ? png_create_info_struct(j.png) : NULL;
    bool done = j.info && write_all(&j, stream, picture, bits, row, texts);
    png_destroy_write_struct(&j.png, &j.info);
    free(row);
    done = fclose(stream) == 0 && done;
    return done ? STATUS_OK : fail(STATUS_FAILED, "%s: cannot be written: %s", name, j.text);
}

#endif
