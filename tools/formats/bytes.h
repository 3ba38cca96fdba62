/* SPDX-License-Identifier: MIT */
/* Little-endian files that appear whole. */
#ifndef BYTES_H
#define BYTES_H

#include "tool.h"

#include <stdint.h>

typedef struct bytes_file {
    const char *path, *temporary;
    FILE *stream;
} bytes_file;

int bytes_open(const char *path, bytes_file *f);
void bytes_byte(bytes_file *f, unsigned char byte);
void bytes_int16(bytes_file *f, int value);
void bytes_int32(bytes_file *f, int32_t value);
void bytes_float(bytes_file *f, double value);
/* To the nearest whole number that 16 bits hold. */
int bytes_round(double value);
/* Fails when anything could not be written. */
int bytes_close(bytes_file *f);
/* Files that belong together: all appear, or none, as where status says that something failed. */
int bytes_close_all(int count, bytes_file *files, int status);

#endif
