/* SPDX-License-Identifier: MIT */
/* Columns of the momentum model in plain C: their ground, and values at a height above it.  For
 * reference_momentum.c. */
#ifndef FOEHN_REFERENCE_COLUMNS_H
#define FOEHN_REFERENCE_COLUMNS_H

#include "wind/reference_momentum.h"

#include <math.h>

#define KAPPA 0.4
#define LEAST_OPEN (13 / 255.0) /* of a face that is not closed */
#define LEAST_SHARE 0.25        /* of a face or a cell that is open, in what divides by it */

typedef struct col {
    double ground, lowest, distance, z0, logarithm, per_depth;
} col;

static inline int clip(int n, int low, int high)
{
    return n < low ? low : n > high ? high : n;
}

static inline double between(double low, double x, double high)
{
    return fmin(fmax(x, low), high);
}

double rm_value(const rm_step *s, const float *f, int i, int j, int k);
double rm_share_open(const rm_step *s, int axis, int i, int j, int k);
double rm_plane(const rm_step *s, const float *planes, int which, int i, int k);
int rm_last(const rm_step *s, int axis);
int rm_kind_of(int axis);
double rm_spacing(const rm_step *s, int axis);
col rm_col_at(const rm_step *s, int kind, int i, int k);
bool rm_has_sides(const rm_step *s, int i, int j, int k);
double rm_area_at_face(const rm_step *s, int axis, int i, int j, int k);
double rm_height_at(const rm_step *s, col a, double j);
double rm_steepened(col a, double y, double slope_x, double slope_z);
double rm_log_value(const rm_step *s, const float *f, col a, int i, int k, double d);
double rm_linear_value(const rm_step *s, const float *f, col a, int i, int k, double d);
double rm_floor_value(const rm_step *s, const float *f, col a, int i, int k, double d);

#endif
