/* SPDX-License-Identifier: MIT */
#include "fire/fires.h"

foehn_fire_params fires_quiet(void)
{
    foehn_fire_params p = foehn_fire_params_default();
    for (int a = 0; a < 3; a++) {
        p.size[a] = 16 * FIRE_RENDER_VOXEL;
        p.pose.position[a] = 8 * FIRE_RENDER_VOXEL;
    }
    p.render_voxel = p.physics_voxel = FIRE_RENDER_VOXEL;
    p.turbulence = p.confinement = p.buoyancy = p.smoke_weight = p.damping = 0;
    p.dissipation = p.cooling = 0;
    return p;
}

foehn_fire_params fires_lively(int n)
{
    foehn_fire_params p = foehn_fire_params_default();
    for (int a = 0; a < 3; a++) {
        p.size[a] = n * FIRE_PHYSICS_VOXEL;
        p.pose.position[a] = p.size[a] / 2;
    }
    p.account = 1;
    return p;
}

foehn_fire *fires_create(const foehn_fire_params *p)
{
    foehn_fire *fire;
    OK(foehn_fire_create(context, p, &fire));
    return fire;
}

int fires_add_points(foehn_fire *fire, size_t count, const float (*points)[3], int max_count)
{
    const foehn_fire_emitter e = {.count = count, .points = points, .max_count = max_count};
    int index = -1;
    OK(foehn_fire_add_emitter(fire, &e, &index));
    return index;
}

size_t fires_cell(int i, int j, int k)
{
    return (size_t)(i + 16 * (j + 16 * k));
}

float *fires_read(foehn_fire *fire, foehn_fire_field field)
{
    foehn_fire_field_info info;
    OK(foehn_fire_get_field(fire, field, &info));
    float *values = malloc(info.floats * sizeof *values);
    ck_assert_ptr_nonnull(values);
    OK(foehn_fire_read(fire, field, values));
    return values;
}

uint64_t fires_bits(foehn_fire *fire)
{
    uint64_t value = FOEHN_HASH_BASIS;
    for (int n = 0; n < FOEHN_FIRE_FIELDS; n++) {
        foehn_fire_field_info info;
        OK(foehn_fire_get_field(fire, (foehn_fire_field)n, &info));
        float *values = fires_read(fire, (foehn_fire_field)n);
        value = foehn_hash(value, info.floats * sizeof *values, values);
        free(values);
    }
    return value;
}

/* Points on a ball, evenly (a Fibonacci spiral). */
static void fires_ball(size_t count, double radius, float (*points)[3])
{
    for (size_t n = 0; n < count; n++) {
        double z = 1 - (2 * (double)n + 1) / (double)count, r = sqrt(1 - z * z);
        double turn = 2.399963229728653 * (double)n;
        points[n][0] = (float)(radius * r * cos(turn));
        points[n][1] = (float)(radius * z);
        points[n][2] = (float)(radius * r * sin(turn));
    }
}

void fires_light(foehn_fire *fire, double radius, double height, float multiplier)
{
    enum { POINTS = 400 };
    float points[POINTS][3];
    foehn_fire_info info;
    foehn_fire_get_info(fire, &info);
    fires_ball(POINTS, radius, points);
    int index = fires_add_points(fire, POINTS, (const float(*)[3])points, 1);
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    for (int a = 0; a < 3; a++)
        proxy.pose.position[a] = info.pose.position[a];
    proxy.pose.position[1] += height - info.size[1] / 2;
    proxy.multiplier = multiplier;
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
}

void fires_blow(foehn_fire *fire)
{
    const float v[1][3] = {{(float)(FIRE_RENDER_VOXEL / 0.05), 0, 0}};
    const foehn_fire_wind wind = {1, 1, 1, v};
    OK(foehn_fire_set_wind(fire, &wind));
}

int main(void)
{
    TCase *tests = testing_begin("fire", TESTING_NEEDS_DEVICE);
    add_fire_emitters_tests(tests);
    add_fire_steps_tests(tests);
    add_fire_air_tests(tests);
    add_fire_pressure_tests(tests);
    add_fire_budget_tests(tests);
    add_fire_colliders_tests(tests);
    add_fire_pictures_tests(tests);
    add_fire_read_tests(tests);
    add_fire_checkpoint_tests(tests);
    add_fire_transport_tests(tests);
    return testing_end();
}
