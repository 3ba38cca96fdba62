/* SPDX-License-Identifier: MIT */
/* What the momentum model does at the end of a step, and how long the next one is, against plain C.
 */
#include "wind/bed.h"

#include "kernels/wind/momentum.h"

extern const foehn_source foehn_source_wind_momentum, foehn_source_wind_turbulence;

/* u - grad psi on open faces; p + psi / dt, or p as it is. */
START_TEST(the_momentum_models_correction_takes_the_gradient_out)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    for (cl_int keep = 0; keep < 2; keep++) {
        if (b.box.periodic)
            continue; /* its sides are open or hold the undisturbed wind */
        b.options = "-DLANES=1";
        const momentum m = {.g = b.g};
        const float times[2] = {0.4f, 7};
        float *u[3], *p = faces_random(&b, FACES_CELLS, -3, 3);
        float *psi = faces_random(&b, FACES_CELLS, -6, 6);
        double *potential = faces_wanted(&b), *want_p = faces_wanted(&b);
        uint8_t *open[3];
        cl_mem opens[3], us[3], clock, psis = faces_put(&b, FACES_CELLS, FACES_ZEROS, psi);
        cl_mem ps = faces_put(&b, FACES_CELLS, FACES_ANYTHING, p);
        EACH_OF(&b.box, FACES_CELLS, at)
        {
            size_t c = faces_index(&b.box, at);
            potential[c] = (double)psi[c];
            want_p[c] = (double)p[c] + (keep ? (double)psi[c] / (double)times[0] : 0);
        }
        for (int a = 0; a < 3; a++) {
            u[a] = faces_random(&b, faces_across(a), -12, 12);
            open[a] = faces_random_open(&b, a);
            us[a] = faces_put(&b, faces_across(a), FACES_ANYTHING, u[a]);
            opens[a] = faces_put_bytes(&b, faces_across(a), open[a]);
        }
        OK(foehn_buffer_create(context, sizeof times, &clock));
        OK(foehn_buffer_write(context, clock, 0, sizeof times, times));
        FACES_LAUNCH(&b, foehn_source_wind_momentum, "correct", faces_all(&b), ARG(m), ARG(keep),
                     ARG(clock), ARG3(opens), ARG(psis), ARG3(us), ARG(ps));
        for (int a = 0; a < 3; a++) {
            double *want = faces_wanted(&b);
            EACH_OF(&b.box, faces_across(a), at)
            {
                size_t c = faces_index(&b.box, at);
                want[c] = open[a][c] == 0 /* a closed face stays as it is */
                              ? (double)u[a][c]
                              : faces_projected(&b.box, 0, (const uint8_t **)open, potential, u[a],
                                                a, at);
            }
            FACES_SAME(&b, faces_across(a), us[a], want, FACES_ROUNDING * (12 + 2 * 6));
        }
        FACES_SAME(&b, FACES_CELLS, ps, want_p, FACES_ROUNDING * (3 + 6 / 0.4));
        foehn_buffer_destroy(context, &clock);
    }
}
END_TEST

/* So many cells of the fastest column, and no longer than asked for. */
START_TEST(a_step_of_the_momentum_model_is_as_long_as_the_fastest_column_allows)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    for (int trial = 0; trial < 3; trial++) {
        b.options = "-DLANES=1";
        const int nx = b.box.n[0], nz = b.box.n[2];
        const foehn_box box = foehn_grid_box(&b.g, sizeof(float));
        const size_t plane = (size_t)b.g.sy * (size_t)(nz + 4),
                     first = box.offset - box.plane_pitch;
        const momentum m = {.g = b.g, .plane = (i32)plane, .courant = 0.8f};
        const float most = trial == 2 ? 0.01f : 1e4f, before[2] = {3, 50};
        float *walls = testing_alloc(WALL_PLANES * plane * sizeof *walls), after[2], fastest = 0;
        for (size_t c = 0; c < WALL_PLANES * plane; c++)
            walls[c] = 900; /* beyond the columns */
        for (int k = 0; k < nz; k++)
            for (int i = 0; i < nx; i++) {
                float speed = (float)testing_uniform(&b.random, 0, 2);
                walls[FASTEST * plane + first + (size_t)k * box.row_pitch + (size_t)i] = speed;
                fastest = speed > fastest ? speed : fastest;
            }
        cl_mem buffer, clock;
        OK(foehn_buffer_create(context, WALL_PLANES * plane * sizeof *walls, &buffer));
        OK(foehn_buffer_write(context, buffer, 0, WALL_PLANES * plane * sizeof *walls, walls));
        OK(foehn_buffer_create(context, sizeof before, &clock));
        OK(foehn_buffer_write(context, clock, 0, sizeof before, before));
        FACES_LAUNCH(&b, foehn_source_wind_momentum, "choose_step", ((foehn_size){16, 1, 1}),
                     ARG(m), ARG(most), ARG(buffer), ARG(clock), LOCAL_ARG(16 * sizeof(float)));
        OK(foehn_buffer_read(context, clock, 0, sizeof after, after));
        double want = fmin((double)most, 0.8 / (double)fastest);
        NEAR(after[0], want, 2e-7 * want);
        NEAR(after[1], 50 + want, 4e-7 * (50 + want));
        foehn_buffer_destroy(context, &buffer);
        foehn_buffer_destroy(context, &clock);
        free(walls);
    }
}
END_TEST

START_TEST(the_momentum_models_noise_is_one_component_of_its_turbulence)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        b.options = "-DLANES=1";
        float *k = faces_random(&b, FACES_CELLS, -0.2, 4);
        double *want = faces_wanted(&b);
        cl_mem field = faces_put(&b, FACES_CELLS, FACES_ANYTHING, k), rms = faces_blank(&b);
        FACES_LAUNCH(&b, foehn_source_wind_turbulence, "fluctuation", faces_cells(&b), ARG(b.g),
                     ARG(field), ARG(rms));
        EACH_OF(&b.box, FACES_CELLS, at)
        {
            size_t c = faces_index(&b.box, at);
            want[c] = sqrt(2.0 / 3 * fmax((double)k[c], 0));
        }
        FACES_SAME(&b, FACES_CELLS, rms, want, FACES_ROUNDING * 2);
    }
}
END_TEST

void add_momentum_tests(TCase *tests)
{
    tcase_add_test(tests, the_momentum_models_correction_takes_the_gradient_out);
    tcase_add_test(tests, a_step_of_the_momentum_model_is_as_long_as_the_fastest_column_allows);
    tcase_add_test(tests, the_momentum_models_noise_is_one_component_of_its_turbulence);
}
