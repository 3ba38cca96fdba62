/* SPDX-License-Identifier: MIT */
/* Copies of the cells of up to eight neighbours: packed by a kernel, sent, and unpacked. */
#include "domain/halo.h"

#include "device/tuning.h"
#include <stdlib.h>

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
    TRY_OR_FAIL(foehn_mail_open(&p->mail, ctx, domain));
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

void foehn_part_destroy(foehn_part *p)
{
    if (!p)
        return;
    foehn_mail_close(&p->mail);
    foehn_kernels_destroy(&p->kernel, sizeof p->kernel);
    free(p);
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

/* ---- boxes between fields and bytes in a row ---- */

static size_t bytes_of(const domain_box *b, int ny, int fields)
{
    return (size_t)b->nx * (size_t)b->nz * (size_t)ny * (size_t)fields * sizeof(float);
}

/* As many of the boxes as one launch takes, either the narrow or the wide ones, from *next on. */
static foehn_size choose_boxes(size_t count, const domain_box *boxes, bool narrow, size_t *next,
                               domain_boxes *chosen)
{
    foehn_size size = {0, (size_t)chosen->ny, 0};
    chosen->count = chosen->rows = 0;
    for (; *next < count && chosen->count < DOMAIN_BOXES; ++*next) {
        const domain_box *b = &boxes[*next];
        if ((b->nx <= TUNED_NARROW) != narrow)
            continue;
        chosen->box[chosen->count++] = *b;
        chosen->rows += b->nz;
        size.x = (size_t)b->nx > size.x ? (size_t)b->nx : size.x;
    }
    size.z = (size_t)chosen->rows * (size_t)chosen->fields;
    return size;
}

#define FIELDS(f)                                                                                  \
    ARG((f)[0]), ARG((f)[1]), ARG((f)[2]), ARG((f)[3]), ARG((f)[4]), ARG((f)[5]), ARG((f)[6]),     \
        ARG((f)[7])

/* Boxes of ny elements a column of all fields into bytes in a row, or out of them. */
static foehn_status move(foehn_part *p, bool pack, cl_mem row, const foehn_grid *g, int ny,
                         size_t count, const domain_box *boxes, int fields, const cl_mem *of)
{
    cl_mem f[DOMAIN_FIELDS];
    domain_boxes chosen = {.ny = ny, .fields = fields};
    for (int n = 0; n < DOMAIN_FIELDS; n++)
        f[n] = of[n < fields ? n : 0];
    const size_t rows = foehn_tuned(p->ctx)->moved_rows;
    const foehn_size local = {rows > 0, rows, rows > 0}; /* 0: the launcher's choice */
    for (int narrow = 0; narrow < 2; narrow++)
        for (size_t next = 0; next < count;) {
            foehn_size size = choose_boxes(count, boxes, narrow, &next, &chosen);
            if (rows > 0)
                size.x = 1;
            if (chosen.count > 0 && pack)
                TRY(LAUNCH_LOCAL(p->ctx, p->kernel.pack, size, local, ARG(*g), ARG(chosen),
                                 FIELDS(f), ARG(row)));
            else if (chosen.count > 0)
                TRY(LAUNCH_LOCAL(p->ctx, p->kernel.unpack, size, local, ARG(*g), ARG(chosen),
                                 ARG(row), FIELDS(f)));
        }
    return FOEHN_OK;
}

/* ---- neighbours ---- */

/* Along one axis, towards a side (-1, 0: along one's own columns, 1): `depth` layers of one's own,
 * or (beyond) of the neighbour's.  The box's last faces lie one further. */
static void strip(int own0, int own1, bool is_last, int side, bool beyond, int depth, int *from,
                  int *n)
{
    *n = side == 0 ? own1 - own0 + is_last : depth;
    *from = side == 0  ? own0
            : side < 0 ? (beyond ? own0 - depth : own0)
                       : (beyond ? own1 : own1 - depth);
}

static domain_box box_beside(const foehn_grid *g, int x, int z, bool beyond, int depth)
{
    domain_box b = {.offset = 0};
    strip(g->own_x0, g->own_x1, g->first_x + g->own_x1 == g->whole_x, x, beyond, depth, &b.x,
          &b.nx);
    strip(g->own_z0, g->own_z1, g->first_z + g->own_z1 == g->whole_z, z, beyond, depth, &b.z,
          &b.nz);
    return b;
}

/* The parts around, what goes to each and what comes; returns how many. */
static size_t find_beside(const foehn_part *p, const foehn_grid *g, int depth, int fields,
                          domain_box out[8], domain_box in[8], domain_letter letters[8])
{
    const int ny = g->ny + 1;
    size_t count = 0, at = 0;
    for (int z = -1; z <= 1; z++)
        for (int x = -1; x <= 1; x++) {
            const int beside_x = x ? foehn_cut_beside(&p->cut, p->part, 0, x) : p->part;
            const int part =
                beside_x < 0 || z == 0 ? beside_x : foehn_cut_beside(&p->cut, beside_x, 1, z);
            if (part < 0 || part == p->part)
                continue;
            out[count] = box_beside(g, x, z, false, depth);
            in[count] = box_beside(g, x, z, true, depth);
            const size_t bytes = bytes_of(&out[count], ny, fields);
            out[count].offset = in[count].offset = (u32)(at / sizeof(float));
            letters[count++] = (domain_letter){part, at, bytes, at, bytes};
            at += bytes;
        }
    return count;
}

foehn_status foehn_part_send(foehn_part *p, const foehn_grid *g, int depth, int count,
                             const cl_mem *fields)
{
    domain_box out[8], in[8];
    domain_letter letters[8];
    const size_t beside = find_beside(p, g, depth, count, out, in, letters);
    const size_t bytes = letters[beside - 1].out_at + letters[beside - 1].out_bytes;
    p->sent.window = *g;
    p->sent.meanwhile = true;
    p->sent.depth = depth;
    p->sent.count = count;
    for (int n = 0; n < count; n++)
        p->sent.fields[n] = fields[n];
    TRY(foehn_mail_room(&p->mail, bytes, bytes));
    TRY(move(p, true, p->mail.out.device, g, g->ny + 1, beside, out, count, fields));
    return foehn_mail_send(&p->mail, beside, letters);
}

foehn_status foehn_part_receive(foehn_part *p)
{
    domain_box out[8], in[8];
    domain_letter letters[8];
    const foehn_grid *g = &p->sent.window;
    const size_t beside = find_beside(p, g, p->sent.depth, p->sent.count, out, in, letters);
    TRY(foehn_mail_receive(&p->mail));
    for (size_t n = 0; n < beside && p->sent.meanwhile; n++)
        p->domain->traffic.meanwhile += letters[n].out_bytes;
    return move(p, false, p->mail.in.device, g, g->ny + 1, beside, in, p->sent.count,
                p->sent.fields);
}

foehn_status foehn_part_share(foehn_part *p, const foehn_grid *window, int depth, int count,
                              const cl_mem *fields)
{
    TRY(foehn_part_send(p, window, depth, count, fields));
    p->sent.meanwhile = false;
    return foehn_part_receive(p);
}

bool foehn_part_overlaps(const foehn_part *p, const foehn_grid *g)
{
    enum {
        LEAST = 1 << 18
    }; /* cells: of fewer the launches that it takes more are what they cost */
    return p->mail.waits && (size_t)g->nx * (size_t)g->ny * (size_t)g->nz >= LEAST;
}

/* ---- the whole of a level ---- */

foehn_status foehn_part_assemble(foehn_part *p, const domain_cut *cut, const foehn_grid *window,
                                 const foehn_grid *whole, int count, const cl_mem *from,
                                 const cl_mem *to)
{
    domain_box theirs[DOMAIN_MOST_PARTS];
    domain_letter letters[DOMAIN_MOST_PARTS];
    size_t at = 0, others = 0;
    const domain_box own = {.x = window->own_x0,
                            .z = window->own_z0,
                            .nx = window->own_x1 - window->own_x0,
                            .nz = window->own_z1 - window->own_z0};
    const size_t own_bytes = bytes_of(&own, whole->ny, count);
    for (int n = 0; n < p->parts; n++) {
        const foehn_domain_block b = foehn_cut_block(cut, n);
        if (n == p->part)
            continue;
        theirs[others] = (domain_box){b.x, b.z, b.nx, b.nz, (u32)(at / sizeof(float))};
        const size_t bytes = bytes_of(&theirs[others], whole->ny, count);
        letters[others++] = (domain_letter){n, 0, own_bytes, at, bytes};
        at += bytes;
    }
    TRY(foehn_mail_room(&p->mail, own_bytes, at));
    TRY(move(p, true, p->mail.out.device, window, whole->ny, 1, &own, count, from));
    TRY(foehn_mail_send(&p->mail, others, letters));
    /* One's own cells come out of what went out. */
    const domain_box here = {window->first_x + own.x, window->first_z + own.z, own.nx, own.nz, 0};
    TRY(move(p, false, p->mail.out.device, whole, whole->ny, 1, &here, count, to));
    TRY(foehn_mail_receive(&p->mail));
    return move(p, false, p->mail.in.device, whole, whole->ny, others, theirs, count, to);
}

foehn_status foehn_part_look_through(foehn_part *p, const foehn_grid *window,
                                     const foehn_grid *whole, cl_mem from, cl_mem to)
{
    const foehn_size cells = {(size_t)window->nx, (size_t)window->ny, (size_t)window->nz};
    return LAUNCH(p->ctx, p->kernel.look_through, cells, ARG(*window), ARG(*whole), ARG(from),
                  ARG(to));
}
