/* SPDX-License-Identifier: MIT */
/* Volumes as GL textures, on whatever EGL offers (in CI Mesa's llvmpipe): texels bit for bit, state
 * put back, the wrap seam, frames in flight, and the paths that need extensions through doubles. */
#include "publish/published.h"
#include "publish/sharing.h"

#include <foehn/gl.h>

#include "examples/offscreen.h"
#ifdef HAVE_VULKAN
#include "publish/vulkan_state.h"
#endif

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

/* ---- the context: OpenGL 3.3 core, or 2.1 in the program that is built for it ---- */

#ifdef TEST_LEGACY
enum { LEGACY = 1 };
#else
enum { LEGACY = 0 };
#endif

static void reopen(void)
{
    ck_assert_msg(offscreen_open(LEGACY), "no GL context");
}

/* A loader that hides functions, as an older driver would. */
static const char *hidden[4];

static void GLAPIENTRY finish_and_note(void)
{
    sharing_note('F');
    glFinish();
}

static const GLubyte *(*real_get_string)(GLenum);
static const char *fake_version;

static const GLubyte *GLAPIENTRY get_string(GLenum name)
{
    return name == GL_VERSION && fake_version ? (const GLubyte *)fake_version : glGetString(name);
}

/* What a driver may do when memory is short, or the screen was lost. */
static bool maps_fail, unmaps_fail;

static void *GLAPIENTRY map_buffer(GLenum target, GLenum access)
{
    return maps_fail ? NULL : glMapBuffer(target, access);
}

static void *GLAPIENTRY map_buffer_range(GLenum target, GLintptr offset, GLsizeiptr size,
                                         GLbitfield access)
{
    return maps_fail ? NULL : glMapBufferRange(target, offset, size, access);
}

static GLboolean GLAPIENTRY unmap_buffer(GLenum target)
{
    GLboolean intact = glUnmapBuffer(target);
    return unmaps_fail ? GL_FALSE : intact;
}

/* A GL that is far behind: it has not yet read what it was given. */
static bool is_behind;

static GLenum GLAPIENTRY wait_sync(GLsync sync, GLbitfield flags, GLuint64 nanoseconds)
{
    return is_behind ? GL_TIMEOUT_EXPIRED : glClientWaitSync(sync, flags, nanoseconds);
}

static void *load(const char *name)
{
    void *address;
    void (*finish)(void) = finish_and_note;
    void *(*map)(GLenum, GLenum) = map_buffer;
    void *(*map_range)(GLenum, GLintptr, GLsizeiptr, GLbitfield) = map_buffer_range;
    GLboolean (*unmap)(GLenum) = unmap_buffer;
    GLenum (*wait)(GLsync, GLbitfield, GLuint64) = wait_sync;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (hidden[i] && strcmp(name, hidden[i]) == 0)
            return NULL;
    real_get_string = get_string;
    if (strcmp(name, "glFinish") == 0)
        memcpy(&address, &finish, sizeof address);
    else if (strcmp(name, "glMapBuffer") == 0)
        memcpy(&address, &map, sizeof address);
    else if (strcmp(name, "glMapBufferRange") == 0)
        memcpy(&address, &map_range, sizeof address);
    else if (strcmp(name, "glUnmapBuffer") == 0)
        memcpy(&address, &unmap, sizeof address);
    else if (strcmp(name, "glClientWaitSync") == 0)
        memcpy(&address, &wait, sizeof address);
    else if (strcmp(name, "glGetString") == 0)
        memcpy(&address, &real_get_string, sizeof address);
    else
        return offscreen_get_proc_address(name);
    return address;
}

/* 0: all there is; 1: no persistent maps; 2: no fences either. */
static void hide(int level)
{
    hidden[0] = level == 1 ? "glBufferStorage" : level == 2 ? "glFenceSync" : NULL;
}

static foehn_gl *open_gl(foehn_volume *volume, unsigned texture, foehn_gl_path fastest)
{
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    params.get_proc_address = load;
    params.texture = texture;
    params.fastest = fastest;
    OK(foehn_gl_create(volume, &params, &gl));
    return gl;
}

/* ---- texels ---- */

/* As many halves from the texture as the volume has, without a word to the adapter. */
static uint16_t *texture_halves(const published *p, const foehn_gl_info *info)
{
    GLint bound;
    uint16_t *halves = testing_alloc(p->halves * sizeof *halves);
    glGetIntegerv(info->target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D : GL_TEXTURE_BINDING_3D,
                  &bound);
    glBindTexture(info->target, info->texture);
    glGetTexImage(info->target, 0, GL_RGBA, GL_HALF_FLOAT, halves);
    glBindTexture(info->target, (GLuint)bound);
    ck_assert_int_eq(glGetError(), GL_NO_ERROR);
    return halves;
}

static bool texture_holds(const published *p, const foehn_gl_info *info, const uint16_t *halves)
{
    uint16_t *texels = texture_halves(p, info);
    bool same = memcmp(texels, halves, p->halves * sizeof *halves) == 0;
    free(texels);
    return same;
}

/* Three steps, each bit for bit the host's halves, with the info that belongs to them. */
static void publish_and_compare(published *p, foehn_gl *gl)
{
    foehn_gl_info info;
    for (int n = 1; n <= 3; n++) {
        step_published(p, n);
        OK(foehn_gl_write_and_wait(gl));
        foehn_gl_get_info(gl, &info);
        uint16_t *halves = host_halves(p);
        ck_assert_int_gt(count_nonzero(halves, p->halves), 10);
        ck_assert_msg(texture_holds(p, &info, halves), "step %d: other texels", n);
        free(halves);
        foehn_volume_info newest;
        foehn_volume_get_info(p->volume, &newest);
        ck_assert_mem_eq(&info.content, &newest, sizeof newest);
        ck_assert_uint_eq(info.shown, (uint64_t)n);
        ck_assert_uint_eq(info.skipped, 0);
        ck_assert_int_eq(info.pending, 0);
        GLint bound, wrap;
        glGetIntegerv(info.target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D : GL_TEXTURE_BINDING_3D,
                      &bound);
        glBindTexture(info.target, info.texture);
        glGetTexParameteriv(info.target, GL_TEXTURE_WRAP_T, &wrap);
        glBindTexture(info.target, (GLuint)bound);
        ck_assert_int_eq(newest.repeats, p->wind != NULL);
        ck_assert_int_eq(wrap, newest.repeats ? GL_REPEAT : GL_CLAMP_TO_EDGE);
    }
}

static void compare_all_kinds(foehn_context *ctx, foehn_gl_path path)
{
    for (published_kind kind = 0; kind < PUBLISHED_KINDS; kind++) {
        published p = open_published(ctx, kind);
        foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
        foehn_gl_info info;
        foehn_gl_get_info(gl, &info);
        ck_assert_int_eq(info.path, path);
        ck_assert_uint_eq(info.target, kind == PUBLISHED_FLOW ? GL_TEXTURE_2D : GL_TEXTURE_3D);
        ck_assert_uint_eq(info.content.step, 0);
        uint16_t *texels = texture_halves(&p, &info);
        ck_assert_int_eq(count_nonzero(texels, p.halves), 0); /* before anything has arrived */
        free(texels);
        publish_and_compare(&p, gl);
        foehn_gl_destroy(gl);
        close_published(&p);
        ck_assert_int_eq(glGetError(), GL_NO_ERROR);
    }
}

START_TEST(texels_are_the_hosts_bit_for_bit)
{
    hide(_i);
    compare_all_kinds(context, FOEHN_GL_COPIED);
    hide(0);
}
END_TEST

START_TEST(a_texture_of_the_callers_is_filled_and_kept)
{
    hide(_i);
    published p = open_published(context, PUBLISHED_WIND);
    GLuint texture;
    GLint filter, wrap;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D, texture);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA16F, 20, 6, 12, 0, GL_RGBA, GL_FLOAT, NULL);
    foehn_gl *gl = open_gl(p.volume, texture, FOEHN_GL_SHARED);
    foehn_gl_info info;
    publish_and_compare(&p, gl);
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.texture, texture);
    foehn_gl_destroy(gl);
    ck_assert(glIsTexture(texture));
    glGetTexParameteriv(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, &filter);
    glGetTexParameteriv(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, &wrap);
    ck_assert_int_eq(filter, GL_NEAREST);
    ck_assert_int_eq(wrap, GL_MIRRORED_REPEAT);
    glDeleteTextures(1, &texture);
    close_published(&p);
    hide(0);
}
END_TEST

/* ---- the caller's state ---- */

static const GLenum integers[] = {
    GL_ACTIVE_TEXTURE,
    GL_TEXTURE_BINDING_2D,
    GL_TEXTURE_BINDING_3D,
    GL_PIXEL_UNPACK_BUFFER_BINDING,
    GL_PIXEL_PACK_BUFFER_BINDING,
    GL_ARRAY_BUFFER_BINDING,
    GL_UNPACK_SWAP_BYTES,
    GL_UNPACK_LSB_FIRST,
    GL_UNPACK_ROW_LENGTH,
    GL_UNPACK_SKIP_ROWS,
    GL_UNPACK_SKIP_PIXELS,
    GL_UNPACK_ALIGNMENT,
    GL_UNPACK_IMAGE_HEIGHT,
    GL_UNPACK_SKIP_IMAGES,
    GL_PACK_ALIGNMENT,
    GL_PACK_ROW_LENGTH,
};
static const GLenum transfers[] = {
    GL_MAP_COLOR, GL_RED_SCALE,  GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE,
    GL_RED_BIAS,  GL_GREEN_BIAS, GL_BLUE_BIAS,   GL_ALPHA_BIAS,
};
enum {
    UNITS = 4,
    INTEGERS = sizeof integers / sizeof *integers,
    STATES = INTEGERS + 2 * UNITS + 9
};

static void read_state(double state[STATES])
{
    int n = 0;
    for (int i = 0; i < INTEGERS; i++) {
        GLint value = -1;
        glGetIntegerv(integers[i], &value);
        state[n++] = value;
    }
    GLint active = (GLint)state[0];
    for (int unit = 0; unit < UNITS; unit++) {
        GLint flat = -1, deep = -1;
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &flat);
        glGetIntegerv(GL_TEXTURE_BINDING_3D, &deep);
        state[n++] = flat;
        state[n++] = deep;
    }
    glActiveTexture((GLenum)active);
    for (int i = 0; i < 9; i++) {
        GLfloat value = -1;
        if (LEGACY)
            glGetFloatv(transfers[i], &value);
        state[n++] = (double)value;
    }
    ck_assert_int_eq(glGetError(), GL_NO_ERROR);
}

/* Everything an upload depends on, set to something else. */
static void disturb_state(GLuint textures[2 * UNITS], GLuint *buffer)
{
    glGenTextures(2 * UNITS, textures);
    for (int unit = 0; unit < UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_2D, textures[2 * unit]);
        glBindTexture(GL_TEXTURE_3D, textures[2 * unit + 1]);
    }
    glActiveTexture(GL_TEXTURE2);
    glGenBuffers(1, buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, *buffer);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
    glPixelStorei(GL_UNPACK_LSB_FIRST, GL_TRUE);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 77);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 5);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 99);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 7);
    for (int i = 0; i < 9 && LEGACY; i++)
        glPixelTransferf(transfers[i], i == 0 ? 1 : 0.25f * (float)i);
}

static void calm_state(const GLuint textures[2 * UNITS], GLuint buffer)
{
    static const GLenum zero[] = {
        GL_UNPACK_SWAP_BYTES,  GL_UNPACK_LSB_FIRST,    GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS,
        GL_UNPACK_SKIP_PIXELS, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        glPixelStorei(zero[i], 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (int i = 0; i < 9 && LEGACY; i++)
        glPixelTransferf(transfers[i], i >= 1 && i <= 4 ? 1 : 0);
    glDeleteTextures(2 * UNITS, textures);
    glDeleteBuffers(1, &buffer);
    glActiveTexture(GL_TEXTURE0);
}

static void compare_state(const double before[STATES], const char *after_what)
{
    double now[STATES];
    read_state(now);
    for (int i = 0; i < STATES; i++)
        ck_assert_msg(now[i] == before[i], "after %s: state %d is %g, it was %g", after_what, i,
                      now[i], before[i]);
}

START_TEST(the_callers_state_is_put_back_and_does_no_harm)
{
    hide(_i);
    GLuint textures[2 * UNITS], buffer;
    double before[STATES];
    published p = open_published(context, PUBLISHED_WIND);
    disturb_state(textures, &buffer);
    read_state(before);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    compare_state(before, "create");
    for (int n = 1; n <= 8; n++) {
        step_published(&p, n);
        OK(foehn_gl_write(gl));
        compare_state(before, "write");
    }
    OK(foehn_gl_write_and_wait(gl));
    compare_state(before, "write_and_wait");
    foehn_gl_info info;
    foehn_gl_get_info(gl, &info);
    calm_state(textures, buffer);
    uint16_t *halves = host_halves(&p);
    ck_assert(texture_holds(&p, &info, halves));
    free(halves);
    disturb_state(textures, &buffer);
    read_state(before);
    foehn_gl_destroy(gl);
    compare_state(before, "destroy");
    calm_state(textures, buffer);
    close_published(&p);
    hide(0);
}
END_TEST

/* ---- frames in flight ---- */

/* Writes without a wait, more often than the ring is long: whatever is shown is of one step whole.
 */
START_TEST(what_is_shown_is_never_torn)
{
    enum { STEPS = 40 };
    hide(_i);
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    uint16_t *recorded[STEPS + 1] = {NULL};
    uint64_t last = 0;
    for (int n = 1; n <= STEPS; n++) {
        step_published(&p, n);
        OK(foehn_gl_write(gl));
        OK(foehn_gl_write(gl)); /* no news: only shows */
        if (n % 4 == 0)
            recorded[n] = host_halves(&p); /* which waits; in between the ring fills */
        foehn_gl_get_info(gl, &info);
        ck_assert_uint_ge(info.content.step, last);
        ck_assert_int_le(info.pending, 3);
        last = info.content.step;
        if (last > 0 && recorded[last])
            ck_assert_msg(texture_holds(&p, &info, recorded[last]), "step %d is torn", (int)last);
    }
    OK(foehn_gl_write_and_wait(gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, STEPS);
    ck_assert_uint_eq(info.shown + info.skipped, STEPS);
    ck_assert_uint_gt(info.shown, 1);
    ck_assert(texture_holds(&p, &info, recorded[STEPS]));
    for (int n = 0; n <= STEPS; n++)
        free(recorded[n]);
    foehn_gl_destroy(gl);
    close_published(&p);
    hide(0);
}
END_TEST

START_TEST(of_what_has_arrived_the_newest_is_shown)
{
    hide(_i);
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    for (int n = 1; n <= 3; n++) {
        step_published(&p, n);
        OK(foehn_gl_write(gl));
    }
    OK(foehn_context_wait(context));
    OK(foehn_gl_write(gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, 3);
    ck_assert_uint_eq(info.shown + info.skipped, 3);
    ck_assert_int_eq(info.pending, 0);
    foehn_gl_destroy(gl);
    close_published(&p);
    hide(0);
}
END_TEST

/* ---- sampling in a shader ---- */

#ifndef TEST_LEGACY

static GLuint compile(GLenum kind, const char *text)
{
    GLint compiled = 0;
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    ck_assert(compiled);
    return shader;
}

typedef struct sampler {
    GLuint program, array, frame, output;
} sampler;

/* One pixel a point: the texture at uvw as 32-bit floats. */
static sampler open_sampler(int points)
{
    sampler s;
    GLint linked = 0;
    s.program = glCreateProgram();
    glAttachShader(s.program, compile(GL_VERTEX_SHADER,
                                      "#version 330\nuniform float count;in vec3 uvw;out vec3 at;"
                                      "void main(){at=uvw;gl_PointSize=1.0;gl_Position=vec4("
                                      "(2.0*float(gl_VertexID)+1.0)/count-1.0,0.0,0.0,1.0);}"));
    glAttachShader(s.program, compile(GL_FRAGMENT_SHADER,
                                      "#version 330\nuniform sampler3D wind;in vec3 at;out vec4 o;"
                                      "void main(){o=texture(wind,at);}"));
    glBindAttribLocation(s.program, 0, "uvw");
    glLinkProgram(s.program);
    glGetProgramiv(s.program, GL_LINK_STATUS, &linked);
    ck_assert(linked);
    glUseProgram(s.program);
    glUniform1f(glGetUniformLocation(s.program, "count"), (float)points);
    glGenVertexArrays(1, &s.array);
    glBindVertexArray(s.array);
    glGenRenderbuffers(1, &s.output);
    glBindRenderbuffer(GL_RENDERBUFFER, s.output);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, points, 1);
    glGenFramebuffers(1, &s.frame);
    glBindFramebuffer(GL_FRAMEBUFFER, s.frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s.output);
    glViewport(0, 0, points, 1);
    ck_assert_int_eq(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    return s;
}

static void close_sampler(sampler *s)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    glDeleteFramebuffers(1, &s->frame);
    glDeleteRenderbuffers(1, &s->output);
    glDeleteVertexArrays(1, &s->array);
    glDeleteProgram(s->program);
}

static void sample(const foehn_gl_info *info, int points, const float *uvw, float *out)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 12 * points, uvw, GL_STREAM_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindTexture(GL_TEXTURE_3D, info->texture);
    glDrawArrays(GL_POINTS, 0, points);
    glDeleteBuffers(1, &buffer);
    if (out)
        glReadPixels(0, 0, points, 1, GL_RGBA, GL_FLOAT, out);
    ck_assert_int_eq(glGetError(), GL_NO_ERROR);
}

/* Points at random in the box where all eight cells around are inside; every second one at the
 * height of a cell centre.  Far from the origin the world's coordinates lose bits in floats, so
 * whole boxes are taken off first. */
static void random_points(const foehn_volume_info *info, int points, double *world, float *uvw)
{
    uint64_t seed = 5;
    const int n[3] = {info->nx, info->ny, info->nz};
    for (int i = 0; i < 3 * points; i++) {
        int a = i % 3;
        double at = testing_uniform(&seed, 0.51, n[a] - 0.51); /* cells */
        if (a == 1 && i / 3 % 2)
            at = floor(at) + 0.5;
        world[i] = info->origin[a] + at * info->spacing[a];
        double turns = world[i] / info->extent[a];
        uvw[i] = (float)(turns - floor(turns));
    }
}

/* Trilinear between cell centres of a field as foehn_wind_read() gives it. */
static double trilinear(const foehn_volume_info *info, const float *field, const double world[3])
{
    const size_t n[3] = {(size_t)info->nx, (size_t)info->ny, (size_t)info->nz};
    size_t low[3];
    double t[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        double at = (world[a] - info->origin[a]) / info->spacing[a] - 0.5;
        low[a] = (size_t)at;
        t[a] = at - floor(at);
    }
    for (size_t c = 0; c < 8; c++) {
        size_t i = low[0] + (c & 1), j = low[1] + (c >> 1 & 1), k = low[2] + (c >> 2);
        double weight =
            (c & 1 ? t[0] : 1 - t[0]) * (c >> 1 & 1 ? t[1] : 1 - t[1]) * (c >> 2 ? t[2] : 1 - t[2]);
        if (weight > 0)
            sum += weight * (double)field[(k * n[1] + j) * n[0] + i];
    }
    return sum;
}

/* The lower corner of the box lies between texels 0 and n: the seam is inside.  Heights between
 * cell centres: the host's sampler follows the log law there, a texture filter a straight line, so
 * these are compared with the straight line. */
START_TEST(a_shader_samples_across_the_wrap_seam_as_the_host_does)
{
    enum { POINTS = 512, CELLS = 20 * 6 * 12 };
    /* Half an ulp of halves below 16 m/s, and along each axis a filter weight's 1/512, which is as
     * exact as hardware is, of 2 m/s between cells. */
    const double most = 0.0039 + 3 * 0.0039;
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    for (int n = 1; n <= 5; n++)
        step_published(&p, n);
    OK(foehn_gl_write_and_wait(gl));
    foehn_gl_info info;
    foehn_gl_get_info(gl, &info);
    for (int a = 0; a < 3; a += 2) {
        double turns = info.content.origin[a] / info.content.extent[a];
        ck_assert_msg(fabs(turns - round(turns)) > 0.05, "the seam is on the edge of axis %d", a);
    }
    double *world = testing_alloc(3 * POINTS * sizeof *world);
    float *uvw = testing_alloc(3 * POINTS * sizeof *uvw), *out = testing_alloc(4 * POINTS * 4);
    float *wanted = testing_alloc(4 * POINTS * 4), *field = testing_alloc(CELLS * sizeof *field);
    random_points(&info.content, POINTS, world, uvw);
    sampler s = open_sampler(POINTS);
    sample(&info, POINTS, uvw, out);
    close_sampler(&s);
    OK(foehn_wind_read_points(p.wind, 0, POINTS, world, wanted)); /* flat: y is the height */
    double off_line = 0, off_host = 0;
    for (int a = 0; a < 3; a++) {
        OK(foehn_wind_read(p.wind, (foehn_wind_field)(FOEHN_WIND_U + a), field));
        for (int i = 0; i < POINTS; i++) {
            double got = (double)out[4 * i + a];
            off_line = fmax(off_line, fabs(got - trilinear(&info.content, field, world + 3 * i)));
            if (i % 2)
                off_host = fmax(off_host, fabs(got - (double)wanted[4 * i + a]));
        }
    }
    testing_report("a shader is off by %.2g m/s at most from cells between, by %.2g m/s from the "
                   "host's sampler at heights of centres",
                   off_line, off_host);
    ck_assert_double_le(off_line, most);
    ck_assert_double_le(off_host, most);
    free(world);
    free(uvw);
    free(out);
    free(wanted);
    free(field);
    foehn_gl_destroy(gl);
    close_published(&p);
}
END_TEST

/* GL has three buffers to read and has not: none of them is written to until it has. */
START_TEST(a_buffer_that_gl_still_reads_is_not_written)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    is_behind = true;
    for (int n = 1; n <= 6; n++) {
        step_published(&p, n);
        OK(foehn_gl_write(gl));
        OK(foehn_context_wait(context));
        OK(foehn_gl_write(gl));
        foehn_gl_get_info(gl, &info);
        ck_assert_uint_eq(info.content.step, n < 3 ? (uint64_t)n : 3);
    }
    ck_assert_int_eq(info.pending, 0);
    is_behind = false;
    OK(foehn_gl_write_and_wait(gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, 6);
    ck_assert_uint_eq(info.skipped, 2);
    foehn_gl_destroy(gl);
    close_published(&p);
}
END_TEST

/* Drawing of step n is under way when step n + 1 is published: it still is of step n. */
START_TEST(publishing_does_not_touch_what_was_drawn_before)
{
    enum { POINTS = 240 };
    for (int path = 0; path < 2; path++) {
        published p = open_published(context, PUBLISHED_WIND);
        GLuint own = 0;
        if (path) {
            glGenTextures(1, &own);
            glBindTexture(GL_TEXTURE_3D, own);
            glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
            glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA16F, 20, 6, 12, 0, GL_RGBA, GL_FLOAT, NULL);
        }
        foehn_gl *gl = open_gl(p.volume, own, FOEHN_GL_SHARED);
        foehn_gl_info info;
        float uvw[3 * POINTS], out[2][4 * POINTS];
        uint16_t *halves[2];
        sampler s[2];
        for (int i = 0; i < POINTS; i++) { /* the centres of the first layers' texels */
            uvw[3 * i] = ((float)(i % 20) + 0.5f) / 20;
            uvw[3 * i + 1] = ((float)(i / 20 % 6) + 0.5f) / 6;
            uvw[3 * i + 2] = ((float)(i / 120) + 0.5f) / 12;
        }
        for (int n = 0; n < 2; n++) {
            step_published(&p, n + 1);
            OK(foehn_gl_write_and_wait(gl));
            foehn_gl_get_info(gl, &info);
            halves[n] = host_halves(&p);
            s[n] = open_sampler(POINTS);
            sample(&info, POINTS, uvw, NULL);
        }
        for (int n = 0; n < 2; n++) {
            glBindFramebuffer(GL_FRAMEBUFFER, s[n].frame);
            glReadPixels(0, 0, POINTS, 1, GL_RGBA, GL_FLOAT, out[n]);
            for (int i = 0; i < 4 * POINTS; i++)
                NEAR(out[n][i], foehn_half_to_float(halves[n][i]), 1e-4);
        }
        ck_assert_mem_ne(out[0], out[1], sizeof out[0]);
        for (int n = 0; n < 2; n++) {
            close_sampler(&s[n]);
            free(halves[n]);
        }
        foehn_gl_destroy(gl);
        glDeleteTextures(1, &own);
        close_published(&p);
    }
}
END_TEST

#endif

/* ---- what does not work is told ---- */

START_TEST(errors_name_what_is_wrong)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    FAILS(FOEHN_ERROR_ARGUMENT, "get_proc_address is NULL",
          foehn_gl_create(p.volume, &params, &gl));
    params.get_proc_address = load;
    hidden[0] = "glTexSubImage3D";
    FAILS(FOEHN_ERROR_ARGUMENT, "glTexSubImage3D", foehn_gl_create(p.volume, &params, &gl));
    ck_assert_ptr_null(gl);
    hidden[0] = NULL;
    fake_version = "1.4.20501 Chimera";
    FAILS(FOEHN_ERROR_ARGUMENT, "1.4.20501 Chimera", foehn_gl_create(p.volume, &params, &gl));
    fake_version = "OpenGL ES 3.2 Mesa";
    FAILS(FOEHN_ERROR_ARGUMENT, "OpenGL ES 3.2", foehn_gl_create(p.volume, &params, &gl));
    fake_version = NULL;
    params.target = GL_TEXTURE_2D;
    FAILS(FOEHN_ERROR_ARGUMENT, "12 layers", foehn_gl_create(p.volume, &params, &gl));
    params.target = GL_TEXTURE_1D;
    FAILS(FOEHN_ERROR_ARGUMENT, "0x0de0", foehn_gl_create(p.volume, &params, &gl));
    params.target = 0;
    glGenTextures(1, &params.texture);
    glBindTexture(GL_TEXTURE_3D, params.texture);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA16F, 20, 6, 11, 0, GL_RGBA, GL_FLOAT, NULL);
    FAILS(FOEHN_ERROR_ARGUMENT, "20 x 6 x 11", foehn_gl_create(p.volume, &params, &gl));
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 20, 6, 12, 0, GL_RGBA, GL_FLOAT, NULL);
    FAILS(FOEHN_ERROR_ARGUMENT, "0x8058", foehn_gl_create(p.volume, &params, &gl));
    glDeleteTextures(1, &params.texture);
    params.struct_size = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_gl_create(p.volume, &params, &gl));
    close_published(&p);

    GLint most = 0;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &most);
    params = foehn_gl_params_default();
    params.get_proc_address = load;
    if (most < 4096) {
        foehn_volume *large;
        OK(foehn_volume_create(context, 4096, 1, 2, &large));
        FAILS(FOEHN_ERROR_ARGUMENT, "4096 x 1 x 2", foehn_gl_create(large, &params, &gl));
        foehn_volume_destroy(large);
    }
    ck_assert_int_eq(glGetError(), GL_NO_ERROR);
}
END_TEST

/* Mapped for good, that shows when the adapter is made; mapped anew each time, in a write. */
START_TEST(buffers_that_are_not_mapped_are_an_error)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    params.get_proc_address = load;
    maps_fail = true;
    foehn_status status = foehn_gl_create(p.volume, &params, &gl);
    if (LEGACY && status == FOEHN_OK)
        foehn_gl_destroy(gl); /* such a GL may not be able to map for good */
    else
        FAILS(FOEHN_ERROR_MEMORY, "GL maps no buffer", status);
    maps_fail = false;
    hide(1);
    gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    step_published(&p, 1);
    maps_fail = true;
    FAILS(FOEHN_ERROR_MEMORY, "GL maps no buffer", foehn_gl_write(gl));
    maps_fail = false;
    OK(foehn_gl_write_and_wait(gl)); /* and goes on */
    foehn_gl_info info;
    foehn_gl_get_info(gl, &info);
    uint16_t *halves = host_halves(&p);
    ck_assert(texture_holds(&p, &info, halves));
    free(halves);
    foehn_gl_destroy(gl);
    close_published(&p);
    hide(0);
    ck_assert_int_eq(glGetError(), GL_NO_ERROR);
}
END_TEST

/* What a buffer held is gone when GL says so at unmapping: the texture keeps what it shows. */
START_TEST(a_buffer_that_is_lost_is_passed_over)
{
    hide(1);
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    step_published(&p, 1);
    OK(foehn_gl_write_and_wait(gl));
    uint16_t *halves = host_halves(&p);
    step_published(&p, 2);
    unmaps_fail = true;
    OK(foehn_gl_write_and_wait(gl));
    unmaps_fail = false;
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, 1);
    ck_assert(texture_holds(&p, &info, halves));
    free(halves);
    step_published(&p, 3);
    OK(foehn_gl_write_and_wait(gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, 3);
    ck_assert_uint_eq(info.shown, 2);
    ck_assert_uint_eq(info.skipped, 1);
    foehn_gl_destroy(gl);
    close_published(&p);
    hide(0);
}
END_TEST

START_TEST(without_a_current_context_it_says_so)
{
    published p = open_published(context, PUBLISHED_WIND);
    offscreen_close();
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    params.get_proc_address = load;
    FAILS(FOEHN_ERROR_ARGUMENT, "no GL context is current",
          foehn_gl_create(p.volume, &params, &gl));
    close_published(&p);
    reopen();
}
END_TEST

START_TEST(the_reason_names_each_path_that_is_not_taken)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    foehn_gl_get_info(gl, &info);
    testing_report("%s: %s", foehn_gl_path_name(info.path), info.reason);
    if (!context->device.info.gl_sharing)
        ck_assert_ptr_nonnull(strstr(info.reason, "does not list cl_khr_gl_sharing"));
    if (!context->device.info.external_memory)
        ck_assert_ptr_nonnull(strstr(info.reason, "cl_khr_external_memory_opaque_fd"));
    foehn_gl_destroy(gl);
    gl = open_gl(p.volume, 0, FOEHN_GL_COPIED);
    foehn_gl_get_info(gl, &info);
    ck_assert_ptr_nonnull(strstr(info.reason, "the caller asked"));
    foehn_gl_destroy(gl);
    close_published(&p);
}
END_TEST

/* ---- cl_khr_gl_sharing, through doubles ---- */

static void upload(unsigned target, unsigned texture, int nx, int ny, int nz, const void *halves)
{
    glBindTexture(target, texture);
    if (target == GL_TEXTURE_2D)
        glTexSubImage2D(target, 0, 0, 0, nx, ny, GL_RGBA, GL_HALF_FLOAT, halves);
    else
        glTexSubImage3D(target, 0, 0, 0, 0, nx, ny, nz, GL_RGBA, GL_HALF_FLOAT, halves);
    glBindTexture(target, 0);
}

static void begin_sharing(const char *extensions)
{
    sharing_reset();
    sharing.extensions = extensions;
    sharing_upload = upload;
}

/* As _i: with cl_khr_gl_event the drivers order the two; without, each waits for the other. */
START_TEST(a_shared_texture_holds_the_hosts_texels)
{
    begin_sharing(_i ? "cl_khr_gl_sharing cl_khr_gl_event" : "cl_khr_gl_sharing");
    foehn_context *ctx = sharing_context(true);
    ck_assert_int_eq(sharing.gl_contexts, 1);
    for (published_kind kind = 0; kind < PUBLISHED_KINDS; kind++) {
        published p = open_published(ctx, kind);
        memcpy(sharing.texels, p.n, sizeof sharing.texels);
        foehn_gl *gl = open_gl(p.volume, 0, FOEHN_GL_SHARED);
        foehn_gl_info info;
        foehn_gl_get_info(gl, &info);
        ck_assert_int_eq(info.path, FOEHN_GL_SHARED);
        testing_report("shared: %s", info.reason);
        publish_and_compare(&p, gl);
        foehn_gl_get_info(gl, &info);
        GLuint before = info.texture;
        step_published(&p, 4);
        memset(sharing.order, 0, sizeof sharing.order);
        OK(foehn_gl_write(gl));
        ck_assert_str_eq(sharing.order, _i ? "ACR" : "FACRc");
        foehn_gl_get_info(gl, &info);
        ck_assert_uint_ne(info.texture, before); /* what is drawn with the other one may go on */
        ck_assert_int_eq(sharing.touched_unacquired, 0);
        ck_assert_int_eq(sharing.acquired, sharing.released);
        foehn_gl_destroy(gl);
        close_published(&p);
    }
    foehn_context_destroy(ctx);
    sharing_reset();
}
END_TEST

static void *vulkan_loader;

static void expect_copied(bool gl_context, const char *reason)
{
    foehn_context *ctx = sharing_context(gl_context);
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl_info info;
    foehn_gl *gl;
    params.get_proc_address = load;
    params.vk_get_instance_proc_addr = vulkan_loader;
    OK(foehn_gl_create(p.volume, &params, &gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_int_eq(info.path, FOEHN_GL_COPIED);
    ck_assert_msg(strstr(info.reason, reason) != NULL, "no \"%s\" in: %s", reason, info.reason);
    publish_and_compare(&p, gl);
    foehn_gl_destroy(gl);
    close_published(&p);
    foehn_context_destroy(ctx);
}

START_TEST(sharing_that_fails_falls_back_to_copies_with_the_reason)
{
    begin_sharing("");
    expect_copied(true, "does not list cl_khr_gl_sharing");
    ck_assert_int_eq(sharing.gl_contexts, 0); /* not even tried: some drivers would accept it */
    begin_sharing("cl_khr_gl_sharing_of_another_kind");
    expect_copied(true, "does not list cl_khr_gl_sharing");
    begin_sharing("cl_khr_gl_sharing");
    expect_copied(false, "made without a GL context");
    sharing.is_other_device = true;
    expect_copied(true, "runs on another device");
    begin_sharing("cl_khr_gl_sharing");
    sharing.refuses_context = true;
    expect_copied(true, "refused a context beside the GL context");
    begin_sharing("cl_khr_gl_sharing");
    sharing.refuses_texture = true;
    expect_copied(true, "clCreateFromGLTexture");
    sharing_reset();
}
END_TEST

START_TEST(the_current_context_is_found_through_the_loader)
{
    foehn_context_params params = foehn_context_params_default();
    foehn_context_params_set_gl(&params, load);
    ck_assert_int_eq(params.gl_system, FOEHN_GL_SYSTEM_EGL);
    ck_assert_ptr_nonnull(params.gl_context);
    ck_assert_ptr_nonnull(params.gl_display);
    offscreen_close();
    params = foehn_context_params_default();
    foehn_context_params_set_gl(&params, load);
    ck_assert_int_eq(params.gl_system, FOEHN_GL_SYSTEM_NONE);
    reopen();
}
END_TEST

#if defined(HAVE_VULKAN) && !defined(TEST_LEGACY)
#include "publish/exporter.h"

/* Vulkan's memory in GL and in OpenCL, there through a double unless the device imports it itself:
 * nothing is copied by the host. */
START_TEST(imported_memory_holds_the_hosts_texels)
{
    bool real = context->device.info.external_memory;
    begin_sharing(real ? "" : "cl_khr_external_memory_opaque_fd cl_khr_device_uuid");
    if (!real) {
        exporter_prepare();
        memcpy(sharing.uuid, exporter_uuid(), sizeof sharing.uuid);
    }
    foehn_context *ctx = sharing_context(false);
    foehn_gl_params params = foehn_gl_params_default();
    params.get_proc_address = load;
    params.vk_get_instance_proc_addr = exporter_loader();
    for (published_kind kind = 0; kind < PUBLISHED_KINDS; kind++) {
        published p = open_published(ctx, kind);
        foehn_gl *gl;
        foehn_gl_info info;
        OK(foehn_gl_create(p.volume, &params, &gl));
        foehn_gl_get_info(gl, &info);
        testing_report("%s%s: %s", foehn_gl_path_name(info.path), real ? "" : " (double)",
                       info.reason);
        ck_assert_int_eq(info.path, FOEHN_GL_IMPORTED);
        publish_and_compare(&p, gl);
        ck_assert_int_eq(sharing.touched_unacquired, 0);
        ck_assert_int_eq(sharing.acquired, sharing.released);
        foehn_gl_destroy(gl);
        uint16_t *halves = host_halves(&p); /* the volume keeps its content */
        ck_assert_int_gt(count_nonzero(halves, p.halves), 10);
        free(halves);
        close_published(&p);
    }
    expect_copied(false, "no Vulkan loader was passed");
    if (real) {
        foehn_context_destroy(ctx);
        return;
    }
    ck_assert_int_eq(sharing.imports, 9);
    vulkan_loader = exporter_loader();
    sharing.refuses_import = true;
    expect_copied(false, "importing");
    sharing.refuses_import = false;
    sharing.uuid[3] ^= 1;
    expect_copied(false, "runs on another device");
    vulkan_loader = NULL;
    foehn_context_destroy(ctx);
    sharing_reset();
}
END_TEST
#endif

int main(void)
{
    TCase *tests = testing_begin(LEGACY ? "gl_legacy" : "gl", TESTING_NEEDS_DEVICE);
    sharing_reset();
    if (!offscreen_open(LEGACY))
        return offscreen_skip("no OpenGL through EGL (Debian, Ubuntu: libegl1 libgl1-mesa-dri)");
    tcase_add_loop_test(tests, texels_are_the_hosts_bit_for_bit, 0, 3);
    tcase_add_loop_test(tests, a_texture_of_the_callers_is_filled_and_kept, 0, 3);
    tcase_add_loop_test(tests, the_callers_state_is_put_back_and_does_no_harm, 0, 3);
    tcase_add_loop_test(tests, what_is_shown_is_never_torn, 0, 3);
    tcase_add_loop_test(tests, of_what_has_arrived_the_newest_is_shown, 0, 3);
    tcase_add_test(tests, errors_name_what_is_wrong);
    tcase_add_test(tests, buffers_that_are_not_mapped_are_an_error);
    tcase_add_test(tests, a_buffer_that_is_lost_is_passed_over);
    tcase_add_test(tests, without_a_current_context_it_says_so);
    tcase_add_test(tests, the_reason_names_each_path_that_is_not_taken);
    tcase_add_loop_test(tests, a_shared_texture_holds_the_hosts_texels, 0, 2);
    tcase_add_test(tests, sharing_that_fails_falls_back_to_copies_with_the_reason);
    tcase_add_test(tests, the_current_context_is_found_through_the_loader);
#ifndef TEST_LEGACY
    tcase_add_test(tests, a_shader_samples_across_the_wrap_seam_as_the_host_does);
    tcase_add_test(tests, publishing_does_not_touch_what_was_drawn_before);
    tcase_add_test(tests, a_buffer_that_gl_still_reads_is_not_written);
#ifdef HAVE_VULKAN
    tcase_add_test(tests, imported_memory_holds_the_hosts_texels);
#endif
#endif
    return testing_end();
}
