/* SPDX-License-Identifier: MIT */
#include "publish/sharing.h"

#include <CL/cl_gl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

sharing_double sharing;
void (*sharing_upload)(unsigned, unsigned, int, int, int, const void *);
size_t sharing_fd_offset;

/* OpenCL's extensions, as they are numbered there. */
enum {
    OPAQUE_FD = 0x2060,
    UUID_OF_DEVICE = 0x106A,
    SEMAPHORE_TYPE = 0x203D,
    SEMAPHORE_OPAQUE_FD = 0x2055,
    INVALID_PROPERTY = -64,
    MOST_OBJECTS = 16
};

/* Memory that belongs to GL or Vulkan as well. */
static struct shared_object {
    cl_mem handle;
    bool is_acquired;
    unsigned target, texture;
    size_t size[3];
} objects[MOST_OBJECTS];

void sharing_reset(void)
{
    memset(&sharing, 0, sizeof sharing);
    memset(objects, 0, sizeof objects);
    sharing.extensions = "";
}

static bool is_on(void)
{
    return sharing.extensions && *sharing.extensions;
}

void sharing_note(char what)
{
    size_t used = strlen(sharing.order);
    if (used + 1 < sizeof sharing.order)
        sharing.order[used] = what;
}

foehn_context *sharing_context(bool gl)
{
    foehn_context_params params = foehn_context_params_default();
    foehn_context *ctx;
    if (gl) {
        params.gl_system = FOEHN_GL_SYSTEM_EGL;
        params.gl_display = params.gl_context = &sharing;
    }
    OK(foehn_context_create(&params, &ctx));
    return ctx;
}

static struct shared_object *find(cl_mem handle)
{
    for (int i = 0; i < MOST_OBJECTS && handle; i++)
        if (objects[i].handle == handle)
            return &objects[i];
    return NULL;
}

static struct shared_object *add(cl_mem handle)
{
    for (int i = 0; i < MOST_OBJECTS; i++)
        if (!objects[i].handle) {
            objects[i] = (struct shared_object){.handle = handle};
            return &objects[i];
        }
    ck_abort_msg("more shared objects than the double holds");
    return NULL;
}

static void CL_CALLBACK forget(cl_mem handle, void *data)
{
    struct shared_object *object = find(handle);
    (void)data;
    if (object)
        memset(object, 0, sizeof *object);
}

/* ---- what the device lists ---- */

cl_int __real_clGetDeviceInfo(cl_device_id, cl_device_info, size_t, void *, size_t *);
cl_int __wrap_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *out,
                              size_t *needed);
cl_int __wrap_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *out,
                              size_t *needed)
{
    if (what == UUID_OF_DEVICE && is_on()) {
        memcpy(out, sharing.uuid, 16);
        return CL_SUCCESS;
    }
    if (what != CL_DEVICE_EXTENSIONS || !is_on())
        return __real_clGetDeviceInfo(id, what, size, out, needed);
    char text[8192] = "";
    cl_int code = __real_clGetDeviceInfo(id, what, sizeof text / 2, text, NULL);
    /* NVIDIA's data-centre driver lists this one without sharing. */
    char *event = strstr(text, "cl_khr_gl_event");
    if (event)
        memset(event, ' ', strlen("cl_khr_gl_event"));
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, " %s", sharing.extensions);
    if (needed)
        *needed = strlen(text) + 1;
    if (out)
        snprintf(out, size, "%s", text);
    return code;
}

/* ---- cl_khr_gl_sharing ---- */

static cl_int get_gl_device(const cl_context_properties *properties, cl_gl_context_info what,
                            size_t size, void *out, size_t *needed)
{
    cl_device_id id = context->device.id;
    (void)size, (void)needed;
    if (what != CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR || properties[0] != CL_GL_CONTEXT_KHR)
        return CL_INVALID_VALUE;
    if (sharing.is_other_device)
        id = NULL;
    memcpy(out, &id, sizeof id);
    return CL_SUCCESS;
}

cl_context __real_clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *,
                                  void (*)(const char *, const void *, size_t, void *), void *,
                                  cl_int *);
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                  const cl_device_id *ids,
                                  void (*notify)(const char *, const void *, size_t, void *),
                                  void *data, cl_int *code);
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                  const cl_device_id *ids,
                                  void (*notify)(const char *, const void *, size_t, void *),
                                  void *data, cl_int *code)
{
    cl_context_properties plain[] = {CL_CONTEXT_PLATFORM, 0, 0};
    if (properties[0] == CL_GL_CONTEXT_KHR) {
        ck_assert_int_eq(properties[2], CL_EGL_DISPLAY_KHR);
        ck_assert_int_eq(properties[4], CL_CONTEXT_PLATFORM);
        plain[1] = properties[5];
        if (sharing.refuses_context) {
            *code = CL_INVALID_OPERATION;
            return NULL;
        }
        sharing.gl_contexts++;
        properties = plain;
    }
    return __real_clCreateContext(properties, count, ids, notify, data, code);
}

cl_mem __wrap_clCreateFromGLTexture(cl_context ctx, cl_mem_flags flags, cl_GLenum target,
                                    cl_GLint level, cl_GLuint texture, cl_int *code);
cl_mem __wrap_clCreateFromGLTexture(cl_context ctx, cl_mem_flags flags, cl_GLenum target,
                                    cl_GLint level, cl_GLuint texture, cl_int *code)
{
    const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
    const cl_image_desc description = {
        .image_type = target == 0x0DE1 ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_IMAGE3D,
        .image_width = sharing.texels[0],
        .image_height = sharing.texels[1],
        .image_depth = sharing.texels[2],
    };
    *code = sharing.refuses_texture || level != 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
    if (*code != CL_SUCCESS)
        return NULL;
    cl_mem image = clCreateImage(ctx, flags, &format, &description, NULL, code);
    ck_assert_int_eq(*code, CL_SUCCESS);
    clSetMemObjectDestructorCallback(image, forget, NULL);
    struct shared_object *object = add(image);
    object->target = target;
    object->texture = texture;
    for (int a = 0; a < 3; a++)
        object->size[a] = (size_t)sharing.texels[a];
    return image;
}

static void acquire(cl_uint count, const cl_mem *handles)
{
    for (cl_uint i = 0; i < count; i++) {
        struct shared_object *object = find(handles[i]);
        ck_assert_msg(object && !object->is_acquired, "acquired twice, or not shared");
        object->is_acquired = true;
        sharing.acquired++;
    }
    sharing_note('A');
}

static void release(cl_uint count, const cl_mem *handles)
{
    for (cl_uint i = 0; i < count; i++) {
        struct shared_object *object = find(handles[i]);
        ck_assert_msg(object && object->is_acquired, "released, but not acquired");
        object->is_acquired = false;
        sharing.released++;
    }
    sharing_note('R');
}

cl_int __wrap_clEnqueueAcquireGLObjects(cl_command_queue queue, cl_uint count,
                                        const cl_mem *handles, cl_uint waits,
                                        const cl_event *wait_list, cl_event *event);
cl_int __wrap_clEnqueueAcquireGLObjects(cl_command_queue queue, cl_uint count,
                                        const cl_mem *handles, cl_uint waits,
                                        const cl_event *wait_list, cl_event *event)
{
    (void)queue, (void)waits, (void)wait_list, (void)event;
    acquire(count, handles);
    return CL_SUCCESS;
}

/* Kernels and copies may be given shared memory only while it is acquired. */
static void touch(cl_mem handle)
{
    const struct shared_object *object = find(handle);
    sharing.touched_unacquired += object && !object->is_acquired;
}

cl_int __real_clEnqueueCopyBufferToImage(cl_command_queue, cl_mem, cl_mem, size_t, const size_t *,
                                         const size_t *, cl_uint, const cl_event *, cl_event *);
cl_int __wrap_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                         size_t offset, const size_t *origin, const size_t *region,
                                         cl_uint waits, const cl_event *list, cl_event *event);
cl_int __wrap_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                         size_t offset, const size_t *origin, const size_t *region,
                                         cl_uint waits, const cl_event *list, cl_event *event)
{
    ck_assert_msg(find(to) != NULL, "copied to an image that is not GL's");
    touch(from);
    touch(to);
    sharing_note('C');
    return __real_clEnqueueCopyBufferToImage(queue, from, to, offset, origin, region, waits, list,
                                             event);
}

/* The texture now is what the image was. */
cl_int __wrap_clEnqueueReleaseGLObjects(cl_command_queue queue, cl_uint count,
                                        const cl_mem *handles, cl_uint waits,
                                        const cl_event *wait_list, cl_event *event);
cl_int __wrap_clEnqueueReleaseGLObjects(cl_command_queue queue, cl_uint count,
                                        const cl_mem *handles, cl_uint waits,
                                        const cl_event *wait_list, cl_event *event)
{
    const size_t origin[3] = {0, 0, 0};
    for (cl_uint i = 0; i < count; i++) {
        struct shared_object *object = find(handles[i]);
        const size_t *n = object->size;
        void *halves = testing_alloc(n[0] * n[1] * n[2] * 8);
        ck_assert_int_eq(
            clEnqueueReadImage(queue, handles[i], CL_TRUE, origin, n, 0, 0, halves, 0, NULL, NULL),
            CL_SUCCESS);
        sharing_upload(object->target, object->texture, (int)n[0], (int)n[1], (int)n[2], halves);
        free(halves);
    }
    release(count, handles);
    return event ? clEnqueueMarkerWithWaitList(queue, waits, wait_list, event) : CL_SUCCESS;
}

cl_int __real_clFinish(cl_command_queue queue);
cl_int __wrap_clFinish(cl_command_queue queue);
cl_int __wrap_clFinish(cl_command_queue queue)
{
    sharing_note('c');
    return __real_clFinish(queue);
}

/* ---- cl_khr_external_memory, cl_khr_external_semaphore ---- */

typedef struct mapping {
    void *base;
    size_t size;
} mapping;

static void CL_CALLBACK unmap(cl_mem handle, void *data)
{
    mapping *m = data;
    forget(handle, NULL);
    munmap(m->base, m->size);
    free(m);
}

cl_mem __real_clCreateBufferWithProperties(cl_context, const cl_ulong *, cl_mem_flags, size_t,
                                           void *, cl_int *);
cl_mem __wrap_clCreateBufferWithProperties(cl_context ctx, const cl_ulong *properties,
                                           cl_mem_flags flags, size_t size, void *host,
                                           cl_int *code);
cl_mem __wrap_clCreateBufferWithProperties(cl_context ctx, const cl_ulong *properties,
                                           cl_mem_flags flags, size_t size, void *host,
                                           cl_int *code)
{
    struct stat file;
    int fd = (int)properties[1];
    if (!is_on())
        return __real_clCreateBufferWithProperties(ctx, properties, flags, size, host, code);
    *code = CL_INVALID_VALUE;
    if (sharing.refuses_import || properties[0] != OPAQUE_FD || host || fstat(fd, &file) != 0)
        return NULL;
    mapping *m = testing_alloc(sizeof *m);
    m->size = (size_t)file.st_size;
    m->base = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ck_assert_ptr_ne(m->base, MAP_FAILED);
    ck_assert_uint_le(sharing_fd_offset + size, m->size);
    close(fd);
    cl_mem buffer = clCreateBuffer(ctx, flags | CL_MEM_USE_HOST_PTR, size,
                                   (char *)m->base + sharing_fd_offset, code);
    ck_assert_int_eq(*code, CL_SUCCESS);
    clSetMemObjectDestructorCallback(buffer, unmap, m);
    add(buffer);
    sharing.imports++;
    return buffer;
}

static cl_int acquire_memory(cl_command_queue queue, cl_uint count, const cl_mem *handles,
                             cl_uint waits, const cl_event *list, cl_event *event)
{
    acquire(count, handles);
    return event ? clEnqueueMarkerWithWaitList(queue, waits, list, event) : CL_SUCCESS;
}

static cl_int release_memory(cl_command_queue queue, cl_uint count, const cl_mem *handles,
                             cl_uint waits, const cl_event *list, cl_event *event)
{
    release(count, handles);
    return event ? clEnqueueMarkerWithWaitList(queue, waits, list, event) : CL_SUCCESS;
}

cl_int __real_clEnqueueCopyBuffer(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
                                  const cl_event *, cl_event *);
cl_int __wrap_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                  size_t from_offset, size_t to_offset, size_t size, cl_uint waits,
                                  const cl_event *list, cl_event *event);
cl_int __wrap_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                  size_t from_offset, size_t to_offset, size_t size, cl_uint waits,
                                  const cl_event *list, cl_event *event)
{
    touch(from);
    touch(to);
    return __real_clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, waits, list,
                                      event);
}

cl_int __real_clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
                                  cl_uint, const cl_event *, cl_event *);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem from, cl_bool blocks,
                                  size_t offset, size_t size, void *out, cl_uint waits,
                                  const cl_event *list, cl_event *event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem from, cl_bool blocks,
                                  size_t offset, size_t size, void *out, cl_uint waits,
                                  const cl_event *list, cl_event *event)
{
    touch(from);
    return __real_clEnqueueReadBuffer(queue, from, blocks, offset, size, out, waits, list, event);
}

cl_int __real_clSetKernelArg(cl_kernel, cl_uint, size_t, const void *);
cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_mem handle = NULL;
    if (size == sizeof handle && value)
        memcpy(&handle, value, sizeof handle);
    touch(handle);
    return __real_clSetKernelArg(kernel, index, size, value);
}

/* A semaphore is a number of signals that nobody has waited for yet: 0 or 1. */
static void *create_semaphore(cl_context ctx, const cl_ulong *properties, cl_int *code)
{
    (void)ctx;
    *code = INVALID_PROPERTY;
    if (sharing.semaphore_refusals-- > 0)
        return NULL;
    bool has_type = false, has_fd = false;
    for (int i = 0; properties[i]; i += 2) {
        has_type |= properties[i] == SEMAPHORE_TYPE && properties[i + 1] == 1;
        if (properties[i] == SEMAPHORE_OPAQUE_FD)
            has_fd = close((int)properties[i + 1]) == 0;
    }
    if (!has_type || !has_fd)
        return NULL;
    *code = CL_SUCCESS;
    sharing.semaphores++;
    return testing_alloc(8);
}

static cl_int signal_semaphore(cl_command_queue queue, cl_uint count, void *const *handles,
                               const cl_ulong *payload, cl_uint waits, const cl_event *list,
                               cl_event *event)
{
    (void)queue, (void)handles, (void)payload, (void)waits, (void)list, (void)event;
    sharing.signals += (int)count;
    return CL_SUCCESS;
}

static cl_int release_semaphore(void *handle)
{
    free(handle);
    sharing.semaphores--;
    return CL_SUCCESS;
}

/* ---- addresses of extension functions ---- */

#define ADDRESS(name, function)                                                                    \
    if (strcmp(wanted, name) == 0) {                                                               \
        void *address;                                                                             \
        __typeof__(&(function)) pointer = (function);                                              \
        memcpy(&address, &pointer, sizeof address);                                                \
        return address;                                                                            \
    }

void *__real_clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char *);
void *__wrap_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *wanted);
void *__wrap_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *wanted)
{
    if (!is_on())
        return __real_clGetExtensionFunctionAddressForPlatform(platform, wanted);
    ADDRESS("clGetGLContextInfoKHR", get_gl_device)
    ADDRESS("clEnqueueAcquireExternalMemObjectsKHR", acquire_memory)
    ADDRESS("clEnqueueReleaseExternalMemObjectsKHR", release_memory)
    ADDRESS("clCreateSemaphoreWithPropertiesKHR", create_semaphore)
    ADDRESS("clEnqueueSignalSemaphoresKHR", signal_semaphore)
    ADDRESS("clReleaseSemaphoreKHR", release_semaphore)
    return NULL;
}
