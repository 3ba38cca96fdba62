/* SPDX-License-Identifier: MIT */
/* Checkpoints of the flow lab: a run that is stopped and resumed is the run that was not. */
#include "testing.h"

#include <foehn/flow.h>

enum { SIDES = 0, FRACTIONS, RINGS, SOR, REFLECTION, VARIANTS };

static foehn_flow_params params_of(int variant)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = testing_is_tiny() ? 14 : 40;
    p.ny = testing_is_tiny() ? 9 : 23;
    p.particles = 50;
    p.cycles = variant == SOR ? 12 : 2;
    p.solver = variant == SOR ? FOEHN_FLOW_SOR : FOEHN_FLOW_MULTIGRID;
    p.surface = variant == FRACTIONS ? FOEHN_FLOW_FRACTIONS : FOEHN_FLOW_STAIRCASE;
    p.splitting = variant == REFLECTION ? FOEHN_FLOW_REFLECTION : FOEHN_FLOW_PLAIN;
    p.force[1] = -0.1f;
    if (variant == RINGS)
        for (int i = 0; i < 4; i++)
            p.sides[i].kind = FOEHN_FLOW_PERIODIC;
    else {
        p.sides[FOEHN_FLOW_LEFT] = (foehn_flow_side){FOEHN_FLOW_INFLOW, 0.4f, 1};
        p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_OUTFLOW;
        p.sides[FOEHN_FLOW_TOP].kind = FOEHN_FLOW_SLIP;
    }
    return p;
}

static foehn_flow *make(foehn_flow_params p)
{
    foehn_flow *f;
    const foehn_flow_obstacle o = {
        .shape = FOEHN_FLOW_CYLINDER, .center = {0.6f, 0.5f}, .size = 0.3f};
    OK(foehn_flow_create(context, &p, &f));
    OK(foehn_flow_set_obstacle(f, 0, &o));
    return f;
}

static void steps(foehn_flow *f, int count)
{
    for (int i = 0; i < count; i++)
        OK(foehn_flow_step(f, 1.0f / 60));
}

static void stir(foehn_flow *f, float x, float y)
{
    const foehn_flow_stir s = {{x, 0.2f}, {x, 0.7f}, {0, y}, 0.1f, {0.5f, 0.2f, 0, 1}};
    OK(foehn_flow_add_stir(f, &s));
}

static char *state_of(foehn_flow *f, size_t *size)
{
    *size = foehn_flow_get_checkpoint_size(f);
    char *bytes = testing_alloc(*size);
    OK(foehn_flow_read_checkpoint(f, *size, bytes));
    return bytes;
}

/* All that a hand can do, so that all of it has to be kept. */
static void live(foehn_flow *f)
{
    const float line[3][2] = {{1.0f, 0.2f}, {1.1f, 0.3f}, {1.1f, 0.5f}};
    stir(f, 0.3f, 1);
    steps(f, 2);
    OK(foehn_flow_draw(f, 3, line));
    OK(foehn_flow_set_viscosity(f, 1e-3f));
    OK(foehn_flow_drag(f, 0, (const float[2]){0.61f, 0.51f}, 1.0f / 60));
    steps(f, 1);
    stir(f, 0.9f, -0.5f); /* waits for the next step */
    OK(foehn_flow_drag(f, 0, (const float[2]){0.62f, 0.51f}, 1.0f / 60));
}

START_TEST(a_resumed_flow_goes_on_bit_for_bit)
{
    for (int variant = 0; variant < VARIANTS; variant++) {
        foehn_flow *a = make(params_of(variant)), *b = make(params_of(variant));
        live(a);
        if (variant != RINGS)
            OK(foehn_flow_set_side_speed(a, FOEHN_FLOW_LEFT, 0.5f));
        size_t size, sizes[2];
        char *saved = state_of(a, &size), *ends[2];
        stir(b, 1.2f, 2); /* whatever it did before is forgotten */
        steps(b, 4);
        OK(foehn_flow_write_checkpoint(b, size, saved));
        foehn_flow *both[2] = {a, b};
        for (int n = 0; n < 2; n++) {
            steps(both[n], 3);
            OK(foehn_flow_set_terms(both[n], FOEHN_FLOW_ALL_TERMS & ~FOEHN_FLOW_FORCE));
            steps(both[n], testing_is_tiny() ? 1 : 4);
            ends[n] = state_of(both[n], &sizes[n]);
        }
        foehn_flow_info info;
        foehn_flow_get_info(b, &info);
        ck_assert_uint_eq(info.step, testing_is_tiny() ? 7 : 10);
        ck_assert_uint_eq(sizes[0], sizes[1]);
        ck_assert_msg(memcmp(ends[0], ends[1], sizes[0]) == 0, "variant %d", variant);
        foehn_flow_push push[2];
        for (int n = 0; n < 2; n++)
            OK(foehn_flow_read_push(both[n], 0, &push[n]));
        ck_assert_mem_eq(&push[0], &push[1], sizeof push[0]);
        for (int n = 0; n < 2; n++) {
            free(ends[n]);
            foehn_flow_destroy(both[n]);
        }
        free(saved);
    }
}
END_TEST

START_TEST(checkpoints_that_are_damaged_or_foreign_are_refused)
{
    foehn_flow_params p = params_of(SIDES);
    p.nx = 6;
    p.ny = 5;
    foehn_flow *f = make(p);
    steps(f, 2);
    size_t size, again;
    char *good = state_of(f, &size), *bad = testing_alloc(size + 64);
    const size_t sizes[] = {0, 1, 8, 64, size / 2, size - 4, size - 1, size + 1, size + 64};
    memset(bad, 0, size + 64);
    memcpy(bad, good, size);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        FAILS(FOEHN_ERROR_ARGUMENT, "", foehn_flow_write_checkpoint(f, sizes[n], bad));
    FAILS(FOEHN_ERROR_ARGUMENT, "bytes", foehn_flow_read_checkpoint(f, size - 1, bad));
    int accepted = 0;
    for (size_t n = 0; n < size; n += 37) {
        memcpy(bad, good, size);
        bad[n] = (char)(bad[n] ^ 0x40);
        accepted += foehn_flow_write_checkpoint(f, size, bad) == FOEHN_OK;
    }
    ck_assert_int_eq(accepted, 0);
    char *still = state_of(f, &again);
    ck_assert_mem_eq(still, good, size);
    free(still);
    for (int n = 0; n < 6; n++) {
        foehn_flow_params other = p;
        n == 0   ? (void)(other.nx = 7)
        : n == 1 ? (void)(other.height = 2)
        : n == 2 ? (void)(other.surface = FOEHN_FLOW_FRACTIONS)
        : n == 3 ? (void)(other.seed = 99)
        : n == 4 ? (void)(other.splitting = FOEHN_FLOW_REFLECTION)
                 : (void)(other.sides[FOEHN_FLOW_TOP].kind = FOEHN_FLOW_WALL);
        foehn_flow *stranger = make(other);
        size_t theirs;
        char *before = state_of(stranger, &theirs), *after;
        FAILS(FOEHN_ERROR_ARGUMENT, n == 0 ? "6 x 5 cells" : "other parameters",
              foehn_flow_write_checkpoint(stranger, size, good));
        after = state_of(stranger, &theirs);
        ck_assert_mem_eq(before, after, theirs);
        free(before);
        free(after);
        foehn_flow_destroy(stranger);
    }
    free(good);
    free(bad);
    foehn_flow_destroy(f);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("flow checkpoint", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, a_resumed_flow_goes_on_bit_for_bit);
    tcase_add_test(tests, checkpoints_that_are_damaged_or_foreign_are_refused);
    return testing_end();
}
