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

#include "wind/weather_archive.h"

#include <cpl_conv.h>
#include <ogr_srs_api.h>
#include <stdlib.h>

#define MOST_SPEED 150.0 /* m/s: no wind at 10 m was faster than 113 */
#define MEMORY ((size_t)2 << 30)
#define BETWEEN 86400.0 /* s: over a longer gap nothing is interpolated */
enum { N = WEATHER_LATTICE };

/* ---- where it lies ---- */

/* A single value of a WRF field. */
static bool wrf_value(const weather_archive *a, const char *variable, int i, int j, double *out)
{
    char name[2048];
    snprintf(name, sizeof name, "NETCDF:\"%s\":%s", a->path, variable);
    GDALDatasetH set = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    bool done = set && GDALGetRasterXSize(set) > i && GDALGetRasterYSize(set) > j &&
                GDALRasterIO(GDALGetRasterBand(set, 1), GF_Read, i, j, 1, 1, out, 1, 1, GDT_Float64,
                             0, 0) == CE_None;
    if (set)
        GDALClose(set);
    return done && isfinite(*out);
}

/* WRF says its projection in attributes of its own, on a sphere of 6370 km, and longitudes and
 * latitudes of all points.  GDAL turns rows so that the first is the northernmost. */
static int place_wrf(weather_archive *a, GDALDatasetH set)
{
    int projection = atoi(weather_item(set, "NC_GLOBAL#MAP_PROJ"));
    double standard = CPLAtof(weather_item(set, "NC_GLOBAL#STAND_LON")),
           one = CPLAtof(weather_item(set, "NC_GLOBAL#TRUELAT1"));
    double two = CPLAtof(weather_item(set, "NC_GLOBAL#TRUELAT2")),
           middle = CPLAtof(weather_item(set, "NC_GLOBAL#MOAD_CEN_LAT"));
    double dx = CPLAtof(weather_item(set, "NC_GLOBAL#DX")),
           dy = CPLAtof(weather_item(set, "NC_GLOBAL#DY"));
    char proj[256];
    if (projection == 1)
        snprintf(proj, sizeof proj, "+proj=lcc +lat_1=%.10g +lat_2=%.10g +lat_0=%.10g +lon_0=%.10g",
                 one, two, middle, standard);
    else if (projection == 2)
        snprintf(proj, sizeof proj, "+proj=stere +lat_0=%d +lat_ts=%.10g +lon_0=%.10g",
                 one < 0 ? -90 : 90, one, standard);
    else if (projection == 3)
        snprintf(proj, sizeof proj, "+proj=merc +lat_ts=%.10g +lon_0=%.10g", one, standard);
    else
        return fail(STATUS_INPUT,
                    "--input %s: its MAP_PROJ is %d: 1 (Lambert), 2 (polar stereographic) and 3 "
                    "(Mercator) are read",
                    a->path, projection);
    snprintf(proj + strlen(proj), sizeof proj - strlen(proj), " +R=6370000 +units=m +no_defs");
    double x[2], y[2];
    bool found = wrf_value(a, "XLONG", 0, 0, &x[0]) && wrf_value(a, "XLAT", 0, 0, &y[0]) &&
                 wrf_value(a, "XLONG", a->nx - 1, a->ny - 1, &x[1]) &&
                 wrf_value(a, "XLAT", a->nx - 1, a->ny - 1, &y[1]);
    a->srs = OSRNewSpatialReference(NULL);
    OGRSpatialReferenceH globe = OSRNewSpatialReference(NULL);
    OSRImportFromProj4(globe, "+proj=longlat +R=6370000 +no_defs");
    found = found && OSRImportFromProj4(a->srs, proj) == OGRERR_NONE;
    OSRSetAxisMappingStrategy(a->srs, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(globe, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH to = found ? OCTNewCoordinateTransformation(globe, a->srs) : NULL;
    found = to && OCTTransform(to, 2, x, y, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(globe);
    double wide = a->nx > 1 ? (x[1] - x[0]) / (a->nx - 1) : dx,
           high = a->ny > 1 ? (y[1] - y[0]) / (a->ny - 1) : -dy;
    if (!found || !(fabs(fabs(wide) - dx) < 0.02 * dx) || !(fabs(fabs(high) - dy) < 0.02 * dy))
        return fail(STATUS_INPUT,
                    "--input %s: its XLONG and XLAT do not agree with its projection and spacing "
                    "of %g x %g m",
                    a->path, dx, dy);
    const double transform[6] = {x[0] - 0.5 * wide, wide, 0, y[0] - 0.5 * high, 0, high};
    memcpy(a->transform, transform, sizeof transform);
    return STATUS_OK;
}

static int place_archive(weather_archive *a)
{
    GDALDatasetH set = a->layers[0][0].set;
    a->nx = GDALGetRasterXSize(set);
    a->ny = GDALGetRasterYSize(set);
    if (*weather_item(set, "NC_GLOBAL#MAP_PROJ") && !GDALGetSpatialRef(set))
        return place_wrf(a, set);
    OGRSpatialReferenceH srs = GDALGetSpatialRef(set);
    bool placed = GDALGetGeoTransform(set, a->transform) == CE_None;
    if (!placed || a->transform[2] != 0 || a->transform[4] != 0)
        return fail(STATUS_INPUT,
                    "--input %s: does not say where it lies, or is turned: bring it to longitude "
                    "and latitude "
                    "or a projection first (gdalwarp, cdo remapbil)",
                    a->path);
    if (srs && (OSRIsProjected(srs) || OSRIsGeographic(srs))) {
        a->srs = OSRClone(srs);
    } else { /* longitude and latitude without a word */
        bool degrees =
            a->transform[0] >= -361 && a->transform[0] + a->nx * a->transform[1] <= 721 &&
            fabs(a->transform[3]) <= 91 && fabs(a->transform[3] + a->ny * a->transform[5]) <= 91;
        if (!degrees)
            return fail(STATUS_INPUT, "--input %s: has no coordinate system", a->path);
        a->srs = OSRNewSpatialReference(NULL);
        OSRImportFromEPSG(a->srs, 4326);
    }
    OSRSetAxisMappingStrategy(a->srs, OAMS_TRADITIONAL_GIS_ORDER);
    return STATUS_OK;
}

/* ---- values ---- */

/* Where points of the box lie: columns and rows of the file, counted from the middle of the first
 * cell; and what turns components along its grid to true north there: cosine and sine. */
typedef struct spots {
    double column[N * N], row[N * N], cosine[N * N], sine[N * N];
} spots;

/* Grid north of the file's projection against true north, from a small step along it. */
static bool find_turn(const weather_archive *a, int count, const double *x, const double *y,
                      spots *s)
{
    for (int i = 0; i < count; i++) {
        s->cosine[i] = 1;
        s->sine[i] = 0;
    }
    if (OSRIsGeographic(a->srs))
        return true;
    OGRSpatialReferenceH globe = OSRCloneGeogCS(a->srs);
    OSRSetAxisMappingStrategy(globe, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(a->srs, globe);
    const double step = 0.01 * fabs(a->transform[5]);
    bool done = to != NULL;
    for (int i = 0; i < count && done; i++) {
        double lon[2] = {x[i], x[i]}, lat[2] = {y[i], y[i] + step};
        done = OCTTransform(to, 2, lon, lat, NULL);
        double radian = M_PI / 180, east = remainder(lon[1] - lon[0], 360) * cos(lat[0] * radian),
               north = lat[1] - lat[0];
        double length = hypot(east, north);
        done = done && length > 0;
        s->cosine[i] = north / length; /* grid north points this far east of true north */
        s->sine[i] = east / length;
    }
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(globe);
    return done;
}

static int find_spots(const weather_archive *a, const place *at, const double box[4], spots *s)
{
    double x[N * N], y[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            x[j * N + i] = box[0] + (box[2] - box[0]) * i / (N - 1);
            y[j * N + i] = box[3] - (box[3] - box[1]) * j / (N - 1);
        }
    OGRSpatialReferenceH from = OSRNewSpatialReference(at->wkt_gdal);
    OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(from, a->srs);
    bool done = to && OCTTransform(to, N * N, x, y, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(from);
    if (!done || !find_turn(a, N * N, x, y, s))
        return fail(STATUS_INPUT, "--input %s: the box cannot be found in its system: %s", a->path,
                    weather_last_error());
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < N * N; i++) {
        if (OSRIsGeographic(a->srs)) /* longitudes on the file's own side of the globe */
            x[i] += 360 * round((a->transform[0] + 0.5 * a->nx * a->transform[1] - x[i]) / 360);
        s->column[i] = (x[i] - a->transform[0]) / a->transform[1] - 0.5;
        s->row[i] = (y[i] - a->transform[3]) / a->transform[5] - 0.5;
        low[0] = fmin(low[0], s->column[i]);
        high[0] = fmax(high[0], s->column[i]);
        low[1] = fmin(low[1], s->row[i]);
        high[1] = fmax(high[1], s->row[i]);
    }
    if (!(low[0] >= -0.5 && low[1] >= -0.5 && high[0] <= a->nx - 0.5 && high[1] <= a->ny - 0.5))
        return fail(STATUS_INPUT,
                    "--input %s: does not cover the box %.10g,%.10g,%.10g,%.10g (W,S,E,N): that is "
                    "its columns %.1f to %.1f "
                    "and rows %.1f to %.1f, and it has %d x %d",
                    a->path, box[0], box[1], box[2], box[3], low[0], high[0], low[1], high[1],
                    a->nx, a->ny);
    return STATUS_OK;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* A layer at all spots: bilinear. */
static int read_layer(const weather_archive *a, const weather_layer *l, const char *name,
                      const spots *s, double out[N * N])
{
    int low[2] = {a->nx, a->ny}, high[2] = {0, 0};
    for (int i = 0; i < N * N; i++) {
        int c = clamped((int)floor(s->column[i]), a->nx), r = clamped((int)floor(s->row[i]), a->ny);
        low[0] = c < low[0] ? c : low[0];
        low[1] = r < low[1] ? r : low[1];
        high[0] = c + 1 > high[0] ? c + 1 : high[0];
        high[1] = r + 1 > high[1] ? r + 1 : high[1];
    }
    high[0] = clamped(high[0], a->nx);
    high[1] = clamped(high[1], a->ny);
    int wide = high[0] - low[0] + 1, tall = high[1] - low[1] + 1;
    if ((double)wide * tall > 1e7)
        return fail(
            STATUS_INPUT,
            "--input %s: %d x %d of its cells lie in the box: it is no weather model's grid",
            a->path, wide, tall);
    GDALRasterBandH band = GDALGetRasterBand(l->set, l->band);
    size_t count = (size_t)wide * (size_t)tall;
    double *values = malloc(count * sizeof *values);
    unsigned char *valid = malloc(count);
    int status = values && valid ? STATUS_OK : fail_memory(), has_scale = 0, has_offset = 0;
    double scale = GDALGetRasterScale(band, &has_scale),
           offset = GDALGetRasterOffset(band, &has_offset);
    if (status == STATUS_OK && (GDALRasterIO(band, GF_Read, low[0], low[1], wide, tall, values,
                                             wide, tall, GDT_Float64, 0, 0) != CE_None ||
                                GDALRasterIO(GDALGetMaskBand(band), GF_Read, low[0], low[1], wide,
                                             tall, valid, wide, tall, GDT_Byte, 0, 0) != CE_None))
        status =
            fail(STATUS_INPUT, "--input %s: cannot be read: %s", a->path, weather_last_error());
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        values[i] =
            (values[i] * (has_scale && scale != 0 ? scale : 1) + (has_offset ? offset : 0)) *
            l->unit;
        if (!valid[i] || !(fabs(values[i]) <= MOST_SPEED))
            status = fail(STATUS_INPUT,
                          "--input %s: its %s at column %zu, row %zu is %s: the box lies where it "
                          "has no wind",
                          a->path, name, (size_t)low[0] + i % (size_t)wide,
                          (size_t)low[1] + i / (size_t)wide,
                          valid[i] ? "no speed of a wind" : "missing");
    }
    for (int i = 0; i < N * N && status == STATUS_OK; i++) {
        double c = fmin(fmax(s->column[i], 0), a->nx - 1), r = fmin(fmax(s->row[i], 0), a->ny - 1);
        int c0 = (int)c - low[0], r0 = (int)r - low[1], c1 = clamped(c0 + 1, wide),
            r1 = clamped(r0 + 1, tall);
        double p = c - floor(c), q = r - floor(r);
        const double *north = values + (size_t)r0 * (size_t)wide,
                     *south = values + (size_t)r1 * (size_t)wide;
        out[i] = (1 - q) * ((1 - p) * north[c0] + p * north[c1]) +
                 q * ((1 - p) * south[c0] + p * south[c1]);
    }
    free(values);
    free(valid);
    return status;
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
        found[0] = found[1] = &a->layers[component][0];
        if (first < last)
            return fail(STATUS_INPUT,
                        "--input %s: holds times from %s to %s: say which with --time: a MOMENT, "
                        "FROM/TO, or all",
                        a->path, from, to);
        return a->counts[component] == 1 || first <= last
                   ? STATUS_OK
                   : fail(STATUS_INPUT,
                          "--input %s: holds %d winds and does not say of which times", a->path,
                          a->counts[component]);
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
static int read_moment(const weather_archive *a, double time, const spots *s, weather *out,
                       const weather_layer *layers[2][2])
{
    static double found[2][2][N * N]; /* component, before and after */
    double share[2];
    int status = STATUS_OK;
    for (int c = 0; c < 2 && status == STATUS_OK; c++) {
        status = find_times(a, c, time, layers[c], &share[c]);
        for (int n = 0; n < 2 && status == STATUS_OK; n++)
            status = read_layer(a, layers[c][n], c == 0 ? "u10" : "v10", s, found[c][n]);
    }
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < N * N; i++) {
        double wind[2];
        for (int c = 0; c < 2; c++)
            wind[c] = found[c][0][i] + share[c] * (found[c][1][i] - found[c][0][i]);
        bool turns = layers[0][0]->on_grid;
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
    if (kept < n)
        warn("--input %s: holds some times more than once: the first of each is taken", a->path);
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

static void describe(const weather_archive *a, weather_series *s, const weather_layer *layers[2][2])
{
    const weather_layer *before = layers[0][0], *after = layers[0][1];
    char from[32] = "one time", to[32] = "";
    const bool many = s->count > 1, between = !many && after != before;
    if (isfinite(s->of[0].time))
        moment_write(many ? s->of[0].time : before->time, from, sizeof from);
    if (many || between)
        moment_write(many ? s->of[s->count - 1].time : after->time, to, sizeof to);
    int n = snprintf(s->what, sizeof s->what, "%d x %d cells%s, ", a->nx, a->ny,
                     before->on_grid ? ", components along the grid turned to true north" : "");
    if (many)
        snprintf(s->what + n, sizeof s->what - (size_t)n, "%zu times from %s to %s", s->count, from,
                 to);
    else
        snprintf(s->what + n, sizeof s->what - (size_t)n, "%s%s%s%s", from, between ? " and " : "",
                 to, between ? " interpolated" : "");
}

static int read_archive(weather_archive *a, weather_span span, const place *at, const double box[4],
                        weather_series *out)
{
    static spots s;
    static double times[WEATHER_TIMES];
    const weather_layer *layers[2][2];
    times[0] = span.from;
    out->count = 1;
    int status = check_components(a);
    if (status == STATUS_OK)
        status = place_archive(a);
    if (status == STATUS_OK)
        status = find_spots(a, at, box, &s);
    if (status == STATUS_OK && !isnan(span.to))
        status = list_times(a, span, times, &out->count);
    for (size_t i = 0; i < out->count && status == STATUS_OK; i++) {
        if (!isnan(span.to))
            status = check_has(a, times[i]);
        if (status == STATUS_OK)
            status = read_moment(a, times[i], &s, &out->of[i], layers);
    }
    if (status == STATUS_OK)
        describe(a, out, layers);
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
