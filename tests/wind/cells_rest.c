/* SPDX-License-Identifier: MIT */
/* Kernels of the collocated scheme against the plain C of reference.c, on small grids: scrolling,
 * ghosts, means, points, publication. */
#include "wind/cells.h"

/* ---- wind.cl, the rest ---- */

START_TEST(scroll_moves_whole_cells_and_fills_with_the_profile)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        const int n[3] = {b.box.nx, b.box.ny, b.box.nz};
        const int shifts[][3] = {{0, 0, 0},    {1, 0, 0},     {-1, 0, 0},        {0, 2, 0},
                                 {0, -1, 0},   {0, 0, 3},     {2, -1, -4},       {-3, 1, 2},
                                 {n[0], 0, 0}, {0, -n[1], 0}, {n[0], n[1], n[2]}};
        wind_forcing f = cells_forcing(&b);
        cells_put_velocity(&b, 5);
        cells_fill(&b, b.p, -9, 9);
        cells_put(&b, CO(w)->pressure[CO(w)->now_p], b.p);
        for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
            const cl_int *by = shifts[s];
            OK(LAUNCH(context, CO(w)->kernel.scroll, foehn_wind_cells(w), ARG(w->g), ARG(f),
                      ARG(by[0]), ARG(by[1]), ARG(by[2]), ARG(w->ground.ground), ARG(CO(w)->open),
                      VELOCITY(w, w->now), ARG(CO(w)->pressure[CO(w)->now_p]),
                      VELOCITY(w, 1 - w->now), ARG(CO(w)->pressure[1 - CO(w)->now_p])));
            for (int field = 0; field < 4; field++) {
                const float *from = field < 3 ? b.u[field] : b.p;
                const float along[4] = {f.dx, 0, f.dz, 0};
                cells_get(&b,
                          field < 3 ? w->velocity[1 - w->now][field]
                                    : CO(w)->pressure[1 - CO(w)->now_p],
                          b.out);
                for (int k = 0; k < n[2]; k++)
                    for (int j = 0; j < n[1]; j++)
                        for (int i = 0; i < n[0]; i++) {
                            size_t c = reference_cell(&b.box, i, j, k);
                            int x = i + by[0], y = j + by[1], z = k + by[2];
                            if (x >= 0 && y >= 0 && z >= 0 && x < n[0] && y < n[1] && z < n[2]) {
                                size_t d = reference_cell(&b.box, x, y, z);
                                ck_assert_msg(memcmp(&b.out[c], &from[d], sizeof(float)) == 0,
                                              "%s: cell (%d, %d, %d) moved by (%d, %d, %d)",
                                              b.which->name, i, j, k, by[0], by[1], by[2]);
                                continue;
                            }
                            size_t q = (size_t)k * (size_t)n[0] + (size_t)i;
                            double z_agl =
                                b.box.floor_y + (j + 0.5) * b.box.hy - (double)b.ground[q];
                            double z0 = (double)f.z0;
                            double speed = b.solid[c] ? 0
                                                      : (double)f.u10 * log(fmax(z_agl, z0) / z0) /
                                                            log(10 / z0);
                            NEAR(b.out[c], (double)along[field] * speed, 1e-5 * 20);
                        }
            }
        }
    }
}
END_TEST

START_TEST(wrap_fills_the_side_ghosts_only)
{
    bed b;
    FOR_EACH_BED(b)
    {
        if (!b.box.periodic)
            continue;
        foehn_wind *w = b.w;
        foehn_grid g = w->g;
        size_t count = foehn_grid_elements(&g), written = 0;
        float *whole = testing_alloc(count * sizeof *whole);
        cells_fill(&b, b.p, 1, 2);
        OK(foehn_buffer_clear(context, w->curl));
        cells_put(&b, w->curl, b.p);
        OK(foehn_buffer_read(context, w->curl, 0, count * sizeof *whole, whole));
        for (int k = -1; k <= g.nz; k++)
            for (int j = 0; j < g.ny; j++)
                for (int i = -1; i <= g.nx; i++) {
                    size_t at = (size_t)(k + 1) * (size_t)g.sz + (size_t)(j + 1) * (size_t)g.sy +
                                (size_t)(i + 8);
                    ck_assert(whole[at] ==
                              b.p[reference_cell(&b.box, (i + g.nx) % g.nx, j, (k + g.nz) % g.nz)]);
                }
        for (size_t i = 0; i < count; i++)
            written += whole[i] != 0;
        ck_assert_uint_eq(written, (size_t)(g.nx + 2) * (size_t)g.ny * (size_t)(g.nz + 2));
        free(whole);
    }
}
END_TEST

START_TEST(average_is_a_running_mean)
{
    enum { SAMPLES = 7, MEANS = 5 };
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        double *sums[MEANS];
        for (int m = 0; m < MEANS; m++)
            sums[m] = testing_alloc(b.cells * sizeof(double));
        OK(foehn_wind_set_averaging(w, 1));
        for (int s = 1; s <= SAMPLES; s++) {
            float n = (float)s;
            cells_put_velocity(&b, 5);
            OK(LAUNCH(context, w->kernel.average, foehn_wind_cells(w), ARG(w->g), ARG(n),
                      VELOCITY(w, w->now), ARG(w->means[0]), ARG(w->means[1]), ARG(w->means[2]),
                      ARG(w->means[3]), ARG(w->means[4])));
            for (size_t c = 0; c < b.cells; c++) {
                double square = 0;
                for (int a = 0; a < 3; a++) {
                    sums[a][c] += (double)b.u[a][c] / SAMPLES;
                    square += (double)b.u[a][c] * (double)b.u[a][c];
                }
                sums[3][c] += sqrt(square) / SAMPLES;
                sums[4][c] += square / SAMPLES;
            }
        }
        for (int m = 0; m < MEANS; m++) {
            SAME(&b, w->means[m], sums[m], m == 4 ? 75 : 9);
            free(sums[m]);
        }
    }
}
END_TEST

START_TEST(points_follow_the_log_law_between_centres)
{
    enum { POINTS = 500 };
    bed b;
    FOR_EACH_BED(b)
    for (int mean = 0; mean < 2; mean++) {
        foehn_wind *w = b.w;
        double points[POINTS][3];
        float out[POINTS][4];
        float *square = testing_alloc(b.cells * sizeof *square);
        cells_put_velocity(&b, 5);
        if (mean) {
            OK(foehn_wind_set_averaging(w, 1));
            for (int a = 0; a < 3; a++)
                cells_put(&b, w->means[a], b.u[a]);
        }
        cells_fill(&b, b.p, 0, 4);
        for (size_t i = 0; i < b.cells; i++)
            square[i] = b.p[i] * b.p[i] + (float)testing_uniform(&b.random, -0.1, 3);
        cells_put(&b, mean ? w->means[3] : w->curl, b.p);
        if (mean)
            cells_put(&b, w->means[4], square);
        foehn_wind_info info;
        foehn_wind_get_info(w, &info);
        for (int n = 0; n < POINTS; n++)
            for (int a = 0; a < 3; a++) /* outside of the box, too */
                points[n][a] = (a == 1 ? 0 : info.origin[a]) +
                               info.extent[a] * testing_uniform(&b.random, -0.2, 1.2);
        OK(foehn_wind_read_points(w, mean, POINTS, points[0], out[0]));
        for (int n = 0; n < POINTS; n++) {
            double want[4];
            reference_point(&b.box, (double)w->params.z0, mean != 0,
                            (points[n][0] - info.origin[0]) / b.box.hx,
                            (points[n][2] - info.origin[2]) / b.box.hz, points[n][1], b.ground,
                            cells_velocity(&b), b.p, square, want);
            for (int a = 0; a < 4; a++) {
                /* Places are rounded in cells, speeds in m/s, intensities divide by 0.1 m/s. */
                double most = a < 3 ? 5e-5 : 1e-4 * (1 + want[3]);
                ck_assert_msg(fabs((double)out[n][a] - want[a]) <= most,
                              "%s: point (%g, %g, %g): %d is %.7g, not %.7g", b.which->name,
                              points[n][0], points[n][1], points[n][2], a, (double)out[n][a],
                              want[a]);
            }
        }
        free(square);
    }
}
END_TEST

START_TEST(publish_rounds_to_halves_in_wrapped_order)
{
    bed b;
    FOR_EACH_BED(b)
    {
        foehn_wind *w = b.w;
        const int n[3] = {b.box.nx, b.box.ny, b.box.nz};
        cells_put_velocity(&b, 30);
        cells_fill(&b, b.p, 0, 5);
        cells_put(&b, w->curl, b.p);
        uint16_t *halves = testing_alloc(b.cells * 4 * sizeof *halves);
        cl_mem slot;
        OK(foehn_buffer_create(context, b.cells * 4 * sizeof *halves, &slot));
        for (int trial = 0; trial < 4; trial++) {
            cl_int first[3];
            for (int a = 0; a < 3; a++)
                first[a] = trial == 0   ? 0
                           : trial == 1 ? n[a] - 1
                                        : (cl_int)(testing_random(&b.random) % (uint64_t)n[a]);
            OK(LAUNCH(context, CO(w)->kernel.publish, foehn_wind_cells(w), ARG(w->g), ARG(first[0]),
                      ARG(first[1]), ARG(first[2]), VELOCITY(w, w->now), ARG(w->curl), ARG(slot)));
            OK(foehn_buffer_read(context, slot, 0, b.cells * 4 * sizeof *halves, halves));
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        size_t c = reference_cell(&b.box, i, j, k);
                        const uint16_t *h =
                            halves + 4 * reference_cell(&b.box, (i + first[0]) % n[0],
                                                        (j + first[1]) % n[1],
                                                        (k + first[2]) % n[2]);
                        double squares = 0;
                        for (int a = 0; a < 3; a++) {
                            ck_assert_uint_eq(h[a], reference_half(b.u[a][c]));
                            squares += (double)b.u[a][c] * (double)b.u[a][c];
                        }
                        int intensity =
                            reference_half((float)((double)b.p[c] / fmax(sqrt(squares), 0.1)));
                        ck_assert_int_le(abs((int)h[3] - intensity), 1);
                    }
        }
        foehn_buffer_destroy(context, &slot);
        free(halves);
    }
}
END_TEST

START_TEST(every_half_survives_the_way_there_and_back)
{
    for (unsigned h = 0; h < 65536; h++) {
        float x = foehn_half_to_float((uint16_t)h);
        bool is_nan = (h & 0x7c00) == 0x7c00 && (h & 0x3ff);
        ck_assert(is_nan ? isnan(x) : reference_half(x) == h);
    }
    ck_assert(foehn_half_to_float(0x3c00) == 1.0f);
    ck_assert(foehn_half_to_float(0xc100) == -2.5f);
    ck_assert(foehn_half_to_float(0x7bff) == 65504.0f);
    ck_assert(foehn_half_to_float(0x0001) == 0x1p-24f);
    ck_assert(foehn_half_to_float(0xfc00) == -INFINITY);
}
END_TEST

/* A file of the source tree, to be freed.  (As an option, -I, its folder could not have spaces.) */
static char *read_source(const char *name)
{
    const char *folder = getenv("FOEHN_SRCDIR");
    enum { MOST = 1 << 16 };
    char path[1024], *text = testing_alloc(MOST);
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    FILE *stream = fopen(path, "r");
    ck_assert_msg(stream != NULL, "%s: cannot be read", path);
    size_t length = fread(text, 1, MOST - 1, stream);
    ck_assert(feof(stream) && length > 0);
    fclose(stream);
    text[length] = 0;
    return text;
}

/* Devices may contract a * b + c, so the bits may differ; the accuracy may not. */
START_TEST(the_logarithm_is_as_accurate_on_the_device)
{
    char *header = read_source("include/foehn/profile.h");
    static const char *lines[] = {
        NULL, /* the header */
        "kernel void logs(global const float *x, global float *y)\n",
        "{ size_t i = get_global_id(0); y[i] = foehn_log(x[i]); }\n",
    };
    static const foehn_source source = {"logs", lines, 3};
    enum { COUNT = 1 << 16 };
    foehn_kernel logs;
    cl_mem x, y;
    float *in = testing_alloc(COUNT * sizeof *in), *out = testing_alloc(COUNT * sizeof *out);
    uint64_t random = 41;
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)exp(testing_uniform(&random, -20, 20));
    lines[0] = header;
    OK(foehn_kernel_create(context, &source, "", "logs", 0, &logs));
    OK(foehn_buffer_create(context, COUNT * sizeof *in, &x));
    OK(foehn_buffer_create(context, COUNT * sizeof *in, &y));
    OK(foehn_buffer_write(context, x, 0, COUNT * sizeof *in, in));
    OK(LAUNCH(context, logs, ((foehn_size){COUNT, 1, 1}), ARG(x), ARG(y)));
    OK(foehn_buffer_read(context, y, 0, COUNT * sizeof *out, out));
    int different = 0;
    double worst = 0;
    for (int i = 0; i < COUNT; i++) {
        float host = foehn_log(in[i]);
        different += memcmp(&host, &out[i], sizeof host) != 0;
        worst =
            fmax(worst, fabs((double)out[i] - log((double)in[i])) / (fabs(log((double)in[i])) + 1));
    }
    testing_report("foehn_log on the device: %.3g of |ln x| + 1; %d of %d differ from the host's",
                   worst, different, COUNT);
    ck_assert_double_le(worst, 2e-7);
    foehn_buffer_destroy(context, &x);
    foehn_buffer_destroy(context, &y);
    foehn_kernel_destroy(&logs);
    free(header);
    free(in);
    free(out);
}
END_TEST

void add_cells_rest_tests(TCase *tests)
{
    tcase_add_test(tests, scroll_moves_whole_cells_and_fills_with_the_profile);
    tcase_add_test(tests, wrap_fills_the_side_ghosts_only);
    tcase_add_test(tests, average_is_a_running_mean);
    tcase_add_test(tests, points_follow_the_log_law_between_centres);
    tcase_add_test(tests, publish_rounds_to_halves_in_wrapped_order);
    tcase_add_test(tests, every_half_survives_the_way_there_and_back);
    tcase_add_test(tests, the_logarithm_is_as_accurate_on_the_device);
}
