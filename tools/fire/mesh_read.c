/* SPDX-License-Identifier: MIT */
/* Meshes from files: OBJ, PLY, STL, glTF, by readers that take them for hostile. */
#include "config.h"

#include "fire/mesh_source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* By its first bytes; points and faces without any sign are OBJ. */
static int read_unnamed(mesh_source *s)
{
    const char *first = s->bytes + strspn(s->bytes, " \t\r\n");
    if (strncmp(first, "ply", 3) == 0 && strchr("\r\n", first[3]))
        return mesh_read_ply(s);
    if (*first == '{' || strncmp(first, "glTF", 4) == 0)
        return mesh_read_gltf(s);
    return strncasecmp(first, "solid", 5) == 0 ? mesh_read_stl(s) : mesh_read_obj(s);
}

static int read_kind(mesh_source *s)
{
    static const struct {
        const char *extension;
        int (*read)(mesh_source *s);
    } kinds[] = {{".obj", mesh_read_obj},
                 {".ply", mesh_read_ply},
                 {".stl", mesh_read_stl},
                 {".gltf", mesh_read_gltf},
                 {".glb", mesh_read_gltf}};
    const char *dot = strrchr(s->path, '.');
    for (size_t k = 0; dot && k < sizeof kinds / sizeof *kinds; k++)
        if (strcasecmp(dot, kinds[k].extension) == 0)
            return kinds[k].read(s);
    return read_unnamed(s);
}

int mesh_read(const char *path, double scale, bool z_up, mesh *out)
{
    mesh_source s = {.path = path, .scale = scale, .z_up = z_up, .out = out};
    *out = (mesh){0};
    int status = mesh_load(path, &s.bytes, &s.size);
    if (status == STATUS_OK)
        status = mesh_reserve(out, 0, 0);
    if (status == STATUS_OK)
        status = read_kind(&s);
    if (status == STATUS_OK && out->triangle_count == 0)
        status = mesh_fail(&s, "it has no triangle");
    if (status == STATUS_OK)
        status = mesh_clean(out, path);
    free(s.bytes);
    if (status != STATUS_OK)
        mesh_destroy(out);
    return status;
}
