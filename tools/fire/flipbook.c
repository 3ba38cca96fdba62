/* SPDX-License-Identifier: MIT */
/* Flipbooks for game engines: the last columns x rows pictures of a run in one atlas, from its
 * upper left corner on, row by row, with what they need to be blended and lit there: motion to the
 * next picture, and how smoke looks in the light of a lamp far away on each of six sides.
 *
 * Six-way light is the picture with a lamp on one side less the picture without, so that neither
 * fire nor sky is in it; a lamp's 20 pi klx make a white matt wall 1. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "formats/exr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODED, LIGHT, EMISSION, MOTION, POSITIVE, NEGATIVE, PLANES };

struct fire_flipbook {
    int columns, rows, loop; /* pictures; those at the end that are blended into the first ones */
    int skip, seen;          /* pictures of the run before the first one; so far */
    int width, height;       /* of the atlas */
    bool png, exr;
    float *planes[PLANES]; /* four floats a pixel of the atlas; NULL where no file wants them */
    float *one, *dark;     /* a picture */
};

static size_t floats_of(const fire_flipbook *b)
{
    return 4 * (size_t)b->width * (size_t)b->height;
}

int fire_flipbook_create(const fire_scene *s, const int grid[2], int loop, int pictures, bool png,
                         bool exr, fire_flipbook **out)
{
    fire_flipbook *b = calloc(1, sizeof *b);
    int wanted = grid[0] * grid[1] + loop, width = s->picture.width, height = s->picture.height;
    *out = b;
    if (!b)
        return fail_memory();
    *b = (fire_flipbook){.columns = grid[0],
                         .rows = grid[1],
                         .loop = loop,
                         .skip = pictures - wanted,
                         .width = grid[0] * width,
                         .height = grid[1] * height,
                         .png = png,
                         .exr = exr};
    if (b->skip < 0)
        return fail(
            STATUS_USAGE,
            "--flipbook %dx%d: wants %d pictures, the run has %d: give a smaller --every or "
            "a longer --duration",
            grid[0], grid[1], wanted, pictures);
    if (b->width > 16384 || b->height > 16384)
        return fail(STATUS_USAGE,
                    "--flipbook %dx%d: an atlas of %d x %d pixels: 16384 are the most, give a "
                    "smaller --size",
                    grid[0], grid[1], b->width, b->height);
    bool kept[PLANES] = {[CODED] = png,   [LIGHT] = exr,     [EMISSION] = true,
                         [MOTION] = true, [POSITIVE] = true, [NEGATIVE] = true};
    for (int n = 0; n < PLANES; n++)
        if (kept[n] && !(b->planes[n] = calloc(floats_of(b), sizeof(float))))
            return fail_memory();
    b->one = malloc(4 * (size_t)width * (size_t)height * sizeof(float));
    b->dark = malloc(4 * (size_t)width * (size_t)height * sizeof(float));
    return b->one && b->dark ? STATUS_OK : fail_memory();
}

void fire_flipbook_destroy(fire_flipbook *b)
{
    for (int n = 0; b && n < PLANES; n++)
        free(b->planes[n]);
    if (b) {
        free(b->one);
        free(b->dark);
    }
    free(b);
}

/* ---- pictures ---- */

/* Where a picture goes, and its share there: those after the last one fade into the first ones. */
typedef struct slot {
    int left, top;
    float share;
} slot;

static slot slot_of(const fire_flipbook *b, const fire_scene *s, int n)
{
    int count = b->columns * b->rows, place = n < count ? n : n - count;
    float share = n < count ? 1 : 1 - (float)(place + 1) / (float)(b->loop + 1);
    return (slot){place % b->columns * s->picture.width, place / b->columns * s->picture.height,
                  share};
}

/* `count` values of each pixel from `first` on into the atlas, to its channel `to` and on. */
static void put(const fire_flipbook *b, const fire_scene *s, const slot *at, const float *from,
                int first, int count, int plane, int to)
{
    for (int y = 0; y < s->picture.height && b->planes[plane]; y++)
        for (int x = 0; x < s->picture.width; x++) {
            const float *value =
                from + 4 * ((size_t)y * (size_t)s->picture.width + (size_t)x) + first;
            float *pixel = b->planes[plane] +
                           4 * ((size_t)(at->top + y) * (size_t)b->width + (size_t)(at->left + x));
            for (int k = 0; k < count; k++)
                pixel[to + k] += at->share * (value[k] - pixel[to + k]);
        }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Of the camera, of any length. */
static void axes_of(const foehn_fire_picture *p, double right[3], double up[3], double forward[3])
{
    for (int k = 0; k < 3; k++)
        forward[k] = p->target[k] - p->position[k];
    cross(forward, p->up, right);
    cross(right, forward, up);
}

/* Smoke in the light of six lamps. */
static foehn_status light_sides(fire_flipbook *b, const fire_scene *s, foehn_fire *fire,
                                foehn_fire_picture picture, const slot *at)
{
    double forward[3], right[3], up[3];
    size_t pixels = (size_t)picture.width * (size_t)picture.height;
    foehn_status got;
    axes_of(&picture, right, up, forward);
    for (int k = 0; k < 3; k++)
        picture.sun[k] = picture.sky[k] = 0;
    picture.daylight = NAN;
    picture.look = FOEHN_FIRE_LOOK_LIGHT;
    picture.stops = 0;
    got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, b->dark);
    for (int side = 0; side < 6 && got == FOEHN_OK; side++) {
        const double *axis = side % 3 == 0 ? right : side % 3 == 1 ? up : forward;
        for (int k = 0; k < 3; k++) {
            picture.sun[k] = 62.83185f;
            picture.sun_from[k] = (float)(side < 3 ? axis[k] : -axis[k]);
        }
        got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, b->one);
        for (size_t n = 0; n < pixels; n++)
            b->one[4 * n] = fmaxf(b->one[4 * n + 1] - b->dark[4 * n + 1], 0);
        put(b, s, at, b->one, 0, 1, side < 3 ? POSITIVE : NEGATIVE, side % 3);
    }
    return got;
}

/* As words of a PNG, over 65535, premultiplied. */
static foehn_status code(fire_flipbook *b, foehn_fire *fire, const foehn_fire_picture *picture)
{
    uint16_t *words = (uint16_t *)b->dark; /* half as large */
    foehn_status got = foehn_fire_read_picture(fire, picture, FOEHN_FIRE_WORDS, words);
    for (size_t n = 0; n < 4 * (size_t)picture->width * (size_t)picture->height; n++)
        b->one[n] = words[n] / 65535.0f * (n % 4 < 3 ? words[n | 3] / 65535.0f : 1);
    return got;
}

static foehn_status draw(fire_flipbook *b, const fire_files *f, uint32_t frame, const slot *at)
{
    const fire_scene *s = f->scene;
    foehn_fire *fire = f->fires[0];
    foehn_fire_picture picture = s->picture;
    picture.frame = frame;
    picture.draw_colliders = 0;
    picture.bloom_strength = 0; /* an engine makes its own */
    foehn_status got = FOEHN_OK;
    if (b->png && (got = code(b, fire, &picture)) == FOEHN_OK)
        put(b, s, at, b->one, 0, 4, CODED, 0);
    picture.curve = FOEHN_FIRE_CURVE_NONE;
    if (b->exr && got == FOEHN_OK &&
        (got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, b->one)) == FOEHN_OK)
        put(b, s, at, b->one, 0, 4, LIGHT, 0);
    if (got == FOEHN_OK)
        got = foehn_fire_read_motion(fire, &picture, b->one);
    float times = (float)(f->options->every * (double)s->params.speed);
    for (size_t n = 0; n < (size_t)picture.width * (size_t)picture.height; n++) {
        b->one[4 * n] = b->one[4 * n + 1] * times / (float)picture.width;
        b->one[4 * n + 1] = -b->one[4 * n + 2] * times / (float)picture.height;
    }
    if (got == FOEHN_OK) {
        put(b, s, at, b->one, 0, 2, MOTION, 0);
        got = light_sides(b, s, fire, picture, at);
    }
    picture.look = FOEHN_FIRE_LOOK_EMISSION;
    if (got == FOEHN_OK)
        got = foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, b->one);
    if (got == FOEHN_OK)
        put(b, s, at, b->one, 0, 4, EMISSION, 0);
    return got;
}

int fire_flipbook_add(fire_flipbook *b, const fire_files *f, uint32_t frame)
{
    int n = b->seen++ - b->skip;
    if (n < 0 || n >= b->columns * b->rows + b->loop)
        return STATUS_OK;
    slot at = slot_of(b, f->scene, n);
    return fail_library(draw(b, f, frame, &at));
}

/* ---- files ---- */

/* The largest motion of all pictures, in pictures, of which 0 and 1 in the atlas are minus and plus
 * one. */
static float largest_motion(const fire_flipbook *b)
{
    float most = 0;
    for (size_t n = 0; n < floats_of(b); n += 4)
        for (size_t k = 0; k < 2; k++)
            most = fmaxf(most, fabsf(b->planes[MOTION][n + k]));
    return most;
}

static uint16_t word_of(float value)
{
    return (uint16_t)lrintf(65535 * fminf(fmaxf(value, 0), 1));
}

/* What a PNG of the atlas holds, four words a pixel, not premultiplied. */
static void fill(const fire_flipbook *b, int kind, float most, uint16_t *out)
{
    for (size_t n = 0; n < floats_of(b); n += 4) {
        const float *emission = b->planes[EMISSION] + n, *from = b->planes[kind] + n;
        float shines = fmaxf(emission[0], fmaxf(emission[1], emission[2]));
        float cover = b->planes[CODED][n + 3];
        for (size_t k = 0; k < 3; k++)
            out[n + k] = cover > 0 ? word_of(from[k] / cover) : 0;
        out[n + 3] = word_of(cover);
        if (kind == MOTION) {
            for (size_t k = 0; k < 2; k++)
                out[n + k] = most > 0 ? word_of(0.5f + 0.5f * from[k] / most) : 32768;
            out[n + 2] = 0;
            out[n + 3] = 65535;
        } else if (kind == NEGATIVE)
            out[n + 3] = word_of(1 - expf(-shines));
    }
}

static int write_png(const fire_flipbook *b, const fire_files *f, const char *path)
{
    static const struct {
        int kind;
        const char *suffix;
    } files[] = {{CODED, ""}, {MOTION, "_motion"}, {POSITIVE, "_rtb"}, {NEGATIVE, "_lbf"}};
    png_picture whole = {.width = b->width, .height = b->height};
    float most = largest_motion(b);
    char scale[32], layout[32];
    int status = STATUS_OK;
    whole.values = malloc(floats_of(b) * sizeof *whole.values);
    if (!whole.values)
        return fail_memory();
    snprintf(scale, sizeof scale, "%.6g", (double)most);
    snprintf(layout, sizeof layout, "%dx%d", b->columns, b->rows);
    const char *const texts[][2] = {{"Software", "foehn"},
                                    {"Title", f->scene->title},
                                    {"Flipbook", layout},
                                    {"MotionScale", scale},
                                    {NULL, NULL}};
    for (size_t n = 0; n < sizeof files / sizeof files[0] && status == STATUS_OK; n++) {
        char name[1100];
        const char *temporary;
        snprintf(name, sizeof name, "%.*s%s.png", (int)(strlen(path) - 4), path, files[n].suffix);
        fill(b, files[n].kind, most, whole.values);
        status = file_begin(name, &temporary);
        if (status != STATUS_OK)
            break;
        status = png_picture_write(temporary, name, &whole, f->painter->bits, texts);
        if (status == STATUS_OK)
            status = file_commit(temporary);
        else
            file_discard(temporary);
    }
    free(whole.values);
    report("%s: a flipbook of %s pictures; motion of +-%s of a picture is 0 and 1", path, layout,
           scale);
    return status;
}

#ifdef HAVE_OPENEXR
static int write_exr(const fire_flipbook *b, const char *path)
{
    float *const *p = b->planes;
    const exr_channel channels[] = {
        {"R", p[LIGHT], 4},
        {"G", p[LIGHT] + 1, 4},
        {"B", p[LIGHT] + 2, 4},
        {"A", p[LIGHT] + 3, 4},
        {"emission.R", p[EMISSION], 4},
        {"emission.G", p[EMISSION] + 1, 4},
        {"emission.B", p[EMISSION] + 2, 4},
        {"motion.u", p[MOTION], 4},
        {"motion.v", p[MOTION] + 1, 4},
        {"lit.right", p[POSITIVE], 4},
        {"lit.top", p[POSITIVE] + 1, 4},
        {"lit.back", p[POSITIVE] + 2, 4},
        {"lit.left", p[NEGATIVE], 4},
        {"lit.bottom", p[NEGATIVE] + 1, 4},
        {"lit.front", p[NEGATIVE] + 2, 4},
    };
    char text[256] = "";
    const char *temporary;
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    if (exr_write(temporary, b->width, b->height, sizeof channels / sizeof channels[0], channels,
                  sizeof text, text) == 0)
        return file_commit(temporary);
    file_discard(temporary);
    return fail(STATUS_FAILED, "%s: cannot be written: %s", path, text);
}
#else
static int write_exr(const fire_flipbook *b, const char *path)
{
    (void)b, (void)path;
    return STATUS_USAGE; /* fire_files_check() has refused it */
}
#endif

int fire_flipbook_write(const fire_flipbook *b, const fire_files *f)
{
    int status = STATUS_OK;
    if (b->seen < b->skip + b->columns * b->rows + b->loop)
        return STATUS_OK; /* stopped: there is no such thing as a part of a flipbook */
    for (int i = 0; i < f->options->output_count && status == STATUS_OK; i++) {
        const char *path = f->options->outputs[i], *dot = strrchr(path, '.');
        if (strcmp(dot, ".png") == 0)
            status = write_png(b, f, path);
        else if (strcmp(dot, ".exr") == 0)
            status = write_exr(b, path);
    }
    return status;
}
