/* SPDX-License-Identifier: MIT */
/* The wind as a volume of halves for renderers: of the box, or of a part's own cells. */
#include "wind/model.h"

#include <stdlib.h>
#include <string.h>

enum { VOXEL = 4 * sizeof(uint16_t) }; /* bytes */

/* What a volume is of, cells of the world. */
typedef struct extract {
    int n[3];
    int64_t at[3];
} extract;

static extract whole_box(const foehn_wind *w)
{
    const int64_t *at = w->clock.origin;
    return (extract){{w->g.whole_x, w->g.ny, w->g.whole_z}, {at[0], at[1], at[2]}};
}

static extract own_block(const foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    const int64_t *at = w->clock.origin;
    return (extract){{g->own_x1 - g->own_x0, g->ny, g->own_z1 - g->own_z0},
                     {at[0] + g->first_x + g->own_x0, at[1], at[2] + g->first_z + g->own_z0}};
}

/* Whether this part takes it that all publish into part 0's volume. */
static bool is_gathered(const foehn_wind *w, const foehn_volume *volume)
{
    if (!w->part || w->part->part > 0 || !volume)
        return w->part && w->part->part > 0 && !volume;
    foehn_volume_info info;
    foehn_volume_get_info(volume, &info);
    return info.nx == w->g.whole_x && info.ny == w->g.ny && info.nz == w->g.whole_z;
}

foehn_status foehn_wind_check_volume(foehn_wind *w, const foehn_volume *volume)
{
    const bool gathers = is_gathered(w, volume);
    const extract e = gathers ? whole_box(w) : own_block(w);
    foehn_status status = FOEHN_OK;
    if (volume)
        status = foehn_volume_check(volume, w->ctx, e.n[0], e.n[1], e.n[2]);
    else if (!gathers)
        status = foehn_fail(FOEHN_ERROR_ARGUMENT, "no volume to publish to");
    if (!w->part)
        return status;
    int all[DOMAIN_MOST_PARTS], mine = gathers;
    TRY(foehn_domain_agree(w->part->domain, status));
    TRY(foehn_domain_gather(w->part->domain, sizeof mine, &mine, all));
    for (int n = 0; n < w->part->parts; n++)
        if (all[n] != all[0])
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "part %d publishes %s, part 0 %s: give each a volume of its own "
                              "block, or part 0 one of the whole box and the others none",
                              n, all[n] ? "into part 0's volume" : "into its own",
                              all[0] ? "what all have" : "its own block");
    return FOEHN_OK;
}

/* ---- all into part 0's ---- */

/* Voxels of a ring of `size` from `at` on: up to its end, and the rest from 0 on. */
typedef struct stretch {
    size_t at, from, count; /* in the ring; among those that go there */
} stretch;

static int stretches(size_t at, size_t count, size_t size, stretch out[2])
{
    const size_t first = at + count > size ? size - at : count;
    out[0] = (stretch){at, 0, first};
    out[1] = (stretch){0, first, count - first};
    return first < count ? 2 : 1;
}

static foehn_status enqueue(foehn_wind *w, const extract *whole, const foehn_domain_block *b,
                            const stretch *x, const stretch *y, const stretch *z, const char *row,
                            cl_mem slot)
{
    const size_t to[3] = {x->at * VOXEL, y->at, z->at};
    const size_t from[3] = {x->from * VOXEL, y->from, z->from};
    const size_t region[3] = {x->count * VOXEL, y->count, z->count};
    const size_t to_row = (size_t)whole->n[0] * VOXEL, from_row = (size_t)b->nx * VOXEL;
    const size_t ny = (size_t)whole->n[1];
    const cl_int code =
        clEnqueueWriteBufferRect(w->ctx->queue, slot, CL_FALSE, to, from, region, to_row,
                                 to_row * ny, from_row, from_row * ny, row, 0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "writing a part into a volume");
}

/* A part's voxels, [nz][ny][nx], to their place in the whole volume. */
static foehn_status put(foehn_wind *w, const extract *whole, const cl_int first[3], int part,
                        const char *row, cl_mem slot)
{
    const foehn_domain_block b = foehn_cut_block(&w->part->cut, part);
    const size_t n[3] = {(size_t)whole->n[0], (size_t)whole->n[1], (size_t)whole->n[2]};
    stretch x[2], y[2], z[2];
    const int xs = stretches((size_t)(first[0] + b.x) % n[0], (size_t)b.nx, n[0], x);
    const int ys = stretches((size_t)first[1], n[1], n[1], y);
    const int zs = stretches((size_t)(first[2] + b.z) % n[2], (size_t)b.nz, n[2], z);
    for (int k = 0; k < zs; k++)
        for (int j = 0; j < ys; j++)
            for (int i = 0; i < xs; i++)
                TRY(enqueue(w, whole, &b, &x[i], &y[j], &z[k], row, slot));
    return foehn_context_wait(w->ctx);
}

static size_t bytes_of(const foehn_wind *w, int part)
{
    const foehn_domain_block b = foehn_cut_block(&w->part->cut, part);
    return (size_t)b.nx * (size_t)b.nz * (size_t)w->g.ny * VOXEL;
}

/* This part's own voxels on the host. */
static foehn_status read_own(foehn_wind *w, foehn_wind_pass *pass, char *row)
{
    const cl_int first[3] = {0, 0, 0};
    const size_t bytes = bytes_of(w, w->part->part);
    if (!w->halves)
        TRY(foehn_buffer_create(w->ctx, bytes, &w->halves));
    TRY(pass(w, first, w->halves));
    return foehn_buffer_read(w->ctx, w->halves, 0, bytes, row);
}

/* A part after the other, so that part 0's host has one at a time. */
static foehn_status gather(foehn_wind *w, foehn_wind_pass *pass, const extract *whole,
                           const cl_int first[3], cl_mem slot)
{
    const int own = w->part->part;
    size_t most = bytes_of(w, own);
    for (int n = 1; n < w->part->parts && own == 0; n++)
        most = bytes_of(w, n) > most ? bytes_of(w, n) : most;
    char *row = malloc(most);
    if (!row)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu bytes of a volume", most);
    foehn_status status = read_own(w, pass, row);
    if (status == FOEHN_OK && own > 0) {
        const foehn_message to = {0, row, NULL, most, 0};
        status = foehn_domain_exchange(w->part->domain, 1, &to);
    }
    for (int n = 0; n < w->part->parts && own == 0 && status == FOEHN_OK; n++) {
        const foehn_message from = {n, NULL, row, 0, bytes_of(w, n)};
        if (n > 0)
            status = foehn_domain_exchange(w->part->domain, 1, &from);
        if (status == FOEHN_OK)
            status = put(w, whole, first, n, row, slot);
    }
    free(row);
    return status;
}

/* ---- publish ---- */

foehn_status foehn_wind_publish(foehn_wind *w, foehn_volume *volume, foehn_wind_pass *pass)
{
    const bool gathers = is_gathered(w, volume);
    const extract e = gathers ? whole_box(w) : own_block(w);
    const double spacing[3] = {(double)w->g.hx, (double)w->g.hy, (double)w->g.hz};
    cl_int first[3];
    cl_mem slot;
    if (w->model->prepare)
        TRY(w->model->prepare(w));
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    if (!volume)
        return gather(w, pass, &e, NULL, NULL);
    TRY(foehn_volume_begin(volume, w->ctx, e.n[0], e.n[1], e.n[2], &slot));
    foehn_volume_info v = {.nx = e.n[0],
                           .ny = e.n[1],
                           .nz = e.n[2],
                           .step = w->clock.step,
                           .time = w->clock.time,
                           .repeats = 1};
    for (int a = 0; a < 3; a++) {
        v.origin[a] = (double)e.at[a] * spacing[a];
        v.spacing[a] = spacing[a];
        v.extent[a] = e.n[a] * spacing[a];
        first[a] = (cl_int)((e.at[a] % e.n[a] + e.n[a]) % e.n[a]); /* where its first cell goes */
    }
    return foehn_volume_end(volume, &v,
                            gathers ? gather(w, pass, &e, first, slot) : pass(w, first, slot));
}

foehn_status foehn_wind_write_volume(foehn_wind *w, foehn_volume *volume)
{
    TRY(foehn_wind_check_volume(w, volume));
    TRY(foehn_wind_refresh_ground(w)); /* centres of faces ask which are open */
    return foehn_wind_publish(w, volume, w->model->publish);
}
