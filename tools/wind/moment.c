/* SPDX-License-Identifier: MIT */
/* Moments as ISO 8601 writes them. */
#include "config.h"

#include "wind/moment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Days since 1970-01-01 of the proleptic Gregorian calendar: years of 400, counted from March. */
static long days_of(int year, int month, int day)
{
    int y = month <= 2 ? year - 1 : year, shifted = (month + 9) % 12;
    long era = (y >= 0 ? y : y - 399) / 400;
    int of_era = (int)(y - era * 400), of_year = (153 * shifted + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365L + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(long days, int *year, int *month, int *day)
{
    days += 719468;
    long era = (days >= 0 ? days : days - 146096) / 146097;
    int of_era = (int)(days - era * 146097);
    int years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * years + years / 4 - years / 100),
        shifted = (5 * of_year + 2) / 153;
    *day = of_year - (153 * shifted + 2) / 5 + 1;
    *month = shifted < 10 ? shifted + 3 : shifted - 9;
    *year = (int)(years + era * 400) + (*month <= 2);
}

const char *moment_parse_clock(const char *text, double *seconds)
{
    int hour, minute = 0, used = 0;
    double second = 0;
    if (sscanf(text, "%2d%n", &hour, &used) != 1)
        return NULL;
    text += used;
    if (*text == ':') {
        if (sscanf(++text, "%2d%n", &minute, &used) != 1)
            return NULL;
        text += used;
    }
    if (*text == ':') {
        if (sscanf(++text, "%lf%n", &second, &used) != 1)
            return NULL;
        text += used;
    }
    if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(second >= 0 && second < 61))
        return NULL;
    *seconds = hour * 3600.0 + minute * 60.0 + second;
    return text;
}

bool moment_parse(const char *text, double *seconds)
{
    int year, month, day, used = 0;
    double clock = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || used < 8)
        return false;
    text += used;
    if ((*text == 'T' || *text == ' ') && !(text = moment_parse_clock(text + 1, &clock)))
        return false;
    if (strcmp(text, "") != 0 && strcmp(text, "Z") != 0 && strcmp(text, "+00:00") != 0 &&
        strcmp(text, " UTC") != 0)
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    *seconds = (double)days_of(year, month, day) * 86400 + clock;
    return true;
}

void moment_write(double seconds, char *text, size_t size)
{
    if (!(fabs(seconds) < 1e11)) {
        snprintf(text, size, "%g s", seconds);
        return;
    }
    long days = (long)floor(seconds / 86400);
    int year, month, day, rest = (int)lround(seconds - 86400.0 * (double)days);
    date_of(days + rest / 86400, &year, &month, &day);
    rest %= 86400;
    snprintf(text, size, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day, rest / 3600,
             rest / 60 % 60, rest % 60);
}
