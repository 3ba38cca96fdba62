/* SPDX-License-Identifier: MIT */
/* A Vulkan device for tests, with the validation layer if it is there. */
#ifndef FOEHN_TESTS_EXPORTER_H
#define FOEHN_TESTS_EXPORTER_H

#include "publish/vulkan_state.h"

/* Open instance and device, and find out where exported bytes lie (sharing_fd_offset).  Fails the
 * test where there is no Vulkan driver; false, told, where the host cannot map what it exports. */
bool exporter_prepare(void);

typedef struct exporter_device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    bool validates; /* the validation layer is on */
    int complaints; /* of the validation layer */
} exporter_device;
extern exporter_device exporter;

const uint8_t *exporter_uuid(void);
void *exporter_loader(void);

/* The first device's first queue, with external memory and semaphores if it has them.  false: there
 * is no driver. */
bool exporter_open(void);
void exporter_close(void);

#endif
