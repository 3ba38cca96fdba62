/* SPDX-License-Identifier: MIT */
/* Tables of comma-separated values. */
#include "config.h"

#include "formats/csv.h"

#include "file.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 16 << 20 };

void csv_destroy(csv *t)
{
    free(t->text);
    free(t->cells);
    free(t->lines);
    memset(t, 0, sizeof *t);
}

int csv_find(const csv *t, const char *name)
{
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->names[i], name) == 0)
            return i;
    return -1;
}

/* Of the row of names: a comma, unless there is none outside of quotes. */
static char find_separator(const char *names)
{
    char found = ',';
    bool quoted = false;
    for (; *names; names++) {
        quoted = quoted != (*names == '"');
        if (!quoted && *names == ',')
            return ',';
        if (!quoted && found == ',' && (*names == ';' || *names == '\t'))
            found = *names;
    }
    return found;
}

/* Cut a line into values.  Returns how many, or -1 for a quote that does not end, -2 for too many.
 */
static int split(char separator, char *line, const char *values[CSV_COLUMNS])
{
    int count = 0;
    for (char *p = line; p;) {
        if (count == CSV_COLUMNS)
            return -2;
        p += strspn(p, separator == '\t' ? " " : " \t");
        char *value = p, *next;
        if (*p == '"') {
            char *to = ++value;
            for (p++; *p && !(*p == '"' && p[1] != '"'); p++) {
                p += *p == '"'; /* two quotes are one */
                *to++ = *p;
            }
            if (!*p)
                return -1;
            next = strchr(p, separator);
            *to = 0;
        } else {
            next = strchr(p, separator);
        }
        if (next)
            *next = 0;
        values[count++] = trim(value);
        p = next ? next + 1 : NULL;
    }
    return count;
}

static int read_header(csv *t, int line, char *text)
{
    t->header_line = line;
    t->separator = find_separator(text + strspn(text, "\t"));
    t->columns = split(t->separator, text, t->names);
    if (t->columns < 0)
        return fail(STATUS_INPUT, "%s:%d: the row of names has %s", t->path, line,
                    t->columns == -1 ? "a quote that does not end" : "more than 64 columns");
    for (int i = 0; i < t->columns; i++) {
        for (char *c = (char *)t->names[i]; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        for (int k = 0; k < i; k++)
            if (*t->names[i] && strcmp(t->names[i], t->names[k]) == 0)
                return fail(STATUS_INPUT, "%s:%d: two columns are named '%.40s'", t->path, line,
                            t->names[i]);
    }
    return STATUS_OK;
}

static int read_row(csv *t, int line, char *text)
{
    const char *values[CSV_COLUMNS];
    int count = split(t->separator, text, values);
    if (count == -1)
        return fail(STATUS_INPUT, "%s:%d: a quote that does not end", t->path, line);
    if (count != t->columns)
        return fail(STATUS_INPUT, "%s:%d: %d values, but the row of names (line %d) has %d",
                    t->path, line, count < 0 ? CSV_COLUMNS + 1 : count, t->header_line, t->columns);
    /* Room grows by doubling: full whenever the count is a power of two. */
    if ((t->rows & (t->rows - 1)) == 0) {
        size_t room = t->rows ? 2 * t->rows : 1;
        const char **cells = realloc(t->cells, room * (size_t)t->columns * sizeof *cells);
        if (cells)
            t->cells = cells;
        int *lines = realloc(t->lines, room * sizeof *lines);
        if (lines)
            t->lines = lines;
        if (!cells || !lines)
            return fail_memory();
    }
    memcpy(t->cells + t->rows * (size_t)t->columns, values, (size_t)count * sizeof *values);
    t->lines[t->rows++] = line;
    return STATUS_OK;
}

/* Takes t->text to pieces. */
static int parse(csv *t)
{
    char *p = t->text;
    int status = STATUS_OK, line = 0;
    if (strncmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3; /* byte order mark of spreadsheets */
    while (p && status == STATUS_OK) {
        char *end = strchr(p, '\n');
        if (end)
            *end = 0;
        line++;
        const char *first = p + strspn(p, " \t\r");
        char *text = p + strspn(p, " "); /* between tabs, values may be empty */
        p = end ? end + 1 : NULL;
        if (!*first || *(t->separator == '\t' ? text : first) == '#')
            continue;
        status = t->header_line ? read_row(t, line, text) : read_header(t, line, text);
    }
    if (status == STATUS_OK && t->rows == 0)
        status = fail(STATUS_INPUT, "%s: has no %s", t->path,
                      t->header_line ? "rows under its names" : "text");
    if (status != STATUS_OK)
        csv_destroy(t);
    return status;
}

int csv_read_text(const char *path, const char *text, csv *out)
{
    *out = (csv){.path = path, .text = strdup(text)};
    return out->text ? parse(out) : fail_memory();
}

int csv_read(const char *path, csv *out)
{
    *out = (csv){.path = path};
    FILE *stream;
    int status = file_open("", path, &stream);
    if (status != STATUS_OK)
        return status;
    size_t room = 1 << 12, size = 0;
    for (;;) {
        char *text = realloc(out->text, room + 1);
        if (!text) {
            status = fail_memory();
            break;
        }
        out->text = text;
        size += fread(text + size, 1, room - size, stream);
        if (size < room)
            break;
        if (room >= LARGEST) {
            status =
                fail(STATUS_INPUT, "%s: larger than 16 MB, which no table of this kind is", path);
            break;
        }
        room *= 2;
    }
    if (status == STATUS_OK && ferror(stream))
        status = fail(STATUS_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    fclose(stream);
    if (status == STATUS_OK) {
        out->text[size] = 0;
        if (memchr(out->text, 0, size))
            status = fail(STATUS_INPUT, "%s: is no text, or UTF-16: save it as UTF-8", path);
    }
    if (status != STATUS_OK) {
        csv_destroy(out);
        return status;
    }
    return parse(out);
}

int csv_number(const csv *t, size_t row, int column, double low, double high, const char *unit,
               double *out)
{
    const char *text = t->cells[row * (size_t)t->columns + (size_t)column];
    char number[64], *end;
    snprintf(number, sizeof number, "%s", text);
    char *comma = t->separator == ';' && !strchr(number, '.') ? strchr(number, ',') : NULL;
    if (comma)
        *comma = '.';
    *out = strtod(number, &end);
    const char *space = *unit ? " " : "";
    if (end == number || *end != 0 || strlen(text) >= sizeof number)
        return fail(STATUS_INPUT, "%s:%d: %s is '%.40s', not a number: give %g to %g%s%s", t->path,
                    t->lines[row], t->names[column], text, low, high, space, unit);
    if (!(*out >= low && *out <= high))
        return fail(STATUS_INPUT, "%s:%d: %s is %.40s: give %g to %g%s%s", t->path, t->lines[row],
                    t->names[column], text, low, high, space, unit);
    return STATUS_OK;
}
