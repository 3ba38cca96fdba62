/* SPDX-License-Identifier: MIT */
/* The ring between a volume and a renderer: three pieces of memory, each free, being filled by the
 * device, or being copied from by the renderer.  Nobody waits: who finds no free piece passes on.
 */
#include "publish/ring.h"

#include <string.h>

void foehn_ring_init(foehn_ring *ring, foehn_volume *volume)
{
    const foehn_newest newest = foehn_volume_newest(volume);
    memset(ring, 0, sizeof *ring);
    ring->volume = volume;
    ring->ctx = newest.ctx;
    ring->first = ring->taken = newest.number > 0 ? newest.number - 1 : 0;
}

static void forget_arrival(foehn_ring_slot *slot)
{
    if (slot->arrival)
        clReleaseEvent(slot->arrival);
    slot->arrival = NULL;
}

/* ---- the volume writes straight into imported memory ---- */

static int free_slot(const foehn_ring *ring)
{
    int oldest = -1;
    for (int i = 0; i < RING_SLOTS; i++)
        if (ring->slots[i].state == RING_FREE &&
            (oldest < 0 || ring->slots[i].number < ring->slots[oldest].number))
            oldest = i;
    return oldest;
}

static int slot_of(const foehn_ring *ring, cl_mem buffer)
{
    for (int i = 0; i < RING_SLOTS; i++)
        if (ring->slots[i].buffer == buffer)
            return i;
    return -1;
}

/* Content that is superseded before anyone took it makes room. */
static void forget_written(foehn_ring *ring)
{
    for (int i = 0; i < RING_SLOTS; i++)
        if (ring->slots[i].state == RING_WRITTEN)
            ring->slots[i].state = RING_FREE;
}

static foehn_status choose(void *owner, cl_mem *slot)
{
    foehn_ring *ring = owner;
    int i = free_slot(ring);
    *slot = i < 0 ? NULL : ring->slots[i].buffer;
    return FOEHN_OK;
}

static foehn_status acquire(void *owner, cl_mem buffer)
{
    foehn_ring *ring = owner;
    cl_int code = ring->external.acquire(ring->ctx->queue, 1, &buffer, 0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "acquiring a renderer's memory");
}

static foehn_status release(void *owner, cl_mem buffer, bool written)
{
    foehn_ring *ring = owner;
    foehn_ring_slot *slot = &ring->slots[slot_of(ring, buffer)];
    cl_event event = NULL;
    cl_int code = ring->external.release(ring->ctx->queue, 1, &buffer, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "releasing a renderer's memory");
    forget_arrival(slot);
    slot->arrival = event;
    if (!written)
        return FOEHN_OK;
    forget_written(ring);
    slot->state = RING_WRITTEN;
    return FOEHN_OK;
}

void foehn_ring_set_imported(foehn_ring *ring, const foehn_external *external)
{
    const foehn_sink sink = {ring, choose, acquire, release};
    ring->external = *external;
    ring->is_imported = true;
    ring->is_sink = foehn_volume_set_sink(ring->volume, &sink);
}

void foehn_ring_destroy(foehn_ring *ring)
{
    if (!ring->volume)
        return;
    if (ring->is_sink)
        foehn_volume_set_sink(ring->volume, NULL);
    clFinish(ring->ctx->queue);
    for (int i = 0; i < RING_SLOTS; i++) {
        forget_arrival(&ring->slots[i]);
        if (ring->slots[i].buffer)
            clReleaseMemObject(ring->slots[i].buffer);
        ring->slots[i].buffer = NULL;
        ring->slots[i].state = RING_FREE;
    }
}

/* ---- from the volume into a slot ---- */

bool foehn_ring_has_news(foehn_ring *ring, int *slot)
{
    const foehn_newest newest = foehn_volume_newest(ring->volume);
    if (!newest.is_sunk)
        forget_written(ring);
    *slot = free_slot(ring);
    return newest.number > ring->taken;
}

/* Into a slot that is mapped, or acquired. */
static foehn_status enqueue_copy(foehn_ring *ring, const foehn_newest *newest,
                                 foehn_ring_slot *slot)
{
    cl_command_queue queue = ring->ctx->queue;
    cl_int code = ring->is_imported
                      ? clEnqueueCopyBuffer(queue, newest->buffer, slot->buffer, 0, 0,
                                            newest->bytes, 0, NULL, NULL)
                      : clEnqueueReadBuffer(queue, newest->buffer, CL_FALSE, 0, newest->bytes,
                                            slot->mapped, 0, NULL, &slot->arrival);
    return code == CL_SUCCESS ? FOEHN_OK
                              : foehn_fail_cl(code, "copying a volume to a renderer's memory");
}

static foehn_status move(foehn_ring *ring, const foehn_newest *newest, foehn_ring_slot *slot)
{
    if (ring->is_imported)
        TRY(acquire(ring, slot->buffer));
    foehn_status moved =
        foehn_volume_begin_reading(ring->volume); /* it may be another ring's memory */
    if (moved == FOEHN_OK)
        moved = foehn_volume_end_reading(ring->volume, enqueue_copy(ring, newest, slot));
    foehn_status released = ring->is_imported ? release(ring, slot->buffer, false) : FOEHN_OK;
    return moved != FOEHN_OK ? moved : released;
}

/* The slot is of the newest content. */
static void hold(foehn_ring *ring, foehn_ring_slot *slot)
{
    const foehn_newest newest = foehn_volume_newest(ring->volume);
    slot->state = RING_MOVING;
    slot->number = ring->taken = newest.number;
    slot->info = newest.info;
}

static void count_shown(foehn_ring *ring, int slot)
{
    ring->shown++;
    ring->skipped = ring->slots[slot].number - ring->first - ring->shown;
}

void foehn_ring_count(foehn_ring *ring, int slot, cl_event arrival)
{
    forget_arrival(&ring->slots[slot]);
    ring->slots[slot].arrival = arrival;
    hold(ring, &ring->slots[slot]);
    count_shown(ring, slot);
}

foehn_status foehn_ring_take(foehn_ring *ring, int free_slot_index, int *taken)
{
    const foehn_newest newest = foehn_volume_newest(ring->volume);
    *taken = newest.is_sunk && ring->is_sink ? slot_of(ring, newest.buffer) : free_slot_index;
    if (*taken < 0)
        return FOEHN_OK;
    foehn_ring_slot *slot = &ring->slots[*taken];
    if (slot->state == RING_FREE) {
        forget_arrival(slot);
        TRY(move(ring, &newest, slot));
    }
    hold(ring, slot);
    clFlush(ring->ctx->queue);
    return FOEHN_OK;
}

/* ---- from a slot to the renderer ---- */

static foehn_status has_arrived(const foehn_ring_slot *slot, bool *arrived)
{
    cl_int state = CL_QUEUED;
    cl_int code = clGetEventInfo(slot->arrival, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                 &state, NULL);
    if (code != CL_SUCCESS || state < 0)
        return foehn_fail_cl(code != CL_SUCCESS ? code : state, "moving a volume to a renderer");
    *arrived = state == CL_COMPLETE;
    return FOEHN_OK;
}

foehn_status foehn_ring_poll(foehn_ring *ring, int *newest)
{
    *newest = -1;
    for (int i = 0; i < RING_SLOTS; i++) {
        bool arrived = false;
        if (ring->slots[i].state != RING_MOVING)
            continue;
        TRY(has_arrived(&ring->slots[i], &arrived));
        if (!arrived)
            continue;
        int older = i;
        if (*newest < 0 || ring->slots[*newest].number < ring->slots[i].number) {
            older = *newest;
            *newest = i;
        }
        if (older >= 0)
            ring->slots[older].state = RING_FREE;
    }
    return FOEHN_OK;
}

foehn_status foehn_ring_poll_settled(foehn_ring *ring, int *newest)
{
    TRY(foehn_ring_poll(ring, newest));
    if (*newest < 0 || foehn_volume_newest(ring->volume).number == ring->taken)
        return FOEHN_OK;
    ring->slots[*newest].state = RING_FREE;
    *newest = -1;
    return FOEHN_OK;
}

void foehn_ring_show(foehn_ring *ring, int slot)
{
    ring->slots[slot].state = RING_SHOWING;
    count_shown(ring, slot);
}

int foehn_ring_pending(const foehn_ring *ring)
{
    int pending = 0;
    for (int i = 0; i < RING_SLOTS; i++)
        pending += ring->slots[i].state == RING_MOVING;
    return pending;
}
