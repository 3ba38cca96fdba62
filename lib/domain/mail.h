/* SPDX-License-Identifier: MIT */
/* Bytes in a row on a part's device, to the other parts' devices and from them. */
#ifndef FOEHN_LIB_DOMAIN_MAIL_H
#define FOEHN_LIB_DOMAIN_MAIL_H

#include "domain/domain.h"

/* On the device; and, where they go through the host, pinned memory of it, mapped once. */
typedef struct domain_staging {
    cl_mem device, pinned;
    void *host;
    size_t size;
} domain_staging;

/* To one other part, from byte out_at of what goes out; and from it, to byte in_at of what comes
 * in.
 */
typedef struct domain_letter {
    int part;
    size_t out_at, out_bytes, in_at, in_bytes;
} domain_letter;

typedef struct domain_mail {
    foehn_context *ctx;
    foehn_domain *domain;
    bool direct; /* all parts' devices are in one OpenCL context: no byte goes through the host */
    bool waits;  /* others have queues of their own */
    domain_staging out, in;
    cl_event gone;  /* what goes out is packed, and where it goes through the host, there */
    cl_uint takers; /* of what was sent last, and their copies of it: direct alone */
    cl_event taken[DOMAIN_MOST_PARTS];
    size_t count, bytes;
    domain_letter letters[DOMAIN_MOST_PARTS];
} domain_mail;

/* Collective: finds out whether it can be direct. */
foehn_status foehn_mail_open(domain_mail *mail, foehn_context *ctx, foehn_domain *domain);
void foehn_mail_close(domain_mail *mail);

/* Room for so many bytes, before anything is put into mail->out.device. */
foehn_status foehn_mail_room(domain_mail *mail, size_t out, size_t in);

/* Send off what is in mail->out.device; what is enqueued from here on does not wait for it. */
foehn_status foehn_mail_send(domain_mail *mail, size_t count, const domain_letter *letters);

/* What the others have sent is in mail->in.device for what is enqueued from here on. */
foehn_status foehn_mail_receive(domain_mail *mail);

#endif
