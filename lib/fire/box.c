/* SPDX-License-Identifier: MIT */
/* Where the box is: it follows its centre by whole cells of both grids, fields stay where they are
 * in the world. */
#include "fire/state.h"

#include <math.h>
#include <string.h>

foehn_status foehn_fire_place_box(foehn_fire *f)
{
    fire_matrix start, box;
    TRY(foehn_pose_matrix(&f->start, "the box", &start));
    double way[3], turned[3];
    for (int a = 0; a < 3; a++)
        way[a] = (double)f->clock.moved[a] * f->spacing[a];
    foehn_matrix_vector(&start, way, turned);
    for (int a = 0; a < 3; a++)
        f->params.pose.position[a] = f->start.position[a] + turned[a];
    TRY(foehn_pose_matrix(&f->params.pose, "the box", &box));
    f->to_box = foehn_matrix_inverse(&box);
    for (int a = 0; a < 3; a++)
        f->to_box.m[a][3] += f->params.size[a] / 2;
    return FOEHN_OK;
}

/* How far the box has to go, in cells of either grid: multiples of what both have in common. */
static foehn_status find_way(const foehn_fire *f, const double center[3], cl_int air[3],
                             cl_int dye[3])
{
    const int n[3] = {f->g.nx, f->g.ny, f->g.nz}, m[3] = {f->r.nx, f->r.ny, f->r.nz};
    fire_matrix start;
    double way[3], turned[3];
    TRY(foehn_pose_matrix(&f->start, "the box", &start));
    start = foehn_matrix_inverse(&start);
    for (int a = 0; a < 3; a++)
        way[a] = center[a] - f->start.position[a];
    foehn_matrix_vector(&start, way, turned);
    for (int a = 0; a < 3; a++) {
        int common = n[a], rest = m[a];
        while (rest) {
            int next = common % rest;
            common = rest;
            rest = next;
        }
        double whole = rint(turned[a] * common / f->params.size[a]);
        if (a == 1 && f->params.floor) /* the ground stays */
            whole = 0;
        if (!(fabs(whole) * fmax(n[a], m[a]) / common < 1e9))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "center[%d] = %g m: too far", a, center[a]);
        int64_t go = (int64_t)whole * (n[a] / common) - f->clock.moved[a];
        air[a] = (cl_int)go;
        dye[a] = (cl_int)(go * m[a] / n[a]);
    }
    return FOEHN_OK;
}

static foehn_status shift(foehn_fire *f, const foehn_grid *g, const cl_int way[3], int face,
                          cl_int from_plane, cl_int to_plane, cl_int component, cl_mem from,
                          cl_mem to)
{
    const cl_int more[3] = {face == 0, face == 1, face == 2};
    foehn_size size = {(size_t)(g->nx + more[0]), (size_t)(g->ny + more[1]),
                       (size_t)(g->nz + more[2])};
    return LAUNCH(f->ctx, f->kernel.shift, size, ARG(*g), ARG(way[0]), ARG(way[1]), ARG(way[2]),
                  ARG(more[0]), ARG(more[1]), ARG(more[2]), ARG(from_plane), ARG(to_plane),
                  ARG(component), ARG(f->wind), ARG(from), ARG(to));
}

/* A plane that stays in its buffer, by way of another one. */
static foehn_status shift_through(foehn_fire *f, const foehn_grid *g, const cl_int way[3],
                                  cl_int plane, cl_mem buffer, cl_mem scratch)
{
    const cl_int stay[3] = {0, 0, 0};
    TRY(shift(f, g, way, -1, plane, 0, -1, buffer, scratch));
    return shift(f, g, stay, -1, 0, plane, -1, scratch, buffer);
}

static foehn_status shift_fields(foehn_fire *f, const cl_int air[3], const cl_int dye[3])
{
    const int burnt[] = {BURNT_HEAT, BURNT_EXPANSION, BURNT_MIXING};
    int dyes = f->params.dye_transport == FOEHN_FIRE_MACCORMACK ? 3 : 2;
    int next = (f->dye_now + 1) % dyes;
    for (int a = 0; a < 3; a++) {
        TRY(shift(f, &f->g, air, a, 0, 0, a, f->velocity[0][a], f->velocity[f->b][a]));
        cl_mem moved = f->velocity[f->b][a];
        f->velocity[f->b][a] = f->velocity[0][a];
        f->velocity[0][a] = moved;
    }
    TRY(shift_through(f, &f->g, air, 0, foehn_pressure_field(f->pressure), f->divergence));
    TRY(shift_through(f, &f->g, air, 0, f->expansion, f->divergence));
    for (size_t n = 0; n < sizeof burnt / sizeof burnt[0]; n++)
        TRY(shift_through(f, &f->r, dye, burnt[n], f->burnt, f->dye[next]));
    for (int plane = 0; plane < 4; plane++)
        TRY(shift(f, &f->r, dye, -1, plane, plane, -1, f->dye[f->dye_now], f->dye[next]));
    f->dye_now = next;
    return foehn_fire_sides(f, !f->started);
}

foehn_status foehn_fire_set_center(foehn_fire *f, const double center[3])
{
    cl_int air[3], dye[3];
    double way[3];
    for (int a = 0; a < 3; a++)
        if (!isfinite(center[a]))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "center[%d] is not finite", a);
    if (!foehn_fire_burns(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "foehn_fire_set_center: is for fires that burn: the preset's noise "
                          "belongs to its box");
    TRY(find_way(f, center, air, dye));
    if (air[0] == 0 && air[1] == 0 && air[2] == 0)
        return FOEHN_OK;
    uint64_t before = f->ctx->launches;
    TRY(foehn_fire_weigh(f));
    TRY(shift_fields(f, air, dye));
    TRY(foehn_fire_weigh_shifted(f));
    for (int a = 0; a < 3; a++) {
        f->clock.moved[a] += air[a];
        way[a] = air[a] * f->spacing[a];
    }
    TRY(foehn_fire_rouse(f));
    TRY(foehn_fire_shift_brands(f, way));
    TRY(foehn_fire_place_box(f));
    f->colliders_are_stale = f->proxies_are_stale = f->levels_are_stale = true;
    f->launches += f->ctx->launches - before;
    return FOEHN_OK;
}
