/* SPDX-License-Identifier: MIT */
#include "hill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 96 };

const double hill_center[3] = {5000, 0, -3000};

int check(foehn_status status)
{
    if (status != FOEHN_OK)
        fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    return status != FOEHN_OK;
}

static foehn_status set_terrain(foehn_wind *wind)
{
    static float heights[SIDE][SIDE];
    const foehn_terrain terrain = {.nx = SIDE,
                                   .nz = SIDE,
                                   .origin = {hill_center[0] - 190, hill_center[2] - 190},
                                   .spacing = {4, 4},
                                   .heights = heights[0]};
    for (int k = 0; k < SIDE; k++)
        for (int i = 0; i < SIDE; i++) {
            double x = 4 * i - 190, z = 4 * k - 190;
            heights[k][i] = (float)(30 * exp(-(x * x + z * z) / 2000));
        }
    return foehn_wind_set_terrain(wind, &terrain);
}

foehn_status hill_open(hill_wind *hill, const foehn_context_params *params)
{
    foehn_wind_params wind = foehn_wind_params_default();
    memset(hill, 0, sizeof *hill);
    wind.center[0] = hill_center[0];
    wind.center[2] = hill_center[2];
    wind.state.from = 240; /* degrees from north */
    foehn_status status = foehn_context_create(params, &hill->ctx);
    if (status == FOEHN_OK)
        status = foehn_wind_create(hill->ctx, &wind, &hill->wind);
    if (status == FOEHN_OK)
        status = set_terrain(hill->wind);
    if (status == FOEHN_OK)
        status = foehn_volume_create(hill->ctx, wind.nx, wind.ny, wind.nz, &hill->volume);
    check(status);
    return status;
}

int hill_step(hill_wind *hill)
{
    return check(foehn_wind_step_and_write_volume(hill->wind, 0.1f, hill->volume));
}

void hill_close(hill_wind *hill)
{
    foehn_volume_destroy(hill->volume);
    foehn_wind_destroy(hill->wind);
    foehn_context_destroy(hill->ctx);
    memset(hill, 0, sizeof *hill);
}
