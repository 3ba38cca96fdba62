/* SPDX-License-Identifier: MIT */
/* Frames in flight: nothing is torn, what was submitted stays, shaders sample as the host does. */
#include "publish/vulkans.h"

#include "publish/sample.comp.h"

START_TEST(what_is_shown_is_never_torn)
{
    enum { STEPS = 40 };
    if (_i && !vulkans_share(vulkans_memory))
        return;
    foehn_context *ctx = _i ? sharing_context(false) : context;
    published p = open_published(ctx, PUBLISHED_WIND);
    foehn_vulkan *v = vulkans_open(p.volume);
    foehn_vulkan_info info;
    uint16_t *recorded[STEPS + 1] = {NULL};
    uint64_t last = 0;
    for (int n = 1; n <= STEPS; n++) {
        step_published(&p, n);
        OK(foehn_vulkan_write(v));
        OK(foehn_vulkan_write(v)); /* no news: only shows */
        if (n % 4 == 0)
            recorded[n] = host_halves(&p); /* which waits; in between the ring fills */
        foehn_vulkan_get_info(v, &info);
        ck_assert_uint_ge(info.content.step, last);
        last = info.content.step;
        if (last > 0 && recorded[last])
            ck_assert_msg(vulkans_hold(&p, &info, recorded[last]), "step %d is torn", (int)last);
    }
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, STEPS);
    ck_assert_uint_eq(info.shown + info.skipped, STEPS);
    ck_assert(vulkans_hold(&p, &info, recorded[STEPS]));
    for (int n = 0; n <= STEPS; n++)
        free(recorded[n]);
    foehn_vulkan_destroy(v);
    close_published(&p);
    if (_i)
        foehn_context_destroy(ctx);
    sharing_reset();
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

START_TEST(of_what_has_arrived_the_newest_is_shown)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = vulkans_open(p.volume);
    foehn_vulkan_info info;
    for (int n = 1; n <= 2; n++) {
        step_published(&p, n);
        OK(foehn_vulkan_write(v));
    }
    OK(foehn_context_wait(context));
    OK(foehn_vulkan_write(v));
    foehn_vulkan_get_info(v, &info);
    ck_assert_uint_eq(info.content.step, 2);
    ck_assert_uint_eq(info.shown + info.skipped, 2);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* Though one content was under way and a newer one waited, only one image is written. */
START_TEST(a_view_keeps_its_content_until_the_second_write)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan_params params = vulkans_params();
    foehn_vulkan_info one, three;
    foehn_vulkan *v;
    params.semaphores = 0; /* with them nothing stays under way */
    OK(foehn_vulkan_create(p.volume, &params, &v));
    step_published(&p, 1);
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &one);
    uint16_t *first = host_halves(&p);
    step_published(&p, 2);
    OK(foehn_vulkan_write(v));
    foehn_vulkan_get_info(v, &three);
    ck_assert_uint_eq(three.content.step, 1);
    step_published(&p, 3);
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &three);
    ck_assert_uint_eq(three.content.step, 3);
    ck_assert_uint_eq(three.shown + three.skipped, 3);
    uint16_t *third = host_halves(&p);
    ck_assert(vulkans_hold(&p, &three, third));
    ck_assert(vulkans_hold(&p, &one, first));
    free(first);
    free(third);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

enum { POINTS = 512 };

static compute_job sampling(const foehn_vulkan_info *info, float points[POINTS][4])
{
    return (compute_job){.code = sample_comp,
                         .code_size = sizeof sample_comp,
                         .view = info->view,
                         .layout = info->layout,
                         .addressing = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                         .groups = {POINTS / 64, 1},
                         .data = points,
                         .data_size = POINTS * sizeof *points};
}

/* Sampling of step n is under way when step n + 1 is published: it still is of step n. */
START_TEST(publishing_does_not_touch_what_was_submitted_before)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = vulkans_open(p.volume);
    foehn_vulkan_info info;
    static float points[3][POINTS][4];
    uint16_t *halves[3];
    compute_job jobs[3];
    compute_run_state *states[3];
    for (int n = 0; n < 3; n++) {
        step_published(&p, n + 1);
        OK(foehn_vulkan_write_and_wait(v));
        foehn_vulkan_get_info(v, &info);
        halves[n] = host_halves(&p);
        for (int i = 0; i < POINTS; i++) {
            points[n][i][0] = ((float)(i % 20) + 0.5f) / 20;
            points[n][i][1] = ((float)(i / 20 % 6) + 0.5f) / 6;
            points[n][i][2] = ((float)(i / 120) + 0.5f) / 12;
        }
        jobs[n] = sampling(&info, points[n]);
        states[n] = compute_begin(&vulkans_gpu, &jobs[n]);
    }
    for (int n = 0; n < 3; n++) {
        ck_assert(compute_end(&vulkans_gpu, &jobs[n], states[n]));
        for (int i = 0; i < 4 * POINTS; i++)
            NEAR(points[n][i / 4][i % 4], foehn_half_to_float(halves[n][i]), 1e-4);
        free(halves[n]);
    }
    ck_assert_mem_ne(points[0], points[1], sizeof points[0]);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

/* The box has scrolled, its lower corner lies inside the image; at heights of cell centres, where
 * the host's sampler, which follows the log law in between, is linear as well. */
START_TEST(a_shader_samples_across_the_wrap_seam_as_the_host_does)
{
    published p = open_published(context, PUBLISHED_WIND);
    foehn_vulkan *v = vulkans_open(p.volume);
    foehn_vulkan_info info;
    for (int n = 1; n <= 5; n++)
        step_published(&p, n);
    OK(foehn_vulkan_write_and_wait(v));
    foehn_vulkan_get_info(v, &info);
    static float points[POINTS][4], wanted[POINTS][4];
    static double world[POINTS][3];
    uint64_t seed = 9;
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 3; a++) {
            double at = testing_uniform(&seed, 0.51, p.n[a] - 0.51);
            at = a == 1 ? floor(at) + 0.5 : at;
            world[i][a] = info.content.origin[a] + at * info.content.spacing[a];
            double turns = world[i][a] / info.content.extent[a];
            points[i][a] = (float)(turns - floor(turns));
        }
    compute_job job = sampling(&info, points);
    ck_assert(compute_run(&vulkans_gpu, &job));
    OK(foehn_wind_read_points(p.wind, 0, POINTS, world[0], wanted[0]));
    double worst = 0;
    for (int i = 0; i < 3 * POINTS; i++)
        worst = fmax(worst, fabs((double)points[i / 3][i % 3] - (double)wanted[i / 3][i % 3]));
    testing_report("a shader is off the host's sampler by %.2g m/s at most", worst);
    /* Half an ulp of halves below 16 m/s, and a filter weight's 1/512 of 2 m/s between cells. */
    ck_assert_double_le(worst, 0.0039 + 0.0039);
    foehn_vulkan_destroy(v);
    close_published(&p);
    ck_assert_int_eq(exporter.complaints, 0);
}
END_TEST

void add_vulkan_frames_tests(TCase *tests)
{
    tcase_add_loop_test(tests, what_is_shown_is_never_torn, 0, 2);
    tcase_add_test(tests, of_what_has_arrived_the_newest_is_shown);
    tcase_add_test(tests, a_view_keeps_its_content_until_the_second_write);
    tcase_add_test(tests, publishing_does_not_touch_what_was_submitted_before);
    tcase_add_test(tests, a_shader_samples_across_the_wrap_seam_as_the_host_does);
}
