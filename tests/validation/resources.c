/* SPDX-License-Identifier: MIT */
/* resources COMMAND...: run it and write, as the last line, its wall time, processor time in it and
 * in the kernel (s), and the most memory it held (10^6 bytes). */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct timespec begin, end;
    struct rusage use;
    int status;
    if (argc < 2)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &use) != child)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.2f %.2f %.2f %.0f\n",
           (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec),
           (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec,
           (double)use.ru_stime.tv_sec + 1e-6 * (double)use.ru_stime.tv_usec,
           (double)use.ru_maxrss * 1024e-6);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
