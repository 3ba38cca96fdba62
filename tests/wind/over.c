/* SPDX-License-Identifier: MIT */
#include "wind/over.h"

foehn_wind_params over_box(foehn_wind_model model, int nx, int ny, int nz, float h, float hy)
{
    foehn_wind_params p = foehn_wind_params_default();
    p.model = model;
    p.nx = nx;
    p.ny = ny;
    p.nz = nz;
    p.spacing_horizontal = h;
    p.spacing_vertical = hy;
    p.center[0] = 0.5 * nx * (double)h;
    p.center[2] = 0.5 * nz * (double)h;
    return p;
}

foehn_wind *over_ground(foehn_wind_params p, float (*height)(double x, double z))
{
    foehn_wind *wind;
    OK(foehn_wind_create(context, &p, &wind));
    if (!height)
        return wind;
    const int nx = p.nx + 1, nz = p.nz + 1;
    const double h = (double)p.spacing_horizontal;
    float *heights = testing_alloc((size_t)nx * (size_t)nz * sizeof *heights);
    for (int k = 0; k < nz; k++)
        for (int i = 0; i < nx; i++)
            heights[k * nx + i] = height((double)i / p.nx, (double)k / p.nz) * p.spacing_vertical;
    foehn_terrain terrain = {.nx = nx, .nz = nz, .spacing = {h, h}, .heights = heights};
    OK(foehn_wind_set_terrain(wind, &terrain));
    free(heights);
    return wind;
}

float over_hill(double x, double z)
{
    double r = hypot(x - 0.5, 0.8 * (z - 0.4));
    return (float)(0.23 + 4.1 * exp(-12 * r * r));
}

float over_steps(double x, double z)
{
    double steps = floor(5 * x) + 2 * floor(3 * z);
    return (float)(0.3 + fmod(2.7 * steps, 5) + 2 * (x > 0.8) * x);
}

static bool is_inner(double x, double z)
{
    return x > 0.2 && x < 0.8 && z > 0.2 && z < 0.8;
}

float over_cliff(double x, double z)
{
    return is_inner(x, z) && x > 0.5 ? 5.3f : 0.2f;
}

float over_spike(double x, double z)
{
    return fabs(x - 0.5) < 0.03 && fabs(z - 0.5) < 0.03 ? 6.7f : 0.5f;
}

float over_rubble(double x, double z)
{
    unsigned n = (unsigned)(x * 1000) * 7919u + (unsigned)(z * 1000) * 104729u;
    n = (n ^ (n >> 7)) * 2654435761u;
    return is_inner(x, z) ? 0.1f + 5.0f * (float)(n >> 16) / 65536.0f : 0.1f;
}

float over_ridge_at_the_side(double x, double z)
{
    (void)z;
    return x > 0.85 ? 6.0f : 0.3f;
}

void over_lattice(uint64_t *random, float wavelength, wind_forcing *f)
{
    for (int o = 0; o < WIND_OCTAVES; o++, wavelength /= 2) {
        f->wavelength[o] = wavelength;
        for (int a = 0; a < 3; a++) {
            f->cell[o][a] = (int)(testing_random(random) % 9000) - 4500;
            f->fraction[o][a] = (float)testing_uniform(random, 0, 1);
            f->offset_x[o][a] = (int)(testing_random(random) % 4096);
            f->offset_y[o][a] = (int)(testing_random(random) % 4096);
            f->offset_z[o][a] = (int)(testing_random(random) % 4096);
        }
    }
}

void *over_array(over_arrays *arrays, size_t bytes)
{
    ck_assert_uint_lt((size_t)arrays->count, sizeof arrays->of / sizeof arrays->of[0]);
    return arrays->of[arrays->count++] = testing_alloc(bytes);
}

void *over_buffer(over_arrays *arrays, cl_mem buffer, size_t bytes)
{
    void *out = over_array(arrays, bytes);
    OK(foehn_buffer_read(context, buffer, 0, bytes, out));
    return out;
}

void over_free(over_arrays *arrays)
{
    while (arrays->count > 0)
        free(arrays->of[--arrays->count]);
}

double over_speed_at(foehn_wind *wind, double x, double height)
{
    foehn_wind_info info;
    foehn_wind_get_info(wind, &info);
    const double at[3] = {info.origin[0] + x, height, info.origin[2] + 0.5 * info.extent[2]};
    float out[4];
    OK(foehn_wind_read_points(wind, 0, 1, at, out));
    return (double)out[0];
}
