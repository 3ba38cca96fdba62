/* SPDX-License-Identifier: MIT */
/* The air: noise, transport and forces, wind. */
#include "fire/fires.h"

START_TEST(the_noise_frequency_drives_the_curl_field)
{
    /* rms difference of neighbours over rms: grows with the frequency. */
    double rough[2];
    for (int n = 0; n < 2; n++) {
        foehn_fire_params p = fires_quiet();
        p.turbulence = 1;
        p.noise_frequency = n ? 6.0f : 1.5f;
        foehn_fire *fire = fires_create(&p);
        float *field = malloc(4096 * sizeof *field);
        for (int c = 0; c < 4096; c++)
            field[c] = 1;
        OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
        OK(foehn_fire_step(fire));
        float *v = fires_read(fire, FOEHN_FIRE_VELOCITY_BEFORE);
        double sum = 0, change = 0;
        for (int k = 3; k < 13; k++)
            for (int j = 3; j < 13; j++)
                for (int i = 3; i < 13; i++) {
                    double a = (double)v[3 * fires_cell(i, j, k) + 1];
                    sum += a * a;
                    change += pow((double)v[3 * fires_cell(i + 1, j, k) + 1] - a, 2);
                }
        ck_assert(sum > 0);
        rough[n] = sqrt(change / sum);
        free(v);
        free(field);
        foehn_fire_destroy(fire);
    }
    testing_report("roughness of the curl noise: %.3f at frequency 1.5, %.3f at 6", rough[0],
                   rough[1]);
    ck_assert(rough[1] > 2 * rough[0]);
}
END_TEST

/* Component a of a vector field at a voxel. */
static double component(const float *v, int i, int j, int k, int a)
{
    return (double)v[3 * fires_cell(i, j, k) + (size_t)a];
}

/* Trilinear at a place in voxels, centres at i + 0.5. */
static double traced(const float *v, const double p[3], int a)
{
    int c[3];
    double t[3], sum = 0;
    for (int b = 0; b < 3; b++) {
        c[b] = (int)floor(p[b] - 0.5);
        t[b] = p[b] - 0.5 - c[b];
    }
    for (int n = 0; n < 8; n++) {
        int x = n & 1, y = n >> 1 & 1, z = n >> 2;
        sum += (x ? t[0] : 1 - t[0]) * (y ? t[1] : 1 - t[1]) * (z ? t[2] : 1 - t[2]) *
               component(v, c[0] + x, c[1] + y, c[2] + z, a);
    }
    return sum;
}

/* curl v by central differences, per second; returns its magnitude. */
static double curl_of(const float *v, const int c[3], double out[3])
{
    const double h = FIRE_RENDER_VOXEL;
    double slope[3][3]; /* of component b along axis a */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            slope[a][b] = (component(v, c[0] + (a == 0), c[1] + (a == 1), c[2] + (a == 2), b) -
                           component(v, c[0] - (a == 0), c[1] - (a == 1), c[2] - (a == 2), b)) /
                          (2 * h);
    out[0] = slope[1][2] - slope[2][1];
    out[1] = slope[2][0] - slope[0][2];
    out[2] = slope[0][1] - slope[1][0];
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

/* N x omega times the preset's 7.01, made for voxels of FIRE_PHYSICS_VOXEL. */
static void confine(const float *v, const int c[3], double out[3])
{
    const double h0 = FIRE_PHYSICS_VOXEL;
    double omega[3], eta[3], unused[3], length = 0;
    curl_of(v, c, omega);
    for (int a = 0; a < 3; a++) {
        const int up[3] = {c[0] + (a == 0), c[1] + (a == 1), c[2] + (a == 2)};
        const int down[3] = {c[0] - (a == 0), c[1] - (a == 1), c[2] - (a == 2)};
        eta[a] =
            h0 * h0 * (curl_of(v, up, unused) - curl_of(v, down, unused)) / (2 * FIRE_RENDER_VOXEL);
        length += eta[a] * eta[a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, d = (a + 2) % 3;
        out[a] = 7.01 * h0 * (eta[b] * omega[d] - eta[d] * omega[b]) / (sqrt(length) + 1e-5);
    }
}

START_TEST(transport_and_forces_are_those_of_plain_c)
{
    foehn_fire_params p = fires_quiet();
    const double dt = 0.05, h = FIRE_RENDER_VOXEL, lift = 2 * 2.3729 - 0.8 * 0.15;
    p.buoyancy = 2.3729f;
    p.smoke_weight = 0.15f;
    p.damping = 0.25f;
    p.confinement = 7.01f;
    foehn_fire *fire = fires_create(&p);
    float *v = malloc(3 * 4096 * sizeof *v), *field = malloc(4096 * sizeof *field);
    for (int c = 0; c < 4096; c++) {
        int i = c % 16, j = c / 16 % 16, k = c / 256;
        v[3 * c] = (float)(0.8 * sin(0.5 * j) + 0.3 * cos(0.4 * k));
        v[3 * c + 1] = (float)(0.6 * cos(0.6 * i) - 0.2 * sin(0.3 * k));
        v[3 * c + 2] = (float)(0.5 * sin(0.4 * i + 0.3 * j));
        field[c] = 2;
    }
    OK(foehn_fire_write(fire, FOEHN_FIRE_TEMPERATURE, field));
    for (int c = 0; c < 4096; c++)
        field[c] = 0.8f;
    OK(foehn_fire_write(fire, FOEHN_FIRE_DENSITY, field));
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
    OK(foehn_fire_step(fire));
    float *got = fires_read(fire, FOEHN_FIRE_VELOCITY_BEFORE);
    for (int k = 5; k < 11; k++)
        for (int j = 5; j < 11; j++)
            for (int i = 5; i < 11; i++) {
                const int c[3] = {i, j, k};
                double from[3], push[3];
                confine(v, c, push);
                for (int a = 0; a < 3; a++)
                    from[a] = c[a] + 0.5 - component(v, i, j, k, a) * dt / h;
                for (int a = 0; a < 3; a++) {
                    double wanted =
                        (traced(v, from, a) + (a == 1 ? lift * dt : 0)) * (1 - 0.25 * dt) +
                        push[a] * dt;
                    NEAR(component(got, i, j, k, a), wanted, 2e-5);
                }
            }
    free(v);
    free(field);
    free(got);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(a_uniform_wind_stays_uniform)
{
    for (int layout = 0; layout < 2; layout++) {
        foehn_fire_params p = fires_quiet();
        p.layout = (foehn_fire_layout)layout;
        foehn_fire *fire = fires_create(&p);
        fires_blow(fire);
        for (int n = 0; n < 5; n++)
            OK(foehn_fire_step(fire));
        float *v = fires_read(fire, FOEHN_FIRE_VELOCITY);
        for (size_t c = 0; c < 4096; c++) {
            NEAR(v[3 * c], FIRE_RENDER_VOXEL / 0.05, 1e-4);
            NEAR(v[3 * c + 1], 0, 1e-5);
        }
        free(v);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* Of half a voxel a step, then of 0.8: what a cell beside the side gets comes from between its own
 * centre and the ghost's. */
START_TEST(a_new_wind_comes_in_through_the_sides)
{
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    const double voxel = FIRE_RENDER_VOXEL / 0.05; /* m/s */
    for (int n = 0; n < 2; n++) {
        const float v[1][3] = {{(float)((n ? 0.8 : 0.5) * voxel), 0, 0}};
        const foehn_fire_wind wind = {1, 1, 1, v};
        OK(foehn_fire_set_wind(fire, &wind));
        OK(foehn_fire_step(fire));
    }
    float *got = fires_read(fire, FOEHN_FIRE_VELOCITY_BEFORE);
    for (int k = 4; k < 12; k++)
        for (int j = 4; j < 12; j++) {
            NEAR(component(got, 0, j, k, 0), 0.5 * (0.5 + 0.8) * voxel, 1e-4);
            NEAR(component(got, 1, j, k, 0), 0.5 * voxel, 1e-4);
        }
    free(got);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(side_wind_bends_the_plume)
{
    double shift[2];
    for (int windy = 0; windy < 2; windy++) {
        foehn_fire_params p = fires_lively(16);
        foehn_fire *fire = fires_create(&p);
        foehn_fire_field_info info;
        /* A field of wind: 1 m/s along x at the floor, 2 at the lid. */
        const float v[2][3] = {{1, 0, 0}, {2, 0, 0}};
        const foehn_fire_wind wind = {1, 2, 1, v};
        if (windy)
            OK(foehn_fire_set_wind(fire, &wind));
        fires_light(fire, 0.2, 0.3, 13);
        for (int n = 0; n < 30; n++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_get_field(fire, FOEHN_FIRE_DENSITY, &info));
        float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
        double sum = 0, moment = 0;
        for (size_t c = 0; c < info.floats; c++) {
            sum += (double)density[c];
            double x = ((double)(c % (size_t)info.cells[0]) + 0.5) * info.spacing[0];
            moment += (double)density[c] * (x - p.size[0] / 2);
        }
        shift[windy] = moment / sum;
        free(density);
        foehn_fire_destroy(fire);
    }
    testing_report("centre of the smoke: %.3f m in still air, %.3f m in wind", shift[0], shift[1]);
    NEAR(shift[0], 0, 0.05);
    ck_assert(shift[1] > 0.1);
}
END_TEST

void add_fire_air_tests(TCase *tests)
{
    tcase_add_test(tests, the_noise_frequency_drives_the_curl_field);
    tcase_add_test(tests, transport_and_forces_are_those_of_plain_c);
    tcase_add_test(tests, a_uniform_wind_stays_uniform);
    tcase_add_test(tests, a_new_wind_comes_in_through_the_sides);
    tcase_add_test(tests, side_wind_bends_the_plume);
}
