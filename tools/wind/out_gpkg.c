/* SPDX-License-Identifier: MIT */
/* GeoPackage: a point a cell with speed and direction at a height above the ground. */
#include "config.h"

#include "wind/output.h"

#ifndef HAVE_GDAL

const output_format output_gpkg = {
    .extension = "gpkg", .what = "GeoPackage output", .package = "libgdal-dev"};

#else

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdlib.h>
#include <string.h>

/* The driver wants a name that ends so: it writes into memory, and the bytes are copied. */
#define IN_MEMORY "/vsimem/foehn.gpkg"

typedef struct gpkg_file {
    const char *path, *temporary;
} gpkg_file;

static int gpkg_open(const char *path, const char *temporary, const scene *s, bool series, void **file)
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

static bool add_points(OGRLayerH layer, const scene *s, const field *f)
{
    static const char *const names[] = {"speed_m_s", "from_true_deg", "turbulence_intensity"};
    OGRFeatureDefnH definition = OGR_L_GetLayerDefn(layer);
    bool done = true;
    for (int i = 0; i < 3; i++) {
        OGRFieldDefnH column = OGR_Fld_Create(names[i], OFTReal);
        done = done && OGR_L_CreateField(layer, column, 0) == OGRERR_NONE;
        OGR_Fld_Destroy(column);
    }
    for (size_t c = 0; done && c < (size_t)s->nx * (size_t)s->ny; c++) {
        double x = s->origin[0] + ((double)(c % (size_t)s->nx) + 0.5) * s->spacing[0];
        double y = s->origin[1] + ((double)(c / (size_t)s->nx) + 0.5) * s->spacing[1];
        double u = (double)f->east_2d[c], v = (double)f->north_2d[c];
        OGRFeatureH feature = OGR_F_Create(definition);
        OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
        OGR_G_SetPoint_2D(point, 0, x, y);
        OGR_F_SetFieldDouble(feature, 0, (double)(float)hypot(u, v));
        OGR_F_SetFieldDouble(feature, 1, (double)(float)place_direction(&s->place, x, y, u, v));
        OGR_F_SetFieldDouble(feature, 2, (double)f->intensity_2d[c]);
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

/* The file in memory as a file. */
static int keep_bytes(const gpkg_file *g)
{
    vsi_l_offset size = 0;
    GByte *bytes = VSIGetMemFileBuffer(IN_MEMORY, &size, TRUE);
    FILE *stream = bytes ? fopen(g->temporary, "wb") : NULL;
    bool done = stream && fwrite(bytes, 1, (size_t)size, stream) == (size_t)size;
    done = stream && fclose(stream) == 0 && done;
    CPLFree(bytes);
    return done ? STATUS_OK
                : fail(STATUS_FAILED, "%s: cannot be written: %s", g->path, strerror(errno));
}

static int gpkg_write(void *file, const scene *s, const field *f)
{
    const gpkg_file *g = file;
    CPLErrorReset();
    GDALDriverH driver = GDALGetDriverByName("GPKG");
    GDALDatasetH dataset = driver ? GDALCreate(driver, IN_MEMORY, 0, 0, 0, GDT_Unknown, NULL) : NULL;
    bool done = dataset && fill(dataset, s, f);
    if (dataset)
        GDALClose(dataset);
    if (done)
        return keep_bytes(g);
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
                                   .open = gpkg_open,
                                   .write = gpkg_write,
                                   .close = gpkg_close};

#endif
