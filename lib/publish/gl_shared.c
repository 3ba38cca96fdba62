/* SPDX-License-Identifier: MIT */
/* cl_khr_gl_sharing: the device copies a volume into the GL texture itself. */
#include "publish/gl_state.h"

#include <CL/cl_gl.h>
#include <stdio.h>

cl_mem foehn_gl_shared_image(foehn_context *ctx, unsigned target, unsigned texture,
                             size_t reason_size, char *reason)
{
    cl_int code;
    cl_mem image = clCreateFromGLTexture(ctx->handle, CL_MEM_WRITE_ONLY, target, 0, texture, &code);
    if (code == CL_SUCCESS)
        return image;
    snprintf(reason, reason_size, "clCreateFromGLTexture: %s (%d)", foehn_cl_name(code), code);
    return NULL;
}

static foehn_status copy(foehn_volume *volume, const foehn_newest *newest, cl_mem image)
{
    const size_t origin[3] = {0, 0, 0};
    const size_t region[3] = {(size_t)newest->info.nx, (size_t)newest->info.ny,
                              (size_t)newest->info.nz};
    TRY(foehn_volume_begin_reading(volume)); /* it may be another adapter's memory */
    cl_int code = clEnqueueCopyBufferToImage(newest->ctx->queue, newest->buffer, image, 0, origin,
                                             region, 0, NULL, NULL);
    return foehn_volume_end_reading(
        volume, code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "writing a GL texture"));
}

/* Without cl_khr_gl_event the two queues know nothing of each other: GL must be done with the
 * texture before, and OpenCL after. */
foehn_status foehn_gl_shared_write(const gl_api *gl, foehn_volume *volume, cl_mem image,
                                   cl_event *done)
{
    const foehn_newest newest = foehn_volume_newest(volume);
    const foehn_context *ctx = newest.ctx;
    if (!ctx->gl_events)
        gl->Finish();
    cl_int code = clEnqueueAcquireGLObjects(ctx->queue, 1, &image, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "acquiring a GL texture");
    foehn_status written = copy(volume, &newest, image);
    code = clEnqueueReleaseGLObjects(ctx->queue, 1, &image, 0, NULL, done);
    if (written != FOEHN_OK || code != CL_SUCCESS)
        return written != FOEHN_OK ? written : foehn_fail_cl(code, "releasing a GL texture");
    code = ctx->gl_events ? clFlush(ctx->queue) : clFinish(ctx->queue);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "waiting for a GL texture");
}
