/* SPDX-License-Identifier: MIT */
/* One step of the flow lab: force, advection, viscosity, projection, ink.  Launched by
 * lib/flow/step.c.
 *
 * u lives on lower x faces (i = 0 to nx), v on lower y faces (j = 0 to ny), pressure and ink at
 * centres.  Velocities are per unit of length; a trace works in cells (flow_motion.cells = dt / h).
 * A face that is not free keeps its value: the box's edge (set by `edges`) or a solid's velocity
 * (set by `solids`).  Sums are paired so that a mirrored flow gives the mirrored bits. */
#include "flow/trace.h"

/* ---- boundary ---- */

/* 4 s (1 - s) along a side of n cells, or 1. */
FOEHN_INLINE float profile(flow_side side, int i, int n)
{
    float s = ((float)i + 0.5f) * ((float)(n - i) - 0.5f) * (4.0f / ((float)n * (float)n));
    return side.parabola ? s : 1.0f;
}

/* What the edge face f[c] of a side holds: a closed one its speed, one of an outflow the face just
 * inside, `in` away, one of a ring the face at the ring's beginning, `across` away (0: it is that).
 * Only what is needed is read, and nothing that another item of `edges` writes. */
FOEHN_INLINE float edge_value(flow_side side, int keep, int i, int n, global const float *f, idx c,
                              int in, int across)
{
    if (side.kind == FLOW_OUTFLOW)
        return f[keep ? c : c + in];
    if (side.kind == FLOW_PERIODIC)
        return f[c + across];
    return side.kind == FLOW_INFLOW ? side.normal * profile(side, i, n) : 0.0f;
}

/* Does an edge face hold something else than it does now? */
FOEHN_INLINE int is_set(flow_side side, int keep, int across)
{
    return side.kind == FLOW_OUTFLOW ? !keep : side.kind != FLOW_PERIODIC || across != 0;
}

/* u at an edge face (0, j) or (nx, j), v at (i, 0) or (i, ny), others as they are. */
FOEHN_INLINE float u_value(foehn_grid g, flow_sides s, int keep, int i, int j,
                           global const float *u)
{
    idx c = at(g, i, j, 0);
    return i == 0      ? edge_value(s.x0, keep, j, g.ny, u, c, 1, 0)
           : i == g.nx ? edge_value(s.x1, keep, j, g.ny, u, c, -1, -g.nx)
                       : u[c];
}
FOEHN_INLINE float v_value(foehn_grid g, flow_sides s, int keep, int i, int j,
                           global const float *v)
{
    idx c = at(g, i, j, 0);
    return j == 0      ? edge_value(s.y0, keep, i, g.nx, v, c, g.sy, 0)
           : j == g.ny ? edge_value(s.y1, keep, i, g.nx, v, c, -g.sy, -g.ny * g.sy)
                       : v[c];
}

/* A tangential ghost from the face just inside (on a ring: from the other end): mirrored about the
 * wall's own speed, or a copy. */
FOEHN_INLINE float ghost_value(flow_side side, float inside)
{
    int held = side.kind == FLOW_WALL || side.kind == FLOW_INFLOW;
    return held ? 2.0f * side.along - inside : inside;
}

/* Edge faces and ghosts.  Over max(nx, ny) + 1 by 4 sides.  keep: outflow faces stay as they are
 * (after the projection), else they copy the face just inside. */
kernel void edges(foehn_grid g, flow_sides s, int keep, global float *u, global float *v)
{
    int n = (int)get_global_id(0), side = (int)get_global_id(1);
    if (side < 2 && n <= g.ny) {
        flow_side own = side == 0 ? s.x0 : s.x1;
        int i = side == 0 ? 0 : g.nx, far = own.kind == FLOW_PERIODIC;
        if (n < g.ny && is_set(own, keep, i))
            u[at(g, i, n, 0)] = u_value(g, s, keep, i, n, u);
        if (n < g.ny && side == 0 && far)
            u[at(g, -1, n, 0)] = u[at(g, g.nx - 1, n, 0)];
        int ghost = side == 0 ? -1 : g.nx, inside = (side == 0) != far ? 0 : g.nx - 1;
        v[at(g, ghost, n, 0)] = ghost_value(own, v_value(g, s, keep, inside, n, v));
    }
    if (side >= 2 && side < 4 && n <= g.nx) {
        flow_side own = side == 2 ? s.y0 : s.y1;
        int j = side == 2 ? 0 : g.ny, far = own.kind == FLOW_PERIODIC;
        if (n < g.nx && is_set(own, keep, j))
            v[at(g, n, j, 0)] = v_value(g, s, keep, n, j, v);
        if (n < g.nx && side == 2 && far)
            v[at(g, n, -1, 0)] = v[at(g, n, g.ny - 1, 0)];
        int ghost = side == 2 ? -1 : g.ny, inside = (side == 2) != far ? 0 : g.ny - 1;
        u[at(g, n, ghost, 0)] = ghost_value(own, u_value(g, s, keep, n, inside, u));
    }
}

/* Faces held by a solid take its velocity: the mean of both cells where both are solid. */
kernel void solids(foehn_grid g, flow_speeds speeds, global const uchar *mask,
                   global const uchar *owner, global float *u, global float *v)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    int a = owner[c], west = owner[c - 1], south = owner[c - g.sy];
    int x = mask[c] & FLOW_SOLID, w = mask[c - 1] & FLOW_SOLID, s = mask[c - g.sy] & FLOW_SOLID;
    if (i > 0 && !(mask[c] & FLOW_U_FREE))
        u[c] = x && w ? 0.5f * (speeds.u[a] + speeds.u[west]) : speeds.u[w ? west : a];
    if (j > 0 && !(mask[c] & FLOW_V_FREE))
        v[c] = x && s ? 0.5f * (speeds.v[a] + speeds.v[south]) : speeds.v[s ? south : a];
}

/* Ghosts of ink: clean water beyond an inflow, a copy beyond the rest.  Over max(nx, ny) + 2 by 4
 * sides by the channels. */
kernel void edges_ink(foehn_grid g, flow_sides s, int plane, global float *ink)
{
    int n = (int)get_global_id(0) - 1, side = (int)get_global_id(1);
    global float *f = ink + (size_t)get_global_id(2) * (size_t)plane;
    int i = side == 0 ? -1 : side == 1 ? g.nx : n, j = side == 2 ? -1 : side == 3 ? g.ny : n;
    if (i > g.nx || j > g.ny || side > 3)
        return;
    int clean = (i < 0 && s.x0.kind == FLOW_INFLOW) || (i == g.nx && s.x1.kind == FLOW_INFLOW) ||
                (j < 0 && s.y0.kind == FLOW_INFLOW) || (j == g.ny && s.y1.kind == FLOW_INFLOW);
    float inside = f[at(g, clamp(i, 0, g.nx - 1), clamp(j, 0, g.ny - 1), 0)];
    f[at(g, i, j, 0)] = clean ? 0.0f : inside;
}

/* ---- force ---- */

/* u <- u + (x, y) on free faces; x and y are force times dt. */
kernel void push(foehn_grid g, float x, float y, global const uchar *mask, global float *u,
                 global float *v)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i > g.nx || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    u[c] += mask[c] & FLOW_U_FREE ? x : 0.0f;
    v[c] += mask[c] & FLOW_V_FREE ? y : 0.0f;
}

/* exp(-q) for q >= 0, within 4e-6 of it; 0 beyond 20.  (The driver's own exp is a call.) */
FOEHN_INLINE float decay(float q)
{
    float r = -q * 1.44269504f;
    int whole = (int)floor(max(r, -30.0f));
    float f = (r - (float)whole) * 0.69314718f;
    float e =
        1.0f +
        f * (1.0f + f * (0.5f + f * (0.16666667f + f * (0.041666667f +
                                                        f * (0.0083333333f + f * 0.0013888889f)))));
    return q < 20.0f ? e * as_float((whole + 127) << 23) : 0.0f;
}

/* Weight of a stroke at a place: exp(-|x - c|^2 / r^2), c the nearest point of its path. */
FOEHN_INLINE float stroke_weight(foehn_grid g, flow_stroke s, int wrap_x, int wrap_y, float x,
                                 float y)
{
    float nx = (float)g.nx, ny = (float)g.ny;
    float mx = x - s.x - 0.5f * s.dx, my = y - s.y - 0.5f * s.dy; /* from its middle */
    mx -= wrap_x ? nx * floor(mx / nx + 0.5f) : 0.0f;
    my -= wrap_y ? ny * floor(my / ny + 0.5f) : 0.0f;
    float along = clamp((mx * s.dx + my * s.dy) * s.inverse_length2, -0.5f, 0.5f);
    float ex = mx - along * s.dx, ey = my - along * s.dy;
    return decay((ex * ex + ey * ey) * s.inverse_radius2);
}

/* u <- u + w U on free faces; ink <- min(ink + w I, 1). */
kernel void splat(foehn_grid g, flow_stroke s, int wrap_x, int wrap_y, int plane,
                  global const uchar *mask, global float *u, global float *v, global float *ink)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i > g.nx || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    int bits = mask[c];
    float x = (float)i, y = (float)j;
    float wu = stroke_weight(g, s, wrap_x, wrap_y, x, y + 0.5f);
    float wv = stroke_weight(g, s, wrap_x, wrap_y, x + 0.5f, y);
    float wc = stroke_weight(g, s, wrap_x, wrap_y, x + 0.5f, y + 0.5f);
    u[c] += bits & FLOW_U_FREE ? wu * s.u : 0.0f;
    v[c] += bits & FLOW_V_FREE ? wv * s.v : 0.0f;
    wc = i < g.nx && j < g.ny && !(bits & FLOW_SOLID) ? wc : 0.0f;
    FOEHN_UNROLL
    for (int k = 0; k < FLOW_CHANNELS; k++) {
        float old = ink[c + k * plane];
        ink[c + k * plane] = wc > 0.0f ? clamp(old + wc * s.ink[k], 0.0f, 1.0f) : old;
    }
}

/* ---- advection: MacCormack (Selle et al. 2008), velocity falls back to the first pass ---- */

/* hat(x) = of(x - dt u(x - dt u / 2)), with the range of the values it was made from. */
kernel void advect_back(foehn_grid g, flow_motion m, global const uchar *mask,
                        global const float *u, global const float *v, global const float *of_u,
                        global const float *of_v, global float *hat_u, global float *hat_v,
                        global float *low_u, global float *high_u, global float *low_v,
                        global float *high_v)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i > g.nx || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    int bits = mask[c];
    float dx, dy, low, high;
    trace_u(g, m, -m.cells, i, j, u, v, &dx, &dy);
    float value = sample_range(g, m, of_u, dx, dy, (float)i, (float)j + 0.5f, i, j, &low, &high);
    hat_u[c] = bits & FLOW_U_FREE ? value : of_u[c];
    low_u[c] = low;
    high_u[c] = high;
    trace_v(g, m, -m.cells, i, j, u, v, &dx, &dy);
    value = sample_range(g, m, of_v, dx, dy, (float)i + 0.5f, (float)j, i, j, &low, &high);
    hat_v[c] = bits & FLOW_V_FREE ? value : of_v[c];
    low_v[c] = low;
    high_v[c] = high;
}

/* next = hat + (of - hat(x + dt u(x + dt u / 2))) / 2 where that stays in the range, else hat. */
kernel void advect_correct(foehn_grid g, flow_motion m, global const uchar *mask,
                           global const float *u, global const float *v, global const float *of_u,
                           global const float *of_v, global const float *hat_u,
                           global const float *hat_v, global const float *low_u,
                           global const float *high_u, global const float *low_v,
                           global const float *high_v, global float *next_u, global float *next_v)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i > g.nx || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    int bits = mask[c];
    float dx, dy, old = of_u[c], hat = hat_u[c];
    trace_u(g, m, m.cells, i, j, u, v, &dx, &dy);
    float value = hat + 0.5f * (old - sample(g, m, hat_u, dx, dy, (float)i, (float)j + 0.5f, 0.0f,
                                             0.0f, i, j));
    value = value >= low_u[c] && value <= high_u[c] ? value : hat;
    next_u[c] = bits & FLOW_U_FREE ? value : old;
    old = of_v[c];
    hat = hat_v[c];
    trace_v(g, m, m.cells, i, j, u, v, &dx, &dy);
    value = hat +
            0.5f * (old - sample(g, m, hat_v, dx, dy, (float)i + 0.5f, (float)j, 0.0f, 0.0f, i, j));
    value = value >= low_v[c] && value <= high_v[c] ? value : hat;
    next_v[c] = bits & FLOW_V_FREE ? value : old;
}

/* Offsets to the neighbours of (i, j); constant unless an axis is a ring, so that loads stay loads.
 */
FOEHN_INLINE void find_neighbours(foehn_grid g, flow_motion m, int i, int j, int *west, int *east,
                                  int *south, int *north)
{
    *west = -1;
    *east = 1;
    *south = -g.sy;
    *north = g.sy;
#ifdef FOEHN_FLOW_RINGS
    *west = m.wrap_x && i == 0 ? g.nx - 1 : -1;
    *east = m.wrap_x && i == g.nx - 1 ? 1 - g.nx : 1;
    *south *= m.wrap_y && j == 0 ? 1 - g.ny : 1;
    *north *= m.wrap_y && j == g.ny - 1 ? 1 - g.ny : 1;
#else
    (void)m, (void)i, (void)j;
#endif
}

/* ---- viscosity: (1 + a sum k) u - a sum k u_beyond = b, a = nu dt / h^2 ---- */

/* One Chebyshev-Jacobi iteration at one face: next = before + omega (J now - before), J now being
 * Jacobi's.  k: the links' weights times a; 1 between neighbours, 2 to a wall half a cell away, 0
 * across a slip wall, 1 / distance to a cut surface. */
FOEHN_INLINE float relax(float b, float before, float omega, float west, float east, float south,
                         float north, float kw, float ke, float ks, float kn)
{
    float diagonal = 1.0f + ((kw + ke) + (ks + kn));
    float sum = (kw * west + ke * east) + (ks * south + kn * north);
    return before + omega * ((b + sum) / diagonal - before);
}

/* next may be the same field as before. */
kernel void viscosity(foehn_grid g, flow_sides s, flow_motion m, float a, float omega,
                      global const uchar *mask, global const ushort *link_ux,
                      global const ushort *link_uy, global const ushort *link_vx,
                      global const ushort *link_vy, global const float *b_u,
                      global const float *b_v, global const float *before_u,
                      global const float *before_v, global const float *now_u,
                      global const float *now_v, global float *next_u, global float *next_v)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i > g.nx || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    int bits = mask[c];
    float k = a / (float)FLOW_LINK;
    int west, east, south, north;
    find_neighbours(g, m, i, j, &west, &east, &south, &north);
    int on_y0 = !m.wrap_y && j == 0, on_y1 = !m.wrap_y && j == g.ny - 1;
    int on_x0 = !m.wrap_x && i == 0, on_x1 = !m.wrap_x && i == g.nx - 1;

    float own = now_u[c];
    float value =
        relax(b_u[c], before_u[c], omega, now_u[c + west], now_u[c + east],
              on_y0 ? s.y0.along : now_u[c + south], on_y1 ? s.y1.along : now_u[c + north],
              k * (float)link_ux[c], k * (float)link_ux[c + 1], k * (float)link_uy[c],
              k * (float)link_uy[c + g.sy]);
    next_u[c] = bits & FLOW_U_FREE ? value : own;

    own = now_v[c];
    value = relax(b_v[c], before_v[c], omega, on_x0 ? s.x0.along : now_v[c + west],
                  on_x1 ? s.x1.along : now_v[c + east], now_v[c + south], now_v[c + north],
                  k * (float)link_vx[c], k * (float)link_vx[c + 1], k * (float)link_vy[c],
                  k * (float)link_vy[c + g.sy]);
    next_v[c] = bits & FLOW_V_FREE ? value : own;
}

/* ---- projection ---- */

/* What flows through a face of openness o: through the open part the water's velocity, through the
 * rest the solid's.  A closed face holds what it lets through, an edge too. */
#ifdef FOEHN_FLOW_FRACTIONS
FOEHN_INLINE float through(uchar open, float velocity, float solid)
{
    float o = (float)open * (1.0f / 255.0f);
    return open ? o * velocity + (1.0f - o) * solid : velocity;
}
#endif

/* moving: some solid does; else there is no need to look for its owner. */
FOEHN_INLINE float divergence_c(foehn_grid g, flow_speeds speeds, int moving, idx c,
                                global const uchar *open_x, global const uchar *open_y,
                                global const uchar *owner, global const float *u,
                                global const float *v)
{
#ifdef FOEHN_FLOW_FRACTIONS
    if (!moving) {
        float west = through(open_x[c], u[c], 0.0f), east = through(open_x[c + 1], u[c + 1], 0.0f);
        float south = through(open_y[c], v[c], 0.0f);
        float north = through(open_y[c + g.sy], v[c + g.sy], 0.0f);
        return ((east - west) + (north - south)) * g.per_x;
    }
    int own = owner[c];
    float uw = through(open_x[c], u[c], speeds.u[max(own, (int)owner[c - 1])]);
    float ue = through(open_x[c + 1], u[c + 1], speeds.u[max(own, (int)owner[c + 1])]);
    float vs = through(open_y[c], v[c], speeds.v[max(own, (int)owner[c - g.sy])]);
    float vn = through(open_y[c + g.sy], v[c + g.sy], speeds.v[max(own, (int)owner[c + g.sy])]);
#else
    (void)speeds, (void)moving, (void)open_x, (void)open_y, (void)owner;
    float uw = u[c], ue = u[c + 1], vs = v[c], vn = v[c + g.sy];
#endif
    return ((ue - uw) + (vn - vs)) * g.per_x;
}

/* rhs = div u / dt.  (The solver passes over cells without an open face.) */
kernel void divergence(foehn_grid g, flow_speeds speeds, int moving, float inverse_dt,
                       global const uchar *open_x, global const uchar *open_y,
                       global const uchar *owner, global const float *u, global const float *v,
                       global float *rhs)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    rhs[c] = inverse_dt * divergence_c(g, speeds, moving, c, open_x, open_y, owner, u, v);
}

/* next <- u - dt grad p on open faces, outflow faces among them.  next may be the same field. */
kernel void project(foehn_grid g, flow_motion m, global const uchar *open_x,
                    global const uchar *open_y, global const float *p, global const float *u,
                    global const float *v, global float *next_u, global float *next_v)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i > g.nx || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    int west, east, south, north;
    find_neighbours(g, m, i, j, &west, &east, &south, &north);
    float own = p[c];
    next_u[c] = u[c] - (open_x[c] && j < g.ny ? m.cells * (own - p[c + west]) : 0.0f);
    next_v[c] = v[c] - (open_y[c] && i < g.nx ? m.cells * (own - p[c + south]) : 0.0f);
}

/* Reflection's two pressures.  after 0: the solver's field p has the first, and goes on from the
 * second one of the last step, `other`.  1: p has the second; it becomes the mean over the step,
 * first + second / 2, for the first one has been taken away twice, each time over half the step. */
kernel void exchange(foehn_grid g, int after, global float *p, global float *other)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    float own = p[c];
    p[c] = after ? other[c] + 0.5f * own : other[c];
    other[c] = own;
}

/* ---- ink: MacCormack, each channel clamped to the range ---- */

kernel void ink_back(foehn_grid g, flow_motion m, int plane, global const uchar *mask,
                     global const float *u, global const float *v, global const float *ink,
                     global float *hat, global float *low, global float *high)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    int fluid = !(mask[c] & FLOW_SOLID);
    float dx, dy;
    trace_c(g, m, -m.cells, i, j, u, v, &dx, &dy);
    FOEHN_UNROLL
    for (int k = 0; k < FLOW_CHANNELS; k++) {
        float least, most;
        float value = sample_range(g, m, ink + k * plane, dx, dy, (float)i + 0.5f, (float)j + 0.5f,
                                   i, j, &least, &most);
        hat[c + k * plane] = fluid ? value : 0.0f;
        low[c + k * plane] = least;
        high[c + k * plane] = most;
    }
}

/* low and next may be the same field. */
kernel void ink_correct(foehn_grid g, flow_motion m, int plane, global const uchar *mask,
                        global const float *u, global const float *v, global const float *ink,
                        global const float *hat, global const float *low, global const float *high,
                        global float *next)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1);
    if (i >= g.nx || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    int fluid = !(mask[c] & FLOW_SOLID);
    float dx, dy;
    trace_c(g, m, m.cells, i, j, u, v, &dx, &dy);
    FOEHN_UNROLL
    for (int k = 0; k < FLOW_CHANNELS; k++) {
        idx q = c + k * plane;
        float back = sample(g, m, hat + k * plane, dx, dy, (float)i + 0.5f, (float)j + 0.5f, 0.0f,
                            0.0f, i, j);
        float value = clamp(hat[q] + 0.5f * (ink[q] - back), low[q], high[q]);
        next[q] = fluid ? value : 0.0f;
    }
}

/* Built together: a program of its own costs a processor's driver 0.07 s. */
#include "flow/measure.cl"
