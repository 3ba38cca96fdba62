/* SPDX-License-Identifier: MIT */
/* The files of a run: their formats, their names, and that they appear whole or not at all.
 *
 * A format of many times keeps them in one file.  A format of one time gets a file per instant,
 * NAME-0001.EXT and on.  NAME.EXT itself holds the result: the mean, or the state at the end. */
#include "config.h"

#include "wind/output.h"

#include "file.h"
#include "output_clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const output_format *const formats[] = {
    &output_netcdf, &output_vtkhdf, &output_geotiff, &output_png, &output_csv,
    &output_raw,    &output_asc,    &output_gpkg,    &output_kmz, &output_bts};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* One file being written. */
typedef struct writer {
    const output_format *format;
    const char *temporary;
    void *file;
} writer;

struct outputs {
    int count;
    bool mean;
    struct {
        const char *path;
        const output_format *format;
        writer result;   /* NAME.EXT */
        writer instants; /* the series of instants; may be the result itself */
        bool shared;     /* instants go into the result's file */
        uint64_t last;   /* step of the last instant in the file; 0: none */
    } of[];
};

static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && (!slash || dot > slash + 1) && dot != path ? dot + 1 : "";
}

int output_find(const char *path, const output_format **format)
{
    const char *extension = extension_of(path);
    char known[128] = "";
    for (int i = 0; i < FORMATS; i++) {
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s.%s", i ? ", " : "",
                 formats[i]->extension);
        if (strcmp(extension, formats[i]->extension) != 0)
            continue;
        if (!formats[i]->open)
            return fail(STATUS_USAGE,
                        "--out %s: this foehn was built without %s: install %s, then "
                        "configure and make again",
                        path, formats[i]->what, formats[i]->package);
        *format = formats[i];
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "--out %s: unknown extension: known are %s", path, known);
}

static int writer_open(writer *w, const output_format *format, const char *path, const scene *s,
                       bool series)
{
    w->format = format;
    int status = file_begin(path, &w->temporary);
    if (status == STATUS_OK)
        status = format->open(path, w->temporary, s, series, &w->file);
    return status;
}

static int writer_commit(writer *w)
{
    if (!w->temporary)
        return STATUS_OK;
    int status = w->format->close(w->file, true);
    w->file = NULL;
    if (status == STATUS_OK)
        status = file_commit(w->temporary);
    else
        file_discard(w->temporary);
    w->temporary = NULL;
    return status;
}

static void writer_discard(writer *w)
{
    if (!w->temporary)
        return;
    w->format->close(w->file, false);
    file_discard(w->temporary);
    w->file = NULL;
    w->temporary = NULL;
}

/* NAMEsuffix.EXT */
static void insert_suffix(const char *path, const char *suffix, size_t size, char *out)
{
    const char *extension = extension_of(path);
    int stem = (int)(strlen(path) - strlen(extension)) - 1;
    snprintf(out, size, "%.*s%s.%s", stem, path, suffix, extension);
}

int outputs_open(int count, const char *const *paths, const scene *s, bool every, bool mean,
                 outputs **out)
{
    outputs *o = calloc(1, sizeof *o + (size_t)count * sizeof o->of[0]);
    *out = o;
    if (!o)
        return fail_memory();
    o->count = count;
    o->mean = mean;
    for (int i = 0; i < count; i++) {
        o->of[i].path = paths[i];
        int status = output_find(paths[i], &o->of[i].format);
        const output_format *format = o->of[i].format;
        if (status == STATUS_OK) {
            o->of[i].shared = every && !mean && format->series;
            status = writer_open(&o->of[i].result, format, paths[i], s, o->of[i].shared);
        }
        if (status == STATUS_OK && every && mean && format->series && format->write) {
            char name[1024];
            insert_suffix(paths[i], "-instants", sizeof name, name);
            status = writer_open(&o->of[i].instants, format, name, s, true);
        }
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

bool outputs_have(const outputs *o, const output_format *format)
{
    for (int i = 0; i < o->count; i++)
        if (o->of[i].format == format)
            return true;
    return false;
}

int output_write_alone(const output_format *format, const char *path, const scene *s,
                       const field *f)
{
    writer w = {0};
    int status = writer_open(&w, format, path, s, false);
    if (status == STATUS_OK)
        status = format->write(w.file, s, f);
    if (status == STATUS_OK)
        return writer_commit(&w);
    writer_discard(&w);
    return status;
}

static int write_numbered(const output_format *format, const char *path, const scene *s,
                          const field *f, int number)
{
    char suffix[16], name[1024];
    snprintf(suffix, sizeof suffix, "-%04d", number);
    insert_suffix(path, suffix, sizeof name, name);
    return output_write_alone(format, name, s, f);
}

int outputs_write_instant(outputs *o, const scene *s, const field *f, int number)
{
    for (int i = 0; i < o->count; i++) {
        const output_format *format = o->of[i].format;
        int status = STATUS_OK;
        if (!format->write)
            continue;
        if (o->of[i].shared)
            status = format->write(o->of[i].result.file, s, f);
        else if (o->of[i].instants.file)
            status = format->write(o->of[i].instants.file, s, f);
        else
            status = write_numbered(format, o->of[i].path, s, f, number);
        if (status != STATUS_OK)
            return status;
        o->of[i].last = f->step;
    }
    return STATUS_OK;
}

int outputs_write_result(outputs *o, const scene *s, const field *f)
{
    for (int i = 0; i < o->count; i++) {
        /* A series that ends with this very instant has it already. */
        if (!o->of[i].format->write || (o->of[i].shared && o->of[i].last == f->step))
            continue;
        int status = o->of[i].format->write(o->of[i].result.file, s, f);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int outputs_write_probes(outputs *o, const scene *s, const probe_row *rows)
{
    for (int i = 0; i < o->count; i++) {
        if (!o->of[i].format->write_probes)
            continue;
        int status = o->of[i].format->write_probes(o->of[i].result.file, s, rows);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int outputs_commit(outputs *o)
{
    for (int i = 0; i < o->count; i++) {
        int status = writer_commit(&o->of[i].result);
        if (status == STATUS_OK)
            status = writer_commit(&o->of[i].instants);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

void outputs_destroy(outputs *o)
{
    if (!o)
        return;
    for (int i = 0; i < o->count; i++) {
        writer_discard(&o->of[i].result);
        writer_discard(&o->of[i].instants);
    }
    free(o);
}

double scene_time(const scene *s, uint64_t step)
{
    const output_clock c = {s->dt, s->every, s->steps_every};
    return output_clock_time(&c, step);
}

static void add_fact(scene_fact *facts, int *count, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add_fact(scene_fact *facts, int *count, const char *name, const char *format, ...)
{
    if (*count == MOST_FACTS)
        return;
    snprintf(facts[*count].name, sizeof facts[*count].name, "%s", name);
    va_list args;
    va_start(args, format);
    vsnprintf(facts[*count].value, sizeof facts[*count].value, format, args);
    va_end(args);
    ++*count;
}

int scene_facts(const scene *s, const field *f, scene_fact facts[MOST_FACTS])
{
    int n = 0;
    add_fact(facts, &n, "source", "foehn %s", foehn_version());
    add_fact(facts, &n, "device", "%s", s->device);
    add_fact(facts, &n, "coordinate_system", "%s%s%s%s",
             s->place.name[0] ? s->place.name : "none (flat ground)",
             s->place.authority[0] ? " (" : "", s->place.authority,
             s->place.authority[0] ? ")" : "");
    if (s->has_terrain) {
        add_fact(facts, &n, "terrain", "%s", s->terrain);
        add_fact(facts, &n, "terrain_eased_band_m", "%.10g", s->eased);
    }
    add_fact(facts, &n, "input_wind_speed_10m_m_s", "%.17g", s->u10);
    add_fact(facts, &n, "input_wind_from_true_north_degrees", "%.17g", s->from_true);
    add_fact(facts, &n, "input_wind_from_grid_north_degrees", "%.17g", s->from_grid);
    add_fact(facts, &n, "grid_convergence_degrees", "%.17g", s->place.convergence);
    if (!s->steady)
        add_fact(facts, &n, "gustiness", "%.9g", s->gustiness);
    add_fact(facts, &n, "roughness_length_m", "%.9g", s->z0);
    if (s->cover[0])
        add_fact(facts, &n, "roughness_map", "%s", s->cover);
    add_fact(facts, &n, "height_above_ground_m", "%.9g", s->height);
    add_fact(facts, &n, "cells", "%d x %d x %d (east x north x up)", s->nx, s->ny, s->nz);
    add_fact(facts, &n, "spacing_m", "%.9g horizontal, %.9g vertical", s->spacing[0],
             s->spacing[2]);
    add_fact(facts, &n, "model", "%s", s->model);
    if (s->rest[0])
        add_fact(facts, &n, "convergence", "%s", s->rest);
    char until[64] = "";
    if (s->divergence > 0)
        snprintf(until, sizeof until, " and more until |div u| h/u10 <= %.3g", s->divergence);
    add_fact(facts, &n, "scheme", "%s, %s, %d %s a step%s", s->scheme, s->pressure, s->sweeps,
             s->pressure_unit, until);
    if (!s->steady) {
        add_fact(facts, &n, "time_step_s", "%.9g", s->dt);
        add_fact(facts, &n, "seed", "%llu", (unsigned long long)s->seed);
    }
    if (f && s->momentum)
        add_fact(facts, &n, "field", "%s", "steady mean");
    else if (f) {
        add_fact(facts, &n, "field", "%s", f->start < f->time ? "mean over time" : "instant");
        if (f->start < f->time) {
            add_fact(facts, &n, "mean_from_s", "%.9g", f->start);
            add_fact(facts, &n, "mean_samples", "%d", f->samples);
        }
        add_fact(facts, &n, "time_s", "%.9g", f->time);
    }
    return n;
}
