/* SPDX-License-Identifier: MIT */
/* Building programs: what a failure tells, what is built once, what is told to whom. */
#include "testing.h"

#include <unistd.h>

extern const foehn_source foehn_source_wind_collocated, foehn_source_wind_read,
    foehn_source_device_copy;

void add_device_building_tests(TCase *tests);

START_TEST(a_build_failure_names_file_and_line)
{
    static const char *const lines[] = {
        "#line 41 \"planted.cl\"\n",
        "kernel void planted(global float *p)\n",
        "{\n",
        "    p[0] = nothing_of_that_name;\n",
        "}\n",
    };
    static const foehn_source planted = {"planted", lines, 5};
    foehn_kernel kernel;
    foehn_program *programs = context->programs;
    FAILS(FOEHN_ERROR_BUILD, "planted.cl:43",
          foehn_kernel_create(context, &planted, "", "planted", 0, &kernel));
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "nothing_of_that_name"));
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), context->device.info.name));
    ck_assert_ptr_null(kernel.handle);
    ck_assert_ptr_eq(context->programs, programs);
    foehn_kernel_destroy(&kernel);
}
END_TEST

START_TEST(embedded_lines_know_where_they_come_from)
{
    const foehn_source *const sources[] = {&foehn_source_device_copy, &foehn_source_wind_read,
                                           &foehn_source_wind_collocated};
    for (size_t s = 0; s < 3; s++) {
        char first[64];
        snprintf(first, sizeof first, "#line 1 \"%s.cl\"\n", sources[s]->name);
        ck_assert_str_eq(sources[s]->lines[0], first);
        for (unsigned i = 0; i < sources[s]->count; i++)
            ck_assert_ptr_null(strstr(sources[s]->lines[i], "#include \""));
    }
}
END_TEST

START_TEST(places_in_a_build_log_are_files_and_lines)
{
    static const char *const lines[] = {
        "#line 1 \"a.cl\"\n", "one\n", "#line 1 \"b.h\"\n", "two\n", "three\n",
        "#line 3 \"a.cl\"\n", "four\n"};
    static const foehn_source source = {"a", lines, 7};
    const char *const logs[][2] = {
        {"<kernel>:2:5: error: x\n<kernel>:5:1: note", "a.cl:1:5: error: x\nb.h:2:1: note"},
        {"warning at <kernel>:7", "warning at a.cl:3"},
        {"<kernel>:99:1", "a.cl:3:1"},
        {"b.h:2:1: error", "b.h:2:1: error"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char *log = foehn_build_log_places(&source, logs[i][0]);
        ck_assert_str_eq(log, logs[i][1]);
        free(log);
    }
}
END_TEST

START_TEST(a_build_log_is_told_in_a_line)
{
    const char *text = "kernel void k(global float *p)\n{\n    *p = no_such_name;\n}\n";
    char line[400], little[24];
    cl_int code;
    cl_program broken = clCreateProgramWithSource(context->handle, 1, &text, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert(clBuildProgram(broken, 1, &context->device.id, "", NULL, NULL) != CL_SUCCESS);
    foehn_build_log(broken, context->device.id, &foehn_source_device_copy, sizeof line, line);
    foehn_build_log(broken, context->device.id, &foehn_source_device_copy, sizeof little, little);
    ck_assert_msg(strstr(line, "no_such_name") && !strpbrk(line, "\r\n"), "%s", line);
    ck_assert(strncmp(line, little, sizeof little - 1) == 0 && strlen(little) == sizeof little - 1);
    clReleaseProgram(broken);
}
END_TEST

START_TEST(a_missing_kernel_is_named)
{
    foehn_kernel kernel;
    FAILS(
        FOEHN_ERROR_OPENCL, "no_such_kernel",
        foehn_kernel_create(context, &foehn_source_device_copy, "", "no_such_kernel", 0, &kernel));
    ck_assert_ptr_null(kernel.handle);
}
END_TEST

START_TEST(a_program_is_built_once)
{
    cl_program a, b, c;
    OK(foehn_program_get(context, &foehn_source_device_copy, "", &a));
    OK(foehn_program_get(context, &foehn_source_device_copy, "", &b));
    OK(foehn_program_get(context, &foehn_source_device_copy, "-DFOEHN_INDEX64", &c));
    ck_assert_ptr_eq(a, b);
    ck_assert_ptr_ne(a, c);
}
END_TEST

/* Intel's driver of GPUs needs to be told of large buffers; no other driver takes the option. */
START_TEST(only_intels_driver_of_gpus_is_told_of_large_buffers)
{
    const uint64_t four = UINT64_C(1) << 32, eight = 2 * four;
    const char *option = "-cl-intel-greater-than-4GB-buffer-required";
    ck_assert_str_eq(foehn_device_options("Intel(R) OpenCL Graphics", CL_DEVICE_TYPE_GPU, eight),
                     option);
    ck_assert_str_eq(foehn_device_options("Intel(R) OpenCL HD Graphics", CL_DEVICE_TYPE_GPU, eight),
                     option);
    ck_assert_str_eq(foehn_device_options("Intel(R) OpenCL Graphics", CL_DEVICE_TYPE_GPU, four),
                     "");
    ck_assert_str_eq(foehn_device_options("Intel(R) OpenCL", CL_DEVICE_TYPE_CPU, eight), "");
    ck_assert_str_eq(foehn_device_options("rusticl", CL_DEVICE_TYPE_GPU, eight), "");
    ck_assert_str_eq(foehn_device_options("Portable Computing Language", CL_DEVICE_TYPE_CPU, eight),
                     "");
}
END_TEST

/* Tests pretend that a device is a GPU; how its driver is told to build stays the driver's. */
START_TEST(a_pretended_type_reaches_no_build_option)
{
    cl_program as_it_is, pretended;
    foehn_device_info *info = &context->device.info;
    const foehn_device_info own = *info;
    OK(foehn_program_get(context, &foehn_source_wind_read, "", &as_it_is));
    info->type = info->type == FOEHN_DEVICE_GPU ? FOEHN_DEVICE_CPU : FOEHN_DEVICE_GPU;
    snprintf(info->vendor, sizeof info->vendor, "GenuineIntel");
    info->largest_allocation_bytes = UINT64_C(1) << 33;
    foehn_status status = foehn_program_get(context, &foehn_source_wind_read, "", &pretended);
    *info = own;
    OK(status);
    ck_assert_ptr_eq(as_it_is, pretended); /* the same options, so the same program */
}
END_TEST

/* Run twice: the first leaves what the second must not find. */
START_TEST(what_a_test_pretends_ends_with_it)
{
    cl_device_type type = 0;
    clGetDeviceInfo(context->device.id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    ck_assert_int_eq(context->device.info.type == FOEHN_DEVICE_GPU,
                     (type & CL_DEVICE_TYPE_GPU) != 0);
    context->device.info.type = type & CL_DEVICE_TYPE_GPU ? FOEHN_DEVICE_CPU : FOEHN_DEVICE_GPU;
}
END_TEST

/* Kernels from a folder: right ones work, and a broken one is told by file and line. */
START_TEST(a_kernel_folder_overrides_what_is_embedded)
{
    const char *source = getenv("FOEHN_SRCDIR");
    char folder[] = "/tmp/foehn-kernels-XXXXXX", command[2048], path[512], place[64];
    if (!source)
        source = ".";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(command, sizeof command, "cp -R '%s/kernels' '%s/include' '%s' && chmod -R u+w '%s'",
             source, source, folder, folder);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/kernels", folder);
    setenv("FOEHN_KERNEL_DIR", path, 1);

    foehn_context *ctx = NULL;
    foehn_wind *wind = NULL;
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED; /* of kernels/wind/collocated.cl */
    params.nx = params.ny = params.nz = 4;
    OK(foehn_context_create(NULL, &ctx));
    OK(foehn_wind_create(ctx, &params, &wind));
    OK(foehn_wind_step(wind, 0.1f));
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);

    snprintf(path, sizeof path, "%s/kernels/wind/collocated.cl", folder);
    FILE *file = fopen(path, "r+");
    ck_assert_ptr_nonnull(file);
    int line = 1;
    for (int c; (c = getc(file)) != EOF;)
        line += c == '\n';
    fseek(file, 0, SEEK_END);
    fputs("kernel void broken(global float *p) { p[0] = nothing_of_that_name; }\n", file);
    ck_assert_int_eq(fclose(file), 0);
    snprintf(place, sizeof place, "wind/collocated.cl:%d", line);
    OK(foehn_context_create(NULL, &ctx));
    wind = (foehn_wind *)(void *)ctx;
    FAILS(FOEHN_ERROR_BUILD, place, foehn_wind_create(ctx, &params, &wind));
    ck_assert_ptr_null(wind);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "nothing_of_that_name"));
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "mend the kernels of FOEHN_KERNEL_DIR="));
    ck_assert_ptr_null(strchr(foehn_last_error(), '\n'));
    ck_assert_uint_eq(foehn_context_get_memory(ctx), 0);
    foehn_context_destroy(ctx);
    unsetenv("FOEHN_KERNEL_DIR");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

void add_device_building_tests(TCase *tests)
{
    tcase_add_test(tests, a_build_failure_names_file_and_line);
    tcase_add_test(tests, a_build_log_is_told_in_a_line);
    tcase_add_test(tests, embedded_lines_know_where_they_come_from);
    tcase_add_test(tests, places_in_a_build_log_are_files_and_lines);
    tcase_add_test(tests, a_missing_kernel_is_named);
    tcase_add_test(tests, a_program_is_built_once);
    tcase_add_test(tests, only_intels_driver_of_gpus_is_told_of_large_buffers);
    tcase_add_test(tests, a_pretended_type_reaches_no_build_option);
    tcase_add_loop_test(tests, what_a_test_pretends_ends_with_it, 0, 2);
    tcase_add_test(tests, a_kernel_folder_overrides_what_is_embedded);
}
