/* SPDX-License-Identifier: MIT */
/* Choosing a device, launching, timing, memory; and what happens without a driver.
 *
 * Drivers read their environment once, so cases without a driver run in a process of their own:
 * this program with --choose as its first argument. */
#include "testing.h"

#include <pthread.h>
#include <unistd.h>

extern const foehn_source foehn_source_device_copy;

void add_device_building_tests(TCase *tests);

static const char *program;

/* ---- the process of its own ---- */

/* Print the status's name and the story, of a choice by the environment alone. */
static int choose(bool as_nobody)
{
    enum { NOBODY = 65534 };
    int index = -1;
    char reason[512] = "";
    if (as_nobody && getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        return EXIT_FAILURE;
    foehn_status status = foehn_device_choose(NULL, &index, sizeof reason, reason);
    size_t count = 99;
    if (foehn_devices_get(0, NULL, &count) != FOEHN_OK)
        return EXIT_FAILURE;
    printf("%s, %zu devices, chosen %d: %s\n", foehn_status_name(status), count, index,
           status == FOEHN_OK ? reason : foehn_last_error());
    return EXIT_SUCCESS;
}

static void *open_and_close(void *result)
{
    foehn_context *ctx;
    foehn_status status = foehn_context_create(NULL, &ctx);
    cl_mem buffer = NULL;
    if (status == FOEHN_OK)
        status = foehn_buffer_create(ctx, 1 << 20, &buffer);
    if (status == FOEHN_OK)
        foehn_buffer_destroy(ctx, &buffer);
    foehn_context_destroy(ctx);
    *(foehn_status *)result = status;
    return NULL;
}

/* Contexts made and used by several threads at once. */
static int open_at_once(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    foehn_status results[THREADS];
    int code = EXIT_SUCCESS;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, open_and_close, &results[i]) != 0)
            return EXIT_FAILURE;
    for (int i = 0; i < THREADS; i++)
        if (pthread_join(threads[i], NULL) != 0 || results[i] != FOEHN_OK)
            code = EXIT_FAILURE;
    return code;
}

/* What a process with this environment prints. */
static void run(const char *environment, const char *argument, char out[4096])
{
    char command[4096];
    snprintf(command, sizeof command, "env %s '%s' %s", environment, program, argument);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t used = fread(out, 1, 4095, pipe);
    out[used] = 0;
    ck_assert_msg(pclose(pipe) == 0, "%s: %s", command, out);
}

static bool is_pocl(void)
{
    return strstr(context->device.info.platform, "Portable Computing Language") != NULL;
}

/* ---- choice ---- */

START_TEST(devices_are_counted_and_described)
{
    size_t count, again;
    OK(foehn_devices_get(0, NULL, &count));
    ck_assert_uint_ge(count, 1);
    foehn_device_info *infos = testing_alloc(count * sizeof *infos);
    infos[0].struct_size = sizeof *infos;
    OK(foehn_devices_get(count, infos, &again));
    ck_assert_uint_eq(count, again);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(infos[i].struct_size, sizeof *infos);
        ck_assert_str_ne(infos[i].name, "");
        ck_assert_str_ne(infos[i].platform, "");
        ck_assert_uint_ge(infos[i].compute_units, 1);
        ck_assert_uint_ge(infos[i].memory_bytes, infos[i].largest_allocation_bytes);
        ck_assert_uint_gt(infos[i].largest_allocation_bytes, 0);
        ck_assert_uint_gt(infos[i].largest_work_group, 0);
        ck_assert(strncmp(infos[i].version, "OpenCL ", 7) == 0);
    }
    free(infos);
}
END_TEST

START_TEST(an_old_callers_smaller_info_is_not_overrun)
{
    size_t count;
    struct {
        char bytes[sizeof(foehn_device_info)];
        char guard[16];
    } old;
    const size_t size = offsetof(foehn_device_info, compute_units);
    memset(&old, 0x5a, sizeof old);
    memcpy(old.bytes, &size, sizeof size);
    OK(foehn_devices_get(1, (foehn_device_info *)(void *)old.bytes, &count));
    for (size_t i = size; i < sizeof old.bytes; i++)
        ck_assert_int_eq(old.bytes[i], 0x5a);
    memset(&old, 0x5a, sizeof old);
    memcpy(old.bytes, &size, sizeof size);
    OK(foehn_context_get_device(context, (foehn_device_info *)(void *)old.bytes));
    for (size_t i = size; i < sizeof old.bytes; i++)
        ck_assert_int_eq(old.bytes[i], 0x5a);
}
END_TEST

START_TEST(a_zeroed_struct_is_refused)
{
    size_t count;
    foehn_device_info info = {0};
    foehn_context_params params = {0};
    foehn_context *out = context;
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_devices_get(1, &info, &count));
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_context_get_device(context, &info));
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_context_create(&params, &out));
    ck_assert_ptr_null(out);
}
END_TEST

START_TEST(a_device_answers_to_its_number_its_kind_and_its_name)
{
    size_t count;
    OK(foehn_devices_get(0, NULL, &count));
    foehn_device_info *infos = testing_alloc(count * sizeof *infos);
    infos[0].struct_size = sizeof *infos;
    OK(foehn_devices_get(count, infos, &count));
    bool cpus = false, gpus = false;
    for (size_t i = 0; i < count; i++) {
        char spec[32], reason[256];
        int index = -1;
        snprintf(spec, sizeof spec, "%zu", i);
        OK(foehn_device_choose(spec, &index, sizeof reason, reason));
        ck_assert_int_eq(index, (int)i);
        ck_assert_ptr_nonnull(strstr(reason, spec));
        cpus = cpus || infos[i].type == FOEHN_DEVICE_CPU;
        gpus = gpus || infos[i].type == FOEHN_DEVICE_GPU;
        OK(foehn_device_choose(infos[i].name, &index, 0, NULL));
        ck_assert_str_eq(infos[index].name, infos[i].name);
        /* Part of the name, in other letters. */
        char part[8] = "";
        for (size_t c = 0; c < 5 && infos[i].name[c]; c++)
            part[c] = (char)(infos[i].name[c] ^
                             (infos[i].name[c] >= 'a' && infos[i].name[c] <= 'z' ? 0x20 : 0));
        OK(foehn_device_choose(part, &index, 0, NULL));
    }
    int index = -1;
    if (cpus) {
        OK(foehn_device_choose("cpu", &index, 0, NULL));
        ck_assert_int_eq(infos[index].type, FOEHN_DEVICE_CPU);
    } else
        FAILS(FOEHN_ERROR_DEVICE, "no device matches \"cpu\"",
              foehn_device_choose("cpu", &index, 0, NULL));
    if (gpus) {
        OK(foehn_device_choose("gpu", &index, 0, NULL));
        ck_assert_int_eq(infos[index].type, FOEHN_DEVICE_GPU);
    } else
        FAILS(FOEHN_ERROR_DEVICE, "no device matches \"gpu\"",
              foehn_device_choose("gpu", &index, 0, NULL));
    free(infos);
}
END_TEST

START_TEST(a_wrong_spec_is_told_what_there_is)
{
    const char *const wrong[] = {"no-such-device", "99", "-1", "0x", "1e9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int index = 7;
        FAILS(FOEHN_ERROR_DEVICE, wrong[i], foehn_device_choose(wrong[i], &index, 0, NULL));
        ck_assert_ptr_nonnull(strstr(foehn_last_error(), context->device.info.name));
        foehn_context_params params = foehn_context_params_default();
        foehn_context *out = context;
        params.device = wrong[i];
        FAILS(FOEHN_ERROR_DEVICE, wrong[i], foehn_context_create(&params, &out));
        ck_assert_ptr_null(out);
    }
}
END_TEST

START_TEST(a_reason_is_cut_to_fit)
{
    int index;
    char whole[512], cut[9];
    OK(foehn_device_choose(NULL, &index, sizeof whole, whole));
    ck_assert_str_ne(whole, "");
    memset(cut, 'x', sizeof cut);
    OK(foehn_device_choose(NULL, &index, 8, cut));
    ck_assert_uint_eq(strlen(cut), 7);
    ck_assert_int_eq(cut[8], 'x');
    ck_assert(strncmp(cut, whole, 7) == 0);
}
END_TEST

START_TEST(the_environment_chooses)
{
    char out[4096];
    run("FOEHN_DEVICE=0", "--choose", out);
    ck_assert_msg(strncmp(out, "ok, ", 4) == 0 && strstr(out, "FOEHN_DEVICE \"0\""), "%s", out);
    run("FOEHN_DEVICE=", "--choose", out);
    ck_assert_msg(strncmp(out, "ok, ", 4) == 0 && strstr(out, "best of"), "%s", out);
    run("FOEHN_DEVICE=no-such-device", "--choose", out);
    ck_assert_msg(strncmp(out, "device, ", 8) == 0 && strstr(out, "no-such-device") &&
                      strstr(out, "FOEHN_DEVICE") && strstr(out, context->device.info.name),
                  "%s", out);
}
END_TEST

START_TEST(without_a_driver_the_message_says_what_to_install)
{
    char out[4096];
    run("OCL_ICD_VENDORS=/nonexistent FOEHN_DEVICE=", "--choose", out);
    if (strncmp(out, "ok, ", 4) == 0) {
        printf("this OpenCL loader does not heed OCL_ICD_VENDORS: no driver is not tested\n");
        return;
    }
    ck_assert_msg(strncmp(out, "device, 0 devices", 17) == 0, "%s", out);
    ck_assert_msg(strstr(out, "no OpenCL driver") && strstr(out, "pocl"), "%s", out);
}
END_TEST

START_TEST(a_driver_without_devices_has_its_own_message)
{
    char out[4096];
    if (!is_pocl())
        return; /* only PoCL is known to answer without a device when it has no cache */
    run("HOME=/nonexistent POCL_CACHE_DIR=/nonexistent/cache XDG_CACHE_HOME=/nonexistent "
        "FOEHN_DEVICE=",
        "--choose-as-nobody", out);
    if (strncmp(out, "ok, ", 4) == 0)
        return; /* another driver stepped in */
    ck_assert_msg(strncmp(out, "device, 0 devices", 17) == 0, "%s", out);
    ck_assert_msg(strstr(out, "offered no device") && strstr(out, "cache"), "%s", out);
}
END_TEST

/* ---- buffers ---- */

START_TEST(memory_is_accounted_for)
{
    const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 100001};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    cl_mem buffers[COUNT];
    uint64_t before = foehn_context_get_memory(context), held = before;
    for (size_t i = 0; i < COUNT; i++) {
        OK(foehn_buffer_create(context, sizes[i], &buffers[i]));
        uint64_t now = foehn_context_get_memory(context);
        ck_assert_uint_ge(now - held, sizes[i]);
        ck_assert_uint_le(now - held, sizes[i] + 64);
        held = now;
    }
    for (size_t i = 0; i < COUNT; i++) {
        foehn_buffer_destroy(context, &buffers[i]);
        ck_assert_ptr_null(buffers[i]);
        foehn_buffer_destroy(context, &buffers[i]);
    }
    ck_assert_uint_eq(foehn_context_get_memory(context), before);
}
END_TEST

START_TEST(buffers_are_born_zero_and_cleared_whole)
{
    const size_t sizes[] = {1, 3, 64, 1000, 4 * 64 * 64, 4 * 64 * 64 + 1, 1234567};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cl_mem buffer;
        unsigned char *bytes = testing_alloc(sizes[i]);
        for (int round = 0; round < 2; round++) {
            if (round == 0)
                OK(foehn_buffer_create(context, sizes[i], &buffer));
            else
                OK(foehn_buffer_clear(context, buffer));
            memset(bytes, 0xff, sizes[i]);
            OK(foehn_buffer_read(context, buffer, 0, sizes[i], bytes));
            for (size_t n = 0; n < sizes[i]; n++)
                ck_assert_msg(bytes[n] == 0, "byte %zu of %zu", n, sizes[i]);
            memset(bytes, 0xff, sizes[i]);
            OK(foehn_buffer_write(context, buffer, 0, sizes[i], bytes));
        }
        foehn_buffer_destroy(context, &buffer);
        free(bytes);
    }
}
END_TEST

START_TEST(more_than_the_device_allows_is_refused)
{
    const foehn_device_info *d = &context->device.info;
    cl_mem buffer = (cl_mem)(void *)context;
    uint64_t before = foehn_context_get_memory(context);
    FAILS(FOEHN_ERROR_MEMORY, d->name,
          foehn_buffer_create(context, (size_t)d->largest_allocation_bytes + 64, &buffer));
    ck_assert_ptr_null(buffer);
    FAILS(FOEHN_ERROR_MEMORY, "all of it",
          foehn_memory_check(context, "all of it", d->memory_bytes + 64, 64));
    FAILS(FOEHN_ERROR_MEMORY, "one",
          foehn_memory_check(context, "one", 0, d->largest_allocation_bytes + 1));
    ck_assert_uint_eq(foehn_context_get_memory(context), before);
}
END_TEST

/* ---- launches ---- */

static foehn_status clear(foehn_context *ctx, foehn_kernel *fill, cl_mem buffer, foehn_size local)
{
    cl_ulong words = 16;
    return LAUNCH_LOCAL(ctx, *fill, ((foehn_size){256, 1, 1}), local, ARG(buffer), ARG(words));
}

START_TEST(a_launch_the_device_refuses_names_its_kernel)
{
    foehn_kernel fill;
    cl_mem buffer;
    OK(foehn_buffer_create(context, 64, &buffer));
    OK(foehn_kernel_create(context, &foehn_source_device_copy, "", "fill", 0, &fill));
    size_t too_many = (size_t)context->device.info.largest_work_group * 2;
    FAILS(FOEHN_ERROR_OPENCL, "kernel fill",
          clear(context, &fill, buffer, (foehn_size){too_many, 1, 1}));
    cl_int small = 0;
    FAILS(FOEHN_ERROR_OPENCL, "kernel fill: argument 1",
          LAUNCH(context, fill, ((foehn_size){1, 1, 1}), ARG(buffer), ARG(small)));
    OK(clear(context, &fill, buffer, (foehn_size){0, 0, 0}));
    OK(foehn_context_wait(context));
    foehn_kernel_destroy(&fill);
    foehn_buffer_destroy(context, &buffer);
}
END_TEST

START_TEST(launches_are_counted_and_timed_on_demand)
{
    foehn_kernel fill;
    cl_mem buffer;
    foehn_timing rows[4];
    size_t count = 9;
    double seconds = 9;
    OK(foehn_buffer_create(context, 64, &buffer));
    OK(foehn_kernel_create(context, &foehn_source_device_copy, "", "fill", 3, &fill));
    OK(foehn_context_set_timing(context, 0));
    uint64_t before = foehn_context_get_launches(context);
    OK(clear(context, &fill, buffer, (foehn_size){64, 1, 1}));
    ck_assert_uint_eq(foehn_context_get_launches(context), before + 1);
    OK(foehn_context_get_timings(context, 4, rows, &count));
    ck_assert_uint_eq(count, 0);
    OK(foehn_context_get_device_time(context, &seconds));
    ck_assert(seconds == 0);

    OK(foehn_context_set_timing(context, 1));
    enum { LAUNCHES = 2500 }; /* more than may be pending at once */
    for (int i = 0; i < LAUNCHES; i++)
        OK(clear(context, &fill, buffer, (foehn_size){64, 1, 1}));
    ck_assert_uint_eq(foehn_context_get_launches(context), before + 1 + LAUNCHES);
    OK(foehn_context_get_timings(context, 4, rows, &count));
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(rows[0].kernel, "fill");
    ck_assert_uint_eq(rows[0].launches, LAUNCHES);
    ck_assert(rows[0].bytes == 3.0 * 256 * LAUNCHES);
    ck_assert(rows[0].seconds > 0);
    OK(foehn_context_get_device_time(context, &seconds));
    NEAR(seconds, rows[0].seconds, 1e-12);
    OK(foehn_context_get_device_time(context, &seconds));
    ck_assert(seconds == 0);
    count = 9;
    OK(foehn_context_get_timings(context, 0, NULL, &count));
    ck_assert_uint_eq(count, 1);
    OK(foehn_context_set_timing(context, 1)); /* again: forgets */
    OK(foehn_context_get_timings(context, 4, rows, &count));
    ck_assert_uint_eq(count, 0);
    OK(foehn_context_set_timing(context, 0));
    foehn_kernel_destroy(&fill);
    foehn_buffer_destroy(context, &buffer);
}
END_TEST

START_TEST(contexts_that_sleep_debug_or_time_work_alike)
{
    for (int mode = 0; mode < 8; mode++) {
        foehn_context_params params = foehn_context_params_default();
        params.sleep_in_wait = mode & 1;
        params.debug = mode >> 1 & 1;
        params.timing = mode >> 2 & 1;
        foehn_context *ctx;
        cl_mem buffer;
        uint32_t words[16], all = 0;
        memset(words, 0xff, sizeof words);
        OK(foehn_context_create(&params, &ctx));
        OK(foehn_buffer_create(ctx, sizeof words, &buffer));
        OK(foehn_buffer_read(ctx, buffer, 0, sizeof words, words));
        for (int i = 0; i < 16; i++)
            all |= words[i];
        ck_assert_uint_eq(all, 0);
        ck_assert_uint_eq(foehn_context_get_launches(ctx), 1);
        foehn_buffer_destroy(ctx, &buffer);
        foehn_context_destroy(ctx);
    }
    foehn_context_destroy(NULL);
}
END_TEST

/* ---- errors and threads ---- */

START_TEST(statuses_and_version_have_names)
{
    for (int s = FOEHN_OK; s <= FOEHN_ERROR_UNSTABLE; s++) {
        ck_assert_str_ne(foehn_status_name((foehn_status)s), "unknown");
        for (int t = FOEHN_OK; t < s; t++)
            ck_assert_str_ne(foehn_status_name((foehn_status)s),
                             foehn_status_name((foehn_status)t));
    }
    ck_assert_str_eq(foehn_status_name((foehn_status)99), "unknown");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", FOEHN_VERSION_MAJOR, FOEHN_VERSION_MINOR,
             FOEHN_VERSION_PATCH);
    ck_assert_str_eq(foehn_version(), version);
    ck_assert_str_eq(foehn_cl_name(-30), "CL_INVALID_VALUE");
    ck_assert_str_eq(foehn_cl_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
}
END_TEST

static void *fail_elsewhere(void *message)
{
    foehn_fail(FOEHN_ERROR_ARGUMENT, "elsewhere");
    memcpy(message, foehn_last_error(), 10);
    return NULL;
}

START_TEST(each_thread_has_its_own_last_error)
{
    char theirs[16] = "";
    pthread_t thread;
    foehn_fail(FOEHN_ERROR_ARGUMENT, "here");
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, theirs), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_str_eq(theirs, "elsewhere");
    ck_assert_str_eq(foehn_last_error(), "here");
}
END_TEST

/* The first calls of a process, whose drivers are not loaded yet: processes of their own. */
START_TEST(the_first_contexts_of_a_process_can_be_made_by_several_threads)
{
    char out[4096];
    for (int i = 0; i < 5; i++)
        run("", "--open-at-once", out);
}
END_TEST

START_TEST(contexts_can_be_made_from_several_threads_at_once)
{
    ck_assert_int_eq(open_at_once(), EXIT_SUCCESS);
}
END_TEST

/* llvmpipe claims more compute units than there are cores, and is slow. */
START_TEST(llvmpipe_is_the_last_of_processors)
{
    const foehn_device_info pocl = {.name = "cpu-skylake",
                                    .type = FOEHN_DEVICE_CPU,
                                    .compute_units = 2},
                            pipe = {.name = "llvmpipe (LLVM 19.1.7, 256 bits)",
                                    .type = FOEHN_DEVICE_CPU,
                                    .compute_units = 8},
                            gpu = {.name = "a", .type = FOEHN_DEVICE_GPU, .compute_units = 1},
                            other = {.name = "b", .type = FOEHN_DEVICE_OTHER, .compute_units = 99};
    ck_assert(foehn_device_better(&pocl, &pipe) && !foehn_device_better(&pipe, &pocl));
    ck_assert(foehn_device_better(&gpu, &pocl) && foehn_device_better(&pipe, &other));
}
END_TEST

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return strcmp(argv[1], "--open-at-once") == 0
                   ? open_at_once()
                   : choose(strcmp(argv[1], "--choose-as-nobody") == 0);
    TCase *tests = testing_begin("device", TESTING_NEEDS_DEVICE);
    add_device_building_tests(tests);
    tcase_add_test(tests, devices_are_counted_and_described);
    tcase_add_test(tests, an_old_callers_smaller_info_is_not_overrun);
    tcase_add_test(tests, a_zeroed_struct_is_refused);
    tcase_add_test(tests, a_device_answers_to_its_number_its_kind_and_its_name);
    tcase_add_test(tests, a_wrong_spec_is_told_what_there_is);
    tcase_add_test(tests, a_reason_is_cut_to_fit);
    tcase_add_test(tests, the_environment_chooses);
    tcase_add_test(tests, without_a_driver_the_message_says_what_to_install);
    tcase_add_test(tests, a_driver_without_devices_has_its_own_message);
    tcase_add_test(tests, memory_is_accounted_for);
    tcase_add_test(tests, buffers_are_born_zero_and_cleared_whole);
    tcase_add_test(tests, more_than_the_device_allows_is_refused);
    tcase_add_test(tests, a_launch_the_device_refuses_names_its_kernel);
    tcase_add_test(tests, launches_are_counted_and_timed_on_demand);
    tcase_add_test(tests, contexts_that_sleep_debug_or_time_work_alike);
    tcase_add_test(tests, statuses_and_version_have_names);
    tcase_add_test(tests, each_thread_has_its_own_last_error);
    tcase_add_test(tests, the_first_contexts_of_a_process_can_be_made_by_several_threads);
    tcase_add_test(tests, contexts_can_be_made_from_several_threads_at_once);
    tcase_add_test(tests, llvmpipe_is_the_last_of_processors);
    return testing_end();
}
