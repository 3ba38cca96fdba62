/* SPDX-License-Identifier: MIT */
/* What the ground takes of the wind, from what the momentum model's wall kernel left. */
#include "domain/whole.h"
#include "wind/momentum.h"

#include <math.h>
#include <stdlib.h>

/* One plane of what the wall does, at columns and the faces that close them. */
static foehn_status read_plane(foehn_wind *w, int plane, float *out)
{
    const struct foehn_momentum *n = w->own;
    const size_t row = (size_t)w->g.sy;
    const foehn_box box = {.nx = (size_t)(w->g.own_x1 - w->g.own_x0) + 1,
                           .ny = (size_t)(w->g.own_z1 - w->g.own_z0) + 1,
                           .nz = 1,
                           .element = sizeof(float),
                           .offset = (size_t)plane * (size_t)n->m.plane +
                                     foehn_grid_column(&w->g, w->g.own_x0, w->g.own_z0),
                           .row_pitch = row,
                           .plane_pitch = row * foehn_grid_padded(&w->g).z};
    return foehn_box_read(w->ctx, n->walls, box, out);
}

foehn_status foehn_momentum_read_stress(foehn_wind *w, float *out)
{
    const size_t nx = (size_t)(w->g.own_x1 - w->g.own_x0), nz = (size_t)(w->g.own_z1 - w->g.own_z0);
    const size_t row = nx + 1, count = row * (nz + 1);
    foehn_status status = FOEHN_OK;
    float *planes = malloc(7 * count * sizeof *planes);
    if (!planes)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", count);
    const float *drag = planes, *friction2 = drag + count, *u = friction2 + count, *v = u + count;
    float *own = planes + 4 * count;
    TRY_OR_FAIL(read_plane(w, DRAG, planes));
    TRY_OR_FAIL(read_plane(w, FRICTION2, planes + count));
    TRY_OR_FAIL(read_plane(w, SAMPLE_X, planes + 2 * count));
    TRY_OR_FAIL(read_plane(w, SAMPLE_Z, planes + 3 * count));
    for (size_t k = 0; k < nz; k++)
        for (size_t i = 0; i < nx; i++) {
            const size_t c = k * row + i;
            float *to = (w->part ? own : out) + 3 * (k * nx + i);
            to[0] = 0.5f * drag[c] * (u[c] + u[c + 1]);
            to[1] = 0.5f * drag[c] * (v[c] + v[c + row]);
            to[2] = sqrtf(friction2[c]);
        }
    if (w->part)
        status = foehn_whole_columns(w->part, 3 * sizeof *own, own, out);
fail:
    free(planes);
    return status;
}
