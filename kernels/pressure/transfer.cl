/* SPDX-License-Identifier: MIT */
/* Between two multigrid levels; built once for each set of halved axes (-DHALVED=bits), so that the
 * strides along rows are constants, and again where thin walls split cells (-DFOEHN_SPLITS).
 * Launched by lib/pressure/cycle.c. */
/* So that a correction comes to the bits of `prolong_smooth` of wide.cl. */
#pragma OPENCL FP_CONTRACT OFF

#include "pressure/split.h"

#define CHILDREN_X (HALVED & HALVED_X ? 2 : 1)
#define CHILDREN_Y (HALVED & HALVED_Y ? 2 : 1)
#define CHILDREN_Z (HALVED & HALVED_Z ? 2 : 1)

#ifdef FOEHN_SPLITS
DEFINE_SPLIT_MEAN(split_mean, global, at)
#endif

/* Right side of the coarse level: the mean of the fine residuals r.  (Residual and mean in one
 * kernel moves fewer bytes, but CPU drivers do not vectorise it: 4 times slower there, 1.3 times
 * faster on an H200.)  And the first smoothing pass of the coarse level, which starts from p = 0.
 */
kernel void restrict_residual(foehn_grid fine, pressure_level coarse, float omega,
                              global const float *r, global const uchar *ax, global const uchar *ay,
                              global const uchar *az, global const uchar *split_x,
                              global const uchar *split_y, global const uchar *split_z,
                              global float *rhs, global float *p)
{
    CELL(coarse.g);
#ifdef FOEHN_SPLITS
    float mean = split_mean(HALVED, fine, coarse, i, j, k, split_x, split_y, split_z, r);
#else
    float mean = mean_of_children(HALVED, fine, i, j, k, r);
    (void)split_x, (void)split_y, (void)split_z;
#endif
    rhs[c] = mean;
    p[c] = smoothed_zero(coarse, i, j, k, c, omega, ax, ay, az, mean);
}

/* p += interpolated correction, in all children of a coarse cell.  Where a row is odd the last
 * child is the ghost, which is and stays 0. */
kernel void prolong(pressure_level fine, pressure_level coarse, global const uchar *mask,
                    global const uchar *split_x, global const uchar *split_y,
                    global const uchar *split_z, global const float *e, global float *p)
{
    CELL(coarse.g);
#ifdef FOEHN_SPLITS
    const float sx = whole_part(split_x, c), sy = whole_part(split_y, c),
                sz = whole_part(split_z, c);
#else
    const float sx = 1.0f, sy = 1.0f, sz = 1.0f;
    (void)split_x, (void)split_y, (void)split_z, (void)c;
#endif
    FOEHN_UNROLL
    for (int d = 0; d < CHILDREN_Z; d++)
        FOEHN_UNROLL
    for (int b = 0; b < CHILDREN_Y; b++) {
        int y = CHILDREN_Y * j + b, z = CHILDREN_Z * k + d;
        if (y >= fine.g.ny || z >= fine.g.nz)
            continue;
        FOEHN_UNROLL
        for (int a = 0; a < CHILDREN_X; a++) {
            int x = CHILDREN_X * i + a;
            idx to = at(fine.g, x, y, z);
            float v = p[to] + prolonged(HALVED, coarse, i, j, k, a, b, d, sx, sy, sz, mask, e);
            p[to] = x < fine.g.nx ? v : 0.0f;
        }
    }
}
