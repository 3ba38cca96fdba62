/* SPDX-License-Identifier: MIT */
/* Sums and extremes over a whole level, in a fixed order: residual, right side, products. */
#include "pressure/solver.h"

#include <math.h>
#include <stdlib.h>

static foehn_status sum_up(foehn_pressure *p, cl_mem partial, cl_int to)
{
    cl_int count = (cl_int)partial_count(&p->levels[0].shape.g);
    foehn_size size = foehn_fitting_group(&p->kernel.sum_up, (foehn_size){256, 1, 1});
    return LAUNCH_LOCAL(p->ctx, p->kernel.sum_up, size, size, ARG(count), ARG(partial), ARG(to),
                        ARG(p->sums), LOCAL_ARG(size.x * sizeof(float)));
}

static foehn_size lanes(const foehn_grid *g)
{
    return (foehn_size){SUM_LANES, (size_t)g->ny * (size_t)g->nz, 1};
}

foehn_status foehn_pressure_dot(foehn_pressure *p, cl_mem a, cl_mem b, cl_int to)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    TRY(LAUNCH(p->ctx, p->kernel.dot_rows, lanes(g), ARG(*g), ARG(a), ARG(b), ARG(p->partial[0])));
    return sum_up(p, p->partial[0], to);
}

foehn_status foehn_pressure_sums(foehn_pressure *p, double *residual, double *right)
{
    level *l = &p->levels[0];
    float sums[2];
    TRY(LAUNCH(p->ctx, p->kernel.residual_rows, lanes(&l->shape.g), ARG(l->shape), OPEN(l),
               ARG(l->rhs), ARG(l->p[0]), ARG(p->partial[0]), ARG(p->partial[1])));
    TRY(sum_up(p, p->partial[0], 0));
    TRY(sum_up(p, p->partial[1], 1));
    TRY(foehn_buffer_read(p->ctx, p->sums, 0, sizeof sums, sums));
    *residual = (double)sums[0];
    *right = (double)sums[1];
    return FOEHN_OK;
}

foehn_status foehn_pressure_measure(foehn_pressure *p, foehn_pressure_stats *stats)
{
    double residual, right, count = (double)cells_of(&p->levels[0].shape.g);
    TRY(foehn_pressure_sums(p, &residual, &right));
    *stats = (foehn_pressure_stats){.residual_first = sqrt(residual / count),
                                    .residual_last = sqrt(residual / count)};
    return FOEHN_OK;
}

foehn_status foehn_pressure_worst(foehn_pressure *p, double *worst)
{
    const level *l = &p->levels[0];
    const size_t rows = (size_t)l->shape.g.ny * (size_t)l->shape.g.nz;
    const size_t most = p->ctx->device.info.type == FOEHN_DEVICE_GPU ? 64 : 1; /* a power of 2 */
    foehn_size local = foehn_fitting_group(&p->kernel.worst_rows, (foehn_size){most, 1, 1});
    foehn_size size = {local.x, rows, 1};
    float *of_rows = malloc(rows * sizeof *of_rows);
    if (!of_rows)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the residual of %zu rows", rows);
    foehn_status status = LAUNCH_LOCAL(p->ctx, p->kernel.worst_rows, size, local, ARG(l->shape), OPEN(l),
                                       ARG(l->rhs), ARG(l->p[0]), ARG(p->partial[0]),
                                       LOCAL_ARG(local.x * sizeof(float)));
    if (status == FOEHN_OK)
        status = foehn_buffer_read(p->ctx, p->partial[0], 0, rows * sizeof *of_rows, of_rows);
    *worst = 0;
    for (size_t i = 0; status == FOEHN_OK && i < rows; i++)
        if (!((double)of_rows[i] <= *worst))
            *worst = (double)of_rows[i];
    free(of_rows);
    return status;
}

foehn_status foehn_pressure_find_worst(foehn_pressure *p, foehn_pressure_stats *stats)
{
    level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    size_t count = cells_of(g);
    float *r = malloc(count * sizeof *r);
    if (!r)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
    foehn_status status = foehn_multigrid_residual(p, l, l->p[1]);
    if (status == FOEHN_OK)
        status = foehn_box_read(p->ctx, l->p[1], foehn_grid_box(g, sizeof(float)), r);
    for (size_t i = 0; status == FOEHN_OK && i < count; i++)
        if (fabs((double)r[i]) > stats->worst) {
            stats->worst = fabs((double)r[i]);
            stats->worst_cell[0] = (int)(i % (size_t)g->nx);
            stats->worst_cell[1] = (int)(i / (size_t)g->nx % (size_t)g->ny);
            stats->worst_cell[2] = (int)(i / ((size_t)g->nx * (size_t)g->ny));
        }
    free(r);
    return status;
}
