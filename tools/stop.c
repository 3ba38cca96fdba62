/* SPDX-License-Identifier: MIT */
/* Signals: at once before the first step, between steps after it. */
#include "config.h"

#include "tool.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop, between_steps, at_once, silent;

static void nothing(void) {}

static void (*clean)(void) = nothing;

void stop_cleans(void (*with)(void))
{
    clean = with;
}

void stop_at_once(bool is_silent)
{
    at_once = 1;
    silent = is_silent;
}

/* Until the first step is done kernels are built, which takes long and cannot be taken up again:
 * then a stop ends the command at once.  Only what a handler may call. */
static void on_signal(int number)
{
    static const char early[] = "\nfoehn: " STOPPED_EARLY "\n";
    static const char ended[] = "foehn: stopped: nothing is written\n";
    if (between_steps && !at_once) {
        if (stop) {
            clean();
            signal(number, SIG_DFL);
            raise(number);
        }
        stop = 1;
        return;
    }
    clean();
    size_t skip = isatty(STDERR_FILENO) ? 0 : 1; /* a terminal may show progress in this line */
    ssize_t told = silent          ? 0
                   : between_steps ? write(STDERR_FILENO, ended, sizeof ended - 1)
                                   : write(STDERR_FILENO, early + skip, sizeof early - 1 - skip);
    _exit(told < 0 ? STATUS_FAILED : STATUS_STOPPED);
}

void stop_on_signals(void)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* not under nohup */
        sigaction(SIGHUP, &action, NULL);
    /* A limit of file sizes and a reader that has gone are errors of write(), which is looked at.
     */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

void stop_between_steps(void)
{
    between_steps = 1;
}

bool stop_requested(void)
{
    return stop != 0;
}
