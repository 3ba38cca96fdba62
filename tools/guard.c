/* SPDX-License-Identifier: MIT */
/* Work on files of strangers in a process of its own. */
#include "config.h"

#include "guard.h"

#include "tool.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { MOST_SECONDS = 60 };

void *guard_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void guard_unshare(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes ? bytes : 1);
}

/* Bytes of address space that are taken; drivers reserve far more than they use. */
static size_t taken(void)
{
    unsigned long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (stream && fscanf(stream, "%lu", &pages) != 1)
        pages = 0;
    if (stream)
        fclose(stream);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) == 0 && most < now.rlim_cur) {
        now.rlim_cur = most;
        setrlimit(what, &now);
    }
}

static void become_child(size_t memory)
{
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE, SIGILL,
                                  SIGINT,  SIGTERM, SIGHUP,  SIGXCPU};
    size_t before = taken();
    for (size_t n = 0; n < sizeof signals / sizeof *signals; n++)
        signal(signals[n], SIG_DFL); /* compilers of kernels print their stack at some */
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, MOST_SECONDS);
    if (before > 0 && memory < SIZE_MAX - before)
        limit(RLIMIT_AS, before + memory);
}

int guard_run(const char *path, size_t memory, int (*work)(void *data), void *data)
{
    line_clear();
    fflush(NULL); /* else the child would have a copy of what waits to be written */
    pid_t child = fork();
    if (child < 0)
        return fail(STATUS_FAILED, "%s: no process to read it in: %s", path, strerror(errno));
    if (child == 0) {
        become_child(memory);
        _exit(work(data));
    }
    int how = 0;
    pid_t got;
    while ((got = waitpid(child, &how, 0)) < 0 && errno == EINTR)
        ;
    if (got < 0)
        return fail(STATUS_FAILED, "%s: the process that reads it is lost: %s", path,
                    strerror(errno));
    if (WIFEXITED(how) && WEXITSTATUS(how) <= STATUS_NO_DEVICE)
        return WEXITSTATUS(how);
    return fail(STATUS_INPUT, "%s: is damaged: the library that reads it did not get through it",
                path);
}
