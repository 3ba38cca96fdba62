/* SPDX-License-Identifier: MIT */
/* Colliders. */
#include "fire/fires.h"

START_TEST(boxes_and_ellipsoids_have_their_distance_normal_and_surface_velocity)
{
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    foehn_fire_collider box = foehn_fire_collider_default(), ball = box;
    const double h = FIRE_RENDER_VOXEL, at_box[3] = {4 * h, 8 * h, 8 * h};
    const double at_ball[3] = {12 * h, 8 * h, 8 * h}, radii[3] = {2.5 * h, 3 * h, 2 * h};
    for (int a = 0; a < 3; a++) {
        box.pose.position[a] = at_box[a];
        box.half[a] = 2 * h;
        ball.pose.position[a] = at_ball[a];
        ball.half[a] = radii[a];
    }
    box.pose.rotation[2] = sin(0.25); /* half a radian about z */
    box.pose.rotation[3] = cos(0.25);
    box.velocity[1] = 0.5f;
    box.angular_velocity[2] = 2;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &box));
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_ELLIPSOID, 0, &ball));
    OK(foehn_fire_step(fire));
    float *d = fires_read(fire, FOEHN_FIRE_DISTANCE), *n = fires_read(fire, FOEHN_FIRE_NORMAL);
    float *s = fires_read(fire, FOEHN_FIRE_SURFACE_VELOCITY);
    float *v = fires_read(fire, FOEHN_FIRE_VELOCITY);
    for (size_t c = 0; c < 4096; c++) {
        double x = ((double)(c % 16) + 0.5) * h, y = ((double)(c / 16 % 16) + 0.5) * h;
        double z = ((double)(c / 256) + 0.5) * h, k0 = 0, k1 = 0, outside = 0, inside = -INFINITY;
        double dx = x - at_box[0], dy = y - at_box[1];
        const double own[3] = {cos(0.5) * dx + sin(0.5) * dy, cos(0.5) * dy - sin(0.5) * dx,
                               z - at_box[2]};
        const double e[3] = {x - at_ball[0], y - at_ball[1], z - at_ball[2]};
        for (int a = 0; a < 3; a++) {
            double q = fabs(own[a]) - 2 * h;
            outside += pow(fmax(q, 0), 2);
            inside = fmax(inside, q);
            k0 += pow(e[a] / radii[a], 2);
            k1 += pow(e[a] / radii[a] / radii[a], 2);
        }
        double to_box = sqrt(outside) + fmin(inside, 0);
        double to_ball = sqrt(k0) * (sqrt(k0) - 1) / sqrt(k1);
        NEAR(d[c], fmin(to_box, to_ball) * (1 - 0.034), 1e-5);
        NEAR(hypot(hypot((double)n[3 * c], (double)n[3 * c + 1]), (double)n[3 * c + 2]), 1, 1e-3);
        if (to_box < to_ball - 1e-3) {
            NEAR(s[3 * c], -1.36 * 2 * dy, 1e-4);
            NEAR(s[3 * c + 1], 0.5 + 1.36 * 2 * dx, 1e-4);
        }
        if (d[c] < 0)
            ck_assert(v[3 * c] == 0 && v[3 * c + 1] == 0 && v[3 * c + 2] == 0);
    }
    /* Beside the box at its middle height the normal points along -x turned by half a radian. */
    size_t beside = fires_cell(1, 7, 7);
    ck_assert(n[3 * beside] < -0.7f);
    free(d);
    free(n);
    free(s);
    free(v);
    foehn_fire_destroy(fire);
}
END_TEST

START_TEST(fire_does_not_cross_a_wall)
{
    for (int layout = 0; layout < 2; layout++) {
        foehn_fire_params p = fires_lively(16);
        p.layout = (foehn_fire_layout)layout;
        foehn_fire *fire = fires_create(&p);
        foehn_fire_collider lid = foehn_fire_collider_default();
        foehn_fire_field_info info;
        fires_light(fire, 0.2, 0.35, 13);
        for (int a = 0; a < 3; a++) {
            lid.pose.position[a] = p.size[a] / 2;
            lid.half[a] = 2 * p.size[a];
        }
        lid.pose.position[1] = 1.0;
        lid.half[1] = 0.12;
        OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &lid));
        for (int n = 0; n < 60; n++)
            OK(foehn_fire_step(fire));
        OK(foehn_fire_get_field(fire, FOEHN_FIRE_DENSITY, &info));
        float *density = fires_read(fire, FOEHN_FIRE_DENSITY);
        double above = 0, below = 0;
        for (size_t c = 0; c < info.floats; c++) {
            int j = (int)(c / (size_t)info.cells[0]) % info.cells[1];
            double y = (j + 0.5) * info.spacing[1];
            above += y > 1.12 + info.spacing[1] ? (double)density[c] : 0;
            below += y < 0.88 ? (double)density[c] : 0;
        }
        testing_report("layout %d: smoke above the lid over smoke below it: %.2g", layout,
                       above / below);
        ck_assert(below > 1);
        ck_assert(above < 1e-3 * below);
        free(density);
        foehn_fire_destroy(fire);
    }
}
END_TEST

/* The solver's faces beside a collider are those that the projection leaves alone. */
START_TEST(on_faces_no_divergence_is_left_beside_a_collider)
{
    foehn_fire_params p = fires_quiet();
    p.layout = FOEHN_FIRE_STAGGERED;
    p.pressure = FOEHN_FIRE_MULTIGRID;
    p.cycles = 12;
    p.friction = 0;
    foehn_fire *fire = fires_create(&p);
    foehn_fire_collider box = foehn_fire_collider_default();
    for (int a = 0; a < 3; a++) {
        box.pose.position[a] = p.size[a] / 2;
        box.half[a] = 2.6 * FIRE_RENDER_VOXEL;
    }
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_BOX, 0, &box));
    float *v = testing_alloc(3 * 4096 * sizeof *v);
    uint64_t random = 3;
    for (size_t c = 0; c < 3 * 4096; c++)
        v[c] = (float)testing_uniform(&random, -1, 1);
    OK(foehn_fire_write(fire, FOEHN_FIRE_VELOCITY, v));
    OK(foehn_fire_step(fire));
    float *before = fires_read(fire, FOEHN_FIRE_DIVERGENCE_BEFORE);
    float *after = fires_read(fire, FOEHN_FIRE_DIVERGENCE);
    double most = 0, left = 0;
    for (size_t c = 0; c < 4096; c++) {
        most = fmax(most, fabs((double)before[c]));
        left = fmax(left, fabs((double)after[c]));
    }
    testing_report("beside a box: largest |div| %.3g 1/s before, %.3g after", most, left);
    ck_assert(most > 1 && left < 1e-4 * most);
    free(v);
    free(before);
    free(after);
    foehn_fire_destroy(fire);
}
END_TEST

/* A ball of radius 1 out of an octahedron, each triangle cut in four `levels` times. */
static size_t cut_ball(int levels, float (*vertices)[3], uint32_t (*triangles)[3])
{
    size_t count = 0;
    const float corner[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    const int face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int n = 1 << levels;
    for (int f = 0; f < 8; f++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n - a; b++)
                for (int half = 0; half < (b < n - a - 1 ? 2 : 1); half++) {
                    const int at_a[2][3] = {{a, a + 1, a}, {a + 1, a + 1, a}};
                    const int at_b[2][3] = {{b, b, b + 1}, {b, b + 1, b + 1}};
                    for (int c = 0; c < 3; c++) {
                        double s = (double)at_a[half][c] / n, t = (double)at_b[half][c] / n, q[3];
                        for (int k = 0; k < 3; k++)
                            q[k] = (1 - s - t) * (double)corner[face[f][0]][k] +
                                   s * (double)corner[face[f][1]][k] +
                                   t * (double)corner[face[f][2]][k];
                        double r = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
                        for (int k = 0; k < 3; k++)
                            vertices[3 * count + (size_t)c][k] = (float)(q[k] / r);
                        triangles[count][c] = (uint32_t)(3 * count + (size_t)c);
                    }
                    count++;
                }
    return count;
}

START_TEST(a_closed_mesh_is_a_collider)
{
    enum { TRIANGLES = 8 * 256 };
    float(*vertices)[3] = malloc(3 * TRIANGLES * sizeof *vertices);
    uint32_t(*triangles)[3] = malloc(TRIANGLES * sizeof *triangles);
    foehn_fire_params p = fires_quiet();
    foehn_fire *fire = fires_create(&p);
    size_t count = cut_ball(4, vertices, triangles);
    ck_assert_uint_eq(count, TRIANGLES);
    for (size_t n = 0; n < 3 * count; n++)
        for (int a = 0; a < 3; a++)
            vertices[n][a] *= 0.3f;
    foehn_fire_mesh mesh = {3 * count, (const float(*)[3])vertices, count,
                            (const uint32_t(*)[3])triangles, 0};
    foehn_fire_collider c = foehn_fire_collider_default();
    FAILS(FOEHN_ERROR_ARGUMENT, "geometry", foehn_fire_set_collider(fire, FOEHN_FIRE_MESH, 1, &c));
    OK(foehn_fire_set_mesh(fire, 1, &mesh));
    for (int a = 0; a < 3; a++)
        c.pose.position[a] = 0.55 + 0.02 * a;
    c.pose.rotation[1] = 0.4;
    OK(foehn_fire_set_collider(fire, FOEHN_FIRE_MESH, 1, &c));
    OK(foehn_fire_step(fire));
    float *d = fires_read(fire, FOEHN_FIRE_DISTANCE);
    double worst = 0, worst_near = 0;
    for (size_t n = 0; n < 4096; n++) {
        double x = ((double)(n % 16) + 0.5) * FIRE_RENDER_VOXEL - 0.55;
        double y = ((double)(n / 16 % 16) + 0.5) * FIRE_RENDER_VOXEL - 0.57;
        double z = ((double)(n / 256) + 0.5) * FIRE_RENDER_VOXEL - 0.59;
        double exact = sqrt(x * x + y * y + z * z) - 0.3, got = (double)d[n] / (1 - 0.034);
        if (exact < 0.03)
            worst_near = fmax(worst_near, fabs(got - exact));
        worst = fmax(worst, fabs(got - exact) - fmax(exact, 0) * 0.4);
    }
    testing_report("a ball of %zu triangles: distance off by %.4f m in and near it", count,
                   worst_near);
    ck_assert(worst_near < 0.006); /* half a voxel of its grid; facets are 0.001 m deep */
    ck_assert(worst < 0.02);
    triangles[17][1] = triangles[17][0];
    FAILS(FOEHN_ERROR_ARGUMENT, "3 edges", foehn_fire_set_mesh(fire, 0, &mesh));
    triangles[17][1] = (uint32_t)(3 * count);
    FAILS(FOEHN_ERROR_ARGUMENT, "triangle 17", foehn_fire_set_mesh(fire, 0, &mesh));
    free(d);
    free(vertices);
    free(triangles);
    foehn_fire_destroy(fire);
}
END_TEST

void add_fire_colliders_tests(TCase *tests)
{
    tcase_add_test(tests, boxes_and_ellipsoids_have_their_distance_normal_and_surface_velocity);
    tcase_add_test(tests, fire_does_not_cross_a_wall);
    tcase_add_test(tests, on_faces_no_divergence_is_left_beside_a_collider);
    tcase_add_test(tests, a_closed_mesh_is_a_collider);
}
