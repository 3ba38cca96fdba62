/* SPDX-License-Identifier: MIT */
/* Building kernels from embedded text. */
#include "device/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where line `number` of what the compiler was handed comes from, by the #line before it. */
static void place_of(const foehn_source *source, long number, char *place, size_t size)
{
    char file[64] = "";
    long line = 0;
    for (long i = 0; i < number && i < (long)source->count; i++)
        if (sscanf(source->lines[i], "#line %ld \"%63[^\"]", &line, file) == 2)
            line--; /* it tells the number of the line that follows */
        else
            line++;
    if (*file)
        snprintf(place, size, "%s:%ld", file, line);
    else
        snprintf(place, size, "line %ld", number);
}

/* NVIDIA's compiler does not heed #line: its places are "<kernel>:LINE". */
char *foehn_build_log_places(const foehn_source *source, const char *log)
{
    static const char mark[] = "<kernel>:";
    enum { LONGEST = 96 };
    size_t marks = 0;
    for (const char *at = log; (at = strstr(at, mark)) != NULL; at += sizeof mark - 1)
        marks++;
    size_t size = strlen(log) + marks * LONGEST + 1, used = 0;
    char *out = malloc(size);
    if (!out)
        return NULL;
    for (const char *at; (at = strstr(log, mark)) != NULL;) {
        char place[LONGEST], *end;
        long number = strtol(at + sizeof mark - 1, &end, 10);
        place_of(source, number, place, sizeof place);
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", (int)(at - log), log, place);
        log = end;
    }
    snprintf(out + used, size - used, "%s", log);
    return out;
}

/* Lines become one, empty ones and spaces at their ends are left out. */
static void join_lines(const char *log, size_t size, char *line)
{
    size_t used = 0;
    for (line[0] = 0; *log && used + 1 < size; log += strspn(log, " \t\r\n")) {
        size_t length = strcspn(log, "\r\n");
        while (length > 0 && log[length - 1] == ' ')
            length--;
        if (length > 0)
            used += (size_t)snprintf(line + used, size - used, "%s%.*s", used ? " | " : "",
                                     (int)length, log);
        log += strcspn(log, "\r\n");
    }
}

void foehn_build_log(cl_program program, cl_device_id device, const foehn_source *source,
                     size_t size, char *line)
{
    size_t bytes = 0;
    char *log = NULL, *placed = NULL;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) ==
            CL_SUCCESS &&
        bytes > 0 && (log = calloc(bytes + 1, 1)) != NULL)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    if (log)
        placed = foehn_build_log_places(source, log);
    join_lines(placed ? placed : log ? log : "", size, line);
    if (!*line)
        snprintf(line, size, "the driver gives no reason");
    free(placed);
    free(log);
}

static foehn_status fail_build(foehn_context *ctx, const foehn_program *p, cl_int code,
                               const char *folder)
{
    char log[500], way[200];
    foehn_build_log(p->handle, ctx->device.id, p->source, sizeof log, log);
    if (folder)
        snprintf(way, sizeof way, "mend the kernels of FOEHN_KERNEL_DIR=%.120s, or unset it",
                 folder);
    else
        snprintf(way, sizeof way, "update the driver (%.60s), or choose another device",
                 ctx->device.info.driver);
    return foehn_fail(FOEHN_ERROR_BUILD, "kernels/%s.cl does not build on %s: %s (%d): %s: %s",
                      p->source->name, ctx->device.info.name, foehn_cl_name(code), code, log, way);
}

/* Options of one build: common, the caller's, and where to look while developing. */
static char *full_options(const foehn_context *ctx, const char *options, const char *folder)
{
    const char *drivers = ctx->device.options;
    size_t size = strlen(FOEHN_COMMON_OPTIONS) + strlen(options) + strlen(drivers) + 64 +
                  (folder ? 2 * strlen(folder) : 0);
    char *all = malloc(size);
    if (!all)
        return NULL;
    int used = snprintf(all, size, "%s%s%s%s%s", FOEHN_COMMON_OPTIONS, *options ? " " : "", options,
                        *drivers ? " " : "", drivers);
    if (folder)
        snprintf(all + used, size - (size_t)used, " -I%s -I%s/../include/foehn", folder, folder);
    return all;
}

foehn_status foehn_program_get(foehn_context *ctx, const foehn_source *source, const char *options,
                               cl_program *out)
{
    const char *folder = getenv("FOEHN_KERNEL_DIR");
    if (folder && !*folder)
        folder = NULL;
    char *all = full_options(ctx, options, folder);
    if (!all)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for build options");
    for (foehn_program *p = ctx->programs; p; p = p->next)
        if (p->source == source && strcmp(p->options, all) == 0) {
            free(all);
            *out = p->handle;
            return FOEHN_OK;
        }

    foehn_program *p = calloc(1, sizeof *p);
    if (!p) {
        free(all);
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a program");
    }
    p->source = source;
    p->options = all;
    foehn_status status;
    cl_int code;
    char include[128];
    const char *include_line = include;
    snprintf(include, sizeof include, "#include \"%s.cl\"\n", source->name);
    /* OpenCL's prototype is not const all the way; it does not write to the strings. */
    p->handle =
        folder ? clCreateProgramWithSource(ctx->handle, 1, &include_line, NULL, &code)
               : clCreateProgramWithSource(ctx->handle, source->count,
                                           (const char **)(uintptr_t)source->lines, NULL, &code);
    if (code != CL_SUCCESS) {
        status = foehn_fail_cl(code, "kernels/%s.cl", source->name);
        goto fail;
    }
    code = clBuildProgram(p->handle, 1, &ctx->device.id, all, NULL, NULL);
    if (code != CL_SUCCESS) {
        status = fail_build(ctx, p, code, folder);
        goto fail;
    }
    p->next = ctx->programs;
    ctx->programs = p;
    *out = p->handle;
    return FOEHN_OK;
fail:
    if (p->handle)
        clReleaseProgram(p->handle);
    free(p->options);
    free(p);
    return status;
}

void foehn_programs_destroy(foehn_context *ctx)
{
    while (ctx->programs) {
        foehn_program *p = ctx->programs;
        ctx->programs = p->next;
        clReleaseProgram(p->handle);
        free(p->options);
        free(p);
    }
}

foehn_status foehn_kernel_create(foehn_context *ctx, const foehn_source *source,
                                 const char *options, const char *name, double bytes,
                                 foehn_kernel *out)
{
    cl_int code;
    cl_program program;
    memset(out, 0, sizeof *out);
    TRY(foehn_program_get(ctx, source, options, &program));
    out->handle = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS) {
        out->handle = NULL;
        return foehn_fail_cl(code, "kernel %s of kernels/%s.cl", name, source->name);
    }
    snprintf(out->name, sizeof out->name, "%s", name);
    out->bytes = bytes;
    if (clGetKernelWorkGroupInfo(out->handle, ctx->device.id, CL_KERNEL_WORK_GROUP_SIZE,
                                 sizeof out->max_group, &out->max_group, NULL) != CL_SUCCESS ||
        out->max_group == 0)
        out->max_group = ctx->device.info.largest_work_group;
    return FOEHN_OK;
}

void foehn_kernel_destroy(foehn_kernel *kernel)
{
    if (kernel->handle)
        clReleaseKernel(kernel->handle);
    kernel->handle = NULL;
}

void foehn_kernels_destroy(void *kernels, size_t bytes)
{
    foehn_kernel *list = kernels;
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        foehn_kernel_destroy(&list[i]);
}
