/* SPDX-License-Identifier: MIT */
/* The Poisson solver of all three systems: div (a grad p) = rhs on the padded grid.
 *
 * a is the openness of a face, 0 (closed) to 1: an edge of the box, a solid, a cut cell and a thin
 * wall are all nothing but faces with a < 1.  Bytes store it: 0 to 255.  The lower x face of cell
 * (i, j, k) is element (i, j, k) of the x array, the upper face of the last cell is ghost element
 * (nx, j, k); likewise y and z.  Ghost pressure is 0 and never written, so an open face on an edge
 * is a Dirichlet side (p = 0 one cell beyond), a closed one a Neumann side.
 *
 * Of a box in parts this is one part's window: what the caller's kernels write must be right in the
 * part's own cells, and for faces in the window; beyond a cut lies the neighbour's pressure, which
 * the solver fetches.
 *
 * Flat problems (nz = 1, Neumann in z) are solved in 2-D: the z faces are not looked at. */
#ifndef FOEHN_LIB_PRESSURE_H
#define FOEHN_LIB_PRESSURE_H

#include "device/internal.h"
#include "domain/halo.h"
#include "domain/sides.h"

typedef struct foehn_pressure foehn_pressure;

typedef enum foehn_pressure_method {
    FOEHN_PRESSURE_JACOBI = 0, /* `cycles` sweeps */
    FOEHN_PRESSURE_SOR,        /* `cycles` red-black sweeps, relaxation 1.7 */
    FOEHN_PRESSURE_MULTIGRID,  /* `cycles` F-cycles at most: robust over terrain, at any spacing */
    FOEHN_PRESSURE_VCYCLE,     /* `cycles` V-cycles at most: fewer launches, enough in open boxes */
    FOEHN_PRESSURE_LIGHT, /* `cycles` V-cycles with less smoothing: for warm starts in open boxes */
    FOEHN_PRESSURE_MGCG   /* `cycles` conjugate gradient iterations at most, one F-cycle each */
} foehn_pressure_method;

/* When to stop.  reduction = 0: after `cycles`, without asking the device anything (no wait). */
typedef struct foehn_pressure_stop {
    foehn_pressure_method method;
    int cycles;       /* at most; 1 or more */
    double reduction; /* stop when the residual's rms is this fraction of the right side's; or 0 */
} foehn_pressure_stop;

typedef struct foehn_pressure_stats {
    int cycles;            /* done */
    double residual_first; /* rms over fluid cells before and after; of div (a grad p) - rhs */
    double residual_last;
    double worst; /* largest |residual| after */
    int worst_cell[3];
} foehn_pressure_stats;

/* sides: -x, +x, -y, +y, -z, +z.  All faces are open until told otherwise. */
foehn_status foehn_pressure_create(foehn_context *ctx, const foehn_grid *g,
                                   const foehn_side sides[6], foehn_pressure **out);

/* The same for the part of a box whose window g is; sides: of the whole box, none of them periodic.
 * All parts make all calls together.  part NULL: as above. */
foehn_status foehn_pressure_create_part(foehn_context *ctx, foehn_part *part, const foehn_grid *g,
                                        const foehn_side sides[6], foehn_pressure **out);
void foehn_pressure_destroy(foehn_pressure *pressure);

/* How a box (whole) is best cut, by what devices the parts have: lib/pressure/plan.c. */
foehn_status foehn_pressure_plan(const foehn_context *ctx, foehn_domain *domain,
                                 const foehn_grid *whole, domain_plan *plan);

/* Device memory of such a solver, bytes. */
uint64_t foehn_pressure_memory(const foehn_grid *g);

/* Openness of the faces along an axis (0, 1, 2), a uchar field: the caller's kernels write interior
 * faces, and then foehn_pressure_update() puts the edges in and makes the coarse levels. */
cl_mem foehn_pressure_open(const foehn_pressure *pressure, int axis);
foehn_status foehn_pressure_update(foehn_pressure *pressure);

/* The finest level only, without a wait: enough for FOEHN_PRESSURE_JACOBI and FOEHN_PRESSURE_SOR.
 */
foehn_status foehn_pressure_update_finest(foehn_pressure *pressure);

/* The right side (float field, written by the caller's kernels; cells without an open face are
 * ignored) and the solution (kept from solve to solve: the warm start).  The solution's buffer
 * changes from solve to solve: ask each time. */
cl_mem foehn_pressure_rhs(const foehn_pressure *pressure);
cl_mem foehn_pressure_field(const foehn_pressure *pressure);

/* Start from 0; or: somebody wrote the solution's buffer, but for what a cut's other side has. */
foehn_status foehn_pressure_clear(foehn_pressure *pressure);
void foehn_pressure_changed(foehn_pressure *pressure);

/* Layers of the neighbours' pressure that are right; for a caller that takes its gradient.  Where
 * it pays they can be sent for before, if nothing else is sent until then. */
foehn_status foehn_pressure_send(foehn_pressure *pressure, int layers);
foehn_status foehn_pressure_reach(foehn_pressure *pressure, int layers);

/* Only the residual of the solution as it is, first and last alike.  Waits. */
foehn_status foehn_pressure_measure(foehn_pressure *pressure, foehn_pressure_stats *stats);

/* Damping of a Jacobi sweep from root n of the Chebyshev polynomial of degree m over the
 * eigenvalues [lowest, 2]. */
float foehn_pressure_damping(double lowest, int n, int m);

/* The largest |residual| of the solution as it is; NaN if there is one.  Waits. */
foehn_status foehn_pressure_worst(foehn_pressure *pressure, double *worst);

/* For a caller whose kernel makes the right side and the residual in one pass: the finest level as
 * kernels see it, build options that such a kernel needs, and the buffer that the residual goes to.
 * Then foehn_pressure_cycle() makes one light V-cycle from there. */
struct pressure_level;
const struct pressure_level *foehn_pressure_level(const foehn_pressure *pressure);
const char *foehn_pressure_options(const foehn_pressure *pressure);
cl_mem foehn_pressure_residual(const foehn_pressure *pressure);
foehn_status foehn_pressure_cycle(foehn_pressure *pressure);

/* Improve the solution.  stats may be NULL; with stats or a reduction the call waits. */
foehn_status foehn_pressure_solve(foehn_pressure *pressure, foehn_pressure_stop stop,
                                  foehn_pressure_stats *stats);

#endif
