/* SPDX-License-Identifier: MIT */
/* Bytes between parts' devices: from device to device where one OpenCL context holds them all, else
 * through pinned memory of the host and the caller's transport. */
#include "domain/mail.h"

#include <stdlib.h>

/* One copy of 256 MiB between two GPUs took 82 ms where 16 of 16 MiB took 3. */
#define PIECE ((size_t)16 << 20)

/* ---- room ---- */

static void staging_destroy(domain_mail *m, domain_staging *s)
{
    if (s->host)
        clEnqueueUnmapMemObject(m->ctx->queue, s->pinned, s->host, 0, NULL, NULL);
    if (s->device)
        clFinish(m->ctx->queue);
    foehn_buffer_destroy(m->ctx, &s->device);
    if (s->pinned)
        clReleaseMemObject(s->pinned);
    *s = (domain_staging){0};
}

static foehn_status pin(domain_mail *m, domain_staging *s, size_t bytes)
{
    cl_int code;
    s->pinned = clCreateBuffer(m->ctx->handle, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
                               NULL, &code);
    if (code != CL_SUCCESS) {
        s->pinned = NULL;
        return foehn_fail_cl(code, "%zu bytes of pinned memory", bytes);
    }
    s->host = clEnqueueMapBuffer(m->ctx->queue, s->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                 bytes, 0, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        return FOEHN_OK;
    s->host = NULL;
    return foehn_fail_cl(code, "mapping %zu bytes of pinned memory", bytes);
}

static foehn_status grow(domain_mail *m, domain_staging *s, size_t bytes)
{
    if (bytes <= s->size)
        return FOEHN_OK;
    bytes += bytes / 2;
    staging_destroy(m, s);
    TRY(foehn_buffer_create(m->ctx, bytes, &s->device));
    if (!m->direct)
        TRY(pin(m, s, bytes));
    s->size = bytes;
    return FOEHN_OK;
}

/* What was sent is on the others' devices. */
static foehn_status wait_until_taken(domain_mail *m)
{
    cl_int code = CL_SUCCESS;
    if (m->takers > 0)
        code = clEnqueueBarrierWithWaitList(m->ctx->queue, m->takers, m->taken, NULL);
    for (cl_uint n = 0; n < m->takers; n++)
        clReleaseEvent(m->taken[n]);
    m->takers = 0;
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "waiting for other devices");
}

foehn_status foehn_mail_room(domain_mail *m, size_t out, size_t in)
{
    TRY(wait_until_taken(m));
    TRY(grow(m, &m->out, out));
    return grow(m, &m->in, in);
}

/* ---- open and close ---- */

foehn_status foehn_mail_open(domain_mail *m, foehn_context *ctx, foehn_domain *domain)
{
    struct {
        cl_context handle;
        cl_command_queue queue;
    } own = {ctx->handle, ctx->queue}, all[DOMAIN_MOST_PARTS];
    *m = (domain_mail){.ctx = ctx, .domain = domain, .waits = true};
    if (!foehn_domain_is_local(domain))
        return FOEHN_OK;
    TRY(foehn_domain_gather(domain, sizeof own, &own, all));
    m->direct = true;
    m->waits = false;
    for (int n = 0; n < foehn_domain_get_parts(domain); n++) {
        m->direct = m->direct && all[n].handle == own.handle;
        m->waits = m->waits || all[n].queue != own.queue;
    }
    return FOEHN_OK;
}

void foehn_mail_close(domain_mail *m)
{
    if (!m->ctx)
        return;
    if (m->gone)
        clReleaseEvent(m->gone);
    for (cl_uint n = 0; n < m->takers; n++)
        clReleaseEvent(m->taken[n]);
    staging_destroy(m, &m->out);
    staging_destroy(m, &m->in);
}

/* ---- through the host ---- */

static foehn_status bring_out(domain_mail *m)
{
    cl_int code = clEnqueueReadBuffer(m->ctx->queue, m->out.device, CL_FALSE, 0, m->bytes,
                                      m->out.host, 0, NULL, &m->gone);
    if (code == CL_SUCCESS)
        code = clFlush(m->ctx->queue);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "reading %zu bytes", m->bytes);
}

/* Waits for what was enqueued before it was sent off. */
static foehn_status wait_for_it(domain_mail *m)
{
    const double start = foehn_domain_now();
    cl_int code = clWaitForEvents(1, &m->gone);
    clReleaseEvent(m->gone);
    m->gone = NULL;
    m->domain->traffic.staging += foehn_domain_now() - start;
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "reading %zu bytes", m->bytes);
}

/* The write is not waited for: nothing touches the memory before the next receipt, which waits for
 * a command after it. */
static foehn_status by_transport(domain_mail *m)
{
    foehn_message messages[DOMAIN_MOST_PARTS];
    size_t bytes = 0;
    TRY(wait_for_it(m));
    for (size_t n = 0; n < m->count; n++) {
        const domain_letter *l = &m->letters[n];
        messages[n] = (foehn_message){l->part, (char *)m->out.host + l->out_at,
                                      (char *)m->in.host + l->in_at, l->out_bytes, l->in_bytes};
        bytes = l->in_at + l->in_bytes > bytes ? l->in_at + l->in_bytes : bytes;
    }
    TRY(foehn_domain_exchange(m->domain, m->count, messages));
    cl_int code = clEnqueueWriteBuffer(m->ctx->queue, m->in.device, CL_FALSE, 0, bytes, m->in.host,
                                       0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "writing %zu bytes", bytes);
}

/* ---- from device to device ---- */

/* What a part is handed instead of bytes. */
typedef struct offer {
    cl_mem buffer;
    size_t at;
    cl_event gone;   /* once it is there; NULL: one queue has the order of its commands */
    cl_event *taken; /* where the copy's event goes */
} offer;

static cl_int copy_in(domain_mail *m, const domain_letter *l, const offer *from)
{
    cl_int code = CL_SUCCESS;
    for (size_t at = 0; at < l->in_bytes && code == CL_SUCCESS; at += PIECE) {
        const bool last = l->in_bytes - at <= PIECE, waits = m->waits && at == 0;
        code =
            clEnqueueCopyBuffer(m->ctx->queue, from->buffer, m->in.device, from->at + at,
                                l->in_at + at, last ? l->in_bytes - at : PIECE, waits ? 1 : 0,
                                waits ? &from->gone : NULL, m->waits && last ? from->taken : NULL);
    }
    return code;
}

typedef struct receipt {
    domain_mail *mail;
    offer theirs[DOMAIN_MOST_PARTS];
} receipt;

static foehn_status copy_all_in(void *data)
{
    const receipt *r = data;
    domain_mail *m = r->mail;
    cl_int code = CL_SUCCESS;
    for (size_t n = 0; n < m->count && code == CL_SUCCESS; n++)
        code = copy_in(m, &m->letters[n], &r->theirs[n]);
    if (code == CL_SUCCESS && m->waits)
        code = clFlush(m->ctx->queue);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "copying between devices");
}

/* Nobody's host waits for a device: parts tell each other which commands to wait for, and where one
 * queue has all, only that they are in it. */
static foehn_status by_devices(domain_mail *m)
{
    offer mine[DOMAIN_MOST_PARTS];
    foehn_message messages[DOMAIN_MOST_PARTS];
    receipt r = {.mail = m};
    for (size_t n = 0; n < m->count; n++) {
        m->taken[n] = NULL;
        mine[n] = (offer){m->out.device, m->letters[n].out_at, m->gone, &m->taken[n]};
        messages[n] = (foehn_message){m->letters[n].part, &mine[n], &r.theirs[n], sizeof mine[n],
                                      sizeof r.theirs[n]};
    }
    foehn_status status = foehn_domain_meet(m->domain, m->count, messages, copy_all_in, &r);
    if (m->gone)
        clReleaseEvent(m->gone);
    m->gone = NULL;
    TRY(status);
    m->takers = m->waits ? (cl_uint)m->count : 0;
    m->domain->traffic.exchanges++;
    for (size_t n = 0; n < m->count; n++)
        m->domain->traffic.bytes += m->letters[n].out_bytes;
    return FOEHN_OK;
}

/* ---- both ---- */

foehn_status foehn_mail_send(domain_mail *m, size_t count, const domain_letter *letters)
{
    m->count = count;
    m->bytes = 0;
    for (size_t n = 0; n < count; n++) {
        m->letters[n] = letters[n];
        const size_t end = letters[n].out_at + letters[n].out_bytes;
        m->bytes = end > m->bytes ? end : m->bytes;
    }
    if (!m->direct)
        return bring_out(m);
    if (!m->waits)
        return FOEHN_OK;
    cl_int code = clEnqueueMarkerWithWaitList(m->ctx->queue, 0, NULL, &m->gone);
    if (code == CL_SUCCESS)
        code = clFlush(m->ctx->queue);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "sending to other devices");
}

foehn_status foehn_mail_receive(domain_mail *m)
{
    return m->direct ? by_devices(m) : by_transport(m);
}
