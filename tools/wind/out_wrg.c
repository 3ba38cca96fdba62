/* SPDX-License-Identifier: MIT */
/* Wind resource files of WAsP: .wrg, a grid at one height, and .rsf, the same lines for all heights.
 *
 * Widths of a line: name 10, easting 10, northing 10, altitude 8, height 5, A 5, k 6, power 15, sectors 3, then for
 * each sector frequency x 1000 in 4, A x 10 in 4, k x 100 in 5.  A .wrg begins with "nx ny xmin ymin cell", of
 * points. */
#include "config.h"

#include "wind/atlas.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With one decimal where the field and a space before it take that. */
static void put_number(FILE *stream, int width, double value)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%.1f", value);
    fprintf(stream, "%*.*f", width, n < width ? 1 : 0, value);
}

/* Per mille that add up to 1000: what rounding down left goes to those that lost most. */
static void share_out(const weibull *sector, int count, int *permille)
{
    double lost[MOST_SECTORS];
    int left = 1000;
    for (int d = 0; d < count; d++) {
        permille[d] = (int)floor(1000 * sector[d].f + 1e-9);
        lost[d] = 1000 * sector[d].f - permille[d];
        left -= permille[d];
    }
    for (; left > 0; left--) {
        int most = 0;
        for (int d = 1; d < count; d++)
            most = lost[d] > lost[most] ? d : most;
        permille[most]++;
        lost[most] = -1;
    }
}

static void put_point(FILE *stream, const sectors *s, const atlas *a, int h, size_t c)
{
    weibull sector[MOST_SECTORS], all;
    int permille[MOST_SECTORS];
    double power;
    place_value at = sectors_at(s, 0, h, c);
    atlas_find(a, h, c, sector, &all, &power);
    share_out(sector, s->count, permille);
    fprintf(stream, "%-10s", "GridPoint");
    put_number(stream, 10, at.easting);
    put_number(stream, 10, at.northing);
    fprintf(stream, "%8.0f", (double)s->scene->ground[c]);
    put_number(stream, 5, s->height[h]);
    fprintf(stream, "%5.2f%6.3f%15.4f%3d", all.a, all.k, power, s->count);
    for (int d = 0; d < s->count; d++)
        fprintf(stream, "%4d%4.0f%5.0f", permille[d], 10 * sector[d].a, 100 * sector[d].k);
    fputc('\n', stream);
}

static int write_points(const char *path, const char *temporary, const sectors *s, bool grid)
{
    const scene *sc = s->scene;
    atlas *a;
    int status = atlas_create(s, &a);
    FILE *stream = status == STATUS_OK ? fopen(temporary, "w") : NULL;
    if (status == STATUS_OK && !stream)
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    if (status == STATUS_OK) {
        if (grid)
            fprintf(stream, "%d %d %.1f %.1f %.10g\n", sc->nx, sc->ny, sc->origin[0] + 0.5 * sc->spacing[0],
                    sc->origin[1] + 0.5 * sc->spacing[1], sc->spacing[0]);
        for (int h = 0; h < (grid ? 1 : s->heights); h++)
            for (size_t c = 0; c < s->columns; c++)
                put_point(stream, s, a, h, c);
        bool sound = !ferror(stream);
        if (fclose(stream) != 0 || !sound)
            status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    }
    atlas_destroy(a);
    return status;
}

static int write_wrg(const char *path, const char *temporary, const sectors *s)
{
    return write_points(path, temporary, s, true);
}

static int write_rsf(const char *path, const char *temporary, const sectors *s)
{
    return write_points(path, temporary, s, false);
}

const sectors_format sectors_wrg = {
    .extension = "wrg", .what = "wind resource grids", .needs_climate = true, .write = write_wrg};
const sectors_format sectors_rsf = {
    .extension = "rsf", .what = "wind resource files", .needs_climate = true, .write = write_rsf};
