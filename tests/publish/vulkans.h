/* SPDX-License-Identifier: MIT */
/* Vulkan for tests of what is published to it: the device, images read back, and a driver of OpenCL
 * that imports memory. */
#ifndef FOEHN_TESTS_VULKANS_H
#define FOEHN_TESTS_VULKANS_H

#include "publish/exporter.h"
#include "publish/published.h"
#include "publish/sharing.h"

#include <foehn/vulkan.h>

#include "examples/compute.h"
#include "examples/offscreen.h"

extern compute vulkans_gpu;

foehn_vulkan_params vulkans_params(void);
foehn_vulkan *vulkans_open(foehn_volume *volume);
/* All texels, out of the caller's layout and back into it. */
uint16_t *vulkans_halves(const published *p, const foehn_vulkan_info *info);
/* Are these what the image holds? */
bool vulkans_hold(const published *p, const foehn_vulkan_info *info, const uint16_t *halves);
/* Four steps, each bit for bit the host's halves, with the info that belongs to them. */
void vulkans_publish(published *p, foehn_vulkan *v);
void vulkans_compare(foehn_context *ctx, foehn_vulkan_path path, bool semaphores);

/* What the double lists: extensions for memory alone, and for semaphores, too. */
extern const char *const vulkans_memory, *const vulkans_with_semaphores;
/* False where the device itself imports memory: nothing to double. */
bool vulkans_share(const char *extensions);

/* ---- the files of tests, one subject each ---- */

void add_vulkan_shared_tests(TCase *tests);
void add_vulkan_frames_tests(TCase *tests);

#endif
