/* SPDX-License-Identifier: MIT */
/* The context: queue, buffers, launches and their timing. */
#include "device/internal.h"
#include "device/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const foehn_source foehn_source_device_copy;

/* ---- timing ---- */

enum { MOST_PENDING = 1024 };

/* Events wait here until they are worth reading: asking at once would stall the queue. */
typedef struct foehn_timer {
    foehn_timing *rows;
    size_t row_count, row_capacity;
    struct {
        cl_event event;
        size_t row;
    } pending[MOST_PENDING];
    size_t pending_count;
    double seconds; /* since the last foehn_context_get_device_time */
} foehn_timer;

static foehn_status timer_harvest(foehn_context *ctx)
{
    foehn_timer *t = ctx->timer;
    foehn_status status = FOEHN_OK;
    if (!t || t->pending_count == 0)
        return FOEHN_OK;
    status = foehn_context_wait(ctx);
    for (size_t i = 0; i < t->pending_count; i++) {
        cl_ulong start = 0, end = 0;
        cl_event event = t->pending[i].event;
        if (status == FOEHN_OK &&
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                    NULL) == CL_SUCCESS &&
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) ==
                CL_SUCCESS &&
            end > start) {
            t->rows[t->pending[i].row].seconds += (double)(end - start) * 1e-9;
            t->seconds += (double)(end - start) * 1e-9;
        }
        clReleaseEvent(event);
    }
    t->pending_count = 0;
    return status;
}

static void timer_destroy(foehn_context *ctx)
{
    if (!ctx->timer)
        return;
    for (size_t i = 0; i < ctx->timer->pending_count; i++)
        clReleaseEvent(ctx->timer->pending[i].event);
    free(ctx->timer->rows);
    free(ctx->timer);
    ctx->timer = NULL;
}

/* The row of a kernel; SIZE_MAX without memory. */
static size_t timer_row(foehn_timer *t, const char *kernel)
{
    for (size_t i = 0; i < t->row_count; i++)
        if (strcmp(t->rows[i].kernel, kernel) == 0)
            return i;
    if (t->row_count == t->row_capacity) {
        size_t capacity = t->row_capacity ? 2 * t->row_capacity : 16;
        foehn_timing *rows = realloc(t->rows, capacity * sizeof *rows);
        if (!rows)
            return SIZE_MAX;
        t->rows = rows;
        t->row_capacity = capacity;
    }
    foehn_timing *row = &t->rows[t->row_count];
    memset(row, 0, sizeof *row);
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    return t->row_count++;
}

static foehn_status timer_add(foehn_context *ctx, const foehn_kernel *kernel, double items,
                              cl_event event)
{
    foehn_timer *t = ctx->timer;
    size_t row = timer_row(t, kernel->name);
    if (row == SIZE_MAX) {
        clReleaseEvent(event);
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for kernel timings");
    }
    t->rows[row].launches++;
    t->rows[row].bytes += items * kernel->bytes;
    t->pending[t->pending_count].event = event;
    t->pending[t->pending_count++].row = row;
    return t->pending_count == MOST_PENDING ? timer_harvest(ctx) : FOEHN_OK;
}

static foehn_status queue_create(foehn_context *ctx, bool timing)
{
    cl_int code;
    ctx->queue = clCreateCommandQueue(ctx->handle, ctx->device.id,
                                      timing ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    if (code != CL_SUCCESS) {
        ctx->queue = NULL;
        return foehn_fail_cl(code, "no command queue on %s", ctx->device.info.name);
    }
    return FOEHN_OK;
}

foehn_status foehn_context_set_timing(foehn_context *ctx, int on)
{
    TRY(foehn_context_wait(ctx));
    timer_destroy(ctx);
    if (on && !(ctx->timer = calloc(1, sizeof *ctx->timer)))
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for kernel timings");
    if (ctx->timing == (on != 0))
        return FOEHN_OK;
    clReleaseCommandQueue(ctx->queue);
    TRY(queue_create(ctx, on != 0));
    ctx->timing = on != 0;
    return FOEHN_OK;
}

foehn_status foehn_context_get_timings(foehn_context *ctx, size_t capacity, foehn_timing *timings,
                                       size_t *count)
{
    TRY(timer_harvest(ctx));
    *count = ctx->timer ? ctx->timer->row_count : 0;
    for (size_t i = 0; i < *count && i < capacity; i++)
        timings[i] = ctx->timer->rows[i];
    return FOEHN_OK;
}

foehn_status foehn_context_get_device_time(foehn_context *ctx, double *seconds)
{
    *seconds = 0;
    TRY(timer_harvest(ctx));
    if (ctx->timer) {
        *seconds = ctx->timer->seconds;
        ctx->timer->seconds = 0;
    }
    return FOEHN_OK;
}

/* ---- context ---- */

/* The context is the one that the probe ran in: PoCL takes a third of a second to read its builtin
 * functions into another one.  One context a device, unless parts ask to share: a shared one costs
 * memory on every other device of some drivers. */
static foehn_status open_device(foehn_context *ctx, const foehn_context_params *p)
{
    TRY(foehn_device_select(p->device, &ctx->device, &ctx->handle, NULL, sizeof ctx->reason,
                            ctx->reason));
    if (p->devices)
        TRY(foehn_context_join(ctx, p->devices));
    else
        foehn_context_share_gl(ctx, p);
    return ctx->together ? foehn_context_join_queue(ctx) : queue_create(ctx, false);
}

foehn_status foehn_context_create(const foehn_context_params *params, foehn_context **out)
{
    *out = NULL;
    foehn_context_params p = foehn_context_params_default();
    TRY(foehn_params_take(&p, params, "foehn_context_params"));
    foehn_status status;
    foehn_context *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_context_create: no host memory");
    ctx->sleep_in_wait = p.sleep_in_wait;
    ctx->debug = p.debug;
    foehn_drivers_lock();
    status = open_device(ctx, &p);
    foehn_drivers_unlock();
    if (status == FOEHN_OK && p.timing)
        status = foehn_context_set_timing(ctx, 1);
    if (status != FOEHN_OK)
        goto fail;
    *out = ctx;
    return FOEHN_OK;
fail:
    foehn_context_destroy(ctx);
    return status;
}

void foehn_context_destroy(foehn_context *ctx)
{
    if (!ctx)
        return;
    if (ctx->queue)
        clFinish(ctx->queue);
    timer_destroy(ctx);
    if (ctx->fill) {
        foehn_kernel_destroy(ctx->fill);
        free(ctx->fill);
    }
    foehn_programs_destroy(ctx);
    if (ctx->queue)
        clReleaseCommandQueue(ctx->queue);
    foehn_context_part(ctx);
    if (ctx->handle)
        clReleaseContext(ctx->handle);
    free(ctx);
}

foehn_status foehn_context_get_device(const foehn_context *ctx, foehn_device_info *info)
{
    size_t size = info->struct_size;
    if (size < sizeof size || size > sizeof *info)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_context_get_device: struct_size = %zu: set it to "
                          "sizeof(foehn_device_info)",
                          size);
    memcpy(info, &ctx->device.info, size);
    info->struct_size = size;
    return FOEHN_OK;
}

const char *foehn_context_get_reason(const foehn_context *ctx)
{
    return ctx->reason;
}

uint64_t foehn_context_get_memory(const foehn_context *ctx)
{
    return ctx->memory;
}

uint64_t foehn_context_get_launches(const foehn_context *ctx)
{
    return ctx->launches;
}

/* Wait on a marker in short sleeps instead of a driver's busy loop; where that does not work, in
 * the loop: no command may still write to a caller's memory after the return. */
static cl_int wait_asleep(cl_command_queue queue)
{
    cl_event event;
    cl_int state = CL_QUEUED;
    cl_int code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return clFinish(queue);
    code = clFlush(queue);
    while (code == CL_SUCCESS && state > CL_COMPLETE) {
        nanosleep(&(struct timespec){0, 50000}, NULL);
        code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    }
    clReleaseEvent(event);
    if (code == CL_SUCCESS && state == CL_COMPLETE)
        return CL_SUCCESS;
    code = clFinish(queue);
    return state < 0 ? state : code;
}

foehn_status foehn_context_wait(foehn_context *ctx)
{
    cl_int code = ctx->sleep_in_wait ? wait_asleep(ctx->queue) : clFinish(ctx->queue);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code,
                             "waiting for %s (FOEHN_DEBUG=1 names the kernel that was at fault)",
                             ctx->device.info.name);
    return FOEHN_OK;
}

/* ---- buffers ---- */

#define MEGA 1048576.0

foehn_status foehn_memory_check(const foehn_context *ctx, const char *what, uint64_t total,
                                uint64_t largest)
{
    const foehn_device_info *d = &ctx->device.info;
    if (largest > d->largest_allocation_bytes)
        return foehn_fail(FOEHN_ERROR_MEMORY,
                          "%s needs a buffer of %.1f MiB; %s allows %.1f MiB in one buffer: use "
                          "fewer cells or another device",
                          what, (double)largest / MEGA, d->name,
                          (double)d->largest_allocation_bytes / MEGA);
    if (ctx->memory + total > d->memory_bytes)
        return foehn_fail(FOEHN_ERROR_MEMORY,
                          "%s needs %.1f MiB; %s has %.1f MiB, of which this context holds %.1f "
                          "MiB: use fewer cells or another device",
                          what, (double)total / MEGA, d->name, (double)d->memory_bytes / MEGA,
                          (double)ctx->memory / MEGA);
    return FOEHN_OK;
}

foehn_status foehn_buffer_create(foehn_context *ctx, size_t bytes, cl_mem *out)
{
    cl_int code;
    *out = NULL;
    bytes = (bytes + 63) / 64 * 64; /* never 0 bytes for OpenCL; whole words for fill */
    TRY(foehn_memory_check(ctx, "a buffer", bytes, bytes));
    cl_mem buffer = clCreateBuffer(ctx->handle, CL_MEM_READ_WRITE, bytes ? bytes : 64, NULL, &code);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "allocating %.1f MiB on %s", (double)bytes / MEGA,
                             ctx->device.info.name);
    ctx->memory += bytes ? bytes : 64;
    *out = buffer;
    foehn_status status = foehn_buffer_clear(ctx, buffer);
    if (status != FOEHN_OK)
        foehn_buffer_destroy(ctx, out);
    return status;
}

void foehn_buffer_destroy(foehn_context *ctx, cl_mem *buffer)
{
    size_t bytes = 0;
    if (!*buffer)
        return;
    clGetMemObjectInfo(*buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    ctx->memory -= bytes;
    clReleaseMemObject(*buffer);
    *buffer = NULL;
}

/* clEnqueueFillBuffer hangs or corrupts at 2^31 bytes on some drivers, hence a kernel. */
foehn_status foehn_buffer_clear(foehn_context *ctx, cl_mem buffer)
{
    size_t bytes = 0;
    if (!ctx->fill) {
        foehn_kernel *fill = calloc(1, sizeof *fill);
        if (!fill)
            return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a kernel");
        foehn_status status =
            foehn_kernel_create(ctx, &foehn_source_device_copy, "", "fill", 0, fill);
        if (status != FOEHN_OK) {
            free(fill);
            return status;
        }
        ctx->fill = fill;
    }
    cl_int code = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "asking the size of a buffer");
    cl_ulong words = bytes / 4;
    foehn_size size = {(words + 4095) / 4096 * 64, 1, 1}, local = {TUNED_POINTS, 1, 1};
    return LAUNCH_LOCAL(ctx, *ctx->fill, size, local, ARG(buffer), ARG(words));
}

foehn_status foehn_buffer_read(foehn_context *ctx, cl_mem buffer, size_t offset, size_t bytes,
                               void *out)
{
    cl_int code =
        clEnqueueReadBuffer(ctx->queue, buffer, CL_FALSE, offset, bytes, out, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "reading %zu bytes", bytes);
    return foehn_context_wait(ctx);
}

foehn_status foehn_buffer_write(foehn_context *ctx, cl_mem buffer, size_t offset, size_t bytes,
                                const void *in)
{
    cl_int code =
        clEnqueueWriteBuffer(ctx->queue, buffer, CL_FALSE, offset, bytes, in, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "writing %zu bytes", bytes);
    return foehn_context_wait(ctx);
}

typedef struct box_args {
    size_t device_origin[3], host_origin[3], region[3];
    size_t row, plane, host_row, host_plane;
} box_args;

/* The box in bytes.  The offset goes into the origin, so it must lie on the pitches' lattice. */
static box_args box_bytes(foehn_box b)
{
    size_t e = b.element;
    box_args a = {
        .device_origin = {b.offset % b.row_pitch * e, b.offset % b.plane_pitch / b.row_pitch,
                          b.offset / b.plane_pitch},
        .region = {b.nx * e, b.ny, b.nz},
        .row = b.row_pitch * e,
        .plane = b.plane_pitch * e,
        .host_row = b.nx * e,
        .host_plane = b.nx * b.ny * e,
    };
    return a;
}

foehn_status foehn_box_read(foehn_context *ctx, cl_mem buffer, foehn_box box, void *out)
{
    box_args a = box_bytes(box);
    cl_int code = clEnqueueReadBufferRect(ctx->queue, buffer, CL_FALSE, a.device_origin,
                                          a.host_origin, a.region, a.row, a.plane, a.host_row,
                                          a.host_plane, out, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "reading a field of %zu x %zu x %zu", box.nx, box.ny, box.nz);
    return foehn_context_wait(ctx);
}

foehn_status foehn_box_write(foehn_context *ctx, cl_mem buffer, foehn_box box, const void *in)
{
    box_args a = box_bytes(box);
    cl_int code = clEnqueueWriteBufferRect(ctx->queue, buffer, CL_FALSE, a.device_origin,
                                           a.host_origin, a.region, a.row, a.plane, a.host_row,
                                           a.host_plane, in, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "writing a field of %zu x %zu x %zu", box.nx, box.ny, box.nz);
    return foehn_context_wait(ctx);
}

/* ---- launch ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

foehn_size foehn_local_size(foehn_size size, size_t row, size_t items)
{
    enum { FLAT = 128, HIGHEST = 64 }; /* the latter is NVIDIA's limit along z */
    foehn_size local = {1, 1, 1};
    while (local.x < size.x && 2 * local.x <= least(items, row))
        local.x *= 2;
    while (local.y < size.y && 2 * local.x * local.y <= items)
        local.y *= 2;
    while (local.z < least(size.z, HIGHEST) &&
           2 * local.x * local.y * local.z <= least(items, FLAT))
        local.z *= 2;
    return local;
}

foehn_size foehn_fitting_group(const foehn_kernel *kernel, foehn_size group)
{
    while (group.x > 1 && group.x * group.y * group.z > kernel->max_group)
        group.x /= 2;
    return group;
}

static foehn_size suitable_local(const foehn_context *ctx, const foehn_kernel *kernel,
                                 foehn_size size)
{
    const foehn_tuning *t = foehn_tuned(ctx);
    size_t most = least(kernel->max_group, ctx->device.info.largest_work_group);
    if (t->group == t->row) /* whatever the row's length: another size is compiled anew */
        return (foehn_size){least(most, t->row), 1, 1};
    /* Half where the whole leaves more items beyond the rows, as with 513 faces. */
    size_t half = t->row / 2,
           row = round_up(size.x, half) < round_up(size.x, t->row) ? half : t->row;
    return foehn_local_size(size, row, least(most, t->group));
}

foehn_status foehn_launch(foehn_context *ctx, const foehn_kernel *kernel, foehn_items items,
                          foehn_size local, unsigned count, const foehn_arg *args)
{
    const foehn_size size = items.size;
    cl_int code;
    for (unsigned i = 0; i < count; i++) {
        code = clSetKernelArg(kernel->handle, i, args[i].size, args[i].value);
        if (code != CL_SUCCESS)
            return foehn_fail_cl(code, "kernel %s: argument %u", kernel->name, i);
    }
    if (local.x == 0)
        local = suitable_local(ctx, kernel, size);
    const size_t l[3] = {local.x, local.y, local.z};
    const size_t g[3] = {round_up(size.x, local.x), round_up(size.y, local.y),
                         round_up(size.z, local.z)};
    const size_t from[3] = {items.from.x, items.from.y, items.from.z};
    const bool is_offset = from[0] || from[1] || from[2]; /* drivers build kernels anew for it */
    cl_event event = NULL;
    code = clEnqueueNDRangeKernel(ctx->queue, kernel->handle, 3, is_offset ? from : NULL, g, l, 0,
                                  NULL, ctx->timing ? &event : NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "kernel %s over %zu x %zu x %zu (groups of %zu x %zu x %zu)",
                             kernel->name, g[0], g[1], g[2], l[0], l[1], l[2]);
    ctx->launches++;
    if (ctx->timing)
        TRY(timer_add(ctx, kernel, (double)size.x * (double)size.y * (double)size.z, event));
    if (ctx->debug) {
        code = clFinish(ctx->queue);
        if (code != CL_SUCCESS)
            return foehn_fail_cl(code, "kernel %s failed on %s", kernel->name,
                                 ctx->device.info.name);
    }
    return FOEHN_OK;
}

/* ---- the device's own speed ---- */

enum { COPY_ROW = 4096, COPY_RUNS = 8 };

/* The shortest of several runs; the first one, which may compile, does not count. */
static foehn_status measure_copy(foehn_context *ctx, const char *name, size_t item, size_t bytes,
                                 const cl_mem buffers[2], double *seconds)
{
    foehn_kernel kernel;
    TRY(foehn_kernel_create(ctx, &foehn_source_device_copy, "", name, 2 * (double)item, &kernel));
    foehn_status status = FOEHN_OK;
    /* Groups that divide a row: the kernels do not ask whether they are inside. */
    foehn_size size = {COPY_ROW, bytes / item / COPY_ROW, 1};
    foehn_size local = foehn_fitting_group(&kernel, (foehn_size){256, 1, 1});
    *seconds = INFINITY;
    for (int run = 0; run <= COPY_RUNS && status == FOEHN_OK; run++) {
        double taken = 0;
        status = LAUNCH_LOCAL(ctx, kernel, size, local, ARG(buffers[0]), ARG(buffers[1]));
        if (status == FOEHN_OK)
            status = foehn_context_get_device_time(ctx, &taken);
        if (run > 0 && taken > 0 && taken < *seconds)
            *seconds = taken;
    }
    foehn_kernel_destroy(&kernel);
    return status;
}

static foehn_status measure_copies(foehn_context *ctx, size_t bytes, double *seconds)
{
    cl_mem buffers[2] = {NULL, NULL};
    double by_4 = INFINITY, by_16 = INFINITY;
    foehn_status status = foehn_context_set_timing(ctx, 1);
    for (int i = 0; i < 2 && status == FOEHN_OK; i++)
        status = foehn_buffer_create(ctx, bytes, &buffers[i]);
    if (status == FOEHN_OK)
        status = measure_copy(ctx, "copy_4", 4, bytes, buffers, &by_4);
    if (status == FOEHN_OK)
        status = measure_copy(ctx, "copy_16", 16, bytes, buffers, &by_16);
    for (int i = 0; i < 2; i++)
        foehn_buffer_destroy(ctx, &buffers[i]);
    *seconds = fmin(by_4, by_16);
    return status;
}

foehn_status foehn_context_measure_copy(foehn_context *ctx, uint64_t bytes,
                                        double *bytes_per_second)
{
    const uint64_t unit = COPY_ROW * 16;
    *bytes_per_second = 0;
    if (bytes == 0 || bytes > SIZE_MAX / 4)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_context_measure_copy: %llu bytes",
                          (unsigned long long)bytes);
    bytes = (bytes + unit - 1) / unit * unit;
    TRY(foehn_memory_check(ctx, "a measure of copying", 2 * bytes, bytes));
    TRY(foehn_context_wait(ctx));
    /* On a queue and a timer of its own. */
    cl_command_queue queue = ctx->queue;
    foehn_timer *timer = ctx->timer;
    bool timing = ctx->timing;
    double seconds = INFINITY;
    foehn_status status = queue_create(ctx, true);
    if (status != FOEHN_OK) {
        ctx->queue = queue;
        return status;
    }
    ctx->timer = NULL;
    ctx->timing = true;
    status = measure_copies(ctx, (size_t)bytes, &seconds);
    timer_destroy(ctx);
    clFinish(ctx->queue);
    clReleaseCommandQueue(ctx->queue);
    ctx->queue = queue;
    ctx->timer = timer;
    ctx->timing = timing;
    if (status == FOEHN_OK && isfinite(seconds))
        *bytes_per_second = 2 * (double)bytes / seconds;
    return status;
}
