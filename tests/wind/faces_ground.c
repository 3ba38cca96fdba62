/* SPDX-License-Identifier: MIT */
/* The ground under the staggered wind against plain C: corners of columns, openness of faces; and
 * what happens at the box's sides: scrolling, wrapping. */
#include "wind/bed.h"

extern const foehn_source foehn_source_wind_faces, foehn_source_wind_read;

START_TEST(corners_lie_on_the_terrain)
{
    enum { SAMPLES_X = 9, SAMPLES_Z = 7 };
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        /* Samples that miss the cells, turned back, and do not reach the sides. */
        float heights[SAMPLES_X * SAMPLES_Z];
        const terrain_map map = {
            SAMPLES_X, SAMPLES_Z, -0.7f, 6.3f, 9.1f / (float)b.box.n[0], -8.2f / (float)b.box.n[2]};
        for (int i = 0; i < SAMPLES_X * SAMPLES_Z; i++)
            heights[i] = (float)testing_uniform(&b.random, -20, 80);
        cl_mem samples;
        OK(foehn_buffer_create(context, sizeof heights, &samples));
        OK(foehn_buffer_write(context, samples, 0, sizeof heights, heights));
        float *got = testing_alloc(b.columns * sizeof *got);
        for (size_t q = 0; q < b.columns; q++)
            got[q] = -1;
        cl_mem corners = faces_put_columns(&b, got);
        foehn_size size = {(size_t)b.box.n[0] + 1, (size_t)b.box.n[2] + 1, 1};
        FACES_LAUNCH(&b, foehn_source_wind_read, "corners", size, ARG(b.g), ARG(map), ARG(samples),
                     ARG(corners));
        faces_get_columns(&b, corners, got);
        for (int k = 0; k <= b.box.n[2]; k++)
            for (int i = 0; i <= b.box.n[0];
                 i++) /* places of up to 16 samples, slopes of up to 100 m */
                NEAR(got[faces_column(&b, i, k)], faces_terrain(&map, heights, i, k),
                     100 * 4 * 0x1p-20);
        free(got);
        foehn_buffer_destroy(context, &samples);
    }
}
END_TEST

static void get_bytes(const faces_bed *b, cl_mem field, uint8_t *values)
{
    foehn_box box = foehn_grid_box(&b->g, 1);
    box.nx++;
    box.ny++;
    box.nz++;
    OK(foehn_box_read(context, field, box, values));
}

static void launch_openness(faces_bed *b, cl_int binary, cl_mem corners, cl_mem middles,
                            uint8_t *open[3])
{
    const float floor_y = (float)b->box.floor_y;
    cl_mem fields[3];
    for (int a = 0; a < 3; a++) {
        fields[a] = faces_put_bytes(b, faces_across(a), faces_random_open(b, a));
        open[a] = testing_alloc(b->count);
    }
    FACES_LAUNCH(b, foehn_source_wind_faces, "openness", faces_all(b), ARG(b->g), ARG(floor_y),
                 ARG(binary), ARG(corners), ARG(middles), ARG3(fields));
    for (int a = 0; a < 3; a++)
        get_bytes(b, fields[a], open[a]);
}

/* Bytes are rounded: 1 off where a share lies at a half; and by what a rounding of the ground's
 * height decides. */
START_TEST(openness_is_the_share_above_the_ground)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        float *corner = faces_corners(&b);
        uint8_t *open[3];
        int partly = 0;
        launch_openness(&b, 0, faces_put_columns(&b, corner), faces_put_columns(&b, corner), open);
        for (int a = 0; a < 3; a++) {
            EACH_OF(&b.box, faces_across(a), at)
            {
                double doubt, share = 255 * faces_share(&b.box, corner, a, at, &doubt);
                int got = open[a][faces_index(&b.box, at)];
                partly += got > 0 && got < 255;
                ck_assert_msg(fabs(got - share) <= 0.501 + 255 * doubt,
                              "%s: the face across %c at (%d, %d, %d) is open by %d, not %g",
                              b.name, "xyz"[a], at[0], at[1], at[2], got, share);
            }
            free(open[a]);
        }
        ck_assert(b.hilly ? partly > 0 : partly == 0);
    }
}
END_TEST

START_TEST(binary_faces_are_open_between_cells_whose_middles_are)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        const int across = b.box.n[0] + 2, along = b.box.n[2] + 2;
        float *middle = testing_alloc((size_t)(across * along) * sizeof *middle);
        for (int q = 0; q < across * along; q++)
            middle[q] = (float)(b.box.floor_y +
                                b.box.h[1] * testing_uniform(&b.random, -1, b.box.n[1] + 1));
        uint8_t *open[3];
        cl_mem middles = faces_put_middles(&b, middle);
        launch_openness(&b, 1, middles, middles, open);
        for (int a = 0; a < 3; a++) {
            EACH_OF(&b.box, faces_across(a), at)
            {
                bool want = true;
                for (int side = -1; side <= 0; side++) {
                    int cell[3] = {at[0], at[1], at[2]};
                    cell[a] += side;
                    want = want && b.box.floor_y + (cell[1] + 0.5) * b.box.h[1] >=
                                       (double)middle[(cell[2] + 1) * across + cell[0] + 1];
                }
                ck_assert_msg(open[a][faces_index(&b.box, at)] == (want ? 255 : 0),
                              "%s: the face across %c at (%d, %d, %d) is %s", b.name, "xyz"[a],
                              at[0], at[1], at[2], want ? "not open" : "open");
            }
            free(open[a]);
        }
        free(middle);
    }
}
END_TEST

/* Heights of 20 m are rounded to 2^-19 m; nearer to the ground than z0 = 0.05 m the profile is
 * flat. */
START_TEST(scrolling_moves_faces_and_lets_the_profile_in)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        const int *n = b.box.n;
        const int shifts[][3] = {{0, 0, 0},    {1, 0, 0},     {-1, 0, 0},        {0, 1, 0},
                                 {0, -2, 0},   {0, 0, 3},     {2, -1, -4},       {-3, 1, 2},
                                 {n[0], 0, 0}, {0, -n[1], 0}, {n[0], n[1], n[2]}};
        const wind_forcing f = faces_forcing(&b);
        const double along[3] = {(double)f.dx, 0, (double)f.dz};
        float *corner = faces_corners(&b), *u[3], *p = faces_random(&b, FACES_CELLS, -9, 9);
        float *now = testing_alloc(b.count * sizeof *now);
        uint8_t *open[3];
        cl_mem corners = faces_put_columns(&b, corner), from[3], opens[3];
        cl_mem pressure = faces_put(&b, FACES_CELLS, FACES_ZEROS, p);
        for (int a = 0; a < 3; a++) {
            u[a] = faces_random(&b, faces_across(a), -9, 9);
            from[a] = faces_put(&b, faces_across(a), FACES_ANYTHING, u[a]);
            open[a] = faces_random_open(&b, a);
            opens[a] = faces_put_bytes(&b, faces_across(a), open[a]);
        }
        for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
            cl_mem to[4] = {faces_blank(&b), faces_blank(&b), faces_blank(&b), faces_blank(&b)};
            FACES_LAUNCH(&b, foehn_source_wind_faces, "scroll_faces", faces_all(&b), ARG(b.g),
                         ARG(f), ARG(shifts[s][0]), ARG(shifts[s][1]), ARG(shifts[s][2]),
                         ARG(shifts[s][0]), ARG(shifts[s][1]), ARG(shifts[s][2]), ARG(corners),
                         ARG(opens[0]), ARG(opens[2]), ARG3(from), ARG(pressure), ARG3(to),
                         ARG(to[3]));
            for (int field = 0; field < 4; field++) {
                const faces_kind kind = field < 3 ? faces_across(field) : FACES_CELLS;
                const float *old = field < 3 ? u[field] : p;
                faces_get(&b, kind, to[field], now);
                EACH_OF(&b.box, kind, at)
                {
                    size_t c = faces_index(&b.box, at);
                    int there[3];
                    bool had = field != 1 || (at[1] > 0 && at[1] < n[1]); /* floor and lid stay 0 */
                    for (int a = 0; a < 3; a++) {
                        there[a] = at[a] + shifts[s][a];
                        had = had && there[a] >= 0;
                    }
                    if (had && faces_exist(&b.box, kind, there)) {
                        ck_assert_msg(
                            memcmp(&now[c], &old[faces_index(&b.box, there)], sizeof *now) == 0,
                            "%s: field %d at (%d, %d, %d) moved by (%d, %d, %d)", b.name, field,
                            at[0], at[1], at[2], shifts[s][0], shifts[s][1], shifts[s][2]);
                        continue;
                    }
                    double want = 0;
                    if (field < 3 && field != 1 && open[field][c] > 0)
                        want = along[field] * (double)f.u10 *
                               faces_profile(&b.box, &f, corner, field, at);
                    NEAR(now[c], want, 9 * 2e-5);
                }
            }
        }
        free(now);
    }
}
END_TEST

/* Ghosts along x and z, of faces as of cells; the lid's row, too. */
START_TEST(wrapping_fills_the_ghosts_of_faces)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        if (!b.box.periodic)
            continue;
        b.options = "";
        const int *n = b.box.n;
        foehn_box box = foehn_grid_box(&b.g, sizeof(float));
        size_t elements = foehn_grid_elements(&b.g);
        float *before = testing_alloc(elements * sizeof *before),
              *after = testing_alloc(elements * sizeof *after);
        for (size_t e = 0; e < elements; e++)
            before[e] = (float)testing_uniform(&b.random, 1, 2);
        cl_mem field = faces_blank(&b);
        OK(foehn_buffer_write(context, field, 0, elements * sizeof *before, before));
        foehn_size size = {(size_t)n[0] + 2, (size_t)n[1] + 1, (size_t)n[2] + 2};
        FACES_LAUNCH(&b, foehn_source_wind_read, "wrap", size, ARG(b.g), ARG(field));
        OK(foehn_buffer_read(context, field, 0, elements * sizeof *after, after));
        const long row = (long)box.row_pitch, plane = (long)box.plane_pitch,
                   first = (long)box.offset;
        for (int k = -1; k <= n[2]; k++)
            for (int j = 0; j <= n[1]; j++)
                for (int i = -1; i <= n[0]; i++) {
                    long there = first + (k + n[2]) % n[2] * plane + j * row + (i + n[0]) % n[0];
                    long here = first + k * plane + j * row + i;
                    ck_assert(after[here] == before[there]);
                    before[here] = after[here];
                }
        ck_assert(memcmp(before, after, elements * sizeof *before) == 0);
        free(before);
        free(after);
    }
}
END_TEST

void add_ground_tests(TCase *tests)
{
    tcase_add_test(tests, corners_lie_on_the_terrain);
    tcase_add_test(tests, openness_is_the_share_above_the_ground);
    tcase_add_test(tests, binary_faces_are_open_between_cells_whose_middles_are);
    tcase_add_test(tests, scrolling_moves_faces_and_lets_the_profile_in);
    tcase_add_test(tests, wrapping_fills_the_ghosts_of_faces);
}
