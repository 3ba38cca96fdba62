/* SPDX-License-Identifier: MIT */
/* Where points of the box lie on the grid of a weather model's file. */
#include "config.h"

#ifdef HAVE_GDAL

#include "wind/weather_place.h"

#include "tool.h"

#include <cpl_conv.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdlib.h>
#include <string.h>

#define EARTH 6371000.0 /* radius, m */
#define MOST_CELLS 3e7  /* with longitudes and latitudes of their own */
#define APART 2000.0    /* m: of points whose direction is told by longitudes of seven digits */
enum { N = WEATHER_LATTICE, COUNT = WEATHER_SPOTS };

/* ---- points ---- */

static void lay_out(const double box[4], double x[COUNT], double y[COUNT])
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            x[j * N + i] = box[0] + (box[2] - box[0]) * i / (N - 1);
            y[j * N + i] = box[3] - (box[3] - box[1]) * j / (N - 1);
        }
}

/* From one system to another, x before y and longitude before latitude. */
static bool transform(OGRSpatialReferenceH from, OGRSpatialReferenceH to, int count, double *x,
                      double *y)
{
    OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH by = OCTNewCoordinateTransformation(from, to);
    bool done = by && OCTTransform(by, count, x, y, NULL);
    if (by)
        OCTDestroyCoordinateTransformation(by);
    for (int i = 0; i < count && done; i++)
        done = isfinite(x[i]) && isfinite(y[i]);
    return done;
}

/* The points of the box in a system. */
static int bring(const weather_archive *a, const place *at, const double box[4],
                 OGRSpatialReferenceH to, double x[COUNT], double y[COUNT])
{
    OGRSpatialReferenceH from = OSRNewSpatialReference(at->wkt_gdal);
    lay_out(box, x, y);
    bool done = transform(from, to, COUNT, x, y);
    OSRDestroySpatialReference(from);
    return done ? STATUS_OK
                : fail(STATUS_INPUT, "--input %s: the box cannot be found in its system: %s",
                       a->path, weather_last_error());
}

static int check_covers(const weather_archive *a, const double box[4], const weather_spots *s)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    bool known = true;
    for (int i = 0; i < COUNT; i++) {
        known = known && isfinite(s->column[i]) && isfinite(s->row[i]);
        low[0] = fmin(low[0], s->column[i]);
        high[0] = fmax(high[0], s->column[i]);
        low[1] = fmin(low[1], s->row[i]);
        high[1] = fmax(high[1], s->row[i]);
    }
    if (known && low[1] >= -0.5 && high[1] <= a->ny - 0.5 &&
        (s->goes_round || (low[0] >= -0.5 && high[0] <= a->nx - 0.5)))
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "--input %s: does not cover the box %.10g,%.10g,%.10g,%.10g (W,S,E,N): that is "
                "its columns %.7g to %.7g and rows %.7g to %.7g, and it has %d x %d",
                a->path, box[0], box[1], box[2], box[3], low[0], high[0], low[1], high[1], a->nx,
                a->ny);
}

/* ---- by a coordinate system ---- */

/* Grid north against true north, from a small step along the grid. */
static bool find_turn(const weather_archive *a, OGRSpatialReferenceH srs, const double *x,
                      const double *y, weather_spots *s)
{
    double lon[2 * COUNT], lat[2 * COUNT];
    const double step = 0.01 * fabs(a->transform[5]), radian = M_PI / 180;
    for (int i = 0; i < COUNT; i++) {
        lon[i] = lon[COUNT + i] = x[i];
        lat[i] = y[i];
        lat[COUNT + i] = y[i] + step;
    }
    OGRSpatialReferenceH globe = OSRNewSpatialReference(NULL);
    bool done =
        OSRImportFromEPSG(globe, 4326) == OGRERR_NONE && transform(srs, globe, 2 * COUNT, lon, lat);
    OSRDestroySpatialReference(globe);
    for (int i = 0; i < COUNT && done; i++) {
        double east = remainder(lon[COUNT + i] - lon[i], 360) * cos(lat[i] * radian),
               north = lat[COUNT + i] - lat[i], length = hypot(east, north);
        done = length > 0;
        s->cosine[i] = north / length;
        s->sine[i] = east / length;
    }
    return done;
}

static void reverse(double *values, int count)
{
    for (int i = 0; i < count / 2; i++) {
        const double kept = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = kept;
    }
}

/* Latitudes that are not evenly spaced (a Gaussian grid): GDAL's transform has their mean spacing,
 * and their list is beside it, as the file has it; GDAL's rows go from north to south.  Changes
 * rows where there is such a list. */
static int find_uneven_rows(const weather_archive *a, const double *y, weather_spots *s)
{
    const char *list = GDALGetMetadataItem(a->layers[0][0].set, "Y_VALUES", "GEOLOCATION2");
    if (!list || a->ny < 2)
        return STATUS_OK;
    double *rows = malloc((size_t)a->ny * sizeof *rows);
    int count = 0, falls = 0, rises = 0;
    if (!rows)
        return fail_memory();
    for (const char *at = list + (*list == '{'); count < a->ny; count++) {
        char *end;
        rows[count] = CPLStrtod(at, &end);
        if (end == at)
            break;
        falls += count > 0 && rows[count] < rows[count - 1];
        rises += count > 0 && rows[count] > rows[count - 1];
        at = end + (*end == ',');
    }
    const bool sound = count == a->ny && (falls == count - 1 || rises == count - 1);
    if (sound && rises > 0)
        reverse(rows, count);
    for (int i = 0; i < COUNT && sound; i++) {
        int j = 0;
        while (j < count - 2 && rows[j + 1] > y[i])
            j++;
        s->row[i] = j + (rows[j] - y[i]) / (rows[j] - rows[j + 1]);
    }
    free(rows);
    return sound
               ? STATUS_OK
               : fail(STATUS_INPUT, "--input %s: its %d latitudes neither fall nor rise throughout",
                      a->path, a->ny);
}

static int find_by_system(const weather_archive *a, OGRSpatialReferenceH srs, const place *at,
                          const double box[4], weather_spots *s)
{
    double x[COUNT], y[COUNT];
    const bool geographic = OSRIsGeographic(srs);
    const double *t = a->transform, round = geographic ? fabs(360 / t[1]) : 0;
    int status = bring(a, at, box, srs, x, y);
    if (status != STATUS_OK)
        return status;
    s->goes_round = geographic && fabs(a->nx - round) < 0.5;
    for (int i = 0; i < COUNT; i++) {
        s->cosine[i] = 1;
        s->sine[i] = 0;
        s->column[i] = (x[i] - t[0]) / t[1] - 0.5;
        s->row[i] = (y[i] - t[3]) / t[5] - 0.5;
        if (geographic) /* near the middle of the grid, and all points near the first */
            s->column[i] -=
                round * rint((s->column[i] - (i ? s->column[0] : 0.5 * (a->nx - 1))) / round);
    }
    status = geographic ? find_uneven_rows(a, y, s) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (!(geographic && !OSRIsDerivedGeographic(srs)) && !find_turn(a, srs, x, y, s))
        return fail(STATUS_INPUT, "--input %s: its north cannot be found in its system: %s",
                    a->path, weather_last_error());
    return check_covers(a, box, s);
}

/* ---- by longitudes and latitudes of all points ---- */

/* A variable of the file on the same grid, in degrees: [ny][nx]; NULL: there is none. */
static double *read_degrees(const weather_archive *a, const char *name)
{
    GDALDatasetH set = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    double *values = NULL;
    if (set && GDALGetRasterXSize(set) == a->nx && GDALGetRasterYSize(set) == a->ny)
        values = malloc((size_t)a->nx * (size_t)a->ny * sizeof *values);
    if (values && GDALRasterIO(GDALGetRasterBand(set, 1), GF_Read, 0, 0, a->nx, a->ny, values,
                               a->nx, a->ny, GDT_Float64, 0, 0) != CE_None) {
        free(values);
        values = NULL;
    }
    if (set)
        GDALClose(set);
    return values;
}

/* Longitudes (0) or latitudes (1): those that the wind names as its coordinates, or by their name.
 */
static double *find_degrees(const weather_archive *a, int which)
{
    static const char *const names[2][6] = {
        {"longitude", "lon", "XLONG", "nav_lon", "lons", "gridlon_0"},
        {"latitude", "lat", "XLAT", "nav_lat", "lats", "gridlat_0"}};
    const char *named =
        GDALGetMetadataItem(a->layers[0][0].set, which ? "Y_DATASET" : "X_DATASET", "GEOLOCATION");
    double *values = named ? read_degrees(a, named) : NULL;
    for (int i = 0; i < 6 && !values; i++) {
        char name[2048];
        snprintf(name, sizeof name, "NETCDF:\"%s\":%s", a->path, names[which][i]);
        values = read_degrees(a, name);
    }
    return values;
}

/* Points of the grid on a plane that touches the globe in the middle of the box, m. */
typedef struct chart {
    int nx, ny;
    const double *lon, *lat;
    double middle[2], cosine;
} chart;

static void to_chart(const chart *c, double lon, double lat, double out[2])
{
    const double radian = M_PI / 180;
    out[0] = EARTH * radian * remainder(lon - c->middle[0], 360) * c->cosine;
    out[1] = EARTH * radian * (lat - c->middle[1]);
}

/* A place between the points of the grid, and how it changes along columns and rows; beyond the
 * outermost points as between the last two. */
static void at_cell(const chart *c, double column, double row, double at[2], double along[2],
                    double down[2])
{
    const int i = (int)fmin(fmax(floor(column), 0), c->nx - 2),
              j = (int)fmin(fmax(floor(row), 0), c->ny - 2);
    const double p = column - i, q = row - j;
    double corner[4][2];
    for (int n = 0; n < 4; n++) {
        const size_t cell = (size_t)(j + n / 2) * (size_t)c->nx + (size_t)(i + n % 2);
        to_chart(c, c->lon[cell], c->lat[cell], corner[n]);
    }
    for (int d = 0; d < 2; d++) {
        along[d] = (1 - q) * (corner[1][d] - corner[0][d]) + q * (corner[3][d] - corner[2][d]);
        down[d] = (1 - p) * (corner[2][d] - corner[0][d]) + p * (corner[3][d] - corner[1][d]);
        at[d] = corner[0][d] + p * (corner[1][d] - corner[0][d]) + q * down[d];
    }
}

static void find_nearest(const chart *c, double *column, double *row)
{
    double least = INFINITY;
    for (int j = 0; j < c->ny; j++)
        for (int i = 0; i < c->nx; i++) {
            const size_t cell = (size_t)j * (size_t)c->nx + (size_t)i;
            double at[2];
            to_chart(c, c->lon[cell], c->lat[cell], at);
            const double apart = at[0] * at[0] + at[1] * at[1];
            if (apart < least) {
                least = apart;
                *column = i;
                *row = j;
            }
        }
}

/* Newton's method from where the last point lay. */
static bool find_cell(const chart *c, double lon, double lat, double *column, double *row)
{
    double wanted[2], at[2], along[2], down[2];
    to_chart(c, lon, lat, wanted);
    for (int n = 0; n < 50; n++) {
        at_cell(c, *column, *row, at, along, down);
        const double east = wanted[0] - at[0], north = wanted[1] - at[1],
                     area = along[0] * down[1] - along[1] * down[0];
        const double step[2] = {(east * down[1] - north * down[0]) / area,
                                (north * along[0] - east * along[1]) / area};
        if (!isfinite(step[0]) || !isfinite(step[1]))
            return false;
        *column = fmin(fmax(*column + step[0], -2), c->nx + 1);
        *row = fmin(fmax(*row + step[1], -2), c->ny + 1);
        if (hypot(step[0], step[1]) < 1e-6)
            return true;
    }
    return *column <= -1 || *column >= c->nx || *row <= -1 || *row >= c->ny; /* it lies outside */
}

/* Where the columns point at a point of the grid: from the points on either side, which are so far
 * apart that longitudes of few digits do not matter. */
static void along_columns(const chart *c, int i, int j, int apart, double out[2])
{
    const int west = i - apart < 0 ? 0 : i - apart,
              east = i + apart > c->nx - 1 ? c->nx - 1 : i + apart;
    const size_t row = (size_t)j * (size_t)c->nx, at = row + (size_t)i, a = row + (size_t)west,
                 b = row + (size_t)east;
    const double x = remainder(c->lon[b] - c->lon[a], 360) * cos(c->lat[at] * M_PI / 180),
                 y = c->lat[b] - c->lat[a], length = hypot(x, y);
    out[0] = x / length;
    out[1] = y / length;
}

/* Where grid north points: at right angles to the left of the columns. */
static void turn_by_grid(const chart *c, weather_spots *s, int n)
{
    double at[2], along[2], down[2], x = 0, y = 0;
    const double column = fmin(fmax(s->column[n], 0), c->nx - 1),
                 row = fmin(fmax(s->row[n], 0), c->ny - 1);
    const int i = (int)fmin(floor(column), c->nx - 2), j = (int)fmin(floor(row), c->ny - 2);
    at_cell(c, column, row, at, along, down);
    const int apart = 1 + (int)fmin(APART / hypot(along[0], along[1]), 50);
    for (int corner = 0; corner < 4; corner++) {
        double direction[2];
        const double p = column - i, q = row - j,
                     weight = (corner % 2 ? p : 1 - p) * (corner / 2 ? q : 1 - q);
        along_columns(c, i + corner % 2, j + corner / 2, apart, direction);
        x += weight * direction[0];
        y += weight * direction[1];
    }
    s->cosine[n] = x / hypot(x, y);
    s->sine[n] = -y / hypot(x, y);
}

static int find_on_chart(const weather_archive *a, const double *lon, const double *lat,
                         const place *at, const double box[4], weather_spots *s)
{
    double x[COUNT], y[COUNT], column = 0, row = 0;
    const size_t cells = (size_t)a->nx * (size_t)a->ny;
    OGRSpatialReferenceH globe = OSRNewSpatialReference(NULL);
    int status = OSRImportFromEPSG(globe, 4326) == OGRERR_NONE ? STATUS_OK : STATUS_FAILED;
    if (status == STATUS_OK)
        status = bring(a, at, box, globe, x, y);
    OSRDestroySpatialReference(globe);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < cells; i++)
        if (!(fabs(lon[i]) <= 720 && fabs(lat[i]) <= 90))
            return fail(STATUS_INPUT,
                        "--input %s: longitude %g and latitude %g at column %zu, row %zu: no place "
                        "on the Earth",
                        a->path, lon[i], lat[i], i % (size_t)a->nx, i / (size_t)a->nx);
    const chart c = {
        a->nx, a->ny, lon, lat, {x[COUNT / 2], y[COUNT / 2]}, cos(y[COUNT / 2] * M_PI / 180)};
    find_nearest(&c, &column, &row);
    for (int i = 0; i < COUNT; i++) {
        if (!find_cell(&c, x[i], y[i], &column, &row))
            return fail(STATUS_INPUT,
                        "--input %s: its longitudes and latitudes make no grid around %.5f E "
                        "%.5f N: bring it to a regular one first (cdo remapbil)",
                        a->path, x[i], y[i]);
        s->column[i] = column;
        s->row[i] = row;
        turn_by_grid(&c, s, i);
    }
    snprintf(s->how, sizeof s->how, ", placed by the longitudes and latitudes of its points");
    return check_covers(a, box, s);
}

/* ---- which of them ---- */

static bool looks_like_degrees(const weather_archive *a)
{
    const double *t = a->transform;
    return t[0] >= -361 && t[0] + a->nx * t[1] <= 721 && fabs(t[3]) <= 91 &&
           fabs(t[3] + a->ny * t[5]) <= 91;
}

/* Components of which nothing says what they are along are the same only on longitudes and
 * latitudes. */
static int check_components_of(const weather_archive *a, bool regular)
{
    if (a->layers[0][0].along != WEATHER_ALONG_UNKNOWN || regular)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "--input %s: u10 does not say whether it is along the grid or towards true north: "
                "give it a standard_name, x_wind and y_wind or eastward_wind and northward_wind "
                "(ncatted)",
                a->path);
}

static int find_by_points(const weather_archive *a, const place *at, const double box[4],
                          weather_spots *out, bool *found)
{
    if (a->nx < 2 || a->ny < 2 || (double)a->nx * a->ny > MOST_CELLS)
        return STATUS_OK;
    double *lon = find_degrees(a, 0), *lat = lon ? find_degrees(a, 1) : NULL;
    int status = STATUS_OK;
    *found = lon && lat;
    if (*found)
        status = check_components_of(a, false);
    if (*found && status == STATUS_OK)
        status = find_on_chart(a, lon, lat, at, box, out);
    free(lon);
    free(lat);
    return status;
}

/* All winds on one grid, and along the same. */
static int check_alike(const weather_archive *a)
{
    const weather_layer *first = &a->layers[0][0];
    GDALDatasetH last = first->set;
    double transform[6];
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < a->counts[c]; i++) {
            const weather_layer *l = &a->layers[c][i];
            if (l->set == last)
                continue;
            last = l->set;
            const int nx = GDALGetRasterXSize(last), ny = GDALGetRasterYSize(last);
            if (nx != a->nx || ny != a->ny)
                return fail(STATUS_INPUT,
                            "--input %s: has winds at 10 m on grids of %d x %d and of %d x %d "
                            "cells: take the others out (ncks -v), or bring all to one grid (cdo "
                            "remapbil)",
                            a->path, a->nx, a->ny, nx, ny);
            bool same = l->along == first->along || l->along == WEATHER_ALONG_UNKNOWN ||
                        first->along == WEATHER_ALONG_UNKNOWN;
            (void)GDALGetGeoTransform(last, transform); /* the same one where there is none */
            for (int n = 0; n < 6; n++)
                same = same && fabs(transform[n] - a->transform[n]) <=
                                   1e-3 * fabs(a->transform[n < 3 ? 1 : 5]);
            if (!same)
                return fail(STATUS_INPUT,
                            "--input %s: has winds at 10 m on grids that lie or point otherwise: "
                            "take the others out (ncks -v)",
                            a->path);
        }
    return STATUS_OK;
}

/* A number of the variable that says what the grid is, as netCDF's driver lists it. */
static bool read_of_grid(GDALDatasetH set, int length, const char *variable, const char *attribute,
                         double *value)
{
    char key[512];
    snprintf(key, sizeof key, "%.*s#%s", length, variable, attribute);
    const char *text = GDALGetMetadataItem(set, key, NULL);
    char *end;
    if (text)
        *value = CPLStrtod(text, &end);
    return text && end != text && isfinite(*value);
}

/* CF's rotated pole, which older versions of GDAL do not make a system of.  *out: NULL where the
 * file has none. */
static int find_rotated_pole(const weather_archive *a, OGRSpatialReferenceH *out)
{
    GDALDatasetH set = a->layers[0][0].set;
    const char *name = NULL, *end = NULL;
    for (char **item = GDALGetMetadata(set, NULL); item && *item && !end; item++) {
        name = *item;
        end = strstr(name, "#grid_mapping_name=rotated_latitude_longitude");
    }
    *out = NULL;
    if (!end)
        return STATUS_OK;
    const int length = (int)(end - name);
    double latitude, longitude, turn = 0;
    char text[200];
    (void)read_of_grid(set, length, name, "north_pole_grid_longitude", &turn);
    if (!read_of_grid(set, length, name, "grid_north_pole_latitude", &latitude) ||
        !read_of_grid(set, length, name, "grid_north_pole_longitude", &longitude) ||
        fabs(latitude) > 90 || fabs(longitude) > 720 || fabs(turn) > 720)
        return fail(STATUS_INPUT,
                    "--input %s: its %.*s does not say where the grid's pole is: give it "
                    "grid_north_pole_latitude and grid_north_pole_longitude, degrees (ncatted)",
                    a->path, length, name);
    *out = OSRNewSpatialReference(NULL);
    snprintf(text, sizeof text,
             "+proj=ob_tran +o_proj=longlat +o_lat_p=%.12g +o_lon_p=%.12g +lon_0=%.12g "
             "+R=6371229 +no_defs",
             latitude, turn, remainder(180 + longitude, 360));
    if (OSRImportFromProj4(*out, text) == OGRERR_NONE)
        return STATUS_OK;
    OSRDestroySpatialReference(*out);
    *out = NULL;
    return fail(STATUS_INPUT, "--input %s: its rotated pole is none to PROJ: %s", a->path,
                weather_last_error());
}

/* Columns along x and rows along y, with a spacing that is one. */
static bool is_straight(const double t[6])
{
    bool straight = fabs(t[1]) > 0 && fabs(t[5]) > 0;
    for (int n = 0; n < 6; n++)
        straight = straight && isfinite(t[n]);
    return straight && !(fabs(t[2]) > 0) && !(fabs(t[4]) > 0);
}

int weather_find_spots(weather_archive *a, const place *at, const double box[4], weather_spots *out)
{
    GDALDatasetH set = a->layers[0][0].set;
    OGRSpatialReferenceH srs = GDALGetSpatialRef(set), own = NULL;
    bool found = false;
    memset(out, 0, sizeof *out);
    a->nx = GDALGetRasterXSize(set);
    a->ny = GDALGetRasterYSize(set);
    const bool straight =
        GDALGetGeoTransform(set, a->transform) == CE_None && is_straight(a->transform);
    int status = check_alike(a);
    if (status != STATUS_OK)
        return status;
    if (!(srs && (OSRIsProjected(srs) || OSRIsGeographic(srs))))
        srs = NULL;
    if (!straight || !srs) {
        status = find_by_points(a, at, box, out, &found);
        if (status != STATUS_OK || found)
            return status;
    }
    if (!srs)
        status = find_rotated_pole(a, &own);
    if (status != STATUS_OK)
        return status;
    const bool rotated = own != NULL;
    if (!straight) {
        OSRDestroySpatialReference(own);
        return fail(
            STATUS_INPUT,
            rotated ? "--input %s: GDAL does not find the rows and columns of its rotated pole: "
                      "give their coordinates an axis (ncatted -a axis,rlon,c,c,X -a "
                      "axis,rlat,c,c,Y)"
                    : "--input %s: does not say where it lies, is turned, or has columns or "
                      "rows that are not evenly spaced: bring it to longitude and latitude or "
                      "a projection first (gdalwarp, cdo remapbil)",
            a->path);
    }
    if (!srs && !own && !looks_like_degrees(a))
        return fail(STATUS_INPUT, "--input %s: has no coordinate system", a->path);
    if (!own) {
        own = srs ? OSRClone(srs) : OSRNewSpatialReference(NULL);
        status = srs || OSRImportFromEPSG(own, 4326) == OGRERR_NONE ? STATUS_OK : STATUS_FAILED;
    }
    if (status == STATUS_OK)
        status = check_components_of(a, OSRIsGeographic(own) && !OSRIsDerivedGeographic(own));
    if (status == STATUS_OK)
        status = find_by_system(a, own, at, box, out);
    OSRDestroySpatialReference(own);
    return status;
}

#endif
