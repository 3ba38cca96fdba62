/* SPDX-License-Identifier: MIT */
/* Large eddies: sides and what comes in, and the passes of a step.
 *
 * A step is as many substeps as the undisturbed wind at the lid asks for, so that nothing is waited
 * for: three Runge-Kutta stages (Wicker and Skamarock 2002) with the eddies' viscosity, the
 * ground's stress and the pressure of the substep's start, and one pressure solve.  A box with
 * sides holds on them what a periodic box with the same cells has there, which is stepped along:
 * the precursor. */
#include "wind/les.h"
#include "wind/faces.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const foehn_source foehn_source_wind_les, foehn_source_wind_les_eddies,
    foehn_source_wind_les_noise, foehn_source_wind_les_read, foehn_source_wind_les_sides,
    foehn_source_wind_momentum_ground;

#define SMAGORINSKY 0.14 /* Cs: Mason and Thomson 1992 have 0.1 to 0.2 */
#define POINCARE 0.212   /* C of minimum dissipation, of the fourth order: Rozema et al. 2015 */
#define UPWIND 1         /* share of the upwind value beside closed faces */
#define SAMPLE_CELLS                                                                               \
    1.5 /* above the ground, where the wall's wind is taken: the second cell's middle */
#define COURANT 1.25 /* of a gust 1.3 times the wind at the lid that rises with 0.4 of it */
#define MOST_COURANT                                                                               \
    1.2 /* along an axis, to which a speed is held that a substep does not carry                   \
         */
#define STIFF                                                                                      \
    2.0 /* falls in a substep of the quickest wave by viscosity; beyond 2.5 a stage makes it grow  \
         */
/* Of neighbours' cells: what a stage reads of the one before, and faces, whose upper ones are a
 * neighbour's. */
enum { LAYERS_OF_STAGES = 3, LAYERS_OF_FACES = 1 };
enum { FIRST_CYCLES = 8, CYCLES = 1, LEAST_PRECURSOR = 32, MOST_PRECURSOR = 96 };

static struct foehn_les *own(const foehn_wind *w)
{
    return w->own;
}

/* ---- create ---- */

/* Scotti, Meneveau and Lilly 1993: how much longer the eddies of cells are that are no cubes. */
static double scotti(double hx, double hy, double hz)
{
    const double most = fmax(hx, fmax(hy, hz));
    const double least = fmin(hx, fmin(hy, hz)), other = hx * hy * hz / (most * least);
    const double a = log(least / most), b = log(other / most);
    return cosh(sqrt(4.0 / 27 * (a * a - a * b + b * b)));
}

/* The periodic box beside one with sides: twice as wide as high, in whole sixteens of cells. */
static bool beside(const foehn_wind_params *p, foehn_wind_params *out)
{
    if (p->sides == FOEHN_WIND_SIDES_PERIODIC || p->inflow == FOEHN_WIND_INFLOW_NOISE)
        return false;
    foehn_wind_params q = *p;
    const double wanted = 2.0 * p->ny * (double)p->spacing_vertical / (double)p->spacing_horizontal;
    int n = 16 * (int)ceil(fmin(wanted, MOST_PRECURSOR) / 16);
    n = n < LEAST_PRECURSOR ? LEAST_PRECURSOR : n > MOST_PRECURSOR ? MOST_PRECURSOR : n;
    q.nx = q.nz = n;
    q.sides = FOEHN_WIND_SIDES_PERIODIC;
    q.domain = NULL;
    q.center[0] = q.center[2] = 0;
    q.center[1] = NAN;
    *out = q;
    return true;
}

/* Rows of it hold the stress along x, y and z under each column. */
static foehn_grid stress_grid(const foehn_grid *g)
{
    foehn_grid s = *g;
    s.ny = 3;
    s.sz = s.sy * (s.ny + 2 * s.ghosts);
    return s;
}

static foehn_grid grid_of(const foehn_wind_params *p)
{
    return foehn_grid_make(p->nx, p->ny, p->nz, p->spacing_horizontal, p->spacing_vertical,
                           p->spacing_horizontal);
}

static uint64_t memory(const foehn_wind_params *p, const foehn_grid *g)
{
    uint64_t bytes = foehn_staggered_memory(p, g) + foehn_grid_elements(g) * (sizeof(float) + 3) +
                     (COLUMN_PLANES + WALL_PLANES) * foehn_grid_columns(g) * sizeof(float);
    const foehn_grid stress = stress_grid(g);
    bytes += foehn_grid_elements(&stress) * sizeof(float);
    foehn_wind_params q;
    if (!beside(p, &q))
        return bytes;
    const foehn_grid other = grid_of(&q);
    return bytes + memory(&q, &other);
}

static foehn_status create_kernels(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    const double row = foehn_momentum_lanes(w);
    const momentum_kernel rows[] = {
        {&foehn_source_wind_les, "stage_x", row * (7 * 4 + 3), &n->kernel.stage[0]},
        {&foehn_source_wind_les, "stage_y", row * (7 * 4 + 3), &n->kernel.stage[1]},
        {&foehn_source_wind_les, "stage_z", row * (7 * 4 + 3), &n->kernel.stage[2]},
        {&foehn_source_wind_les_eddies, "eddies", row * (4 * 4 + 3), &n->kernel.eddies},
        {&foehn_source_wind_les_sides, "ghosts", 0, &n->kernel.ghosts},
        {&foehn_source_wind_les_sides, "ghosts_of_cells", 0, &n->kernel.ghosts_of_cells},
        {&foehn_source_wind_les_sides, "inflow", 0, &n->kernel.inflow},
        {&foehn_source_wind_les_noise, "noise_inflow", 0, &n->kernel.noise_inflow},
        {&foehn_source_wind_les_noise, "noise_all", 3 * 4, &n->kernel.noise_all},
        {&foehn_source_wind_les_sides, "fill_all", 3 * 4, &n->kernel.fill_all},
        {&foehn_source_wind_les_sides, "begin", 3 * 4, &n->kernel.begin},
        {&foehn_source_wind_les_sides, "find_drive", 0, &n->kernel.find_drive},
        {&foehn_source_wind_les_sides, "take_out", 9 * 4 + 3, &n->kernel.take_out},
        {&foehn_source_wind_les_read, "unresolved", 2 * 4, &n->kernel.unresolved},
        {&foehn_source_wind_les_read, "average_unresolved", 3 * 4, &n->kernel.average_unresolved},
        {&foehn_source_wind_les_read, "average_stress", 0, &n->kernel.average_stress},
        {&foehn_source_wind_les_read, "total_energy", 8 * 4, &n->kernel.total_energy},
        {&foehn_source_wind_momentum_ground, "cell_points", 0, &n->kernel.cell_points},
    };
    return foehn_momentum_create_kernels(w, sizeof rows / sizeof rows[0], rows);
}

static foehn_status create(foehn_wind *w)
{
    struct foehn_les *n = w->own = calloc(1, sizeof *n);
    if (!n)
        return foehn_fail(FOEHN_ERROR_MEMORY, "foehn_wind_create: no host memory");
    TRY(foehn_staggered_create(w));
    TRY(foehn_momentum_create_ground(w));
    TRY(foehn_buffer_create(w->ctx, 2 * sizeof(float), &n->drive));
    n->stress_grid = stress_grid(&w->g);
    TRY(foehn_field_create(w->ctx, &n->stress_grid, sizeof(float), &n->mean_stress));
    return create_kernels(w);
}

static void destroy(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    if (n) {
        foehn_kernels_destroy(&n->kernel, sizeof n->kernel);
        foehn_buffer_destroy(w->ctx, &n->drive);
        foehn_buffer_destroy(w->ctx, &n->mean_stress);
    }
    foehn_momentum_destroy(w);
}

/* ---- scratch: what lies idle in a stage ---- */

/* The second stage's velocity.  Its ghosts lie where the solver's must be 0: solve() clears them.
 */
static void scratch_velocity(const foehn_wind *w, cl_mem u[3])
{
    u[0] = foehn_pressure_field(w->solver);
    u[1] = foehn_pressure_residual(w->solver);
    u[2] = w->curl;
}

static foehn_status solve(foehn_wind *w, foehn_pressure_stop stop)
{
    TRY(foehn_buffer_clear(w->ctx, foehn_pressure_residual(w->solver)));
    TRY(foehn_pressure_clear(w->solver));
    return foehn_pressure_solve(w->solver, stop, NULL);
}

#define ARG3(f) ARG((f)[0]), ARG((f)[1]), ARG((f)[2])

/* ---- the ground and the beginning ---- */

/* The first row above all ground, of all parts.  Waits. */
static foehn_status find_open_rows(foehn_wind *w, i32 *from)
{
    const foehn_grid *g = &w->g;
    float *corner = malloc(foehn_grid_columns(g) * sizeof *corner),
          highest = own(w)->ground.m.floor_y;
    if (!corner)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %d x %d columns", g->nx, g->nz);
    foehn_status status = foehn_buffer_read(w->ctx, w->ground.corner, 0,
                                            foehn_grid_columns(g) * sizeof *corner, corner);
    for (int k = 0; status == FOEHN_OK && k <= g->nz; k++)
        for (int i = 0; i <= g->nx; i++)
            highest = fmaxf(highest, corner[foehn_grid_column(g, i, k)]);
    free(corner);
    double above = (double)(highest - own(w)->ground.m.floor_y);
    if (w->part && status == FOEHN_OK)
        status = foehn_domain_max(w->part->domain, &above);
    const double rows = ceil(above / (double)g->hy);
    *from = rows < g->ny ? (i32)rows : g->ny;
    return status;
}

/* Substeps a second that the wind at the lid, a gust of it and what rises over the ground ask for.
 */
static double substeps_per_second(const foehn_grid *g, const momentum *m)
{
    const double z0 = (double)m->z0, lid = (double)m->lid;
    const double speed = (double)m->friction / (double)VON_KARMAN * log((lid + z0) / z0);
    const double along =
        1.3 * (fabs((double)m->dx) / (double)g->hx + fabs((double)m->dz) / (double)g->hz);
    return speed * (along + 0.4 / (double)g->hy) / COURANT;
}

/* The viscosity, m2/s, by which a wave of two cells along all axes falls STIFF times in the longest
 * substep; the stress of a component along itself counts twice. */
static double stiffest(const foehn_grid *g, double per_second)
{
    const double x = 1 / (double)g->hx, y = 1 / (double)g->hy, z = 1 / (double)g->hz;
    const double most = fmax(x, fmax(y, z));
    return fmin(STIFF * per_second / (4 * (x * x + y * y + z * z + most * most)), FLT_MAX);
}

static void set_constants(foehn_wind *w, i32 open_from)
{
    struct foehn_les *n = own(w);
    momentum *m = &n->ground.m;
    const double hx = (double)w->g.hx, hy = (double)w->g.hy, hz = (double)w->g.hz;
    m->sample = (f32)SAMPLE_CELLS * w->g.hy;
    m->inflow = foehn_wind_is_periodic(w) ? 0 : m->inflow;
    n->l = (les){
        .m = *m,
        .wraps = foehn_wind_is_periodic(w),
        .open_from = open_from,
        .amd = w->params.subgrid == FOEHN_WIND_MINIMUM_DISSIPATION,
        .length = (f32)(SMAGORINSKY * cbrt(hx * hy * hz) * scotti(hx, hy, hz)),
        .cx = (f32)(POINCARE * hx * hx),
        .cy = (f32)(POINCARE * hy * hy),
        .cz = (f32)(POINCARE * hz * hz),
        .drive = m->friction * m->friction / m->lid,
        .upwind = (f32)UPWIND,
        .stiffest = (f32)stiffest(&w->g, substeps_per_second(&w->g, m)),
    };
}

static foehn_status find_ground(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    if (foehn_wind_is_periodic(w) && foehn_wind_has_solids(w))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the LES with periodic sides is for flat ground on "
                                                "the floor of its box: open the sides");
    TRY(foehn_momentum_find_ground(w));
    i32 open_from = 0;
    TRY(find_open_rows(w, &open_from));
    set_constants(w, open_from);
    n->ground.started = true;
    return FOEHN_OK;
}

/* What a substep's end does: velocity without divergence, and its pressure. */
static foehn_status make_consistent(foehn_wind *w, float per_dt, foehn_pressure_stop stop)
{
    struct foehn_les *n = own(w);
    cl_mem *u = w->velocity[w->now], rhs;
    TRY(foehn_momentum_divergence(w, &rhs));
    TRY(solve(w, stop));
    TRY(foehn_pressure_reach(w->solver, 1));
    cl_mem psi = foehn_pressure_field(w->solver);
    TRY(LAUNCH_ITEMS(w->ctx, n->kernel.take_out, foehn_wind_own_faces(w, LAYERS_OF_FACES),
                     ARG(n->l), ARG(per_dt), SOLVER_OPEN(w), ARG(psi), ARG3(u), ARG(n->ground.p)));
    w->shared = 0;
    if (n->l.wraps)
        TRY(foehn_les_fill_ghosts_of_cells(w, n->ground.p));
    return foehn_les_fill_ghosts(w, u, u);
}

static foehn_status spin_up(foehn_wind *w);

/* Turbulence from the start: waves and noise that are stepped until they are eddies; or the
 * precursor's. */
static foehn_status fill(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    cl_mem *u = w->velocity[w->now];
    const cl_int seed = (cl_int)(w->params.seed % 4096);
    const foehn_pressure_stop stop = {FOEHN_PRESSURE_MULTIGRID, FIRST_CYCLES, 0};
    TRY(foehn_buffer_clear(w->ctx, n->ground.p));
    if (!n->l.wraps) {
        TRY(foehn_les_bring_in(w, true, u));
        TRY(make_consistent(w, 0, stop));
    } else {
        TRY(LAUNCH(w->ctx, n->kernel.begin, foehn_wind_faces(w), ARG(n->l), ARG(seed), ARG3(u)));
        TRY(foehn_les_fill_ghosts(w, u, u));
        TRY(make_consistent(w, 0, stop));
        TRY(spin_up(w));
    }
    n->filled = true;
    return FOEHN_OK;
}

/* Ground, sides and a field that belong to the state. */
static foehn_status make_ready(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    const bool same = foehn_wind_same_mean(&n->ground.state, &w->clock.state);
    if (n->ground.started && n->filled && same)
        return FOEHN_OK;
    if (w->beside) {
        w->beside->clock.state = w->clock.state;
        TRY(make_ready(w->beside));
    }
    TRY(find_ground(w));
    if (!same)
        n->filled = false;
    n->ground.state = w->clock.state;
    return n->filled ? FOEHN_OK : fill(w);
}

/* ---- step ---- */

static foehn_status make_stage(foehn_wind *w, float dt, const cl_mem base[3], const cl_mem now[3],
                               const cl_mem to[3])
{
    struct foehn_les *n = own(w);
    const struct foehn_momentum *m = &n->ground;
    const size_t nx = (size_t)w->g.nx, ny = (size_t)w->g.ny, nz = (size_t)w->g.nz,
                 more = !n->l.wraps;
    const cl_mem nu = foehn_les_viscosity(w);
    for (int a = 0; a < 3; a++) {
        const foehn_items own = foehn_momentum_own(w, LAYERS_OF_FACES, nx + (a == 0 ? more : 0), ny,
                                                   nz + (a == 2 ? more : 0));
        TRY(LAUNCH_ITEMS(w->ctx, n->kernel.stage[a], own, ARG(n->l), ARG(dt), ARG(m->columns),
                         ARG(m->walls), ARG(n->drive), OPEN(&n->ground), ARG3(now), ARG(base[a]),
                         ARG(m->p), ARG(nu), ARG(to[a])));
    }
    return FOEHN_OK;
}

/* Of a stage's velocity what the next one reads around a part's own. */
static foehn_status surround(foehn_wind *w, const cl_mem base[3], const cl_mem u[3])
{
    if (w->part)
        TRY(foehn_part_share(w->part, &w->g, LAYERS_OF_STAGES, 3, u));
    return foehn_les_fill_ghosts(w, base, u);
}

static foehn_status find_drive(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    const foehn_size group = foehn_fitting_group(
        &n->kernel.find_drive, (foehn_size){foehn_tuned(w->ctx)->worst_in_columns, 1, 1});
    return LAUNCH_LOCAL(w->ctx, n->kernel.find_drive, group, group, ARG(n->l), ARG(n->ground.walls),
                        ARG(n->drive), LOCAL_ARG(2 * group.x * sizeof(float)));
}

static foehn_status substep(foehn_wind *w, float dt)
{
    struct foehn_les *n = own(w);
    const foehn_grid *g = &w->g;
    const float h[3] = {g->hx, g->hy, g->hz};
    cl_mem *u = w->velocity[w->now], *new = w->velocity[1 - w->now], between[3];
    scratch_velocity(w, between);
    for (int a = 0; a < 3; a++)
        n->l.most[a] = (f32)MOST_COURANT * h[a] / dt;
    TRY(foehn_wind_share(w, LES_LAYERS));
    TRY(foehn_momentum_find_stress(w));
    TRY(find_drive(w));
    TRY(foehn_les_find_eddies(w));
    TRY(make_stage(w, dt / 3, u, u, new)); /* u1 = u + dt/3 R(u)  */
    TRY(surround(w, u, new));
    TRY(make_stage(w, dt / 2, u, new, between)); /* u2 = u + dt/2 R(u1) */
    TRY(surround(w, u, between));
    TRY(make_stage(w, dt, u, between, new)); /* u3 = u + dt R(u2)   */
    TRY(foehn_les_fill_ghosts(w, u, new));
    w->now = 1 - w->now;
    if (w->beside)
        TRY(substep(w->beside, dt));
    if (!n->l.wraps) {
        foehn_les_drift(w, dt);
        TRY(foehn_les_bring_in(w, false, w->velocity[w->now]));
    }
    return make_consistent(w, 1 / dt, (foehn_pressure_stop){FOEHN_PRESSURE_MULTIGRID, CYCLES, 0});
}

static foehn_status substeps(foehn_wind *w, double time)
{
    const double count = fmax(ceil(time * substeps_per_second(&w->g, &own(w)->ground.m) - 1e-6), 1);
    for (int n = 0; n < (int)count; n++)
        TRY(substep(w, (float)(time / count)));
    return FOEHN_OK;
}

static foehn_status spin_up(foehn_wind *w)
{
    return w->params.spin_up > 0 ? substeps(w, (double)w->params.spin_up) : FOEHN_OK;
}

static foehn_status predict(foehn_wind *w, float dt)
{
    TRY(make_ready(w));
    return substeps(w, (double)dt);
}

/* Each substep has projected already. */
static foehn_status project(foehn_wind *w)
{
    (void)w;
    return FOEHN_OK;
}

static void advance(foehn_wind *w, double dt)
{
    w->clock.time += dt;
    w->clock.step++;
}

/* ---- the box ---- */

static foehn_status update_ground(foehn_wind *w)
{
    own(w)->ground.started = false;
    return FOEHN_OK;
}

/* What was inside keeps its values; fresh cells begin with the undisturbed profile, without eddies.
 */
static foehn_status scroll(foehn_wind *w, const cl_int shift[3])
{
    struct foehn_les *n = own(w);
    const int size[3] = {w->g.whole_x, w->g.ny, w->g.whole_z};
    for (int a = 0; a < 3; a++)
        n->filled = n->filled && abs(shift[a]) < size[a];
    if (!n->filled || foehn_wind_is_periodic(w))
        return FOEHN_OK; /* the periodic wind is the same everywhere */
    n->ground.started = false;
    TRY(make_ready(w));
    const wind_forcing f = foehn_wind_forcing(w, 0);
    const size_t bytes = foehn_grid_elements(&w->g) * sizeof(float);
    cl_mem p = foehn_pressure_field(w->solver);
    TRY(foehn_buffer_clear(w->ctx,
                           foehn_pressure_residual(w->solver))); /* beyond open sides p = 0 */
    cl_int code = clEnqueueCopyBuffer(w->ctx->queue, n->ground.p, p, 0, 0, bytes, 0, NULL, NULL);
    if (code == CL_SUCCESS) {
        TRY(foehn_staggered_scroll(w, &f, shift));
        code = clEnqueueCopyBuffer(w->ctx->queue, foehn_pressure_field(w->solver), n->ground.p, 0,
                                   0, bytes, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "moving the pressure with the box");
    if (w->part)
        TRY(foehn_part_share(w->part, &w->g, LES_LAYERS, 3, w->velocity[w->now]));
    TRY(foehn_les_bring_in(w, false, w->velocity[w->now]));
    return make_consistent(w, 0, (foehn_pressure_stop){FOEHN_PRESSURE_MULTIGRID, FIRST_CYCLES, 0});
}

static foehn_status begin(foehn_wind *w)
{
    TRY(foehn_wind_refresh_ground(w));
    return make_ready(w);
}

/* Go on with fields that a checkpoint brought, beyond the sides, too. */
static foehn_status take_up(foehn_wind *w)
{
    struct foehn_les *n = own(w);
    cl_mem *u = w->velocity[w->now];
    TRY(foehn_wind_refresh_ground(w));
    TRY(find_ground(w));
    n->ground.state = w->clock.state;
    n->filled = true;
    if (w->beside) {
        w->beside->clock.state = w->clock.state;
        TRY(take_up(w->beside));
    }
    if (own(w)->l.wraps)
        TRY(foehn_les_fill_ghosts_of_cells(w, n->ground.p));
    else
        TRY(foehn_les_bring_in(w, false, u));
    return foehn_les_fill_ghosts(w, u, u);
}

static int fields(const foehn_wind *w, wind_field *fields)
{
    const struct foehn_les *n = own(w);
    const foehn_wind *p = w->beside;
    fields[0] = (wind_field){WIND_OWN, n->mean_stress, false, false, &n->stress_grid};
    if (!p)
        return 1;
    for (int a = 0; a < 3; a++)
        fields[1 + a] = (wind_field){WIND_OWN, p->velocity[p->now][a], false, false, &p->g};
    fields[4] = (wind_field){WIND_OWN, own(p)->ground.p, false, false, &p->g};
    return 5;
}

static int shared(const foehn_wind *w, cl_mem *fields)
{
    fields[0] = own(w)->ground.p;
    return 1;
}

static foehn_status ghosts(foehn_wind *w)
{
    const cl_mem *u = w->velocity[w->now];
    return own(w)->filled ? foehn_les_fill_ghosts(w, u, u) : FOEHN_OK;
}

/* ---- reading, of a field that has begun ---- */

static foehn_status points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out)
{
    TRY(begin(w));
    return foehn_les_points(w, count, places, out);
}

static foehn_status turbulence_points(foehn_wind *w, cl_int count, cl_mem places, cl_mem out)
{
    TRY(begin(w));
    return foehn_les_turbulence_points(w, count, places, out);
}

static foehn_status prepare(foehn_wind *w)
{
    TRY(begin(w));
    return foehn_les_prepare(w);
}

static foehn_status centers(foehn_wind *w, cl_mem velocity[3])
{
    TRY(begin(w));
    return foehn_staggered_centers(w, velocity);
}

static foehn_status of_cells(foehn_wind *w, foehn_wind_field field, cl_mem *out)
{
    TRY(begin(w));
    return foehn_les_of_cells(w, field, out);
}

static foehn_status stress(foehn_wind *w, float *out)
{
    TRY(begin(w));
    return foehn_les_read_stress(w, out);
}

static foehn_status progress(foehn_wind *w, foehn_wind_progress *progress)
{
    TRY(begin(w));
    const double rate = substeps_per_second(&w->g, &own(w)->ground.m);
    progress->dt = rate > 0 ? 1 / rate : 0;
    progress->time = w->clock.time;
    return foehn_momentum_find_flush(w, progress);
}

static cl_mem pressure(const foehn_wind *w)
{
    return own(w)->ground.p;
}

static bool takes(const foehn_wind_params *p)
{
    return p->model == FOEHN_WIND_LES;
}

const wind_model foehn_model_les = {
    .name = "LES",
    .corners = true,
    .takes = takes,
    .memory = memory,
    .create = create,
    .beside = beside,
    .destroy = destroy,
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
    .of_cells = of_cells,
    .progress = progress,
    .turbulence_points = turbulence_points,
    .stress = stress,
    .average = foehn_les_average,
    .fields = fields,
    .in_parts = true,
    .shared = shared,
    .ghosts = ghosts,
    .begin = begin,
    .take_up = take_up,
    .has_products = true,
    .soundest = foehn_les_soundest,
    .law_to = foehn_les_law_to,
    .pressure = pressure,
};
