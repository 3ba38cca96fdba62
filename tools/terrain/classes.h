/* SPDX-License-Identifier: MIT */
/* Tables from a class of land cover to what the wind feels of it. */
#ifndef CLASSES_H
#define CLASSES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ground_class {
    int number;          /* as the raster has it */
    double z0;           /* m; 1e-6 to 9.9 */
    double displacement; /* m; 0 to 100 */
    char name[64];
} ground_class;

typedef struct class_table {
    char what[128]; /* which table this is, for reports */
    size_t count;
    ground_class *rows; /* by number, each once */
} class_table;

/* A table that is built in, or a file: columns class and z0, and where wanted displacement and
 * name. */
int classes_read(const char *name, class_table *out);
void classes_destroy(class_table *table);

/* NULL: there is none. */
const ground_class *classes_find(const class_table *table, double number);

/* The built-in ones; data/roughness has their text. */
typedef struct class_text {
    const char *name, *text;
} class_text;
extern const class_text class_texts[];

#endif
