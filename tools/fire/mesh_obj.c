/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: its points (v) and faces (f); names, materials, normals and curves are passed
 * over. */
#include "config.h"

#include "fire/mesh_source.h"

#include <stdlib.h>
#include <string.h>

/* The next word of a line, NULL at its end; a backslash goes on in the next line. */
static char *next_word(char **p, const char *end, int *line)
{
    for (; *p < end && strchr(" \t\r\\\n", **p); (*p)++) {
        if (**p == '\\' && (*p)[1 + strspn(*p + 1, "\r")] == '\n') {
            *p += 1 + strspn(*p + 1, "\r");
            ++*line;
        } else if (**p == '\\' || **p == '\n')
            return NULL;
    }
    if (*p >= end)
        return NULL;
    char *word = *p;
    *p += strcspn(*p, " \t\r\n\\");
    return *p > word ? word : NULL;
}

static int read_point(mesh_source *s, char **p, const char *end, int *line)
{
    double at[3];
    for (int k = 0; k < 3; k++) {
        char *word = next_word(p, end, line);
        if (!word || !mesh_number(&word, &at[k]))
            return mesh_fail(s, "line %d: a vertex needs three numbers, such as 0.5", *line);
    }
    return mesh_take_vertex(s, at[0], at[1], at[2]);
}

/* Corners count from 1, or back from the last vertex so far; what follows a slash is passed over.
 */
static int read_face(mesh_source *s, char **p, const char *end, int *line)
{
    uint32_t corners[MOST_CORNERS];
    size_t count = 0;
    for (char *word; (word = next_word(p, end, line));) {
        char *last;
        long long number = strtoll(word, &last, 10), most = (long long)s->out->vertex_count;
        if (last == word || !strchr("/ \t\r\n\\", *last) || number == 0 || number > most ||
            number < -most)
            return mesh_fail(s, "line %d: a face has a corner %.*s of %lld", *line,
                             (int)strcspn(word, " \t\r\n"), word, most);
        if (count == MOST_CORNERS)
            return mesh_fail(s, "line %d: a face of more than %d corners", *line,
                             (int)MOST_CORNERS);
        corners[count++] = (uint32_t)(number > 0 ? number - 1 : most + number);
    }
    return mesh_take_polygon(s, 0, count, corners);
}

int mesh_read_obj(mesh_source *s)
{
    char *p = s->bytes + (strncmp(s->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    const char *end = s->bytes + s->size;
    int status = STATUS_OK;
    for (int line = 1; p < end && status == STATUS_OK; line++) {
        char *word = next_word(&p, end, &line);
        size_t length = word ? (size_t)(p - word) : 0;
        if (length == 1 && *word == 'v')
            status = read_point(s, &p, end, &line);
        else if (length == 1 && *word == 'f')
            status = read_face(s, &p, end, &line);
        char *next = memchr(p, '\n', (size_t)(end - p));
        p = next ? next + 1 : s->bytes + s->size;
    }
    return status;
}
