/* SPDX-License-Identifier: MIT */
/* Volumes as GL textures, on whatever EGL offers (in CI Mesa's llvmpipe): the paths that need
 * extensions, through doubles. */
#include "publish/gls.h"

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
        foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
        foehn_gl_info info;
        foehn_gl_get_info(gl, &info);
        ck_assert_int_eq(info.path, FOEHN_GL_SHARED);
        testing_report("shared: %s", info.reason);
        gls_publish(&p, gl);
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
    params.get_proc_address = gls_load;
    params.vk_get_instance_proc_addr = vulkan_loader;
    OK(foehn_gl_create(p.volume, &params, &gl));
    foehn_gl_get_info(gl, &info);
    ck_assert_int_eq(info.path, FOEHN_GL_COPIED);
    ck_assert_msg(strstr(info.reason, reason) != NULL, "no \"%s\" in: %s", reason, info.reason);
    gls_publish(&p, gl);
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
    foehn_context_params_set_gl(&params, gls_load);
    ck_assert_int_eq(params.gl_system, FOEHN_GL_SYSTEM_EGL);
    ck_assert_ptr_nonnull(params.gl_context);
    ck_assert_ptr_nonnull(params.gl_display);
    offscreen_close();
    params = foehn_context_params_default();
    foehn_context_params_set_gl(&params, gls_load);
    ck_assert_int_eq(params.gl_system, FOEHN_GL_SYSTEM_NONE);
    gls_reopen();
}
END_TEST

#if defined(HAVE_VULKAN) && !defined(TEST_LEGACY)
#include "publish/exporter.h"

/* Vulkan's memory in GL and in OpenCL, there through a double unless the device imports it itself:
 * nothing is copied by the host. */
START_TEST(imported_memory_holds_the_hosts_texels)
{
    bool real = context->device.info.external_memory;
    if (!real && !exporter_prepare())
        return;
    begin_sharing(real ? "" : "cl_khr_external_memory_opaque_fd cl_khr_device_uuid");
    if (!real)
        memcpy(sharing.uuid, exporter_uuid(), sizeof sharing.uuid);
    foehn_context *ctx = sharing_context(false);
    foehn_gl_params params = foehn_gl_params_default();
    params.get_proc_address = gls_load;
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
        gls_publish(&p, gl);
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

void add_gl_shared_tests(TCase *tests)
{
    tcase_add_loop_test(tests, a_shared_texture_holds_the_hosts_texels, 0, 2);
    tcase_add_test(tests, sharing_that_fails_falls_back_to_copies_with_the_reason);
    tcase_add_test(tests, the_current_context_is_found_through_the_loader);
#if !defined TEST_LEGACY && defined HAVE_VULKAN
    tcase_add_test(tests, imported_memory_holds_the_hosts_texels);
#endif
}
