/* SPDX-License-Identifier: MIT */
/* Options out of a file. */
#ifndef CONFIG_FILE_H
#define CONFIG_FILE_H

#include <getopt.h>

/* Read a file of lines "name value" or "name = value", without --; "name" alone, "name yes" or
 * "name no" for options that take no value; # begins a comment line.  Gives an argv with argv[0]
 * that lives until the end. Fails with the file and the line. */
int config_read(const char *path, const struct option *options, int *argc, char ***argv);

#endif
