/* SPDX-License-Identifier: MIT */
/* k and eps of the undisturbed column where the air is not neutral, after Monin and Obukhov.
 *
 * At y = d + z0 and zeta = y / L shear makes u*^3 phi_m / (0.4 y), of which buoyancy takes the
 * share Rf = zeta / phi_m, the same everywhere in a layer whose heat flux is constant; what is left
 * decays:
 *
 *   eps = u*^3 phi_m (1 - Rf) / (0.4 y) ,   k = u*^2 sqrt(1 - Rf) / c0^2 ,   c0^4 k^2 / eps = 0.4
 * u* y / phi_m
 *
 * (van der Laan, Kelly and Sorensen 2017).  phi_m as foehn_minus_psi() has it: 1 + 5 zeta, from
 * zeta = 1 up 6, where Rf stays at 1/6; (1 - 16 zeta)^(-1/4) in unstable air. */
#ifndef FOEHN_KERNEL_SURFACE_LAYER_H
#define FOEHN_KERNEL_SURFACE_LAYER_H

#include "transport/lanes.h"
#include "wind/momentum.h"

typedef struct surface_layer {
    real left;    /* 1 - Rf */
    real root;    /* its square root: k c0^2 / u*^2 */
    real decay;   /* eps / u*^3, 1/m */
    real stretch; /* of eps over c0^3 k^1.5 / (0.4 y) */
} surface_layer;

FOEHN_INLINE bool is_stratified(momentum m)
{
    return m.closes && m.per_l != 0.0f;
}

FOEHN_INLINE surface_layer surface_layer_at(momentum m, real y)
{
    surface_layer s;
    real zeta = y * m.per_l, stable = min(zeta, 1.0f), phi = 1.0f + 5.0f * stable;
    if (m.per_l < 0.0f) {
        stable = zeta;
        phi = 1.0f / sqrt(sqrt(1.0f - 16.0f * zeta));
    }
    s.left = 1.0f - stable / phi;
    s.root = sqrt(s.left);
    s.decay = phi * s.left / (VON_KARMAN * y);
    s.stretch = phi * sqrt(s.root);
    return s;
}

#endif
