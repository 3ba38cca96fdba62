/* SPDX-License-Identifier: MIT */
/* GeoTIFF: speed and direction at a height above the ground. */
#include "config.h"

#include "wind/output.h"

#ifndef HAVE_GDAL

const output_format output_geotiff = {
    .extension = "tif", .what = "GeoTIFF output", .package = "libgdal-dev"};

#else

#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdlib.h>

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

    char text[128];
    GDALRasterBandH speed = GDALGetRasterBand(dataset, 1);
    snprintf(text, sizeof text, "horizontal wind speed %g m above ground", s->height);
    GDALSetDescription(speed, text);
    GDALSetRasterUnitType(speed, "m/s");
    GDALRasterBandH direction = GDALGetRasterBand(dataset, 2);
    snprintf(text, sizeof text, "wind from direction %g m above ground, clockwise from true north",
             s->height);
    GDALSetDescription(direction, text);
    GDALSetRasterUnitType(direction, "degree");
    GDALSetRasterNoDataValue(speed, -9999);
    GDALSetRasterNoDataValue(direction, -9999);
}

static CPLErr write_bands(GDALDatasetH dataset, const scene *s, const field *f, float *row)
{
    CPLErr error = CE_None;
    float *speed = row, *direction = row + s->nx;
    for (int j = 0; j < s->ny && error == CE_None; j++) {
        int from_south = s->ny - 1 - j;
        double y = s->origin[1] + (from_south + 0.5) * s->spacing[1];
        for (int i = 0; i < s->nx; i++) {
            size_t c = (size_t)from_south * (size_t)s->nx + (size_t)i;
            double u = (double)f->east_2d[c], v = (double)f->north_2d[c];
            double x = s->origin[0] + (i + 0.5) * s->spacing[0];
            speed[i] = (float)hypot(u, v);
            direction[i] = (float)place_direction(&s->place, x, y, u, v);
        }
        for (int b = 0; b < 2 && error == CE_None; b++)
            error = GDALRasterIO(GDALGetRasterBand(dataset, b + 1), GF_Write, 0, j, s->nx, 1,
                                 b ? direction : speed, s->nx, 1, GDT_Float32, 0, 0);
    }
    return error;
}

static GDALDatasetH create(const char *driver, const char *path, const scene *s, char **options)
{
    return GDALCreate(GDALGetDriverByName(driver), path, s->nx, s->ny, 2, GDT_Float32, options);
}

/* Close it.  Failures to flush show up only in the error state. */
static bool close_sound(GDALDatasetH dataset)
{
    CPLErrorReset();
    GDALClose(dataset);
    return CPLGetLastErrorType() < CE_Failure;
}

static bool write_cog(const geotiff_file *g, GDALDatasetH memory)
{
    char *options[] = {"COMPRESS=DEFLATE", "PREDICTOR=YES", "OVERVIEW_RESAMPLING=NEAREST", NULL};
    GDALDatasetH copy =
        GDALCreateCopy(GDALGetDriverByName("COG"), g->temporary, memory, 0, options, NULL, NULL);
    return copy && close_sound(copy);
}

static int geotiff_write(void *file, const scene *s, const field *f)
{
    geotiff_file *g = file;
    float *row = malloc(2 * (size_t)s->nx * sizeof *row);
    if (!row)
        return fail_memory();
    char *options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3", "INTERLEAVE=BAND", NULL};
    CPLErrorReset();
    GDALDatasetH dataset = s->cog ? create("MEM", "", s, NULL) : create("GTiff", g->temporary, s, options);
    bool done = dataset != NULL;
    if (dataset) {
        describe(dataset, s, f);
        done = write_bands(dataset, s, f, row) == CE_None;
        done = done && (!s->cog || write_cog(g, dataset));
        done = close_sound(dataset) && done;
    }
    free(row);
    if (done)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s", g->path, CPLGetLastErrorMsg());
}

static int geotiff_close(void *file, bool keep)
{
    (void)keep;
    free(file);
    return STATUS_OK;
}

const output_format output_geotiff = {.extension = "tif",
                                      .what = "GeoTIFF output",
                                      .open = geotiff_open,
                                      .write = geotiff_write,
                                      .close = geotiff_close};

#endif
