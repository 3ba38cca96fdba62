/* SPDX-License-Identifier: MIT */
/* Structs that host and kernels share.  4-byte scalars only, so that both lay them out alike. */
#ifndef FOEHN_SHARED_H
#define FOEHN_SHARED_H

#ifdef __OPENCL_C_VERSION__
typedef int i32;
typedef uint u32;
typedef float f32;
#else
#include <stdint.h>
typedef int32_t i32;
typedef uint32_t u32;
typedef float f32;
#endif

/* Elements before cell 0 of a row, which is aligned to as many. */
#define FOEHN_LEAD 8

/* Interior cells and the layers of ghosts around them, strides of the padded rows and planes in
 * elements, cell sides in metres and their inverses. */
typedef struct foehn_grid {
    i32 nx, ny, nz;
    i32 ghosts;
    /* Of a box that several parts keep between them, the cells here are a window: so many cells of
     * the whole box lie before it, so many the whole box has, and those [own_x0, own_x1) x [own_z0,
     * own_z1) of the window are this part's own; the others are copies of its neighbours'.  A box
     * of one part is its own window. */
    i32 first_x, first_z, whole_x, whole_z;
    i32 own_x0, own_x1, own_z0, own_z1;
    i32 sy, sz;
    f32 hx, hy, hz;
    f32 per_x, per_y, per_z;
} foehn_grid;

/* Bits of the open and wall bytes of a cell: one for each face, and one for the cell itself. */
#define FACE_XM 1
#define FACE_XP 2
#define FACE_YM 4
#define FACE_YP 8
#define FACE_ZM 16
#define FACE_ZP 32
#define CELL_SOLID 64

#endif
