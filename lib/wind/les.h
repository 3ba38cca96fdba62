/* SPDX-License-Identifier: MIT */
/* Large eddies: the wind as it blows, in time, on the staggered grid. */
#ifndef FOEHN_LIB_LES_H
#define FOEHN_LIB_LES_H

#include "wind/momentum.h"

#include "kernels/wind/les.h"

struct foehn_les {
    struct foehn_momentum
        ground;  /* first: what is shared with the momentum model, without its scalars */
    les l;       /* what the kernels are told */
    bool filled; /* there is a field of this box */
    struct {
        foehn_kernel stage[3], eddies, ghosts, ghosts_of_cells, inflow, fill_all, begin, take_out,
            unresolved;
    } kernel;
};

#endif
