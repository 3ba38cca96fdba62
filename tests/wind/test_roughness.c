/* SPDX-License-Identifier: MIT */
/* Ground of several roughnesses under the momentum model and under the mass-consistent one. */
#include "wind/over.h"

#define U10 8.9f
#define SMOOTH 0.03f
#define ROUGH 0.3f

/* Flat ground, smooth in the west and rough from `edge` of the box on. */
static foehn_wind *make(foehn_wind_model model, int nx, int ny, int nz, float h, float hy,
                        double edge)
{
    foehn_wind_params p = over_box(model, nx, ny, nz, h, hy);
    p.state.from = 270;
    p.state.u10 = U10;
    p.state.gustiness = 0;
    p.noise_amplitude = 0;
    p.z0 = SMOOTH;
    foehn_wind *wind = over_ground(p, NULL);
    float *z0 = calloc((size_t)nx, sizeof *z0), *heights = calloc((size_t)nx, sizeof *heights);
    for (int i = 0; i < nx; i++)
        z0[i] = i + 0.5 < edge * nx ? SMOOTH : ROUGH;
    foehn_terrain terrain = {.nx = nx,
                             .nz = 1,
                             .origin = {0.5 * (double)h, 0},
                             .spacing = {(double)h, 1},
                             .heights = heights,
                             .z0 = z0};
    OK(foehn_wind_set_terrain(wind, &terrain));
    free(z0);
    free(heights);
    return wind;
}

/* u* of the log law under the lowest cell's middle. */
static double friction_at(foehn_wind *wind, double x, double z0)
{
    return 0.4 * over_speed_at(wind, x, 1) / log((1 + z0) / z0);
}

/* Elliott (1958): ln d (ln d - 1) = 0.16 (x / z02) (2 / (1 - 0.5 M / ln d)) is close to d = 0.75
 * (x/z02)^0.8; the stress follows from the wind that is as upwind at the top of the layer d z02. */
static double elliott(double x, double z01, double z02)
{
    double top = 0.75 * pow(x / z02, 0.8);
    return 1 - log(z01 / z02) / log(top);
}

START_TEST(behind_a_step_in_roughness_friction_overshoots_and_settles)
{
    const double edge = 800, h = 40,
                 before = 0.4 * (double)U10 / log((10 + (double)SMOOTH) / (double)SMOOTH);
    const int nx = testing_is_tiny() ? 32 : 120;
    foehn_wind *wind = make(FOEHN_WIND_MOMENTUM, nx, 32, 8, (float)h, 8, edge / (nx * h));
    for (int n = 0; n < (testing_is_tiny() ? 2 : 400); n++)
        OK(foehn_wind_step(wind, 1000));
    if (testing_is_tiny()) {
        foehn_wind_destroy(wind);
        return;
    }
    double upwind = friction_at(wind, 0.5 * edge, (double)SMOOTH) / before;
    double near = friction_at(wind, edge + 0.5 * h, (double)ROUGH) / before;
    double one = friction_at(wind, edge + 1000, (double)ROUGH) / before;
    double three = friction_at(wind, edge + 3000, (double)ROUGH) / before;
    testing_report("u* over that upwind: %.3f before the step, %.3f at 20 m, %.3f at 1 km (Elliott "
                   "%.3f), %.3f at 3 km "
                   "(Elliott %.3f)",
                   upwind, near, one, elliott(1000, (double)SMOOTH, (double)ROUGH), three,
                   elliott(3000, (double)SMOOTH, (double)ROUGH));
    NEAR(upwind, 1, 0.01);
    ck_assert(near > 1.1 * one);
    NEAR(one / elliott(1000, (double)SMOOTH, (double)ROUGH), 1, 0.05);
    NEAR(three / one, 1, 0.05);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(a_mass_consistent_wind_has_the_profile_of_each_columns_roughness)
{
    const double h = 50, z01 = (double)SMOOTH, z02 = (double)ROUGH;
    foehn_wind *wind = make(FOEHN_WIND_FORCING, 64, 32, 8, (float)h, 5, 0.5);
    foehn_wind_solution solution;
    OK(foehn_wind_solve(wind, 1e-4, 100, &solution));
    /* Far from the step, whose displacement of air spreads over the depth of the box. */
    for (double d = 5; d <= 40; d *= 2) {
        double upwind = (double)U10 * log(d / z01) / log(10 / z01);
        double over = (double)U10 * log(60 / z01) / log(10 / z01) * log(d / z02) / log(60 / z02);
        double west = over_speed_at(wind, 200, d), east = over_speed_at(wind, 3000, d);
        testing_report("at %2.0f m: %.2f of %.2f m/s over the smooth, %.2f of %.2f over the rough",
                       d, west, upwind, east, over);
        NEAR(west / upwind, 1, 0.06);
        NEAR(east / over, 1, 0.06);
        NEAR(east / west / (over / upwind), 1, 0.09);
    }
    ck_assert(fabs(solution.mass_imbalance) < 1e-4);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(one_roughness_from_a_map_is_that_of_the_parameters)
{
    float at[2][3];
    for (int n = 0; n < 2; n++) {
        foehn_wind *wind = make(FOEHN_WIND_FORCING, 8, 8, 8, 20, 5, n == 0 ? 2 : 0.5);
        foehn_wind_solution solution;
        if (n == 1)
            OK(foehn_wind_set_roughness(wind, NULL));
        OK(foehn_wind_solve(wind, 1e-4, 100, &solution));
        for (int i = 0; i < 3; i++)
            at[n][i] = (float)over_speed_at(wind, 40 * i + 20, 7);
        foehn_wind_destroy(wind);
    }
    for (int i = 0; i < 3; i++)
        NEAR(at[0][i], at[1][i], 2e-5);
}
END_TEST

START_TEST(roughness_that_is_none_is_refused)
{
    float zero = 0, z0[2] = {0.1f, 0};
    foehn_wind *wind = make(FOEHN_WIND_FORCING, 8, 8, 8, 20, 5, 0.5);
    foehn_terrain bad = {.nx = 1, .nz = 1, .spacing = {1, 1}, .heights = &zero, .z0 = &zero};
    FAILS(FOEHN_ERROR_ARGUMENT, "roughness length 0 m at sample (0, 0)",
          foehn_wind_set_terrain(wind, &bad));
    bad = (foehn_terrain){.nx = 2, .nz = 1, .spacing = {1, 1}, .heights = z0};
    FAILS(FOEHN_ERROR_ARGUMENT, "roughness length 0 m at sample (1, 0)",
          foehn_wind_set_roughness(wind, &bad));
    foehn_wind_destroy(wind);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("roughness", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, behind_a_step_in_roughness_friction_overshoots_and_settles);
    tcase_add_test(tests, a_mass_consistent_wind_has_the_profile_of_each_columns_roughness);
    tcase_add_test(tests, one_roughness_from_a_map_is_that_of_the_parameters);
    tcase_add_test(tests, roughness_that_is_none_is_refused);
    return testing_end();
}
