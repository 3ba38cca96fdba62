/* SPDX-License-Identifier: MIT */
/* Signed distance to a closed triangle mesh, baked once.
 *
 * Exact within a band around the surface; farther out the nearest triangle is handed from voxel to
 * voxel in sweeps (Zhao 2005's order, on triangles instead of distances).  The sign is the winding
 * number along rows of voxels. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 4194304, MOST_VOXELS = 256, MARGIN = 3, BAND = 1, SWEEPS = 2 };

typedef struct surface {
    size_t count;             /* triangles that have an area */
    uint32_t (*triangles)[3]; /* of vertices that no two places share */
    const float (*vertices)[3];
} surface;

/* ---- one surface from the caller's triangles ---- */

typedef struct place {
    float p[3];
    uint32_t vertex;
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    for (int n = 0; n < 3; n++)
        if (x->p[n] != y->p[n])
            return x->p[n] < y->p[n] ? -1 : 1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

/* same[v]: the first vertex at the place of v. */
static foehn_status weld(const foehn_fire_mesh *mesh, uint32_t *same)
{
    place *places = malloc(mesh->vertex_count * sizeof *places);
    if (!places)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu vertices",
                          mesh->vertex_count);
    for (size_t n = 0; n < mesh->vertex_count; n++) {
        for (int a = 0; a < 3; a++)
            places[n].p[a] = mesh->vertices[n][a] + 0.0f; /* -0 is 0 */
        places[n].vertex = (uint32_t)n;
    }
    qsort(places, mesh->vertex_count, sizeof *places, by_place);
    for (size_t n = 0, first = 0; n < mesh->vertex_count; n++) {
        if (memcmp(places[n].p, places[first].p, sizeof places[n].p) != 0)
            first = n;
        same[places[n].vertex] = places[first].vertex;
    }
    free(places);
    return FOEHN_OK;
}

typedef struct edge {
    uint32_t low, high;
    int sense;
} edge;

static int by_ends(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

/* Every edge is passed as often one way as the other. */
static foehn_status check_closed(const surface *s)
{
    edge *edges = malloc(3 * s->count * sizeof *edges);
    if (!edges)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu edges", 3 * s->count);
    for (size_t n = 0; n < 3 * s->count; n++) {
        uint32_t a = s->triangles[n / 3][n % 3], b = s->triangles[n / 3][(n + 1) % 3];
        edges[n] = (edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
    }
    qsort(edges, 3 * s->count, sizeof *edges, by_ends);
    size_t open = 0;
    for (size_t n = 0; n < 3 * s->count;) {
        const edge *first = &edges[n];
        int sum = 0;
        for (; n < 3 * s->count && by_ends(first, &edges[n]) == 0; n++)
            sum += edges[n].sense;
        open += sum != 0;
    }
    free(edges);
    if (open > 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the mesh is not closed: %zu edges are open or turn the wrong way; close "
                          "it, or use boxes and ellipsoids",
                          open);
    return FOEHN_OK;
}

static foehn_status check_mesh(const foehn_fire_mesh *m)
{
    if (m->vertex_count < 4 || m->triangle_count < 4 || m->vertex_count > MOST_VERTICES ||
        m->triangle_count > MOST_VERTICES)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a mesh of %zu vertices and %zu triangles: 4 to %d each", m->vertex_count,
                          m->triangle_count, MOST_VERTICES);
    if (!(m->voxel >= 0 && isfinite(m->voxel)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "voxel = %g m: must be >= 0", m->voxel);
    for (size_t n = 0; n < m->vertex_count; n++)
        for (int a = 0; a < 3; a++)
            if (!isfinite(m->vertices[n][a]))
                return foehn_fail(FOEHN_ERROR_ARGUMENT, "vertex %zu of the mesh is not finite", n);
    for (size_t n = 0; n < m->triangle_count; n++)
        for (int a = 0; a < 3; a++)
            if (m->triangles[n][a] >= m->vertex_count)
                return foehn_fail(FOEHN_ERROR_ARGUMENT, "triangle %zu has vertex %u of %zu", n,
                                  (unsigned)m->triangles[n][a], m->vertex_count);
    return FOEHN_OK;
}

static foehn_status make_surface(const foehn_fire_mesh *m, surface *s)
{
    uint32_t *same = malloc(m->vertex_count * sizeof *same);
    s->vertices = m->vertices;
    s->triangles = malloc(m->triangle_count * sizeof *s->triangles);
    foehn_status status = FOEHN_OK;
    if (!same || !s->triangles)
        status =
            foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu triangles", m->triangle_count);
    else
        status = weld(m, same);
    for (size_t n = 0; status == FOEHN_OK && n < m->triangle_count; n++) {
        uint32_t *t = s->triangles[s->count];
        for (int a = 0; a < 3; a++)
            t[a] = same[m->triangles[n][a]];
        s->count += t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    }
    free(same);
    if (status == FOEHN_OK && s->count < 4)
        status = foehn_fail(FOEHN_ERROR_ARGUMENT, "the mesh has only %zu triangles with an area",
                            s->count);
    return status == FOEHN_OK ? check_closed(s) : status;
}

/* ---- distance ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Squared distance of p to a segment from a along ab. */
static double to_segment(const double p[3], const double a[3], const double ab[3])
{
    const double ap[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    double length2 = dot(ab, ab), t = length2 > 0 ? dot(ap, ab) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    const double d[3] = {ap[0] - t * ab[0], ap[1] - t * ab[1], ap[2] - t * ab[2]};
    return dot(d, d);
}

/* Squared distance to a triangle: to its plane where p lies over it, else to an edge. */
static double to_triangle(const surface *s, size_t n, const double p[3])
{
    double v[3][3], e[3][3], normal[3], least = INFINITY;
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++)
            v[c][a] = (double)s->vertices[s->triangles[n][c]][a];
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++)
            e[c][a] = v[(c + 1) % 3][a] - v[c][a];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        normal[a] = e[0][b] * e[1][c] - e[0][c] * e[1][b];
    }
    bool over = true;
    for (int c = 0; c < 3; c++) {
        const double d[3] = {p[0] - v[c][0], p[1] - v[c][1], p[2] - v[c][2]};
        const double side[3] = {normal[1] * e[c][2] - normal[2] * e[c][1],
                                normal[2] * e[c][0] - normal[0] * e[c][2],
                                normal[0] * e[c][1] - normal[1] * e[c][0]};
        over = over && dot(side, d) >= 0;
        least = fmin(least, to_segment(p, v[c], e[c]));
    }
    double area2 = dot(normal, normal);
    if (over && area2 > 0) {
        const double d[3] = {p[0] - v[0][0], p[1] - v[0][1], p[2] - v[0][2]};
        least = dot(normal, d) * dot(normal, d) / area2;
    }
    return least;
}

/* The grid while it is baked. */
typedef struct baking {
    const surface *s;
    fire_mesh *mesh;
    int32_t *nearest; /* triangle, -1: not known yet */
    float *squared;
    int16_t *winding; /* change of the winding number when a row enters the voxel */
} baking;

static size_t index_of(const fire_mesh *m, int i, int j, int k)
{
    return ((size_t)k * (size_t)m->n[1] + (size_t)j) * (size_t)m->n[0] + (size_t)i;
}

static void offer(baking *b, int i, int j, int k, int32_t triangle)
{
    size_t c = index_of(b->mesh, i, j, k);
    if (triangle < 0 || triangle == b->nearest[c])
        return;
    const double p[3] = {b->mesh->origin[0] + i * b->mesh->voxel,
                         b->mesh->origin[1] + j * b->mesh->voxel,
                         b->mesh->origin[2] + k * b->mesh->voxel};
    float squared = (float)to_triangle(b->s, (size_t)triangle, p);
    if (b->nearest[c] < 0 || squared < b->squared[c]) {
        b->nearest[c] = triangle;
        b->squared[c] = squared;
    }
}

/* Voxels from low to high that a triangle's bounds and the band around them touch. */
static void bounds(const baking *b, size_t n, int low[3], int high[3])
{
    for (int a = 0; a < 3; a++) {
        double least = INFINITY, most = -INFINITY;
        for (int c = 0; c < 3; c++) {
            double x = ((double)b->s->vertices[b->s->triangles[n][c]][a] - b->mesh->origin[a]) /
                       b->mesh->voxel;
            least = fmin(least, x);
            most = fmax(most, x);
        }
        low[a] = (int)fmax(floor(least) - BAND, 0);
        high[a] = (int)fmin(ceil(most) + BAND, b->mesh->n[a] - 1);
    }
}

static void near_surface(baking *b)
{
    for (size_t n = 0; n < b->s->count; n++) {
        int low[3], high[3];
        bounds(b, n, low, high);
        for (int k = low[2]; k <= high[2]; k++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++)
                    offer(b, i, j, k, (int32_t)n);
    }
}

/* One pass in the direction (dx, dy, dz): each voxel is offered what its predecessors have. */
static void sweep(baking *b, int dx, int dy, int dz)
{
    const int *n = b->mesh->n;
    for (int kk = 0; kk < n[2]; kk++)
        for (int jj = 0; jj < n[1]; jj++)
            for (int ii = 0; ii < n[0]; ii++) {
                int i = dx > 0 ? ii : n[0] - 1 - ii, j = dy > 0 ? jj : n[1] - 1 - jj;
                int k = dz > 0 ? kk : n[2] - 1 - kk;
                if (ii > 0)
                    offer(b, i, j, k, b->nearest[index_of(b->mesh, i - dx, j, k)]);
                if (jj > 0)
                    offer(b, i, j, k, b->nearest[index_of(b->mesh, i, j - dy, k)]);
                if (kk > 0)
                    offer(b, i, j, k, b->nearest[index_of(b->mesh, i, j, k - dz)]);
            }
}

/* ---- sign ---- */

/* On which side of the edge from vertex a to b the point (y, z) lies, and twice the area there.
 * Both triangles at an edge get opposite answers, whatever the rounding. */
static int side_of(const surface *s, uint32_t a, uint32_t b, double y, double z, double *area)
{
    if (a > b) {
        int side = side_of(s, b, a, y, z, area);
        *area = -*area;
        return -side;
    }
    double ay = (double)s->vertices[a][1] - y, az = (double)s->vertices[a][2] - z;
    double by = (double)s->vertices[b][1] - y, bz = (double)s->vertices[b][2] - z;
    *area = ay * bz - az * by;
    return *area >= 0 ? 1 : -1;
}

/* Rows along x that cross a triangle change their winding number there. */
static void cross_rows(baking *b, size_t n)
{
    const uint32_t *t = b->s->triangles[n];
    const fire_mesh *m = b->mesh;
    int low[3], high[3];
    bounds(b, n, low, high);
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++) {
            /* A little off, so that rows miss vertices that lie on voxels. */
            double y = m->origin[1] + (j + 1.234567e-6) * m->voxel, area[3], x = 0;
            double z = m->origin[2] + (k + 2.345678e-6) * m->voxel;
            int side = side_of(b->s, t[1], t[2], y, z, &area[0]);
            if (side != side_of(b->s, t[2], t[0], y, z, &area[1]) ||
                side != side_of(b->s, t[0], t[1], y, z, &area[2]))
                continue;
            double sum = area[0] + area[1] + area[2];
            for (int c = 0; c < 3; c++)
                x += (sum != 0 ? area[c] / sum : 1.0 / 3) * (double)b->s->vertices[t[c]][0];
            int i = (int)ceil((x - m->origin[0]) / m->voxel);
            if (i < m->n[0])
                b->winding[index_of(m, i < 0 ? 0 : i, j, k)] += (int16_t)side;
        }
}

static void sign(baking *b)
{
    for (size_t n = 0; n < b->s->count; n++)
        cross_rows(b, n);
    for (int k = 0; k < b->mesh->n[2]; k++)
        for (int j = 0; j < b->mesh->n[1]; j++) {
            int winding = 0;
            for (int i = 0; i < b->mesh->n[0]; i++) {
                size_t c = index_of(b->mesh, i, j, k);
                winding += b->winding[c];
                b->mesh->distance[c] = sqrtf(b->squared[c]) * (winding != 0 ? -1.0f : 1.0f);
            }
        }
}

/* ---- bake ---- */

/* The grid: the surface's bounds and a margin. */
static foehn_status place_grid(const foehn_fire_mesh *mesh, const surface *s, fire_mesh *out)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double longest = 0;
    for (size_t n = 0; n < 3 * s->count; n++)
        for (int a = 0; a < 3; a++) {
            double x = (double)s->vertices[s->triangles[n / 3][n % 3]][a];
            low[a] = fmin(low[a], x);
            high[a] = fmax(high[a], x);
        }
    for (int a = 0; a < 3; a++)
        longest = fmax(longest, high[a] - low[a]);
    out->voxel = mesh->voxel > 0 ? mesh->voxel : longest / 48;
    for (int a = 0; a < 3; a++) {
        double cells = ceil((high[a] - low[a]) / out->voxel) + 2 * MARGIN + 1;
        if (!(cells <= MOST_VOXELS))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "voxels of %g m give a distance grid of %g along %c: at most %d; use "
                              "wider ones",
                              out->voxel, cells, "xyz"[a], MOST_VOXELS);
        out->n[a] = (int)cells;
        out->origin[a] = (low[a] + high[a]) / 2 - (cells - 1) / 2 * out->voxel;
    }
    return FOEHN_OK;
}

static foehn_status bake(const surface *s, fire_mesh *out)
{
    size_t count = (size_t)out->n[0] * (size_t)out->n[1] * (size_t)out->n[2];
    baking b = {.s = s,
                .mesh = out,
                .nearest = malloc(count * sizeof *b.nearest),
                .squared = malloc(count * sizeof *b.squared),
                .winding = calloc(count, sizeof *b.winding)};
    out->distance = malloc(count * sizeof *out->distance);
    foehn_status status = FOEHN_OK;
    if (!b.nearest || !b.squared || !b.winding || !out->distance) {
        free(out->distance);
        out->distance = NULL;
        status = foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu voxels of a mesh", count);
    } else {
        for (size_t c = 0; c < count; c++)
            b.nearest[c] = -1;
        near_surface(&b);
        for (int pass = 0; pass < 8 * SWEEPS; pass++)
            sweep(&b, pass & 1 ? -1 : 1, pass & 2 ? -1 : 1, pass & 4 ? -1 : 1);
        sign(&b);
    }
    free(b.nearest);
    free(b.squared);
    free(b.winding);
    return status;
}

foehn_status foehn_mesh_bake(const foehn_fire_mesh *mesh, fire_mesh *out)
{
    surface s = {0};
    *out = (fire_mesh){0};
    TRY(check_mesh(mesh));
    foehn_status status = make_surface(mesh, &s);
    if (status == FOEHN_OK)
        status = place_grid(mesh, &s, out);
    if (status == FOEHN_OK)
        status = bake(&s, out);
    free(s.triangles);
    return status;
}
