/* SPDX-License-Identifier: MIT */
/* Volumes as GL textures, on whatever EGL offers (in CI Mesa's llvmpipe): texels bit for bit, and
 * the caller's state put back. */
#include "publish/gls.h"

START_TEST(texels_are_the_hosts_bit_for_bit)
{
    gls_hide(_i);
    gls_compare(context, FOEHN_GL_COPIED);
    gls_hide(0);
}
END_TEST

START_TEST(a_texture_of_the_callers_is_filled_and_kept)
{
    gls_hide(_i);
    published p = open_published(context, PUBLISHED_WIND);
    GLuint texture;
    GLint filter, wrap;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D, texture);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA16F, 20, 6, 12, 0, GL_RGBA, GL_FLOAT, NULL);
    foehn_gl *gl = gls_open(p.volume, texture, FOEHN_GL_SHARED);
    foehn_gl_info info;
    gls_publish(&p, gl);
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
    gls_hide(0);
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
    gls_hide(_i);
    GLuint textures[2 * UNITS], buffer;
    double before[STATES];
    published p = open_published(context, PUBLISHED_WIND);
    disturb_state(textures, &buffer);
    read_state(before);
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
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
    ck_assert(gls_hold(&p, &info, halves));
    free(halves);
    disturb_state(textures, &buffer);
    read_state(before);
    foehn_gl_destroy(gl);
    compare_state(before, "destroy");
    calm_state(textures, buffer);
    close_published(&p);
    gls_hide(0);
}
END_TEST

void add_gl_texels_tests(TCase *tests)
{
    tcase_add_loop_test(tests, texels_are_the_hosts_bit_for_bit, 0, 3);
    tcase_add_loop_test(tests, a_texture_of_the_callers_is_filled_and_kept, 0, 3);
    tcase_add_loop_test(tests, the_callers_state_is_put_back_and_does_no_harm, 0, 3);
}
