/* SPDX-License-Identifier: MIT */
/* The wind: make it, step it. */
#include "wind/model.h"
#include "wind/rest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_wind_read;

static foehn_grid grid_of(const foehn_wind_params *p)
{
    return foehn_grid_make(p->nx, p->ny, p->nz, p->spacing_horizontal, p->spacing_vertical,
                           p->spacing_horizontal);
}

/* The row of the table of models for these parameters. */
static foehn_status find_model(const foehn_wind_params *p, const wind_model **model)
{
    *model = foehn_wind_model_of(p);
    if (*model)
        return FOEHN_OK;
    return foehn_fail(FOEHN_ERROR_ARGUMENT,
                      "model %d on scheme %d is not in this library (lib/wind/models.c)",
                      (int)p->model, (int)p->scheme);
}

foehn_status foehn_wind_params_get_memory(const foehn_wind_params *params, uint64_t *bytes)
{
    foehn_wind_params p;
    TRY(foehn_wind_take_params(params, &p));
    const wind_model *model;
    TRY(find_model(&p, &model));
    foehn_grid g = grid_of(&p);
    *bytes = model->memory(&p, &g);
    return FOEHN_OK;
}

/* ---- create and destroy ---- */

/* Which part of the box this is, where there are several; g becomes its window.  *part: NULL for
 * one. */
static foehn_status take_part(foehn_context *ctx, const foehn_wind_params *p,
                              const wind_model *model, foehn_grid *g, foehn_part **part)
{
    domain_plan plan;
    *part = NULL;
    if (!p->domain || foehn_domain_get_parts(p->domain) == 1)
        return FOEHN_OK;
    if (!model->in_parts)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the %s model is not cut into parts: take forcing, momentum or les",
                          model->name);
    if (p->sides != FOEHN_WIND_SIDES_OPEN)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a wind in %d parts needs open sides",
                          foehn_domain_get_parts(p->domain));
    TRY(foehn_pressure_plan(ctx, p->domain, g, &plan));
    TRY(foehn_part_create(ctx, p->domain, g, &plan, part));
    *g = foehn_part_window(*part, g);
    return FOEHN_OK;
}

static foehn_status create_kernels(foehn_wind *w)
{
    const struct {
        const char *name;
        double bytes; /* that a cell must at least move, each field once */
        foehn_kernel *kernel;
    } table[] = {
        {"wrap", 0, &w->kernel.wrap},
        {"average", 13 * 4, &w->kernel.average},
        {"average_products", 15 * 4, &w->kernel.average_products},
        {"points", 0, &w->kernel.points},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_read, foehn_grid_options(&w->g),
                                table[i].name, table[i].bytes, table[i].kernel));
    return FOEHN_OK;
}

static foehn_status create_fields(foehn_wind *w)
{
    for (int n = 0; n < 2; n++)
        for (int a = 0; a < 3; a++)
            TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &w->velocity[n][a]));
    TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &w->curl));
    TRY(w->model->create(w));
    foehn_wind_params p;
    return w->model->beside && w->model->beside(&w->params, &p)
               ? foehn_wind_create(w->ctx, &p, &w->beside)
               : FOEHN_OK;
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
    const wind_model *model;
    TRY(find_model(&p, &model));
    foehn_grid g = grid_of(&p);
    foehn_part *part;
    TRY(take_part(ctx, &p, model, &g, &part));
    char what[80];
    snprintf(what, sizeof what, "a wind of %d x %d x %d cells", p.nx, p.ny, p.nz);
    foehn_status status;
    foehn_wind *w = calloc(1, sizeof *w);
    if (!w) {
        foehn_part_destroy(part);
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_wind_create: no host memory");
    }
    uint64_t before = ctx->memory;
    w->ctx = ctx;
    w->params = p;
    w->g = g;
    w->part = part;
    w->model = model;
    TRY_OR_FAIL(foehn_memory_check(ctx, what, w->model->memory(&p, &g),
                                   foehn_grid_elements(&g) * sizeof(float)));
    foehn_wind_find_sides(&p, w->sides);
    memcpy(w->center, p.center, sizeof w->center);
    foehn_wind_wanted_origin(w, w->clock.origin);
    w->clock.state = p.state;
    w->clock.curl_amplitude =
        (double)p.noise_amplitude * (double)p.state.gustiness * (double)p.state.u10;
    seed_noise(w);
    foehn_gusts_init(&w->clock.gusts, p.seed);
    TRY_OR_FAIL(create_fields(w));
    if (w->model->get_march)
        TRY_OR_FAIL(foehn_rest_create(w));
    TRY_OR_FAIL(foehn_ground_create(&w->ground, ctx, &g, p.z0));
    TRY_OR_FAIL(create_kernels(w));
    TRY_OR_FAIL(foehn_wind_update_ground(w));
    const cl_int everything[3] = {g.whole_x, g.ny, g.whole_z};
    TRY_OR_FAIL(w->model->scroll(w, everything));
    w->shared = 0;
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
    foehn_wind_destroy(w->beside);
    w->model->destroy(w);
    foehn_rest_destroy(w);
    foehn_ground_destroy(&w->ground);
    foehn_part_destroy(w->part);
    for (int n = 0; n < 2; n++)
        for (int a = 0; a < 3; a++)
            foehn_buffer_destroy(w->ctx, &w->velocity[n][a]);
    foehn_buffer_destroy(w->ctx, &w->curl);
    foehn_buffer_destroy(w->ctx, &w->halves);
    for (int i = 0; i < WIND_MEANS; i++)
        foehn_buffer_destroy(w->ctx, &w->means[i]);
    free((float *)w->map.u);
    free((float *)w->canopy.height);
    free(w);
}

/* ---- step ---- */

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

/* A step; the volume is written by the projection where that can publish, else after it: always
 * after it in a domain, where last bits must not depend on the number of parts. */
static foehn_status step(foehn_wind *w, float dt, bool publishes, foehn_volume *volume)
{
    TRY(foehn_wind_follow_center(w));
    w->model->advance(w, (double)dt);
    TRY(w->model->predict(w, dt)); /* all up to lap p = div u */
    if (publishes && !w->params.domain && w->model->fuses && w->model->fuses(w)) {
        TRY(foehn_wind_publish(w, volume, w->model->project_publish)); /* u <- u - grad p */
    } else {
        TRY(w->model->project(w)); /* u <- u - grad p */
        w->shared = 0;
        if (publishes)
            TRY(foehn_wind_publish(w, volume, w->model->publish));
    }
    return foehn_wind_average(w);
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
    return step(w, dt, false, NULL);
}

foehn_status foehn_wind_step_and_write_volume(foehn_wind *w, float dt, foehn_volume *volume)
{
    TRY(check_step("foehn_wind_step_and_write_volume", dt));
    TRY(foehn_wind_check_volume(w, volume));
    return step(w, dt, true, volume);
}

foehn_status foehn_wind_solve(foehn_wind *w, double reduction, int most,
                              foehn_wind_solution *solution)
{
    memset(solution, 0, sizeof *solution);
    if (!w->model->solve)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_wind_solve needs the staggered scheme");
    if (!(reduction > 0 && reduction < 1) || most < 1)
        return foehn_fail(
            FOEHN_ERROR_ARGUMENT,
            "foehn_wind_solve: reduction %g in %d cycles: more than 0 and less than 1, "
            "and at least 1",
            reduction, most);
    TRY(foehn_wind_follow_center(w));
    TRY(w->model->solve(w, reduction, most, solution));
    w->shared = 0;
    return FOEHN_OK;
}
