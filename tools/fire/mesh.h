/* SPDX-License-Identifier: MIT */
/* Triangle meshes: shapes and files that emitters are sampled from and colliders are made of. */
#ifndef MESH_H
#define MESH_H

#include "tool.h"

/* Corners of triangles, m.  Seen from outside a triangle's corners turn anticlockwise. */
typedef struct mesh {
    size_t vertex_count, triangle_count;
    float (*vertices)[3];
    uint32_t (*triangles)[3];
} mesh;

typedef enum mesh_shape_kind {
    SHAPE_DISK = 0, /* level, faces up: radius */
    SHAPE_RING,     /* level, faces up: radius, inner radius */
    SHAPE_BOX,      /* size along x, y, z */
    SHAPE_SPHERE,   /* radius */
    SHAPE_TEAPOT,   /* width from spout to handle; stands on y = 0 */
    SHAPE_CYLINDER  /* upright: radius, height */
} mesh_shape_kind;
extern const char *const mesh_shape_names[]; /* NULL ends the list */

/* Make a shape around the origin.  size: as the kind says, m. */
int mesh_make_shape(mesh_shape_kind kind, const double size[3], mesh *out);

/* Read a file, OBJ, PLY, STL or glTF, by its name's end or its first bytes.  Equal points become
 * one vertex, triangles without area are dropped.  Lengths are times scale; z_up: the file's z
 * becomes y. */
int mesh_read(const char *path, double scale, bool z_up, mesh *out);

/* What readers and shapes are built with: room for so many more, and one of each. */
int mesh_reserve(mesh *m, size_t vertices, size_t triangles);
uint32_t mesh_add_vertex(mesh *m, double x, double y, double z);
void mesh_add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c);
void mesh_destroy(mesh *m);

/* Equal points become one vertex; triangles without area go.  Fails by name when none is left or a
 * coordinate is not finite. */
int mesh_clean(mesh *m, const char *name);

double mesh_area(const mesh *m);   /* m^2 */
double mesh_volume(const mesh *m); /* m^3, of a closed mesh; negative inside out */

/* Edges that do not lie between exactly two triangles of one sense of turn; 0: closed. */
int mesh_open_edges(const mesh *m, size_t *open);

/* Points spread evenly over the surface, the same for the same seed: stratified along the summed
 * area, and within triangles along the R2 sequence (M. Roberts 2018, "The unreasonable
 * effectiveness of quasirandom sequences"). */
int mesh_sample(const mesh *m, size_t count, uint64_t seed, float (*points)[3]);

#endif
