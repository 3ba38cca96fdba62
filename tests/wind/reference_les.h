/* SPDX-License-Identifier: MIT */
/* What the kernels of the LES make, in plain C: double arithmetic, one face or cell after the
 * other. Written from the equations above them; fields are whole ones as the device has them,
 * ghosts included. */
#ifndef FOEHN_REFERENCE_LES_H
#define FOEHN_REFERENCE_LES_H

#include "wind/reference_momentum.h"

#include "kernels/wind/les.h"

typedef struct rl_step {
    rm_step s; /* m, first, first_column, open, columns, walls; u: of the stage; p, nu */
    les l;
    double dt;            /* of the stage, s */
    double drive[2];      /* along x and z, m/s2 */
    const float *base[3]; /* what the substep began with */
} rl_step;

/* Viscosity of a cell, m2/s. */
double rl_viscosity(const rl_step *t, int i, int j, int k);

/* A face's velocity after a stage. */
double rl_stage(const rl_step *t, int axis, int i, int j, int k);

/* The periodic wind `from` at the height above the ground of a face of this one. */
double rl_coming_in(const rl_step *t, const les_source *source, const float *from, int axis, int i,
                    int j, int k);

#endif
