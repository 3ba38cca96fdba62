/* SPDX-License-Identifier: MIT */
/* The beds of the tests of the collocated kernels: a wind lends its buffers and kernels, and fields
 * are filled with numbers that look random. */
#ifndef FOEHN_TESTS_CELLS_H
#define FOEHN_TESTS_CELLS_H

#include "testing.h"

#include "wind/collocated.h"
#include "wind/over.h"
#include "wind/reference.h"

/* Single precision against double: some ten roundings of values up to the scale. */
#define ROUNDING 4e-6

#define CO(w) foehn_wind_collocated(w)

typedef struct ground_case {
    const char *name;
    int nx, ny, nz;
    float horizontal, vertical;
    foehn_wind_sides sides;
    double center_y; /* NaN: floor at 0 */
    bool hilly;
} ground_case;

enum { CASES = 9 };
extern const ground_case cells_cases[CASES];

enum { SAMPLES_X = 12, SAMPLES_Z = 10 };

typedef struct bed {
    const ground_case *which;
    foehn_wind *w;
    reference_box box;
    size_t cells, columns;
    terrain_map map;
    float heights[SAMPLES_X * SAMPLES_Z];
    float *ground; /* as the device has it */
    unsigned char *solid;
    float *u[3], *p, *q, *out;
    double *want[3];
    uint64_t random;
} bed;

void cells_fill(bed *b, float *f, double low, double high);
void cells_put(bed *b, cl_mem buffer, const float *f);
void cells_get(bed *b, cl_mem buffer, float *f);

/* Random velocity, now on the device. */
void cells_put_velocity(bed *b, double most);
const float **cells_velocity(bed *b);

/* Largest difference between what the device has and what was worked out. */
double cells_apart(bed *b, cl_mem buffer, const double *want);
void cells_open(bed *b, const ground_case *c);
void cells_close(bed *b);
wind_forcing cells_forcing(bed *b);

#define SAME(b, buffer, want, scale)                                                               \
    do {                                                                                           \
        double same_ = cells_apart(b, buffer, want) / (scale);                                     \
        ck_assert_msg(same_ <= ROUNDING, "%s: %s is off by %.3g of its scale", (b)->which->name,   \
                      #buffer, same_);                                                             \
    } while (0)

/* The cases of a test; only the small ones where time is short. */
#define FOR_EACH_BED(b)                                                                            \
    for (int case_ = 0; case_ < (testing_is_tiny() ? CASES - 1 : CASES); case_++)                  \
        for (bool once_ = (cells_open(&(b), &cells_cases[case_]), true); once_;                    \
             once_ = (cells_close(&(b)), false))

/* ---- the files of tests, one subject each ---- */

void add_cells_ground_tests(TCase *tests);
void add_cells_step_tests(TCase *tests);
void add_cells_rest_tests(TCase *tests);

#endif
