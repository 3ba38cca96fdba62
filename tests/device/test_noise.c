/* SPDX-License-Identifier: MIT */
/* Noise, logarithm and log profile on the host. */
#include "testing.h"

/* A point of the lattice: a cell and a fraction that keeps a stencil of +-margin inside the cell,
 * where the noise is one polynomial. */
typedef struct place {
    int i, j, k;
    double x, y, z;
} place;

static place random_place(uint64_t *random, double margin)
{
    place p;
    p.i = (int)(testing_random(random) % 20000) - 10000;
    p.j = (int)(testing_random(random) % 20000) - 10000;
    p.k = (int)(testing_random(random) % 20000) - 10000;
    p.x = testing_uniform(random, margin, 1 - margin);
    p.y = testing_uniform(random, margin, 1 - margin);
    p.z = testing_uniform(random, margin, 1 - margin);
    return p;
}

static foehn_noise_d perlin(place p)
{
    foehn_noise_d n;
    foehn_perlin_d(p.i, p.j, p.k, p.x, p.y, p.z, &n);
    return n;
}

static place moved(place p, int axis, double by)
{
    double *x[3] = {&p.x, &p.y, &p.z};
    *x[axis] += by;
    return p;
}

/* Value or a derivative of the noise. */
static double part(place p, int which)
{
    foehn_noise_d n = perlin(p);
    const double parts[4] = {n.value, n.dx, n.dy, n.dz};
    return parts[which];
}

/* Central difference of sixth order: exact up to rounding for the noise, which is of degree 6 in
 * each coordinate. */
static double slope(place p, int which, int axis, double h)
{
    double a = part(moved(p, axis, h), which) - part(moved(p, axis, -h), which);
    double b = part(moved(p, axis, 2 * h), which) - part(moved(p, axis, -2 * h), which);
    double c = part(moved(p, axis, 3 * h), which) - part(moved(p, axis, -3 * h), which);
    return (45 * a - 9 * b + c) / (60 * h);
}

/* Second derivatives in closed form, from the definition: noise = sum over corners of
 * W(x) W(y) W(z) g . (r - c), W the fade or one minus it. */
static void hessian(place p, double h[3][3])
{
    const double r[3] = {p.x, p.y, p.z};
    memset(h, 0, 9 * sizeof(double));
    for (int corner = 0; corner < 8; corner++) {
        const int c[3] = {corner & 1, corner >> 1 & 1, corner >> 2 & 1};
        unsigned hash = foehn_noise_hash(p.i + c[0], p.j + c[1], p.k + c[2]);
        double w[3], d1[3], d2[3], g[3], dot = 0;
        for (int a = 0; a < 3; a++) {
            double t = r[a], sign = c[a] ? 1 : -1;
            double fade = 6 * pow(t, 5) - 15 * pow(t, 4) + 10 * pow(t, 3);
            w[a] = c[a] ? fade : 1 - fade;
            d1[a] = sign * (30 * pow(t, 4) - 60 * pow(t, 3) + 30 * t * t);
            d2[a] = sign * (120 * pow(t, 3) - 180 * t * t + 60 * t);
            g[a] = (2.0 * (hash >> (10 * a) & 1023) - 1023) / 1023;
            dot += g[a] * (t - c[a]);
        }
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, e = (a + 2) % 3;
            h[a][a] += w[b] * w[e] * (d2[a] * dot + 2 * d1[a] * g[a]);
            double mixed = w[e] * (d1[a] * d1[b] * dot + d1[a] * w[b] * g[b] + w[a] * d1[b] * g[a]);
            h[a][b] += mixed;
            h[b][a] += mixed;
        }
    }
}

START_TEST(derivatives_match_finite_differences)
{
    uint64_t random = 11;
    double worst = 0;
    for (int n = 0; n < 10000; n++) {
        place p = random_place(&random, 0.031);
        for (int a = 0; a < 3; a++)
            worst = fmax(worst, fabs(part(p, 1 + a) - slope(p, 0, a, 0.01)));
    }
    testing_report("first derivatives against differences: %.2g", worst);
    ck_assert_double_le(worst, 1e-9);
}
END_TEST

START_TEST(mixed_partials_agree)
{
    uint64_t random = 12;
    double worst = 0, against_closed = 0;
    for (int n = 0; n < 10000; n++) {
        place p = random_place(&random, 0.031);
        double h[3][3];
        hessian(p, h);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double ab = slope(p, 1 + a, b, 0.01), ba = slope(p, 1 + b, a, 0.01);
                worst = fmax(worst, fabs(ab - ba));
                against_closed = fmax(against_closed, fabs(ab - h[a][b]));
            }
    }
    testing_report("mixed partials: apart by %.2g; from the closed form by %.2g", worst,
                   against_closed);
    ck_assert_double_le(worst, 1e-10);
    ck_assert_double_le(against_closed, 1e-9);
}
END_TEST

/* Lattice offsets of three potentials. */
typedef struct offsets {
    int x[3], y[3], z[3];
} offsets;

static offsets random_offsets(uint64_t *random)
{
    offsets o;
    for (int p = 0; p < 3; p++) {
        o.x[p] = (int)(testing_random(random) % 4096);
        o.y[p] = (int)(testing_random(random) % 4096);
        o.z[p] = (int)(testing_random(random) % 4096);
    }
    return o;
}

static foehn_curl_d curl(place p, offsets o)
{
    foehn_curl_d c;
    foehn_curl_noise_d(p.i, p.j, p.k, p.x, p.y, p.z, o.x, o.y, o.z, &c);
    return c;
}

static foehn_curl_f curl_float(place p, offsets o)
{
    foehn_curl_f c;
    foehn_curl_noise_f(p.i, p.j, p.k, (float)p.x, (float)p.y, (float)p.z, o.x, o.y, o.z, &c);
    return c;
}

/* d u_a / d x_a by a sixth-order difference, exact up to rounding inside a cell. */
static double curl_slope(place p, offsets o, int a, double h)
{
    const double weights[3] = {45, -9, 1};
    double sum = 0;
    for (int n = 1; n <= 3; n++) {
        foehn_curl_d up = curl(moved(p, a, n * h), o), down = curl(moved(p, a, -n * h), o);
        const double ups[3] = {up.x, up.y, up.z}, downs[3] = {down.x, down.y, down.z};
        sum += weights[n - 1] * (ups[a] - downs[a]);
    }
    return sum / (60 * h);
}

static double square(foehn_curl_d c)
{
    return c.x * c.x + c.y * c.y + c.z * c.z;
}

START_TEST(curl_noise_is_free_of_divergence)
{
    enum { POINTS = 10000 };
    uint64_t random = 13;
    const double h = 1.0 / 8; /* of a cell in lattice units: the long octave has 8 cells */
    const double step = 0x1p-9;
    double squares = 0, worst_double = 0, worst_float = 0, worst_apart = 0;
    for (int n = 0; n < POINTS; n++) {
        place p = random_place(&random, 0.01);
        offsets o = random_offsets(&random);
        double exact_div = 0;
        for (int a = 0; a < 3; a++)
            exact_div += curl_slope(p, o, a, 0.003);
        worst_double = fmax(worst_double, fabs(exact_div));
        foehn_curl_d exact = curl(p, o);
        foehn_curl_f single = curl_float(p, o);
        worst_apart = fmax(worst_apart, fabs((double)single.x - exact.x));
        worst_apart = fmax(worst_apart, fabs((double)single.y - exact.y));
        worst_apart = fmax(worst_apart, fabs((double)single.z - exact.z));
        squares += square(exact);

        float div = 0;
        for (int a = 0; a < 3; a++) {
            foehn_curl_f up = curl_float(moved(p, a, step), o);
            foehn_curl_f down = curl_float(moved(p, a, -step), o);
            const float ups[3] = {up.x, up.y, up.z}, downs[3] = {down.x, down.y, down.z};
            div += (ups[a] - downs[a]) / (2 * (float)step);
        }
        worst_float = fmax(worst_float, fabs((double)div));
    }
    double bound = 1e-3 * sqrt(squares / POINTS) / h;
    testing_report("largest |div| over u_rms/h: %.2g in double, %.2g in float; float from double "
                   "by %.2g",
                   worst_double * 1e-3 / bound, worst_float * 1e-3 / bound, worst_apart);
    ck_assert_double_le(worst_double, 1e-10);
    ck_assert_double_lt(worst_float, bound);
    ck_assert_double_le(worst_apart, 1e-5);
}
END_TEST

START_TEST(octaves_have_their_rms)
{
    enum { POINTS = 1000000 };
    uint64_t random = 14;
    const double n = (double)FOEHN_CURL_NORMALISE;
    const double weights[2] = {(double)FOEHN_OCTAVE_WEIGHT_0, (double)FOEHN_OCTAVE_WEIGHT_1};
    double sums[2] = {0, 0}, both = 0;
    for (int m = 0; m < POINTS; m++) {
        foehn_curl_d c[2];
        for (int o = 0; o < 2; o++) {
            c[o] = curl(random_place(&random, 0), random_offsets(&random));
            sums[o] += square(c[o]);
        }
        double x = n * (weights[0] * c[0].x + weights[1] * c[1].x);
        double y = n * (weights[0] * c[0].y + weights[1] * c[1].y);
        double z = n * (weights[0] * c[0].z + weights[1] * c[1].z);
        both += x * x + y * y + z * z;
    }
    double rms[2] = {n * sqrt(sums[0] / POINTS), n * sqrt(sums[1] / POINTS)};
    double ratio = weights[1] * rms[1] / (weights[0] * rms[0]), combined = sqrt(both / POINTS);
    testing_report("1/rms %.5f (the constant is %.5f); weighted ratio %.5f; combined rms %.5f",
                   n / sqrt(rms[0] * rms[1]), n, ratio, combined);
    NEAR(rms[0], 1, 2e-3);
    NEAR(rms[1], 1, 2e-3);
    NEAR(ratio, 0.5612, 0.002);
    NEAR(combined, 1, 0.02);
    NEAR(weights[0], 0.8721, 1e-4);
    NEAR(weights[1], 0.4895, 1e-4);
}
END_TEST

START_TEST(the_lattice_repeats_after_4096_cells)
{
    uint64_t random = 15;
    int same_after_half = 0;
    for (int n = 0; n < 1000; n++) {
        place p = random_place(&random, 0);
        for (int a = 0; a < 3; a++) {
            place q = p, r = p;
            int *cell[3] = {&q.i, &q.j, &q.k}, *half[3] = {&r.i, &r.j, &r.k};
            *cell[a] += n & 1 ? 4096 : -4096;
            *half[a] += 2048;
            foehn_noise_d x = perlin(p), y = perlin(q);
            ck_assert(memcmp(&x, &y, sizeof x) == 0);
            same_after_half += part(p, 0) == part(r, 0);
        }
    }
    ck_assert_int_le(same_after_half, 3);
}
END_TEST

START_TEST(the_noise_has_no_seam_between_cells)
{
    const int cells[] = {-4097, -4096, -1, 0, 2047, 4095, 4096};
    for (size_t n = 0; n < sizeof cells / sizeof *cells; n++)
        for (int a = 0; a < 3; a++) {
            place low = {cells[n], cells[n], cells[n], 0.3, 0.6, 0.9}, high = low;
            int *cell[3] = {&high.i, &high.j, &high.k};
            double *x[3] = {&low.x, &low.y, &low.z}, *y[3] = {&high.x, &high.y, &high.z};
            *cell[a] += 1;
            *x[a] = 1;
            *y[a] = 0;
            for (int which = 0; which < 4; which++)
                NEAR(part(low, which), part(high, which), 1e-13);
        }
}
END_TEST

START_TEST(the_logarithm_is_as_accurate_as_it_says)
{
    double worst = 0;
    float at = 0;
    for (uint32_t bits = 0x00800000; bits < 0x7f800000; bits += 251) {
        float x;
        memcpy(&x, &bits, sizeof x);
        double exact = log((double)x);
        double error = fabs((double)foehn_log(x) - exact) / (fabs(exact) + 1);
        if (!(error <= worst)) {
            worst = error;
            at = x;
        }
    }
    testing_report("foehn_log: %.3g of |ln x| + 1, at x = %g", worst, (double)at);
    ck_assert_double_le(worst, 2e-7);
    ck_assert(foehn_log(1.0f) == 0.0f);
}
END_TEST

START_TEST(the_profile_has_its_tabled_ratios)
{
    const double table[][2] = {{1, 0.6036}, {2, 0.7229},  {5, 0.8807},
                               {10, 1},     {20, 1.1193}, {50, 1.2771}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        NEAR(foehn_log_profile((float)table[i][0], 0.03f), table[i][1], 1e-3);
    for (size_t i = 0; i < FOEHN_ROUGHNESS_CLASSES; i++) {
        float z0 = foehn_roughness_classes[i].z0;
        NEAR(foehn_log_profile(10, z0), 1, 1e-6);
        for (float z = 0.5f; z < 3000; z *= 1.37f) {
            double above = fmax((double)z, (double)z0);
            NEAR(foehn_log_profile(z, z0), log(above / (double)z0) / log(10 / (double)z0), 1e-6);
        }
    }
}
END_TEST

START_TEST(the_profile_is_zero_at_and_under_z0)
{
    for (size_t i = 0; i < FOEHN_ROUGHNESS_CLASSES; i++) {
        float z0 = foehn_roughness_classes[i].z0;
        const float heights[] = {z0, z0 / 2, 0, -0.0f, -1, -1000, -INFINITY};
        for (size_t n = 0; n < sizeof heights / sizeof *heights; n++)
            ck_assert(foehn_log_profile(heights[n], z0) == 0.0f);
        ck_assert(foehn_log_profile(1.01f * z0, z0) > 0.0f);
    }
}
END_TEST

START_TEST(roughness_classes_have_their_lengths)
{
    const float lengths[] = {0.0002f, 0.005f, 0.03f, 0.10f, 0.25f, 0.5f, 1.0f};
    ck_assert_uint_eq(FOEHN_ROUGHNESS_CLASSES, sizeof lengths / sizeof *lengths);
    for (size_t i = 0; i < FOEHN_ROUGHNESS_CLASSES; i++) {
        ck_assert(foehn_roughness_classes[i].z0 == lengths[i]);
        ck_assert(foehn_roughness_by_name(foehn_roughness_classes[i].name) == lengths[i]);
    }
    ck_assert(foehn_roughness_by_name("moon") == 0);
    ck_assert(foehn_roughness_by_name("") == 0);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("noise", TESTING_ON_THE_HOST);
    tcase_add_test(tests, derivatives_match_finite_differences);
    tcase_add_test(tests, mixed_partials_agree);
    tcase_add_test(tests, curl_noise_is_free_of_divergence);
    tcase_add_test(tests, octaves_have_their_rms);
    tcase_add_test(tests, the_lattice_repeats_after_4096_cells);
    tcase_add_test(tests, the_noise_has_no_seam_between_cells);
    tcase_add_test(tests, the_logarithm_is_as_accurate_as_it_says);
    tcase_add_test(tests, the_profile_has_its_tabled_ratios);
    tcase_add_test(tests, the_profile_is_zero_at_and_under_z0);
    tcase_add_test(tests, roughness_classes_have_their_lengths);
    return testing_end();
}
