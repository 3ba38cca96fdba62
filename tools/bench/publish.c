/* SPDX-License-Identifier: MIT */
/* What publishing costs a step of wind, on each path that this machine has:
 *
 *     bench/publish [low|medium|high|ultra|NXxNYxNZ] [collocated|staggered] [STEPS] [host]
 *
 * With "host" GL and Vulkan are left out.
 *
 * Rounds of all paths alternate, so that another load on the machine meets all of them; the median
 * round counts.  Each step writes the volume.  "free": steps are enqueued without a wait, as fast
 * as they go, each is published, and what the renderer cannot take is passed over; "240 Hz": the
 * same, but published 240 times a second, as by a fast renderer; "paced": each step is waited for
 * before the next, so that all content is shown.  "call" is the time that publishing, and writing
 * the volume where the step does not, takes of the calling thread: a stall would be seen there.
 * "alone" is writing the volume and publishing it, without a step, until the renderer has it.
 */
#include "config.h"

#include <foehn/foehn.h>
#include <foehn/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "examples/offscreen.h"
#ifdef HAVE_VULKAN
#include "examples/compute.h"
#include <foehn/vulkan.h>
static compute gpu;
#endif

enum { ROUNDS = 15, MOST_PATHS = 10, MOST_STEPS = 100000 };
enum { FRAMES_PER_SECOND = 240 };

typedef enum mode { FREE, FRAMES, PACED, ALONE, MODES } mode;

typedef struct path path;
struct path {
    char name[32];
    const char *reason;
    foehn_volume *volume; /* of its own; NULL: nothing is published */
    int apart;            /* it is written after the step, not by it */
    uint16_t *halves;     /* the host's */
    foehn_gl *gl;
    void (*finish)(void); /* wait for the renderer */
    foehn_status (*publish)(path *p, int wait);
    uint64_t (*shown)(const path *p);
#ifdef HAVE_VULKAN
    foehn_vulkan *vulkan;
#endif
    double ms[MODES][ROUNDS];      /* a step, or without one */
    double call_us[MODES][ROUNDS]; /* of that in publishing calls on the host */
    uint64_t shown_free;           /* contents in the last round */
};

static foehn_context *ctx;
static foehn_wind *wind;
static path paths[MOST_PATHS];
static int path_count;

static void check(foehn_status status)
{
    if (status == FOEHN_OK)
        return;
    fprintf(stderr, "publish: %s\n", foehn_last_error());
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- paths ---- */

static foehn_status publish_nothing(path *p, int wait)
{
    (void)p, (void)wait;
    return FOEHN_OK;
}

static foehn_status publish_host(path *p, int wait)
{
    (void)wait;
    return foehn_volume_read_halves(p->volume, p->halves);
}

static foehn_status publish_snapshot(path *p, int wait)
{
    foehn_snapshot snapshot;
    foehn_status status = wait ? foehn_context_wait(ctx) : FOEHN_OK;
    return status ? status : foehn_volume_get_snapshot(p->volume, &snapshot);
}

static foehn_status publish_gl(path *p, int wait)
{
    return wait ? foehn_gl_write_and_wait(p->gl) : foehn_gl_write(p->gl);
}

static uint64_t shown_gl(const path *p)
{
    foehn_gl_info info;
    foehn_gl_get_info(p->gl, &info);
    return info.shown;
}

static path *add_path(const char *name, const foehn_wind_info *size,
                      foehn_status (*publish)(path *, int))
{
    path *p = &paths[path_count++];
    snprintf(p->name, sizeof p->name, "%s", name);
    p->reason = "";
    p->publish = publish;
    if (size)
        check(foehn_volume_create(ctx, size->nx, size->ny, size->nz, &p->volume));
    return p;
}

static void add_host(const foehn_wind_info *size)
{
    add_path("step alone", NULL, publish_nothing);
    add_path("volume, by the step", size, publish_nothing);
    path *p = add_path("volume, after the step", size, publish_nothing);
    p->apart = 1;
    p = add_path("host, waiting", size, publish_host);
    p->halves = malloc((size_t)size->nx * (size_t)size->ny * (size_t)size->nz * 8);
    if (!p->halves)
        exit(EXIT_FAILURE);
    p = add_path("host, snapshots", size, publish_snapshot);
    check(foehn_volume_set_snapshots(p->volume, 0));
}

#ifdef HAVE_EGL
static void (*gl_finish)(void);

static void finish_gl(void)
{
    gl_finish();
}

static void add_gl(const foehn_wind_info *size, foehn_gl_path fastest)
{
    foehn_gl_params params = foehn_gl_params_default();
    foehn_gl_info info;
    void *address = offscreen_get_proc_address("glFinish");
    memcpy(&gl_finish, &address, sizeof address);
    params.get_proc_address = offscreen_get_proc_address;
    params.fastest = fastest;
#ifdef HAVE_VULKAN
    PFN_vkGetInstanceProcAddr loader = vkGetInstanceProcAddr;
    memcpy(&params.vk_get_instance_proc_addr, &loader, sizeof loader);
#endif
    path *p = add_path("GL", size, publish_gl);
    check(foehn_gl_create(p->volume, &params, &p->gl));
    foehn_gl_get_info(p->gl, &info);
    snprintf(p->name, sizeof p->name, "GL %s", foehn_gl_path_name(info.path));
    p->reason = info.reason;
    p->finish = finish_gl;
    p->shown = shown_gl;
    if (fastest != FOEHN_GL_COPIED && info.path == FOEHN_GL_COPIED) {
        printf("no faster GL path: %s\n", info.reason);
        foehn_gl_destroy(p->gl);
        foehn_volume_destroy(p->volume);
        memset(p, 0, sizeof *p);
        path_count--;
    }
}
#endif

#ifdef HAVE_VULKAN
static void finish_vulkan(void)
{
    vkQueueWaitIdle(gpu.queue);
}

static foehn_status publish_vulkan(path *p, int wait)
{
    return wait ? foehn_vulkan_write_and_wait(p->vulkan) : foehn_vulkan_write(p->vulkan);
}

static uint64_t shown_vulkan(const path *p)
{
    foehn_vulkan_info info;
    foehn_vulkan_get_info(p->vulkan, &info);
    return info.shown;
}

static void add_vulkan(const foehn_wind_info *size, foehn_vulkan_path fastest)
{
    foehn_vulkan_params params = foehn_vulkan_params_default();
    foehn_vulkan_info info;
    params.get_instance_proc_addr = vkGetInstanceProcAddr;
    params.instance = gpu.instance;
    params.physical_device = gpu.physical;
    params.device = gpu.device;
    params.queue = gpu.queue;
    params.queue_family = gpu.family;
    params.fastest = fastest;
    path *p = add_path("Vulkan", size, publish_vulkan);
    check(foehn_vulkan_create(p->volume, &params, &p->vulkan));
    foehn_vulkan_get_info(p->vulkan, &info);
    snprintf(p->name, sizeof p->name, "Vulkan %s%s", foehn_vulkan_path_name(info.path),
             info.semaphores ? ", semaphores" : "");
    p->reason = info.reason;
    p->finish = finish_vulkan;
    p->shown = shown_vulkan;
    if (fastest != FOEHN_VULKAN_COPIED && info.path == FOEHN_VULKAN_COPIED) {
        printf("no faster Vulkan path: %s\n", info.reason);
        foehn_vulkan_destroy(p->vulkan);
        foehn_volume_destroy(p->volume);
        memset(p, 0, sizeof *p);
        path_count--;
    }
}
#endif

static void close_path(path *p)
{
    foehn_gl_destroy(p->gl);
#ifdef HAVE_VULKAN
    foehn_vulkan_destroy(p->vulkan);
#endif
    foehn_volume_destroy(p->volume);
    free(p->halves);
}

/* ---- measuring ---- */

static void finish(const path *p)
{
    check(foehn_context_wait(ctx));
    if (p->finish)
        p->finish();
}

/* ms a step; call_us: of that in publishing calls on the host. */
static double measure(path *p, int steps, mode how, double *call_us)
{
    double calls = 0;
    finish(p);
    double start = now(), shown = start;
    for (int n = 0; n < steps; n++) {
        const int by_step = how != ALONE && p->volume && !p->apart;
        if (by_step)
            check(foehn_wind_step_and_write_volume(wind, 1 / 60.0f, p->volume));
        else if (how != ALONE)
            check(foehn_wind_step(wind, 1 / 60.0f));
        double before = now();
        if (p->volume && !by_step)
            check(foehn_wind_write_volume(wind, p->volume));
        if (how != FRAMES || before - shown >= 1.0 / FRAMES_PER_SECOND) {
            check(p->publish(p, how == ALONE));
            shown = before;
        }
        calls += now() - before;
        if (how == PACED)
            check(foehn_context_wait(ctx));
        else if (how == ALONE)
            finish(p);
    }
    finish(p);
    *call_us = 1e6 * calls / steps;
    return 1e3 * (now() - start) / steps;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

static void run(int steps)
{
    for (int r = -1; r < ROUNDS; r++) /* the first one warms up */
        for (int i = 0; i < path_count; i++) {
            path *p = &paths[i];
            for (mode m = FREE; m < MODES; m++) {
                int n = r < 0 ? 3 : m == ALONE ? steps / 4 + 1 : steps, at = r < 0 ? 0 : r;
                uint64_t shown = p->shown ? p->shown(p) : 0;
                if (m != ALONE || p->volume)
                    p->ms[m][at] = measure(p, n, m, &p->call_us[m][at]);
                if (m == FREE)
                    p->shown_free = p->shown ? p->shown(p) - shown : (uint64_t)n;
            }
        }
}

static void print_table(const foehn_wind_info *size, int steps)
{
    double bytes = 8.0 * size->nx * size->ny * size->nz, step[MODES];
    printf("\n| path | free, ms a step | over the step | call, us | shown | 240 Hz, ms a step | "
           "over the step "
           "| paced, ms a step | over the step | call, us | alone, ms | GB/s |\n"
           "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < path_count; i++) {
        path *p = &paths[i];
        double ms[MODES];
        for (mode m = FREE; m < MODES; m++)
            ms[m] = median(p->ms[m]);
        if (i == 0)
            memcpy(step, ms, sizeof step);
        printf("| %s | %.4f | %+.1f %% | %.1f | %.0f %% ", p->name, ms[FREE],
               100 * (ms[FREE] / step[FREE] - 1), median(p->call_us[FREE]),
               100.0 * (double)p->shown_free / steps);
        printf("| %.4f | %+.1f %% ", ms[FRAMES], 100 * (ms[FRAMES] / step[FRAMES] - 1));
        printf("| %.4f | %+.1f %% | %.1f | %.4f | %.2f |\n", ms[PACED],
               100 * (ms[PACED] / step[PACED] - 1), median(p->call_us[PACED]), ms[ALONE],
               ms[ALONE] > 0 ? 1e-6 * bytes / ms[ALONE] : 0);
    }
    for (int i = 0; i < path_count; i++)
        if (*paths[i].reason)
            printf("%s: %s\n", paths[i].name, paths[i].reason);
}

static void open_wind(int argc, char **argv)
{
    foehn_wind_params params = foehn_wind_params_default();
    const char *box = argc > 1 ? argv[1] : "high", *scheme = argc > 2 ? argv[2] : "staggered";
    if (sscanf(box, "%dx%dx%d", &params.nx, &params.ny, &params.nz) != 3)
        check(foehn_wind_params_set_quality(&params, box));
    params.scheme =
        strcmp(scheme, "collocated") == 0 ? FOEHN_WIND_COLLOCATED : FOEHN_WIND_STAGGERED;
    check(foehn_wind_create(ctx, &params, &wind));
}

int main(int argc, char **argv)
{
    foehn_context_params context = foehn_context_params_default();
    foehn_wind_info size;
    int steps = argc > 3 ? atoi(argv[3]) : 40, host_only = argc > 4 && strcmp(argv[4], "host") == 0;
    if (steps < 1 || steps > MOST_STEPS)
        return fprintf(stderr, "publish: %d steps: 1 to %d\n", steps, MOST_STEPS), 2;
#ifdef HAVE_EGL
    int has_gl = !host_only && offscreen_open(0);
    if (has_gl)
        foehn_context_params_set_gl(&context, offscreen_get_proc_address);
#endif
    check(foehn_context_create(&context, &ctx));
    open_wind(argc, argv);
    foehn_wind_get_info(wind, &size);
    add_host(&size);
#ifdef HAVE_EGL
    if (has_gl) {
        add_gl(&size, FOEHN_GL_COPIED);
        add_gl(&size, FOEHN_GL_SHARED);
    }
#endif
#ifdef HAVE_VULKAN
    if (!host_only && compute_open(&gpu)) {
        add_vulkan(&size, FOEHN_VULKAN_COPIED);
        add_vulkan(&size, FOEHN_VULKAN_IMPORTED);
    }
#endif
    foehn_device_info device = {.struct_size = sizeof device};
    check(foehn_context_get_device(ctx, &device));
    printf("%s, %d x %d x %d cells, %d steps a round, %d rounds\n", device.name, size.nx, size.ny,
           size.nz, steps, ROUNDS);
    run(steps);
    print_table(&size, steps);
    for (int i = 0; i < path_count; i++)
        close_path(&paths[i]);
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);
#ifdef HAVE_VULKAN
    compute_close(&gpu);
#endif
#ifdef HAVE_EGL
    offscreen_close();
#endif
    return EXIT_SUCCESS;
}
