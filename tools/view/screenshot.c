/* SPDX-License-Identifier: MIT */
/* The frame just drawn as a PNG. */
#include "config.h"

#include "file.h"
#include "view/view.h"
#include "view/textures.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int write_png(const uint32_t *pixels, int width, int height, const char *path)
{
    cairo_surface_t *page = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    if (cairo_surface_status(page) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(page);
        return fail_memory();
    }
    unsigned char *data = cairo_image_surface_get_data(page);
    size_t stride = (size_t)cairo_image_surface_get_stride(page), row = 4 * (size_t)width;
    for (int j = 0; j < height; j++) /* GL's rows run upwards */
        memcpy(data + (size_t)j * stride, (const char *)pixels + (size_t)(height - 1 - j) * row,
               row);
    cairo_surface_mark_dirty(page);
    cairo_status_t wrote = cairo_surface_write_to_png(page, path);
    cairo_surface_destroy(page);
    if (wrote == CAIRO_STATUS_SUCCESS)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s", path, cairo_status_to_string(wrote));
}

int view_screenshot(viewer *v, const char *path)
{
    int width, height;
    const char *temporary;
    SDL_GL_GetDrawableSize(v->window, &width, &height);
    uint32_t *pixels = malloc((size_t)width * (size_t)height * sizeof *pixels);
    if (!pixels)
        return fail_memory();
    gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl.ReadPixels(0, 0, width, height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
    int status = file_begin(path, &temporary);
    if (status == STATUS_OK) {
        status = write_png(pixels, width, height, temporary);
        if (status == STATUS_OK)
            status = file_commit(temporary);
        else
            file_discard(temporary);
    }
    free(pixels);
    return status;
}
