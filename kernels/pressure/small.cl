/* SPDX-License-Identifier: MIT */
/* All the small multigrid levels in one work-group.  Launched by lib/pressure/cycle.c.
 *
 * A launch a pass would cost more than the pass, and so would global memory: what one work-item
 * writes there reaches the others microseconds later.  So pressures and right sides live in local
 * memory, in a compact layout of their own with one ghost layer of zeros; weights, which do not
 * change, are read from global memory.  The operators are those of kernels/pressure/operators.h. */
#include "pressure/split.h"

/* Small levels keep their weights as floats: one work-group has only one multiprocessor's
 * arithmetic, and openness bytes would spend most of it on conversions. */
kernel void small_weights(pressure_level l, global const uchar *ax, global const uchar *ay,
                          global const uchar *az, global float *wx, global float *wy,
                          global float *wz, global float *inverse)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > l.g.nx || j > l.g.ny || k > l.g.nz)
        return;
    idx c = at(l.g, i, j, k);
    if (j < l.g.ny && k < l.g.nz)
        wx[c] = l.wx * (float)ax[c] * (i == 0 ? l.edge_x : i == l.g.nx ? l.far_x : 1.0f);
    if (i < l.g.nx && k < l.g.nz)
        wy[c] = l.wy * (float)ay[c] * (j == 0 ? l.edge_y : j == l.g.ny ? l.far_y : 1.0f);
    if (i < l.g.nx && j < l.g.ny)
        wz[c] = l.wz * (float)az[c] * (k == 0 ? l.edge_z : k == l.g.nz ? l.far_z : 1.0f);
    if (inside(l.g, i, j, k)) {
        float d = diagonal_of(l, i, j, k, c, ax, ay, az);
        inverse[c] = d > 0.0f ? 1.0f / d : 0.0f;
    }
}

/* Strides of the compact layout, and its cell (i, j, k). */
FOEHN_INLINE int compact_y(foehn_grid g)
{
    return g.nx + 2;
}
FOEHN_INLINE int compact_z(foehn_grid g)
{
    return (g.nx + 2) * (g.ny + 2);
}
FOEHN_INLINE int compact(foehn_grid g, int i, int j, int k)
{
#ifdef FOEHN_2D /* no ghosts across the one layer */
    (void)k;
    return (j + 1) * compact_y(g) + i + 1;
#else
    return (k + 1) * compact_z(g) + (j + 1) * compact_y(g) + i + 1;
#endif
}

/* The neighbours of kernels/pressure/operators.h in the compact layout. */
FOEHN_INLINE void compact_neighbours(pressure_level l, int i, int j, int k, neighbours *n)
{
    pressure_level c = l;
    c.g.sy = compact_y(l.g);
    c.g.sz = compact_z(l.g);
    find_neighbours(c, i, j, k, n);
}

/* Cells of a level, shared out to the work-items: `c` in the padded layout, `q` in the compact one.
 */
#define SMALL_CELLS(s)                                                                             \
    for (int m = first; m < (s).level.g.nx * (s).level.g.ny * (s).level.g.nz; m += step)
#define SMALL_CELL(s)                                                                              \
    int k = (int)(((float)m + 0.5f) * (s).per_plane);                                              \
    int in_plane = m - k * (s).level.g.nx * (s).level.g.ny;                                        \
    int j = (int)(((float)in_plane + 0.5f) * (s).per_row), i = in_plane - j * (s).level.g.nx;      \
    idx c = at((s).level.g, i, j, k);                                                              \
    int q = compact((s).level.g, i, j, k)

FOEHN_INLINE float small_flux(pressure_level l, int i, int j, int k, idx c, int q,
                              global const float *wx, global const float *wy,
                              global const float *wz, local const float *p)
{
    neighbours n;
    compact_neighbours(l, i, j, k, &n);
#ifdef FOEHN_2D
    const face_weights f = {wx[c], wx[c + 1], wy[c], wy[c + l.g.sy], 0.0f, 0.0f};
    (void)wz;
#else
    const face_weights f = {wx[c], wx[c + 1], wy[c], wy[c + l.g.sy], wz[c], wz[c + l.g.sz]};
#endif
    return flux_of(f, p[q], p[q + n.xm], p[q + n.xp], p[q + n.ym], p[q + n.yp], p[q + n.zm],
                   p[q + n.zp]);
}

DEFINE_SPLIT_MEAN(small_split_mean, local, compact, )

/* Mean over the children; those that an odd side lacks are ghosts, which hold 0. */
FOEHN_INLINE float small_mean(int axes, foehn_grid fine, int i, int j, int k, local const float *r)
{
    int cx = axes & HALVED_X ? 2 : 1, cy = axes & HALVED_Y ? 2 : 1, cz = axes & HALVED_Z ? 2 : 1;
    float sum = 0.0f;
    for (int d = 0; d < cz; d++)
        for (int b = 0; b < cy; b++)
            for (int a = 0; a < cx; a++)
                sum += r[compact(fine, cx * i + a, cy * j + b, cz * k + d)];
    return sum / (float)(cx * cy * cz);
}

/* Linear interpolation of the correction e to fine cell (i, j, k), renormalised over fluid cells.
 */
FOEHN_INLINE float small_prolonged(int axes, pressure_level coarse, int i, int j, int k,
                                   bool splits, global const uchar *split_x,
                                   global const uchar *split_y, global const uchar *split_z,
                                   global const uchar *mask, local const float *e)
{
    int x = axes & HALVED_X ? i >> 1 : i, y = axes & HALVED_Y ? j >> 1 : j;
    int z = axes & HALVED_Z ? k >> 1 : k;
    neighbours near, far; /* in the compact and in the padded layout */
    compact_neighbours(coarse, x, y, z, &near);
    find_neighbours(coarse, x, y, z, &far);
    int q = compact(coarse.g, x, y, z);
    idx c = at(coarse.g, x, y, z);
    float sum = 0.0f, seen = 0.0f;
    float sx = splits && i & 1 ? whole_part(split_x, c) : 1.0f;
    float sy = splits && j & 1 ? whole_part(split_y, c) : 1.0f;
    float sz = splits && k & 1 ? whole_part(split_z, c) : 1.0f;
    for (int n = 0; n < 8; n++) {
        float weight = 1.0f;
        idx to = 0, mask_to = 0;
        weight *= axes & HALVED_X ? (n & 1 ? 0.25f : 0.75f * sx) : (n & 1 ? 0.0f : 1.0f);
        weight *= axes & HALVED_Y ? (n & 2 ? 0.25f : 0.75f * sy) : (n & 2 ? 0.0f : 1.0f);
        weight *= axes & HALVED_Z ? (n & 4 ? 0.25f : 0.75f * sz) : (n & 4 ? 0.0f : 1.0f);
        to += n & 1 ? (i & 1 ? near.xp : near.xm) : 0;
        to += n & 2 ? (j & 1 ? near.yp : near.ym) : 0;
        to += n & 4 ? (k & 1 ? near.zp : near.zm) : 0;
        mask_to += n & 1 ? (i & 1 ? far.xp : far.xm) : 0;
        mask_to += n & 2 ? (j & 1 ? far.yp : far.ym) : 0;
        mask_to += n & 4 ? (k & 1 ? far.zp : far.zm) : 0;
        if (weight > 0.0f) {
            sum += weight * e[q + to];
            seen += weight * (float)mask[c + mask_to];
        }
    }
    return seen > 0.0f ? sum / seen : 0.0f;
}

/* A schedule of passes with a barrier after each.  The first level's right side and p[1] come from
 * global memory (its restriction has made the first pass), and its p[0] goes back there. */
kernel void small_levels(int count, int level_count, int floats, int splits,
                         global const pressure_pass *all_passes,
                         global const pressure_small *all_levels, global float *f,
                         global const uchar *b, local pressure_pass *passes,
                         local pressure_small *levels, local float *fields)
{
    int first = (int)get_local_id(0), step = (int)get_local_size(0);
    for (int n = first; n < count; n += step)
        passes[n] = all_passes[n];
    for (int n = first; n < level_count; n += step)
        levels[n] = all_levels[n];
    for (int n = first; n < floats; n += step)
        fields[n] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    SMALL_CELLS(levels[0])
    {
        SMALL_CELL(levels[0]);
        fields[levels[0].local_rhs + q] = f[levels[0].rhs + c];
        fields[levels[0].local_p[1] + q] = f[levels[0].p[1] + c];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < count; n++) {
        pressure_pass pass = passes[n];
        local const pressure_small *s = &levels[pass.level];
        local const pressure_small *below = &levels[min(pass.level + 1, level_count - 1)];
        pressure_level l = s->level;
        global const float *wx = f + s->weight[0], *wy = f + s->weight[1], *wz = f + s->weight[2];
        global const float *inverse = f + s->inverse;
        local const float *rhs = fields + s->local_rhs;
        local float *from = fields + s->local_p[pass.from], *to = fields + s->local_p[pass.to];
        if (pass.kind == PASS_SMOOTH || pass.kind == PASS_RESIDUAL) {
            SMALL_CELLS(*s)
            {
                SMALL_CELL(*s);
                float flux = small_flux(l, i, j, k, c, q, wx, wy, wz, from), d = inverse[c];
                float relaxed = from[q] + pass.omega * d * (flux - rhs[q]);
                float made = pass.kind == PASS_SMOOTH ? relaxed : rhs[q] - flux;
                to[q] = d > 0.0f ? made : 0.0f;
            }
        } else if (pass.kind == PASS_SMOOTH_ZERO) {
            SMALL_CELLS(*s)
            {
                SMALL_CELL(*s);
                to[q] = -pass.omega * inverse[c] * rhs[q];
            }
        } else if (pass.kind == PASS_RESTRICT) {
            SMALL_CELLS(*below)
            {
                SMALL_CELL(*below);
                fields[below->local_rhs + q] =
                    splits
                        ? small_split_mean(l.axes, l.g, below->level, i, j, k, b + below->split[0],
                                           b + below->split[1], b + below->split[2], from)
                        : small_mean(l.axes, l.g, i, j, k, from);
                (void)c;
            }
        } else if (pass.kind ==
                   PASS_PROLONG) { /* no arm for all others: doc/numerics.md, drivers */
            pressure_level coarse = below->level;
            local const float *e = fields + below->local_p[pass.to];
            SMALL_CELLS(*s)
            {
                SMALL_CELL(*s);
                from[q] +=
                    small_prolonged(l.axes, coarse, i, j, k, splits, b + below->split[0],
                                    b + below->split[1], b + below->split[2], b + below->mask, e);
                (void)c;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    SMALL_CELLS(levels[0])
    {
        SMALL_CELL(levels[0]);
        f[levels[0].p[0] + c] = fields[levels[0].local_p[0] + q];
    }
}
