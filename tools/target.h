/* SPDX-License-Identifier: MIT */
/* What the name of an output stands for: a file, the end of a chain of links, a device, a pipe. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>

enum { LONGEST_TARGET = 1024 };

typedef struct target {
    char path[LONGEST_TARGET]; /* where the bytes go: links are followed, also to what is not there
                                  yet */
    bool stream; /* a device, a pipe, an open descriptor: written into, never replaced */
} target;

int target_find(const char *path, target *out);

/* Do both names stand for the same file?  Devices and pipes may have many writers. */
bool target_same(const target *a, const target *b);

#endif
