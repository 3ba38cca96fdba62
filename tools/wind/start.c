/* SPDX-License-Identifier: MIT */
/* foehn wind: the device, and a wind over the ground of a site. */
#include "config.h"

#include "ranks.h"
#include "wind/wind.h"

#include <limits.h>
#include <math.h>

int wind_open_device(const common_options *o, scene *s, foehn_context **out)
{
    foehn_context_params params = foehn_context_params_default();
    int status = ranks_device(o->device, o->devices, &params.device);
    if (status != STATUS_OK)
        return status;
    params.devices = ranks_are_threads() ? o->devices : NULL;
    foehn_status made = foehn_context_create(&params, out);
    if (made != FOEHN_OK)
        return fail_library(made);
    foehn_device_info info = {.struct_size = sizeof info};
    made = foehn_context_get_device(*out, &info);
    if (made != FOEHN_OK)
        return fail_library(made);
    snprintf(s->device, sizeof s->device, "%s", info.name);
    report("Device    %s, %s: %s", info.name, info.platform, foehn_context_get_reason(*out));
    return STATUS_OK;
}

/* The library may place the box only where the files will say that it lies. */
static int check_box(const site *at, const foehn_wind *wind)
{
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    const scene *s = &at->scene;
    double west = at->world_easting + info.origin[0];
    double south = at->world_northing - info.origin[2] - info.extent[2];
    if (fabs(west - s->origin[0]) < 1e-3 * s->spacing[0] &&
        fabs(south - s->origin[1]) < 1e-3 * s->spacing[1] &&
        fabs(info.origin[1] - s->origin[2]) < 1e-3 * s->spacing[2])
        return STATUS_OK;
    return fail(STATUS_FAILED,
                "the box was placed at %.10g, %.10g, %.10g instead of %.10g, %.10g, "
                "%.10g: please report this",
                west, south, info.origin[1], s->origin[0], s->origin[1], s->origin[2]);
}

static foehn_status report_parts(const foehn_wind *wind)
{
    const int count = ranks_count();
    int least = INT_MAX, most = 0;
    for (int n = 0; n < count && count > 1; n++) {
        foehn_domain_block b;
        foehn_status got = foehn_wind_get_block(wind, n, &b);
        if (got != FOEHN_OK)
            return got;
        least = b.nx * b.nz < least ? b.nx * b.nz : least;
        most = b.nx * b.nz > most ? b.nx * b.nz : most;
    }
    if (count > 1)
        report("Parts     %d, of %d to %d columns", count, least, most);
    return FOEHN_OK;
}

int wind_start(const site *s, foehn_context *ctx, foehn_wind **out)
{
    foehn_wind_params params = s->params;
    params.domain = ranks_domain();
    foehn_status made = foehn_wind_create(ctx, &params, out);
    if (made == FOEHN_OK && s->scene.has_terrain)
        made = foehn_wind_set_terrain(*out, &s->ground);
    if (made == FOEHN_OK && s->rough.heights)
        made = foehn_wind_set_roughness(*out, &s->rough);
    if (made == FOEHN_OK && s->canopy.height)
        made = foehn_wind_set_canopy(*out, &s->canopy);
    if (made == FOEHN_OK)
        made = report_parts(*out);
    return made == FOEHN_OK ? check_box(s, *out) : fail_library(made);
}
