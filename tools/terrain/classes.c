/* SPDX-License-Identifier: MIT */
/* Tables of classes of land cover. */
#include "config.h"

#include "terrain/classes.h"

#include "formats/csv.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TABLES = 16 };

void classes_destroy(class_table *t)
{
    free(t->rows);
    t->rows = NULL;
    t->count = 0;
}

static int by_number(const void *a, const void *b)
{
    int one = ((const ground_class *)a)->number, other = ((const ground_class *)b)->number;
    return (one > other) - (one < other);
}

const ground_class *classes_find(const class_table *t, double number)
{
    if (!(fabs(number) <= 1e9) || number != floor(number))
        return NULL;
    const ground_class wanted = {.number = (int)number};
    return bsearch(&wanted, t->rows, t->count, sizeof *t->rows, by_number);
}

static int read_row(const csv *table, size_t row, const int columns[4], ground_class *out)
{
    double number = 0;
    memset(out, 0, sizeof *out);
    int status = csv_number(table, row, columns[0], -1e9, 1e9, "", &number);
    if (status == STATUS_OK && number != floor(number))
        status = fail(STATUS_INPUT, "%s:%d: class is %g: classes are whole numbers", table->path,
                      table->lines[row], number);
    if (status != STATUS_OK)
        return status;
    out->number = (int)number;
    status = csv_number(table, row, columns[1], 1e-6, 9.9, "m", &out->z0);
    if (status == STATUS_OK && columns[2] >= 0)
        status = csv_number(table, row, columns[2], 0, 100, "m", &out->displacement);
    if (columns[3] >= 0)
        snprintf(out->name, sizeof out->name, "%s",
                 table->cells[row * (size_t)table->columns + (size_t)columns[3]]);
    return status;
}

static int take_rows(const csv *table, class_table *out)
{
    static const char *const names[4] = {"class", "z0", "displacement", "name"};
    int columns[4];
    for (int i = 0; i < 4; i++) {
        columns[i] = csv_find(table, names[i]);
        if (columns[i] < 0 && i < 2)
            return fail(STATUS_INPUT,
                        "%s:%d: no column is named %s: give class,z0,displacement,name",
                        table->path, table->header_line, names[i]);
    }
    out->rows = calloc(table->rows, sizeof *out->rows);
    if (!out->rows)
        return fail_memory();
    for (size_t row = 0; row < table->rows; row++) {
        int status = read_row(table, row, columns, &out->rows[row]);
        if (status != STATUS_OK)
            return status;
    }
    out->count = table->rows;
    qsort(out->rows, out->count, sizeof *out->rows, by_number);
    for (size_t row = 1; row < out->count; row++)
        if (out->rows[row].number == out->rows[row - 1].number)
            return fail(STATUS_INPUT, "%s: class %d has two rows", table->path,
                        out->rows[row].number);
    return STATUS_OK;
}

int classes_read(const char *name, class_table *out)
{
    const char *known[MOST_TABLES];
    size_t count = 0;
    csv table;
    memset(out, 0, sizeof *out);
    const class_text *text = NULL;
    for (const class_text *t = class_texts; t->name && count < MOST_TABLES; t++) {
        known[count++] = t->name;
        text = strcmp(t->name, name) == 0 ? t : text;
    }
    if (!text && !strchr(name, '.') && !strchr(name, '/')) {
        char list[160] = "";
        for (size_t i = 0; i < count; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                     known[i]);
        return fail(STATUS_INPUT,
                    "--roughness-table %s: no such table: give %s, or a file whose name has a dot",
                    name, list);
    }
    int status = text ? csv_read_text(name, text->text, &table) : csv_read(name, &table);
    if (status != STATUS_OK)
        return status;
    snprintf(out->what, sizeof out->what, "%s%s", text ? "built-in table " : "", name);
    status = take_rows(&table, out);
    csv_destroy(&table);
    if (status != STATUS_OK)
        classes_destroy(out);
    return status;
}
