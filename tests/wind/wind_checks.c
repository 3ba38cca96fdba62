/* SPDX-License-Identifier: MIT */
/* The numbered checks of what the wind computes, the collocated scheme's own in wind_collocated.c.
 */
#include "wind/winds.h"
#include "wind/reference.h"

START_TEST(check_5_gusts_have_their_strength_speed_width_and_distance)
{
    const char *const qualities[] = {"low", "medium", "high"};
    for (int q = 0; q < (testing_is_tiny() ? 1 : 3); q++) {
        foehn_wind_params params = winds_quality(qualities[q]);
        params.sweeps = 1;
        params.state = (foehn_wind_state){.u10 = 10, .from = 315, .gustiness = 0.9f};
        params.center[0] = 1234;
        params.center[2] = -777;
        foehn_wind *w = winds_create(params);
        foehn_wind_info before, after;
        foehn_gust gusts[WIND_GUSTS], old[WIND_GUSTS];
        int born = 0, had = 0;
        const float dt = testing_is_tiny() ? 4 : 0.5f;
        foehn_wind_get_info(w, &before);
        while (born < 3) {
            OK(foehn_wind_step(w, dt));
            foehn_wind_get_info(w, &after);
            int count = foehn_wind_get_gusts(w, WIND_GUSTS, gusts);
            ck_assert_int_eq(count, after.gusts);
            /* The first of those that lived before has travelled. */
            if (had > 0)
                NEAR(gusts[0].position - old[0].position, 12 * dt, 1e-3);
            if (after.gusts_so_far > before.gusts_so_far) {
                foehn_gust g = gusts[count - 1];
                NEAR(g.strength, 4.5, 1e-5);
                NEAR(g.speed, 12, 1e-5);
                NEAR(g.width, 30, 1e-5);
                NEAR(g.toward[0], sqrt(0.5), 1e-6); /* from the north-west */
                NEAR(g.toward[1], sqrt(0.5), 1e-6);
                double center = (after.origin[0] + after.extent[0] / 2) * (double)g.toward[0] +
                                (after.origin[2] + after.extent[2] / 2) * (double)g.toward[1];
                testing_report("%s: a gust starts %.2f m upwind of the centre", qualities[q],
                               center - (double)g.position);
                NEAR(center - (double)g.position, 200, 1e-2);
                born++;
            }
            before = after;
            had = count;
            memcpy(old, gusts, sizeof old);
        }
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(check_5_gusts_arrive_as_a_poisson_process)
{
    enum { SEEDS = 40 };
    double sum = 0, least = INFINITY, most = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        foehn_gusts gusts;
        foehn_gusts_init(&gusts, seed);
        for (int n = 0; n < 36000; n++) {
            foehn_gusts_step(&gusts, 0.1, 10, 0.9, 1, 0, 0, 0, 200);
            ck_assert_int_le(gusts.count, WIND_GUSTS);
        }
        double count = (double)gusts.total;
        sum += count / SEEDS;
        least = fmin(least, count);
        most = fmax(most, count);
    }
    testing_report("gusts in 3600 s over %d seeds: mean %.1f, %g to %g", SEEDS, sum, least, most);
    ck_assert(least >= 250 && most <= 400);
    NEAR(sum, 324, 4 * sqrt(324.0 / SEEDS));
    foehn_gusts none;
    foehn_gusts_init(&none, 1);
    for (int n = 0; n < 36000; n++)
        foehn_gusts_step(&none, 0.1, 10, 0, 1, 0, 0, 0, 200);
    ck_assert_uint_eq(none.total, 0);
}
END_TEST

START_TEST(gusts_blow_through_the_box)
{
    /* No profile to compare with but its own: without noise, with no gust alive the field is the
     * profile, and while one passes it is faster by up to its strength. */
    foehn_wind_params params = testing_is_tiny() ? winds_sized(8, 4, 4) : winds_quality("low");
    params.noise_amplitude = 0;
    params.relaxation = 20;
    params.state.gustiness = 0.9f;
    params.sweeps = 4;
    foehn_wind *w = winds_create(params);
    double fastest = 0;
    for (int n = 0; n < (testing_is_tiny() ? 5 : 600); n++) {
        foehn_wind_stats stats;
        OK(foehn_wind_step(w, 0.2f));
        if (n % 5)
            continue;
        OK(foehn_wind_read_stats(w, &stats));
        fastest = fmax(fastest, stats.mean_speed_10m);
        ck_assert_double_le(stats.mean_speed_10m, 10 + 2 * 4.5);
    }
    if (!testing_is_tiny())
        ck_assert_double_ge(fastest, 10.2);
    foehn_wind_destroy(w);
}
END_TEST

/* A field without divergence in exact arithmetic, in the middle of the box: u = D_z psi, w = -D_x
 * psi with small whole numbers psi.  Neither forcing (u10 = 0) nor pressure (0) nor advection (by
 * 1e-30 s) changes a bit of it, so a step only moves it. */
static void put_blob(foehn_wind *w, float *u[3])
{
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    size_t count = winds_cells(w);
    reference_box box = {.nx = info.nx, .ny = info.ny, .nz = info.nz};
    float *psi = testing_alloc(count * sizeof *psi);
    uint64_t random = 61;
    for (int k = 6; k < info.nz - 6; k++)
        for (int j = 5; j < info.ny - 4; j++)
            for (int i = 6; i < info.nx - 6; i++)
                psi[reference_cell(&box, i, j, k)] = (float)(testing_random(&random) % 64);
    for (int a = 0; a < 3; a++)
        u[a] = testing_alloc(count * sizeof(float));
    for (int k = 1; k < info.nz - 1; k++)
        for (int j = 0; j < info.ny; j++)
            for (int i = 1; i < info.nx - 1; i++) {
                size_t c = reference_cell(&box, i, j, k), row = (size_t)info.nx,
                       plane = row * (size_t)info.ny;
                u[0][c] = psi[c + plane] - psi[c - plane];
                u[2][c] = psi[c - 1] - psi[c + 1];
            }
    for (int a = 0; a < 3; a++)
        OK(foehn_wind_write(w, (foehn_wind_field)a, u[a]));
    for (int a = 0; a < 3;
         a++) { /* as it is then read: between faces it is the mean of two means */
        free(u[a]);
        u[a] = winds_read(w, (foehn_wind_field)a);
    }
    free(psi);
}

START_TEST(check_6_a_moved_box_shifts_the_field_bit_for_bit)
{
    const int moves[][3] = {{1, 0, 0},  {0, 0, -1}, {-2, 0, 3}, {0, 1, 0},
                            {0, -2, 0}, {3, 1, -4}, {-5, 0, 5}, {0, 0, 0}};
    const double places[] = {0, 1e6, -123456};
    foehn_wind_params params = winds_sized(18, 13, 20);
    params.spacing_vertical = 2;
    params.state = (foehn_wind_state){.u10 = 0, .from = 270, .gustiness = 0};
    for (int n = 0; n < (testing_is_tiny() ? 2 : 4); n++)
        for (size_t place = 0; place < (testing_is_tiny() ? 1 : sizeof places / sizeof *places);
             place++) {
            winds_set_variant(&params, n % 2);
            params.sides = (foehn_wind_sides)(n / 2);
            params.center[0] = places[place];
            params.center[1] = 13; /* floor at 0 */
            params.center[2] = -places[place];
            foehn_wind *w = winds_create(params);
            float *u[3];
            put_blob(w, u);
            int moved[3] = {0, 0, 0};
            foehn_wind_info start, info;
            foehn_wind_get_info(w, &start);
            ck_assert(start.origin[1] == 0);
            for (size_t m = 0; m < (testing_is_tiny() ? 3 : sizeof moves / sizeof *moves); m++) {
                double center[3];
                for (int a = 0; a < 3; a++) {
                    moved[a] += moves[m][a];
                    /* Anywhere within the cell will do. */
                    center[a] = params.center[a] + (moved[a] + 0.49) * start.spacing[a];
                }
                OK(foehn_wind_set_center(w, center));
                OK(foehn_wind_step(w, 1e-30f));
                foehn_wind_get_info(w, &info);
                for (int a = 0; a < 3; a++)
                    ck_assert(info.origin[a] == start.origin[a] + moved[a] * start.spacing[a]);
                for (int a = 0; a < 3; a++) {
                    float *now = winds_read(w, (foehn_wind_field)a);
                    reference_box box = {.nx = info.nx, .ny = info.ny, .nz = info.nz};
                    for (int k = 0; k < info.nz; k++)
                        for (int j = 0; j < info.ny; j++)
                            for (int i = 0; i < info.nx; i++) {
                                int x = i + moved[0], y = j + moved[1], z = k + moved[2];
                                bool inside = x >= 0 && y >= 0 && z >= 0 && x < info.nx &&
                                              y < info.ny && z < info.nz;
                                float want = inside ? u[a][reference_cell(&box, x, y, z)] : 0;
                                ck_assert_msg(now[reference_cell(&box, i, j, k)] == want,
                                              "field %d, cell (%d, %d, %d) after move %zu", a, i, j,
                                              k, m);
                            }
                    free(now);
                }
            }
            /* Further than the box is long: nothing of it is left. */
            double away[3] = {params.center[0] + 1e5, 13, params.center[2] - 4000};
            OK(foehn_wind_set_center(w, away));
            OK(foehn_wind_step(w, 1e-30f));
            for (int a = 0; a < 3; a++) {
                float *now = winds_read(w, (foehn_wind_field)a);
                ck_assert(winds_rms(now, winds_cells(w)) == 0);
                free(now);
                free(u[a]);
            }
            foehn_wind_destroy(w);
        }
}
END_TEST

START_TEST(check_8_the_staggered_scheme_leaves_nothing_of_a_wave)
{
    const int waves[] = {32, 16, 8, 4};
    for (int axis = 0; axis < (testing_is_tiny() ? 1 : 3); axis += 2)
        for (size_t n = testing_is_tiny() ? 2 : 0; n < sizeof waves / sizeof *waves; n++) {
            int length = testing_is_tiny() ? 8 : 32;
            foehn_wind_params params = axis ? winds_sized(8, 8, length) : winds_sized(length, 8, 8);
            params.scheme = FOEHN_WIND_STAGGERED;
            params.sides = FOEHN_WIND_SIDES_PERIODIC;
            params.cycles = 40;
            params.relaxation = 0;
            params.state = (foehn_wind_state){.u10 = 0, .from = 270, .gustiness = 0};
            foehn_wind *w = winds_create(params);
            size_t count = winds_cells(w);
            float *u = testing_alloc(count * sizeof *u);
            for (size_t c = 0; c < count; c++) {
                size_t along = axis ? c / (8 * 8) : c % (size_t)length;
                u[c] = (float)sin(2 * M_PI * ((double)along + 0.25) / waves[n]);
            }
            OK(foehn_wind_write(w, axis ? FOEHN_WIND_W : FOEHN_WIND_U, u));
            float *before = winds_read(w, FOEHN_WIND_DIVERGENCE);
            OK(foehn_wind_step(w, 1e-6f));
            float *after = winds_read(w, FOEHN_WIND_DIVERGENCE);
            double left = winds_rms(after, count) / winds_rms(before, count);
            testing_report("staggered: waves of %d cells along %c: %.2g of the divergence is left",
                           waves[n], "xyz"[axis], left);
            ck_assert_double_lt(left, 1e-5);
            free(u);
            free(before);
            free(after);
            foehn_wind_destroy(w);
        }
}
END_TEST

START_TEST(check_1_holds_for_the_staggered_scheme)
{
    for (int variant = 1; variant < 3; variant++) {
        foehn_wind_params params = winds_quality(testing_is_tiny() ? "low" : "high");
        const char *name = winds_set_variant(&params, variant);
        foehn_wind *w = winds_create(params);
        foehn_wind_stats stats;
        winds_step(w, testing_is_tiny() ? 1 : 120, 1 / 60.0f);
        OK(foehn_wind_read_stats(w, &stats));
        testing_report("%s after 120 steps: mean |u| at 10 m %.3f m/s, mean |div u| %.3g 1/s, "
                       "most %.3g 1/s",
                       name, stats.mean_speed_10m, stats.mean_abs_divergence,
                       stats.max_abs_divergence);
        ck_assert(stats.mean_speed_10m >= 8 && stats.mean_speed_10m <= 12);
        ck_assert(stats.mean_abs_divergence < 1e-2);
        foehn_wind_destroy(w);
    }
}
END_TEST

/* What a step's cycle leaves must not grow from step to step, on boxes with many levels least of
 * all. */
START_TEST(warm_started_cycles_are_stable_on_large_boxes)
{
    foehn_wind_params params =
        testing_is_tiny() ? winds_sized(16, 8, 16) : winds_sized(256, 64, 256);
    params.scheme = FOEHN_WIND_STAGGERED;
    foehn_wind *w = winds_create(params);
    foehn_wind_stats stats;
    winds_step(w, testing_is_tiny() ? 4 : 40, 1 / 60.0f);
    OK(foehn_wind_read_stats(w, &stats));
    testing_report("%dx%dx%d after 40 steps: mean |div u| %.3g 1/s, most %.3g 1/s", params.nx,
                   params.ny, params.nz, stats.mean_abs_divergence, stats.max_abs_divergence);
    ck_assert_double_lt(stats.mean_abs_divergence, 1e-5);
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(without_gustiness_the_profile_stays_as_it_is)
{
    const float from[] = {270, 0, 123.4f};
    for (int scheme = 0; scheme < WINDS_VARIANTS; scheme++)
        for (size_t n = 0; n < (testing_is_tiny() ? 1 : sizeof from / sizeof *from); n++) {
            foehn_wind_params params =
                testing_is_tiny() ? winds_sized(5, 6, 4) : winds_sized(37, 11, 29);
            const char *name = winds_set_variant(&params, scheme);
            params.spacing_vertical = 2.5f;
            params.state = (foehn_wind_state){.u10 = 12, .from = from[n], .gustiness = 0};
            foehn_wind *w = winds_create(params);
            float *start[3];
            for (int a = 0; a < 3; a++)
                start[a] = winds_read(w, (foehn_wind_field)a);
            double angle = (double)from[n] * M_PI / 180;
            const double toward[3] = {-sin(angle), 0, cos(angle)};
            size_t row = (size_t)params.nx;
            for (size_t c = 0; c < winds_cells(w); c++) {
                double z = ((double)(c / row % (size_t)params.ny) + 0.5) * 2.5;
                for (int a = 0; a < 3; a++)
                    NEAR(start[a][c], toward[a] * winds_profile(12, z, 0.03), 12 * 2e-6);
            }
            winds_step(w, testing_is_tiny() ? 3 : 50, 0.1f);
            double worst = 0;
            for (int a = 0; a < 3; a++) {
                float *now = winds_read(w, (foehn_wind_field)a);
                for (size_t c = 0; c < winds_cells(w); c++)
                    worst = fmax(worst, fabs((double)now[c] - (double)start[a][c]));
                free(now);
                free(start[a]);
            }
            testing_report("%s: profile from %g degrees after 50 steps: off by %.2g m/s", name,
                           (double)from[n], worst);
            ck_assert_double_le(worst, 12 * 2e-6);
            foehn_wind_destroy(w);
        }
}
END_TEST

void add_wind_checks_tests(TCase *tests)
{
    tcase_add_test(tests, check_5_gusts_have_their_strength_speed_width_and_distance);
    tcase_add_test(tests, check_5_gusts_arrive_as_a_poisson_process);
    tcase_add_test(tests, gusts_blow_through_the_box);
    tcase_add_test(tests, check_6_a_moved_box_shifts_the_field_bit_for_bit);
    tcase_add_test(tests, check_8_the_staggered_scheme_leaves_nothing_of_a_wave);
    tcase_add_test(tests, check_1_holds_for_the_staggered_scheme);
    tcase_add_test(tests, warm_started_cycles_are_stable_on_large_boxes);
    tcase_add_test(tests, without_gustiness_the_profile_stays_as_it_is);
}
