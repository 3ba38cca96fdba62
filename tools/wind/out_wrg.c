/* SPDX-License-Identifier: MIT */
/* Wind resource files of WAsP: .wrg, a grid at one height, and .rsf, the same lines for all
 * heights.
 *
 * Widths of a line: name 10, easting 10, northing 10, altitude 8, height 5, A 5, k 6, power 15,
 * sectors 3, then for each sector frequency x 1000 in 4, A x 10 in 4, k x 100 in 5.  A .wrg begins
 * with "nx ny xmin ymin cell", of points. */
#include "config.h"

#include "wind/atlas.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many decimals say coordinates exactly that begin at `first` and are `step` apart; or, where
 * the field and the space before it do not take so many, as many as they take. */
static int decimals_of(double first, double step, int count)
{
    const double last = first + (count - 1) * step;
    int n = 0;
    for (; n < 3; n++) {
        const double unit = pow(10, n);
        char text[2][32];
        int low = snprintf(text[0], sizeof text[0], "%.*f", n + 1, first);
        int high = snprintf(text[1], sizeof text[1], "%.*f", n + 1, last);
        bool exact = fabs(first * unit - rint(first * unit)) < 1e-4 &&
                     fabs(step * unit - rint(step * unit)) < 1e-4;
        if (exact || low > 9 || high > 9)
            break;
    }
    return n;
}

static bool is_exact(double value, int decimals)
{
    const double unit = pow(10, decimals);
    return fabs(value * unit - rint(value * unit)) < 1e-4;
}

/* Decimals of heights and coordinates. */
typedef struct layout {
    int east, north, height;
} layout;

static layout lay_out(const char *path, const sectors *s)
{
    const scene *sc = s->scene;
    const double east = sc->origin[0] + 0.5 * sc->spacing[0],
                 north = sc->origin[1] + 0.5 * sc->spacing[1];
    layout l = {decimals_of(east, sc->spacing[0], sc->nx),
                decimals_of(north, sc->spacing[1], sc->ny), 1};
    for (int h = 0; h < s->heights; h++)
        l.height = s->height[h] >= 99.95 ? 0 : l.height;
    if (!is_exact(sc->spacing[0], l.east) || !is_exact(east, l.east) || !is_exact(north, l.north))
        warn("%s: points %.6g m apart from %.10g E, %.10g N are rounded to what the columns take: "
             "readers may not see a grid: give a %s",
             path, sc->spacing[0], east, north,
             is_exact(sc->spacing[0], l.east) ? "--window that begins at whole metres"
                                              : "--spacing of whole metres");
    return l;
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

static void put_point(FILE *stream, const layout *l, const sectors *s, const atlas *a, int h,
                      size_t c)
{
    weibull sector[MOST_SECTORS], all;
    int permille[MOST_SECTORS];
    double power;
    place_value at = sectors_at(s, 0, h, c);
    atlas_find(a, h, c, sector, &all, &power);
    share_out(sector, s->count, permille);
    fprintf(stream, "%-10s", "GridPoint");
    fprintf(stream, "%10.*f%10.*f%8.0f%5.*f", l->east, at.easting, l->north, at.northing,
            (double)s->elevation[c], l->height, s->height[h]);
    fprintf(stream, "%5.*f%6.*f%15.4f%3d", all.a < 9.995 ? 2 : 1, all.a, all.k < 9.9995 ? 3 : 2,
            all.k, power, s->count);
    for (int d = 0; d < s->count; d++)
        fprintf(stream, "%4d%4.0f%5.0f", permille[d], 10 * sector[d].a, 100 * sector[d].k);
    fputc('\n', stream);
}

static int write_points(const char *path, const char *temporary, const sectors *s, bool grid)
{
    const scene *sc = s->scene;
    const layout l = lay_out(path, s);
    atlas *a;
    int status = atlas_create(s, &a);
    FILE *stream = status == STATUS_OK ? fopen(temporary, "w") : NULL;
    if (status == STATUS_OK && !stream)
        status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    if (status == STATUS_OK) {
        if (grid)
            fprintf(stream, "%d %d %.*f %.*f %.10g\n", sc->nx, sc->ny, l.east,
                    sc->origin[0] + 0.5 * sc->spacing[0], l.north,
                    sc->origin[1] + 0.5 * sc->spacing[1], sc->spacing[0]);
        for (int h = 0; h < (grid ? 1 : s->heights); h++)
            for (size_t c = 0; c < s->columns; c++)
                put_point(stream, &l, s, a, h, c);
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
