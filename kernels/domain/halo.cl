/* SPDX-License-Identifier: MIT */
/* Boxes of cells of several fields between these and bytes in a row, for other parts.  Launched by
 * lib/domain/halo.c over elements of a row of columns (GPUs; on CPUs an item takes them all) x
 * elements of a column x rows of all boxes, a field after the other. */
#include "domain/structs.h"
#include "grid.h"

#define FIELDS(type) type *f0, type *f1, type *f2, type *f3, type *f4, type *f5, type *f6, type *f7

/* The first cell c of a work-item's row in the field, and its place n among the bytes. */
#define ROW(b)                                                                                     \
    int j = (int)get_global_id(1), k = (int)get_global_id(2), at_box = 0;                          \
    const int field = k / b.rows;                                                                  \
    if (j >= b.ny || field >= b.fields)                                                            \
        return;                                                                                    \
    k -= field * b.rows;                                                                           \
    while (k >= b.box[at_box].nz)                                                                  \
        k -= b.box[at_box++].nz;                                                                   \
    const domain_box box = b.box[at_box];                                                          \
    const idx c = at(g, box.x, j, box.z + k);                                                      \
    const size_t n =                                                                               \
        box.offset +                                                                               \
        (((size_t)field * (size_t)box.nz + (size_t)k) * (size_t)b.ny + (size_t)j) * (size_t)box.nx

#define EACH(i) (int i = (int)get_global_id(0); i < box.nx; i += (int)get_global_size(0))

#define FIELD                                                                                      \
    (field == 0   ? f0                                                                             \
     : field == 1 ? f1                                                                             \
     : field == 2 ? f2                                                                             \
     : field == 3 ? f3                                                                             \
     : field == 4 ? f4                                                                             \
     : field == 5 ? f5                                                                             \
     : field == 6 ? f6                                                                             \
                  : f7)

/* row <- boxes of the fields */
kernel void pack(foehn_grid g, domain_boxes b, FIELDS(global const float), global float *row)
{
    ROW(b);
    global const float *from = FIELD + c;
    global float *to = row + n;
    for
        EACH(i)
    to[i] = from[i];
}

/* boxes of the fields <- row */
kernel void unpack(foehn_grid g, domain_boxes b, global const float *row, FIELDS(global float))
{
    ROW(b);
    global const float *from = row + n;
    global float *to = FIELD + c;
    for
        EACH(i)
    to[i] = from[i];
}

/* A window's cells out of those of the whole level that every part has. */
kernel void look_through(foehn_grid window, foehn_grid whole, global const float *from,
                         global float *to)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (inside(window, i, j, k))
        to[at(window, i, j, k)] = from[at(whole, i + window.first_x, j, k + window.first_z)];
}
