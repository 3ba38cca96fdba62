/* SPDX-License-Identifier: MIT */
/* What the readers of mesh files share: the whole file in memory, and a mesh that grows from it.
 * All that a file says of counts, lengths and numbers of corners is looked at before it is
 * believed. */
#ifndef MESH_SOURCE_H
#define MESH_SOURCE_H

#include "fire/mesh.h"

enum { MOST_CORNERS = 1024 }; /* of a polygon */

typedef struct mesh_source {
    const char *path;
    char *bytes; /* a zero follows them */
    size_t size;
    double scale;
    bool z_up;
    mesh *out;
    size_t vertex_room, triangle_room;
} mesh_source;

/* "path: cannot be read as a mesh: ...".  Returns STATUS_INPUT. */
int mesh_fail(const mesh_source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A regular file, whole. */
int mesh_load(const char *path, char **bytes, size_t *size);

/* The number that begins here, and nothing behind it but a space, a line's end or a backslash.
 * Goes on behind it. */
bool mesh_number(char **p, double *out);

int mesh_take_vertex(mesh_source *s, double x, double y, double z);
/* Cut into triangles; corners count from `first`, the vertices of one part of the file. */
int mesh_take_polygon(mesh_source *s, size_t first, size_t count, const uint32_t *corners);

int mesh_read_obj(mesh_source *s);
int mesh_read_ply(mesh_source *s);
int mesh_read_stl(mesh_source *s);
int mesh_read_gltf(mesh_source *s);

#endif
