/* SPDX-License-Identifier: MIT */
/* The shared Poisson solver through its public functions: sealed cells, warm starts, arguments. */
#include "testing.h"

#include "pressure/pressure.h"

#include "pressure/problem.h"

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
        double least, before = problem_cut(&b, methods[m], &least);
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
        NEAR(problem_cut(&b, methods[m], &least), before, 0.01 * before);
        free(flat);
        problem_drop(&b);
    }
    problem_none_missed();
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
    add_pressure_operator_tests(tests);
    add_pressure_convergence_tests(tests);
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
