/* SPDX-License-Identifier: MIT */
/* The staggered wind's projection against plain C: divergence, residual, the gradient taken out by
 * each of three kernels, and what is read and published at centres. */
#include "wind/bed.h"

#include "kernels/pressure/structs.h"

extern const foehn_source foehn_source_wind_faces, foehn_source_wind_wide_faces;

enum { MOST_SPEED = 12 /* m/s */, MOST_PRESSURE = 20 };

typedef struct field {
    float *u[3], *curl;
    double *p;
    uint8_t *open[3];
    cl_mem opens[3], pressure, curls;
} field;

static field random_field(faces_bed *b)
{
    field f;
    for (int a = 0; a < 3; a++) {
        f.u[a] = faces_random(b, faces_across(a), -MOST_SPEED, MOST_SPEED);
        f.open[a] = faces_random_open(b, a);
        f.opens[a] = faces_put_bytes(b, faces_across(a), f.open[a]);
    }
    float *p = faces_random(b, FACES_CELLS, -MOST_PRESSURE, MOST_PRESSURE);
    f.p = faces_wanted(b);
    EACH_OF(&b->box, FACES_CELLS, at)
    f.p[faces_index(&b->box, at)] = (double)p[faces_index(&b->box, at)];
    f.pressure = faces_put(b, FACES_CELLS, FACES_ZEROS, p);
    f.curl = faces_random(b, FACES_CELLS, 0, 4);
    f.curls = faces_put(b, FACES_CELLS, FACES_ANYTHING, f.curl);
    return f;
}

static void put_velocity(faces_bed *b, const field *f, cl_mem u[3])
{
    for (int a = 0; a < 3; a++)
        u[a] = faces_put(b, faces_across(a), FACES_ANYTHING, f->u[a]);
}

/* Of the sum of a cell's six fluxes. */
static double divergence_scale(const faces_bed *b)
{
    return 2 * MOST_SPEED * (1 / b->box.h[0] + 1 / b->box.h[1] + 1 / b->box.h[2]);
}

START_TEST(divergence_is_what_leaves_a_cell_through_open_faces)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        field f = random_field(&b);
        cl_mem u[3], div = faces_blank(&b);
        double *want = faces_wanted(&b);
        put_velocity(&b, &f, u);
        FACES_LAUNCH(&b, foehn_source_wind_faces, "divergence_faces", faces_cells(&b), ARG(b.g),
                     ARG3(f.opens), ARG3(u), ARG(div));
        EACH_OF(&b.box, FACES_CELLS, at)
        want[faces_index(&b.box, at)] =
            faces_divergence(&b.box, (const uint8_t **)f.open, (const float **)f.u, at);
        FACES_SAME(&b, FACES_CELLS, div, want, FACES_ROUNDING * divergence_scale(&b));
    }
}
END_TEST

/* With the solver's own level and options, which leave out what rows without a closed face need not
 * ask. */
START_TEST(the_residual_is_what_the_last_pressure_leaves_of_the_divergence)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    for (int open_above = 0; open_above < 2; open_above++) {
        if (!b.hilly || b.box.n[1] == 1)
            continue; /* three boxes will do: each makes a solver */
        const foehn_side side = b.box.periodic ? FOEHN_SIDE_PERIODIC : FOEHN_SIDE_OPEN;
        const foehn_side sides[6] = {side, side, FOEHN_SIDE_WALL, FOEHN_SIDE_WALL, side, side};
        foehn_pressure *solver;
        OK(foehn_pressure_create(context, &b.g, sides, &solver));
        field f = random_field(&b);
        cl_mem opens[3], u[3], div = faces_blank(&b), r = faces_blank(&b);
        for (int a = 0; a < 3; a++) {
            EACH_OF(&b.box, faces_across(a), at)
            if (open_above && at[1] >= 2 && !(a == 1 && at[1] == b.box.n[1]))
                f.open[a][faces_index(&b.box, at)] = 255;
            foehn_box box = foehn_grid_box(&b.g, 1);
            box.nx++;
            box.ny++;
            box.nz++; /* what faces lack is not looked at */
            opens[a] = foehn_pressure_open(solver, a);
            OK(foehn_box_write(context, opens[a], box, f.open[a]));
        }
        OK(foehn_pressure_update(solver));
        put_velocity(&b, &f, u);
        b.options = foehn_pressure_options(solver);
        FACES_LAUNCH(&b, foehn_source_wind_faces, "divergence_residual", faces_cells(&b),
                     ARG(*foehn_pressure_level(solver)), ARG3(opens), ARG3(u), ARG(f.pressure),
                     ARG(div), ARG(r));
        double *want_div = faces_wanted(&b), *want = faces_wanted(&b), scale = divergence_scale(&b);
        EACH_OF(&b.box, FACES_CELLS, at)
        {
            int open_faces;
            size_t c = faces_index(&b.box, at);
            want_div[c] =
                faces_divergence(&b.box, (const uint8_t **)f.open, (const float **)f.u, at);
            want[c] = want_div[c] -
                      faces_laplacian(&b.box, (const uint8_t **)f.open, f.p, at, &open_faces);
            want[c] = open_faces > 0 ? want[c] : 0;
            scale = fmax(scale, fabs(want[c]));
        }
        FACES_SAME(&b, FACES_CELLS, div, want_div, FACES_ROUNDING * divergence_scale(&b));
        FACES_SAME(&b, FACES_CELLS, r, want, FACES_ROUNDING * scale);
        foehn_pressure_destroy(solver);
    }
}
END_TEST

/* The nearest half of a number that is itself known to `most`. */
static void check_half(const faces_bed *b, uint16_t half, double want, double most, const int at[3],
                       int which)
{
    double got = (double)foehn_half_to_float(half);
    ck_assert_msg(fabs(got - want) <= most + 0x1p-11 * fabs(want) + 0x1p-25,
                  "%s: half %d of cell (%d, %d, %d) is %g, not %g", b->name, which, at[0], at[1],
                  at[2], got, want);
}

/* A volume in which cell (0, 0, 0) lies at voxel `first`. */
static void check_volume(const faces_bed *b, const field *f, const float *u[3],
                         const cl_int first[3], cl_mem slot)
{
    const size_t count = (size_t)b->box.n[0] * (size_t)b->box.n[1] * (size_t)b->box.n[2];
    uint16_t *halves = testing_alloc(count * 8);
    OK(foehn_buffer_read(context, slot, 0, count * 8, halves));
    EACH_OF(&b->box, FACES_CELLS, at)
    {
        double now[3];
        faces_center(&b->box, (const uint8_t **)f->open, u, at, now);
        double speed = sqrt(now[0] * now[0] + now[1] * now[1] + now[2] * now[2]);
        double strength = (double)f->curl[faces_index(&b->box, at)];
        size_t voxel = 0;
        for (int a = 2; a >= 0; a--)
            voxel = voxel * (size_t)b->box.n[a] + (size_t)((at[a] + first[a]) % b->box.n[a]);
        for (int a = 0; a < 3; a++)
            check_half(b, halves[4 * voxel + (size_t)a], now[a], FACES_ROUNDING * MOST_SPEED, at,
                       a);
        double intensity = strength / fmax(speed, 0.1);
        check_half(b, halves[4 * voxel + 3], intensity,
                   FACES_ROUNDING * (MOST_SPEED / fmax(speed, 0.1)) * intensity, at, 3);
    }
    free(halves);
}

static cl_mem volume_slot(faces_bed *b)
{
    cl_mem slot;
    OK(foehn_buffer_create(
        context, (size_t)b->box.n[0] * (size_t)b->box.n[1] * (size_t)b->box.n[2] * 8, &slot));
    return slot;
}

/* First voxels: 0, the last, any. */
static void first_voxel(faces_bed *b, int trial, cl_int first[3])
{
    for (int a = 0; a < 3; a++)
        first[a] = trial == 0   ? 0
                   : trial == 1 ? b->box.n[a] - 1
                                : (cl_int)(testing_random(&b->random) % (uint64_t)b->box.n[a]);
}

START_TEST(the_gradient_is_taken_out_of_open_faces)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    for (int limited = 0; limited < 2; limited++) {
        const float max_speed = limited ? 7 : 0;
        field f = random_field(&b);
        double *want[3];
        const double scale = MOST_SPEED + 2 * MOST_PRESSURE;
        for (int a = 0; a < 3; a++) {
            want[a] = faces_wanted(&b);
            EACH_OF(&b.box, faces_across(a), at)
            want[a][faces_index(&b.box, at)] = faces_projected(
                &b.box, (double)max_speed, (const uint8_t **)f.open, f.p, f.u[a], a, at);
        }
        cl_mem u[3];
        put_velocity(&b, &f, u);
        FACES_LAUNCH(&b, foehn_source_wind_faces, "project_faces", faces_all(&b), ARG(b.g),
                     ARG(max_speed), ARG3(f.opens), ARG(f.pressure), ARG3(u));
        for (int a = 0; a < 3; a++)
            FACES_SAME(&b, faces_across(a), u[a], want[a], FACES_ROUNDING * scale);
        if (b.box.periodic)
            continue; /* the others are for open boxes */

        put_velocity(&b, &f, u);
        FACES_LAUNCH(&b, foehn_source_wind_wide_faces, "project_wide", faces_in_fours(&b), ARG(b.g),
                     ARG(max_speed), ARG3(f.opens), ARG(f.pressure), ARG3(u));
        for (int a = 0; a < 3; a++)
            FACES_SAME(&b, faces_across(a), u[a], want[a], FACES_ROUNDING * scale);

        for (int trial = 0; trial < 3; trial++) {
            cl_int first[3];
            cl_mem to[3] = {faces_blank(&b), faces_blank(&b), faces_blank(&b)},
                   slot = volume_slot(&b);
            float *now[3];
            first_voxel(&b, trial, first);
            put_velocity(&b, &f, u);
            FACES_LAUNCH(&b, foehn_source_wind_wide_faces, "project_publish", faces_in_fours(&b),
                         ARG(b.g), ARG(max_speed), ARG(first[0]), ARG(first[1]), ARG(first[2]),
                         ARG3(f.opens), ARG(f.pressure), ARG3(u), ARG(f.curls), ARG3(to),
                         ARG(slot));
            for (int a = 0; a < 3; a++) {
                now[a] = testing_alloc(b.count * sizeof(float));
                faces_get_loosely(&b, faces_across(a), to[a], now[a]); /* rows' ends go along */
                EACH_OF(&b.box, faces_across(a), at)
                NEAR(now[a][faces_index(&b.box, at)], want[a][faces_index(&b.box, at)],
                     FACES_ROUNDING * scale);
            }
            check_volume(&b, &f, (const float **)now, first, slot);
            for (int a = 0; a < 3; a++)
                free(now[a]);
            foehn_buffer_destroy(context, &slot);
        }
    }
}
END_TEST

START_TEST(centres_take_the_mean_of_their_open_faces)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        field f = random_field(&b);
        cl_mem u[3], at_centers[3] = {faces_blank(&b), faces_blank(&b), faces_blank(&b)};
        put_velocity(&b, &f, u);
        FACES_LAUNCH(&b, foehn_source_wind_faces, "center", faces_cells(&b), ARG(b.g),
                     ARG(f.opens[0]), ARG(f.opens[2]), ARG3(u), ARG3(at_centers));
        double *want[3] = {faces_wanted(&b), faces_wanted(&b), faces_wanted(&b)};
        EACH_OF(&b.box, FACES_CELLS, at)
        {
            double center[3];
            faces_center(&b.box, (const uint8_t **)f.open, (const float **)f.u, at, center);
            for (int a = 0; a < 3; a++)
                want[a][faces_index(&b.box, at)] = center[a];
        }
        for (int a = 0; a < 3; a++)
            FACES_SAME(&b, FACES_CELLS, at_centers[a], want[a], FACES_ROUNDING * MOST_SPEED);
    }
}
END_TEST

START_TEST(volumes_hold_the_centres_in_wrapped_order)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        field f = random_field(&b);
        cl_mem u[3], slot = volume_slot(&b);
        put_velocity(&b, &f, u);
        for (int trial = 0; trial < 4; trial++) {
            cl_int first[3];
            first_voxel(&b, trial, first);
            FACES_LAUNCH(&b, foehn_source_wind_faces, "publish_faces", faces_cells(&b), ARG(b.g),
                         ARG(first[0]), ARG(first[1]), ARG(first[2]), ARG(f.opens[0]),
                         ARG(f.opens[2]), ARG3(u), ARG(f.curls), ARG(slot));
            check_volume(&b, &f, (const float **)f.u, first, slot);
        }
        foehn_buffer_destroy(context, &slot);
    }
}
END_TEST

void add_projection_tests(TCase *tests)
{
    tcase_add_test(tests, divergence_is_what_leaves_a_cell_through_open_faces);
    tcase_add_test(tests, the_residual_is_what_the_last_pressure_leaves_of_the_divergence);
    tcase_add_test(tests, the_gradient_is_taken_out_of_open_faces);
    tcase_add_test(tests, centres_take_the_mean_of_their_open_faces);
    tcase_add_test(tests, volumes_hold_the_centres_in_wrapped_order);
}
