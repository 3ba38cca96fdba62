/* SPDX-License-Identifier: MIT */
/* Solving for the pressure: the methods, and when they stop. */
#include "pressure/solver.h"

#include <math.h>

/* One colour.  Windows begin at even cells, so that colours are the same in all. */
static foehn_status relax(foehn_pressure *p, cl_int colour, cl_int odd, cl_int layer)
{
    const float omega = 1.7f;
    level *l = &p->levels[0];
    const foehn_items pairs = foehn_items_in_lanes(own_cells(&l->shape.g, 0), 2);
    TRY(foehn_multigrid_reach(p, 0, 1, false));
    l->valid = 0;
    return LAUNCH_ITEMS(p->ctx, p->kernel.relax, pairs, ARG(l->shape), ARG(colour), ARG(odd),
                        ARG(layer), ARG(omega), OPEN(l), ARG(l->rhs), ARG(l->p[0]));
}

static foehn_status sor(foehn_pressure *p)
{
    const cl_int all = PERIODIC_X | PERIODIC_Y | PERIODIC_Z;
    const level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    cl_int odd = l->shape.axes & ((g->nx % 2 ? PERIODIC_X : 0) | (g->ny % 2 ? PERIODIC_Y : 0) |
                                  (g->nz % 2 ? PERIODIC_Z : 0));
    for (cl_int layer = 0; layer <= all; layer++)
        for (cl_int colour = 0; (layer & ~odd) == 0 && colour < 2; colour++)
            TRY(relax(p, colour, odd, layer));
    return FOEHN_OK;
}

static foehn_status once(foehn_pressure *p, foehn_pressure_method method)
{
    switch (method) {
    case FOEHN_PRESSURE_JACOBI: return foehn_multigrid_smooth(p, &p->levels[0], 1);
    case FOEHN_PRESSURE_SOR: return sor(p);
    case FOEHN_PRESSURE_VCYCLE: return foehn_multigrid_cycle(p, V_CYCLE);
    case FOEHN_PRESSURE_LIGHT: return foehn_multigrid_cycle(p, LIGHT_CYCLE);
    default: return foehn_multigrid_cycle(p, F_CYCLE);
    }
}

static foehn_status cycles(foehn_pressure *p, foehn_pressure_stop stop, double right, int *done)
{
    for (*done = 0; *done < stop.cycles;) {
        TRY(once(p, stop.method));
        ++*done;
        if (stop.reduction > 0) {
            double residual, unused;
            TRY(foehn_pressure_sums(p, &residual, &unused));
            if (residual <= stop.reduction * stop.reduction * right)
                break;
        }
    }
    return FOEHN_OK;
}

foehn_status foehn_pressure_solve(foehn_pressure *p, foehn_pressure_stop stop,
                                  foehn_pressure_stats *stats)
{
    double first = 0, last = 0, right = 0, count = whole_cells(p);
    int done = 0;
    bool measured = stats || stop.reduction > 0;
    if (stop.cycles < 1 || !(stop.reduction >= 0))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "pressure: %d cycles to a reduction of %g: at least 1, and >= 0",
                          stop.cycles, stop.reduction);
    p->levels[0].right_shared = false;
    if (measured)
        TRY(foehn_pressure_sums(p, &first, &right));
    if (!measured || stop.reduction == 0 || first > stop.reduction * stop.reduction * right)
        TRY(stop.method == FOEHN_PRESSURE_MGCG ? foehn_conjugate_gradients(p, stop, right, &done)
                                               : cycles(p, stop, right, &done));
    if (!stats)
        return FOEHN_OK;
    TRY(foehn_pressure_sums(p, &last, &right));
    *stats = (foehn_pressure_stats){
        .cycles = done, .residual_first = sqrt(first / count), .residual_last = sqrt(last / count)};
    return foehn_pressure_find_worst(p, stats);
}

foehn_status foehn_pressure_cycle(foehn_pressure *p)
{
    p->residual_ready = true;
    p->levels[0].right_shared = false;
    return foehn_multigrid_cycle(p, LIGHT_CYCLE);
}
