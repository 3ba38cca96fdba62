/* SPDX-License-Identifier: MIT */
/* Writing OpenVDB: what C hands to the one file of C++. */
#ifndef VDB_H
#define VDB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One grid of a file.  OpenVDB's index (i, j, k) is the sample point itself, so index (0, 0, 0) is
 * put at the centre of our first cell. */
typedef struct vdb_grid {
    const char *name;
    int components;        /* 1: fog volume of floats; 3: vectors that move with the volume */
    int nx, ny, nz;        /* cells */
    double spacing[3];     /* of cells, m */
    double first[3];       /* centre of the first cell in the world, m */
    double rotation[3][3]; /* from the box's frame to the world's; columns are the box's axes */
    const float *values;   /* [nz][ny][nx] or [nz][ny][nx][3] */
    const float *present;  /* [nz][ny][nx]: where it is 0 the cell stays empty; NULL: values say */
    const char *units;     /* kept as metadata */
} vdb_grid;

/* Write grids as half floats to a file.  fps: of the sequence, 0 when there is none; time: s.
 * The same content gives the same bytes (OpenVDB alone would put a random UUID into each file).
 * Returns 0, or -1 with a message in `text`. */
int vdb_write(const char *path, size_t count, const vdb_grid *grids, double fps, double time,
              size_t size, char *text);

#ifdef __cplusplus
}
#endif
#endif
