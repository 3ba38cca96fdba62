/* SPDX-License-Identifier: MIT */
#include "device/failing_calls.h"

const char *const failing_names[CALLS] = {"clGetPlatformIDs",
                                          "clGetDeviceIDs",
                                          "clCreateContext",
                                          "clCreateCommandQueue",
                                          "clCreateProgramWithSource",
                                          "clBuildProgram",
                                          "clCreateKernel",
                                          "clCreateBuffer",
                                          "clCreateSubBuffer",
                                          "clSetKernelArg",
                                          "clEnqueueNDRangeKernel",
                                          "clEnqueueReadBuffer",
                                          "clEnqueueWriteBuffer",
                                          "clEnqueueReadBufferRect",
                                          "clEnqueueWriteBufferRect",
                                          "clEnqueueCopyBuffer",
                                          "clEnqueueMarkerWithWaitList",
                                          "clFinish",
                                          "malloc, calloc, realloc"};

alive failing_live;
long failing_waits;
bool failing_happened;
long failing_calls[CALLS];
static long nth;
static call victim = CALLS; /* CALLS: none */

void failing_arm(call which, long n)
{
    memset(failing_calls, 0, sizeof failing_calls);
    failing_happened = false;
    nth = n;
    victim = which;
}

void failing_disarm(void)
{
    victim = CALLS;
}

static bool fails(call which)
{
    failing_calls[which]++;
    if (which != victim || failing_calls[which] != nth)
        return false;
    failing_happened = true;
    return true;
}

/* ---- the wrapped functions ---- */

#define WRAP(type, name, parameters)                                                               \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters

WRAP(cl_int, clGetPlatformIDs, (cl_uint capacity, cl_platform_id *ids, cl_uint *count))
{
    return fails(GET_PLATFORMS) ? -1001 : __real_clGetPlatformIDs(capacity, ids, count);
}

WRAP(cl_int, clGetDeviceIDs,
     (cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id *ids,
      cl_uint *count))
{
    return fails(GET_DEVICES) ? CL_DEVICE_NOT_FOUND
                              : __real_clGetDeviceIDs(platform, type, capacity, ids, count);
}

/* Creators: NULL and a code when they fail. */
#define CREATE(kind, which, error, real)                                                           \
    do {                                                                                           \
        if (fails(which)) {                                                                        \
            if (code)                                                                              \
                *code = (error);                                                                   \
            return NULL;                                                                           \
        }                                                                                          \
        void *made = (real);                                                                       \
        failing_live.kind += made != NULL;                                                         \
        return made;                                                                               \
    } while (0)

WRAP(cl_context, clCreateContext,
     (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
      void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
      cl_int *code))
{
    CREATE(contexts, CREATE_CONTEXT, CL_DEVICE_NOT_AVAILABLE,
           __real_clCreateContext(properties, count, devices, notify, data, code));
}

WRAP(cl_command_queue, clCreateCommandQueue,
     (cl_context ctx, cl_device_id device, cl_command_queue_properties properties, cl_int *code))
{
    CREATE(queues, CREATE_QUEUE, CL_OUT_OF_HOST_MEMORY,
           __real_clCreateCommandQueue(ctx, device, properties, code));
}

WRAP(cl_program, clCreateProgramWithSource,
     (cl_context ctx, cl_uint count, const char **lines, const size_t *lengths, cl_int *code))
{
    CREATE(programs, CREATE_PROGRAM, CL_OUT_OF_HOST_MEMORY,
           __real_clCreateProgramWithSource(ctx, count, lines, lengths, code));
}

WRAP(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code))
{
    CREATE(kernels, CREATE_KERNEL, CL_INVALID_KERNEL_NAME,
           __real_clCreateKernel(program, name, code));
}

WRAP(cl_mem, clCreateBuffer,
     (cl_context ctx, cl_mem_flags flags, size_t bytes, void *host, cl_int *code))
{
    CREATE(buffers, CREATE_BUFFER, CL_MEM_OBJECT_ALLOCATION_FAILURE,
           __real_clCreateBuffer(ctx, flags, bytes, host, code));
}

WRAP(cl_mem, clCreateSubBuffer,
     (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
      cl_int *code))
{
    CREATE(buffers, CREATE_SUB_BUFFER, CL_MEM_OBJECT_ALLOCATION_FAILURE,
           __real_clCreateSubBuffer(buffer, flags, type, info, code));
}

WRAP(cl_int, clEnqueueCopyBuffer,
     (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
      size_t bytes, cl_uint count, const cl_event *waits_for, cl_event *event))
{
    return fails(COPY) ? CL_OUT_OF_RESOURCES
                       : __real_clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, bytes,
                                                    count, waits_for, event);
}

WRAP(cl_int, clBuildProgram,
     (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
      void(CL_CALLBACK *notify)(cl_program, void *), void *data))
{
    return fails(BUILD_PROGRAM)
               ? CL_BUILD_PROGRAM_FAILURE
               : __real_clBuildProgram(program, count, devices, options, notify, data);
}

WRAP(cl_int, clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value))
{
    return fails(SET_ARG) ? CL_INVALID_ARG_SIZE : __real_clSetKernelArg(kernel, index, size, value);
}

static cl_int count_event(cl_int code, const cl_event *event)
{
    failing_live.events += code == CL_SUCCESS && event;
    return code;
}

WRAP(cl_int, clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
      const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
      cl_event *event))
{
    if (fails(LAUNCH_KERNEL))
        return CL_OUT_OF_RESOURCES;
    return count_event(__real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                     local, count, list, event),
                       event);
}

WRAP(cl_int, clEnqueueReadBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes,
      void *out, cl_uint count, const cl_event *list, cl_event *event))
{
    if (fails(READ))
        return CL_OUT_OF_RESOURCES;
    failing_waits += blocking;
    return count_event(
        __real_clEnqueueReadBuffer(queue, buffer, blocking, offset, bytes, out, count, list, event),
        event);
}

WRAP(cl_int, clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes,
      const void *in, cl_uint count, const cl_event *list, cl_event *event))
{
    if (fails(WRITE))
        return CL_OUT_OF_RESOURCES;
    failing_waits += blocking;
    return count_event(
        __real_clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, in, count, list, event),
        event);
}

WRAP(cl_int, clEnqueueReadBufferRect,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *from, const size_t *to,
      const size_t *region, size_t row, size_t plane, size_t host_row, size_t host_plane, void *out,
      cl_uint count, const cl_event *list, cl_event *event))
{
    if (fails(READ_BOX))
        return CL_OUT_OF_RESOURCES;
    failing_waits += blocking;
    return count_event(__real_clEnqueueReadBufferRect(queue, buffer, blocking, from, to, region,
                                                      row, plane, host_row, host_plane, out, count,
                                                      list, event),
                       event);
}

WRAP(cl_int, clEnqueueWriteBufferRect,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *from, const size_t *to,
      const size_t *region, size_t row, size_t plane, size_t host_row, size_t host_plane,
      const void *in, cl_uint count, const cl_event *list, cl_event *event))
{
    if (fails(WRITE_BOX))
        return CL_OUT_OF_RESOURCES;
    failing_waits += blocking;
    return count_event(__real_clEnqueueWriteBufferRect(queue, buffer, blocking, from, to, region,
                                                       row, plane, host_row, host_plane, in, count,
                                                       list, event),
                       event);
}

WRAP(cl_int, clEnqueueMarkerWithWaitList,
     (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event))
{
    if (fails(MARKER))
        return CL_OUT_OF_HOST_MEMORY;
    failing_waits++; /* the library marks the queue only in order to wait */
    return count_event(__real_clEnqueueMarkerWithWaitList(queue, count, list, event), event);
}

WRAP(cl_int, clFinish, (cl_command_queue queue))
{
    failing_waits++;
    cl_int code = __real_clFinish(queue); /* also when it fails: nothing may run on */
    return fails(FINISH) ? CL_OUT_OF_RESOURCES : code;
}

WRAP(cl_int, clWaitForEvents, (cl_uint count, const cl_event *list))
{
    failing_waits++;
    return __real_clWaitForEvents(count, list);
}

#define RELEASE(function, type, kind)                                                              \
    WRAP(cl_int, function, (type object))                                                          \
    {                                                                                              \
        failing_live.kind--;                                                                       \
        return __real_##function(object);                                                          \
    }
RELEASE(clReleaseContext, cl_context, contexts)
RELEASE(clReleaseCommandQueue, cl_command_queue, queues)
RELEASE(clReleaseProgram, cl_program, programs)
RELEASE(clReleaseKernel, cl_kernel, kernels)
RELEASE(clReleaseMemObject, cl_mem, buffers)
RELEASE(clReleaseEvent, cl_event, events)

WRAP(void *, malloc, (size_t bytes))
{
    return fails(ALLOCATE) ? NULL : __real_malloc(bytes);
}

WRAP(void *, calloc, (size_t count, size_t bytes))
{
    return fails(ALLOCATE) ? NULL : __real_calloc(count, bytes);
}

WRAP(void *, realloc, (void *old, size_t bytes))
{
    return fails(ALLOCATE) ? NULL : __real_realloc(old, bytes);
}
