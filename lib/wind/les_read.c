/* SPDX-License-Identifier: MIT */
/* Large eddies: what is read of them, and their means.
 *
 * What the grid does not resolve has k = (nu / (0.1 D))^2 (Deardorff 1980).  The mean square of the
 * speed takes two thirds of it along, so that the standard deviation and the turbulence intensity
 * know of it, and k of the means is that of the products and it. */
#include "domain/whole.h"
#include "wind/faces.h"
#include "wind/les.h"

#include <math.h>
#include <stdlib.h>

static struct foehn_les *own(const foehn_wind *w)
{
    return w->own;
}

foehn_status foehn_les_find_eddies(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    const cl_mem nu = foehn_les_viscosity(w);
    const foehn_items cells = foehn_momentum_own(w, LES_LAYERS_OF_VISCOSITY, (size_t)w->g.nx,
                                                 (size_t)w->g.ny, (size_t)w->g.nz);
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    TRY(LAUNCH_ITEMS(w->ctx, n->kernel.eddies, cells, ARG(n->l), ARG(n->ground.columns),
                     ARG(n->ground.open[0]), ARG(n->ground.open[2]), VELOCITY(w, w->now), ARG(nu)));
    return foehn_les_fill_ghosts_of_cells(w, nu);
}

static foehn_status find_unresolved(foehn_wind *w, cl_int as_speed, cl_mem out)
{
    struct foehn_les *n = own(w);
    const cl_mem nu = foehn_les_viscosity(w);
    const cl_float width = cbrtf(w->g.hx * w->g.hy * w->g.hz);
    TRY(foehn_les_find_eddies(w));
    return LAUNCH(w->ctx, n->kernel.unresolved, foehn_wind_cells(w), ARG(w->g), ARG(width),
                  ARG(as_speed), ARG(nu), ARG(out));
}

/* Three times the undisturbed wind at the lid, or most of what speeds are held to: a wind that has
 * run away is there everywhere. */
double foehn_les_soundest(const foehn_wind *w)
{
    const les *l = &own(w)->l;
    const double lid = (double)l->m.friction / (double)VON_KARMAN *
                       log(((double)l->m.lid + (double)l->m.z0) / (double)l->m.z0);
    const double held =
        sqrt((double)l->most[0] * (double)l->most[0] + (double)l->most[1] * (double)l->most[1] +
             (double)l->most[2] * (double)l->most[2]);
    return held > 0 ? fmin(3 * lid, 0.7 * held) : 3 * lid;
}

float foehn_les_law_to(const foehn_wind *w)
{
    return own(w)->l.m.sample;
}

/* ---- now ---- */

foehn_status foehn_les_points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out)
{
    struct foehn_les *n = own(w);
    cl_mem k = foehn_pressure_residual(w->solver);
    TRY(find_unresolved(w, 0, k));
    foehn_size size = {(size_t)count, 1, 1}, local = {TUNED_POINTS, 1, 1};
    return LAUNCH_LOCAL(w->ctx, n->ground.kernel.points, size, local, ARG(n->l.m),
                        ARG(n->l.m.sample), ARG(count), ARG(places), ARG(n->ground.columns),
                        VELOCITY(w, w->now), ARG(k), ARG(out));
}

foehn_status foehn_les_prepare(foehn_wind *w)
{
    return find_unresolved(w, 1, w->curl);
}

/* ---- means ---- */

foehn_status foehn_les_average(foehn_wind *w, cl_float n)
{
    struct foehn_les *own_ = own(w);
    cl_mem k = foehn_pressure_residual(w->solver);
    TRY(foehn_wind_share(w, LES_LAYERS)); /* the next step's, too */
    TRY(find_unresolved(w, 0, k));
    TRY(foehn_momentum_find_stress(w));
    TRY(LAUNCH(w->ctx, own_->kernel.average_unresolved, foehn_wind_cells(w), ARG(w->g), ARG(n),
               ARG(k), ARG(w->means[4])));
    const foehn_size columns = {(size_t)w->g.nx, (size_t)w->g.nz, 1};
    return LAUNCH(w->ctx, own_->kernel.average_stress, columns, ARG(own_->l), ARG(n),
                  ARG(own_->ground.columns), ARG(own_->ground.walls), ARG(own_->stress_grid),
                  ARG(own_->mean_stress));
}

/* k of the means, or where there are none of what is not resolved now; and eddy viscosity. */
foehn_status foehn_les_of_cells(foehn_wind *w, foehn_wind_field field, cl_mem *out)
{
    struct foehn_les *n = own(w);
    if (field == FOEHN_WIND_VISCOSITY) {
        *out = foehn_les_viscosity(w);
        return foehn_les_find_eddies(w);
    }
    *out = foehn_pressure_residual(w->solver);
    if (!w->means[0] || w->clock.samples == 0)
        return find_unresolved(w, 0, *out);
    const cl_mem *mean = w->means;
    return LAUNCH(w->ctx, n->kernel.total_energy, foehn_wind_cells(w), ARG(w->g), ARG(mean[0]),
                  ARG(mean[1]), ARG(mean[2]), ARG(mean[5]), ARG(mean[6]), ARG(mean[7]),
                  ARG(mean[4]), ARG(*out));
}

foehn_status foehn_les_turbulence_points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out)
{
    struct foehn_les *n = own(w);
    cl_mem k, nu;
    TRY(foehn_les_of_cells(w, FOEHN_WIND_K, &k));
    TRY(foehn_les_of_cells(w, FOEHN_WIND_VISCOSITY, &nu));
    foehn_size size = {(size_t)count, 1, 1}, local = {TUNED_POINTS, 1, 1};
    return LAUNCH_LOCAL(w->ctx, n->kernel.cell_points, size, local, ARG(n->l.m), ARG(count),
                        ARG(places), ARG(n->ground.columns), ARG(k), ARG(nu), ARG(out));
}

/* Of the means, or where there are none now. */
foehn_status foehn_les_read_stress(foehn_wind *w, float *out)
{
    struct foehn_les *n = own(w);
    const foehn_grid *g = &n->stress_grid;
    const size_t nx = (size_t)(g->own_x1 - g->own_x0), nz = (size_t)(g->own_z1 - g->own_z0);
    if (!w->means[0] || w->clock.samples == 0) {
        TRY(foehn_wind_share(w, LAYERS_TO_READ));
        TRY(foehn_momentum_find_stress(w));
        return foehn_momentum_read_stress(w, out);
    }
    float *stress = malloc(6 * nx * nz * sizeof *stress);
    if (!stress)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", nx * nz);
    float *own_ = stress + 3 * nx * nz;
    foehn_box box = foehn_grid_box(g, sizeof(float));
    box.nx = nx;
    box.nz = nz;
    box.offset = foehn_grid_at(g, g->own_x0, 0, g->own_z0);
    foehn_status status = foehn_box_read(w->ctx, n->mean_stress, box, stress);
    for (size_t k = 0; status == FOEHN_OK && k < nz; k++)
        for (size_t i = 0; i < nx; i++) {
            const float *x = stress + k * 3 * nx + i, *y = x + nx, *z = y + nx;
            float *to = (w->part ? own_ : out) + 3 * (k * nx + i);
            to[0] = *x;
            to[1] = *z;
            to[2] = sqrtf(sqrtf(*x * *x + *y * *y + *z * *z));
        }
    if (w->part && status == FOEHN_OK)
        status = foehn_whole_columns(w->part, 3 * sizeof *own_, own_, out);
    free(stress);
    return status;
}
