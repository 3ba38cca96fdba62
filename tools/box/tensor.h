/* SPDX-License-Identifier: MIT */
/* The spectral tensor of Mann (1994), J. Fluid Mech. 273: homogeneous turbulence in uniform shear.
 * x is along the mean wind, z up; lengths are in L, wave numbers in 1/L, the tensor in alpha
 * eps^(2/3) L^(11/3). */
#ifndef BOX_TENSOR_H
#define BOX_TENSOR_H

#include "box/lanes.h"

/* The six numbers of a symmetric tensor, in this order. */
enum { UU, VV, WW, UV, UW, VW, PAIRS };

/* Wave numbers below this, along the wind, are taken as this: the limit is finite, its formula is
 * not. */
#define LEAST_K1 1e-5f

void tensor_at(const float *restrict k1, const float *restrict k2, const float *restrict k3,
               float gamma, float (*restrict out)[LANES]);

/* The integral over all k2, k3 at a wave number along the wind, times cos(k2 y + k3 z): in
 * alpha eps^(2/3) L^(5/3), of two-sided spectra.  y and z in L; both 0: the spectra themselves. */
void tensor_integral(double k1, double gamma, double y, double z, double out[PAIRS]);

/* The integral over k1 from low to high, both signs: variances and covariances in alpha eps^(2/3)
 * L^(2/3). */
void tensor_variance(double gamma, double low, double high, double out[PAIRS]);

#endif
