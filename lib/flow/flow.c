/* SPDX-License-Identifier: MIT */
/* The flow lab: make it, set it, start it again. */
#include "flow/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_flow_flow, foehn_source_flow_sixteen;

enum { MOST_CELLS = 8192, MOST_PARTICLES = 1000000, MOST_FIELDS = 24 };

static const char *const side_names[4] = {"left", "right", "bottom", "top"};

/* ---- parameters ---- */

void foehn_flow_params_init(foehn_flow_params *params, size_t size)
{
    const foehn_flow_params defaults = {
        .nx = 480,
        .ny = 270,
        .height = 1,
        .viscosity = 5e-4f,
        .start = {NAN, NAN},
        .terms = FOEHN_FLOW_ALL_TERMS,
        .seed = 1,
    };
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

static foehn_status check_sides(const foehn_flow_side sides[4])
{
    bool in = false, out = false;
    for (int i = 0; i < 4; i++) {
        const foehn_flow_side *s = &sides[i];
        if (s->kind < FOEHN_FLOW_WALL || s->kind > FOEHN_FLOW_PERIODIC)
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s side: kind %d is unknown", side_names[i],
                              (int)s->kind);
        if (!isfinite(s->speed))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s side: speed %g must be finite",
                              side_names[i], (double)s->speed);
        if (s->kind == FOEHN_FLOW_PERIODIC && sides[i ^ 1].kind != FOEHN_FLOW_PERIODIC)
            return foehn_fail(FOEHN_ERROR_ARGUMENT,
                              "%s side is periodic, %s is not: both or none of a pair",
                              side_names[i], side_names[i ^ 1]);
        if (s->kind == FOEHN_FLOW_INFLOW && s->speed < 0)
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s side: inflow speed %g must be >= 0",
                              side_names[i], (double)s->speed);
        in = in || s->kind == FOEHN_FLOW_INFLOW;
        out = out || s->kind == FOEHN_FLOW_OUTFLOW;
    }
    if (in && !out)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "water comes in and cannot leave: an inflow needs an outflow side");
    return FOEHN_OK;
}

/* Take over what the caller set; members that an old caller does not know keep their defaults. */
static foehn_status take_params(const foehn_flow_params *given, foehn_flow_params *p)
{
    *p = foehn_flow_params_default();
    TRY(foehn_params_take(p, given, "foehn_flow_params"));
    if (p->nx < 2 || p->ny < 2 || p->nx > MOST_CELLS || p->ny > MOST_CELLS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a flow of %d x %d cells: 2 to %d on each axis",
                          p->nx, p->ny, MOST_CELLS);
    if (!(p->height > 0 && isfinite(p->height)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a box %g high: must be > 0", (double)p->height);
    if (!(p->viscosity >= 0 && isfinite(p->viscosity)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "viscosity = %g: must be >= 0",
                          (double)p->viscosity);
    if (!isfinite(p->force[0]) || !isfinite(p->force[1]))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "force (%g, %g): must be finite",
                          (double)p->force[0], (double)p->force[1]);
    if (isinf(p->start[0]) || isinf(p->start[1]))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "start velocity (%g, %g): must be finite or NaN",
                          (double)p->start[0], (double)p->start[1]);
    if (p->terms < 0 || p->terms > FOEHN_FLOW_ALL_TERMS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "terms = %d: 0 to %d", p->terms,
                          FOEHN_FLOW_ALL_TERMS);
    if (p->surface != FOEHN_FLOW_STAIRCASE && p->surface != FOEHN_FLOW_FRACTIONS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "surface %d is unknown", (int)p->surface);
    if (p->solver != FOEHN_FLOW_MULTIGRID && p->solver != FOEHN_FLOW_SOR)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "solver %d is unknown", (int)p->solver);
    if (p->cycles < 0 || p->cycles > 100000)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%d pressure cycles: 0 to 100000", p->cycles);
    if (!(p->reduction >= 0 && p->reduction < 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "reduction = %g: 0 to less than 1",
                          (double)p->reduction);
    if (!(p->reference_speed >= 0 && isfinite(p->reference_speed)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "reference_speed = %g: must be >= 0",
                          (double)p->reference_speed);
    if (p->splitting != FOEHN_FLOW_PLAIN && p->splitting != FOEHN_FLOW_REFLECTION)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "splitting %d is unknown", (int)p->splitting);
    if (p->particles < 0 || p->particles > MOST_PARTICLES)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%d particles: 0 to %d", p->particles,
                          MOST_PARTICLES);
    return check_sides(p->sides);
}

/* ---- what kernels are told ---- */

static flow_side side_of(const foehn_flow_side *s, double into)
{
    return (flow_side){
        .kind = (i32)s->kind,
        .normal = s->kind == FOEHN_FLOW_INFLOW ? (f32)(into * (double)s->speed) : 0,
        .along = s->kind == FOEHN_FLOW_WALL ? s->speed : 0,
        .parabola = s->parabolic != 0,
    };
}

void foehn_flow_take_sides(foehn_flow *f)
{
    const foehn_flow_side *s = f->params.sides;
    f->sides =
        (flow_sides){side_of(&s[0], 1), side_of(&s[1], -1), side_of(&s[2], 1), side_of(&s[3], -1)};
    f->motion.wrap_x = s[FOEHN_FLOW_LEFT].kind == FOEHN_FLOW_PERIODIC;
    f->motion.wrap_y = s[FOEHN_FLOW_BOTTOM].kind == FOEHN_FLOW_PERIODIC;
    f->reference = (double)f->params.reference_speed;
    if (f->reference == 0)
        for (int i = 0; i < 4; i++)
            if (s[i].kind == FOEHN_FLOW_INFLOW || s[i].kind == FOEHN_FLOW_WALL)
                f->reference = fmax(f->reference, fabs((double)s[i].speed));
    if (f->reference == 0)
        f->reference = 1;
}

/* ---- create and destroy ---- */

static foehn_status create_kernels(foehn_flow *f)
{
    const double velocity = 2 * 4, ink = FLOW_CHANNELS * 4;
    const struct {
        const char *name;
        double bytes; /* that a cell must at least move, each field once */
        foehn_kernel *kernel;
    } table[] = {
        {"edges", 0, &f->kernel.edges},
        {"solids", 2 * velocity + 2, &f->kernel.solids},
        {"edges_ink", 0, &f->kernel.edges_ink},
        {"push", 2 * velocity + 1, &f->kernel.push},
        {"splat", 2 * velocity + 2 * ink + 1, &f->kernel.splat},
        {"advect_back", 4 * velocity + 1, &f->kernel.advect_back},
        {"advect_correct", 5 * velocity + 1, &f->kernel.advect_correct},
        {"viscosity", 4 * velocity + 8 + 1, &f->kernel.viscosity},
        {"divergence", velocity + 4 + 1, &f->kernel.divergence},
        {"project", 2 * velocity + 4 + 2, &f->kernel.project},
        {"exchange", 4 * 4, &f->kernel.exchange},
        {"ink_back", velocity + 4 * ink + 1, &f->kernel.ink_back},
        {"ink_correct", velocity + 5 * ink + 1, &f->kernel.ink_correct},
        {"rim", 0, &f->kernel.rim},
        {"particles", 16, &f->kernel.particles},
        {"row_speed", 0, &f->kernel.row_speed},
        {"publish", velocity + 4 + 8, &f->kernel.publish},
        {"publish_ink", ink + 8, &f->kernel.publish_ink},
    };
    const struct {
        const char *name;
        foehn_kernel *kernel;
    } wide[] = {
        {"advect_back_wide", &f->kernel.advect_back},
        {"advect_correct_wide", &f->kernel.advect_correct},
        {"viscosity_wide", &f->kernel.viscosity},
        {"ink_back_wide", &f->kernel.ink_back},
        {"ink_correct_wide", &f->kernel.ink_correct},
    };
    char options[96];
    snprintf(options, sizeof options, "%s%s%s", foehn_grid_options(&f->g),
             f->params.surface == FOEHN_FLOW_FRACTIONS ? " -DFOEHN_FLOW_FRACTIONS" : "",
             f->motion.wrap_x || f->motion.wrap_y ? " -DFOEHN_FLOW_RINGS" : "");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(f->ctx, &foehn_source_flow_flow, options, table[i].name,
                                table[i].bytes, table[i].kernel));
    /* A program of their own: with the others in it, PoCL 1.6 (LLVM 11) falls over it. */
    for (size_t i = 0; f->wide && i < sizeof wide / sizeof wide[0]; i++) {
        double bytes = FLOW_GROUP * wide[i].kernel->bytes;
        foehn_kernel_destroy(wide[i].kernel);
        TRY(foehn_kernel_create(f->ctx, &foehn_source_flow_sixteen, options, wide[i].name, bytes,
                                wide[i].kernel));
    }
    return FOEHN_OK;
}

static cl_mem *const *fields_of(foehn_flow *f, cl_mem *list[MOST_FIELDS],
                                size_t element[MOST_FIELDS], int *count)
{
    int n = 0;
    for (int k = 0; k < f->pairs; k++)
        for (int a = 0; a < 2; a++)
            element[n] = sizeof(float), list[n++] = &f->velocity[k][a];
    for (int k = 0; k < 4; k++)
        element[n] = sizeof(float), list[n++] = &f->range[k];
    cl_mem *inks[4] = {&f->ink, &f->ink_hat, &f->ink_low, &f->ink_high};
    for (int k = 0; k < 4; k++)
        element[n] = FLOW_CHANNELS * sizeof(float), list[n++] = inks[k];
    for (int k = 0; k < 4; k++)
        element[n] = sizeof(uint16_t), list[n++] = &f->link[k / 2][k % 2];
    if (f->pairs == FLOW_PAIRS)
        element[n] = sizeof(float), list[n++] = &f->second;
    element[n] = 1, list[n++] = &f->mask;
    element[n] = 1, list[n++] = &f->owner;
    *count = n;
    return list;
}

static int pairs_of(const foehn_flow_params *p)
{
    return p->splitting == FOEHN_FLOW_REFLECTION ? FLOW_PAIRS : FLOW_PAIRS - 1;
}

static uint64_t memory_of(const foehn_grid *g, int pairs, int particles)
{
    const uint64_t floats = 2 * (uint64_t)pairs + (pairs == FLOW_PAIRS) + 4;
    const uint64_t bytes = floats * 4 + 4 * FLOW_CHANNELS * 4 + 4 * 2 + 2;
    return foehn_grid_elements(g) * bytes + foehn_pressure_memory(g) + (uint64_t)particles * 8;
}

static foehn_status create_fields(foehn_flow *f)
{
    cl_mem *list[MOST_FIELDS];
    size_t element[MOST_FIELDS];
    int count;
    fields_of(f, list, element, &count);
    for (int n = 0; n < count; n++)
        TRY(foehn_field_create(f->ctx, &f->g, element[n], list[n]));
    TRY(foehn_buffer_create(f->ctx, ((size_t)f->g.ny + 1) * sizeof(float), &f->rows));
    TRY(foehn_buffer_create(f->ctx, foehn_flow_rim(&f->g) * sizeof(float), &f->rim));
    if (f->wide)
        TRY(foehn_buffer_create(f->ctx, f->surface.groups, &f->plain));
    for (int a = 0; a < 2 && f->params.particles > 0; a++)
        TRY(foehn_buffer_create(f->ctx, (size_t)f->params.particles * sizeof(float),
                                &f->particle[a]));
    foehn_side sides[6] = {FOEHN_SIDE_WALL, FOEHN_SIDE_WALL, FOEHN_SIDE_WALL,
                           FOEHN_SIDE_WALL, FOEHN_SIDE_WALL, FOEHN_SIDE_WALL};
    for (int i = 0; i < 4; i++)
        if (f->params.sides[i].kind == FOEHN_FLOW_OUTFLOW)
            sides[i] = FOEHN_SIDE_OPEN;
        else if (f->params.sides[i].kind == FOEHN_FLOW_PERIODIC)
            sides[i] = FOEHN_SIDE_PERIODIC;
        else if (f->params.sides[i].kind == FOEHN_FLOW_INFLOW)
            sides[i] = FOEHN_SIDE_INFLOW;
    return foehn_pressure_create(f->ctx, &f->g, sides, &f->pressure);
}

foehn_status foehn_flow_create(foehn_context *ctx, const foehn_flow_params *params,
                               foehn_flow **out)
{
    foehn_flow_params p;
    *out = NULL;
    TRY(take_params(params, &p));
    float h = p.height / (float)p.ny;
    foehn_grid g = foehn_grid_make(p.nx, p.ny, 1, h, h, h);
    char what[80];
    snprintf(what, sizeof what, "a flow of %d x %d cells", p.nx, p.ny);
    TRY(foehn_memory_check(ctx, what, memory_of(&g, pairs_of(&p), p.particles),
                           foehn_grid_elements(&g) * FLOW_CHANNELS * sizeof(float)));

    foehn_status status;
    foehn_flow *f = calloc(1, sizeof *f);
    if (!f)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_flow_create: no host memory");
    uint64_t before = ctx->memory;
    f->ctx = ctx;
    f->params = p;
    f->pairs = pairs_of(&p);
    f->g = g;
    f->h = (double)p.height / p.ny;
    f->plane = (cl_int)foehn_grid_elements(&g);
    foehn_flow_take_sides(f);
    f->wide = ctx->device.info.type != FOEHN_DEVICE_GPU && p.nx >= FLOW_GROUP &&
              !f->motion.wrap_x && !f->motion.wrap_y;
    TRY_OR_FAIL(foehn_surface_create(&g, &f->surface));
    TRY_OR_FAIL(create_fields(f));
    TRY_OR_FAIL(create_kernels(f));
    TRY_OR_FAIL(foehn_flow_restart(f));
    f->memory = ctx->memory - before;
    *out = f;
    return FOEHN_OK;
fail:
    foehn_flow_destroy(f);
    return status;
}

void foehn_flow_destroy(foehn_flow *f)
{
    if (!f)
        return;
    clFinish(f->ctx->queue);
    foehn_kernels_destroy(&f->kernel, sizeof f->kernel);
    cl_mem *list[MOST_FIELDS];
    size_t element[MOST_FIELDS];
    int count;
    fields_of(f, list, element, &count);
    for (int n = 0; n < count; n++)
        foehn_buffer_destroy(f->ctx, list[n]);
    foehn_buffer_destroy(f->ctx, &f->rows);
    foehn_buffer_destroy(f->ctx, &f->rim);
    foehn_buffer_destroy(f->ctx, &f->plain);
    foehn_buffer_destroy(f->ctx, &f->particle[0]);
    foehn_buffer_destroy(f->ctx, &f->particle[1]);
    foehn_pressure_destroy(f->pressure);
    foehn_surface_destroy(&f->surface);
    foehn_outlines_destroy(&f->outlines);
    free(f);
}

/* ---- start ---- */

/* The velocity that everything starts with: asked for, else of the inflow. */
static void start_velocity(const foehn_flow *f, float start[2])
{
    const flow_side *side[2][2] = {{&f->sides.x0, &f->sides.x1}, {&f->sides.y0, &f->sides.y1}};
    for (int a = 0; a < 2; a++) {
        start[a] = f->params.start[a];
        if (!isnan(start[a]))
            continue;
        start[a] = 0;
        for (int k = 0; k < 2; k++)
            if (side[a][k]->kind == FLOW_INFLOW && !side[a][k]->parabola)
                start[a] = side[a][k]->normal;
    }
}

foehn_status foehn_flow_restart(foehn_flow *f)
{
    cl_mem *list[MOST_FIELDS];
    size_t element[MOST_FIELDS];
    int count;
    fields_of(f, list, element, &count);
    f->now = 0;
    f->time = 0;
    f->step_count = 0;
    f->projected = 0;
    f->stir_count = 0;
    f->has_ink = false;
    f->things.stroke_count = 0;
    f->surface_is_stale = true;
    for (int n = 0; n < count; n++)
        TRY(foehn_buffer_clear(f->ctx, *list[n]));
    TRY(foehn_buffer_clear(f->ctx, foehn_pressure_field(f->pressure)));
    TRY(foehn_flow_refresh(f));
    float start[2];
    start_velocity(f, start);
    if (start[0] != 0 || start[1] != 0)
        TRY(LAUNCH(f->ctx, f->kernel.push, foehn_flow_faces(f), ARG(f->g), ARG(start[0]),
                   ARG(start[1]), ARG(f->mask), PAIR(f, f->now)));
    TRY(foehn_flow_edges(f, f->now, 0));
    return foehn_flow_particles(f, 1);
}

/* ---- set ---- */

foehn_status foehn_flow_set_terms(foehn_flow *f, int terms)
{
    if (terms < 0 || terms > FOEHN_FLOW_ALL_TERMS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "terms = %d: 0 to %d", terms, FOEHN_FLOW_ALL_TERMS);
    f->params.terms = terms;
    return FOEHN_OK;
}

int foehn_flow_get_terms(const foehn_flow *f)
{
    return f->params.terms;
}

foehn_status foehn_flow_set_viscosity(foehn_flow *f, float nu)
{
    if (!(nu >= 0 && isfinite(nu)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "viscosity = %g: must be >= 0", (double)nu);
    f->params.viscosity = nu;
    return FOEHN_OK;
}

foehn_status foehn_flow_set_force(foehn_flow *f, const float force[2])
{
    if (!isfinite(force[0]) || !isfinite(force[1]))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "force (%g, %g): must be finite", (double)force[0],
                          (double)force[1]);
    f->params.force[0] = force[0];
    f->params.force[1] = force[1];
    return FOEHN_OK;
}

foehn_status foehn_flow_set_side_speed(foehn_flow *f, foehn_flow_side_index side, float speed)
{
    if ((int)side < 0 || (int)side > 3)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "side %d: 0 to 3", (int)side);
    foehn_flow_side *s = &f->params.sides[side];
    if (s->kind != FOEHN_FLOW_WALL && s->kind != FOEHN_FLOW_INFLOW)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s side: only a wall or an inflow has a speed",
                          side_names[side]);
    if (!isfinite(speed) || (s->kind == FOEHN_FLOW_INFLOW && speed < 0))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s side: speed %g", side_names[side],
                          (double)speed);
    s->speed = speed;
    foehn_flow_take_sides(f);
    return foehn_flow_edges(f, f->now, 0);
}

void foehn_flow_get_info(const foehn_flow *f, foehn_flow_info *info)
{
    *info = (foehn_flow_info){
        .nx = f->g.nx,
        .ny = f->g.ny,
        .spacing = f->h,
        .extent = {f->g.nx * f->h, f->g.ny * f->h},
        .time = f->time,
        .step = f->step_count,
        .viscosity = (double)f->params.viscosity,
        .reference_speed = f->reference,
        .terms = f->params.terms,
        .cycles = f->cycles,
        .memory_bytes = f->memory,
    };
}
