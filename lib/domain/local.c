/* SPDX-License-Identifier: MIT */
/* Parts in one process: a thread each, bytes handed over through memory. */
#include "domain/domain.h"

#include <pthread.h>
#include <stdlib.h>

/* What one part offers another: it waits until the other one has taken it, who holds it meanwhile.
 */
typedef struct offer {
    const void *bytes;
    size_t size;
    bool waits, held;
} offer;

typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int parts, alive;             /* domains that hold it */
    bool left[DOMAIN_MOST_PARTS]; /* takes no further part */
    offer offers[];               /* [from][to] */
} meeting;

typedef struct seat {
    meeting *meeting;
    int part;
} seat;

static offer *offer_of(meeting *m, int from, int to)
{
    return &m->offers[(size_t)from * (size_t)m->parts + (size_t)to];
}

/* Until *waits is as wanted; false: the other part has left. */
static bool wait_for(meeting *m, const bool *waits, bool wanted, int other)
{
    while (*waits != wanted && !m->left[other])
        pthread_cond_wait(&m->change, &m->lock);
    return *waits == wanted;
}

/* Copy what they offer, which stays where it is while it is held, and take it; the lock is held. */
static foehn_status take_offers(const seat *s, size_t count, const foehn_message *messages,
                                domain_taker *take, void *taker)
{
    meeting *m = s->meeting;
    for (size_t i = 0; i < count; i++) {
        offer *o = offer_of(m, messages[i].part, s->part);
        if (!wait_for(m, &o->waits, true, messages[i].part) ||
            o->size != messages[i].in_bytes) /* the other one does something else */
            return FOEHN_ERROR_PART;
        o->held = true;
        pthread_mutex_unlock(&m->lock);
        if (messages[i].in_bytes > 0)
            memcpy(messages[i].in, o->bytes, messages[i].in_bytes);
        pthread_mutex_lock(&m->lock);
    }
    if (!take)
        return FOEHN_OK;
    pthread_mutex_unlock(&m->lock);
    foehn_status status = take(taker);
    pthread_mutex_lock(&m->lock);
    return status;
}

static foehn_status meet(void *data, size_t count, const foehn_message *messages,
                         domain_taker *take, void *taker)
{
    const seat *s = data;
    meeting *m = s->meeting;
    pthread_mutex_lock(&m->lock);
    for (size_t i = 0; i < count; i++)
        *offer_of(m, s->part, messages[i].part) =
            (offer){messages[i].out, messages[i].out_bytes, true, false};
    pthread_cond_broadcast(&m->change);
    foehn_status status = take_offers(s, count, messages, take, taker);
    for (size_t i = 0; i < count; i++) {
        offer *o = offer_of(m, messages[i].part, s->part);
        o->waits = o->waits && !(o->held && status == FOEHN_OK);
        o->held = false;
    }
    pthread_cond_broadcast(&m->change);
    for (size_t i = 0; i < count; i++) {
        offer *o = offer_of(m, s->part, messages[i].part);
        if (status == FOEHN_OK && !wait_for(m, &o->waits, false, messages[i].part))
            status = FOEHN_ERROR_PART;
        while (o->held)
            pthread_cond_wait(&m->change, &m->lock);
        o->waits = false; /* what has failed is taken back */
    }
    pthread_mutex_unlock(&m->lock);
    return status;
}

static int exchange(void *data, size_t count, const foehn_message *messages)
{
    return meet(data, count, messages, NULL, NULL) != FOEHN_OK;
}

static void leave(void *data)
{
    const seat *s = data;
    pthread_mutex_lock(&s->meeting->lock);
    s->meeting->left[s->part] = true;
    pthread_cond_broadcast(&s->meeting->change);
    pthread_mutex_unlock(&s->meeting->lock);
}

static void destroy(void *data)
{
    seat *s = data;
    meeting *m = s->meeting;
    pthread_mutex_lock(&m->lock);
    const bool last = --m->alive == 0;
    pthread_mutex_unlock(&m->lock);
    if (last) {
        pthread_cond_destroy(&m->change);
        pthread_mutex_destroy(&m->lock);
        free(m);
    }
    free(s);
}

static foehn_status no_memory(void)
{
    return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_domain_create_local: no host memory");
}

static foehn_status sit_down(meeting *m, int part, foehn_domain **out)
{
    seat *s = malloc(sizeof *s);
    if (!s)
        return no_memory();
    *s = (seat){m, part};
    foehn_transport t = foehn_transport_default();
    t.part = part;
    t.parts = m->parts;
    t.data = s;
    t.exchange = exchange;
    foehn_status status = foehn_domain_create(&t, out);
    if (status != FOEHN_OK) {
        free(s);
        return status;
    }
    (*out)->local.leave = leave;
    (*out)->local.destroy = destroy;
    (*out)->local.meet = meet;
    m->alive++;
    return FOEHN_OK;
}

foehn_status foehn_domain_create_local(int parts, foehn_domain **out)
{
    if (parts < 1 || parts > DOMAIN_MOST_PARTS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%d parts: 1 to %d", parts, (int)DOMAIN_MOST_PARTS);
    memset(out, 0, (size_t)parts * sizeof *out);
    meeting *m = calloc(1, sizeof *m + (size_t)parts * (size_t)parts * sizeof m->offers[0]);
    if (!m)
        return no_memory();
    m->parts = parts;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->change, NULL);
    foehn_status status = FOEHN_OK;
    for (int n = 0; n < parts && status == FOEHN_OK; n++)
        status = sit_down(m, n, &out[n]);
    if (status == FOEHN_OK)
        return FOEHN_OK;
    if (!out[0])
        free(m);
    for (int n = 0; n < parts; n++) { /* the last one takes the meeting with it */
        foehn_domain_destroy(out[n]);
        out[n] = NULL;
    }
    return status;
}
