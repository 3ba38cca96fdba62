/* SPDX-License-Identifier: MIT */
/* The multigrid behind lib/pressure.h: its levels and cycles, shared by pressure.c and multigrid.c. */
#ifndef FOEHN_LIB_MULTIGRID_H
#define FOEHN_LIB_MULTIGRID_H

#include "pressure.h"

#include "../kernels/pressure.h"

enum { MOST_LEVELS = 40, MOST_PASSES = 4096, BOTTOM_PASSES = 8, SUM_LANES = 16, SUMS = 6 };

typedef struct level {
    pressure_level shape;
    size_t elements;
    double lowest; /* of the spectrum of D^-1 A that smoothing has to damp; the highest is 2 */
    cl_mem open[3], mask, rhs, p[2];
    pressure_small small;       /* offsets in the arena, where the level is small */
    cl_mem weight[3], inverse;  /* there, too */
    foehn_kernel smooth, restrict_residual, prolong; /* the latter to and from the next level */
    foehn_kernel restrict_wide; /* residual and restriction in one, on GPUs */
} level;

/* Passes of the small levels for one kind of visit, on the device. */
typedef struct schedule {
    cl_mem passes;
    cl_int count;
} schedule;

/* The light V-cycle smooths less on its finest two levels: for a step that starts from the last step's
 * pressure and counts launches. */
typedef enum cycle_kind { V_CYCLE, F_CYCLE, LIGHT_CYCLE } cycle_kind;

struct foehn_pressure {
    foehn_context *ctx;
    foehn_edge edges[6];
    cl_int closed, dirichlet; /* bits of the sides */
    level levels[MOST_LEVELS];
    int count, first_small;
    char options[128];   /* of programs that look at levels */
    bool wide;           /* passes by groups of four cells, kernels/wide.cl */
    bool residual_ready; /* the finest level's residual is in its p[1] */
    cl_mem floats, bytes, smalls; /* the arena, and its levels as the kernel sees them */
    size_t arena_unit;            /* bytes: what the device asks of a sub-buffer's origin */
    size_t local_floats;          /* that the small levels take in a work-group */
    schedule visits[2];           /* of V_CYCLE and F_CYCLE on the level above */
    cl_mem partial[2], sums;
    cl_mem closed_rows; /* an int a row of the finest level */
    cl_mem cg[6]; /* r, d, q, z, z scratch, ones; NULL until conjugate gradients are first used */
    struct {
        foehn_kernel relax, small_levels, small_weights, find_closed_rows, open_all, edges,
            coarsen, fluid_mask, dot_rows, residual_rows, sum_up, residual_field, apply, cg_step,
            cg_direction, fluid_ones, remove_mean;
    } kernel;
};

/* Fill the shapes of levels from the finest down; returns how many. */
int foehn_multigrid_levels(const foehn_grid *g, int periodic, level levels[MOST_LEVELS]);

/* What the small levels do for one visit of the level above, written to the device. */
foehn_status foehn_multigrid_schedule(foehn_pressure *p, cycle_kind kind);

/* One damped Jacobi pass over a level; the result is in its p[0]. */
foehn_status foehn_multigrid_smooth(foehn_pressure *p, level *l, float omega);

/* out <- residual of a level's pressure. */
foehn_status foehn_multigrid_residual(foehn_pressure *p, level *l, cl_mem out);

/* One cycle over all levels. */
foehn_status foehn_multigrid_cycle(foehn_pressure *p, cycle_kind kind);

/* One layer of cells between closed faces: nothing happens across it. */
static inline bool is_2d(const foehn_pressure *p)
{
    return p->levels[0].shape.g.nz == 1 && p->edges[4] == FOEHN_EDGE_NEUMANN &&
           p->edges[5] == FOEHN_EDGE_NEUMANN;
}

static inline foehn_size level_cells(const foehn_grid *g)
{
    return (foehn_size){(size_t)g->nx, (size_t)g->ny, (size_t)g->nz};
}

static inline size_t cells_of(const foehn_grid *g)
{
    return (size_t)g->nx * (size_t)g->ny * (size_t)g->nz;
}

#define OPEN(l) ARG((l)->open[0]), ARG((l)->open[1]), ARG((l)->open[2])

#endif
