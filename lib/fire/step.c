/* SPDX-License-Identifier: MIT */
/* The fire's schedule: what one update and one fixed step are. */
#include "fire/state.h"

#include <math.h>

enum { A = 0 };

/* ---- what the kernels are told ---- */

static float loss(float rate, double dt)
{
    return (float)fmax(1 - (double)rate * dt, 0);
}

static fire_motion motion_of(const foehn_fire *f, double dt)
{
    const foehn_fire_params *p = &f->params;
    const double world_up[3] = {0, 1, 0}, h = FIRE_PHYSICS_VOXEL;
    double up[3];
    double drift = f->clock.time / (double)p->noise_frequency;
    foehn_matrix_vector(&f->to_box, world_up, up);
    return (fire_motion){
        .dt = (f32)dt,
        .up_x = (f32)up[0],
        .up_y = (f32)up[1],
        .up_z = (f32)up[2],
        .buoyancy = foehn_fire_burns(f) ? p->buoyancy * FIRE_GRAVITY : p->buoyancy,
        .weight = p->smoke_weight,
        .damping = loss(p->damping, dt),
        .confinement = (f32)((double)p->confinement * h),
        .eta = (f32)(h * h),
        .turbulence = p->turbulence,
        .decay = p->noise_decay,
        .frequency = p->noise_frequency,
        .drift_y = (f32)fmod(0.15 * drift, 1),
        .drift_z = (f32)fmod(0.01 * drift, 1),
        .friction = p->friction,
        .keep_density = loss(p->dissipation, dt),
        .keep_heat = loss(p->cooling, dt),
    };
}

/* ---- stages ---- */

static foehn_status vorticity(foehn_fire *f)
{
    return LAUNCH(f->ctx, f->kernel.vorticity, foehn_fire_cells(&f->g), ARG(f->g), AIR(f, A),
                  ARG(f->omega));
}

/* B <- A - dt (A . grad) A, central; four stages (Jameson, Schmidt and Turkel 1981): of a wave of
 * four voxels that moves on by one they take 0.6 %, three stages would take 2.8 %. */
static foehn_status transport(foehn_fire *f, float dt)
{
    enum { STAGES = 4 };
    int of = A, to = f->b;
    for (int n = 0; n < STAGES; n++) {
        float part = dt / (float)(STAGES - n);
        TRY(LAUNCH(f->ctx, f->kernel.transport, foehn_fire_faces(&f->g), ARG(f->g), ARG(part),
                   AIR(f, of), AIR(f, A), AIR(f, to)));
        of = to;
        to = 3 - to;
    }
    f->b = of;
    return FOEHN_OK;
}

/* B <- A(x - A dt). */
static foehn_status advect(foehn_fire *f, const fire_motion *m)
{
    if (f->params.velocity_transport == FOEHN_FIRE_CENTRAL && !f->too_fast)
        return transport(f, m->dt);
    TRY(LAUNCH(f->ctx, f->kernel.advect, foehn_fire_air(f), ARG(f->g), ARG(m->dt), AIR(f, A),
               AIR(f, f->b)));
    if (f->params.velocity_transport == FOEHN_FIRE_SEMI_LAGRANGIAN)
        return FOEHN_OK;
    int next = 3 - f->b;
    TRY(LAUNCH(f->ctx, f->kernel.advect_correct, foehn_fire_air(f), ARG(f->g), ARG(m->dt),
               AIR(f, A), AIR(f, f->b), AIR(f, next)));
    f->b = next;
    return FOEHN_OK;
}

static foehn_status force(foehn_fire *f, const fire_motion *m)
{
    return LAUNCH(f->ctx, f->kernel.force, foehn_fire_air(f), ARG(f->g), ARG(f->r), ARG(*m),
                  ARG(f->noise), ARG(f->dye[f->dye_now]), ARG(f->omega), ARG(f->wind), ARG(f->sdf),
                  ARG(f->surface), AIR(f, f->b));
}

foehn_status foehn_fire_divergence(foehn_fire *f, int n, cl_mem out)
{
    return LAUNCH(f->ctx, f->kernel.divergence, foehn_fire_cells(&f->g), ARG(f->g), ARG(f->sdf),
                  ARG(f->surface), AIR(f, n), ARG(out));
}

/* Damping of sweep n of a block of m: roots of the Chebyshev polynomial that multiplies what p
 * lacks by 0.15 at most wherever it can, and by no less than -0.15 anywhere: below -1/3 steps that
 * start from the last one's pressure are unstable (doc/numerics.md). */
static float damping(int n, int m)
{
    static const int order[4] = {0, 3, 1, 2};
    double scale = cosh(acosh(1 / 0.15) / m), lowest = 2 * (scale - 1) / (scale + 1);
    return foehn_pressure_damping(lowest, m == 4 ? order[n] : n, m);
}

static foehn_status sweep_wide(foehn_fire *f)
{
    const int sweeps = foehn_fire_sweeps(&f->params);
    cl_mem p = foehn_pressure_field(f->pressure), from = p,
           to = foehn_pressure_residual(f->pressure);
    cl_mem div = foehn_pressure_rhs(f->pressure);
    for (int n = 0; n < sweeps; n++) { /* in blocks of four and what is left */
        int block = n / 4 * 4;
        float omega = damping(n - block, sweeps - block < 4 ? sweeps - block : 4);
        TRY(LAUNCH(f->ctx, f->kernel.sweep_wide, foehn_fire_cells(&f->g), ARG(f->g), ARG(omega),
                   ARG(f->sdf), ARG(div), ARG(from), ARG(to)));
        cl_mem swept = to;
        to = from;
        from = swept;
    }
    if (from == p)
        return FOEHN_OK;
    cl_int code = clEnqueueCopyBuffer(f->ctx->queue, from, p, 0, 0,
                                      foehn_grid_elements(&f->g) * sizeof(float), 0, NULL, NULL);
    return code == CL_SUCCESS ? FOEHN_OK
                              : foehn_fail_cl(code, "the pressure after an odd number of sweeps");
}

static foehn_status solve(foehn_fire *f)
{
    if (f->params.pressure == FOEHN_FIRE_WIDE)
        return sweep_wide(f);
    bool jacobi = f->params.pressure == FOEHN_FIRE_JACOBI;
    foehn_pressure_stop stop = {
        .method = jacobi ? FOEHN_PRESSURE_JACOBI : FOEHN_PRESSURE_MULTIGRID,
        .cycles = foehn_fire_sweeps(&f->params),
    };
    return foehn_pressure_solve(f->pressure, stop, NULL);
}

/* div (grad p) = div B - S from the last step's p; A <- B - grad p. */
static foehn_status project(foehn_fire *f)
{
    TRY(foehn_fire_divergence(f, f->b, foehn_pressure_rhs(f->pressure)));
    TRY(foehn_fire_expand(f));
    TRY(foehn_fire_less(f, foehn_pressure_rhs(f->pressure)));
    TRY(solve(f));
    cl_mem p = foehn_pressure_field(f->pressure);
    return LAUNCH(f->ctx, f->kernel.project, foehn_fire_air(f), ARG(f->g), ARG(f->params.friction),
                  ARG(f->sdf), ARG(f->surface), ARG(p), AIR(f, f->b), AIR(f, A));
}

/* The same of a fire that burns, without losses and by mass: back into the dye's own buffer, what
 * cubic metres held before is in *contents. */
static foehn_status carry(foehn_fire *f, float dt, int *contents)
{
    const foehn_kernel *kernel = &f->kernel.dye[f->collider_count > 0];
    const foehn_kernel *correct = &f->kernel.dye_correct[f->collider_count > 0];
    cl_int last = f->params.dye_transport != FOEHN_FIRE_MACCORMACK;
    int dyes = last ? 2 : 3, now = f->dye_now, hat = last ? now : (now + 2) % dyes;
    *contents = (now + 1) % dyes;
    TRY(LAUNCH(f->ctx, f->kernel.fill_up, foehn_fire_cells(&f->r), ARG(f->r), ARG(f->dye[now]),
               ARG(f->dye[*contents]), ARG(f->awake)));
    TRY(LAUNCH(f->ctx, *kernel, foehn_fire_cells(&f->r), ARG(f->g), ARG(f->r), ARG(dt), ARG(last),
               ARG(f->sdf), ARG(f->eddies), AIR(f, A), ARG(f->dye[*contents]), ARG(f->dye[hat]),
               ARG(f->burnt), ARG(f->awake)));
    if (last)
        return FOEHN_OK;
    return LAUNCH(f->ctx, *correct, foehn_fire_cells(&f->r), ARG(f->g), ARG(f->r), ARG(dt),
                  ARG(f->sdf), ARG(f->eddies), AIR(f, A), ARG(f->dye[*contents]), ARG(f->dye[hat]),
                  ARG(f->dye[now]), ARG(f->burnt), ARG(f->awake));
}

/* Dye A -> dye B with losses; returns the buffer it is in. */
static foehn_status move_dye(foehn_fire *f, const fire_motion *m, int *next)
{
    bool correct = f->params.dye_transport == FOEHN_FIRE_MACCORMACK;
    int dyes = correct ? 3 : 2, hat = (f->dye_now + 1) % dyes;
    const foehn_kernel *dye = &f->kernel.dye[f->collider_count > 0];
    const foehn_kernel *dye_correct = &f->kernel.dye_correct[f->collider_count > 0];
    fire_motion back = *m;
    if (correct)
        back.keep_density = back.keep_heat = 1;
    TRY(LAUNCH(f->ctx, *dye, foehn_fire_cells(&f->r), ARG(f->g), ARG(f->r), ARG(back), ARG(f->sdf),
               AIR(f, A), ARG(f->dye[f->dye_now]), ARG(f->dye[hat])));
    *next = hat;
    if (!correct)
        return FOEHN_OK;
    *next = (f->dye_now + 2) % dyes;
    return LAUNCH(f->ctx, *dye_correct, foehn_fire_cells(&f->r), ARG(f->g), ARG(f->r), ARG(*m),
                  ARG(f->sdf), AIR(f, A), ARG(f->dye[f->dye_now]), ARG(f->dye[hat]),
                  ARG(f->dye[*next]));
}

foehn_status foehn_fire_book(foehn_fire *f, cl_mem dye, cl_int emitted)
{
    if (!f->budget)
        return FOEHN_OK;
    float keep = loss(f->params.dissipation, (double)f->params.speed * FIRE_BASE_STEP);
    return LAUNCH(f->ctx, f->kernel.budget, ((foehn_size){(size_t)f->r.ny, (size_t)f->r.nz, 1}),
                  ARG(f->r), ARG(emitted), ARG(keep), ARG(dye), ARG(f->budget));
}

/* ---- schedule ---- */

/* A step of a fire, or a part of it; last: its dt over that of the one before. */
static foehn_status one_part(foehn_fire *f, double dt, double last)
{
    const fire_motion m = motion_of(f, dt);
    int next;
    TRY(vorticity(f));
    TRY(advect(f, &m));
    TRY(foehn_fire_inertia(f, &m, last));
    TRY(force(f, &m));
    TRY(foehn_fire_inject(f, f->b));
    TRY(project(f));
    if (foehn_fire_burns(f)) {
        TRY(foehn_fire_wake(f, foehn_fire_rounds(f, m.dt)));
        TRY(carry(f, m.dt, &next));
        TRY(foehn_fire_burn(f, m.dt, f->dye_now, next));
        return foehn_fire_fly_brands(f, m.dt);
    }
    TRY(move_dye(f, &m, &next));
    TRY(foehn_fire_book(f, f->dye[next], 0));
    TRY(foehn_fire_emit(f, f->dye[next]));
    TRY(foehn_fire_book(f, f->dye[next], 1));
    f->dye_now = next;
    return FOEHN_OK;
}

static foehn_status one_step(foehn_fire *f)
{
    const double dt = (double)f->params.speed * FIRE_BASE_STEP;
    int parts;
    TRY(foehn_fire_weigh(f));
    TRY(foehn_fire_divide(f, dt, &parts));
    TRY(foehn_fire_launch_brands(f, dt));
    for (int n = 0; n < parts; n++)
        TRY(one_part(f, dt / parts,
                     n == 0 && f->clock.parts > 0 ? (double)f->clock.parts / parts : 1));
    f->clock.parts = parts;
    f->started = true;
    f->clock.step++;
    f->clock.time += dt;
    return FOEHN_OK;
}

static foehn_status steps(foehn_fire *f, int count)
{
    uint64_t before = f->ctx->launches;
    f->clock.last_steps = count;
    if (count > 0) {
        TRY(foehn_fire_refresh_noise(f));
        TRY(foehn_fire_refresh_colliders(f));
        TRY(foehn_fire_create_dye(f));
        TRY(foehn_fire_refresh_proxies(f));
    }
    for (int n = 0; n < count; n++)
        TRY(one_step(f));
    f->launches += f->ctx->launches - before;
    return FOEHN_OK;
}

foehn_status foehn_fire_step(foehn_fire *f)
{
    return steps(f, 1);
}

foehn_status foehn_fire_update(foehn_fire *f, double dt)
{
    if (!(dt >= 0 && isfinite(dt)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_fire_update: dt = %g s: must be >= 0", dt);
    if (dt == 0) {
        f->clock.last_steps = 0;
        return FOEHN_OK;
    }
    /* Sums of 1/60 or 1/30 in doubles shall give whole steps. */
    double whole = floor((f->clock.waiting + dt) / FIRE_BASE_STEP + 1e-9);
    f->clock.waiting = fmax(f->clock.waiting + dt - whole * FIRE_BASE_STEP, 0);
    int count = (int)fmin(whole, f->params.max_steps);
    f->clock.dropped += (whole - count) * FIRE_BASE_STEP;
    return steps(f, count);
}
