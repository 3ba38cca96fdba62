/* SPDX-License-Identifier: MIT */
/* The published volume as it is: half floats, and a JSON file beside them that says what they are.
 * It holds the last instant even when other formats hold a mean. */
#include "config.h"

#include "file.h"
#include "wind/output.h"
#include "formats/raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct raw_file {
    const char *path;
    const char *temporary;
    char side_path[1024];
    const char *side; /* temporary name of the JSON file */
} raw_file;

static int raw_open(const char *path, const char *temporary, const scene *s, bool series,
                    void **file)
{
    (void)s;
    (void)series;
    raw_file *r = calloc(1, sizeof *r);
    *file = r;
    if (!r)
        return fail_memory();
    r->path = path;
    r->temporary = temporary;
    snprintf(r->side_path, sizeof r->side_path, "%s.json", path);
    return file_begin(r->side_path, &r->side);
}

static int write_side(const raw_file *r, const scene *s, const field *f,
                      const foehn_volume_info *info)
{
    FILE *stream = fopen(r->side, "w");
    if (!stream)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", r->side_path, strerror(errno));
    json j;
    json_begin(&j, stream);
    json_object(&j, NULL);
    json_text(&j, "layout", "[nz][ny][nx][4] little-endian half floats; x east, y up, z south");
    json_text(&j, "channels", "velocity towards x, y, z in m/s; turbulence intensity");
    json_text(&j, "wrapping", "world voxel floor(position / spacing) is stored modulo the size");
    raw_describe(&j, info);
    /* Where the world's origin lies: easting = x + this, northing = this - z. */
    json_number(&j, "easting_of_x_0_m", s->origin[0] - info->origin[0]);
    json_number(&j, "northing_of_z_0_m", s->origin[1] + s->ny * s->spacing[1] + info->origin[2]);
    json_object(&j, "run");
    scene_fact facts[MOST_FACTS];
    field instant = *f;
    instant.start = instant.time;
    int count = scene_facts(s, &instant, facts);
    for (int i = 0; i < count; i++)
        json_text(&j, facts[i].name, facts[i].value);
    json_text(&j, "crs_wkt", s->place.wkt);
    json_close(&j, '}');
    json_close(&j, '}');
    json_end(&j);
    if (fclose(stream) != 0)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", r->side_path, strerror(errno));
    return STATUS_OK;
}

static int raw_write(void *file, const scene *s, const field *f)
{
    raw_file *r = file;
    foehn_volume_info info;
    foehn_volume_get_info(f->volume, &info);
    int status = raw_write_halves(f->volume, r->temporary, r->path);
    return status == STATUS_OK ? write_side(r, s, f, &info) : status;
}

static int raw_close(void *file, bool keep)
{
    raw_file *r = file;
    if (!r)
        return STATUS_OK;
    int status = STATUS_OK;
    if (keep)
        status = file_commit(r->side);
    else
        file_discard(r->side);
    free(r);
    return status;
}

const output_format output_raw = {.extension = "raw",
                                  .what = "raw output",
                                  .open = raw_open,
                                  .write = raw_write,
                                  .close = raw_close};
