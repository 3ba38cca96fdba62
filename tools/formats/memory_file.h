/* SPDX-License-Identifier: MIT */
/* Files that GDAL writes in memory, so that a disk that is full is told by our own writes: drivers
 * do not always say so. */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

/* Write the bytes of a file of /vsimem to `temporary` and take it out of memory.  path: for the
 * message. */
int memory_file_keep(const char *memory, const char *path, const char *temporary);

#endif
