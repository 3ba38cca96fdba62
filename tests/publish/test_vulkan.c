/* SPDX-License-Identifier: MIT */
/* Volumes as Vulkan images, on the first device there is (in CI Mesa's lavapipe), under the
 * validation layer: texels bit for bit, the wrap seam, frames in flight; memory and semaphores that
 * OpenCL imports through doubles where the device lists none. */
#include "publish/exporter.h"
#include "publish/published.h"
#include "publish/sharing.h"

#include <foehn/vulkan.h>

#include "examples/compute.h"
#include "examples/offscreen.h"
#include "publish/sample.comp.h"

#include <unistd.h>

static compute gpu;

static foehn_vulkan_params params_of_device(void)
{
    foehn_vulkan_params params = foehn_vulkan_params_default();
    params.get_instance_proc_addr = vkGetInstanceProcAddr;
    params.instance = gpu.instance;
    params.physical_device = gpu.physical;
    params.device = gpu.device;
    params.queue = gpu.queue;
    params.queue_family = gpu.family;
    params.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    return params;
}

static foehn_vulkan *open_vulkan(foehn_volume *volume)
{
    foehn_vulkan_params params = params_of_device();
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
static uint16_t *image_halves(const published *p, const foehn_vulkan_info *info)
{
    vk_api vk;
    vk_buffer staging;
    VkCommandPool pool;
    VkCommandBuffer commands;
    uint16_t *halves = testing_alloc(p->halves * sizeof *halves);
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, gpu.instance));
    OK(foehn_vk_load_device(&vk, gpu.physical, gpu.device));
    OK(foehn_vk_buffer_create_staging(&vk, p->halves * sizeof *halves, &staging));
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = gpu.family};
    ck_assert_int_eq(vkCreateCommandPool(gpu.device, &pool_info, NULL, &pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {(uint32_t)p->n[0], (uint32_t)p->n[1], (uint32_t)p->n[2]}};
    ck_assert_int_eq(vkAllocateCommandBuffers(gpu.device, &allocation, &commands), VK_SUCCESS);
    vkBeginCommandBuffer(commands, &begin);
    barrier(commands, info->image, info->layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, info->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           staging.handle, 1, &region);
    barrier(commands, info->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, info->layout);
    vkEndCommandBuffer(commands);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    ck_assert_int_eq(vkQueueSubmit(gpu.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ck_assert_int_eq(vkQueueWaitIdle(gpu.queue), VK_SUCCESS);
    memcpy(halves, staging.mapped, p->halves * sizeof *halves);
    vkDestroyCommandPool(gpu.device, pool, NULL);
    foehn_vk_buffer_destroy(&vk, &staging);
    return halves;
}

static bool image_holds(const published *p, const foehn_vulkan_info *info, const uint16_t *halves)
{
    uint16_t *texels = image_halves(p, info);
    bool same = memcmp(texels, halves, p->halves * sizeof *halves) == 0;
    free(texels);
    return same;
}

static void publish_and_compare(published *p, foehn_vulkan *v)
{
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    uint64_t before = info.shown;
    for (int n = 1; n <= 4; n++) {
        step_published(p, n);
        OK(foehn_vulkan_write_and_wait(v));
        foehn_vulkan_get_info(v, &info);
        uint16_t *halves = host_halves(p);
        ck_assert_int_gt(count_nonzero(halves, p->halves), 10);
        ck_assert_msg(image_holds(p, &info, halves), "step %d: other texels", n);
        free(halves);
        foehn_volume_info newest;
        foehn_volume_get_info(p->volume, &newest);
        ck_assert_mem_eq(&info.content, &newest, sizeof newest);
        ck_assert_uint_eq(info.shown, before + (uint64_t)n);
        ck_assert_uint_eq(info.skipped, 0);
        if (!info.semaphores)
            ck_assert_int_eq(info.pending, 0);
    }
}

static void compare_all_kinds(foehn_context *ctx, foehn_vulkan_path path, bool semaphores)
{
    for (published_kind kind = 0; kind < PUBLISHED_KINDS; kind++) {
        published p = open_published(ctx, kind);
        foehn_vulkan *v = open_vulkan(p.volume);
        foehn_vulkan_info info;
        foehn_vulkan_get_info(v, &info);
        testing_report("%s: %s", foehn_vulkan_path_name(info.path), info.reason);
        ck_assert_int_eq(info.path, path);
        ck_assert_int_eq(info.semaphores, semaphores);
        uint16_t *texels = image_halves(&p, &info);
        ck_assert_int_eq(count_nonzero(texels, p.halves), 0); /* before anything has arrived */
        free(texels);
        publish_and_compare(&p, v);
        foehn_vulkan_destroy(v);
        uint16_t *halves = host_halves(&p); /* the volume keeps its content */
        ck_assert_int_gt(count_nonzero(halves, p.halves), 10);
        free(halves);
        close_published(&p);
    }
    ck_assert_int_eq(exporter.complaints, 0);
}

/* On the device as it is: what path that is depends on it. */
START_TEST(texels_are_the_hosts_bit_for_bit)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = open_vulkan(p.volume);
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    if (!context->device.info.external_memory) {
        ck_assert_int_eq(info.path, FOEHN_VULKAN_COPIED);
        ck_assert_ptr_nonnull(strstr(info.reason, "cl_khr_external_memory_opaque_fd"));
    }
    foehn_vulkan_destroy(v);
    close_published(&p);
    compare_all_kinds(context, info.path, info.semaphores);
}
END_TEST

START_TEST(the_copied_path_can_be_asked_for_in_another_layout)
{
    foehn_vulkan_params params = params_of_device();
    foehn_vulkan *v;
    foehn_vulkan_info info;
    params.fastest = FOEHN_VULKAN_COPIED;
    params.layout = VK_IMAGE_LAYOUT_GENERAL;
    params.type = VK_IMAGE_TYPE_3D;
    published p = open_published(context, PUBLISHED_FLOW);
    OK(foehn_vulkan_create(p.volume, &params, &v));
    foehn_vulkan_get_info(v, &info);
    ck_assert_int_eq(info.path, FOEHN_VULKAN_COPIED);
    ck_assert_int_eq(info.layout, VK_IMAGE_LAYOUT_GENERAL);
    ck_assert_ptr_nonnull(strstr(info.reason, "the caller asked"));
    publish_and_compare(&p, v);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* ---- memory and semaphores of Vulkan's in OpenCL, through doubles ---- */

static const char *const memory_only = "cl_khr_external_memory_opaque_fd cl_khr_device_uuid";
static const char *const with_semaphores = "cl_khr_external_memory_opaque_fd cl_khr_device_uuid "
                                           "cl_khr_external_semaphore_opaque_fd";

static bool begin_sharing(const char *extensions)
{
    vk_api vk;
    sharing_reset();
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, gpu.instance));
    OK(foehn_vk_load_device(&vk, gpu.physical, gpu.device));
    if (context->device.info.external_memory) {
        printf("not through doubles: the device itself imports memory\n");
        return false;
    }
    ck_assert_ptr_nonnull(vk.GetMemoryFdKHR);
    exporter_prepare();
    sharing.extensions = extensions;
    memcpy(sharing.uuid, exporter_uuid(), sizeof sharing.uuid);
    return true;
}

START_TEST(imported_memory_holds_the_hosts_texels)
{
    if (!begin_sharing(memory_only))
        return;
    foehn_context *ctx = sharing_context(false);
    compare_all_kinds(ctx, FOEHN_VULKAN_IMPORTED, false);
    ck_assert_int_eq(sharing.imports, 9);
    ck_assert_int_eq(sharing.touched_unacquired, 0);
    ck_assert_int_eq(sharing.acquired, sharing.released);
    foehn_context_destroy(ctx);
    sharing_reset();
}
END_TEST

/* The kernel's own output is what Vulkan reads: nothing is copied on the way, by host or device. */
START_TEST(the_kernel_writes_straight_into_imported_memory)
{
    if (!begin_sharing(memory_only))
        return;
    foehn_context *ctx = sharing_context(false);
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *first = open_vulkan(p.volume), *second = open_vulkan(p.volume);
    foehn_vulkan_info one, two;
    uint64_t before = foehn_context_get_launches(ctx);
    step_published(&p, 1);
    uint64_t launches = foehn_context_get_launches(ctx) - before;
    ck_assert_int_eq(sharing.acquired, 1);
    OK(foehn_vulkan_write_and_wait(first));
    ck_assert_int_eq(sharing.acquired, 1); /* taken where it is */
    ck_assert_uint_eq(foehn_context_get_launches(ctx) - before, launches);
    OK(foehn_vulkan_write_and_wait(second)); /* a second reader of the volume is copied to */
    foehn_vulkan_get_info(first, &one);
    foehn_vulkan_get_info(second, &two);
    uint16_t *halves = host_halves(&p);
    ck_assert(image_holds(&p, &one, halves));
    ck_assert(image_holds(&p, &two, halves));
    free(halves);
    foehn_vulkan_destroy(first);
    step_published(&p, 2);
    OK(foehn_vulkan_write_and_wait(second));
    foehn_vulkan_get_info(second, &two);
    halves = host_halves(&p);
    ck_assert(image_holds(&p, &two, halves));
    free(halves);
    foehn_vulkan_destroy(second);
    close_published(&p);
    ck_assert_int_eq(sharing.touched_unacquired, 0);
    ck_assert_int_eq(sharing.acquired, sharing.released);
    foehn_context_destroy(ctx);
    sharing_reset();
}
END_TEST

/* A queue that is told to wait for a semaphore waits for the OpenCL queue: then the double has
 * signalled it. */
static cl_command_queue signalling;
static int waits;
static bool refuses_submission;

static VkResult double_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *info,
                              VkFence fence)
{
    VkSubmitInfo without = *info;
    if (refuses_submission)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (info->waitSemaphoreCount) {
        ck_assert_int_eq(sharing.signals, ++waits); /* signalled before, and each once */
        clFinish(signalling);
        without.waitSemaphoreCount = 0;
    }
    return vkQueueSubmit(queue, count, &without, fence);
}

static VkResult double_create_semaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                                        const VkAllocationCallbacks *callbacks, VkSemaphore *out)
{
    const VkSemaphoreCreateInfo plain = {.sType = info->sType};
    return vkCreateSemaphore(device, &plain, callbacks, out);
}

static VkResult double_get_fd(VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *fd)
{
    FILE *file = tmpfile();
    (void)device, (void)info;
    *fd = file ? dup(fileno(file)) : -1;
    return file && fclose(file) == 0 ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* What is recorded and submitted, and submissions that fail. */
static struct {
    int submissions, fails_at; /* 1: the first one; 0: none */
    int into, out_of;          /* barriers of images, before and after a copy */
} watched;

static VkResult watched_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *info,
                               VkFence fence)
{
    if (++watched.submissions == watched.fails_at)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    return vkQueueSubmit(queue, count, info, fence);
}

/* Other submissions are ordered before and after by these barriers, which the validation layer
 * cannot know. */
static void watched_barrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                            VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memory_count,
                            const VkMemoryBarrier *memory, uint32_t buffer_count,
                            const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                            const VkImageMemoryBarrier *images)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    for (uint32_t i = 0; i < image_count; i++) {
        if (images[i].newLayout == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL) {
            ck_assert_uint_eq(from, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
            ck_assert_uint_ne(images[i].srcAccessMask & VK_ACCESS_MEMORY_WRITE_BIT, 0);
            watched.into++;
        } else {
            ck_assert_uint_eq(to, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
            ck_assert_uint_eq(images[i].dstAccessMask, all);
            ck_assert_int_eq(images[i].newLayout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
            watched.out_of++;
        }
    }
    vkCmdPipelineBarrier(commands, from, to, flags, memory_count, memory, buffer_count, buffers,
                         image_count, images);
}

static PFN_vkVoidFunction watched_device(VkDevice device, const char *name)
{
    if (strcmp(name, "vkQueueSubmit") == 0)
        return (PFN_vkVoidFunction)watched_submit;
    if (strcmp(name, "vkCmdPipelineBarrier") == 0)
        return (PFN_vkVoidFunction)watched_barrier;
    return vkGetDeviceProcAddr(device, name);
}

static PFN_vkVoidFunction watched_loader(VkInstance instance, const char *name)
{
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)watched_device
                                                    : vkGetInstanceProcAddr(instance, name);
}

static PFN_vkVoidFunction double_device(VkDevice device, const char *name)
{
    if (strcmp(name, "vkQueueSubmit") == 0)
        return (PFN_vkVoidFunction)double_submit;
    if (strcmp(name, "vkCreateSemaphore") == 0)
        return (PFN_vkVoidFunction)double_create_semaphore;
    if (strcmp(name, "vkGetSemaphoreFdKHR") == 0)
        return (PFN_vkVoidFunction)double_get_fd;
    return vkGetDeviceProcAddr(device, name);
}

static PFN_vkVoidFunction double_loader(VkInstance instance, const char *name)
{
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)double_device
                                                    : vkGetInstanceProcAddr(instance, name);
}

static foehn_vulkan *open_with_semaphores(foehn_context *ctx, foehn_volume *volume)
{
    foehn_vulkan_params params = params_of_device();
    foehn_vulkan *v;
    params.get_instance_proc_addr = double_loader;
    signalling = ctx->queue;
    waits = 0;
    OK(foehn_vulkan_create(volume, &params, &v));
    return v;
}

START_TEST(with_semaphores_content_is_shown_at_once)
{
    if (!begin_sharing(with_semaphores))
        return;
    foehn_context *ctx = sharing_context(false);
    sharing.semaphore_refusals = _i; /* forms of the property list that the driver does not know */
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *v = open_with_semaphores(ctx, p.volume);
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    ck_assert_msg(info.semaphores, "%s", info.reason);
    ck_assert_int_eq(sharing.semaphores, 3);
    for (int n = 1; n <= 6; n++) {
        step_published(&p, n);
        OK(foehn_vulkan_write(v)); /* which does not wait, and is enough */
        foehn_vulkan_get_info(v, &info);
        ck_assert_uint_eq(info.content.step, (uint64_t)n);
        uint16_t *halves = host_halves(&p);
        ck_assert(image_holds(&p, &info, halves));
        free(halves);
    }
    publish_and_compare(&p, v);
    foehn_vulkan_destroy(v);
    ck_assert_int_eq(sharing.semaphores, 0);
    ck_assert_int_eq(waits, sharing.signals);
    ck_assert_int_eq(sharing.touched_unacquired, 0);
    close_published(&p);
    foehn_context_destroy(ctx);
    ck_assert_int_eq(exporter.complaints, 0);
    sharing_reset();
}
END_TEST

/* The semaphore was signalled and nobody waits for it: it is not signalled again. */
START_TEST(a_failed_submission_ends_the_use_of_semaphores)
{
    if (!begin_sharing(with_semaphores))
        return;
    foehn_context *ctx = sharing_context(false);
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *v = open_with_semaphores(ctx, p.volume);
    foehn_vulkan_info info;
    step_published(&p, 1);
    OK(foehn_vulkan_write(v));
    step_published(&p, 2);
    refuses_submission = true;
    FAILS(FOEHN_ERROR_MEMORY, "vkQueueSubmit", foehn_vulkan_write(v));
    refuses_submission = false;
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, 1); /* the old content stays */
    int signals = sharing.signals;
    for (int n = 3; n <= 6; n++) {
        step_published(&p, n);
        OK(foehn_vulkan_write_and_wait(v));
        foehn_vulkan_get_info(v, &info);
        ck_assert_uint_eq(info.content.step, (uint64_t)n);
        uint16_t *halves = host_halves(&p);
        ck_assert(image_holds(&p, &info, halves));
        free(halves);
    }
    ck_assert_int_eq(info.semaphores, 0);
    ck_assert_int_eq(sharing.signals, signals);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(sharing.acquired, sharing.released);
    foehn_context_destroy(ctx);
    ck_assert_int_eq(exporter.complaints, 0);
    sharing_reset();
}
END_TEST

START_TEST(submissions_that_fail_leave_nothing_to_wait_for)
{
    foehn_vulkan_params params = params_of_device();
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v;
    foehn_vulkan_info info;
    params.get_instance_proc_addr = watched_loader;
    memset(&watched, 0, sizeof watched);
    alarm(60); /* instead of waiting for ever */
    watched.fails_at = 1;
    FAILS(FOEHN_ERROR_MEMORY, "vkQueueSubmit", foehn_vulkan_create(p.volume, &params, &v));
    ck_assert_ptr_null(v);
    OK(foehn_vulkan_create(p.volume, &params, &v));
    step_published(&p, 1);
    OK(foehn_vulkan_write_and_wait(v));
    step_published(&p, 2);
    watched.fails_at = watched.submissions + 1;
    FAILS(FOEHN_ERROR_MEMORY, "vkQueueSubmit", foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, 1);
    OK(foehn_vulkan_write_and_wait(v)); /* which tries again */
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, 2);
    uint16_t *halves = host_halves(&p);
    ck_assert(image_holds(&p, &info, halves));
    free(halves);
    step_published(&p, 3);
    watched.fails_at = watched.submissions + 1;
    FAILS(FOEHN_ERROR_MEMORY, "vkQueueSubmit", foehn_vulkan_write_and_wait(v));
    foehn_vulkan_destroy(v);
    alarm(0);
    ck_assert_int_eq(watched.into, 16); /* 2 images cleared, 3 buffers to each; by two objects */
    ck_assert_int_eq(watched.out_of, 16);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

START_TEST(semaphores_that_fail_are_done_without)
{
    if (!begin_sharing(with_semaphores))
        return;
    foehn_context *ctx = sharing_context(false);
    sharing.semaphore_refusals = 1000;
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *v = open_with_semaphores(ctx, p.volume);
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    ck_assert_int_eq(info.path, FOEHN_VULKAN_IMPORTED);
    ck_assert_int_eq(info.semaphores, 0);
    ck_assert_ptr_nonnull(strstr(info.reason, "(-64)"));
    publish_and_compare(&p, v);
    foehn_vulkan_destroy(v);
    close_published(&p);
    foehn_context_destroy(ctx);
    sharing_reset();
}
END_TEST

static void expect_copied(const char *reason)
{
    foehn_context *ctx = sharing_context(false);
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *v = open_vulkan(p.volume);
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    ck_assert_int_eq(info.path, FOEHN_VULKAN_COPIED);
    ck_assert_msg(strstr(info.reason, reason) != NULL, "no \"%s\" in: %s", reason, info.reason);
    publish_and_compare(&p, v);
    foehn_vulkan_destroy(v);
    close_published(&p);
    foehn_context_destroy(ctx);
}

START_TEST(imports_that_fail_fall_back_to_copies_with_the_reason)
{
    if (!begin_sharing("cl_khr_external_memory_opaque_fd"))
        return;
    expect_copied("cl_khr_device_uuid");
    sharing.extensions = memory_only;
    sharing.uuid[5] ^= 1;
    expect_copied("runs on another device");
    sharing.uuid[5] ^= 1;
    sharing.refuses_import = true;
    expect_copied("importing");
    sharing_reset();
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* ---- frames in flight ---- */

START_TEST(what_is_shown_is_never_torn)
{
    enum { STEPS = 40 };
    if (_i && !begin_sharing(memory_only))
        return;
    foehn_context *ctx = _i ? sharing_context(false) : context;
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *v = open_vulkan(p.volume);
    foehn_vulkan_info info;
    uint16_t *recorded[STEPS + 1] = {NULL};
    uint64_t last = 0;
    for (int n = 1; n <= STEPS; n++) {
        step_published(&p, n);
        OK(foehn_vulkan_write(v));
        OK(foehn_vulkan_write(v)); /* no news: only shows */
        if (n % 4 == 0)
            recorded[n] = host_halves(&p); /* which waits; in between the ring fills */
        foehn_vulkan_get_info(v, &info);
        ck_assert_uint_ge(info.content.step, last);
        last = info.content.step;
        if (last > 0 && recorded[last])
            ck_assert_msg(image_holds(&p, &info, recorded[last]), "step %d is torn", (int)last);
    }
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, STEPS);
    ck_assert_uint_eq(info.shown + info.skipped, STEPS);
    ck_assert(image_holds(&p, &info, recorded[STEPS]));
    for (int n = 0; n <= STEPS; n++)
        free(recorded[n]);
    foehn_vulkan_destroy(v);
    close_published(&p);
    if (_i)
        foehn_context_destroy(ctx);
    sharing_reset();
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

START_TEST(of_what_has_arrived_the_newest_is_shown)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = open_vulkan(p.volume);
    foehn_vulkan_info info;
    for (int n = 1; n <= 2; n++) {
        step_published(&p, n);
        OK(foehn_vulkan_write(v));
    }
    OK(foehn_context_wait(context));
    OK(foehn_vulkan_write(v));
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, 2);
    ck_assert_uint_eq(info.shown + info.skipped, 2);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* Though one content was under way and a newer one waited, only one image is written. */
START_TEST(a_view_keeps_its_content_until_the_second_write)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan_params params = params_of_device();
    foehn_vulkan_info one, three;
    foehn_vulkan *v;
    params.semaphores = 0; /* with them nothing stays under way */
    OK(foehn_vulkan_create(p.volume, &params, &v));
    step_published(&p, 1);
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &one);
    uint16_t *first = host_halves(&p);
    step_published(&p, 2);
    OK(foehn_vulkan_write(v));
    foehn_vulkan_get_info(v, &three);
    ck_assert_uint_eq(three.content.step, 1);
    step_published(&p, 3);
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &three);
    ck_assert_uint_eq(three.content.step, 3);
    ck_assert_uint_eq(three.shown + three.skipped, 3);
    uint16_t *third = host_halves(&p);
    ck_assert(image_holds(&p, &three, third));
    ck_assert(image_holds(&p, &one, first));
    free(first);
    free(third);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

enum { POINTS = 512 };

static compute_job sampling(const foehn_vulkan_info *info, float points[POINTS][4])
{
    return (compute_job){.code = sample_comp,
                         .code_size = sizeof sample_comp,
                         .view = info->view,
                         .layout = info->layout,
                         .addressing = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                         .groups = {POINTS / 64, 1},
                         .data = points,
                         .data_size = POINTS * sizeof *points};
}

/* Sampling of step n is under way when step n + 1 is published: it still is of step n. */
START_TEST(publishing_does_not_touch_what_was_submitted_before)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = open_vulkan(p.volume);
    foehn_vulkan_info info;
    static float points[3][POINTS][4];
    uint16_t *halves[3];
    compute_job jobs[3];
    compute_run_state *states[3];
    for (int n = 0; n < 3; n++) {
        step_published(&p, n + 1);
        OK(foehn_vulkan_write_and_wait(v));
        foehn_vulkan_get_info(v, &info);
        halves[n] = host_halves(&p);
        for (int i = 0; i < POINTS; i++) {
            points[n][i][0] = ((float)(i % 20) + 0.5f) / 20;
            points[n][i][1] = ((float)(i / 20 % 6) + 0.5f) / 6;
            points[n][i][2] = ((float)(i / 120) + 0.5f) / 12;
        }
        jobs[n] = sampling(&info, points[n]);
        states[n] = compute_begin(&gpu, &jobs[n]);
    }
    for (int n = 0; n < 3; n++) {
        ck_assert(compute_end(&gpu, &jobs[n], states[n]));
        for (int i = 0; i < 4 * POINTS; i++)
            NEAR(points[n][i / 4][i % 4], foehn_half_to_float(halves[n][i]), 1e-4);
        free(halves[n]);
    }
    ck_assert_mem_ne(points[0], points[1], sizeof points[0]);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* The box has scrolled, its lower corner lies inside the image; at heights of cell centres, where
 * the host's sampler, which follows the log law in between, is linear as well. */
START_TEST(a_shader_samples_across_the_wrap_seam_as_the_host_does)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = open_vulkan(p.volume);
    foehn_vulkan_info info;
    for (int n = 1; n <= 5; n++)
        step_published(&p, n);
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &info);
    static float points[POINTS][4], wanted[POINTS][4];
    static double world[POINTS][3];
    uint64_t seed = 9;
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 3; a++) {
            double at = testing_uniform(&seed, 0.51, p.n[a] - 0.51);
            at = a == 1 ? floor(at) + 0.5 : at;
            world[i][a] = info.content.origin[a] + at * info.content.spacing[a];
            double turns = world[i][a] / info.content.extent[a];
            points[i][a] = (float)(turns - floor(turns));
        }
    compute_job job = sampling(&info, points);
    ck_assert(compute_run(&gpu, &job));
    OK(foehn_wind_read_points(p.wind, 0, POINTS, world[0], wanted[0]));
    double worst = 0;
    for (int i = 0; i < 3 * POINTS; i++)
        worst = fmax(worst, fabs((double)points[i / 3][i % 3] - (double)wanted[i / 3][i % 3]));
    testing_report("a shader is off the host's sampler by %.2g m/s at most", worst);
    /* Half an ulp of halves below 16 m/s, and a filter weight's 1/512 of 2 m/s between cells. */
    ck_assert_double_le(worst, 0.0039 + 0.0039);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* ---- what does not work is told ---- */

static PFN_vkVoidFunction forgetful_loader(VkInstance instance, const char *name)
{
    return strcmp(name, "vkGetPhysicalDeviceProperties2") == 0
               ? NULL
               : vkGetInstanceProcAddr(instance, name);
}

START_TEST(errors_name_what_is_wrong)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan_params params = foehn_vulkan_params_default();
    foehn_vulkan *v;
    FAILS(FOEHN_ERROR_ARGUMENT, "get_instance_proc_addr is NULL",
          foehn_vulkan_create(p.volume, &params, &v));
    params = params_of_device();
    params.queue = VK_NULL_HANDLE;
    FAILS(FOEHN_ERROR_ARGUMENT, "params.queue", foehn_vulkan_create(p.volume, &params, &v));
    params = params_of_device();
    params.get_instance_proc_addr = forgetful_loader;
    FAILS(FOEHN_ERROR_ARGUMENT, "vkGetPhysicalDeviceProperties2",
          foehn_vulkan_create(p.volume, &params, &v));
    ck_assert_ptr_null(v);
    params = params_of_device();
    params.type = VK_IMAGE_TYPE_2D;
    FAILS(FOEHN_ERROR_ARGUMENT, "12 layers", foehn_vulkan_create(p.volume, &params, &v));
    params = params_of_device();
    params.struct_size = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_vulkan_create(p.volume, &params, &v));
    close_published(&p);

    VkPhysicalDeviceProperties limits;
    vkGetPhysicalDeviceProperties(gpu.physical, &limits);
    if (limits.limits.maxImageDimension3D < 4096) {
        foehn_volume *large;
        params = params_of_device();
        OK(foehn_volume_create(context, 4096, 1, 2, &large));
        FAILS(FOEHN_ERROR_ARGUMENT, "4096 x 1 x 2", foehn_vulkan_create(large, &params, &v));
        foehn_volume_destroy(large);
    }
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* Last: whatever was made has been destroyed. */
START_TEST(the_validation_layer_has_nothing_to_say)
{
    ck_assert_msg(exporter.validates || !getenv("FOEHN_REQUIRE_DEVICE"),
                  "no validation layer (Debian, Ubuntu: vulkan-validationlayers)");
    exporter_close();
    ck_assert_int_eq(exporter.complaints, 0);
    printf("the validation layer is %s\n", exporter.validates ? "on" : "missing");
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("vulkan", TESTING_NEEDS_DEVICE);
    sharing_reset();
    if (!exporter_open())
        return offscreen_skip("no Vulkan driver (Debian, Ubuntu: mesa-vulkan-drivers)");
    gpu = (compute){exporter.instance, exporter.physical, exporter.device, exporter.queue,
                    exporter.family};
    tcase_add_test(tests, texels_are_the_hosts_bit_for_bit);
    tcase_add_test(tests, the_copied_path_can_be_asked_for_in_another_layout);
    tcase_add_test(tests, imported_memory_holds_the_hosts_texels);
    tcase_add_test(tests, the_kernel_writes_straight_into_imported_memory);
    tcase_add_loop_test(tests, with_semaphores_content_is_shown_at_once, 0, 3);
    tcase_add_test(tests, a_failed_submission_ends_the_use_of_semaphores);
    tcase_add_test(tests, submissions_that_fail_leave_nothing_to_wait_for);
    tcase_add_test(tests, semaphores_that_fail_are_done_without);
    tcase_add_test(tests, imports_that_fail_fall_back_to_copies_with_the_reason);
    tcase_add_loop_test(tests, what_is_shown_is_never_torn, 0, 2);
    tcase_add_test(tests, of_what_has_arrived_the_newest_is_shown);
    tcase_add_test(tests, a_view_keeps_its_content_until_the_second_write);
    tcase_add_test(tests, publishing_does_not_touch_what_was_submitted_before);
    tcase_add_test(tests, a_shader_samples_across_the_wrap_seam_as_the_host_does);
    tcase_add_test(tests, errors_name_what_is_wrong);
    tcase_add_test(tests, the_validation_layer_has_nothing_to_say);
    return testing_end();
}
