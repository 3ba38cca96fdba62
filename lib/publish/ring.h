/* SPDX-License-Identifier: MIT */
/* What the adapters to renderers share: memory of another API's, and the ring between a volume and
 * a renderer. */
#ifndef FOEHN_LIB_PUBLISH_H
#define FOEHN_LIB_PUBLISH_H

#include "device/internal.h"

enum { FOEHN_UUID_SIZE = 16 };

/* ---- external.c: cl_khr_external_memory and cl_khr_external_semaphore with opaque fds ---- */

/* Not every installed CL/cl_ext.h has these: their types in short, their names as in the standard.
 */
typedef struct foehn_cl_semaphore *foehn_cl_semaphore;
typedef cl_int (*foehn_external_enqueue)(cl_command_queue, cl_uint, const cl_mem *, cl_uint,
                                         const cl_event *, cl_event *);

typedef struct foehn_external {
    foehn_context *ctx;
    foehn_external_enqueue acquire, release;
    foehn_cl_semaphore (*create_semaphore)(cl_context, const cl_ulong *, cl_int *);
    cl_int (*signal)(cl_command_queue, cl_uint, const foehn_cl_semaphore *, const cl_ulong *,
                     cl_uint, const cl_event *, cl_event *);
    cl_int (*release_semaphore)(foehn_cl_semaphore);
    bool has_uuid;
    uint8_t uuid[FOEHN_UUID_SIZE]; /* of the device */
} foehn_external;

/* false: the device cannot import memory, and reason says why. */
bool foehn_external_open(foehn_external *external, foehn_context *ctx, size_t reason_size,
                         char *reason);

/* Is the other API's device the same one?  false with the reason. */
bool foehn_external_is_same_device(const foehn_external *external, const char *api,
                                   const uint8_t *uuid, size_t reason_size, char *reason);

/* Memory that Vulkan exported, as a buffer.  Takes the descriptor, also on failure. */
foehn_status foehn_external_import(const foehn_external *external, int fd, size_t bytes,
                                   cl_mem *out);

/* A binary semaphore that Vulkan exported.  NULL with the reason: wait on the host then.  get_fd
 * exports it anew for each form of property list that is tried. */
foehn_cl_semaphore foehn_external_semaphore(foehn_external *external, int (*get_fd)(void *data),
                                            void *data, size_t reason_size, char *reason);

/* ---- ring.c: pieces of memory that the device fills and a renderer copies from ---- */

enum { RING_SLOTS = 3 };

typedef enum ring_state {
    RING_FREE,    /* nobody needs what it holds */
    RING_WRITTEN, /* holds the volume's newest content, which was not published yet */
    RING_MOVING,  /* the device fills it; arrival tells when that is done */
    RING_SHOWING  /* the renderer copies from it; it tells when that is done */
} ring_state;

typedef struct foehn_ring_slot {
    ring_state state;
    void *mapped;  /* where the device's copy lands, if it is copied */
    cl_mem buffer; /* memory of the renderer's, if it is imported */
    cl_event arrival;
    uint64_t number; /* of its content */
    foehn_volume_info info;
} foehn_ring_slot;

typedef struct foehn_ring {
    foehn_volume *volume;
    foehn_context *ctx;
    bool is_imported;
    bool is_sink; /* the volume's voxels are written straight into it */
    foehn_external external;
    foehn_ring_slot slots[RING_SLOTS];
    uint64_t first; /* contents of the volume before the ring was made */
    uint64_t taken; /* number of the newest one that was taken */
    uint64_t shown, skipped;
} foehn_ring;

void foehn_ring_init(foehn_ring *ring, foehn_volume *volume);

/* The slots' buffers are set: from now on the volume is written into them. */
void foehn_ring_set_imported(foehn_ring *ring, const foehn_external *external);

/* Wait for the device, and forget buffers and events. */
void foehn_ring_destroy(foehn_ring *ring);

/* Is there content that was not taken yet?  slot: a free one, or -1 where none is needed or free.
 */
bool foehn_ring_has_news(foehn_ring *ring, int *slot);

/* Start to move the newest content, into this slot where it is not in one already; the slot that it
 * is in.  -1: none, it was passed over. */
foehn_status foehn_ring_take(foehn_ring *ring, int free_slot, int *taken);

/* The newest content goes straight to the renderer and is shown; a slot counts it until it has
 * arrived. */
void foehn_ring_count(foehn_ring *ring, int slot, cl_event arrival);

/* The slot of the newest content that has arrived, or -1.  Older ones become free. */
foehn_status foehn_ring_poll(foehn_ring *ring, int *slot);

/* The same, and -1 where the volume has newer content than that: it is passed over. */
foehn_status foehn_ring_poll_settled(foehn_ring *ring, int *slot);

/* Its content goes to the renderer, in commands that were issued just now. */
void foehn_ring_show(foehn_ring *ring, int slot);

int foehn_ring_pending(const foehn_ring *ring);

#endif
