/* SPDX-License-Identifier: MIT */
/* ASCII grids, one a quantity: the first in NAME.asc, others in NAME-QUANTITY.asc, their system in
 * .prj beside each. */
#include "config.h"

#include "wind/quantity.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct asc_file {
    const char *path; /* for messages */
    int count;
    const char *grids[MOST_BANDS]; /* temporary names; the first one is the caller's */
    const char *systems[MOST_BANDS];
} asc_file;

/* The name of what lies beside NAME.asc: NAME[-PART]END. */
static int begin(const char *path, const char *part, const char *end, const char **temporary)
{
    char name[1024];
    snprintf(name, sizeof name, "%.*s%s%s%s", (int)strlen(path) - 4, path, part ? "-" : "",
             part ? part : "", end);
    return file_begin(name, temporary);
}

static int asc_open(const char *path, const char *temporary, const scene *s, bool series,
                    void **file)
{
    (void)series;
    asc_file *a = calloc(1, sizeof *a);
    *file = a;
    if (!a)
        return fail_memory();
    a->path = path;
    a->count = s->band_count;
    a->grids[0] = temporary;
    int status = STATUS_OK;
    for (int b = 1; b < a->count && status == STATUS_OK; b++)
        status = begin(path, s->bands[b]->name, ".asc", &a->grids[b]);
    for (int b = 0; b < a->count && s->place.wkt_gdal && status == STATUS_OK; b++)
        status = begin(path, b ? s->bands[b]->name : NULL, ".prj", &a->systems[b]);
    return status;
}

static bool write_grid(const char *path, const scene *s, const field *f, const quantity *q)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    fprintf(stream,
            "ncols %d\nnrows %d\nxllcorner %.10g\nyllcorner %.10g\ncellsize %.10g\n"
            "NODATA_value -9999\n",
            s->nx, s->ny, s->origin[0], s->origin[1], s->spacing[0]);
    for (int j = s->ny - 1; j >= 0; j--)
        for (int i = 0; i < s->nx; i++) {
            size_t c = (size_t)j * (size_t)s->nx + (size_t)i;
            fprintf(stream, "%.6g%c", quantity_of_column(q, s, f, c), i + 1 < s->nx ? ' ' : '\n');
        }
    bool sound = !ferror(stream);
    return fclose(stream) == 0 && sound;
}

static bool write_system(const char *path, const scene *s)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    fprintf(stream, "%s\n", s->place.wkt_gdal);
    bool sound = !ferror(stream);
    return fclose(stream) == 0 && sound;
}

static int asc_write(void *file, const scene *s, const field *f)
{
    asc_file *a = file;
    bool done = true;
    for (int b = 0; b < a->count && done; b++)
        done = write_grid(a->grids[b], s, f, s->bands[b]) &&
               (!a->systems[b] || write_system(a->systems[b], s));
    if (done)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s", a->path, strerror(errno));
}

static int finish(const char *temporary, bool keep, int status)
{
    if (temporary && keep && status == STATUS_OK)
        return file_commit(temporary);
    file_discard(temporary);
    return status;
}

static int asc_close(void *file, bool keep)
{
    asc_file *a = file;
    if (!a)
        return STATUS_OK;
    int status = STATUS_OK;
    for (int b = 0; b < a->count; b++) {
        status = b > 0 ? finish(a->grids[b], keep, status) : status;
        status = finish(a->systems[b], keep, status);
    }
    free(a);
    return status;
}

const output_format output_asc = {.extension = "asc",
                                  .what = "ASCII grids",
                                  .flat = true,
                                  .open = asc_open,
                                  .write = asc_write,
                                  .close = asc_close};
