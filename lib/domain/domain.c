/* SPDX-License-Identifier: MIT */
/* A part's place among the others, over the transport that the caller hands in. */
#define _POSIX_C_SOURCE 200112L
#include "domain/domain.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

void foehn_transport_init(foehn_transport *transport, size_t size)
{
    const foehn_transport defaults = {.parts = 1};
    foehn_params_fill(transport, size, &defaults, sizeof defaults);
}

foehn_status foehn_domain_create(const foehn_transport *transport, foehn_domain **out)
{
    foehn_transport t = foehn_transport_default();
    *out = NULL;
    TRY(foehn_params_take(&t, transport, "foehn_transport"));
    if (t.parts < 1 || t.parts > DOMAIN_MOST_PARTS || t.part < 0 || t.part >= t.parts)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "part %d of %d: 0 to %d of 1 to %d", t.part,
                          t.parts, t.parts - 1, (int)DOMAIN_MOST_PARTS);
    if (t.parts > 1 && !t.exchange)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a transport of %d parts without a function to exchange", t.parts);
    foehn_domain *domain = calloc(1, sizeof *domain);
    if (!domain)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_domain_create: no host memory");
    domain->transport = t;
    *out = domain;
    return FOEHN_OK;
}

void foehn_domain_destroy(foehn_domain *domain)
{
    if (!domain)
        return;
    foehn_domain_leave(domain);
    if (domain->local.destroy)
        domain->local.destroy(domain->transport.data);
    free(domain);
}

void foehn_domain_leave(foehn_domain *domain)
{
    if (domain->local.leave)
        domain->local.leave(domain->transport.data);
}

int foehn_domain_get_part(const foehn_domain *domain)
{
    return domain->transport.part;
}

int foehn_domain_get_parts(const foehn_domain *domain)
{
    return domain->transport.parts;
}

void foehn_domain_get_traffic(const foehn_domain *domain, foehn_domain_traffic *traffic)
{
    *traffic = domain->traffic;
}

double foehn_domain_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool foehn_domain_is_local(const foehn_domain *domain)
{
    return domain->local.leave != NULL;
}

static foehn_status out_of_reach(const foehn_transport *t)
{
    return foehn_fail(FOEHN_ERROR_PART, "part %d of %d: another part has failed or is out of reach",
                      t->part, t->parts);
}

foehn_status foehn_domain_meet(foehn_domain *domain, size_t count, const foehn_message *messages,
                               domain_taker *take, void *taker)
{
    const foehn_transport *t = &domain->transport;
    const double start = foehn_domain_now();
    foehn_status status = domain->local.meet(t->data, count, messages, take, taker);
    domain->traffic.seconds += foehn_domain_now() - start;
    return status == FOEHN_ERROR_PART ? out_of_reach(t) : status;
}

foehn_status foehn_domain_exchange(foehn_domain *domain, size_t count,
                                   const foehn_message *messages)
{
    const foehn_transport *t = &domain->transport;
    if (count == 0)
        return FOEHN_OK;
    domain->traffic.exchanges++;
    for (size_t i = 0; i < count; i++)
        domain->traffic.bytes += messages[i].out_bytes;
    const double start = foehn_domain_now();
    int failed = t->exchange(t->data, count, messages);
    domain->traffic.seconds += foehn_domain_now() - start;
    return failed ? out_of_reach(t) : FOEHN_OK;
}

foehn_status foehn_domain_gather_uneven(foehn_domain *domain, const size_t *bytes, const void *own,
                                        void *all)
{
    const int part = domain->transport.part, parts = domain->transport.parts;
    foehn_message messages[DOMAIN_MOST_PARTS];
    size_t count = 0, offset = 0;
    for (int n = 0; n < parts; n++) {
        char *in = (char *)all + offset;
        offset += bytes[n];
        if (n == part)
            memmove(in, own, bytes[n]);
        else
            messages[count++] = (foehn_message){n, own, in, bytes[part], bytes[n]};
    }
    return foehn_domain_exchange(domain, count, messages);
}

foehn_status foehn_domain_gather(foehn_domain *domain, size_t bytes, const void *own, void *all)
{
    size_t each[DOMAIN_MOST_PARTS];
    for (int n = 0; n < domain->transport.parts; n++)
        each[n] = bytes;
    return foehn_domain_gather_uneven(domain, each, own, all);
}

foehn_status foehn_domain_broadcast(foehn_domain *domain, size_t bytes, void *data)
{
    const int part = domain->transport.part, parts = domain->transport.parts;
    foehn_message messages[DOMAIN_MOST_PARTS] = {{0, NULL, data, 0, bytes}};
    for (int n = 1; n < parts && part == 0; n++)
        messages[n - 1] = (foehn_message){n, data, NULL, bytes, 0};
    return foehn_domain_exchange(domain, part == 0 ? (size_t)parts - 1 : 1, messages);
}

foehn_status foehn_domain_max(foehn_domain *domain, double *value)
{
    double all[DOMAIN_MOST_PARTS];
    TRY(foehn_domain_gather(domain, sizeof *value, value, all));
    for (int n = 0; n < domain->transport.parts; n++)
        *value = all[n] <= *value ? *value : all[n]; /* a NaN stays */
    return FOEHN_OK;
}

foehn_status foehn_domain_agree(foehn_domain *domain, foehn_status own)
{
    int mine = (int)own, all[DOMAIN_MOST_PARTS];
    foehn_status status = foehn_domain_gather(domain, sizeof mine, &mine, all);
    if (own != FOEHN_OK || status != FOEHN_OK)
        return own != FOEHN_OK ? own : status;
    for (int n = 0; n < domain->transport.parts; n++)
        if (all[n] != FOEHN_OK)
            return foehn_fail(FOEHN_ERROR_PART, "part %d of %d has failed: %s", n,
                              domain->transport.parts, foehn_status_name((foehn_status)all[n]));
    return FOEHN_OK;
}
