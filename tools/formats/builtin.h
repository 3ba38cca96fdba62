/* SPDX-License-Identifier: MIT */
/* Scenes that are built in: found by name, listed, shown, and read like files. */
#ifndef BUILTIN_H
#define BUILTIN_H

#include "formats/schema.h"

typedef struct builtin_scene {
    const char *name, *text;
} builtin_scene;

/* Scenes of a command; a table ends with a row without a name. */
typedef struct builtin_table {
    const char *command;
    const builtin_scene *scenes;
} builtin_table;

extern const builtin_scene flow_scenes[], fire_scenes[];

/* The built-in scene of that name, or a file, whose name has a dot or a slash. */
int builtin_open(const builtin_table *table, const char *name, yaml_file **file);
/* What a scene is about, a line. */
void builtin_about(const builtin_scene *scene, size_t size, char *text);
/* Print names and what they are about, a line each. */
void builtin_list(const builtin_table *table);
/* Print the text of one. */
int builtin_show(const builtin_table *table, const char *name);

#endif
