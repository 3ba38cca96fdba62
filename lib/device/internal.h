/* SPDX-License-Identifier: MIT */
/* What the library's files share and nobody else sees: failing, buffers, programs, launches. */
#ifndef FOEHN_INTERNAL_H
#define FOEHN_INTERNAL_H

#include <config.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <foehn/base.h>
#include <foehn/volume.h>

#include "kernels/shared.h"

/* ---- error.c ---- */

/* Set the thread's error text and return the status. */
foehn_status foehn_fail(foehn_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for an OpenCL code: "what: CL_INVALID_VALUE (-30)".  Out-of-memory codes of the host
 * and device become FOEHN_ERROR_MEMORY, all others FOEHN_ERROR_OPENCL. */
foehn_status foehn_fail_cl(cl_int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *foehn_cl_name(cl_int code);

/* Return on failure; the story was told by whoever failed. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        foehn_status try_status_ = (call);                                                         \
        if (try_status_ != FOEHN_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

/* Go to fail: on failure, with the status in a variable named status. */
#define TRY_OR_FAIL(call)                                                                          \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != FOEHN_OK)                                                                    \
            goto fail;                                                                             \
    } while (0)

/* ---- device.c ---- */

typedef struct foehn_device {
    cl_platform_id platform;
    cl_device_id id;
    foehn_device_info info;
    const char *options; /* that this driver's programs are built with; "" mostly */
} foehn_device;

/* Those options, from what the driver says itself. */
const char *foehn_device_options(const char *platform, cl_device_type type, uint64_t largest);

/* Does the extension string hold the name as a whole word? */
bool foehn_device_lists(cl_device_id id, const char *extension);

/* Is a to be chosen before b? */
bool foehn_device_better(const foehn_device_info *a, const foehn_device_info *b);

/* Around a process's calls that list devices or open them: one thread at a time. */
void foehn_drivers_lock(void);
void foehn_drivers_unlock(void);

/* Choose by spec (NULL: environment, else the best that builds the probe kernel).  context: where
 * the probe ran; the caller's to release. */
foehn_status foehn_device_select(const char *spec, foehn_device *device, cl_context *context,
                                 int *index, size_t reason_size, char *reason);

/* ---- context.c ---- */

/* Kernel text, one string a line; made from kernels/NAME.cl by embed.awk. */
typedef struct foehn_source {
    const char *name;
    const char *const *lines;
    unsigned count;
} foehn_source;

typedef struct foehn_program {
    const foehn_source *source;
    char *options;
    cl_program handle;
    struct foehn_program *next;
} foehn_program;

struct foehn_timer;                           /* context.c */
typedef struct foehn_together foehn_together; /* together.c */

struct foehn_context {
    foehn_device device;
    cl_context handle;
    foehn_together *together; /* whose handle it is; NULL: its own */
    cl_command_queue queue;
    char reason[512];
    bool sleep_in_wait, debug, timing;
    bool shares_gl, gl_events; /* made with the caller's GL context; the drivers order the two */
    char gl_reason[256];       /* why it does not share */
    uint64_t memory;           /* bytes of live buffers */
    uint64_t launches;         /* so far */
    foehn_program *programs;
    struct foehn_timer *timer;
    struct foehn_kernel *fill; /* writes zeros; made on first use */
};

/* Refuse before anything is allocated what the device cannot hold: total bytes over all buffers,
 * and the largest single one. */
foehn_status foehn_memory_check(const foehn_context *ctx, const char *what, uint64_t total,
                                uint64_t largest);

/* A device buffer filled with zeros (which also makes lazy drivers allocate it now). */
foehn_status foehn_buffer_create(foehn_context *ctx, size_t bytes, cl_mem *out);

/* Release a buffer and set it to NULL.  NULL is allowed. */
void foehn_buffer_destroy(foehn_context *ctx, cl_mem *buffer);

/* Fill with zeros. */
foehn_status foehn_buffer_clear(foehn_context *ctx, cl_mem buffer);

/* Copy between host and device; waits. */
foehn_status foehn_buffer_read(foehn_context *ctx, cl_mem buffer, size_t offset, size_t bytes,
                               void *out);
foehn_status foehn_buffer_write(foehn_context *ctx, cl_mem buffer, size_t offset, size_t bytes,
                                const void *in);

/* Copy a box of nx x ny x nz elements between a packed host array and padded device rows. */
typedef struct foehn_box {
    size_t nx, ny, nz;             /* elements */
    size_t element;                /* bytes */
    size_t offset;                 /* of element (0, 0, 0), elements */
    size_t row_pitch, plane_pitch; /* elements */
} foehn_box;
foehn_status foehn_box_read(foehn_context *ctx, cl_mem buffer, foehn_box box, void *out);
foehn_status foehn_box_write(foehn_context *ctx, cl_mem buffer, foehn_box box, const void *in);

/* ---- program.c ---- */

/* Every program is OpenCL C 1.2.  No fast-relaxed-math: it folds tests for NaN away. */
#define FOEHN_COMMON_OPTIONS "-cl-std=CL1.2"

/* The program for (source, options), built at most once a context.  Lives with the context. */
foehn_status foehn_program_get(foehn_context *ctx, const foehn_source *source, const char *options,
                               cl_program *out);

/* A driver's build log with "file:line" for each place "<kernel>:line"; malloc()ed, NULL without
 * memory. */
char *foehn_build_log_places(const foehn_source *source, const char *log);

/* The head of a program's build log as one line, its own lines parted by " | ": drivers put the
 * first error first. */
void foehn_build_log(cl_program program, cl_device_id device, const foehn_source *source,
                     size_t size, char *line);

void foehn_programs_destroy(foehn_context *ctx);

/* A kernel with what is known of it. */
typedef struct foehn_kernel {
    cl_kernel handle;
    char name[40];
    double bytes; /* that one work-item must at least move, for bandwidth figures */
    size_t max_group;
} foehn_kernel;

foehn_status foehn_kernel_create(foehn_context *ctx, const foehn_source *source,
                                 const char *options, const char *name, double bytes,
                                 foehn_kernel *out);
void foehn_kernel_destroy(foehn_kernel *kernel);

/* All of a struct that has nothing but kernels. */
void foehn_kernels_destroy(void *kernels, size_t bytes);

/* ---- launch (context.c) ---- */

typedef struct foehn_arg {
    size_t size;
    const void *value;
} foehn_arg;

typedef struct foehn_size {
    size_t x, y, z;
} foehn_size;

/* Work-items of a launch, and the first one's place, which is not 0 in parts of a box. */
typedef struct foehn_items {
    foehn_size size, from;
} foehn_items;

static inline foehn_items foehn_items_from_0(foehn_size size)
{
    const foehn_items items = {size, {0, 0, 0}};
    return items;
}

/* The same cells by items that take so many of a row each. */
static inline foehn_items foehn_items_in_lanes(foehn_items items, size_t lanes)
{
    const size_t end = (items.from.x + items.size.x + lanes - 1) / lanes;
    items.from.x /= lanes;
    items.size.x = end - items.from.x;
    return items;
}

/* A GPU's work-group for a launch of this size: sides are powers of two, at most `row` along x and
 * `items` in all; along z only where fewer than 128 fill the plane. */
foehn_size foehn_local_size(foehn_size size, size_t row, size_t items);

/* A work-group, halved along x until the kernel can be launched with it. */
foehn_size foehn_fitting_group(const foehn_kernel *kernel, foehn_size group);

/* Enqueue a kernel over work-items, rounded up to whole work-groups of a size that suits the
 * device.  local.x = 0: chosen here; else used as it is.  The only place that sets arguments. */
foehn_status foehn_launch(foehn_context *ctx, const foehn_kernel *kernel, foehn_items items,
                          foehn_size local, unsigned count, const foehn_arg *args);

#define ARG(x)                                                                                     \
    {                                                                                              \
        sizeof(x), &(x)                                                                            \
    }
#define LOCAL_ARG(bytes)                                                                           \
    {                                                                                              \
        (bytes), NULL                                                                              \
    }
#define LAUNCH_ITEMS_LOCAL(ctx, kernel, items, local, ...)                                         \
    foehn_launch((ctx), &(kernel), (items), (local),                                               \
                 sizeof((const foehn_arg[]){__VA_ARGS__}) / sizeof(foehn_arg),                     \
                 (const foehn_arg[]){__VA_ARGS__})
#define LAUNCH_ITEMS(ctx, kernel, items, ...)                                                      \
    LAUNCH_ITEMS_LOCAL(ctx, kernel, items, ((foehn_size){0, 0, 0}), __VA_ARGS__)
#define LAUNCH_LOCAL(ctx, kernel, size, local, ...)                                                \
    LAUNCH_ITEMS_LOCAL(ctx, kernel, foehn_items_from_0(size), local, __VA_ARGS__)
#define LAUNCH(ctx, kernel, size, ...)                                                             \
    LAUNCH_LOCAL(ctx, kernel, size, ((foehn_size){0, 0, 0}), __VA_ARGS__)

/* ---- grid.c ---- */

/* Padded layout of nx x ny x nz cells: see kernels/grid.h. */
foehn_grid foehn_grid_make(int nx, int ny, int nz, float hx, float hy, float hz);

/* Elements of a padded field. */
size_t foehn_grid_elements(const foehn_grid *g);

/* Elements of a field of columns, the element of cell (i, j, k) and that of column (i, k): at() and
 * column() of kernels/grid.h. */
size_t foehn_grid_columns(const foehn_grid *g);
size_t foehn_grid_at(const foehn_grid *g, int i, int j, int k);
size_t foehn_grid_column(const foehn_grid *g, int i, int k);

/* Items of a launch over cells and ghosts. */
foehn_size foehn_grid_padded(const foehn_grid *g);

/* Of a launch over cells or faces from (0, 0, 0) on, those of this part's own cells and of `layers`
 * around them, or (negative) without so many; all, where the box is not cut. */
foehn_items foehn_grid_own(const foehn_grid *g, foehn_size size, int layers);

/* Its interior as a box of 4-byte elements. */
foehn_box foehn_grid_box(const foehn_grid *g, size_t element);

/* Options that a program over this grid is built with ("" or "-DFOEHN_INDEX64"). */
const char *foehn_grid_options(const foehn_grid *g);

/* A field: cleared buffer of one element a padded cell. */
foehn_status foehn_field_create(foehn_context *ctx, const foehn_grid *g, size_t element,
                                cl_mem *out);

/* ---- params.c ---- */

/* The first line of every params_init: fill at most size bytes of *params with defaults. */
void foehn_params_fill(void *params, size_t size, const void *defaults, size_t full);

/* The head of every take_params: over *params, which hold defaults, what the caller gave; members
 * that an old caller does not know keep their defaults.  given may be NULL.  name:
 * "foehn_wind_params". */
foehn_status foehn_params_take(void *params, const void *given, const char *name);

/* ---- checksums ---- */

#define FOEHN_HASH_BASIS UINT64_C(0xcbf29ce484222325)

/* FNV-1a over words of 8 bytes, the last padded with zeros: finds damage, not intent. */
static inline uint64_t foehn_hash(uint64_t value, size_t count, const void *bytes)
{
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + i, count - i < 8 ? count - i : 8);
        value = (value ^ word) * UINT64_C(0x100000001b3);
        value ^= value >> 32;
    }
    return value;
}

/* ---- lib/device/together.c ---- */

/* In the place of ctx->handle the OpenCL context that contexts with this list of devices share,
 * where one can hold them.  Under the drivers' lock. */
foehn_status foehn_context_join(foehn_context *ctx, const char *devices);
foehn_status foehn_context_join_queue(foehn_context *ctx); /* of those on this device */
void foehn_context_part(foehn_context *ctx);

/* ---- lib/device/gl_sharing.c ---- */

/* Put another OpenCL context in the place of ctx->handle, beside the caller's GL context, where the
 * device lists cl_khr_gl_sharing and drives that context.  Sets shares_gl, gl_events and gl_reason.
 */
void foehn_context_share_gl(foehn_context *ctx, const foehn_context_params *params);

/* ---- volume.c ---- */

/* Can it take nx x ny x nz cells of this context? */
foehn_status foehn_volume_check(const foehn_volume *volume, const foehn_context *ctx, int nx,
                                int ny, int nz);

/* Around the pass that writes the next content: the slot, a buffer of half4, and what it holds
 * then, or the status with which that pass failed, which is returned and gives the content up. */
foehn_status foehn_volume_begin(foehn_volume *volume, const foehn_context *ctx, int nx, int ny,
                                int nz, cl_mem *slot);
foehn_status foehn_volume_end(foehn_volume *volume, const foehn_volume_info *info,
                              foehn_status written);

/* Around a command that reads the newest content, likewise. */
foehn_status foehn_volume_begin_reading(foehn_volume *volume);
foehn_status foehn_volume_end_reading(foehn_volume *volume, foehn_status read);

/* Memory of a renderer's that voxels are written straight into. */
typedef struct foehn_sink {
    void *owner;
    /* A buffer for the next content; *slot = NULL: all are in use, take one of the volume's. */
    foehn_status (*choose)(void *owner, cl_mem *slot);
    /* Before and after the device touches one of them, enqueued.  written: it holds the newest
     * content now. */
    foehn_status (*acquire)(void *owner, cl_mem slot);
    foehn_status (*release)(void *owner, cl_mem slot, bool written);
} foehn_sink;

/* NULL: none any more; the newest content moves to a slot of the volume's.  A volume has one sink
 * at most: false if it has another one already. */
bool foehn_volume_set_sink(foehn_volume *volume, const foehn_sink *sink);

/* What adapters need to know of the newest content. */
typedef struct foehn_newest {
    foehn_context *ctx;
    cl_mem buffer;
    size_t bytes;
    uint64_t number; /* contents so far; 0: none yet */
    bool is_sunk;    /* buffer is the sink's */
    foehn_volume_info info;
} foehn_newest;
foehn_newest foehn_volume_newest(const foehn_volume *volume);

#endif
