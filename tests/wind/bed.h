/* SPDX-License-Identifier: MIT */
/* A bed for tests of the staggered wind's kernels: one box, fields on the device that each test
 * fills, and one launch of one kernel.
 *
 * Fields are padded as the library pads them.  Whatever they hold that is no value of theirs is
 * filled with numbers that would show if a kernel made anything of them, and must still be there
 * afterwards. */
#ifndef FOEHN_FACES_H
#define FOEHN_FACES_H

#include "wind/reference_faces.h"
#include "testing.h"

typedef struct faces_case {
    const char *name;
    int n[3];
    double h[3]; /* m */
    bool periodic, hilly;
} faces_case;

enum { FACES_MOST = 256 };

typedef struct faces_bed {
    const char *name;
    faces_box box;
    foehn_grid g;
    const char *options; /* that programs are built with */
    bool hilly;
    uint64_t random;
    size_t count;   /* elements of a packed array */
    size_t columns; /* of one over the floor */
    int buffer_count;
    struct {
        cl_mem buffer;
        float *whole; /* what was put there */
    } buffers[FACES_MOST];
    int array_count;
    void *arrays[FACES_MOST];
} faces_bed;

/* What lies beyond a field's values. */
typedef enum faces_beyond {
    FACES_ANYTHING, /* in periodic boxes the far end's along x and z, as `wrap` leaves it */
    FACES_ZEROS
} faces_beyond;

/* Boxes of odd sizes and three spacings: flat and over a hill, open and periodic, a row, a cell. */
enum { FACES_CASES = 8 };
extern const faces_case faces_cases[FACES_CASES];
void faces_open_bed(faces_bed *b, const faces_case *c);
void faces_close_bed(faces_bed *b);
#define FOR_EACH_FACES_BED(b)                                                                      \
    for (int case_ = testing_is_tiny() ? 4 : 0; case_ < FACES_CASES; case_++)                      \
        for (bool once_ = (faces_open_bed(&(b), &faces_cases[case_]), true); once_;                \
             once_ = (faces_close_bed(&(b)), false))

/* Packed arrays that live as long as the bed: random numbers; in periodic boxes alike on both ends.
 */
float *faces_random(faces_bed *b, faces_kind kind, double low, double high);
/* A quarter closed, a quarter open, the rest between; floor and lid closed. */
uint8_t *faces_random_open(faces_bed *b, int axis);
/* Heights of corners: flat at the floor, or hills that close some faces and cut others. */
float *faces_corners(faces_bed *b);
double *faces_wanted(faces_bed *b);

/* Element (i, k) of an array over the floor. */
static inline size_t faces_column(const faces_bed *b, int i, int k)
{
    return (size_t)k * (size_t)(b->box.n[0] + 1) + (size_t)i;
}

cl_mem faces_put(faces_bed *b, faces_kind kind, faces_beyond beyond, const float *values);
cl_mem faces_put_bytes(faces_bed *b, faces_kind kind, const uint8_t *values);
cl_mem faces_put_columns(faces_bed *b, const float *values);
/* Of columns' middles from -1 to nx and nz, those beside the box included: (nx + 2) (nz + 2)
 * values. */
cl_mem faces_put_middles(faces_bed *b, const float *values);
/* A field that holds no value yet. */
cl_mem faces_blank(faces_bed *b);

/* The field's values; nothing else of it may have changed. */
void faces_get(faces_bed *b, faces_kind kind, cl_mem field, float *values);
/* The same for one whose rows' ends a kernel may write, too. */
void faces_get_loosely(faces_bed *b, faces_kind kind, cl_mem field, float *values);
void faces_get_columns(faces_bed *b, cl_mem field, float *values);

/* The field's values are those, to `most`. */
#define FACES_SAME(b, kind, field, want, most)                                                     \
    faces_check_same(b, kind, field, want, most, #field, __FILE__, __LINE__)
void faces_check_same(faces_bed *b, faces_kind kind, cl_mem field, const double *want, double most,
                      const char *name, const char *file, int line);

/* Roundings of single precision: about ten, of values up to the scale. */
#define FACES_ROUNDING 6e-7

/* One launch.  One local size for all boxes: PoCL compiles each anew. */
#define FACES_LAUNCH(b, source, kernel_name, size, ...)                                            \
    FACES_LAUNCH_LOCAL(b, source, kernel_name, size, ((foehn_size){16, 1, 1}), __VA_ARGS__)
#define FACES_LAUNCH_LOCAL(b, source, kernel_name, size, local, ...)                               \
    do {                                                                                           \
        foehn_kernel kernel_;                                                                      \
        OK(foehn_kernel_create(context, &(source), (b)->options, kernel_name, 0, &kernel_));       \
        OK(LAUNCH_LOCAL(context, kernel_, size, local, __VA_ARGS__));                              \
        foehn_kernel_destroy(&kernel_);                                                            \
    } while (0)
foehn_size faces_cells(const faces_bed *b);
foehn_size faces_all(const faces_bed *b);      /* (nx + 1) (ny + 1) (nz + 1) */
foehn_size faces_in_fours(const faces_bed *b); /* of rows */

#define ARG3(f) ARG((f)[0]), ARG((f)[1]), ARG((f)[2])

/* One octave's lattice cells are smaller than the box, the gusts overlap. */
wind_forcing faces_forcing(faces_bed *b);

void add_forcing_tests(TCase *tests);
void add_transport_tests(TCase *tests);
void add_projection_tests(TCase *tests);
void add_ground_tests(TCase *tests);
void add_step_tests(TCase *tests);
void add_momentum_tests(TCase *tests);

#endif
