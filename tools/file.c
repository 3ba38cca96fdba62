/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all. */
#include "config.h"

#include "file.h"

#include "target.h"
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 128, LETTERS = 6, MOST_TRIES = 100, MOST_OF_NAME = 200 };

/* Static, so that a signal handler and exit() find it whatever the state of the heap. */
static struct {
    target target;
    char temporary[LONGEST_TARGET + 64];
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

/* ---- temporary names: .NAME.PID.LETTERS.part ---- */

/* Whether a file has not been told of yet. */
static bool is_news(ino_t file)
{
    static ino_t told[MOST_FILES];
    static int count;
    for (int i = 0; i < count; i++)
        if (told[i] == file)
            return false;
    if (count < MOST_FILES)
        told[count++] = file;
    return true;
}

/* Names that another run left: tell of those whose process is gone. */
static void look_for_left(const char *folder, const char *name, size_t length)
{
    DIR *stream = opendir(folder[0] ? folder : ".");
    for (struct dirent *e; stream && (e = readdir(stream));) {
        char *end;
        if (e->d_name[0] != '.' || strncmp(e->d_name + 1, name, length) != 0 ||
            e->d_name[1 + length] != '.')
            continue;
        long pid = strtol(e->d_name + length + 2, &end, 10);
        if (pid > 0 && *end == '.' && strlen(end) == LETTERS + strlen("..part") &&
            strcmp(end + 1 + LETTERS, ".part") == 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
            is_news(e->d_ino))
            warn("%s%s is left of a run that was killed: it can be removed", folder, e->d_name);
    }
    if (stream)
        closedir(stream);
}

/* Letters that nobody can tell in advance, and did not have to: the file is made, or it is not. */
static void pick_letters(char letters[LETTERS + 1])
{
    static uint64_t state;
    uint64_t random = 0;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &random, sizeof random) != (ssize_t)sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        random = (uint64_t)now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) + ++state;
    }
    if (fd >= 0)
        close(fd);
    for (int i = 0; i < LETTERS; i++, random /= 36)
        letters[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[random % 36];
    letters[LETTERS] = 0;
}

/* An empty file of a name that was not there, no link followed.  Bytes for a stream wait in the
 * folder for temporary files. */
static int make_temporary(int slot)
{
    const target *t = &files[slot].target;
    const char *slash = strrchr(t->path, '/'), *name = slash ? slash + 1 : t->path;
    const char *tmp = getenv("TMPDIR");
    const int length = (int)strnlen(name, MOST_OF_NAME);
    char folder[LONGEST_TARGET];
    if (t->stream)
        snprintf(folder, sizeof folder, "%.*s/", LONGEST_TARGET - 2, tmp && *tmp ? tmp : "/tmp");
    else
        snprintf(folder, sizeof folder, "%.*s", (int)(name - t->path), t->path);
    int fd = -1;
    for (int n = 0; n < MOST_TRIES && (n == 0 || (fd < 0 && errno == EEXIST)); n++) {
        char letters[LETTERS + 1];
        pick_letters(letters);
        int whole = snprintf(files[slot].temporary, sizeof files[slot].temporary,
                             "%s.%.*s.%ld.%s.part", folder, length, name, (long)getpid(), letters);
        if (whole >= (int)sizeof files[slot].temporary)
            return errno = ENAMETOOLONG, -1;
        fd = open(files[slot].temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC,
                  t->stream ? 0600 : 0666);
    }
    if (fd >= 0 && !t->stream)
        look_for_left(folder, name, (size_t)length);
    return fd;
}

/* ---- begin, commit, discard ---- */

int file_begin(const char *path, const char **temporary)
{
    static int registered;
    *temporary = NULL;
    if (!registered) {
        registered = atexit(file_discard_all) == 0;
        stop_cleans(file_discard_all);
    }

    int slot = 0;
    while (slot < MOST_FILES && files[slot].used)
        slot++;
    if (slot == MOST_FILES)
        return fail(STATUS_INPUT, "%s: more than %d files at once", path, (int)MOST_FILES);
    int status = target_find(path, &files[slot].target);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i].used && target_same(&files[i].target, &files[slot].target))
            return fail(STATUS_USAGE,
                        "%s: is written already by this run: give each output a name "
                        "of its own",
                        path);
    if (files[slot].target.stream && access(path, W_OK) != 0)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    int fd = make_temporary(slot);
    if (fd < 0)
        return fail(STATUS_FAILED, "%s: cannot be written: %s: choose another --out or folder",
                    path, strerror(errno));
    files[slot].used = 1;
    close(fd);
    *temporary = files[slot].temporary;
    return STATUS_OK;
}

/* A pipe without a reader is waited for, as long as nobody wants the run to end.  A descriptor that
 * is open already goes on where it is. */
static int open_stream(const char *path)
{
    const struct timespec pause = {0, 20000000};
    int given;
    if (sscanf(path, "/proc/self/fd/%d", &given) == 1 || sscanf(path, "/dev/fd/%d", &given) == 1) {
        fflush(stdout);
        return dup(given);
    }
    for (;;) {
        int fd = open(path, O_WRONLY | O_NONBLOCK | O_TRUNC | O_CLOEXEC);
        if (fd >= 0 || (errno != ENXIO && errno != EINTR) || stop_requested())
            return fd;
        nanosleep(&pause, NULL);
    }
}

/* No write waits, so that a signal ends what nobody reads; the first one of a run only ends its
 * steps. */
static bool write_whole(int fd, const char *bytes, size_t count)
{
    const bool stopping = stop_requested();
    while (count > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        if (poll(&ready, 1, 100) <= 0) {
            if (!stopping && stop_requested())
                return errno = EINTR, false;
            continue;
        }
        ssize_t written = write(fd, bytes, count < PIPE_BUF ? count : PIPE_BUF);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno != EAGAIN && errno != EINTR)
            return false;
    }
    return true;
}

static bool write_into(const char *path, const char *temporary)
{
    char bytes[65536];
    ssize_t count = 0;
    int from = open(temporary, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : open_stream(path);
    bool done = to >= 0;
    while (done && (count = read(from, bytes, sizeof bytes)) > 0)
        done = write_whole(to, bytes, (size_t)count);
    done = done && count == 0;
    int error = errno;
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0 && done) {
        error = errno;
        done = false;
    }
    unlink(temporary);
    errno = error;
    return done;
}

/* On the disk before the name: else a power cut may leave a name with nothing behind it. */
static bool flush(const char *temporary)
{
    int fd = open(temporary, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP);
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return done;
}

int file_commit(const char *temporary)
{
    int slot = find(temporary);
    if (slot < 0)
        return STATUS_OK;
    const target *t = &files[slot].target;
    bool done = t->stream ? write_into(t->path, temporary)
                          : flush(temporary) && rename(temporary, t->path) == 0;
    if (!done) {
        int status = fail(STATUS_FAILED, "%s: cannot be written: %s", t->path,
                          t->stream && errno == ENXIO ? "nobody reads it" : strerror(errno));
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

int file_check_writable(const char *path)
{
    const char *temporary;
    int status = file_begin(path, &temporary);
    file_discard(temporary);
    return status;
}

int file_check_distinct(int count, const char *const *paths)
{
    target one, other;
    int status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        for (int k = 0; k < i && status == STATUS_OK; k++) {
            if (!paths[i] || !paths[k] || strcmp(paths[i], "-") == 0 || strcmp(paths[k], "-") == 0)
                continue;
            status = target_find(paths[i], &one);
            if (status == STATUS_OK)
                status = target_find(paths[k], &other);
            if (status == STATUS_OK && target_same(&one, &other))
                status = fail(STATUS_USAGE,
                              "%s and %s are one file: give each output a name of its "
                              "own",
                              paths[k], paths[i]);
        }
    return status;
}

/* ---- reading ---- */

int file_open(const char *option, const char *path, FILE **out)
{
    struct stat about;
    const char *space = option[0] ? " " : "";
    *out = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK |
                            O_CLOEXEC); /* a pipe without a writer is not waited for */
    bool there = fd >= 0 && fstat(fd, &about) == 0;
    if (there && S_ISREG(about.st_mode))
        *out = fdopen(fd, "rb");
    if (*out)
        return STATUS_OK;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (there && !S_ISREG(about.st_mode))
        return fail(STATUS_INPUT, "%s%s%s: cannot be read: is no file but a folder, pipe or device",
                    option, space, path);
    return fail(STATUS_INPUT, "%s%s%s: cannot be read: %s", option, space, path, strerror(error));
}

int file_check_readable(const char *path, size_t *size)
{
    FILE *stream;
    struct stat about;
    int status = file_open("", path, &stream);
    if (status != STATUS_OK)
        return status;
    *size = fstat(fileno(stream), &about) == 0 ? (size_t)about.st_size : 0;
    fclose(stream);
    return STATUS_OK;
}
