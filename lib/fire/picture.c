/* SPDX-License-Identifier: MIT */
/* The picture of the fire: camera, march, bloom, composition. */
#include "fire/state.h"

#include <math.h>
#include <string.h>

extern const foehn_source foehn_source_fire_picture;

enum { MOST_PIXELS = 16384 };

void foehn_fire_picture_init(foehn_fire_picture *picture, size_t size)
{
    const foehn_fire_picture defaults = {
        .width = 1280,
        .height = 720,
        .position = {0, 2.6, 9},
        .target = {0, 2.6, 0},
        .up = {0, 1, 0},
        .field_of_view = 45,
        .exposure = 0.01f,
        .bloom_strength = 0.01f,
        .bloom_radius = 0.1f,
        .bloom_threshold = 13,
        .samples = 4,
        .detail = 1,
        .sun_from = {1, 1, 0.5f},
        .sky = {0.02f, 0.025f, 0.035f},
        .ground = {0.22f, 0.17f, 0.12f},
        .solid = {0.30f, 0.21f, 0.14f},
        .grain = 1,
        .daylight = NAN,
    };
    foehn_params_fill(picture, size, &defaults, sizeof defaults);
}

/* Three numbers from 0 to a most. */
static foehn_status check_colour(const char *name, const float c[3], float most)
{
    for (int a = 0; a < 3; a++)
        if (!(c[a] >= 0 && c[a] <= most))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s = %g, %g, %g: 0 to %g each", name,
                              (double)c[0], (double)c[1], (double)c[2], (double)most);
    return FOEHN_OK;
}

static foehn_status check_land(const foehn_fire_land *l)
{
    enum { MOST = 4096 };
    if (l && !(l->nx >= 2 && l->nz >= 2 && l->nx <= MOST && l->nz <= MOST && l->heights &&
               l->spacing[0] > 0 && l->spacing[1] > 0 && isfinite(l->spacing[0] + l->spacing[1]) &&
               isfinite(l->from[0] + l->from[1])))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "land of %d x %d heights %g and %g m apart: 2 to %d, more than 0 m",
                          l->nx, l->nz, l->spacing[0], l->spacing[1], (int)MOST);
    return FOEHN_OK;
}

static foehn_status check_light(const foehn_fire_picture *p)
{
    const float *d = p->sun_from;
    if ((unsigned)p->look > FOEHN_FIRE_LOOK_EMISSION || (unsigned)p->curve > FOEHN_FIRE_CURVE_NONE)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "look %d or curve %d is unknown", (int)p->look,
                          (int)p->curve);
    if (!(p->stops >= -30 && p->stops <= 30))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "stops = %g: -30 to 30", (double)p->stops);
    if (p->samples < 1 || p->samples > 256 || !(p->detail >= 0.1f && p->detail <= 16))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "samples = %d, detail = %g: 1 to 256, 0.1 to 16",
                          p->samples, (double)p->detail);
    if (!(p->shutter >= 0 && p->shutter <= 10) || !(p->embers >= 0 && p->embers <= 1000))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "shutter = %g s, embers = %g: 0 to 10, 0 to 1000",
                          (double)p->shutter, (double)p->embers);
    if (!(p->grain >= 0 && p->grain <= 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "grain = %g: 0 to 1", (double)p->grain);
    if (!isnan(p->daylight) && !(fabsf(p->daylight) <= 90))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "daylight = %g degrees: -90 to 90, or NAN",
                          (double)p->daylight);
    if (!(isfinite(d[0] + d[1] + d[2]) && (d[0] != 0 || d[1] != 0 || d[2] != 0)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "sun_from = %g, %g, %g is no direction",
                          (double)d[0], (double)d[1], (double)d[2]);
    TRY(check_land(p->land));
    TRY(check_colour("sun", p->sun, 1e6f));
    TRY(check_colour("sky", p->sky, 1e6f));
    TRY(check_colour("ground", p->ground, 1));
    return check_colour("solid", p->solid, 1);
}

static foehn_status take_picture(const foehn_fire_picture *given, foehn_fire_picture *p)
{
    *p = foehn_fire_picture_default();
    TRY(foehn_params_take(p, given, "foehn_fire_picture"));
    if (p->width < 1 || p->height < 1 || p->width > MOST_PIXELS || p->height > MOST_PIXELS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a picture of %d x %d pixels: 1 to %d each",
                          p->width, p->height, MOST_PIXELS);
    if (!(p->field_of_view > 0 && p->field_of_view < 180))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "field_of_view = %g degrees: more than 0, less than 180",
                          p->field_of_view);
    if ((unsigned)p->view > FOEHN_FIRE_VIEW_COLLIDERS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "view %d is unknown", (int)p->view);
    if (!(p->exposure > 0 && isfinite(p->exposure)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "exposure = %g: must be > 0", (double)p->exposure);
    if (!(p->bloom_strength >= 0 && isfinite(p->bloom_strength) && p->bloom_threshold >= 0 &&
          isfinite(p->bloom_threshold)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "bloom of strength %g, threshold %g: both must be >= 0",
                          (double)p->bloom_strength, (double)p->bloom_threshold);
    if (!(p->bloom_radius > 0 && p->bloom_radius <= 0.5f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "bloom_radius = %g: more than 0, up to 0.5",
                          (double)p->bloom_radius);
    return check_light(p);
}

/* ---- camera ---- */

static double normalise(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++)
        v[a] /= length;
    return length;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static foehn_status make_camera(const foehn_fire *f, const foehn_fire_picture *p, fire_camera *q)
{
    const double light[3] = {0.36, 0.84, 0.40};
    double forward[3], right[3], up[3], eye[3];
    for (int a = 0; a < 3; a++)
        forward[a] = p->target[a] - p->position[a];
    double away = normalise(forward);
    cross(forward, p->up, right);
    double aside = normalise(right);
    cross(right, forward, up);
    if (!(away > 0 && isfinite(away) && aside > 1e-9 && isfinite(aside)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a camera at (%g, %g, %g) cannot look at (%g, %g, %g) with (%g, %g, %g) "
                          "up",
                          p->position[0], p->position[1], p->position[2], p->target[0],
                          p->target[1], p->target[2], p->up[0], p->up[1], p->up[2]);
    double half = tan(p->field_of_view * 3.14159265358979323846 / 360);
    foehn_matrix_point(&f->to_box, p->position, eye);
    for (int a = 0; a < 3; a++)
        q->eye[a] = (f32)eye[a];
    foehn_fire_turn(f, forward, 1, q->forward);
    foehn_fire_turn(f, right, half * p->width / p->height, q->right);
    foehn_fire_turn(f, up, half, q->up);
    foehn_fire_turn(f, light, 1, q->light);
    return FOEHN_OK;
}

/* Drawn with rays of light rather than the preset's way. */
static bool is_lit(const foehn_fire *f, const foehn_fire_picture *p)
{
    return foehn_fire_burns(f) && p->look != FOEHN_FIRE_LOOK_PRESET &&
           p->view <= FOEHN_FIRE_VIEW_NO_BLOOM;
}

/* Samples of the preset's way in a fire that burns: one a voxel along the box's diagonal. */
static int march_steps(const foehn_fire *f)
{
    const double *s = f->params.size, *h = f->render_spacing;
    if (!foehn_fire_burns(f))
        return f->params.march_steps;
    return (int)fmin(sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) / fmin(fmin(h[0], h[1]), h[2]),
                     1024);
}

static foehn_status make_view(const foehn_fire *f, const foehn_fire_picture *p, fire_camera *q)
{
    double scale = foehn_fire_burns(f) ? 1 : (double)f->params.pass_scale;
    double jitter = p->frame * 0.118033988749895;
    *q = (fire_camera){
        .width = (i32)fmax(round(p->width * scale), 1),
        .height = (i32)fmax(round(p->height * scale), 1),
        .full_width = p->width,
        .full_height = p->height,
        .steps = march_steps(f),
        .view = (i32)p->view,
        .jitter = (f32)(jitter - floor(jitter)),
        .turbulence = f->params.turbulence,
        .radiance = f->params.radiance,
        .palette = (f32)(1 / (double)f->params.palette_temperature),
        .draws_colliders =
            p->draw_colliders != 0 && f->collider_count > 0 && p->view != FOEHN_FIRE_VIEW_COLLIDERS,
    };
    q->has_depth = p->depth != NULL || q->draws_colliders;
    return make_camera(f, p, q);
}

/* ---- buffers ---- */

static foehn_status resize(foehn_fire *f, cl_mem *buffer, size_t bytes, size_t *had)
{
    if (*buffer && *had >= bytes)
        return FOEHN_OK;
    foehn_buffer_destroy(f->ctx, buffer);
    TRY(foehn_buffer_create(f->ctx, bytes, buffer));
    *had = bytes;
    return FOEHN_OK;
}

static size_t land_bytes(const foehn_fire_picture *p)
{
    return p->land ? (size_t)p->land->nx * (size_t)p->land->nz * sizeof(float) : sizeof(float);
}

static foehn_status make_buffers(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q,
                                 bool has_background)
{
    size_t full = (size_t)q->full_width * (size_t)q->full_height;
    size_t pass = (size_t)q->width * (size_t)q->height;
    size_t half = ((size_t)q->full_width + 1) / 2 * (((size_t)q->full_height + 1) / 2);
    uint64_t before = f->ctx->memory;
    foehn_status status = resize(f, &f->picture.pass, pass * 16, &f->picture.bytes[0]);
    for (int n = 0; n < 2 && status == FOEHN_OK; n++)
        status = resize(f, &f->picture.half[n], half * 16, &f->picture.bytes[1 + n]);
    if (status == FOEHN_OK)
        status = resize(f, &f->picture.out, full * 16, &f->picture.bytes[3]);
    /* Kernels take these as arguments even where they are not looked at. */
    if (status == FOEHN_OK)
        status = resize(f, &f->picture.background, has_background ? full * 16 : 16,
                        &f->picture.bytes[4]);
    if (status == FOEHN_OK)
        status = resize(f, &f->picture.depth, q->has_depth ? full * 4 : 4, &f->picture.bytes[5]);
    if (status == FOEHN_OK)
        status = resize(f, &f->picture.land, land_bytes(p), &f->picture.bytes[6]);
    f->memory += f->ctx->memory - before;
    return status;
}

void foehn_fire_destroy_picture(foehn_fire *f)
{
    cl_mem *all[] = {&f->picture.pass, &f->picture.half[0],    &f->picture.half[1],
                     &f->picture.out,  &f->picture.background, &f->picture.depth,
                     &f->picture.land};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
        foehn_buffer_destroy(f->ctx, all[n]);
}

/* ---- stages ---- */

/* Made for the first picture: many fires are only written to files. */
static foehn_status create_kernels(foehn_fire *f)
{
    const struct {
        const char *name;
        double bytes;
        foehn_kernel *kernel;
    } table[] = {
        {"solids", 0, &f->kernel.solids},      {"march", 16, &f->kernel.march},
        {"bright", 2 * 16, &f->kernel.bright}, {"blur", 2 * 16, &f->kernel.blur},
        {"compose", 16, &f->kernel.compose},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (!table[i].kernel->handle)
            TRY(foehn_kernel_create(f->ctx, &foehn_source_fire_picture, f->options, table[i].name,
                                    table[i].bytes, table[i].kernel));
    return FOEHN_OK;
}

/* How far things are that the caller has, and the land. */
static foehn_status put_places(foehn_fire *f, const foehn_fire_picture *p)
{
    if (p->depth)
        TRY(foehn_buffer_write(f->ctx, f->picture.depth, 0,
                               (size_t)p->width * (size_t)p->height * 4, p->depth));
    return p->land ? foehn_buffer_write(f->ctx, f->picture.land, 0, land_bytes(p), p->land->heights)
                   : FOEHN_OK;
}

/* What lies behind: the caller's, and colliders where they are drawn. */
static foehn_status lay_background(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q)
{
    size_t full = (size_t)q->full_width * (size_t)q->full_height;
    foehn_size pixels = {(size_t)q->full_width, (size_t)q->full_height, 1};
    if (p->background)
        TRY(foehn_buffer_write(f->ctx, f->picture.background, 0, full * 16, p->background));
    TRY(put_places(f, p));
    if (!q->draws_colliders || is_lit(f, p)) /* rays of light find colliders themselves */
        return FOEHN_OK;
    cl_int clear_background = !p->background, clear_depth = !p->depth;
    return LAUNCH_LOCAL(f->ctx, f->kernel.solids, pixels, foehn_fire_pixel_group(f), ARG(f->g),
                        ARG(*q), ARG(clear_background), ARG(clear_depth), ARG(f->sdf),
                        ARG(f->picture.background), ARG(f->picture.depth));
}

static foehn_status march(foehn_fire *f, const fire_camera *q)
{
    cl_mem dye = foehn_fire_burns(f) ? NULL : f->dye[f->dye_now];
    if (foehn_fire_burns(f))
        TRY(foehn_fire_as_preset(f, &dye));
    foehn_size pixels = {(size_t)q->width, (size_t)q->height, 1};
    return LAUNCH_LOCAL(f->ctx, f->kernel.march, pixels, foehn_fire_pixel_group(f), ARG(f->g),
                        ARG(f->r), ARG(*q), ARG(dye), AIR(f, 0), ARG(f->sdf), ARG(f->picture.depth),
                        ARG(f->picture.pass));
}

/* Bright places, spread: a Gaussian that ends at the radius. */
static foehn_status bloom(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q,
                          float exposure, cl_int width, cl_int height)
{
    foehn_size pixels = {(size_t)width, (size_t)height, 1};
    float sigma = fmaxf(p->bloom_radius * (float)height / 3, 0.5f);
    TRY(LAUNCH_LOCAL(f->ctx, f->kernel.bright, pixels, foehn_fire_pixel_group(f), ARG(width),
                     ARG(height), ARG(q->width), ARG(q->height), ARG(exposure),
                     ARG(p->bloom_threshold), ARG(f->picture.pass), ARG(f->picture.half[0])));
    for (cl_int along_y = 0; along_y < 2; along_y++)
        TRY(LAUNCH_LOCAL(f->ctx, f->kernel.blur, pixels, foehn_fire_pixel_group(f), ARG(width),
                         ARG(height), ARG(along_y), ARG(sigma), ARG(f->picture.half[along_y]),
                         ARG(f->picture.half[1 - along_y])));
    return FOEHN_OK;
}

static foehn_status draw(foehn_fire *f, const foehn_fire_picture *given, cl_int format,
                         foehn_fire_picture *p)
{
    fire_camera q;
    TRY(take_picture(given, p));
    TRY(make_view(f, p, &q));
    TRY(create_kernels(f));
    bool lit = is_lit(f, p);
    cl_int has_background = p->background != NULL || (q.draws_colliders && !lit);
    float exposure = lit ? exp2f(p->stops) / 20 : p->exposure;
    cl_int curve = (cl_int)p->curve;
    TRY(make_buffers(f, p, &q, has_background));
    TRY(lay_background(f, p, &q));
    if (lit)
        TRY(foehn_fire_look_at(f, p, &q));
    else
        TRY(march(f, &q));
    cl_int width = (p->width + 1) / 2, height = (p->height + 1) / 2;
    float strength = p->view == FOEHN_FIRE_VIEW_FINAL ? p->bloom_strength : 0;
    if (strength > 0)
        TRY(bloom(f, p, &q, exposure, width, height));
    foehn_size pixels = {(size_t)p->width, (size_t)p->height, 1};
    if (lit)
        return LAUNCH_LOCAL(f->ctx, f->kernel.develop, pixels, foehn_fire_pixel_group(f), ARG(q),
                            ARG(width), ARG(height), ARG(exposure), ARG(strength), ARG(curve),
                            ARG(format), ARG(has_background), ARG(f->picture.pass),
                            ARG(f->picture.half[0]), ARG(f->picture.background),
                            ARG(f->picture.out), ARG(f->picture.out));
    return LAUNCH_LOCAL(f->ctx, f->kernel.compose, pixels, foehn_fire_pixel_group(f), ARG(q),
                        ARG(width), ARG(height), ARG(exposure), ARG(strength), ARG(format),
                        ARG(has_background), ARG(f->picture.pass), ARG(f->picture.half[0]),
                        ARG(f->picture.background), ARG(f->picture.out), ARG(f->picture.out));
}

static foehn_status count_draw(foehn_fire *f, const foehn_fire_picture *given, cl_int format,
                               foehn_fire_picture *p)
{
    uint64_t before = f->ctx->launches;
    TRY(foehn_fire_refresh_colliders(f));
    TRY(draw(f, given, format, p));
    f->launches += f->ctx->launches - before;
    return FOEHN_OK;
}

foehn_status foehn_fire_draw(foehn_fire *f, const foehn_fire_picture *picture)
{
    foehn_fire_picture p;
    return count_draw(f, picture, FOEHN_FIRE_BYTES, &p);
}

foehn_status foehn_fire_read_picture(foehn_fire *f, const foehn_fire_picture *picture,
                                     foehn_fire_pixels pixels, void *out)
{
    foehn_fire_picture p;
    const size_t bytes[3] = {16, 4, 8};
    if ((unsigned)pixels > FOEHN_FIRE_WORDS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "pixels of kind %d are unknown", (int)pixels);
    TRY(count_draw(f, picture, (cl_int)pixels, &p));
    return foehn_buffer_read(f->ctx, f->picture.out, 0,
                             (size_t)p.width * (size_t)p.height * bytes[pixels], out);
}

foehn_status foehn_fire_read_motion(foehn_fire *f, const foehn_fire_picture *picture, float *out)
{
    foehn_fire_picture p;
    fire_camera q;
    uint64_t before = f->ctx->launches;
    if (!foehn_fire_burns(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "depth and motion of a picture are for fires that burn");
    TRY(foehn_fire_refresh_colliders(f));
    TRY(take_picture(picture, &p));
    TRY(make_view(f, &p, &q));
    TRY(make_buffers(f, &p, &q, false));
    TRY(put_places(f, &p));
    TRY(foehn_fire_see(f));
    TRY(foehn_fire_follow(f, &p, &q));
    f->launches += f->ctx->launches - before;
    return foehn_buffer_read(f->ctx, f->picture.out, 0, (size_t)p.width * (size_t)p.height * 16,
                             out);
}
