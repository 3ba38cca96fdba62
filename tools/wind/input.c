/* SPDX-License-Identifier: MIT */
/* The wind's state over time, from a CSV file. */
#include "config.h"

#include "wind/input.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "time_s,u10,from,gustiness"

void input_destroy(input_series *series)
{
    free(series->rows);
    series->rows = NULL;
    series->count = 0;
}

static int parse_row(const char *path, int line, char *text, input_row *row)
{
    static const struct {
        const char *name, *range;
        double low, high;
    } columns[4] = {{"time_s", "0 or more", 0, 1e12},
                    {"u10", "0 to 200 m/s", 0, 200},
                    {"from", "-360 to 720 degrees", -360, 720},
                    {"gustiness", "0 to 1", 0, 1}};
    double values[4];
    char *p = text;
    for (int i = 0; i < 4; i++) {
        char *comma = p ? strchr(p, ',') : NULL;
        if (!p || (i == 3 && comma))
            return fail(STATUS_INPUT, "%s:%d: %s columns than the four of " HEADER, path, line,
                        p ? "more" : "fewer");
        if (comma)
            *comma = 0;
        char *word = trim(p), *end;
        values[i] = strtod(word, &end);
        if (end == word || *end != 0)
            return fail(STATUS_INPUT, "%s:%d: %s is '%s', not a number", path, line,
                        columns[i].name, word);
        if (!(values[i] >= columns[i].low && values[i] <= columns[i].high))
            return fail(STATUS_INPUT, "%s:%d: %s is %s: give %s", path, line, columns[i].name, word,
                        columns[i].range);
        p = comma ? comma + 1 : NULL;
    }
    *row = (input_row){values[0], values[1], values[2], values[3]};
    return STATUS_OK;
}

static bool add_row(input_series *series, const input_row *row)
{
    /* Room grows by doubling: full whenever the count is a power of two. */
    if ((series->count & (series->count - 1)) == 0) {
        size_t room = series->count ? 2 * series->count : 1;
        input_row *rows = realloc(series->rows, room * sizeof *rows);
        if (!rows)
            return false;
        series->rows = rows;
    }
    series->rows[series->count++] = *row;
    return true;
}

static int read_rows(const char *path, FILE *stream, input_series *out)
{
    char buffer[512];
    bool has_header = false;
    for (int line = 1; fgets(buffer, sizeof buffer, stream); line++) {
        /* By its mark, or by every second byte a zero. */
        if (line == 1 &&
            (strncmp(buffer, "\xff\xfe", 2) == 0 || strncmp(buffer, "\xfe\xff", 2) == 0 ||
             (strlen(buffer) < 2 && !strchr(buffer, '\n') && !feof(stream))))
            return fail(STATUS_INPUT, "%s: is UTF-16: save it as UTF-8", path);
        if (!strchr(buffer, '\n') && !feof(stream))
            return fail(STATUS_INPUT, "%s:%d: longer than %zu bytes", path, line, sizeof buffer);
        char *text = trim(buffer);
        if (!has_header && strncmp(text, "\xef\xbb\xbf", 3) == 0)
            text += 3; /* byte order mark of spreadsheets */
        if (*text == 0 || *text == '#')
            continue;
        if (!has_header) {
            if (strcmp(text, HEADER) != 0)
                return fail(STATUS_INPUT, "%s:%d: the first row is '%s', it must be " HEADER, path,
                            line, text);
            has_header = true;
            continue;
        }
        input_row row;
        int status = parse_row(path, line, text, &row);
        if (status != STATUS_OK)
            return status;
        if (out->count > 0 && row.time <= out->rows[out->count - 1].time)
            return fail(STATUS_INPUT, "%s:%d: time_s is %g, not later than the row before (%g)",
                        path, line, row.time, out->rows[out->count - 1].time);
        if (!add_row(out, &row))
            return fail_memory();
    }
    if (ferror(stream))
        return fail(STATUS_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (out->count == 0)
        return fail(STATUS_INPUT, "%s: has no rows: give " HEADER " and a row per time", path);
    return STATUS_OK;
}

int input_read(const char *path, input_series *out)
{
    *out = (input_series){0, NULL};
    FILE *stream;
    int status = file_open("", path, &stream);
    if (status != STATUS_OK)
        return status;
    status = read_rows(path, stream, out);
    fclose(stream);
    if (status != STATUS_OK)
        input_destroy(out);
    return status;
}

input_row input_at(const input_series *series, double time)
{
    const input_row *rows = series->rows;
    size_t next = 0;
    while (next < series->count && rows[next].time <= time)
        next++;
    if (next == 0 || next == series->count) {
        input_row row = rows[next == 0 ? 0 : next - 1];
        row.time = time;
        return row;
    }
    const input_row *a = &rows[next - 1], *b = &rows[next];
    double t = (time - a->time) / (b->time - a->time);
    double turn = remainder(b->from - a->from, 360); /* -180 to 180: the short way */
    double from = fmod(a->from + t * turn, 360);
    return (input_row){time, a->u10 + t * (b->u10 - a->u10), from < 0 ? from + 360 : from,
                       a->gustiness + t * (b->gustiness - a->gustiness)};
}
