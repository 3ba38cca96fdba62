/* SPDX-License-Identifier: MIT */
/* Volumes as Vulkan images, on the first device there is (in CI Mesa's lavapipe), under the
 * validation layer: texels bit for bit, the wrap seam, frames in flight; memory and semaphores that
 * OpenCL imports through doubles where the device lists none. */
#include "publish/vulkans.h"

/* On the device as it is: what path that is depends on it. */
START_TEST(texels_are_the_hosts_bit_for_bit)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = vulkans_open(p.volume);
    foehn_vulkan_info info;
    foehn_vulkan_get_info(v, &info);
    if (!context->device.info.external_memory) {
        ck_assert_int_eq(info.path, FOEHN_VULKAN_COPIED);
        ck_assert_ptr_nonnull(strstr(info.reason, "cl_khr_external_memory_opaque_fd"));
    }
    foehn_vulkan_destroy(v);
    close_published(&p);
    vulkans_compare(context, info.path, info.semaphores);
}
END_TEST

START_TEST(the_copied_path_can_be_asked_for_in_another_layout)
{
    foehn_vulkan_params params = vulkans_params();
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
    vulkans_publish(&p, v);
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
    params = vulkans_params();
    params.queue = VK_NULL_HANDLE;
    FAILS(FOEHN_ERROR_ARGUMENT, "params.queue", foehn_vulkan_create(p.volume, &params, &v));
    params = vulkans_params();
    params.get_instance_proc_addr = forgetful_loader;
    FAILS(FOEHN_ERROR_ARGUMENT, "vkGetPhysicalDeviceProperties2",
          foehn_vulkan_create(p.volume, &params, &v));
    ck_assert_ptr_null(v);
    params = vulkans_params();
    params.type = VK_IMAGE_TYPE_2D;
    FAILS(FOEHN_ERROR_ARGUMENT, "12 layers", foehn_vulkan_create(p.volume, &params, &v));
    params = vulkans_params();
    params.struct_size = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_vulkan_create(p.volume, &params, &v));
    close_published(&p);

    VkPhysicalDeviceProperties limits;
    vkGetPhysicalDeviceProperties(vulkans_gpu.physical, &limits);
    if (limits.limits.maxImageDimension3D < 4096) {
        foehn_volume *large;
        params = vulkans_params();
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
    vulkans_gpu = (compute){exporter.instance, exporter.physical, exporter.device, exporter.queue,
                            exporter.family};
    tcase_add_test(tests, texels_are_the_hosts_bit_for_bit);
    tcase_add_test(tests, the_copied_path_can_be_asked_for_in_another_layout);
    add_vulkan_shared_tests(tests);
    add_vulkan_frames_tests(tests);
    tcase_add_test(tests, errors_name_what_is_wrong);
    tcase_add_test(tests, the_validation_layer_has_nothing_to_say);
    return testing_end();
}
