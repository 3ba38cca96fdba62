/* SPDX-License-Identifier: MIT */
/* Velocity on faces, terrain as openness of faces: what models on faces share. */
#ifndef FOEHN_LIB_WIND_FACES_H
#define FOEHN_LIB_WIND_FACES_H

#include "wind/state.h"

foehn_status foehn_staggered_create(foehn_wind *w);
void foehn_staggered_destroy(foehn_wind *w);
uint64_t foehn_staggered_memory(const foehn_wind_params *p, const foehn_grid *g);

/* Openness of all faces for the ground as it is now. */
foehn_status foehn_staggered_update(foehn_wind *w);
foehn_status foehn_staggered_force(foehn_wind *w, const wind_forcing *f);
foehn_status foehn_staggered_advect(foehn_wind *w, float dt);
foehn_status foehn_staggered_solve(foehn_wind *w, foehn_pressure_stop stop,
                                   foehn_pressure_stats *stats);
/* The same by one light V-cycle, in fewer launches. */
foehn_status foehn_staggered_cycle(foehn_wind *w);
foehn_status foehn_staggered_project(foehn_wind *w);
foehn_status foehn_staggered_divergence(foehn_wind *w);
foehn_status foehn_staggered_centers(foehn_wind *w, cl_mem velocity[3]);
/* Halves at centres, cell (0, 0, 0) at voxel `first`. */
foehn_status foehn_staggered_publish(foehn_wind *w, const cl_int first[3], cl_mem slot);
/* Both in one launch, where faces are projected four at a time. */
bool foehn_staggered_projects_wide(const foehn_wind *w);
foehn_status foehn_staggered_project_publish(foehn_wind *w, const cl_int first[3], cl_mem slot);
foehn_status foehn_staggered_scroll(foehn_wind *w, const wind_forcing *f, const cl_int shift[3]);

/* What flows in through the sides, and out of all of them less that, m3/s, by the openness of faces
 * (mean.c). */
foehn_status foehn_faces_mass_flux(foehn_wind *w, const cl_mem faces[3], double *in, double *net);

/* The mean wind at once: the profile over the terrain made mass consistent (mean.c). */
foehn_status foehn_staggered_solve_mean(foehn_wind *w, double reduction, int most,
                                        foehn_wind_solution *solution);

/* Arguments of a kernel: openness of the faces, as the solver has them. */
#define SOLVER_OPEN(w)                                                                             \
    ARG(((cl_mem[]){foehn_pressure_open((w)->solver, 0)})[0]),                                     \
        ARG(((cl_mem[]){foehn_pressure_open((w)->solver, 1)})[0]),                                 \
        ARG(((cl_mem[]){foehn_pressure_open((w)->solver, 2)})[0])

#endif
