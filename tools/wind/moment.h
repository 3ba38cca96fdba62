/* SPDX-License-Identifier: MIT */
/* Moments as ISO 8601 writes them. */
#ifndef MOMENT_H
#define MOMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds since 1970 (UTC) of 2026-11-30T12[:00[:00]][Z]; false: it is no such text. */
bool moment_parse(const char *text, double *seconds);
/* The same back, to the minute or second. */
void moment_write(double seconds, char *text, size_t size);

#endif
