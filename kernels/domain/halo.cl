/* SPDX-License-Identifier: MIT */
/* Boxes of cells between a field and bytes in a row, for other parts.  Launched by
 * lib/domain/halo.c.
 *
 * A box is nx x ny x nz elements from cell (x, y, z) of the window; in the row they lie x fastest,
 * from element `to` or `from` on. */
#include "domain/structs.h"
#include "grid.h"

#define ELEMENT(b)                                                                                 \
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);           \
    if (i >= b.nx || j >= b.ny || k >= b.nz)                                                       \
        return;                                                                                    \
    idx c = at(g, b.x + i, b.y + j, b.z + k);                                                      \
    size_t n = b.offset + ((size_t)k * (size_t)b.ny + (size_t)j) * (size_t)b.nx + (size_t)i

/* row <- box of a field */
kernel void pack(foehn_grid g, domain_box b, global const float *field, global float *row)
{
    ELEMENT(b);
    row[n] = field[c];
}

/* box of a field <- row */
kernel void unpack(foehn_grid g, domain_box b, global const float *row, global float *field)
{
    ELEMENT(b);
    field[c] = row[n];
}

/* A window's cells out of those of the whole level that every part has. */
kernel void look_through(foehn_grid window, foehn_grid whole, global const float *from,
                         global float *to)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (inside(window, i, j, k))
        to[at(window, i, j, k)] = from[at(whole, i + window.first_x, j, k + window.first_z)];
}
