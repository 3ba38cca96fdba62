/* SPDX-License-Identifier: MIT */
#include "pressure/problem.h"

size_t problem_cells(const problem *b)
{
    return (size_t)b->params.nx * (size_t)b->params.ny * (size_t)b->params.nz;
}

/* Faces across an axis: count and index. */
size_t problem_faces(const problem *b, int axis)
{
    const foehn_poisson_params *q = &b->params;
    return (size_t)(q->nx + (axis == 0)) * (size_t)(q->ny + (axis == 1)) *
           (size_t)(q->nz + (axis == 2));
}

size_t problem_face(const problem *b, int axis, int i, int j, int k)
{
    const foehn_poisson_params *q = &b->params;
    return (size_t)i +
           (size_t)(q->nx + (axis == 0)) * ((size_t)j + (size_t)(q->ny + (axis == 1)) * (size_t)k);
}

size_t problem_cell(const problem *b, int i, int j, int k)
{
    return (size_t)i + (size_t)b->params.nx * ((size_t)j + (size_t)b->params.ny * (size_t)k);
}

problem problem_make(int nx, int ny, int nz, double hx, double hy, double hz,
                     const foehn_poisson_edge edges[6])
{
    problem b = {.params = foehn_poisson_params_default()};
    b.params.nx = nx;
    b.params.ny = ny;
    b.params.nz = nz;
    b.params.spacing[0] = (float)hx;
    b.params.spacing[1] = (float)hy;
    b.params.spacing[2] = (float)hz;
    memcpy(b.params.edges, edges, sizeof b.params.edges);
    OK(foehn_poisson_create(context, &b.params, &b.solver));
    for (int a = 0; a < 3; a++) {
        b.open[a] = testing_alloc(problem_faces(&b, a));
        memset(b.open[a], 255, problem_faces(&b, a));
    }
    b.rhs = testing_alloc(problem_cells(&b) * sizeof *b.rhs);
    b.p = testing_alloc(problem_cells(&b) * sizeof *b.p);
    return b;
}

void problem_drop(problem *b)
{
    foehn_poisson_destroy(b->solver);
    for (int a = 0; a < 3; a++)
        free(b->open[a]);
    free(b->rhs);
    free(b->p);
}

void problem_write_open(problem *b)
{
    for (int a = 0; a < 3; a++)
        OK(foehn_poisson_write_open(b->solver, a, b->open[a]));
}

/* Openness as the solver sees it: Neumann sides closed, a periodic axis joined. */
static double open_at(const problem *b, int axis, int i, int j, int k)
{
    const int n[3] = {b->params.nx, b->params.ny, b->params.nz};
    int at[3] = {i, j, k};
    int side = at[axis] == 0 ? 2 * axis : at[axis] == n[axis] ? 2 * axis + 1 : -1;
    if (axis == 2 && n[2] == 1)
        return 0; /* solved in 2-D */
    if (side >= 0 && b->params.edges[side] == N_)
        return 0;
    if (side >= 0 && b->params.edges[side] == P_)
        at[axis] = 0;
    return b->open[axis][problem_face(b, axis, at[0], at[1], at[2])] / 255.0;
}

/* Weight of a face of a cell and the pressure beyond it, on side 0 to 5. */
static double beyond(const problem *b, int side, int i, int j, int k, double *p)
{
    const int n[3] = {b->params.nx, b->params.ny, b->params.nz};
    int axis = side / 2, face[3] = {i, j, k}, at[3] = {i, j, k};
    face[axis] += side & 1;
    at[axis] += side & 1 ? 1 : -1;
    double h = (double)b->params.spacing[axis];
    bool out = at[axis] < 0 || at[axis] >= n[axis];
    if (out && b->params.edges[side] == P_) {
        at[axis] = (at[axis] + n[axis]) % n[axis];
        out = false;
    }
    *p = out ? 0 : (double)b->p[problem_cell(b, at[0], at[1], at[2])];
    return open_at(b, axis, face[0], face[1], face[2]) / (h * h);
}

double problem_residual_at(const problem *b, int i, int j, int k, double *diagonal)
{
    size_t c = problem_cell(b, i, j, k);
    double flux = 0, sum = 0, p;
    for (int side = 0; side < 6; side++) {
        double weight = beyond(b, side, i, j, k, &p);
        flux += weight * (p - (double)b->p[c]);
        sum += weight;
    }
    if (diagonal)
        *diagonal = sum;
    return sum > 0 ? (double)b->rhs[c] - flux : 0;
}

/* Rms and largest residual of b->p, and where the largest is. */
double problem_residual(const problem *b, double *worst, int where[3])
{
    double sum = 0;
    *worst = 0;
    EACH_CELL(b, i, j, k)
    {
        double r = problem_residual_at(b, i, j, k, NULL);
        sum += r * r;
        if (fabs(r) > *worst) {
            *worst = fabs(r);
            where[0] = i;
            where[1] = j;
            where[2] = k;
        }
    }
    return sqrt(sum / (double)problem_cells(b));
}

void problem_write_random(problem *b, uint64_t *seed)
{
    for (size_t c = 0; c < problem_cells(b); c++) {
        b->rhs[c] = (float)testing_uniform(seed, -1, 1);
        b->p[c] = (float)testing_uniform(seed, -1, 1);
    }
    problem_write_open(b);
    OK(foehn_poisson_write_rhs(b->solver, b->rhs));
    OK(foehn_poisson_write_solution(b->solver, b->p));
}

/* A right side of noise that has a solution: mean 0 over the open cells of a box without outlet. */
void problem_fill_noise(problem *b, uint64_t seed)
{
    double sum = 0, count = 0, diagonal;
    bool outlet = false;
    for (int side = 0; side < 6; side++)
        outlet = outlet || b->params.edges[side] == D_;
    EACH_CELL(b, i, j, k)
    {
        size_t c = problem_cell(b, i, j, k);
        problem_residual_at(b, i, j, k, &diagonal);
        b->rhs[c] = (float)testing_uniform(&seed, -1, 1);
        sum += diagonal > 0 ? (double)b->rhs[c] : 0;
        count += diagonal > 0;
    }
    EACH_CELL(b, i, j, k)
    {
        size_t c = problem_cell(b, i, j, k);
        problem_residual_at(b, i, j, k, &diagonal);
        b->rhs[c] = diagonal > 0 ? b->rhs[c] - (outlet ? 0 : (float)(sum / count)) : 0;
    }
    OK(foehn_poisson_write_rhs(b->solver, b->rhs));
}

void problem_start_from_zero(problem *b)
{
    memset(b->p, 0, problem_cells(b) * sizeof *b->p);
    OK(foehn_poisson_write_solution(b->solver, b->p));
}

void problem_check_finite(problem *b)
{
    OK(foehn_poisson_read_solution(b->solver, b->p));
    for (size_t c = 0; c < problem_cells(b); c++)
        ck_assert_msg(isfinite(b->p[c]), "p[%zu] = %g", c, (double)b->p[c]);
}

/* ---- shapes of openness ---- */

static double hill(double x, double z)
{
    return 0.55 * exp(-12 * ((x - 0.45) * (x - 0.45) + (z - 0.55) * (z - 0.55)));
}

static uint8_t byte_of(double fraction)
{
    return (uint8_t)lround(255 * fmin(fmax(fraction, 0), 1));
}

/* A hill of 0.55 of the box's height; faces are open where they lie above it. */
void problem_put_hill(problem *b)
{
    enum { SAMPLES = 4 };
    const double nx = b->params.nx, ny = b->params.ny, nz = b->params.nz;
    for (int k = 0; k <= b->params.nz; k++)
        for (int j = 0; j <= b->params.ny; j++)
            for (int i = 0; i <= b->params.nx; i++) {
                double x = 0, y = 0, z = 0;
                for (int s = 0; s < SAMPLES; s++) {
                    double at = (s + 0.5) / SAMPLES;
                    x += fmin(fmax(j + 1 - ny * hill(i / nx, (k + at) / nz), 0), 1) / SAMPLES;
                    z += fmin(fmax(j + 1 - ny * hill((i + at) / nx, k / nz), 0), 1) / SAMPLES;
                    for (int t = 0; t < SAMPLES; t++)
                        y += (j >= ny * hill((i + at) / nx, (k + (t + 0.5) / SAMPLES) / nz)) /
                             (double)(SAMPLES * SAMPLES);
                }
                if (j < b->params.ny && k < b->params.nz)
                    b->open[0][problem_face(b, 0, i, j, k)] = byte_of(x);
                if (i < b->params.nx && k < b->params.nz)
                    b->open[1][problem_face(b, 1, i, j, k)] = byte_of(y);
                if (i < b->params.nx && j < b->params.ny)
                    b->open[2][problem_face(b, 2, i, j, k)] = byte_of(z);
            }
    problem_write_open(b);
}

void problem_close_cell(problem *b, int i, int j, int k)
{
    for (int upper = 0; upper < 2; upper++) {
        b->open[0][problem_face(b, 0, i + upper, j, k)] = 0;
        b->open[1][problem_face(b, 1, i, j + upper, k)] = 0;
        b->open[2][problem_face(b, 2, i, j, k + upper)] = 0;
    }
}

/* Walls one cell thick across the box, each with a gap of a few cells: left, right, left, ... */
void problem_put_walls(problem *b)
{
    int nx = b->params.nx, nz = b->params.nz, gap = nz / 8 + 1;
    for (int wall = 1; wall <= 3; wall++)
        for (int k = 0; k < nz; k++)
            for (int j = 0; j < b->params.ny; j++)
                if (wall % 2 ? k >= gap : k < nz - gap)
                    problem_close_cell(b, wall * nx / 4 + 1, j, k);
    problem_write_open(b);
}

int problem_missed;

void problem_none_missed(void)
{
    int count = problem_missed;
    problem_missed = 0;
    ck_assert_msg(count == 0, "%d cases missed what they must reach: see above", count);
}

/* Geometric mean of the residual's cut a cycle, while it is above 1e-4 of the first. */
double problem_cut(problem *b, foehn_poisson_method method, double *least)
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
