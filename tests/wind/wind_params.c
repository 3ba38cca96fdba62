/* SPDX-License-Identifier: MIT */
/* Parameters and other arguments, memory, defaults. */
#include "wind/winds.h"

START_TEST(parameters_out_of_range_are_named)
{
    const foehn_wind_params good = winds_sized(4, 4, 4);
    uint64_t before = foehn_context_get_memory(context), bytes;
#define REFUSED(part, ...)                                                                         \
    do {                                                                                           \
        foehn_wind_params p = good;                                                                \
        foehn_wind *w = (foehn_wind *)(void *)context;                                             \
        __VA_ARGS__;                                                                               \
        FAILS(FOEHN_ERROR_ARGUMENT, part, foehn_wind_create(context, &p, &w));                     \
        ck_assert_ptr_null(w);                                                                     \
        FAILS(FOEHN_ERROR_ARGUMENT, part, foehn_wind_params_get_memory(&p, &bytes));               \
    } while (0)
    REFUSED("struct_size", p.struct_size = 0);
    REFUSED("0 x 4 x 4", p.nx = 0);
    REFUSED("4 x -1 x 4", p.ny = -1);
    REFUSED("4097", p.nz = 4097);
    REFUSED("0 x 4 m", p.spacing_horizontal = 0);
    REFUSED("nan", p.spacing_horizontal = NAN);
    REFUSED("inf", p.spacing_vertical = INFINITY);
    REFUSED("-1", p.spacing_vertical = -1);
    REFUSED("1e-30", p.spacing_horizontal = 1e-30f);
    REFUSED("1e+10", p.spacing_vertical = 1e10f);
    REFUSED("1e+19", p.center[0] = 1e19);
    REFUSED("-1e+19", p.center[1] = -1e19);
    REFUSED("center", p.center[0] = (double)NAN);
    REFUSED("center", p.center[1] = (double)INFINITY);
    REFUSED("center", p.center[2] = (double)-INFINITY);
    REFUSED("scheme 9", p.scheme = (foehn_wind_scheme)9);
    REFUSED("pressure method 7", p.pressure = (foehn_wind_pressure)7);
    REFUSED("0 pressure cycles", p.cycles = 0);
    REFUSED("divergence", p.divergence = -1e-5f);
    REFUSED("divergence", p.divergence = NAN);
    REFUSED("advection 3", p.advection = (foehn_wind_advection)3);
    REFUSED("MacCormack", p.scheme = FOEHN_WIND_COLLOCATED, p.advection = FOEHN_WIND_MACCORMACK);
    REFUSED("solids 4", p.solids = (foehn_wind_solids)4);
    REFUSED("sides 5", p.sides = (foehn_wind_sides)5);
    REFUSED("0 pressure sweeps", p.sweeps = 0);
    REFUSED("10001", p.sweeps = 10001);
    REFUSED("z0 = 0", p.z0 = 0);
    REFUSED("z0 = 10", p.z0 = 10);
    REFUSED("z0 = nan", p.z0 = NAN);
    REFUSED("relaxation", p.relaxation = -0.1f);
    REFUSED("relaxation", p.relaxation = INFINITY);
    REFUSED("noise_amplitude", p.noise_amplitude = -1);
    REFUSED("noise_wavelength", p.noise_wavelength = NAN);
    REFUSED("max_speed", p.max_speed = -1);
    REFUSED("u10 = 201", p.state.u10 = 201);
    REFUSED("u10 = nan", p.state.u10 = NAN);
    REFUSED("from", p.state.from = INFINITY);
    REFUSED("gustiness = 1.1", p.state.gustiness = 1.1f);
    REFUSED("gustiness = -0.1", p.state.gustiness = -0.1f);
#undef REFUSED
    foehn_wind_params p = good;
    FAILS(FOEHN_ERROR_ARGUMENT, "best", foehn_wind_params_set_quality(&p, "best"));
    ck_assert(memcmp(&p, &good, sizeof p) == 0);
    ck_assert_uint_eq(foehn_context_get_memory(context), before);
}
END_TEST

START_TEST(an_old_callers_shorter_parameters_work)
{
    struct {
        foehn_wind_params params;
        char guard[8];
    } old;
    memset(&old, 0x5a, sizeof old);
    size_t size = offsetof(foehn_wind_params, max_speed);
    foehn_wind_params_init(&old.params, size);
    ck_assert_uint_eq(old.params.struct_size, size);
    for (size_t i = size; i < sizeof old; i++)
        ck_assert_int_eq(((char *)&old)[i], 0x5a);
    old.params.nx = old.params.ny = old.params.nz = 3;
    foehn_wind *w;
    foehn_wind_state state;
    OK(foehn_wind_create(context, &old.params, &w));
    foehn_wind_get_state(w, &state);
    ck_assert(state.u10 == 10 && state.from == 270); /* what it does not know has its default */
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(wrong_arguments_leave_the_wind_as_it_was)
{
    foehn_wind *w = winds_lived(winds_sized(5, 4, 6));
    winds_step(w, 3, 0.2f);
    size_t size, again;
    char *before = winds_state(w, &size);
    float *field = testing_alloc(winds_cells(w) * sizeof *field);
    const float times[] = {0, -1, NAN, INFINITY, -INFINITY, 1e30f, 1.1e6f};
    for (size_t n = 0; n < sizeof times / sizeof *times; n++)
        FAILS(FOEHN_ERROR_ARGUMENT, "dt", foehn_wind_step(w, times[n]));
    for (int n = 0; n < 3; n++) {
        foehn_wind_state state = {.u10 = 5, .from = 5, .gustiness = 0.5f};
        n == 0 ? (state.u10 = -1) : n == 1 ? (state.from = NAN) : (state.gustiness = 2);
        FAILS(FOEHN_ERROR_ARGUMENT, "", foehn_wind_set_state(w, &state));
        double center[3] = {0, 0, 0};
        center[n] = (double)NAN;
        FAILS(FOEHN_ERROR_ARGUMENT, "center", foehn_wind_set_center(w, center));
        center[n] = (double)INFINITY;
        FAILS(FOEHN_ERROR_ARGUMENT, "center", foehn_wind_set_center(w, center));
        center[n] = -1e19;
        FAILS(FOEHN_ERROR_ARGUMENT, "center", foehn_wind_set_center(w, center));
    }
    float heights[4] = {0, 1, 2, 3};
    const foehn_terrain good = {
        .nx = 2, .nz = 2, .origin = {0, 0}, .spacing = {1, 1}, .heights = heights};
    for (int n = 0; n < 9; n++) {
        foehn_terrain t = good;
        n == 0   ? (void)(t.nx = 0)
        : n == 1 ? (void)(t.nz = 32769)
        : n == 2 ? (void)(t.spacing[0] = 0)
        : n == 3 ? (void)(t.spacing[1] = (double)NAN)
        : n == 4 ? (void)(t.origin[0] = (double)INFINITY)
        : n == 5 ? (void)(t.origin[1] = (double)NAN)
        : n == 6 ? (void)(t.heights = NULL)
        : n == 7 ? (void)(heights[3] = NAN)
                 : (void)(heights[3] = INFINITY);
        FAILS(FOEHN_ERROR_ARGUMENT, "terrain", foehn_wind_set_terrain(w, &t));
    }
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "(1, 1)")); /* which sample */
    float blows[2] = {0, 0};
    const foehn_wind_map still = {
        .nx = 2, .nz = 1, .origin = {0, 0}, .spacing = {1, 1}, .u = blows, .w = blows};
    for (int n = 0; n < 7; n++) {
        foehn_wind_map m = still;
        n == 0   ? (void)(m.nx = 32769)
        : n == 1 ? (void)(m.nz = 0)
        : n == 2 ? (void)(m.spacing[1] = 0)
        : n == 3 ? (void)(m.origin[0] = (double)NAN)
        : n == 4 ? (void)(m.w = NULL)
        : n == 5 ? (void)(m.depth = -1)
                 : (void)(blows[1] = 201);
        FAILS(FOEHN_ERROR_ARGUMENT, "a map of the wind", foehn_wind_set_map(w, &m));
    }
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), "(1, 0)"));
    FAILS(FOEHN_ERROR_ARGUMENT, "99", foehn_wind_read(w, (foehn_wind_field)99, field));
    FAILS(FOEHN_ERROR_ARGUMENT, "mean", foehn_wind_read(w, FOEHN_WIND_MEAN_W, field));
    FAILS(FOEHN_ERROR_ARGUMENT, "mean", foehn_wind_read_points(w, 1, 1, (double[3]){0}, field));
    for (int f = FOEHN_WIND_DIVERGENCE; f <= FOEHN_WIND_STD_SPEED + 1; f++)
        FAILS(FOEHN_ERROR_ARGUMENT, "cannot be written",
              foehn_wind_write(w, (foehn_wind_field)f, field));
    char *after = winds_state(w, &again);
    ck_assert_uint_eq(size, again);
    ck_assert(memcmp(before, after, size) == 0);
    free(before);
    free(after);
    free(field);
    foehn_wind_destroy(w);
    foehn_wind_destroy(NULL);
}
END_TEST

START_TEST(a_cell_takes_no_more_than_80_bytes)
{
    const char *const qualities[] = {"low", "medium", "high", "ultra"};
    for (int n = 0; n < 8; n++) {
        int q = n % 4;
        foehn_wind_params params = foehn_wind_params_default();
        params.scheme = n < 4 ? FOEHN_WIND_COLLOCATED : FOEHN_WIND_STAGGERED;
        OK(foehn_wind_params_set_quality(&params, qualities[q]));
        uint64_t before = foehn_context_get_memory(context), said;
        foehn_wind *w = winds_create(params);
        foehn_wind_info info;
        foehn_wind_get_info(w, &info);
        uint64_t held = foehn_context_get_memory(context) - before;
        double each = (double)held / (double)winds_cells(w);
        testing_report("%s, %s: %.1f bytes a cell", qualities[q],
                       n < 4 ? "collocated" : "staggered", each);
        /* The staggered scheme on the smallest grid is the one exception: ghosts and small
         * multigrid levels outweigh its 8192 cells. */
        if (n != 4)
            ck_assert_double_le(each, 80);
        ck_assert_uint_eq(info.memory_bytes, held);
        OK(foehn_wind_params_get_memory(&params, &said));
        /* Buffers are rounded up to 64 bytes; small multigrid levels depend on the device. */
        NEAR(said, held, n < 4 ? 64 * 16 : 0.06 * (double)held);
        foehn_wind_destroy(w);
        ck_assert_uint_eq(foehn_context_get_memory(context), before);
    }
}
END_TEST

START_TEST(a_grid_that_does_not_fit_is_refused_with_both_numbers)
{
    const foehn_device_info *d = &context->device.info;
    uint64_t before = foehn_context_get_memory(context);
    uint64_t launches = foehn_context_get_launches(context), bytes;
    foehn_wind *w = (foehn_wind *)(void *)context;
    char number[64];
    /* One field larger than the largest buffer. */
    foehn_wind_params params = winds_sized(4096, 4096, 4096);
    FAILS(FOEHN_ERROR_MEMORY, "4096 x 4096 x 4096", foehn_wind_create(context, &params, &w));
    ck_assert_ptr_null(w);
    snprintf(number, sizeof number, "%.1f MiB", (double)d->largest_allocation_bytes / 1048576);
    ck_assert_ptr_nonnull(strstr(foehn_last_error(), number));

    /* Fields that fit one by one, but not all. */
    uint64_t cells = d->memory_bytes / 36;
    int n = 64;
    while (cells / ((uint64_t)n * (uint64_t)n) > 4096)
        n *= 2;
    params = winds_sized(n, (int)(cells / ((uint64_t)n * (uint64_t)n)), n);
    OK(foehn_wind_params_get_memory(&params, &bytes));
    ck_assert_uint_gt(bytes, d->memory_bytes);
    FAILS(FOEHN_ERROR_MEMORY, "fewer cells", foehn_wind_create(context, &params, &w));
    ck_assert_ptr_null(w);
    snprintf(number, sizeof number, "%.1f MiB", (double)bytes / 1048576);
    ck_assert_msg(strstr(foehn_last_error(), number) ||
                      4 * bytes / 42 > d->largest_allocation_bytes,
                  "no %s in: %s", number, foehn_last_error());
    ck_assert_uint_eq(foehn_context_get_memory(context), before);
    ck_assert_uint_eq(foehn_context_get_launches(context), launches);
}
END_TEST

START_TEST(the_defaults_are_the_documented_ones)
{
    const struct {
        const char *name;
        int nx, ny, nz, sweeps;
    } qualities[] = {{"low", 32, 8, 32, 10},
                     {"medium", 48, 12, 48, 10},
                     {"high", 64, 16, 64, 12},
                     {"ultra", 96, 24, 96, 40}};
    for (int q = 0; q < 4; q++) {
        foehn_wind_params p = foehn_wind_params_default();
        OK(foehn_wind_params_set_quality(&p, qualities[q].name));
        ck_assert(p.nx == qualities[q].nx && p.ny == qualities[q].ny && p.nz == qualities[q].nz &&
                  p.sweeps == qualities[q].sweeps);
    }
    foehn_wind_params p = foehn_wind_params_default();
    ck_assert(p.spacing_horizontal == 4 && p.spacing_vertical == 4 && p.z0 == 0.03f);
    ck_assert(p.relaxation == 0.5f && p.noise_amplitude == 0.35f && p.nx == 64 && p.sweeps == 12);
}
END_TEST

void add_wind_params_tests(TCase *tests)
{
    tcase_add_test(tests, parameters_out_of_range_are_named);
    tcase_add_test(tests, an_old_callers_shorter_parameters_work);
    tcase_add_test(tests, wrong_arguments_leave_the_wind_as_it_was);
    tcase_add_test(tests, a_cell_takes_no_more_than_80_bytes);
    tcase_add_test(tests, a_grid_that_does_not_fit_is_refused_with_both_numbers);
    tcase_add_test(tests, the_defaults_are_the_documented_ones);
}
