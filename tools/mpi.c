/* SPDX-License-Identifier: MIT */
/* Ranks that mpirun or srun started: the library's transport over MPI.
 *
 * A rank that fails tells rank 0, which says so once and ends all.  So waiting is polling: for the
 * messages, and on rank 0 for such news. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "config.h"

#include "ranks.h"

#include "file.h"

#define OMPI_SKIP_MPICXX
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG_BYTES = 1, TAG_FAILED = 2, MOST_REQUESTS = 1024, PATIENCE_MS = 5000 };
#define PIECE ((size_t)1 << 29) /* bytes: MPI counts in ints */

typedef struct news {
    int status;
    char text[1024];
} news;

bool mpi_is_launched(void)
{
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK",
                                        "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (getenv(signs[i]))
            return true;
    return false;
}

/* Has a rank failed? */
static bool hear_news(ranks_here *here)
{
    int there = 0;
    MPI_Status from;
    news n;
    if (here->number != 0)
        return false;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAILED, MPI_COMM_WORLD, &there, &from);
    if (!there)
        return false;
    MPI_Recv(&n, sizeof n, MPI_BYTE, from.MPI_SOURCE, TAG_FAILED, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    here->failed_status = n.status;
    snprintf(here->failed_text, sizeof here->failed_text, "rank %d of %d: %.900s", from.MPI_SOURCE,
             here->count, n.text);
    return true;
}

/* Between looks: the processor is first left to others, then slept on; soon, where it is another
 * rank that wants it, and the longer the longer it has taken. */
static void pause_after(const ranks_here *here, int looks)
{
    enum { WITH_CORES = 2000, WITHOUT = 20, SHORTEST = 20000, EACH = 16, DOUBLINGS = 5 };
    const int slept = looks - (here->cores > 1 ? WITH_CORES : WITHOUT);
    const int doublings = slept / EACH < DOUBLINGS ? slept / EACH : DOUBLINGS;
    if (slept < 0)
        sched_yield();
    else
        nanosleep(&(struct timespec){0, SHORTEST << doublings}, NULL);
}

static int post(size_t count, const foehn_message *messages, MPI_Request *requests)
{
    int posted = 0;
    for (int out = 0; out < 2; out++) /* receive first: what comes finds its place */
        for (size_t i = 0; i < count; i++) {
            const foehn_message *m = &messages[i];
            const size_t bytes = out ? m->out_bytes : m->in_bytes;
            for (size_t at = 0; at < bytes; at += PIECE) {
                const int piece = (int)(bytes - at < PIECE ? bytes - at : PIECE);
                if (posted == MOST_REQUESTS)
                    return -1;
                if (out)
                    MPI_Isend((const char *)m->out + at, piece, MPI_BYTE, m->part, TAG_BYTES,
                              MPI_COMM_WORLD, &requests[posted++]);
                else
                    MPI_Irecv((char *)m->in + at, piece, MPI_BYTE, m->part, TAG_BYTES,
                              MPI_COMM_WORLD, &requests[posted++]);
            }
        }
    return posted;
}

static int exchange(void *data, size_t count, const foehn_message *messages)
{
    ranks_here *here = data;
    MPI_Request requests[MOST_REQUESTS];
    const int posted = post(count, messages, requests);
    int done = 0;
    if (posted < 0)
        return 1;
    for (int looks = 0;; looks++) {
        MPI_Testall(posted, requests, &done, MPI_STATUSES_IGNORE);
        if (done)
            return 0;
        if (hear_news(here))
            return 1;
        pause_after(here, looks);
    }
}

/* Cores for each of the host's ranks; at least 1.  PoCL takes all it sees for every rank unless it
 * is told. */
static int share_cores(int ranks_on_host)
{
    cpu_set_t bound;
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    int cores = all > ranks_on_host ? (int)(all / ranks_on_host) : 1;
    char text[16];
    if (sched_getaffinity(0, sizeof bound, &bound) == 0 && CPU_COUNT(&bound) < cores)
        cores = CPU_COUNT(&bound);
    snprintf(text, sizeof text, "%d", cores);
    setenv("POCL_MAX_PTHREAD_COUNT", text, 0); /* to PoCL 3 */
    setenv("POCL_CPU_MAX_CU_COUNT", text, 0);  /* from 4 on */
    return cores;
}

int mpi_begin(ranks_here *here)
{
    MPI_Comm host;
    int on_host;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return fail(STATUS_FAILED, "MPI does not start: run without mpirun");
    MPI_Comm_rank(MPI_COMM_WORLD, &here->number);
    MPI_Comm_size(MPI_COMM_WORLD, &here->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, here->number, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &here->number_on_host);
    MPI_Comm_size(host, &on_host);
    MPI_Comm_free(&host);
    if (here->count == 1)
        return STATUS_OK;
    here->cores = share_cores(on_host);
    foehn_transport t = foehn_transport_default();
    t.part = here->number;
    t.parts = here->count;
    t.data = here;
    t.exchange = exchange;
    return fail_library(foehn_domain_create(&t, &here->domain));
}

/* Tell rank 0, and wait to be ended by it; speak oneself where it does not listen. */
static void report_failure(ranks_here *here, int status, const char *text)
{
    static news n;
    MPI_Request sent;
    n.status = status;
    snprintf(n.text, sizeof n.text, "%s", text && *text ? text : "failed");
    MPI_Isend(&n, sizeof n, MPI_BYTE, 0, TAG_FAILED, MPI_COMM_WORLD, &sent);
    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        int done;
        MPI_Test(&sent, &done, MPI_STATUS_IGNORE);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    fprintf(stderr, "foehn: rank %d of %d: %s\n", here->number, here->count, n.text);
}

/* One that has failed says why itself: it is waited for, or on other ranks for the end. */
static int status_of_another(ranks_here *here)
{
    for (int ms = 0; ms < PATIENCE_MS && !*here->failed_text && !hear_news(here); ms++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return here->failed_status ? here->failed_status : STATUS_FAILED;
}

int mpi_end(ranks_here *here, int status, const char *own_text)
{
    const bool another = status == STATUS_OTHER;
    if (another)
        status = status_of_another(here);
    if (status != STATUS_OK && here->count > 1) {
        if (here->number > 0)
            report_failure(here, status, own_text);
        else if (another)
            fail(status, "%s", *here->failed_text ? here->failed_text : "a rank has failed");
        file_discard_all();
        fflush(NULL);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    foehn_domain_destroy(here->domain);
    here->domain = NULL;
    MPI_Finalize();
    return status;
}
