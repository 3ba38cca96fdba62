/* SPDX-License-Identifier: MIT */
/* A picture of a fire for compositing: OpenEXR with depth, motion and layers. */
#include "config.h"

#include "fire/fire.h"
#include "formats/exr.h"

#include <math.h>
#include <stdlib.h>

#ifndef HAVE_OPENEXR

int fire_write_exr(fire_files *f, const char *temporary, const char *path, uint32_t frame)
{
    (void)f, (void)temporary, (void)path, (void)frame;
    return STATUS_USAGE; /* fire_files_check() has refused it */
}

#else

enum { ALL, EMISSION, SMOKE, MOTION, PLANES }; /* of four floats a pixel */

/* Light, of which fire itself, of which the rest; depth and motion. */
static int draw_planes(fire_files *f, uint32_t frame, size_t pixels, float *planes[PLANES])
{
    foehn_fire *fire = f->fires[0];
    foehn_fire_picture picture = f->scene->picture;
    picture.frame = frame;
    picture.background = NULL;
    picture.depth = f->painter->depth;
    picture.curve = FOEHN_FIRE_CURVE_NONE;
    picture.bloom_strength = 0; /* a compositor makes its own */
    foehn_status got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, planes[ALL]);
    if (got == FOEHN_OK)
        got = foehn_fire_read_motion(fire, &picture, planes[MOTION]);
    picture.look = FOEHN_FIRE_LOOK_EMISSION;
    if (got == FOEHN_OK)
        got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, planes[EMISSION]);
    if (got != FOEHN_OK)
        return fail_library(got);
    double every =
        f->options->every > 0 ? f->options->every : f->scene->dt; /* film seconds of a picture */
    float times = (float)(every * (double)f->scene->params.speed);
    for (size_t n = 0; n < pixels; n++) {
        for (size_t k = 4 * n; k < 4 * n + 3; k++)
            planes[SMOKE][k] = fmaxf(planes[ALL][k] - planes[EMISSION][k], 0);
        planes[MOTION][4 * n + 1] *= times;
        planes[MOTION][4 * n + 2] *= -times; /* upwards, as compositors have it */
    }
    return STATUS_OK;
}

int fire_write_exr(fire_files *f, const char *temporary, const char *path, uint32_t frame)
{
    int width = f->scene->picture.width, height = f->scene->picture.height;
    size_t pixels = (size_t)width * (size_t)height;
    float *planes[PLANES];
    char text[256] = "";
    float *all = malloc(PLANES * 4 * pixels * sizeof *all);
    if (!all)
        return fail_memory();
    for (size_t n = 0; n < PLANES; n++)
        planes[n] = all + n * 4 * pixels;
    int status = draw_planes(f, frame, pixels, planes);
    const exr_channel channels[] = {
        {"R", planes[ALL], 4},
        {"G", planes[ALL] + 1, 4},
        {"B", planes[ALL] + 2, 4},
        {"A", planes[ALL] + 3, 4},
        {"Z", planes[MOTION], 4},
        {"forward.u", planes[MOTION] + 1, 4},
        {"forward.v", planes[MOTION] + 2, 4},
        {"emission.R", planes[EMISSION], 4},
        {"emission.G", planes[EMISSION] + 1, 4},
        {"emission.B", planes[EMISSION] + 2, 4},
        {"smoke.R", planes[SMOKE], 4},
        {"smoke.G", planes[SMOKE] + 1, 4},
        {"smoke.B", planes[SMOKE] + 2, 4},
    };
    if (status == STATUS_OK &&
        exr_write(temporary, width, height, sizeof channels / sizeof channels[0], channels,
                  sizeof text, text))
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, text);
    free(all);
    return status;
}

#endif
