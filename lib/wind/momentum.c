/* SPDX-License-Identifier: MIT */
/* The momentum model: what its steps begin with, and their passes. */
#include "wind/momentum.h"
#include "wind/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_wind_momentum, foehn_source_wind_momentum_ground,
    foehn_source_wind_turbulence, foehn_source_wind_tridiagonal;

/* Of neighbours' cells: what a step reads; and of what it makes on the way, what is read of the
 * eddies' viscosity and of the wall's stress, and of faces, whose upper ones are a neighbour's. */
enum { LAYERS_TO_STEP = 4, LAYERS_OF_VISCOSITY = 2, LAYERS_OF_FACES = 1 };
enum { FIRST_CYCLES = 8 }; /* of the pressure, when the undisturbed column meets the ground */
#define HARD                                                                                       \
    1e-3 /* of the first residual that those cycles leave: shafts of a cell or two, which a        \
            cycle alone may blow up from step to step */
#define HARD_LEAST 1e-5 /* of the wind over a cell: less is rounding */

static struct foehn_momentum *own(const foehn_wind *w)
{
    return w->own;
}

/* ---- create ---- */

static uint64_t memory(const foehn_wind_params *p, const foehn_grid *g)
{
    return foehn_staggered_memory(p, g) + foehn_grid_elements(g) * (7 * sizeof(float) + 3) +
           (COLUMN_PLANES + WALL_PLANES) * foehn_grid_columns(g) * sizeof(float);
}

static foehn_status create(foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    struct foehn_momentum *n = w->own = calloc(1, sizeof *n);
    if (!n)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_wind_create: no host memory");
    const double row = foehn_momentum_lanes(w),
                 column = row * w->g.ny; /* cells that an item takes */
    const momentum_kernel rows[] = {
        {&foehn_source_wind_momentum_ground, "undisturbed", 5 * 4, &n->kernel.undisturbed},
        {&foehn_source_wind_momentum_ground, "turn", 11 * 4 + 2, &n->kernel.turn},
        {&foehn_source_wind_momentum, "choose_step", 0, &n->kernel.choose_step},
        {&foehn_source_wind_momentum, "predict_x", row * (8 * 4 + 3), &n->kernel.predict[0]},
        {&foehn_source_wind_momentum, "predict_y", row * (8 * 4 + 3), &n->kernel.predict[1]},
        {&foehn_source_wind_momentum, "predict_z", row * (8 * 4 + 3), &n->kernel.predict[2]},
        {&foehn_source_wind_momentum, "correct", 9 * 4 + 3, &n->kernel.correct},
        {&foehn_source_wind_momentum_ground, "turbulence_points", 0, &n->kernel.turbulence_points},
        {&foehn_source_wind_turbulence, "viscosity", row * (7 * 4 + 3), &n->kernel.viscosity},
        {&foehn_source_wind_turbulence, "turbulence", row * (11 * 4 + 3), &n->kernel.turbulence},
        {&foehn_source_wind_turbulence, "fluctuation", 2 * 4, &n->kernel.fluctuation},
        {&foehn_source_wind_tridiagonal, "solve_velocity", column * (6 * 4 + 2),
         &n->kernel.solve_velocity},
        {&foehn_source_wind_tridiagonal, "solve_scalars", column * (6 * 4 + 3),
         &n->kernel.solve_scalars},
    };
    TRY(foehn_staggered_create(w));
    TRY(foehn_momentum_create_ground(w));
    for (int i = 0; i < 2; i++) {
        TRY(foehn_field_create(w->ctx, g, sizeof(float), &n->k[i]));
        TRY(foehn_field_create(w->ctx, g, sizeof(float), &n->eps[i]));
    }
    TRY(foehn_field_create(w->ctx, g, sizeof(float), &n->nu));
    TRY(foehn_field_create(w->ctx, g, sizeof(float), &n->slip));
    TRY(foehn_buffer_create(w->ctx, 4 * sizeof(float), &n->clock));
    TRY(foehn_buffer_create(w->ctx, 4 * sizeof(float), &n->trial));
    return foehn_momentum_create_kernels(w, sizeof rows / sizeof rows[0], rows);
}

void foehn_momentum_destroy(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    foehn_staggered_destroy(w);
    if (!n)
        return;
    foehn_kernels_destroy(&n->kernel, sizeof n->kernel);
    for (int a = 0; a < 3; a++)
        foehn_buffer_destroy(w->ctx, &n->open[a]);
    cl_mem *rest[] = {&n->k[0], &n->k[1],    &n->eps[0], &n->eps[1], &n->p,     &n->nu,
                      &n->slip, &n->columns, &n->walls,  &n->clock,  &n->trial, &n->canopy};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        foehn_buffer_destroy(w->ctx, rest[i]);
    free(n);
    w->own = NULL;
}

/* ---- the field over the ground ---- */

/* The ground has changed: at the next step the field starts from what it was over the old one. */
static foehn_status update_ground(foehn_wind *w)
{
    own(w)->started = false;
    return FOEHN_OK;
}

/* Make the current velocity divergence free.  keep: its pressure acts on in the next step.  stats:
 * NULL, or how far it came, which waits. */
static foehn_status make_consistent(foehn_wind *w, cl_int keep, foehn_pressure_stop stop,
                                    foehn_pressure_stats *stats)
{
    struct foehn_momentum *n = own(w);
    cl_mem rhs;
    TRY(foehn_momentum_divergence(w, &rhs));
    TRY(foehn_pressure_clear(w->solver));
    TRY(foehn_pressure_solve(w->solver, stop, stats));
    TRY(foehn_pressure_reach(w->solver, 1));
    cl_mem psi = foehn_pressure_field(w->solver);
    return LAUNCH_ITEMS(w->ctx, n->kernel.correct, foehn_wind_own_faces(w, LAYERS_OF_FACES),
                        ARG(n->m), ARG(keep), ARG(n->clock), SOLVER_OPEN(w), ARG(psi),
                        VELOCITY(w, w->now), ARG(n->p));
}

/* The same for a field that is not of these faces, which tells how a step has to solve. */
static foehn_status make_first_consistent(foehn_wind *w)
{
    const double over_a_cell = (double)w->clock.state.u10 / (double)w->g.hx;
    foehn_pressure_stats stats;
    TRY(make_consistent(w, 0, (foehn_pressure_stop){FOEHN_PRESSURE_MULTIGRID, FIRST_CYCLES, 0},
                        &stats));
    const bool is_hard =
        !(stats.residual_last < fmax(HARD * stats.residual_first, HARD_LEAST * over_a_cell));
    own(w)->method = is_hard ? FOEHN_PRESSURE_MGCG : FOEHN_PRESSURE_MULTIGRID;
    return FOEHN_OK;
}

/* The undisturbed column everywhere, beyond the sides as well, in one of the two fields. */
static foehn_status fill_undisturbed(foehn_wind *w, int i)
{
    struct foehn_momentum *n = own(w);
    foehn_size padded = foehn_grid_padded(&w->g);
    padded.y--; /* not the floor's ghosts */
    return LAUNCH(w->ctx, n->kernel.undisturbed, padded, ARG(n->m), ARG(n->columns), VELOCITY(w, i),
                  ARG(n->k[i]), ARG(n->eps[i]));
}

/* The field as it was, turned by an angle and grown with the wind. */
static foehn_status turn(foehn_wind *w, double cosine, double sine)
{
    struct foehn_momentum *n = own(w);
    const cl_float c = (cl_float)cosine, s = (cl_float)sine;
    const cl_float grow = w->clock.state.u10 / n->state.u10;
    const int now = w->now, then = 1 - now;
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    TRY(fill_undisturbed(w, then));
    TRY(LAUNCH(w->ctx, n->kernel.turn, foehn_wind_cells(w), ARG(n->m), ARG(c), ARG(s), ARG(grow),
               OPEN(n), VELOCITY(w, now), ARG(n->k[now]), ARG(n->eps[now]), VELOCITY(w, then),
               ARG(n->k[then]), ARG(n->eps[then]), ARG(n->p)));
    w->now = then;
    return fill_undisturbed(w, now);
}

/* What the steps begin with: the undisturbed column everywhere, or what stood here for another
 * wind.  Over a hill that is half as far from rest after a turn by 10 degrees, and farther after
 * one by 30. */
static foehn_status fill(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    const double most = cos(15 * M_PI / 180);
    double old_x, old_z, new_x, new_z;
    foehn_wind_toward(n->state.from, &old_x, &old_z);
    foehn_wind_toward(w->clock.state.from, &new_x, &new_z);
    const double cosine = old_x * new_x + old_z * new_z, sine = old_x * new_z - old_z * new_x;
    if (n->settled && n->state.u10 > 0 && w->clock.state.u10 > 0 && cosine > most)
        return turn(w, cosine, sine);
    for (int i = 0; i < 2; i++)
        TRY(fill_undisturbed(w, i));
    return foehn_buffer_clear(w->ctx, n->p);
}

/* What trees drag, at cells. */
static foehn_status fill_canopy(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    const size_t count = foehn_grid_columns(&w->g);
    if (!w->canopy.height)
        return FOEHN_OK;
    if (!n->canopy)
        TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &n->canopy));
    float *ground = malloc(count * sizeof *ground);
    if (!ground)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu columns", count);
    foehn_status status =
        foehn_buffer_read(w->ctx, n->columns, (AT_CELLS + GROUND) * count * sizeof *ground,
                          count * sizeof *ground, ground);
    if (status == FOEHN_OK)
        status = foehn_wind_fill_canopy(w, ground, n->canopy);
    free(ground);
    return status;
}

/* The field before the first step, made free of divergence. */
static foehn_status start(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    TRY(foehn_momentum_find_ground(w));
    TRY(fill_canopy(w));
    TRY(fill(w));
    TRY(foehn_buffer_clear(w->ctx, n->clock));
    TRY(make_first_consistent(w));
    n->state = w->clock.state;
    n->started = n->settled = true;
    w->shared = 0;
    return FOEHN_OK;
}

static foehn_status begin(foehn_wind *w)
{
    TRY(foehn_wind_follow_center(w));
    return own(w)->started ? FOEHN_OK : start(w);
}

/* ---- step ---- */

/* What this part's columns allow, on `clock`. */
static foehn_status choose_own_step(foehn_wind *w, float longest, cl_mem clock)
{
    struct foehn_momentum *n = own(w);
    foehn_size group = foehn_fitting_group(
        &n->kernel.choose_step, (foehn_size){foehn_tuned(w->ctx)->worst_in_columns, 1, 1});
    return LAUNCH_LOCAL(w->ctx, n->kernel.choose_step, group, group, ARG(n->m), ARG(longest),
                        ARG(n->walls), ARG(clock), LOCAL_ARG(group.x * sizeof(float)));
}

/* The shortest of all parts' steps. */
static foehn_status choose_step(foehn_wind *w, float longest)
{
    struct foehn_momentum *n = own(w);
    if (w->part) {
        float step;
        TRY(choose_own_step(w, longest, n->trial));
        TRY(foehn_buffer_read(w->ctx, n->trial, 0, sizeof step, &step));
        double most = -(double)step;
        TRY(foehn_domain_max(w->part->domain, &most));
        longest = (float)-most;
    }
    return choose_own_step(w, longest, n->clock);
}

static foehn_status find_viscosity(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    const foehn_items y_faces = foehn_momentum_own(w, LAYERS_OF_VISCOSITY, (size_t)w->g.nx,
                                                   (size_t)w->g.ny + 1, (size_t)w->g.nz);
    cl_mem *u = w->velocity[w->now];
    return LAUNCH_ITEMS(w->ctx, n->kernel.viscosity, y_faces, ARG(n->m), ARG(n->columns), OPEN(n),
                        ARG(u[0]), ARG(u[1]), ARG(u[2]), ARG(n->k[w->now]), ARG(n->eps[w->now]),
                        ARG(n->nu), ARG(n->slip));
}

/* Without trees a kernel is handed another field, which it does not look at. */
static cl_mem trees_of(const struct foehn_momentum *n)
{
    return n->m.canopy ? n->canopy : n->p;
}

static foehn_status step_turbulence(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    cl_mem *u = w->velocity[w->now], k = n->k[w->now], eps = n->eps[w->now];
    cl_mem new_k = n->k[1 - w->now], new_eps = n->eps[1 - w->now];
    const cl_mem trees = trees_of(n);
    cl_mem extra_k = foehn_pressure_field(w->solver),
           extra_eps = foehn_pressure_residual(w->solver);
    const size_t nx = (size_t)w->g.nx, ny = (size_t)w->g.ny, nz = (size_t)w->g.nz;
    TRY(LAUNCH_ITEMS(w->ctx, n->kernel.turbulence, foehn_momentum_own(w, 0, nx, ny, nz), ARG(n->m),
                     ARG(n->clock), ARG(n->columns), ARG(n->walls), OPEN(n), ARG(u[0]), ARG(u[1]),
                     ARG(u[2]), ARG(n->nu), ARG(n->slip), ARG(trees), ARG(k), ARG(eps), ARG(new_k),
                     ARG(new_eps), ARG(extra_k), ARG(extra_eps)));
    return LAUNCH_ITEMS(w->ctx, n->kernel.solve_scalars,
                        foehn_momentum_columns(w, 0, nx, nz, n->m.closes ? 2 : 1), ARG(n->m),
                        ARG(n->clock), ARG(n->columns), OPEN(n), ARG(n->nu), ARG(n->slip),
                        ARG(new_k), ARG(new_eps), ARG(extra_k), ARG(extra_eps));
}

static foehn_status step_velocity(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    cl_mem *u = w->velocity[w->now], *new = w->velocity[1 - w->now];
    /* The solver's buffers are free until it is called, and so is that of the published
     * fluctuation.  Faces of upper sides lie in ghosts, which the solution's buffers must keep at
     * 0. */
    cl_mem extra[3] = {foehn_pressure_rhs(w->solver), foehn_pressure_residual(w->solver), w->curl};
    const size_t nx = (size_t)w->g.nx, ny = (size_t)w->g.ny, nz = (size_t)w->g.nz;
    const cl_mem trees = trees_of(n);
    for (int a = 0; a < 3; a++) {
        const foehn_items own =
            foehn_momentum_own(w, LAYERS_OF_FACES, nx + (a == 0), ny, nz + (a == 2));
        TRY(LAUNCH_ITEMS(w->ctx, n->kernel.predict[a], own, ARG(n->m), ARG(n->clock),
                         ARG(n->columns), ARG(n->walls), OPEN(n), ARG(u[0]), ARG(u[1]), ARG(u[2]),
                         ARG(n->p), ARG(n->nu), ARG(n->slip), ARG(trees), ARG(new[a]),
                         ARG(extra[a])));
    }
    return LAUNCH_ITEMS(w->ctx, n->kernel.solve_velocity,
                        foehn_momentum_columns(w, LAYERS_OF_FACES, nx + 1, nz + 1, 3), ARG(n->m),
                        ARG(n->clock), ARG(n->columns), OPEN(n), ARG(n->nu), ARG(n->slip),
                        ARG(new[0]), ARG(new[1]), ARG(new[2]), ARG(extra[0]), ARG(extra[1]),
                        ARG(extra[2]));
}

static foehn_status predict(foehn_wind *w, float dt)
{
    struct foehn_momentum *n = own(w);
    if (!n->started || !foehn_wind_same_mean(&n->state, &w->clock.state))
        TRY(start(w));
    TRY(foehn_wind_share(w, LAYERS_TO_STEP));
    TRY(foehn_momentum_find_stress(w));
    TRY(choose_step(w, dt));
    TRY(find_viscosity(w));
    TRY(step_turbulence(w));
    TRY(step_velocity(w));
    w->now = 1 - w->now;
    return FOEHN_OK;
}

static foehn_status project(foehn_wind *w)
{
    return make_consistent(w, 1, (foehn_pressure_stop){own(w)->method, 1, 0}, NULL);
}

/* ---- reading ---- */

static int fields(const foehn_wind *w, wind_field *fields)
{
    const struct foehn_momentum *n = own(w);
    fields[0] = (wind_field){FOEHN_WIND_K, n->k[w->now], false, false, NULL};
    fields[1] = (wind_field){FOEHN_WIND_DISSIPATION, n->eps[w->now], false, false, NULL};
    return 2;
}

static int shared(const foehn_wind *w, cl_mem *fields)
{
    const struct foehn_momentum *n = own(w);
    fields[0] = n->k[w->now];
    fields[1] = n->eps[w->now];
    fields[2] = n->p;
    return 3;
}

static foehn_status points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out)
{
    struct foehn_momentum *n = own(w);
    TRY(begin(w));
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    const cl_float law_to = 0; /* k and eps know of the ground in all cells */
    foehn_size size = {(size_t)count, 1, 1}, local = {TUNED_POINTS, 1, 1};
    return LAUNCH_LOCAL(w->ctx, n->kernel.points, size, local, ARG(n->m), ARG(law_to), ARG(count),
                        ARG(places), ARG(n->columns), VELOCITY(w, w->now), ARG(n->k[w->now]),
                        ARG(out));
}

/* sqrt(2/3 k), which readers divide by the speed, where other models keep their noise. */
static foehn_status prepare(foehn_wind *w)
{
    struct foehn_momentum *n = own(w);
    TRY(begin(w));
    return LAUNCH(w->ctx, n->kernel.fluctuation, foehn_wind_cells(w), ARG(w->g), ARG(n->k[w->now]),
                  ARG(w->curl));
}

static foehn_status progress(foehn_wind *w, foehn_wind_progress *progress)
{
    float clock[2];
    TRY(begin(w));
    TRY(foehn_buffer_read(w->ctx, own(w)->clock, 0, sizeof clock, clock));
    progress->dt = (double)clock[0];
    progress->time = (double)clock[1];
    return foehn_momentum_find_flush(w, progress);
}

static foehn_status viscosity(foehn_wind *w, cl_mem *faces)
{
    TRY(begin(w));
    *faces = own(w)->nu;
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    return find_viscosity(w);
}

static foehn_status turbulence_points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out)
{
    struct foehn_momentum *n = own(w);
    cl_mem nu;
    TRY(viscosity(w, &nu));
    foehn_size size = {(size_t)count, 1, 1}, local = {TUNED_POINTS, 1, 1};
    return LAUNCH_LOCAL(w->ctx, n->kernel.turbulence_points, size, local, ARG(n->m), ARG(count),
                        ARG(places), ARG(n->columns), ARG(n->k[w->now]), ARG(nu), ARG(out));
}

static foehn_status stress(foehn_wind *w, float *out)
{
    TRY(begin(w));
    TRY(foehn_wind_share(w, LAYERS_TO_READ));
    TRY(foehn_momentum_find_stress(w));
    return foehn_momentum_read_stress(w, out);
}

static foehn_status get_march(foehn_wind *w, wind_march *march)
{
    const struct foehn_momentum *n = own(w);
    float clock[2];
    TRY(begin(w));
    TRY(foehn_buffer_read(w->ctx, n->clock, 0, sizeof clock, clock));
    *march = (wind_march){clock[0], clock[1], n->state};
    return FOEHN_OK;
}

/* Which sides are open and what their ghosts hold follows from the state. */
static foehn_status set_march(foehn_wind *w, const wind_march *march)
{
    const foehn_wind_state now = w->clock.state;
    const float clock[2] = {march->dt, march->time};
    TRY(foehn_wind_refresh_ground(w));
    own(w)->settled = false; /* nothing is left of what was here */
    w->clock.state = march->state;
    foehn_status status = start(w);
    w->clock.state = now;
    TRY(status);
    return foehn_buffer_write(w->ctx, own(w)->clock, 0, sizeof clock, clock);
}

/* ---- the model ---- */

static bool takes(const foehn_wind_params *p)
{
    return p->model == FOEHN_WIND_MOMENTUM;
}

static foehn_status scroll(foehn_wind *w, const cl_int shift[3])
{
    (void)shift;
    own(w)->settled = false;
    return update_ground(w);
}

/* Pseudo-time is kept on the device, which chooses the steps. */
static void advance(foehn_wind *w, double dt)
{
    (void)dt;
    w->clock.step++;
}

static foehn_status centers(foehn_wind *w, cl_mem velocity[3])
{
    TRY(begin(w));
    return foehn_staggered_centers(w, velocity);
}

static cl_mem pressure(const foehn_wind *w)
{
    return own(w)->p;
}

const wind_model foehn_model_momentum = {
    .name = "momentum",
    .corners = true,
    .takes = takes,
    .memory = memory,
    .create = create,
    .destroy = foehn_momentum_destroy,
    .update_ground = update_ground,
    .scroll = scroll,
    .advance = advance,
    .predict = predict,
    .project = project,
    .publish = foehn_staggered_publish,
    .project_publish = foehn_staggered_publish,
    .divergence = foehn_momentum_divergence,
    .centers = centers,
    .prepare = prepare,
    .points = points,
    .fields = fields,
    .in_parts = true,
    .shared = shared,
    .get_march = get_march,
    .set_march = set_march,
    .progress = progress,
    .viscosity = viscosity,
    .turbulence_points = turbulence_points,
    .stress = stress,
    .pressure = pressure,
};
