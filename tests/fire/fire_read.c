/* SPDX-License-Identifier: MIT */
/* Volumes, arguments, defaults. */
#include "fire/fires.h"

START_TEST(volumes_hold_dye_and_velocity)
{
    foehn_fire_params p = fires_lively(12);
    foehn_fire *fire = fires_create(&p);
    foehn_fire_info info;
    foehn_volume *dye, *air;
    foehn_volume_info about;
    fires_light(fire, 0.2, 0.4, 13);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_step(fire));
    foehn_fire_get_info(fire, &info);
    const int *r = info.render_cells, *g = info.physics_cells;
    OK(foehn_volume_create(context, r[0], r[1], r[2], &dye));
    OK(foehn_volume_create(context, g[0], g[1], g[2], &air));
    OK(foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_DYE, dye));
    OK(foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_VELOCITY, air));
    FAILS(FOEHN_ERROR_ARGUMENT, "cannot take",
          foehn_fire_write_volume(fire, FOEHN_FIRE_LAYER_DYE, air));
    size_t dyes = (size_t)(r[0] * r[1] * r[2]), airs = (size_t)(g[0] * g[1] * g[2]);
    float *floats = malloc((dyes > airs ? dyes : airs) * 16);
    OK(foehn_volume_read_floats(dye, floats));
    for (int n = 0; n < 4; n++) {
        float *field = fires_read(fire, (foehn_fire_field)n);
        for (size_t c = 0; c < dyes; c++)
            NEAR(floats[4 * c + (size_t)n], field[c], 1e-3 * (0.1 + fabs((double)field[c])));
        free(field);
    }
    OK(foehn_volume_read_floats(air, floats));
    float *v = fires_read(fire, FOEHN_FIRE_VELOCITY);
    for (size_t c = 0; c < airs; c++)
        for (size_t a = 0; a < 3; a++)
            NEAR(floats[4 * c + a], v[3 * c + a], 1e-3 * (0.1 + fabs((double)v[3 * c + a])));
    float *distance = fires_read(fire, FOEHN_FIRE_DISTANCE); /* 1e4: there is no collider */
    for (size_t c = 0; c < airs; c++)
        NEAR(floats[4 * c + 3], distance[c], 1e-3 * fabs((double)distance[c]));
    free(distance);
    foehn_volume_get_info(dye, &about);
    ck_assert(about.step == 5 && about.origin[1] == -p.size[1] / 2);
    free(v);
    free(floats);
    foehn_volume_destroy(dye);
    foehn_volume_destroy(air);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    foehn_fire *fire = NULL;
    foehn_fire_params p = foehn_fire_params_default();
    p.struct_size = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "struct_size", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.cooling = -1;
    FAILS(FOEHN_ERROR_ARGUMENT, "cooling", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.render_voxel = 1e-4;
    FAILS(FOEHN_ERROR_ARGUMENT, "render_voxel", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    memset(p.pose.rotation, 0, sizeof p.pose.rotation);
    FAILS(FOEHN_ERROR_ARGUMENT, "quaternion", foehn_fire_create(context, &p, &fire));
    p = foehn_fire_params_default();
    p.layout = (foehn_fire_layout)2;
    FAILS(FOEHN_ERROR_ARGUMENT, "layout", foehn_fire_create(context, &p, &fire));
    ck_assert_ptr_null(fire);
    p = fires_quiet();
    fire = fires_create(&p);
    foehn_fire_picture picture = foehn_fire_picture_default();
    float pixel[4];
    picture.width = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "pixels",
          foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, pixel));
    picture = foehn_fire_picture_default();
    picture.up[1] = 0;
    FAILS(FOEHN_ERROR_ARGUMENT, "camera",
          foehn_fire_read_picture(fire, &picture, FOEHN_FIRE_FLOATS, pixel));
    const float broken[1][3] = {{NAN, 0, 0}};
    int index;
    FAILS(FOEHN_ERROR_ARGUMENT, "point 0",
          foehn_fire_add_emitter(fire, &(foehn_fire_emitter){1, broken, 1}, &index));
    FAILS(FOEHN_ERROR_ARGUMENT, "wind",
          foehn_fire_set_wind(fire, &(foehn_fire_wind){1, 1, 1, broken}));
    FAILS(FOEHN_ERROR_ARGUMENT, "cannot be written",
          foehn_fire_write(fire, FOEHN_FIRE_PRESSURE, pixel));
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(the_default_grids_are_the_presets)
{
    foehn_fire *fire = fires_create(NULL);
    foehn_fire_info info;
    const int render[3] = {100, 78, 49}, physics[3] = {80, 63, 40};
    uint64_t bytes;
    foehn_fire_get_info(fire, &info);
    for (int a = 0; a < 3; a++) {
        ck_assert_int_eq(info.render_cells[a], render[a]);
        ck_assert_int_eq(info.physics_cells[a], physics[a]);
    }
    NEAR(info.step_time, 0.05, 1e-9);
    ck_assert_int_eq(info.sweeps, 4);
    ck_assert_int_eq(info.march_steps, 22);
    OK(foehn_fire_params_get_memory(NULL, &bytes));
    NEAR((double)bytes, (double)info.memory_bytes, 0.05 * (double)bytes);
    foehn_fire_destroy(fire);
}
END_TEST

void add_fire_read_tests(TCase *tests)
{
    tcase_add_test(tests, volumes_hold_dye_and_velocity);
    tcase_add_test(tests, wrong_arguments_are_refused);
    tcase_add_test(tests, the_default_grids_are_the_presets);
}
