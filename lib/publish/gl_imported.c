/* SPDX-License-Identifier: MIT */
/* Unpack buffers that the OpenCL device writes, for drivers without cl_khr_gl_sharing: Vulkan
 * allocates the memory, OpenCL imports it as buffers and GL as buffer objects. */
#include "publish/gl_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_VULKAN
#include "publish/vulkan_state.h"

#include <stdatomic.h>
#include <unistd.h>

enum {
    NUM_DEVICE_UUIDS = 0x9596,
    DEVICE_UUID = 0x9597,
    DEDICATED_MEMORY_OBJECT = 0x9581,
    HANDLE_TYPE_OPAQUE_FD = 0x9586,
};

struct gl_vulkan {
    vk_api vk;
    vk_buffer buffers[RING_SLOTS];
    unsigned objects[RING_SLOTS];
};

/* ---- a Vulkan device of its own, with nothing but memory ---- */

/* One instance stays for the life of the process.  NVIDIA's Vulkan and EGL are one library, which
 * Vulkan's loader unloads with the last instance, and the caller's GL context is gone with it
 * (driver 580). */
static _Atomic(VkInstance) kept;
static _Atomic(PFN_vkGetInstanceProcAddr) kept_loader;

static foehn_status open_instance(vk_api *vk, PFN_vkGetInstanceProcAddr loader)
{
    VkInstance none = VK_NULL_HANDLE;
    if (atomic_load(&kept) && atomic_load(&kept_loader) == loader)
        return foehn_vk_load_instance(vk, loader, atomic_load(&kept));
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pEngineName = "libfoehn",
        .apiVersion = VK_API_VERSION_1_1,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    VkInstance instance;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)loader(NULL, "vkCreateInstance");
    if (!create)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "get_instance_proc_addr knows no vkCreateInstance");
    TRY(foehn_vk_check(create(&info, NULL, &instance), "vkCreateInstance"));
    if (atomic_compare_exchange_strong(&kept, &none, instance))
        atomic_store(&kept_loader, loader);
    return foehn_vk_load_instance(vk, loader, instance);
}

static foehn_status find_device(const vk_api *vk, const uint8_t *uuid, VkPhysicalDevice *out)
{
    enum { MOST = 32 };
    VkPhysicalDevice devices[MOST];
    uint32_t count = MOST;
    VkResult result = vk->EnumeratePhysicalDevices(vk->instance, &count, devices);
    if (result != VK_INCOMPLETE)
        TRY(foehn_vk_check(result, "vkEnumeratePhysicalDevices"));
    for (uint32_t i = 0; i < count; i++) {
        uint8_t its[FOEHN_UUID_SIZE];
        foehn_vk_get_uuid(vk, devices[i], its);
        *out = devices[i];
        if (memcmp(its, uuid, sizeof its) == 0)
            return FOEHN_OK;
    }
    return foehn_fail(FOEHN_ERROR_DEVICE, "none of Vulkan's %u devices is the OpenCL device",
                      count);
}

static foehn_status open_device(vk_api *vk, VkPhysicalDevice physical)
{
    static const char *const extensions[] = {"VK_KHR_external_memory_fd"};
    const float priority = 0;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = extensions,
    };
    VkDevice device;
    TRY_VK(vk, CreateDevice, physical, &info, NULL, &device);
    TRY(foehn_vk_load_device(vk, physical, device));
    return vk->GetMemoryFdKHR ? FOEHN_OK
                              : foehn_fail(FOEHN_ERROR_OPENCL, "Vulkan has no vkGetMemoryFdKHR");
}

/* ---- its memory in the two others ---- */

static bool is_same_device(const gl_api *gl, const foehn_external *external, size_t reason_size,
                           char *reason)
{
    int count = 0;
    gl->GetIntegerv(NUM_DEVICE_UUIDS, &count);
    for (int i = 0; i < count; i++) {
        uint8_t uuid[FOEHN_UUID_SIZE];
        gl->GetUnsignedBytei_vEXT(DEVICE_UUID, (unsigned)i, uuid);
        if (foehn_external_is_same_device(external, "GL", uuid, reason_size, reason))
            return true;
    }
    if (count < 1)
        snprintf(reason, reason_size, "this GL does not tell which device it runs on");
    return false;
}

static foehn_status import_to_gl(const gl_api *gl, gl_vulkan *m, int i, size_t bytes,
                                 unsigned buffer)
{
    const int yes = 1;
    int fd;
    TRY(foehn_vk_buffer_get_fd(&m->vk, &m->buffers[i], &fd));
    gl->CreateMemoryObjectsEXT(1, &m->objects[i]);
    gl->MemoryObjectParameterivEXT(m->objects[i], DEDICATED_MEMORY_OBJECT, &yes);
    gl->ImportMemoryFdEXT(m->objects[i], m->buffers[i].allocated, HANDLE_TYPE_OPAQUE_FD, fd);
    unsigned error = foehn_gl_take_error(gl);
    if (error != GL_NO_ERROR_) {
        close(fd); /* an import that succeeds owns it */
        return foehn_fail(FOEHN_ERROR_OPENCL, "glImportMemoryFdEXT: GL error 0x%04x", error);
    }
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER_, buffer);
    gl->BufferStorageMemEXT(GL_PIXEL_UNPACK_BUFFER_, (ptrdiff_t)bytes, m->objects[i], 0);
    error = foehn_gl_take_error(gl);
    return error == GL_NO_ERROR_
               ? FOEHN_OK
               : foehn_fail(FOEHN_ERROR_OPENCL, "glBufferStorageMemEXT: GL error 0x%04x", error);
}

static foehn_status import_all(const gl_api *gl, const foehn_external *external, gl_vulkan *m,
                               PFN_vkGetInstanceProcAddr loader, size_t bytes,
                               cl_mem device[RING_SLOTS], const unsigned buffers[RING_SLOTS])
{
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    TRY(open_instance(&m->vk, loader));
    TRY(find_device(&m->vk, external->uuid, &physical));
    TRY(open_device(&m->vk, physical));
    /* More than is asked of GL: some of its drivers want room behind a buffer's end. */
    const VkDeviceSize roomy = (bytes / 4096 + 1) * 4096;
    for (int i = 0; i < RING_SLOTS; i++) {
        int fd;
        TRY(foehn_vk_buffer_create_exportable(&m->vk, roomy, &m->buffers[i]));
        TRY(foehn_vk_buffer_get_fd(&m->vk, &m->buffers[i], &fd));
        TRY(foehn_external_import(external, fd, m->buffers[i].allocated, &device[i]));
        TRY(import_to_gl(gl, m, i, bytes, buffers[i]));
    }
    return FOEHN_OK;
}

gl_vulkan *foehn_gl_imported_create(const gl_api *gl, const foehn_external *external,
                                    void *get_instance_proc_addr, size_t bytes,
                                    cl_mem device[RING_SLOTS], unsigned buffers[RING_SLOTS],
                                    size_t reason_size, char *reason)
{
    PFN_vkGetInstanceProcAddr loader;
    memcpy(&loader, &get_instance_proc_addr, sizeof loader);
    if (!is_same_device(gl, external, reason_size, reason))
        return NULL;
    gl_vulkan *m = calloc(1, sizeof *m);
    if (!m) {
        snprintf(reason, reason_size, "no host memory");
        return NULL;
    }
    gl_state state;
    foehn_gl_take_error(gl);
    foehn_gl_state_save(gl, GL_TEXTURE_3D_, &state);
    gl->GenBuffers(RING_SLOTS, buffers);
    foehn_status status = import_all(gl, external, m, loader, bytes, device, buffers);
    foehn_gl_state_restore(gl, &state);
    if (status == FOEHN_OK)
        return m;
    snprintf(reason, reason_size, "%s", foehn_last_error());
    for (int i = 0; i < RING_SLOTS; i++)
        if (device[i])
            clReleaseMemObject(device[i]);
    memset(device, 0, RING_SLOTS * sizeof *device);
    gl->DeleteBuffers(RING_SLOTS, buffers);
    memset(buffers, 0, RING_SLOTS * sizeof *buffers);
    foehn_gl_imported_destroy(gl, m);
    return NULL;
}

void foehn_gl_imported_destroy(const gl_api *gl, gl_vulkan *m)
{
    for (int i = 0; i < RING_SLOTS; i++) {
        if (m->objects[i])
            gl->DeleteMemoryObjectsEXT(1, &m->objects[i]);
        if (m->buffers[i].handle)
            foehn_vk_buffer_destroy(&m->vk, &m->buffers[i]);
    }
    if (m->vk.DestroyDevice)
        m->vk.DestroyDevice(m->vk.device, NULL);
    if (m->vk.DestroyInstance && m->vk.instance != atomic_load(&kept))
        m->vk.DestroyInstance(m->vk.instance, NULL);
    free(m);
}

#else

gl_vulkan *foehn_gl_imported_create(const gl_api *gl, const foehn_external *external,
                                    void *get_instance_proc_addr, size_t bytes,
                                    cl_mem device[RING_SLOTS], unsigned buffers[RING_SLOTS],
                                    size_t reason_size, char *reason)
{
    (void)gl, (void)external, (void)get_instance_proc_addr, (void)bytes, (void)device,
        (void)buffers;
    snprintf(reason, reason_size, "this libfoehn was built without Vulkan's headers");
    return NULL;
}

void foehn_gl_imported_destroy(const gl_api *gl, gl_vulkan *memory)
{
    (void)gl, (void)memory;
}
#endif
