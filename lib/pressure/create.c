/* SPDX-License-Identifier: MIT */
/* The Poisson solver: its fields and kernels. */
#include "pressure/solver.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_pressure_levels, foehn_source_pressure_transfer,
    foehn_source_pressure_wide;

/* ---- create ---- */

static size_t arena_round(const foehn_pressure *p, size_t bytes)
{
    return (bytes + p->arena_unit - 1) / p->arena_unit * p->arena_unit;
}

/* Elements of a level in the compact layout of kernels/pressure/small.cl. */
static size_t compact_elements(const foehn_pressure *p, const foehn_grid *g)
{
    size_t layers = is_2d(p) ? 1 : (size_t)g->nz + 2;
    return ((size_t)g->nx + 2) * ((size_t)g->ny + 2) * layers;
}

/* The first level that is small, with all below it: cheaper in one work-group than launch by
 * launch, and its fields fit into four fifths of a work-group's memory, the rest being for the
 * schedule.  The finest is always launched: others write to it. */
static int find_first_small(const foehn_pressure *p)
{
    const foehn_device_info *d = &p->ctx->device.info;
    size_t most = foehn_tuned(p->ctx)->small_cells, floats = 0;
    int first = p->count - 1;
    floats = 3 * compact_elements(p, &p->levels[first].shape.g);
    while (first > 1) {
        const foehn_grid *g = &p->levels[first - 1].shape.g;
        floats += 3 * compact_elements(p, g);
        if (cells_of(g) > most || floats * sizeof(float) > 4 * d->local_memory_bytes / 5)
            break;
        first--;
    }
    return first < 1 ? 1 : first;
}

static foehn_status sub_buffer(const foehn_pressure *p, cl_mem arena, size_t offset, size_t bytes,
                               cl_mem *out)
{
    cl_int code;
    const cl_buffer_region region = {offset, arena_round(p, bytes)};
    *out =
        clCreateSubBuffer(arena, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
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
    if (l == p->levels)
        return FOEHN_OK; /* the finest */
    for (int a = 0; a < 3; a++)
        TRY(foehn_buffer_create(ctx, l->elements, &l->split[a]));
    return foehn_buffer_create(ctx, l->elements, &l->mask);
}

/* Fields of all small levels in two buffers, with a sub-buffer each for the launches that need one.
 */
static foehn_status create_arena(foehn_pressure *p)
{
    enum { FLOATS = 7, BYTES = 7 };
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
        size_t compact = compact_elements(p, &l->shape.g);
        s->local_p[0] = (i32)p->local_floats;
        s->local_p[1] = (i32)(p->local_floats + compact);
        s->local_rhs = (i32)(p->local_floats + 2 * compact);
        p->local_floats += 3 * compact;
        s->per_row = (f32)(1.0 / l->shape.g.nx);
        s->per_plane = (f32)(1.0 / ((double)l->shape.g.nx * l->shape.g.ny));
        const struct {
            cl_mem *buffer;
            i32 *offset;
        } in_floats[FLOATS] = {{&l->p[0], &s->p[0]},
                               {&l->p[1], &s->p[1]},
                               {&l->rhs, &s->rhs},
                               {&l->weight[0], &s->weight[0]},
                               {&l->weight[1], &s->weight[1]},
                               {&l->weight[2], &s->weight[2]},
                               {&l->inverse, &s->inverse}};
        for (int i = 0; i < FLOATS; i++) {
            *in_floats[i].offset = (i32)(floats / sizeof(float));
            TRY(sub_buffer(p, p->floats, floats, field, in_floats[i].buffer));
            floats += arena_round(p, field);
        }
        i32 unused;
        const struct {
            cl_mem *buffer;
            i32 *offset;
        } in_bytes[BYTES] = {{&l->open[0], &unused},       {&l->open[1], &unused},
                             {&l->open[2], &unused},       {&l->mask, &s->mask},
                             {&l->split[0], &s->split[0]}, {&l->split[1], &s->split[1]},
                             {&l->split[2], &s->split[2]}};
        for (int i = 0; i < BYTES; i++) {
            *in_bytes[i].offset = (i32)bytes;
            TRY(sub_buffer(p, p->bytes, bytes, l->elements, in_bytes[i].buffer));
            bytes += arena_round(p, l->elements);
        }
        TRY(foehn_buffer_write(p->ctx, p->smalls, (size_t)(n - p->first_small) * sizeof *s,
                               sizeof *s, s));
    }
    return FOEHN_OK;
}

static foehn_status create_double_passes(foehn_context *ctx, const char *options, level *l)
{
    TRY(foehn_kernel_create(ctx, &foehn_source_pressure_wide, options, "smooth_twice", 3 * 4 + 3,
                            &l->smooth_twice));
    return foehn_kernel_create(ctx, &foehn_source_pressure_wide, options, "prolong_smooth",
                               3 * 4 + 3, &l->prolong_smooth);
}

/* Kernels of one launched level, and to and from the next one, for the axes halved there. */
static foehn_status create_passes(foehn_pressure *p, int n, const char *options)
{
    foehn_context *ctx = p->ctx;
    level *l = &p->levels[n];
    const int axes = l->shape.axes & (HALVED_X | HALVED_Y | HALVED_Z);
    double cx = axes & HALVED_X ? 2 : 1, children = cx;
    for (int a = 1; a < 3; a++)
        children *= axes & HALVED_X << a ? 2 : 1;
    char with_axes[176];
    snprintf(with_axes, sizeof with_axes, "%s -DHALVED=%d%s", options, axes,
             p->wide ? " -DFOEHN_UNFUSED" : "");
    if (p->wide)
        TRY(foehn_kernel_create(ctx, &foehn_source_pressure_wide, with_axes, "smooth_wide",
                                4 * (3 * 4 + 3), &l->smooth));
    else
        TRY(foehn_kernel_create(ctx, &foehn_source_pressure_levels, options, "smooth", 3 * 4 + 3,
                                &l->smooth));
    const foehn_grid *g = &l->shape.g;
    const size_t whole = (size_t)g->whole_x * (size_t)g->ny * (size_t)g->whole_z;
    l->by_cells = p->wide && whole <= TUNED_LAUNCH_BOUND && n < p->cut;
    if (p->wide && whole <= TUNED_LAUNCH_BOUND && !l->by_cells)
        TRY(create_double_passes(ctx, with_axes, l));
    if (n == p->count - 1)
        return FOEHN_OK;
    const struct {
        const char *name;
        double bytes;
        foehn_kernel *kernel;
    } table[] = {
        {"restrict_residual", 4 * children + 11, &l->restrict_residual},
        {"restrict_split", 0, &l->restrict_split},
        {"prolong", 8 * cx + 8 * cx / children, &l->prolong},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(ctx, &foehn_source_pressure_transfer, with_axes, table[i].name,
                                table[i].bytes, table[i].kernel));
    if (!p->wide)
        return FOEHN_OK;
    TRY(foehn_kernel_create(ctx, &foehn_source_pressure_wide, with_axes, "restrict_wide",
                            4 / cx * (11 * children + 11), &l->restrict_wide));
    return foehn_kernel_create(ctx, &foehn_source_pressure_wide, with_axes, "prolong_wide",
                               4 * (8 + 5 / children), &l->prolong_wide);
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

static foehn_status create_kernels(foehn_pressure *p)
{
    const foehn_grid *g = &p->levels[0].shape.g;
    const struct {
        const char *name;
        double bytes;
        foehn_kernel *kernel;
    } table[] = {
        {"relax", 2 * (3 * 4 + 3), &p->kernel.relax},
        {"find_closed_rows", 0, &p->kernel.find_closed_rows},
        {"find_splits", 0, &p->kernel.find_splits},
        {"open_all", 0, &p->kernel.open_all},
        {"edges", 0, &p->kernel.edges},
        {"coarsen", 0, &p->kernel.coarsen},
        {"fluid_mask", 4, &p->kernel.fluid_mask},
        {"dot_columns", 0, &p->kernel.dot_columns},
        {"residual_columns", 0, &p->kernel.residual_columns},
        {"worst_rows", 0, &p->kernel.worst_rows},
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
             uses_open_rows(p) ? " -DFOEHN_OPEN_ROWS" : "", is_2d(p) ? " -DFOEHN_2D" : "",
             axes & (PERIODIC_X | PERIODIC_Y | PERIODIC_Z) ? " -DFOEHN_PERIODIC" : "");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(p->ctx, &foehn_source_pressure_levels, options, table[i].name,
                                table[i].bytes, table[i].kernel));
    TRY(foehn_kernel_create(p->ctx, &foehn_source_pressure_levels, options, "small_weights", 0,
                            &p->kernel.small_weights));
    TRY(foehn_kernel_create(p->ctx, &foehn_source_pressure_levels, options, "small_levels", 0,
                            &p->kernel.small_levels));
    for (int n = 0; n < p->first_small; n++)
        TRY(create_passes(p, n, options));
    return FOEHN_OK;
}

uint64_t foehn_pressure_memory(const foehn_grid *g)
{
    level *levels = calloc(MOST_LEVELS, sizeof *levels);
    if (!levels)
        return 0;
    int count = foehn_multigrid_levels(g, 0, levels);
    uint64_t bytes = 2 * partial_count(g) * sizeof(float);
    for (int n = 0; n < count; n++) {
        bool small = n > 0 && cells_of(&levels[n].shape.g) <=
                                  1024; /* of the devices' two limits the middle */
        bytes += levels[n].elements * ((small ? 7 : 3) * sizeof(float) + (n > 0 ? 7 : 3));
    }
    free(levels);
    return bytes;
}

static foehn_status check_sides(const foehn_side sides[6])
{
    for (int a = 0; a < 3; a++)
        if ((sides[2 * a] == FOEHN_SIDE_PERIODIC) != (sides[2 * a + 1] == FOEHN_SIDE_PERIODIC))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "pressure: only one side of the %c axis is periodic: both or none",
                              "xyz"[a]);
    return FOEHN_OK;
}

foehn_status foehn_pressure_create(foehn_context *ctx, const foehn_grid *g,
                                   const foehn_side sides[6], foehn_pressure **out)
{
    return foehn_pressure_create_part(ctx, NULL, g, sides, out);
}

foehn_status foehn_pressure_create_part(foehn_context *ctx, foehn_part *part, const foehn_grid *g,
                                        const foehn_side sides[6], foehn_pressure **out)
{
    *out = NULL;
    TRY(check_sides(sides));
    foehn_status status;
    foehn_pressure *p = calloc(1, sizeof *p);
    if (!p)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_pressure_create: no host memory");
    p->ctx = ctx;
    memcpy(p->sides, sides, sizeof p->sides);
    int periodic = 0;
    for (int i = 0; i < 6; i++) {
        p->closed |= foehn_side_is_held(sides[i]) << i;
        p->dirichlet |= !foehn_side_is_held(sides[i]) << i;
        periodic |= sides[i] == FOEHN_SIDE_PERIODIC ? PERIODIC_X << (i / 2) : 0;
    }
    const foehn_grid whole = foehn_grid_make(g->whole_x, g->ny, g->whole_z, g->hx, g->hy, g->hz);
    p->count = foehn_multigrid_levels(&whole, periodic, p->levels);
    for (int n = 0; n < p->count; n++)
        p->levels[n].shape.closed = p->closed;
    p->first_small = find_first_small(p);
    p->part = part;
    if (part)
        foehn_pressure_open_windows(p, g);
    p->wide = ctx->device.info.type == FOEHN_DEVICE_GPU;
    for (int n = 0; n < p->first_small; n++)
        TRY_OR_FAIL(create_level(p, &p->levels[n]));
    if (part)
        TRY_OR_FAIL(create_level(p, &p->gate));
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
    TRY_OR_FAIL(foehn_buffer_create(ctx, MOST_LEVELS * sizeof(cl_int), &p->found_split));
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

/* The gate has a launched level's fields and no kernels. */
static void destroy_gate(foehn_pressure *p)
{
    level *l = &p->gate;
    cl_mem *fields[] = {&l->open[0],  &l->open[1], &l->open[2], &l->split[0], &l->split[1],
                        &l->split[2], &l->mask,    &l->rhs,     &l->p[0],     &l->p[1]};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        foehn_buffer_destroy(p->ctx, fields[i]);
}

static void destroy_level(foehn_pressure *p, int n)
{
    foehn_kernel_destroy(&p->levels[n].smooth);
    foehn_kernel_destroy(&p->levels[n].restrict_residual);
    foehn_kernel_destroy(&p->levels[n].restrict_wide);
    foehn_kernel_destroy(&p->levels[n].smooth_twice);
    foehn_kernel_destroy(&p->levels[n].prolong_smooth);
    foehn_kernel_destroy(&p->levels[n].restrict_split);
    foehn_kernel_destroy(&p->levels[n].prolong_wide);
    foehn_kernel_destroy(&p->levels[n].prolong);
    cl_mem *fields[] = {&p->levels[n].open[0],   &p->levels[n].open[1],   &p->levels[n].open[2],
                        &p->levels[n].mask,      &p->levels[n].rhs,       &p->levels[n].p[0],
                        &p->levels[n].p[1],      &p->levels[n].split[0],  &p->levels[n].split[1],
                        &p->levels[n].split[2],  &p->levels[n].weight[0], &p->levels[n].weight[1],
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
    foehn_kernels_destroy(&p->kernel, sizeof p->kernel);
    for (int n = 0; n < p->count; n++)
        destroy_level(p, n);
    destroy_gate(p);
    cl_mem *rest[] = {&p->floats,
                      &p->bytes,
                      &p->smalls,
                      &p->visits[0].passes,
                      &p->visits[1].passes,
                      &p->partial[0],
                      &p->partial[1],
                      &p->sums,
                      &p->closed_rows,
                      &p->found_split,
                      &p->cg[0],
                      &p->cg[1],
                      &p->cg[2],
                      &p->cg[3],
                      &p->cg[4],
                      &p->cg[5]};
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
