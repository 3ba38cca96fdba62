/* SPDX-License-Identifier: MIT */
/* The staggered wind's advection against plain C: values on closed faces, the trace back by either
 * kernel, MacCormack's correction. */
#include "wind/bed.h"

extern const foehn_source foehn_source_wind_faces, foehn_source_wind_rows;

enum { MOST_SPEED = 8 }; /* m/s */

typedef struct field {
    float *u[3];
    uint8_t *open[3];
    cl_mem on_device[3], opens[3];
} field;

static field random_field(faces_bed *b)
{
    field f;
    for (int a = 0; a < 3; a++) {
        f.u[a] = faces_random(b, faces_across(a), -MOST_SPEED, MOST_SPEED);
        f.open[a] = faces_random_open(b, a);
        f.on_device[a] = faces_put(b, faces_across(a), FACES_ANYTHING, f.u[a]);
        f.opens[a] = faces_put_bytes(b, faces_across(a), f.open[a]);
    }
    return f;
}

/* A place of up to n cells is rounded three times, on three axes, to n / 2^24 each; neighbours are
 * apart by twice the most speed. */
static double place_rounding(const faces_bed *b)
{
    double n = fmax(b->box.n[0], fmax(b->box.n[1], b->box.n[2]));
    return 9 * (n + 8) * 0x1p-24;
}

START_TEST(closed_faces_hold_what_lies_above_them)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        field f = random_field(&b);
        FACES_LAUNCH(&b, foehn_source_wind_faces, "extend", faces_all(&b), ARG(b.g),
                     ARG(f.opens[0]), ARG(f.opens[2]), ARG(f.on_device[0]), ARG(f.on_device[2]));
        for (int a = 0; a < 3; a += 2) {
            double *want = faces_wanted(&b);
            EACH_OF(&b.box, faces_across(a), at)
            {
                size_t c = faces_index(&b.box, at);
                const int above[3] = {at[0], at[1] + 1, at[2]};
                want[c] = (double)f.u[a][c];
                if (f.open[a][c] == 0 && above[1] < b.box.n[1]) {
                    size_t up = faces_index(&b.box, above);
                    want[c] = f.open[a][up] > 0 ? (double)f.u[a][up] : 0;
                }
            }
            FACES_SAME(&b, faces_across(a), f.on_device[a], want, 0);
        }
    }
}
END_TEST

static void launch_trace(faces_bed *b, bool rows, float dt, const field *f, const cl_mem to[3])
{
    if (rows) {
        const cl_int span =
            b->box.n[0] > 20 ? 16 : 6; /* parts of a row: near and far ones in the same box */
        foehn_size size = faces_all(b);
        size.x = (size.x + (size_t)span - 1) / (size_t)span;
        FACES_LAUNCH_LOCAL(b, foehn_source_wind_rows, "advect_rows", size, ((foehn_size){1, 1, 1}),
                           ARG(b->g), ARG(dt), ARG(span), ARG3(f->opens), ARG3(f->on_device),
                           ARG3(to), LOCAL_ARG(9 * sizeof(float) * (size_t)span));
    } else
        FACES_LAUNCH(b, foehn_source_wind_faces, "advect_faces", faces_all(b), ARG(b->g), ARG(dt),
                     ARG3(f->opens), ARG3(f->on_device), ARG3(to));
}

/* Steps of less than a cell, about a cell, and several. */
START_TEST(faces_are_traced_back_through_the_old_field)
{
    static const float steps[] = {0.1f, 0.45f, 1.5f};
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        field f = random_field(&b);
        for (int step = 0; step < 3; step++) {
            double *want[3];
            for (int a = 0; a < 3; a++) {
                want[a] = faces_wanted(&b);
                EACH_OF(&b.box, faces_across(a), at)
                {
                    double place[3];
                    size_t c = faces_index(&b.box, at);
                    faces_trace(&b.box, -(double)steps[step], (const float **)f.u, a, at, place);
                    want[a][c] = f.open[a][c] > 0 ? faces_value(&b.box, a, f.u[a], place) : 0;
                }
            }
            for (int rows = 0; rows < 2; rows++) {
                cl_mem to[3] = {faces_blank(&b), faces_blank(&b), faces_blank(&b)};
                launch_trace(&b, rows, steps[step], &f, to);
                for (int a = 0; a < 3; a++)
                    FACES_SAME(&b, faces_across(a), to[a], want[a],
                               2 * MOST_SPEED * place_rounding(&b));
            }
        }
    }
}
END_TEST

/* hat + (f - back) / 2 within the range of the values that hat was made of, else hat.  Faces where
 * rounding decides which these are or whether the value is among them may have either; they are
 * few. */
START_TEST(maccormack_corrects_within_the_values_around)
{
    double corrected = 0, kept = 0, doubtful = 0;
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        const float dt = case_ % 2 ? 0.7f : 0.2f;
        const double rounding = 2 * MOST_SPEED * place_rounding(&b);
        field f = random_field(&b);
        float *hat[3];
        cl_mem hats[3], to[3];
        for (int a = 0; a < 3; a++) {
            hat[a] = faces_random(&b, faces_across(a), -MOST_SPEED / 2, MOST_SPEED / 2);
            hats[a] = faces_put(&b, faces_across(a), FACES_ANYTHING, hat[a]);
            to[a] = faces_blank(&b);
        }
        FACES_LAUNCH(&b, foehn_source_wind_faces, "correct_faces", faces_all(&b), ARG(b.g), ARG(dt),
                     ARG3(f.opens), ARG3(f.on_device), ARG3(hats), ARG3(to));
        float *got = testing_alloc(b.count * sizeof *got);
        for (int a = 0; a < 3; a++) {
            faces_get(&b, faces_across(a), to[a], got);
            EACH_OF(&b.box, faces_across(a), at)
            {
                size_t c = faces_index(&b.box, at);
                double from[3], ahead[3], range[2], plain = (double)hat[a][c];
                if (f.open[a][c] == 0) {
                    ck_assert(got[c] == 0);
                    continue;
                }
                faces_trace(&b.box, -(double)dt, (const float **)f.u, a, at, from);
                faces_trace(&b.box, (double)dt, (const float **)f.u, a, at, ahead);
                double value =
                    plain + 0.5 * ((double)f.u[a][c] - faces_value(&b.box, a, hat[a], ahead));
                bool doubt = faces_range(&b.box, a, f.u[a], from, place_rounding(&b), range) ||
                             fabs(value - range[0]) < rounding || fabs(value - range[1]) < rounding;
                bool fits = value >= range[0] && value <= range[1];
                double want = fits ? value : plain, error = fabs((double)got[c] - want);
                if (doubt)
                    error = fmin(fabs((double)got[c] - value), fabs((double)got[c] - plain));
                ck_assert_msg(
                    error <= rounding,
                    "%s: component %d at (%d, %d, %d) is %.8g, not %.8g (hat %.8g, corrected %.8g)",
                    b.name, a, at[0], at[1], at[2], (double)got[c], want, plain, value);
                doubtful += doubt;
                corrected += !doubt && fits;
                kept += !doubt && !fits;
            }
        }
        free(got);
    }
    testing_report("MacCormack: %.0f faces corrected, %.0f kept, %.0f in doubt", corrected, kept,
                   doubtful);
    ck_assert(corrected > 0.1 * kept && kept > 0.05 * corrected &&
              doubtful < 0.01 * (corrected + kept));
}
END_TEST

void add_transport_tests(TCase *tests)
{
    tcase_add_test(tests, closed_faces_hold_what_lies_above_them);
    tcase_add_test(tests, faces_are_traced_back_through_the_old_field);
    tcase_add_test(tests, maccormack_corrects_within_the_values_around);
}
