/* SPDX-License-Identifier: MIT */
/* Emitters: sets of points, where their proxies are, and what they add. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 16777216, MOST_PROXIES = 256, MOST_COUNTS = 1 << 24 };

/* ---- definitions ---- */

foehn_fire_proxy foehn_fire_proxy_default(void)
{
    return (foehn_fire_proxy){
        .pose = foehn_fire_pose_default(),
        .active = 1,
        .multiplier = 13,
    };
}

/* Append points to the device's; what was there is copied. */
static foehn_status append_points(foehn_fire *f, size_t count, const float (*points)[3])
{
    cl_mem all;
    size_t had = f->point_count * 3 * sizeof(float), more = count * 3 * sizeof(float);
    TRY(foehn_buffer_create(f->ctx, had + more, &all));
    if (had > 0) {
        cl_int code = clEnqueueCopyBuffer(f->ctx->queue, f->points, all, 0, 0, had, 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            foehn_buffer_destroy(f->ctx, &all);
            return foehn_fail_cl(code, "copying %zu points", f->point_count);
        }
    }
    foehn_status status = foehn_buffer_write(f->ctx, all, had, more, points);
    if (status != FOEHN_OK) {
        foehn_buffer_destroy(f->ctx, &all);
        return status;
    }
    foehn_buffer_destroy(f->ctx, &f->points);
    f->points = all;
    f->point_count += count;
    return FOEHN_OK;
}

static foehn_status check_emitter(const foehn_fire *f, const foehn_fire_emitter *e)
{
    if (f->emitter_count == FIRE_EMITTERS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "more than %d emitters", FIRE_EMITTERS);
    if (e->count < 1 || e->count > MOST_POINTS || f->point_count + e->count > 8u * MOST_POINTS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "an emitter of %zu points: 1 to %d, %d in all",
                          e->count, MOST_POINTS, 8 * MOST_POINTS);
    if (e->max_count < 1 || e->max_count > MOST_PROXIES)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "max_count = %d: 1 to %d", e->max_count,
                          MOST_PROXIES);
    for (size_t n = 0; n < e->count; n++)
        for (int a = 0; a < 3; a++)
            if (!isfinite(e->points[n][a]))
                return foehn_fail(FOEHN_ERROR_ARGUMENT, "point %zu of the emitter is not finite",
                                  n);
    return FOEHN_OK;
}

foehn_status foehn_fire_add_emitter(foehn_fire *f, const foehn_fire_emitter *e, int *index)
{
    TRY(check_emitter(f, e));
    fire_emitter *own = &f->emitters[f->emitter_count];
    foehn_fire_proxy *proxies = calloc((size_t)e->max_count, sizeof *proxies);
    if (!proxies)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %d proxies", e->max_count);
    uint64_t before = f->ctx->memory;
    foehn_status status = append_points(f, e->count, e->points);
    if (status != FOEHN_OK) {
        free(proxies);
        return status;
    }
    f->memory += f->ctx->memory - before;
    for (int n = 0; n < e->max_count; n++) {
        proxies[n] = foehn_fire_proxy_default();
        proxies[n].active = 0;
    }
    *own = (fire_emitter){.first = f->point_count - e->count,
                          .count = e->count,
                          .low = {INFINITY, INFINITY, INFINITY},
                          .high = {-INFINITY, -INFINITY, -INFINITY},
                          .max_count = e->max_count,
                          .proxies = proxies};
    for (size_t n = 0; n < e->count; n++)
        for (int a = 0; a < 3; a++) {
            own->low[a] = fmin(own->low[a], (double)e->points[n][a]);
            own->high[a] = fmax(own->high[a], (double)e->points[n][a]);
        }
    *index = f->emitter_count++;
    return FOEHN_OK;
}

void foehn_fire_destroy_emitters(foehn_fire *f)
{
    for (int n = 0; n < f->emitter_count; n++)
        free(f->emitters[n].proxies);
    fire_proxies *lists[2] = {&f->dye_proxies, &f->air_proxies};
    for (int n = 0; n < 2; n++) {
        free(lists[n]->list);
        free(lists[n]->batches);
        foehn_buffer_destroy(f->ctx, &lists[n]->buffer);
    }
    foehn_buffer_destroy(f->ctx, &f->points);
    foehn_buffer_destroy(f->ctx, &f->counts);
}

/* ---- proxies ---- */

static foehn_status find_proxy(const foehn_fire *f, int emitter, int proxy, foehn_fire_proxy **out)
{
    if (emitter < 0 || emitter >= f->emitter_count)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "emitter %d: there are %d", emitter,
                          f->emitter_count);
    if (proxy < 0 || proxy >= f->emitters[emitter].max_count)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "proxy %d of emitter %d: it has %d", proxy, emitter,
                          f->emitters[emitter].max_count);
    *out = &f->emitters[emitter].proxies[proxy];
    return FOEHN_OK;
}

foehn_status foehn_fire_set_proxy(foehn_fire *f, int emitter, int proxy,
                                  const foehn_fire_proxy *value)
{
    foehn_fire_proxy *own = NULL;
    fire_matrix unused;
    TRY(find_proxy(f, emitter, proxy, &own));
    TRY(foehn_pose_matrix(&value->pose, "a proxy", &unused));
    if (!isfinite(value->velocity[0]) || !isfinite(value->velocity[1]) ||
        !isfinite(value->velocity[2]))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a proxy's velocity must be finite");
    if (!(value->power >= 0 && isfinite(value->power)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a proxy's power = %g kW: must be >= 0",
                          (double)value->power);
    if (!(value->temperature >= 0 && value->temperature <= 3000))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a proxy's temperature = %g K: 0 to 3000",
                          (double)value->temperature);
    const float least[3] = {value->multiplier, value->tint, value->brush_radius};
    for (int n = 0; n < 3; n++)
        if (!(least[n] >= 0 && isfinite(least[n])))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "a proxy's multiplier %g, tint %g, brush radius %g m: must be >= 0",
                              (double)least[0], (double)least[1], (double)least[2]);
    *own = *value;
    f->proxies_are_stale = true;
    return FOEHN_OK;
}

foehn_status foehn_fire_get_proxy(const foehn_fire *f, int emitter, int proxy,
                                  foehn_fire_proxy *value)
{
    foehn_fire_proxy *own = NULL;
    TRY(find_proxy(f, emitter, proxy, &own));
    *value = *own;
    return FOEHN_OK;
}

/* ---- proxies as a grid sees them ---- */

/* A point stands for a cube of the default render voxel, or one voxel of a coarser grid.  Within 5
 * % the grid is the default one, and the cube is the voxel that holds the point.  Returns the share
 * of what a point emits that each of its voxels takes: volume emitted over volume filled. */
static double footprint(const double spacing[3], double radius, double half[3])
{
    double emitted = 1, filled = 1;
    for (int a = 0; a < 3; a++) {
        double ratio = FIRE_RENDER_VOXEL / spacing[a];
        double side = ratio < 1.05 ? 1 : ratio; /* voxels */
        half[a] = side / 2;
        emitted *= fabs(ratio - 1) < 0.05 ? spacing[a] : FIRE_RENDER_VOXEL;
        filled *= side * spacing[a];
    }
    double ball = 4 * 3.14159265358979323846 / 3 * radius * radius * radius;
    return fmax(emitted, ball) / fmax(filled, ball);
}

/* Cells that a proxy may reach, clipped to the grid; false: none. */
static bool reach(const fire_emitter *e, const foehn_grid *g, const double spacing[3],
                  fire_proxy *q)
{
    const int n[3] = {g->nx, g->ny, g->nz};
    const double half[3] = {(double)q->half_x, (double)q->half_y, (double)q->half_z};
    int low[3], extent[3];
    for (int a = 0; a < 3; a++) {
        double middle = (double)q->pose[4 * a + 3], wide = 0;
        for (int b = 0; b < 3; b++) {
            middle += (double)q->pose[4 * a + b] * (e->low[b] + e->high[b]) / 2;
            wide += fabs((double)q->pose[4 * a + b]) * (e->high[b] - e->low[b]) / 2;
        }
        wide += fmax(half[a], (double)q->radius / spacing[a]) + (double)FIRE_FACE;
        double from = fmax(floor(middle - wide), 0), to = fmin(floor(middle + wide), n[a] - 1);
        if (!(from <= to))
            return false;
        low[a] = (int)from;
        extent[a] = (int)to - (int)from + 1;
    }
    q->low_x = low[0], q->low_y = low[1], q->low_z = low[2];
    q->nx = extent[0], q->ny = extent[1], q->nz = extent[2];
    return true;
}

static foehn_status make_proxy(const foehn_fire *f, const fire_emitter *e,
                               const foehn_fire_proxy *p, const double spacing[3], fire_proxy *q)
{
    fire_matrix pose, to_cells;
    double half[3], speed[3];
    const double v[3] = {(double)p->velocity[0], (double)p->velocity[1], (double)p->velocity[2]};
    TRY(foehn_pose_matrix(&p->pose, "a proxy", &pose));
    to_cells = foehn_matrix_product(&f->to_box, &pose);
    foehn_matrix_vector(&f->to_box, v, speed);
    double share = footprint(spacing, (double)p->brush_radius, half);
    if (foehn_fire_burns(
            f)) /* the voxel that holds the point; a burner's gas takes the air along */
        half[0] = half[1] = half[2] = 0.5;
    double density = (double)f->params.emit_density / 20 * (double)p->multiplier;
    *q = (fire_proxy){
        .first = (i32)e->first,
        .count = (i32)e->count,
        .half_x = (f32)half[0],
        .half_y = (f32)half[1],
        .half_z = (f32)half[2],
        .radius = p->brush_radius,
        .density = (f32)(share * density),
        .heat = density > 0 ? (f32)(share * (double)f->params.emit_temperature * 0.05) : 0,
        .tint = p->tint,
        .fuel = p->power / (1000 * f->params.fuel.heat),
        .pilot = fmaxf(p->temperature - FIRE_AMBIENT, 0),
        .u = (f32)speed[0],
        .v = (f32)speed[1],
        .w = (f32)speed[2],
    };
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++)
            q->pose[4 * a + b] = (f32)(to_cells.m[a][b] / spacing[a]);
    return FOEHN_OK;
}

/* The list grows by doubling. */
static void *grown(void *list, int count, int *capacity, size_t element)
{
    if (count < *capacity)
        return list;
    int more = *capacity ? 2 * *capacity : 8;
    void *larger = realloc(list, (size_t)more * element);
    if (larger)
        *capacity = more;
    return larger;
}

static foehn_status append_proxy(fire_proxies *l, const fire_proxy *q)
{
    fire_proxy *list = grown(l->list, l->count, &l->capacity, sizeof *list);
    if (!list)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for proxies");
    l->list = list;
    l->list[l->count++] = *q;
    return FOEHN_OK;
}

/* Widen a batch by a proxy's cells. */
static void widen(fire_batch *b, const fire_proxy *q)
{
    const int low[3] = {q->low_x, q->low_y, q->low_z}, n[3] = {q->nx, q->ny, q->nz};
    for (int a = 0; a < 3; a++) {
        int high = low[a] + n[a], own = b->low[a] + b->extent[a];
        if (b->count == 0 || low[a] < b->low[a])
            b->low[a] = low[a];
        b->extent[a] = (b->count == 0 || high > own ? high : own) - b->low[a];
    }
    if ((size_t)q->count > b->points)
        b->points = (size_t)q->count;
    b->count++;
}

/* Share the list out into batches whose counts fit into one buffer. */
static foehn_status make_batches(foehn_fire *f, fire_proxies *l)
{
    size_t used = 0;
    l->batch_count = 0;
    for (int n = 0; n < l->count; n++) {
        fire_proxy *q = &l->list[n];
        size_t cells = (size_t)q->nx * (size_t)q->ny * (size_t)q->nz;
        if (n == 0 || used + cells > MOST_COUNTS ||
            l->batches[l->batch_count - 1].count == FIRE_PROXIES) {
            fire_batch *batches =
                grown(l->batches, l->batch_count, &l->batch_capacity, sizeof *batches);
            if (!batches)
                return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for proxies");
            l->batches = batches;
            l->batches[l->batch_count++] = (fire_batch){.first = n};
            used = 0;
        }
        q->offset = (i32)used;
        used += cells;
        widen(&l->batches[l->batch_count - 1], q);
        if (used > f->counts_capacity)
            f->counts_capacity = used;
    }
    return FOEHN_OK;
}

static foehn_status upload(foehn_fire *f, fire_proxies *l)
{
    if (l->count == 0)
        return FOEHN_OK;
    if (l->count > l->buffer_capacity) {
        cl_mem buffer;
        TRY(foehn_buffer_create(f->ctx, (size_t)l->capacity * sizeof *l->list, &buffer));
        foehn_buffer_destroy(f->ctx, &l->buffer);
        l->buffer = buffer;
        l->buffer_capacity = l->capacity;
    }
    return foehn_fire_stage(f, l->buffer, (size_t)l->count * sizeof *l->list, l->list);
}

static foehn_status list_proxies(foehn_fire *f)
{
    f->dye_proxies.count = f->air_proxies.count = 0;
    for (int n = 0; n < f->emitter_count; n++)
        for (int i = 0; i < f->emitters[n].max_count; i++) {
            const fire_emitter *e = &f->emitters[n];
            const foehn_fire_proxy *p = &e->proxies[i];
            fire_proxy q;
            if (!p->active)
                continue;
            TRY(make_proxy(f, e, p, f->render_spacing, &q));
            if (reach(e, &f->r, f->render_spacing, &q))
                TRY(append_proxy(&f->dye_proxies, &q));
            if (p->velocity[0] == 0 && p->velocity[1] == 0 && p->velocity[2] == 0)
                continue;
            TRY(make_proxy(f, e, p, f->spacing, &q));
            if (reach(e, &f->g, f->spacing, &q))
                TRY(append_proxy(&f->air_proxies, &q));
        }
    return FOEHN_OK;
}

foehn_status foehn_fire_refresh_proxies(foehn_fire *f)
{
    if (!f->proxies_are_stale)
        return FOEHN_OK;
    uint64_t before = f->ctx->memory;
    size_t had = f->counts ? f->counts_capacity : 0;
    TRY(list_proxies(f));
    TRY(make_batches(f, &f->dye_proxies));
    TRY(make_batches(f, &f->air_proxies));
    if (f->counts_capacity > had) {
        foehn_buffer_destroy(f->ctx, &f->counts);
        TRY(foehn_buffer_create(f->ctx, f->counts_capacity * sizeof(cl_int), &f->counts));
    }
    TRY(upload(f, &f->dye_proxies));
    TRY(upload(f, &f->air_proxies));
    f->memory += f->ctx->memory - before;
    f->proxies_are_stale = false;
    return FOEHN_OK;
}

/* ---- launches ---- */

foehn_status foehn_fire_count(foehn_fire *f, const foehn_grid *g, const fire_proxies *l,
                              const fire_batch *b)
{
    return LAUNCH(f->ctx, f->kernel.count, ((foehn_size){b->points, (size_t)b->count, 1}), ARG(*g),
                  ARG(b->first), ARG(l->buffer), ARG(f->points), ARG(f->counts));
}

foehn_status foehn_fire_emit(foehn_fire *f, cl_mem dye)
{
    const fire_proxies *l = &f->dye_proxies;
    for (int n = 0; n < l->batch_count; n++) {
        const fire_batch *b = &l->batches[n];
        foehn_size size = {(size_t)b->extent[0], (size_t)b->extent[1], (size_t)b->extent[2]};
        TRY(foehn_fire_count(f, &f->r, l, b));
        TRY(LAUNCH(f->ctx, f->kernel.emit, size, ARG(f->r), ARG(b->low[0]), ARG(b->low[1]),
                   ARG(b->low[2]), ARG(b->extent[0]), ARG(b->extent[1]), ARG(b->extent[2]),
                   ARG(b->first), ARG(b->count), ARG(l->buffer), ARG(f->counts), ARG(dye)));
    }
    return FOEHN_OK;
}

foehn_status foehn_fire_inject(foehn_fire *f, int pair)
{
    const fire_proxies *l = &f->air_proxies;
    for (int n = 0; n < l->batch_count; n++) {
        const fire_batch *b = &l->batches[n];
        cl_int extent[3];
        for (int a = 0; a < 3; a++) /* faces: the upper ones, too */
            extent[a] = b->extent[a] + foehn_fire_is_staggered(f);
        foehn_size size = {(size_t)extent[0], (size_t)extent[1], (size_t)extent[2]};
        TRY(foehn_fire_count(f, &f->g, l, b));
        TRY(LAUNCH(f->ctx, f->kernel.inject, size, ARG(f->g), ARG(b->low[0]), ARG(b->low[1]),
                   ARG(b->low[2]), ARG(extent[0]), ARG(extent[1]), ARG(extent[2]), ARG(b->first),
                   ARG(b->count), ARG(l->buffer), ARG(f->counts), AIR(f, pair)));
        TRY(foehn_buffer_clear(f->ctx, f->counts));
    }
    return FOEHN_OK;
}
