/* SPDX-License-Identifier: MIT */
/* How a box is cut into blocks of whole columns, one a part. */
#ifndef FOEHN_LIB_DOMAIN_CUT_H
#define FOEHN_LIB_DOMAIN_CUT_H

#include "domain/domain.h"

/* Blocks in a lattice of across[0] along x and across[1] along z; part n is block (n % across[0], n
 * / across[0]). */
typedef struct domain_cut {
    int across[2];
    int at[2]
          [DOMAIN_MOST_PARTS + 1]; /* where blocks begin along x and z; last, where the box ends */
} domain_cut;

/* As square as they can be, each a multiple of `unit` cells along x and z (but the last) and at
 * least `least`. */
foehn_status foehn_cut_make(const int n[2], int parts, const int unit[2], const int least[2],
                            domain_cut *cut);

/* The same on a coarser level of nx x nz cells, whose cells along an axis are pairs where it is
 * halved. */
void foehn_cut_halve(domain_cut *cut, bool x, bool z, int nx, int nz);

foehn_domain_block foehn_cut_block(const domain_cut *cut, int part);

/* The part beside one: axis 0 or 1, step -1 or 1; -1: none. */
int foehn_cut_beside(const domain_cut *cut, int part, int axis, int step);

#endif
