/* SPDX-License-Identifier: MIT */
/* Files of saved states (HDF5): the options that made them, and named arrays. */
#ifndef STATE_H
#define STATE_H

#include "tool.h"

/* An option that must be the same for the run to go on; the attribute has the option's name. */
enum { MOST_SETTINGS = 24, SETTING_TEXT = 160 };
typedef struct setting {
    const char *option;
    char value[SETTING_TEXT];
} setting;

/* The next of settings[*count]: the name of an option, its value as printf() has it. */
void state_setting(setting *settings, int *count, const char *option, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

typedef enum state_type { STATE_BYTES, STATE_FLOATS, STATE_DOUBLES } state_type;
typedef struct state_array {
    const char *name;
    state_type type;
    size_t count;
    void *data; /* NULL when read: as many as the file has, malloc()ed, and count is set */
} state_array;

/* That a file of this name could be written. */
int state_check(const char *path);
int state_write(const char *path, const char *device, int setting_count, const setting *settings,
                int array_count, const state_array *arrays);
/* Read arrays of known size.  The array that is named like the command tells whose state it is.
 * Another option than the one that made it is refused by name; another device is told (NULL: it is
 * not known yet). */
int state_read(const char *path, const char *command, const char *device, int setting_count,
               const setting *settings, int array_count, state_array *arrays);

/* A whole number from 0 to most; false: the file says something else. */
bool state_count(double number, double most, uint64_t *out);

/* fail_library(), which names the file where the file is to blame. */
int state_fail_library(const char *path, foehn_status status);
/* "path: is damaged: start anew". */
int state_damaged(const char *path);

/* FNV-1a, to go on from h; STATE_HASH_START to begin with. */
#define STATE_HASH_START UINT64_C(14695981039346656037)
uint64_t state_hash(uint64_t h, const void *bytes, size_t size);

#endif
