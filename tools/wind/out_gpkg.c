/* SPDX-License-Identifier: MIT */
/* GeoPackage: a point a cell with speed and direction at a height above the ground. */
#include "config.h"

#include "formats/memory_file.h"
#include "wind/quantity.h"

#ifndef HAVE_GDAL

const output_format output_gpkg = {
    .extension = "gpkg", .what = "GeoPackage output", .package = "libgdal-dev"};

#else

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdlib.h>

/* The driver wants a name that ends so: it writes into memory, and the bytes are copied. */
#define IN_MEMORY "/vsimem/foehn.gpkg"

typedef struct gpkg_file {
    const char *path, *temporary;
} gpkg_file;

static int gpkg_open(const char *path, const char *temporary, const scene *s, bool series,
                     void **file)
{
    (void)s;
    (void)series;
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    /* Equal runs, equal bytes. */
    CPLSetConfigOption("OGR_CURRENT_DATE", "1970-01-01T00:00:00.000Z");
    gpkg_file *g = malloc(sizeof *g);
    *file = g;
    if (!g)
        return fail_memory();
    *g = (gpkg_file){path, temporary};
    return STATUS_OK;
}

/* Columns of the table, and what they hold, as far as the model has it. */
static const struct {
    const char *column, *quantity;
} columns[] = {
    {"speed_m_s", "speed"}, {"from_true_deg", "direction"}, {"turbulence_intensity", "ti"},
    {"k_m2_s2", "k"},       {"ustar_m_s", "ustar"},         {"near_ground_m_s", "near-ground"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool add_points(OGRLayerH layer, const scene *s, const field *f)
{
    const quantity *held[COLUMNS];
    int count = 0;
    bool done = true;
    for (int i = 0; i < COLUMNS; i++) {
        const quantity *q = quantity_find(columns[i].quantity);
        if (!quantity_is_there(q, s) || (f->start == f->time && quantity_is_of_means(q, s)))
            continue;
        OGRFieldDefnH column = OGR_Fld_Create(columns[i].column, OFTReal);
        done = done && OGR_L_CreateField(layer, column, 0) == OGRERR_NONE;
        OGR_Fld_Destroy(column);
        held[count++] = q;
    }
    OGRFeatureDefnH definition = OGR_L_GetLayerDefn(layer);
    for (size_t c = 0; done && c < (size_t)s->nx * (size_t)s->ny; c++) {
        double x = s->origin[0] + ((double)(c % (size_t)s->nx) + 0.5) * s->spacing[0];
        double y = s->origin[1] + ((double)(c / (size_t)s->nx) + 0.5) * s->spacing[1];
        OGRFeatureH feature = OGR_F_Create(definition);
        OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
        OGR_G_SetPoint_2D(point, 0, x, y);
        for (int i = 0; i < count; i++)
            OGR_F_SetFieldDouble(feature, i, (double)(float)quantity_of_column(held[i], s, f, c));
        done = OGR_F_SetGeometryDirectly(feature, point) == OGRERR_NONE &&
               OGR_L_CreateFeature(layer, feature) == OGRERR_NONE;
        OGR_F_Destroy(feature);
    }
    return done;
}

static bool fill(GDALDatasetH dataset, const scene *s, const field *f)
{
    OGRSpatialReferenceH srs = s->place.wkt_gdal ? OSRNewSpatialReference(s->place.wkt_gdal) : NULL;
    OGRLayerH layer = GDALDatasetCreateLayer(dataset, "wind", srs, wkbPoint, NULL);
    bool done = layer && GDALDatasetStartTransaction(dataset, 0) == OGRERR_NONE;
    done = done && add_points(layer, s, f);
    done = done && GDALDatasetCommitTransaction(dataset) == OGRERR_NONE;
    scene_fact facts[MOST_FACTS];
    int count = scene_facts(s, f, facts);
    for (int i = 0; i < count && done; i++)
        GDALSetMetadataItem(layer, facts[i].name, facts[i].value, NULL);
    OSRDestroySpatialReference(srs);
    return done;
}

static int gpkg_write(void *file, const scene *s, const field *f)
{
    const gpkg_file *g = file;
    CPLErrorReset();
    GDALDriverH driver = GDALGetDriverByName("GPKG");
    GDALDatasetH dataset =
        driver ? GDALCreate(driver, IN_MEMORY, 0, 0, 0, GDT_Unknown, NULL) : NULL;
    bool done = dataset && fill(dataset, s, f);
    if (dataset)
        GDALClose(dataset);
    if (done)
        return memory_file_keep(IN_MEMORY, g->path, g->temporary);
    VSIUnlink(IN_MEMORY);
    return fail(STATUS_FAILED, "%s: cannot be written: %s", g->path,
                driver ? CPLGetLastErrorMsg() : "this GDAL has no GeoPackage");
}

static int gpkg_close(void *file, bool keep)
{
    (void)keep;
    free(file);
    return STATUS_OK;
}

const output_format output_gpkg = {.extension = "gpkg",
                                   .what = "GeoPackage output",
                                   .flat = true,
                                   .open = gpkg_open,
                                   .write = gpkg_write,
                                   .close = gpkg_close};

#endif
