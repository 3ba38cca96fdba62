/* SPDX-License-Identifier: MIT */
/* The ground under the box: its height and roughness. */
#include "wind/ground.h"

#include "wind/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wind/ground.h"

extern const foehn_source foehn_source_wind_read;

foehn_status foehn_ground_create(foehn_ground *ground, foehn_context *ctx, const foehn_grid *g,
                                 float z0)
{
    const char *options = foehn_grid_options(g);
    const size_t columns = foehn_grid_columns(g) * sizeof(float);
    ground->ctx = ctx;
    ground->one_z0 = z0;
    ground->z0_is_stale = true;
    TRY(foehn_buffer_create(ctx, columns, &ground->ground));
    TRY(foehn_buffer_create(ctx, columns, &ground->corner));
    TRY(foehn_buffer_create(ctx, columns, &ground->z0));
    TRY(foehn_kernel_create(ctx, &foehn_source_wind_read, options, "ground", 8,
                            &ground->ground_kernel));
    TRY(foehn_kernel_create(ctx, &foehn_source_wind_read, options, "corners", 8,
                            &ground->corners_kernel));
    return foehn_ground_set(ground, NULL);
}

void foehn_ground_destroy(foehn_ground *ground)
{
    if (!ground->ctx)
        return;
    foehn_kernel_destroy(&ground->ground_kernel);
    foehn_kernel_destroy(&ground->corners_kernel);
    free(ground->log_z0);
    foehn_buffer_destroy(ground->ctx, &ground->heights);
    foehn_buffer_destroy(ground->ctx, &ground->ground);
    foehn_buffer_destroy(ground->ctx, &ground->corner);
    foehn_buffer_destroy(ground->ctx, &ground->z0);
}

/* Whether a map of samples can be one. */
static foehn_status check_map(const char *what, const foehn_terrain *t)
{
    enum { MOST = 32768 };
    if (t->nx < 1 || t->nz < 1 || t->nx > MOST || t->nz > MOST || !t->heights)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s of %d x %d samples: 1 to %d each", what, t->nx,
                          t->nz, MOST);
    if (!(t->spacing[0] > 0 && t->spacing[1] > 0 && isfinite(t->spacing[0]) &&
          isfinite(t->spacing[1]) && isfinite(t->origin[0]) && isfinite(t->origin[1])))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "%s of %g x %g m a sample at (%g, %g): spacing must be > 0 and all "
                          "of it finite",
                          what, t->spacing[0], t->spacing[1], t->origin[0], t->origin[1]);
    return FOEHN_OK;
}

foehn_status foehn_ground_check_roughness(const foehn_terrain *map)
{
    TRY(check_map("roughness", map));
    const size_t count = (size_t)map->nx * (size_t)map->nz;
    for (size_t i = 0; i < count; i++)
        if (!(map->heights[i] > 0 && map->heights[i] < 10))
            return foehn_fail(
                FOEHN_ERROR_ARGUMENT,
                "roughness length %g m at sample (%zu, %zu): more than 0 and less than 10",
                (double)map->heights[i], i % (size_t)map->nx, i / (size_t)map->nx);
    return FOEHN_OK;
}

foehn_status foehn_ground_set_roughness(foehn_ground *ground, const foehn_terrain *map)
{
    float *log_z0 = NULL;
    if (map) {
        TRY(foehn_ground_check_roughness(map));
        const size_t count = (size_t)map->nx * (size_t)map->nz;
        log_z0 = malloc(count * sizeof *log_z0);
        if (!log_z0)
            return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the roughness of %zu samples",
                              count);
        for (size_t i = 0; i < count; i++)
            log_z0[i] = logf(map->heights[i]);
        ground->rough = *map;
        ground->rough.heights = NULL;
    }
    free(ground->log_z0);
    ground->log_z0 = log_z0;
    ground->z0_is_stale = true;
    return FOEHN_OK;
}

/* Roughness length at a place in the world, m, where there are samples of it: ln z0 is bilinear. */
static double foehn_ground_roughness(const foehn_ground *ground, double x, double z)
{
    const foehn_terrain *t = &ground->rough;
    const foehn_between at = foehn_between_samples(t->nx, t->nz, t->origin, t->spacing, x, z);
    return exp(foehn_between_value(&at, ground->log_z0));
}

/* z0 of the columns of a box, as far as it can have changed. */
static foehn_status update_roughness(foehn_ground *ground, const foehn_grid *g,
                                     const double origin[3])
{
    if (!ground->z0_is_stale && !ground->log_z0)
        return FOEHN_OK;
    const size_t count = foehn_grid_columns(g);
    float *z0 = malloc(count * sizeof *z0);
    if (!z0)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", count);
    for (size_t i = 0; i < count; i++)
        z0[i] = ground->one_z0;
    for (int k = -1; ground->log_z0 && k <= g->nz; k++)
        for (int i = -1; i <= g->nx; i++)
            z0[foehn_grid_column(g, i, k)] = (float)foehn_ground_roughness(
                ground, origin[0] + (i + g->first_x + 0.5) * (double)g->hx,
                origin[2] + (k + g->first_z + 0.5) * (double)g->hz);
    foehn_status status = foehn_buffer_write(ground->ctx, ground->z0, 0, count * sizeof *z0, z0);
    free(z0);
    ground->z0_is_stale = status != FOEHN_OK;
    return status;
}

foehn_status foehn_ground_set(foehn_ground *ground, const foehn_terrain *terrain)
{
    static const float flat_height = 0;
    static const foehn_terrain flat = {
        .nx = 1, .nz = 1, .origin = {0, 0}, .spacing = {1, 1}, .heights = &flat_height};
    const foehn_terrain *t = terrain ? terrain : &flat;
    TRY(check_map("terrain", t));
    size_t count = (size_t)t->nx * (size_t)t->nz;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(t->heights[i]))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "terrain height %g at sample (%zu, %zu): fill gaps first",
                              (double)t->heights[i], i % (size_t)t->nx, i / (size_t)t->nx);

    cl_mem heights = NULL;
    foehn_status status = foehn_buffer_create(ground->ctx, count * sizeof(float), &heights);
    if (status == FOEHN_OK)
        status = foehn_buffer_write(ground->ctx, heights, 0, count * sizeof(float), t->heights);
    if (status != FOEHN_OK) {
        foehn_buffer_destroy(ground->ctx, &heights);
        return status;
    }
    foehn_buffer_destroy(ground->ctx, &ground->heights);
    ground->heights = heights;
    ground->terrain = *t;
    ground->flat = !terrain;
    ground->terrain.heights = ground->terrain.z0 = NULL;
    return FOEHN_OK;
}

foehn_status foehn_ground_update(foehn_ground *ground, const foehn_grid *g, const double origin[3])
{
    const foehn_terrain *t = &ground->terrain;
    TRY(update_roughness(ground, g, origin));
    terrain_map map = {
        .nx = t->nx,
        .nz = t->nz,
        .x0 = (float)((origin[0] - t->origin[0]) / t->spacing[0]),
        .z0 = (float)((origin[2] - t->origin[1]) / t->spacing[1]),
        .dx = (float)(g->hx / t->spacing[0]),
        .dz = (float)(g->hz / t->spacing[1]),
    };
    foehn_size padded = foehn_grid_padded(g), columns = {padded.x, padded.z, 1};
    TRY(LAUNCH(ground->ctx, ground->ground_kernel, columns, ARG(*g), ARG(map), ARG(ground->heights),
               ARG(ground->ground)));
    foehn_size corners = {(size_t)g->nx + 1, (size_t)g->nz + 1, 1};
    return LAUNCH(ground->ctx, ground->corners_kernel, corners, ARG(*g), ARG(map),
                  ARG(ground->heights), ARG(ground->corner));
}
