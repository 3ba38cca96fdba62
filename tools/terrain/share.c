/* SPDX-License-Identifier: MIT */
/* Terrain that rank 0 reads, on all ranks. */
#include "config.h"

#include "ranks.h"
#include "terrain/terrain.h"

#include <stdlib.h>
#include <string.h>

/* A text or none. */
static int share_text(char **text)
{
    uint64_t size = *text ? strlen(*text) + 1 : 0;
    int status = ranks_broadcast(sizeof size, &size);
    if (status != STATUS_OK || size == 0)
        return status;
    if (!ranks_is_first() && !(*text = malloc(size)))
        return fail_memory();
    return ranks_broadcast(size, *text);
}

static int share(terrain *t)
{
    char *wkt = t->place.wkt, *wkt_gdal = t->place.wkt_gdal;
    float *heights = t->heights;
    int status = ranks_broadcast(sizeof *t, t);
    if (!ranks_is_first() || status != STATUS_OK) {
        t->place.wkt = wkt;
        t->place.wkt_gdal = wkt_gdal;
        t->heights = heights;
    }
    if (status == STATUS_OK)
        status = share_text(&t->place.wkt);
    if (status == STATUS_OK)
        status = share_text(&t->place.wkt_gdal);
    const size_t bytes = (size_t)t->nx * (size_t)t->ny * sizeof *t->heights;
    if (status == STATUS_OK && !ranks_is_first() && !(t->heights = malloc(bytes)))
        return fail_memory();
    return status == STATUS_OK ? ranks_broadcast(bytes, t->heights) : status;
}

int terrain_read_once(const terrain_request *request, terrain *out)
{
    if (ranks_count() == 1)
        return terrain_read(request, out);
    memset(out, 0, sizeof *out);
    int status = ranks_agree(ranks_is_first() ? terrain_read(request, out) : STATUS_OK);
    if (status == STATUS_OK && (status = share(out)) != STATUS_OK)
        terrain_destroy(out);
    return status;
}
