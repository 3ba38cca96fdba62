/* SPDX-License-Identifier: MIT */
/* Colliders of the fire: what stands in it, and the signed distance to it. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const shape_names[3] = {"box", "ellipsoid", "mesh"};

static int capacity(const foehn_fire *f, foehn_fire_shape shape)
{
    const foehn_fire_params *p = &f->params;
    return shape == FOEHN_FIRE_BOX         ? p->max_boxes
           : shape == FOEHN_FIRE_ELLIPSOID ? p->max_ellipsoids
                                           : p->max_meshes;
}

foehn_fire_collider foehn_fire_collider_default(void)
{
    return (foehn_fire_collider){
        .pose = foehn_fire_pose_default(),
        .half = {0.5, 0.5, 0.5},
        .active = 1,
    };
}

foehn_status foehn_fire_create_colliders(foehn_fire *f)
{
    size_t all = 0;
    for (int s = 0; s < 3; s++) {
        size_t count = (size_t)capacity(f, (foehn_fire_shape)s);
        f->colliders[s] = calloc(count + 1, sizeof *f->colliders[s]);
        if (!f->colliders[s])
            return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for colliders");
        for (size_t n = 0; n < count; n++) {
            f->colliders[s][n] = foehn_fire_collider_default();
            f->colliders[s][n].active = 0;
        }
        all += count;
    }
    f->meshes = calloc((size_t)f->params.max_meshes + 1, sizeof *f->meshes);
    f->collider_list = calloc(all + 1, sizeof *f->collider_list);
    if (!f->meshes || !f->collider_list)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for colliders");
    TRY(foehn_buffer_create(f->ctx, (all + 1) * sizeof *f->collider_list, &f->collider_buffer));
    TRY(foehn_buffer_create(f->ctx, sizeof(float), &f->baked));
    f->colliders_are_stale = true;
    return FOEHN_OK;
}

void foehn_fire_destroy_colliders(foehn_fire *f)
{
    for (int s = 0; s < 3; s++)
        free(f->colliders[s]);
    for (int n = 0; f->meshes && n < f->params.max_meshes; n++)
        free(f->meshes[n].distance);
    free(f->meshes);
    free(f->collider_list);
    foehn_buffer_destroy(f->ctx, &f->collider_buffer);
    foehn_buffer_destroy(f->ctx, &f->baked);
}

/* ---- set ---- */

static foehn_status find_slot(const foehn_fire *f, foehn_fire_shape shape, int slot)
{
    if ((unsigned)shape > FOEHN_FIRE_MESH)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "collider shape %d is unknown", (int)shape);
    if (slot < 0 || slot >= capacity(f, shape))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s slot %d: the fire was made with %d",
                          shape_names[shape], slot, capacity(f, shape));
    return FOEHN_OK;
}

foehn_status foehn_fire_set_collider(foehn_fire *f, foehn_fire_shape shape, int slot,
                                     const foehn_fire_collider *c)
{
    fire_matrix unused;
    TRY(find_slot(f, shape, slot));
    TRY(foehn_pose_matrix(&c->pose, "a collider", &unused));
    for (int a = 0; a < 3; a++) {
        if (!isfinite(c->velocity[a]) || !isfinite(c->angular_velocity[a]))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "a collider's velocities must be finite");
        if (shape != FOEHN_FIRE_MESH && !(c->half[a] > 0 && isfinite(c->half[a])))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "a %s of half extents %g x %g x %g m: must be > 0",
                              shape_names[shape], c->half[0], c->half[1], c->half[2]);
    }
    if (shape == FOEHN_FIRE_MESH && c->active && !f->meshes[slot].distance)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "mesh collider %d has no geometry: foehn_fire_set_mesh() first", slot);
    foehn_fire_collider *own = &f->colliders[shape][slot];
    if (memcmp(own, c, sizeof *c) != 0)
        f->colliders_are_stale = true;
    *own = *c;
    return FOEHN_OK;
}

foehn_status foehn_fire_get_collider(const foehn_fire *f, foehn_fire_shape shape, int slot,
                                     foehn_fire_collider *c)
{
    TRY(find_slot(f, shape, slot));
    *c = f->colliders[shape][slot];
    return FOEHN_OK;
}

int foehn_fire_count_colliders(const foehn_fire *f)
{
    int count = 0;
    for (int s = 0; s < 3; s++)
        for (int n = 0; n < capacity(f, (foehn_fire_shape)s); n++)
            count += f->colliders[s][n].active != 0;
    return count;
}

static size_t samples(const fire_mesh *m)
{
    return m->distance ? (size_t)m->n[0] * (size_t)m->n[1] * (size_t)m->n[2] : 0;
}

/* All baked meshes in one buffer, one after the other. */
static foehn_status upload_meshes(foehn_fire *f)
{
    size_t count = 0;
    cl_mem all;
    for (int n = 0; n < f->params.max_meshes; n++)
        count += samples(&f->meshes[n]);
    TRY(foehn_buffer_create(f->ctx, count * sizeof(float), &all));
    count = 0;
    for (int n = 0; n < f->params.max_meshes; n++) {
        fire_mesh *m = &f->meshes[n];
        if (samples(m) == 0)
            continue;
        foehn_status status = foehn_buffer_write(f->ctx, all, count * sizeof(float),
                                                 samples(m) * sizeof(float), m->distance);
        if (status != FOEHN_OK) {
            foehn_buffer_destroy(f->ctx, &all);
            return status;
        }
        m->offset = count;
        count += samples(m);
    }
    foehn_buffer_destroy(f->ctx, &f->baked);
    f->baked = all;
    return FOEHN_OK;
}

foehn_status foehn_fire_set_mesh(foehn_fire *f, int slot, const foehn_fire_mesh *mesh)
{
    fire_mesh baked, had;
    uint64_t before = f->ctx->memory;
    TRY(find_slot(f, FOEHN_FIRE_MESH, slot));
    TRY(foehn_mesh_bake(mesh, &baked));
    had = f->meshes[slot];
    f->meshes[slot] = baked;
    foehn_status status = upload_meshes(f);
    if (status != FOEHN_OK) {
        free(baked.distance);
        f->meshes[slot] = had;
        return status;
    }
    free(had.distance);
    f->memory += f->ctx->memory - before;
    f->colliders_are_stale = true;
    return FOEHN_OK;
}

/* ---- bake ---- */

static foehn_status make_collider(const foehn_fire *f, foehn_fire_shape shape, int slot,
                                  fire_collider *q)
{
    const foehn_fire_collider *c = &f->colliders[shape][slot];
    fire_matrix pose;
    double center[3], velocity[3], spin[3], world_velocity[3], world_spin[3];
    for (int a = 0; a < 3; a++) {
        world_velocity[a] = (double)c->velocity[a];
        world_spin[a] = (double)c->angular_velocity[a] * (double)f->params.angular_multiplier;
    }
    TRY(foehn_pose_matrix(&c->pose, "a collider", &pose));
    fire_matrix in_box = foehn_matrix_product(&f->to_box, &pose);
    fire_matrix inverse = foehn_matrix_inverse(&in_box);
    foehn_matrix_point(&f->to_box, c->pose.position, center);
    foehn_matrix_vector(&f->to_box, world_velocity, velocity);
    foehn_matrix_vector(&f->to_box, world_spin, spin);
    *q = (fire_collider){.shape = (i32)shape};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 4; b++)
            q->inverse[4 * a + b] = (f32)inverse.m[a][b];
        q->center[a] = (f32)center[a];
        q->extent[a] = (f32)c->half[a];
        q->velocity[a] = (f32)velocity[a];
        q->spin[a] = (f32)spin[a];
    }
    if (shape != FOEHN_FIRE_MESH)
        return FOEHN_OK;
    const fire_mesh *m = &f->meshes[slot];
    q->offset = (i32)m->offset;
    q->extent[0] = (f32)m->voxel;
    for (int a = 0; a < 3; a++) {
        q->grid[a] = m->n[a];
        q->origin[a] = (f32)m->origin[a];
    }
    return FOEHN_OK;
}

static foehn_status list_colliders(foehn_fire *f)
{
    f->collider_count = 0;
    for (int s = 0; s < 3; s++)
        for (int n = 0; n < capacity(f, (foehn_fire_shape)s); n++)
            if (f->colliders[s][n].active)
                TRY(make_collider(f, (foehn_fire_shape)s, n,
                                  &f->collider_list[f->collider_count++]));
    return FOEHN_OK;
}

/* Sweeps only look at the finest level; multigrid at all of them. */
static foehn_status update_openness(foehn_fire *f)
{
    cl_mem open[3] = {foehn_pressure_open(f->pressure, 0), foehn_pressure_open(f->pressure, 1),
                      foehn_pressure_open(f->pressure, 2)};
    TRY(LAUNCH(f->ctx, f->kernel.openness, foehn_fire_faces(&f->g), ARG(f->g), ARG(f->sdf),
               ARG(open[0]), ARG(open[1]), ARG(open[2])));
    return f->params.pressure == FOEHN_FIRE_JACOBI ? foehn_pressure_update_finest(f->pressure)
                                                   : foehn_pressure_update(f->pressure);
}

foehn_status foehn_fire_refresh_colliders(foehn_fire *f)
{
    if (!f->colliders_are_stale)
        return FOEHN_OK;
    foehn_size padded = foehn_grid_padded(&f->g);
    cl_int count;
    TRY(list_colliders(f));
    count = (cl_int)f->collider_count;
    if (count > 0)
        TRY(foehn_fire_stage(f, f->collider_buffer, (size_t)count * sizeof *f->collider_list,
                             f->collider_list));
    TRY(LAUNCH(f->ctx, f->kernel.bake, padded, ARG(f->g), ARG(f->params.collision_margin),
               ARG(count), ARG(f->collider_buffer), ARG(f->baked), ARG(f->sdf), ARG(f->surface)));
    TRY(update_openness(f));
    f->colliders_are_stale = false;
    return FOEHN_OK;
}
