/* SPDX-License-Identifier: MIT */
/* Terrain under a fire: heights from a raster as a closed mesh, which air and fire meet as any
 * collider.
 *
 * East is x, north is -z, y is up; `at` is the place in the raster's system of the world's origin
 * here. */
#include "config.h"

#include "fire/fire.h"
#include "terrain/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The library's grid of distances has 256 voxels an axis, some of them around the mesh. */
enum { MOST_ACROSS = 246, BEYOND = 3 };

struct fire_ground {
    terrain map;
    double at[3];
};

double fire_ground_height(const fire_ground *g, double x, double z, double width)
{
    double east = g->at[0] + x, north = g->at[1] - z, half = 0.5 * width;
    return terrain_mean(&g->map, east - half, north - half, east + half, north + half) - g->at[2];
}

void fire_ground_close(fire_ground *g)
{
    if (!g)
        return;
    terrain_destroy(&g->map);
    free(g);
}

/* ---- reading ---- */

int fire_ground_read(yaml_at at, const fire_scene *s, fire_ground_spec *out)
{
    static const char *const keys[] = {
        "file", "at", "window", "void_height", "height_unit", "assume_metres", NULL};
    char unit[32] = "";
    if (!at.node)
        return STATUS_OK;
    CHECK(yaml_check_keys(at, "terrain", keys));
    yaml_at here = yaml_get(at, "at"), window = yaml_get(at, "window");
    if (!yaml_get(at, "file").node)
        return yaml_fail(at, "terrain: file is missing");
    CHECK(fire_scene_path(yaml_get(at, "file"), "file", s, out->file));
    out->at_count = yaml_count(here);
    if (here.node && out->at_count != 2 && out->at_count != 3)
        return yaml_fail(here, "at: must be a list of easting and northing, or also altitude, m");
    CHECK(yaml_numbers(here, "at", here.node ? out->at_count : 3, out->at));
    out->has_window = window.node != 0;
    CHECK(yaml_numbers(window, "window", 4, out->window));
    if (out->has_window && !(out->window[0] < out->window[2] && out->window[1] < out->window[3]))
        return yaml_fail(window, "window: must be west, south, east, north");
    out->has_void_height = yaml_get(at, "void_height").node != 0;
    CHECK(yaml_number(yaml_get(at, "void_height"), "void_height", -12000, 9500, &out->void_height));
    CHECK(yaml_truth(yaml_get(at, "assume_metres"), "assume_metres", &out->assume_metres));
    if (!yaml_get(at, "height_unit").node)
        return STATUS_OK;
    CHECK(yaml_copy_text(yaml_get(at, "height_unit"), "height_unit", sizeof unit, unit));
    out->height_unit = terrain_unit(unit);
    return out->height_unit > 0 ? STATUS_OK
                                : yaml_fail(yaml_get(at, "height_unit"),
                                            "height_unit: unknown: give m, ft, us-ft, dm, cm, mm "
                                            "or km");
}

/* Where the box lies over the ground: west, south, east, north of the origin. */
static void footprint(const foehn_fire_params *p, double beyond, double out[4])
{
    double low[3], high[3];
    fire_box_reach(&p->pose, p->size, low, high);
    out[0] = low[0] - beyond;
    out[1] = -high[2] - beyond;
    out[2] = high[0] + beyond;
    out[3] = -low[2] + beyond;
}

/* The ground ends no nearer than the box does. */
static int check_cover(const fire_ground *g, const fire_ground_spec *spec, const double box[4])
{
    const double *w = g->map.window;
    for (int k = 0; k < 2; k++)
        if (g->at[k] + box[k] < w[k] || g->at[k] + box[k + 2] > w[k + 2])
            return fail(STATUS_INPUT,
                        "%s: reaches from %.10g to %.10g m towards %s, the fire's box from %.10g "
                        "to %.10g: move it with at, or choose another window",
                        spec->file, w[k], w[k + 2], k ? "north" : "east", g->at[k] + box[k],
                        g->at[k] + box[k + 2]);
    return STATUS_OK;
}

int fire_ground_open(const fire_ground_spec *spec, const foehn_fire_params *p, fire_ground **out)
{
    double box[4];
    fire_ground *g = calloc(1, sizeof *g);
    *out = g;
    if (!g)
        return fail_memory();
    terrain_request request = {.path = spec->file,
                               .has_window = spec->has_window,
                               .assume_metres = spec->assume_metres,
                               .height_unit = spec->height_unit,
                               .has_void_height = spec->has_void_height,
                               .void_height = spec->void_height};
    memcpy(request.window, spec->window, sizeof request.window);
    int status = terrain_read(&request, &g->map);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < 2; k++)
        g->at[k] = spec->at_count ? spec->at[k] : 0.5 * (g->map.window[k] + g->map.window[k + 2]);
    footprint(p, 0, box);
    status = check_cover(g, spec, box);
    if (status == STATUS_OK)
        g->at[2] =
            spec->at_count == 3 ? spec->at[2] : fire_ground_height(g, 0, 0, p->physics_voxel);
    return status;
}

void fire_ground_place(const fire_ground *g, double at[3])
{
    memcpy(at, g->at, sizeof g->at);
}

const place *fire_ground_system(const fire_ground *g)
{
    return &g->map.place;
}

int fire_ground_land(const fire_ground *g, foehn_fire_land *out)
{
    enum { MOST = 512 };
    const double reach = 6000, *w = g->map.window;
    const double low[2] = {fmax(w[0] - g->at[0], -reach), fmax(g->at[1] - w[3], -reach)};
    const double high[2] = {fmin(w[2] - g->at[0], reach), fmin(g->at[1] - w[1], reach)};
    int n[2];
    for (int k = 0; k < 2; k++) {
        n[k] = (int)fmin(fmax(ceil((high[k] - low[k]) / g->map.pixel[k]) + 1, 2), MOST);
        out->from[k] = low[k];
        out->spacing[k] = (high[k] - low[k]) / (n[k] - 1);
    }
    float *heights = malloc((size_t)n[0] * (size_t)n[1] * sizeof *heights);
    if (!heights)
        return fail_memory();
    for (int k = 0; k < n[1]; k++)
        for (int i = 0; i < n[0]; i++)
            heights[i + k * n[0]] = (float)fire_ground_height(
                g, low[0] + i * out->spacing[0], low[1] + k * out->spacing[1], out->spacing[0]);
    out->nx = n[0];
    out->nz = n[1];
    out->heights = heights;
    return STATUS_OK;
}

/* ---- the mesh ---- */

/* Two triangles of a face with corners a, b, c, d in turn. */
static void add_face(mesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    mesh_add_triangle(m, a, b, c);
    mesh_add_triangle(m, a, c, d);
}

int fire_ground_mesh(const fire_ground *g, const foehn_fire_params *p, mesh *out, double *voxel)
{
    double box[4], from[3], to[3], width = p->physics_voxel, high = g->map.summit - g->at[2];
    fire_box_reach(&p->pose, p->size, from, to);
    double low = from[1];
    footprint(p, 0, box);
    double longest = fmax(fmax(box[2] - box[0], box[3] - box[1]), high - low);
    width = fmax(width, longest / (MOST_ACROSS - 2 * BEYOND));
    footprint(p, BEYOND * width, box);
    const size_t nx = (size_t)ceil((box[2] - box[0]) / width) + 1;
    const size_t nz = (size_t)ceil((box[3] - box[1]) / width) + 1;
    const double dx = (box[2] - box[0]) / (double)(nx - 1),
                 dz = (box[3] - box[1]) / (double)(nz - 1);
    int status = mesh_reserve(out, 2 * nx * nz, 4 * nx * nz + 4 * (nx + nz));
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < nz; k++) /* from north to south, so that z grows */
        for (size_t i = 0; i < nx; i++) {
            double x = box[0] + (double)i * dx, z = -box[3] + (double)k * dz;
            double y = fire_ground_height(g, x, z, width);
            mesh_add_vertex(out, x, y, z);
            low = fmin(low, y);
        }
    for (size_t n = 0; n < nx * nz; n++)
        mesh_add_vertex(out, (double)out->vertices[n][0], low - BEYOND * width,
                        (double)out->vertices[n][2]);
    const uint32_t row = (uint32_t)nx, below = (uint32_t)(nx * nz);
    for (uint32_t k = 0; k + 1 < nz; k++)
        for (uint32_t i = 0; i + 1 < nx; i++) {
            uint32_t a = k * row + i, b = a + row, c = b + 1, d = a + 1;
            add_face(out, a, b, c, d);
            add_face(out, d + below, c + below, b + below, a + below);
        }
    for (uint32_t i = 0; i + 1 < nx; i++) {
        uint32_t a = i, b = below - row + i;
        add_face(out, a, a + 1, a + 1 + below, a + below);
        add_face(out, b + 1, b, b + below, b + 1 + below);
    }
    for (uint32_t k = 0; k + 1 < nz; k++) {
        uint32_t a = k * row, b = a + row - 1;
        add_face(out, a + row, a, a + below, a + row + below);
        add_face(out, b, b + row, b + row + below, b + below);
    }
    *voxel = width;
    return STATUS_OK;
}
