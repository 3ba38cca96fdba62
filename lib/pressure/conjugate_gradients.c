/* SPDX-License-Identifier: MIT */
/* Conjugate gradients, preconditioned by a multigrid cycle: for masks that a cycle alone is slow
 * with. */
#include "pressure/solver.h"

enum { R, D, Q, Z, SCRATCH, ONES, CG_FIELDS };
enum { RZ, DQ, QZ, RR, SUM, COUNT };

/* z <- one cycle on A z = r from 0, on the finest level's own fields. */
static foehn_status precondition(foehn_pressure *p)
{
    level *l = &p->levels[0];
    const level kept = *l;
    l->rhs = p->cg[R];
    l->p[0] = p->cg[Z];
    l->p[1] = p->cg[SCRATCH];
    l->right_shared = false;
    foehn_status status = foehn_pressure_clear(p);
    if (status == FOEHN_OK)
        status = foehn_multigrid_cycle(p, F_CYCLE);
    p->cg[Z] = l->p[0];
    p->cg[SCRATCH] = l->p[1];
    *l = kept;
    return status;
}

/* Without a Dirichlet side the pressure is free by a constant, and a right side has a solution only
 * if its mean is 0: rounding must not feed the constant. */
static bool is_singular(const foehn_pressure *p)
{
    for (int i = 0; i < 6; i++)
        if (foehn_side_is_open(p->sides[i]))
            return false;
    return true;
}

static foehn_status remove_mean(foehn_pressure *p, cl_mem field)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    if (!is_singular(p))
        return FOEHN_OK;
    TRY(foehn_pressure_dot(p, field, p->cg[ONES], SUM));
    return LAUNCH(p->ctx, p->kernel.remove_mean, level_cells(g), ARG(*g), ARG(p->sums),
                  ARG(p->cg[ONES]), ARG(field));
}

/* Flexible conjugate gradients (Notay 2000), preconditioned by one cycle. */
foehn_status foehn_conjugate_gradients(foehn_pressure *p, foehn_pressure_stop stop, double right,
                                       int *done)
{
    level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    for (int i = 0; i < CG_FIELDS; i++)
        if (!p->cg[i])
            TRY(foehn_field_create(p->ctx, g, sizeof(float), &p->cg[i]));
    TRY(foehn_multigrid_smooth(p, l, 1)); /* 0 in cells that were sealed since the last solve */
    TRY(foehn_multigrid_residual(p, l, p->cg[R]));
    TRY(foehn_buffer_clear(p->ctx, p->cg[D]));
    TRY(foehn_buffer_clear(p->ctx, p->sums));
    if (is_singular(p)) {
        TRY(LAUNCH(p->ctx, p->kernel.fluid_ones, level_cells(g), ARG(l->shape), OPEN(l),
                   ARG(p->cg[ONES])));
        TRY(foehn_pressure_dot(p, p->cg[ONES], p->cg[ONES], COUNT));
    }
    TRY(remove_mean(p, p->cg[R]));
    for (*done = 0; *done < stop.cycles; ++*done) {
        TRY(precondition(p));
        TRY(remove_mean(p, p->cg[Z]));
        TRY(foehn_pressure_dot(p, p->cg[Q], p->cg[Z], QZ));
        TRY(LAUNCH(p->ctx, p->kernel.cg_direction, level_cells(g), ARG(*g), ARG(p->sums),
                   ARG(p->cg[Z]), ARG(p->cg[D])));
        TRY(foehn_pressure_dot(p, p->cg[R], p->cg[D],
                               RZ)); /* r d = r z: r is orthogonal to the last direction */
        if (p->part)
            TRY(foehn_part_share(p->part, g, 1, 1, &p->cg[D]));
        TRY(LAUNCH(p->ctx, p->kernel.apply, level_cells(g), ARG(l->shape), OPEN(l), ARG(p->cg[D]),
                   ARG(p->cg[Q])));
        TRY(foehn_pressure_dot(p, p->cg[D], p->cg[Q], DQ));
        TRY(LAUNCH(p->ctx, p->kernel.cg_step, level_cells(g), ARG(*g), ARG(p->sums), ARG(p->cg[D]),
                   ARG(p->cg[Q]), ARG(l->p[0]), ARG(p->cg[R])));
        foehn_pressure_changed(p);
        TRY(remove_mean(p, p->cg[R]));
        if (stop.reduction > 0) {
            float squared;
            TRY(foehn_pressure_dot(p, p->cg[R], p->cg[R], RR));
            TRY(foehn_buffer_read(p->ctx, p->sums, RR * sizeof(float), sizeof squared, &squared));
            if ((double)squared <= stop.reduction * stop.reduction * right) {
                ++*done;
                break;
            }
        }
    }
    return FOEHN_OK;
}
