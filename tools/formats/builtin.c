/* SPDX-License-Identifier: MIT */
/* Scenes that are built in. */
#include "config.h"

#include "formats/builtin.h"

#include <string.h>

enum { MOST_SCENES = 64 };

int builtin_open(const builtin_table *t, const char *name, yaml_file **file)
{
    for (const builtin_scene *b = t->scenes; b->name; b++)
        if (strcmp(b->name, name) == 0)
            return yaml_open_text(b->name, b->text, file);
    if (strchr(name, '.') || strchr(name, '/'))
        return yaml_open(name, file);
    const char *names[MOST_SCENES];
    size_t count = 0;
    for (const builtin_scene *b = t->scenes; b->name && count < MOST_SCENES; b++)
        names[count++] = b->name;
    const char *near = nearest_word(name, count, names);
    if (near)
        return fail(STATUS_USAGE, "%s: no such scene: did you mean %s? see foehn %s --list", name,
                    near, t->command);
    return fail(STATUS_USAGE, "%s: no such scene, nor a file: see foehn %s --list", name,
                t->command);
}

void builtin_about(const builtin_scene *b, size_t size, char *text)
{
    /* What stands between the quotes of the scene's about. */
    const char *about = strstr(b->text, "about: \"");
    about = about ? about + strlen("about: \"") : "";
    snprintf(text, size, "%.*s", (int)strcspn(about, "\""), about);
}

void builtin_list(const builtin_table *t)
{
    for (const builtin_scene *b = t->scenes; b->name; b++) {
        char about[200];
        builtin_about(b, sizeof about, about);
        printf("  %-18s%s\n", b->name, about);
    }
}

int builtin_show(const builtin_table *t, const char *name)
{
    for (const builtin_scene *b = t->scenes; b->name; b++)
        if (strcmp(b->name, name) == 0) {
            fputs(b->text, stdout);
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "%s: no built-in scene: see foehn %s --list", name, t->command);
}
