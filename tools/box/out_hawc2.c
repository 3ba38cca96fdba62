/* SPDX-License-Identifier: MIT */
/* HAWC2's turbulence: three files of floats, x slowest and z fastest, without the mean wind. */
#include "config.h"

#include "formats/bytes.h"
#include "box/command.h"

#include <string.h>

/* NAME.bin stands for NAME_u.bin, NAME_v.bin and NAME_w.bin. */
static int write_hawc2(const box_result *r, const char *path)
{
    char names[3][1100];
    size_t stem = strlen(path) - strlen(".bin");
    if (stem + 8 > sizeof names[0])
        return fail(STATUS_INPUT, "%.60s...: longer than %zu bytes", path, sizeof names[0] - 8);
    for (int c = 0; c < 3; c++) {
        snprintf(names[c], sizeof names[c], "%.*s_%c.bin", (int)stem, path, "uvw"[c]);
        bytes_file f;
        int status = bytes_open(names[c], &f);
        if (status != STATUS_OK)
            return status;
        size_t count = box_points(&r->b);
        for (size_t i = 0; i < count; i++)
            bytes_float(&f, (double)r->b.component[c][i]);
        status = bytes_close(&f);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

const box_format box_hawc2 = {
    .extension = "bin", .what = "HAWC2, three files", .write = write_hawc2};
