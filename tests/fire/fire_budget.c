/* SPDX-License-Identifier: MIT */
/* The budget of smoke. */
#include "fire/fires.h"

START_TEST(smoke_in_still_air_is_what_was_emitted_less_what_dissipated)
{
    foehn_fire_params p = fires_quiet();
    p.account = 1;
    p.dissipation = 1.02f;
    foehn_fire *fire = fires_create(&p);
    fires_light(fire, 0.3, 0.6, 2);
    for (int n = 0; n < 200; n++)
        OK(foehn_fire_step(fire));
    foehn_fire_measures m;
    OK(foehn_fire_read_measures(fire, &m));
    ck_assert(m.emitted > 0 && m.dissipated > 0);
    NEAR(m.emitted - m.dissipated, m.total_density, 1e-4 * m.total_density);
    NEAR(m.carried, 0, 1e-5 * m.emitted);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(the_budget_of_a_burning_fire_closes)
{
    foehn_fire_params p = fires_lively(16);
    foehn_fire *fire = fires_create(&p);
    foehn_fire_measures m;
    fires_light(fire, 0.25, 0.4, 13);
    for (int n = 0; n < 90; n++)
        OK(foehn_fire_step(fire));
    OK(foehn_fire_read_measures(fire, &m));
    testing_report("smoke: emitted %.4f, dissipated %.4f, carried off %.4f, there %.4f m3",
                   m.emitted, m.dissipated, m.carried, m.total_density);
    NEAR(m.emitted - m.dissipated - m.carried, m.total_density, 1e-4 * m.total_density);
    ck_assert(m.max_temperature > 1 && m.plume_height > 0.4 && m.max_speed > 0.5);
    foehn_fire_destroy(fire);
}
END_TEST

void add_fire_budget_tests(TCase *tests)
{
    tcase_add_test(tests, smoke_in_still_air_is_what_was_emitted_less_what_dissipated);
    tcase_add_test(tests, the_budget_of_a_burning_fire_closes);
}
