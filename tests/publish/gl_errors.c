/* SPDX-License-Identifier: MIT */
/* Volumes as GL textures, on whatever EGL offers (in CI Mesa's llvmpipe): what does not work is
 * told. */
#include "publish/gls.h"

/* ---- what does not work is told ---- */

START_TEST(errors_name_what_is_wrong)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    FAILS(FOEHN_ERROR_ARGUMENT, "get_proc_address is NULL",
          foehn_gl_create(p.volume, &params, &gl));
    params.get_proc_address = gls_load;
    gls_hidden[0] = "glTexSubImage3D";
    FAILS(FOEHN_ERROR_ARGUMENT, "glTexSubImage3D", foehn_gl_create(p.volume, &params, &gl));
    ck_assert_ptr_null(gl);
    gls_hidden[0] = NULL;
    gls_version = "1.4.20501 Chimera";
    FAILS(FOEHN_ERROR_ARGUMENT, "1.4.20501 Chimera", foehn_gl_create(p.volume, &params, &gl));
    gls_version = "OpenGL ES 3.2 Mesa";
    FAILS(FOEHN_ERROR_ARGUMENT, "OpenGL ES 3.2", foehn_gl_create(p.volume, &params, &gl));
    gls_version = NULL;
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
    params.get_proc_address = gls_load;
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
    params.get_proc_address = gls_load;
    gls_maps_fail = true;
    foehn_status status = foehn_gl_create(p.volume, &params, &gl);
    if (LEGACY && status == FOEHN_OK)
        foehn_gl_destroy(gl); /* such a GL may not be able to map for good */
    else
        FAILS(FOEHN_ERROR_MEMORY, "GL maps no buffer", status);
    gls_maps_fail = false;
    gls_hide(1);
    gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
    step_published(&p, 1);
    gls_maps_fail = true;
    FAILS(FOEHN_ERROR_MEMORY, "GL maps no buffer", foehn_gl_write(gl));
    gls_maps_fail = false;
    OK(foehn_gl_write_and_wait(gl)); /* and goes on */
    foehn_gl_info info;
    foehn_gl_get_info(gl, &info);
    uint16_t *halves = host_halves(&p);
    ck_assert(gls_hold(&p, &info, halves));
    free(halves);
    foehn_gl_destroy(gl);
    close_published(&p);
    gls_hide(0);
    ck_assert_int_eq(glGetError(), GL_NO_ERROR);
}
END_TEST

/* What a buffer held is gone when GL says so at unmapping: the texture keeps what it shows. */
START_TEST(a_buffer_that_is_lost_is_passed_over)
{
    gls_hide(1);
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    step_published(&p, 1);
    OK(foehn_gl_write_and_wait(gl));
    uint16_t *halves = host_halves(&p);
    step_published(&p, 2);
    gls_unmaps_fail = true;
    OK(foehn_gl_write_and_wait(gl));
    gls_unmaps_fail = false;
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, 1);
    ck_assert(gls_hold(&p, &info, halves));
    free(halves);
    step_published(&p, 3);
    OK(foehn_gl_write_and_wait(gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_uint_eq(info.content.step, 3);
    ck_assert_uint_eq(info.shown, 2);
    ck_assert_uint_eq(info.skipped, 1);
    foehn_gl_destroy(gl);
    close_published(&p);
    gls_hide(0);
}
END_TEST

START_TEST(without_a_current_context_it_says_so)
{
    published p = open_published(context, PUBLISHED_WIND);
    offscreen_close();
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    params.get_proc_address = gls_load;
    FAILS(FOEHN_ERROR_ARGUMENT, "no GL context is current",
          foehn_gl_create(p.volume, &params, &gl));
    close_published(&p);
    gls_reopen();
}
END_TEST

START_TEST(the_reason_names_each_path_that_is_not_taken)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
    foehn_gl_info info;
    foehn_gl_get_info(gl, &info);
    testing_report("%s: %s", foehn_gl_path_name(info.path), info.reason);
    if (!context->device.info.gl_sharing)
        ck_assert_ptr_nonnull(strstr(info.reason, "does not list cl_khr_gl_sharing"));
    if (!context->device.info.external_memory)
        ck_assert_ptr_nonnull(strstr(info.reason, "cl_khr_external_memory_opaque_fd"));
    foehn_gl_destroy(gl);
    gl = gls_open(p.volume, 0, FOEHN_GL_COPIED);
    foehn_gl_get_info(gl, &info);
    ck_assert_ptr_nonnull(strstr(info.reason, "the caller asked"));
    foehn_gl_destroy(gl);
    close_published(&p);
}
END_TEST

void add_gl_errors_tests(TCase *tests)
{
    tcase_add_test(tests, errors_name_what_is_wrong);
    tcase_add_test(tests, buffers_that_are_not_mapped_are_an_error);
    tcase_add_test(tests, a_buffer_that_is_lost_is_passed_over);
    tcase_add_test(tests, without_a_current_context_it_says_so);
    tcase_add_test(tests, the_reason_names_each_path_that_is_not_taken);
}
