/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CAIRO
#include <cairo.h>
#endif

int offscreen_skip(const char *what)
{
    const char *required = getenv("FOEHN_REQUIRE_DEVICE");
    int fails = required && *required && strcmp(required, "0") != 0;
    printf("%s: %s\n", fails ? "failed" : "skipped", what);
    return fails ? EXIT_FAILURE : OFFSCREEN_SKIPPED;
}

int offscreen_write_pixels(const char *path, int width, int height, const unsigned char *rgbx)
{
#ifdef HAVE_CAIRO
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    unsigned char *row = cairo_image_surface_get_data(surface);
    for (int y = 0; row && y < height; y++, row += cairo_image_surface_get_stride(surface))
        for (int x = 0; x < width; x++, rgbx += 4) {
            unsigned pixel = (unsigned)rgbx[0] << 16 | (unsigned)rgbx[1] << 8 | rgbx[2];
            memcpy(row + 4 * x, &pixel, 4);
        }
    cairo_surface_mark_dirty(surface);
    int written = cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(surface);
    return written;
#else
    (void)width, (void)height, (void)rgbx;
    printf("%s is not written: built without cairo\n", path);
    return 1;
#endif
}

#ifdef HAVE_EGL
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

static EGLDisplay display = EGL_NO_DISPLAY;
static EGLContext current = EGL_NO_CONTEXT;

void *offscreen_get_proc_address(const char *name)
{
    void (*function)(void) = eglGetProcAddress(name);
    void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

/* Mesa's platform without a surface, else the first EGL device that works. */
static EGLDisplay open_display(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    PFNEGLQUERYDEVICESEXTPROC get_devices =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!get_display)
        return EGL_NO_DISPLAY;
    EGLDisplay d = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (d != EGL_NO_DISPLAY && eglInitialize(d, NULL, NULL))
        return d;
    if (get_devices)
        get_devices(16, devices, &count);
    for (EGLint i = 0; i < count; i++) {
        d = get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        if (d != EGL_NO_DISPLAY && eglInitialize(d, NULL, NULL))
            return d;
    }
    return EGL_NO_DISPLAY;
}

int offscreen_open(int legacy)
{
    const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
    const EGLint fixed[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    if (legacy) /* Mesa would give the newest that is compatible; keep it to what was asked for */
        setenv("MESA_GL_VERSION_OVERRIDE", "2.1", 1);
    if (display == EGL_NO_DISPLAY)
        display = open_display();
    if (display != EGL_NO_DISPLAY && eglBindAPI(EGL_OPENGL_API))
        current =
            eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, legacy ? fixed : core);
    unsetenv("MESA_GL_VERSION_OVERRIDE");
    if (current == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, current))
        return 0;
    printf("OpenGL %s on %s\n", (const char *)glGetString(GL_VERSION),
           (const char *)glGetString(GL_RENDERER));
    return 1;
}

void offscreen_close(void)
{
    if (display == EGL_NO_DISPLAY)
        return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (current != EGL_NO_CONTEXT)
        eglDestroyContext(display, current);
    current = EGL_NO_CONTEXT;
}

void offscreen_target(int width, int height)
{
    GLuint buffer, color, depth;
    glGenFramebuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glViewport(0, 0, width, height);
}

int offscreen_write_png(const char *path, int width, int height)
{
    size_t row = 4 * (size_t)width;
    unsigned char *pixels = malloc(2 * row * (size_t)height), *upright = pixels;
    if (!pixels)
        return 0;
    unsigned char *drawn = pixels + row * (size_t)height;
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, drawn);
    for (int y = height - 1; y >= 0; y--, upright += row)
        memcpy(upright, drawn + (size_t)y * row, row);
    int written =
        glGetError() == GL_NO_ERROR && offscreen_write_pixels(path, width, height, pixels);
    free(pixels);
    return written;
}
#endif
