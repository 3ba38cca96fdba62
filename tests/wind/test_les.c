/* SPDX-License-Identifier: MIT */
/* The LES: what it keeps, that nothing makes it leave the numbers, and that its wind is that of a
 * surface layer. */
#include "wind/les.h"
#include "wind/over.h"

#define U10 8.0f

static foehn_wind_params sized(int nx, int ny, int nz, float h, float hy, float from)
{
    foehn_wind_params p = over_box(FOEHN_WIND_LES, nx, ny, nz, h, hy);
    p.state.u10 = U10;
    p.state.from = from;
    p.z0 = 0.1f;
    p.spin_up = 0;
    return p;
}

static void steps(foehn_wind *wind, int count, float dt)
{
    for (int n = 0; n < count; n++)
        OK(foehn_wind_step(wind, dt));
}

static size_t cells(const foehn_wind_params *p)
{
    return (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
}

static float *read_field(foehn_wind *wind, const foehn_wind_params *p, foehn_wind_field field)
{
    float *values = testing_alloc(cells(p) * sizeof *values);
    OK(foehn_wind_read(wind, field, values));
    return values;
}

/* ---- made-up ground, in cells, by place in the box, 0 to 1 ---- */

static float hill(double x, double z)
{
    double r = hypot(x - 0.4, z - 0.5);
    return (float)(0.2 + 7 * exp(-90 * r * r));
}

/* Single corners, one in thirty, nine cells high. */
static float spikes(double x, double z)
{
    unsigned n = (unsigned)(x * 24 + 0.5) * 7919u + (unsigned)(z * 20 + 0.5) * 104729u;
    n = (n ^ (n >> 7)) * 2654435761u;
    return (n >> 16) % 30 == 0 ? 9.4f : 0.3f;
}

static const struct {
    float (*height)(double, double);
    float h, hy, from;
    foehn_wind_subgrid subgrid;
} hard[] = {
    {over_cliff, 40, 8, 270, FOEHN_WIND_SMAGORINSKY},
    {over_cliff, 4, 4, 92, FOEHN_WIND_MINIMUM_DISSIPATION},
    {over_spike, 40, 8, 225, FOEHN_WIND_SMAGORINSKY},
    {over_rubble, 40, 8, 333, FOEHN_WIND_MINIMUM_DISSIPATION},
    {over_rubble, 400, 80, 90, FOEHN_WIND_SMAGORINSKY},
    {over_ridge_at_the_side, 10, 10, 181, FOEHN_WIND_SMAGORINSKY},
    {spikes, 40, 8, 270, FOEHN_WIND_MINIMUM_DISSIPATION},
};

START_TEST(hard_ground_leaves_finite_numbers_and_no_divergence)
{
    const int cases = testing_is_tiny() ? 1 : (int)(sizeof hard / sizeof hard[0]);
    for (int n = 0; n < cases; n++) {
        foehn_wind_params p = sized(24, 16, 20, hard[n].h, hard[n].hy, hard[n].from);
        p.subgrid = hard[n].subgrid;
        foehn_wind *wind = over_ground(p, hard[n].height);
        foehn_wind_stats stats;
        steps(wind, testing_is_tiny() ? 2 : 60, 0.03f * hard[n].h);
        OK(foehn_wind_read_stats(wind, &stats));
        const double divergence = stats.max_abs_divergence * (double)hard[n].h / stats.max_speed;
        testing_report("ground %d: fastest %.2f m/s, divergence %.2g of it over a cell", n,
                       stats.max_speed, divergence);
        const double at_lid =
            (double)U10 * log(16 * (double)hard[n].hy / 0.1) / log(10 / 0.1); /* undisturbed */
        ck_assert_msg(stats.max_speed > 5 && stats.max_speed < 3 * at_lid,
                      "ground %d: %g m/s, undisturbed at the lid %g", n, stats.max_speed, at_lid);
        ck_assert_msg(divergence < 2e-2, "ground %d: divergence %g", n, divergence);
        foehn_wind_destroy(wind);
    }
}
END_TEST

/* Viscosity that no substep mixes lets it: the numbers stay finite, and measuring them says so. */
START_TEST(a_wind_that_runs_away_is_told)
{
    if (testing_is_tiny())
        return;
    foehn_wind_stats stats;
    foehn_wind *wind = over_ground(sized(24, 16, 20, 40, 8, 270), spikes);
    steps(wind, 2, 1);
    OK(foehn_wind_read_stats(wind, &stats));
    ((struct foehn_les *)wind->own)->l.stiffest = 1e6f;
    steps(wind, 100, 2);
    FAILS(FOEHN_ERROR_UNSTABLE,
          "step 102: the wind has run away: ", foehn_wind_read_stats(wind, &stats));
    FAILS(FOEHN_ERROR_UNSTABLE, "raise the lid", foehn_wind_read_stats(wind, &stats));
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(the_same_twice_is_the_same_to_the_bit)
{
    const foehn_wind_params p = sized(24, 12, 20, 20, 10, 250);
    float *first = NULL;
    for (int n = 0; n < 2; n++) {
        foehn_wind *wind = over_ground(p, hill);
        steps(wind, 3, 1);
        float *u = read_field(wind, &p, FOEHN_WIND_U);
        if (first)
            ck_assert(memcmp(first, u, cells(&p) * sizeof *u) == 0);
        foehn_wind_destroy(wind);
        if (first)
            free(u);
        else
            first = u;
    }
    free(first);
}
END_TEST

START_TEST(a_resumed_wind_goes_on_bit_for_bit)
{
    for (int trial = 0; trial < 3; trial++) {
        const bool periodic = trial == 1;
        foehn_wind_params p = sized(20, 8, 16, 20, 10, 250);
        p.inflow = trial == 2 ? FOEHN_WIND_INFLOW_NOISE : FOEHN_WIND_INFLOW_PRECURSOR;
        p.sides = periodic ? FOEHN_WIND_SIDES_PERIODIC : FOEHN_WIND_SIDES_OPEN;
        foehn_wind *a = over_ground(p, periodic ? NULL : hill),
                   *b = over_ground(p, periodic ? NULL : hill);
        steps(a, 2, 1);
        OK(foehn_wind_set_averaging(a, 1));
        steps(a, 2, 1);
        steps(b, 1, 2);
        size_t size = foehn_wind_get_checkpoint_size(a);
        char *saved = testing_alloc(size), *again = testing_alloc(size);
        OK(foehn_wind_read_checkpoint(a, size, saved));
        OK(foehn_wind_write_checkpoint(b, size, saved));
        steps(a, 3, 1);
        steps(b, 3, 1);
        ck_assert_uint_eq(foehn_wind_get_checkpoint_size(b), size);
        OK(foehn_wind_read_checkpoint(a, size, saved));
        OK(foehn_wind_read_checkpoint(b, size, again));
        ck_assert_msg(memcmp(saved, again, size) == 0, "trial %d", trial);
        free(saved);
        free(again);
        foehn_wind_destroy(a);
        foehn_wind_destroy(b);
    }
}
END_TEST

/* The mean over the box along the wind and across, m/s. */
static void read_mean(foehn_wind *wind, const foehn_wind_params *p, double mean[2])
{
    float *u = read_field(wind, p, FOEHN_WIND_U), *w = read_field(wind, p, FOEHN_WIND_W);
    const double count = (double)cells(p), dx = sin(60 / 57.295779513), dz = -0.5;
    mean[0] = mean[1] = 0;
    for (size_t c = 0; c < cells(p); c++) {
        mean[0] += (dx * (double)u[c] + dz * (double)w[c]) / count;
        mean[1] += (dx * (double)w[c] - dz * (double)u[c]) / count;
    }
    free(u);
    free(w);
}

/* The pressure gradient gives a periodic box what the ground takes, some u*^2, and nothing is lost
 * on the way: the mean over the box stays that of the log law, none across. */
START_TEST(a_periodic_box_keeps_its_momentum)
{
    foehn_wind_params p = sized(16, 8, 16, 20, 20, 240);
    p.sides = FOEHN_WIND_SIDES_PERIODIC;
    foehn_wind *wind = over_ground(p, NULL);
    const double friction = 0.4 * (double)U10 / log((10 + 0.1) / 0.1);
    double first[2], last[2], wanted = 0, taken = 0;
    for (int j = 0; j < p.ny; j++)
        wanted += friction / 0.4 * log((20 * (j + 0.5) + 0.1) / 0.1) / p.ny;
    steps(wind, 1, 0.5f);
    read_mean(wind, &p, first);
    steps(wind, testing_is_tiny() ? 1 : 400, 0.5f);
    read_mean(wind, &p, last);
    float *stress = testing_alloc(3 * (size_t)p.nx * (size_t)p.nz * sizeof *stress);
    OK(foehn_wind_read_stress(wind, stress));
    for (size_t c = 0; c < (size_t)p.nx * (size_t)p.nz; c++)
        taken += hypot((double)stress[3 * c], (double)stress[3 * c + 1]) / (p.nx * p.nz);
    testing_report(
        "mean %.5f of the log law's, %.1e across; in 200 s changed by %.1e and %.1e m/s; "
        "the ground takes %.2f u*^2",
        first[0] / wanted, first[1] / wanted, last[0] - first[0], last[1] - first[1],
        taken / (friction * friction));
    NEAR(first[0] / wanted, 1, 5e-3); /* the noise that it begins with has a mean, too */
    NEAR(first[1] / wanted, 0, 5e-3);
    /* Of the 0.5 m/s that the ground takes in that time. */
    NEAR(last[0], first[0], 5e-4);
    NEAR(last[1], first[1], 5e-4);
    if (!testing_is_tiny())
        NEAR(taken / (friction * friction), 1, 0.5);
    free(stress);
    foehn_wind_destroy(wind);
}
END_TEST

/* From where the ground's stress takes the wind downward, now and in the mean. */
START_TEST(below_the_second_cells_middle_the_wind_is_the_log_law)
{
    const foehn_wind_params p = sized(18, 9, 14, 20, 10, 250);
    foehn_wind *wind = over_ground(p, hill);
    const double heights[] = {15, 9, 4, 0.5};
    enum { HEIGHTS = sizeof heights / sizeof heights[0] };
    double places[HEIGHTS][3];
    float at[HEIGHTS][4];
    for (int n = 0; n < HEIGHTS; n++)
        memcpy(places[n], (double[3]){170, heights[n], 150}, sizeof places[n]);
    steps(wind, 2, 1);
    OK(foehn_wind_set_averaging(wind, 1));
    steps(wind, 3, 1);
    for (int mean = 0; mean < 2; mean++) {
        OK(foehn_wind_read_points(wind, mean, HEIGHTS, places[0], at[0]));
        ck_assert(hypot((double)at[0][0], (double)at[0][2]) > 1);
        for (int n = 1; n < HEIGHTS; n++)
            for (int a = 0; a < 3; a++)
                NEAR(at[n][a], (double)at[0][a] * log(heights[n] / 0.1 + 1) / log(15 / 0.1 + 1),
                     1e-4);
    }
    foehn_wind_destroy(wind);
}
END_TEST

/* The log law in the mean, noise of 3.4 u* that moves on with the wind, and no box beside it. */
START_TEST(noise_comes_in_about_the_log_law)
{
    enum { SAMPLES = 200 };
    foehn_wind_params p = sized(6, 16, 40, 10, 10, 270);
    uint64_t with, without;
    OK(foehn_wind_params_get_memory(&p, &with));
    p.inflow = FOEHN_WIND_INFLOW_NOISE;
    OK(foehn_wind_params_get_memory(&p, &without));
    ck_assert_msg(without < with, "%g bytes, %g with a precursor", (double)without, (double)with);
    if (testing_is_tiny())
        return;
    foehn_wind *wind;
    p.spacing_horizontal = 10;
    OK(foehn_wind_create(context, &p, &wind));
    const double friction = 0.4 * (double)U10 / log((10 + 0.1) / 0.1);
    double mean = 0, square = 0, change = 0;
    float *before = NULL;
    for (int n = 0; n < SAMPLES; n++) {
        steps(wind, 1, 2);
        float *u[3];
        for (int a = 0; a < 3; a++)
            u[a] = read_field(wind, &p, (foehn_wind_field)(FOEHN_WIND_U + a));
        for (int k = 4; k < p.nz - 4; k++) { /* the cells beside the western side, 105 m up */
            const size_t c = (size_t)(k * p.ny + 10) * (size_t)p.nx;
            mean += (double)u[0][c];
            square += (double)u[0][c] * (double)u[0][c] + (double)u[1][c] * (double)u[1][c] +
                      (double)u[2][c] * (double)u[2][c];
            change += before ? fabs((double)u[0][c] - (double)before[c]) : 0;
        }
        free(before);
        before = u[0];
        free(u[1]);
        free(u[2]);
    }
    const double count = SAMPLES * (p.nz - 8.0), law = friction / 0.4 * log((105 + 0.1) / 0.1);
    mean /= count;
    const double rms = sqrt(square / count - mean * mean) / friction;
    testing_report("mean over the log law's %.3f, rms %.2f u*, change in 2 s %.2f u*", mean / law,
                   rms, change / count / friction);
    NEAR(mean / law, 1, 0.08);
    ck_assert_msg(rms > 2.2 && rms < 4.2, "rms %g u*", rms);
    ck_assert_msg(change / count > 0.3 * friction, "changes by %g m/s in 2 s", change / count);
    free(before);
    foehn_wind_destroy(wind);
}
END_TEST

/* Against sums over a twin that keeps no means: k of what is resolved and what is not, the scatter
 * of the speed with the latter, the stress on the ground. */
START_TEST(means_have_what_is_resolved_and_what_is_not)
{
    enum { SAMPLES = 5 };
    const foehn_wind_params p = sized(18, 9, 14, 20, 10, 250);
    const size_t count = cells(&p), columns = (size_t)p.nx * (size_t)p.nz;
    foehn_wind *a = over_ground(p, hill), *b = over_ground(p, hill);
    double *sum = calloc(count * 6, sizeof *sum), *stress = calloc(columns * 3, sizeof *stress);
    float *taken = testing_alloc(columns * 3 * sizeof *taken);
    steps(a, 3, 1);
    steps(b, 3, 1);
    OK(foehn_wind_set_averaging(a, 1));
    for (int n = 0; n < SAMPLES; n++) {
        steps(a, 1, 1);
        steps(b, 1, 1);
        float *u[3], *k = read_field(b, &p, FOEHN_WIND_K);
        for (int d = 0; d < 3; d++)
            u[d] = read_field(b, &p, (foehn_wind_field)(FOEHN_WIND_U + d));
        for (size_t c = 0; c < count; c++) {
            double square = 0;
            for (int d = 0; d < 3; d++) {
                sum[6 * c + (size_t)d] += (double)u[d][c] / SAMPLES;
                square += (double)u[d][c] * (double)u[d][c];
            }
            sum[6 * c + 3] += square / SAMPLES;
            sum[6 * c + 4] += (double)k[c] / SAMPLES;
            sum[6 * c + 5] += sqrt(square) / SAMPLES;
        }
        OK(foehn_wind_read_stress(b, taken));
        for (size_t c = 0; c < 3 * columns; c++)
            stress[c] += (double)taken[c] / SAMPLES;
        for (int d = 0; d < 3; d++)
            free(u[d]);
        free(k);
    }
    float *k = read_field(a, &p, FOEHN_WIND_K), *scatter = read_field(a, &p, FOEHN_WIND_STD_SPEED);
    double most = 0, resolves = 0, unresolved = 0;
    for (size_t c = 0; c < count; c++) {
        const double *of = sum + 6 * c;
        const double resolved = 0.5 * (of[3] - of[0] * of[0] - of[1] * of[1] - of[2] * of[2]);
        NEAR(k[c], resolved + of[4], 1e-3);
        NEAR(scatter[c] * scatter[c], of[3] + of[4] * 2 / 3 - of[5] * of[5], 1e-3);
        most = fmax(most, (double)k[c]);
        resolves = fmax(resolves, resolved);
        unresolved = fmax(unresolved, of[4]);
    }
    ck_assert_msg(unresolved > 0.1 && resolves > 0.1, "k resolved %g, unresolved %g", resolves,
                  unresolved);
    OK(foehn_wind_read_stress(a, taken));
    for (size_t c = 0; c < columns; c++) {
        NEAR(taken[3 * c], stress[3 * c], 1e-4);
        NEAR(taken[3 * c + 1], stress[3 * c + 1], 1e-4);
        /* The length of the mean is at most the mean of the lengths. */
        const double level = hypot((double)taken[3 * c], (double)taken[3 * c + 1]),
                     u = (double)taken[3 * c + 2];
        ck_assert_msg(u * u > level * (1 - 1e-4) && u < 1.2 * stress[3 * c + 2],
                      "u* is %g, the level stress %g", u, level);
    }
    const double place[3] = {130.0, 30, 150.0};
    float turbulence[2];
    OK(foehn_wind_read_turbulence(a, 1, place, turbulence));
    ck_assert_msg(turbulence[0] > 0 && (double)turbulence[0] <= most && turbulence[1] >= 0,
                  "k %g, viscosity %g at a point", (double)turbulence[0], (double)turbulence[1]);
    free(sum);
    free(stress);
    free(taken);
    free(k);
    free(scatter);
    foehn_wind_destroy(a);
    foehn_wind_destroy(b);
}
END_TEST

/* A ridge across the wind, as high as it is half wide. */
static float ridge(double x, double z)
{
    (void)z;
    const double y = 1 - fabs(x - 0.3) / 0.09;
    return (float)(6 * (y > 0 ? y : 0));
}

/* Behind it the air goes backwards in the mean and is never at rest: what it does there is not what
 * came in. */
START_TEST(behind_a_steep_ridge_the_wind_turns_back_and_sheds)
{
    foehn_wind_params p = sized(64, 20, 20, 10, 10, 270);
    foehn_wind *wind = over_ground(p, ridge);
    float *mean = testing_alloc(cells(&p) * sizeof *mean),
          *variance = testing_alloc(cells(&p) * sizeof *variance);
    steps(wind, testing_is_tiny() ? 1 : 100, 2);
    OK(foehn_wind_set_averaging(wind, 1));
    steps(wind, testing_is_tiny() ? 1 : 150, 2);
    OK(foehn_wind_read(wind, FOEHN_WIND_MEAN_U, mean));
    OK(foehn_wind_read(wind, FOEHN_WIND_COVARIANCE_UU, variance));
    /* Two fifths of the ridge's height above the ground, in the middle of the box. */
    const int row = 2, ahead = 4, crest = 19;
    double back = 0, came = 0, shed = 0;
    for (int i = 0; i < p.nx; i++) {
        double u = 0, square = 0;
        for (int k = p.nz / 2 - 2; k < p.nz / 2 + 2; k++) {
            const size_t c = (size_t)(k * p.ny + row) * (size_t)p.nx + (size_t)i;
            u += (double)mean[c] / 4;
            square += (double)variance[c] / 4;
        }
        if (i == ahead)
            came = sqrt(square);
        if (i > crest) {
            back = fmin(back, u);
            shed = fmax(shed, sqrt(square));
        }
    }
    testing_report("u' of %.2f m/s comes in; behind, %.2f m/s backwards and u' of %.2f m/s", came,
                   -back, shed);
    ck_assert_msg(testing_is_tiny() || back < -0.05 * (double)U10, "the mean turns back by %g m/s",
                  -back);
    ck_assert_msg(testing_is_tiny() || shed > 1.5 * came,
                  "u' is %g m/s behind the ridge, %g before it", shed, came);
    foehn_wind_destroy(wind);
    free(mean);
    free(variance);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("les", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, hard_ground_leaves_finite_numbers_and_no_divergence);
    tcase_add_test(tests, a_wind_that_runs_away_is_told);
    tcase_add_test(tests, the_same_twice_is_the_same_to_the_bit);
    tcase_add_test(tests, a_resumed_wind_goes_on_bit_for_bit);
    tcase_add_test(tests, a_periodic_box_keeps_its_momentum);
    tcase_add_test(tests, below_the_second_cells_middle_the_wind_is_the_log_law);
    tcase_add_test(tests, noise_comes_in_about_the_log_law);
    tcase_add_test(tests, means_have_what_is_resolved_and_what_is_not);
    tcase_add_test(tests, behind_a_steep_ridge_the_wind_turns_back_and_sheds);
    return testing_end();
}
