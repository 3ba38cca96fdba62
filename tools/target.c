/* SPDX-License-Identifier: MIT */
/* What the name of an output stands for. */
#include "config.h"

#include "target.h"

#include "tool.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

/* Follow one link: from a name to the name that it holds, which is relative to the link's folder.
 */
static int follow(const char *path, char name[LONGEST_TARGET])
{
    char held[LONGEST_TARGET], next[2 * LONGEST_TARGET];
    ssize_t length = readlink(name, held, sizeof held - 1);
    if (length < 0)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    held[length] = 0;
    const char *slash = held[0] == '/' ? NULL : strrchr(name, '/');
    int folder = slash ? (int)(slash - name) + 1 : 0;
    if (snprintf(next, sizeof next, "%.*s%s", folder, name, held) >= LONGEST_TARGET)
        return fail(STATUS_INPUT, "%s: leads to a name over %d bytes", path, LONGEST_TARGET - 1);
    memcpy(name, next, strlen(next) + 1);
    return STATUS_OK;
}

int target_find(const char *path, target *out)
{
    struct stat status;
    if (strlen(path) >= LONGEST_TARGET)
        return fail(STATUS_INPUT, "%s: a name over %d bytes", path, LONGEST_TARGET - 1);
    snprintf(out->path, sizeof out->path, "%s", path);
    out->stream = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (out->stream && S_ISDIR(status.st_mode))
        return fail(STATUS_FAILED, "%s: is a folder: give the name of a file", path);
    if (out->stream && S_ISBLK(status.st_mode))
        return fail(STATUS_FAILED, "%s: is a disk: give the name of a file", path);
    for (int n = 0; !out->stream && lstat(out->path, &status) == 0 && S_ISLNK(status.st_mode);
         n++) {
        if (n == MOST_LINKS)
            return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(ELOOP));
        /* What /dev/stdout and /dev/fd/3 lead to is open already, whatever file it is. */
        out->stream = strncmp(out->path, "/proc/", strlen("/proc/")) == 0 ||
                      strncmp(out->path, "/dev/fd/", strlen("/dev/fd/")) == 0;
        int done = out->stream ? STATUS_OK : follow(path, out->path);
        if (done != STATUS_OK)
            return done;
    }
    return STATUS_OK;
}

/* The folder of a name. */
static bool stat_folder(const char *path, struct stat *status)
{
    const char *slash = strrchr(path, '/');
    char folder[LONGEST_TARGET];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    return stat(folder, status) == 0;
}

bool target_same(const target *a, const target *b)
{
    struct stat x, y;
    const char *slash_a = strrchr(a->path, '/'), *slash_b = strrchr(b->path, '/');
    if (a->stream || b->stream ||
        strcmp(slash_a ? slash_a + 1 : a->path, slash_b ? slash_b + 1 : b->path) != 0)
        return false;
    if (!stat_folder(a->path, &x) || !stat_folder(b->path, &y))
        return strcmp(a->path, b->path) == 0;
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
