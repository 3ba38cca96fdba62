/* SPDX-License-Identifier: MIT */
/* How many levels of the multigrid are cut, and how wide the windows of parts have to be. */
#include "pressure/solver.h"

#include <stdlib.h>

enum {
    GATE_LAYERS = 2, /* of copies on the level that is gathered */
    LEAST_LAYERS =
        4, /* on the finest level: what a step reads of neighbours between two exchanges */
    MOST_LAYERS = 16, /* of copies are computed twice */
    SHARE = 16, /* what every part does alike is at most that part of what it does of its own */
};

/* The plan with `levels` levels cut. */
static domain_plan plan_of(const level *levels, int count)
{
    domain_plan plan = {.levels = count, .unit = {1, 1}};
    for (int n = 0; n < count; n++) {
        plan.unit[0] *= levels[n].shape.axes & HALVED_X ? 2 : 1;
        plan.unit[1] *= levels[n].shape.axes & HALVED_Z ? 2 : 1;
    }
    for (int a = 0; a < 2; a++) {
        plan.halo[a] = GATE_LAYERS * plan.unit[a];
        plan.halo[a] = plan.halo[a] < LEAST_LAYERS ? LEAST_LAYERS : plan.halo[a];
    }
    return plan;
}

static bool is_possible(const foehn_grid *whole, int parts, const domain_plan *plan)
{
    const int n[2] = {whole->nx, whole->nz};
    domain_cut cut;
    return plan->halo[0] <= MOST_LAYERS && plan->halo[1] <= MOST_LAYERS &&
           foehn_cut_make(n, parts, plan->unit, plan->halo, &cut) == FOEHN_OK;
}

foehn_status foehn_pressure_plan(const foehn_context *ctx, foehn_domain *domain,
                                 const foehn_grid *whole, domain_plan *plan)
{
    const int parts = foehn_domain_get_parts(domain);
    double others = ctx->device.info.type != FOEHN_DEVICE_GPU;
    TRY(foehn_domain_max(domain, &others));
    const size_t small = others > 0 ? TUNED_WHOLE_LEVEL : TUNED_LAUNCH_BOUND;
    level *levels = calloc(MOST_LEVELS, sizeof *levels);
    if (!levels)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a plan");
    const int count = foehn_multigrid_levels(whole, 0, levels);
    *plan = plan_of(levels, 1);
    for (int n = 1; n + 1 < count; n++) {
        const size_t cells = cells_of(&levels[n].shape.g);
        const domain_plan next = plan_of(levels, n + 1);
        if (cells <= small || cells * SHARE * (size_t)parts <= cells_of(whole) ||
            !is_possible(whole, parts, &next))
            break;
        *plan = next;
    }
    free(levels);
    if (count < 2)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "%d x %d x %d cells are too few to be cut into %d parts", whole->nx,
                          whole->ny, whole->nz, parts);
    return FOEHN_OK;
}
