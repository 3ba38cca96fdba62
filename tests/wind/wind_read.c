/* SPDX-License-Identifier: MIT */
/* What is read: means, points, volumes, snapshots. */
#include "wind/winds.h"
#include "wind/reference.h"

START_TEST(means_are_those_of_the_steps)
{
    enum { SAMPLES = 6 };
    foehn_wind_params params = winds_sized(9, 6, 7);
    params.state.gustiness = 0.9f;
    foehn_wind *w = winds_create(params);
    winds_put_hill(w, 6);
    size_t count = winds_cells(w);
    double *sums[5];
    float *nothing = testing_alloc(count * sizeof *nothing);
    for (int m = 0; m < 5; m++)
        sums[m] = testing_alloc(count * sizeof(double));
    FAILS(FOEHN_ERROR_ARGUMENT, "foehn_wind_set_averaging",
          foehn_wind_read(w, FOEHN_WIND_MEAN_U, nothing));
    winds_step(w, 3, 0.2f);
    for (int round = 0; round < 2; round++) { /* switched on again: starts anew */
        OK(foehn_wind_set_averaging(w, 1));
        for (int m = 0; m < 5; m++)
            memset(sums[m], 0, count * sizeof(double));
        for (int s = 0; s < SAMPLES; s++) {
            OK(foehn_wind_step(w, 0.2f));
            float *u[3];
            for (int a = 0; a < 3; a++)
                u[a] = winds_read(w, (foehn_wind_field)a);
            for (size_t c = 0; c < count; c++) {
                double square = 0;
                for (int a = 0; a < 3; a++) {
                    sums[a][c] += (double)u[a][c] / SAMPLES;
                    square += (double)u[a][c] * (double)u[a][c];
                }
                sums[3][c] += sqrt(square) / SAMPLES;
                sums[4][c] += square / SAMPLES;
            }
            for (int a = 0; a < 3; a++)
                free(u[a]);
        }
    }
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    ck_assert_int_eq(info.samples, SAMPLES);
    for (int m = 0; m < 4; m++) {
        float *mean = winds_read(w, (foehn_wind_field)(FOEHN_WIND_MEAN_U + m));
        for (size_t c = 0; c < count; c++)
            NEAR(mean[c], sums[m][c], 2e-5);
        free(mean);
    }
    float *std = winds_read(w, FOEHN_WIND_STD_SPEED);
    for (size_t c = 0; c < count; c++) /* a small difference of squares in single precision */
        NEAR((double)std[c] * (double)std[c], sums[4][c] - sums[3][c] * sums[3][c],
             4e-6 * (sums[4][c] + 1));
    OK(foehn_wind_set_averaging(w, 0));
    FAILS(FOEHN_ERROR_ARGUMENT, "foehn_wind_set_averaging",
          foehn_wind_read(w, FOEHN_WIND_STD_SPEED, nothing));
    for (int m = 0; m < 5; m++)
        free(sums[m]);
    free(std);
    free(nothing);
    foehn_wind_destroy(w);
}
END_TEST

/* Of every field that a model has: two calls against one. */
static void check_levels(foehn_wind *w, const foehn_wind_params *p)
{
    enum { LOW = 2 };
    const size_t nx = (size_t)p->nx, ny = (size_t)p->ny, nz = (size_t)p->nz, high = ny - LOW;
    float *whole = testing_alloc(nx * ny * nz * sizeof *whole),
          *low = testing_alloc(nx * LOW * nz * sizeof *low),
          *rest = testing_alloc(nx * high * nz * sizeof *rest);
    int read = 0;
    for (int field = FOEHN_WIND_U; field <= FOEHN_WIND_COVARIANCE_VW; field++) {
        const foehn_wind_field f = (foehn_wind_field)field;
        const foehn_status status = foehn_wind_read(w, f, whole);
        ck_assert_int_eq(foehn_wind_read_levels(w, f, 0, LOW, low), status);
        ck_assert_int_eq(foehn_wind_read_levels(w, f, LOW, (int)high, rest), status);
        read += status == FOEHN_OK;
        for (size_t k = 0; status == FOEHN_OK && k < nz; k++)
            ck_assert_msg(
                memcmp(whole + k * ny * nx, low + k * LOW * nx, LOW * nx * sizeof *whole) == 0 &&
                    memcmp(whole + (k * ny + LOW) * nx, rest + k * high * nx,
                           high * nx * sizeof *whole) == 0,
                "field %d of model %d", field, (int)p->model);
    }
    ck_assert_int_ge(read, FOEHN_WIND_STD_SPEED);
    FAILS(FOEHN_ERROR_ARGUMENT, "the box has 6",
          foehn_wind_read_levels(w, FOEHN_WIND_U, 5, 2, low));
    FAILS(FOEHN_ERROR_ARGUMENT, "from -1", foehn_wind_read_levels(w, FOEHN_WIND_U, -1, 2, low));
    FAILS(FOEHN_ERROR_ARGUMENT, "0 levels", foehn_wind_read_levels(w, FOEHN_WIND_U, 0, 0, low));
    free(whole);
    free(low);
    free(rest);
}

START_TEST(levels_are_those_of_the_whole_field)
{
    const foehn_wind_model models[] = {FOEHN_WIND_FORCING, FOEHN_WIND_MOMENTUM, FOEHN_WIND_LES};
    for (int n = 0; n < 3; n++) {
        foehn_wind_params params = winds_sized(9, 6, 7);
        params.model = models[n];
        params.spin_up = 0;
        foehn_wind *w = winds_create(params);
        winds_put_hill(w, 6);
        OK(foehn_wind_set_averaging(w, 1));
        winds_step(w, 2, 0.2f);
        check_levels(w, &params);
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(points_in_the_profile_follow_the_log_law_on_any_cells)
{
    const float spacings[] = {0.5f, 1, 4, 15, 25, 50};
    for (size_t n = 0; n < sizeof spacings / sizeof *spacings; n++) {
        foehn_wind_params params = winds_sized(5, 8, 4);
        params.spacing_horizontal = 20;
        params.spacing_vertical = spacings[n];
        params.z0 = 0.1f;
        params.state = (foehn_wind_state){.u10 = 7, .from = 180, .gustiness = 0};
        foehn_wind *w = winds_create(params);
        OK(foehn_wind_set_averaging(w, 1));
        winds_step(w, 2, 0.1f);
        double top = 7.5 * (double)spacings[n];
        for (int mean = 0; mean < 2; mean++) {
            const double heights[] = {0.05, 0.1, 0.5, 1, 2, 3.7, 5, 10, 20, 31, 50, 150};
            for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
                if (heights[h] > top)
                    continue;
                double points[3][3] = {
                    {0, heights[h], 0}, {13.7, heights[h], -21.9}, {-1e4, heights[h], 1e6}};
                float out[3][4];
                OK(foehn_wind_read_points(w, mean, 3, points[0], out[0]));
                for (int p = 0; p < 3; p++) {
                    double want = winds_profile(7, heights[h], (double)params.z0);
                    NEAR(out[p][0], 0, 1e-5);
                    NEAR(out[p][1], 0, 1e-5);
                    /* From the south: to the north, -z. */
                    NEAR(out[p][2], -want, 1e-5 * (want + 1));
                }
            }
        }
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(points_outside_and_strange_ones_are_answered)
{
    foehn_wind *w = winds_create(winds_sized(6, 4, 5));
    winds_step(w, 2, 0.1f);
    const double strange[] = {0, -50, 1e300, -1e300, 1e30, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof strange / sizeof *strange };
    double points[COUNT * COUNT * COUNT][3];
    static float out[COUNT * COUNT * COUNT][4];
    for (int n = 0; n < COUNT * COUNT * COUNT; n++) {
        points[n][0] = strange[n % COUNT];
        points[n][1] = strange[n / COUNT % COUNT];
        points[n][2] = strange[n / COUNT / COUNT];
    }
    OK(foehn_wind_read_points(w, 0, COUNT * COUNT * COUNT, points[0], out[0]));
    OK(foehn_wind_read_points(w, 0, 0, NULL, NULL));
    /* Far above: the top layer, not more. */
    double above[3] = {0, 1e6, 0}, top[3] = {0, 14, 0};
    float a[4], b[4];
    OK(foehn_wind_read_points(w, 0, 1, above, a));
    OK(foehn_wind_read_points(w, 0, 1, top, b));
    for (int i = 0; i < 4; i++)
        NEAR(a[i], b[i], 1e-5);
    foehn_wind_destroy(w);
}
END_TEST

/* A renderer's sampler: repeat addressing, linear filtering, uvw = world / extent. */
static double sample_volume(const foehn_volume_info *v, const float *floats, const double world[3],
                            int component)
{
    const int n[3] = {v->nx, v->ny, v->nz};
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t place[3];
        for (int a = 0; a < 3; a++) {
            double t = world[a] / v->extent[a] * n[a] - 0.5, whole = floor(t);
            int up = corner >> a & 1;
            weight *= up ? t - whole : 1 - (t - whole);
            long cell = ((long)whole + up) % n[a];
            place[a] = (size_t)(cell < 0 ? cell + n[a] : cell);
        }
        sum += weight *
               (double)floats[4 * ((place[2] * (size_t)n[1] + place[1]) * (size_t)n[0] + place[0]) +
                              (size_t)component];
    }
    return sum;
}

START_TEST(a_renderer_finds_the_wind_at_world_over_extent)
{
    const double centers[][3] = {{0, 10, 0}, {1000.3, 14, -2000.7}, {-777, -31, 5}, {4e5, 100, -3}};
    foehn_wind_params params = winds_sized(10, 7, 13);
    params.spacing_vertical = 3;
    params.state.gustiness = 1;
    foehn_wind *w = winds_create(params);
    foehn_volume *volume;
    OK(foehn_volume_create(context, 10, 7, 13, &volume));
    size_t count = winds_cells(w);
    float *floats = testing_alloc(count * 4 * sizeof *floats);
    uint16_t *halves = testing_alloc(count * 4 * sizeof *halves);
    for (size_t n = 0; n < sizeof centers / sizeof *centers; n++) {
        OK(foehn_wind_set_center(w, centers[n]));
        winds_step(w, testing_is_tiny() ? 1 : 4, 0.1f);
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_volume_read_floats(volume, floats));
        OK(foehn_volume_read_halves(volume, halves));
        foehn_volume_info v;
        foehn_wind_info info;
        foehn_volume_get_info(volume, &v);
        foehn_wind_get_info(w, &info);
        ck_assert(memcmp(v.origin, info.origin, sizeof v.origin) == 0);
        ck_assert(memcmp(v.extent, info.extent, sizeof v.extent) == 0);
        ck_assert(memcmp(v.spacing, info.spacing, sizeof v.spacing) == 0);
        ck_assert(v.step == info.step && v.time == info.time);
        float *u[4];
        for (int a = 0; a < 3; a++)
            u[a] = winds_read(w, (foehn_wind_field)a);
        u[3] = winds_read(w, FOEHN_WIND_CURL);
        for (int k = 0; k < 13; k++)
            for (int j = 0; j < 7; j++)
                for (int i = 0; i < 10; i++) {
                    size_t c = ((size_t)k * 7 + (size_t)j) * 10 + (size_t)i;
                    const double world[3] = {v.origin[0] + (i + 0.5) * v.spacing[0],
                                             v.origin[1] + (j + 0.5) * v.spacing[1],
                                             v.origin[2] + (k + 0.5) * v.spacing[2]};
                    double squares = 0;
                    for (int a = 0; a < 3; a++) {
                        double half = (double)foehn_half_to_float(reference_half(u[a][c]));
                        NEAR(sample_volume(&v, floats, world, a), half, 1e-6);
                        squares += (double)u[a][c] * (double)u[a][c];
                    }
                    double intensity = (double)u[3][c] / fmax(sqrt(squares), 0.1);
                    NEAR(sample_volume(&v, floats, world, 3), intensity, 6e-4 * intensity + 1e-6);
                    /* Half way to the next cell: between the two, also across the wrap. */
                    if (i == 9)
                        continue;
                    const double between[3] = {world[0] + v.spacing[0] / 2, world[1], world[2]};
                    NEAR(sample_volume(&v, floats, between, 0),
                         0.5 * ((double)u[0][c] + (double)u[0][c + 1]), 2e-2);
                }
        for (size_t i = 0; i < 4 * count; i++)
            ck_assert(floats[i] == foehn_half_to_float(halves[i]));
        for (int a = 0; a < 4; a++)
            free(u[a]);
    }
    free(floats);
    free(halves);
    foehn_volume_destroy(volume);
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(a_volume_tells_what_it_cannot_take)
{
    foehn_volume *volume = (foehn_volume *)(void *)context, *other;
    foehn_volume_info info;
    FAILS(FOEHN_ERROR_ARGUMENT, "0 x 4 x 4", foehn_volume_create(context, 0, 4, 4, &volume));
    ck_assert_ptr_null(volume);
    FAILS(FOEHN_ERROR_ARGUMENT, "4097", foehn_volume_create(context, 4, 4, 4097, &volume));
    FAILS(FOEHN_ERROR_MEMORY, "MiB", foehn_volume_create(context, 4096, 4096, 4096, &volume));
    ck_assert_ptr_null(volume);
    OK(foehn_volume_create(context, 4, 4, 5, &volume));
    foehn_volume_get_info(volume, &info);
    ck_assert(info.nx == 4 && info.ny == 4 && info.nz == 5 && info.step == 0 &&
              info.extent[0] == 0);
    foehn_wind *w = winds_create(winds_sized(4, 4, 4));
    FAILS(FOEHN_ERROR_ARGUMENT, "4 x 4 x 5", foehn_wind_write_volume(w, volume));
    FAILS(FOEHN_ERROR_ARGUMENT, "4 x 4 x 5", foehn_wind_step_and_write_volume(w, 0.1f, volume));
    FAILS(FOEHN_ERROR_ARGUMENT, "dt = 0", foehn_wind_step_and_write_volume(w, 0, volume));
    foehn_wind_info unchanged;
    foehn_wind_get_info(w, &unchanged);
    ck_assert_uint_eq(unchanged.step, 0);
    foehn_context *elsewhere;
    OK(foehn_context_create(NULL, &elsewhere));
    OK(foehn_volume_create(elsewhere, 4, 4, 4, &other));
    FAILS(FOEHN_ERROR_ARGUMENT, "another context", foehn_wind_write_volume(w, other));
    FAILS(FOEHN_ERROR_ARGUMENT, "nan", foehn_volume_set_snapshots(volume, (double)NAN));
    foehn_volume_destroy(other);
    foehn_context_destroy(elsewhere);
    foehn_volume_destroy(volume);
    foehn_volume_destroy(NULL);
    foehn_wind_destroy(w);
}
END_TEST

START_TEST(snapshots_are_whole_steps_and_stay_while_they_are_held)
{
    foehn_wind *w = winds_create(winds_sized(12, 5, 9));
    foehn_volume *volume;
    foehn_snapshot first, next;
    size_t bytes = winds_cells(w) * 8;
    uint16_t *published = testing_alloc(bytes), *copy = testing_alloc(bytes);
    OK(foehn_volume_create(context, 12, 5, 9, &volume));
    OK(foehn_wind_step(w, 0.1f));
    OK(foehn_wind_write_volume(w, volume));
    OK(foehn_context_wait(context));
    OK(foehn_volume_get_snapshot(volume, &first));
    ck_assert_ptr_null(first.halves); /* not asked for */
    OK(foehn_volume_set_snapshots(volume, 0));
    for (int n = 2; n < 12; n++) {
        OK(foehn_wind_step(w, 0.1f));
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_volume_read_halves(volume, published));
        OK(foehn_volume_get_snapshot(volume, &first));
        ck_assert_ptr_nonnull(first.halves);
        ck_assert_uint_eq(first.info.step, (uint64_t)n);
        ck_assert(memcmp(first.halves, published, bytes) == 0);
        /* Held while the wind goes on: not a bit changes. */
        memcpy(copy, first.halves, bytes);
        OK(foehn_wind_step(w, 0.1f));
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_wind_step(w, 0.1f));
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_context_wait(context));
        ck_assert(memcmp(first.halves, copy, bytes) == 0);
        OK(foehn_volume_get_snapshot(volume, &next));
        ck_assert_uint_eq(next.info.step, (uint64_t)n + 1);
        n += 2;
    }
    /* Seldom: one at once, then none for a long time. */
    OK(foehn_volume_set_snapshots(volume, 1e6));
    uint64_t last = next.info.step;
    for (int n = 0; n < 5; n++) {
        OK(foehn_wind_step(w, 0.1f));
        OK(foehn_wind_write_volume(w, volume));
        OK(foehn_context_wait(context));
        OK(foehn_volume_get_snapshot(volume, &next));
        ck_assert_uint_eq(next.info.step, last);
    }
    free(published);
    free(copy);
    foehn_volume_destroy(volume);
    foehn_wind_destroy(w);
}
END_TEST

void add_wind_read_tests(TCase *tests)
{
    tcase_add_test(tests, means_are_those_of_the_steps);
    tcase_add_test(tests, levels_are_those_of_the_whole_field);
    tcase_add_test(tests, points_in_the_profile_follow_the_log_law_on_any_cells);
    tcase_add_test(tests, points_outside_and_strange_ones_are_answered);
    tcase_add_test(tests, a_renderer_finds_the_wind_at_world_over_extent);
    tcase_add_test(tests, a_volume_tells_what_it_cannot_take);
    tcase_add_test(tests, snapshots_are_whole_steps_and_stay_while_they_are_held);
}
