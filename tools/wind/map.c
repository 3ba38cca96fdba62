/* SPDX-License-Identifier: MIT */
/* An undisturbed wind that varies over the box, from true directions to those of the grid. */
#include "config.h"

#include "wind/wind.h"

#include <stdlib.h>

int wind_map_set(const site *s, foehn_wind *wind, const wind_map *m)
{
    const size_t count = (size_t)m->nx * (size_t)m->ny;
    float *u = malloc(2 * count * sizeof *u), *w = u + count;
    if (!u)
        return fail_memory();
    for (int k = 0; k < m->ny; k++)
        for (int i = 0; i < m->nx; i++) {
            size_t c = (size_t)k * (size_t)m->nx + (size_t)i;
            double x = m->west + i * m->spacing[0], y = m->north - k * m->spacing[1], cosine = 1,
                   sine = 0;
            /* place_turn() turns the grid's east by this angle; turn back. */
            place_turn(&s->scene.place, x, y, &cosine, &sine);
            u[c] = (float)((double)m->east_wind[c] * cosine + (double)m->north_wind[c] * sine);
            w[c] = (float)((double)m->east_wind[c] * sine - (double)m->north_wind[c] * cosine);
        }
    foehn_wind_map map = {.nx = m->nx,
                          .nz = m->ny,
                          .origin = {m->west - s->world_easting, s->world_northing - m->north},
                          .spacing = {m->spacing[0], m->spacing[1]},
                          .u = u,
                          .w = w,
                          .depth = m->depth};
    int status = fail_library(foehn_wind_set_map(wind, &map));
    free(u);
    return status;
}
