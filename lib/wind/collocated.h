/* SPDX-License-Identifier: MIT */
/* What the collocated scheme has beside what every wind has. */
#ifndef FOEHN_LIB_WIND_COLLOCATED_H
#define FOEHN_LIB_WIND_COLLOCATED_H

#include "wind/model.h"

typedef struct wind_collocated {
    wind_stencil stencil;
    cl_mem open, wall;              /* bytes of FACE_* bits a cell */
    cl_mem pressure[2], divergence; /* pressure[now_p] is the current one */
    int now_p;
    cl_mem rows[2]; /* squared residual by row, before and after the solve; NULL unless measuring */
    struct {
        foehn_kernel faces, force, advect, divergence, divergence_sweep, sweep, sweep_flat, project,
            residual, scroll, publish, project_publish;
    } kernel;
} wind_collocated;

static inline wind_collocated *foehn_wind_collocated(const foehn_wind *w)
{
    return w->own;
}

#endif
