/* SPDX-License-Identifier: MIT */
/* The padded layout: indices and sampling of kernels/grid.h as plain C, and copies of boxes. */
#include "testing.h"

#include "emulate.h"

#include "kernels/grid.h"

static const int sizes[][3] = {{1, 1, 1},  {2, 1, 3},   {6, 6, 6},    {7, 5, 3},
                               {8, 8, 8},  {14, 2, 9},  {15, 16, 17}, {37, 11, 29},
                               {64, 3, 2}, {129, 1, 1}, {1, 40, 1},   {1, 1, 33}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static foehn_grid grid_of(const int n[3])
{
    return foehn_grid_make(n[0], n[1], n[2], 4, 2, 4);
}

START_TEST(every_padded_cell_has_an_element_of_its_own)
{
    for (int s = 0; s < SIZES; s++) {
        foehn_grid g = grid_of(sizes[s]);
        size_t count = foehn_grid_elements(&g);
        unsigned char *seen = testing_alloc(count);
        for (int k = -1; k <= g.nz; k++)
            for (int j = -1; j <= g.ny; j++)
                for (int i = -1; i <= g.nx; i++) {
                    idx c = at(g, i, j, k);
                    ck_assert_int_ge(c, 0);
                    ck_assert_uint_lt((size_t)c, count);
                    ck_assert_msg(!seen[c], "cell (%d, %d, %d) of %d x %d x %d", i, j, k, g.nx,
                                  g.ny, g.nz);
                    seen[c] = 1;
                }
        free(seen);
    }
}
END_TEST

START_TEST(neighbours_are_a_stride_away_and_rows_are_aligned)
{
    for (int s = 0; s < SIZES; s++) {
        foehn_grid g = grid_of(sizes[s]);
        for (int k = 0; k < g.nz; k++)
            for (int j = 0; j < g.ny; j++) {
                ck_assert_int_eq(at(g, 0, j, k) % 8, 0);
                ck_assert_int_eq(at(g, 1, j, k) - at(g, 0, j, k), 1);
                ck_assert_int_eq(at(g, 0, j + 1, k) - at(g, 0, j, k), g.sy);
                ck_assert_int_eq(at(g, 0, j, k + 1) - at(g, 0, j, k), g.sz);
            }
    }
}
END_TEST

START_TEST(columns_do_not_meet)
{
    for (int s = 0; s < SIZES; s++) {
        foehn_grid g = grid_of(sizes[s]);
        size_t count = (size_t)g.sy * (size_t)(g.nz + 2) + 16; /* as lib/wind/ground.c allocates */
        unsigned char *seen = testing_alloc(count);
        for (int k = -1; k <= g.nz; k++)
            for (int i = -1; i <= g.nx; i++) {
                idx q = column(g, i, k);
                ck_assert_int_ge(q, 0);
                ck_assert_uint_lt((size_t)q, count);
                ck_assert(!seen[q]++);
            }
        free(seen);
    }
}
END_TEST

START_TEST(the_host_knows_where_the_kernels_put_cells)
{
    for (int s = 0; s < SIZES; s++) {
        foehn_grid g = grid_of(sizes[s]);
        foehn_box b = foehn_grid_box(&g, 4);
        ck_assert_uint_eq(b.element, 4);
        for (int k = 0; k < g.nz; k++)
            for (int j = 0; j < g.ny; j++)
                ck_assert_uint_eq(b.offset + (size_t)k * b.plane_pitch + (size_t)j * b.row_pitch,
                                  (size_t)at(g, 0, j, k));
        ck_assert_uint_eq(b.nx * b.ny * b.nz, (size_t)g.nx * (size_t)g.ny * (size_t)g.nz);
    }
}
END_TEST

START_TEST(inside_is_every_cell_and_nothing_beyond)
{
    foehn_grid g = foehn_grid_make(5, 3, 2, 1, 1, 1);
    ck_assert(inside(g, 0, 0, 0));
    ck_assert(inside(g, 4, 2, 1));
    ck_assert(!inside(g, 5, 2, 1));
    ck_assert(!inside(g, 4, 3, 1));
    ck_assert(!inside(g, 4, 2, 2));
}
END_TEST

START_TEST(indices_of_large_grids_are_64_bit)
{
    foehn_grid small = foehn_grid_make(1024, 512, 1024, 1, 1, 1);
    foehn_grid large = foehn_grid_make(4096, 128, 4096, 1, 1, 1);
    ck_assert_str_eq(foehn_grid_options(&small), "");
    ck_assert_uint_gt(foehn_grid_elements(&large), INT32_MAX);
    ck_assert_str_eq(foehn_grid_options(&large), "-DFOEHN_INDEX64");
    ck_assert_uint_eq(foehn_grid_elements(&large), (size_t)4104 * 130 * 4099 + 16);
}
END_TEST

/* A field of 2 x 2 x 2 cells: 1 + i + 10 j + 100 k. */
static float *eight_cells(foehn_grid g)
{
    float *f = testing_alloc(foehn_grid_elements(&g) * sizeof *f);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                f[at(g, i, j, k)] = (float)(1 + i + 10 * j + 100 * k);
    return f;
}

START_TEST(samples_are_the_values_worked_out_by_hand)
{
    foehn_grid g = foehn_grid_make(2, 2, 2, 4, 2, 4);
    float *f = eight_cells(g);
    ck_assert(sample_c(g, f, 0.5f, 0.5f, 0.5f) == 1.0f);
    ck_assert(sample_c(g, f, 1.5f, 0.5f, 0.5f) == 2.0f);
    ck_assert(sample_c(g, f, 0.5f, 1.5f, 0.5f) == 11.0f);
    ck_assert(sample_c(g, f, 0.5f, 0.5f, 1.5f) == 101.0f);
    ck_assert(sample_c(g, f, 1.5f, 1.5f, 1.5f) == 112.0f);
    ck_assert(sample_c(g, f, 1.0f, 1.0f, 1.0f) == 56.5f);
    ck_assert(sample_c(g, f, 0.75f, 1.25f, 0.5f) == 8.75f);
    /* Half way to a ghost, which is zero. */
    ck_assert(sample_c(g, f, 0.0f, 0.5f, 0.5f) == 0.5f);
    ck_assert(sample_c(g, f, 2.0f, 0.5f, 0.5f) == 1.0f);
    ck_assert(sample_c(g, f, 0.5f, 0.5f, 2.0f) == 50.5f);
    free(f);
}
END_TEST

START_TEST(samples_make_no_new_extremum)
{
    foehn_grid g = foehn_grid_make(5, 4, 3, 1, 1, 1);
    uint64_t random = 21;
    float *f = testing_alloc(foehn_grid_elements(&g) * sizeof *f), least = 1, most = 0;
    for (int k = 0; k < g.nz; k++)
        for (int j = 0; j < g.ny; j++)
            for (int i = 0; i < g.nx; i++) {
                float x = (float)testing_uniform(&random, 0, 1);
                f[at(g, i, j, k)] = x;
                least = fminf(least, x);
                most = fmaxf(most, x);
            }
    for (int n = 0; n < 100000; n++) {
        float x = (float)testing_uniform(&random, 0.5, g.nx - 0.5);
        float y = (float)testing_uniform(&random, 0.5, g.ny - 0.5);
        float z = (float)testing_uniform(&random, 0.5, g.nz - 0.5);
        float s = sample_c(g, f, x, y, z);
        ck_assert(s >= least - 1e-6f && s <= most + 1e-6f);
    }
    free(f);
}
END_TEST

START_TEST(boxes_come_back_as_they_were_written)
{
    for (int s = 0; s < SIZES; s++)
        for (size_t element = 1; element <= 4; element += 3) {
            foehn_grid g = grid_of(sizes[s]);
            size_t count = (size_t)g.nx * (size_t)g.ny * (size_t)g.nz * element;
            size_t padded = foehn_grid_elements(&g) * element;
            uint64_t random = 22;
            unsigned char *in = testing_alloc(count), *out = testing_alloc(count),
                          *whole = testing_alloc(padded);
            for (size_t i = 0; i < count; i++)
                in[i] = (unsigned char)(1 + testing_random(&random) % 255);
            cl_mem buffer;
            OK(foehn_field_create(context, &g, element, &buffer));
            OK(foehn_box_write(context, buffer, foehn_grid_box(&g, element), in));
            OK(foehn_box_read(context, buffer, foehn_grid_box(&g, element), out));
            ck_assert(memcmp(in, out, count) == 0);

            /* Cells lie where at() says, and ghosts were left alone. */
            OK(foehn_buffer_read(context, buffer, 0, padded, whole));
            size_t written = 0;
            for (size_t i = 0; i < padded; i++)
                written += whole[i] != 0;
            ck_assert_uint_eq(written, count);
            for (int k = 0; k < g.nz; k++)
                for (int j = 0; j < g.ny; j++)
                    ck_assert(
                        memcmp(whole + (size_t)at(g, 0, j, k) * element,
                               in + ((size_t)k * (size_t)g.ny + (size_t)j) * (size_t)g.nx * element,
                               (size_t)g.nx * element) == 0);
            foehn_buffer_destroy(context, &buffer);
            free(in);
            free(out);
            free(whole);
        }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("grid", TESTING_LIKES_DEVICE);
    tcase_add_test(tests, every_padded_cell_has_an_element_of_its_own);
    tcase_add_test(tests, neighbours_are_a_stride_away_and_rows_are_aligned);
    tcase_add_test(tests, columns_do_not_meet);
    tcase_add_test(tests, the_host_knows_where_the_kernels_put_cells);
    tcase_add_test(tests, inside_is_every_cell_and_nothing_beyond);
    tcase_add_test(tests, indices_of_large_grids_are_64_bit);
    tcase_add_test(tests, samples_are_the_values_worked_out_by_hand);
    tcase_add_test(tests, samples_make_no_new_extremum);
    if (context)
        tcase_add_test(tests, boxes_come_back_as_they_were_written);
    return testing_end();
}
