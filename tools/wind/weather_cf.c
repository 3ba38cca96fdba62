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
    int year, month, day, hour = 0, minute = 0, used = 0;
    double second = 0, zone = 0;
    char date[32], rest[24];
    text += strspn(text, " ");
    if (sscanf(text, "%d-%d-%d%n", &year, &month, &day, &used) != 3 || used == 0)
        return false;
    text += used;
    if ((*text == 'T' || *text == ' ') && isdigit((unsigned char)text[1])) {
        if (sscanf(++text, "%2d%n", &hour, &used) != 1)
            return false;
        text += used;
        if (*text == ':') {
            if (sscanf(++text, "%2d%n", &minute, &used) != 1)
                return false;
            text += used;
        }
        if (*text == ':') {
            if (sscanf(++text, "%lf%n", &second, &used) != 1)
                return false;
            text += used;
        }
    }
    text += strspn(text, " ");
    snprintf(rest, sizeof rest, "%s", text);
    for (size_t n = strlen(rest); n > 0 && rest[n - 1] == ' '; n--)
        rest[n - 1] = 0;
    if (strlen(text) >= sizeof rest || !zone_of(rest, &zone) || year < 1 || year > 9999 ||
        hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(second >= 0 && second < 61))
        return false;
    snprintf(date, sizeof date, "%04d-%02d-%02d", year, month, day);
    if (!moment_parse(date, seconds))
        return false;
    *seconds += hour * 3600.0 + minute * 60.0 + second - zone;
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

bool cf_time_beside(int file, const char *dimension, int index, double *seconds)
{
    int id, count = 0, rank, along[NC_MAX_VAR_DIMS];
    size_t length;
    if (file < 0 || nc_inq_dimid(file, dimension, &id) != NC_NOERR ||
        nc_inq_dimlen(file, id, &length) != NC_NOERR || index < 0 || (size_t)index >= length)
        return false;
    if (wrf_time(file, id, index, seconds))
        return true;
    nc_inq_nvars(file, &count);
    for (int v = 0; v < count; v++) {
        char units[96], calendar[40];
        double value;
        const size_t at = (size_t)index;
        if (nc_inq_varndims(file, v, &rank) != NC_NOERR || rank != 1 ||
            nc_inq_vardimid(file, v, along) != NC_NOERR || along[0] != id)
            continue;
        read_text(file, v, "units", sizeof units, units);
        read_text(file, v, "calendar", sizeof calendar, calendar);
        if (cf_is_time(units) && nc_get_var1_double(file, v, &at, &value) == NC_NOERR &&
            cf_time(units, calendar, value, seconds))
            return true;
    }
    return false;
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

bool cf_time_beside(int file, const char *dimension, int index, double *seconds)
{
    (void)file, (void)dimension, (void)index, (void)seconds;
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
