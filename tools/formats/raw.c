/* SPDX-License-Identifier: MIT */
/* Published volumes as files of half floats. */
#include "config.h"

#include "formats/raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void raw_describe(json *j, const foehn_volume_info *info)
{
    json_count(j, "nx", (uint64_t)info->nx);
    json_count(j, "ny", (uint64_t)info->ny);
    json_count(j, "nz", (uint64_t)info->nz);
    const double *const vectors[3] = {info->origin, info->extent, info->spacing};
    const char *const names[3] = {"origin_m", "extent_m", "spacing_m"};
    for (int v = 0; v < 3; v++) {
        json_array(j, names[v]);
        for (int i = 0; i < 3; i++)
            json_number(j, NULL, vectors[v][i]);
        json_close(j, ']');
    }
    json_count(j, "step", info->step);
    json_number(j, "time_s", info->time);
}

int raw_write_halves(foehn_volume *volume, const char *temporary, const char *path)
{
    foehn_volume_info info;
    foehn_volume_get_info(volume, &info);
    size_t count = 4 * (size_t)info.nx * (size_t)info.ny * (size_t)info.nz;
    uint16_t *halves = malloc(count * sizeof *halves);
    if (!halves)
        return fail_memory();
    foehn_status read = foehn_volume_read_halves(volume, halves);
    int status = fail_library(read);
    FILE *stream = status == STATUS_OK ? fopen(temporary, "wb") : NULL;
    if (status == STATUS_OK) {
        const unsigned char one[2] = {1, 0};
        uint16_t probe;
        memcpy(&probe, one, sizeof probe);
        for (size_t i = 0; probe != 1 && i < count; i++)
            halves[i] = (uint16_t)(halves[i] << 8 | halves[i] >> 8);
        bool done = stream && fwrite(halves, sizeof *halves, count, stream) == count;
        done = stream && fclose(stream) == 0 && done;
        if (!done)
            status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    }
    free(halves);
    return status;
}
