/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all. */
#include "config.h"

#include "file.h"

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 128, LONGEST = 1024 };

/* Static, so that a signal handler and exit() find it whatever the state of the heap. */
static struct {
    char path[LONGEST];
    char temporary[LONGEST + 64];
    volatile int used;
} files[MOST_FILES];

static int find(const char *temporary)
{
    for (int i = 0; temporary && i < MOST_FILES; i++)
        if (files[i].used && files[i].temporary == temporary)
            return i;
    return -1;
}

void file_discard_all(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i].used) {
            unlink(files[i].temporary);
            files[i].used = 0;
        }
}

int file_begin(const char *path, const char **temporary)
{
    static int registered;
    *temporary = NULL;
    if (!registered)
        registered = atexit(file_discard_all) == 0;

    int slot = 0;
    while (slot < MOST_FILES && files[slot].used)
        slot++;
    if (slot == MOST_FILES || strlen(path) >= LONGEST)
        return fail(STATUS_INPUT, "%s: more than %d files or a name over %d bytes", path,
                    (int)MOST_FILES, (int)LONGEST);

    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return fail(STATUS_FAILED, "%s: is a folder: give the name of a file", path);

    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    snprintf(files[slot].path, sizeof files[slot].path, "%s", path);
    snprintf(files[slot].temporary, sizeof files[slot].temporary, "%.*s.%s.%ld.part", folder, path,
             path + folder, (long)getpid());
    int fd = open(files[slot].temporary, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (fd < 0)
        return fail(STATUS_FAILED, "%s: cannot be written: %s: choose another --out or folder",
                    path, strerror(errno));
    close(fd);
    files[slot].used = 1;
    *temporary = files[slot].temporary;
    return STATUS_OK;
}

int file_commit(const char *temporary)
{
    int slot = find(temporary);
    if (slot < 0)
        return STATUS_OK;
    if (rename(files[slot].temporary, files[slot].path) != 0) {
        int status =
            fail(STATUS_FAILED, "%s: cannot be named: %s", files[slot].path, strerror(errno));
        file_discard(temporary);
        return status;
    }
    files[slot].used = 0;
    return STATUS_OK;
}

void file_discard(const char *temporary)
{
    int slot = find(temporary);
    if (slot < 0)
        return;
    unlink(files[slot].temporary);
    files[slot].used = 0;
}
