/* SPDX-License-Identifier: MIT */
/* Checkpoints of the fire: the whole state as bytes. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What must agree before the rest of the bytes means anything, and what is not on the device. */
typedef struct fire_head {
    char magic[8];
    uint64_t sum; /* over all bytes, itself as 0 */
    uint64_t parameters;
    int32_t cells[6];
    fire_clock clock;
} fire_head;

static const char fire_magic[8] = "foehnF2";

/* Of all parameters that bear on the steps to come; the struct's padding is not looked at. */
static uint64_t hash_parameters(const foehn_fire_params *p, const foehn_fire_pose *start)
{
    const double reals[] = {p->size[0],
                            p->size[1],
                            p->size[2],
                            p->render_voxel,
                            p->physics_voxel,
                            (double)p->speed,
                            (double)p->confinement,
                            (double)p->buoyancy,
                            (double)p->smoke_weight,
                            (double)p->damping,
                            (double)p->turbulence,
                            (double)p->noise_frequency,
                            (double)p->noise_decay,
                            (double)p->curl_multiplier,
                            (double)p->dissipation,
                            (double)p->cooling,
                            (double)p->emit_density,
                            (double)p->emit_temperature,
                            (double)p->friction,
                            (double)p->angular_multiplier,
                            (double)p->collision_margin};
    const int32_t wholes[] = {p->max_steps,
                              (int32_t)p->velocity_transport,
                              (int32_t)p->dye_transport,
                              (int32_t)p->layout,
                              (int32_t)p->pressure,
                              p->sweeps,
                              p->cycles,
                              p->account != 0};
    const double burning[] = {(double)p->fuel.heat,
                              (double)p->fuel.air,
                              (double)p->fuel.soot_yield,
                              (double)p->fuel.flame_soot,
                              (double)p->fuel.radiative,
                              (double)p->ignition,
                              (double)p->expansion,
                              (double)p->flame_length,
                              (double)p->cfl,
                              p->floor,
                              p->active};
    uint64_t value = foehn_hash(FOEHN_HASH_BASIS, sizeof reals, reals);
    if (p->mode == FOEHN_FIRE_BURN || p->floor)
        value = foehn_hash(value, sizeof burning, burning);
    value = foehn_hash(value, sizeof wholes, wholes);
    value = foehn_hash(value, sizeof *start, start);
    return foehn_hash(value, sizeof p->seed, &p->seed);
}

static uint64_t hash_checkpoint(fire_head head, size_t size, const void *bytes)
{
    head.sum = 0;
    return foehn_hash(foehn_hash(FOEHN_HASH_BASIS, sizeof head, &head), size - sizeof head,
                      (const char *)bytes + sizeof head);
}

/* A buffer of the state and how much of it. */
typedef struct part {
    cl_mem buffer;
    size_t bytes;
} part;

enum { MOST_PARTS = 12 };

/* Whole padded fields: ghosts and edge faces, too. */
static int parts_of(const foehn_fire *f, part parts[MOST_PARTS])
{
    int count = 0;
    size_t air = foehn_grid_elements(&f->g) * sizeof(float);
    for (int a = 0; a < 3; a++)
        parts[count++] = (part){f->velocity[0][a], air};
    parts[count++] = (part){foehn_pressure_field(f->pressure), air};
    parts[count++] = (part){f->omega, 4 * air};
    parts[count++] = (part){f->dye[f->dye_now], foehn_grid_elements(&f->r) * 4 * sizeof(float)};
    if (foehn_fire_burns(f)) {
        parts[count++] =
            (part){f->burnt, foehn_grid_elements(&f->r) * BURNT_PLANES * sizeof(float)};
        parts[count++] = (part){f->expansion, air};
        parts[count++] = (part){f->levels, 3 * (size_t)f->g.ny * sizeof(float)};
        parts[count++] =
            (part){f->books, (size_t)f->r.ny * (size_t)f->r.nz * BOOKS * sizeof(float)};
    }
    if (f->brands.list)
        parts[count++] =
            (part){f->brands.list, (size_t)f->brands.spec.most * FIREBRAND * sizeof(float)};
    if (f->budget)
        parts[count++] =
            (part){f->budget, (size_t)f->r.ny * (size_t)f->r.nz * FIRE_BUDGET * sizeof(float)};
    return count;
}

size_t foehn_fire_get_checkpoint_size(const foehn_fire *f)
{
    part parts[MOST_PARTS];
    size_t size = sizeof(fire_head);
    int count = parts_of(f, parts);
    for (int n = 0; n < count; n++)
        size += parts[n].bytes;
    return size;
}

static fire_head head_of(const foehn_fire *f)
{
    fire_head head;
    memset(&head, 0, sizeof head); /* padding, too: same state, same bytes */
    memcpy(head.magic, fire_magic, sizeof head.magic);
    head.parameters = hash_parameters(&f->params, &f->start);
    const int32_t cells[6] = {f->g.nx, f->g.ny, f->g.nz, f->r.nx, f->r.ny, f->r.nz};
    memcpy(head.cells, cells, sizeof cells);
    head.clock = f->clock;
    return head;
}

foehn_status foehn_fire_read_checkpoint(foehn_fire *f, size_t size, void *bytes)
{
    if (size != foehn_fire_get_checkpoint_size(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint takes %zu bytes, not %zu",
                          foehn_fire_get_checkpoint_size(f), size);
    TRY(foehn_fire_weigh(f));
    part parts[MOST_PARTS];
    fire_head head = head_of(f);
    char *to = (char *)bytes + sizeof head;
    int count = parts_of(f, parts);
    for (int n = 0; n < count; n++) {
        TRY(foehn_buffer_read(f->ctx, parts[n].buffer, 0, parts[n].bytes, to));
        to += parts[n].bytes;
    }
    head.sum = hash_checkpoint(head, size, bytes);
    memcpy(bytes, &head, sizeof head);
    return FOEHN_OK;
}

foehn_status foehn_fire_write_checkpoint(foehn_fire *f, size_t size, const void *bytes)
{
    fire_head head, own = head_of(f);
    if (size < sizeof head)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint of %zu bytes is cut short", size);
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, fire_magic, sizeof head.magic) != 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "these bytes are no fire checkpoint of this version");
    if (head.sum != hash_checkpoint(head, size, bytes))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is damaged: its %zu bytes do not give its checksum",
                          size);
    if (memcmp(head.cells, own.cells, sizeof own.cells) != 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of %d x %d x %d voxels, this fire has %d x %d x %d",
                          head.cells[3], head.cells[4], head.cells[5], f->r.nx, f->r.ny, f->r.nz);
    if (head.parameters != own.parameters || size != foehn_fire_get_checkpoint_size(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of a fire with other parameters");
    /* Anybody can make a checksum: could a fire have got there? */
    const fire_clock *c = &head.clock;
    if (!(c->time >= 0 && isfinite(c->time)) || !(c->dropped >= 0 && isfinite(c->dropped)) ||
        !(c->waiting >= 0 && isfinite(c->waiting)) || c->last_steps < 0 ||
        llabs(c->moved[0]) > 1000000000 || llabs(c->moved[1]) > 1000000000 ||
        llabs(c->moved[2]) > 1000000000)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is damaged: its time is out of range");
    part parts[MOST_PARTS];
    const char *from = (const char *)bytes + sizeof head;
    int count = parts_of(f, parts);
    for (int n = 0; n < count; n++) {
        TRY(foehn_buffer_write(f->ctx, parts[n].buffer, 0, parts[n].bytes, from));
        from += parts[n].bytes;
    }
    f->clock = head.clock;
    TRY(foehn_fire_place_box(f));
    f->colliders_are_stale = f->proxies_are_stale = true;
    if (foehn_fire_burns(f))
        TRY(foehn_fire_rouse(f));
    f->masses_are_stale = false;
    f->started = true;
    return FOEHN_OK;
}
