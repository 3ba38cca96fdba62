/* SPDX-License-Identifier: MIT */
/* The ground of the wind's page. */
#include "config.h"

#include "view/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 512, MESH = 160, MADE_UP = 256 };
#define MADE_UP_SPACING 16.0 /* m */

static int allocate(view_ground *g)
{
    g->extent[0] = g->nx * g->spacing[0];
    g->extent[1] = g->nz * g->spacing[1];
    g->heights = malloc((size_t)g->nx * (size_t)g->nz * sizeof *g->heights);
    return g->heights ? STATUS_OK : fail_memory();
}

/* A ridge with a summit, and lower hills around: x, z of the middle, height, half widths, all m. */
static double made_up_height(double x, double z)
{
    static const double hills[][5] = {
        {2048, 2048, 150, 210, 330}, {2330, 1790, 60, 260, 220}, {1500, 2500, 55, 320, 260},
        {2700, 2700, 60, 380, 300},  {1250, 1400, 65, 300, 380}, {3250, 1500, 75, 420, 520},
        {600, 2100, 45, 360, 300},   {3500, 3200, 70, 500, 360}, {1900, 3500, 60, 520, 330},
        {700, 3400, 50, 330, 420},   {2300, 700, 55, 460, 320},  {900, 500, 60, 420, 360}};
    double height = 20;
    for (size_t i = 0; i < sizeof hills / sizeof hills[0]; i++) {
        double dx = (x - hills[i][0]) / hills[i][3], dz = (z - hills[i][1]) / hills[i][4];
        height += hills[i][2] * exp(-(dx * dx + dz * dz) / 2);
    }
    return height + 4 * sin(x / 95) * sin(z / 120) + 2 * sin(x / 41 + z / 57);
}

static int make_up(view_ground *g)
{
    g->nx = g->nz = MADE_UP;
    g->spacing[0] = g->spacing[1] = MADE_UP_SPACING;
    snprintf(g->name, sizeof g->name, "made-up hills");
    int status = allocate(g);
    for (int k = 0; k < g->nz && status == STATUS_OK; k++)
        for (int i = 0; i < g->nx; i++)
            g->heights[k * g->nx + i] =
                (float)made_up_height((i + 0.5) * g->spacing[0], (k + 0.5) * g->spacing[1]);
    return status;
}

/* The raster at its own spacing, or as fine as MOST_SAMPLES allow. */
static int read_raster(const terrain_request *request, view_ground *g)
{
    terrain t;
    int status = terrain_read(request, &t);
    if (status != STATUS_OK)
        return status;
    const char *slash = strrchr(request->path, '/');
    snprintf(g->name, sizeof g->name, "%.90s", slash ? slash + 1 : request->path);
    double width = t.window[2] - t.window[0], depth = t.window[3] - t.window[1];
    double h = fmax(fmax(t.pixel[0], t.pixel[1]), fmax(width, depth) / MOST_SAMPLES);
    g->nx = (int)fmax(2, floor(width / h));
    g->nz = (int)fmax(2, floor(depth / h));
    g->spacing[0] = width / g->nx;
    g->spacing[1] = depth / g->nz;
    g->convergence = t.place.convergence;
    status = allocate(g);
    for (int k = 0; k < g->nz && status == STATUS_OK; k++)
        for (int i = 0; i < g->nx; i++) {
            double west = t.window[0] + i * g->spacing[0], north = t.window[3] - k * g->spacing[1];
            g->heights[(size_t)k * (size_t)g->nx + (size_t)i] =
                (float)terrain_mean(&t, west, north - g->spacing[1], west + g->spacing[0], north);
        }
    terrain_destroy(&t);
    return status;
}

int view_ground_create(const terrain_request *request, view_ground *g)
{
    memset(g, 0, sizeof *g);
    int status = request->path ? read_raster(request, g) : make_up(g);
    if (status != STATUS_OK)
        return status;
    double highest = -INFINITY;
    g->lowest = INFINITY;
    g->summit = -INFINITY;
    for (int k = 0; k < g->nz; k++)
        for (int i = 0; i < g->nx; i++) {
            double height = (double)g->heights[(size_t)k * (size_t)g->nx + (size_t)i];
            bool middle =
                4 * i >= g->nx && 4 * i < 3 * g->nx && 4 * k >= g->nz && 4 * k < 3 * g->nz;
            g->lowest = fmin(g->lowest, height);
            g->summit = fmax(g->summit, height);
            if (!middle || height <= highest)
                continue;
            highest = height;
            g->top[0] = (i + 0.5) * g->spacing[0];
            g->top[1] = (k + 0.5) * g->spacing[1];
        }
    return STATUS_OK;
}

void view_ground_destroy(view_ground *g)
{
    free(g->heights);
    g->heights = NULL;
}

double view_ground_height(const view_ground *g, double x, double z)
{
    double p[2] = {x / g->spacing[0] - 0.5, z / g->spacing[1] - 0.5};
    int n[2] = {g->nx, g->nz}, i[2];
    for (int a = 0; a < 2; a++) {
        p[a] = fmin(fmax(p[a], 0), n[a] - 1.0);
        i[a] = (int)fmin(floor(p[a]), n[a] - 2.0);
        p[a] -= i[a];
    }
    const float *h = g->heights + (size_t)i[1] * (size_t)g->nx + (size_t)i[0];
    double near = (double)h[0] + p[0] * (double)(h[1] - h[0]);
    double far = (double)h[g->nx] + p[0] * (double)(h[g->nx + 1] - h[g->nx]);
    return near + p[1] * (far - near);
}

/* ---- mesh ---- */

static void put_vertex(const view_ground *g, double x, double z, float *out)
{
    double d = fmax(g->spacing[0], g->extent[0] / MESH);
    double slope_x = (view_ground_height(g, x + d, z) - view_ground_height(g, x - d, z)) / (2 * d);
    double slope_z = (view_ground_height(g, x, z + d) - view_ground_height(g, x, z - d)) / (2 * d);
    double length = sqrt(1 + slope_x * slope_x + slope_z * slope_z);
    out[0] = (float)x;
    out[1] = (float)view_ground_height(g, x, z);
    out[2] = (float)z;
    out[3] = (float)(-slope_x / length);
    out[4] = (float)(1 / length);
    out[5] = (float)(-slope_z / length);
}

int view_ground_mesh(const view_ground *g, view_mesh *mesh)
{
    static const int layout[] = {3, 3, 0};
    enum { SIDE = MESH + 1 };
    float *vertices = malloc(sizeof(float) * 6 * SIDE * SIDE);
    uint32_t *indices = malloc(sizeof(uint32_t) * 6 * MESH * MESH);
    view_mesh_create(mesh, layout);
    if (!vertices || !indices) {
        free(vertices);
        free(indices);
        return fail_memory();
    }
    for (int k = 0; k < SIDE; k++)
        for (int i = 0; i < SIDE; i++)
            put_vertex(g, g->extent[0] * i / MESH, g->extent[1] * k / MESH,
                       vertices + 6 * (k * SIDE + i));
    uint32_t *p = indices;
    for (uint32_t k = 0; k < MESH; k++)
        for (uint32_t i = 0; i < MESH; i++) {
            uint32_t at = k * SIDE + i;
            const uint32_t corners[6] = {at, at + SIDE, at + 1, at + 1, at + SIDE, at + SIDE + 1};
            memcpy(p, corners, sizeof corners);
            p += 6;
        }
    view_mesh_set(mesh, SIDE * SIDE, vertices);
    view_mesh_set_indices(mesh, 6 * MESH * MESH, indices);
    free(vertices);
    free(indices);
    return STATUS_OK;
}
