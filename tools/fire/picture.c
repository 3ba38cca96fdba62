/* SPDX-License-Identifier: MIT */
/* Pictures of fire: what lies behind them, panels side by side, PNG. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const fire_view_names[] = {"final",    "no-bloom",  "density", "temperature",
                                       "velocity", "colliders", NULL};

/* sRGB (IEC 61966-2-1) to linear. */
static float linear_of(uint16_t value)
{
    double v = value / 65535.0;
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

static int check_size(const fire_painter *p, const char *path, const png_picture *picture)
{
    const foehn_fire_picture *wanted = &p->scene->picture;
    if (picture->width == wanted->width && picture->height == wanted->height)
        return STATUS_OK;
    return fail(STATUS_INPUT, "%s: has %d x %d pixels, the picture %d x %d: give --size %dx%d",
                path, picture->width, picture->height, wanted->width, wanted->height,
                picture->width, picture->height);
}

static int read_background(fire_painter *p)
{
    const fire_scene *s = p->scene;
    size_t count = (size_t)p->whole.width * (size_t)p->whole.height;
    bool black = strcmp(s->background, "black") == 0;
    png_picture file = {0};
    if (strcmp(s->background, "transparent") == 0)
        return STATUS_OK;
    p->background = calloc(count, sizeof *p->background);
    if (!p->background)
        return fail_memory();
    int status = black ? STATUS_OK : png_picture_read(s->background, &file);
    if (status == STATUS_OK && !black)
        status = check_size(p, s->background, &file);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        p->background[i][3] = black ? 1 : file.values[4 * i + 3] / 65535.0f;
        for (size_t k = 0; k < 3 && !black; k++)
            p->background[i][k] = linear_of(file.values[4 * i + k]) * p->background[i][3];
    }
    png_picture_destroy(&file);
    return status;
}

/* Grey of 16 bits: millimetres along the view axis, 0: nothing there. */
static int read_depth(fire_painter *p)
{
    const fire_scene *s = p->scene;
    size_t count = (size_t)p->whole.width * (size_t)p->whole.height;
    png_picture file = {0};
    if (!s->depth[0])
        return STATUS_OK;
    p->depth = malloc(count * sizeof *p->depth);
    if (!p->depth)
        return fail_memory();
    int status = png_picture_read(s->depth, &file);
    if (status == STATUS_OK && (file.bits != 16 || !file.grey))
        status = fail(STATUS_INPUT,
                      "%s: a depth is grey of 16 bits, millimetres along the view axis, not %s of "
                      "%d bits",
                      s->depth, file.grey ? "grey" : "colours", file.bits);
    if (status == STATUS_OK)
        status = check_size(p, s->depth, &file);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        p->depth[i] = file.values[4 * i] ? 1e-3f * file.values[4 * i] : INFINITY;
    png_picture_destroy(&file);
    return status;
}

/* Without a size the picture is as large as its background. */
int fire_picture_size(fire_scene *s)
{
    png_picture file;
    if (s->size_given || strcmp(s->background, "black") == 0 ||
        strcmp(s->background, "transparent") == 0)
        return STATUS_OK;
    int status = png_picture_read(s->background, &file);
    if (status != STATUS_OK)
        return status;
    s->picture.width = file.width;
    s->picture.height = file.height;
    png_picture_destroy(&file);
    return STATUS_OK;
}

int fire_painter_create(const fire_scene *s, int bits, fire_painter *p)
{
    *p = (fire_painter){.scene = s, .bits = bits};
    p->whole.width = s->picture.width;
    p->whole.height = s->picture.height;
    bool plain = !s->depth[0] &&
                 (strcmp(s->background, "black") == 0 || strcmp(s->background, "transparent") == 0);
    if (s->panel_count > 1 && !plain)
        return fail(STATUS_USAGE, "%s: fires side by side have no background picture", s->name);
    if (p->whole.width < s->panel_count)
        return fail(STATUS_INPUT, "--size: %d pixels are too few for %d fires side by side",
                    p->whole.width, s->panel_count);
    size_t count = 4 * (size_t)p->whole.width * (size_t)p->whole.height;
    p->whole.values = calloc(count, sizeof *p->whole.values);
    p->panel = calloc(count, sizeof *p->panel);
    if (!p->whole.values || !p->panel)
        return fail_memory();
    int status = read_background(p);
    return status == STATUS_OK ? read_depth(p) : status;
}

void fire_painter_destroy(fire_painter *p)
{
    free(p->background);
    free(p->depth);
    free(p->panel);
    png_picture_destroy(&p->whole);
}

/* Columns from left to right - 1 of the whole. */
static int paint_panel(fire_painter *p, foehn_fire *fire, uint32_t frame, int left, int right)
{
    foehn_fire_picture picture = p->scene->picture;
    picture.width = right - left;
    picture.frame = frame;
    picture.background = (const float(*)[4])p->background; /* black, where panels are narrower */
    picture.depth = p->depth;
    foehn_status got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_WORDS, p->panel);
    if (got != FOEHN_OK)
        return fail_library(got);
    size_t row = 4 * (size_t)picture.width, whole = 4 * (size_t)p->whole.width;
    for (size_t y = 0; y < (size_t)picture.height; y++)
        memcpy(p->whole.values + y * whole + 4 * (size_t)left, p->panel + y * row,
               row * sizeof *p->panel);
    return STATUS_OK;
}

int fire_painter_write(fire_painter *p, foehn_fire *const *fires, uint32_t frame, const char *path)
{
    const char *temporary;
    const fire_scene *s = p->scene;
    int status = file_begin(path, &temporary);
    for (int n = 0; n < s->panel_count && status == STATUS_OK; n++)
        status = paint_panel(p, fires[n], frame, p->whole.width * n / s->panel_count,
                             p->whole.width * (n + 1) / s->panel_count);
    const char *const texts[][2] = {{"Software", "foehn"}, {"Title", s->title}, {NULL, NULL}};
    if (status == STATUS_OK)
        status = png_picture_write(temporary, path, &p->whole, p->bits, texts);
    if (status == STATUS_OK)
        return file_commit(temporary);
    file_discard(temporary);
    return status;
}
