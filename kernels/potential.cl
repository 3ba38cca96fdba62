/* SPDX-License-Identifier: MIT */
/* The noise potentials of the staggered wind, and the gust bands.  Launched by lib/staggered.c.
 *
 * Work-items march along z.  Between two lattice planes Perlin noise on a line is
 *
 *     (1 - s) (v0 + m0 t) + s (v1 + m1 (t - 1)),   s = fade(t),   0 <= t < 1,
 *
 * v and m being the blended gradients of a plane's four corners around the line: only where the march comes into
 * the next cell of the lattice are there corners to hash, which is what noise costs. */
#include "grid.h"
#include "noise.h"
#include "profile.h"
#include "wind.h"

/* A line's plane at lattice z iz: gradients of its four corners, blended at the fraction (x, y). */
FOEHN_INLINE void lattice_plane(int ix, int iy, int iz, float x, float y, float *value, float *slope)
{
    float fx = foehn_noise_fade_f(x), fy = foehn_noise_fade_f(y), v = 0.0f, m = 0.0f;
    FOEHN_UNROLL
    for (int corner = 0; corner < 4; corner++) {
        int cx = corner & 1, cy = corner >> 1;
        unsigned h = foehn_noise_hash(ix + cx, iy + cy, iz);
        float weight = (cx ? fx : 1.0f - fx) * (cy ? fy : 1.0f - fy);
        v += weight * (foehn_noise_component_f(h) * (x - (float)cx) +
                       foehn_noise_component_f(h >> 10) * (y - (float)cy));
        m += weight * foehn_noise_component_f(h >> 20);
    }
    *value = v;
    *slope = m;
}

/* A line's numbers v0, m0, v1, m1, each `lines` floats after the one before; and a line a potential and octave. */
enum { LINE_FLOATS = 4, LINES = 3 * WIND_OCTAVES };

/* Begin the lattice cell iz of the line of potential `component`, octave o, at box place (x, y), metres. */
FOEHN_INLINE void enter_cell(wind_forcing f, const int o, const int component, float x, float y, int iz,
                             int lines, local float *line)
{
    float px = f.fraction[o][0] + x / f.wavelength[o], py = f.fraction[o][1] + y / f.wavelength[o];
    float fx = floor(px), fy = floor(py), v, m;
    int ix = f.cell[o][0] + (int)fx + f.offset_x[o][component];
    int iy = f.cell[o][1] + (int)fy + f.offset_y[o][component];
    iz += f.cell[o][2] + f.offset_z[o][component];
    lattice_plane(ix, iy, iz, px - fx, py - fy, &v, &m);
    line[0] = v;
    line[lines] = m;
    lattice_plane(ix, iy, iz + 1, px - fx, py - fy, &v, &m);
    line[2 * lines] = v;
    line[3 * lines] = m;
}

/* Noise on a line at the fraction t of its lattice cell, s = fade(t). */
FOEHN_INLINE float on_line(float t, float s, int lines, local const float *line)
{
    return (1.0f - s) * (line[0] + t * line[lines]) +
           s * (line[2 * lines] + (t - 1.0f) * line[3 * lines]);
}

/* Ramp from 0 at and under the ground to 1: the curl must cross no closed face. */
FOEHN_INLINE float ramp(wind_forcing f, float height)
{
    return foehn_noise_fade_f(clamp(height / f.ramp, 0.0f, 1.0f));
}

/* Speed that the gust bands add to u at (i, k + 1/2) and to w at (i + 1/2, k), at 10 m: strength
 * (1 - (2 s / width)^2)^2 within a band. */
FOEHN_INLINE void gusts(foehn_grid g, wind_forcing f, float x, float z, float *at_u, float *at_w)
{
    float u = 0.0f, w = 0.0f;
    FOEHN_UNROLL
    for (int n = 0; n < WIND_GUSTS; n++) {
        float place = x * f.gust[n].dx + z * f.gust[n].dz - f.gust[n].position;
        float su = (place + 0.5f * g.hz * f.gust[n].dz) * f.gust[n].inverse;
        float sw = (place + 0.5f * g.hx * f.gust[n].dx) * f.gust[n].inverse;
        float cu = max(1.0f - su * su, 0.0f), cw = max(1.0f - sw * sw, 0.0f);
        u += f.gust[n].strength * f.gust[n].dx * cu * cu;
        w += f.gust[n].strength * f.gust[n].dz * cw * cw;
    }
    *at_u = u;
    *at_w = w;
}

/* psi_x at (i + 1/2, j, k), psi_y at (i, j + 1/2, k), psi_z at (i, j, k + 1/2), and, if asked, the columns'
 * gust speeds.  An item has `span` lines side by side, 1 on GPUs, part of a row on CPUs (loops that their
 * drivers vectorise), and marches `march` layers.  noise: LINES * LINE_FLOATS floats a line of the group. */
kernel void potentials(foehn_grid g, wind_forcing f, int span, int march, int with_gusts,
                       global const float *restrict corner, global float *restrict psi_x,
                       global float *restrict psi_y, global float *restrict psi_z,
                       global float *restrict gust_u, global float *restrict gust_w,
                       local float *restrict noise)
{
    const int from = span * (int)get_global_id(0), to = min(from + span, g.nx + 1);
    const int j = (int)get_global_id(1), first = march * (int)get_global_id(2);
    const int end = j <= g.ny ? min(first + march, g.nz + 1) : first;
    const int lines = span * (int)(get_local_size(0) * get_local_size(1));
    const int slot = span * (int)(get_local_id(1) * get_local_size(0) + get_local_id(0)) - from;
    const float y = (float)j * g.hy;
    int cell[WIND_OCTAVES] = {0, 0}, half_cell[WIND_OCTAVES] = {0, 0};
    for (int k = first; k < end; k++) {
        float z = (float)k * g.hz, t[WIND_OCTAVES], half_t[WIND_OCTAVES];
        FOEHN_UNROLL
        for (int o = 0; o < WIND_OCTAVES; o++) {
            float pz = f.fraction[o][2] + z / f.wavelength[o];
            float half_pz = f.fraction[o][2] + (z + 0.5f * g.hz) / f.wavelength[o];
            float fz = floor(pz), half_fz = floor(half_pz);
            local float *own = noise + o * 3 * LINE_FLOATS * lines + slot;
            t[o] = pz - fz;
            half_t[o] = half_pz - half_fz;
            if (k == first || (int)fz != cell[o])
                for (int i = from; i < to; i++) {
                    float x = (float)i * g.hx;
                    enter_cell(f, o, 0, x + 0.5f * g.hx, y, (int)fz, lines, own + i);
                    enter_cell(f, o, 1, x, y + 0.5f * g.hy, (int)fz, lines, own + LINE_FLOATS * lines + i);
                }
            if (k == first || (int)half_fz != half_cell[o])
                for (int i = from; i < to; i++)
                    enter_cell(f, o, 2, (float)i * g.hx, y, (int)half_fz, lines,
                               own + 2 * LINE_FLOATS * lines + i);
            cell[o] = (int)fz;
            half_cell[o] = (int)half_fz;
        }
        for (int i = from; i < to; i++) {
            const float weight[WIND_OCTAVES] = {FOEHN_OCTAVE_WEIGHT_0, FOEHN_OCTAVE_WEIGHT_1};
            float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
            FOEHN_UNROLL
            for (int o = 0; o < WIND_OCTAVES; o++) {
                local const float *own = noise + o * 3 * LINE_FLOATS * lines + slot + i;
                float s = foehn_noise_fade_f(t[o]), half_s = foehn_noise_fade_f(half_t[o]);
                float scale = weight[o] * f.wavelength[o];
                sum_x += scale * on_line(t[o], s, lines, own);
                sum_y += scale * on_line(t[o], s, lines, own + LINE_FLOATS * lines);
                sum_z += scale * on_line(half_t[o], half_s, lines, own + 2 * LINE_FLOATS * lines);
            }
            idx c = at(g, i, j, k), q = column(g, i, k);
            float h00 = corner[q], h10 = corner[q + 1], h01 = corner[q + g.sy];
            float up = f.floor_y + y, amplitude = f.curl_amplitude * FOEHN_CURL_NORMALISE;
            psi_x[c] = amplitude * ramp(f, up - 0.5f * (h00 + h10)) * sum_x;
            psi_y[c] = amplitude * ramp(f, up + 0.5f * g.hy - h00) * sum_y;
            psi_z[c] = amplitude * ramp(f, up - 0.5f * (h00 + h01)) * sum_z;
        }
        for (int i = from; i < to && with_gusts && j == 0; i++) {
            float u, w;
            gusts(g, f, (float)i * g.hx, z, &u, &w);
            gust_u[column(g, i, k)] = u;
            gust_w[column(g, i, k)] = w;
        }
    }
}
