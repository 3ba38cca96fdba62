/* SPDX-License-Identifier: MIT */
/* A wind in its place: levels, samples of the ground, sides brought to one height; no device. */
#include "testing.h"

enum { NX = 40, NZ = 30 };
static const float h = 20;

static foehn_wind_params box(foehn_wind_model model)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.nx = NX;
    p.nz = NZ;
    p.spacing_horizontal = h;
    p.spacing_vertical = 10;
    p.model = model;
    return p;
}

START_TEST(the_lid_is_four_hills_or_200_m_above_the_summit)
{
    NEAR(foehn_site_get_lid(100, 300), 1100, 0);
    NEAR(foehn_site_get_lid(0, 30), 230, 0);
    NEAR(foehn_site_get_lid(5, 5), 205, 0);
}
END_TEST

START_TEST(levels_are_whole_cells_from_under_the_lowest_ground_to_the_lid)
{
    static const struct {
        double lowest, lid, floor;
        int levels;
    } cases[] = {{23, 260, 20, 24},
                 {20, 260, 20, 24},
                 {-5, 75, -10, 9},
                 {0, 100.000001, 0, 10}, /* what rounding adds is no cell */
                 {0, 100.1, 0, 11}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        foehn_wind_params p = box(FOEHN_WIND_FORCING);
        OK(foehn_site_set_levels(&p, cases[n].lowest, cases[n].lid));
        ck_assert_int_eq(p.ny, cases[n].levels);
        NEAR(p.center[1] - 5 * p.ny, cases[n].floor, 1e-9);
    }
}
END_TEST

START_TEST(levels_that_make_no_box_are_refused_and_change_nothing)
{
    const double lids[] = {NAN, INFINITY, 29, -100, 1e6};
    for (size_t n = 0; n < sizeof lids / sizeof lids[0]; n++) {
        foehn_wind_params p = box(FOEHN_WIND_FORCING), before = p;
        FAILS(FOEHN_ERROR_ARGUMENT, "layers", foehn_site_set_levels(&p, 0, lids[n]));
        ck_assert_mem_eq(&p, &before, sizeof p);
    }
    foehn_wind_params p = box(FOEHN_WIND_FORCING);
    FAILS(FOEHN_ERROR_ARGUMENT, "layers", foehn_site_set_levels(&p, NAN, 100));
}
END_TEST

START_TEST(samples_are_the_middles_of_columns_or_their_corners)
{
    foehn_terrain s;
    foehn_wind_params p = box(FOEHN_WIND_FORCING);
    p.center[0] = 1000;
    OK(foehn_site_get_samples(&p, &s));
    ck_assert_int_eq(s.nx, NX);
    ck_assert_int_eq(s.nz, NZ);
    NEAR(s.origin[0], 1000 - 20 * 20 + 10, 0);
    NEAR(s.origin[1], -15 * 20 + 10, 0);
    for (int model = FOEHN_WIND_MOMENTUM; model <= FOEHN_WIND_LES; model++) {
        p.model = (foehn_wind_model)model;
        OK(foehn_site_get_samples(&p, &s));
        ck_assert_int_eq(s.nx, NX + 1);
        ck_assert_int_eq(s.nz, NZ + 1);
        NEAR(s.origin[0], 1000 - 20 * 20, 0);
        NEAR(s.origin[1], -15 * 20, 0);
    }
    ck_assert(!s.heights && !s.z0);
    p.nx = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "cells", foehn_site_get_samples(&p, &s));
}
END_TEST

START_TEST(a_wind_comes_in_through_the_sides_that_face_it)
{
    foehn_terrain s;
    foehn_wind_params p = box(FOEHN_WIND_MOMENTUM);
    OK(foehn_site_get_samples(&p, &s));
    const int i = NX / 2, k = NZ / 2;
    NEAR(foehn_site_get_inflow(&s, 270, 0, k), 1, 1e-12);
    NEAR(foehn_site_get_inflow(&s, 270, NX, k), 0, 1e-12);
    NEAR(foehn_site_get_inflow(&s, 90, NX, k), 1, 1e-12);
    NEAR(foehn_site_get_inflow(&s, 0, i, 0), 1, 1e-12);
    NEAR(foehn_site_get_inflow(&s, 180, i, NZ), 1, 1e-12);
    NEAR(foehn_site_get_inflow(&s, 240, 0, k), sqrt(0.75), 1e-12);
    NEAR(foehn_site_get_inflow(&s, 240, i, NZ), 0.5, 1e-12);
    NEAR(foehn_site_get_inflow(&s, 240, i, k), 0, 0);
    NEAR(foehn_site_get_inflow(&s, NAN, i, 0), 1, 0);
    NEAR(foehn_site_get_inflow(&s, NAN, i, k), 0, 0);
}
END_TEST

/* West of the middle 10 m, east of it 30. */
static void make_step(const foehn_terrain *s, float *heights)
{
    for (int c = 0; c < s->nx * s->nz; c++)
        heights[c] = 2 * (c % s->nx) < s->nx ? 10 : 30;
}

START_TEST(the_sides_are_brought_to_the_height_of_the_ground_that_the_wind_comes_in_over)
{
    static float heights[(NX + 1) * (NZ + 1)], eased[(NX + 1) * (NZ + 1)];
    static const struct {
        foehn_wind_model model;
        double from, side;
    } cases[] = {{FOEHN_WIND_MOMENTUM, 270, 10},
                 {FOEHN_WIND_MOMENTUM, 90, 30},
                 {FOEHN_WIND_LES, 270, 10},
                 {FOEHN_WIND_FORCING, 270, 20}, /* the mean of all sides, whatever blows */
                 {FOEHN_WIND_FORCING, 90, 20}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        foehn_terrain s;
        const foehn_wind_params p = box(cases[n].model);
        OK(foehn_site_get_samples(&p, &s));
        make_step(&s, heights);
        OK(foehn_site_ease(&p, cases[n].from, 60, heights, NULL, eased));
        const int corners = s.nx - NX;
        for (int k = 0; k < s.nz; k++)
            for (int i = 0; i < s.nx; i++) {
                const int x = i < s.nx - 1 - i ? i : s.nx - 1 - i;
                const int z = k < s.nz - 1 - k ? k : s.nz - 1 - k, in = x < z ? x : z;
                const int c = k * s.nx + i;
                if (in <= corners) /* the outermost cells are flat */
                    NEAR(eased[c], cases[n].side, 1e-5);
                else if (in >= corners + 3) /* and the band ends after 60 m */
                    NEAR(eased[c], heights[c], 1e-5);
                else
                    ck_assert(eased[c] >= 10 && eased[c] <= 30);
            }
    }
}
END_TEST

START_TEST(a_band_is_two_cells_wide_at_least_and_rises_without_a_kink)
{
    static float heights[NX * NZ];
    const foehn_wind_params p = box(FOEHN_WIND_FORCING);
    for (int c = 0; c < NX * NZ; c++)
        heights[c] = 1;
    OK(foehn_site_fade(&p, 0, heights));
    NEAR(heights[NZ / 2 * NX], 0, 0);
    NEAR(heights[NZ / 2 * NX + 1], 0.5, 1e-6); /* 3 t^2 - 2 t^3 */
    NEAR(heights[NZ / 2 * NX + 2], 1, 0);
    FAILS(FOEHN_ERROR_ARGUMENT, "band", foehn_site_fade(&p, NAN, heights));
    FAILS(FOEHN_ERROR_ARGUMENT, "band", foehn_site_fade(&p, -1, heights));
}
END_TEST

START_TEST(what_stands_on_the_ground_raises_it_and_the_array_may_be_the_same)
{
    static float heights[NX * NZ], raised[NX * NZ];
    const foehn_wind_params p = box(FOEHN_WIND_FORCING);
    for (int c = 0; c < NX * NZ; c++) {
        heights[c] = 7;
        raised[c] = (float)(c % 3);
    }
    OK(foehn_site_ease(&p, NAN, 100, heights, raised, heights));
    for (int c = 0; c < NX * NZ; c++)
        NEAR(heights[c], 7 + c % 3, 1e-5);
    heights[0] = NAN;
    FAILS(FOEHN_ERROR_ARGUMENT, "not finite",
          foehn_site_ease(&p, NAN, 100, heights, NULL, heights));
}
END_TEST

START_TEST(a_step_is_half_a_cell_at_one_and_a_half_times_the_wind)
{
    NEAR(foehn_site_get_step(4, 10), 0.13, 1e-12);
    NEAR(foehn_site_get_step(4, 0), 1.3, 1e-12); /* as of 1 m/s */
    NEAR(foehn_site_get_step(30, 10), 1, 1e-12);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("site", TESTING_ON_THE_HOST);
    tcase_add_test(tests, the_lid_is_four_hills_or_200_m_above_the_summit);
    tcase_add_test(tests, levels_are_whole_cells_from_under_the_lowest_ground_to_the_lid);
    tcase_add_test(tests, levels_that_make_no_box_are_refused_and_change_nothing);
    tcase_add_test(tests, samples_are_the_middles_of_columns_or_their_corners);
    tcase_add_test(tests, a_wind_comes_in_through_the_sides_that_face_it);
    tcase_add_test(tests,
                   the_sides_are_brought_to_the_height_of_the_ground_that_the_wind_comes_in_over);
    tcase_add_test(tests, a_band_is_two_cells_wide_at_least_and_rises_without_a_kink);
    tcase_add_test(tests, what_stands_on_the_ground_raises_it_and_the_array_may_be_the_same);
    tcase_add_test(tests, a_step_is_half_a_cell_at_one_and_a_half_times_the_wind);
    return testing_end();
}
