/* SPDX-License-Identifier: MIT */
/** The solver behind wind and flow, for a Poisson problem of one's own: div (a grad p) = rhs in a
 *  box of cells.
 *
 *  p and rhs live at cell centres, [nz][ny][nx] floats.  a, the openness of a face, is a byte, 0
 *  (closed) to 255 (open): solids, cut cells and thin walls are faces with a < 255.  Faces across
 *  an axis have one layer more along it: [nz][ny][nx + 1] across x, [nz][ny + 1][nx] across y, [nz
 *  + 1][ny][nx] across z.  A cell without an open face is sealed: it takes no part, and p = 0
 *  there.
 *  Where cells that hang together meet no Dirichlet side, p is determined up to a constant, and
 *  there is a solution only if rhs sums to 0 over them; otherwise the residual stays at what is
 *  left over.
 *
 *  A box one cell deep (nz = 1) is solved in 2-D.  Units: p is rhs times the unit of spacing
 *  squared. */
#ifndef FOEHN_POISSON_H
#define FOEHN_POISSON_H

#include <foehn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_poisson foehn_poisson;

typedef enum foehn_poisson_edge {
    FOEHN_POISSON_NEUMANN = 0,   /**< dp/dn = 0: faces there are closed, whatever was written */
    FOEHN_POISSON_DIRICHLET = 1, /**< p = 0 in the middle of the cell beyond, half a cell outside */
    FOEHN_POISSON_PERIODIC = 2   /**< joined to the opposite side, which must be periodic, too */
} foehn_poisson_edge;

typedef enum foehn_poisson_method {
    FOEHN_POISSON_JACOBI = 0, /**< a cycle is one sweep */
    FOEHN_POISSON_SOR = 1,    /**< a cycle is one red-black sweep, relaxation 1.7 */
    FOEHN_POISSON_FCYCLE = 2, /**< multigrid: robust over terrain and at any ratio of spacings */
    FOEHN_POISSON_VCYCLE = 3, /**< multigrid: fewer launches, enough in open boxes */
    FOEHN_POISSON_MGCG = 4    /**< conjugate gradients, a cycle is one iteration with one F-cycle:
                                   for thin walls and hard masks */
} foehn_poisson_method;

typedef struct foehn_poisson_params {
    size_t struct_size;          /**< set by foehn_poisson_params_default(); leave alone */
    int nx, ny, nz;              /**< cells along x, y, z; 1 to 4096; default 64, 64, 1 */
    float spacing[3];            /**< cell size along x, y, z; > 0; default 1, 1, 1 */
    foehn_poisson_edge edges[6]; /**< sides -x, +x, -y, +y, -z, +z; default Neumann */
} foehn_poisson_params;

FOEHN_API void foehn_poisson_params_init(foehn_poisson_params *params, size_t size);
static inline foehn_poisson_params foehn_poisson_params_default(void)
{
    foehn_poisson_params params;
    foehn_poisson_params_init(&params, sizeof params);
    return params;
}

/** Make a problem with all faces open, rhs 0 and p 0.
 *
 *  params   NULL for the defaults; nothing of it is referred to after the return
 *  Returns  FOEHN_OK
 *           FOEHN_ERROR_ARGUMENT  a parameter out of its range, or one periodic side of an axis
 *           FOEHN_ERROR_MEMORY    larger than the device allows; the error says both numbers
 *           FOEHN_ERROR_BUILD     a kernel does not build on the device
 *           FOEHN_ERROR_OPENCL    the device failed */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_poisson_create(foehn_context *ctx,
                                                             const foehn_poisson_params *params,
                                                             foehn_poisson **out);

FOEHN_API void foehn_poisson_destroy(foehn_poisson *poisson);

/** Bytes of device memory that it holds; conjugate gradients take 20 bytes a cell more when first
 *  used. */
FOEHN_API uint64_t foehn_poisson_get_memory(const foehn_poisson *poisson);

/** Set the openness of all faces across an axis (0, 1, 2), at any time; p is kept.  On Neumann
 *  sides edge faces count as 0, and the last layer of a periodic axis as the first.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_poisson_write_open(foehn_poisson *poisson, int axis,
                                                                 const uint8_t *open);

/** Set the right side; finite.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_poisson_write_rhs(foehn_poisson *poisson,
                                                                const float *rhs);

/** Set or read the solution.  What is there is where the next solve starts from.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_poisson_write_solution(foehn_poisson *poisson,
                                                                     const float *p);
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_poisson_read_solution(foehn_poisson *poisson,
                                                                    float *p);

/** How a solve went. */
typedef struct foehn_poisson_stats {
    int cycles;            /**< done */
    double residual_first; /**< rms over all cells of rhs - div (a grad p), before; sealed cells
                              have residual 0 */
    double residual_last;  /**< and after */
    double worst;          /**< largest |residual| after */
    int worst_cell[3];     /**< and where */
} foehn_poisson_stats;

/** Improve the solution.
 *
 *  cycles     at most; >= 1
 *  reduction  stop when the residual's rms is this fraction of the right side's; 0: do all cycles;
 *             >= 0, < 1.  float rounding ends the fall near 1e-6
 *  stats      NULL: with reduction 0 the call then enqueues work and returns; else it waits
 *  Returns    FOEHN_OK, FOEHN_ERROR_ARGUMENT (p is unchanged), FOEHN_ERROR_MEMORY,
 *             FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_poisson_solve(foehn_poisson *poisson,
                                                            foehn_poisson_method method, int cycles,
                                                            double reduction,
                                                            foehn_poisson_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
