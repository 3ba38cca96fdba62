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

/* Metres towards true east and north that a metre along the grid's x, then along its y, makes; and
 * longitude and latitude in radians. */
static bool find_ground(const ground_finder *f, double x, double y, double along[2][2],
                        double at[2])
{
    const double half = 100 / f->unit; /* far above rounding, far below curvature */
    double xs[5] = {x, x - half, x + half, x, x}, ys[5] = {y, y, y, y - half, y + half};
    if (!OCTTransform(f->to, 5, xs, ys, NULL))
        return false;
    at[0] = xs[0] * f->radian;
    at[1] = ys[0] * f->radian;
    const double turn = 2 * 3.14159265358979323846, sine = sin(at[1]);
    const double curved = 1 - f->square * sine * sine;
    const double parallel = f->axis / sqrt(curved) * cos(at[1]);
    const double meridian = f->axis * (1 - f->square) / (curved * sqrt(curved));
    for (int a = 0; a < 2; a++) {
        double longitude = remainder((xs[2 * a + 2] - xs[2 * a + 1]) * f->radian, turn);
        double latitude = (ys[2 * a + 2] - ys[2 * a + 1]) * f->radian;
        along[a][0] = parallel * longitude / 200;
        along[a][1] = meridian * latitude / 200;
    }
    double area = along[0][0] * along[1][1] - along[0][1] * along[1][0];
    return isfinite(area) && area != 0;
}

bool place_find_scale(const char *wkt, double unit, double easting, double northing,
                      place_scale *out)
{
    OGRSpatialReferenceH srs = system_of(wkt);
    if (!srs)
        return false;
    ground_finder f;
    double along[2][2], at[2];
    bool found = finder_create(&f, srs, unit) && find_ground(&f, easting, northing, along, at);
    if (found) {
        /* The singular values of the matrix: true metres per metre of the grid. */
        double area = along[0][0] * along[1][1] - along[0][1] * along[1][0], squares = 0;
        for (int i = 0; i < 4; i++)
            squares += along[i / 2][i % 2] * along[i / 2][i % 2];
        double root = sqrt(fmax(squares * squares - 4 * area * area, 0));
        out->least = 1 / sqrt(0.5 * (squares + root));
        out->most = 1 / sqrt(0.5 * fmax(squares - root, 1e-12));
        out->mirrored = area < 0;
        out->longitude = at[0] * (180 / 3.14159265358979323846) + f.meridian;
        out->latitude = at[1] * (180 / 3.14159265358979323846);
    }
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

/* CF-1.8, appendix F, against the names of WKT 1.  A system that CF cannot say exactly has no
 * grid_mapping_name: Krovak's projection, the double stereographic, axes to south and west. */
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
      {SRS_PP_SCALE_FACTOR, "scale_factor_at_central_meridian"}}},
    {SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP,
     "lambert_conformal_conic",
     {{SRS_PP_LATITUDE_OF_ORIGIN, "latitude_of_projection_origin"},
      {SRS_PP_CENTRAL_MERIDIAN, "longitude_of_central_meridian"}}},
    {SRS_PT_ALBERS_CONIC_EQUAL_AREA,
     "albers_conical_equal_area",
     {{SRS_PP_LATITUDE_OF_CENTER, "latitude_of_projection_origin"},
      {SRS_PP_LONGITUDE_OF_CENTER, "longitude_of_central_meridian"}}},
    {SRS_PT_LAMBERT_AZIMUTHAL_EQUAL_AREA,
     "lambert_azimuthal_equal_area",
     {{SRS_PP_LATITUDE_OF_CENTER, "latitude_of_projection_origin"},
      {SRS_PP_LONGITUDE_OF_CENTER, "longitude_of_projection_origin"}}},
    {SRS_PT_AZIMUTHAL_EQUIDISTANT,
     "azimuthal_equidistant",
     {{SRS_PP_LATITUDE_OF_CENTER, "latitude_of_projection_origin"},
      {SRS_PP_LONGITUDE_OF_CENTER, "longitude_of_projection_origin"}}},
    {SRS_PT_CYLINDRICAL_EQUAL_AREA,
     "lambert_cylindrical_equal_area",
     {{SRS_PP_CENTRAL_MERIDIAN, "longitude_of_central_meridian"},
      {SRS_PP_STANDARD_PARALLEL_1, "standard_parallel"}}},
    {SRS_PT_STEREOGRAPHIC,
     "stereographic",
     {{SRS_PP_LATITUDE_OF_ORIGIN, "latitude_of_projection_origin"},
      {SRS_PP_CENTRAL_MERIDIAN, "longitude_of_projection_origin"},
      {SRS_PP_SCALE_FACTOR, "scale_factor_at_projection_origin"}}},
    {SRS_PT_MERCATOR_1SP,
     "mercator",
     {{SRS_PP_CENTRAL_MERIDIAN, "longitude_of_projection_origin"},
      {SRS_PP_SCALE_FACTOR, "scale_factor_at_projection_origin"}}},
    {SRS_PT_MERCATOR_2SP,
     "mercator",
     {{SRS_PP_CENTRAL_MERIDIAN, "longitude_of_projection_origin"},
      {SRS_PP_STANDARD_PARALLEL_1, "standard_parallel"}}},
};

static double parameter_of(OGRSpatialReferenceH srs, const char *name, double otherwise)
{
    return OSRGetNormProjParm(srs, name, otherwise, NULL);
}

/* Scale of a cone at a latitude in radians over that at its origin (Snyder 1987, equations 14-15,
 * 15-4 and 15-9), on an ellipsoid of eccentricity e. */
static double cone_scale(double latitude, double origin, double e)
{
    const double angle[2] = {latitude, origin};
    double m[2], t[2];
    for (int i = 0; i < 2; i++) {
        double sine = sin(angle[i]);
        m[i] = cos(angle[i]) / sqrt(1 - e * e * sine * sine);
        t[i] = tan(0.25 * 3.14159265358979323846 - 0.5 * angle[i]) /
               pow((1 - e * sine) / (1 + e * sine), 0.5 * e);
    }
    return m[1] / m[0] * pow(t[0] / t[1], sin(origin));
}

/* A cone by one parallel and its scale.  CF has no scale for it, but the same cone is true at two
 * parallels on both sides of it. */
static bool add_cone_by_scale(place *p, OGRSpatialReferenceH srs)
{
    const double radian = 3.14159265358979323846 / 180;
    const double origin = parameter_of(srs, SRS_PP_LATITUDE_OF_ORIGIN, 0);
    const double scale = parameter_of(srs, SRS_PP_SCALE_FACTOR, 1);
    const double minor = OSRGetSemiMinor(srs, NULL) / OSRGetSemiMajor(srs, NULL);
    double parallels[2];
    if (scale > 1 + 1e-12)
        return false;
    for (int i = 0; i < 2; i++) {
        double near = origin * radian, far = (i ? 89.9 : -89.9) * radian;
        for (int step = 0; step < 60; step++) {
            double middle = 0.5 * (near + far);
            bool beyond = scale * cone_scale(middle, origin * radian, sqrt(1 - minor * minor)) > 1;
            *(beyond ? &far : &near) = middle;
        }
        parallels[i] = scale < 1 ? near / radian : origin;
    }
    add_text(p, "grid_mapping_name", "lambert_conformal_conic");
    add_number(p, "standard_parallel", parallels[0]);
    p->attributes[p->attribute_count - 1].values[1] = parallels[1];
    p->attributes[p->attribute_count - 1].count = scale < 1 - 1e-12 ? 2 : 1;
    add_number(p, "latitude_of_projection_origin", origin);
    add_number(p, "longitude_of_central_meridian", parameter_of(srs, SRS_PP_CENTRAL_MERIDIAN, 0));
    return true;
}

/* Either true at a parallel, or with a scale at the pole. */
static bool add_polar(place *p, OGRSpatialReferenceH srs)
{
    double latitude = parameter_of(srs, SRS_PP_LATITUDE_OF_ORIGIN, 90);
    add_text(p, "grid_mapping_name", "polar_stereographic");
    add_number(p, "straight_vertical_longitude_from_pole",
               parameter_of(srs, SRS_PP_CENTRAL_MERIDIAN, 0));
    add_number(p, "latitude_of_projection_origin", latitude < 0 ? -90 : 90);
    if (fabs(fabs(latitude) - 90) < 1e-9)
        add_number(p, "scale_factor_at_projection_origin",
                   parameter_of(srs, SRS_PP_SCALE_FACTOR, 1));
    else
        add_number(p, "standard_parallel", latitude);
    return true;
}

static bool project(OGRSpatialReferenceH srs, double latitude, double longitude, double *x,
                    double *y)
{
    OGRSpatialReferenceH geographic = geographic_of(srs);
    OGRCoordinateTransformationH to = OCTNewCoordinateTransformation(geographic, srs);
    const double unit = OSRGetAngularUnits(geographic, NULL) * (180 / 3.14159265358979323846);
    *x = longitude / unit;
    *y = latitude / unit;
    bool found = to && OCTTransform(to, 1, x, y, NULL);
    if (to)
        OCTDestroyCoordinateTransformation(to);
    OSRDestroySpatialReference(geographic);
    return found;
}

/* An oblique cylinder whose grid is turned back by the azimuth of its central line, as CF has it.
 * Its false coordinates are those of the centre; the system's own may be counted from where the
 * line meets the equator. */
static bool add_oblique(place *p, OGRSpatialReferenceH srs, bool from_equator)
{
    double azimuth = parameter_of(srs, SRS_PP_AZIMUTH, 90);
    if (fabs(parameter_of(srs, SRS_PP_RECTIFIED_GRID_ANGLE, azimuth) - azimuth) > 1e-4)
        return false;
    double latitude = parameter_of(srs, SRS_PP_LATITUDE_OF_CENTER, 0);
    double longitude = parameter_of(srs, SRS_PP_LONGITUDE_OF_CENTER, 0);
    double x = parameter_of(srs, SRS_PP_FALSE_EASTING, 0);
    double y = parameter_of(srs, SRS_PP_FALSE_NORTHING, 0);
    if (from_equator && !project(srs, latitude, longitude, &x, &y))
        return false;
    add_text(p, "grid_mapping_name", "oblique_mercator");
    add_number(p, "azimuth_of_central_line", azimuth);
    add_number(p, "latitude_of_projection_origin", latitude);
    add_number(p, "longitude_of_projection_origin", longitude);
    add_number(p, "scale_factor_at_projection_origin", parameter_of(srs, SRS_PP_SCALE_FACTOR, 1));
    add_number(p, "false_easting", x);
    add_number(p, "false_northing", y);
    return true;
}

static bool add_from_table(place *p, OGRSpatialReferenceH srs, const char *projection)
{
    for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++) {
        if (strcmp(mappings[i].projection, projection) != 0)
            continue;
        add_text(p, "grid_mapping_name", mappings[i].mapping);
        for (int k = 0; k < 6 && mappings[i].parameters[k].parameter; k++)
            add_number(p, mappings[i].parameters[k].attribute,
                       parameter_of(
                           srs, mappings[i].parameters[k].parameter,
                           strcmp(mappings[i].parameters[k].parameter, SRS_PP_SCALE_FACTOR) == 0));
        return true;
    }
    return false;
}

/* Two parallels are one attribute of two values. */
static void add_parallels(place *p, OGRSpatialReferenceH srs)
{
    double first = parameter_of(srs, SRS_PP_STANDARD_PARALLEL_1, 0);
    double second = parameter_of(srs, SRS_PP_STANDARD_PARALLEL_2, first);
    add_number(p, "standard_parallel", first);
    place_attribute *a = &p->attributes[p->attribute_count - 1];
    a->values[1] = second;
    a->count = second == first ? 1 : 2;
}

static void add_projection(place *p, OGRSpatialReferenceH srs, const char *projection)
{
    if (strcmp(projection, SRS_PT_HOTINE_OBLIQUE_MERCATOR) == 0 ||
        strcmp(projection, SRS_PT_HOTINE_OBLIQUE_MERCATOR_AZIMUTH_CENTER) == 0 ||
        strcmp(projection, SRS_PT_SWISS_OBLIQUE_CYLINDRICAL) == 0) {
        add_oblique(p, srs, strcmp(projection, SRS_PT_HOTINE_OBLIQUE_MERCATOR) == 0);
        return;
    }
    bool named = strcmp(projection, SRS_PT_POLAR_STEREOGRAPHIC) == 0 ? add_polar(p, srs)
                 : strcmp(projection, SRS_PT_LAMBERT_CONFORMAL_CONIC_1SP) == 0
                     ? add_cone_by_scale(p, srs)
                     : add_from_table(p, srs, projection);
    if (!named)
        return;
    if (strcmp(projection, SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP) == 0 ||
        strcmp(projection, SRS_PT_ALBERS_CONIC_EQUAL_AREA) == 0)
        add_parallels(p, srs);
    add_number(p, "false_easting", parameter_of(srs, SRS_PP_FALSE_EASTING, 0));
    add_number(p, "false_northing", parameter_of(srs, SRS_PP_FALSE_NORTHING, 0));
}

static void add_mapping(place *p, OGRSpatialReferenceH srs)
{
    const char *projection = OSRGetAttrValue(srs, "PROJECTION", 0);
    if (projection)
        add_projection(p, srs, projection);
    add_text(p, "projected_crs_name", OSRGetAttrValue(srs, "PROJCS", 0));
    double axis = OSRGetSemiMajor(srs, NULL), flattening = OSRGetInvFlattening(srs, NULL);
    add_number(p, "semi_major_axis", axis);
    if (strstr(p->wkt, "Pseudo Mercator\"")) {
        /* Web Mercator takes latitudes of the ellipsoid as those of a sphere: only a sphere without
         * the ellipsoid's names says that. */
        add_number(p, "semi_minor_axis", axis);
        add_number(p, "longitude_of_prime_meridian", 0);
        return;
    }
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
