/* SPDX-License-Identifier: MIT */
/* A volume as Vulkan images: which path, and what a write does on it. */
#include "vulkan.h"

#include <foehn/vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 2 };

struct foehn_vulkan {
    vk_api vk;
    foehn_context *ctx;
    foehn_vulkan_params params;
    int nx, ny, nz;
    size_t bytes;
    int front; /* the image that is shown */
    struct {
        VkImage handle;
        VkDeviceMemory memory;
        VkImageView view;
        foehn_volume_info content;
    } images[IMAGES];
    foehn_vulkan_path path;
    bool has_semaphores;
    char reason[768];
    foehn_ring ring;
    VkCommandPool pool;
    struct {
        vk_buffer buffer;
        VkCommandBuffer commands;
        VkFence fence;
        VkSemaphore semaphore; /* signalled by OpenCL when the buffer is written */
        foehn_cl_semaphore device_semaphore;
    } slots[RING_SLOTS];
};

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
    };
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

static foehn_status take_params(foehn_vulkan *v, const foehn_vulkan_params *given)
{
    foehn_vulkan_params *p = &v->params;
    if (given->struct_size < sizeof given->struct_size)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_vulkan_create: struct_size = %zu: start from "
                          "foehn_vulkan_params_default()",
                          given->struct_size);
    *p = foehn_vulkan_params_default();
    memcpy(p, given, given->struct_size < sizeof *p ? given->struct_size : sizeof *p);
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

/* ---- images ---- */

static VkImageCreateInfo image_info(const foehn_vulkan *v, uint32_t families[2])
{
    families[0] = v->params.queue_family;
    families[1] = v->params.sampling_family;
    bool shared = families[1] != VK_QUEUE_FAMILY_IGNORED && families[1] != families[0];
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = v->params.type,
        .format = VK_FORMAT_R16G16B16A16_SFLOAT,
        .extent = {(uint32_t)v->nx, (uint32_t)v->ny, (uint32_t)v->nz},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | v->params.usage,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? 2 : 0,
        .pQueueFamilyIndices = shared ? families : NULL,
    };
}

static foehn_status check_size(const foehn_vulkan *v, const VkImageCreateInfo *info)
{
    VkImageFormatProperties most;
    VkResult result = v->vk.GetPhysicalDeviceImageFormatProperties(
        v->vk.physical, info->format, info->imageType, info->tiling, info->usage, 0, &most);
    if (result == VK_SUCCESS && info->extent.width <= most.maxExtent.width &&
        info->extent.height <= most.maxExtent.height && info->extent.depth <= most.maxExtent.depth)
        return FOEHN_OK;
    if (result != VK_SUCCESS)
        memset(&most, 0, sizeof most);
    return foehn_fail(FOEHN_ERROR_ARGUMENT,
                      "foehn_vulkan_create: %d x %d x %d texels of usage 0x%x: this device takes "
                      "%u x %u x %u",
                      v->nx, v->ny, v->nz, (unsigned)info->usage, most.maxExtent.width,
                      most.maxExtent.height, most.maxExtent.depth);
}

static const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

static foehn_status open_image(foehn_vulkan *v, int i)
{
    const vk_api *vk = &v->vk;
    uint32_t families[2];
    const VkImageCreateInfo info = image_info(v, families);
    TRY(check_size(v, &info));
    TRY_VK(vk, CreateImage, vk->device, &info, NULL, &v->images[i].handle);
    VkMemoryRequirements need;
    vk->GetImageMemoryRequirements(vk->device, v->images[i].handle, &need);
    VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = need.size,
        .memoryTypeIndex =
            foehn_vk_memory_type(vk, need.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),
    };
    if (allocation.memoryTypeIndex == UINT32_MAX)
        allocation.memoryTypeIndex = foehn_vk_memory_type(vk, need.memoryTypeBits, 0);
    TRY_VK(vk, AllocateMemory, vk->device, &allocation, NULL, &v->images[i].memory);
    TRY_VK(vk, BindImageMemory, vk->device, v->images[i].handle, v->images[i].memory, 0);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = v->images[i].handle,
        .viewType =
            info.imageType == VK_IMAGE_TYPE_2D ? VK_IMAGE_VIEW_TYPE_2D : VK_IMAGE_VIEW_TYPE_3D,
        .format = info.format,
        .subresourceRange = whole,
    };
    TRY_VK(vk, CreateImageView, vk->device, &view, NULL, &v->images[i].view);
    v->images[i].content = (foehn_volume_info){.nx = v->nx, .ny = v->ny, .nz = v->nz};
    return FOEHN_OK;
}

/* ---- commands ---- */

/* Whatever the image held is given up.  All that was submitted before is done with it. */
static void begin_image(const foehn_vulkan *v, VkCommandBuffer commands, VkImage image)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = whole,
    };
    v->vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* From here on whoever comes next may read it in the caller's layout. */
static void end_image(const foehn_vulkan *v, VkCommandBuffer commands, VkImage image)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .newLayout = v->params.layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = whole,
    };
    v->vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* Imported memory comes from the other API and goes back to it. */
static void hand_over_buffer(const foehn_vulkan *v, int slot, bool from_device)
{
    const uint32_t other = VK_QUEUE_FAMILY_EXTERNAL, own = v->params.queue_family;
    const VkBufferMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = 0,
        .dstAccessMask = from_device ? VK_ACCESS_TRANSFER_READ_BIT : 0,
        .srcQueueFamilyIndex = from_device ? other : own,
        .dstQueueFamilyIndex = from_device ? own : other,
        .buffer = v->slots[slot].buffer.handle,
        .size = VK_WHOLE_SIZE,
    };
    if (v->path != FOEHN_VULKAN_IMPORTED)
        return;
    v->vk.CmdPipelineBarrier(
        v->slots[slot].commands,
        from_device ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
        from_device ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0,
        NULL, 1, &barrier, 0, NULL);
}

static foehn_status begin_commands(const foehn_vulkan *v, int slot)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    TRY_VK(&v->vk, BeginCommandBuffer, v->slots[slot].commands, &begin);
    return FOEHN_OK;
}

static foehn_status submit(const foehn_vulkan *v, int slot, bool waits)
{
    const vk_api *vk = &v->vk;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = waits ? 1 : 0,
        .pWaitSemaphores = &v->slots[slot].semaphore,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &v->slots[slot].commands,
    };
    TRY_VK(vk, EndCommandBuffer, v->slots[slot].commands);
    TRY_VK(vk, ResetFences, vk->device, 1, &v->slots[slot].fence);
    TRY_VK(vk, QueueSubmit, v->params.queue, 1, &info, v->slots[slot].fence);
    return FOEHN_OK;
}

/* Both images are 0 and in the caller's layout before anything has arrived. */
static foehn_status clear_images(foehn_vulkan *v)
{
    const VkClearColorValue zero = {.float32 = {0, 0, 0, 0}};
    TRY(begin_commands(v, 0));
    for (int i = 0; i < IMAGES; i++) {
        begin_image(v, v->slots[0].commands, v->images[i].handle);
        v->vk.CmdClearColorImage(v->slots[0].commands, v->images[i].handle,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &zero, 1, &whole);
        end_image(v, v->slots[0].commands, v->images[i].handle);
    }
    TRY(submit(v, 0, false));
    v->ring.slots[0].state = RING_SHOWING; /* until the fence says that its commands are done */
    return FOEHN_OK;
}

static foehn_status open_commands(foehn_vulkan *v)
{
    const vk_api *vk = &v->vk;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = v->params.queue_family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    TRY_VK(vk, CreateCommandPool, vk->device, &pool, NULL, &v->pool);
    for (int i = 0; i < RING_SLOTS; i++) {
        const VkCommandBufferAllocateInfo commands = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = v->pool,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 1,
        };
        TRY_VK(vk, AllocateCommandBuffers, vk->device, &commands, &v->slots[i].commands);
        TRY_VK(vk, CreateFence, vk->device, &fence, NULL, &v->slots[i].fence);
    }
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
    for (int i = 0; i < IMAGES; i++)
        TRY_OR_FAIL(open_image(v, i));
    TRY_OR_FAIL(open_commands(v));
    TRY_OR_FAIL(choose_path(v));
    TRY_OR_FAIL(clear_images(v));
    *out = v;
    return FOEHN_OK;
fail:
    foehn_vulkan_destroy(v);
    return status;
}

static void close_slot(foehn_vulkan *v, int i)
{
    const vk_api *vk = &v->vk;
    if (v->slots[i].fence)
        vk->WaitForFences(vk->device, 1, &v->slots[i].fence, VK_TRUE, UINT64_MAX);
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
            if (v->slots[i].fence)
                vk->WaitForFences(vk->device, 1, &v->slots[i].fence, VK_TRUE, UINT64_MAX);
        foehn_ring_destroy(&v->ring);
        for (int i = 0; i < RING_SLOTS; i++)
            close_slot(v, i);
        vk->DestroyCommandPool(vk->device, v->pool, NULL);
        for (int i = 0; i < IMAGES; i++) {
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
    int back = (v->front + 1) % IMAGES;
    VkCommandBuffer commands = v->slots[slot].commands;
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {(uint32_t)v->nx, (uint32_t)v->ny, (uint32_t)v->nz},
    };
    TRY(begin_commands(v, slot));
    hand_over_buffer(v, slot, true);
    begin_image(v, commands, v->images[back].handle);
    v->vk.CmdCopyBufferToImage(commands, v->slots[slot].buffer.handle, v->images[back].handle,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    end_image(v, commands, v->images[back].handle);
    hand_over_buffer(v, slot, false);
    TRY(submit(v, slot, waits));
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
    /* Twice: what is under way first, since it may hold all buffers. */
    for (int i = 0; i < 2; i++) {
        TRY(foehn_context_wait(v->ctx));
        TRY(show_arrived(v));
        TRY(retire(v, true));
        TRY(take(v));
    }
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
