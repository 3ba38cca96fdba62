/* SPDX-License-Identifier: MIT */
/* What the pressure's levels know of the openness of faces: that of coarse faces, closed sides,
 * rows that are open throughout, cells that thin walls split. */
#include "pressure/solver.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static foehn_size faces(const foehn_grid *g)
{
    return (foehn_size){(size_t)g->nx + 1, (size_t)g->ny + 1, (size_t)g->nz + 1};
}

/* What no row of any part lies above: levels that every part has whole need the ground of all. */
static foehn_status highest_of_parts(foehn_pressure *p, int *from)
{
    double most = *from;
    if (p->part)
        TRY(foehn_domain_max(p->part->domain, &most));
    *from = (int)most;
    return FOEHN_OK;
}

/* From which row up everything is open, on all levels: what kernels on GPUs make use of in 3-D.
 * Waits. */
static foehn_status find_open_rows(foehn_pressure *p)
{
    level *l = &p->levels[0];
    int ny = l->shape.g.ny;
    if (!uses_open_rows(p)) { /* but another part may */
        int none = 0;
        return highest_of_parts(p, &none);
    }
    TRY(foehn_buffer_clear(p->ctx, p->closed_rows));
    TRY(LAUNCH(p->ctx, p->kernel.find_closed_rows, faces(&l->shape.g), ARG(l->shape), OPEN(l),
               ARG(p->closed_rows)));
    cl_int *closed = malloc((size_t)ny * sizeof *closed);
    if (!closed)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %d rows", ny);
    foehn_status status =
        foehn_buffer_read(p->ctx, p->closed_rows, 0, (size_t)ny * sizeof *closed, closed);
    int from = 0;
    for (int j = 0; status == FOEHN_OK && j < ny; j++)
        from = closed[j] ? j + 1 : from;
    free(closed);
    if (status == FOEHN_OK)
        status = highest_of_parts(p, &from);
    for (int n = 0; n < p->count; n++) {
        pressure_level *s = &p->levels[n].shape;
        s->open_from = from;
        if (n == p->cut)
            p->gate.shape.open_from = from;
        if (s->axes & HALVED_Y)
            from = from / 2 + from % 2 + 1; /* a wall within a row moves to its upper faces */
        /* A coarse cell that lacks a child has half-open faces. */
        if ((s->axes & HALVED_X && s->g.whole_x % 2) || (s->axes & HALVED_Y && s->g.ny % 2) ||
            (s->axes & HALVED_Z && s->g.whole_z % 2))
            from = INT_MAX;
    }
    return status;
}

/* What another part found, this one has to know. */
static foehn_status any_part_found(foehn_pressure *p, cl_int found[MOST_LEVELS])
{
    cl_int all[DOMAIN_MOST_PARTS][MOST_LEVELS];
    if (!p->part)
        return FOEHN_OK;
    TRY(foehn_domain_gather(p->part->domain, sizeof all[0], found, all));
    for (int part = 0; part < p->part->parts; part++)
        for (int n = 0; n < MOST_LEVELS; n++)
            found[n] |= all[part][n];
    return FOEHN_OK;
}

/* Which levels' cells are split by thin walls.  Waits. */
static foehn_status find_splits(foehn_pressure *p)
{
    cl_int found[MOST_LEVELS] = {0};
    if (p->count < 2)
        return FOEHN_OK;
    TRY(foehn_buffer_clear(p->ctx, p->found_split));
    for (cl_int n = 1; n < p->count; n++) {
        const level *fine = &p->levels[n - 1], *l = coarse_of(p, n - 1);
        TRY(LAUNCH(p->ctx, p->kernel.find_splits, level_cells(&l->shape.g), ARG(fine->shape),
                   ARG(l->shape), OPEN(fine), SPLIT(l), ARG(n), ARG(p->found_split)));
        if (n == p->cut)
            TRY(foehn_pressure_gather_bytes(p, l->split, p->levels[n].split, 0));
    }
    TRY(foehn_buffer_read(p->ctx, p->found_split, 0, sizeof found, found));
    TRY(any_part_found(p, found));
    p->gate.splits = found[p->cut] != 0;
    for (int n = 1; n < p->count; n++)
        p->levels[n].splits = found[n] != 0;
    return FOEHN_OK;
}

/* Closed sides, and which cells of a coarse level are fluid. */
static foehn_status finish_faces(foehn_pressure *p, level *l, bool is_coarse, cl_int dirichlet)
{
    const foehn_grid *g = &l->shape.g;
    TRY(LAUNCH(p->ctx, p->kernel.edges, faces(g), ARG(l->shape), ARG(l->shape.closed), OPEN(l)));
    if (!is_coarse)
        return FOEHN_OK;
    return LAUNCH(p->ctx, p->kernel.fluid_mask, foehn_grid_padded(g), ARG(l->shape), ARG(dirichlet),
                  OPEN(l), ARG(l->mask));
}

foehn_status foehn_pressure_update(foehn_pressure *p)
{
    for (int n = 0; n < p->count; n++) {
        level *l = &p->levels[n];
        const foehn_grid *g = &l->shape.g;
        if (n > 0) {
            level *fine = &p->levels[n - 1], *coarse = coarse_of(p, n - 1);
            TRY(LAUNCH(p->ctx, p->kernel.coarsen, faces(&coarse->shape.g), ARG(fine->shape),
                       ARG(coarse->shape), OPEN(fine), OPEN(coarse)));
            if (n == p->cut) {
                TRY(finish_faces(p, coarse, true, p->dirichlet_here));
                TRY(foehn_pressure_gather_bytes(p, coarse->open, l->open, 1));
            }
        }
        TRY(finish_faces(p, l, n > 0, n < p->cut ? p->dirichlet_here : p->dirichlet));
        if (n == 0)
            TRY(find_open_rows(p));
        if (n >= p->first_small)
            TRY(LAUNCH(p->ctx, p->kernel.small_weights, faces(g), ARG(l->shape), OPEN(l),
                       ARG(l->weight[0]), ARG(l->weight[1]), ARG(l->weight[2]), ARG(l->inverse)));
    }
    return find_splits(p);
}

foehn_status foehn_pressure_update_finest(foehn_pressure *p)
{
    level *l = &p->levels[0];
    l->shape.open_from = INT_MAX; /* every row's faces are looked at */
    return LAUNCH(p->ctx, p->kernel.edges, faces(&l->shape.g), ARG(l->shape), ARG(l->shape.closed),
                  OPEN(l));
}
