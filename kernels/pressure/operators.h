/* SPDX-License-Identifier: MIT */
/* The multigrid's discrete operators, for kernels/pressure/levels.cl and
 * kernels/pressure/transfer.cl. */
#ifndef FOEHN_KERNEL_MULTIGRID_H
#define FOEHN_KERNEL_MULTIGRID_H

#include "grid.h"
#include "pressure/structs.h"
#include "profile.h" /* FOEHN_INLINE */

/* Offsets to the six neighbours; in periodic boxes the far end's. */
typedef struct neighbours {
    idx xm, xp, ym, yp, zm, zp;
} neighbours;

FOEHN_INLINE void find_neighbours(pressure_level l, int i, int j, int k, neighbours *n)
{
    n->xm = -1;
    n->xp = 1;
    n->ym = -(idx)l.g.sy;
    n->yp = (idx)l.g.sy;
#ifdef FOEHN_2D
    n->zm = n->zp = 0;
#else
    n->zm = -(idx)l.g.sz;
    n->zp = (idx)l.g.sz;
#endif
#ifdef FOEHN_PERIODIC
    if (l.axes & PERIODIC_X) {
        n->xm = i == 0 ? l.g.nx - 1 : -1;
        n->xp = i == l.g.nx - 1 ? 1 - l.g.nx : 1;
    }
    if (l.axes & PERIODIC_Y) {
        n->ym *= j == 0 ? 1 - l.g.ny : 1;
        n->yp *= j == l.g.ny - 1 ? 1 - l.g.ny : 1;
    }
    if (l.axes & PERIODIC_Z) {
        n->zm *= k == 0 ? 1 - l.g.nz : 1;
        n->zp *= k == l.g.nz - 1 ? 1 - l.g.nz : 1;
    }
#else
    (void)i, (void)j, (void)k;
#endif
}

/* Weights of a cell's faces.  The upper faces are the next cell's lower faces, also in the ghosts.
 */
typedef struct face_weights {
    float xm, xp, ym, yp, zm, zp;
} face_weights;

FOEHN_INLINE void find_weights(pressure_level l, int i, int j, int k, idx c, global const uchar *ax,
                               global const uchar *ay, global const uchar *az, face_weights *f)
{
#ifdef FOEHN_OPEN_ROWS /* the branch is one for a whole row, but CPU drivers do not vectorise past \
                          it */
    if (j >= l.open_from) {
        float x = 255.0f * l.wx, y = 255.0f * l.wy;
        f->xm = i > 0 ? x : l.closed & 1 ? 0.0f : x * l.edge_x;
        f->xp = i < l.g.nx - 1 ? x : l.closed & 2 ? 0.0f : x * l.far_x;
        f->ym = j > 0 ? y : l.closed & 4 ? 0.0f : y * l.edge_y;
        f->yp = j < l.g.ny - 1 ? y : l.closed & 8 ? 0.0f : y * l.far_y;
#ifndef FOEHN_2D
        float z = 255.0f * l.wz;
        f->zm = k > 0 ? z : l.closed & 16 ? 0.0f : z * l.edge_z;
        f->zp = k < l.g.nz - 1 ? z : l.closed & 32 ? 0.0f : z * l.far_z;
#else
        f->zm = f->zp = 0.0f;
#endif
        return;
    }
#endif
    f->xm = l.wx * (float)ax[c] * (i == 0 ? l.edge_x : 1.0f);
    f->xp = l.wx * (float)ax[c + 1] * (i == l.g.nx - 1 ? l.far_x : 1.0f);
    f->ym = l.wy * (float)ay[c] * (j == 0 ? l.edge_y : 1.0f);
    f->yp = l.wy * (float)ay[c + l.g.sy] * (j == l.g.ny - 1 ? l.far_y : 1.0f);
#ifndef FOEHN_2D
    f->zm = l.wz * (float)az[c] * (k == 0 ? l.edge_z : 1.0f);
    f->zp = l.wz * (float)az[c + l.g.sz] * (k == l.g.nz - 1 ? l.far_z : 1.0f);
#else
    f->zm = f->zp = 0.0f;
    (void)az, (void)k;
#endif
}

/* sum over faces of w a (p_neighbour - p), in pairs: a mirrored problem has the mirrored solution
 * to the last bit. */
FOEHN_INLINE float flux_of(face_weights f, float own, float xm, float xp, float ym, float yp,
                           float zm, float zp)
{
    float sum = (f.xm * (xm - own) + f.xp * (xp - own)) + (f.ym * (ym - own) + f.yp * (yp - own));
#ifndef FOEHN_2D
    sum += f.zm * (zm - own) + f.zp * (zp - own);
#else
    (void)zm, (void)zp;
#endif
    return sum;
}

FOEHN_INLINE float sum_of(face_weights f)
{
    return (f.xm + f.xp) + (f.ym + f.yp) + (f.zm + f.zp);
}

/* flux as above, diagonal = sum of w a. */
FOEHN_INLINE void stencil(pressure_level l, int i, int j, int k, idx c, global const uchar *ax,
                          global const uchar *ay, global const uchar *az, global const float *p,
                          float *flux, float *diagonal)
{
    neighbours n;
    face_weights f;
    find_neighbours(l, i, j, k, &n);
    find_weights(l, i, j, k, c, ax, ay, az, &f);
    *flux = flux_of(f, p[c], p[c + n.xm], p[c + n.xp], p[c + n.ym], p[c + n.yp], p[c + n.zm],
                    p[c + n.zp]);
    *diagonal = sum_of(f);
}

FOEHN_INLINE float diagonal_of(pressure_level l, int i, int j, int k, idx c, global const uchar *ax,
                               global const uchar *ay, global const uchar *az)
{
    face_weights f;
    find_weights(l, i, j, k, c, ax, ay, az, &f);
    return sum_of(f);
}

/* p + omega (A p - rhs) / diagonal. */
FOEHN_INLINE float smoothed(pressure_level l, int i, int j, int k, idx c, float omega,
                            global const uchar *ax, global const uchar *ay, global const uchar *az,
                            global const float *rhs, global const float *p)
{
    float flux, d;
    stencil(l, i, j, k, c, ax, ay, az, p, &flux, &d);
    return d > 0.0f ? p[c] + omega * (flux - rhs[c]) / d : 0.0f;
}

/* The same from p = 0. */
FOEHN_INLINE float smoothed_zero(pressure_level l, int i, int j, int k, idx c, float omega,
                                 global const uchar *ax, global const uchar *ay,
                                 global const uchar *az, float rhs)
{
    float d = diagonal_of(l, i, j, k, c, ax, ay, az);
    return d > 0.0f ? -omega * rhs / d : 0.0f;
}

FOEHN_INLINE float residual_at(pressure_level l, int i, int j, int k, global const uchar *ax,
                               global const uchar *ay, global const uchar *az,
                               global const float *rhs, global const float *p)
{
    idx c = at(l.g, i, j, k);
    float flux, d;
    stencil(l, i, j, k, c, ax, ay, az, p, &flux, &d);
    return d > 0.0f ? rhs[c] - flux : 0.0f;
}

/* Mean of a fine field over a coarse cell's children.  Children that an odd side lacks count as 0:
 * in x that is what the ghost holds.  axes: those halved, a constant where speed matters, so that
 * rows are read with a fixed stride. */
FOEHN_INLINE float mean_of_children(const int axes, foehn_grid fine, int i, int j, int k,
                                    global const float *r)
{
    const int cx = axes & HALVED_X ? 2 : 1, cy = axes & HALVED_Y ? 2 : 1;
    const int cz = axes & HALVED_Z ? 2 : 1;
    float sum = 0.0f;
    FOEHN_UNROLL
    for (int d = 0; d < cz; d++)
        FOEHN_UNROLL
    for (int b = 0; b < cy; b++) {
        int y = cy * j + b, z = cz * k + d;
        float weight = y < fine.ny && z < fine.nz ? 1.0f : 0.0f;
        idx c = at(fine, cx * i, min(y, fine.ny - 1), min(z, fine.nz - 1));
        sum += weight * (cx == 2 ? r[c] + r[c + 1] : r[c]);
    }
    return sum / (float)(cx * cy * cz);
}

/* Linear interpolation of the coarse correction to child (a, b, d) of coarse cell (i, j, k),
 * renormalised over the coarse cells that are fluid (mask 1; a Dirichlet ghost counts, value 0).
 * sx, sy, sz: how much of its own cell an upper child sees: see split.h. */
FOEHN_INLINE float prolonged(const int axes, pressure_level coarse, int i, int j, int k, int a,
                             int b, int d, float sx, float sy, float sz, global const uchar *mask,
                             global const float *e)
{
    neighbours n;
    find_neighbours(coarse, i, j, k, &n);
    idx c = at(coarse.g, i, j, k);
    idx ox = axes & HALVED_X ? (a ? n.xp : n.xm) : 0, oy = axes & HALVED_Y ? (b ? n.yp : n.ym) : 0;
    float wx = axes & HALVED_X ? 0.25f : 0.0f, wy = axes & HALVED_Y ? 0.25f : 0.0f;
    float vx = (1.0f - wx) * (a ? sx : 1.0f), vy = (1.0f - wy) * (b ? sy : 1.0f);
    float near = vy * (vx * e[c] + wx * e[c + ox]) + wy * (vx * e[c + oy] + wx * e[c + oy + ox]);
    float seen = vy * (vx * (float)mask[c] + wx * (float)mask[c + ox]) +
                 wy * (vx * (float)mask[c + oy] + wx * (float)mask[c + oy + ox]);
#ifndef FOEHN_2D
    idx q = c + (axes & HALVED_Z ? (d ? n.zp : n.zm) : 0);
    float wz = axes & HALVED_Z ? 0.25f : 0.0f;
    float far = vy * (vx * e[q] + wx * e[q + ox]) + wy * (vx * e[q + oy] + wx * e[q + oy + ox]);
    float seen_far = vy * (vx * (float)mask[q] + wx * (float)mask[q + ox]) +
                     wy * (vx * (float)mask[q + oy] + wx * (float)mask[q + oy + ox]);
    float vz = (1.0f - wz) * (d ? sz : 1.0f);
    near = vz * near + wz * far;
    seen = vz * seen + wz * seen_far;
#else
    (void)d, (void)sz;
#endif
    return seen > 0.0f ? near / seen : 0.0f;
}

#define CELL(g)                                                                                    \
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);           \
    if (!inside(g, i, j, k))                                                                       \
        return;                                                                                    \
    idx c = at(g, i, j, k)

#endif
