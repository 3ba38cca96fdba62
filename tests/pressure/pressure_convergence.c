/* SPDX-License-Identifier: MIT */
/* Exact solutions, and how fast cycles and conjugate gradients come to them. */
#include "testing.h"

#include "pressure/pressure.h"

#include "pressure/problem.h"

/* ---- exact solutions ---- */

/* A wave along one axis that fits the kind of its sides, in a box of length 1; and its wave number.
 * Dirichlet: p = 0 in the middle of the ghosts, so n + 1 cells span the length. */
static double wave(foehn_poisson_edge kind, int n, int i, double *k)
{
    const double pi = 3.14159265358979323846;
    *k = n == 1 ? 0 : kind == P_ ? 4 * pi : 3 * pi;
    if (n == 1)
        return 1;
    return kind == D_   ? sin(*k * (i + 1) / (n + 1))
           : kind == N_ ? cos(*k * (i + 0.5) / n)
                        : sin(*k * (i + 0.5) / n + 0.3);
}

/* Rms error over rms solution for lap p = f with the continuous f, on a box of length 1 a side. */
static double manufactured_error(const int n[3], const foehn_poisson_edge kind[3], double *h)
{
    double spacing[3], k[3];
    foehn_poisson_edge edges[6];
    for (int a = 0; a < 3; a++) {
        edges[2 * a] = edges[2 * a + 1] = kind[a];
        spacing[a] = 1.0 / (n[a] + (kind[a] == D_));
    }
    *h = spacing[0];
    problem b = problem_make(n[0], n[1], n[2], spacing[0], spacing[1], spacing[2], edges);
    double *exact = testing_alloc(problem_cells(&b) * sizeof *exact);
    EACH_CELL(&b, i, j, l)
    {
        size_t c = problem_cell(&b, i, j, l);
        exact[c] = wave(kind[0], n[0], i, &k[0]) * wave(kind[1], n[1], j, &k[1]) *
                   wave(kind[2], n[2], l, &k[2]);
        b.rhs[c] = (float)(-(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * exact[c]);
    }
    OK(foehn_poisson_write_rhs(b.solver, b.rhs));
    foehn_poisson_stats stats;
    OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_FCYCLE, 20, 1e-5, &stats));
    OK(foehn_poisson_read_solution(b.solver, b.p));
    double mean = 0, error = 0, size = 0, count = (double)problem_cells(&b);
    for (size_t c = 0; c < problem_cells(&b); c++)
        mean += ((double)b.p[c] - exact[c]) / count;
    if (kind[0] == D_ || kind[1] == D_ || kind[2] == D_)
        mean = 0; /* p is determined */
    for (size_t c = 0; c < problem_cells(&b); c++) {
        double e = (double)b.p[c] - exact[c] - mean;
        error += e * e;
        size += exact[c] * exact[c];
    }
    free(exact);
    problem_drop(&b);
    return sqrt(error / size);
}

static void check_order(const char *name, const int coarse[3], const int fine[3],
                        const foehn_poisson_edge kind[3])
{
    double h, half;
    double a = manufactured_error(coarse, kind, &h), b = manufactured_error(fine, kind, &half);
    double order = log(a / b) / log(h / half);
    testing_report("%s: error %.4e at h = %.4f, %.4e at %.4f: order %.4f", name, a, h, b, half,
                   order);
    WANT(fabs(order - 2) < 0.05, "%s", name);
}

START_TEST(manufactured_solutions_converge_with_second_order)
{
    const foehn_poisson_edge n[3] = {N_, N_, N_}, d[3] = {D_, D_, D_}, p[3] = {P_, P_, P_};
    const foehn_poisson_edge mixed[3] = {P_, N_, D_}, flat_d[3] = {D_, D_, N_};
    check_order("Neumann, 3-D", (int[]){16, 16, 16}, (int[]){32, 32, 32}, n);
    check_order("Dirichlet, 3-D, odd", (int[]){15, 15, 15}, (int[]){31, 31, 31}, d);
    check_order("periodic, 3-D", (int[]){16, 16, 16}, (int[]){32, 32, 32}, p);
    check_order("periodic, Neumann, Dirichlet, 3-D", (int[]){16, 12, 17}, (int[]){32, 24, 35},
                mixed);
    check_order("Neumann, 2-D, odd", (int[]){33, 21, 1}, (int[]){65, 41, 1}, n);
    check_order("Dirichlet, 2-D", (int[]){31, 31, 1}, (int[]){63, 63, 1}, flat_d);
    check_order("periodic, 2-D", (int[]){32, 32, 1}, (int[]){64, 64, 1}, p);
    problem_none_missed();
}
END_TEST

/* ---- convergence ---- */

/* Iterations of conjugate gradients; more than 40 when the residual is not what they say. */
static int iterations_to(problem *b, double reduction)
{
    foehn_poisson_stats stats;
    problem_start_from_zero(b);
    OK(foehn_poisson_solve(b->solver, FOEHN_POISSON_MGCG, 40, reduction, &stats));
    problem_check_finite(b);
    double reached = stats.residual_last / stats.residual_first;
    if (reached > 20 * reduction) /* float ends the fall near 1e-6, in flat cells near 1e-5 */
        testing_report("  after %d iterations the residual is %.1e", stats.cycles, reached);
    return reached > 20 * reduction ? 99 : stats.cycles;
}

static const int sizes[][3] = {{32, 8, 32}, {48, 12, 48}, {64, 16, 64}, {96, 24, 96},
                               {33, 9, 31}, {65, 17, 63}, {97, 23, 95}};

static int sizes_to_run(void)
{
    return testing_is_tiny() ? 1 : (int)(sizeof sizes / sizeof sizes[0]);
}

START_TEST(a_v_cycle_cuts_the_residual_eightfold_in_flat_boxes)
{
    static const foehn_poisson_edge kinds[][6] = {CLOSED, LIKE_WIND};
    static const char *const names[] = {"closed", "open sides"};
    for (int s = 0; s < sizes_to_run(); s++)
        for (int e = 0; e < 2; e++) {
            double least;
            problem b = problem_make(sizes[s][0], sizes[s][1], sizes[s][2], 4, 4, 4, kinds[e]);
            problem_fill_noise(&b, 3);
            double cut = problem_cut(&b, FOEHN_POISSON_VCYCLE, &least);
            int iterations = iterations_to(&b, 1e-6);
            testing_report("flat %d x %d x %d, %s: cut by %.2f a V-cycle (%.2f at least), MGCG %d "
                           "to 1e-6",
                           sizes[s][0], sizes[s][1], sizes[s][2], names[e], cut, least, iterations);
            WANT(cut >= 8, "flat %d x %d x %d, %s", sizes[s][0], sizes[s][1], sizes[s][2],
                 names[e]);
            WANT(iterations <= 12, "flat %d x %d x %d, %s", sizes[s][0], sizes[s][1], sizes[s][2],
                 names[e]);
            problem_drop(&b);
        }
    problem_none_missed();
}
END_TEST

START_TEST(a_cycle_cuts_the_residual_fivefold_over_a_hill_at_any_aspect)
{
    static const double aspects[] = {1, 4, 10};
    static const int hills[][3] = {{64, 16, 64}, {65, 17, 63}, {96, 24, 96}};
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    for (int s = 0; s < (testing_is_tiny() ? 1 : 3); s++)
        for (int a = 0; a < 3; a++) {
            double least, least_v;
            problem b = problem_make(hills[s][0], hills[s][1], hills[s][2], 4 * aspects[a], 4,
                                     4 * aspects[a], edges);
            problem_put_hill(&b);
            problem_fill_noise(&b, 5);
            double cut_v = problem_cut(&b, FOEHN_POISSON_VCYCLE, &least_v);
            double cut = problem_cut(&b, FOEHN_POISSON_FCYCLE, &least);
            int iterations = iterations_to(&b, 1e-6);
            testing_report("hill %d x %d x %d, aspect %g: cut by %.2f an F-cycle (%.2f at least), "
                           "%.2f a V-cycle, MGCG %d to 1e-6",
                           hills[s][0], hills[s][1], hills[s][2], aspects[a], cut, least, cut_v,
                           iterations);
            WANT(cut >= 5, "hill, aspect %g", aspects[a]);
            WANT(iterations <= 12, "hill, aspect %g", aspects[a]);
            problem_drop(&b);
        }
    problem_none_missed();
}
END_TEST

START_TEST(cells_may_be_flat_or_tall)
{
    static const double ratios[] = {10, 4, 0.25, 0.1};
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    for (int r = 0; r < 4; r++) {
        double least;
        problem b = problem_make(64, 16, 64, 4 * ratios[r], 4, 4 * ratios[r], edges);
        problem_fill_noise(&b, 9);
        double cut = problem_cut(&b, FOEHN_POISSON_FCYCLE, &least);
        testing_report("flat, aspect %g: cut by %.2f an F-cycle (%.2f at least)", ratios[r], cut,
                       least);
        ck_assert_double_ge(cut, 5);
        problem_drop(&b);
    }
}
END_TEST

START_TEST(thin_walls_with_gaps_are_passed)
{
    static const foehn_poisson_edge kinds[][6] = {CLOSED, LIKE_WIND};
    static const char *const names[] = {"closed", "open sides"};
    for (int e = 0; e < 2; e++) {
        double least;
        problem b = problem_make(64, 16, 64, 4, 4, 4, kinds[e]);
        problem_put_walls(&b);
        problem_fill_noise(&b, 11);
        double cut = problem_cut(&b, FOEHN_POISSON_FCYCLE, &least);
        int iterations = iterations_to(&b, 1e-6);
        testing_report("thin walls, %s: cut by %.2f an F-cycle (%.2f at least), MGCG %d to 1e-6",
                       names[e], cut, least, iterations);
        ck_assert_double_gt(cut, 1);
        ck_assert_int_le(iterations, 12);
        problem_drop(&b);
    }
}
END_TEST

START_TEST(every_method_makes_the_residual_smaller)
{
    static const char *const names[] = {"Jacobi", "SOR", "F-cycle", "V-cycle", "MGCG"};
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    problem b = problem_make(32, 8, 32, 4, 4, 4, edges);
    problem_put_hill(&b);
    problem_fill_noise(&b, 2);
    for (int m = 0; m < 5; m++) {
        foehn_poisson_stats stats;
        problem_start_from_zero(&b);
        OK(foehn_poisson_solve(b.solver, (foehn_poisson_method)m, 3, 0, &stats));
        testing_report("%s: residual %.3g of the first after 3 cycles", names[m],
                       stats.residual_last / stats.residual_first);
        ck_assert_int_eq(stats.cycles, 3);
        ck_assert_double_lt(stats.residual_last, stats.residual_first);
        problem_check_finite(&b);
    }
    problem_drop(&b);
}
END_TEST

void add_pressure_convergence_tests(TCase *tests)
{
    tcase_add_test(tests, manufactured_solutions_converge_with_second_order);
    tcase_add_test(tests, a_v_cycle_cuts_the_residual_eightfold_in_flat_boxes);
    tcase_add_test(tests, a_cycle_cuts_the_residual_fivefold_over_a_hill_at_any_aspect);
    tcase_add_test(tests, cells_may_be_flat_or_tall);
    tcase_add_test(tests, thin_walls_with_gaps_are_passed);
    tcase_add_test(tests, every_method_makes_the_residual_smaller);
}
