/* SPDX-License-Identifier: MIT */
/* One run by several: processes that mpirun or srun started, or threads of this one (--devices).
 * Rank 0 reads, writes and speaks; the others compute, and are silent unless they fail. */
#ifndef RANKS_H
#define RANKS_H

#include "tool.h"

/* Join the others, where something like mpirun has started this process among several.  command:
 * what is to be done; those that cannot be done by several are refused.  Call it first. */
int ranks_begin(const char *command);

/* The run's status, on all ranks; does not return where another one still computes. */
int ranks_end(int status);

int ranks_number(void);
int ranks_count(void);
static inline bool ranks_is_first(void)
{
    return ranks_number() == 0;
}

/* NULL: one rank. */
foehn_domain *ranks_domain(void);

/* Whether the ranks are threads of this process. */
bool ranks_are_threads(void);

/* Whether all have got here without a failure: the run's status on all.  Each failing one has said
 * why. */
int ranks_agree(int status);

/* Rank 0's bytes to all. */
int ranks_broadcast(size_t bytes, void *data);

/* The device for this rank.  list: "0,1" or NULL, where the device is one for all or the best; each
 * rank of a host takes the next in the list, or of the devices like the best.  Returns text that
 * lives until the next call. */
int ranks_device(const char *device, const char *list, const char **out);

/* A run by threads, one a device of a list, each calling work(data) with its rank.  Returns as
 * ranks_end(). */
int ranks_run_local(const char *list, int (*work)(void *data), void *data);

/* How many names a list has; and whether it is one. */
int ranks_list_count(const char *list);
int ranks_list_check(const char *list);

/* ---- between ranks.c and mpi.c ---- */

typedef struct ranks_here {
    int number, count;         /* of the run */
    int number_on_host, cores; /* those of the host for each rank; 0: all are one process's */
    foehn_domain *domain;
    const char *list;  /* of devices, of a local run */
    int failed_status; /* of another rank, and what it said; 0: none has */
    char failed_text[1024];
} ranks_here;

#ifdef HAVE_MPI
bool mpi_is_launched(void);
int mpi_begin(ranks_here *here);
int mpi_end(ranks_here *here, int status, const char *own_text);
#endif

#endif
