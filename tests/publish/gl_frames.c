/* SPDX-License-Identifier: MIT */
/* Volumes as GL textures, on whatever EGL offers (in CI Mesa's llvmpipe): frames in flight,
 * sampling in a shader. */
#include "publish/gls.h"

/* ---- frames in flight ---- */

/* Writes without a wait, more often than the ring is long: whatever is shown is of one step whole.
 */
START_TEST(what_is_shown_is_never_torn)
{
    enum { STEPS = 40 };
    gls_hide(_i);
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
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
            ck_assert_msg(gls_hold(&p, &info, recorded[last]), "step %d is torn", (int)last);
    }
    OK(foehn_gl_write_and_wait(gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, STEPS);
    ck_assert_uint_eq(info.shown + info.skipped, STEPS);
    ck_assert_uint_gt(info.shown, 1);
    ck_assert(gls_hold(&p, &info, recorded[STEPS]));
    for (int n = 0; n <= STEPS; n++)
        free(recorded[n]);
    foehn_gl_destroy(gl);
    close_published(&p);
    gls_hide(0);
}
END_TEST

START_TEST(of_what_has_arrived_the_newest_is_shown)
{
    gls_hide(_i);
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
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
    gls_hide(0);
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
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
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
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    gls_is_behind = true;
    for (int n = 1; n <= 6; n++) {
        step_published(&p, n);
        OK(foehn_gl_write(gl));
        OK(foehn_context_wait(context));
        OK(foehn_gl_write(gl));
        foehn_gl_get_info(gl, &info);
        ck_assert_uint_eq(info.content.step, n < 3 ? (uint64_t)n : 3);
    }
    ck_assert_int_eq(info.pending, 0);
    gls_is_behind = false;
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
        foehn_gl *gl = gls_open(p.volume, own, FOEHN_GL_SHARED);
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

void add_gl_frames_tests(TCase *tests)
{
    tcase_add_loop_test(tests, what_is_shown_is_never_torn, 0, 3);
    tcase_add_loop_test(tests, of_what_has_arrived_the_newest_is_shown, 0, 3);
#ifndef TEST_LEGACY
    tcase_add_test(tests, a_shader_samples_across_the_wrap_seam_as_the_host_does);
    tcase_add_test(tests, publishing_does_not_touch_what_was_drawn_before);
    tcase_add_test(tests, a_buffer_that_gl_still_reads_is_not_written);
#endif
}
