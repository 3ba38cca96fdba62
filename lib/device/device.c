/* SPDX-License-Identifier: MIT */
/* Which devices there are, and which one to use. */
#include "device/internal.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_device_copy;

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64 };

#define HOW_TO_INSTALL                                                                             \
    "install the vendor's GPU driver, or PoCL to run on the CPU (Debian, Ubuntu: apt-get install " \
    "pocl-opencl-icd; Fedora: dnf install pocl; Arch: pacman -S pocl; openSUSE: zypper install "   \
    "pocl)"

/* The loader and PoCL crash where two threads are the first to call them. */
static pthread_mutex_t drivers = PTHREAD_MUTEX_INITIALIZER;

void foehn_drivers_lock(void)
{
    pthread_mutex_lock(&drivers);
}

void foehn_drivers_unlock(void)
{
    pthread_mutex_unlock(&drivers);
}

static bool lists_extension(const char *extensions, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = extensions; (p = strstr(p, name)) != NULL; p += length)
        if ((p == extensions || p[-1] == ' ') && (p[length] == 0 || p[length] == ' '))
            return true;
    return false;
}

static void get_text(cl_device_id id, cl_device_info what, size_t size, char *out)
{
    if (clGetDeviceInfo(id, what, size, out, NULL) != CL_SUCCESS)
        snprintf(out, size, "unknown");
    out[size - 1] = 0;
}

static char *get_extensions(cl_device_id id)
{
    size_t size = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return NULL;
    char *text = calloc(size + 1, 1);
    if (text && clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, size, text, NULL) != CL_SUCCESS)
        text[0] = 0;
    return text;
}

bool foehn_device_lists(cl_device_id id, const char *extension)
{
    char *extensions = get_extensions(id);
    bool listed = extensions && lists_extension(extensions, extension);
    free(extensions);
    return listed;
}

/* Intel's driver for its GPUs reaches no further than 4 GiB into a buffer unless it is told to;
 * other drivers, Intel's for processors among them, refuse to build with this option. */
const char *foehn_device_options(const char *platform, cl_device_type type, uint64_t largest)
{
    static const char intels_gpus[] = "Intel(R) OpenCL";
    bool told = strncmp(platform, intels_gpus, sizeof intels_gpus - 1) == 0 &&
                type & CL_DEVICE_TYPE_GPU && largest > UINT64_C(1) << 32;
    return told ? "-cl-intel-greater-than-4GB-buffer-required" : "";
}

static void get_info(cl_platform_id platform, cl_device_id id, foehn_device *device)
{
    foehn_device_info *info = &device->info;
    memset(info, 0, sizeof *info);
    info->struct_size = sizeof *info;
    get_text(id, CL_DEVICE_NAME, sizeof info->name, info->name);
    get_text(id, CL_DEVICE_VENDOR, sizeof info->vendor, info->vendor);
    get_text(id, CL_DRIVER_VERSION, sizeof info->driver, info->driver);
    get_text(id, CL_DEVICE_VERSION, sizeof info->version, info->version);
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->platform, info->platform, NULL))
        snprintf(info->platform, sizeof info->platform, "unknown");

    cl_device_type type = 0;
    cl_ulong memory = 0, largest = 0, local = 0;
    cl_uint units = 0, clock = 0;
    size_t group = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof clock, &clock, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    info->type = type & CL_DEVICE_TYPE_GPU   ? FOEHN_DEVICE_GPU
                 : type & CL_DEVICE_TYPE_CPU ? FOEHN_DEVICE_CPU
                                             : FOEHN_DEVICE_OTHER;
    info->memory_bytes = memory;
    /* Some drivers answer 0 when asked from several threads; a quarter is what the standard
     * promises at least. */
    info->largest_allocation_bytes = largest ? largest : memory / 4;
    info->local_memory_bytes = local;
    info->compute_units = units;
    info->clock_mhz = clock;
    info->largest_work_group = (uint32_t)group;
    device->options = foehn_device_options(info->platform, type, largest);

    char *extensions = get_extensions(id);
    if (extensions) {
        info->gl_sharing = lists_extension(extensions, "cl_khr_gl_sharing");
        info->external_memory = lists_extension(extensions, "cl_khr_external_memory_opaque_fd");
        info->external_semaphore =
            lists_extension(extensions, "cl_khr_external_semaphore_opaque_fd");
        info->image_writes_3d = lists_extension(extensions, "cl_khr_3d_image_writes");
        free(extensions);
    }
}

static bool usable(cl_device_id id, const foehn_device_info *info)
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    int major = 0, minor = 0;
    clGetDeviceInfo(id, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    clGetDeviceInfo(id, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    if (sscanf(info->version, "OpenCL %d.%d", &major, &minor) != 2)
        return false;
    return available && compiler && (major > 1 || minor >= 2);
}

/* All usable devices of all platforms.  platforms: how many drivers answered. */
static int list_devices(int capacity, foehn_device *devices, int *platforms)
{
    cl_platform_id ids[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    /* An ICD loader without drivers answers -1001: no platforms, not a failure. */
    if (clGetPlatformIDs(MOST_PLATFORMS, ids, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    if (platform_count > MOST_PLATFORMS)
        platform_count = MOST_PLATFORMS;
    *platforms = (int)platform_count;
    int count = 0;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id found[MOST_DEVICES];
        cl_uint n = 0;
        if (clGetDeviceIDs(ids[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, found, &n) != CL_SUCCESS)
            continue; /* a platform may have no devices, or fail to say so */
        for (cl_uint d = 0; d < n && d < MOST_DEVICES && count < capacity; d++) {
            foehn_device device = {.platform = ids[p], .id = found[d]};
            get_info(ids[p], found[d], &device);
            if (usable(found[d], &device.info))
                devices[count++] = device;
        }
    }
    return count;
}

foehn_status foehn_devices_get(size_t capacity, foehn_device_info *infos, size_t *count)
{
    foehn_device devices[MOST_DEVICES];
    int platforms;
    foehn_drivers_lock();
    *count = (size_t)list_devices(MOST_DEVICES, devices, &platforms);
    foehn_drivers_unlock();
    if (capacity == 0)
        return FOEHN_OK;
    size_t size = infos[0].struct_size;
    if (size < sizeof size || size > sizeof(foehn_device_info))
        return foehn_fail(
            FOEHN_ERROR_ARGUMENT,
            "foehn_devices_get: struct_size = %zu: set it to sizeof(foehn_device_info)", size);
    for (size_t i = 0; i < *count && i < capacity; i++) {
        char *to = (char *)infos + i * size;
        memcpy(to, &devices[i].info, size);
        memcpy(to, &size, sizeof size);
    }
    return FOEHN_OK;
}

/* Mesa's driver of processors: counts 8 compute units on 2 cores, and takes 30 times PoCL's time.
 */
static bool is_llvmpipe(const foehn_device_info *info)
{
    return strncmp(info->name, "llvmpipe", 8) == 0;
}

/* Better devices first: GPU, then CPU (llvmpipe last), then the rest; then compute units, clock,
 * memory. */
bool foehn_device_better(const foehn_device_info *a, const foehn_device_info *b)
{
    if (a->type != b->type)
        return a->type > b->type;
    if (is_llvmpipe(a) != is_llvmpipe(b))
        return is_llvmpipe(b);
    if (a->compute_units != b->compute_units)
        return a->compute_units > b->compute_units;
    if (a->clock_mhz != b->clock_mhz)
        return a->clock_mhz > b->clock_mhz;
    return a->memory_bytes > b->memory_bytes;
}

/* Build and run a small kernel and compare its answer: CL_SUCCESS and the context that it ran in,
 * or why the device is no use; log: what the compiler says, empty if it is not at fault. */
static cl_int probe(const foehn_device *device, cl_context *ran_in, size_t log_size, char *log)
{
    enum { COUNT = 64 };
    const foehn_source *source = &foehn_source_device_copy;
    char options[64]; /* as the context will build it, so that drivers find it built */
    snprintf(options, sizeof options, FOEHN_COMMON_OPTIONS "%s%s", *device->options ? " " : "",
             device->options);
    cl_int code;
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    cl_mem buffer = NULL;
    cl_command_queue queue = NULL;
    float out[COUNT] = {0}, a = 3.0f;
    size_t global = COUNT, local = 16;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)device->platform, 0};
    cl_context context = clCreateContext(properties, 1, &device->id, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        queue = clCreateCommandQueue(context, device->id, 0, &code);
    if (code == CL_SUCCESS)
        program = clCreateProgramWithSource(context, source->count,
                                            (const char **)(uintptr_t)source->lines, NULL, &code);
    log[0] = 0;
    if (code == CL_SUCCESS) {
        code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
        if (code != CL_SUCCESS)
            foehn_build_log(program, device->id, source, log_size, log);
    }
    if (code == CL_SUCCESS)
        kernel = clCreateKernel(program, "probe", &code);
    if (code == CL_SUCCESS)
        buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &code);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof a, &a);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    for (int i = 0; code == CL_SUCCESS && i < COUNT; i++)
        if (out[i] != a * (float)i + 1.0f)
            code = CL_INVALID_PROGRAM_EXECUTABLE;
    if (queue) {
        clFinish(queue);
        clReleaseCommandQueue(queue);
    }
    if (buffer)
        clReleaseMemObject(buffer);
    if (kernel)
        clReleaseKernel(kernel);
    if (program)
        clReleaseProgram(program);
    if (context && code != CL_SUCCESS)
        clReleaseContext(context);
    *ran_in = code == CL_SUCCESS ? context : NULL;
    return code;
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

/* Does the device answer to the spec: its index, "cpu", "gpu", or part of its or its platform's
 * name? */
static bool matches(const char *spec, int index, const foehn_device_info *info)
{
    char *end;
    long number = strtol(spec, &end, 10);
    if (end != spec && *end == 0)
        return number == index;
    if (strcmp(spec, "cpu") == 0)
        return info->type == FOEHN_DEVICE_CPU;
    if (strcmp(spec, "gpu") == 0)
        return info->type == FOEHN_DEVICE_GPU;
    return contains(info->name, spec) || contains(info->platform, spec);
}

/* Append to a text that may be full. */
static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    if (used >= size)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

foehn_status foehn_device_select(const char *spec, foehn_device *device, cl_context *context,
                                 int *index, size_t reason_size, char *reason)
{
    foehn_device devices[MOST_DEVICES];
    bool rejected[MOST_DEVICES] = {false};
    char failures[600] = "", log[300];
    const char *origin = "asked for";
    int platforms, count = list_devices(MOST_DEVICES, devices, &platforms);
    if (!spec || !*spec) {
        spec = getenv("FOEHN_DEVICE");
        origin = "FOEHN_DEVICE";
    }
    if (platforms == 0)
        return foehn_fail(FOEHN_ERROR_DEVICE, "no OpenCL driver is installed: " HOW_TO_INSTALL);
    if (count == 0)
        return foehn_fail(FOEHN_ERROR_DEVICE,
                          "%d OpenCL driver%s answered but offered no device with OpenCL 1.2 "
                          "(PoCL offers none when its cache folder cannot be made: check HOME or "
                          "set POCL_CACHE_DIR; rusticl needs RUSTICL_ENABLE): " HOW_TO_INSTALL,
                          platforms, platforms == 1 ? "" : "s");
    for (;;) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (!rejected[i] && (!spec || !*spec || matches(spec, i, &devices[i].info)) &&
                (best < 0 || foehn_device_better(&devices[i].info, &devices[best].info)))
                best = i;
        if (best < 0)
            break;
        cl_int code = probe(&devices[best], context, sizeof log, log);
        if (code == CL_SUCCESS) {
            *device = devices[best];
            if (index)
                *index = best;
            if (reason_size > 0) {
                reason[0] = 0;
                if (spec && *spec)
                    append(reason, reason_size, "%s \"%s\"", origin, spec);
                else
                    append(reason, reason_size, "best of %d (GPU before CPU, then compute units)",
                           count);
                if (failures[0])
                    append(reason, reason_size, "; passed over:%s", failures);
            }
            return FOEHN_OK;
        }
        rejected[best] = true;
        append(failures, sizeof failures, " %d %s, driver %s (the probe kernel failed: %s, %d%s%s)",
               best, devices[best].info.name, devices[best].info.driver, foehn_cl_name(code), code,
               *log ? ": " : "", log);
    }
    if (failures[0])
        return foehn_fail(
            FOEHN_ERROR_DEVICE,
            "no device runs the probe kernel:%s; update the driver, or " HOW_TO_INSTALL, failures);
    char names[512] = "";
    for (int i = 0; i < count; i++)
        append(names, sizeof names, "%s%d = %s", i ? ", " : "", i, devices[i].info.name);
    return foehn_fail(FOEHN_ERROR_DEVICE,
                      "no device matches \"%s\" (%s): give an index, cpu, gpu or part of a name; "
                      "there is %s",
                      spec, origin, names);
}

foehn_status foehn_device_choose(const char *spec, int *index, size_t reason_size, char *reason)
{
    foehn_device device;
    cl_context context;
    foehn_drivers_lock();
    foehn_status status = foehn_device_select(spec, &device, &context, index, reason_size, reason);
    if (status == FOEHN_OK)
        clReleaseContext(context);
    foehn_drivers_unlock();
    return status;
}
