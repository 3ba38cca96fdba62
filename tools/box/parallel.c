/* SPDX-License-Identifier: MIT */
/* Work that falls into parts, on all processors. */
#include "box/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

typedef struct job {
    void (*work)(void *data, int part, int thread);
    void *data;
    int count;
    atomic_int next;
} job;

typedef struct hand {
    job *job;
    int thread;
} hand;

int parallel_threads(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > MOST_THREADS ? MOST_THREADS : (int)processors;
}

static void *help(void *argument)
{
    hand *h = argument;
    for (int part; (part = atomic_fetch_add(&h->job->next, 1)) < h->job->count;)
        h->job->work(h->job->data, part, h->thread);
    return NULL;
}

void parallel_for(int count, void (*work)(void *data, int part, int thread), void *data)
{
    job j = {work, data, count, 0};
    hand hands[MOST_THREADS];
    pthread_t threads[MOST_THREADS];
    int wanted = parallel_threads(), started = 0;
    for (int i = 0; i < wanted; i++)
        hands[i] = (hand){&j, i};
    /* A thread that cannot be had is no failure: this one does the work. */
    for (int i = 1; i < wanted && i < count; i++, started++)
        if (pthread_create(&threads[i], NULL, help, &hands[i]) != 0)
            break;
    help(&hands[0]);
    for (int i = 1; i <= started; i++)
        pthread_join(threads[i], NULL);
}
