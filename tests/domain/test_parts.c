/* SPDX-License-Identifier: MIT */
/* A wind that several parts keep, each a thread with a context of its own, is bit for bit that of
 * one part. */
#include "testing.h"

#include <pthread.h>

enum { MOST = 4 };

/* What is done, the same on all parts. */
typedef struct course {
    foehn_wind_params params;
    bool hill, averages, solves;
    bool through_host; /* a context each, which does not know of the others' */
    int steps;
    float dt;
} course;

/* One part's way through it, and what it ends with. */
typedef struct runner {
    const course *course;
    foehn_domain *domain; /* NULL: one part without any */
    const void *resume;   /* part 0: go on from these bytes */
    size_t resume_size;
    foehn_status status;
    char story[512];
    size_t size;
    void *state;               /* part 0: the checkpoint */
    float *solid, *divergence; /* likewise */
    float *k, *covariance;     /* likewise, of models that have them */
    foehn_wind_stats stats;
    foehn_wind_solution solution;
    foehn_wind_progress progress;
    float points[5][4], ground[64 * 64];
    float turbulence[5][2], stress[64 * 64 * 3]; /* of models that have them, else 0 */
    foehn_domain_traffic traffic;
} runner;

static const foehn_terrain *hill(void)
{
    enum { SAMPLES = 30 };
    static float heights[SAMPLES * SAMPLES];
    static foehn_terrain terrain = {
        .nx = SAMPLES, .nz = SAMPLES, .origin = {-70, -60}, .spacing = {6, 5}, .heights = heights};
    for (int k = 0; k < SAMPLES; k++)
        for (int i = 0; i < SAMPLES; i++) {
            double x = (i - 12) / 6.0, z = (k - 16) / 5.0;
            heights[k * SAMPLES + i] =
                (float)(14 * exp(-x * x - z * z) + 3 * sin(0.7 * i) * cos(0.5 * k));
        }
    return &terrain;
}

/* What a closure or eddies have beside the wind. */
static foehn_status read_turbulence(runner *r, foehn_wind *w, const double points[5][3])
{
    const foehn_wind_params *p = &r->course->params;
    const size_t cells = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    const bool holds = !r->domain || foehn_domain_get_part(r->domain) == 0;
    TRY(foehn_wind_read_turbulence(w, 5, points[0], r->turbulence[0]));
    TRY(foehn_wind_read_stress(w, r->stress));
    r->k = holds ? malloc(cells * sizeof(float)) : NULL;
    TRY(foehn_wind_read(w, FOEHN_WIND_K, r->k));
    if (!r->course->averages)
        return FOEHN_OK;
    r->covariance = holds ? malloc(cells * sizeof(float)) : NULL;
    return foehn_wind_read(w, FOEHN_WIND_COVARIANCE_UW, r->covariance);
}

static foehn_status go(runner *r, foehn_context *ctx, foehn_wind **w)
{
    foehn_wind_params p = r->course->params;
    p.domain = r->domain;
    TRY(foehn_wind_create(ctx, &p, w));
    if (r->course->hill)
        TRY(foehn_wind_set_terrain(*w, hill()));
    const bool holds = !r->domain || foehn_domain_get_part(r->domain) == 0;
    if (r->resume_size > 0)
        TRY(foehn_wind_write_checkpoint(*w, r->resume_size, r->resume));
    else if (r->course->averages)
        TRY(foehn_wind_set_averaging(*w, 1));
    if (r->course->solves)
        TRY(foehn_wind_solve(*w, 1e-4, 20, &r->solution));
    for (int n = 0; n < r->course->steps; n++)
        TRY(foehn_wind_step(*w, r->course->dt));
    if (p.model == FOEHN_WIND_MOMENTUM)
        TRY(foehn_wind_get_progress(*w, &r->progress));
    r->size = foehn_wind_get_checkpoint_size(*w);
    r->state = holds ? malloc(r->size) : NULL;
    TRY(foehn_wind_read_checkpoint(*w, r->size, r->state));
    TRY(foehn_wind_read_stats(*w, &r->stats));
    const double points[5][3] = {
        {0, 10, 0}, {-31.7, 2, 14.2}, {33, 25, -40}, {-500, 5, 500}, {2.5, 40, 41}};
    TRY(foehn_wind_read_points(*w, r->course->averages, 5, points[0], r->points[0]));
    TRY(foehn_wind_read_ground(*w, r->ground));
    if (p.model != FOEHN_WIND_FORCING)
        TRY(read_turbulence(r, *w, points));
    const size_t cells = (size_t)p.nx * (size_t)p.ny * (size_t)p.nz;
    r->solid = holds ? malloc(cells * sizeof(float)) : NULL;
    r->divergence = holds ? malloc(cells * sizeof(float)) : NULL;
    TRY(foehn_wind_read(*w, FOEHN_WIND_SOLID, r->solid));
    return foehn_wind_read(*w, FOEHN_WIND_DIVERGENCE, r->divergence);
}

/* The device that the program's context runs on. */
static int context_index(void)
{
    static int index = -1;
    if (index < 0)
        OK(foehn_device_choose(NULL, &index, 0, NULL));
    return index;
}

static void *run(void *data)
{
    runner *r = data;
    foehn_context *ctx = NULL;
    foehn_wind *w = NULL;
    foehn_context_params params = foehn_context_params_default();
    char device[16];
    snprintf(device, sizeof device, "%d", context_index());
    params.device = device;
    params.devices = r->domain && !r->course->through_host ? device : NULL;
    r->status = foehn_context_create(&params, &ctx);
    if (r->status == FOEHN_OK)
        r->status = go(r, ctx, &w);
    snprintf(r->story, sizeof r->story, "%s", foehn_last_error());
    if (r->domain && r->status != FOEHN_OK)
        foehn_domain_leave(r->domain);
    foehn_wind_destroy(w);
    foehn_context_destroy(ctx);
    if (r->domain)
        foehn_domain_get_traffic(r->domain, &r->traffic);
    return NULL;
}

/* All parts of a course; parts = 0: without a domain. */
static void run_parts(runner *r, const course *c, int parts, const void *resume, size_t resume_size)
{
    foehn_domain *domains[MOST] = {NULL};
    pthread_t threads[MOST];
    const int count = parts > 0 ? parts : 1;
    context_index(); /* before there are threads */
    if (parts > 0)
        OK(foehn_domain_create_local(parts, domains));
    for (int n = 0; n < count; n++) {
        memset(&r[n], 0, sizeof r[n]);
        r[n].course = c;
        r[n].domain = domains[n];
        r[n].resume = n == 0 ? resume : NULL;
        r[n].resume_size = resume_size;
        ck_assert_int_eq(pthread_create(&threads[n], NULL, run, &r[n]), 0);
    }
    for (int n = 0; n < count; n++)
        pthread_join(threads[n], NULL);
    for (int n = 0; n < count; n++)
        foehn_domain_destroy(domains[n]);
}

static void forget(runner *r)
{
    free(r->state);
    free(r->solid);
    free(r->divergence);
    free(r->k);
    free(r->covariance);
}

static void check_same(const runner *one, const runner *r, int parts)
{
    const size_t cells = (size_t)one->course->params.nx * (size_t)one->course->params.ny *
                         (size_t)one->course->params.nz * sizeof(float);
    for (int n = 0; n < parts; n++)
        ck_assert_msg(r[n].status == FOEHN_OK, "part %d of %d: %s", n, parts, r[n].story);
    ck_assert_uint_eq(one->size, r->size);
    size_t first = 0, apart = 0;
    for (size_t i = 0; i < one->size; i++)
        if (((const char *)one->state)[i] != ((const char *)r->state)[i] && apart++ == 0)
            first = i;
    ck_assert_msg(apart == 0, "%d parts: %zu of %zu bytes differ, the first at %zu", parts, apart,
                  one->size, first);
    ck_assert_msg(memcmp(one->solid, r->solid, cells) == 0, "%d parts: solid cells", parts);
    ck_assert_msg(memcmp(one->divergence, r->divergence, cells) == 0, "%d parts: divergence",
                  parts);
    ck_assert_msg(!one->k || memcmp(one->k, r->k, cells) == 0, "%d parts: k", parts);
    ck_assert_msg(!one->covariance || memcmp(one->covariance, r->covariance, cells) == 0,
                  "%d parts: covariance", parts);
    for (int n = 0; n < parts; n++) {
        ck_assert_msg(memcmp(one->points, r[n].points, sizeof one->points) == 0, "%d parts: points",
                      parts);
        ck_assert_msg(memcmp(one->ground, r[n].ground, sizeof one->ground) == 0, "%d parts: ground",
                      parts);
        ck_assert_msg(memcmp(one->turbulence, r[n].turbulence, sizeof one->turbulence) == 0,
                      "%d parts: turbulence", parts);
        ck_assert_msg(memcmp(one->stress, r[n].stress, sizeof one->stress) == 0, "%d parts: stress",
                      parts);
        ck_assert_msg(memcmp(&one->stats, &r[n].stats, sizeof one->stats) == 0, "%d parts: stats",
                      parts);
        ck_assert_msg(memcmp(&one->solution, &r[n].solution, sizeof one->solution) == 0,
                      "%d parts: solution", parts);
        ck_assert_msg(memcmp(&one->progress, &r[n].progress, sizeof one->progress) == 0,
                      "%d parts: progress", parts);
    }
}

/* 1, 2, 3 and 4 parts end with the same bits. */
static void check_parts(const course *c)
{
    runner one, r[MOST];
    run_parts(&one, c, 0, NULL, 0);
    ck_assert_msg(one.status == FOEHN_OK, "%s", one.story);
    ck_assert(isfinite(one.stats.max_speed) && one.stats.max_speed > 1);
    for (int parts = 1; parts <= MOST; parts++) {
        run_parts(r, c, parts, NULL, 0);
        check_same(&one, r, parts);
        ck_assert_int_eq(parts > 1, r[0].traffic.bytes > 0);
        for (int n = 0; n < parts; n++)
            forget(&r[n]);
    }
    forget(&one);
}

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
    tcase_add_test(tests, a_checkpoint_goes_on_with_another_number_of_parts);
    tcase_add_test(tests, a_checkpoint_of_large_eddies_goes_on_with_another_number_of_parts);
    tcase_add_test(tests, a_step_longer_than_parts_can_see_is_refused_on_all);
    tcase_add_test(tests, a_box_too_small_for_its_parts_says_how_many_it_takes);
    tcase_add_test(tests, a_damaged_checkpoint_fails_on_all_parts);
    return testing_end();
}
