/* SPDX-License-Identifier: MIT */
/* Every call to the driver and the allocator made to fail in turn: nothing leaks, nothing crashes,
 * and the failure has a status and a story.
 *
 * The linker sends the calls through the __wrap functions below (--wrap in Makefile.am).  They
 * count what is alive, and make the n-th call of one kind fail. */
#include "testing.h"

typedef enum call {
    GET_PLATFORMS,
    GET_DEVICES,
    CREATE_CONTEXT,
    CREATE_QUEUE,
    CREATE_PROGRAM,
    BUILD_PROGRAM,
    CREATE_KERNEL,
    CREATE_BUFFER,
    CREATE_SUB_BUFFER,
    SET_ARG,
    LAUNCH_KERNEL,
    READ,
    WRITE,
    READ_BOX,
    WRITE_BOX,
    COPY,
    MARKER,
    FINISH,
    ALLOCATE,
    CALLS
} call;

static const char *const call_names[CALLS] = {"clGetPlatformIDs",
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

typedef struct alive {
    long contexts, queues, programs, kernels, buffers, events;
} alive;

static alive live;
static long calls[CALLS], waits;
static call victim = CALLS; /* CALLS: none */
static long nth;
static bool failed;
static long told; /* failures that reached the caller */

static void arm(call which, long n)
{
    memset(calls, 0, sizeof calls);
    failed = false;
    nth = n;
    victim = which;
}

static void disarm(void)
{
    victim = CALLS;
}

static bool fails(call which)
{
    calls[which]++;
    if (which != victim || calls[which] != nth)
        return false;
    failed = true;
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
        live.kind += made != NULL;                                                                 \
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
    live.events += code == CL_SUCCESS && event;
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
    waits += blocking;
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
    waits += blocking;
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
    waits += blocking;
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
    waits += blocking;
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
    waits++; /* the library marks the queue only in order to wait */
    return count_event(__real_clEnqueueMarkerWithWaitList(queue, count, list, event), event);
}

WRAP(cl_int, clFinish, (cl_command_queue queue))
{
    waits++;
    cl_int code = __real_clFinish(queue); /* also when it fails: nothing may run on */
    return fails(FINISH) ? CL_OUT_OF_RESOURCES : code;
}

WRAP(cl_int, clWaitForEvents, (cl_uint count, const cl_event *list))
{
    waits++;
    return __real_clWaitForEvents(count, list);
}

#define RELEASE(function, type, kind)                                                              \
    WRAP(cl_int, function, (type object))                                                          \
    {                                                                                              \
        live.kind--;                                                                               \
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

/* ---- a life ---- */

enum { NX = 5, NY = 3, NZ = 4, CELLS = NX * NY * NZ };

typedef struct things {
    foehn_context *ctx;
    foehn_wind *wind;
    foehn_fire *fire;
    foehn_volume *volume;
    uint16_t halves[4 * CELLS];
    float field[4 * CELLS], points[4], fire_field[3 * 64], pixels[8 * 6 * 4];
    char checkpoint[40000];
} things;

/* Everything the library does, once.  Ends with the first failure. */
static foehn_wind_scheme scheme; /* of the wind that lives */

static foehn_status live_once(things *t, bool watched)
{
    static const float heights[4] = {0, 3, 2, 5};
    const foehn_terrain terrain = {
        .nx = 2, .nz = 2, .origin = {-8, -8}, .spacing = {16, 16}, .heights = heights};
    const double center[3] = {9, 6, -5}, point[3] = {0, 10, 0};
    foehn_context_params params = foehn_context_params_default();
    params.timing = params.sleep_in_wait = params.debug = watched;
    foehn_wind_params w = foehn_wind_params_default();
    w.scheme = scheme;
    w.advection =
        scheme == FOEHN_WIND_STAGGERED ? FOEHN_WIND_MACCORMACK : FOEHN_WIND_SEMI_LAGRANGIAN;
    w.nx = NX;
    w.ny = NY;
    w.nz = NZ;
    w.sweeps = 2;
    w.sides = FOEHN_WIND_SIDES_PERIODIC;
    foehn_wind_stats stats;
    foehn_snapshot snapshot;
    foehn_timing rows[4];
    size_t count;
    double seconds;
    TRY(foehn_context_create(&params, &t->ctx));
    TRY(foehn_wind_create(t->ctx, &w, &t->wind));
    TRY(foehn_volume_create(t->ctx, NX, NY, NZ, &t->volume));
    TRY(foehn_volume_set_snapshots(t->volume, 0));
    TRY(foehn_wind_set_terrain(t->wind, &terrain));
    TRY(foehn_wind_step(t->wind, 0.1f));
    TRY(foehn_wind_set_averaging(t->wind, 1));
    TRY(foehn_wind_set_measuring(t->wind, 1));
    TRY(foehn_wind_step(t->wind, 0.1f));
    TRY(foehn_wind_step(t->wind, 0.1f));
    TRY(foehn_wind_set_center(t->wind, center));
    TRY(foehn_wind_step(t->wind, 0.1f));
    TRY(foehn_wind_write_volume(t->wind, t->volume));
    TRY(foehn_wind_step_and_write_volume(t->wind, 0.1f, t->volume));
    TRY(foehn_volume_get_snapshot(t->volume, &snapshot));
    TRY(foehn_volume_read_halves(t->volume, t->halves));
    TRY(foehn_volume_read_floats(t->volume, t->field));
    TRY(foehn_wind_read_ground(t->wind, t->field));
    for (int f = FOEHN_WIND_U; f <= FOEHN_WIND_STD_SPEED; f++)
        TRY(foehn_wind_read(t->wind, (foehn_wind_field)f, t->field));
    TRY(foehn_wind_write(t->wind, FOEHN_WIND_CURL, t->field));
    TRY(foehn_wind_read_points(t->wind, 0, 1, point, t->points));
    TRY(foehn_wind_step(t->wind, 0.1f));
    TRY(foehn_wind_read_stats(t->wind, &stats));
    size_t size = foehn_wind_get_checkpoint_size(t->wind);
    if (size > sizeof t->checkpoint) /* no assertion here: Check allocates in them */
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint of %zu bytes", size);
    TRY(foehn_wind_read_checkpoint(t->wind, size, t->checkpoint));
    TRY(foehn_wind_write_checkpoint(t->wind, size, t->checkpoint));
    TRY(foehn_context_get_timings(t->ctx, 4, rows, &count));
    TRY(foehn_context_get_device_time(t->ctx, &seconds));
    TRY(foehn_context_set_timing(t->ctx, !watched));
    return foehn_context_wait(t->ctx);
}

/* What else a fire has: emitters, colliders, wind, pictures, a volume, a checkpoint. */
static foehn_status furnish(things *t)
{
    static const float points[4][3] = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0.1f, 0}, {0, 0, 0.1f}};
    static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const foehn_fire_emitter emitter = {4, points, 2};
    const foehn_fire_mesh mesh = {4, points, 4, faces, 0.05};
    const foehn_fire_wind wind = {1, 1, 1, points};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    foehn_fire_collider collider = foehn_fire_collider_default();
    int index;
    for (int n = 0; n < 2; n++) {
        TRY(foehn_fire_add_emitter(t->fire, &emitter, &index));
        proxy.pose.position[1] = 0.1 + 0.1 * n;
        proxy.velocity[0] = (float)n;
        TRY(foehn_fire_set_proxy(t->fire, index, n, &proxy));
    }
    for (int a = 0; a < 3; a++)
        collider.half[a] = 0.06;
    TRY(foehn_fire_set_mesh(t->fire, 0, &mesh));
    TRY(foehn_fire_set_collider(t->fire, FOEHN_FIRE_MESH, 0, &collider));
    TRY(foehn_fire_set_collider(t->fire, FOEHN_FIRE_BOX, 0, &collider));
    return foehn_fire_set_wind(t->fire, &wind);
}

/* Everything a fire does, once. */
static foehn_status burn_once(things *t, bool watched)
{
    static float background[8 * 6][4], depth[8 * 6];
    foehn_context_params params = foehn_context_params_default();
    params.timing = params.sleep_in_wait = params.debug = watched;
    foehn_fire_params f = foehn_fire_params_default();
    foehn_fire_picture picture = foehn_fire_picture_default();
    foehn_fire_measures measures;
    f.size[0] = f.size[1] = f.size[2] = 0.4;
    f.pose.position[1] = 0.2;
    f.render_voxel = f.physics_voxel = 0.1;
    f.account = 1;
    f.turbulence = 0; /* its field takes a second to make */
    f.layout = (foehn_fire_layout)(scheme == FOEHN_WIND_STAGGERED);
    f.pressure = (foehn_fire_pressure)(scheme == FOEHN_WIND_STAGGERED);
    f.velocity_transport = f.dye_transport = (foehn_fire_transport)(scheme == FOEHN_WIND_STAGGERED);
    picture.width = 8;
    picture.height = 6;
    picture.background = (const float(*)[4])background;
    picture.depth = depth;
    picture.draw_colliders = 1;
    TRY(foehn_context_create(&params, &t->ctx));
    TRY(foehn_fire_create(t->ctx, &f, &t->fire));
    TRY(foehn_volume_create(t->ctx, 4, 4, 4, &t->volume));
    TRY(furnish(t));
    TRY(foehn_fire_update(t->fire, 0.1));
    TRY(foehn_fire_write_volume(t->fire, FOEHN_FIRE_LAYER_DYE, t->volume));
    TRY(foehn_fire_read_picture(t->fire, &picture, FOEHN_FIRE_FLOATS, t->pixels));
    picture.background = NULL;
    TRY(foehn_fire_draw(t->fire, &picture));
    for (int n = 0; n < FOEHN_FIRE_FIELDS; n++)
        TRY(foehn_fire_read(t->fire, (foehn_fire_field)n, t->fire_field));
    TRY(foehn_fire_write(t->fire, FOEHN_FIRE_VELOCITY, t->fire_field));
    TRY(foehn_fire_write(t->fire, FOEHN_FIRE_TINT, t->fire_field));
    TRY(foehn_fire_read_measures(t->fire, &measures));
    size_t size = foehn_fire_get_checkpoint_size(t->fire);
    if (size > sizeof t->checkpoint)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint of %zu bytes", size);
    TRY(foehn_fire_read_checkpoint(t->fire, size, t->checkpoint));
    TRY(foehn_fire_write_checkpoint(t->fire, size, t->checkpoint));
    TRY(foehn_fire_restart(t->fire));
    return foehn_context_wait(t->ctx);
}

static foehn_status (*life)(things *, bool) = live_once; /* that is led */

/* The n-th call of a kind fails.  Returns false when there is no n-th call. */
static bool one_failure(call which, long n, bool watched)
{
    static things t;
    memset(&t, 0, sizeof t);
    alive before = live;
    foehn_fail(FOEHN_ERROR_ARGUMENT, "nothing was said");
    arm(which, n);
    foehn_status status = life(&t, watched);
    disarm();
    uint64_t left = 0;
    foehn_volume_destroy(t.volume);
    foehn_wind_destroy(t.wind);
    foehn_fire_destroy(t.fire);
    if (t.ctx)
        left = foehn_context_get_memory(t.ctx);
    foehn_context_destroy(t.ctx);
    if (!failed) {
        ck_assert_msg(status == FOEHN_OK, "%s: %s", foehn_status_name(status), foehn_last_error());
        ck_assert(memcmp(&before, &live, sizeof live) == 0);
        return false;
    }
    const char *story = foehn_last_error();
    ck_assert_msg(left == 0, "%s, call %ld: %llu bytes are still counted", call_names[which], n,
                  (unsigned long long)left);
    ck_assert_msg(memcmp(&before, &live, sizeof live) == 0,
                  "%s, call %ld: left over: %ld contexts, %ld queues, %ld programs, %ld kernels, "
                  "%ld buffers, %ld events (%s)",
                  call_names[which], n, live.contexts - before.contexts,
                  live.queues - before.queues, live.programs - before.programs,
                  live.kernels - before.kernels, live.buffers - before.buffers,
                  live.events - before.events, story);
    /* There is another way to wait, and the probe and destroy() have nobody to tell; a device is
     * described without the memory to list its extensions. */
    if (status == FOEHN_OK && (which == MARKER || which == FINISH || which == ALLOCATE))
        return true;
    told++;
    ck_assert_msg(status == FOEHN_ERROR_MEMORY || status == FOEHN_ERROR_DEVICE ||
                      status == FOEHN_ERROR_OPENCL || status == FOEHN_ERROR_BUILD,
                  "%s, call %ld: status %s: %s", call_names[which], n, foehn_status_name(status),
                  story);
    ck_assert_msg(strstr(story, "CL_") || strstr(story, "no host memory") ||
                      strstr(story, "no OpenCL driver") || strstr(story, "offered no device"),
                  "%s, call %ld: %s", call_names[which], n, story);
    return true;
}

/* All calls of a kind, one after another; of arguments, launches and waits, which are many and
 * alike, the first twenty and some of the others. */
static void fail_each(call which, bool watched)
{
    const bool many =
        which == SET_ARG || which == LAUNCH_KERNEL || which == FINISH || which == MARKER;
    for (int staggered = 0; staggered < 2; staggered++) {
        long n = 1, tried = 0;
        scheme = staggered ? FOEHN_WIND_STAGGERED : FOEHN_WIND_COLLOCATED;
        told = 0;
        while (one_failure(which, n, watched)) {
            tried++;
            n += testing_is_tiny() ? 1 + n / 2
                 : many && n > 20  ? 1 + n / 8
                 : n > 60          ? 1 + n / 16
                                   : 1;
        }
        testing_report("%s%s, %s: %ld of %ld calls made to fail, %ld told", call_names[which],
                       watched ? " (timed, asleep, debugged)" : "",
                       staggered ? "staggered" : "collocated", tried, n - 1, told);
        bool unused = !staggered && (which == CREATE_SUB_BUFFER || which == COPY);
        ck_assert(told > 0 || which == MARKER || unused);
    }
}

START_TEST(a_failing_call_leaks_nothing_and_says_why)
{
    fail_each((call)_i, false);
}
END_TEST

/* Allocations all in turn, other calls in part. */
START_TEST(a_failing_call_of_a_fire_leaks_nothing_and_says_why)
{
    const call of_interest[] = {CREATE_BUFFER, ALLOCATE,      WRITE,        READ,
                                COPY,          LAUNCH_KERNEL, CREATE_KERNEL};
    life = burn_once;
    ck_assert(!one_failure(CALLS, 0, false));
    for (int staggered = 0; staggered < 2; staggered++) {
        call which = of_interest[_i];
        long n = 1, tried = 0;
        scheme = staggered ? FOEHN_WIND_STAGGERED : FOEHN_WIND_COLLOCATED;
        while (one_failure(which, n, false)) {
            tried++;
            n += testing_is_tiny() ? 1 + n / 2 : which != CREATE_BUFFER && n > 10 ? 1 + n / 4 : 1;
        }
        testing_report("%s, %s fire: %ld of %ld calls made to fail", call_names[which],
                       staggered ? "staggered" : "collocated", tried, n - 1);
        ck_assert(tried > 0);
    }
    life = live_once;
}
END_TEST

START_TEST(a_failing_call_leaks_nothing_while_timed_and_watched)
{
    const call of_interest[] = {CREATE_QUEUE, LAUNCH_KERNEL, MARKER, FINISH, ALLOCATE};
    fail_each(of_interest[_i], true);
}
END_TEST

START_TEST(a_whole_life_leaves_nothing)
{
    ck_assert(!one_failure(CALLS, 0, false));
    ck_assert(!one_failure(CALLS, 0, true));
}
END_TEST

/* ---- who says what ---- */

START_TEST(a_device_that_cannot_build_is_passed_over_by_name)
{
    foehn_context *ctx;
    int index;
    arm(BUILD_PROGRAM, 1);
    foehn_status status = foehn_context_create(NULL, &ctx);
    disarm();
    ck_assert_ptr_null(ctx);
    ck_assert_int_eq(status, FOEHN_ERROR_DEVICE);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "probe kernel failed"));
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), context->device.info.name));
    arm(GET_PLATFORMS, 1);
    status = foehn_device_choose(NULL, &index, 0, NULL);
    disarm();
    ck_assert_int_eq(status, FOEHN_ERROR_DEVICE);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "no OpenCL driver"));
    arm(GET_DEVICES, 1);
    status = foehn_device_choose(NULL, &index, 0, NULL);
    disarm();
    ck_assert_int_eq(status, FOEHN_ERROR_DEVICE);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "offered no device"));
}
END_TEST

START_TEST(a_kernel_that_fails_is_named)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    foehn_wind *w;
    params.nx = params.ny = params.nz = 4;
    OK(foehn_wind_create(context, &params, &w));
    arm(LAUNCH_KERNEL, 2);
    foehn_status status = foehn_wind_step(w, 0.1f);
    disarm();
    ck_assert(status != FOEHN_OK && failed);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "kernel advect"));
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "CL_OUT_OF_RESOURCES"));
    foehn_wind_destroy(w);
}
END_TEST

/* ---- what must not be called ---- */

START_TEST(steps_publication_and_snapshots_never_wait)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    foehn_wind *w;
    foehn_volume *volume;
    foehn_snapshot snapshot;
    params.nx = NX;
    params.ny = NY;
    params.nz = NZ;
    OK(foehn_wind_create(context, &params, &w));
    OK(foehn_volume_create(context, NX, NY, NZ, &volume));
    OK(foehn_volume_set_snapshots(volume, 0));
    OK(foehn_context_wait(context));
    arm(CALLS, 0);
    long before = waits;
    for (int n = 0; n < 20; n++) {
        double center[3] = {n * 3.0, 0, n * -5.0};
        foehn_wind_state state = {.u10 = (float)n, .from = 10, .gustiness = 0.5f};
        OK(foehn_wind_set_center(w, center));
        OK(foehn_wind_set_state(w, &state));
        OK(foehn_wind_step(w, 0.1f));
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_volume_get_snapshot(volume, &snapshot));
    }
    ck_assert_int_eq(waits, before);
    ck_assert_int_eq(calls[CREATE_BUFFER], 0);
    ck_assert_int_eq(calls[CREATE_KERNEL], 0);
    ck_assert_int_ge(calls[READ], 1); /* snapshots, in the background */
    OK(foehn_context_wait(context));
    ck_assert_int_gt(waits, before);
    foehn_volume_destroy(volume);
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(an_update_of_a_fire_never_waits)
{
    foehn_fire_params params = foehn_fire_params_default();
    foehn_fire *fire;
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    foehn_fire_collider collider = foehn_fire_collider_default();
    static const float points[1][3] = {{0, 0, 0}};
    const foehn_fire_emitter emitter = {1, points, 1};
    int index;
    params.size[0] = params.size[1] = params.size[2] = 0.8;
    OK(foehn_fire_create(context, &params, &fire));
    OK(foehn_fire_add_emitter(fire, &emitter, &index));
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &collider));
    OK(foehn_fire_step(fire));
    OK(foehn_context_wait(context));
    arm(CALLS, 0);
    long before = waits;
    for (int n = 0; n < 3; n++) { /* everything moves; uploads have slots of their own */
        proxy.pose.position[0] = 0.01 * n;
        collider.pose.position[0] = 0.01 * n;
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &collider));
        OK(foehn_fire_update(fire, 1.0 / 30));
    }
    ck_assert_int_eq(waits, before);
    ck_assert_int_eq(calls[CREATE_BUFFER], 0);
    ck_assert_int_eq(calls[CREATE_KERNEL], 0);
    ck_assert_int_eq(calls[READ], 0);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(what_does_not_fit_is_refused_before_anything_is_allocated)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    foehn_wind *w;
    foehn_volume *volume;
    params.nx = params.ny = params.nz = 4096;
    arm(CALLS, 0);
    ck_assert_int_eq(foehn_wind_create(context, &params, &w), FOEHN_ERROR_MEMORY);
    ck_assert_int_eq(foehn_volume_create(context, 4096, 4096, 4096, &volume), FOEHN_ERROR_MEMORY);
    ck_assert_int_eq(calls[CREATE_BUFFER], 0);
    ck_assert_int_eq(calls[LAUNCH_KERNEL], 0);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("failures", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, a_whole_life_leaves_nothing);
    tcase_add_loop_test(tests, a_failing_call_leaks_nothing_and_says_why, 0, CALLS);
    tcase_add_loop_test(tests, a_failing_call_of_a_fire_leaks_nothing_and_says_why, 0, 7);
    tcase_add_loop_test(tests, a_failing_call_leaks_nothing_while_timed_and_watched, 0, 5);
    tcase_add_test(tests, a_device_that_cannot_build_is_passed_over_by_name);
    tcase_add_test(tests, a_kernel_that_fails_is_named);
    tcase_add_test(tests, steps_publication_and_snapshots_never_wait);
    tcase_add_test(tests, an_update_of_a_fire_never_waits);
    tcase_add_test(tests, what_does_not_fit_is_refused_before_anything_is_allocated);
    return testing_end();
}
