/* SPDX-License-Identifier: MIT */
/* Publication: slots of half floats on the device, and copies of them on the host. */
#include "device/internal.h"

#include <foehn/volume.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOTS = 2 };

struct foehn_volume {
    foehn_context *ctx;
    int nx, ny, nz;
    size_t bytes; /* of one slot */
    cl_mem slots[SLOTS];
    int last;       /* slot that was written last */
    cl_mem newest;  /* what was written last: that slot, or memory of the sink's */
    cl_mem next;    /* between begin and end */
    uint64_t count; /* contents so far */
    foehn_volume_info info;
    foehn_sink sink; /* owner NULL: none */

    /* A background copy: `ready` may be read by the caller while the other one is filled. */
    double interval; /* s; negative: never */
    double asked;    /* when a copy was last asked for */
    uint16_t *copies[2];
    foehn_volume_info copy_info[2];
    int ready;        /* -1: none yet */
    cl_event arrival; /* of the one that is being filled */
};

foehn_status foehn_volume_create(foehn_context *ctx, int nx, int ny, int nz, foehn_volume **out)
{
    enum { MOST = 4096 };
    *out = NULL;
    if (nx < 1 || ny < 1 || nz < 1 || nx > MOST || ny > MOST || nz > MOST)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_volume_create: %d x %d x %d voxels: 1 to %d on each axis", nx, ny,
                          nz, MOST);
    foehn_status status;
    foehn_volume *v = calloc(1, sizeof *v);
    if (!v)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_volume_create: no host memory");
    v->ctx = ctx;
    v->nx = nx;
    v->ny = ny;
    v->nz = nz;
    v->bytes = (size_t)nx * (size_t)ny * (size_t)nz * 4 * sizeof(uint16_t);
    v->interval = -1;
    v->ready = -1;
    v->info = (foehn_volume_info){.nx = nx, .ny = ny, .nz = nz};
    TRY_OR_FAIL(foehn_memory_check(ctx, "a volume", SLOTS * v->bytes, v->bytes));
    for (int i = 0; i < SLOTS; i++)
        TRY_OR_FAIL(foehn_buffer_create(ctx, v->bytes, &v->slots[i]));
    v->newest = v->slots[0];
    *out = v;
    return FOEHN_OK;
fail:
    foehn_volume_destroy(v);
    return status;
}

void foehn_volume_destroy(foehn_volume *v)
{
    if (!v)
        return;
    clFinish(v->ctx->queue);
    if (v->arrival)
        clReleaseEvent(v->arrival);
    for (int i = 0; i < SLOTS; i++)
        foehn_buffer_destroy(v->ctx, &v->slots[i]);
    free(v->copies[0]);
    free(v->copies[1]);
    free(v);
}

void foehn_volume_get_info(const foehn_volume *v, foehn_volume_info *info)
{
    *info = v->info;
}

foehn_status foehn_volume_check(const foehn_volume *v, const foehn_context *ctx, int nx, int ny,
                                int nz)
{
    if (v->ctx != ctx)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the volume belongs to another context");
    if (v->nx != nx || v->ny != ny || v->nz != nz)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the volume has %d x %d x %d voxels and cannot take %d x %d x %d cells",
                          v->nx, v->ny, v->nz, nx, ny, nz);
    return FOEHN_OK;
}

foehn_status foehn_volume_begin(foehn_volume *v, const foehn_context *ctx, int nx, int ny, int nz,
                                cl_mem *slot)
{
    TRY(foehn_volume_check(v, ctx, nx, ny, nz));
    v->next = NULL;
    if (v->sink.owner)
        TRY(v->sink.choose(v->sink.owner, &v->next));
    if (v->next)
        TRY(v->sink.acquire(v->sink.owner, v->next));
    else
        v->next = v->slots[(v->last + 1) % SLOTS];
    *slot = v->next;
    return FOEHN_OK;
}

static bool is_sunk(const foehn_volume *v)
{
    return v->newest != v->slots[v->last];
}

foehn_newest foehn_volume_newest(const foehn_volume *v)
{
    return (foehn_newest){v->ctx, v->newest, v->bytes, v->count, is_sunk(v), v->info};
}

foehn_status foehn_volume_begin_reading(foehn_volume *v)
{
    return is_sunk(v) ? v->sink.acquire(v->sink.owner, v->newest) : FOEHN_OK;
}

foehn_status foehn_volume_end_reading(foehn_volume *v, foehn_status read)
{
    foehn_status released =
        is_sunk(v) ? v->sink.release(v->sink.owner, v->newest, false) : FOEHN_OK;
    return read != FOEHN_OK ? read : released;
}

bool foehn_volume_set_sink(foehn_volume *v, const foehn_sink *sink)
{
    if (sink && v->sink.owner)
        return false;
    if (!sink && is_sunk(v)) {
        /* Best effort: a device that fails here has told so before, or will with the next call. */
        if (foehn_volume_begin_reading(v) == FOEHN_OK) {
            clEnqueueCopyBuffer(v->ctx->queue, v->newest, v->slots[v->last], 0, 0, v->bytes, 0,
                                NULL, NULL);
            (void)!foehn_volume_end_reading(v, FOEHN_OK);
        }
        clFinish(v->ctx->queue);
        v->newest = v->slots[v->last];
    }
    v->sink = sink ? *sink : (foehn_sink){0};
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Start a background copy of the newest slot, unless one is on its way or it is too early. */
static foehn_status start_copy(foehn_volume *v)
{
    if (v->interval < 0 || v->arrival || (v->asked > 0 && now() - v->asked < v->interval))
        return FOEHN_OK;
    int target = v->ready == 0;
    v->asked = now();
    TRY(foehn_volume_begin_reading(v));
    foehn_status status = FOEHN_OK;
    cl_int code = clEnqueueReadBuffer(v->ctx->queue, v->newest, CL_FALSE, 0, v->bytes,
                                      v->copies[target], 0, NULL, &v->arrival);
    if (code != CL_SUCCESS) {
        v->arrival = NULL;
        status = foehn_fail_cl(code, "reading a volume in the background");
    }
    v->copy_info[target] = v->info;
    TRY(foehn_volume_end_reading(v, status));
    clFlush(v->ctx->queue);
    return FOEHN_OK;
}

foehn_status foehn_volume_end(foehn_volume *v, const foehn_volume_info *info, foehn_status written)
{
    const bool own = v->next == v->slots[(v->last + 1) % SLOTS];
    foehn_status released =
        own ? FOEHN_OK : v->sink.release(v->sink.owner, v->next, written == FOEHN_OK);
    if (written != FOEHN_OK || released != FOEHN_OK)
        return written != FOEHN_OK ? written : released;
    if (own)
        v->last = (v->last + 1) % SLOTS;
    v->newest = v->next;
    v->count++;
    v->info = *info;
    return start_copy(v);
}

foehn_status foehn_volume_set_snapshots(foehn_volume *v, double seconds)
{
    if (isnan(seconds))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_volume_set_snapshots: %g s", seconds);
    for (int i = 0; i < 2 && seconds >= 0; i++)
        if (!v->copies[i] && !(v->copies[i] = malloc(v->bytes)))
            return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a snapshot of %zu bytes",
                              v->bytes);
    v->interval = seconds;
    return FOEHN_OK;
}

foehn_status foehn_volume_get_snapshot(foehn_volume *v, foehn_snapshot *snapshot)
{
    memset(snapshot, 0, sizeof *snapshot);
    if (v->arrival) {
        cl_int state = CL_QUEUED;
        cl_int code = clGetEventInfo(v->arrival, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                     &state, NULL);
        if (code != CL_SUCCESS || state < 0)
            return foehn_fail_cl(code != CL_SUCCESS ? code : state, "a volume's background copy");
        if (state == CL_COMPLETE) {
            clReleaseEvent(v->arrival);
            v->arrival = NULL;
            v->ready = v->ready == 0;
        }
    }
    if (v->ready >= 0) {
        snapshot->info = v->copy_info[v->ready];
        snapshot->halves = v->copies[v->ready];
    }
    return FOEHN_OK;
}

foehn_status foehn_volume_read_halves(foehn_volume *v, uint16_t *halves)
{
    TRY(foehn_volume_begin_reading(v));
    return foehn_volume_end_reading(v, foehn_buffer_read(v->ctx, v->newest, 0, v->bytes, halves));
}

foehn_status foehn_volume_read_floats(foehn_volume *v, float *floats)
{
    size_t count = v->bytes / sizeof(uint16_t);
    /* The halves fit into the upper half of the floats and are expanded front to back. */
    uint16_t *halves = (uint16_t *)floats + count;
    TRY(foehn_volume_read_halves(v, halves));
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, halves + i, sizeof half);
        floats[i] = foehn_half_to_float(half);
    }
    return FOEHN_OK;
}

float foehn_half_to_float(uint16_t half)
{
    int exponent = half >> 10 & 31, mantissa = half & 1023;
    float sign = half & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 0)
        return sign * ldexpf((float)mantissa, -24);
    if (exponent == 31)
        return mantissa ? NAN : sign * INFINITY;
    return sign * ldexpf((float)(mantissa + 1024), exponent - 25);
}
