/* SPDX-License-Identifier: MIT */
/* Projections in the words of CF-1.8, appendix F. */
#include "config.h"

#ifdef HAVE_GDAL

#include "terrain/mapping.h"

#include <cpl_conv.h>
#include <math.h>
#include <string.h>

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

bool mapping_project(OGRSpatialReferenceH srs, double latitude, double longitude, double *x,
                     double *y)
{
    OGRSpatialReferenceH geographic = OSRCloneGeogCS(srs);
    OSRSetAxisMappingStrategy(geographic, OAMS_TRADITIONAL_GIS_ORDER);
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
    if (from_equator && !mapping_project(srs, latitude, longitude, &x, &y))
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

void mapping_add(place *p, OGRSpatialReferenceH srs)
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

#endif
