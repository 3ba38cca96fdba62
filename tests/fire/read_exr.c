/* SPDX-License-Identifier: MIT */
/* What an OpenEXR picture holds:
 *   read_exr FILE            size, compression and kind of pixels, then a line a channel: name,
 * least, most, mean of its finite values, number of others read_exr FILE A B C      the largest
 * abs(A - B - C) of three channels over the largest abs(A) */
#include <openexr.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(exr_result_t got)
{
    if (got == EXR_ERR_SUCCESS)
        return;
    fprintf(stderr, "read_exr: %s\n", exr_get_error_code_as_string(got));
    exit(1);
}

static double value_of(uint16_t half)
{
    int exponent = half >> 10 & 31, rest = half & 1023;
    double value = exponent == 31 ? (rest ? NAN : INFINITY)
                   : exponent     ? ldexp(1024 + rest, exponent - 25)
                                  : ldexp(rest, -24);
    return half & 0x8000 ? -value : value;
}

enum { MOST = 32 };
static const char *names[MOST];
static double *values[MOST];
static int count;

static void decode(exr_context_t file, int width, int height)
{
    int lines;
    must(exr_get_scanlines_per_chunk(file, 0, &lines));
    for (int y = 0; y < height; y += lines) {
        exr_chunk_info_t chunk;
        exr_decode_pipeline_t d = EXR_DECODE_PIPELINE_INITIALIZER;
        must(exr_read_scanline_chunk_info(file, 0, y, &chunk));
        must(exr_decoding_initialize(file, 0, &chunk, &d));
        count = d.channel_count;
        for (int c = 0; c < d.channel_count; c++) {
            if (y == 0) {
                names[c] = d.channels[c].channel_name; /* of the file */
                values[c] = malloc((size_t)width * (size_t)height * sizeof **values);
            }
            d.channels[c].decode_to_ptr = malloc((size_t)width * (size_t)chunk.height * 2);
            d.channels[c].user_pixel_stride = 2;
            d.channels[c].user_line_stride = 2 * width;
            d.channels[c].user_bytes_per_element = 2;
            d.channels[c].user_data_type = EXR_PIXEL_HALF;
        }
        must(exr_decoding_choose_default_routines(file, 0, &d));
        must(exr_decoding_run(file, 0, &d));
        for (int c = 0; c < d.channel_count; c++) {
            const uint16_t *halves = (const uint16_t *)d.channels[c].decode_to_ptr;
            for (int n = 0; n < width * chunk.height; n++)
                values[c][y * width + n] = value_of(halves[n]);
            free(d.channels[c].decode_to_ptr);
        }
        must(exr_decoding_destroy(file, &d));
    }
}

static const double *channel(const char *name)
{
    for (int c = 0; c < count; c++)
        if (strcmp(names[c], name) == 0)
            return values[c];
    fprintf(stderr, "read_exr: no channel %s\n", name);
    exit(1);
}

int main(int argc, char **argv)
{
    exr_context_t file;
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_attr_box2i_t window;
    exr_compression_t compression;
    if (argc != 2 && argc != 5)
        return 2;
    must(exr_start_read(&file, argv[1], &how));
    must(exr_get_data_window(file, 0, &window));
    must(exr_get_compression(file, 0, &compression));
    int width = window.max.x - window.min.x + 1, height = window.max.y - window.min.y + 1;
    decode(file, width, height);
    if (argc == 5) {
        const double *a = channel(argv[2]), *b = channel(argv[3]), *c = channel(argv[4]);
        double apart = 0, most = 0;
        for (int n = 0; n < width * height; n++) {
            apart = fmax(apart, fabs(a[n] - b[n] - c[n]));
            most = fmax(most, fabs(a[n]));
        }
        printf("%g\n", apart / most);
    } else
        printf("%d x %d %s\n", width, height, compression == EXR_COMPRESSION_ZIP ? "zip" : "other");
    for (int c = 0; c < count && argc == 2; c++) {
        double least = INFINITY, most = -INFINITY, sum = 0;
        int finite = 0;
        for (int n = 0; n < width * height; n++)
            if (isfinite(values[c][n])) {
                least = fmin(least, values[c][n]);
                most = fmax(most, values[c][n]);
                sum += values[c][n];
                finite++;
            }
        printf("%s %g %g %g %d\n", names[c], least, most, finite ? sum / finite : 0,
               width * height - finite);
    }
    must(exr_finish(&file));
    return 0;
}
