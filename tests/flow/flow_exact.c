/* SPDX-License-Identifier: MIT */
/* The flow lab: exact solutions, order of convergence, the cavity. */
#include "flow/flows.h"

/* ---- exact solutions ---- */

START_TEST(a_uniform_flow_stays_uniform)
{
    foehn_flow_params p = flows_ring(testing_is_tiny() ? 12 : 32, 1);
    p.start[0] = 0.7f;
    p.start[1] = -0.4f;
    foehn_flow *f = flows_create(&p);
    flows_step(f, flows_few(30), 0.02);
    float *u = flows_read(f, FOEHN_FLOW_U), *v = flows_read(f, FOEHN_FLOW_V);
    for (size_t i = 0; i < foehn_flow_get_field_size(f, FOEHN_FLOW_U); i++)
        NEAR(u[i], 0.7f, 1e-6); /* rounding of 30 steps */
    for (size_t i = 0; i < foehn_flow_get_field_size(f, FOEHN_FLOW_V); i++)
        NEAR(v[i], -0.4f, 1e-6);
    free(u);
    free(v);
    foehn_flow_destroy(f);

    p = flows_stream(testing_is_tiny() ? 18 : 40, testing_is_tiny() ? 10 : 24, 0.5f);
    f = flows_create(&p);
    flows_step(f, flows_few(30), 0.02);
    NEAR(flows_stats(f).max_speed, 0.5, 1e-7);
    NEAR(flows_stats(f).max_div_h_over_u, 0,
         1e-6); /* rounding, where a driver fuses multiply and add */
    foehn_flow_destroy(f);
}
END_TEST

/* A box of water under a force.  Without viscosity: with it, the step's own push rubs at the walls:
 * see the scene box. */
static foehn_flow_params water_under_a_force(void)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = 48;
    p.ny = 27;
    p.force[1] = -1;
    p.viscosity = 0;
    p.cycles = 12;
    return p;
}

START_TEST(water_at_rest_under_a_force_stays_at_rest)
{
    foehn_flow_params p = water_under_a_force();
    foehn_flow *f = flows_create(&p);
    flows_step(f, 60, 1.0 / 60);
    NEAR(flows_stats(f).max_speed, 0, 2e-6);
    double points[4] = {0.3, 0.1, 0.3, 0.9}, out[6];
    OK(foehn_flow_read_points(f, 2, points, out));
    NEAR((out[2] - out[5]) / 0.8, 1, 1e-5); /* 1 of pressure for 1 of depth */
    foehn_flow_destroy(f);
}
END_TEST

/* rms error of u after time 1, nu = 0.01; the decay of the energy as an effective viscosity. */
static double taylor_green(int n, int count, foehn_flow_splitting splitting, double *viscosity)
{
    const double nu = 0.01, time = 1, h = 2 * PI / n;
    foehn_flow_params p = flows_ring(n, 2 * PI);
    p.viscosity = (float)nu;
    p.splitting = splitting;
    foehn_flow *f = flows_create(&p);
    size_t nx = (size_t)n;
    float *u = testing_alloc((nx + 1) * nx * sizeof *u),
          *v = testing_alloc((nx + 1) * nx * sizeof *v);
    for (size_t j = 0; j < nx; j++)
        for (size_t i = 0; i <= nx; i++)
            u[j * (nx + 1) + i] = (float)(cos((double)i * h) * sin(((double)j + 0.5) * h));
    for (size_t j = 0; j <= nx; j++)
        for (size_t i = 0; i < nx; i++)
            v[j * nx + i] = (float)(-sin(((double)i + 0.5) * h) * cos((double)j * h));
    OK(foehn_flow_write(f, FOEHN_FLOW_U, u));
    OK(foehn_flow_write(f, FOEHN_FLOW_V, v));
    double before = flows_stats(f).kinetic_energy, sum = 0;
    flows_step(f, count, time / count);
    *viscosity = -log(flows_stats(f).kinetic_energy / before) / (4 * time);
    OK(foehn_flow_read(f, FOEHN_FLOW_U, u));
    for (size_t j = 0; j < nx; j++)
        for (size_t i = 0; i < nx; i++) {
            double exact = cos((double)i * h) * sin(((double)j + 0.5) * h) * exp(-2 * nu * time);
            sum += pow((double)u[j * (nx + 1) + i] - exact, 2);
        }
    free(u);
    free(v);
    foehn_flow_destroy(f);
    return sqrt(sum / (double)(nx * nx));
}

/* The splitting into stages is of first order in time, so dt goes with h^2 here. */
START_TEST(taylor_green_is_of_second_order_in_space)
{
    double nu, coarse = taylor_green(16, 25, FOEHN_FLOW_PLAIN, &nu);
    double fine = taylor_green(32, 100, FOEHN_FLOW_PLAIN, &nu);
    double finest = taylor_green(64, 400, FOEHN_FLOW_PLAIN, &nu);
    testing_report("Taylor-Green rms error %.3e, %.3e, %.3e: order %.2f, %.2f", coarse, fine,
                   finest, log2(coarse / fine), log2(fine / finest));
    ck_assert_double_ge(log2(coarse / fine), 1.8);
    ck_assert_double_ge(log2(fine / finest), 1.8);
}
END_TEST

START_TEST(taylor_green_fades_by_the_viscosity_alone)
{
    double nu;
    taylor_green(128, 1000, FOEHN_FLOW_PLAIN, &nu);
    testing_report("Taylor-Green 128^2: effective viscosity %.6f for 0.01", nu);
    NEAR(nu, 0.01, 0.0002);
}
END_TEST

/* What the splitting adds to the viscosity, dt / 8 when plain, fades with dt^2 when reflected. */
START_TEST(reflection_is_of_second_order_in_time)
{
    double limit, plain, nu[2];
    taylor_green(64, 320, FOEHN_FLOW_REFLECTION, &limit);
    taylor_green(64, 20, FOEHN_FLOW_PLAIN, &plain);
    taylor_green(64, 10, FOEHN_FLOW_REFLECTION, &nu[0]);
    taylor_green(64, 20, FOEHN_FLOW_REFLECTION, &nu[1]);
    double order = log2(fabs(nu[0] - limit) / fabs(nu[1] - limit));
    testing_report("added viscosity at dt 1/20: %.2e plain, %.2e reflected, order %.2f",
                   plain - limit, nu[1] - limit, order);
    NEAR((plain - limit) / (0.05 / 8), 1, 0.2);
    ck_assert_double_le(fabs(nu[1] - limit), 0.2 * (plain - limit));
    ck_assert_double_ge(order, 1.7);
}
END_TEST

/* At rest under a force the two pressures must make up that of the depth. */
START_TEST(reflection_keeps_the_pressure)
{
    foehn_flow_params p = water_under_a_force();
    p.splitting = FOEHN_FLOW_REFLECTION;
    foehn_flow *f = flows_create(&p);
    flows_step(f, 60, 1.0 / 60);
    NEAR(flows_stats(f).max_speed, 0, 2e-6);
    double points[4] = {0.3, 0.1, 0.3, 0.9}, out[6];
    OK(foehn_flow_read_points(f, 2, points, out));
    NEAR((out[2] - out[5]) / 0.8, 1, 1e-5);
    foehn_flow_destroy(f);
}
END_TEST

START_TEST(couette_flow_is_a_straight_line)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = 8;
    p.ny = 32;
    p.sides[FOEHN_FLOW_LEFT].kind = p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_PERIODIC;
    p.sides[FOEHN_FLOW_TOP].speed = 1;
    p.viscosity = 0.1f;
    foehn_flow *f = flows_create(&p);
    flows_step(f, 1500, 0.02);
    float *u = flows_read(f, FOEHN_FLOW_U);
    for (int j = 0; j < 32; j++)
        NEAR(u[j * 9 + 3], (j + 0.5) / 32, 2e-5);
    free(u);
    foehn_flow_destroy(f);
}
END_TEST

/* Largest error of u over the peak of a channel flow driven by a force. */
static double poiseuille(int n)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = 4;
    p.ny = n;
    p.sides[FOEHN_FLOW_LEFT].kind = p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_PERIODIC;
    p.viscosity = 0.1f;
    p.force[0] = 0.8f; /* peak f H^2 / (8 nu) = 1 */
    foehn_flow *f = flows_create(&p);
    flows_step(f, 1000, 0.02);
    float *u = flows_read(f, FOEHN_FLOW_U);
    double worst = 0;
    for (int j = 0; j < n; j++) {
        double y = (j + 0.5) / n;
        worst = fmax(worst, fabs((double)u[j * 5 + 2] - 4 * y * (1 - y)));
    }
    free(u);
    foehn_flow_destroy(f);
    return worst;
}

START_TEST(poiseuille_flow_is_of_second_order)
{
    double coarse = poiseuille(4), fine = poiseuille(8);
    testing_report("Poiseuille error %.3e, %.3e: order %.2f", coarse, fine, log2(coarse / fine));
    ck_assert_double_ge(log2(coarse / fine), 1.8);
}
END_TEST

/* ---- cavity: own second-order Richardson columns at Re 100, see doc/validation-flow.md ---- */

static double at_fraction(const float *line, int n, int stride, double place)
{
    double g = place * n - 0.5; /* cubic through four centres */
    int j = (int)floor(g);
    j = j < 1 ? 1 : j > n - 3 ? n - 3 : j;
    double t = g - j;
    const float *q = line + (ptrdiff_t)(j - 1) * stride;
    return (double)q[0] * (-t * (t - 1) * (t - 2) / 6) +
           (double)q[stride] * ((t + 1) * (t - 1) * (t - 2) / 2) +
           (double)q[2 * stride] * (-(t + 1) * t * (t - 2) / 2) +
           (double)q[3 * stride] * ((t + 1) * t * (t - 1) / 6);
}

static double cavity_100(int n)
{
    static const double y[15] = {.9766, .9688, .9609, .9531, .8516, .7344, .6172, .5,
                                 .4531, .2813, .1719, .1016, .0703, .0625, .0547};
    static const double x[15] = {.9688, .9609, .9531, .9453, .9063, .8594, .8047, .5,
                                 .2344, .2266, .1563, .0938, .0781, .0703, .0625};
    static const double u_ref[15] = {.8437,  .7920,  .7405,  .6910,  .2366,  .0042,  -.1388, -.2092,
                                     -.2140, -.1577, -.1018, -.0644, -.0466, -.0420, -.0372};
    static const double v_ref[15] = {-.0622, -.0780, -.0934, -.1085, -.1771, -.2337, -.2536, .0575,
                                     .1796,  .1794,  .1648,  .1264,  .1118,  .1036,  .0948};
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = p.ny = n;
    p.viscosity = 0.01f;
    p.sides[FOEHN_FLOW_TOP].speed = 1;
    p.cycles = 2;
    foehn_flow *f = flows_create(&p);
    flows_step(f, 60 * n, 0.25 / n);
    float *u = flows_read(f, FOEHN_FLOW_U), *v = flows_read(f, FOEHN_FLOW_V);
    double worst = 0;
    for (int k = 0; k < 15; k++) {
        worst = fmax(worst, fabs(at_fraction(u + n / 2, n, n + 1, y[k]) - u_ref[k]));
        worst = fmax(worst, fabs(at_fraction(v + n / 2 * n, n, 1, x[k]) - v_ref[k]));
    }
    free(u);
    free(v);
    foehn_flow_destroy(f);
    return worst;
}

START_TEST(the_cavity_at_re_100_follows_the_reference)
{
    double coarse = cavity_100(32), fine = cavity_100(64);
    testing_report("cavity Re 100: largest error %.4f (32^2), %.4f (64^2)", coarse, fine);
    ck_assert_double_le(fine, 0.005);
    ck_assert_double_ge(coarse / fine, 3);
}
END_TEST

void add_flow_exact_tests(TCase *tests)
{
    tcase_add_test(tests, a_uniform_flow_stays_uniform);
    tcase_add_test(tests, water_at_rest_under_a_force_stays_at_rest);
    tcase_add_test(tests, reflection_keeps_the_pressure);
    tcase_add_test(tests, reflection_is_of_second_order_in_time);
    tcase_add_test(tests, couette_flow_is_a_straight_line);
    tcase_add_test(tests, poiseuille_flow_is_of_second_order);
    tcase_add_test(tests, taylor_green_is_of_second_order_in_space);
    tcase_add_test(tests, taylor_green_fades_by_the_viscosity_alone);
    tcase_add_test(tests, the_cavity_at_re_100_follows_the_reference);
}
