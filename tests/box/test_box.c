/* SPDX-License-Identifier: MIT */
/* Boxes of turbulence against what they are made from: the tensor's integrals, the spectra and the
 * coherence of IEC 61400-1. */
#include "box/kaimal.h"
#include "box/mann.h"

#include "testing.h"

#include <unistd.h>

#define PI 3.14159265358979323846
#define LENGTH 30.0

static const bool along[3] = {true, false, false}, everywhere[3] = {true, true, true};
static const mann_params mann = {.energy = 1, .length = LENGTH, .gamma = 3.9, .points = true};

/* ---- arithmetic in lanes ---- */

START_TEST(functions_of_lanes_are_as_good_as_said)
{
    double worst[4] = {0};
    for (int i = 1; i < 200000; i++) {
        float x = (float)(1e-6 * pow(1e9, i / 2e5)), y = (float)(i * 1e-3 - 100),
              t = (float)(i % 1000 - 500);
        worst[0] = fmax(worst[0], fabs((double)lane_log2(x) - log2((double)x)) /
                                      fmax(1, fabs(log2((double)x))));
        worst[1] = fmax(worst[1], fabs((double)lane_exp2(y) / exp2((double)y) - 1));
        worst[2] = fmax(worst[2], fabs((double)lane_atan2(t, y) - atan2((double)t, (double)y)));
    }
    testing_report("log2 %.1e exp2 %.1e atan2 %.1e", worst[0], worst[1], worst[2]);
    ck_assert(worst[0] < 1.2e-7 && worst[1] < 3e-7 && worst[2] < 6e-7);
    ck_assert(lane_atan2(0, 0) == 0);
}
END_TEST

START_TEST(normal_numbers_are_normal)
{
    enum { MANY = 200000 };
    lane_random random;
    lane_seed(&random, 3, 4);
    double sum = 0, square = 0, fourth = 0, product = 0, beyond = 0;
    for (int i = 0; i < MANY; i++) {
        float re[LANES], im[LANES];
        lane_normal(&random, re, im);
        for (int l = 0; l < LANES; l++) {
            double x = (double)re[l] * sqrt(2), y = (double)im[l] * sqrt(2);
            sum += x + y;
            square += x * x + y * y;
            fourth += x * x * x * x + y * y * y * y;
            product += x * y;
            beyond += (fabs(x) > 3) + (fabs(y) > 3);
        }
    }
    double n = 2.0 * MANY * LANES;
    testing_report("mean %.1e variance %.5f fourth moment %.4f beyond 3: %.5f", sum / n, square / n,
                   fourth / n, beyond / n);
    ck_assert(fabs(sum / n) < 5 / sqrt(n) && fabs(square / n - 1) < 5 * sqrt(2 / n));
    ck_assert(fabs(fourth / n - 3) < 5 * sqrt(96 / n) && fabs(product / n) < 5 / sqrt(n));
    ck_assert(fabs(beyond / n - 0.0026998) < 5 * sqrt(0.0027 / n));
}
END_TEST

/* ---- the tensor ---- */

/* The time that eddies live, by the integral that defines it (Mann 1994, eq. 3.6) in steps. */
static double lifetime(double k, double gamma)
{
    double sum = 0, step = 1e-3;
    for (double x = log(k) + step / 2; x < 14; x += step)
        sum += pow(exp(x), 5) / pow(1 + exp(2 * x), 17 / 6.0) * step;
    sum += 1.5 * exp(-14 * 2 / 3.0);
    return gamma / k / sqrt(2 / 3.0 * sum);
}

/* Mann (1994), eqs. 3.18 to 3.23, as they are written there. */
static void written_out(double k1, double k2, double k3, double gamma, double out[PAIRS])
{
    double k = sqrt(k1 * k1 + k2 * k2 + k3 * k3), beta = lifetime(k, gamma), k30 = k3 + beta * k1;
    double k0 = sqrt(k1 * k1 + k2 * k2 + k30 * k30), level = k1 * k1 + k2 * k2;
    double energy = pow(k0, 4) / pow(1 + k0 * k0, 17 / 6.0);
    double c1 = beta * k1 * k1 * (k0 * k0 - 2 * k30 * k30 + beta * k1 * k30) / (k * k * level);
    double c2 =
        k2 * k0 * k0 / pow(level, 1.5) * atan2(beta * k1 * sqrt(level), k0 * k0 - k30 * k1 * beta);
    double z1 = c1 - k2 / k1 * c2, z2 = k2 / k1 * c1 + c2;
    out[UU] =
        energy / (4 * PI * pow(k0, 4)) * (k0 * k0 - k1 * k1 - 2 * k1 * k30 * z1 + level * z1 * z1);
    out[VV] =
        energy / (4 * PI * pow(k0, 4)) * (k0 * k0 - k2 * k2 - 2 * k2 * k30 * z2 + level * z2 * z2);
    out[WW] = energy / (4 * PI * pow(k, 4)) * level;
    out[UV] = energy / (4 * PI * pow(k0, 4)) *
              (-k1 * k2 - k1 * k30 * z2 - k2 * k30 * z1 + level * z1 * z2);
    out[UW] = energy / (4 * PI * k0 * k0 * k * k) * (-k1 * k30 + level * z1);
    out[VW] = energy / (4 * PI * k0 * k0 * k * k) * (-k2 * k30 + level * z2);
}

START_TEST(tensor_is_that_of_the_paper)
{
    double worst = 0;
    for (int i = 0; i < 400; i++) {
        float k[3][LANES], got[PAIRS][LANES];
        for (int l = 0; l < LANES; l++)
            for (int a = 0; a < 3; a++) {
                unsigned bits = ((unsigned)(i * 48 + l * 3 + a) * 2654435761u) >> 8;
                k[a][l] = (float)((bits & 1 ? 1 : -1) * pow(10, (bits >> 1) % 4000 / 1000.0 - 2));
            }
        tensor_at(k[0], k[1], k[2], 3.9f, got);
        double want[PAIRS];
        int l = i % LANES;
        written_out((double)k[0][l], (double)k[1][l], (double)k[2][l], 3.9, want);
        double trace = want[UU] + want[VV] + want[WW];
        for (int p = 0; p < PAIRS; p++)
            worst = fmax(worst, fabs((double)got[p][l] - want[p]) / trace);
    }
    testing_report("worst error over the trace %.1e", worst);
    ck_assert(worst < 1e-4);
}
END_TEST

START_TEST(integrals_of_isotropic_turbulence_are_known)
{
    double at[PAIRS];
    for (double k = 0.03; k < 100; k *= 5) { /* von Karman's spectra along a line */
        tensor_integral(k, 0, 0, 0, at);
        double u = 9 / 55.0 * pow(1 + k * k, -5 / 6.0),
               v = 3 / 110.0 * (3 + 8 * k * k) * pow(1 + k * k, -11 / 6.0);
        ck_assert_double_eq_tol(at[UU] / u, 1, 2e-3);
        ck_assert_double_eq_tol(at[VV] / v, 1, 2e-3);
        ck_assert_double_eq_tol(at[WW] / v, 1, 2e-3);
        ck_assert(fabs(at[UW]) < 1e-6 * u);
    }
    tensor_variance(0, 1e-4, 1e5, at);
    ck_assert_double_eq_tol(at[UU] / 0.68834, 1, 3e-3);
}
END_TEST

/* ---- boxes of the tensor ---- */

enum { BINS = 6, SEEDS = 10 };

/* Means of 10 boxes over bins of wave numbers, over the same means of the tensor's integrals. */
typedef struct figures {
    double spectrum[BOX_SPECTRA][BINS], want[BOX_SPECTRA][BINS];
    double coherence[3][BINS], want_coherence[3][BINS];
    double variance[3];
    int lines[BINS + 1];
} figures;

static void measure(const int n[3], const double d[3], const mann_params *p, int dj, int dk,
                    figures *f)
{
    int count = n[0] / 2 + 1;
    double *spectra[BOX_SPECTRA], *co[3];
    for (int i = 0; i < BOX_SPECTRA; i++)
        spectra[i] = calloc((size_t)count, sizeof(double));
    for (int i = 0; i < 3; i++)
        co[i] = calloc((size_t)count, sizeof(double));
    memset(f, 0, sizeof *f);
    box b;
    ck_assert_int_eq(box_create(n, d, along, &b), STATUS_OK);
    for (int i = 0; i <= BINS; i++)
        f->lines[i] = (int)(2 * pow((count - 1) / 2.0, (double)i / BINS) + 0.5);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        ck_assert_int_eq(mann_make(&b, p, seed, 0, NULL), STATUS_OK);
        ck_assert_int_eq(box_spectra(&b, spectra), STATUS_OK);
        ck_assert_int_eq(box_cross_spectra(&b, dj, dk, co), STATUS_OK);
        for (int c = 0; c < 3; c++)
            f->variance[c] += box_variance(&b, c) / SEEDS;
        for (int q = 0; q < BINS; q++)
            for (int i = f->lines[q]; i < f->lines[q + 1]; i++) {
                for (int s = 0; s < BOX_SPECTRA; s++)
                    f->spectrum[s][q] += spectra[s][i] / SEEDS;
                for (int c = 0; c < 3; c++)
                    f->coherence[c][q] += co[c][i] / SEEDS;
            }
    }
    static const int pair[BOX_SPECTRA] = {UU, VV, WW, UW};
    double scale = p->energy * pow(p->length, 5 / 3.0), step = 2 * PI / (n[0] * d[0]) * p->length;
    for (int q = 0; q < BINS; q++) {
        int from = f->lines[q], to = f->lines[q + 1], parts = to - from < 8 ? to - from : 8;
        for (int i = 0; i < parts; i++) { /* the middles of parts of the bin */
            double k1 = (from - 0.5 + (i + 0.5) * (to - from) / parts) * step, at[PAIRS],
                   apart[PAIRS];
            tensor_integral(k1, p->gamma, 0, 0, at);
            tensor_integral(k1, p->gamma, dj * d[1] / p->length, dk * d[2] / p->length, apart);
            for (int s = 0; s < BOX_SPECTRA; s++)
                f->want[s][q] += at[pair[s]] * scale * (to - from) / parts;
            for (int c = 0; c < 3; c++)
                f->want_coherence[c][q] += apart[c] * scale * (to - from) / parts;
        }
        for (int c = 0; c < 3; c++) {
            f->coherence[c][q] /= f->spectrum[c][q];
            f->want_coherence[c][q] /= f->want[c][q];
        }
    }
    box_destroy(&b);
    for (int i = 0; i < BOX_SPECTRA; i++)
        free(spectra[i]);
    for (int i = 0; i < 3; i++)
        free(co[i]);
}

static void print_figures(const figures *f)
{
    for (int q = 0; q < BINS; q++)
        testing_report("modes %4d to %4d: u %.3f v %.3f w %.3f uw %.3f of the tensor's; coherence "
                       "%.3f %.3f %.3f, wanted "
                       "%.3f %.3f %.3f",
                       f->lines[q], f->lines[q + 1] - 1,
                       f->spectrum[BOX_UU][q] / f->want[BOX_UU][q],
                       f->spectrum[BOX_VV][q] / f->want[BOX_VV][q],
                       f->spectrum[BOX_WW][q] / f->want[BOX_WW][q],
                       f->spectrum[BOX_UW][q] / f->want[BOX_UW][q], f->coherence[0][q],
                       f->coherence[1][q], f->coherence[2][q], f->want_coherence[0][q],
                       f->want_coherence[1][q], f->want_coherence[2][q]);
}

/* Of a chi-squared number of as many freedoms as there are modes; lines across count for how many
 * there are that know little of each other. */
static double spread(const figures *f, int q, double lines)
{
    return sqrt(1 / ((f->lines[q + 1] - f->lines[q]) * (double)SEEDS * lines));
}

START_TEST(spectra_and_coherence_are_those_of_the_tensor)
{
    const int n[3] = {1024, 16, 16};
    const double d[3] = {4, 5, 5};
    figures f;
    measure(n, d, &mann, 2, 0, &f);
    print_figures(&f);
    for (int q = 0; q < BINS; q++) {
        double lines = q < 3 ? 1 : q < 4 ? 4 : 16;
        for (int s = 0; s < 3; s++)
            ck_assert_double_eq_tol(f.spectrum[s][q] / f.want[s][q], 1,
                                    0.02 + 3 * spread(&f, q, lines));
        ck_assert_double_eq_tol(f.spectrum[BOX_UW][q] / f.want[BOX_UW][q], 1,
                                0.03 + 5 * spread(&f, q, lines));
        for (int c = 0; c < 3; c++)
            ck_assert_double_eq_tol(f.coherence[c][q], f.want_coherence[c][q],
                                    0.015 + spread(&f, q, lines));
    }
    measure(n, d, &mann, 0, 4, &f);
    print_figures(&f);
    for (int q = 0; q < BINS; q++)
        for (int c = 0; c < 3; c++)
            ck_assert_double_eq_tol(f.coherence[c][q], f.want_coherence[c][q],
                                    0.02 + 2 * spread(&f, q, 1));
}
END_TEST

START_TEST(averages_over_cells_hold_less_of_small_eddies)
{
    const int n[3] = {1024, 16, 16};
    const double d[3] = {2, 8, 8};
    mann_params p = mann;
    figures points, cells;
    measure(n, d, &p, 1, 0, &points);
    p.points = false;
    measure(n, d, &p, 1, 0, &cells);
    ck_assert_double_eq_tol(points.spectrum[BOX_UU][BINS - 1] / points.want[BOX_UU][BINS - 1], 1,
                            0.03);
    ck_assert_double_lt(cells.spectrum[BOX_UU][BINS - 1], 0.5 * cells.want[BOX_UU][BINS - 1]);
    ck_assert_double_eq_tol(cells.spectrum[BOX_UU][1], points.spectrum[BOX_UU][1],
                            0.03 * points.spectrum[BOX_UU][1]);
}
END_TEST

static double mean_square(const float *u, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)u[i] * (double)u[i];
    return sum / (double)count;
}

/* Spectral divergence of a periodic box, over the same sum without its signs. */
START_TEST(without_what_is_folded_in_the_wind_is_free_of_divergence)
{
    const int n[3] = {48, 40, 36};
    const double d[3] = {5, 5, 5};
    mann_params p = mann;
    p.points = false;
    p.length =
        8; /* eddies smaller than the box: their averages are the tensor at its wave numbers */
    box b;
    ck_assert_int_eq(box_create(n, d, everywhere, &b), STATUS_OK);
    ck_assert_int_eq(mann_make(&b, &p, 1, 0, NULL), STATUS_OK);
    int half = n[2] / 2 + 1;
    fftwf_complex *modes[3];
    for (int c = 0; c < 3; c++) {
        modes[c] = fftwf_alloc_complex((size_t)n[0] * (size_t)n[1] * (size_t)half);
        fftwf_plan plan =
            fftwf_plan_dft_r2c_3d(n[0], n[1], n[2], b.component[c], modes[c], FFTW_ESTIMATE);
        fftwf_execute(plan);
        fftwf_destroy_plan(plan);
    }
    double divergence = 0, all = 0, strays = 0;
    for (int i = 0; i < n[0]; i++)
        for (int j = 0; j < n[1]; j++)
            for (int k = 1; k < half - 1; k++) {
                if (2 * i == n[0] || 2 * j == n[1])
                    continue; /* of either sign */
                double w[3] = {(2 * i < n[0] ? i : i - n[0]) / (double)n[0],
                               (2 * j < n[1] ? j : j - n[1]) / (double)n[1], k / (double)n[2]};
                size_t at = ((size_t)i * (size_t)n[1] + (size_t)j) * (size_t)half + (size_t)k;
                for (int part = 0; part < 2; part++) {
                    double sum = 0, size = 0;
                    for (int c = 0; c < 3; c++) {
                        sum += w[c] * (double)modes[c][at][part];
                        size +=
                            w[c] * w[c] * (double)modes[c][at][part] * (double)modes[c][at][part];
                    }
                    bool averaged = (w[1] * n[1] < 5 && w[1] * n[1] > -5) && k < 5;
                    strays += averaged ? sum * sum : 0;
                    divergence += averaged ? 0 : sum * sum;
                    all += size;
                }
            }
    testing_report("divergence over its terms: %.1e; of large eddies, which are averages, %.3f",
                   sqrt(divergence / all), sqrt(strays / all));
    ck_assert_double_lt(sqrt(divergence / all), 1e-3);
    ck_assert_double_lt(sqrt(strays / all), 0.1);
    for (int c = 0; c < 3; c++)
        fftwf_free(modes[c]);
    box_destroy(&b);
}
END_TEST

START_TEST(the_mean_is_zero_and_the_far_sides_meet)
{
    const int n[3] = {100, 15, 18}; /* sizes that are no powers of two, and odd */
    const double d[3] = {6, 6, 6};
    box b;
    ck_assert_int_eq(box_create(n, d, everywhere, &b), STATUS_OK);
    ck_assert_int_eq(mann_make(&b, &mann, 7, 0, NULL), STATUS_OK);
    size_t count = box_points(&b), plane = count / 100;
    for (int c = 0; c < 3; c++) {
        double sum = 0, step = 0, seam = 0;
        for (size_t i = 0; i < count; i++) {
            sum += (double)b.component[c][i];
            double next = (double)b.component[c][(i + plane) % count] - (double)b.component[c][i];
            *(i + plane < count ? &step : &seam) += next * next;
        }
        ck_assert_double_lt(fabs(sum / (double)count), 1e-5);
        ck_assert_double_gt(mean_square(b.component[c], count), 0.1);
        ck_assert_double_eq_tol(seam / (double)plane / (step / (double)(count - plane)), 1, 0.35);
    }
    box_destroy(&b);
}
END_TEST

START_TEST(a_seed_gives_the_same_box_and_another_another)
{
    const int n[3] = {64, 9, 8};
    const double d[3] = {5, 5, 5};
    box b[3];
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(box_create(n, d, along, &b[i]), STATUS_OK);
        ck_assert_int_eq(mann_make(&b[i], &mann, i < 2 ? 5 : 6, 0, NULL), STATUS_OK);
    }
    ck_assert_mem_eq(b[0].component[0], b[1].component[0], box_points(&b[0]) * sizeof(float));
    double product = 0;
    for (size_t i = 0; i < box_points(&b[0]); i++)
        product += (double)b[0].component[0][i] * (double)b[2].component[0][i];
    ck_assert_double_lt(fabs(product / (double)box_points(&b[0])) / box_variance(&b[0], 0), 0.3);
    for (int i = 0; i < 3; i++)
        box_destroy(&b[i]);
}
END_TEST

/* ---- constraints ---- */

START_TEST(constraints_are_met_and_forgotten_far_away)
{
    const int n[3] = {256, 12, 12};
    const double d[3] = {4, 5, 5};
    enum { TRIES = 20 };
    box free_box, b;
    box_constraint wanted[40];
    for (int i = 0; i < 40; i++)
        wanted[i] = (box_constraint){{200 + 8 * i, 30, 30}, {4 * sin(0.3 * i), i % 3 - 1.0, 0.5}};
    ck_assert_int_eq(box_create(n, d, along, &free_box), STATUS_OK);
    ck_assert_int_eq(box_create(n, d, along, &b), STATUS_OK);
    double worst = 0, near = 0, far = 0, variance = 0;
    for (int seed = 1; seed <= TRIES; seed++) {
        ck_assert_int_eq(mann_make(&free_box, &mann, (uint64_t)seed, 0, NULL), STATUS_OK);
        ck_assert_int_eq(mann_make(&b, &mann, (uint64_t)seed, 40, wanted), STATUS_OK);
        for (int c = 0; c < 3; c++) {
            for (int i = 0; i < 40; i++) {
                size_t at = ((size_t)(50 + 2 * i) * 12 + 6) * 12 + 6;
                double change = (double)b.component[c][at] - (double)free_box.component[c][at];
                worst = fmax(worst, fabs((double)b.component[c][at] - wanted[i].value[c]));
                near += change * change / (120 * TRIES);
            }
            for (size_t at = 220 * 144; at < 230 * 144; at++)
                far += pow((double)b.component[c][at] - (double)free_box.component[c][at], 2) /
                       (3 * 1440 * TRIES);
        }
        variance += box_variance(&b, 0) / box_variance(&free_box, 0) / TRIES;
    }
    testing_report("missed by %.1e m/s; changed by %.2f m/s there, %.3f m/s 300 m away", worst,
                   sqrt(near), sqrt(far));
    ck_assert_double_lt(worst, 2e-3);
    ck_assert_double_lt(sqrt(far), 0.27 * sqrt(near)); /* 0.23 of 200 seeds: eddies of the box */
    ck_assert_double_eq_tol(variance, 1, 0.2);
    box_destroy(&free_box);
    box_destroy(&b);
}
END_TEST

/* What fail() says goes to a file. */
static void expect_refusal(box *b, size_t count, const box_constraint *c, const char *part)
{
    fflush(stderr);
    int kept = dup(2);
    FILE *log = tmpfile();
    ck_assert(log && dup2(fileno(log), 2) >= 0);
    int status = mann_make(b, &mann, 1, count, c);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    char text[512] = "";
    rewind(log);
    ck_assert(fread(text, 1, sizeof text - 1, log) > 0);
    fclose(log);
    ck_assert_int_eq(status, STATUS_INPUT);
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in: %s", part, text);
}

START_TEST(constraints_that_cannot_be_are_refused)
{
    const int n[3] = {32, 4, 4};
    const double d[3] = {4, 5, 5};
    box b;
    ck_assert_int_eq(box_create(n, d, along, &b), STATUS_OK);
    box_constraint pair[2] = {{{8, 5, 5}, {0}}, {{9, 5, 6}, {1, 0, 0}}};
    expect_refusal(&b, 2, pair, "constraints 1 and 2 fall on the same point");
    pair[1].at[2] = 40;
    expect_refusal(&b, 2, pair, "constraint 2: z = 40 m is outside of the box: give 0 to 15 m");
    box_constraint *many = calloc(1001, sizeof *many);
    expect_refusal(&b, 1001, many, "at most 1000 fit");
    free(many);
    box_destroy(&b);
}
END_TEST

/* ---- Kaimal ---- */

START_TEST(kaimal_boxes_have_the_spectra_and_coherence_of_the_standard)
{
    enum { NX = 2048, LINES = NX / 2 + 1 };
    const int n[3] = {NX, 8, 8};
    const double d[3] = {5, 10, 10};
    const kaimal_params p = {{1.6, 1.28, 0.8}, {340.2, 113.4, 27.72}, 10, 12, 340.2, false};
    static double spectra[BOX_SPECTRA][LINES], co[3][LINES], mean[3][BINS], apart[BINS],
        want[3][BINS], want_apart[BINS];
    double *out[BOX_SPECTRA] = {spectra[0], spectra[1], spectra[2], spectra[3]},
           *across[3] = {co[0], co[1], co[2]};
    int edge[BINS + 1];
    for (int i = 0; i <= BINS; i++)
        edge[i] = (int)(4 * pow(NX / 8.0, (double)i / BINS) + 0.5);
    box b;
    ck_assert_int_eq(box_create(n, d, along, &b), STATUS_OK);
    double noise = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        ck_assert_int_eq(kaimal_make(&b, &p, seed), STATUS_OK);
        ck_assert_int_eq(box_spectra(&b, out), STATUS_OK);
        ck_assert_int_eq(box_cross_spectra(&b, 1, 1, across), STATUS_OK);
        for (int q = 0; q < BINS; q++)
            for (int i = edge[q]; i < edge[q + 1]; i++) {
                double f = i * 10.0 / (NX * 5.0);
                for (int c = 0; c < 3; c++) {
                    mean[c][q] += spectra[c][i];
                    want[c][q] += kaimal_spectrum(&p, c, f) * 10 / (4 * PI);
                }
                apart[q] += co[0][i];
                noise += co[1][i] / spectra[1][i] / (SEEDS * (edge[BINS] - edge[0]));
                want_apart[q] += kaimal_spectrum(&p, 0, f) * 10 / (4 * PI) *
                                 kaimal_coherence(&p, f, 10 * sqrt(2));
            }
    }
    for (int q = 0; q < BINS; q++) {
        testing_report(
            "modes %4d to %4d: u %.3f v %.3f w %.3f of the standard's; coherence %.3f, wanted %.3f",
            edge[q], edge[q + 1] - 1, mean[0][q] / want[0][q], mean[1][q] / want[1][q],
            mean[2][q] / want[2][q], apart[q] / mean[0][q], want_apart[q] / want[0][q]);
        double few = sqrt(1.0 / (SEEDS * (edge[q + 1] - edge[q])));
        for (int c = 0; c < 3; c++)
            ck_assert_double_eq_tol(mean[c][q] / want[c][q], 1, 0.01 + (c ? 0.5 : 3) * few);
        ck_assert_double_eq_tol(apart[q] / mean[0][q], want_apart[q] / want[0][q], 0.02 + few / 2);
    }
    ck_assert_double_lt(fabs(noise), 0.01);
    double u = box_variance(&b, 0);
    ck_assert_double_eq_tol(sqrt(box_variance(&b, 1) / u), 0.8, 0.08);
    ck_assert_double_eq_tol(sqrt(box_variance(&b, 2) / u), 0.5, 0.08);
    box_destroy(&b);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("box", TESTING_ON_THE_HOST);
    tcase_add_test(tests, functions_of_lanes_are_as_good_as_said);
    tcase_add_test(tests, normal_numbers_are_normal);
    tcase_add_test(tests, tensor_is_that_of_the_paper);
    tcase_add_test(tests, integrals_of_isotropic_turbulence_are_known);
    tcase_add_test(tests, spectra_and_coherence_are_those_of_the_tensor);
    tcase_add_test(tests, averages_over_cells_hold_less_of_small_eddies);
    tcase_add_test(tests, without_what_is_folded_in_the_wind_is_free_of_divergence);
    tcase_add_test(tests, the_mean_is_zero_and_the_far_sides_meet);
    tcase_add_test(tests, a_seed_gives_the_same_box_and_another_another);
    tcase_add_test(tests, constraints_are_met_and_forgotten_far_away);
    tcase_add_test(tests, constraints_that_cannot_be_are_refused);
    tcase_add_test(tests, kaimal_boxes_have_the_spectra_and_coherence_of_the_standard);
    return testing_end();
}
