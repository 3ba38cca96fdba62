/* SPDX-License-Identifier: MIT */
/* One OpenCL context for several contexts of a process, whose devices then copy from each other. */
#include "device/internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEVICES = 64 };

/* Contexts that were given the same list; all under the drivers' lock. */
struct foehn_together {
    char *devices;
    cl_platform_id platform;
    cl_context handle;
    struct { /* one for each device, made when it is asked for */
        cl_device_id id;
        cl_command_queue queue;
    } device[MOST_DEVICES];
    cl_uint count;
    int holders;
    foehn_together *next;
};

static foehn_together *all;

/* Devices of "0,1,cpu", each once; 0: they have not one platform, or there are too many. */
static foehn_status find_devices(const char *list, cl_platform_id platform, cl_uint *count,
                                 cl_device_id devices[MOST_DEVICES])
{
    *count = 0;
    while (*list) {
        char name[128];
        foehn_device device;
        cl_context tried_in;
        const size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        TRY(foehn_device_select(name, &device, &tried_in, NULL, 0, NULL));
        clReleaseContext(tried_in);
        cl_uint n = 0;
        while (n < *count && devices[n] != device.id)
            n++;
        if (device.platform != platform || n == MOST_DEVICES) {
            *count = 0;
            return FOEHN_OK;
        }
        devices[n] = device.id;
        *count = n == *count ? n + 1 : *count;
    }
    return FOEHN_OK;
}

static foehn_status open_together(foehn_context *ctx, const char *list, foehn_together **out)
{
    cl_device_id devices[MOST_DEVICES];
    cl_uint count;
    cl_int code;
    *out = NULL;
    TRY(find_devices(list, ctx->device.platform, &count, devices));
    if (count == 0)
        return FOEHN_OK;
    foehn_together *t = calloc(1, sizeof *t);
    char *copy = malloc(strlen(list) + 1);
    if (!t || !copy) {
        free(t);
        free(copy);
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_context_create: no host memory");
    }
    const cl_context_properties plain[] = {CL_CONTEXT_PLATFORM,
                                           (cl_context_properties)ctx->device.platform, 0};
    t->handle = clCreateContext(plain, count, devices, NULL, NULL, &code);
    if (code != CL_SUCCESS) { /* each has one of its own then */
        free(t);
        free(copy);
        return FOEHN_OK;
    }
    t->devices = strcpy(copy, list);
    t->platform = ctx->device.platform;
    t->count = count;
    for (cl_uint n = 0; n < count; n++)
        t->device[n].id = devices[n];
    t->next = all;
    *out = all = t;
    return FOEHN_OK;
}

/* Which of them it is; t->count: none. */
static cl_uint number_of(const foehn_together *t, cl_device_id id)
{
    cl_uint n = 0;
    while (n < t->count && t->device[n].id != id)
        n++;
    return n;
}

/* Kernels of several queues on one device gain nothing on each other; and PoCL up to 5.0 takes them
 * for each other where they run at once. */
foehn_status foehn_context_join_queue(foehn_context *ctx)
{
    foehn_together *t = ctx->together;
    const cl_uint n = number_of(t, ctx->device.id);
    cl_int code = CL_SUCCESS;
    if (!t->device[n].queue)
        t->device[n].queue = clCreateCommandQueue(t->handle, ctx->device.id, 0, &code);
    if (code == CL_SUCCESS)
        code = clRetainCommandQueue(t->device[n].queue);
    if (code != CL_SUCCESS) {
        t->device[n].queue = NULL;
        return foehn_fail_cl(code, "no command queue on %s", ctx->device.info.name);
    }
    ctx->queue = t->device[n].queue;
    return FOEHN_OK;
}

foehn_status foehn_context_join(foehn_context *ctx, const char *devices)
{
    foehn_together *t = all;
    while (t && (t->platform != ctx->device.platform || strcmp(t->devices, devices) != 0))
        t = t->next;
    if (!t)
        TRY(open_together(ctx, devices, &t));
    if (!t || number_of(t, ctx->device.id) == t->count)
        return FOEHN_OK;
    t->holders++;
    ctx->together = t;
    clReleaseContext(ctx->handle); /* the one that the device was tried in */
    ctx->handle = t->handle;
    return FOEHN_OK;
}

void foehn_context_part(foehn_context *ctx)
{
    foehn_together *t = ctx->together;
    if (!t)
        return;
    foehn_drivers_lock();
    if (--t->holders == 0) {
        foehn_together **at = &all;
        while (*at != t)
            at = &(*at)->next;
        *at = t->next;
        for (cl_uint n = 0; n < t->count; n++)
            if (t->device[n].queue)
                clReleaseCommandQueue(t->device[n].queue);
        clReleaseContext(t->handle);
        free(t->devices);
        free(t);
    }
    foehn_drivers_unlock();
    ctx->together = NULL;
    ctx->handle = NULL;
}
