/* SPDX-License-Identifier: MIT */
/* The ground of a site: samples of the terrain, whose sides are eased to one height. */
#include "config.h"

#include "wind/wind.h"

/* Mean heights over areas of a cell's size, rows from north to south: around the cells' middles;
 * or, for the momentum model, whose cut cells live by their corners, around those.  What covers
 * them fades towards the sides. */
int site_sample_ground(const terrain *t, site *s)
{
    const foehn_terrain *at = &s->ground;
    const double h = at->spacing[0], north = s->world_northing, west = s->world_easting,
                 back = s->ground.nx > s->params.nx ? 0.5 : 0;
    for (int k = 0; k < at->nz; k++)
        for (int i = 0; i < at->nx; i++)
            s->sampled[(size_t)k * (size_t)at->nx + (size_t)i] =
                (float)terrain_mean(t, west + (i - back) * h, north - (k + 1 - back) * h,
                                    west + (i + 1 - back) * h, north - (k - back) * h);
    return s->displacement
               ? fail_library(foehn_site_fade(&s->params, s->scene.eased, s->displacement))
               : STATUS_OK;
}

int site_ease_ground(site *s, double from_grid)
{
    return fail_library(foehn_site_ease(&s->params, from_grid, s->scene.eased, s->sampled,
                                        s->displacement, s->heights));
}

/* The ground under a cell, of the samples before or after they were eased, m. */
static float ground_of(const site *s, const float *samples, size_t i, size_t k)
{
    const size_t nx = (size_t)s->ground.nx, on = nx > (size_t)s->params.nx;
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
    if (!s->heights || s->ground.nx == s->params.nx)
        return false;
    (void)site_ease_ground(s, s->scene.from_grid); /* as it was made with these very parameters */
    site_show_ground(s);
    return true;
}
