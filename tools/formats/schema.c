/* SPDX-License-Identifier: MIT */
/* Reading YAML with a schema, on libyaml's document tree. */
#include "config.h"

#include "formats/schema.h"

#include "file.h"
#include "formats/state.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_file {
    char *name;
    yaml_document_t document;
};

static yaml_node_t *node_of(yaml_at at)
{
    return at.node ? yaml_document_get_node((yaml_document_t *)&at.file->document, at.node) : NULL;
}

/* libyaml's time grows with the square of how deep brackets are nested: reading ends where they are
 * deeper than in any of our files.  Those within words are counted, too. */
enum { DEEPEST = 64 };

typedef struct yaml_source {
    FILE *stream;
    const char *text; /* without a stream */
    int depth;
} yaml_source;

static bool is_sound(yaml_source *s, const unsigned char *bytes, size_t size)
{
    for (size_t n = 0; n < size && s->depth <= DEEPEST; n++)
        if (bytes[n] == '[' || bytes[n] == '{')
            s->depth++;
        else if ((bytes[n] == ']' || bytes[n] == '}') && s->depth > 0)
            s->depth--;
    return s->depth <= DEEPEST;
}

static int read_file(void *data, unsigned char *buffer, size_t size, size_t *got)
{
    yaml_source *s = data;
    *got = fread(buffer, 1, size, s->stream);
    return !ferror(s->stream) && is_sound(s, buffer, *got);
}

static int read_text(void *data, unsigned char *buffer, size_t size, size_t *got)
{
    yaml_source *s = data;
    *got = strnlen(s->text, size);
    memcpy(buffer, s->text, *got);
    s->text += *got;
    return is_sound(s, buffer, *got);
}

static int parse(yaml_parser_t *parser, const int *depth, const char *name, yaml_file **out)
{
    yaml_file *f = calloc(1, sizeof *f);
    if (!f || !(f->name = strdup(name))) {
        free(f);
        return fail_memory();
    }
    if (!yaml_parser_load(parser, &f->document)) {
        size_t line = parser->problem_mark.line + 1;
        int status = *depth > DEEPEST ? fail(STATUS_INPUT, "%s: brackets are nested deeper than %d",
                                             name, (int)DEEPEST)
                                      : fail(STATUS_INPUT, "%s:%zu: %s", name, line,
                                             parser->problem ? parser->problem : "not YAML");
        free(f->name);
        free(f);
        return status;
    }
    *out = f;
    if (!yaml_document_get_root_node(&f->document)) {
        int status = fail(STATUS_INPUT, "%s:1: the file is empty", name);
        yaml_close(f);
        *out = NULL;
        return status;
    }
    return STATUS_OK;
}

int yaml_open(const char *path, yaml_file **out)
{
    *out = NULL;
    FILE *stream;
    int status = file_open("", path, &stream);
    if (status != STATUS_OK)
        return status;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        fclose(stream);
        return fail_memory();
    }
    yaml_source source = {.stream = stream};
    yaml_parser_set_input(&parser, read_file, &source);
    status = parse(&parser, &source.depth, path, out);
    yaml_parser_delete(&parser);
    fclose(stream);
    return status;
}

int yaml_open_text(const char *name, const char *text, yaml_file **out)
{
    *out = NULL;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return fail_memory();
    yaml_source source = {.text = text};
    yaml_parser_set_input(&parser, read_text, &source);
    int status = parse(&parser, &source.depth, name, out);
    yaml_parser_delete(&parser);
    return status;
}

void yaml_close(yaml_file *file)
{
    if (!file)
        return;
    yaml_document_delete(&file->document);
    free(file->name);
    free(file);
}

yaml_at yaml_root(const yaml_file *file)
{
    return (yaml_at){file, 1};
}

int yaml_line(yaml_at at)
{
    const yaml_node_t *n = node_of(at);
    return n ? (int)n->start_mark.line + 1 : 1;
}

uint64_t yaml_hash(const yaml_file *file)
{
    uint64_t hash = STATE_HASH_START;
    for (int n = 1;; n++) {
        const yaml_node_t *node = node_of((yaml_at){file, n});
        if (!node)
            return hash;
        const int32_t kind = (int32_t)node->type;
        hash = state_hash(hash, &kind, sizeof kind);
        if (node->type == YAML_SCALAR_NODE) /* with its zero, so that ab, c is not a, bc */
            hash = state_hash(hash, node->data.scalar.value, node->data.scalar.length + 1);
    }
}

int yaml_fail(yaml_at at, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const yaml_node_t *n = node_of(at);
    return fail(STATUS_INPUT, "%s:%zu: %s", at.file->name, n ? n->start_mark.line + 1 : 1, text);
}

int yaml_check_keys(yaml_at mapping, const char *what, const char *const *keys)
{
    const yaml_node_t *n = node_of(mapping);
    if (!n || n->type != YAML_MAPPING_NODE)
        return yaml_fail(mapping, "%s: must be \"key: value\" pairs", what);
    size_t count = 0;
    while (keys[count])
        count++;
    const yaml_node_pair_t *first = n->data.mapping.pairs.start, *top = n->data.mapping.pairs.top;
    for (const yaml_node_pair_t *p = first; p < top; p++) {
        yaml_at at = {mapping.file, p->key};
        const char *key = yaml_text(at);
        bool known = false;
        for (size_t k = 0; key && k < count; k++)
            known = known || strcmp(key, keys[k]) == 0;
        if (!key)
            return yaml_fail(at, "%s: a key must be a word", what);
        const char *near = known ? NULL : nearest_word(key, count, keys);
        if (!known && near)
            return yaml_fail(at, "%s: unknown key \"%s\": did you mean %s?", what, key, near);
        if (!known)
            return yaml_fail(at, "%s: unknown key \"%s\"", what, key);
        for (const yaml_node_pair_t *q = first; q < p; q++)
            if (strcmp(yaml_text((yaml_at){mapping.file, q->key}), key) == 0)
                return yaml_fail(at, "%s: \"%s\" is there twice", what, key);
    }
    return STATUS_OK;
}

yaml_at yaml_get(yaml_at mapping, const char *key)
{
    const yaml_node_t *n = node_of(mapping);
    if (n && n->type == YAML_MAPPING_NODE)
        for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
             p++) {
            const char *name = yaml_text((yaml_at){mapping.file, p->key});
            if (name && strcmp(name, key) == 0)
                return (yaml_at){mapping.file, p->value};
        }
    return (yaml_at){mapping.file, 0};
}

bool yaml_is_mapping(yaml_at at)
{
    const yaml_node_t *n = node_of(at);
    return n && n->type == YAML_MAPPING_NODE;
}

bool yaml_is_sequence(yaml_at at)
{
    const yaml_node_t *n = node_of(at);
    return n && n->type == YAML_SEQUENCE_NODE;
}

int yaml_count(yaml_at sequence)
{
    const yaml_node_t *n = node_of(sequence);
    if (!n || n->type != YAML_SEQUENCE_NODE)
        return 0;
    return (int)(n->data.sequence.items.top - n->data.sequence.items.start);
}

yaml_at yaml_item(yaml_at sequence, int index)
{
    return (yaml_at){sequence.file, node_of(sequence)->data.sequence.items.start[index]};
}

const char *yaml_text(yaml_at at)
{
    const yaml_node_t *n = node_of(at);
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

int yaml_number(yaml_at at, const char *what, double low, double high, double *out)
{
    if (!at.node)
        return STATUS_OK;
    const char *text = yaml_text(at);
    char *end = NULL;
    double value = text ? strtod(text, &end) : NAN;
    if (text && end != text && *end == '/') { /* 1/60 */
        char *last;
        double below = strtod(end + 1, &last);
        value = last != end + 1 && *last == 0 ? value / below : NAN;
        end = last;
    }
    if (!text || end == text || *end != 0 || !isfinite(value))
        return yaml_fail(at, "%s: %s is not a number", what, text ? text : "this");
    if (value < low || value > high)
        return yaml_fail(at, "%s: %s is out of range: %g to %g", what, text, low, high);
    *out = value;
    return STATUS_OK;
}

int yaml_whole(yaml_at at, const char *what, int low, int high, int *out)
{
    double value = *out;
    int status = yaml_number(at, what, low, high, &value);
    if (status == STATUS_OK && value != floor(value))
        return yaml_fail(at, "%s: %s is not a whole number", what, yaml_text(at));
    if (status == STATUS_OK)
        *out = (int)value;
    return status;
}

int yaml_numbers(yaml_at at, const char *what, int count, double *out)
{
    if (!at.node)
        return STATUS_OK;
    if (yaml_count(at) != count)
        return yaml_fail(at, "%s: must be a list of %d numbers", what, count);
    for (int i = 0; i < count; i++) {
        int status = yaml_number(yaml_item(at, i), what, -1e9, 1e9, &out[i]);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int yaml_truth(yaml_at at, const char *what, bool *out)
{
    static const char *const words[] = {"false", "true", "no", "yes", NULL};
    int index = *out;
    int status = yaml_choice(at, what, words, &index);
    *out = index % 2;
    return status;
}

int yaml_choice(yaml_at at, const char *what, const char *const *choices, int *out)
{
    if (!at.node)
        return STATUS_OK;
    const char *text = yaml_text(at);
    size_t count = 0;
    for (; choices[count]; count++)
        if (text && strcmp(text, choices[count]) == 0) {
            *out = (int)count;
            return STATUS_OK;
        }
    char list[300] = "";
    for (size_t k = 0; k < count; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", choices[k]);
    }
    const char *near = text ? nearest_word(text, count, choices) : NULL;
    if (near)
        return yaml_fail(at, "%s: unknown \"%s\": did you mean %s? (%s)", what, text, near, list);
    return yaml_fail(at, "%s: %s%s%s is not one of %s", what, text ? "\"" : "",
                     text ? text : "this", text ? "\"" : "", list);
}

int yaml_copy_text(yaml_at at, const char *what, size_t size, char *out)
{
    if (!at.node)
        return STATUS_OK;
    const char *text = yaml_text(at);
    if (!text)
        return yaml_fail(at, "%s: must be text", what);
    if (strlen(text) >= size)
        return yaml_fail(at, "%s: longer than %zu bytes", what, size - 1);
    strcpy(out, text);
    return STATUS_OK;
}
