/* SPDX-License-Identifier: MIT */
/* The multigrid behind lib/pressure/pressure.h: its levels and cycles, shared by pressure.c and
 * multigrid.c. */
#ifndef FOEHN_LIB_MULTIGRID_H
#define FOEHN_LIB_MULTIGRID_H

#include "device/tuning.h"
#include "pressure/pressure.h"

#include "kernels/pressure/structs.h"

enum { MOST_LEVELS = 40, MOST_PASSES = 4096, BOTTOM_PASSES = 8, SUMS = 6 };

typedef struct level {
    pressure_level shape;
    size_t elements;
    bool splits;   /* thin walls split cells of this (coarse) level: kernels/pressure/split.h */
    double lowest; /* of the spectrum of D^-1 A that smoothing has to damp; the highest is 2 */
    cl_mem open[3], mask, split[3], rhs, p[2]; /* mask and split: of coarse levels */
    bool on_its_way;           /* in parts: what `valid` and `right_shared` already count */
    int valid;                 /* layers of the neighbours' p[0] that are right */
    bool right_shared;         /* and whether theirs of rhs are */
    pressure_small small;      /* offsets in the arena, where the level is small */
    cl_mem weight[3], inverse; /* there, too */
    foehn_kernel smooth, restrict_residual, restrict_split, prolong; /* the latter three to and from
                                                                        the next level */
    foehn_kernel restrict_wide, prolong_wide;  /* GPUs; residual and restriction in one */
    foehn_kernel smooth_twice, prolong_smooth; /* two passes in one, for small boxes on GPUs */
    bool by_cells; /* windows of such boxes: prolong comes to the bits of prolong_smooth */
} level;

/* Passes of the small levels for one kind of visit, on the device. */
typedef struct schedule {
    cl_mem passes;
    cl_int count;
} schedule;

/* The light V-cycle smooths less on its finest two levels: for a step that starts from the last
 * step's pressure and counts launches. */
typedef enum cycle_kind { V_CYCLE, F_CYCLE, LIGHT_CYCLE } cycle_kind;

struct foehn_pressure {
    foehn_context *ctx;
    foehn_side sides[6];
    cl_int closed, dirichlet; /* bits of the sides */
    level levels[MOST_LEVELS];
    int count, first_small;
    foehn_part *part;    /* NULL: the box is not cut */
    int cut;             /* levels [0, cut) are windows, those from there on whole on every part */
    level gate;          /* level `cut` as the windows see it */
    domain_cut gate_cut; /* and what each part has of it */
    cl_int closed_here, dirichlet_here; /* bits of the sides of the windows */
    char options[128];                  /* of programs that look at levels */
    bool wide;                    /* passes by groups of four cells, kernels/pressure/wide.cl */
    bool residual_ready;          /* the finest level's residual is in its p[1] */
    cl_mem floats, bytes, smalls; /* the arena, and its levels as the kernel sees them */
    size_t arena_unit;            /* bytes: what the device asks of a sub-buffer's origin */
    size_t local_floats;          /* that the small levels take in a work-group */
    schedule visits[2];           /* of V_CYCLE and F_CYCLE on the level above */
    cl_mem partial[2], sums;
    cl_mem closed_rows; /* an int a row of the finest level */
    cl_mem found_split; /* an int a level */
    cl_mem cg[6]; /* r, d, q, z, z scratch, ones; NULL until conjugate gradients are first used */
    struct {
        foehn_kernel relax, small_levels, small_weights, find_closed_rows, find_splits, open_all,
            edges, coarsen, fluid_mask, dot_columns, residual_columns, worst_rows, sum_up,
            residual_field, apply, cg_step, cg_direction, fluid_ones, remove_mean;
    } kernel;
};

/* ---- parts.c ---- */

/* What restriction from level n fills, and prolongation to it reads. */
static inline level *coarse_of(foehn_pressure *p, int n)
{
    return n + 1 == p->cut ? &p->gate : &p->levels[n + 1];
}

/* Windows in place of the whole of the levels that are cut. */
void foehn_pressure_open_windows(foehn_pressure *p, const foehn_grid *g);

/* At least `depth` layers of the neighbours' pressure on level n, and with `right` of their right
 * side. */
foehn_status foehn_multigrid_reach(foehn_pressure *p, int n, int depth, bool right);

/* The same, sent for: the next reach() waits for it.  What is enqueued before that must keep to own
 * cells without one layer. */
foehn_status foehn_multigrid_send(foehn_pressure *p, int n, int depth, bool right);

/* What restriction has put behind the gate: right side and first pass (in the `pass` buffer) to all
 * parts; and the whole level's correction to the windows. */
foehn_status foehn_multigrid_gather(foehn_pressure *p, int pass);
foehn_status foehn_multigrid_scatter(foehn_pressure *p);

/* Bytes of faces (more = 1) or cells of the gate, on all parts. */
foehn_status foehn_pressure_gather_bytes(foehn_pressure *p, const cl_mem from[3],
                                         const cl_mem to[3], int more);

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

/* sums[to] <- the sum of a b over the finest level's cells. */
foehn_status foehn_pressure_dot(foehn_pressure *p, cl_mem a, cl_mem b, cl_int to);

/* Sums of the squared residual and of the squared right side.  Waits. */
foehn_status foehn_pressure_sums(foehn_pressure *p, double *residual, double *right);

/* The largest residual, and where it is.  Waits. */
foehn_status foehn_pressure_find_worst(foehn_pressure *p, foehn_pressure_stats *stats);

/* Flexible conjugate gradients, preconditioned by an F-cycle, until the squared residual is `right`
 * times the squared reduction; *done: iterations. */
foehn_status foehn_conjugate_gradients(foehn_pressure *p, foehn_pressure_stop stop, double right,
                                       int *done);

/* One layer of cells between closed faces: nothing happens across it. */
static inline bool is_2d(const foehn_pressure *p)
{
    return p->levels[0].shape.g.nz == 1 && p->sides[4] == FOEHN_SIDE_WALL &&
           p->sides[5] == FOEHN_SIDE_WALL;
}

static inline foehn_size level_cells(const foehn_grid *g)
{
    return (foehn_size){(size_t)g->nx, (size_t)g->ny, (size_t)g->nz};
}

/* What a pass has to come to: a part's own cells, and `layers` around them. */
static inline foehn_items own_cells(const foehn_grid *g, int layers)
{
    return foehn_grid_own(g, level_cells(g), layers);
}

static inline size_t cells_of(const foehn_grid *g)
{
    return (size_t)g->nx * (size_t)g->ny * (size_t)g->nz;
}

/* Whether kernels make use of rows that are open throughout: on GPUs, in 3-D. */
static inline bool uses_open_rows(const foehn_pressure *p)
{
    return p->ctx->device.info.type == FOEHN_DEVICE_GPU && !is_2d(p);
}

/* Partial sums of a reduction over the finest level: those of columns; or largest values of rows.
 */
static inline size_t partial_count(const foehn_grid *g)
{
    const size_t columns = (size_t)g->whole_x * (size_t)g->whole_z,
                 rows = (size_t)g->ny * (size_t)g->nz;
    return columns > rows ? columns : rows;
}

/* Cells of the whole box. */
static inline double whole_cells(const foehn_pressure *p)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    return (double)g->whole_x * (double)g->ny * (double)g->whole_z;
}

#define SPLIT(l) ARG((l)->split[0]), ARG((l)->split[1]), ARG((l)->split[2])
#define OPEN(l) ARG((l)->open[0]), ARG((l)->open[1]), ARG((l)->open[2])

#endif
