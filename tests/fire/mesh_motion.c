/* SPDX-License-Identifier: MIT */
/* How meshes of the command move: paths through places at their times, rotations, what is switched.
 */
#include "config.h"

#include "testing.h"

#undef fail /* Check has a macro of that name */

#include "fire/fire.h"

void add_mesh_motion_tests(TCase *tests);

static const fire_motion path = {
    .key_count = 3,
    .keys = {{0, {0, 1, 0}, {0, 0, 0, 1}},
             {1, {2, 1, 1}, {0, 0.70710678118654752, 0, 0.70710678118654752}},
             {3, {2, 3, 0}, {0, 0, 0, 1}}}};

START_TEST(a_path_goes_through_its_places_at_their_times)
{
    for (int n = 0; n < 3; n++) {
        motion_state s;
        fire_motion_at(&path, path.keys[n].at, &s);
        for (int k = 0; k < 3; k++)
            NEAR(s.pose.position[k], path.keys[n].position[k], 1e-12);
        double dot = 0;
        for (int k = 0; k < 4; k++)
            dot += s.pose.rotation[k] * path.keys[n].rotation[k];
        NEAR(fabs(dot), 1, 1e-12);
    }
}
END_TEST

START_TEST(velocities_are_the_slopes_of_the_path)
{
    const double step = 1e-6;
    for (double t = 0.1; t < 2.95; t += 0.2) {
        motion_state a, b, c;
        fire_motion_at(&path, t - step, &a);
        fire_motion_at(&path, t, &b);
        fire_motion_at(&path, t + step, &c);
        for (int k = 0; k < 3; k++)
            NEAR(b.velocity[k], (c.pose.position[k] - a.pose.position[k]) / (2 * step), 1e-6);
        /* A point that turns along moves by angular velocity x arm. */
        const double arm[3] = {1, 0.5, -0.3};
        double from[3], to[3], now[3];
        fire_rotate(a.pose.rotation, arm, from);
        fire_rotate(c.pose.rotation, arm, to);
        fire_rotate(b.pose.rotation, arm, now);
        const double cross[3] = {b.angular[1] * now[2] - b.angular[2] * now[1],
                                 b.angular[2] * now[0] - b.angular[0] * now[2],
                                 b.angular[0] * now[1] - b.angular[1] * now[0]};
        for (int k = 0; k < 3; k++)
            NEAR(cross[k], (to[k] - from[k]) / (2 * step), 1e-6);
    }
}
END_TEST

START_TEST(a_path_rests_at_its_ends_or_begins_again)
{
    fire_motion again = path;
    motion_state a, b;
    again.repeat = true;
    fire_motion_at(&path, 100, &a);
    NEAR(a.pose.position[1], 3, 0);
    NEAR(a.velocity[1], 0, 0);
    fire_motion_at(&again, 3 * 7 + 0.5, &a);
    fire_motion_at(&path, 0.5, &b);
    for (int k = 0; k < 3; k++)
        NEAR(a.pose.position[k], b.pose.position[k], 1e-9);
}
END_TEST

START_TEST(rotations_are_about_fixed_axes_x_then_y_then_z)
{
    const double degrees[3] = {90, 90, 0}, up[3] = {0, 1, 0};
    double q[4], v[3];
    fire_rotation(degrees, q);
    fire_rotate(q, up, v); /* y goes to z, then z goes to x */
    NEAR(v[0], 1, 1e-12);
    NEAR(v[1], 0, 1e-12);
    NEAR(v[2], 0, 1e-12);
}
END_TEST

START_TEST(what_is_switched_is_there_in_its_times_only)
{
    fire_motion m = path;
    motion_state s;
    m.span_count = 2;
    m.spans[0][0] = 0.5, m.spans[0][1] = 1;
    m.spans[1][0] = 2, m.spans[1][1] = 3;
    const struct {
        double time;
        bool on;
    } cases[] = {{0, false}, {0.5, true}, {0.99, true}, {1, false}, {2.5, true}, {3.5, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fire_motion_at(&m, cases[i].time, &s);
        ck_assert_int_eq(s.active, cases[i].on);
    }
    fire_motion_at(&path, 1e6, &s);
    ck_assert(s.active);
}
END_TEST

void add_mesh_motion_tests(TCase *tests)
{
    tcase_add_test(tests, a_path_goes_through_its_places_at_their_times);
    tcase_add_test(tests, velocities_are_the_slopes_of_the_path);
    tcase_add_test(tests, a_path_rests_at_its_ends_or_begins_again);
    tcase_add_test(tests, rotations_are_about_fixed_axes_x_then_y_then_z);
    tcase_add_test(tests, what_is_switched_is_there_in_its_times_only);
}
