/* SPDX-License-Identifier: MIT */
/* bench/pfmg: one Poisson problem over a hill by this library's cycles on PoCL and by hypre's PFMG
 * (Ashby and Falgout 1996) in double, on the same cores, to the same residual.
 *
 *   ./configure --with-hypre && make bench/pfmg && mpirun -n 2 --bind-to none bench/pfmg [NX NY NZ
 * [ASPECT]]
 *
 * hypre runs on the ranks, each with a slab of rows; they end, and then rank 0 solves on all cores.
 * The residual is worked out in double for both. */
#define _POSIX_C_SOURCE 200112L /* clock_gettime */
#include <HYPRE_struct_ls.h>
#include <foehn/foehn.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REDUCTION 1e-6
enum { RUNS = 3, MOST = 100, POINTS = 7 };

typedef struct problem {
    int nx, ny, nz;
    double h[3];
    uint8_t *open[3]; /* of faces, as foehn_poisson_write_open() takes them */
    float *rhs;
} problem;

static size_t cells_of(const problem *p)
{
    return (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
}

static void *alloc(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) {
        fprintf(stderr, "pfmg: no memory for %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void check(foehn_status status)
{
    if (status == FOEHN_OK)
        return;
    fprintf(stderr, "pfmg: %s\n", foehn_last_error());
    exit(1);
}

/* A Gaussian hill as high as a third of the box; height in cells. */
static double ground_at(const problem *p, double x, double z)
{
    const double a = (x / p->nx - 0.5) / 0.12, b = (z / p->nz - 0.5) / 0.12;
    return p->ny / 3.0 * exp(-a * a - b * b);
}

static problem make_problem(int nx, int ny, int nz, double aspect)
{
    problem p = {nx, ny, nz, {aspect, 1, aspect}, {NULL}, NULL};
    uint64_t random = 1;
    for (int axis = 0; axis < 3; axis++) {
        const size_t mx = (size_t)(nx + (axis == 0)), my = (size_t)(ny + (axis == 1)),
                     mz = (size_t)(nz + (axis == 2));
        p.open[axis] = alloc(mx * my * mz);
        for (size_t k = 0; k < mz; k++)
            for (size_t j = 0; j < my; j++)
                for (size_t i = 0; i < mx; i++) {
                    const double ground =
                        ground_at(&p, (double)i + 0.5 * (axis != 0), (double)k + 0.5 * (axis != 2));
                    const double above = (double)j + (axis != 1) - ground;
                    const bool edge = axis == 1 && (j == 0 || j == my - 1); /* Neumann */
                    p.open[axis][(k * my + j) * mx + i] =
                        edge ? 0 : (uint8_t)(255 * fmin(fmax(above, 0), 1) + 0.5);
                }
    }
    p.rhs = alloc(cells_of(&p) * sizeof *p.rhs);
    for (size_t c = 0; c < cells_of(&p); c++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        p.rhs[c] = (float)((double)(random >> 40) * 0x1p-23 - 1);
    }
    return p;
}

/* Weights of the faces -x, +x, -y, +y, -z, +z of a cell; false: it is sealed. */
static bool weights_of(const problem *p, int i, int j, int k, double w[6])
{
    double sum = 0;
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2, up = side % 2;
        const size_t mx = (size_t)(p->nx + (axis == 0)), my = (size_t)(p->ny + (axis == 1));
        const size_t x = (size_t)(i + (axis == 0 ? up : 0)), y = (size_t)(j + (axis == 1 ? up : 0)),
                     z = (size_t)(k + (axis == 2 ? up : 0));
        w[side] = p->open[axis][(z * my + y) * mx + x] / 255.0 / (p->h[axis] * p->h[axis]);
        sum += w[side];
    }
    return sum > 0;
}

/* Root mean square of what a solution leaves of the right side, over that of the right side. */
static double residual_of(const problem *p, const double *x)
{
    const int64_t step[3] = {1, p->nx, (int64_t)p->nx * p->ny};
    const int n[3] = {p->nx, p->ny, p->nz};
    double left = 0, right = 0;
    for (int k = 0; k < p->nz; k++)
        for (int j = 0; j < p->ny; j++)
            for (int i = 0; i < p->nx; i++) {
                const int at[3] = {i, j, k};
                const int64_t c = i + step[1] * j + step[2] * k;
                double w[6], flux = 0;
                if (!weights_of(p, i, j, k, w))
                    continue;
                for (int side = 0; side < 6; side++) {
                    const int axis = side / 2, up = side % 2;
                    const bool beyond = up ? at[axis] + 1 == n[axis] : at[axis] == 0;
                    flux +=
                        w[side] * ((beyond ? 0 : x[c + (up ? step[axis] : -step[axis])]) - x[c]);
                }
                left += pow((double)p->rhs[c] - flux, 2);
                right += pow((double)p->rhs[c], 2);
            }
    return sqrt(left / right);
}

/* ---- hypre ---- */

typedef struct slab {
    HYPRE_StructGrid grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix a;
    HYPRE_StructVector b, x;
    HYPRE_Int low[3], high[3];
} slab;

static slab make_slab(const problem *p, int rank, int ranks)
{
    static HYPRE_Int offsets[POINTS][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0},
                                           {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    HYPRE_Int entries[POINTS] = {0, 1, 2, 3, 4, 5, 6};
    slab s = {.low = {0, 0, p->nz * rank / ranks},
              .high = {p->nx - 1, p->ny - 1, p->nz * (rank + 1) / ranks - 1}};
    const size_t count = (size_t)p->nx * (size_t)p->ny * (size_t)(s.high[2] - s.low[2] + 1);
    double *values = alloc(count * POINTS * sizeof *values), *right = alloc(count * sizeof *right);
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &s.grid);
    HYPRE_StructGridSetExtents(s.grid, s.low, s.high);
    HYPRE_StructGridAssemble(s.grid);
    HYPRE_StructStencilCreate(3, POINTS, &s.stencil);
    for (int e = 0; e < POINTS; e++)
        HYPRE_StructStencilSetElement(s.stencil, e, offsets[e]);
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, s.grid, s.stencil, &s.a);
    HYPRE_StructMatrixInitialize(s.a);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, s.grid, &s.b);
    HYPRE_StructVectorInitialize(s.b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, s.grid, &s.x);
    HYPRE_StructVectorInitialize(s.x);
    size_t c = 0;
    for (int k = s.low[2]; k <= s.high[2]; k++)
        for (int j = 0; j < p->ny; j++)
            for (int i = 0; i < p->nx; i++, c++) {
                const int at[3] = {i, j, k}, n[3] = {p->nx, p->ny, p->nz};
                double w[6], *row = values + c * POINTS;
                const bool fluid = weights_of(p, i, j, k, w);
                row[0] = fluid ? 0 : 1;
                for (int side = 0; side < 6; side++) {
                    const bool beyond =
                        side % 2 ? at[side / 2] + 1 == n[side / 2] : at[side / 2] == 0;
                    row[0] += w[side];
                    row[1 + side] = beyond ? 0 : -w[side];
                }
                right[c] =
                    fluid
                        ? -(double)p->rhs[((size_t)k * (size_t)p->ny + (size_t)j) * (size_t)p->nx +
                                          (size_t)i]
                        : 0;
            }
    HYPRE_StructMatrixSetBoxValues(s.a, s.low, s.high, POINTS, entries, values);
    HYPRE_StructMatrixAssemble(s.a);
    HYPRE_StructVectorSetBoxValues(s.b, s.low, s.high, right);
    HYPRE_StructVectorAssemble(s.b);
    free(values);
    free(right);
    return s;
}

/* The whole solution on rank 0. */
static void collect(const problem *p, const slab *s, int rank, int ranks, double *all)
{
    const size_t plane = (size_t)p->nx * (size_t)p->ny;
    const size_t count = plane * (size_t)(s->high[2] - s->low[2] + 1);
    double *own = alloc(count * sizeof *own);
    HYPRE_StructVectorGetBoxValues(s->x, (HYPRE_Int *)s->low, (HYPRE_Int *)s->high, own);
    int *counts = alloc((size_t)ranks * sizeof *counts),
        *places = alloc((size_t)ranks * sizeof(int));
    for (int n = 0; n < ranks; n++) {
        places[n] = (int)plane * (p->nz * n / ranks);
        counts[n] = (int)plane * (p->nz * (n + 1) / ranks) - places[n];
    }
    MPI_Gatherv(own, (int)count, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    (void)rank;
    free(own);
    free(counts);
    free(places);
}

static void set_zero(const problem *p, const slab *s)
{
    const size_t count = (size_t)p->nx * (size_t)p->ny * (size_t)(s->high[2] - s->low[2] + 1);
    double *zero = alloc(count * sizeof *zero);
    HYPRE_StructVectorSetBoxValues(s->x, (HYPRE_Int *)s->low, (HYPRE_Int *)s->high, zero);
    HYPRE_StructVectorAssemble(s->x);
    free(zero);
}

/* Of the clock; and of processors, all ranks' and threads' together, which other programs on the
 * same cores change little. */
typedef struct times {
    double wall, processor;
} times;

static times now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (times){MPI_Wtime(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

/* The shorter of what there is and what has passed, each on its own. */
static times least(times best, times start)
{
    const times end = now();
    return (times){fmin(best.wall, end.wall - start.wall),
                   fmin(best.processor, end.processor - start.processor)};
}

static times shorter(times a, times b)
{
    return (times){fmin(a.wall, b.wall), fmin(a.processor, b.processor)};
}

static void print_row(const char *name, int cycles, times setup, times solve, double reached)
{
    printf("| %s | %d | %.1f | %.1f | %.1f | %.1e |\n", name, cycles, 1e3 * setup.wall,
           1e3 * solve.wall, 1e3 * solve.processor, reached);
    fflush(stdout);
}

/* PFMG alone, or before conjugate gradients, with one of its smoothers (2: red-black Gauss-Seidel;
 * 1: weighted Jacobi). */
static times run_pfmg(const problem *p, const slab *s, int rank, int ranks, bool gradients,
                      int smoother)
{
    times best = {INFINITY, INFINITY}, setup = best;
    HYPRE_Int cycles = 0;
    for (int run = 0; run < RUNS; run++) {
        HYPRE_StructSolver multigrid, outer = NULL;
        set_zero(p, s);
        MPI_Barrier(MPI_COMM_WORLD);
        times start = now();
        HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &multigrid);
        HYPRE_StructPFMGSetRelaxType(multigrid, smoother);
        HYPRE_StructPFMGSetNumPreRelax(multigrid, 1);
        HYPRE_StructPFMGSetNumPostRelax(multigrid, 1);
        HYPRE_StructPFMGSetSkipRelax(multigrid, 1);
        HYPRE_StructPFMGSetMaxIter(multigrid, gradients ? 1 : MOST);
        HYPRE_StructPFMGSetTol(multigrid, gradients ? 0 : REDUCTION);
        if (gradients) {
            HYPRE_StructPFMGSetZeroGuess(multigrid);
            HYPRE_StructPCGCreate(MPI_COMM_WORLD, &outer);
            HYPRE_StructPCGSetTol(outer, REDUCTION);
            HYPRE_StructPCGSetMaxIter(outer, MOST);
            HYPRE_StructPCGSetTwoNorm(outer, 1);
            HYPRE_StructPCGSetPrecond(outer, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup,
                                      multigrid);
            HYPRE_StructPCGSetup(outer, s->a, s->b, s->x);
        } else {
            HYPRE_StructPFMGSetup(multigrid, s->a, s->b, s->x);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        setup = least(setup, start);
        start = now();
        if (gradients) {
            HYPRE_StructPCGSolve(outer, s->a, s->b, s->x);
            HYPRE_StructPCGGetNumIterations(outer, &cycles);
            HYPRE_StructPCGDestroy(outer);
        } else {
            HYPRE_StructPFMGSolve(multigrid, s->a, s->b, s->x);
            HYPRE_StructPFMGGetNumIterations(multigrid, &cycles);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        best = least(best, start);
        HYPRE_StructPFMGDestroy(multigrid);
    }
    double own = best.processor;
    MPI_Allreduce(&own, &best.processor, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double *x = rank == 0 ? alloc(cells_of(p) * sizeof *x) : NULL;
    collect(p, s, rank, ranks, x);
    char name[80];
    snprintf(name, sizeof name, "hypre PFMG%s, %s, double, %d rank%s",
             gradients ? " before conjugate gradients" : "", smoother == 2 ? "red-black" : "Jacobi",
             ranks, ranks > 1 ? "s" : "");
    if (rank == 0)
        print_row(name, (int)cycles, setup, best, residual_of(p, x));
    free(x);
    return best;
}

/* ---- this library ---- */

static times run_own(const problem *p, foehn_poisson_method method, const char *name)
{
    foehn_context *ctx;
    foehn_poisson *solver;
    foehn_poisson_stats stats = {0};
    foehn_poisson_params params = foehn_poisson_params_default();
    const size_t count = cells_of(p);
    float *zero = alloc(count * sizeof *zero), *found = alloc(count * sizeof *found);
    double *x = alloc(count * sizeof *x);
    times best = {INFINITY, INFINITY}, setup = best;
    params.nx = p->nx;
    params.ny = p->ny;
    params.nz = p->nz;
    for (int a = 0; a < 3; a++)
        params.spacing[a] = (float)p->h[a];
    for (int side = 0; side < 6; side++)
        params.edges[side] = side / 2 == 1 ? FOEHN_POISSON_NEUMANN : FOEHN_POISSON_DIRICHLET;
    check(foehn_context_create(NULL, &ctx));
    check(foehn_poisson_create(ctx, &params, &solver));
    check(foehn_poisson_write_rhs(solver, p->rhs));
    for (int run = 0; run <= RUNS; run++) { /* the first one compiles */
        times start = now();
        for (int a = 0; a < 3; a++)
            check(foehn_poisson_write_open(solver, a, p->open[a]));
        setup = least(setup, start);
        check(foehn_poisson_write_solution(solver, zero));
        start = now();
        check(foehn_poisson_solve(solver, method, MOST, REDUCTION, run == 0 ? &stats : NULL));
        check(foehn_context_wait(ctx));
        best = run > 0 ? least(best, start) : best;
    }
    check(foehn_poisson_read_solution(solver, found));
    for (size_t c = 0; c < count; c++)
        x[c] = (double)found[c];
    print_row(name, stats.cycles, setup, best, residual_of(p, x));
    foehn_poisson_destroy(solver);
    foehn_context_destroy(ctx);
    free(zero);
    free(found);
    free(x);
    return best;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int nx = argc > 3 ? atoi(argv[1]) : 128, ny = argc > 3 ? atoi(argv[2]) : 64,
              nz = argc > 3 ? atoi(argv[3]) : 128;
    const double aspect = argc > 4 ? atof(argv[4]) : 2;
    if (nx < 4 || ny < 4 || nz < 4 * ranks || !(aspect > 0)) {
        fprintf(stderr, "pfmg: NX NY NZ ASPECT: at least 4 cells, and 4 rows a rank\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    problem p = make_problem(nx, ny, nz, aspect);
    HYPRE_Init();
    if (rank == 0)
        printf("%d x %d x %d cells over a hill, %g times as wide as high, to %g\n\n"
               "| solver | cycles | setup, ms | solve, ms | processors' ms | reached |\n"
               "|---|---:|---:|---:|---:|---:|\n",
               nx, ny, nz, aspect, REDUCTION);
    slab s = make_slab(&p, rank, ranks);
    times theirs = {INFINITY, INFINITY}, ours = theirs;
    for (int smoother = 1; smoother <= 2; smoother++)
        for (int gradients = 0; gradients < 2; gradients++)
            theirs = shorter(theirs, run_pfmg(&p, &s, rank, ranks, gradients, smoother));
    HYPRE_StructMatrixDestroy(s.a);
    HYPRE_StructVectorDestroy(s.b);
    HYPRE_StructVectorDestroy(s.x);
    HYPRE_StructStencilDestroy(s.stencil);
    HYPRE_StructGridDestroy(s.grid);
    HYPRE_Finalize();
    if (rank > 0) /* the cores are rank 0's from here on */
        return MPI_Finalize();
    ours = shorter(ours, run_own(&p, FOEHN_POISSON_VCYCLE, "V-cycle, float"));
    ours = shorter(ours, run_own(&p, FOEHN_POISSON_FCYCLE, "F-cycle, float"));
    ours =
        shorter(ours, run_own(&p, FOEHN_POISSON_MGCG, "F-cycle before conjugate gradients, float"));
    printf("\nthe fastest of hypre's over the fastest of these: %.2f by the clock, %.2f of "
           "processors\n",
           theirs.wall / ours.wall, theirs.processor / ours.processor);
    return MPI_Finalize();
}
