/* SPDX-License-Identifier: MIT */
/* What the bands of a raster hold: whether they are heights, and in which unit. */
#include "config.h"

#ifdef HAVE_GDAL

#include "terrain/raster.h"

#include <cpl_string.h>
#include <string.h>

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

int raster_check_content(const raster *r)
{
    if (GDALGetRasterCount(r->source) < 1)
        return refuse_container(r);
    int status = raster_check_blocks(r->path, r->source);
    return status == STATUS_OK ? refuse_picture(r) : status;
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

/* Depths grow downwards; as heights they would turn hills to hollows. */
static int refuse_depths(const raster *r)
{
    OGRAxisOrientation way = OAO_Up;
    const char *positive = GDALGetMetadataItem(GDALGetRasterBand(r->source, 1), "positive", NULL);
    bool vertical = r->srs && OSRIsVertical(r->srs);
    const char *axis = vertical ? OSRGetAxis(r->srs, "VERT_CS", 0, &way) : NULL;
    if (!(axis && way == OAO_Down) && !(positive && strcmp(positive, "down") == 0))
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "%s: holds depths, which grow downwards (%s): make heights of them with "
                "gdal_calc.py -A F --calc=-A --outfile=heights.tif, and a horizontal system alone "
                "with gdal_edit.py -a_srs EPSG:CODE",
                r->path, axis && way == OAO_Down ? axis : "positive = down");
}

/* Metres per unit of height: as the user says, from the band, or from the vertical part of the
 * system. */
int raster_find_vertical(raster *r, const terrain_request *request)
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
        return refuse_depths(r);
    return fail(
        STATUS_INPUT,
        "%s: heights in '%s', an unknown unit: say what they are in with --height-unit m, ft, "
        "us-ft, dm, cm, mm or km",
        r->path, unit);
}

#endif
