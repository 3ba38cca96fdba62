/* SPDX-License-Identifier: MIT */
/* Checkpoints whose checksum is right and whose words are anything: taken or refused, but never
 * followed out of an array, and refused ones change nothing. */
#include "testing.h"

#include "device/internal.h"

#include <foehn/fire.h>
#include <foehn/flow.h>
#include <foehn/wind.h>

/* One of the three simulations. */
typedef struct kind {
    void *it;
    size_t (*size)(const void *it);
    foehn_status (*read)(void *it, size_t size, void *bytes);
    foehn_status (*write)(void *it, size_t size, const void *bytes);
    foehn_status (*step)(void *it);
} kind;

/* clang-format off */
static size_t wind_size(const void *w) { return foehn_wind_get_checkpoint_size(w); }
static foehn_status wind_read(void *w, size_t n, void *b) { return foehn_wind_read_checkpoint(w, n, b); }
static foehn_status wind_write(void *w, size_t n, const void *b) { return foehn_wind_write_checkpoint(w, n, b); }
static foehn_status wind_step(void *w) { return foehn_wind_step(w, 0.5f); }
static size_t flow_size(const void *f) { return foehn_flow_get_checkpoint_size(f); }
static foehn_status flow_read(void *f, size_t n, void *b) { return foehn_flow_read_checkpoint(f, n, b); }
static foehn_status flow_write(void *f, size_t n, const void *b) { return foehn_flow_write_checkpoint(f, n, b); }
static foehn_status flow_step(void *f) { return foehn_flow_step(f, 0.01f); }
static size_t fire_size(const void *f) { return foehn_fire_get_checkpoint_size(f); }
static foehn_status fire_read(void *f, size_t n, void *b) { return foehn_fire_read_checkpoint(f, n, b); }
static foehn_status fire_write(void *f, size_t n, const void *b) { return foehn_fire_write_checkpoint(f, n, b); }
static foehn_status fire_step(void *f) { return foehn_fire_update(f, 0.02); }
/* clang-format on */

/* The checksum follows the magic number, and is over all bytes with itself as 0. */
static void sign(size_t size, char *bytes)
{
    memset(bytes + 8, 0, sizeof(uint64_t));
    uint64_t sum = foehn_hash(FOEHN_HASH_BASIS, size, bytes);
    memcpy(bytes + 8, &sum, sizeof sum);
}

/* Each word of the first `most` bytes becomes each of these; behind `dense` only every seventh. */
static void take_anything(const kind *k, size_t dense, size_t most)
{
    static const uint32_t words[] = {0xffffffff, 0x7fffffff, 0x7f800000,
                                     0x00010000, 0xff7fffff, 17};
    size_t size = k->size(k->it), taken = 0, refused = 0;
    char *good = testing_alloc(size), *bad = testing_alloc(size), *now = testing_alloc(size);
    OK(k->read(k->it, size, good));
    if (testing_is_tiny())
        dense /= 8;
    for (size_t at = 16; at < most && at + 4 <= size; at += at < dense ? 4 : 28)
        for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
            memcpy(bad, good, size);
            memcpy(bad + at, &words[n], sizeof words[n]);
            sign(size, bad);
            foehn_status status = k->write(k->it, size, bad);
            if (status == FOEHN_OK) {
                taken++;
                OK(k->step(k->it));
                OK(k->write(k->it, size, good));
                continue;
            }
            refused++;
            ck_assert_msg(status == FOEHN_ERROR_ARGUMENT, "byte %zu as %x: %s", at, words[n],
                          foehn_last_error());
            OK(k->read(k->it, size, now));
            ck_assert_msg(memcmp(now, good, size) == 0,
                          "byte %zu as %x: refused, but the state has changed", at, words[n]);
        }
    testing_report("%zu taken, %zu refused", taken, refused);
    ck_assert(taken > 0 && refused > 0);
    free(good);
    free(bad);
    free(now);
}

START_TEST(a_wind_takes_or_refuses_whatever_its_checkpoint_says)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.nx = 8;
    p.ny = 4;
    p.nz = 8;
    p.state.gustiness = 1;
    foehn_wind *w;
    OK(foehn_wind_create(context, &p, &w));
    for (int n = 0; n < 40; n++) /* until gusts are on their way */
        OK(foehn_wind_step(w, 10));
    take_anything(&(kind){w, wind_size, wind_read, wind_write, wind_step}, 400, 1200);
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(a_flow_takes_or_refuses_whatever_its_checkpoint_says)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = 6;
    p.ny = 5;
    p.cycles = 1;
    p.particles = 3;
    foehn_flow *f;
    OK(foehn_flow_create(context, &p, &f));
    const foehn_flow_obstacle o = {.shape = FOEHN_FLOW_WING, .center = {0.6f, 0.5f}, .size = 0.3f};
    OK(foehn_flow_set_obstacle(f, 0, &o));
    const float line[2][2] = {{0.3f, 0.2f}, {0.4f, 0.7f}};
    OK(foehn_flow_draw(f, 2, line));
    const foehn_flow_stir s = {{0.5f, 0.2f}, {0.6f, 0.7f}, {0, 1}, 0.1f, {0.5f, 0.2f, 0, 1}};
    OK(foehn_flow_add_stir(f, &s));
    take_anything(&(kind){f, flow_size, flow_read, flow_write, flow_step}, 560, 6000);
    foehn_flow_destroy(f);
}
END_TEST

START_TEST(a_fire_takes_or_refuses_whatever_its_checkpoint_says)
{
    foehn_fire_params p = foehn_fire_params_default();
    for (int a = 0; a < 3; a++)
        p.size[a] = 0.8;
    p.physics_voxel = p.render_voxel = 0.1f;
    p.cycles = 1;
    foehn_fire *f;
    OK(foehn_fire_create(context, &p, &f));
    OK(foehn_fire_update(f, 0.05));
    take_anything(&(kind){f, fire_size, fire_read, fire_write, fire_step}, 240, 400);
    foehn_fire_destroy(f);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("hostile", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, a_wind_takes_or_refuses_whatever_its_checkpoint_says);
    tcase_add_test(tests, a_flow_takes_or_refuses_whatever_its_checkpoint_says);
    tcase_add_test(tests, a_fire_takes_or_refuses_whatever_its_checkpoint_says);
    return testing_end();
}
