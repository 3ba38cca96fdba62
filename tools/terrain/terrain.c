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

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <gdal_utils.h>
#include <ogr_srs_api.h>

#define FOOT 0.3048
#define US_SURVEY_FOOT (1200.0 / 3937.0)

enum { FEWEST = 8, MOST_SAMPLES = 4096 };

/* A raster that is unrotated and in metres or, without a coordinate system, taken as such. */
typedef struct raster {
    const char *path;
    GDALDatasetH source;  /* as it lies in the file */
    GDALDatasetH dataset; /* the source, or the source warped */
    OGRSpatialReferenceH srs;
    double transform[6]; /* of dataset, m */
    double extent[4];    /* west, south, east, north that hold ground, m */
    double vertical;     /* metres per unit of the band */
} raster;

static void raster_close(raster *r)
{
    if (r->dataset && r->dataset != r->source)
        GDALClose(r->dataset);
    if (r->source)
        GDALClose(r->source);
    OSRDestroySpatialReference(r->srs);
}

static const char *gdal_error(void)
{
    const char *text = CPLGetLastErrorMsg();
    return text && *text ? text : "no reason given";
}

/* GDAL is silent about files that are not there. */
static const char *open_error(const char *path)
{
    VSIStatBufL found;
    const char *text = CPLGetLastErrorMsg();
    return (text && *text) || VSIStatL(path, &found) == 0 ? gdal_error() : "there is no such file";
}

/* Metres per unit of height, from the band or else from the vertical part of the system. */
static double find_vertical(const raster *r)
{
    const char *unit = GDALGetRasterUnitType(GDALGetRasterBand(r->source, 1));
    char word[32];
    size_t n = 0;
    for (const char *p = unit ? unit : ""; *p && n + 1 < sizeof word; p++)
        word[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
    word[n] = 0;
    if (n == 0 && r->srs && OSRIsVertical(r->srs))
        return OSRGetTargetLinearUnits(r->srs, "VERT_CS", NULL);
    if (strstr(word, "survey") || strstr(word, "us-ft") || strstr(word, "ftus") ||
        strstr(word, "us ft"))
        return US_SURVEY_FOOT;
    if (strncmp(word, "ft", 2) == 0 || strncmp(word, "feet", 4) == 0 ||
        strncmp(word, "foot", 4) == 0)
        return FOOT;
    if (strcmp(word, "cm") == 0 || strncmp(word, "centim", 6) == 0)
        return 0.01;
    if (n > 0 && strcmp(word, "m") != 0 && strncmp(word, "met", 3) != 0)
        warn("%s: heights in '%s', an unknown unit: taken as metres", r->path, unit);
    return 1;
}

/* The outline of the source, some points a side, in the system used. */
enum { SIDE = 32, OUTLINE = 4 * SIDE };

static bool find_outline(const raster *r, double *x, double *y)
{
    double from[6];
    if (GDALGetGeoTransform(r->source, from) != CE_None)
        return false;
    double nx = GDALGetRasterXSize(r->source), ny = GDALGetRasterYSize(r->source);
    for (int i = 0; i < OUTLINE; i++) {
        double s = (double)(i % SIDE) / SIDE;
        double column = i < SIDE ? s : i < 2 * SIDE ? 1 : i < 3 * SIDE ? 1 - s : 0;
        double row = i < SIDE ? 0 : i < 2 * SIDE ? s : i < 3 * SIDE ? 1 : 1 - s;
        x[i] = from[0] + column * nx * from[1] + row * ny * from[2];
        y[i] = from[3] + column * nx * from[4] + row * ny * from[5];
    }
    OGRSpatialReferenceH srs = GDALGetSpatialRef(r->source);
    if (!srs || !r->srs || OSRIsSame(srs, r->srs))
        return true;
    OGRSpatialReferenceH lonlat = OSRClone(srs);
    OSRSetAxisMappingStrategy(lonlat, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(lonlat, r->srs);
    bool done = to && OCTTransform(to, OUTLINE, x, y, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(lonlat);
    return done;
}

static bool inside(const double *x, const double *y, double px, double py)
{
    bool in = false;
    for (int i = 0, k = OUTLINE - 1; i < OUTLINE; k = i++)
        if ((y[i] > py) != (y[k] > py) && px < x[i] + (py - y[i]) * (x[k] - x[i]) / (y[k] - y[i]))
            in = !in;
    return in;
}

/* Shrink the extent of a warped raster about its centre until no corner lies outside the ground. */
static void fit_inside(raster *r, const double *x, const double *y)
{
    double cx = 0.5 * (r->extent[0] + r->extent[2]), cy = 0.5 * (r->extent[1] + r->extent[3]);
    double wx = 0.5 * (r->extent[2] - r->extent[0]), wy = 0.5 * (r->extent[3] - r->extent[1]);
    double low = 0, high = 1;
    for (int step = 0; step < 40; step++) {
        double scale = 0.5 * (low + high);
        bool fits = true;
        for (int i = 0; i < OUTLINE && fits; i++) {
            double s = 2.0 * (i % SIDE) / SIDE - 1;
            double px = i < SIDE ? s : i < 2 * SIDE ? 1 : i < 3 * SIDE ? -s : -1;
            double py = i < SIDE ? -1 : i < 2 * SIDE ? s : i < 3 * SIDE ? 1 : -s;
            fits = inside(x, y, cx + scale * wx * px, cy + scale * wy * py);
        }
        *(fits ? &low : &high) = scale;
    }
    /* A pixel less, for the bilinear kernel reaches over the edge. */
    wx = low * wx - fabs(r->transform[1]);
    wy = low * wy - fabs(r->transform[5]);
    r->extent[0] = cx - wx;
    r->extent[1] = cy - wy;
    r->extent[2] = cx + wx;
    r->extent[3] = cy + wy;
}

/* Resample to north up in the system used. */
static int warp(raster *r)
{
    char *wkt = NULL;
    if (r->srs)
        OSRExportToWkt(r->srs, &wkt);
    char *args[20] = {"-of",     "VRT",        "-r",  "bilinear",  "-ot",
                      "Float32", "-dstnodata", "nan", "-novshift", wkt ? "-t_srs" : NULL,
                      wkt,       NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(args, NULL);
    int bad = 0;
    if (options)
        r->dataset = GDALWarp("", NULL, 1, &r->source, options, &bad);
    GDALWarpAppOptionsFree(options);
    CPLFree(wkt);
    if (!r->dataset || GDALGetGeoTransform(r->dataset, r->transform) != CE_None)
        return fail(STATUS_INPUT, "%s: cannot be resampled to north up: %s", r->path, gdal_error());
    return STATUS_OK;
}

/* The UTM zone of the middle of a geographic raster, on the raster's own datum. */
static int choose_utm(raster *r, const double *transform)
{
    double nx = GDALGetRasterXSize(r->source), ny = GDALGetRasterYSize(r->source);
    double unit = OSRGetAngularUnits(r->srs, NULL) * (180 / 3.14159265358979323846);
    double longitude = unit * (transform[0] + 0.5 * nx * transform[1] + 0.5 * ny * transform[2]) +
                       OSRGetPrimeMeridian(r->srs, NULL);
    double latitude = unit * (transform[3] + 0.5 * nx * transform[4] + 0.5 * ny * transform[5]);
    if (latitude < -80 || latitude > 84)
        return fail(STATUS_INPUT,
                    "%s: latitude %.2f is beyond the UTM zones: reproject it with "
                    "gdalwarp -t_srs to a polar projection in metres",
                    r->path, latitude);
    longitude = longitude - 360 * floor((longitude + 180) / 360);
    int zone = (int)floor((longitude + 180) / 6) + 1;
    zone = zone > 60 ? 60 : zone;
    OGRSpatialReferenceH utm = OSRNewSpatialReference(NULL);
    const char *authority = OSRGetAuthorityName(r->srs, "GEOGCS");
    const char *code = OSRGetAuthorityCode(r->srs, "GEOGCS");
    if (authority && code && strcmp(authority, "EPSG") == 0 && strcmp(code, "4326") == 0) {
        OSRImportFromEPSG(utm, (latitude >= 0 ? 32600 : 32700) + zone);
    } else {
        const char *datum = OSRGetAttrValue(r->srs, "GEOGCS", 0);
        char name[160];
        snprintf(name, sizeof name, "%s / UTM zone %d%c", datum ? datum : "unnamed", zone,
                 latitude >= 0 ? 'N' : 'S');
        OSRSetProjCS(utm, name);
        OSRCopyGeogCSFrom(utm, r->srs);
        OSRSetUTM(utm, zone, latitude >= 0);
    }
    OSRSetAxisMappingStrategy(utm, OAMS_TRADITIONAL_GIS_ORDER);
    report("Terrain   %s is in longitude and latitude: reprojected to %s", r->path,
           OSRGetName(utm));
    OSRDestroySpatialReference(r->srs);
    r->srs = utm;
    return STATUS_OK;
}

/* Metres per horizontal unit; 1 also for an unnamed system. */
static int check_system(raster *r, bool assume_metres, double *unit)
{
    *unit = 1;
    OGRSpatialReferenceH srs = GDALGetSpatialRef(r->source);
    if (srs && (OSRIsProjected(srs) || OSRIsGeographic(srs))) {
        r->srs = OSRClone(srs);
        OSRSetAxisMappingStrategy(r->srs, OAMS_TRADITIONAL_GIS_ORDER);
        r->vertical = find_vertical(r);
        OSRStripVertical(r->srs);
        if (OSRIsProjected(r->srs))
            *unit = OSRGetLinearUnits(r->srs, NULL);
        return STATUS_OK;
    }
    r->vertical = find_vertical(r);
    if (assume_metres)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s: %s: give --assume-metres if its coordinates are metres with "
                "north up, or name the system with gdal_edit.py -a_srs EPSG:CODE",
                r->path,
                srs ? "its coordinate system is neither projected nor geographic"
                    : "has no coordinate system");
}

static int raster_open(raster *r, const terrain_request *request)
{
    r->path = request->path;
    CPLErrorReset();
    r->source = GDALOpenEx(r->path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (!r->source)
        return fail(STATUS_INPUT, "%s: cannot be read as a raster: %s", r->path, open_error(r->path));
    if (GDALGetRasterCount(r->source) < 1)
        return fail(STATUS_INPUT, "%s: has no band: give a raster of heights", r->path);
    r->dataset = r->source;
    double *g = r->transform;
    if (GDALGetGeoTransform(r->source, g) != CE_None)
        return fail(STATUS_INPUT,
                    "%s: does not say where it lies: give it a place with "
                    "gdal_translate -a_ullr",
                    r->path);
    double unit;
    int status = check_system(r, request->assume_metres, &unit);
    if (status != STATUS_OK)
        return status;

    bool geographic = r->srs && OSRIsGeographic(r->srs);
    bool rotated = g[2] != 0 || g[4] != 0;
    if (geographic)
        status = choose_utm(r, g);
    if (status == STATUS_OK && (geographic || rotated))
        status = warp(r);
    if (status != STATUS_OK)
        return status;
    if (rotated && !geographic)
        report("Terrain   %s is rotated: resampled to north up", r->path);

    double x[OUTLINE], y[OUTLINE];
    double x1 = g[0] + g[1] * GDALGetRasterXSize(r->dataset);
    double y1 = g[3] + g[5] * GDALGetRasterYSize(r->dataset);
    r->extent[0] = fmin(g[0], x1);
    r->extent[1] = fmin(g[3], y1);
    r->extent[2] = fmax(g[0], x1);
    r->extent[3] = fmax(g[3], y1);
    if (r->dataset != r->source && find_outline(r, x, y))
        fit_inside(r, x, y);

    if (r->srs && fabs(unit - 1) > 1e-9) {
        /* Feet or the like: the same projection counted in metres; no resampling. */
        for (int i = 0; i < 6; i++)
            g[i] *= unit;
        for (int i = 0; i < 4; i++)
            r->extent[i] *= unit;
        OSRSetLinearUnitsAndUpdateParameters(r->srs, "metre", 1);
        report("Terrain   %s has coordinates in units of %.10g m: counted in metres from here on",
               r->path, unit);
    }
    if (r->vertical != 1)
        report("Terrain   %s has heights in units of %.10g m: converted to metres", r->path,
               r->vertical);
    return STATUS_OK;
}

/* Heights in metres, NaN where there are none. */
static void to_metres(const raster *r, const unsigned char *mask, size_t count, float *heights)
{
    GDALRasterBandH band = GDALGetRasterBand(r->dataset, 1);
    int has_scale = 0, has_offset = 0, has_nodata = 0;
    double scale = GDALGetRasterScale(band, &has_scale);
    double offset = GDALGetRasterOffset(band, &has_offset);
    GDALGetRasterNoDataValue(band, &has_nodata);
    scale = has_scale && scale != 0 ? scale : 1;
    offset = has_offset ? offset : 0;
    for (size_t c = 0; c < count; c++) {
        double value = (double)heights[c];
        /* Rasters that do not declare their gaps mark them with one of these all the same. */
        bool gap = mask[c] == 0 || !isfinite(value) ||
                   (!has_nodata && (value == -9999 || value == -32767 || value == -32768));
        value = (value * scale + offset) * r->vertical;
        /* No ground lies there: the deepest trench is at -11 km, the highest summit at 8.8 km. */
        gap = gap || value < -12000 || value > 9500;
        heights[c] = gap ? NAN : (float)value;
    }
}

/* Read the samples that cover the window, north up. */
static int read_samples(const raster *r, terrain *t)
{
    const double *g = r->transform;
    int nx = GDALGetRasterXSize(r->dataset), ny = GDALGetRasterYSize(r->dataset);
    /* Pixel numbers of the window's edges, whatever way the raster runs. */
    double a = (t->window[0] - g[0]) / g[1], b = (t->window[2] - g[0]) / g[1];
    double c = (t->window[3] - g[3]) / g[5], d = (t->window[1] - g[3]) / g[5];
    const double slack = 1e-6;
    int i0 = (int)floor(fmin(a, b) + slack), i1 = (int)ceil(fmax(a, b) - slack);
    int j0 = (int)floor(fmin(c, d) + slack), j1 = (int)ceil(fmax(c, d) - slack);
    i0 = i0 < 0 ? 0 : i0;
    j0 = j0 < 0 ? 0 : j0;
    i1 = i1 > nx ? nx : i1;
    j1 = j1 > ny ? ny : j1;
    int wide = i1 - i0, high = j1 - j0;
    if (wide < FEWEST || high < FEWEST)
        return fail(STATUS_INPUT,
                    "%s: the window has %d x %d cells of the raster, fewer than %d x "
                    "%d: choose a larger --window or a finer raster",
                    r->path, wide, high, (int)FEWEST, (int)FEWEST);
    /* More samples than the box has cells are of no use. */
    t->nx = wide > MOST_SAMPLES ? MOST_SAMPLES : wide;
    t->ny = high > MOST_SAMPLES ? MOST_SAMPLES : high;
    t->pixel[0] = fabs(g[1]) * wide / t->nx;
    t->pixel[1] = fabs(g[5]) * high / t->ny;
    t->west = fmin(g[0] + g[1] * i0, g[0] + g[1] * i1);
    t->north = fmax(g[3] + g[5] * j0, g[3] + g[5] * j1);

    size_t count = (size_t)t->nx * (size_t)t->ny;
    t->heights = malloc(count * sizeof *t->heights);
    unsigned char *mask = malloc(count);
    if (!t->heights || !mask) {
        free(mask);
        return fail_memory();
    }
    GDALRasterIOExtraArg extra;
    INIT_RASTERIO_EXTRA_ARG(extra);
    extra.eResampleAlg = t->nx < wide || t->ny < high ? GRIORA_Average : GRIORA_NearestNeighbour;
    /* Negative strides turn a raster that runs from south to north, or from east to west. */
    GSpacing across = (g[1] > 0 ? 1 : -1), down = (g[5] < 0 ? 1 : -1) * (GSpacing)t->nx;
    size_t first =
        (g[1] > 0 ? 0 : (size_t)t->nx - 1) + (g[5] < 0 ? 0 : (size_t)(t->ny - 1) * (size_t)t->nx);
    GDALRasterBandH band = GDALGetRasterBand(r->dataset, 1);
    GSpacing size = sizeof *t->heights;
    CPLErr error = GDALRasterIOEx(band, GF_Read, i0, j0, wide, high, t->heights + first, t->nx,
                                  t->ny, GDT_Float32, across * size, down * size, &extra);
    extra.eResampleAlg = GRIORA_NearestNeighbour;
    if (error == CE_None)
        error = GDALRasterIOEx(GDALGetMaskBand(band), GF_Read, i0, j0, wide, high, mask + first,
                               t->nx, t->ny, GDT_Byte, across, down, &extra);
    if (error == CE_None)
        to_metres(r, mask, count, t->heights);
    free(mask);
    if (error != CE_None)
        return fail(STATUS_INPUT, "%s: cannot be read: %s", r->path, gdal_error());
    return STATUS_OK;
}

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
                    gdal_error());
    }
    int status = place_create(&t->place, wkt);
    CPLFree(wkt);
    return status;
}

/* Resampling blends zeros that stand for gaps with the ground beside them: look for them before. */
static int check_source_zeros(const raster *r, terrain *out)
{
    int wide = GDALGetRasterXSize(r->source), high = GDALGetRasterYSize(r->source);
    double from[6];
    terrain t = {.nx = wide > MOST_SAMPLES ? MOST_SAMPLES : wide,
                 .ny = high > MOST_SAMPLES ? MOST_SAMPLES : high};
    if (GDALGetGeoTransform(r->source, from) != CE_None || from[2] != 0 || from[4] != 0)
        return STATUS_OK;
    t.pixel[0] = fabs(from[1]) * wide / t.nx;
    t.pixel[1] = fabs(from[5]) * high / t.ny;
    t.west = fmin(from[0], from[0] + from[1] * wide);
    t.north = fmax(from[3], from[3] + from[5] * high);
    t.heights = malloc((size_t)t.nx * (size_t)t.ny * sizeof *t.heights);
    if (!t.heights)
        return fail_memory();
    if (GDALRasterIO(GDALGetRasterBand(r->source, 1), GF_Read, 0, 0, wide, high, t.heights, t.nx,
                     t.ny, GDT_Float32, 0, 0) == CE_None)
        terrain_check_zeros(r->path, &t);
    free(t.heights);
    out->zeros = t.zeros;
    if (t.zeros > 0)
        out->lowest_sound = fmax(out->lowest_sound, t.lowest_sound * r->vertical);
    return STATUS_OK;
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
        status = read_samples(&r, out);
    if (status == STATUS_OK)
        status = read_place(&r, out);
    if (status == STATUS_OK)
        status = terrain_fill_gaps(request->path, out);
    if (status == STATUS_OK) {
        terrain_check_zeros(request->path, out);
        if (r.dataset != r.source)
            status = check_source_zeros(&r, out);
    }
    raster_close(&r);
    if (status != STATUS_OK)
        terrain_destroy(out);
    return status;
}

#endif
