/* SPDX-License-Identifier: MIT */
/** Status codes, version, devices and the context that owns a device queue.
 *
 *  Conventions of every foehn header, said once:
 *  - SI units.  World axes: X east, Y up, Z south (right-handed).
 *  - Arguments come as: the object, then inputs, then outputs; a count precedes its array.
 *  - Pointers must not be NULL unless the comment says so.
 *  - create() sets *out to NULL when it fails and keeps nothing.  destroy(NULL) is allowed.
 *  - destroy() waits for the device to finish the object's work.
 *  - A context and all objects made from it belong to one thread at a time.  Different contexts
 *    may be made and used from different threads.  Fork before the first foehn call or not at all:
 *    OpenCL drivers do not survive a fork.
 *  - The library prints nothing, opens no file and never exits the process. */
#ifndef FOEHN_BASE_H
#define FOEHN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && __GNUC__ >= 4
#define FOEHN_API __attribute__((visibility("default")))
#define FOEHN_MUST_CHECK __attribute__((warn_unused_result))
#else
#define FOEHN_API
#define FOEHN_MUST_CHECK
#endif

/** Version of these headers. */
#define FOEHN_VERSION_MAJOR 0
#define FOEHN_VERSION_MINOR 1
#define FOEHN_VERSION_PATCH 0

/** Version of the library that runs, "major.minor.patch". */
FOEHN_API const char *foehn_version(void);

/** What a call returns.  Each code is a different thing for the caller to do. */
typedef enum foehn_status {
    FOEHN_OK = 0,
    FOEHN_ERROR_ARGUMENT = 1, /**< fix the argument; the object is unchanged */
    FOEHN_ERROR_MEMORY = 2,   /**< ask for less; nothing was allocated */
    FOEHN_ERROR_DEVICE = 3,   /**< install a driver or choose another device */
    FOEHN_ERROR_OPENCL = 4,   /**< the device failed; destroy the object */
    FOEHN_ERROR_BUILD = 5,    /**< a kernel does not build there; choose another device */
    FOEHN_ERROR_UNSTABLE = 6, /**< the numbers blew up; use a smaller step and start again */
    FOEHN_ERROR_PART = 7 /**< another part of the box has failed (domain.h); destroy the object */
} foehn_status;

/** Short name of a status, such as "argument".  Never NULL. */
FOEHN_API const char *foehn_status_name(foehn_status status);

/** What the last failed call of this thread has to say, for a person to read: what, which value,
 *  and the way out.  Valid until the next failing call of this thread; "" when none failed. */
FOEHN_API const char *foehn_last_error(void);

typedef enum foehn_device_type {
    FOEHN_DEVICE_OTHER = 0,
    FOEHN_DEVICE_CPU = 1,
    FOEHN_DEVICE_GPU = 2
} foehn_device_type;

/** What is known of one OpenCL device without using it. */
typedef struct foehn_device_info {
    size_t struct_size; /**< set by the caller to sizeof(foehn_device_info) */
    char name[128];     /**< as the driver gives it */
    char platform[128]; /**< name of its platform */
    char vendor[128];   /**< as the driver gives it */
    char driver[128];   /**< driver version */
    char version[128];  /**< OpenCL version of the device */
    foehn_device_type type;
    uint32_t compute_units;
    uint32_t clock_mhz;
    uint64_t memory_bytes;             /**< global memory, bytes */
    uint64_t largest_allocation_bytes; /**< one buffer at most, bytes */
    uint64_t local_memory_bytes;       /**< memory of one work-group, bytes */
    uint32_t largest_work_group;       /**< work-items */
    int gl_sharing;                    /**< lists cl_khr_gl_sharing */
    int external_memory;               /**< lists cl_khr_external_memory with opaque fds */
    int external_semaphore;            /**< lists cl_khr_external_semaphore with opaque fds */
    int image_writes_3d;               /**< lists cl_khr_3d_image_writes */
} foehn_device_info;

/** List the devices of all platforms, in one flat numbering.
 *
 *  capacity  elements that infos holds; 0 only counts
 *  infos     may be NULL when capacity is 0; struct_size of the first element must be set
 *  count     how many there are, which may be more than capacity; 0 is no failure
 *  Returns   FOEHN_OK, FOEHN_ERROR_ARGUMENT, or FOEHN_ERROR_OPENCL when a driver fails to answer */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_devices_get(size_t capacity, foehn_device_info *infos,
                                                          size_t *count);

/** Which device a context made with this spec would use, and why.  Builds a probe kernel.
 *
 *  spec         an index, "cpu", "gpu", or part of a name; NULL: $FOEHN_DEVICE, else the best
 *  index        its number in foehn_devices_get()
 *  reason_size  bytes that reason holds; 0 for none
 *  reason       text for a person, cut to fit
 *  Returns      FOEHN_OK or FOEHN_ERROR_DEVICE; the last error then says what to install */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_device_choose(const char *spec, int *index,
                                                            size_t reason_size, char *reason);

/** A device, its queue, and the kernels built for it. */
typedef struct foehn_context foehn_context;

/** The window system that a GL context belongs to. */
typedef enum foehn_gl_system {
    FOEHN_GL_SYSTEM_NONE = 0,
    FOEHN_GL_SYSTEM_EGL = 1,
    FOEHN_GL_SYSTEM_GLX = 2,
    FOEHN_GL_SYSTEM_WGL = 3
} foehn_gl_system;

typedef struct foehn_context_params {
    size_t struct_size; /**< set by foehn_context_params_default(); leave alone */
    const char *device; /**< as spec of foehn_device_choose(); default NULL */
    int timing;         /**< 1: time every kernel (foehn_context_get_timings); default 0 */
    int sleep_in_wait;  /**< 1: sleep while waiting; some drivers spin a core at 100 % otherwise;
                           default 0 */
    int debug;          /**< 1: wait after each launch, so that a failure names its kernel; default
                             $FOEHN_DEBUG, else 0 */
    /* To share textures with a GL context where the device lists cl_khr_gl_sharing; set by
     * foehn_context_params_set_gl() of gl.h, or by hand.  The device is chosen without regard to
     * it; where the two do not go together textures are copied: foehn_gl_info.reason says why. */
    foehn_gl_system gl_system; /**< default FOEHN_GL_SYSTEM_NONE: do not share */
    void *gl_display;          /**< EGLDisplay, X11 Display * or HDC; default NULL */
    void *gl_context;          /**< EGLContext, GLXContext or HGLRC, current in this thread and
                                    alive as long as the foehn context; default NULL */
    /** Of contexts for parts of one box in one process (foehn/domain.h): the devices of all of
     * them, as spec of foehn_device_choose(), separated by commas.  Contexts with the same list are
     * made in one OpenCL context where the driver lets them, and the parts' bytes go from device to
     * device, not through the host.  Not with a GL context.  Default NULL */
    const char *devices;
} foehn_context_params;

FOEHN_API void foehn_context_params_init(foehn_context_params *params, size_t size);
static inline foehn_context_params foehn_context_params_default(void)
{
    foehn_context_params params;
    foehn_context_params_init(&params, sizeof params);
    return params;
}

/** Open a device.
 *
 *  params   NULL for the defaults; nothing of it is referred to after the return
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  struct_size is 0
 *           FOEHN_ERROR_DEVICE    no device, none that matches, or none that builds a kernel
 *           FOEHN_ERROR_OPENCL    the driver refused a context or a queue */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_create(const foehn_context_params *params,
                                                             foehn_context **out);

/** Destroy a context after all objects made from it.  NULL is allowed. */
FOEHN_API void foehn_context_destroy(foehn_context *ctx);

/** What the context runs on.  info->struct_size must be set. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_get_device(const foehn_context *ctx,
                                                                 foehn_device_info *info);

/** Why this device was chosen; lives as long as the context. */
FOEHN_API const char *foehn_context_get_reason(const foehn_context *ctx);

/** Bytes of device memory that the context's objects hold now. */
FOEHN_API uint64_t foehn_context_get_memory(const foehn_context *ctx);

/** Wait until the device has done all that was asked of it. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_wait(foehn_context *ctx);

/** Device time of one kernel since timing was switched on. */
typedef struct foehn_timing {
    char kernel[40];
    uint64_t launches;
    double seconds; /**< sum over launches, on the device's own clock */
    double bytes;   /**< sum over launches of the bytes the kernel must at least move */
} foehn_timing;

/** Switch the timing of kernels on or off, and forget what was timed.  Waits for the queue. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_set_timing(foehn_context *ctx, int on);

/** The timings so far, a row per kernel in the order of first launch.  Waits for the queue.
 *
 *  capacity  rows that timings holds
 *  count     how many there are, which may be more */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_get_timings(foehn_context *ctx,
                                                                  size_t capacity,
                                                                  foehn_timing *timings,
                                                                  size_t *count);

/** Device seconds spent since this was last asked (or timing was switched on).  Waits for the
 *  queue.  0 while timing is off. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_get_device_time(foehn_context *ctx,
                                                                      double *seconds);

/** Launches enqueued since the context was made, timed or not. */
FOEHN_API uint64_t foehn_context_get_launches(const foehn_context *ctx);

/** How fast the device copies: the measure of every pass that is bound by memory.  The better of a
 *  kernel with 4 and one with 16 bytes a work-item, the best of several runs.  Waits; timings of
 *  the context stay as they are.
 *
 *  bytes             to copy; > 0, rounded up to whole 64 KiB; twice that is allocated meanwhile
 *  bytes_per_second  read and written together
 *  Returns           FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY, FOEHN_ERROR_BUILD,
 *                    FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_context_measure_copy(foehn_context *ctx,
                                                                   uint64_t bytes,
                                                                   double *bytes_per_second);

#ifdef __cplusplus
}
#endif
#endif
