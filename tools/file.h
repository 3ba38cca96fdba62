/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all: written under a temporary name beside the file that the
 * name stands for, renamed at the end.  Devices and pipes get the bytes at the end. */
#ifndef FILE_H
#define FILE_H

#include <stdio.h>

/* Reserve a temporary name and make an empty file of it, so that a folder that cannot be written is
 * found out before the work.  *temporary lives until commit or discard. */
int file_begin(const char *path, const char **temporary);

/* Give the file its name, once its bytes are on the disk; or write them into the device or pipe. */
int file_commit(const char *temporary);

/* Remove it.  NULL is allowed. */
void file_discard(const char *temporary);

/* That a file of this name could be written. */
int file_check_writable(const char *path);

/* Remove all that are not committed; safe in a signal handler. */
void file_discard_all(void);

/* Outputs of one run that stand for the same file are refused.  A NULL and "-" are none. */
int file_check_distinct(int count, const char *const *paths);

/* Open a file to read; what is no regular file, and might not end, is refused.  option: "" or what
 * the message begins with. */
int file_open(const char *option, const char *path, FILE **out);
/* The same for libraries that open by name. */
int file_check_readable(const char *path, size_t *size);

#endif
