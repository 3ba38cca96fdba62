/* SPDX-License-Identifier: MIT */
/* Large eddies: what lies beyond the sides, and what comes in. */
#include "wind/les.h"

#include <foehn/profile.h>

#include <math.h>

#define NOISE_ENERGY 5.8 /* k of the surface layer over u*^2 */

static struct foehn_les *own(const foehn_wind *w)
{
    return w->own;
}

#define ARG3(f) ARG((f)[0]), ARG((f)[1]), ARG((f)[2])

/* Columns around the box, and the rows of faces. */
static foehn_size ring(const foehn_wind *w)
{
    return (foehn_size){2 * ((size_t)w->g.nx + 2) + 2 * (size_t)w->g.nz, (size_t)w->g.ny + 1, 1};
}

foehn_status foehn_les_fill_ghosts(foehn_wind *w, const cl_mem from[3], const cl_mem u[3])
{
    struct foehn_les *n = own(w);
    return LAUNCH(w->ctx, n->kernel.ghosts, ring(w), ARG(n->l), ARG3(from), ARG3(u));
}

foehn_status foehn_les_fill_ghosts_of_cells(foehn_wind *w, cl_mem field)
{
    struct foehn_les *n = own(w);
    return LAUNCH(w->ctx, n->kernel.ghosts_of_cells, ring(w), ARG(n->l), ARG(field));
}

/* ---- what comes in ---- */

/* The precursor's column at this box's corner: both are parts of one periodic world. */
static les_source source_of(const foehn_wind *w)
{
    const foehn_grid *g = &w->beside->g;
    const int64_t *origin = w->clock.origin;
    const int64_t x = origin[0] + w->g.first_x, z = origin[2] + w->g.first_z;
    return (les_source){*g, (i32)((x % g->nx + g->nx) % g->nx), (i32)((z % g->nz + g->nz) % g->nz)};
}

/* The noise is that of the forcing model, isotropic, with the surface layer's k. */
static wind_forcing noise_of(const foehn_wind *w)
{
    wind_forcing f = foehn_wind_forcing(w, 0);
    f.curl_amplitude = (f32)(sqrt(2 * NOISE_ENERGY) * (double)own(w)->l.m.friction);
    return f;
}

/* By the wind at half its longer waves' length above the ground. */
void foehn_les_drift(foehn_wind *w, float dt)
{
    const momentum *m = &own(w)->l.m;
    const double length = (double)w->params.noise_wavelength, period = 4096 * length;
    const double way = (double)m->friction / (double)VON_KARMAN *
                       (double)foehn_log((float)(0.5 * length) / m->z0 + 1) * (double)dt;
    w->clock.drift[0] = fmod(w->clock.drift[0] + (double)m->dx * way, period);
    w->clock.drift[1] = fmod(w->clock.drift[1] + (double)m->dz * way, period);
}

foehn_status foehn_les_bring_in(foehn_wind *w, bool everywhere, const cl_mem u[3])
{
    struct foehn_les *n = own(w);
    foehn_size size = ring(w);
    if (everywhere) { /* the padded box, but for the ghosts under its floor */
        size = foehn_grid_padded(&w->g);
        size.y--;
    }
    const foehn_wind *p = w->beside;
    if (!p) {
        const wind_forcing f = noise_of(w);
        foehn_kernel *kernel = everywhere ? &n->kernel.noise_all : &n->kernel.noise_inflow;
        return LAUNCH(w->ctx, *kernel, size, ARG(n->l), ARG(f), ARG(n->ground.columns), ARG3(u));
    }
    const les_source source = source_of(w);
    foehn_kernel *kernel = everywhere ? &n->kernel.fill_all : &n->kernel.inflow;
    return LAUNCH(w->ctx, *kernel, size, ARG(n->l), ARG(source), ARG(n->ground.columns),
                  VELOCITY(p, p->now), ARG3(u));
}
