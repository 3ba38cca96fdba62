/* SPDX-License-Identifier: MIT */
/* Tables of comma-separated values with a first row of names: as spreadsheets write them, and as
 * strangers do.  Where the names are separated by semicolons or tabs, so is the rest; with
 * semicolons numbers may have a decimal comma.  Lines that begin with # and empty lines are
 * skipped; "a, b" is one value. */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>

enum { CSV_COLUMNS = 64 };

typedef struct csv {
    const char *path; /* for messages; lives as long as the table */
    char separator;
    int columns;
    const char *names[CSV_COLUMNS]; /* in lower case */
    int header_line;
    size_t rows;
    const char **cells; /* [rows][columns], trimmed */
    int *lines;         /* of the file, from 1: [rows] */
    char *text;         /* what they point into */
} csv;

/* Read a file of at most 16 MB, or a text.  A table has a header and at least one row, and each row
 * as many values as the header has names. */
int csv_read(const char *path, csv *out);
int csv_read_text(const char *path, const char *text, csv *out);
void csv_destroy(csv *table);

/* The column of that name; -1: there is none. */
int csv_find(const csv *table, const char *name);

/* The number in a row's column, from low to high; fails with file, line, column, value and range.
 */
int csv_number(const csv *table, size_t row, int column, double low, double high, const char *unit,
               double *out);

#endif
