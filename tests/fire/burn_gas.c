/* SPDX-License-Identifier: MIT */
/* Fire that burns: one voxel, the flow of a source, what the projection leaves. */
#include "fire/burns.h"

extern const foehn_source foehn_source_fire_combustion;

/* ---- one voxel ---- */

START_TEST(a_voxel_burns_by_its_formula)
{
    const double dt = 1.0 / 30, ambient = 293.15, f0 = 0.03, p0 = 0.2, t0 = 900, soot0 = 0.001;
    foehn_fire_params p = burns_cube(8);
    p.fuel.flame_soot = 0.05f;
    p.fuel.soot_yield = 0.02f;
    foehn_fire *fire = burns_create(&p);
    size_t middle = 4 + 8 * (4 + 8 * 4);
    burns_fill(fire, FOEHN_FIRE_FUEL, (float)f0);
    burns_fill(fire, FOEHN_FIRE_PRODUCTS, (float)p0);
    burns_fill(fire, FOEHN_FIRE_TEMPERATURE, (float)t0);
    burns_fill(fire, FOEHN_FIRE_SOOT, (float)soot0);
    OK(foehn_fire_step(fire));
    double s = (double)p.fuel.air, chi = (double)p.fuel.radiative,
           heat = 1000 * (double)p.fuel.heat;
    double air = 1 - f0 - p0, h = 0.1;
    double diffusivity = 2e-5 * pow(t0 / ambient, 1.75);
    double tau = fmin(h * h / diffusivity, sqrt(2 * h / 9.81)); /* nothing whirls yet */
    double burnt = fmin(f0, air / s) * (1 - exp(-dt / tau));
    double q = 353 / t0 * burnt * heat / dt, cp = 354.6 / 353;
    double fuel = (double)burns_value_at(fire, FOEHN_FIRE_FUEL, middle);
    double products = (double)burns_value_at(fire, FOEHN_FIRE_PRODUCTS, middle);
    double soot = (double)burns_value_at(fire, FOEHN_FIRE_SOOT, middle);
    ck_assert_double_lt(q, 200 / h + 2500); /* the limit is not what is tested */
    NEAR(fuel, f0 - burnt, 1e-6);
    NEAR(products, p0 + (1 + s) * burnt, 1e-6);
    NEAR(soot, soot0 + 0.05 * burnt, 1e-6);
    NEAR(fuel + products - (f0 + p0), s * burnt, 1e-6); /* what air became */
    NEAR((double)burns_value_at(fire, FOEHN_FIRE_HEAT_RELEASE, middle) / q, 1, 1e-5);
    NEAR((double)burns_value_at(fire, FOEHN_FIRE_TEMPERATURE, middle) /
             (t0 + (1 - chi) * burnt * heat / cp),
         1, 1e-6);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(nothing_is_negative_and_fractions_stay_below_one)
{
    foehn_fire_params p = burns_pool();
    foehn_fire *fire = burns_create(&p);
    burns_add_disk(fire, 0.2, 0.03, 400, 0); /* far more than its air */
    for (int n = 0; n < 15; n++)
        OK(foehn_fire_step(fire));
    size_t count;
    float *fuel = burns_read(fire, FOEHN_FIRE_FUEL, &count),
          *products = burns_read(fire, FOEHN_FIRE_PRODUCTS, NULL);
    float *soot = burns_read(fire, FOEHN_FIRE_SOOT, NULL),
          *kelvin = burns_read(fire, FOEHN_FIRE_TEMPERATURE, NULL);
    for (size_t n = 0; n < count; n++) {
        ck_assert(fuel[n] >= 0 && products[n] >= 0 && soot[n] >= 0);
        ck_assert_float_le(fuel[n] + products[n], 1.00001f);
        ck_assert(kelvin[n] > 293 && kelvin[n] <= 2300.1f);
    }
    free(fuel), free(products), free(soot), free(kelvin);
    foehn_fire_destroy(fire);
}
END_TEST

/* ---- expansion ---- */

/* Flux of velocity A through the sides of the box, m3/s. */
static double flux(const foehn_fire *fire)
{
    const foehn_grid *g = &fire->g;
    size_t elements = foehn_grid_elements(g);
    const int n[3] = {g->nx, g->ny, g->nz}, stride[3] = {1, g->sy, g->sz};
    const double h[3] = {fire->spacing[0], fire->spacing[1], fire->spacing[2]};
    double sum = 0;
    float *f = testing_alloc(elements * sizeof *f);
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        OK(foehn_buffer_read(fire->ctx, fire->velocity[0][a], 0, elements * sizeof *f, f));
        for (int j = 0; j < n[b]; j++)
            for (int k = 0; k < n[c]; k++) {
                size_t low = (size_t)(g->sz + g->sy + 8 + j * stride[b] + k * stride[c]);
                sum += ((double)f[low + (size_t)(n[a] * stride[a])] - (double)f[low]) * h[b] * h[c];
            }
    }
    free(f);
    return sum;
}

START_TEST(a_source_flows_out_of_the_box_and_round)
{
    enum { N = 32 };
    const double h = 0.1, radius = 0.25;
    foehn_fire_params p = burns_cube(N);
    p.floor = 0;
    p.cycles = 8;
    p.fuel.flame_soot = p.fuel.soot_yield = 0;
    foehn_fire *fire = burns_create(&p);
    size_t cells = (size_t)N * N * N;
    float *fuel = testing_alloc(cells * sizeof *fuel);
    for (size_t c = 0; c < cells; c++) {
        double x = ((double)(c % N) + 0.5 - N / 2) * h, y = ((double)(c / N % N) + 0.5 - N / 2) * h;
        double z = ((double)(c / N / N) + 0.5 - N / 2) * h;
        fuel[c] = x * x + y * y + z * z < radius * radius ? 0.01f : 0;
    }
    for (int n = 0; n < 2; n++) { /* the second projection has the first burning's expansion */
        OK(foehn_fire_write(fire, FOEHN_FIRE_FUEL, fuel));
        burns_fill(fire, FOEHN_FIRE_PRODUCTS, 0);
        burns_fill(fire, FOEHN_FIRE_TEMPERATURE, 293.15f);
        OK(foehn_fire_step(fire));
    }
    float *s = burns_read(fire, FOEHN_FIRE_EXPANSION, NULL),
          *u = burns_read(fire, FOEHN_FIRE_VELOCITY, NULL);
    double volume = 0, worst = 0;
    for (size_t c = 0; c < cells; c++)
        volume += (double)s[c] * h * h * h;
    ck_assert_double_gt(volume, 1e-3);
    testing_report("source %.5g m3/s, through the sides %.5g", volume, flux(fire));
    NEAR(flux(fire) / volume, 1, 1e-3);
    for (size_t c = 0; c < cells; c++) {
        double at[3] = {((double)(c % N) + 0.5 - N / 2) * h,
                        ((double)(c / N % N) + 0.5 - N / 2) * h,
                        ((double)(c / N / N) + 0.5 - N / 2) * h};
        double r = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]), speed = 0;
        if (r < 2 * radius || r > N * h / 4)
            continue;
        for (size_t a = 0; a < 3; a++)
            speed += at[a] / r * (double)u[3 * c + a];
        worst = fmax(worst, fabs(speed * 4 * 3.14159265358979 * r * r / volume - 1));
    }
    testing_report("u_r differs from V / (4 pi r^2) by %.2f %% at most", 100 * worst);
    ck_assert_double_lt(worst, 0.05);
    free(fuel), free(s), free(u);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(what_is_left_of_the_divergence_is_small_against_the_expansion)
{
    foehn_fire_params p = burns_pool();
    foehn_fire *fire = burns_create(&p);
    foehn_fire_measures m;
    burns_add_disk(fire, 0.2, 0.03, 60, 0);
    for (int n = 0; n < 15; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    testing_report("mean |div A - S| %.3g, mean |S| %.3g 1/s", m.mean_abs_divergence_after,
                   m.mean_abs_expansion);
    ck_assert_double_gt(m.mean_abs_expansion, 0.01);
    ck_assert_double_lt(m.mean_abs_divergence_after, 1e-3 * m.mean_abs_expansion);
    foehn_fire_destroy(fire);
}
END_TEST

/* The two grids divide one box differently. */
START_TEST(an_air_cell_expands_as_what_lies_in_it_on_average)
{
    static const int air[3] = {5, 4, 6}, dye[3] = {8, 7, 9};
    const int wall[3] = {2, 1, 3};
    const double size[3] = {1.2, 0.8, 1.5};
    foehn_grid g = foehn_grid_make(5, 4, 6, 1.2f / 5, 0.8f / 4, 1.5f / 6);
    foehn_grid r = foehn_grid_make(8, 7, 9, 1.2f / 8, 0.8f / 7, 1.5f / 9);
    const size_t cells = foehn_grid_elements(&g), voxels = foehn_grid_elements(&r);
    const foehn_box cell_box = foehn_grid_box(&g, sizeof(float)),
                    voxel_box = foehn_grid_box(&r, sizeof(float));
    float *sdf = testing_alloc(4 * cells * sizeof *sdf),
          *out = testing_alloc(5 * 4 * 6 * sizeof *out);
    float *burnt = testing_alloc((BURNT_EXPANSION + 1) * voxels * sizeof *burnt), made[9][7][8];
    uint64_t random = 31;
    for (size_t c = 0; c < cells; c++)
        sdf[3 * cells + c] = 1;
    sdf[3 * cells + cell_box.offset + (size_t)wall[2] * cell_box.plane_pitch +
        (size_t)wall[1] * cell_box.row_pitch + (size_t)wall[0]] = -1;
    for (int k = 0; k < 9; k++)
        for (int j = 0; j < 7; j++)
            for (int i = 0; i < 8; i++) {
                made[k][j][i] = (float)testing_uniform(&random, 0, 5);
                burnt[BURNT_EXPANSION * voxels + voxel_box.offset +
                      (size_t)k * voxel_box.plane_pitch + (size_t)j * voxel_box.row_pitch +
                      (size_t)i] = made[k][j][i];
            }
    cl_mem buffers[3];
    foehn_kernel gather;
    OK(foehn_buffer_create(context, 4 * cells * sizeof *sdf, &buffers[0]));
    OK(foehn_buffer_create(context, (BURNT_EXPANSION + 1) * voxels * sizeof *burnt, &buffers[1]));
    OK(foehn_buffer_create(context, cells * sizeof(float), &buffers[2]));
    OK(foehn_buffer_write(context, buffers[0], 0, 4 * cells * sizeof *sdf, sdf));
    OK(foehn_buffer_write(context, buffers[1], 0, (BURNT_EXPANSION + 1) * voxels * sizeof *burnt,
                          burnt));
    OK(foehn_kernel_create(context, &foehn_source_fire_combustion, "-DFOEHN_STAGGERED", "gather", 0,
                           &gather));
    OK(LAUNCH(context, gather, ((foehn_size){5, 4, 6}), ARG(g), ARG(r), ARG(buffers[0]),
              ARG(buffers[1]), ARG(buffers[2])));
    OK(foehn_box_read(context, buffers[2], cell_box, out));
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 5; i++) {
                const int cell[3] = {i, j, k};
                double sum = 0;
                for (int n = 0; n < 9 * 7 * 8;
                     n++) { /* the volume that each voxel has in the cell */
                    const int voxel[3] = {n % 8, n / 8 % 7, n / 56};
                    double common = 1;
                    for (int a = 0; a < 3; a++) {
                        double h = size[a] / air[a], d = size[a] / dye[a];
                        double low = fmax(cell[a] * h, voxel[a] * d);
                        double high = fmin((cell[a] + 1) * h, (voxel[a] + 1) * d);
                        common *= fmax(high - low, 0) / h;
                    }
                    sum += common * (double)made[voxel[2]][voxel[1]][voxel[0]];
                }
                bool solid = i == wall[0] && j == wall[1] && k == wall[2];
                NEAR(out[(k * 4 + j) * 5 + i], solid ? 0 : sum, 5 * 2e-6);
            }
    foehn_kernel_destroy(&gather);
    for (int n = 0; n < 3; n++)
        foehn_buffer_destroy(context, &buffers[n]);
    free(sdf), free(out), free(burnt);
}
END_TEST

void add_burn_gas_tests(TCase *tests)
{
    tcase_add_test(tests, a_voxel_burns_by_its_formula);
    tcase_add_test(tests, nothing_is_negative_and_fractions_stay_below_one);
    tcase_add_test(tests, a_source_flows_out_of_the_box_and_round);
    tcase_add_test(tests, what_is_left_of_the_divergence_is_small_against_the_expansion);
    tcase_add_test(tests, an_air_cell_expands_as_what_lies_in_it_on_average);
}
