/* SPDX-License-Identifier: MIT */
/* Where firebrands landed: a GeoTIFF of how many and how much, or a table of each. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "formats/memory_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_GDAL
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>
#endif

static bool ends_with(const char *path, const char *extension)
{
    size_t n = strlen(path), m = strlen(extension);
    return n > m && strcmp(path + n - m, extension) == 0;
}

int fire_landings_check(const fire_scene *s, const char *path)
{
    if (!s->has_brands)
        return fail(STATUS_USAGE, "--landings %s: the scene has no firebrands: add firebrands: {}",
                    path);
    if (ends_with(path, ".csv"))
        return STATUS_OK;
    if (!ends_with(path, ".tif"))
        return fail(STATUS_USAGE, "--landings %s: unknown extension: known are .tif, .csv", path);
#ifdef HAVE_GDAL
    return STATUS_OK;
#else
    return fail(STATUS_USAGE,
                "--landings %s: this foehn was built without GeoTIFF: install libgdal-dev, then "
                "configure and make again, or give a .csv",
                path);
#endif
}

/* ---- a table ---- */

static int write_table(const fire_brands *b, const char *path, const char *temporary,
                       const double at[3], double density)
{
    static const char *const states[] = {"none", "flies", "landed", "burnt", "left"};
    FILE *f = fopen(temporary, "w");
    if (!f)
        return fail(STATUS_FAILED, "%s: cannot be written", path);
    fputs("state,easting,northing,altitude,from_easting,from_northing,from_altitude,diameter_m,"
          "mass_kg,age_s\n",
          f);
    for (size_t n = 0; n < b->count; n++) {
        const foehn_fire_firebrand *p = &b->list[n];
        if (p->state == FOEHN_FIRE_BRAND_NONE)
            continue;
        fprintf(f, "%s", states[p->state]);
        for (int k = 0; k < 2; k++) {
            const double *q = k ? p->from : p->position;
            fprintf(f, ",%.3f,%.3f,%.3f", at[0] + q[0], at[1] - q[2], at[2] + q[1]);
        }
        fprintf(f, ",%.6g,%.6g,%.6g\n", (double)p->diameter, fire_brand_mass(p, density),
                (double)p->age);
    }
    bool failed = ferror(f) != 0;
    return fclose(f) != 0 || failed
               ? fail(STATUS_FAILED, "%s: cannot be written: is the disk full?", path)
               : STATUS_OK;
}

/* ---- a map ---- */

#ifdef HAVE_GDAL

#define IN_MEMORY "/vsimem/foehn-landings.tif"
enum { MOST_ACROSS = 4096 };

/* Cells of the map: north up, over the box, as wide as the air's voxels or wider. */
typedef struct landing_map {
    int nx, ny;
    double west, north, width; /* m, in the world: x and -z */
    float *values;             /* [2][ny][nx] from north to south: how many, kg/m2 */
} landing_map;

static int lay_out(const foehn_fire_info *box, landing_map *m)
{
    double low[3], high[3];
    fire_box_reach(&box->pose, box->size, low, high);
    const double across = high[0] - low[0], along = high[2] - low[2];
    m->width = fmax(box->physics_spacing[0], fmax(across, along) / MOST_ACROSS);
    m->nx = (int)fmax(ceil(across / m->width - 1e-6), 1);
    m->ny = (int)fmax(ceil(along / m->width - 1e-6), 1);
    m->west = low[0];
    m->north = -low[2];
    m->values = calloc(2 * (size_t)m->nx * (size_t)m->ny, sizeof *m->values);
    return m->values ? STATUS_OK : fail_memory();
}

static void count(const fire_brands *b, double density, landing_map *m)
{
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    for (size_t n = 0; n < b->count; n++) {
        const foehn_fire_firebrand *p = &b->list[n];
        int i = (int)floor((p->position[0] - m->west) / m->width);
        int j = (int)floor((m->north + p->position[2]) / m->width);
        if (p->state != FOEHN_FIRE_BRAND_LANDED || i < 0 || j < 0 || i >= m->nx || j >= m->ny)
            continue;
        size_t c = (size_t)j * (size_t)m->nx + (size_t)i;
        m->values[c] += 1;
        m->values[cells + c] += (float)(fire_brand_mass(p, density) / (m->width * m->width));
    }
}

static bool write_bands(GDALDatasetH dataset, const landing_map *m)
{
    static const char *const names[2] = {"firebrands that landed",
                                         "mass of firebrands that landed"};
    static const char *const units[2] = {"1", "kg m-2"};
    bool done = true;
    for (int b = 0; b < 2; b++) {
        GDALRasterBandH band = GDALGetRasterBand(dataset, b + 1);
        GDALSetDescription(band, names[b]);
        GDALSetRasterUnitType(band, units[b]);
        done = done && GDALRasterIO(band, GF_Write, 0, 0, m->nx, m->ny,
                                    m->values + (size_t)b * (size_t)m->nx * (size_t)m->ny, m->nx,
                                    m->ny, GDT_Float32, 0, 0) == CE_None;
    }
    return done;
}

static int write_map(const fire_scene *s, const foehn_fire_info *box, const fire_brands *b,
                     const char *path, const char *temporary, const double at[3])
{
    landing_map m;
    int status = lay_out(box, &m);
    if (status != STATUS_OK)
        return status;
    count(b, (double)s->brands.density, &m);
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    CPLErrorReset();
    char *options[] = {"COMPRESS=DEFLATE", NULL};
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("GTiff"), IN_MEMORY, m.nx, m.ny, 2, GDT_Float32, options);
    bool done = dataset != NULL;
    if (dataset) {
        double transform[6] = {at[0] + m.west, m.width, 0, at[1] + m.north, 0, -m.width};
        GDALSetGeoTransform(dataset, transform);
        if (s->ground && fire_ground_system(s->ground)) {
            OGRSpatialReferenceH srs = OSRNewSpatialReference(fire_ground_system(s->ground));
            GDALSetSpatialRef(dataset, srs);
            OSRDestroySpatialReference(srs);
        }
        done = write_bands(dataset, &m);
        CPLErrorReset();
        GDALClose(dataset);
        done = done && CPLGetLastErrorType() < CE_Failure;
    }
    free(m.values);
    status = done ? memory_file_keep(IN_MEMORY, path, temporary)
                  : fail(STATUS_FAILED, "%s: cannot be written: %s", path, CPLGetLastErrorMsg());
    VSIUnlink(IN_MEMORY);
    return status;
}

#else

static int write_map(const fire_scene *s, const foehn_fire_info *box, const fire_brands *b,
                     const char *path, const char *temporary, const double at[3])
{
    (void)box, (void)b, (void)temporary, (void)at;
    return fire_landings_check(s, path);
}

#endif

int fire_landings_write(const fire_scene *s, const foehn_fire *fire, const fire_brands *b,
                        const char *path)
{
    const char *temporary;
    double at[3] = {0, 0, 0};
    foehn_fire_info info;
    foehn_fire_get_info(fire, &info);
    if (s->ground)
        fire_ground_place(s->ground, at);
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    status = ends_with(path, ".csv")
                 ? write_table(b, path, temporary, at, (double)s->brands.density)
                 : write_map(s, &info, b, path, temporary, at);
    if (status == STATUS_OK)
        return file_commit(temporary);
    file_discard(temporary);
    return status;
}
