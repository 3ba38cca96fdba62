/* SPDX-License-Identifier: MIT */
/* Time series at probes as CSV, a row per probe and time. */
#include "config.h"

#include "wind/output.h"
#include "wind/moment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct csv_file {
    const char *path;
    FILE *stream;
} csv_file;

static int csv_open(const char *path, const char *temporary, const scene *s, bool series,
                    void **file)
{
    (void)series;
    if (s->probe_count == 0)
        return fail(STATUS_USAGE,
                    "--out %s: CSV holds time series at probes: give --probe "
                    "E,N,Z[,NAME] or --profile E,N[,NAME]",
                    path);
    csv_file *c = calloc(1, sizeof *c);
    *file = c;
    if (!c)
        return fail_memory();
    c->path = path;
    c->stream = fopen(temporary, "w");
    if (!c->stream)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    scene_fact facts[MOST_FACTS];
    int count = scene_facts(s, NULL, facts);
    for (int i = 0; i < count; i++)
        if (strcmp(facts[i].name, "height_above_ground_m") != 0) /* each probe has its own */
            fprintf(c->stream, "# %s: %s\n", facts[i].name, facts[i].value);
    fputs(isfinite(s->moment) ? "time" : "time_s", c->stream);
    fputs(",probe,easting_m,northing_m,height_above_ground_m,eastward_m_s,northward_m_s,"
          "upward_m_s,speed_m_s,from_true_deg,turbulence_intensity",
          c->stream);
    fputs(s->momentum ? ",k_m2_s2,eddy_viscosity_m2_s\n" : "\n", c->stream);
    return STATUS_OK;
}

static int csv_write_probes(void *file, const scene *s, const probe_row *rows)
{
    csv_file *c = file;
    for (int i = 0; i < s->probe_count; i++) {
        const scene_probe *p = &s->probes[i];
        const probe_row *r = &rows[i];
        char time[32];
        if (isfinite(s->moment))
            moment_write(s->moment, time, sizeof time);
        else
            snprintf(time, sizeof time, "%.9g", r->time);
        fprintf(c->stream, "%s,%s,%.10g,%.10g,%.9g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", time, p->name,
                p->easting, p->northing, p->height, r->east, r->north, r->up,
                hypot(r->east, r->north), direction_from(r->east, r->north), r->intensity);
        if (s->momentum)
            fprintf(c->stream, ",%.6g,%.6g", r->k, r->viscosity);
        fputc('\n', c->stream);
    }
    if (ferror(c->stream))
        return fail(STATUS_FAILED, "%s: cannot be written: %s", c->path, strerror(errno));
    return STATUS_OK;
}

static int csv_close(void *file, bool keep)
{
    csv_file *c = file;
    if (!c)
        return STATUS_OK;
    int status = STATUS_OK;
    if (c->stream && fclose(c->stream) != 0 && keep)
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", c->path, strerror(errno));
    free(c);
    return status;
}

const output_format output_csv = {.extension = "csv",
                                  .what = "CSV output",
                                  .series = true,
                                  .open = csv_open,
                                  .write_probes = csv_write_probes,
                                  .close = csv_close};
