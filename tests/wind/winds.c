/* SPDX-License-Identifier: MIT */
#include "wind/winds.h"

foehn_wind_params winds_quality(const char *name)
{
    foehn_wind_params params = foehn_wind_params_default();
    OK(foehn_wind_params_set_quality(&params, name));
    if (testing_is_tiny()) {
        params.nx = params.nz = 8;
        params.ny = 4;
    }
    return params;
}

foehn_wind_params winds_sized(int nx, int ny, int nz)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.nx = nx;
    params.ny = ny;
    params.nz = nz;
    return params;
}

const char *winds_set_variant(foehn_wind_params *params, int variant)
{
    static const struct {
        const char *name;
        foehn_wind_scheme scheme;
        foehn_wind_pressure pressure;
        int cycles;
        foehn_wind_advection advection;
        foehn_wind_solids solids;
    } variants[WINDS_VARIANTS] = {
        {"collocated", FOEHN_WIND_COLLOCATED, FOEHN_WIND_PRESSURE_MULTIGRID, 1,
         FOEHN_WIND_SEMI_LAGRANGIAN, FOEHN_WIND_SOLIDS_FRACTIONS},
        {"staggered", FOEHN_WIND_STAGGERED, FOEHN_WIND_PRESSURE_MULTIGRID, 1,
         FOEHN_WIND_SEMI_LAGRANGIAN, FOEHN_WIND_SOLIDS_FRACTIONS},
        {"staggered, conjugate gradients, MacCormack", FOEHN_WIND_STAGGERED,
         FOEHN_WIND_PRESSURE_MGCG, 2, FOEHN_WIND_MACCORMACK, FOEHN_WIND_SOLIDS_FRACTIONS},
        {"staggered, binary solids", FOEHN_WIND_STAGGERED, FOEHN_WIND_PRESSURE_MULTIGRID, 2,
         FOEHN_WIND_SEMI_LAGRANGIAN, FOEHN_WIND_SOLIDS_BINARY},
    };
    params->scheme = variants[variant].scheme;
    params->pressure = variants[variant].pressure;
    params->cycles = variants[variant].cycles;
    params->advection = variants[variant].advection;
    params->solids = variants[variant].solids;
    return variants[variant].name;
}

foehn_wind *winds_create(foehn_wind_params params)
{
    foehn_wind *w;
    OK(foehn_wind_create(context, &params, &w));
    return w;
}

size_t winds_cells(const foehn_wind *w)
{
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    return (size_t)info.nx * (size_t)info.ny * (size_t)info.nz;
}

float *winds_read(foehn_wind *w, foehn_wind_field field)
{
    float *out = testing_alloc(winds_cells(w) * sizeof *out);
    OK(foehn_wind_read(w, field, out));
    return out;
}

void winds_step(foehn_wind *w, int count, float dt)
{
    for (int i = 0; i < count; i++)
        OK(foehn_wind_step(w, dt));
}

char *winds_state(foehn_wind *w, size_t *size)
{
    *size = foehn_wind_get_checkpoint_size(w);
    char *bytes = testing_alloc(*size);
    OK(foehn_wind_read_checkpoint(w, *size, bytes));
    return bytes;
}

double winds_profile(double u10, double z, double z0)
{
    return u10 * log(fmax(z, z0) / z0) / log(10 / z0);
}

void winds_put_hill(foehn_wind *w, double height)
{
    enum { N = 20 };
    float heights[N * N];
    foehn_wind_info info;
    foehn_wind_get_info(w, &info);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            double x = 2.0 * i / (N - 1) - 1, z = 2.0 * k / (N - 1) - 1;
            heights[k * N + i] = (float)(height * exp(-4 * (x * x + z * z)));
        }
    foehn_terrain terrain = {.nx = N,
                             .nz = N,
                             .origin = {info.origin[0], info.origin[2]},
                             .spacing = {info.extent[0] / (N - 1), info.extent[2] / (N - 1)},
                             .heights = heights};
    OK(foehn_wind_set_terrain(w, &terrain));
}

double winds_rms(const float *f, size_t count)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (double)f[i] * (double)f[i];
    return sqrt(squares / (double)count);
}

foehn_wind *winds_lived(foehn_wind_params params)
{
    foehn_wind *w = winds_create(params);
    winds_put_hill(w, 9);
    return w;
}

int main(void)
{
    TCase *tests = testing_begin("wind", TESTING_NEEDS_DEVICE);
    add_wind_checks_tests(tests);
    add_wind_collocated_tests(tests);
    add_wind_steps_tests(tests);
    add_wind_read_tests(tests);
    add_wind_checkpoint_tests(tests);
    add_wind_params_tests(tests);
    return testing_end();
}
