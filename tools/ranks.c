/* SPDX-License-Identifier: MIT */
/* One run by several ranks: who this one is, which device it takes, how failures end all. */
#include "config.h"

#include "ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 256 };

static ranks_here alone = {.count = 1};
static _Thread_local ranks_here *here = &alone;

int ranks_number(void)
{
    return here->number;
}

int ranks_count(void)
{
    return here->count;
}

foehn_domain *ranks_domain(void)
{
    return here->domain;
}

bool ranks_are_threads(void)
{
    return here->list != NULL;
}

/* ---- processes ---- */

#ifdef HAVE_MPI
static bool by_mpi;
#endif

int ranks_begin(const char *command)
{
#ifdef HAVE_MPI
    static const char *const taken[] = {"wind", "devices", "--version", "--help"};
    if (!mpi_is_launched())
        return STATUS_OK;
    int status = mpi_begin(&alone);
    by_mpi = status == STATUS_OK;
    if (status != STATUS_OK || alone.count == 1)
        return status;
    stop_at_once(alone.number > 0);
    if (alone.number > 0)
        keep_silent();
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (command && strcmp(command, taken[i]) == 0)
            return STATUS_OK;
    return fail(STATUS_USAGE, "%s runs in one process: leave out mpirun; foehn wind is for several",
                command ? command : "foehn");
#else
    (void)command;
    return STATUS_OK;
#endif
}

int ranks_end(int status)
{
#ifdef HAVE_MPI
    if (by_mpi)
        return mpi_end(&alone, status, silent_text());
#endif
    return status;
}

/* ---- together ---- */

int ranks_agree(int status)
{
    int all[MOST_RANKS];
    if (!here->domain)
        return status;
    if (foehn_domain_gather(here->domain, sizeof status, &status, all) != FOEHN_OK)
        return status != STATUS_OK ? status : STATUS_OTHER;
    for (int n = 0; n < here->count && status == STATUS_OK; n++)
        if (all[n] != STATUS_OK) {
            here->failed_status = all[n];
            status = STATUS_OTHER;
        }
    return status;
}

int ranks_broadcast(size_t bytes, void *data)
{
    return here->domain ? fail_library(foehn_domain_broadcast(here->domain, bytes, data))
                        : STATUS_OK;
}

/* ---- devices ---- */

int ranks_list_count(const char *list)
{
    int count = 1;
    for (const char *p = list; *p; p++)
        count += *p == ',';
    return count;
}

int ranks_list_check(const char *list)
{
    const size_t length = strlen(list);
    if (length == 0 || list[0] == ',' || list[length - 1] == ',' || strstr(list, ",,"))
        return fail(STATUS_INPUT, "--devices %s: give devices separated by commas, such as 0,1",
                    list);
    if (ranks_list_count(list) > MOST_RANKS)
        return fail(STATUS_INPUT, "--devices: %d of them: at most %d", ranks_list_count(list),
                    (int)MOST_RANKS);
    return STATUS_OK;
}

/* Entry n of "a,b,c", in a place of its own. */
static const char *entry(const char *list, int n)
{
    static _Thread_local char text[128];
    for (; n > 0; n--)
        list = strchr(list, ',') + 1;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(list, ","), list);
    return text;
}

/* The n-th of the devices that are like the best one: the same name and platform. */
static int one_like_best(const char *device, int n, const char **out)
{
    static _Thread_local char text[24];
    int best, alike = 0;
    size_t count;
    foehn_device_info *infos;
    int status = fail_library(foehn_device_choose(device, &best, 0, NULL));
    if (status == STATUS_OK)
        status = list_devices(&infos, &count);
    if (status != STATUS_OK)
        return status;
    for (int pass = 0; pass < 2; pass++) {
        const int wanted = alike > 0 ? n % alike : -1;
        alike = 0;
        for (size_t i = 0; i < count; i++)
            if (strcmp(infos[i].name, infos[best].name) == 0 &&
                strcmp(infos[i].platform, infos[best].platform) == 0 && alike++ == wanted)
                snprintf(text, sizeof text, "%zu", i);
    }
    free(infos);
    *out = text;
    return STATUS_OK;
}

int ranks_device(const char *device, const char *list, const char **out)
{
    *out = device;
    if (here->count == 1)
        return STATUS_OK;
    if (!list)
        return one_like_best(device, here->number_on_host, out);
    *out = entry(list, here->number_on_host % ranks_list_count(list));
    return STATUS_OK;
}

/* ---- threads ---- */

typedef struct worker {
    ranks_here here;
    int (*work)(void *data);
    void *data;
    int status;
} worker;

static void *work(void *data)
{
    worker *w = data;
    here = &w->here;
    if (w->here.number > 0)
        keep_silent();
    w->status = w->work(w->data);
    if (w->status != STATUS_OK)
        foehn_domain_leave(w->here.domain);
    if (w->here.number > 0)
        snprintf(w->here.failed_text, sizeof w->here.failed_text, "%s", silent_text());
    here = &alone;
    return NULL;
}

int ranks_run_local(const char *list, int (*function)(void *data), void *data)
{
    const int count = ranks_list_count(list);
    foehn_domain *domains[MOST_RANKS];
    worker *workers = calloc((size_t)count, sizeof *workers);
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    int status = workers && threads ? STATUS_OK : fail_memory(), started = 1;
    if (status == STATUS_OK)
        status = fail_library(foehn_domain_create_local(count, domains));
    if (status == STATUS_OK) {
        stop_at_once(false);
        for (int n = 0; n < count; n++)
            workers[n] = (worker){
                .here = {n, count, n, 0, domains[n], list, 0, ""}, .work = function, .data = data};
        for (; started < count &&
               pthread_create(&threads[started], NULL, work, &workers[started]) == 0;
             started++)
            ;
        if (started < count) {
            status = fail(STATUS_FAILED, "--devices: no thread for part %d", started);
            foehn_domain_leave(domains[0]);
        } else {
            work(&workers[0]);
        }
        for (int n = 1; n < started; n++)
            pthread_join(threads[n], NULL);
        /* One message: rank 0's, which it has given, or that of the first that knows more than that
         * another failed. */
        for (int n = 0; n < count && status == STATUS_OK; n++)
            if (workers[n].status != STATUS_OK && workers[n].status != STATUS_OTHER)
                status = n == 0 ? workers[n].status
                                : fail(workers[n].status, "part %d of %d: %s", n, count,
                                       workers[n].here.failed_text);
        for (int n = 0; n < count; n++)
            foehn_domain_destroy(domains[n]);
    }
    free(workers);
    free(threads);
    return status;
}
