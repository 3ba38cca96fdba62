/* SPDX-License-Identifier: MIT */
/* Triangle meshes: cleaning, measuring, sampling. */
#include "config.h"

#include "fire/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int mesh_reserve(mesh *m, size_t vertices, size_t triangles)
{
    vertices += m->vertex_count;
    triangles += m->triangle_count;
    float(*v)[3] = realloc(m->vertices, (vertices + 1) * sizeof *v);
    if (v)
        m->vertices = v;
    uint32_t(*t)[3] = realloc(m->triangles, (triangles + 1) * sizeof *t);
    if (t)
        m->triangles = t;
    return v && t ? STATUS_OK : fail_memory();
}

uint32_t mesh_add_vertex(mesh *m, double x, double y, double z)
{
    float *v = m->vertices[m->vertex_count];
    v[0] = (float)x + 0.0f; /* no negative zero, which would differ from zero */
    v[1] = (float)y + 0.0f;
    v[2] = (float)z + 0.0f;
    return (uint32_t)m->vertex_count++;
}

void mesh_add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = m->triangles[m->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

void mesh_destroy(mesh *m)
{
    free(m->vertices);
    free(m->triangles);
    *m = (mesh){0};
}

/* ---- cleaning ---- */

/* Vertices that no triangle has go. */
static int compact(mesh *m)
{
    uint32_t *number = calloc(m->vertex_count + 1, sizeof *number); /* new number + 1 */
    uint32_t count = 0;
    if (!number)
        return fail_memory();
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            number[m->triangles[t][k]] = 1;
    for (size_t i = 0; i < m->vertex_count; i++)
        if (number[i]) {
            memmove(m->vertices[count], m->vertices[i], sizeof m->vertices[i]);
            number[i] = ++count;
        }
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            m->triangles[t][k] = number[m->triangles[t][k]] - 1;
    m->vertex_count = count;
    free(number);
    return STATUS_OK;
}

typedef struct numbered_point {
    float at[3];
    uint32_t number;
} numbered_point;

static int compare_points(const void *a, const void *b)
{
    const numbered_point *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->at[k] != q->at[k])
            return p->at[k] < q->at[k] ? -1 : 1;
    return p->number < q->number ? -1 : 1;
}

/* The first of all vertices at the same point stands for all of them. */
static int weld(mesh *m)
{
    numbered_point *points = malloc((m->vertex_count + 1) * sizeof *points);
    uint32_t *stands_in = malloc((m->vertex_count + 1) * sizeof *stands_in);
    if (!points || !stands_in) {
        free(points);
        free(stands_in);
        return fail_memory();
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        memcpy(points[i].at, m->vertices[i], sizeof points[i].at);
        points[i].number = (uint32_t)i;
    }
    qsort(points, m->vertex_count, sizeof *points, compare_points);
    for (size_t i = 0, first = 0; i < m->vertex_count; i++) {
        if (memcmp(points[i].at, points[first].at, sizeof points[i].at) != 0)
            first = i;
        stands_in[points[i].number] = points[first].number;
    }
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            m->triangles[t][k] = stands_in[m->triangles[t][k]];
    free(points);
    free(stands_in);
    return STATUS_OK;
}

static void edge_vectors(const mesh *m, size_t t, double u[3], double v[3])
{
    const uint32_t *corner = m->triangles[t];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)m->vertices[corner[1]][k] - (double)m->vertices[corner[0]][k];
        v[k] = (double)m->vertices[corner[2]][k] - (double)m->vertices[corner[0]][k];
    }
}

static double triangle_area(const mesh *m, size_t t)
{
    double u[3], v[3];
    edge_vectors(m, t, u, v);
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

int mesh_clean(mesh *m, const char *name)
{
    for (size_t i = 0; i < m->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabsf(m->vertices[i][k]) <= 1e6f))
                return fail(STATUS_INPUT, "%s: vertex %zu has the coordinate %g: need up to 1e6 m",
                            name, i, (double)m->vertices[i][k]);
    int status = weld(m);
    size_t kept = 0;
    for (size_t t = 0; t < m->triangle_count && status == STATUS_OK; t++) {
        const uint32_t *c = m->triangles[t];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            continue;
        memmove(m->triangles[kept++], c, sizeof m->triangles[0]);
    }
    m->triangle_count = kept;
    if (status == STATUS_OK)
        status = compact(m);
    if (status == STATUS_OK && !(mesh_area(m) > 0))
        return fail(STATUS_INPUT, "%s: no triangle with an area in it: need a surface", name);
    return status;
}

/* ---- measuring ---- */

double mesh_area(const mesh *m)
{
    double area = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        area += triangle_area(m, t);
    return area;
}

double mesh_volume(const mesh *m)
{
    double volume = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const float *a = m->vertices[m->triangles[t][0]];
        double u[3], v[3];
        edge_vectors(m, t, u, v);
        volume += ((double)a[0] * (u[1] * v[2] - u[2] * v[1]) +
                   (double)a[1] * (u[2] * v[0] - u[0] * v[2]) +
                   (double)a[2] * (u[0] * v[1] - u[1] * v[0])) /
                  6;
    }
    return volume;
}

/* An edge from its lower to its higher vertex; sense: 1 if the triangle runs that way, else -1. */
typedef struct edge {
    uint32_t low, high;
    int sense;
} edge;

static int compare_edges(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

int mesh_open_edges(const mesh *m, size_t *open)
{
    size_t count = 3 * m->triangle_count;
    edge *edges = malloc((count + 1) * sizeof *edges);
    *open = 0;
    if (!edges)
        return fail_memory();
    for (size_t e = 0; e < count; e++) {
        uint32_t a = m->triangles[e / 3][e % 3], b = m->triangles[e / 3][(e + 1) % 3];
        edges[e] = a < b ? (edge){a, b, 1} : (edge){b, a, -1};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t e = 0, next; e < count; e = next) {
        int sense = 0;
        for (next = e; next < count && compare_edges(&edges[e], &edges[next]) == 0; next++)
            sense += edges[next].sense;
        *open += next - e != 2 || sense != 0;
    }
    free(edges);
    return STATUS_OK;
}

/* ---- sampling ---- */

/* SplitMix64 (Steele, Lea, Flood 2014), as a number from 0 to 1. */
static double random_number(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

int mesh_sample(const mesh *m, size_t count, uint64_t seed, float (*points)[3])
{
    const double plastic = 1.32471795724474602596; /* p^3 = p + 1, which makes R2 */
    uint64_t state = seed;
    double shift[2] = {random_number(&state), random_number(&state)};
    double *before = malloc((m->triangle_count + 1) * sizeof *before); /* area of all earlier */
    if (!before)
        return fail_memory();
    before[0] = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        before[t + 1] = before[t] + triangle_area(m, t);
    double area = before[m->triangle_count];
    for (size_t i = 0, t = 0; i < count; i++) {
        double where = ((double)i + random_number(&state)) / (double)count * area;
        while (t + 1 < m->triangle_count && before[t + 1] <= where)
            t++;
        double r = fmod(shift[0] + (double)(i + 1) / plastic, 1);
        double s = fmod(shift[1] + (double)(i + 1) / (plastic * plastic), 1);
        if (r + s > 1) { /* the other half of the parallelogram */
            r = 1 - r;
            s = 1 - s;
        }
        double u[3], v[3];
        edge_vectors(m, t, u, v);
        for (int k = 0; k < 3; k++)
            points[i][k] =
                (float)((double)m->vertices[m->triangles[t][0]][k] + r * u[k] + s * v[k]);
    }
    free(before);
    return STATUS_OK;
}
