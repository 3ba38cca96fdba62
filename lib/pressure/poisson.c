/* SPDX-License-Identifier: MIT */
/* The pressure solver for callers with host arrays. */
#include "pressure/pressure.h"

#include <foehn/poisson.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct foehn_poisson {
    foehn_context *ctx;
    foehn_grid g;
    foehn_pressure *pressure;
    uint64_t memory;
};

void foehn_poisson_params_init(foehn_poisson_params *params, size_t size)
{
    const foehn_poisson_params defaults = {.nx = 64, .ny = 64, .nz = 1, .spacing = {1, 1, 1}};
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

static foehn_status take_params(const foehn_poisson_params *given, foehn_poisson_params *p)
{
    enum { MOST = 4096 };
    *p = foehn_poisson_params_default();
    TRY(foehn_params_take(p, given, "foehn_poisson_params"));
    if (p->nx < 1 || p->ny < 1 || p->nz < 1 || p->nx > MOST || p->ny > MOST || p->nz > MOST)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a poisson problem of %d x %d x %d cells: 1 to %d on each axis", p->nx,
                          p->ny, p->nz, MOST);
    for (int a = 0; a < 3; a++)
        if (!(p->spacing[a] > 0 && isfinite(p->spacing[a])))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "poisson: %c spacing %g: must be > 0", "xyz"[a],
                              (double)p -> spacing[a]);
    for (int side = 0; side < 6; side++)
        if ((unsigned)p->edges[side] > FOEHN_POISSON_PERIODIC)
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "poisson: edge kind %d is unknown",
                              (int)p->edges[side]);
    return FOEHN_OK;
}

foehn_status foehn_poisson_create(foehn_context *ctx, const foehn_poisson_params *params,
                                  foehn_poisson **out)
{
    static const foehn_side kinds[] = {
        [FOEHN_POISSON_NEUMANN] = FOEHN_SIDE_WALL,
        [FOEHN_POISSON_DIRICHLET] = FOEHN_SIDE_OPEN,
        [FOEHN_POISSON_PERIODIC] = FOEHN_SIDE_PERIODIC,
    };
    foehn_poisson_params given;
    foehn_side sides[6];
    *out = NULL;
    TRY(take_params(params, &given));
    for (int side = 0; side < 6; side++)
        sides[side] = kinds[given.edges[side]];
    if (given.nz == 1) /* in 2-D, whatever was said of the z sides */
        sides[4] = sides[5] = FOEHN_SIDE_WALL;
    foehn_status status;
    foehn_poisson *p = calloc(1, sizeof *p);
    if (!p)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_poisson_create: no host memory");
    p->ctx = ctx;
    p->g = foehn_grid_make(given.nx, given.ny, given.nz, given.spacing[0], given.spacing[1],
                           given.spacing[2]);
    uint64_t before = ctx->memory;
    TRY_OR_FAIL(foehn_memory_check(ctx, "a poisson problem", foehn_pressure_memory(&p->g),
                                   foehn_grid_elements(&p->g) * sizeof(float)));
    TRY_OR_FAIL(foehn_pressure_create(ctx, &p->g, sides, &p->pressure));
    p->memory = ctx->memory - before;
    *out = p;
    return FOEHN_OK;
fail:
    foehn_poisson_destroy(p);
    return status;
}

void foehn_poisson_destroy(foehn_poisson *p)
{
    if (!p)
        return;
    foehn_pressure_destroy(p->pressure);
    free(p);
}

uint64_t foehn_poisson_get_memory(const foehn_poisson *p)
{
    return p->memory;
}

foehn_status foehn_poisson_write_open(foehn_poisson *p, int axis, const uint8_t *open)
{
    if (axis < 0 || axis > 2)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_poisson_write_open: axis %d: 0 to 2", axis);
    foehn_box box = foehn_grid_box(&p->g, 1);
    box.nx += axis == 0;
    box.ny += axis == 1;
    box.nz += axis == 2;
    TRY(foehn_box_write(p->ctx, foehn_pressure_open(p->pressure, axis), box, open));
    return foehn_pressure_update(p->pressure);
}

foehn_status foehn_poisson_write_rhs(foehn_poisson *p, const float *rhs)
{
    return foehn_box_write(p->ctx, foehn_pressure_rhs(p->pressure),
                           foehn_grid_box(&p->g, sizeof(float)), rhs);
}

foehn_status foehn_poisson_write_solution(foehn_poisson *p, const float *solution)
{
    return foehn_box_write(p->ctx, foehn_pressure_field(p->pressure),
                           foehn_grid_box(&p->g, sizeof(float)), solution);
}

foehn_status foehn_poisson_read_solution(foehn_poisson *p, float *solution)
{
    return foehn_box_read(p->ctx, foehn_pressure_field(p->pressure),
                          foehn_grid_box(&p->g, sizeof(float)), solution);
}

foehn_status foehn_poisson_solve(foehn_poisson *p, foehn_poisson_method method, int cycles,
                                 double reduction, foehn_poisson_stats *stats)
{
    static const foehn_pressure_method methods[] = {
        [FOEHN_POISSON_JACOBI] = FOEHN_PRESSURE_JACOBI,
        [FOEHN_POISSON_SOR] = FOEHN_PRESSURE_SOR,
        [FOEHN_POISSON_FCYCLE] = FOEHN_PRESSURE_MULTIGRID,
        [FOEHN_POISSON_VCYCLE] = FOEHN_PRESSURE_VCYCLE,
        [FOEHN_POISSON_MGCG] = FOEHN_PRESSURE_MGCG,
    };
    if ((unsigned)method > FOEHN_POISSON_MGCG)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_poisson_solve: method %d is unknown",
                          (int)method);
    if (cycles < 1 || !(reduction >= 0 && reduction < 1))
        return foehn_fail(
            FOEHN_ERROR_ARGUMENT,
            "foehn_poisson_solve: %d cycles to a reduction of %g: at least 1, and 0 or "
            "more but less than 1",
            cycles, reduction);
    foehn_pressure_stats s;
    const foehn_pressure_stop stop = {methods[method], cycles, reduction};
    uint64_t before = p->ctx->memory;
    foehn_status status = foehn_pressure_solve(p->pressure, stop, stats ? &s : NULL);
    p->memory += p->ctx->memory - before; /* conjugate gradients' fields, on first use */
    if (status != FOEHN_OK || !stats)
        return status;
    *stats = (foehn_poisson_stats){
        .cycles = s.cycles,
        .residual_first = s.residual_first,
        .residual_last = s.residual_last,
        .worst = s.worst,
        .worst_cell = {s.worst_cell[0], s.worst_cell[1], s.worst_cell[2]},
    };
    return FOEHN_OK;
}
