/* SPDX-License-Identifier: MIT */
/* Arrays of the host over the whole box, and the parts that keep it. */
#ifndef FOEHN_LIB_DOMAIN_WHOLE_H
#define FOEHN_LIB_DOMAIN_WHOLE_H

#include "domain/halo.h"

/* Cells of a box of the host: the whole one, [nz + more][ny + more][nx + more] elements; more = 1
 * with the upper edge faces. */
typedef struct whole_field {
    cl_mem buffer;
    size_t element; /* bytes */
    int more;
    int first, rows; /* of these levels alone, [nz + more][rows][nx + more]; rows 0: of all */
} whole_field;

/* Read it into out, which only part 0 has; part NULL: the window is the whole.  Of a grid that is
 * not cut every part has a copy, the same. */
foehn_status foehn_whole_read(foehn_context *ctx, foehn_part *part, const foehn_grid *window,
                              whole_field field, void *out);

/* Write it from what part 0 has; the copies of neighbours' cells are not up to date then. */
foehn_status foehn_whole_write(foehn_context *ctx, foehn_part *part, const foehn_grid *window,
                               whole_field field, const void *in);

/* Own cells of a level's window into the level's whole field, on all parts: for fields that seldom
 * change.  cut: of that level. */
foehn_status foehn_whole_everywhere(foehn_part *part, const domain_cut *cut,
                                    const foehn_grid *window, const foehn_grid *whole,
                                    whole_field from, cl_mem to);

/* A part's columns, [own_nz][own_nx] of `bytes` each, into all columns, [nz][nx], on all parts. */
foehn_status foehn_whole_columns(foehn_part *part, size_t bytes, const void *own, void *all);

#endif
