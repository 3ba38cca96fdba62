/* SPDX-License-Identifier: MIT */
/* What comes into the LES without a periodic box beside it: the undisturbed wind with curl noise
 * that the wind carries along.  Launched by lib/wind/les_sides.c.
 *
 *   u = d u(z) + r(z) curl psi ,   |u'| of rms `amplitude` well above the ground
 *
 * What divergence a held face's noise has, the projection takes out inside. */
#include "noise.h"
#include "profile.h"
#include "wind/les.h"
#include "wind/les_ring.h"
#include "wind/structs.h"

/* A component on a face, m/s. */
FOEHN_INLINE float noisy(les l, wind_forcing f, const int axis, int i, int j, int k,
                         global const float *columns)
{
    const momentum m = l.m;
    const foehn_grid g = m.g;
    const float d = height_above(m, axis, i, j, k, columns);
    if (d <= 0.0f)
        return 0.0f;
    const float place[3] = {(place_x(g, i) + (axis == 0 ? 0.0f : 0.5f)) * g.hx,
                            ((float)j + (axis == 1 ? 0.0f : 0.5f)) * g.hy,
                            (place_z(g, k) + (axis == 2 ? 0.0f : 0.5f)) * g.hz};
    const float weight[WIND_OCTAVES] = {FOEHN_OCTAVE_WEIGHT_0, FOEHN_OCTAVE_WEIGHT_1};
    float noise = 0.0f;
    for (int o = 0; o < WIND_OCTAVES; o++) {
        float at[3], whole_[3];
        for (int a = 0; a < 3; a++) {
            at[a] = f.fraction[o][a] + place[a] / f.wavelength[o];
            whole_[a] = floor(at[a]);
        }
        foehn_curl_f curl;
        foehn_curl_noise_f(f.cell[o][0] + (int)whole_[0], f.cell[o][1] + (int)whole_[1],
                           f.cell[o][2] + (int)whole_[2], at[0] - whole_[0], at[1] - whole_[1],
                           at[2] - whole_[2], f.offset_x[o], f.offset_y[o], f.offset_z[o], &curl);
        noise += weight[o] * (axis == 0 ? curl.x : axis == 1 ? curl.y : curl.z);
    }
    noise *= FOEHN_CURL_NORMALISE * f.curl_amplitude * min(d / f.ramp, 1.0f);
    const float speed = m.friction / VON_KARMAN * foehn_log((d + m.z0) / m.z0);
    return noise + (axis == 0 ? m.dx : axis == 2 ? m.dz : 0.0f) * speed;
}

/* The three faces of a cell; nothing above the last row but the lid's. */
FOEHN_INLINE void put_noise(les l, wind_forcing f, int i, int j, int k, global const float *columns,
                            global float *u, global float *v, global float *w)
{
    const idx c = at(l.m.g, i, j, k);
    v[c] = j < l.m.g.ny ? noisy(l, f, 1, i, j, k, columns) : 0.0f;
    if (j == l.m.g.ny)
        return;
    u[c] = noisy(l, f, 0, i, j, k, columns);
    w[c] = noisy(l, f, 2, i, j, k, columns);
}

/* On inflow sides the faces and the ghosts. */
kernel void noise_inflow(les l, wind_forcing f, global const float *columns, global float *u,
                         global float *v, global float *w)
{
    const foehn_grid g = l.m.g;
    int i, k, j = (int)get_global_id(1);
    if (j > g.ny || !find_ring(g, (int)get_global_id(0), &i, &k) || !comes_in(l.m, i, k))
        return;
    put_noise(l, f, i, j, k, columns, u, v, w);
    const idx c = at(g, i, j, k);
    if (i < 0 && j < g.ny && l.m.inflow & INFLOW_WEST)
        u[c + 1] = noisy(l, f, 0, 0, j, k, columns);
    if (k < 0 && j < g.ny && l.m.inflow & INFLOW_NORTH)
        w[c + g.sz] = noisy(l, f, 2, i, j, 0, columns);
}

/* All of the field, over the padded box. */
kernel void noise_all(les l, wind_forcing f, global const float *columns, global float *u,
                      global float *v, global float *w)
{
    const foehn_grid g = l.m.g;
    int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1), k = (int)get_global_id(2) - 1;
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    put_noise(l, f, i, j, k, columns, u, v, w);
}
