/* SPDX-License-Identifier: MIT */
/* The fire's velocity: vorticity, transport, forces, divergence, projection.  Launched by
 * lib/fire_step.c.
 *
 * Velocity is u, v, w on the physics grid g, at cell centres or (FOEHN_STAGGERED) on lower faces; dye is
 * (density, temperature, age, tint) at the centres of the render grid r; sdf is (normal, distance) and
 * surface the velocity of the nearest collider, both at centres of g.  Boxes of both grids are the same. */
#include "fire_sample.h"

/* ---- vorticity ---- */

/* omega = curl v by central differences at centres, and its magnitude. */
kernel void vorticity(foehn_grid g, global const float *u, global const float *v,
                      global const float *w, global float4 *omega)
{
    CELL_OF(g);
    const idx sy = g.sy, sz = g.sz;
    float ix = 0.5f / g.hx, iy = 0.5f / g.hy, iz = 0.5f / g.hz;
    float x = (centered(w, c + sy, sz) - centered(w, c - sy, sz)) * iy -
              (centered(v, c + sz, sy) - centered(v, c - sz, sy)) * iz;
    float y = (centered(u, c + sz, 1) - centered(u, c - sz, 1)) * iz -
              (centered(w, c + 1, sz) - centered(w, c - 1, sz)) * ix;
    float z = (centered(v, c + 1, sy) - centered(v, c - 1, sy)) * ix -
              (centered(u, c + sy, 1) - centered(u, c - sy, 1)) * iy;
    omega[c] = (float4)(x, y, z, sqrt(x * x + y * y + z * z));
}

/* epsilon N x omega, N = eta / (|eta| + 1e-5), eta = grad |omega| (Fedkiw et al. 2001, eq. 11). */
FOEHN_INLINE float4 confinement(foehn_grid g, fire_motion m, global const float4 *omega, idx c)
{
    float4 o = omega[c];
    float x = (omega[c + 1].w - omega[c - 1].w) * (0.5f / g.hx) * m.eta;
    float y = (omega[c + g.sy].w - omega[c - g.sy].w) * (0.5f / g.hy) * m.eta;
    float z = (omega[c + g.sz].w - omega[c - g.sz].w) * (0.5f / g.hz) * m.eta;
    float scale = m.confinement / (sqrt(x * x + y * y + z * z) + 1e-5f);
    return (float4)(scale * (y * o.z - z * o.y), scale * (z * o.x - x * o.z),
                    scale * (x * o.y - y * o.x), 0.0f);
}

/* ---- transport ---- */

/* The places that component a of cell (i, j, k) is at: its face, or the centre. */
FOEHN_INLINE void place_of(int a, int i, int j, int k, float p[3])
{
    p[0] = (float)i + (a == 0 ? FACE_OFFSET : 0.5f);
    p[1] = (float)j + (a == 1 ? FACE_OFFSET : 0.5f);
    p[2] = (float)k + (a == 2 ? FACE_OFFSET : 0.5f);
}

/* p moved by cells a second v over time t. */
FOEHN_INLINE void trace(foehn_grid g, const float p[3], const float v[3], float t, float out[3])
{
    out[0] = p[0] + v[0] * (t / g.hx);
    out[1] = p[1] + v[1] * (t / g.hy);
    out[2] = p[2] + v[2] * (t / g.hz);
}

/* next = A(x - A dt); Stam 1999. */
kernel void advect(foehn_grid g, float dt, global const float *u, global const float *v,
                   global const float *w, global float *next_u, global float *next_v,
                   global float *next_w)
{
#ifdef FOEHN_STAGGERED
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    for (int a = 0; a < 3; a++) {
        if ((a != 0 && i == g.nx) || (a != 1 && j == g.ny) || (a != 2 && k == g.nz))
            continue;
        float p[3], own[3], from[3];
        corner t[3];
        place_of(a, i, j, k, p);
        sample_velocity(g, u, v, w, p[0], p[1], p[2], own);
        trace(g, p, own, -dt, from);
        locate_velocity(g, from[0], from[1], from[2], t);
        if (a == 0)
            next_u[c] = sample_at(g, u, &t[0]);
        else if (a == 1)
            next_v[c] = sample_at(g, v, &t[1]);
        else
            next_w[c] = sample_at(g, w, &t[2]);
    }
#else
    CELL_OF(g);
    float p[3], own[3] = {u[c], v[c], w[c]}, from[3];
    corner t;
    place_of(0, i, j, k, p);
    trace(g, p, own, -dt, from);
    locate(g, from[0], from[1], from[2], 0.5f, 0.5f, 0.5f, &t);
    next_u[c] = sample_at(g, u, &t);
    next_v[c] = sample_at(g, v, &t);
    next_w[c] = sample_at(g, w, &t);
#endif
}

/* Least and largest of the eight values around a place. */
FOEHN_INLINE float limited(foehn_grid g, global const float *f, const corner *t, float value)
{
    global const float *p = f + t->c, *q = p + g.sz;
    float low = fmin(fmin(fmin(p[0], p[1]), fmin(p[g.sy], p[g.sy + 1])),
                     fmin(fmin(q[0], q[1]), fmin(q[g.sy], q[g.sy + 1])));
    float high = fmax(fmax(fmax(p[0], p[1]), fmax(p[g.sy], p[g.sy + 1])),
                      fmax(fmax(q[0], q[1]), fmax(q[g.sy], q[g.sy + 1])));
    return fmin(fmax(value, low), high);
}

/* next = hat + (A - hat(x + A dt)) / 2, within the values around the trace back (Selle et al. 2008). */
FOEHN_INLINE float corrected(foehn_grid g, global const float *f, global const float *hat, idx c,
                             const corner *back, const corner *forth)
{
    return limited(g, f, back, hat[c] + 0.5f * (f[c] - sample_at(g, hat, forth)));
}

kernel void advect_correct(foehn_grid g, float dt, global const float *u, global const float *v,
                           global const float *w, global const float *hat_u,
                           global const float *hat_v, global const float *hat_w,
                           global float *next_u, global float *next_v, global float *next_w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
#ifdef FOEHN_STAGGERED
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
#else
    if (!inside(g, i, j, k))
        return;
#endif
    idx c = at(g, i, j, k);
    for (int a = 0; a < 3; a++) {
        if ((a != 0 && i == g.nx) || (a != 1 && j == g.ny) || (a != 2 && k == g.nz))
            continue;
        float p[3], own[3], from[3], to[3];
        corner back[3], forth[3];
        place_of(a, i, j, k, p);
        sample_velocity(g, u, v, w, p[0], p[1], p[2], own);
        trace(g, p, own, -dt, from);
        trace(g, p, own, dt, to);
        locate_velocity(g, from[0], from[1], from[2], back);
        locate_velocity(g, to[0], to[1], to[2], forth);
        if (a == 0)
            next_u[c] = corrected(g, u, hat_u, c, &back[0], &forth[0]);
        else if (a == 1)
            next_v[c] = corrected(g, v, hat_v, c, &back[1], &forth[1]);
        else
            next_w[c] = corrected(g, w, hat_w, c, &back[2], &forth[2]);
    }
}

/* ---- forces ---- */

/* The curl noise at a place in boxes, periodic. */
FOEHN_INLINE float4 noise_at(global const float4 *noise, float x, float y, float z)
{
    const int mask = FIRE_NOISE - 1;
    float gx = x * FIRE_NOISE - 0.5f, gy = y * FIRE_NOISE - 0.5f, gz = z * FIRE_NOISE - 0.5f;
    float fx = floor(gx), fy = floor(gy), fz = floor(gz);
    int i0 = (int)fx & mask, j0 = (int)fy & mask, k0 = (int)fz & mask;
    int i1 = (i0 + 1) & mask, j1 = (j0 + 1) & mask, k1 = (k0 + 1) & mask;
    float a = gx - fx, b = gy - fy, d = gz - fz;
#define ROW(j, k) (noise + FIRE_NOISE * (FIRE_NOISE * (k) + (j)))
    float4 near = mix(mix(ROW(j0, k0)[i0], ROW(j0, k0)[i1], a),
                      mix(ROW(j1, k0)[i0], ROW(j1, k0)[i1], a), b);
    float4 far = mix(mix(ROW(j0, k1)[i0], ROW(j0, k1)[i1], a),
                     mix(ROW(j1, k1)[i0], ROW(j1, k1)[i1], a), b);
#undef ROW
    return mix(near, far, d);
}

/* dv/dt of buoyancy and turbulence at a place in boxes, where the dye is s:
 *   (temperature buoyancy - density weight) up
 *   + (thermal + ambient) turbulence / 10,
 *   thermal = curl(x + (0, -0.6, 0.13) age / frequency) turbulence temperature exp(-decay age),
 *   ambient = curl(x + drift) turbulence density. */
FOEHN_INLINE float4 acceleration(fire_motion m, global const float4 *noise, float4 s, float x,
                                 float y, float z)
{
    float lift = s.y * m.buoyancy - s.x * m.weight;
    float4 sum = lift * (float4)(m.up_x, m.up_y, m.up_z, 0.0f);
    if (m.turbulence > 0.0f && (s.x > 0.0f || s.y > 0.0f)) {
        float shift = s.z / m.frequency;
        float4 thermal = noise_at(noise, x, y - 0.6f * shift, z + 0.13f * shift);
        float4 ambient = noise_at(noise, x, y + m.drift_y, z + m.drift_z);
        thermal *= m.turbulence * s.y * exp(-s.z * m.decay);
        ambient *= m.turbulence * s.x;
        sum += (thermal + ambient) * (m.turbulence * 0.1f);
    }
    return sum;
}

/* 0 at the sides of the box, 1 from FIRE_FADE of it inwards. */
FOEHN_INLINE float fade(float x, float y, float z)
{
    float nearest = fmin(fmin(fmin(x, 1.0f - x), fmin(y, 1.0f - y)), fmin(z, 1.0f - z));
    return smoothstep(0.0f, FIRE_FADE, nearest);
}

/* v <- (v + a dt) damping, faded to the wind at the sides, + confinement dt.  Surfaces act on the result
 * where that is the last word on it: inside colliders, and on staggered faces. */
#ifdef FOEHN_STAGGERED
kernel void force(foehn_grid g, foehn_grid r, fire_motion m, global const float4 *noise,
                  global const float4 *dye, global const float4 *omega, global const float4 *wind,
                  global const float4 *sdf, global const float4 *surface, global float *u,
                  global float *v, global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    const idx step[3] = {1, g.sy, g.sz};
    for (int a = 0; a < 3; a++) {
        if ((a != 0 && i == g.nx) || (a != 1 && j == g.ny) || (a != 2 && k == g.nz))
            continue;
        global float *f = a == 0 ? u : a == 1 ? v : w;
        idx lower = c - step[a];
        bool own_solid = is_solid(sdf, c), lower_solid = is_solid(sdf, lower);
        float p[3];
        place_of(a, i, j, k, p);
        float x = p[0] / (float)g.nx, y = p[1] / (float)g.ny, z = p[2] / (float)g.nz;
        float4 s = sample4(r, dye, x * (float)r.nx, y * (float)r.ny, z * (float)r.nz);
        float4 pushed = m.dt * acceleration(m, noise, s, x, y, z);
        float4 curl = 0.5f * m.dt * (confinement(g, m, omega, lower) + confinement(g, m, omega, c));
        float4 away = 0.5f * (wind[lower] + wind[c]), wall = 0.5f * (surface[lower] + surface[c]);
        float q[3] = {pushed.x, pushed.y, pushed.z}, o[3] = {curl.x, curl.y, curl.z};
        float far[3] = {away.x, away.y, away.z}, held[3] = {wall.x, wall.y, wall.z};
        float speed = between(far[a], (f[c] + q[a]) * m.damping, fade(x, y, z)) + o[a];
        float d = 0.5f * (sdf[lower].w + sdf[c].w);
        float pull = d < FIRE_WALL ? (1.0f - fmax(d, 0.0f) / FIRE_WALL) * m.friction : 0.0f;
        speed += pull * (held[a] - speed);
        if (own_solid || lower_solid) {
            float4 one = surface[own_solid ? c : lower];
            float of[3] = {one.x, one.y, one.z};
            speed = own_solid && lower_solid ? 0.0f : of[a];
        }
        f[c] = speed;
    }
}
#else
kernel void force(foehn_grid g, foehn_grid r, fire_motion m, global const float4 *noise,
                  global const float4 *dye, global const float4 *omega, global const float4 *wind,
                  global const float4 *sdf, global const float4 *surface, global float *u,
                  global float *v, global float *w)
{
    CELL_OF(g);
    float x = ((float)i + 0.5f) / (float)g.nx, y = ((float)j + 0.5f) / (float)g.ny;
    float z = ((float)k + 0.5f) / (float)g.nz;
    float4 s = sample4(r, dye, x * (float)r.nx, y * (float)r.ny, z * (float)r.nz);
    float4 pushed = m.dt * acceleration(m, noise, s, x, y, z);
    float4 curl = m.dt * confinement(g, m, omega, c), far = wind[c], d = sdf[c];
    float near = fade(x, y, z);
    float speed[3] = {between(far.x, (u[c] + pushed.x) * m.damping, near) + curl.x,
                      between(far.y, (v[c] + pushed.y) * m.damping, near) + curl.y,
                      between(far.z, (w[c] + pushed.z) * m.damping, near) + curl.z};
    if (d.w < 0.0f)
        meet_wall(d, surface[c], m.friction, speed);
    u[c] = speed[0];
    v[c] = speed[1];
    w[c] = speed[2];
}
#endif

/* ---- divergence and projection ---- */

#ifndef FOEHN_STAGGERED
/* Component a of a neighbour's velocity; a collider there sends an inward velocity, as its surface sees
 * it, back across the normal. */
FOEHN_INLINE float seen(global const float4 *sdf, global const float4 *surface,
                        global const float *f, const float own[3], int a, idx c)
{
    float4 n4 = sdf[c];
    if (n4.w >= 0.0f)
        return f[c];
    float4 s4 = surface[c];
    float n[3] = {n4.x, n4.y, n4.z}, s[3] = {s4.x, s4.y, s4.z}, inward = 0.0f;
    for (int b = 0; b < 3; b++)
        inward += (own[b] - s[b]) * n[b];
    return own[a] - 2.0f * fmin(inward, 0.0f) * n[a];
}
#endif

/* div v by central differences, or of the faces; 0 in colliders. */
kernel void divergence(foehn_grid g, global const float4 *sdf, global const float4 *surface,
                       global const float *u, global const float *v, global const float *w,
                       global float *out)
{
    CELL_OF(g);
    const idx sy = g.sy, sz = g.sz;
    float sum;
#ifdef FOEHN_STAGGERED
    (void)surface;
    sum = (u[c + 1] - u[c]) / g.hx + (v[c + sy] - v[c]) / g.hy + (w[c + sz] - w[c]) / g.hz;
#else
    float own[3] = {u[c], v[c], w[c]};
    sum = (seen(sdf, surface, u, own, 0, c + 1) - seen(sdf, surface, u, own, 0, c - 1)) *
              (0.5f / g.hx) +
          (seen(sdf, surface, v, own, 1, c + sy) - seen(sdf, surface, v, own, 1, c - sy)) *
              (0.5f / g.hy) +
          (seen(sdf, surface, w, own, 2, c + sz) - seen(sdf, surface, w, own, 2, c - sz)) *
              (0.5f / g.hz);
#endif
    out[c] = is_solid(sdf, c) ? 0.0f : sum;
}

#ifdef FOEHN_STAGGERED
/* v <- v - grad p on faces between open cells; others keep what the collider gave them. */
kernel void project(foehn_grid g, float friction, global const float4 *sdf,
                    global const float4 *surface, global const float *p, global const float *u,
                    global const float *v, global const float *w, global float *next_u,
                    global float *next_v, global float *next_w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    (void)friction, (void)surface;
    idx c = at(g, i, j, k);
    const idx sy = g.sy, sz = g.sz;
    bool solid = is_solid(sdf, c);
    if (j < g.ny && k < g.nz)
        next_u[c] = u[c] - (solid || is_solid(sdf, c - 1) ? 0.0f : (p[c] - p[c - 1]) / g.hx);
    if (i < g.nx && k < g.nz)
        next_v[c] = v[c] - (solid || is_solid(sdf, c - sy) ? 0.0f : (p[c] - p[c - sy]) / g.hy);
    if (i < g.nx && j < g.ny)
        next_w[c] = w[c] - (solid || is_solid(sdf, c - sz) ? 0.0f : (p[c] - p[c - sz]) / g.hz);
}
#else
FOEHN_INLINE float pressure_of(global const float4 *sdf, global const float *p, idx c, float own)
{
    return is_solid(sdf, c) ? own : p[c];
}

/* v <- v - grad p, central; a collider has the cell's own pressure.  Then its surface acts; in it, v is
 * exactly 0. */
kernel void project(foehn_grid g, float friction, global const float4 *sdf,
                    global const float4 *surface, global const float *p, global const float *u,
                    global const float *v, global const float *w, global float *next_u,
                    global float *next_v, global float *next_w)
{
    CELL_OF(g);
    const idx sy = g.sy, sz = g.sz;
    float4 d = sdf[c];
    float own = p[c];
    float speed[3] = {
        u[c] - (pressure_of(sdf, p, c + 1, own) - pressure_of(sdf, p, c - 1, own)) * (0.5f / g.hx),
        v[c] - (pressure_of(sdf, p, c + sy, own) - pressure_of(sdf, p, c - sy, own)) * (0.5f / g.hy),
        w[c] - (pressure_of(sdf, p, c + sz, own) - pressure_of(sdf, p, c - sz, own)) * (0.5f / g.hz)};
    if (d.w < FIRE_WALL)
        meet_wall(d, surface[c], friction, speed);
    bool solid = d.w < 0.0f;
    next_u[c] = solid ? 0.0f : speed[0];
    next_v[c] = solid ? 0.0f : speed[1];
    next_w[c] = solid ? 0.0f : speed[2];
}
#endif

/* ---- sides ---- */

/* Velocity of the ghosts (all = 1: of every cell) from the wind.  Over (n + 3) cells from -1 on. */
kernel void sides(foehn_grid g, int all, global const float4 *wind, global float *u,
                  global float *v, global float *w)
{
    int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1) - 1, k = (int)get_global_id(2) - 1;
    if (i > g.nx + 1 || j > g.ny + 1 || k > g.nz + 1)
        return;
    int x = min(i, g.nx), y = min(j, g.ny), z = min(k, g.nz);
    const int face = FACE_OFFSET == 0.0f;
    float4 value = wind[at(g, x, y, z)];
    idx c = at(g, i, j, k);
    bool by = j < 0 || j >= g.ny, bz = k < 0 || k >= g.nz, bx = i < 0 || i >= g.nx;
    if (all || by || bz || i < 0 || i >= g.nx + face)
        u[c] = value.x;
    if (all || bx || bz || j < 0 || j >= g.ny + face)
        v[c] = value.y;
    if (all || bx || by || k < 0 || k >= g.nz + face)
        w[c] = value.z;
}
