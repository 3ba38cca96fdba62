/* SPDX-License-Identifier: MIT */
/* The momentum model: what it keeps, what it balances, and that nothing makes it leave the numbers.
 */
#include "wind/over.h"

#define U10 8.9f

static double log_speed(double d, double z0)
{
    return (double)U10 * log((d + z0) / z0) / log((10 + z0) / z0);
}

/* A wind over heights at the corners of cells; NULL: flat ground at 0. */
static foehn_wind *make(int nx, int ny, int nz, float h, float hy, float from, float z0,
                        float (*height)(double x, double z))
{
    foehn_wind_params p = over_box(FOEHN_WIND_MOMENTUM, nx, ny, nz, h, hy);
    p.state.from = from;
    p.state.u10 = U10;
    p.z0 = z0;
    return over_ground(p, height);
}

static void steps(foehn_wind *wind, int count)
{
    for (int n = 0; n < count; n++)
        OK(foehn_wind_step(wind, 1000));
}

/* Wind and k over u*^2 in the middle of the box at a height. */
static void read_at(foehn_wind *wind, double x, double z, double height, double *speed, double *k)
{
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    const double at[3] = {info.origin[0] + x * info.extent[0], height,
                          info.origin[2] + z * info.extent[2]};
    float out[4];
    OK(foehn_wind_read_points(wind, 0, 1, at, out));
    *speed = hypot((double)out[0], (double)out[2]);
    *k = 1.5 * pow((double)out[3] * *speed, 2);
}

/* The log law, its k and its eps are the solution of the discrete equations: nothing happens to
 * them. */
static void profile_stays(float h, float hy, float from, float z0, float (*height)(double, double),
                          double most)
{
    foehn_wind *wind = make(24, 16, 20, h, hy, from, z0, height);
    const double friction = 0.4 * (double)U10 / log((10 + (double)z0) / (double)z0);
    steps(wind, testing_is_tiny() ? 2 : 60);
    for (int n = 0; n < 12; n++) {
        double d = (0.7 + n) * (double)hy, speed, k;
        read_at(wind, 0.15 + 0.06 * n, 0.5, d, &speed, &k);
        NEAR(speed / log_speed(d, (double)z0), 1, most);
        NEAR(k / (friction * friction) * sqrt(0.03), 1, 3 * most);
    }
    foehn_wind_destroy(wind);
}

START_TEST(the_undisturbed_column_stays_on_flat_ground_at_any_spacing)
{
    profile_stays(40, 8, 250, 0.03f, NULL, 0.003);
    profile_stays(20, 4, 180, 0.0003f, NULL, 0.003);
    profile_stays(10, 1, 45, 0.5f, NULL, 0.01);
}
END_TEST

static float sliver(double x, double z)
{
    (void)x;
    (void)z;
    return 0.96f;
}

static float half(double x, double z)
{
    (void)x;
    (void)z;
    return 0.38f;
}

START_TEST(ground_that_cuts_cells_anywhere_keeps_it_too)
{
    profile_stays(40, 8, 300, 0.03f, sliver, 0.01);
    profile_stays(40, 8, 300, 0.03f, half, 0.01);
}
END_TEST

/* ---- made-up ground, in cells, by place in the box, 0 to 1; flat at the sides ---- */

static float pit(double x, double z)
{
    return fabs(x - 0.5) < 0.03 && fabs(z - 0.5) < 0.03 ? 0.1f : 4.4f;
}

static const struct {
    float (*height)(double, double);
    float h, hy, from;
} hard[] = {
    {over_cliff, 40, 8, 270},
    {over_cliff, 4, 4, 92},
    {over_spike, 40, 8, 225},
    {pit, 40, 4, 10},
    {over_rubble, 40, 8, 333},
    {over_rubble, 400, 80, 90},
    {over_ridge_at_the_side, 40, 8, 270},
    {over_ridge_at_the_side, 10, 10, 181},
};

START_TEST(hard_ground_leaves_finite_numbers_and_no_divergence)
{
    const int cases = testing_is_tiny() ? 1 : (int)(sizeof hard / sizeof hard[0]);
    for (int n = 0; n < cases; n++) {
        foehn_wind *wind =
            make(24, 16, 20, hard[n].h, hard[n].hy, hard[n].from, 0.03f, hard[n].height);
        foehn_wind_stats stats;
        steps(wind, testing_is_tiny() ? 2 : 80);
        OK(foehn_wind_read_stats(wind, &stats));
        testing_report("ground %d: fastest %.2f m/s, divergence %.2g of it over a cell", n,
                       stats.max_speed,
                       stats.max_abs_divergence * (double)hard[n].h / stats.max_speed);
        ck_assert_msg(stats.max_speed > 5 && stats.max_speed < 60, "ground %d: %g m/s", n,
                      stats.max_speed);
        ck_assert_msg(stats.max_abs_divergence * (double)hard[n].h < 1e-3 * stats.max_speed,
                      "ground %d: divergence %g", n, stats.max_abs_divergence);
        foehn_wind_destroy(wind);
    }
}
END_TEST

/* Two grounds of tests/validation/hard_ground.c: pits of a corner, shafts of 2 x 2 cells and five
 * deep, over which one multigrid cycle a step let the wind grow; and noise with open cells on an
 * inflow side that lead nowhere. */
static double random_at(int i, int k, unsigned seed)
{
    unsigned n = (unsigned)i * 7919u + (unsigned)k * 104729u + seed * 2654435761u;
    n = (n ^ (n >> 13)) * 2246822519u;
    n = (n ^ (n >> 15)) * 3266489917u;
    return (n ^ (n >> 16)) / 4294967296.0;
}

static float shafts(double x, double z)
{
    return random_at((int)floor(x * 32), (int)floor(z * 28), 47) > 0.95 ? 0.1f : 5.4f;
}

static float dead_ends(double x, double z)
{
    return 0.1f + 7 * (float)random_at((int)floor(x * 32), (int)floor(z * 28), 27);
}

static void mass_is_balanced(float hy, float from, float (*height)(double, double))
{
    foehn_wind *wind = make(32, 20, 28, 40, hy, from, 0.03f, height);
    foehn_wind_progress progress;
    foehn_wind_stats stats;
    steps(wind, testing_is_tiny() ? 2 : 60);
    OK(foehn_wind_get_progress(wind, &progress));
    OK(foehn_wind_read_stats(wind, &stats));
    testing_report("fastest %.1f m/s, mass out of balance by %.1e", stats.max_speed,
                   progress.mass_imbalance);
    if (!testing_is_tiny()) {
        ck_assert(stats.max_speed < 60);
        ck_assert(fabs(progress.mass_imbalance) < 1e-5);
    }
    foehn_wind_destroy(wind);
}

START_TEST(shafts_let_no_wind_grow_and_dead_ends_no_mass_in)
{
    mass_is_balanced(40, 93, shafts);
    mass_is_balanced(8, 180, dead_ends);
}
END_TEST

static float hill(double x, double z)
{
    double r = hypot(x - 0.5, z - 0.5);
    return (float)(0.2 + 8 * exp(-150 * r * r));
}

START_TEST(wind_speeds_up_over_a_hill_and_is_slower_behind_it)
{
    foehn_wind *wind = make(48, 24, 32, 20, 8, 270, 0.03f, hill);
    double front, top, lee, k;
    steps(wind, testing_is_tiny() ? 2 : 150);
    read_at(wind, 0.1, 0.5, 10, &front, &k);
    read_at(wind, 0.5, 0.5, 10, &top, &k);
    read_at(wind, 0.62, 0.5, 10, &lee, &k);
    testing_report("at 10 m: %.2f before, %.2f on, %.2f m/s behind the hill", front, top, lee);
    if (!testing_is_tiny()) {
        ck_assert(top > 1.3 * front);
        ck_assert(lee < 0.7 * front);
    }
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(the_same_twice_is_the_same_to_the_bit)
{
    const size_t count = 24 * 16 * 20;
    float *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    for (int n = 0; n < 2; n++) {
        foehn_wind *wind = make(24, 16, 20, 40, 8, 300, 0.03f, hill);
        steps(wind, 3);
        OK(foehn_wind_read(wind, FOEHN_WIND_U, n ? b : a));
        foehn_wind_destroy(wind);
    }
    ck_assert(memcmp(a, b, count * sizeof *a) == 0);
    free(a);
    free(b);
}
END_TEST

static float gentle(double x, double z)
{
    double r = hypot(x - 0.45, z - 0.5);
    return (float)(0.2 + 5 * exp(-40 * r * r));
}

/* The wind at 20 m over 16 x 16 places. */
static void read_places(foehn_wind *wind, float *out)
{
    double places[256][3];
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    for (int n = 0; n < 256; n++) {
        places[n][0] = info.origin[0] + (n % 16 + 0.5) / 16 * info.extent[0];
        places[n][1] = 20;
        places[n][2] = info.origin[2] + (n / 16 + 0.5) / 16 * info.extent[2];
    }
    OK(foehn_wind_read_points(wind, 0, 256, &places[0][0], out));
}

/* Steps until a wind stands still, and that wind. */
static uint64_t rest(foehn_wind *wind, float *out)
{
    foehn_wind_settling so_far;
    OK(foehn_wind_settle(wind, NULL, &so_far));
    ck_assert_int_eq(so_far.settled, 1);
    read_places(wind, out);
    return so_far.progress.steps;
}

static double apart(const float *a, const float *b, double grow)
{
    double sum = 0, whole = 0;
    for (int n = 0; n < 256; n++)
        for (int i = 0; i < 3; i++) {
            sum += pow((double)a[4 * n + i] - grow * (double)b[4 * n + i], 2);
            whole += pow(grow * (double)b[4 * n + i], 2);
        }
    return sqrt(sum / whole);
}

START_TEST(another_direction_starts_from_the_last_and_comes_to_the_same_rest)
{
    if (testing_is_tiny())
        return;
    static float fresh[256][4], turned[256][4], grown[256][4];
    foehn_wind *wind = make(32, 16, 28, 40, 10, 258, 0.03f, gentle);
    uint64_t cold = rest(wind, fresh[0]);
    foehn_wind_destroy(wind);
    wind = make(32, 16, 28, 40, 10, 250, 0.03f, gentle);
    uint64_t before = rest(wind, turned[0]);
    foehn_wind_state state;
    foehn_wind_get_state(wind, &state);
    state.from = 258;
    OK(foehn_wind_set_state(wind, &state));
    steps(wind, 1);
    read_places(wind, turned[0]);
    double begin = apart(turned[0], fresh[0], 1);
    uint64_t warm = rest(wind, turned[0]) - before;
    double difference = apart(turned[0], fresh[0], 1);
    printf("measured: at rest after %d steps, after a turn of 8 degrees, which begins %.2g apart, "
           "after %d, %.2g apart\n",
           (int)cold, begin, (int)warm, difference);
    ck_assert(warm < cold);
    ck_assert_double_lt(begin, 0.04);
    ck_assert_double_lt(difference, 0.005);
    /* Neutral air only grows: nothing is left to be found out. */
    state.u10 *= 1.5f;
    OK(foehn_wind_set_state(wind, &state));
    steps(wind, 10);
    rest(wind, grown[0]);
    ck_assert_double_lt(apart(grown[0], turned[0], 1.5), 0.003);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(what_the_model_does_not_do_is_said)
{
    foehn_wind_params p = foehn_wind_params_default();
    foehn_wind *wind;
    foehn_wind_solution solution;
    p.model = FOEHN_WIND_MOMENTUM;
    p.scheme = FOEHN_WIND_COLLOCATED;
    FAILS(FOEHN_ERROR_ARGUMENT, "staggered", foehn_wind_create(context, &p, &wind));
    wind = make(8, 8, 8, 40, 8, 270, 0.03f, NULL);
    FAILS(FOEHN_ERROR_ARGUMENT, "foehn_wind_solve", foehn_wind_solve(wind, 1e-3, 10, &solution));
    float z0 = -1;
    foehn_terrain map = {.nx = 1, .nz = 1, .spacing = {1, 1}, .heights = &z0};
    FAILS(FOEHN_ERROR_ARGUMENT, "roughness length", foehn_wind_set_roughness(wind, &map));
    foehn_wind_destroy(wind);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("momentum", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, the_undisturbed_column_stays_on_flat_ground_at_any_spacing);
    tcase_add_test(tests, ground_that_cuts_cells_anywhere_keeps_it_too);
    tcase_add_test(tests, hard_ground_leaves_finite_numbers_and_no_divergence);
    tcase_add_test(tests, shafts_let_no_wind_grow_and_dead_ends_no_mass_in);
    tcase_add_test(tests, wind_speeds_up_over_a_hill_and_is_slower_behind_it);
    tcase_add_test(tests, the_same_twice_is_the_same_to_the_bit);
    tcase_add_test(tests, another_direction_starts_from_the_last_and_comes_to_the_same_rest);
    tcase_add_test(tests, what_the_model_does_not_do_is_said);
    return testing_end();
}
