/* SPDX-License-Identifier: MIT */
/* How launches are cut, by what was measured: on an H200, and with PoCL on processors.  Here, and
 * in the table below, is all of it that is the host's; what kernels know is beside them
 * (WIND_LINES, FLOW_GROUP, transport/lanes.h).  doc/numerics.md and bench/RESULTS.md say what was
 * tried. */
#ifndef FOEHN_LIB_TUNING_H
#define FOEHN_LIB_TUNING_H

#include "device/internal.h"

typedef struct foehn_tuning {
    /* Items of a row and of a work-group, where a launch does not say.  Processors: 16 of a row,
     * whatever its length, which is what a vector has and leaves the fewest beyond a row; PoCL
     * compiles a kernel anew for each local size.  GPUs: 64 x 4, or 32 x 8. */
    size_t row, group;
    /* Neighbours of a row that an item of the momentum model and the LES takes. */
    int lanes;
    /* Pressure: a level of so many cells, with all below it, is one work-group's of so many items.
     */
    size_t small_cells, small_group;
    /* Items that look for the largest in a row of cells, and in all columns; powers of 2. */
    size_t worst_in_row, worst_in_columns;
    /* Pixels of a picture in a work-group; 0: as others.  Pictures change their width while a
     * program runs. */
    size_t pixels;
    /* Items along y of a group that moves layers between parts, each with a whole row of them; 0:
     * as others, an item an element. */
    size_t moved_rows;
} foehn_tuning;

static inline const foehn_tuning *foehn_tuned(const foehn_context *ctx)
{
    static const foehn_tuning gpu = {.row = 64,
                                     .group = 256,
                                     .lanes = 1,
                                     .small_cells = 2048,
                                     .small_group = 1024,
                                     .worst_in_row = 64,
                                     .worst_in_columns = 256,
                                     .pixels = 0,
                                     .moved_rows = 0};
    static const foehn_tuning processor = {.row = 16,
                                           .group = 16,
                                           .lanes = 8,
                                           .small_cells = 512,
                                           .small_group = 64,
                                           .worst_in_row = 1,
                                           .worst_in_columns = 16,
                                           .pixels = 64,
                                           .moved_rows = 16};
    return ctx->device.info.type == FOEHN_DEVICE_GPU ? &gpu : &processor;
}

enum {
    TUNED_POINTS = 64, /* items of a work-group of places to read at, of words to clear */
    TUNED_SUMS = 256,  /* of one that sums */
    /* GPUs: cells that an item of what only moves memory takes, in kernels of that text: 4.2
     * instead of 2.7 TB/s on an H200. */
    TUNED_CELLS_AN_ITEM = 4,
    /* GPUs: what marches or moves memory is fastest 32 along x, 128 in all. */
    TUNED_WIDE_ROW = 32,
    TUNED_WIDE_GROUP = 128,
    /* GPUs: of so many cells a pass costs its launch, not its bytes: two in one gain nothing at 4
     * million, and an exchange between parts costs more. */
    TUNED_LAUNCH_BOUND = 1 << 19,
    /* Processors: a level of so few cells is cut nowhere. */
    TUNED_WHOLE_LEVEL = 2048,
    /* Boxes beside along x are a few columns wide, the others mostly many: a launch as wide as the
     * widest would be idle in them. */
    TUNED_NARROW = 16,
};

/* GPUs: a work-group of the wind's transport. */
static inline foehn_size foehn_tuned_trace(void)
{
    return (foehn_size){32, 4, 2};
}

/* GPUs: cells of a work-group for two passes in one, in 2-D or 3-D. */
static inline foehn_size foehn_tuned_tile(bool is_2d)
{
    return (foehn_size){32, is_2d ? 8 : 4, is_2d ? 1 : 4};
}

/* Layers that an item of the noise's potentials marches over, of so many values and layers in all:
 * GPUs want no fewer items than fill them. */
static inline int foehn_tuned_march(const foehn_context *ctx, size_t values, int layers)
{
    if (ctx->device.info.type != FOEHN_DEVICE_GPU)
        return 16;
    return values < 100000 ? 4 : layers < 256 ? 8 : 32;
}

#endif
