/* SPDX-License-Identifier: MIT */
/* A Poisson problem on the device with its copy on the host, for tests/pressure/test_pressure.c. */
#ifndef FOEHN_PROBLEM_H
#define FOEHN_PROBLEM_H

#include "testing.h"

#include <foehn/poisson.h>

#define N_ FOEHN_POISSON_NEUMANN
#define D_ FOEHN_POISSON_DIRICHLET
#define P_ FOEHN_POISSON_PERIODIC
#define CLOSED                                                                                     \
    {                                                                                              \
        N_, N_, N_, N_, N_, N_                                                                     \
    }
#define LIKE_WIND                                                                                  \
    {                                                                                              \
        D_, D_, N_, N_, D_, D_                                                                     \
    } /* open sides over a closed floor and under a closed lid */

typedef struct problem {
    foehn_poisson_params params;
    foehn_poisson *solver;
    uint8_t *open[3];
    float *rhs, *p;
} problem;

#define EACH_CELL(b, i, j, k)                                                                      \
    for (int k = 0; k < (b)->params.nz; k++)                                                       \
        for (int j = 0; j < (b)->params.ny; j++)                                                   \
            for (int i = 0; i < (b)->params.nx; i++)

size_t problem_cells(const problem *b);
size_t problem_faces(const problem *b, int axis);
size_t problem_face(const problem *b, int axis, int i, int j, int k);
size_t problem_cell(const problem *b, int i, int j, int k);
problem problem_make(int nx, int ny, int nz, double hx, double hy, double hz,
                     const foehn_poisson_edge edges[6]);
void problem_drop(problem *b);
void problem_write_open(problem *b);
double problem_residual_at(const problem *b, int i, int j, int k, double *diagonal);
double problem_residual(const problem *b, double *worst, int where[3]);
/* Any right side and any solution to start from, written with the openness of the faces. */
void problem_write_random(problem *b, uint64_t *seed);
void problem_fill_noise(problem *b, uint64_t seed);
void problem_start_from_zero(problem *b);
void problem_check_finite(problem *b);
void problem_put_hill(problem *b);
void problem_close_cell(problem *b, int i, int j, int k);
void problem_put_walls(problem *b);

/* Like an assertion, but the cases that follow still run; problem_none_missed() ends the test. */
extern int problem_missed;

#define WANT(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            problem_missed++;                                                                      \
            printf("missed: %s: ", #condition);                                                    \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
        }                                                                                          \
    } while (0)

void problem_none_missed(void);

/* Geometric mean of the residual's cut a cycle, while it is above 1e-4 of the first. */
double problem_cut(problem *b, foehn_poisson_method method, double *least);

/* ---- the files of tests, one subject each ---- */

void add_pressure_operator_tests(TCase *tests);
void add_pressure_convergence_tests(TCase *tests);

#endif
