/* SPDX-License-Identifier: MIT */
/* Blocks of 8^3 voxels that are awake: kernels/fire/blocks.cl. */
#include "fire/state.h"

#include <math.h>

static foehn_size blocks_of(const foehn_grid *r)
{
    return (foehn_size){(size_t)(r->nx + FIRE_BLOCK - 1) / FIRE_BLOCK,
                        (size_t)(r->ny + FIRE_BLOCK - 1) / FIRE_BLOCK,
                        (size_t)(r->nz + FIRE_BLOCK - 1) / FIRE_BLOCK};
}

static size_t count_blocks(const foehn_fire *f)
{
    foehn_size n = blocks_of(&f->r);
    return n.x * n.y * n.z;
}

static foehn_status fill(foehn_fire *f, cl_mem buffer, cl_uchar value)
{
    cl_int code =
        clEnqueueFillBuffer(f->ctx->queue, buffer, &value, 1, 0, count_blocks(f), 0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "blocks that are awake");
}

foehn_status foehn_fire_create_blocks(foehn_fire *f)
{
    TRY(foehn_buffer_create(f->ctx, count_blocks(f), &f->touched));
    TRY(foehn_buffer_create(f->ctx, count_blocks(f), &f->awake));
    return foehn_fire_rouse(f);
}

foehn_status foehn_fire_rouse(foehn_fire *f)
{
    TRY(fill(f, f->touched, 1));
    return fill(f, f->awake, FIRE_AWAKE);
}

/* Air that gets up to twice as fast within a step, interpolation and rounds of mixing stay within
 * the block beside. */
static bool may_sleep(const foehn_fire *f, int rounds)
{
    double most = 0;
    for (int a = 0; a < 3; a++)
        most = fmax(most, f->spacing[a] / f->render_spacing[a]);
    return !f->too_fast && 2 * (double)f->params.cfl * most + 1 + rounds <= FIRE_BLOCK;
}

foehn_status foehn_fire_wake(foehn_fire *f, int rounds)
{
    foehn_size n = blocks_of(&f->r);
    cl_int nx = (cl_int)n.x, ny = (cl_int)n.y, nz = (cl_int)n.z;
    const fire_proxies *l = &f->dye_proxies;
    if (!f->params.active) /* all stay awake */
        return FOEHN_OK;
    if (f->never_asleep || !may_sleep(f, rounds))
        return foehn_fire_rouse(f);
    for (int b = 0; b < l->batch_count; b++) {
        const fire_batch *q = &l->batches[b];
        foehn_size size = {(size_t)q->extent[0] / FIRE_BLOCK + 2,
                           (size_t)q->extent[1] / FIRE_BLOCK + 2,
                           (size_t)q->extent[2] / FIRE_BLOCK + 2};
        TRY(LAUNCH(f->ctx, f->kernel.rouse, size, ARG(f->r), ARG(q->low[0]), ARG(q->low[1]),
                   ARG(q->low[2]), ARG(q->extent[0]), ARG(q->extent[1]), ARG(q->extent[2]),
                   ARG(f->touched)));
    }
    TRY(LAUNCH(f->ctx, f->kernel.wake, n, ARG(nx), ARG(ny), ARG(nz), ARG(f->touched),
               ARG(f->awake)));
    return fill(f, f->touched, 0);
}
