/* SPDX-License-Identifier: MIT */
/* Starting again, and going on. */
#include "fire/fires.h"

START_TEST(a_restarted_fire_is_a_new_one)
{
    foehn_fire_params p = fires_lively(12);
    foehn_fire *fire = fires_create(&p);
    uint64_t bits[2];
    fires_light(fire, 0.2, 0.3, 13);
    for (int run = 0; run < 2; run++) {
        OK(foehn_fire_restart(fire));
        for (int n = 0; n < 6; n++)
            OK(foehn_fire_step(fire));
        bits[run] = fires_bits(fire);
    }
    ck_assert(bits[0] == bits[1]);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_checkpoint_goes_on_bit_for_bit)
{
    foehn_fire_params p = fires_lively(12);
    foehn_fire *one = fires_create(&p), *other = fires_create(&p);
    fires_light(one, 0.2, 0.3, 13);
    fires_light(other, 0.2, 0.3, 13);
    for (int n = 0; n < 5; n++)
        OK(foehn_fire_step(one));
    size_t size = foehn_fire_get_checkpoint_size(one);
    char *bytes = malloc(size);
    ck_assert_ptr_nonnull(bytes);
    OK(foehn_fire_read_checkpoint(one, size, bytes));
    OK(foehn_fire_write_checkpoint(other, size, bytes));
    for (int n = 0; n < 3; n++) {
        OK(foehn_fire_step(one));
        OK(foehn_fire_step(other));
    }
    ck_assert(fires_bits(one) == fires_bits(other));
    foehn_fire_measures m[2];
    OK(foehn_fire_read_measures(one, &m[0]));
    OK(foehn_fire_read_measures(other, &m[1]));
    ck_assert(m[0].emitted == m[1].emitted && m[0].dissipated == m[1].dissipated);
    uint64_t before = fires_bits(other);
    bytes[size / 2] ^= 1;
    FAILS(FOEHN_ERROR_ARGUMENT, "damaged", foehn_fire_write_checkpoint(other, size, bytes));
    FAILS(FOEHN_ERROR_ARGUMENT, "bytes", foehn_fire_read_checkpoint(one, size - 1, bytes));
    ck_assert(fires_bits(other) == before);
    bytes[size / 2] ^= 1;
    p.buoyancy = 1;
    foehn_fire *third = fires_create(&p);
    FAILS(FOEHN_ERROR_ARGUMENT, "parameters", foehn_fire_write_checkpoint(third, size, bytes));
    free(bytes);
    foehn_fire_destroy(one);
    foehn_fire_destroy(other);
    foehn_fire_destroy(third);
}
END_TEST

void add_fire_checkpoint_tests(TCase *tests)
{
    tcase_add_test(tests, a_restarted_fire_is_a_new_one);
    tcase_add_test(tests, a_checkpoint_goes_on_bit_for_bit);
}
