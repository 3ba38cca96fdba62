/* SPDX-License-Identifier: MIT */
/* How a box is cut, and what parts tell each other, without a device. */
#include "domain/cut.h"
#include "testing.h"

#include <pthread.h>

/* ---- cutting ---- */

static domain_cut cut_of(int nx, int nz, int parts, int unit)
{
    domain_cut cut;
    const int n[2] = {nx, nz}, units[2] = {unit, unit}, least[2] = {2 * unit, 2 * unit};
    OK(foehn_cut_make(n, parts, units, least, &cut));
    return cut;
}

START_TEST(blocks_cover_the_box_once)
{
    const int sizes[][2] = {{64, 64}, {100, 37}, {33, 290}, {128, 40}};
    for (int s = 0; s < 4; s++)
        for (int parts = 1; parts <= 8; parts++) {
            const int nx = sizes[s][0], nz = sizes[s][1];
            const domain_cut cut = cut_of(nx, nz, parts, 2);
            char *seen = calloc((size_t)nx * (size_t)nz, 1);
            for (int n = 0; n < parts; n++) {
                const foehn_domain_block b = foehn_cut_block(&cut, n);
                ck_assert_int_eq(b.x % 2 + b.z % 2, 0);
                for (int k = b.z; k < b.z + b.nz; k++)
                    for (int i = b.x; i < b.x + b.nx; i++)
                        ck_assert_int_eq(seen[k * nx + i]++, 0);
            }
            for (int c = 0; c < nx * nz; c++)
                ck_assert_int_eq(seen[c], 1);
            free(seen);
        }
}
END_TEST

START_TEST(blocks_are_as_square_as_they_can_be)
{
    domain_cut cut = cut_of(64, 64, 4, 2);
    ck_assert_int_eq(cut.across[0], 2);
    ck_assert_int_eq(cut.across[1], 2);
    cut = cut_of(400, 50, 4, 2);
    ck_assert_int_eq(cut.across[0], 4);
    cut = cut_of(50, 400, 4, 2);
    ck_assert_int_eq(cut.across[1], 4);
}
END_TEST

START_TEST(neighbours_know_each_other)
{
    const domain_cut cut = cut_of(64, 96, 6, 2);
    for (int n = 0; n < 6; n++)
        for (int axis = 0; axis < 2; axis++) {
            const int up = foehn_cut_beside(&cut, n, axis, 1);
            if (up >= 0)
                ck_assert_int_eq(foehn_cut_beside(&cut, up, axis, -1), n);
        }
    ck_assert_int_eq(foehn_cut_beside(&cut, 0, 0, -1), -1);
    ck_assert_int_eq(foehn_cut_beside(&cut, 5, 1, 1), -1);
}
END_TEST

START_TEST(too_many_parts_are_told_how_many_would_do)
{
    domain_cut cut;
    const int n[2] = {16, 8}, unit[2] = {2, 2}, least[2] = {4, 4};
    FAILS(FOEHN_ERROR_ARGUMENT, "use 8", foehn_cut_make(n, 13, unit, least, &cut));
}
END_TEST

START_TEST(a_halved_cut_is_that_of_pairs)
{
    domain_cut cut = cut_of(41, 60, 2, 4);
    foehn_cut_halve(&cut, true, true, 21, 30);
    ck_assert_int_eq(cut.at[1][1], 16);
    ck_assert_int_eq(cut.at[1][2], 30);
    ck_assert_int_eq(cut.at[0][1], 21);
}
END_TEST

/* ---- telling ---- */

typedef struct talker {
    foehn_domain *domain;
    foehn_status status;
    double most;
    int all[4];
    bool leaves;
} talker;

static void *talk(void *data)
{
    talker *t = data;
    const int part = foehn_domain_get_part(t->domain), own = 10 + part;
    t->most = part == 2 ? 7.5 : part;
    if (t->leaves) {
        foehn_domain_leave(t->domain);
        return NULL;
    }
    t->status = foehn_domain_max(t->domain, &t->most);
    for (int n = 0; n < 200 && t->status == FOEHN_OK; n++)
        t->status = foehn_domain_gather(t->domain, sizeof own, &own, t->all);
    if (t->status != FOEHN_OK)
        foehn_domain_leave(t->domain);
    return NULL;
}

static void talk_all(talker t[4], int leaves)
{
    foehn_domain *domains[4];
    pthread_t threads[4];
    OK(foehn_domain_create_local(4, domains));
    for (int n = 0; n < 4; n++) {
        t[n] = (talker){.domain = domains[n], .leaves = n == leaves};
        ck_assert_int_eq(pthread_create(&threads[n], NULL, talk, &t[n]), 0);
    }
    for (int n = 0; n < 4; n++)
        pthread_join(threads[n], NULL);
    for (int n = 0; n < 4; n++)
        foehn_domain_destroy(domains[n]);
}

START_TEST(all_parts_hear_the_same_in_the_order_of_parts)
{
    talker t[4];
    talk_all(t, -1);
    for (int n = 0; n < 4; n++) {
        ck_assert_int_eq(t[n].status, FOEHN_OK);
        NEAR(t[n].most, 7.5, 0);
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(t[n].all[i], 10 + i);
    }
}
END_TEST

START_TEST(a_part_that_leaves_lets_nobody_wait)
{
    talker t[4];
    talk_all(t, 1);
    for (int n = 0; n < 4; n++)
        ck_assert_int_eq(t[n].status, n == 1 ? FOEHN_OK : FOEHN_ERROR_PART);
}
END_TEST

START_TEST(a_transport_is_looked_at)
{
    foehn_domain *domain;
    foehn_transport t = foehn_transport_default();
    t.parts = 3;
    FAILS(FOEHN_ERROR_ARGUMENT, "without a function", foehn_domain_create(&t, &domain));
    t.part = 3;
    FAILS(FOEHN_ERROR_ARGUMENT, "part 3 of 3", foehn_domain_create(&t, &domain));
    FAILS(FOEHN_ERROR_ARGUMENT, "1000 parts", foehn_domain_create_local(1000, &domain));
    t.part = 0;
    t.parts = 1;
    OK(foehn_domain_create(&t, &domain));
    ck_assert_int_eq(foehn_domain_get_parts(domain), 1);
    foehn_domain_destroy(domain);
    foehn_domain_destroy(NULL);
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("domain", TESTING_ON_THE_HOST);
    tcase_add_test(tests, blocks_cover_the_box_once);
    tcase_add_test(tests, blocks_are_as_square_as_they_can_be);
    tcase_add_test(tests, neighbours_know_each_other);
    tcase_add_test(tests, too_many_parts_are_told_how_many_would_do);
    tcase_add_test(tests, a_halved_cut_is_that_of_pairs);
    tcase_add_test(tests, all_parts_hear_the_same_in_the_order_of_parts);
    tcase_add_test(tests, a_part_that_leaves_lets_nobody_wait);
    tcase_add_test(tests, a_transport_is_looked_at);
    return testing_end();
}
