/* SPDX-License-Identifier: MIT */
/* The wind around the fire: what it is at the sides, and what a change of it does to air inside. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>

foehn_status foehn_fire_sides(foehn_fire *f, cl_int all)
{
    size_t more = foehn_fire_burns(f) ? 3 : 2;
    foehn_size size = {(size_t)f->g.nx + more, (size_t)f->g.ny + more, (size_t)f->g.nz + more};
    for (int n = 0; n < FIRE_VELOCITIES; n++)
        if (f->velocity[n][0])
            TRY(LAUNCH(f->ctx, f->kernel.sides, size, ARG(f->g), ARG(all), ARG(f->wind),
                       AIR(f, n)));
    return FOEHN_OK;
}

static foehn_status check_wind(const foehn_fire_wind *wind)
{
    enum { MOST = 1024 };
    if (wind->nx < 1 || wind->ny < 1 || wind->nz < 1 || wind->nx > MOST || wind->ny > MOST ||
        wind->nz > MOST)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a wind of %d x %d x %d samples: 1 to %d each",
                          wind->nx, wind->ny, wind->nz, MOST);
    size_t count = (size_t)wind->nx * (size_t)wind->ny * (size_t)wind->nz;
    for (size_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++)
            if (!isfinite(wind->velocity[i][a]))
                return foehn_fail(FOEHN_ERROR_ARGUMENT, "wind sample %zu is not finite", i);
    return FOEHN_OK;
}

/* Trilinear in the samples at shares (0 to 1) of the box; turned into the box's frame. */
static void wind_at(const foehn_fire *f, const foehn_fire_wind *wind, const double share[3],
                    float out[3])
{
    const int n[3] = {wind->nx, wind->ny, wind->nz};
    int low[3], high[3];
    double t[3], sum[3] = {0, 0, 0}, turned[3];
    for (int a = 0; a < 3; a++) {
        double x = fmin(fmax(share[a], 0), 1) * (n[a] - 1);
        low[a] = (int)x;
        high[a] = low[a] + 1 < n[a] ? low[a] + 1 : low[a];
        t[a] = x - low[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1 ? high[0] : low[0], j = corner & 2 ? high[1] : low[1];
        int k = corner & 4 ? high[2] : low[2];
        double weight = (corner & 1 ? t[0] : 1 - t[0]) * (corner & 2 ? t[1] : 1 - t[1]) *
                        (corner & 4 ? t[2] : 1 - t[2]);
        const float *v =
            wind->velocity[((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] + (size_t)i];
        for (int a = 0; a < 3; a++)
            sum[a] += weight * (double)v[a];
    }
    foehn_matrix_vector(&f->to_box, sum, turned);
    for (int a = 0; a < 3; a++)
        out[a] = (float)turned[a];
}

/* The wind at all cells and ghosts: three fields. */
static void sample_wind(const foehn_fire *f, const foehn_fire_wind *wind, float *all)
{
    size_t elements = foehn_grid_elements(&f->g);
    for (int k = -1; k <= f->g.nz; k++)
        for (int j = -1; j <= f->g.ny; j++)
            for (int i = -1; i <= f->g.nx; i++) {
                const double share[3] = {(i + 0.5) / f->g.nx, (j + 0.5) / f->g.ny,
                                         (k + 0.5) / f->g.nz};
                size_t c = foehn_grid_at(&f->g, i, j, k);
                float value[3];
                wind_at(f, wind, share, value);
                for (size_t a = 0; a < 3; a++)
                    all[c + a * elements] = value[a];
            }
}

/* Where it burns, air that is there takes part in a change of the wind, layer by layer of the box:
 * the gradient of pressure that makes it reaches beyond the box. */
static foehn_status push(foehn_fire *f, const float *all)
{
    size_t ny = (size_t)f->g.ny, elements = foehn_grid_elements(&f->g);
    double cells = (double)f->g.nx * f->g.nz;
    float *levels = calloc(6 * ny, sizeof *levels), *change = levels ? levels + 3 * ny : NULL;
    if (!levels)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu layers", ny);
    foehn_status status = foehn_buffer_read(f->ctx, f->levels, 0, 3 * ny * sizeof *change, change);
    for (size_t n = 0; n < 3 * ny; n++) {
        double sum = 0;
        for (int k = 0; k < f->g.nz && all; k++)
            for (int i = 0; i < f->g.nx; i++)
                sum += (double)all[n / ny * elements + foehn_grid_at(&f->g, i, (int)(n % ny), k)];
        levels[n] = (float)(sum / cells);
        change[n] = levels[n] - change[n];
    }
    if (status == FOEHN_OK && f->started && !f->levels_are_stale) {
        status = foehn_buffer_write(f->ctx, f->levels, 0, 3 * ny * sizeof *change, change);
        if (status == FOEHN_OK)
            status = LAUNCH(f->ctx, f->kernel.push, foehn_fire_faces(&f->g), ARG(f->g),
                            ARG(f->levels), ARG(f->sdf), AIR(f, 0));
    }
    if (status == FOEHN_OK)
        status = foehn_buffer_write(f->ctx, f->levels, 0, 3 * ny * sizeof *levels, levels);
    f->levels_are_stale = false;
    free(levels);
    return status;
}

foehn_status foehn_fire_set_wind(foehn_fire *f, const foehn_fire_wind *wind)
{
    size_t elements = foehn_grid_elements(&f->g);
    float *all = NULL;
    foehn_status status = FOEHN_OK;
    if (wind) {
        TRY(check_wind(wind));
        all = calloc(3 * elements, sizeof *all);
        if (!all)
            return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu cells", elements);
        sample_wind(f, wind, all);
        status = foehn_buffer_write(f->ctx, f->wind, 0, 3 * elements * sizeof *all, all);
    } else
        status = foehn_buffer_clear(f->ctx, f->wind);
    if (status == FOEHN_OK && foehn_fire_burns(f))
        status = push(f, all);
    free(all);
    TRY(status);
    return foehn_fire_sides(f, !f->started);
}
