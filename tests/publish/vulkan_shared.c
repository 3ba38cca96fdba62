/* SPDX-License-Identifier: MIT */
/* Memory and semaphores of Vulkan's that OpenCL imports, through doubles where the device lists
 * none. */
#include "publish/vulkans.h"

#include <unistd.h>

START_TEST(imported_memory_holds_the_hosts_texels)
{
    if (!vulkans_share(vulkans_memory))
        return;
    foehn_context *ctx = sharing_context(false);
    vulkans_compare(ctx, FOEHN_VULKAN_IMPORTED, false);
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
    if (!vulkans_share(vulkans_memory))
        return;
    foehn_context *ctx = sharing_context(false);
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *first = vulkans_open(p.volume), *second = vulkans_open(p.volume);
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
    ck_assert(vulkans_hold(&p, &one, halves));
    ck_assert(vulkans_hold(&p, &two, halves));
    free(halves);
    foehn_vulkan_destroy(first);
    step_published(&p, 2);
    OK(foehn_vulkan_write_and_wait(second));
    foehn_vulkan_get_info(second, &two);
    halves = host_halves(&p);
    ck_assert(vulkans_hold(&p, &two, halves));
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
    foehn_vulkan_params params = vulkans_params();
    foehn_vulkan *v;
    params.get_instance_proc_addr = double_loader;
    signalling = ctx->queue;
    waits = 0;
    OK(foehn_vulkan_create(volume, &params, &v));
    return v;
}

START_TEST(with_semaphores_content_is_shown_at_once)
{
    if (!vulkans_share(vulkans_with_semaphores))
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
        ck_assert(vulkans_hold(&p, &info, halves));
        free(halves);
    }
    vulkans_publish(&p, v);
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
    if (!vulkans_share(vulkans_with_semaphores))
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
        ck_assert(vulkans_hold(&p, &info, halves));
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
    foehn_vulkan_params params = vulkans_params();
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
    ck_assert(vulkans_hold(&p, &info, halves));
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
    if (!vulkans_share(vulkans_with_semaphores))
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
    vulkans_publish(&p, v);
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
    foehn_vulkan *v = vulkans_open(p.volume);
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    ck_assert_int_eq(info.path, FOEHN_VULKAN_COPIED);
    ck_assert_msg(strstr(info.reason, reason) != NULL, "no \"%s\" in: %s", reason, info.reason);
    vulkans_publish(&p, v);
    foehn_vulkan_destroy(v);
    close_published(&p);
    foehn_context_destroy(ctx);
}

START_TEST(imports_that_fail_fall_back_to_copies_with_the_reason)
{
    if (!vulkans_share("cl_khr_external_memory_opaque_fd"))
        return;
    expect_copied("cl_khr_device_uuid");
    sharing.extensions = vulkans_memory;
    sharing.uuid[5] ^= 1;
    expect_copied("runs on another device");
    sharing.uuid[5] ^= 1;
    sharing.refuses_import = true;
    expect_copied("importing");
    sharing_reset();
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

void add_vulkan_shared_tests(TCase *tests)
{
    tcase_add_test(tests, imported_memory_holds_the_hosts_texels);
    tcase_add_test(tests, the_kernel_writes_straight_into_imported_memory);
    tcase_add_loop_test(tests, with_semaphores_content_is_shown_at_once, 0, 3);
    tcase_add_test(tests, a_failed_submission_ends_the_use_of_semaphores);
    tcase_add_test(tests, submissions_that_fail_leave_nothing_to_wait_for);
    tcase_add_test(tests, semaphores_that_fail_are_done_without);
    tcase_add_test(tests, imports_that_fail_fall_back_to_copies_with_the_reason);
}
