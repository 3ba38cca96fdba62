/* SPDX-License-Identifier: MIT */
#include "publish/vulkans.h"

compute vulkans_gpu;

foehn_vulkan_params vulkans_params(void)
{
    foehn_vulkan_params params = foehn_vulkan_params_default();
    params.get_instance_proc_addr = vkGetInstanceProcAddr;
    params.instance = vulkans_gpu.instance;
    params.physical_device = vulkans_gpu.physical;
    params.device = vulkans_gpu.device;
    params.queue = vulkans_gpu.queue;
    params.queue_family = vulkans_gpu.family;
    params.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    return params;
}

foehn_vulkan *vulkans_open(foehn_volume *volume)
{
    foehn_vulkan_params params = vulkans_params();
    foehn_vulkan *v;
    OK(foehn_vulkan_create(volume, &params, &v));
    return v;
}

/* ---- texels ---- */

static void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* All texels, out of the caller's layout and back into it. */
uint16_t *vulkans_halves(const published *p, const foehn_vulkan_info *info)
{
    vk_api vk;
    vk_buffer staging;
    VkCommandPool pool;
    VkCommandBuffer commands;
    uint16_t *halves = testing_alloc(p->halves * sizeof *halves);
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, vulkans_gpu.instance));
    OK(foehn_vk_load_device(&vk, vulkans_gpu.physical, vulkans_gpu.device));
    OK(foehn_vk_buffer_create_staging(&vk, p->halves * sizeof *halves, &staging));
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = vulkans_gpu.family};
    ck_assert_int_eq(vkCreateCommandPool(vulkans_gpu.device, &pool_info, NULL, &pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {(uint32_t)p->n[0], (uint32_t)p->n[1], (uint32_t)p->n[2]}};
    ck_assert_int_eq(vkAllocateCommandBuffers(vulkans_gpu.device, &allocation, &commands),
                     VK_SUCCESS);
    vkBeginCommandBuffer(commands, &begin);
    barrier(commands, info->image, info->layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, info->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           staging.handle, 1, &region);
    barrier(commands, info->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, info->layout);
    vkEndCommandBuffer(commands);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    ck_assert_int_eq(vkQueueSubmit(vulkans_gpu.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ck_assert_int_eq(vkQueueWaitIdle(vulkans_gpu.queue), VK_SUCCESS);
    memcpy(halves, staging.mapped, p->halves * sizeof *halves);
    vkDestroyCommandPool(vulkans_gpu.device, pool, NULL);
    foehn_vk_buffer_destroy(&vk, &staging);
    return halves;
}

bool vulkans_hold(const published *p, const foehn_vulkan_info *info, const uint16_t *halves)
{
    uint16_t *texels = vulkans_halves(p, info);
    bool same = memcmp(texels, halves, p->halves * sizeof *halves) == 0;
    free(texels);
    return same;
}

void vulkans_publish(published *p, foehn_vulkan *v)
{
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    uint64_t before = info.shown;
    for (int n = 1; n <= 4; n++) {
        step_published(p, n);
        OK(foehn_vulkan_write_and_wait(v));
        foehn_vulkan_get_info(v, &info);
        uint16_t *texels = vulkans_halves(p, &info);
        expect_published(p, n, texels, &info.content);
        free(texels);
        ck_assert_uint_eq(info.shown, before + (uint64_t)n);
        ck_assert_uint_eq(info.skipped, 0);
        if (!info.semaphores)
            ck_assert_int_eq(info.pending, 0);
    }
}

void vulkans_compare(foehn_context *ctx, foehn_vulkan_path path, bool semaphores)
{
    for (published_kind kind = 0; kind < PUBLISHED_KINDS; kind++) {
        published p = open_published(ctx, kind);
        foehn_vulkan *v = vulkans_open(p.volume);
        foehn_vulkan_info info;
        foehn_vulkan_get_info(v, &info);
        testing_report("%s: %s", foehn_vulkan_path_name(info.path), info.reason);
        ck_assert_int_eq(info.path, path);
        ck_assert_int_eq(info.semaphores, semaphores);
        uint16_t *texels = vulkans_halves(&p, &info);
        ck_assert_int_eq(count_nonzero(texels, p.halves), 0); /* before anything has arrived */
        free(texels);
        vulkans_publish(&p, v);
        foehn_vulkan_destroy(v);
        uint16_t *halves = host_halves(&p); /* the volume keeps its content */
        ck_assert_int_gt(count_nonzero(halves, p.halves), 10);
        free(halves);
        close_published(&p);
    }
    ck_assert_int_eq(exporter.complaints, 0);
}

/* ---- memory and semaphores of Vulkan's in OpenCL, through doubles ---- */

const char *const vulkans_memory = "cl_khr_external_memory_opaque_fd cl_khr_device_uuid";
const char *const vulkans_with_semaphores = "cl_khr_external_memory_opaque_fd cl_khr_device_uuid "
                                            "cl_khr_external_semaphore_opaque_fd";

bool vulkans_share(const char *extensions)
{
    vk_api vk;
    sharing_reset();
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, vulkans_gpu.instance));
    OK(foehn_vk_load_device(&vk, vulkans_gpu.physical, vulkans_gpu.device));
    if (context->device.info.external_memory) {
        printf("not through doubles: the device itself imports memory\n");
        return false;
    }
    ck_assert_ptr_nonnull(vk.GetMemoryFdKHR);
    if (!exporter_prepare())
        return false;
    sharing.extensions = extensions;
    memcpy(sharing.uuid, exporter_uuid(), sizeof sharing.uuid);
    return true;
}
