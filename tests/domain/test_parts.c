/* SPDX-License-Identifier: MIT */
/* A wind that several parts keep is bit for bit that of one part. */
#include "domain/parts.h"

#include <pthread.h>

static foehn_wind_params sized(int nx, int ny, int nz)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.nx = nx;
    p.ny = ny;
    p.nz = nz;
    p.state.gustiness = 0.6f;
    p.state.from = 250;
    return p;
}

static int steps_of_a_run(void)
{
    return testing_is_tiny() ? 3 : 100;
}

START_TEST(a_forced_wind_over_a_hill_has_the_same_bits_in_1_to_4_parts)
{
    const course c = {
        .params = sized(40, 12, 35), .hill = true, .steps = steps_of_a_run(), .dt = 0.2f};
    check_parts(&c);
}
END_TEST

/* Not on processors: PoCL up to 5.0 takes kernels for each other that several queues run at once;
 * there tests/command/test_parts.sh has processes. */
START_TEST(parts_that_send_through_the_host_have_the_same_bits)
{
    const course c = {
        .params = sized(40, 12, 35), .hill = true, .through_host = true, .steps = 10, .dt = 0.2f};
    if (context->device.info.type == FOEHN_DEVICE_GPU)
        check_parts(&c);
}
END_TEST

START_TEST(a_wind_over_flat_ground_has_the_same_bits_in_1_to_4_parts)
{
    const course c = {.params = sized(37, 8, 44), .averages = true, .steps = 20, .dt = 0.25f};
    check_parts(&c);
}
END_TEST

START_TEST(two_levels_that_are_cut_have_the_same_bits)
{
    const course c = {
        .params = sized(64, 16, 63), .hill = true, .averages = true, .steps = 10, .dt = 0.2f};
    check_parts(&c);
}
END_TEST

START_TEST(maccormack_and_conjugate_gradients_have_the_same_bits)
{
    course c = {.params = sized(33, 9, 29), .hill = true, .steps = 10, .dt = 0.2f};
    c.params.advection = FOEHN_WIND_MACCORMACK;
    c.params.pressure = FOEHN_WIND_PRESSURE_MGCG;
    check_parts(&c);
}
END_TEST

START_TEST(several_cycles_have_the_same_bits)
{
    course c = {.params = sized(25, 9, 29), .hill = true, .steps = 5, .dt = 0.2f};
    c.params.cycles = 3;
    check_parts(&c);
}
END_TEST

START_TEST(the_mean_wind_at_once_has_the_same_bits)
{
    course c = {.params = sized(40, 16, 36), .hill = true, .solves = true};
    c.params.state.gustiness = 0;
    check_parts(&c);
}
END_TEST

START_TEST(the_momentum_model_has_the_same_bits_in_1_to_4_parts)
{
    course c = {.params = sized(36, 14, 33), .hill = true, .steps = steps_of_a_run(), .dt = 1000};
    c.params.model = FOEHN_WIND_MOMENTUM;
    check_parts(&c);
}
END_TEST

static course following(foehn_wind_params params, int steps, float dt, publication to)
{
    return (course){.params = params, .steps = steps, .dt = dt, .follows = true, .publishes = to};
}

START_TEST(a_box_that_follows_its_centre_has_the_same_bits_and_halves)
{
    course c = following(sized(37, 9, 42), 7, 0.2f, BOX);
    c.hill = true;
    check_parts(&c);
}
END_TEST

START_TEST(each_part_publishes_its_own_block)
{
    course c = following(sized(40, 8, 35), 5, 0.2f, BLOCKS);
    c.averages = true;
    check_parts(&c);
}
END_TEST

START_TEST(momentum_is_published_by_parts_after_its_box_has_moved)
{
    course c = following(sized(36, 10, 33), 4, 1000, BLOCKS);
    c.hill = true;
    c.params.model = FOEHN_WIND_MOMENTUM;
    check_parts(&c);
}
END_TEST

static course eddies(int nx, int ny, int nz)
{
    course c = {.params = sized(nx, ny, nz), .averages = true, .steps = 6, .dt = 1};
    c.params.model = FOEHN_WIND_LES;
    c.params.spin_up = 2;
    return c;
}

START_TEST(large_eddies_over_a_hill_have_the_same_bits_in_1_to_4_parts)
{
    course c = eddies(36, 14, 33);
    c.hill = true;
    check_parts(&c);
}
END_TEST

START_TEST(large_eddies_that_come_in_as_noise_have_the_same_bits)
{
    course c = eddies(40, 10, 37);
    c.hill = true;
    c.averages = false;
    c.params.inflow = FOEHN_WIND_INFLOW_NOISE;
    c.params.subgrid = FOEHN_WIND_SMAGORINSKY;
    check_parts(&c);
}
END_TEST

START_TEST(large_eddies_in_a_box_that_follows_have_the_same_bits_and_halves)
{
    course c = eddies(36, 10, 33);
    c.hill = c.follows = true;
    c.publishes = BOX;
    check_parts(&c);
}
END_TEST

START_TEST(large_eddies_over_flat_ground_have_the_same_bits)
{
    course c = eddies(33, 12, 32);
    c.params.state.from = 45;
    check_parts(&c);
}
END_TEST

/* The first half by one part, the second by several. */
static void check_halves(course c)
{
    runner one, half, r[MOST];
    run_parts(&one, &c, 0, NULL, 0);
    c.steps /= 2;
    run_parts(&half, &c, 0, NULL, 0);
    ck_assert_int_eq(half.status, FOEHN_OK);
    for (int parts = 2; parts <= MOST; parts++) {
        run_parts(r, &c, parts, half.state, half.size);
        check_same(&one, r, parts);
        for (int n = 0; n < parts; n++)
            forget(&r[n]);
    }
    forget(&one);
    forget(&half);
}

START_TEST(a_checkpoint_goes_on_with_another_number_of_parts)
{
    const course c = {
        .params = sized(40, 10, 36), .hill = true, .averages = true, .steps = 12, .dt = 0.2f};
    check_halves(c);
}
END_TEST

START_TEST(a_checkpoint_of_large_eddies_goes_on_with_another_number_of_parts)
{
    course c = eddies(36, 10, 33);
    c.hill = true;
    check_halves(c);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(a_step_longer_than_parts_can_see_is_refused_on_all)
{
    const course c = {.params = sized(32, 8, 32), .steps = 1, .dt = 5};
    runner r[MOST];
    run_parts(r, &c, 2, NULL, 0);
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(r[n].status, FOEHN_ERROR_ARGUMENT);
        ck_assert_msg(strstr(r[n].story, "dt = 5") != NULL, "%s", r[n].story);
        forget(&r[n]);
    }
}
END_TEST

/* Part 1 hands in a volume where part 0 has one of the whole box. */
static void *disagree(void *data)
{
    runner *r = data;
    foehn_context_params params = foehn_context_params_default();
    foehn_context *ctx = NULL;
    foehn_wind *w = NULL;
    foehn_volume *v = NULL;
    char device[16];
    snprintf(device, sizeof device, "%d", context_index());
    params.device = params.devices = device;
    foehn_wind_params p = r->course->params;
    p.domain = r->domain;
    foehn_domain_block b;
    OK(foehn_context_create(&params, &ctx));
    OK(foehn_wind_create(ctx, &p, &w));
    OK(foehn_wind_get_block(w, 1, &b));
    if (foehn_domain_get_part(r->domain) == 0)
        OK(foehn_volume_create(ctx, p.nx, p.ny, p.nz, &v));
    else
        OK(foehn_volume_create(ctx, b.nx, p.ny, b.nz, &v));
    r->status = foehn_wind_step_and_write_volume(w, 0.1f, v);
    snprintf(r->story, sizeof r->story, "%s", foehn_last_error());
    foehn_volume_destroy(v);
    foehn_wind_destroy(w);
    foehn_context_destroy(ctx);
    return NULL;
}

START_TEST(a_volume_that_parts_do_not_agree_on_is_refused_on_all)
{
    const course c = {.params = sized(32, 8, 32)};
    foehn_domain *domains[2];
    runner r[2];
    pthread_t threads[2];
    context_index();
    OK(foehn_domain_create_local(2, domains));
    for (int n = 0; n < 2; n++) {
        r[n] = (runner){.course = &c, .domain = domains[n]};
        ck_assert_int_eq(pthread_create(&threads[n], NULL, disagree, &r[n]), 0);
    }
    for (int n = 0; n < 2; n++)
        pthread_join(threads[n], NULL);
    for (int n = 0; n < 2; n++) {
        foehn_domain_destroy(domains[n]);
        ck_assert_int_eq(r[n].status, FOEHN_ERROR_ARGUMENT);
        ck_assert_msg(strstr(r[n].story, "part 1 publishes into its own") != NULL, "%s",
                      r[n].story);
    }
}
END_TEST

START_TEST(a_box_too_small_for_its_parts_says_how_many_it_takes)
{
    const course c = {.params = sized(10, 8, 6), .steps = 1, .dt = 0.1f};
    runner r[MOST];
    run_parts(r, &c, 4, NULL, 0);
    for (int n = 0; n < 4; n++) {
        ck_assert_int_eq(r[n].status, FOEHN_ERROR_ARGUMENT);
        ck_assert_msg(strstr(r[n].story, "cannot be cut into 4 parts") != NULL, "%s", r[n].story);
        forget(&r[n]);
    }
}
END_TEST

START_TEST(a_damaged_checkpoint_fails_on_all_parts)
{
    const course c = {.params = sized(32, 8, 32), .steps = 1, .dt = 0.1f};
    runner r[MOST];
    char bytes[400] = "foehnW3";
    run_parts(r, &c, 3, bytes, sizeof bytes);
    ck_assert_int_eq(r[0].status, FOEHN_ERROR_ARGUMENT);
    ck_assert_int_eq(r[1].status, FOEHN_ERROR_PART);
    ck_assert_int_eq(r[2].status, FOEHN_ERROR_PART);
    ck_assert_msg(strstr(r[1].story, "part 0 of 3 has failed") != NULL, "%s", r[1].story);
    for (int n = 0; n < 3; n++)
        forget(&r[n]);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("parts", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, a_forced_wind_over_a_hill_has_the_same_bits_in_1_to_4_parts);
    tcase_add_test(tests, parts_that_send_through_the_host_have_the_same_bits);
    tcase_add_test(tests, a_wind_over_flat_ground_has_the_same_bits_in_1_to_4_parts);
    tcase_add_test(tests, two_levels_that_are_cut_have_the_same_bits);
    tcase_add_test(tests, maccormack_and_conjugate_gradients_have_the_same_bits);
    tcase_add_test(tests, several_cycles_have_the_same_bits);
    tcase_add_test(tests, the_mean_wind_at_once_has_the_same_bits);
    tcase_add_test(tests, the_momentum_model_has_the_same_bits_in_1_to_4_parts);
    tcase_add_test(tests, large_eddies_over_a_hill_have_the_same_bits_in_1_to_4_parts);
    tcase_add_test(tests, large_eddies_that_come_in_as_noise_have_the_same_bits);
    tcase_add_test(tests, large_eddies_over_flat_ground_have_the_same_bits);
    tcase_add_test(tests, a_box_that_follows_its_centre_has_the_same_bits_and_halves);
    tcase_add_test(tests, each_part_publishes_its_own_block);
    tcase_add_test(tests, momentum_is_published_by_parts_after_its_box_has_moved);
    tcase_add_test(tests, large_eddies_in_a_box_that_follows_have_the_same_bits_and_halves);
    tcase_add_test(tests, a_volume_that_parts_do_not_agree_on_is_refused_on_all);
    tcase_add_test(tests, a_checkpoint_goes_on_with_another_number_of_parts);
    tcase_add_test(tests, a_checkpoint_of_large_eddies_goes_on_with_another_number_of_parts);
    tcase_add_test(tests, a_step_longer_than_parts_can_see_is_refused_on_all);
    tcase_add_test(tests, a_box_too_small_for_its_parts_says_how_many_it_takes);
    tcase_add_test(tests, a_damaged_checkpoint_fails_on_all_parts);
    return testing_end();
}
