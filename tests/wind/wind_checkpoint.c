/* SPDX-License-Identifier: MIT */
/* Checkpoints: bit for bit, and none that is damaged or another wind's. */
#include "wind/winds.h"

START_TEST(a_resumed_wind_goes_on_bit_for_bit)
{
    foehn_wind_params params = testing_is_tiny() ? winds_sized(7, 5, 6) : winds_sized(21, 9, 18);
    params.spacing_vertical = 3;
    params.state.gustiness = 0.9f;
    for (int scheme = 0; scheme < (testing_is_tiny() ? 2 : WINDS_VARIANTS); scheme++)
        for (int variant = 0; variant < 4; variant += testing_is_tiny() ? 3 : 1) {
            const char *name = winds_set_variant(&params, scheme);
            int averaging = variant & 1;
            params.sides = (foehn_wind_sides)(variant >> 1);
            params.center[1] = variant > 1 ? 20 : NAN;
            foehn_wind *a = winds_lived(params), *b = winds_lived(params);
            double center[3] = {13, 8, -26};
            winds_step(a, 3, 0.2f);
            OK(foehn_wind_set_center(a, center));
            winds_step(a, 2, 0.2f);
            OK(foehn_wind_set_averaging(a, averaging));
            winds_step(a, variant == 3 ? 0 : 4, 0.2f); /* also before the first sample of a mean */
            double pending[3] = {17, 11, -22};
            OK(foehn_wind_set_center(a, pending)); /* not yet there */
            size_t size;
            char *saved = winds_state(a, &size);
            winds_step(b, 2, 0.3f); /* whatever it did before is forgotten */
            OK(foehn_wind_write_checkpoint(b, size, saved));
            ck_assert_uint_eq(foehn_wind_get_checkpoint_size(b), size);
            for (int f = FOEHN_WIND_U; f <= FOEHN_WIND_CURL; f++) {
                float *theirs = winds_read(a, (foehn_wind_field)f);
                float *ours = winds_read(b, (foehn_wind_field)f);
                for (size_t c = 0; c < winds_cells(a); c++)
                    ck_assert_msg(memcmp(&theirs[c], &ours[c], sizeof *ours) == 0,
                                  "%s, variant %d: field %d, cell %zu: %.9g, not %.9g", name,
                                  variant, f, c, (double)ours[c], (double)theirs[c]);
                free(theirs);
                free(ours);
            }
            free(saved);
            foehn_wind_state state = {.u10 = 14, .from = 200, .gustiness = 0.5f};
            double further[3] = {-4, 11, -40};
            foehn_wind *both[2] = {a, b};
            char *ends[2];
            size_t sizes[2];
            for (int n = 0; n < 2; n++) {
                winds_step(both[n], 5, 0.2f);
                OK(foehn_wind_set_state(both[n], &state));
                winds_step(both[n], 3, 0.2f);
                OK(foehn_wind_set_center(both[n], further));
                winds_step(both[n], 3, 0.2f);
                ends[n] = winds_state(both[n], &sizes[n]);
            }
            ck_assert_uint_eq(sizes[0], sizes[1]);
            ck_assert_msg(memcmp(ends[0], ends[1], sizes[0]) == 0, "%s, variant %d", name, variant);
            for (int n = 0; n < 2; n++) {
                free(ends[n]);
                foehn_wind_destroy(both[n]);
            }
        }
}
END_TEST

START_TEST(checkpoints_that_are_damaged_or_foreign_are_refused)
{
    foehn_wind_params params = winds_sized(5, 4, 6);
    foehn_wind *w = winds_lived(params);
    winds_step(w, 4, 0.2f);
    size_t size, again;
    char *good = winds_state(w, &size), *bad = testing_alloc(size + 64);
    /* Too short, too long, empty. */
    const size_t sizes[] = {0, 1, 7, 8, 64, size / 2, size - 4, size - 1, size + 1, size + 64};
    memcpy(bad, good, size);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        FAILS(FOEHN_ERROR_ARGUMENT, "", foehn_wind_write_checkpoint(w, sizes[n], bad));
    FAILS(FOEHN_ERROR_ARGUMENT, "bytes", foehn_wind_read_checkpoint(w, size - 1, bad));
    /* Any byte changed. */
    int accepted = 0;
    for (size_t n = 0; n < size; n += n < 2048 ? 1 : 37) {
        memcpy(bad, good, size);
        bad[n] = (char)(bad[n] ^ 0x40);
        accepted += foehn_wind_write_checkpoint(w, size, bad) == FOEHN_OK;
    }
    ck_assert_int_eq(accepted, 0);
    /* Of a wind of another size, or with other parameters. */
    for (int n = 0; n < 6; n++) {
        foehn_wind_params other = params;
        n == 0   ? (void)(other.nx = 6)
        : n == 1 ? (void)(other.spacing_horizontal = 5)
        : n == 2 ? (void)(other.spacing_vertical = 5)
        : n == 3 ? (void)(other.seed = 99)
        : n == 4 ? (void)(other.z0 = 0.5f)
                 : (void)(other.sides = FOEHN_WIND_SIDES_PERIODIC);
        foehn_wind *stranger = winds_create(other);
        size_t theirs;
        char *before = winds_state(stranger, &theirs), *after;
        ck_assert_msg(foehn_wind_write_checkpoint(stranger, size, good) == FOEHN_ERROR_ARGUMENT,
                      "a checkpoint of other parameters (%d) was taken", n);
        after = winds_state(stranger, &theirs);
        ck_assert(memcmp(before, after, theirs) == 0);
        free(before);
        free(after);
        foehn_wind_destroy(stranger);
    }
    /* After all this the wind is what it was. */
    char *still = winds_state(w, &again);
    ck_assert_uint_eq(size, again);
    ck_assert(memcmp(good, still, size) == 0);
    free(still);
    free(good);
    free(bad);
    foehn_wind_destroy(w);
}
END_TEST

void add_wind_checkpoint_tests(TCase *tests)
{
    tcase_add_test(tests, a_resumed_wind_goes_on_bit_for_bit);
    tcase_add_test(tests, checkpoints_that_are_damaged_or_foreign_are_refused);
}
