/* SPDX-License-Identifier: MIT */
/* What covers the ground of a site: its options, and samples of it beside those of the heights. */
#include "config.h"

#include "wind/wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_HEIGHT 0.1  /* m above the displaced ground */
#define RESOLVED 4.0      /* cells: trees of that height and more drag on the air */
#define FOREST_FLOOR 0.05 /* m: roughness of the ground under them */
#define DRAG 0.15         /* of leaves: Shaw and Schumann (1992) */

int cover_options_check(const wind_options *o)
{
    const roughness_request *c = &o->cover;
    if ((c->table || c->tree_height) && !c->path)
        return fail(STATUS_USAGE, "%s needs --roughness FILE",
                    c->table ? "--roughness-table" : "--tree-height");
    if (c->path && !o->terrain.path)
        return fail(
            STATUS_USAGE,
            "--roughness needs --terrain DEM: a DEM of one height where the ground is flat");
    if (c->tree_height && !c->table)
        return fail(STATUS_USAGE,
                    "--tree-height needs --roughness-table: only cells of trees take it");
    if (o->leaf_area > 0 && !c->tree_height)
        return fail(STATUS_USAGE, "--leaf-area needs --tree-height FILE: how high the trees are");
    if (o->leaf_area > 0 && (o->model != MODEL_MOMENTUM || o->closure != FOEHN_WIND_K_EPS))
        return fail(STATUS_USAGE, "--leaf-area needs --model momentum with --closure k-eps: no "
                                  "other model lets trees drag");
    if (c->tree_height && (strcmp(c->table, "corine") == 0 || strcmp(c->table, "nlcd") == 0))
        return fail(STATUS_USAGE,
                    "--tree-height is for classes 10, 20 and 95 of WorldCover: give "
                    "--roughness-table worldcover, or a "
                    "table of these classes, instead of %s",
                    c->table);
    if (c->path && (o->model == MODEL_FORCING && !o->steady))
        return fail(STATUS_USAGE, "--roughness needs --model consistent, momentum or les: the "
                                  "forcing knows one roughness");
    if (c->path && o->has_relaxation)
        return fail(
            STATUS_USAGE,
            "--roughness and --relaxation exclude each other: advection relaxes to one roughness");
    if (c->path && !o->has_z0 && o->input_height != 10)
        return fail(STATUS_USAGE, "--input-height with --roughness needs --z0: the roughness where "
                                  "the speed was measured");
    return STATUS_OK;
}

/* Where it is not known yet what blows, or all directions do in turn: at all sides. */
static double mean_log_z0_at_the_inflow(const site *s, double from_grid)
{
    double sum = 0, weights = 0;
    for (int k = 0; k < s->ground.nz; k++)
        for (int i = 0; i < s->ground.nx; i++) {
            double weight = foehn_site_get_inflow(&s->ground, from_grid, i, k);
            sum += weight * log((double)s->roughness[(size_t)k * (size_t)s->ground.nx + (size_t)i]);
            weights += weight;
        }
    return sum / weights;
}

/* Trees of some cells drag on the air; they neither raise nor roughen the ground. */
static int plant_trees(const wind_options *o, size_t count, site *s)
{
    const double least = RESOLVED * s->scene.spacing[2];
    size_t resolved = 0, lower = 0;
    double highest = 0;
    s->leaf_area = malloc(count * sizeof *s->leaf_area);
    if (!s->leaf_area)
        return fail_memory();
    for (size_t i = 0; i < count; i++) {
        const bool is_resolved = (double)s->trees[i] >= least;
        resolved += is_resolved;
        lower += !is_resolved && s->trees[i] > 0;
        highest = fmax(highest, (double)s->trees[i]);
        s->leaf_area[i] = (float)o->leaf_area;
        s->trees[i] = is_resolved ? s->trees[i] : 0;
        s->roughness[i] = is_resolved ? (float)FOREST_FLOOR : s->roughness[i];
        s->displacement[i] = is_resolved ? 0 : s->displacement[i];
    }
    if (resolved == 0)
        warn("--leaf-area: no trees are %.3g m high, four cells of %g m (the highest have %.3g m): "
             "all of them are "
             "roughness and displacement; give a finer vertical --spacing",
             least, s->scene.spacing[2], highest);
    report("Canopy    trees of %.3g m and more on %.1f %% of the ground drag on the air, leaf area "
           "%g, Cd %g; lower ones on "
           "%.1f %% are roughness and displacement",
           least, 100.0 * (double)resolved / (double)count, o->leaf_area, DRAG,
           100.0 * (double)lower / (double)count);
    return STATUS_OK;
}

int site_cover(const wind_options *o, double from, const place *at, site *s)
{
    const scene *sc = &s->scene;
    const double h = sc->spacing[0], back = s->ground.nx > s->params.nx ? 0.5 * h : 0;
    const size_t count = (size_t)s->ground.nx * (size_t)s->ground.nz;
    const roughness_grid grid = {
        .place = at,
        .nx = s->ground.nx,
        .ny = s->ground.nz,
        .west = s->world_easting - back,
        .north = s->world_northing + back,
        .cell = h,
        .box = {s->world_easting, s->world_northing - h * s->params.nz,
                s->world_easting + h * s->params.nx, s->world_northing},
    };
    s->roughness = malloc(count * sizeof(float));
    s->displacement = malloc(count * sizeof(float));
    s->trees = malloc(count * sizeof(float));
    if (!s->roughness || !s->displacement || !s->trees)
        return fail_memory();
    int status = roughness_read(&o->cover, &grid, s->roughness, s->displacement, s->trees);
    if (status != STATUS_OK)
        return status;
    if (o->leaf_area > 0 && (status = plant_trees(o, count, s)) != STATUS_OK)
        return status;
    double low = INFINITY, high = 0, sum = 0, raised = 0, lowest = o->height;
    size_t without_wind = 0;
    for (int i = 0; i < o->height_count; i++)
        lowest = fmin(lowest, o->heights[i]);
    for (size_t i = 0; i < count; i++) {
        without_wind += (double)s->displacement[i] + (double)s->roughness[i] >= lowest;
        low = fmin(low, (double)s->roughness[i]);
        high = fmax(high, (double)s->roughness[i]);
        sum += log((double)s->roughness[i]);
        raised = fmax(raised, (double)s->displacement[i]);
    }
    if (!o->has_z0)
        s->params.z0 =
            (float)exp(mean_log_z0_at_the_inflow(s, o->sectors > 0 ? NAN : from - at->convergence));
    report(
        "Roughness z0 %.3g to %.3g m, mean of ln z0 at %.3g m; the wind comes in over %.3g m%s%s",
        low, high, exp(sum / (double)count), (double)s->params.z0,
        o->has_z0 ? " (--z0)" : ", as on the map's sides there",
        raised > 0 ? "; displacement raises the ground" : "");
    const char *slash = strrchr(o->cover.path, '/');
    snprintf(s->scene.cover, sizeof s->scene.cover, "%.60s%s%.40s: z0 %.3g to %.3g m%s",
             slash ? slash + 1 : o->cover.path, o->cover.table ? " by the table " : "",
             o->cover.table ? o->cover.table : "", low, high,
             s->leaf_area ? ", trees that drag" : "");
    if (raised > 0)
        report("Roughness displacement of up to %.3g m: heights above the ground are those above "
               "the real one",
               raised);
    if (without_wind > 0)
        warn("--height %g: no wind blows there on %.2g %% of the box, where the roughness map's "
             "displacement (of up to %.3g m) reaches as high: give a greater --height",
             lowest, 100.0 * (double)without_wind / (double)count, raised);
    s->rough = (foehn_terrain){.nx = s->ground.nx,
                               .nz = s->ground.nz,
                               .origin = {0.5 * h - back, 0.5 * h - back},
                               .spacing = {h, h},
                               .heights = s->roughness};
    if (s->leaf_area)
        s->canopy = (foehn_canopy){.nx = s->rough.nx,
                                   .nz = s->rough.nz,
                                   .origin = {s->rough.origin[0], s->rough.origin[1]},
                                   .spacing = {h, h},
                                   .height = s->trees,
                                   .leaf_area = s->leaf_area,
                                   .drag = (float)DRAG};
    return STATUS_OK;
}

/* The sample nearest to a place. */
static size_t sample_at(const site *s, double easting, double northing)
{
    const double h = s->scene.spacing[0], back = s->ground.nx > s->params.nx ? 0 : 0.5;
    int i = (int)lround((easting - s->world_easting) / h - back);
    int k = (int)lround((s->world_northing - northing) / h - back);
    i = i < 0 ? 0 : i >= s->ground.nx ? s->ground.nx - 1 : i;
    k = k < 0 ? 0 : k >= s->ground.nz ? s->ground.nz - 1 : k;
    return (size_t)k * (size_t)s->ground.nx + (size_t)i;
}

double site_z0(const site *s, double easting, double northing)
{
    return s->roughness ? (double)s->roughness[sample_at(s, easting, northing)]
                        : (double)s->params.z0;
}

double site_height_above(const site *s, double easting, double northing, double height)
{
    if (!s->displacement)
        return height;
    return fmax(height - (double)s->displacement[sample_at(s, easting, northing)], LEAST_HEIGHT);
}
