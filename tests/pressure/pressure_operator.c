/* SPDX-License-Identifier: MIT */
/* What the operator, its smoothers and the passes of GPUs do, against plain C in double. */
#include "testing.h"

#include "pressure/pressure.h"

#include "pressure/problem.h"

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
            problem_write_random(&b, &seed);
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
        problem_write_random(&b, &seed);
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

void add_pressure_operator_tests(TCase *tests)
{
    tcase_add_test(tests, the_residual_is_that_of_plain_c);
    tcase_add_test(tests, a_closed_floor_is_felt_on_both_sides);
    tcase_add_test(tests, the_largest_residual_is_found_whatever_its_sign);
    tcase_add_test(tests, over_relaxation_depends_on_no_order);
    tcase_add_test(tests, the_passes_of_gpus_do_what_those_of_cpus_do);
}
