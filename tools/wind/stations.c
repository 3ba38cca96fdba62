/* SPDX-License-Identifier: MIT */
/* Measured winds from a CSV file. */
#include "config.h"

#include "wind/stations.h"
#include "wind/moment.h"

#include "formats/csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EARLIEST (-1e11) /* s: no time column */

enum { NAME, X, Y, HEIGHT, SPEED, DIRECTION, WEIGHT, TIME, COLUMNS };

typedef struct columns {
    int of[COLUMNS];      /* -1: not there */
    double unit[COLUMNS]; /* SI units per unit of the column */
} columns;

void stations_destroy(station_list *list)
{
    free(list->rows);
    free(list->winds);
    memset(list, 0, sizeof *list);
}

/* ---- which column is what ---- */

static const struct {
    int column;
    const char *names; /* of the quantity */
    double low, high;  /* in SI units */
    const char *unit;
} quantities[] = {
    {NAME, " name station id ", 0, 0, ""},
    {X, " easting lon longitude x ", -1e9, 1e9, ""},
    {Y, " northing lat latitude y ", -1e9, 1e9, ""},
    {HEIGHT, " height height_above_ground ", 0.1, 1000, "m"},
    {SPEED, " speed wind_speed ", 0, 200, "m/s"},
    {DIRECTION, " direction from wind_direction ", -360, 720, "degrees"},
    {WEIGHT, " weight ", 0, 1e6, ""},
    {TIME, " time ", 0, 0, ""},
};

static const struct {
    int column;
    const char *suffix;
    double unit;
} units[] = {
    {HEIGHT, "m", 1},
    {HEIGHT, "ft", 0.3048},
    {SPEED, "ms", 1},
    {SPEED, "m_s", 1},
    {SPEED, "mps", 1},
    {SPEED, "kn", 1852.0 / 3600},
    {SPEED, "kt", 1852.0 / 3600},
    {SPEED, "kts", 1852.0 / 3600},
    {SPEED, "kmh", 1 / 3.6},
    {SPEED, "km_h", 1 / 3.6},
    {SPEED, "mph", 0.44704},
    {SPEED, "fts", 0.3048},
    {SPEED, "ft_s", 0.3048},
    {DIRECTION, "deg", 1},
    {DIRECTION, "degrees", 1},
    {X, "m", 1},
    {Y, "m", 1},
    {X, "deg", 1},
    {Y, "deg", 1},
};

static bool is_among(const char *word, size_t length, const char *names)
{
    char spaced[64];
    if (length == 0 || length + 3 > sizeof spaced)
        return false;
    snprintf(spaced, sizeof spaced, " %.*s ", (int)length, word);
    return strstr(names, spaced) != NULL;
}

/* "Wind speed [m/s]" as wind_speed_m_s. */
static void write_plainly(const char *name, char *out, size_t size)
{
    size_t n = 0;
    for (; *name && n + 1 < size; name++) {
        const char c = *name;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            out[n++] = c;
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    }
    out[n - (n > 0 && out[n - 1] == '_')] = 0;
}

/* What a column's name says: a quantity and its unit. */
static bool find_quantity(const char *written, int *column, double *unit)
{
    char name[64];
    write_plainly(written, name, sizeof name);
    for (size_t q = 0; q < sizeof quantities / sizeof quantities[0]; q++) {
        if (is_among(name, strlen(name), quantities[q].names)) {
            *column = quantities[q].column;
            *unit = 1;
            return true;
        }
        for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
            size_t n = strlen(name), m = strlen(units[u].suffix);
            if (units[u].column == quantities[q].column && n > m + 1 && name[n - m - 1] == '_' &&
                strcmp(name + n - m, units[u].suffix) == 0 &&
                is_among(name, n - m - 1, quantities[q].names)) {
                *column = quantities[q].column;
                *unit = units[u].unit;
                return true;
            }
        }
    }
    return false;
}

/* A column of this quantity in a unit that is none of ours; NULL: there is none. */
static const char *other_unit(const csv *table, const char *quantity)
{
    const size_t length = strlen(quantity);
    for (int i = 0; i < table->columns; i++)
        if (strncmp(table->names[i], quantity, length) == 0 && table->names[i][length] == '_')
            return table->names[i];
    return NULL;
}

static int find_columns(const csv *table, columns *c, bool *geographic)
{
    for (int i = 0; i < COLUMNS; i++)
        c->of[i] = -1;
    for (int i = 0; i < table->columns; i++) {
        int column;
        double unit;
        if (!find_quantity(table->names[i], &column, &unit)) {
            warn("%s:%d: column '%.40s' is not used", table->path, table->header_line,
                 table->names[i]);
            continue;
        }
        if (c->of[column] >= 0)
            return fail(
                STATUS_INPUT, "%s:%d: columns '%.40s' and '%.40s' are of one kind: leave one out",
                table->path, table->header_line, table->names[c->of[column]], table->names[i]);
        c->of[column] = i;
        c->unit[column] = unit;
    }
    static const int needed[] = {NAME, X, Y, HEIGHT, SPEED};
    static const char *const words[] = {"name", "easting or lon", "northing or lat", "height",
                                        "speed"};
    for (int i = 0; i < 5; i++)
        if (c->of[needed[i]] < 0) {
            const char *other = other_unit(table, words[i]);
            if (other)
                return fail(STATUS_INPUT,
                            "%s:%d: column '%.40s': its unit is not known: give speed (m/s) or "
                            "speed_kn, _kmh, _mph, _fts; height (m) or height_ft",
                            table->path, table->header_line, other);
            return fail(STATUS_INPUT,
                        "%s:%d: no column is named %s: give name, easting and northing (or lon and "
                        "lat), height, speed, "
                        "and where measured direction, weight, time",
                        table->path, table->header_line, words[i]);
        }
    bool lon = strncmp(table->names[c->of[X]], "lon", 3) == 0,
         lat = strncmp(table->names[c->of[Y]], "lat", 3) == 0;
    *geographic = lon;
    return lon == lat ? STATUS_OK
                      : fail(STATUS_INPUT,
                             "%s:%d: %s and %s do not go together: give easting and northing, or "
                             "lon and lat",
                             table->path, table->header_line, table->names[c->of[X]],
                             table->names[c->of[Y]]);
}

/* ---- rows ---- */

static const char *cell(const csv *t, size_t row, int column)
{
    return column < 0 ? "" : t->cells[row * (size_t)t->columns + (size_t)column];
}

static int number(const csv *t, size_t row, const columns *c, int column, double *out)
{
    for (size_t q = 0; q < sizeof quantities / sizeof quantities[0]; q++)
        if (quantities[q].column == column) {
            int status = csv_number(t, row, c->of[column], quantities[q].low / c->unit[column],
                                    quantities[q].high / c->unit[column],
                                    c->unit[column] == 1 ? quantities[q].unit : "", out);
            *out *= c->unit[column];
            return status;
        }
    return STATUS_FAILED;
}

/* Numbers stand for what is missing only where they are none: -99 degrees are a direction. */
static bool is_missing(const char *text, int column)
{
    if (column == DIRECTION && strcmp(text, "-99") == 0)
        return false;
    static const char words[] = " nan na n/a null none - -- -99 -999 -9999 -999.0 -9999.0 ";
    char lower[16];
    size_t n = 0;
    for (; text[n] && n + 1 < sizeof lower; n++)
        lower[n] = (char)tolower((unsigned char)text[n]);
    return *text == 0 || (!text[n] && is_among(lower, n, words));
}

static int read_station(const csv *t, size_t row, const columns *c, bool geographic, station *s,
                        fit_wind *w)
{
    memset(s, 0, sizeof *s);
    *w = (fit_wind){.weight = 1};
    snprintf(s->name, sizeof s->name, "%s", cell(t, row, c->of[NAME]));
    s->from = NAN;
    s->line = t->lines[row];
    int status = s->name[0] ? number(t, row, c, X, &s->x)
                            : fail(STATUS_INPUT, "%s:%d: a station without a name: give it one",
                                   t->path, s->line);
    if (status == STATUS_OK)
        status = number(t, row, c, Y, &s->y);
    if (status == STATUS_OK && geographic && !(fabs(s->x) <= 360 && fabs(s->y) <= 90))
        status = fail(STATUS_INPUT,
                      "%s:%d: longitude %g, latitude %g: give degrees, -360 to 360 and -90 to 90",
                      t->path, t->lines[row], s->x, s->y);
    if (status == STATUS_OK)
        status = number(t, row, c, HEIGHT, &s->height);
    if (status == STATUS_OK)
        status = number(t, row, c, SPEED, &w->speed);
    if (status == STATUS_OK && !is_missing(cell(t, row, c->of[DIRECTION]), DIRECTION))
        status = number(t, row, c, DIRECTION, &s->from);
    if (status == STATUS_OK && !is_missing(cell(t, row, c->of[WEIGHT]), WEIGHT))
        status = number(t, row, c, WEIGHT, &w->weight);
    if (status != STATUS_OK || isnan(s->from))
        return status;
    w->has_direction = true;
    w->east = -w->speed * sin(s->from * M_PI / 180);
    w->north = -w->speed * cos(s->from * M_PI / 180);
    return STATUS_OK;
}

/* The moment of each row, and which are to be taken. */
static int read_times(const csv *t, const columns *c, double wanted, double *times)
{
    double first = INFINITY, last = -INFINITY;
    char begin[32], end[32], asked[32];
    bool found = false;
    for (size_t row = 0; row < t->rows; row++) {
        times[row] = EARLIEST;
        if (c->of[TIME] >= 0 && !moment_parse(cell(t, row, c->of[TIME]), &times[row]))
            return fail(STATUS_INPUT, "%s:%d: time is '%.40s': give it as 2026-11-30T12:00",
                        t->path, t->lines[row], cell(t, row, c->of[TIME]));
        first = fmin(first, times[row]);
        last = fmax(last, times[row]);
        found = found || times[row] == wanted;
    }
    moment_write(first, begin, sizeof begin);
    moment_write(last, end, sizeof end);
    if (c->of[TIME] < 0)
        return isnan(wanted)
                   ? STATUS_OK
                   : fail(STATUS_INPUT, "%s: has no column time, which --time asks for", t->path);
    if (isnan(wanted) && first < last)
        return fail(STATUS_INPUT, "%s: holds times from %s to %s: say which with --time", t->path,
                    begin, end);
    moment_write(wanted, asked, sizeof asked);
    if (!isnan(wanted) && !found)
        return fail(STATUS_INPUT, "%s: has no row of --time %s: its times go from %s to %s",
                    t->path, asked, begin, end);
    return STATUS_OK;
}

/* Two stations in one place would count as one that is sure of itself. */
static int check_places(const station_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        for (size_t k = 0; k < i; k++) {
            const station *a = &list->rows[k], *b = &list->rows[i];
            if (fabs(a->x - b->x) < 1e-9 && fabs(a->y - b->y) < 1e-9 &&
                fabs(a->height - b->height) < 1e-9)
                return fail(STATUS_INPUT,
                            "%s:%d: station %s stands where %s of line %d does, at %.10g, %.10g, "
                            "%g m: leave one out, or give their mean",
                            list->path, b->line, b->name, a->name, a->line, b->x, b->y, b->height);
        }
    return STATUS_OK;
}

static int take_rows(const csv *t, double time, station_list *out)
{
    columns c;
    int status = find_columns(t, &c, &out->geographic);
    if (status != STATUS_OK)
        return status;
    double *times = malloc(t->rows * sizeof *times);
    out->rows = calloc(t->rows, sizeof *out->rows);
    out->winds = calloc(t->rows, sizeof *out->winds);
    status = times && out->rows && out->winds ? read_times(t, &c, time, times) : fail_memory();
    for (size_t row = 0; row < t->rows && status == STATUS_OK; row++) {
        if (!isnan(time) && times[row] != time)
            continue;
        if (is_missing(cell(t, row, c.of[SPEED]), SPEED))
            continue; /* a station that was out of order */
        status = read_station(t, row, &c, out->geographic, &out->rows[out->count],
                              &out->winds[out->count]);
        if (status == STATUS_OK && out->winds[out->count].weight > 0) {
            out->has_direction = out->has_direction || out->winds[out->count].has_direction;
            out->count++;
        }
        if (out->count > MOST_STATIONS)
            status = fail(STATUS_INPUT, "%s: more than %d stations", t->path, (int)MOST_STATIONS);
    }
    free(times);
    if (status == STATUS_OK && out->count == 0)
        status = fail(STATUS_INPUT, "%s: no station has a speed and a weight", t->path);
    return status == STATUS_OK ? check_places(out) : status;
}

int stations_read(const char *path, double time, station_list *out)
{
    csv table;
    *out = (station_list){.path = path};
    int status = csv_read(path, &table);
    if (status != STATUS_OK)
        return status;
    status = take_rows(&table, time, out);
    csv_destroy(&table);
    if (status != STATUS_OK)
        stations_destroy(out);
    return status;
}

int stations_place(station_list *list, const place *at, const double box[4])
{
    if (list->geographic && !at->projected)
        return fail(
            STATUS_INPUT,
            "%s: has longitudes and latitudes, and the box no place on the Earth: give easting and "
            "northing, or --origin",
            list->path);
    for (size_t i = 0; i < list->count; i++) {
        station *s = &list->rows[i];
        double x = s->x, y = s->y;
        if (list->geographic && place_from_geographic(at, 1, &s->x, &s->y) != STATUS_OK)
            return fail(STATUS_INPUT,
                        "%s: station %s at %g, %g has no place in the terrain's system", list->path,
                        s->name, x, y);
        if (!(s->x >= box[0] && s->y >= box[1] && s->x <= box[2] && s->y <= box[3]))
            return fail(STATUS_INPUT,
                        "%s: station %s at %.10g, %.10g lies outside the box "
                        "%.10g,%.10g,%.10g,%.10g (W,S,E,N): leave it "
                        "out, or give a larger --window",
                        list->path, s->name, x, y, box[0], box[1], box[2], box[3]);
    }
    return STATUS_OK;
}

void stations_guess(const station_list *list, double z0, double *u10, double *from)
{
    double speed = 0, weights = 0, east = 0, north = 0;
    for (size_t i = 0; i < list->count; i++) {
        const fit_wind *w = &list->winds[i];
        double over = fmax((double)foehn_log_profile((float)list->rows[i].height, (float)z0), 0.1);
        speed += w->weight * w->speed / over;
        weights += w->weight;
        if (w->has_direction && w->speed > 0) {
            east += w->weight * w->east / w->speed;
            north += w->weight * w->north / w->speed;
        }
    }
    *u10 = speed / weights;
    if (list->has_direction)
        *from = direction_from(east, north);
}
