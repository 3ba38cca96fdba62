/* SPDX-License-Identifier: MIT */
/** One box kept by several parts: the ranks of an MPI run, or threads of a process with a device
 *  each.
 *
 *  The box is cut along x and z into blocks; whole columns stay together.  Every part makes its own
 *  context and its own object (a wind whose params.domain is the part's domain), and all parts make
 *  the same calls in the same order: such a call is collective, and waits for the others where it
 *  needs what they have.  What is read has the same bits whatever the number of parts, on devices
 *  of one kind.
 *
 *  Parts of one process whose contexts have the same foehn_context_params.devices copy from device
 *  to device; on processors they should: PoCL up to 5.0 takes kernels for each other that contexts
 *  of their own run at once.
 *
 *  The library knows no network.  The caller hands it one function that sends bytes between parts;
 *  sums and gathers are made of it in an order of the library's own, because a network's have none
 *  that is fixed. */
#ifndef FOEHN_DOMAIN_H
#define FOEHN_DOMAIN_H

#include <foehn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_domain foehn_domain;

/** What goes to another part and comes from it.  Both sides name each other in the same exchange.
 */
typedef struct foehn_message {
    int part;         /**< the other one */
    const void *out;  /**< to it */
    void *in;         /**< from it */
    size_t out_bytes; /**< may be 0: nothing goes there */
    size_t in_bytes;  /**< likewise; what the other one sends has this size */
} foehn_message;

typedef struct foehn_transport {
    size_t struct_size; /**< set by foehn_transport_default(); leave alone */
    int part;           /**< this one's number; 0 to parts - 1 */
    int parts;          /**< 1 to 256 */
    void *data;         /**< handed to exchange */
    /** Send and receive all messages, at most one a part, and return when all have come and `out`
     * may be written again: 0, or anything else when a part cannot be reached, after which only
     * destroy is called. */
    int (*exchange)(void *data, size_t count, const foehn_message *messages);
} foehn_transport;

FOEHN_API void foehn_transport_init(foehn_transport *transport, size_t size);
static inline foehn_transport foehn_transport_default(void)
{
    foehn_transport transport;
    foehn_transport_init(&transport, sizeof transport);
    return transport;
}

/** A part's place among the others.
 *
 *  transport  copied; its data must live as long as the domain
 *  Returns    FOEHN_OK
 *             FOEHN_ERROR_ARGUMENT  parts or part out of range, no exchange
 *             FOEHN_ERROR_MEMORY */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_domain_create(const foehn_transport *transport,
                                                            foehn_domain **out);

/** The domains of several parts in one process, connected through its memory: one for each of as
 *  many threads.
 *
 *  parts  1 to 256
 *  out    [parts]; each is destroyed on its own */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_domain_create_local(int parts, foehn_domain **out);

/** After all objects made with it.  NULL is allowed. */
FOEHN_API void foehn_domain_destroy(foehn_domain *domain);

/** This part takes no further part: calls of the others that wait for it fail with
 *  FOEHN_ERROR_PART, now and later.  For local domains; in others it does nothing, their transport
 *  has its own ways. */
FOEHN_API void foehn_domain_leave(foehn_domain *domain);

FOEHN_API int foehn_domain_get_part(const foehn_domain *domain);
FOEHN_API int foehn_domain_get_parts(const foehn_domain *domain);

/** Bytes of every part to all, in the order of parts: for what the caller decides together with the
 *  others.
 *
 *  bytes    of each part, the same on all
 *  own      [bytes]
 *  all      [parts][bytes]
 *  Returns  FOEHN_OK, FOEHN_ERROR_PART */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_domain_gather(foehn_domain *domain, size_t bytes,
                                                            const void *own, void *all);

/** Part 0's bytes to all.  FOEHN_OK, FOEHN_ERROR_PART. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_domain_broadcast(foehn_domain *domain, size_t bytes,
                                                               void *data);

/** What has gone through the transport since the domain was made. */
typedef struct foehn_domain_traffic {
    uint64_t exchanges;
    uint64_t bytes;     /**< sent */
    uint64_t meanwhile; /**< of these, so many while the device had something else to compute */
    double seconds;     /**< in the transport, waiting for other parts included */
    double staging;     /**< between devices and the host, what the device still had to compute
                           included, s */
} foehn_domain_traffic;

FOEHN_API void foehn_domain_get_traffic(const foehn_domain *domain, foehn_domain_traffic *traffic);

/** Columns of the whole box that a part keeps: foehn_wind_get_block(). */
typedef struct foehn_domain_block {
    int x, z;   /**< the first one's place */
    int nx, nz; /**< how many */
} foehn_domain_block;

#ifdef __cplusplus
}
#endif
#endif
