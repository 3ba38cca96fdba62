/* SPDX-License-Identifier: MIT */
/* Memory and semaphores that Vulkan allocated and exported as opaque file descriptors.
 *
 * The memory is always Vulkan's: OpenCL imports, never exports, since only an allocation of its own
 * satisfies what Vulkan asks of it (dedicated, exportable).  A driver may list these extensions in
 * a provisional or in the final form, whose property names differ. */
#include "publish/ring.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* OpenCL extension specification: cl_khr_device_uuid, cl_khr_external_memory, cl_khr_semaphore. */
#define UUID_OF_DEVICE 0x106A      /* CL_DEVICE_UUID_KHR */
#define MEMORY_OPAQUE_FD 0x2060    /* CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR */
#define MEMORY_DEVICES 0x2051      /* CL_MEM_DEVICE_HANDLE_LIST_KHR */
#define SEMAPHORE_TYPE 0x203D      /* CL_SEMAPHORE_TYPE_KHR */
#define SEMAPHORE_BINARY 1         /* CL_SEMAPHORE_TYPE_BINARY_KHR */
#define SEMAPHORE_OPAQUE_FD 0x2055 /* CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR */
#define SEMAPHORE_DEVICES 0x2053   /* CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR */

/* OpenCL 3.0; NULL with an older loader. */
cl_mem clCreateBufferWithProperties(cl_context context, const cl_ulong *properties,
                                    cl_mem_flags flags, size_t size, void *host, cl_int *code)
    __attribute__((weak));

static bool load(const foehn_context *ctx, const char *name, void *function, size_t size,
                 size_t reason_size, char *reason)
{
    void *address = clGetExtensionFunctionAddressForPlatform(ctx->device.platform, name);
    memcpy(function, &address, size);
    if (!address)
        snprintf(reason, reason_size, "the driver of %s has no %s", ctx->device.info.name, name);
    return address != NULL;
}

#define LOAD(field, name) load(ctx, name, &e->field, sizeof e->field, reason_size, reason)

bool foehn_external_open(foehn_external *e, foehn_context *ctx, size_t reason_size, char *reason)
{
    const foehn_device_info *d = &ctx->device.info;
    memset(e, 0, sizeof *e);
    e->ctx = ctx;
    if (!d->external_memory) {
        snprintf(reason, reason_size, "%s does not list cl_khr_external_memory_opaque_fd", d->name);
        return false;
    }
    if (!clCreateBufferWithProperties) {
        snprintf(reason, reason_size, "the OpenCL loader is older than 3.0");
        return false;
    }
    e->has_uuid = foehn_device_lists(ctx->device.id, "cl_khr_device_uuid") &&
                  clGetDeviceInfo(ctx->device.id, UUID_OF_DEVICE, sizeof e->uuid, e->uuid, NULL) ==
                      CL_SUCCESS;
    return LOAD(acquire, "clEnqueueAcquireExternalMemObjectsKHR") &&
           LOAD(release, "clEnqueueReleaseExternalMemObjectsKHR");
}

bool foehn_external_is_same_device(const foehn_external *e, const char *api, const uint8_t *uuid,
                                   size_t reason_size, char *reason)
{
    const char *name = e->ctx->device.info.name;
    if (!e->has_uuid)
        snprintf(reason, reason_size, "%s does not list cl_khr_device_uuid", name);
    else if (memcmp(e->uuid, uuid, sizeof e->uuid) != 0)
        snprintf(reason, reason_size, "%s runs on another device than %s", api, name);
    else
        return true;
    return false;
}

foehn_status foehn_external_import(const foehn_external *e, int fd, size_t bytes, cl_mem *out)
{
    const cl_ulong device = (cl_ulong)(uintptr_t)e->ctx->device.id;
    const cl_ulong plain[] = {MEMORY_OPAQUE_FD, (cl_ulong)fd, 0};
    const cl_ulong with_device[] = {MEMORY_OPAQUE_FD, (cl_ulong)fd, MEMORY_DEVICES, device, 0, 0};
    cl_int code;
    *out =
        clCreateBufferWithProperties(e->ctx->handle, plain, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        *out = clCreateBufferWithProperties(e->ctx->handle, with_device, CL_MEM_READ_WRITE, bytes,
                                            NULL, &code);
    if (code == CL_SUCCESS)
        return FOEHN_OK;
    close(fd); /* an import that succeeds owns it */
    *out = NULL;
    return foehn_fail_cl(code, "importing %zu bytes of Vulkan's on %s", bytes,
                         e->ctx->device.info.name);
}

foehn_cl_semaphore foehn_external_semaphore(foehn_external *e, int (*get_fd)(void *data),
                                            void *data, size_t reason_size, char *reason)
{
    foehn_context *ctx = e->ctx;
    if (!ctx->device.info.external_semaphore) {
        snprintf(reason, reason_size, "%s does not list cl_khr_external_semaphore_opaque_fd",
                 ctx->device.info.name);
        return NULL;
    }
    if (!LOAD(create_semaphore, "clCreateSemaphoreWithPropertiesKHR") ||
        !LOAD(signal, "clEnqueueSignalSemaphoresKHR") ||
        !LOAD(release_semaphore, "clReleaseSemaphoreKHR"))
        return NULL;
    /* The final form first, then the provisional ones. */
    const cl_ulong device = (cl_ulong)(uintptr_t)ctx->device.id;
    static const cl_ulong lists[] = {0, SEMAPHORE_DEVICES, MEMORY_DEVICES};
    cl_int code = CL_INVALID_VALUE;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        int fd = get_fd(data);
        if (fd < 0) {
            snprintf(reason, reason_size, "Vulkan exported no semaphore");
            return NULL;
        }
        const cl_ulong properties[] = {SEMAPHORE_TYPE,
                                       SEMAPHORE_BINARY,
                                       SEMAPHORE_OPAQUE_FD,
                                       (cl_ulong)fd,
                                       lists[i],
                                       device,
                                       0,
                                       0};
        foehn_cl_semaphore semaphore = e->create_semaphore(ctx->handle, properties, &code);
        if (semaphore && code == CL_SUCCESS)
            return semaphore;
        close(fd);
    }
    snprintf(reason, reason_size, "%s did not import a semaphore of Vulkan's: %s (%d)",
             ctx->device.info.name, foehn_cl_name(code), code);
    return NULL;
}
