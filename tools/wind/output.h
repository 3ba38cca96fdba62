/* SPDX-License-Identifier: MIT */
/* Formats of files, and the files of a run. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "wind/scene.h"

/* A format; each lives in its out_*.c.  Functions fail with a message. */
typedef struct output_format {
    const char *extension;
    const char *what;
    const char *package; /* what brings it when it is not built in */
    bool series;         /* one file holds many times */
    bool flat;           /* maps at a height; else the box */
    int (*open)(const char *path, const char *temporary, const scene *s, bool series, void **file);
    /* Cells of f's levels, from the lowest to the highest, before the rest is written; NULL: it
     * has none. */
    int (*write_levels)(void *file, const scene *s, const field *f);
    int (*write)(void *file, const scene *s, const field *f);
    int (*write_probes)(void *file, const scene *s, const probe_row *rows);
    /* keep: the file is to stay; else what it holds does not matter.  file may be NULL. */
    int (*close)(void *file, bool keep);
} output_format;

extern const output_format output_netcdf, output_geotiff, output_vtkhdf, output_png, output_csv,
    output_raw, output_bts, output_asc, output_gpkg, output_kmz;

/* The format of a file by its extension; fails when unknown or not built in. */
int output_find(const char *path, const output_format **format);

/* All files of a run. */
typedef struct outputs outputs;

/* Check the names and open the files that collect.  every: instants are written while running.
 * mean: the files named hold a mean; instants go beside them. */
int outputs_open(int count, const char *const *paths, const scene *s, bool every, bool mean,
                 outputs **out);
/* Do any hold the published volume, or cells? */
bool outputs_want_volume(int count, const char *const *paths);
bool outputs_want_cells(int count, const char *const *paths);
/* Cells of some levels of an instant, or of the result. */
int outputs_write_levels(outputs *o, const scene *s, const field *f, bool result);
/* An instant while running, number from 1; the last one is the result of a run without a mean. */
int outputs_write_instant(outputs *o, const scene *s, const field *f, int number);
int outputs_write_result(outputs *o, const scene *s, const field *f);
int outputs_write_probes(outputs *o, const scene *s, const probe_row *rows);
/* A file of its own for one field. */
int output_write_alone(const output_format *format, const char *path, const scene *s,
                       const field *f);
/* What was written. */
void outputs_report(const outputs *o);
/* Give the files their names. */
int outputs_commit(outputs *o);
void outputs_destroy(outputs *o);

#endif
