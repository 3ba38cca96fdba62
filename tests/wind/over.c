/* SPDX-License-Identifier: MIT */
#include "wind/over.h"

foehn_wind_params over_box(foehn_wind_model model, int nx, int ny, int nz, float h, float hy)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.model = model;
    p.nx = nx;
    p.ny = ny;
    p.nz = nz;
    p.spacing_horizontal = h;
    p.spacing_vertical = hy;
    p.center[0] = 0.5 * nx * (double)h;
    p.center[2] = 0.5 * nz * (double)h;
    return p;
}

foehn_wind *over_ground(foehn_wind_params p, float (*height)(double x, double z))
{
    foehn_wind *wind;
    OK(foehn_wind_create(context, &p, &wind));
    if (!height)
        return wind;
    const int nx = p.nx + 1, nz = p.nz + 1;
    const double h = (double)p.spacing_horizontal;
    float *heights = testing_alloc((size_t)nx * (size_t)nz * sizeof *heights);
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++)
            heights[k * nx + i] = height((double)i / p.nx, (double)k / p.nz) * p.spacing_vertical;
    foehn_terrain terrain = {.nx = nx, .nz = nz, .spacing = {h, h}, .heights = heights};
    OK(foehn_wind_set_terrain(wind, &terrain));
    free(heights);
    return wind;
}
