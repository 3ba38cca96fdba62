/* SPDX-License-Identifier: MIT */
/* Calls of the driver and the allocator that a test makes fail, and what of theirs is alive.
 *
 * The linker sends them through the __wrap functions of failing_calls.c (--wrap in local.mk). */
#ifndef FOEHN_TESTS_FAILING_CALLS_H
#define FOEHN_TESTS_FAILING_CALLS_H

#include "testing.h"

typedef enum call {
    GET_PLATFORMS,
    GET_DEVICES,
    CREATE_CONTEXT,
    CREATE_QUEUE,
    CREATE_PROGRAM,
    BUILD_PROGRAM,
    CREATE_KERNEL,
    CREATE_BUFFER,
    CREATE_SUB_BUFFER,
    SET_ARG,
    LAUNCH_KERNEL,
    READ,
    WRITE,
    READ_BOX,
    WRITE_BOX,
    COPY,
    MARKER,
    FINISH,
    ALLOCATE,
    CALLS
} call;

extern const char *const failing_names[CALLS];

typedef struct alive {
    long contexts, queues, programs, kernels, buffers, events;
} alive;

extern alive failing_live;
extern long failing_calls[CALLS]; /* since failing_arm() */
extern long failing_waits;        /* calls that waited for the device */
extern bool failing_happened;     /* the call that was to fail was made */

/* The n-th call of a kind from now on fails; CALLS: none does, but they are counted anew. */
void failing_arm(call which, long n);
void failing_disarm(void);

#endif
