/* SPDX-License-Identifier: MIT */
/* The two images of a volume, and the commands that fill them. */
#include "publish/vulkan_state.h"

#include <string.h>

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

foehn_status foehn_vulkan_open_images(foehn_vulkan *v)
{
    for (int i = 0; i < VULKAN_IMAGES; i++)
        TRY(open_image(v, i));
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

/* Imported memory comes from the other API and goes back to it.  Its coming is ordered after the
 * wait for its semaphore, which is for all stages. */
static void hand_over_buffer(const foehn_vulkan *v, VkCommandBuffer commands, int slot,
                             bool from_device)
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
        commands, from_device ? VK_PIPELINE_STAGE_ALL_COMMANDS_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
        from_device ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0,
        NULL, 1, &barrier, 0, NULL);
}

static foehn_status begin_commands(const foehn_vulkan *v, VkCommandBuffer commands)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    TRY_VK(&v->vk, BeginCommandBuffer, commands, &begin);
    return FOEHN_OK;
}

static void fill_image(const foehn_vulkan *v, VkCommandBuffer commands, int slot, int image)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {(uint32_t)v->nx, (uint32_t)v->ny, (uint32_t)v->nz},
    };
    begin_image(v, commands, v->images[image].handle);
    v->vk.CmdCopyBufferToImage(commands, v->slots[slot].buffer.handle, v->images[image].handle,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    end_image(v, commands, v->images[image].handle);
}

/* Both images from a buffer of zeros: queues that only transfer clear no images. */
static foehn_status record_clear(const foehn_vulkan *v)
{
    const VkBufferMemoryBarrier filled = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = v->slots[0].buffer.handle,
        .size = VK_WHOLE_SIZE,
    };
    TRY(begin_commands(v, v->clear));
    v->vk.CmdFillBuffer(v->clear, v->slots[0].buffer.handle, 0, VK_WHOLE_SIZE, 0);
    v->vk.CmdPipelineBarrier(v->clear, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &filled, 0, NULL);
    for (int i = 0; i < VULKAN_IMAGES; i++)
        fill_image(v, v->clear, 0, i);
    hand_over_buffer(v, v->clear, 0, false);
    TRY_VK(&v->vk, EndCommandBuffer, v->clear);
    return FOEHN_OK;
}

static foehn_status record_copy(const foehn_vulkan *v, int slot, int image)
{
    VkCommandBuffer commands = v->slots[slot].copy[image];
    TRY(begin_commands(v, commands));
    hand_over_buffer(v, commands, slot, true);
    fill_image(v, commands, slot, image);
    hand_over_buffer(v, commands, slot, false);
    TRY_VK(&v->vk, EndCommandBuffer, commands);
    return FOEHN_OK;
}

foehn_status foehn_vulkan_record(foehn_vulkan *v)
{
    TRY(record_clear(v));
    for (int i = 0; i < RING_SLOTS; i++)
        for (int image = 0; image < VULKAN_IMAGES; image++)
            TRY(record_copy(v, i, image));
    return FOEHN_OK;
}

/* The slot's fence tells when they are done. */
static foehn_status submit(foehn_vulkan *v, VkCommandBuffer commands, int slot, bool waits)
{
    const vk_api *vk = &v->vk;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = waits ? 1 : 0,
        .pWaitSemaphores = &v->slots[slot].semaphore,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands,
    };
    v->slots[slot].submitted = false; /* if this fails, nobody will signal the fence */
    TRY_VK(vk, ResetFences, vk->device, 1, &v->slots[slot].fence);
    TRY_VK(vk, QueueSubmit, v->params.queue, 1, &info, v->slots[slot].fence);
    v->slots[slot].submitted = true;
    return FOEHN_OK;
}

foehn_status foehn_vulkan_clear(foehn_vulkan *v)
{
    TRY(submit(v, v->clear, 0, false));
    v->ring.slots[0].state = RING_SHOWING; /* until the fence says that its commands are done */
    return FOEHN_OK;
}

foehn_status foehn_vulkan_copy(foehn_vulkan *v, int slot, int image, bool waits)
{
    return submit(v, v->slots[slot].copy[image], slot, waits);
}

static foehn_status open_buffers(const foehn_vulkan *v, uint32_t count, VkCommandBuffer *out)
{
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = v->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = count,
    };
    TRY_VK(&v->vk, AllocateCommandBuffers, v->vk.device, &commands, out);
    return FOEHN_OK;
}

foehn_status foehn_vulkan_open_commands(foehn_vulkan *v)
{
    const vk_api *vk = &v->vk;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = v->params.queue_family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    TRY_VK(vk, CreateCommandPool, vk->device, &pool, NULL, &v->pool);
    TRY(open_buffers(v, 1, &v->clear));
    for (int i = 0; i < RING_SLOTS; i++) {
        TRY(open_buffers(v, VULKAN_IMAGES, v->slots[i].copy));
        TRY_VK(vk, CreateFence, vk->device, &fence, NULL, &v->slots[i].fence);
    }
    return FOEHN_OK;
}
