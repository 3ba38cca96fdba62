/* SPDX-License-Identifier: MIT */
/* What NetCDF files say in words. */
#include "config.h"

#include "wind/weather_cf.h"

#include "wind/moment.h"

#ifdef HAVE_NETCDF
#include <netcdf.h>
#endif

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool cf_is_one_of(const char *word, const char *list)
{
    char spaced[80];
    if (!*word || strlen(word) + 3 > sizeof spaced)
        return false;
    snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(list, spaced) != NULL;
}

/* ---- units ---- */

double cf_speed_unit(const char *text)
{
    static const double knot = 1852.0 / 3600, mile = 0.44704;
    const struct {
        const char *name;
        double speed;
    } units[] = {{"m s**-1", 1},      {"m s-1", 1},          {"m/s", 1},
                 {"[m/s]", 1},        {"m s^-1", 1},         {"m s^{-1}", 1},
                 {"ms-1", 1},         {"m.s-1", 1},          {"m/sec", 1},
                 {"m sec-1", 1},      {"meters/second", 1},  {"metres/second", 1},
                 {"meter s-1", 1},    {"meter/second", 1},   {"", 1},
                 {"knots", knot},     {"knot", knot},        {"kn", knot},
                 {"kt", knot},        {"kts", knot},         {"km/h", 1 / 3.6},
                 {"km h-1", 1 / 3.6}, {"km h**-1", 1 / 3.6}, {"kmh", 1 / 3.6},
                 {"mph", mile},       {"mile/hour", mile},   {"miles/hour", mile},
                 {"cm/s", 0.01},      {"cm s-1", 0.01}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcasecmp(units[i].name, text) == 0)
            return units[i].speed;
    return 0;
}

/* ---- times ---- */

bool cf_is_time(const char *units)
{
    return units && strstr(units, " since ");
}

bool cf_knows_calendar(const char *calendar)
{
    return !calendar || !*calendar || strcasecmp(calendar, "standard") == 0 ||
           strcasecmp(calendar, "gregorian") == 0 ||
           strcasecmp(calendar, "proleptic_gregorian") == 0;
}

/* Seconds of the word before "since". */
static double seconds_of(const char *units)
{
    static const struct {
        const char *names;
        double seconds;
    } steps[] = {{" days day d ", 86400},
                 {" hours hour hrs hr h ", 3600},
                 {" minutes minute mins min ", 60},
                 {" seconds second secs sec s ", 1},
                 {" milliseconds millisecond msec ms ", 1e-3},
                 {" microseconds microsecond ", 1e-6},
                 {" nanoseconds nanosecond ", 1e-9}};
    char word[24];
    size_t n = strcspn(units, " ");
    if (n + 1 > sizeof word)
        return 0;
    for (size_t i = 0; i < n; i++)
        word[i] = (char)tolower((unsigned char)units[i]);
    word[n] = 0;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (cf_is_one_of(word, steps[i].names))
            return steps[i].seconds;
    return 0;
}

/* "+02:00", "-0330", "0:00", "UTC": seconds east of Greenwich. */
static bool zone_of(const char *text, double *seconds)
{
    int hours = 0, minutes = 0, used = 0;
    *seconds = 0;
    if (!*text || cf_is_one_of(text, " Z UTC GMT utc z "))
        return true;
    const double sign = *text == '-' ? -1 : 1;
    text += *text == '+' || *text == '-';
    if (sscanf(text, "%2d:%2d%n", &hours, &minutes, &used) != 2 &&
        sscanf(text, "%2d%2d%n", &hours, &minutes, &used) != 2 &&
        sscanf(text, "%2d%n", &hours, &used) != 1)
        return false;
    *seconds = sign * (hours * 3600.0 + minutes * 60.0);
    return text[used] == 0 && hours >= 0 && hours <= 14 && minutes >= 0 && minutes < 60;
}

/* Dates before 1582-10-15 are Julian ones in the standard calendar: days that these come after the
 * same ones of the Gregorian calendar, followed back. */
static double julian_days(int year, int month)
{
    const int y = month <= 2 ? year - 1 : year;
    const int century = y >= 0 ? y / 100 : -((99 - y) / 100);
    return century - (int)floor(century / 4.0) - 2;
}

static bool start_of(const char *text, bool proleptic, double *seconds)
{
    int year, month, day, used = 0;
    double clock = 0, zone = 0;
    char date[32], rest[24];
    text += strspn(text, " ");
    if (sscanf(text, "%d-%d-%d%n", &year, &month, &day, &used) != 3 || used == 0)
        return false;
    text += used;
    if ((*text == 'T' || *text == ' ') && isdigit((unsigned char)text[1]) &&
        !(text = moment_parse_clock(text + 1, &clock)))
        return false;
    text += strspn(text, " ");
    snprintf(rest, sizeof rest, "%s", text);
    for (size_t n = strlen(rest); n > 0 && rest[n - 1] == ' '; n--)
        rest[n - 1] = 0;
    if (strlen(text) >= sizeof rest || !zone_of(rest, &zone) || year < 1 || year > 9999)
        return false;
    snprintf(date, sizeof date, "%04d-%02d-%02d", year, month, day);
    if (!moment_parse(date, seconds))
        return false;
    *seconds += clock - zone;
    if (!proleptic && (year < 1582 || (year == 1582 && (month < 10 || (month == 10 && day < 15)))))
        *seconds += 86400 * julian_days(year, month);
    return true;
}

bool cf_time(const char *units, const char *calendar, double value, double *seconds)
{
    double start;
    const double step = seconds_of(units);
    const bool proleptic = calendar && strcasecmp(calendar, "proleptic_gregorian") == 0;
    if (!(step > 0) || !cf_is_time(units) || !cf_knows_calendar(calendar) || !isfinite(value) ||
        !start_of(strstr(units, " since ") + 7, proleptic, &start))
        return false;
    /* To the millisecond: days of few digits would else miss a full hour. */
    *seconds = start + rint(1e3 * value * step) * 1e-3;
    return true;
}

/* ---- by the NetCDF library ---- */

#ifdef HAVE_NETCDF

int cf_open(const char *path)
{
    int file;
    return nc_open(path, NC_NOWRITE, &file) == NC_NOERR ? file : -1;
}

void cf_close(int file)
{
    if (file >= 0)
        nc_close(file);
}

/* An attribute of text; "": there is none. */
static void read_text(int file, int variable, const char *name, size_t size, char *out)
{
    nc_type type;
    size_t length;
    out[0] = 0;
    if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR ||
        length + 1 > size || nc_get_att_text(file, variable, name, out) != NC_NOERR)
        length = 0;
    out[length] = 0;
}

/* WRF's times are texts: 2026-11-30_12:00:00. */
static bool wrf_time(int file, int dimension, int index, double *seconds)
{
    enum { LENGTH = 19 };
    int variable, rank = 0, dimensions[NC_MAX_VAR_DIMS];
    nc_type type = NC_NAT;
    size_t length = 0;
    char text[LENGTH + 1] = "";
    const size_t start[2] = {(size_t)index, 0}, count[2] = {1, LENGTH};
    if (nc_inq_varid(file, "Times", &variable) != NC_NOERR ||
        nc_inq_varndims(file, variable, &rank) != NC_NOERR || rank != 2 ||
        nc_inq_vartype(file, variable, &type) != NC_NOERR || type != NC_CHAR ||
        nc_inq_vardimid(file, variable, dimensions) != NC_NOERR || dimensions[0] != dimension ||
        nc_inq_dimlen(file, dimensions[1], &length) != NC_NOERR || length < LENGTH ||
        nc_get_vara_text(file, variable, start, count, text) != NC_NOERR || text[10] != '_')
        return false;
    text[10] = 'T';
    return moment_parse(text, seconds);
}

/* Where a band of a variable lies along the dimensions before its rows and columns, of which the
 * last runs fastest in GDAL's count. */
typedef struct band_place {
    int count, along[NC_MAX_VAR_DIMS];
    size_t index[NC_MAX_VAR_DIMS];
} band_place;

static bool place_band(int file, const char *variable, int band, band_place *out)
{
    int v, rank = 0;
    size_t rest = (size_t)band - 1;
    if (file < 0 || band < 1 || nc_inq_varid(file, variable, &v) != NC_NOERR ||
        nc_inq_varndims(file, v, &rank) != NC_NOERR || rank < 2 ||
        nc_inq_vardimid(file, v, out->along) != NC_NOERR)
        return false;
    out->count = rank - 2;
    for (int d = out->count - 1; d >= 0; d--) {
        size_t length;
        if (nc_inq_dimlen(file, out->along[d], &length) != NC_NOERR || length == 0)
            return false;
        out->index[d] = rest % length;
        rest /= length;
    }
    return rest == 0;
}

/* A variable's value where the band lies; false: it runs along other dimensions, too. */
static bool value_at(int file, int v, const band_place *b, int *rank, double *value)
{
    int along[NC_MAX_VAR_DIMS];
    size_t at[NC_MAX_VAR_DIMS] = {0};
    if (nc_inq_varndims(file, v, rank) != NC_NOERR || *rank > b->count ||
        nc_inq_vardimid(file, v, along) != NC_NOERR)
        return false;
    for (int n = 0; n < *rank; n++) {
        int d = 0;
        while (d < b->count && b->along[d] != along[n])
            d++;
        if (d == b->count)
            return false;
        at[n] = b->index[d];
    }
    return nc_get_var1_double(file, v, at, value) == NC_NOERR && isfinite(*value);
}

/* Is a dimension one that a variable runs along? */
static bool runs_along(int file, int v, int dimension)
{
    int rank = 0, along[NC_MAX_VAR_DIMS];
    if (nc_inq_varndims(file, v, &rank) != NC_NOERR || nc_inq_vardimid(file, v, along) != NC_NOERR)
        return false;
    for (int n = 0; n < rank; n++)
        if (along[n] == dimension)
            return true;
    return false;
}

static bool names_step(const char *name)
{
    return cf_is_one_of(name, " step lead_time forecast_period prediction_timedelta ");
}

/* Is a variable how long after a forecast's start something is? */
static bool is_step(int file, int v, const char *name)
{
    char standard[40] = "";
    read_text(file, v, "standard_name", sizeof standard, standard);
    return strcmp(standard, "forecast_period") == 0 || names_step(name);
}

bool cf_is_step(int file, const char *dimension)
{
    int v;
    return file >= 0 && (names_step(dimension) || (nc_inq_varid(file, dimension, &v) == NC_NOERR &&
                                                   is_step(file, v, dimension)));
}

/* The dimension of a band that is a forecast's steps, or -1; and how long after the start the band
 * is, s: 0 where nothing is said, NaN where what is said is not understood. */
static int find_step(int file, const band_place *b, double *seconds)
{
    int variables = 0, rank;
    char name[NC_MAX_NAME + 1], units[96];
    double value;
    *seconds = 0;
    nc_inq_nvars(file, &variables);
    for (int v = 0; v < variables; v++) {
        if (nc_inq_varname(file, v, name) != NC_NOERR || !is_step(file, v, name) ||
            !value_at(file, v, b, &rank, &value))
            continue;
        read_text(file, v, "units", sizeof units, units);
        const double unit = cf_is_time(units) ? 0 : seconds_of(units);
        *seconds = unit > 0 ? value * unit : NAN;
        for (int d = 0; d < b->count; d++)
            if (runs_along(file, v, b->along[d]))
                return d;
        return -1;
    }
    for (int d = 0; d < b->count; d++)
        if (nc_inq_dimname(file, b->along[d], name) == NC_NOERR &&
            names_step(name)) { /* and no variable says how long */
            *seconds = NAN;
            return d;
        }
    return -1;
}

bool cf_has_time_along(int file, const char *dimension)
{
    int id, variables = 0, times;
    if (file < 0 || nc_inq_dimid(file, dimension, &id) != NC_NOERR ||
        nc_inq_nvars(file, &variables) != NC_NOERR)
        return false;
    if (nc_inq_varid(file, "Times", &times) == NC_NOERR && runs_along(file, times, id))
        return true;
    for (int v = 0; v < variables; v++) {
        char units[96];
        read_text(file, v, "units", sizeof units, units);
        if (cf_is_time(units) && runs_along(file, v, id))
            return true;
    }
    return false;
}

bool cf_time_of_band(int file, const char *variable, int band, double *seconds)
{
    band_place b;
    int variables = 0, best = -1;
    double step;
    if (!place_band(file, variable, band, &b))
        return false;
    for (int d = 0; d < b.count; d++)
        if (wrf_time(file, b.along[d], (int)b.index[d], seconds))
            return true;
    const int steps = find_step(file, &b, &step);
    nc_inq_nvars(file, &variables);
    for (int v = 0; v < variables; v++) {
        char units[96], calendar[40], standard[40];
        double value, found;
        int rank;
        read_text(file, v, "units", sizeof units, units);
        read_text(file, v, "calendar", sizeof calendar, calendar);
        read_text(file, v, "standard_name", sizeof standard, standard);
        if (!cf_is_time(units) || !value_at(file, v, &b, &rank, &value) ||
            !cf_time(units, calendar, value, &found))
            continue;
        const bool is_start = strcmp(standard, "forecast_reference_time") == 0 ||
                              (steps >= 0 && !runs_along(file, v, b.along[steps]));
        const int worth = is_start ? rank : NC_MAX_VAR_DIMS + 1 + rank;
        if (worth > best) {
            best = worth;
            *seconds = is_start ? found + step : found;
        }
    }
    return best >= 0;
}

bool cf_height(int file, const char *variable, double *height)
{
    int v, c, rank;
    char names[256], units[24], standard[40];
    if (file < 0 || nc_inq_varid(file, variable, &v) != NC_NOERR)
        return false;
    read_text(file, v, "coordinates", sizeof names, names);
    for (char *save = NULL, *name = strtok_r(names, " ", &save); name;
         name = strtok_r(NULL, " ", &save)) {
        if (nc_inq_varid(file, name, &c) != NC_NOERR ||
            nc_inq_varndims(file, c, &rank) != NC_NOERR || rank != 0)
            continue;
        read_text(file, c, "units", sizeof units, units);
        read_text(file, c, "standard_name", sizeof standard, standard);
        if (cf_is_one_of(units, " m metre metres meter meters ") &&
            (strcmp(standard, "height") == 0 ||
             cf_is_one_of(name, " height heightAboveGround height_above_ground ")) &&
            nc_get_var_double(file, c, height) == NC_NOERR)
            return true;
    }
    return false;
}

bool cf_is_turned(int file, const char *variable, char name[64])
{
    int v, rank = 0, along[NC_MAX_VAR_DIMS], axis;
    char units[96], standard[40], whole[NC_MAX_NAME + 1];
    if (file < 0 || nc_inq_varid(file, variable, &v) != NC_NOERR ||
        nc_inq_varndims(file, v, &rank) != NC_NOERR || rank < 2 ||
        nc_inq_vardimid(file, v, along) != NC_NOERR ||
        nc_inq_dimname(file, along[rank - 1], whole) != NC_NOERR ||
        nc_inq_varid(file, whole, &axis) != NC_NOERR)
        return false;
    snprintf(name, 64, "%.63s", whole);
    read_text(file, axis, "units", sizeof units, units);
    read_text(file, axis, "standard_name", sizeof standard, standard);
    return cf_is_time(units) || strncmp(units, "degrees_north", 13) == 0 ||
           strcmp(units, "degree_north") == 0 ||
           cf_is_one_of(standard, " latitude grid_latitude projection_y_coordinate time ");
}

#else

int cf_open(const char *path)
{
    (void)path;
    return -1;
}

void cf_close(int file)
{
    (void)file;
}

bool cf_has_time_along(int file, const char *dimension)
{
    (void)file, (void)dimension;
    return false;
}

bool cf_is_step(int file, const char *dimension)
{
    (void)file, (void)dimension;
    return false;
}

bool cf_time_of_band(int file, const char *variable, int band, double *seconds)
{
    (void)file, (void)variable, (void)band, (void)seconds;
    return false;
}

bool cf_height(int file, const char *variable, double *height)
{
    (void)file, (void)variable, (void)height;
    return false;
}

bool cf_is_turned(int file, const char *variable, char name[64])
{
    (void)file, (void)variable, (void)name;
    return false;
}

#endif
