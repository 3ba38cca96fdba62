/* SPDX-License-Identifier: MIT */
/* Where the box is: it follows its centre by whole cells, and the ground under it follows the box.
 */
#include "wind/model.h"

#include <math.h>
#include <string.h>

void foehn_wind_get_info(const foehn_wind *w, foehn_wind_info *info)
{
    memset(info, 0, sizeof *info);
    info->nx = w->g.whole_x;
    info->ny = w->g.ny;
    info->nz = w->g.whole_z;
    info->spacing[0] = (double)w->g.hx;
    info->spacing[1] = (double)w->g.hy;
    info->spacing[2] = (double)w->g.hz;
    foehn_wind_origin(w, info->origin);
    info->extent[0] = info->nx * info->spacing[0];
    info->extent[1] = w->g.ny * info->spacing[1];
    info->extent[2] = info->nz * info->spacing[2];
    info->step = w->clock.step;
    info->time = w->clock.time;
    info->gusts = w->clock.gusts.count;
    info->gusts_so_far = w->clock.gusts.total;
    info->samples = w->clock.samples;
    info->memory_bytes = w->memory;
    info->cycles = w->cycles;
}

void foehn_wind_wanted_origin(const foehn_wind *w, int64_t origin[3])
{
    origin[0] = foehn_wind_origin_cell(w->center[0], (double)w->g.hx, w->g.whole_x);
    origin[1] =
        isnan(w->center[1]) ? 0 : foehn_wind_origin_cell(w->center[1], (double)w->g.hy, w->g.ny);
    origin[2] = foehn_wind_origin_cell(w->center[2], (double)w->g.hz, w->g.whole_z);
}

foehn_status foehn_wind_update_ground(foehn_wind *w)
{
    double origin[3];
    foehn_wind_origin(w, origin);
    TRY(foehn_ground_update(&w->ground, &w->g, origin));
    w->ground_is_stale = false;
    return w->model->update_ground ? w->model->update_ground(w) : FOEHN_OK;
}

foehn_status foehn_wind_refresh_ground(foehn_wind *w)
{
    return w->ground_is_stale ? foehn_wind_update_ground(w) : FOEHN_OK;
}

foehn_status foehn_wind_set_roughness(foehn_wind *w, const foehn_terrain *map)
{
    TRY(foehn_ground_set_roughness(&w->ground, map));
    w->ground_is_stale = true;
    return FOEHN_OK;
}

foehn_status foehn_wind_set_terrain(foehn_wind *w, const foehn_terrain *terrain)
{
    foehn_terrain rough = terrain ? *terrain : (foehn_terrain){.nx = 0};
    rough.heights = rough.z0;
    if (rough.z0)
        TRY(foehn_ground_check_roughness(&rough));
    TRY(foehn_ground_set(&w->ground, terrain));
    w->ground_is_stale = true;
    return rough.z0 ? foehn_wind_set_roughness(w, &rough) : FOEHN_OK;
}

foehn_status foehn_wind_set_center(foehn_wind *w, const double center[3])
{
    TRY(foehn_wind_check_center(center));
    memcpy(w->center, center, sizeof w->center);
    return FOEHN_OK;
}

static cl_int clamp_shift(int64_t shift, int n)
{
    return (cl_int)(shift > n ? n : shift < -n ? -n : shift);
}

foehn_status foehn_wind_follow_center(foehn_wind *w)
{
    int64_t origin[3];
    foehn_wind_wanted_origin(w, origin);
    bool moved = memcmp(origin, w->clock.origin, sizeof origin) != 0;
    cl_int shift[3];
    const int n[3] = {w->g.whole_x, w->g.ny, w->g.whole_z};
    for (int a = 0; a < 3; a++)
        shift[a] = clamp_shift(origin[a] - w->clock.origin[a], n[a]);
    memcpy(w->clock.origin, origin, sizeof origin);
    if (moved || w->ground_is_stale)
        TRY(foehn_wind_update_ground(w));
    if (moved) {
        TRY(w->model->scroll(w, shift));
        w->shared = 0;
        if (w->means[0])
            TRY(foehn_wind_set_averaging(w, 1)); /* a mean belongs to one place */
    }
    return FOEHN_OK;
}

foehn_status foehn_wind_centers(foehn_wind *w, cl_mem velocity[3])
{
    TRY(foehn_wind_refresh_ground(w)); /* centres of faces ask which are open */
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    return w->model->centers(w, velocity);
}
