/* SPDX-License-Identifier: MIT */
/* Steps: what is fresh, solid, changed, limited, not finite; sizes, devices, publishing steps. */
#include "wind/winds.h"
#include "wind/reference.h"

START_TEST(fresh_cells_start_from_the_profile)
{
    foehn_wind_params params = winds_sized(12, 6, 10);
    params.state = (foehn_wind_state){.u10 = 8, .from = 225, .gustiness = 0};
    foehn_wind *w = winds_create(params);
    for (int n = 1; n < 8; n++) {
        double center[3] = {n * 9.0, 12, n * n * -7.0};
        OK(foehn_wind_set_center(w, center));
        OK(foehn_wind_step(w, 0.05f));
        float *u = winds_read(w, FOEHN_WIND_U), *x = winds_read(w, FOEHN_WIND_W);
        for (size_t c = 0; c < winds_cells(w); c++) {
            double speed = winds_profile(8, ((double)(c / 12 % 6) + 0.5) * 4, 0.03);
            NEAR(u[c], sqrt(0.5) * speed, 2e-5);
            NEAR(x[c], -sqrt(0.5) * speed, 2e-5);
        }
        free(u);
        free(x);
    }
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(solid_cells_lie_under_the_ground_and_stand_still)
{
    for (int n = 0; n < 4; n++) {
        const int sides = n / 2;
        foehn_wind_params params =
            testing_is_tiny() ? winds_sized(8, 6, 7) : winds_sized(40, 12, 36);
        winds_set_variant(&params, n % 2);
        params.solids = FOEHN_WIND_SOLIDS_BINARY; /* a cell that is cut moves in part */
        params.sides = (foehn_wind_sides)sides;
        params.state.gustiness = 0.8f;
        foehn_wind *w = winds_create(params);
        winds_put_hill(w, 17);
        winds_step(w, testing_is_tiny() ? 2 : 40, 0.05f);
        float *solid = winds_read(w, FOEHN_WIND_SOLID), *u[3];
        size_t row = (size_t)params.nx, rows = (size_t)params.ny, solids = 0;
        float *ground = testing_alloc(row * (size_t)params.nz * sizeof *ground);
        OK(foehn_wind_read_ground(w, ground));
        for (int a = 0; a < 3; a++)
            u[a] = winds_read(w, (foehn_wind_field)a);
        for (size_t c = 0; c < winds_cells(w); c++) {
            size_t column = c / (row * rows) * row + c % row;
            float y = ((float)(c / row % rows) + 0.5f) * 4;
            ck_assert((solid[c] != 0) == (y < ground[column]));
            solids += solid[c] != 0;
            for (int a = 0; a < 3 && solid[c] != 0; a++)
                ck_assert(u[a][c] == 0);
        }
        ck_assert(solids > 0);
        foehn_wind_stats stats;
        OK(foehn_wind_read_stats(w, &stats));
        testing_report("over a hill, %s sides: mean |div u| %.3g 1/s, most %.3g 1/s",
                       sides ? "periodic" : "open", stats.mean_abs_divergence,
                       stats.max_abs_divergence);

        /* Flat again: no cell is solid, and what was solid starts from rest. */
        OK(foehn_wind_set_terrain(w, NULL));
        float *flat = winds_read(w, FOEHN_WIND_SOLID);
        ck_assert(winds_rms(flat, winds_cells(w)) == 0);
        OK(foehn_wind_step(w, 0.05f));
        for (int a = 0; a < 3; a++)
            free(u[a]);
        free(solid);
        free(flat);
        free(ground);
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(a_change_of_state_takes_effect_smoothly)
{
    foehn_wind_params params = winds_sized(8, 6, 8);
    params.state = (foehn_wind_state){.u10 = 10, .from = 270, .gustiness = 0};
    foehn_wind *w = winds_create(params);
    const float dt = 0.1f;
    const double gain = 1 - exp(-0.5 * 0.1);
    foehn_wind_state calm = {.u10 = 20, .from = 270, .gustiness = 0}, got;
    foehn_wind_stats stats;
    OK(foehn_wind_set_state(w, &calm));
    foehn_wind_get_state(w, &got);
    ck_assert(got.u10 == 20 && got.from == 270 && got.gustiness == 0);
    OK(foehn_wind_read_stats(w, &stats));
    NEAR(stats.mean_speed_10m, 10, 1e-4);
    for (int n = 1; n <= (testing_is_tiny() ? 2 : 30); n++) {
        OK(foehn_wind_step(w, dt));
        OK(foehn_wind_read_stats(w, &stats));
        NEAR(stats.mean_speed_10m, 20 - 10 * exp(-0.5 * 0.1 * n), 1e-3);
    }
    /* Turned about: through rest to the other side, by no more than the gain a step. */
    foehn_wind_state turned = {.u10 = 20, .from = 90, .gustiness = 0};
    OK(foehn_wind_set_state(w, &turned));
    float *old = winds_read(w, FOEHN_WIND_U);
    for (int n = 0; n < (testing_is_tiny() ? 2 : 60); n++) {
        OK(foehn_wind_step(w, dt));
        float *now = winds_read(w, FOEHN_WIND_U);
        for (size_t c = 0; c < winds_cells(w); c++) {
            double most = gain * 2 * winds_profile(20, 22, 0.03) + 1e-3;
            ck_assert_double_le(fabs((double)now[c] - (double)old[c]), most);
        }
        free(old);
        old = now;
    }
    for (size_t c = 0; c < winds_cells(w); c++)
        ck_assert(old[c] < 0 || testing_is_tiny());
    free(old);
    /* Gustiness from nothing: the noise grows from nothing. */
    foehn_wind_state gusty = {.u10 = 20, .from = 90, .gustiness = 1};
    OK(foehn_wind_set_state(w, &gusty));
    double last = 0;
    for (int n = 1; n <= (testing_is_tiny() ? 2 : 40); n++) {
        OK(foehn_wind_step(w, dt));
        float *curl = winds_read(w, FOEHN_WIND_CURL);
        double now = winds_rms(curl, winds_cells(w));
        /* 7 m/s at last, times the share of the waves that a small box happens to hold. */
        ck_assert_double_le(now - last, 2 * gain * 7);
        last = now;
        free(curl);
    }
    ck_assert(last >= 2 || testing_is_tiny());
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(two_runs_have_the_same_bits)
{
    foehn_wind_params params = testing_is_tiny() ? winds_sized(7, 5, 6) : winds_sized(37, 11, 29);
    params.state.gustiness = 0.9f;
    for (int scheme = 0; scheme < (testing_is_tiny() ? 3 : WINDS_VARIANTS); scheme++) {
        const char *name = winds_set_variant(&params, scheme);
        char *states[3];
        size_t sizes[3];
        for (int run = 0; run < 3; run++) {
            params.seed = run < 2 ? 7 : 8;
            foehn_wind *w = winds_create(params);
            winds_put_hill(w, 12);
            OK(foehn_wind_set_averaging(w, 1));
            for (int n = 0; n < (testing_is_tiny() ? 2 : 40); n++) {
                double center[3] = {n * 1.5, 22, -n * 0.9};
                OK(foehn_wind_set_center(w, center));
                OK(foehn_wind_step(w, 0.25f));
                if (run == 1) { /* looking changes nothing */
                    foehn_wind_stats stats;
                    OK(foehn_wind_read_stats(w, &stats));
                }
            }
            states[run] = winds_state(w, &sizes[run]);
            foehn_wind_destroy(w);
        }
        ck_assert_uint_eq(sizes[0], sizes[1]);
        ck_assert_msg(memcmp(states[0], states[1], sizes[0]) == 0, "%s", name);
        ck_assert(sizes[0] != sizes[2] || memcmp(states[0], states[2], sizes[0]) != 0);
        for (int run = 0; run < 3; run++)
            free(states[run]);
    }
}
END_TEST

START_TEST(any_size_of_grid_works)
{
    const int sizes[][3] = {{1, 1, 1},  {2, 1, 3},    {1, 40, 1},  {129, 1, 1},
                            {1, 1, 70}, {37, 11, 29}, {257, 3, 2}, {5, 2, 5}};
    for (size_t n = 0; n < (testing_is_tiny() ? 3 : sizeof sizes / sizeof *sizes); n++)
        for (int scheme = 0; scheme < (testing_is_tiny() ? 3 : WINDS_VARIANTS); scheme++)
            for (int sides = 0; sides < 2; sides++) {
                if (scheme > 1 && n > 2 && sizes[n][0] != 37)
                    continue; /* each row length is compiled anew */
                foehn_wind_params params = winds_sized(sizes[n][0], sizes[n][1], sizes[n][2]);
                const char *name = winds_set_variant(&params, scheme);
                params.sides = (foehn_wind_sides)sides;
                params.spacing_horizontal = 3;
                params.spacing_vertical = 0.7f;
                params.state.gustiness = 1;
                foehn_wind *w = winds_create(params);
                foehn_volume *volume;
                foehn_wind_stats stats;
                OK(foehn_volume_create(context, sizes[n][0], sizes[n][1], sizes[n][2], &volume));
                winds_put_hill(w, 0.4 * 0.7 * sizes[n][1]);
                OK(foehn_wind_set_measuring(w, 1));
                for (int s = 0; s < (testing_is_tiny() ? 2 : 10); s++) {
                    double center[3] = {2.0 * s, 0.35 * sizes[n][1], -3.0 * s};
                    OK(foehn_wind_set_center(w, center));
                    OK(foehn_wind_step(w, 0.05f));
                    OK(foehn_wind_write_volume(w, volume));
                }
                OK(foehn_wind_read_stats(w, &stats));
                ck_assert_msg(stats.max_speed < 100, "%s, %d x %d x %d, sides %d: %g m/s", name,
                              sizes[n][0], sizes[n][1], sizes[n][2], sides, stats.max_speed);
                ck_assert(isfinite(stats.pressure_residual));
                foehn_volume_destroy(volume);
                foehn_wind_destroy(w);
            }
}
END_TEST

/* GPUs take other passes, four cells at a time and without rows; here on any device.  The boxes
 * have coarse levels that both kinds of device take for small, so that the cycles are the same.
 *
 * What may differ is rounding: some 40 passes a step, each by up to 2^-24 of the fastest cell's
 * speed, in 8 steps, if all errors had one sign.  A wrong face or weight is 1e-2 of it.  Curls are
 * sums of four such differences over 4 m, so that the bound is the same number. */
START_TEST(the_passes_of_gpus_do_what_those_of_cpus_do)
{
    for (int n = 0; n < (testing_is_tiny() ? 1 : 4); n++) {
        const foehn_wind_field asked[4] = {FOEHN_WIND_U, FOEHN_WIND_V, FOEHN_WIND_W,
                                           FOEHN_WIND_CURL};
        float *fields[2][4];
        size_t count = 0;
        for (int gpu = 0; gpu < 2; gpu++) {
            foehn_wind_params params = n % 2 ? winds_sized(22, 8, 18) : winds_sized(23, 7, 17);
            context->device.info.type = gpu ? FOEHN_DEVICE_GPU : FOEHN_DEVICE_CPU;
            params.scheme = FOEHN_WIND_STAGGERED;
            params.max_speed = 40;
            params.state.gustiness = 1;
            params.sides = n == 3 ? FOEHN_WIND_SIDES_PERIODIC : FOEHN_WIND_SIDES_OPEN;
            foehn_wind *w = winds_create(params);
            if (n > 0)
                winds_put_hill(w, 0.4 * 4 * params.ny);
            winds_step(w, testing_is_tiny() ? 2 : 8, 0.1f);
            for (int a = 0; a < 4; a++)
                fields[gpu][a] = winds_read(w, asked[a]);
            count = winds_cells(w);
            foehn_wind_destroy(w);
        }
        double fastest = 0, apart = 0;
        for (int a = 0; a < 3; a++)
            for (size_t c = 0; c < count; c++)
                fastest = fmax(fastest, fabs((double)fields[0][a][c]));
        for (int a = 0; a < 4; a++) {
            for (size_t c = 0; c < count; c++) {
                double difference = fabs((double)fields[1][a][c] - (double)fields[0][a][c]);
                apart = fmax(apart, difference);
                ck_assert_msg(difference <= 8 * 40 * 0x1p-24 * fastest,
                              "case %d, field %d, cell %zu: %g is not %g of %g", n, a, c,
                              (double)fields[1][a][c], (double)fields[0][a][c], fastest);
            }
            free(fields[0][a]);
            free(fields[1][a]);
        }
        testing_report("case %d: apart by %.2g of the fastest, %.3g m/s", n, apart / fastest,
                       fastest);
    }
}
END_TEST

/* Halves next to each other, or the same. */
static bool within_one_half(uint16_t a, uint16_t b)
{
    return a == b || fabsf(foehn_half_to_float(a) - foehn_half_to_float(b)) <=
                         fmaxf(fabsf(foehn_half_to_float(a)) * 0x1p-10f, 0x1p-24f);
}

/* A step that publishes is a step, and what it publishes is its field: as another wind steps, and
 * as the volume written after it. */
START_TEST(a_step_that_publishes_is_a_step_and_publishes_it)
{
    const foehn_device_type type = context->device.info.type;
    for (int n = 0; n < (testing_is_tiny() ? 2 : 12); n++) {
        foehn_wind_params params = n % 2 ? winds_sized(22, 8, 18) : winds_sized(23, 7, 17);
        const char *name = winds_set_variant(&params, n % 3);
        context->device.info.type = n >= 6 ? type : FOEHN_DEVICE_GPU;
        params.max_speed = 14;
        params.state.gustiness = 1;
        params.sides = n % 4 == 3 ? FOEHN_WIND_SIDES_PERIODIC : FOEHN_WIND_SIDES_OPEN;
        foehn_wind *w = winds_create(params), *other = winds_create(params);
        foehn_volume *volume;
        OK(foehn_volume_create(context, params.nx, params.ny, params.nz, &volume));
        winds_put_hill(w, 0.4 * 4 * params.ny);
        winds_put_hill(other, 0.4 * 4 * params.ny);
        const size_t count = winds_cells(w);
        uint16_t *at_once = testing_alloc(count * 8), *after = testing_alloc(count * 8);
        foehn_volume_info info;
        size_t differ = 0;
        for (int s = 1; s <= (testing_is_tiny() ? 1 : 6); s++) {
            const double center[3] = {7.0 * s, 0.5 * 4 * params.ny, -9.0 * s};
            OK(foehn_wind_set_center(w, center));
            OK(foehn_wind_set_center(other, center));
            OK(foehn_wind_step_and_write_volume(w, 0.1f, volume));
            foehn_volume_get_info(volume, &info);
            ck_assert_uint_eq(info.step, (uint64_t)s);
            OK(foehn_volume_read_halves(volume, at_once));
            OK(foehn_wind_write_volume(w, volume));
            OK(foehn_volume_read_halves(volume, after));
            for (size_t i = 0; i < 4 * count; i++) {
                differ += at_once[i] != after[i];
                ck_assert_msg(within_one_half(at_once[i], after[i]),
                              "%s, case %d, step %d, half %zu: %g is not %g", name, n, s, i,
                              (double)foehn_half_to_float(at_once[i]),
                              (double)foehn_half_to_float(after[i]));
            }
            OK(foehn_wind_step(other, 0.1f));
        }
        ck_assert_msg(differ * 1000 <= count, "%s, case %d: %zu halves differ", name, n, differ);
        for (int a = 0; a < 3; a++) {
            float *mine = winds_read(w, (foehn_wind_field)a),
                  *its = winds_read(other, (foehn_wind_field)a);
            for (size_t c = 0; c < count; c++)
                NEAR(mine[c], its[c], 1e-4);
            free(mine);
            free(its);
        }
        free(at_once);
        free(after);
        foehn_volume_destroy(volume);
        foehn_wind_destroy(w);
        foehn_wind_destroy(other);
    }
}
END_TEST

START_TEST(anisotropic_cells_project_as_well)
{
    /* Twice as many layers of half the height: the same air, a comparable divergence. */
    double divergence[2];
    for (int n = 0; n < 2; n++) {
        foehn_wind_params params = winds_sized(testing_is_tiny() ? 6 : 32, n ? 16 : 8, 6);
        params.spacing_vertical = n ? 2 : 4;
        params.sweeps = 40;
        foehn_wind *w = winds_create(params);
        foehn_wind_stats stats;
        OK(foehn_wind_set_measuring(w, 1));
        winds_step(w, testing_is_tiny() ? 2 : 60, 1 / 60.0f);
        OK(foehn_wind_read_stats(w, &stats));
        divergence[n] = stats.mean_abs_divergence;
        testing_report("vertical spacing %d m: mean |div u| %.3g 1/s, residual %.3g of the first",
                       n ? 2 : 4, stats.mean_abs_divergence, stats.pressure_residual);
        ck_assert(stats.pressure_residual < 1);
        foehn_wind_destroy(w);
    }
    ck_assert(divergence[1] < 1e-2);
}
END_TEST

START_TEST(speeds_stay_under_a_limit_that_is_set)
{
    for (int scheme = 0; scheme < 2; scheme++) { /* the staggered one limits components */
        foehn_wind_params params = winds_sized(8, 6, 8);
        winds_set_variant(&params, scheme);
        params.max_speed = 3;
        foehn_wind *w = winds_create(params);
        foehn_wind_stats stats;
        double most = 0;
        winds_step(w, 5, 0.1f);
        OK(foehn_wind_read_stats(w, &stats));
        for (int a = 0; a < 3; a++) {
            float *u = winds_read(w, (foehn_wind_field)a);
            for (size_t c = 0; c < winds_cells(w); c++)
                most = fmax(most, fabs((double)u[c]));
            free(u);
        }
        NEAR(scheme ? most : stats.max_speed, 3, 1e-5);
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(a_value_that_is_not_finite_is_named_with_step_and_cell)
{
    /* Written into cell (4, 2, 3), in the staggered scheme it spoils its faces and so its
     * neighbours. */
    static const char *const cells[2][3] = {{"cell (4, 2, 3)", "cell (4, 2, 3)", "cell (4, 2, 3)"},
                                            {"cell (3, 2, 3)", "cell (4, 1, 3)", "cell (4, 2, 2)"}};
    for (int scheme = 0; scheme < 2; scheme++) {
        foehn_wind_params params = winds_sized(6, 5, 7);
        winds_set_variant(&params, scheme);
        foehn_wind *w = winds_create(params);
        foehn_wind_stats stats;
        winds_step(w, 3, 0.1f);
        OK(foehn_wind_read_stats(w, &stats));
        const float bad[] = {NAN, INFINITY, -INFINITY};
        const char *const names[] = {"u = ", "v = ", "w = "};
        for (int a = 0; a < 3; a++) {
            float *f = winds_read(w, (foehn_wind_field)a);
            float good = f[(3 * 5 + 2) * 6 + 4];
            f[(3 * 5 + 2) * 6 + 4] = bad[a];
            OK(foehn_wind_write(w, (foehn_wind_field)a, f));
            FAILS(FOEHN_ERROR_UNSTABLE, cells[scheme][a], foehn_wind_read_stats(w, &stats));
            ck_assert_ptr_nonnull(strstr(foehn_last_error(), "step 3"));
            ck_assert_ptr_nonnull(strstr(foehn_last_error(), names[a]));
            f[(3 * 5 + 2) * 6 + 4] = good;
            OK(foehn_wind_write(w, (foehn_wind_field)a, f));
            OK(foehn_wind_read_stats(w, &stats));
            free(f);
        }
        foehn_wind_destroy(w);
    }
}
END_TEST

/* A back-trace from such a cell leads nowhere; it must not lead out of the buffers. */
START_TEST(a_step_survives_values_that_are_not_finite)
{
    const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
    for (int scheme = 0; scheme < (testing_is_tiny() ? 2 : WINDS_VARIANTS); scheme++)
        for (int sides = 0; sides < 2; sides++)
            for (size_t n = 0; n < (testing_is_tiny() ? 2 : sizeof bad / sizeof *bad); n++) {
                foehn_wind_params params = winds_sized(6, 5, 7);
                const char *name = winds_set_variant(&params, scheme);
                params.sides = (foehn_wind_sides)sides;
                foehn_wind *w = winds_create(params);
                foehn_wind_stats stats;
                for (int a = 0; a < 3; a++) {
                    float *f = winds_read(w, (foehn_wind_field)a);
                    f[100 + a] = bad[n];
                    OK(foehn_wind_write(w, (foehn_wind_field)a, f));
                    free(f);
                }
                winds_step(w, 3, 0.1f);
                foehn_status status = foehn_wind_read_stats(w, &stats);
                ck_assert_msg(status == FOEHN_ERROR_UNSTABLE || isfinite(bad[n]),
                              "%s, sides %d, %g: %s", name, sides, (double)bad[n],
                              foehn_status_name(status));
                foehn_wind_destroy(w);
            }
}
END_TEST

/* Flat and over a hill: the largest |div u| is what was asked for, in more cycles than are made
 * without. */
START_TEST(cycles_go_on_until_the_divergence_is_small_enough)
{
    foehn_wind_params params = winds_sized(24, 12, 20);
    for (int method = FOEHN_WIND_PRESSURE_MULTIGRID; method <= FOEHN_WIND_PRESSURE_MGCG; method++)
        for (int hilly = 0; hilly < 2; hilly++) {
            params.pressure = (foehn_wind_pressure)method;
            double worst[2];
            uint64_t cycles[2];
            for (int n = 0; n < 2; n++) {
                params.divergence = n ? 1e-5f : 0;
                foehn_wind *w = winds_create(params);
                foehn_wind_info info;
                foehn_wind_stats stats;
                if (hilly)
                    winds_put_hill(w, 0.5 * params.ny * (double)params.spacing_vertical);
                winds_step(w, 4, 0.2f);
                OK(foehn_wind_set_measuring(w, 1));
                winds_step(w, 1, 0.2f);
                OK(foehn_wind_read_stats(w, &stats));
                foehn_wind_get_info(w, &info);
                worst[n] = stats.max_abs_divergence * (double)params.spacing_horizontal /
                           (double)params.state.u10;
                cycles[n] = info.cycles;
                if (n)
                    ck_assert(stats.pressure_residual < 0.1);
                foehn_wind_destroy(w);
            }
            testing_report("method %d, %s: largest |div u| h/u10 %.2g in %llu cycles, %.2g in %llu",
                           method, hilly ? "hill" : "flat", worst[0], (unsigned long long)cycles[0],
                           worst[1], (unsigned long long)cycles[1]);
            ck_assert_uint_eq(cycles[0], 5);
            ck_assert(cycles[1] > 5 && cycles[1] < 60);
            ck_assert(worst[0] > 1e-5 &&
                      worst[1] <= 1.5e-5); /* a projected field rounds once more */
        }
    /* Without wind there is nothing to be a share of. */
    params.state.u10 = 0;
    params.divergence = 1e-5f;
    foehn_wind *w = winds_create(params);
    winds_step(w, 3, 0.2f);
    foehn_wind_destroy(w);
}
END_TEST

void add_wind_steps_tests(TCase *tests)
{
    tcase_add_test(tests, cycles_go_on_until_the_divergence_is_small_enough);
    tcase_add_test(tests, fresh_cells_start_from_the_profile);
    tcase_add_test(tests, solid_cells_lie_under_the_ground_and_stand_still);
    tcase_add_test(tests, a_change_of_state_takes_effect_smoothly);
    tcase_add_test(tests, two_runs_have_the_same_bits);
    tcase_add_test(tests, any_size_of_grid_works);
    tcase_add_test(tests, the_passes_of_gpus_do_what_those_of_cpus_do);
    tcase_add_test(tests, a_step_that_publishes_is_a_step_and_publishes_it);
    tcase_add_test(tests, anisotropic_cells_project_as_well);
    tcase_add_test(tests, speeds_stay_under_a_limit_that_is_set);
    tcase_add_test(tests, a_value_that_is_not_finite_is_named_with_step_and_cell);
    tcase_add_test(tests, a_step_survives_values_that_are_not_finite);
}
