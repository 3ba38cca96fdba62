/* SPDX-License-Identifier: MIT */
/* Kernels of the collocated scheme against the plain C of reference.c, on small grids: terrain. */
#include "wind/cells.h"

/* ---- terrain.cl ---- */

START_TEST(ground_is_the_terrain_under_each_column)
{
    bed b;
    FOR_EACH_BED(b)
    {
        size_t solid = 0;
        for (int k = 0; k < b.box.nz; k++)
            for (int i = 0; i < b.box.nx; i++)
                NEAR(b.ground[(size_t)k * (size_t)b.box.nx + (size_t)i],
                     reference_ground(&b.map, b.heights, i, k), 1e-5 * b.box.ny * b.box.hy);
        for (size_t i = 0; i < b.cells; i++)
            solid += b.solid[i];
        ck_assert(b.which->hilly ? solid > 0 && solid < b.cells : solid == 0);
    }
}
END_TEST

START_TEST(faces_are_open_between_fluid_cells_only)
{
    bed b;
    FOR_EACH_BED(b)
    {
        unsigned char *open = testing_alloc(b.cells), *wall = testing_alloc(b.cells);
        OK(foehn_box_read(context, CO(b.w)->open, foehn_grid_box(&b.w->g, 1), open));
        OK(foehn_box_read(context, CO(b.w)->wall, foehn_grid_box(&b.w->g, 1), wall));
        for (int k = 0; k < b.box.nz; k++)
            for (int j = 0; j < b.box.ny; j++)
                for (int i = 0; i < b.box.nx; i++) {
                    int o, w;
                    size_t c = reference_cell(&b.box, i, j, k);
                    reference_faces(&b.box, i, j, k, &o, &w);
                    ck_assert_msg(open[c] == o && wall[c] == w,
                                  "%s: cell (%d, %d, %d): open %d, wall %d; not %d, %d",
                                  b.which->name, i, j, k, open[c], wall[c], o, w);
                }
        free(open);
        free(wall);
    }
}
END_TEST

/* A face must be seen alike from both its cells, also where the ground lies at a cell's centre to
 * the last bit. */
START_TEST(both_cells_of_a_face_agree_on_ground_at_a_centre)
{
    enum { N = 40 };
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    params.nx = N;
    params.ny = N;
    params.nz = 1;
    params.spacing_horizontal = 1;
    params.spacing_vertical = 0.1f;
    foehn_wind *w;
    float heights[N], *solid = testing_alloc(N * N * sizeof *solid);
    unsigned char *open = testing_alloc(N * N);
    for (int i = 0; i < N; i++)
        heights[i] = ((float)i + 0.5f) * 0.1f;
    foehn_terrain terrain = {
        .nx = N, .nz = 1, .origin = {-N / 2 + 0.5, 0}, .spacing = {1, 1}, .heights = heights};
    OK(foehn_wind_create(context, &params, &w));
    OK(foehn_wind_set_terrain(w, &terrain));
    OK(foehn_wind_read(w, FOEHN_WIND_SOLID, solid));
    OK(foehn_box_read(context, CO(w)->open, foehn_grid_box(&w->g, 1), open));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int c = j * N + i;
            bool fluid_below = j > 0 && solid[c - N] == 0;
            ck_assert_msg(solid[c] != 0 || fluid_below == ((open[c] & FACE_YM) != 0),
                          "column %d, cell %d: the cell below is %s, its face is %s", i, j,
                          fluid_below ? "fluid" : "solid", open[c] & FACE_YM ? "open" : "closed");
        }
    foehn_wind_destroy(w);
    free(solid);
    free(open);
}
END_TEST

void add_cells_ground_tests(TCase *tests)
{
    tcase_add_test(tests, ground_is_the_terrain_under_each_column);
    tcase_add_test(tests, faces_are_open_between_fluid_cells_only);
    tcase_add_test(tests, both_cells_of_a_face_agree_on_ground_at_a_centre);
}
