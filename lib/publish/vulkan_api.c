/* SPDX-License-Identifier: MIT */
/* Vulkan entry points from the caller's loader, and buffers. */
#include "publish/vulkan_state.h"

#include <string.h>

/* ---- loading ---- */

foehn_status foehn_vk_load_instance(vk_api *vk, PFN_vkGetInstanceProcAddr loader,
                                    VkInstance instance)
{
    memset(vk, 0, sizeof *vk);
    vk->instance = instance;
#define LOAD_FUNCTION(name)                                                                        \
    vk->name = (PFN_vk##name)loader(instance, "vk" #name);                                         \
    if (!vk->name)                                                                                 \
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "get_instance_proc_addr knows no vk" #name         \
                                                ": the instance must be of Vulkan 1.1 or later");
    FOEHN_VK_INSTANCE_FUNCTIONS(LOAD_FUNCTION)
#undef LOAD_FUNCTION
    return FOEHN_OK;
}

foehn_status foehn_vk_load_device(vk_api *vk, VkPhysicalDevice physical, VkDevice device)
{
    vk->physical = physical;
    vk->device = device;
#define LOAD_FUNCTION(name)                                                                        \
    vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);                            \
    if (!vk->name)                                                                                 \
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "vkGetDeviceProcAddr knows no vk" #name);
    FOEHN_VK_DEVICE_FUNCTIONS(LOAD_FUNCTION)
#undef LOAD_FUNCTION
    vk->GetMemoryFdKHR = (PFN_vkGetMemoryFdKHR)vk->GetDeviceProcAddr(device, "vkGetMemoryFdKHR");
    vk->GetSemaphoreFdKHR =
        (PFN_vkGetSemaphoreFdKHR)vk->GetDeviceProcAddr(device, "vkGetSemaphoreFdKHR");
    return FOEHN_OK;
}

foehn_status foehn_vk_check(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return FOEHN_OK;
    bool memory = result == VK_ERROR_OUT_OF_HOST_MEMORY ||
                  result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_TOO_MANY_OBJECTS;
    return foehn_fail(memory ? FOEHN_ERROR_MEMORY : FOEHN_ERROR_OPENCL, "%s: %s (VkResult %d)",
                      what,
                      result == VK_ERROR_DEVICE_LOST ? "the device is lost"
                      : memory                       ? "no memory"
                                                     : "Vulkan failed",
                      (int)result);
}

void foehn_vk_get_uuid(const vk_api *vk, VkPhysicalDevice physical, uint8_t uuid[FOEHN_UUID_SIZE])
{
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
    vk->GetPhysicalDeviceProperties2(physical, &properties);
    memcpy(uuid, id.deviceUUID, FOEHN_UUID_SIZE);
}

/* ---- buffers ---- */

uint32_t foehn_vk_memory_type(const vk_api *vk, uint32_t bits, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    vk->GetPhysicalDeviceMemoryProperties(vk->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((bits >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    return UINT32_MAX;
}

/* export: a chain for the memory's allocation and one for the buffer, or both NULL. */
static foehn_status create_buffer(const vk_api *vk, VkDeviceSize bytes, const void *buffer_next,
                                  VkMemoryPropertyFlags wanted, vk_buffer *out)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = buffer_next,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    memset(out, 0, sizeof *out);
    TRY_VK(vk, CreateBuffer, vk->device, &info, NULL, &out->handle);
    VkMemoryRequirements need;
    vk->GetBufferMemoryRequirements(vk->device, out->handle, &need);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = out->handle};
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .pNext = &dedicated,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = buffer_next ? &exported : NULL,
        .allocationSize = need.size,
        .memoryTypeIndex = foehn_vk_memory_type(vk, need.memoryTypeBits, wanted),
    };
    if (allocation.memoryTypeIndex == UINT32_MAX)
        return foehn_fail(FOEHN_ERROR_MEMORY, "Vulkan has no memory of the kind a buffer needs");
    TRY_VK(vk, AllocateMemory, vk->device, &allocation, NULL, &out->memory);
    out->allocated = need.size;
    TRY_VK(vk, BindBufferMemory, vk->device, out->handle, out->memory, 0);
    return FOEHN_OK;
}

foehn_status foehn_vk_buffer_create_staging(const vk_api *vk, VkDeviceSize bytes, vk_buffer *out)
{
    TRY(create_buffer(vk, bytes, NULL,
                      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                      out));
    TRY_VK(vk, MapMemory, vk->device, out->memory, 0, VK_WHOLE_SIZE, 0, &out->mapped);
    return FOEHN_OK;
}

foehn_status foehn_vk_buffer_create_exportable(const vk_api *vk, VkDeviceSize bytes, vk_buffer *out)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkPhysicalDeviceExternalBufferInfo ask = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    VkExternalBufferProperties answer = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    memset(out, 0, sizeof *out);
    vk->GetPhysicalDeviceExternalBufferProperties(vk->physical, &ask, &answer);
    if (!(answer.externalMemoryProperties.externalMemoryFeatures &
          VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT))
        return foehn_fail(FOEHN_ERROR_OPENCL, "Vulkan exports no buffers as opaque fds");
    return create_buffer(vk, bytes, &external, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, out);
}

void foehn_vk_buffer_destroy(const vk_api *vk, vk_buffer *buffer)
{
    vk->DestroyBuffer(vk->device, buffer->handle, NULL);
    vk->FreeMemory(vk->device, buffer->memory, NULL); /* which unmaps it */
    memset(buffer, 0, sizeof *buffer);
}

foehn_status foehn_vk_buffer_get_fd(const vk_api *vk, const vk_buffer *buffer, int *fd)
{
    const VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = buffer->memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    *fd = -1;
    TRY_VK(vk, GetMemoryFdKHR, vk->device, &info, fd);
    return FOEHN_OK;
}
