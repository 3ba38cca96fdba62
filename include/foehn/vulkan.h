/* SPDX-License-Identifier: MIT */
/** A volume as a Vulkan image: 3-D for wind and fire, 2-D for layers of the flow lab.
 *
 *  For Vulkan 1.1 and later.  The library links no libvulkan: entry points come from the caller's
 *  vkGetInstanceProcAddr.  It is there where libfoehn was built with Vulkan's headers.
 *
 *      foehn_vulkan_params params = foehn_vulkan_params_default();
 *      params.get_instance_proc_addr = vkGetInstanceProcAddr;
 *      params.instance = ...;  physical_device, device, queue and queue_family likewise
 *      foehn_vulkan_create(volume, &params, &vulkan);
 *      each frame:
 *          foehn_wind_step_and_write_volume(wind, dt, volume);
 *          foehn_vulkan_write(vulkan);                 submits one command buffer to the queue
 *          foehn_vulkan_get_info(vulkan, &info);       info.view is what to sample in this frame
 *
 *  What a shader does with it is said in volume.h: with VK_FILTER_LINEAR, where content.repeats is
 *  1 (wind) at world / extent with VK_SAMPLER_ADDRESS_MODE_REPEAT, where it is 0 (fire, flow) at
 *  (position - origin) / extent with CLAMP_TO_EDGE.
 *
 *  Two paths, the faster one that works is taken, and foehn_vulkan_info.reason says why:
 *
 *  imported  the OpenCL device lists cl_khr_external_memory_opaque_fd and cl_khr_device_uuid and is
 *            the same as physical_device, and device has VK_KHR_external_memory_fd enabled: the
 *            device writes buffers that Vulkan allocated, vkCmdCopyBufferToImage does the rest, and
 *            nothing passes through the host.  With cl_khr_external_semaphore_opaque_fd and
 *            VK_KHR_external_semaphore_fd the queues wait for each other: a write shows the newest
 *            content at once, and what is submitted to the queue after it waits until the device
 *            has made it.  Without, or with params.semaphores = 0, a write shows what has arrived,
 *            and a slow step does not hold the renderer up.
 *  copied    everywhere: the device writes into mapped staging buffers.
 *
 *  Layout and ownership.  Two images are made here and alternate, cleared to 0 at first.  Outside
 *  of the commands submitted by foehn_vulkan_create() and foehn_vulkan_write() both are in
 *  params.layout, and belong to queue_family; where sampling_family names another family they are
 *  shared by both (VK_SHARING_MODE_CONCURRENT), and no ownership is ever transferred.  Do not
 *  change their layout, or bring it back before the next write.
 *
 *  Two frames in flight.  Commands submitted to the queue before foehn_vulkan_write() see the old
 *  content of the view they have, commands submitted to it afterwards see the new one; barriers on
 *  both sides cover all stages.  A view keeps its content until the second write after the one that
 *  filled it.  Who samples on another queue orders it with semaphores: a batch submitted to the
 *  queue after a write signals that it is done, and a batch submitted before the second write that
 *  follows waits until the sampling is done.
 *
 *  The caller keeps others off the queue during create, write and destroy, as vkQueueSubmit() asks.
 */
#ifndef FOEHN_VULKAN_H
#define FOEHN_VULKAN_H

#include <foehn/base.h>
#include <foehn/volume.h>

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_vulkan foehn_vulkan;

typedef enum foehn_vulkan_path {
    FOEHN_VULKAN_COPIED = 0,
    FOEHN_VULKAN_IMPORTED = 1
} foehn_vulkan_path;

/** "copied", "imported".  Never NULL. */
FOEHN_API const char *foehn_vulkan_path_name(foehn_vulkan_path path);

/** All handles must stay valid until foehn_vulkan_destroy(). */
typedef struct foehn_vulkan_params {
    size_t struct_size; /**< set by foehn_vulkan_params_default(); leave alone */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /**< required */
    VkInstance instance;                              /**< required; made for Vulkan 1.1 or later */
    VkPhysicalDevice physical_device;                 /**< required */
    VkDevice device;                                  /**< required; for the imported path with
                                                           VK_KHR_external_memory_fd, better also
                                                           VK_KHR_external_semaphore_fd, enabled */
    VkQueue queue;            /**< required; of any family that can transfer; commands go here */
    uint32_t queue_family;    /**< of queue; default 0 */
    uint32_t sampling_family; /**< another family that samples; default VK_QUEUE_FAMILY_IGNORED: the
                                   same one */
    VkImageLayout layout;     /**< wanted outside of writes; default
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL */
    VkImageUsageFlags usage;  /**< besides SAMPLED and TRANSFER_DST; default 0 */
    VkImageType type;         /**< VK_IMAGE_TYPE_2D (needs nz = 1) or VK_IMAGE_TYPE_3D; default 0:
                                   2-D for a volume of one layer, else 3-D */
    foehn_vulkan_path fastest; /**< take no faster path than this one; default
                                    FOEHN_VULKAN_IMPORTED */
    int semaphores;            /**< 1: the queue waits for the device where it can; 0: never;
                                    default 1 */
} foehn_vulkan_params;

FOEHN_API void foehn_vulkan_params_init(foehn_vulkan_params *params, size_t size);
static inline foehn_vulkan_params foehn_vulkan_params_default(void)
{
    foehn_vulkan_params params;
    foehn_vulkan_params_init(&params, sizeof params);
    return params;
}

/** Connect a volume with images.  Submits the first transition to the queue.
 *
 *  volume   must live until foehn_vulkan_destroy(); one volume may have several foehn_vulkan
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  a handle is missing, an entry point is missing, the image is too
 *                                 large for the device
 *           FOEHN_ERROR_MEMORY    Vulkan or the host has no memory for images and buffers
 *           FOEHN_ERROR_OPENCL    Vulkan or OpenCL failed */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_vulkan_create(foehn_volume *volume,
                                                            const foehn_vulkan_params *params,
                                                            foehn_vulkan **out);

/** Wait for the queue's work of this object, and destroy it with its images.  Nobody may use their
 *  views any more.  NULL is allowed. */
FOEHN_API void foehn_vulkan_destroy(foehn_vulkan *vulkan);

/** Publish what was last written to the volume, and show what has arrived.
 *
 *  Never waits on the host.  With semaphores the newest content is shown at once.  Without, it
 *  arrives with one of the next calls, often the next; while three contents are under way, newer
 *  ones are passed over (foehn_vulkan_info.skipped) and the next call takes what is newest then.
 *
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_MEMORY  Vulkan had none for the submission; the old content stays, and
 *                               another write may try again
 *           FOEHN_ERROR_OPENCL  OpenCL or Vulkan failed; only destroy it now */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_vulkan_write(foehn_vulkan *vulkan);

/** The same, and wait for the OpenCL device: on return the view is that of the volume's newest
 *  content for whatever is submitted to the queue afterwards. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_vulkan_write_and_wait(foehn_vulkan *vulkan);

typedef struct foehn_vulkan_info {
    VkImage image;             /**< VK_FORMAT_R16G16B16A16_SFLOAT, one mip level, one layer */
    VkImageView view;          /**< of the whole image; ask again after each write */
    VkImageLayout layout;      /**< that it is in */
    foehn_volume_info content; /**< what it holds: origin, extent, step; step 0 and extent 0 before
                                    anything has arrived */
    int pending;               /**< writes that are under way, 0 to 3 */
    uint64_t shown;            /**< contents that reached an image so far */
    uint64_t skipped;          /**< contents that were passed over so far */
    foehn_vulkan_path path;    /**< the one that is taken */
    int semaphores;            /**< 1: the queues wait for each other; 0: by events on the host */
    const char *reason;        /**< why, for a person; lives as long as vulkan */
} foehn_vulkan_info;

FOEHN_API void foehn_vulkan_get_info(const foehn_vulkan *vulkan, foehn_vulkan_info *info);

#ifdef __cplusplus
}
#endif
#endif
