/* SPDX-License-Identifier: MIT */
/* Libraries that read files of strangers do it in a process of their own, which may fall over, ask
 * for all memory or never end: HDF5 and NetCDF take what a file says for true. */
#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>

/* Memory that both processes see, zeros; NULL: there is none. */
void *guard_share(size_t bytes);
void guard_unshare(void *memory, size_t bytes);

/* Do the work in a child and return the status that it returns.  Nothing of what it does is kept
 * but what it writes to shared memory.  A child that dies, or takes more than a minute or than
 * `memory` bytes beyond what this process has, means that the file at `path` cannot be read:
 * STATUS_INPUT. */
int guard_run(const char *path, size_t memory, int (*work)(void *data), void *data);

#endif
