/* SPDX-License-Identifier: MIT */
/* A volume as Vulkan images: which path, and what a write does on it. */
#include "publish/vulkan_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *foehn_vulkan_path_name(foehn_vulkan_path path)
{
    return path == FOEHN_VULKAN_IMPORTED ? "imported"
           : path == FOEHN_VULKAN_COPIED ? "copied"
                                         : "unknown";
}

void foehn_vulkan_params_init(foehn_vulkan_params *params, size_t size)
{
    const foehn_vulkan_params defaults = {
        .sampling_family = VK_QUEUE_FAMILY_IGNORED,
        .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .fastest = FOEHN_VULKAN_IMPORTED,
        .semaphores = 1,
    };
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

static foehn_status take_params(foehn_vulkan *v, const foehn_vulkan_params *given)
{
    foehn_vulkan_params *p = &v->params;
    *p = foehn_vulkan_params_default();
    TRY(foehn_params_take(p, given, "foehn_vulkan_params"));
    const char *missing = !p->get_instance_proc_addr ? "get_instance_proc_addr"
                          : !p->instance             ? "instance"
                          : !p->physical_device      ? "physical_device"
                          : !p->device               ? "device"
                          : !p->queue                ? "queue"
                                                     : NULL;
    if (missing)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_vulkan_create: params.%s is NULL", missing);
    if (p->type == 0)
        p->type = v->nz == 1 ? VK_IMAGE_TYPE_2D : VK_IMAGE_TYPE_3D;
    if ((p->type != VK_IMAGE_TYPE_2D && p->type != VK_IMAGE_TYPE_3D) ||
        (p->type == VK_IMAGE_TYPE_2D && v->nz != 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_vulkan_create: image type %d for a volume of %d layers",
                          (int)p->type, v->nz);
    return FOEHN_OK;
}

/* ---- paths ---- */

typedef struct semaphore_source {
    foehn_vulkan *v;
    int slot;
} semaphore_source;

/* A descriptor of a new semaphore each time: an import may have spent the last one. */
static int export_semaphore(void *data)
{
    const semaphore_source *source = data;
    const vk_api *vk = &source->v->vk;
    VkSemaphore *semaphore = &source->v->slots[source->slot].semaphore;
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &exported};
    vk->DestroySemaphore(vk->device, *semaphore, NULL);
    *semaphore = VK_NULL_HANDLE;
    if (!vk->GetSemaphoreFdKHR ||
        vk->CreateSemaphore(vk->device, &info, NULL, semaphore) != VK_SUCCESS)
        return -1;
    const VkSemaphoreGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = *semaphore,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    int fd = -1;
    return vk->GetSemaphoreFdKHR(vk->device, &get, &fd) == VK_SUCCESS ? fd : -1;
}

static bool try_semaphores(foehn_vulkan *v, foehn_external *external, size_t size, char *why)
{
    if (!v->params.semaphores) {
        snprintf(why, size, "the caller asked for none");
        return false;
    }
    if (!v->vk.GetSemaphoreFdKHR) {
        snprintf(why, size, "the VkDevice was made without VK_KHR_external_semaphore_fd");
        return false;
    }
    for (int i = 0; i < RING_SLOTS; i++) {
        semaphore_source source = {v, i};
        v->slots[i].device_semaphore =
            foehn_external_semaphore(external, export_semaphore, &source, size, why);
        if (!v->slots[i].device_semaphore)
            return false;
    }
    return true;
}

static foehn_status import_buffer(foehn_vulkan *v, const foehn_external *external, int i)
{
    int fd;
    TRY(foehn_vk_buffer_create_exportable(&v->vk, v->bytes, &v->slots[i].buffer));
    TRY(foehn_vk_buffer_get_fd(&v->vk, &v->slots[i].buffer, &fd));
    return foehn_external_import(external, fd, v->slots[i].buffer.allocated,
                                 &v->ring.slots[i].buffer);
}

static bool try_imported(foehn_vulkan *v, size_t size, char *why)
{
    foehn_external external;
    uint8_t uuid[FOEHN_UUID_SIZE];
    if (v->params.fastest < FOEHN_VULKAN_IMPORTED) {
        snprintf(why, size, "the caller asked for a slower path");
        return false;
    }
    if (!foehn_external_open(&external, v->ctx, size, why))
        return false;
    foehn_vk_get_uuid(&v->vk, v->vk.physical, uuid);
    if (!foehn_external_is_same_device(&external, "Vulkan", uuid, size, why))
        return false;
    if (!v->vk.GetMemoryFdKHR) {
        snprintf(why, size, "the VkDevice was made without VK_KHR_external_memory_fd");
        return false;
    }
    foehn_status status = FOEHN_OK;
    for (int i = 0; i < RING_SLOTS && status == FOEHN_OK; i++)
        status = import_buffer(v, &external, i);
    if (status == FOEHN_OK) {
        v->has_semaphores = try_semaphores(v, &external, size, why);
        foehn_ring_set_imported(&v->ring, &external);
        return true;
    }
    snprintf(why, size, "%s", foehn_last_error());
    for (int i = 0; i < RING_SLOTS; i++) {
        if (v->ring.slots[i].buffer)
            clReleaseMemObject(v->ring.slots[i].buffer);
        v->ring.slots[i].buffer = NULL;
        foehn_vk_buffer_destroy(&v->vk, &v->slots[i].buffer);
    }
    return false;
}

static foehn_status choose_path(foehn_vulkan *v)
{
    char why[512] = "";
    if (try_imported(v, sizeof why, why)) {
        v->path = FOEHN_VULKAN_IMPORTED;
        snprintf(v->reason, sizeof v->reason, "%s is Vulkan's device and imports its memory; %s%s",
                 v->ctx->device.info.name,
                 v->has_semaphores ? "the queues wait for each other by semaphores"
                                   : "no semaphores: ",
                 v->has_semaphores ? "" : why);
        return FOEHN_OK;
    }
    v->path = FOEHN_VULKAN_COPIED;
    snprintf(v->reason, sizeof v->reason, "not imported: %s", why);
    for (int i = 0; i < RING_SLOTS; i++) {
        TRY(foehn_vk_buffer_create_staging(&v->vk, v->bytes, &v->slots[i].buffer));
        v->ring.slots[i].mapped = v->slots[i].buffer.mapped;
    }
    return FOEHN_OK;
}

/* ---- create and destroy ---- */

foehn_status foehn_vulkan_create(foehn_volume *volume, const foehn_vulkan_params *params,
                                 foehn_vulkan **out)
{
    foehn_status status;
    *out = NULL;
    foehn_vulkan *v = calloc(1, sizeof *v);
    if (!v)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_vulkan_create: no host memory");
    const foehn_newest newest = foehn_volume_newest(volume);
    v->ctx = newest.ctx;
    v->nx = newest.info.nx;
    v->ny = newest.info.ny;
    v->nz = newest.info.nz;
    v->bytes = newest.bytes;
    TRY_OR_FAIL(take_params(v, params));
    TRY_OR_FAIL(
        foehn_vk_load_instance(&v->vk, v->params.get_instance_proc_addr, v->params.instance));
    TRY_OR_FAIL(foehn_vk_load_device(&v->vk, v->params.physical_device, v->params.device));
    foehn_ring_init(&v->ring, volume);
    TRY_OR_FAIL(foehn_vulkan_open_images(v));
    TRY_OR_FAIL(foehn_vulkan_open_commands(v));
    TRY_OR_FAIL(choose_path(v));
    TRY_OR_FAIL(foehn_vulkan_record(v));
    TRY_OR_FAIL(foehn_vulkan_clear(v));
    *out = v;
    return FOEHN_OK;
fail:
    foehn_vulkan_destroy(v);
    return status;
}

static void close_slot(foehn_vulkan *v, int i)
{
    const vk_api *vk = &v->vk;
    if (v->slots[i].device_semaphore)
        v->ring.external.release_semaphore(v->slots[i].device_semaphore);
    vk->DestroySemaphore(vk->device, v->slots[i].semaphore, NULL);
    vk->DestroyFence(vk->device, v->slots[i].fence, NULL);
    foehn_vk_buffer_destroy(vk, &v->slots[i].buffer);
}

void foehn_vulkan_destroy(foehn_vulkan *v)
{
    if (!v)
        return;
    const vk_api *vk = &v->vk;
    if (vk->DestroySemaphore) { /* else nothing was made */
        for (int i = 0; i < RING_SLOTS; i++)
            if (v->slots[i].submitted)
                vk->WaitForFences(vk->device, 1, &v->slots[i].fence, VK_TRUE, UINT64_MAX);
        foehn_ring_destroy(&v->ring);
        for (int i = 0; i < RING_SLOTS; i++)
            close_slot(v, i);
        vk->DestroyCommandPool(vk->device, v->pool, NULL);
        for (int i = 0; i < VULKAN_IMAGES; i++) {
            vk->DestroyImageView(vk->device, v->images[i].view, NULL);
            vk->DestroyImage(vk->device, v->images[i].handle, NULL);
            vk->FreeMemory(vk->device, v->images[i].memory, NULL);
        }
    }
    free(v);
}

/* ---- writing ---- */

/* Buffers that Vulkan has copied from are free again. */
static foehn_status retire(foehn_vulkan *v, bool waits)
{
    const vk_api *vk = &v->vk;
    for (int i = 0; i < RING_SLOTS; i++) {
        if (v->ring.slots[i].state != RING_SHOWING)
            continue;
        VkResult result =
            waits ? vk->WaitForFences(vk->device, 1, &v->slots[i].fence, VK_TRUE, UINT64_MAX)
                  : vk->GetFenceStatus(vk->device, v->slots[i].fence);
        if (result == VK_NOT_READY)
            continue;
        TRY(foehn_vk_check(result, "vkGetFenceStatus"));
        v->ring.slots[i].state = RING_FREE;
    }
    return FOEHN_OK;
}

/* Copy a slot into the image that is not shown, and show that. */
static foehn_status show(foehn_vulkan *v, int slot, bool waits)
{
    int back = (v->front + 1) % VULKAN_IMAGES;
    foehn_status status = foehn_vulkan_copy(v, slot, back, waits);
    if (status != FOEHN_OK) { /* nobody has waited for the semaphore: from now on events tell */
        v->has_semaphores = v->has_semaphores && !waits;
        return status;
    }
    v->front = back;
    v->images[back].content = v->ring.slots[slot].info;
    foehn_ring_show(&v->ring, slot);
    return FOEHN_OK;
}

static foehn_status show_arrived(foehn_vulkan *v)
{
    int slot;
    TRY(foehn_ring_poll(&v->ring, &slot));
    return slot < 0 ? FOEHN_OK : show(v, slot, false);
}

/* Start to move what is new; with semaphores Vulkan waits for it, and it is shown. */
static foehn_status take(foehn_vulkan *v)
{
    int slot;
    if (!foehn_ring_has_news(&v->ring, &slot))
        return FOEHN_OK;
    TRY(foehn_ring_take(&v->ring, slot, &slot));
    if (!v->has_semaphores || slot < 0)
        return FOEHN_OK;
    cl_int code = v->ring.external.signal(v->ctx->queue, 1, &v->slots[slot].device_semaphore, NULL,
                                          0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFlush(v->ctx->queue);
    return code == CL_SUCCESS ? show(v, slot, true)
                              : foehn_fail_cl(code, "signalling a semaphore of Vulkan's");
}

foehn_status foehn_vulkan_write(foehn_vulkan *v)
{
    TRY(retire(v, false));
    TRY(show_arrived(v));
    return take(v);
}

foehn_status foehn_vulkan_write_and_wait(foehn_vulkan *v)
{
    int slot; /* of what was under way, and is still the newest */
    TRY(foehn_context_wait(v->ctx));
    TRY(foehn_ring_poll_settled(&v->ring, &slot));
    if (slot >= 0)
        return show(v, slot, false);
    TRY(retire(v, true)); /* so that there is a free buffer */
    TRY(take(v));
    TRY(foehn_context_wait(v->ctx));
    return show_arrived(v);
}

void foehn_vulkan_get_info(const foehn_vulkan *v, foehn_vulkan_info *info)
{
    int pending = foehn_ring_pending(&v->ring);
    for (int i = 0; i < RING_SLOTS && v->has_semaphores; i++)
        pending += v->ring.slots[i].state == RING_SHOWING &&
                   v->vk.GetFenceStatus(v->vk.device, v->slots[i].fence) == VK_NOT_READY;
    *info = (foehn_vulkan_info){
        .image = v->images[v->front].handle,
        .view = v->images[v->front].view,
        .layout = v->params.layout,
        .content = v->images[v->front].content,
        .pending = pending,
        .shown = v->ring.shown,
        .skipped = v->ring.skipped,
        .path = v->path,
        .semaphores = v->has_semaphores,
        .reason = v->reason,
    };
}
