/* SPDX-License-Identifier: MIT */
/* Kernels that belong to no system: filling and copying.  Launched by lib/context.c. */
#include "shared.h"

/* out = 0, over count words; a row of work-items strides over the buffer. */
kernel void fill(global u32 *out, ulong count)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        out[i] = 0;
}
