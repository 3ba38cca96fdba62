/* SPDX-License-Identifier: MIT */
/* What is wrong inside a raster of heights: gaps, and heights that stand for gaps. */
#include "config.h"

#ifdef HAVE_GDAL

#include "terrain/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ZERO_DEPTH 50.0 /* m below the ground beside it: a zero is suspicious from there */
#define PIT_DEPTH 200.0 /* m below the ground beside it: any height is, */
#define PIT_SLOPE 0.5   /* unless the cells are so wide that this is a slope */
enum { SMOOTHINGS = 10 };

/* ---- filling ---- */

/* Mean of the neighbours that have a height; NaN without any. */
static float mean_of_neighbours(const float *heights, int nx, int ny, size_t c)
{
    int i = (int)(c % (size_t)nx), j = (int)(c / (size_t)nx), count = 0;
    double sum = 0;
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < ny; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < nx; x++) {
            float h = heights[(size_t)y * (size_t)nx + (size_t)x];
            if ((x != i || y != j) && !isnan(h)) {
                sum += (double)h;
                count++;
            }
        }
    return count ? (float)(sum / count) : NAN;
}

/* Gaps in the order in which they are reached from known ground; queued marks those that have a
 * place. */
typedef struct gap_list {
    size_t count;
    size_t *cells;
    float *next;
    unsigned char *queued;
} gap_list;

static void queue_neighbours(gap_list *g, const float *heights, int nx, int ny, size_t c)
{
    int i = (int)(c % (size_t)nx), j = (int)(c / (size_t)nx);
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < ny; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < nx; x++) {
            size_t n = (size_t)y * (size_t)nx + (size_t)x;
            if (isnan(heights[n]) && !g->queued[n]) {
                g->queued[n] = 1;
                g->cells[g->count++] = n;
            }
        }
}

/* All gaps of a ring at once, so that the order within it does not matter. */
static void set_from_neighbours(const gap_list *g, size_t first, size_t past, float *heights,
                                int nx, int ny)
{
    for (size_t n = first; n < past; n++)
        g->next[n] = mean_of_neighbours(heights, nx, ny, g->cells[n]);
    for (size_t n = first; n < past; n++)
        heights[g->cells[n]] = g->next[n];
}

/* Grow the known ground into the gaps, a ring at a time, then smooth what was made up. */
bool gaps_fill(float *heights, int nx, int ny)
{
    size_t n = (size_t)nx * (size_t)ny, gaps = 0;
    for (size_t c = 0; c < n; c++)
        gaps += isnan(heights[c]) != 0;
    if (gaps == 0 || gaps == n)
        return true;
    gap_list g = {0, malloc(gaps * sizeof *g.cells), malloc(gaps * sizeof *g.next), calloc(n, 1)};
    bool done = g.cells && g.next && g.queued;
    for (size_t c = 0; c < n && done; c++)
        if (!isnan(heights[c]))
            queue_neighbours(&g, heights, nx, ny, c);
    for (size_t first = 0; done && first < g.count;) {
        size_t past = g.count;
        set_from_neighbours(&g, first, past, heights, nx, ny);
        for (; first < past; first++)
            queue_neighbours(&g, heights, nx, ny, g.cells[first]);
    }
    for (int i = 0; i < SMOOTHINGS && done; i++)
        set_from_neighbours(&g, 0, g.count, heights, nx, ny);
    free(g.cells);
    free(g.next);
    free(g.queued);
    return done;
}

/* ---- the largest part without gaps ---- */

/* Of all rectangles that end in a row, where high[i] cells above and in it are sound: the largest,
 * found by a stack of starts whose heights grow. */
static void largest_of_row(const int *high, int nx, int row, int *starts, int *tops, int box[4])
{
    int depth = 0;
    for (int i = 0; i <= nx; i++) {
        int now = i < nx ? high[i] : 0, start = i;
        while (depth > 0 && tops[depth - 1] >= now) {
            depth--;
            start = starts[depth];
            int64_t area = (int64_t)tops[depth] * (i - start);
            if (area > (int64_t)(box[2] - box[0]) * (box[3] - box[1])) {
                box[0] = start;
                box[1] = row + 1 - tops[depth];
                box[2] = i;
                box[3] = row + 1;
            }
        }
        starts[depth] = start;
        tops[depth++] = now;
    }
}

bool gaps_largest_sound(const float *heights, int nx, int ny, int box[4])
{
    size_t n = (size_t)nx + 1;
    int *high = calloc(3 * n, sizeof *high);
    memset(box, 0, 4 * sizeof *box);
    for (int j = 0; j < ny && high; j++) {
        for (int i = 0; i < nx; i++)
            high[i] = isnan(heights[(size_t)j * (size_t)nx + (size_t)i]) ? 0 : high[i] + 1;
        largest_of_row(high, nx, j, high + n, high + 2 * n, box);
    }
    free(high);
    return high != NULL;
}

/* ---- heights that stand for gaps ---- */

/* Cells of one height and the ground beside them. */
typedef struct patch {
    size_t cells;
    double ground; /* mean height beside them, m; NaN without any */
    int box[4];    /* in samples */
} patch;

static patch find_patch(const samples *s, float height)
{
    patch p = {0, 0, {s->nx, s->ny, 0, 0}};
    size_t beside = 0;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            if (s->heights[(size_t)j * (size_t)s->nx + (size_t)i] != height)
                continue;
            p.cells++;
            p.box[0] = i < p.box[0] ? i : p.box[0];
            p.box[1] = j < p.box[1] ? j : p.box[1];
            p.box[2] = i + 1 > p.box[2] ? i + 1 : p.box[2];
            p.box[3] = j + 1 > p.box[3] ? j + 1 : p.box[3];
            for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < s->ny; y++)
                for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < s->nx; x++) {
                    float ground = s->heights[(size_t)y * (size_t)s->nx + (size_t)x];
                    if (ground != height && !isnan(ground)) {
                        p.ground += (double)ground;
                        beside++;
                    }
                }
        }
    p.ground = beside ? p.ground / (double)beside : NAN;
    return p;
}

static void warn_of_patch(const raster *r, const samples *s, const patch *p, double height)
{
    const int cells[4] = {s->column + p->box[0] * s->factor, s->row + p->box[1] * s->factor,
                          s->column + p->box[2] * s->factor, s->row + p->box[3] * s->factor};
    double box[4];
    raster_find_box(r, cells, box);
    warn("%s: %zu cells have height %g while the ground beside them lies at %.0f m on average: are "
         "they "
         "gaps? They are kept as they are, within W,S,E,N = %.10g,%.10g,%.10g,%.10g",
         r->path, p->cells, height, p->ground, box[0], box[1], box[2], box[3]);
}

size_t gaps_check(const raster *r, const samples *s, double *lowest_sound)
{
    size_t n = (size_t)s->nx * (size_t)s->ny;
    patch zeros = find_patch(s, 0);
    bool doubted = zeros.ground > ZERO_DEPTH;
    float lowest = INFINITY, next = INFINITY;
    for (size_t c = 0; c < n; c++)
        if (s->heights[c] < lowest && !(doubted && s->heights[c] == 0))
            lowest = s->heights[c];
    if (doubted)
        warn_of_patch(r, s, &zeros, 0);
    *lowest_sound = (double)lowest;
    patch pit = find_patch(s, lowest);
    double step = fmax(PIT_DEPTH, PIT_SLOPE * s->factor * fabs(r->transform[1]));
    if (!(pit.ground - (double)lowest > step))
        return doubted ? zeros.cells : 0;
    for (size_t c = 0; c < n; c++)
        if (s->heights[c] < next && s->heights[c] > lowest && !(doubted && s->heights[c] == 0))
            next = s->heights[c];
    warn_of_patch(r, s, &pit, (double)lowest);
    *lowest_sound = (double)next;
    return pit.cells + (doubted ? zeros.cells : 0);
}

#endif
