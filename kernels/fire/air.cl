/* SPDX-License-Identifier: MIT */
/* The fire's velocity: vorticity, transport, forces, divergence, projection.  Launched by
 * lib/fire/step.c.
 *
 * Velocity is u, v, w on the physics grid g, at cell centres or (FOEHN_STAGGERED) on lower faces;
 * dye is density, temperature, age, tint at the centres of the render grid r; sdf is normal and
 * distance, and surface the velocity, of the nearest collider, wind the velocity at the sides:
 * planes at the centres of g.  Both grids fill the same box.  Variant FOEHN_BURN: the dye is that
 * of combustion.cl, the lower side may be ground, and nothing fades at the sides. */
#include "fire/sample.h"

/* ---- vorticity ---- */

/* omega = curl v by central differences at centres, and its magnitude. */
kernel void vorticity(foehn_grid g, global const float *u, global const float *v,
                      global const float *w, global float *omega)
{
    CELL_OF(g);
    const idx sy = g.sy, sz = g.sz;
    float ix = 0.5f * g.per_x, iy = 0.5f * g.per_y, iz = 0.5f * g.per_z;
    float x = (centered(w, c + sy, sz) - centered(w, c - sy, sz)) * iy -
              (centered(v, c + sz, sy) - centered(v, c - sz, sy)) * iz;
    float y = (centered(u, c + sz, 1) - centered(u, c - sz, 1)) * iz -
              (centered(w, c + 1, sz) - centered(w, c - 1, sz)) * ix;
    float z = (centered(v, c + 1, sy) - centered(v, c - 1, sy)) * ix -
              (centered(u, c + sy, 1) - centered(u, c - sy, 1)) * iy;
    const idx plane = plane_of(g);
    omega[c] = x;
    omega[c + plane] = y;
    omega[c + 2 * plane] = z;
    omega[c + MAGNITUDE * plane] = sqrt(x * x + y * y + z * z);
}

/* epsilon N x omega, N = eta / (|eta| + 1e-5), eta = grad |omega| (Fedkiw et al. 2001, eq. 11). */
FOEHN_INLINE void confinement(foehn_grid g, fire_motion m, global const float *omega, idx c,
                              float out[3])
{
    float o[3];
    global const float *size = omega + MAGNITUDE * plane_of(g) + c;
    vector_at(g, omega, c, o);
    float x = (size[1] - size[-1]) * (0.5f * g.per_x) * m.eta;
    float y = (size[g.sy] - size[-g.sy]) * (0.5f * g.per_y) * m.eta;
    float z = (size[g.sz] - size[-g.sz]) * (0.5f * g.per_z) * m.eta;
    float scale = m.confinement / (sqrt(x * x + y * y + z * z) + 1e-5f);
    out[0] = scale * (y * o[2] - z * o[1]);
    out[1] = scale * (z * o[0] - x * o[2]);
    out[2] = scale * (x * o[1] - y * o[0]);
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
    out[0] = p[0] + v[0] * (t * g.per_x);
    out[1] = p[1] + v[1] * (t * g.per_y);
    out[2] = p[2] + v[2] * (t * g.per_z);
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

/* next = hat + (A - hat(x + A dt)) / 2, within the values around the trace back. */
FOEHN_INLINE float corrected(foehn_grid g, global const float *f, global const float *hat, idx c,
                             const corner *back, const corner *forth)
{
    return limited(g, f, back, maccormack(hat[c], f[c], sample_at(g, hat, forth)));
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

#ifndef FOEHN_BURN
/* The curl noise at a place in boxes, periodic, times a factor, added to sum. */
FOEHN_INLINE void add_noise(global const float *noise, float x, float y, float z, float factor,
                            float sum[3])
{
    const int mask = FIRE_NOISE - 1, plane = FIRE_NOISE * FIRE_NOISE * FIRE_NOISE;
    float gx = x * FIRE_NOISE - 0.5f, gy = y * FIRE_NOISE - 0.5f, gz = z * FIRE_NOISE - 0.5f;
    float fx = floor(gx), fy = floor(gy), fz = floor(gz);
    int i0 = (int)fx & mask, j0 = FIRE_NOISE * ((int)fy & mask);
    int k0 = FIRE_NOISE * FIRE_NOISE * ((int)fz & mask), i1 = (i0 + 1) & mask;
    int j1 = (j0 + FIRE_NOISE) & (FIRE_NOISE * FIRE_NOISE - 1);
    int k1 = (k0 + FIRE_NOISE * FIRE_NOISE) & (plane - 1);
    float a = gx - fx, b = gy - fy, d = gz - fz;
    FOEHN_UNROLL
    for (int n = 0; n < 3; n++) {
        global const float *f = noise + n * plane;
        float near = blend(blend(f[k0 + j0 + i0], f[k0 + j0 + i1], a),
                           blend(f[k0 + j1 + i0], f[k0 + j1 + i1], a), b);
        float far = blend(blend(f[k1 + j0 + i0], f[k1 + j0 + i1], a),
                          blend(f[k1 + j1 + i0], f[k1 + j1 + i1], a), b);
        sum[n] += factor * blend(near, far, d);
    }
}
#endif

/* dv/dt of buoyancy and turbulence at a place in boxes, where the dye is s:
 *   (temperature buoyancy - density weight) up
 *   + (thermal + ambient) turbulence / 10,
 *   thermal = curl(x + (0, -0.6, 0.13) age / frequency) turbulence temperature exp(-decay age),
 *   ambient = curl(x + drift) turbulence density. */
FOEHN_INLINE void acceleration(fire_motion m, global const float *noise, const float s[4], float x,
                               float y, float z, float out[3])
{
#ifdef FOEHN_BURN
    (void)m, (void)noise, (void)s, (void)x, (void)y, (void)z;
    out[0] = out[1] = out[2] = 0.0f; /* inertia.cl */
#else
    float lift = s[1] * m.buoyancy - s[0] * m.weight;
    out[0] = lift * m.up_x;
    out[1] = lift * m.up_y;
    out[2] = lift * m.up_z;
    if (m.turbulence > 0.0f && (s[0] > 0.0f || s[1] > 0.0f)) {
        float shift = s[2] / m.frequency, share = m.turbulence * m.turbulence * 0.1f;
        add_noise(noise, x, y - 0.6f * shift, z + 0.13f * shift,
                  share * s[1] * exp(-s[2] * m.decay), out);
        add_noise(noise, x, y + m.drift_y, z + m.drift_z, share * s[0], out);
    }
#endif
}

/* 0 at the sides of the box, 1 from FIRE_FADE of it inwards. */
FOEHN_INLINE float fade(float x, float y, float z)
{
#ifdef FOEHN_BURN
    (void)x, (void)y, (void)z;
    return 1.0f; /* what flows in comes from the ghosts, what flows out is free to */
#else
    float nearest = fmin(fmin(fmin(x, 1.0f - x), fmin(y, 1.0f - y)), fmin(z, 1.0f - z));
    return smoothstep(0.0f, FIRE_FADE, nearest);
#endif
}

/* v <- (v + a dt) damping, faded to the wind at the sides, + confinement dt.  Surfaces act on the
 * result where that is the last word on it: inside colliders, and on staggered faces. */
#ifdef FOEHN_STAGGERED
kernel void force(foehn_grid g, foehn_grid r, fire_motion m, global const float *noise,
                  global const float *dye, global const float *omega, global const float *wind,
                  global const float *sdf, global const float *surface, global float *u,
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
        bool own_solid = is_solid(g, sdf, c), lower_solid = is_solid(g, sdf, lower);
        float p[3], dyes[4], q[3], o[3], lower_o[3];
        place_of(a, i, j, k, p);
        float x = p[0] / (float)g.nx, y = p[1] / (float)g.ny, z = p[2] / (float)g.nz;
        sample_planes(r, dye, 4, x * (float)r.nx, y * (float)r.ny, z * (float)r.nz, dyes);
        acceleration(m, noise, dyes, x, y, z, q);
        confinement(g, m, omega, c, o);
        confinement(g, m, omega, lower, lower_o);
        const idx plane = a * plane_of(g);
        float far = 0.5f * (wind[lower + plane] + wind[c + plane]);
        float held = 0.5f * (surface[lower + plane] + surface[c + plane]);
        float speed = blend(far, (f[c] + m.dt * q[a]) * m.damping, fade(x, y, z)) +
                      0.5f * m.dt * (lower_o[a] + o[a]);
        float d = 0.5f * (sdf[lower + DISTANCE * plane_of(g)] + sdf[c + DISTANCE * plane_of(g)]);
        float pull = d < WALL(g) ? (1.0f - fmax(d, 0.0f) / WALL(g)) * m.friction : 0.0f;
        speed += pull * (held - speed);
        if (own_solid || lower_solid) /* between two solid cells: at rest */
            speed = own_solid && lower_solid ? 0.0f : surface[(own_solid ? c : lower) + plane];
        if (a == 1 && on_floor(j))
            speed = 0.0f;
        f[c] = speed;
    }
}
#else
kernel void force(foehn_grid g, foehn_grid r, fire_motion m, global const float *noise,
                  global const float *dye, global const float *omega, global const float *wind,
                  global const float *sdf, global const float *surface, global float *u,
                  global float *v, global float *w)
{
    CELL_OF(g);
    float x = ((float)i + 0.5f) / (float)g.nx, y = ((float)j + 0.5f) / (float)g.ny;
    float z = ((float)k + 0.5f) / (float)g.nz;
    float dyes[4], q[3], o[3], far[3];
    sample_planes(r, dye, 4, x * (float)r.nx, y * (float)r.ny, z * (float)r.nz, dyes);
    acceleration(m, noise, dyes, x, y, z, q);
    confinement(g, m, omega, c, o);
    vector_at(g, wind, c, far);
    float near = fade(x, y, z);
    float speed[3] = {blend(far[0], (u[c] + m.dt * q[0]) * m.damping, near) + m.dt * o[0],
                      blend(far[1], (v[c] + m.dt * q[1]) * m.damping, near) + m.dt * o[1],
                      blend(far[2], (w[c] + m.dt * q[2]) * m.damping, near) + m.dt * o[2]};
    if (is_solid(g, sdf, c))
        meet_wall(g, sdf, surface, c, m.friction, speed);
    u[c] = speed[0];
    v[c] = speed[1];
    w[c] = speed[2];
}
#endif

#ifdef FOEHN_BURN
/* v += change of the wind at this height between open cells: a wind that changes does so everywhere
 * at once, by a gradient of pressure beyond the box.  change: 3 rows of (ny) layers of cells. */
kernel void push(foehn_grid g, global const float *change, global const float *sdf, global float *u,
                 global float *v, global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k), step[3] = {1, g.sy, g.sz};
    for (int a = 0; a < 3; a++) {
        if ((a != 0 && i == g.nx) || (a != 1 && j == g.ny) || (a != 2 && k == g.nz))
            continue;
        if (is_solid(g, sdf, c) || is_solid(g, sdf, c - step[a]) || (a == 1 && on_floor(j)))
            continue;
        global const float *row = change + a * g.ny;
        float more = a == 1 ? 0.5f * (row[max(j - 1, 0)] + row[min(j, g.ny - 1)]) : row[j];
        (a == 0 ? u : a == 1 ? v : w)[c] += more;
    }
}
#endif

/* ---- divergence and projection ---- */

#ifndef FOEHN_STAGGERED
/* Component a of a neighbour's velocity; a collider there sends an inward velocity, as its surface
 * sees it, back across the normal. */
FOEHN_INLINE float seen(foehn_grid g, global const float *sdf, global const float *surface,
                        global const float *f, const float own[3], int a, idx c)
{
    float n[3], s[3], inward = 0.0f;
    if (!is_solid(g, sdf, c))
        return f[c];
    vector_at(g, sdf, c, n);
    vector_at(g, surface, c, s);
    for (int b = 0; b < 3; b++)
        inward += (own[b] - s[b]) * n[b];
    return own[a] - 2.0f * fmin(inward, 0.0f) * n[a];
}
#endif

/* div v by central differences, or of the faces; 0 in colliders. */
kernel void divergence(foehn_grid g, global const float *sdf, global const float *surface,
                       global const float *u, global const float *v, global const float *w,
                       global float *out)
{
    CELL_OF(g);
    const idx sy = g.sy, sz = g.sz;
    float sum;
#ifdef FOEHN_STAGGERED
    (void)surface;
    sum = (u[c + 1] - u[c]) * g.per_x + (v[c + sy] - v[c]) * g.per_y + (w[c + sz] - w[c]) * g.per_z;
#else
    float own[3] = {u[c], v[c], w[c]};
    float x = seen(g, sdf, surface, u, own, 0, c + 1) - seen(g, sdf, surface, u, own, 0, c - 1);
    float y = seen(g, sdf, surface, v, own, 1, c + sy) - seen(g, sdf, surface, v, own, 1, c - sy);
    float z = seen(g, sdf, surface, w, own, 2, c + sz) - seen(g, sdf, surface, w, own, 2, c - sz);
    sum = x * (0.5f * g.per_x) + y * (0.5f * g.per_y) + z * (0.5f * g.per_z);
#endif
    out[c] = is_solid(g, sdf, c) ? 0.0f : sum;
}

#ifdef FOEHN_STAGGERED
/* v <- v - grad p on faces between open cells; others keep what the collider gave them. */
kernel void project(foehn_grid g, float friction, global const float *sdf,
                    global const float *surface, global const float *p, global const float *u,
                    global const float *v, global const float *w, global float *next_u,
                    global float *next_v, global float *next_w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    (void)friction, (void)surface;
    idx c = at(g, i, j, k);
    const idx sy = g.sy, sz = g.sz;
    bool solid = is_solid(g, sdf, c);
    if (j < g.ny && k < g.nz)
        next_u[c] = u[c] - (solid || is_solid(g, sdf, c - 1) ? 0.0f : (p[c] - p[c - 1]) * g.per_x);
    if (i < g.nx && k < g.nz)
        next_v[c] = v[c] - (solid || is_solid(g, sdf, c - sy) || on_floor(j)
                                ? 0.0f
                                : (p[c] - p[c - sy]) * g.per_y);
    if (i < g.nx && j < g.ny)
        next_w[c] =
            w[c] - (solid || is_solid(g, sdf, c - sz) ? 0.0f : (p[c] - p[c - sz]) * g.per_z);
}
#else
FOEHN_INLINE float pressure_of(foehn_grid g, global const float *sdf, global const float *p, idx c,
                               float own)
{
    return is_solid(g, sdf, c) ? own : p[c];
}

/* What lies two cells on, for a sweep: open: whether the velocity between is one that `project`
 * changes. */
FOEHN_INLINE float two_on(foehn_grid g, global const float *sdf, global const float *p, idx c,
                          idx step, int left, float *open)
{
    if (left < 2) /* cells from here to the side, where p = 0 beyond */
        return 0.0f;
    *open = is_solid(g, sdf, c + step) ? 0.0f : 1.0f;
    return left < 3 ? 0.0f : pressure_of(g, sdf, p, c + 2 * step, p[c + step]);
}

/* One damped Jacobi sweep over the Laplacian that `divergence` and `project` make together: in air
 * far from anything (p(x + 2h) - 2 p(x) + p(x - 2h)) / 4 h^2 an axis. */
kernel void sweep_wide(foehn_grid g, float omega, global const float *sdf, global const float *div,
                       global const float *p, global float *next)
{
    CELL_OF(g);
    const idx step[3] = {1, g.sy, g.sz};
    const int cell[3] = {i, j, k}, n[3] = {g.nx, g.ny, g.nz};
    const float per[3] = {g.per_x, g.per_y, g.per_z};
    float sum = 0.0f, weights = 0.0f;
    FOEHN_UNROLL
    for (int a = 0; a < 3; a++) {
        float before_open = 1.0f, after_open = 1.0f, weight = 0.25f * per[a] * per[a];
        float before = two_on(g, sdf, p, c, -step[a], cell[a] + 1, &before_open);
        float after = two_on(g, sdf, p, c, step[a], n[a] - cell[a], &after_open);
        sum += weight * (before_open * before + after_open * after);
        weights += weight * (before_open + after_open);
    }
    next[c] = is_solid(g, sdf, c) || weights == 0.0f
                  ? 0.0f
                  : p[c] + omega * ((sum - div[c]) / weights - p[c]);
}

/* v <- v - grad p, central; a collider has the cell's own pressure.  Then its surface acts; in it,
 * v is exactly 0. */
kernel void project(foehn_grid g, float friction, global const float *sdf,
                    global const float *surface, global const float *p, global const float *u,
                    global const float *v, global const float *w, global float *next_u,
                    global float *next_v, global float *next_w)
{
    CELL_OF(g);
    const idx sy = g.sy, sz = g.sz;
    float own = p[c];
    float x = pressure_of(g, sdf, p, c + 1, own) - pressure_of(g, sdf, p, c - 1, own);
    float y = pressure_of(g, sdf, p, c + sy, own) - pressure_of(g, sdf, p, c - sy, own);
    float z = pressure_of(g, sdf, p, c + sz, own) - pressure_of(g, sdf, p, c - sz, own);
    float speed[3] = {u[c] - x * (0.5f * g.per_x), v[c] - y * (0.5f * g.per_y),
                      w[c] - z * (0.5f * g.per_z)};
    meet_wall(g, sdf, surface, c, friction, speed);
    bool solid = is_solid(g, sdf, c);
    next_u[c] = solid ? 0.0f : speed[0];
    next_v[c] = solid ? 0.0f : speed[1];
    next_w[c] = solid ? 0.0f : speed[2];
}
#endif

/* ---- sides ---- */

/* Velocity of the ghosts (all = 1: of every cell) from the wind.  Over (n + 2) cells from -1 on;
 * where it burns over one more, for faces beyond the upper sides. */
kernel void sides(foehn_grid g, int all, global const float *wind, global float *u, global float *v,
                  global float *w)
{
    int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1) - 1, k = (int)get_global_id(2) - 1;
    const int face = FACE_OFFSET == 0.0f;
    int beyond = (i > g.nx) + (j > g.ny) + (k > g.nz);
    if (beyond > BEYOND)
        return;
    idx c = at(g, i, j, k);
    float value[3];
    vector_at(g, wind, at(g, min(i, g.nx), min(j, g.ny), min(k, g.nz)), value);
    if (beyond) { /* the one face there is */
        if (i == g.nx + 1)
            u[c] = value[0];
        else if (j == g.ny + 1)
            v[c] = value[1];
        else if (k == g.nz + 1)
            w[c] = value[2];
        return;
    }
    bool bx = i < 0 || i >= g.nx, by = j < 0 || j >= g.ny, bz = k < 0 || k >= g.nz;
    if (all || by || bz || i < 0 || i >= g.nx + face)
        u[c] = value[0];
    if (all || bx || bz || j < 0 || j >= g.ny + face)
        v[c] = value[1];
    if (all || bx || by || k < 0 || k >= g.nz + face)
        w[c] = value[2];
}

/* Built together: a program of its own costs a processor's driver 0.07 s. */
#include "fire/collide.cl"
#include "fire/emit.cl"
#include "fire/measure.cl"
