/* SPDX-License-Identifier: MIT */
/* The fire: make it, start it again. */
#include "fire/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_fire_air, foehn_source_fire_carry, foehn_source_fire_dye,
    foehn_source_fire_noise, foehn_source_fire_combustion, foehn_source_fire_inertia,
    foehn_source_fire_light, foehn_source_fire_optics, foehn_source_fire_firebrands,
    foehn_source_fire_box, foehn_source_fire_blocks;

/* ---- create ---- */

static foehn_status create_burning(foehn_fire *f, const char *options)
{
    const struct {
        const foehn_source *source;
        const char *name;
        double bytes;
        foehn_kernel *kernel;
    } table[] = {
        {&foehn_source_fire_combustion, "total", 4, &f->kernel.total},
        {&foehn_source_fire_combustion, "feed", 16, &f->kernel.feed},
        {&foehn_source_fire_carry, "fill_up", 32, &f->kernel.fill_up},
        {&foehn_source_fire_blocks, "rouse", 0, &f->kernel.rouse},
        {&foehn_source_fire_blocks, "wake", 0, &f->kernel.wake},
        {&foehn_source_fire_box, "shift", 8, &f->kernel.shift},
        {&foehn_source_fire_firebrands, "firebrand_shift", 0, &f->kernel.firebrand_shift},
        {&foehn_source_fire_air, "push", 24, &f->kernel.push},
        {&foehn_source_fire_inertia, "lighten", 8, &f->kernel.lighten},
        {&foehn_source_fire_inertia, "eddies", 16, &f->kernel.eddies},
        {&foehn_source_fire_inertia, "transport", 36, &f->kernel.transport},
        {&foehn_source_fire_inertia, "carry_pressure", 24, &f->kernel.carry_pressure},
        {&foehn_source_fire_inertia, "inertia", 24 + 12, &f->kernel.inertia},
        {&foehn_source_fire_combustion, "mix_round", 32 + 8, &f->kernel.mix_round},
        {&foehn_source_fire_combustion, "burn", 32 + 7 * 4 + 4, &f->kernel.burn},
        {&foehn_source_fire_combustion, "gather", 8, &f->kernel.gather},
        {&foehn_source_fire_combustion, "less", 12, &f->kernel.less},
        {&foehn_source_fire_combustion, "haste", 0, &f->kernel.haste},
        {&foehn_source_fire_combustion, "weigh_moved", 0, &f->kernel.weigh_moved},
        {&foehn_source_fire_combustion, "sum_rows", 0, &f->kernel.sum_rows},
        {&foehn_source_fire_combustion, "balance", 0, &f->kernel.balance},
        {&foehn_source_fire_combustion, "book", 0, &f->kernel.book},
        {&foehn_source_fire_firebrands, "firebrand_planes", 0, &f->kernel.firebrand_planes},
        {&foehn_source_fire_firebrands, "firebrand_launch", 0, &f->kernel.firebrand_launch},
        {&foehn_source_fire_firebrands, "firebrand_fly", 0, &f->kernel.firebrand_fly},
        {&foehn_source_fire_optics, "optics", 28, &f->kernel.optics},
        {&foehn_source_fire_optics, "soften", 32, &f->kernel.soften},
        {&foehn_source_fire_optics, "as_preset", 24, &f->kernel.as_preset},
        {&foehn_source_fire_optics, "occupy", 0, &f->kernel.occupy},
        {&foehn_source_fire_optics, "slices", 0, &f->kernel.slices},
        {&foehn_source_fire_optics, "parts", 0, &f->kernel.parts},
        {&foehn_source_fire_light, "illuminate", 0, &f->kernel.illuminate},
        {&foehn_source_fire_light, "look", 0, &f->kernel.look},
        {&foehn_source_fire_light, "follow", 0, &f->kernel.follow},
        {&foehn_source_fire_light, "develop", 16, &f->kernel.develop},
        {&foehn_source_fire_air, "publish_burnt", 16 + 4 + 8, &f->kernel.publish_burnt},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0] && foehn_fire_burns(f); i++)
        TRY(foehn_kernel_create(f->ctx, table[i].source, options, table[i].name, table[i].bytes,
                                table[i].kernel));
    return FOEHN_OK;
}

static foehn_status create_kernels(foehn_fire *f)
{
    const double velocity = 3 * 4, four = 4 * 4;
    const struct {
        const foehn_source *source;
        const char *name;
        double bytes; /* that a work-item must at least move, each field once */
        foehn_kernel *kernel;
    } table[] = {
        {&foehn_source_fire_noise, "curl_noise", four, &f->kernel.curl_noise},
        {&foehn_source_fire_air, "vorticity", velocity + four, &f->kernel.vorticity},
        {&foehn_source_fire_air, "advect", 2 * velocity, &f->kernel.advect},
        {&foehn_source_fire_air, "advect_correct", 3 * velocity, &f->kernel.advect_correct},
        {&foehn_source_fire_air, "force", 2 * velocity + 4 * four, &f->kernel.force},
        {&foehn_source_fire_air, "divergence", velocity + 4 + four, &f->kernel.divergence},
        {&foehn_source_fire_air, "project", 2 * velocity + 4 + four, &f->kernel.project},
        {&foehn_source_fire_air, "sides", 0, &f->kernel.sides},
        {&foehn_source_fire_air, "count", 12, &f->kernel.count},
        {&foehn_source_fire_air, "emit", 8, &f->kernel.emit},
        {&foehn_source_fire_air, "inject", 2 * velocity + 4, &f->kernel.inject},
        {&foehn_source_fire_air, "budget", 0, &f->kernel.budget},
        {&foehn_source_fire_air, "bake", 2 * four, &f->kernel.bake},
        {&foehn_source_fire_air, "openness", four + 3, &f->kernel.openness},
        {&foehn_source_fire_air, "dye_rows", 0, &f->kernel.dye_rows},
        {&foehn_source_fire_air, "air_rows", 0, &f->kernel.air_rows},
        {&foehn_source_fire_air, "pack", 8, &f->kernel.pack},
        {&foehn_source_fire_air, "unpack", 8, &f->kernel.unpack},
        {&foehn_source_fire_air, "velocity", 24, &f->kernel.velocity},
        {&foehn_source_fire_air, "set_velocity", 24, &f->kernel.set_velocity},
        {&foehn_source_fire_air, "publish_dye", four + 8, &f->kernel.publish_dye},
        {&foehn_source_fire_air, "publish_velocity", velocity + four + 8,
         &f->kernel.publish_velocity},
    };
    size_t air = foehn_grid_elements(&f->g), dye = foehn_grid_elements(&f->r);
    size_t planes = foehn_fire_burns(f) ? BURNT_PLANES : 4;
    char *options = f->options;
    snprintf(options, sizeof f->options, "%s%s%s%s",
             planes * (air > dye ? air : dye) > INT32_MAX ? "-DFOEHN_INDEX64" : "",
             foehn_fire_is_staggered(f) ? " -DFOEHN_STAGGERED" : "",
             foehn_fire_burns(f) ? " -DFOEHN_BURN" : "", f->params.floor ? " -DFOEHN_FLOOR" : "");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(f->ctx, table[i].source, options, table[i].name, table[i].bytes,
                                table[i].kernel));
    TRY(create_burning(f, options));
    if (!foehn_fire_is_staggered(f))
        TRY(foehn_kernel_create(f->ctx, &foehn_source_fire_air, options, "sweep_wide", 3 * 4 + 4,
                                &f->kernel.sweep_wide));
    return FOEHN_OK;
}

/* Of two programs, with colliders and without, most fires need one. */
foehn_status foehn_fire_create_dye(foehn_fire *f)
{
    const bool solids = f->collider_count > 0, burns = foehn_fire_burns(f);
    if (f->kernel.dye_correct[solids].handle)
        return FOEHN_OK;
    const double four = 4 * 4;
    const foehn_source *source = burns ? &foehn_source_fire_carry : &foehn_source_fire_dye;
    char options[sizeof f->options + 16];
    snprintf(options, sizeof options, "%s%s", f->options, solids ? " -DFOEHN_SOLIDS" : "");
    TRY(foehn_kernel_create(f->ctx, source, options, burns ? "carry" : "dye", 2 * four,
                            &f->kernel.dye[solids]));
    return foehn_kernel_create(f->ctx, source, options, burns ? "carry_correct" : "dye_correct",
                               3 * four, &f->kernel.dye_correct[solids]);
}

static foehn_status create_fields(foehn_fire *f)
{
    const foehn_side free = FOEHN_SIDE_OPEN, below = f->params.floor ? FOEHN_SIDE_WALL : free;
    const foehn_side sides[6] = {free, free, below, free, free, free};
    int pairs = foehn_fire_pairs(&f->params);
    int dyes = f->params.dye_transport == FOEHN_FIRE_MACCORMACK ? 3 : 2;
    const struct {
        cl_mem *field;
        size_t planes;
    } fields[] = {{&f->omega, 4}, {&f->sdf, 4}, {&f->surface, 3}, {&f->wind, 3}};
    for (int n = 0; n < pairs; n++)
        for (int a = 0; a < 3; a++)
            TRY(foehn_field_create(f->ctx, &f->g, sizeof(float), &f->velocity[n][a]));
    for (int n = 0; n < 4; n++)
        TRY(foehn_field_create(f->ctx, &f->g, fields[n].planes * sizeof(float), fields[n].field));
    for (int n = 0; n < dyes; n++)
        TRY(foehn_field_create(f->ctx, &f->r, 4 * sizeof(float), &f->dye[n]));
    TRY(foehn_field_create(f->ctx, &f->g, sizeof(float), &f->divergence));
    TRY(foehn_buffer_create(f->ctx, FIRE_NOISE * FIRE_NOISE * FIRE_NOISE * 3 * sizeof(float),
                            &f->noise));
    if (f->params.account && !foehn_fire_burns(f))
        TRY(foehn_buffer_create(
            f->ctx, (size_t)f->r.ny * (size_t)f->r.nz * FIRE_BUDGET * sizeof(float), &f->budget));
    TRY(foehn_fire_create_combustion(f));
    TRY(foehn_fire_create_light(f));
    return foehn_pressure_create(f->ctx, &f->g, sides, &f->pressure);
}

/* The curl noise of the box: frequency noise units over its height. */
foehn_status foehn_fire_refresh_noise(foehn_fire *f)
{
    if (!f->noise_is_stale || f->params.turbulence == 0)
        return FOEHN_OK;
    float period[3], multiplier = f->params.curl_multiplier;
    cl_int seed = (cl_int)(f->params.seed * UINT64_C(0x9e3779b97f4a7c15) >> 52);
    for (int a = 0; a < 3; a++)
        period[a] =
            (float)((double)f->params.noise_frequency * f->params.size[a] / f->params.size[1]);
    TRY(LAUNCH(f->ctx, f->kernel.curl_noise, ((foehn_size){FIRE_NOISE, FIRE_NOISE, FIRE_NOISE}),
               ARG(period[0]), ARG(period[1]), ARG(period[2]), ARG(multiplier), ARG(seed),
               ARG(f->noise)));
    f->noise_is_stale = false;
    return FOEHN_OK;
}

foehn_status foehn_fire_create(foehn_context *ctx, const foehn_fire_params *params,
                               foehn_fire **out)
{
    foehn_fire_params p;
    foehn_grid g, r;
    double spacing[3], render_spacing[3];
    uint64_t bytes;
    char what[120];
    *out = NULL;
    TRY(foehn_fire_take_params(params, &p));
    TRY(foehn_fire_grid(&p, p.physics_voxel, "physics_voxel", &g, spacing));
    TRY(foehn_fire_grid(&p, p.render_voxel, "render_voxel", &r, render_spacing));
    TRY(foehn_fire_params_get_memory(&p, &bytes));
    snprintf(what, sizeof what, "a fire of %d x %d x %d voxels and %d x %d x %d of air", r.nx, r.ny,
             r.nz, g.nx, g.ny, g.nz);
    TRY(foehn_memory_check(ctx, what, bytes, foehn_grid_elements(&r) * 16));

    foehn_status status;
    foehn_fire *f = calloc(1, sizeof *f);
    if (!f)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_fire_create: no host memory");
    uint64_t before = ctx->memory;
    f->ctx = ctx;
    f->params = p;
    f->g = g;
    f->r = r;
    f->b = 1;
    memcpy(f->spacing, spacing, sizeof spacing);
    memcpy(f->render_spacing, render_spacing, sizeof render_spacing);
    f->proxies_are_stale = f->noise_is_stale = true;
    f->start = p.pose;
    TRY_OR_FAIL(foehn_fire_place_box(f));
    TRY_OR_FAIL(create_fields(f));
    TRY_OR_FAIL(create_kernels(f));
    TRY_OR_FAIL(foehn_fire_create_colliders(f));
    TRY_OR_FAIL(foehn_fire_refresh_colliders(f));
    f->memory = ctx->memory - before;
    *out = f;
    return FOEHN_OK;
fail:
    foehn_fire_destroy(f);
    return status;
}

void foehn_fire_destroy(foehn_fire *f)
{
    if (!f)
        return;
    clFinish(f->ctx->queue);
    foehn_kernels_destroy(&f->kernel, sizeof f->kernel);
    for (int n = 0; n < FIRE_STAGED; n++) {
        if (f->staged[n].event)
            clReleaseEvent(f->staged[n].event);
        free(f->staged[n].bytes);
    }
    for (int n = 0; n < FIRE_VELOCITIES; n++)
        for (int a = 0; a < 3; a++)
            foehn_buffer_destroy(f->ctx, &f->velocity[n][a]);
    cl_mem *rest[] = {&f->omega,  &f->sdf,    &f->surface,    &f->wind,   &f->noise, &f->dye[0],
                      &f->dye[1], &f->dye[2], &f->divergence, &f->budget, &f->packed};
    for (size_t n = 0; n < sizeof rest / sizeof rest[0]; n++)
        foehn_buffer_destroy(f->ctx, rest[n]);
    foehn_pressure_destroy(f->pressure);
    foehn_fire_destroy_combustion(f);
    foehn_fire_destroy_brands(f);
    foehn_fire_destroy_light(f);
    foehn_fire_destroy_emitters(f);
    foehn_fire_destroy_colliders(f);
    foehn_fire_destroy_picture(f);
    free(f);
}

/* ---- start ---- */

foehn_status foehn_fire_restart(foehn_fire *f)
{
    f->clock = (fire_clock){0};
    TRY(foehn_fire_place_box(f));
    f->colliders_are_stale = f->proxies_are_stale = true;
    f->started = false;
    f->dye_now = 0;
    for (int n = 0; n < FIRE_DYES; n++)
        if (f->dye[n])
            TRY(foehn_buffer_clear(f->ctx, f->dye[n]));
    TRY(foehn_buffer_clear(f->ctx, f->omega));
    TRY(foehn_buffer_clear(f->ctx, foehn_pressure_field(f->pressure)));
    if (f->budget)
        TRY(foehn_buffer_clear(f->ctx, f->budget));
    TRY(foehn_fire_restart_combustion(f));
    TRY(foehn_fire_restart_brands(f));
    return foehn_fire_sides(f, 1);
}

/* ---- info ---- */

void foehn_fire_get_info(const foehn_fire *f, foehn_fire_info *info)
{
    *info = (foehn_fire_info){
        .render_cells = {f->r.nx, f->r.ny, f->r.nz},
        .physics_cells = {f->g.nx, f->g.ny, f->g.nz},
        .pose = f->params.pose,
        .step = f->clock.step,
        .last_steps = f->clock.last_steps,
        .time = f->clock.time,
        .step_time = (double)f->params.speed * FIRE_BASE_STEP,
        .waiting_time = f->clock.waiting,
        .dropped_time = f->clock.dropped,
        .march_steps = f->params.march_steps,
        .sweeps = foehn_fire_sweeps(&f->params),
        .emitters = f->emitter_count,
        .colliders = foehn_fire_count_colliders(f),
        .memory_bytes = f->memory,
        .launches = f->launches,
        .parts = foehn_fire_burns(f) && f->clock.parts > 0 ? f->clock.parts : 1,
    };
    for (int a = 0; a < 3; a++) {
        info->render_spacing[a] = f->render_spacing[a];
        info->physics_spacing[a] = f->spacing[a];
        info->size[a] = f->params.size[a];
    }
    for (int n = 0; n < f->emitter_count; n++)
        for (int p = 0; p < f->emitters[n].max_count; p++)
            info->proxies += f->emitters[n].proxies[p].active != 0;
}
