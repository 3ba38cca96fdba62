/* SPDX-License-Identifier: MIT */
/* A raster of heights, by GDAL: where it lies, and how it is brought to metres and north up. */
#include "config.h"

#ifdef HAVE_GDAL

#include "terrain/raster.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal_utils.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 1e12 /* m: no system has coordinates beyond */
#define WIDEST 40.0   /* degrees of the globe that are looked at at once */

void raster_close(raster *r)
{
    if (r->source)
        GDALClose(r->source);
    OSRDestroySpatialReference(r->srs);
}

const char *raster_error(void)
{
    const char *text = CPLGetLastErrorMsg();
    return text && *text ? text : "no reason given";
}

/* GDAL is silent about files that are not there. */
static const char *open_error(const char *path)
{
    VSIStatBufL found;
    const char *text = CPLGetLastErrorMsg();
    if (text && *text)
        return text;
    return VSIStatL(path, &found) == 0
               ? "GDAL knows no format like it; a file F in an archive is /vsizip/ARCHIVE.zip/F or "
                 "/vsigzip/F.gz"
               : "there is no such file";
}

/* ---- where it lies ---- */

static OGRSpatialReferenceH source_system(const raster *r)
{
    OGRSpatialReferenceH srs = GDALGetSpatialRef(r->source);
    if (!srs)
        return NULL;
    srs = OSRClone(srs);
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    OSRStripVertical(srs);
    return srs;
}

/* Transform points between the source's system and the one used; forward: to the one used. */
static bool transform_points(const raster *r, bool forward, int count, double *x, double *y)
{
    OGRSpatialReferenceH source = source_system(r);
    bool done = true;
    if (source && r->srs && !OSRIsSame(source, r->srs)) {
        OGRCoordinateTransformationH to =
            OCTNewCoordinateTransformation(forward ? source : r->srs, forward ? r->srs : source);
        done = to && OCTTransform(to, count, x, y, NULL);
        if (to)
            OCTDestroyCoordinateTransformation(to);
        /* Longitudes on the same side of the globe as the raster's own. */
        if (!forward && OSRIsGeographic(source)) {
            double turn = 2 * 3.14159265358979323846 / OSRGetAngularUnits(source, NULL);
            double middle = r->from[0] + 0.5 * GDALGetRasterXSize(r->source) * r->from[1];
            for (int i = 0; i < count; i++)
                x[i] += turn * round((middle - x[i]) / turn);
        }
    }
    OSRDestroySpatialReference(source);
    return done;
}

/* The sides of a box in turn, as points. */
static void walk_sides(const double box[4], double *x, double *y)
{
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        double s = (double)(i % RASTER_SIDE) / RASTER_SIDE;
        int side = i / RASTER_SIDE;
        double across = side == 0 ? s : side == 1 ? 1 : side == 2 ? 1 - s : 0;
        double along = side == 0 ? 0 : side == 1 ? s : side == 2 ? 1 : 1 - s;
        x[i] = box[0] + across * (box[2] - box[0]);
        y[i] = box[1] + along * (box[3] - box[1]);
    }
}

bool raster_outline(const raster *r, const double box[4], double *columns, double *rows)
{
    double back[6];
    walk_sides(box, columns, rows);
    double from[6];
    memcpy(from, r->resampled ? r->from : r->transform, sizeof from);
    if ((r->resampled && !transform_points(r, false, RASTER_OUTLINE, columns, rows)) ||
        !GDALInvGeoTransform(from, back))
        return false;
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        double x = columns[i], y = rows[i];
        columns[i] = back[0] + x * back[1] + y * back[2];
        rows[i] = back[3] + x * back[4] + y * back[5];
    }
    return true;
}

/* The outline of a box of the source's cells, in the system used. */
static bool source_outline(const raster *r, const int cells[4], double *x, double *y)
{
    const double box[4] = {cells[0], cells[1], cells[2], cells[3]};
    const double *g = r->resampled ? r->from : r->transform;
    walk_sides(box, x, y);
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        double column = x[i], row = y[i];
        x[i] = g[0] + column * g[1] + row * g[2];
        y[i] = g[3] + column * g[4] + row * g[5];
    }
    return !r->resampled || transform_points(r, true, RASTER_OUTLINE, x, y);
}

void raster_find_box(const raster *r, const int cells[4], double box[4])
{
    double x[RASTER_OUTLINE], y[RASTER_OUTLINE];
    if (!source_outline(r, cells, x, y)) {
        memcpy(box, r->extent, 4 * sizeof *box);
        return;
    }
    box[0] = box[2] = x[0];
    box[1] = box[3] = y[0];
    for (int i = 0; i < RASTER_OUTLINE; i++) {
        box[0] = fmin(box[0], x[i]);
        box[1] = fmin(box[1], y[i]);
        box[2] = fmax(box[2], x[i]);
        box[3] = fmax(box[3], y[i]);
    }
}

bool raster_inside(const double *x, const double *y, double px, double py)
{
    bool in = false;
    for (int i = 0, k = RASTER_OUTLINE - 1; i < RASTER_OUTLINE; k = i++)
        if ((y[i] > py) != (y[k] > py) && px < x[i] + (py - y[i]) * (x[k] - x[i]) / (y[k] - y[i]))
            in = !in;
    return in;
}

/* Shrink the extent of a resampled raster about its centre until none of its sides leaves the
 * ground. */
static void fit_inside(raster *r, const double *x, const double *y)
{
    double cx = 0.5 * (r->extent[0] + r->extent[2]), cy = 0.5 * (r->extent[1] + r->extent[3]);
    double wx = 0.5 * (r->extent[2] - r->extent[0]), wy = 0.5 * (r->extent[3] - r->extent[1]);
    double low = 0, high = 1;
    for (int step = 0; step < 40; step++) {
        double scale = 0.5 * (low + high), px[RASTER_OUTLINE], py[RASTER_OUTLINE];
        const double box[4] = {cx - scale * wx, cy - scale * wy, cx + scale * wx, cy + scale * wy};
        bool fits = true;
        walk_sides(box, px, py);
        for (int i = 0; i < RASTER_OUTLINE && fits; i++)
            fits = raster_inside(x, y, px[i], py[i]);
        *(fits ? &low : &high) = scale;
    }
    /* A cell less, for the bilinear kernel reaches over the edge. */
    wx = low * wx - fabs(r->transform[1]);
    wy = low * wy - fabs(r->transform[5]);
    r->extent[0] = cx - wx;
    r->extent[1] = cy - wy;
    r->extent[2] = cx + wx;
    r->extent[3] = cy + wy;
}

/* Size and place of the raster once it is resampled to north up in the system used. */
static int plan_resampling(raster *r)
{
    char *wkt = NULL;
    if (r->srs)
        OSRExportToWkt(r->srs, &wkt);
    char *args[] = {"-of", "VRT", "-novshift", wkt ? "-t_srs" : NULL, wkt, NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(args, NULL);
    GDALDatasetH planned = NULL;
    int bad = 0;
    if (options)
        planned = GDALWarp("", NULL, 1, &r->source, options, &bad);
    GDALWarpAppOptionsFree(options);
    CPLFree(wkt);
    if (!planned || GDALGetGeoTransform(planned, r->transform) != CE_None) {
        if (planned)
            GDALClose(planned);
        return fail(STATUS_INPUT, "%s: cannot be resampled to north up: %s", r->path,
                    raster_error());
    }
    r->nx = GDALGetRasterXSize(planned);
    r->ny = GDALGetRasterYSize(planned);
    GDALClose(planned);
    r->resampled = true;
    return STATUS_OK;
}

/* The UTM zone of a point, or around the poles the universal polar system, on the raster's own
 * datum. */
static void choose_universal(raster *r, double longitude, double latitude)
{
    bool sphere = OSRGetInvFlattening(r->srs, NULL) == 0;
    bool polar = latitude < -80 || latitude > 84, north = latitude >= 0;
    longitude = longitude - 360 * floor((longitude + 180) / 360);
    int zone = (int)floor((longitude + 180) / 6) + 1;
    zone = zone > 60 ? 60 : zone;
    OGRSpatialReferenceH used = OSRNewSpatialReference(NULL);
    const char *authority = OSRGetAuthorityName(r->srs, "GEOGCS");
    const char *code = OSRGetAuthorityCode(r->srs, "GEOGCS");
    if (OSRIsDerivedGeographic(r->srs) ||
        (authority && code && strcmp(authority, "EPSG") == 0 && strcmp(code, "4326") == 0)) {
        OSRImportFromEPSG(used, polar ? (north ? 32661 : 32761) : (north ? 32600 : 32700) + zone);
    } else {
        const char *datum = OSRGetAttrValue(r->srs, "GEOGCS", 0);
        char name[160], utm[48];
        if (sphere)
            snprintf(utm, sizeof utm, "transverse Mercator at %d", 6 * zone - 183);
        else
            snprintf(utm, sizeof utm, "UTM zone %d%c", zone, north ? 'N' : 'S');
        snprintf(name, sizeof name, "%s / %s", datum ? datum : "unnamed",
                 !polar  ? utm
                 : north ? "UPS North"
                         : "UPS South");
        OSRSetProjCS(used, name);
        OSRCopyGeogCSFrom(used, r->srs);
        if (polar)
            OSRSetPS(used, north ? 90 : -90, 0, 0.994, 2e6, 2e6);
        else if (sphere) /* PROJ's UTM wants an ellipsoid */
            OSRSetTM(used, 0, 6 * zone - 183, 1, 500000, north ? 0 : 1e7);
        else
            OSRSetUTM(used, zone, north);
    }
    OSRSetAxisMappingStrategy(used, OAMS_TRADITIONAL_GIS_ORDER);
    OSRDestroySpatialReference(r->srs);
    r->srs = used;
}

/* Lengths of a projected system are the ground's, or the raster is brought to one where they are.
 */
static int choose_true_lengths(raster *r, const terrain_request *request, double unit, bool *chosen)
{
    const double *g = r->from, *w = request->window;
    double nx = GDALGetRasterXSize(r->source), ny = GDALGetRasterYSize(r->source);
    double x = g[0] + 0.5 * nx * g[1] + 0.5 * ny * g[2],
           y = g[3] + 0.5 * nx * g[4] + 0.5 * ny * g[5];
    char *wkt = NULL;
    place_scale middle, there;
    *chosen = false;
    if (OSRExportToWkt(r->srs, &wkt) != OGRERR_NONE ||
        !place_find_scale(wkt, unit, x, y, &middle)) {
        CPLFree(wkt);
        return STATUS_OK; /* the place says that true north cannot be found */
    }
    bool windowed = request->has_window && place_find_scale(wkt, unit, 0.5 * (w[0] + w[2]) / unit,
                                                            0.5 * (w[1] + w[3]) / unit, &there);
    CPLFree(wkt);
    bool bad =
        middle.mirrored || middle.most > 1 + MOST_DISTORTION || middle.least < 1 - MOST_DISTORTION;
    if (!bad && windowed && fmax(there.most - 1, 1 - there.least) > MOST_DISTORTION)
        return fail(
            STATUS_INPUT,
            "%s: a metre of the ground is %.3g to %.3g m of its system (%s) in that --window: "
            "reproject that part, such as with gdalwarp -t_srs EPSG:%d",
            r->path, there.least, there.most, OSRGetName(r->srs),
            (there.latitude >= 0 ? 32601 : 32701) +
                (int)floor(fmod(there.longitude + 540, 360) / 6));
    if (!bad)
        return STATUS_OK;
    char *name = CPLStrdup(OSRGetName(r->srs));
    choose_universal(r, middle.longitude, middle.latitude);
    if (middle.mirrored)
        report("Terrain   %s is in a mirrored system (%s): reprojected to %s", r->path, name,
               OSRGetName(r->srs));
    else
        report("Terrain   %s: a metre of the ground is %.3g to %.3g m of its system (%s): "
               "reprojected to "
               "%s",
               r->path, middle.least, middle.most, name, OSRGetName(r->srs));
    CPLFree(name);
    *chosen = true;
    return STATUS_OK;
}

/* Rotated poles: from their longitude and latitude to those of WGS 84. */
static bool find_true_place(const raster *r, double *longitude, double *latitude)
{
    OGRSpatialReferenceH wgs84 = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(wgs84, 4326);
    OSRSetAxisMappingStrategy(wgs84, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(r->srs, wgs84);
    bool found = to && OCTTransform(to, 1, longitude, latitude, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(wgs84);
    return found;
}

static int choose_for_geographic(raster *r)
{
    const double radian = 3.14159265358979323846 / 180;
    const double *g = r->from;
    double nx = GDALGetRasterXSize(r->source), ny = GDALGetRasterYSize(r->source);
    double unit = OSRGetAngularUnits(r->srs, NULL) / radian;
    double longitude = unit * (g[0] + 0.5 * nx * g[1] + 0.5 * ny * g[2]);
    double latitude = unit * (g[3] + 0.5 * nx * g[4] + 0.5 * ny * g[5]);
    double wide = unit * (fabs(nx * g[1]) + fabs(ny * g[2]));
    double high = unit * (fabs(nx * g[4]) + fabs(ny * g[5]));
    if (fabs(latitude) + 0.5 * high > 90 + 1e-6 + high / ny)
        return fail(STATUS_INPUT,
                    "%s: reaches from latitude %.6g to %.6g: if longitude and latitude changed "
                    "places, say where it lies with gdal_translate -a_ullr W N E S",
                    r->path, latitude - 0.5 * high, latitude + 0.5 * high);
    if (OSRIsDerivedGeographic(r->srs)) {
        if (!find_true_place(r, &longitude, &latitude))
            return fail(STATUS_INPUT,
                        "%s: its longitudes and latitudes (%s) cannot be turned to true ones: "
                        "reproject it with gdalwarp",
                        r->path, OSRGetName(r->srs));
    } else {
        longitude += OSRGetPrimeMeridian(r->srs, NULL);
    }
    bool polar = latitude < -80 || latitude > 84;
    if (high > WIDEST || (!polar && wide * cos(latitude * radian) > WIDEST))
        return fail(STATUS_INPUT,
                    "%s: covers %.6g x %.6g degrees, which no plane can hold: cut a part out with "
                    "gdal_translate -projwin W N E S",
                    r->path, wide, high);
    choose_universal(r, longitude, latitude);
    report("Terrain   %s is in longitude and latitude: reprojected to %s", r->path,
           OSRGetName(r->srs));
    return STATUS_OK;
}

/* The system used and how the raster is brought to it.  Metres per horizontal unit of the source; 1
 * also for an unnamed system. */
static int choose_system(raster *r, const terrain_request *request)
{
    double unit = 1;
    bool chosen = false, rotated = r->from[2] != 0 || r->from[4] != 0;
    int status = STATUS_OK;
    memcpy(r->transform, r->from, sizeof r->transform);
    if (r->srs && OSRIsGeographic(r->srs)) {
        status = choose_for_geographic(r);
        chosen = true;
    } else if (r->srs) {
        unit = OSRGetLinearUnits(r->srs, NULL);
        status = choose_true_lengths(r, request, unit, &chosen);
        if (status == STATUS_OK && !chosen && fabs(unit - 1) > 1e-9) {
            /* Feet or the like: the same projection counted in metres; no resampling. */
            OSRSetLinearUnitsAndUpdateParameters(r->srs, "metre", 1);
            for (int i = 0; i < 6; i++)
                r->transform[i] *= unit;
            report(
                "Terrain   %s has coordinates in units of %.10g m: counted in metres from here on",
                r->path, unit);
        }
    }
    if (status == STATUS_OK && (chosen || rotated))
        status = plan_resampling(r);
    if (status == STATUS_OK && rotated && !chosen)
        report("Terrain   %s is rotated: resampled to north up", r->path);
    return status;
}

static void find_extent(raster *r)
{
    const double *g = r->transform;
    const int all[4] = {0, 0, GDALGetRasterXSize(r->source), GDALGetRasterYSize(r->source)};
    double x[RASTER_OUTLINE], y[RASTER_OUTLINE];
    double x1 = g[0] + g[1] * r->nx, y1 = g[3] + g[5] * r->ny;
    r->extent[0] = fmin(g[0], x1);
    r->extent[1] = fmin(g[3], y1);
    r->extent[2] = fmax(g[0], x1);
    r->extent[3] = fmax(g[3], y1);
    if (r->resampled && source_outline(r, all, x, y))
        fit_inside(r, x, y);
}

static int check_system(raster *r, bool assume_metres)
{
    OGRSpatialReferenceH srs = GDALGetSpatialRef(r->source);
    if (srs && (OSRIsProjected(srs) || OSRIsGeographic(srs))) {
        r->srs = OSRClone(srs);
        OSRSetAxisMappingStrategy(r->srs, OAMS_TRADITIONAL_GIS_ORDER);
        return STATUS_OK;
    }
    if (assume_metres)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s: %s: give --assume-metres if its coordinates are metres with "
                "north up, or name the system with gdal_edit.py -a_srs EPSG:CODE",
                r->path,
                srs ? "its coordinate system is neither projected nor geographic"
                    : "has no coordinate system");
}

/* Four finite corners that enclose something. */
static int check_georeference(const raster *r)
{
    const double *g = r->from;
    bool sound = true;
    for (int i = 0; i < 6; i++)
        sound = sound && isfinite(g[i]) && fabs(g[i]) < FARTHEST;
    double nx = GDALGetRasterXSize(r->source), ny = GDALGetRasterYSize(r->source);
    sound = sound && fabs(g[1] * nx) + fabs(g[2] * ny) < FARTHEST &&
            fabs(g[4] * nx) + fabs(g[5] * ny) < FARTHEST;
    if (!sound)
        return fail(
            STATUS_INPUT,
            "%s: its georeference is not finite: give it a place with gdal_translate -a_ullr",
            r->path);
    if (g[1] * g[5] - g[2] * g[4] == 0)
        return fail(
            STATUS_INPUT,
            "%s: its georeference has cells of no size: give it a place with gdal_translate "
            "-a_ullr",
            r->path);
    return STATUS_OK;
}

int raster_open(raster *r, const terrain_request *request)
{
    r->path = request->path;
    CPLErrorReset();
    r->source = GDALOpenEx(r->path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (!r->source)
        return fail(STATUS_INPUT, "%s: cannot be read as a raster: %s", r->path,
                    open_error(r->path));
    int status = raster_check_content(r);
    if (status != STATUS_OK)
        return status;
    if (GDALGetGeoTransform(r->source, r->from) != CE_None)
        return fail(STATUS_INPUT, "%s: %s", r->path,
                    GDALGetGCPCount(r->source) > 0
                        ? "says where it lies by ground control points alone: lay it out with "
                          "gdalwarp"
                        : "does not say where it lies: give it a place with gdal_translate "
                          "-a_ullr");
    r->nx = GDALGetRasterXSize(r->source);
    r->ny = GDALGetRasterYSize(r->source);
    status = check_georeference(r);
    if (status == STATUS_OK)
        status = check_system(r, request->assume_metres);
    if (status == STATUS_OK)
        status = raster_find_vertical(r, request);
    if (status != STATUS_OK)
        return status;
    if (r->srs)
        OSRStripVertical(r->srs);
    status = choose_system(r, request);
    if (status != STATUS_OK)
        return status;
    find_extent(r);
    if (r->vertical != 1)
        report("Terrain   %s has heights in units of %.10g m: converted to metres", r->path,
               r->vertical);
    return STATUS_OK;
}

#endif
