/* SPDX-License-Identifier: MIT */
/* A weather model's file. */
#include "config.h"

#ifdef HAVE_GDAL

#include "wind/weather_archive.h"

#include "file.h"
#include "tool.h"
#include "wind/weather_cf.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BANDS = 100000 };

const char *weather_last_error(void)
{
    const char *text = CPLGetLastErrorMsg();
    return text && *text ? text : "no reason given";
}

/* ---- what a band is ---- */

/* A wind that is not at 10 m, to tell of. */
static void note_other(weather_archive *a, const char *what)
{
    size_t n = strlen(a->others);
    if (*what && n + strlen(what) + 3 < sizeof a->others && !strstr(a->others, what))
        snprintf(a->others + n, sizeof a->others - n, "%s%s", n ? ", " : "", what);
}

static int add_layer(weather_archive *a, int component, weather_layer l)
{
    int *count = &a->counts[component];
    if (*count >= MOST_BANDS)
        return fail(STATUS_INPUT, "--input %s: more than %d times", a->path, (int)MOST_BANDS);
    if ((*count & (*count - 1)) == 0) {
        weather_layer *layers =
            realloc(a->layers[component], (size_t)(*count ? 2 * *count : 1) * sizeof *layers);
        if (!layers)
            return fail_memory();
        a->layers[component] = layers;
    }
    a->layers[component][(*count)++] = l;
    return STATUS_OK;
}

/* A word of metadata; "": there is none. */
static const char *weather_item(GDALMajorObjectH object, const char *key)
{
    const char *text = GDALGetMetadataItem(object, key, NULL);
    return text ? text : "";
}

/* Whether a band is at 10 m: what its dimensions say. */
typedef enum band_level { LEVEL_UNSAID, LEVEL_10M, LEVEL_OTHER } band_level;

/* What one of a band's dimensions is: the time, a level, or one of several alike. */
static int read_dimension(weather_archive *a, GDALDatasetH set, int band, const char *variable,
                          const char *name, const char *value, double *time, band_level *at)
{
    char key[96];
    snprintf(key, sizeof key, "%.60s#units", name);
    const char *units = weather_item(set, key);
    snprintf(key, sizeof key, "%.60s#calendar", name);
    const char *calendar = weather_item(set, key);
    const double number = CPLAtof(value);
    if (cf_is_time(units)) {
        if (!cf_knows_calendar(calendar))
            return fail(STATUS_INPUT,
                        "--input %s: its calendar is '%.40s': only the Gregorian one is read: "
                        "bring it to that first (cdo setcalendar,standard)",
                        a->path, calendar);
        if (!isfinite(number))
            return fail(STATUS_INPUT, "--input %s: time %d of %s is '%.20s', no number", a->path,
                        band, variable, value);
        if (!cf_time(units, calendar, number, time))
            return fail(STATUS_INPUT,
                        "--input %s: its times are in '%.60s', which is not understood: give "
                        "seconds, minutes, hours or days since a date",
                        a->path, units);
        return STATUS_OK;
    }
    if (cf_is_one_of(name, " number expver ensemble member realization "))
        return STATUS_OK; /* the first of them that has no gap is taken */
    if (fabs(number - 10) < 1e-9 && cf_is_one_of(units, " m metre metres meter meters "))
        *at = LEVEL_10M;
    else if (cf_has_time_along(a->netcdf, name) || cf_is_one_of(name, " time Time valid_time t ") ||
             cf_is_step(a->netcdf, name))
        return STATUS_OK; /* cf_time_of_band() knows */
    else {
        char other[96];
        snprintf(other, sizeof other, "%.24s at %.24s = %.12s%s%.12s", variable, name, value,
                 *units ? " " : "", units);
        *at = LEVEL_OTHER;
        note_other(a, other);
    }
    return STATUS_OK;
}

/* What a band's NetCDF metadata say of its dimensions. */
static int read_dimensions(weather_archive *a, GDALDatasetH set, int band, const char *variable,
                           double *time, band_level *at)
{
    char **list = GDALGetMetadata(GDALGetRasterBand(set, band), NULL);
    int status = STATUS_OK;
    *time = NAN;
    *at = LEVEL_UNSAID;
    for (int i = 0; list && list[i] && status == STATUS_OK; i++) {
        char *key = NULL;
        const char *value = CPLParseNameValue(list[i], &key);
        if (key && value && strncmp(key, "NETCDF_DIM_", 11) == 0)
            status = read_dimension(a, set, band, variable, key + 11, value, time, at);
        CPLFree(key);
    }
    if (status == STATUS_OK)
        (void)cf_time_of_band(a->netcdf, variable, band, time);
    return status;
}

/* An attribute of a variable. */
static const char *attribute(GDALDatasetH set, const char *variable, const char *name)
{
    char key[96];
    GDALRasterBandH first = GDALGetRasterBand(set, 1);
    snprintf(key, sizeof key, "%.50s#%.40s", variable, name);
    const char *text = weather_item(set, key);
    return *text || !first ? text : weather_item(first, name);
}

/* Towards east (0) or north (1), or neither (-1), by names that say 10 m with it. */
static int component_of(const char *name)
{
    static const char *const names[2] = {
        " u10 U10 10u u10m U10M U_10M u_10m UGRD_10maboveground uas x_wind_10m ",
        " v10 V10 10v v10m V10M V_10M v_10m VGRD_10maboveground vas y_wind_10m "};
    return cf_is_one_of(name, names[0]) ? 0 : cf_is_one_of(name, names[1]) ? 1 : -1;
}

/* By names that leave open at what height, or by standard names. */
static int component_at_some_height(const char *name, const char *standard)
{
    if (cf_is_one_of(standard, " eastward_wind x_wind grid_eastward_wind ") ||
        cf_is_one_of(name, " u U ua UGRD u100 "))
        return 0;
    return cf_is_one_of(standard, " northward_wind y_wind grid_northward_wind ") ||
                   cf_is_one_of(name, " v V va VGRD v100 ")
               ? 1
               : -1;
}

static weather_along along_what(GDALDatasetH set, const char *name, const char *standard)
{
    const char *flag = attribute(set, name, "GRIB_uvRelativeToGrid");
    const bool wrf = *weather_item(set, "NC_GLOBAL#MAP_PROJ") != 0;
    if (cf_is_one_of(standard, " eastward_wind northward_wind "))
        return WEATHER_ALONG_TRUE;
    if (wrf || cf_is_one_of(standard, " x_wind y_wind grid_eastward_wind grid_northward_wind "))
        return WEATHER_ALONG_GRID;
    return strcmp(flag, "1") == 0   ? WEATHER_ALONG_GRID
           : strcmp(flag, "0") == 0 ? WEATHER_ALONG_TRUE
                                    : WEATHER_ALONG_UNKNOWN;
}

/* All bands of a NetCDF variable that is a wind at 10 m. */
static int take_variable(weather_archive *a, GDALDatasetH set, const char *name)
{
    const char *standard = attribute(set, name, "standard_name");
    const int named = component_of(name),
              component = named >= 0 ? named : component_at_some_height(name, standard);
    char turned[64];
    double height;
    if (component < 0)
        return STATUS_OK;
    if (cf_is_turned(a->netcdf, name, turned))
        return fail(STATUS_INPUT,
                    "--input %s: %s has '%s' as its last dimension, where longitude or x must be: "
                    "put them in order first (ncpdq -a time,latitude,longitude)",
                    a->path, name, turned);
    const bool at_10m =
        named >= 0 || (cf_height(a->netcdf, name, &height) && fabs(height - 10) < 1e-6);
    for (int band = 1; band <= GDALGetRasterCount(set); band++) {
        const char *units = GDALGetRasterUnitType(GDALGetRasterBand(set, band));
        weather_layer l = {.set = set,
                           .band = band,
                           .along = along_what(set, name, standard),
                           .unit = cf_speed_unit(units ? units : ""),
                           .says_unit = units && *units};
        band_level at;
        int status = read_dimensions(a, set, band, name, &l.time, &at);
        if (status == STATUS_OK && at == LEVEL_UNSAID && !at_10m)
            note_other(a, name);
        if (status == STATUS_OK && (at == LEVEL_10M || (at == LEVEL_UNSAID && at_10m))) {
            if (l.unit <= 0)
                return fail(STATUS_INPUT, "--input %s: %s is in '%.40s', which is no speed",
                            a->path, name, units);
            status = add_layer(a, component, l);
        }
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Bands of GRIB, or of any raster with names. */
static int take_bands(weather_archive *a, GDALDatasetH set)
{
    for (int band = 1; band <= GDALGetRasterCount(set); band++) {
        GDALRasterBandH b = GDALGetRasterBand(set, band);
        const char *element = weather_item(b, "GRIB_ELEMENT"),
                   *level = weather_item(b, "GRIB_SHORT_NAME");
        const char *description = GDALGetDescription(b),
                   *valid = weather_item(b, "GRIB_VALID_TIME");
        const char *units = *element ? weather_item(b, "GRIB_UNIT") : GDALGetRasterUnitType(b);
        const char *name = *element ? element : description;
        int component = cf_is_one_of(name, " UGRD 10U u10 U10 10u ")   ? 0
                        : cf_is_one_of(name, " VGRD 10V v10 V10 10v ") ? 1
                                                                       : -1;
        if (component < 0)
            continue;
        bool is_10m =
            !*element || strcmp(level, "10-HTGL") == 0 || cf_is_one_of(element, " 10U 10V ");
        if (!is_10m) {
            char what[64];
            snprintf(what, sizeof what, "%.20s at %.30s", name, level);
            note_other(a, what);
            continue;
        }
        weather_layer l = {.set = set,
                           .band = band,
                           .time = *valid ? CPLAtof(valid) : NAN,
                           .along = a->grid_flag == 1 ? WEATHER_ALONG_GRID : WEATHER_ALONG_TRUE,
                           .unit = cf_speed_unit(units ? units : ""),
                           .says_unit = units && *units};
        if (l.unit <= 0)
            return fail(STATUS_INPUT, "--input %s: band %d is in '%.40s', which is no speed",
                        a->path, band, units);
        int status = add_layer(a, component, l);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- what the file is ---- */

static uint32_t big_endian(const unsigned char *b, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | b[i];
    return value;
}

/* Where GRIB's messages say whether components are along the grid, which GDAL does not pass on:
 * byte 55 of the section of the grid for longitudes and latitudes (template 0 to 3), 47 for
 * Mercator, polar stereographic and Lambert (10, 20, 30); byte 17 in edition 1.  Bit 5 from the
 * left.  -2: the messages do not agree. */
static int read_grid_flag(const char *path)
{
    unsigned char head[16], section[64];
    FILE *stream;
    int flag = -1;
    if (file_open("", path, &stream) != STATUS_OK)
        return -1;
    while (fread(head, 1, 8, stream) == 8 && memcmp(head, "GRIB", 4) == 0) {
        long start = ftell(stream) - 8;
        uint64_t length = big_endian(head + 4, 3);
        int found = -1;
        if (head[7] == 1) {
            if (fread(section, 1, 8, stream) != 8 || !(section[7] & 0x80) ||
                fseek(stream, start + 8 + (long)big_endian(section, 3), SEEK_SET) != 0 ||
                fread(section, 1, 17, stream) != 17)
                break;
            found = section[16] >> 3 & 1;
        } else {
            if (fread(head + 8, 1, 8, stream) != 8)
                break;
            length = (uint64_t)big_endian(head + 8, 4) << 32 | big_endian(head + 12, 4);
            for (int n = 0; n < 10 && found < 0; n++) {
                long at = ftell(stream);
                if (fread(section, 1, 5, stream) != 5 || memcmp(section, "7777", 4) == 0)
                    break;
                uint32_t size = big_endian(section, 4);
                if (section[4] == 3) {
                    if (fread(section + 5, 1, 55, stream) < 50)
                        break;
                    uint32_t template = big_endian(section + 12, 2);
                    found = section[template <10 ? 54 : 46] >> 3 & 1;
                }
                if (size < 5 || at < 0 || fseek(stream, at + (long)size, SEEK_SET) != 0)
                    break;
            }
        }
        if (found >= 0)
            flag = flag == -1 || flag == found ? found : -2;
        if (length < 8 || length > INT32_MAX || start < 0 ||
            fseek(stream, start + (long)length, SEEK_SET) != 0)
            break;
    }
    fclose(stream);
    return flag;
}

int weather_archive_open(weather_archive *a)
{
    a->netcdf = cf_open(a->path);
    a->grid_flag = read_grid_flag(a->path);
    if (a->grid_flag == -2)
        return fail(STATUS_INPUT,
                    "--input %s: some of its messages have winds along the grid and some not: take "
                    "the winds at "
                    "10 m out of it first (wgrib2 -match)",
                    a->path);
    a->container = GDALOpenEx(a->path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    GDALDriverH driver = a->container ? GDALGetDatasetDriver(a->container) : NULL;
    if (driver && strncmp(GDALGetDriverShortName(driver), "HDF5", 4) ==
                      0) { /* NetCDF 4 without its extension */
        char name[2048];
        snprintf(name, sizeof name, "NETCDF:\"%s\"", a->path);
        GDALClose(a->container);
        a->container = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
        driver = a->container ? GDALGetDatasetDriver(a->container) : NULL;
    }
    if (!a->container)
        return fail(STATUS_INPUT, "--input %s: cannot be read: %s", a->path,
                    a->netcdf >= 0
                        ? "GDAL does not know this kind of NetCDF: make it one of NetCDF 4 "
                          "(nccopy -k nc4)"
                        : weather_last_error());
    char **list = GDALGetMetadata(a->container, "SUBDATASETS");
    int status = STATUS_OK, count = CSLCount(list) / 2;
    for (int i = 0; i < count && i < MOST_SETS && status == STATUS_OK; i++) {
        char key[40];
        snprintf(key, sizeof key, "SUBDATASET_%d_NAME", i + 1);
        const char *name = CSLFetchNameValue(list, key), *colon = name ? strrchr(name, ':') : NULL;
        if (!colon || strncmp(name, "NETCDF:", 7) != 0)
            continue;
        const char *variable = colon + 1 + (colon[1] == '/' && colon[2] == '/' ? 2 : 0);
        GDALDatasetH set = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
        if (!set)
            continue;
        a->sets[a->set_count++] = set;
        status = take_variable(a, set, variable);
    }
    if (status == STATUS_OK && count == 0) {
        const char *variable = weather_item(GDALGetRasterBand(a->container, 1), "NETCDF_VARNAME");
        status = driver && strcmp(GDALGetDriverShortName(driver), "netCDF") == 0
                     ? take_variable(a, a->container, variable)
                     : take_bands(a, a->container);
    }
    return status;
}

void weather_archive_close(weather_archive *a)
{
    for (int i = 0; i < a->set_count; i++)
        GDALClose(a->sets[i]);
    if (a->container)
        GDALClose(a->container);
    cf_close(a->netcdf);
    free(a->layers[0]);
    free(a->layers[1]);
}

#endif
