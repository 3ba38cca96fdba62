/* SPDX-License-Identifier: MIT */
/* Meshes of the command: shapes, files, sampling; and how things move. */
#include "config.h"

#include "testing.h"

#undef fail /* Check has a macro of that name */

#include "fire/fire.h"

#include <unistd.h>

#define PI 3.14159265358979323846

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
    ck_assert_uint_eq(open_edges(&box), 0);
    ck_assert_uint_eq(open_edges(&sphere), 0);
    ck_assert_uint_eq(open_edges(&teapot), 0);
    ck_assert(mesh_volume(&teapot) > 0.2);
    ck_assert_uint_eq(open_edges(&disk), 48); /* its rim */
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

#ifdef HAVE_ASSIMP

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
    {"mesh.tmp.obj",
     "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
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
    static const char *const broken[] = {"", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "nonsense",
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

#endif

/* ---- motion ---- */

static const fire_motion path = {
    .key_count = 3,
    .keys = {{0, {0, 1, 0}, {0, 0, 0, 1}},
             {1, {2, 1, 1}, {0, 0.70710678118654752, 0, 0.70710678118654752}},
             {3, {2, 3, 0}, {0, 0, 0, 1}}}};

START_TEST(a_path_goes_through_its_places_at_their_times)
{
    for (int n = 0; n < 3; n++) {
        motion_state s;
        fire_motion_at(&path, path.keys[n].at, &s);
        for (int k = 0; k < 3; k++)
            NEAR(s.pose.position[k], path.keys[n].position[k], 1e-12);
        double dot = 0;
        for (int k = 0; k < 4; k++)
            dot += s.pose.rotation[k] * path.keys[n].rotation[k];
        NEAR(fabs(dot), 1, 1e-12);
    }
}
END_TEST

START_TEST(velocities_are_the_slopes_of_the_path)
{
    const double step = 1e-6;
    for (double t = 0.1; t < 2.95; t += 0.2) {
        motion_state a, b, c;
        fire_motion_at(&path, t - step, &a);
        fire_motion_at(&path, t, &b);
        fire_motion_at(&path, t + step, &c);
        for (int k = 0; k < 3; k++)
            NEAR(b.velocity[k], (c.pose.position[k] - a.pose.position[k]) / (2 * step), 1e-6);
        /* A point that turns along moves by angular velocity x arm. */
        const double arm[3] = {1, 0.5, -0.3};
        double from[3], to[3], now[3];
        fire_rotate(a.pose.rotation, arm, from);
        fire_rotate(c.pose.rotation, arm, to);
        fire_rotate(b.pose.rotation, arm, now);
        const double cross[3] = {b.angular[1] * now[2] - b.angular[2] * now[1],
                                 b.angular[2] * now[0] - b.angular[0] * now[2],
                                 b.angular[0] * now[1] - b.angular[1] * now[0]};
        for (int k = 0; k < 3; k++)
            NEAR(cross[k], (to[k] - from[k]) / (2 * step), 1e-6);
    }
}
END_TEST

START_TEST(a_path_rests_at_its_ends_or_begins_again)
{
    fire_motion again = path;
    motion_state a, b;
    again.repeat = true;
    fire_motion_at(&path, 100, &a);
    NEAR(a.pose.position[1], 3, 0);
    NEAR(a.velocity[1], 0, 0);
    fire_motion_at(&again, 3 * 7 + 0.5, &a);
    fire_motion_at(&path, 0.5, &b);
    for (int k = 0; k < 3; k++)
        NEAR(a.pose.position[k], b.pose.position[k], 1e-9);
}
END_TEST

START_TEST(rotations_are_about_fixed_axes_x_then_y_then_z)
{
    const double degrees[3] = {90, 90, 0}, up[3] = {0, 1, 0};
    double q[4], v[3];
    fire_rotation(degrees, q);
    fire_rotate(q, up, v); /* y goes to z, then z goes to x */
    NEAR(v[0], 1, 1e-12);
    NEAR(v[1], 0, 1e-12);
    NEAR(v[2], 0, 1e-12);
}
END_TEST

START_TEST(what_is_switched_is_there_in_its_times_only)
{
    fire_motion m = path;
    motion_state s;
    m.span_count = 2;
    m.spans[0][0] = 0.5, m.spans[0][1] = 1;
    m.spans[1][0] = 2, m.spans[1][1] = 3;
    const struct {
        double time;
        bool on;
    } cases[] = {{0, false}, {0.5, true}, {0.99, true}, {1, false}, {2.5, true}, {3.5, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fire_motion_at(&m, cases[i].time, &s);
        ck_assert_int_eq(s.active, cases[i].on);
    }
    fire_motion_at(&path, 1e6, &s);
    ck_assert(s.active);
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
#ifdef HAVE_ASSIMP
    tcase_add_test(tests, four_formats_give_the_same_closed_mesh);
    tcase_add_test(tests, a_file_with_z_up_is_stood_up);
    tcase_add_test(tests, broken_files_are_refused);
#endif
    tcase_add_test(tests, a_path_goes_through_its_places_at_their_times);
    tcase_add_test(tests, velocities_are_the_slopes_of_the_path);
    tcase_add_test(tests, a_path_rests_at_its_ends_or_begins_again);
    tcase_add_test(tests, rotations_are_about_fixed_axes_x_then_y_then_z);
    tcase_add_test(tests, what_is_switched_is_there_in_its_times_only);
    return testing_end();
}
