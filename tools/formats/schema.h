/* SPDX-License-Identifier: MIT */
/* Reading YAML with a schema: every mapping names the keys it may have, and whatever is wrong is
 * told with file and line. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "tool.h"

#include <stdint.h>

/* Return from a function when a step of it failed. */
#define CHECK(call)                                                                                \
    do {                                                                                           \
        int status_ = (call);                                                                      \
        if (status_ != STATUS_OK)                                                                  \
            return status_;                                                                        \
    } while (0)

typedef struct yaml_file yaml_file;

/* One node of a file. */
typedef struct yaml_at {
    const yaml_file *file;
    int node; /* 0: none */
} yaml_at;

/* Read a file, or text under a name that messages use. */
int yaml_open(const char *path, yaml_file **out);
int yaml_open_text(const char *name, const char *text, yaml_file **out);
void yaml_close(yaml_file *file);
yaml_at yaml_root(const yaml_file *file);

/* Of all keys and values, in their order. */
uint64_t yaml_hash(const yaml_file *file);

/* A message with file and line of the node.  Returns STATUS_INPUT. */
int yaml_fail(yaml_at at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Line of a node in its file, from 1. */
int yaml_line(yaml_at at);

/* The node is a mapping with no keys but these (NULL ends the list), none twice. */
int yaml_check_keys(yaml_at mapping, const char *what, const char *const *keys);

/* Value of a key; node 0 when it is not there. */
yaml_at yaml_get(yaml_at mapping, const char *key);

bool yaml_is_mapping(yaml_at at);
bool yaml_is_sequence(yaml_at at);
int yaml_count(yaml_at sequence);
yaml_at yaml_item(yaml_at sequence, int index);
/* Text of a scalar, NULL of anything else. */
const char *yaml_text(yaml_at at);

/* Convert what is there; leave *out alone when the node is 0. */
int yaml_number(yaml_at at, const char *what, double low, double high, double *out);
int yaml_whole(yaml_at at, const char *what, int low, int high, int *out);
int yaml_numbers(yaml_at at, const char *what, int count, double *out);
int yaml_truth(yaml_at at, const char *what, bool *out);
/* Index of the text in a list that NULL ends. */
int yaml_choice(yaml_at at, const char *what, const char *const *choices, int *out);
int yaml_copy_text(yaml_at at, const char *what, size_t size, char *out);

#endif
