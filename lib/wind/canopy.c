/* SPDX-License-Identifier: MIT */
/* Trees that drag on the air: -Cd a |u| u (Shaw and Schumann 1992). */
#include "wind/samples.h"
#include "wind/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where leaves are, by the share of the height: Lalic and Mihailovic (2004), densest at 0.7 of it;
 * over the mean. */
#define DENSEST 0.7
enum { SHAPE = 64 };

static double leaves_at(double share)
{
    if (share <= 0 || share >= 1)
        return 0;
    double r = (1 - DENSEST) / (1 - share), n = share < DENSEST ? 6 : 0.5;
    return pow(r, n) * exp(n * (1 - r));
}

/* How much of all leaves is below a share of the height, on SHAPE steps. */
static void sum_leaves(double below[SHAPE + 1])
{
    below[0] = 0;
    for (int i = 0; i < SHAPE; i++)
        below[i + 1] = below[i] + leaves_at((i + 0.5) / SHAPE);
    for (int i = 0; i <= SHAPE; i++)
        below[i] /= below[SHAPE];
}

static double leaves_below(const double below[SHAPE + 1], double share)
{
    double at = fmin(fmax(share, 0), 1) * SHAPE;
    int i = at < SHAPE ? (int)at : SHAPE - 1;
    return below[i] + (at - i) * (below[i + 1] - below[i]);
}

static foehn_status check(const foehn_canopy *c)
{
    if (!(c->drag > 0 && c->drag <= 2))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a canopy with a drag coefficient of %g: more than 0, at most 2",
                          (double)c->drag);
    const size_t count = (size_t)c->nx * (size_t)c->nz;
    for (size_t i = 0; i < count; i++)
        if (!(c->height[i] >= 0 && c->height[i] <= 150 && c->leaf_area[i] >= 0 &&
              c->leaf_area[i] <= 20))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "a canopy of %g m with a leaf area of %g at sample (%zu, %zu): 0 to "
                              "150 m and 0 to 20",
                              (double)c->height[i], (double)c->leaf_area[i], i % (size_t)c->nx,
                              i / (size_t)c->nx);
    return FOEHN_OK;
}

foehn_status foehn_wind_set_canopy(foehn_wind *w, const foehn_canopy *canopy)
{
    float *copy = NULL;
    if (w->params.model != FOEHN_WIND_MOMENTUM || w->params.closure != FOEHN_WIND_K_EPS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a canopy needs the momentum model with k and eps");
    if (canopy) {
        const foehn_samples s = {"a canopy",      canopy->nx,
                                 canopy->nz,      canopy->origin,
                                 canopy->spacing, {canopy->height, canopy->leaf_area}};
        TRY(foehn_samples_check(&s));
        TRY(check(canopy));
        TRY(foehn_samples_copy(&s, &copy));
    }
    free((float *)w->canopy.height);
    w->canopy = canopy ? *canopy : (foehn_canopy){.nx = 0};
    w->canopy.height = copy;
    w->canopy.leaf_area = copy ? copy + (size_t)canopy->nx * (size_t)canopy->nz : NULL;
    w->ground_is_stale = true;
    return FOEHN_OK;
}

/* Height and leaf area at a place. */
static void sample_canopy(const foehn_canopy *c, double x, double z, double out[2])
{
    const foehn_between t = foehn_between_samples(c->nx, c->nz, c->origin, c->spacing, x, z);
    out[0] = foehn_between_value(&t, c->height);
    out[1] = foehn_between_value(&t, c->leaf_area);
}

/* The drag of a column's cells, 1/m: the mean of Cd a over what of each is air. */
static void fill_column(const foehn_wind *w, const double below[SHAPE + 1], int i, int k,
                        double ground, float *plane)
{
    const foehn_grid *g = &w->g;
    double origin[3], tree[2];
    foehn_wind_origin(w, origin);
    sample_canopy(&w->canopy, origin[0] + (i + g->first_x + 0.5) * (double)g->hx,
                  origin[2] + (k + g->first_z + 0.5) * (double)g->hz, tree);
    for (int j = 0; tree[0] > 0 && j < g->ny && j * (double)g->hy < ground + tree[0]; j++) {
        double low = fmax(j * (double)g->hy - ground, 0), high = (j + 1) * (double)g->hy - ground;
        if (high <= 0)
            continue;
        double leaves = leaves_below(below, high / tree[0]) - leaves_below(below, low / tree[0]);
        /* A sliver's leaves are spread over a quarter of a cell, as all that is done to it. */
        double depth = fmax(high - low, 0.25 * (double)g->hy);
        plane[j * g->nx + i] = (float)((double)w->canopy.drag * tree[1] * leaves / depth);
    }
}

foehn_status foehn_wind_fill_canopy(foehn_wind *w, const float *ground, cl_mem field)
{
    const foehn_grid *g = &w->g;
    double below[SHAPE + 1];
    sum_leaves(below);
    foehn_box box = foehn_grid_box(g, sizeof(float));
    const size_t count = box.nx * box.ny;
    float *plane = malloc(count * sizeof *plane);
    if (!plane)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a plane of cells");
    foehn_status status = foehn_buffer_clear(w->ctx, field);
    box.nz = 1;
    for (int k = 0; k < g->nz && status == FOEHN_OK; k++) {
        memset(plane, 0, count * sizeof *plane);
        for (int i = 0; i < g->nx; i++)
            fill_column(w, below, i, k, (double)ground[foehn_grid_column(g, i, k)], plane);
        box.offset = foehn_grid_at(g, 0, 0, k);
        status = foehn_box_write(w->ctx, field, box, plane);
    }
    free(plane);
    return status;
}
