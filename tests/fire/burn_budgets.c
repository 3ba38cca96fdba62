/* SPDX-License-Identifier: MIT */
/* Fire that burns: ignition, budgets, the same again. */
#include "fire/burns.h"

/* ---- ignition ---- */

START_TEST(unlit_fuel_stays_until_a_pilot_lights_it)
{
    foehn_fire_params p = burns_pool();
    foehn_fire_measures m;
    p.ignition = 600;
    foehn_fire *fire = burns_create(&p);
    burns_add_disk(fire, 0.2, 0.03, 30, 0);
    for (int n = 0; n < 6; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    ck_assert_double_eq(m.fuel_burnt, 0);
    ck_assert_double_eq(m.heat_release, 0);
    NEAR(m.max_temperature, 293.15, 1e-3);
    NEAR(m.fuel_emitted / (30 * 6 / 30.0 / (1000 * (double)p.fuel.heat)), 1, 1e-4);
    burns_add_disk(fire, 0.1, 0.1, 0, 1000);
    for (int n = 0; n < 20; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    ck_assert_double_gt(m.fuel_burnt, 0);
    ck_assert_double_gt(m.max_temperature, 1000);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(without_air_nothing_burns)
{
    foehn_fire_params p = burns_cube(8);
    foehn_fire *fire = burns_create(&p);
    foehn_fire_measures m;
    burns_fill(fire, FOEHN_FIRE_FUEL, 0.25f);
    burns_fill(fire, FOEHN_FIRE_PRODUCTS, 0.75f);
    burns_fill(fire, FOEHN_FIRE_TEMPERATURE, 1200);
    OK(foehn_fire_step(fire));
    size_t middle = 4 + 8 * (4 + 8 * 4);
    ck_assert(burns_value_at(fire, FOEHN_FIRE_HEAT_RELEASE, middle) == 0);
    /* A trace and a mixture of equal values round by some units in the last place, on GPUs. */
    NEAR(burns_value_at(fire, FOEHN_FIRE_FUEL, middle), 0.25, 4 * 0x1p-24);
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(without_power_nothing_stirs)
{
    foehn_fire_params p = burns_pool();
    foehn_fire *fire = burns_create(&p);
    burns_add_disk(fire, 0.2, 0.03, 0, 0);
    for (int n = 0; n < 3; n++)
        OK(foehn_fire_step(fire));
    for (int field = 0; field < FOEHN_FIRE_FIELDS; field++) {
        size_t count;
        float *values = burns_read(fire, (foehn_fire_field)field, &count);
        float rest = field == FOEHN_FIRE_TEMPERATURE ? 293.15f
                     : field == FOEHN_FIRE_DISTANCE  ? 1e4f
                                                     : 0;
        for (size_t n = 0; n < count; n++)
            ck_assert_msg(values[n] == rest, "field %d has %g at %zu", field, (double)values[n], n);
        free(values);
    }
    foehn_fire_destroy(fire);
}
END_TEST

/* The preset does not look at what is for burning. */
START_TEST(the_preset_burns_nothing)
{
    uint64_t bits[2];
    for (int run = 0; run < 2; run++) {
        foehn_fire_params p = foehn_fire_params_default();
        for (int a = 0; a < 3; a++)
            p.size[a] = 16 * FIRE_PHYSICS_VOXEL;
        p.pose.position[1] = p.size[1] / 2;
        p.ignition = run ? 700.0f : 0;
        p.expansion = run ? 3.0f : 1;
        foehn_fire *fire = burns_create(&p);
        burns_add_disk(fire, 0.3, 0.3, run ? 1000.0f : 0, run ? 2000.0f : 0);
        for (int n = 0; n < 4; n++)
            OK(foehn_fire_step(fire));
        bits[run] = FOEHN_HASH_BASIS;
        for (int field = 0; field < FOEHN_FIRE_FIELDS; field++) {
            size_t count;
            float *values = burns_read(fire, (foehn_fire_field)field, &count);
            bits[run] = foehn_hash(bits[run], count * sizeof *values, values);
            free(values);
        }
        foehn_fire_destroy(fire);
    }
    ck_assert(bits[0] == bits[1]);
}
END_TEST

/* ---- budgets ---- */

START_TEST(heat_room_fuel_and_soot_add_up)
{
    const double power = 60;
    foehn_fire_params p = burns_pool();
    foehn_fire *fire = burns_create(&p);
    foehn_fire_measures begun, m;
    int spin = testing_is_tiny() ? 2 : 45, steps = testing_is_tiny() ? 2 : 90;
    burns_add_disk(fire, 0.2, 0.03, (float)power, 0);
    for (int n = 0; n < spin; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &begun));
    for (int n = 0; n < steps; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    double time = steps / 30.0, heat = 1000 * (double)p.fuel.heat;
    double released = (m.fuel_burnt - begun.fuel_burnt) * heat / time;
    double made = (m.volume_made - begun.volume_made) / time;
    double given = (1 - (double)p.fuel.radiative) * released / 354.6;
    testing_report(
        "%.2f kW of %g; %.4f m3/s of new volume, its share of the heat gives %.4f; fuel %.4g kg "
        "emitted, carried %.2g; soot %.3g kg formed, carried %.2g",
        released, power, made, given, m.fuel_emitted, m.fuel_carried, m.soot_formed,
        m.soot_carried);
    NEAR(m.fuel_emitted - m.fuel_burnt - m.fuel_carried, m.fuel_there, 1e-4 * m.fuel_emitted);
    NEAR(m.soot_formed - m.soot_oxidised - m.soot_carried, m.soot_there, 1e-4 * m.soot_formed);
    if (!testing_is_tiny()) {
        NEAR(released / power, 1, 0.05);
        NEAR(made / given, 1, 0.05);
        NEAR(m.fuel_carried / m.fuel_emitted, 0, 0.05);
    }
    foehn_fire_destroy(fire);
}
END_TEST

/* Fires whose fuel comes faster than voxels have room: a wick in voxels of 2 mm, whose gas mixes in
 * rounds, and a small pan on which lies pure fuel. */
START_TEST(no_fuel_is_lost_where_much_comes)
{
    const struct {
        const char *name;
        double width, height, voxel, air, radius, above, power;
        int steps;
    } fires[2] = {{"wick", 0.04, 0.08, 0.002, 0.0025, 0.003, 0.02, 0.08, 3},
                  {"pan", 0.6, 0.88, 0.04, 0.04, 0.075, 0.012, 300, 18}};
    for (int n = 0; n < 2; n++) {
        foehn_fire_params p;
        foehn_fire_measures m;
        foehn_fire_params_burn(&p);
        for (int a = 0; a < 3; a++)
            p.size[a] = a == 1 ? fires[n].height : fires[n].width;
        p.pose.position[1] = fires[n].height / 2;
        p.render_voxel = fires[n].voxel;
        p.physics_voxel = fires[n].air;
        foehn_fire *fire = burns_create(&p);
        burns_add_disk(fire, fires[n].radius, fires[n].above, (float)fires[n].power, 0);
        for (int step = 0; step < fires[n].steps; step++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_read_measures(fire, &m));
        double fuel = m.fuel_emitted - m.fuel_burnt - m.fuel_carried - m.fuel_there;
        double soot = m.soot_formed - m.soot_oxidised - m.soot_carried - m.soot_there;
        double came = fires[n].power * fires[n].steps / 30 / (1000 * (double)p.fuel.heat);
        testing_report("%s: %.1e of the fuel is missing, %.1e of the soot", fires[n].name,
                       fuel / came, soot / m.soot_formed);
        NEAR(m.fuel_emitted / came, 1, 1e-5);
        NEAR(fuel / came, 0, 1e-5);
        NEAR(soot / m.soot_formed, 0, 1e-4);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* A step has so many parts that the momentum of hot gas in small voxels spreads as its viscosity
 * says, in explicit shares of at most 0.15 of a neighbour's: a candle's flame stands by it. */
START_TEST(hot_gas_in_small_voxels_keeps_its_viscosity)
{
    const double h = 0.001, dt = 0.2 / 30;
    foehn_fire_params p;
    foehn_fire_info info;
    foehn_fire_params_burn(&p);
    p.size[0] = p.size[2] = 0.02;
    p.size[1] = 0.04;
    p.pose.position[1] = 0.02;
    p.render_voxel = p.physics_voxel = h;
    p.speed = 0.2f;
    foehn_fire *fire = burns_create(&p);
    burns_add_disk(fire, 0.003, 0.01, 0.08f, 0);
    double before = 293.15, largest = 0;
    foehn_fire_get_info(fire, &info);
    const int *n = info.render_cells;
    size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    float *kelvin = testing_alloc(cells * sizeof *kelvin);
    for (int step = 0; step < 8; step++) {
        OK(foehn_fire_step(fire));
        foehn_fire_get_info(fire, &info);
        double viscosity = 0.7 * 2e-5 * pow(before / 293.15, 1.75); /* when the step began */
        largest = fmax(largest, viscosity / (h * h) * dt / info.parts);
        OK(foehn_fire_read(fire, FOEHN_FIRE_TEMPERATURE, kelvin));
        before = 0;
        for (size_t c = 0; c < cells; c++)
            before = fmax(before, (double)kelvin[c]);
    }
    testing_report("up to %.0f K, %d parts: a share of %.3f at most", before, info.parts, largest);
    ck_assert_double_gt(before, 1200);
    ck_assert_double_gt(largest, 0.08);
    ck_assert_double_lt(largest, 0.151);
    free(kelvin);
    foehn_fire_destroy(fire);
}
END_TEST

/* ---- the same again ---- */

START_TEST(same_bits_twice_and_after_a_checkpoint)
{
    foehn_fire_params p = burns_pool();
    foehn_fire *fires[2];
    for (int n = 0; n < 2; n++) {
        fires[n] = burns_create(&p);
        burns_add_disk(fires[n], 0.2, 0.03, 60, 0);
    }
    for (int n = 0; n < 6; n++)
        OK(foehn_fire_step(fires[0]));
    size_t size = foehn_fire_get_checkpoint_size(fires[0]);
    char *saved[3];
    for (int n = 0; n < 3; n++)
        saved[n] = testing_alloc(size);
    OK(foehn_fire_read_checkpoint(fires[0], size, saved[0]));
    OK(foehn_fire_write_checkpoint(fires[1], size, saved[0]));
    for (int n = 0; n < 2; n++) {
        for (int step = 0; step < 4; step++)
            OK(foehn_fire_step(fires[n]));
        OK(foehn_fire_read_checkpoint(fires[n], size, saved[1 + n]));
    }
    ck_assert_mem_eq(saved[1], saved[2], size);
    OK(foehn_fire_restart(fires[1]));
    for (int step = 0; step < 6; step++)
        OK(foehn_fire_step(fires[1]));
    OK(foehn_fire_read_checkpoint(fires[1], size, saved[2]));
    ck_assert_mem_eq(saved[0], saved[2], size);
    for (int n = 0; n < 3; n++)
        free(saved[n]);
    foehn_fire_destroy(fires[0]);
    foehn_fire_destroy(fires[1]);
}
END_TEST

START_TEST(wrong_parameters_are_refused)
{
    foehn_fire *fire;
    foehn_fire_params p = burns_pool();
    p.layout = FOEHN_FIRE_COLLOCATED;
    FAILS(FOEHN_ERROR_ARGUMENT, "staggered", foehn_fire_create(context, &p, &fire));
    p = burns_pool();
    p.pressure = FOEHN_FIRE_JACOBI;
    FAILS(FOEHN_ERROR_ARGUMENT, "multigrid", foehn_fire_create(context, &p, &fire));
    p = burns_pool();
    p.fuel.flame_soot = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "flame_soot", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.floor = 1;
    FAILS(FOEHN_ERROR_ARGUMENT, "floor", foehn_fire_create(context, &p, &fire));
    p = burns_pool();
    fire = burns_create(&p);
    const float points[1][3] = {{0, 0, 0}};
    const foehn_fire_emitter e = {1, points, 1};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    int index;
    OK(foehn_fire_add_emitter(fire, &e, &index));
    proxy.power = -1;
    FAILS(FOEHN_ERROR_ARGUMENT, "power", foehn_fire_set_proxy(fire, index, 0, &proxy));
    float *values = burns_read(fire, FOEHN_FIRE_AGE, NULL);
    FAILS(FOEHN_ERROR_ARGUMENT, "age", foehn_fire_write(fire, FOEHN_FIRE_AGE, values));
    free(values);
    ck_assert_ptr_null(foehn_fire_fuel_get(-1, NULL));
    ck_assert_ptr_null(foehn_fire_fuel_get(1000, NULL));
    foehn_fire_destroy(fire);
}
END_TEST

void add_burn_budgets_tests(TCase *tests)
{
    tcase_add_test(tests, unlit_fuel_stays_until_a_pilot_lights_it);
    tcase_add_test(tests, without_air_nothing_burns);
    tcase_add_test(tests, without_power_nothing_stirs);
    tcase_add_test(tests, the_preset_burns_nothing);
    tcase_add_test(tests, heat_room_fuel_and_soot_add_up);
    tcase_add_test(tests, no_fuel_is_lost_where_much_comes);
    tcase_add_test(tests, hot_gas_in_small_voxels_keeps_its_viscosity);
    tcase_add_test(tests, same_bits_twice_and_after_a_checkpoint);
    tcase_add_test(tests, wrong_parameters_are_refused);
}
