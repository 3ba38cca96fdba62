/* SPDX-License-Identifier: MIT */
/* KMZ for globes: arrows along the wind at a height above the ground, a folder a class of speeds.
 */
#include "config.h"

#include "formats/memory_file.h"
#include "wind/output.h"

#ifndef HAVE_GDAL

const output_format output_kmz = {
    .extension = "kmz", .what = "KMZ output", .package = "libgdal-dev"};

#else

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdlib.h>

#define IN_MEMORY "/vsimem/foehn.kml"
#define ZIP_IN_MEMORY "/vsimem/foehn.kmz"

/* An arrow is a line of five points: tail, tip, one barb, tip, the other. */
enum { MOST_ARROWS = 64, CLASSES = 7, POINTS = 5 }; /* arrows along the longer side */

/* viridis, by van der Walt and Smith (CC0), in even steps. */
static const char *const colours[CLASSES] = {"#440154", "#443983", "#31688e", "#21918c",
                                             "#35b779", "#90d743", "#fde725"};

typedef struct kmz_file {
    const char *path, *temporary;
} kmz_file;

typedef struct arrows {
    int every, nx, ny; /* columns between arrows, arrows along the sides */
    double low, step;  /* of the classes of speed, m/s */
    double metres;     /* length of an arrow of a metre a second */
} arrows;

static int kmz_open(const char *path, const char *temporary, const scene *s, bool series,
                    void **file)
{
    (void)series;
    if (!s->place.projected)
        return fail(
            STATUS_USAGE,
            "--out %s: a globe needs a place on the Earth: give --origin LAT,LON, or a --terrain "
            "that says where it lies",
            path);
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    kmz_file *k = malloc(sizeof *k);
    *file = k;
    if (!k)
        return fail_memory();
    *k = (kmz_file){path, temporary};
    return STATUS_OK;
}

static double speed_at(const field *f, size_t c)
{
    return hypot((double)f->east_2d[c], (double)f->north_2d[c]);
}

static size_t column_of(const scene *s, const arrows *a, int n)
{
    int i = n % a->nx * a->every + a->every / 2, j = n / a->nx * a->every + a->every / 2;
    return (size_t)j * (size_t)s->nx + (size_t)i;
}

/* Steps of 1, 2 or 5 times a power of ten, so that CLASSES of them hold all speeds. */
static double class_step(double low, double high)
{
    static const double digits[] = {1, 2, 5, 10};
    double decade = pow(10, floor(log10(fmax(high - low, 0.01) / CLASSES)));
    for (int i = 0; i < 3; i++)
        if (floor(low / (digits[i] * decade)) * digits[i] * decade + CLASSES * digits[i] * decade >
            high)
            return digits[i] * decade;
    return 10 * decade;
}

static arrows choose_arrows(const scene *s, const field *f)
{
    arrows a = {.every = ((s->nx > s->ny ? s->nx : s->ny) + MOST_ARROWS - 1) / MOST_ARROWS};
    double low = INFINITY, high = 0;
    a.nx = (s->nx - a.every / 2 + a.every - 1) / a.every;
    a.ny = (s->ny - a.every / 2 + a.every - 1) / a.every;
    for (int n = 0; n < a.nx * a.ny; n++) {
        double speed = speed_at(f, column_of(s, &a, n));
        low = fmin(low, speed);
        high = fmax(high, speed);
    }
    if (s->has_range) {
        low = s->range[0];
        high = s->range[1];
    }
    a.step = s->has_range ? (high - low) / CLASSES : class_step(low, high);
    a.low = s->has_range ? low : a.step * floor(low / a.step);
    a.metres = 0.9 * a.every * s->spacing[0] / fmax(high, 1e-6);
    return a;
}

static int class_of(const arrows *a, double speed)
{
    int n = (int)floor((speed - a->low) / a->step);
    return n < 0 ? 0 : n >= CLASSES ? CLASSES - 1 : n;
}

/* The points of all arrows, degrees. */
static int place_arrows(const scene *s, const field *f, const arrows *a, double *x, double *y)
{
    for (int n = 0; n < a->nx * a->ny; n++) {
        size_t c = column_of(s, a, n);
        double at_x = s->origin[0] + ((double)(c % (size_t)s->nx) + 0.5) * s->spacing[0];
        double at_y = s->origin[1] + ((double)(c / (size_t)s->nx) + 0.5) * s->spacing[1];
        double u = (double)f->east_2d[c] * a->metres, v = (double)f->north_2d[c] * a->metres;
        const double along[POINTS] = {-0.5, 0.5, 0.2, 0.5, 0.2},
                     across[POINTS] = {0, 0, 0.17, 0, -0.17};
        for (int p = 0; p < POINTS; p++) {
            x[POINTS * n + p] = at_x + along[p] * u - across[p] * v;
            y[POINTS * n + p] = at_y + along[p] * v + across[p] * u;
        }
    }
    return place_to_geographic(&s->place, (size_t)(POINTS * a->nx * a->ny), x, y);
}

static bool add_arrow(OGRLayerH layer, const scene *s, const field *f, size_t c, const double *x,
                      const double *y, const char *colour)
{
    char text[64];
    double easting = s->origin[0] + ((double)(c % (size_t)s->nx) + 0.5) * s->spacing[0];
    double northing = s->origin[1] + ((double)(c / (size_t)s->nx) + 0.5) * s->spacing[1];
    double speed = speed_at(f, c);
    double from = place_direction(&s->place, easting, northing, (double)f->east_2d[c],
                                  (double)f->north_2d[c]);
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGRGeometryH line = OGR_G_CreateGeometry(wkbLineString);
    for (int p = 0; p < POINTS; p++)
        OGR_G_AddPoint_2D(line, x[p], y[p]);
    snprintf(text, sizeof text, "%.1f m/s from %.0f\xc2\xb0", speed, from);
    OGR_F_SetFieldString(feature, 0, text);
    OGR_F_SetFieldDouble(feature, 1, (double)(float)speed);
    OGR_F_SetFieldDouble(feature, 2, (double)(float)from);
    snprintf(text, sizeof text, "PEN(c:%s,w:2px)", colour);
    OGR_F_SetStyleString(feature, text);
    bool done = OGR_F_SetGeometryDirectly(feature, line) == OGRERR_NONE &&
                OGR_L_CreateFeature(layer, feature) == OGRERR_NONE;
    OGR_F_Destroy(feature);
    return done;
}

static bool add_class(GDALDatasetH dataset, OGRSpatialReferenceH srs, const scene *s,
                      const field *f, const arrows *a, int class, const double *x, const double *y)
{
    static const struct {
        const char *name;
        OGRFieldType type;
    } columns[] = {{"Name", OFTString}, {"speed_m_s", OFTReal}, {"from_true_deg", OFTReal}};
    char name[64];
    snprintf(name, sizeof name, "%g to %g m/s, %g m above ground", a->low + class * a->step,
             a->low + (class + 1) * a->step, s->height);
    OGRLayerH layer = NULL;
    bool done = true;
    for (int n = 0; done && n < a->nx * a->ny; n++) {
        size_t c = column_of(s, a, n);
        if (class_of(a, speed_at(f, c)) != class)
            continue;
        if (!layer) { /* a class without arrows has no folder */
            layer = GDALDatasetCreateLayer(dataset, name, srs, wkbLineString, NULL);
            done = layer != NULL;
            for (int i = 0; i < 3 && done; i++) {
                OGRFieldDefnH column = OGR_Fld_Create(columns[i].name, columns[i].type);
                done = OGR_L_CreateField(layer, column, 0) == OGRERR_NONE;
                OGR_Fld_Destroy(column);
            }
        }
        done = done && add_arrow(layer, s, f, c, x + POINTS * n, y + POINTS * n, colours[class]);
    }
    return done;
}

/* All classes as KML in memory. */
static bool make_kml(const scene *s, const field *f, const arrows *a, const double *x,
                     const double *y)
{
    GDALDriverH driver = GDALGetDriverByName("LIBKML");
    if (!driver)
        driver = GDALGetDriverByName("KML");
    GDALDatasetH dataset =
        driver ? GDALCreate(driver, IN_MEMORY, 0, 0, 0, GDT_Unknown, NULL) : NULL;
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    OSRSetWellKnownGeogCS(srs, "WGS84");
    OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    bool done = dataset != NULL;
    for (int class = 0; class < CLASSES && done; class ++)
        done = add_class(dataset, srs, s, f, a, class, x, y);
    if (dataset)
        GDALClose(dataset);
    OSRDestroySpatialReference(srs);
    return done;
}

/* The KML as the one file of a zip. */
static bool zip_kml(void)
{
    vsi_l_offset size = 0;
    GByte *bytes = VSIGetMemFileBuffer(IN_MEMORY, &size, TRUE);
    void *zip = bytes ? CPLCreateZip(ZIP_IN_MEMORY, NULL) : NULL;
    bool done = zip && size <= INT32_MAX && CPLCreateFileInZip(zip, "doc.kml", NULL) == CE_None &&
                CPLWriteFileInZip(zip, bytes, (int)size) == CE_None &&
                CPLCloseFileInZip(zip) == CE_None;
    done = zip && CPLCloseZip(zip) == CE_None && done;
    CPLFree(bytes);
    return done;
}

static int kmz_write(void *file, const scene *s, const field *f)
{
    const kmz_file *k = file;
    const arrows a = choose_arrows(s, f);
    const size_t count = (size_t)(POINTS * a.nx * a.ny);
    double *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y);
    int status = x && y ? place_arrows(s, f, &a, x, y) : fail_memory();
    CPLErrorReset();
    if (status == STATUS_OK)
        status =
            make_kml(s, f, &a, x, y) && zip_kml()
                ? memory_file_keep(ZIP_IN_MEMORY, k->path, k->temporary)
                : fail(STATUS_FAILED, "%s: cannot be written: %s", k->path, CPLGetLastErrorMsg());
    VSIUnlink(IN_MEMORY);
    VSIUnlink(ZIP_IN_MEMORY);
    free(x);
    free(y);
    return status;
}

static int kmz_close(void *file, bool keep)
{
    (void)keep;
    free(file);
    return STATUS_OK;
}

const output_format output_kmz = {.extension = "kmz",
                                  .what = "KMZ output",
                                  .flat = true,
                                  .open = kmz_open,
                                  .write = kmz_write,
                                  .close = kmz_close};

#endif
