/* SPDX-License-Identifier: MIT */
/* A weather model's file. */
#include "config.h"

#ifdef HAVE_GDAL

#include "wind/weather_archive.h"

#include "file.h"
#include "tool.h"
#include "wind/moment.h"

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <math.h>
#include <ogr_srs_api.h>
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

/* Metres a second per unit that a text names; 0: it is no speed. */
static double speed_unit(const char *text)
{
    static const struct {
        const char *name;
        double speed;
    } units[] = {{"m s**-1", 1},
                 {"m s-1", 1},
                 {"m/s", 1},
                 {"[m/s]", 1},
                 {"m s^-1", 1},
                 {"ms-1", 1},
                 {"m.s-1", 1},
                 {"", 1},
                 {"knots", 1852.0 / 3600},
                 {"kn", 1852.0 / 3600},
                 {"kt", 1852.0 / 3600},
                 {"km/h", 1 / 3.6},
                 {"km h-1", 1 / 3.6}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcasecmp(units[i].name, text) == 0)
            return units[i].speed;
    return 0;
}

static bool is_one_of(const char *word, const char *list)
{
    char spaced[80];
    if (!*word || strlen(word) + 3 > sizeof spaced)
        return false;
    snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(list, spaced) != NULL;
}

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

/* "hours since 1900-01-01 00:00:0.0": seconds since 1970 of a value. */
static bool time_of(const char *units, double value, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } steps[] = {{"seconds since ", 1},  {"second since ", 1},   {"minutes since ", 60},
                 {"minute since ", 60},  {"hours since ", 3600}, {"hour since ", 3600},
                 {"days since ", 86400}, {"day since ", 86400}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        size_t n = strlen(steps[i].name);
        char from[64];
        double start;
        if (strncasecmp(units, steps[i].name, n) != 0)
            continue;
        snprintf(from, sizeof from, "%s", units + n);
        char *dot = strchr(from, '.'); /* parts of a second of the start are 0 */
        if (dot)
            *dot = 0;
        size_t end = strlen(from);
        while (end > 0 && (from[end - 1] == ' ' || from[end - 1] == 'Z'))
            from[--end] = 0;
        if (!moment_parse(from, &start) || !isfinite(value))
            return false;
        *seconds = start + value * steps[i].seconds;
        return true;
    }
    return false;
}

const char *weather_item(GDALMajorObjectH object, const char *key)
{
    const char *text = GDALGetMetadataItem(object, key, NULL);
    return text ? text : "";
}

/* WRF's times are texts in a variable of their own. */
static bool wrf_time(const char *path, int index, double *seconds)
{
#ifdef HAVE_NETCDF
    enum { LENGTH = 19 }; /* 2026-11-30_12:00:00 */
    int file, variable, rank = 0, dimensions[NC_MAX_VAR_DIMS];
    nc_type type = NC_NAT;
    size_t length = 0, times = 0;
    char text[LENGTH + 1] = "";
    if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR)
        return false;
    bool done = nc_inq_varid(file, "Times", &variable) == NC_NOERR &&
                nc_inq_varndims(file, variable, &rank) == NC_NOERR && rank == 2 &&
                nc_inq_vartype(file, variable, &type) == NC_NOERR && type == NC_CHAR &&
                nc_inq_vardimid(file, variable, dimensions) == NC_NOERR &&
                nc_inq_dimlen(file, dimensions[0], &times) == NC_NOERR &&
                nc_inq_dimlen(file, dimensions[1], &length) == NC_NOERR && length >= LENGTH &&
                index >= 0 && (size_t)index < times;
    const size_t start[2] = {(size_t)index, 0}, count[2] = {1, LENGTH};
    done =
        done && nc_get_vara_text(file, variable, start, count, text) == NC_NOERR && text[10] == '_';
    nc_close(file);
    text[10] = 'T';
    return done && moment_parse(text, seconds);
#else
    (void)path, (void)index, (void)seconds;
    return false;
#endif
}

/* The value of one of a band's dimensions in its NetCDF metadata: the time, or a level. */
static int read_dimensions(weather_archive *a, GDALDatasetH set, GDALRasterBandH band,
                           const char *name, double *time, bool *is_10m)
{
    char **list = GDALGetMetadata(band, NULL);
    *time = NAN;
    *is_10m = true;
    for (int i = 0; list && list[i]; i++) {
        char *key = NULL, units_key[96];
        const char *value = CPLParseNameValue(list[i], &key);
        if (!key || !value || strncmp(key, "NETCDF_DIM_", 11) != 0) {
            CPLFree(key);
            continue;
        }
        snprintf(units_key, sizeof units_key, "%.60s#units", key + 11);
        const char *units = GDALGetMetadataItem(set, units_key, NULL);
        snprintf(units_key, sizeof units_key, "%.60s#calendar", key + 11);
        const char *calendar = GDALGetMetadataItem(set, units_key, NULL);
        double number = CPLAtof(value);
        if (strcmp(key, "NETCDF_DIM_Time") == 0 && *weather_item(set, "NC_GLOBAL#MAP_PROJ")) {
            CPLFree(key);
            continue; /* counted, and told by wrf_time() */
        }
        if (units && strstr(units, " since ")) {
            if (calendar && !is_one_of(calendar, " standard gregorian proleptic_gregorian ")) {
                CPLFree(key);
                return fail(STATUS_INPUT,
                            "--input %s: its calendar is '%.40s': only the Gregorian one is read",
                            a->path, calendar);
            }
            if (!time_of(units, number, time)) {
                CPLFree(key);
                return fail(STATUS_INPUT,
                            "--input %s: its times are in '%.60s', which is not understood",
                            a->path, units);
            }
        } else if (is_one_of(key + 11, " number expver ensemble member realization ")) {
            /* the first member, the version of the reanalysis */
        } else if (!(number == 10 && units && is_one_of(units, " m metre metres meter meters "))) {
            char level[96];
            *is_10m = false;
            snprintf(level, sizeof level, "%.24s at %.24s = %.20s", name, key + 11, value);
            note_other(a, level);
        }
        CPLFree(key);
    }
    return STATUS_OK;
}

/* All bands of a NetCDF variable that is a wind at 10 m. */
static int take_variable(weather_archive *a, GDALDatasetH set, const char *name)
{
    char key[96];
    GDALRasterBandH first = GDALGetRasterBand(set, 1);
    snprintf(key, sizeof key, "%.60s#standard_name", name);
    const char *standard = weather_item(set, key);
    if (!*standard && first)
        standard = weather_item(first, "standard_name");
    bool wrf = *weather_item(set, "NC_GLOBAL#MAP_PROJ") != 0;
    bool along = is_one_of(standard, " x_wind y_wind grid_eastward_wind grid_northward_wind ");
    bool known = is_one_of(standard, " eastward_wind northward_wind ");
    int component = is_one_of(name, " u10 U10 10u u10m U10M UGRD_10maboveground uas ")   ? 0
                    : is_one_of(name, " v10 V10 10v v10m V10M VGRD_10maboveground vas ") ? 1
                                                                                         : -1;
    bool other =
        component < 0 && (along || known || is_one_of(name, " u v u100 v100 U V ua va UGRD VGRD "));
    if (component < 0 && other)
        note_other(a, name);
    if (component < 0)
        return STATUS_OK;
    OGRSpatialReferenceH srs = GDALGetSpatialRef(set);
    bool geographic = srs && OSRIsGeographic(srs);
    if (!along && !known && !wrf && !geographic && srs)
        return fail(
            STATUS_INPUT,
            "--input %s: %s does not say whether it is along the grid or towards true north: give "
            "it a "
            "standard_name, x_wind and y_wind or eastward_wind and northward_wind (ncatted)",
            a->path, name);
    for (int band = 1; band <= GDALGetRasterCount(set); band++) {
        GDALRasterBandH b = GDALGetRasterBand(set, band);
        const char *units = GDALGetRasterUnitType(b);
        weather_layer l = {.set = set,
                           .band = band,
                           .on_grid = along || (wrf && !known),
                           .unit = speed_unit(units ? units : "")};
        bool is_10m;
        if (l.unit <= 0)
            return fail(STATUS_INPUT, "--input %s: %s is in '%.40s', which is no speed", a->path,
                        name, units);
        int status = read_dimensions(a, set, b, name, &l.time, &is_10m);
        if (status == STATUS_OK && wrf && !wrf_time(a->path, band - 1, &l.time))
            l.time = NAN;
        if (status == STATUS_OK && is_10m)
            status = add_layer(a, component, l);
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
        int component = is_one_of(name, " UGRD 10U u10 U10 10u ")   ? 0
                        : is_one_of(name, " VGRD 10V v10 V10 10v ") ? 1
                                                                    : -1;
        if (component < 0)
            continue;
        bool is_10m = !*element || strcmp(level, "10-HTGL") == 0 || is_one_of(element, " 10U 10V ");
        if (!is_10m) {
            char what[64];
            snprintf(what, sizeof what, "%.20s at %.30s", name, level);
            note_other(a, what);
            continue;
        }
        weather_layer l = {.set = set,
                           .band = band,
                           .time = *valid ? CPLAtof(valid) : NAN,
                           .on_grid = a->grid_flag == 1,
                           .unit = speed_unit(units ? units : "")};
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
        return fail(STATUS_INPUT, "--input %s: cannot be read: %s", a->path, weather_last_error());
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
    OSRDestroySpatialReference(a->srs);
    free(a->layers[0]);
    free(a->layers[1]);
}

#endif
