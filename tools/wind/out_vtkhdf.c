/* SPDX-License-Identifier: MIT */
/* The wind as VTKHDF image data: values at cells, x east, y north, z up. */
#include "config.h"

#include "wind/quantity.h"

#ifndef HAVE_HDF5

const output_format output_vtkhdf = {
    .extension = "vtkhdf", .what = "VTKHDF output", .package = "libhdf5-dev", .series = true};

#else

#include "formats/vtkhdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first arrays; behind them those of quantities that need a turbulence closure. */
enum { VELOCITY, INTENSITY, HEIGHT, ARRAYS };
static const vtkhdf_array arrays[ARRAYS] = {
    {"velocity", "m/s", 3}, {"turbulence_intensity", "1", 1}, {"height_above_ground", "m", 1}};

typedef struct wind_file {
    vtkhdf_file *file;
    int more;                          /* arrays */
    const quantity *other[QUANTITIES]; /* what they hold */
    bool series, noted;
} wind_file;

static int wind_open(const char *path, const char *temporary, const scene *s, bool series,
                     void **file)
{
    wind_file *w = calloc(1, sizeof *w);
    *file = w;
    if (!w)
        return fail_memory();
    w->series = series;
    vtkhdf_box box = {.cells = {s->nx, s->ny, s->nz},
                      .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    memcpy(box.origin, s->origin, sizeof box.origin);
    memcpy(box.spacing, s->spacing, sizeof box.spacing);
    vtkhdf_array all[ARRAYS + QUANTITIES];
    memcpy(all, arrays, sizeof arrays);
    for (int i = 0; i < QUANTITIES; i++) {
        const quantity *q = &quantities[i];
        if (!q->cells || q->need != NEEDS_CLOSURE || !quantity_is_there(q, s) ||
            (series && quantity_is_of_means(q, s)))
            continue;
        all[ARRAYS + w->more] = (vtkhdf_array){q->cells, q->unit, 1};
        w->other[w->more++] = q;
    }
    return vtkhdf_create(path, temporary, &box, ARRAYS + w->more, all, series, &w->file);
}

static int note_facts(const wind_file *w, const scene *s, const field *f)
{
    scene_fact facts[MOST_FACTS];
    int count = scene_facts(s, w->series ? NULL : f, facts), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = vtkhdf_note(w->file, facts[i].name, facts[i].value);
    if (status == STATUS_OK && s->place.wkt)
        status = vtkhdf_note(w->file, "crs_wkt", s->place.wkt);
    return status;
}

static int put(const wind_file *w, int array, const field *f, const float *values)
{
    return vtkhdf_write_levels(w->file, array, f->first_level, f->levels, values);
}

static int wind_write_levels(void *file, const scene *s, const field *f)
{
    const wind_file *w = file;
    size_t columns = (size_t)s->nx * (size_t)s->ny, n = columns * (size_t)f->levels;
    float *buffer = calloc(3 * n, sizeof *buffer);
    if (!buffer)
        return fail_memory();
    /* Filters of ParaView stumble over NaN: the air stands still under the ground. */
    for (size_t c = 0; c < n; c++) {
        buffer[3 * c] = isnan(f->east[c]) ? 0 : f->east[c];
        buffer[3 * c + 1] = isnan(f->north[c]) ? 0 : f->north[c];
        buffer[3 * c + 2] = isnan(f->up[c]) ? 0 : f->up[c];
    }
    int status = put(w, VELOCITY, f, buffer);
    for (size_t c = 0; c < n; c++)
        buffer[c] = isnan(f->intensity[c]) ? 0 : f->intensity[c];
    if (status == STATUS_OK)
        status = put(w, INTENSITY, f, buffer);
    /* Negative under the ground: a threshold at 0 cuts the ground away. */
    for (size_t c = 0; c < n; c++)
        buffer[c] = (float)(s->origin[2] +
                            ((double)f->first_level + (double)(c / columns) + 0.5) * s->spacing[2] -
                            (double)s->ground[c % columns]);
    if (status == STATUS_OK)
        status = put(w, HEIGHT, f, buffer);
    for (int i = 0; i < w->more && status == STATUS_OK; i++) {
        for (size_t c = 0; c < n; c++) {
            double value = quantity_of_cell(w->other[i], s, f, c);
            buffer[c] = isnan(value) ? 0 : (float)value;
        }
        status = put(w, ARRAYS + i, f, buffer);
    }
    free(buffer);
    return status;
}

static int wind_write(void *file, const scene *s, const field *f)
{
    wind_file *w = file;
    int status = w->noted ? STATUS_OK : note_facts(w, s, f);
    w->noted = true;
    return status == STATUS_OK ? vtkhdf_end_time(w->file, f->time) : status;
}

static int wind_close(void *file, bool keep)
{
    wind_file *w = file;
    if (!w)
        return STATUS_OK;
    int status = vtkhdf_close(w->file, keep);
    free(w);
    return status;
}

const output_format output_vtkhdf = {.extension = "vtkhdf",
                                     .what = "VTKHDF output",
                                     .series = true,
                                     .open = wind_open,
                                     .write_levels = wind_write_levels,
                                     .write = wind_write,
                                     .close = wind_close};

#endif
