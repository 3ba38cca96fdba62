/* SPDX-License-Identifier: MIT */
/* The undisturbed wind where it is not one over the box: over several roughnesses, and from a map.
 */
#include "wind/faces.h"
#include "wind/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_wind_vary;

static foehn_status check(const foehn_wind_map *m)
{
    if (!(m->depth >= 0 && isfinite(m->depth)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a map of the wind with a depth of %g m: 0 or more",
                          m->depth);
    const size_t count = (size_t)m->nx * (size_t)m->nz;
    for (size_t i = 0; i < count; i++)
        if (!(hypotf(m->u[i], m->w[i]) <= 200))
            return foehn_fail(
                FOEHN_ERROR_ARGUMENT,
                "a map of the wind with (%g, %g) m/s at sample (%zu, %zu): 200 m/s at most",
                (double)m->u[i], (double)m->w[i], i % (size_t)m->nx, i / (size_t)m->nx);
    return FOEHN_OK;
}

foehn_status foehn_wind_set_map(foehn_wind *w, const foehn_wind_map *map)
{
    float *copy = NULL;
    if (map) {
        const foehn_samples s = {"a map of the wind", map->nx,      map->nz,
                                 map->origin,         map->spacing, {map->u, map->w}};
        TRY(foehn_samples_check(&s));
        TRY(check(map));
        TRY(foehn_samples_copy(&s, &copy));
    }
    free((float *)w->map.u);
    w->map = map ? *map : (foehn_wind_map){.nx = 0};
    w->map.u = copy;
    w->map.w = copy ? copy + (size_t)map->nx * (size_t)map->nz : NULL;
    return FOEHN_OK;
}

static void sample_map(const foehn_wind_map *m, double x, double z, float out[2])
{
    const foehn_between t = foehn_between_samples(m->nx, m->nz, m->origin, m->spacing, x, z);
    out[0] = (float)foehn_between_value(&t, m->u);
    out[1] = (float)foehn_between_value(&t, m->w);
}

/* The wind at 10 m over the ground upwind, for every column. */
static foehn_status write_winds(foehn_wind *w, const wind_forcing *f, cl_mem buffers[2])
{
    const foehn_grid *g = &w->g;
    const size_t count = foehn_grid_columns(g);
    float *winds = malloc(2 * count * sizeof *winds), at[2] = {f->dx * f->u10, f->dz * f->u10};
    if (!winds)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", count);
    for (size_t i = 0; i < count; i++) {
        winds[i] = at[0];
        winds[count + i] = at[1];
    }
    double origin[3];
    foehn_wind_origin(w, origin);
    for (int k = -1; w->map.u && k <= g->nz; k++)
        for (int i = -1; i <= g->nx; i++) {
            sample_map(&w->map, origin[0] + (i + g->first_x + 0.5) * (double)g->hx,
                       origin[2] + (k + g->first_z + 0.5) * (double)g->hz, at);
            winds[foehn_grid_column(g, i, k)] = at[0];
            winds[count + foehn_grid_column(g, i, k)] = at[1];
        }
    foehn_status status = FOEHN_OK;
    for (int n = 0; n < 2 && status == FOEHN_OK; n++) {
        status = foehn_buffer_create(w->ctx, count * sizeof *winds, &buffers[n]);
        if (status == FOEHN_OK)
            status = foehn_buffer_write(w->ctx, buffers[n], 0, count * sizeof *winds,
                                        winds + (size_t)n * count);
    }
    free(winds);
    return status;
}

foehn_status foehn_wind_vary(foehn_wind *w, const wind_forcing *f)
{
    foehn_kernel *kernel = &w->staggered.kernel.vary; /* made when it is first needed */
    cl_mem *u = w->velocity[w->now], winds[2] = {NULL, NULL};
    const cl_mem ax = foehn_pressure_open(w->solver, 0), az = foehn_pressure_open(w->solver, 2);
    const cl_float per_l =
        w->params.obukhov < 0 || w->params.obukhov > 0 ? 1 / w->params.obukhov : 0;
    const cl_float per_depth = w->map.u && w->map.depth > 0 ? (cl_float)(1 / w->map.depth) : 0;
    foehn_size faces = {(size_t)w->g.nx + 1, (size_t)w->g.ny, (size_t)w->g.nz + 1};
    foehn_status status;
    if (!kernel->handle)
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_vary, foehn_grid_options(&w->g), "vary",
                                2 * 4 + 2, kernel));
    TRY_OR_FAIL(write_winds(w, f, winds));
    TRY_OR_FAIL(LAUNCH(w->ctx, *kernel, faces, ARG(w->g), ARG(*f), ARG(per_depth), ARG(per_l),
                       ARG(w->ground.corner), ARG(w->ground.z0), ARG(winds[0]), ARG(winds[1]),
                       ARG(ax), ARG(az), ARG(u[0]), ARG(u[2])));
    TRY_OR_FAIL(foehn_wind_wrap(w, u[0]));
    TRY_OR_FAIL(foehn_wind_wrap(w, u[2]));
fail:
    for (int n = 0; n < 2; n++)
        foehn_buffer_destroy(w->ctx, &winds[n]);
    return status;
}
