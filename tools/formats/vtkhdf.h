/* SPDX-License-Identifier: MIT */
/* VTKHDF image data, for ParaView and VTK: named arrays of a box of cells, at one time or many. */
#ifndef VTKHDF_H
#define VTKHDF_H

#include "tool.h"

enum { VTKHDF_MOST_ARRAYS = 8 };

typedef struct vtkhdf_box {
    int cells[3];           /* along the axes of the box */
    double origin[3];       /* lower corner, m */
    double spacing[3];      /* of cells, m */
    double direction[3][3]; /* columns are the axes of the box */
} vtkhdf_box;

typedef struct vtkhdf_array {
    const char *name, *units;
    int components;
} vtkhdf_array;

typedef struct vtkhdf_file vtkhdf_file;

/* Start a file under a temporary name; messages call it `path`.  All functions fail with a message.
 * Whoever gets a *out that is not NULL closes it, also after a failure. */
int vtkhdf_create(const char *path, const char *temporary, const vtkhdf_box *box, int count,
                  const vtkhdf_array *arrays, bool series, vtkhdf_file **out);
/* Write an array of the present time: [nz][ny][nx], or [nz][ny][nx][components]. */
int vtkhdf_write(vtkhdf_file *file, int array, const float *values);
/* The same of some levels along z. */
int vtkhdf_write_levels(vtkhdf_file *file, int array, int first, int count, const float *values);
/* All arrays of this time are written. */
int vtkhdf_end_time(vtkhdf_file *file, double time);
/* An attribute of the file. */
int vtkhdf_note(vtkhdf_file *file, const char *name, const char *text);
/* NULL is allowed.  keep: the file is to stay; else what it holds does not matter. */
int vtkhdf_close(vtkhdf_file *file, bool keep);

#endif
