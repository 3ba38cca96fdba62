/* SPDX-License-Identifier: MIT */
/* Gathering the whole box on a host, and scattering it: a part at a time, so that nobody holds it
 * twice. */
#include "domain/whole.h"

#include <stdlib.h>

/* A part's own cells among the whole's, and with them the faces of upper sides that are the box's.
 */
typedef struct block {
    size_t x, z, nx, nz, ny; /* elements */
    size_t row, plane;       /* of the whole, elements */
} block;

static block block_of(const domain_cut *cut, const foehn_grid *g, whole_field f, int n)
{
    const foehn_domain_block own =
        cut ? foehn_cut_block(cut, n) : (foehn_domain_block){0, 0, g->whole_x, g->whole_z};
    const size_t up = (size_t)f.more;
    block b = {.x = (size_t)own.x, .z = (size_t)own.z, .nx = (size_t)own.nx, .nz = (size_t)own.nz};
    b.nx += own.x + own.nx == g->whole_x ? up : 0;
    b.nz += own.z + own.nz == g->whole_z ? up : 0;
    b.ny = f.rows > 0 ? (size_t)f.rows : (size_t)g->ny + up;
    b.row = (size_t)g->whole_x + up;
    b.plane = b.row * b.ny;
    return b;
}

/* That of this part in its window. */
static foehn_box own_box(const foehn_grid *g, const block *b, whole_field f)
{
    foehn_box box = foehn_grid_box(g, f.element);
    box.nx = b->nx;
    box.ny = b->ny;
    box.nz = b->nz;
    box.offset = foehn_grid_at(g, g->own_x0, f.first, g->own_z0);
    return box;
}

static size_t bytes_of(const block *b, size_t element)
{
    return b->nx * b->ny * b->nz * element;
}

/* Between a block's bytes in a row and its place in the whole. */
static void place(const block *b, size_t element, void *row, void *whole, bool into_row)
{
    for (size_t k = 0; k < b->nz; k++)
        for (size_t j = 0; j < b->ny; j++) {
            char *in_row = (char *)row + (k * b->ny + j) * b->nx * element;
            char *in_whole = (char *)whole + ((b->z + k) * b->plane + j * b->row + b->x) * element;
            memcpy(into_row ? in_row : in_whole, into_row ? in_whole : in_row, b->nx * element);
        }
}

static foehn_status no_memory(size_t bytes)
{
    return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu bytes of a part", bytes);
}

static size_t largest_block(const foehn_part *part, const foehn_grid *g, whole_field f)
{
    size_t most = 0;
    for (int n = 0; n < part->parts; n++) {
        const block b = block_of(&part->cut, g, f, n);
        most = bytes_of(&b, f.element) > most ? bytes_of(&b, f.element) : most;
    }
    return most;
}

/* A grid that no part shares with another: each has all of it. */
static bool is_everybodys(const foehn_grid *g)
{
    return g->own_x1 - g->own_x0 == g->whole_x && g->own_z1 - g->own_z0 == g->whole_z;
}

foehn_status foehn_whole_read(foehn_context *ctx, foehn_part *part, const foehn_grid *g,
                              whole_field f, void *out)
{
    if (part && is_everybodys(g))
        return part->part == 0 ? foehn_whole_read(ctx, NULL, g, f, out) : FOEHN_OK;
    const int own = part ? part->part : 0;
    const block b = block_of(part ? &part->cut : NULL, g, f, own);
    if (!part)
        return foehn_box_read(ctx, f.buffer, own_box(g, &b, f), out);
    const size_t bytes = own == 0 ? largest_block(part, g, f) : bytes_of(&b, f.element);
    void *row = malloc(bytes);
    foehn_status status =
        row ? foehn_box_read(ctx, f.buffer, own_box(g, &b, f), row) : no_memory(bytes);
    if (status == FOEHN_OK && own == 0)
        place(&b, f.element, row, out, false);
    for (int n = 1; n < part->parts && status == FOEHN_OK; n++) {
        const block theirs = block_of(&part->cut, g, f, n);
        const foehn_message from = {n, NULL, row, 0, bytes_of(&theirs, f.element)};
        const foehn_message to = {0, row, NULL, bytes_of(&theirs, f.element), 0};
        if (own == 0 || own == n)
            status = foehn_domain_exchange(part->domain, 1, own == 0 ? &from : &to);
        if (status == FOEHN_OK && own == 0)
            place(&theirs, f.element, row, out, false);
    }
    free(row);
    return status;
}

/* The same into all parts' own copy. */
static foehn_status write_everywhere(foehn_context *ctx, foehn_part *part, const foehn_grid *g,
                                     whole_field f, const void *in)
{
    const block b = block_of(NULL, g, f, 0);
    const size_t bytes = bytes_of(&b, f.element);
    void *copy = malloc(bytes);
    if (!copy)
        return no_memory(bytes);
    if (part->part == 0)
        memcpy(copy, in, bytes);
    foehn_status status = foehn_domain_broadcast(part->domain, bytes, copy);
    if (status == FOEHN_OK)
        status = foehn_whole_write(ctx, NULL, g, f, copy);
    free(copy);
    return status;
}

foehn_status foehn_whole_write(foehn_context *ctx, foehn_part *part, const foehn_grid *g,
                               whole_field f, const void *in)
{
    if (part && is_everybodys(g))
        return write_everywhere(ctx, part, g, f, in);
    const int own = part ? part->part : 0;
    const block b = block_of(part ? &part->cut : NULL, g, f, own);
    if (!part)
        return foehn_box_write(ctx, f.buffer, own_box(g, &b, f), in);
    const size_t bytes = own == 0 ? largest_block(part, g, f) : bytes_of(&b, f.element);
    void *row = malloc(bytes);
    foehn_status status = row ? FOEHN_OK : no_memory(bytes);
    for (int n = 1; n < part->parts && status == FOEHN_OK; n++) {
        const block theirs = block_of(&part->cut, g, f, n);
        const foehn_message to = {n, row, NULL, bytes_of(&theirs, f.element), 0};
        const foehn_message from = {0, NULL, row, 0, bytes_of(&theirs, f.element)};
        if (own == 0)
            place(&theirs, f.element, row, (void *)(uintptr_t)in, true);
        if (own == 0 || own == n)
            status = foehn_domain_exchange(part->domain, 1, own == 0 ? &to : &from);
    }
    if (status == FOEHN_OK && own == 0)
        place(&b, f.element, row, (void *)(uintptr_t)in, true);
    if (status == FOEHN_OK)
        status = foehn_box_write(ctx, f.buffer, own_box(g, &b, f), row);
    free(row);
    return status;
}

foehn_status foehn_whole_everywhere(foehn_part *part, const domain_cut *cut, const foehn_grid *g,
                                    const foehn_grid *whole, whole_field f, cl_mem to)
{
    size_t each[DOMAIN_MOST_PARTS], all = 0, at = 0;
    for (int n = 0; n < part->parts; n++) {
        const block b = block_of(cut, g, f, n);
        each[n] = bytes_of(&b, f.element);
        all += each[n];
    }
    const block own = block_of(cut, g, f, part->part);
    char *rows = malloc(2 * all + each[part->part]);
    if (!rows)
        return no_memory(all);
    char *ready = rows + all, *mine = ready + all;
    foehn_status status = foehn_box_read(part->ctx, f.buffer, own_box(g, &own, f), mine);
    if (status == FOEHN_OK)
        status = foehn_domain_gather_uneven(part->domain, each, mine, rows);
    for (int n = 0; n < part->parts && status == FOEHN_OK; at += each[n++]) {
        const block b = block_of(cut, g, f, n);
        place(&b, f.element, rows + at, ready, false);
    }
    foehn_box box = foehn_grid_box(whole, f.element);
    box.nx += (size_t)f.more;
    box.ny += (size_t)f.more;
    box.nz += (size_t)f.more;
    if (status == FOEHN_OK)
        status = foehn_box_write(part->ctx, to, box, ready);
    free(rows);
    return status;
}

foehn_status foehn_whole_columns(foehn_part *part, size_t bytes, const void *own, void *all)
{
    const domain_cut *cut = &part->cut;
    const size_t nx = (size_t)cut->at[0][cut->across[0]], nz = (size_t)cut->at[1][cut->across[1]];
    size_t each[DOMAIN_MOST_PARTS], at = 0;
    for (int n = 0; n < part->parts; n++) {
        const foehn_domain_block b = foehn_cut_block(cut, n);
        each[n] = (size_t)b.nx * (size_t)b.nz * bytes;
    }
    char *rows = malloc(nx * nz * bytes);
    foehn_status status = rows ? foehn_domain_gather_uneven(part->domain, each, own, rows)
                               : no_memory(nx * nz * bytes);
    for (int n = 0; n < part->parts && status == FOEHN_OK; at += each[n++]) {
        const foehn_domain_block b = foehn_cut_block(cut, n);
        for (size_t k = 0; k < (size_t)b.nz; k++)
            memcpy((char *)all + (((size_t)b.z + k) * nx + (size_t)b.x) * bytes,
                   rows + at + k * (size_t)b.nx * bytes, (size_t)b.nx * bytes);
    }
    free(rows);
    return status;
}
