/* SPDX-License-Identifier: MIT */
/* Kernels that belong to no system: filling and copying, launched by lib/device/context.c, and what
 * lib/device/device.c tries a device with. */
#include "shared.h"

kernel void probe(global float *out, float a)
{
    size_t i = get_global_id(0);
    out[i] = a * (float)i + 1.0f;
}

/* out = 0, over count words.  A work-group of 64 clears 4096 words in a row: CPU drivers run
 * work-items one after the other, which must stay within a cache. */
kernel void fill(global u32 *out, ulong count)
{
    ulong first = (ulong)get_group_id(0) * 4096u + get_local_id(0);
    for (int n = 0; n < 64; n++) {
        ulong i = first + (ulong)(64 * n);
        if (i < count)
            out[i] = 0;
    }
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
