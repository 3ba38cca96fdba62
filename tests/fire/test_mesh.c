/* SPDX-License-Identifier: MIT */
/* Meshes of the command: shapes, files, sampling. */
#include "config.h"

#include "testing.h"

#undef fail /* Check has a macro of that name */

#include "fire/fire.h"

#include <unistd.h>

#define PI 3.14159265358979323846

void add_mesh_motion_tests(TCase *tests);

static mesh shape(mesh_shape_kind kind, double a, double b, double c)
{
    const double size[3] = {a, b, c};
    mesh m;
    ck_assert_int_eq(mesh_make_shape(kind, size, &m), STATUS_OK);
    return m;
}

static size_t open_edges(const mesh *m)
{
    size_t open;
    ck_assert_int_eq(mesh_open_edges(m, &open), STATUS_OK);
    return open;
}

START_TEST(shapes_have_the_area_and_volume_of_geometry)
{
    mesh disk = shape(SHAPE_DISK, 2, 0, 0), ring = shape(SHAPE_RING, 2, 1, 0);
    mesh box = shape(SHAPE_BOX, 1, 2, 3), sphere = shape(SHAPE_SPHERE, 2, 0, 0);
    /* A regular 48-gon has the area 24 r^2 sin(2 pi / 48). */
    double gon = 24 * sin(2 * PI / 48);
    NEAR(mesh_area(&disk), 4 * gon, 1e-5);
    NEAR(mesh_area(&ring), 3 * gon, 1e-5);
    NEAR(mesh_area(&box), 22, 1e-5);
    NEAR(mesh_volume(&box), 6, 1e-5);
    NEAR(mesh_area(&sphere) / (16 * PI), 1, 0.01);
    NEAR(mesh_volume(&sphere) / (32 * PI / 3), 1, 0.01);
    mesh_destroy(&disk);
    mesh_destroy(&ring);
    mesh_destroy(&box);
    mesh_destroy(&sphere);
}
END_TEST

START_TEST(solids_are_closed_and_turned_outward_and_surfaces_are_open)
{
    mesh box = shape(SHAPE_BOX, 1, 2, 3), sphere = shape(SHAPE_SPHERE, 2, 0, 0);
    mesh teapot = shape(SHAPE_TEAPOT, 1.5, 0, 0), disk = shape(SHAPE_DISK, 2, 0, 0);
    mesh cylinder = shape(SHAPE_CYLINDER, 0.5, 3, 0);
    ck_assert_uint_eq(open_edges(&cylinder), 0);
    NEAR(mesh_volume(&cylinder) / (PI * 0.25 * 3), 1, 0.01);
    NEAR(mesh_area(&cylinder) / (PI * (2 * 0.25 + 3)), 1, 0.01);
    mesh_destroy(&cylinder);
    ck_assert_uint_eq(open_edges(&box), 0);
    ck_assert_uint_eq(open_edges(&sphere), 0);
    ck_assert_uint_eq(open_edges(&teapot), 0);
    ck_assert(mesh_volume(&teapot) > 0.2);
    ck_assert_uint_eq(open_edges(&disk), 48);   /* its rim */
    box.triangles[3][0] ^= box.triangles[3][1]; /* turn one of its triangles over */
    box.triangles[3][1] ^= box.triangles[3][0];
    box.triangles[3][0] ^= box.triangles[3][1];
    ck_assert_uint_eq(open_edges(&box), 3);
    mesh_destroy(&box);
    mesh_destroy(&sphere);
    mesh_destroy(&teapot);
    mesh_destroy(&disk);
}
END_TEST

START_TEST(the_teapot_is_as_wide_as_asked_for_and_stands_on_the_ground)
{
    mesh m = shape(SHAPE_TEAPOT, 1.5, 0, 0);
    float low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
    for (size_t t = 0; t < 3 * m.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            float at = m.vertices[m.triangles[t / 3][t % 3]][k];
            low[k] = fminf(low[k], at);
            high[k] = fmaxf(high[k], at);
        }
    NEAR(high[0] - low[0], 1.5, 1e-5);
    NEAR(low[1], 0, 1e-6);
    NEAR(low[2] + high[2], 0, 1e-5); /* the same from both sides */
    mesh_destroy(&m);
}
END_TEST

/* Counts of samples in 8 x 8 squares of equal area of a square. */
static void count_in_squares(uint64_t seed, size_t points, int counts[64])
{
    mesh m = shape(SHAPE_BOX, 1, 1e-6, 1); /* all but its top and bottom is next to nothing */
    float(*at)[3] = testing_alloc(points * sizeof *at);
    ck_assert_int_eq(mesh_sample(&m, points, seed, at), STATUS_OK);
    memset(counts, 0, 64 * sizeof *counts);
    for (size_t i = 0; i < points; i++) {
        int x = (int)fminf(fmaxf((at[i][0] + 0.5f) * 8, 0), 7);
        int z = (int)fminf(fmaxf((at[i][2] + 0.5f) * 8, 0), 7);
        counts[8 * z + x]++;
    }
    free(at);
    mesh_destroy(&m);
}

START_TEST(samples_are_spread_more_evenly_than_by_chance)
{
    enum { POINTS = 6400 };
    for (uint64_t seed = 1; seed <= 5; seed++) {
        int counts[64];
        double chi = 0;
        count_in_squares(seed, POINTS, counts);
        for (int i = 0; i < 64; i++)
            chi += (counts[i] - POINTS / 64.0) * (counts[i] - POINTS / 64.0) / (POINTS / 64.0);
        testing_report("chi squared of 64 squares, seed %d: %.1f (63 by chance)", (int)seed, chi);
        ck_assert_double_lt(chi, 20); /* by chance: below 20 in one of 10^8 */
    }
}
END_TEST

START_TEST(a_triangle_gets_points_by_its_area)
{
    mesh m = {0};
    ck_assert_int_eq(mesh_reserve(&m, 6, 2), STATUS_OK);
    for (int t = 0; t < 2; t++) { /* two triangles, one of 9 times the area of the other */
        double side = t ? 3 : 1;
        uint32_t a = mesh_add_vertex(&m, 10 * t, 0, 0);
        uint32_t b = mesh_add_vertex(&m, 10 * t + side, 0, 0);
        mesh_add_triangle(&m, a, b, mesh_add_vertex(&m, 10 * t, 0, side));
    }
    float at[1000][3];
    int in_first = 0;
    double mean[3] = {0, 0, 0};
    ck_assert_int_eq(mesh_sample(&m, 1000, 7, at), STATUS_OK);
    for (int i = 0; i < 1000; i++) {
        in_first += at[i][0] < 5;
        for (int k = 0; k < 3 && at[i][0] >= 5; k++)
            mean[k] += (double)at[i][k] / 900;
        float x = at[i][0] < 5 ? at[i][0] : (at[i][0] - 10) / 3;
        float z = at[i][0] < 5 ? at[i][2] : at[i][2] / 3;
        ck_assert(x > -1e-5f && z > -1e-5f && x + z < 1.00001f && at[i][1] == 0);
    }
    ck_assert_int_ge(in_first, 99);
    ck_assert_int_le(in_first, 101);
    NEAR(mean[0], 11, 0.02); /* the centroid */
    NEAR(mean[2], 1, 0.02);
    mesh_destroy(&m);
}
END_TEST

START_TEST(a_seed_gives_the_same_points_and_another_seed_others)
{
    mesh m = shape(SHAPE_TEAPOT, 1.5, 0, 0);
    float a[500][3], b[500][3], c[500][3];
    ck_assert_int_eq(mesh_sample(&m, 500, 3, a), STATUS_OK);
    ck_assert_int_eq(mesh_sample(&m, 500, 3, b), STATUS_OK);
    ck_assert_int_eq(mesh_sample(&m, 500, 4, c), STATUS_OK);
    ck_assert(memcmp(a, b, sizeof a) == 0);
    ck_assert(memcmp(a, c, sizeof a) != 0);
    mesh_destroy(&m);
}
END_TEST

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    ck_assert(stream != NULL);
    fputs(text, stream);
    ck_assert_int_eq(fclose(stream), 0);
}

/* The same tetrahedron in each format; STL repeats its corners. */
static const struct {
    const char *name, *text;
} tetrahedra[] = {
    {"mesh.tmp.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
    {"mesh.tmp.ply",
     "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
     "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
     "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"},
    {"mesh.tmp.stl",
     "solid t\n"
     "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\n"
     "endfacet\n"
     "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\n"
     "endfacet\n"
     "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\n"
     "endfacet\n"
     "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\n"
     "endfacet\nendsolid t\n"},
    {"mesh.tmp.gltf",
     "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
     "\"nodes\":[{\"mesh\":0}],"
     "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
     "\"buffers\":[{\"byteLength\":72,\"uri\":\"data:application/octet-stream;base64,"
     "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"
     "AAACAAEAAAABAAMAAAADAAIAAQACAAMA\"}],"
     "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
     "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"
     "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
     "\"min\":[0,0,0],\"max\":[1,1,1]},"
     "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}]}"},
};

START_TEST(four_formats_give_the_same_closed_mesh)
{
    for (size_t i = 0; i < sizeof tetrahedra / sizeof tetrahedra[0]; i++) {
        mesh m;
        write_file(tetrahedra[i].name, tetrahedra[i].text);
        ck_assert_int_eq(mesh_read(tetrahedra[i].name, 2, false, &m), STATUS_OK);
        unlink(tetrahedra[i].name);
        ck_assert_uint_eq(m.triangle_count, 4);
        ck_assert_uint_eq(m.vertex_count, 4); /* each point once, also where faces repeat it */
        ck_assert_uint_eq(open_edges(&m), 0);
        NEAR(mesh_volume(&m), 8.0 / 6, 1e-6);
        mesh_destroy(&m);
    }
}
END_TEST

START_TEST(a_file_with_z_up_is_stood_up)
{
    mesh m;
    double most = -9, deepest = 9;
    write_file(tetrahedra[0].name, "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\n");
    ck_assert_int_eq(mesh_read(tetrahedra[0].name, 1, true, &m), STATUS_OK);
    unlink(tetrahedra[0].name);
    for (size_t t = 0; t < 3 * m.triangle_count; t++) {
        most = fmax(most, (double)m.vertices[m.triangles[t / 3][t % 3]][1]);
        deepest = fmin(deepest, (double)m.vertices[m.triangles[t / 3][t % 3]][2]);
    }
    NEAR(most, 3, 0);
    NEAR(deepest, -2, 0);
    mesh_destroy(&m);
}
END_TEST

START_TEST(broken_files_are_refused)
{
    static const char *const broken[] = {"",
                                         "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
                                         "nonsense",
                                         "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n",
                                         "v 0 0 0\nv 1e9 0 0\nv 0 1 0\nf 1 2 3\n",
                                         "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        mesh m;
        write_file("mesh.tmp.obj", broken[i]);
        ck_assert_int_eq(mesh_read("mesh.tmp.obj", 1, false, &m), STATUS_INPUT);
        unlink("mesh.tmp.obj");
        ck_assert(m.vertices == NULL && m.triangles == NULL);
    }
}
END_TEST

static mesh read_text(const char *name, const char *text)
{
    mesh m;
    write_file(name, text);
    ck_assert_int_eq(mesh_read(name, 1, false, &m), STATUS_OK);
    unlink(name);
    return m;
}

static void write_bytes(const char *name, size_t size, const void *bytes)
{
    FILE *stream = fopen(name, "wb");
    ck_assert(stream != NULL);
    ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
}

/* A number of so many bytes at the end of what there is. */
static void put(unsigned char *bytes, size_t *size, int count, bool big, uint64_t value)
{
    for (int n = 0; n < count; n++)
        bytes[(*size)++] = (unsigned char)(value >> 8 * (big ? count - 1 - n : n));
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void is_the_tetrahedron(mesh *m)
{
    ck_assert_uint_eq(m->triangle_count, 4);
    ck_assert_uint_eq(m->vertex_count, 4);
    ck_assert_uint_eq(open_edges(m), 0);
    NEAR(mesh_volume(m), 1.0 / 6, 1e-6);
    mesh_destroy(m);
}

START_TEST(stl_is_read_in_capitals_and_in_bytes)
{
    char capitals[2000];
    snprintf(capitals, sizeof capitals, "%s", tetrahedra[2].text);
    for (char *p = capitals; *p; p++)
        *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
    mesh m = read_text("mesh.tmp.stl", capitals);
    is_the_tetrahedron(&m);
    unsigned char bytes[400] = "solid, though it is in bytes";
    size_t size = 80;
    put(bytes, &size, 4, false, 4);
    for (int t = 0; t < 4; t++) {
        size += 12;
        for (int k = 0; k < 9; k++)
            put(bytes, &size, 4, false, bits_of(corners[faces[t][k / 3]][k % 3]));
        size += 2;
    }
    write_bytes("mesh.tmp.stl", size, bytes);
    ck_assert_int_eq(mesh_read("mesh.tmp.stl", 1, false, &m), STATUS_OK);
    is_the_tetrahedron(&m);
    bytes[0] = 'S', bytes[83] = 200; /* more triangles than there are, and no text */
    bytes[0] = 'x';
    write_bytes("mesh.tmp.stl", size, bytes);
    ck_assert_int_eq(mesh_read("mesh.tmp.stl", 1, false, &m), STATUS_INPUT);
    unlink("mesh.tmp.stl");
}
END_TEST

START_TEST(ply_is_read_in_bytes_of_both_orders)
{
    for (int big = 0; big < 2; big++) {
        unsigned char bytes[1000];
        size_t size = (size_t)snprintf(
            (char *)bytes, sizeof bytes,
            "ply\r\nformat binary_%s_endian 1.0\ncomment x\nelement other 2\n"
            "property list uchar short z\nelement vertex 4\nproperty uchar red\n"
            "property double x\nproperty float y\nproperty float32 z\nelement face 4\n"
            "property list uchar uint vertex_index\nproperty short flags\nend_header\n",
            big ? "big" : "little");
        put(bytes, &size, 1, big, 0);
        put(bytes, &size, 1, big, 1);
        put(bytes, &size, 2, big, 7);
        for (int n = 0; n < 4; n++) {
            double x = (double)corners[n][0];
            uint64_t wide;
            memcpy(&wide, &x, sizeof wide);
            put(bytes, &size, 1, big, 255);
            put(bytes, &size, 8, big, wide);
            put(bytes, &size, 4, big, bits_of(corners[n][1]));
            put(bytes, &size, 4, big, bits_of(corners[n][2]));
        }
        for (int t = 0; t < 4; t++) {
            put(bytes, &size, 1, big, 3);
            for (int k = 0; k < 3; k++)
                put(bytes, &size, 4, big, (uint64_t)faces[t][k]);
            put(bytes, &size, 2, big, 0);
        }
        mesh m;
        write_bytes("mesh.tmp.ply", size, bytes);
        ck_assert_int_eq(mesh_read("mesh.tmp.ply", 1, false, &m), STATUS_OK);
        is_the_tetrahedron(&m);
        for (size_t cut = 1; cut < 60; cut += 7) {
            write_bytes("mesh.tmp.ply", size - cut, bytes);
            ck_assert_int_eq(mesh_read("mesh.tmp.ply", 1, false, &m), STATUS_INPUT);
        }
        unlink("mesh.tmp.ply");
    }
}
END_TEST

START_TEST(a_concave_polygon_keeps_its_area)
{
    /* An L of three unit squares, from each of its corners on, both ways round. */
    static const int l[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int first = 0; first < 12; first++) {
        char text[400] = "";
        for (int n = 0; n < 6; n++)
            snprintf(text + strlen(text), 40, "v %d 0 %d\n", l[n][0], l[n][1]);
        snprintf(text + strlen(text), 10, "f");
        for (int n = 0; n < 6; n++)
            snprintf(text + strlen(text), 20, " %d/1/1",
                     1 + (first < 6 ? first + n : first + 6 - n) % 6);
        mesh m = read_text("mesh.tmp.obj", text);
        ck_assert_uint_eq(m.triangle_count, 4);
        NEAR(mesh_area(&m), 3, 1e-6);
        mesh_destroy(&m);
    }
}
END_TEST

START_TEST(faces_count_back_and_go_on_in_the_next_line)
{
    mesh m = read_text("mesh.tmp.obj", "o a\nv 0 0 0 1\r\nv 1 0 0\nvn 0 0 1\nv 0 1 0\nv 0 0 \\\n1\n"
                                       "f -4 -2 -3\nf 1//1 2//1 \\\r\n 4//1\nf 1 4 3\nf 2 3 4");
    is_the_tetrahedron(&m);
}
END_TEST

START_TEST(transforms_of_nodes_and_coded_names_of_gltf)
{
    /* The buffer of the tetrahedron in a file of its own, whose name has a space. */
    unsigned char bytes[72];
    size_t size = 0;
    for (int n = 0; n < 12; n++)
        put(bytes, &size, 4, false, bits_of(corners[n / 3][n % 3]));
    for (int n = 0; n < 12; n++)
        put(bytes, &size, 2, false, (uint64_t)faces[n / 3][n % 3]);
    write_bytes("mesh tmp.bin", size, bytes);
    mesh m = read_text(
        "mesh.tmp.gltf",
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[1]}],"
        "\"nodes\":[{\"mesh\":0,\"scale\":[-2,1,1],\"rotation\":[0,0.7071067811865476,0,"
        "0.7071067811865476]},{\"children\":[0],\"matrix\":[1,0,0,0,0,3,0,0,0,0,1,0,5,0,0,1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"buffers\":[{\"byteLength\":72,\"uri\":\"mesh%20tmp.bin\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}]}");
    unlink("mesh tmp.bin");
    /* Twice as wide and three times as high, and still turned outward though it was mirrored. */
    ck_assert_uint_eq(open_edges(&m), 0);
    NEAR(mesh_volume(&m), 6.0 / 6, 1e-6);
    double most[3] = {-9, -9, -9}, least[3] = {9, 9, 9};
    for (size_t n = 0; n < m.vertex_count; n++)
        for (int k = 0; k < 3; k++) {
            most[k] = fmax(most[k], (double)m.vertices[n][k]);
            least[k] = fmin(least[k], (double)m.vertices[n][k]);
        }
    NEAR(least[0], 5, 1e-6); /* z becomes x, x becomes -z */
    NEAR(most[0], 6, 1e-6);
    NEAR(most[1], 3, 1e-6);
    NEAR(least[2], 0, 1e-6);
    NEAR(most[2], 2, 1e-6);
    mesh_destroy(&m);
}
END_TEST

START_TEST(meshes_that_promise_more_than_they_hold_are_refused)
{
    static const struct {
        const char *name, *text;
    } cases[] = {
        {"mesh.tmp.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"},
        {"mesh.tmp.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n"},
        {"mesh.tmp.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n"},
        {"mesh.tmp.obj", "v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n"},
        {"mesh.tmp.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\n"
                         "end_header\n0 0 0\n"},
        {"mesh.tmp.ply", "ply\nformat ascii 1.0\nelement vertex 1e300\nproperty float x\n"
                         "end_header\n0 0 0\n"},
        {"mesh.tmp.ply",
         "ply\nformat ascii 1.0\nelement vertex -1\nproperty float x\nend_header\n"},
        {"mesh.tmp.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                         "element face 1\nproperty list int int vertex_index\nend_header\n0\n"
                         "2000000000 0 0 0\n"},
        {"mesh.tmp.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                         "element face 1\nproperty list int int vertex_index\nend_header\n0\n"
                         "3 0 0 -1\n"},
        {"mesh.tmp.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"},
        {"mesh.tmp.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n"},
        {"mesh.tmp.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"},
        {"mesh.tmp.stl", "solid\nfacet\nvertex 0 0 x\n"},
        {"mesh.tmp.gltf", "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]}"},
        {"mesh.tmp.gltf", "{\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{}]}"},
        {"mesh.tmp.gltf", "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":1e30}]}"},
        {"mesh.tmp.gltf", "[]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mesh m;
        write_file(cases[i].name, cases[i].text);
        ck_assert_msg(mesh_read(cases[i].name, 1, false, &m) == STATUS_INPUT, "case %zu", i);
        unlink(cases[i].name);
        ck_assert(m.vertices == NULL && m.triangles == NULL);
    }
    /* Numbers of the good file's views and accessors become larger than its buffer. */
    static const char *const keys[] = {
        "byteLength\":48", "byteLength\":24", "byteOffset\":48", "count\":4",   "count\":12",
        "buffer\":0",      "mesh\":0",        "POSITION\":0",    "indices\":1", "bufferView\":1"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char text[1200];
        mesh m;
        snprintf(text, sizeof text, "%s", tetrahedra[3].text);
        char *at = strstr(strstr(text, keys[i]), ":") + 1;
        memmove(at + 1, at, strlen(at) + 1);
        *at = '9';
        write_file("mesh.tmp.gltf", text);
        ck_assert_msg(mesh_read("mesh.tmp.gltf", 1, false, &m) == STATUS_INPUT, "%s", keys[i]);
        unlink("mesh.tmp.gltf");
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("mesh", TESTING_ON_THE_HOST);
    tcase_add_test(tests, shapes_have_the_area_and_volume_of_geometry);
    tcase_add_test(tests, solids_are_closed_and_turned_outward_and_surfaces_are_open);
    tcase_add_test(tests, the_teapot_is_as_wide_as_asked_for_and_stands_on_the_ground);
    tcase_add_test(tests, samples_are_spread_more_evenly_than_by_chance);
    tcase_add_test(tests, a_triangle_gets_points_by_its_area);
    tcase_add_test(tests, a_seed_gives_the_same_points_and_another_seed_others);
    tcase_add_test(tests, four_formats_give_the_same_closed_mesh);
    tcase_add_test(tests, a_file_with_z_up_is_stood_up);
    tcase_add_test(tests, broken_files_are_refused);
    tcase_add_test(tests, stl_is_read_in_capitals_and_in_bytes);
    tcase_add_test(tests, ply_is_read_in_bytes_of_both_orders);
    tcase_add_test(tests, a_concave_polygon_keeps_its_area);
    tcase_add_test(tests, faces_count_back_and_go_on_in_the_next_line);
    tcase_add_test(tests, transforms_of_nodes_and_coded_names_of_gltf);
    tcase_add_test(tests, meshes_that_promise_more_than_they_hold_are_refused);
    add_mesh_motion_tests(tests);
    return testing_end();
}
