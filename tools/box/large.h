/* SPDX-License-Identifier: MIT */
/* Memory of many megabytes, in pages as large as the system has them: first touches cost as much as
 * transforms. */
#ifndef LARGE_H
#define LARGE_H

#include <stdlib.h>
#include <sys/mman.h>

/* Not set to anything; free() takes it. */
static inline void *large_alloc(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, (size_t)2 << 20, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a wish */
#endif
    return memory;
}

#endif
