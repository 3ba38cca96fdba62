/* SPDX-License-Identifier: MIT */
/* A volume as a GL texture: which path, and what a write does on it. */
#include "publish/gl_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAM_DRAW = 0x88E0,
    WRITE_ONLY = 0x88B9,
    MAP_WRITE_PERSISTENT_COHERENT = 0x0002 | 0x0040 | 0x0080,
    SYNC_GPU_COMMANDS_COMPLETE = 0x9117,
    SYNC_FLUSH_COMMANDS_BIT = 1,
    TIMEOUT_EXPIRED = 0x911B,
};

const char *foehn_gl_path_name(foehn_gl_path path)
{
    return path == FOEHN_GL_SHARED     ? "shared"
           : path == FOEHN_GL_IMPORTED ? "imported"
           : path == FOEHN_GL_COPIED   ? "copied"
                                       : "unknown";
}

void foehn_gl_params_init(foehn_gl_params *params, size_t size)
{
    const foehn_gl_params defaults = {.fastest = FOEHN_GL_SHARED};
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

/* ---- paths ---- */

static void add_reason(foehn_gl *g, const char *path, const char *why)
{
    size_t used = strlen(g->reason);
    snprintf(g->reason + used, sizeof g->reason - used, "%snot %s: %s", used ? "; " : "", path,
             why);
}

static bool try_shared(foehn_gl *g, size_t size, char *why)
{
    snprintf(why, size, "%s", g->ctx->gl_reason);
    bool shared = g->ctx->shares_gl;
    for (int i = 0; i < g->texture_count && shared; i++) {
        g->textures[i].image =
            foehn_gl_shared_image(g->ctx, g->target, g->textures[i].name, size, why);
        shared = g->textures[i].image != NULL;
    }
    for (int i = 0; i < g->texture_count && !shared; i++) {
        if (g->textures[i].image)
            clReleaseMemObject(g->textures[i].image);
        g->textures[i].image = NULL;
    }
    return shared;
}

static bool try_imported(foehn_gl *g, void *get_instance_proc_addr, size_t size, char *why)
{
    foehn_external external;
    cl_mem device[RING_SLOTS] = {NULL};
    if (!foehn_external_open(&external, g->ctx, size, why))
        return false;
    if (!g->api.has_memory_objects)
        snprintf(why, size, "this GL does not list GL_EXT_memory_object_fd");
    else if (!get_instance_proc_addr)
        snprintf(why, size, "no Vulkan loader was passed (vk_get_instance_proc_addr)");
    else
        g->memory = foehn_gl_imported_create(&g->api, &external, get_instance_proc_addr, g->bytes,
                                             device, g->buffers, size, why);
    for (int i = 0; i < RING_SLOTS && g->memory; i++)
        g->ring.slots[i].buffer = device[i];
    if (g->memory)
        foehn_ring_set_imported(&g->ring, &external);
    return g->memory != NULL;
}

/* Mapped once where GL can keep a buffer mapped while it is read, else before each copy. */
static foehn_status open_copied(foehn_gl *g)
{
    const gl_api *gl = &g->api;
    gl_state state;
    foehn_status status = FOEHN_OK;
    foehn_gl_take_error(gl);
    foehn_gl_state_save(gl, g->target, &state);
    gl->GenBuffers(RING_SLOTS, g->buffers);
    for (int i = 0; i < RING_SLOTS && gl->has_persistent_maps && status == FOEHN_OK; i++) {
        gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER_, g->buffers[i]);
        gl->BufferStorage(GL_PIXEL_UNPACK_BUFFER_, (ptrdiff_t)g->bytes, NULL,
                          MAP_WRITE_PERSISTENT_COHERENT);
        g->ring.slots[i].mapped = gl->MapBufferRange(
            GL_PIXEL_UNPACK_BUFFER_, 0, (ptrdiff_t)g->bytes, MAP_WRITE_PERSISTENT_COHERENT);
        if (!g->ring.slots[i].mapped)
            status = foehn_fail(FOEHN_ERROR_MEMORY,
                                "foehn_gl_create: GL maps no buffer of %zu bytes", g->bytes);
    }
    foehn_gl_state_restore(gl, &state);
    foehn_gl_take_error(gl);
    return status;
}

static foehn_status choose_path(foehn_gl *g, const foehn_gl_params *p)
{
    char why[384] = "";
    const char *unwanted = "the caller asked for a slower path";
    const char *device = g->ctx->device.info.name;
    if (p->fastest >= FOEHN_GL_SHARED && try_shared(g, sizeof why, why)) {
        g->path = FOEHN_GL_SHARED;
        snprintf(g->reason, sizeof g->reason, "%s drives this GL context and %s", device,
                 g->ctx->gl_events ? "lists cl_khr_gl_event"
                                   : "does not list cl_khr_gl_event: each write waits");
        return FOEHN_OK;
    }
    add_reason(g, "shared", p->fastest < FOEHN_GL_SHARED ? unwanted : why);
    if (p->fastest >= FOEHN_GL_IMPORTED &&
        try_imported(g, p->vk_get_instance_proc_addr, sizeof why, why)) {
        g->path = FOEHN_GL_IMPORTED;
        return FOEHN_OK;
    }
    add_reason(g, "imported", p->fastest < FOEHN_GL_IMPORTED ? unwanted : why);
    g->path = FOEHN_GL_COPIED;
    return open_copied(g);
}

/* ---- create and destroy ---- */

static foehn_status take_params(const foehn_gl_params *given, foehn_gl_params *p)
{
    *p = foehn_gl_params_default();
    TRY(foehn_params_take(p, given, "foehn_gl_params"));
    if (!p->get_proc_address)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_gl_create: get_proc_address is NULL: pass "
                                                "SDL_GL_GetProcAddress, eglGetProcAddress, ...");
    if (p->fastest > FOEHN_GL_SHARED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_gl_create: path %d is unknown",
                          (int)p->fastest);
    return FOEHN_OK;
}

static foehn_status set_target(foehn_gl *g, unsigned target)
{
    g->target = target ? target : g->nz == 1 ? GL_TEXTURE_2D_ : GL_TEXTURE_3D_;
    if (g->target != GL_TEXTURE_2D_ && g->target != GL_TEXTURE_3D_)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_gl_create: target 0x%04x: GL_TEXTURE_2D (0x0DE1) or GL_TEXTURE_3D "
                          "(0x806F)",
                          target);
    if (g->target == GL_TEXTURE_2D_ && g->nz != 1)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_gl_create: a volume of %d layers is no GL_TEXTURE_2D", g->nz);
    return FOEHN_OK;
}

foehn_status foehn_gl_create(foehn_volume *volume, const foehn_gl_params *params, foehn_gl **out)
{
    foehn_gl_params p;
    foehn_status status;
    *out = NULL;
    TRY(take_params(params, &p));
    foehn_gl *g = calloc(1, sizeof *g);
    if (!g)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_gl_create: no host memory");
    const foehn_newest newest = foehn_volume_newest(volume);
    g->ctx = newest.ctx;
    g->nx = newest.info.nx;
    g->ny = newest.info.ny;
    g->nz = newest.info.nz;
    g->bytes = newest.bytes;
    TRY_OR_FAIL(set_target(g, p.target));
    TRY_OR_FAIL(foehn_gl_api_load(&g->api, p.get_proc_address));
    foehn_ring_init(&g->ring, volume);
    TRY_OR_FAIL(foehn_gl_open_textures(g, p.texture));
    TRY_OR_FAIL(choose_path(g, &p));
    *out = g;
    return FOEHN_OK;
fail:
    foehn_gl_destroy(g);
    return status;
}

void foehn_gl_destroy(foehn_gl *g)
{
    if (!g)
        return;
    const gl_api *gl = &g->api;
    foehn_ring_destroy(&g->ring);
    for (int i = 0; i < g->texture_count; i++) {
        if (g->textures[i].image)
            clReleaseMemObject(g->textures[i].image);
        if (g->owns_textures && g->textures[i].name)
            gl->DeleteTextures(1, &g->textures[i].name);
    }
    for (int i = 0; i < RING_SLOTS; i++) {
        if (g->fences[i])
            gl->DeleteSync(g->fences[i]);
        if (g->buffers[i])
            gl->DeleteBuffers(1, &g->buffers[i]); /* which unmaps it */
    }
    if (g->memory)
        foehn_gl_imported_destroy(gl, g->memory);
    free(g);
}

/* ---- writing ---- */

static bool is_mapped_for_good(const foehn_gl *g)
{
    return g->path == FOEHN_GL_IMPORTED || g->api.has_persistent_maps;
}

/* Buffers that GL has copied from are free again. */
static void retire(foehn_gl *g, uint64_t nanoseconds)
{
    for (int i = 0; i < RING_SLOTS; i++) {
        if (g->ring.slots[i].state != RING_SHOWING)
            continue;
        if (g->api.ClientWaitSync(g->fences[i], SYNC_FLUSH_COMMANDS_BIT, nanoseconds) ==
            TIMEOUT_EXPIRED)
            continue;
        g->api.DeleteSync(g->fences[i]);
        g->fences[i] = NULL;
        g->ring.slots[i].state = RING_FREE;
    }
}

/* Copy a slot into the texture that is not shown, and show that. */
static foehn_status show(foehn_gl *g, int slot)
{
    const gl_api *gl = &g->api;
    foehn_ring_slot *s = &g->ring.slots[slot];
    int back = (g->front + 1) % g->texture_count;
    bool intact = true;
    gl_state state;
    foehn_gl_state_save(gl, g->target, &state);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER_, g->buffers[slot]);
    if (!is_mapped_for_good(g)) {
        s->mapped = NULL;
        intact = gl->UnmapBuffer(GL_PIXEL_UNPACK_BUFFER_); /* else lost, as after a mode switch */
    }
    if (intact) {
        gl->BindTexture(g->target, g->textures[back].name);
        foehn_gl_upload(g);
    }
    foehn_gl_state_restore(gl, &state);
    if (!intact) {
        s->state = RING_FREE;
        return FOEHN_OK;
    }
    g->front = back;
    g->textures[back].content = s->info;
    foehn_gl_set_addressing(g, back);
    foehn_ring_show(&g->ring, slot);
    if (is_mapped_for_good(g))
        g->fences[slot] = gl->FenceSync(SYNC_GPU_COMMANDS_COMPLETE, 0);
    else
        s->state = RING_FREE; /* its next use orphans it */
    return FOEHN_OK;
}

static foehn_status show_arrived(foehn_gl *g)
{
    int slot;
    TRY(foehn_ring_poll(&g->ring, &slot));
    return slot < 0 ? FOEHN_OK : show(g, slot);
}

/* Where the device's copy may land: a fresh store, so that nobody waits for GL to read the old one.
 */
static foehn_status map(foehn_gl *g, int slot)
{
    const gl_api *gl = &g->api;
    if (is_mapped_for_good(g) || g->ring.slots[slot].mapped)
        return FOEHN_OK;
    gl_state state;
    foehn_gl_state_save(gl, g->target, &state);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER_, g->buffers[slot]);
    gl->BufferData(GL_PIXEL_UNPACK_BUFFER_, (ptrdiff_t)g->bytes, NULL, STREAM_DRAW);
    g->ring.slots[slot].mapped = gl->MapBuffer(GL_PIXEL_UNPACK_BUFFER_, WRITE_ONLY);
    foehn_gl_state_restore(gl, &state);
    if (!g->ring.slots[slot].mapped)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_gl_write: GL maps no buffer of %zu bytes",
                          g->bytes);
    return FOEHN_OK;
}

static foehn_status take(foehn_gl *g)
{
    int slot;
    if (!foehn_ring_has_news(&g->ring, &slot))
        return FOEHN_OK;
    if (slot >= 0)
        TRY(map(g, slot));
    return foehn_ring_take(&g->ring, slot, &slot);
}

/* Writes that are done. */
static foehn_status retire_shared(foehn_gl *g)
{
    int slot;
    TRY(foehn_ring_poll(&g->ring, &slot));
    if (slot >= 0)
        g->ring.slots[slot].state = RING_FREE;
    return FOEHN_OK;
}

/* The ring's slots count the writes that are under way; the textures are written in turn. */
static foehn_status write_shared(foehn_gl *g)
{
    int slot;
    TRY(retire_shared(g));
    if (!foehn_ring_has_news(&g->ring, &slot) || slot < 0)
        return FOEHN_OK;
    const foehn_newest newest = foehn_volume_newest(g->ring.volume);
    int back = (g->front + 1) % g->texture_count;
    cl_event done = NULL;
    TRY(foehn_gl_shared_write(&g->api, g->ring.volume, g->textures[back].image, &done));
    g->front = back;
    g->textures[back].content = newest.info;
    foehn_gl_set_addressing(g, back);
    foehn_ring_count(&g->ring, slot, done);
    return retire_shared(g);
}

foehn_status foehn_gl_write(foehn_gl *g)
{
    if (g->path == FOEHN_GL_SHARED)
        return write_shared(g);
    retire(g, 0);
    TRY(show_arrived(g));
    return take(g);
}

foehn_status foehn_gl_write_and_wait(foehn_gl *g)
{
    int slot; /* of what was under way, and is still the newest */
    TRY(foehn_context_wait(g->ctx));
    if (g->path == FOEHN_GL_SHARED) {
        TRY(write_shared(g));
        TRY(foehn_context_wait(g->ctx));
        return retire_shared(g);
    }
    TRY(foehn_ring_poll_settled(&g->ring, &slot));
    if (slot >= 0)
        return show(g, slot);
    retire(g, UINT64_MAX); /* so that there is a free buffer */
    TRY(take(g));
    TRY(foehn_context_wait(g->ctx));
    return show_arrived(g);
}

void foehn_gl_get_info(const foehn_gl *g, foehn_gl_info *info)
{
    *info = (foehn_gl_info){
        .texture = g->textures[g->front].name,
        .target = g->target,
        .content = g->textures[g->front].content,
        .pending = foehn_ring_pending(&g->ring),
        .shown = g->ring.shown,
        .skipped = g->ring.skipped,
        .path = g->path,
        .reason = g->reason,
    };
}
