/* SPDX-License-Identifier: MIT */
/* The flow lab: what must come to the same: mirrored flows, other devices, sixteen faces at once.
 */
#include "flow/flows.h"

/* ---- symmetry ---- */

START_TEST(a_mirrored_flow_has_the_mirrored_bits)
{
    foehn_flow_params p = flows_stream(64, 32, 0.5f);
    p.viscosity = 1e-3f;
    p.terms = FOEHN_FLOW_FORCE | FOEHN_FLOW_ADVECTION | FOEHN_FLOW_VISCOSITY;
    for (int pass = 0; pass < 2; pass++) {
        foehn_flow *f[2];
        for (int side = 0; side < 2; side++) {
            f[side] = flows_create(&p);
            foehn_flow_obstacle o = {.shape = FOEHN_FLOW_WING,
                                     .center = {0.6f, 0.5f},
                                     .size = 0.5f,
                                     .angle = side ? -11 : 11,
                                     .thickness = 0.12f};
            OK(foehn_flow_set_obstacle(f[side], 0, &o));
            float y = side ? 0.75f : 0.25f;
            foehn_flow_stir s = {{0.3f, y}, {0.5f, y}, {0.5f, side ? -1 : 1}, 0.1f, {1, 0, 0, 1}};
            OK(foehn_flow_add_stir(f[side], &s));
            flows_step(f[side], 20, 0.02);
        }
        float *u[2] = {flows_read(f[0], FOEHN_FLOW_U), flows_read(f[1], FOEHN_FLOW_U)};
        float *v[2] = {flows_read(f[0], FOEHN_FLOW_V), flows_read(f[1], FOEHN_FLOW_V)};
        for (int j = 0; j < 32; j++)
            for (int i = 0; i <= 64; i++)
                ck_assert_msg(u[0][j * 65 + i] == u[1][(31 - j) * 65 + i], "u (%d, %d): %.9g %.9g",
                              i, j, (double)u[0][j * 65 + i], (double)u[1][(31 - j) * 65 + i]);
        for (int j = 0; j <= 32; j++)
            for (int i = 0; i < 64; i++)
                ck_assert_msg(v[0][j * 64 + i] == -v[1][(32 - j) * 64 + i], "v (%d, %d): %.9g %.9g",
                              i, j, (double)v[0][j * 64 + i], (double)v[1][(32 - j) * 64 + i]);
        for (int side = 0; side < 2; side++) {
            free(u[side]);
            free(v[side]);
            foehn_flow_destroy(f[side]);
        }
        p.surface = FOEHN_FLOW_FRACTIONS;
    }
}
END_TEST

START_TEST(a_level_wing_has_no_lift)
{
    foehn_flow_params p = flows_stream(128, 64, 0.5f);
    p.viscosity = 2e-4f;
    p.cycles = 6;
    foehn_flow *f = flows_create(&p);
    foehn_flow_obstacle o = {
        .shape = FOEHN_FLOW_WING, .center = {0.6f, 0.5f}, .size = 0.5f, .thickness = 0.12f};
    OK(foehn_flow_set_obstacle(f, 0, &o));
    flows_step(f, 60, 1.0 / 60);
    foehn_flow_push push;
    OK(foehn_flow_read_push(f, 0, &push));
    testing_report("level wing: CL %.2e, CD %.4f", push.cl, push.cd);
    NEAR(push.cl, 0, 1e-4);
    ck_assert_double_gt(push.cd, 0.05);
    foehn_flow_destroy(f);
}
END_TEST

/* ---- sixteen at once ---- */

/* A flow whose kernels are those of a kind of device, whatever this one is. */
static foehn_flow *make_for(const foehn_flow_params *p, foehn_device_type type)
{
    foehn_device_type own = context->device.info.type;
    context->device.info.type = type;
    foehn_flow *f = flows_create(p);
    context->device.info.type = own;
    const foehn_flow_obstacle o = {
        .shape = FOEHN_FLOW_BEAN, .center = {0.5f, 0.5f}, .size = 0.4f, .angle = 20};
    const foehn_flow_stir s = {{0.2f, 0.3f}, {0.7f, 0.7f}, {2, 3}, 0.15f, {1, 0.5f, 0, 1}};
    OK(foehn_flow_set_obstacle(f, 0, &o));
    OK(foehn_flow_add_stir(f, &s));
    return f;
}

/* Groups of faces that travel alike and that do not, the ends of rows; walls and outflow. */
START_TEST(sixteen_faces_at_once_do_what_each_would)
{
    foehn_flow_params p = flows_stream(testing_is_tiny() ? 21 : 83, testing_is_tiny() ? 12 : 41, 1);
    p.sides[FOEHN_FLOW_TOP] = (foehn_flow_side){FOEHN_FLOW_WALL, 0.7f, 0};
    p.sides[FOEHN_FLOW_BOTTOM] = (foehn_flow_side){FOEHN_FLOW_WALL, 0, 0};
    p.viscosity = testing_is_tiny() ? 0.02f : 2e-3f;       /* four iterations and more */
    p.terms = FOEHN_FLOW_ALL_TERMS & ~FOEHN_FLOW_PRESSURE; /* the solver has kernels of its own */
    for (int surface = 0; surface < 2; surface++) {
        p.surface = surface ? FOEHN_FLOW_FRACTIONS : FOEHN_FLOW_STAIRCASE;
        foehn_flow *each = make_for(&p, FOEHN_DEVICE_GPU);
        foehn_flow *sixteen = make_for(&p, FOEHN_DEVICE_CPU);
        ck_assert(sixteen->wide && !each->wide);
        flows_step(each, 2, 0.03); /* up to 4 cells a step */
        flows_step(sixteen, 2, 0.03);
        const foehn_flow_field fields[] = {FOEHN_FLOW_U, FOEHN_FLOW_V, FOEHN_FLOW_INK};
        for (int k = 0; k < 3; k++) {
            float *a = flows_read(each, fields[k]), *b = flows_read(sixteen, fields[k]);
            for (size_t c = 0; c < foehn_flow_get_field_size(each, fields[k]); c++)
                NEAR(b[c], a[c], 4e-6); /* rounding, at speeds up to 4 */
            free(a);
            free(b);
        }
        foehn_flow_destroy(each);
        foehn_flow_destroy(sixteen);
    }
}
END_TEST

/* The multigrid of GPUs has passes of its own. */
START_TEST(the_projection_of_gpus_does_what_that_of_cpus_does)
{
    for (int n = 0; n < 3; n++) {
        foehn_flow_params p = flows_stream(testing_is_tiny() ? 40
                                           : n == 2          ? 96
                                                             : 101,
                                           testing_is_tiny() ? 36 : 71, 1);
        p.cycles = 2; /* as far as that, whatever is left */
        if (n == 1)
            p.surface = FOEHN_FLOW_FRACTIONS;
        if (n == 2)
            p.sides[FOEHN_FLOW_LEFT] = p.sides[FOEHN_FLOW_RIGHT] =
                (foehn_flow_side){FOEHN_FLOW_PERIODIC, 0, 0};
        foehn_flow *gpu = make_for(&p, FOEHN_DEVICE_GPU), *cpu = make_for(&p, FOEHN_DEVICE_CPU);
        flows_step(gpu, 2, 0.03);
        flows_step(cpu, 2, 0.03);
        const foehn_flow_field fields[] = {FOEHN_FLOW_U, FOEHN_FLOW_V, FOEHN_FLOW_P};
        for (int k = 0; k < 3; k++) {
            float *a = flows_read(gpu, fields[k]), *b = flows_read(cpu, fields[k]);
            double most = 0;
            for (size_t c = 0; c < foehn_flow_get_field_size(gpu, fields[k]); c++)
                most = fmax(most, fabs((double)b[c]));
            for (size_t c = 0; c < foehn_flow_get_field_size(gpu, fields[k]); c++)
                NEAR(b[c], a[c], 1e-5 * most);
            free(a);
            free(b);
        }
        foehn_flow_destroy(gpu);
        foehn_flow_destroy(cpu);
    }
}
END_TEST

void add_flow_pairs_tests(TCase *tests)
{
    tcase_add_test(tests, sixteen_faces_at_once_do_what_each_would);
    tcase_add_test(tests, the_projection_of_gpus_does_what_that_of_cpus_does);
    tcase_add_test(tests, a_mirrored_flow_has_the_mirrored_bits);
    tcase_add_test(tests, a_level_wing_has_no_lift);
}
