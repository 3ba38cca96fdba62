/* SPDX-License-Identifier: MIT */
/* A raster of heights, by GDAL: what its bands hold, their unit, and where it lies. */
#include "config.h"

#ifdef HAVE_GDAL

#include "terrain/raster.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal_utils.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DISTORTION 0.02 /* of lengths: a system that draws the ground worse is not used */
#define FARTHEST 1e12        /* m: no system has coordinates beyond */

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
    return (text && *text) || VSIStatL(path, &found) == 0 ? raster_error()
                                                          : "there is no such file";
}

/* ---- what the bands hold ---- */

/* A container of several rasters: name them, as --terrain takes them. */
static int refuse_container(const raster *r)
{
    char **list = GDALGetMetadata(r->source, "SUBDATASETS");
    char names[1024] = "";
    int count = CSLCount(list) / 2;
    for (int i = 0; i < count && i < 8; i++) {
        char key[32];
        snprintf(key, sizeof key, "SUBDATASET_%d_NAME", i + 1);
        const char *name = CSLFetchNameValue(list, key);
        size_t n = strlen(names);
        if (!name || n + strlen(name) + 8 > sizeof names)
            break;
        /* Quotes that no shell and no driver needs are left out. */
        bool plain = strcspn(name, " '$&;()<>|*?`\\") == strlen(name);
        const char *quote = plain ? "" : "'";
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", quote);
        for (const char *c = name; *c; c++)
            if (!plain || *c != '"')
                names[n++] = *c;
        snprintf(names + n, sizeof names - n, "%s", quote);
    }
    if (count == 0)
        return fail(STATUS_INPUT, "%s: has no band: give a raster of heights", r->path);
    return fail(STATUS_INPUT, "%s: holds %d rasters: give --terrain one of %s", r->path, count,
                names);
}

/* Colours and complex numbers are no heights. */
static int refuse_picture(const raster *r)
{
    GDALRasterBandH band = GDALGetRasterBand(r->source, 1);
    bool red = false, green = false, blue = false;
    int others = 0;
    if (GDALDataTypeIsComplex(GDALGetRasterDataType(band)))
        return fail(STATUS_INPUT,
                    "%s: holds complex numbers, which are no heights: if their real parts are, "
                    "take them with gdal_translate -ot Float32",
                    r->path);
    for (int i = 1; i <= GDALGetRasterCount(r->source); i++) {
        GDALColorInterp colour = GDALGetRasterColorInterpretation(GDALGetRasterBand(r->source, i));
        others += i > 1 && colour != GCI_AlphaBand;
        red = red || colour == GCI_RedBand;
        green = green || colour == GCI_GreenBand;
        blue = blue || colour == GCI_BlueBand;
    }
    GDALColorInterp colour = GDALGetRasterColorInterpretation(band);
    if (red && green && blue)
        return fail(
            STATUS_INPUT,
            "%s: holds red, green and blue, which are colours and no heights: give the heights "
            "themselves; from terrain-RGB tiles they are -10000 + 0.1 (65536 R + 256 G + B) m: "
            "gdal_calc.py -R F --R_band=1 -G F --G_band=2 -B F --B_band=3 --type=Float32 "
            "--calc='-10000+0.1*(65536.*R+256.*G+B)' --outfile=heights.tif",
            r->path);
    if (colour == GCI_PaletteIndex || GDALGetRasterColorTable(band))
        return fail(
            STATUS_INPUT,
            "%s: holds numbers of colours in a palette, which are no heights: give the heights "
            "themselves; if the numbers are heights, take the palette away with "
            "gdal_translate -colorinterp gray",
            r->path);
    if (colour != GCI_Undefined && colour != GCI_GrayIndex && colour != GCI_AlphaBand)
        return fail(STATUS_INPUT,
                    "%s: its first band is %s of a picture and holds no heights: give the heights "
                    "themselves; if it does, say so with gdal_edit.py -colorinterp_1 gray",
                    r->path, GDALGetColorInterpretationName(colour));
    if (colour == GCI_AlphaBand)
        return fail(STATUS_INPUT,
                    "%s: its first band says where there is a picture (alpha) and holds no "
                    "heights: give the heights themselves",
                    r->path);
    if (others > 0) {
        const char *name = GDALGetDescription(band);
        warn("%s: the heights are its first band of %d%s%s%s: others are chosen with "
             "gdal_translate -b",
             r->path, GDALGetRasterCount(r->source), *name ? " (" : "", name, *name ? ")" : "");
    }
    if (colour == GCI_GrayIndex && GDALGetRasterDataType(band) == GDT_Byte)
        warn(
            "%s: grey of 8 bits: a hillshade holds such numbers, and they are no heights: taken as "
            "heights from 0 to 255",
            r->path);
    return STATUS_OK;
}

/* ---- the unit of heights ---- */

/* What the file says of the unit: of the band, or in metadata that drivers keep beside it. */
static const char *find_unit(const raster *r)
{
    GDALRasterBandH band = GDALGetRasterBand(r->source, 1);
    const char *unit = GDALGetRasterUnitType(band);
    if (unit && *unit)
        return unit;
    static const char *const keys[] = {"ELEVATION_UNIT_NAME", "GRIB_UNIT", "units", "UNITS"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        unit = GDALGetMetadataItem(band, keys[i], NULL);
        if (unit && *unit)
            return unit;
    }
    /* Landscape files: 0 are metres, 1 feet. */
    unit = GDALGetMetadataItem(band, "ELEVATION_UNIT", NULL);
    return !unit ? "" : strcmp(unit, "0") == 0 ? "m" : strcmp(unit, "1") == 0 ? "ft" : unit;
}

/* Metres per unit of height: as the user says, from the band, or from the vertical part of the
 * system. */
static int find_vertical(raster *r, const terrain_request *request)
{
    const char *unit = find_unit(r);
    r->vertical = 1;
    if (request->height_unit > 0)
        r->vertical = request->height_unit;
    else if (*unit)
        r->vertical = terrain_unit(unit);
    else if (r->srs && OSRIsVertical(r->srs))
        r->vertical = OSRGetTargetLinearUnits(r->srs, "VERT_CS", NULL);
    if (r->vertical > 0)
        return STATUS_OK;
    return fail(
        STATUS_INPUT,
        "%s: heights in '%s', an unknown unit: say what they are in with --height-unit m, ft, "
        "us-ft, dm, cm, mm or km",
        r->path, unit);
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
    bool polar = latitude < -80 || latitude > 84, north = latitude >= 0;
    longitude = longitude - 360 * floor((longitude + 180) / 360);
    int zone = (int)floor((longitude + 180) / 6) + 1;
    zone = zone > 60 ? 60 : zone;
    OGRSpatialReferenceH used = OSRNewSpatialReference(NULL);
    const char *authority = OSRGetAuthorityName(r->srs, "GEOGCS");
    const char *code = OSRGetAuthorityCode(r->srs, "GEOGCS");
    if (authority && code && strcmp(authority, "EPSG") == 0 && strcmp(code, "4326") == 0) {
        OSRImportFromEPSG(used, polar ? (north ? 32661 : 32761) : (north ? 32600 : 32700) + zone);
    } else {
        const char *datum = OSRGetAttrValue(r->srs, "GEOGCS", 0);
        char name[160], utm[32];
        snprintf(utm, sizeof utm, "UTM zone %d%c", zone, north ? 'N' : 'S');
        snprintf(name, sizeof name, "%s / %s", datum ? datum : "unnamed",
                 !polar  ? utm
                 : north ? "UPS North"
                         : "UPS South");
        OSRSetProjCS(used, name);
        OSRCopyGeogCSFrom(used, r->srs);
        if (polar)
            OSRSetPS(used, north ? 90 : -90, 0, 0.994, 2e6, 2e6);
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

static int choose_for_geographic(raster *r)
{
    const double *g = r->from;
    double nx = GDALGetRasterXSize(r->source), ny = GDALGetRasterYSize(r->source);
    double unit = OSRGetAngularUnits(r->srs, NULL) * (180 / 3.14159265358979323846);
    choose_universal(
        r, unit * (g[0] + 0.5 * nx * g[1] + 0.5 * ny * g[2]) + OSRGetPrimeMeridian(r->srs, NULL),
        unit * (g[3] + 0.5 * nx * g[4] + 0.5 * ny * g[5]));
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

/* GDAL reads whole blocks into memory; a small file can claim one of any size. */
int raster_check_blocks(const char *path, GDALDatasetH source)
{
    const double most = 1 << 30; /* bytes: a strip of 16384 rows of 16384 floats */
    const char *order = GDALGetMetadataItem(source, "INTERLEAVE", "IMAGE_STRUCTURE");
    bool together = order && strcmp(order, "PIXEL") == 0; /* a block holds every band's values */
    for (int b = 1; b <= GDALGetRasterCount(source); b++) {
        GDALRasterBandH band = GDALGetRasterBand(source, b);
        int size[2];
        GDALGetBlockSize(band, &size[0], &size[1]);
        double bytes = (double)size[0] * size[1] *
                       GDALGetDataTypeSizeBytes(GDALGetRasterDataType(band)) *
                       (together ? GDALGetRasterCount(source) : 1);
        if (bytes > most)
            return fail(STATUS_INPUT,
                        "%s: is stored in blocks of %d x %d, %.1f GiB each: make them smaller with "
                        "gdal_translate %s-co TILED=YES",
                        path, size[0], size[1], bytes / most, together ? "-b 1 " : "");
    }
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
    if (GDALGetRasterCount(r->source) < 1)
        return refuse_container(r);
    int status = raster_check_blocks(r->path, r->source);
    if (status == STATUS_OK)
        status = refuse_picture(r);
    if (status != STATUS_OK)
        return status;
    if (GDALGetGeoTransform(r->source, r->from) != CE_None)
        return fail(STATUS_INPUT,
                    "%s: does not say where it lies: give it a place with "
                    "gdal_translate -a_ullr",
                    r->path);
    r->nx = GDALGetRasterXSize(r->source);
    r->ny = GDALGetRasterYSize(r->source);
    status = check_georeference(r);
    if (status == STATUS_OK)
        status = check_system(r, request->assume_metres);
    if (status == STATUS_OK)
        status = find_vertical(r, request);
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
