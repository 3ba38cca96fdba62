/* SPDX-License-Identifier: MIT */
/* Between two multigrid levels; built once for each set of halved axes (-DHALVED=bits), so that the
 * strides along rows are constants.  Launched by lib/pressure/cycle.c. */
/* On GPUs corrections come to the bits of `prolong_smooth` of wide.cl; on processors they would
 * take twice as long so. */
#ifdef FOEHN_UNFUSED
#pragma OPENCL FP_CONTRACT OFF
#endif

#include "pressure/split.h"

#define CHILDREN_X (HALVED & HALVED_X ? 2 : 1)
#define CHILDREN_Y (HALVED & HALVED_Y ? 2 : 1)
#define CHILDREN_Z (HALVED & HALVED_Z ? 2 : 1)

DEFINE_SPLIT_MEAN(split_mean, global, at, FOEHN_UNROLL)

/* Right side of a coarse cell, and its first smoothing pass, which starts from p = 0. */
FOEHN_INLINE void begin(pressure_level coarse, int i, int j, int k, idx c, float omega,
                        global const uchar *ax, global const uchar *ay, global const uchar *az,
                        float mean, global float *rhs, global float *p)
{
    rhs[c] = mean;
    p[c] = smoothed_zero(coarse, i, j, k, c, omega, ax, ay, az, mean);
}

/* Right side of the coarse level: the mean of the fine residuals r.  (Residual and mean in one
 * kernel moves fewer bytes, but CPU drivers do not vectorise it: 4 times slower there, 1.3 times
 * faster on an H200.) */
kernel void restrict_residual(foehn_grid fine, pressure_level coarse, float omega,
                              global const float *r, global const uchar *ax, global const uchar *ay,
                              global const uchar *az, global float *rhs, global float *p)
{
    CELL(coarse.g);
    begin(coarse, i, j, k, c, omega, ax, ay, az, mean_of_children(HALVED, fine, i, j, k, r), rhs,
          p);
}

/* The same where thin walls split cells. */
kernel void restrict_split(foehn_grid fine, pressure_level coarse, float omega,
                           global const float *r, global const uchar *ax, global const uchar *ay,
                           global const uchar *az, global const uchar *split_x,
                           global const uchar *split_y, global const uchar *split_z,
                           global float *rhs, global float *p)
{
    CELL(coarse.g);
    begin(coarse, i, j, k, c, omega, ax, ay, az,
          split_mean(HALVED, fine, coarse, i, j, k, split_x, split_y, split_z, r), rhs, p);
}

/* p += interpolated correction.  Items over the coarse cells of a row and the fine rows: each takes
 * the children along x.  Where a row is odd the last child is the ghost, which is and stays 0. */
kernel void prolong(pressure_level fine, pressure_level coarse, global const uchar *mask,
                    global const uchar *split_x, global const uchar *split_y,
                    global const uchar *split_z, global const float *e, global float *p)
{
    const int i = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (i >= coarse.g.nx || y >= fine.g.ny || z >= fine.g.nz)
        return;
    const int j = y / CHILDREN_Y, k = z / CHILDREN_Z, b = y % CHILDREN_Y, d = z % CHILDREN_Z;
    const idx c = at(coarse.g, i, j, k);
    const float sx = whole_part(split_x, c), sy = whole_part(split_y, c),
                sz = whole_part(split_z, c); /* 1 where no wall splits a cell */
    FOEHN_UNROLL
    for (int a = 0; a < CHILDREN_X; a++) {
        const int x = CHILDREN_X * i + a;
        const idx to = at(fine.g, x, y, z);
        float v = p[to] + prolonged(HALVED, coarse, i, j, k, a, b, d, sx, sy, sz, mask, e);
        p[to] = x < fine.g.nx ? v : 0.0f;
    }
}
