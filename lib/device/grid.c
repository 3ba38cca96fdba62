/* SPDX-License-Identifier: MIT */
/* The padded layout on the host's side; kernels/grid.h is the device's. */
#include "device/internal.h"

enum { ALIGNMENT = FOEHN_LEAD, GHOSTS = 1 };

foehn_grid foehn_grid_make(int nx, int ny, int nz, float hx, float hy, float hz)
{
    foehn_grid g = {.nx = nx, .ny = ny, .nz = nz, .hx = hx, .hy = hy, .hz = hz};
    g.per_x = 1 / hx;
    g.per_y = 1 / hy;
    g.per_z = 1 / hz;
    g.ghosts = GHOSTS;
    g.whole_x = g.own_x1 = nx;
    g.whole_z = g.own_z1 = nz;
    g.sy = (nx + 2 * g.ghosts + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    g.sz = g.sy * (ny + 2 * g.ghosts);
    return g;
}

size_t foehn_grid_elements(const foehn_grid *g)
{
    /* A plane more than cells and ghosts: interpolation at the upper edge faces reads one beyond
     * them, with weight 0, which must not be a NaN from somebody else's memory. */
    return (size_t)g->sz * (size_t)(g->nz + 2 * g->ghosts + 1) + 2 * ALIGNMENT;
}

size_t foehn_grid_columns(const foehn_grid *g)
{
    /* Two rows more: corners and lanes beyond the box read them, with weight 0. */
    return (size_t)g->sy * (size_t)(g->nz + 2 * g->ghosts + 2) + 2 * ALIGNMENT;
}

size_t foehn_grid_at(const foehn_grid *g, int i, int j, int k)
{
    return (size_t)(k + g->ghosts) * (size_t)g->sz + (size_t)(j + g->ghosts) * (size_t)g->sy +
           (size_t)(i + ALIGNMENT);
}

size_t foehn_grid_column(const foehn_grid *g, int i, int k)
{
    return (size_t)(k + g->ghosts) * (size_t)g->sy + (size_t)(i + ALIGNMENT);
}

foehn_size foehn_grid_padded(const foehn_grid *g)
{
    const int more = 2 * g->ghosts;
    return (foehn_size){(size_t)(g->nx + more), (size_t)(g->ny + more), (size_t)(g->nz + more)};
}

/* From `low` - layers to `high` + layers where other parts' cells lie beyond, of n cells. */
static void keep_own(int low, int high, int n, int layers, size_t *size, size_t *from)
{
    const size_t first = (size_t)(low > 0 && low > layers ? low - layers : 0);
    const size_t end = high < n && high + layers < (int)*size ? (size_t)(high + layers) : *size;
    *from = first;
    *size = end > first ? end - first : 0;
}

foehn_items foehn_grid_own(const foehn_grid *g, foehn_size size, int layers)
{
    foehn_items items = foehn_items_from_0(size);
    keep_own(g->own_x0, g->own_x1, g->nx, layers, &items.size.x, &items.from.x);
    keep_own(g->own_z0, g->own_z1, g->nz, layers, &items.size.z, &items.from.z);
    return items;
}

foehn_box foehn_grid_box(const foehn_grid *g, size_t element)
{
    return (foehn_box){
        .nx = (size_t)g->nx,
        .ny = (size_t)g->ny,
        .nz = (size_t)g->nz,
        .element = element,
        .offset = foehn_grid_at(g, 0, 0, 0),
        .row_pitch = (size_t)g->sy,
        .plane_pitch = (size_t)g->sz,
    };
}

const char *foehn_grid_options(const foehn_grid *g)
{
    return foehn_grid_elements(g) > INT32_MAX ? "-DFOEHN_INDEX64" : "";
}

foehn_status foehn_field_create(foehn_context *ctx, const foehn_grid *g, size_t element,
                                cl_mem *out)
{
    return foehn_buffer_create(ctx, foehn_grid_elements(g) * element, out);
}
