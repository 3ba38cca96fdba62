/* SPDX-License-Identifier: MIT */
/* The passes of the staggered wind: velocity on faces, terrain as openness of faces. */
#include "wind/faces.h"

#include "kernels/pressure/structs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

extern const foehn_source foehn_source_wind_faces, foehn_source_wind_potential,
    foehn_source_wind_rows, foehn_source_wind_wide_faces;

/* Own faces and `layers` around them, for kernels that take four of a row a work-item on GPUs. */
static foehn_items wide_faces(const foehn_wind *w, int layers)
{
    return foehn_items_in_lanes(foehn_wind_own_faces(w, layers),
                                foehn_wind_is_on_gpu(w) ? TUNED_CELLS_AN_ITEM : 1);
}

/* ---- create ---- */

/* What only steps need.  Processors, whose drivers take a second to build it, make it at the first
 * of them, which a wind that is only solved has not. */
static foehn_status create_potentials(foehn_wind *w)
{
    char options[128];
    snprintf(options, sizeof options, "%s%s", foehn_grid_options(&w->g),
             foehn_wind_is_on_gpu(w) ? " -DFOEHN_ONE_LINE" : "");
    return foehn_kernel_create(w->ctx, &foehn_source_wind_potential, options, "potentials", 0,
                               &w->staggered.kernel.potentials);
}

static foehn_status create_rows(foehn_wind *w)
{
    return foehn_kernel_create(w->ctx, &foehn_source_wind_rows, foehn_pressure_options(w->solver),
                               "advect_rows", 0, &w->staggered.kernel.advect_rows);
}

static foehn_status create_kernels(foehn_wind *w)
{
    const struct {
        const char *name;
        double bytes;
        foehn_kernel *kernel;
    } table[] = {
        {"openness", 3, &w->staggered.kernel.openness},
        {"extend", 2, &w->staggered.kernel.extend},
        {"advect_faces", 6 * 4 + 3, &w->staggered.kernel.advect_faces},
        {"correct_faces", 9 * 4 + 3, &w->staggered.kernel.correct_faces},
        {"divergence_faces", 4 * 4 + 3, &w->staggered.kernel.divergence_faces},
        {"divergence_residual", 6 * 4 + 3, &w->staggered.kernel.divergence_residual},
        {"project_faces", 7 * 4 + 3, &w->staggered.kernel.project_faces},
        {"center", 6 * 4 + 2, &w->staggered.kernel.center},
        {"publish_faces", 4 * 4 + 2 + 8, &w->staggered.kernel.publish_faces},
        {"scroll_faces", 8 * 4, &w->staggered.kernel.scroll_faces},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_faces, foehn_pressure_options(w->solver),
                                table[i].name, table[i].bytes, table[i].kernel));
    if (foehn_wind_is_on_gpu(w)) {
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_wide_faces,
                                foehn_pressure_options(w->solver), "force_wide", 4 * (10 * 4 + 3),
                                &w->staggered.kernel.force));
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_wide_faces,
                                foehn_pressure_options(w->solver), "project_wide", 4 * (7 * 4 + 3),
                                &w->staggered.kernel.project_wide));
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_wide_faces,
                                foehn_pressure_options(w->solver), "project_publish",
                                4 * (8 * 4 + 3 + 8), &w->staggered.kernel.project_publish));
    } else {
        TRY(foehn_kernel_create(w->ctx, &foehn_source_wind_faces, foehn_pressure_options(w->solver),
                                "force_faces", 10 * 4 + 3, &w->staggered.kernel.force));
    }
    return foehn_wind_is_on_gpu(w) ? create_potentials(w) : FOEHN_OK;
}

uint64_t foehn_staggered_memory(const foehn_wind_params *p, const foehn_grid *g)
{
    /* velocity twice or three times, curl; ground, its roughness and gusts; solver */
    uint64_t cells = foehn_grid_elements(g);
    uint64_t columns = foehn_grid_columns(g);
    int fields = 7 + (p->advection == FOEHN_WIND_MACCORMACK ? 3 : 0);
    return cells * (uint64_t)fields * sizeof(float) + 5 * columns * sizeof(float) +
           foehn_pressure_memory(g);
}

foehn_status foehn_staggered_create(foehn_wind *w)
{
    TRY(foehn_pressure_create_part(w->ctx, w->part, &w->g, w->sides, &w->solver));
    if (w->params.advection == FOEHN_WIND_MACCORMACK)
        for (int a = 0; a < 3; a++)
            TRY(foehn_field_create(w->ctx, &w->g, sizeof(float), &w->third[a]));
    size_t columns = foehn_grid_columns(&w->g) * sizeof(float);
    for (int a = 0; a < 2; a++)
        TRY(foehn_buffer_create(w->ctx, columns, &w->staggered.gust[a]));
    return create_kernels(w);
}

void foehn_staggered_destroy(foehn_wind *w)
{
    foehn_kernels_destroy(&w->staggered.kernel, sizeof w->staggered.kernel);
    for (int a = 0; a < 2; a++)
        foehn_buffer_destroy(w->ctx, &w->staggered.gust[a]);
    for (int a = 0; a < 3; a++)
        foehn_buffer_destroy(w->ctx, &w->third[a]);
    foehn_pressure_destroy(w->solver);
}

/* ---- passes ---- */

static foehn_status wrap_velocity(foehn_wind *w, cl_mem velocity[3])
{
    for (int a = 0; a < 3; a++)
        TRY(foehn_wind_wrap(w, velocity[a]));
    return FOEHN_OK;
}

foehn_status foehn_staggered_update(foehn_wind *w)
{
    double origin[3];
    foehn_wind_origin(w, origin);
    float floor_y = (float)origin[1];
    cl_int binary = w->params.solids == FOEHN_WIND_SOLIDS_BINARY;
    TRY(LAUNCH(w->ctx, w->staggered.kernel.openness, foehn_wind_faces(w), ARG(w->g), ARG(floor_y),
               ARG(binary), ARG(w->ground.corner), ARG(w->ground.ground), SOLVER_OPEN(w)));
    return foehn_pressure_update(w->solver);
}

/* Whether the columns' gust speeds change: they stay 0 while no band is alive. */
static cl_int gusts_change(foehn_wind *w, const wind_forcing *f)
{
    bool bands = false, had = w->staggered.has_gusts;
    for (int n = 0; n < WIND_GUSTS; n++)
        bands = bands || f->gust[n].strength != 0;
    w->staggered.has_gusts = bands;
    return bands || had;
}

/* Rows as CPUs take them: in parts of at most WIND_LINES faces, whose scratch stays in the
 * first-level cache. */
static size_t parts_of_row(const foehn_wind *w)
{
    return (foehn_wind_faces(w).x + WIND_LINES - 1) / WIND_LINES;
}

static cl_int span_of_part(const foehn_wind *w)
{
    return (cl_int)((foehn_wind_faces(w).x + parts_of_row(w) - 1) / parts_of_row(w));
}

/* The potentials, and with them the gusts.  Items march along z: see kernels/wind/potential.cl.
 * Without noise they are 0: CPUs, whose drivers take seconds to compile them, clear them; for GPUs
 * that were two launches more. */
static foehn_status potentials(foehn_wind *w, const wind_forcing *f, cl_mem psi[3])
{
    const bool gpu = foehn_wind_is_on_gpu(w);
    cl_int with_gusts = gusts_change(w, f);
    if (!gpu && f->curl_amplitude == 0 && !with_gusts) {
        for (int a = 0; a < 3; a++)
            TRY(foehn_buffer_clear(w->ctx, psi[a]));
        return FOEHN_OK;
    }
    if (!w->staggered.kernel.potentials.handle)
        TRY(create_potentials(w));
    const int read = w->shared + 1; /* by the velocities of what has been shared */
    foehn_items own = foehn_wind_own_faces(w, read);
    foehn_size local = {1, 1, 1};
    const size_t values = own.size.x * own.size.y * own.size.z;
    const cl_int march = foehn_tuned_march(w->ctx, values, w->g.nz);
    cl_int span = 1;
    if (gpu) {
        size_t most = w->staggered.kernel.potentials.max_group;
        foehn_size plane = {own.size.x, own.size.y, 1}; /* one layer of items along z */
        local = foehn_local_size(plane, TUNED_WIDE_ROW,
                                 most < TUNED_WIDE_GROUP ? most : TUNED_WIDE_GROUP);
    } else {
        own.size.x = parts_of_row(w);
        own.from.x = 0;
        span = span_of_part(w);
    }
    const size_t end = (own.from.z + own.size.z + (size_t)march - 1) / (size_t)march;
    own.from.z /= (size_t)march;
    own.size.z = end - own.from.z;
    const size_t bytes =
        gpu ? sizeof(float) : (size_t)WIND_LINES * 3 * WIND_OCTAVES * 4 * sizeof(float);
    return LAUNCH_ITEMS_LOCAL(
        w->ctx, w->staggered.kernel.potentials, own, local, ARG(w->g), ARG(*f), ARG(span),
        ARG(march), ARG(with_gusts), ARG(w->ground.corner), ARG(psi[0]), ARG(psi[1]), ARG(psi[2]),
        ARG(w->staggered.gust[0]), ARG(w->staggered.gust[1]), LOCAL_ARG(bytes));
}

foehn_status foehn_staggered_force(foehn_wind *w, const wind_forcing *f)
{
    cl_mem *psi = w->velocity[1 - w->now]; /* scratch until advection */
    TRY(potentials(w, f, psi));
    TRY(foehn_wind_receive(w));
    TRY(LAUNCH_ITEMS(w->ctx, w->staggered.kernel.force, wide_faces(w, w->shared), ARG(w->g),
                     ARG(*f), ARG(w->ground.corner), ARG(w->staggered.gust[0]),
                     ARG(w->staggered.gust[1]), SOLVER_OPEN(w), ARG(psi[0]), ARG(psi[1]),
                     ARG(psi[2]), VELOCITY(w, w->now), ARG(w->curl)));
    return wrap_velocity(w, w->velocity[w->now]);
}

static foehn_status trace(foehn_wind *w, float dt, cl_mem old[3], cl_mem new[3])
{
    foehn_items own = foehn_wind_own_faces(w, 1); /* those of upper sides are their neighbours' */
    if (foehn_wind_is_on_gpu(w)) {
        foehn_size local =
            foehn_fitting_group(&w->staggered.kernel.advect_faces, foehn_tuned_trace());
        return LAUNCH_ITEMS_LOCAL(w->ctx, w->staggered.kernel.advect_faces, own, local, ARG(w->g),
                                  ARG(dt), SOLVER_OPEN(w), ARG(old[0]), ARG(old[1]), ARG(old[2]),
                                  ARG(new[0]), ARG(new[1]), ARG(new[2]));
    }
    if (!w->staggered.kernel.advect_rows.handle)
        TRY(create_rows(w));
    own.size.x = parts_of_row(w);
    own.from.x = 0;
    cl_int span = span_of_part(w);
    return LAUNCH_ITEMS_LOCAL(w->ctx, w->staggered.kernel.advect_rows, own, ((foehn_size){1, 1, 1}),
                              ARG(w->g), ARG(dt), ARG(span), SOLVER_OPEN(w), ARG(old[0]),
                              ARG(old[1]), ARG(old[2]), ARG(new[0]), ARG(new[1]), ARG(new[2]),
                              LOCAL_ARG(9 * sizeof(float) * (size_t)span));
}

foehn_status foehn_staggered_advect(foehn_wind *w, float dt)
{
    cl_mem *old = w->velocity[w->now], *new = w->velocity[1 - w->now];
    if (foehn_wind_has_solids(w)) {
        cl_mem ax = foehn_pressure_open(w->solver, 0), az = foehn_pressure_open(w->solver, 2);
        TRY(LAUNCH_ITEMS(w->ctx, w->staggered.kernel.extend, foehn_wind_own_faces(w, w->shared),
                         ARG(w->g), ARG(ax), ARG(az), ARG(old[0]), ARG(old[2])));
        TRY(wrap_velocity(w, old));
    }
    TRY(trace(w, dt, old, new));
    w->now = 1 - w->now;
    if (!w->third[0])
        return wrap_velocity(w, new);

    TRY(wrap_velocity(w, new));
    if (w->part)
        TRY(foehn_part_share(w->part, &w->g, w->shared, 3, new));
    TRY(LAUNCH(w->ctx, w->staggered.kernel.correct_faces, foehn_wind_faces(w), ARG(w->g), ARG(dt),
               SOLVER_OPEN(w), ARG(old[0]), ARG(old[1]), ARG(old[2]), ARG(new[0]), ARG(new[1]),
               ARG(new[2]), ARG(w->third[0]), ARG(w->third[1]), ARG(w->third[2])));
    for (int a = 0; a < 3; a++) {
        cl_mem hat = new[a];
        new[a] = w->third[a];
        w->third[a] = hat;
    }
    return wrap_velocity(w, new);
}

foehn_status foehn_staggered_divergence(foehn_wind *w)
{
    cl_mem rhs = foehn_pressure_rhs(w->solver);
    return LAUNCH_ITEMS(w->ctx, w->staggered.kernel.divergence_faces, foehn_wind_own_cells(w, 0),
                        ARG(w->g), SOLVER_OPEN(w), VELOCITY(w, w->now), ARG(rhs));
}

foehn_status foehn_staggered_solve(foehn_wind *w, foehn_pressure_stop stop,
                                   foehn_pressure_stats *stats)
{
    TRY(foehn_staggered_divergence(w));
    return foehn_pressure_solve(w->solver, stop, stats);
}

foehn_status foehn_staggered_cycle(foehn_wind *w)
{
    const pressure_level *l = foehn_pressure_level(w->solver);
    cl_mem p = foehn_pressure_field(w->solver), rhs = foehn_pressure_rhs(w->solver);
    cl_mem residual = foehn_pressure_residual(w->solver);
    TRY(foehn_pressure_reach(w->solver, 1));
    TRY(LAUNCH_ITEMS(w->ctx, w->staggered.kernel.divergence_residual, foehn_wind_own_cells(w, 0),
                     ARG(*l), SOLVER_OPEN(w), VELOCITY(w, w->now), ARG(p), ARG(rhs),
                     ARG(residual)));
    return foehn_pressure_cycle(w->solver);
}

bool foehn_staggered_projects_wide(const foehn_wind *w)
{
    return foehn_wind_is_on_gpu(w) && !foehn_wind_is_periodic(w);
}

foehn_status foehn_staggered_project(foehn_wind *w)
{
    cl_mem p = foehn_pressure_field(w->solver);
    TRY(foehn_pressure_reach(w->solver, 1));
    if (foehn_staggered_projects_wide(w))
        return LAUNCH_ITEMS(w->ctx, w->staggered.kernel.project_wide, wide_faces(w, 1), ARG(w->g),
                            ARG(w->params.max_speed), SOLVER_OPEN(w), ARG(p), VELOCITY(w, w->now));
    TRY(LAUNCH_ITEMS(w->ctx, w->staggered.kernel.project_faces, foehn_wind_own_faces(w, 1),
                     ARG(w->g), ARG(w->params.max_speed), SOLVER_OPEN(w), ARG(p),
                     VELOCITY(w, w->now)));
    return wrap_velocity(w, w->velocity[w->now]);
}

foehn_status foehn_staggered_centers(foehn_wind *w, cl_mem velocity[3])
{
    cl_mem ax = foehn_pressure_open(w->solver, 0), az = foehn_pressure_open(w->solver, 2);
    for (int a = 0; a < 3; a++)
        velocity[a] = w->velocity[1 - w->now][a];
    return LAUNCH(w->ctx, w->staggered.kernel.center, foehn_wind_cells(w), ARG(w->g), ARG(ax),
                  ARG(az), VELOCITY(w, w->now), ARG(velocity[0]), ARG(velocity[1]),
                  ARG(velocity[2]));
}

foehn_status foehn_staggered_publish(foehn_wind *w, const cl_int first[3], cl_mem slot)
{
    cl_mem ax = foehn_pressure_open(w->solver, 0), az = foehn_pressure_open(w->solver, 2);
    return LAUNCH_ITEMS(w->ctx, w->staggered.kernel.publish_faces, foehn_wind_own_cells(w, 0),
                        ARG(w->g), ARG(first[0]), ARG(first[1]), ARG(first[2]), ARG(ax), ARG(az),
                        VELOCITY(w, w->now), ARG(w->curl), ARG(slot));
}

foehn_status foehn_staggered_project_publish(foehn_wind *w, const cl_int first[3], cl_mem slot)
{
    cl_mem p = foehn_pressure_field(w->solver);
    TRY(LAUNCH_ITEMS(w->ctx, w->staggered.kernel.project_publish, wide_faces(w, 0), ARG(w->g),
                     ARG(w->params.max_speed), ARG(first[0]), ARG(first[1]), ARG(first[2]),
                     SOLVER_OPEN(w), ARG(p), VELOCITY(w, w->now), ARG(w->curl),
                     VELOCITY(w, 1 - w->now), ARG(slot)));
    w->now = 1 - w->now;
    return FOEHN_OK;
}

/* The next way of at most `most` cells along x and z towards where the box goes, of all before and
 * it. */
static bool go_on(const cl_int to[3], cl_int most, cl_int way[3], cl_int all[3])
{
    bool goes = false;
    for (int a = 0; a < 3; a++) {
        const cl_int left = to[a] - all[a];
        way[a] = a == 1 ? left : left > most ? most : left < -most ? -most : left;
        all[a] += way[a];
        goes = goes || way[a] != 0;
    }
    return goes;
}

/* By as many cells as a part sees of its neighbours. */
static foehn_status scroll(foehn_wind *w, const wind_forcing *f, const cl_int way[3],
                           const cl_int all[3])
{
    /* Pressure moves through the solver's scratch and back. */
    cl_mem p = foehn_pressure_field(w->solver), moved = foehn_pressure_residual(w->solver);
    cl_mem ax = foehn_pressure_open(w->solver, 0), az = foehn_pressure_open(w->solver, 2);
    TRY(LAUNCH(w->ctx, w->staggered.kernel.scroll_faces, foehn_wind_faces(w), ARG(w->g), ARG(*f),
               ARG(way[0]), ARG(way[1]), ARG(way[2]), ARG(all[0]), ARG(all[1]), ARG(all[2]),
               ARG(w->ground.corner), ARG(ax), ARG(az), VELOCITY(w, w->now), ARG(p),
               VELOCITY(w, 1 - w->now), ARG(moved)));
    w->now = 1 - w->now;
    cl_int code = clEnqueueCopyBuffer(w->ctx->queue, moved, p, 0, 0,
                                      foehn_grid_elements(&w->g) * sizeof(float), 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return foehn_fail_cl(code, "moving the pressure with the box");
    foehn_pressure_changed(w->solver);
    return FOEHN_OK;
}

foehn_status foehn_staggered_scroll(foehn_wind *w, const wind_forcing *f, const cl_int shift[3])
{
    cl_int most = INT_MAX, way[3], all[3] = {0, 0, 0};
    const bool keeps = abs(shift[0]) < w->g.whole_x && abs(shift[2]) < w->g.whole_z;
    if (w->part && keeps) {
        const int *halo = w->part->plan.halo;
        most = halo[0] < halo[1] ? halo[0] : halo[1];
    }
    while (go_on(shift, most, way, all)) {
        const cl_mem *u = w->velocity[w->now];
        const cl_mem moved[4] = {u[0], u[1], u[2], foehn_pressure_field(w->solver)};
        if (w->part && keeps && (way[0] != 0 || way[2] != 0))
            TRY(foehn_part_share(w->part, &w->g, most, 4, moved));
        TRY(scroll(w, f, way, all));
    }
    return wrap_velocity(w, w->velocity[w->now]);
}
