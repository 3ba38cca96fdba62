/* SPDX-License-Identifier: MIT */
/* foehn bench: tables of measurements, and what its parts share. */
#ifndef BENCH_H
#define BENCH_H

#include "json.h"
#include "tool.h"

typedef enum bench_style { BENCH_TEXT, BENCH_MARKDOWN, BENCH_JSON } bench_style;

typedef struct bench_column {
    const char *key;     /* in JSON */
    const char *heading; /* elsewhere */
    int width;           /* of text */
} bench_column;

/* Text, or where that is NULL a number; one that is not finite is not known. */
typedef struct bench_cell {
    const char *text;
    double number;
    int digits; /* after the point; negative: as in 1.5e-07 */
} bench_cell;

#define TEXT_CELL(t) ((bench_cell){.text = (t)})
#define NUMBER_CELL(x, d) ((bench_cell){.number = (x), .digits = (d)})
#define NO_CELL NUMBER_CELL(NAN, 0)

enum { MOST_BOUNDS = 64, MOST_STAGES = 64 };

typedef struct bench_bound {
    char what[96];
    double measured, bound;
    bool at_least; /* else: at most */
} bench_bound;

typedef struct bench {
    foehn_context *ctx;
    const char *device;  /* as it was asked for; NULL: it was not */
    const char *devices; /* of parts, likewise */
    uint64_t most;       /* cells; larger cases are left out */
    bench_style style;
    json j;
    int column_count;
    const bench_column *columns;
    int bound_count;
    bench_bound bounds[MOST_BOUNDS];
} bench;

void bench_table_begin(bench *b, const char *key, const char *title, int count,
                       const bench_column *columns);
void bench_table_row(bench *b, const bench_cell *cells);
void bench_table_end(bench *b);

/* Note a figure that has a bound; all of them are printed at the end.  NaN: it was not reached. */
void bench_compare(bench *b, const char *what, double measured, bool at_least, double bound);
void bench_print_bounds(bench *b);

/* Copy bandwidth for buffers of this size, bytes/s. */
int bench_copy(bench *b, uint64_t bytes, double *rate);

/* Repeat something until it has taken long enough to be timed.  Calls run(data, count) with growing
 * counts, which must do it count times and not wait.  seconds: of one, by the wall clock. */
typedef foehn_status bench_job(void *data, int count);
int bench_time(bench *b, bench_job *run, void *data, double *seconds, double *launches);

/* Timed by the device's clock: rows by kernel of `count` repetitions. */
int bench_time_kernels(bench *b, bench_job *run, void *data, int count, size_t *rows,
                       foehn_timing timings[MOST_STAGES]);

/* A row of timings as figures a step of `count`; NaN where a kernel does not say its bytes.  copy:
 * bytes/s. */
typedef struct bench_stage {
    double launches, ms, bytes_a_cell, rate, share; /* bytes: of a launch; rate: bytes/s */
} bench_stage;
bench_stage bench_stage_of(const foehn_timing *t, int count, double cells, double copy);

/* The columns of a table of stages, of which the second is the caller's. */
#define BENCH_STAGE_COLUMNS(what, width)                                                           \
    {                                                                                              \
        {"box", "box", -12}, {what, what, width}, {"kernel", "kernel", -18},                       \
            {"launches", "launches", 9}, {"device_ms", "ms", 9},                                   \
            {"bytes_a_cell", "bytes/cell", 11}, {"gb_per_s", "GB/s", 9},                           \
            {"share_of_copy", "of copy", 8},                                                       \
    }

/* A row of a table of stages: box, what, kernel, launches, ms, bytes a cell, GB/s, share of a copy.
 */
void bench_stage_row(bench *b, const char *box, const char *what, const foehn_timing *t,
                     const bench_stage *s);

/* Steps once they are warm: by the wall clock, then by the device's, beside a copy of a field of
 * `cells`. */
typedef struct bench_steps {
    double launches, step_ms, device_ms, copy;
    int count; /* of the timed ones */
    size_t found;
    foehn_timing timings[MOST_STAGES];
} bench_steps;
int bench_measure_steps(bench *b, bench_job *run, void *data, double cells, bench_steps *out);
/* Their rows of a table of stages. */
void bench_stage_rows(bench *b, const char *box, const char *what, const bench_steps *m,
                      double cells);

/* A smooth hill of height 1, x and z from 0 to 1; the same of a height in m, of samples a side,
 * under a wind. */
double bench_hill(double x, double z);
int bench_put_hill(foehn_wind *wind, int samples, double height);
/* A wind in nx x ny x nz cells of 40 x 8 m over a hill of 120 m, the size and the spacing of
 * Askervein; its name.  *out NULL: it is larger than was asked for, or does not fit. */
int bench_create_over_hill(bench *b, foehn_wind_params *params, int nx, int ny, int nz,
                           char box[32], foehn_wind **out);

int bench_domain(bench *b);
int bench_fire(bench *b);
int bench_flow(bench *b);
int bench_les(bench *b);
int bench_momentum(bench *b);
int bench_wind(bench *b);
int bench_pressure(bench *b);
int bench_start(bench *b);

#endif
