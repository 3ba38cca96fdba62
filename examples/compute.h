/* SPDX-License-Identifier: MIT */
/* What the Vulkan example and tests share: a device without a window, and one compute shader over
 * one sampled image and one buffer.  A renderer has all of that already. */
#ifndef FOEHN_EXAMPLES_COMPUTE_H
#define FOEHN_EXAMPLES_COMPUTE_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

typedef struct compute {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
} compute;

/* The first device, if it has a queue for compute, with what publishing can use enabled:
 * VK_KHR_external_memory_fd and VK_KHR_external_semaphore_fd.  0: there is none. */
int compute_open(compute *c);
void compute_close(compute *c);

typedef struct compute_job {
    const uint32_t *code; /* SPIR-V; binding 0: a sampled image, binding 1: a buffer */
    size_t code_size;     /* bytes */
    VkImageView view;
    VkImageLayout layout;
    VkSamplerAddressMode addressing; /* with linear filters */
    const void *constants;           /* pushed */
    uint32_t constants_size;         /* bytes */
    uint32_t groups[2];
    void *data; /* the buffer before and after */
    size_t data_size;
} compute_job;

/* Submit it and wait.  0: it failed. */
int compute_run(const compute *c, const compute_job *job);

/* The same in two halves: begin submits, end waits and reads. */
typedef struct compute_run_state compute_run_state;
compute_run_state *compute_begin(const compute *c, const compute_job *job);
int compute_end(const compute *c, const compute_job *job, compute_run_state *state);

#endif
