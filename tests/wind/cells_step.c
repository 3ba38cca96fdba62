/* SPDX-License-Identifier: MIT */
/* Kernels of the collocated scheme against the plain C of reference.c, on small grids: the forces,
 * the transport, the projection. */
#include "wind/cells.h"

extern const foehn_source foehn_source_wind_collocated;

/* ---- wind.cl, the step ---- */

static foehn_status launch_force(bed *b, wind_forcing f)
{
    foehn_wind *w = b->w;
    return LAUNCH(context, CO(w)->kernel.force, foehn_wind_cells(w), ARG(w->g), ARG(f),
                  ARG(w->ground.ground), ARG(CO(w)->open), VELOCITY(w, w->now), ARG(w->curl));
}

START_TEST(force_relaxes_to_profile_noise_and_gusts)
{
    bed b;
    FOR_EACH_BED(b)
    {
        wind_forcing f = cells_forcing(&b);
        double *ground = testing_alloc(b.columns * sizeof *ground);
        double *slopes[2], *curl = testing_alloc(b.cells * sizeof *curl);
        for (int a = 0; a < 2; a++)
            slopes[a] = testing_alloc(b.columns * sizeof(double));
        for (int k = 0; k < b.box.nz; k++)
            for (int i = 0; i < b.box.nx; i++) {
                size_t q = (size_t)k * (size_t)b.box.nx + (size_t)i;
                ground[q] = (double)b.ground[q];
                slopes[0][q] = (reference_ground(&b.map, b.heights, i + 1, k) -
                                reference_ground(&b.map, b.heights, i - 1, k)) /
                               (2 * b.box.hx);
                slopes[1][q] = (reference_ground(&b.map, b.heights, i, k + 1) -
                                reference_ground(&b.map, b.heights, i, k - 1)) /
                               (2 * b.box.hz);
            }
        cells_put_velocity(&b, 12);
        OK(launch_force(&b, f));
        reference_force(&b.box, &f, ground, slopes[0], slopes[1], cells_velocity(&b), b.want, curl);
        for (int a = 0; a < 3; a++)
            SAME(&b, b.w->velocity[b.w->now][a], b.want[a], 25);
        SAME(&b, b.w->curl, curl, 10);
        free(ground);
        free(slopes[0]);
        free(slopes[1]);
        free(curl);
    }
}
END_TEST

/* The highest and the lowest corner of a stencil lie in one lattice cell of both octaves along an
 * axis, where the noise is one polynomial. */
static bool in_one_lattice_cell(const wind_forcing *f, int axis, double x, double reach)
{
    for (int o = 0; o < WIND_OCTAVES; o++) {
        double low = (double)f->fraction[o][axis] + (x - reach) / (double)f->wavelength[o];
        double high = (double)f->fraction[o][axis] + (x + reach) / (double)f->wavelength[o];
        if (floor(low) != floor(high))
            return false;
    }
    return true;
}

/* curl(A psi) has no divergence, ramp and sloping ground included.  Cells are much smaller than the
 * wavelength, so that fourth-order differences see the field and not the grid; stencils across a
 * lattice plane or an end of the ramp, where third derivatives jump, are left out. */
START_TEST(the_forcing_has_no_divergence_near_the_ground)
{
    const double h = 0.125, slope_x = 0.3, slope_z = -0.2;
    int n = testing_is_tiny() ? 9 : 65;
    bed b;
    const ground_case fine = {"fine", n,    n, n, (float)h, (float)h, FOEHN_WIND_SIDES_OPEN,
                              NAN,    false};
    cells_open(&b, &fine);
    /* A plane that passes through the floor's middle. */
    double side = n * h;
    float corners[4];
    for (int c = 0; c < 4; c++)
        corners[c] = (float)(slope_x * (c & 1 ? side : -side) + slope_z * (c & 2 ? side : -side));
    foehn_wind_info info;
    foehn_wind_get_info(b.w, &info);
    foehn_terrain plane = {.nx = 2,
                           .nz = 2,
                           .origin = {info.origin[0] - side / 2, info.origin[2] - side / 2},
                           .spacing = {2 * side, 2 * side},
                           .heights = corners};
    OK(foehn_wind_set_terrain(b.w, &plane));
    OK(foehn_wind_refresh_ground(b.w));
    double worst = 0, squares = 0, used = 0, in_ramp = 0;
    for (int trial = 0; trial < 4; trial++) {
        wind_forcing f = cells_forcing(&b);
        f.u10 = 0;
        f.gain = 1;
        memset(f.gust, 0, sizeof f.gust);
        for (int a = 0; a < 3; a++) {
            memset(b.u[a], 0, b.cells * sizeof(float));
            cells_put(&b, b.w->velocity[b.w->now][a], b.u[a]);
        }
        OK(launch_force(&b, f));
        for (int a = 0; a < 3; a++)
            cells_get(&b, b.w->velocity[b.w->now][a], b.u[a]);
        for (int k = 2; k < n - 2; k++)
            for (int j = 2; j < n - 2; j++)
                for (int i = 2; i < n - 2; i++) {
                    size_t c = reference_cell(&b.box, i, j, k);
                    const size_t stride[3] = {1, (size_t)n, (size_t)n * (size_t)n};
                    const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
                    double height =
                        x[1] - slope_x * (x[0] - side / 2) - slope_z * (x[2] - side / 2);
                    double div = 0;
                    bool smooth = height > 2.1 * h && fabs(height - (double)f.ramp) > 2.1 * h;
                    for (int a = 0; a < 3; a++) {
                        size_t s = stride[a];
                        smooth = smooth && in_one_lattice_cell(&f, a, x[a], 2.1 * h);
                        div += (8 * ((double)b.u[a][c + s] - (double)b.u[a][c - s]) -
                                ((double)b.u[a][c + 2 * s] - (double)b.u[a][c - 2 * s])) /
                               (12 * h);
                    }
                    if (!smooth)
                        continue;
                    for (int a = 0; a < 3; a++)
                        squares += (double)b.u[a][c] * (double)b.u[a][c];
                    used += 1;
                    in_ramp += height < (double)f.ramp;
                    worst = fmax(worst, fabs(div));
                }
    }
    ck_assert(in_ramp > 0);
    double bound = 1e-3 * sqrt(squares / used) / 4; /* h of the bound: the default cell, 4 m */
    testing_report("forcing at %g points, %g of them in the ramp over a slope: |div| up to %.2g "
                   "u_rms/h",
                   used, in_ramp, 1e-3 * worst / bound);
    ck_assert_double_lt(worst, bound);
    cells_close(&b);
}
END_TEST

START_TEST(advect_traces_back_and_interpolates)
{
    const float steps[] = {0.05f, 0.4f, 30};
    bed b;
    FOR_EACH_BED(b)
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        foehn_wind *w = b.w;
        float dt = steps[n];
        cl_int periodic = b.box.periodic;
        cells_put_velocity(&b, 5);
        OK(LAUNCH(context, CO(w)->kernel.advect, foehn_wind_cells(w), ARG(w->g), ARG(dt),
                  ARG(periodic), ARG(CO(w)->open), VELOCITY(w, w->now), VELOCITY(w, 1 - w->now)));
        reference_advect(&b.box, (double)dt, cells_velocity(&b), b.want);
        /* Places are rounded too: by 1e-7 of the distance travelled, in fields that change by 10 a
         * cell. */
        double scale = 5 + (double)dt * 5 / fmin(b.box.hx, b.box.hy);
        for (int a = 0; a < 3; a++)
            SAME(&b, w->velocity[1 - w->now][a], b.want[a], scale);
    }
}
END_TEST

START_TEST(divergence_is_by_central_differences)
{
    bed b;
    FOR_EACH_BED(b)
    {
        cells_put_velocity(&b, 5);
        cl_mem divergence;
        OK(b.w->model->divergence(b.w, &divergence));
        reference_divergence(&b.box, cells_velocity(&b), b.want[0]);
        SAME(&b, divergence, b.want[0], 5 * (2 / b.box.hx + 1 / b.box.hy));
    }
}
END_TEST

/* Divergence and pressure that look random, now on the device; next is 7 everywhere. */
static void put_pressure(bed *b)
{
    cells_fill(b, b->q, -2, 2);
    cells_fill(b, b->p, -9, 9);
    for (size_t i = 0; i < b->cells; i++)
        if (b->solid[i])
            b->q[i] = 0; /* as the kernels leave it */
    cells_put(b, CO(b->w)->divergence, b->q);
    cells_put(b, CO(b->w)->pressure[CO(b->w)->now_p], b->p);
}

START_TEST(sweep_is_jacobi)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        put_pressure(&b);
        OK(LAUNCH(context, CO(w)->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(CO(w)->stencil),
                  ARG(CO(w)->open), ARG(CO(w)->divergence), ARG(CO(w)->pressure[CO(w)->now_p]),
                  ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        reference_sweep(&b.box, b.q, b.p, b.want[0]);
        SAME(&b, CO(w)->pressure[1 - CO(w)->now_p], b.want[0], 20);
    }
}
END_TEST

START_TEST(the_flat_sweep_is_the_sweep_over_flat_ground)
{
    enum { NX = 37, NY = 5, NZ = 11, N = NX * NY * NZ };
    for (int sides = 0; sides < 2; sides++) {
        foehn_wind_params params = foehn_wind_params_default();
        params.scheme = FOEHN_WIND_COLLOCATED;
        params.nx = NX;
        params.ny = NY;
        params.nz = NZ;
        params.spacing_vertical = 1.5f;
        params.sides = (foehn_wind_sides)sides;
        foehn_wind *w;
        OK(foehn_wind_create(context, &params, &w));
        float *p = testing_alloc(N * sizeof *p), *div = testing_alloc(N * sizeof *div);
        float *got[2] = {testing_alloc(N * sizeof *p), testing_alloc(N * sizeof *p)};
        for (int c = 0; c < N; c++) {
            p[c] = (float)(c * 7919 % 1000) * 1e-3f;
            div[c] = (float)(c * 104729 % 1000) * 1e-4f;
        }
        OK(foehn_wind_write(w, FOEHN_WIND_PRESSURE, p));
        OK(foehn_box_write(context, CO(w)->divergence, foehn_grid_box(&w->g, sizeof *div), div));
        cl_mem from = CO(w)->pressure[CO(w)->now_p], to = CO(w)->pressure[1 - CO(w)->now_p];
        cl_int wraps = sides;
        OK(LAUNCH(context, CO(w)->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(CO(w)->stencil),
                  ARG(CO(w)->open), ARG(CO(w)->divergence), ARG(from), ARG(to)));
        OK(foehn_box_read(context, to, foehn_grid_box(&w->g, sizeof *p), got[0]));
        OK(LAUNCH(context, CO(w)->kernel.sweep_flat, foehn_wind_cells(w), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(wraps), ARG(CO(w)->divergence), ARG(from), ARG(to)));
        OK(foehn_box_read(context, to, foehn_grid_box(&w->g, sizeof *p), got[1]));
        for (int c = 0; c < N; c++) {
            ck_assert(got[0][c] != p[c]);
            NEAR(got[1][c], got[0][c], 1e-6);
        }
        free(p);
        free(div);
        free(got[0]);
        free(got[1]);
        foehn_wind_destroy(w);
    }
}
END_TEST

START_TEST(the_fused_sweep_is_divergence_then_sweep)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        put_pressure(&b);
        cells_put_velocity(&b, 5);
        OK(LAUNCH(context, CO(w)->kernel.divergence_sweep, foehn_wind_cells(w), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(CO(w)->open), ARG(CO(w)->wall), VELOCITY(w, w->now),
                  ARG(CO(w)->divergence), ARG(CO(w)->pressure[CO(w)->now_p]),
                  ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        reference_divergence(&b.box, cells_velocity(&b), b.want[0]);
        SAME(&b, CO(w)->divergence, b.want[0], 5 * (2 / b.box.hx + 1 / b.box.hy));
        cells_get(&b, CO(w)->divergence, b.q);
        reference_sweep(&b.box, b.q, b.p, b.want[0]);
        SAME(&b, CO(w)->pressure[1 - CO(w)->now_p], b.want[0], 20);
    }
}
END_TEST

START_TEST(project_subtracts_the_gradient)
{
    const float speeds[] = {0, 2.5f};
    bed b;
    FOR_EACH_BED(b)
    for (int n = 0; n < 2; n++) {
        foehn_wind *w = b.w;
        put_pressure(&b);
        cells_put_velocity(&b, 5);
        OK(LAUNCH(context, CO(w)->kernel.project, foehn_wind_cells(w), ARG(w->g), ARG(speeds[n]),
                  ARG(CO(w)->open), ARG(CO(w)->pressure[CO(w)->now_p]), VELOCITY(w, w->now)));
        reference_project(&b.box, (double)speeds[n], b.p, cells_velocity(&b), b.want);
        for (int a = 0; a < 3; a++)
            SAME(&b, w->velocity[w->now][a], b.want[a], 10 + 9 / b.box.hy);
    }
}
END_TEST

START_TEST(residual_sums_squares_by_row)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        put_pressure(&b);
        OK(foehn_wind_set_measuring(w, 1));
        size_t count = (size_t)b.box.ny * (size_t)b.box.nz;
        float *rows = testing_alloc(count * sizeof *rows);
        OK(LAUNCH(context, CO(w)->kernel.residual,
                  ((foehn_size){(size_t)b.box.ny, (size_t)b.box.nz, 1}), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(CO(w)->open), ARG(CO(w)->divergence),
                  ARG(CO(w)->pressure[CO(w)->now_p]), ARG(CO(w)->rows[0])));
        OK(foehn_buffer_read(context, CO(w)->rows[0], 0, count * sizeof *rows, rows));
        for (int k = 0; k < b.box.nz; k++)
            for (int j = 0; j < b.box.ny; j++) {
                double sum = 0;
                for (int i = 0; i < b.box.nx; i++)
                    sum += pow(reference_residual(&b.box, b.q, b.p, i, j, k), 2);
                NEAR(rows[k * b.box.ny + j], sum, 1e-5 * (sum + 1));
            }
        free(rows);
    }
}
END_TEST

START_TEST(wider_indices_change_no_bit)
{
    bed b;
    cells_open(&b, &cells_cases[2]);
    foehn_wind *w = b.w;
    foehn_kernel wide;
    OK(foehn_kernel_create(context, &foehn_source_wind_collocated, "-DFOEHN_INDEX64", "sweep", 0,
                           &wide));
    put_pressure(&b);
    for (int n = 0; n < 2; n++) {
        OK(foehn_buffer_clear(context, CO(w)->pressure[1 - CO(w)->now_p]));
        OK(LAUNCH(context, *(n ? &wide : &CO(w)->kernel.sweep), foehn_wind_cells(w), ARG(w->g),
                  ARG(CO(w)->stencil), ARG(CO(w)->open), ARG(CO(w)->divergence),
                  ARG(CO(w)->pressure[CO(w)->now_p]), ARG(CO(w)->pressure[1 - CO(w)->now_p])));
        cells_get(&b, CO(w)->pressure[1 - CO(w)->now_p], n ? b.q : b.out);
    }
    ck_assert(memcmp(b.q, b.out, b.cells * sizeof(float)) == 0);
    foehn_kernel_destroy(&wide);
    cells_close(&b);
}
END_TEST

void add_cells_step_tests(TCase *tests)
{
    tcase_add_test(tests, force_relaxes_to_profile_noise_and_gusts);
    tcase_add_test(tests, the_forcing_has_no_divergence_near_the_ground);
    tcase_add_test(tests, advect_traces_back_and_interpolates);
    tcase_add_test(tests, divergence_is_by_central_differences);
    tcase_add_test(tests, sweep_is_jacobi);
    tcase_add_test(tests, the_flat_sweep_is_the_sweep_over_flat_ground);
    tcase_add_test(tests, the_fused_sweep_is_divergence_then_sweep);
    tcase_add_test(tests, project_subtracts_the_gradient);
    tcase_add_test(tests, residual_sums_squares_by_row);
    tcase_add_test(tests, wider_indices_change_no_bit);
}
