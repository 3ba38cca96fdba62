/* SPDX-License-Identifier: MIT */
/* Where firebrands landed, as a GeoTIFF of two bands. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_GDAL

#include "fire/landings.h"
#include "formats/memory_file.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#define IN_MEMORY "/vsimem/foehn-landings.tif"

static bool write_bands(GDALDatasetH dataset, const landing_map *m)
{
    static const char *const names[2] = {"firebrands that landed",
                                         "mass of firebrands that landed"};
    static const char *const units[2] = {"1", "kg m-2"};
    bool done = true;
    for (int b = 0; b < 2; b++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, b + 1);
        float *values = b ? m->mass : m->landed;
        GDALSetDescription(band, names[b]);
        GDALSetRasterUnitType(band, units[b]);
        for (int j = 0; j < m->ny && done; j++) /* from north to south */
            done = GDALRasterIO(band, GF_Write, 0, m->ny - 1 - j, m->nx, 1,
                                values + (size_t)j * (size_t)m->nx, m->nx, 1, GDT_Float32, 0,
                                0) == CE_None;
    }
    return done;
}

int landings_write_tif(const landing_map *m, const char *path, const char *temporary)
{
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    CPLErrorReset();
    char *options[] = {"COMPRESS=DEFLATE", NULL};
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("GTiff"), IN_MEMORY, m->nx, m->ny, 2, GDT_Float32, options);
    bool done = dataset != NULL;
    if (dataset) {
        double transform[6] = {m->corner[0], m->width, 0, m->corner[1] + m->ny * m->width, 0,
                               -m->width};
        GDALSetGeoTransform(dataset, transform);
        if (m->place && m->place->wkt_gdal) {
            OGRSpatialReferenceH srs = OSRNewSpatialReference(m->place->wkt_gdal);
            GDALSetSpatialRef(dataset, srs);
            OSRDestroySpatialReference(srs);
        }
        done = write_bands(dataset, m);
        CPLErrorReset();
        GDALClose(dataset);
        done = done && CPLGetLastErrorType() < CE_Failure;
    }
    int status = done
                     ? memory_file_keep(IN_MEMORY, path, temporary)
                     : fail(STATUS_FAILED, "%s: cannot be written: %s", path, CPLGetLastErrorMsg());
    VSIUnlink(IN_MEMORY);
    return status;
}

#endif
