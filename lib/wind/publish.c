/* SPDX-License-Identifier: MIT */
/* The wind as a volume of halves for renderers. */
#include "wind/model.h"

#include <string.h>

/* Where cell (0, 0, 0) goes in a published volume. */
static void first_voxel(const foehn_wind *w, cl_int first[3])
{
    const int n[3] = {w->g.nx, w->g.ny, w->g.nz};
    for (int a = 0; a < 3; a++)
        first[a] = (cl_int)(((w->clock.origin[a] % n[a]) + n[a]) % n[a]);
}

foehn_status foehn_wind_publish(foehn_wind *w, foehn_volume *volume,
                                foehn_status (*pass)(foehn_wind *, const cl_int first[3], cl_mem))
{
    cl_mem slot;
    cl_int first[3];
    foehn_wind_info info;
    if (w->model->prepare)
        TRY(w->model->prepare(w));
    TRY(foehn_volume_begin(volume, w->ctx, w->g.nx, w->g.ny, w->g.nz, &slot));
    foehn_wind_get_info(w, &info);
    foehn_volume_info v = {.nx = info.nx,
                           .ny = info.ny,
                           .nz = info.nz,
                           .step = info.step,
                           .time = info.time,
                           .repeats = 1};
    memcpy(v.origin, info.origin, sizeof v.origin);
    memcpy(v.extent, info.extent, sizeof v.extent);
    memcpy(v.spacing, info.spacing, sizeof v.spacing);
    first_voxel(w, first);
    return foehn_volume_end(volume, &v, pass(w, first, slot));
}

foehn_status foehn_wind_write_volume(foehn_wind *w, foehn_volume *volume)
{
    TRY(foehn_wind_refuse_parts(w, "foehn_wind_write_volume"));
    TRY(foehn_wind_refresh_ground(w)); /* centres of faces ask which are open */
    return foehn_wind_publish(w, volume, w->model->publish);
}
