/* SPDX-License-Identifier: MIT */
#include "fire/burns.h"

/* A cube of n voxels of 0.1 m on both grids. */
foehn_fire_params burns_cube(int n)
{
    foehn_fire_params p;
    foehn_fire_params_burn(&p);
    for (int a = 0; a < 3; a++) {
        p.size[a] = 0.1 * n;
        p.pose.position[a] = 0;
    }
    p.render_voxel = p.physics_voxel = 0.1;
    p.buoyancy = 0;
    return p;
}

foehn_fire *burns_create(const foehn_fire_params *p)
{
    foehn_fire *fire;
    OK(foehn_fire_create(context, p, &fire));
    return fire;
}

float *burns_read(foehn_fire *fire, foehn_fire_field field, size_t *count)
{
    foehn_fire_field_info info;
    OK(foehn_fire_get_field(fire, field, &info));
    float *values = testing_alloc(info.floats * sizeof *values);
    OK(foehn_fire_read(fire, field, values));
    if (count)
        *count = info.floats;
    return values;
}

float burns_value_at(foehn_fire *fire, foehn_fire_field field, size_t voxel)
{
    float *all = burns_read(fire, field, NULL), value = all[voxel];
    free(all);
    return value;
}

void burns_fill(foehn_fire *fire, foehn_fire_field field, float value)
{
    foehn_fire_field_info info;
    OK(foehn_fire_get_field(fire, field, &info));
    float *values = testing_alloc(info.floats * sizeof *values);
    for (size_t n = 0; n < info.floats; n++)
        values[n] = value;
    OK(foehn_fire_write(fire, field, values));
    free(values);
}

/* A level disk of points that gives off a power at a height above the box's middle. */
int burns_add_disk(foehn_fire *fire, double radius, double height, float power, float pilot)
{
    enum { POINTS = 2000 };
    float points[POINTS][3];
    for (int n = 0; n < POINTS; n++) { /* a spiral of even density */
        double r = radius * sqrt((n + 0.5) / POINTS), turn = 2.399963229728653 * n;
        points[n][0] = (float)(r * cos(turn));
        points[n][1] = (float)height;
        points[n][2] = (float)(r * sin(turn));
    }
    const foehn_fire_emitter e = {POINTS, (const float(*)[3])points, 1};
    int index = -1;
    OK(foehn_fire_add_emitter(fire, &e, &index));
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.power = power;
    proxy.temperature = pilot;
    OK(foehn_fire_set_proxy(fire, index, 0, &proxy));
    return index;
}

/* A pool of 0.4 m in a box of 1.2 x 1.8 x 1.2 m, voxels of 6 and 7.5 cm. */
foehn_fire_params burns_pool(void)
{
    foehn_fire_params p;
    foehn_fire_params_burn(&p);
    const double size[3] = {1.2, 1.8, 1.2};
    for (int a = 0; a < 3; a++)
        p.size[a] = size[a];
    p.pose.position[1] = 0.9;
    p.render_voxel = 0.06;
    p.physics_voxel = 0.075;
    return p;
}

int main(void)
{
    TCase *tests = testing_begin("fire_burn", TESTING_NEEDS_DEVICE);
    add_burn_gas_tests(tests);
    add_burn_budgets_tests(tests);
    return testing_end();
}
