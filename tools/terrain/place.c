/* SPDX-License-Identifier: MIT */
/* Where on the Earth a box lies. */
#include "config.h"

#include "terrain/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_GDAL
#include "terrain/mapping.h"

#include <cpl_conv.h>
#endif

double direction_from(double east, double north)
{
    if (east == 0 && north == 0)
        return 0;
    double degrees = atan2(-east, -north) * (180 / 3.14159265358979323846);
    return degrees < 0 ? degrees + 360 : degrees;
}

/* Cosine and sine of the convergence at a point: bilinear on the lattice. */
static void find_north(const place *p, double easting, double northing, double north[2])
{
    const int most = PLACE_LATTICE - 1;
    const double *a = p->area;
    double x = most * (easting - a[0]) / (a[2] - a[0]),
           y = most * (northing - a[1]) / (a[3] - a[1]);
    x = x < 0 ? 0 : x > most ? most : x;
    y = y < 0 ? 0 : y > most ? most : y;
    int i = x < most ? (int)x : most - 1, j = y < most ? (int)y : most - 1;
    double s = x - i, t = y - j;
    for (int c = 0; c < 2; c++)
        north[c] = (p->north[j][i][c] * (1 - s) + p->north[j][i + 1][c] * s) * (1 - t) +
                   (p->north[j + 1][i][c] * (1 - s) + p->north[j + 1][i + 1][c] * s) * t;
    double length = hypot(north[0], north[1]);
    north[0] = length > 0 ? north[0] / length : 1;
    north[1] = length > 0 ? north[1] / length : 0;
}

void place_turn(const place *p, double easting, double northing, double *east, double *north)
{
    if (!p->projected)
        return;
    double c[2], u = *east, v = *north;
    find_north(p, easting, northing, c);
    *east = u * c[0] + v * c[1];
    *north = v * c[0] - u * c[1];
}

double place_direction(const place *p, double easting, double northing, double east, double north)
{
    place_turn(p, easting, northing, &east, &north);
    return direction_from(east, north);
}

void place_destroy(place *p)
{
    free(p->wkt);
    free(p->wkt_gdal);
    p->wkt = p->wkt_gdal = NULL;
}

#ifndef HAVE_GDAL

int place_create(place *p, const char *wkt)
{
    (void)wkt;
    memset(p, 0, sizeof *p);
    return STATUS_OK;
}

int place_create_local(place *p, double latitude, double longitude)
{
    (void)p;
    (void)latitude;
    (void)longitude;
    return fail(STATUS_USAGE,
                "--origin: this foehn was built without GDAL: install libgdal-dev, then "
                "configure and make again");
}

bool place_find_scale(const char *wkt, double unit, double easting, double northing,
                      place_scale *out)
{
    (void)wkt;
    (void)unit;
    (void)easting;
    (void)northing;
    (void)out;
    return false;
}

int place_to_geographic(const place *p, size_t count, double *x_to_longitude, double *y_to_latitude)
{
    (void)p;
    (void)count;
    (void)x_to_longitude;
    (void)y_to_latitude;
    return STATUS_FAILED;
}

int place_from_geographic(const place *p, size_t count, double *longitude_to_x,
                          double *latitude_to_y)
{
    return place_to_geographic(p, count, longitude_to_x, latitude_to_y);
}

#else

/* The geographic system under a projected one, longitude first. */
static OGRSpatialReferenceH geographic_of(OGRSpatialReferenceH projected)
{
    OGRSpatialReferenceH geographic = OSRCloneGeogCS(projected);
    if (geographic)
        OSRSetAxisMappingStrategy(geographic, OAMS_TRADITIONAL_GIS_ORDER);
    return geographic;
}

static OGRSpatialReferenceH system_of(const char *wkt)
{
    OGRSpatialReferenceH srs = OSRNewSpatialReference(wkt);
    if (srs)
        OSRSetAxisMappingStrategy(srs, OAMS_TRADITIONAL_GIS_ORDER);
    return srs;
}

static OGRSpatialReferenceH create_wgs84(void)
{
    OGRSpatialReferenceH wgs84 = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(wgs84, 4326);
    OSRSetAxisMappingStrategy(wgs84, OAMS_TRADITIONAL_GIS_ORDER);
    return wgs84;
}

static int transform(const place *p, bool forward, size_t count, double *x, double *y)
{
    if (!p->projected)
        return STATUS_FAILED;
    OGRSpatialReferenceH srs = system_of(p->wkt);
    OGRSpatialReferenceH wgs84 = create_wgs84();
    OGRCoordinateTransformationH to =
        srs ? OCTNewCoordinateTransformation(forward ? srs : wgs84, forward ? wgs84 : srs) : NULL;
    bool done = to && OCTTransform(to, (int)count, x, y, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(wgs84);
    OSRDestroySpatialReference(srs);
    return done ? STATUS_OK : STATUS_FAILED;
}

int place_to_geographic(const place *p, size_t count, double *x, double *y)
{
    return transform(p, true, count, x, y);
}

int place_from_geographic(const place *p, size_t count, double *x, double *y)
{
    return transform(p, false, count, x, y);
}

/* From a projected system to the directions on the ground under it. */
typedef struct ground_finder {
    OGRSpatialReferenceH geographic;
    OGRCoordinateTransformationH to;
    double unit;         /* metres per unit of the projected system */
    double radian;       /* per unit of the geographic one */
    double meridian;     /* its prime meridian, degrees */
    double axis, square; /* of its ellipsoid: semi-major axis, m; squared eccentricity */
} ground_finder;

static bool finder_create(ground_finder *f, OGRSpatialReferenceH srs, double unit)
{
    memset(f, 0, sizeof *f);
    f->geographic = geographic_of(srs);
    if (!f->geographic)
        return false;
    f->to = OCTNewCoordinateTransformation(srs, f->geographic);
    f->unit = unit;
    f->radian = OSRGetAngularUnits(f->geographic, NULL);
    f->meridian = OSRGetPrimeMeridian(f->geographic, NULL);
    f->axis = OSRGetSemiMajor(f->geographic, NULL);
    double minor = OSRGetSemiMinor(f->geographic, NULL) / f->axis;
    f->square = 1 - minor * minor;
    return f->to != NULL;
}

static void finder_destroy(ground_finder *f)
{
    if (f->to)
        OCTDestroyCoordinateTransformation(f->to);
    OSRDestroySpatialReference(f->geographic);
}

/* A point of the ellipsoid from the Earth's centre, m. */
static void find_geocentric(const ground_finder *f, double longitude, double latitude, double at[3])
{
    double sine = sin(latitude), normal = f->axis / sqrt(1 - f->square * sine * sine);
    at[0] = normal * cos(latitude) * cos(longitude);
    at[1] = normal * cos(latitude) * sin(longitude);
    at[2] = normal * (1 - f->square) * sine;
}

/* Metres towards true east and north that a metre along the grid's x, then along its y, makes; and
 * longitude and latitude in radians.  Along chords, so that it holds beside the poles, too. */
static bool find_ground(const ground_finder *f, double x, double y, double along[2][2],
                        double at[2])
{
    const double half = 100 / f->unit; /* far above rounding, far below curvature */
    double xs[5] = {x, x - half, x + half, x, x}, ys[5] = {y, y, y, y - half, y + half};
    if (!OCTTransform(f->to, 5, xs, ys, NULL))
        return false;
    at[0] = xs[0] * f->radian;
    at[1] = ys[0] * f->radian;
    const double east[3] = {-sin(at[0]), cos(at[0]), 0};
    const double north[3] = {-sin(at[1]) * cos(at[0]), -sin(at[1]) * sin(at[0]), cos(at[1])};
    for (int a = 0; a < 2; a++) {
        double ends[2][3];
        for (int e = 0; e < 2; e++)
            find_geocentric(f, xs[2 * a + 1 + e] * f->radian, ys[2 * a + 1 + e] * f->radian,
                            ends[e]);
        along[a][0] = along[a][1] = 0;
        for (int c = 0; c < 3; c++) {
            along[a][0] += (ends[1][c] - ends[0][c]) * east[c] / 200;
            along[a][1] += (ends[1][c] - ends[0][c]) * north[c] / 200;
        }
    }
    double area = along[0][0] * along[1][1] - along[0][1] * along[1][0];
    return isfinite(area) && area != 0;
}

/* Lengths around a point, by the singular values of the matrix: true metres per metre of the grid.
 */
static bool find_scale(const ground_finder *f, double easting, double northing, place_scale *out)
{
    double along[2][2], at[2], squares = 0;
    if (!find_ground(f, easting, northing, along, at))
        return false;
    double area = along[0][0] * along[1][1] - along[0][1] * along[1][0];
    for (int i = 0; i < 4; i++)
        squares += along[i / 2][i % 2] * along[i / 2][i % 2];
    double root = sqrt(fmax(squares * squares - 4 * area * area, 0));
    out->least = 1 / sqrt(0.5 * (squares + root));
    out->most = 1 / sqrt(0.5 * fmax(squares - root, 1e-12));
    out->mirrored = area < 0;
    out->longitude = at[0] * (180 / 3.14159265358979323846) + f->meridian;
    out->latitude = at[1] * (180 / 3.14159265358979323846);
    return true;
}

bool place_find_scale(const char *wkt, double unit, double easting, double northing,
                      place_scale *out)
{
    OGRSpatialReferenceH srs = system_of(wkt);
    if (!srs)
        return false;
    ground_finder f;
    bool found = finder_create(&f, srs, unit) && find_scale(&f, easting, northing, out);
    finder_destroy(&f);
    OSRDestroySpatialReference(srs);
    return found;
}

/* Cosine and sine of the convergence at a point: true north leads along (-sin, cos) of the grid. */
static bool find_convergence(const ground_finder *f, double easting, double northing,
                             double north[2])
{
    double along[2][2], at[2];
    if (!find_ground(f, easting, northing, along, at))
        return false;
    double area = along[0][0] * along[1][1] - along[0][1] * along[1][0];
    double x = -along[1][0] / area, y = along[0][0] / area, length = hypot(x, y);
    north[0] = y / length;
    north[1] = -x / length;
    return isfinite(north[0]) && isfinite(north[1]);
}

/* A copy that free() takes. */
static char *export_wkt(OGRSpatialReferenceH srs, const char *format)
{
    const char *options[] = {format, NULL};
    char *text = NULL, *copy = NULL;
    if (OSRExportToWktEx(srs, &text, options) == OGRERR_NONE && text)
        copy = strdup(text);
    CPLFree(text);
    return copy;
}

static bool describe(place *p, OGRSpatialReferenceH srs)
{
    p->wkt = export_wkt(srs, "FORMAT=WKT2_2018");
    p->wkt_gdal = export_wkt(srs, "FORMAT=WKT1_GDAL");
    if (!p->wkt_gdal)
        p->wkt_gdal = p->wkt ? strdup(p->wkt) : NULL;
    OGRSpatialReferenceH wgs84 = create_wgs84();
    p->on_wgs84 = OSRIsSameGeogCS(srs, wgs84);
    OSRDestroySpatialReference(wgs84);
    const char *name = OSRGetName(srs);
    snprintf(p->name, sizeof p->name, "%s", name ? name : "unnamed");
    const char *authority = OSRGetAuthorityName(srs, NULL), *code = OSRGetAuthorityCode(srs, NULL);
    if (authority && code)
        snprintf(p->authority, sizeof p->authority, "%s:%s", authority, code);
    return p->wkt && p->wkt_gdal;
}

static bool find_convergences(place *p, OGRSpatialReferenceH srs)
{
    const int most = PLACE_LATTICE - 1;
    const double *a = p->area;
    ground_finder f;
    bool found = finder_create(&f, srs, 1);
    for (int j = 0; j <= most && found; j++)
        for (int i = 0; i <= most && found; i++)
            found = find_convergence(&f, a[0] + (a[2] - a[0]) * i / most,
                                     a[1] + (a[3] - a[1]) * j / most, p->north[j][i]);
    double north[2];
    if (found)
        found = find_convergence(&f, 0.5 * (a[0] + a[2]), 0.5 * (a[1] + a[3]), north);
    if (found)
        p->convergence = atan2(north[1], north[0]) * (180 / 3.14159265358979323846);
    finder_destroy(&f);
    return found;
}

/* At a pole all directions are south; beside it they turn within few points of the lattice. */
static int refuse_pole(const place *p, OGRSpatialReferenceH srs)
{
    const double *a = p->area;
    double beside[2] = {(a[2] - a[0]) / 4, (a[3] - a[1]) / 4}, x, y;
    for (int pole = -90; pole <= 90; pole += 180)
        if (mapping_project(srs, pole, 0, &x, &y) && x > a[0] - beside[0] && x < a[2] + beside[0] &&
            y > a[1] - beside[1] && y < a[3] + beside[1])
            return fail(STATUS_INPUT,
                        "the %s pole, at %.10g,%.10g, lies in the box or less than a quarter of it "
                        "away, where true north is no direction: choose a --window without it; or, "
                        "for directions of the grid, take its system away (gdal_translate --config "
                        "GDAL_PAM_ENABLED NO -co PROFILE=BASELINE -co TFW=YES) and give "
                        "--assume-metres",
                        pole < 0 ? "South" : "North", x, y);
    return STATUS_OK;
}

/* Lengths hold at the corners of the box, too, not at its middle alone. */
static int refuse_wide(const place *p, OGRSpatialReferenceH srs)
{
    ground_finder f;
    place_scale there;
    int status = STATUS_OK;
    bool found = finder_create(&f, srs, 1);
    for (int corner = 0; corner < 4 && found && status == STATUS_OK; corner++) {
        double x = p->area[corner % 2 ? 2 : 0], y = p->area[corner / 2 ? 3 : 1];
        if (find_scale(&f, x, y, &there) && fmax(there.most - 1, 1 - there.least) > MOST_DISTORTION)
            status = fail(STATUS_INPUT,
                          "a box of %.0f x %.0f km is too wide for its coordinate system (%s): at "
                          "its corner %.10g,%.10g a metre of the ground is %.3g to %.3g m of it: "
                          "choose a smaller box, of a raster by --window",
                          (p->area[2] - p->area[0]) / 1000, (p->area[3] - p->area[1]) / 1000,
                          p->name, x, y, there.least, there.most);
    }
    finder_destroy(&f);
    return status;
}

int place_create(place *p, const char *wkt)
{
    p->projected = true;
    OGRSpatialReferenceH srs = system_of(wkt);
    int status = STATUS_OK;
    bool done = srs && describe(p, srs);
    if (done) {
        status = refuse_pole(p, srs);
        done = status != STATUS_OK || find_convergences(p, srs);
    }
    if (done && status == STATUS_OK)
        status = refuse_wide(p, srs);
    if (done && status == STATUS_OK)
        mapping_add(p, srs);
    OSRDestroySpatialReference(srs);
    if (done)
        return status;
    return fail(STATUS_INPUT,
                "terrain: true north cannot be found in its coordinate system (%s): "
                "reproject it with gdalwarp",
                p->name[0] ? p->name : "unreadable");
}

int place_create_local(place *p, double latitude, double longitude)
{
    char name[96], *wkt = NULL;
    snprintf(name, sizeof name, "WGS 84 / transverse Mercator at %.10g N %.10g E", latitude,
             longitude);
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    bool done = OSRSetProjCS(srs, name) == OGRERR_NONE &&
                OSRSetWellKnownGeogCS(srs, "WGS84") == OGRERR_NONE &&
                OSRSetTM(srs, latitude, longitude, 1, 0, 0) == OGRERR_NONE &&
                OSRExportToWkt(srs, &wkt) == OGRERR_NONE;
    int status = done ? place_create(p, wkt)
                      : fail(STATUS_INPUT, "--origin %.10g,%.10g: GDAL makes no system of it",
                             latitude, longitude);
    CPLFree(wkt);
    OSRDestroySpatialReference(srs);
    return status;
}

#endif
