/* SPDX-License-Identifier: MIT */
/* The flow lab: what a GUI calls. */
#include "flow/flows.h"

/* ---- what a GUI does ---- */

START_TEST(strokes_are_six_and_restart_clears_them)
{
    foehn_flow_params p = flows_stream(96, 54, 0.3f);
    foehn_flow *f = flows_create(&p);
    for (int i = 0; i < 8; i++) {
        const float line[][2] = {{0.2f + 0.15f * (float)i, 0.4f}, {0.2f + 0.15f * (float)i, 0.6f}};
        OK(foehn_flow_draw(f, 2, line));
    }
    ck_assert_int_eq(foehn_flow_get_strokes(f), FOEHN_FLOW_MOST_STROKES);
    float *solid = flows_read(f, FOEHN_FLOW_SOLIDS);
    ck_assert(solid[27 * 96 + (int)(0.2 * 54)] == 0); /* the first one was dropped */
    ck_assert(solid[27 * 96 + (int)(1.25 * 54)] == 1);
    foehn_flow_obstacle o = {.shape = FOEHN_FLOW_PLATE, .center = {0.9f, 0.2f}, .size = 0.2f};
    OK(foehn_flow_set_obstacle(f, 3, &o));
    ck_assert_int_eq(foehn_flow_get_strokes(f), FOEHN_FLOW_MOST_STROKES);
    OK(foehn_flow_restart(f));
    ck_assert_int_eq(foehn_flow_get_strokes(f), 0);
    OK(foehn_flow_read(f, FOEHN_FLOW_SOLIDS, solid));
    ck_assert(solid[27 * 96 + (int)(1.25 * 54)] == 0);
    ck_assert_int_eq(foehn_flow_pick(f, (const float[2]){0.9f, 0.2f}), 3);
    ck_assert_int_eq(foehn_flow_pick(f, (const float[2]){0.3f, 0.2f}), -1);
    FAILS(FOEHN_ERROR_ARGUMENT, "points", foehn_flow_draw(f, 49, (const float(*)[2])solid));
    free(solid);
    foehn_flow_destroy(f);
}
END_TEST

START_TEST(a_dragged_cylinder_takes_the_water_along)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = 96;
    p.ny = 54;
    p.cycles = 8;
    p.reference_speed = 0.5f;
    foehn_flow *f = flows_create(&p);
    foehn_flow_obstacle o = {.shape = FOEHN_FLOW_CYLINDER, .center = {0.6f, 0.5f}, .size = 0.2f};
    OK(foehn_flow_set_obstacle(f, 0, &o));
    for (int i = 1; i <= 30; i++) {
        OK(foehn_flow_drag(f, 0, (const float[2]){0.6f + 0.5f * (float)i / 60, 0.5f}, 1.0f / 60));
        flows_step(f, 1, 1.0 / 60);
    }
    double points[4] = {0.99, 0.5, 0.85, 0.75}, out[6];
    OK(foehn_flow_read_points(f, 2, points, out));
    testing_report("dragged at 0.5: ahead u = %.3f, beside u = %.3f", out[0], out[3]);
    ck_assert_double_gt(out[0], 0.15); /* pushed ahead */
    ck_assert_double_lt(out[3], 0);    /* flows back beside it */
    ck_assert_double_le(flows_stats(f).max_div_h_over_u, 1e-4);
    flows_step(f, 1, 1.0 / 60); /* not dragged any more: at rest */
    OK(foehn_flow_get_obstacle(f, 0, &o));
    ck_assert(o.velocity[0] == 0 && o.center[0] > 0.84f);
    foehn_flow_destroy(f);
}
END_TEST

/* Those that leave come in with the inflow: an upstream that emptied would show in a picture as a
 * density. */
START_TEST(tracers_stay_as_dense_as_they_were_sown)
{
    enum { COUNT = 16000, PARTS = 8 };
    foehn_flow_params p = flows_stream(96, 48, 0.5f);
    p.particles = COUNT;
    foehn_flow *f = flows_create(&p);
    flows_step(f, flows_few(600), 1.0 / 60); /* the water passes the box two and a half times */
    float *xy = testing_alloc(2 * COUNT * sizeof *xy);
    OK(foehn_flow_read_particles(f, xy));
    int along[PARTS] = {0}, across[PARTS] = {0};
    for (int n = 0; n < COUNT; n++) {
        along[(int)fminf(PARTS - 1, xy[2 * n] / 2 * PARTS)]++;
        across[(int)fminf(PARTS - 1, xy[2 * n + 1] * PARTS)]++;
    }
    for (int k = 0; k < PARTS && !testing_is_tiny(); k++) {
        ck_assert_int_ge(along[k], 9 * COUNT / PARTS / 10);
        ck_assert_int_le(along[k], 11 * COUNT / PARTS / 10);
        ck_assert_int_ge(across[k], 9 * COUNT / PARTS / 10);
        ck_assert_int_le(across[k], 11 * COUNT / PARTS / 10);
    }
    free(xy);
    foehn_flow_destroy(f);
}
END_TEST

START_TEST(the_same_run_gives_the_same_bits)
{
    float *u[2];
    for (int k = 0; k < 2; k++) {
        foehn_flow_params p = flows_stream(80, 45, 0.4f);
        p.particles = 500;
        foehn_flow *f = flows_create(&p);
        foehn_flow_obstacle o = {
            .shape = FOEHN_FLOW_CYLINDER, .center = {0.5f, 0.52f}, .size = 0.2f};
        OK(foehn_flow_set_obstacle(f, 0, &o));
        flows_step(f, 25, 1.0 / 60);
        u[k] = flows_read(f, FOEHN_FLOW_U);
        float *xy = testing_alloc(1000 * sizeof *xy);
        OK(foehn_flow_read_particles(f, xy));
        for (int i = 0; i < 500; i++)
            ck_assert(xy[2 * i] >= 0 && xy[2 * i] <= 80.0f / 45 && xy[2 * i + 1] >= 0 &&
                      xy[2 * i + 1] <= 1);
        free(xy);
        foehn_flow_destroy(f);
    }
    ck_assert_mem_eq(u[0], u[1], 81 * 45 * sizeof(float));
    free(u[0]);
    free(u[1]);
}
END_TEST

START_TEST(layers_are_published_as_they_are)
{
    foehn_flow_params p = flows_stream(40, 24, 0.4f);
    foehn_flow *f = flows_create(&p);
    foehn_volume *volume;
    OK(foehn_volume_create(context, 40, 24, 1, &volume));
    foehn_flow_stir s = {{0.5f, 0.3f}, {0.5f, 0.6f}, {0, 1}, 0.1f, {0.5f, 0.25f, 0, 1}};
    OK(foehn_flow_add_stir(f, &s));
    flows_step(f, 3, 1.0 / 60);
    float *out = testing_alloc(40 * 24 * 4 * sizeof *out);
    float *vorticity = flows_read(f, FOEHN_FLOW_VORTICITY), *ink = flows_read(f, FOEHN_FLOW_INK);
    OK(foehn_flow_write_volume(f, FOEHN_FLOW_LAYER_FLOW, volume));
    OK(foehn_volume_read_floats(volume, out));
    for (int c = 0; c < 40 * 24; c++)
        NEAR(out[4 * c + 3], vorticity[c], 1e-3 * (1 + fabs((double)vorticity[c])));
    OK(foehn_flow_write_volume(f, FOEHN_FLOW_LAYER_INK, volume));
    OK(foehn_volume_read_floats(volume, out));
    for (int c = 0; c < 40 * 24; c++)
        NEAR(out[4 * c + 1], ink[c + 40 * 24], 1e-3);
    free(out);
    free(vorticity);
    free(ink);
    foehn_volume_destroy(volume);
    foehn_flow_destroy(f);
}
END_TEST

/* Sum of solid cells. */
static double solids(foehn_flow *f)
{
    size_t n = foehn_flow_get_field_size(f, FOEHN_FLOW_SOLIDS);
    float *cells = testing_alloc(n * sizeof *cells);
    double sum = 0;
    OK(foehn_flow_read(f, FOEHN_FLOW_SOLIDS, cells));
    for (size_t c = 0; c < n; c++)
        sum += (double)cells[c];
    free(cells);
    return sum;
}

START_TEST(a_field_that_is_not_there_has_no_floats)
{
    foehn_flow_params p = foehn_flow_params_default();
    foehn_flow *f;
    p.nx = 12;
    p.ny = 9;
    OK(foehn_flow_create(context, &p, &f));
    ck_assert_uint_eq(foehn_flow_get_field_size(f, FOEHN_FLOW_U), 13 * 9);
    ck_assert_uint_eq(foehn_flow_get_field_size(f, FOEHN_FLOW_SOLIDS), 12 * 9);
    ck_assert_uint_eq(foehn_flow_get_field_size(f, (foehn_flow_field)(FOEHN_FLOW_SOLIDS + 1)), 0);
    ck_assert_uint_eq(foehn_flow_get_field_size(f, (foehn_flow_field)-1), 0);
    foehn_flow_destroy(f);
}
END_TEST

START_TEST(what_stands_far_outside_the_box_stands_nowhere)
{
    static const float far[] = {3, 1e3f, 1e6f}, too_far[] = {1.1e6f, 1e9f, 1e30f, INFINITY, NAN};
    for (int variant = 0; variant < 4; variant++) {
        foehn_flow_params p = foehn_flow_params_default();
        p.nx = 12;
        p.ny = 9;
        p.cycles = 1;
        p.surface = variant & 1 ? FOEHN_FLOW_FRACTIONS : FOEHN_FLOW_STAIRCASE;
        for (int i = 0; i < 4 && variant & 2; i++)
            p.sides[i].kind = FOEHN_FLOW_PERIODIC;
        foehn_flow *f;
        OK(foehn_flow_create(context, &p, &f));
        for (size_t n = 0; n < sizeof far / sizeof *far; n++)
            for (int way = 0; way < 8; way++) {
                float x = way & 1 ? -far[n] : far[n], y = way & 2 ? -far[n] : far[n];
                const float center[2] = {way & 4 ? x : 0.5f, way & 4 ? 0.5f : y};
                const float line[2][2] = {{center[0], center[1]}, {x, y}};
                foehn_flow_push push;
                foehn_flow_obstacle o = {.shape = (foehn_flow_shape)(1 + way % 4), .size = 0.3f};
                memcpy(o.center, center, sizeof center);
                OK(foehn_flow_set_obstacle(f, way, &o));
                OK(foehn_flow_draw(f, 2, line));
                OK(foehn_flow_step(f, 0.01f));
                OK(foehn_flow_read_push(f, way, &push));
                NEAR(push.pressure[0], 0, 0);
                NEAR(solids(f), 0, 0);
            }
        OK(foehn_flow_restart(f));
        /* A bar that comes from beyond all numbers and ends there lies across the box. */
        const foehn_flow_obstacle bar = {
            .shape = FOEHN_FLOW_PLATE, .center = {0.5f, 0.5f}, .size = 1e6f, .thickness = 3e-7f};
        OK(foehn_flow_set_obstacle(f, 0, &bar));
        NEAR(solids(f), 3 * p.nx, 0);
        for (size_t n = 0; n < sizeof too_far / sizeof *too_far; n++)
            for (int a = 0; a < 2; a++) {
                foehn_flow_obstacle o = {.shape = FOEHN_FLOW_BEAN, .size = 0.3f};
                float point[1][2] = {{0, 0}};
                o.center[a] = point[0][a] = -too_far[n];
                FAILS(FOEHN_ERROR_ARGUMENT, "beyond", foehn_flow_set_obstacle(f, 0, &o));
                FAILS(FOEHN_ERROR_ARGUMENT, "beyond", foehn_flow_drag(f, 0, o.center, 1));
                FAILS(FOEHN_ERROR_ARGUMENT, "beyond",
                      foehn_flow_draw(f, 1, (const float(*)[2])point));
                o.center[a] = 0;
                o.size = too_far[n];
                FAILS(FOEHN_ERROR_ARGUMENT, "size", foehn_flow_set_obstacle(f, 0, &o));
            }
        NEAR(solids(f), 3 * p.nx, 0);
        foehn_flow_destroy(f);
    }
}
END_TEST

START_TEST(a_blow_up_is_an_error_and_bad_parameters_are_refused)
{
    foehn_flow *f;
    foehn_flow_params p = flows_stream(40, 24, 0.4f);
    f = flows_create(&p);
    OK(foehn_flow_check(f));
    float *u = flows_read(f, FOEHN_FLOW_U);
    u[7 * 41 + 5] = NAN;
    OK(foehn_flow_write(f, FOEHN_FLOW_U, u));
    FAILS(FOEHN_ERROR_UNSTABLE, "blew up", foehn_flow_check(f));
    u[7 * 41 + 5] = 30;
    OK(foehn_flow_write(f, FOEHN_FLOW_U, u));
    FAILS(FOEHN_ERROR_UNSTABLE, "50", foehn_flow_check(f));
    free(u);
    FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_flow_step(f, 0));
    FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_flow_step(f, NAN));
    foehn_flow_obstacle o = {.shape = FOEHN_FLOW_CYLINDER, .center = {0.5f, 0.5f}, .size = 9};
    FAILS(FOEHN_ERROR_ARGUMENT, "water", foehn_flow_set_obstacle(f, 0, &o));
    OK(foehn_flow_get_obstacle(f, 0, &o));
    ck_assert_int_eq(o.shape, FOEHN_FLOW_NOTHING);
    flows_step(f, 1, 0.01);
    foehn_flow_destroy(f);

    p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_WALL;
    FAILS(FOEHN_ERROR_ARGUMENT, "outflow", foehn_flow_create(context, &p, &f));
    ck_assert_ptr_null(f);
    p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_PERIODIC;
    FAILS(FOEHN_ERROR_ARGUMENT, "periodic", foehn_flow_create(context, &p, &f));
    p = foehn_flow_params_default();
    p.nx = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "0 x 270", foehn_flow_create(context, &p, &f));
    p = foehn_flow_params_default();
    p.viscosity = NAN;
    FAILS(FOEHN_ERROR_ARGUMENT, "viscosity", foehn_flow_create(context, &p, &f));
    memset(&p, 0, sizeof p);
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_flow_create(context, &p, &f));
    foehn_flow_destroy(NULL);
}
END_TEST

void add_flow_calls_tests(TCase *tests)
{
    tcase_add_test(tests, strokes_are_six_and_restart_clears_them);
    tcase_add_test(tests, layers_are_published_as_they_are);
    tcase_add_test(tests, a_field_that_is_not_there_has_no_floats);
    tcase_add_test(tests, what_stands_far_outside_the_box_stands_nowhere);
    tcase_add_test(tests, a_blow_up_is_an_error_and_bad_parameters_are_refused);
    tcase_add_test(tests, a_dragged_cylinder_takes_the_water_along);
    tcase_add_test(tests, tracers_stay_as_dense_as_they_were_sown);
    tcase_add_test(tests, the_same_run_gives_the_same_bits);
}
