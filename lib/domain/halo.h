/* SPDX-License-Identifier: MIT */
/* A part of one box on a device: its window, and the copies of its neighbours' cells in it. */
#ifndef FOEHN_LIB_DOMAIN_HALO_H
#define FOEHN_LIB_DOMAIN_HALO_H

#include "domain/cut.h"
#include "domain/mail.h"
#include "domain/sides.h"

#include "kernels/domain/structs.h"

/* How many levels of the pressure's multigrid are cut, the next one being whole on every part; and
 * how wide the copies have to be on the finest one along x and z, multiples of what blocks are
 * multiples of, cells. */
typedef struct domain_plan {
    int levels;
    int unit[2], halo[2];
} domain_plan;

typedef struct foehn_part {
    foehn_context *ctx;
    foehn_domain *domain;
    int part, parts;
    domain_cut cut; /* of the box */
    domain_plan plan;
    domain_mail mail;
    struct { /* what is on its way */
        foehn_grid window;
        int depth, count;
        bool meanwhile; /* something is computed */
        cl_mem fields[DOMAIN_FIELDS];
    } sent;
    struct {
        foehn_kernel pack, unpack, look_through;
    } kernel;
} foehn_part;

/* g: of the whole box. */
foehn_status foehn_part_create(foehn_context *ctx, foehn_domain *domain, const foehn_grid *g,
                               const domain_plan *plan, foehn_part **out);
void foehn_part_destroy(foehn_part *part);

/* This part's window of the whole box: its own cells and the copies on each side that is cut. */
foehn_grid foehn_part_window(const foehn_part *part, const foehn_grid *whole);

/* What lies beyond a window's sides: what lies beyond the box's, or a neighbour. */
void foehn_window_sides(const foehn_grid *window, const foehn_side whole[FOEHN_SIDES],
                        foehn_side here[FOEHN_SIDES]);

/* Bring the copies up to date: `depth` layers of cells of each float field over a window (of any
 * level).  What is enqueued between the two must not touch these layers, nor change own cells as
 * near to them; it is computed while they travel. */
foehn_status foehn_part_send(foehn_part *part, const foehn_grid *window, int depth, int count,
                             const cl_mem *fields);
foehn_status foehn_part_receive(foehn_part *part);

/* Whether it is worth while: somebody else has to be waited for, and there is enough to compute. */
bool foehn_part_overlaps(const foehn_part *part, const foehn_grid *window);

/* Both at once. */
foehn_status foehn_part_share(foehn_part *part, const foehn_grid *window, int depth, int count,
                              const cl_mem *fields);

/* All parts' own cells of a level's window into the level's whole fields, on all parts.  cut: of
 * that level. */
foehn_status foehn_part_assemble(foehn_part *part, const domain_cut *cut, const foehn_grid *window,
                                 const foehn_grid *whole, int count, const cl_mem *from,
                                 const cl_mem *to);

/* A window out of the whole. */
foehn_status foehn_part_look_through(foehn_part *part, const foehn_grid *window,
                                     const foehn_grid *whole, cl_mem from, cl_mem to);

#endif
