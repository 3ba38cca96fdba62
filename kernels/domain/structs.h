/* SPDX-License-Identifier: MIT */
/* What the host tells the kernels that move boxes of cells. */
#ifndef FOEHN_KERNEL_DOMAIN_H
#define FOEHN_KERNEL_DOMAIN_H

#include "shared.h"

typedef struct domain_box {
    i32 x, y, z;    /* first cell in the window */
    i32 nx, ny, nz; /* elements along each axis */
    u32 offset;     /* of the first one in the row */
} domain_box;

#endif
