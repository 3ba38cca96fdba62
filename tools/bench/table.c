/* SPDX-License-Identifier: MIT */
/* Tables of measurements as text, Markdown or JSON, and figures against their bounds. */
#include "config.h"

#include "bench/bench.h"

#include <math.h>

void bench_table_begin(bench *b, const char *key, const char *title, int count,
                       const bench_column *columns)
{
    b->columns = columns;
    b->column_count = count;
    line_clear();
    if (b->style == BENCH_JSON) {
        json_array(&b->j, key);
        return;
    }
    printf(b->style == BENCH_MARKDOWN ? "\n%s:\n\n" : "\n%s\n", title);
    for (int i = 0; i < count; i++)
        if (b->style == BENCH_MARKDOWN)
            printf("| %s %s", columns[i].heading, i + 1 < count ? "" : "|\n");
        else
            printf("%*s%s", columns[i].width, columns[i].heading, i + 1 < count ? " " : "\n");
    for (int i = 0; i < count && b->style == BENCH_MARKDOWN; i++)
        printf(columns[i].width < 0 ? "|---%s" : "|---:%s", i + 1 < count ? "" : "|\n");
}

void bench_table_row(bench *b, const bench_cell *cells)
{
    line_clear();
    if (b->style == BENCH_JSON)
        json_object(&b->j, NULL);
    for (int i = 0; i < b->column_count; i++) {
        const bench_column *column = &b->columns[i];
        bool last = i + 1 == b->column_count;
        char text[128];
        if (cells[i].text)
            snprintf(text, sizeof text, "%s", cells[i].text);
        else if (isfinite(cells[i].number) && cells[i].digits < 0)
            snprintf(text, sizeof text, "%.1e", cells[i].number);
        else if (isfinite(cells[i].number))
            snprintf(text, sizeof text, "%.*f", cells[i].digits, cells[i].number);
        else
            snprintf(text, sizeof text, "-");
        if (b->style == BENCH_MARKDOWN)
            printf("| %s %s", text, last ? "|\n" : "");
        else if (b->style == BENCH_TEXT)
            printf("%*s%s", column->width, text, last ? "\n" : " ");
        else if (cells[i].text)
            json_text(&b->j, column->key, cells[i].text);
        else
            json_number(&b->j, column->key, cells[i].number);
    }
    if (b->style == BENCH_JSON)
        json_close(&b->j, '}');
    fflush(stdout);
}

void bench_table_end(bench *b)
{
    if (b->style == BENCH_JSON)
        json_close(&b->j, ']');
}

void bench_compare(bench *b, const char *what, double measured, bool at_least, double bound)
{
    if (b->bound_count == MOST_BOUNDS)
        return;
    bench_bound *next = &b->bounds[b->bound_count++];
    snprintf(next->what, sizeof next->what, "%s", what);
    next->measured = measured;
    next->bound = bound;
    next->at_least = at_least;
}

void bench_print_bounds(bench *b)
{
    static const bench_column columns[] = {{"figure", "figure", -64},
                                           {"measured", "measured", 9},
                                           {"bound", "bound", 16},
                                           {"reached", "", -8}};
    if (b->bound_count == 0)
        return;
    bench_table_begin(b, "bounds", "Against the bounds", 4, columns);
    for (int i = 0; i < b->bound_count; i++) {
        const bench_bound *n = &b->bounds[i];
        bool reached = n->at_least ? n->measured >= n->bound : n->measured <= n->bound;
        char bound[48];
        snprintf(bound, sizeof bound, "%s %g", n->at_least ? "at least" : "at most", n->bound);
        bench_table_row(b, (bench_cell[]){TEXT_CELL(n->what), NUMBER_CELL(n->measured, 2),
                                          TEXT_CELL(bound), TEXT_CELL(reached ? "yes" : "no")});
    }
    bench_table_end(b);
}
