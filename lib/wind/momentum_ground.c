/* SPDX-License-Identifier: MIT */
/* What the momentum models know of sides and ground: faces, columns, the wall. */
#include "wind/faces.h"
#include "wind/momentum.h"

#include <foehn/profile.h>

#include <math.h>
#include <stdio.h>

extern const foehn_source foehn_source_wind_momentum, foehn_source_wind_momentum_ground;

#define COURANT 0.6      /* of the fastest column; 0.7 was seen to blow up on fine grids */
#define SAMPLE_CELLS 1.5 /* above the ground, where the wall's wind is taken */
#define GLANCING 0.01    /* a side that the wind meets at a smaller cosine is no outflow */

foehn_status foehn_momentum_create_kernels(foehn_wind *w, size_t count, const momentum_kernel *rows)
{
    char options[64];
    snprintf(options, sizeof options, "%s -DLANES=%d", foehn_grid_options(&w->g),
             foehn_momentum_lanes(w));
    for (size_t i = 0; i < count; i++)
        TRY(foehn_kernel_create(w->ctx, rows[i].source,
                                rows[i].source == &foehn_source_wind_momentum_ground
                                    ? foehn_grid_options(&w->g)
                                    : options,
                                rows[i].name, rows[i].bytes, rows[i].kernel));
    return FOEHN_OK;
}

foehn_status foehn_momentum_create_ground(foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    struct foehn_momentum *n = w->own;
    const momentum_kernel rows[] = {
        {&foehn_source_wind_momentum_ground, "close_sides", 4, &n->kernel.close_sides},
        {&foehn_source_wind_momentum_ground, "close_ends", 3, &n->kernel.close_ends},
        {&foehn_source_wind_momentum_ground, "close_dead_ends", 3, &n->kernel.close_dead_ends},
        {&foehn_source_wind_momentum_ground, "ground_columns", 0, &n->kernel.ground_columns},
        {&foehn_source_wind_momentum_ground, "carry_areas", 0, &n->kernel.carry_areas},
        {&foehn_source_wind_momentum_ground, "momentum_points", 0, &n->kernel.points},
        {&foehn_source_wind_momentum, "wall", foehn_momentum_lanes(w) * w->g.ny * 2 * 4,
         &n->kernel.wall},
    };
    for (int a = 0; a < 3; a++)
        TRY(foehn_field_create(w->ctx, g, 1, &n->open[a]));
    TRY(foehn_field_create(w->ctx, g, sizeof(float), &n->p));
    const size_t plane = foehn_grid_columns(g) * sizeof(float);
    TRY(foehn_buffer_create(w->ctx, COLUMN_PLANES * plane + 64, &n->columns));
    TRY(foehn_buffer_create(w->ctx, WALL_PLANES * plane + 64, &n->walls));
    return foehn_momentum_create_kernels(w, sizeof rows / sizeof rows[0], rows);
}

/* ---- sides ---- */

/* Sides that the wind meets at more than this cosine. */
static cl_int sides_met(const foehn_wind *w, double cosine)
{
    double dx, dz;
    foehn_wind_toward(w->clock.state.from, &dx, &dz);
    return (dx > cosine ? INFLOW_WEST : 0) | (dx < -cosine ? INFLOW_EAST : 0) |
           (dz > cosine ? INFLOW_NORTH : 0) | (dz < -cosine ? INFLOW_SOUTH : 0);
}

/* Sides whose faces hold the undisturbed wind, those along the wind included. */
static cl_int inflow_sides(const foehn_wind *w)
{
    return sides_met(w, -GLANCING);
}

static void find_sides(const foehn_wind *w, foehn_side sides[6])
{
    const cl_int inflow = inflow_sides(w);
    for (int i = 0; i < 6; i++)
        sides[i] = inflow >> i & 1 ? FOEHN_SIDE_INFLOW : w->sides[i];
}

/* Those of the part's window. */
static cl_int inflow_here(const foehn_wind *w)
{
    foehn_side sides[FOEHN_SIDES], here[FOEHN_SIDES];
    cl_int inflow = 0;
    find_sides(w, sides);
    foehn_window_sides(&w->g, sides, here);
    for (int i = 0; i < FOEHN_SIDES; i++)
        inflow |= (here[i] == FOEHN_SIDE_INFLOW) << i;
    return inflow;
}

/* k = u*^2 / c0^2 is 5.8 u*^2 with these, as in the surface layer; with the customary 0.09, 1.44 it
 * is 3.3. */
#define C_MU 0.03
#define C1 1.21
#define C2 1.92

static void set_constants(foehn_wind *w)
{
    const foehn_grid *g = &w->g;
    double dx, dz, origin[3];
    foehn_wind_toward(w->clock.state.from, &dx, &dz);
    foehn_wind_origin(w, origin);
    const cl_int inflow = inflow_here(w);
    const cl_int column =
        inflow & sides_met(w, GLANCING); /* beyond the others the nearest cell counts: slip */
    const double z0 = (double)w->params.z0, height = (double)FOEHN_REFERENCE_HEIGHT;
    const double kappa = (double)VON_KARMAN, sigma = kappa * kappa / ((C2 - C1) * sqrt(C_MU));
    const double per_l =
        w->params.obukhov < 0 || w->params.obukhov > 0 ? 1 / (double)w->params.obukhov : 0;
    const double stable = (double)foehn_minus_psi((float)((height + z0) * per_l)) -
                          (double)foehn_minus_psi((float)(z0 * per_l));
    struct foehn_momentum *n = w->own;
    n->m = (momentum){
        .g = *g,
        .inflow = inflow,
        .low_x = column & INFLOW_WEST ? -1 : 0,
        .high_x = column & INFLOW_EAST ? g->nx : g->nx - 1,
        .low_z = column & INFLOW_NORTH ? -1 : 0,
        .high_z = column & INFLOW_SOUTH ? g->nz : g->nz - 1,
        .closes = w->params.closure == FOEHN_WIND_K_EPS,
        .canopy = w->canopy.height != NULL,
        .plane = (i32)foehn_grid_columns(g),
        .floor_y = (f32)origin[1],
        .lid = (f32)g->ny * g->hy,
        .dx = (f32)dx,
        .dz = (f32)dz,
        .friction = (f32)(kappa * (double)w->clock.state.u10 / (log((height + z0) / z0) + stable)),
        .z0 = w->params.z0,
        .per_l = (f32)per_l,
        .sample = (f32)SAMPLE_CELLS * g->hy,
        .c0 = (f32)sqrt(sqrt(C_MU)),
        .c1 = (f32)C1,
        .c2 = (f32)C2,
        .per_sigma_k = 1,
        .per_sigma_eps = (f32)(1 / sigma),
        .courant = (f32)COURANT,
    };
}

/* ---- ground ---- */

static foehn_size columns_of_faces(const foehn_wind *w)
{
    return (foehn_size){(size_t)w->g.nx + 1, (size_t)w->g.nz + 1, 1};
}

/* Whole rows, so that lanes beyond the box find something. */
static foehn_size padded_columns(const foehn_wind *w)
{
    return (foehn_size){(size_t)w->g.sy, foehn_grid_padded(&w->g).z, 1};
}

static foehn_status copy_buffer(foehn_wind *w, cl_mem from, cl_mem to, size_t bytes)
{
    cl_int code = clEnqueueCopyBuffer(w->ctx->queue, from, to, 0, 0, bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK : foehn_fail_cl(code, "copying %zu bytes", bytes);
}

/* A solver with the sides that the wind's direction asks for. */
static foehn_status renew_solver(foehn_wind *w)
{
    foehn_side sides[6];
    find_sides(w, sides);
    foehn_pressure_destroy(w->solver);
    w->solver = NULL;
    return foehn_pressure_create_part(w->ctx, w->part, &w->g, sides, &w->solver);
}

/* The faces are made in the model's own buffers and go to the solver, which closes the inflow
 * sides. */
static foehn_status find_faces(foehn_wind *w)
{
    struct foehn_momentum *n = w->own;
    const foehn_grid *g = &w->g;
    const cl_int binary = w->params.solids == FOEHN_WIND_SOLIDS_BINARY;
    TRY(LAUNCH(w->ctx, w->staggered.kernel.openness, foehn_wind_faces(w), ARG(*g),
               ARG(n->m.floor_y), ARG(binary), ARG(w->ground.corner), ARG(w->ground.ground),
               OPEN(n)));
    TRY(LAUNCH(w->ctx, n->kernel.close_sides, foehn_wind_faces(w), ARG(*g), ARG(n->open[0]),
               ARG(n->open[2])));
    TRY(LAUNCH(w->ctx, n->kernel.close_ends, foehn_wind_faces(w), ARG(*g), ARG(n->open[0]),
               ARG(n->open[2]), ARG(n->open[1])));
    TRY(LAUNCH(w->ctx, n->kernel.close_dead_ends, foehn_wind_cells(w), ARG(n->m), ARG(n->open[1]),
               ARG(n->open[0]), ARG(n->open[2])));
    for (int a = 0; a < 3; a++)
        TRY(copy_buffer(w, n->open[a], foehn_pressure_open(w->solver, a), foehn_grid_elements(g)));
    return foehn_pressure_update(w->solver);
}

foehn_status foehn_momentum_find_ground(foehn_wind *w)
{
    struct foehn_momentum *n = w->own;
    set_constants(w);
    if (!foehn_wind_is_periodic(w))
        TRY(renew_solver(w));
    TRY(find_faces(w));
    TRY(LAUNCH(w->ctx, n->kernel.ground_columns, padded_columns(w), ARG(n->m),
               ARG(w->ground.corner), ARG(w->ground.z0), ARG(n->open[0]), ARG(n->open[2]),
               ARG(n->columns)));
    return LAUNCH(w->ctx, n->kernel.carry_areas, columns_of_faces(w), ARG(n->m), OPEN(n),
                  ARG(n->columns));
}

foehn_status foehn_momentum_find_stress(foehn_wind *w)
{
    enum { READ = 2 }; /* layers beside a part's own columns, by faces there */
    struct foehn_momentum *n = w->own;
    cl_mem *u = w->velocity[w->now];
    return LAUNCH_ITEMS(
        w->ctx, n->kernel.wall,
        foehn_momentum_columns(w, READ, (size_t)w->g.nx + 1, (size_t)w->g.nz + 1, 1), ARG(n->m),
        ARG(n->columns), ARG(u[0]), ARG(u[2]), ARG(n->walls));
}

/* div u of the current field, inflow sides included. */
foehn_status foehn_momentum_divergence(foehn_wind *w, cl_mem *out)
{
    struct foehn_momentum *n = w->own;
    cl_mem rhs = *out = foehn_pressure_rhs(w->solver);
    return LAUNCH_ITEMS(w->ctx, w->staggered.kernel.divergence_faces, foehn_wind_own_cells(w, 0),
                        ARG(w->g), OPEN(n), VELOCITY(w, w->now), ARG(rhs));
}

/* The box's volume over what flows in: the undisturbed wind's mean over the depth on the sides it
 * meets. */
foehn_status foehn_momentum_find_flush(foehn_wind *w, foehn_wind_progress *progress)
{
    const struct foehn_momentum *n = w->own;
    const double width = w->g.whole_x * (double)w->g.hx, length = w->g.whole_z * (double)w->g.hz;
    const double along =
        width * length / (fabs((double)n->m.dx) * length + fabs((double)n->m.dz) * width);
    const double lid = (double)n->m.lid, z0 = (double)n->m.z0;
    const double speed = (double)n->m.friction / (double)VON_KARMAN *
                         (log((lid + z0) / z0) - 1 + z0 / lid * log((lid + z0) / z0));
    double net;
    progress->flush_time = speed > 0 ? along / speed : 0;
    TRY(foehn_faces_mass_flux(w, n->open, &progress->mass_in, &net));
    progress->mass_imbalance = progress->mass_in > 0 ? net / progress->mass_in : 0;
    return FOEHN_OK;
}
