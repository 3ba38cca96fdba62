/* SPDX-License-Identifier: MIT */
/* The shared Poisson solver through its public functions, against plain C in double. */
#include "testing.h"

#include "pressure/pressure.h"

#include "pressure/problem.h"

/* Like an assertion, but the cases that follow still run; none_missed() ends the test. */
static int missed;

#define WANT(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            missed++;                                                                              \
            printf("missed: %s: ", #condition);                                                    \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
        }                                                                                          \
    } while (0)

static void none_missed(void)
{
    int count = missed;
    missed = 0;
    ck_assert_msg(count == 0, "%d cases missed what they must reach: see above", count);
}

/* ---- the operator ---- */

START_TEST(the_residual_is_that_of_plain_c)
{
    static const foehn_poisson_edge kinds[][6] = {
        CLOSED, LIKE_WIND, {P_, P_, D_, N_, P_, P_}, {N_, D_, P_, P_, D_, N_}};
    static const int sizes[][3] = {{5, 3, 7}, {1, 9, 4}, {13, 1, 5}, {9, 7, 1}, {17, 11, 3}};
    uint64_t seed = 7;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t e = 0; e < sizeof kinds / sizeof kinds[0]; e++) {
            problem b = problem_make(sizes[s][0], sizes[s][1], sizes[s][2], 1.5, 0.5, 2, kinds[e]);
            for (int a = 0; a < 3; a++)
                for (size_t f = 0; f < problem_faces(&b, a); f++)
                    b.open[a][f] = testing_random(&seed) % 4 ? (uint8_t)testing_random(&seed) : 0;
            for (size_t c = 0; c < problem_cells(&b); c++) {
                b.rhs[c] = (float)testing_uniform(&seed, -1, 1);
                b.p[c] = (float)testing_uniform(&seed, -1, 1);
            }
            problem_write_open(&b);
            OK(foehn_poisson_write_rhs(b.solver, b.rhs));
            OK(foehn_poisson_write_solution(b.solver, b.p));
            double worst;
            int where[3] = {0, 0, 0};
            double first = problem_residual(&b, &worst, where);
            foehn_poisson_stats stats;
            double *swept = testing_alloc(problem_cells(&b) * sizeof *swept); /* by Jacobi */
            EACH_CELL(&b, i, j, k)
            {
                double diagonal, r = problem_residual_at(&b, i, j, k, &diagonal);
                size_t c = problem_cell(&b, i, j, k);
                swept[c] = diagonal > 0 ? (double)b.p[c] - r / diagonal : 0;
            }
            OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_JACOBI, 1, 0, &stats));
            NEAR(stats.residual_first, first, 1e-5 * first);
            OK(foehn_poisson_read_solution(b.solver, b.p));
            for (size_t c = 0; c < problem_cells(&b);
                 c++) /* rhs over a diagonal of 1/255 of a face */
                NEAR(b.p[c], swept[c], 1e-6 * (10 + fabs(swept[c])));
            free(swept);
            double last = problem_residual(&b, &worst, where);
            NEAR(stats.residual_last, last, 1e-5 * first);
            NEAR(stats.worst, worst, 1e-4 * worst);
            for (int a = 0; a < 3; a++)
                ck_assert_int_eq(stats.worst_cell[a], where[a]);
            ck_assert_int_eq(stats.cycles, 1);
            problem_drop(&b);
        }
}
END_TEST

/* On GPUs rows without a closed face are not asked for their faces; a floor face closes those on
 * both its sides. */
START_TEST(a_closed_floor_is_felt_on_both_sides)
{
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    const foehn_device_type type = context->device.info.type;
    uint64_t seed = 13;
    for (int gpu = 0; gpu < 2; gpu++) {
        context->device.info.type = gpu ? FOEHN_DEVICE_GPU : type;
        problem b = problem_make(9, 8, 7, 1.5, 0.5, 2, edges);
        for (int k = 2; k < 5; k++)
            for (int i = 3; i < 7; i++)
                b.open[1][problem_face(&b, 1, i, 4, k)] = (uint8_t)(i % 2 ? 0 : 90);
        for (size_t c = 0; c < problem_cells(&b); c++) {
            b.rhs[c] = (float)testing_uniform(&seed, -1, 1);
            b.p[c] = (float)testing_uniform(&seed, -1, 1);
        }
        problem_write_open(&b);
        OK(foehn_poisson_write_rhs(b.solver, b.rhs));
        OK(foehn_poisson_write_solution(b.solver, b.p));
        double worst;
        int where[3];
        double first = problem_residual(&b, &worst, where);
        foehn_poisson_stats stats;
        OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_JACOBI, 1, 0, &stats));
        NEAR(stats.residual_first, first, 1e-5 * first);
        OK(foehn_poisson_read_solution(b.solver, b.p));
        double last = problem_residual(&b, &worst, where);
        NEAR(stats.residual_last, last, 1e-5 * first);
        problem_drop(&b);
    }
    context->device.info.type = type;
}
END_TEST

/* By which the flow lab's steps end, which is asked for without the rest. */
START_TEST(the_largest_residual_is_found_whatever_its_sign)
{
    static const int sizes[][3] = {{5, 3, 7}, {37, 4, 3}, {70, 9, 1}};
    const foehn_side closed[6] = {FOEHN_SIDE_WALL};
    uint64_t seed = 17;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int sign = -1; sign < 2; sign += 2) {
            const int *n = sizes[s];
            foehn_grid g = foehn_grid_make(n[0], n[1], n[2], 1, 1, 1);
            foehn_pressure *solver;
            OK(foehn_pressure_create(context, &g, closed, &solver));
            size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
            float *rhs = testing_alloc(count * sizeof *rhs);
            double most = 0, worst;
            for (size_t c = 0; c < count; c++) {
                rhs[c] = (float)(sign * testing_uniform(&seed, 0, 1));
                most = fmax(most, fabs((double)rhs[c]));
            }
            OK(foehn_box_write(context, foehn_pressure_rhs(solver), foehn_grid_box(&g, sizeof *rhs),
                               rhs));
            OK(foehn_pressure_worst(solver, &worst));
            ck_assert(worst == most); /* p = 0: nothing is rounded */
            free(rhs);
            foehn_pressure_destroy(solver);
        }
}
END_TEST

/* One sweep of red-black over-relaxation, all cells of a class from the values before it: the
 * result must not depend on the order in which a device takes them.  Around an odd periodic axis
 * the last layer is a class of its own: one of its two neighbours there has its colour. */
static void relax_reference(problem *b, double omega)
{
    const int n[3] = {b->params.nx, b->params.ny, b->params.nz};
    float *old = malloc(problem_cells(b) * sizeof *old);
    int odd = 0;
    for (int a = 0; a < 3; a++)
        odd |= b->params.edges[2 * a] == P_ && n[a] % 2 ? 1 << a : 0;
    for (int pass = 0; pass < 16; pass++) {
        memcpy(old, b->p, problem_cells(b) * sizeof *old);
        EACH_CELL(b, i, j, k)
        {
            const int at[3] = {i, j, k};
            int layer = 0;
            for (int a = 0; a < 3; a++)
                layer |= odd >> a & 1 && at[a] == n[a] - 1 ? 1 << a : 0;
            if (layer != pass / 2 || (i + j + k) % 2 != pass % 2)
                continue;
            double diagonal;
            float *now = b->p, *cell = &now[problem_cell(b, i, j, k)];
            b->p = old;
            double r = problem_residual_at(b, i, j, k, &diagonal);
            b->p = now;
            *cell = diagonal > 0 ? (float)((double)*cell - omega * r / diagonal) : 0;
        }
    }
    free(old);
}

START_TEST(over_relaxation_depends_on_no_order)
{
    static const foehn_poisson_edge kinds[][6] = {
        LIKE_WIND, {P_, P_, P_, P_, P_, P_}, {P_, P_, D_, N_, P_, P_}, {N_, D_, P_, P_, D_, N_}};
    static const int sizes[][3] = {{5, 3, 7}, {2, 1, 3}, {4, 5, 6}, {3, 8, 1}, {17, 11, 3}};
    uint64_t seed = 11;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t e = 0; e < sizeof kinds / sizeof kinds[0]; e++) {
            problem b = problem_make(sizes[s][0], sizes[s][1], sizes[s][2], 1.5, 0.5, 2, kinds[e]);
            for (size_t c = 0; c < problem_cells(&b); c++) {
                b.rhs[c] = (float)testing_uniform(&seed, -1, 1);
                b.p[c] = (float)testing_uniform(&seed, -1, 1);
            }
            OK(foehn_poisson_write_rhs(b.solver, b.rhs));
            OK(foehn_poisson_write_solution(b.solver, b.p));
            OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_SOR, 2, 0, NULL));
            float *got = malloc(problem_cells(&b) * sizeof *got);
            OK(foehn_poisson_read_solution(b.solver, got));
            relax_reference(&b, 1.7f);
            relax_reference(&b, 1.7f);
            for (size_t c = 0; c < problem_cells(&b); c++)
                NEAR(got[c], b.p[c], 1e-4);
            free(got);
            problem_drop(&b);
        }
}
END_TEST

/* Faces closed, half open and open below, all open above, so that rows of both kinds are there. */
static void open_at_random(problem *b, uint64_t seed)
{
    for (int a = 0; a < 3; a++) {
        int ny = b->params.ny + (a == 1), nx = b->params.nx + (a == 0);
        for (size_t f = 0; f < problem_faces(b, a); f++) {
            int j = (int)(f / (size_t)nx % (size_t)ny);
            uint8_t some = testing_random(&seed) % 4 ? (uint8_t)testing_random(&seed) : 0;
            b->open[a][f] = j < b->params.ny / 3 ? some : 255;
        }
    }
    problem_write_open(b);
}

/* What GPUs do, four cells at a time, on any device, against what CPUs do. */
START_TEST(the_passes_of_gpus_do_what_those_of_cpus_do)
{
    static const foehn_poisson_edge kinds[][6] = {CLOSED,
                                                  LIKE_WIND,
                                                  {P_, P_, D_, N_, P_, P_},
                                                  {N_, D_, P_, P_, D_, N_},
                                                  {P_, P_, P_, P_, N_, N_}};
    static const int sizes[][3] = {
        {40, 20, 30}, {37, 19, 31}, {66, 51, 1}, {101, 1, 43}, {3, 70, 33}};
    static const double spacings[][3] = {{1, 1, 1}, {4, 1, 4}, {1, 4, 1}, {1, 1, 4}};
    int count = 0;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        for (size_t e = 0; e < sizeof kinds / sizeof kinds[0]; e++)
            for (size_t h = 0; h < sizeof spacings / sizeof spacings[0]; h++) {
                if ((n + e + h) % (testing_is_tiny() ? 16 : 4) != 0)
                    continue; /* each shape is compiled anew */
                problem on[2];
                const double *d = spacings[h];
                for (int gpu = 0; gpu < 2; gpu++) {
                    context->device.info.type = gpu ? FOEHN_DEVICE_GPU : FOEHN_DEVICE_CPU;
                    on[gpu] = problem_make(sizes[n][0], sizes[n][1], sizes[n][2], d[0], d[1], d[2],
                                           kinds[e]);
                    open_at_random(&on[gpu], 5 + n);
                    problem_fill_noise(&on[gpu], 3);
                    OK(foehn_poisson_solve(on[gpu].solver, FOEHN_POISSON_VCYCLE, 2, 0, NULL));
                    OK(foehn_poisson_read_solution(on[gpu].solver, on[gpu].p));
                }
                double largest = 0;
                for (size_t c = 0; c < problem_cells(&on[0]); c++)
                    largest = fmax(largest, fabs((double)on[0].p[c]));
                ck_assert_double_gt(largest, 0);
                for (size_t c = 0; c < problem_cells(&on[0]); c++)
                    ck_assert_msg(
                        fabs((double)on[1].p[c] - (double)on[0].p[c]) <= 1e-4 * largest,
                        "%d x %d x %d, sides %zu, spacing %zu, cell %zu: %g is not %g of %g",
                        sizes[n][0], sizes[n][1], sizes[n][2], e, h, c, (double)on[1].p[c],
                        (double)on[0].p[c], largest);
                count++;
                problem_drop(&on[0]);
                problem_drop(&on[1]);
            }
    testing_report("%d boxes", count);
}
END_TEST

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
    none_missed();
}
END_TEST

/* ---- convergence ---- */

/* Geometric mean of the residual's cut a cycle, while it is above 1e-4 of the first. */
static double cut_a_cycle(problem *b, foehn_poisson_method method, double *least)
{
    foehn_poisson_stats stats;
    double first = 0, last = 0;
    int done = 0;
    *least = INFINITY;
    problem_start_from_zero(b);
    do {
        OK(foehn_poisson_solve(b->solver, method, 1, 0, &stats));
        first = done == 0 ? stats.residual_first : first;
        last = stats.residual_last;
        *least = fmin(*least, stats.residual_first / last);
        done++;
    } while (done < 20 && last > 1e-4 * first);
    return pow(first / last, 1.0 / done);
}

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
            double cut = cut_a_cycle(&b, FOEHN_POISSON_VCYCLE, &least);
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
    none_missed();
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
            double cut_v = cut_a_cycle(&b, FOEHN_POISSON_VCYCLE, &least_v);
            double cut = cut_a_cycle(&b, FOEHN_POISSON_FCYCLE, &least);
            int iterations = iterations_to(&b, 1e-6);
            testing_report("hill %d x %d x %d, aspect %g: cut by %.2f an F-cycle (%.2f at least), "
                           "%.2f a V-cycle, MGCG %d to 1e-6",
                           hills[s][0], hills[s][1], hills[s][2], aspects[a], cut, least, cut_v,
                           iterations);
            WANT(cut >= 5, "hill, aspect %g", aspects[a]);
            WANT(iterations <= 12, "hill, aspect %g", aspects[a]);
            problem_drop(&b);
        }
    none_missed();
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
        double cut = cut_a_cycle(&b, FOEHN_POISSON_FCYCLE, &least);
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
        double cut = cut_a_cycle(&b, FOEHN_POISSON_FCYCLE, &least);
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

/* ---- sealed cells, changing obstacles ---- */

START_TEST(sealed_cells_are_left_out)
{
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    for (int m = 0; m < 5; m++) {
        problem b = problem_make(24, 8, 16, 1, 1, 1, edges), without;
        for (int k = 4; k < 9; k++)
            for (int j = 0; j < 5; j++)
                for (int i = 7; i < 12; i++)
                    problem_close_cell(&b, i, j, k);
        problem_write_open(&b);
        problem_fill_noise(&b, 4);
        without = problem_make(24, 8, 16, 1, 1, 1, edges);
        for (int a = 0; a < 3; a++)
            memcpy(without.open[a], b.open[a], problem_faces(&b, a));
        problem_write_open(&without);
        problem_fill_noise(&without, 4);
        b.rhs[problem_cell(&b, 9, 2, 6)] = 1e6f; /* what is written there is ignored */
        OK(foehn_poisson_write_rhs(b.solver, b.rhs));
        foehn_poisson_stats stats;
        OK(foehn_poisson_solve(b.solver, (foehn_poisson_method)m, 4, 0, &stats));
        OK(foehn_poisson_solve(without.solver, (foehn_poisson_method)m, 4, 0, NULL));
        problem_check_finite(&b);
        problem_check_finite(&without);
        EACH_CELL(&b, i, j, k)
        {
            double diagonal;
            problem_residual_at(&b, i, j, k, &diagonal);
            if (diagonal == 0)
                ck_assert_msg(b.p[problem_cell(&b, i, j, k)] == 0, "p(%d, %d, %d) = %g", i, j, k,
                              (double)b.p[problem_cell(&b, i, j, k)]);
        }
        ck_assert(memcmp(b.p, without.p, problem_cells(&b) * sizeof *b.p) == 0);
        problem_drop(&b);
        problem_drop(&without);
    }
}
END_TEST

/* A pocket of fluid behind solid walls: singular by itself, with a right side that has no solution
 * there.  Nothing may grow without bound. */
START_TEST(a_pocket_without_outlet_stays_finite)
{
    static const foehn_poisson_method methods[] = {FOEHN_POISSON_FCYCLE, FOEHN_POISSON_VCYCLE,
                                                   FOEHN_POISSON_MGCG};
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    for (int m = 0; m < 3; m++) {
        problem b = problem_make(32, 16, 32, 1, 1, 1, edges);
        for (int k = 8; k < 17; k++)
            for (int j = 4; j < 11; j++)
                for (int i = 9; i < 19; i++)
                    if (i == 9 || i == 18 || j == 4 || j == 10 || k == 8 || k == 16)
                        problem_close_cell(&b, i, j, k);
        problem_write_open(&b);
        problem_fill_noise(&b, 6);
        foehn_poisson_stats stats;
        OK(foehn_poisson_solve(b.solver, methods[m], 30, 0, &stats));
        problem_check_finite(&b);
        double outside = 0, inside = 0, largest = 0;
        EACH_CELL(&b, i, j, k)
        {
            double r = problem_residual_at(&b, i, j, k, NULL);
            bool in = i > 9 && i < 18 && j > 4 && j < 10 && k > 8 && k < 16;
            *(in ? &inside : &outside) += r * r;
            largest = fmax(largest, fabs((double)b.p[problem_cell(&b, i, j, k)]));
        }
        testing_report("a pocket, method %d: residual %.2e outside, %.2e inside, largest p %.3g",
                       (int)methods[m], sqrt(outside / (double)problem_cells(&b)),
                       sqrt(inside / (double)problem_cells(&b)), largest);
        ck_assert_double_le(largest, 1e6);
        problem_drop(&b);
    }
}
END_TEST

/* Hazard: solvers fail when obstacles come and go; the coarse levels must follow. */
START_TEST(obstacles_come_and_go)
{
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    static const foehn_poisson_method methods[] = {FOEHN_POISSON_FCYCLE, FOEHN_POISSON_MGCG};
    for (int m = 0; m < 2; m++) {
        problem b = problem_make(32, 16, 32, 4, 4, 4, edges);
        problem_fill_noise(&b, 8);
        double least, before = cut_a_cycle(&b, methods[m], &least);
        float *flat = testing_alloc(problem_cells(&b) * sizeof *flat);
        OK(foehn_poisson_solve(b.solver, methods[m], 20, 1e-5, NULL));
        OK(foehn_poisson_read_solution(b.solver, flat));
        for (int k = 10; k < 20; k++)
            for (int j = 0; j < 9; j++)
                for (int i = 8; i < 14; i++)
                    problem_close_cell(&b, i, j, k);
        problem_write_open(&b);
        foehn_poisson_stats stats;
        OK(foehn_poisson_solve(b.solver, methods[m], 20, 1e-5, &stats));
        problem_check_finite(&b);
        double worst;
        int where[3];
        double reached = problem_residual(&b, &worst, where);
        ck_assert_double_le(reached, 5e-5);
        double in_solid = (double)b.p[problem_cell(&b, 10, 3, 14)];
        testing_report("method %d: an obstacle appears: %d cycles, residual %.1e, p in it %g",
                       (int)methods[m], stats.cycles, reached, in_solid);
        WANT(in_solid == 0, "method %d", (int)methods[m]);
        for (int a = 0; a < 3; a++)
            memset(b.open[a], 255, problem_faces(&b, a));
        problem_write_open(&b);
        OK(foehn_poisson_solve(b.solver, methods[m], 20, 1e-5, &stats));
        OK(foehn_poisson_read_solution(b.solver, b.p));
        double apart = 0, size = 0;
        for (size_t c = 0; c < problem_cells(&b); c++) {
            apart = fmax(apart, fabs((double)b.p[c] - (double)flat[c]));
            size = fmax(size, fabs((double)flat[c]));
        }
        testing_report("method %d: it disappears: %d cycles, p apart by %.1e of %.3g",
                       (int)methods[m], stats.cycles, apart, size);
        ck_assert_double_le(apart, 1e-3 * size);
        NEAR(cut_a_cycle(&b, methods[m], &least), before, 0.01 * before);
        free(flat);
        problem_drop(&b);
    }
    none_missed();
}
END_TEST

/* ---- starting, stopping, repeating ---- */

START_TEST(a_warm_start_saves_cycles)
{
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    problem b = problem_make(64, 16, 64, 4, 4, 4, edges);
    problem_put_hill(&b);
    problem_fill_noise(&b, 12);
    foehn_poisson_stats cold, warm, idle;
    OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_FCYCLE, 30, 1e-4, &cold));
    uint64_t seed = 77;
    for (size_t c = 0; c < problem_cells(&b); c++)
        b.rhs[c] *= (float)(1 + 0.01 * testing_uniform(&seed, -1, 1));
    OK(foehn_poisson_write_rhs(b.solver, b.rhs));
    OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_FCYCLE, 30, 1e-4, &warm));
    OK(foehn_poisson_solve(b.solver, FOEHN_POISSON_FCYCLE, 30, 1e-4, &idle));
    testing_report("to 1e-4: %d cycles cold, %d after the right side changed by 1 %%, %d again",
                   cold.cycles, warm.cycles, idle.cycles);
    ck_assert_int_lt(warm.cycles, cold.cycles);
    ck_assert_int_eq(idle.cycles, 0);
    problem_drop(&b);
}
END_TEST

START_TEST(a_solve_stops_where_it_was_told)
{
    const foehn_poisson_edge edges[6] = CLOSED;
    problem b = problem_make(48, 12, 48, 4, 4, 4, edges);
    problem_fill_noise(&b, 13);
    foehn_poisson_stats stats;
    for (double reduction = 1e-1; reduction > 1e-6; reduction *= 0.1)
        for (int m = FOEHN_POISSON_FCYCLE; m <= FOEHN_POISSON_MGCG; m++) {
            problem_start_from_zero(&b);
            OK(foehn_poisson_solve(b.solver, (foehn_poisson_method)m, 50, reduction, &stats));
            ck_assert_int_lt(stats.cycles, 50);
            ck_assert_double_le(stats.residual_last, 1.01 * reduction * stats.residual_first);
        }
    problem_drop(&b);
}
END_TEST

START_TEST(two_solves_have_the_same_bits)
{
    const foehn_poisson_edge edges[6] = LIKE_WIND;
    for (int m = 0; m < 5; m++) {
        float *once = NULL;
        for (int run = 0; run < 2; run++) {
            problem b = problem_make(33, 9, 31, 4, 2, 4, edges);
            problem_put_hill(&b);
            problem_fill_noise(&b, 14);
            OK(foehn_poisson_solve(b.solver, (foehn_poisson_method)m, 5, 0, NULL));
            OK(foehn_poisson_read_solution(b.solver, b.p));
            size_t bytes = problem_cells(&b) * sizeof *b.p;
            if (run == 0)
                once = memcpy(testing_alloc(bytes), b.p, bytes);
            else
                ck_assert(memcmp(once, b.p, bytes) == 0);
            problem_drop(&b);
        }
        free(once);
    }
}
END_TEST

/* A step's solve starts from the last step's pressure, which u has already lost: a cycle that
 * overshoots a mode by more than a third lets divergence grow, over hundreds of steps. */
START_TEST(a_thousand_warm_started_steps_keep_divergence_small)
{
    foehn_wind_params params = foehn_wind_params_default();
    OK(foehn_wind_params_set_quality(&params, "low"));
    params.scheme = FOEHN_WIND_STAGGERED;
    foehn_wind *wind;
    foehn_wind_stats stats;
    OK(foehn_wind_create(context, &params, &wind));
    for (int step = 1; step <= (testing_is_tiny() ? 2 : 1000); step++) {
        OK(foehn_wind_step(wind, 1 / 60.0f));
        if (step % 500 == 0) {
            OK(foehn_wind_read_stats(wind, &stats));
            testing_report("|div u| after %d steps: mean %.1e, at most %.1e 1/s", step,
                           stats.mean_abs_divergence, stats.max_abs_divergence);
            ck_assert_double_le(stats.mean_abs_divergence, 2e-5);
        }
    }
    foehn_wind_destroy(wind);
}
END_TEST

/* ---- arguments ---- */

START_TEST(wrong_arguments_are_named)
{
    foehn_poisson *solver = (foehn_poisson *)&solver;
    foehn_poisson_params q = foehn_poisson_params_default();
    q.nz = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "64 x 64 x 0", foehn_poisson_create(context, &q, &solver));
    ck_assert_ptr_null(solver);
    q = foehn_poisson_params_default();
    q.spacing[1] = -1;
    FAILS(FOEHN_ERROR_ARGUMENT, "y spacing -1", foehn_poisson_create(context, &q, &solver));
    q.spacing[1] = NAN;
    FAILS(FOEHN_ERROR_ARGUMENT, "y spacing nan", foehn_poisson_create(context, &q, &solver));
    q = foehn_poisson_params_default();
    q.edges[3] = P_;
    FAILS(FOEHN_ERROR_ARGUMENT, "y axis", foehn_poisson_create(context, &q, &solver));
    q.edges[3] = (foehn_poisson_edge)7;
    FAILS(FOEHN_ERROR_ARGUMENT, "kind 7", foehn_poisson_create(context, &q, &solver));
    memset(&q, 0, sizeof q);
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_poisson_create(context, &q, &solver));
    q = foehn_poisson_params_default();
    q.nx = q.ny = q.nz = 4096;
    FAILS(FOEHN_ERROR_MEMORY, "MiB", foehn_poisson_create(context, &q, &solver));
    foehn_poisson_destroy(NULL);

    uint64_t before = foehn_context_get_memory(context);
    OK(foehn_poisson_create(context, NULL, &solver));
    ck_assert_uint_eq(foehn_poisson_get_memory(solver), foehn_context_get_memory(context) - before);
    uint8_t open[1] = {0};
    foehn_poisson_stats stats;
    FAILS(FOEHN_ERROR_ARGUMENT, "axis 3", foehn_poisson_write_open(solver, 3, open));
    FAILS(FOEHN_ERROR_ARGUMENT, "0 cycles",
          foehn_poisson_solve(solver, FOEHN_POISSON_VCYCLE, 0, 0, &stats));
    FAILS(FOEHN_ERROR_ARGUMENT, "reduction of 1",
          foehn_poisson_solve(solver, FOEHN_POISSON_VCYCLE, 1, 1, &stats));
    FAILS(FOEHN_ERROR_ARGUMENT, "reduction of nan",
          foehn_poisson_solve(solver, FOEHN_POISSON_VCYCLE, 1, NAN, &stats));
    FAILS(FOEHN_ERROR_ARGUMENT, "method 9",
          foehn_poisson_solve(solver, (foehn_poisson_method)9, 1, 0, &stats));
    OK(foehn_poisson_solve(solver, FOEHN_POISSON_MGCG, 1, 0, &stats));
    ck_assert_double_eq(stats.residual_last, 0); /* of nothing: no NaN from 0 / 0 */
    ck_assert_uint_eq(foehn_poisson_get_memory(solver), foehn_context_get_memory(context) - before);
    foehn_poisson_destroy(solver);
    ck_assert_uint_eq(foehn_context_get_memory(context), before);
}
END_TEST

START_TEST(copying_is_measured_and_leaves_the_timings_alone)
{
    double rate = 0, seconds = 0;
    OK(foehn_context_set_timing(context, 1));
    OK(foehn_context_measure_copy(context, testing_is_tiny() ? 1 : 16 << 20, &rate));
    testing_report("copies %.2f GB/s", rate * 1e-9);
    ck_assert_double_gt(rate, 0);
    OK(foehn_context_get_device_time(context, &seconds));
    ck_assert_double_eq(seconds, 0);
    OK(foehn_context_set_timing(context, 0));
    FAILS(FOEHN_ERROR_ARGUMENT, "0 bytes", foehn_context_measure_copy(context, 0, &rate));
    FAILS(FOEHN_ERROR_MEMORY, "MiB", foehn_context_measure_copy(context, UINT64_C(1) << 50, &rate));
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("pressure", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, the_residual_is_that_of_plain_c);
    tcase_add_test(tests, a_closed_floor_is_felt_on_both_sides);
    tcase_add_test(tests, the_largest_residual_is_found_whatever_its_sign);
    tcase_add_test(tests, over_relaxation_depends_on_no_order);
    tcase_add_test(tests, the_passes_of_gpus_do_what_those_of_cpus_do);
    tcase_add_test(tests, manufactured_solutions_converge_with_second_order);
    tcase_add_test(tests, a_v_cycle_cuts_the_residual_eightfold_in_flat_boxes);
    tcase_add_test(tests, a_cycle_cuts_the_residual_fivefold_over_a_hill_at_any_aspect);
    tcase_add_test(tests, cells_may_be_flat_or_tall);
    tcase_add_test(tests, thin_walls_with_gaps_are_passed);
    tcase_add_test(tests, every_method_makes_the_residual_smaller);
    tcase_add_test(tests, sealed_cells_are_left_out);
    tcase_add_test(tests, a_pocket_without_outlet_stays_finite);
    tcase_add_test(tests, obstacles_come_and_go);
    tcase_add_test(tests, a_warm_start_saves_cycles);
    tcase_add_test(tests, a_solve_stops_where_it_was_told);
    tcase_add_test(tests, two_solves_have_the_same_bits);
    tcase_add_test(tests, a_thousand_warm_started_steps_keep_divergence_small);
    tcase_add_test(tests, wrong_arguments_are_named);
    tcase_add_test(tests, copying_is_measured_and_leaves_the_timings_alone);
    return testing_end();
}
