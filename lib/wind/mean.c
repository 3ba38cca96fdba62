/* SPDX-License-Identifier: MIT */
/* The mean wind at once: the profile over the terrain made mass consistent. */
#include "wind/faces.h"

#include <foehn/profile.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What crosses the sides (floor and lid are closed): outflow counted positive, m3/s. */
foehn_status foehn_faces_mass_flux(foehn_wind *w, const cl_mem faces[3], double *in, double *net)
{
    const foehn_grid *g = &w->g;
    const int n[3] = {g->nx, g->ny, g->nz};
    const double h[3] = {(double)g->hx, (double)g->hy, (double)g->hz};
    *in = *net = 0;
    for (int axis = 0; axis < 3; axis += 2) {
        int across = axis == 0 ? g->nz : g->nx;
        size_t count = (size_t)across * (size_t)g->ny;
        float *velocity = malloc(count * sizeof *velocity);
        unsigned char *open = malloc(count);
        foehn_status status = velocity && open ? FOEHN_OK
                                               : foehn_fail(FOEHN_ERROR_MEMORY,
                                                            "no host memory for a side of the box");
        for (int upper = 0; upper < 2 && status == FOEHN_OK; upper++) {
            foehn_box box = foehn_grid_box(g, sizeof(float));
            box.offset += (size_t)(upper ? n[axis] : 0) * (axis == 0 ? 1 : (size_t)g->sz);
            *(axis == 0 ? &box.nx : &box.nz) = 1;
            status = foehn_box_read(w->ctx, w->velocity[w->now][axis], box, velocity);
            box.element = 1;
            if (status == FOEHN_OK)
                status = foehn_box_read(w->ctx, faces[axis], box, open);
            for (size_t i = 0; status == FOEHN_OK && i < count; i++) {
                double out = (double)velocity[i] * open[i] / 255 * h[1] * h[2 - axis];
                out = upper ? out : -out;
                *net += out;
                *in += out < 0 ? -out : 0;
            }
        }
        free(velocity);
        free(open);
        TRY(status);
    }
    return FOEHN_OK;
}

/* What rounding leaves of a field without divergence, 1/s: half a unit of the last place of the fastest
 * wind on both faces of a cell, and no pressure can be told from it. */
static double rounding(const foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    double fastest = (double)w->params.state.u10 *
                     (double)foehn_log_profile((float)g->ny * g->hy, w->params.z0);
    return 0.5 * (double)FLT_EPSILON * fastest * (1 / (double)g->hx + 1 / (double)g->hz);
}

/* Solve, project, and do so again for what is left: a pressure in single precision resolves the divergence
 * only to about 1e-4 of a large box's, and each round starts from a pressure of 0. */
static foehn_status remove_divergence(foehn_wind *w, double reduction, int most,
                                      foehn_wind_solution *solution)
{
    const double one_round = 1e-3; /* what a round is asked for at most */
    const double sound = rounding(w);
    double first = 0;
    for (;;) {
        foehn_pressure_stats stats;
        cl_mem p = foehn_pressure_field(w->solver);
        TRY(foehn_buffer_clear(w->ctx, p));
        TRY(foehn_staggered_divergence(w));
        TRY(foehn_pressure_measure(w->solver, &stats));
        first = solution->cycles == 0 ? stats.residual_first : first;
        solution->residual = first > 0 ? stats.residual_first / first : 0;
        if (solution->residual > reduction && stats.residual_first <= sound)
            solution->residual = 0;
        if (solution->residual <= reduction || solution->cycles >= most)
            return FOEHN_OK;
        double wanted = fmax(0.5 * reduction / solution->residual, one_round);
        TRY(foehn_pressure_solve(
            w->solver,
            (foehn_pressure_stop){FOEHN_PRESSURE_MGCG, most - solution->cycles, wanted}, &stats));
        solution->cycles += stats.cycles > 0 ? stats.cycles : 1;
        TRY(foehn_staggered_project(w));
    }
}

foehn_status foehn_staggered_solve_mean(foehn_wind *w, double reduction, int most,
                                        foehn_wind_solution *solution)
{
    wind_forcing f = foehn_wind_forcing(w, 0);
    f.gain = 1;
    f.curl_amplitude = 0;
    for (int n = 0; n < WIND_GUSTS; n++)
        f.gust[n].strength = 0;
    TRY(foehn_staggered_force(w, &f));
    if (w->ground.log_z0 || w->map.u)
        TRY(foehn_wind_vary(w, &f));
    TRY(remove_divergence(w, reduction, most, solution));
    double net;
    const cl_mem faces[3] = {foehn_pressure_open(w->solver, 0), foehn_pressure_open(w->solver, 1),
                             foehn_pressure_open(w->solver, 2)};
    TRY(foehn_faces_mass_flux(w, faces, &solution->mass_in, &net));
    solution->mass_imbalance = solution->mass_in > 0 ? net / solution->mass_in : 0;
    return FOEHN_OK;
}
