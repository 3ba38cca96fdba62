/* SPDX-License-Identifier: MIT */
/* Meshes made of numbers: disk, ring, box, sphere, teapot, cylinder. */
#include "config.h"

#include "fire/mesh.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { TURN = 48, MOST_RINGS = 128 }; /* points of a ring, rings of a tube */

const char *const mesh_shape_names[] = {"disk",   "ring",     "box", "sphere",
                                        "teapot", "cylinder", NULL};

/* A ring of a tube: centre, and the two half axes that its points turn through. */
typedef struct ring {
    double center[3], u[3], v[3];
} ring;

/* A skin over rings, closed by a point at each end.  Outward when u x v runs along the tube. */
static int add_tube(mesh *m, int count, const ring *rings, const double first[3],
                    const double last[3])
{
    int status = mesh_reserve(m, (size_t)count * TURN + 2, 2 * (size_t)count * TURN);
    if (status != STATUS_OK)
        return status;
    uint32_t base = (uint32_t)m->vertex_count;
    for (int n = 0; n < count; n++)
        for (int a = 0; a < TURN; a++) {
            double c = cos(2 * PI * a / TURN), s = sin(2 * PI * a / TURN), p[3];
            for (int k = 0; k < 3; k++)
                p[k] = rings[n].center[k] + c * rings[n].u[k] + s * rings[n].v[k];
            mesh_add_vertex(m, p[0], p[1], p[2]);
        }
    uint32_t start = mesh_add_vertex(m, first[0], first[1], first[2]);
    uint32_t end = mesh_add_vertex(m, last[0], last[1], last[2]);
    for (uint32_t a = 0; a < TURN; a++) {
        uint32_t b = (a + 1) % TURN, top = base + (uint32_t)(count - 1) * TURN;
        mesh_add_triangle(m, start, base + b, base + a);
        mesh_add_triangle(m, end, top + a, top + b);
        for (uint32_t n = base; n < top; n += TURN) {
            mesh_add_triangle(m, n + a, n + b, n + TURN + b);
            mesh_add_triangle(m, n + a, n + TURN + b, n + TURN + a);
        }
    }
    return STATUS_OK;
}

/* A profile (radius, height) turned about the y axis; both ends lie on the axis. */
static int add_turned(mesh *m, int count, const double profile[][2])
{
    ring rings[MOST_RINGS];
    for (int n = 1; n + 1 < count; n++) {
        double r = profile[n][0];
        rings[n - 1] = (ring){{0, profile[n][1], 0}, {r, 0, 0}, {0, 0, -r}};
    }
    const double first[3] = {0, profile[0][1], 0}, last[3] = {0, profile[count - 1][1], 0};
    return add_tube(m, count - 2, rings, first, last);
}

/* A circle of changing radius along a line in the plane z = 0: rows of x, y, radius. */
static int add_swept(mesh *m, int count, const double line[][3])
{
    ring rings[MOST_RINGS];
    for (int n = 0; n < count; n++) {
        const double *before = line[n > 0 ? n - 1 : 0], *after = line[n + 1 < count ? n + 1 : n];
        double x = after[0] - before[0], y = after[1] - before[1], r = line[n][2] / hypot(x, y);
        rings[n] = (ring){{line[n][0], line[n][1], 0}, {-r * y, r * x, 0}, {0, 0, line[n][2]}};
    }
    return add_tube(m, count, rings, rings[0].center, rings[count - 1].center);
}

/* Points of a Catmull-Rom curve through knots of `width` numbers, `steps` between two knots. */
static int smooth(int width, int knots, const double *knot, int steps, double *out)
{
    int count = 0;
    for (int n = 0; n + 1 < knots; n++)
        for (int i = 0; i < steps || (n + 2 == knots && i == steps); i++, count++) {
            double t = (double)i / steps;
            for (int k = 0; k < width; k++) {
                double b = knot[n * width + k], c = knot[(n + 1) * width + k];
                double a = n > 0 ? knot[(n - 1) * width + k] : 2 * b - c;
                double d = n + 2 < knots ? knot[(n + 2) * width + k] : 2 * c - b;
                out[count * width + k] =
                    b +
                    0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
            }
        }
    return count;
}

/* Foot, belly, rim, lid and knob turned; spout and handle swept.  Widths are 1.6 here. */
static int make_teapot(double width, mesh *m)
{
    static const double body[][2] = {
        {0, 0},        {0.29, 0},    {0.32, 0.02}, {0.33, 0.06},  {0.42, 0.14},  {0.475, 0.26},
        {0.465, 0.40}, {0.40, 0.51}, {0.32, 0.57}, {0.33, 0.595}, {0.29, 0.615}, {0.20, 0.655},
        {0.09, 0.685}, {0.05, 0.70}, {0.05, 0.72}, {0.08, 0.755}, {0.05, 0.79},  {0, 0.80}};
    static const double spout[][3] = {{0.40, 0.20, 0.125},
                                      {0.54, 0.24, 0.105},
                                      {0.64, 0.37, 0.075},
                                      {0.70, 0.50, 0.055},
                                      {0.80, 0.58, 0.050}};
    static const double handle[][3] = {{-0.43, 0.45, 0.055}, {-0.60, 0.50, 0.053},
                                       {-0.76, 0.43, 0.050}, {-0.75, 0.28, 0.050},
                                       {-0.60, 0.17, 0.053}, {-0.44, 0.17, 0.055}};
    enum {
        BODY = sizeof body / sizeof body[0],
        SPOUT = sizeof spout / sizeof spout[0],
        HANDLE = sizeof handle / sizeof handle[0],
        STEPS = 5
    };
    double profile[MOST_RINGS][2], line[MOST_RINGS][3];
    int status =
        add_turned(m, smooth(2, BODY, body[0], STEPS, profile[0]), (const double(*)[2])profile);
    if (status == STATUS_OK)
        status = add_swept(m, smooth(3, SPOUT, spout[0], STEPS, line[0]), (const double(*)[3])line);
    if (status == STATUS_OK)
        status =
            add_swept(m, smooth(3, HANDLE, handle[0], STEPS, line[0]), (const double(*)[3])line);
    double low[2] = {0, 0}, high = 0; /* x and y, x */
    for (size_t i = 0; i < m->vertex_count; i++) {
        for (int k = 0; k < 2; k++)
            low[k] = fmin(low[k], (double)m->vertices[i][k]);
        high = fmax(high, (double)m->vertices[i][0]);
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        m->vertices[i][1] -= (float)low[1];
        for (int k = 0; k < 3; k++)
            m->vertices[i][k] *= (float)(width / (high - low[0]));
    }
    return status;
}

/* A level circle of points; inner 0: a disk. */
static int make_level(double radius, double inner, mesh *m)
{
    int status = mesh_reserve(m, 2 * TURN, 2 * TURN);
    for (int a = 0; a < TURN && status == STATUS_OK; a++) {
        double c = cos(2 * PI * a / TURN), s = -sin(2 * PI * a / TURN);
        mesh_add_vertex(m, radius * c, 0, radius * s);
        mesh_add_vertex(m, inner * c, 0, inner * s);
    }
    for (uint32_t a = 0; a < TURN && status == STATUS_OK; a++) {
        uint32_t b = (a + 1) % TURN;
        mesh_add_triangle(m, 2 * a + 1, 2 * a, 2 * b);
        if (inner > 0)
            mesh_add_triangle(m, 2 * a + 1, 2 * b, 2 * b + 1);
    }
    return status;
}

static int make_box(const double size[3], mesh *m)
{
    /* Corner c has the high side of axis k where bit k of c is set. */
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int status = mesh_reserve(m, 8, 12);
    for (int c = 0; c < 8 && status == STATUS_OK; c++)
        mesh_add_vertex(m, ((c & 1) - 0.5) * size[0], ((c >> 1 & 1) - 0.5) * size[1],
                        ((c >> 2 & 1) - 0.5) * size[2]);
    for (int f = 0; f < 6 && status == STATUS_OK; f++) {
        mesh_add_triangle(m, faces[f][0], faces[f][1], faces[f][2]);
        mesh_add_triangle(m, faces[f][0], faces[f][2], faces[f][3]);
    }
    return status;
}

static int make_sphere(double radius, mesh *m)
{
    double profile[TURN / 2 + 1][2];
    for (int n = 0; n <= TURN / 2; n++) {
        double angle = PI * n / (TURN / 2);
        profile[n][0] = radius * sin(angle);
        profile[n][1] = -radius * cos(angle);
    }
    return add_turned(m, TURN / 2 + 1, (const double(*)[2])profile);
}

static int make_cylinder(double radius, double height, mesh *m)
{
    const double half = 0.5 * height;
    const double profile[4][2] = {{0, -half}, {radius, -half}, {radius, half}, {0, half}};
    return add_turned(m, 4, profile);
}

int mesh_make_shape(mesh_shape_kind kind, const double size[3], mesh *out)
{
    *out = (mesh){0};
    int status = kind == SHAPE_DISK       ? make_level(size[0], 0, out)
                 : kind == SHAPE_RING     ? make_level(size[0], size[1], out)
                 : kind == SHAPE_BOX      ? make_box(size, out)
                 : kind == SHAPE_SPHERE   ? make_sphere(size[0], out)
                 : kind == SHAPE_CYLINDER ? make_cylinder(size[0], size[1], out)
                                          : make_teapot(size[0], out);
    if (status == STATUS_OK)
        status = mesh_clean(out, mesh_shape_names[kind]);
    if (status != STATUS_OK)
        mesh_destroy(out);
    return status;
}
