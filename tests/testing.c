/* SPDX-License-Identifier: MIT */
#include "testing.h"

#include <time.h>
#include <unistd.h>

enum { MOST_SECONDS = 1500 }; /* a test that hangs is ended by SIGALRM */

foehn_context *context;

static SRunner *runner;

bool testing_is_tiny(void)
{
    const char *tiny = getenv("FOEHN_TINY");
    return tiny && *tiny && strcmp(tiny, "0") != 0;
}

bool testing_wants(const char *name)
{
    const char *asked = getenv("FOEHN_TESTS");
    const size_t length = strlen(name);
    if (!asked || !*asked)
        return true;
    for (const char *at = asked; (at = strstr(at, name)) != NULL; at += length)
        if ((at == asked || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool device_is_required(void)
{
    const char *required = getenv("FOEHN_REQUIRE_DEVICE");
    return required && *required && strcmp(required, "0") != 0;
}

/* ---- what takes long is told ---- */

static int number;
static struct timespec started;

static void note_start(void)
{
    number++;
    clock_gettime(CLOCK_MONOTONIC, &started);
}

/* Tests may pretend that the device is of another kind; that ends with them, also where they fail.
 */
static foehn_device_type own_type;

static void put_type_back(void)
{
    if (context)
        context->device.info.type = own_type;
}

static void note_end(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - started.tv_sec) + 1e-9 * (double)(now.tv_nsec - started.tv_nsec);
    if (seconds > 2)
        printf("test %d of this program took %.1f s\n", number, seconds);
}

TCase *testing_begin(const char *name, testing_device device)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    alarm(MOST_SECONDS);
    if (device != TESTING_ON_THE_HOST) {
        foehn_status status = foehn_context_create(NULL, &context);
        if (status != FOEHN_OK) {
            printf("%s: %s\n", foehn_status_name(status), foehn_last_error());
            if (status != FOEHN_ERROR_DEVICE || device_is_required())
                exit(EXIT_FAILURE);
            if (device == TESTING_NEEDS_DEVICE)
                exit(77);
        } else
            printf("on %s: %s\n", context->device.info.name, foehn_context_get_reason(context));
    }
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    suite_add_tcase(suite, tests);
    if (context)
        own_type = context->device.info.type;
    tcase_add_checked_fixture(tests, note_start, note_end);
    tcase_add_checked_fixture(tests, NULL, put_type_back);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    return tests;
}

int testing_end(void)
{
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner), ran = srunner_ntests_run(runner);
    srunner_free(runner);
    /* A test that failed leaves what it made. */
    if (context && failed == 0 && context->memory > 0) {
        printf("%llu bytes of buffers were never released\n", (unsigned long long)context->memory);
        failed = 1;
    }
    foehn_context_destroy(context);
    return failed == 0 && ran > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

void testing_report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("measured: ");
    vprintf(format, list);
    printf("\n");
    va_end(list);
}

uint64_t testing_random(uint64_t *state)
{
    /* xorshift64* (Vigna 2016); the library uses another one. */
    uint64_t x = *state ? *state : 1;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

double testing_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(testing_random(state) >> 11) * 0x1p-53;
}

void *testing_alloc(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    ck_assert_msg(memory != NULL, "no host memory for %zu bytes", bytes);
    return memory;
}
