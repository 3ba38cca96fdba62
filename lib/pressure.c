/* SPDX-License-Identifier: MIT */
/* The Poisson solver: its fields, the openness of faces, the methods and their measure. */
#include "multigrid.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_pressure, foehn_source_transfer, foehn_source_small;

static foehn_size faces(const foehn_grid *g)
{
    return (foehn_size){(size_t)g->nx + 1, (size_t)g->ny + 1, (size_t)g->nz + 1};
}

/* ---- create ---- */

static size_t arena_round(const foehn_pressure *p, size_t bytes)
{
    return (bytes + p->arena_unit - 1) / p->arena_unit * p->arena_unit;
}

/* Elements of a level in the compact layout of kernels/small.cl. */
static size_t compact_elements(const foehn_grid *g)
{
    return ((size_t)g->nx + 2) * ((size_t)g->ny + 2) * ((size_t)g->nz + 2);
}

/* The first level that is small, with all below it: cheaper in one work-group than launch by launch, and
 * its fields fit into three quarters of a work-group's memory.  The finest is always launched: others write to it. */
static int find_first_small(const foehn_pressure *p)
{
    const foehn_device_info *d = &p->ctx->device.info;
    size_t most = d->type == FOEHN_DEVICE_GPU ? 2048 : 512, floats = 0;
    int first = p->count - 1;
    floats = 3 * compact_elements(&p->levels[first].shape.g);
    while (first > 1) {
        const foehn_grid *g = &p->levels[first - 1].shape.g;
        floats += 3 * compact_elements(g);
        if (cells_of(g) > most || floats * sizeof(float) > 3 * d->local_memory_bytes / 4)
            break;
        first--;
    }
    return first < 1 ? 1 : first;
}

static foehn_status sub_buffer(const foehn_pressure *p, cl_mem arena, size_t offset, size_t bytes, cl_mem *out)
{
    cl_int code;
    const cl_buffer_region region = {offset, arena_round(p, bytes)};
    *out = clCreateSubBuffer(arena, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code != CL_SUCCESS) {
        *out = NULL;
        return foehn_fail_cl(code, "part of the arena of small pressure levels");
    }
    return FOEHN_OK;
}

/* Fields of one launched level. */
static foehn_status create_level(foehn_pressure *p, level *l)
{
    foehn_context *ctx = p->ctx;
    for (int a = 0; a < 3; a++)
        TRY(foehn_buffer_create(ctx, l->elements, &l->open[a]));
    for (int n = 0; n < 2; n++)
        TRY(foehn_buffer_create(ctx, l->elements * sizeof(float), &l->p[n]));
    TRY(foehn_buffer_create(ctx, l->elements * sizeof(float), &l->rhs));
    return l == p->levels ? FOEHN_OK : foehn_buffer_create(ctx, l->elements, &l->mask);
}

/* Fields of all small levels in two buffers, with a sub-buffer each for the launches that need one. */
static foehn_status create_arena(foehn_pressure *p)
{
    enum { FLOATS = 7, BYTES = 4 };
    size_t floats = 0, bytes = 0;
    cl_uint bits = 0;
    clGetDeviceInfo(p->ctx->device.id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    p->arena_unit = bits >= 8 * 64 ? bits / 8 : 64;
    int smalls = p->count - p->first_small;
    for (int n = p->first_small; n < p->count; n++) {
        floats += FLOATS * arena_round(p, p->levels[n].elements * sizeof(float));
        bytes += BYTES * arena_round(p, p->levels[n].elements);
    }
    TRY(foehn_buffer_create(p->ctx, floats, &p->floats));
    TRY(foehn_buffer_create(p->ctx, bytes, &p->bytes));
    TRY(foehn_buffer_create(p->ctx, (size_t)smalls * sizeof(pressure_small), &p->smalls));
    floats = bytes = 0;
    for (int n = p->first_small; n < p->count; n++) {
        level *l = &p->levels[n];
        pressure_small *s = &l->small;
        size_t field = l->elements * sizeof(float);
        s->level = l->shape;
        size_t compact = compact_elements(&l->shape.g);
        s->local_p[0] = (i32)p->local_floats;
        s->local_p[1] = (i32)(p->local_floats + compact);
        s->local_rhs = (i32)(p->local_floats + 2 * compact);
        p->local_floats += 3 * compact;
        s->per_row = (f32)(1.0 / l->shape.g.nx);
        s->per_plane = (f32)(1.0 / ((double)l->shape.g.nx * l->shape.g.ny));
        const struct {
            cl_mem *buffer;
            i32 *offset;
        } in_floats[FLOATS] = {{&l->p[0], &s->p[0]},           {&l->p[1], &s->p[1]},
                               {&l->rhs, &s->rhs},             {&l->weight[0], &s->weight[0]},
                               {&l->weight[1], &s->weight[1]}, {&l->weight[2], &s->weight[2]},
                               {&l->inverse, &s->inverse}};
        for (int i = 0; i < FLOATS; i++) {
            *in_floats[i].offset = (i32)(floats / sizeof(float));
            TRY(sub_buffer(p, p->floats, floats, field, in_floats[i].buffer));
            floats += arena_round(p, field);
        }
        cl_mem *in_bytes[BYTES] = {&l->open[0], &l->open[1], &l->open[2], &l->mask};
        for (int i = 0; i < BYTES; i++) {
            s->mask = (i32)bytes; /* the last one is the mask */
            TRY(sub_buffer(p, p->bytes, bytes, l->elements, in_bytes[i]));
            bytes += arena_round(p, l->elements);
        }
        TRY(foehn_buffer_write(p->ctx, p->smalls, (size_t)(n - p->first_small) * sizeof *s,
                               sizeof *s, s));
    }
    return FOEHN_OK;
}

/* Kernels to and from the next level, for the axes halved there. */
static foehn_status create_transfers(foehn_pressure *p, const char *options)
{
    for (int n = 0; n < p->first_small && n < p->count - 1; n++) {
        level *l = &p->levels[n];
        const int axes = l->shape.axes & (HALVED_X | HALVED_Y | HALVED_Z);
        double children = 1;
        for (int a = 0; a < 3; a++)
            children *= axes & HALVED_X << a ? 2 : 1;
        char with_axes[160];
        snprintf(with_axes, sizeof with_axes, "%s -DHALVED=%d", options, axes);
        TRY(foehn_kernel_create(p->ctx, &foehn_source_transfer, with_axes, "restrict_residual",
                                4 * children + 11, &l->restrict_residual));
        TRY(foehn_kernel_create(p->ctx, &foehn_source_transfer, with_axes, "prolong",
                                8 * children + 5, &l->prolong));
    }
    return FOEHN_OK;
}

const pressure_level *foehn_pressure_level(const foehn_pressure *p)
{
    return &p->levels[0].shape;
}

const char *foehn_pressure_options(const foehn_pressure *p)
{
    return p->options;
}

cl_mem foehn_pressure_residual(const foehn_pressure *p)
{
    return p->levels[0].p[1];
}

static bool uses_open_rows(const foehn_pressure *p)
{
    return p->ctx->device.info.type == FOEHN_DEVICE_GPU && !is_2d(p);
}

static foehn_status create_kernels(foehn_pressure *p)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    const struct {
        const char *name;
        double bytes;
        foehn_kernel *kernel;
    } table[] = {
        {"smooth", 3 * 4 + 3, &p->kernel.smooth},
        {"relax", 2 * (3 * 4 + 3), &p->kernel.relax},
        {"find_closed_rows", 0, &p->kernel.find_closed_rows},
        {"open_all", 0, &p->kernel.open_all},
        {"edges", 0, &p->kernel.edges},
        {"coarsen", 0, &p->kernel.coarsen},
        {"fluid_mask", 4, &p->kernel.fluid_mask},
        {"dot_rows", 0, &p->kernel.dot_rows},
        {"residual_rows", 0, &p->kernel.residual_rows},
        {"sum_up", 0, &p->kernel.sum_up},
        {"residual_field", 3 * 4 + 3, &p->kernel.residual_field},
        {"apply", 2 * 4 + 3, &p->kernel.apply},
        {"fluid_ones", 4 + 3, &p->kernel.fluid_ones},
        {"remove_mean", 3 * 4, &p->kernel.remove_mean},
        {"cg_step", 6 * 4, &p->kernel.cg_step},
        {"cg_direction", 3 * 4, &p->kernel.cg_direction},
    };
    const int axes = p->levels[0].shape.axes;
    char *options = p->options;
    snprintf(options, sizeof p->options, "%s%s%s%s", foehn_grid_options(g),
             uses_open_rows(p) ? " -DFOEHN_OPEN_ROWS" : "",
             is_2d(p) ? " -DFOEHN_2D" : "",
             axes & (PERIODIC_X | PERIODIC_Y | PERIODIC_Z) ? " -DFOEHN_PERIODIC" : "");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(p->ctx, &foehn_source_pressure, options, table[i].name,
                                table[i].bytes, table[i].kernel));
    TRY(foehn_kernel_create(p->ctx, &foehn_source_small, options, "small_weights", 0,
                            &p->kernel.small_weights));
    TRY(foehn_kernel_create(p->ctx, &foehn_source_small, options, "small_levels", 0,
                            &p->kernel.small_levels));
    return create_transfers(p, options);
}

static size_t partial_count(const foehn_grid *g)
{
    return (size_t)g->ny * (size_t)g->nz * SUM_LANES;
}

uint64_t foehn_pressure_memory(const foehn_grid *g)
{
    level *levels = calloc(MOST_LEVELS, sizeof *levels);
    if (!levels)
        return 0;
    int count = foehn_multigrid_levels(g, 0, levels);
    uint64_t bytes = 2 * partial_count(g) * sizeof(float);
    for (int n = 0; n < count; n++)
        bytes += levels[n].elements * (3 * sizeof(float) + (n > 0 ? 4 : 3));
    free(levels);
    return bytes;
}

static foehn_status check_edges(const foehn_edge edges[6])
{
    for (int a = 0; a < 3; a++)
        if ((edges[2 * a] == FOEHN_EDGE_PERIODIC) != (edges[2 * a + 1] == FOEHN_EDGE_PERIODIC))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "pressure: only one side of the %c axis is periodic: both or none",
                              "xyz"[a]);
    return FOEHN_OK;
}

foehn_status foehn_pressure_create(foehn_context *ctx, const foehn_grid *g,
                                   const foehn_edge edges[6], foehn_pressure **out)
{
    *out = NULL;
    TRY(check_edges(edges));
    foehn_status status;
    foehn_pressure *p = calloc(1, sizeof *p);
    if (!p)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_pressure_create: no host memory");
    p->ctx = ctx;
    memcpy(p->edges, edges, sizeof p->edges);
    int periodic = 0;
    for (int i = 0; i < 6; i++) {
        p->closed |= (edges[i] == FOEHN_EDGE_NEUMANN) << i;
        p->dirichlet |= (edges[i] != FOEHN_EDGE_NEUMANN) << i;
        periodic |= edges[i] == FOEHN_EDGE_PERIODIC ? PERIODIC_X << (i / 2) : 0;
    }
    p->count = foehn_multigrid_levels(g, periodic, p->levels);
    for (int n = 0; n < p->count; n++)
        p->levels[n].shape.closed = p->closed;
    p->first_small = find_first_small(p);
    for (int n = 0; n < p->first_small; n++)
        TRY_OR_FAIL(create_level(p, &p->levels[n]));
    TRY_OR_FAIL(create_kernels(p));
    if (p->count > 1) {
        TRY_OR_FAIL(create_arena(p));
        TRY_OR_FAIL(foehn_multigrid_schedule(p, V_CYCLE));
        TRY_OR_FAIL(foehn_multigrid_schedule(p, F_CYCLE));
    }
    for (int i = 0; i < 2; i++)
        TRY_OR_FAIL(foehn_buffer_create(ctx, partial_count(g) * sizeof(float), &p->partial[i]));
    TRY_OR_FAIL(foehn_buffer_create(ctx, SUMS * sizeof(float), &p->sums));
    TRY_OR_FAIL(foehn_buffer_create(ctx, (size_t)g->ny * sizeof(cl_int), &p->closed_rows));
    for (int a = 0; a < 3; a++) {
        cl_ulong count = p->levels[0].elements;
        TRY_OR_FAIL(LAUNCH_LOCAL(ctx, p->kernel.open_all, ((foehn_size){64 * 64, 1, 1}),
                                 ((foehn_size){64, 1, 1}), ARG(count), ARG(p->levels[0].open[a])));
    }
    TRY_OR_FAIL(foehn_pressure_update(p));
    *out = p;
    return FOEHN_OK;
fail:
    foehn_pressure_destroy(p);
    return status;
}

static void destroy_level(foehn_pressure *p, int n)
{
    foehn_kernel_destroy(&p->levels[n].restrict_residual);
    foehn_kernel_destroy(&p->levels[n].prolong);
    cl_mem *fields[] = {&p->levels[n].open[0], &p->levels[n].open[1], &p->levels[n].open[2],
                        &p->levels[n].mask,    &p->levels[n].rhs,     &p->levels[n].p[0],
                        &p->levels[n].p[1],    &p->levels[n].weight[0], &p->levels[n].weight[1],
                        &p->levels[n].weight[2], &p->levels[n].inverse};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (n < p->first_small)
            foehn_buffer_destroy(p->ctx, fields[i]);
        else if (*fields[i]) /* a part of the arena, which is accounted for as a whole */
            clReleaseMemObject(*fields[i]);
}

void foehn_pressure_destroy(foehn_pressure *p)
{
    if (!p)
        return;
    clFinish(p->ctx->queue);
    foehn_kernel *kernels = (foehn_kernel *)&p->kernel;
    for (size_t i = 0; i < sizeof p->kernel / sizeof *kernels; i++)
        foehn_kernel_destroy(&kernels[i]);
    for (int n = 0; n < p->count; n++)
        destroy_level(p, n);
    cl_mem *rest[] = {&p->floats,     &p->bytes,      &p->smalls, &p->visits[0].passes,
                      &p->visits[1].passes, &p->partial[0], &p->partial[1], &p->sums, &p->closed_rows,
                      &p->cg[0], &p->cg[1], &p->cg[2], &p->cg[3], &p->cg[4], &p->cg[5]};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        foehn_buffer_destroy(p->ctx, rest[i]);
    free(p);
}

cl_mem foehn_pressure_open(const foehn_pressure *p, int axis)
{
    return p->levels[0].open[axis];
}

cl_mem foehn_pressure_rhs(const foehn_pressure *p)
{
    return p->levels[0].rhs;
}

cl_mem foehn_pressure_field(const foehn_pressure *p)
{
    return p->levels[0].p[0];
}

/* From which row up everything is open, on all levels: what kernels on GPUs make use of in 3-D.  Waits. */
static foehn_status find_open_rows(foehn_pressure *p)
{
    level *l = &p->levels[0];
    int ny = l->shape.g.ny;
    if (!uses_open_rows(p))
        return FOEHN_OK;
    TRY(foehn_buffer_clear(p->ctx, p->closed_rows));
    TRY(LAUNCH(p->ctx, p->kernel.find_closed_rows, faces(&l->shape.g), ARG(l->shape), OPEN(l),
               ARG(p->closed_rows)));
    cl_int *closed = malloc((size_t)ny * sizeof *closed);
    if (!closed)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %d rows", ny);
    foehn_status status =
        foehn_buffer_read(p->ctx, p->closed_rows, 0, (size_t)ny * sizeof *closed, closed);
    int from = 0;
    for (int j = 0; status == FOEHN_OK && j < ny; j++)
        from = closed[j] ? j + 1 : from;
    free(closed);
    for (int n = 0; n < p->count; n++) {
        pressure_level *s = &p->levels[n].shape;
        s->open_from = from;
        if (s->axes & HALVED_Y)
            from = from / 2 + from % 2; /* rounded up; INT_MAX stays beyond all rows */
        /* A coarse cell that lacks a child has half-open faces. */
        if ((s->axes & HALVED_X && s->g.nx % 2) || (s->axes & HALVED_Y && s->g.ny % 2) ||
            (s->axes & HALVED_Z && s->g.nz % 2))
            from = INT_MAX;
    }
    return status;
}

foehn_status foehn_pressure_update(foehn_pressure *p)
{
    for (int n = 0; n < p->count; n++) {
        level *l = &p->levels[n];
        const foehn_grid *g = &l->shape.g;
        if (n > 0) {
            const level *fine = l - 1;
            TRY(LAUNCH(p->ctx, p->kernel.coarsen, faces(g), ARG(fine->shape), ARG(l->shape),
                       OPEN(fine), OPEN(l)));
        }
        TRY(LAUNCH(p->ctx, p->kernel.edges, faces(g), ARG(l->shape), ARG(p->closed), OPEN(l)));
        if (n == 0)
            TRY(find_open_rows(p));
        if (n > 0) {
            foehn_size padded = {(size_t)g->nx + 2, (size_t)g->ny + 2, (size_t)g->nz + 2};
            TRY(LAUNCH(p->ctx, p->kernel.fluid_mask, padded, ARG(l->shape), ARG(p->dirichlet),
                       OPEN(l), ARG(l->mask)));
        }
        if (n >= p->first_small)
            TRY(LAUNCH(p->ctx, p->kernel.small_weights, faces(g), ARG(l->shape), OPEN(l),
                       ARG(l->weight[0]), ARG(l->weight[1]), ARG(l->weight[2]),
                       ARG(l->inverse)));
    }
    return FOEHN_OK;
}

foehn_status foehn_pressure_update_finest(foehn_pressure *p)
{
    level *l = &p->levels[0];
    l->shape.open_from = INT_MAX; /* every row's faces are looked at */
    return LAUNCH(p->ctx, p->kernel.edges, faces(&l->shape.g), ARG(l->shape), ARG(p->closed),
                  OPEN(l));
}

/* ---- measuring ---- */

static foehn_status sum_up(foehn_pressure *p, cl_mem partial, cl_int to)
{
    cl_int count = (cl_int)partial_count(&p->levels[0].shape.g);
    size_t group = 256;
    while (group > p->kernel.sum_up.max_group)
        group /= 2;
    foehn_size size = {group, 1, 1};
    return LAUNCH_LOCAL(p->ctx, p->kernel.sum_up, size, size, ARG(count), ARG(partial), ARG(to),
                        ARG(p->sums), LOCAL_ARG(group * sizeof(float)));
}

static foehn_size lanes(const foehn_grid *g)
{
    return (foehn_size){SUM_LANES, (size_t)g->ny * (size_t)g->nz, 1};
}

static foehn_status dot(foehn_pressure *p, cl_mem a, cl_mem b, cl_int to)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    TRY(LAUNCH(p->ctx, p->kernel.dot_rows, lanes(g), ARG(*g), ARG(a), ARG(b), ARG(p->partial[0])));
    return sum_up(p, p->partial[0], to);
}

/* Sums of the squared residual and of the squared right side.  Waits. */
static foehn_status measure(foehn_pressure *p, double *residual, double *right)
{
    level *l = &p->levels[0];
    float sums[2];
    TRY(LAUNCH(p->ctx, p->kernel.residual_rows, lanes(&l->shape.g), ARG(l->shape), OPEN(l),
               ARG(l->rhs), ARG(l->p[0]), ARG(p->partial[0]), ARG(p->partial[1])));
    TRY(sum_up(p, p->partial[0], 0));
    TRY(sum_up(p, p->partial[1], 1));
    TRY(foehn_buffer_read(p->ctx, p->sums, 0, sizeof sums, sums));
    *residual = (double)sums[0];
    *right = (double)sums[1];
    return FOEHN_OK;
}

foehn_status foehn_pressure_measure(foehn_pressure *p, foehn_pressure_stats *stats)
{
    double residual, right, count = (double)cells_of(&p->levels[0].shape.g);
    TRY(measure(p, &residual, &right));
    *stats = (foehn_pressure_stats){.residual_first = sqrt(residual / count),
                                    .residual_last = sqrt(residual / count)};
    return FOEHN_OK;
}

static foehn_status find_worst(foehn_pressure *p, foehn_pressure_stats *stats)
{
    level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    size_t count = cells_of(g);
    float *r = malloc(count * sizeof *r);
    if (!r)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of %zu cells", count);
    foehn_status status = foehn_multigrid_residual(p, l, l->p[1]);
    if (status == FOEHN_OK)
        status = foehn_box_read(p->ctx, l->p[1], foehn_grid_box(g, sizeof(float)), r);
    for (size_t i = 0; status == FOEHN_OK && i < count; i++)
        if (fabs((double)r[i]) > stats->worst) {
            stats->worst = fabs((double)r[i]);
            stats->worst_cell[0] = (int)(i % (size_t)g->nx);
            stats->worst_cell[1] = (int)(i / (size_t)g->nx % (size_t)g->ny);
            stats->worst_cell[2] = (int)(i / ((size_t)g->nx * (size_t)g->ny));
        }
    free(r);
    return status;
}

/* ---- methods ---- */

static foehn_status sor(foehn_pressure *p)
{
    level *l = &p->levels[0];
    const float omega = 1.7f;
    foehn_size pairs = level_cells(&l->shape.g);
    pairs.x = (pairs.x + 1) / 2;
    for (cl_int colour = 0; colour < 2; colour++)
        TRY(LAUNCH(p->ctx, p->kernel.relax, pairs, ARG(l->shape), ARG(colour), ARG(omega), OPEN(l),
                   ARG(l->rhs), ARG(l->p[0])));
    return FOEHN_OK;
}

static foehn_status once(foehn_pressure *p, foehn_pressure_method method)
{
    switch (method) {
    case FOEHN_PRESSURE_JACOBI: return foehn_multigrid_smooth(p, &p->levels[0], 1);
    case FOEHN_PRESSURE_SOR: return sor(p);
    case FOEHN_PRESSURE_VCYCLE: return foehn_multigrid_cycle(p, V_CYCLE);
    case FOEHN_PRESSURE_LIGHT: return foehn_multigrid_cycle(p, LIGHT_CYCLE);
    default: return foehn_multigrid_cycle(p, F_CYCLE);
    }
}

enum { R, D, Q, Z, SCRATCH, ONES, CG_FIELDS };
enum { RZ, DQ, QZ, RR, SUM, COUNT };

/* z <- one cycle on A z = r from 0, on the finest level's own fields. */
static foehn_status precondition(foehn_pressure *p)
{
    level *l = &p->levels[0];
    const level kept = *l;
    l->rhs = p->cg[R];
    l->p[0] = p->cg[Z];
    l->p[1] = p->cg[SCRATCH];
    foehn_status status = foehn_buffer_clear(p->ctx, l->p[0]);
    if (status == FOEHN_OK)
        status = foehn_multigrid_cycle(p, F_CYCLE);
    p->cg[Z] = l->p[0];
    p->cg[SCRATCH] = l->p[1];
    *l = kept;
    return status;
}

/* Without a Dirichlet side the pressure is free by a constant, and a right side has a solution only if its
 * mean is 0: rounding must not feed the constant. */
static bool is_singular(const foehn_pressure *p)
{
    for (int i = 0; i < 6; i++)
        if (p->edges[i] == FOEHN_EDGE_DIRICHLET)
            return false;
    return true;
}

static foehn_status remove_mean(foehn_pressure *p, cl_mem field)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    if (!is_singular(p))
        return FOEHN_OK;
    TRY(dot(p, field, p->cg[ONES], SUM));
    return LAUNCH(p->ctx, p->kernel.remove_mean, level_cells(g), ARG(*g), ARG(p->sums),
                  ARG(p->cg[ONES]), ARG(field));
}

/* Flexible conjugate gradients (Notay 2000), preconditioned by one cycle. */
static foehn_status conjugate_gradients(foehn_pressure *p, foehn_pressure_stop stop, double right,
                                        int *done)
{
    level *l = &p->levels[0];
    const foehn_grid *g = &l->shape.g;
    for (int i = 0; i < CG_FIELDS; i++)
        if (!p->cg[i])
            TRY(foehn_field_create(p->ctx, g, sizeof(float), &p->cg[i]));
    TRY(foehn_multigrid_smooth(p, l, 1)); /* 0 in cells that were sealed since the last solve */
    TRY(foehn_multigrid_residual(p, l, p->cg[R]));
    TRY(foehn_buffer_clear(p->ctx, p->cg[D]));
    TRY(foehn_buffer_clear(p->ctx, p->sums));
    if (is_singular(p)) {
        TRY(LAUNCH(p->ctx, p->kernel.fluid_ones, level_cells(g), ARG(l->shape), OPEN(l),
                   ARG(p->cg[ONES])));
        TRY(dot(p, p->cg[ONES], p->cg[ONES], COUNT));
    }
    TRY(remove_mean(p, p->cg[R]));
    for (*done = 0; *done < stop.cycles; ++*done) {
        TRY(precondition(p));
        TRY(remove_mean(p, p->cg[Z]));
        TRY(dot(p, p->cg[Q], p->cg[Z], QZ));
        TRY(LAUNCH(p->ctx, p->kernel.cg_direction, level_cells(g), ARG(*g), ARG(p->sums), ARG(p->cg[Z]),
                   ARG(p->cg[D])));
        TRY(dot(p, p->cg[R], p->cg[D], RZ)); /* r d = r z: r is orthogonal to the last direction */
        TRY(LAUNCH(p->ctx, p->kernel.apply, level_cells(g), ARG(l->shape), OPEN(l), ARG(p->cg[D]),
                   ARG(p->cg[Q])));
        TRY(dot(p, p->cg[D], p->cg[Q], DQ));
        TRY(LAUNCH(p->ctx, p->kernel.cg_step, level_cells(g), ARG(*g), ARG(p->sums), ARG(p->cg[D]),
                   ARG(p->cg[Q]), ARG(l->p[0]), ARG(p->cg[R])));
        TRY(remove_mean(p, p->cg[R]));
        if (stop.reduction > 0) {
            float squared;
            TRY(dot(p, p->cg[R], p->cg[R], RR));
            TRY(foehn_buffer_read(p->ctx, p->sums, RR * sizeof(float), sizeof squared, &squared));
            if ((double)squared <= stop.reduction * stop.reduction * right) {
                ++*done;
                break;
            }
        }
    }
    return FOEHN_OK;
}

static foehn_status cycles(foehn_pressure *p, foehn_pressure_stop stop, double right, int *done)
{
    for (*done = 0; *done < stop.cycles;) {
        TRY(once(p, stop.method));
        ++*done;
        if (stop.reduction > 0) {
            double residual, unused;
            TRY(measure(p, &residual, &unused));
            if (residual <= stop.reduction * stop.reduction * right)
                break;
        }
    }
    return FOEHN_OK;
}

foehn_status foehn_pressure_solve(foehn_pressure *p, foehn_pressure_stop stop,
                                  foehn_pressure_stats *stats)
{
    double first = 0, last = 0, right = 0, count = (double)cells_of(&p->levels[0].shape.g);
    int done = 0;
    bool measured = stats || stop.reduction > 0;
    if (stop.cycles < 1 || !(stop.reduction >= 0))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "pressure: %d cycles to a reduction of %g: at least 1, and >= 0",
                          stop.cycles, stop.reduction);
    if (measured)
        TRY(measure(p, &first, &right));
    if (!measured || stop.reduction == 0 || first > stop.reduction * stop.reduction * right)
        TRY(stop.method == FOEHN_PRESSURE_MGCG ? conjugate_gradients(p, stop, right, &done)
                                               : cycles(p, stop, right, &done));
    if (!stats)
        return FOEHN_OK;
    TRY(measure(p, &last, &right));
    *stats = (foehn_pressure_stats){.cycles = done,
                                    .residual_first = sqrt(first / count),
                                    .residual_last = sqrt(last / count)};
    return find_worst(p, stats);
}

foehn_status foehn_pressure_cycle(foehn_pressure *p)
{
    p->residual_ready = true;
    return foehn_multigrid_cycle(p, LIGHT_CYCLE);
}
