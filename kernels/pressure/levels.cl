/* SPDX-License-Identifier: MIT */
/* Multigrid for div (a grad p) = rhs.  Launched by lib/pressure/create.c.
 *
 * Face openness a is a byte, 0 to 255, stored at the lower faces of cells.  Cells without an open
 * face have p = 0.  Ghost pressure is 0 and never written.
 *
 * Smoother: two damped Jacobi passes a visit, the dampings being the roots of the Chebyshev
 * polynomial over the part of the spectrum that the coarse level cannot see (Adams et al. 2003).
 * They stream memory in order and have no colours, so CPUs vectorise them; on both kinds of device
 * a pass costs what half a red-black sweep does. */
#include "pressure/split.h"

/* ---- passes over one level ---- */

kernel void smooth(pressure_level l, float omega, global const uchar *ax, global const uchar *ay,
                   global const uchar *az, global const float *rhs, global const float *p,
                   global float *next)
{
    CELL(l.g);
    next[c] = smoothed(l, i, j, k, c, omega, ax, ay, az, rhs, p);
}

/* One colour of red-black successive over-relaxation, in place: cells with (i + j + k) mod 2 =
 * colour.  Work-items run over pairs along x.  Around a periodic axis of odd length two neighbours
 * would share a colour, so the last layers across such axes (bits of `odd`) are relaxed on their
 * own: those cells that lie in the last layers of `layer` and of no other odd axis. */
kernel void relax(pressure_level l, int colour, int odd, int layer, float omega,
                  global const uchar *ax, global const uchar *ay, global const uchar *az,
                  global const float *rhs, global float *p)
{
    int j = (int)get_global_id(1), k = (int)get_global_id(2);
    int i = 2 * (int)get_global_id(0) + ((j + k + colour) & 1);
    if (!inside(l.g, i, j, k))
        return;
    int last = (i == l.g.nx - 1 ? PERIODIC_X : 0) | (j == l.g.ny - 1 ? PERIODIC_Y : 0) |
               (k == l.g.nz - 1 ? PERIODIC_Z : 0);
    if ((last & odd) != layer)
        return;
    idx c = at(l.g, i, j, k);
    p[c] = smoothed(l, i, j, k, c, omega, ax, ay, az, rhs, p);
}

/* ---- openness ---- */

/* All faces, ghosts too, fully open. */
kernel void open_all(ulong count, global uchar *a)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        a[i] = 255;
}

/* Edge faces: closed where the side is Neumann (bit of `closed`, -x +x -y +y -z +z), and in a
 * periodic axis the upper face is the lower one.  Over (nx + 1) x (ny + 1) x (nz + 1) faces. */
kernel void edges(pressure_level l, int closed, global uchar *ax, global uchar *ay,
                  global uchar *az)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > l.g.nx || j > l.g.ny || k > l.g.nz)
        return;
    idx c = at(l.g, i, j, k);
    if (j < l.g.ny && k < l.g.nz) {
        if (i == l.g.nx && l.axes & PERIODIC_X)
            ax[c] = ax[at(l.g, 0, j, k)];
        if ((i == 0 && closed & 1) || (i == l.g.nx && closed & 2))
            ax[c] = 0;
    }
    if (i < l.g.nx && k < l.g.nz) {
        if (j == l.g.ny && l.axes & PERIODIC_Y)
            ay[c] = ay[at(l.g, i, 0, k)];
        if ((j == 0 && closed & 4) || (j == l.g.ny && closed & 8))
            ay[c] = 0;
    }
    if (i < l.g.nx && j < l.g.ny) {
        if (k == l.g.nz && l.axes & PERIODIC_Z)
            az[c] = az[at(l.g, i, j, 0)];
        if ((k == 0 && closed & 16) || (k == l.g.nz && closed & 32))
            az[c] = 0;
    }
}

/* closed[j] = 1 where a row at height j has a face that is not fully open, those of Neumann sides
 * not counted.  Over (nx + 1) x (ny + 1) x (nz + 1) faces; an upper y edge face belongs to the last
 * row. */
kernel void find_closed_rows(pressure_level l, global const uchar *ax, global const uchar *ay,
                             global const uchar *az, global int *closed)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i > l.g.nx || j > l.g.ny || k > l.g.nz)
        return;
    idx c = at(l.g, i, j, k);
    bool x = j < l.g.ny && k < l.g.nz && !(i == 0 && l.closed & 1) &&
             !(i == l.g.nx && l.closed & 2) && ax[c] < 255;
    bool y = i < l.g.nx && k < l.g.nz && !(j == 0 && l.closed & 4) &&
             !(j == l.g.ny && l.closed & 8) && ay[c] < 255;
    bool z = i < l.g.nx && j < l.g.ny && !(k == 0 && l.closed & 16) &&
             !(k == l.g.nz && l.closed & 32) && az[c] < 255;
#ifdef FOEHN_2D
    z = false;
#endif
    if (x || z)
        atomic_or(&closed[j], 1);
    if (y) { /* a floor or ceiling face closes the rows on both of its sides */
        atomic_or(&closed[min(j, l.g.ny - 1)], 1);
        atomic_or(&closed[max(j - 1, 0)], 1);
    }
}

/* Openness of a face of fine cell `at0` across `axis`, its lower or (upper 1) its upper one. */
FOEHN_INLINE int open_of(pressure_level l, const int cell[3], int axis, int upper,
                         global const uchar *ax, global const uchar *ay, global const uchar *az)
{
    global const uchar *a = axis == 0 ? ax : axis == 1 ? ay : az;
    return a[at(l.g, cell[0] + (axis == 0 ? upper : 0), cell[1] + (axis == 1 ? upper : 0),
                cell[2] + (axis == 2 ? upper : 0))];
}

FOEHN_INLINE bool is_fluid(pressure_level l, const int cell[3], global const uchar *ax,
                           global const uchar *ay, global const uchar *az)
{
    int sum = 0;
    for (int side = 0; side < 6; side++)
        sum += open_of(l, cell, side / 2, side % 2, ax, ay, az);
    return sum > 0;
}

/* How far a cell and the next one along `axis` are one, 0 to 255: less where the face between them
 * is narrower than half of those before and behind, as in a wall, but not at the ground or beside
 * an obstacle.  Both must be fluid. */
FOEHN_INLINE int whole(pressure_level l, const int cell[3], int axis, global const uchar *ax,
                       global const uchar *ay, global const uchar *az)
{
    const int next[3] = {cell[0] + (axis == 0), cell[1] + (axis == 1), cell[2] + (axis == 2)};
    int between = open_of(l, cell, axis, 1, ax, ay, az);
    int around = min(open_of(l, cell, axis, 0, ax, ay, az), open_of(l, next, axis, 1, ax, ay, az));
    if ((between > 0 && 2 * between >= around) || !is_fluid(l, cell, ax, ay, az) ||
        !is_fluid(l, next, ax, ay, az))
        return 255;
    return between == 0 ? 0 : (between * 255 + around - 1) / around;
}

/* Mean openness of the fine faces on a coarse face across `axis`; more than 0 stays more than 0.  A
 * wall that runs through the coarse cell before the face is taken over: see split.h. */
FOEHN_INLINE uchar mean_open(pressure_level fine, int axis, int i, int j, int k,
                             global const uchar *ax, global const uchar *ay, global const uchar *az)
{
    int h[3] = {fine.axes & HALVED_X ? 1 : 0, fine.axes & HALVED_Y ? 1 : 0,
                fine.axes & HALVED_Z ? 1 : 0};
    int n[3] = {fine.g.nx, fine.g.ny, fine.g.nz};
    int at0[3] = {i << h[0], j << h[1], k << h[2]};
    int sum = 0, faces = 1;
    for (int t = 0; t < 3; t++)
        faces <<= t == axis ? 0 : h[t];
    int before = at0[axis] > 0 || !(fine.axes & PERIODIC_X << axis) ? at0[axis] - 2 : n[axis] - 2;
    bool has_two = h[axis] && before >= 0 && before % 2 == 0 && before + 1 < n[axis];
    at0[axis] = min(at0[axis], n[axis]); /* the last face of an odd side */
    for (int m = 0; m < 8; m++) {
        int d[3] = {m & 1, m >> 1 & 1, m >> 2};
        bool counts = true;
        for (int t = 0; t < 3; t++)
            counts = counts && (t == axis ? d[t] == 0 : d[t] <= h[t] && at0[t] + d[t] < n[t]);
        if (!counts)
            continue;
        int cell[3] = {at0[0] + d[0], at0[1] + d[1], at0[2] + d[2]};
        int open = open_of(fine, cell, axis, 0, ax, ay, az);
        cell[axis] = before;
        sum +=
            has_two && open > 0 ? (open * whole(fine, cell, axis, ax, ay, az) + 254) / 255 : open;
    }
    return (uchar)((sum + faces - 1) / faces);
}

/* Mean over a coarse cell's pairs of children along `axis` of how far they are one. */
FOEHN_INLINE uchar mean_whole(pressure_level fine, int axis, int i, int j, int k,
                              global const uchar *ax, global const uchar *ay,
                              global const uchar *az)
{
    const int h[3] = {fine.axes & HALVED_X ? 1 : 0, fine.axes & HALVED_Y ? 1 : 0,
                      fine.axes & HALVED_Z ? 1 : 0};
    const int n[3] = {fine.g.nx, fine.g.ny, fine.g.nz};
    int sum = 0, pairs = 0;
    if (!h[axis])
        return 255;
    for (int m = 0; m < 8; m++) {
        const int d[3] = {m & 1, m >> 1 & 1, m >> 2};
        const int cell[3] = {(i << h[0]) + d[0], (j << h[1]) + d[1], (k << h[2]) + d[2]};
        bool counts = true;
        for (int t = 0; t < 3; t++)
            counts = counts &&
                     (t == axis ? d[t] == 0 && cell[t] + 1 < n[t] : d[t] <= h[t] && cell[t] < n[t]);
        if (counts) {
            sum += whole(fine, cell, axis, ax, ay, az);
            pairs++;
        }
    }
    return pairs > 0 ? (uchar)(sum / pairs) : 255;
}

/* Which coarse cells are split along which axis; found[level] is set where one is. */
kernel void find_splits(pressure_level fine, pressure_level coarse, global const uchar *ax,
                        global const uchar *ay, global const uchar *az, global uchar *split_x,
                        global uchar *split_y, global uchar *split_z, int level, global int *found)
{
    CELL(coarse.g);
    uchar least = 255;
    for (int axis = 0; axis < 3; axis++) { /* compiled once, as in coarsen */
        global uchar *split = axis == 0 ? split_x : axis == 1 ? split_y : split_z;
        split[c] = mean_whole(fine, axis, i, j, k, ax, ay, az);
        least = min(least, split[c]);
    }
    const bool own =
        i >= coarse.g.own_x0 && i < coarse.g.own_x1 && k >= coarse.g.own_z0 && k < coarse.g.own_z1;
    if (own && least < 255)
        atomic_or(&found[level], 1);
}

/* Openness of the coarse level.  Over (nx + 1) x (ny + 1) x (nz + 1) coarse faces. */
kernel void coarsen(pressure_level fine, pressure_level coarse, global const uchar *ax,
                    global const uchar *ay, global const uchar *az, global uchar *coarse_ax,
                    global uchar *coarse_ay, global uchar *coarse_az)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    foehn_grid g = coarse.g;
    if (i > g.nx || j > g.ny || k > g.nz)
        return;
    idx c = at(g, i, j, k);
    for (int axis = 0; axis < 3; axis++) { /* a constant would have the text compiled three times */
        global uchar *open = axis == 0 ? coarse_ax : axis == 1 ? coarse_ay : coarse_az;
        if ((axis == 0 || i < g.nx) && (axis == 1 || j < g.ny) && (axis == 2 || k < g.nz))
            open[c] = mean_open(fine, axis, i, j, k, ax, ay, az);
    }
}

/* mask = 1 in cells with an open face and in the ghosts beyond Dirichlet sides, else 0.  Over the
 * padded (nx + 2) x (ny + 2) x (nz + 2). */
kernel void fluid_mask(pressure_level l, int dirichlet, global const uchar *ax,
                       global const uchar *ay, global const uchar *az, global uchar *mask)
{
    const int ghosts = l.g.ghosts;
    int i = (int)get_global_id(0) - ghosts, j = (int)get_global_id(1) - ghosts,
        k = (int)get_global_id(2) - ghosts;
    if (i >= l.g.nx + ghosts || j >= l.g.ny + ghosts || k >= l.g.nz + ghosts)
        return;
    idx c = at(l.g, i, j, k);
    bool in = i >= 0 && j >= 0 && k >= 0 && inside(l.g, i, j, k);
    int side = (i < 0 ? 1 : 0) | (i >= l.g.nx ? 2 : 0) | (j < 0 ? 4 : 0) | (j >= l.g.ny ? 8 : 0) |
               (k < 0 ? 16 : 0) | (k >= l.g.nz ? 32 : 0);
    int open = ax[c] | ax[c + 1] | ay[c] | ay[c + l.g.sy];
#ifndef FOEHN_2D
    open |= az[c] | az[c + l.g.sz];
#else
    (void)az;
#endif
    /* an edge or corner ghost counts when all sides that it lies beyond are Dirichlet */
    mask[c] = in ? open > 0 : (side & dirichlet) == side;
}

/* ---- sums ---- */

/* By columns first, then over columns in a fixed order: the same bits however the box is cut into
 * parts. */
#define COLUMN(g)                                                                                  \
    int i = (int)get_global_id(0), k = (int)get_global_id(1);                                      \
    if (i >= g.nx || k >= g.nz)                                                                    \
        return;                                                                                    \
    size_t column = (size_t)k * (size_t)g.nx + (size_t)i

/* sums[column] = sum over a column of a b. */
kernel void dot_columns(foehn_grid g, global const float *a, global const float *b,
                        global float *sums)
{
    COLUMN(g);
    float sum = 0.0f;
    for (int j = 0; j < g.ny; j++) {
        idx c = at(g, i, j, k);
        sum += a[c] * b[c];
    }
    sums[column] = sum;
}

/* Sums of squared residuals, of squared right sides (of cells with an open face). */
kernel void residual_columns(pressure_level l, global const uchar *ax, global const uchar *ay,
                             global const uchar *az, global const float *rhs, global const float *p,
                             global float *sums, global float *sums_rhs)
{
    COLUMN(l.g);
    float sum = 0.0f, right = 0.0f;
    for (int j = 0; j < l.g.ny; j++) {
        idx c = at(l.g, i, j, k);
        float r = residual_at(l, i, j, k, ax, ay, az, rhs, p);
        float b = diagonal_of(l, i, j, k, c, ax, ay, az) > 0.0f ? rhs[c] : 0.0f;
        sum += r * r;
        right += b * b;
    }
    sums[column] = sum;
    sums_rhs[column] = right;
}

/* worst[row] = largest |residual| in a row, NaN if there is one.  A work-group a row; shares: a
 * float an item. */
kernel void worst_rows(pressure_level l, global const uchar *ax, global const uchar *ay,
                       global const uchar *az, global const float *rhs, global const float *p,
                       global float *worst, local float *shares)
{
    const int first = (int)get_local_id(0), step = (int)get_local_size(0),
              row = (int)get_global_id(1);
    const int k = row / l.g.ny, j = row - k * l.g.ny;
    float most = 0.0f;
    for (int i = l.g.own_x0 + first; i < l.g.own_x1; i += step) {
        float r = fabs(residual_at(l, i, j, k, ax, ay, az, rhs, p));
        most = r <= most ? most : r; /* a NaN stays */
    }
    shares[first] = most;
    for (int left = step / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first < left)
            shares[first] =
                shares[first + left] <= shares[first] ? shares[first] : shares[first + left];
    }
    if (first == 0)
        worst[row] = shares[0];
}

/* out[to] = sum of count partials, in a fixed order: every work-item adds its share, item 0 the
 * rest. */
kernel void sum_up(int count, global const float *partial, int to, global float *out,
                   local float *shares)
{
    int first = (int)get_local_id(0), step = (int)get_local_size(0);
    float sum = 0.0f;
    for (int i = first; i < count; i += step)
        sum += partial[i];
    shares[first] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first == 0) {
        float total = 0.0f;
        for (int i = 0; i < step; i++)
            total += shares[i];
        out[to] = total;
    }
}

/* r = rhs - A p in cells with an open face, else 0. */
kernel void residual_field(pressure_level l, global const uchar *ax, global const uchar *ay,
                           global const uchar *az, global const float *rhs, global const float *p,
                           global float *r)
{
    CELL(l.g);
    r[c] = residual_at(l, i, j, k, ax, ay, az, rhs, p);
}

/* ones = 1 in cells with an open face, else 0. */
kernel void fluid_ones(pressure_level l, global const uchar *ax, global const uchar *ay,
                       global const uchar *az, global float *ones)
{
    CELL(l.g);
    ones[c] = diagonal_of(l, i, j, k, c, ax, ay, az) > 0.0f ? 1.0f : 0.0f;
}

/* a -= its mean over the cells of ones.  sums: 4 sum of a, 5 number of cells. */
kernel void remove_mean(foehn_grid g, global const float *sums, global const float *ones,
                        global float *a)
{
    CELL(g);
    a[c] -= ones[c] * sums[4] / max(sums[5], 1.0f);
}

/* ---- conjugate gradients (flexible: Polak-Ribiere, since the cycle is not symmetric) ---- */

/* q = A d. */
kernel void apply(pressure_level l, global const uchar *ax, global const uchar *ay,
                  global const uchar *az, global const float *d, global float *q)
{
    CELL(l.g);
    float flux, diagonal;
    stencil(l, i, j, k, c, ax, ay, az, d, &flux, &diagonal);
    q[c] = flux;
}

/* alpha = (r z) / (d A d); p += alpha d; r -= alpha q.  sums: 0 r z, 1 d q, 2 q z.  With a cycle as
 * preconditioner alpha is near 1.  It is far from that only where d is next to nothing but a
 * constant in a region without outlet, so that d A d is rounding: the limits keep p from growing
 * then. */
kernel void cg_step(foehn_grid g, global const float *sums, global const float *d,
                    global const float *q, global float *p, global float *r)
{
    CELL(g);
    float alpha = sums[1] != 0.0f ? clamp(sums[0] / sums[1], 0.0f, 8.0f) : 0.0f;
    p[c] += alpha * d[c];
    r[c] -= alpha * q[c];
}

/* beta = (r_new - r_old) z / (r z)_old = -alpha (q z) / (r z)_old = -(q z) / (d q);
 * d = z + beta d. */
kernel void cg_direction(foehn_grid g, global const float *sums, global const float *z,
                         global float *d)
{
    CELL(g);
    float beta = sums[1] != 0.0f ? clamp(-sums[2] / sums[1], 0.0f, 1.0f) : 0.0f;
    d[c] = z[c] + beta * d[c];
}

/* Built with it: a program of its own costs a processor's driver 0.07 s. */
#include "pressure/small.cl"
