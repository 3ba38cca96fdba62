/* SPDX-License-Identifier: MIT */
/* CSV files that come with a box: values that it is to have, a mean wind by height. */
#include "config.h"

#include "box/command.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 8, LONGEST = 1024 };

/* Columns that a file may have; the header names those that it has. */
typedef struct column {
    const char *name, *range;
    double low, high;
} column;

typedef struct table {
    const char *path;
    const column *columns;
    int count;
    int order[MOST_COLUMNS]; /* of the file's columns */
    int width;
    size_t rows;
    double *values; /* [rows][count]; NaN: not there */
} table;

/* Cut the next word off; NULL at the end. */
static char *next_word(char **text)
{
    if (!*text)
        return NULL;
    char *word = *text, *comma = strchr(word, ',');
    if (comma)
        *comma = 0;
    *text = comma ? comma + 1 : NULL;
    return trim(word);
}

static int read_header(table *t, int line, char *text)
{
    char names[200] = "";
    for (int i = 0; i < t->count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 t->columns[i].name);
    for (char *word; (word = next_word(&text)) != NULL;) {
        int found = -1;
        for (int i = 0; i < t->count; i++)
            if (strcmp(word, t->columns[i].name) == 0)
                found = i;
        for (int i = 0; i < t->width && found >= 0; i++)
            if (t->order[i] == found)
                return fail(STATUS_INPUT, "%s:%d: column '%.40s' is there twice", t->path, line,
                            word);
        if (found < 0 || t->width == MOST_COLUMNS)
            return fail(STATUS_INPUT,
                        "%s:%d: '%.40s' is no column of this file: give a first row of %s", t->path,
                        line, word, names);
        t->order[t->width++] = found;
    }
    return STATUS_OK;
}

static int read_row(table *t, int line, char *text)
{
    if ((t->rows & (t->rows - 1)) == 0) { /* room grows by doubling */
        double *values =
            realloc(t->values, (t->rows ? 2 * t->rows : 1) * (size_t)t->count * sizeof *values);
        if (!values)
            return fail_memory();
        t->values = values;
    }
    double *row = t->values + t->rows * (size_t)t->count;
    for (int i = 0; i < t->count; i++)
        row[i] = NAN;
    for (int i = 0; i < t->width; i++) {
        const column *c = &t->columns[t->order[i]];
        char *word = next_word(&text), *end;
        if (!word)
            return fail(STATUS_INPUT, "%s:%d: has %d of %d columns", t->path, line, i, t->width);
        double value = strtod(word, &end);
        if (end == word || *end != 0)
            return fail(STATUS_INPUT, "%s:%d: %s is '%.40s', not a number", t->path, line, c->name,
                        word);
        if (!(value >= c->low && value <= c->high))
            return fail(STATUS_INPUT, "%s:%d: %s is %.40s: give %s", t->path, line, c->name, word,
                        c->range);
        row[t->order[i]] = value;
    }
    if (text)
        return fail(STATUS_INPUT, "%s:%d: has more than %d columns", t->path, line, t->width);
    t->rows++;
    return STATUS_OK;
}

static int read_lines(table *t, FILE *stream)
{
    char buffer[LONGEST];
    int status = STATUS_OK;
    for (int line = 1; status == STATUS_OK && fgets(buffer, sizeof buffer, stream); line++) {
        if (!strchr(buffer, '\n') && !feof(stream))
            return fail(STATUS_INPUT, "%s:%d: longer than %d bytes", t->path, line, (int)LONGEST);
        char *text = trim(buffer);
        if (line == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0)
            text += 3; /* byte order mark of spreadsheets */
        if (*text == 0 || *text == '#')
            continue;
        status = t->width ? read_row(t, line, text) : read_header(t, line, text);
    }
    if (status == STATUS_OK && ferror(stream))
        status = fail(STATUS_INPUT, "%s: cannot be read: %s", t->path, strerror(errno));
    if (status == STATUS_OK && t->rows == 0)
        status = fail(STATUS_INPUT, "%s: has no rows of numbers", t->path);
    return status;
}

static int table_read(table *t)
{
    FILE *stream;
    int status = file_open("", t->path, &stream);
    if (status != STATUS_OK)
        return status;
    status = read_lines(t, stream);
    fclose(stream);
    return status;
}

static bool has(const table *t, int c)
{
    for (int i = 0; i < t->width; i++)
        if (t->order[i] == c)
            return true;
    return false;
}

/* ---- constraints ---- */

enum { X, TIME, Y, Z, U, V, W, CONSTRAINT_COLUMNS };
static const column constraint_columns[CONSTRAINT_COLUMNS] = {
    {"x", "0 or more, m from the box's first point", 0, 1e9},
    {"time", "0 or more, s after the first plane has passed", 0, 1e9},
    {"y", "0 or more, m from the box's first point", 0, 1e6},
    {"z", "0 or more, m from the box's lowest point", 0, 1e6},
    {"u", "-100 to 100 m/s", -100, 100},
    {"v", "-100 to 100 m/s", -100, 100},
    {"w", "-100 to 100 m/s", -100, 100}};

static int check_columns(const table *t)
{
    if (has(t, X) == has(t, TIME))
        return fail(STATUS_INPUT, "%s: give x or time, one of the two", t->path);
    if (!has(t, Y) || !has(t, Z))
        return fail(STATUS_INPUT, "%s: has no %s", t->path, has(t, Y) ? "z" : "y");
    if (!has(t, U) && !has(t, V) && !has(t, W))
        return fail(STATUS_INPUT,
                    "%s: has none of u, v, w: give what the wind is to be there, less its mean",
                    t->path);
    return STATUS_OK;
}

static int check_place(const char *path, size_t row, const box_options *o, const box_constraint *c)
{
    for (int a = 0; a < 3; a++) {
        const double last = (o->size[a] - 1) * o->spacing[a];
        if (!(c->at[a] >= -0.5 * o->spacing[a] && c->at[a] < last + 0.5 * o->spacing[a]))
            return fail(STATUS_INPUT,
                        "%s: constraint %zu: %c = %g m is outside of the box: give 0 to %g m", path,
                        row, "xyz"[a], c -> at[a], last);
    }
    return STATUS_OK;
}

int box_read_constraints(const char *path, const box_options *o, size_t *count,
                         box_constraint **out)
{
    table t = {.path = path, .columns = constraint_columns, .count = CONSTRAINT_COLUMNS};
    int status = table_read(&t);
    if (status == STATUS_OK)
        status = check_columns(&t);
    *out = NULL;
    *count = t.rows;
    if (status == STATUS_OK && !(*out = calloc(t.rows, sizeof **out)))
        status = fail_memory();
    for (size_t i = 0; i < t.rows && status == STATUS_OK; i++) {
        const double *row = t.values + i * CONSTRAINT_COLUMNS;
        double x = has(&t, X) ? row[X] : (o->size[0] - 1) * o->spacing[0] - row[TIME] * o->speed;
        (*out)[i] = (box_constraint){{x, row[Y], row[Z]}, {row[U], row[V], row[W]}};
        status = check_place(path, i + 1, o, &(*out)[i]);
    }
    free(t.values);
    return status;
}

/* ---- mean wind ---- */

static const column profile_columns[2] = {{"height", "more than 0 m, above the ground", 1e-3, 1e4},
                                          {"speed", "0 to 100 m/s", 0, 100}};

int box_read_profile(const char *path, box_profile *out)
{
    table t = {.path = path, .columns = profile_columns, .count = 2};
    int status = table_read(&t);
    if (status == STATUS_OK && t.width < 2)
        status = fail(STATUS_INPUT, "%s: needs the columns height and speed", path);
    if (status == STATUS_OK && t.rows < 2)
        status = fail(STATUS_INPUT, "%s: has one row: give two heights or more", path);
    for (size_t i = 1; i < t.rows && status == STATUS_OK; i++)
        if (!(t.values[2 * i] > t.values[2 * i - 2]))
            status = fail(STATUS_INPUT, "%s: height %g m comes after %g m: give rising heights",
                          path, t.values[2 * i], t.values[2 * i - 2]);
    *out = (box_profile){.exponent = NAN, .count = t.rows};
    out->height = calloc(t.rows ? t.rows : 1, sizeof *out->height);
    out->speed = calloc(t.rows ? t.rows : 1, sizeof *out->speed);
    if (status == STATUS_OK && (!out->height || !out->speed))
        status = fail_memory();
    for (size_t i = 0; i < t.rows && status == STATUS_OK; i++) {
        out->height[i] = t.values[2 * i];
        out->speed[i] = t.values[2 * i + 1];
    }
    free(t.values);
    return status;
}
