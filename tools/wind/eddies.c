/* SPDX-License-Identifier: MIT */
/* How good the mean of large eddies is while it grows: how much it still drifts, and its standard
 * error by the means of equal parts of its time, one after the other (batch means). */
#include "config.h"

#include "progress.h"
#include "wind/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vectors, towards east and north: columns at the height, then probes. */
static size_t places(const eddies_mean *e)
{
    return e->columns + e->points;
}

int eddies_create(eddies_mean *e, const scene *s, uint64_t from, uint64_t to)
{
    memset(e, 0, sizeof *e);
    e->columns = (size_t)s->nx * (size_t)s->ny;
    e->points = (size_t)s->probe_count;
    e->from = e->begin = e->last = from;
    e->to = to;
    e->drift = e->error = e->flush_time = NAN;
    e->mean = calloc(2 * places(e), sizeof *e->mean);
    e->batches = calloc(2 * places(e) * EDDIES_BATCHES, sizeof *e->batches);
    e->rows = calloc(scene_points(s) + 1, sizeof *e->rows);
    return e->mean && e->batches && e->rows ? STATUS_OK : fail_memory();
}

void eddies_destroy(eddies_mean *e)
{
    free(e->mean);
    free(e->batches);
    free(e->rows);
}

/* Of the component along the mean of all batches, by their scatter, m/s. */
static double error_at(const eddies_mean *e, size_t at)
{
    const size_t next = 2 * places(e);
    const float *b = e->batches + 2 * at;
    double u = 0, v = 0, squares = 0;
    for (int n = 0; n < e->count; n++) {
        u += (double)b[(size_t)n * next] / e->count;
        v += (double)b[(size_t)n * next + 1] / e->count;
    }
    const double speed = hypot(u, v);
    for (int n = 0; n < e->count; n++) {
        const double du = (double)b[(size_t)n * next] - u, dv = (double)b[(size_t)n * next + 1] - v;
        const double along = speed > 0 ? (u * du + v * dv) / speed : hypot(du, dv);
        squares += along * along;
    }
    return sqrt(squares / (e->count - 1.0) / e->count);
}

/* A batch is what the running mean has got since the last one. */
static void add(eddies_mean *e, size_t at, double u, double v, uint64_t step, double *change)
{
    const double n = (double)(step - e->from), before = (double)(e->last - e->from);
    float *mean = e->mean + 2 * at, *batch = e->batches + 2 * ((size_t)e->count * places(e) + at);
    batch[0] = (float)((n * u - before * (double)mean[0]) / (n - before));
    batch[1] = (float)((n * v - before * (double)mean[1]) / (n - before));
    *change += pow(u - (double)mean[0], 2) + pow(v - (double)mean[1], 2);
    mean[0] = (float)u;
    mean[1] = (float)v;
}

/* The running mean as it is now; *change: sum over columns of the squares by which it has changed.
 */
static int take(eddies_mean *e, wind_reader *reader, uint64_t step, double *change)
{
    const float *east, *north;
    double of_points = 0;
    int status = wind_reader_read_columns(reader, true, &east, &north, &e->speed);
    if (status == STATUS_OK && e->points > 0)
        status = wind_reader_read_probes(reader, true, e->rows);
    *change = 0;
    for (size_t c = 0; status == STATUS_OK && c < e->columns; c++)
        add(e, c, (double)east[c], (double)north[c], step, change);
    for (size_t p = 0; status == STATUS_OK && p < e->points; p++)
        add(e, e->columns + p, e->rows[p].east, e->rows[p].north, step, &of_points);
    return status;
}

static int take_batch(eddies_mean *e, wind_reader *reader, uint64_t step, double dt)
{
    double change, squares = 0;
    int status = take(e, reader, step, &change);
    if (status != STATUS_OK)
        return status;
    const double columns = (double)e->columns,
                 flushes = (double)(step - e->last) * dt / e->flush_time;
    e->last = step;
    if (++e->count < 2 || !(e->speed > 0))
        return STATUS_OK;
    e->drift = sqrt(change / columns) / e->speed / flushes;
    if ((double)(step - e->begin) * dt < e->flush_time)
        return STATUS_OK; /* the eddies of parts that short are the same ones */
    for (size_t c = 0; c < e->columns; c++)
        squares += pow(error_at(e, c), 2);
    e->error = sqrt(squares / columns) / e->speed;
    return STATUS_OK;
}

/* What lasts from the first step on; a resumed run's batches begin with it.  Its mean goes on where
 * it had begun, also before half of a run that has become longer. */
static int begin(eddies_mean *e, foehn_wind *wind, wind_reader *reader, uint64_t step)
{
    foehn_wind_progress p;
    foehn_wind_info info;
    double change;
    foehn_status read = foehn_wind_get_progress(wind, &p);
    if (read != FOEHN_OK)
        return fail_library(read);
    foehn_wind_get_info(wind, &info);
    e->flush_time = p.flush_time;
    if (step > e->from && info.samples > 0)
        e->from = e->begin = e->last = step - (uint64_t)info.samples;
    int status = step > e->from + 1 ? take(e, reader, step, &change) : STATUS_OK;
    if (step > e->from + 1)
        e->begin = e->last = step;
    return status;
}

int eddies_step(eddies_mean *e, foehn_wind *wind, wind_reader *reader, uint64_t step, double dt)
{
    int status = isnan(e->flush_time) ? begin(e, wind, reader, step) : STATUS_OK;
    const uint64_t next = e->begin + (e->to - e->begin) * ((uint64_t)e->count + 1) / EDDIES_BATCHES;
    const bool full = e->count < EDDIES_BATCHES && step > e->last && step >= next;
    return status == STATUS_OK && full ? take_batch(e, reader, step, dt) : status;
}

static double flushes_of(const eddies_mean *e, uint64_t step, double dt)
{
    return (double)(step > e->from ? step - e->from : step) * dt / e->flush_time;
}

void eddies_tell(const eddies_mean *e, uint64_t step, uint64_t steps, double dt)
{
    char text[160];
    int n = snprintf(text, sizeof text, "%s: %.0f %% done, %.0f %% of a flush of the box",
                     step > e->from ? "averaging" : "before the mean",
                     100 * (double)step / (double)steps, 100 * flushes_of(e, step, dt));
    if (!isnan(e->drift))
        n += snprintf(text + n, sizeof text - (size_t)n, ", drift %.2g %% a flush", 100 * e->drift);
    if (!isnan(e->error))
        snprintf(text + n, sizeof text - (size_t)n, ", error %.2g %%", 100 * e->error);
    progress_tell(text, step);
}

void eddies_report(const eddies_mean *e, double dt)
{
    char error[160] = "less than a flush does not say its standard error";
    if (isnan(e->drift))
        return;
    if (!isnan(e->error))
        snprintf(error, sizeof error,
                 "its standard error is %.1f %% (rms over the columns, by %d parts of %.0f s)",
                 100 * e->error, e->count, (double)(e->last - e->begin) * dt / e->count);
    report("Mean      over %.0f s, %.2f flushes of the box: drifts by %.2f %% a flush; %s",
           (double)(e->last - e->from) * dt, flushes_of(e, e->last, dt), 100 * e->drift, error);
}

void eddies_add_stats(const eddies_mean *e, const scene *s, double dt, json *j)
{
    json_object(j, "convergence");
    json_number(j, "flushes", flushes_of(e, e->last, dt));
    json_number(j, "flush_s", e->flush_time);
    json_number(j, "averaged_s", (double)(e->last - e->from) * dt);
    json_number(j, "drift", e->drift);
    json_count(j, "batches", (uint64_t)e->count);
    json_number(j, "standard_error", e->error);
    if (e->points > 0 && !isnan(e->error)) {
        json_array(j, "probes");
        for (size_t p = 0; p < e->points; p++) {
            json_object(j, NULL);
            json_text(j, "name", s->probes[p].name);
            json_number(j, "height", s->probes[p].height);
            json_number(j, "speed_of_mean", hypot(e->rows[p].east, e->rows[p].north));
            json_number(j, "standard_error", error_at(e, e->columns + p));
            json_close(j, '}');
        }
        json_close(j, ']');
    }
    json_close(j, '}');
}
