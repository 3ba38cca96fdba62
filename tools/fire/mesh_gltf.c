/* SPDX-License-Identifier: MIT */
/* glTF 2.0 (Khronos, ISO/IEC 12113), .gltf and .glb: the triangles of the nodes of its scene.  JSON
 * is read as the YAML that it is. */
#include "config.h"

#include "fire/mesh_source.h"
#include "formats/schema.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BUFFERS = 64, LONGEST_URI = 1024, DEEPEST = 64 };
enum { BYTE = 5121, SHORT = 5123, INT = 5125, FLOAT = 5126 }; /* componentType */
enum { TRIANGLES = 4, STRIP, FAN };                           /* mode */

typedef struct gltf_file {
    mesh_source *s;
    yaml_file *json;
    struct {
        char *bytes; /* NULL: not read yet */
        size_t size;
    } buffers[MOST_BUFFERS];
    const char *binary; /* of a .glb */
    size_t binary_size;
    bool *visited; /* nodes */
} gltf_file;

/* An array of the file, within its buffer. */
typedef struct gltf_accessor {
    const char *bytes;
    size_t count, stride;
    int component;
} gltf_accessor;

/* ---- JSON ---- */

static yaml_at list_item(const gltf_file *f, const char *list, double index)
{
    yaml_at at = yaml_get(yaml_root(f->json), list);
    if (!yaml_is_sequence(at) || !(index >= 0 && index < yaml_count(at)))
        return (yaml_at){f->json, 0};
    return yaml_item(at, (int)index);
}

/* A whole number, or what `out` has where there is none. */
static int whole(yaml_at mapping, const char *key, double *out)
{
    CHECK(yaml_number(yaml_get(mapping, key), key, 0, 9e15, out));
    if (*out != floor(*out))
        return yaml_fail(mapping, "%s: %g is not a whole number", key, *out);
    return STATUS_OK;
}

/* An item of a list that an index of a mapping names. */
static int referred(const gltf_file *f, yaml_at mapping, const char *key, const char *list,
                    yaml_at *out)
{
    double index = -1;
    CHECK(whole(mapping, key, &index));
    *out = list_item(f, list, index);
    if (!out->node)
        return yaml_fail(mapping, "%s: %g is none of its %s", key, index, list);
    return STATUS_OK;
}

/* ---- buffers ---- */

static int hex(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* "my%20cube.bin" is "my cube.bin" (RFC 3986, 2.1), beside the file. */
static int path_of(const gltf_file *f, const char *uri, char out[LONGEST_URI])
{
    const char *slash = strrchr(f->s->path, '/');
    size_t used = slash ? (size_t)(slash - f->s->path) + 1 : 0;
    if (used + strlen(uri) >= LONGEST_URI)
        return mesh_fail(f->s, "a name of more than %d bytes", LONGEST_URI - 1);
    if (strstr(uri, "://"))
        return mesh_fail(f->s, "%s is not beside it: only files are read", uri);
    memcpy(out, f->s->path, used);
    for (const char *p = uri; *p; p++) {
        bool coded = *p == '%' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2]);
        char c = coded ? (char)(hex(p[1]) << 4 | hex(p[2])) : *p;
        if (!c)
            return mesh_fail(f->s, "%s is no name of a file", uri);
        out[used++] = c;
        p += coded ? 2 : 0;
    }
    out[used] = 0;
    return STATUS_OK;
}

static int decode_base64(const gltf_file *f, const char *text, char **bytes, size_t *size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    int count = 0;
    *size = 0;
    *bytes = malloc(strlen(text) / 4 * 3 + 4);
    if (!*bytes)
        return fail_memory();
    for (; *text && *text != '='; text++) {
        const char *letter = strchr(letters, *text);
        if (!letter)
            return mesh_fail(f->s, "a buffer is not base64");
        bits = bits << 6 | (uint32_t)(letter - letters);
        count += 6;
        if (count >= 8)
            (*bytes)[(*size)++] = (char)(bits >> (count -= 8));
    }
    return STATUS_OK;
}

static int read_buffer(gltf_file *f, int index, yaml_at buffer)
{
    const char *uri = yaml_text(yaml_get(buffer, "uri"));
    char **bytes = &f->buffers[index].bytes;
    size_t *size = &f->buffers[index].size;
    if (!uri && index == 0 && f->binary) {
        *bytes = malloc(f->binary_size + 1);
        if (!*bytes)
            return fail_memory();
        memcpy(*bytes, f->binary, *size = f->binary_size);
        return STATUS_OK;
    }
    if (!uri)
        return mesh_fail(f->s, "buffer %d has no uri", index);
    if (strncasecmp(uri, "data:", strlen("data:")) == 0) {
        const char *comma = strchr(uri, ',');
        if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0)
            return mesh_fail(f->s, "buffer %d is not base64", index);
        return decode_base64(f, comma + 1, bytes, size);
    }
    char path[LONGEST_URI];
    CHECK(path_of(f, uri, path));
    return mesh_load(path, bytes, size);
}

/* Whole numbers of a file that add up to more than it has are refused. */
static int read_accessor(gltf_file *f, yaml_at at, size_t width, gltf_accessor *out)
{
    yaml_at view, buffer;
    double view_offset = 0, view_length = -1, stride = (double)width, offset = 0, count = 0,
           index = 0;
    if (yaml_get(at, "sparse").node || !yaml_get(at, "bufferView").node)
        return mesh_fail(f->s, "sparse or compressed numbers: save it without them");
    CHECK(referred(f, at, "bufferView", "bufferViews", &view));
    CHECK(referred(f, view, "buffer", "buffers", &buffer));
    CHECK(whole(view, "buffer", &index));
    CHECK(whole(view, "byteOffset", &view_offset));
    CHECK(whole(view, "byteLength", &view_length));
    CHECK(whole(view, "byteStride", &stride));
    CHECK(whole(at, "byteOffset", &offset));
    CHECK(whole(at, "count", &count));
    if (index >= MOST_BUFFERS)
        return mesh_fail(f->s, "more than %d buffers", (int)MOST_BUFFERS);
    int n = (int)index;
    if (!f->buffers[n].bytes)
        CHECK(read_buffer(f, n, buffer));
    double last = offset + (count - 1) * stride + (double)width;
    if (stride < (double)width || stride > 252 || view_length < 0 ||
        view_offset + view_length > (double)f->buffers[n].size || count < 1 || last > view_length)
        return mesh_fail(f->s,
                         "%g numbers at byte %g are more than its buffer %d of %zu bytes holds",
                         count, view_offset + offset, n, f->buffers[n].size);
    out->bytes = f->buffers[n].bytes + (size_t)view_offset + (size_t)offset;
    out->count = (size_t)count;
    out->stride = (size_t)stride;
    return STATUS_OK;
}

/* ---- numbers ---- */

static uint32_t number_at(const char *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t n = 0; n < size; n++)
        value |= (uint32_t)(unsigned char)bytes[n] << 8 * n;
    return value;
}

static int take_points(gltf_file *f, yaml_at accessor, double (*to_world)[4])
{
    gltf_accessor a = {0};
    double component = 0;
    const char *type = yaml_text(yaml_get(accessor, "type"));
    CHECK(whole(accessor, "componentType", &component));
    if (component != FLOAT || !type || strcmp(type, "VEC3") != 0)
        return mesh_fail(f->s, "points that are not three floats each: save it without quantizing");
    CHECK(read_accessor(f, accessor, 12, &a));
    for (size_t n = 0; n < a.count; n++) {
        double at[3], p[3];
        for (size_t k = 0; k < 3; k++) {
            uint32_t word = number_at(a.bytes + n * a.stride + 4 * k, 4);
            float value;
            memcpy(&value, &word, sizeof value);
            at[k] = (double)value;
        }
        for (int k = 0; k < 3; k++)
            p[k] = to_world[k][0] * at[0] + to_world[k][1] * at[1] + to_world[k][2] * at[2] +
                   to_world[k][3];
        CHECK(mesh_take_vertex(f->s, p[0], p[1], p[2]));
    }
    return STATUS_OK;
}

/* The n-th corner; without an accessor the n-th point. */
static uint32_t corner_at(const gltf_accessor *a, size_t n)
{
    size_t size = a->component == BYTE ? 1 : a->component == SHORT ? 2 : 4;
    return a->bytes ? number_at(a->bytes + n * a->stride, size) : (uint32_t)n;
}

static int read_corners(gltf_file *f, yaml_at primitive, size_t points, gltf_accessor *a)
{
    yaml_at accessor;
    double component = 0;
    *a = (gltf_accessor){.count = points};
    if (!yaml_get(primitive, "indices").node)
        return STATUS_OK;
    CHECK(referred(f, primitive, "indices", "accessors", &accessor));
    CHECK(whole(accessor, "componentType", &component));
    if (component != BYTE && component != SHORT && component != INT)
        return mesh_fail(f->s, "corners of the type %g", component);
    a->component = (int)component;
    return read_accessor(f, accessor, component == BYTE ? 1 : component == SHORT ? 2 : 4, a);
}

/* mirrored: the node's transform turns triangles over. */
static int take_primitive(gltf_file *f, yaml_at primitive, double (*to_world)[4], bool mirrored)
{
    double mode = TRIANGLES;
    yaml_at points;
    CHECK(whole(primitive, "mode", &mode));
    if (mode < TRIANGLES || mode > FAN)
        return STATUS_OK; /* points and lines */
    size_t first = f->s->out->vertex_count;
    CHECK(referred(f, yaml_get(primitive, "attributes"), "POSITION", "accessors", &points));
    CHECK(take_points(f, points, to_world));
    gltf_accessor a;
    CHECK(read_corners(f, primitive, f->s->out->vertex_count - first, &a));
    size_t step = mode == TRIANGLES ? 3 : 1;
    for (size_t n = 0; n + 2 < a.count; n += step) {
        size_t start = mode == FAN ? 0 : n, odd = mode == STRIP ? n % 2 : 0;
        uint32_t corners[3] = {corner_at(&a, start), corner_at(&a, n + 1 + odd),
                               corner_at(&a, n + 2 - odd)};
        uint32_t other = corners[1];
        corners[1] = mirrored ? corners[2] : other;
        corners[2] = mirrored ? other : corners[2];
        CHECK(mesh_take_polygon(f->s, first, 3, corners));
    }
    return STATUS_OK;
}

/* ---- nodes ---- */

/* Rows of the node's transform: a matrix by columns, or scale, then rotation, then translation. */
static int local_transform(yaml_at node, double m[3][4])
{
    double columns[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    yaml_at matrix = yaml_get(node, "matrix");
    CHECK(yaml_numbers(matrix, "matrix", 16, columns));
    CHECK(yaml_numbers(yaml_get(node, "translation"), "translation", 3, t));
    CHECK(yaml_numbers(yaml_get(node, "rotation"), "rotation", 4, q));
    CHECK(yaml_numbers(yaml_get(node, "scale"), "scale", 3, s));
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++)
            m[k][c] = matrix.node ? columns[4 * c + k] : c < 3 ? turn[k][c] * s[c] : t[k];
    return STATUS_OK;
}

static void combine(double (*a)[4], double (*b)[4], double out[3][4])
{
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++) {
            out[k][c] = c == 3 ? a[k][3] : 0;
            for (int n = 0; n < 3; n++)
                out[k][c] += a[k][n] * b[n][c];
        }
}

static bool is_mirrored(double (*m)[4])
{
    double a = m[1][1] * m[2][2] - m[1][2] * m[2][1], b = m[1][0] * m[2][2] - m[1][2] * m[2][0];
    double c = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    return m[0][0] * a - m[0][1] * b + m[0][2] * c < 0;
}

static int take_node(gltf_file *f, yaml_at reference, int depth, double (*parent)[4])
{
    double index = -1, local[3][4], to_world[3][4];
    CHECK(yaml_number(reference, "node", 0, 2e9, &index));
    yaml_at node = list_item(f, "nodes", index);
    if (!node.node || f->visited[(int)index] || depth == DEEPEST)
        return mesh_fail(f->s, "its nodes are no tree at %g", index);
    f->visited[(int)index] = true;
    CHECK(local_transform(node, local));
    combine(parent, local, to_world);
    if (yaml_get(node, "mesh").node) {
        yaml_at m;
        CHECK(referred(f, node, "mesh", "meshes", &m));
        yaml_at primitives = yaml_get(m, "primitives");
        for (int n = 0; n < yaml_count(primitives); n++)
            CHECK(take_primitive(f, yaml_item(primitives, n), to_world, is_mirrored(to_world)));
    }
    yaml_at children = yaml_get(node, "children");
    for (int n = 0; n < yaml_count(children); n++)
        CHECK(take_node(f, yaml_item(children, n), depth + 1, to_world));
    return STATUS_OK;
}

static int take_scene(gltf_file *f)
{
    double none[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, index = 0;
    int count = yaml_count(yaml_get(yaml_root(f->json), "nodes"));
    f->visited = calloc((size_t)count + 1, sizeof *f->visited);
    if (!f->visited)
        return fail_memory();
    CHECK(whole(yaml_root(f->json), "scene", &index));
    yaml_at roots = yaml_get(list_item(f, "scenes", index), "nodes");
    if (!yaml_is_sequence(roots))
        return mesh_fail(f->s, "it has no scene");
    for (int n = 0; n < yaml_count(roots); n++)
        CHECK(take_node(f, yaml_item(roots, n), 0, none));
    return STATUS_OK;
}

/* ---- the file ---- */

/* A .glb: 12 bytes of header, then chunks of length, kind and bytes; JSON is first. */
static int unwrap(gltf_file *f, char **json)
{
    mesh_source *s = f->s;
    *json = s->bytes;
    if (s->size < 4 || memcmp(s->bytes, "glTF", 4) != 0)
        return STATUS_OK;
    if (s->size < 20 || number_at(s->bytes + 4, 4) != 2)
        return mesh_fail(s, "is no glTF 2.0");
    size_t text = number_at(s->bytes + 12, 4), left = s->size - 20;
    if (memcmp(s->bytes + 16, "JSON", 4) != 0 || text > left)
        return mesh_fail(s, "is cut short in its JSON");
    if (left - text >= 8 && memcmp(s->bytes + 20 + text + 4, "BIN", 4) == 0) {
        f->binary = s->bytes + 20 + text + 8;
        f->binary_size = number_at(s->bytes + 20 + text, 4);
        if (f->binary_size > left - text - 8)
            return mesh_fail(s, "is cut short in its bytes");
    }
    char *copy = malloc(text + 1);
    if (!copy)
        return fail_memory();
    memcpy(copy, s->bytes + 20, text);
    copy[text] = 0;
    *json = copy;
    return STATUS_OK;
}

int mesh_read_gltf(mesh_source *s)
{
    gltf_file *f = calloc(1, sizeof *f);
    char *json = NULL;
    if (!f)
        return fail_memory();
    f->s = s;
    int status = unwrap(f, &json);
    if (status == STATUS_OK)
        status = yaml_open_text(s->path, json, &f->json);
    if (json != s->bytes)
        free(json);
    if (status == STATUS_OK && !yaml_is_mapping(yaml_root(f->json)))
        status = mesh_fail(s, "is no glTF");
    if (status == STATUS_OK)
        status = take_scene(f);
    yaml_close(f->json);
    for (int n = 0; n < MOST_BUFFERS; n++)
        free(f->buffers[n].bytes);
    free(f->visited);
    free(f);
    return status;
}
