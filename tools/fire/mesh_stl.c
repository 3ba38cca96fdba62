/* SPDX-License-Identifier: MIT */
/* STL, as text and in bytes (3D Systems, StereoLithography Interface Specification, 1989). */
#include "config.h"

#include "fire/mesh_source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 84, FACET = 50 };

static uint32_t word_at(const char *bytes)
{
    const unsigned char *p = (const unsigned char *)bytes;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double number_at(const char *bytes)
{
    uint32_t word = word_at(bytes);
    float number;
    memcpy(&number, &word, sizeof number);
    return (double)number;
}

/* The last three vertices. */
static int take_last(mesh_source *s)
{
    uint32_t n = (uint32_t)s->out->vertex_count;
    return mesh_take_polygon(s, 0, 3, (const uint32_t[3]){n - 3, n - 2, n - 1});
}

static int read_bytes(mesh_source *s, uint32_t count)
{
    int status = STATUS_OK;
    for (uint32_t n = 0; n < count && status == STATUS_OK; n++) {
        const char *facet = s->bytes + HEADER + (size_t)n * FACET;
        for (int k = 1; k < 4 && status == STATUS_OK; k++) /* the normal is first */
            status = mesh_take_vertex(s, number_at(facet + 12 * k), number_at(facet + 12 * k + 4),
                                      number_at(facet + 12 * k + 8));
        if (status == STATUS_OK)
            status = take_last(s);
    }
    return status;
}

/* Words in small or capital letters; of a facet only its corners matter. */
static int read_text(mesh_source *s)
{
    int corners = 0, status = STATUS_OK;
    for (char *p = s->bytes + strcspn(s->bytes, "\r\n"); status == STATUS_OK;) {
        p += strspn(p, " \t\r\n");
        size_t length = strcspn(p, " \t\r\n");
        if (length == 0)
            break;
        char *word = p;
        p += length;
        if (length == strlen("vertex") && strncasecmp(word, "vertex", length) == 0) {
            double at[3];
            for (int k = 0; k < 3; k++)
                if (!mesh_number(&p, &at[k]))
                    return mesh_fail(s, "vertex %zu has no three numbers, such as 0.5",
                                     s->out->vertex_count + 1);
            status = mesh_take_vertex(s, at[0], at[1], at[2]);
            corners++;
        } else if (length == strlen("endfacet") && strncasecmp(word, "endfacet", length) == 0) {
            if (corners != 3)
                return mesh_fail(s, "a facet of %d corners: STL has triangles", corners);
            corners = 0;
            status = take_last(s);
        }
    }
    return status == STATUS_OK && corners ? mesh_fail(s, "is cut short: a facet has no end")
                                          : status;
}

int mesh_read_stl(mesh_source *s)
{
    /* The header of one in bytes may begin with "solid", too: its length tells. */
    uint32_t count = s->size >= HEADER ? word_at(s->bytes + HEADER - 4) : 0;
    if (s->size >= HEADER && s->size == HEADER + (size_t)count * FACET)
        return read_bytes(s, count);
    char *first = s->bytes + strspn(s->bytes, " \t\r\n");
    if (strncasecmp(first, "solid", strlen("solid")) == 0)
        return read_text(s);
    if (s->size < HEADER)
        return mesh_fail(s, "is no STL: neither \"solid\" nor a header of %d bytes", (int)HEADER);
    if (s->size < HEADER + (size_t)count * FACET)
        return mesh_fail(s, "is cut short: its header promises %u triangles", count);
    size_t held = (s->size - HEADER) / FACET;
    if (held > count)
        return mesh_fail(s, "its header promises %u triangles, and %zu are in it: save it anew",
                         count, held);
    return read_bytes(s, count);
}
