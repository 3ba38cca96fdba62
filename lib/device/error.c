/* SPDX-License-Identifier: MIT */
/* The thread's last error, and names of codes. */
#include "device/internal.h"

#include <stdio.h>
#include <string.h>

static _Thread_local char last_error[1024];

const char *foehn_last_error(void)
{
    return last_error;
}

const char *foehn_version(void)
{
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
    return TEXT(FOEHN_VERSION_MAJOR) "." TEXT(FOEHN_VERSION_MINOR) "." TEXT(FOEHN_VERSION_PATCH);
}

const char *foehn_status_name(foehn_status status)
{
    switch (status) {
    case FOEHN_OK: return "ok";
    case FOEHN_ERROR_ARGUMENT: return "argument";
    case FOEHN_ERROR_MEMORY: return "memory";
    case FOEHN_ERROR_DEVICE: return "device";
    case FOEHN_ERROR_OPENCL: return "opencl";
    case FOEHN_ERROR_BUILD: return "build";
    case FOEHN_ERROR_UNSTABLE: return "unstable";
    case FOEHN_ERROR_PART: return "part";
    }
    return "unknown";
}

foehn_status foehn_fail(foehn_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(last_error, sizeof last_error, format, list);
    va_end(list);
    return status;
}

foehn_status foehn_fail_cl(cl_int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(last_error, sizeof last_error, format, list);
    va_end(list);
    size_t used = strlen(last_error);
    snprintf(last_error + used, sizeof last_error - used, ": %s (%d)", foehn_cl_name(code), code);
    switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE: return FOEHN_ERROR_MEMORY;
    default: return FOEHN_ERROR_OPENCL;
    }
}

const char *foehn_cl_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
        {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
        {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
        {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
        {CL_INVALID_QUEUE_PROPERTIES, "CL_INVALID_QUEUE_PROPERTIES"},
        {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
        {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
        {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
        {CL_INVALID_KERNEL, "CL_INVALID_KERNEL"},
        {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
        {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
        {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
        {CL_INVALID_OPERATION, "CL_INVALID_OPERATION"},
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return names[i].name;
    return "OpenCL error";
}
