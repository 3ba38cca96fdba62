/* SPDX-License-Identifier: MIT */
/* The noise potentials of the staggered wind, and the gust bands.  Launched by lib/wind/faces.c.
 *
 * Work-items march along z.  Between two lattice planes Perlin noise on a line is
 *
 *     (1 - s) (v0 + m0 t) + s (v1 + m1 (t - 1)),   s = fade(t),   0 <= t < 1,
 *
 * v and m being the blended gradients of a plane's four corners around the line: only where the
 * march comes into the next cell of the lattice are there corners to hash, which is what noise
 * costs. */
#ifdef FOEHN_ONE_LINE /* on GPUs: an item's first layer comes to the bits of its others */
#pragma OPENCL FP_CONTRACT OFF
#endif

#include "grid.h"
#include "noise.h"
#include "profile.h"
#include "wind/structs.h"

/* A line's plane at lattice z iz: gradients of its four corners, blended at the fraction (x, y). */
FOEHN_INLINE void lattice_plane(int ix, int iy, int iz, float x, float y, float *value,
                                float *slope)
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

/* A line has the numbers v0, m0, v1, m1, each LINES_APART floats after the one before, for each
 * potential and octave.  A group of CPUs has at most so many lines; an item of GPUs has one, in
 * registers. */
#ifdef FOEHN_ONE_LINE
#define EACH FOEHN_UNROLL
#define LINE_SPACE private
#define LINE(i) 0
enum { LINE_FLOATS = 4, LINES_APART = 1 };
#else
#define EACH ROLLED
#define LINE_SPACE local
#define LINE(i) (i)
enum { LINE_FLOATS = 4, LINES_APART = WIND_LINES };
#endif

/* The lines [from, to) of potential `component`, octave o, enter the lattice cell iz; y and half_x,
 * in cells, say where their edges are.  From the cell below, its upper plane is this one's lower
 * one.  (One loop for both planes: three took a CPU's driver half the time of this kernel.) */
FOEHN_INLINE void enter_cells(foehn_grid g, wind_forcing f, const int o, const int component,
                              int from, int to, float half_x, float y, int iz,
                              const bool from_below, LINE_SPACE float *own)
{
    const float per_length = 1.0f / f.wavelength[o], fraction_x = f.fraction[o][0];
    const float py = f.fraction[o][1] + y * per_length, fy = floor(py);
    const int cell_x = f.cell[o][0] + f.offset_x[o][component];
    const int iy = f.cell[o][1] + (int)fy + f.offset_y[o][component];
    LINE_SPACE float *line = own + (3 * o + component) * LINE_FLOATS * LINES_APART;
    iz += f.cell[o][2] + f.offset_z[o][component];
    for (int i = from; i < to && from_below; i++) {
        line[LINE(i)] = line[LINE(i) + 2 * LINES_APART];
        line[LINE(i) + LINES_APART] = line[LINE(i) + 3 * LINES_APART];
    }
    EACH for (int plane = from_below ? 1 : 0; plane < 2; plane++)
    {
        LINE_SPACE float *value = line + 2 * plane * LINES_APART, *slope = value + LINES_APART;
        for (int i = from; i < to; i++) {
            float x = (place_x(g, i) + half_x) * g.hx, v, m;
            float px = fraction_x + x * per_length, fx = floor(px);
            lattice_plane(cell_x + (int)fx, iy, iz + plane, px - fx, py - fy, &v, &m);
            value[LINE(i)] = v;
            slope[LINE(i)] = m;
        }
    }
}

/* Noise on a line at the fraction t of its lattice cell, s = fade(t). */
FOEHN_INLINE float on_line(float t, float s, LINE_SPACE const float *line)
{
    return (1.0f - s) * (line[0] + t * line[LINES_APART]) +
           s * (line[2 * LINES_APART] + (t - 1.0f) * line[3 * LINES_APART]);
}

/* Ramp from 0 at and under the ground to 1: the curl must cross no closed face. */
FOEHN_INLINE float ramp(float height, float per_ramp)
{
    return foehn_noise_fade_f(clamp(height * per_ramp, 0.0f, 1.0f));
}

/* Speed that a gust band adds to u at (i, k + 1/2) and to w at (i + 1/2, k), at 10 m: strength
 * (1 - (2 s / width)^2)^2 within the band. */
FOEHN_INLINE void add_gust(foehn_grid g, wind_gust band, float x, float z, float *u, float *w)
{
    float place = x * band.dx + z * band.dz - band.position;
    float su = (place + 0.5f * g.hz * band.dz) * band.inverse;
    float sw = (place + 0.5f * g.hx * band.dx) * band.inverse;
    float cu = max(1.0f - su * su, 0.0f), cw = max(1.0f - sw * sw, 0.0f);
    *u += band.strength * band.dx * cu * cu;
    *w += band.strength * band.dz * cw * cw;
}

/* psi_x at (i + 1/2, j, k), psi_y at (i, j + 1/2, k), psi_z at (i, j, k + 1/2), and, if asked, the
 * columns' gust speeds.  An item has `span` lines side by side, part of a row (loops that CPUs'
 * drivers vectorise), or with FOEHN_ONE_LINE one, and marches `march` layers.  noise, for more than
 * one line: 3 WIND_OCTAVES LINE_FLOATS LINES_APART floats. */
kernel void potentials(foehn_grid g, wind_forcing f, int span, int march, int with_gusts,
                       global const float *restrict corner, global float *restrict psi_x,
                       global float *restrict psi_y, global float *restrict psi_z,
                       global float *restrict gust_u, global float *restrict gust_w,
                       local float *restrict noise)
{
#ifdef FOEHN_ONE_LINE
    const int from = (int)get_global_id(0), to = min(from + 1, g.nx + 1);
    float own[3 * WIND_OCTAVES * LINE_FLOATS];
    (void)span, (void)noise;
#else
    const int from = span * (int)get_global_id(0), to = min(from + span, g.nx + 1);
    const int slot = span * (int)(get_local_id(1) * get_local_size(0) + get_local_id(0)) - from;
    local float *own = noise + slot;
#endif
    const int j = (int)get_global_id(1), first = march * (int)get_global_id(2);
    const int end = j <= g.ny ? min(first + march, g.nz + 1) : first;
    const float y = (float)j * g.hy, per_ramp = 1.0f / f.ramp;
    int cell[WIND_OCTAVES] = {0, 0}, half_cell[WIND_OCTAVES] = {0, 0};
    for (int k = first; k < end; k++) {
        float z = place_z(g, k) * g.hz, t[WIND_OCTAVES], half_t[WIND_OCTAVES];
        EACH for (int o = 0; o < WIND_OCTAVES; o++)
        {
            const float per_length = 1.0f / f.wavelength[o];
            float pz = f.fraction[o][2] + z * per_length, half_pz = pz + 0.5f * g.hz * per_length;
            float fz = floor(pz), half_fz = floor(half_pz);
            int iz = (int)fz, half_iz = (int)half_fz;
            t[o] = pz - fz;
            half_t[o] = half_pz - half_fz;
            EACH for (int component = 0; component < 3; component++)
            {
                const int now = component == 2 ? half_iz : iz;
                const int before = component == 2 ? half_cell[o] : cell[o];
                const float half_x = component == 0 ? 0.5f : 0.0f;
                const float at_y = component == 1 ? y + 0.5f * g.hy : y;
                if (k == first || now != before)
                    enter_cells(g, f, o, component, from, to, half_x, at_y, now,
                                k > first && now == before + 1, own);
            }
            cell[o] = iz;
            half_cell[o] = half_iz;
        }
        const float weight[WIND_OCTAVES] = {FOEHN_OCTAVE_WEIGHT_0, FOEHN_OCTAVE_WEIGHT_1};
        float scale[WIND_OCTAVES], s[WIND_OCTAVES], half_s[WIND_OCTAVES];
        FOEHN_UNROLL
        for (int o = 0; o < WIND_OCTAVES; o++) {
            scale[o] = weight[o] * f.wavelength[o];
            s[o] = foehn_noise_fade_f(t[o]);
            half_s[o] = foehn_noise_fade_f(half_t[o]);
        }
        const float here[WIND_OCTAVES] = {t[0], t[1]},
                    up_half[WIND_OCTAVES] = {half_t[0], half_t[1]};
        for (int i = from; i < to; i++) {
            float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
            FOEHN_UNROLL
            for (int o = 0; o < WIND_OCTAVES; o++) {
                LINE_SPACE const float *line = own + 3 * o * LINE_FLOATS * LINES_APART + LINE(i);
                sum_x += scale[o] * on_line(here[o], s[o], line);
                sum_y += scale[o] * on_line(here[o], s[o], line + LINE_FLOATS * LINES_APART);
                sum_z +=
                    scale[o] * on_line(up_half[o], half_s[o], line + 2 * LINE_FLOATS * LINES_APART);
            }
            idx c = at(g, i, j, k), q = column(g, i, k);
            float h00 = corner[q], h10 = corner[q + 1], h01 = corner[q + g.sy];
            float up = f.floor_y + y, amplitude = f.curl_amplitude * FOEHN_CURL_NORMALISE;
            psi_x[c] = amplitude * ramp(up - 0.5f * (h00 + h10), per_ramp) * sum_x;
            psi_y[c] = amplitude * ramp(up + 0.5f * g.hy - h00, per_ramp) * sum_y;
            psi_z[c] = amplitude * ramp(up - 0.5f * (h00 + h01), per_ramp) * sum_z;
        }
        EACH for (int n = 0; n < WIND_GUSTS && with_gusts && j == 0; n++)
        {
            for (int i = from; i < to; i++) {
                const idx c = column(g, i, k);
                float u = n > 0 ? gust_u[c] : 0.0f, w = n > 0 ? gust_w[c] : 0.0f;
                add_gust(g, f.gust[n], place_x(g, i) * g.hx, z, &u, &w);
                gust_u[c] = u;
                gust_w[c] = w;
            }
        }
    }
}
