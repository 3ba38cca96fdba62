/* SPDX-License-Identifier: MIT */
/* What every test program shares: its context, its main, checks that tell the library's story.
 *
 * Tests run in the program's own process: OpenCL does not survive a fork.  FOEHN_TINY=1 asks for
 * small sizes (slow interpreters of kernels); FOEHN_REQUIRE_DEVICE=1 turns a skip into a failure;
 * FOEHN_TESTS="name name" runs those alone. */
#ifndef FOEHN_TESTING_H
#define FOEHN_TESTING_H

#include "wind/state.h"

#include <check.h>
#include <foehn/foehn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One context a program; NULL without a device. */
extern foehn_context *context;

typedef enum testing_device {
    TESTING_ON_THE_HOST,  /* no device is opened */
    TESTING_LIKES_DEVICE, /* opens one where there is one */
    TESTING_NEEDS_DEVICE  /* without one: exit 77, "skipped" */
} testing_device;

/* main is: TCase *tests = testing_begin(...); tcase_add_test(tests, ...); return testing_end(); */
TCase *testing_begin(const char *name, testing_device device);
int testing_end(void);

/* Is a test asked for? */
bool testing_wants(const char *name);
#undef tcase_add_test
#define tcase_add_test(tests, test)                                                                \
    do {                                                                                           \
        if (testing_wants(#test))                                                                  \
            tcase_add_test_raise_signal(tests, test, 0);                                           \
    } while (0)

/* Small sizes, please. */
bool testing_is_tiny(void);

/* A number worth knowing, for the log. */
void testing_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The call returns FOEHN_OK. */
#define OK(call)                                                                                   \
    do {                                                                                           \
        foehn_status ok_ = (call);                                                                 \
        ck_assert_msg(ok_ == FOEHN_OK, "%s: %s: %s", #call, foehn_status_name(ok_),                \
                      foehn_last_error());                                                         \
    } while (0)

/* The call fails with this status, and its message has this part. */
#define FAILS(wanted, part, call)                                                                  \
    do {                                                                                           \
        foehn_status got_ = (call);                                                                \
        ck_assert_msg(got_ == (wanted), "%s: %s, not %s: %s", #call, foehn_status_name(got_),      \
                      foehn_status_name(wanted), foehn_last_error());                              \
        ck_assert_msg(strstr(foehn_last_error(), part) != NULL, "%s: no \"%s\" in: %s", #call,     \
                      part, foehn_last_error());                                                   \
    } while (0)

/* |a - b| <= most, both doubles; NaN fails. */
#define NEAR(a, b, most)                                                                           \
    do {                                                                                           \
        double a_ = (double)(a), b_ = (double)(b), most_ = (double)(most);                         \
        ck_assert_msg(fabs(a_ - b_) <= most_, "%s = %.9g, %s = %.9g: apart by %.3g, at most %.3g", \
                      #a, a_, #b, b_, fabs(a_ - b_), most_);                                       \
    } while (0)

/* Numbers that look random and are the same in every run. */
uint64_t testing_random(uint64_t *state);
double testing_uniform(uint64_t *state, double low, double high);

/* malloc that fails the test instead of returning NULL. */
void *testing_alloc(size_t bytes);

#endif
