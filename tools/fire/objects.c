/* SPDX-License-Identifier: MIT */
/* Meshes, emitters and colliders of a fire's scene file. */
#include "config.h"

#include "fire/fire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 1e4 /* m: the largest size of anything */
#define LEAST 1e-4

int fire_scene_path(yaml_at at, const char *what, const fire_scene *s, char out[LONGEST_PATH])
{
    char name[LONGEST_PATH] = "";
    CHECK(yaml_copy_text(at, what, sizeof name, name));
    const char *slash = strrchr(s->name, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - s->name) + 1 : 0;
    if (folder + strlen(name) >= LONGEST_PATH)
        return yaml_fail(at, "%s: longer than %d bytes", what, LONGEST_PATH - 1);
    memcpy(out, s->name, folder);
    memcpy(out + folder, name, strlen(name) + 1);
    return STATUS_OK;
}

/* ---- meshes ---- */

/* Sizes of a shape: which keys it takes, each above 0. */
static int read_shape_size(yaml_at at, mesh_shape_kind kind, double size[3])
{
    yaml_at radius = yaml_get(at, "radius"), inner = yaml_get(at, "inner");
    yaml_at box = yaml_get(at, "size"), width = yaml_get(at, "width");
    yaml_at height = yaml_get(at, "height");
    bool round = kind != SHAPE_BOX && kind != SHAPE_TEAPOT;
    if (round != (radius.node != 0))
        return yaml_fail(at, "%s: %s", mesh_shape_names[kind],
                         round ? "radius is missing" : "has no radius");
    if ((kind == SHAPE_RING) != (inner.node != 0))
        return yaml_fail(at, "%s: %s", mesh_shape_names[kind],
                         kind == SHAPE_RING ? "inner, the inner radius, is missing"
                                            : "has no inner radius");
    if ((kind == SHAPE_BOX) != (box.node != 0))
        return yaml_fail(at, "%s: %s", mesh_shape_names[kind],
                         kind == SHAPE_BOX ? "size is missing" : "has no size");
    if ((kind == SHAPE_TEAPOT) != (width.node != 0))
        return yaml_fail(at, "%s: %s", mesh_shape_names[kind],
                         kind == SHAPE_TEAPOT ? "width is missing" : "has no width");
    if ((kind == SHAPE_CYLINDER) != (height.node != 0))
        return yaml_fail(at, "%s: %s", mesh_shape_names[kind],
                         kind == SHAPE_CYLINDER ? "height is missing" : "has no height");
    CHECK(yaml_number(radius, "radius", LEAST, LONGEST, &size[0]));
    CHECK(yaml_number(height, "height", LEAST, LONGEST, &size[1]));
    CHECK(yaml_number(inner, "inner", LEAST, LONGEST, &size[1]));
    CHECK(yaml_number(width, "width", LEAST, LONGEST, &size[0]));
    CHECK(yaml_numbers(box, "size", 3, size));
    for (int k = 0; box.node && k < 3; k++)
        if (!(size[k] >= LEAST && size[k] <= LONGEST))
            return yaml_fail(box, "size: %g is out of range: %g to %g m", size[k], LEAST, LONGEST);
    if (kind == SHAPE_RING && !(size[1] < size[0]))
        return yaml_fail(inner, "inner: %g is not less than the radius, %g", size[1], size[0]);
    return STATUS_OK;
}

static int fire_scene_mesh(yaml_at at, const char *what, const fire_scene *s, mesh *out)
{
    static const char *const keys[] = {"shape",  "radius", "inner", "size", "width",
                                       "height", "file",   "scale", "up",   NULL};
    static const char *const ups[] = {"y", "z", NULL};
    int kind = 0, up = 0;
    double size[3] = {0, 0, 0}, scale = 1;
    yaml_at shape = yaml_get(at, "shape"), file = yaml_get(at, "file");
    CHECK(yaml_check_keys(at, what, keys));
    if ((shape.node != 0) == (file.node != 0))
        return yaml_fail(at, "%s: give a shape or a file", what);
    if (shape.node) {
        if (yaml_get(at, "scale").node || yaml_get(at, "up").node)
            return yaml_fail(at, "%s: scale and up are for files", what);
        CHECK(yaml_choice(shape, "shape", mesh_shape_names, &kind));
        CHECK(read_shape_size(at, (mesh_shape_kind)kind, size));
        return mesh_make_shape((mesh_shape_kind)kind, size, out);
    }
    char path[LONGEST_PATH];
    if (yaml_get(at, "radius").node || yaml_get(at, "inner").node || yaml_get(at, "size").node ||
        yaml_get(at, "width").node || yaml_get(at, "height").node)
        return yaml_fail(at, "%s: a file is sized by scale", what);
    CHECK(fire_scene_path(file, "file", s, path));
    CHECK(yaml_number(yaml_get(at, "scale"), "scale", 1e-6, 1e6, &scale));
    CHECK(yaml_choice(yaml_get(at, "up"), "up", ups, &up));
    return mesh_read(path, scale, up == 1, out);
}

/* ---- emitters ---- */

static int read_strength(yaml_at at, bool burns, fire_proxy *p)
{
    static const char *const others[2][2] = {{"power", "pilot"}, {"multiplier", "tint"}};
    for (int n = 0; n < 2; n++) { /* 0 says nothing */
        yaml_at key = yaml_get(at, others[burns][n]);
        double value = 0;
        CHECK(yaml_number(key, others[burns][n], 0, 1e9, &value));
        if (value > 0)
            return yaml_fail(key, "%s: %g is for fire: {mode: %s}, not for {mode: %s}: %s",
                             others[burns][n], value, burns ? "preset" : "burn",
                             burns ? "burn" : "preset",
                             burns ? "give a power in kW" : "choose that mode, or leave it out");
    }
    CHECK(yaml_number(yaml_get(at, "multiplier"), "multiplier", 0, 1e6, &p->multiplier));
    CHECK(yaml_number(yaml_get(at, "tint"), "tint", 0, 1e6, &p->tint));
    CHECK(yaml_number(yaml_get(at, "brush"), "brush", 0, 100, &p->brush));
    CHECK(yaml_number(yaml_get(at, "power"), "power", 0, 1e7, &p->power));
    CHECK(yaml_number(yaml_get(at, "pilot"), "pilot", 0, 3000, &p->pilot));
    return fire_motion_read(at, &p->motion);
}

static int read_proxies(yaml_at list, bool burns, fire_source *out)
{
    static const char *const keys[] = {FIRE_MOTION_KEYS, "multiplier", "tint", "brush",
                                       "power",          "pilot",      NULL};
    int count = list.node ? yaml_count(list) : 1;
    if (count < 1 || count > MOST_PROXIES)
        return yaml_fail(list, "proxies: must be a list of 1 to %d", MOST_PROXIES);
    fire_proxy *proxies = realloc(out->proxies, (size_t)count * sizeof *proxies);
    if (!proxies)
        return fail_memory();
    out->proxies = proxies;
    out->proxy_count = count;
    for (int n = 1; n < count; n++)
        proxies[n] = proxies[0];
    for (int n = 0; list.node && n < count; n++) {
        CHECK(yaml_check_keys(yaml_item(list, n), "proxy", keys));
        CHECK(read_strength(yaml_item(list, n), burns, &proxies[n]));
    }
    return STATUS_OK;
}

int fire_scene_source(yaml_at at, fire_scene *s, fire_source *out)
{
    static const char *const keys[] = {"name",           "mesh",       "points", "proxies",
                                       FIRE_MOTION_KEYS, "multiplier", "tint",   "brush",
                                       "power",          "pilot",      NULL};
    const bool burns = s->params.mode == FOEHN_FIRE_BURN;
    yaml_at points = yaml_get(at, "points");
    CHECK(yaml_check_keys(at, "emitter", keys));
    CHECK(yaml_copy_text(yaml_get(at, "name"), "name", sizeof out->name, out->name));
    if (!yaml_get(at, "mesh").node)
        return yaml_fail(at, "emitter: mesh is missing");
    CHECK(fire_scene_mesh(yaml_get(at, "mesh"), "mesh", s, &out->mesh));
    out->points = -1;
    if (yaml_text(points) && strcmp(yaml_text(points), "vertices") == 0)
        out->points = 0;
    else
        CHECK(yaml_whole(points, "points", 1, 4000000, &out->points));
    out->proxies = calloc(1, sizeof *out->proxies);
    if (!out->proxies)
        return fail_memory();
    out->proxies[0].multiplier = (double)foehn_fire_proxy_default().multiplier;
    out->proxies[0].motion.key_count = 1;
    out->proxies[0].motion.keys[0].rotation[3] = 1;
    CHECK(read_strength(at, burns, &out->proxies[0]));
    CHECK(read_proxies(yaml_get(at, "proxies"), burns, out));
    bool given = !burns || yaml_get(at, "power").node || yaml_get(at, "pilot").node;
    for (int n = 0; n < out->proxy_count && !given; n++)
        given = out->proxies[n].power > 0 || out->proxies[n].pilot > 0;
    return given ? STATUS_OK
                 : yaml_fail(at, "emitter: nothing burns without a power: give it one in kW");
}

/* ---- colliders ---- */

/* Box and ellipsoid by their numbers. */
static int read_body_size(yaml_at at, fire_body *out)
{
    bool box = out->shape == FOEHN_FIRE_BOX;
    yaml_at size = yaml_get(at, "size"), radii = yaml_get(at, "radii");
    if (!(box ? size : radii).node || (box ? radii : size).node)
        return yaml_fail(at, "collider: a%s", box ? " box has a size" : "n ellipsoid has radii");
    if (box)
        CHECK(yaml_numbers(size, "size", 3, out->half));
    else
        CHECK(yaml_numbers(radii, "radii", 3, out->half));
    for (int k = 0; k < 3; k++) {
        if (!(out->half[k] >= LEAST && out->half[k] <= LONGEST))
            return yaml_fail(box ? size : radii, "%s: %g is out of range: %g to %g m",
                             box ? "size" : "radii", out->half[k], LEAST, LONGEST);
        out->half[k] *= box ? 0.5 : 1;
    }
    return STATUS_OK;
}

int fire_scene_body(yaml_at at, const fire_scene *s, fire_body *out)
{
    static const char *const keys[] = {"shape", "size",           "radii", "mesh",
                                       "voxel", FIRE_MOTION_KEYS, NULL};
    static const char *const shapes[] = {"box", "ellipsoid", "mesh", NULL};
    int shape = -1;
    CHECK(yaml_check_keys(at, "collider", keys));
    CHECK(yaml_choice(yaml_get(at, "shape"), "shape", shapes, &shape));
    if (shape < 0)
        return yaml_fail(at, "collider: shape is missing: box, ellipsoid or mesh");
    out->shape = (foehn_fire_shape)shape;
    out->half[0] = out->half[1] = out->half[2] = 1;
    out->motion.key_count = 1;
    out->motion.keys[0].rotation[3] = 1;
    CHECK(fire_motion_read(at, &out->motion));
    if (out->shape != FOEHN_FIRE_MESH) {
        if (yaml_get(at, "mesh").node || yaml_get(at, "voxel").node)
            return yaml_fail(at, "collider: mesh and voxel are for shape: mesh");
        return read_body_size(at, out);
    }
    if (!yaml_get(at, "mesh").node || yaml_get(at, "size").node || yaml_get(at, "radii").node)
        return yaml_fail(at, "collider: shape: mesh has a mesh, which has its own size");
    CHECK(yaml_number(yaml_get(at, "voxel"), "voxel", LEAST, LONGEST, &out->voxel));
    CHECK(fire_scene_mesh(yaml_get(at, "mesh"), "mesh", s, &out->mesh));
    size_t open = 0;
    CHECK(mesh_open_edges(&out->mesh, &open));
    if (open > 0)
        return yaml_fail(at,
                         "collider: the mesh is not closed: %zu of its edges do not lie "
                         "between two triangles; close it, or use a box or an ellipsoid",
                         open);
    return STATUS_OK;
}
