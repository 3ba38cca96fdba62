/* SPDX-License-Identifier: MIT */
/* Kernels that belong to no system: filling and copying.  Launched by lib/context.c. */
#include "shared.h"

/* out = 0, over count words; a row of work-items strides over the buffer. */
kernel void fill(global u32 *out, ulong count)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        out[i] = 0;
}

/* The measure of all passes: one field read, one written.  4 and 16 bytes a work-item. */
kernel void copy_4(global const uint *in, global uint *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = in[i];
}
kernel void copy_16(global const uint4 *in, global uint4 *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = in[i];
}
