/* SPDX-License-Identifier: MIT */
/* GeoTIFF: a band a quantity, speed and direction where nothing else was asked for. */
#include "config.h"

#include "formats/memory_file.h"
#include "wind/quantity.h"

#ifndef HAVE_GDAL

const output_format output_geotiff = {
    .extension = "tif", .what = "GeoTIFF output", .package = "libgdal-dev"};

#else

#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdlib.h>

#define IN_MEMORY "/vsimem/foehn.tif"

typedef struct geotiff_file {
    const char *path;
    const char *temporary;
} geotiff_file;

static int geotiff_open(const char *path, const char *temporary, const scene *s, bool series,
                        void **file)
{
    (void)s;
    (void)series;
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    geotiff_file *g = malloc(sizeof *g);
    *file = g;
    if (!g)
        return fail_memory();
    *g = (geotiff_file){path, temporary};
    return STATUS_OK;
}

static void describe(GDALDatasetH dataset, const scene *s, const field *f)
{
    if (s->place.wkt_gdal) {
        OGRSpatialReferenceH srs = OSRNewSpatialReference(s->place.wkt_gdal);
        GDALSetSpatialRef(dataset, srs);
        OSRDestroySpatialReference(srs);
    }
    double transform[6] = {s->origin[0],  s->spacing[0], 0, s->origin[1] + s->ny * s->spacing[1], 0,
                           -s->spacing[1]};
    GDALSetGeoTransform(dataset, transform);
    scene_fact facts[MOST_FACTS];
    int count = scene_facts(s, f, facts);
    for (int i = 0; i < count; i++)
        GDALSetMetadataItem(dataset, facts[i].name, facts[i].value, NULL);
    GDALSetMetadataItem(dataset, "AREA_OR_POINT", "Area", NULL);

    for (int b = 0; b < s->band_count; b++) {
        char text[128];
        GDALRasterBandH band = GDALGetRasterBand(dataset, b + 1);
        quantity_describe(s->bands[b], s, sizeof text, text);
        GDALSetDescription(band, text);
        GDALSetRasterUnitType(band, s->bands[b]->unit);
        GDALSetRasterNoDataValue(band, -9999);
    }
}

static CPLErr write_bands(GDALDatasetH dataset, const scene *s, const field *f, float *row)
{
    CPLErr error = CE_None;
    for (int j = 0; j < s->ny; j++)
        for (int b = 0; b < s->band_count && error == CE_None; b++) {
            size_t first = (size_t)(s->ny - 1 - j) * (size_t)s->nx;
            for (int i = 0; i < s->nx; i++)
                row[i] = (float)quantity_of_column(s->bands[b], s, f, first + (size_t)i);
            error = GDALRasterIO(GDALGetRasterBand(dataset, b + 1), GF_Write, 0, j, s->nx, 1, row,
                                 s->nx, 1, GDT_Float32, 0, 0);
        }
    return error;
}

static GDALDatasetH create(const char *driver, const char *path, const scene *s, char **options)
{
    return GDALCreate(GDALGetDriverByName(driver), path, s->nx, s->ny, s->band_count, GDT_Float32,
                      options);
}

/* Close it.  Failures to flush show up only in the error state. */
static bool close_sound(GDALDatasetH dataset)
{
    CPLErrorReset();
    GDALClose(dataset);
    return CPLGetLastErrorType() < CE_Failure;
}

static bool write_cog(GDALDatasetH memory)
{
    char *options[] = {"COMPRESS=DEFLATE", "PREDICTOR=YES", "OVERVIEW_RESAMPLING=NEAREST", NULL};
    GDALDatasetH copy =
        GDALCreateCopy(GDALGetDriverByName("COG"), IN_MEMORY, memory, 0, options, NULL, NULL);
    return copy && close_sound(copy);
}

static int geotiff_write(void *file, const scene *s, const field *f)
{
    geotiff_file *g = file;
    float *row = malloc((size_t)s->nx * sizeof *row);
    if (!row)
        return fail_memory();
    char *options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3", "INTERLEAVE=BAND", NULL};
    CPLErrorReset();
    GDALDatasetH dataset =
        s->cog ? create("MEM", "", s, NULL) : create("GTiff", IN_MEMORY, s, options);
    bool done = dataset != NULL;
    if (dataset) {
        describe(dataset, s, f);
        done = write_bands(dataset, s, f, row) == CE_None;
        done = done && (!s->cog || write_cog(dataset));
        done = close_sound(dataset) && done;
    }
    free(row);
    int status =
        done ? memory_file_keep(IN_MEMORY, g->path, g->temporary)
             : fail(STATUS_FAILED, "%s: cannot be written: %s", g->path, CPLGetLastErrorMsg());
    VSIUnlink(IN_MEMORY);
    return status;
}

static int geotiff_close(void *file, bool keep)
{
    (void)keep;
    free(file);
    return STATUS_OK;
}

const output_format output_geotiff = {.extension = "tif",
                                      .what = "GeoTIFF output",
                                      .flat = true,
                                      .open = geotiff_open,
                                      .write = geotiff_write,
                                      .close = geotiff_close};

#endif
