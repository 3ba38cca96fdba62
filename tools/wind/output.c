/* SPDX-License-Identifier: MIT */
/* The files of a run: their formats, their names, and that they appear whole or not at all.
 *
 * A format of many times keeps them in one file.  A format of one time gets a file per instant,
 * NAME-0001.EXT and on, or, of a moment, NAME-20261130T120000Z.EXT.  NAME.EXT itself holds the
 * result: the mean, or the state at the end; of many moments there is none. */
#include "config.h"

#include "wind/output.h"

#include "file.h"
#include "wind/moment.h"

#include <math.h>
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
    bool mean, hours;
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
    o->hours = s->hours;
    for (int i = 0; i < count; i++) {
        o->of[i].path = paths[i];
        int status = output_find(paths[i], &o->of[i].format);
        const output_format *format = o->of[i].format;
        if (status == STATUS_OK && !(s->hours && !format->series)) {
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
    char suffix[40], name[1024];
    if (s->hours) {
        char *to = suffix, moment[32];
        *to++ = '-';
        moment_write(s->moment, moment, sizeof moment);
        for (const char *at = moment; *at; at++)
            if (*at != '-' && *at != ':')
                *to++ = *at;
        *to = 0;
    } else
        snprintf(suffix, sizeof suffix, "-%04d", number);
    insert_suffix(path, suffix, sizeof name, name);
    return output_write_alone(format, name, s, f);
}

bool outputs_want_volume(int count, const char *const *paths)
{
    const output_format *format;
    for (int i = 0; i < count; i++)
        if (output_find(paths[i], &format) == STATUS_OK && format == &output_raw)
            return true;
    return false;
}

bool outputs_want_cells(int count, const char *const *paths)
{
    const output_format *format;
    for (int i = 0; i < count; i++)
        if (output_find(paths[i], &format) == STATUS_OK && format->write_levels)
            return true;
    return false;
}

/* A series that ends with this very instant has it already. */
static bool has_already(const outputs *o, int i, const field *f)
{
    return o->of[i].shared && o->of[i].last == f->step;
}

int outputs_write_levels(outputs *o, const scene *s, const field *f, bool result)
{
    for (int i = 0; i < o->count; i++) {
        const output_format *format = o->of[i].format;
        void *file = result || o->of[i].shared ? o->of[i].result.file : o->of[i].instants.file;
        if (!format->write_levels || (result && has_already(o, i, f)))
            continue;
        int status = format->write_levels(file, s, f);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
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
        if (!o->of[i].format->write || has_already(o, i, f))
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

void outputs_report(const outputs *o)
{
    for (int i = 0; i < o->count; i++)
        if (o->hours && !o->of[i].format->series) {
            char name[1024];
            insert_suffix(o->of[i].path, "-*", sizeof name, name);
            report("Wrote     %s, one a moment", name);
        } else
            report("Wrote     %s", o->of[i].path);
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
