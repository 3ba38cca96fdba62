/* SPDX-License-Identifier: MIT */
/* Sums and extremes over a whole level, in a fixed order: residual, right side, products. */
#include "pressure/solver.h"

#include "domain/whole.h"

#include <math.h>
#include <stdlib.h>

/* The sums of this part's columns become those of all columns, on all parts. */
static foehn_status gather_columns(foehn_pressure *p, cl_mem partial)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    const size_t nx = (size_t)g->nx, own = (size_t)(g->own_x1 - g->own_x0),
                 rows = (size_t)(g->own_z1 - g->own_z0);
    const size_t here = nx * (size_t)g->nz, all = (size_t)g->whole_x * (size_t)g->whole_z;
    if (!p->part)
        return FOEHN_OK;
    float *sums = malloc((here + all) * sizeof *sums);
    if (!sums)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the sums of %zu columns", all);
    foehn_status status = foehn_buffer_read(p->ctx, partial, 0, here * sizeof *sums, sums);
    for (size_t k = 0; k < rows; k++) /* packed in place: each row moves towards the front */
        memmove(sums + k * own, sums + (k + (size_t)g->own_z0) * nx + (size_t)g->own_x0,
                own * sizeof *sums);
    if (status == FOEHN_OK)
        status = foehn_whole_columns(p->part, sizeof *sums, sums, sums + here);
    if (status == FOEHN_OK)
        status = foehn_buffer_write(p->ctx, partial, 0, all * sizeof *sums, sums + here);
    free(sums);
    return status;
}

static foehn_status sum_up(foehn_pressure *p, cl_mem partial, cl_int to)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    cl_int count = g->whole_x * g->whole_z;
    TRY(gather_columns(p, partial));
    foehn_size size = foehn_fitting_group(&p->kernel.sum_up, (foehn_size){TUNED_SUMS, 1, 1});
    return LAUNCH_LOCAL(p->ctx, p->kernel.sum_up, size, size, ARG(count), ARG(partial), ARG(to),
                        ARG(p->sums), LOCAL_ARG(size.x * sizeof(float)));
}

/* This part's own. */
static foehn_items columns(const foehn_grid *g)
{
    const foehn_items cells = own_cells(g, 0);
    return (foehn_items){{cells.size.x, cells.size.z, 1}, {cells.from.x, cells.from.z, 0}};
}

foehn_status foehn_pressure_dot(foehn_pressure *p, cl_mem a, cl_mem b, cl_int to)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    TRY(LAUNCH_ITEMS(p->ctx, p->kernel.dot_columns, columns(g), ARG(*g), ARG(a), ARG(b),
                     ARG(p->partial[0])));
    return sum_up(p, p->partial[0], to);
}

foehn_status foehn_pressure_sums(foehn_pressure *p, double *residual, double *right)
{
    level *l = &p->levels[0];
    float sums[2];
    TRY(foehn_multigrid_reach(p, 0, 1, false));
    TRY(LAUNCH_ITEMS(p->ctx, p->kernel.residual_columns, columns(&l->shape.g), ARG(l->shape),
                     OPEN(l), ARG(l->rhs), ARG(l->p[0]), ARG(p->partial[0]), ARG(p->partial[1])));
    TRY(sum_up(p, p->partial[0], 0));
    TRY(sum_up(p, p->partial[1], 1));
    TRY(foehn_buffer_read(p->ctx, p->sums, 0, sizeof sums, sums));
    *residual = (double)sums[0];
    *right = (double)sums[1];
    return FOEHN_OK;
}

foehn_status foehn_pressure_measure(foehn_pressure *p, foehn_pressure_stats *stats)
{
    double residual, right, count = whole_cells(p);
    TRY(foehn_pressure_sums(p, &residual, &right));
    *stats = (foehn_pressure_stats){.residual_first = sqrt(residual / count),
                                    .residual_last = sqrt(residual / count)};
    return FOEHN_OK;
}

foehn_status foehn_pressure_worst(foehn_pressure *p, double *worst)
{
    const level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    TRY(foehn_multigrid_reach(p, 0, 1, false));
    const size_t rows = (size_t)l->shape.g.ny * (size_t)l->shape.g.nz;
    const size_t most = foehn_tuned(p->ctx)->worst_in_row;
    foehn_size local = foehn_fitting_group(&p->kernel.worst_rows, (foehn_size){most, 1, 1});
    const foehn_items own = {{local.x, (size_t)(g->own_z1 - g->own_z0) * (size_t)g->ny, 1},
                             {0, (size_t)g->own_z0 * (size_t)g->ny, 0}};
    float *of_rows = malloc(rows * sizeof *of_rows);
    if (!of_rows)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the residual of %zu rows", rows);
    foehn_status status = LAUNCH_ITEMS_LOCAL(
        p->ctx, p->kernel.worst_rows, own, local, ARG(l->shape), OPEN(l), ARG(l->rhs), ARG(l->p[0]),
        ARG(p->partial[0]), LOCAL_ARG(local.x * sizeof(float)));
    if (status == FOEHN_OK)
        status = foehn_buffer_read(p->ctx, p->partial[0], 0, rows * sizeof *of_rows, of_rows);
    *worst = 0;
    for (size_t i = (size_t)(g->own_z0 * g->ny);
         status == FOEHN_OK && i < (size_t)(g->own_z1 * g->ny); i++)
        if (!((double)of_rows[i] <= *worst))
            *worst = (double)of_rows[i];
    free(of_rows);
    return status == FOEHN_OK && p->part ? foehn_domain_max(p->part->domain, worst) : status;
}

/* Cells in the order of a field's elements. */
static bool is_before(const int a[3], const int b[3])
{
    for (int axis = 2; axis >= 0; axis--)
        if (a[axis] != b[axis])
            return a[axis] < b[axis];
    return false;
}

static foehn_status worst_of_parts(foehn_pressure *p, foehn_pressure_stats *stats)
{
    foehn_pressure_stats all[DOMAIN_MOST_PARTS];
    TRY(foehn_domain_gather(p->part->domain, sizeof *stats, stats, all));
    for (int n = 0; n < p->part->parts; n++)
        if (all[n].worst > stats->worst ||
            (!(all[n].worst < stats->worst) && is_before(all[n].worst_cell, stats->worst_cell)))
            *stats = all[n];
    return FOEHN_OK;
}

foehn_status foehn_pressure_find_worst(foehn_pressure *p, foehn_pressure_stats *stats)
{
    level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    const int nx = g->own_x1 - g->own_x0, nz = g->own_z1 - g->own_z0;
    size_t count = (size_t)nx * (size_t)g->ny * (size_t)nz;
    foehn_box own = foehn_grid_box(g, sizeof(float));
    own.offset = foehn_grid_at(g, g->own_x0, 0, g->own_z0);
    own.nx = (size_t)nx;
    own.nz = (size_t)nz;
    TRY(foehn_multigrid_reach(p, 0, 1, false));
    float *r = malloc(count * sizeof *r);
    if (!r)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
    foehn_status status = foehn_multigrid_residual(p, l, l->p[1]);
    if (status == FOEHN_OK)
        status = foehn_box_read(p->ctx, l->p[1], own, r);
    for (size_t i = 0; status == FOEHN_OK && i < count; i++)
        if (fabs((double)r[i]) > stats->worst) {
            stats->worst = fabs((double)r[i]);
            stats->worst_cell[0] = g->first_x + g->own_x0 + (int)(i % (size_t)nx);
            stats->worst_cell[1] = (int)(i / (size_t)nx % (size_t)g->ny);
            stats->worst_cell[2] = g->first_z + g->own_z0 + (int)(i / ((size_t)nx * (size_t)g->ny));
        }
    free(r);
    return status == FOEHN_OK && p->part ? worst_of_parts(p, stats) : status;
}
