/* SPDX-License-Identifier: MIT */
/* What NetCDF files say in words, after the CF conventions and as models that do not keep them do.
 */
#ifndef WEATHER_CF_H
#define WEATHER_CF_H

#include <stdbool.h>
#include <stddef.h>

/* Is a word one of a list " a b c "? */
bool cf_is_one_of(const char *word, const char *list);

/* Metres a second per unit that a text names; 0: it is no speed. */
double cf_speed_unit(const char *text);

/* Do units tell of a time, as "hours since 1900-01-01 00:00:00"? */
bool cf_is_time(const char *units);
/* Whether times of a calendar can be told; NULL or "": the Gregorian one. */
bool cf_knows_calendar(const char *calendar);
/* Seconds since 1970 (UTC) of such a time; false: it is not understood. */
bool cf_time(const char *units, const char *calendar, double value, double *seconds);

/* The same file as GDAL has open, through the NetCDF library, for what GDAL does not pass on.  -1:
 * it is none, or this build has no NetCDF. */
int cf_open(const char *path);
void cf_close(int file);
/* Does a time run along a dimension: WRF's texts, or a variable with a time as its unit? */
bool cf_has_time_along(int file, const char *dimension);
/* Is a dimension the steps of a forecast? */
bool cf_is_step(int file, const char *dimension);
/* The time of one of GDAL's bands of a variable, from 1: of WRF's texts, or of the variable that
 * runs along most of its dimensions and has a time as its unit.  One that does not run along a
 * forecast's steps is the start of them, to which the step is added: NaN where its length is not
 * understood.  false: nothing says the time. */
bool cf_time_of_band(int file, const char *variable, int band, double *seconds);
/* The height that a variable has as a single value of one of its coordinates, m. */
bool cf_height(int file, const char *variable, double *height);
/* Its last dimension where that runs along time or latitudes, which GDAL would take for columns. */
bool cf_is_turned(int file, const char *variable, char name[64]);

#endif
