/* SPDX-License-Identifier: MIT */
/* The momentum model has no direction, no scale and no shape of cells of its own: the same hill
 * turned with the wind, ten times as large or as small with its roughness, or under cells ten times
 * as long as high has the same wind over it. */
#include "wind/over.h"

#define FRICTION 0.6 /* u* of the undisturbed wind, m/s */
#define STEEP 26.0   /* m: as high as 35 degrees steep, with a wake */
#define GENTLE 10.0

/* One with no symmetry of its own, in a box of 160 m: x and z from 0 to 1. */
static double hill(double x, double z, double height)
{
    const double a = x - 0.42, b = z - 0.56;
    return height * exp(-22 * a * a - 40 * b * b - 18 * a * b) + 1.3;
}

/* A wind over the hill turned by quarters of a circle with the wind, by a scale. */
static foehn_wind *make(int n, int ny, double spacing, double high, double height, double from,
                        int quarters, double scale)
{
    const double z0 = 0.02 * scale;
    foehn_wind_params p =
        over_box(FOEHN_WIND_MOMENTUM, n, ny, n, (float)(spacing * scale), (float)(high * scale));
    p.z0 = (float)z0;
    p.state.from = (float)from;
    p.state.u10 = (float)(FRICTION / 0.4 * log((10 + z0) / z0));
    foehn_wind *wind;
    OK(foehn_wind_create(context, &p, &wind));
    enum { SAMPLES = 81 };
    float *heights = testing_alloc(SAMPLES * SAMPLES * sizeof *heights);
    for (int k = 0; k < SAMPLES; k++)
        for (int i = 0; i < SAMPLES; i++) {
            double x = i / (SAMPLES - 1.0), z = k / (SAMPLES - 1.0);
            for (int q = 0; q < quarters; q++) { /* back to where the wind is from the first side */
                const double old = x;
                x = z;
                z = 1 - old;
            }
            heights[k * SAMPLES + i] = (float)(scale * hill(x, z, height));
        }
    const double apart = n * spacing * scale / (SAMPLES - 1);
    const foehn_terrain terrain = {
        .nx = SAMPLES, .nz = SAMPLES, .spacing = {apart, apart}, .heights = heights};
    OK(foehn_wind_set_terrain(wind, &terrain));
    free(heights);
    return wind;
}

enum { PLACES = 40 };

/* Speed, and k, at places over the hill, turned with it. */
static void read_places(foehn_wind *wind, int quarters, double scale, double *speed, double *k)
{
    double at[3 * PLACES];
    float out[4 * PLACES];
    uint64_t random = 11;
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    for (int n = 0; n < PLACES; n++) {
        double x = testing_uniform(&random, -0.3, 0.3), z = testing_uniform(&random, -0.3, 0.3);
        const double height = testing_uniform(&random, 8, 30) * scale;
        for (int q = 0; q < quarters; q++) {
            const double old = x;
            x = -z;
            z = old;
        }
        at[3 * n] = info.origin[0] + (0.5 + x) * info.extent[0];
        at[3 * n + 1] = height;
        at[3 * n + 2] = info.origin[2] + (0.5 + z) * info.extent[2];
    }
    OK(foehn_wind_read_points(wind, 0, PLACES, at, out));
    for (int n = 0; n < PLACES; n++) {
        const float *u = out + 4 * n;
        speed[n] = sqrt(pow((double)u[0], 2) + pow((double)u[1], 2) + pow((double)u[2], 2));
        k[n] = 1.5 * pow((double)u[3] * speed[n], 2);
    }
}

static void blow(foehn_wind *wind, int count)
{
    for (int n = 0; n < (testing_is_tiny() ? 2 : count); n++)
        OK(foehn_wind_step(wind, 1e6f));
}

/* Largest and root mean square differences between the wind and another one, over u*, and of k over
 * u*^2. */
typedef struct apart {
    double most, rms, most_k, rms_k;
} apart;

static apart compare(const double *speed, const double *k, const double *speed_2, const double *k_2)
{
    apart a = {0, 0, 0, 0};
    for (int n = 0; n < PLACES; n++) {
        const double by = fabs(speed[n] - speed_2[n]) / FRICTION;
        const double k_by = fabs(k[n] - k_2[n]) / (FRICTION * FRICTION);
        a.most = fmax(a.most, by);
        a.most_k = fmax(a.most_k, k_by);
        a.rms += by * by / PLACES;
        a.rms_k += k_by * k_by / PLACES;
    }
    a.rms = sqrt(a.rms);
    a.rms_k = sqrt(a.rms_k);
    return a;
}

START_TEST(from_every_side_and_corner_the_wind_is_the_same_turned)
{
    const double first[] = {270, 225, 262};
    for (int a = 0; a < (testing_is_tiny() ? 1 : 3); a++) {
        double speed[PLACES], k[PLACES];
        for (int q = 0; q < 4; q++) {
            const double turned = fmod(first[a] + 90 * q, 360);
            double speed_2[PLACES], k_2[PLACES];
            foehn_wind *wind = make(20, 16, 8, 4, STEEP, turned, q, 1);
            blow(wind, 250);
            read_places(wind, q, 1, q ? speed_2 : speed, q ? k_2 : k);
            foehn_wind_destroy(wind);
            if (q == 0)
                continue;
            const apart by = compare(speed, k, speed_2, k_2);
            testing_report("from %g and %g: apart by %.2g u*, k by %.2g u*^2", first[a], turned,
                           by.most, by.most_k);
            ck_assert_double_lt(by.most, 0.01);
            ck_assert_double_lt(by.most_k, 0.01);
        }
    }
}
END_TEST

START_TEST(ten_times_as_large_or_small_it_is_the_same)
{
    double speed[PLACES], k[PLACES];
    const double scales[] = {1, 0.1, 10, 100};
    for (int n = 0; n < (testing_is_tiny() ? 2 : 4); n++) {
        double speed_2[PLACES], k_2[PLACES];
        foehn_wind *wind = make(20, 16, 8, 4, STEEP, 240, 0, scales[n]);
        blow(wind, 120);
        read_places(wind, 0, scales[n], n ? speed_2 : speed, n ? k_2 : k);
        foehn_wind_destroy(wind);
        if (n == 0)
            continue;
        const apart by = compare(speed, k, speed_2, k_2);
        testing_report("%g times as large: apart by %.2g u*, k by %.2g u*^2", scales[n], by.most,
                       by.most_k);
        ck_assert_double_lt(by.most, 0.01);
        ck_assert_double_lt(by.most_k, 0.01);
    }
}
END_TEST

/* Cells of one length, their height a share of it. */
START_TEST(cells_up_to_ten_times_as_long_as_high_give_the_same)
{
    double speed[PLACES], k[PLACES];
    const double ratios[] = {4, 1, 2, 10};
    for (int n = 0; n < (testing_is_tiny() ? 1 : 4); n++) {
        double speed_2[PLACES], k_2[PLACES];
        const double spacing = 8, high = spacing / ratios[n];
        foehn_wind *wind = make(20, (int)lround(64 / high), spacing, high, GENTLE, 240, 0, 1);
        blow(wind, 400);
        read_places(wind, 0, 1, n ? speed_2 : speed, n ? k_2 : k);
        foehn_wind_destroy(wind);
        if (n == 0)
            continue;
        const apart by = compare(speed, k, speed_2, k_2);
        testing_report("%g and %g times as long as high: apart by %.2g u* (rms), k by %.2g u*^2",
                       ratios[0], ratios[n], by.rms, by.rms_k);
        /* Rows of 8 m are one on this hill.  The undisturbed wind is about 15 u*, k 5.8 u*^2. */
        ck_assert_double_lt(by.rms, 0.2);
        ck_assert_double_lt(by.rms_k, 0.4);
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("alike", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, from_every_side_and_corner_the_wind_is_the_same_turned);
    tcase_add_test(tests, ten_times_as_large_or_small_it_is_the_same);
    tcase_add_test(tests, cells_up_to_ten_times_as_long_as_high_give_the_same);
    return testing_end();
}
