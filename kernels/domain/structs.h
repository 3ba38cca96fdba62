/* SPDX-License-Identifier: MIT */
/* What the host tells the kernels that move boxes of cells. */
#ifndef FOEHN_KERNEL_DOMAIN_H
#define FOEHN_KERNEL_DOMAIN_H

#include "shared.h"

/* Boxes and fields of one launch. */
#define DOMAIN_BOXES 8
#define DOMAIN_FIELDS 8

typedef struct domain_box {
    i32 x, z;   /* first column in the window */
    i32 nx, nz; /* columns along each axis */
    u32 offset; /* of its first element in the row */
} domain_box;

/* In the row a box's fields lie one after the other, each x fastest, then y, then z. */
typedef struct domain_boxes {
    i32 count, fields;
    i32 ny;   /* elements of a column */
    i32 rows; /* of columns in all boxes: the sum of nz */
    domain_box box[DOMAIN_BOXES];
} domain_boxes;

#endif
