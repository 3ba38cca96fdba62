/* SPDX-License-Identifier: MIT */
/* Writing JSON: commas, indentation and escaping are right whatever is said. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *stream;
    int depth;
    bool empty; /* nothing written yet in the innermost object or array */
} json;

/* key is NULL inside an array and for the outermost value. */
void json_begin(json *j, FILE *stream);
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_close(json *j, char bracket);                      /* '}' or ']' */
void json_text(json *j, const char *key, const char *value); /* NULL: null */
void json_number(json *j, const char *key, double value);    /* not finite: null */
void json_count(json *j, const char *key, uint64_t value);
void json_truth(json *j, const char *key, bool value);
void json_end(json *j);

#endif
