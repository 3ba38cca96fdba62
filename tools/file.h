/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all: written under a temporary name, renamed at the end. */
#ifndef FILE_H
#define FILE_H

#include <stdio.h>

/* Reserve a temporary name beside path and make an empty file of it, so that a folder that cannot
 * be written is found out before the work.  *temporary lives until commit or discard. */
int file_begin(const char *path, const char **temporary);

/* Give the file its name. */
int file_commit(const char *temporary);

/* Remove it.  NULL is allowed. */
void file_discard(const char *temporary);

/* Remove all that are not committed; safe in a signal handler. */
void file_discard_all(void);

#endif
