/* SPDX-License-Identifier: MIT */
/* What sweeps and cycles leave of the divergence. */
#include "fire/fires.h"

START_TEST(odd_and_even_sweeps_are_as_many_jacobi_sweeps)
{
    enum { N = 16 };
    for (int sweeps = 1; sweeps <= 4; sweeps++) {
        foehn_fire_params p = fires_quiet();
        p.sweeps = sweeps;
        /* As many sweeps as asked for. */
        p.physics_voxel = FIRE_PHYSICS_VOXEL;
        for (int a = 0; a < 3; a++)
            p.size[a] = N * FIRE_PHYSICS_VOXEL;
        foehn_fire *fire = fires_create(&p);
        float *v = calloc(3 * N * N * N, sizeof *v);
        double *a = calloc(N * N * N, sizeof *a), *b = calloc(N * N * N, sizeof *b);
        for (int n = 0; n < 3 * N * N * N; n++)
            v[n] = (float)sin(n * 0.7 + 0.1 * n / N);
        OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
        OK(foehn_fire_step(fire));
        float *rhs = fires_read(fire, FOEHN_FIRE_DIVERGENCE_BEFORE);
        float *pressure = fires_read(fire, FOEHN_FIRE_PRESSURE);
        double h2 = FIRE_PHYSICS_VOXEL * FIRE_PHYSICS_VOXEL;
        for (int s = 0; s < sweeps; s++) {
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++) {
                        int c = i + N * (j + N * k);
                        double sum = (i > 0 ? a[c - 1] : 0) + (i < N - 1 ? a[c + 1] : 0) +
                                     (j > 0 ? a[c - N] : 0) + (j < N - 1 ? a[c + N] : 0) +
                                     (k > 0 ? a[c - N * N] : 0) + (k < N - 1 ? a[c + N * N] : 0);
                        b[c] = (sum - h2 * (double)rhs[c]) / 6;
                    }
            double *swap = a;
            a = b;
            b = swap;
        }
        for (int c = 0; c < N * N * N; c++)
            NEAR(pressure[c], a[c], 2e-6);
        free(v);
        free(a);
        free(b);
        free(rhs);
        free(pressure);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* Air that a Gaussian source of some voxels' width blows apart. */
static void fires_burst(foehn_fire *fire, int n, double width)
{
    float *v = malloc((size_t)(3 * n * n * n) * sizeof *v);
    for (int c = 0; c < n * n * n; c++) {
        double x = c % n + 0.5 - n / 2.0, y = c / n % n + 0.5 - n / 2.0;
        double z = c / n / n + 0.5 - n / 2.0;
        double s = exp(-(x * x + y * y + z * z) / (2 * width * width));
        v[3 * c] = (float)(0.1 * x * s);
        v[3 * c + 1] = (float)(0.1 * y * s);
        v[3 * c + 2] = (float)(0.1 * z * s);
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
    free(v);
}

/* How much a step lowers mean |div| where a source has blown for some steps: pressure starts from
 * the last step's, as it does in a burning fire. */
static double reduction(foehn_fire_layout layout, foehn_fire_pressure pressure)
{
    foehn_fire_params p = fires_quiet();
    p.size[0] = p.size[1] = p.size[2] = 32 * FIRE_PHYSICS_VOXEL;
    p.physics_voxel = FIRE_PHYSICS_VOXEL;
    p.layout = layout;
    p.pressure = pressure;
    foehn_fire *fire = fires_create(&p);
    foehn_fire_measures m;
    for (int n = 0; n < 20; n++) {
        fires_burst(fire, 32, 2);
        OK(foehn_fire_step(fire));
    }
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
    return m.mean_abs_divergence_before / m.mean_abs_divergence_after;
}

START_TEST(four_sweeps_halve_divergence_and_multigrid_takes_it_to_a_hundredth)
{
    double sweeps = reduction(FOEHN_FIRE_COLLOCATED, FOEHN_FIRE_JACOBI);
    double faces = reduction(FOEHN_FIRE_STAGGERED, FOEHN_FIRE_JACOBI);
    double centers = reduction(FOEHN_FIRE_COLLOCATED, FOEHN_FIRE_MULTIGRID);
    double multigrid = reduction(FOEHN_FIRE_STAGGERED, FOEHN_FIRE_MULTIGRID);
    testing_report("mean |div| falls by: 4 sweeps %.2f (staggered %.2f), multigrid %.2f (staggered "
                   "%.0f)",
                   sweeps, faces, centers, multigrid);
    ck_assert(sweeps >= 2);
    ck_assert(faces >= 2);
    ck_assert(centers >= 2);
    ck_assert(multigrid >= 100);
}
END_TEST

/* What a fire measures that has burnt for so many steps. */
static foehn_fire_measures fires_burning(const foehn_fire_params *p, int steps)
{
    foehn_fire *fire = fires_create(p);
    foehn_fire_measures m;
    fires_light(fire, 0.3, 0.5, 13);
    for (int n = 0; n < steps; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
    return m;
}

START_TEST(multigrid_takes_a_burning_fires_divergence_to_a_hundredth)
{
    foehn_fire_params p = fires_lively(24);
    p.layout = FOEHN_FIRE_STAGGERED;
    p.pressure = FOEHN_FIRE_MULTIGRID;
    foehn_fire_measures m = fires_burning(&p, 40);
    testing_report("a burning fire: mean |div| %.3g -> %.3g 1/s", m.mean_abs_divergence_before,
                   m.mean_abs_divergence_after);
    ck_assert(m.mean_abs_divergence_before >= 100 * m.mean_abs_divergence_after);
}
END_TEST

/* Sweeps of the preset see other wavelengths than its central gradient; wide ones see the same. Any
 * number of them leaves steps stable that start from the last one's pressure. */
START_TEST(wide_sweeps_halve_a_burning_fires_divergence)
{
    for (int sweeps = 1; sweeps <= 5; sweeps++) {
        foehn_fire_params p = fires_lively(24);
        p.pressure = FOEHN_FIRE_WIDE;
        p.sweeps = sweeps;
        foehn_fire_measures m = fires_burning(&p, 60);
        double fall = m.mean_abs_divergence_before / m.mean_abs_divergence_after;
        testing_report("a burning fire, %d wide sweeps: mean |div| falls %.2f-fold, to %.3g 1/s",
                       sweeps, fall, m.mean_abs_divergence_after);
        ck_assert(fall > 1);
        ck_assert(sweeps < 4 || fall >= 2);
    }
    foehn_fire_params p = fires_lively(8);
    foehn_fire *fire = NULL;
    p.pressure = FOEHN_FIRE_WIDE;
    p.layout = FOEHN_FIRE_STAGGERED;
    ck_assert_int_eq(foehn_fire_create(context, &p, &fire), FOEHN_ERROR_ARGUMENT);
    ck_assert(strstr(foehn_last_error(), "collocated"));
}
END_TEST

void add_fire_pressure_tests(TCase *tests)
{
    tcase_add_test(tests, odd_and_even_sweeps_are_as_many_jacobi_sweeps);
    tcase_add_test(tests, four_sweeps_halve_divergence_and_multigrid_takes_it_to_a_hundredth);
    tcase_add_test(tests, multigrid_takes_a_burning_fires_divergence_to_a_hundredth);
    tcase_add_test(tests, wide_sweeps_halve_a_burning_fires_divergence);
}
