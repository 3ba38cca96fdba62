/* SPDX-License-Identifier: MIT */
/* Heights of the ground from a raster, by GDAL. */
#include "config.h"

#include "terrain/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void terrain_destroy(terrain *t)
{
    free(t->heights);
    t->heights = NULL;
    place_destroy(&t->place);
}

static double sample(const terrain *t, int i, int j)
{
    i = i < 0 ? 0 : i >= t->nx ? t->nx - 1 : i;
    j = j < 0 ? 0 : j >= t->ny ? t->ny - 1 : j;
    return (double)t->heights[(size_t)j * (size_t)t->nx + (size_t)i];
}

static double bilinear(const terrain *t, double easting, double northing)
{
    double x = (easting - t->west) / t->pixel[0] - 0.5;
    double y = (t->north - northing) / t->pixel[1] - 0.5;
    int i = (int)floor(x), j = (int)floor(y);
    double s = x - i, r = y - j;
    return (sample(t, i, j) * (1 - s) + sample(t, i + 1, j) * s) * (1 - r) +
           (sample(t, i, j + 1) * (1 - s) + sample(t, i + 1, j + 1) * s) * r;
}

double terrain_mean(const terrain *t, double west, double south, double east, double north)
{
    if (east - west < t->pixel[0] || north - south < t->pixel[1])
        return bilinear(t, 0.5 * (west + east), 0.5 * (south + north));
    double x0 = (west - t->west) / t->pixel[0], x1 = (east - t->west) / t->pixel[0];
    double y0 = (t->north - north) / t->pixel[1], y1 = (t->north - south) / t->pixel[1];
    double sum = 0, weights = 0;
    for (int j = (int)floor(y0); j < y1; j++)
        for (int i = (int)floor(x0); i < x1; i++) {
            double weight = (fmin(i + 1, x1) - fmax(i, x0)) * (fmin(j + 1, y1) - fmax(j, y0));
            sum += weight * sample(t, i, j);
            weights += weight;
        }
    return sum / weights;
}

#ifndef HAVE_GDAL

int terrain_read(const terrain_request *request, terrain *out)
{
    memset(out, 0, sizeof *out);
    return fail(STATUS_INPUT,
                "%s: this foehn was built without GDAL and cannot read rasters: "
                "install libgdal-dev, then configure and make again",
                request->path);
}

#else

#include "terrain/raster.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal_utils.h>

#define MOST_GAPS 0.05       /* of the window */
#define LEAST_SOUND 0.25     /* of it: a smaller part without gaps is not worth naming */
#define LOWEST_LAND (-440.0) /* m: the shore of the Dead Sea lies at -430 m */
#define LOWEST_COAST (-10.0) /* m: polders do not lie lower; */
#define SEA_SHARE 0.1        /* what does, in a raster that has a shore, may be sea */
enum { FEWEST = 8, MOST_SAMPLES = 4096 };

static int choose_window(const raster *r, const terrain_request *request, terrain *t)
{
    const double *e = r->extent;
    memcpy(t->window, request->has_window ? request->window : e, sizeof t->window);
    if (!request->has_window)
        return STATUS_OK;
    const double *w = t->window;
    double slack = 0.01;
    if (w[0] < e[0] - slack || w[1] < e[1] - slack || w[2] > e[2] + slack || w[3] > e[3] + slack)
        return fail(STATUS_INPUT,
                    "--window %.10g,%.10g,%.10g,%.10g: not inside %s, which covers "
                    "%.10g,%.10g,%.10g,%.10g (W,S,E,N, m%s%s)",
                    w[0], w[1], w[2], w[3], r->path, e[0], e[1], e[2], e[3], r->srs ? " in " : "",
                    r->srs ? OSRGetName(r->srs) : "");
    return STATUS_OK;
}

/* The cells of the system used that cover the window: where they begin, how wide a sample is. */
static int choose_samples(const raster *r, terrain *t)
{
    const double *g = r->transform;
    const double ends[2][2] = {{(t->window[0] - g[0]) / g[1], (t->window[2] - g[0]) / g[1]},
                               {(t->window[3] - g[3]) / g[5], (t->window[1] - g[3]) / g[5]}};
    const int most[2] = {r->nx, r->ny};
    int first[2], count[2];
    const double slack = 1e-6;
    for (int a = 0; a < 2; a++) {
        double low = fmax(0, floor(fmin(ends[a][0], ends[a][1]) + slack));
        double high = fmin(most[a], ceil(fmax(ends[a][0], ends[a][1]) - slack));
        first[a] = (int)low;
        count[a] = (int)(high - low);
    }
    if (count[0] < FEWEST || count[1] < FEWEST)
        return fail(STATUS_INPUT,
                    "%s: the window has %d x %d cells of the raster, fewer than %d x "
                    "%d: choose a larger --window or a finer raster",
                    r->path, count[0], count[1], (int)FEWEST, (int)FEWEST);
    /* More samples than the box has cells are of no use. */
    int longest = count[0] > count[1] ? count[0] : count[1];
    int factor = (longest + MOST_SAMPLES - 1) / MOST_SAMPLES;
    t->nx = (count[0] + factor - 1) / factor;
    t->ny = (count[1] + factor - 1) / factor;
    t->pixel[0] = fabs(g[1]) * factor;
    t->pixel[1] = fabs(g[5]) * factor;
    t->west = fmin(g[0] + g[1] * first[0], g[0] + g[1] * (first[0] + count[0]));
    t->north = fmax(g[3] + g[5] * first[1], g[3] + g[5] * (first[1] + count[1]));
    return STATUS_OK;
}

/* Samples that lie north up but for their order: turn a raster that runs from south to north, or
 * from east to west. */
static void turn_samples(const raster *r, const samples *s, terrain *t)
{
    const double *g = r->transform;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            int column = g[1] > 0 ? i : t->nx - 1 - i, row = g[5] < 0 ? j : t->ny - 1 - j;
            t->heights[(size_t)j * (size_t)t->nx + (size_t)i] =
                s->heights[(size_t)row * (size_t)s->nx + (size_t)column];
        }
}

/* A raster in memory of samples as they lie in the source. */
static GDALDatasetH wrap_samples(const raster *r, const samples *s)
{
    GDALDatasetH memory =
        GDALCreate(GDALGetDriverByName("MEM"), "", s->nx, s->ny, 1, GDT_Float32, NULL);
    if (!memory)
        return NULL;
    const double *from = r->from;
    double g[6];
    for (int a = 0; a < 6; a += 3) {
        g[a] = from[a] + s->column * from[a + 1] + s->row * from[a + 2];
        g[a + 1] = from[a + 1] * s->factor;
        g[a + 2] = from[a + 2] * s->factor;
    }
    OGRSpatialReferenceH srs = GDALGetSpatialRef(r->source);
    srs = srs && r->srs ? OSRClone(srs) : NULL;
    if (srs) {
        OSRStripVertical(srs);
        GDALSetSpatialRef(memory, srs);
        OSRDestroySpatialReference(srs);
    }
    GDALSetGeoTransform(memory, g);
    GDALSetRasterNoDataValue(GDALGetRasterBand(memory, 1), NAN);
    if (GDALRasterIO(GDALGetRasterBand(memory, 1), GF_Write, 0, 0, s->nx, s->ny, s->heights, s->nx,
                     s->ny, GDT_Float32, 0, 0) == CE_None)
        return memory;
    GDALClose(memory);
    return NULL;
}

/* Bring samples to the system used. */
static int warp_samples(const raster *r, const samples *s, terrain *t)
{
    char *wkt = NULL, side[4][40], size[2][16];
    if (r->srs)
        OSRExportToWkt(r->srs, &wkt);
    const double box[4] = {t->west, t->north - t->ny * t->pixel[1], t->west + t->nx * t->pixel[0],
                           t->north};
    for (int i = 0; i < 4; i++)
        snprintf(side[i], sizeof side[i], "%.17g", box[i]);
    snprintf(size[0], sizeof size[0], "%d", t->nx);
    snprintf(size[1], sizeof size[1], "%d", t->ny);
    char *args[] = {"-of",   "MEM", "-r",    "bilinear", "-dstnodata",
                    "nan",   "-te", side[0], side[1],    side[2],
                    side[3], "-ts", size[0], size[1],    wkt ? "-t_srs" : NULL,
                    wkt,     NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(args, NULL);
    GDALDatasetH source = wrap_samples(r, s), warped = NULL;
    int bad = 0;
    if (options && source)
        warped = GDALWarp("", NULL, 1, &source, options, &bad);
    bool done = warped && GDALRasterIO(GDALGetRasterBand(warped, 1), GF_Read, 0, 0, t->nx, t->ny,
                                       t->heights, t->nx, t->ny, GDT_Float32, 0, 0) == CE_None;
    if (warped)
        GDALClose(warped);
    if (source)
        GDALClose(source);
    GDALWarpAppOptionsFree(options);
    CPLFree(wkt);
    if (done)
        return STATUS_OK;
    return fail(STATUS_INPUT, "%s: cannot be resampled to north up: %s", r->path, raster_error());
}

static int place_samples(const raster *r, const samples *s, terrain *t)
{
    t->heights = malloc((size_t)t->nx * (size_t)t->ny * sizeof *t->heights);
    if (!t->heights)
        return fail_memory();
    if (r->resampled)
        return warp_samples(r, s, t);
    turn_samples(r, s, t);
    return STATUS_OK;
}

/* Too many voids: say what the window could be instead. */
static int refuse_voids(const raster *r, const samples *s, terrain *t)
{
    double share = (double)s->voids / (double)s->cells, box[4];
    int sound[4];
    int status = place_samples(r, s, t);
    if (status != STATUS_OK)
        return status;
    if (!gaps_largest_sound(t->heights, t->nx, t->ny, sound))
        return fail_memory();
    raster_find_box(r, s->void_box, box);
    int wide = sound[2] - sound[0], high = sound[3] - sound[1];
    double part = (double)wide * high / ((double)t->nx * t->ny);
    char way[200] = "choose a --window W,S,E,N with fewer";
    if (part >= LEAST_SOUND && wide >= FEWEST && high >= FEWEST)
        snprintf(
            way, sizeof way,
            "the largest part without is --window %.10g,%.10g,%.10g,%.10g (%.0f %% of the area)",
            fmax(t->west + sound[0] * t->pixel[0], t->window[0]),
            fmax(t->north - sound[3] * t->pixel[1], t->window[1]),
            fmin(t->west + sound[2] * t->pixel[0], t->window[2]),
            fmin(t->north - sound[1] * t->pixel[1], t->window[3]), 100 * part);
    return fail(
        STATUS_INPUT,
        "%s: %zu of %zu cells (%.1f %%) have no height, more than the %g %% that can be filled; "
        "they lie within %.10g,%.10g,%.10g,%.10g: %s; if they are sea, give --void-height 0; if "
        "they are holes in the ground, fill them (gdal_fillnodata.py)",
        r->path, s->voids, s->cells, 100 * share, 100 * MOST_GAPS, box[0], box[1], box[2], box[3],
        way);
}

static int treat_voids(const raster *r, const terrain_request *request, samples *s, terrain *t)
{
    if (s->voids == s->cells)
        return fail(STATUS_INPUT,
                    "%s: all %zu cells of the window have no height: choose "
                    "another raster or --window",
                    r->path, s->cells);
    if (s->voids == 0)
        return gaps_fill(s->heights, s->nx, s->ny) ? STATUS_OK : fail_memory();
    double share = (double)s->voids / (double)s->cells, box[4];
    raster_find_box(r, s->void_box, box);
    if (request->has_void_height) {
        for (size_t c = 0; c < (size_t)s->nx * (size_t)s->ny; c++)
            if (isnan(s->heights[c]))
                s->heights[c] = (float)request->void_height;
        report("Terrain   %s: %zu of %zu cells (%.2f %%) have no height and were set to %g m",
               r->path, s->voids, s->cells, 100 * share, request->void_height);
        return STATUS_OK;
    }
    if (share > MOST_GAPS)
        return refuse_voids(r, s, t);
    if (!gaps_fill(s->heights, s->nx, s->ny))
        return fail_memory();
    warn("%s: %zu of %zu cells (%.2f %%) have no height and were filled from their "
         "neighbours; they lie within W,S,E,N = %.10g,%.10g,%.10g,%.10g",
         r->path, s->voids, s->cells, 100 * share, box[0], box[1], box[2], box[3]);
    return STATUS_OK;
}

static void find_range(terrain *t)
{
    t->lowest = INFINITY;
    t->summit = -INFINITY;
    for (size_t c = 0; c < (size_t)t->nx * (size_t)t->ny; c++) {
        t->lowest = fmin(t->lowest, (double)t->heights[c]);
        t->summit = fmax(t->summit, (double)t->heights[c]);
    }
}

/* The floor of a sea is no ground that a wind blows over, and no raster says which is which. */
static void warn_of_sea(const raster *r, const terrain *t)
{
    size_t cells = (size_t)t->nx * (size_t)t->ny, under = 0;
    for (size_t c = 0; c < cells; c++)
        under += t->heights[c] < 0;
    double share = (double)under / (double)cells;
    if (t->lowest < LOWEST_LAND || (t->lowest < LOWEST_COAST && t->summit > 0 && share > SEA_SHARE))
        warn("%s: %.3g %% of it lies below 0 m, down to %.0f m, and is taken as dry ground: if it "
             "is the floor of a sea, raise it to the sea's surface with gdal_calc.py -A F "
             "--calc='maximum(A,0)' --outfile=heights.tif",
             r->path, 100 * share, t->lowest);
}

static int read_heights(const raster *r, const terrain_request *request, terrain *t)
{
    samples s;
    int status = choose_samples(r, t);
    if (status != STATUS_OK)
        return status;
    status = samples_read(r, t->window, &s);
    if (status == STATUS_OK)
        status = treat_voids(r, request, &s, t);
    size_t doubted = status == STATUS_OK ? gaps_check(r, &s, &t->lowest_sound) : 0;
    if (status == STATUS_OK)
        status = place_samples(r, &s, t);
    /* Cells that the resampling reached over an edge for. */
    if (status == STATUS_OK && !gaps_fill(t->heights, t->nx, t->ny))
        status = fail_memory();
    samples_destroy(&s);
    if (status != STATUS_OK)
        return status;
    find_range(t);
    t->lowest_sound = doubted > 0 ? fmax(t->lowest_sound, t->lowest) : t->lowest;
    warn_of_sea(r, t);
    return STATUS_OK;
}

static int read_place(const raster *r, terrain *t)
{
    memcpy(t->place.area, t->window, sizeof t->place.area);
    if (!r->srs) {
        snprintf(t->place.name, sizeof t->place.name, "metres, assumed");
        return STATUS_OK;
    }
    char *wkt = NULL;
    const char *options[] = {"FORMAT=WKT2_2018", NULL};
    if (OSRExportToWktEx(r->srs, &wkt, options) != OGRERR_NONE) {
        CPLFree(wkt);
        return fail(STATUS_INPUT, "%s: its coordinate system cannot be written: %s", r->path,
                    raster_error());
    }
    int status = place_create(&t->place, wkt);
    CPLFree(wkt);
    return status;
}

int terrain_read(const terrain_request *request, terrain *out)
{
    memset(out, 0, sizeof *out);
    GDALAllRegister();
    /* GDAL's own lines on stderr would stand beside ours. */
    CPLSetErrorHandler(CPLQuietErrorHandler);
    raster r = {0};
    int status = raster_open(&r, request);
    if (status == STATUS_OK)
        status = choose_window(&r, request, out);
    if (status == STATUS_OK)
        status = read_place(&r, out);
    if (status == STATUS_OK)
        status = read_heights(&r, request, out);
    raster_close(&r);
    if (status != STATUS_OK)
        terrain_destroy(out);
    return status;
}

#endif
