/* SPDX-License-Identifier: MIT */
/* The formats of boxes, by extension. */
#include "config.h"

#include "box/command.h"

#include <string.h>

static const box_format *const formats[] = {&box_bts, &box_hawc2, &box_wnd, &box_netcdf, &box_png};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const box_format *box_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < FORMATS && dot; i++)
        if (strcmp(dot + 1, formats[i]->extension) == 0)
            return formats[i];
    return NULL;
}

void box_format_list(size_t size, char *text)
{
    *text = 0;
    for (int i = 0; i < FORMATS; i++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s.%s (%s)", i ? ", " : "", formats[i]->extension,
                 formats[i]->what);
    }
}
