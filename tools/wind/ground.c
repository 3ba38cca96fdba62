/* SPDX-License-Identifier: MIT */
/* The ground of a site: samples of the terrain, whose sides are eased to one height. */
#include "config.h"

#include "wind/wind.h"

#include <math.h>

static double smoothstep(double t)
{
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

/* The models with cut cells know their ground by the corners of cells. */
bool site_has_corners(const site *s)
{
    return s->params.model == FOEHN_WIND_MOMENTUM || s->params.model == FOEHN_WIND_LES;
}

double site_inflow_weight(const site *s, double from_grid, int i, int k)
{
    const int last_x = s->samples[0] - 1, last_z = s->samples[1] - 1;
    const double east = -sin(from_grid * M_PI / 180), south = cos(from_grid * M_PI / 180);
    return (i == 0 ? fmax(east, 0) : 0) + (i == last_x ? fmax(-east, 0) : 0) +
           (k == 0 ? fmax(south, 0) : 0) + (k == last_z ? fmax(-south, 0) : 0);
}

/* How much a cell at the border counts in the height that the sides are eased to: all alike; or,
 * where one undisturbed column comes in, by what flows in there, so that the ground under it is
 * that of the wind's. */
static double border_weight(const site *s, double from_grid, int i, int k)
{
    if (site_has_corners(s))
        return site_inflow_weight(s, from_grid, i, k);
    return i == 0 || k == 0 || i == s->samples[0] - 1 || k == s->samples[1] - 1;
}

/* How much of the terrain is left at a sample: all of it, but none at the sides. */
static double share_left(const site *s, int i, int k)
{
    const int nx = s->samples[0], nz = s->samples[1], corners = nx > s->params.nx;
    const double h = s->scene.spacing[0], eased = s->scene.eased;
    /* The outermost cells are flat, hence cells between here and the side, less one. */
    double x = i < nx - 1 - i ? i : nx - 1 - i, z = k < nz - 1 - k ? k : nz - 1 - k;
    x = fmax(x - corners, 0);
    z = fmax(z - corners, 0);
    return smoothstep(x * h / eased) * smoothstep(z * h / eased);
}

/* Mean heights over areas of a cell's size, rows from north to south: around the cells' middles;
 * or, for the momentum model, whose cut cells live by their corners, around those.  What covers
 * them fades towards the sides. */
void site_sample_ground(const terrain *t, site *s)
{
    const bool corners = site_has_corners(s);
    const int nx = s->samples[0], nz = s->samples[1];
    double h = s->scene.spacing[0], north = s->world_northing, west = s->world_easting,
           back = corners ? 0.5 : 0;
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++) {
            size_t c = (size_t)k * (size_t)nx + (size_t)i;
            s->sampled[c] =
                (float)terrain_mean(t, west + (i - back) * h, north - (k + 1 - back) * h,
                                    west + (i + 1 - back) * h, north - (k - back) * h);
            if (s->displacement)
                s->displacement[c] *= (float)share_left(s, i, k);
        }
    s->ground = (foehn_terrain){.nx = nx,
                                .nz = nz,
                                .origin = {(0.5 - back) * h, (0.5 - back) * h},
                                .spacing = {h, h},
                                .heights = s->heights};
}

/* The ground that the wind meets: the sides eased to one height, and raised by what covers it. */
void site_ease_ground(site *s, double from_grid)
{
    const int nx = s->samples[0], nz = s->samples[1];
    double border = 0, borders = 0;
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++) {
            double weight = border_weight(s, from_grid, i, k);
            border += weight * (double)s->sampled[(size_t)k * (size_t)nx + (size_t)i];
            borders += weight;
        }
    border /= borders;
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++) {
            size_t c = (size_t)k * (size_t)nx + (size_t)i;
            double raised = s->displacement ? (double)s->displacement[c] : 0;
            s->heights[c] =
                (float)(border + share_left(s, i, k) * ((double)s->sampled[c] - border) + raised);
        }
}

/* The ground under a cell, of the samples before or after they were eased, m. */
static float ground_of(const site *s, const float *samples, size_t i, size_t k)
{
    const size_t nx = (size_t)s->samples[0], on = nx > (size_t)s->params.nx;
    const float *h = samples + k * nx + i;
    return 0.25f * (h[0] + h[on] + h[on * nx] + h[on * nx + on]);
}

/* The ground as files show it: rows from south to north. */
void site_show_ground(site *s)
{
    const size_t nx = (size_t)s->scene.nx, ny = (size_t)s->scene.ny;
    for (size_t k = 0; s->heights && k < ny; k++)
        for (size_t i = 0; i < nx; i++)
            s->scene.ground[(ny - 1 - k) * nx + i] = ground_of(s, s->heights, i, k);
}

void site_read_real_ground(const site *s, float *out)
{
    const size_t nx = (size_t)s->scene.nx, ny = (size_t)s->scene.ny;
    for (size_t k = 0; k < ny; k++)
        for (size_t i = 0; i < nx; i++)
            out[(ny - 1 - k) * nx + i] = s->sampled ? ground_of(s, s->sampled, i, k) : 0;
}

bool site_turn_ground(site *s)
{
    if (!s->heights || !site_has_corners(s))
        return false;
    site_ease_ground(s, s->scene.from_grid);
    site_show_ground(s);
    return true;
}
