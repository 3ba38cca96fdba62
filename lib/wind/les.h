/* SPDX-License-Identifier: MIT */
/* Large eddies: the wind as it blows, in time, on the staggered grid. */
#ifndef FOEHN_LIB_LES_H
#define FOEHN_LIB_LES_H

#include "wind/momentum.h"

#include "kernels/wind/les.h"

struct foehn_les {
    struct foehn_momentum
        ground;         /* first: what is shared with the momentum model, without its scalars */
    les l;              /* what the kernels are told */
    bool filled;        /* there is a field of this box */
    cl_mem drive;       /* [2]: of a stage along x and z, m/s2 */
    cl_mem mean_stress; /* of the ground's stress on the wind, over the samples of the means */
    foehn_grid stress_grid;
    struct {
        foehn_kernel stage[3], eddies, ghosts, ghosts_of_cells, inflow, fill_all, begin, find_drive,
            take_out, noise_inflow, noise_all, unresolved, average_unresolved, average_stress,
            total_energy, cell_points;
    } kernel;
};

/* Layers of the neighbours' cells that a substep reads; and those beside a part's own for which it
 * makes the viscosity. */
enum { LES_LAYERS = 4, LES_LAYERS_OF_VISCOSITY = 2 };

/* Viscosity of cells, where foehn_les_find_eddies() leaves it; until the divergence, and whatever
 * else is read, is written there. */
static inline cl_mem foehn_les_viscosity(const foehn_wind *w)
{
    return foehn_pressure_rhs(w->solver);
}
foehn_status foehn_les_find_eddies(foehn_wind *w);

/* Ghosts of a stage's velocity, on inflow sides from the field that the substep began with, and of
 * a field of cells (les_sides.c). */
foehn_status foehn_les_fill_ghosts(foehn_wind *w, const cl_mem from[3], const cl_mem u[3]);
foehn_status foehn_les_fill_ghosts_of_cells(foehn_wind *w, cl_mem field);

/* What comes in, on inflow sides with their ghosts or everywhere; the noise moves on with the wind.
 */
foehn_status foehn_les_bring_in(foehn_wind *w, bool everywhere, const cl_mem u[3]);
void foehn_les_drift(foehn_wind *w, float dt);

/* What the model's hooks of these names say (les_read.c). */
foehn_status foehn_les_points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out);
foehn_status foehn_les_turbulence_points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out);
foehn_status foehn_les_prepare(foehn_wind *w);
foehn_status foehn_les_of_cells(foehn_wind *w, foehn_wind_field field, cl_mem *out);
foehn_status foehn_les_read_stress(foehn_wind *w, float *out);
foehn_status foehn_les_average(foehn_wind *w, cl_float n);
float foehn_les_law_to(const foehn_wind *w);
double foehn_les_soundest(const foehn_wind *w);

#endif
