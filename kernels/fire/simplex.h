/* SPDX-License-Identifier: MIT */
/* Simplex noise in three dimensions, for kernels and (with emulate.h) for C.
 *
 * Perlin 2001 ("Noise hardware"), in the form of Gustavson 2005 ("Simplex noise demystified"): n =
 * 32 sum over 4 corners of max(0.6 - r^2, 0)^4 g . r, with the 12 edges of a cube as gradients g.
 * Values in about [-1, 1]. */
#ifndef FOEHN_KERNEL_SIMPLEX_H
#define FOEHN_KERNEL_SIMPLEX_H

#include "noise.h" /* foehn_noise_hash, FOEHN_INLINE */

/* g . r for the gradient that a lattice point has. */
FOEHN_INLINE float simplex_ramp(unsigned hash, float x, float y, float z)
{
    unsigned h = hash & 15u; /* four edges count twice, as in Perlin 2002 */
    float a = h < 8u ? x : y, b = h < 4u ? y : h == 12u || h == 14u ? x : z;
    return (h & 1u ? -a : a) + (h & 2u ? -b : b);
}

/* One corner's share.  (i, j, k): its lattice point. */
FOEHN_INLINE float simplex_corner(int i, int j, int k, float x, float y, float z)
{
    float t = 0.6f - x * x - y * y - z * z;
    t = t > 0.0f ? t : 0.0f;
    return t * t * t * t * simplex_ramp(foehn_noise_hash(i, j, k), x, y, z);
}

/* Noise at (x, y, z); seed: moves the lattice. */
FOEHN_INLINE float simplex(float x, float y, float z, int seed)
{
    const float unskew = 1.0f / 6.0f;
    float skew = (x + y + z) * (1.0f / 3.0f);
    float fi = floor(x + skew), fj = floor(y + skew), fk = floor(z + skew);
    float back = (fi + fj + fk) * unskew;
    float x0 = x - fi + back, y0 = y - fj + back, z0 = z - fk + back;
    int i = (int)fi + seed, j = (int)fj + 7 * seed, k = (int)fk + 31 * seed;
    /* The tetrahedron: the largest coordinate steps first, the smallest last. */
    int xy = x0 >= y0, xz = x0 >= z0, yz = y0 >= z0;
    int i1 = xy & xz, j1 = (1 - xy) & yz, k1 = (1 - xz) & (1 - yz);
    int i2 = xy | xz, j2 = (1 - xy) | yz, k2 = (1 - xz) | (1 - yz);
    float n = simplex_corner(i, j, k, x0, y0, z0);
    n += simplex_corner(i + i1, j + j1, k + k1, x0 - (float)i1 + unskew, y0 - (float)j1 + unskew,
                        z0 - (float)k1 + unskew);
    n += simplex_corner(i + i2, j + j2, k + k2, x0 - (float)i2 + 2.0f * unskew,
                        y0 - (float)j2 + 2.0f * unskew, z0 - (float)k2 + 2.0f * unskew);
    n += simplex_corner(i + 1, j + 1, k + 1, x0 - 1.0f + 3.0f * unskew, y0 - 1.0f + 3.0f * unskew,
                        z0 - 1.0f + 3.0f * unskew);
    return 32.0f * n;
}

#endif
