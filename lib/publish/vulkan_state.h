/* SPDX-License-Identifier: MIT */
/* Vulkan through the caller's loader: entry points, and buffers that a device of another API
 * shares. */
#ifndef FOEHN_LIB_VULKAN_H
#define FOEHN_LIB_VULKAN_H

#include "publish/ring.h"

#include <foehn/vulkan.h>

/* X(name): of an instance, and of a device. */
#define FOEHN_VK_INSTANCE_FUNCTIONS(X)                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceImageFormatProperties)                                                      \
    X(GetPhysicalDeviceExternalBufferProperties)                                                   \
    X(GetDeviceProcAddr)                                                                           \
    X(CreateDevice)                                                                                \
    X(DestroyInstance)

#define FOEHN_VK_DEVICE_FUNCTIONS(X)                                                               \
    X(DestroyDevice)                                                                               \
    X(CreateBuffer)                                                                                \
    X(DestroyBuffer)                                                                               \
    X(GetBufferMemoryRequirements)                                                                 \
    X(BindBufferMemory)                                                                            \
    X(CreateImage)                                                                                 \
    X(DestroyImage)                                                                                \
    X(GetImageMemoryRequirements)                                                                  \
    X(BindImageMemory)                                                                             \
    X(CreateImageView)                                                                             \
    X(DestroyImageView)                                                                            \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(MapMemory)                                                                                   \
    X(CreateCommandPool)                                                                           \
    X(DestroyCommandPool)                                                                          \
    X(AllocateCommandBuffers)                                                                      \
    X(BeginCommandBuffer)                                                                          \
    X(EndCommandBuffer)                                                                            \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdCopyBufferToImage)                                                                        \
    X(CmdFillBuffer)                                                                               \
    X(QueueSubmit)                                                                                 \
    X(CreateFence)                                                                                 \
    X(DestroyFence)                                                                                \
    X(GetFenceStatus)                                                                              \
    X(WaitForFences)                                                                               \
    X(ResetFences)                                                                                 \
    X(CreateSemaphore)                                                                             \
    X(DestroySemaphore)

typedef struct vk_api {
#define FOEHN_VK_MEMBER(name) PFN_vk##name name;
    FOEHN_VK_INSTANCE_FUNCTIONS(FOEHN_VK_MEMBER)
    FOEHN_VK_DEVICE_FUNCTIONS(FOEHN_VK_MEMBER)
#undef FOEHN_VK_MEMBER
    PFN_vkGetMemoryFdKHR GetMemoryFdKHR;       /* NULL: its extension is not enabled */
    PFN_vkGetSemaphoreFdKHR GetSemaphoreFdKHR; /* likewise */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
} vk_api;

foehn_status foehn_vk_load_instance(vk_api *vk, PFN_vkGetInstanceProcAddr loader,
                                    VkInstance instance);
foehn_status foehn_vk_load_device(vk_api *vk, VkPhysicalDevice physical, VkDevice device);

/* A VkResult as a status; FOEHN_OK for VK_SUCCESS. */
foehn_status foehn_vk_check(VkResult result, const char *what);

#define TRY_VK(vk, call, ...) TRY(foehn_vk_check((vk)->call(__VA_ARGS__), "vk" #call))

void foehn_vk_get_uuid(const vk_api *vk, VkPhysicalDevice physical, uint8_t uuid[FOEHN_UUID_SIZE]);

/* A type of these bits with these properties, or any of these bits; UINT32_MAX: none. */
uint32_t foehn_vk_memory_type(const vk_api *vk, uint32_t bits, VkMemoryPropertyFlags wanted);

typedef struct vk_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize allocated; /* bytes of memory, what an importer must be told */
    void *mapped;           /* staging only */
} vk_buffer;

/* Mapped for good, coherent. */
foehn_status foehn_vk_buffer_create_staging(const vk_api *vk, VkDeviceSize bytes, vk_buffer *out);

/* In device memory, a dedicated allocation that can be exported as an opaque fd. */
foehn_status foehn_vk_buffer_create_exportable(const vk_api *vk, VkDeviceSize bytes,
                                               vk_buffer *out);
void foehn_vk_buffer_destroy(const vk_api *vk, vk_buffer *buffer);

/* A new descriptor, the caller's. */
foehn_status foehn_vk_buffer_get_fd(const vk_api *vk, const vk_buffer *buffer, int *fd);

/* ---- the adapter ---- */

enum { VULKAN_IMAGES = 2 };

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
    } images[VULKAN_IMAGES];
    foehn_vulkan_path path;
    bool has_semaphores;
    char reason[768];
    foehn_ring ring;
    VkCommandPool pool;
    VkCommandBuffer clear; /* both images */
    struct {
        vk_buffer buffer;
        VkCommandBuffer copy[VULKAN_IMAGES]; /* of the buffer into an image */
        VkFence fence;
        bool submitted;        /* the fence has been or will be signalled */
        VkSemaphore semaphore; /* signalled by OpenCL when the buffer is written */
        foehn_cl_semaphore device_semaphore;
    } slots[RING_SLOTS];
};

/* ---- vulkan_image.c ---- */

foehn_status foehn_vulkan_open_images(foehn_vulkan *v);
foehn_status foehn_vulkan_open_commands(foehn_vulkan *v);

/* All commands that will ever be submitted: recording them costs more than submitting them. */
foehn_status foehn_vulkan_record(foehn_vulkan *v);

/* Both images are 0 and in the caller's layout before anything has arrived. */
foehn_status foehn_vulkan_clear(foehn_vulkan *v);

/* Submit the copy of a slot into an image; waits: for the slot's semaphore first. */
foehn_status foehn_vulkan_copy(foehn_vulkan *v, int slot, int image, bool waits);

#endif
