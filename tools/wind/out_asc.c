/* SPDX-License-Identifier: MIT */
/* ASCII grids: speed in NAME.asc, direction in NAME-direction.asc, their system in .prj beside each. */
#include "config.h"

#include "wind/output.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPEED_GRID, DIRECTION_GRID, SPEED_PRJ, DIRECTION_PRJ, ASC_FILES };

typedef struct asc_file {
    const char *path;                 /* for messages */
    const char *temporary[ASC_FILES]; /* the first one is the caller's */
} asc_file;

static int asc_open(const char *path, const char *temporary, const scene *s, bool series, void **file)
{
    static const char *const ends[ASC_FILES] = {".asc", "-direction.asc", ".prj", "-direction.prj"};
    (void)series;
    asc_file *a = calloc(1, sizeof *a);
    *file = a;
    if (!a)
        return fail_memory();
    a->path = path;
    a->temporary[SPEED_GRID] = temporary;
    int status = STATUS_OK, stem = (int)strlen(path) - 4;
    for (int i = 1; i < (s->place.wkt_gdal ? ASC_FILES : SPEED_PRJ) && status == STATUS_OK; i++) {
        char name[1024];
        snprintf(name, sizeof name, "%.*s%s", stem, path, ends[i]);
        status = file_begin(name, &a->temporary[i]);
    }
    return status;
}

static bool write_grid(const char *path, const scene *s, const field *f, bool direction)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    fprintf(stream, "ncols %d\nnrows %d\nxllcorner %.10g\nyllcorner %.10g\ncellsize %.10g\n"
                    "NODATA_value -9999\n",
            s->nx, s->ny, s->origin[0], s->origin[1], s->spacing[0]);
    for (int j = s->ny - 1; j >= 0; j--)
        for (int i = 0; i < s->nx; i++) {
            size_t c = (size_t)j * (size_t)s->nx + (size_t)i;
            double u = (double)f->east_2d[c], v = (double)f->north_2d[c];
            double x = s->origin[0] + (i + 0.5) * s->spacing[0];
            double y = s->origin[1] + (j + 0.5) * s->spacing[1];
            fprintf(stream, "%.6g%c", direction ? place_direction(&s->place, x, y, u, v) : hypot(u, v),
                    i + 1 < s->nx ? ' ' : '\n');
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
    for (int i = 0; i < SPEED_PRJ && done; i++)
        done = write_grid(a->temporary[i], s, f, i == DIRECTION_GRID);
    for (int i = SPEED_PRJ; i < ASC_FILES && done && a->temporary[i]; i++)
        done = write_system(a->temporary[i], s);
    if (done)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s", a->path, strerror(errno));
}

static int asc_close(void *file, bool keep)
{
    asc_file *a = file;
    if (!a)
        return STATUS_OK;
    int status = STATUS_OK;
    for (int i = 1; i < ASC_FILES; i++)
        if (a->temporary[i] && keep && status == STATUS_OK)
            status = file_commit(a->temporary[i]);
        else
            file_discard(a->temporary[i]);
    free(a);
    return status;
}

const output_format output_asc = {.extension = "asc",
                                  .what = "ASCII grids",
                                  .open = asc_open,
                                  .write = asc_write,
                                  .close = asc_close};
