/* SPDX-License-Identifier: MIT */
/* The wind: make it, step it, read it. */
#include "wind/state.h"

#include <foehn/profile.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_wind_collocated;

static foehn_grid grid_of(const foehn_wind_params *p)
{
    return foehn_grid_make(p->nx, p->ny, p->nz, p->spacing_horizontal, p->spacing_vertical,
                           p->spacing_horizontal);
}

static uint64_t memory_of(const foehn_wind_params *p, const foehn_grid *g)
{
    if (p->scheme == FOEHN_WIND_STAGGERED)
        return foehn_staggered_memory(p, g);
    uint64_t cells = foehn_grid_elements(g);
    uint64_t columns = (uint64_t)g->sy * (uint64_t)(g->nz + 3);
    /* velocity twice, pressure twice, divergence, curl; open and wall; ground at middles and corners */
    return cells * (10 * sizeof(float) + 2) + 2 * columns * sizeof(float);
}

foehn_status foehn_wind_params_get_memory(const foehn_wind_params *params, uint64_t *bytes)
{
    foehn_wind_params p;
    TRY(foehn_wind_take_params(params, &p));
    foehn_grid g = grid_of(&p);
    *bytes = memory_of(&p, &g);
    return FOEHN_OK;
}

/* ---- shape of launches ---- */

/* Unit vector that the wind blows towards, for a direction it blows from. */
static void toward(float from, double *dx, double *dz)
{
    double angle = fmod((double)from, 360.0) * (M_PI / 180.0);
    *dx = -sin(angle); /* from the west (270): towards +x */
    *dz = cos(angle);  /* from the north (0): towards +z */
}

/* ---- the forcing as the kernels see it ---- */

/* Corner of the box in lattice units of one octave: cell and fraction. */
static void lattice_place(double x, double wavelength, i32 *cell, f32 *fraction)
{
    double lattice = fmod(x / wavelength, (double)4096);
    double whole = floor(lattice);
    *cell = (i32)whole;
    *fraction = (f32)(lattice - whole);
}

wind_forcing foehn_wind_forcing(const foehn_wind *w, float dt)
{
    const wind_clock *c = &w->clock;
    double origin[3], dx, dz;
    foehn_wind_origin(w, origin);
    toward(c->state.from, &dx, &dz);
    wind_forcing f = {
        .u10 = c->state.u10,
        .dx = (f32)dx,
        .dz = (f32)dz,
        .z0 = w->params.z0,
        .profile_scale = 1 / foehn_log(FOEHN_REFERENCE_HEIGHT / w->params.z0),
        .gain = (f32)-expm1(-(double)w->params.relaxation * (double)dt),
        .floor_y = (f32)origin[1],
        .curl_amplitude = (f32)c->curl_amplitude,
        .ramp = w->params.noise_wavelength / 8, /* 4 m at the default of 32 m; one cell at least */
    };
    for (int o = 0; o < WIND_OCTAVES; o++) {
        double wavelength = (double)w->params.noise_wavelength / (1 << o);
        f.wavelength[o] = (f32)wavelength;
        lattice_place(origin[0] - c->drift[0], wavelength, &f.cell[o][0], &f.fraction[o][0]);
        lattice_place(origin[1], wavelength, &f.cell[o][1], &f.fraction[o][1]);
        lattice_place(origin[2] - c->drift[1], wavelength, &f.cell[o][2], &f.fraction[o][2]);
        for (int p = 0; p < 3; p++) {
            f.offset_x[o][p] = w->noise_offsets[o][p][0];
            f.offset_y[o][p] = w->noise_offsets[o][p][1];
            f.offset_z[o][p] = w->noise_offsets[o][p][2];
        }
    }
    for (int n = 0; n < c->gusts.count; n++) {
        const struct foehn_band *b = &c->gusts.bands[n];
        f.gust[n] = (wind_gust){
            .position = (f32)(b->position - (origin[0] * b->dx + origin[2] * b->dz)),
            .strength = (f32)b->strength,
            .inverse = (f32)(2 / b->width),
            .dx = (f32)b->dx,
            .dz = (f32)b->dz,
        };
    }
    return f;
}

/* ---- launches, one function a kernel ---- */

foehn_status foehn_wind_wrap(foehn_wind *w, cl_mem field)
{
    if (!foehn_wind_is_periodic(w))
        return FOEHN_OK;
    foehn_size padded = {(size_t)w->g.nx + 2, (size_t)w->g.ny + 1, (size_t)w->g.nz + 2};
    return LAUNCH(w->ctx, w->kernel.wrap, padded, ARG(w->g), ARG(field));
}

static foehn_status wrap_velocity(foehn_wind *w)
{
    for (int a = 0; a < 3; a++)
        TRY(foehn_wind_wrap(w, w->velocity[w->now][a]));
    return FOEHN_OK;
}

static foehn_status force(foehn_wind *w, float dt)
{
    wind_forcing f = foehn_wind_forcing(w, dt);
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_force(w, &f);
    TRY(LAUNCH(w->ctx, w->kernel.force, foehn_wind_cells(w), ARG(w->g), ARG(f), ARG(w->ground.ground),
               ARG(w->ground.open), VELOCITY(w, w->now), ARG(w->curl)));
    return wrap_velocity(w);
}

static foehn_status advect(foehn_wind *w, float dt)
{
    cl_int wraps = foehn_wind_is_periodic(w);
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_advect(w, dt);
    TRY(LAUNCH(w->ctx, w->kernel.advect, foehn_wind_cells(w), ARG(w->g), ARG(dt), ARG(wraps),
               ARG(w->ground.open), VELOCITY(w, w->now), VELOCITY(w, 1 - w->now)));
    w->now = 1 - w->now;
    return wrap_velocity(w);
}

static foehn_status divergence(foehn_wind *w)
{
    TRY(wrap_velocity(w));
    return LAUNCH(w->ctx, w->kernel.divergence, foehn_wind_cells(w), ARG(w->g), ARG(w->ground.open),
                  ARG(w->ground.wall), VELOCITY(w, w->now), ARG(w->divergence));
}

foehn_status foehn_wind_divergence(foehn_wind *w, cl_mem *out)
{
    *out = foehn_wind_is_staggered(w) ? foehn_pressure_rhs(w->solver) : w->divergence;
    return foehn_wind_is_staggered(w) ? foehn_staggered_divergence(w) : divergence(w);
}

foehn_status foehn_wind_centers(foehn_wind *w, cl_mem velocity[3])
{
    if (foehn_wind_is_staggered(w)) {
        TRY(foehn_wind_refresh_ground(w)); /* centres ask which faces are open */
        return foehn_staggered_centers(w, velocity);
    }
    memcpy(velocity, w->velocity[w->now], 3 * sizeof *velocity);
    return FOEHN_OK;
}

/* rows[which] <- squared residual of the current pressure, by row. */
static foehn_status residual(foehn_wind *w, int which)
{
    foehn_size size = {(size_t)w->g.ny, (size_t)w->g.nz, 1};
    return LAUNCH(w->ctx, w->kernel.residual, size, ARG(w->g), ARG(w->stencil),
                  ARG(w->ground.open), ARG(w->divergence), ARG(w->pressure[w->now_p]),
                  ARG(w->rows[which]));
}

/* How the staggered scheme solves in a step: a fixed number of cycles, so that nothing is waited for. */
static foehn_pressure_stop stop_of(const foehn_wind *w)
{
    static const foehn_pressure_method methods[] = {
        [FOEHN_WIND_PRESSURE_MULTIGRID] = FOEHN_PRESSURE_LIGHT,
        [FOEHN_WIND_PRESSURE_MGCG] = FOEHN_PRESSURE_MGCG,
        [FOEHN_WIND_PRESSURE_SOR] = FOEHN_PRESSURE_SOR,
        [FOEHN_WIND_PRESSURE_JACOBI] = FOEHN_PRESSURE_JACOBI,
    };
    foehn_pressure_method method = methods[w->params.pressure];
    if (method == FOEHN_PRESSURE_LIGHT && foehn_wind_has_solids(w))
        method = FOEHN_PRESSURE_MULTIGRID;
    else if (method == FOEHN_PRESSURE_LIGHT && w->params.cycles > 1)
        method = FOEHN_PRESSURE_VCYCLE;
    return (foehn_pressure_stop){method, w->params.cycles, 0};
}

/* lap p = div u, from the last step's pressure. */
static foehn_status solve_pressure(foehn_wind *w)
{
    if (foehn_wind_is_staggered(w)) {
        foehn_pressure_stop stop = stop_of(w);
        w->measured = w->measuring;
        if (stop.method == FOEHN_PRESSURE_LIGHT && stop.cycles == 1 && !w->measuring)
            return foehn_staggered_cycle(w);
        return foehn_staggered_solve(w, stop, w->measuring ? &w->solved : NULL);
    }
    if (w->rows[0]) {
        TRY(divergence(w));
        TRY(residual(w, 0));
    }
    cl_int wraps = foehn_wind_is_periodic(w);
    for (int sweep = 0; sweep < w->params.sweeps; sweep++) {
        cl_mem p = w->pressure[w->now_p], next = w->pressure[1 - w->now_p];
        if (sweep == 0)
            TRY(LAUNCH(w->ctx, w->kernel.divergence_sweep, foehn_wind_cells(w), ARG(w->g), ARG(w->stencil),
                       ARG(w->ground.open), ARG(w->ground.wall), VELOCITY(w, w->now),
                       ARG(w->divergence), ARG(p), ARG(next)));
        else if (foehn_wind_has_solids(w))
            TRY(LAUNCH(w->ctx, w->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(w->stencil),
                       ARG(w->ground.open), ARG(w->divergence), ARG(p), ARG(next)));
        else
            TRY(LAUNCH(w->ctx, w->kernel.sweep_flat, foehn_wind_cells(w), ARG(w->g),
                       ARG(w->stencil), ARG(wraps), ARG(w->divergence), ARG(p), ARG(next)));
        w->now_p = 1 - w->now_p;
        TRY(foehn_wind_wrap(w, w->pressure[w->now_p]));
    }
    if (w->rows[1])
        TRY(residual(w, 1));
    w->measured = w->rows[1] != NULL;
    return FOEHN_OK;
}

/* Whether the projection publishes what it makes, in one launch.  CPUs lose by it: they do not vectorise past the
 * stores of halves. */
static bool projection_publishes(const foehn_wind *w)
{
    return foehn_wind_is_staggered(w) ? foehn_staggered_projects_wide(w)
                                      : w->ctx->device.info.type == FOEHN_DEVICE_GPU;
}

/* Where cell (0, 0, 0) goes in a published volume. */
static void first_voxel(const foehn_wind *w, cl_int first[3])
{
    const int n[3] = {w->g.nx, w->g.ny, w->g.nz};
    for (int a = 0; a < 3; a++)
        first[a] = (cl_int)(((w->clock.origin[a] % n[a]) + n[a]) % n[a]);
}

static foehn_status project(foehn_wind *w)
{
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_project(w);
    return LAUNCH(w->ctx, w->kernel.project, foehn_wind_cells(w), ARG(w->g), ARG(w->params.max_speed),
                  ARG(w->ground.open), ARG(w->pressure[w->now_p]), VELOCITY(w, w->now));
}

/* The same, and `publish` of the result. */
static foehn_status project_publish(foehn_wind *w, cl_mem slot)
{
    cl_int first[3];
    first_voxel(w, first);
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_project_publish(w, first, slot);
    return LAUNCH(w->ctx, w->kernel.project_publish, foehn_wind_cells(w), ARG(w->g),
                  ARG(w->params.max_speed), ARG(first[0]), ARG(first[1]), ARG(first[2]),
                  ARG(w->ground.open), ARG(w->pressure[w->now_p]), ARG(w->curl),
                  VELOCITY(w, w->now), ARG(slot));
}

static foehn_status publish(foehn_wind *w, cl_mem slot)
{
    cl_int first[3];
    first_voxel(w, first);
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_publish(w, first, slot);
    return LAUNCH(w->ctx, w->kernel.publish, foehn_wind_cells(w), ARG(w->g), ARG(first[0]),
                  ARG(first[1]), ARG(first[2]), VELOCITY(w, w->now), ARG(w->curl), ARG(slot));
}

/* The volume's next content, by a pass that writes it. */
static foehn_status write_volume(foehn_wind *w, foehn_volume *volume, foehn_status (*pass)(foehn_wind *, cl_mem))
{
    cl_mem slot;
    foehn_wind_info info;
    TRY(foehn_volume_begin(volume, w->ctx, w->g.nx, w->g.ny, w->g.nz, &slot));
    foehn_wind_get_info(w, &info);
    foehn_volume_info v = {.nx = info.nx, .ny = info.ny, .nz = info.nz, .step = info.step,
                           .time = info.time, .repeats = 1};
    memcpy(v.origin, info.origin, sizeof v.origin);
    memcpy(v.extent, info.extent, sizeof v.extent);
    memcpy(v.spacing, info.spacing, sizeof v.spacing);
    return foehn_volume_end(volume, &v, pass(w, slot));
}

static foehn_status average(foehn_wind *w)
{
    if (!w->means[0])
        return FOEHN_OK;
    cl_mem velocity[3];
    float n = (float)++w->clock.samples;
    TRY(foehn_wind_centers(w, velocity));
    return LAUNCH(w->ctx, w->kernel.average, foehn_wind_cells(w), ARG(w->g), ARG(n),
                  ARG(velocity[0]), ARG(velocity[1]), ARG(velocity[2]),
                  ARG(w->means[0]), ARG(w->means[1]), ARG(w->means[2]), ARG(w->means[3]),
                  ARG(w->means[4]));
}

/* Move the field by whole cells; what comes into the box starts from the profile. */
static foehn_status scroll(foehn_wind *w, const cl_int shift[3])
{
    wind_forcing f = foehn_wind_forcing(w, 0);
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_scroll(w, &f, shift);
    TRY(LAUNCH(w->ctx, w->kernel.scroll, foehn_wind_cells(w), ARG(w->g), ARG(f), ARG(shift[0]), ARG(shift[1]),
               ARG(shift[2]), ARG(w->ground.ground), ARG(w->ground.open), VELOCITY(w, w->now),
               ARG(w->pressure[w->now_p]), VELOCITY(w, 1 - w->now),
               ARG(w->pressure[1 - w->now_p])));
    w->now = 1 - w->now;
    w->now_p = 1 - w->now_p;
    return foehn_wind_wrap(w, w->pressure[w->now_p]); /* velocity is wrapped after the force */
}

/* ---- create and destroy ---- */

/* Cell of the box's lower corner for a centre, on one axis. */
static int64_t origin_cell(double center, double spacing, int n)
{
    return (int64_t)floor(center / spacing) - n / 2;
}

static void wanted_origin(const foehn_wind *w, int64_t origin[3])
{
    origin[0] = origin_cell(w->center[0], (double)w->g.hx, w->g.nx);
    origin[1] = isnan(w->center[1]) ? 0 : origin_cell(w->center[1], (double)w->g.hy, w->g.ny);
    origin[2] = origin_cell(w->center[2], (double)w->g.hz, w->g.nz);
}

static foehn_status update_ground(foehn_wind *w)
{
    double origin[3];
    foehn_wind_origin(w, origin);
    TRY(foehn_ground_update(&w->ground, &w->g, origin, foehn_wind_is_periodic(w)));
    w->ground_is_stale = false;
    return foehn_wind_is_staggered(w) ? foehn_staggered_update(w) : FOEHN_OK;
}

foehn_status foehn_wind_refresh_ground(foehn_wind *w)
{
    return w->ground_is_stale ? update_ground(w) : FOEHN_OK;
}

static foehn_status create_kernels(foehn_wind *w)
{
    const struct {
        const char *name;
        double bytes; /* that a cell must at least move, each field once */
        foehn_kernel *kernel;
    } table[] = {
        {"force", 6 * 4 + 4 + 1, &w->kernel.force},
        {"advect", 6 * 4 + 1, &w->kernel.advect},
        {"divergence", 4 * 4 + 2, &w->kernel.divergence},
        {"divergence_sweep", 6 * 4 + 2, &w->kernel.divergence_sweep},
        {"sweep", 3 * 4 + 1, &w->kernel.sweep},
        {"sweep_flat", 3 * 4, &w->kernel.sweep_flat},
        {"project", 7 * 4 + 1, &w->kernel.project},
        {"residual", 2 * 4 + 1, &w->kernel.residual},
        {"scroll", 8 * 4, &w->kernel.scroll},
        {"wrap", 0, &w->kernel.wrap},
        {"average", 13 * 4, &w->kernel.average},
        {"points", 0, &w->kernel.points},
        {"publish", 4 * 4 + 8, &w->kernel.publish},
        {"project_publish", 8 * 4 + 1 + 8, &w->kernel.project_publish},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_collocated, foehn_grid_options(&w->g),
                                table[i].name, table[i].bytes, table[i].kernel));
    return FOEHN_OK;
}

static foehn_status create_fields(foehn_wind *w)
{
    for (int n = 0; n < 2; n++)
        for (int a = 0; a < 3; a++)
            TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &w->velocity[n][a]));
    TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &w->curl));
    if (foehn_wind_is_staggered(w))
        return foehn_staggered_create(w);
    for (int n = 0; n < 2; n++)
        TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &w->pressure[n]));
    return foehn_field_create(w->ctx, &w->g, sizeof(float), &w->divergence);
}

static void seed_noise(foehn_wind *w)
{
    uint64_t random = w->params.seed;
    for (int o = 0; o < WIND_OCTAVES; o++)
        for (int p = 0; p < 3; p++)
            for (int a = 0; a < 3; a++)
                w->noise_offsets[o][p][a] = (int)(foehn_random(&random) % 4096);
}

foehn_status foehn_wind_create(foehn_context *ctx, const foehn_wind_params *params,
                               foehn_wind **out)
{
    foehn_wind_params p;
    *out = NULL;
    TRY(foehn_wind_take_params(params, &p));
    foehn_grid g = grid_of(&p);
    char what[80];
    snprintf(what, sizeof what, "a wind of %d x %d x %d cells", p.nx, p.ny, p.nz);
    TRY(foehn_memory_check(ctx, what, memory_of(&p, &g), foehn_grid_elements(&g) * sizeof(float)));

    foehn_status status;
    foehn_wind *w = calloc(1, sizeof *w);
    if (!w)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_wind_create: no host memory");
    uint64_t before = ctx->memory;
    w->ctx = ctx;
    w->params = p;
    w->g = g;
    w->stencil.wx = 1 / (g.hx * g.hx);
    w->stencil.wy = 1 / (g.hy * g.hy);
    w->stencil.wz = 1 / (g.hz * g.hz);
    w->stencil.inverse = 0.5f / (w->stencil.wx + w->stencil.wy + w->stencil.wz);
    memcpy(w->center, p.center, sizeof w->center);
    wanted_origin(w, w->clock.origin);
    w->clock.state = p.state;
    w->clock.curl_amplitude =
        (double)p.noise_amplitude * (double)p.state.gustiness * (double)p.state.u10;
    seed_noise(w);
    foehn_gusts_init(&w->clock.gusts, p.seed);
    TRY_OR_FAIL(create_fields(w));
    TRY_OR_FAIL(foehn_ground_create(&w->ground, ctx, &g));
    TRY_OR_FAIL(create_kernels(w));
    TRY_OR_FAIL(update_ground(w));
    const cl_int everything[3] = {g.nx, g.ny, g.nz};
    TRY_OR_FAIL(scroll(w, everything));
    w->memory = ctx->memory - before;
    *out = w;
    return FOEHN_OK;
fail:
    foehn_wind_destroy(w);
    return status;
}

void foehn_wind_destroy(foehn_wind *w)
{
    if (!w)
        return;
    clFinish(w->ctx->queue);
    foehn_kernels_destroy(&w->kernel, sizeof w->kernel);
    foehn_staggered_destroy(w);
    foehn_ground_destroy(&w->ground);
    for (int n = 0; n < 2; n++) {
        for (int a = 0; a < 3; a++)
            foehn_buffer_destroy(w->ctx, &w->velocity[n][a]);
        foehn_buffer_destroy(w->ctx, &w->pressure[n]);
        foehn_buffer_destroy(w->ctx, &w->rows[n]);
    }
    foehn_buffer_destroy(w->ctx, &w->divergence);
    foehn_buffer_destroy(w->ctx, &w->curl);
    for (int i = 0; i < WIND_MEANS; i++)
        foehn_buffer_destroy(w->ctx, &w->means[i]);
    free(w);
}

/* ---- step ---- */

foehn_status foehn_wind_set_terrain(foehn_wind *w, const foehn_terrain *terrain)
{
    TRY(foehn_ground_set(&w->ground, terrain));
    w->ground_is_stale = true;
    return FOEHN_OK;
}

foehn_status foehn_wind_set_state(foehn_wind *w, const foehn_wind_state *state)
{
    TRY(foehn_wind_check_state(state));
    w->clock.state = *state;
    return FOEHN_OK;
}

void foehn_wind_get_state(const foehn_wind *w, foehn_wind_state *state)
{
    *state = w->clock.state;
}

foehn_status foehn_wind_set_center(foehn_wind *w, const double center[3])
{
    TRY(foehn_wind_check_center(center));
    memcpy(w->center, center, sizeof w->center);
    return FOEHN_OK;
}

static cl_int clamp_shift(int64_t shift, int n)
{
    return (cl_int)(shift > n ? n : shift < -n ? -n : shift);
}

foehn_status foehn_wind_follow_center(foehn_wind *w)
{
    int64_t origin[3];
    wanted_origin(w, origin);
    bool moved = memcmp(origin, w->clock.origin, sizeof origin) != 0;
    cl_int shift[3];
    const int n[3] = {w->g.nx, w->g.ny, w->g.nz};
    for (int a = 0; a < 3; a++)
        shift[a] = clamp_shift(origin[a] - w->clock.origin[a], n[a]);
    memcpy(w->clock.origin, origin, sizeof origin);
    if (moved || w->ground_is_stale)
        TRY(update_ground(w));
    if (moved) {
        TRY(scroll(w, shift));
        if (w->means[0])
            TRY(foehn_wind_set_averaging(w, 1)); /* a mean belongs to one place */
    }
    return FOEHN_OK;
}

/* Gusts travel, the noise drifts with the wind, its amplitude follows the state. */
static void advance_clock(foehn_wind *w, double dt)
{
    wind_clock *c = &w->clock;
    double origin[3], dx, dz, u10 = (double)c->state.u10;
    foehn_wind_origin(w, origin);
    toward(c->state.from, &dx, &dz);
    double width = w->g.nx * (double)w->g.hx, depth = w->g.nz * (double)w->g.hz;
    double reach = 0.5 * (hypot(width, depth) + FOEHN_GUST_WIDTH); /* a band is half a width deep */
    foehn_gusts_step(&c->gusts, dt, u10, (double)c->state.gustiness, dx, dz,
                     origin[0] + 0.5 * width, origin[2] + 0.5 * depth,
                     reach > FOEHN_GUST_DISTANCE ? reach : FOEHN_GUST_DISTANCE);
    double period = 4096 * (double)w->params.noise_wavelength;
    c->drift[0] = fmod(c->drift[0] + dx * u10 * dt, period);
    c->drift[1] = fmod(c->drift[1] + dz * u10 * dt, period);
    double wanted = (double)w->params.noise_amplitude * (double)c->state.gustiness * u10;
    c->curl_amplitude -= expm1(-(double)w->params.relaxation * dt) * (wanted - c->curl_amplitude);
    c->time += dt;
    c->step++;
}

/* A step; volume: NULL, or it is written by the projection where that can publish, else after it. */
static foehn_status step(foehn_wind *w, float dt, foehn_volume *volume)
{
    TRY(foehn_wind_follow_center(w));
    advance_clock(w, (double)dt);
    TRY(force(w, dt));        /* u <- u + (1 - exp(-r dt)) (u_target - u) */
    TRY(advect(w, dt));       /* u <- u(x - u dt), 0 in solids            */
    TRY(solve_pressure(w));   /* lap p = div u                            */
    if (volume && projection_publishes(w)) {
        TRY(write_volume(w, volume, project_publish)); /* u <- u - grad p */
    } else {
        TRY(project(w));                               /* u <- u - grad p */
        if (volume)
            TRY(write_volume(w, volume, publish));
    }
    return average(w);
}

static foehn_status check_step(const char *function, float dt)
{
    const double longest = 1e6; /* gusts are counted one by one */
    if (dt > 0 && (double)dt <= longest)
        return FOEHN_OK;
    return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s: dt = %g s: more than 0 and at most %g", function,
                      (double)dt, longest);
}

foehn_status foehn_wind_step(foehn_wind *w, float dt)
{
    TRY(check_step("foehn_wind_step", dt));
    return step(w, dt, NULL);
}

foehn_status foehn_wind_step_and_write_volume(foehn_wind *w, float dt, foehn_volume *volume)
{
    TRY(check_step("foehn_wind_step_and_write_volume", dt));
    TRY(foehn_volume_check(volume, w->ctx, w->g.nx, w->g.ny, w->g.nz));
    return step(w, dt, volume);
}

foehn_status foehn_wind_write_volume(foehn_wind *w, foehn_volume *volume)
{
    TRY(foehn_wind_refresh_ground(w)); /* the staggered scheme's centres ask which faces are open */
    return write_volume(w, volume, publish);
}
