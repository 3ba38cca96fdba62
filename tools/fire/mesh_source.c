/* SPDX-License-Identifier: MIT */
/* A file of a mesh in memory, and the mesh that grows from it: polygons are cut into triangles. */
#include "config.h"

#include "file.h"
#include "fire/mesh_source.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIANGLES = 20000000, MOST_LOOKS = 1 << 20 };

int mesh_fail(const mesh_source *s, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(STATUS_INPUT, "%s: cannot be read as a mesh: %s", s->path, text);
}

int mesh_load(const char *path, char **bytes, size_t *size)
{
    FILE *stream;
    *bytes = NULL;
    int status = file_open("", path, &stream);
    if (status != STATUS_OK)
        return status;
    long end = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    rewind(stream);
    *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
    *size = *bytes ? fread(*bytes, 1, (size_t)end, stream) : 0;
    if (*bytes)
        (*bytes)[*size] = 0;
    else
        status = fail_memory();
    if (status == STATUS_OK && ferror(stream))
        status = fail(STATUS_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    fclose(stream);
    return status;
}

bool mesh_number(char **p, double *out)
{
    char *last;
    *out = strtod(*p, &last);
    bool whole = last != *p && strchr(" \t\r\n\\", *last);
    *p = last;
    return whole;
}

/* ---- a mesh that grows ---- */

/* Room for one more of a list that doubles. */
static int grow(mesh_source *s, size_t count, size_t *room)
{
    if (count < *room)
        return STATUS_OK;
    *room = count > 64 ? 2 * count : 128;
    return mesh_reserve(s->out, s->vertex_room - s->out->vertex_count,
                        s->triangle_room - s->out->triangle_count);
}

int mesh_take_vertex(mesh_source *s, double x, double y, double z)
{
    int status = grow(s, s->out->vertex_count, &s->vertex_room);
    if (status != STATUS_OK)
        return status;
    if (s->out->vertex_count >= 3 * (size_t)MOST_TRIANGLES)
        return mesh_fail(s, "more than %d vertices: simplify it", 3 * MOST_TRIANGLES);
    mesh_add_vertex(s->out, s->scale * x, s->scale * (s->z_up ? z : y),
                    s->scale * (s->z_up ? -y : z));
    return STATUS_OK;
}

static int take_triangle(mesh_source *s, uint32_t a, uint32_t b, uint32_t c)
{
    int status = grow(s, s->out->triangle_count, &s->triangle_room);
    if (status != STATUS_OK)
        return status;
    if (s->out->triangle_count >= MOST_TRIANGLES)
        return mesh_fail(s, "more than %d triangles: simplify it", (int)MOST_TRIANGLES);
    mesh_add_triangle(s->out, a, b, c);
    return STATUS_OK;
}

/* Twice the area of a triangle in the plane. */
static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* A polygon as seen along the axis that it faces most (Newell's normal), anticlockwise. */
static void flatten(const mesh *m, size_t count, const uint32_t *corner, double (*flat)[2])
{
    double normal[3] = {0, 0, 0};
    for (size_t i = 0, k = count - 1; i < count; k = i++)
        for (int a = 0; a < 3; a++) {
            const float *p = m->vertices[corner[k]], *q = m->vertices[corner[i]];
            int b = (a + 1) % 3, c = (a + 2) % 3;
            normal[a] += ((double)p[b] - (double)q[b]) * ((double)p[c] + (double)q[c]);
        }
    int axis = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    int along = (axis + 1) % 3, across = (axis + 2) % 3;
    for (size_t i = 0; i < count; i++) {
        flat[i][0] = (double)m->vertices[corner[i]][along];
        flat[i][1] = (double)m->vertices[corner[i]][across] * (normal[axis] < 0 ? -1 : 1);
    }
}

static bool equal(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Does a corner lie in the ear of three others, or on its edge? */
static bool is_blocked(size_t left, const size_t *order, size_t i, double (*flat)[2])
{
    const double *a = flat[order[(i + left - 1) % left]], *b = flat[order[i]];
    const double *c = flat[order[(i + 1) % left]];
    for (size_t k = 2; k + 1 < left; k++) {
        const double *p = flat[order[(i + k) % left]];
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 && !equal(p, a) &&
            !equal(p, b) && !equal(p, c))
            return true;
    }
    return false;
}

/* Cut off ears, corners that turn left with no other in them, until a triangle is left (the two
 * ears theorem: Meisters 1975).  What crosses itself, or takes more looks than any shape that means
 * something, gets a fan. */
static int cut_ears(mesh_source *s, size_t count, const uint32_t *corner)
{
    double flat[MOST_CORNERS][2];
    size_t order[MOST_CORNERS], left = count, looks = 0;
    flatten(s->out, count, corner, flat);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    int status = STATUS_OK;
    while (left > 2 && status == STATUS_OK) {
        size_t ear = 0;
        while (ear < left && left > 3 && (looks += left) < MOST_LOOKS &&
               (turn(flat[order[(ear + left - 1) % left]], flat[order[ear]],
                     flat[order[(ear + 1) % left]]) <= 0 ||
                is_blocked(left, order, ear, flat)))
            ear++;
        ear = ear == left || looks >= MOST_LOOKS ? 1 : ear;
        status = take_triangle(s, corner[order[(ear + left - 1) % left]], corner[order[ear]],
                               corner[order[(ear + 1) % left]]);
        memmove(&order[ear], &order[ear + 1], (--left - ear) * sizeof *order);
    }
    return status;
}

int mesh_take_polygon(mesh_source *s, size_t first, size_t count, const uint32_t *corners)
{
    uint32_t corner[MOST_CORNERS];
    if (count > MOST_CORNERS)
        return mesh_fail(s, "a polygon of more than %d corners", (int)MOST_CORNERS);
    for (size_t i = 0; i < count; i++) {
        if (corners[i] >= s->out->vertex_count - first)
            return mesh_fail(s, "a triangle has a corner %u of %zu", corners[i],
                             s->out->vertex_count - first);
        corner[i] = (uint32_t)first + corners[i];
        for (int k = 0; k < 3; k++) /* lest the ears compare NaN; cleaning says which it was */
            if (!isfinite(s->out->vertices[corner[i]][k]))
                return mesh_clean(s->out, s->path);
    }
    if (count < 3)
        return STATUS_OK; /* a point or a line */
    return count == 3 ? take_triangle(s, corner[0], corner[1], corner[2])
                      : cut_ears(s, count, corner);
}
