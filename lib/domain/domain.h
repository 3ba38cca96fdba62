/* SPDX-License-Identifier: MIT */
/* A part's place among those that keep one box between them: what it sends, what it gathers. */
#ifndef FOEHN_LIB_DOMAIN_DOMAIN_H
#define FOEHN_LIB_DOMAIN_DOMAIN_H

#include "device/internal.h"

#include <foehn/domain.h>

enum { DOMAIN_MOST_PARTS = 256 };

/* What a part does with what the others have handed it, before they go on. */
typedef foehn_status domain_taker(void *data);

struct foehn_domain {
    foehn_transport transport;
    foehn_domain_traffic traffic;
    struct { /* local domains: else NULL */
        void (*leave)(void *data);
        void (*destroy)(void *data);
        foehn_status (*meet)(void *data, size_t count, const foehn_message *messages,
                             domain_taker *take, void *taker);
    } local;
};

/* One exchange; at most one message a part, none with itself. */
foehn_status foehn_domain_exchange(foehn_domain *domain, size_t count,
                                   const foehn_message *messages);

/* Between threads of a process, uncounted: whoever has got the others' bytes calls take(), and they
 * return once it has. */
foehn_status foehn_domain_meet(foehn_domain *domain, size_t count, const foehn_message *messages,
                               domain_taker *take, void *taker);

/* Whether the parts are threads of one process. */
bool foehn_domain_is_local(const foehn_domain *domain);

/* bytes[n] of part n, in the order of parts, without holes, to all. */
foehn_status foehn_domain_gather_uneven(foehn_domain *domain, const size_t *bytes, const void *own,
                                        void *all);

/* The largest of the parts' values; NaN if one is. */
foehn_status foehn_domain_max(foehn_domain *domain, double *value);

/* Whether all parts come to FOEHN_OK here; else FOEHN_ERROR_PART on those that did themselves. */
foehn_status foehn_domain_agree(foehn_domain *domain, foehn_status own);

/* Seconds of a clock that only goes on. */
double foehn_domain_now(void);

#endif
