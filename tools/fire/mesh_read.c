/* SPDX-License-Identifier: MIT */
/* Meshes from files, through assimp. */
#include "config.h"

#include "fire/mesh.h"

#ifndef HAVE_ASSIMP

int mesh_read(const char *path, double scale, bool z_up, mesh *out)
{
    (void)scale, (void)z_up;
    *out = (mesh){0};
    return fail(STATUS_USAGE,
                "%s: this foehn was built without meshes from files: install libassimp-dev, then "
                "configure and make again",
                path);
}

#else

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <string.h>

enum { MOST_TRIANGLES = 20000000, MOST_HEADER = 65536 };

/* assimp 5.2 does not come back from a PLY header without an end or of more than there is. */
static int check_ply(const char *path, FILE *stream)
{
    char line[512] = "";
    double promised = 0;
    if (!fgets(line, sizeof line, stream) || strncmp(line, "ply", 3) != 0)
        return STATUS_OK; /* no PLY */
    while (strncmp(line, "end_header", strlen("end_header")) != 0) {
        double count = 0;
        if (ftell(stream) > MOST_HEADER || !fgets(line, sizeof line, stream))
            return fail(STATUS_INPUT, "%s: its PLY header has no end", path);
        if (sscanf(line, "element %*s %lf", &count) == 1)
            promised += count;
    }
    long header = ftell(stream);
    if (fseek(stream, 0, SEEK_END) != 0 || !(promised <= (double)(ftell(stream) - header)))
        return fail(STATUS_INPUT, "%s: is cut short: its PLY header promises %.0f elements", path,
                    promised);
    return STATUS_OK;
}

/* Polygons become triangles, transforms of nodes are applied, points and lines go. */
static const struct aiScene *import(const char *path)
{
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    aiSetImportPropertyInteger(settings, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const struct aiScene *scene = aiImportFileExWithProperties(
        path, aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices, NULL,
        settings);
    aiReleasePropertyStore(settings);
    return scene;
}

static int convert(const char *path, const struct aiScene *scene, double scale, bool z_up,
                   mesh *out)
{
    size_t vertices = 0, triangles = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        vertices += scene->mMeshes[i]->mNumVertices;
        triangles += scene->mMeshes[i]->mNumFaces;
    }
    if (triangles > MOST_TRIANGLES || vertices > 3 * (size_t)MOST_TRIANGLES)
        return fail(STATUS_INPUT, "%s: %zu triangles: at most %d; simplify the mesh", path,
                    triangles, (int)MOST_TRIANGLES);
    int status = mesh_reserve(out, vertices, triangles);
    for (unsigned i = 0; i < scene->mNumMeshes && status == STATUS_OK; i++) {
        const struct aiMesh *part = scene->mMeshes[i];
        uint32_t base = (uint32_t)out->vertex_count;
        for (unsigned n = 0; n < part->mNumVertices; n++) {
            const struct aiVector3D *p = &part->mVertices[n];
            double x = scale * (double)p->x, y = scale * (double)p->y, z = scale * (double)p->z;
            mesh_add_vertex(out, x, z_up ? z : y, z_up ? -y : z);
        }
        for (unsigned n = 0; n < part->mNumFaces; n++) {
            const struct aiFace *face = &part->mFaces[n];
            if (face->mNumIndices != 3)
                continue;
            for (int k = 0; k < 3; k++)
                if (face->mIndices[k] >= part->mNumVertices)
                    return fail(STATUS_INPUT, "%s: a triangle has a corner %u of %u", path,
                                face->mIndices[k], part->mNumVertices);
            mesh_add_triangle(out, base + face->mIndices[0], base + face->mIndices[1],
                              base + face->mIndices[2]);
        }
    }
    return status == STATUS_OK ? mesh_clean(out, path) : status;
}

int mesh_read(const char *path, double scale, bool z_up, mesh *out)
{
    *out = (mesh){0};
    FILE *stream = fopen(path, "rb"); /* assimp does not say why it cannot open a file */
    if (!stream)
        return fail(STATUS_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    int status = check_ply(path, stream);
    fclose(stream);
    if (status != STATUS_OK)
        return status;
    const struct aiScene *scene = import(path);
    if (!scene)
        return fail(STATUS_INPUT, "%s: cannot be read as a mesh: %s", path, aiGetErrorString());
    status = convert(path, scene, scale, z_up, out);
    aiReleaseImport(scene);
    if (status != STATUS_OK)
        mesh_destroy(out);
    return status;
}

#endif
