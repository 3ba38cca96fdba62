/* SPDX-License-Identifier: MIT */
/* Moments as ISO 8601 writes them. */
#ifndef MOMENT_H
#define MOMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds since 1970 (UTC) of 2026-11-30T12[:00[:00]][Z]; false: it is no such text. */
bool moment_parse(const char *text, double *seconds);
/* Seconds since midnight of 12[:00[:00]] at the head of a text, and where the text goes on; NULL:
 * it begins with no such time. */
const char *moment_parse_clock(const char *text, double *seconds);
/* The same back, to the minute or second. */
void moment_write(double seconds, char *text, size_t size);

#endif
