/* SPDX-License-Identifier: MIT */
#include "wind/cells.h"

const ground_case cells_cases[CASES] = {
    {"flat", 7, 5, 9, 4, 4, FOEHN_WIND_SIDES_OPEN, NAN, false},
    {"hill", 7, 5, 9, 4, 2, FOEHN_WIND_SIDES_OPEN, NAN, true},
    {"hill over a low floor", 16, 6, 5, 3, 1.7f, FOEHN_WIND_SIDES_OPEN, 3, true},
    {"periodic", 7, 5, 9, 4, 4, FOEHN_WIND_SIDES_PERIODIC, NAN, false},
    {"periodic hill", 9, 7, 6, 4, 3, FOEHN_WIND_SIDES_PERIODIC, NAN, true},
    {"one cell", 1, 1, 1, 4, 4, FOEHN_WIND_SIDES_OPEN, NAN, false},
    {"one periodic cell", 1, 1, 1, 4, 4, FOEHN_WIND_SIDES_PERIODIC, NAN, false},
    {"a row", 13, 1, 1, 4, 4, FOEHN_WIND_SIDES_OPEN, NAN, false},
    {"odd", 37, 11, 29, 4, 2.5f, FOEHN_WIND_SIDES_OPEN, NAN, true},
};

void cells_fill(bed *b, float *f, double low, double high)
{
    for (size_t i = 0; i < b->cells; i++)
        f[i] = (float)testing_uniform(&b->random, low, high);
}

void cells_put(bed *b, cl_mem buffer, const float *f)
{
    OK(foehn_box_write(b->w->ctx, buffer, foehn_grid_box(&b->w->g, sizeof(float)), f));
    OK(foehn_wind_wrap(b->w, buffer));
}

void cells_get(bed *b, cl_mem buffer, float *f)
{
    OK(foehn_box_read(b->w->ctx, buffer, foehn_grid_box(&b->w->g, sizeof(float)), f));
}

/* Random velocity, now on the device. */
void cells_put_velocity(bed *b, double most)
{
    for (int a = 0; a < 3; a++) {
        cells_fill(b, b->u[a], -most, most);
        cells_put(b, b->w->velocity[b->w->now][a], b->u[a]);
    }
}

const float **cells_velocity(bed *b)
{
    return (const float **)(void *)b->u;
}

/* Largest difference between what the device has and what was worked out. */
double cells_apart(bed *b, cl_mem buffer, const double *want)
{
    double worst = 0;
    cells_get(b, buffer, b->out);
    for (size_t i = 0; i < b->cells; i++) {
        double error = fabs((double)b->out[i] - want[i]);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

void cells_open(bed *b, const ground_case *c)
{
    memset(b, 0, sizeof *b);
    b->which = c;
    b->random = 31;
    foehn_wind_params params = foehn_wind_params_default();
    params.scheme = FOEHN_WIND_COLLOCATED;
    params.nx = c->nx;
    params.ny = c->ny;
    params.nz = c->nz;
    params.spacing_horizontal = c->horizontal;
    params.spacing_vertical = c->vertical;
    params.sides = c->sides;
    params.center[1] = c->center_y;
    OK(foehn_wind_create(context, &params, &b->w));
    foehn_wind_info info;
    foehn_wind_get_info(b->w, &info);
    b->box = (reference_box){.nx = c->nx,
                             .ny = c->ny,
                             .nz = c->nz,
                             .hx = (double)c->horizontal,
                             .hy = (double)c->vertical,
                             .hz = (double)c->horizontal,
                             .floor_y = info.origin[1],
                             .periodic = c->sides == FOEHN_WIND_SIDES_PERIODIC};
    b->cells = (size_t)c->nx * (size_t)c->ny * (size_t)c->nz;
    b->columns = (size_t)c->nx * (size_t)c->nz;

    /* A hill in the middle, under two thirds of the box, on samples that miss the cells and do not
     * reach its sides. */
    double top = 0.66 * info.extent[1];
    for (int k = 0; k < SAMPLES_Z; k++)
        for (int i = 0; i < SAMPLES_X; i++) {
            double x = 2.0 * i / (SAMPLES_X - 1) - 1, z = 2.0 * k / (SAMPLES_Z - 1) - 1;
            b->heights[k * SAMPLES_X + i] =
                (float)(info.origin[1] +
                        (c->hilly ? top * exp(-3 * (x * x + z * z)) + 0.03 * i + 0.02 * k : 0));
        }
    foehn_terrain terrain = {
        .nx = SAMPLES_X,
        .nz = SAMPLES_Z,
        .origin = {info.origin[0] + 0.07 * info.extent[0], info.origin[2] + 0.11 * info.extent[2]},
        .spacing = {0.08 * info.extent[0], 0.09 * info.extent[2]},
        .heights = b->heights,
    };
    OK(foehn_wind_set_terrain(b->w, &terrain));
    b->map = (terrain_map){SAMPLES_X,
                           SAMPLES_Z,
                           (float)((info.origin[0] - terrain.origin[0]) / terrain.spacing[0]),
                           (float)((info.origin[2] - terrain.origin[1]) / terrain.spacing[1]),
                           (float)(b->box.hx / terrain.spacing[0]),
                           (float)(b->box.hz / terrain.spacing[1])};
    b->ground = testing_alloc(b->columns * sizeof(float));
    OK(foehn_wind_read_ground(b->w, b->ground));
    b->solid = testing_alloc(b->cells);
    for (int k = 0; k < c->nz; k++)
        for (int j = 0; j < c->ny; j++)
            for (int i = 0; i < c->nx; i++)
                b->solid[reference_cell(&b->box, i, j, k)] =
                    b->box.floor_y + (j + 0.5) * b->box.hy <
                    (double)b->ground[(size_t)k * (size_t)c->nx + (size_t)i];
    b->box.solid = b->solid;
    for (int a = 0; a < 3; a++) {
        b->u[a] = testing_alloc(b->cells * sizeof(float));
        b->want[a] = testing_alloc(b->cells * sizeof(double));
    }
    b->p = testing_alloc(b->cells * sizeof(float));
    b->q = testing_alloc(b->cells * sizeof(float));
    b->out = testing_alloc(b->cells * sizeof(float));
}

void cells_close(bed *b)
{
    foehn_wind_destroy(b->w);
    for (int a = 0; a < 3; a++) {
        free(b->u[a]);
        free(b->want[a]);
    }
    free(b->ground);
    free(b->solid);
    free(b->p);
    free(b->q);
    free(b->out);
}

wind_forcing cells_forcing(bed *b)
{
    wind_forcing f = {.u10 = 9,
                      .dx = 0.6f,
                      .dz = -0.8f,
                      .z0 = 0.05f,
                      .gain = 0.3f,
                      .floor_y = (float)b->box.floor_y,
                      .curl_amplitude = 2.5f,
                      .ramp = 4};
    over_lattice(&b->random, 32, &f);
    for (int n = 0; n < 3; n++) /* overlapping, one from another direction */
        f.gust[n] = (wind_gust){(float)(8 * n), 4.5f, 2.0f / 30, n == 2 ? 0.0f : 0.6f,
                                n == 2 ? 1.0f : -0.8f};
    return f;
}

int main(void)
{
    TCase *tests = testing_begin("kernels", TESTING_NEEDS_DEVICE);
    add_cells_ground_tests(tests);
    add_cells_step_tests(tests);
    add_cells_rest_tests(tests);
    return testing_end();
}
