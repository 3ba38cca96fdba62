/* SPDX-License-Identifier: MIT */
/* The LES: what it keeps, that nothing makes it leave the numbers, and that its wind is that of a
 * surface layer. */
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
        ck_assert_msg(stats.max_speed > 5 && stats.max_speed < 60, "ground %d: %g m/s", n,
                      stats.max_speed);
        ck_assert_msg(divergence < 2e-2, "ground %d: divergence %g", n, divergence);
        foehn_wind_destroy(wind);
    }
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
    for (int periodic = 0; periodic < 2; periodic++) {
        foehn_wind_params p = sized(20, 8, 16, 20, 10, 250);
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
        ck_assert_msg(memcmp(saved, again, size) == 0, "periodic %d", periodic);
        free(saved);
        free(again);
        foehn_wind_destroy(a);
        foehn_wind_destroy(b);
    }
}
END_TEST

/* Whole-box momentum along the wind: what the pressure gradient gives and the ground takes. */
START_TEST(a_periodic_box_keeps_its_momentum)
{
    foehn_wind_params p = sized(16, 8, 16, 20, 20, 270);
    p.sides = FOEHN_WIND_SIDES_PERIODIC;
    foehn_wind *wind = over_ground(p, NULL);
    const double friction = 0.4 * (double)U10 / log((10 + 0.1) / 0.1), lid = 8 * 20;
    double mean[2], stress = 0;
    for (int n = 0; n < 2; n++) {
        steps(wind, n ? 1 : 400, 0.5f);
        float *u = read_field(wind, &p, FOEHN_WIND_U);
        mean[n] = 0;
        for (size_t c = 0; c < cells(&p); c++)
            mean[n] += (double)u[c] / (double)cells(&p);
        if (n ==
            0) { /* the stress of the substep to come, from the wind at the second cells' middles */
            float *w = read_field(wind, &p, FOEHN_WIND_W), *v = read_field(wind, &p, FOEHN_WIND_V);
            double law = 0.4 / log((30 + 0.1) / 0.1);
            for (int k = 0; k < p.nz; k++)
                for (int i = 0; i < p.nx; i++) {
                    size_t c = (size_t)(k * p.ny + 1) * (size_t)p.nx + (size_t)i;
                    stress += law * law * hypot((double)u[c], (double)w[c]) * (double)u[c] /
                              (p.nx * p.nz);
                }
            free(v);
            free(w);
        }
        free(u);
    }
    const double given = friction * friction / lid, taken = stress / lid;
    testing_report("gained %.6g, given less taken %.6g m/s2", (mean[1] - mean[0]) / 0.5,
                   given - taken);
    NEAR((mean[1] - mean[0]) / 0.5, given - taken, 0.001 * given);
    foehn_wind_destroy(wind);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("les", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, hard_ground_leaves_finite_numbers_and_no_divergence);
    tcase_add_test(tests, the_same_twice_is_the_same_to_the_bit);
    tcase_add_test(tests, a_resumed_wind_goes_on_bit_for_bit);
    tcase_add_test(tests, a_periodic_box_keeps_its_momentum);
    return testing_end();
}
