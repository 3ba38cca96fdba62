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
    bytes_file files[3];
    int status = STATUS_OK, open = 0;
    for (int c = 0; c < 3 && status == STATUS_OK; c++) {
        snprintf(names[c], sizeof names[c], "%.*s_%c.bin", (int)stem, path, "uvw"[c]);
        status = bytes_open(names[c], &files[c]);
        open += status == STATUS_OK;
    }
    for (int c = 0; c < open && status == STATUS_OK; c++)
        for (size_t i = 0; i < box_points(&r->b); i++)
            bytes_float(&files[c], (double)r->b.component[c][i]);
    return bytes_close_all(open, files, status);
}

const box_format box_hawc2 = {
    .extension = "bin", .what = "HAWC2, three files", .write = write_hawc2};
