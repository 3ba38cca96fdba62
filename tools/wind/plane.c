/* SPDX-License-Identifier: MIT */
/* --box: a plane of points across the wind, as a turbine's rotor meets it, of which each step's
 * wind is kept. */
#include "config.h"

#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>

int plane_parse(const char *option, const char *value, void *options)
{
    wind_options *o = options;
    double n[7];
    int status =
        parse_numbers(option, value, ',', 7, "E,N,Z,NY,NZ,DY,DZ, such as 0,0,90,16,16,8,8", n);
    if (status != STATUS_OK)
        return status;
    for (int i = 3; i < 5; i++)
        if (n[i] != floor(n[i]) || n[i] < 2 || n[i] > 256)
            return fail(STATUS_INPUT, "%s %s: %g points: give 2 to 256 across and up", option,
                        value, n[i]);
    for (int i = 5; i < 7; i++)
        if (!(n[i] >= 0.01 && n[i] <= 1000))
            return fail(STATUS_INPUT, "%s %s: %g m apart: give 0.01 to 1000 m", option, value,
                        n[i]);
    o->plane = (scene_plane){n[0], n[1], n[2], (int)n[3], (int)n[4], n[5], n[6]};
    return STATUS_OK;
}

/* Between the middles of cells, and beyond the outermost the nearest. */
static double ground_at(const scene *s, double easting, double northing)
{
    double x = fmin(fmax((easting - s->origin[0]) / s->spacing[0] - 0.5, 0), s->nx - 1.0);
    double y = fmin(fmax((northing - s->origin[1]) / s->spacing[1] - 0.5, 0), s->ny - 1.0);
    int i = (int)fmin(x, fmax(s->nx - 2, 0)), j = (int)fmin(y, fmax(s->ny - 2, 0));
    int right = s->nx > 1, up = s->ny > 1 ? s->nx : 0;
    const float *g = s->ground + (size_t)j * (size_t)s->nx + (size_t)i;
    double low = (double)g[0] + (x - i) * ((double)g[right] - (double)g[0]);
    double high = (double)g[up] + (x - i) * ((double)g[up + right] - (double)g[up]);
    return low + (y - j) * (high - low);
}

int site_place_plane(const wind_options *o, site *s)
{
    scene *sc = &s->scene;
    const scene_plane *p = &o->plane;
    if (p->ny == 0)
        return STATUS_OK;
    size_t count = (size_t)sc->probe_count, points = (size_t)p->ny * (size_t)p->nz;
    scene_probe *probes = realloc(s->probes, (count + points) * sizeof *probes);
    if (!probes)
        return fail_memory();
    sc->probes = s->probes = probes;
    sc->plane = *p;
    double from = sc->from_grid * M_PI / 180, middle = ground_at(sc, p->easting, p->northing);
    for (int k = 0; k < p->nz; k++)
        for (int j = 0; j < p->ny; j++) {
            /* To the left of who looks along the wind. */
            double y = (j - (p->ny - 1) / 2.0) * p->dy, easting = p->easting + y * cos(from),
                   northing = p->northing - y * sin(from);
            double above = p->height + (k - (p->nz - 1) / 2.0) * p->dz + middle -
                           ground_at(sc, easting, northing);
            double x[2] = {easting - sc->origin[0], northing - sc->origin[1]};
            if (x[0] < 0 || x[1] < 0 || x[0] > sc->nx * sc->spacing[0] ||
                x[1] > sc->ny * sc->spacing[1])
                return fail(STATUS_INPUT,
                            "--box: its point at %.1f,%.1f lies outside of the box "
                            "%.10g,%.10g,%.10g,%.10g (W,S,E,N)",
                            easting, northing, sc->origin[0], sc->origin[1],
                            sc->origin[0] + sc->nx * sc->spacing[0],
                            sc->origin[1] + sc->ny * sc->spacing[1]);
            if (!(above > 0))
                return fail(STATUS_INPUT,
                            "--box: its point at %.1f,%.1f lies %.3g m under the ground: raise it",
                            easting, northing, -above);
            probes[count++] = (scene_probe){"", easting, northing, above};
        }
    return STATUS_OK;
}
