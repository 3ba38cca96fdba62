/* SPDX-License-Identifier: MIT */
/* An OpenCL context beside the caller's GL context, where the device can share with it. */
#include "device/internal.h"

#include <foehn/gl.h>

#include <CL/cl_gl.h>
#include <stdio.h>
#include <string.h>

/* ---- what is current, asked through the caller's loader ---- */

typedef void *(*get_current)(void);

/* A function pointer from an object pointer, which ISO C has no cast for. */
static get_current load(foehn_gl_loader loader, const char *name)
{
    void *address = loader(name);
    get_current function;
    memcpy(&function, &address, sizeof function);
    return function;
}

void foehn_context_params_set_gl(foehn_context_params *params, foehn_gl_loader loader)
{
    /* EGL first: an EGL loader may answer anything that begins with gl, glX too, with a stub; a GLX
     * loader knows no egl names. */
    static const struct {
        foehn_gl_system system;
        const char *context, *display;
    } systems[] = {
        {FOEHN_GL_SYSTEM_EGL, "eglGetCurrentContext", "eglGetCurrentDisplay"},
        {FOEHN_GL_SYSTEM_GLX, "glXGetCurrentContext", "glXGetCurrentDisplay"},
    };
    foehn_context_params p = foehn_context_params_default();
    for (size_t i = 0; i < 2 && p.gl_system == FOEHN_GL_SYSTEM_NONE; i++) {
        get_current context = load(loader, systems[i].context);
        get_current display = load(loader, systems[i].display);
        if (!context || !display)
            continue;
        p.gl_context = context();
        p.gl_display = display();
        if (p.gl_context && p.gl_display)
            p.gl_system = systems[i].system;
        break;
    }
    if (p.gl_system == FOEHN_GL_SYSTEM_NONE || params->struct_size < sizeof p)
        return;
    params->gl_system = p.gl_system;
    params->gl_context = p.gl_context;
    params->gl_display = p.gl_display;
}

/* ---- the OpenCL context ---- */

enum { MOST_PROPERTIES = 7 };

static void list_properties(const foehn_context *ctx, const foehn_context_params *p,
                            cl_context_properties list[MOST_PROPERTIES])
{
    static const cl_context_properties display[] = {
        [FOEHN_GL_SYSTEM_EGL] = CL_EGL_DISPLAY_KHR,
        [FOEHN_GL_SYSTEM_GLX] = CL_GLX_DISPLAY_KHR,
        [FOEHN_GL_SYSTEM_WGL] = CL_WGL_HDC_KHR,
    };
    const cl_context_properties properties[MOST_PROPERTIES] = {
        CL_GL_CONTEXT_KHR,
        (cl_context_properties)p->gl_context,
        display[p->gl_system],
        (cl_context_properties)p->gl_display,
        CL_CONTEXT_PLATFORM,
        (cl_context_properties)ctx->device.platform,
        0,
    };
    memcpy(list, properties, sizeof properties);
}

/* Is the device the one that drives the GL context?  The driver's extension string decides whether
 * to ask at all: there are drivers that take these properties and share nothing. */
static bool drives_gl(foehn_context *ctx, const foehn_context_params *p)
{
    const foehn_device_info *d = &ctx->device.info;
    const size_t size = sizeof ctx->gl_reason;
    if (!d->gl_sharing) {
        snprintf(ctx->gl_reason, size, "%s does not list cl_khr_gl_sharing", d->name);
        return false;
    }
    if (p->gl_system == FOEHN_GL_SYSTEM_NONE || p->gl_system > FOEHN_GL_SYSTEM_WGL) {
        snprintf(ctx->gl_reason, size,
                 "the foehn context was made without a GL context "
                 "(foehn_context_params_set_gl)");
        return false;
    }
    void *address =
        clGetExtensionFunctionAddressForPlatform(ctx->device.platform, "clGetGLContextInfoKHR");
    clGetGLContextInfoKHR_fn get_info;
    memcpy(&get_info, &address, sizeof get_info);
    if (!get_info) {
        snprintf(ctx->gl_reason, size, "the driver of %s has no clGetGLContextInfoKHR", d->name);
        return false;
    }
    cl_context_properties list[MOST_PROPERTIES];
    list_properties(ctx, p, list);
    cl_device_id id = NULL;
    cl_int code = get_info(list, CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, sizeof id, &id, NULL);
    if (code != CL_SUCCESS)
        snprintf(ctx->gl_reason, size, "asking for the GL context's device failed: %s (%d)",
                 foehn_cl_name(code), code);
    else if (id != ctx->device.id)
        snprintf(ctx->gl_reason, size, "the GL context runs on another device than %s", d->name);
    return code == CL_SUCCESS && id == ctx->device.id;
}

void foehn_context_share_gl(foehn_context *ctx, const foehn_context_params *p)
{
    cl_int code;
    if (!drives_gl(ctx, p))
        return;
    cl_context_properties list[MOST_PROPERTIES];
    list_properties(ctx, p, list);
    cl_context shared = clCreateContext(list, 1, &ctx->device.id, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        snprintf(ctx->gl_reason, sizeof ctx->gl_reason,
                 "%s refused a context beside the GL context: %s (%d)", ctx->device.info.name,
                 foehn_cl_name(code), code);
        return;
    }
    clReleaseContext(ctx->handle);
    ctx->handle = shared;
    ctx->shares_gl = true;
    ctx->gl_events = foehn_device_lists(ctx->device.id, "cl_khr_gl_event");
}
