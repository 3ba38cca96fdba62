/* SPDX-License-Identifier: MIT */
#include "publish/gls.h"

void gls_reopen(void)
{
    ck_assert_msg(offscreen_open(LEGACY), "no GL context");
}

/* A loader that hides functions, as an older driver would. */
const char *gls_hidden[4];

static void GLAPIENTRY finish_and_note(void)
{
    sharing_note('F');
    glFinish();
}

static const GLubyte *(*real_get_string)(GLenum);
const char *gls_version;

static const GLubyte *GLAPIENTRY get_string(GLenum name)
{
    return name == GL_VERSION && gls_version ? (const GLubyte *)gls_version : glGetString(name);
}

/* What a driver may do when memory is short, or the screen was lost. */
bool gls_maps_fail, gls_unmaps_fail;

static void *GLAPIENTRY map_buffer(GLenum target, GLenum access)
{
    return gls_maps_fail ? NULL : glMapBuffer(target, access);
}

static void *GLAPIENTRY map_buffer_range(GLenum target, GLintptr offset, GLsizeiptr size,
                                         GLbitfield access)
{
    return gls_maps_fail ? NULL : glMapBufferRange(target, offset, size, access);
}

static GLboolean GLAPIENTRY unmap_buffer(GLenum target)
{
    GLboolean intact = glUnmapBuffer(target);
    return gls_unmaps_fail ? GL_FALSE : intact;
}

/* A GL that is far behind: it has not yet read what it was given. */
bool gls_is_behind;

static GLenum GLAPIENTRY wait_sync(GLsync sync, GLbitfield flags, GLuint64 nanoseconds)
{
    return gls_is_behind ? GL_TIMEOUT_EXPIRED : glClientWaitSync(sync, flags, nanoseconds);
}

void *gls_load(const char *name)
{
    void *address;
    void (*finish)(void) = finish_and_note;
    void *(*map)(GLenum, GLenum) = map_buffer;
    void *(*map_range)(GLenum, GLintptr, GLsizeiptr, GLbitfield) = map_buffer_range;
    GLboolean (*unmap)(GLenum) = unmap_buffer;
    GLenum (*wait)(GLsync, GLbitfield, GLuint64) = wait_sync;
    for (size_t i = 0; i < sizeof gls_hidden / sizeof *gls_hidden; i++)
        if (gls_hidden[i] && strcmp(name, gls_hidden[i]) == 0)
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
void gls_hide(int level)
{
    gls_hidden[0] = level == 1 ? "glBufferStorage" : level == 2 ? "glFenceSync" : NULL;
}

foehn_gl *gls_open(foehn_volume *volume, unsigned texture, foehn_gl_path fastest)
{
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl *gl;
    params.get_proc_address = gls_load;
    params.texture = texture;
    params.fastest = fastest;
    OK(foehn_gl_create(volume, &params, &gl));
    return gl;
}

/* ---- texels ---- */

/* As many halves from the texture as the volume has, without a word to the adapter. */
static uint16_t *gls_halves(const published *p, const foehn_gl_info *info)
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

bool gls_hold(const published *p, const foehn_gl_info *info, const uint16_t *halves)
{
    uint16_t *texels = gls_halves(p, info);
    bool same = memcmp(texels, halves, p->halves * sizeof *halves) == 0;
    free(texels);
    return same;
}

/* Three steps, each bit for bit the host's halves, with the info that belongs to them. */
void gls_publish(published *p, foehn_gl *gl)
{
    foehn_gl_info info;
    for (int n = 1; n <= 3; n++) {
        step_published(p, n);
        OK(foehn_gl_write_and_wait(gl));
        foehn_gl_get_info(gl, &info);
        uint16_t *texels = gls_halves(p, &info);
        expect_published(p, n, texels, &info.content);
        free(texels);
        ck_assert_uint_eq(info.shown, (uint64_t)n);
        ck_assert_uint_eq(info.skipped, 0);
        ck_assert_int_eq(info.pending, 0);
        GLint bound, wrap;
        glGetIntegerv(info.target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D : GL_TEXTURE_BINDING_3D,
                      &bound);
        glBindTexture(info.target, info.texture);
        glGetTexParameteriv(info.target, GL_TEXTURE_WRAP_T, &wrap);
        glBindTexture(info.target, (GLuint)bound);
        ck_assert_int_eq(info.content.repeats, p->wind != NULL);
        ck_assert_int_eq(wrap, info.content.repeats ? GL_REPEAT : GL_CLAMP_TO_EDGE);
    }
}

void gls_compare(foehn_context *ctx, foehn_gl_path path)
{
    for (published_kind kind = 0; kind < PUBLISHED_KINDS; kind++) {
        published p = open_published(ctx, kind);
        foehn_gl *gl = gls_open(p.volume, 0, FOEHN_GL_SHARED);
        foehn_gl_info info;
        foehn_gl_get_info(gl, &info);
        ck_assert_int_eq(info.path, path);
        ck_assert_uint_eq(info.target, kind == PUBLISHED_FLOW ? GL_TEXTURE_2D : GL_TEXTURE_3D);
        ck_assert_uint_eq(info.content.step, 0);
        uint16_t *texels = gls_halves(&p, &info);
        ck_assert_int_eq(count_nonzero(texels, p.halves), 0); /* before anything has arrived */
        free(texels);
        gls_publish(&p, gl);
        foehn_gl_destroy(gl);
        close_published(&p);
        ck_assert_int_eq(glGetError(), GL_NO_ERROR);
    }
}

int main(void)
{
    TCase *tests = testing_begin(LEGACY ? "gl_legacy" : "gl", TESTING_NEEDS_DEVICE);
    sharing_reset();
    if (!offscreen_open(LEGACY))
        return offscreen_skip("no OpenGL through EGL (Debian, Ubuntu: libegl1 libgl1-mesa-dri)");
    add_gl_texels_tests(tests);
    add_gl_frames_tests(tests);
    add_gl_errors_tests(tests);
    add_gl_shared_tests(tests);
    return testing_end();
}
