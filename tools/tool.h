/* SPDX-License-Identifier: MIT */
/* What every file of the command uses: exit statuses, messages, the wish to stop. */
#ifndef TOOL_H
#define TOOL_H

#include "stop.h"

#include <foehn/foehn.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses; functions that can fail return one, after having said why. */
enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1,    /* while running */
    STATUS_USAGE = 2,     /* unknown command or option, missing argument, options that exclude */
    STATUS_INPUT = 3,     /* a value or an input file that cannot be used */
    STATUS_NO_DEVICE = 4, /* no usable OpenCL device */
    STATUS_STOPPED = 130, /* by a signal, before there was anything to write */
    STATUS_OTHER = -2     /* another rank has failed, and says why: see ranks.h */
};

/* One line on stderr, "foehn: ...": what, where, what to do.  Returns status. */
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
int fail_memory(void);
/* The library's last error, with the exit status that fits. */
int fail_library(foehn_status status);
/* All devices, to be freed; where it fails, *infos is NULL. */
int list_devices(foehn_device_info **infos, size_t *count);
/* Like fail(), but the run goes on. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a person may like to know.  Goes to stdout, or to stderr when results go to stdout. */
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_to(FILE *stream); /* NULL: nowhere */

/* A line on a terminal that the next one or a message takes the place of. */
void line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void line_clear(void);

/* Say nothing more in this thread; what fail() was called with last is kept. */
void keep_silent(void);
const char *silent_text(void);
bool is_silent(void);

/* A library could not close a file: HDF5 1.10 would try again while the process exits, and fall
 * over its own remains (H5_term_library).  main() then leaves without that. */
void leave_unclosed(void);
bool left_unclosed(void);

/* Without blanks and ends of lines around it; cuts them off in place. */
char *trim(char *text);

/* The candidate most like the word, or NULL when none is near enough to suggest. */
const char *nearest_word(const char *word, size_t count, const char *const *candidates);

/* Subcommands: argv[0] is the name of the command. */
int bench_main(int argc, char **argv);
int box_main(int argc, char **argv);
int devices_main(int argc, char **argv);
int wind_main(int argc, char **argv);
int fire_main(int argc, char **argv);
int flow_main(int argc, char **argv);
int view_main(int argc, char **argv);

#endif
