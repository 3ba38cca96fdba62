/* SPDX-License-Identifier: MIT */
/* Steps: the caller's time, settings, grids, the same again, what is no number. */
#include "fire/fires.h"

START_TEST(the_callers_time_drives_the_fire)
{
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    foehn_fire_info info;
    OK(foehn_fire_update(fire, 1.0 / 60));
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq(info.last_steps, 0);
    OK(foehn_fire_update(fire, 1.0 / 60));
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq(info.last_steps, 1);
    NEAR(info.time, 0.05, 1e-12);
    for (int n = 0; n < 300; n++) /* a slow caller loses nothing */
        OK(foehn_fire_update(fire, 0.1));
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq((int)info.step, 901);
    NEAR(info.dropped_time, 0, 1e-9);
    OK(foehn_fire_update(fire, 1.0)); /* 30 steps are due, 4 are made */
    foehn_fire_get_info(fire, &info);
    ck_assert_int_eq(info.last_steps, 4);
    NEAR(info.dropped_time, 26.0 / 30, 1e-9);
    NEAR(info.waiting_time, 0, 1e-9);
    FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_fire_update(fire, -0.1));
    FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_fire_update(fire, (double)NAN));
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_dt_of_0_is_a_pause)
{
    foehn_fire_params p = fires_lively(12);
    foehn_fire *fire = fires_create(&p);
    fires_light(fire, 0.2, 0.4, 13);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_step(fire));
    uint64_t before = fires_bits(fire);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_update(fire, 0));
    ck_assert(fires_bits(fire) == before);
    OK(foehn_fire_step(fire));
    ck_assert(fires_bits(fire) != before);
    foehn_fire_destroy(fire);
}
END_TEST

static double plume_after_2_s(double voxels)
{
    foehn_fire_params p = foehn_fire_params_default();
    const double size[3] = {2.1, 3.9, 2.1};
    for (int a = 0; a < 3; a++) {
        p.size[a] = size[a];
        p.pose.position[a] = size[a] / 2;
    }
    p.render_voxel *= voxels;
    p.physics_voxel *= voxels;
    p.emit_temperature = 4; /* below the lid for all of the 2 s */
    foehn_fire *fire = fires_create(&p);
    foehn_fire_measures m;
    fires_light(fire, 0.3, 0.5, 13);
    for (int n = 0; n < 60; n++)
        OK(foehn_fire_update(fire, 1.0 / 30));
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_destroy(fire);
    return m.plume_height;
}

START_TEST(the_plume_rises_alike_on_grids_half_as_and_twice_as_fine)
{
    double same = plume_after_2_s(1), coarse = plume_after_2_s(2), fine = plume_after_2_s(0.5);
    testing_report("plume at 2 s: %.3f m, with voxels x2 %.3f m, x0.5 %.3f m", same, coarse, fine);
    ck_assert(same > 1.5 && same < 3.5);
    NEAR(coarse, same, 0.1 * same);
    NEAR(fine, same, 0.1 * same);
}
END_TEST

START_TEST(making_and_destroying_fires_leaks_nothing)
{
    uint64_t before = foehn_context_get_memory(context);
    for (int n = 0; n < 5; n++) {
        foehn_fire_params p = fires_lively(8);
        foehn_fire *fire = fires_create(&p);
        foehn_fire_picture picture = foehn_fire_picture_default();
        uint8_t pixels[32 * 18 * 4];
        fires_light(fire, 0.2, 0.3, 13);
        OK(foehn_fire_step(fire));
        picture.width = 32;
        picture.height = 18;
        OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_BYTES, pixels));
        foehn_fire_info info;
        foehn_fire_get_info(fire, &info);
        ck_assert(info.memory_bytes == foehn_context_get_memory(context) - before);
        foehn_fire_destroy(fire);
        ck_assert(foehn_context_get_memory(context) == before);
    }
}
END_TEST

/* Everything that a fire with these parameters makes of a scene with emitters, colliders and a
 * picture. */
static uint64_t fires_fingerprint(const foehn_fire_params *p)
{
    enum { W = 48, H = 27 };
    foehn_fire *fire = fires_create(p);
    foehn_fire_collider c = foehn_fire_collider_default();
    float pixels[W * H * 4];
    fires_light(fire, 0.2, 0.25, 13);
    for (int a = 0; a < 3; a++) {
        c.pose.position[a] = p->size[a] / 2;
        c.half[a] = 0.12;
    }
    c.pose.position[1] += 0.1;
    c.angular_velocity[1] = 3;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &c));
    OK(foehn_fire_update(fire, 0.2)); /* 6 steps are due */
    foehn_fire_picture picture = foehn_fire_picture_default();
    picture.width = W;
    picture.height = H;
    picture.position[2] = 2;
    picture.position[1] = picture.target[1] = p->size[1] / 2;
    picture.position[0] = picture.target[0] = p->size[0] / 2;
    OK(foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, pixels));
    foehn_fire_measures m;
    OK(foehn_fire_read_measures(fire, &m));
    foehn_fire_info info;
    foehn_fire_get_info(fire, &info);
    uint64_t value = foehn_hash(fires_bits(fire), sizeof pixels, pixels);
    value = foehn_hash(value, sizeof m.emitted, &m.emitted);
    value = foehn_hash(value, sizeof info.dropped_time, &info.dropped_time);
    foehn_fire_destroy(fire);
    return value;
}

START_TEST(no_setting_is_without_effect)
{
    foehn_fire_params p = fires_lively(8);
    p.max_steps = 3;
    p.turbulence = 0; /* its field takes a second to make */
#define FLOATS(name, value)                                                                        \
    {                                                                                              \
#name, offsetof(foehn_fire_params, name), 0, (value), 0                                    \
    }
#define WHOLE(name, value)                                                                         \
    {                                                                                              \
#name, offsetof(foehn_fire_params, name), 1, 0, (value)                                    \
    }
#define DOUBLE(name, value)                                                                        \
    {                                                                                              \
#name, offsetof(foehn_fire_params, name), 2, (value), 0                                    \
    }
    const struct {
        const char *name;
        size_t offset;
        int kind;
        double real;
        int whole;
    } changes[] = {DOUBLE(render_voxel, 0.09),
                   DOUBLE(physics_voxel, 0.11),
                   DOUBLE(size[1], 0.9),
                   DOUBLE(pose.rotation[0], 0.2),
                   DOUBLE(pose.position[0], 0.5),
                   FLOATS(speed, 1.2),
                   WHOLE(max_steps, 2),
                   WHOLE(velocity_transport, 1),
                   WHOLE(dye_transport, 1),
                   WHOLE(layout, 1),
                   WHOLE(pressure, 1),
                   WHOLE(sweeps, 5),
                   FLOATS(confinement, 5),
                   FLOATS(buoyancy, 2),
                   FLOATS(smoke_weight, 0.3),
                   FLOATS(damping, 0.5),
                   FLOATS(turbulence, 0.2),
                   FLOATS(dissipation, 2),
                   FLOATS(cooling, 1),
                   FLOATS(emit_density, 0.05),
                   FLOATS(emit_temperature, 5),
                   FLOATS(friction, 0.2),
                   FLOATS(angular_multiplier, 1),
                   FLOATS(collision_margin, 0.1),
                   WHOLE(march_steps, 30),
                   FLOATS(pass_scale, 0.5),
                   FLOATS(radiance, 10),
                   FLOATS(palette_temperature, 8),
                   WHOLE(account, 0)};
    uint64_t plain = fires_fingerprint(&p);
    ck_assert(fires_fingerprint(&p) == plain);
    for (size_t n = 0; n < sizeof changes / sizeof changes[0]; n++) {
        foehn_fire_params q = p;
        char *member = (char *)&q + changes[n].offset;
        float real = (float)changes[n].real;
        if (changes[n].kind == 0)
            memcpy(member, &real, sizeof real);
        else if (changes[n].kind == 1)
            memcpy(member, &changes[n].whole, sizeof changes[n].whole);
        else
            memcpy(member, &changes[n].real, sizeof changes[n].real);
        ck_assert_msg(fires_fingerprint(&q) != plain, "%s has no effect", changes[n].name);
    }
    foehn_fire_params q = p; /* those that need another one */
    q.turbulence = 0.4f;
    uint64_t turbulent = fires_fingerprint(&q);
    q.seed = 7;
    ck_assert_msg(fires_fingerprint(&q) != turbulent, "seed has no effect");
    q.seed = 0;
    q.noise_frequency = 5;
    ck_assert_msg(fires_fingerprint(&q) != turbulent, "noise_frequency has no effect");
    q.noise_frequency = p.noise_frequency;
    q.noise_decay = 3;
    ck_assert_msg(fires_fingerprint(&q) != turbulent, "noise_decay has no effect");
    q.noise_decay = p.noise_decay;
    q.curl_multiplier = 3;
    ck_assert_msg(fires_fingerprint(&q) != turbulent, "curl_multiplier has no effect");
    q = p;
    q.pressure = FOEHN_FIRE_MULTIGRID;
    uint64_t cycles = fires_fingerprint(&q);
    q.cycles = 1;
    ck_assert_msg(fires_fingerprint(&q) != cycles, "cycles has no effect");
}
END_TEST

START_TEST(the_same_scene_gives_the_same_bits)
{
    for (int n = 0; n < 2; n++) {
        foehn_fire_params p = fires_lively(12);
        p.velocity_transport = p.dye_transport = (foehn_fire_transport)n;
        p.layout = (foehn_fire_layout)n;
        p.pressure = (foehn_fire_pressure)n;
        ck_assert(fires_fingerprint(&p) == fires_fingerprint(&p));
    }
}
END_TEST

START_TEST(a_turned_box_burns_the_same_scene)
{
    /* A quarter turn about the vertical: the box's grid lies otherwise, the plume rises as high. */
    double height[2];
    for (int turned = 0; turned < 2; turned++) {
        foehn_fire_params p = fires_lively(16);
        p.turbulence = 0;
        if (turned) {
            p.pose.rotation[1] = sqrt(0.5);
            p.pose.rotation[3] = sqrt(0.5);
            p.pose.position[0] = -3;
        }
        foehn_fire *fire = fires_create(&p);
        foehn_fire_measures m;
        fires_light(fire, 0.2, 0.3, 13);
        for (int n = 0; n < 20; n++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_read_measures(fire, &m));
        height[turned] = m.plume_height;
        foehn_fire_destroy(fire);
    }
    NEAR(height[0], height[1], 0.05 * height[0]);
}
END_TEST

START_TEST(what_blows_up_is_named)
{
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    foehn_fire_measures m;
    float *field = calloc(4096, sizeof *field);
    field[fires_cell(3, 4, 5)] = NAN;
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
    FAILS(FOEHN_ERROR_UNSTABLE, "(3, 4, 5)", foehn_fire_read_measures(fire, &m));
    OK(foehn_fire_step(fire)); /* and does not crash */
    free(field);
    foehn_fire_destroy(fire);
}
END_TEST

void add_fire_steps_tests(TCase *tests)
{
    tcase_add_test(tests, the_callers_time_drives_the_fire);
    tcase_add_test(tests, a_dt_of_0_is_a_pause);
    if (!testing_is_tiny())
        tcase_add_test(tests, the_plume_rises_alike_on_grids_half_as_and_twice_as_fine);
    tcase_add_test(tests, making_and_destroying_fires_leaks_nothing);
    tcase_add_test(tests, no_setting_is_without_effect);
    tcase_add_test(tests, the_same_scene_gives_the_same_bits);
    tcase_add_test(tests, a_turned_box_burns_the_same_scene);
    tcase_add_test(tests, what_blows_up_is_named);
}
