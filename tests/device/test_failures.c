/* SPDX-License-Identifier: MIT */
/* Every call to the driver and the allocator made to fail in turn: nothing leaks, nothing crashes,
 * and the failure has a status and a story. */
#include "device/failing_calls.h"

static long told; /* failures that reached the caller */

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

static size_t devices(void)
{
    size_t count = 0;
    OK(foehn_devices_get(0, NULL, &count));
    return count;
}

/* The n-th call of a kind fails.  Returns false when there is no n-th call. */
static bool one_failure(call which, long n, bool watched)
{
    static things t;
    memset(&t, 0, sizeof t);
    alive before = failing_live;
    foehn_fail(FOEHN_ERROR_ARGUMENT, "nothing was said");
    failing_arm(which, n);
    foehn_status status = life(&t, watched);
    failing_disarm();
    uint64_t left = 0;
    foehn_volume_destroy(t.volume);
    foehn_wind_destroy(t.wind);
    foehn_fire_destroy(t.fire);
    if (t.ctx)
        left = foehn_context_get_memory(t.ctx);
    foehn_context_destroy(t.ctx);
    if (!failing_happened) {
        ck_assert_msg(status == FOEHN_OK, "%s: %s", foehn_status_name(status), foehn_last_error());
        ck_assert(memcmp(&before, &failing_live, sizeof failing_live) == 0);
        return false;
    }
    const char *story = foehn_last_error();
    ck_assert_msg(left == 0, "%s, call %ld: %llu bytes are still counted", failing_names[which], n,
                  (unsigned long long)left);
    ck_assert_msg(memcmp(&before, &failing_live, sizeof failing_live) == 0,
                  "%s, call %ld: left over: %ld contexts, %ld queues, %ld programs, %ld kernels, "
                  "%ld buffers, %ld events (%s)",
                  failing_names[which], n, failing_live.contexts - before.contexts,
                  failing_live.queues - before.queues, failing_live.programs - before.programs,
                  failing_live.kernels - before.kernels, failing_live.buffers - before.buffers,
                  failing_live.events - before.events, story);
    /* There is another way to wait, and the probe and destroy() have nobody to tell; a device is
     * described without the memory to list its extensions. */
    if (status == FOEHN_OK && (which == MARKER || which == FINISH || which == ALLOCATE))
        return true;
    /* Where there are others, a driver or device that fails is passed over. */
    if (status == FOEHN_OK && (which == GET_DEVICES || which == BUILD_PROGRAM) && devices() > 1)
        return true;
    told++;
    ck_assert_msg(status == FOEHN_ERROR_MEMORY || status == FOEHN_ERROR_DEVICE ||
                      status == FOEHN_ERROR_OPENCL || status == FOEHN_ERROR_BUILD,
                  "%s, call %ld: status %s: %s", failing_names[which], n, foehn_status_name(status),
                  story);
    ck_assert_msg(strstr(story, "CL_") || strstr(story, "no host memory") ||
                      strstr(story, "no OpenCL driver") || strstr(story, "offered no device"),
                  "%s, call %ld: %s", failing_names[which], n, story);
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
        testing_report("%s%s, %s: %ld of %ld calls made to fail, %ld told", failing_names[which],
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
        testing_report("%s, %s fire: %ld of %ld calls made to fail", failing_names[which],
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
    failing_arm(BUILD_PROGRAM, 1);
    foehn_status status = foehn_context_create(NULL, &ctx);
    failing_disarm();
    if (devices() == 1) { /* else another may stand in */
        ck_assert_ptr_null(ctx);
        ck_assert_int_eq(status, FOEHN_ERROR_DEVICE);
        ck_assert_ptr_nonnull(strstr(foehn_last_error(), "probe kernel failed"));
        ck_assert_ptr_nonnull(strstr(foehn_last_error(), context->device.info.name));
    }
    foehn_context_destroy(ctx);
    failing_arm(GET_PLATFORMS, 1);
    status = foehn_device_choose(NULL, &index, 0, NULL);
    failing_disarm();
    ck_assert_int_eq(status, FOEHN_ERROR_DEVICE);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "no OpenCL driver"));
    failing_arm(GET_DEVICES, 1);
    status = foehn_device_choose(NULL, &index, 0, NULL);
    failing_disarm();
    ck_assert(status == FOEHN_ERROR_DEVICE || (status == FOEHN_OK && devices() > 1));
    ck_assert(status == FOEHN_OK || strstr(foehn_last_error(), "offered no device"));
}
END_TEST

START_TEST(a_kernel_that_fails_is_named)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    foehn_wind *w;
    params.nx = params.ny = params.nz = 4;
    OK(foehn_wind_create(context, &params, &w));
    failing_arm(LAUNCH_KERNEL, 2);
    foehn_status status = foehn_wind_step(w, 0.1f);
    failing_disarm();
    ck_assert(status != FOEHN_OK && failing_happened);
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
    failing_arm(CALLS, 0);
    long before = failing_waits;
    for (int n = 0; n < 20; n++) {
        double center[3] = {n * 3.0, 0, n * -5.0};
        foehn_wind_state state = {.u10 = (float)n, .from = 10, .gustiness = 0.5f};
        OK(foehn_wind_set_center(w, center));
        OK(foehn_wind_set_state(w, &state));
        OK(foehn_wind_step(w, 0.1f));
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_volume_get_snapshot(volume, &snapshot));
    }
    ck_assert_int_eq(failing_waits, before);
    ck_assert_int_eq(failing_calls[CREATE_BUFFER], 0);
    ck_assert_int_eq(failing_calls[CREATE_KERNEL], 0);
    ck_assert_int_ge(failing_calls[READ], 1); /* snapshots, in the background */
    OK(foehn_context_wait(context));
    ck_assert_int_gt(failing_waits, before);
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
    failing_arm(CALLS, 0);
    long before = failing_waits;
    for (int n = 0; n < 3; n++) { /* everything moves; uploads have slots of their own */
        proxy.pose.position[0] = 0.01 * n;
        collider.pose.position[0] = 0.01 * n;
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &collider));
        OK(foehn_fire_update(fire, 1.0 / 30));
    }
    ck_assert_int_eq(failing_waits, before);
    ck_assert_int_eq(failing_calls[CREATE_BUFFER], 0);
    ck_assert_int_eq(failing_calls[CREATE_KERNEL], 0);
    ck_assert_int_eq(failing_calls[READ], 0);
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
    failing_arm(CALLS, 0);
    ck_assert_int_eq(foehn_wind_create(context, &params, &w), FOEHN_ERROR_MEMORY);
    ck_assert_int_eq(foehn_volume_create(context, 4096, 4096, 4096, &volume), FOEHN_ERROR_MEMORY);
    ck_assert_int_eq(failing_calls[CREATE_BUFFER], 0);
    ck_assert_int_eq(failing_calls[LAUNCH_KERNEL], 0);
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
