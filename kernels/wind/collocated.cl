/* SPDX-License-Identifier: MIT */
/* One step of the collocated wind.  Launched by lib/wind/collocated.c.
 *
 * Velocity (u, v, w) and pressure p live at cell centres.  The ghost layer is never written (it is
 * zero): what lies beyond a face is told by the open and wall bytes of the cell, so a sweep needs
 * no boundary pass.  Only a periodic box has living ghosts, filled by `wrap`.
 *
 * Hot kernels use scalars only: a float3 in the body keeps PoCL from vectorising over work-items.
 */
#include "grid.h"
#include "noise.h"
#include "profile.h"
#include "publish/voxel.h"
#include "wind/structs.h"

/* A face is open when both its cells are fluid; it is a wall when the cell beyond it is solid, or
 * beyond the floor or the lid; it is neither at an open side of the box. */
kernel void faces(foehn_grid g, float floor_y, int periodic, global const float *ground,
                  global uchar *open, global uchar *wall)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    float y = floor_y + ((float)j + 0.5f) * g.hy; /* of the cell's centre */
    int o = 0, b = 0;
    /* Ghost columns hold the ground beyond the box, but across a periodic side lies the other end.
     */
    int im = i == 0 && periodic ? g.nx - 1 : i - 1, ip = i == g.nx - 1 && periodic ? 0 : i + 1;
    int km = k == 0 && periodic ? g.nz - 1 : k - 1, kp = k == g.nz - 1 && periodic ? 0 : k + 1;
    bool solid = y < ground[column(g, i, k)];
    bool side_xm = i == 0 && !periodic, side_xp = i == g.nx - 1 && !periodic;
    bool side_zm = k == 0 && !periodic, side_zp = k == g.nz - 1 && !periodic;
    if (!side_xm)
        y < ground[column(g, im, k)] ? (b |= FACE_XM) : (o |= FACE_XM);
    if (!side_xp)
        y < ground[column(g, ip, k)] ? (b |= FACE_XP) : (o |= FACE_XP);
    if (!side_zm)
        y < ground[column(g, i, km)] ? (b |= FACE_ZM) : (o |= FACE_ZM);
    if (!side_zp)
        y < ground[column(g, i, kp)] ? (b |= FACE_ZP) : (o |= FACE_ZP);
    float below = floor_y + ((float)j - 0.5f) * g.hy; /* the cell below has the same bits */
    j == 0 || below < ground[column(g, i, k)] ? (b |= FACE_YM) : (o |= FACE_YM);
    j == g.ny - 1 ? (b |= FACE_YP) : (o |= FACE_YP);
    idx c = at(g, i, j, k);
    open[c] = (uchar)(solid ? CELL_SOLID : o);
    wall[c] = (uchar)(solid ? CELL_SOLID : b);
}

/* Ramp of the noise potential: quintic, 0 at the ground to 1 at `over` and above; and its slope. */
static inline float ramp(float z, float over)
{
    return foehn_noise_fade_f(clamp(z / over, 0.0f, 1.0f));
}
static inline float ramp_slope(float z, float over)
{
    return foehn_noise_fade_slope_f(clamp(z / over, 0.0f, 1.0f)) / over;
}

/* u_curl = amplitude * sum_o weight_o * (A curl psi + grad A x psi L), psi at x / L.
 * grad A = A'(z) (-dg/dx, 1, -dg/dz) over ground of slope (slope_x, slope_z). */
static inline void curl_noise(wind_forcing f, float x, float y, float z, float height,
                              float slope_x, float slope_z, float *u, float *v, float *w)
{
    const float weight[WIND_OCTAVES] = {FOEHN_OCTAVE_WEIGHT_0, FOEHN_OCTAVE_WEIGHT_1};
    float a = ramp(height, f.ramp), ay = ramp_slope(height, f.ramp);
    float ax = -ay * slope_x, az = -ay * slope_z;
    float su = 0.0f, sv = 0.0f, sw = 0.0f;
    FOEHN_UNROLL
    for (int o = 0; o < WIND_OCTAVES; o++) {
        float length = f.wavelength[o];
        float px = f.fraction[o][0] + x / length;
        float py = f.fraction[o][1] + y / length;
        float pz = f.fraction[o][2] + z / length;
        float fx = floor(px), fy = floor(py), fz = floor(pz);
        foehn_curl_f n;
        foehn_curl_noise_f(f.cell[o][0] + (int)fx, f.cell[o][1] + (int)fy, f.cell[o][2] + (int)fz,
                           px - fx, py - fy, pz - fz, f.offset_x[o], f.offset_y[o], f.offset_z[o],
                           &n);
        su += weight[o] * (a * n.x + length * (ay * n.psi_z - az * n.psi_y));
        sv += weight[o] * (a * n.y + length * (az * n.psi_x - ax * n.psi_z));
        sw += weight[o] * (a * n.z + length * (ax * n.psi_y - ay * n.psi_x));
    }
    *u = f.curl_amplitude * FOEHN_CURL_NORMALISE * su;
    *v = f.curl_amplitude * FOEHN_CURL_NORMALISE * sv;
    *w = f.curl_amplitude * FOEHN_CURL_NORMALISE * sw;
}

/* Speed that the gust bands add along their directions: strength * (1 - (2 s / width)^2)^2 within
 * the band.  All bands are summed, the unused with strength 0: a loop of fixed length vectorises.
 */
static inline void gust(wind_forcing f, float x, float z, float *u, float *w)
{
    float su = 0.0f, sw = 0.0f;
    FOEHN_UNROLL
    for (int n = 0; n < WIND_GUSTS; n++) {
        float s = x * f.gust[n].dx + z * f.gust[n].dz - f.gust[n].position;
        float t = s * f.gust[n].inverse;
        float c = max(1.0f - t * t, 0.0f);
        su += f.gust[n].strength * c * c * f.gust[n].dx;
        sw += f.gust[n].strength * c * c * f.gust[n].dz;
    }
    *u = su;
    *w = sw;
}

/* u <- u + (1 - exp(-r dt)) (u_target - u), u_target = d u(z) + u_curl + u_gust, in fluid cells;
 * curl <- |u_curl|. */
kernel void force(foehn_grid g, wind_forcing f, global const float *ground,
                  global const uchar *open, global float *u, global float *v, global float *w,
                  global float *curl)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k), q = column(g, i, k);
    float x = ((float)i + 0.5f) * g.hx, y = ((float)j + 0.5f) * g.hy, z = ((float)k + 0.5f) * g.hz;
    float height = f.floor_y + y - ground[q];
    float slope_x = (ground[q + 1] - ground[q - 1]) / (2.0f * g.hx);
    float slope_z = (ground[q + g.sy] - ground[q - g.sy]) / (2.0f * g.hz);
    float profile = foehn_log_profile(height, f.z0);
    float nu, nv, nw, bu, bw;
    curl_noise(f, x, y, z, height, slope_x, slope_z, &nu, &nv, &nw);
    gust(f, x, z, &bu, &bw);
    float near_ground = min(profile, 1.0f);
    float gain = open[c] & CELL_SOLID ? 0.0f : f.gain;
    u[c] += gain * (f.dx * f.u10 * profile + nu + bu * near_ground - u[c]);
    v[c] += gain * (nv - v[c]);
    w[c] += gain * (f.dz * f.u10 * profile + nw + bw * near_ground - w[c]);
    curl[c] = sqrt(nu * nu + nv * nv + nw * nw);
}

/* x between low and high; low for a NaN, which must not lead out of the field. */
static inline float within(float x, float low, float high)
{
    return x > low ? min(x, high) : low;
}

/* Semi-Lagrangian: u(x) = u_old(x - dt u_old(x)), trilinear, traced back within the box; 0 in
 * solids.  At the floor and the lid v falls linearly to 0, as between v and its mirror image. */
kernel void advect(foehn_grid g, float dt, int periodic, global const uchar *open,
                   global const float *u0, global const float *v0, global const float *w0,
                   global float *u, global float *v, global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    float fluid = open[c] & CELL_SOLID ? 0.0f : 1.0f;
    float nx = (float)g.nx, ny = (float)g.ny, nz = (float)g.nz;
    float x = (float)i + 0.5f - dt * u0[c] * g.per_x;
    float y = within((float)j + 0.5f - dt * v0[c] * g.per_y, 0.0f, ny);
    float z = (float)k + 0.5f - dt * w0[c] * g.per_z;
    float near_wall = min(1.0f, 2.0f * min(y, ny - y));
    y = clamp(y, 0.5f, ny - 0.5f);
    if (periodic) {
        x = within(x - nx * floor(x / nx), 0.0f, nx);
        z = within(z - nz * floor(z / nz), 0.0f, nz);
    } else {
        x = within(x, 0.5f, nx - 0.5f);
        z = within(z, 0.5f, nz - 0.5f);
    }
    u[c] = fluid * sample_c(g, u0, x, y, z);
    v[c] = fluid * near_wall * sample_c(g, v0, x, y, z);
    w[c] = fluid * sample_c(g, w0, x, y, z);
}

/* Value beyond a face: the neighbour's; mirrored at a wall; one's own at an open side. */
static inline float beyond(int open, int wall, int face, float neighbour, float own)
{
    return open & face ? neighbour : wall & face ? -own : own;
}

/* div = (u+ - u-) / 2hx + (v+ - v-) / 2hy + (w+ - w-) / 2hz; 0 in solids. */
static inline float divergence_c(foehn_grid g, int open, int wall, idx c, global const float *u,
                                 global const float *v, global const float *w)
{
    float du =
        beyond(open, wall, FACE_XP, u[c + 1], u[c]) - beyond(open, wall, FACE_XM, u[c - 1], u[c]);
    float dv = beyond(open, wall, FACE_YP, v[c + g.sy], v[c]) -
               beyond(open, wall, FACE_YM, v[c - g.sy], v[c]);
    float dw = beyond(open, wall, FACE_ZP, w[c + g.sz], w[c]) -
               beyond(open, wall, FACE_ZM, w[c - g.sz], w[c]);
    float div = du / (2.0f * g.hx) + dv / (2.0f * g.hy) + dw / (2.0f * g.hz);
    return open & CELL_SOLID ? 0.0f : div;
}

/* lap p = sum over open faces of (p_neighbour - p) / h^2: Neumann at every other face. */
static inline float laplacian_c(foehn_grid g, wind_stencil s, int open, idx c,
                                global const float *p)
{
    float own = p[c];
    float x = (open & FACE_XM ? p[c - 1] - own : 0.0f) + (open & FACE_XP ? p[c + 1] - own : 0.0f);
    float y =
        (open & FACE_YM ? p[c - g.sy] - own : 0.0f) + (open & FACE_YP ? p[c + g.sy] - own : 0.0f);
    float z =
        (open & FACE_ZM ? p[c - g.sz] - own : 0.0f) + (open & FACE_ZP ? p[c + g.sz] - own : 0.0f);
    return s.wx * x + s.wy * y + s.wz * z;
}

kernel void divergence(foehn_grid g, global const uchar *open, global const uchar *wall,
                       global const float *u, global const float *v, global const float *w,
                       global float *div)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    div[c] = divergence_c(g, open[c], wall[c], c, u, v, w);
}

/* Jacobi: p' = p + (lap p - div) / (2 (wx + wy + wz)), that is (sum of neighbours - h^2 div) / 6 on
 * isotropic cells with the own value beyond closed faces. */
kernel void sweep(foehn_grid g, wind_stencil s, global const uchar *open, global const float *div,
                  global const float *p, global float *next)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    next[c] = p[c] + s.inverse * (laplacian_c(g, s, open[c], c, p) - div[c]);
}

/* The same sweep where no cell is solid: what is closed follows from the place in the box.  A
 * closed face's neighbour is the cell itself.  Half the instructions, and no bytes of faces to
 * read. */
kernel void sweep_flat(foehn_grid g, wind_stencil s, int periodic, global const float *div,
                       global const float *p, global float *next)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    idx down = j > 0 ? g.sy : 0, up = j < g.ny - 1 ? g.sy : 0;
    idx north = periodic || k > 0 ? g.sz : 0, south = periodic || k < g.nz - 1 ? g.sz : 0;
    float own = p[c];
    float x = (periodic || i > 0 ? p[c - 1] - own : 0.0f) +
              (periodic || i < g.nx - 1 ? p[c + 1] - own : 0.0f);
    float y = (p[c - down] - own) + (p[c + up] - own);
    float z = (p[c - north] - own) + (p[c + south] - own);
    next[c] = own + s.inverse * (s.wx * x + s.wy * y + s.wz * z - div[c]);
}

/* The divergence and the first sweep in one pass: the sweep needs div of its own cell only. */
kernel void divergence_sweep(foehn_grid g, wind_stencil s, global const uchar *open,
                             global const uchar *wall, global const float *u, global const float *v,
                             global const float *w, global float *div, global const float *p,
                             global float *next)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    float d = divergence_c(g, open[c], wall[c], c, u, v, w);
    div[c] = d;
    next[c] = p[c] + s.inverse * (laplacian_c(g, s, open[c], c, p) - d);
}

/* u <- u - grad p, central differences; speed at most max_speed where that is not 0. */
FOEHN_INLINE void project_at(foehn_grid g, float max_speed, int o, idx c, global const float *p,
                             global float *u, global float *v, global float *w)
{
    float own = p[c];
    float px = (o & FACE_XP ? p[c + 1] : own) - (o & FACE_XM ? p[c - 1] : own);
    float py = (o & FACE_YP ? p[c + g.sy] : own) - (o & FACE_YM ? p[c - g.sy] : own);
    float pz = (o & FACE_ZP ? p[c + g.sz] : own) - (o & FACE_ZM ? p[c - g.sz] : own);
    float nu = u[c] - px / (2.0f * g.hx);
    float nv = v[c] - py / (2.0f * g.hy);
    float nw = w[c] - pz / (2.0f * g.hz);
    float speed = sqrt(nu * nu + nv * nv + nw * nw);
    float scale = max_speed > 0.0f ? min(1.0f, max_speed / max(speed, 1e-20f)) : 1.0f;
    u[c] = scale * nu;
    v[c] = scale * nv;
    w[c] = scale * nw;
}

kernel void project(foehn_grid g, float max_speed, global const uchar *open, global const float *p,
                    global float *u, global float *v, global float *w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    project_at(g, max_speed, open[c], c, p, u, v, w);
}

/* The same, and `publish` of the result. */
kernel void project_publish(foehn_grid g, float max_speed, int wi, int wj, int wk,
                            global const uchar *open, global const float *p,
                            global const float *curl, global float *u, global float *v,
                            global float *w, global ushort4 *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    project_at(g, max_speed, open[c], c, p, u, v, w);
    out[wrapped(g, i, j, k, wi, wj, wk)] = halves_of(voxel_of(u[c], v[c], w[c], curl[c]));
}

/* Sum over a row of (lap p - div)^2. */
kernel void residual(foehn_grid g, wind_stencil s, global const uchar *open,
                     global const float *div, global const float *p, global float *rows)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (!inside(g, 0, j, k))
        return;
    float sum = 0.0f;
    for (int i = 0; i < g.nx; i++) {
        idx c = at(g, i, j, k);
        float r = laplacian_c(g, s, open[c], c, p) - div[c];
        sum += r * r;
    }
    rows[k * g.ny + j] = sum;
}

/* The field moved by (si, sj, sk) cells; cells that come into the box start from the profile. */
kernel void scroll(foehn_grid g, wind_forcing f, int si, int sj, int sk, global const float *ground,
                   global const uchar *open, global const float *u0, global const float *v0,
                   global const float *w0, global const float *p0, global float *u, global float *v,
                   global float *w, global float *p)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    int a = i + si, b = j + sj, d = k + sk;
    if (a >= 0 && b >= 0 && d >= 0 && inside(g, a, b, d)) {
        idx from = at(g, a, b, d);
        u[c] = u0[from];
        v[c] = v0[from];
        w[c] = w0[from];
        p[c] = p0[from];
    } else {
        float height = f.floor_y + ((float)j + 0.5f) * g.hy - ground[column(g, i, k)];
        float speed = open[c] & CELL_SOLID ? 0.0f : f.u10 * foehn_log_profile(height, f.z0);
        u[c] = f.dx * speed;
        v[c] = 0.0f;
        w[c] = f.dz * speed;
        p[c] = 0.0f;
    }
}

/* (ux, uy, uz, I) as halves in wrapped order: cell (i, j, k) goes to (i + wi) mod nx, ... */
kernel void publish(foehn_grid g, int wi, int wj, int wk, global const float *u,
                    global const float *v, global const float *w, global const float *curl,
                    global ushort4 *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    idx c = at(g, i, j, k);
    out[wrapped(g, i, j, k, wi, wj, wk)] = halves_of(voxel_of(u[c], v[c], w[c], curl[c]));
}
