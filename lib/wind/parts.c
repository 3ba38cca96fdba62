/* SPDX-License-Identifier: MIT */
/* A wind whose box several parts keep: what of the neighbours' cells a step reads, and when it is
 * fetched. */
#include "wind/model.h"

#include <foehn/profile.h>

#include <math.h>

/* A face's velocity is made of faces one cell away, and a place between cells of those around it.
 */
enum { AROUND = 2, FEWEST = 4 };
#define GUSTY 2.0 /* times the wind under the lid: no gust is faster */

foehn_status foehn_wind_layers(const foehn_wind *w, float dt, int *layers)
{
    const foehn_grid *g = &w->g;
    *layers = FEWEST;
    if (!w->part || !w->model->carries)
        return FOEHN_OK;
    const double under_lid = (double)foehn_log_profile((float)g->ny * g->hy, w->params.z0);
    const double fastest = GUSTY * (double)w->clock.state.u10 * fmax(under_lid, 1);
    const double cells = ceil(fastest * (double)dt / (double)g->hx);
    const domain_plan *plan = &w->part->plan;
    const int most = plan->halo[0] < plan->halo[1] ? plan->halo[0] : plan->halo[1];
    if (cells + AROUND > most)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "dt = %g s: the wind may go %.0f cells in it, and a part sees %d of its "
                          "neighbours' cells: "
                          "at most %.3g s, or one part",
                          (double)dt, cells, most, (most - AROUND) * (double)g->hx / fastest);
    if ((int)cells + AROUND > FEWEST)
        *layers = (int)cells + AROUND;
    return FOEHN_OK;
}

foehn_status foehn_wind_send(foehn_wind *w, int layers)
{
    cl_mem fields[WIND_FIELDS];
    int count = 0;
    if (!w->part || w->shared >= layers)
        return FOEHN_OK;
    for (int a = 0; a < 3; a++)
        fields[count++] = w->velocity[w->now][a];
    if (w->model->shared)
        count += w->model->shared(w, fields + count);
    TRY(foehn_part_send(w->part, &w->g, layers, count, fields));
    w->shared = layers;
    w->on_its_way = true;
    return FOEHN_OK;
}

foehn_status foehn_wind_receive(foehn_wind *w)
{
    if (!w->on_its_way)
        return FOEHN_OK;
    w->on_its_way = false;
    TRY(foehn_part_receive(w->part));
    return w->model->ghosts ? w->model->ghosts(w) : FOEHN_OK;
}

foehn_status foehn_wind_share(foehn_wind *w, int layers)
{
    TRY(foehn_wind_send(w, layers));
    if (w->on_its_way)
        w->part->sent.meanwhile = false;
    return foehn_wind_receive(w);
}

foehn_status foehn_wind_refuse_parts(const foehn_wind *w, const char *function)
{
    return w->part ? foehn_fail(FOEHN_ERROR_ARGUMENT, "%s: not of a wind that %d parts keep",
                                function, w->part->parts)
                   : FOEHN_OK;
}

foehn_status foehn_wind_get_block(const foehn_wind *w, int part, foehn_domain_block *block)
{
    const int parts = w->part ? w->part->parts : 1;
    *block = (foehn_domain_block){0, 0, w->g.whole_x, w->g.whole_z};
    if (part < 0 || part >= parts)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "part %d of %d", part, parts);
    if (w->part)
        *block = foehn_cut_block(&w->part->cut, part);
    return FOEHN_OK;
}
