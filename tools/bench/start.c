/* SPDX-License-Identifier: MIT */
/* foehn bench start: what the first run of a command costs, one of another size after it, and the
 * same again.
 *
 * Drivers that compile keep what they have compiled in a folder, which they learn of once a
 * process: runs are processes of their own, and each command begins with an empty folder. */
#include "config.h"

#include "bench/bench.h"
#include "progress.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ARGUMENTS = 16, HILL_CELLS = 64, MOST_FOLDERS = 16 };

/* "HILL": a terrain that is made in the folder. */
static const struct {
    const char *title;
    const char *arguments[MOST_ARGUMENTS];
    const char *size, *first, *other; /* the option for it, and two of them */
} commands[] = {
    {"wind", {"wind", "--steps", "1", "--quiet"}, "--cells", "64x16x64", "80x20x56"},
#ifdef HAVE_GDAL
    {"wind --steady",
     {"wind", "--steady", "--assume-metres", "--terrain", "HILL", "--quiet"},
     "--cells",
     "96x24x96",
     "72x18x72"},
#endif
    {"flow cylinder",
     {"flow", "cylinder", "--steps", "1", "--quiet"},
     "--cells",
     "480x270",
     "400x200"},
    {"fire torch", {"fire", "torch", "--steps", "1", "--quiet"}, "--resolution", "0.7", "1"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* ---- the folder ---- */

static int functions; /* counted by count_file(): nftw() hands nothing through */

static int count_file(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    size_t length = strlen(path);
    (void)s, (void)at;
    functions += kind == FTW_F && length > 3 && strcmp(path + length - 3, ".so") == 0;
    return 0;
}

/* Work-group functions that PoCL has compiled into the folder. */
static int count_functions(const char *folder)
{
    functions = 0;
    return nftw(folder, count_file, MOST_FOLDERS, FTW_PHYS) == 0 ? functions : 0;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s, (void)kind, (void)at;
    return remove(path);
}

static int make_folder(size_t size, char *folder)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, size, "%s/foehn-start-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return fail(STATUS_FAILED, "bench start: %s: cannot be made: %s", folder, strerror(errno));
    return STATUS_OK;
}

/* A hill of 100 m in 1.28 km, as an ESRI ASCII grid. */
static int write_hill(const char *path)
{
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 20\n", HILL_CELLS,
                HILL_CELLS);
        for (int i = 0; i < HILL_CELLS * HILL_CELLS; i++)
            fprintf(f, "%.3f%c",
                    100 * bench_hill((double)(i % HILL_CELLS) / HILL_CELLS,
                                     (double)(i / HILL_CELLS) / HILL_CELLS),
                    i % HILL_CELLS == HILL_CELLS - 1 ? '\n' : ' ');
        if (fclose(f) == 0)
            return STATUS_OK;
    }
    return fail(STATUS_FAILED, "bench start: %s: cannot be written: %s", path, strerror(errno));
}

/* ---- a run ---- */

typedef struct start {
    double processor, wall; /* s */
    int functions;
} start;

static double processor_of_children(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* This program. */
static const char *own_path(size_t size, char *path)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = 0;
    return length > 0 ? path : "foehn"; /* the one in PATH */
}

static int run_once(const bench *b, int n, const char *hill, const char *cells, const char *folder,
                    start *result)
{
    char self[1024], *arguments[MOST_ARGUMENTS + 6];
    const char *program = own_path(sizeof self, self);
    int count = 0, state = 0, before = count_functions(folder);
    const char *own[] = {commands[n].size, cells, b->device ? "--device" : NULL, b->device};
    arguments[count++] =
        (char *)(uintptr_t)program; /* posix_spawn's prototype is not const all the way */
    for (int i = 0; commands[n].arguments[i]; i++)
        arguments[count++] = (char *)(uintptr_t)(strcmp(commands[n].arguments[i], "HILL") == 0
                                                     ? hill
                                                     : commands[n].arguments[i]);
    for (int i = 0; i < 4 && own[i]; i++)
        arguments[count++] = (char *)(uintptr_t)own[i];
    arguments[count] = NULL;
    pid_t child;
    double processor = processor_of_children(), began = seconds_now();
    int code = posix_spawnp(&child, program, NULL, NULL, arguments, environ);
    if (code != 0)
        return fail(STATUS_FAILED, "bench start: %s: cannot be run: %s", program, strerror(code));
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return fail(STATUS_FAILED, "bench start: foehn %s %s %s failed", commands[n].title,
                    commands[n].size, cells);
    result->wall = seconds_now() - began;
    result->processor = processor_of_children() - processor;
    result->functions = count_functions(folder) - before;
    return STATUS_OK;
}

/* ---- the table ---- */

static const char *const cases[] = {"cold", "other size", "warm"};

static int run_command(bench *b, int n, const char *folder)
{
    char hill[1100], what[96];
    start s = {0, 0, 0};
    int status = STATUS_OK;
    snprintf(hill, sizeof hill, "%s/hill.asc", folder);
    setenv("POCL_CACHE_DIR", folder, 1);
    setenv("CUDA_CACHE_PATH", folder, 1);
    if (write_hill(hill) != STATUS_OK)
        return STATUS_FAILED;
    for (int c = 0; c < 3 && status == STATUS_OK && !stop_requested(); c++) {
        const char *cells = c == 1 ? commands[n].other : commands[n].first;
        snprintf(what, sizeof what, "%s, %s", commands[n].title, cases[c]);
        progress_say(what);
        status = run_once(b, n, hill, cells, folder, &s);
        if (status != STATUS_OK)
            break;
        bench_table_row(b, (bench_cell[]){TEXT_CELL(commands[n].title), TEXT_CELL(cases[c]),
                                          TEXT_CELL(cells), NUMBER_CELL(s.functions, 0),
                                          NUMBER_CELL(s.processor, 2), NUMBER_CELL(s.wall, 2)});
        if (c == 2)
            continue;
        snprintf(what, sizeof what, "%s, %s: functions compiled", commands[n].title, cases[c]);
        bench_compare(b, what, s.functions, false, c == 0 ? 30 : 0);
    }
    return status;
}

int bench_start(bench *b)
{
    static const bench_column columns[] = {{"command", "command", -14},
                                           {"case", "case", -10},
                                           {"size", "size", 10},
                                           {"functions", "functions", 9},
                                           {"processor_s", "processor s", 11},
                                           {"wall_s", "wall s", 8}};
    int status = STATUS_OK;
    bench_table_begin(b, "start", "A start: what is compiled, and how long it takes", 6, columns);
    for (int n = 0; n < COMMANDS && status == STATUS_OK && !stop_requested(); n++) {
        char folder[1024];
        status = make_folder(sizeof folder, folder);
        if (status != STATUS_OK)
            break;
        status = run_command(b, n, folder);
        nftw(folder, remove_one, MOST_FOLDERS, FTW_DEPTH | FTW_PHYS);
    }
    bench_table_end(b);
    return status;
}
