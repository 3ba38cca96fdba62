/* SPDX-License-Identifier: MIT */
/* Boxes of Mann's tensor that have given values at given points: of all boxes of the tensor's
 * statistics the nearest to one at random (Hoffman and Ribak 1991; Dimitrov and Natarajan 2017). To
 * the box is added R(x - x_p) c_p, summed over the points, R the covariance of the box's own modes,
 * and c solves sum_q R(x_p - x_q) c_q = what point p lacks. */
#include "config.h"

#include "box/mann.h"

#include "box/parallel.h"

#include <stdlib.h>

enum { MOST_CONSTRAINTS = 1000 };

typedef struct point {
    int at[3];
    size_t row; /* of the caller's list, from 1 */
    double value[3];
} point;

/* What is to be met: one component at one point. */
typedef struct entry {
    const point *p;
    int component;
} entry;

static int compare(const void *a, const void *b)
{
    return memcmp(((const point *)a)->at, ((const point *)b)->at, sizeof((const point *)a)->at);
}

/* The points of the grid that are meant. */
static int find_points(const box *b, size_t count, const box_constraint *constraints, point *points)
{
    static const char axis[] = "xyz";
    for (size_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            double index = floor(constraints[i].at[a] / b->d[a] + 0.5);
            if (!(index >= 0 && index < b->n[a]))
                return fail(STATUS_INPUT,
                            "constraint %zu: %c = %g m is outside of the box: give 0 to %g m",
                            i + 1, axis[a], constraints[i].at[a], (b->n[a] - 1) * b->d[a]);
            points[i].at[a] = (int)index;
            points[i].value[a] = constraints[i].value[a];
        }
        points[i].row = i + 1;
    }
    qsort(points, count, sizeof *points, compare);
    for (size_t i = 1; i < count; i++)
        if (compare(&points[i - 1], &points[i]) == 0) {
            size_t first = points[i - 1].row, second = points[i].row;
            return fail(STATUS_INPUT,
                        "constraints %zu and %zu fall on the same point of the box: leave one out",
                        first < second ? first : second, first < second ? second : first);
        }
    return STATUS_OK;
}

/* One pair's covariance, as a function of the distance on the whole, periodic grid. */
typedef struct correlation {
    mann_modes *m;
    int pair;
    fftwf_complex *modes; /* [half][n2][n3] */
    float *real;          /* [n1][n2][n3] */
    fftwf_plan plan;
} correlation;

static void fill_plane(void *data, int i, int thread)
{
    correlation *r = data;
    const mann_modes *m = r->m;
    mann_plane *plane = &m->planes[thread];
    mann_covary(m, i, plane);
    for (int j = 0; j < m->n[1]; j++)
        for (int k = 0; k < m->n[2]; k++) {
            fftwf_complex *to =
                r->modes + ((size_t)i * (size_t)m->n[1] + (size_t)j) * (size_t)m->n[2] + k;
            (*to)[0] = plane->covariance[r->pair][j * m->width + k];
            (*to)[1] = 0;
        }
}

static int wrapped(int index, int n)
{
    return index < 0 ? index + n : index;
}

/* Fill the parts of the matrix [count][count] that this pair is in. */
static void fill_matrix(const correlation *r, size_t count, const entry *entries, double *matrix)
{
    static const int of[PAIRS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const mann_modes *m = r->m;
    for (size_t e = 0; e < count; e++)
        for (size_t f = 0; f < count; f++) {
            if (entries[e].component != of[r->pair][0] || entries[f].component != of[r->pair][1])
                continue;
            const point *p = entries[e].p, *q = entries[f].p;
            size_t i = (size_t)wrapped(p->at[0] - q->at[0], m->n[0]);
            size_t j = (size_t)wrapped(p->at[1] - q->at[1], m->n[1]);
            size_t k = (size_t)wrapped(p->at[2] - q->at[2], m->n[2]);
            double value = (double)r->real[(i * (size_t)m->n[1] + j) * (size_t)m->n[2] + k];
            matrix[e * count + f] = matrix[f * count + e] = value;
        }
}

/* Solve A x = b for a symmetric, positive A by Cholesky's factors, in place. */
static int solve(size_t n, double *a, double *x)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            const double *row = a + i * n, *other = a + j * n;
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j && !(sum > 0))
                return fail(
                    STATUS_INPUT,
                    "the constraints are nearer to each other than the box can tell apart: leave "
                    "out every other one");
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
    return STATUS_OK;
}

static double value_at(const box *b, const entry *e)
{
    const int *at = e->p->at;
    return (double)b->component[e->component][((size_t)at[0] * (size_t)b->n[1] + (size_t)at[1]) *
                                                  (size_t)b->n[2] +
                                              (size_t)at[2]];
}

/* Axes of a transform of all wave vectors; that along x comes last, which is the one halved. */
static void axes_of(const mann_modes *m, fftwf_iodim axes[3])
{
    const int n2 = m->n[1], n3 = m->n[2];
    axes[0] = (fftwf_iodim){n2, n3, n3};
    axes[1] = (fftwf_iodim){n3, 1, 1};
    axes[2] = (fftwf_iodim){m->n[0], n2 * n3, n2 * n3};
}

static size_t area_of(const mann_modes *m)
{
    return (size_t)m->n[1] * (size_t)m->n[2];
}

/* m->added: the transforms of the weights, where the points are. */
static int add_weights(mann_modes *m, size_t count, const entry *entries, const double *weights)
{
    size_t values = (size_t)m->n[0] * area_of(m);
    float *real = fftwf_alloc_real(values);
    int status = real ? STATUS_OK : fail_memory();
    for (int c = 0; c < 3 && status == STATUS_OK; c++) {
        fftwf_iodim axes[3];
        axes_of(m, axes);
        m->added[c] = fftwf_alloc_complex((size_t)m->half * area_of(m));
        fftwf_plan plan = m->added[c] ? fftwf_plan_guru_dft_r2c(3, axes, 0, NULL, real, m->added[c],
                                                                FFTW_ESTIMATE)
                                      : NULL;
        memset(real, 0, values * sizeof *real);
        for (size_t e = 0; e < count; e++) {
            const int *at = entries[e].p->at;
            if (entries[e].component == c)
                real[((size_t)at[0] * (size_t)m->n[1] + (size_t)at[1]) * (size_t)m->n[2] +
                     (size_t)at[2]] = (float)weights[e];
        }
        if (plan)
            fftwf_execute(plan);
        else
            status = fail_memory();
        fftwf_destroy_plan(plan);
    }
    fftwf_free(real);
    return status;
}

static int correlate(mann_modes *m, size_t count, const entry *entries, double *matrix)
{
    fftwf_iodim axes[3];
    correlation r = {.m = m,
                     .modes = fftwf_alloc_complex((size_t)m->half * area_of(m)),
                     .real = fftwf_alloc_real((size_t)m->n[0] * area_of(m))};
    axes_of(m, axes);
    if (r.modes && r.real)
        r.plan = fftwf_plan_guru_dft_c2r(3, axes, 0, NULL, r.modes, r.real, FFTW_ESTIMATE);
    int status = r.plan ? STATUS_OK : fail_memory();
    for (r.pair = 0; r.pair < PAIRS && status == STATUS_OK; r.pair++) {
        parallel_for(m->half, fill_plane, &r);
        fftwf_execute(r.plan);
        fill_matrix(&r, count, entries, matrix);
    }
    fftwf_destroy_plan(r.plan);
    fftwf_free(r.modes);
    fftwf_free(r.real);
    return status;
}

static int meet(mann_modes *m, size_t count, const entry *entries)
{
    double *matrix = calloc(count * count, sizeof *matrix),
           *weights = calloc(count, sizeof *weights);
    int status = matrix && weights ? correlate(m, count, entries, matrix) : fail_memory();
    for (size_t e = 0; e < count && status == STATUS_OK; e++) {
        matrix[e * count + e] *= 1 + 1e-6; /* more than the rounding of floats */
        weights[e] = entries[e].p->value[entries[e].component] - value_at(m->b, &entries[e]);
    }
    if (status == STATUS_OK)
        status = solve(count, matrix, weights);
    if (status == STATUS_OK)
        status = add_weights(m, count, entries, weights);
    free(matrix);
    free(weights);
    return status;
}

static int constrain(mann_modes *m, size_t count, const box_constraint *constraints)
{
    if (count > MOST_CONSTRAINTS)
        return fail(STATUS_INPUT, "%zu constraints: at most %d fit: take fewer points or times",
                    count, (int)MOST_CONSTRAINTS);
    point *points = calloc(count, sizeof *points);
    entry *entries = calloc(3 * count, sizeof *entries);
    int status = points && entries ? find_points(m->b, count, constraints, points) : fail_memory();
    size_t given = 0;
    for (size_t p = 0; p < count && status == STATUS_OK; p++)
        for (int c = 0; c < 3; c++)
            if (!isnan(points[p].value[c]))
                entries[given++] = (entry){&points[p], c};
    if (status == STATUS_OK && given > 0)
        status = meet(m, given, entries);
    free(points);
    free(entries);
    return status;
}

/* What is kept of a longer box has a mean of its own. */
static void take_mean(void *data, int c, int thread)
{
    box *b = data;
    size_t count = box_points(b);
    float mean = (float)box_mean(b, c);
    for (size_t i = 0; i < count; i++)
        b->component[c][i] -= mean;
    (void)thread;
}

int mann_make(box *b, const mann_params *p, uint64_t seed, size_t count,
              const box_constraint *constraints)
{
    mann_modes m;
    int status = mann_modes_create(&m, b, p, seed);
    if (status == STATUS_OK) {
        mann_modes_run(&m);
        if (count > 0 && (status = constrain(&m, count, constraints)) == STATUS_OK)
            mann_modes_run(&m);
        if (count == 0)
            parallel_for(3, take_mean, b);
    }
    mann_modes_destroy(&m);
    return status;
}
