/* SPDX-License-Identifier: MIT */
/* OpenEXR pictures, by OpenEXR's C core. */
#include "config.h"

#include "formats/exr.h"

#include <openexr.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* IEEE 754 half, rounded to nearest, ties to even. */
static uint16_t half_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    if (rest >= 0x7f800000u) /* infinite, NaN */
        return (uint16_t)(sign | 0x7c00u | (rest > 0x7f800000u ? 0x200u : 0));
    if (rest >= 0x477ff000u) /* rounds beyond 65504 */
        return (uint16_t)(sign | 0x7c00u);
    if (rest < 0x38800000u) { /* below the smallest normal one: multiples of 2^-24 */
        float magnitude = value < 0 ? -value : value;
        memcpy(&bits, &(float){magnitude + 0.5f}, sizeof bits); /* the sum rounds to 2^-24 */
        return (uint16_t)(sign | (bits - 0x3f000000u));
    }
    rest += 0xfffu + (rest >> 13 & 1);
    return (uint16_t)(sign | ((rest - 0x38000000u) >> 13));
}

static const exr_channel *find(int count, const exr_channel *channels, const char *name)
{
    for (int n = 0; n < count; n++)
        if (strcmp(channels[n].name, name) == 0)
            return &channels[n];
    return NULL;
}

static exr_result_t write_header(exr_context_t file, int width, int height, int count,
                                 const exr_channel *channels)
{
    int part;
    exr_result_t got = exr_add_part(file, "fire", EXR_STORAGE_SCANLINE, &part);
    if (got == EXR_ERR_SUCCESS)
        got = exr_initialize_required_attr_simple(file, part, width, height, EXR_COMPRESSION_ZIP);
    for (int n = 0; n < count && got == EXR_ERR_SUCCESS; n++)
        got = exr_add_channel(file, part, channels[n].name, EXR_PIXEL_HALF,
                              EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    return got == EXR_ERR_SUCCESS ? exr_write_header(file) : got;
}

/* Halves of `lines` rows from y on, channel by channel, into halves; tell the encoder where they
 * are. */
static void lay(exr_encode_pipeline_t *e, int y, int lines, int width, int count,
                const exr_channel *channels, uint16_t *halves)
{
    for (int n = 0; n < e->channel_count; n++) {
        exr_coding_channel_info_t *to = &e->channels[n];
        const exr_channel *from = find(count, channels, to->channel_name);
        const float *row = from->values + (size_t)y * (size_t)width * (size_t)from->stride;
        uint16_t *out = halves + (size_t)n * (size_t)lines * (size_t)width;
        for (size_t i = 0; i < (size_t)lines * (size_t)width; i++)
            out[i] = half_of(row[i * (size_t)from->stride]);
        to->encode_from_ptr = (const uint8_t *)out;
        to->user_pixel_stride = 2;
        to->user_line_stride = 2 * width;
        to->user_bytes_per_element = 2;
        to->user_data_type = EXR_PIXEL_HALF;
    }
}

static exr_result_t write_rows(exr_context_t file, int width, int height, int count,
                               const exr_channel *channels, int lines, uint16_t *halves)
{
    exr_encode_pipeline_t e = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_result_t got = EXR_ERR_SUCCESS;
    for (int y = 0; y < height && got == EXR_ERR_SUCCESS; y += lines) {
        exr_chunk_info_t chunk;
        int here = lines < height - y ? lines : height - y;
        got = exr_write_scanline_chunk_info(file, 0, y, &chunk);
        if (got == EXR_ERR_SUCCESS)
            got = y == 0 ? exr_encoding_initialize(file, 0, &chunk, &e)
                         : exr_encoding_update(file, 0, &chunk, &e);
        if (got != EXR_ERR_SUCCESS)
            break;
        lay(&e, y, here, width, count, channels, halves);
        if (y == 0)
            got = exr_encoding_choose_default_routines(file, 0, &e);
        if (got == EXR_ERR_SUCCESS)
            got = exr_encoding_run(file, 0, &e);
    }
    exr_encoding_destroy(file, &e);
    return got;
}

static void keep_quiet(exr_const_context_t file, exr_result_t code, const char *message)
{
    (void)file, (void)code, (void)message; /* the caller says what went wrong */
}

int exr_write(const char *path, int width, int height, int count, const exr_channel *channels,
              int size, char *text)
{
    exr_context_t file = NULL;
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = keep_quiet;
    int lines = 1;
    uint16_t *halves = NULL;
    exr_result_t got = exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, &how);
    if (got == EXR_ERR_SUCCESS)
        got = write_header(file, width, height, count, channels);
    if (got == EXR_ERR_SUCCESS)
        got = exr_get_scanlines_per_chunk(file, 0, &lines);
    if (got == EXR_ERR_SUCCESS) {
        halves = malloc((size_t)lines * (size_t)width * (size_t)count * sizeof *halves);
        got = halves ? write_rows(file, width, height, count, channels, lines, halves)
                     : EXR_ERR_OUT_OF_MEMORY;
    }
    exr_result_t closed = file ? exr_finish(&file) : EXR_ERR_SUCCESS;
    free(halves);
    if (got == EXR_ERR_SUCCESS)
        got = closed;
    if (got != EXR_ERR_SUCCESS)
        snprintf(text, (size_t)size, "%s", exr_get_default_error_message(got));
    return got == EXR_ERR_SUCCESS ? 0 : -1;
}
