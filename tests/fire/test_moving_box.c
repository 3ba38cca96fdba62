/* SPDX-License-Identifier: MIT */
/* A box that moves: what it holds stays where it is in the world, bit for bit. */
#include "testing.h"

#include "fire/state.h"

/* 30 x 20 x 25 voxels of smoke of 1/8 m, 24 x 16 x 20 of air: four of air are five of smoke. */
static foehn_fire_params box_at(double x, double z)
{
    foehn_fire_params p;
    foehn_fire_params_burn(&p);
    p.size[0] = 3.75;
    p.size[1] = 2.5;
    p.size[2] = 3.125;
    p.pose.position[0] = x;
    p.pose.position[1] = 1.25;
    p.pose.position[2] = z;
    p.render_voxel = 0.125;
    p.physics_voxel = 0.15625;
    return p;
}

static foehn_fire *make(const foehn_fire_params *p, double x, double z)
{
    enum { POINTS = 400 };
    float points[POINTS][3];
    foehn_fire *fire;
    int index;
    OK(foehn_fire_create(context, p, &fire));
    for (int n = 0; n < POINTS; n++) {
        double r = 0.3 * sqrt((n + 0.5) / POINTS), turn = 2.399963229728653 * n;
        points[n][0] = (float)(r * cos(turn));
        points[n][1] = 0.1f;
        points[n][2] = (float)(r * sin(turn));
    }
    const foehn_fire_emitter e = {POINTS, (const float(*)[3])points, 1};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.power = 60;
    proxy.pose.position[0] = x;
    proxy.pose.position[2] = z;
    OK(foehn_fire_add_emitter(fire, &e, &index));
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
    const float velocity[1][3] = {{0.5f, 0, 0}};
    const foehn_fire_wind wind = {1, 1, 1, velocity};
    OK(foehn_fire_set_wind(fire, &wind));
    foehn_fire_collider c = foehn_fire_collider_default();
    c.pose.position[0] = x + 0.7;
    c.pose.position[1] = 1;
    c.pose.position[2] = z;
    c.half[0] = c.half[1] = c.half[2] = 0.25;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &c));
    foehn_fire_firebrands brands = foehn_fire_firebrands_default();
    brands.diameter[0] = 0.0002f;
    brands.diameter[1] = 0.001f;
    OK(foehn_fire_set_firebrands(fire, &brands));
    return fire;
}

static void run(foehn_fire *fire, int steps)
{
    for (int n = 0; n < steps; n++)
        OK(foehn_fire_step(fire));
}

/* All that a fire holds, as a checkpoint's bytes from the fields on. */
static void *state_of(foehn_fire *fire, size_t *size)
{
    *size = foehn_fire_get_checkpoint_size(fire);
    void *bytes = testing_alloc(*size);
    OK(foehn_fire_read_checkpoint(fire, *size, bytes));
    return bytes;
}

static void check_same(foehn_fire *a, foehn_fire *b)
{
    size_t size, head = 8 + 8 + 8 + 6 * 4 + sizeof(fire_clock);
    char *one = state_of(a, &size), *two = state_of(b, &size);
    ck_assert_mem_eq(one + head, two + head, size - head);
    free(one);
    free(two);
}

START_TEST(the_same_fire_in_a_box_elsewhere_has_the_same_bits)
{
    foehn_fire_params p = box_at(0, 0), q = box_at(64, -1024);
    foehn_fire *here = make(&p, -0.5, 0.25), *there = make(&q, 63.5, -1023.75);
    run(here, 20);
    run(there, 20);
    check_same(here, there);
    foehn_fire_destroy(here);
    foehn_fire_destroy(there);
}
END_TEST

START_TEST(a_box_that_went_there_first_has_the_same_bits)
{
    foehn_fire_params p = box_at(0, 0), q = box_at(1.25, -0.625);
    foehn_fire *moved = make(&p, 1, 0), *there = make(&q, 1, 0);
    foehn_fire_info info;
    OK(foehn_fire_set_center(moved, (const double[]){1.4, 99, -0.5})); /* as near as it goes */
    foehn_fire_get_info(moved, &info);
    for (int a = 0; a < 3; a++)
        ck_assert_double_eq(info.pose.position[a], q.pose.position[a]);
    run(moved, 20);
    run(there, 20);
    check_same(moved, there);
    foehn_fire_destroy(moved);
    foehn_fire_destroy(there);
}
END_TEST

static float *read_field(foehn_fire *fire, foehn_fire_field field, foehn_fire_field_info *info)
{
    OK(foehn_fire_get_field(fire, field, info));
    float *values = testing_alloc(info->floats * sizeof *values);
    OK(foehn_fire_read(fire, field, values));
    return values;
}

START_TEST(what_the_box_still_holds_stays_bit_for_bit_and_the_rest_is_booked)
{
    static const foehn_fire_field fields[] = {
        FOEHN_FIRE_VELOCITY, FOEHN_FIRE_PRESSURE, FOEHN_FIRE_TEMPERATURE,  FOEHN_FIRE_FUEL,
        FOEHN_FIRE_PRODUCTS, FOEHN_FIRE_SOOT,     FOEHN_FIRE_HEAT_RELEASE, FOEHN_FIRE_EXPANSION};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    foehn_fire_params p = box_at(0, 0);
    foehn_fire *fire = make(&p, -0.5, 0);
    foehn_fire_field_info info;
    foehn_fire_measures before, after;
    float *had[FIELDS];
    size_t compared = 0, hot = 0;
    run(fire, 30);
    OK(foehn_fire_read_measures(fire, &before));
    size_t count = foehn_fire_get_firebrand_count(fire);
    foehn_fire_firebrand *brands[2] = {testing_alloc(count * sizeof *brands[0]),
                                       testing_alloc(count * sizeof *brands[0])};
    OK(foehn_fire_read_firebrands(fire, 0, count, brands[0]));
    for (int f = 0; f < FIELDS; f++)
        had[f] = read_field(fire, fields[f], &info);
    OK(foehn_fire_set_center(fire, (const double[]){0.625, 1.25, -0.625}));
    for (int f = 0; f < FIELDS; f++) {
        float *has = read_field(fire, fields[f], &info);
        int step = info.cells[0] == 30 ? 5 : 4;
        const int *n = info.cells;
        for (int k = step; k < n[2]; k++) /* the box went a step along x, a step back along z */
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i + step < n[0]; i++)
                    for (int a = 0; a < info.components; a++) {
                        size_t now = (size_t)(((k * n[1] + j) * n[0] + i) * info.components + a);
                        size_t then =
                            (size_t)((((k - step) * n[1] + j) * n[0] + i + step) * info.components +
                                     a);
                        ck_assert_msg(has[now] == had[f][then], "%s at %d %d %d: %g, was %g",
                                      info.name, i, j, k, (double)has[now], (double)had[f][then]);
                        compared++;
                        hot += fields[f] == FOEHN_FIRE_HEAT_RELEASE && has[now] > 0;
                    }
        free(has);
        free(had[f]);
    }
    ck_assert_uint_gt(hot, 20);
    OK(foehn_fire_read_firebrands(fire, 0, count, brands[1]));
    for (size_t n = 0; n < count; n++)
        for (int a = 0; a < 3; a++)
            ck_assert(fabs(brands[0][n].position[a] - brands[1][n].position[a]) < 1e-6);
    run(fire, 15);
    OK(foehn_fire_read_measures(fire, &after));
    double left = after.fuel_emitted - after.fuel_burnt - after.fuel_carried - after.fuel_there;
    testing_report("%zu values the same after a move; fuel in the books off by %.1e of what came; "
                   "burnt %.4g kg before, %.4g after",
                   compared, left / after.fuel_emitted, before.fuel_burnt, after.fuel_burnt);
    ck_assert_double_lt(fabs(left), 1e-5 * after.fuel_emitted);
    ck_assert_double_gt(after.fuel_burnt, before.fuel_burnt);
    NEAR(after.fuel_emitted / before.fuel_emitted, 1.5, 1e-4);
    foehn_fire_destroy(fire);
    free(brands[0]);
    free(brands[1]);
}
END_TEST

START_TEST(a_box_that_has_moved_goes_on_from_a_checkpoint)
{
    foehn_fire_params p = box_at(0, 0);
    foehn_fire *fires[2] = {make(&p, -0.5, 0), make(&p, -0.5, 0)};
    foehn_fire_info info;
    size_t size;
    run(fires[0], 6);
    OK(foehn_fire_set_center(fires[0], (const double[]){0.625, 0, 0}));
    run(fires[0], 2);
    void *bytes = state_of(fires[0], &size);
    OK(foehn_fire_write_checkpoint(fires[1], size, bytes));
    foehn_fire_get_info(fires[1], &info);
    ck_assert_double_eq(info.pose.position[0], 0.625);
    for (int f = 0; f < 2; f++)
        run(fires[f], 4);
    check_same(fires[0], fires[1]);
    free(bytes);
    OK(foehn_fire_restart(fires[0]));
    foehn_fire_get_info(fires[0], &info);
    ck_assert_double_eq(info.pose.position[0], 0);
    for (int f = 0; f < 2; f++)
        foehn_fire_destroy(fires[f]);
}
END_TEST

START_TEST(places_that_cannot_be_are_refused)
{
    foehn_fire_params p = box_at(0, 0);
    foehn_fire *fire = make(&p, 0, 0), *preset;
    OK(foehn_fire_create(context, NULL, &preset));
    FAILS(FOEHN_ERROR_ARGUMENT, "preset", foehn_fire_set_center(preset, (const double[]){1, 0, 0}));
    FAILS(FOEHN_ERROR_ARGUMENT, "finite", foehn_fire_set_center(fire, (const double[]){NAN, 0, 0}));
    FAILS(FOEHN_ERROR_ARGUMENT, "too far",
          foehn_fire_set_center(fire, (const double[]){1e12, 0, 0}));
    foehn_fire_destroy(fire);
    foehn_fire_destroy(preset);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("fire_moving_box", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, the_same_fire_in_a_box_elsewhere_has_the_same_bits);
    tcase_add_test(tests, a_box_that_went_there_first_has_the_same_bits);
    tcase_add_test(tests, what_the_box_still_holds_stays_bit_for_bit_and_the_rest_is_booked);
    tcase_add_test(tests, a_box_that_has_moved_goes_on_from_a_checkpoint);
    tcase_add_test(tests, places_that_cannot_be_are_refused);
    return testing_end();
}
