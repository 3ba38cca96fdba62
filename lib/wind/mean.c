/* SPDX-License-Identifier: MIT */
/* The mean wind at once: the profile over the terrain made mass consistent. */
#include "wind/faces.h"

#include <foehn/profile.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What comes in and goes out through a column of a side, m3/s. */
typedef struct column_flux {
    double in, net;
} column_flux;

/* Through the lower or upper side along an axis, by columns (floor and lid are closed): outflow
 * counted positive. */
static foehn_status side_flux(foehn_wind *w, const cl_mem faces[3], int axis, bool upper, int own,
                              int from, column_flux *columns)
{
    const foehn_grid *g = &w->g;
    const double h[3] = {(double)g->hx, (double)g->hy, (double)g->hz};
    const size_t ny = (size_t)g->ny, across = (size_t)own, count = across * ny;
    float *velocity = malloc(count * sizeof *velocity);
    unsigned char *open = malloc(count);
    foehn_status status =
        velocity && open ? FOEHN_OK
                         : foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a side of the box");
    foehn_box box = foehn_grid_box(g, sizeof(float));
    const int at = upper ? (axis == 0 ? g->nx : g->nz) : 0;
    box.offset = axis == 0 ? foehn_grid_at(g, at, 0, from) : foehn_grid_at(g, from, 0, at);
    box.nx = axis == 0 ? 1 : across;
    box.nz = axis == 0 ? across : 1;
    if (status == FOEHN_OK)
        status = foehn_box_read(w->ctx, w->velocity[w->now][axis], box, velocity);
    box.element = 1;
    if (status == FOEHN_OK)
        status = foehn_box_read(w->ctx, faces[axis], box, open);
    for (size_t c = 0; status == FOEHN_OK && c < across; c++)
        for (size_t j = 0; j < ny; j++) {
            const size_t n = axis == 0 ? c * ny + j : j * across + c;
            double out = (double)velocity[n] * open[n] / 255 * h[1] * h[2 - axis];
            out = upper ? out : -out;
            columns[c].net += out;
            columns[c].in += out < 0 ? -out : 0;
        }
    free(velocity);
    free(open);
    return status;
}

/* By columns, then along each side: in an order that no cut changes. */
foehn_status foehn_faces_mass_flux(foehn_wind *w, const cl_mem faces[3], double *in, double *net)
{
    const foehn_grid *g = &w->g;
    const int whole[2] = {g->whole_x, g->whole_z}, first[2] = {g->first_x, g->first_z},
              n[2] = {g->nx, g->nz};
    const int low[2] = {g->own_x0, g->own_z0}, high[2] = {g->own_x1, g->own_z1};
    const size_t most = (size_t)(whole[0] > whole[1] ? whole[0] : whole[1]);
    const int parts = w->part ? w->part->parts : 1;
    column_flux *columns = malloc(most * (size_t)(parts + 1) * sizeof *columns),
                *all = columns + most;
    foehn_status status =
        columns ? FOEHN_OK
                : foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the sides of the box");
    *in = *net = 0;
    for (int side = 0; side < 4 && status == FOEHN_OK; side++) {
        const int a = side / 2, b = 1 - a; /* across the side, and along it */
        const bool upper = side % 2, here = upper ? first[a] + n[a] == whole[a] : first[a] == 0;
        const size_t count = (size_t)whole[b];
        memset(columns, 0, most * sizeof *columns);
        if (here)
            status = side_flux(w, faces, 2 * a, upper, high[b] - low[b], low[b],
                               columns + first[b] + low[b]);
        if (w->part && status == FOEHN_OK)
            status = foehn_domain_gather(w->part->domain, count * sizeof *columns, columns, all);
        for (size_t c = 0; status == FOEHN_OK && c < count; c++)
            for (int p = 0; p < parts; p++) { /* 0 but for the part that has it */
                const column_flux *f = w->part ? &all[(size_t)p * count + c] : &columns[c];
                *in += f->in;
                *net += f->net;
            }
    }
    free(columns);
    return status;
}

/* What rounding leaves of a field without divergence, 1/s: half a unit of the last place of the
 * fastest wind on both faces of a cell, and no pressure can be told from it. */
static double rounding(const foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    double fastest =
        (double)w->params.state.u10 * (double)foehn_log_profile((float)g->ny * g->hy, w->params.z0);
    return 0.5 * (double)FLT_EPSILON * fastest * (1 / (double)g->hx + 1 / (double)g->hz);
}

/* Solve, project, and do so again for what is left: a pressure in single precision resolves the
 * divergence only to about 1e-4 of a large box's, and each round starts from a pressure of 0. */
static foehn_status remove_divergence(foehn_wind *w, double reduction, int most,
                                      foehn_wind_solution *solution)
{
    const double one_round = 1e-3; /* what a round is asked for at most */
    const double sound = rounding(w);
    double first = 0;
    for (;;) {
        foehn_pressure_stats stats;
        TRY(foehn_pressure_clear(w->solver));
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
            w->solver, (foehn_pressure_stop){FOEHN_PRESSURE_MGCG, most - solution->cycles, wanted},
            &stats));
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
    TRY(foehn_wind_share(w,
                         1)); /* a target is reached to rounding, which what was before bears on */
    TRY(foehn_staggered_force(w, &f));
    if (w->ground.log_z0 || w->map.u || w->params.obukhov < 0 || w->params.obukhov > 0)
        TRY(foehn_wind_vary(w, &f));
    TRY(remove_divergence(w, reduction, most, solution));
    double net;
    const cl_mem faces[3] = {foehn_pressure_open(w->solver, 0), foehn_pressure_open(w->solver, 1),
                             foehn_pressure_open(w->solver, 2)};
    TRY(foehn_faces_mass_flux(w, faces, &solution->mass_in, &net));
    solution->mass_imbalance = solution->mass_in > 0 ? net / solution->mass_in : 0;
    return FOEHN_OK;
}
