/* SPDX-License-Identifier: MIT */
/* The collocated scheme: velocity and pressure at cell centres, solid cells, sweeps of Jacobi.  It
 * is the source's own method, and the yardstick of the others. */
#include "wind/collocated.h"

#include <math.h>
#include <stdlib.h>

extern const foehn_source foehn_source_wind_collocated;

static bool takes(const foehn_wind_params *p)
{
    return p->scheme == FOEHN_WIND_COLLOCATED;
}

static uint64_t memory(const foehn_wind_params *p, const foehn_grid *g)
{
    uint64_t cells = foehn_grid_elements(g);
    uint64_t columns = foehn_grid_columns(g);
    (void)p;
    /* velocity twice, pressure twice, divergence, curl; open and wall; ground at middles and
     * corners, its roughness */
    return cells * (10 * sizeof(float) + 2) + 3 * columns * sizeof(float);
}

static foehn_status create_kernels(foehn_wind *w, wind_collocated *s)
{
    const struct {
        const char *name;
        double bytes; /* that a cell must at least move, each field once */
        foehn_kernel *kernel;
    } table[] = {
        {"faces", 2, &s->kernel.faces},
        {"force", 6 * 4 + 4 + 1, &s->kernel.force},
        {"advect", 6 * 4 + 1, &s->kernel.advect},
        {"divergence", 4 * 4 + 2, &s->kernel.divergence},
        {"divergence_sweep", 6 * 4 + 2, &s->kernel.divergence_sweep},
        {"sweep", 3 * 4 + 1, &s->kernel.sweep},
        {"sweep_flat", 3 * 4, &s->kernel.sweep_flat},
        {"project", 7 * 4 + 1, &s->kernel.project},
        {"residual", 2 * 4 + 1, &s->kernel.residual},
        {"scroll", 8 * 4, &s->kernel.scroll},
        {"publish", 4 * 4 + 8, &s->kernel.publish},
        {"project_publish", 8 * 4 + 1 + 8, &s->kernel.project_publish},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_collocated, foehn_grid_options(&w->g),
                                table[i].name, table[i].bytes, table[i].kernel));
    return FOEHN_OK;
}

static foehn_status create(foehn_wind *w)
{
    wind_collocated *s = w->own = calloc(1, sizeof *s);
    if (!s)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for the collocated scheme");
    s->stencil.wx = 1 / (w->g.hx * w->g.hx);
    s->stencil.wy = 1 / (w->g.hy * w->g.hy);
    s->stencil.wz = 1 / (w->g.hz * w->g.hz);
    s->stencil.inverse = 0.5f / (s->stencil.wx + s->stencil.wy + s->stencil.wz);
    TRY(foehn_field_create(w->ctx, &w->g, 1, &s->open));
    TRY(foehn_field_create(w->ctx, &w->g, 1, &s->wall));
    for (int n = 0; n < 2; n++)
        TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &s->pressure[n]));
    TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &s->divergence));
    return create_kernels(w, s);
}

static void destroy(foehn_wind *w)
{
    wind_collocated *s = w->own;
    if (!s)
        return;
    foehn_kernels_destroy(&s->kernel, sizeof s->kernel);
    for (int n = 0; n < 2; n++) {
        foehn_buffer_destroy(w->ctx, &s->pressure[n]);
        foehn_buffer_destroy(w->ctx, &s->rows[n]);
    }
    foehn_buffer_destroy(w->ctx, &s->open);
    foehn_buffer_destroy(w->ctx, &s->wall);
    foehn_buffer_destroy(w->ctx, &s->divergence);
    free(s);
    w->own = NULL;
}

static foehn_status update_ground(foehn_wind *w)
{
    wind_collocated *s = w->own;
    double origin[3];
    foehn_wind_origin(w, origin);
    const float floor_y = (float)origin[1];
    const cl_int periodic = foehn_wind_is_periodic(w);
    return LAUNCH(w->ctx, s->kernel.faces, foehn_wind_cells(w), ARG(w->g), ARG(floor_y),
                  ARG(periodic), ARG(w->ground.ground), ARG(s->open), ARG(s->wall));
}

static foehn_status scroll(foehn_wind *w, const cl_int shift[3])
{
    wind_collocated *s = w->own;
    wind_forcing f = foehn_wind_forcing(w, 0);
    TRY(LAUNCH(w->ctx, s->kernel.scroll, foehn_wind_cells(w), ARG(w->g), ARG(f), ARG(shift[0]),
               ARG(shift[1]), ARG(shift[2]), ARG(w->ground.ground), ARG(s->open),
               VELOCITY(w, w->now), ARG(s->pressure[s->now_p]), VELOCITY(w, 1 - w->now),
               ARG(s->pressure[1 - s->now_p])));
    w->now = 1 - w->now;
    s->now_p = 1 - s->now_p;
    return foehn_wind_wrap(w, s->pressure[s->now_p]); /* velocity is wrapped after the force */
}

/* ---- a step ---- */

static foehn_status wrap_velocity(foehn_wind *w)
{
    for (int a = 0; a < 3; a++)
        TRY(foehn_wind_wrap(w, w->velocity[w->now][a]));
    return FOEHN_OK;
}

static foehn_status force(foehn_wind *w, float dt)
{
    wind_collocated *s = w->own;
    wind_forcing f = foehn_wind_forcing(w, dt);
    TRY(LAUNCH(w->ctx, s->kernel.force, foehn_wind_cells(w), ARG(w->g), ARG(f),
               ARG(w->ground.ground), ARG(s->open), VELOCITY(w, w->now), ARG(w->curl)));
    return wrap_velocity(w);
}

static foehn_status advect(foehn_wind *w, float dt)
{
    wind_collocated *s = w->own;
    cl_int wraps = foehn_wind_is_periodic(w);
    TRY(LAUNCH(w->ctx, s->kernel.advect, foehn_wind_cells(w), ARG(w->g), ARG(dt), ARG(wraps),
               ARG(s->open), VELOCITY(w, w->now), VELOCITY(w, 1 - w->now)));
    w->now = 1 - w->now;
    return wrap_velocity(w);
}

static foehn_status divergence(foehn_wind *w, cl_mem *out)
{
    wind_collocated *s = w->own;
    *out = s->divergence;
    TRY(wrap_velocity(w));
    return LAUNCH(w->ctx, s->kernel.divergence, foehn_wind_cells(w), ARG(w->g), ARG(s->open),
                  ARG(s->wall), VELOCITY(w, w->now), ARG(s->divergence));
}

/* rows[which] <- squared residual of the current pressure, by row. */
static foehn_status residual_rows(foehn_wind *w, int which)
{
    wind_collocated *s = w->own;
    foehn_size size = {(size_t)w->g.ny, (size_t)w->g.nz, 1};
    return LAUNCH(w->ctx, s->kernel.residual, size, ARG(w->g), ARG(s->stencil), ARG(s->open),
                  ARG(s->divergence), ARG(s->pressure[s->now_p]), ARG(s->rows[which]));
}

/* lap p = div u, from the last step's pressure, by a fixed number of sweeps. */
static foehn_status solve_pressure(foehn_wind *w)
{
    wind_collocated *s = w->own;
    cl_int wraps = foehn_wind_is_periodic(w);
    if (s->rows[0]) {
        cl_mem unused;
        TRY(divergence(w, &unused));
        TRY(residual_rows(w, 0));
    }
    for (int sweep = 0; sweep < w->params.sweeps; sweep++) {
        cl_mem p = s->pressure[s->now_p], next = s->pressure[1 - s->now_p];
        if (sweep == 0)
            TRY(LAUNCH(w->ctx, s->kernel.divergence_sweep, foehn_wind_cells(w), ARG(w->g),
                       ARG(s->stencil), ARG(s->open), ARG(s->wall), VELOCITY(w, w->now),
                       ARG(s->divergence), ARG(p), ARG(next)));
        else if (foehn_wind_has_solids(w))
            TRY(LAUNCH(w->ctx, s->kernel.sweep, foehn_wind_cells(w), ARG(w->g), ARG(s->stencil),
                       ARG(s->open), ARG(s->divergence), ARG(p), ARG(next)));
        else
            TRY(LAUNCH(w->ctx, s->kernel.sweep_flat, foehn_wind_cells(w), ARG(w->g),
                       ARG(s->stencil), ARG(wraps), ARG(s->divergence), ARG(p), ARG(next)));
        s->now_p = 1 - s->now_p;
        TRY(foehn_wind_wrap(w, s->pressure[s->now_p]));
    }
    if (s->rows[1])
        TRY(residual_rows(w, 1));
    w->measured = s->rows[1] != NULL;
    return FOEHN_OK;
}

static foehn_status predict(foehn_wind *w, float dt)
{
    TRY(force(w, dt));        /* u <- u + (1 - exp(-r dt)) (u_target - u) */
    TRY(advect(w, dt));       /* u <- u(x - u dt), 0 in solids            */
    return solve_pressure(w); /* lap p = div u                            */
}

static foehn_status project(foehn_wind *w)
{
    wind_collocated *s = w->own;
    return LAUNCH(w->ctx, s->kernel.project, foehn_wind_cells(w), ARG(w->g),
                  ARG(w->params.max_speed), ARG(s->open), ARG(s->pressure[s->now_p]),
                  VELOCITY(w, w->now));
}

/* ---- what it shows ---- */

static foehn_status publish(foehn_wind *w, const cl_int first[3], cl_mem slot)
{
    wind_collocated *s = w->own;
    return LAUNCH(w->ctx, s->kernel.publish, foehn_wind_cells(w), ARG(w->g), ARG(first[0]),
                  ARG(first[1]), ARG(first[2]), VELOCITY(w, w->now), ARG(w->curl), ARG(slot));
}

/* CPUs lose by it: they do not vectorise past the stores of halves. */
static bool fuses(const foehn_wind *w)
{
    return w->ctx->device.info.type == FOEHN_DEVICE_GPU;
}

static foehn_status project_publish(foehn_wind *w, const cl_int first[3], cl_mem slot)
{
    wind_collocated *s = w->own;
    return LAUNCH(w->ctx, s->kernel.project_publish, foehn_wind_cells(w), ARG(w->g),
                  ARG(w->params.max_speed), ARG(first[0]), ARG(first[1]), ARG(first[2]),
                  ARG(s->open), ARG(s->pressure[s->now_p]), ARG(w->curl), VELOCITY(w, w->now),
                  ARG(slot));
}

static foehn_status centers(foehn_wind *w, cl_mem velocity[3])
{
    memcpy(velocity, w->velocity[w->now], 3 * sizeof *velocity);
    return FOEHN_OK;
}

static foehn_status write_velocity(foehn_wind *w, int axis, const float *in)
{
    cl_mem field = w->velocity[w->now][axis];
    TRY(foehn_box_write(w->ctx, field, foehn_grid_box(&w->g, sizeof(float)), in));
    return foehn_wind_wrap(w, field);
}

static cl_mem pressure(const foehn_wind *w)
{
    wind_collocated *s = w->own;
    return s->pressure[s->now_p];
}

static foehn_status measure(foehn_wind *w, bool on)
{
    wind_collocated *s = w->own;
    for (int i = 0; i < 2; i++) {
        foehn_buffer_destroy(w->ctx, &s->rows[i]);
        if (on)
            TRY(foehn_buffer_create(w->ctx, (size_t)w->g.ny * (size_t)w->g.nz * sizeof(float),
                                    &s->rows[i]));
    }
    return FOEHN_OK;
}

static foehn_status residual(foehn_wind *w, double *ratio)
{
    wind_collocated *s = w->own;
    size_t count = (size_t)w->g.ny * (size_t)w->g.nz;
    double sums[2] = {0, 0};
    float *rows = malloc(count * sizeof *rows);
    if (!rows)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu rows", count);
    foehn_status status = FOEHN_OK;
    for (int n = 0; n < 2 && status == FOEHN_OK; n++) {
        status = foehn_buffer_read(w->ctx, s->rows[n], 0, count * sizeof *rows, rows);
        for (size_t i = 0; status == FOEHN_OK && i < count; i++)
            sums[n] += (double)rows[i];
    }
    free(rows);
    *ratio = sums[0] > 0 ? sqrt(sums[1] / sums[0]) : 0;
    return status;
}

const wind_model foehn_model_collocated = {
    .name = "collocated",
    .takes = takes,
    .memory = memory,
    .create = create,
    .destroy = destroy,
    .update_ground = update_ground,
    .scroll = scroll,
    .advance = foehn_wind_advance_clock,
    .predict = predict,
    .project = project,
    .publish = publish,
    .fuses = fuses,
    .project_publish = project_publish,
    .divergence = divergence,
    .centers = centers,
    .write_velocity = write_velocity,
    .pressure = pressure,
    .measure = measure,
    .residual = residual,
};
