/* SPDX-License-Identifier: MIT */
/* Where on the Earth a box lies. */
#include "config.h"

#include "terrain/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_GDAL
#include <cpl_conv.h>
#include <ogr_srs_api.h>
#endif

double direction_from(double east, double north)
{
    if (east == 0 && north == 0)
        return 0;
    double degrees = atan2(-east, -north) * (180 / 3.14159265358979323846);
    return degrees < 0 ? degrees + 360 : degrees;
}

double place_convergence(const place *p, double easting, double northing)
{
    if (!p->projected)
        return 0;
    const double *a = p->area, *c = p->corner_convergence;
    double s = (easting - a[0]) / (a[2] - a[0]), t = (northing - a[1]) / (a[3] - a[1]);
    return (c[0] * (1 - s) + c[1] * s) * (1 - t) + (c[2] * (1 - s) + c[3] * s) * t;
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

int place_to_geographic(const place *p, size_t count, double *x_to_longitude, double *y_to_latitude)
{
    (void)p;
    (void)count;
    (void)x_to_longitude;
    (void)y_to_latitude;
    return STATUS_FAILED;
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

int place_to_geographic(const place *p, size_t count, double *x, double *y)
{
    if (!p->projected)
        return STATUS_FAILED;
    OGRSpatialReferenceH srs = system_of(p->wkt);
    OGRSpatialReferenceH geographic = srs ? geographic_of(srs) : NULL;
    OGRCoordinateTransformationH to =
        geographic ? OCTNewCoordinateTransformation(srs, geographic) : NULL;
    bool done = to && OCTTransform(to, (int)count, x, y, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(geographic);
    OSRDestroySpatialReference(srs);
    return done ? STATUS_OK : STATUS_FAILED;
}

/* Convergence at a point: where a short way along the meridian leads on the grid. */
static bool find_convergence(OGRCoordinateTransformationH to, OGRCoordinateTransformationH back,
                             double easting, double northing, double *convergence)
{
    double x = easting, y = northing;
    if (!OCTTransform(to, 1, &x, &y, NULL))
        return false;
    const double step = 1e-4; /* degrees, some 11 m: far above rounding, far below curvature */
    double xs[2] = {x, x}, ys[2] = {y - step, y + step};
    if (!OCTTransform(back, 2, xs, ys, NULL))
        return false;
    *convergence = -atan2(xs[1] - xs[0], ys[1] - ys[0]) * (180 / 3.14159265358979323846);
    return isfinite(*convergence);
}

static void add_number(place *p, const char *name, double value)
{
    if (p->attribute_count == MOST_PLACE_ATTRIBUTES)
        return;
    place_attribute *a = &p->attributes[p->attribute_count++];
    snprintf(a->name, sizeof a->name, "%s", name);
    a->count = 1;
    a->values[0] = value;
}

static void add_text(place *p, const char *name, const char *text)
{
    if (!text || p->attribute_count == MOST_PLACE_ATTRIBUTES)
        return;
    place_attribute *a = &p->attributes[p->attribute_count++];
    snprintf(a->name, sizeof a->name, "%s", name);
    snprintf(a->text, sizeof a->text, "%s", text);
    a->count = 0;
}

/* CF-1.8, appendix F, against the names of WKT 1. */
static const struct {
    const char *projection, *mapping;
    struct {
        const char *parameter, *attribute;
    } parameters[6];
} mappings[] = {
    {SRS_PT_TRANSVERSE_MERCATOR,
     "transverse_mercator",
     {{SRS_PP_LATITUDE_OF_ORIGIN, "latitude_of_projection_origin"},
      {SRS_PP_CENTRAL_MERIDIAN, "longitude_of_central_meridian"},
      {SRS_PP_SCALE_FACTOR, "scale_factor_at_central_meridian"},
      {SRS_PP_FALSE_EASTING, "false_easting"},
      {SRS_PP_FALSE_NORTHING, "false_northing"}}},
    {SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP,
     "lambert_conformal_conic",
     {{SRS_PP_LATITUDE_OF_ORIGIN, "latitude_of_projection_origin"},
      {SRS_PP_CENTRAL_MERIDIAN, "longitude_of_central_meridian"},
      {SRS_PP_FALSE_EASTING, "false_easting"},
      {SRS_PP_FALSE_NORTHING, "false_northing"}}},
    {SRS_PT_LAMBERT_CONFORMAL_CONIC_1SP,
     "lambert_conformal_conic",
     {{SRS_PP_LATITUDE_OF_ORIGIN, "latitude_of_projection_origin"},
      {SRS_PP_LATITUDE_OF_ORIGIN, "standard_parallel"},
      {SRS_PP_CENTRAL_MERIDIAN, "longitude_of_central_meridian"},
      {SRS_PP_FALSE_EASTING, "false_easting"},
      {SRS_PP_FALSE_NORTHING, "false_northing"}}},
    {SRS_PT_ALBERS_CONIC_EQUAL_AREA,
     "albers_conical_equal_area",
     {{SRS_PP_LATITUDE_OF_CENTER, "latitude_of_projection_origin"},
      {SRS_PP_LONGITUDE_OF_CENTER, "longitude_of_central_meridian"},
      {SRS_PP_FALSE_EASTING, "false_easting"},
      {SRS_PP_FALSE_NORTHING, "false_northing"}}},
    {SRS_PT_LAMBERT_AZIMUTHAL_EQUAL_AREA,
     "lambert_azimuthal_equal_area",
     {{SRS_PP_LATITUDE_OF_CENTER, "latitude_of_projection_origin"},
      {SRS_PP_LONGITUDE_OF_CENTER, "longitude_of_projection_origin"},
      {SRS_PP_FALSE_EASTING, "false_easting"},
      {SRS_PP_FALSE_NORTHING, "false_northing"}}},
    {SRS_PT_MERCATOR_1SP,
     "mercator",
     {{SRS_PP_CENTRAL_MERIDIAN, "longitude_of_projection_origin"},
      {SRS_PP_SCALE_FACTOR, "scale_factor_at_projection_origin"},
      {SRS_PP_FALSE_EASTING, "false_easting"},
      {SRS_PP_FALSE_NORTHING, "false_northing"}}},
};

static void add_mapping(place *p, OGRSpatialReferenceH srs)
{
    const char *projection = OSRGetAttrValue(srs, "PROJECTION", 0);
    for (size_t i = 0; projection && i < sizeof mappings / sizeof mappings[0]; i++) {
        if (strcmp(mappings[i].projection, projection) != 0)
            continue;
        add_text(p, "grid_mapping_name", mappings[i].mapping);
        for (int k = 0; k < 6 && mappings[i].parameters[k].parameter; k++)
            add_number(p, mappings[i].parameters[k].attribute,
                       OSRGetNormProjParm(srs, mappings[i].parameters[k].parameter, 0, NULL));
        /* Two parallels are one attribute of two values. */
        OGRErr error = OGRERR_NONE;
        double first = OSRGetNormProjParm(srs, SRS_PP_STANDARD_PARALLEL_1, 0, &error);
        if (error == OGRERR_NONE && p->attribute_count < MOST_PLACE_ATTRIBUTES) {
            double second = OSRGetNormProjParm(srs, SRS_PP_STANDARD_PARALLEL_2, first, NULL);
            add_number(p, "standard_parallel", first);
            place_attribute *a = &p->attributes[p->attribute_count - 1];
            a->values[1] = second;
            a->count = second == first ? 1 : 2;
        }
    }
    add_number(p, "semi_major_axis", OSRGetSemiMajor(srs, NULL));
    double flattening = OSRGetInvFlattening(srs, NULL);
    if (flattening > 0)
        add_number(p, "inverse_flattening", flattening);
    else
        add_number(p, "semi_minor_axis", OSRGetSemiMinor(srs, NULL));
    char *meridian = NULL;
    add_number(p, "longitude_of_prime_meridian", OSRGetPrimeMeridian(srs, &meridian));
    add_text(p, "prime_meridian_name", meridian);
    add_text(p, "reference_ellipsoid_name", OSRGetAttrValue(srs, "SPHEROID", 0));
    add_text(p, "horizontal_datum_name", OSRGetAttrValue(srs, "DATUM", 0));
    add_text(p, "geographic_crs_name", OSRGetAttrValue(srs, "GEOGCS", 0));
    add_text(p, "projected_crs_name", OSRGetAttrValue(srs, "PROJCS", 0));
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
    const char *name = OSRGetName(srs);
    snprintf(p->name, sizeof p->name, "%s", name ? name : "unnamed");
    const char *authority = OSRGetAuthorityName(srs, NULL), *code = OSRGetAuthorityCode(srs, NULL);
    if (authority && code)
        snprintf(p->authority, sizeof p->authority, "%s:%s", authority, code);
    return p->wkt && p->wkt_gdal;
}

static bool find_convergences(place *p, OGRSpatialReferenceH srs)
{
    OGRSpatialReferenceH geographic = geographic_of(srs);
    if (!geographic)
        return false;
    OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(srs, geographic);
    OGRCoordinateTransformationH back = OCTNewCoordinateTransformation(geographic, srs);
    bool found = to && back;
    for (int i = 0; i < 4 && found; i++)
        found = find_convergence(to, back, p->area[i & 1 ? 2 : 0], p->area[i & 2 ? 3 : 1],
                                 &p->corner_convergence[i]);
    if (found)
        found = find_convergence(to, back, 0.5 * (p->area[0] + p->area[2]),
                                 0.5 * (p->area[1] + p->area[3]), &p->convergence);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    if (back)
        OCTDestroyCoordinateTransformation(back);
    OSRDestroySpatialReference(geographic);
    return found;
}

int place_create(place *p, const char *wkt)
{
    p->projected = true;
    OGRSpatialReferenceH srs = system_of(wkt);
    bool done = srs && describe(p, srs) && find_convergences(p, srs);
    if (done)
        add_mapping(p, srs);
    OSRDestroySpatialReference(srs);
    if (done)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "terrain: true north cannot be found in its coordinate system (%s): "
                "reproject it with gdalwarp",
                p->name[0] ? p->name : "unreadable");
}

#endif
