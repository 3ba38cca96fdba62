/* SPDX-License-Identifier: MIT */
#include "publish/exporter.h"
#include "publish/sharing.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

exporter_device exporter;

void *exporter_loader(void)
{
    PFN_vkGetInstanceProcAddr loader = vkGetInstanceProcAddr;
    void *address;
    memcpy(&address, &loader, sizeof address);
    return address;
}

const uint8_t *exporter_uuid(void)
{
    static uint8_t uuid[FOEHN_UUID_SIZE];
    vk_api vk;
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, exporter.instance));
    foehn_vk_get_uuid(&vk, exporter.physical, uuid);
    return uuid;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL complain(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                               VkDebugUtilsMessageTypeFlagsEXT types,
                                               const VkDebugUtilsMessengerCallbackDataEXT *data,
                                               void *user)
{
    (void)severity, (void)types, (void)user;
    printf("validation: %s\n", data->pMessage);
    exporter.complaints++;
    return VK_FALSE;
}

static bool has_layer(const char *name)
{
    VkLayerProperties layers[64];
    uint32_t count = 64;
    PFN_vkEnumerateInstanceLayerProperties list =
        (PFN_vkEnumerateInstanceLayerProperties)vkGetInstanceProcAddr(
            NULL, "vkEnumerateInstanceLayerProperties");
    if (!list || list(&count, layers) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, name) == 0)
            return true;
    return false;
}

/* Synchronisation is validated too: a barrier that is missing within a submission is a complaint.
 */
static bool open_instance(void)
{
    static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char *const extensions[] = {"VK_EXT_debug_utils"};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = enabled};
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = &features,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = complain,
    };
    exporter.validates = has_layer(layers[0]);
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = exporter.validates ? &messenger : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = exporter.validates,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = exporter.validates,
        .ppEnabledExtensionNames = extensions,
    };
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)vkGetInstanceProcAddr(NULL, "vkCreateInstance");
    if (!create || create(&info, NULL, &exporter.instance) != VK_SUCCESS)
        return false;
    PFN_vkCreateDebugUtilsMessengerEXT listen =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(exporter.instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    VkDebugUtilsMessengerEXT handle;
    messenger.pNext = NULL;
    if (exporter.validates && listen)
        listen(exporter.instance, &messenger, NULL, &handle);
    return true;
}

static bool has_extension(const vk_api *vk, const char *name)
{
    VkExtensionProperties list[512];
    uint32_t count = 512;
    if (vk->EnumerateDeviceExtensionProperties(exporter.physical, NULL, &count, list) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    return false;
}

bool exporter_open(void)
{
    static const char *const wanted[] = {"VK_KHR_external_memory_fd",
                                         "VK_KHR_external_semaphore_fd"};
    const char *extensions[2];
    const float priority = 1;
    vk_api vk;
    uint32_t count = 1, extension_count = 0;
    memset(&exporter, 0, sizeof exporter);
    if (!open_instance() ||
        foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, exporter.instance) != FOEHN_OK) {
        printf("%s\n", foehn_last_error());
        return false;
    }
    if (vk.EnumeratePhysicalDevices(exporter.instance, &count, &exporter.physical) < 0 || !count)
        return false;
    for (int i = 0; i < 2; i++)
        if (has_extension(&vk, wanted[i]))
            extensions[extension_count++] = wanted[i];
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    if (vk.CreateDevice(exporter.physical, &info, NULL, &exporter.device) != VK_SUCCESS)
        return false;
    vkGetDeviceQueue(exporter.device, 0, 0, &exporter.queue);
    return true;
}

void exporter_close(void)
{
    vk_api vk;
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, exporter.instance));
    OK(foehn_vk_load_device(&vk, exporter.physical, exporter.device));
    vk.DestroyDevice(exporter.device, NULL);
    exporter.device = VK_NULL_HANDLE;
}

/* Where the bytes begin in a file of exported memory: some drivers put a header in front.  False where
 * the host cannot map such memory, as that of GPUs of their own. */
static bool find_bytes(size_t *at)
{
    static const char mark[] = "the bytes begin here";
    vk_api vk;
    vk_buffer buffer;
    struct stat file;
    void *mapped;
    int fd;
    OK(foehn_vk_load_instance(&vk, vkGetInstanceProcAddr, exporter.instance));
    OK(foehn_vk_load_device(&vk, exporter.physical, exporter.device));
    OK(foehn_vk_buffer_create_exportable(&vk, 4096, &buffer));
    if (vk.MapMemory(vk.device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS) {
        foehn_vk_buffer_destroy(&vk, &buffer);
        return false;
    }
    memcpy(mapped, mark, sizeof mark);
    OK(foehn_vk_buffer_get_fd(&vk, &buffer, &fd));
    ck_assert_int_eq(fstat(fd, &file), 0);
    char *base = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_SHARED, fd, 0);
    ck_assert_ptr_ne(base, MAP_FAILED);
    *at = 0;
    while (memcmp(base + *at, mark, sizeof mark) != 0)
        ck_assert_uint_lt(++*at + sizeof mark, (size_t)file.st_size);
    munmap(base, (size_t)file.st_size);
    close(fd);
    foehn_vk_buffer_destroy(&vk, &buffer);
    return true;
}

bool exporter_prepare(void)
{
    if (!exporter.device)
        ck_assert_msg(exporter_open(), "no Vulkan driver");
    bool found = find_bytes(&sharing_fd_offset);
    if (!found)
        printf("not through doubles: Vulkan's memory cannot be mapped here\n");
    return found;
}
