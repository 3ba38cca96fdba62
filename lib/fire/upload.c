/* SPDX-License-Identifier: MIT */
/* Small arrays to the device without waiting: what is on its way is kept until it has arrived. */
#include "fire/state.h"

#include <stdlib.h>
#include <string.h>

foehn_status foehn_fire_stage(foehn_fire *f, cl_mem buffer, size_t bytes, const void *from)
{
    int slot = f->next_staged;
    if (f->staged[slot].event) {
        cl_int code = clWaitForEvents(1, &f->staged[slot].event);
        clReleaseEvent(f->staged[slot].event);
        f->staged[slot].event = NULL;
        if (code != CL_SUCCESS)
            return foehn_fail_cl(code, "an upload to %s", f->ctx->device.info.name);
    }
    free(f->staged[slot].bytes);
    f->staged[slot].bytes = malloc(bytes);
    if (!f->staged[slot].bytes)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu bytes", bytes);
    memcpy(f->staged[slot].bytes, from, bytes);
    cl_int code = clEnqueueWriteBuffer(f->ctx->queue, buffer, CL_FALSE, 0, bytes,
                                       f->staged[slot].bytes, 0, NULL, &f->staged[slot].event);
    if (code != CL_SUCCESS) {
        f->staged[slot].event = NULL;
        return foehn_fail_cl(code, "writing %zu bytes", bytes);
    }
    f->next_staged = (slot + 1) % FIRE_STAGED;
    return FOEHN_OK;
}
