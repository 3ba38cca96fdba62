/* SPDX-License-Identifier: MIT */
/* The collocated scheme: its checks, its operators, its sweeps. */
#include "wind/collocated.h"
#include "wind/reference.h"
#include "wind/winds.h"

#define CO(w) foehn_wind_collocated(w)

static foehn_wind_params collocated(int nx, int ny, int nz)
{
    foehn_wind_params params = winds_sized(nx, ny, nz);
    params.scheme = FOEHN_WIND_COLLOCATED;
    return params;
}

static foehn_wind_params collocated_quality(const char *name)
{
    foehn_wind_params params = winds_quality(name);
    params.scheme = FOEHN_WIND_COLLOCATED;
    return params;
}

/* Mean |u| over the slab whose centres are at 10 m, and mean |div u|, by plain loops. */
static void measure(foehn_wind *w, double *speed, double *divergence)
{
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    size_t count = winds_cells(w), slab = 0;
    float *u[3];
    double *div = testing_alloc(count * sizeof *div);
    for (int a = 0; a < 3; a++)
        u[a] = winds_read(w, (foehn_wind_field)a);
    reference_box box = {.nx = info.nx,
                         .ny = info.ny,
                         .nz = info.nz,
                         .hx = info.spacing[0],
                         .hy = info.spacing[1],
                         .hz = info.spacing[2],
                         .solid = testing_alloc(count)};
    reference_divergence(&box, (const float **)(void *)u, div);
    *speed = *divergence = 0;
    for (int k = 0; k < info.nz; k++)
        for (int j = 0; j < info.ny; j++)
            for (int i = 0; i < info.nx; i++) {
                size_t c = reference_cell(&box, i, j, k);
                *divergence += fabs(div[c]) / (double)count;
                if (fabs((j + 0.5) * info.spacing[1] - 10) > 1e-6)
                    continue;
                *speed +=
                    sqrt((double)u[0][c] * (double)u[0][c] + (double)u[1][c] * (double)u[1][c] +
                         (double)u[2][c] * (double)u[2][c]);
                slab++;
            }
    ck_assert(slab > 0);
    *speed /= (double)slab;
    for (int a = 0; a < 3; a++)
        free(u[a]);
    free(div);
    free((void *)(uintptr_t)box.solid);
}

static void check_quality(const char *name)
{
    foehn_wind *w = winds_create(collocated_quality(name));
    winds_step(w, testing_is_tiny() ? 3 : 120, 1 / 60.0f);
    foehn_wind_stats stats;
    double speed, divergence;
    OK(foehn_wind_read_stats(w, &stats));
    measure(w, &speed, &divergence);
    testing_report("%s after 120 steps: mean |u| at 10 m %.3f m/s, mean |div u| %.3g 1/s, most "
                   "%.3g 1/s",
                   name, speed, divergence, stats.max_abs_divergence);
    ck_assert(speed >= 8 && speed <= 12);
    ck_assert(divergence < 1e-2);
    NEAR(stats.mean_speed_10m, speed, 1e-4 * speed);
    NEAR(stats.mean_abs_divergence, divergence, 1e-5);
    ck_assert(stats.max_abs_divergence >= stats.mean_abs_divergence);
    ck_assert(isnan(stats.pressure_residual));
    foehn_wind_destroy(w);
}

START_TEST(check_1_flat_ground_keeps_speed_and_little_divergence)
{
    if (!testing_is_tiny()) {
        check_quality("medium");
        check_quality("high");
        check_quality("ultra");
    }
}
END_TEST

START_TEST(check_9_low_quality_is_inside_the_same_bounds)
{
    check_quality("low");
}
END_TEST

/* Ratio of the residuals before and after a cold solve of lap p = div, with the wind's own kernel:
 * a divergence of one's choice cannot be had by writing velocities. */
static double solve_cold(foehn_wind *w, const float *div, int sweeps)
{
    size_t count = winds_cells(w);
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    OK(foehn_box_write(context, CO(w)->divergence, foehn_grid_box(&w->g, sizeof *div), div));
    OK(foehn_buffer_clear(context, CO(w)->pressure[CO(w)->now_p]));
    for (int n = 0; n < sweeps; n++) {
        OK(LAUNCH(context, CO(w)->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(CO(w)->stencil),
                  ARG(CO(w)->open), ARG(CO(w)->divergence), ARG(CO(w)->pressure[CO(w)->now_p]),
                  ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        CO(w)->now_p = 1 - CO(w)->now_p;
    }
    float *p = winds_read(w, FOEHN_WIND_PRESSURE);
    reference_box box = {.nx = info.nx,
                         .ny = info.ny,
                         .nz = info.nz,
                         .hx = info.spacing[0],
                         .hy = info.spacing[1],
                         .hz = info.spacing[2],
                         .solid = testing_alloc(count)};
    double squares = 0;
    for (int k = 0; k < info.nz; k++)
        for (int j = 0; j < info.ny; j++)
            for (int i = 0; i < info.nx; i++)
                squares += pow(reference_residual(&box, div, p, i, j, k), 2);
    free(p);
    free((void *)(uintptr_t)box.solid);
    return sqrt(squares / (double)count) / winds_rms(div, count);
}

START_TEST(check_4_thirty_sweeps_leave_a_twentyfifth_of_white_divergence)
{
    if (testing_is_tiny())
        return;
    foehn_wind *w = winds_create(collocated_quality("high"));
    size_t count = winds_cells(w);
    float *div = testing_alloc(count * sizeof *div);
    double mean = 0;
    uint64_t random = 51;
    for (size_t i = 0; i < count; i++) {
        double sum = -6; /* twelve uniform numbers: nearly normal */
        for (int n = 0; n < 12; n++)
            sum += testing_uniform(&random, 0, 1);
        div[i] = (float)sum;
        mean += sum / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        div[i] -= (float)mean; /* what flows out must flow in, at Neumann edges all around */
    double white = solve_cold(w, div, 30);

    for (size_t i = 0; i < count; i++)
        div[i] = (float)cos(M_PI * ((double)(i % 64) + 0.5) / 64);
    double smoothest = solve_cold(w, div, 30);
    testing_report("30 sweeps leave %.4f of white divergence, %.4f of the smoothest mode", white,
                   smoothest);
    ck_assert_double_le(white, 0.04);
    NEAR(smoothest, pow((cos(M_PI / 64) + 2) / 3, 30), 1e-3);
    free(div);
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(check_8_central_projection_leaves_its_known_part_of_a_wave)
{
    const struct {
        int wavelength;
        double left;
    } waves[] = {{16, 0.038}, {8, 0.146}, {4, 0.50}};
    for (int axis = 0; axis < (testing_is_tiny() ? 1 : 3); axis += 2)
        for (size_t n = 0; n < sizeof waves / sizeof *waves; n++) {
            int length = testing_is_tiny() ? waves[n].wavelength : 32;
            foehn_wind_params params = axis ? collocated(4, 3, length) : collocated(length, 3, 4);
            params.sides = FOEHN_WIND_SIDES_PERIODIC;
            params.sweeps = testing_is_tiny() ? 500 : 1000;
            params.relaxation = 0;
            params.state = (foehn_wind_state){.u10 = 0, .from = 270, .gustiness = 0};
            foehn_wind *w = winds_create(params);
            size_t count = winds_cells(w);
            float *u = testing_alloc(count * sizeof *u);
            for (size_t c = 0; c < count; c++) {
                size_t along = axis ? c / (4 * 3) : c % (size_t)length;
                u[c] = (float)sin(2 * M_PI * (double)along / waves[n].wavelength);
            }
            OK(foehn_wind_write(w, axis ? FOEHN_WIND_W : FOEHN_WIND_U, u));
            float *before = winds_read(w, FOEHN_WIND_DIVERGENCE);
            OK(foehn_wind_step(w, 1e-6f));
            float *after = winds_read(w, FOEHN_WIND_DIVERGENCE);
            double left = winds_rms(after, count) / winds_rms(before, count);
            testing_report("waves of %d cells along %c: %.4f of the divergence is left",
                           waves[n].wavelength, "xyz"[axis], left);
            NEAR(left, waves[n].left, 0.05 * waves[n].left);
            free(u);
            free(before);
            free(after);
            foehn_wind_destroy(w);
        }
}
END_TEST

START_TEST(divergence_is_what_the_hand_works_out)
{
    enum { N = 27 };
    foehn_wind_params params = collocated(3, 3, 3);
    params.spacing_horizontal = 2;
    params.spacing_vertical = 4;
    foehn_wind *w = winds_create(params);
    float u[N], v[N], x[N], div[N];
    for (int c = 0; c < N; c++) {
        u[c] = (float)(c % 3);
        v[c] = 1;
        x[c] = (float)(5 * (c / 9));
    }
    OK(foehn_wind_write(w, FOEHN_WIND_U, u));
    OK(foehn_wind_write(w, FOEHN_WIND_V, v));
    OK(foehn_wind_write(w, FOEHN_WIND_W, x));
    OK(foehn_wind_read(w, FOEHN_WIND_DIVERGENCE, div));
    for (int c = 0; c < N; c++) {
        int i = c % 3, j = c / 3 % 3, k = c / 9;
        /* Along x and z, spacing 2: half the slope at open sides, where the ghost is the cell. */
        float du = i == 1 ? 0.5f : 0.25f, dw = k == 1 ? 2.5f : 1.25f;
        /* Along y, spacing 4: mirrored at floor and lid. */
        float dv = j == 0 ? 0.25f : j == 2 ? -0.25f : 0;
        ck_assert_msg(div[c] == du + dv + dw, "cell (%d, %d, %d): %g", i, j, k, (double)div[c]);
    }
    /* One solid cell: the middle of the lowest layer. */
    float heights[9] = {0, 0, 0, 0, 3, 0, 0, 0, 0};
    foehn_terrain terrain = {
        .nx = 3, .nz = 3, .origin = {-1, -1}, .spacing = {2, 2}, .heights = heights};
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    terrain.origin[0] = info.origin[0] + 1;
    terrain.origin[1] = info.origin[2] + 1;
    OK(foehn_wind_set_terrain(w, &terrain));
    OK(foehn_wind_read(w, FOEHN_WIND_SOLID, u));
    for (int c = 0; c < N; c++)
        ck_assert(u[c] == (c == 9 + 1 ? 1.0f : 0.0f));
    for (int c = 0; c < N; c++)
        u[c] = 1, v[c] = 0, x[c] = 0;
    OK(foehn_wind_write(w, FOEHN_WIND_U, u));
    OK(foehn_wind_write(w, FOEHN_WIND_V, v));
    OK(foehn_wind_write(w, FOEHN_WIND_W, x));
    OK(foehn_wind_read(w, FOEHN_WIND_DIVERGENCE, div));
    for (int c = 0; c < N; c++) /* into the solid from the west; away from it to the east */
        ck_assert(div[c] == (c == 9 ? -0.5f : c == 9 + 2 ? 0.5f : 0.0f));
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(warm_starts_make_the_residual_small)
{
    foehn_wind *w =
        winds_create(testing_is_tiny() ? collocated(6, 4, 6) : collocated_quality("low"));
    foehn_wind_stats stats;
    OK(foehn_wind_set_measuring(w, 1));
    winds_step(w, testing_is_tiny() ? 2 : 60, 1 / 60.0f);
    OK(foehn_wind_read_stats(w, &stats));
    ck_assert(stats.pressure_residual > 0 && stats.pressure_residual < 1);
    OK(foehn_wind_set_measuring(w, 0));
    OK(foehn_wind_step(w, 1 / 60.0f));
    OK(foehn_wind_read_stats(w, &stats));
    ck_assert(isnan(stats.pressure_residual));
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(a_step_is_few_launches)
{
    foehn_wind_params params = collocated(8, 4, 8);
    foehn_wind *w = winds_create(params);
    winds_step(w, 1, 0.1f);
    uint64_t before = foehn_context_get_launches(context);
    winds_step(w, 10, 0.1f);
    double each = (double)(foehn_context_get_launches(context) - before) / 10;
    testing_report("%g launches a step with 12 sweeps", each);
    ck_assert_double_le(each, 17);
    foehn_wind_destroy(w);
}
END_TEST

void add_wind_collocated_tests(TCase *tests)
{
    tcase_add_test(tests, check_1_flat_ground_keeps_speed_and_little_divergence);
    tcase_add_test(tests, check_9_low_quality_is_inside_the_same_bounds);
    tcase_add_test(tests, check_4_thirty_sweeps_leave_a_twentyfifth_of_white_divergence);
    tcase_add_test(tests, check_8_central_projection_leaves_its_known_part_of_a_wave);
    tcase_add_test(tests, divergence_is_what_the_hand_works_out);
    tcase_add_test(tests, warm_starts_make_the_residual_small);
    tcase_add_test(tests, a_step_is_few_launches);
}
