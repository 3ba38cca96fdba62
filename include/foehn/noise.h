/* SPDX-License-Identifier: MIT */
/** Perlin gradient noise with closed-form derivatives, and its curl, for C and for kernels.
 *
 *  Coordinates are lattice units.  A point is an integer lattice cell plus a fraction in [0,1), so
 *  that precision is the same everywhere.  The lattice repeats after 4096 cells on each axis.  A
 *  seed is an integer offset of the lattice (its own hash for each potential and octave).
 *
 *  Names end in _f for float (kernels and host) and _d for double (host only).
 *
 *  Perlin 2002 (quintic fade 6t^5 - 15t^4 + 10t^3); Quilez, "gradient noise derivatives" (closed
 *  form); Bridson et al. 2007, eq. 1 (velocity = curl of a vector potential). */
#ifndef FOEHN_NOISE_H
#define FOEHN_NOISE_H

#include "profile.h" /* FOEHN_INLINE, FOEHN_UNROLL */

#define FOEHN_NOISE_PERIOD 4096

/** 1 / rms of the curl of three unit potentials, each component counted: |curl| has rms 1 after
 *  this factor.  Measured over 4e6 points in double; tests/device/test_noise.c asserts it. */
#define FOEHN_CURL_NORMALISE 0.8189f

/** Weights of two octaves, wavelengths L and L/2: Kolmogorov's -5/3 spectrum gives 2^(-5/6) an
 *  octave (Kim et al. 2008); scaled so that the sum has rms 1. */
#define FOEHN_OCTAVE_WEIGHT_0 0.87208f
#define FOEHN_OCTAVE_WEIGHT_1 0.48943f

/** 32 mixed bits of a lattice point. */
FOEHN_INLINE unsigned foehn_noise_hash(int x, int y, int z)
{
    const int mask = FOEHN_NOISE_PERIOD - 1;
    unsigned h = (unsigned)(x & mask) * 0x8da6b343u ^ (unsigned)(y & mask) * 0xd8163841u ^
                 (unsigned)(z & mask) * 0xcb1ab31fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return h ^ (h >> 15);
}

#define FOEHN_REAL float
#define FOEHN_NAME(name) name##_f
#ifndef __OPENCL_C_VERSION__
#include "noise.h" /* the second half, in float */
#undef FOEHN_REAL
#undef FOEHN_NAME
#define FOEHN_REAL double
#define FOEHN_NAME(name) name##_d
#include "noise.h" /* the second half, in double */
#undef FOEHN_REAL
#undef FOEHN_NAME
#endif
#endif

#ifdef FOEHN_REAL
/** A value and its derivatives by x, y, z, per lattice unit. */
typedef struct FOEHN_NAME(foehn_noise) {
    FOEHN_REAL value, dx, dy, dz;
} FOEHN_NAME(foehn_noise);

/** One component of a lattice gradient in [-1, 1]: 10 bits of the hash. */
FOEHN_INLINE FOEHN_REAL FOEHN_NAME(foehn_noise_component)(unsigned bits)
{
    return (FOEHN_REAL)((int)(2u * (bits & 1023u)) - 1023) * ((FOEHN_REAL)1 / 1023);
}

/** Fade 6t^5 - 15t^4 + 10t^3 and its derivative 30 t^2 (t - 1)^2. */
FOEHN_INLINE FOEHN_REAL FOEHN_NAME(foehn_noise_fade)(FOEHN_REAL t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}
FOEHN_INLINE FOEHN_REAL FOEHN_NAME(foehn_noise_fade_slope)(FOEHN_REAL t)
{
    return 30 * t * t * (t - 1) * (t - 1);
}

/** Perlin noise at lattice cell (ix, iy, iz) plus fraction (x, y, z): value in about [-1, 1].  (A
 *  small struct returned by value travels as vectors on x86, which stops PoCL's vectoriser.) */
FOEHN_INLINE void FOEHN_NAME(foehn_perlin)(int ix, int iy, int iz, FOEHN_REAL x, FOEHN_REAL y,
                                           FOEHN_REAL z, FOEHN_NAME(foehn_noise) * out)
{
    FOEHN_REAL fx = FOEHN_NAME(foehn_noise_fade)(x), sx = FOEHN_NAME(foehn_noise_fade_slope)(x);
    FOEHN_REAL fy = FOEHN_NAME(foehn_noise_fade)(y), sy = FOEHN_NAME(foehn_noise_fade_slope)(y);
    FOEHN_REAL fz = FOEHN_NAME(foehn_noise_fade)(z), sz = FOEHN_NAME(foehn_noise_fade_slope)(z);
    FOEHN_NAME(foehn_noise) n = {0, 0, 0, 0};
    FOEHN_UNROLL
    for (int corner = 0; corner < 8; corner++) {
        int cx = corner & 1, cy = corner >> 1 & 1, cz = corner >> 2;
        unsigned h = foehn_noise_hash(ix + cx, iy + cy, iz + cz);
        FOEHN_REAL gx = FOEHN_NAME(foehn_noise_component)(h);
        FOEHN_REAL gy = FOEHN_NAME(foehn_noise_component)(h >> 10);
        FOEHN_REAL gz = FOEHN_NAME(foehn_noise_component)(h >> 20);
        FOEHN_REAL wx = cx ? fx : 1 - fx, dwx = cx ? sx : -sx;
        FOEHN_REAL wy = cy ? fy : 1 - fy, dwy = cy ? sy : -sy;
        FOEHN_REAL wz = cz ? fz : 1 - fz, dwz = cz ? sz : -sz;
        FOEHN_REAL ramp =
            gx * (x - (FOEHN_REAL)cx) + gy * (y - (FOEHN_REAL)cy) + gz * (z - (FOEHN_REAL)cz);
        n.value += wx * wy * wz * ramp;
        n.dx += dwx * wy * wz * ramp + wx * wy * wz * gx;
        n.dy += wx * dwy * wz * ramp + wx * wy * wz * gy;
        n.dz += wx * wy * dwz * ramp + wx * wy * wz * gz;
    }
    *out = n;
}

/** A vector potential and its curl, per lattice unit. */
typedef struct FOEHN_NAME(foehn_curl) {
    FOEHN_REAL psi_x, psi_y, psi_z, x, y, z;
} FOEHN_NAME(foehn_curl);

/** Curl of three Perlin potentials with the lattice offsets ox, oy, oz ([3] each, one a potential).
 */
FOEHN_INLINE void FOEHN_NAME(foehn_curl_noise)(int ix, int iy, int iz, FOEHN_REAL x, FOEHN_REAL y,
                                               FOEHN_REAL z, const int *ox, const int *oy,
                                               const int *oz, FOEHN_NAME(foehn_curl) * out)
{
    FOEHN_NAME(foehn_noise) a, b, c;
    FOEHN_NAME(foehn_perlin)(ix + ox[0], iy + oy[0], iz + oz[0], x, y, z, &a);
    FOEHN_NAME(foehn_perlin)(ix + ox[1], iy + oy[1], iz + oz[1], x, y, z, &b);
    FOEHN_NAME(foehn_perlin)(ix + ox[2], iy + oy[2], iz + oz[2], x, y, z, &c);
    out->psi_x = a.value;
    out->psi_y = b.value;
    out->psi_z = c.value;
    out->x = c.dy - b.dz;
    out->y = a.dz - c.dx;
    out->z = b.dx - a.dy;
}
#endif
