/* SPDX-License-Identifier: MIT */
/* Wind over a hill in a 3-D image of Vulkan's: a compute shader draws a map of it, north up,
 * with contours of the hill. */
#include "compute.h"
#include "hill.h"
#include "offscreen.h"
#include "wind_vulkan.comp.h"

#include <foehn/vulkan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 640, STEPS = 90 };

typedef struct constants {
    float extent[4], turns[4];
    uint32_t side;
} constants;

static int draw(const compute *gpu, const foehn_vulkan_info *info)
{
    static unsigned char pixels[SIDE * SIDE * 4];
    const double *extent = info->content.extent;
    constants push = {.side = SIDE};
    for (int a = 0; a < 3; a++) { /* whole turns are taken off in doubles */
        push.extent[a] = (float)extent[a];
        push.turns[a] = (float)(hill_center[a] / extent[a] - floor(hill_center[a] / extent[a]));
    }
    const compute_job job = {
        .code = wind_vulkan_comp,
        .code_size = sizeof wind_vulkan_comp,
        .view = info->view, /* of what was published last */
        .layout = info->layout,
        .addressing = VK_SAMPLER_ADDRESS_MODE_REPEAT,
        .constants = &push,
        .constants_size = sizeof push,
        .groups = {SIDE / 8, SIDE / 8},
        .data = pixels,
        .data_size = sizeof pixels,
    };
    return !compute_run(gpu, &job) ||
           !offscreen_write_pixels("wind_vulkan.png", SIDE, SIDE, pixels);
}

int main(void)
{
    compute gpu;
    hill_wind hill;
    foehn_vulkan *vulkan = NULL;
    foehn_vulkan_info info;
    if (!compute_open(&gpu))
        return offscreen_skip("no Vulkan driver");
    foehn_status opened = hill_open(&hill, NULL);
    if (opened == FOEHN_ERROR_DEVICE)
        return offscreen_skip(foehn_last_error());
    foehn_vulkan_params publish = foehn_vulkan_params_default();
    publish.get_instance_proc_addr = vkGetInstanceProcAddr;
    publish.instance = gpu.instance;
    publish.physical_device = gpu.physical;
    publish.device = gpu.device;
    publish.queue = gpu.queue;
    publish.queue_family = gpu.family;
    int failed = opened || check(foehn_vulkan_create(hill.volume, &publish, &vulkan));
    for (int frame = 0; frame < STEPS && !failed; frame++) {
        failed = hill_step(&hill) || check(foehn_vulkan_write(vulkan));
        foehn_vulkan_get_info(vulkan, &info); /* a renderer would submit its frame with info.view */
        if (!failed && info.pending > 0)      /* which takes longer than the device; here we wait */
            failed = check(foehn_context_wait(hill.ctx));
    }
    failed = failed || check(foehn_vulkan_write_and_wait(vulkan)); /* the last step */
    if (!failed) {
        foehn_vulkan_get_info(vulkan, &info);
        printf("path: %s (%s)\n%d steps, %d shown, %d passed over; wind_vulkan.png is of step %d\n",
               foehn_vulkan_path_name(info.path), info.reason, STEPS, (int)info.shown,
               (int)info.skipped, (int)info.content.step);
        failed = draw(&gpu, &info);
    }
    foehn_vulkan_destroy(vulkan);
    hill_close(&hill);
    compute_close(&gpu);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
