/* SPDX-License-Identifier: MIT */
/* Emitters: what points, brushes and proxies give to dye and air. */
#include "fire/fires.h"

/* Centre of voxel (i, j, k) of the quiet box. */
static void fires_center(int i, int j, int k, float p[3])
{
    const int cell[3] = {i, j, k};
    for (int a = 0; a < 3; a++)
        p[a] = (float)((cell[a] + 0.5) * FIRE_RENDER_VOXEL);
}

START_TEST(many_vertices_in_one_voxel_add_up_exactly_and_alike)
{
    enum { MANY = 100000 };
    foehn_fire_params p = fires_quiet();
    /* Density 2^-20 a point: every partial sum is a float. */
    p.emit_density = 20.0f / 1048576.0f;
    float(*points)[3] = malloc(MANY * sizeof *points);
    uint64_t bits[2];
    ck_assert_ptr_nonnull(points);
    for (int run = 0; run < 2; run++) {
        foehn_fire *fire = fires_create(&p);
        for (size_t n = 0; n < MANY; n++) { /* the second time the other way round */
            size_t m = run ? MANY - 1 - n : n;
            fires_center(5, 6, 7, points[m]);
            for (int a = 0; a < 3; a++)
                points[m][a] +=
                    (float)(((double)(n * 7919 % 1000) / 1000 - 0.5) * 0.9 * FIRE_RENDER_VOXEL);
        }
        int index = fires_add_points(fire, MANY, (const float(*)[3])points, 1);
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        proxy.multiplier = 1;
        proxy.tint = 0.5f;
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
        float *heat = fires_read(fire, FOEHN_FIRE_TEMPERATURE);
        float *tint = fires_read(fire, FOEHN_FIRE_TINT);
        ck_assert(density[fires_cell(5, 6, 7)] == MANY / 1048576.0f);
        ck_assert(tint[fires_cell(5, 6, 7)] == 0.5f * MANY / 1048576.0f);
        NEAR(heat[fires_cell(5, 6, 7)], MANY * 8.5 * 0.05, MANY * 8.5 * 0.05 * 1e-6);
        for (size_t c = 0; c < 4096; c++)
            ck_assert(c == fires_cell(5, 6, 7) || density[c] == 0);
        bits[run] = fires_bits(fire);
        free(density);
        free(heat);
        free(tint);
        foehn_fire_destroy(fire);
    }
    ck_assert(bits[0] == bits[1]);
    free(points);
}
END_TEST

START_TEST(points_on_the_faces_of_the_box_give_as_those_inside)
{
    foehn_fire_params p = fires_quiet();
    for (int face = 0; face < 6; face++) {
        foehn_fire *fire = fires_create(&p);
        float point[1][3];
        int cell[3] = {8, 8, 8}, a = face / 2;
        fires_center(8, 8, 8, point[0]);
        cell[a] = face % 2 ? 15 : 0;
        point[0][a] = face % 2 ? (float)(16 * FIRE_RENDER_VOXEL) : 0;
        int index = fires_add_points(fire, 1, (const float(*)[3])point, 1);
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
        double sum = 0;
        for (size_t c = 0; c < 4096; c++)
            sum += (double)density[c];
        NEAR(density[fires_cell(cell[0], cell[1], cell[2])], 0.644 / 20 * 13, 1e-6);
        NEAR(sum, 0.644 / 20 * 13, 1e-6);
        free(density);
        foehn_fire_destroy(fire);
    }
}
END_TEST

START_TEST(a_brush_radius_widens_the_footprint)
{
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    float point[1][3];
    fires_center(8, 8, 8, point[0]);
    int index = fires_add_points(fire, 1, (const float(*)[3])point, 1);
    for (int radius = 0; radius < 4; radius++) {
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        proxy.brush_radius = (float)(radius * FIRE_RENDER_VOXEL * 1.01);
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_restart(fire));
        OK(foehn_fire_step(fire));
        float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < 16; j++)
                for (int i = 0; i < 16; i++) {
                    double far2 = pow(i - 8, 2) + pow(j - 8, 2) + pow(k - 8, 2);
                    bool reached = far2 <= pow(radius * 1.01, 2);
                    float got = density[fires_cell(i, j, k)];
                    ck_assert_msg((got > 0) == reached, "radius %d: voxel (%d, %d, %d) has %g",
                                  radius, i, j, k, (double)got);
                }
        if (radius == 0)
            NEAR(density[fires_cell(8, 8, 8)], 0.644 / 20 * 13, 1e-6);
        free(density);
    }
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_moving_emitter_gives_its_velocity_to_the_air)
{
    foehn_fire_params p = fires_quiet();
    for (int layout = 0; layout < 2; layout++) {
        p.layout = (foehn_fire_layout)layout;
        foehn_fire *fire = fires_create(&p);
        float points[64][3];
        for (int n = 0; n < 64; n++)
            fires_center(6 + n % 4, 6 + n / 4 % 4, 6 + n / 16, points[n]);
        int index = fires_add_points(fire, 64, (const float(*)[3])points, 1);
        foehn_fire_proxy proxy = foehn_fire_proxy_default();
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        foehn_fire_measures m;
        OK(foehn_fire_read_measures(fire, &m));
        ck_assert_msg(m.max_speed == 0, "an emitter at rest moves the air");
        proxy.velocity[0] = 2;
        OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
        OK(foehn_fire_step(fire));
        float *before = fires_read(fire, FOEHN_FIRE_VELOCITY_BEFORE);
        float *after = fires_read(fire, FOEHN_FIRE_VELOCITY);
        /* One point a voxel: the share of the density that it gives. */
        NEAR(before[3 * fires_cell(8, 8, 8)], 2 * 0.644 / 20 * 13, 1e-5);
        ck_assert_msg(after[3 * fires_cell(8, 8, 8)] > 0.2f, "the projection leaves %g m/s",
                      (double)after[3 * fires_cell(8, 8, 8)]);
        ck_assert(before[3 * fires_cell(3, 8, 8)] == 0);
        free(before);
        free(after);
        foehn_fire_destroy(fire);
    }
}
END_TEST

START_TEST(emission_adds_to_the_dye_that_has_just_arrived)
{
    foehn_fire_params p = fires_quiet();
    p.dissipation = 1.02f;
    p.cooling = 0.4831f;
    foehn_fire *fire = fires_create(&p);
    fires_blow(fire);
    float point[1][3], *field = calloc(4096, sizeof *field);
    fires_center(9, 8, 8, point[0]);
    int index = fires_add_points(fire, 1, (const float(*)[3])point, 1);
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.multiplier = 5;
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
    field[fires_cell(8, 8, 8)] = 0.3f;
    OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
    field[fires_cell(8, 8, 8)] = 4;
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
    field[fires_cell(8, 8, 8)] = 0.5f;
    OK(foehn_fire_write(fire, FOEHN_FIRE_AGE, field));
    OK(foehn_fire_step(fire));
    double given = 0.644 / 20 * 5, carried = 0.3 * (1 - 1.02 * 0.05);
    float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
    float *heat = fires_read(fire, FOEHN_FIRE_TEMPERATURE);
    float *age = fires_read(fire, FOEHN_FIRE_AGE);
    NEAR(density[fires_cell(9, 8, 8)], carried + given, 1e-4);
    NEAR(heat[fires_cell(9, 8, 8)], 4 * (1 - 0.4831 * 0.05) + 8.5 * 0.05, 1e-3);
    NEAR(age[fires_cell(9, 8, 8)], 0.55 * (1 - given / (carried + given)), 1e-3);
    free(density);
    free(heat);
    free(age);
    free(field);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(boxes_and_ellipsoids_have_capacities_of_their_own)
{
    foehn_fire_params p = fires_quiet();
    p.max_boxes = 1;
    p.max_ellipsoids = 3;
    foehn_fire *fire = fires_create(&p);
    foehn_fire_collider c = foehn_fire_collider_default();
    float at_point[3];
    for (int a = 0; a < 3; a++)
        c.half[a] = 1.6 * FIRE_RENDER_VOXEL;
    for (int n = 0; n < 3; n++) {
        fires_center(3 + 5 * n, 8, 8, at_point);
        for (int a = 0; a < 3; a++)
            c.pose.position[a] = (double)at_point[a];
        OK(foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, n, &c));
    }
    FAILS(FOEHN_ERROR_ARGUMENT, "with 3",
          foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, 3, &c));
    FAILS(FOEHN_ERROR_ARGUMENT, "with 1", foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 1, &c));
    OK(foehn_fire_step(fire));
    float *d = fires_read(fire, FOEHN_FIRE_DISTANCE);
    for (int n = 0; n < 3; n++)
        ck_assert_msg(d[fires_cell(3 + 5 * n, 8, 8)] < 0, "ellipsoid %d is not there", n);
    ck_assert(d[fires_cell(3, 3, 3)] > 0);
    free(d);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(definitions_with_several_proxies_address_their_own_points)
{
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    float one[2][3], other[1][3];
    fires_center(2, 2, 2, one[0]);
    fires_center(4, 2, 2, one[1]);
    fires_center(2, 12, 2, other[0]);
    int first = fires_add_points(fire, 2, (const float(*)[3])one, 3);
    int second = fires_add_points(fire, 1, (const float(*)[3])other, 2);
    const int lit[6][3] = {{2, 2, 2}, {4, 2, 2}, {2, 2, 12}, {4, 2, 12}, {2, 12, 2}, {9, 12, 2}};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    OK(foehn_fire_set_proxy(fire, first, 0, &proxy));
    OK(foehn_fire_set_proxy(fire, second, 0, &proxy));
    proxy.pose.position[2] = 10 * FIRE_RENDER_VOXEL;
    OK(foehn_fire_set_proxy(fire, first, 2, &proxy));
    proxy.pose.position[2] = 0;
    proxy.pose.position[0] = 7 * FIRE_RENDER_VOXEL;
    OK(foehn_fire_set_proxy(fire, second, 1, &proxy));
    OK(foehn_fire_step(fire));
    float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
    for (size_t c = 0; c < 4096; c++) {
        bool wanted = false;
        for (int n = 0; n < 6; n++)
            wanted = wanted || c == fires_cell(lit[n][0], lit[n][1], lit[n][2]);
        ck_assert_msg((density[c] > 0) == wanted, "voxel %zu has density %g", c,
                      (double)density[c]);
    }
    FAILS(FOEHN_ERROR_ARGUMENT, "proxy 3", foehn_fire_set_proxy(fire, first, 3, &proxy));
    FAILS(FOEHN_ERROR_ARGUMENT, "emitter 2", foehn_fire_set_proxy(fire, 2, 0, &proxy));
    free(density);
    foehn_fire_destroy(fire);
}
END_TEST

void add_fire_emitters_tests(TCase *tests)
{
    tcase_add_test(tests, many_vertices_in_one_voxel_add_up_exactly_and_alike);
    tcase_add_test(tests, points_on_the_faces_of_the_box_give_as_those_inside);
    tcase_add_test(tests, a_brush_radius_widens_the_footprint);
    tcase_add_test(tests, a_moving_emitter_gives_its_velocity_to_the_air);
    tcase_add_test(tests, emission_adds_to_the_dye_that_has_just_arrived);
    tcase_add_test(tests, boxes_and_ellipsoids_have_capacities_of_their_own);
    tcase_add_test(tests, definitions_with_several_proxies_address_their_own_points);
}
