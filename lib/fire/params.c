/* SPDX-License-Identifier: MIT */
/* Parameters of the fire: defaults, checks, grids. */
#include "fire/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void foehn_fire_params_init(foehn_fire_params *params, size_t size)
{
    const foehn_fire_params defaults = {
        .size = {7.6200376, 5.9751163, 3.7697034},
        .pose = {{0, 0, 0, 1}, {0, 5.9751163 / 2, 0}},
        .render_voxel = FIRE_RENDER_VOXEL,
        .physics_voxel = FIRE_PHYSICS_VOXEL,
        .speed = 1.5f,
        .max_steps = 4,
        .sweeps = 4,
        .cycles = 2,
        .confinement = 7.01f,
        .buoyancy = 2.3729f,
        .smoke_weight = 0.15f,
        .damping = 0.25f,
        .turbulence = 0.2f,
        .noise_frequency = 6.81f,
        .noise_decay = 0.76f,
        .curl_multiplier = 5.82f,
        .dissipation = 1.02f,
        .cooling = 0.4831f,
        .emit_density = 0.644f,
        .emit_temperature = 8.5f,
        .friction = 0.9f,
        .angular_multiplier = 1.36f,
        .collision_margin = 0.034f,
        .max_boxes = 16,
        .max_ellipsoids = 16,
        .max_meshes = 4,
        .march_steps = 22,
        .pass_scale = 0.75f,
        .radiance = 14.78f,
        .palette_temperature = 10,
        .fuel = foehn_fire_default_fuel(),
        .expansion = 1,
        .flame_length = 1,
        .cfl = 1.4f,
    };
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

foehn_status foehn_fire_grid(const foehn_fire_params *p, double voxel, const char *name,
                             foehn_grid *g, double spacing[3])
{
    enum { LEAST = 2, MOST = 1024 };
    int n[3];
    for (int a = 0; a < 3; a++) {
        double cells = round(p->size[a] / voxel);
        if (!(cells >= LEAST && cells <= MOST))
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "%s = %g m gives %g voxels over the %g m of the box's %c axis: %d to "
                              "%d: give %s voxels or another box",
                              name, voxel, cells, p->size[a], "xyz"[a], LEAST, MOST,
                              cells > MOST ? "larger" : "smaller");
        n[a] = (int)cells;
        spacing[a] = p->size[a] / n[a];
    }
    *g = foehn_grid_make(n[0], n[1], n[2], (float)spacing[0], (float)spacing[1], (float)spacing[2]);
    return FOEHN_OK;
}

int foehn_fire_sweeps(const foehn_fire_params *p)
{
    double ratio = FIRE_PHYSICS_VOXEL / p->physics_voxel;
    if (p->pressure == FOEHN_FIRE_MULTIGRID)
        return p->cycles;
    return (int)fmin(fmax(round(p->sweeps * ratio * ratio), 1), 1e6);
}

typedef struct range {
    const char *name;
    double value, low, high;
    bool above; /* low itself is not allowed */
} range;

static foehn_status check_ranges(size_t count, const range *ranges)
{
    for (size_t i = 0; i < count; i++) {
        const range *r = &ranges[i];
        if (isfinite(r->value) && r->value <= r->high &&
            (r->above ? r->value > r->low : r->value >= r->low))
            continue;
        if (r->high == (double)INFINITY)
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s = %g: must be %s %g and finite", r->name,
                              r->value, r->above ? ">" : ">=", r->low);
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s = %g: %s%g to %g", r->name, r->value,
                          r->above ? "more than " : "", r->low, r->high);
    }
    return FOEHN_OK;
}

static foehn_status check_numbers(const foehn_fire_params *p)
{
    const double any = (double)INFINITY;
    const range ranges[] = {
        {"size x", p->size[0], 0, any, true},
        {"size y", p->size[1], 0, any, true},
        {"size z", p->size[2], 0, any, true},
        {"render_voxel", p->render_voxel, 0, any, true},
        {"physics_voxel", p->physics_voxel, 0, any, true},
        {"speed", (double)p->speed, 0, any, true},
        {"max_steps", p->max_steps, 1, 1000, false},
        {"sweeps", p->sweeps, 1, 1000, false},
        {"cycles", p->cycles, 1, 100, false},
        {"confinement", (double)p->confinement, 0, any, false},
        {"buoyancy", (double)p->buoyancy, -any, any, false},
        {"smoke_weight", (double)p->smoke_weight, -any, any, false},
        {"damping", (double)p->damping, 0, any, false},
        {"turbulence", (double)p->turbulence, 0, any, false},
        {"noise_frequency", (double)p->noise_frequency, 0, 1000, true},
        {"noise_decay", (double)p->noise_decay, 0, any, false},
        {"curl_multiplier", (double)p->curl_multiplier, 0, any, false},
        {"dissipation", (double)p->dissipation, 0, any, false},
        {"cooling", (double)p->cooling, 0, any, false},
        {"emit_density", (double)p->emit_density, 0, any, false},
        {"emit_temperature", (double)p->emit_temperature, 0, any, false},
        {"friction", (double)p->friction, 0, 1, false},
        {"angular_multiplier", (double)p->angular_multiplier, -any, any, false},
        {"collision_margin", (double)p->collision_margin, 0, 0.999, false},
        {"max_boxes", p->max_boxes, 0, 256, false},
        {"max_ellipsoids", p->max_ellipsoids, 0, 256, false},
        {"max_meshes", p->max_meshes, 0, 64, false},
        {"march_steps", p->march_steps, 1, 1024, false},
        {"pass_scale", (double)p->pass_scale, 0.1 - 1e-7, 1, false},
        {"radiance", (double)p->radiance, 0, any, false},
        {"palette_temperature", (double)p->palette_temperature, 0, any, true},
        {"fuel heat", (double)p->fuel.heat, 0, any, true},
        {"fuel air", (double)p->fuel.air, 0, any, true},
        {"fuel soot_yield", (double)p->fuel.soot_yield, 0, 1, false},
        {"fuel flame_soot", (double)p->fuel.flame_soot, (double)p->fuel.soot_yield, 1, false},
        {"fuel radiative", (double)p->fuel.radiative, 0, 1, false},
        {"fuel albedo", (double)p->fuel.albedo, 0, 1, false},
        {"fuel blue", (double)p->fuel.blue, 0, any, false},
        {"ignition", (double)p->ignition, 0, 2000, false},
        {"expansion", (double)p->expansion, 0, 4, false},
        {"flame_length", (double)p->flame_length, 0, any, true},
        {"cfl", (double)p->cfl, 0.1 - 1e-7, 20, false},
    };
    return check_ranges(sizeof ranges / sizeof ranges[0], ranges);
}

static foehn_status check_choices(const foehn_fire_params *p)
{
    const struct {
        const char *name;
        unsigned value, most;
    } choices[] = {
        {"velocity_transport", (unsigned)p->velocity_transport, FOEHN_FIRE_CENTRAL},
        {"dye_transport", (unsigned)p->dye_transport, FOEHN_FIRE_MACCORMACK},
        {"layout", (unsigned)p->layout, FOEHN_FIRE_STAGGERED},
        {"pressure", (unsigned)p->pressure, FOEHN_FIRE_WIDE},
        {"mode", (unsigned)p->mode, FOEHN_FIRE_BURN},
        {"floor", (unsigned)p->floor, 1},
        {"active", (unsigned)p->active, 1},
    };
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].value > choices[i].most)
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s = %d: 0 to %u", choices[i].name,
                              (int)choices[i].value, choices[i].most);
    if (p->pressure == FOEHN_FIRE_WIDE && p->layout == FOEHN_FIRE_STAGGERED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "wide pressure sweeps are for the collocated layout: use jacobi or "
                          "multigrid with the staggered one");
    bool exact = p->layout == FOEHN_FIRE_STAGGERED && p->pressure == FOEHN_FIRE_MULTIGRID;
    if (p->mode == FOEHN_FIRE_BURN && !exact)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a fire that burns needs the staggered layout and multigrid "
                          "pressure: other sweeps lose most of the expansion");
    if (p->velocity_transport == FOEHN_FIRE_CENTRAL && p->mode != FOEHN_FIRE_BURN)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "central velocity_transport is for fires that burn: use "
                          "semi-lagrangian or maccormack");
    if (p->floor && p->layout != FOEHN_FIRE_STAGGERED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "floor = 1 needs the staggered layout");
    return FOEHN_OK;
}

foehn_status foehn_fire_take_params(const foehn_fire_params *given, foehn_fire_params *p)
{
    fire_matrix unused;
    *p = foehn_fire_params_default();
    TRY(foehn_params_take(p, given, "foehn_fire_params"));
    TRY(check_numbers(p));
    TRY(check_choices(p));
    return foehn_pose_matrix(&p->pose, "the box", &unused);
}

void foehn_fire_params_burn(foehn_fire_params *p)
{
    *p = foehn_fire_params_default();
    p->mode = FOEHN_FIRE_BURN;
    p->layout = FOEHN_FIRE_STAGGERED;
    p->pressure = FOEHN_FIRE_MULTIGRID;
    p->velocity_transport = FOEHN_FIRE_CENTRAL;
    p->dye_transport = FOEHN_FIRE_MACCORMACK;
    p->speed = p->buoyancy = 1;
    p->confinement = p->damping = p->turbulence = 0;
    p->floor = 1;
    p->cycles = 5;
}

/* Of the fields and sums of combustion.c, and of optics as light.c has them. */
static uint64_t combustion_memory(const foehn_grid *g, const foehn_grid *r)
{
    return foehn_grid_elements(r) * (BURNT_PLANES * 4 + 2 * 16) + foehn_grid_elements(g) * 16 +
           (uint64_t)r->ny * (uint64_t)r->nz * BOOKS * 4 +
           (uint64_t)g->ny * (uint64_t)g->nz * FIRE_HASTE * 4;
}

foehn_status foehn_fire_params_get_memory(const foehn_fire_params *params, uint64_t *bytes)
{
    foehn_fire_params p;
    foehn_grid g, r;
    double spacing[3];
    *bytes = 0;
    TRY(foehn_fire_take_params(params, &p));
    TRY(foehn_fire_grid(&p, p.physics_voxel, "physics_voxel", &g, spacing));
    TRY(foehn_fire_grid(&p, p.render_voxel, "render_voxel", &r, spacing));
    uint64_t pairs = (uint64_t)foehn_fire_pairs(&p);
    uint64_t dyes = p.dye_transport == FOEHN_FIRE_MACCORMACK ? 3 : 2;
    *bytes = foehn_grid_elements(&g) * (pairs * 12 + 14 * 4 + 4) +
             foehn_grid_elements(&r) * dyes * 16 + foehn_pressure_memory(&g) +
             (p.mode == FOEHN_FIRE_BURN ? combustion_memory(&g, &r) : 0) +
             (uint64_t)FIRE_NOISE * FIRE_NOISE * FIRE_NOISE * 12;
    return FOEHN_OK;
}
