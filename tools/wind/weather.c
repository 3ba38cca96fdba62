/* SPDX-License-Identifier: MIT */
/* The wind at 10 m from a weather model's file. */
#include "config.h"

#include "wind/weather.h"

#include "file.h"
#include "guard.h"
#include "wind/moment.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool weather_is(const char *path)
{
    static const char *const extensions[] = {".nc",   ".nc4", ".cdf", ".grib", ".grb", ".grib2",
                                             ".grb2", ".gb2", ".tif", ".tiff", ".vrt"};
    static const char *const magic[] = {"GRIB", "CDF\1", "CDF\2", "CDF\5", "\211HDF", "II*", "MM"};
    const char *dot = strrchr(path, '.');
    char head[5] = "";
    for (size_t i = 0; dot && i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcasecmp(dot, extensions[i]) == 0)
            return true;
    /* Those of WRF have no extension. */
    struct stat about;
    FILE *stream = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (stream) {
        if (fread(head, 1, 4, stream) != 4)
            head[0] = 0;
        fclose(stream);
    }
    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++)
        if (strncmp(head, magic[i], strlen(magic[i])) == 0)
            return true;
    return false;
}

#ifndef HAVE_GDAL

int weather_read(const char *path, weather_span span, const place *at, const double box[4],
                 weather_series **out)
{
    (void)span, (void)at, (void)box;
    *out = NULL;
    return fail(
        STATUS_INPUT,
        "--input %s: this foehn was built without GDAL and reads tables alone (FILE.csv): install "
        "libgdal-dev, then configure and make again",
        path);
}

void weather_destroy(weather_series *series)
{
    (void)series;
}

#else

#include "wind/weather_place.h"

#include <cpl_error.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#define MOST_SPEED 150.0 /* m/s: no wind at 10 m was faster than 113 */
#define MEMORY ((size_t)2 << 30)
#define BETWEEN 86400.0 /* s: over a longer gap nothing is interpolated */
enum { N = WEATHER_LATTICE };

/* ---- values ---- */

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* The part of a band that the spots lie in; of a grid that goes round the globe columns may begin
 * before the first or end behind the last. */
typedef struct part {
    int column, row, wide, tall;
} part;

static part part_of(const weather_archive *a, const weather_spots *s)
{
    int low[2] = {INT_MAX, INT_MAX}, high[2] = {INT_MIN, INT_MIN};
    for (int i = 0; i < N * N; i++) {
        const int at[2] = {(int)floor(s->column[i]), (int)floor(s->row[i])};
        for (int d = 0; d < 2; d++) {
            low[d] = at[d] < low[d] ? at[d] : low[d];
            high[d] = at[d] + 1 > high[d] ? at[d] + 1 : high[d];
        }
    }
    for (int d = s->goes_round; d < 2; d++) {
        low[d] = clamped(low[d], d ? a->ny : a->nx);
        high[d] = clamped(high[d], d ? a->ny : a->nx);
    }
    return (part){low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1};
}

/* It as numbers of a type, rows of `wide`. */
static bool read_part(const weather_archive *a, GDALRasterBandH band, const part *p,
                      GDALDataType type, void *out)
{
    const int bytes = type == GDT_Byte ? 1 : (int)sizeof(double);
    CPLErr error = CE_None;
    for (int done = 0, count; done < p->wide && error == CE_None; done += count) {
        const int from = ((p->column + done) % a->nx + a->nx) % a->nx;
        count = p->wide - done < a->nx - from ? p->wide - done : a->nx - from;
        error = GDALRasterIO(band, GF_Read, from, p->row, count, p->tall,
                             (char *)out + (ptrdiff_t)done * bytes, count, p->tall, type, bytes,
                             p->wide * bytes);
    }
    return error == CE_None;
}

/* A value that is no wind. */
typedef struct value_gap {
    bool found, missing;
    double value, column, row;
} value_gap;

/* A layer at all spots, bilinear; or a gap where they lie. */
static int read_layer(const weather_archive *a, const weather_layer *l, const weather_spots *s,
                      double out[N * N], value_gap *hole)
{
    const part p = part_of(a, s);
    hole->found = false;
    if ((double)p.wide * p.tall > 1e7)
        return fail(
            STATUS_INPUT,
            "--input %s: %d x %d of its cells lie in the box: it is no weather model's grid",
            a->path, p.wide, p.tall);
    GDALRasterBandH band = GDALGetRasterBand(l->set, l->band);
    size_t count = (size_t)p.wide * (size_t)p.tall;
    double *values = malloc(count * sizeof *values);
    unsigned char *valid = malloc(count);
    int status = values && valid ? STATUS_OK : fail_memory(), has_scale = 0, has_offset = 0;
    double scale = GDALGetRasterScale(band, &has_scale),
           offset = GDALGetRasterOffset(band, &has_offset);
    if (status == STATUS_OK && !(read_part(a, band, &p, GDT_Float64, values) &&
                                 read_part(a, GDALGetMaskBand(band), &p, GDT_Byte, valid)))
        status =
            fail(STATUS_INPUT, "--input %s: cannot be read: %s", a->path, weather_last_error());
    for (size_t i = 0; i < count && status == STATUS_OK && !hole->found; i++) {
        values[i] =
            (values[i] * (has_scale && scale != 0 ? scale : 1) + (has_offset ? offset : 0)) *
            l->unit;
        if (!valid[i] || !(fabs(values[i]) <= MOST_SPEED))
            *hole = (value_gap){true, !valid[i], values[i],
                                (p.column + (int)(i % (size_t)p.wide) + a->nx) % a->nx,
                                p.row + (double)(i / (size_t)p.wide)};
    }
    for (int i = 0; i < N * N && status == STATUS_OK && !hole->found; i++) {
        double c = s->goes_round ? s->column[i] : fmin(fmax(s->column[i], 0), a->nx - 1),
               r = fmin(fmax(s->row[i], 0), a->ny - 1);
        int c0 = (int)floor(c) - p.column, r0 = (int)r - p.row, c1 = clamped(c0 + 1, p.wide),
            r1 = clamped(r0 + 1, p.tall);
        double x = c - floor(c), y = r - floor(r);
        const double *north = values + (size_t)r0 * (size_t)p.wide,
                     *south = values + (size_t)r1 * (size_t)p.wide;
        out[i] = (1 - y) * ((1 - x) * north[c0] + x * north[c1]) +
                 y * ((1 - x) * south[c0] + x * south[c1]);
    }
    free(values);
    free(valid);
    return status;
}

static int refuse_gap(const weather_archive *a, int component, double time, const value_gap *g)
{
    char moment[40] = "", where[64] = "", value[32] = "missing";
    if (isfinite(time)) {
        snprintf(moment, sizeof moment, " of ");
        moment_write(time, moment + 4, sizeof moment - 4);
    }
    if (fabs(a->transform[1]) > 0)
        snprintf(where, sizeof where, " (%.6g, %.6g)",
                 a->transform[0] + (g->column + 0.5) * a->transform[1],
                 a->transform[3] + (g->row + 0.5) * a->transform[5]);
    if (!g->missing)
        snprintf(value, sizeof value, "%g m/s", g->value);
    return fail(STATUS_INPUT,
                "--input %s: its %s%s at column %.0f, row %.0f%s is %s: the box lies where it has "
                "no wind",
                a->path, component == 0 ? "u10" : "v10", moment, g->column, g->row, where, value);
}

/* The layer so many behind a first one that is of the same time; NULL: there is none. */
static const weather_layer *alike(const weather_archive *a, int component,
                                  const weather_layer *first, int behind)
{
    const weather_layer *end = a->layers[component] + a->counts[component];
    for (const weather_layer *l = first; l < end; l++)
        if ((l == first || fabs(l->time - first->time) <= 0) && behind-- == 0)
            return l;
    return NULL;
}

/* Both components of a time: of its layers the first that have no gap. */
static int read_time(const weather_archive *a, const weather_layer *const first[2],
                     const weather_spots *s, double *const out[2])
{
    value_gap refused = {0};
    int component = 0;
    for (int n = 0;; n++) {
        value_gap hole = {0};
        for (int c = 0; c < 2 && !hole.found; c++) {
            const weather_layer *l = alike(a, c, first[c], n);
            if (!l)
                return refuse_gap(a, component, first[c]->time, &refused);
            int status = read_layer(a, l, s, out[c], &hole);
            if (status != STATUS_OK)
                return status;
            if (hole.found && n == 0) {
                refused = hole;
                component = c;
            }
        }
        if (!hole.found)
            return STATUS_OK;
    }
}

/* ---- times ---- */

/* The layers before and after a time, and the share of the latter. */
static int find_times(const weather_archive *a, int component, double wanted,
                      const weather_layer *found[2], double *share)
{
    const weather_layer *before = NULL, *after = NULL;
    double first = INFINITY, last = -INFINITY;
    char from[32], to[32], asked[32], gap[2][32];
    for (int i = 0; i < a->counts[component]; i++) {
        const weather_layer *l = &a->layers[component][i];
        first = fmin(first, l->time);
        last = fmax(last, l->time);
        if (l->time <= wanted && !(before && before->time >= l->time))
            before = l;
        if (l->time >= wanted && !(after && after->time <= l->time))
            after = l;
    }
    moment_write(first, from, sizeof from);
    moment_write(last, to, sizeof to);
    moment_write(wanted, asked, sizeof asked);
    *share = 0;
    if (isnan(wanted)) {
        const double other = a->layers[!component][0].time;
        found[0] = found[1] = &a->layers[component][0];
        if (first <= last && fabs(other - found[0]->time) > 0 && component == 1) {
            moment_write(other, asked, sizeof asked);
            return fail(STATUS_INPUT,
                        "--input %s: has u10 of %s and v10 of %s: no wind of one time", a->path,
                        asked, from);
        }
        if (first < last)
            return fail(STATUS_INPUT,
                        "--input %s: holds times from %s to %s: say which with --time: a MOMENT, "
                        "FROM/TO, or all",
                        a->path, from, to);
        return a->counts[component] == 1 || first <= last
                   ? STATUS_OK
                   : fail(STATUS_INPUT,
                          "--input %s: holds %d winds and does not say of which times: give its "
                          "time units such as 'hours since 1970-01-01' (ncatted)",
                          a->path, a->counts[component]);
    }
    if (!isfinite(first))
        return fail(STATUS_INPUT, "--input %s: does not say of which time it is: leave out --time",
                    a->path);
    if (!before || !after)
        return fail(STATUS_INPUT, "--input %s: --time %s lies outside of its times, %s to %s",
                    a->path, asked, from, to);
    if (after->time - before->time > BETWEEN) {
        moment_write(before->time, gap[0], sizeof gap[0]);
        moment_write(after->time, gap[1], sizeof gap[1]);
        return fail(
            STATUS_INPUT,
            "--input %s: has no time between %s and %s, which is too long to interpolate to %s",
            a->path, gap[0], gap[1], asked);
    }
    found[0] = before;
    found[1] = after;
    *share =
        after->time > before->time ? (wanted - before->time) / (after->time - before->time) : 0;
    return STATUS_OK;
}

/* ---- all of it ---- */

static int check_components(const weather_archive *a)
{
    if (a->counts[0] > 0 && a->counts[1] > 0)
        return STATUS_OK;
    char others[260] = "";
    if (*a->others)
        snprintf(others, sizeof others, "; it has %s", a->others);
    if (a->counts[0] == 0 && a->counts[1] == 0)
        return fail(
            STATUS_INPUT,
            "--input %s: has no wind at 10 m (u10 and v10; in GRIB UGRD and VGRD at 10-HTGL)%s",
            a->path, others);
    return fail(STATUS_INPUT, "--input %s: has the wind at 10 m towards %s but not towards %s%s",
                a->path, a->counts[0] > 0 ? "east (u10)" : "north (v10)",
                a->counts[0] > 0 ? "north (v10)" : "east (u10)", others);
}

/* The mean over the sides, and what lies about it. */
static void summarise(weather *w)
{
    double east = 0, north = 0, square = 0;
    int count = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (i == 0 || j == 0 || i == N - 1 || j == N - 1) {
                east += (double)w->east[j][i];
                north += (double)w->north[j][i];
                count++;
            }
    east /= count;
    north /= count;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            square += pow((double)w->east[j][i] - east, 2) + pow((double)w->north[j][i] - north, 2);
    w->u10 = hypot(east, north);
    w->from = direction_from(east, north);
    w->spread = sqrt(square / (N * N));
}

/* The wind at a time that the file has, or between two of them. */
static int read_moment(const weather_archive *a, double time, const weather_spots *s, weather *out,
                       const weather_layer *layers[2][2])
{
    static double found[2][2][N * N]; /* component, before and after */
    double share[2];
    int status = STATUS_OK;
    for (int c = 0; c < 2 && status == STATUS_OK; c++)
        status = find_times(a, c, time, layers[c], &share[c]);
    for (int n = 0; n < 2 && status == STATUS_OK; n++) {
        const weather_layer *const first[2] = {layers[0][n], layers[1][n]};
        status = read_time(a, first, s, (double *const[2]){found[0][n], found[1][n]});
    }
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < N * N; i++) {
        double wind[2];
        for (int c = 0; c < 2; c++)
            wind[c] = found[c][0][i] + share[c] * (found[c][1][i] - found[c][0][i]);
        bool turns = layers[0][0]->along == WEATHER_ALONG_GRID;
        double east = turns ? wind[0] * s->cosine[i] + wind[1] * s->sine[i] : wind[0];
        double north = turns ? wind[1] * s->cosine[i] - wind[0] * s->sine[i] : wind[1];
        out->east[i / N][i % N] = (float)east;
        out->north[i / N][i % N] = (float)north;
    }
    out->time = isnan(time) ? layers[0][0]->time : time;
    summarise(out);
    return STATUS_OK;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times of a span that the file has, each once, in their order. */
static int list_times(const weather_archive *a, weather_span span, double times[WEATHER_TIMES],
                      size_t *count)
{
    double first = INFINITY, last = -INFINITY;
    char text[4][32];
    size_t n = 0;
    for (int i = 0; i < a->counts[0]; i++) {
        const double time = a->layers[0][i].time;
        first = fmin(first, time);
        last = fmax(last, time);
        if (!(time >= span.from && time <= span.to))
            continue;
        if (n == WEATHER_TIMES)
            return fail(STATUS_INPUT,
                        "--input %s: more than %d times: take fewer with --time FROM/TO", a->path,
                        (int)WEATHER_TIMES);
        times[n++] = time;
    }
    if (!isfinite(first))
        return fail(STATUS_INPUT, "--input %s: does not say of which time it is: leave out --time",
                    a->path);
    moment_write(first, text[0], sizeof text[0]);
    moment_write(last, text[1], sizeof text[1]);
    moment_write(span.from, text[2], sizeof text[2]);
    moment_write(span.to, text[3], sizeof text[3]);
    if (n == 0 || (isfinite(span.from) && span.from < first) ||
        (isfinite(span.to) && span.to > last))
        return fail(STATUS_INPUT, "--input %s: --time %s/%s %s, %s to %s", a->path, text[2],
                    text[3], n == 0 ? "holds none of its times" : "lies outside of its times",
                    text[0], text[1]);
    qsort(times, n, sizeof *times, by_time);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++)
        if (times[i] > times[kept - 1])
            times[kept++] = times[i];
    *count = kept;
    return STATUS_OK;
}

/* Both components have a time of a span; nothing is interpolated there. */
static int check_has(const weather_archive *a, double time)
{
    char text[32];
    for (int i = 0; i < a->counts[1]; i++)
        if (!(a->layers[1][i].time < time) && !(a->layers[1][i].time > time))
            return STATUS_OK;
    moment_write(time, text, sizeof text);
    return fail(STATUS_INPUT, "--input %s: has u10 at %s but no v10", a->path, text);
}

static void describe(const weather_archive *a, const char *how, weather_series *s,
                     const weather_layer *layers[2][2])
{
    const weather_layer *before = layers[0][0], *after = layers[0][1];
    char from[32] = "one time", to[32] = "";
    const bool many = s->count > 1, between = !many && after != before;
    if (isfinite(s->of[0].time))
        moment_write(many ? s->of[0].time : before->time, from, sizeof from);
    if (many || between)
        moment_write(many ? s->of[s->count - 1].time : after->time, to, sizeof to);
    int n = snprintf(s->what, sizeof s->what, "%d x %d cells%s%s, ", a->nx, a->ny, how,
                     before->along == WEATHER_ALONG_GRID
                         ? ", components along the grid turned to true north"
                         : "");
    if (many)
        snprintf(s->what + n, sizeof s->what - (size_t)n, "%zu times from %s to %s", s->count, from,
                 to);
    else
        snprintf(s->what + n, sizeof s->what - (size_t)n, "%s%s%s%s", from, between ? " and " : "",
                 to, between ? " interpolated" : "");
}

/* Members of an ensemble, versions of a reanalysis, or hours that two files which were joined had.
 */
static bool tell_of_alike(const weather_archive *a, double time)
{
    int alike = 0;
    char moment[32];
    for (int i = 0; i < a->counts[0]; i++)
        alike += fabs(a->layers[0][i].time - time) <= 0;
    moment_write(time, moment, sizeof moment);
    if (alike > 1)
        warn("--input %s: holds %d winds of %s: the first of a time that has no gap is taken",
             a->path, alike, moment);
    return alike > 1;
}

static int read_archive(weather_archive *a, weather_span span, const place *at, const double box[4],
                        weather_series *out)
{
    static weather_spots s;
    static double times[WEATHER_TIMES];
    const weather_layer *layers[2][2];
    times[0] = span.from;
    out->count = 1;
    int status = check_components(a);
    if (status == STATUS_OK)
        status = weather_find_spots(a, at, box, &s);
    if (status == STATUS_OK && !isnan(span.to))
        status = list_times(a, span, times, &out->count);
    for (size_t i = 0; i < out->count && status == STATUS_OK; i++) {
        if (!isnan(span.to))
            status = check_has(a, times[i]);
        if (status == STATUS_OK)
            status = read_moment(a, times[i], &s, &out->of[i], layers);
    }
    if (status != STATUS_OK)
        return status;
    bool alike = false;
    for (size_t i = 0; i < out->count && !alike; i++)
        alike = tell_of_alike(a, out->of[i].time);
    if (!layers[0][0]->says_unit || !layers[1][0]->says_unit)
        warn("--input %s: its %s has no units: taken as m/s", a->path,
             layers[0][0]->says_unit ? "v10" : "u10");
    describe(a, s.how, out, layers);
    return status;
}

typedef struct task {
    const char *path;
    weather_span span;
    const place *at;
    const double *box;
    weather_series *out;
} task;

static int work(void *data)
{
    const task *t = data;
    static weather_archive a;
    memset(&a, 0, sizeof a);
    a.path = t->path;
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    CPLErrorReset();
    int status = weather_archive_open(&a);
    if (status == STATUS_OK)
        status = read_archive(&a, t->span, t->at, t->box, t->out);
    weather_archive_close(&a);
    return status;
}

int weather_read(const char *path, weather_span span, const place *at, const double box[4],
                 weather_series **out)
{
    size_t size;
    *out = NULL;
    if (!at->projected)
        return fail(STATUS_INPUT,
                    "--input %s: the box has no place on the Earth: give --terrain with a "
                    "coordinate system, or "
                    "--origin",
                    path);
    int status = file_check_readable(path, &size);
    if (status != STATUS_OK)
        return status;
    *out = guard_share(sizeof **out); /* pages that no time needs are never there */
    if (!*out)
        return fail_memory();
    task t = {path, span, at, box, *out};
    return guard_run(path, MEMORY, work, &t);
}

void weather_destroy(weather_series *series)
{
    guard_unshare(series, sizeof *series);
}

#endif
