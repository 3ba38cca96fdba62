/* SPDX-License-Identifier: MIT */
/* The model that forces: velocity on faces relaxes towards the profile, noise and gusts; real time.
 */
#include "wind/faces.h"
#include "wind/model.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 50 }; /* of cycles a step, until the divergence is small enough */

static bool takes(const foehn_wind_params *p)
{
    return p->model == FOEHN_WIND_FORCING && p->scheme == FOEHN_WIND_STAGGERED;
}

static foehn_status scroll(foehn_wind *w, const cl_int shift[3])
{
    wind_forcing f = foehn_wind_forcing(w, 0);
    return foehn_staggered_scroll(w, &f, shift);
}

/* How a step solves: a fixed number of cycles, so that nothing is waited for. */
static foehn_pressure_stop stop_of(const foehn_wind *w)
{
    static const foehn_pressure_method methods[] = {
        [FOEHN_WIND_PRESSURE_MULTIGRID] = FOEHN_PRESSURE_LIGHT,
        [FOEHN_WIND_PRESSURE_MGCG] = FOEHN_PRESSURE_MGCG,
    };
    foehn_pressure_method method = methods[w->params.pressure];
    if (method == FOEHN_PRESSURE_LIGHT && foehn_wind_has_solids(w))
        method = FOEHN_PRESSURE_MULTIGRID;
    else if (method == FOEHN_PRESSURE_LIGHT && w->params.cycles > 1)
        method = FOEHN_PRESSURE_VCYCLE;
    return (foehn_pressure_stop){method, w->params.cycles, 0};
}

/* More cycles until the largest divergence is small enough, or rounding is all that is left of it.
 */
static foehn_status go_on(foehn_wind *w, foehn_pressure_stop stop)
{
    const double most = (double)w->params.divergence * (double)w->clock.state.u10 / (double)w->g.hx;
    double worst, before = INFINITY;
    TRY(foehn_pressure_worst(w->solver, &worst));
    for (int rounds = 1; worst > most && worst < before && rounds < MOST_ROUNDS; rounds++) {
        before = worst;
        TRY(foehn_pressure_solve(w->solver, stop, NULL));
        TRY(foehn_pressure_worst(w->solver, &worst));
        w->cycles += (uint64_t)stop.cycles;
    }
    if (!w->measuring)
        return FOEHN_OK;
    const double first = w->solved.residual_first;
    TRY(foehn_pressure_measure(w->solver, &w->solved));
    w->solved.residual_first = first;
    return FOEHN_OK;
}

static foehn_status predict(foehn_wind *w, float dt)
{
    wind_forcing f = foehn_wind_forcing(w, dt);
    foehn_pressure_stop stop = stop_of(w);
    int layers;
    TRY(foehn_wind_layers(w, dt, &layers));
    TRY(foehn_wind_send(w, layers));
    TRY(foehn_staggered_force(w, &f)); /* u <- u + (1 - exp(-r dt)) (u_target - u) */
    const bool is_light = stop.method == FOEHN_PRESSURE_LIGHT && stop.cycles == 1 && !w->measuring;
    if (is_light && !w->third[0]) /* MacCormack's scheme sends velocities */
        TRY(foehn_pressure_send(w->solver, 1));
    TRY(foehn_staggered_advect(w, dt)); /* u <- u(x - u dt), 0 in solids            */
    w->measured = w->measuring;
    w->cycles += (uint64_t)stop.cycles;
    if (is_light)
        TRY(foehn_staggered_cycle(w)); /* lap p = div u                            */
    else
        TRY(foehn_staggered_solve(w, stop, w->measuring ? &w->solved : NULL));
    return w->params.divergence > 0 ? go_on(w, stop) : FOEHN_OK;
}

static foehn_status divergence(foehn_wind *w, cl_mem *out)
{
    *out = foehn_pressure_rhs(w->solver);
    return foehn_staggered_divergence(w);
}

/* Faces take the mean of the two cells that share them, an edge face that of its cell (of both ends
 * where the box is periodic), and floor and lid 0. */
static foehn_status write_velocity(foehn_wind *w, int axis, const float *in)
{
    const size_t n[3] = {(size_t)w->g.nx, (size_t)w->g.ny, (size_t)w->g.nz};
    const size_t strides[3] = {1, n[0], n[0] * n[1]};
    size_t m[3] = {n[0], n[1], n[2]};
    m[axis]++;
    float *faces = malloc(m[0] * m[1] * m[2] * sizeof *faces);
    if (!faces)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a field of faces");
    bool wraps = foehn_wind_is_periodic(w) && axis != 1;
    for (size_t k = 0; k < m[2]; k++)
        for (size_t j = 0; j < m[1]; j++)
            for (size_t i = 0; i < m[0]; i++) {
                size_t at[3] = {i, j, k};
                size_t upper = at[axis], lower = at[axis];
                bool edge = upper == 0 || upper == n[axis];
                upper = upper == n[axis] ? (wraps ? 0 : n[axis] - 1) : upper;
                lower = lower == 0 ? (wraps ? n[axis] - 1 : 0) : lower - 1;
                at[axis] = 0;
                const float *base = in + i * (axis != 0) + strides[1] * at[1] + strides[2] * at[2];
                float mean = 0.5f * (base[upper * strides[axis]] + base[lower * strides[axis]]);
                faces[(k * m[1] + j) * m[0] + i] = axis == 1 && edge ? 0 : mean;
            }
    foehn_box box = foehn_grid_box(&w->g, sizeof(float));
    box.nx = m[0];
    box.ny = m[1];
    box.nz = m[2];
    foehn_status status = foehn_box_write(w->ctx, w->velocity[w->now][axis], box, faces);
    free(faces);
    return status == FOEHN_OK ? foehn_wind_wrap(w, w->velocity[w->now][axis]) : status;
}

static cl_mem pressure(const foehn_wind *w)
{
    return foehn_pressure_field(w->solver);
}

static foehn_status residual(foehn_wind *w, double *ratio)
{
    *ratio = w->solved.residual_first > 0 ? w->solved.residual_last / w->solved.residual_first : 0;
    return FOEHN_OK;
}

const wind_model foehn_model_forcing = {
    .name = "forcing",
    .takes = takes,
    .in_parts = true,
    .carries = true,
    .memory = foehn_staggered_memory,
    .create = foehn_staggered_create,
    .destroy = foehn_staggered_destroy,
    .update_ground = foehn_staggered_update,
    .scroll = scroll,
    .advance = foehn_wind_advance_clock,
    .predict = predict,
    .project = foehn_staggered_project,
    .publish = foehn_staggered_publish,
    .fuses = foehn_staggered_projects_wide,
    .project_publish = foehn_staggered_project_publish,
    .divergence = divergence,
    .centers = foehn_staggered_centers,
    .write_velocity = write_velocity,
    .pressure = pressure,
    .residual = residual,
    .solve = foehn_staggered_solve_mean,
};
