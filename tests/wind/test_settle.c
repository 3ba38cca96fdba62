/* SPDX-License-Identifier: MIT */
/* Steady winds: run to rest, read, saved and resumed. */
#include "wind/over.h"

#define U10 8.0f
#define Z0 0.03f
#define FRICTION (0.4 * (double)U10 / log((10 + (double)Z0) / (double)Z0))

enum { NX = 22, NY = 14, NZ = 18 };
static const float h = 30, hy = 6;

static float hill(double x, double z)
{
    double r = hypot(x - 0.45, z - 0.5);
    return (float)(0.2 + 4 * exp(-40 * r * r));
}

static foehn_wind *make(float from, float (*height)(double x, double z))
{
    foehn_wind_params p = over_box(FOEHN_WIND_MOMENTUM, NX, NY, NZ, h, hy);
    p.state.from = from;
    p.state.u10 = U10;
    p.z0 = Z0;
    return over_ground(p, height);
}

static void steps(foehn_wind *wind, int count)
{
    for (int n = 0; n < count; n++)
        OK(foehn_wind_step(wind, 1000));
}

static float *read_field(foehn_wind *wind, foehn_wind_field field)
{
    float *out = testing_alloc(sizeof *out * NX * NY * NZ);
    OK(foehn_wind_read(wind, field, out));
    return out;
}

static char *state_of(foehn_wind *wind, size_t *size)
{
    *size = foehn_wind_get_checkpoint_size(wind);
    char *bytes = testing_alloc(*size);
    OK(foehn_wind_read_checkpoint(wind, *size, bytes));
    return bytes;
}

/* k = u*^2 / sqrt(Cmu), eps = u*^3 / (0.4 (d + z0)), nu = 0.4 u* (d + z0): by hand. */
START_TEST(the_undisturbed_wind_has_the_turbulence_of_its_log_law)
{
    foehn_wind *wind = make(270, NULL);
    const double u = FRICTION, k = u * u / sqrt(0.03);
    float *energy = read_field(wind, FOEHN_WIND_K),
          *decay = read_field(wind, FOEHN_WIND_DISSIPATION);
    float *viscosity = read_field(wind, FOEHN_WIND_VISCOSITY);
    for (size_t c = 0; c < NX * NY * NZ; c++) {
        double d = ((double)(c / NX % NY) + 0.5) * (double)hy;
        NEAR(energy[c], k, 1e-4 * k);
        NEAR(decay[c] * 0.4 * (d + (double)Z0) / pow(u, 3), 1, 1e-3);
        if (d > 3 * (double)hy) /* the mean of two faces, each of the logarithmic mean of its cells'
                                   lengths */
            NEAR(viscosity[c] / (0.4 * u * (d + (double)Z0)), 1, 0.03);
    }
    const double points[3][3] = {
        {300, 13, 200}, {310, 31, 260}, {-50, 55, 90}}; /* the last one is outside */
    float at[3][2], wind_at[3][4];
    OK(foehn_wind_read_turbulence(wind, 3, points[0], at[0]));
    OK(foehn_wind_read_points(wind, 0, 3, points[0], wind_at[0]));
    for (int n = 0; n < 3; n++) {
        NEAR(at[n][0], k, 1e-4 * k);
        NEAR(at[n][1] / (0.4 * u * (points[n][1] + (double)Z0)), 1, 0.05);
        NEAR(wind_at[n][3], sqrt(2 * k / 3) / (double)wind_at[n][0], 1e-4);
    }
    free(energy);
    free(decay);
    free(viscosity);
    foehn_wind_destroy(wind);
}
END_TEST

/* Where it blows to, and of the size u*^2. */
START_TEST(the_ground_takes_its_stress_along_the_wind)
{
    static const struct {
        float from;
        double x, z;
    } winds[] = {{270, 1, 0}, {180, 0, -1}, {225, 0.7071, -0.7071}};
    for (int n = 0; n < 3; n++) {
        foehn_wind *wind = make(winds[n].from, NULL);
        float stress[NZ][NX][3];
        OK(foehn_wind_read_stress(wind, &stress[0][0][0]));
        for (int k = 0; k < NZ; k++)
            for (int i = 0; i < NX; i++) {
                NEAR(stress[k][i][2], FRICTION, 0.01 * FRICTION);
                NEAR(stress[k][i][0], winds[n].x * FRICTION * FRICTION, 0.02 * FRICTION * FRICTION);
                NEAR(stress[k][i][1], winds[n].z * FRICTION * FRICTION, 0.02 * FRICTION * FRICTION);
            }
        foehn_wind_destroy(wind);
    }
    /* Over a hill: more on its crest than in its lee; its part along the vertical is left out of
     * two numbers. */
    foehn_wind *wind = make(270, hill);
    float stress[NZ][NX][3];
    steps(wind, 20);
    OK(foehn_wind_read_stress(wind, &stress[0][0][0]));
    for (int k = 0; k < NZ; k++)
        for (int i = 0; i < NX; i++)
            ck_assert(hypot((double)stress[k][i][0], (double)stress[k][i][1]) <=
                      1.00001 * pow((double)stress[k][i][2], 2));
    ck_assert(stress[NZ / 2][9][2] > 1.2f * stress[NZ / 2][14][2]);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(reading_between_steps_changes_nothing)
{
    foehn_wind *a = make(300, hill), *b = make(300, hill);
    const double point[3] = {300, 20, 250};
    float at[4], stress[NZ][NX][3];
    for (int n = 0; n < 4; n++) {
        steps(a, 1);
        steps(b, 1);
        free(read_field(b, FOEHN_WIND_VISCOSITY));
        free(read_field(b, FOEHN_WIND_K));
        free(read_field(b, FOEHN_WIND_U));
        OK(foehn_wind_read_turbulence(b, 1, point, at));
        OK(foehn_wind_read_stress(b, &stress[0][0][0]));
    }
    size_t size, other;
    char *ours = state_of(a, &size), *theirs = state_of(b, &other);
    float *u = read_field(a, FOEHN_WIND_U), *v = read_field(b, FOEHN_WIND_U);
    ck_assert_uint_eq(size, other);
    ck_assert(memcmp(u, v, sizeof *u * NX * NY * NZ) == 0);
    free(ours);
    free(theirs);
    free(u);
    free(v);
    foehn_wind_destroy(a);
    foehn_wind_destroy(b);
}
END_TEST

typedef struct watch {
    int calls, stop_after;
    foehn_wind_settling last;
} watch;

static int see(const foehn_wind_settling *s, void *data)
{
    watch *w = data;
    w->last = *s;
    return ++w->calls == w->stop_after;
}

START_TEST(a_wind_over_flat_ground_settles_as_soon_as_it_may)
{
    foehn_wind *wind = make(270, NULL);
    watch seen = {0, 0, {{0}, 0, 0, 0, 0}};
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    foehn_wind_settling s;
    p.least_flushes = 0.7;
    p.report = see;
    p.data = &seen;
    OK(foehn_wind_settle(wind, &p, &s));
    ck_assert_int_eq(s.settled, 1);
    ck_assert(s.flushes >= 0.7 && s.flushes < 1.3);
    ck_assert(s.drift < 0.005 && s.unrest < 0.005);
    ck_assert_uint_eq(s.progress.steps, 10u * (unsigned)seen.calls);
    ck_assert(memcmp(&seen.last, &s, sizeof s) == 0);
    /* It is at rest already. */
    const uint64_t steps_then = s.progress.steps;
    OK(foehn_wind_settle(wind, &p, &s));
    ck_assert_int_eq(s.settled, 1);
    ck_assert_uint_eq(s.progress.steps, steps_then);
    /* Another wind is another field. */
    foehn_wind_state other = {.u10 = U10, .from = 180, .gustiness = 0};
    OK(foehn_wind_set_state(wind, &other));
    OK(foehn_wind_settle(wind, &p, &s));
    ck_assert_int_eq(s.settled, 1);
    ck_assert(s.progress.steps > steps_then);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(settling_ends_where_it_is_told_to)
{
    foehn_wind *wind = make(270, hill);
    watch seen = {0, 2, {{0}, 0, 0, 0, 0}};
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    foehn_wind_settling s;
    p.report = see;
    p.data = &seen;
    OK(foehn_wind_settle(wind, &p, &s)); /* by the caller */
    ck_assert_uint_eq(s.progress.steps, 20);
    ck_assert_int_eq(s.settled, 0);
    p.report = NULL;
    p.most_steps = 13; /* by the number of steps */
    OK(foehn_wind_settle(wind, &p, &s));
    ck_assert_uint_eq(s.progress.steps, 33);
    ck_assert_int_eq(s.settled, 0);
    p.most_steps = 1000; /* by time */
    p.least_flushes = 0;
    p.most_flushes = s.flushes / 2;
    OK(foehn_wind_settle(wind, &p, &s));
    ck_assert_uint_eq(s.progress.steps, 33);
    foehn_wind_destroy(wind);
}
END_TEST

/* Interrupted anywhere, it comes to rest at the same step with the same bits. */
START_TEST(a_resumed_wind_settles_bit_for_bit)
{
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    p.drift = 0.04;
    p.most_steps = testing_is_tiny() ? 30 : 400;
    foehn_wind *whole = make(240, hill);
    foehn_wind_settling s, again;
    OK(foehn_wind_settle(whole, &p, &s));
    size_t size;
    char *want = state_of(whole, &size);
    testing_report("settled %d after %llu steps, %.2f flushes, drift %.4f, unrest %.4f", s.settled,
                   (unsigned long long)s.progress.steps, s.flushes, s.drift, s.unrest);
    if (!testing_is_tiny())
        ck_assert_int_eq(s.settled, 1);
    for (int cut = 10; cut < (int)s.progress.steps; cut += testing_is_tiny() ? 10 : 30) {
        foehn_wind *first = make(240, hill), *second = make(240, hill);
        foehn_wind_settle_params part = p;
        part.most_steps = (uint64_t)cut;
        OK(foehn_wind_settle(first, &part, NULL));
        size_t saved_size, end_size;
        char *saved = state_of(first, &saved_size);
        steps(second, 7); /* whatever it did before is forgotten */
        OK(foehn_wind_write_checkpoint(second, saved_size, saved));
        part.most_steps = p.most_steps - (uint64_t)cut;
        OK(foehn_wind_settle(second, &part, &again));
        ck_assert_uint_eq(again.progress.steps, s.progress.steps);
        ck_assert_int_eq(again.settled, s.settled);
        char *got = state_of(second, &end_size);
        ck_assert_uint_eq(end_size, size);
        ck_assert_msg(memcmp(want, got, size) == 0, "cut at step %d", cut);
        free(saved);
        free(got);
        foehn_wind_destroy(first);
        foehn_wind_destroy(second);
    }
    free(want);
    foehn_wind_destroy(whole);
}
END_TEST

/* Every byte of a checkpoint that is changed is seen, and another closure's is another wind's. */
START_TEST(damaged_checkpoints_of_steady_winds_are_refused)
{
    foehn_wind *wind = make(270, hill);
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    p.most_steps = 10;
    OK(foehn_wind_settle(wind, &p, NULL));
    size_t size, again;
    char *good = state_of(wind, &size), *bad = testing_alloc(size);
    for (size_t n = 0; n < size; n += n < 1024 ? 3 : 977) {
        memcpy(bad, good, size);
        bad[n] = (char)(bad[n] ^ 0x40);
        ck_assert(foehn_wind_write_checkpoint(wind, size, bad) == FOEHN_ERROR_ARGUMENT);
    }
    char *still = state_of(wind, &again);
    ck_assert_uint_eq(size, again);
    ck_assert(memcmp(good, still, size) == 0);
    foehn_wind_params q = over_box(FOEHN_WIND_MOMENTUM, NX, NY, NZ, h, hy);
    q.z0 = Z0;
    q.closure = FOEHN_WIND_K_LENGTH;
    foehn_wind *other;
    OK(foehn_wind_create(context, &q, &other));
    FAILS(FOEHN_ERROR_ARGUMENT, "other parameters", foehn_wind_write_checkpoint(other, size, good));
    free(still);
    free(good);
    free(bad);
    foehn_wind_destroy(other);
    foehn_wind_destroy(wind);
}
END_TEST

START_TEST(what_is_only_of_steady_winds_is_said)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.nx = params.ny = params.nz = 8;
    foehn_wind *wind;
    OK(foehn_wind_create(context, &params, &wind));
    float out[8 * 8 * 8];
    const double point[3] = {0, 10, 0};
    FAILS(FOEHN_ERROR_ARGUMENT, "no turbulence closure", foehn_wind_read(wind, FOEHN_WIND_K, out));
    FAILS(FOEHN_ERROR_ARGUMENT, "no turbulence closure",
          foehn_wind_read(wind, FOEHN_WIND_VISCOSITY, out));
    FAILS(FOEHN_ERROR_ARGUMENT, "unknown", foehn_wind_read(wind, (foehn_wind_field)199, out));
    FAILS(FOEHN_ERROR_ARGUMENT, "no turbulence closure", foehn_wind_read_stress(wind, out));
    FAILS(FOEHN_ERROR_ARGUMENT, "no turbulence closure",
          foehn_wind_read_turbulence(wind, 1, point, out));
    FAILS(FOEHN_ERROR_ARGUMENT, "no steady state", foehn_wind_settle(wind, NULL, NULL));
    foehn_wind_destroy(wind);

    wind = make(270, NULL);
    foehn_wind_settle_params p = foehn_wind_settle_params_default();
    p.height = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "height = 0 m", foehn_wind_settle(wind, &p, NULL));
    p = foehn_wind_settle_params_default();
    p.drift = 1;
    FAILS(FOEHN_ERROR_ARGUMENT, "drift = 1", foehn_wind_settle(wind, &p, NULL));
    p = foehn_wind_settle_params_default();
    p.most_flushes = 0.5;
    FAILS(FOEHN_ERROR_ARGUMENT, "flushes", foehn_wind_settle(wind, &p, NULL));
    p = foehn_wind_settle_params_default();
    p.most_steps = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "most_steps", foehn_wind_settle(wind, &p, NULL));
    memset(&p, 0, sizeof p);
    FAILS(FOEHN_ERROR_ARGUMENT, "foehn_wind_settle_params_default",
          foehn_wind_settle(wind, &p, NULL));
    foehn_wind_destroy(wind);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("settle", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, the_undisturbed_wind_has_the_turbulence_of_its_log_law);
    tcase_add_test(tests, the_ground_takes_its_stress_along_the_wind);
    tcase_add_test(tests, reading_between_steps_changes_nothing);
    tcase_add_test(tests, a_wind_over_flat_ground_settles_as_soon_as_it_may);
    tcase_add_test(tests, settling_ends_where_it_is_told_to);
    tcase_add_test(tests, a_resumed_wind_settles_bit_for_bit);
    tcase_add_test(tests, damaged_checkpoints_of_steady_winds_are_refused);
    tcase_add_test(tests, what_is_only_of_steady_winds_is_said);
    return testing_end();
}
