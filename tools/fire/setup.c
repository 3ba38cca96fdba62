/* SPDX-License-Identifier: MIT */
/* Making the fires of a scene, and moving what moves in them. */
#include "config.h"

#include "fire/fire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of an emitter that the scene gives no number: eight for each face of a default voxel,
 * which makes the preset's broad mesh glow yellow; of its own voxel where fuel is shared out over
 * points. */
static int points_by_area(const mesh *m, const foehn_fire_params *p)
{
    const double voxel =
        p->mode == FOEHN_FIRE_BURN ? p->render_voxel : foehn_fire_params_default().render_voxel;
    return (int)fmin(fmax(ceil(8 * mesh_area(m) / (voxel * voxel)), 64), 4e6);
}

static int add_source(const fire_source *s, const foehn_fire_params *p, uint64_t seed,
                      foehn_fire *fire)
{
    size_t count = s->points > 0   ? (size_t)s->points
                   : s->points < 0 ? (size_t)points_by_area(&s->mesh, p)
                                   : s->mesh.vertex_count;
    float(*points)[3] = s->points ? malloc(count * sizeof *points) : s->mesh.vertices;
    if (!points)
        return fail_memory();
    int status = s->points ? mesh_sample(&s->mesh, count, seed, points) : STATUS_OK, index;
    const foehn_fire_emitter emitter = {count, (const float(*)[3])points, s->proxy_count};
    if (status == STATUS_OK)
        status = fail_library(foehn_fire_add_emitter(fire, &emitter, &index));
    if (s->points)
        free(points);
    return status;
}

static int add_bodies(const fire_scene *s, foehn_fire *fire)
{
    foehn_status got = FOEHN_OK;
    for (int i = 0; i < s->body_count && got == FOEHN_OK; i++) {
        const fire_body *b = &s->bodies[i];
        if (b->shape != FOEHN_FIRE_MESH)
            continue;
        const foehn_fire_mesh m = {b->mesh.vertex_count, (const float(*)[3])b->mesh.vertices,
                                   b->mesh.triangle_count, (const uint32_t(*)[3])b->mesh.triangles,
                                   b->voxel};
        got = foehn_fire_set_mesh(fire, b->slot, &m);
    }
    return fail_library(got);
}

/* Files and their readers want cubes for voxels, so the box is rounded to whole voxels of both
 * grids where few of these make a common width; its floor stays where it is. */
static void round_box(foehn_fire_params *p)
{
    double width = 0;
    for (int n = 1; n <= 16 && !(width > 0); n++) {
        double others = n * p->render_voxel / p->physics_voxel;
        if (rint(others) > 0 && fabs(others - rint(others)) < 1e-6)
            width = n * p->render_voxel;
    }
    if (!(width > 0))
        return;
    double rise[3] = {0, -0.5 * p->size[1], 0};
    for (int k = 0; k < 3; k++)
        p->size[k] = width * fmax(rint(p->size[k] / width), 1);
    rise[1] += 0.5 * p->size[1];
    fire_rotate(p->pose.rotation, rise, rise);
    for (int k = 0; k < 3; k++)
        p->pose.position[k] += rise[k];
}

foehn_fire_params fire_params_of(const fire_scene *s, int panel, uint64_t seed)
{
    foehn_fire_params params = s->params;
    params.seed = seed;
    params.render_voxel /= s->panels[panel];
    params.physics_voxel /= s->panels[panel];
    round_box(&params);
    return params;
}

/* What rounding to whole voxels makes of the box is told when it is another box. */
static void tell_size(const fire_scene *s, const foehn_fire_params *rounded)
{
    const double *wanted = s->params.size, *got = rounded->size;
    for (int k = 0; k < 3; k++)
        if (fabs(got[k] / wanted[k] - 1) > 0.25) {
            warn("%s: the box of %g x %g x %g m becomes %g x %g x %g m, whole voxels of smoke and "
                 "air (%g and %g m): give smaller ones",
                 s->name, wanted[0], wanted[1], wanted[2], got[0], got[1], got[2],
                 rounded->render_voxel, rounded->physics_voxel);
            return;
        }
}

int fire_check(const fire_scene *s, uint64_t seed)
{
    uint64_t bytes;
    int status = STATUS_OK;
    for (int n = 0; n < s->panel_count && status == STATUS_OK; n++) {
        const foehn_fire_params params = fire_params_of(s, n, seed);
        foehn_status got = foehn_fire_params_get_memory(&params, &bytes);
        tell_size(s, &params);
        status = got == FOEHN_ERROR_ARGUMENT
                     ? fail(STATUS_INPUT, "%s: %s", s->name, foehn_last_error())
                     : fail_library(got);
    }
    const foehn_fire_params first = fire_params_of(s, 0, seed);
    return status == STATUS_OK ? fire_check_reach(s, &first, seed) : status;
}

int fire_create(fire_scene *s, int panel, uint64_t seed, foehn_context *ctx, foehn_fire **out)
{
    const foehn_fire_params params = fire_params_of(s, panel, seed);
    int status = fail_library(foehn_fire_create(ctx, &params, out));
    for (int i = 0; i < s->source_count && status == STATUS_OK; i++)
        status = add_source(&s->sources[i], &params, seed + (uint64_t)i, *out);
    if (status == STATUS_OK && s->has_brands) {
        foehn_fire_firebrands brands = s->brands;
        brands.seed = (int)(seed % 500);
        status = fail_library(foehn_fire_set_firebrands(*out, &brands));
    }
    return status == STATUS_OK ? add_bodies(s, *out) : status;
}

/* Speeds of the scene are in the caller's seconds, those of the library in the fire's own. */
static void to_float(const double v[3], double speed, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (float)(v[k] / speed);
}

static foehn_status move_source(const fire_scene *s, int source, double time, int count,
                                foehn_fire *const *fires)
{
    foehn_status got = FOEHN_OK;
    for (int n = 0; n < s->sources[source].proxy_count; n++) {
        fire_proxy *p = &s->sources[source].proxies[n];
        motion_state now;
        foehn_fire_proxy next;
        memset(&next, 0, sizeof next);
        fire_motion_at(&p->motion, time, &now);
        next.pose = now.pose;
        to_float(now.velocity, (double)s->params.speed, next.velocity);
        next.active = now.active;
        next.multiplier = (float)p->multiplier;
        next.tint = (float)p->tint;
        next.brush_radius = (float)p->brush;
        next.power = (float)p->power;
        next.temperature = (float)p->pilot;
        if (p->set && memcmp(&next, &p->last, sizeof next) == 0)
            continue;
        for (int f = 0; f < count && got == FOEHN_OK; f++)
            got = foehn_fire_set_proxy(fires[f], source, n, &next);
        p->last = next;
        p->set = true;
    }
    return got;
}

static foehn_status move_body(const fire_scene *s, fire_body *b, double time, int count,
                              foehn_fire *const *fires)
{
    foehn_status got = FOEHN_OK;
    motion_state now;
    foehn_fire_collider next;
    memset(&next, 0, sizeof next);
    fire_motion_at(&b->motion, time, &now);
    next.pose = now.pose;
    memcpy(next.half, b->half, sizeof next.half);
    to_float(now.velocity, (double)s->params.speed, next.velocity);
    to_float(now.angular, (double)s->params.speed, next.angular_velocity);
    next.active = now.active;
    if (b->set && memcmp(&next, &b->last, sizeof next) == 0)
        return FOEHN_OK;
    for (int f = 0; f < count && got == FOEHN_OK; f++)
        got = foehn_fire_set_collider(fires[f], b->shape, b->slot, &next);
    b->last = next;
    b->set = true;
    return got;
}

int fire_move(fire_scene *s, int count, foehn_fire *const *fires, double time)
{
    foehn_status got = FOEHN_OK;
    for (int i = 0; i < s->source_count && got == FOEHN_OK; i++)
        got = move_source(s, i, time, count, fires);
    for (int i = 0; i < s->body_count && got == FOEHN_OK; i++)
        got = move_body(s, &s->bodies[i], time, count, fires);
    return fail_library(got);
}

int fire_follow(const fire_scene *s, int panel, foehn_fire *fire, double time, bool *moved)
{
    int source = 0;
    *moved = false;
    if (!s->follow[0])
        return STATUS_OK;
    while (strcmp(s->sources[source].name, s->follow) != 0)
        source++;
    const foehn_fire_params params = fire_params_of(s, panel, 0);
    motion_state first, now;
    foehn_fire_info before, after;
    double center[3];
    fire_motion_at(&s->sources[source].proxies[0].motion, 0, &first);
    fire_motion_at(&s->sources[source].proxies[0].motion, time, &now);
    for (int k = 0; k < 3; k++)
        center[k] = params.pose.position[k] + now.pose.position[k] - first.pose.position[k];
    foehn_fire_get_info(fire, &before);
    int status = fail_library(foehn_fire_set_center(fire, center));
    foehn_fire_get_info(fire, &after);
    *moved = memcmp(before.pose.position, after.pose.position, sizeof after.pose.position) != 0;
    return status;
}
