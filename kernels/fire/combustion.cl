/* SPDX-License-Identifier: MIT */
/* Burning: fuel comes, burns with the air around it, leaves heat, soot and a larger volume.
 * Launched by lib/fire/combustion.c.
 *
 * Dye is soot, temperature above the ambient (K), fuel, products: mass fractions of the gas, air is
 * the rest, so that clean air is 0 in every plane.  All at one pressure: density 353 / T kg/m3. */
#include "fire/books.h"
#include "fire/overlap.h"

/* ---- what emitters give ---- */

/* How many points of each proxy lie in open voxels: whole numbers, in any order.  Over (y, z,
 * proxies) of the largest footprint. */
kernel void total(foehn_grid g, foehn_grid r, int first_proxy, global const fire_proxy *proxies,
                  global const float *sdf, global const int *counts, global int *totals)
{
    int y = (int)get_global_id(0), z = (int)get_global_id(1), n = (int)get_global_id(2);
    fire_proxy q = proxies[first_proxy + n];
    if (y >= q.ny || z >= q.nz)
        return;
    int sum = 0;
    for (int x = 0; x < q.nx; x++)
        if (is_open(g, r, sdf, q.low_x + x, q.low_y + y, q.low_z + z))
            sum += counts[q.offset + x + q.nx * (y + q.ny * z)];
    if (sum > 0)
        atomic_add(&totals[n], sum);
}

/* Share each proxy's fuel out over its points in open voxels, light pilots, set the counts back to
 * 0.  Fuel is kept as its mass over the gas that is there. */
kernel void feed(foehn_grid g, foehn_grid r, int x, int y, int z, int nx, int ny, int nz, float dt,
                 int first_proxy, int proxy_count, global const fire_proxy *proxies,
                 global const float *sdf, global const int *totals, global int *counts,
                 global float *dye, global float *burnt)
{
    CELL_WITHIN(x, y, z, nx, ny, nz);
    const idx plane = plane_of(r);
    idx c = at(r, i, j, k);
    bool open = is_open(g, r, sdf, i, j, k);
    float fuel = 0.0f, pilot = 0.0f;
    for (int n = 0; n < proxy_count; n++) {
        fire_proxy q = proxies[first_proxy + n];
        int u = i - q.low_x, v = j - q.low_y, w = k - q.low_z;
        if (u < 0 || v < 0 || w < 0 || u >= q.nx || v >= q.ny || w >= q.nz)
            continue;
        int slot = q.offset + u + q.nx * (v + q.ny * w), points = counts[slot];
        counts[slot] = 0;
        if (points == 0 || !open)
            continue;
        fuel += q.fuel * (float)points / (float)totals[n];
        pilot = fmax(pilot, q.pilot);
    }
    float hotter = fmax(dye[c + plane], pilot);
    dye[c + plane] = burnt[c + BURNT_CAME * plane] = hotter;
    burnt[c + BURNT_FRESH * plane] +=
        fuel * dt * (FIRE_AMBIENT + hotter) / (FIRE_RHO_T * r.hx * r.hy * r.hz);
}

/* ---- mixing ---- */

/* What diffusion adds to the planes of a voxel in dt, conservative in mass and heat,
 *   rho dX/dt = div (rho D grad X),  D = molecular + nu of the eddies / 0.5
 * (their Schmidt and Prandtl number), rho that of the gas as it came: it makes room for the heat
 * when it moves on.  Shares of a neighbour stay below FIRE_MOST_SHARE. */
FOEHN_INLINE void mix_in(foehn_grid r, fire_burning q, global const float *from,
                         global const float *burnt, idx c, int i, int j, int k, float x[4])
{
    const idx plane = plane_of(r), step[3] = {1, r.sy, r.sz};
    const int place[3] = {i, j, k}, size[3] = {r.nx, r.ny, r.nz};
    const float per[3] = {r.per_x, r.per_y, r.per_z};
    global const float *mixing = burnt + BURNT_MIXING * plane;
    global const float *came = burnt + BURNT_CAME * plane;
    float own = FIRE_AMBIENT + came[c];
    for (int a = 0; a < 3; a++)
        for (int side = -1; side <= 1; side += 2) {
            int beyond = place[a] + side; /* nothing mixes through the sides and into colliders */
            idx n = c + side * step[a];
            bool shut = beyond < 0 || beyond == size[a] || mixing[n] < 0.0f;
            float open = shut || mixing[c] < 0.0f ? 0.0f : 1.0f;
            float hotter = own / (FIRE_AMBIENT + came[n]);
            float d = 0.5f * (mixing[c] + mixing[n]);
            /* rho of the face over one's own, and over the thinner gas of the two */
            float dense = 0.5f * (1.0f + hotter),
                  thin = 0.5f * (1.0f + fmax(hotter, 1.0f / hotter));
            float share = open * fmin(d * per[a] * per[a] * q.mixing, FIRE_MOST_SHARE / thin),
                  weight = dense * share;
            for (int b = 0; b < 4; b++)
                x[b] += weight * (from[n + b * plane] - from[c + b * plane]);
        }
}

/* A round of mixing before the last: small voxels take several in a step. */
kernel void mix_round(foehn_grid r, fire_burning q, global const float *from, global float *to,
                      global const float *burnt, global const uchar *awake)
{
    CELL_OF(r);
    if (awake[block_of(r, i, j, k)] == 0)
        return;
    const idx plane = plane_of(r);
    float x[4] = {from[c], from[c + plane], from[c + 2 * plane], from[c + 3 * plane]};
    mix_in(r, q, from, burnt, c, i, j, k, x);
    for (int a = 0; a < 4; a++)
        to[c + a * plane] = x[a];
}

/* ---- burning ---- */

/* Time in which a voxel's fuel and air mix: the fastest of diffusion, turbulence below the grid and
 * rising, as in FDS.  Turbulence: 0.4 width / sqrt(2 k / 3), and nu = 0.1 width sqrt(k). */
FOEHN_INLINE float mixing_time(fire_burning q, float temperature, float nu)
{
    float time = fmin(q.width * q.width / molecular(temperature), sqrt(2.0f * q.width / q.gravity));
    return fmax(fmin(time, 0.049f * q.air_width * q.air_width / fmax(nu, 1e-9f)), 1e-4f) *
           q.flame_length;
}

/* Neighbours mix, then mixed is burnt, in one voxel over dt:
 *   b = min(F, A / s) (1 - exp(-dt / tau)), A = 1 - F - P,
 *   F -= b, P += (1 + s) b, T += (1 - radiative) b heat / cp,
 *   S = (1 - radiative) q / (rho cp T), and the room of the fuel that came and of heat that moved.
 */
kernel void burn(foehn_grid g, foehn_grid r, fire_burning q, global const float *factors,
                 global const float *nu, global const float *from, global float *to,
                 global float *burnt, global const uchar *awake, global uchar *touched)
{
    CELL_OF(r);
    if (awake[block_of(r, i, j, k)] == 0)
        return;
    const idx plane = plane_of(r);
    global float *s = to + c, *out = burnt + c;
    float x[4] = {from[c], from[c + plane], from[c + 2 * plane], from[c + 3 * plane]};
    if (out[BURNT_MIXING * plane] < 0.0f) { /* what colliders hold is for the picture alone */
        for (int a = 0; a < 4; a++)
            s[a * plane] = x[a];
        for (int a = 0; a < BURNT_MIXING; a++)
            out[a * plane] = 0.0f;
        if (x[0] != 0.0f || x[1] != 0.0f || x[2] != 0.0f || x[3] != 0.0f)
            touched[block_of(r, i, j, k)] = 1;
        return;
    }
    mix_in(r, q, from, burnt, c, i, j, k, x);
    float came = FIRE_AMBIENT + out[BURNT_CAME * plane];
    float moved = (FIRE_AMBIENT + x[1] - came) / (came * q.dt);
    /* Fuel that comes, and what the balance gives pure fuel beyond what it can hold, make room. */
    float fresh = out[BURNT_FRESH * plane], given = x[2] * factors[0];
    float more = fresh + fmax(given - 1.0f, 0.0f), share = 1.0f / (1.0f + more);
    float soot = x[0] * factors[1] * share, hotter = x[1] * factors[2] * share;
    float fuel = fmin((fmin(given, 1.0f) + more) * share, 1.0f), products = x[3] * share;
    float temperature = FIRE_AMBIENT + hotter;
    /* Of what is in the voxel, before heat and fuel make room. */
    float density = (1.0f + more) * FIRE_RHO_T / came;
    float air = fmax(1.0f - fuel - products, 0.0f), b = 0.0f, oxidised = 0.0f;
    if (fuel > 0.0f && air > 1e-6f && temperature >= q.ignition) { /* less is what sums round to */
        float eddies = eddies_at(g, r, nu, i, j, k);
        b = fmin(fuel, air / q.air) * (1.0f - exp(-q.dt / mixing_time(q, temperature, eddies)));
        b = fmin(b, q.most * q.dt / (density * q.heat));
    }
    fuel -= b;
    products = fmin(products + (1.0f + q.air) * b,
                    1.0f - fuel); /* each is carried within limits, not the sum */
    soot += q.flame_soot * b;
    if (temperature > 1000.0f &&
        air > q.air * b) { /* soot beyond the yield burns off at sheets above 1300 K */
        float kept = q.soot_yield * products / (1.0f + q.air);
        oxidised = fmax(soot - kept, 0.0f) * (1.0f - exp(-q.dt / 0.05f));
        soot -= oxidised;
    }
    float heat = density * b * q.heat / q.dt;
    hotter =
        fmin(hotter + (1.0f - q.radiative) * b * q.heat / FIRE_CP, FIRE_HOTTEST - FIRE_AMBIENT);
    if (fabs(hotter) < 1e3f * q.clean && fuel < q.clean && products < q.clean &&
        soot < 0.1f * q.clean)
        hotter = fuel = products = soot = 0.0f;
    s[0] = soot;
    s[plane] = hotter;
    s[2 * plane] = fuel;
    s[3 * plane] = products;
    if (hotter != 0.0f || fuel != 0.0f || products != 0.0f || soot != 0.0f)
        touched[block_of(r, i, j, k)] = 1;
    out[BURNT_HEAT * plane] = heat;
    out[BURNT_EXPANSION * plane] =
        q.expansion * (1.0f - q.radiative) * heat / FIRE_RHO_CP_T + more / q.dt + moved;
    out[BURNT_WARMTH * plane] = density * s[plane];
    out[BURNT_FUEL * plane] = density * fuel;
    out[BURNT_SOOT * plane] = density * soot;
    out[BURNT_FRESH * plane] = 0.0f;
    out[BURNT_EMITTED * plane] = density * fresh * share;
    out[BURNT_OXIDISED * plane] = density * oxidised;
}

/* ---- expansion on the air's grid ---- */

#define EXPANSION(share, c) (share) * f[(c) + BURNT_EXPANSION * plane_of(r)]
DEFINE_MEAN_WITHIN(expansion_within, EXPANSION)

/* S of each open cell: what the dye's voxels within it make, no more and no less; 0 in colliders
 * and in cells that have no open neighbour. */
kernel void gather(foehn_grid g, foehn_grid r, global const float *sdf, global const float *burnt,
                   global float *expansion)
{
    CELL_OF(g);
    bool sealed = is_solid(g, sdf, c - 1) && is_solid(g, sdf, c + 1) &&
                  is_solid(g, sdf, c - g.sy) && is_solid(g, sdf, c + g.sy) &&
                  is_solid(g, sdf, c - g.sz) && is_solid(g, sdf, c + g.sz);
    expansion[c] = sealed || is_solid(g, sdf, c) ? 0.0f : expansion_within(g, r, i, j, k, burnt);
}

/* The divergence beyond the expansion. */
kernel void less(foehn_grid g, global const float *expansion, global float *divergence)
{
    CELL_OF(g);
    divergence[c] -= expansion[c];
}

/* Of a row, 1/s: how many cells, along all three axes together, its fastest air crosses, its
 * largest expansion, and its largest viscosity over the square of a cell. */
kernel void haste(foehn_grid g, global const float *u, global const float *v, global const float *w,
                  global const float *expansion, global const float *mu, global const float *lack,
                  global float *rows)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= g.ny || k >= g.nz)
        return;
    float fastest = 0.0f, largest = 0.0f, most = 0.0f;
    float per = fmax(fmax(g.per_x, g.per_y), g.per_z);
    for (int i = 0; i < g.nx; i++) {
        idx c = at(g, i, j, k);
        float x = fmax(fabs(u[c]), fabs(u[c + 1])) * g.per_x;
        float y = fmax(fabs(v[c]), fabs(v[c + g.sy])) * g.per_y;
        float z = fmax(fabs(w[c]), fabs(w[c + g.sz])) * g.per_z;
        fastest = fmax(fastest, x + y + z);
        largest = fmax(largest, expansion[c]);
        most = fmax(most, mu[c] / (1.0f - lack[c]));
    }
    global float *row = rows + FIRE_HASTE * (k * g.ny + j);
    row[0] = fastest;
    row[1] = largest;
    row[2] = most * per * per;
}

/* ---- books ---- */

/* A plane's mass in a voxel, kg/m3: fuel, soot, or K of warmth. */
FOEHN_INLINE float mass_at(foehn_grid r, global const float *dye, idx c, int plane)
{
    return dye[c + plane * plane_of(r)] * FIRE_RHO_T / (FIRE_AMBIENT + dye[c + plane_of(r)]);
}

/* What a voxel beside a side loses through it: over one axis, in shares of its content. */
FOEHN_INLINE float outward(float speed, float per, float dt)
{
    return fmin(fmax(speed, 0.0f) * per * dt, 1.0f);
}

/* Masses of a row after the transport, and what went through the sides in it of what was there
 * before. */
kernel void weigh_moved(foehn_grid g, foehn_grid r, float dt, global const float *u,
                        global const float *v, global const float *w, global const float *contents,
                        global const float *to, global const float *burnt, global float *books)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= r.ny || k >= r.nz)
        return;
    const float sx = (float)g.nx / (float)r.nx, sy = (float)g.ny / (float)r.ny;
    const float sz = (float)g.nz / (float)r.nz;
    const int planes[3] = {2, 0, 1}; /* fuel, soot, warmth */
    float moved[3] = {0.0f, 0.0f, 0.0f}, left[3] = {0.0f, 0.0f, 0.0f};
    bool rim = j == 0 || k == 0 || j == r.ny - 1 || k == r.nz - 1;
    for (int i = 0; i < r.nx; i++) {
        idx c = at(r, i, j, k);
        if (burnt[c + BURNT_MIXING * plane_of(r)] < 0.0f)
            continue;
        for (int n = 0; n < 3; n++)
            moved[n] += mass_at(r, to, c, planes[n]);
        if (!rim && i != 0 && i != r.nx - 1)
            continue;
        float speed[3], out = 0.0f;
        sample_velocity(g, u, v, w, ((float)i + 0.5f) * sx, ((float)j + 0.5f) * sy,
                        ((float)k + 0.5f) * sz, speed);
        out += i == 0 ? outward(-speed[0], r.per_x, dt) : 0.0f;
        out += i == r.nx - 1 ? outward(speed[0], r.per_x, dt) : 0.0f;
        out += j == 0 && !on_floor(j) ? outward(-speed[1], r.per_y, dt) : 0.0f;
        out += j == r.ny - 1 ? outward(speed[1], r.per_y, dt) : 0.0f;
        out += k == 0 ? outward(-speed[2], r.per_z, dt) : 0.0f;
        out += k == r.nz - 1 ? outward(speed[2], r.per_z, dt) : 0.0f;
        for (int n = 0; n < 3; n++)
            left[n] += out * contents[c + planes[n] * plane_of(r)];
    }
    global float *row = books + BOOKS * (k * r.ny + j);
    for (int n = 0; n < 3; n++) {
        row[BOOKS_MOVED + n] = moved[n];
        row[BOOKS_OUT + n] = left[n];
    }
}

/* Sums of the first figures over the rows of a plane. */
kernel void sum_rows(foehn_grid r, global const float *books, global float *planes)
{
    int k = (int)get_global_id(0);
    if (k >= r.nz)
        return;
    float sum[BOOKS_HEAT];
    for (int n = 0; n < BOOKS_HEAT; n++)
        sum[n] = 0.0f;
    for (int j = 0; j < r.ny; j++)
        for (int n = 0; n < BOOKS_HEAT; n++)
            sum[n] += books[BOOKS * (k * r.ny + j) + n];
    for (int n = 0; n < BOOKS_HEAT; n++)
        planes[BOOKS_HEAT * k + n] = sum[n];
}

/* Interpolation loses and makes mass: factors that give fuel, soot and warmth what they had, less
 * what left. */
kernel void balance(int nz, global const float *planes, global float *factors)
{
    float sum[BOOKS_HEAT];
    if (get_global_id(0) > 0)
        return;
    for (int n = 0; n < BOOKS_HEAT; n++)
        sum[n] = 0.0f;
    for (int k = 0; k < nz; k++)
        for (int n = 0; n < BOOKS_HEAT; n++)
            sum[n] += planes[BOOKS_HEAT * k + n];
    for (int n = 0; n < 3; n++) {
        float had = fmax(sum[n] - sum[BOOKS_OUT + n], 0.0f), has = sum[BOOKS_MOVED + n];
        factors[n] = has > 1e-20f ? fmin(fmax(had / has, 0.5f), 2.0f) : 1.0f;
    }
}

/* Book a step's burning; or, where nothing happened yet (only_weigh), take the masses as they are:
 * 1: what the caller put there, 2: what is there after the box has moved. */
kernel void book(foehn_grid r, int only_weigh, fire_burning q, global const float *dye,
                 global float *burnt, global float *books)
{
    int j = (int)get_global_id(0), k = (int)get_global_id(1);
    if (j >= r.ny || k >= r.nz)
        return;
    const idx plane = plane_of(r);
    global float *row = books + BOOKS * (k * r.ny + j);
    float fuel = 0.0f, soot = 0.0f, warmth = 0.0f;
    float heat = 0.0f, expansion = 0.0f, emitted = 0.0f, oxidised = 0.0f;
    for (int i = 0; i < r.nx; i++) {
        idx c = at(r, i, j, k);
        global float *b = burnt + c;
        if (only_weigh) {
            float share = b[BURNT_MIXING * plane] < 0.0f ? 0.0f : 1.0f; /* nothing in colliders */
            b[BURNT_FUEL * plane] = share * mass_at(r, dye, c, 2);
            b[BURNT_SOOT * plane] = share * mass_at(r, dye, c, 0);
            b[BURNT_WARMTH * plane] = share * mass_at(r, dye, c, 1);
        }
        if (only_weigh != 1) {
            heat += b[BURNT_HEAT * plane];
            expansion += b[BURNT_EXPANSION * plane];
            emitted += b[BURNT_EMITTED * plane];
            oxidised += b[BURNT_OXIDISED * plane];
        }
        fuel += b[BURNT_FUEL * plane];
        soot += b[BURNT_SOOT * plane];
        warmth += b[BURNT_WARMTH * plane];
    }
    float gone = heat * q.dt / q.heat;
    if (only_weigh == 2) { /* what is no longer in the box was carried out */
        add_kept(row + BOOKS_FUEL_CARRIED, row[BOOKS_FUEL] - fuel);
        add_kept(row + BOOKS_SOOT_CARRIED, row[BOOKS_SOOT] - soot);
    } else if (only_weigh) { /* what was put there counts as emitted and formed */
        add_kept(row + BOOKS_EMITTED, fuel - row[BOOKS_FUEL]);
        add_kept(row + BOOKS_FORMED, soot - row[BOOKS_SOOT]);
    } else {
        add_kept(row + BOOKS_EMITTED, emitted);
        add_kept(row + BOOKS_BURNT, gone);
        add_kept(row + BOOKS_FORMED, gone * q.flame_soot);
        add_kept(row + BOOKS_OXIDISED, oxidised);
        add_kept(row + BOOKS_FUEL_CARRIED, row[BOOKS_OUT]);
        add_kept(row + BOOKS_SOOT_CARRIED, row[BOOKS_OUT + 1]);
        add_kept(row + BOOKS_VOLUME, expansion * q.dt);
    }
    if (only_weigh != 1) {
        row[BOOKS_HEAT] = heat;
        row[BOOKS_EXPANSION] = expansion;
    }
    row[BOOKS_FUEL] = fuel;
    row[BOOKS_SOOT] = soot;
    row[BOOKS_WARMTH] = warmth;
}
