/* SPDX-License-Identifier: MIT */
/* Structs of parameters that carry their size: defaults into them, callers' ones out of them. */
#include "device/internal.h"

#include <stdlib.h>

void foehn_params_fill(void *params, size_t size, const void *defaults, size_t full)
{
    /* An old caller's struct is a prefix of ours; a newer caller's tail is zeroed. */
    memset(params, 0, size);
    memcpy(params, defaults, size < full ? size : full);
    if (size >= sizeof size)
        memcpy(params, &size, sizeof size);
}

foehn_status foehn_params_take(void *params, const void *given, const char *name)
{
    size_t full, size;
    if (!given)
        return FOEHN_OK;
    memcpy(&full, params, sizeof full);
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "%s with struct_size = %zu: start from %s_default()", name, size, name);
    memcpy(params, given, size < full ? size : full);
    memcpy(params, &full, sizeof full);
    return FOEHN_OK;
}

void foehn_context_params_init(foehn_context_params *params, size_t size)
{
    const char *debug = getenv("FOEHN_DEBUG");
    const foehn_context_params defaults = {.debug = debug && *debug && strcmp(debug, "0") != 0};
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}
