/* SPDX-License-Identifier: MIT */
/* One step of the flow lab, a function a stage. */
#include "flow/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- boundary ---- */

foehn_status foehn_flow_edges(foehn_flow *f, int pair, cl_int keep)
{
    int longest = f->g.nx > f->g.ny ? f->g.nx : f->g.ny;
    foehn_size size = {(size_t)longest + 1, 4, 1};
    return LAUNCH(f->ctx, f->kernel.edges, size, ARG(f->g), ARG(f->sides), ARG(keep),
                  PAIR(f, pair));
}

static foehn_status foehn_flow_edges_ink(foehn_flow *f, cl_mem ink)
{
    int longest = f->g.nx > f->g.ny ? f->g.nx : f->g.ny;
    foehn_size size = {(size_t)longest + 2, 4, FLOW_CHANNELS};
    return LAUNCH(f->ctx, f->kernel.edges_ink, size, ARG(f->g), ARG(f->sides), ARG(f->plane),
                  ARG(ink));
}

static foehn_status write_surface(foehn_flow *f)
{
    const flow_surface *s = &f->surface;
    TRY(foehn_buffer_write(f->ctx, f->mask, 0, s->elements, s->mask));
    TRY(foehn_buffer_write(f->ctx, f->owner, 0, s->elements, s->owner));
    for (int a = 0; a < 2; a++) {
        cl_mem open = foehn_pressure_open(f->pressure, a);
        TRY(foehn_buffer_write(f->ctx, open, 0, s->elements, s->open[a]));
        for (int b = 0; b < 2; b++)
            TRY(foehn_buffer_write(f->ctx, f->link[a][b], 0, s->elements * sizeof(uint16_t),
                                   s->link[a][b]));
    }
    if (f->wide)
        TRY(foehn_buffer_write(f->ctx, f->plain, 0, s->groups, s->plain));
    return foehn_pressure_update(f->pressure);
}

static void take_speeds(foehn_flow *f)
{
    memset(&f->speeds, 0, sizeof f->speeds);
    f->moving = 0;
    for (int i = 0; i < FOEHN_FLOW_MOST_OBSTACLES; i++) {
        f->speeds.u[1 + i] = f->things.obstacle[i].velocity[0];
        f->speeds.v[1 + i] = f->things.obstacle[i].velocity[1];
        f->moving = f->moving || f->speeds.u[1 + i] != 0 || f->speeds.v[1 + i] != 0;
    }
}

foehn_status foehn_flow_refresh(foehn_flow *f)
{
    if (f->surface_is_stale) {
        const int wrap[2] = {f->motion.wrap_x ? f->g.nx : 0, f->motion.wrap_y ? f->g.ny : 0};
        foehn_outlines_destroy(&f->outlines);
        TRY(foehn_outlines_create(&f->things, f->h, wrap, &f->outlines));
        TRY(foehn_surface_make(&f->surface, &f->g, f->params.sides, f->params.surface,
                               &f->outlines));
        TRY(write_surface(f));
        f->surface_is_stale = false;
        f->speeds_are_stale = true;
    }
    if (f->speeds_are_stale) {
        take_speeds(f);
        TRY(LAUNCH(f->ctx, f->kernel.solids, foehn_flow_cells(f), ARG(f->g), ARG(f->speeds),
                   ARG(f->mask), ARG(f->owner), PAIR(f, f->now)));
        f->speeds_are_stale = false;
    }
    return FOEHN_OK;
}

/* What was dragged during the last step, and is not dragged further, rests. */
static void end_drags(foehn_flow *f)
{
    for (int i = 0; i < FOEHN_FLOW_MOST_OBSTACLES; i++) {
        if (f->drag_ends[i] && !f->dragged[i]) {
            memset(f->things.obstacle[i].velocity, 0, sizeof f->things.obstacle[i].velocity);
            f->speeds_are_stale = true;
        }
        f->drag_ends[i] = f->dragged[i];
        f->dragged[i] = false;
    }
}

/* ---- stages ---- */

/* u <- u + dt f of a pair. */
static foehn_status push(foehn_flow *f, int pair, float dt)
{
    float x = dt * f->params.force[0], y = dt * f->params.force[1];
    if (x == 0 && y == 0)
        return FOEHN_OK;
    TRY(LAUNCH(f->ctx, f->kernel.push, foehn_flow_faces(f), ARG(f->g), ARG(x), ARG(y), ARG(f->mask),
               PAIR(f, pair)));
    return foehn_flow_edges(f, pair, 0);
}

/* Strokes of the hand. */
static foehn_status stir(foehn_flow *f)
{
    for (int n = 0; n < f->stir_count; n++) {
        TRY(LAUNCH(f->ctx, f->kernel.splat, foehn_flow_faces(f), ARG(f->g), ARG(f->stirs[n]),
                   ARG(f->motion.wrap_x), ARG(f->motion.wrap_y), ARG(f->plane), ARG(f->mask),
                   PAIR(f, f->now), ARG(f->ink)));
        for (int k = 0; k < FLOW_CHANNELS; k++)
            f->has_ink = f->has_ink || f->stirs[n].ink[k] > 0;
    }
    return f->stir_count ? foehn_flow_edges(f, f->now, 0) : FOEHN_OK;
}

/* of <- of(x - dt u), MacCormack; u is the velocity now, and what was carried is that then. */
static foehn_status advect(foehn_flow *f, int of)
{
    int now = f->now, free[2], n = 0;
    for (int pair = 0; pair < f->pairs && n < 2; pair++)
        if (pair != now && pair != of)
            free[n++] = pair;
    int hat = free[0], next = free[1];
    foehn_size size = foehn_flow_items(f, foehn_flow_faces(f));
    TRY(LAUNCH(f->ctx, f->kernel.advect_back, size, ARG(f->g), ARG(f->motion), ARG(f->mask),
               PAIR(f, now), PAIR(f, of), PAIR(f, hat), ARG(f->range[0]), ARG(f->range[1]),
               ARG(f->range[2]), ARG(f->range[3])));
    TRY(foehn_flow_edges(f, hat, 0));
    TRY(LAUNCH(f->ctx, f->kernel.advect_correct, size, ARG(f->g), ARG(f->motion), ARG(f->mask),
               PAIR(f, now), PAIR(f, of), PAIR(f, hat), ARG(f->range[0]), ARG(f->range[1]),
               ARG(f->range[2]), ARG(f->range[3]), PAIR(f, next)));
    f->now = next;
    return foehn_flow_edges(f, f->now, 0);
}

/* Iterations that cut the error 1000-fold: 2 r^n / (1 + r^2n) <= 1 / 1000 with Chebyshev's rate r.
 * (A driven flow at rest keeps this share of error: 120-fold left 1 % in a channel.) */
static int viscous_iterations(double radius)
{
    double rate = radius / (1 + sqrt(1 - radius * radius)), error = 1;
    int n = 0;
    while (error > 1.0 / 1000 && n < 1000) {
        double power = pow(rate, ++n);
        error = 2 * power / (1 + power * power);
    }
    return n;
}

/* One iteration from pairs `before` and `now` into `next`. */
static foehn_status relax(foehn_flow *f, float weight, float omega, int right, int before, int now,
                          int next)
{
    foehn_size size = foehn_flow_items(f, foehn_flow_faces(f));
    if (f->wide)
        return LAUNCH(f->ctx, f->kernel.viscosity, size, ARG(f->g), ARG(f->sides), ARG(weight),
                      ARG(omega), ARG(f->plain), ARG(f->mask), ARG(f->link[0][0]),
                      ARG(f->link[0][1]), ARG(f->link[1][0]), ARG(f->link[1][1]), PAIR(f, right),
                      PAIR(f, before), PAIR(f, now), PAIR(f, next));
    return LAUNCH(f->ctx, f->kernel.viscosity, size, ARG(f->g), ARG(f->sides), ARG(f->motion),
                  ARG(weight), ARG(omega), ARG(f->mask), ARG(f->link[0][0]), ARG(f->link[0][1]),
                  ARG(f->link[1][0]), ARG(f->link[1][1]), PAIR(f, right), PAIR(f, before),
                  PAIR(f, now), PAIR(f, next));
}

/* (1 - nu dt lap) u = u_old, Chebyshev-Jacobi (Golub and Varga 1961). */
static foehn_status diffuse(foehn_flow *f, float dt)
{
    double a = (double)f->params.viscosity * (double)dt / (f->h * f->h);
    if (a == 0)
        return FOEHN_OK;
    double radius = 4 * a / (1 + 4 * a), omega = 1;
    float weight = (float)a;
    int right = f->now, one = (right + 1) % f->pairs, two = (right + 2) % f->pairs;
    int before = right, now = right, iterations = viscous_iterations(radius);
    for (int n = 0; n < iterations; n++) {
        int next = n % 2 ? two : one;
        TRY(relax(f, weight, (float)omega, right, before, now, next));
        before = now;
        now = next;
        omega = n == 0 ? 1 / (1 - 0.5 * radius * radius) : 1 / (1 - 0.25 * radius * radius * omega);
    }
    f->now = now;
    return foehn_flow_edges(f, f->now, 0);
}

/* What a projection is to leave of |div| h / U when no number of cycles is asked for, and within
 * how many. */
static const double most_divergence = 1e-5;
enum { LEAST_CYCLES = 3, MOST_CYCLES = 12, SWEEPS = 400 };

/* V-cycles are cheapest, but they hardly touch what solids thinner than a coarse cell part, and
 * where an outflow lies on an axis that cannot be halved three times a coarse level's p = 0 lies
 * too far out, and they can diverge: F-cycles there. */
static foehn_pressure_method method_of(const foehn_flow *f)
{
    if (f->params.solver == FOEHN_FLOW_SOR)
        return FOEHN_PRESSURE_SOR;
    if (f->surface.thin)
        return FOEHN_PRESSURE_MULTIGRID;
    for (int i = 0; i < 4; i++)
        if (f->params.sides[i].kind == FOEHN_FLOW_OUTFLOW && (i < 2 ? f->g.nx : f->g.ny) % 8 != 0)
            return FOEHN_PRESSURE_MULTIGRID;
    return FOEHN_PRESSURE_VCYCLE;
}

/* LEAST_CYCLES, and more until the divergence is small or a cycle no longer makes it less, which is
 * rounding. Waits. */
static foehn_status solve_to_divergence(foehn_flow *f, float dt)
{
    const double most = most_divergence * f->reference / (f->h * (double)dt);
    foehn_pressure_stop stop = {.method = method_of(f), .cycles = LEAST_CYCLES};
    double worst, before = INFINITY;
    TRY(foehn_pressure_solve(f->pressure, stop, NULL));
    TRY(foehn_pressure_worst(f->pressure, &worst));
    f->cycles = LEAST_CYCLES;
    stop.cycles = 1;
    while (worst > most && worst < before && f->cycles < MOST_CYCLES) {
        before = worst;
        TRY(foehn_pressure_solve(f->pressure, stop, NULL));
        TRY(foehn_pressure_worst(f->pressure, &worst));
        f->cycles++;
    }
    return FOEHN_OK;
}

static foehn_status solve(foehn_flow *f, float dt)
{
    const foehn_flow_params *p = &f->params;
    if (p->solver == FOEHN_FLOW_MULTIGRID && p->cycles == 0 && p->reduction == 0)
        return solve_to_divergence(f, dt);
    const int most = p->solver == FOEHN_FLOW_SOR ? SWEEPS : MOST_CYCLES;
    foehn_pressure_stop stop = {
        .method = method_of(f),
        .cycles = p->cycles > 0 ? p->cycles : most,
        .reduction = (double)p->reduction,
    };
    foehn_pressure_stats stats = {.cycles = stop.cycles};
    TRY(foehn_pressure_solve(f->pressure, stop, stop.reduction > 0 ? &stats : NULL));
    f->cycles = stats.cycles;
    return FOEHN_OK;
}

/* to <- u - dt grad p. */
static foehn_status subtract_gradient(foehn_flow *f, int to)
{
    cl_mem p = foehn_pressure_field(f->pressure), open_x = foehn_pressure_open(f->pressure, 0);
    cl_mem open_y = foehn_pressure_open(f->pressure, 1);
    return LAUNCH(f->ctx, f->kernel.project, foehn_flow_faces(f), ARG(f->g), ARG(f->motion),
                  ARG(open_x), ARG(open_y), ARG(p), PAIR(f, f->now), PAIR(f, to));
}

/* div (grad p) = div u / dt; u <- u - dt grad p. */
static foehn_status project(foehn_flow *f, float dt)
{
    float inverse = 1 / dt;
    cl_mem open_x = foehn_pressure_open(f->pressure, 0), rhs = foehn_pressure_rhs(f->pressure);
    cl_mem open_y = foehn_pressure_open(f->pressure, 1);
    TRY(LAUNCH(f->ctx, f->kernel.divergence, foehn_flow_cells(f), ARG(f->g), ARG(f->speeds),
               ARG(f->moving), ARG(inverse), ARG(open_x), ARG(open_y), ARG(f->owner),
               PAIR(f, f->now), ARG(rhs)));
    TRY(solve(f, dt));
    TRY(subtract_gradient(f, f->now));
    return foehn_flow_edges(f, f->now, 1);
}

/* ink <- ink(x - dt u), MacCormack. */
static foehn_status move_ink(foehn_flow *f)
{
    if (!f->has_ink)
        return FOEHN_OK;
    TRY(foehn_flow_edges_ink(f, f->ink));
    foehn_size size = foehn_flow_items(f, foehn_flow_cells(f));
    TRY(LAUNCH(f->ctx, f->kernel.ink_back, size, ARG(f->g), ARG(f->motion), ARG(f->plane),
               ARG(f->mask), PAIR(f, f->now), ARG(f->ink), ARG(f->ink_hat), ARG(f->ink_low),
               ARG(f->ink_high)));
    TRY(foehn_flow_edges_ink(f, f->ink_hat));
    TRY(LAUNCH(f->ctx, f->kernel.ink_correct, size, ARG(f->g), ARG(f->motion), ARG(f->plane),
               ARG(f->mask), PAIR(f, f->now), ARG(f->ink), ARG(f->ink_hat), ARG(f->ink_low),
               ARG(f->ink_high), ARG(f->ink_low)));
    cl_mem moved = f->ink_low;
    f->ink_low = f->ink;
    f->ink = moved;
    return FOEHN_OK;
}

foehn_status foehn_flow_particles(foehn_flow *f, cl_int restart)
{
    cl_int count = (cl_int)f->params.particles;
    if (count == 0)
        return FOEHN_OK;
    cl_uint seed = (cl_uint)(f->params.seed * UINT64_C(0x9e3779b97f4a7c15) >> 32) +
                   (cl_uint)f->step_count * 2654435761u;
    if (!restart)
        TRY(LAUNCH(f->ctx, f->kernel.rim, ((foehn_size){foehn_flow_rim(&f->g), 1, 1}), ARG(f->g),
                   ARG(f->motion), PAIR(f, f->now), ARG(f->rim)));
    return LAUNCH(f->ctx, f->kernel.particles, ((foehn_size){(size_t)count, 1, 1}), ARG(f->g),
                  ARG(f->motion), ARG(count), ARG(restart), ARG(seed), ARG(f->mask),
                  PAIR(f, f->now), ARG(f->rim), ARG(f->particle[0]), ARG(f->particle[1]));
}

/* ---- step ---- */

/* The stages of dt, from the velocity `of`; the velocity now carries it. */
static foehn_status stages(foehn_flow *f, int of, float dt)
{
    int terms = f->params.terms;
    f->motion.cells = (f32)((double)dt / f->h);
    f->projected = terms & FOEHN_FLOW_PRESSURE ? (double)dt : 0;
    if (terms & FOEHN_FLOW_FORCE)
        TRY(push(f, of, dt));
    if (terms & FOEHN_FLOW_ADVECTION)
        TRY(advect(f, of));
    else
        f->now = of;
    if (terms & FOEHN_FLOW_VISCOSITY)
        TRY(diffuse(f, dt));
    if (terms & FOEHN_FLOW_PRESSURE)
        TRY(project(f, dt));
    return FOEHN_OK;
}

static foehn_status exchange(foehn_flow *f, cl_int after)
{
    cl_mem p = foehn_pressure_field(f->pressure);
    return LAUNCH(f->ctx, f->kernel.exchange, foehn_flow_cells(f), ARG(f->g), ARG(after), ARG(p),
                  ARG(f->second));
}

/* Two halves.  What the first projection took away would have turned the velocity, had it been
 * taken all along; taking it away once more gives the second half what the first one lacked
 * (Zehnder, Narain and Thomaszewski 2018, An advection-reflection solver for detail preservation in
 * fluid simulation). */
static foehn_status reflected_stages(foehn_flow *f, float dt)
{
    float half = 0.5f * dt;
    if (!(f->params.terms & FOEHN_FLOW_PRESSURE)) {
        TRY(stages(f, f->now, half));
        return stages(f, f->now, half);
    }
    TRY(stages(f, f->now, half));
    int of = (f->now + 1) % f->pairs;
    TRY(subtract_gradient(f, of));
    TRY(foehn_flow_edges(f, of, 1));
    TRY(exchange(f, 0));
    TRY(stages(f, of, half));
    f->projected = 0; /* by the second pressure, which is small */
    return exchange(f, 1);
}

foehn_status foehn_flow_step(foehn_flow *f, float dt)
{
    if (!(dt > 0 && isfinite(dt)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "foehn_flow_step: dt = %g: must be > 0",
                          (double)dt);
    end_drags(f);
    TRY(foehn_flow_refresh(f));
    if (f->params.terms & FOEHN_FLOW_FORCE)
        TRY(stir(f));
    if (f->params.splitting == FOEHN_FLOW_REFLECTION)
        TRY(reflected_stages(f, dt));
    else
        TRY(stages(f, f->now, dt));
    f->motion.cells = (f32)((double)dt / f->h);
    TRY(move_ink(f));
    f->step_count++;
    f->time += (double)dt;
    TRY(foehn_flow_particles(f, 0));
    f->stir_count = 0;
    return FOEHN_OK;
}

foehn_status foehn_stroke_check(const flow_stroke *s)
{
    float sum = s->x + s->y + s->dx + s->dy + s->inverse_length2 + s->inverse_radius2 + s->u + s->v;
    for (int k = 0; k < FLOW_CHANNELS; k++)
        sum += s->ink[k];
    if (!isfinite(sum) || s->inverse_radius2 < 0 || s->inverse_length2 < 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a stir: its members must be finite, the radius more than nothing");
    return FOEHN_OK;
}

foehn_status foehn_flow_add_stir(foehn_flow *f, const foehn_flow_stir *s)
{
    if (!(s->radius > 0 && isfinite(s->radius)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a stir with radius %g: must be finite and > 0",
                          (double)s->radius);
    if (f->stir_count == FLOW_STIRS)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "more than %d stirs in one step", FLOW_STIRS);
    float inverse = (float)(1 / f->h);
    flow_stroke out = (flow_stroke){
        .x = s->from[0] * inverse,
        .y = s->from[1] * inverse,
        .dx = (s->to[0] - s->from[0]) * inverse,
        .dy = (s->to[1] - s->from[1]) * inverse,
        .inverse_radius2 = 1 / (s->radius * inverse * s->radius * inverse),
        .u = s->velocity[0],
        .v = s->velocity[1],
    };
    float length2 = out.dx * out.dx + out.dy * out.dy;
    out.inverse_length2 = length2 > FLT_MIN ? 1 / length2 : 0;
    memcpy(out.ink, s->ink, sizeof out.ink);
    TRY(foehn_stroke_check(&out));
    f->stirs[f->stir_count++] = out;
    return FOEHN_OK;
}
