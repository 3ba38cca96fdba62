/* SPDX-License-Identifier: MIT */
/* How the gas of a fire that burns moves: transport, eddies below the grid, lift and what density
 * does to the pressure.  Launched by lib/fire/combustion.c and lib/fire/step.c.  Staggered.
 *
 * With rho over that of the air, p over that of the air, too, and without the weight of air at rest
 *   dv/dt + v . grad v = -grad p / rho + g (1 / rho - 1) up + div (rho nu grad v) / rho.
 * The projection solves for q = p / rho with constant coefficients, of which
 *   grad p / rho = grad q + q grad rho / rho,
 * and the last term takes q from the step before, as FDS does (McGrattan et al., FDS Technical
 * Reference Guide, volume 1: the baroclinic term), but carried along with the air: pressure is that
 * of eddies, and stays with them. */
#include "fire/overlap.h"
#include "fire/trace.h"

/* next = base - dt (v . grad) v of the velocity u, v, w, central: no numerical viscosity, which
 * would take the eddies at the flame's foot that mix fuel and air.  Beyond the sides lies the wind
 * where air comes in; what leaves has no gradient.  Over (n + 1) faces. */
kernel void transport(foehn_grid g, float dt, global const float *u, global const float *v,
                      global const float *w, global const float *base_u, global const float *base_v,
                      global const float *base_w, global float *next_u, global float *next_v,
                      global float *next_w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k), step[3] = {1, g.sy, g.sz};
    const int place[3] = {i, j, k}, size[3] = {g.nx, g.ny, g.nz};
    const float per[3] = {g.per_x, g.per_y, g.per_z};
    for (int a = 0; a < 3; a++) {
        if ((a != 0 && i == g.nx) || (a != 1 && j == g.ny) || (a != 2 && k == g.nz))
            continue;
        global const float *f = a == 0 ? u : a == 1 ? v : w;
        float own = f[c], sum = 0.0f;
        for (int b = 0; b < 3; b++) {
            global const float *by = b == 0 ? u : b == 1 ? v : w;
            const idx s = step[b];
            bool first = place[b] == 0, last = place[b] == size[b] - (a == b ? 0 : 1);
            float before = f[c - s], after = f[c + s], down,
                  up; /* the speed along b on both sides of the face */
            if (a == b) {
                down = first ? own : 0.5f * (before + own);
                up = last ? own : 0.5f * (own + after);
            } else {
                down = 0.5f * (by[c - step[a]] + by[c]);
                up = 0.5f * (by[c + s - step[a]] + by[c + s]);
            }
            if (first && (down <= 0.0f || (b == 1 && HAS_FLOOR)))
                before = own;
            if (last && up >= 0.0f)
                after = own;
            sum += 0.5f * per[b] * (down * (own - before) + up * (after - own));
        }
        global const float *base = a == 0 ? base_u : a == 1 ? base_v : base_w;
        (a == 0 ? next_u : a == 1 ? next_v : next_w)[c] = base[c] - dt * sum;
    }
}

#define LACK(share, c) (share) * f[(c) + plane_of(r)] / (FIRE_AMBIENT + f[(c) + plane_of(r)])
DEFINE_MEAN_WITHIN(lack_within, LACK)

/* What a cell's gas lacks of the density of air, over that: the mean of the dye's voxels there; 0
 * in clean air and in ghosts. */
kernel void lighten(foehn_grid g, foehn_grid r, global const float *dye, global float *lack)
{
    CELL_OF(g);
    lack[c] = lack_within(g, r, i, j, k, dye);
}

/* Viscosity of the eddies below the grid, m2/s (Deardorff 1980, as in FDS): nu = 0.1 width sqrt(k),
 * where k is half the square of what a filter of twice the width takes from the velocity, each
 * component along itself; and mu = rho nu with that of the molecules, whose Prandtl number is 0.7.
 */
kernel void eddies(foehn_grid g, float width, global const float *u, global const float *v,
                   global const float *w, global const float *lack, global float *nu,
                   global float *mu)
{
    CELL_OF(g);
    const idx step[3] = {1, g.sy, g.sz};
    const int place[3] = {i, j, k}, size[3] = {g.nx, g.ny, g.nz};
    float twice = 0.0f;
    for (int a = 0; a < 3; a++) {
        global const float *f = (a == 0 ? u : a == 1 ? v : w) + c;
        const idx s = step[a];
        float own = 0.5f * (f[0] + f[s]);
        float before = place[a] == 0 ? own : 0.5f * (f[-s] + f[0]);
        float after = place[a] == size[a] - 1 ? own : 0.5f * (f[s] + f[2 * s]);
        float finer = 0.25f * (2.0f * own - before - after);
        twice += finer * finer;
    }
    float rho = 1.0f - lack[c], below_grid = 0.1f * width * sqrt(0.5f * twice);
    nu[c] = below_grid;
    mu[c] = rho * (0.7f * molecular(FIRE_AMBIENT / rho) + below_grid);
}

/* q at x - v dt; as it was where the trace would reach into a collider. */
kernel void carry_pressure(foehn_grid g, float dt, global const float *sdf, global const float *u,
                           global const float *v, global const float *w, global const float *q,
                           global float *carried)
{
    CELL_OF(g);
    corner t;
    float x = (float)i + 0.5f - dt * g.per_x * centered(u, c, 1);
    float y = (float)j + 0.5f - dt * g.per_y * centered(v, c, g.sy);
    float z = (float)k + 0.5f - dt * g.per_z * centered(w, c, g.sz);
    locate(g, x, above_floor(y), z, 0.5f, 0.5f, 0.5f, &t);
    bool solid = false;
    for (int n = 0; n < 8; n++)
        solid |= is_solid(g, sdf, t.c + (n & 1) + (n >> 1 & 1) * g.sy + (n >> 2) * g.sz);
    carried[c] = solid ? q[c] : sample_at(g, q, &t);
}

/* next = v + dt (lift (1 / rho - 1) + div (rho nu grad v) / rho - q grad rho / rho).  Over (n + 1)
 * faces. last: dt over that of the step that q is of.  Shares of a neighbour stay below
 * FIRE_MOST_SHARE, also where the step has too few parts for them. */
kernel void inertia(foehn_grid g, float dt, float last, float lift_x, float lift_y, float lift_z,
                    global const float *mu, global const float *lack, global const float *q,
                    global const float *u, global const float *v, global const float *w,
                    global float *next_u, global float *next_v, global float *next_w)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    const idx c = at(g, i, j, k), step[3] = {1, g.sy, g.sz};
    const float per[3] = {g.per_x, g.per_y, g.per_z}, lift[3] = {lift_x, lift_y, lift_z};
    for (int a = 0; a < 3; a++) {
        if ((a != 0 && i == g.nx) || (a != 1 && j == g.ny) || (a != 2 && k == g.nz))
            continue;
        global const float *f = a == 0 ? u : a == 1 ? v : w;
        const idx below = c - step[a];
        float rho = 1.0f - 0.5f * (lack[below] + lack[c]), value = f[c];
        value += dt * lift[a] * (1.0f / rho - 1.0f);
        value -= last * per[a] * 0.5f * (q[below] + q[c]) * (lack[below] - lack[c]) / rho;
        for (int b = 0; b < 3; b++)
            for (int side = -1; side <= 1; side += 2) {
                const idx n = side * step[b];
                /* of the cell between two faces, or of the four around an edge */
                float mean = a == b ? mu[side > 0 ? c : below]
                                    : 0.25f * (mu[c] + mu[below] + mu[c + n] + mu[below + n]);
                value +=
                    fmin(dt * per[b] * per[b] * mean / rho, FIRE_MOST_SHARE) * (f[c + n] - f[c]);
            }
        (a == 0 ? next_u : a == 1 ? next_v : next_w)[c] = value;
    }
}
