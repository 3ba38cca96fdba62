/* SPDX-License-Identifier: MIT */
/* What is wrong inside a raster of heights: gaps, and zeros that stand for gaps. */
#include "config.h"

#include "terrain/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GAPS 0.05  /* of the window */
#define ZERO_DEPTH 50.0 /* m below the neighbours: a zero is suspicious from there */

/* Bounding box in the world of the samples that are marked. */
static void find_box(const terrain *t, const unsigned char *marked, double box[4])
{
    int i0 = t->nx, i1 = -1, j0 = t->ny, j1 = -1;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++)
            if (marked[(size_t)j * (size_t)t->nx + (size_t)i]) {
                i0 = i < i0 ? i : i0;
                i1 = i > i1 ? i : i1;
                j0 = j < j0 ? j : j0;
                j1 = j > j1 ? j : j1;
            }
    box[0] = t->west + i0 * t->pixel[0];
    box[1] = t->north - (j1 + 1) * t->pixel[1];
    box[2] = t->west + (i1 + 1) * t->pixel[0];
    box[3] = t->north - j0 * t->pixel[1];
}

/* Mean of the neighbours that have a height; count says how many. */
static double mean_of_neighbours(const terrain *t, const float *heights, int i, int j, int *count)
{
    double sum = 0;
    *count = 0;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            int x = i + di, y = j + dj;
            if (x < 0 || y < 0 || x >= t->nx || y >= t->ny || (di == 0 && dj == 0))
                continue;
            float h = heights[(size_t)y * (size_t)t->nx + (size_t)x];
            if (!isnan(h)) {
                sum += (double)h;
                ++*count;
            }
        }
    return *count ? sum / *count : 0;
}

/* Grow the known ground into the gaps, a ring at a time, then smooth what was made up. */
static bool fill(terrain *t, const unsigned char *gap, size_t gaps)
{
    size_t n = (size_t)t->nx * (size_t)t->ny;
    float *next = malloc(n * sizeof *next);
    if (!next)
        return false;
    enum { SMOOTHINGS = 10 };
    for (size_t left = gaps, smoothings = 0; left > 0 || smoothings < SMOOTHINGS;) {
        smoothings += left == 0;
        memcpy(next, t->heights, n * sizeof *next);
        for (int j = 0; j < t->ny; j++)
            for (int i = 0; i < t->nx; i++) {
                size_t c = (size_t)j * (size_t)t->nx + (size_t)i;
                int count;
                if (!gap[c] || (left > 0 && !isnan(t->heights[c])))
                    continue;
                double mean = mean_of_neighbours(t, t->heights, i, j, &count);
                if (count > 0) {
                    next[c] = (float)mean;
                    left -= left > 0;
                }
            }
        memcpy(t->heights, next, n * sizeof *next);
    }
    free(next);
    return true;
}

int terrain_fill_gaps(const char *path, terrain *t)
{
    size_t n = (size_t)t->nx * (size_t)t->ny, gaps = 0;
    unsigned char *gap = malloc(n);
    if (!gap)
        return fail_memory();
    for (size_t c = 0; c < n; c++)
        gaps += gap[c] = isnan(t->heights[c]) != 0;

    int status = STATUS_OK;
    double share = (double)gaps / (double)n, box[4];
    if (gaps == n) {
        status = fail(STATUS_INPUT,
                      "%s: all %zu cells of the window have no height: choose "
                      "another raster or --window",
                      path, n);
    } else if (share > MOST_GAPS) {
        find_box(t, gap, box);
        status = fail(STATUS_INPUT,
                      "%s: %zu of %zu cells (%.1f %%) have no height, more than the %g %% that "
                      "can be filled; they lie within %.10g,%.10g,%.10g,%.10g: choose a --window "
                      "W,S,E,N with fewer, or fill them (gdal_fillnodata.py)",
                      path, gaps, n, 100 * share, 100 * MOST_GAPS, box[0], box[1], box[2], box[3]);
    } else if (gaps > 0) {
        find_box(t, gap, box);
        if (!fill(t, gap, gaps))
            status = fail_memory();
        else
            warn("%s: %zu of %zu cells (%.2f %%) have no height and were filled from their "
                 "neighbours; they lie within W,S,E,N = %.10g,%.10g,%.10g,%.10g",
                 path, gaps, n, 100 * share, box[0], box[1], box[2], box[3]);
        t->filled = gaps;
    }
    free(gap);
    return status;
}

void terrain_check_zeros(const char *path, terrain *t)
{
    size_t n = (size_t)t->nx * (size_t)t->ny, zeros = 0;
    unsigned char *zero = calloc(n, 1);
    double around = 0;
    size_t borders = 0;
    t->lowest = INFINITY;
    t->summit = -INFINITY;
    t->lowest_sound = INFINITY;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = (size_t)j * (size_t)t->nx + (size_t)i;
            double h = (double)t->heights[c];
            t->lowest = fmin(t->lowest, h);
            t->summit = fmax(t->summit, h);
            if (h != 0) {
                t->lowest_sound = fmin(t->lowest_sound, h);
                continue;
            }
            zeros++;
            if (zero)
                zero[c] = 1;
            /* The highest neighbour: the inside of a patch of zeros has none that count. */
            for (int dj = -1; dj <= 1; dj++)
                for (int di = -1; di <= 1; di++) {
                    int x = i + di, y = j + dj;
                    if (x < 0 || y < 0 || x >= t->nx || y >= t->ny)
                        continue;
                    double neighbour = (double)t->heights[(size_t)y * (size_t)t->nx + (size_t)x];
                    if (neighbour != 0) {
                        around += neighbour;
                        borders++;
                    }
                }
        }
    if (zeros > 0 && borders > 0 && around / (double)borders > ZERO_DEPTH && zero) {
        double box[4];
        find_box(t, zero, box);
        t->zeros = zeros;
        warn("%s: %zu cells have height 0 while the ground beside them lies at %.0f m on average: "
             "are they gaps? They are kept as they are, within W,S,E,N = %.10g,%.10g,%.10g,%.10g",
             path, zeros, around / (double)borders, box[0], box[1], box[2], box[3]);
    } else {
        t->lowest_sound = t->lowest;
    }
    free(zero);
}
