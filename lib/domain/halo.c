/* SPDX-License-Identifier: MIT */
/* Copies of neighbours' cells: packed by a kernel, through pinned memory of the host, and unpacked.
 *
 * First along x, then along z over the whole window, so that corners come with the second. */
#include "domain/halo.h"

#include <stdlib.h>

#include "kernels/domain/structs.h"

extern const foehn_source foehn_source_domain_halo;

/* ---- create ---- */

foehn_status foehn_part_create(foehn_context *ctx, foehn_domain *domain, const foehn_grid *g,
                               const domain_plan *plan, foehn_part **out)
{
    *out = NULL;
    const int n[2] = {g->nx, g->nz}, parts = foehn_domain_get_parts(domain);
    domain_cut cut;
    TRY(foehn_cut_make(n, parts, plan->unit, plan->halo, &cut));
    foehn_status status;
    foehn_part *p = calloc(1, sizeof *p);
    if (!p)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a part");
    p->ctx = ctx;
    p->domain = domain;
    p->part = foehn_domain_get_part(domain);
    p->parts = parts;
    p->cut = cut;
    p->plan = *plan;
    const char *options = foehn_grid_options(g);
    TRY_OR_FAIL(
        foehn_kernel_create(ctx, &foehn_source_domain_halo, options, "pack", 8, &p->kernel.pack));
    TRY_OR_FAIL(foehn_kernel_create(ctx, &foehn_source_domain_halo, options, "unpack", 8,
                                    &p->kernel.unpack));
    TRY_OR_FAIL(foehn_kernel_create(ctx, &foehn_source_domain_halo, options, "look_through", 8,
                                    &p->kernel.look_through));
    *out = p;
    return FOEHN_OK;
fail:
    foehn_part_destroy(p);
    return status;
}

static void staging_destroy(foehn_part *p, domain_staging *s)
{
    if (s->host)
        clEnqueueUnmapMemObject(p->ctx->queue, s->pinned, s->host, 0, NULL, NULL);
    clFinish(p->ctx->queue);
    foehn_buffer_destroy(p->ctx, &s->device);
    if (s->pinned)
        clReleaseMemObject(s->pinned);
    *s = (domain_staging){0};
}

void foehn_part_destroy(foehn_part *p)
{
    if (!p)
        return;
    staging_destroy(p, &p->out);
    staging_destroy(p, &p->in);
    foehn_kernels_destroy(&p->kernel, sizeof p->kernel);
    free(p);
}

/* Room for so many bytes. */
static foehn_status staging_grow(foehn_part *p, domain_staging *s, size_t bytes)
{
    cl_int code;
    if (bytes <= s->size)
        return FOEHN_OK;
    bytes += bytes / 2;
    staging_destroy(p, s);
    TRY(foehn_buffer_create(p->ctx, bytes, &s->device));
    s->pinned = clCreateBuffer(p->ctx->handle, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
                               NULL, &code);
    if (code != CL_SUCCESS) {
        s->pinned = NULL;
        return foehn_fail_cl(code, "%zu bytes of pinned memory", bytes);
    }
    s->host = clEnqueueMapBuffer(p->ctx->queue, s->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                 bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        s->host = NULL;
        return foehn_fail_cl(code, "mapping %zu bytes of pinned memory", bytes);
    }
    s->size = bytes;
    return FOEHN_OK;
}

foehn_grid foehn_part_window(const foehn_part *p, const foehn_grid *whole)
{
    const int *halo = p->plan.halo;
    const foehn_domain_block b = foehn_cut_block(&p->cut, p->part);
    const int x0 = b.x > 0 ? b.x - halo[0] : 0, z0 = b.z > 0 ? b.z - halo[1] : 0;
    const int x1 = b.x + b.nx < whole->nx ? b.x + b.nx + halo[0] : whole->nx;
    const int z1 = b.z + b.nz < whole->nz ? b.z + b.nz + halo[1] : whole->nz;
    foehn_grid g =
        foehn_grid_make((x1 < whole->nx ? x1 : whole->nx) - x0, whole->ny,
                        (z1 < whole->nz ? z1 : whole->nz) - z0, whole->hx, whole->hy, whole->hz);
    g.first_x = x0;
    g.first_z = z0;
    g.whole_x = whole->nx;
    g.whole_z = whole->nz;
    g.own_x0 = b.x - x0;
    g.own_x1 = b.x + b.nx - x0;
    g.own_z0 = b.z - z0;
    g.own_z1 = b.z + b.nz - z0;
    return g;
}

void foehn_window_sides(const foehn_grid *g, const foehn_side whole[FOEHN_SIDES],
                        foehn_side here[FOEHN_SIDES])
{
    const bool ends[FOEHN_SIDES] = {
        [SIDE_WEST] = g->first_x == 0,
        [SIDE_EAST] = g->first_x + g->nx == g->whole_x,
        [SIDE_FLOOR] = true,
        [SIDE_LID] = true,
        [SIDE_NORTH] = g->first_z == 0,
        [SIDE_SOUTH] = g->first_z + g->nz == g->whole_z,
    };
    for (int i = 0; i < FOEHN_SIDES; i++)
        here[i] = ends[i] ? whole[i] : FOEHN_SIDE_NEIGHBOUR;
}

/* ---- boxes between fields and staging ---- */

static size_t elements_of(const domain_box *b)
{
    return (size_t)b->nx * (size_t)b->ny * (size_t)b->nz;
}

static foehn_size size_of(const domain_box *b)
{
    return (foehn_size){(size_t)b->nx, (size_t)b->ny, (size_t)b->nz};
}

/* Boxes of all fields one after the other, from a byte of the staging on. */
static foehn_status pack(foehn_part *p, const foehn_grid *g, domain_box b, size_t at, int count,
                         const cl_mem *fields)
{
    for (int n = 0; n < count; n++) {
        b.offset = (u32)(at / sizeof(float) + (size_t)n * elements_of(&b));
        TRY(LAUNCH(p->ctx, p->kernel.pack, size_of(&b), ARG(*g), ARG(b), ARG(fields[n]),
                   ARG(p->out.device)));
    }
    return FOEHN_OK;
}

static foehn_status unpack(foehn_part *p, const foehn_grid *g, domain_box b, size_t at, int count,
                           const cl_mem *fields)
{
    for (int n = 0; n < count; n++) {
        b.offset = (u32)(at / sizeof(float) + (size_t)n * elements_of(&b));
        TRY(LAUNCH(p->ctx, p->kernel.unpack, size_of(&b), ARG(*g), ARG(b), ARG(p->in.device),
                   ARG(fields[n])));
    }
    return FOEHN_OK;
}

/* What was packed, on the host.  Waits; the wait is over the step's work so far, too. */
static foehn_status bring_out(foehn_part *p, size_t bytes)
{
    const double start = foehn_domain_now();
    foehn_status status = foehn_buffer_read(p->ctx, p->out.device, 0, bytes, p->out.host);
    p->domain->traffic.staging += foehn_domain_now() - start;
    return status;
}

/* What has come, on the device.  Does not wait: nothing touches the memory before the next
 * bring_out(), which does. */
static foehn_status bring_in(foehn_part *p, size_t bytes)
{
    cl_int code = clEnqueueWriteBuffer(p->ctx->queue, p->in.device, CL_FALSE, 0, bytes, p->in.host,
                                       0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "writing %zu bytes", bytes);
}

/* ---- neighbours ---- */

/* `depth` layers at the low (side 0) or high end along an axis: of one's own cells, or (beyond)
 * next to them. */
static domain_box strip(const foehn_grid *g, int axis, int side, bool beyond, int depth)
{
    const bool top = g->first_z + g->nz == g->whole_z; /* with the faces of the south side */
    domain_box b = {.x = 0,
                    .nx = g->nx + 1,
                    .ny = g->ny + 1,
                    .z = g->own_z0,
                    .nz = g->own_z1 - g->own_z0 + (axis == 0 && top ? 1 : 0)};
    const int low = axis == 0 ? g->own_x0 : g->own_z0, high = axis == 0 ? g->own_x1 : g->own_z1;
    const int from = side == 0 ? (beyond ? low - depth : low) : (beyond ? high : high - depth);
    if (axis == 0) {
        b.x = from;
        b.nx = depth;
    } else {
        b.z = from;
        b.nz = depth;
    }
    return b;
}

static foehn_status share_along(foehn_part *p, const foehn_grid *g, int axis, int depth, int count,
                                const cl_mem *fields)
{
    foehn_message messages[2];
    int sides[2];
    size_t sending = 0, bytes = 0;
    const domain_box any = strip(g, axis, 0, false, depth);
    const size_t each = elements_of(&any) * (size_t)count * sizeof(float);
    for (int side = 0; side < 2; side++)
        if (foehn_cut_beside(&p->cut, p->part, axis, side ? 1 : -1) >= 0)
            sides[sending++] = side;
    if (sending == 0)
        return FOEHN_OK;
    TRY(staging_grow(p, &p->out, sending * each));
    TRY(staging_grow(p, &p->in, sending * each));
    for (size_t n = 0; n < sending; n++, bytes += each) {
        TRY(pack(p, g, strip(g, axis, sides[n], false, depth), bytes, count, fields));
        messages[n] =
            (foehn_message){foehn_cut_beside(&p->cut, p->part, axis, sides[n] ? 1 : -1),
                            (char *)p->out.host + bytes, (char *)p->in.host + bytes, each, each};
    }
    TRY(bring_out(p, bytes));
    TRY(foehn_domain_exchange(p->domain, sending, messages));
    TRY(bring_in(p, bytes));
    for (size_t n = 0; n < sending; n++)
        TRY(unpack(p, g, strip(g, axis, sides[n], true, depth), n * each, count, fields));
    return FOEHN_OK;
}

foehn_status foehn_part_share(foehn_part *p, const foehn_grid *window, int depth, int count,
                              const cl_mem *fields)
{
    TRY(share_along(p, window, 0, depth, count, fields));
    return share_along(p, window, 1, depth, count, fields);
}

/* ---- the whole of a level ---- */

foehn_status foehn_part_assemble(foehn_part *p, const domain_cut *cut, const foehn_grid *window,
                                 const foehn_grid *whole, int count, const cl_mem *from,
                                 const cl_mem *to)
{
    size_t bytes[DOMAIN_MOST_PARTS], all = 0, at = 0;
    for (int n = 0; n < p->parts; n++) {
        const foehn_domain_block b = foehn_cut_block(cut, n);
        bytes[n] = (size_t)b.nx * (size_t)b.nz * (size_t)whole->ny * (size_t)count * sizeof(float);
        all += bytes[n];
    }
    const domain_box own = {.x = window->own_x0,
                            .z = window->own_z0,
                            .nx = window->own_x1 - window->own_x0,
                            .ny = window->ny,
                            .nz = window->own_z1 - window->own_z0};
    TRY(staging_grow(p, &p->out, bytes[p->part]));
    TRY(staging_grow(p, &p->in, all));
    TRY(pack(p, window, own, 0, count, from));
    TRY(bring_out(p, bytes[p->part]));
    TRY(foehn_domain_gather_uneven(p->domain, bytes, p->out.host, p->in.host));
    TRY(bring_in(p, all));
    for (int n = 0; n < p->parts; at += bytes[n++]) {
        const foehn_domain_block b = foehn_cut_block(cut, n);
        const domain_box theirs = {.x = b.x, .z = b.z, .nx = b.nx, .ny = whole->ny, .nz = b.nz};
        TRY(unpack(p, whole, theirs, at, count, to));
    }
    return FOEHN_OK;
}

foehn_status foehn_part_look_through(foehn_part *p, const foehn_grid *window,
                                     const foehn_grid *whole, cl_mem from, cl_mem to)
{
    const foehn_size cells = {(size_t)window->nx, (size_t)window->ny, (size_t)window->nz};
    return LAUNCH(p->ctx, p->kernel.look_through, cells, ARG(*window), ARG(*whole), ARG(from),
                  ARG(to));
}
