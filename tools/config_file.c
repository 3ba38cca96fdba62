/* SPDX-License-Identifier: MIT */
/* Options out of a file. */
#include "config.h"

#include "config_file.h"

#include "file.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 256 };

/* Words of all files that were read; options keep pointers to them. */
static char *words[MOST_WORDS + 3];
static int count;

static const struct option *find(const struct option *options, const char *name)
{
    for (; options->name; options++)
        if (strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

static int unknown(const char *path, int line, const struct option *options, const char *name)
{
    const char *names[128];
    size_t n = 0;
    for (; options->name && n < sizeof names / sizeof names[0]; options++)
        names[n++] = options->name;
    const char *near = nearest_word(name, n, names);
    return fail(STATUS_INPUT, "%s:%d: unknown option %s%s%s%s", path, line, name,
                near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
}

static int add_word(const char *path, int line, const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 4;
    if (count >= MOST_WORDS)
        return fail(STATUS_INPUT, "%s:%d: more than %d options", path, line, (int)MOST_WORDS);
    char *word = malloc(size);
    if (!word)
        return fail_memory();
    snprintf(word, size, "--%s%s%s", name, *value ? "=" : "", value);
    words[count++] = word;
    return STATUS_OK;
}

static int read_line(const char *path, int line, const struct option *options, char *text)
{
    char *name = trim(text);
    if (*name == 0 || *name == '#')
        return STATUS_OK;
    name += strncmp(name, "--", 2) == 0 ? 2 : 0;
    char *value = name + strcspn(name, " \t=");
    char *rest = value + strspn(value, " \t");
    rest += *rest == '=';
    rest = trim(rest);
    *value = 0;
    size_t n = strlen(rest);
    if (n > 1 && *rest == '"' && rest[n - 1] == '"') {
        rest[n - 1] = 0;
        rest++;
    }
    const struct option *option = find(options, name);
    if (!option || strcmp(name, "help") == 0 || strcmp(name, "config") == 0)
        return option
                   ? fail(STATUS_INPUT, "%s:%d: %s is for the command line only", path, line, name)
                   : unknown(path, line, options, name);
    if (option->has_arg == required_argument)
        return *rest ? add_word(path, line, name, rest)
                     : fail(STATUS_INPUT, "%s:%d: %s takes a value", path, line, name);
    if (strcmp(rest, "no") == 0 || strcmp(rest, "false") == 0)
        return STATUS_OK;
    if (*rest && strcmp(rest, "yes") != 0 && strcmp(rest, "true") != 0)
        return fail(STATUS_INPUT, "%s:%d: %s takes no value but yes or no", path, line, name);
    return add_word(path, line, name, "");
}

int config_read(const char *path, const struct option *options, int *argc, char ***argv)
{
    if (count >= MOST_WORDS)
        return fail(STATUS_INPUT, "%s: more than %d options in files", path, (int)MOST_WORDS);
    FILE *stream;
    int status = file_open("--config", path, &stream);
    if (status != STATUS_OK)
        return status;
    char text[1024];
    static char nameless[] = "";
    int first = count;
    words[count++] = nameless;
    for (int line = 1; status == STATUS_OK && fgets(text, sizeof text, stream); line++)
        status = !strchr(text, '\n') && !feof(stream)
                     ? fail(STATUS_INPUT, "%s:%d: longer than %zu bytes", path, line, sizeof text)
                     : read_line(path, line, options, text);
    if (status == STATUS_OK && ferror(stream))
        status = fail(STATUS_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    fclose(stream);
    *argc = count - first;
    *argv = words + first;
    words[count++] = NULL;
    return status;
}
