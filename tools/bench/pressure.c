/* SPDX-License-Identifier: MIT */
/* foehn bench pressure: how fast the Poisson solver converges, and what a cycle takes. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum shape { CLOSED_BOX, OPEN_SIDES, HILL, WALLS } shape;

typedef struct pressure_case {
    const char *name;
    shape shape;
    double aspect; /* horizontal over vertical spacing */
    foehn_poisson_method method;
} pressure_case;

static const int boxes[][3] = {
    {32, 8, 32},   {48, 12, 48},    {64, 16, 64},   {65, 17, 63},    {96, 24, 96},
    {512, 512, 1}, {128, 128, 128}, {256, 64, 256}, {256, 256, 256}, {512, 512, 512},
};
enum { BOXES = sizeof boxes / sizeof boxes[0] };

static const pressure_case cases[] = {
    {"closed", CLOSED_BOX, 1, FOEHN_POISSON_VCYCLE}, {"flat", OPEN_SIDES, 1, FOEHN_POISSON_VCYCLE},
    {"flat", OPEN_SIDES, 4, FOEHN_POISSON_VCYCLE},   {"flat", OPEN_SIDES, 10, FOEHN_POISSON_VCYCLE},
    {"hill", HILL, 1, FOEHN_POISSON_FCYCLE},         {"hill", HILL, 4, FOEHN_POISSON_FCYCLE},
    {"hill", HILL, 10, FOEHN_POISSON_FCYCLE},        {"thin walls", WALLS, 1, FOEHN_POISSON_FCYCLE},
};
enum { CASES = sizeof cases / sizeof cases[0], CYCLES = 8, MOST_ITERATIONS = 40 };

static const bench_column columns[] = {
    {"box", "box", -12},
    {"case", "case", -10},
    {"aspect", "aspect", 6},
    {"method", "cycle", -6},
    {"cut_a_cycle", "cut", 6},
    {"mgcg_iterations", "MGCG", 5},
    {"mgcg_residual", "reached", 8},
    {"launches", "launches", 8},
    {"cycle_ms", "ms", 9},
    {"device_ms", "on device", 9},
    {"sweeps_a_cycle", "in sweeps", 9},
    {"bytes_a_cell", "bytes/cell", 10},
    {"share_of_copy", "of copy", 8},
    {"sweep_ms", "sweep ms", 9},
    {"sweep_share_of_copy", "of copy", 8},
    {"memory_bytes_a_cell", "memory/cell", 11},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* ---- a problem on the host ---- */

typedef struct problem {
    foehn_poisson *solver;
    foehn_poisson_method method;
    int n[3];
    shape shape;
} problem;

static double cells_of(const problem *p)
{
    return (double)p->n[0] * p->n[1] * p->n[2];
}

static uint8_t byte_of(double fraction)
{
    return (uint8_t)(255 * fmin(fmax(fraction, 0), 1) + 0.5);
}

/* Height of the ground at (x, z) in cells; the hill is half as high as the box. */
static double ground_at(const problem *p, double x, double z)
{
    return 0.5 * p->n[1] * bench_hill(x / p->n[0], z / p->n[2]);
}

/* Walls one cell thick across x with a gap at one end each, left and right in turn: is cell (i, k)
 * of one? */
static bool is_wall(const problem *p, int i, int k)
{
    int gap = p->n[2] / 8 + 1;
    if (p->n[2] == 1 || i < 0 || i >= p->n[0] || k < 0 || k >= p->n[2])
        return false;
    for (int wall = 1; wall <= 3; wall++)
        if (i == wall * p->n[0] / 4 + 1)
            return wall % 2 ? k >= gap : k < p->n[2] - gap;
    return false;
}

/* One column of faces across an axis, at (i, k), every stride bytes from *open. */
static void fill_column(const problem *p, int axis, int i, int k, size_t stride, uint8_t *open)
{
    enum { SAMPLES = 4 };
    double ground[SAMPLES * SAMPLES];
    int rows = p->n[1] + (axis == 1), count = 0;
    bool closed = p->shape == WALLS && (is_wall(p, i, k) || (axis == 0 && is_wall(p, i - 1, k)) ||
                                        (axis == 2 && is_wall(p, i, k - 1)));
    for (int s = 0; p->shape == HILL && s < (axis == 0 ? 1 : SAMPLES); s++)
        for (int t = 0; t < (axis == 2 ? 1 : SAMPLES); t++)
            ground[count++] = ground_at(p, i + (axis == 0 ? 0 : (s + 0.5) / SAMPLES),
                                        k + (axis == 2 ? 0 : (t + 0.5) / SAMPLES));
    for (int j = 0; j < rows; j++) {
        double sum = 0;
        for (int s = 0; s < count; s++)
            sum += axis == 1 ? j >= ground[s] : fmin(fmax(j + 1 - ground[s], 0), 1);
        open[(size_t)j * stride] = closed ? 0 : count ? byte_of(sum / count) : 255;
    }
}

static int write_open(const problem *p, int axis)
{
    size_t nx = (size_t)p->n[0] + (axis == 0), ny = (size_t)p->n[1] + (axis == 1),
           nz = (size_t)p->n[2] + (axis == 2);
    uint8_t *open = malloc(nx * ny * nz);
    if (!open)
        return fail_memory();
    for (size_t k = 0; k < nz; k++)
        for (size_t i = 0; i < nx; i++)
            fill_column(p, axis, (int)i, (int)k, nx, open + i + nx * ny * k);
    foehn_status status = foehn_poisson_write_open(p->solver, axis, open);
    free(open);
    return fail_library(status);
}

/* Noise; in a closed box its mean is taken out, or there would be no solution. */
static int write_rhs(const problem *p)
{
    size_t count = (size_t)cells_of(p);
    float *rhs = malloc(count * sizeof *rhs);
    uint64_t random = 1;
    double sum = 0;
    if (!rhs)
        return fail_memory();
    for (size_t c = 0; c < count; c++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        rhs[c] = (float)((double)(random >> 40) * 0x1p-23 - 1);
        sum += (double)rhs[c];
    }
    for (size_t c = 0; c < count && p->shape == CLOSED_BOX; c++)
        rhs[c] -= (float)(sum / (double)count);
    foehn_status status = foehn_poisson_write_rhs(p->solver, rhs);
    free(rhs);
    return fail_library(status);
}

static int write_zero(const problem *p)
{
    float *zero = calloc((size_t)cells_of(p), sizeof *zero);
    if (!zero)
        return fail_memory();
    foehn_status status = foehn_poisson_write_solution(p->solver, zero);
    free(zero);
    return fail_library(status);
}

/* ---- measuring ---- */

static foehn_status cycles(void *data, int count)
{
    const problem *p = data;
    return foehn_poisson_solve(p->solver, p->method, count, 0, NULL);
}

static foehn_status sweeps(void *data, int count)
{
    return foehn_poisson_solve(((const problem *)data)->solver, FOEHN_POISSON_JACOBI, count, 0,
                               NULL);
}

typedef struct figures {
    double cut, iterations, reached, launches, cycle_ms, device_ms, bytes, copy, sweep_ms,
        sweep_share, memory;
    bool stuck; /* conjugate gradients did not get to 1e-6 */
} figures;

/* Geometric mean of the residual's cut a cycle while it is above 1e-4 of the first. */
static int measure_cut(const problem *p, double *cut)
{
    foehn_poisson_stats stats;
    double first = 0, last = 0;
    int done = 0, status = write_zero(p);
    while (status == STATUS_OK && done < CYCLES && (done == 0 || last > 1e-4 * first)) {
        status = fail_library(foehn_poisson_solve(p->solver, p->method, 1, 0, &stats));
        first = done == 0 ? stats.residual_first : first;
        last = stats.residual_last;
        done++;
    }
    *cut = done > 0 ? pow(first / last, 1.0 / done) : NAN;
    return status;
}

/* Until the residual that the iteration carries along is 1e-6 of the first; the true one that is
 * reached then is larger where floats resolve no more. */
static int measure_iterations(const problem *p, figures *f)
{
    foehn_poisson_stats stats;
    int status = write_zero(p);
    f->iterations = f->reached = NAN;
    if (status != STATUS_OK)
        return status;
    foehn_status solved =
        foehn_poisson_solve(p->solver, FOEHN_POISSON_MGCG, MOST_ITERATIONS, 1e-6, &stats);
    if (solved == FOEHN_ERROR_MEMORY)
        return STATUS_OK; /* five fields more do not fit */
    f->reached = stats.residual_last / stats.residual_first;
    f->stuck = solved == FOEHN_OK && (stats.cycles == MOST_ITERATIONS || !(f->reached < 1e-3));
    if (solved == FOEHN_OK && !f->stuck)
        f->iterations = stats.cycles;
    return fail_library(solved);
}

static int measure_times(bench *b, problem *p, figures *f)
{
    foehn_timing timings[MOST_STAGES];
    size_t found;
    double seconds, sweep, unused;
    int status = fail_library(cycles(p, 1)); /* what is compiled on first use */
    if (status == STATUS_OK)
        status = bench_time(b, cycles, p, &seconds, &f->launches);
    if (status != STATUS_OK)
        return status;
    int count = (int)fmin(fmax(0.3 / seconds, 2), 100);
    status = bench_time_kernels(b, cycles, p, count, &found, timings);
    for (size_t i = 0; status == STATUS_OK && i < found; i++) {
        f->device_ms += 1e3 * timings[i].seconds / count;
        f->bytes += timings[i].bytes / count;
    }
    f->cycle_ms = 1e3 * seconds;
    if (status == STATUS_OK)
        status = bench_time(b, sweeps, p, &sweep, &unused);
    if (status != STATUS_OK)
        return status;
    f->sweep_ms = 1e3 * sweep;
    count = (int)fmin(fmax(0.2 / sweep, 2), 200);
    status = bench_time_kernels(b, sweeps, p, count, &found, timings);
    if (status == STATUS_OK)
        status = bench_copy(b, (uint64_t)cells_of(p) * sizeof(float), &f->copy);
    if (status == STATUS_OK && found > 0)
        f->sweep_share = timings[0].bytes / timings[0].seconds / f->copy;
    return status;
}

static void compare(bench *b, const problem *p, const pressure_case *c, const char *box,
                    const figures *f)
{
    char what[96];
    bool flat = p->shape == CLOSED_BOX || (p->shape == OPEN_SIDES && c->aspect == 1);
    snprintf(what, sizeof what, "%s %s, aspect %g: cut a %s", box, c->name, c->aspect,
             flat ? "V-cycle" : "cycle");
    if (p->shape != WALLS && !(f->cut >= (flat ? 8 : 5))) /* only those that miss: there are many */
        bench_compare(b, what, f->cut, true, flat ? 8 : 5);
    snprintf(what, sizeof what, "%s %s, aspect %g: MGCG iterations to 1e-6", box, c->name,
             c->aspect);
    if (f->iterations > 12 || f->stuck)
        bench_compare(b, what, f->iterations, false, 12);
    if (p->n[0] != 256 || p->n[1] != 64 || c->aspect != 1)
        return;
    snprintf(what, sizeof what, "%s %s: a sweep's share of the copy bandwidth", box, c->name);
    bench_compare(b, what, f->sweep_share, true, 0.6);
    snprintf(what, sizeof what, "%s %s: a V-cycle in sweeps", box, c->name);
    if (p->method == FOEHN_POISSON_VCYCLE)
        bench_compare(b, what, f->cycle_ms / f->sweep_ms, false, 12);
}

static int run_case(bench *b, const int n[3], const pressure_case *c)
{
    foehn_poisson_params params = foehn_poisson_params_default();
    problem p = {.method = c->method, .n = {n[0], n[1], n[2]}, .shape = c->shape};
    char box[32], say[80];
    snprintf(box, sizeof box, n[2] > 1 ? "%dx%dx%d" : "%dx%d", n[0], n[1], n[2]);
    snprintf(say, sizeof say, "%s %s, aspect %g", box, c->name, c->aspect);
    progress_say(say);
    params.nx = n[0];
    params.ny = n[1];
    params.nz = n[2];
    params.spacing[0] = params.spacing[2] = (float)(4 * c->aspect);
    params.spacing[1] = 4;
    for (int side = 0; side < 6; side++)
        if (c->shape != CLOSED_BOX && side / 2 != 1)
            params.edges[side] = FOEHN_POISSON_DIRICHLET;
    foehn_status made = foehn_poisson_create(b->ctx, &params, &p.solver);
    if (made == FOEHN_ERROR_MEMORY)
        return STATUS_OK; /* does not fit */
    int status = fail_library(made);
    figures f = {.sweep_share = NAN};
    for (int axis = 0; axis < 3 && status == STATUS_OK; axis++)
        if (c->shape == HILL || c->shape == WALLS)
            status = write_open(&p, axis);
    if (status == STATUS_OK)
        status = write_rhs(&p);
    if (status == STATUS_OK)
        status = measure_cut(&p, &f.cut);
    if (status == STATUS_OK)
        status = measure_times(b, &p, &f);
    f.memory = status == STATUS_OK ? (double)foehn_poisson_get_memory(p.solver) : 0;
    if (status == STATUS_OK)
        status = measure_iterations(&p, &f);
    double cells = cells_of(&p);
    if (status == STATUS_OK) {
        bench_table_row(
            b,
            (bench_cell[]){
                TEXT_CELL(box), TEXT_CELL(c->name), NUMBER_CELL(c->aspect, 0),
                TEXT_CELL(c->method == FOEHN_POISSON_VCYCLE ? "V" : "F"), NUMBER_CELL(f.cut, 2),
                NUMBER_CELL(f.iterations, 0), NUMBER_CELL(f.reached, -1),
                NUMBER_CELL(f.launches, 0), NUMBER_CELL(f.cycle_ms, 3), NUMBER_CELL(f.device_ms, 3),
                NUMBER_CELL(f.cycle_ms / f.sweep_ms, 1), NUMBER_CELL(f.bytes / cells, 1),
                NUMBER_CELL(f.bytes / (1e-3 * f.device_ms) / f.copy, 2), NUMBER_CELL(f.sweep_ms, 3),
                NUMBER_CELL(f.sweep_share, 2), NUMBER_CELL(f.memory / cells, 1)});
        compare(b, &p, c, box, &f);
    }
    foehn_poisson_destroy(p.solver);
    return status;
}

int bench_pressure(bench *b)
{
    int status = STATUS_OK;
    bench_table_begin(
        b, "pressure",
        "Pressure: cut of the residual a cycle, conjugate gradient iterations to 1e-6, "
        "and times of a cycle and of a smoothing sweep",
        COLUMNS, columns);
    for (int i = 0; i < BOXES; i++)
        for (int c = 0; c < CASES && status == STATUS_OK && !stop_requested(); c++) {
            const int *n = boxes[i];
            bool flat_only = n[2] == 1; /* the hill and the walls are made for 3-D */
            if ((double)n[0] * n[1] * n[2] > (double)b->most ||
                (flat_only && (cases[c].shape == HILL || cases[c].shape == WALLS)))
                continue;
            status = run_case(b, n, &cases[c]);
        }
    bench_table_end(b);
    return status;
}
