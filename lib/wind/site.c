/* SPDX-License-Identifier: MIT */
/* A wind in its place: its levels over a terrain, the ground that it meets, its step. */
#include <foehn/site.h>

#include "wind/model.h"

#include <math.h>

static const double lid_hills = 4;         /* hill heights between the summit and the lid */
static const double least_clearance = 200; /* m between them */

double foehn_site_get_lid(double lowest, double summit)
{
    return summit + fmax(lid_hills * (summit - lowest), least_clearance);
}

foehn_status foehn_site_set_levels(foehn_wind_params *params, double lowest, double lid)
{
    foehn_wind_params p;
    TRY(foehn_wind_take_params(params, &p));
    const double step = (double)p.spacing_vertical, floor_at = step * floor(lowest / step);
    const double levels = ceil((lid - floor_at) / step - 1e-4); /* what rounding adds is no cell */
    if (!(levels >= 4 && levels <= 4096))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "layers of %g m from %g m to %g m are %g: 4 to 4096 are possible", step,
                          floor_at, lid, levels);
    params->ny = (int)levels;
    params->center[1] = floor_at + 0.5 * step * params->ny;
    return FOEHN_OK;
}

foehn_status foehn_site_get_samples(const foehn_wind_params *params, foehn_terrain *samples)
{
    foehn_wind_params p;
    TRY(foehn_wind_take_params(params, &p));
    const int corners = foehn_wind_model_of(&p)->corners;
    const double h = (double)p.spacing_horizontal, in = corners ? 0 : 0.5 * h;
    *samples = (foehn_terrain){
        .nx = p.nx + corners,
        .nz = p.nz + corners,
        .origin = {h * (double)foehn_wind_origin_cell(p.center[0], h, p.nx) + in,
                   h * (double)foehn_wind_origin_cell(p.center[2], h, p.nz) + in},
        .spacing = {h, h},
    };
    return FOEHN_OK;
}

double foehn_site_get_inflow(const foehn_terrain *s, double from, int i, int k)
{
    const int last_x = s->nx - 1, last_z = s->nz - 1;
    if (isnan(from))
        return i == 0 || k == 0 || i == last_x || k == last_z;
    const double pi = 3.14159265358979323846;
    const double east = -sin(from * pi / 180), south = cos(from * pi / 180);
    return (i == 0 ? fmax(east, 0) : 0) + (i == last_x ? fmax(-east, 0) : 0) +
           (k == 0 ? fmax(south, 0) : 0) + (k == last_z ? fmax(-south, 0) : 0);
}

/* ---- what is left towards the sides ---- */

typedef struct site_band {
    foehn_terrain samples;
    int corners;
    double h, width; /* m */
} site_band;

static foehn_status find_band(const foehn_wind_params *params, double width, site_band *b)
{
    TRY(foehn_site_get_samples(params, &b->samples));
    if (!(width >= 0 && isfinite(width)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a band of %g m along the sides: 0 and more",
                          width);
    b->corners = b->samples.nx - params->nx;
    b->h = b->samples.spacing[0];
    b->width = fmax(width, 2 * b->h);
    return FOEHN_OK;
}

static double smoothstep(double t)
{
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

/* All within, none at the sides: the outermost cells are flat, hence cells between here and the
 * side, less one of corners. */
static double share_left(const site_band *b, int i, int k)
{
    const int nx = b->samples.nx, nz = b->samples.nz;
    double x = i < nx - 1 - i ? i : nx - 1 - i, z = k < nz - 1 - k ? k : nz - 1 - k;
    x = fmax(x - b->corners, 0);
    z = fmax(z - b->corners, 0);
    return smoothstep(x * b->h / b->width) * smoothstep(z * b->h / b->width);
}

foehn_status foehn_site_fade(const foehn_wind_params *params, double width, float *values)
{
    site_band b;
    TRY(find_band(params, width, &b));
    for (int k = 0; k < b.samples.nz; k++)
        for (int i = 0; i < b.samples.nx; i++)
            values[(size_t)k * (size_t)b.samples.nx + (size_t)i] *= (float)share_left(&b, i, k);
    return FOEHN_OK;
}

foehn_status foehn_site_ease(const foehn_wind_params *params, double from, double width,
                             const float *heights, const float *raised, float *eased)
{
    site_band b;
    double border = 0, borders = 0;
    TRY(find_band(params, width, &b));
    const int nx = b.samples.nx, nz = b.samples.nz;
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++) {
            double weight = foehn_site_get_inflow(&b.samples, b.corners ? from : NAN, i, k);
            border += weight * (double)heights[(size_t)k * (size_t)nx + (size_t)i];
            borders += weight;
        }
    border /= borders;
    if (!isfinite(border))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the ground along the sides is not finite");
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++) {
            const size_t c = (size_t)k * (size_t)nx + (size_t)i;
            eased[c] = (float)(border + share_left(&b, i, k) * ((double)heights[c] - border) +
                               (raised ? (double)raised[c] : 0));
        }
    return FOEHN_OK;
}

double foehn_site_get_step(double spacing, double u10)
{
    double dt = 0.5 * spacing / (1.5 * fmax(u10, 1));
    double digit = pow(10, floor(log10(dt)) - 1);
    return digit * floor(dt / digit + 1e-9);
}
