/* SPDX-License-Identifier: MIT */
/* The wind that passed a plane (--box), as TurbSim's file, so that a turbine sees the terrain's own
 * turbulence. */
#include "config.h"

#include "formats/bts.h"
#include "wind/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bts_file {
    const char *path, *temporary;
    scene_plane plane;
    double toward[2];   /* east, north: along the wind */
    double first, last; /* s */
    int times;
    size_t room;   /* times that fit */
    float *values; /* [times][nz][ny][3] */
    char text[120];
} bts_file;

static int bts_open(const char *path, const char *temporary, const scene *s, bool series,
                    void **file)
{
    (void)series;
    if (s->plane.ny == 0)
        return fail(STATUS_USAGE,
                    "--out %s: .bts holds the wind of a plane: give --box E,N,Z,NY,NZ,DY,DZ", path);
    bts_file *b = calloc(1, sizeof *b);
    *file = b;
    if (!b)
        return fail_memory();
    double from = s->from_true * M_PI / 180;
    b->path = path;
    b->temporary = temporary;
    b->plane = s->plane;
    b->toward[0] = -sin(from);
    b->toward[1] = -cos(from);
    snprintf(b->text, sizeof b->text, "foehn wind %s: %s, from %g degrees", foehn_version(),
             s->model, s->from_true);
    return STATUS_OK;
}

static size_t points_of(const bts_file *b)
{
    return (size_t)b->plane.ny * (size_t)b->plane.nz;
}

static int bts_write_probes(void *file, const scene *s, const probe_row *rows)
{
    bts_file *b = file;
    size_t points = points_of(b);
    if ((size_t)b->times == b->room) {
        size_t room = b->room ? 2 * b->room : 64;
        float *values = realloc(b->values, room * points * 3 * sizeof *values);
        if (!values)
            return fail_memory();
        b->values = values;
        b->room = room;
    }
    rows += s->probe_count;
    for (size_t i = 0; i < points; i++) {
        float *to = b->values + ((size_t)b->times * points + i) * 3;
        to[0] = (float)(rows[i].east * b->toward[0] + rows[i].north * b->toward[1]);
        to[1] = (float)(rows[i].north * b->toward[0] - rows[i].east * b->toward[1]);
        to[2] = (float)rows[i].up;
    }
    b->last = rows[0].time;
    if (b->times++ == 0)
        b->first = b->last;
    return STATUS_OK;
}

static double value(const void *data, int component, int time, int j, int k)
{
    const bts_file *b = data;
    return (double)b->values
        [(((size_t)time * (size_t)b->plane.nz + (size_t)k) * (size_t)b->plane.ny + (size_t)j) * 3 +
         (size_t)component];
}

/* In the middle, over all times. */
static double mean_speed(const bts_file *b)
{
    double sum = 0;
    for (int i = 0; i < b->times; i++)
        sum += value(b, 0, i, b->plane.ny / 2, b->plane.nz / 2);
    return sum / b->times;
}

static int write_all(const bts_file *b)
{
    const scene_plane *p = &b->plane;
    if (b->times < 2)
        return fail(
            STATUS_INPUT,
            "%s: %d instants: a box of wind needs two or more: make more steps, no --steady",
            b->path, b->times);
    bytes_file f = {.path = b->path, .stream = fopen(b->temporary, "wb")};
    if (!f.stream)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", b->path, strerror(errno));
    bts_write(&f, &(bts_plane){.times = b->times,
                               .ny = p->ny,
                               .nz = p->nz,
                               .dt = (b->last - b->first) / (b->times - 1),
                               .dy = p->dy,
                               .dz = p->dz,
                               .speed = mean_speed(b),
                               .hub = p->height,
                               .bottom = p->height - (p->nz - 1) / 2.0 * p->dz,
                               .text = b->text,
                               .value = value,
                               .data = b});
    bool good = !ferror(f.stream);
    good = fclose(f.stream) == 0 && good;
    return good ? STATUS_OK
                : fail(STATUS_FAILED, "%s: cannot be written: %s", b->path, strerror(errno));
}

static int bts_close(void *file, bool keep)
{
    bts_file *b = file;
    if (!b)
        return STATUS_OK;
    int status = keep ? write_all(b) : STATUS_OK;
    free(b->values);
    free(b);
    return status;
}

const output_format output_bts = {.extension = "bts",
                                  .what = "TurbSim output",
                                  .series = true,
                                  .open = bts_open,
                                  .write_probes = bts_write_probes,
                                  .close = bts_close};
