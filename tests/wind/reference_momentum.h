/* SPDX-License-Identifier: MIT */
/* A step of the momentum model in plain C: double arithmetic, one face after the other, no lanes.
 * Written from the equations above its kernels and in doc/numerics.md, which it shares the method
 * with, but no text.
 *
 * Fields are whole ones as the device has them, ghosts included; rm_at() finds an element.  Planes
 * over columns likewise, by rm_column(). */
#ifndef FOEHN_REFERENCE_MOMENTUM_H
#define FOEHN_REFERENCE_MOMENTUM_H

#include "kernels/wind/momentum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rm_step {
    momentum m;
    size_t first, first_column; /* of cell (0, 0, 0), of column (0, 0) */
    double dt;                  /* s */
    const uint8_t *open[3];
    const float *corner,
        *rough; /* heights of the ground at corners of columns, world y; z0 of columns */
    const float *columns, *walls; /* as the device made them */
    const float *u[3], *p, *k, *eps, *nu, *slip;
} rm_step;

size_t rm_at(const rm_step *s, int i, int j, int k);
size_t rm_column(const rm_step *s, int i, int k);

/* Planes of a column of a kind (AT_CELLS, AT_X or AT_Z), GROUND to PER_DEPTH. */
void rm_ground(const rm_step *s, int kind, int i, int k, double out[6]);
/* Ground area that closed faces below the lowest open one hand to it, of the floor's; axis 0 or 2.
 */
double rm_carried(const rm_step *s, int axis, int i, int k);

/* Height above its ground of row j of a column of a kind, m. */
double rm_distance(const rm_step *s, int kind, int i, double j, int k);
/* Area of the ground in a cell, of the floor's; top: its ceiling is the lid, which is open. */
double rm_ground_area(const rm_step *s, int i, int j, int k, bool top);

/* DRAG, FRICTION2, SAMPLE_X, SAMPLE_Z and FASTEST of a column. */
void rm_wall(const rm_step *s, int i, int k, double out[WALL_PLANES]);

/* On the face under row j, 0 to ny. */
double rm_viscosity(const rm_step *s, int i, int j, int k);
double rm_slip(const rm_step *s, int i, int j, int k);

/* A column of velocity along an axis after the step and before the projection: ny values. */
void rm_velocity(const rm_step *s, int axis, int i, int k, double *out);
/* k (0) or eps (1) of a column after the step: ny values. */
void rm_scalar(const rm_step *s, int which, int i, int k, double *out);

/* At a place in cells from the box's corner and a height above the ground: k and eddy viscosity. */
void rm_turbulence(const rm_step *s, double x, double z, double height, double out[2]);

#endif
