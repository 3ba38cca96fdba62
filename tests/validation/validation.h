/* SPDX-License-Identifier: MIT */
/* What the programs of make check-validation share: checks that are counted, and a device. */
#ifndef FOEHN_VALIDATION_H
#define FOEHN_VALIDATION_H

#include <foehn/foehn.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int passed, failed;

static inline void bound(const char *name, double value, double least, double most)
{
    bool ok = value >= least && value <= most;
    if (ok)
        passed++;
    else
        failed++;
    printf("%s: %s: %.6g, to be in [%g, %g]\n", ok ? "ok" : "FAILED", name, value, least, most);
}

static inline int summary(const char *program)
{
    printf("%s: %d passed, %d failed\n", program, passed, failed);
    return failed ? 1 : 0;
}

/* End the program on a library's failure. */
static inline void must(foehn_status status)
{
    if (status == FOEHN_OK)
        return;
    fprintf(stderr, "%s\n", foehn_last_error());
    exit(1);
}

static inline foehn_context *open_device(void)
{
    foehn_context *ctx;
    if (foehn_context_create(NULL, &ctx) != FOEHN_OK) {
        printf("skipped: %s\n", foehn_last_error());
        exit(77);
    }
    return ctx;
}

static inline void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p)
        exit(1);
    return p;
}

#endif
