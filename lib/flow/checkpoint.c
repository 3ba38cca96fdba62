/* SPDX-License-Identifier: MIT */
/* Checkpoints of the flow lab: the whole state as bytes. */
#include "flow/state.h"

#include <math.h>
#include <string.h>

/* What must agree before the rest of the bytes means anything, and what is not on the device. */
typedef struct flow_head {
    char magic[8];
    uint64_t sum; /* over all bytes, itself as 0 */
    uint64_t parameters;
    uint64_t step_count;
    double time, projected;
    int32_t nx, ny, cycles, terms, stir_count, has_ink;
    float viscosity, force[2], speeds[4]; /* of the sides */
    uint8_t dragged[FOEHN_FLOW_MOST_OBSTACLES], drag_ends[FOEHN_FLOW_MOST_OBSTACLES];
    flow_things things;
    flow_stroke stirs[FLOW_STIRS];
} flow_head;

static const char flow_magic[8] = "foehnL1";

enum { WHOLE_FIELDS = 3, MOST_BUFFERS = WHOLE_FIELDS + 4 };

/* Of all parameters that bear on the steps to come and cannot be set; the struct's padding is not
 * looked at. */
static uint64_t hash_parameters(const foehn_flow_params *p)
{
    const float reals[] = {p->height, p->start[0], p->start[1], p->reduction, p->reference_speed};
    int32_t wholes[13] = {(int32_t)p->surface, (int32_t)p->solver, p->cycles, p->particles};
    wholes[12] = (int32_t)p->splitting;
    for (int i = 0; i < 4; i++) {
        wholes[4 + 2 * i] = (int32_t)p->sides[i].kind;
        wholes[5 + 2 * i] = p->sides[i].parabolic != 0;
    }
    uint64_t value = foehn_hash(FOEHN_HASH_BASIS, sizeof reals, reals);
    value = foehn_hash(value, sizeof wholes, wholes);
    return foehn_hash(value, sizeof p->seed, &p->seed);
}

static uint64_t hash_checkpoint(flow_head *head, size_t size, const void *bytes)
{
    uint64_t sum = head->sum;
    head->sum = 0;
    uint64_t value = foehn_hash(FOEHN_HASH_BASIS, sizeof *head, head);
    head->sum = sum;
    return foehn_hash(value, size - sizeof *head, (const char *)bytes + sizeof *head);
}

/* Buffers of the state, whole, with their ghosts. */
static int state_buffers(const foehn_flow *f, cl_mem buffers[MOST_BUFFERS],
                         size_t sizes[MOST_BUFFERS])
{
    const size_t field = f->surface.elements * sizeof(float);
    const cl_mem fields[WHOLE_FIELDS] = {f->velocity[f->now][0], f->velocity[f->now][1],
                                         foehn_pressure_field(f->pressure)};
    int count = 0;
    for (int n = 0; n < WHOLE_FIELDS; n++)
        buffers[count] = fields[n], sizes[count++] = field;
    if (f->second)
        buffers[count] = f->second, sizes[count++] = field;
    buffers[count] = f->ink, sizes[count++] = FLOW_CHANNELS * field;
    for (int a = 0; a < 2 && f->params.particles > 0; a++)
        buffers[count] = f->particle[a],
        sizes[count++] = (size_t)f->params.particles * sizeof(float);
    return count;
}

size_t foehn_flow_get_checkpoint_size(const foehn_flow *f)
{
    cl_mem buffers[MOST_BUFFERS];
    size_t sizes[MOST_BUFFERS], sum = sizeof(flow_head);
    int count = state_buffers(f, buffers, sizes);
    for (int n = 0; n < count; n++)
        sum += sizes[n];
    return sum;
}

static void take_head(const foehn_flow *f, flow_head *head)
{
    memset(head, 0, sizeof *head); /* padding, too: same state, same bytes */
    memcpy(head->magic, flow_magic, sizeof head->magic);
    head->parameters = hash_parameters(&f->params);
    head->step_count = f->step_count;
    head->time = f->time;
    head->projected = f->projected;
    head->nx = f->g.nx;
    head->ny = f->g.ny;
    head->cycles = f->cycles;
    head->terms = f->params.terms;
    head->stir_count = f->stir_count;
    head->has_ink = f->has_ink;
    head->viscosity = f->params.viscosity;
    memcpy(head->force, f->params.force, sizeof head->force);
    for (int i = 0; i < 4; i++)
        head->speeds[i] = f->params.sides[i].speed;
    for (int i = 0; i < FOEHN_FLOW_MOST_OBSTACLES; i++) {
        head->dragged[i] = f->dragged[i];
        head->drag_ends[i] = f->drag_ends[i];
    }
    memcpy(&head->things, &f->things, sizeof head->things);
    memcpy(head->stirs, f->stirs, (size_t)f->stir_count * sizeof *f->stirs);
}

foehn_status foehn_flow_read_checkpoint(foehn_flow *f, size_t size, void *bytes)
{
    if (size != foehn_flow_get_checkpoint_size(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint takes %zu bytes, not %zu",
                          foehn_flow_get_checkpoint_size(f), size);
    flow_head head;
    cl_mem buffers[MOST_BUFFERS];
    size_t sizes[MOST_BUFFERS];
    int count = state_buffers(f, buffers, sizes);
    char *to = (char *)bytes + sizeof head;
    for (int n = 0; n < count; to += sizes[n++])
        TRY(foehn_buffer_read(f->ctx, buffers[n], 0, sizes[n], to));
    take_head(f, &head);
    head.sum = hash_checkpoint(&head, size, bytes);
    memcpy(bytes, &head, sizeof head);
    return FOEHN_OK;
}

static foehn_status damaged(const char *what)
{
    return foehn_fail(FOEHN_ERROR_ARGUMENT, "the checkpoint is damaged: %s out of range", what);
}

/* Could a flow have got there?  Anybody can make a checksum: what bounds a loop or an array, and
 * what kernels are told, is looked at as if a call had set it. */
static foehn_status check_head(const foehn_flow *f, const flow_head *head)
{
    if (!(head->time >= 0 && isfinite(head->time)) ||
        !(head->projected >= 0 && isfinite(head->projected)))
        return damaged("its time is");
    if (head->cycles < 0 || head->terms < 0 || head->terms > FOEHN_FLOW_ALL_TERMS)
        return damaged("its cycles or terms are");
    if (!(head->viscosity >= 0 && isfinite(head->viscosity)) || !isfinite(head->force[0]) ||
        !isfinite(head->force[1]))
        return damaged("its viscosity or force is");
    for (int i = 0; i < 4; i++)
        if (!isfinite(head->speeds[i]) ||
            (f->params.sides[i].kind == FOEHN_FLOW_INFLOW && head->speeds[i] < 0))
            return damaged("the speed of a side is");
    if (head->stir_count < 0 || head->stir_count > FLOW_STIRS)
        return damaged("its number of stirs is");
    for (int n = 0; n < head->stir_count; n++)
        TRY(foehn_stroke_check(&head->stirs[n]));
    return foehn_things_check(&head->things, (double)f->params.height);
}

/* Are these the bytes of such a flow? */
static foehn_status check(const foehn_flow *f, size_t size, const void *bytes, flow_head *head)
{
    if (size < sizeof *head)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint of %zu bytes is cut short", size);
    memcpy(head, bytes, sizeof *head);
    if (memcmp(head->magic, flow_magic, sizeof head->magic) != 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "these bytes are no flow checkpoint of this version");
    if (head->sum != hash_checkpoint(head, size, bytes))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is damaged: its %zu bytes do not give its checksum",
                          size);
    if (head->nx != f->g.nx || head->ny != f->g.ny)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of %d x %d cells, this flow has %d x %d", head->nx,
                          head->ny, f->g.nx, f->g.ny);
    if (head->parameters != hash_parameters(&f->params))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of a flow with other parameters (height, sides, "
                          "surface, solver, cycles, splitting, start, reference speed, particles, "
                          "seed)");
    if (size != foehn_flow_get_checkpoint_size(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the checkpoint is damaged: %zu bytes, not %zu",
                          size, foehn_flow_get_checkpoint_size(f));
    return check_head(f, head);
}

static void put_head(foehn_flow *f, const flow_head *head)
{
    f->step_count = head->step_count;
    f->time = head->time;
    f->projected = head->projected;
    f->cycles = head->cycles;
    f->params.terms = head->terms;
    f->stir_count = head->stir_count;
    f->has_ink = head->has_ink != 0;
    f->params.viscosity = head->viscosity;
    memcpy(f->params.force, head->force, sizeof head->force);
    for (int i = 0; i < 4; i++)
        f->params.sides[i].speed = head->speeds[i];
    for (int i = 0; i < FOEHN_FLOW_MOST_OBSTACLES; i++) {
        f->dragged[i] = head->dragged[i] != 0;
        f->drag_ends[i] = head->drag_ends[i] != 0;
    }
    memcpy(f->stirs, head->stirs, (size_t)head->stir_count * sizeof *f->stirs);
    foehn_flow_take_sides(f);
}

/* What stands in the water comes first: it may fill the box, and then nothing has changed. */
static foehn_status put_things(foehn_flow *f, const flow_things *things)
{
    flow_things before = f->things;
    f->things = *things;
    f->surface_is_stale = true;
    foehn_status status = foehn_flow_refresh(f);
    if (status != FOEHN_OK) {
        f->things = before;
        f->surface_is_stale = true;
    }
    return status;
}

foehn_status foehn_flow_write_checkpoint(foehn_flow *f, size_t size, const void *bytes)
{
    flow_head head;
    TRY(check(f, size, bytes, &head));
    TRY(put_things(f, &head.things));
    put_head(f, &head);
    cl_mem buffers[MOST_BUFFERS];
    size_t sizes[MOST_BUFFERS];
    int count = state_buffers(f, buffers, sizes);
    const char *from = (const char *)bytes + sizeof head;
    for (int n = 0; n < count; from += sizes[n++])
        TRY(foehn_buffer_write(f->ctx, buffers[n], 0, sizes[n], from));
    /* The faces that solids hold have their speeds in these fields, the kernels do not know them.
     */
    f->speeds_are_stale = true;
    return foehn_flow_refresh(f);
}
