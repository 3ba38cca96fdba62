/* SPDX-License-Identifier: MIT */
/* The staggered wind's forcing against plain C: potentials, gusts, relaxation. */
#include "wind/bed.h"

extern const foehn_source foehn_source_wind_faces, foehn_source_wind_potential,
    foehn_source_wind_wide_faces;

/* Both kinds of kernel: a row's lines side by side in local memory, or one an item in registers. */
static void launch_potentials(faces_bed *b, bool one_line, cl_int march, const wind_forcing *f,
                              cl_int with_gusts, cl_mem corner, const cl_mem psi[3],
                              const cl_mem gust[2])
{
    const cl_int span = one_line ? 1 : 5; /* rows in parts, the last one shorter */
    const size_t scratch = one_line ? 4 : (size_t)WIND_LINES * 3 * WIND_OCTAVES * 4 * sizeof(float);
    foehn_size size = faces_all(b);
    size.x = (size.x + (size_t)span - 1) / (size_t)span;
    size.z = (size.z + (size_t)march - 1) / (size_t)march;
    b->options = one_line ? "-DFOEHN_ONE_LINE" : "";
    FACES_LAUNCH_LOCAL(b, foehn_source_wind_potential, "potentials", size, ((foehn_size){1, 1, 1}),
                       ARG(b->g), ARG(*f), ARG(span), ARG(march), ARG(with_gusts), ARG(corner),
                       ARG3(psi), ARG(gust[0]), ARG(gust[1]), LOCAL_ARG(scratch));
}

/* Places in lattice cells, up to 16, are rounded to 2^-20 twice, and the noise's slope is 2 at
 * most. */
#define PLACES_OF_NOISE (4 * 0x1p-20)

START_TEST(potentials_are_noise_on_edges_under_a_ramp)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        wind_forcing f = faces_forcing(&b);
        const double scale = (double)f.curl_amplitude * 0.82 * (19 * 0.88 + 9.5 * 0.49);
        float *corner = faces_corners(&b);
        double *want[3], most = 0;
        for (int a = 0; a < 3; a++) {
            want[a] = faces_wanted(&b);
            EACH_OF(&b.box, faces_edges_along(a), at)
            {
                want[a][faces_index(&b.box, at)] = faces_potential(&b.box, &f, corner, a, at);
                most = fmax(most, fabs(want[a][faces_index(&b.box, at)]));
            }
        }
        ck_assert(most > 0.01 * scale);
        cl_mem corners = faces_put_columns(&b, corner);
        for (int variant = 0; variant < 4; variant++) {
            cl_mem psi[3] = {faces_blank(&b), faces_blank(&b), faces_blank(&b)};
            cl_mem gust[2] = {corners, corners};
            launch_potentials(&b, variant % 2, variant < 2 ? 3 : 16, &f, 0, corners, psi, gust);
            float *got = testing_alloc(b.count * sizeof *got);
            for (int a = 0; a < 3; a++) {
                faces_get(&b, FACES_ALL, psi[a], got);
                EACH_OF(&b.box, faces_edges_along(a), at)
                {
                    size_t c = faces_index(&b.box, at);
                    ck_assert_msg(fabs((double)got[c] - want[a][c]) <= PLACES_OF_NOISE * scale,
                                  "%s, variant %d: psi_%c at (%d, %d, %d) is %.8g, not %.8g",
                                  b.name, variant, "xyz"[a], at[0], at[1], at[2], (double)got[c],
                                  want[a][c]);
                }
            }
            free(got);
        }
    }
}
END_TEST

/* Bands are 2 / inverse = 30 m wide; places in the box are rounded to 2^-17 m or less. */
START_TEST(gusts_have_their_speed_at_the_faces_they_blow_through)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        wind_forcing f = faces_forcing(&b);
        float *corner = faces_corners(&b), *got = testing_alloc(b.columns * sizeof *got);
        cl_mem corners = faces_put_columns(&b, corner);
        double strongest = 0;
        for (int variant = 0; variant < 4; variant++) {
            const cl_int asked = variant >= 2;
            cl_mem psi[3] = {faces_blank(&b), faces_blank(&b), faces_blank(&b)};
            cl_mem gust[2] = {faces_put_columns(&b, corner), faces_put_columns(&b, corner)};
            launch_potentials(&b, variant % 2, 4, &f, asked, corners, psi, gust);
            for (int a = 0; a < 2; a++) {
                const int axis = 2 * a; /* u, w */
                faces_get_columns(&b, gust[a], got);
                EACH_OF(&b.box, faces_across(axis), at)
                {
                    size_t q = faces_column(&b, at[0], at[2]);
                    double speed[2], x = at[0] + (axis == 0 ? 0 : 0.5),
                                     z = at[2] + (axis == 2 ? 0 : 0.5);
                    faces_gusts(&f, x * b.box.h[0], z * b.box.h[2], speed);
                    strongest = fmax(strongest, fabs(speed[a]));
                    if (asked)
                        NEAR(got[q], speed[a], 4.5 * 20 * 0x1p-20);
                    else
                        ck_assert(got[q] == corner[q]);
                }
            }
        }
        ck_assert(strongest > 1);
        free(got);
    }
}
END_TEST

START_TEST(the_forcing_relaxes_faces_to_profile_noise_and_gusts)
{
    faces_bed b;
    FOR_EACH_FACES_BED(b)
    {
        wind_forcing f = faces_forcing(&b);
        float *corner = faces_corners(&b), *psi[3], *u[3], *gust[2];
        uint8_t *open[3];
        double *want[3], *strength = faces_wanted(&b), most = 0;
        cl_mem corners = faces_put_columns(&b, corner), psis[3], opens[3], gusts[2];
        for (int a = 0; a < 3; a++) {
            psi[a] = faces_random(&b, faces_edges_along(a), -6, 6);
            psis[a] = faces_put(&b, faces_edges_along(a), FACES_ANYTHING, psi[a]);
            open[a] = faces_random_open(&b, a);
            opens[a] = faces_put_bytes(&b, faces_across(a), open[a]);
            u[a] = faces_random(&b, faces_across(a), -12, 12);
        }
        for (int a = 0; a < 2; a++) {
            gust[a] = testing_alloc(b.columns * sizeof(float));
            for (size_t q = 0; q < b.columns; q++)
                gust[a][q] = (float)testing_uniform(&b.random, -5, 5);
            gusts[a] = faces_put_columns(&b, gust[a]);
        }
        for (int a = 0; a < 3; a++) {
            want[a] = faces_wanted(&b);
            EACH_OF(&b.box, faces_across(a), at)
            {
                double forced =
                    faces_forced(&b.box, &f, corner, (const float **)gust, (const float **)psi,
                                 (const uint8_t **)open, (const float **)u, a, at);
                want[a][faces_index(&b.box, at)] = forced;
                most = fmax(most, fabs(forced));
            }
        }
        EACH_OF(&b.box, FACES_CELLS, at)
        strength[faces_index(&b.box, at)] = faces_strength(&b.box, (const float **)psi, at);
        for (int wide = 0; wide < 2; wide++) {
            cl_mem now[3], curl = faces_blank(&b);
            for (int a = 0; a < 3; a++)
                now[a] = faces_put(&b, faces_across(a), FACES_ANYTHING, u[a]);
#define FORCE_ARGUMENTS                                                                            \
    ARG(b.g), ARG(f), ARG(corners), ARG(gusts[0]), ARG(gusts[1]), ARG3(opens), ARG3(psis),         \
        ARG3(now), ARG(curl)
            if (wide)
                FACES_LAUNCH(&b, foehn_source_wind_wide_faces, "force_wide", faces_in_fours(&b),
                             FORCE_ARGUMENTS);
            else
                FACES_LAUNCH(&b, foehn_source_wind_faces, "force_faces", faces_all(&b),
                             FORCE_ARGUMENTS);
            for (int a = 0; a < 3; a++)
                FACES_SAME(&b, faces_across(a), now[a], want[a], FACES_ROUNDING * most);
            float *got = testing_alloc(b.count * sizeof *got);
            faces_get_loosely(&b, FACES_CELLS, curl, got); /* fours write 0 beyond a row */
            EACH_OF(&b.box, FACES_CELLS, at)
            NEAR(got[faces_index(&b.box, at)], strength[faces_index(&b.box, at)],
                 FACES_ROUNDING * 50);
            free(got);
        }
        free(gust[0]);
        free(gust[1]);
    }
}
END_TEST

void add_forcing_tests(TCase *tests)
{
    tcase_add_test(tests, potentials_are_noise_on_edges_under_a_ramp);
    tcase_add_test(tests, gusts_have_their_speed_at_the_faces_they_blow_through);
    tcase_add_test(tests, the_forcing_relaxes_faces_to_profile_noise_and_gusts);
}
